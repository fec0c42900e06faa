//! Stretches in which a CPU holds tasks back (throttled groups, throttled real-time tasks), paired from the policy's
//! notes; see [`crate::policy::PolicyInfo::notes`] for how two notes open and close a stretch.

use super::lane::Lane;
use crate::units::{GroupId, Nanos};

/// A stretch can last over many periods: notes so long before a window are looked at, ns.
const LOOK_BACK: Nanos = 10_000_000_000;
/// Notes looked at, at most.
const NOTES_MAX: usize = 200_000;
/// Stretches of a window, at most.
const STRETCHES_MAX: usize = 4000;

/// One stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// Where.
    pub cpu: u16,
    /// From.
    pub from: Nanos,
    /// To; the end of the window if it goes on.
    pub to: Nanos,
    /// Row of the note that opened it.
    pub note: u16,
    /// Group that is held back; 0 = not a group's matter.
    pub group: u16,
}

/// "throttled" opens what "unthrottled" closes, "real-time throttled" what "real-time unthrottled" closes.
fn closes(open: &str, close: &str) -> bool {
    let (start, last) = open.rsplit_once(' ').map_or(("", open), |(start, last)| (start, last));
    let rest = close.strip_prefix(start).map(str::trim_start);
    rest.and_then(|rest| rest.strip_prefix("un")) == Some(last)
}

/// Pairs (opening note, closing note) of a policy.
fn pairs(names: &[&str]) -> Vec<(u16, u16)> {
    let rows = || (0_u16..).zip(names);
    rows()
        .filter_map(|(open, name)| rows().find(|(_, other)| closes(name, other)).map(|(end, _)| (open, end)))
        .collect()
}

/// Stretches that touch `from..to`, in order of their ends.
pub fn stretches(lane: &Lane, from: Nanos, to: Nanos) -> Vec<Held> {
    let pairs = pairs(lane.info().notes);
    let mut found = Vec::new();
    if pairs.is_empty() {
        return found;
    }
    let has_groups = lane.info().caps.groups;
    let groups = lane.kernel().groups().len() as i64;
    let group_of = |arg: i64| if has_groups && (0..groups).contains(&arg) { arg as u16 } else { 0 };
    let mut open: Vec<Held> = Vec::new();
    for note in lane.trace().moments().notes(from.saturating_sub(LOOK_BACK), to, NOTES_MAX) {
        let (cpu, group) = (note.cpu, group_of(note.args[0]));
        if pairs.iter().any(|&(begin, _)| begin == note.note) {
            open.push(Held { cpu, from: note.at, to, note: note.note, group });
        } else if let Some(&(begin, _)) = pairs.iter().find(|&&(_, end)| end == note.note) {
            // Numbers of notes that are no group's may differ at both ends: then the CPU alone tells.
            let same = |held: &Held| held.cpu == cpu && held.note == begin && (held.group == group || group == 0);
            let Some(index) = open.iter().rposition(same) else { continue };
            let held = open.remove(index);
            if note.at > from && found.len() < STRETCHES_MAX {
                found.push(Held { to: note.at, ..held });
            }
        }
    }
    found.extend(open.into_iter().take(STRETCHES_MAX - found.len()));
    found.retain(|held| held.from < held.to);
    found
}

/// Parts of the waits of `task` (start, end, CPU) in which its group or one above it is held back there.
pub fn of_task(lane: &Lane, task: u32, waits: &[(Nanos, Nanos, u16)], held: &[Held]) -> Vec<(Nanos, Nanos)> {
    let kernel = lane.kernel();
    let Some(group) = kernel.tasks().get(task as usize).map(|task| task.group) else { return Vec::new() };
    let is_inside = |of: u16| {
        let mut at = group;
        while at != GroupId::ROOT && at.0 != of {
            at = kernel.groups()[at.index()].parent;
        }
        at != GroupId::ROOT
    };
    let mut out = Vec::new();
    for stretch in held.iter().filter(|stretch| stretch.group != 0 && is_inside(stretch.group)) {
        for &(start, end, _) in
            waits.iter().filter(|(start, end, cpu)| *cpu == stretch.cpu && *start < stretch.to && *end > stretch.from)
        {
            out.push((start.max(stretch.from), end.min(stretch.to)));
        }
    }
    out.sort_unstable();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_pair_by_their_names() {
        assert_eq!(pairs(&["throttled", "unthrottled", "period", "rt throttled"]), [(0, 1)]);
        assert_eq!(pairs(&["real-time throttled", "real-time unthrottled", "pulled tasks"]), [(0, 1)]);
        assert_eq!(pairs(&["recalculation"]), []);
    }
}
