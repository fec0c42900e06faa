//! A strip of time from a run, cut where something else happens on a CPU: who runs, and whether it is the program's own
//! work, the kernel's or the caches'. Small enough to stand beside a figure of a post.

use crate::kernel::record::Event;
use crate::machine::cost::{TIME_KINDS, TimeKind};
use crate::timetravel::{CommandLog, Machine};
use crate::units::{CpuId, Nanos, TaskId};

/// Most pieces of a strip; what comes after them is left out.
pub const PIECES_MAX: usize = 400;
/// Most events that are simulated for a strip.
const EVENTS_MAX: u32 = 20_000;
/// The CPU that is shown.
const CPU: CpuId = CpuId(0);

/// A piece of a strip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its length, ns.
    pub len: Nanos,
    /// What the time is spent on.
    pub kind: TimeKind,
    /// Whose time it is; `None` when idle.
    pub task: Option<TaskId>,
}

/// Overhead is worked off in this order before the program goes on (`kernel/account.rs`).
const ORDER: [TimeKind; TIME_KINDS] =
    [TimeKind::System, TimeKind::Scheduler, TimeKind::Spin, TimeKind::Refill, TimeKind::User, TimeKind::Idle];

/// `len` ns of the first CPU of `machine`, which is left there, from the next mark on: then the benchmark is at work, and
/// not what runs beside it.
pub fn cut(machine: &mut Machine, log: &CommandLog, len: Nanos) -> Vec<Piece> {
    to_next_mark(machine, log);
    let until = machine.now() + len;
    let mut shown = machine.sim.kernel().cpu_times(CPU);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut records = Vec::new();
    for _ in 0..EVENTS_MAX {
        let task = machine.sim.kernel().curr(CPU);
        machine.run(log, until, 1);
        machine.sim.drain_records(&mut records);
        records.clear();
        let times = machine.sim.kernel().cpu_times(CPU);
        for kind in ORDER {
            let index = kind as usize;
            // Overhead that arises at this moment is counted before what the program has done, so that a kind may go
            // back; it is made up for by what comes next.
            let len = times[index].saturating_sub(shown[index]);
            shown[index] += len;
            match pieces.last_mut() {
                _ if len == 0 => {}
                Some(last) if (last.kind, last.task) == (kind, task) => last.len += len,
                _ => pieces.push(Piece { len, kind, task }),
            }
        }
        if machine.now() >= until || pieces.len() >= PIECES_MAX {
            break;
        }
    }
    pieces
}

/// Runs on to the next mark, or for so many events if there is none.
fn to_next_mark(machine: &mut Machine, log: &CommandLog) {
    let mut records = Vec::new();
    for _ in 0..EVENTS_MAX {
        machine.run(log, Nanos::MAX, 1);
        machine.sim.drain_records(&mut records);
        if records.drain(..).any(|record| matches!(record.event, Event::Mark { .. })) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::super::run::{Job, Run};
    use crate::machine::cost::TimeKind;

    #[test]
    fn a_strip_of_lat_ctx_with_hogs_shows_the_ring_and_the_scan() {
        let post = find("000").expect("post 000");
        let wanted = |cell: &super::super::Cell| {
            cell.table.key == "lat_ctx" && cell.row().key == "50" && cell.column().key == "2.5.2-pre9"
        };
        let cell = post.cells().into_iter().find(wanted).expect("a figure");
        let mut run = Run::new(Job { cells: vec![cell], seed: 1 }).expect("it runs");
        run.want_strip();
        while run.strip().is_empty() && run.work(1 << 14) {}
        let of =
            |kind: TimeKind| run.strip().iter().filter(|piece| piece.kind == kind).map(|piece| piece.len).sum::<u64>();
        assert_eq!(run.strip().iter().map(|piece| piece.len).sum::<u64>(), 60_000);
        assert!(of(TimeKind::Scheduler) > of(TimeKind::User), "{:?}", run.strip());
    }
}
