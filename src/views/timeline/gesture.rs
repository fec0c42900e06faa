//! Pointer, wheel and touch as a state machine: events in, wishes out. Knows no browser, so it is tested natively.
//!
//! Mouse: drag selects a range, Shift+drag pans, Ctrl+wheel zooms at the cursor, wheel scrolls lanes, Shift+wheel
//! pans, click selects, double-click shows all; a press in the ruler moves now. Touch: tap selects, drag pans and
//! scrolls, two fingers zoom, double tap fits.

/// A pointer has to move this far before a click becomes a drag, px.
const DRAG_MIN: f64 = 4.0;
/// Two taps within this time and distance are a double tap: ms, px.
const DOUBLE_TAP: (f64, f64) = (300.0, 24.0);
/// Zoom per wheel notch of 100 units.
const WHEEL_ZOOM: f64 = 1.25;

/// A pointer event, canvas coordinates in px.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct At {
    /// x.
    pub x: f64,
    /// y.
    pub y: f64,
    /// Pointer id.
    pub id: i32,
    /// A finger.
    pub touch: bool,
    /// Shift is held.
    pub shift: bool,
    /// Press in the ruler.
    pub ruler: bool,
    /// Time of the event, ms.
    pub ms: f64,
}

/// What the visitor wants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Wish {
    /// Move now to x.
    SeekX(f64),
    /// Select what is at x, y.
    Select(f64, f64),
    /// Mark the range between two x.
    Range(f64, f64),
    /// Show the whole run.
    Whole,
    /// Move the window by px of x, lanes by px of y.
    Pan(f64, f64),
    /// Zoom by a factor (> 1 = closer) around x.
    Zoom(f64, f64),
    /// Scroll lanes.
    Scroll(f64),
    /// The mouse points at x, y.
    Hover(f64, f64),
    /// The mouse points elsewhere.
    Leave,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Doing {
    #[default]
    Nothing,
    /// Pressed, may become a click.
    Pressed(At),
    Ranging(f64),
    Panning(f64, f64),
    Scrubbing,
    Pinching,
}

/// See the module.
#[derive(Default, Debug)]
pub struct Gesture {
    doing: Doing,
    fingers: Vec<(i32, f64, f64)>,
    last_tap: Option<At>,
}

impl Gesture {
    /// A button or finger goes down.
    pub fn down(&mut self, at: At) -> Option<Wish> {
        if at.touch {
            self.fingers.retain(|f| f.0 != at.id);
            self.fingers.push((at.id, at.x, at.y));
            if self.fingers.len() == 2 {
                self.doing = Doing::Pinching;
                return None;
            }
        }
        if at.ruler {
            self.doing = Doing::Scrubbing;
            return Some(Wish::SeekX(at.x));
        }
        self.doing = Doing::Pressed(at);
        None
    }

    /// The pointer moves.
    pub fn moved(&mut self, at: At) -> Option<Wish> {
        match self.doing {
            Doing::Nothing if at.touch => None,
            Doing::Nothing => Some(Wish::Hover(at.x, at.y)),
            Doing::Scrubbing => Some(Wish::SeekX(at.x)),
            Doing::Pressed(start) => {
                if (at.x - start.x).hypot(at.y - start.y) < DRAG_MIN {
                    return None;
                }
                if start.touch || start.shift {
                    self.doing = Doing::Panning(at.x, at.y);
                    return Some(Wish::Pan(start.x - at.x, start.y - at.y));
                }
                self.doing = Doing::Ranging(start.x);
                Some(Wish::Range(start.x, at.x))
            }
            Doing::Ranging(from) => Some(Wish::Range(from, at.x)),
            Doing::Panning(x, y) => {
                self.doing = Doing::Panning(at.x, at.y);
                Some(Wish::Pan(x - at.x, y - at.y))
            }
            Doing::Pinching => self.pinch(at),
        }
    }

    /// Two fingers: the distance zooms, the middle pans. Both at once through the zoom's fixed point.
    fn pinch(&mut self, at: At) -> Option<Wish> {
        let spread = |f: &[(i32, f64, f64)]| (f[0].1 - f[1].1).abs().max(8.0);
        if self.fingers.len() < 2 {
            return None;
        }
        let before = spread(&self.fingers);
        let finger = self.fingers.iter_mut().find(|f| f.0 == at.id)?;
        (finger.1, finger.2) = (at.x, at.y);
        let middle = (self.fingers[0].1 + self.fingers[1].1) / 2.0;
        Some(Wish::Zoom(middle, spread(&self.fingers) / before))
    }

    /// The button or finger goes up.
    pub fn up(&mut self, at: At) -> Option<Wish> {
        self.fingers.retain(|f| f.0 != at.id);
        let done = core::mem::take(&mut self.doing);
        match done {
            Doing::Pressed(start) if start.touch && self.is_double_tap(at) => Some(Wish::Whole),
            Doing::Pressed(_) => {
                self.last_tap = Some(at);
                Some(Wish::Select(at.x, at.y))
            }
            Doing::Pinching => {
                // The finger that stays goes on panning.
                if let Some(&(_, x, y)) = self.fingers.first() {
                    self.doing = Doing::Panning(x, y);
                }
                None
            }
            Doing::Nothing | Doing::Ranging(_) | Doing::Panning(..) | Doing::Scrubbing => None,
        }
    }

