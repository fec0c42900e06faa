//! The controller's constants as knobs, and the two releases.

use super::Release;
use crate::inspect::Unit;
use crate::policy::{Shape, TunableSpec};

/// `linux-2.6.15-f0.4-cpurc-v0.3`, 9 February 2006.
pub(in crate::policies::o1) static V0_3: Release =
    Release { scale_by_spread: false, hunger_by_whole_guarantee: false, accounts_exit: false };

/// The nine patches of April 2006.
pub(in crate::policies::o1) static APRIL: Release =
    Release { scale_by_spread: true, hunger_by_whole_guarantee: true, accounts_exit: true };

/// Number of knobs.
pub(in crate::policies::o1) const KNOBS: usize = 8;

const fn knob(
    key: &'static str,
    help: &'static str,
    unit: Unit,
    range: (i64, i64),
    default: fn(Shape) -> i64,
) -> TunableSpec {
    TunableSpec { key, help, unit, min: range.0, max: range.1, default, golden: None }
}

/// Knobs with the defaults that differ: seconds of the spread period, load margin, increments of a factor, requeueing.
macro_rules! knobs {
    ($spread:literal, $margin:literal, $hungry:literal, $requeue:literal) => {
        [
            knob(
                "class_spread",
                "Memory of the measured load of a class (CPU_RC_SPREAD_PERIOD)",
                Unit::Ticks,
                (1, 1_000_000),
                |shape| $spread * i64::from(shape.hz),
            ),
            knob(
                "class_interval",
                "A class is evaluated at most so often (CPU_RC_RECALC_INTERVAL)",
                Unit::Ticks,
                (1, 1_000_000),
                |shape| i64::from(shape.hz),
            ),
            knob(
                "class_margin",
                "Load above the guarantee that is tolerated before slices shrink (CPU_RC_LOAD_MARGIN)",
                Unit::Percent,
                (0, 100),
                |_| $margin,
            ),
            knob(
                "class_factor_inc",
                "Steps by which slices grow back when nobody is hungry (CPU_RC_TSFACTOR_INC)",
                Unit::Percent,
                (0, 100),
                |_| 5,
            ),
            knob(
                "class_factor_inc_hungry",
                "Steps by which the slices of a hungry class grow",
                Unit::Percent,
                (0, 100),
                |_| $hungry,
            ),
            knob(
                "class_hungry_inc",
                "What one evaluation of a hungry class adds to the count that is halved every second (CPU_RC_HCOUNT_INC)",
                Unit::Count,
                (1, 1_000),
                |_| 2,
            ),
            knob(
                "class_starve_threshold",
                "A class that is hungry in more evaluations than this is starving (CPU_RC_STARVE_THRESHOLD)",
                Unit::Count,
                (0, 1_000),
                |_| 2,
            ),
            knob(
                "class_requeue",
                "Tasks of a starving class stay on the active array when their slice ends (0 or 1)",
                Unit::Count,
                (0, 1),
                |_| $requeue,
            ),
        ]
    };
}

/// Knobs of v0.3.
pub(in crate::policies::o1) const V0_3_KNOBS: [TunableSpec; KNOBS] = knobs!(5, 0, 1, 1);

/// Knobs of April 2006.
pub(in crate::policies::o1) const APRIL_KNOBS: [TunableSpec; KNOBS] = knobs!(10, 1, 2, 0);

/// Constants in the form that the arithmetic uses. Times are ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rules {
    pub spread: u64,
    pub interval: u64,
    /// `CPU_RC_LOAD_SCALE`: one CPU.
    pub load_scale: u64,
    /// Percent.
    pub margin: u64,
    pub increment: u64,
    pub increment_hungry: u64,
    pub hungry_increment: u32,
    pub starve_threshold: u32,
    pub requeues: bool,
}

impl Rules {
    pub fn new(release: &Release, specs: &[TunableSpec], values: &[i64]) -> Rules {
        let get = |key: &str| {
            let index = specs.iter().position(|spec| spec.key == key);
            index.map_or(0, |index| values[index].max(0) as u64)
        };
        let spread = get("class_spread").max(1);
        Rules {
            spread,
            interval: get("class_interval"),
            load_scale: if release.scale_by_spread { 2 * spread } else { 1000 },
            margin: get("class_margin"),
            increment: get("class_factor_inc"),
            increment_hungry: get("class_factor_inc_hungry"),
            hungry_increment: get("class_hungry_inc") as u32,
            starve_threshold: get("class_starve_threshold") as u32,
            requeues: get("class_requeue") != 0,
        }
    }
}
