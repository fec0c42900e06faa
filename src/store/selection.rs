//! What the visitor points at.

use std::rc::Rc;
use yew::Reducible;

/// A selected task whose CPU is not known yet: the engine's answer names it.
pub const CPU_UNKNOWN: u16 = u16::MAX;

/// Selection. Hover is not here: it changes with the mouse and lives in `Live`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Selection {
    /// Selected task.
    pub task: Option<u32>,
    /// Selected slice, wait or gap: CPU and a time inside it, ns.
    pub slice: Option<(u16, u64)>,
    /// CPU whose structures are shown.
    pub cpu: u16,
    /// Policy lane.
    pub lane: u8,
    /// Marked stretch of time, ns.
    pub range: Option<(u64, u64)>,
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum SelectionAction {
    /// A slice (or gap) of a CPU at a time; the task if one runs there. Chooses the CPU too.
    Slice {
        /// CPU.
        cpu: u16,
        /// Time inside the slice, ns.
        t: u64,
        /// Task that runs there.
        task: Option<u32>,
    },
    /// A task at a time, wherever it was.
    Task {
        /// Who.
        task: u32,
        /// CPU it was on and when, if known.
        slice: Option<(u16, u64)>,
    },
    /// The CPU of the structures.
    Cpu(u16),
    /// The lane.
    Lane(u8),
    /// A marked stretch of time, or none.
    Range(Option<(u64, u64)>),
    /// Nothing.
    Clear,
}

impl Selection {
    /// `cpu`, or the chosen one where it is not known.
    pub fn cpu_or_present(&self, cpu: u16) -> u16 {
        if cpu == CPU_UNKNOWN { self.cpu } else { cpu }
    }
}

impl Reducible for Selection {
    type Action = SelectionAction;

    fn reduce(self: Rc<Self>, action: SelectionAction) -> Rc<Self> {
        let next = match action {
            SelectionAction::Slice { cpu, t, task } => {
                Self { task, slice: Some((cpu, t)), cpu: self.cpu_or_present(cpu), ..(*self).clone() }
            }
            SelectionAction::Task { task, slice } => {
                let cpu = slice.map_or(self.cpu, |(cpu, _)| self.cpu_or_present(cpu));
                Self { task: Some(task), slice, cpu, ..(*self).clone() }
            }
            SelectionAction::Cpu(cpu) => Self { cpu, ..(*self).clone() },
            SelectionAction::Lane(lane) => Self { lane, ..(*self).clone() },
            SelectionAction::Range(range) => Self { range, ..(*self).clone() },
            SelectionAction::Clear => Self { cpu: self.cpu, lane: self.lane, ..Self::default() },
        };
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_keeps_the_cpu_of_the_structures() {
        let chosen = SelectionAction::Slice { cpu: 3, t: 7, task: Some(1) };
        let state = Rc::new(Selection::default()).reduce(chosen).reduce(SelectionAction::Clear);
        assert_eq!(*state, Selection { cpu: 3, ..Selection::default() });
    }
}