    fn is_double_tap(&mut self, at: At) -> bool {
        let near = |last: At| at.ms - last.ms < DOUBLE_TAP.0 && (at.x - last.x).hypot(at.y - last.y) < DOUBLE_TAP.1;
        self.last_tap.take().is_some_and(near)
    }

    /// The browser took the pointer away.
    pub fn cancel(&mut self, id: i32) {
        self.fingers.retain(|f| f.0 != id);
        self.doing = Doing::Nothing;
    }

    /// Whether a button or finger is down.
    pub fn is_busy(&self) -> bool {
        self.doing != Doing::Nothing
    }
}

/// A turn of the wheel. `ctrl` is also what a trackpad's pinch sends.
pub fn wheel(x: f64, delta: (f64, f64), ctrl: bool, shift: bool) -> Option<Wish> {
    let (dx, dy) = delta;
    if ctrl {
        // Trackpads send many small deltas; the power makes both smooth.
        return (dy != 0.0).then(|| Wish::Zoom(x, WHEEL_ZOOM.powf((-dy / 100.0).clamp(-4.0, 4.0))));
    }
    if shift {
        let along = if dx.abs() > dy.abs() { dx } else { dy };
        return (along != 0.0).then_some(Wish::Pan(along, 0.0));
    }
    if dx.abs() > dy.abs() {
        return Some(Wish::Pan(dx, 0.0));
    }
    (dy != 0.0).then_some(Wish::Scroll(dy))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mouse(x: f64, y: f64) -> At {
        At { x, y, id: 1, touch: false, shift: false, ruler: false, ms: 0.0 }
    }

    fn finger(id: i32, x: f64, ms: f64) -> At {
        At { x, y: 100.0, id, touch: true, shift: false, ruler: false, ms }
    }

    #[test]
    fn a_click_selects_and_a_drag_marks_a_range() {
        let mut g = Gesture::default();
        assert_eq!(g.moved(mouse(5.0, 5.0)), Some(Wish::Hover(5.0, 5.0)));
        g.down(mouse(10.0, 50.0));
        assert_eq!(g.moved(mouse(12.0, 50.0)), None);
        assert_eq!(g.up(mouse(12.0, 50.0)), Some(Wish::Select(12.0, 50.0)));
        g.down(mouse(10.0, 50.0));
        assert_eq!(g.moved(mouse(40.0, 50.0)), Some(Wish::Range(10.0, 40.0)));
        assert_eq!(g.moved(mouse(30.0, 50.0)), Some(Wish::Range(10.0, 30.0)));
        assert_eq!(g.up(mouse(30.0, 50.0)), None);
        assert!(!g.is_busy());
    }

    #[test]
    fn shift_and_drag_pans() {
        let mut g = Gesture::default();
        g.down(At { shift: true, ..mouse(10.0, 50.0) });
        assert_eq!(g.moved(mouse(20.0, 52.0)), Some(Wish::Pan(-10.0, -2.0)));
        assert_eq!(g.moved(mouse(15.0, 52.0)), Some(Wish::Pan(5.0, 0.0)));
    }

    #[test]
    fn a_press_in_the_ruler_moves_now() {
        let mut g = Gesture::default();
        let press = At { ruler: true, ..mouse(200.0, 8.0) };
        assert_eq!(g.down(press), Some(Wish::SeekX(200.0)));
        assert_eq!(g.moved(mouse(220.0, 300.0)), Some(Wish::SeekX(220.0)));
        assert_eq!(g.up(mouse(220.0, 300.0)), None);
    }

    #[test]
    fn two_fingers_zoom_around_their_middle() {
        let mut g = Gesture::default();
        g.down(finger(1, 100.0, 0.0));
        g.down(finger(2, 200.0, 5.0));
        assert_eq!(g.moved(finger(2, 300.0, 9.0)), Some(Wish::Zoom(200.0, 2.0)));
        assert_eq!(g.up(finger(2, 300.0, 12.0)), None);
        assert_eq!(g.moved(finger(1, 90.0, 15.0)), Some(Wish::Pan(10.0, 0.0)));
    }

    #[test]
    fn two_quick_taps_fit_the_run() {
        let mut g = Gesture::default();
        g.down(finger(1, 100.0, 0.0));
        assert_eq!(g.up(finger(1, 100.0, 50.0)), Some(Wish::Select(100.0, 100.0)));
        g.down(finger(1, 104.0, 150.0));
        assert_eq!(g.up(finger(1, 104.0, 200.0)), Some(Wish::Whole));
    }

    #[test]
    fn the_wheel_scrolls_pans_or_zooms() {
        assert_eq!(wheel(7.0, (0.0, 100.0), false, false), Some(Wish::Scroll(100.0)));
        assert_eq!(wheel(7.0, (0.0, 100.0), false, true), Some(Wish::Pan(100.0, 0.0)));
        assert_eq!(wheel(7.0, (0.0, -100.0), true, false), Some(Wish::Zoom(7.0, 1.25)));
        assert_eq!(wheel(7.0, (60.0, 10.0), false, false), Some(Wish::Pan(60.0, 0.0)));
        assert_eq!(wheel(7.0, (0.0, 0.0), true, false), None);
    }
}
