//! Which language the page speaks: the link's, else the visitor's choice, else the browser's, else English. A language
//! is chosen when the page starts; choosing another one loads the page anew, the link keeps the state.

use crate::page;
use crate::text::word::{self, Catalogue};
use js_sys::{Array, Object};
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Languages: key as browsers name them, own name. The first is the one in the code.
pub const LANGUAGES: [(&str, &str); 2] = [("en", "English"), ("de", "Deutsch")];

/// Where the choice is remembered.
const CHOICE: &str = "schedscope.language";

/// Key of the language to speak. `linked`: what the link asks for, or empty.
pub fn wanted(linked: &str) -> &'static str {
    let choice = page::recall(CHOICE).unwrap_or_default();
    let browsers = page::window().and_then(|window| window.navigator().language()).unwrap_or_default();
    first_known([linked, &choice, &browsers])
}

fn first_known(wishes: [&str; 3]) -> &'static str {
    let known = |wish: &str| LANGUAGES.iter().map(|(key, _)| *key).find(|key| wish.split('-').next() == Some(key));
    wishes.into_iter().find_map(known).unwrap_or(LANGUAGES[0].0)
}

/// Makes the page speak `language`; what cannot be fetched leaves it in English.
pub async fn speak(language: &'static str) {
    if language == LANGUAGES[0].0 {
        return;
    }
    let Ok(texts) = texts(language).await else { return };
    word::speak(Catalogue::new(texts));
    page::set_language(language);
}

/// Begins to fetch what the spoken language calls the texts of a lesson of the page's own; nothing in English, and what
/// cannot be fetched leaves the lesson in English.
pub fn lesson_texts(key: &str) -> impl Future<Output = BTreeMap<String, String>> + use<> {
    let spoken = page::language();
    let answer = (spoken != LANGUAGES[0].0).then(|| texts(&format!("{spoken}/lessons/{key}")));
    async {
        BTreeMap::from_iter(match answer {
            Some(answer) => answer.await.unwrap_or_default(),
            None => Vec::new(),
        })
    }
}

/// Remembers the choice for this and later visits and starts the page anew. A link that asks for another language loses
/// that wish: the choice came later.
pub fn choose(language: &str) {
    page::remember(CHOICE, language);
    crate::address::forget_language();
    if let Some(window) = page::window() {
        // A page that cannot be loaded anew stays as it is.
        let _ = window.location().reload();
    }
}

/// Begins to fetch the catalogue `locales/{name}.json`: pairs of English and the other language.
fn texts(name: &str) -> impl Future<Output = Result<Vec<(String, String)>, JsValue>> + use<> {
    let request = page::window().map(|window| window.fetch_with_str(&format!("locales/{name}.json")));
    async {
        let response: Response = JsFuture::from(request.ok_or("no window")?).await?.dyn_into()?;
        let texts: Object = JsFuture::from(response.json()?).await?.dyn_into()?;
        let pairs = Object::entries(&texts);
        let pairs = pairs.iter().filter_map(|pair| {
            let pair: Array = pair.dyn_into().ok()?;
            Some((pair.get(0).as_string()?, pair.get(1).as_string()?))
        });
        Ok(pairs.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::first_known;

    #[test]
    fn the_first_known_wish_is_granted() {
        assert_eq!(first_known(["", "", "de-AT"]), "de");
        assert_eq!(first_known(["en", "de", "de"]), "en");
        assert_eq!(first_known(["xx", "", "fr"]), "en");
        assert_eq!(first_known(["", "de", "en-GB"]), "de");
    }
}
