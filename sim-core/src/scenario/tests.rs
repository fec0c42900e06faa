//! Whole documents: what parses, what does not and with which words, and what a machine is made of it.

use super::compile::compile_for;
use super::schema::Scenario;
use super::*;
use crate::kernel::sim::DynSim;
use crate::kernel::{Change, SimConfig};
use crate::policy::{Caps, PolicyEntry, PolicyInfo, SchedClass, TunableSpec};
use crate::task::program::{Op, Value};

static KNOB: TunableSpec = TunableSpec {
    key: "slice",
    help: "slice",
    unit: crate::inspect::Unit::Nanos,
    min: 1,
    max: 100,
    default: |shape| i64::from(shape.cpus) * 10,
    golden: None,
};

fn not_built(_: &'static str, _: SimConfig, _: &[i64]) -> Box<dyn DynSim> {
    panic!("these tests compile only")
}

const CAPS: Caps = Caps { groups: true, nested_groups: true, rt: true, ..Caps::NONE };

const fn info(key: &'static str, caps: Caps) -> PolicyInfo {
    PolicyInfo {
        key,
        title: "Test",
        family: "test",
        kernel: "none",
        summary: "",
        tunables: std::slice::from_ref(&KNOB),
        reasons: &[],
        notes: &[],
        caps,
        golden: &[],
        golden_matched: (0, 0),
    }
}

static ENTRY: PolicyEntry = PolicyEntry { info: info("test", CAPS), build: not_built };

fn lines(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect()
}

fn faults(text: &str) -> Vec<String> {
    lines(&parse(text).unwrap_err())
}

fn document(workloads: &str) -> String {
    format!(
        r#"{{"v":1,"duration_ns":1000000000,"machine":{{"cores":2}},"lanes":[{{"policy":"test"}}],"workloads":{workloads}}}"#
    )
}

fn scenario(workloads: &str) -> Scenario {
    parse(&document(workloads)).unwrap().0
}

#[test]
fn all_faults_are_reported_at_once_with_their_fields() {
    let text = r#"{"v":1,"duration_ns":-5,"machine":{"cores":3,"packages":2,"hz":123,"profile":"cray"},"lanes":[],
        "workloads":[{"name":"a","kind":"hog","nice":40},{"name":"a","kind":"hogg","count":1000000000},
        {"name":"","kind":"sleeper","params":{"burst":0,"sleep":"long"},"cpus":[7],"group":"none"}]}"#;
    assert_eq!(
        faults(text),
        [
            "duration_ns: -5 is outside 1 to 3600000000000",
            "workloads[0].nice: 40 is outside -20 to 19",
            "workloads[1].count: 1000000000 is outside 0 to 10000",
            "workloads[2].params.sleep: should be a whole number, not a text",
            "lanes: name at least one policy",
            "machine.hz: 123 is none of 100, 250, 300, 1000",
            "machine.packages: 3 cores cannot be divided evenly among 2 packages",
            "machine.profile: \"cray\" is not a machine profile",
            "workloads[1].name: \"a\" exists already",
            "workloads[1].kind: \"hogg\" is not a kind of workload",
            "workloads[2].name: is empty",
            "workloads[2].cpus[0]: 7 is outside 0 to 2",
            "workloads[2].group: there is no group \"none\"",
            "workloads[2].params.burst: 0 is outside 1000 to 1000000000",
        ]
    );
    let problems = parse(text).unwrap_err();
    let kind = problems.iter().find(|problem| problem.path == "workloads[1].kind").unwrap();
    assert_eq!(kind.hint, "Did you mean hog?");
}

