//! History of a runqueue's load: `cpu_load[5]` of 2.6.17 to 3.x, and the running averages of task behaviour.

/// Number of averages.
pub const CPU_LOAD_IDX_MAX: usize = 5;

/// `cpu_load[]`: average i follows the load with a half-life of about 2^i ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CpuLoad {
    averages: [u64; CPU_LOAD_IDX_MAX],
}

impl CpuLoad {
    /// `update_cpu_load`, once per tick. A rising average is rounded up, so that it reaches a steady load.
    pub fn tick(&mut self, load: u64) {
        for (index, average) in self.averages.iter_mut().enumerate() {
            let scale = 1u64 << index;
            let rounding = if load > *average { scale - 1 } else { 0 };
            *average = (*average * (scale - 1) + load + rounding) >> index;
        }
    }

    /// Average `index`; 0 is the load at the last tick.
    #[inline]
    pub fn average(&self, index: usize) -> u64 {
        self.averages[index]
    }

    /// All averages.
    pub fn averages(&self) -> &[u64; CPU_LOAD_IDX_MAX] {
        &self.averages
    }
}

/// `update_avg`: moves an average an eighth of the way to `sample` (arithmetic shift of the signed difference).
#[inline]
pub fn update_avg(average: &mut u64, sample: u64) {
    let diff = sample.wrapping_sub(*average) as i64;
    *average = average.wrapping_add((diff >> 3) as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Specification `cfs.md` 12.13.
    #[test]
    fn a_steady_load_is_reached_from_below_and_left_slowly() {
        let mut load = CpuLoad::default();
        let mut seen = Vec::new();
        for _ in 0..8 {
            load.tick(1024);
            seen.push(load.averages);
        }
        assert_eq!(seen[0], [1024, 512, 256, 128, 64]);
        assert_eq!(seen[1], [1024, 768, 448, 240, 124]);
        assert_eq!(seen[2], [1024, 896, 592, 338, 181]);
        assert_eq!(seen[3], [1024, 960, 700, 424, 234]);
        assert_eq!(seen[7], [1024, 1020, 922, 674, 416]);
        load.tick(0);
        assert_eq!(load.averages, [0, 510, 691, 589, 390]);
        load.tick(0);
        assert_eq!(load.averages, [0, 255, 518, 515, 365]);
    }

    #[test]
    fn an_average_falls_by_an_eighth_rounded_down() {
        let mut average = 1000;
        update_avg(&mut average, 0);
        assert_eq!(average, 875);
        update_avg(&mut average, 874);
        assert_eq!(average, 874);
    }
}
