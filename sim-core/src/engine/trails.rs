//! Answer to `Trails`: numbers that a policy wants to be seen over time. The trace does not keep them: a copy of the
//! machine runs through the window once more and is asked at each sample.

use super::lane::Lane;
use super::protocol::{EntityView, TrailLine, TrailView, TrailsView};
use super::text::unit_word;
use super::views;
use crate::inspect::{Course, Trail};
use crate::units::{CpuId, Nanos};

/// Most samples over the window.
const SAMPLES_MAX: u16 = 600;
/// Most switches that get a sample of their own; beyond, the even samples must do.
const SWITCHES_MAX: usize = 2000;
/// Entities with lines.
const LINES_MAX: usize = 24;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// From.
    pub from: Nanos,
    /// To.
    pub to: Nanos,
    /// Whose.
    pub cpu: u16,
    /// Even samples.
    pub samples: u16,
}

/// One trail while it is collected.
struct Collector {
    view: TrailView,
    /// Line of each entity that is open, with the time of its last sample.
    open: Vec<(EntityView, usize)>,
    left_out: Vec<EntityView>,
}

impl Collector {
    fn new(trail: &Trail) -> Self {
        let view = TrailView {
            label: trail.label.into(),
            help: trail.help.into(),
            unit: unit_word(trail.unit).into(),
            blocks: trail.course == Course::Blocks,
            lines: Vec::new(),
            left_out: 0,
        };
        Collector { view, open: Vec::new(), left_out: Vec::new() }
    }

    /// Takes the numbers at `t`; entities that are missing end their lines at `t`.
    fn sample(&mut self, t: Nanos, values: &[(EntityView, i64)]) {
        let blocks = self.view.blocks;
        let lines = &mut self.view.lines;
        self.open.retain(|&(entity, line)| {
            let now = values.iter().find(|(who, _)| *who == entity);
            let line = &mut lines[line];
            // A block keeps its height; a line ends where its entity is gone.
            let goes_on = now.is_some_and(|&(_, value)| !blocks || line.value.last() == Some(&value));
            if !goes_on && blocks {
                extend(line, t, line.value.last().copied().unwrap_or(0));
            }
            goes_on
        });
        for &(entity, value) in values {
            let known = self.open.iter().find(|(who, _)| *who == entity).map(|&(_, line)| line);
            if let Some(line) = known {
                extend(&mut lines[line], t, value);
                continue;
            }
            if self.left_out.contains(&entity) {
                continue;
            }
            let is_new = !lines.iter().any(|line| line.entity == entity);
            if is_new && !blocks && distinct(lines) >= LINES_MAX {
                self.left_out.push(entity);
                continue;
            }
            self.open.push((entity, lines.len()));
            lines.push(TrailLine { entity, t: vec![t], value: vec![value] });
        }
    }

    fn finish(mut self) -> TrailView {
        self.view.left_out = self.left_out.len() as u32;
        self.view
    }
}

fn distinct(lines: &[TrailLine]) -> usize {
    let mut seen: Vec<EntityView> = Vec::new();
    for line in lines {
        if !seen.contains(&line.entity) {
            seen.push(line.entity);
        }
    }
    seen.len()
}

/// Adds a point; of several equal ones in a row the first and the last stay.
fn extend(line: &mut TrailLine, t: Nanos, value: i64) {
    let count = line.t.len();
    let is_flat = count >= 2 && line.value[count - 1] == value && line.value[count - 2] == value;
    if is_flat {
        line.t[count - 1] = t;
    } else {
        line.t.push(t);
        line.value.push(value);
    }
}

/// Even samples and the times of the CPU's switches, in order.
fn times(lane: &Lane, wanted: Wanted) -> Vec<Nanos> {
    let Wanted { from, to, cpu, samples } = wanted;
    let count = u64::from(samples.clamp(2, SAMPLES_MAX));
    let even = |i: u64| from + (u128::from(to - from) * u128::from(i) / u128::from(count)) as Nanos;
    let mut times: Vec<Nanos> = (0..=count).map(even).collect();
    let log = lane.trace().cpu(cpu);
    let first = log.after(from).head.slice;
    let starts = log.slices(first, to).map(|row| row.start).take_while(|&start| start < to);
    let switches: Vec<Nanos> = starts.filter(|&start| start >= from).take(SWITCHES_MAX + 1).collect();
    if switches.len() <= SWITCHES_MAX {
        times.extend(switches);
    }
    times.sort_unstable();
    times.dedup();
    times
}

/// Numbers over `from..to` on one CPU.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn trails(lane: &Lane, index: u8, wanted: Wanted) -> TrailsView {
    let to = wanted.to.min(lane.front());
    let wanted = Wanted { from: wanted.from.min(to), to, cpu: wanted.cpu.min(lane.kernel().cpus() - 1), ..wanted };
    let mut view = TrailsView { lane: index, from: wanted.from, to, cpu: wanted.cpu, trails: Vec::new() };
    let mut machine = lane.copy_before(wanted.from);
    let rows = machine.sim.trails();
    if rows.is_empty() || wanted.from == to {
        return view;
    }
    let mut collectors: Vec<Collector> = rows.iter().map(Collector::new).collect();
    let mut values = Vec::new();
    for t in times(lane, wanted) {
        machine.replay(lane.changes(), t);
        for (row, collector) in collectors.iter_mut().enumerate() {
            values.clear();
            machine.sim.trail(CpuId(wanted.cpu), row, &mut |who, value| values.push((views::entity(who), value)));
            collector.sample(t, &values);
        }
    }
    view.trails = collectors.into_iter().map(Collector::finish).filter(|trail| !trail.lines.is_empty()).collect();
    view
}
