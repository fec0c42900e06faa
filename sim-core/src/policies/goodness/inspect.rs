//! What the page draws: the global list with every task's goodness and its terms.

use super::Goodness;
use crate::inspect::{Candidate, Chip, Course, Entity as Who, Gauge, Score, Standing, StructureVisitor, Trail, Unit};
use crate::kernel::Kernel;
use crate::kernel::overhead::{GLOBAL_LOCK, TASKLIST_LOCK};
use crate::task::task::TaskState;
use crate::units::{CpuId, TaskId};

fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

/// What is drawn over time.
pub(super) static TRAILS: [Trail; 1] = [Trail {
    label: "counter",
    help: "ticks left of each task; a dashed line is a new epoch, in which all are refilled",
    unit: Unit::Ticks,
    course: Course::Lines,
}];

impl Goodness {
    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let mm = self.active_mm[cpu.index()];
        let mut found: Vec<(i64, Candidate)> = Vec::new();
        for id in self.list.iter() {
            let task = k.task(id);
            if !task.is_queued() {
                continue; // prev, on its way to sleep
            }
            let goodness = self.goodness(id, cpu, mm);
            let barred = if !task.affinity.contains(cpu) {
                Some("not allowed here")
            } else if !self.can_schedule(k, id, cpu) {
                Some("runs elsewhere")
            } else {
                None
            };
            let left = self.entities[id.index()].counter;
            let bonus = self.affinity_bonus(task.cpu == cpu) + self.mm_bonus(task.mm == mm);
            let candidate = Candidate {
                entity: Who::Task(id),
                key: gauge("goodness", goodness, 0, Unit::Count),
                terms: [
                    Some(gauge("counter", left, 2 * self.quantum(task.nice), Unit::Ticks)),
                    Some(gauge("bonus", bonus, 0, Unit::Count)),
                    Some(gauge("20 - nice", 20 - i64::from(task.nice), 0, Unit::Count)),
                ],
                barred,
            };
            found.push((goodness, candidate));
        }
        // Stable: equal scores stay in list order, the order in which they win.
        found.sort_by_key(|(goodness, candidate)| (candidate.barred.is_some(), -goodness));
        for (_, candidate) in found {
            out(candidate);
        }
    }

    pub(super) fn show(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let mm = self.active_mm[cpu.index()];
        v.panel(0, "runqueue", None);
        for (label, lock) in [("runqueue_lock", GLOBAL_LOCK), ("tasklist_lock", TASKLIST_LOCK)] {
            if let Some(lock) = k.lock_state(lock) {
                v.lock(label, lock.holder, lock.spinners, lock.utilisation_permille);
            }
        }
        let mut chips = self.list.iter().map(|id| {
            let task = k.task(id);
            Chip {
                entity: Who::Task(id),
                slice: self.entities[id.index()].counter,
                slice_full: 2 * self.quantum(task.nice),
                slice_unit: Unit::Ticks,
                key: Some(gauge("goodness", self.goodness(id, cpu, mm), 0, Unit::Count)),
                running: task.state == TaskState::Running,
            }
        });
        v.list("head first", &mut chips);
        self.show_scan(k, cpu, v);
        v.gauge(gauge("nr_running", i64::from(self.list.len()), 0, Unit::Count));
        v.gauge(gauge("epoch", self.epoch as i64, 0, Unit::Count));
    }

    /// The scan that a decision on `cpu` would make now: each score with its terms, the first of the best wins.
    fn show_scan(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let mm = self.active_mm[cpu.index()];
        let score = |id: TaskId| self.can_schedule(k, id, cpu).then(|| self.goodness(id, cpu, mm));
        let best = self.list.iter().filter_map(score).max();
        let mut has_winner = false;
        for id in self.list.iter() {
            let task = k.task(id);
            let standing = match score(id) {
                None if !task.affinity.contains(cpu) => Standing::Barred("not allowed here"),
                None => Standing::Barred("runs elsewhere"),
                Some(_) if self.entities[id.index()].yielded => Standing::Barred("has yielded"),
                here if here == best && !has_winner => Standing::Wins,
                here if here == best => Standing::Ties,
                Some(_) => Standing::Loses,
            };
            has_winner |= standing == Standing::Wins;
            let total = self.goodness(id, cpu, mm);
            let score = Score { entity: Who::Task(id), label: "goodness", total, standing };
            v.score(score, &mut self.terms(k, id, cpu).into_iter().flatten());
        }
    }

    /// Terms of a task's goodness; none where a special rule takes their place.
    fn terms(&self, k: &Kernel, id: TaskId, cpu: CpuId) -> [Option<Gauge>; 4] {
        let (task, entity) = (k.task(id), &self.entities[id.index()]);
        if task.class.is_rt() {
            let real_time = gauge("1000 + rt priority", 1000 + i64::from(task.rt_priority), 0, Unit::Count);
            return [Some(real_time), None, None, None];
        }
        if entity.yielded || entity.counter == 0 {
            return [None; 4];
        }
        let left = match self.is_split() {
            true => gauge("dyn_prio + 1", entity.dyn_prio + 1, 0, Unit::Count),
            false => gauge("counter", entity.counter, 0, Unit::Ticks),
        };
        let shown = |label, value| (value != 0).then(|| gauge(label, value, 0, Unit::Count));
        [
            Some(left),
            Some(gauge("20 - nice", 20 - i64::from(task.nice), 0, Unit::Count)),
            shown("same CPU", self.affinity_bonus(task.cpu == cpu)),
            shown("same mm", self.mm_bonus(task.mm == self.active_mm[cpu.index()])),
        ]
    }

    /// Counters of all tasks, asleep or not: a refill reaches sleepers too.
    pub(super) fn trail_counters(&self, k: &Kernel, out: &mut dyn FnMut(Who, i64)) {
        for (index, task) in k.tasks().iter().enumerate() {
            if task.is_alive() && task.state != TaskState::New && task.migration_thread.is_none() {
                out(Who::Task(TaskId(index as u32)), self.entities[index].counter);
            }
        }
    }

    pub(super) fn gauges(&self, k: &Kernel, id: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = &self.entities[id.index()];
        let quantum = self.quantum(k.task(id).nice);
        if self.is_split() {
            out(gauge("time_slice", entity.counter, quantum, Unit::Ticks));
            out(gauge("dyn_prio", entity.dyn_prio, self.dyn_prio_max(k.task(id).nice), Unit::Count));
            out(gauge("refills missed", (self.epoch - entity.refill_seen) as i64, 0, Unit::Count));
        } else {
            out(gauge("counter", entity.counter, 2 * quantum, Unit::Ticks));
        }
        out(gauge("quantum", quantum, 0, Unit::Ticks));
    }
}
