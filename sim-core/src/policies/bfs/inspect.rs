//! What the page draws: the global lists with deadlines, the run queues' copies, idle CPUs and stickiness. Cold code.

use super::{Bfs, LISTS, NORMAL_PRIO};
use crate::inspect::{Candidate, Chip, Entity as Shown, Gauge, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::units::{CpuId, TaskId};

const fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Bfs {
    fn chip(&self, k: &Kernel, task: TaskId) -> Chip {
        let entity = &self.tasks[task.index()];
        let (_, slice) = self.present(k, task);
        Chip {
            entity: Shown::Task(task),
            slice: i64::from(slice) << 10,
            slice_full: i64::from(self.full_slice()) << 10,
            slice_unit: Unit::Nanos,
            key: Some(gauge("deadline", entity.deadline as i64, 0, Unit::Nanos)),
            running: k.curr(k.task(task).cpu) == Some(task),
        }
    }

    /// Deadline and slice as they stand: a running task's are in its run queue.
    fn present(&self, k: &Kernel, task: TaskId) -> (i64, i32) {
        let cpu = k.task(task).cpu;
        let entity = &self.tasks[task.index()];
        match k.curr(cpu) == Some(task) {
            true => (self.rqs[cpu.index()].deadline as i64, self.rqs[cpu.index()].time_slice),
            false => (entity.deadline as i64, entity.time_slice),
        }
    }

    fn queued(&self) -> impl Iterator<Item = (u32, TaskId)> + '_ {
        (0..LISTS as u32)
            .flat_map(move |prio| self.links.iter(&self.queue[prio as usize]).map(move |task| (prio, task)))
    }

    pub(super) fn visit(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        v.panel(0, "global queue", None);
        let mut chips = self.queued().map(|(prio, task)| (prio, self.chip(k, task)));
        v.slots("queue", LISTS as u32, u32::from(NORMAL_PRIO), &mut chips);
        v.bitmap("prio_bitmap", self.bitmap.words(), LISTS as u32, self.bitmap.first());
        let mut normal = self.links.iter(&self.queue[usize::from(NORMAL_PRIO)]).map(|task| self.chip(k, task));
        v.list("normal, in order of arrival", &mut normal);
        v.gauge(gauge("queued", i64::from(self.nr_queued), 0, Unit::Count));
        v.gauge(gauge("idle CPUs", i64::from(self.idle.count()), i64::from(k.cpus()), Unit::Count));
        let iso_use = (self.iso_ticks / self.iso_period()) as i64;
        v.gauge(gauge("ISO use", iso_use, self.iso_cpu as i64, Unit::Percent));
        v.gauge(gauge("iso_refractory", i64::from(self.iso_refractory), 1, Unit::Count));

        let rq = &self.rqs[cpu.index()];
        v.panel(1, "running", Some(cpu));
        if let Some(curr) = k.curr(cpu) {
            let mut chip = self.chip(k, curr);
            chip.key = Some(gauge("deadline", rq.deadline as i64, 0, Unit::Nanos));
            v.list("rq", &mut std::iter::once(chip));
        }
        v.gauge(gauge("rq_prio", i64::from(rq.prio), 0, Unit::Prio));
        v.gauge(gauge("dither", i64::from(rq.dither), 1, Unit::Count));
        if let Some(sticky) = rq.sticky_task {
            let is_sticky = self.tasks[sticky.index()].sticky;
            v.entity_gauge(Shown::Task(sticky), gauge("sticky", i64::from(is_sticky), 1, Unit::Count));
        }
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let curr = k.curr(cpu).filter(|&curr| k.task(curr).is_queued());
        let mut tasks: Vec<TaskId> = curr.into_iter().chain(self.queued().map(|(_, task)| task)).collect();
        // Best first; the sort is stable, so ties stay in list order.
        tasks.sort_by_key(|&task| (self.tasks[task.index()].prio, self.deadline_on(k, cpu, task)));
        for task in tasks {
            let entity = &self.tasks[task.index()];
            let (deadline, slice) = self.present(k, task);
            let seen = self.deadline_on(k, cpu, task) as i64 - entity.deadline as i64 + deadline;
            let sticky = gauge("sticky penalty", seen - deadline, 0, Unit::Nanos);
            out(Candidate {
                entity: Shown::Task(task),
                key: gauge("deadline", seen, 0, Unit::Nanos),
                terms: [
                    Some(gauge("prio", i64::from(entity.prio), 0, Unit::Prio)),
                    Some(gauge("slice left", i64::from(slice) << 10, i64::from(self.full_slice()) << 10, Unit::Nanos)),
                    (seen != deadline).then_some(sticky),
                ],
                barred: (!k.task(task).affinity.contains(cpu)).then_some("may not run here"),
            });
        }
    }

    pub(super) fn gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = &self.tasks[task.index()];
        let (deadline, slice) = self.present(k, task);
        out(gauge("deadline", deadline, 0, Unit::Nanos));
        out(gauge("slice left", i64::from(slice) << 10, i64::from(self.full_slice()) << 10, Unit::Nanos));
        out(gauge("deadline offset", self.offset_of(task) as i64, 0, Unit::Nanos));
        out(gauge("prio", i64::from(entity.prio), 0, Unit::Prio));
        out(gauge("sticky", i64::from(entity.sticky), 1, Unit::Count));
    }

    pub(super) fn check(&self, k: &Kernel) {
        for prio in 0..LISTS as u32 {
            let empty = self.queue[prio as usize].is_empty();
            assert_eq!(self.bitmap.test(prio), !empty, "bit of list {prio}");
        }
        let mut queued = 0;
        for (prio, task) in self.queued() {
            let entity = &self.tasks[task.index()];
            assert!(entity.queued && k.task(task).is_queued(), "task {} is queued but not runnable", task.0);
            assert_ne!(k.curr(k.task(task).cpu), Some(task), "task {} is queued and runs", task.0);
            assert_eq!(u32::from(entity.prio), prio, "list of task {}", task.0);
            queued += 1;
        }
        assert_eq!(queued, self.nr_queued, "nr_queued");
        let running = k.topology().cpu_ids().filter(|&cpu| k.curr(cpu).is_some()).count() as u32;
        let runnable = k.tasks().iter().filter(|task| task.is_queued()).count() as u32;
        assert_eq!(queued + running, runnable, "a runnable task is queued or runs");
        for cpu in self.idle.iter() {
            assert!(k.curr(cpu).is_none(), "{cpu} is in the idle map but runs a task");
        }
    }
}
