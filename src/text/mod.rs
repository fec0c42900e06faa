//! Every word of the interface.

pub mod keys;
pub mod time;

/// Name of the product.
pub const PRODUCT: &str = "Schedscope";

/// Names of the main views.
pub const VIEWS: [&str; 3] = ["Run", "Structures", "Compare"];
/// Names of the tabs of a narrow page.
pub const TABS: [&str; 5] = ["Timeline", "Structures", "Why", "Graphs", "Scenario"];

/// Top bar.
pub mod top {
    /// Title field.
    pub const TITLE: &str = "Title of the scenario";
    /// Button.
    pub const SHARE: &str = "Share";
    /// Button.
    pub const THEME: &str = "Dark or light";
    /// Button.
    pub const HELP: &str = "Keys and help";
    /// Button.
    pub const MORE: &str = "More";
    /// Button.
    pub const POLICY: &str = "Scheduler";
    /// Navigation.
    pub const VIEWS: &str = "Views";
    /// Button that adds a lane.
    pub const COMPARE: &str = "Compare";
    /// Takes a lane away.
    pub const REMOVE_LANE: &str = "Take this lane away";
    /// Skip link.
    pub const SKIP: &str = "Skip to the timeline";
}

/// Scenario panel.
pub mod scenario {
    /// Heading.
    pub const HEADING: &str = "Scenario";
    /// Menu of built-ins.
    pub const BUILTINS: &str = "Examples";
    /// Section.
    pub const MACHINE: &str = "Machine";
    /// Row.
    pub const PRESET: &str = "preset";
    /// Row.
    pub const CPUS: &str = "CPUs";
    /// Row.
    pub const HZ: &str = "timer, Hz";
    /// Row.
    pub const COSTS: &str = "costs";
    /// Costs are free.
    pub const IDEAL: &str = "ideal";
    /// Costs as measured.
    pub const CALIBRATED: &str = "calibrated";
    /// Row.
    pub const LENGTH: &str = "length";
    /// Row.
    pub const SEED: &str = "seed";
    /// Section.
    pub const WORKLOAD: &str = "Workload";
    /// Button.
    pub const ADD: &str = "Add";
    /// Slider.
    pub const COUNT: &str = "count";
    /// Slider.
    pub const NICE: &str = "nice";
    /// Choice.
    pub const CLASS: &str = "class";
    /// Button.
    pub const REMOVE: &str = "Remove";
    /// Section.
    pub const GROUPS: &str = "Groups";
    /// Section.
    pub const TUNABLES: &str = "Tunables";
    /// Section.
    pub const CHANGES: &str = "Changes during the run";
    /// Empty workload list.
    pub const EMPTY: &str = "No task yet. Add CPU hogs and watch the queue.";
    /// Empty list of changes.
    pub const NO_CHANGES: &str = "Move a slider while the run is under way: the past stays, the future changes.";
    /// Scheduler without knobs.
    pub const NO_TUNABLES: &str = "This scheduler has no knobs.";
    /// Groups are not in this scheduler.
    pub const GROUPS_NEED: &str = "Groups and shares need a scheduler that has them.";
    /// No groups in this scenario.
    pub const GROUPS_NONE: &str = "This scenario has no groups.";
    /// Takes a change back.
    pub const TAKE_BACK: &str = "Take this change back";
    /// Folded panel.
    pub const UNFOLD: &str = "Unfold the scenario";
    /// Fold button.
    pub const FOLD: &str = "Fold the scenario";
    /// Names of the classes by their number.
    pub const CLASSES: [&str; 6] = ["normal", "batch", "idle", "iso", "FIFO", "RR"];
    /// Shows fewer knobs.
    pub const FEWER: &str = "fewer";
    /// Shows all knobs.
    pub fn all_tunables(count: usize) -> String {
        format!("all {count} tunables")
    }
    /// Badge: the scheduler cannot do it.
    pub fn not_in(policy: &str) -> String {
        format!("not in {policy}")
    }
    /// Heading of the tunables.
    pub fn of_policy(policy: &str) -> String {
        format!("of {policy}")
    }
}

/// Inspector.
pub mod inspector {
    use sim_core::engine::protocol::LaneState;

