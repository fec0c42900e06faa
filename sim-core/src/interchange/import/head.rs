//! Lines of ftrace, trace-cmd and perf text: who printed, where, when, which event.

use super::payload::{self, What};
use super::{Notes, refused};
use crate::engine::protocol::Problem;

/// Longest line that is looked at, bytes.
const LINE_BYTES_MAX: usize = 4096;

/// One event. Times are ns as in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// When.
    pub t: i64,
    /// On which CPU it was printed.
    pub cpu: u16,
    /// Thread that ran there, by the head of the line.
    pub tid: u32,
    /// Printed in an interrupt.
    pub in_interrupt: bool,
    /// What.
    pub what: What,
}

/// All events of a file in order of time, and what the headings said.
#[derive(Default)]
pub struct Events {
    /// Events.
    pub list: Vec<Event>,
    /// Number of CPUs by the headings.
    pub cpus: Option<u16>,
    /// Latest time of any line, also of events that say nothing about scheduling.
    pub end: Option<i64>,
}

/// The parts of a line.
struct Parts<'l> {
    tid: u32,
    cpu: Option<u16>,
    in_interrupt: bool,
    t: i64,
    event: &'l str,
    payload: &'l str,
}

/// `12.000345` as ns; digits only, so that nothing is rounded.
fn time(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(seconds) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let ns = format!("{fraction:0<9}").parse::<i64>().ok()?;
    seconds.parse::<i64>().ok()?.checked_mul(1_000_000_000)?.checked_add(ns)
}

/// Splits `[002]`.
fn bracketed(word: &str) -> Option<u16> {
    word.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Characters of the flags column.
fn is_flags(word: &str) -> bool {
    (2..=8).contains(&word.len())
        && word.bytes().all(|byte| b".dDbXnNpLlBhHszZs".contains(&byte) || byte.is_ascii_hexdigit())
}

/// The rest of a line after `tid`: optional `(tgid)`, `[cpu]` or a latency column, optional flags, time and event.
fn tail(tid: u32, rest: &str) -> Option<Parts<'_>> {
    let mut parts = Parts { tid, cpu: None, in_interrupt: false, t: 0, event: "", payload: "" };
    let mut rest = rest.trim_start();
    if rest.starts_with('(') {
        rest = rest.split_once(')')?.1.trim_start();
    }
    for _ in 0..4 {
        let (word, after) = rest.split_once([' ', '\t'])?;
        if let Some(t) = word.strip_suffix(':').and_then(time) {
            parts.t = t;
            return event(parts, after.trim_start());
        }
        if let Some(t) = time(word).filter(|_| after.trim_start().starts_with("(+")) {
            parts.t = t;
            return event(parts, after.split_once("): ").map(|(_, after)| after)?);
        }
        if let Some(cpu) = bracketed(word) {
            parts.cpu = Some(cpu);
        } else if parts.cpu.is_some() && is_flags(word) {
            parts.in_interrupt = flags_in_interrupt(word);
        } else if parts.cpu.is_none() {
            // The latency format glues the CPU to the flags.
            let digits = word.len() - word.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            parts.cpu = Some(word.get(..digits)?.parse().ok()?);
            let flags = word.get(digits..).filter(|flags| is_flags(flags))?;
            parts.in_interrupt = flags_in_interrupt(flags);
        } else {
            return None;
        }
        rest = after.trim_start();
    }
    None
}

fn flags_in_interrupt(flags: &str) -> bool {
    flags.as_bytes().get(2).is_some_and(|byte| b"hHszZ".contains(byte))
}

/// The event's name and payload. perf may print a period and a subsystem before the name.
fn event<'l>(mut parts: Parts<'l>, rest: &'l str) -> Option<Parts<'l>> {
    let mut rest = rest.trim_start();
    if let Some((number, after)) = rest.split_once(' ')
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        rest = after.trim_start();
    }
    let (name, payload) = rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|name| (name, "")))?;
    parts.event = name.rsplit(':').next().unwrap_or(name).trim();
    parts.payload = payload.trim();
    (!parts.event.is_empty() && !parts.event.contains(' ')).then_some(parts)
}

