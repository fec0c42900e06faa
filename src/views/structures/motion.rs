//! Interface motion: things that change place travel there. Motion explains single steps and never lags behind: when
//! steps come faster than their animation, or too many things move at once, the end state is drawn.

use std::collections::HashMap;

/// A task moves between lists, arrays, CPUs, ms (`--t-move`).
pub const MOVE_MS: f64 = 240.0;
/// Arrays change places, ms (`--t-swap`).
pub const SWAP_MS: f64 = 400.0;
/// A tree rotates, ms (`--t-rotate`).
pub const ROTATE_MS: f64 = 280.0;
/// A bitmap cell sets or clears, ms (`--t-flip`).
pub const FLIP_MS: f64 = 120.0;
/// With reduced motion what moved is outlined for so long, ms.
pub const MARK_MS: f64 = 600.0;
/// Chips that move at once.
pub const MOVES_MAX: u32 = 12;

/// What moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A task's chip.
    Task(u32),
    /// A group's chip.
    Group(u16),
    /// A task's node in a tree.
    TaskNode(u32),
    /// A group's node in a tree.
    GroupNode(u16),
    /// A task's row on an axis.
    TaskSpan(u32),
    /// A group's row on an axis.
    GroupSpan(u16),
    /// The n-th label (role) of the panels.
    Role(u32),
}

#[derive(Clone, Copy, Debug)]
struct Tween {
    from: (f64, f64),
    to: (f64, f64),
    start: f64,
    length: f64,
    frame: u64,
}

/// Where a thing is drawn in this frame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// Left upper corner (chips) or centre (nodes), px.
    pub at: (f64, f64),
    /// Part of the way that is done, 0..=1; 1 = at rest.
    pub part: f64,
    /// Where it came from.
    pub from: (f64, f64),
    /// Outline it: it has just jumped (reduced motion).
    pub marked: bool,
}

/// Changed bits of a bitmap.
#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
    cleared: Vec<u64>,
    set: Vec<u64>,
    start: f64,
    frame: u64,
}

/// Amounts of a row of cells, and what they were before the last change.
#[derive(Clone, Debug, Default)]
struct Flow {
    now: Vec<i64>,
    before: Vec<i64>,
    start: f64,
    frame: u64,
}

/// How a row of cells is drawn in this frame.
#[derive(Clone, PartialEq, Debug)]
pub struct Flowing {
    /// Amounts before the last change.
    pub before: Vec<i64>,
    /// Part of the way to the present amounts, 0..=1.
    pub part: f64,
    /// Print the change: it has just happened (reduced motion).
    pub marked: bool,
}

/// With reduced motion a change of amounts is printed for so long, ms.
const FLOW_MARK_MS: f64 = 1000.0;

/// See the module.
#[derive(Default, Debug)]
pub struct Motion {
    tweens: HashMap<Key, Tween>,
    bits: HashMap<(u32, u32), Bits>,
    flows: HashMap<u16, Flow>,
    layout: u64,
    now: f64,
    frame: u64,
    moves: u32,
    reduced: bool,
    still: bool,
    running: bool,
}

impl Motion {
    /// Starts a frame at `now` ms. A change of `layout` (size, CPU, mode) moves everything at once, without motion.
    pub fn start(&mut self, now: f64, layout: u64, reduced: bool) {
        self.still = self.layout != layout;
        self.layout = layout;
        self.now = now;
        self.reduced = reduced;
        self.frame += 1;
        self.moves = 0;
        self.running = false;
        if self.still {
            self.tweens.clear();
        }
    }

    /// Ends a frame: what was not drawn is forgotten. Tells whether something still moves.
    pub fn finish(&mut self) -> bool {
        let frame = self.frame;
        // What left the picture may come back in another place a little later: it does not travel then.
        self.tweens.retain(|_, tween| tween.frame == frame);
        self.bits.retain(|_, bits| bits.frame == frame);
        self.flows.retain(|_, flow| flow.frame == frame);
        self.running
    }

    /// Whether something moved since `start`.
    pub fn is_moving(&self) -> bool {
        self.running
    }

