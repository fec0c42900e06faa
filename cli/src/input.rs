//! What a command runs: a scenario file, a link, or the key of a built-in.

use sim_core::engine::lane::{Lane, LaneSpec};
use sim_core::engine::protocol::Problem;
use sim_core::scenario::schema::Scenario;
use sim_core::scenario::{self, builtins, link, settings};
use std::io::IsTerminal;
use std::path::Path;
use std::time::Instant;

/// Problems as text, one per line.
pub fn sentences(problems: &[Problem]) -> String {
    let line = |problem: &Problem| {
        let place = if problem.path.is_empty() { String::new() } else { format!("{}: ", problem.path) };
        let hint = if problem.hint.is_empty() { String::new() } else { format!(" ({})", problem.hint) };
        format!("{place}{}{hint}", problem.message)
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n  ")
}

/// Reads a scenario: a file, `-` for standard input, a link, or a built-in's key. Warnings go to stderr.
pub fn scenario(source: &str) -> Result<Scenario, String> {
    let (scenario, warnings) = if let Some(builtin) = builtins::find(source) {
        (builtin.scenario(), Vec::new())
    } else if source.contains('#') || source.starts_with("v=") || source.starts_with("ex=") {
        let link = link::decode(source).map_err(|problems| format!("the link: {}", sentences(&problems)))?;
        (link.scenario.ok_or("the link holds no scenario")?, link.warnings)
    } else {
        let text = if source == "-" {
            std::io::read_to_string(std::io::stdin()).map_err(|error| format!("standard input: {error}"))?
        } else if Path::new(source).exists() {
            std::fs::read_to_string(source).map_err(|error| format!("{source}: {error}"))?
        } else {
            let keys: Vec<&str> = builtins::BUILTINS.iter().map(|builtin| builtin.key).collect();
            return Err(format!("{source} is no file, no link and no built-in ({})", keys.join(", ")));
        };
        scenario::parse_for_run(&text).map_err(|problems| format!("{source}:\n  {}", sentences(&problems)))?
    };
    for warning in &warnings {
        eprintln!("warning: {}", sentences(std::slice::from_ref(warning)));
    }
    Ok(scenario)
}

/// Reads a duration such as `250ms`, `1.5s`, `20us` or plain nanoseconds.
pub fn duration(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let scale: u64 = match unit {
        "" | "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return Err(format!("{text}: the unit must be ns, us, ms or s")),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let bad = || format!("{text} is not a duration such as 250ms or 1.5s");
    let digits = |part: &str| if part.is_empty() { Ok(0) } else { part.parse::<u64>().map_err(|_| bad()) };
    if number.is_empty() || fraction.len() > 9 {
        return Err(bad());
    }
    let part = digits(fraction)? * scale / 10u64.pow(fraction.len() as u32);
    digits(whole)?.checked_mul(scale).and_then(|ns| ns.checked_add(part)).ok_or_else(bad)
}

/// A scenario that ends after `length`, if one is given.
pub fn until(mut scenario: Scenario, length: Option<&str>) -> Result<Scenario, String> {
    if let Some(length) = length {
        scenario.duration_ns = duration(length)?;
        scenario.changes.retain(|change| change.t < scenario.duration_ns);
    }
    Ok(scenario)
}

/// A scenario with other lanes: `policies` replaces them, keeping tunables of a policy that stays.
pub fn with_policies(mut scenario: Scenario, policies: &[String]) -> Scenario {
    settings::set_policies(&mut scenario, policies);
    scenario
}

/// Runs one lane to its end, with progress on stderr when that is a terminal and it takes more than a second.
pub fn finish(scenario: &Scenario, lane: usize) -> Result<(Lane, scenario::Compiled), String> {
    let compiled = scenario::compile(scenario, lane).map_err(|problems| sentences(&problems))?;
    for warning in &compiled.warnings {
        eprintln!("warning: {}", sentences(std::slice::from_ref(warning)));
    }
    let mut run = Lane::new(LaneSpec::from(&compiled));
    let terminal = std::io::stderr().is_terminal();
    let started = Instant::now();
    while run.work(1 << 20) {
        if terminal && started.elapsed().as_millis() > 1000 {
            let percent = u128::from(run.front()) * 100 / u128::from(run.duration().max(1));
            eprint!("\r{}: {percent} % simulated, {} events ", compiled.entry.info.key, run.events());
        }
    }
    if terminal && started.elapsed().as_millis() > 1000 {
        eprint!("\r\x1b[K");
    }
    if let Some(sentence) = run.stop_sentence() {
        return Err(sentence);
    }
    Ok((run, compiled))
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_have_units_and_decimals() {
        assert_eq!(duration("250ms"), Ok(250_000_000));
        assert_eq!(duration("1.5s"), Ok(1_500_000_000));
        assert_eq!(duration("20us"), Ok(20_000));
        assert_eq!(duration("7"), Ok(7));
        assert!(duration("12 parsecs").is_err());
        assert!(duration("").is_err());
        assert!(duration("99999999999s").is_err());
    }
}
