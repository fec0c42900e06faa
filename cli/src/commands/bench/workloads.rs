//! What the runs are made of.

use std::fmt::Write;

/// The workload of the events-per-second rows: 8 CPUs, 100 tasks that run, sleep and wake each other.
pub const MIXED: &str = r#"{"v":1,"title":"bench","seed":1,"duration_ns":4000000000,
    "machine":{"cores":8,"hz":1000},"lanes":[{"policy":"o1-2.6.21"}],
    "workloads":[
        {"name":"hog","kind":"hog","count":16},
        {"name":"sleeper","kind":"sleeper","count":44},
        {"name":"pair","kind":"lat-ctx","count":20}]}"#;

/// Simulated time of [`huge`], ms.
pub const HUGE_MS: u64 = 200;

/// The mix of [`MIXED`] in ten groups of ten tasks.
pub fn grouped() -> String {
    let (mut groups, mut workloads) = (String::new(), String::new());
    for group in 0..10 {
        let comma = if group == 0 { "" } else { "," };
        let _ = write!(groups, r#"{comma}{{"name":"g{group}"}}"#);
        let _ = write!(
            workloads,
            r#"{comma}{{"name":"hog {group}","kind":"hog","count":2,"group":"g{group}"}},
            {{"name":"sleeper {group}","kind":"sleeper","count":4,"group":"g{group}"}},
            {{"name":"pair {group}","kind":"lat-ctx","count":2,"group":"g{group}"}}"#
        );
    }
    document(4_000, 8, &groups, &workloads)
}

/// 256 CPUs, 10,000 tasks in a hundred groups inside ten others.
pub fn huge() -> String {
    let (mut groups, mut workloads) = (String::new(), String::new());
    for outer in 0..10 {
        let comma = if outer == 0 { "" } else { "," };
        let _ = write!(groups, r#"{comma}{{"name":"g{outer}"}}"#);
        for inner in 0..10 {
            let comma = if outer + inner == 0 { "" } else { "," };
            let _ = write!(groups, r#",{{"name":"g{outer}-{inner}","parent":"g{outer}"}}"#);
            let _ = write!(
                workloads,
                r#"{comma}{{"name":"hog {outer}-{inner}","kind":"hog","count":10,"group":"g{outer}-{inner}"}},
                {{"name":"sleeper {outer}-{inner}","kind":"sleeper","count":90,"group":"g{outer}-{inner}"}}"#
            );
        }
    }
    document(HUGE_MS, 256, &groups, &workloads)
}

fn document(ms: u64, cores: u16, groups: &str, workloads: &str) -> String {
    format!(
        r#"{{"v":1,"title":"bench","seed":1,"duration_ns":{ms}000000,"machine":{{"cores":{cores},"hz":1000}},
        "lanes":[{{"policy":"o1-2.6.21"}}],"groups":[{groups}],"workloads":[{workloads}]}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scenarios_are_valid_and_as_large_as_they_say() {
        for (text, tasks, groups) in [(grouped(), 100, 10), (huge(), 10_000, 110)] {
            let compiled = super::super::compile(&text, "eevdf-6.12").expect("a valid scenario");
            let starting =
                compiled.config.tasks.iter().filter(|task| {
                    task.start.is_some() && task.index < compiled.config.counts[usize::from(task.workload)]
                });
            assert_eq!(starting.count(), tasks);
            assert_eq!(compiled.config.groups.len(), groups + 1);
        }
    }
}
