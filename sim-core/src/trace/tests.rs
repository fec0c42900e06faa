//! The packed history against a plain one.

use super::mip::OPEN;
use super::window::{Window, cpu_rows};
use super::*;
use crate::kernel::record::{Reason, SliceEnd};
use crate::units::CpuId;
use proptest::prelude::*;

/// Switches of one CPU: (time after the one before, next task or idle).
fn switches() -> impl Strategy<Value = Vec<(Nanos, Option<u32>)>> {
    let after = prop_oneof![Just(0u64), 1u64..50, 1_000u64..5_000_000, Just(1u64 << 36)];
    prop::collection::vec((after, prop::option::weighted(0.8, 0u32..5)), 0..1500)
}

fn fed(switches: &[(Nanos, Option<u32>)]) -> (CpuLog, Vec<(Nanos, u32)>) {
    let mut log = CpuLog::default();
    let mut plain = vec![(0, IDLE)];
    let mut at = 0;
    for &(after, next) in switches {
        at += after;
        let next = next.unwrap_or(IDLE);
        let ended = if plain.last().is_some_and(|last| last.1 == IDLE) { SliceEnd::Idle } else { SliceEnd::Slept };
        log.append(at, Entry::Switch { ended: ended as u8, next, code: 3 });
        plain.push((at, next));
    }
    (log, plain)
}

/// Time of each task in `from..to` by the plain list.
fn plain_busy(plain: &[(Nanos, u32)], front: Nanos, from: Nanos, to: Nanos) -> Nanos {
    let ends = plain.iter().skip(1).map(|row| row.0).chain([front]);
    let rows = plain.iter().zip(ends).filter(|(row, _)| row.1 != IDLE);
    rows.map(|(row, end)| end.min(to).saturating_sub(row.0.max(from))).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slices_come_back_as_they_were(list in switches()) {
        let (log, plain) = fed(&list);
        let front = log.head().at + 7;
        let rows: Vec<(Nanos, u32)> = log.slices(0, front).map(|row| (row.start, row.task)).collect();
        prop_assert_eq!(&rows, &plain);
        for index in [0, plain.len() / 3, plain.len() - 1] {
            let row = log.slices(index as u64, front).next().expect("it exists");
            prop_assert_eq!((row.index, row.start, row.task), (index as u64, plain[index].0, plain[index].1));
        }
    }

    #[test]
    fn windows_are_bounded_whole_and_true(list in switches(), px in 8u32..200, a in 0u64..1000, b in 0u64..1000) {
        let (log, plain) = fed(&list);
        let front = log.head().at + 1000;
        let (from, to) = (front / 1000 * a.min(b), (front / 1000 * a.max(b)).max(front / 1000 * a.min(b) + 1));
        let mut rows = Vec::new();
        cpu_rows(&log, Window { from, to, px, front }, &mut |row| rows.push(row));
        prop_assert!(rows.len() <= 2 * px as usize);
        prop_assert!(rows[0].start <= from && rows.last().expect("not empty").end >= to.min(front));
        prop_assert!(rows.windows(2).all(|pair| pair[0].end == pair[1].start));
        for row in &rows {
            let busy = plain_busy(&plain, front, row.start, row.end);
            // Shares of stored rows are rounded to 1/65535 at each level.
            let slack = (row.end - row.start) / 65_535 * 6 + 6 * u64::from(row.merged);
            prop_assert!(row.busy.abs_diff(busy) <= slack, "{row:?} but busy {busy}");
            if row.merged == 1 && row.ended != OPEN {
                let ended = plain.windows(2).any(|pair| pair[0] == (row.start, row.task) && pair[1].0 == row.end);
                prop_assert!(ended, "{row:?} is no slice");
            }
        }
    }

    #[test]
    fn a_cut_leaves_what_was_there(list in switches(), more in switches()) {
        let (mut log, plain) = fed(&list);
        let mark = log.mark();
        let before = log.clone();
        let mut at = log.head().at;
        for (after, next) in more {
            at += after;
            log.append(at, Entry::Switch { ended: 0, next: next.unwrap_or(IDLE), code: 0 });
        }
        log.cut(&mark);
        prop_assert_eq!(log.head(), before.head());
        let front = log.head().at + 5;
        let rows = |log: &CpuLog| {
            let mut rows = Vec::new();
            cpu_rows(log, Window { from: 0, to: front, px: 20, front }, &mut |row| rows.push(row));
            rows
        };
        prop_assert_eq!(rows(&log), rows(&before));
        prop_assert_eq!(log.slices(0, front).count(), plain.len());
    }
}

#[test]
fn a_task_that_moves_while_it_waits_is_counted_where_it_is() {
    let mut trace = Trace::new(2, Series::new(1_000_000, 1, 1));
    let task = TaskId(0);
    let reason = Reason::default();
    let switch = |at, cpu, prev, prev_end, next| Record {
        at,
        event: Event::Switch { cpu: CpuId(cpu), prev, prev_end, next, reason },
    };
    let records = [
        Record { at: 5, event: Event::Start { task, cpu: CpuId(0) } },
        Record { at: 9, event: Event::Migrate { task, from: CpuId(0), to: CpuId(1) } },
        switch(20, 1, None, SliceEnd::Idle, Some(task)),
        Record { at: 25, event: Event::Mark { task, mark: 0, response: Some(4) } },
        switch(30, 1, Some(task), SliceEnd::Slept, None),
        // Placed elsewhere by its wakeup: not a task that waited there.
        Record { at: 40, event: Event::Migrate { task, from: CpuId(1), to: CpuId(0) } },
        Record { at: 40, event: Event::Wakeup { task, cpu: CpuId(0), waker: None } },
    ];
    trace.tasks.push(TaskLog::new(0));
    trace.feed(&records, &[], 50);
    assert_eq!((trace.cpu(0).head().waiting, trace.cpu(1).head().waiting), (1, 0));
    assert_eq!(trace.cpu(0).since(9).next(), Some((9, Entry::MigrateOut { task: 0, to: 1 })));
    assert_eq!(trace.woken_by(0, 40), Some(IDLE));
    let run = trace.tasks()[0].runs(0).next().expect("it ran");
    assert_eq!((run.ready, run.start, run.end, run.cpu, run.origin), (5, 20, 30, 1, Origin::New));
    assert_eq!(trace.moments().marks_since(0).next().and_then(|mark| mark.response), Some(4));
    assert_eq!(trace.series().runtime(0, 0), 10);
}
