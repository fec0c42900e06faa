//! Which code of the page's modules comes later, and the files that this makes in dist/.

use crate::proc::Outcome;
use crate::{compress, split};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// A module that is split.
struct Splitting {
    /// Word of its bin.
    bin: &'static str,
    /// Paths of the code that waits, as they begin. What only such code uses waits with it.
    later: &'static [&'static str],
    /// What does not wait all the same.
    first: &'static [&'static str],
}

/// Parts of the standard library and of others' crates that short inputs do not reach, or errors alone.
const RARE: &[&str] = &[
    "<char>::escape_debug_ext",
    "core::num::flt2dec::strategy::dragon",
    "core::slice::sort::shared::pivot",
    "core::slice::sort::unstable::ipnsort",
    "core::slice::sort::stable::drift",
    "core::slice::sort::stable::quicksort",
    "core::slice::sort::unstable::quicksort",
    "core::str::slice_error_fail",
    "serde::private::ser::content",
    "serde_json::error",
    "StrRead>>::ignore_",
    "StrRead>>::parse_decimal",
    "StrRead>>::parse_exponent",
    "StrRead>>::parse_long",
    "serde_core::de::ignored_any",
    "serde_json::read::SliceRead>::position_of_index",
    "<sim_core::policy::SchedClass as serde",
    "zmij",
];

