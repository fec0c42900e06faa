//! Sentences that the engine wrote, in the chosen language.
//!
//! The engine fills its templates in English. A catalogue holds the same templates; the sentence is laid over them, what
//! stands in the holes is taken out (and translated in its turn: it may be a label or a sentence) and put into the other
//! language's template. So the engine need not know languages, and what no template fits stays English.

use super::word::{self, Word};
use std::fmt::Display;

/// How deep a sentence may stand in another one's hole.
const DEPTH_MAX: u8 = 3;

/// `english` in the chosen language.
pub fn translated(english: &str) -> String {
    word::with_catalogue(|catalogue| say(english, catalogue.templates(), DEPTH_MAX))
        .unwrap_or_else(|| english.to_owned())
}

fn say(english: &str, templates: &[Template], depth: u8) -> String {
    if let Some(whole) = word::translated(english) {
        return whole.to_owned();
    }
    if depth == 0 {
        return english.to_owned();
    }
    let found = templates.iter().find_map(|template| Some((template, template.holes(english)?)));
    let Some((template, holes)) = found else { return english.to_owned() };
    let holes: Vec<String> = holes.into_iter().map(|hole| say(hole, templates, depth - 1)).collect();
    let by_number: Vec<&dyn Display> = template.places(&holes);
    Word(template.english).fill(&by_number)
}

/// A text with holes: `{0} comes next with {1}`.
pub struct Template {
    english: &'static str,
    /// Text before the first hole, between holes, after the last one.
    literals: Vec<&'static str>,
    /// Number of the value in each hole.
    numbers: Vec<usize>,
}

impl Template {
    /// Of a text that has holes and says something beside them.
    pub fn new(english: &'static str) -> Option<Self> {
        let (mut literals, mut numbers) = (Vec::new(), Vec::new());
        let mut rest = english;
        while let Some((before, after)) = rest.split_once('{') {
            let (number, tail) = after.split_once('}')?;
            literals.push(before);
            numbers.push(number.parse().ok().filter(|number| *number < 16)?);
            rest = tail;
        }
        literals.push(rest);
        let says_something = literals.iter().any(|literal| literal.chars().any(char::is_alphabetic));
        (!numbers.is_empty() && says_something).then_some(Template { english, literals, numbers })
    }

    /// How much of the text is fixed: of two templates that fit, the one that says more is meant.
    pub fn weight(&self) -> usize {
        self.literals.iter().map(|literal| literal.len()).sum()
    }

    /// What stands in the holes of `text`; `None` if it is not this template's.
    fn holes<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let mut rest = text.strip_prefix(self.literals[0])?;
        let mut holes = Vec::with_capacity(self.numbers.len());
        let last = self.numbers.len();
        for (at, literal) in self.literals.iter().enumerate().skip(1) {
            let end = match literal.is_empty() {
                true if at == last => rest.len(),
                _ if at == last => rest.strip_suffix(literal)?.len(),
                _ => rest.find(literal)?,
            };
            holes.push(&rest[..end]);
            rest = &rest[end + literal.len()..];
        }
        holes.iter().all(|hole| !hole.is_empty()).then_some(holes)
    }

    /// The holes by the numbers of their values.
    fn places<'a>(&self, holes: &'a [String]) -> Vec<&'a dyn Display> {
        let count = self.numbers.iter().max().map_or(0, |number| number + 1);
        let place =
            |number| self.numbers.iter().position(|n| *n == number).map_or(&"" as &dyn Display, |at| &holes[at] as _);
        (0..count).map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::word::{Catalogue, speak};
    use super::*;

    fn german(english: &str) -> String {
        let pairs = [
            ("{0} comes next with {1}", "als Nächster kommt {0} mit {1}"),
            ("{0} comes next with {1}: it needed less than {2}", "{0} käme mit {1}: weniger als {2} wäre nötig"),
            ("goodness {0}", "Güte {0}"),
            ("priority {0} is the first set bit", "Priorität {0} ist das erste gesetzte Bit"),
            ("{0} {1}", "nie"),
        ];
        speak(Catalogue::new(pairs.map(|(english, german)| (english.to_owned(), german.to_owned()))));
        translated(english)
    }

    #[test]
    fn the_template_that_says_most_is_meant_and_holes_are_translated_too() {
        assert_eq!(german("hog-1 comes next with goodness 24"), "als Nächster kommt hog-1 mit Güte 24");
        assert_eq!(
            german("hog-1 comes next with goodness 24: it needed less than 20"),
            "hog-1 käme mit Güte 24: weniger als 20 wäre nötig"
        );
        assert_eq!(german("priority 115 is the first set bit"), "Priorität 115 ist das erste gesetzte Bit");
    }

    #[test]
    fn what_no_template_fits_stays() {
        for text in ["", "hello there", "priority  is", "{0}", "priority is the first set bit", "ü comes next with "] {
            assert_eq!(german(text), text);
        }
    }
}
