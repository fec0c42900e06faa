//! Where each lane lies: heights by number of CPUs, the lane under the mouse opened, scrolled and culled.

use crate::paint::Rect;

/// Height of the ruler, px.
pub const RULER: f64 = 22.0;
/// Height of a pinned task lane, px.
pub const PIN: f64 = 20.0;
/// Height of a task lane in tasks mode, px.
pub const TASK_LANE: f64 = 21.0;
/// Height of a node's heading, px.
pub const NODE: f64 = 18.0;
/// Height to which a thin lane opens under the mouse, px.
pub const OPENED: f64 = 44.0;
/// Pinned lanes at most.
pub const PINS_MAX: usize = 6;

/// What a lane shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneOf {
    /// Heading of the CPUs `first..=last` of a node.
    Node {
        /// Which node.
        node: u16,
        /// Its first CPU.
        first: u16,
        /// Its last CPU.
        last: u16,
    },
    /// A CPU: run bar and queue.
    Cpu(u16),
    /// A task in tasks mode.
    Task(u32),
}

/// How much of a CPU fits into its lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Names, edges, queue with hatch, two lines in the gutter.
    Full,
    /// Names, edges, thin queue, one line in the gutter.
    Medium,
    /// Colours only, a line for the queue, a number every 4th lane.
    Thin,
}

/// A lane in its place; y is measured from the top of the lanes, before scrolling.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lane {
    /// What it shows.
    pub of: LaneOf,
    /// Upper edge, px.
    pub y: f64,
    /// Height, px.
    pub h: f64,
    /// How much is drawn.
    pub detail: Detail,
    /// Draw a strong line below: the end of a workload's tasks.
    pub group_end: bool,
}

impl Lane {
    /// The run bar (of a task lane: the state bar) when the lane's top is at `y`.
    pub fn run(&self, y: f64) -> (f64, f64) {
        match (self.of, self.detail) {
            (LaneOf::Node { .. }, _) => (y, self.h),
            (LaneOf::Task(_), _) => (y + 3.0, self.h - 6.0),
            (_, Detail::Full) => (y + 4.0, if self.h >= 64.0 { 36.0 } else { 22.0 }),
            (_, Detail::Medium) => (y + 3.0, if self.h >= 36.0 { 22.0 } else { 16.0 }),
            (_, Detail::Thin) => (y + 1.0, (self.h - 3.0).max(1.0)),
        }
    }

    /// The queue below the run bar: y, height, px per waiting task.
    pub fn queue(&self, y: f64) -> (f64, f64, f64) {
        let (run_y, run_h) = self.run(y);
        match self.detail {
            Detail::Full => (run_y + run_h + 3.0, (self.h - run_h - 10.0).clamp(12.0, 20.0), 4.0),
            Detail::Medium => (run_y + run_h + 2.0, (self.h - run_h - 6.0).max(6.0), 1.75),
            Detail::Thin => (run_y + run_h + 0.2, 1.6, 0.0),
        }
    }
}

/// All lanes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lanes {
    /// In drawing order.
    pub list: Vec<Lane>,
    /// Height of all together, px.
    pub height: f64,
    /// The same without what the lane under the mouse takes more than the others.
    pub height_closed: f64,
    /// Width of the gutter, px.
    pub gutter: f64,
}

/// What decides about CPU lanes.
#[derive(Clone, PartialEq, Debug)]
pub struct CpuLanes<'a> {
    /// CPUs in order.
    pub cpus: &'a [u16],
    /// CPUs per node; nodes get headings when there is more than one.
    pub per_node: Option<u16>,
    /// Height there is, px.
    pub space: f64,
    /// Narrow page: thumb-sized lanes.
    pub phone: bool,
    /// CPU under the mouse.
    pub open: Option<u16>,
    /// Lanes of several policies share the page.
    pub compact: bool,
}

