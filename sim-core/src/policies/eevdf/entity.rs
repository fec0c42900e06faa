//! Sched entities, their weights and the arithmetic on them. Weights have 10 extra bits on 64-bit kernels (`load`); most
//! arithmetic uses them scaled down (`weight`).

use super::pelt::SchedAvg;
use crate::queues::nice;

/// Index of an entity: group entities first (`group * cpus + cpu`), then tasks.
pub type Ent = usize;

/// No node, no entity.
pub const NIL: u32 = u32::MAX;

/// Weight of a nice-0 task, scaled down.
pub const NICE_0: i64 = nice::NICE_0_LOAD as i64;
/// `SCHED_IDLE` and idle groups.
pub const IDLE_WEIGHT: i64 = 3;
/// Inverse of [`IDLE_WEIGHT`].
pub const IDLE_INVERSE: u32 = 1_431_655_765;

/// Extra bits of a load weight (`SCHED_FIXEDPOINT_SHIFT`).
const EXTRA_BITS: u32 = 10;

/// `scale_load`: a weight with its extra bits.
pub fn scaled_up(weight: i64) -> i64 {
    weight << EXTRA_BITS
}

/// `scale_load_down`: without them; at least 2 unless 0.
#[inline]
pub fn scaled_down(load: i64) -> i64 {
    if load == 0 { 0 } else { (load >> EXTRA_BITS).max(2) }
}

/// Inverse weight of a queue or group entity: floor(0xffffffff / w).
pub fn inverse(weight: i64) -> u32 {
    if weight <= 0 { u32::MAX } else { (u64::from(u32::MAX) / weight as u64).max(1) as u32 }
}

/// `__calc_delta`: delta * weight / divisor, truncating, with the precision of the kernel.
pub fn calc_delta(delta: i64, weight: i64, divisor_inverse: u32) -> i64 {
    let mut factor = weight as u64;
    let mut shift = 32u32;
    if factor >> 32 != 0 {
        let excess = 64 - (factor >> 32).leading_zeros();
        shift -= excess;
        factor >>= excess;
    }
    factor = u64::from(factor as u32) * u64::from(divisor_inverse);
    if factor >> 32 != 0 {
        let excess = 64 - (factor >> 32).leading_zeros();
        shift -= excess;
        factor >>= excess;
    }
    ((u128::from(delta as u64) * u128::from(factor)) >> shift) as i64
}

/// A task or a group's part on one CPU.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Load weight with its 10 extra bits.
    pub load: i64,
    /// The same, scaled down.
    pub weight: i64,
    /// 2^32 / weight.
    pub inverse: u32,
    /// Virtual run time, ns.
    pub vruntime: i64,
    /// Virtual deadline, ns (relative while `rel_deadline`).
    pub deadline: i64,
    /// Slice, ns.
    pub slice: i64,
    /// The slice was asked for.
    pub custom_slice: bool,
    /// Lag when it left its queue; while it runs: the deadline that it was picked with.
    pub vlag: i64,
    /// Left without sleeping: `deadline` is relative.
    pub rel_deadline: bool,
    /// Blocked, but still queued until its lag is worked off (6.12).
    pub delayed: bool,
    /// Queued or running.
    pub on_rq: bool,
    /// Start of the time not charged yet.
    pub exec_start: u64,
    /// CPU time charged.
    pub sum_exec: u64,
    /// `sum_exec` at the pick.
    pub prev_sum_exec: u64,
    /// Queue (cfs_rq) it belongs to.
    pub queue: u32,
    /// Group entity above; NIL at the root.
    pub parent: u32,
    /// Load tracking.
    pub avg: SchedAvg,
    /// Its load is part of its queue's.
    pub attached: bool,
    /// Tasks below, when that was last noted (`runnable_weight`); groups only.
    pub runnable: u32,
}

impl Entity {
    /// A nice-0 entity that never ran.
    pub fn new(queue: u32, parent: u32) -> Self {
        Entity {
            load: scaled_up(NICE_0),
            weight: NICE_0,
            inverse: nice::inverse(0) as u32,
            vruntime: 0,
            deadline: 0,
            slice: 0,
            custom_slice: false,
            vlag: 0,
            rel_deadline: false,
            delayed: false,
            on_rq: false,
            exec_start: 0,
            sum_exec: 0,
            prev_sum_exec: 0,
            queue,
            parent,
            avg: SchedAvg::default(),
            attached: false,
            runnable: 0,
        }
    }

    /// Gives it a weight (with extra bits) and its inverse.
    pub fn set_load(&mut self, load: i64, inverse: u32) {
        self.load = load;
        self.weight = scaled_down(load);
        self.inverse = inverse;
    }

    /// `calc_delta_fair`: ns of real time as virtual time of the entity.
    pub fn scaled(&self, delta: i64) -> i64 {
        if self.load == scaled_up(NICE_0) { delta } else { calc_delta(delta, NICE_0, self.inverse) }
    }

    /// Still runs on the deadline that it was picked with (run to parity).
    pub fn is_protected(&self) -> bool {
        self.vlag == self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nice(level: i8) -> Entity {
        let mut entity = Entity::new(0, NIL);
        entity.set_load(scaled_up(nice::weight(level) as i64), nice::inverse(level) as u32);
        entity
    }

    #[test]
    fn virtual_time_truncates_as_the_kernel_does() {
        // modern.md 10.1
        let row = |level: i8| [1_000_000, 4_000_000, 10_000_000].map(|delta| self::nice(level).scaled(delta));
        assert_eq!(row(-20), [11_536, 46_146, 115_365]);
        assert_eq!(row(-10), [107_247, 428_990, 1_072_475]);
        assert_eq!(row(-5), [328_099, 1_312_399, 3_280_999]);
        assert_eq!(row(0), [1_000_000, 4_000_000, 10_000_000]);
        assert_eq!(row(1), [1_248_780, 4_995_121, 12_487_804]);
        assert_eq!(row(5), [3_056_716, 12_226_865, 30_567_164]);
        assert_eq!(row(10), [9_309_090, 37_236_363, 93_090_908]);
        assert_eq!(row(19), [68_266_666, 273_066_666, 682_666_666]);
    }

    #[test]
    fn group_inverses_are_floors() {
        assert_eq!(inverse(1024), 4_194_303);
        assert_eq!(inverse(0), u32::MAX);
        assert_eq!(inverse(i64::from(u32::MAX)), 1);
    }
}
