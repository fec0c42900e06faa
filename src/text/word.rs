//! Words that can be said in another language.
//!
//! English stands in the code, where it is read beside the place it is used; another language is a catalogue from the
//! English text to its own (`locales/`), fetched only when it is wanted. What a catalogue lacks is said in English.

use super::sentence::Template;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::ops::Deref;
use yew::html::IntoPropValue;
use yew::{AttrValue, Html};

/// A language: English texts and what they are there.
#[derive(Default)]
pub struct Catalogue {
    texts: BTreeMap<&'static str, &'static str>,
    /// Those with holes, the most telling first.
    templates: Vec<Template>,
}

impl Catalogue {
    /// From pairs of English and the other language. They live as long as the page: one language is chosen per visit.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let leak = |text: String| -> &'static str { text.leak() };
        let texts: BTreeMap<_, _> = pairs.into_iter().map(|(english, other)| (leak(english), leak(other))).collect();
        let mut templates: Vec<_> = texts.keys().filter_map(|english| Template::new(english)).collect();
        templates.sort_by_key(|template| std::cmp::Reverse(template.weight()));
        Catalogue { texts, templates }
    }

    /// Texts with holes, the most telling first.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }
}

thread_local! {
    static CATALOGUE: OnceCell<Catalogue> = const { OnceCell::new() };
}

/// Chooses the language for as long as the page lives; before anything is drawn. A second call changes nothing.
pub fn speak(catalogue: Catalogue) {
    CATALOGUE.with(|chosen| _ = chosen.set(catalogue));
}

/// Reads the chosen catalogue; `None` while the page speaks English.
pub fn with_catalogue<T>(read: impl FnOnce(&Catalogue) -> T) -> Option<T> {
    CATALOGUE.with(|chosen| chosen.get().map(read))
}

/// The chosen language's text for `english`, if it has one.
pub fn translated(english: &str) -> Option<&'static str> {
    with_catalogue(|catalogue| catalogue.texts.get(english).copied()).flatten()
}

/// A text of the interface by its English form; reads as a `str` of the chosen language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(pub &'static str);

impl Word {
    /// In the chosen language.
    pub fn say(self) -> &'static str {
        translated(self.0).unwrap_or(self.0)
    }

    /// In the chosen language, `{0}`, `{1}` … replaced by the values, which may change places in a translation.
    pub fn fill(self, values: &[&dyn Display]) -> String {
        let mut text = String::new();
        let mut rest = self.say();
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let hole =
                after.split_once('}').and_then(|(index, tail)| Some((values.get(index.parse::<usize>().ok()?)?, tail)));
            match hole {
                Some((value, tail)) => {
                    text.push_str(&value.to_string());
                    rest = tail;
                }
                None => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text + rest
    }
}

/// `one` for 1, else `many`, each with `{0}` for the count.
pub fn count(n: usize, one: Word, many: Word) -> String {
    if n == 1 { one } else { many }.fill(&[&n])
}

impl Deref for Word {
    type Target = str;
    fn deref(&self) -> &str {
        self.say()
    }
}

impl Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.say())
    }
}

impl From<Word> for AttrValue {
    fn from(word: Word) -> Self {
        AttrValue::Static(word.say())
    }
}

impl From<Word> for String {
    fn from(word: Word) -> Self {
        word.say().to_owned()
    }
}

impl IntoPropValue<AttrValue> for Word {
    fn into_prop_value(self) -> AttrValue {
        self.into()
    }
}

impl IntoPropValue<Option<AttrValue>> for Word {
    fn into_prop_value(self) -> Option<AttrValue> {
        Some(self.into())
    }
}

impl IntoPropValue<Html> for Word {
    fn into_prop_value(self) -> Html {
        Html::from(self.say())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_says_what_it_knows_and_leaves_the_rest_in_english() {
        assert_eq!(Word("{0} of {1}").fill(&[&3, &"7"]), "3 of 7", "before a language is chosen");
        let pairs = [("{0} of {1}", "von {1} sind es {0}"), ("Share", "Teilen")];
        speak(Catalogue::new(pairs.map(|(english, german)| (english.to_owned(), german.to_owned()))));
        assert_eq!(Word("{0} of {1}").fill(&[&3, &"7"]), "von 7 sind es 3");
        assert_eq!(&*Word("Share"), "Teilen");
        assert_eq!(&*Word("Play"), "Play");
    }

    #[test]
    fn holes_without_a_value_stay_as_they_are() {
        assert_eq!(Word("{0} {2} {x} {").fill(&[&1]), "1 {2} {x} {");
    }

    #[test]
    fn counts_choose_their_form() {
        let tasks = |n| count(n, Word("1 task"), Word("{0} tasks"));
        assert_eq!([tasks(0), tasks(1), tasks(2)], ["0 tasks", "1 task", "2 tasks"]);
    }
}
