//! Newest wins: at most one question of a slot is on its way, and only the newest of those that wait follows it.
//!
//! The slot is the protocol's [`Ask::slot`]; within a slot a *purpose* keeps questions apart that must not replace each
//! other (the minimap and the timeline both ask for windows).

use sim_core::engine::protocol::{Ask, Request};
use std::collections::{BTreeMap, VecDeque};

/// Last kind of slot that is not about views of a run; see [`Ask::slot`].
const SET_SCENARIO: u8 = 2;

/// Who asks within a slot.
pub type Purpose = u8;

/// A question on its way.
#[derive(Clone, PartialEq, Debug)]
struct InFlight {
    seq: u32,
    purpose: Purpose,
}

/// Book-keeping of questions.
#[derive(Default, Debug)]
pub struct Slots {
    seq: u32,
    in_flight: BTreeMap<(u8, u8), InFlight>,
    waiting: BTreeMap<(u8, u8), VecDeque<(Purpose, Ask)>>,
}

impl Slots {
    /// Takes a question; returns what must be sent now.
    pub fn ask(&mut self, purpose: Purpose, ask: Ask) -> Option<Request> {
        let slot = ask.slot();
        if self.in_flight.contains_key(&slot) {
            let queue = self.waiting.entry(slot).or_default();
            match queue.iter_mut().find(|(waiting, _)| *waiting == purpose) {
                Some(place) => place.1 = ask,
                None => queue.push_back((purpose, ask)),
            }
            return None;
        }
        Some(self.depart(slot, purpose, ask))
    }

    /// Takes the number of an answer; returns its purpose (`None`: stale or news) and what must be sent next.
    pub fn answered(&mut self, seq: u32) -> (Option<Purpose>, Option<Request>) {
        let Some(slot) = self.in_flight.iter().find(|(_, flight)| flight.seq == seq).map(|(slot, _)| *slot) else {
            return (None, None);
        };
        let purpose = self.in_flight.remove(&slot).map(|flight| flight.purpose);
        let next = self.waiting.get_mut(&slot).and_then(VecDeque::pop_front);
        (purpose, next.map(|(purpose, ask)| self.depart(slot, purpose, ask)))
    }

    /// Whether an answer is awaited.
    pub fn awaits(&self) -> bool {
        !self.in_flight.is_empty()
    }

    /// Whether a question with this slot and purpose is on its way or waits.
    pub fn is_busy(&self, slot: (u8, u8), purpose: Purpose) -> bool {
        self.in_flight.get(&slot).is_some_and(|flight| flight.purpose == purpose)
            || self.waiting.get(&slot).is_some_and(|queue| queue.iter().any(|(waiting, _)| *waiting == purpose))
    }

    /// Another scenario runs: questions about views of the old one are not waited for. The engine leaves questions about
    /// lanes that are gone without an answer.
    pub fn forget_views(&mut self) {
        self.in_flight.retain(|(kind, _), _| *kind <= SET_SCENARIO);
        self.waiting.retain(|(kind, _), _| *kind <= SET_SCENARIO);
    }

    /// Forgets all questions (the engine was lost); numbers go on rising, so late answers stay stale.
    pub fn clear(&mut self) {
        self.in_flight.clear();
        self.waiting.clear();
    }

    fn depart(&mut self, slot: (u8, u8), purpose: Purpose, ask: Ask) -> Request {
        self.seq += 1;
        self.in_flight.insert(slot, InFlight { seq: self.seq, purpose });
        Request { seq: self.seq, ask }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn structures(t: u64) -> Ask {
        Ask::Structures { lane: 0, t, cpu: 0 }
    }

    #[test]
    fn only_the_newest_waiting_question_follows() {
        let mut slots = Slots::default();
        let first = slots.ask(0, structures(1)).expect("the slot was free");
        assert_eq!(slots.ask(0, structures(2)), None);
        assert_eq!(slots.ask(0, structures(3)), None);
        let (purpose, next) = slots.answered(first.seq);
        assert_eq!(purpose, Some(0));
        assert_eq!(next, Some(Request { seq: 2, ask: structures(3) }));
    }

    #[test]
    fn purposes_do_not_replace_each_other() {
        let mut slots = Slots::default();
        let first = slots.ask(0, structures(1)).expect("the slot was free");
        assert_eq!(slots.ask(1, structures(2)), None);
        assert_eq!(slots.ask(0, structures(3)), None);
        let (_, second) = slots.answered(first.seq);
        let second = second.expect("one waits");
        assert_eq!(second.ask, structures(2));
        assert!(slots.is_busy(second.ask.slot(), 0));
        assert_eq!(slots.answered(second.seq).1.map(|request| request.ask), Some(structures(3)));
    }

    #[test]
    fn another_scenario_frees_the_slots_of_views_only() {
        let mut slots = Slots::default();
        let set = slots.ask(0, Ask::SetScenario(String::new())).expect("the slot was free");
        let view = slots.ask(0, structures(1)).expect("the slot was free");
        slots.forget_views();
        assert!(slots.ask(0, structures(2)).is_some());
        assert_eq!(slots.answered(view.seq).0, None);
        assert_eq!(slots.answered(set.seq).0, Some(0));
    }

    #[test]
    fn an_answer_from_before_a_restart_is_stale() {
        let mut slots = Slots::default();
        let first = slots.ask(0, structures(1)).expect("the slot was free");
        slots.clear();
        let second = slots.ask(0, structures(1)).expect("cleared");
        assert_eq!(slots.answered(first.seq), (None, None));
        assert_eq!(slots.answered(second.seq).0, Some(0));
    }
}
