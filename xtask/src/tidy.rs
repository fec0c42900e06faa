//! Source rules that a compiler does not check (style part 2 and 3): who may import whom, how long a file may be, what
//! must not stand in shipped code. Each finding says what to do instead.

use crate::proc::{self, Outcome};
use crate::sources::{self, Source};
use std::process::ExitCode;

/// Longest file without a reason below.
const LINES_MAX: usize = 700;

/// Longer files, each with the reason why it is one piece.
const LONG_FILES: &[(&str, &str)] = &[];

/// What a policy may name of the core. `policies` itself is checked apart: only the own family.
const POLICY_MAY_NAME: &[&str] =
    &["policy", "kernel", "queues", "reason", "inspect", "units", "machine", "task", "digest"];

/// Folder, modules that it must not name, and why.
const FORBIDDEN: &[(&str, &[&str], &str)] = &[
    ("sim-core/src/kernel/", &["policies", "engine", "scenario"], "the kernel knows policies by their contract only"),
    ("sim-core/src/clock/", &["policies", "kernel", "engine", "scenario"], "the clock stands below everything"),
    ("sim-core/src/machine/", &["policies", "kernel", "engine", "scenario"], "the machine stands below the kernel"),
    ("sim-core/src/queues/", &["policies", "engine", "scenario"], "shared queues stand below the policies"),
    ("sim-core/src/trace/", &["policies", "engine", "scenario"], "the trace stores what it is told"),
    ("sim-core/src/metrics/", &["policies", "engine", "scenario"], "metrics count what they are told"),
    ("sim-core/src/scenario/", &["engine", "policies"], "a scenario knows policies by key; the engine resolves it"),
    ("src/views/", &["bridge"], "views ask the store; the store asks the bridge"),
    ("src/paint/", &["bridge", "store", "views"], "paint draws what it is given"),
    ("src/bridge/", &["views", "paint", "store"], "the bridge carries questions and answers only"),
];

/// File and module excused from the table above, with the reason.
const EXCUSED: &[(&str, &str, &str)] = &[
    ("sim-core/src/scenario/golden.rs", "policies", "replays a recorded schedule: it builds the simulation itself"),
    ("sim-core/src/scenario/compile.rs", "policies", "makes the machine of one lane: the key is resolved here"),
];

/// Plain data that every part may speak.
const SHARED: &[&str] = &["engine", "protocol"];

/// Words that must not be in shipped code, and what to write instead.
const BANNED: &[(&str, &str)] = &[
    (".unwrap()", "say why it holds with expect, or handle it"),
    ("todo!(", "finish it or leave it out"),
    ("unimplemented!(", "finish it or leave it out"),
    ("dbg!(", "take the debugging print out"),
];

/// `cargo xtask tidy`.
pub fn command() -> Outcome<ExitCode> {
    let findings = check()?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("{} findings", findings.len());
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All findings in the repository, as `path: sentence`.
pub fn check() -> Outcome<Vec<String>> {
    let sources = sources::read_all(&["sim-core", "cli", "src", "xtask", "tests", "fuzz"])?;
    let keys = policy_keys(&sources);
    let mut findings: Vec<String> = sources.iter().flat_map(|source| check_source(source, &keys)).collect();
    findings.extend(check_policy_folders(&sources)?);
    findings.extend(check_long_list(&sources));
    Ok(findings)
}

fn check_source(source: &Source, keys: &[String]) -> Vec<String> {
    let mut findings = Vec::new();
    findings.extend(check_length(source));
    findings.extend(check_imports(source));
    findings.extend(check_policy_imports(source));
    findings.extend(check_words(source));
    findings.extend(check_keys(source, keys));
    findings
}

fn check_length(source: &Source) -> Option<String> {
    let excused = LONG_FILES.iter().any(|(path, _)| *path == source.path);
    (source.lines > LINES_MAX && !excused)
        .then(|| format!("{}: {} lines; split it by concept (limit {LINES_MAX})", source.path, source.lines))
}

fn check_imports(source: &Source) -> Vec<String> {
    let mut findings = Vec::new();
    for (_, forbidden, why) in FORBIDDEN.iter().filter(|(folder, ..)| source.path.starts_with(folder)) {
        for path in named(source) {
            let first = path.first().map_or("", String::as_str);
            let excused = EXCUSED.iter().any(|(file, module, _)| *file == source.path && *module == first);
            if forbidden.contains(&first)
                && !excused
                && !path.iter().map(String::as_str).take(2).eq(SHARED.iter().copied())
            {
                findings.push(format!("{}: names {}; {why}", source.path, path.join("::")));
            }
        }
    }
    findings
}

fn check_policy_imports(source: &Source) -> Vec<String> {
    let Some(family) = policy_family(&source.path) else { return Vec::new() };
    let allowed = |path: &[String]| match path {
        [first, second, ..] if first == "policies" => second == family,
        [first, ..] => POLICY_MAY_NAME.contains(&first.as_str()) || first.starts_with(char::is_uppercase),
        [] => true,
    };
    let wrong = named(source).into_iter().filter(|path| !allowed(path));
    let message = |path: Vec<String>| {
        format!(
            "{}: names {}; a policy may name only {POLICY_MAY_NAME:?} and its own folder",
            source.path,
            path.join("::")
        )
    };
    wrong.map(message).collect()
}

/// `sim-core/src/policies/o1/rq.rs` -> `o1`; none for files directly in `policies`.
fn policy_family(path: &str) -> Option<&str> {
    path.strip_prefix("sim-core/src/policies/")?.split_once('/').map(|(family, _)| family)
}

/// Modules that the file names, from its crate's root.
fn named(source: &Source) -> Vec<Vec<String>> {
    let below = source.path.split_once("src/").map_or("", |(_, below)| below).trim_end_matches(".rs");
    let mut module: Vec<&str> = below.split('/').collect();
    if module.last().is_some_and(|last| *last == "mod" || *last == "lib") {
        module.pop();
    }
    sources::named_modules(&source.code, &module)
}

fn check_words(source: &Source) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in source.code.lines().enumerate() {
        for (word, instead) in BANNED.iter().filter(|(word, _)| line.contains(word)) {
            findings.push(format!("{}:{}: `{word}`: {instead}", source.path, number + 1));
        }
    }
    findings
}

