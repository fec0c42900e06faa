//! Builds the page into dist/ with trunk, without network, and only when something that goes into it has changed.

use crate::compress::{self, Sizes};
use crate::proc::{self, Outcome};
use crate::{npm, offline, parts, tools};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// Everything that the page is made of.
const INPUTS: &[&str] = &[
    "index.html",
    "Trunk.toml",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo/config.toml",
    "src",
    "styles",
    "locales",
    "assets",
    "public",
    "lessons",
    "build.rs",
    "sim-core/src",
    "sim-core/Cargo.toml",
    "xtask/src/sw.js",
    "xtask/src/parts.rs",
    "xtask/src/split",
];

/// Goal for everything that the first visit loads, compressed.
const FIRST_LOAD_BYTES_MAX: u64 = 350 * 1024;

/// Where the built page lies.
pub fn dist() -> PathBuf {
    proc::root().join("dist")
}

/// `cargo xtask build`.
pub fn command() -> Outcome<()> {
    build().map(|_| ())
}

/// Sets up the tools and builds; returns the files of the page.
pub fn build() -> Outcome<Vec<Sizes>> {
    let start = Instant::now();
    tools::set_up_build()?;
    let optimised = npm::set_up_wasm_opt()?;
    let stamp_file = proc::target_dir().join("xtask/page.stamp");
    let stamp = fingerprint(optimised)?;
    if fs::read_to_string(&stamp_file).is_ok_and(|old| old == stamp) && dist().join("index.html.br").is_file() {
        println!("\u{25b8} page is up to date ({})", proc::seconds(start.elapsed()));
        return built_sizes();
    }
    proc::step("fetching crates", || proc::run(proc::cargo().arg("fetch").arg("--quiet"), "cargo fetch"))?;
    proc::step("building the page (release; about a minute the first time)", run_trunk)?;
    proc::step("splitting off what comes later", || parts::write(&dist()))?;
    proc::step("writing the service worker", || offline::write(&dist()))?;
    let sizes = proc::step("compressing the page's files", || compress::compress_all(&dist()))?;
    print_sizes(&sizes);
    write(&stamp_file, &stamp)?;
    Ok(sizes)
}

fn run_trunk() -> Outcome<()> {
    let mut trunk = tools::command("trunk");
    // trunk reads NO_COLOR as "true" or "false" and refuses the usual "1".
    trunk.args(["build", "--release", "--offline"]).env("TRUNK_SKIP_VERSION_CHECK", "true").env_remove("NO_COLOR");
    proc::run(&mut trunk, "trunk build")
}

/// Changes when any input or tool changes.
fn fingerprint(optimised: bool) -> Outcome<String> {
    let mut hash = Sha256::new();
    hash.update(format!("bindgen {} optimised {optimised}\n", tools::WASM_BINDGEN));
    for input in INPUTS {
        let path = proc::root().join(input);
        let files = if path.is_dir() { compress::files_below(&path)? } else { vec![path] };
        for file in files.iter().filter(|file| file.is_file()) {
            let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
            hash.update(format!("{} {}\n", file.display(), bytes.len()));
            hash.update(&bytes);
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn built_sizes() -> Outcome<Vec<Sizes>> {
    let length = |path: &std::path::Path| fs::metadata(path).map(|data| data.len()).ok();
    let sizes_of = |file: &PathBuf| {
        let plain = length(file).unwrap_or(0);
        let compressed = |suffix| length(&compress::with_suffix(file, suffix)).unwrap_or(plain);
        let name = file.strip_prefix(dist()).unwrap_or(file).to_string_lossy().into_owned();
        Sizes { name, plain, brotli: compressed("br"), gzip: compressed("gz") }
    };
    Ok(compress::files_below(&dist())?.iter().map(sizes_of).collect())
}

/// What is loaded only when it is wanted: other languages, lessons, the tools behind exports and imports, the service worker.
const WANTED: &[&str] = &["locales/", "lessons/", "tools", "sw.js"];

/// Code that comes by itself once the first picture stands; see `parts.rs`.
const LATER: &[&str] = &["app_later", "worker_later"];

fn brotli_bytes(sizes: &[Sizes], counts: impl Fn(&str) -> bool) -> u64 {
    sizes.iter().filter(|file| counts(&file.name)).map(|file| file.brotli).sum()
}

fn begins(name: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| name.starts_with(start))
}

/// Bytes of the first visit: everything that the first picture needs, with brotli.
pub fn first_load_bytes(sizes: &[Sizes]) -> u64 {
    brotli_bytes(sizes, |name| !begins(name, WANTED) && !begins(name, LATER))
}

/// Table of the page's files, and the goal.
pub fn print_sizes(sizes: &[Sizes]) {
    println!("  {:<40} {:>10} {:>10} {:>10}", "file (KiB)", "plain", "gzip", "brotli");
    let kib = |bytes: u64| format!("{:.1}", bytes as f64 / 1024.0);
    for file in sizes {
        println!("  {:<40} {:>10} {:>10} {:>10}", file.name, kib(file.plain), kib(file.gzip), kib(file.brotli));
    }
    let total = first_load_bytes(sizes);
    let verdict = if total <= FIRST_LOAD_BYTES_MAX { "within" } else { "OVER" };
    println!("  first load {} KiB with brotli: {verdict} the goal of {} KiB", kib(total), kib(FIRST_LOAD_BYTES_MAX));
    let later = brotli_bytes(sizes, |name| begins(name, LATER));
    let wanted = brotli_bytes(sizes, |name| begins(name, WANTED));
    println!(
        "  after the first picture {} KiB more; only when wanted, or to work offline: {} KiB",
        kib(later),
        kib(wanted)
    );
}

fn write(file: &std::path::Path, text: &str) -> Outcome<()> {
    let parent = file.parent().unwrap_or(file);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(file, text))
        .map_err(|error| format!("{}: {error}", file.display()))
}