/// Splits a line. The name may hold anything, so the first place counts at which everything behind it fits.
fn split(line: &str) -> Option<Parts<'_>> {
    if line.len() > LINE_BYTES_MAX {
        return None;
    }
    let digits = |text: &str| text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    // ftrace: `name-tid [cpu] ...`.
    for (at, _) in line.match_indices('-') {
        let rest = &line[at + 1..];
        let len = digits(rest);
        if len > 0
            && rest[len..].starts_with([' ', '\t'])
            && let Ok(tid) = rest[..len].parse()
            && let Some(parts) = tail(tid, &rest[len..])
        {
            return Some(parts);
        }
    }
    // perf: `name tid[/tid] [cpu] time: ...`.
    for (at, _) in line.match_indices([' ', '\t', ':']).chain([(usize::MAX, "")]) {
        let rest = if at == usize::MAX { line } else { &line[at + 1..] };
        let word = rest.split([' ', '\t']).next().unwrap_or_default();
        let (first, second) = word.split_once('/').map_or((word, word), |(pid, tid)| (pid, tid));
        if !first.is_empty()
            && digits(first) == first.len()
            && let Ok(tid) = second.parse()
            && let Some(parts) = tail(tid, &rest[word.len()..])
        {
            return Some(parts);
        }
    }
    None
}

/// Whether a line is an event of any kind.
pub fn is_event(line: &str) -> bool {
    split(line.trim_end()).is_some()
}

/// Lines that are no events and no damage.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty()
        || ["#", "version =", "cpus=", "CPU", "=>", "[...]", "<", "ffff"].iter().any(|start| line.starts_with(start))
}

/// `#P:4`, `cpus=6`, `# nrcpus online : 8`.
fn cpus_of(line: &str) -> Option<u16> {
    let number = if let Some((_, after)) = line.split_once("#P:") {
        after
    } else if let Some(after) = line.strip_prefix("cpus=") {
        after
    } else if line.starts_with("# nrcpus online") {
        line.rsplit(':').next()?
    } else {
        return None;
    };
    number.trim().split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

/// Reads all lines.
pub fn events(text: &str, notes: &mut Notes) -> Result<Events, Vec<Problem>> {
    let mut events = Events::default();
    let (mut others, mut without_cpu) = (0usize, false);
    for (number, line) in (1..).zip(text.lines()) {
        // Lines of a page's script end in a written \n and a backslash.
        let line = line.trim_end().trim_end_matches('\\').trim_end_matches("\\n");
        if line.contains("LOST") && line.contains("EVENTS") {
            notes.say(format!("events were lost while it was recorded (line {number})"));
        }
        let Some(parts) = split(line) else {
            events.cpus = events.cpus.or_else(|| cpus_of(line));
            if !is_heading(line) && line.contains("sched_") {
                notes.skip(number, "is cut or damaged");
            }
            continue;
        };
        let Some(cpu) = parts.cpu else {
            without_cpu = true;
            continue;
        };
        let read = payload::read(parts.event, parts.payload);
        if read.is_ok() {
            events.end = events.end.max(Some(parts.t));
        }
        match read {
            Ok(Some(what)) => {
                events.list.push(Event { t: parts.t, cpu, tid: parts.tid, in_interrupt: parts.in_interrupt, what })
            }
            Ok(None) => others += 1,
            Err(message) => notes.skip(number, message),
        }
    }
    if events.list.is_empty() {
        let hint = "Record with: trace-cmd record -e sched, or: perf sched record; then save the text report";
        let message = match (without_cpu, others) {
            (true, _) => "has no CPU numbers: print them (perf script -F comm,tid,cpu,time,event,trace)".to_string(),
            (false, 0) => "has no line that could be read".to_string(),
            (false, others) => format!("has {others} events, but no sched_switch or sched_wakeup among them"),
        };
        return Err(refused(message, hint));
    }
    let moved = events.list.windows(2).filter(|pair| pair[0].cpu == pair[1].cpu && pair[1].t < pair[0].t).count();
    if moved > 0 {
        notes.say(format!("{moved} lines were out of order in time and were sorted"));
    }
    events.list.sort_by_key(|event| event.t);
    Ok(events)
}