impl Lanes {
    /// A lane per CPU.
    pub fn of_cpus(want: &CpuLanes) -> Lanes {
        let (h, detail) = cpu_height(want);
        let mut lanes = Lanes { gutter: if want.phone { 30.0 } else { 92.0 }, ..Lanes::default() };
        for &cpu in want.cpus {
            if let Some(heading) = node_heading(want, cpu) {
                lanes.push(heading, NODE, Detail::Full);
            }
            let opens = detail == Detail::Thin && want.open == Some(cpu);
            let (h, detail) = if opens { (OPENED, Detail::Full) } else { (h, detail) };
            lanes.push(LaneOf::Cpu(cpu), h, detail);
        }
        let opened = detail == Detail::Thin && want.open.is_some_and(|cpu| want.cpus.contains(&cpu));
        lanes.height_closed = lanes.height - if opened { OPENED - h } else { 0.0 };
        lanes
    }

    /// A lane per task, given with the number of its workload.
    pub fn of_tasks(tasks: &[(u32, u16)], phone: bool) -> Lanes {
        let mut lanes = Lanes { gutter: 92.0, ..Lanes::default() };
        for (i, &(task, workload)) in tasks.iter().enumerate() {
            lanes.push(LaneOf::Task(task), if phone { 28.0 } else { TASK_LANE }, Detail::Full);
            let ends = tasks.get(i + 1).is_none_or(|next| next.1 != workload);
            if let Some(lane) = lanes.list.last_mut() {
                lane.group_end = ends;
            }
        }
        lanes.height_closed = lanes.height;
        lanes
    }

    fn push(&mut self, of: LaneOf, h: f64, detail: Detail) {
        self.list.push(Lane { of, y: self.height, h, detail, group_end: false });
        self.height += h;
    }

    /// The lane at a height (before scrolling).
    pub fn at(&self, y: f64) -> Option<&Lane> {
        let index = self.list.partition_point(|lane| lane.y + lane.h <= y);
        self.list.get(index).filter(|lane| y >= lane.y)
    }

    /// Lanes that are seen in a box of height `h` scrolled by `scroll`.
    pub fn seen(&self, scroll: f64, h: f64) -> &[Lane] {
        let first = self.list.partition_point(|lane| lane.y + lane.h <= scroll);
        let end = self.list.partition_point(|lane| lane.y < scroll + h);
        self.list.get(first..end.max(first)).unwrap_or_default()
    }

    /// The lane of a CPU.
    pub fn of_cpu(&self, cpu: u16) -> Option<&Lane> {
        self.list.iter().find(|lane| lane.of == LaneOf::Cpu(cpu))
    }

    /// The lane of a task in tasks mode.
    pub fn of_task(&self, task: u32) -> Option<&Lane> {
        self.list.iter().find(|lane| lane.of == LaneOf::Task(task))
    }
}

/// 52 px for up to 8 CPUs (50 where that makes them fit), then 30, then 10, for 256 CPUs 3.
fn cpu_height(want: &CpuLanes) -> (f64, Detail) {
    let count = want.cpus.len() as f64;
    if want.phone {
        return match want.cpus.len() {
            0..=4 => (70.0, Detail::Full),
            5..=12 => (50.0, Detail::Full),
            _ => (10.0, Detail::Thin),
        };
    }
    match want.cpus.len() {
        0..=8 if want.compact => (38.0, Detail::Medium),
        0..=8 if count * 52.0 <= want.space => (52.0, Detail::Full),
        0..=8 => (50.0, Detail::Full),
        9..=16 => (30.0, Detail::Medium),
        17..=32 if count * 30.0 <= want.space => (30.0, Detail::Medium),
        17..=128 => (10.0, Detail::Thin),
        _ => (4.0, Detail::Thin),
    }
}

fn node_heading(want: &CpuLanes, cpu: u16) -> Option<LaneOf> {
    let per_node = want.per_node.filter(|&n| n > 0)?;
    let last_cpu = *want.cpus.last()?;
    if last_cpu < per_node || !cpu.is_multiple_of(per_node) {
        return None;
    }
    let last = (cpu + per_node - 1).min(last_cpu);
    Some(LaneOf::Node { node: cpu / per_node, first: cpu, last })
}

