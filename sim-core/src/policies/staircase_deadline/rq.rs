//! The run queue: two priority arrays with their bitmaps, the levels that the rotation has reached, and the tasks' data.

use super::matrix::{FIRST_DYNAMIC, MAX_PRIO, SLOTS, WORST_STATIC};
use crate::policy::SchedClass;
use crate::queues::bitmap::PrioBitmap;
use crate::queues::task_lists::TaskList;
use crate::units::Nanos;

/// Lists of an array: 0..=98 real time, 99 ISO, 100..=139 slots, 140 IDLEPRIO.
pub(super) const LISTS: usize = MAX_PRIO as usize + 1;
/// Priority of a privileged SCHED_ISO task.
pub(super) const ISO_PRIO: u8 = 99;
/// Array that holds the IDLEPRIO list.
pub(super) const IDLEPRIO_ARRAY: u8 = 0;
/// Rotation of a task that has not been queued in one yet.
pub(super) const NEVER_QUEUED: u64 = u64::MAX;

/// What the scheduler knows of a task.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    /// Rotation in which `bitmap` and `array` are valid.
    pub(super) rotation: u64,
    /// Slots granted in this rotation.
    pub(super) bitmap: u64,
    /// When its time was last accounted or it last left the CPU, ns.
    pub(super) last_ran: Nanos,
    /// Left of the quota in the present slot, us; negative after an overrun.
    pub(super) time_slice_us: i32,
    /// Quota per slot, us.
    pub(super) quota_us: i32,
    pub(super) load_weight: u32,
    /// CPU of the last queueing: `array` is one of its arrays.
    pub(super) home: u16,
    pub(super) static_prio: u8,
    pub(super) prio: u8,
    /// Array that it is or was last on, 0 or 1.
    pub(super) array: u8,
    pub(super) class: SchedClass,
    pub(super) queued: bool,
    /// A forked child that still uses the time its parent gave.
    pub(super) first_time_slice: bool,
    /// `PF_ISOREF`: SCHED_ISO that counts as normal for now.
    pub(super) iso_refractory: bool,
    /// `PF_NONSLEEP`: woke from an uninterruptible sleep (looked at for IDLEPRIO only).
    pub(super) nonsleep: bool,
    /// The migration thread: weighs nothing.
    pub(super) weightless: bool,
}

impl Entity {
    /// Row of the matrix and of `prio_level`: nice + 20.
    pub(super) fn user_prio(&self) -> usize {
        usize::from(self.static_prio) - FIRST_DYNAMIC as usize
    }

    /// SCHED_ISO with its privilege.
    pub(super) fn is_privileged_iso(&self) -> bool {
        self.class == SchedClass::Iso && !self.iso_refractory
    }
}

impl Default for Entity {
    fn default() -> Self {
        Entity {
            rotation: NEVER_QUEUED,
            bitmap: 0,
            last_ran: 0,
            time_slice_us: 0,
            quota_us: 0,
            load_weight: 0,
            home: 0,
            static_prio: 120,
            prio: 120,
            array: 0,
            class: SchedClass::Normal,
            queued: false,
            first_time_slice: false,
            iso_refractory: false,
            nonsleep: false,
            weightless: false,
        }
    }
}

/// A priority array.
#[derive(Clone, Debug)]
pub(super) struct PrioArray {
    pub(super) lists: [TaskList; LISTS],
    pub(super) bitmap: PrioBitmap<3>,
    /// Best static priority that ran in (active) or was sent to (expired) this array in this rotation.
    pub(super) best_static_prio: u8,
}

impl PrioArray {
    fn new() -> PrioArray {
        PrioArray { lists: [TaskList::EMPTY; LISTS], bitmap: PrioBitmap::default(), best_static_prio: WORST_STATIC }
    }

    /// First used dynamic slot's priority.
    pub(super) fn first_dynamic(&self) -> Option<u32> {
        self.bitmap.next(FIRST_DYNAMIC).filter(|&prio| prio < MAX_PRIO)
    }
}

/// Run queue of a CPU.
#[derive(Clone, Debug)]
pub(super) struct Rq {
    pub(super) arrays: [PrioArray; 2],
    /// Index of the active array.
    pub(super) active: u8,
    pub(super) prio_rotation: u64,
    /// Worst priority that each nice level has reached in this rotation; 0 = not seen yet.
    pub(super) prio_level: [u8; SLOTS as usize],
    pub(super) nr_running: u32,
    /// Tasks on the IDLEPRIO list.
    pub(super) nr_idleprio: u32,
    pub(super) raw_weighted_load: u64,
    /// Time of the last tick or `schedule()`, ns.
    pub(super) most_recent: Nanos,
    pub(super) iso_ticks: u64,
    pub(super) iso_refractory: bool,
}

impl Rq {
    pub(super) fn new() -> Rq {
        Rq {
            arrays: [PrioArray::new(), PrioArray::new()],
            active: 0,
            prio_rotation: 0,
            prio_level: [0; SLOTS as usize],
            nr_running: 0,
            nr_idleprio: 0,
            raw_weighted_load: 0,
            most_recent: 0,
            iso_ticks: 0,
            iso_refractory: false,
        }
    }

    pub(super) fn expired_index(&self) -> u8 {
        self.active ^ 1
    }

    pub(super) fn active(&self) -> &PrioArray {
        &self.arrays[usize::from(self.active)]
    }

    pub(super) fn active_mut(&mut self) -> &mut PrioArray {
        &mut self.arrays[usize::from(self.active)]
    }

    pub(super) fn expired(&self) -> &PrioArray {
        &self.arrays[usize::from(self.active ^ 1)]
    }

    pub(super) fn expired_mut(&mut self) -> &mut PrioArray {
        &mut self.arrays[usize::from(self.active ^ 1)]
    }

    /// `reset_prio_levels`, when a rotation begins.
    pub(super) fn reset_prio_levels(&mut self) {
        for array in &mut self.arrays {
            array.best_static_prio = WORST_STATIC;
        }
        self.prio_level = [0; SLOTS as usize];
    }

    /// `rq_best_prio`; 140 if there is none.
    pub(super) fn best_prio(&self) -> u32 {
        let active = self.active().bitmap.first().unwrap_or(MAX_PRIO);
        let expired = self.expired().first_dynamic().unwrap_or(MAX_PRIO);
        active.min(expired)
    }
}
