//! Programs written in a scenario: JSON steps to a small tree, the tree to operations. `docs/link-format.md` lists the
//! steps. Channels, mutexes, barriers and marks are named; equal names mean the same thing in all workloads.

use super::builder::Builder;
use super::code::Code;
use super::limits::*;
use super::problems::{Problems, quote, suggest};
use super::read::{number, text, type_word};
use crate::task::program::{Amount, LOOP_DEPTH_MAX, Op, Spread, Value as Source};
use serde_json::Value;

/// One step.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// An operation without names.
    Plain(Op),
    /// `["wait", channel]`.
    Wait(String),
    /// `["signal", channel, units, "sync"]`.
    Signal(String, u32, bool),
    /// `["lock", mutex]`.
    Lock(String),
    /// `["unlock", mutex]`.
    Unlock(String),
    /// `["barrier", name, parties]`; without parties: all tasks whose program names it.
    Barrier(String, Option<u32>),
    /// `["fork", workload]`.
    Fork(String),
    /// `["mark", name]`.
    Mark(String),
    /// `["request", name]`.
    Request(String),
    /// `["loop", rounds, [steps]]`; 0 rounds = for ever.
    Loop(u64, Vec<Step>),
}

const WORDS: [&str; 19] = [
    "run", "sleep", "io", "period", "wait", "signal", "lock", "unlock", "barrier", "yield", "fork", "exit", "nice",
    "slice", "shares", "mark", "request", "await", "loop",
];

/// Reads steps; faults go to `p` with the path of the step.
pub(super) fn read(steps: &[Value], path: &str, p: &mut Problems) -> Vec<Step> {
    let mut left = PROGRAM_STEPS_MAX;
    read_body(steps, path, 0, &mut left, p)
}

fn read_body(steps: &[Value], path: &str, depth: usize, left: &mut usize, p: &mut Problems) -> Vec<Step> {
    let mut body = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        if *left == 0 {
            p.error(path, format!("the program has more than {PROGRAM_STEPS_MAX} steps"));
            return body;
        }
        *left -= 1;
        let path = format!("{path}[{index}]");
        match step {
            Value::Array(parts) => body.extend(read_step(parts, &path, depth, left, p)),
            other => {
                let hint = "Write a step as [\"run\", 1000000]";
                p.error_with_hint(path, format!("should be a list […], not {}", type_word(other)), hint);
            }
        }
    }
    body
}

fn read_step(parts: &[Value], path: &str, depth: usize, left: &mut usize, p: &mut Problems) -> Option<Step> {
    let Some(word) = parts.first().and_then(Value::as_str) else {
        p.error_with_hint(path, "does not begin with a step's word", format!("Known: {}", WORDS.join(", ")));
        return None;
    };
    let (least, most) = match word {
        "yield" | "exit" | "await" => (0, 0),
        "signal" => (1, 3),
        "barrier" => (1, 2),
        "loop" => (2, 2),
        word if WORDS.contains(&word) => (1, 1),
        word => {
            p.error_with_hint(path, format!("{} is not a step", quote(word)), suggest(word, &WORDS));
            return None;
        }
    };
    let given = parts.len() - 1;
    if given < least || given > most {
        let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        p.error(path, format!("\"{word}\" takes {wanted} arguments, not {given}"));
        return None;
    }
    let at = |index: usize| format!("{path}[{index}]");
    let name = |p: &mut Problems| text(&parts[1], &at(1), NAME_CHARS_MAX, p);
    let whole = |low: i128, high: i128, p: &mut Problems| number(&parts[1], &at(1), low, high, p);
    let longest = DURATION_NS_MAX.into();
    match word {
        "run" => amount(&parts[1], &at(1), 0, p).map(|amount| Step::Plain(Op::Run(amount))),
        "sleep" => amount(&parts[1], &at(1), 1, p).map(|amount| Step::Plain(Op::Sleep(amount))),
        "io" => amount(&parts[1], &at(1), 1, p).map(|amount| Step::Plain(Op::SleepUninterruptible(amount))),
        "period" => whole(1_000, longest, p).map(|ns| Step::Plain(Op::SleepUntilPeriod(Amount::fixed(ns as u64)))),
        "wait" => name(p).map(Step::Wait),
        "signal" => read_signal(parts, path, p),
        "lock" => name(p).map(Step::Lock),
        "unlock" => name(p).map(Step::Unlock),
        "barrier" => {
            let most = BARRIER_PARTIES_MAX.into();
            let parties = parts.get(2).map(|value| number(value, &at(2), 1, most, p));
            if parties == Some(None) {
                return None;
            }
            name(p).map(|name| Step::Barrier(name, parties.flatten().map(|parties| parties as u32)))
        }
        "yield" => Some(Step::Plain(Op::Yield)),
        "fork" => name(p).map(Step::Fork),
        "exit" => Some(Step::Plain(Op::Exit)),
        "nice" => whole(-20, 19, p).map(|nice| Step::Plain(Op::SetNice(nice as i8))),
        "slice" => whole(100_000, 100_000_000, p).map(|ns| Step::Plain(Op::SetSlice(ns as u64))),
        "shares" => whole(1, SHARES_MAX.into(), p).map(|shares| Step::Plain(Op::SetShares(shares as u64))),
        "mark" => name(p).map(Step::Mark),
        "request" => name(p).map(Step::Request),
        "await" => Some(Step::Plain(Op::RequestOnWake)),
        _ => read_loop(parts, path, depth, left, p),
    }
}

