//! Job lists of the OSTEP homework programs. One tick is 1 ms.

use super::{BATCH_RULES, Notes, around, group, lanes, program, refused};
use crate::engine::protocol::Problem;
use crate::scenario::limits;
use crate::scenario::schema::Scenario;
use serde_json::{Value, json};

/// One tick, ns.
const TICK_NS: u64 = 1_000_000;

/// Whether a text is one short line of numbers, commas and colons.
pub fn is_list(text: &str) -> bool {
    let line = text.trim();
    !line.contains('\n')
        && line.len() < 2_000
        && line.contains([',', ':'])
        && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b",:.".contains(&byte))
        && line.bytes().any(|byte| byte.is_ascii_digit())
}

/// `12` or `12.5` ticks as ns.
fn ticks(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 6 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part: u64 = format!("{part:0<6}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(TICK_NS)?.checked_add(part)
}

struct Job {
    name: String,
    start: u64,
    run: u64,
    /// Sleeps after so much work; 0 = never.
    io_every: u64,
    /// Tickets, where the list has them.
    tickets: Option<u64>,
}

impl Job {
    fn of(name: String, run: u64) -> Self {
        Job { name, start: 0, run, io_every: 0, tickets: None }
    }
}

/// Reads a list.
pub fn scenario(line: &str, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let bad = |item: &str| refused(format!("{item} is no job"), "Forms: 5,10,15 or 10:100,20:50 or 0,180,0:100,20,0");
    let mut jobs = Vec::new();
    let queues = line.contains(':') && line.split(':').all(|item| item.split(',').count() == 3);
    let items: Vec<&str> = if queues { line.split(':').collect() } else { line.split(',').collect() };
    for (index, item) in items.iter().enumerate() {
        let parts: Vec<&str> = item.split([',', ':']).collect();
        let name = format!("job {index}");
        let job = match (queues, parts.as_slice()) {
            (true, [start, run, io]) => ticks(start)
                .zip(ticks(run))
                .zip(ticks(io))
                .map(|((start, run), io_every)| Job { start, io_every, ..Job::of(name, run) }),
            (false, [run]) => ticks(run).map(|run| Job::of(name, run)),
            (false, [run, tickets]) => {
                notes.say("the second number of each job is taken for its tickets, as in lottery.py (process-run.py means percent of CPU)");
                let tickets = tickets.parse().ok().filter(|tickets| *tickets <= limits::SHARES_MAX);
                ticks(run).zip(tickets).map(|(run, tickets)| Job { tickets: Some(tickets), ..Job::of(name, run) })
            }
            (false, [name, run, _working_set]) => {
                notes.say("working sets are not taken over");
                ticks(run).map(|run| Job::of((*name).to_string(), run))
            }
            _ => None,
        };
        jobs.push(job.ok_or_else(|| bad(item))?);
    }
    if jobs.len() > limits::WORKLOADS_MAX {
        return Err(refused(format!("{} jobs are more than {}", jobs.len(), limits::WORKLOADS_MAX), ""));
    }
    notes.say("one tick is 1 ms");
    let last = jobs.iter().map(|job| job.start).max().unwrap_or(0);
    let end = jobs.iter().fold(last, |end, job| end.saturating_add(job.run.saturating_mul(2)));
    let has_tickets = jobs.iter().any(|job| job.tickets.is_some());
    if has_tickets && jobs.len() >= limits::GROUPS_MAX {
        return Err(refused(format!("{} jobs with tickets are more than {}", jobs.len(), limits::GROUPS_MAX - 1), ""));
    }
    let lanes = match () {
        // mlfq.py: turns of 10 ticks and no boost unless asked for; the others: turns of one tick.
        () if queues => lanes(&["mlfq"], &[("quantum", 10 * TICK_NS), ("boost", 0)]),
        () if has_tickets => lanes(&["lottery", "stride"], &[("quantum", TICK_NS)]),
        () => lanes(&BATCH_RULES, &[("quantum", TICK_NS)]),
    };
    let mut groups = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    let workloads = jobs.into_iter().map(|job| {
        let mut steps: Vec<Value> = Vec::new();
        if job.io_every > 0 && job.io_every < job.run {
            notes.say("each I/O takes 5 ticks, as in mlfq.py without -i");
            // No I/O follows the last stretch.
            let rounds = (job.run - 1) / job.io_every;
            steps.push(json!(["loop", rounds, [["run", job.io_every], ["io", 5 * TICK_NS]]]));
            steps.push(json!(["run", job.run - rounds * job.io_every]));
        } else {
            steps.push(json!(["run", job.run]));
        }
        steps.push(json!(["exit"]));
        let mut workload = program(super::unique(&job.name, &mut taken), job.start, steps);
        if let Some(tickets) = job.tickets {
            // A group of its own holds the tickets of a job.
            workload.group = workload.name.clone();
            groups.push(group(workload.group.clone(), tickets));
        }
        workload
    });
    let workloads = workloads.collect();
    Ok(Scenario { groups, lanes, ..around("Job list", end, 1, workloads) })
}