#[test]
fn unknown_fields_are_warnings_and_names_stay_text() {
    let text = document(r#"[{"name":"<b>x</b>","kind":"hog","cuont":3}]"#);
    let (scenario, warnings) = parse(&text).unwrap();
    assert_eq!(scenario.workloads[0].name, "<b>x</b>");
    assert_eq!(lines(&warnings), ["workloads[0].cuont: unknown field, ignored"]);
    assert_eq!(warnings[0].hint, "Did you mean count?");
}

#[test]
fn hostile_numbers_and_shapes_are_sentences() {
    let counts = r#"[{"name":"a","kind":"hog","count":9000},{"name":"b","kind":"hog","count":9000}]"#;
    assert_eq!(faults(&document(counts)), ["workloads: 18000 tasks are more than 10000"]);
    for number in ["1e400", "NaN", "-0.5", "1e3", "99999999999999999999999", "null", "[]"] {
        let text = document(&format!(r#"[{{"name":"a","kind":"hog","nice":{number}}}]"#));
        let result = parse(&text);
        assert!(number == "null" || result.is_err(), "{number}");
    }
    assert_eq!(faults(&"[".repeat(100_000)), [": brackets are nested deeper than 24"]);
    assert_eq!(faults("{}"), ["v: is missing"]);
    assert_eq!(faults("[1]"), [": should be an object {…}"]);
    assert!(faults(&" ".repeat(2 << 20))[0].contains("bytes are more than"));
    let many = vec![r#"{"name":"a","kind":"hog","nice":99}"#; 200].join(",");
    assert_eq!(parse(&document(&format!("[{many}]"))).unwrap_err().len(), limits::PROBLEMS_MAX + 1);
}

#[test]
fn loops_that_use_no_time_are_refused() {
    let program = |steps: &str| faults(&document(&format!(r#"[{{"name":"p","kind":"program","program":{steps}}}]"#)));
    assert_eq!(program(r#"[["loop",0,[]]]"#), ["workloads[0].program[0]: the loop is empty"]);
    assert_eq!(
        program(r#"[["loop",0,[["yield"],["mark","m"],["run",0]]]]"#),
        ["workloads[0].program[0]: an endless loop that uses no time would never let the clock go on"]
    );
    assert_eq!(
        program(r#"[["loop",1,[["loop",1,[["loop",1,[["loop",1,[["loop",1,[["run",1]]]]]]]]]]]]"#),
        ["workloads[0].program[0][2][0][2][0][2][0][2][0]: loops are nested deeper than 4"]
    );
    assert_eq!(program(r#"[["runn",5]]"#), ["workloads[0].program[0]: \"runn\" is not a step"]);
    assert_eq!(
        program(r#"[["run",{"exp":-1}]]"#),
        ["workloads[0].program[0][1].exp: -1 is outside 1 to 3600000000000"]
    );
    assert_eq!(
        program(r#"[["fork","q"]]"#),
        ["workloads[0].program: fork: there is no workload \"q\" of kind \"program\""]
    );
}

#[test]
fn every_builtin_survives_json_and_compiles() {
    for builtin in builtins::BUILTINS {
        let scenario = builtin.scenario();
        let (again, warnings) = parse(&to_json(&scenario)).unwrap_or_else(|p| panic!("{}: {p:?}", builtin.key));
        assert_eq!(again, scenario, "{}", builtin.key);
        assert_eq!(lines(&warnings), [""; 0], "{}", builtin.key);
        let compiled = compile_for(&scenario, 0, &ENTRY).unwrap();
        assert_eq!(compiled.tasks.len(), compiled.config.tasks.len());
        for task in compiled.config.tasks.iter() {
            assert!(!task.program.is_empty());
        }
    }
}

#[test]
fn a_ring_passes_one_token_through_its_pipes() {
    let compiled =
        compile_for(&scenario(r#"[{"name":"ring","kind":"lat-ctx","params":{"procs":3}}]"#), 0, &ENTRY).unwrap();
    let names: Vec<&str> = compiled.tasks.iter().take(3).map(|task| task.name.as_str()).collect();
    assert_eq!(names, ["ring/0", "ring/1", "ring/2"]);
    assert_eq!(compiled.marks, ["ring lap"]);
    assert_eq!(compiled.params.len(), 1);
    assert_eq!(compiled.params[0].key, "hop");
    let first = &compiled.config.tasks[0].program;
    assert!(first.contains(&Op::Wait(2)) && first.contains(&Op::Signal { channel: 0, count: 1, sync: false }));
    assert!(compiled.config.tasks[2].program.contains(&Op::Wait(1)));
    assert_eq!(compiled.config.counts, [1]);
}

#[test]
fn a_later_change_of_a_count_leaves_earlier_rows_where_they_were() {
    let mut scenario = scenario(r#"[{"name":"a","kind":"hog","count":3},{"name":"b","kind":"hog","count":2}]"#);
    let before = compile_for(&scenario, 0, &ENTRY).unwrap();
    let target = schema::Target::Workload("a".into(), "count".into());
    scenario.changes.push(schema::ChangeAt { t: 500, target, value: 200 });
    let after = compile_for(&scenario, 0, &ENTRY).unwrap();
    assert_eq!(before.tasks[..], after.tasks[..before.tasks.len()]);
    assert_eq!(after.tasks.iter().filter(|task| task.workload == 0).count(), 200);
    assert_eq!(after.changes, [(500, Change::Count { workload: 0, count: 200 })]);
}

#[test]
fn changes_become_numbers_in_order_of_time() {
    let text = r#"{"v":1,"duration_ns":1000,"machine":{"cores":1},"lanes":[{"policy":"test","tunables":{"slice":7}}],
        "groups":[{"name":"inner","parent":"outer","quota_ns":2000000},{"name":"outer"}],
        "workloads":[{"name":"s","kind":"sleeper","group":"inner","class":"batch"}],
        "changes":[{"t":9,"tunable":"slice","value":8},{"t":5,"group":"outer","value":2},
        {"t":5,"workload":["s","burst"],"value":4000},{"t":6,"workload":["s","class"],"value":4}]}"#;
    let scenario = parse(text).unwrap().0;
    let compiled = compile_for(&scenario, 0, &ENTRY).unwrap();
    assert_eq!(compiled.tunables, [7]);
    assert_eq!(compiled.groups, ["/", "outer", "inner"]);
    assert_eq!(compiled.config.groups[2].parent.0, 1);
    assert_eq!(
        compiled.changes,
        [
            (5, Change::Shares { group: crate::units::GroupId(1), shares: 2 }),
            (5, Change::Param { param: 0, value: 4000 }),
            (6, Change::Class { workload: 0, class: SchedClass::Fifo, rt_priority: 1 }),
            (9, Change::Tunable { index: 0, value: 8 }),
        ]
    );
    assert_eq!(compiled.tasks[0].class, SchedClass::Normal, "batch is not known to this policy");
    assert_eq!(
        lines(&compiled.warnings),
        [
            "workloads[0].class: test does not have this class; the tasks run as normal",
            "groups[0].quota_ns: test has no bandwidth control; the group is not limited",
        ]
    );
    let defaults = compile_for(&self::scenario("[]"), 0, &ENTRY).unwrap();
    assert_eq!(defaults.tunables, [20]);
}

#[test]
fn forked_programs_have_a_template_that_does_not_start() {
    let workloads = r#"[{"name":"p","kind":"program","program":[["fork","c"],["barrier","b",2]]},
        {"name":"c","kind":"program","count":0,"program":[["run",{"uniform":[1000,50]}],["barrier","b"]]}]"#;
    let compiled = compile_for(&scenario(workloads), 0, &ENTRY).unwrap();
    assert_eq!(compiled.tasks[0].name, "c");
    assert!(compiled.config.tasks[0].start.is_none());
    assert_eq!(compiled.config.tasks[1].program[0], Op::Fork(0));
    assert_eq!(compiled.config.barriers, [2]);
    let Op::Run(amount) = compiled.config.tasks[0].program[0] else { panic!("run comes first") };
    assert_eq!(amount.value, Value::Const(1000));
}

#[test]
fn circles_of_groups_and_missing_parents_are_found() {
    let text = |groups: &str| {
        format!(
            r#"{{"v":1,"duration_ns":1,"machine":{{"cores":1}},"lanes":[{{"policy":"test"}}],"groups":{groups},"workloads":[]}}"#
        )
    };
    let circle = r#"[{"name":"a","parent":"b"},{"name":"b","parent":"a"}]"#;
    assert_eq!(faults(&text(circle))[0], "groups[0].parent: groups are nested deeper than 8, or in a circle");
    assert_eq!(faults(&text(r#"[{"name":"a","parent":"x"}]"#)), ["groups[0].parent: there is no group \"x\""]);
}

#[test]
fn policies_are_looked_up_by_whoever_knows_them() {
    let known = |key: &str| (key == "test").then_some(&ENTRY.info);
    let mut scenario = scenario("[]");
    scenario.lanes[0].tunables.insert("slice".into(), 500);
    scenario.lanes.push(schema::Lane::of("tset"));
    let problems = check_lanes(&scenario, &known, &["test"]).unwrap_err();
    assert_eq!(
        lines(&problems),
        ["lanes[0].tunables.slice: 500 is outside 1 to 100", "lanes[1].policy: \"tset\" is not a policy"]
    );
}

#[test]
fn every_kind_compiles_with_defaults_and_at_both_ends_of_its_ranges() {
    for kind in kinds::KINDS {
        for pick in [|r: (u64, u64, u64)| r.0, |r: (u64, u64, u64)| r.1, |r: (u64, u64, u64)| r.2] {
            let mut scenario = scenario("[]");
            let params = kind.params.iter().map(|param| (param.key.to_string(), pick(param.range))).collect();
            let program = if kind.key == "program" { vec![serde_json::json!(["run", 1])] } else { Vec::new() };
            scenario.workloads.push(schema::Workload {
                name: "w".into(),
                kind: kind.key.into(),
                count: 2,
                nice: 0,
                class: SchedClass::Normal,
                rt_priority: 0,
                group: String::new(),
                session: String::new(),
                cpus: Vec::new(),
                start_ns: 0,
                params,
                program,
            });
            let compiled = compile_for(&scenario, 0, &ENTRY).unwrap_or_else(|p| panic!("{}: {p:?}", kind.key));
            let workload = &scenario.workloads[0];
            let rows = (kind.rows)(&kinds::Args { workload, kind }) as usize;
            assert_eq!(compiled.tasks.len() % rows, 0, "{}: {} rows", kind.key, compiled.tasks.len());
            assert_eq!(compiled.tasks.iter().filter(|task| task.workload == 0).count(), compiled.tasks.len());
            let units = compiled.config.tasks.iter().map(|task| task.index).max().unwrap() as usize + 1;
            assert_eq!(compiled.tasks.len(), rows * units, "{}", kind.key);
            assert!(compiled.tasks.len() <= limits::TASKS_MAX as usize);
            for view in kinds::views() {
                assert!(view.params.iter().all(|p| p.min <= p.default && p.default <= p.max), "{}", view.key);
                assert!(view.count_default <= view.count_max && view.label.len() < 40, "{}", view.key);
            }
        }
    }
}

#[test]
fn percent_shares_that_cannot_be_are_named_with_everything_else() {
    static PERCENT: PolicyInfo = info("percent", Caps { percent_shares: true, ..CAPS });
    let text = r#"{"v":1,"duration_ns":10,"machine":{"cores":1},"lanes":[{"policy":"percent"}],
        "groups":[{"name":"a","shares":60},{"name":"b","shares":50},{"name":"c","parent":"a"},
                  {"name":"d","parent":"x","shares":0}],
        "workloads":[{"name":"w","kind":"hog","group":"y"}],
        "changes":[{"t":1,"group":"a","value":50},{"t":2,"group":"b","value":51}]}"#;
    let known = |key: &str| (key == "percent").then_some(&PERCENT);
    let problems = parse_with(text, &|scenario, p| validate::lanes(scenario, &known, &["percent"], p)).unwrap_err();
    assert_eq!(
        lines(&problems),
        [
            "groups[3].parent: there is no group \"x\"",
            "workloads[0].group: there is no group \"y\"",
            "groups[2].shares: 1024 is outside 0 to 100 percent",
            "groups[0].shares: \"a\" + \"b\" add up to 110 percent of the root; at most 100",
        ]
    );
    let mended =
        text.replace(r#""shares":60"#, r#""shares":50"#).replace(r#","parent":"a""#, r#","parent":"a","shares":7"#);
    let mended = mended.replace(r#""parent":"x","#, "").replace(r#","group":"y""#, "");
    let (_, warnings) = parse_with(&mended, &|scenario, p| validate::lanes(scenario, &known, &["percent"], p)).unwrap();
    assert_eq!(
        lines(&warnings),
        ["changes[1].value: 51 with the 50 of its siblings is over 100 percent; it has no effect"]
    );
}

#[test]
fn notes_and_changes_of_a_lane_survive_text_and_link() {
    let text = r#"{"v":1,"duration_ns":1000,"machine":{"cores":1},"lanes":[{"policy":"test"},
        {"policy":"test","tunables":{"slice":7},"changes":[{"t":9,"task":["s","nice"],"value":-5}]}],
        "workloads":[{"name":"s","kind":"sleeper"}],"notes":[{"t":5,"text":"here"}]}"#;
    let scenario = parse(text).unwrap().0;
    assert_eq!(parse(&to_json(&scenario)).unwrap(), (scenario.clone(), Vec::new()));
    let linked = link::decode(&link::encode(&scenario, &link::View::default())).unwrap().scenario;
    assert_eq!(linked.as_ref(), Some(&scenario));
    let of_lane = |lane| compile_for(&scenario, lane, &ENTRY).unwrap().changes;
    let reniced = Change::TaskNice { task: crate::units::TaskId(0), nice: -5 };
    assert_eq!((of_lane(0), of_lane(1)), (Vec::new(), vec![(9, reniced)]));
}

#[test]
fn faults_of_notes_and_of_changes_of_a_lane_are_named() {
    let long = "x".repeat(limits::NOTE_CHARS_MAX + 1);
    let text = format!(
        r#"{{"v":1,"duration_ns":1000,"machine":{{"cores":1}},"lanes":[{{"policy":"test","changes":[
        {{"t":1,"task":["s","class"],"value":1}},{{"t":1,"task":"s","value":1}},{{"t":1,"workload":["x","nice"],"value":1}},
        {{"t":1,"task":["s","nice"],"value":40}}]}}],
        "workloads":[{{"name":"s","kind":"sleeper"}}],"notes":[{{"t":-1,"text":"a"}},{{"t":1,"text":"{long}"}},{{"t":1}}]}}"#
    );
    assert_eq!(
        faults(&text),
        [
            "lanes[0].changes[1].task: should be a pair [\"name\", \"nice\"]",
            "notes[0].t: -1 is outside 0 to 3600000000000",
            "notes[1].text: is longer than 280 characters",
            "notes[2].text: is missing: a text",
            "lanes[0].changes[0].task[1]: \"class\" is not something of one task that can change",
            "lanes[0].changes[2].workload[0]: there is no workload \"x\"",
            "lanes[0].changes[3].value: 40 is outside -20 to 19",
        ]
    );
}

#[test]
fn sessions_become_groups_where_the_policy_has_them() {
    let text = r#"{"v":1,"duration_ns":1000000,"machine":{"cores":1},"lanes":[{"policy":"eevdf-6.12"},{"policy":"cfs-2.6.32"}],
        "groups":[{"name":"own"}],"workloads":[
        {"name":"a","kind":"hog","session":"tty1"},{"name":"b","kind":"hog","session":"tty2"},
        {"name":"c","kind":"hog","session":"tty1"},{"name":"d","kind":"hog","session":"tty1","group":"own"},
        {"name":"e","kind":"hog"}]}"#;
    let (scenario, _) = parse_for_run(text).expect("a valid scenario");
    let groups_of = |lane: usize| {
        let compiled = compile(&scenario, lane).expect("both lanes run");
        let of = |name: &str| {
            let task = compiled.config.tasks.iter().find(|task| &*task.name == name).expect("a task of that name");
            compiled.groups[task.group.index()].clone()
        };
        let warnings = compiled.warnings.iter().map(|warning| warning.path.clone()).collect::<Vec<String>>();
        (["a", "b", "c", "d", "e"].map(of), warnings)
    };
    let (groups, warnings) = groups_of(0);
    assert_eq!(groups, ["autogroup tty1", "autogroup tty2", "autogroup tty1", "own", "/"]);
    assert_eq!(warnings, ["workloads[3].session"], "a task of a group is not autogrouped");
    let (groups, warnings) = groups_of(1);
    assert_eq!(groups, ["/", "/", "/", "own", "/"]);
    assert_eq!(warnings, [0, 1, 2, 3].map(|index| format!("workloads[{index}].session")), "2.6.32 has no autogroup");
}
