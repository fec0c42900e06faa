//! Time on the x axis.

use super::number;

/// Shortest window, ns: below this a pixel is less than a nanosecond.
pub const WINDOW_MIN: u64 = 1_000;

/// Maps a window of time to a range of pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeScale {
    /// First time shown, ns.
    pub from: u64,
    /// First time not shown, ns; later than `from`.
    pub to: u64,
    /// x of `from`, px.
    pub left: f64,
    /// x of `to`, px.
    pub right: f64,
}

/// Distance of the ruler's labels and how to write them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Distance, ns.
    pub every: u64,
    /// Unit, ns.
    pub unit: u64,
    /// Name of the unit.
    pub unit_name: &'static str,
    /// Digits behind the point.
    pub decimals: u32,
}

impl TimeScale {
    /// A scale; an empty window or range is widened to the smallest one.
    pub fn new(from: u64, to: u64, left: f64, right: f64) -> TimeScale {
        TimeScale { from, to: to.max(from + 1), left, right: right.max(left + 1.0) }
    }

    /// Length of the window, ns.
    pub fn span(&self) -> u64 {
        self.to - self.from
    }

    /// Pixels per nanosecond.
    pub fn px_per_ns(&self) -> f64 {
        (self.right - self.left) / self.span() as f64
    }

    /// x of a time; also outside of the range.
    pub fn x_from_time(&self, t: u64) -> f64 {
        let delta = if t >= self.from { (t - self.from) as f64 } else { -((self.from - t) as f64) };
        self.left + delta * self.px_per_ns()
    }

    /// x of a time, held within the range.
    pub fn x_within(&self, t: u64) -> f64 {
        self.x_from_time(t).clamp(self.left, self.right)
    }

    /// Time at x, held within what a time can be; not within the window.
    pub fn time_from_x(&self, x: f64) -> u64 {
        let delta = (x - self.left) / self.px_per_ns();
        if delta >= 0.0 { self.from.saturating_add(delta as u64) } else { self.from.saturating_sub((-delta) as u64) }
    }

    /// Whether any of `start..end` is in the window.
    pub fn shows(&self, start: u64, end: u64) -> bool {
        start < self.to && end > self.from
    }

    /// The window after zooming by `factor` (> 1 = closer) around x, within `0..duration`.
    pub fn zoomed(&self, x: f64, factor: f64, duration: u64) -> (u64, u64) {
        let share = ((x - self.left) / (self.right - self.left)).clamp(0.0, 1.0);
        let centre = self.from as f64 + share * self.span() as f64;
        let span = (self.span() as f64 / factor).clamp(WINDOW_MIN as f64, duration.max(WINDOW_MIN) as f64);
        let from = (centre - share * span).max(0.0);
        held(from as u64, span as u64, duration)
    }

    /// The window after a move by `px` (> 0 = later), within `0..duration`.
    pub fn panned(&self, px: f64, duration: u64) -> (u64, u64) {
        let delta = px / self.px_per_ns();
        let from = (self.from as f64 + delta).max(0.0);
        held(from as u64, self.span(), duration)
    }

    /// Distance of labels that are at least `px_min` apart.
    pub fn step(&self, px_min: f64) -> Step {
        let least = px_min / self.px_per_ns();
        let mut every = 1_u64;
        while every < number::S * 1_000_000 {
            for times in [1, 2, 5] {
                if (every * times) as f64 >= least {
                    return step_of(every * times);
                }
            }
            every *= 10;
        }
        step_of(every)
    }

    /// Multiples of a step in the window.
    pub fn ticks(&self, step: Step) -> impl Iterator<Item = u64> + use<> {
        let first = self.from.div_ceil(step.every);
        let last = self.to / step.every;
        (first..=last).map(move |i| i * step.every)
    }
}

/// A window of `span` that starts at `from`, moved so that it lies in `0..duration`.
pub fn held(from: u64, span: u64, duration: u64) -> (u64, u64) {
    let span = span.min(duration.max(WINDOW_MIN));
    let from = from.min(duration.saturating_sub(span));
    (from, from + span)
}

/// Milliseconds where they stay readable, seconds for steps of whole seconds.
fn step_of(every: u64) -> Step {
    let (unit, unit_name) = if every >= number::S { (number::S, "s") } else { (number::MS, "ms") };
    let mut decimals = 0;
    let mut rest = every;
    while !rest.is_multiple_of(unit) && decimals < 6 {
        rest *= 10;
        decimals += 1;
    }
    Step { every, unit, unit_name, decimals }
}

impl Step {
    /// A time as a label.
    pub fn label(&self, t: u64) -> String {
        number::fixed(t, self.unit, self.decimals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn x_and_time_are_inverse() {
        let s = TimeScale::new(2_230 * MS, 2_430 * MS, 92.0, 838.0);
        for t in [2_230 * MS, 2_326 * MS, 2_429 * MS] {
            assert!(s.time_from_x(s.x_from_time(t)).abs_diff(t) <= 1);
        }
        assert!(s.x_from_time(0) < 92.0);
    }

    #[test]
    fn ruler_of_the_picture_has_a_label_every_20_ms() {
        let step = TimeScale::new(2_230 * MS, 2_430 * MS, 92.0, 838.0).step(58.0);
        assert_eq!((step.every, step.unit_name, step.decimals), (20 * MS, "ms", 0));
        assert_eq!(step.label(2_240 * MS), "2\u{202f}240");
        assert_eq!(TimeScale::new(0, 100, 0.0, 600.0).step(58.0).label(20), "0.00002");
        assert_eq!(TimeScale::new(0, 100_000 * MS, 0.0, 600.0).step(58.0).unit_name, "s");
    }

    #[test]
    fn zoom_keeps_the_time_under_the_cursor() {
        let s = TimeScale::new(100 * MS, 200 * MS, 0.0, 1000.0);
        let (from, to) = s.zoomed(300.0, 2.0, 1_000 * MS);
        assert_eq!((from, to), (115 * MS, 165 * MS));
        assert_eq!(s.zoomed(0.0, 0.001, 150 * MS), (0, 150 * MS));
    }

    #[test]
    fn pan_stops_at_both_ends() {
        let s = TimeScale::new(100 * MS, 200 * MS, 0.0, 1000.0);
        assert_eq!(s.panned(-5_000.0, 1_000 * MS), (0, 100 * MS));
        assert_eq!(s.panned(99_000.0, 1_000 * MS), (900 * MS, 1_000 * MS));
    }
}