/// The page knows policies only by what the engine tells it. Texts of lessons may name them.
fn check_keys(source: &Source, keys: &[String]) -> Vec<String> {
    if !source.path.starts_with("src/") || source.path.contains("lessons") {
        return Vec::new();
    }
    let named = source.strings.iter().filter(|(_, text)| keys.contains(text));
    let message = |(line, key): &(usize, String)| {
        format!("{}:{line}: policy key \"{key}\" in the page; ask the engine for the list of policies", source.path)
    };
    named.map(message).collect()
}

/// String literals of the policies' folders that follow `key:` or `KEY: &'static str =`.
fn policy_keys(sources: &[Source]) -> Vec<String> {
    let mut keys = Vec::new();
    for source in sources.iter().filter(|source| policy_family(&source.path).is_some()) {
        let lines: Vec<&str> = source.code.lines().collect();
        for (number, text) in &source.strings {
            let line = lines.get(number - 1).copied().unwrap_or_default();
            let looks_like_key = text.contains('-') && !text.contains(' ') && text.is_ascii();
            if looks_like_key && (line.contains("key:") || line.contains("KEY")) && !line.contains("TunableSpec") {
                keys.push(text.clone());
            }
        }
    }
    keys.sort();
    keys.dedup();
    keys
}

/// Every folder of policies is registered once and has its page in docs/policies.
fn check_policy_folders(sources: &[Source]) -> Outcome<Vec<String>> {
    let mut families: Vec<&str> = sources.iter().filter_map(|source| policy_family(&source.path)).collect();
    families.sort_unstable();
    families.dedup();
    // Compiled for tests only; `new-policy` copies it.
    families.retain(|family| *family != "template");
    let registry = std::fs::read_to_string(proc::root().join("sim-core/src/policies/mod.rs"))
        .map_err(|error| format!("sim-core/src/policies/mod.rs: {error}"))?;
    let mut findings = Vec::new();
    for family in families {
        let modules = registry
            .lines()
            .filter(|line| {
                line.trim_end() == format!("pub mod {family};") || line.trim_end() == format!("mod {family};")
            })
            .count();
        if modules != 1 {
            findings
                .push(format!("sim-core/src/policies/mod.rs: folder {family} is declared {modules} times, not once"));
        }
        if !proc::root().join(format!("docs/policies/{family}.md")).is_file() {
            findings.push(format!(
                "docs/policies/{family}.md: missing; say what is modelled, what is not, and the sources"
            ));
        }
    }
    Ok(findings)
}

/// An excuse for a file that is short again, or gone, goes away.
fn check_long_list(sources: &[Source]) -> Vec<String> {
    let still_long = |path: &str| sources.iter().any(|source| source.path == path && source.lines > LINES_MAX);
    let stale = LONG_FILES.iter().filter(|(path, _)| !still_long(path));
    stale.map(|(path, _)| format!("xtask/src/tidy.rs: {path} is in LONG_FILES but is no longer long")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        check_source(&sources::source(path, text), &["o1-2.6.21".to_string()])
    }

    #[test]
    fn a_policy_may_not_reach_past_its_contract() {
        let path = "sim-core/src/policies/o1/pick.rs";
        assert!(findings(path, "use crate::{kernel::Kernel, units::Nanos}; use super::rq::Rq;").is_empty());
        assert_eq!(findings(path, "use crate::trace::Lane;").len(), 1);
        assert_eq!(findings(path, "use crate::policies::cfs::Rq;").len(), 1);
        assert_eq!(findings(path, "use super::super::cfs::Rq;").len(), 1);
        assert_eq!(findings(path, "fn f(s: &crate::scenario::schema::Scenario) {}").len(), 1);
    }

    #[test]
    fn lower_parts_do_not_name_higher_ones() {
        assert_eq!(findings("sim-core/src/kernel/sim.rs", "use crate::policies::all;").len(), 1);
        assert_eq!(findings("src/views/timeline/mod.rs", "use crate::bridge::client::Client;").len(), 1);
        assert!(findings("src/store/scenario.rs", "use crate::bridge::client::Client;").is_empty());
    }

    #[test]
    fn a_policy_key_in_the_page_is_found() {
        assert_eq!(findings("src/views/header.rs", "let p = \"o1-2.6.21\";").len(), 1);
        assert!(findings("src/views/header.rs", "// o1-2.6.21\nlet p = \"O(1) 2.6.21\";").is_empty());
        assert!(findings("cli/src/main.rs", "let p = \"o1-2.6.21\";").is_empty());
    }

    #[test]
    fn long_files_and_shortcuts_are_found_but_not_in_tests() {
        assert_eq!(findings("cli/src/run.rs", &"\n".repeat(701)).len(), 1);
        assert_eq!(findings("cli/src/run.rs", "fn f() { x.unwrap(); todo!() }").len(), 2);
        assert!(findings("cli/src/run.rs", "#[cfg(test)]\nmod tests { fn f() { x.unwrap() } }").is_empty());
        assert!(findings("cli/tests/run.rs", "fn f() { x.unwrap() }").is_empty());
    }
}
