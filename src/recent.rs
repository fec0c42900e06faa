//! Scenarios that were opened or changed in this browser, newest first: kept by the browser for this page only, and
//! forgotten when the visitor says so.

use crate::page;
use serde::{Deserialize, Serialize};

/// Where they are kept.
const KEY: &str = "schedscope.recent";
/// Most scenarios kept.
const MOST: usize = 12;
/// Longest link that is kept, characters: the browser's store is small.
const LINK_CHARS_MAX: usize = 64 << 10;

/// One scenario.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recent {
    /// Title; may be empty.
    pub title: String,
    /// Link without view, without `#`.
    pub link: String,
}

/// All that is kept.
pub fn all() -> Vec<Recent> {
    page::recall(KEY).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Notes a scenario. `is_new`: it was opened; else it is a change of the newest one. False if the browser refuses.
pub fn note(title: &str, link: &str, is_new: bool) -> bool {
    if link.len() > LINK_CHARS_MAX {
        return true;
    }
    keep(&with(all(), Recent { title: title.to_string(), link: link.to_string() }, is_new))
}

/// Forgets one.
pub fn forget(link: &str) {
    let mut kept = all();
    kept.retain(|recent| recent.link != link);
    keep(&kept);
}

/// Forgets everything the page keeps of scenarios.
pub fn forget_all() {
    page::forget(KEY);
    page::forget(crate::address::LAST);
}

fn keep(kept: &[Recent]) -> bool {
    serde_json::to_string(kept).is_ok_and(|text| page::remember(KEY, &text))
}

fn with(mut kept: Vec<Recent>, recent: Recent, is_new: bool) -> Vec<Recent> {
    if !is_new && !kept.is_empty() {
        kept.remove(0);
    }
    kept.retain(|other| other.link != recent.link);
    kept.insert(0, recent);
    kept.truncate(MOST);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recent(link: &str) -> Recent {
        Recent { title: String::new(), link: link.into() }
    }

    #[test]
    fn a_change_replaces_the_newest_and_an_opened_one_comes_before_it() {
        let kept = with(vec![recent("a"), recent("b")], recent("a2"), false);
        assert_eq!(kept, [recent("a2"), recent("b")]);
        let kept = with(kept, recent("b"), true);
        assert_eq!(kept, [recent("b"), recent("a2")]);
        let many = (0..30).fold(Vec::new(), |kept, n| with(kept, recent(&n.to_string()), true));
        assert_eq!(many.len(), MOST);
    }
}
