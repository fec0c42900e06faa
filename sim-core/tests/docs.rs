//! The published schema and the tables of `docs/link-format.md` are written from the program's own tables, so that they
//! cannot drift apart. `UPDATE_GOLDEN=1` writes them anew.

mod support;

use serde_json::{Value, json};
use sim_core::machine::profile;
use sim_core::scenario::{builtins, catalogue, limits, to_json};
use std::fmt::Write;
use support::{agrees, docs, list, number, object, text};

/// A workload of one kind: its parameters and its largest count.
fn kind_rule(kind: &sim_core::engine::protocol::KindView) -> Value {
    let params: serde_json::Map<String, Value> =
        kind.params.iter().map(|p| (p.key.clone(), number(p.min, p.max, &p.label))).collect();
    let mut then = json!({"properties": {"count": {"maximum": kind.count_max}, "params": {"properties": params}}});
    if kind.key == "program" {
        then["required"] = json!(["program"]);
    }
    json!({"if": {"properties": {"kind": {"const": kind.key}}}, "then": then})
}

fn schema() -> Value {
    let catalogue = catalogue();
    let kinds: Vec<&str> = catalogue.kinds.iter().map(|kind| kind.key.as_str()).collect();
    let rules: Vec<Value> = catalogue.kinds.iter().map(kind_rule).collect();
    let duration = || number(0, limits::DURATION_NS_MAX, "ns");
    let name = || text(limits::NAME_CHARS_MAX, "name");
    let classes = ["normal", "batch", "idle", "iso", "fifo", "rr"];
    let machine = object(
        &["cores"],
        json!({
            "cores": number(1, limits::CPUS_MAX, "cores in all"),
            "packages": number(1, limits::CPUS_MAX, "packages; the cores are divided evenly among them"),
            "threads": number(1, 8, "SMT threads per core"),
            "numa": {"type": "boolean", "description": "packages are NUMA nodes"},
            "hz": {"enum": limits::HZ_VALUES, "description": "ticks per second, 1000 if left out"},
            "tick_skew": {"type": "boolean", "description": "CPUs tick one after the other"},
            "profile": {"enum": profile::keys(), "description": "prices and caches, ideal if left out"},
        }),
    );
    let numbers = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    let group = object(
        &["name"],
        json!({
            "name": name(),
            "parent": text(limits::NAME_CHARS_MAX, "parent group; empty: the root"),
            "shares": number(0, limits::SHARES_MAX, "1024 = one task of nice 0; percent of the parent (0 to 100) for policies with classes"),
            "quota_ns": number(0, limits::DURATION_NS_MAX, "quota per period; 0: no limit"),
            "period_ns": number(limits::PERIOD_NS_MIN, limits::PERIOD_NS_MAX, "period of the quota"),
            "burst_ns": duration(),
        }),
    );
    let mut workload = object(
        &["name", "kind"],
        json!({
            "name": name(),
            "kind": {"enum": kinds},
            "count": number(0, limits::TASKS_MAX, "number of tasks, rings, rooms, clients: the kind says; 1 if left out"),
            "nice": number(-20, 19, "nice level"),
            "class": {"enum": classes},
            "rt_priority": number(0, 99, "priority of classes fifo and rr"),
            "group": text(limits::NAME_CHARS_MAX, "group; empty: the root"),
            "session": text(limits::NAME_CHARS_MAX, "session for autogroup; empty: none"),
            "cpus": list(number(0, limits::CPUS_MAX - 1, "CPU"), limits::CPUS_MAX as usize, "allowed CPUs; empty: all"),
            "start_ns": duration(),
            "params": numbers,
            "program": {"$ref": "#/$defs/steps"},
        }),
    );
    workload["allOf"] = json!(rules);
    let pair = || json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}], "minItems": 2, "maxItems": 2});
    let change = object(
        &["t", "value"],
        json!({
            "t": duration(),
            "value": {"type": "integer"},
            "workload": pair(),
            "task": pair(),
            "group": {"type": "string"},
            "tunable": {"type": "string"},
        }),
    );
    let lane = object(
        &["policy"],
        json!({
            "policy": text(limits::KEY_CHARS_MAX, "policy key"),
            "tunables": numbers,
            "changes": list(change.clone(), limits::LANE_CHANGES_MAX, "changes that this lane alone meets"),
        }),
    );
    let note = object(&["t", "text"], json!({"t": duration(), "text": text(limits::NOTE_CHARS_MAX, "the words")}));
    let mut schema = object(
        &["v", "duration_ns", "machine", "lanes"],
        json!({
            "v": {"const": 1, "description": "version of the format"},
            "title": text(limits::TITLE_CHARS_MAX, "title"),
            "seed": number(0, u64::MAX, "seed of all random draws"),
            "duration_ns": number(1, limits::DURATION_NS_MAX, "length of the run"),
            "machine": machine,
            "lanes": list(lane, limits::LANES_MAX, "policies side by side"),
            "groups": list(group, limits::GROUPS_MAX, "task groups"),
            "workloads": list(workload, limits::WORKLOADS_MAX, "workloads"),
            "changes": list(change, limits::CHANGES_MAX, "sliders moved while it runs"),
            "notes": list(note, limits::NOTES_MAX, "words at moments of the run"),
        }),
    );
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Schedscope scenario, version 1");
    schema["$defs"] = json!({
        "steps": {
            "type": "array",
            "maxItems": limits::PROGRAM_STEPS_MAX,
            "description": "steps of kind program; docs/link-format.md lists them",
            "items": {"type": "array", "minItems": 1, "prefixItems": [{"type": "string"}]},
        }
    });
    schema
}

