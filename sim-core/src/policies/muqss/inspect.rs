//! What the page draws: the skip list of each CPU in key order, towers, and what other CPUs see. Cold code.

use super::{ISO_PRIO, Muqss};
use crate::inspect::{Candidate, Chip, Entity as Shown, Gauge, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::queues::skip_list::LEVELS;
use crate::units::{CpuId, TaskId};

const fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Muqss {
    fn deadline(&self, task: TaskId) -> Gauge {
        gauge("deadline", self.tasks[task.index()].deadline as i64, 0, Unit::Nanos)
    }

    fn slice(&self, task: TaskId) -> Gauge {
        let left = i64::from(self.tasks[task.index()].time_slice) << 10;
        gauge("slice left", left, i64::from(self.full_slice()) << 10, Unit::Nanos)
    }

    fn chip(&self, k: &Kernel, task: TaskId) -> Chip {
        let slice = self.slice(task);
        Chip {
            entity: Shown::Task(task),
            slice: slice.value,
            slice_full: slice.full,
            slice_unit: slice.unit,
            key: Some(self.deadline(task)),
            running: k.curr(k.task(task).cpu) == Some(task),
        }
    }

    pub(super) fn visit(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rq = &self.rqs[cpu.index()];
        v.panel(0, "skip list", Some(cpu));
        if let Some(curr) = k.curr(cpu) {
            v.list("running", &mut std::iter::once(self.chip(k, curr)));
        }
        v.list("queued, by key", &mut rq.list.iter(&self.nodes).map(|task| self.chip(k, task)));
        for task in rq.list.iter(&self.nodes) {
            let levels = i64::from(self.nodes.levels(task));
            v.entity_gauge(Shown::Task(task), gauge("levels", levels, LEVELS as i64, Unit::Count));
        }
        v.gauge(gauge("entries", i64::from(rq.list.entries()), 0, Unit::Count));
        v.gauge(gauge("rq_prio", i64::from(rq.prio), 0, Unit::Prio));
        let iso_use = (rq.iso_ticks / self.iso_period()) as i64;
        v.gauge(gauge("ISO use", iso_use, self.iso_cpu as i64, Unit::Percent));
        v.gauge(gauge("iso_refractory", i64::from(rq.iso_refractory), 1, Unit::Count));
        v.gauge(gauge("idle CPUs", i64::from(self.idle.count()), i64::from(k.cpus()), Unit::Count));
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let curr = k.curr(cpu).filter(|&curr| k.task(curr).is_queued());
        let lists = self.order[cpu.index()].iter().map(|&(other, _)| &self.rqs[other.index()].list);
        let mut tasks: Vec<TaskId> = curr.into_iter().chain(lists.flat_map(|list| list.iter(&self.nodes))).collect();
        // Best first; nearer CPUs first among equals.
        tasks.sort_by_key(|&task| (self.tasks[task.index()].prio, self.tasks[task.index()].deadline));
        for task in tasks {
            let entity = &self.tasks[task.index()];
            let key = match entity.prio {
                0..=ISO_PRIO => gauge("prio", i64::from(entity.prio), 0, Unit::Prio),
                _ => self.deadline(task),
            };
            out(Candidate {
                entity: Shown::Task(task),
                key,
                terms: [
                    Some(self.slice(task)),
                    Some(gauge("on CPU", i64::from(k.task(task).cpu.0), 0, Unit::Count)),
                    None,
                ],
                barred: (!k.task(task).affinity.contains(cpu)).then_some("may not run here"),
            });
        }
    }

    pub(super) fn gauges(&self, _k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = &self.tasks[task.index()];
        out(self.deadline(task));
        out(self.slice(task));
        out(gauge("deadline offset", self.offset_of(task) as i64, 0, Unit::Nanos));
        out(gauge("prio", i64::from(entity.prio), 0, Unit::Prio));
        let levels = if entity.queued { i64::from(self.nodes.levels(task)) } else { 0 };
        out(gauge("levels", levels, LEVELS as i64, Unit::Count));
    }

    pub(super) fn check(&self, k: &Kernel) {
        for cpu in k.topology().cpu_ids() {
            let rq = &self.rqs[cpu.index()];
            let (mut entries, mut last) = (0, 0);
            for task in rq.list.iter(&self.nodes) {
                let entity = &self.tasks[task.index()];
                assert!(entity.queued && k.task(task).is_queued(), "task {} is queued but not runnable", task.0);
                assert_eq!(k.task(task).cpu, cpu, "task {} is on the list of another CPU", task.0);
                assert_ne!(k.curr(cpu), Some(task), "task {} is queued and runs", task.0);
                assert!(self.nodes.key(task) >= last, "the list of {cpu} is out of order at task {}", task.0);
                last = self.nodes.key(task);
                entries += 1;
            }
            assert_eq!(entries, rq.list.entries(), "entries of {cpu}");
            let running = u32::from(k.curr(cpu).is_some());
            assert_eq!(entries + running, k.nr_running(cpu), "queued tasks of {cpu} as the machine counts them");
            assert!(running == 0 || !self.idle.contains(cpu), "{cpu} is in the idle map but runs a task");
        }
    }
}
