//! Tools that the page is built with, at pinned versions, in the project's own folder. What is there already is kept.

use crate::proc::{self, Outcome};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// 0.22 asks for a newer rustc than rust-toolchain.toml names.
const TRUNK: &str = "0.21.14";
/// Must be the version of the `wasm-bindgen` crate in Cargo.lock, to the last digit.
pub const WASM_BINDGEN: &str = "0.2.130";

/// Where the tools live: `$SCHEDSCOPE_TOOLS` or `target/tools`.
pub fn dir() -> PathBuf {
    std::env::var_os("SCHEDSCOPE_TOOLS").map_or_else(|| proc::target_dir().join("tools"), |dir| proc::root().join(dir))
}

/// `PATH` with our tools in front; the stand-in for wasm-opt (see `npm`) comes after the real one, before the system's.
pub fn path() -> OsString {
    let tools = dir();
    let mut folders = vec![tools.join("bin"), tools.join("node_modules/.bin"), tools.join("stand-in")];
    folders.extend(std::env::var_os("PATH").iter().flat_map(std::env::split_paths));
    std::env::join_paths(folders).unwrap_or_default()
}

/// A tool of ours: looked up in our folders before the user's `PATH`.
pub fn command(program: &str) -> Command {
    let in_ours = [dir().join("bin").join(program), dir().join("node_modules/.bin").join(program)];
    let found = in_ours.iter().find(|file| file.is_file());
    let mut command = proc::command(found.map_or_else(|| OsString::from(program), |file| file.clone().into()));
    command.env("PATH", path());
    command
}

/// The wasm target and both build tools. Instant when all are there.
pub fn set_up_build() -> Outcome<()> {
    // Two set-ups at once would clear away each other's build folder; the second waits and finds everything there.
    let _alone = lock()?;
    add_wasm_target()?;
    install("trunk", TRUNK, &["--locked"], "5 to 6 minutes on 2 cores, once")?;
    // Its own lock file does not resolve any more; cargo's choice of today does.
    install("wasm-bindgen", WASM_BINDGEN, &[], "2 to 3 minutes on 2 cores, once")?;
    check_bindgen_pin()
}

/// Held by whoever sets up tools; released when dropped, or when its process ends.
fn lock() -> Outcome<std::fs::File> {
    let path = dir().join("set-up.lock");
    let failed = |error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(dir()).map_err(failed)?;
    let file = std::fs::File::create(&path).map_err(failed)?;
    if file.try_lock().is_err() {
        println!("\u{25b8} another set-up is at work in {}; waiting for it", dir().display());
        file.lock().map_err(failed)?;
    }
    Ok(file)
}

fn add_wasm_target() -> Outcome<()> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let sysroot = proc::capture(proc::command("rustc").args(["--print", "sysroot"]), "rustc")?;
    if PathBuf::from(sysroot.trim()).join("lib/rustlib").join(TARGET).is_dir() {
        return Ok(());
    }
    proc::step(&format!("adding the Rust target {TARGET}"), || {
        proc::run(proc::command("rustup").args(["target", "add", TARGET]), "rustup target add")
    })
}

/// `cargo install` into our folder, unless the right version is there. `PROGRAM` comes from crate `PROGRAM` or, for
/// wasm-bindgen, from `wasm-bindgen-cli`.
fn install(program: &str, version: &str, flags: &[&str], patience: &str) -> Outcome<()> {
    let has_version = |text: String| text.split_whitespace().any(|word| word == version);
    if proc::version_of(dir().join("bin").join(program)).is_some_and(has_version) {
        return Ok(());
    }
    let package = if program == "wasm-bindgen" { "wasm-bindgen-cli" } else { program };
    proc::step(&format!("building {program} {version} into {} ({patience})", dir().display()), || {
        let mut cargo = proc::cargo();
        cargo.args(["install", package, "--version", version]).args(flags).arg("--root").arg(dir());
        // Its own target folder, beside ours, so that a broken-off build goes on where it was.
        cargo.env("CARGO_TARGET_DIR", dir().join("build")).arg("--quiet");
        proc::run(&mut cargo, &format!("cargo install {package}"))?;
        std::fs::remove_dir_all(dir().join("build")).map_err(|error| format!("cleaning up after {program}: {error}"))
    })
}

/// A different wasm-bindgen crate and tool end in an unreadable error of trunk: say it in words before.
fn check_bindgen_pin() -> Outcome<()> {
    let lock =
        std::fs::read_to_string(proc::root().join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    match locked_version(&lock, "wasm-bindgen") {
        Some(version) if version != WASM_BINDGEN => Err(format!(
            "Cargo.lock has wasm-bindgen {version} but xtask brings the tool {WASM_BINDGEN}: pin both to one version"
        )),
        _ => Ok(()),
    }
}

/// Version of `package` in the text of a Cargo.lock.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Installs Debian packages, telling it; an error says what to type where we may not.
pub fn apt_install(packages: &[&str], needed_for: &str) -> Outcome<()> {
    let list = packages.join(" ");
    if !proc::available("apt-get") {
        return Err(format!("{needed_for} needs {list}; there is no apt-get here, please install them"));
    }
    let as_root = proc::capture(proc::command("id").arg("-u"), "id").is_ok_and(|id| id.trim() == "0");
    let apt = |arguments: &[&str]| {
        let mut command = if as_root { proc::command("apt-get") } else { proc::command("sudo") };
        if !as_root {
            command.args(["-n", "apt-get"]);
        }
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        proc::capture(&mut command, "apt-get").map(|_| ())
    };
    proc::step(&format!("installing {list} with apt-get ({needed_for})"), || {
        apt(&["update", "-q"])
            .and_then(|()| apt(&[&["install", "-y", "-q", "--no-install-recommends"], packages].concat()))
            .map_err(|error| format!("{error}\nPlease run: sudo apt-get install {list}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_package_is_read_from_the_lock_file() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "yew"), None);
    }
}
