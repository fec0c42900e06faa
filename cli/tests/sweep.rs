//! The sweep command as a script sees it: files that grow, go on, fit together, and are never mixed up.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A scenario of 50 ms, in a folder of its own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("schedscope-sweep-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        let scenario = r#"{"v":1,"duration_ns":50000000,"machine":{"cores":2},"lanes":[{"policy":"o1-2.6.21"}],
            "workloads":[{"name":"hogs","kind":"hog","count":2},{"name":"editor","kind":"sleeper"}]}"#;
        std::fs::write(path.join("small.json"), scenario).expect("the folder can be written");
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    fn sweep(&self, out: &str, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schedscope"));
        command.arg("sweep").arg(self.path("small.json")).arg("--out").arg(self.path(out)).args(more);
        command.output().expect("the program starts")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const VARY: [&str; 4] = ["--vary", "hogs=1..4", "--policies", "o1-2.6.21,linux-2.4"];

fn good(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn rows(path: &Path) -> usize {
    std::fs::read_to_string(path).expect("it was written").lines().count()
}

#[test]
fn a_cut_table_is_completed_to_the_same_bytes() {
    let folder = Folder::new("resume");
    for file in ["all.csv", "all.jsonl"] {
        good(&folder.sweep(file, &VARY));
        let whole = folder.text(file);
        // Cut in the middle of a row, as a full disk does.
        std::fs::write(folder.path(file), &whole[..whole.len() * 3 / 5]).expect("the folder can be written");
        let again = folder.sweep(file, &[&VARY[..], &["--json"]].concat());
        good(&again);
        assert_eq!(folder.text(file), whole);
        let told: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
        assert_eq!(told["points"], 8);
        assert!((1..8).contains(&told["computed"].as_u64().expect("a number")), "{told}");
    }
}

#[test]
fn shards_one_after_the_other_are_the_whole_table() {
    let folder = Folder::new("shards");
    for ending in ["csv", "jsonl"] {
        let whole = format!("all.{ending}");
        good(&folder.sweep(&whole, &VARY));
        let mut parts = String::new();
        for shard in 1..=3 {
            let part = format!("part{shard}.{ending}");
            good(&folder.sweep(&part, &[&VARY[..], &["--shard", &format!("{shard}/3")]].concat()));
            parts += &folder.text(&part);
        }
        assert_eq!(parts, folder.text(&whole));
    }
}

#[test]
fn a_finer_sweep_adds_only_what_is_missing() {
    let folder = Folder::new("finer");
    good(&folder.sweep("t.csv", &["--vary", "hogs=1..4:3"]));
    assert_eq!(rows(&folder.path("t.csv")), 3);
    good(&folder.sweep("t.csv", &["--vary", "hogs=1..4"]));
    assert_eq!(rows(&folder.path("t.csv")), 5);
}

#[test]
fn rows_of_another_scenario_are_not_mixed_in() {
    let folder = Folder::new("other");
    good(&folder.sweep("t.csv", &VARY));
    let before = folder.text("t.csv");
    let scenario = folder.text("small.json").replace("50000000", "60000000");
    std::fs::write(folder.path("small.json"), scenario).expect("the folder can be written");
    for more in [&VARY[..], &["--vary", "editor=1..2"]] {
        let refused = folder.sweep("t.csv", more);
        assert!(!refused.status.success());
        assert!(String::from_utf8_lossy(&refused.stderr).contains("name another file with --out"));
    }
    assert_eq!(folder.text("t.csv"), before);
}

#[test]
fn faults_are_told_all_at_once_and_nothing_is_written() {
    let folder = Folder::new("faults");
    let refused = folder.sweep("t.txt", &["--vary", "hog=1..2", "--vary", "editor.burst=1", "--shard", "9/3"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    for part in [".csv or .jsonl", "Did you mean hogs?", "1 is outside 1000 to 1000000000", "from 1 to N"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    assert!(!refused.status.success() && !folder.path("t.txt").exists());
}
