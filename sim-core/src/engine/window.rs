//! Answer to `Window`: rows of the timeline as columns.

use super::held::{self, Held};
use super::lane::Lane;
use super::protocol::{CpuLane, LaneState, NoteView, TaskLane, TaskView, WindowView};
use crate::kernel::Kernel;
use crate::trace::mip::Row;
use crate::trace::window::{Presence, TaskRow, Window, cpu_rows, queue_steps, task_rows};
use crate::units::{Nanos, TaskId};

/// Most notes of a window.
const NOTES_MAX: usize = 2000;

/// A presence in the protocol's words.
pub fn lane_state(presence: Presence) -> LaneState {
    match presence {
        Presence::Running => LaneState::Running,
        Presence::Runnable => LaneState::Runnable,
        Presence::Sleeping => LaneState::Sleeping,
        Presence::Blocked => LaneState::Blocked,
        Presence::Gone => LaneState::Gone,
    }
}

/// What is asked of a window beyond its times.
pub struct Wanted<'a> {
    /// CPUs; empty = all.
    pub cpus: &'a [u16],
    /// Tasks.
    pub tasks: &'a [u32],
}

/// Rows of `from..to` for a width of `px` pixels.
pub fn window(lane: &Lane, index: u8, (from, to): (Nanos, Nanos), px: u32, wanted: &Wanted<'_>) -> WindowView {
    let window = Window { from, to: to.max(from.saturating_add(1)), px, front: lane.front() };
    let trace = lane.trace();
    let all: Vec<u16> = (0..trace.cpus()).collect();
    let cpus = if wanted.cpus.is_empty() { &all[..] } else { wanted.cpus };
    let notes = trace.moments().notes(window.from, window.to, NOTES_MAX);
    let held = held::stretches(lane, window.from, window.to);
    WindowView {
        lane: index,
        from,
        to,
        simulated: lane.front(),
        cpus: cpus.iter().filter(|&&cpu| cpu < trace.cpus()).map(|&cpu| cpu_lane(lane, cpu, window, &held)).collect(),
        tasks: wanted.tasks.iter().filter_map(|&task| task_lane(lane, task, window, &held)).collect(),
        notes: notes.map(|note| NoteView { t: note.at, cpu: note.cpu, note: note.note, args: note.args }).collect(),
        new_tasks: new_tasks(lane),
    }
}

fn cpu_lane(lane: &Lane, cpu: u16, window: Window, held: &[Held]) -> CpuLane {
    let log = lane.trace().cpu(cpu);
    let mut columns = CpuLane { cpu, ..CpuLane::default() };
    let mut merged = false;
    let mut busy = 0;
    let mut queue = Vec::new();
    cpu_rows(log, window, &mut |row| {
        merged |= row.merged > 1;
        busy += busy_inside(&row, &window);
        columns.start.push(row.start);
        columns.end.push(row.end);
        columns.task.push(row.task);
        columns.ended.push(row.ended);
        columns.merged.push(row.merged);
        columns.busy.push((u128::from(row.busy) * 255).div_ceil(u128::from(row.end - row.start)) as u8);
        queue.push((row.start, row.queue));
    });
    if !merged {
        queue.clear();
        queue_steps(log, window, &mut |t, n| queue.push((t, n)));
    }
    queue.dedup_by_key(|(_, n)| *n);
    (columns.queue_t, columns.queue_n) = queue.into_iter().unzip();
    let known = window.to.min(window.front).saturating_sub(window.from).max(1);
    columns.busy_permille = (u128::from(busy) * 1000 / u128::from(known)).min(1000) as u16;
    let here = held.iter().filter(|held| held.cpu == cpu);
    columns.held = here.map(|held| (held.from, held.to, held.note, held.group)).collect();
    columns
}

/// Busy time of the part of a row that lies in the window; a merged row counts as evenly busy.
fn busy_inside(row: &Row, window: &Window) -> Nanos {
    let inside = row.end.min(window.to).saturating_sub(row.start.max(window.from));
    (u128::from(inside) * u128::from(row.busy) / u128::from(row.end - row.start)) as Nanos
}

fn task_lane(lane: &Lane, task: u32, window: Window, held: &[Held]) -> Option<TaskLane> {
    let log = lane.trace().task(task)?;
    let mut columns = TaskLane { task, ..TaskLane::default() };
    let mut waits = Vec::new();
    task_rows(log, window, &mut |row: TaskRow| {
        if row.state == Presence::Runnable {
            waits.push((row.start, row.end, row.cpu));
        }
        columns.start.push(row.start);
        columns.end.push(row.end);
        columns.state.push(lane_state(row.state) as u8);
        columns.cpu.push(row.cpu);
        columns.ended.push(row.ended);
        columns.merged.push(row.merged);
    });
    columns.held = held::of_task(lane, task, &waits, held);
    Some(columns)
}

/// Tasks that are not in the table of `Loaded`.
pub fn new_tasks(lane: &Lane) -> Vec<TaskView> {
    let kernel = lane.kernel();
    (lane.tasks_at_start()..kernel.tasks().len()).map(|id| task_view(kernel, TaskId(id as u32))).collect()
}

/// All tasks that came into being so far.
pub fn task_views(lane: &Lane) -> Vec<TaskView> {
    let kernel = lane.kernel();
    (0..kernel.tasks().len() as u32).map(|id| task_view(kernel, TaskId(id))).collect()
}

/// A task for names and colours.
pub fn task_view(kernel: &Kernel, id: TaskId) -> TaskView {
    let task = kernel.task(id);
    TaskView {
        id: id.0,
        name: kernel.task_name(id).into_owned(),
        workload: task.workload,
        nice: task.nice,
        class: task.class,
        group: task.group.0,
        starts: true,
    }
}