const SPLITTINGS: &[Splitting] = &[
    Splitting {
        bin: "app",
        later: &[
            // Views that a visitor opens.
            "schedscope::views::compare",
            "schedscope::views::embed",
            "schedscope::views::errors::LinkCard",
            "schedscope::views::errors::editor",
            "schedscope::views::errors::excerpt",
            "schedscope::views::history",
            "schedscope::views::inspector::decisions",
            "schedscope::views::inspector::distance",
            "schedscope::views::inspector::path",
            "schedscope::views::inspector::range",
            "schedscope::views::inspector::turns",
            "schedscope::views::lesson",
            "schedscope::views::overlays",
            "schedscope::views::sweep",
            // Parts of views that other schedulers need, or a hand.
            "schedscope::views::charts::ratios",
            "schedscope::views::inspector::what_if",
            "schedscope::views::scenario::add",
            "schedscope::views::scenario::changes",
            "schedscope::views::structures::axis",
            "schedscope::views::structures::key_axis",
            "schedscope::views::structures::matrix",
            "schedscope::views::structures::moves",
            "schedscope::views::structures::scan",
            "schedscope::views::structures::shares",
            "schedscope::views::structures::slice",
            "schedscope::views::structures::sheet::draw_groups",
            "schedscope::views::structures::trails",
            "schedscope::views::structures::tree",
            "schedscope::text::time::moment",
            "schedscope::views::structures::gauges::draw_table",
            "schedscope::views::timeline::LaneCanvas",
            "schedscope::views::timeline::gesture",
            "schedscope::views::timeline::hit",
            "schedscope::views::timeline::listeners",
            "schedscope::views::timeline::task_lane",
            // Lessons, files, pictures, links, keys, other pages.
            "schedscope::clipboard",
            "schedscope::embed",
            "schedscope::fetch",
            "schedscope::files",
            "schedscope::keyboard",
            "schedscope::lessons",
            "schedscope::paint::colour_by",
            "schedscope::paint::svg",
            "schedscope::picture",
            "schedscope::print",
            "schedscope::recent",
            "schedscope::store::beside",
            "schedscope::store::course",
            "schedscope::store::jobs",
            "schedscope::store::navigate",
            "schedscope::tools",
            "sim_core::engine::protocol::differences",
            "sim_core::engine::protocol::jobs",
            "sim_core::engine::protocol::quiz",
            "sim_core::engine::protocol::story",
            "sim_core::engine::protocol::trails",
            "sim_core::interchange",
            "sim_core::lesson",
            "sim_core::posts",
            "ChartCanvas as yew::functional::FunctionProvider>::run::inner::{closure#1}",
            "schedscope::store::work::Work as core::default::Default",
            "sim_core::scenario::builder",
            "sim_core::scenario::builtins",
            "sim_core::scenario::kinds",
            "sim_core::scenario::link::decode",
            "sim_core::scenario::link::short",
            "sim_core::scenario::link::view::View>::read",
            "sim_core::scenario::program",
            "sim_core::scenario::read",
            "sim_core::scenario::settings",
            "sim_core::scenario::text",
            "sim_core::scenario::validate",
            "sim_core::sweep",
            "serde_json::value::Value as serde",
            "miniz_oxide::deflate::core::HuffmanOxide",
            "miniz_oxide::deflate::core::flush_block",
            "miniz_oxide::inflate",
        ],
        first: &[
            // They are there from the start, closed or empty.
            "schedscope::files::listen",
            "schedscope::keyboard::listen",
            "schedscope::keyboard::width_class",
            "schedscope::print::listen",
            "schedscope::recent::Recent",
            "schedscope::store::course::Course",
            "schedscope::store::course::Done",
            "schedscope::store::jobs::Inner",
            "schedscope::store::jobs::Jobs",
            "schedscope::tools::client::post",
            "schedscope::views::inspector::what_if::WhatIf",
            "schedscope::views::lesson::keeper",
            "schedscope::views::overlays::policies::PolicyMenu",
            "sim_core::engine::protocol::differences::RangeView",
            "sim_core::engine::protocol::jobs::SettingView",
            "sim_core::engine::protocol::jobs::StripView",
            "sim_core::engine::protocol::jobs::SweepPlan",
            "sim_core::engine::protocol::quiz::QuizView",
            // The first scenario.
            "sim_core::scenario::builtins::Builtin",
            "sim_core::scenario::builtins::interactive",
            "sim_core::scenario::builtins::machine",
            "sim_core::scenario::builtins::scenario",
            "sim_core::scenario::builtins::workload",
            "sim_core::scenario::link::short::policies",
            "schedscope::views::scenario::changes::use_changes_section",
            "schedscope::views::timeline::listeners::lanes",
            "bulk_build_from_sorted_iter",
            "btree::map::entry::",
            "btree::node::",
            "core::num::flt2dec::strategy::dragon::mul_pow10",
            "core::slice::sort::shared::smallsort",
        ],
    },
    Splitting {
        bin: "worker",
        later: &[
            // The first visit shows a scheduler of `policies::o1`.
            "sim_core::policies::bfs",
            "sim_core::policies::cfs",
            "sim_core::policies::classroom",
            "sim_core::policies::eevdf",
            "sim_core::policies::goodness",
            "sim_core::policies::muqss",
            "sim_core::policies::nicksched",
            "sim_core::policies::o1::cpurc",
            "sim_core::policies::staircase",
            "sim_core::engine::compare",
            "sim_core::engine::decisions",
            "sim_core::engine::jobs",
            "sim_core::engine::log",
            "sim_core::engine::quiz",
            "sim_core::engine::range",
            "sim_core::engine::trails",
            "sim_core::engine::story",
            "sim_core::engine::why_task",
            "sim_core::policies::o1::O1> as sim_core::kernel::sim::DynSim>::apply",
            "sim_core::policies::o1::O1> as sim_core::kernel::sim::DynSim>::check_invariants",
            "sim_core::lesson",
            "sim_core::posts",
            "sim_core::queues::rb_tree",
            "sim_core::queues::ck",
            "sim_core::scenario::builtins",
            "sim_core::scenario::kinds::apps",
            "sim_core::scenario::kinds::build",
            "sim_core::scenario::kinds::micro",
            "sim_core::scenario::kinds::servers",
            "sim_core::engine::lane::Lane>::set_changes",
            "sim_core::machine::cost::crowding",
            "sim_core::engine::structures::Collector as sim_core::inspect::StructureVisitor>::tree",
            "sim_core::policies::o1::O1>::balance_lengths",
            "sim_core::policies::o1::O1>::estimate_activation",
            "sim_core::policies::o1::O1>::set_penalty",
            "sim_core::policies::o1::O1 as sim_core::policy::Policy>::task_changed",
            "sim_core::scenario::builder::Builder>::program_of",
            "sim_core::scenario::percentages",
            "sim_core::scenario::problems",
            "sim_core::scenario::program::write_body",
            "sim_core::scenario::read::change",
            "sim_core::scenario::validate::change",
            "sim_core::trace::window::task_states",
            "sim_core::engine::window::task_lane",
            "sim_core::engine::window::window::{closure#2}",
            "sim_core::sweep",
        ],
        first: &[
            // Asked in every turn, or at the start.
            "sim_core::engine::jobs::Jobs>::work",
            "sim_core::scenario::problems::Problems>::finish",
            "sim_core::scenario::builtins::Builtin",
            // The same code for every scheduler: the compiler keeps one of them, under any name.
            ">>::begin_tick",
            ">>::next_at",
            ">>::schedule::{closure",
            ">>::take_ended_bursts",
            "DynSim>::drain_records",
            "DynSim>::probe",
            "Kernel>::note::",
            "Timer]>::sort_unstable",
        ],
    },
];

