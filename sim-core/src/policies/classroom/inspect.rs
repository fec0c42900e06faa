//! Views for the page and the inspector.

use super::Classroom;
use super::rules::Rule;
use super::schedule::{SHOWN_SHIFT, may_run};
use crate::inspect::{Candidate, Chip, Entity, Gauge, StructureVisitor, Unit};
use crate::kernel::Kernel;
use crate::units::{CpuId, TaskId};

fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Classroom {
    /// What decides about `task` as of now.
    fn key(&self, k: &Kernel, task: TaskId) -> Gauge {
        let job = self.job(task);
        match self.rule {
            Rule::Sjf => gauge("burst", job.need as i64, 0, Unit::Nanos),
            Rule::Srtf => gauge("time left", self.need_now(k, task) as i64, 0, Unit::Nanos),
            Rule::Feedback => gauge("level", i64::from(job.level), 0, Unit::Prio),
            Rule::Lottery => gauge("tickets", self.tickets_of(k, task) as i64, 0, Unit::Count),
            Rule::Stride => gauge("pass", self.pass_now(k, task) >> SHOWN_SHIFT, 0, Unit::Count),
            Rule::Fcfs | Rule::RoundRobin => gauge("queued at", job.since as i64, 0, Unit::Nanos),
        }
    }

    fn ran_now(&self, k: &Kernel, task: TaskId) -> u64 {
        let cpu = k.task(task).cpu;
        if k.curr(cpu) == Some(task) { k.now() - self.turns[cpu.index()].since } else { 0 }
    }

    fn need_now(&self, k: &Kernel, task: TaskId) -> u64 {
        self.job(task).need.saturating_sub(self.ran_now(k, task))
    }

    /// Left of the turn, where there are turns.
    fn turn(&self, k: &Kernel, task: TaskId) -> Option<Gauge> {
        let job = self.job(task);
        let left = job.left.saturating_sub(self.ran_now(k, task));
        let full = self.quantum(job.level);
        self.rule.has_turns().then(|| gauge("turn left", left as i64, full as i64, Unit::Nanos))
    }

    /// Everybody who could run on `cpu`, best first, with who runs there at the place where it would queue.
    fn in_order(&self, k: &Kernel, cpu: CpuId) -> Vec<TaskId> {
        let mut order: Vec<TaskId> = self.queue.iter().collect();
        let curr = k.curr(cpu).filter(|&curr| k.task(curr).is_queued() && !self.turns[cpu.index()].queued);
        if let Some(curr) = curr {
            let own = self.rank_now(k, cpu, curr);
            let before = |task: &TaskId| match self.rule {
                _ if self.turn(k, curr).is_some_and(|turn| turn.value == 0) => self.queue.place(*task).rank <= own,
                Rule::Srtf | Rule::Feedback => self.queue.place(*task).rank < own,
                _ => false,
            };
            order.insert(order.partition_point(before), curr);
        }
        order
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        for task in self.in_order(k, cpu) {
            let need = gauge("burst left", self.need_now(k, task) as i64, 0, Unit::Nanos);
            let tickets = gauge("tickets", self.tickets_of(k, task) as i64, 0, Unit::Count);
            let terms = match self.rule {
                Rule::Stride => [Some(tickets), Some(need), None],
                Rule::Feedback => [self.turn(k, task), Some(need), None],
                Rule::Sjf | Rule::Srtf => {
                    [Some(gauge("queued at", self.job(task).since as i64, 0, Unit::Nanos)), None, None]
                }
                Rule::Fcfs | Rule::RoundRobin | Rule::Lottery => [Some(need), None, None],
            };
            let barred = match () {
                () if !k.task(task).affinity.contains(cpu) => Some("may not run here"),
                () if !may_run(k, cpu, task, k.curr(cpu)) => Some("runs elsewhere"),
                // No order decides: whoever has a ticket could have run.
                () if self.rule == Rule::Lottery && k.curr(cpu) != Some(task) => Some("another ticket was drawn"),
                () => None,
            };
            out(Candidate { entity: Entity::Task(task), key: self.key(k, task), terms, barred });
        }
    }

    fn chip(&self, k: &Kernel, task: TaskId) -> Chip {
        let turn = self.turn(k, task);
        let need = self.need_now(k, task) as i64;
        Chip {
            entity: Entity::Task(task),
            slice: turn.map_or(need, |turn| turn.value),
            slice_full: turn.map_or(0, |turn| turn.full),
            slice_unit: Unit::Nanos,
            key: self.rule.by_tickets().then(|| self.key(k, task)),
            running: k.curr(k.task(task).cpu) == Some(task),
        }
    }

    pub(super) fn show(&self, k: &Kernel, _cpu: CpuId, v: &mut dyn StructureVisitor) {
        v.panel(0, "ready queue", None);
        let running = || k.topology().cpu_ids().filter_map(|cpu| k.curr(cpu)).filter(|curr| k.task(*curr).is_queued());
        let is_running = |task: &TaskId| running().any(|curr| curr == *task);
        if self.rule == Rule::Feedback {
            let all = running().chain(self.queue.iter().filter(|task| !is_running(task)));
            let mut tasks: Vec<TaskId> = all.collect();
            tasks.sort_by_key(|task| self.job(*task).level);
            let chips = tasks.iter().map(|&task| (self.job(task).level, self.chip(k, task)));
            v.slots("levels, the top one first", self.knobs.queues, 0, &mut { chips });
        } else {
            v.list("on the CPUs", &mut running().map(|task| self.chip(k, task)));
            let waiting = self.queue.iter().filter(|task| !is_running(task));
            v.list("waiting, the next one first", &mut waiting.map(|task| self.chip(k, task)));
        }
        v.gauge(gauge("waiting", i64::from(self.queue.len()), 0, Unit::Count));
        match self.rule {
            Rule::Lottery => {
                v.gauge(gauge("tickets in the urn", self.queue.tickets() as i64, 0, Unit::Count));
                v.gauge(gauge("tickets drawn", self.draws as i64, 0, Unit::Count));
            }
            Rule::Stride => v.gauge(gauge("global pass", self.pass >> SHOWN_SHIFT, 0, Unit::Count)),
            Rule::Feedback => {
                if let Some(at) = k.timer_at(self.boost_timer()) {
                    v.gauge(gauge("next boost", at as i64, 0, Unit::Nanos));
                }
            }
            Rule::Fcfs | Rule::Sjf | Rule::Srtf | Rule::RoundRobin => {}
        }
    }

    pub(super) fn facts(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        out(self.key(k, task));
        out(gauge("burst left", self.need_now(k, task) as i64, 0, Unit::Nanos));
        self.turn(k, task).into_iter().for_each(&mut *out);
        if self.rule == Rule::Feedback {
            out(gauge("turns at this level", self.job(task).allotment, self.knobs.allotment, Unit::Count));
        }
    }

    pub(super) fn check(&self, k: &Kernel) {
        self.queue.check();
        let mut seen = vec![0; k.tasks().len()];
        self.queue.iter().for_each(|task| seen[task.index()] += 1);
        for (index, task) in k.tasks().iter().enumerate() {
            let id = TaskId(index as u32);
            let runs = k.curr(task.cpu) == Some(id);
            let waits = task.is_queued() && !runs;
            assert_eq!(seen[index], u32::from(waits), "task {index} is in the queue {} times", seen[index]);
            assert!(self.job(id).level < self.knobs.queues.max(1), "level of task {index}");
            if waits && self.rule != Rule::Stride {
                assert_eq!(self.queue.place(id).rank, self.rank(id), "rank of task {index}");
            }
        }
        let members: u32 = self.members.iter().sum();
        assert_eq!(members, k.tasks().iter().filter(|task| task.is_queued()).count() as u32, "members of groups");
        for cpu in k.topology().cpu_ids().filter(|&cpu| k.curr(cpu).is_none()) {
            let left = self.queue.iter().find(|&task| may_run(k, cpu, task, None));
            assert!(left.is_none(), "{cpu} idles while task {:?} waits", left);
        }
    }
}
