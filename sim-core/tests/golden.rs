//! Every recorded schedule in `tests/golden` must be reproduced exactly: switches, migrations, notes and times.

use sim_core::scenario::golden::Golden;
use std::path::PathBuf;

/// Replays a folder; fails with every difference at once. At least `least` files must be there.
fn replay(folder: &str, least: usize) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(files.len() >= least, "{folder} has {} files of {least}", files.len());
    let mut differences = Vec::new();
    for file in &files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file).expect("a readable file");
        match Golden::parse(&text, None) {
            Err(error) => differences.push(format!("{name}: {error}")),
            Ok(golden) => {
                if let Some(difference) = golden.replay().first_difference {
                    differences.push(format!("{name}: {difference:?}"));
                }
            }
        }
    }
    println!("{folder}: {} of {} exact", files.len() - differences.len(), files.len());
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn linux24() {
    replay("linux24", 39);
}

#[test]
fn o1() {
    replay("o1", 55);
}

#[test]
fn o1_of_2002() {
    replay("o1-2.4", 29);
}

#[test]
fn sd() {
    replay("sd", 42);
}

#[test]
fn eevdf() {
    replay("eevdf", 82);
}

#[test]
fn staircase() {
    replay("staircase", 16);
}

#[test]
fn bfs() {
    replay("bfs", 21);
}

#[test]
fn cfs() {
    replay("cfs", 134);
}