    /// Where a thing that belongs at `to` is drawn now.
    pub fn place(&mut self, key: Key, to: (f64, f64), length: f64) -> Place {
        let (now, frame) = (self.now, self.frame);
        let rest = Tween { from: to, to, start: f64::NEG_INFINITY, length, frame };
        let tween = self.tweens.entry(key).or_insert(rest);
        tween.frame = frame;
        if tween.to != to {
            let was = tween.to;
            let in_flight = now - tween.start < tween.length;
            let snap = self.still || in_flight || self.moves >= MOVES_MAX;
            *tween = if snap { rest } else { Tween { from: was, to, start: now, length, frame } };
        }
        let age = now - tween.start;
        if self.reduced {
            let marked = age < MARK_MS;
            self.running |= marked;
            return Place { at: to, part: 1.0, from: tween.from, marked };
        }
        if age >= tween.length {
            return Place { at: to, part: 1.0, from: to, marked: false };
        }
        self.moves += 1;
        self.running = true;
        let linear = (age / tween.length).clamp(0.0, 1.0);
        let part = ease(linear);
        let at = (tween.from.0 + (to.0 - tween.from.0) * part, tween.from.1 + (to.1 - tween.from.1) * part);
        Place { at, part: linear, from: tween.from, marked: false }
    }

    /// Takes the amounts of a row: what they were before their last change, and how far that is.
    pub fn flow(&mut self, row: u16, amounts: &[i64]) -> Flowing {
        let (now, frame, still) = (self.now, self.frame, self.still);
        let flow = self.flows.entry(row).or_insert_with(|| Flow { start: f64::NEG_INFINITY, ..Flow::default() });
        flow.frame = frame;
        if flow.now != amounts {
            let in_flight = now - flow.start < MOVE_MS;
            let snap = still || in_flight || flow.now.len() != amounts.len();
            flow.before = if snap { amounts.to_vec() } else { core::mem::take(&mut flow.now) };
            flow.start = if snap { f64::NEG_INFINITY } else { now };
            flow.now = amounts.to_vec();
        }
        let age = now - flow.start;
        let marked = self.reduced && age < FLOW_MARK_MS;
        let part = if self.reduced { 1.0 } else { (age / MOVE_MS).clamp(0.0, 1.0) };
        self.running |= marked || part < 1.0;
        Flowing { before: flow.before.clone(), part: if part < 1.0 { ease(part) } else { 1.0 }, marked }
    }

    /// Takes the words of a bitmap: which bits have just been cleared and set, and how far their change is (0..=1).
    pub fn bits(&mut self, bitmap: (u32, u32), words: &[u64]) -> (Vec<u64>, Vec<u64>, f64) {
        let (now, frame, still) = (self.now, self.frame, self.still);
        let bits = self.bits.entry(bitmap).or_insert_with(|| Bits { start: f64::NEG_INFINITY, ..Bits::default() });
        bits.frame = frame;
        if bits.words != words {
            if bits.words.len() == words.len() && !still {
                bits.cleared = bits.words.iter().zip(words).map(|(old, new)| old & !new).collect();
                bits.set = bits.words.iter().zip(words).map(|(old, new)| new & !old).collect();
                bits.start = now;
            } else {
                bits.cleared = vec![0; words.len()];
                bits.set = vec![0; words.len()];
            }
            bits.words = words.to_vec();
        }
        let part = if self.reduced { 1.0 } else { ((now - bits.start) / FLIP_MS).clamp(0.0, 1.0) };
        self.running |= part < 1.0;
        (bits.cleared.clone(), bits.set.clone(), part)
    }
}

