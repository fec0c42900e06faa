//! Every limit of scenarios and links, in one place. Hitting one is a problem with the field's name, never a freeze.

use crate::units::Nanos;

/// Longest scenario text, bytes.
pub const TEXT_BYTES_MAX: usize = 1 << 20;
/// Deepest nesting of brackets in a scenario text: document, workload, program, four loops of two brackets each, amount.
pub const NESTING_MAX: u32 = 24;
/// Most problems reported at once.
pub const PROBLEMS_MAX: usize = 50;

/// Longest run, ns: one hour.
pub const DURATION_NS_MAX: Nanos = 3_600_000_000_000;
/// Longest title, characters.
pub const TITLE_CHARS_MAX: usize = 200;
/// Longest name of a workload, group, channel or mark, characters.
pub const NAME_CHARS_MAX: usize = 60;
/// Longest name of a task: a workload's with what makes it one of many, characters.
pub const TASK_NAME_CHARS_MAX: usize = NAME_CHARS_MAX + 40;
/// Longest policy, tunable or profile key, characters.
pub const KEY_CHARS_MAX: usize = 60;

/// Most policies side by side.
pub const LANES_MAX: usize = 4;
/// Most tunables set in one lane.
pub const TUNABLES_MAX: usize = 200;
/// Most CPUs.
pub const CPUS_MAX: u32 = crate::units::CPUS_MAX as u32;
/// Tick rates that exist.
pub const HZ_VALUES: [u32; 4] = [100, 250, 300, 1000];

/// Most groups beside the root.
pub const GROUPS_MAX: usize = 256;
/// Deepest nesting of groups below the root.
pub const GROUP_DEPTH_MAX: usize = 8;
/// Largest shares of a group (`MAX_SHARES` of the kernel, 2^18).
pub const SHARES_MAX: u64 = 1 << 18;
/// Shortest quota and period, ns (the kernel's 1 ms).
pub const PERIOD_NS_MIN: Nanos = 1_000_000;
/// Longest period, ns (the kernel's 1 s).
pub const PERIOD_NS_MAX: Nanos = 1_000_000_000;

/// Most workloads.
pub const WORKLOADS_MAX: usize = 200;
/// Most tasks of a scenario, over all workloads and counts that its changes reach.
pub const TASKS_MAX: u64 = 10_000;
/// Rows kept ready per workload for its count slider, in tasks, as far as [`TASKS_MAX`] allows.
pub const SPARE_TASKS: u32 = 64;
/// Most changes of the command log.
pub const CHANGES_MAX: usize = 10_000;
/// Most changes that one lane alone meets.
pub const LANE_CHANGES_MAX: usize = 100;
/// Most notes.
pub const NOTES_MAX: usize = 200;
/// Longest note, characters.
pub const NOTE_CHARS_MAX: usize = 280;

/// Most steps of one program, nested ones included.
pub const PROGRAM_STEPS_MAX: usize = 1_000;
/// Most rounds of a counted loop.
pub const LOOP_ROUNDS_MAX: u64 = 1_000_000_000;
/// Most units of one signal.
pub const SIGNAL_UNITS_MAX: u64 = 10_000;
/// Most parties of a barrier.
pub const BARRIER_PARTIES_MAX: u64 = TASKS_MAX;

/// Longest link fragment that is read, bytes.
pub const LINK_BYTES_MAX: usize = 64 << 10;
/// Longest link that is offered for sharing, characters; longer scenarios go into a file.
pub const LINK_CHARS_SHARED_MAX: usize = 2_000;
/// Most `key=value` pairs of a link.
pub const LINK_PAIRS_MAX: usize = 100;
