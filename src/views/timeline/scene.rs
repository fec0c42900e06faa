//! What a picture of the timeline is made from: plain data of one moment, no store, no browser.

use super::lanes::{Frame, Lanes};
use crate::paint::{ColourBy, Palette, Rgba, TaskInk, TimeScale};
use crate::text::timeline as words;
use sim_core::engine::protocol::{CpuLane, IDLE, TaskLane, WindowView};
use sim_core::kernel::record::SliceEnd;

/// Strength of tasks that are not under the mouse while another one is.
pub const FADE: f64 = 0.38;
/// Number of an open row: still running at the simulated front.
pub const OPEN: u8 = 255;

/// Who woke the selected task: drawn as an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wake {
    /// When the wakeup happened, ns.
    pub at: u64,
    /// Who called it.
    pub waker: u32,
    /// When the woken task began to run, ns.
    pub start: u64,
    /// Where.
    pub cpu: u16,
    /// Who was woken.
    pub task: u32,
}

/// See the module.
pub struct Scene<'a> {
    /// Rows around the window.
    pub data: &'a WindowView,
    /// Names and colours of tasks.
    pub ink: &'a TaskInk,
    /// Theme.
    pub palette: &'a Palette,
    /// Time on x.
    pub scale: TimeScale,
    /// Boxes.
    pub frame: Frame,
    /// Lanes.
    pub lanes: &'a Lanes,
    /// Lanes are scrolled by this, px.
    pub scroll: f64,
    /// Pinned task lanes.
    pub pins: &'a [u32],
    /// Now, ns.
    pub now: u64,
    /// Simulated up to here, ns.
    pub simulated: u64,
    /// End of the run, ns.
    pub duration: u64,
    /// Meaning of colours.
    pub colour_by: ColourBy,
    /// CPU whose structures are shown.
    pub chosen: u16,
    /// Selected slice: CPU and a time inside it.
    pub selected: Option<(u16, u64)>,
    /// Selected task.
    pub selected_task: Option<u32>,
    /// Waker of the selected slice.
    pub wake: Option<Wake>,
    /// Task under the mouse.
    pub hover: Option<u32>,
    /// Range chosen by dragging, ns.
    pub range: Option<(u64, u64)>,
    /// Names of the policy's notes.
    pub notes: &'a [String],
    /// Device dots per px.
    pub dpr: f64,
    /// Narrow page.
    pub phone: bool,
    /// When and on which CPU this lane and the first one part ways.
    pub divergence: Option<(u64, u16)>,
    /// Nothing from here on is shown, ns.
    pub horizon: Option<u64>,
}

impl<'a> Scene<'a> {
    /// Rows of a CPU.
    pub fn cpu(&self, cpu: u16) -> Option<&'a CpuLane> {
        let guess = self.data.cpus.get(usize::from(cpu)).filter(|lane| lane.cpu == cpu);
        guess.or_else(|| self.data.cpus.iter().find(|lane| lane.cpu == cpu))
    }

    /// Rows of a task.
    pub fn task(&self, task: u32) -> Option<&'a TaskLane> {
        lane_of_task(self.data, task)
    }

    /// Top of a lane on the canvas.
    pub fn y_of(&self, lane_y: f64) -> f64 {
        self.frame.lanes.y + lane_y - self.scroll
    }

    /// Colour of a task's slices and of the text on them.
    pub fn colour(&self, task: u32) -> (Rgba, Rgba) {
        let p = self.palette;
        let (fill, ink) = if self.colour_by == ColourBy::State {
            (p.st_running, Rgba(0xffff_ffff))
        } else {
            let slot = usize::from(self.ink.ink(task, self.colour_by).slot) % p.task.len();
            (p.task[slot], p.ink[slot])
        };
        if self.hover.is_some_and(|hover| hover != task) {
            (fill.over(p.panel, FADE), ink.over(p.panel, FADE))
        } else {
            (fill, ink)
        }
    }
}

/// Rows of a task. When all tasks were asked for, a task stands at its own index.
pub fn lane_of_task(data: &WindowView, task: u32) -> Option<&TaskLane> {
    let guess = data.tasks.get(task as usize).filter(|lane| lane.task == task);
    guess.or_else(|| data.tasks.binary_search_by_key(&task, |lane| lane.task).ok().and_then(|i| data.tasks.get(i)))
}

/// Indices of the rows that `from..to` shows. Rows are in order and do not overlap.
pub fn rows_shown(start: &[u64], end: &[u64], from: u64, to: u64) -> core::ops::Range<usize> {
    let first = end.partition_point(|&e| e <= from);
    let last = start.partition_point(|&s| s < to);
    first..last.max(first)
}

/// Index of the row that covers `t`.
pub fn row_at(start: &[u64], end: &[u64], t: u64) -> Option<usize> {
    let row = end.partition_point(|&e| e <= t);
    (row < start.len() && start[row] <= t).then_some(row)
}

/// Task on a CPU at `t`, its slice.
pub fn slice_at(lane: &CpuLane, t: u64) -> Option<(u32, u64, u64)> {
    let row = row_at(&lane.start, &lane.end, t)?;
    (lane.task[row] != IDLE).then(|| (lane.task[row], lane.start[row], lane.end[row]))
}