/// Fast start, soft end: close to the `--ease` curve of the tokens.
fn ease(x: f64) -> f64 {
    1.0 - (1.0 - x).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(m: &mut Motion, ms: f64, to: (f64, f64)) -> Place {
        m.start(ms, 1, false);
        let place = m.place(Key::Task(1), to, MOVE_MS);
        m.finish();
        place
    }

    #[test]
    fn a_chip_travels_to_its_new_place() {
        let mut m = Motion::default();
        frame(&mut m, 0.0, (0.0, 0.0));
        frame(&mut m, 16.0, (0.0, 0.0));
        assert_eq!(frame(&mut m, 32.0, (100.0, 0.0)).at, (0.0, 0.0));
        let half = frame(&mut m, 32.0 + 120.0, (100.0, 0.0));
        assert!(half.at.0 > 50.0 && half.at.0 < 100.0 && m.is_moving());
        assert_eq!(frame(&mut m, 32.0 + 240.0, (100.0, 0.0)).at, (100.0, 0.0));
        assert!(!m.is_moving());
    }

    #[test]
    fn a_second_step_within_the_animation_draws_the_end_state() {
        let mut m = Motion::default();
        frame(&mut m, 0.0, (0.0, 0.0));
        frame(&mut m, 16.0, (0.0, 0.0));
        frame(&mut m, 32.0, (100.0, 0.0));
        assert_eq!(frame(&mut m, 48.0, (200.0, 0.0)).at, (200.0, 0.0));
    }

    #[test]
    fn at_most_twelve_chips_move() {
        let mut m = Motion::default();
        let step = |m: &mut Motion, ms: f64, x: f64| -> usize {
            m.start(ms, 1, false);
            let places: Vec<Place> = (0..40).map(|i| m.place(Key::Task(i), (x, 0.0), MOVE_MS)).collect();
            m.finish();
            places.iter().filter(|p| p.at.0 != x).count()
        };
        step(&mut m, 0.0, 0.0);
        step(&mut m, 16.0, 0.0);
        assert_eq!(step(&mut m, 32.0, 50.0), 12);
    }

    #[test]
    fn reduced_motion_jumps_and_marks() {
        let mut m = Motion::default();
        m.start(0.0, 1, true);
        m.place(Key::Task(1), (0.0, 0.0), MOVE_MS);
        m.start(16.0, 1, true);
        m.place(Key::Task(1), (0.0, 0.0), MOVE_MS);
        m.start(32.0, 1, true);
        let place = m.place(Key::Task(1), (9.0, 0.0), MOVE_MS);
        assert_eq!((place.at, place.marked), ((9.0, 0.0), true));
        m.start(700.0, 1, true);
        assert!(!m.place(Key::Task(1), (9.0, 0.0), MOVE_MS).marked);
    }

    #[test]
    fn amounts_flow_once_and_are_printed_with_reduced_motion() {
        for reduced in [false, true] {
            let mut m = Motion::default();
            let step = |m: &mut Motion, ms: f64, amounts: [i64; 2]| {
                m.start(ms, 1, reduced);
                let flow = m.flow(3, &amounts);
                m.finish();
                flow
            };
            step(&mut m, 0.0, [1024, 0]);
            assert_eq!(step(&mut m, 16.0, [1024, 0]).part, 1.0);
            let start = step(&mut m, 32.0, [512, 512]);
            assert_eq!((start.before.as_slice(), start.marked), ([1024, 0].as_slice(), reduced));
            assert_eq!(start.part < 1.0, !reduced);
            assert_eq!(step(&mut m, 32.0 + 240.0, [512, 512]).part, 1.0);
            assert!(!step(&mut m, 1100.0, [512, 512]).marked);
            // Faster than the motion: only the end is drawn.
            step(&mut m, 2000.0, [0, 1024]);
            assert_eq!(step(&mut m, 2016.0, [300, 724]).before, [300, 724]);
        }
    }

    #[test]
    fn a_new_layout_moves_nothing() {
        let mut m = Motion::default();
        frame(&mut m, 0.0, (0.0, 0.0));
        m.start(16.0, 2, false);
        assert_eq!(m.place(Key::Task(1), (70.0, 0.0), MOVE_MS).at, (70.0, 0.0));
    }

    #[test]
    fn cleared_bits_stay_marked_until_the_next_change() {
        let mut m = Motion::default();
        m.start(0.0, 1, false);
        m.bits((0, 0), &[0b110]);
        m.finish();
        m.start(16.0, 1, false);
        m.bits((0, 0), &[0b110]);
        m.finish();
        m.start(32.0, 1, false);
        assert_eq!(m.bits((0, 0), &[0b101]), (vec![0b010], vec![0b001], 0.0));
        m.finish();
        m.start(5000.0, 1, false);
        assert_eq!(m.bits((0, 0), &[0b101]), (vec![0b010], vec![0b001], 1.0));
        m.finish();
        m.start(5016.0, 1, false);
        assert_eq!(m.bits((0, 0), &[0b100]).0, vec![0b001]);
    }
}
