//! Classes: what they are promised, what they are measured to use, and the factor that follows. Pure arithmetic in the
//! controller's integers.

use super::knobs::Rules;
use super::{Controller, Stat};
use crate::kernel::Group;
use crate::units::GroupId;

/// `CPU_RC_GUAR_SCALE` and `CPU_RC_TSFACTOR_MAX`: the whole.
pub(super) const PERCENT: u64 = 100;

/// `struct cpu_rc`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Class {
    /// Percent of the parent, as set (`my_guarantee`).
    pub share: u64,
    /// Percent of the machine that is left for the class and those below it.
    pub total: u64,
    /// Percent of the machine that the class itself is promised.
    pub guarantee: u64,
    /// In how many successive evaluations it was hungry.
    pub is_hungry: u32,
    /// `ts_factor`, percent.
    pub factor: u64,
    /// When the factor was worked out last, ticks.
    pub last_recalc: u64,
    /// CPU time in the present second, ns, and in the one before.
    pub ran: u64,
    pub ran_before: u64,
}

impl Default for Class {
    fn default() -> Class {
        Class { share: 0, total: 0, guarantee: 0, is_hungry: 0, factor: PERCENT, last_recalc: 0, ran: 0, ran_before: 0 }
    }
}

/// `struct cpu_rc_domain`: one for all classes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Domain {
    pub hungry_count: u32,
    /// When `hungry_count` was aged last, ticks; 0 = never.
    pub timestamp: u64,
}

/// What came of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Evaluated {
    /// Load, in units of [`Rules::load_scale`].
    pub load: u64,
    pub maybe_hungry: u32,
    /// Factor before.
    pub factor: u64,
    /// Hunger before.
    pub hungry: u32,
}

/// Guarantees down the tree: a class passes its children's percentages on and keeps what they leave. Every division
/// truncates. Parents stand before their children.
pub(super) fn effective_guarantees(groups: &[Group], classes: &mut [Class]) {
    for index in 0..classes.len() {
        let is_child = |child: usize| child != 0 && groups[child].parent.index() == index;
        let given: u64 = (0..classes.len()).filter(|&child| is_child(child)).map(|child| classes[child].share).sum();
        let total = match index {
            0 => PERCENT,
            _ => classes[index].share * classes[groups[index].parent.index()].total / PERCENT,
        };
        classes[index].total = total;
        classes[index].guarantee = (PERCENT - given) * total / PERCENT;
    }
}

impl Stat {
    /// `cpu_rc_account`: `used` ticks of a slice were used in the `base` ticks up to `now`.
    pub(super) fn account(&mut self, rules: &Rules, used: u64, base: u64, now: u64) {
        if base == 0 {
            return;
        }
        let scale = rules.load_scale;
        let mut load = scale * used + scale / 2;
        if base > rules.spread {
            load = rules.spread * load / base;
        }
        let age = now - self.timestamp;
        let old = if age > rules.spread { 0 } else { self.load * (rules.spread - age) };
        self.timestamp = now;
        self.load = (old + load) / rules.spread;
    }
}

impl Domain {
    /// Hunger is forgotten: halved every second, dropped after a spread period without any evaluation.
    pub(super) fn age(&mut self, rules: &Rules, now: u64) {
        let age = now - self.timestamp;
        if self.timestamp == 0 {
            self.timestamp = now;
        } else if age > rules.spread {
            self.hungry_count = 0;
            self.timestamp = now;
        } else if age > rules.interval {
            self.hungry_count /= 2;
            self.timestamp = now;
        }
    }
}

impl Class {
    /// Hunger and factor after an evaluation that saw `load` and `maybe_hungry`.
    pub(super) fn evaluate(&mut self, domain: &mut Domain, rules: &Rules, load: u64, maybe_hungry: u32, now: u64) {
        let promised = self.guarantee * rules.load_scale;
        if load * PERCENT < promised && maybe_hungry > 0 {
            self.is_hungry += 1;
            domain.hungry_count += rules.hungry_increment;
        } else {
            self.is_hungry = 0;
        }
        if domain.hungry_count == 0 {
            self.factor += rules.increment;
        } else if self.is_hungry > 0 {
            self.factor += rules.increment_hungry;
        } else if load * PERCENT > (self.guarantee + rules.margin) * rules.load_scale {
            self.factor = self.factor * promised / (load * PERCENT);
        }
        self.factor = self.factor.clamp(1, PERCENT);
        self.last_recalc = now;
    }
}

impl Controller {
    /// `cpu_rc_recalc_tsfactor`.
    pub(super) fn evaluate(&mut self, group: GroupId, now: u64) -> Evaluated {
        self.domain.age(&self.rules, now);
        let cpus = self.cpus();
        let stats = &mut self.stats[group.index() * cpus..][..cpus];
        let load = stats.iter().map(|stat| stat.load).sum::<u64>() / cpus as u64;
        let maybe_hungry = stats.iter_mut().map(|stat| std::mem::take(&mut stat.maybe_hungry)).sum();
        let class = &mut self.classes[group.index()];
        let before = Evaluated { load, maybe_hungry, factor: class.factor, hungry: class.is_hungry };
        class.evaluate(&mut self.domain, &self.rules, load, maybe_hungry, now);
        before
    }

    /// `cpu_rc_load`: load of a class as the kernel showed it, percent of the machine.
    pub(super) fn shown_load(&self, group: GroupId, now: u64) -> u64 {
        let fresh = |stat: &&Stat| now - stat.timestamp <= self.rules.spread;
        let load: u64 = self.stats_of(group).iter().filter(fresh).map(|stat| stat.load).sum();
        load / self.cpus() as u64 * PERCENT / self.rules.load_scale
    }

    /// `cpu_rc_task_is_starving`, for the class: never when it is the only one.
    pub(super) fn is_starving(&self, group: GroupId) -> bool {
        self.classes.len() > 1 && self.classes[group.index()].is_hungry > self.rules.starve_threshold
    }
}
