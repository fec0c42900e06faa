//! The sleep account, and what follows from it: priority and slice.

/// Time a task was seen, and slept, over about the last second; a tick counts 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct SleepAccount {
    pub(super) total: u64,
    pub(super) sleep: u64,
    /// Share of sleep, 0..=1000.
    pub(super) avg: u64,
}

impl SleepAccount {
    /// `add_task_time`: `ticks` of sleeping or running; older time fades.
    pub(super) fn add(&mut self, hz: u64, ticks: u64, slept: bool) {
        if ticks == 0 {
            return;
        }
        let ticks = if ticks > hz {
            (self.total, self.sleep) = (0, 0);
            hz
        } else {
            let rest = hz - ticks;
            self.total = (rest * self.total + hz / 2) / hz;
            self.sleep = (rest * self.sleep + hz / 2) / hz;
            ticks
        };
        self.total += 1000 * ticks;
        if slept {
            self.sleep += 1000 * ticks;
        }
        self.avg = 1000 * self.sleep / self.total;
    }

    /// Fork: the child's account; the parent keeps three quarters of its sleep.
    pub(super) fn split(&mut self) -> SleepAccount {
        let total = self.total / 10;
        let sleep = self.sleep / 10 + (total - self.sleep / 10) / 20;
        let avg = (1000 * sleep).checked_div(total).unwrap_or(0);
        self.sleep = self.sleep * 3 / 4;
        self.avg = (1000 * self.sleep).checked_div(self.total).unwrap_or(0);
        SleepAccount { total, sleep, avg }
    }
}

/// Priority of a normal task: half of the nice level, and up to 20 for sleep.
pub(super) fn prio(user_prio: u8, avg: u64) -> u8 {
    let bonus = (40 * avg / 1000 / 2) as i32;
    (100 + i32::from(user_prio / 2) + 20 - bonus).clamp(100, 139) as u8
}

/// Slice, in ticks, of a task of priority `prio` while `best` is the best one queued.
pub(super) fn slice(min: i32, best: u8, prio: u8) -> i32 {
    let behind = i32::from(prio) - i32::from(best);
    let base = min * 41 / (behind + 2);
    (base * (i32::from(best) - 100 + 8) / 8).max(1)
}
