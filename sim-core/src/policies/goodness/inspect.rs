//! What the page draws: the global list with every task's goodness and its terms.

use super::Goodness;
use crate::inspect::{Candidate, Chip, Entity as Who, Gauge, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::kernel::overhead::GLOBAL_LOCK;
use crate::task::task::TaskState;
use crate::units::{CpuId, TaskId};

fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Goodness {
    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let mm = self.active_mm[cpu.index()];
        let mut found: Vec<(i64, Candidate)> = Vec::new();
        for id in self.list.iter() {
            let task = k.task(id);
            if !task.is_queued() {
                continue; // prev, on its way to sleep
            }
            let goodness = self.goodness(k, id, cpu, mm);
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
                    Some(gauge("cpu and mm bonus", bonus, 0, Unit::Count)),
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
        let mut chips = self.list.iter().map(|id| {
            let task = k.task(id);
            Chip {
                entity: Who::Task(id),
                slice: self.entities[id.index()].counter,
                slice_full: 2 * self.quantum(task.nice),
                slice_unit: Unit::Ticks,
                key: Some(gauge("goodness", self.goodness(k, id, cpu, mm), 0, Unit::Count)),
                running: task.state == TaskState::Running,
            }
        });
        v.list("head first", &mut chips);
        if let Some(lock) = k.lock_state(GLOBAL_LOCK) {
            v.lock("runqueue_lock", lock.holder, lock.spinners, lock.utilisation_permille);
        }
        v.gauge(gauge("nr_running", i64::from(self.list.len()), 0, Unit::Count));
        v.gauge(gauge("epoch", self.epoch as i64, 0, Unit::Count));
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