#[test]
fn the_published_schema_is_the_programs_own() {
    let schema = schema();
    agrees("scenario.schema.json", &format!("{}\n", serde_json::to_string_pretty(&schema).unwrap()));
    // A field of the document that the schema does not know would be a field that nobody documents.
    for builtin in builtins::BUILTINS {
        let document: Value = serde_json::from_str(&to_json(&builtin.scenario())).unwrap();
        known(&document, &schema);
        for workload in document["workloads"].as_array().unwrap() {
            known(workload, &schema["properties"]["workloads"]["items"]);
        }
    }
}

fn known(document: &Value, schema: &Value) {
    for key in document.as_object().unwrap().keys() {
        assert!(schema["properties"].get(key).is_some(), "{key} is not in the schema");
    }
}

fn kinds_table() -> String {
    let mut text = String::from("| kind | what it is | parameters (range, default; * = live) |\n|---|---|---|\n");
    for kind in catalogue().kinds {
        let params: Vec<String> = kind
            .params
            .iter()
            .map(|p| {
                let live = if p.live { "*" } else { "" };
                format!("`{}`{live} {} ({}..={}, {})", p.key, p.unit, p.min, p.max, p.default)
            })
            .collect();
        writeln!(text, "| `{}` | {}, at most {} | {} |", kind.key, kind.help, kind.count_max, params.join("; "))
            .unwrap();
    }
    text
}

fn profiles_table() -> String {
    let mut text = String::from("| key | machine | as it stood |\n|---|---|---|\n");
    for profile in profile::all() {
        writeln!(text, "| `{}` | {} | {} |", profile.key, profile.label, profile.help).unwrap();
    }
    text
}

fn limits_table() -> String {
    let rows = [
        ("document, bytes", limits::TEXT_BYTES_MAX as u64),
        ("nesting of brackets", limits::NESTING_MAX.into()),
        ("length of the run, ns", limits::DURATION_NS_MAX),
        ("lanes", limits::LANES_MAX as u64),
        ("CPUs", limits::CPUS_MAX.into()),
        ("groups", limits::GROUPS_MAX as u64),
        ("nesting of groups", limits::GROUP_DEPTH_MAX as u64),
        ("workloads", limits::WORKLOADS_MAX as u64),
        ("tasks in all", limits::TASKS_MAX),
        ("changes", limits::CHANGES_MAX as u64),
        ("changes of one lane", limits::LANE_CHANGES_MAX as u64),
        ("notes", limits::NOTES_MAX as u64),
        ("characters of a note", limits::NOTE_CHARS_MAX as u64),
        ("characters of a name", limits::NAME_CHARS_MAX as u64),
        ("steps of a program", limits::PROGRAM_STEPS_MAX as u64),
        ("link, bytes read", limits::LINK_BYTES_MAX as u64),
        ("link, characters offered", limits::LINK_CHARS_SHARED_MAX as u64),
    ];
    let mut text = String::from("| what | at most |\n|---|---|\n");
    for (what, most) in rows {
        writeln!(text, "| {what} | {most} |").unwrap();
    }
    text
}

#[test]
fn the_tables_of_the_link_format_are_up_to_date() {
    let mut text = std::fs::read_to_string(docs("link-format.md")).unwrap();
    for (name, table) in [("kinds", kinds_table()), ("profiles", profiles_table()), ("limits", limits_table())] {
        let begin = format!("<!-- {name}: written by sim-core/tests/docs.rs -->\n");
        let end = format!("<!-- end of {name} -->");
        let (before, rest) = text.split_once(&begin).expect("the page has the table's first line");
        let (_, after) = rest.split_once(&end).expect("the page has the table's last line");
        text = format!("{before}{begin}{table}{end}{after}");
    }
    agrees("link-format.md", &text);
}

#[test]
fn the_example_of_the_link_format_is_a_scenario_without_warnings() {
    let page = std::fs::read_to_string(docs("link-format.md")).unwrap();
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it has an example");
    let (scenario, warnings) = sim_core::scenario::parse(example).unwrap();
    assert_eq!((scenario.workloads.len(), warnings), (2, Vec::new()));
}
