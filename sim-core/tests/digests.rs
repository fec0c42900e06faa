//! Long runs as one line each: policy, scenario, events and digest must be those of `tests/digests/native.txt`. The
//! WebAssembly build is compared with the native one by `cargo xtask`. A line that changes says that a schedule has
//! changed: `UPDATE_GOLDEN=1 cargo test -p sim-core --test digests` rewrites the list, a person reads the difference.

use sim_core::engine::lane::{Lane, LaneSpec};
use sim_core::policies;
use sim_core::scenario::{compile, parse};
use std::fmt::Write;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/digests")
}

fn digests() -> String {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder tests/digests")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let mut list = String::new();
    for entry in policies::all() {
        for file in &files {
            let name = file.file_stem().expect("a file").to_string_lossy();
            let text = std::fs::read_to_string(file).expect("a readable file");
            let (mut scenario, _) = parse(&text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            scenario.lanes[0].policy = entry.info.key.into();
            if entry.info.caps.percent_shares {
                // The files have weights, all of them of groups below the root.
                let total: u64 = scenario.groups.iter().map(|group| group.shares).sum();
                scenario.groups.iter_mut().for_each(|group| group.shares = group.shares * 90 / total);
            }
            let compiled = compile(&scenario, 0).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            let run = || {
                let mut lane = Lane::new(LaneSpec::from(&compiled));
                lane.finish();
                assert_eq!(lane.stop(), None, "{name} under {}", entry.info.key);
                (lane.events(), lane.kernel().digest())
            };
            let (events, digest) = run();
            assert_eq!((events, digest), run(), "{name} under {} differs from itself", entry.info.key);
            writeln!(list, "{} {name} {events} {digest:016x}", entry.info.key).expect("a string takes everything");
        }
    }
    list
}

#[test]
fn long_runs_are_those_of_the_list() {
    let path = folder().join("native.txt");
    let found = digests();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, found).expect("the list can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).expect("the list can be read");
    let changed: Vec<&str> = found.lines().filter(|line| !expected.lines().any(|old| old == *line)).collect();
    let hint = "if schedules were meant to change: UPDATE_GOLDEN=1 cargo test -p sim-core --test digests";
    assert!(changed.is_empty(), "not in native.txt ({hint}):\n{}", changed.join("\n"));
    assert_eq!(found.lines().count(), expected.lines().count(), "native.txt has lines of policies that are gone");
}
