//! Mends a document that cannot run: puts the value that a problem names into its field.

use super::text::place;
use crate::engine::protocol::Problem;

/// The document with the repairs of `problems`, everything else as it was; `None` where it is no JSON or nothing could
/// be put in its place.
pub fn repaired(text: &str, problems: &[Problem]) -> Option<String> {
    let named = problems.iter().filter_map(|problem| Some((place(text, &problem.path)?, problem.repair.as_deref()?)));
    let mut repairs: Vec<_> = named.collect();
    // From the back, so that places stay true.
    repairs.sort_by_key(|(place, _)| core::cmp::Reverse(place.start));
    let mut mended = text.to_string();
    let mut end = text.len() + 1;
    for (place, value) in &repairs {
        // A field in another one that is replaced, or named twice.
        if place.end < end {
            mended.replace_range(place.clone(), value);
            end = place.start;
        }
    }
    (!repairs.is_empty()).then_some(mended)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn a_document_with_its_repairs_can_be_read() {
        let text = r#"{"v":1,"title":"t","duration_ns":-5,"machine":{"cores":2,"hz":120},"lanes":[{"policy":"o1-2.6.21"}],
            "workloads":[{"name":"a","kind":"hogs","count":2,"nice":40,"cpus":[7]}]}"#;
        let problems = parse(text).expect_err("four fields are wrong");
        let mended = repaired(text, &problems).expect("all can be mended");
        // What can only be checked once the rest is right is mended in a second step.
        let mended = match parse(&mended) {
            Ok(_) => mended,
            Err(more) => repaired(&mended, &more).expect("the rest can be mended"),
        };
        let (scenario, _) = parse(&mended).expect("the mended document is a scenario");
        assert_eq!((scenario.machine.hz, scenario.workloads[0].nice, scenario.duration_ns), (100, 19, 1));
        assert_eq!((scenario.workloads[0].kind.as_str(), &scenario.workloads[0].cpus[..]), ("hog", &[1][..]));
    }

    #[test]
    fn paths_that_lead_nowhere_change_nothing() {
        let problem = |path: &str| Problem {
            path: path.into(),
            message: String::new(),
            hint: String::new(),
            repair: Some("1".into()),
        };
        for path in ["", "a[x]", "a[9]", "b.c", "a[0]]", "[0]"] {
            assert_eq!(repaired(r#"{"a":[]}"#, &[problem(path)]), None, "{path}");
        }
        assert_eq!(repaired("no JSON", &[problem("a")]), None);
        assert_eq!(repaired(r#"{"a":[[5]]}"#, &[problem("a[0][0]")]), Some(r#"{"a":[[1]]}"#.into()));
    }
}
