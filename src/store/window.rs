//! The visible stretch of time.

use std::rc::Rc;
use yew::Reducible;

/// Narrowest window, ns.
pub const SPAN_MIN_NS: u64 = 1_000;

/// Visible time, ns. While playing, `Live::window` slides and this follows a few times per second.
#[derive(Clone, PartialEq, Debug)]
pub struct ViewWindow {
    /// From.
    pub from: u64,
    /// To.
    pub to: u64,
    /// End of the run.
    pub duration: u64,
    /// Rises with each change the visitor made: tells the loop's own sliding from a jump.
    pub jump: u32,
}

impl Default for ViewWindow {
    fn default() -> Self {
        Self { from: 0, to: 200_000_000, duration: 1_000_000_000, jump: 0 }
    }
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum WindowAction {
    /// Show this, ns.
    Show(u64, u64),
    /// The loop slid to this, ns.
    Slid(u64, u64),
    /// Scale the span by `factor` around a time that keeps its place.
    Zoom {
        /// Time under the mouse, ns.
        around: u64,
        /// Below 1: closer.
        factor: f64,
    },
    /// Move by a share of the span; positive = later.
    Pan(f64),
    /// Move by ns; positive = later.
    PanBy(i64),
    /// Show the whole run.
    Whole,
    /// Same span around this time, ns.
    Centre(u64),
    /// The run has another length, ns.
    Duration(u64),
}

/// Keeps the span, moves it into the run.
fn fitted(from: i128, span: u64, duration: u64) -> (u64, u64) {
    let span = span.clamp(SPAN_MIN_NS.min(duration), duration);
    let from = from.clamp(0, i128::from(duration - span)) as u64;
    (from, from + span)
}

impl ViewWindow {
    /// Length, ns.
    pub fn span(&self) -> u64 {
        self.to - self.from
    }

    fn moved(&self, (from, to): (u64, u64)) -> Self {
        Self { from, to, duration: self.duration, jump: self.jump.wrapping_add(1) }
    }

    fn zoomed(&self, around: u64, factor: f64) -> (u64, u64) {
        let span = (self.span() as f64 * factor).round().max(1.0) as u64;
        let span = span.clamp(SPAN_MIN_NS.min(self.duration), self.duration);
        let share = around.saturating_sub(self.from) as f64 / self.span().max(1) as f64;
        fitted(i128::from(around) - (span as f64 * share) as i128, span, self.duration)
    }
}

impl Reducible for ViewWindow {
    type Action = WindowAction;

    fn reduce(self: Rc<Self>, action: WindowAction) -> Rc<Self> {
        let span = self.span();
        let from = i128::from(self.from);
        let next = match action {
            WindowAction::Show(from, to) if to > from => fitted(i128::from(from), to - from, self.duration),
            WindowAction::Show(..) => return self,
            WindowAction::Slid(from, to) => {
                return if (from, to) == (self.from, self.to) { self } else { Rc::new(Self { from, to, ..*self }) };
            }
            WindowAction::Zoom { around, factor } => self.zoomed(around, factor),
            WindowAction::Pan(share) => fitted(from + (span as f64 * share) as i128, span, self.duration),
            WindowAction::PanBy(ns) => fitted(from + i128::from(ns), span, self.duration),
            WindowAction::Whole => (0, self.duration),
            WindowAction::Centre(at) => fitted(i128::from(at) - i128::from(span / 2), span, self.duration),
            WindowAction::Duration(duration) => {
                let duration = duration.max(1);
                let (from, to) = fitted(from, span, duration);
                let next = Self { from, to, duration, jump: self.jump.wrapping_add(1) };
                return if duration == self.duration { self } else { Rc::new(next) };
            }
        };
        if next == (self.from, self.to) { self } else { Rc::new(self.moved(next)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(from: u64, to: u64) -> Rc<ViewWindow> {
        Rc::new(ViewWindow { from, to, duration: 1_000_000_000, jump: 0 })
    }

    #[test]
    fn zoom_keeps_the_time_under_the_mouse_in_place() {
        let closer = window(100_000, 200_000).reduce(WindowAction::Zoom { around: 125_000, factor: 0.5 });
        assert_eq!((closer.from, closer.to), (112_500, 162_500));
    }

    #[test]
    fn pan_stops_at_both_ends() {
        let left = window(100_000, 200_000).reduce(WindowAction::Pan(-5.0));
        assert_eq!((left.from, left.to), (0, 100_000));
        let right = window(999_850_000, 999_950_000).reduce(WindowAction::Pan(5.0));
        assert_eq!((right.from, right.to), (999_900_000, 1_000_000_000));
    }

    #[test]
    fn the_narrowest_window_is_one_microsecond() {
        let narrow = window(100_000, 200_000).reduce(WindowAction::Zoom { around: 150_000, factor: 1e-9 });
        assert_eq!(narrow.span(), SPAN_MIN_NS);
    }

    #[test]
    fn a_shorter_run_pulls_the_window_in() {
        let short = window(500_000_000, 700_000_000).reduce(WindowAction::Duration(100_000_000));
        assert_eq!((short.from, short.to), (0, 100_000_000));
    }
}
