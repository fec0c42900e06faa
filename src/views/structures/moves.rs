//! Why shares move: the weight that a group's entity is about to get on a CPU, the rule behind it, and what the policy
//! noted last, of whatever kind.

use super::board::Board;
use super::trails::Around;
use crate::paint::number;
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, ShareRowView};

/// A group's weight on a CPU that is not yet what the rule would give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Move {
    group: u16,
    cpu: usize,
    weight: i64,
    target: i64,
}

/// A weight this near to what the rule gives is no change that is due: kernels round, and leave small differences.
const NEAR: u64 = 128;

/// Groups' shares are split over CPUs: some group has less than all of them where it has tasks.
fn are_split(rows: &[&ShareRowView]) -> bool {
    if rows.iter().all(|row| row.cells.len() < 2) {
        return false;
    }
    let is_part =
        |row: &&ShareRowView| row.cells.iter().any(|&(_, target, pretended)| !pretended && target < row.shares);
    rows.iter().filter(|row| row.parent.is_some()).any(is_part)
}

/// The largest change that is due.
fn largest(rows: &[&ShareRowView]) -> Option<Move> {
    let mut found: Option<Move> = None;
    for row in rows.iter().filter(|row| row.parent.is_some()) {
        for (cpu, &(weight, target, pretended)) in row.cells.iter().enumerate() {
            let is_larger = found.is_none_or(|found| target.abs_diff(weight) > found.target.abs_diff(found.weight));
            if !pretended && is_due(weight, target) && is_larger {
                found = Some(Move { group: row.group, cpu, weight, target });
            }
        }
    }
    found
}

fn is_due(weight: i64, target: i64) -> bool {
    target.abs_diff(weight) > weight.unsigned_abs() / NEAR + 1
}

/// The last thing that the policy noted up to now: often a balancing step, which moves tasks and so shares; of shares
/// alone no policy makes notes.
fn last_note(around: Around) -> Option<String> {
    let note = around.notes.iter().rfind(|note| note.t <= around.now)?;
    let name = around.names.get(usize::from(note.note))?;
    let at = number::moment(note.t);
    let cpu = (note.cpu != u16::MAX).then_some(note.cpu);
    Some(words::last_step(name, cpu, &at))
}

/// The rule, what is due, and the last note where there is one; nothing where shares are not split over CPUs.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn sentences(rows: &[&ShareRowView], name: &dyn Fn(u16) -> String, around: Option<Around>) -> Vec<String> {
    if !are_split(rows) {
        return Vec::new();
    }
    let due = match largest(rows) {
        None => words::SHARES_STAND.to_string(),
        Some(Move { group, cpu, weight, target }) => {
            words::shares_move(&name(group), cpu, &number::whole(weight), &number::whole(target))
        }
    };
    [Some(words::SHARES_RULE.to_string()), Some(due), around.and_then(last_note)].into_iter().flatten().collect()
}

/// Draws the sentences; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, (x, y, w): (f64, f64, f64), rows: &[&ShareRowView], around: Option<Around>) -> f64 {
    let sentences = sentences(rows, &|group| b.name(EntityView::Group(group)), around);
    if sentences.is_empty() {
        return 0.0;
    }
    b.heading(x, y, &words::WHY_SHARES, "");
    let mut bottom = y + 20.0;
    for sentence in sentences {
        bottom += b.paragraph(x, bottom, w, &sentence);
    }
    bottom - y + 8.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::engine::protocol::NoteView;

    fn row(group: u16, parent: Option<u16>, shares: i64, cells: &[(i64, i64, bool)]) -> ShareRowView {
        ShareRowView { group, parent, shares, tasks: 2, cells: cells.to_vec() }
    }

    #[test]
    fn the_largest_change_that_is_due_is_named() {
        let root = row(0, None, 0, &[(9, 1, false), (9, 9, false)]);
        let one = row(1, Some(0), 2048, &[(1003, 819, false), (635, 819, false)]);
        let two = row(2, Some(0), 1024, &[(100, 700, true), (341, 341, false)]);
        let rows = [&root, &one, &two];
        assert!(are_split(&rows));
        let due = Move { group: 1, cpu: 0, weight: 1003, target: 819 };
        assert_eq!((largest(&rows), largest(&[&root, &two])), (Some(due), None));
    }

    #[test]
    fn whole_shares_on_every_cpu_are_not_split() {
        let rows = [&row(0, None, 0, &[(1, 1, false)]), &row(1, Some(0), 1024, &[(1024, 1024, false), (9, 9, true)])];
        assert!(!are_split(&rows));
        // Rounding makes no move, and on one CPU there is nothing to split.
        let rounded = row(1, Some(0), 1024, &[(1024, 1023, false)]);
        assert!(!are_split(&[&rounded]) && largest(&[&rounded]).is_none());
    }

    #[test]
    fn the_last_note_before_now_is_told() {
        let note = |t| NoteView { t, cpu: 2, note: 0, args: [1, 0] };
        let (notes, names) = ([note(1_000_000), note(3_000_000), note(9_000_000)], ["pulled tasks".to_owned()]);
        let around = Around { window: (0, 1), now: 5_000_000, notes: &notes, names: &names, cpu: None };
        let told = last_note(around).expect("two notes lie before now");
        assert!(told.contains("pulled tasks") && told.contains("CPU 2") && told.contains("3.000"), "{told}");
    }
}
