//! What the page shows of the classes.

use super::classes::PERCENT;
use crate::inspect::{Entity, Gauge, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::policies::o1::O1;
use crate::units::{GroupId, TaskId};

const SECOND: u64 = 1_000_000_000;

fn gauge(label: &'static str, value: u64, full: u64, unit: Unit) -> Gauge {
    Gauge { label, value: value as i64, full: full as i64, unit }
}

impl O1 {
    /// Every class: promise, measured load, what it really got, factor, and the lamps.
    pub(in crate::policies::o1) fn show_classes(&self, k: &Kernel, v: &mut dyn StructureVisitor) {
        let Some(controller) = &self.controller else { return };
        let now = k.jiffies() + 1;
        v.panel(3, "classes", None);
        for (index, class) in controller.classes.iter().enumerate() {
            let group = GroupId(index as u16);
            let who = Entity::Group(group);
            let got = class.ran_before * PERCENT / (SECOND * controller.cpus() as u64);
            let doubts = controller.stats_of(group).iter().map(|stat| u64::from(stat.maybe_hungry)).sum();
            let starving = controller.rules.requeues && controller.is_starving(group);
            let promise = class.guarantee as i64;
            v.entity_gauge(who, gauge("guarantee", class.guarantee, 0, Unit::Percent));
            let load = controller.shown_load(group, now);
            v.meter(who, gauge("measured load", load, PERCENT, Unit::Percent), promise);
            v.meter(who, gauge("true share", got, PERCENT, Unit::Percent), promise);
            v.entity_gauge(who, gauge("factor", class.factor, PERCENT, Unit::Percent));
            v.lamp(who, "hungry", class.is_hungry > 0);
            v.lamp(who, "starving", starving);
            v.entity_gauge(who, gauge("is_hungry", u64::from(class.is_hungry), 0, Unit::Count));
            v.entity_gauge(who, gauge("maybe_hungry", doubts, 0, Unit::Count));
        }
        v.gauge(gauge("hungry_count", u64::from(controller.domain.hungry_count), 0, Unit::Count));
    }

    /// What the controller keeps about a task.
    pub(in crate::policies::o1) fn show_class_of(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let Some(controller) = &self.controller else { return };
        let (times, class) = (controller.task(task), controller.classes[k.task(task).group.index()]);
        let now = k.jiffies() + 1;
        out(gauge("class factor", class.factor, PERCENT, Unit::Percent));
        out(gauge("last_slice", u64::from(times.last_slice), 0, Unit::Ticks));
        out(gauge("since ts_alloced", now - times.ts_alloced, controller.rules.spread, Unit::Ticks));
        let waited = if times.last_activated == 0 { 0 } else { now - times.last_activated };
        out(gauge("since last_activated", waited, 0, Unit::Ticks));
    }
}
