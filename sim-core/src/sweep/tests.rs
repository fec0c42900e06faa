use super::*;
use crate::scenario::builtins;

fn base() -> Scenario {
    let mut scenario = builtins::find("lat-ctx").expect("a built-in").scenario();
    scenario.duration_ns = 300_000_000;
    scenario
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.into()).collect()
}

fn run(sweep: &Sweep, index: usize) -> (Vec<Option<u64>>, u64) {
    let mut run = PointRun::new(&sweep.compiled(index).expect("points are checked"));
    while run.work(5_000) {}
    run.values(sweep.measures()).expect("it ends as planned")
}

#[test]
fn points_come_with_the_first_axis_slowest_and_policies_fastest() {
    let sweep =
        Sweep::plan(&base(), &texts(&["hogs=0..10:10", "ring.procs=2,4"]), &texts(&["o1-2.5.2-c1", "linux-2.4"]))
            .expect("it can run");
    assert_eq!(sweep.points(), 8);
    let names: Vec<String> = (0..4).map(|index| sweep.name(&sweep.point(index))).collect();
    assert_eq!(names[0], "hogs=0, ring.procs=2, o1-2.5.2-c1");
    assert_eq!(names[1], "hogs=0, ring.procs=2, linux-2.4");
    assert_eq!(names[2], "hogs=0, ring.procs=4, o1-2.5.2-c1");
    let last = sweep.scenario(7);
    assert_eq!((last.workloads[1].count, last.workloads[0].params["procs"]), (10, 4));
    assert_eq!(last.lanes.iter().map(|lane| lane.policy.as_str()).collect::<Vec<_>>(), ["linux-2.4"]);
}

/// Issue 5's example: the scan of every runnable task makes the old scheduler's laps longer, O(1)'s stay as they are.
#[test]
fn laps_grow_with_hogs_only_where_the_scheduler_scans_them() {
    let policies = texts(&["linux-2.5.2-pre9", "o1-2.5.2-c1"]);
    let long = builtins::find("lat-ctx").expect("a built-in").scenario();
    let sweep = Sweep::plan(&long, &texts(&["hogs=10,50"]), &policies).expect("it can run");
    let lap = sweep.measures().iter().position(|m| m.key == "mark.ring lap.p50_ns").expect("the ring marks laps");
    let laps: Vec<u64> = (0..4).map(|index| run(&sweep, index).0[lap].expect("there are laps")).collect();
    assert!(laps[2] > laps[0] * 3 / 2, "pre9: {} ns with 10 hogs, {} ns with 50", laps[0], laps[2]);
    assert!(laps[3] <= laps[1] * 11 / 10, "O(1): {} ns with 10 hogs, {} ns with 50", laps[1], laps[3]);
}

#[test]
fn numbers_of_a_point_are_those_of_its_run() {
    let sweep = Sweep::plan(&base(), &texts(&["hogs=3"]), &[]).expect("it can run");
    let (values, digest) = run(&sweep, 0);
    let mut lane = crate::engine::lane::Lane::new((&sweep.compiled(0).expect("it compiles")).into());
    lane.finish();
    let summary = crate::engine::summary(&mut lane, 0, u64::MAX);
    let value = |key: &str| {
        let index = sweep.measures().iter().position(|measure| measure.key == key).expect(key);
        values[index]
    };
    assert_eq!(digest, summary.digest);
    assert_eq!(value("switches"), Some(summary.switches));
    assert_eq!(value("events"), Some(summary.events));
    assert_eq!(value("mark.ring lap.per_second"), Some(summary.throughput_milli[0].1));
    let (exact, bucket) = (value("mark.ring lap.p50_ns").expect("laps"), summary.response[0].1.p50);
    assert!(exact <= bucket && bucket - exact <= bucket / 16, "{exact} lies in the bucket that ends at {bucket}");
    let shares: u64 = ["ring", "hogs"].iter().filter_map(|name| value(&format!("workload.{name}.cpu_permille"))).sum();
    assert!((900..=1000).contains(&shares), "{shares}");
}

#[test]
fn tunables_groups_cores_and_seed_can_vary() {
    let groups = builtins::find("group-balancer").expect("a built-in").scenario();
    let vary = ["group.one=512..1024:512", "cores=2,4", "seed=1..2", "tunable.latency=10ms,20ms"];
    let sweep = Sweep::plan(&groups, &texts(&vary), &[]).expect("it can run");
    assert_eq!(sweep.points(), 2 * 2 * 2 * 2 * groups.lanes.len());
    let last = sweep.scenario(sweep.points() - 1);
    assert_eq!((last.groups[0].shares, last.machine.cores, last.seed), (1024, 4, 2));
    assert_eq!(last.lanes[0].tunables["latency"], 20_000_000);
}

#[test]
fn all_faults_are_told_at_once_and_say_how_to_mend_them() {
    let vary = texts(&["hoggs=1..2", "hogs=0..20000:10000", "ring.hop", "hogs=1"]);
    let faults = Sweep::plan(&base(), &vary, &texts(&["o1-2.5.2-c1", "nope"])).expect_err("nothing of it can run");
    let all: Vec<String> = faults.iter().map(|f| format!("{}: {} {}", f.path, f.message, f.hint)).collect();
    for part in [
        "\"nope\" is not a policy",
        "Did you mean hogs?",
        "20000 is outside 0 to 10000",
        "names no values",
        "varied twice",
    ] {
        assert!(all.iter().any(|line| line.contains(part)), "{part} in {all:#?}");
    }
    let none = Sweep::plan(&base(), &[], &[]).expect_err("nothing varies");
    assert!(none[0].message.contains("nothing varies"));
    let many = texts(&["hogs=0..999", "ring.hop=1us..1000us:1us"]);
    assert!(Sweep::plan(&base(), &many, &[]).expect_err("a million points")[0].message.contains("at most 10000"));
}

#[test]
fn faults_of_single_points_name_the_point() {
    let faults =
        Sweep::plan(&base(), &texts(&["hogs=9990..10000:10"]), &[]).expect_err("ring and hogs exceed the table");
    assert!(faults[0].message.contains("hogs=10000"), "{faults:?}");
}

#[test]
fn the_same_rows_belong_together_and_others_do_not() {
    let plan = |scenario: &Scenario, vary: &str| Sweep::plan(scenario, &texts(&[vary]), &[]).expect("it can run").id();
    let mut other = base();
    other.seed += 1;
    assert_eq!(plan(&base(), "hogs=1"), plan(&base(), "hogs=0..50:10"));
    assert_ne!(plan(&base(), "hogs=1"), plan(&other, "hogs=1"));
}

#[test]
fn the_example_can_run_and_shows_what_it_names() {
    let link = crate::scenario::link::decode(EXAMPLE_LINK).expect("it is a link");
    assert_eq!((link.warnings, link.view.view.as_str()), (Vec::new(), "sweep"));
    let sweep = Sweep::plan(&link.scenario.expect("it has a scenario"), &[link.view.vary], &[]).expect("it can run");
    assert_eq!(sweep.points(), 22);
    assert!(sweep.measures().iter().any(|measure| measure.key == link.view.metric));
}
