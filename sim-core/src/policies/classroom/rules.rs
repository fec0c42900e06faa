//! The rules as data: what each textbook scheduler is called, orders by, and takes turns by.

use super::{Classroom, Why};
use crate::inspect::Unit;
use crate::kernel::sim;
use crate::policy::{Caps, PolicyEntry, PolicyInfo, Shape, TunableSpec};

/// Who runs next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// First come, first served.
    Fcfs,
    /// Shortest job first.
    Sjf,
    /// Shortest remaining time first.
    Srtf,
    /// Round robin.
    RoundRobin,
    /// Multi-level feedback queue.
    Feedback,
    /// A ticket is drawn.
    Lottery,
    /// The smallest pass.
    Stride,
}

impl Rule {
    /// A turn ends after a time slice, whoever waits.
    pub(super) fn has_turns(self) -> bool {
        matches!(self, Rule::RoundRobin | Rule::Feedback | Rule::Lottery | Rule::Stride)
    }

    pub(super) fn by_tickets(self) -> bool {
        matches!(self, Rule::Lottery | Rule::Stride)
    }

    /// Position of the knob `key` among its tunables.
    pub(super) fn index(self, key: &str) -> Option<usize> {
        self.entry().info.tunables.iter().position(|spec| spec.key == key)
    }

    fn entry(self) -> &'static PolicyEntry {
        &POLICIES[self as usize]
    }

    /// The rule with this key.
    pub(super) fn of(key: &str) -> Rule {
        let all = [Rule::Fcfs, Rule::Sjf, Rule::Srtf, Rule::RoundRobin, Rule::Feedback, Rule::Lottery, Rule::Stride];
        all.into_iter().find(|rule| rule.entry().info.key == key).unwrap_or(Rule::Fcfs)
    }
}

const fn knob(
    key: &'static str,
    help: &'static str,
    unit: Unit,
    (min, max): (i64, i64),
    default: fn(Shape) -> i64,
) -> TunableSpec {
    TunableSpec { key, help, unit, min, max, default, golden: None }
}

const QUANTUM: TunableSpec =
    knob("quantum", "Length of a turn", Unit::Nanos, (100_000, 10_000_000_000), |_| 10_000_000);
const NEWCOMERS: TunableSpec = knob(
    "newcomers_first",
    "1: who comes when a turn ends queues before the one whose turn it was; 0: after it",
    Unit::Count,
    (0, 1),
    |_| 1,
);
const QUEUES: TunableSpec = knob("queues", "Number of levels", Unit::Count, (1, 16), |_| 3);
const ALLOTMENT: TunableSpec = knob("allotment", "Turns at a level before it goes down", Unit::Count, (1, 100), |_| 1);
const DOUBLING: TunableSpec =
    knob("doubling", "1: a turn is twice as long on each lower level", Unit::Count, (0, 1), |_| 0);
const BOOST: TunableSpec =
    knob("boost", "All go up to the top after this time; 0: never", Unit::Nanos, (0, 100_000_000_000), |_| {
        1_000_000_000
    });
const IO_STAY: TunableSpec = knob(
    "io_stay",
    "1: who blocks before its turn ends gets a whole new allotment, so that it can stay up for ever",
    Unit::Count,
    (0, 1),
    |_| 0,
);
const IO_FIRST: TunableSpec =
    knob("io_first", "1: who wakes goes to the front of its level; 0: to its end", Unit::Count, (0, 1), |_| 0);

const TICKETS: Caps = Caps { groups: true, ..Caps::NONE };

const fn entry(
    key: &'static str,
    title: &'static str,
    summary: &'static str,
    tunables: &'static [TunableSpec],
    caps: Caps,
) -> PolicyEntry {
    let info = PolicyInfo {
        key,
        title,
        family: "classroom",
        kernel: "textbook rule",
        summary,
        tunables,
        reasons: Why::TABLE,
        notes: super::NOTES,
        caps,
        golden: &[],
        golden_matched: (0, 0),
    };
    PolicyEntry { info, build: sim::build::<Classroom> }
}

/// One entry per rule, in the order of [`Rule`], which is that in which they are taught.
pub static POLICIES: &[PolicyEntry] = &[
    entry(
        "fcfs",
        "First come, first served",
        "One queue. Whoever has waited longest runs until it sleeps or ends; a long job holds up all that come after it.",
        &[],
        Caps::NONE,
    ),
    entry(
        "sjf",
        "Shortest job first",
        "Whoever needs the CPU for the shortest time runs, and nobody is interrupted. It knows the future, as no kernel does.",
        &[],
        Caps::NONE,
    ),
    entry(
        "srtf",
        "Shortest remaining time first",
        "Whoever is done soonest runs: a shorter job takes the CPU from a longer one. It knows the future, and long jobs can starve.",
        &[],
        Caps::NONE,
    ),
    entry(
        "rr",
        "Round robin",
        "One queue in which everybody gets a turn of one quantum and goes to the end.",
        &[QUANTUM, NEWCOMERS],
        Caps::NONE,
    ),
    entry(
        "mlfq",
        "Multi-level feedback queue",
        "Levels with turns: new jobs begin at the top, whoever uses up its allotment goes one level down, and a boost lifts all.",
        &[QUANTUM, QUEUES, ALLOTMENT, DOUBLING, BOOST, IO_STAY, IO_FIRST],
        Caps::NONE,
    ),
    entry(
        "lottery",
        "Lottery",
        "Each turn a ticket is drawn. Nice levels and shares say how many somebody holds; shares come true only on average.",
        &[QUANTUM],
        TICKETS,
    ),
    entry(
        "stride",
        "Stride",
        "Each turn moves a job on by its stride, the smaller the more tickets it holds; the one that is furthest behind runs.",
        &[QUANTUM],
        TICKETS,
    ),
];
