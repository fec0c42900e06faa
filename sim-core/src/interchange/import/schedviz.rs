//! SchedViz's rows of eBPF recordings: `S:time:cpu:prev:state:next` and so on, all numbers hexadecimal.

use super::head::{Event, Events};
use super::payload::{Letter, Thread, What};
use super::{Notes, refused};
use crate::engine::protocol::Problem;
use std::collections::BTreeMap;

/// Whether a text is of this kind.
pub fn is_rows(text: &str) -> bool {
    text.starts_with("Attaching ") || text.lines().take(3).any(|line| line.starts_with("ST:"))
}

fn letter(bits: u64) -> Letter {
    match bits {
        0 => Letter::Runnable,
        256 | 1024 | 2048 | 4096 => Letter::Preempted,
        bits if bits & 1 != 0 => Letter::Sleep,
        bits if bits & (2 | 128) != 0 => Letter::Disk,
        bits if bits & (16 | 32 | 64) != 0 => Letter::Dead,
        _ => Letter::Unknown,
    }
}

/// Reads all rows.
pub fn events(text: &str, notes: &mut Notes) -> Result<Events, Vec<Problem>> {
    let mut events = Events::default();
    let mut threads: BTreeMap<u32, Thread> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with("Attaching ") || line.starts_with("ST:") {
            continue;
        }
        if row(line, &mut threads, &mut events).is_none() {
            notes.skip(number, "is not a row of the kinds P, S, M, W");
        }
    }
    if events.list.is_empty() {
        return Err(refused("has no S row", "Wanted: S:time:cpu:prev:state:next, all hexadecimal"));
    }
    events.list.sort_by_key(|event| event.t);
    Ok(events)
}

fn row(line: &str, threads: &mut BTreeMap<u32, Thread>, events: &mut Events) -> Option<()> {
    let mut parts = line.splitn(5, ':');
    let kind = parts.next()?;
    let mut rest: Vec<&str> = parts.collect();
    if kind != "P"
        && let Some(last) = rest.pop()
    {
        rest.extend(last.split(':'));
    }
    let number = |index: usize| u64::from_str_radix(rest.get(index)?, 16).ok();
    let small = |index: usize| number(index).and_then(|number| u32::try_from(number).ok());
    let cpu_at = |index: usize| number(index).and_then(|number| u16::try_from(number).ok());
    let t = i64::try_from(number(0)?).ok()?;
    let thread =
        |tid: u32| threads.get(&tid).cloned().unwrap_or_else(|| Thread { tid, name: String::new(), prio: 120 });
    let (cpu, what) = match kind {
        "P" => {
            let (tid, prio) = (small(1)?, i32::try_from(number(2)?).ok()?);
            threads.insert(tid, Thread { tid, name: (*rest.get(3)?).to_string(), prio });
            return Some(());
        }
        "S" => {
            let (prev, next) = (thread(small(2)?), thread(small(4)?));
            (cpu_at(1)?, What::Switch { prev, state: letter(number(3)?), next })
        }
        "W" => (cpu_at(1)?, What::Wake(thread(small(3)?))),
        "M" => {
            small(4)?;
            return Some(());
        }
        _ => return None,
    };
    events.list.push(Event { t, cpu, tid: 0, in_interrupt: false, what });
    Some(())
}