/// Boxes of the whole timeline: ruler, lanes, pinned lanes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// Whole canvas.
    pub all: Rect,
    /// Scrolled lanes, gutter included.
    pub lanes: Rect,
    /// Pinned task lanes.
    pub pins: Rect,
    /// Left edge of time.
    pub left: f64,
    /// Right edge of time.
    pub right: f64,
}

impl Frame {
    /// Boxes for a canvas of `w` × `h` with `pins` pinned lanes; `margin` px at the right stay free.
    pub fn new(w: f64, h: f64, lanes: &Lanes, pins: usize, margin: f64) -> Frame {
        let pins_h = pins as f64 * PIN;
        let lanes_h = (h - RULER - pins_h).max(0.0).min(lanes.height.max(0.0));
        let lanes_box = Rect::new(0.0, RULER, w, lanes_h);
        Frame {
            all: Rect::new(0.0, 0.0, w, h),
            lanes: lanes_box,
            pins: Rect::new(0.0, lanes_box.bottom(), w, pins_h),
            left: lanes.gutter,
            right: w - 1.0 - margin,
        }
    }

    /// Whether there is room for bars of waiting tasks beside the lanes.
    pub fn has_bars(&self) -> bool {
        self.all.w - self.right > 30.0
    }

    /// How far the lanes can be scrolled.
    pub fn scroll_max(&self, lanes: &Lanes) -> f64 {
        (lanes.height - self.lanes.h).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus(n: u16, space: f64, open: Option<u16>) -> Lanes {
        let all: Vec<u16> = (0..n).collect();
        Lanes::of_cpus(&CpuLanes { cpus: &all, per_node: None, space, phone: false, open, compact: false })
    }

    #[test]
    fn lanes_get_lower_with_the_number_of_cpus() {
        assert_eq!(cpus(4, 400.0, None).height, 208.0);
        assert_eq!(cpus(8, 400.0, None).height, 400.0);
        assert_eq!(cpus(12, 400.0, None).height, 360.0);
        assert_eq!(cpus(64, 400.0, None).height, 640.0);
    }

    #[test]
    fn the_lane_under_the_mouse_opens_and_keeps_the_mouse() {
        let lanes = cpus(64, 400.0, Some(21));
        assert_eq!(lanes.height, 63.0 * 10.0 + OPENED);
        let lane = lanes.at(21.0 * 10.0 + 40.0).expect("there is a lane");
        assert_eq!((lane.of, lane.detail), (LaneOf::Cpu(21), Detail::Full));
        let next = cpus(64, 400.0, Some(22));
        assert_eq!(next.at(21.0 * 10.0 + OPENED).expect("there is a lane").of, LaneOf::Cpu(22));
    }

    #[test]
    fn nodes_have_headings_when_there_are_two() {
        let all: Vec<u16> = (0..64).collect();
        let want = CpuLanes { cpus: &all, per_node: Some(32), space: 700.0, phone: false, open: None, compact: false };
        let lanes = Lanes::of_cpus(&want);
        assert_eq!(lanes.list[0].of, LaneOf::Node { node: 0, first: 0, last: 31 });
        assert_eq!(lanes.list[33].of, LaneOf::Node { node: 1, first: 32, last: 63 });
        assert_eq!(lanes.height, 676.0);
    }

    #[test]
    fn only_seen_lanes_are_drawn() {
        let lanes = Lanes::of_tasks(&(0..1000).map(|t| (t, 0)).collect::<Vec<_>>(), false);
        let seen = lanes.seen(2100.0, 210.0);
        assert_eq!(seen.len(), 10);
        assert_eq!(seen[0].of, LaneOf::Task(100));
        assert!(lanes.list[999].group_end && !lanes.list[0].group_end);
    }
}
