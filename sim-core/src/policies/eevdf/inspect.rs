//! What the page draws, and what must always hold.

use super::entity::Ent;
use super::{Fair, Generation};
use crate::inspect::{Candidate, Chip, Entity as Who, Gauge, StructureVisitor, TreeNode, Unit};
use crate::kernel::Kernel;
use crate::units::{CpuId, GroupId, TaskId};

pub(super) fn gauge(label: &'static str, value: i64, full: i64, unit: Unit) -> Gauge {
    Gauge { label, value, full, unit }
}

impl Fair {
    pub(super) fn who(&self, e: Ent) -> Who {
        if self.is_task(e) { Who::Task(self.task_of(e)) } else { Who::Group(self.group_of(e)) }
    }

    /// Queued entities of a queue in tree order, the running one first.
    pub(super) fn entities(&self, q: usize) -> impl Iterator<Item = Ent> + '_ {
        let queue = &self.queues[q];
        let curr = queue.curr.filter(|&curr| self.ents[curr].on_rq);
        curr.into_iter().chain(queue.tree.iter(&self.nodes).map(|node| node as usize))
    }

    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        for task in self.rt_tasks(cpu) {
            let key = gauge("rt priority", i64::from(k.task(task).rt_priority), 0, Unit::Prio);
            out(Candidate { entity: Who::Task(task), key, terms: [None; 3], barred: None });
        }
        // The tasks of each queue, root first: whoever wins the root leads on to the next queue.
        for group in 0..self.group_parent.len() {
            let q = self.queue_of(GroupId(group as u16), cpu);
            let v = self.avg_vruntime(q);
            let mut found: Vec<Ent> = self.entities(q).collect();
            let by_deadline = self.is_eevdf();
            found.sort_by_key(|&e| {
                let entity = &self.ents[e];
                (by_deadline && !self.eligible(q, e), if by_deadline { entity.deadline } else { entity.vruntime })
            });
            for e in found {
                let entity = &self.ents[e];
                let barred = match () {
                    () if entity.delayed => Some("asleep, working off its lag"),
                    () if self.queues[q].throttle_count > 0 => Some("throttled"),
                    () if by_deadline && !self.eligible(q, e) => Some("not eligible"),
                    () => None,
                };
                let lag = v - entity.vruntime;
                let (key, first) = if by_deadline {
                    (gauge("deadline", entity.deadline, 0, Unit::Virtual), gauge("lag", lag, 0, Unit::Virtual))
                } else {
                    let after = entity.vruntime - self.queues[q].min_vruntime;
                    (gauge("vruntime", entity.vruntime, 0, Unit::Virtual), gauge("after min", after, 0, Unit::Virtual))
                };
                let weight = gauge("weight", entity.weight, 0, Unit::Weight);
                let slice = gauge("slice", entity.slice, 0, Unit::Nanos);
                let terms = [Some(first), Some(weight), by_deadline.then_some(slice)];
                out(Candidate { entity: self.who(e), key, terms, barred });
            }
        }
    }

    pub(super) fn show(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        if !self.rt[cpu.index()].is_empty() {
            v.panel(0, "real time", Some(cpu));
            let curr = k.curr(cpu);
            let mut chips = self.rt_tasks(cpu).map(|task| Chip {
                entity: Who::Task(task),
                slice: self.rr_ticks[task.index()],
                slice_full: self.rr_quantum(),
                slice_unit: Unit::Ticks,
                key: Some(gauge("rt priority", i64::from(k.task(task).rt_priority), 0, Unit::Prio)),
                running: curr == Some(task),
            });
            v.list("best first", &mut chips);
        }
        for group in 0..self.group_parent.len() {
            let q = self.queue_of(GroupId(group as u16), cpu);
            if self.queues[q].nr == 0 && group > 0 {
                continue;
            }
            let label = if group == 0 { "root queue" } else { "group queue" };
            v.panel(1 + group as u32, label, Some(cpu));
            self.show_queue(k, q, v);
        }
        self.show_bandwidth(k, cpu, v);
        self.show_shares(k, v);
    }

    fn show_queue(&self, k: &Kernel, q: usize, v: &mut dyn StructureVisitor) {
        let queue = &self.queues[q];
        let members: Vec<u32> = queue.tree.iter(&self.nodes).collect();
        let index_of = |node: Option<u32>| members.iter().position(|&e| Some(e) == node).map(|index| index as u32);
        let eevdf = self.is_eevdf();
        let average = self.avg_vruntime(q);
        let by_deadline = self.version.generation == Generation::Eevdf612;
        let mut nodes = members.iter().map(|&node| {
            let e = node as Ent;
            let entity = &self.ents[e];
            TreeNode {
                entity: self.who(e),
                left: index_of(self.nodes.left(node)),
                right: index_of(self.nodes.right(node)),
                red: self.nodes.is_red(node),
                key: if by_deadline { entity.deadline } else { entity.vruntime },
                key2: eevdf.then_some(if by_deadline { entity.vruntime } else { entity.deadline }),
                weight: entity.weight,
                eligible: !eevdf || self.eligible(q, e),
            }
        });
        let floor = if eevdf { average } else { queue.min_vruntime };
        let label = match self.version.generation {
            Generation::Eevdf612 => "by deadline",
            Generation::Cfs515 | Generation::Eevdf66 => "by vruntime",
        };
        v.tree(label, index_of(queue.tree.root()), index_of(queue.tree.leftmost()), floor, &mut nodes);
        self.show_rules(q, v);
        if let Some(curr) = queue.curr {
            let entity = &self.ents[curr];
            let who = self.who(curr);
            // The tree's own key first: by it the running entity comes back.
            let keys = [("running: vruntime", entity.vruntime), ("deadline", entity.deadline)];
            for (label, key) in if by_deadline { [keys[1], keys[0]] } else { keys } {
                if eevdf || label != "deadline" {
                    v.entity_gauge(who, gauge(label, key, 0, Unit::Virtual));
                }
            }
            if eevdf {
                v.entity_gauge(who, gauge("lag", average - entity.vruntime, 0, Unit::Virtual));
            }
        }
        if eevdf {
            v.gauge(gauge("V", average, 0, Unit::Virtual));
        }
        v.gauge(gauge("min_vruntime", queue.min_vruntime, 0, Unit::Virtual));
        v.gauge(gauge("load", queue.weight(), 0, Unit::Weight));
        let group = self.group_of(q);
        if group != GroupId::ROOT {
            let who = Who::Group(group);
            let shares = self.group_shares(k, group);
            v.entity_gauge(who, gauge("weight here", self.ents[q].weight, shares, Unit::Weight));
        }
    }

    pub(super) fn gauges(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let e = self.ent(task);
        let entity = &self.ents[e];
        if k.task(task).class.is_rt() {
            out(gauge("rt priority", i64::from(k.task(task).rt_priority), 99, Unit::Prio));
            return;
        }
        out(gauge("vruntime", entity.vruntime, 0, Unit::Virtual));
        out(gauge("weight", entity.weight, 0, Unit::Weight));
        if self.is_eevdf() {
            let q = entity.queue as usize;
            let lag = if entity.on_rq { self.avg_vruntime(q) - entity.vruntime } else { entity.vlag };
            out(gauge("lag", lag, 0, Unit::Virtual));
            out(gauge("deadline", entity.deadline, 0, Unit::Virtual));
            out(gauge("slice", entity.slice, 0, Unit::Nanos));
            out(gauge("delayed", i64::from(entity.delayed), 1, Unit::Count));
        }
    }

    pub(super) fn check(&self, k: &Kernel) {
        self.check_pushable(k);
        for q in 0..self.queues.len() {
            let queue = &self.queues[q];
            let (mut nr, mut load, mut tree_load, mut sum) = (0, 0, 0, 0);
            let mut last = i64::MIN;
            for e in self.entities(q) {
                let entity = &self.ents[e];
                assert!(entity.on_rq, "entity {e} is in queue {q} but not on_rq");
                nr += 1;
                load += entity.load;
                if queue.curr == Some(e) {
                    continue;
                }
                tree_load += entity.weight;
                sum += (entity.vruntime - queue.min_vruntime) * entity.weight;
                let key = match self.tree_kind() {
                    super::tree::TreeKind::Plain | super::tree::TreeKind::ByVruntime => entity.vruntime,
                    super::tree::TreeKind::ByDeadline => entity.deadline,
                };
                assert!(key >= last, "tree of queue {q} is out of order");
                last = key;
            }
            assert_eq!((nr, load), (queue.nr, queue.load), "nr and load of queue {q}");
            let (mut tasks, mut idle) = (0, 0);
            for e in self.entities(q) {
                let own = if self.is_task(e) { self.tasks_of(e) } else { self.tasks_in(e) };
                (tasks, idle) = (tasks + own.nr, idle + own.idle);
            }
            assert_eq!((tasks, idle), (queue.h_nr, queue.h_idle), "tasks and SCHED_IDLE tasks of queue {q} and below");
            assert_eq!((tree_load, sum), (queue.avg_load, queue.avg_vruntime), "average of queue {q}");
        }
        for cpu in k.topology().cpu_ids().filter(|_| self.smp) {
            let listed = self.balance.links.iter(&self.balance.cpus[cpu.index()].tasks);
            let queued =
                listed.inspect(|&task| assert_eq!(k.task(task).cpu, cpu, "CPU of listed task {}", task.0)).count();
            let fair = (0..k.tasks().len()).map(|id| self.ent(TaskId(id as u32)));
            let here = fair.filter(|&e| self.ents[e].on_rq && self.cpu_of(self.ents[e].queue as usize) == cpu).count();
            assert_eq!(queued, here, "listed and queued fair tasks of {cpu}");
            let listed = self.balance.links.iter(&self.balance.cpus[cpu.index()].tasks);
            let runnable = listed.filter(|&task| !self.ents[self.ent(task)].delayed);
            let estimates: i64 = runnable.map(|task| self.estimates[task.index()].value()).sum();
            assert_eq!(estimates, self.cpu_estimates[cpu.index()], "estimated utilisation of {cpu}");
        }
        for group in 1..self.group_load.len() {
            let parts = (0..self.cpus).map(|cpu| self.queues[group * self.cpus + cpu].tracked.contribution);
            assert_eq!(parts.sum::<i64>(), self.group_load[group], "load of group {group} and its parts");
        }
        for (index, task) in k.tasks().iter().enumerate() {
            if task.migration_thread.is_some() || task.class.is_rt() || !task.is_alive() {
                continue;
            }
            let entity = &self.ents[self.first_task + index];
            assert_eq!(entity.on_rq, task.is_queued() || entity.delayed, "task {index} and its queue");
        }
    }
}
