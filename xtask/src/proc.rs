//! Child processes: run, capture, bound in time. No shell in between, so nothing needs quoting.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A value, or a sentence for the user.
pub type Outcome<T> = Result<T, String>;

/// Root of the repository: this crate's parent folder.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_path_buf(), Path::to_path_buf)
}

/// Cargo's output folder: `$CARGO_TARGET_DIR` or `target`.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// How the project's own programs are built.
#[derive(Clone, Copy)]
pub enum Profile {
    /// As the tests are, so that nothing is compiled twice: what judges runs this.
    Dev,
    /// Fast: what is timed runs this.
    Release,
}

impl Profile {
    /// `cargo build` of this profile, quietly.
    pub fn build(self, arguments: &[&str]) -> Command {
        let mut cargo = cargo();
        cargo.args(["build", "-q"]).args(arguments);
        if matches!(self, Profile::Release) {
            cargo.arg("--release");
        }
        cargo
    }

    /// Its folder below cargo's output folder, for `target` if that is another machine's.
    pub fn dir(self, target: &str) -> PathBuf {
        target_dir().join(target).join(if matches!(self, Profile::Release) { "release" } else { "debug" })
    }

    /// A native program of that name.
    pub fn program(self, name: &str) -> PathBuf {
        self.dir("").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }
}

/// A command that starts in the repository's root and reads no stdin.
pub fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// A cargo command. Variables that describe xtask itself are taken away: build scripts would see them change.
pub fn cargo() -> Command {
    let mut cargo = command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (key, _) in std::env::vars_os() {
        let name = key.to_string_lossy();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name == "CARGO_BIN_NAME" {
            cargo.env_remove(&key);
        }
    }
    cargo
}

/// Whether `program` can be started (its `--version` answers).
pub fn available(program: &str) -> bool {
    version_of(program).is_some()
}

/// What `program --version` prints.
pub fn version_of(program: impl AsRef<std::ffi::OsStr>) -> Option<String> {
    let output = command(program).arg("--version").stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Runs it with the terminal's output. `what` names it in the error.
pub fn run(command: &mut Command, what: &str) -> Outcome<()> {
    let status = command.status().map_err(|error| format!("{what} could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{what} failed ({status})")) }
}

/// Runs it and returns its stdout; on failure its stderr is part of the sentence.
pub fn capture(command: &mut Command, what: &str) -> Outcome<String> {
    let output = command.output().map_err(|error| format!("{what} could not be started: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{what} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr).trim()))
    }
}

/// All lines that a command printed on stdout, and whether it succeeded.
pub struct Lines {
    /// Lines of stdout, in order.
    pub lines: Vec<String>,
    /// Exit status 0, within the time.
    pub success: bool,
    /// Why it was ended early.
    pub stopped: Option<String>,
}

/// Runs it, prints the lines that `show` accepts while they come, ends it after `limit`.
pub fn stream(command: &mut Command, what: &str, limit: Duration, show: fn(&str) -> bool) -> Outcome<Lines> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("{what} could not be started: {error}"))?;
    let stdout = child.stdout.take().ok_or("a child without stdout")?;
    let reader = std::thread::spawn(move || print_lines(stdout, show));
    let stopped = wait_within(&mut child, what, limit)?;
    let success = stopped.is_none() && child.wait().is_ok_and(|status| status.success());
    let lines = reader.join().map_err(|_| format!("{what}: its output could not be read"))?;
    Ok(Lines { lines, success, stopped })
}

fn print_lines(stdout: impl Read, show: fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(stdout).lines().map_while(Result::ok) {
        if show(&line) {
            println!("{line}");
        }
        lines.push(line);
    }
    lines
}

/// Waits; after `limit` ends the child (only this process, by its handle) and says so.
fn wait_within(child: &mut Child, what: &str, limit: Duration) -> Outcome<Option<String>> {
    let start = Instant::now();
    loop {
        if child.try_wait().map_err(|error| format!("{what}: {error}"))?.is_some() {
            return Ok(None);
        }
        if start.elapsed() > limit {
            child.kill().map_err(|error| format!("{what}: {error}"))?;
            return Ok(Some(format!("{what} was ended after {} s", limit.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Says what is done now and how long it took.
pub fn step<T>(what: &str, work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    println!("\u{25b8} {what}");
    let start = Instant::now();
    let result = work();
    match &result {
        Ok(_) => println!("  done in {}", seconds(start.elapsed())),
        Err(_) => println!("  failed after {}", seconds(start.elapsed())),
    }
    result
}

/// "1.2 s".
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
