//! Rules that decide, and marks on the timeline.

crate::reasons! {
    /// Why a task got the CPU.
    pub enum Why {
        NothingRunnable = "no task is runnable: the CPU idles and rotation {0} begins" [Count] in "schedule",
        RealTime = "real-time priority {0} is the first set bit of the active bitmap" [Prio] in "schedule",
        Iso = "a SCHED_ISO task within its share runs before all normal tasks, iso use {0}" [Percent] in "schedule",
        FirstSlot = "slot {0} is the first one taken in the active array; {1} of its quota are left" [Count, Nanos] in "schedule",
        ArraySwap = "nothing is left in the active array: swapped with expired, rotation {0} begins in slot {1}" [Count, Count] in "schedule",
        OnlyIdleprio = "only IDLEPRIO tasks are runnable: the next of their list, rotation {0}" [Count] in "schedule",
    }
}

/// Names of notes, by code.
pub(super) const NOTES: &[&str] = &["rotation", "slot over", "expired", "iso refractory"];

/// `prio_rotation` moved: the new number, and why (0 swap, 1 idle, 2 IDLEPRIO).
pub(super) const NOTE_ROTATION: u16 = 0;
/// SCHED_ISO tasks of a CPU used up (1) or got back (0) their privilege.
pub(super) const NOTE_REFRACTORY: u16 = 3;