/// Splits the modules in `dist`. Files with a hash in their name never change: the parts get a new one.
pub fn write(dist: &Path) -> Outcome<()> {
    for splitting in SPLITTINGS {
        let whole = module_of(dist, splitting.bin)?;
        let bytes = fs::read(&whole).map_err(|error| format!("{}: {error}", whole.display()))?;
        let hash = hash_of(&bytes, splitting);
        let file = format!("{}_later-{hash}.wasm", splitting.bin);
        let parts = split::split(&bytes, &file, |name| splitting.waits(name))
            .map_err(|error| format!("{}: {error}", whole.display()))?;
        save(&dist.join(&file), &parts.later)?;
        let first = rename(dist, &whole, splitting.bin, &hash)?;
        save(&first, &parts.first)?;
        let (first, later, doors) = parts.functions;
        println!("  {}: {first} functions first, {later} later, {doors} stand-ins", splitting.bin);
    }
    Ok(())
}

impl Splitting {
    /// A function's name holds its path and those of all types that it is made for:
    /// `<yew::html::component::scope::Scope<schedscope::views::sweep::Sweep>>::remount`. One of them is enough.
    fn waits(&self, name: &str) -> bool {
        let is_in = |paths: &[&str]| paths.iter().any(|path| name.contains(path));
        (is_in(RARE) || is_in(self.later)) && !is_in(self.first)
    }
}

/// `BIN-HASH_bg.wasm` or `BIN_bg.wasm`.
fn module_of(dist: &Path, bin: &str) -> Outcome<PathBuf> {
    let is_module = |file: &PathBuf| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.strip_prefix(bin).is_some_and(|rest| rest.starts_with(['-', '_']) && rest.ends_with("_bg.wasm"))
    };
    let found = compress::files_below(dist)?.into_iter().find(is_module);
    found.ok_or_else(|| format!("trunk wrote no module for {bin} into {}", dist.display()))
}

fn hash_of(bytes: &[u8], splitting: &Splitting) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    RARE.iter().chain(splitting.later).chain(splitting.first).for_each(|path| hash.update(path));
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Gives a module with a hash in its name another one, in index.html too.
fn rename(dist: &Path, whole: &Path, bin: &str, hash: &str) -> Outcome<PathBuf> {
    let old = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if old == format!("{bin}_bg.wasm") {
        return Ok(whole.to_path_buf());
    }
    let new = format!("{bin}-{hash}_bg.wasm");
    let index = dist.join("index.html");
    let text = fs::read_to_string(&index).map_err(|error| format!("{}: {error}", index.display()))?;
    if !text.contains(&old) {
        return Err(format!("{} does not name {old}", index.display()));
    }
    save(&index, text.replace(&old, &new).as_bytes())?;
    fs::remove_file(whole).map_err(|error| format!("{}: {error}", whole.display()))?;
    Ok(dist.join(new))
}

fn save(file: &Path, bytes: &[u8]) -> Outcome<()> {
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}