    /// Heading.
    pub const HEADING: &str = "Inspector";
    /// Fold button.
    pub const FOLD: &str = "fold";
    /// Unfold button.
    pub const UNFOLD: &str = "Unfold the inspector";
    /// Table heading.
    pub const CANDIDATE: &str = "candidate";
    /// Section.
    pub const SELECTED: &str = "Selected slice";
    /// Section without a selection.
    pub const PRESENT: &str = "At this moment";
    /// Section.
    pub const WHOLE_RUN: &str = "Whole run";
    /// Table heading.
    pub const LATENCY: &str = "wake-up latency";
    /// Row.
    pub const ALL_TASKS: &str = "all tasks";
    /// Row.
    pub const SWITCHES: &str = "switches";
    /// Row.
    pub const MIGRATIONS: &str = "migrations";
    /// Row.
    pub const DECISIONS: &str = "decisions";
    /// Row.
    pub const FAIRNESS: &str = "fairness";
    /// Row.
    pub const BUSY: &str = "CPUs busy";
    /// Row.
    pub const LEFT: &str = "left the CPU";
    /// Row.
    pub const RAN: &str = "ran";
    /// Row.
    pub const WAITED: &str = "waited";
    /// Row.
    pub const BEHIND: &str = "behind";
    /// Row.
    pub const WOKEN: &str = "woken by";
    /// Row.
    pub const BEFORE: &str = "before it";
    /// Row.
    pub const AFTER: &str = "after it";
    /// A timer woke it.
    pub const TIMER: &str = "a timer";
    /// Nothing is known yet.
    pub const NOTHING: &str = "Click a slice, a gap or a task to see why.";
    /// Table heading for screen readers.
    pub const OUTCOME: &str = "outcome";
    /// Candidate status.
    pub const RUNS: &str = "runs";
    /// Candidate status.
    pub const WAITS: &str = "waits";
    /// Nobody runs.
    pub const IDLE: &str = "idle";

    /// Heading of the reason, by state.
    pub fn question(state: LaneState, idle: bool) -> &'static str {
        match state {
            _ if idle => "Why is it idle?",
            LaneState::Running => "Why does it run?",
            LaneState::Runnable => "Why does it wait?",
            LaneState::Sleeping => "Why does it sleep?",
            LaneState::Blocked => "What does it wait for?",
            LaneState::Gone => "Where is it?",
        }
    }

    /// After the name of the running task, before the rule.
    pub fn runs_on(cpu: u16) -> String {
        format!(" runs on CPU {cpu}: ")
    }

    /// Before the reason of an idle CPU.
    pub fn cpu_is_idle(cpu: u16) -> String {
        format!("CPU {cpu} is idle: ")
    }

    /// After the name of the waker.
    pub const WOKE_IT: &str = " woke it.";

    /// Why a slice ended, by the number of `SliceEnd`.
    pub fn ended(number: u8) -> &'static str {
        match number {
            0 => "idle ended",
            1 => "preempted",
            2 => "slice used up",
            3 => "slept",
            4 => "waits for a lock or I/O",
            5 => "yielded",
            6 => "exited",
            _ => "goes on",
        }
    }

    /// How the scheduler compares with the real kernel.
    pub fn golden(kernel: &str) -> String {
        format!("matches {kernel} in ")
    }
    /// See [`golden`].
    pub const RECORDED: &str = " recorded schedules";
}

/// Transport.
pub mod transport {
    /// Button.
    pub const START: &str = "To the start";
    /// Button.
    pub const BACK: &str = "One decision back";
    /// Button.
    pub const PLAY: &str = "Play";
    /// Button.
    pub const PAUSE: &str = "Pause";
    /// Button.
    pub const FORWARD: &str = "One decision forward";
    /// Slider.
    pub const SPEED: &str = "speed";
    /// Box.
    pub const TIME: &str = "Time: type a moment or a range";
    /// Bar.
    pub const SEEK: &str = "Time of the run";
    /// Digest.
    pub const DIGEST: &str = "digest";
    /// Digest, longer.
    pub const DIGEST_HELP: &str = "Whoever opens the link must see the same digest";
    /// Switch.
    pub const LOOP: &str = "Begin again at the end";
    /// Speed as text.
    pub fn speed(per_second: &str) -> String {
        format!("1 s = {per_second}")
    }
    /// How far it is simulated.
    pub fn simulated(done: &str, all: &str) -> String {
        format!("{done} of {all} simulated")
    }
}

/// Share popover.
pub mod share {
    /// Heading.
    pub const HEADING: &str = "Share";
    /// Field.
    pub const LINK: &str = "Link to this state";
    /// Button.
    pub const COPY: &str = "Copy link";
    /// After copying.
    pub const COPIED: &str = "Copied";
    /// Word after the number.
    pub const CHARACTERS: &str = " characters";
    /// Short link.
    pub const FITS: &str = "fits every chat, mail and QR code";
    /// Long link.
    pub const LONG: &str = "some chats cut links of this length";
    /// Too long.
    pub const TOO_LONG: &str = "too long for a link: save the scenario as a file";
    /// List.
    pub const IN_THE_LINK: &str = "In the link";
    /// Always there.
    pub const SCENARIO: &str = "scenario and seed";
    /// Always there.
    pub const ALWAYS: &str = "always";
    /// Part.
    pub const MOMENT: &str = "this moment";
    /// Part.
    pub const WINDOW: &str = "window and zoom";
    /// Part.
    pub const SELECTION: &str = "selection";
    /// Part.
    pub const VIEW: &str = "chosen CPU and view";
    /// Part.
    pub const THEME: &str = "theme";
    /// Button.
    pub const FILE: &str = "Scenario as file";
    /// Foot.
    pub const SAME: &str = ": whoever opens the link must see the same";
    /// Marks of the meter.
    pub const MARKS: [&str; 3] = ["lesson 500", "typical 1\u{202f}500", "limit 2\u{202f}000"];
}

