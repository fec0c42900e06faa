//! What the page shows of the queues, who could be picked, and what must always hold.

use super::O1;
use super::versions::Estimator;
use crate::inspect::{Candidate, Chip, Course, Entity, Gauge, StructureVisitor, Trail, Unit};
use crate::kernel::Kernel;
use crate::queues::prio_array::{BITMAP_WORDS, PrioArray};
use crate::units::{CpuId, TaskId};

fn gauge(label: &'static str, value: u64, full: u64, unit: Unit) -> Gauge {
    Gauge { label, value: value as i64, full: full as i64, unit }
}

/// The words without their first `offset` bits.
fn shifted(words: &[u64; BITMAP_WORDS], offset: u32) -> [u64; BITMAP_WORDS] {
    let (skipped, shift) = ((offset / 64) as usize, offset % 64);
    std::array::from_fn(|index| {
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let low = word(index + skipped) >> shift;
        if shift == 0 { low } else { low | word(index + skipped + 1) << (64 - shift) }
    })
}

/// What is drawn over time.
pub(super) static TRAILS: [Trail; 1] = [Trail {
    label: "prio",
    help: "each block is a stretch of a task at its priority; down is a lower priority",
    unit: Unit::Prio,
    course: Course::Blocks,
}];

impl O1 {
    /// Priority of whoever runs.
    pub(super) fn trail_prio(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Entity, i64)) {
        if let Some(curr) = k.curr(cpu) {
            out(Entity::Task(curr), self.shown(self.data(curr).prio));
        }
    }

    fn prio_gauge(&self, prio: u8) -> Gauge {
        Gauge { label: "prio", value: self.shown(prio), full: 0, unit: Unit::Prio }
    }

    /// What sleep changes about the priority: a bonus, or before 2.5.2 a penalty, against its largest value.
    fn bonus_gauge(&self, task: TaskId) -> Gauge {
        let bonus = self.bonus(self.data(task));
        let (label, value, full) = match self.version.estimator {
            Estimator::Nanos | Estimator::Ticks => ("bonus", bonus, (self.params.bonus_max / 2) as i64),
            Estimator::History => ("penalty", -bonus, self.params.max_penalty),
            Estimator::Steps => ("bonus", bonus, 0),
        };
        Gauge { label, value, full, unit: Unit::Count }
    }

    fn slice_gauge(&self, task: TaskId) -> Gauge {
        let left = u64::from(self.data(task).time_slice);
        gauge("time_slice", left, u64::from(self.timeslice(task)), Unit::Ticks)
    }

    fn chip(&self, k: &Kernel, task: TaskId) -> Chip {
        Chip {
            entity: Entity::Task(task),
            slice: i64::from(self.data(task).time_slice),
            slice_full: i64::from(self.timeslice(task)),
            slice_unit: Unit::Ticks,
            key: (!self.is_rt(task)).then(|| self.bonus_gauge(task)),
            running: k.curr(k.task(task).cpu) == Some(task),
        }
    }

    /// The tasks of both arrays, active first; the head of its level stands before those behind it.
    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let rq = self.rq(cpu);
        let switches = rq.array(rq.active).iter(&self.links).all(|(_, task)| !k.task(task).is_queued());
        for (array, barred) in [(rq.active, None), (rq.expired(), (!switches).then_some("expired"))] {
            for (prio, task) in rq.array(array).iter(&self.links) {
                if !k.task(task).is_queued() {
                    continue; // it blocks, and leaves its list in the decision that this precedes
                }
                let bonus = (!self.is_rt(task)).then(|| self.bonus_gauge(task));
                out(Candidate {
                    entity: Entity::Task(task),
                    key: self.prio_gauge(prio),
                    terms: [bonus, Some(self.slice_gauge(task)), self.sleep_gauge(task)],
                    barred,
                });
            }
        }
    }

    /// `sleep_avg` or the sleep history, where the release has one.
    fn sleep_gauge(&self, task: TaskId) -> Option<Gauge> {
        let data = self.data(task);
        match self.version.estimator {
            Estimator::Nanos => Some(gauge("sleep_avg", data.sleep_avg, self.params.sleep_avg_ns_max(), Unit::Nanos)),
            Estimator::Ticks => Some(gauge("sleep_avg", data.sleep_avg, self.params.max_sleep_avg, Unit::Ticks)),
            Estimator::History => {
                let slept = data.history.iter().map(|&ticks| u64::from(ticks)).sum();
                Some(gauge("sleep_hist", slept, 4 * self.params.hz, Unit::Ticks))
            }
            Estimator::Steps => None,
        }
    }

    /// The two arrays with their bitmaps, and the queue's numbers.
    pub(super) fn show(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rq = self.rq(cpu);
        for index in [rq.active, rq.expired()] {
            v.panel(u32::from(index), if index == rq.active { "active" } else { "expired" }, Some(cpu));
            let decides = index == rq.active;
            self.show_array(k, rq.array(index), decides, v);
        }
        v.panel(2, "runqueue", Some(cpu));
        v.gauge(gauge("nr_running", u64::from(rq.nr_running), 0, Unit::Count));
        v.gauge(gauge("array switches", rq.array_switches, 0, Unit::Count));
        if matches!(self.version.estimator, Estimator::Ticks | Estimator::Nanos) {
            let waited = if rq.expired_timestamp == 0 { 0 } else { k.jiffies() - rq.expired_timestamp };
            let limit = self.params.starvation_limit * u64::from(rq.nr_running);
            v.gauge(gauge("expired_timestamp", waited, limit, Unit::Ticks));
        }
        if self.version.estimator == Estimator::Nanos {
            v.gauge(gauge("best_expired_prio", u64::from(rq.best_expired_prio), 0, Unit::Prio));
            self.show_load(cpu, v);
        }
        for array in [rq.active, rq.expired()] {
            for (_, task) in rq.array(array).iter(&self.links).filter(|&(_, task)| !self.is_rt(task)) {
                let wish = self.shown(self.data(task).static_prio);
                let wish = Gauge { label: "static_prio", value: wish, full: 0, unit: Unit::Prio };
                let gauges = [self.sleep_gauge(task), Some(self.bonus_gauge(task)), Some(self.slice_gauge(task))];
                v.entity_gauge(Entity::Task(task), wish);
                gauges.into_iter().flatten().for_each(|gauge| v.entity_gauge(Entity::Task(task), gauge));
            }
        }
        self.show_classes(k, v);
    }

    /// One array with its bitmap; only the first set bit of the active one decides. A0..C1 had 64 priorities and kept real-time tasks elsewhere.
    fn show_array(&self, k: &Kernel, array: &PrioArray, decides: bool, v: &mut dyn StructureVisitor) {
        let offset = u32::from(self.version.shown_offset);
        let words = shifted(array.bitmap().words(), offset);
        let levels = array.levels() - offset;
        let hit = array.next_level(offset).filter(|_| decides).map(|prio| u32::from(prio) - offset);
        v.bitmap("bitmap", &words[..levels.div_ceil(64) as usize], levels, hit);
        let first_normal = u32::from(self.version.first_normal) - offset;
        let mut chips = array
            .iter(&self.links)
            .filter_map(|(prio, task)| Some((u32::from(prio).checked_sub(offset)?, self.chip(k, task))));
        v.slots("queue", levels, first_normal, &mut chips);
        if array.next_level(0).is_some_and(|prio| u32::from(prio) < offset) {
            let mut chips = array
                .iter(&self.links)
                .take_while(|&(prio, _)| u32::from(prio) < offset)
                .map(|(_, task)| self.chip(k, task));
            v.list("real time", &mut chips);
        }
        v.gauge(gauge("nr_active", u64::from(array.nr_active()), 0, Unit::Count));
    }

    /// Load figures and the state of balancing, on machines that balance.
    fn show_load(&self, cpu: CpuId, v: &mut dyn StructureVisitor) {
        if self.rqs.len() == 1 {
            return;
        }
        use crate::queues::domain_balance::RunQueues;
        v.gauge(gauge("load", self.weighted_load(cpu), 0, Unit::Weight));
        let labels = ["cpu_load[0]", "cpu_load[1]", "cpu_load[2]"];
        for (label, load) in labels.into_iter().zip(self.balancing.cpu_load(cpu)) {
            v.gauge(gauge(label, load, 0, Unit::Weight));
        }
        for (interval_ms, failed) in self.balancing.attempts(cpu) {
            v.gauge(gauge("balance_interval", interval_ms * 1_000_000, 0, Unit::Nanos));
            v.gauge(gauge("nr_balance_failed", u64::from(failed), 0, Unit::Count));
        }
    }

    /// Scheduling facts of one task.
    pub(super) fn show_task(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let data = self.data(task);
        if !k.task(task).is_alive() || data.static_prio < self.version.first_user {
            return;
        }
        out(Gauge { label: "static_prio", value: self.shown(data.static_prio), full: 0, unit: Unit::Prio });
        out(self.prio_gauge(data.prio));
        out(self.slice_gauge(task));
        if self.is_rt(task) {
            return;
        }
        out(self.bonus_gauge(task));
        if let Some(sleep) = self.sleep_gauge(task) {
            out(sleep);
        }
        self.show_class_of(k, task, out);
        match self.version.estimator {
            Estimator::Nanos => {
                out(gauge("granularity", self.granularity(task), 0, Unit::Ticks));
                out(gauge("load_weight", u64::from(data.load_weight), 0, Unit::Weight));
                out(gauge("interactive", u64::from(self.is_interactive(task)), 1, Unit::Count));
            }
            Estimator::Ticks => out(gauge("interactive", u64::from(self.is_interactive(task)), 1, Unit::Count)),
            Estimator::History => {
                for (label, &ticks) in
                    ["sleep_hist[0]", "sleep_hist[1]", "sleep_hist[2]", "sleep_hist[3]"].into_iter().zip(&data.history)
                {
                    out(gauge(label, u64::from(ticks), self.params.hz, Unit::Ticks));
                }
            }
            Estimator::Steps => {}
        }
    }

    /// Asserts the invariants of the module.
    pub(super) fn check(&self, k: &Kernel) {
        let mut queued = 0;
        for (index, rq) in self.rqs.iter().enumerate() {
            let cpu = CpuId(index as u16);
            let (mut tasks, mut weight, mut bias) = (0, 0, 0);
            for array in 0..2u8 {
                rq.array(array).check(&self.links);
                for (prio, task) in rq.array(array).iter(&self.links) {
                    let data = self.data(task);
                    assert_eq!((data.prio, data.array), (prio, Some(array)), "place of task {} on {cpu}", task.0);
                    assert_eq!(k.task(task).cpu, cpu, "CPU of task {}", task.0);
                    assert!(k.task(task).is_queued(), "task {} sleeps but is queued on {cpu}", task.0);
                    tasks += 1;
                    weight += u64::from(data.load_weight);
                    bias += self.bias(task);
                }
            }
            assert_eq!((tasks, weight, bias), (rq.nr_running, rq.raw_weighted_load, rq.prio_bias), "sums of {cpu}");
            queued += tasks;
        }
        let runnable = k.tasks().iter().filter(|task| task.is_queued()).count();
        assert_eq!(queued as usize, runnable, "every runnable task is queued once");
        if let Some(controller) = &self.controller {
            controller.check();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_shift_across_word_borders() {
        assert_eq!(shifted(&[1, 2, 3], 0), [1, 2, 3]);
        // Bits 100 + 24 and 100 + 44 become 24 and 44.
        let words = [0, 1 << (124 - 64), 1 << (144 - 128)];
        assert_eq!(shifted(&words, 100), [1 << 24 | 1 << 44, 0, 0]);
    }
}
