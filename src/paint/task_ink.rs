//! Which colour a task has. Colours follow names, so a task keeps its colour when others come and go.

use super::colour_by::{ColourBy, Roles, band_ink};
use super::palette::TASK_COLOURS;
use sim_core::engine::protocol::TaskView;

/// Colour of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ink {
    /// Index into the palette's task colours.
    pub slot: u8,
    /// Another task has the slot too: draw a striped top edge.
    pub repeated: bool,
}

/// Names and colours of all tasks of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TaskInk {
    names: Vec<String>,
    workloads: Vec<u16>,
    starts: Vec<bool>,
    by_task: Vec<Ink>,
    by_program: Vec<Ink>,
    by_band: Vec<Ink>,
    roles: Roles,
    group_names: Vec<String>,
    group_inks: Vec<Ink>,
}

impl TaskInk {
    /// Assigns colours to tasks (in the order of their ids) and groups.
    pub fn new<'a>(tasks: impl IntoIterator<Item = &'a TaskView>, groups: &[String]) -> TaskInk {
        let mut ink = TaskInk::default();
        for task in tasks {
            ink.put(task);
        }
        ink.group_names = groups.to_vec();
        ink.colour();
        ink
    }

    /// Adds tasks that came into being later. Tasks known before keep their colours.
    pub fn extend<'a>(&mut self, tasks: impl IntoIterator<Item = &'a TaskView>) {
        for task in tasks {
            self.put(task);
        }
        self.colour();
    }

    fn put(&mut self, task: &TaskView) {
        let index = task.id as usize;
        if self.names.len() <= index {
            self.names.resize(index + 1, String::new());
            self.workloads.resize(index + 1, u16::MAX);
            self.starts.resize(index + 1, false);
            self.by_band.resize(index + 1, Ink::default());
        }
        self.names[index].clone_from(&task.name);
        self.workloads[index] = task.workload;
        self.starts[index] = task.starts;
        self.by_band[index] = band_ink(task);
    }

    fn colour(&mut self) {
        // Tasks that run choose first: rows kept ready for a slider must not take their colours.
        let ids = 0..self.names.len();
        let order: Vec<usize> =
            ids.clone().filter(|&i| self.starts[i]).chain(ids.filter(|&i| !self.starts[i])).collect();
        self.by_task = vec![Ink::default(); self.names.len()];
        for (&id, ink) in order.iter().zip(assign(order.iter().map(|&i| self.names[i].as_str()))) {
            self.by_task[id] = ink;
        }
        self.by_program = assign_shared(self.names.iter().map(|n| program(n)));
        self.group_inks = assign(self.group_names.iter().map(String::as_str));
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no task.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Name of a task; empty if it is not known (yet).
    pub fn name(&self, task: u32) -> &str {
        self.names.get(task as usize).map_or("", String::as_str)
    }

    /// Workload of a task; `u16::MAX` for kernel threads and unknown tasks.
    pub fn workload(&self, task: u32) -> u16 {
        self.workloads.get(task as usize).copied().unwrap_or(u16::MAX)
    }

    /// Whether a task runs in this scenario; others are kept ready for a slider or a fork.
    pub fn starts(&self, task: u32) -> bool {
        self.starts.get(task as usize).copied().unwrap_or(false)
    }

    /// Name of a group.
    pub fn group_name(&self, group: u16) -> &str {
        self.group_names.get(usize::from(group)).map_or("", String::as_str)
    }

    /// Colour of a group.
    pub fn group_ink(&self, group: u16) -> Ink {
        self.group_inks.get(usize::from(group)).copied().unwrap_or_default()
    }

    /// Colour of a task. Above 18 tasks the colour is the program's unless the visitor asked for tasks.
    pub fn ink(&self, task: u32, by: ColourBy) -> Ink {
        let table = match by {
            ColourBy::Task => &self.by_task,
            ColourBy::Program | ColourBy::State => &self.by_program,
            ColourBy::Band => &self.by_band,
            ColourBy::Structure => return self.roles.ink(task),
        };
        table.get(task as usize).copied().unwrap_or_default()
    }

    /// Takes the roles of tasks in the structures shown.
    pub fn set_roles(&mut self, roles: Roles) {
        self.roles = roles;
    }

    /// Roles of tasks in the structures shown.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The meaning that suits the number of tasks.
    pub fn colour_by_default(&self) -> ColourBy {
        let running = self.starts.iter().filter(|starts| **starts).count();
        if running > TASK_COLOURS { ColourBy::Program } else { ColourBy::Task }
    }

    /// Programs that run, in order of first appearance with their colour, for a legend.
    pub fn programs(&self) -> Vec<(&str, Ink)> {
        let mut seen: Vec<(&str, Ink)> = Vec::new();
        for ((name, ink), _) in self.names.iter().zip(&self.by_program).zip(&self.starts).filter(|(_, starts)| **starts)
        {
            let program = program(name);
            if !program.is_empty() && !seen.iter().any(|(known, _)| *known == program) {
                seen.push((program, *ink));
            }
        }
        seen
    }
}

