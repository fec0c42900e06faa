//! Every word of the interface: a module per panel. English stands here, other languages in `locales/`.

pub mod arrived;
pub mod charts;
pub mod compare;
pub mod embed;
pub mod errors;
pub mod export;
pub mod files;
pub mod history;
pub mod inspector;
pub mod keys;
pub mod lesson;
pub mod note;
pub mod panel;
pub mod pictures;
pub mod policies;
pub mod scenario;
pub mod search;
pub mod sentence;
pub mod share;
pub mod sweep;
pub mod time;
pub mod timeline;
pub mod top;
pub mod transport;
pub mod what_if;
pub mod word;

pub use word::{Word, count};

/// Name of the product.
pub const PRODUCT: Word = Word("Schedscope");

/// Mark between a whole number and its decimals.
pub const POINT: Word = Word(".");

/// Names of the main views.
pub const VIEWS: [Word; 6] =
    [Word("Run"), Word("Structures"), Word("Compare"), Word("History"), Word("Sweep"), Word("Lessons")];
/// Names of the tabs of a narrow page.
pub const TABS: [Word; 5] = [Word("Timeline"), Word("Structures"), Word("Why"), Word("Graphs"), Word("Scenario")];

/// Facts of the scenario under the title.
pub fn facts(tasks: usize, cpus: u16, hz: u32, seed: u64) -> String {
    let tasks = count(tasks, Word("1 task"), Word("{0} tasks"));
    let cpus = count(usize::from(cpus), Word("1 CPU"), Word("{0} CPUs"));
    Word("{0} · {1} · {2} Hz · seed {3}").fill(&[&tasks, &cpus, &hz, &seed])
}

#[cfg(test)]
mod locale_tests;
