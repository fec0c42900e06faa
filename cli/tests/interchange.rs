//! `export` and `import` as scripts use them: files, exit status, sentences.

use std::path::PathBuf;
use std::process::{Command, Output};

fn schedscope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_schedscope")).args(args).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of our own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("schedscope-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder in the temporary one");
        Folder(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is the temporary folder's to remove.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn an_exported_trace_is_imported_and_runs() {
    let folder = Folder::new("interchange");
    let trace = folder.file("trace.txt");
    let exported = schedscope(&["export", "lat-ctx", "--to", "ftrace", "--until", "200ms", "--out", &trace, "--json"]);
    assert!(exported.status.success(), "{}", said(&exported));
    let told: serde_json::Value = serde_json::from_slice(&exported.stdout).expect("JSON");
    let length = std::fs::metadata(&trace).expect("the file is there").len();
    assert_eq!(told["bytes"].as_u64(), Some(length));
    let imported = schedscope(&["import", &trace]);
    assert!(imported.status.success(), "{}", said(&imported));
    assert!(said(&imported).contains("note: locks, groups"), "what is lost is said: {}", said(&imported));
    let scenario = folder.file("again.json");
    std::fs::write(&scenario, &imported.stdout).expect("a file");
    let run = schedscope(&["digest", &scenario]);
    assert!(run.status.success() && !run.stdout.is_empty(), "{}", said(&run));
}

#[test]
fn run_writes_the_same_trace_as_export() {
    let folder = Folder::new("trace");
    let (by_run, by_export) = (folder.file("run.json"), folder.file("export.json"));
    let run = schedscope(&["run", "lat-ctx", "--until", "100ms", "--trace", &by_run]);
    let export = schedscope(&["export", "lat-ctx", "--until", "100ms", "--to", "chrome", "--out", &by_export]);
    assert!(run.status.success() && export.status.success(), "{}{}", said(&run), said(&export));
    let read = |path: &str| std::fs::read(path).expect("the file is there");
    assert_eq!(read(&by_run), read(&by_export));
}

#[test]
fn what_cannot_be_done_is_a_sentence_and_a_status() {
    let folder = Folder::new("refusals");
    let format = schedscope(&["export", "lat-ctx", "--to", "pdf"]);
    assert!(
        !format.status.success() && said(&format).contains("chrome, ftrace, trace-dat, intervals"),
        "{}",
        said(&format)
    );
    let broken = folder.file("broken.json");
    std::fs::write(&broken, "{\n \"tasks\": {\n  \"a\" {}}}").expect("a file");
    let import = schedscope(&["import", &broken]);
    assert!(!import.status.success() && said(&import).contains("line 3"), "{}", said(&import));
    assert!(!schedscope(&["import", &folder.file("nothing")]).status.success());
}