/// `hog/3` → `hog`, `cc1-12` → `cc1`, `xterm` → `xterm`.
pub fn program(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if bare.len() == name.len() {
        return name;
    }
    match bare.strip_suffix(['/', '-', '#', ' ', ':', '.']) {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// FNV-1a: the same on every machine and for ever, because shared pictures carry the colours.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

/// Distance of the slots that are tried one after the other; has no factor in common with 18.
const STRIDE: usize = 5;

/// Each name gets the slot of its hash, or the next free one. When all 18 are taken slots repeat.
fn assign<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Ink> {
    let mut taken = [0_u32; TASK_COLOURS];
    names
        .map(|name| {
            let least = taken.iter().copied().min().unwrap_or(0);
            let mut slot = hash(name) as usize % TASK_COLOURS;
            while taken[slot] > least {
                slot = (slot + STRIDE) % TASK_COLOURS;
            }
            taken[slot] += 1;
            Ink { slot: slot as u8, repeated: taken[slot] > 1 }
        })
        .collect()
}

/// As [`assign`], but equal names share their slot.
fn assign_shared<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Ink> {
    let names: Vec<&str> = names.collect();
    let mut distinct: Vec<&str> = Vec::new();
    for name in &names {
        if !distinct.contains(name) {
            distinct.push(name);
        }
    }
    let inks = assign(distinct.iter().copied());
    names
        .iter()
        .map(|name| distinct.iter().position(|d| d == name).and_then(|i| inks.get(i)).copied().unwrap_or_default())
        .collect()
}

#[cfg(test)]
pub(crate) fn tasks_named(names: &[&str]) -> Vec<TaskView> {
    names
        .iter()
        .enumerate()
        .map(|(id, name)| TaskView {
            id: id as u32,
            name: (*name).to_owned(),
            workload: 0,
            nice: 0,
            class: sim_core::policy::SchedClass::Normal,
            group: 0,
            starts: true,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighteen_tasks_have_eighteen_colours() {
        let names: Vec<String> = (0..19).map(|i| format!("t{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let ink = TaskInk::new(&tasks_named(&names), &[]);
        let mut slots: Vec<u8> = (0..18).map(|t| ink.ink(t, ColourBy::Task).slot).collect();
        slots.sort_unstable();
        assert_eq!(slots, (0..18).collect::<Vec<u8>>());
        assert!(ink.ink(18, ColourBy::Task).repeated);
        assert_eq!(ink.colour_by_default(), ColourBy::Program);
    }

    #[test]
    fn tasks_that_come_later_do_not_change_the_colours_of_the_others() {
        let all = tasks_named(&["hog/0", "hog/1", "xterm", "vim"]);
        let mut ink = TaskInk::new(&all[..2], &[]);
        let before = [ink.ink(0, ColourBy::Task), ink.ink(1, ColourBy::Task)];
        ink.extend(&all[2..]);
        assert_eq!(before, [ink.ink(0, ColourBy::Task), ink.ink(1, ColourBy::Task)]);
        assert_eq!(ink.name(3), "vim");
    }

    #[test]
    fn rows_kept_ready_for_a_slider_take_no_colour_from_tasks_that_run() {
        let names: Vec<String> = (0..90).map(|i| format!("t{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut tasks = tasks_named(&names);
        tasks.iter_mut().for_each(|task| task.starts = task.id >= 80);
        let ink = TaskInk::new(&tasks, &[]);
        assert_eq!(ink.colour_by_default(), ColourBy::Task);
        assert!((80..90).all(|t| !ink.ink(t, ColourBy::Task).repeated));
    }

    #[test]
    fn tasks_of_a_program_share_its_colour() {
        let ink = TaskInk::new(&tasks_named(&["hog/0", "hog/1", "cc1-4", "i386"]), &[]);
        assert_eq!(ink.ink(0, ColourBy::Program), ink.ink(1, ColourBy::Program));
        assert_ne!(ink.ink(0, ColourBy::Program), ink.ink(2, ColourBy::Program));
        let names: Vec<&str> = ink.programs().into_iter().map(|(n, _)| n).collect();
        assert_eq!(names, ["hog", "cc1", "i386"]);
    }
}
