//! Identifiers and units. Widths are fixed so that native and wasm agree bit for bit.

use core::fmt;

/// Simulated time or duration in nanoseconds.
pub type Nanos = u64;

/// Largest number of CPUs of a machine.
pub const CPUS_MAX: u16 = 256;

/// A time that never comes.
pub const NEVER: Nanos = u64::MAX;

/// Index of a CPU, `0..cpus`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CpuId(pub u16);

/// Index of a task in the task table. Never the idle task: idle is `None`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TaskId(pub u32);

/// Index of a task group (cgroup, class); 0 is the root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct GroupId(pub u16);

impl CpuId {
    /// The CPU as an array index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl TaskId {
    /// The task as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl GroupId {
    /// The root group.
    pub const ROOT: GroupId = GroupId(0);
    /// The group as an array index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for CpuId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cpu{}", self.0)
    }
}

/// A set of CPUs (`cpus_allowed`, spans of sched domains).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CpuMask([u64; 4]);

impl CpuMask {
    /// No CPU.
    pub const EMPTY: CpuMask = CpuMask([0; 4]);
    /// Every CPU that a machine can have.
    pub const ALL: CpuMask = CpuMask([u64::MAX; 4]);

    /// The CPUs `0..count`.
    pub fn first(count: u16) -> CpuMask {
        let mut mask = CpuMask::EMPTY;
        for cpu in 0..count {
            mask.insert(CpuId(cpu));
        }
        mask
    }

    /// One CPU.
    pub fn single(cpu: CpuId) -> CpuMask {
        let mut mask = CpuMask::EMPTY;
        mask.insert(cpu);
        mask
    }

    /// Whether `cpu` is in the set.
    #[inline]
    pub fn contains(&self, cpu: CpuId) -> bool {
        self.0[cpu.index() >> 6] >> (cpu.0 & 63) & 1 != 0
    }

    /// Adds `cpu`.
    #[inline]
    pub fn insert(&mut self, cpu: CpuId) {
        self.0[cpu.index() >> 6] |= 1 << (cpu.0 & 63);
    }

    /// Takes `cpu` out.
    #[inline]
    pub fn remove(&mut self, cpu: CpuId) {
        self.0[cpu.index() >> 6] &= !(1 << (cpu.0 & 63));
    }

    /// Whether no CPU is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// How many CPUs are in the set.
    pub fn count(&self) -> u32 {
        // Without a processor's instruction for it counting is dear, and most machines have few CPUs.
        let ones = |word: u64| if word == 0 { 0 } else { word.count_ones() };
        ones(self.0[0]) + ones(self.0[1]) + ones(self.0[2]) + ones(self.0[3])
    }

    /// CPUs in both sets.
    pub fn and(&self, other: &CpuMask) -> CpuMask {
        CpuMask([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2], self.0[3] & other.0[3]])
    }

    /// The lowest CPU of the set that is `from` or above.
    #[inline]
    pub fn next(&self, from: u16) -> Option<CpuId> {
        let mut word_index = usize::from(from >> 6);
        if word_index >= 4 {
            return None;
        }
        let mut word = self.0[word_index] & (u64::MAX << (from & 63));
        loop {
            if word != 0 {
                return Some(CpuId((word_index as u16) << 6 | word.trailing_zeros() as u16));
            }
            word_index += 1;
            if word_index == 4 {
                return None;
            }
            word = self.0[word_index];
        }
    }

    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = CpuId> + use<> {
        let mask = *self;
        let mut from = 0;
        core::iter::from_fn(move || {
            let cpu = mask.next(from)?;
            from = cpu.0 + 1;
            Some(cpu)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_walks_in_ascending_order_across_words() {
        let mut mask = CpuMask::EMPTY;
        for cpu in [255, 3, 64, 63] {
            mask.insert(CpuId(cpu));
        }
        let order: Vec<u16> = mask.iter().map(|cpu| cpu.0).collect();
        assert_eq!(order, [3, 63, 64, 255]);
        mask.remove(CpuId(64));
        assert!(!mask.contains(CpuId(64)));
        assert_eq!(mask.count(), 3);
        assert_eq!(mask.next(256), None);
    }
}