/// Error cards.
pub mod errors {
    /// Title of the page meanwhile.
    pub const NOT_OPENED: &str = "Link not opened";
    /// Under the heading.
    pub const NOTHING_RUN: &str = "Nothing was run. Your own scenario is still here.";
    /// Under the heading of an edit.
    pub const RUN_STAYS: &str = "The last good run goes on; change the field or go back.";
    /// Button.
    pub const REPAIR: &str = "Open with repairs";
    /// Button.
    pub const EXAMPLE: &str = "Open the first example";
    /// Button.
    pub const BACK: &str = "My last scenario";
    /// Button.
    pub const REPORT: &str = "Copy report";
    /// Button.
    pub const RELOAD: &str = "Reload";
    /// Button.
    pub const RESTART: &str = "Restart";
    /// Button.
    pub const COPY_LINK: &str = "Copy link";
    /// Button.
    pub const DISMISS: &str = "Close";
    /// Whole document.
    pub const WHOLE: &str = "link";
    /// Card.
    pub const STOPPED: &str = "Run stopped";
    /// Card.
    pub const LOST: &str = "Lost touch with the engine";
    /// Newer version.
    pub const NEWER: &str = "Made by a newer version";

    /// Heading of the card.
    pub fn link_problems(count: usize) -> String {
        if count == 1 { "This link has 1 problem".into() } else { format!("This link has {count} problems") }
    }
    /// Heading of the card for an edit.
    pub fn scenario_problems(count: usize) -> String {
        if count == 1 { "This scenario has 1 problem".into() } else { format!("This scenario has {count} problems") }
    }
    /// The engine is gone.
    pub fn stopped_at(event: &str) -> String {
        format!(
            "The engine stopped at event {event}. The picture is the last good one; the link to this state is kept."
        )
    }
}

/// Folded panels, states.
pub mod panel {
    /// Unfold a panel.
    pub const UNFOLD: &str = "Unfold";
    /// Fold a panel.
    pub const FOLD: &str = "Fold";
    /// Close an overlay.
    pub const CLOSE: &str = "Close";
}

/// Policy menu.
pub mod policies {
    /// Heading of the matches.
    pub fn matches(matched: u32, recorded: u32) -> String {
        format!("{matched} of {recorded} recorded schedules")
    }
    /// Nothing recorded.
    pub const NONE: &str = "nothing recorded to compare with";
}

/// Facts of the scenario under the title.
pub fn facts(tasks: usize, cpus: u16, hz: u32, seed: u64) -> String {
    let plural = |count: usize, word: &str| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") };
    format!("{} · {} · {hz} Hz · seed {seed}", plural(tasks, "task"), plural(usize::from(cpus), "CPU"))
}

/// Search.
pub mod search {
    /// Heading.
    pub const HEADING: &str = "Find a task";
    /// Field.
    pub const FIND: &str = "part of a name; Enter: next hit";
    /// No hit.
    pub const NONE: &str = "No task has this in its name.";
}

/// Compare.
pub mod compare {
    /// Heading.
    pub const HEADING: &str = "Differences over the whole run";
    /// One lane only.
    pub const EMPTY: &str = "One scheduler runs this workload. Put a second one beside it to see where they part.";
    /// Button.
    pub const CHOOSE: &str = "Choose a scheduler";
    /// Head of the first column.
    pub const WHAT: &str = "measure";
    /// Row.
    pub const WAKEUP_P50: &str = "wake-up latency p50";
    /// Row.
    pub const WAKEUP_P99: &str = "wake-up latency p99";
    /// Row.
    pub const WAKEUP_MAX: &str = "wake-up latency max";
    /// Row.
    pub const SCHED_P99: &str = "scheduling latency p99";
    /// Row.
    pub const SCHED_MAX: &str = "scheduling latency max";
    /// Row.
    pub const THROUGHPUT: &str = "marks per second";
    /// Row.
    pub const SWITCHES: &str = "switches";
    /// Row.
    pub const MIGRATIONS: &str = "migrations";
    /// Row.
    pub const SCHEDULER_TIME: &str = "time in the scheduler and its locks";
    /// Row.
    pub const FAIRNESS: &str = "fairness (Jain)";
    /// Row: where a lane first differs from the first one.
    pub const DIVERGENCE: &str = "first difference from the first lane";
    /// Button on a lane's name.
    pub const SHOW: &str = "Show this lane in the timeline";
}
