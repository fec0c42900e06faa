//! Simulated time of the page: now, speed, playing.

use std::rc::Rc;
use yew::Reducible;

/// Slowest: 1 s of the visitor's time = 1 µs.
pub const SPEED_MIN_NS: u64 = 1_000;
/// Fastest: 1 s of the visitor's time = 100 s.
pub const SPEED_MAX_NS: u64 = 100_000_000_000;

/// Playback. While it plays, `Live::now` runs ahead and `at` follows a few times per second.
#[derive(Clone, PartialEq, Debug)]
pub struct Playback {
    /// Now, ns.
    pub at: u64,
    /// End of the run, ns.
    pub duration: u64,
    /// Simulated ns per second of the visitor's time.
    pub speed_ns: u64,
    /// Runs.
    pub playing: bool,
    /// Begins anew at the end.
    pub looping: bool,
    /// Nothing from here on is shown or reached, ns: a lesson asks first.
    pub horizon: Option<u64>,
    /// Rises with each jump: tells the loop's own progress from a seek.
    pub jump: u32,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            at: 0,
            duration: 1_000_000_000,
            speed_ns: 20_000_000,
            playing: false,
            looping: false,
            horizon: None,
            jump: 0,
        }
    }
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum PlaybackAction {
    /// The visitor (or a step) chose a time, ns.
    Seek(u64),
    /// The loop has come to this time, ns.
    Reached(u64),
    /// Play or pause.
    Toggle,
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// Simulated ns per second.
    Speed(u64),
    /// Next faster (positive) or slower mark of 1, 2, 5.
    SpeedStep(i32),
    /// Begin anew at the end.
    Loop(bool),
    /// The run has another length, ns.
    Duration(u64),
    /// Hide everything from here on, or nothing.
    Horizon(Option<u64>),
}

/// 1, 2, 5, 10 ... times a power of ten, next to `speed` in the wanted direction.
fn neighbour_speed(speed: u64, step: i32) -> u64 {
    let mut marks = Vec::new();
    let mut decade = SPEED_MIN_NS;
    while decade <= SPEED_MAX_NS {
        marks.extend([decade, 2 * decade, 5 * decade].into_iter().filter(|mark| *mark <= SPEED_MAX_NS));
        decade *= 10;
    }
    let next = if step > 0 {
        marks.iter().find(|mark| **mark > speed)
    } else {
        marks.iter().rev().find(|mark| **mark < speed)
    };
    next.copied().unwrap_or(speed)
}

impl Playback {
    /// Last moment that can be reached, ns.
    pub fn last(&self) -> u64 {
        self.horizon.map_or(self.duration, |horizon| horizon.saturating_sub(1).min(self.duration))
    }
}

impl Reducible for Playback {
    type Action = PlaybackAction;

    fn reduce(self: Rc<Self>, action: PlaybackAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            PlaybackAction::Seek(at) => {
                next.at = at.min(next.last());
                next.jump = next.jump.wrapping_add(1);
            }
            PlaybackAction::Reached(at) => {
                next.at = at.min(next.last());
                if next.at == next.last() && !next.looping {
                    next.playing = false;
                }
            }
            PlaybackAction::Toggle => {
                next.playing = !next.playing;
                if next.horizon.is_some() && next.at >= next.last() {
                    next.playing = false;
                } else if next.playing && next.at >= next.duration {
                    next.at = 0;
                    next.jump = next.jump.wrapping_add(1);
                }
            }
            PlaybackAction::Play => next.playing = true,
            PlaybackAction::Pause => next.playing = false,
            PlaybackAction::Speed(speed) => next.speed_ns = speed.clamp(SPEED_MIN_NS, SPEED_MAX_NS),
            PlaybackAction::SpeedStep(step) => next.speed_ns = neighbour_speed(next.speed_ns, step),
            PlaybackAction::Loop(looping) => next.looping = looping,
            PlaybackAction::Horizon(horizon) => {
                next.horizon = horizon;
                if next.at > next.last() {
                    next.at = next.last();
                    next.jump = next.jump.wrapping_add(1);
                }
            }
            PlaybackAction::Duration(duration) => {
                next.duration = duration.max(1);
                if next.at > next.duration {
                    next.at = next.duration;
                    next.jump = next.jump.wrapping_add(1);
                }
            }
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(actions: &[PlaybackAction]) -> Rc<Playback> {
        actions.iter().fold(Rc::new(Playback::default()), |state, action| state.reduce(action.clone()))
    }

    #[test]
    fn an_action_without_effect_keeps_the_same_state() {
        let state = Rc::new(Playback::default());
        assert!(Rc::ptr_eq(&state, &state.clone().reduce(PlaybackAction::Pause)));
    }

    #[test]
    fn seeking_stays_in_the_run() {
        assert_eq!(after(&[PlaybackAction::Duration(500), PlaybackAction::Seek(900)]).at, 500);
    }

    #[test]
    fn playing_stops_at_the_end_and_starts_over_from_there() {
        let end = after(&[PlaybackAction::Duration(500), PlaybackAction::Play, PlaybackAction::Reached(500)]);
        assert!(!end.playing);
        let again = end.reduce(PlaybackAction::Toggle);
        assert!(again.playing);
        assert_eq!(again.at, 0);
    }

    #[test]
    fn nothing_beyond_the_horizon_is_reached() {
        let hidden = [PlaybackAction::Duration(500), PlaybackAction::Horizon(Some(200)), PlaybackAction::Seek(300)];
        let waits = after(&hidden);
        assert_eq!(waits.at, 199);
        assert!(!waits.clone().reduce(PlaybackAction::Toggle).playing, "the transport waits");
        let played =
            waits.reduce(PlaybackAction::Seek(100)).reduce(PlaybackAction::Play).reduce(PlaybackAction::Reached(250));
        assert_eq!((played.at, played.playing), (199, false));
        assert_eq!(played.reduce(PlaybackAction::Horizon(None)).reduce(PlaybackAction::Seek(300)).at, 300);
    }

    #[test]
    fn speed_steps_through_one_two_five() {
        let up = [PlaybackAction::SpeedStep(1), PlaybackAction::SpeedStep(1)];
        assert_eq!(after(&up[..1]).speed_ns, 50_000_000);
        assert_eq!(after(&up).speed_ns, 100_000_000);
        assert_eq!(after(&[PlaybackAction::SpeedStep(-1)]).speed_ns, 10_000_000);
    }
}
