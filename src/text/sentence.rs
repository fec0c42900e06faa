//! Sentences that the engine wrote, in the chosen language.
//!
//! The engine fills its templates in English. A catalogue holds the same templates; the sentence is laid over them, what
//! stands in the holes is taken out (and translated in its turn: it may be a label or a sentence) and put into the other
//! language's template. So the engine need not know languages, and what no template fits stays English.

use super::POINT;
use super::word::{self, Word};
use std::fmt::Display;

/// How deep a sentence may stand in another one's hole.
const DEPTH_MAX: u8 = 3;
/// Most holes of a sentence.
const HOLES_MAX: usize = 16;
/// How the title of a post's cell begins.
const CELL: &str = "Post 0";
/// Units that the engine writes after a number.
const UNITS: [&str; 5] = ["ns", "µs", "ms", "s", "%"];

/// `english` in the chosen language.
pub fn translated(english: &str) -> String {
    word::with_catalogue(|catalogue| say(english, catalogue.templates(), DEPTH_MAX))
        .unwrap_or_else(|| english.to_owned())
}

/// Title of a scenario: that of an example or of a post's cell in the chosen language, a visitor's own as it was written,
/// whatever sentence it may look like.
pub fn title(english: &str) -> String {
    match word::translated(english) {
        Some(whole) => whole.to_owned(),
        None if english.starts_with(CELL) => translated(english),
        None => english.to_owned(),
    }
}

fn say(english: &str, templates: &[Template], depth: u8) -> String {
    if let Some(whole) = word::translated(english) {
        return whole.to_owned();
    }
    if depth == 0 {
        return with_decimals(english);
    }
    let found = templates.iter().find_map(|template| Some((template, template.holes(english)?)));
    let Some((template, holes)) = found else { return with_decimals(english) };
    let holes: Vec<String> = holes.into_iter().map(|hole| say(hole, templates, depth - 1)).collect();
    let by_number: Vec<&dyn Display> = template.places(&holes);
    Word(template.english).fill(&by_number)
}

/// The measured numbers of a text with the language's decimal mark: `2.4 ms`, but not `Linux 2.4`.
fn with_decimals(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let is_number = |word: &str| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = word.trim_start_matches(['-', '−', '+', '(']);
        unsigned.split_once('.').is_some_and(|(whole, decimals)| digits(whole) && digits(decimals))
    };
    let is_unit = |word: &&str| UNITS.contains(&word.trim_end_matches([',', ';', ':', ')']));
    let said = words.iter().enumerate().map(|(at, word)| match words.get(at + 1).is_some_and(is_unit) {
        true if is_number(word) => word.replace('.', &POINT),
        _ => (*word).to_owned(),
    });
    said.collect::<Vec<_>>().join(" ")
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
        let mut begin = 0;
        for (open, _) in english.match_indices('{') {
            // Other braces are text: `should be an object {…}, not {0}`.
            let hole =
                english[open + 1..].split_once('}').and_then(|(number, _)| Some((number.len(), number.parse().ok()?)));
            let Some((length, number)) = hole.filter(|(_, number)| *number < HOLES_MAX) else { continue };
            literals.push(&english[begin..open]);
            numbers.push(number);
            begin = open + length + 2;
        }
        literals.push(&english[begin..]);
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
            (".", ","),
            ("should be {…}, not {0}", "soll {…} sein, nicht {0}"),
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
        assert_eq!(german("should be {…}, not goodness 3"), "soll {…} sein, nicht Güte 3");
        assert_eq!(german("priority 115 is the first set bit"), "Priorität 115 ist das erste gesetzte Bit");
    }

    #[test]
    fn measured_numbers_have_the_decimal_mark_of_the_language() {
        assert_eq!(german("vim comes next with -1.25 ms"), "als Nächster kommt vim mit -1,25 ms");
        assert_eq!(german("(0.5 s), 2.6.21 after 2.4 and 3 ms"), "(0,5 s), 2.6.21 after 2.4 and 3 ms");
    }

    #[test]
    fn a_title_of_the_visitors_is_no_sentence() {
        let pairs = [("{0} of {1}", "{0} von {1}"), ("hogs", "CPU-Fresser"), ("Post {0}, {1}", "Beitrag {0}, {1}")];
        speak(Catalogue::new(pairs.map(|(english, german)| (english.to_owned(), german.to_owned()))));
        assert_eq!(title("hogs of many"), "hogs of many");
        assert_eq!(title("hogs"), "CPU-Fresser");
        assert_eq!(title("Post 000, hogs"), "Beitrag 000, CPU-Fresser");
    }

    #[test]
    fn what_no_template_fits_stays() {
        for text in ["", "hello there", "priority  is", "{0}", "priority is the first set bit", "ü comes next with "] {
            assert_eq!(german(text), text);
        }
    }
}
