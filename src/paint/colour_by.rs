//! What the colour of a task can mean, and the two meanings that have a short legend of their own.

use super::task_ink::Ink;
use crate::text::pictures as words;
use sim_core::engine::protocol::{EntityView, IDLE, PanelView, ShapeView, StructuresView, TaskView};
use sim_core::policy::SchedClass;

/// What the colour of a slice means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColourBy {
    /// The task.
    #[default]
    Task,
    /// The program: tasks of one workload share a colour.
    Program,
    /// The state, as in task lanes.
    State,
    /// The band of priorities: real time, nice levels, idle classes.
    Band,
    /// Where the scheduler's structures of the chosen CPU hold the task now.
    Structure,
}

/// Task colours of the bands; far apart in normal vision and in the three common colour blindnesses.
const BANDS: [u8; 5] = [5, 11, 9, 4, 3];

/// Colour of a task's band, by class and nice level at its start.
pub fn band_ink(task: &TaskView) -> Ink {
    Ink { slot: BANDS[band(task)], repeated: false }
}

fn band(task: &TaskView) -> usize {
    match task.class {
        SchedClass::Fifo | SchedClass::Rr => 0,
        SchedClass::Batch | SchedClass::Idle => 4,
        SchedClass::Iso | SchedClass::Normal => match task.nice {
            ..0 => 1,
            0 => 2,
            1.. => 3,
        },
    }
}

/// Bands that occur among tasks that run, with their colours.
pub fn bands<'a>(tasks: impl Iterator<Item = &'a TaskView>) -> Vec<(&'static str, Ink)> {
    let mut seen = [false; BANDS.len()];
    for task in tasks.filter(|task| task.starts) {
        seen[band(task)] = true;
    }
    let found = (0..BANDS.len()).filter(|&band| seen[band]);
    found.map(|band| (words::BANDS[band].say(), Ink { slot: BANDS[band], repeated: false })).collect()
}

/// Task colours of roles, in order of their appearance.
const ROLES: [u8; 6] = [9, 11, 4, 5, 2, 16];
/// Colour of tasks that the chosen CPU's structures do not hold.
const ELSEWHERE: u8 = 3;

/// Roles that the structures of a CPU give to tasks ("active", "expired", "eligible" ...).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roles {
    names: Vec<String>,
    tasks: Vec<(u32, usize)>,
}

impl Roles {
    /// Reads them off the shapes: a task's role is the part that it is in.
    pub fn of(view: &StructuresView) -> Roles {
        let mut roles = Roles::default();
        if view.curr != IDLE {
            roles.put(EntityView::Task(view.curr), &words::ROLE_RUNS);
        }
        // A role that says whether a task may be picked tells more than the part that it is in.
        let tells_more = |shape: &&ShapeView| matches!(shape, ShapeView::Spans { .. });
        let shapes = || view.panels.iter().flat_map(|panel| panel.shapes.iter().map(move |shape| (panel, shape)));
        for (panel, shape) in shapes().filter(|(_, shape)| tells_more(shape)) {
            roles.read(panel, shape);
        }
        for (panel, shape) in shapes().filter(|(_, shape)| !tells_more(shape)) {
            roles.read(panel, shape);
        }
        roles.tasks.sort_unstable();
        roles
    }

    fn read(&mut self, panel: &PanelView, shape: &ShapeView) {
        match shape {
            ShapeView::Slots { at, .. } => at.iter().for_each(|(_, chip)| self.put(chip.entity, &panel.label)),
            ShapeView::List { chips, .. } => chips.iter().for_each(|chip| self.put(chip.entity, &panel.label)),
            ShapeView::Tree { nodes, .. } => nodes.iter().for_each(|node| self.put(node.entity, &panel.label)),
            ShapeView::Spans { spans, .. } => {
                for span in spans {
                    let role = if span.eligible { words::ROLE_ELIGIBLE } else { words::ROLE_NOT_ELIGIBLE };
                    self.put(span.entity, &role);
                }
            }
            ShapeView::Bitmap { .. }
            | ShapeView::Gauge(_)
            | ShapeView::EntityGauge(..)
            | ShapeView::MatrixRow { .. }
            | ShapeView::Lock { .. }
            | ShapeView::KeyMark { .. }
            | ShapeView::Score(_)
            | ShapeView::Meter(..)
            | ShapeView::Lamp(..)
            | ShapeView::ShareRow(_) => {}
        }
    }

    /// The first role that a task gets stays.
    fn put(&mut self, entity: EntityView, role: &str) {
        let EntityView::Task(task) = entity else { return };
        if self.tasks.iter().any(|(known, _)| *known == task) {
            return;
        }
        let index = self.names.iter().position(|name| name == role).unwrap_or_else(|| {
            self.names.push(role.to_owned());
            self.names.len() - 1
        });
        self.tasks.push((task, index));
    }

    /// Colour of a task by its role.
    pub fn ink(&self, task: u32) -> Ink {
        let found = self.tasks.binary_search_by_key(&task, |(known, _)| *known);
        let slot = found.map_or(ELSEWHERE, |at| ROLES[self.tasks[at].1 % ROLES.len()]);
        Ink { slot, repeated: false }
    }

    /// Roles with their colours, for a legend.
    pub fn legend(&self) -> Vec<(String, Ink)> {
        let ink = |slot| Ink { slot, repeated: false };
        let named = self.names.iter().zip(ROLES.iter().cycle()).map(|(name, &slot)| (name.clone(), ink(slot)));
        named.chain([(words::ROLE_ELSEWHERE.into(), ink(ELSEWHERE))]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::task_ink::tasks_named;
    use super::*;
    use sim_core::engine::protocol::ChipView;

    fn chip(task: u32) -> ChipView {
        let entity = EntityView::Task(task);
        ChipView { entity, slice: 0, slice_full: 0, slice_unit: String::new(), key: None, running: false }
    }

    #[test]
    fn a_role_is_the_part_that_a_task_is_in() {
        let panel = |id, label: &str, task| {
            let at = vec![(120, chip(task))];
            let shapes = vec![ShapeView::Slots { label: String::new(), len: 140, first_normal: 100, at }];
            PanelView { id, label: label.to_owned(), cpu: Some(0), shapes }
        };
        let panels = vec![panel(0, "active", 7), panel(1, "expired", 3)];
        let roles = Roles::of(&StructuresView { lane: 0, t: 0, cpu: 0, panels, curr: 1 });
        assert_eq!(roles.names, ["runs", "active", "expired"]);
        let slots: Vec<u8> = [1, 7, 3, 99].map(|task| roles.ink(task).slot).to_vec();
        let legend: Vec<u8> = roles.legend().into_iter().map(|(_, ink)| ink.slot).collect();
        assert_eq!(slots, legend);
    }

    #[test]
    fn bands_follow_class_and_nice() {
        let mut tasks = tasks_named(&["rt", "high", "normal", "low", "batch"]);
        tasks[0].class = SchedClass::Fifo;
        (tasks[1].nice, tasks[3].nice) = (-5, 10);
        tasks[4].class = SchedClass::Batch;
        let slots: Vec<u8> = tasks.iter().map(|task| band_ink(task).slot).collect();
        assert_eq!(slots, BANDS);
        tasks.truncate(3);
        assert_eq!(bands(tasks.iter()).len(), 3);
    }
}
