//! Node packages: wasm-opt for the page, browser driver and checkers for the tests. Versions: tests/e2e/package.json.

use crate::proc::{self, Outcome};
use crate::tools;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Folder of the browser tests and of the file that pins the packages.
pub fn e2e_dir() -> PathBuf {
    proc::root().join("tests/e2e")
}

/// wasm-opt makes the page about a quarter smaller, but must not stop a new user: without npm this answers `false`.
pub fn set_up_wasm_opt() -> Outcome<bool> {
    let missing = missing_packages(&["binaryen"])?;
    if !proc::available("node") || (!missing.is_empty() && !proc::available("npm")) {
        println!("  node and npm are not here: building without wasm-opt, the page gets about a quarter larger");
        stand_in_for_wasm_opt()?;
        return Ok(false);
    }
    if let [package] = missing.as_slice() {
        proc::step(&format!("bringing {package} (wasm-opt) with npm"), || {
            proc::run(npm().args(["install", "--no-save", "--no-package-lock"]).arg(package), "npm install")
        })?;
    }
    Ok(true)
}

/// Everything the tests need; installs Node itself with apt when there is none.
pub fn set_up_tests() -> Outcome<()> {
    if !proc::available("node") || !proc::available("npm") {
        tools::apt_install(&["nodejs", "npm"], "the browser tests")?;
    }
    let names = ["axe-core", "binaryen", "lighthouse", "playwright-core"];
    let missing = missing_packages(&names)?;
    if missing.is_empty() {
        return Ok(());
    }
    proc::step(&format!("bringing {} with npm", missing.join(", ")), || {
        std::fs::create_dir_all(tools::dir()).map_err(|error| format!("{}: {error}", tools::dir().display()))?;
        for file in ["package.json", "package-lock.json"] {
            std::fs::copy(e2e_dir().join(file), tools::dir().join(file)).map_err(|error| format!("{file}: {error}"))?;
        }
        proc::run(npm().arg("ci"), "npm ci")
    })
}

fn npm() -> std::process::Command {
    let mut npm = proc::command("npm");
    npm.arg("--prefix").arg(tools::dir()).args(["--no-audit", "--no-fund", "--loglevel=error"]);
    npm
}

/// Those of `names` that are not installed in the pinned version, as `name@version`.
fn missing_packages(names: &[&str]) -> Outcome<Vec<String>> {
    let pins = read_json(&e2e_dir().join("package.json"))?;
    let pinned = |name: &str| pins["dependencies"][name].as_str().map(str::to_string);
    let mut missing = Vec::new();
    for name in names {
        let version = pinned(name).ok_or_else(|| format!("tests/e2e/package.json does not pin {name}"))?;
        let installed = read_json(&tools::dir().join("node_modules").join(name).join("package.json"));
        if !installed.is_ok_and(|package| package["version"] == version.as_str()) {
            missing.push(format!("{name}@{version}"));
        }
    }
    Ok(missing)
}

fn read_json(file: &Path) -> Outcome<Value> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

/// trunk insists on a wasm-opt when index.html asks for a level, and takes a system's old one that cannot parse what
/// rustc emits. So, without npm, it gets one that copies its input.
fn stand_in_for_wasm_opt() -> Outcome<()> {
    const SCRIPT: &str = "#!/bin/sh\n\
        # Stands in for wasm-opt where npm is missing: copies the module unchanged.\n\
        for word in \"$@\"; do\n\
        case \"$word\" in\n\
        --version) echo \"wasm-opt version 0\"; exit 0 ;;\n\
        --output=*) output=${word#--output=} ;;\n\
        -*) ;;\n\
        *) input=$word ;;\n\
        esac\n\
        done\n\
        exec cp \"$input\" \"$output\"\n";
    let folder = tools::dir().join("stand-in");
    let file = folder.join("wasm-opt");
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&file, SCRIPT))
        .and_then(|()| make_executable(&file))
        .map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(unix)]
fn make_executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> std::io::Result<()> {
    Ok(())
}
