//! What the page draws: the one array, the stairs below each task, bonus and counters. Cold code.

use super::{ISO_PRIO, LISTS, Staircase};
use crate::inspect::{Candidate, Cell, Chip, Entity as Shown, Gauge, MatrixRow, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::units::{CpuId, TaskId};

const fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Staircase {
    fn bonus(&self, task: TaskId) -> Gauge {
        let entity = &self.tasks[task.index()];
        gauge("bonus", i64::from(entity.bonus), i64::from(entity.static_prio) - 100, Unit::Count)
    }

    fn slice(&self, task: TaskId) -> Gauge {
        let entity = &self.tasks[task.index()];
        gauge("slice", i64::from(entity.slice), i64::from(self.full_slice(task)), Unit::Ticks)
    }

    pub(super) fn visit(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rq = &self.rqs[cpu.index()];
        v.panel(0, "staircase", Some(cpu));
        let mut chips = rq.array.iter(&self.links).map(|(prio, task)| {
            let slice = self.slice(task);
            let chip = Chip {
                entity: Shown::Task(task),
                slice: slice.value,
                slice_full: slice.full,
                slice_unit: slice.unit,
                key: Some(self.bonus(task)),
                running: k.curr(cpu) == Some(task),
            };
            (u32::from(prio), chip)
        });
        v.slots("queue", LISTS as u32, u32::from(ISO_PRIO) + 1, &mut chips);
        let bitmap = rq.array.bitmap();
        v.bitmap("bitmap", bitmap.words(), LISTS as u32, bitmap.first());
        v.gauge(gauge("nr_running", i64::from(rq.array.nr_active()), 0, Unit::Count));
        v.gauge(gauge("raw_weighted_load", rq.raw_weighted_load as i64, 0, Unit::Weight));
        v.gauge(gauge("cache_ticks", i64::from(rq.cache_ticks), i64::from(self.cache_delay()), Unit::Ticks));
        v.gauge(gauge("preemption pending", i64::from(rq.preempt_pending), 1, Unit::Count));
        let iso_use = (rq.iso_ticks / (u64::from(self.hz) * 5)) as i64;
        v.gauge(gauge("ISO use", iso_use, self.iso_cpu as i64, Unit::Percent));
        for (_, task) in rq.array.iter(&self.links) {
            self.visit_row(k, cpu, task, v);
        }
    }

    /// The stairs of one task: used ones above it, the present one, and those still below.
    fn visit_row(&self, k: &Kernel, cpu: CpuId, task: TaskId, v: &mut dyn StructureVisitor) {
        let entity = &self.tasks[task.index()];
        v.entity_gauge(Shown::Task(task), self.slice(task));
        v.entity_gauge(Shown::Task(task), self.bonus(task));
        if entity.class.is_rt() || entity.prio <= ISO_PRIO {
            return;
        }
        let stair = self.stair_ticks(task);
        let down = (self.full_slice(task) - entity.slice).max(0) / stair;
        let below = (entity.slice - 1).max(0) / stair;
        let prio = i32::from(entity.prio);
        let mut cells = (100..140).map(|at| match at - prio {
            0 => Cell::Current,
            step if step < 0 && -step <= down => Cell::Used,
            step if step > 0 && step <= below => Cell::Allowed,
            _ => Cell::Forbidden,
        });
        let place = if k.curr(cpu) == Some(task) { "runs" } else { "waits" };
        v.matrix_row(MatrixRow { entity: Some(Shown::Task(task)), nice: k.task(task).nice, place }, &mut cells);
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        for (prio, task) in self.rqs[cpu.index()].array.iter(&self.links) {
            if k.task(task).is_queued() {
                out(Candidate {
                    entity: Shown::Task(task),
                    key: gauge("prio", i64::from(prio), 0, Unit::Prio),
                    terms: [Some(self.bonus(task)), Some(self.slice(task)), None],
                    barred: None,
                });
            }
        }
    }

    pub(super) fn gauges(&self, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = &self.tasks[task.index()];
        out(gauge("prio", i64::from(entity.prio), 0, Unit::Prio));
        out(gauge("static_prio", i64::from(entity.static_prio), 0, Unit::Prio));
        out(self.bonus(task));
        out(self.slice(task));
        let stair = i64::from(self.stair_ticks(task));
        out(gauge("time_slice", i64::from(entity.time_slice), stair, Unit::Ticks));
        out(gauge("totalrun", entity.totalrun as i64, 0, Unit::Nanos));
        out(gauge("runtime", entity.runtime as i64, 0, Unit::Nanos));
        out(gauge("load_weight", i64::from(entity.load_weight), 0, Unit::Weight));
    }

    pub(super) fn check(&self, k: &Kernel) {
        for cpu in k.topology().cpu_ids() {
            let rq = &self.rqs[cpu.index()];
            rq.array.check(&self.links);
            let mut weight = 0;
            for (prio, task) in rq.array.iter(&self.links) {
                let entity = &self.tasks[task.index()];
                assert!(entity.queued && k.task(task).is_queued(), "task {} is queued but not runnable", task.0);
                assert_eq!(k.task(task).cpu, cpu, "task {} is queued on another CPU", task.0);
                assert_eq!(entity.prio, prio, "list of task {}", task.0);
                weight += u64::from(entity.load_weight);
            }
            assert_eq!(rq.array.nr_active(), k.nr_running(cpu), "queued tasks of {cpu} as the machine counts them");
            assert_eq!(weight, rq.raw_weighted_load, "raw_weighted_load of {cpu}");
        }
    }
}