/// Tasks that wait on a CPU at `t`.
pub fn waiting_at(lane: &CpuLane, t: u64) -> u16 {
    let step = lane.queue_t.partition_point(|&at| at <= t);
    step.checked_sub(1).and_then(|i| lane.queue_n.get(i)).copied().unwrap_or(0)
}

/// Busy share of `from..to` in percent, from the rows.
pub fn busy_percent(lane: &CpuLane, from: u64, to: u64) -> u32 {
    let mut busy = 0_u64;
    for row in rows_shown(&lane.start, &lane.end, from, to) {
        if lane.task[row] == IDLE && lane.merged[row] <= 1 {
            continue;
        }
        let length = lane.end[row].min(to).saturating_sub(lane.start[row].max(from));
        let part = if lane.merged[row] > 1 { u64::from(lane.busy[row]) } else { 255 };
        busy += length / 255 * part + length % 255 * part / 255;
    }
    let span = to.saturating_sub(from).max(1);
    u32::try_from((busy + span / 200).saturating_mul(100) / span).map_or(100, |p| p.min(100))
}

/// Shape of a slice's right edge: says why the task left the CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// Nothing to say: still running, cut by the window, merged, too narrow.
    Plain,
    /// Preempted, wanted more.
    Bitten,
    /// Slice used up.
    Bar,
    /// Slept.
    Cut,
    /// Waits for a lock or I/O.
    Foot,
    /// Yielded: goes behind the others, stays runnable.
    Under,
    /// Exited.
    Cross,
}

impl Edge {
    /// The edge of a [`SliceEnd`] given as a number.
    pub fn of(ended: u8) -> Edge {
        const PREEMPTED: u8 = SliceEnd::Preempted as u8;
        const EXPIRED: u8 = SliceEnd::Expired as u8;
        const SLEPT: u8 = SliceEnd::Slept as u8;
        const BLOCKED: u8 = SliceEnd::Blocked as u8;
        const YIELDED: u8 = SliceEnd::Yielded as u8;
        const EXITED: u8 = SliceEnd::Exited as u8;
        match ended {
            PREEMPTED => Edge::Bitten,
            EXPIRED => Edge::Bar,
            SLEPT => Edge::Cut,
            BLOCKED => Edge::Foot,
            YIELDED => Edge::Under,
            EXITED => Edge::Cross,
            _ => Edge::Plain,
        }
    }

    /// The edge in words.
    pub fn word(self) -> &'static str {
        match self {
            Edge::Plain => words::EDGES[0].say(),
            Edge::Bitten => words::EDGES[1].say(),
            Edge::Bar => words::EDGES[2].say(),
            Edge::Cut => words::EDGES[3].say(),
            Edge::Foot => words::EDGES[4].say(),
            Edge::Under => words::EDGES[5].say(),
            Edge::Cross => words::EDGES[6].say(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A lane of slices (start, end, task, ended) in ms.
    pub(crate) fn lane(cpu: u16, slices: &[(u64, u64, u32, u8)]) -> CpuLane {
        let mut lane = CpuLane { cpu, ..CpuLane::default() };
        for &(start, end, task, ended) in slices {
            lane.start.push(start * 1_000_000);
            lane.end.push(end * 1_000_000);
            lane.task.push(task);
            lane.ended.push(ended);
            lane.merged.push(1);
            lane.busy.push(if task == IDLE { 0 } else { 255 });
        }
        lane
    }

    #[test]
    fn rows_of_a_window_are_those_that_touch_it() {
        let l = lane(0, &[(0, 10, 1, 1), (10, 20, 2, 1), (20, 30, 1, 255)]);
        assert_eq!(rows_shown(&l.start, &l.end, 10_000_000, 20_000_000), 1..2);
        assert_eq!(rows_shown(&l.start, &l.end, 9_000_000, 21_000_000), 0..3);
        assert_eq!(rows_shown(&l.start, &l.end, 40_000_000, 50_000_000), 3..3);
        assert_eq!(slice_at(&l, 10_000_000), Some((2, 10_000_000, 20_000_000)));
        assert_eq!(slice_at(&l, 30_000_000), None);
    }

    #[test]
    fn busy_share_counts_merged_rows_by_their_part() {
        let mut l = lane(0, &[(0, 10, 1, 1), (10, 20, IDLE, 0), (20, 40, 1, 1)]);
        l.merged[2] = 5;
        l.busy[2] = 128;
        assert_eq!(busy_percent(&l, 0, 40_000_000), 50);
        assert_eq!(busy_percent(&l, 10_000_000, 20_000_000), 0);
    }

    #[test]
    fn every_end_of_a_slice_has_its_own_edge() {
        let edges: Vec<Edge> = (1..=6).map(Edge::of).collect();
        let mut seen = Vec::new();
        for edge in edges {
            assert!(edge != Edge::Plain && !seen.contains(&edge));
            seen.push(edge);
        }
        assert_eq!(Edge::of(OPEN), Edge::Plain);
    }

    #[test]
    fn queue_length_is_that_of_the_last_step() {
        let l = CpuLane { queue_t: vec![0, 10, 20], queue_n: vec![0, 3, 1], ..CpuLane::default() };
        assert_eq!([5, 10, 19, 25].map(|t| waiting_at(&l, t)), [0, 3, 3, 1]);
    }
}
