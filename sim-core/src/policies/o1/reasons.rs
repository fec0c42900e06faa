//! Why a task was picked.

crate::reasons! {
    /// Rules that decide.
    pub enum Why {
        FirstSetBit = "priority {0} is the first set bit of the active bitmap ({1} queued there, {2} expired)" [Prio, Count, Count] in "schedule",
        ArraySwitch = "the active array was empty, so active and expired were swapped; of {1} tasks priority {0} comes first" [Prio, Count] in "schedule",
        Idle = "nothing is runnable here, and no other CPU has a task to spare" [] in "schedule",
        Pulled = "this CPU ran empty and pulled from others: {1} runnable now, priority {0} comes first" [Prio, Count] in "idle_balance",
        Reinserted = "it was first at priority {0}; its wait on the queue counts as sleep and makes its priority {1}, but it runs now all the same" [Prio, Prio] in "recalc_task_prio",
        WokenBetter = "it became runnable with priority {0}, better than {1} of the running task" [Prio, Prio] in "try_to_wake_up",
        WokenToIdle = "it became runnable with priority {0} while this CPU had nothing to do" [Prio] in "try_to_wake_up",
        SliceExpired = "the running task used up its slice and waits in the expired array; priority {0} comes first ({1} active, {2} expired)" [Prio, Count, Count] in "scheduler_tick",
        Reactivated = "the running task used up its slice but counts as interactive: it went behind its equals in the active array; priority {0} comes first" [Prio] in "scheduler_tick",
        KeptInteractive = "its slice is used up, but it counts as interactive and stays in the active array; its priority {0} is still the best" [Prio] in "scheduler_tick",
        ClassStarving = "the running task used up its slice, but its class is starving: it went behind its equals in the active array and {1} expired tasks wait on; priority {0} comes first" [Prio, Count] in "cpu_rc_task_is_starving",
        KeptStarving = "its slice is used up, but its class is starving and stays in the active array; its priority {0} is still the best" [Prio] in "cpu_rc_task_is_starving",
        ExpiredStarving = "the interactive running task used up its slice and was expired, because expired tasks have waited {1} ticks and {2} are allowed; priority {0} comes first" [Prio, Ticks, Ticks] in "EXPIRED_STARVING",
        Granularity = "a piece of {1} ticks of the interactive task's slice is over, so it went behind its equals; priority {0} comes first" [Prio, Ticks] in "scheduler_tick",
        RoundRobin = "the turn of the SCHED_RR task is over, so it went behind its equals; priority {0} comes first" [Prio] in "scheduler_tick",
        Yielded = "the running task yielded; priority {0} comes first ({1} active, {2} expired)" [Prio, Count, Count] in "sys_sched_yield",
        YieldedSameArray = "the running task yielded, and yield looks only at its own array: priority {0} comes first there" [Prio] in "sys_sched_yield",
        ChildFirst = "a new child stands before its parent at priority {0}" [Prio] in "wake_up_new_task",
        MigrationThread = "the migration thread pushes the running task to another CPU" [] in "active_load_balance",
    }
}

/// Marks on the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub(super) enum Mark {
    ArraySwitch,
    Pull,
    Push,
    /// A class's slices are scaled anew: group, factor in percent.
    Factor,
    /// A class became hungry: group, long waits seen.
    Hungry,
    /// A class has what it is promised: group, guarantee in percent.
    Satisfied,
    /// A class is starving: group, evaluations in which it was hungry.
    Starving,
}

/// Names of [`Mark`] by code.
pub(super) const MARKS: &[&str] =
    &["array switch", "pull", "push", "class factor", "class hungry", "class satisfied", "class starving"];

impl From<Mark> for u16 {
    fn from(mark: Mark) -> u16 {
        mark as u16
    }
}
