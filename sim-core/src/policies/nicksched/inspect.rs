//! What the page draws: both arrays, slices as they stand, sleep accounts. Cold code.

use super::{FIRST_NORMAL, LISTS, Nicksched};
use crate::inspect::{Candidate, Chip, Entity as Shown, Gauge, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::units::{CpuId, TaskId};

const fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Nicksched {
    fn sleep_share(&self, task: TaskId) -> Gauge {
        gauge("sleep share", self.tasks[task.index()].account.avg as i64 / 10, 100, Unit::Percent)
    }

    fn slice_left(&self, k: &Kernel, task: TaskId) -> Gauge {
        let slice = i64::from(self.slice(k.task(task).cpu, task));
        gauge("slice left", slice - i64::from(self.tasks[task.index()].used_slice), slice, Unit::Ticks)
    }

    pub(super) fn visit(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rq = &self.rqs[cpu.index()];
        for (index, label) in [(rq.active, "active"), (rq.active ^ 1, "expired")] {
            let array = &rq.arrays[usize::from(index)];
            v.panel(u32::from(index), label, Some(cpu));
            let mut chips = array.iter(&self.links).map(|(prio, task)| {
                let slice = self.slice_left(k, task);
                let chip = Chip {
                    entity: Shown::Task(task),
                    slice: slice.value,
                    slice_full: slice.full,
                    slice_unit: slice.unit,
                    key: Some(self.sleep_share(task)),
                    running: k.curr(cpu) == Some(task),
                };
                (u32::from(prio), chip)
            });
            v.slots("queue", LISTS as u32, u32::from(FIRST_NORMAL), &mut chips);
            let hit = array.bitmap().first().filter(|_| index == rq.active);
            v.bitmap("bitmap", array.bitmap().words(), LISTS as u32, hit);
        }
        v.panel(2, "run queue", Some(cpu));
        v.gauge(gauge("nr_running", i64::from(rq.nr_running()), 0, Unit::Count));
        v.gauge(gauge("array_sequence", rq.array_sequence as i64, 0, Unit::Count));
        for array in &rq.arrays {
            for (_, task) in array.iter(&self.links) {
                v.entity_gauge(Shown::Task(task), self.sleep_share(task));
            }
        }
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let rq = &self.rqs[cpu.index()];
        for (array, barred) in [(rq.active(), None), (rq.expired(), Some("expired"))] {
            for (prio, task) in array.iter(&self.links) {
                if k.task(task).is_queued() {
                    out(Candidate {
                        entity: Shown::Task(task),
                        key: gauge("prio", i64::from(prio), 0, Unit::Prio),
                        terms: [Some(self.sleep_share(task)), Some(self.slice_left(k, task)), None],
                        barred,
                    });
                }
            }
        }
    }

    pub(super) fn gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = &self.tasks[task.index()];
        out(gauge("prio", i64::from(entity.prio), 0, Unit::Prio));
        out(gauge("static_prio", i64::from(entity.static_prio), 0, Unit::Prio));
        out(self.sleep_share(task));
        out(self.slice_left(k, task));
        out(gauge("used_slice", i64::from(entity.used_slice), 0, Unit::Ticks));
        out(gauge("total_time", entity.account.total as i64, 0, Unit::Count));
        out(gauge("sleep_time", entity.account.sleep as i64, 0, Unit::Count));
    }

    pub(super) fn check(&self, k: &Kernel) {
        for cpu in k.topology().cpu_ids() {
            let rq = &self.rqs[cpu.index()];
            for (index, array) in rq.arrays.iter().enumerate() {
                array.check(&self.links);
                for (prio, task) in array.iter(&self.links) {
                    let entity = &self.tasks[task.index()];
                    assert!(entity.queued && k.task(task).is_queued(), "task {} is queued but not runnable", task.0);
                    assert_eq!(k.task(task).cpu, cpu, "task {} is queued on another CPU", task.0);
                    assert_eq!((entity.prio, usize::from(entity.array)), (prio, index), "list of task {}", task.0);
                    assert!(entity.account.sleep <= entity.account.total, "task {} slept longer than it was", task.0);
                }
            }
            assert_eq!(rq.nr_running(), k.nr_running(cpu), "queued tasks of {cpu} as the machine counts them");
        }
    }
}
