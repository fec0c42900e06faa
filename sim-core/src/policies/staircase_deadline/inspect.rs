//! What the page draws: arrays with bitmaps, the staircase of each task, levels and counters. Cold code.

use super::StaircaseDeadline;
use super::matrix::{FIRST_DYNAMIC, MAX_PRIO, SLOTS, WORST_STATIC};
use super::rq::{LISTS, PrioArray};
use crate::inspect::{Candidate, Cell, Chip, Course, Entity as Shown, Gauge, MatrixRow, StructureVisitor, Trail, Unit};
use crate::kernel::Kernel;
use crate::policy::SchedClass;
use crate::task::task::TaskState;
use crate::units::{CpuId, TaskId};

const fn count(label: &'static str, value: i64, full: i64) -> Gauge {
    Gauge { label, value, full, unit: Unit::Count }
}

/// What is drawn over time.
pub(super) static TRAILS: [Trail; 1] = [Trail {
    label: "slot",
    help: "each block is a stretch of a task at the slot that it used; down is a lower priority, a rotation is a staircase",
    unit: Unit::Count,
    course: Course::Blocks,
}];

impl StaircaseDeadline {
    /// Slot of whoever runs; real-time tasks have none.
    pub(super) fn trail_slot(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Shown, i64)) {
        let Some(curr) = k.curr(cpu) else { return };
        let slot = u32::from(self.tasks[curr.index()].prio).checked_sub(FIRST_DYNAMIC);
        if let Some(slot) = slot.filter(|&slot| slot < SLOTS) {
            out(Shown::Task(curr), i64::from(slot));
        }
    }

    fn chip(&self, k: &Kernel, cpu: CpuId, task: TaskId) -> Chip {
        let entity = &self.tasks[task.index()];
        Chip {
            entity: Shown::Task(task),
            slice: i64::from(entity.time_slice_us) * 1000,
            slice_full: i64::from(entity.quota_us) * 1000,
            slice_unit: Unit::Nanos,
            key: Some(count("slots left", i64::from(self.slots_left(task)), 20)),
            running: k.curr(cpu) == Some(task),
        }
    }

    fn tasks_of<'a>(&'a self, array: &'a PrioArray) -> impl Iterator<Item = (u32, TaskId)> + 'a {
        (0..LISTS as u32)
            .flat_map(move |prio| self.links.iter(&array.lists[prio as usize]).map(move |task| (prio, task)))
    }

    pub(super) fn visit(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rq = &self.rqs[cpu.index()];
        for (index, label) in [(rq.active, "active"), (rq.expired_index(), "expired")] {
            let array = &rq.arrays[usize::from(index)];
            v.panel(u32::from(index), label, Some(cpu));
            let mut chips = self.tasks_of(array).map(|(prio, task)| (prio, self.chip(k, cpu, task)));
            v.slots("queue", MAX_PRIO + 1, FIRST_DYNAMIC, &mut chips);
            let hit = array.bitmap.first().filter(|_| index == rq.active);
            v.bitmap("bitmap", array.bitmap.words(), MAX_PRIO + 1, hit);
            let best = i64::from(array.best_static_prio);
            let (value, unit) = (best, Unit::Prio);
            v.gauge(Gauge { label: "best_static_prio", value, full: i64::from(WORST_STATIC), unit });
        }
        v.panel(2, "staircase", Some(cpu));
        v.gauge(count("prio_rotation", rq.prio_rotation as i64, 0));
        v.gauge(count("nr_running", i64::from(rq.nr_running), 0));
        let weight = |label, value: u64| Gauge { label, value: value as i64, full: 0, unit: Unit::Weight };
        v.gauge(weight("raw_weighted_load", rq.raw_weighted_load));
        for (label, load) in ["cpu_load[0]", "cpu_load[1]", "cpu_load[2]"].into_iter().zip(self.balancing.cpu_load(cpu))
        {
            v.gauge(weight(label, load));
        }
        if self.version.iso_and_idleprio {
            let used = (rq.iso_ticks / self.iso_period_ticks()) as i64;
            v.gauge(Gauge { label: "ISO use", value: used, full: self.iso_cpu as i64, unit: Unit::Percent });
            v.gauge(count("iso_refractory", i64::from(rq.iso_refractory), 1));
        }
        // By nice level, whoever sleeps among them: rows stay where they are while tasks move.
        let mut rows = Vec::new();
        for (index, task) in k.tasks().iter().enumerate() {
            let lives = task.is_alive() && task.state != TaskState::New;
            if lives && task.cpu == cpu && task.migration_thread.is_none() {
                rows.push((task.nice, TaskId(index as u32)));
            }
        }
        rows.sort_unstable();
        for (_, task) in rows {
            self.visit_row(k, cpu, task, v);
        }
        for (nice, forbidden) in (-20..).zip(self.matrix) {
            let mut cells = (0..SLOTS).map(|slot| match forbidden >> slot & 1 {
                0 => Cell::Allowed,
                _ => Cell::Forbidden,
            });
            v.matrix_row(MatrixRow { entity: None, nice, place: "" }, &mut cells);
        }
    }

    /// One row of the staircase: slots forbidden, free, granted, the present one and the first of the next rotation.
    fn visit_row(&self, k: &Kernel, cpu: CpuId, task: TaskId, v: &mut dyn StructureVisitor) {
        let rq = &self.rqs[cpu.index()];
        let entity = &self.tasks[task.index()];
        if entity.class.is_rt() {
            return;
        }
        let place = match entity.queued {
            _ if k.curr(cpu) == Some(task) => "runs",
            true if entity.array == rq.active => "active",
            true => "expired",
            false => "sleeps",
        };
        // What an earlier rotation granted is forgotten when the task is queued again.
        let granted = if entity.queued || entity.rotation == rq.prio_rotation { entity.bitmap } else { 0 };
        let forbidden = match entity.class {
            SchedClass::Batch => (1 << entity.user_prio()) - 1,
            _ => self.matrix[entity.user_prio()],
        };
        let mut cells = (0..SLOTS).map(|slot| {
            if entity.queued && u32::from(entity.prio) == FIRST_DYNAMIC + slot {
                if entity.array == rq.active { Cell::Current } else { Cell::Entry }
            } else if granted >> slot & 1 != 0 {
                Cell::Used
            } else if forbidden >> slot & 1 != 0 {
                Cell::Forbidden
            } else {
                Cell::Allowed
            }
        });
        v.matrix_row(MatrixRow { entity: Some(Shown::Task(task)), nice: k.task(task).nice, place }, &mut cells);
        let slice = Gauge {
            label: "time_slice",
            value: i64::from(entity.time_slice_us) * 1000,
            full: i64::from(entity.quota_us) * 1000,
            unit: Unit::Nanos,
        };
        v.entity_gauge(Shown::Task(task), slice);
        let level = i64::from(rq.prio_level[entity.user_prio()]) - i64::from(FIRST_DYNAMIC);
        v.entity_gauge(Shown::Task(task), count("level reached", level.max(0), i64::from(SLOTS) - 1));
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let rq = &self.rqs[cpu.index()];
        for (array, barred) in [(rq.active(), None), (rq.expired(), Some("expired"))] {
            for (prio, task) in self.tasks_of(array) {
                if !k.task(task).is_queued() {
                    continue; // a task that blocks leaves its list in the decision that this precedes
                }
                let entity = &self.tasks[task.index()];
                let (label, value) = match prio.checked_sub(FIRST_DYNAMIC) {
                    Some(slot) if prio < MAX_PRIO => ("slot", slot),
                    _ => ("prio", prio),
                };
                let unit = if label == "slot" { Unit::Count } else { Unit::Prio };
                let slice = Gauge {
                    label: "time_slice",
                    value: i64::from(entity.time_slice_us) * 1000,
                    full: i64::from(entity.quota_us) * 1000,
                    unit: Unit::Nanos,
                };
                let slots = count("slots left", i64::from(self.slots_left(task)), i64::from(SLOTS));
                out(Candidate {
                    entity: Shown::Task(task),
                    key: Gauge { label, value: i64::from(value), full: 0, unit },
                    terms: [Some(slice), Some(slots), None],
                    barred: match prio {
                        MAX_PRIO if rq.nr_running > rq.nr_idleprio => Some("others are runnable"),
                        _ => barred,
                    },
                });
            }
        }
    }

    pub(super) fn gauges(&self, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = &self.tasks[task.index()];
        let prio = |label, value: u8| Gauge { label, value: i64::from(value), full: 0, unit: Unit::Prio };
        let time = |label, us: i32, full: i32| Gauge {
            label,
            value: i64::from(us) * 1000,
            full: i64::from(full) * 1000,
            unit: Unit::Nanos,
        };
        out(prio("prio", entity.prio));
        out(prio("static_prio", entity.static_prio));
        out(time("time_slice", entity.time_slice_us, entity.quota_us));
        out(time("quota", entity.quota_us, 0));
        out(count("slots granted", i64::from(entity.bitmap.count_ones()), i64::from(SLOTS)));
        out(count("slots left", i64::from(self.slots_left(task)), i64::from(SLOTS)));
        out(count("rotation", entity.rotation as i64, 0));
        out(Gauge { label: "load_weight", value: i64::from(entity.load_weight), full: 0, unit: Unit::Weight });
    }

    pub(super) fn check(&self, k: &Kernel) {
        for cpu in k.topology().cpu_ids() {
            let rq = &self.rqs[cpu.index()];
            let (mut tasks, mut weight, mut idleprio) = (0, 0, 0);
            for (index, array) in rq.arrays.iter().enumerate() {
                for prio in 0..LISTS as u32 {
                    let list = &array.lists[prio as usize];
                    assert_eq!(array.bitmap.test(prio), !list.is_empty(), "bit {prio} of array {index} of {cpu}");
                }
                for (prio, task) in self.tasks_of(array) {
                    let entity = &self.tasks[task.index()];
                    assert!(entity.queued && k.task(task).is_queued(), "task {} is queued but not runnable", task.0);
                    assert_eq!(k.task(task).cpu, cpu, "task {} is queued on another CPU", task.0);
                    assert_eq!((u32::from(entity.prio), usize::from(entity.array)), (prio, index), "task {}", task.0);
                    tasks += 1;
                    weight += u64::from(entity.load_weight);
                    idleprio += u32::from(prio == MAX_PRIO);
                }
            }
            assert_eq!(tasks, rq.nr_running, "nr_running of {cpu}");
            assert_eq!(tasks, k.nr_running(cpu), "queued tasks of {cpu} as the machine counts them");
            assert_eq!(weight, rq.raw_weighted_load, "raw_weighted_load of {cpu}");
            assert_eq!(idleprio, rq.nr_idleprio, "nr_idleprio of {cpu}");
        }
    }
}
