//! How long something took, on machines that do other things as well.

use std::time::{Duration, Instant};

/// Measures the time that this thread was on a CPU, where the system tells it (Linux); elsewhere the time that passed.
/// What other processes take from a busy machine is then not counted, except for what they take from its caches.
pub struct Clock {
    on_cpu: Option<u64>,
    started: Instant,
}

impl Clock {
    /// Begins now.
    pub fn start() -> Clock {
        Clock { on_cpu: on_cpu_ns(), started: Instant::now() }
    }

    /// Time since the start. Linux counts up to the last timer interrupt, so that some milliseconds may be missing.
    pub fn elapsed(&self) -> Duration {
        match (self.on_cpu, on_cpu_ns()) {
            (Some(start), Some(now)) => Duration::from_nanos(now - start),
            _ => self.started.elapsed(),
        }
    }
}

/// Time of this thread on CPUs, ns: the first number of its `schedstat`.
fn on_cpu_ns() -> Option<u64> {
    std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_takes_none_where_the_system_tells() {
        let clock = Clock::start();
        let begun = Instant::now();
        while clock.elapsed().is_zero() {
            assert!(begun.elapsed() < Duration::from_secs(60), "a minute of work took no time");
        }
        let worked = clock.elapsed();
        std::thread::sleep(Duration::from_millis(200));
        let slept = clock.elapsed() - worked;
        assert_eq!(slept < Duration::from_millis(150), on_cpu_ns().is_some(), "{slept:?}");
    }
}