fn read_signal(parts: &[Value], path: &str, p: &mut Problems) -> Option<Step> {
    let name = text(&parts[1], &format!("{path}[1]"), NAME_CHARS_MAX, p)?;
    let (mut units, mut sync) = (1, false);
    for (index, part) in parts.iter().enumerate().skip(2) {
        let path = format!("{path}[{index}]");
        if part.as_str() == Some("sync") {
            sync = true;
        } else {
            units = number(part, &path, 1, SIGNAL_UNITS_MAX.into(), p)? as u32;
        }
    }
    Some(Step::Signal(name, units, sync))
}

fn read_loop(parts: &[Value], path: &str, depth: usize, left: &mut usize, p: &mut Problems) -> Option<Step> {
    if depth == LOOP_DEPTH_MAX {
        p.error(path, format!("loops are nested deeper than {LOOP_DEPTH_MAX}"));
        return None;
    }
    let rounds = number(&parts[1], &format!("{path}[1]"), 0, LOOP_ROUNDS_MAX.into(), p);
    let path_body = format!("{path}[2]");
    let Value::Array(steps) = &parts[2] else {
        p.error(path_body, format!("should be a list of steps […], not {}", type_word(&parts[2])));
        return None;
    };
    let body = read_body(steps, &path_body, depth + 1, left, p);
    let rounds = rounds? as u64;
    if steps.is_empty() {
        p.error_with_hint(path, "the loop is empty", "Put at least one step into it");
        return None;
    }
    if rounds == 0 && body.len() == steps.len() && !body.iter().any(may_take_time) {
        let hint = "Put a run, sleep, wait or barrier into it";
        p.error_with_hint(path, "an endless loop that uses no time would never let the clock go on", hint);
        return None;
    }
    Some(Step::Loop(rounds, body))
}

/// Whether time can pass in the step, or the program ends there. A wait whose channel is never empty takes none: the
/// machine finds that while it runs and stops with the task's name.
fn may_take_time(step: &Step) -> bool {
    let positive = |amount: &Amount| amount.value != Source::Const(0);
    match step {
        Step::Plain(Op::Run(amount)) => positive(amount),
        Step::Plain(Op::Sleep(_) | Op::SleepUninterruptible(_) | Op::SleepUntilPeriod(_) | Op::Exit) => true,
        Step::Wait(_) | Step::Lock(_) | Step::Barrier(..) => true,
        Step::Loop(_, body) => body.iter().any(may_take_time),
        Step::Plain(_) | Step::Signal(..) | Step::Unlock(_) | Step::Fork(_) | Step::Mark(_) | Step::Request(_) => false,
    }
}

/// `ns`, `{"uniform": [ns, percent]}` or `{"exp": ns}`.
fn amount(value: &Value, path: &str, least: u64, p: &mut Problems) -> Option<Amount> {
    let (low, high) = (i128::from(least), i128::from(DURATION_NS_MAX));
    let Value::Object(map) = value else {
        return number(value, path, low, high, p).map(|ns| Amount::fixed(ns as u64));
    };
    let only = if map.len() == 1 { map.iter().next() } else { None };
    match only {
        Some((key, mean)) if key == "exp" => {
            let ns = number(mean, &format!("{path}.exp"), 1, high, p)?;
            Some(Amount { value: Source::Const(ns as u64), spread: Spread::Exponential })
        }
        Some((key, Value::Array(pair))) if key == "uniform" && pair.len() == 2 => {
            let ns = number(&pair[0], &format!("{path}.uniform[0]"), low, high, p);
            let percent = number(&pair[1], &format!("{path}.uniform[1]"), 0, 100, p);
            Some(Amount { value: Source::Const(ns? as u64), spread: Spread::Uniform(percent? as u8) })
        }
        _ => {
            let hint = "Write a time in ns, {\"uniform\": [ns, percent]} or {\"exp\": mean}";
            p.error_with_hint(path, "is not an amount of time", hint);
            None
        }
    }
}

/// Calls `visit` for every step, nested ones included.
pub(super) fn walk(steps: &[Step], visit: &mut dyn FnMut(&Step)) {
    for step in steps {
        visit(step);
        if let Step::Loop(_, body) = step {
            walk(body, visit);
        }
    }
}

/// Writes a program that was read without faults.
pub(super) fn write(steps: &[Step], builder: &mut Builder<'_>) -> Code {
    let mut code = Code::new();
    write_body(steps, builder, &mut code);
    code
}

fn write_body(steps: &[Step], builder: &mut Builder<'_>, code: &mut Code) {
    for step in steps {
        match step {
            Step::Plain(op) => code.op(*op),
            Step::Wait(name) => code.wait(builder.named_channel(name)),
            Step::Signal(name, count, sync) => {
                code.op(Op::Signal { channel: builder.named_channel(name), count: *count, sync: *sync })
            }
            Step::Lock(name) => code.op(Op::Lock(builder.named_mutex(name))),
            Step::Unlock(name) => code.op(Op::Unlock(builder.named_mutex(name))),
            Step::Barrier(name, _) => code.op(Op::Barrier(builder.named_barrier(name))),
            Step::Fork(name) => match builder.child(name) {
                Some(template) => code.op(Op::Fork(template)),
                None => code,
            },
            Step::Mark(name) => code.op(Op::Mark(builder.mark(name))),
            Step::Request(name) => code.op(Op::MarkStart(builder.mark(name))),
            Step::Loop(rounds, body) => code.repeat(Source::Const(*rounds), |code| write_body(body, builder, code)),
        };
    }
}
