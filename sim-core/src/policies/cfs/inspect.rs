//! What the page sees: candidates, trees, group shares, task facts; and the invariants that tests assert.

use super::Cfs;
use super::rq::{EntityId, QueueId};
use super::version::{Shares, Walk};
use crate::inspect::{Candidate, Chip, Entity, Gauge, StructureVisitor, TreeNode, Unit};
use crate::kernel::Kernel;
use crate::task::task::TaskState;
use crate::units::{CpuId, GroupId, TaskId};

/// Panel of real-time tasks; panels of queues are numbered from [`PANEL_QUEUES`].
const PANEL_RT: u32 = 0;
const PANEL_LOAD: u32 = 1;
const PANEL_QUEUES: u32 = 2;

fn gauge(label: &'static str, value: u64, full: u64, unit: Unit) -> Gauge {
    Gauge { label, value: value as i64, full: full as i64, unit }
}

impl Cfs {
    pub(super) fn shown(&self, entity: EntityId) -> Entity {
        match self.task_of(entity) {
            Some(task) => Entity::Task(task),
            None => Entity::Group(self.group_of(entity)),
        }
    }

    /// Queues of a CPU that have entities, top first, then groups by number.
    fn busy_queues(&self, cpu: CpuId) -> impl Iterator<Item = QueueId> + '_ {
        let top = self.top_queue(cpu);
        let groups = (0..self.groups.len()).map(move |group| self.queue(GroupId(group as u16), cpu));
        core::iter::once(top)
            .chain(groups.filter(move |&queue| queue != top))
            .filter(|&queue| self.q(queue).nr_running > 0)
    }

    /// A slice as [`Cfs::sched_slice`] computes it, without touching cached inverses.
    fn slice_of(&self, entity: EntityId) -> u64 {
        let mut copy = SliceView { cfs: self };
        copy.slice(entity)
    }

    // ---- candidates ------------------------------------------------------------------------------------------------

    /// Real-time tasks by list, then fair tasks: along the leftmost path first, by virtual time within a queue.
    pub(super) fn list_candidates(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Candidate)) {
        let rt = &self.rq(cpu).rt;
        let mut from = 0;
        while let Some(prio) = rt.bitmap.next(from) {
            for task in self.rt_links.iter(&rt.lists[prio as usize]) {
                out(Candidate {
                    entity: Entity::Task(task),
                    key: Gauge { label: "prio", value: i64::from(prio), full: 0, unit: Unit::Prio },
                    terms: [None; 3],
                    barred: rt.throttled.then_some("throttled"),
                });
            }
            from = prio + 1;
        }
        for queue in self.busy_queues(cpu) {
            self.list_queue(k, queue, out);
        }
    }

    fn list_queue(&self, k: &Kernel, queue: QueueId, out: &mut dyn FnMut(Candidate)) {
        let q = self.q(queue);
        // The running entity goes back into the tree before the pick, so it competes by its present virtual time.
        let curr = q.curr.filter(|&curr| self.e(curr).on_rq);
        let mut waiting = q.tree.iter(&self.nodes).map(EntityId).peekable();
        let mut curr = curr;
        loop {
            let running_first = match (curr, waiting.peek()) {
                (Some(curr), Some(&first)) => {
                    (self.vruntime_now(k, curr).wrapping_sub(self.e(first).vruntime) as i64) < 0
                }
                (Some(_), None) => true,
                (None, _) => false,
            };
            let next = if running_first { curr.take() } else { waiting.next() };
            let Some(entity) = next else { return };
            out(self.candidate(k, queue, entity));
        }
    }

    fn candidate(&self, k: &Kernel, queue: QueueId, entity: EntityId) -> Candidate {
        let q = self.q(queue);
        let e = self.e(entity);
        let mark = if q.next == Some(entity) {
            Some(gauge("next buddy", 1, 0, Unit::Count))
        } else if q.last == Some(entity) {
            Some(gauge("last buddy", 1, 0, Unit::Count))
        } else {
            None
        };
        Candidate {
            entity: self.shown(entity),
            key: gauge("vruntime", self.vruntime_now(k, entity), 0, Unit::Virtual),
            terms: [
                Some(gauge("weight", e.load.weight, q.load.weight, Unit::Weight)),
                Some(gauge("slice", self.slice_of(entity), 0, Unit::Nanos)),
                mark,
            ],
            barred: None,
        }
    }

    /// Virtual time of an entity as a charge at this moment would make it.
    pub(super) fn vruntime_now(&self, k: &Kernel, entity: EntityId) -> u64 {
        let e = self.e(entity);
        if self.q(e.queue).curr != Some(entity) {
            return e.vruntime;
        }
        let delta = (k.now() + super::CLOCK_AT_START).saturating_sub(e.exec_start);
        e.vruntime.wrapping_add(SliceView { cfs: self }.virtual_delta(delta, entity))
    }

    // ---- structures ------------------------------------------------------------------------------------------------

    /// Real-time lists if any, load history, one tree per queue, and the shares of groups on this CPU.
    pub(super) fn show_structures(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        self.show_rt(k, cpu, v);
        for queue in self.busy_queues(cpu) {
            self.show_queue(k, cpu, queue, v);
        }
        self.show_shares(k, v);
        self.show_load(cpu, v);
    }

    fn show_rt(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rt = &self.rq(cpu).rt;
        if rt.nr_running == 0 && rt.time == 0 {
            return;
        }
        v.panel(PANEL_RT, "real-time tasks", Some(cpu));
        v.bitmap("occupied priorities", rt.bitmap.words(), 100, rt.bitmap.first());
        let full = Cfs::rr_timeslice(k);
        let chips = rt.lists.iter().enumerate().flat_map(|(prio, list)| {
            self.rt_links.iter(list).map(move |task| {
                let chip = Chip {
                    entity: Entity::Task(task),
                    slice: i64::from(self.t(task).rr_ticks),
                    slice_full: i64::from(full),
                    slice_unit: Unit::Ticks,
                    key: None,
                    running: k.curr(cpu) == Some(task),
                };
                (prio as u32, chip)
            })
        });
        v.slots("lists", 100, 100, &mut { chips });
        if self.throttles() {
            v.gauge(gauge("used of the real-time budget", rt.time, rt.runtime, Unit::Nanos));
            if rt.throttled {
                v.gauge(gauge("throttled", 1, 1, Unit::Count));
            }
        }
    }

    fn show_queue(&self, k: &Kernel, cpu: CpuId, queue: QueueId, v: &mut dyn StructureVisitor) {
        let q = self.q(queue);
        let label = match q.group {
            None => "top queue: one entity per group",
            Some(GroupId::ROOT) => "queue of the root group",
            Some(_) => "queue of a group",
        };
        v.panel(PANEL_QUEUES + queue.0, label, Some(cpu));
        self.show_tree(queue, v);
        self.show_rules(k, queue, v);
        if let Some(curr) = q.curr {
            let e = self.e(curr);
            let ran = e.sum_exec.wrapping_sub(e.prev_sum_exec)
                + (k.now() + super::CLOCK_AT_START).saturating_sub(e.exec_start);
            v.entity_gauge(
                self.shown(curr),
                gauge("vruntime of the running", self.vruntime_now(k, curr), 0, Unit::Virtual),
            );
            v.entity_gauge(self.shown(curr), gauge("ran of its slice", ran, self.slice_of(curr), Unit::Nanos));
        }
        for (label, buddy) in [("next buddy", q.next), ("last buddy", q.last)] {
            if let Some(buddy) = buddy.filter(|_| self.has_buddies()) {
                v.entity_gauge(self.shown(buddy), gauge(label, self.e(buddy).vruntime, 0, Unit::Virtual));
            }
        }
        v.gauge(gauge("min_vruntime", q.min_vruntime, 0, Unit::Virtual));
        v.gauge(gauge("load", q.load.weight, 0, Unit::Weight));
        v.gauge(gauge("entities", q.nr_running, 0, Unit::Count));
        v.gauge(gauge("period", self.period(q.nr_running), 0, Unit::Nanos));
        self.show_group(cpu, queue, v);
    }

    /// Nodes in order of virtual time; children as positions in that order.
    fn show_tree(&self, queue: QueueId, v: &mut dyn StructureVisitor) {
        let q = self.q(queue);
        let order: Vec<u32> = q.tree.iter(&self.nodes).collect();
        let mut places: Vec<(u32, u32)> = order.iter().enumerate().map(|(place, &node)| (node, place as u32)).collect();
        places.sort_unstable();
        let place = |node: Option<u32>| {
            let node = node?;
            places.binary_search_by_key(&node, |&(node, _)| node).ok().map(|found| places[found].1)
        };
        let mut nodes = order.iter().map(|&node| {
            let entity = EntityId(node);
            TreeNode {
                entity: self.shown(entity),
                left: place(self.nodes.left(node)),
                right: place(self.nodes.right(node)),
                red: self.nodes.is_red(node),
                key: self.nodes.value(node).0 as i64,
                key2: None,
                weight: self.e(entity).load.weight as i64,
                eligible: true,
            }
        });
        v.tree("by vruntime", place(q.tree.root()), place(q.tree.leftmost()), q.min_vruntime as i64, &mut nodes);
    }

    /// A group's weight on this CPU against what its tasks here would be owed.
    fn show_group(&self, cpu: CpuId, queue: QueueId, v: &mut dyn StructureVisitor) {
        let Some(group) = self.q(queue).group.filter(|&group| self.has_entities(group)) else { return };
        let shares = self.groups[group.index()].shares;
        let entity = self.e(self.group_entity(group, cpu));
        let shown = Entity::Group(group);
        v.entity_gauge(shown, gauge("weight here", entity.load.weight, shares, Unit::Weight));
        if self.version.shares != Shares::Full {
            let total: u64 = (0..self.cpus).map(|cpu| self.q(self.queue(group, CpuId(cpu as u16))).load.weight).sum();
            let target = shares * self.q(queue).load.weight / total.max(1);
            v.entity_gauge(shown, gauge("target: shares by where its tasks are", target, shares, Unit::Weight));
            v.entity_gauge(shown, gauge("shares placed here", self.q(queue).shares, shares, Unit::Weight));
        }
    }

    fn show_load(&self, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let rq = self.rq(cpu);
        v.panel(PANEL_LOAD, "load of the CPU", Some(cpu));
        v.gauge(gauge("load", rq.load, 0, Unit::Weight));
        const LABELS: [&str; 5] = ["cpu_load[0]", "cpu_load[1]", "cpu_load[2]", "cpu_load[3]", "cpu_load[4]"];
        for (label, &average) in LABELS.iter().zip(rq.cpu_load.averages()) {
            v.gauge(gauge(label, average, 0, Unit::Weight));
        }
        for domain in &self.domains[cpu.index()] {
            v.gauge(gauge("balance interval, ms", domain.balance_interval_ms, 0, Unit::Count));
            v.gauge(gauge("failed attempts", u64::from(domain.nr_balance_failed), 0, Unit::Count));
        }
    }

    /// Facts of one task.
    pub(super) fn show_task(&self, k: &Kernel, task: TaskId, out: &mut dyn FnMut(Gauge)) {
        let entity = self.task_entity(task);
        let e = self.e(entity);
        if !self.is_fair(task) {
            out(Gauge { label: "prio", value: i64::from(self.t(task).prio), full: 0, unit: Unit::Prio });
            let full = u64::from(Cfs::rr_timeslice(k));
            return out(gauge("round-robin ticks left", u64::from(self.t(task).rr_ticks), full, Unit::Ticks));
        }
        let q = self.q(e.queue);
        let vruntime = self.vruntime_now(k, entity);
        out(gauge("vruntime", vruntime, 0, Unit::Virtual));
        let ahead = vruntime.wrapping_sub(q.min_vruntime) as i64;
        out(Gauge { label: "over min_vruntime", value: ahead, full: 0, unit: Unit::Virtual });
        out(gauge("weight", e.load.weight, 0, Unit::Weight));
        if e.on_rq {
            out(gauge("slice", self.slice_of(entity), 0, Unit::Nanos));
        }
        if self.has_buddies() {
            out(gauge("avg_overlap", self.t(task).avg_overlap, 0, Unit::Nanos));
        }
        if self.version.averages {
            out(gauge("avg_wakeup", e.avg_wakeup, 0, Unit::Nanos));
        }
    }

    // ---- invariants ------------------------------------------------------------------------------------------------

    /// Trees ordered and cached, weights and counts summed, every runnable task queued exactly once.
    pub(super) fn assert_invariants(&self, k: &Kernel) {
        for index in 0..self.queues.len() {
            self.assert_queue(QueueId(index as u32));
        }
        for cpu in 0..self.cpus {
            self.assert_rq(k, CpuId(cpu as u16));
        }
        for (index, task) in k.tasks().iter().enumerate().filter(|(_, task)| task.state != TaskState::New) {
            let e = self.e(self.task_entity(TaskId(index as u32)));
            assert_eq!(e.on_rq, task.is_queued(), "on_rq of task {index}");
        }
    }

    fn assert_queue(&self, queue: QueueId) {
        let q = self.q(queue);
        q.tree.check(&self.nodes);
        let mut weight = 0;
        let mut count = 0;
        for entity in q.tree.iter(&self.nodes).map(EntityId) {
            let e = self.e(entity);
            assert!(e.on_rq && e.queue == queue, "entity {} is in a tree but not queued there", entity.0);
            assert_eq!(self.nodes.value(entity.0).0, e.vruntime, "key of entity {}", entity.0);
            assert!(q.curr != Some(entity), "the running entity {} is in the tree", entity.0);
            weight += e.load.weight;
            count += 1;
        }
        if let Some(curr) = q.curr.filter(|&curr| self.e(curr).on_rq) {
            weight += self.e(curr).load.weight;
            count += 1;
        }
        assert_eq!((weight, count), (q.load.weight, q.nr_running), "load and count of queue {}", queue.0);
        if self.version.walk == Walk::All || self.version.walk == Walk::AllButOldest {
            assert_eq!(self.links.iter(&q.list).count() as u64, count, "list of queue {}", queue.0);
        }
        if let Some(group) = q.group.filter(|&group| self.has_entities(group)) {
            let entity = self.e(self.group_entity(group, q.cpu));
            assert_eq!(entity.on_rq, count > 0, "entity of group {} on {}", group.0, q.cpu);
        }
    }

    fn assert_rq(&self, k: &Kernel, cpu: CpuId) {
        let rq = self.rq(cpu);
        assert_eq!(rq.nr_running, u64::from(k.nr_running(cpu)), "nr_running of {cpu}");
        let queued: u32 = rq.rt.lists.iter().map(|list| self.rt_links.iter(list).count() as u32).sum();
        assert_eq!(queued, rq.rt.nr_running, "real-time tasks of {cpu}");
        for (prio, list) in rq.rt.lists.iter().enumerate() {
            assert_eq!(rq.rt.bitmap.test(prio as u32), !list.is_empty(), "bit {prio} of {cpu}");
        }
    }
}

/// Computes slices and virtual times for display, on copies of the cached inverses.
struct SliceView<'a> {
    cfs: &'a Cfs,
}

impl SliceView<'_> {
    fn slice(&mut self, entity: EntityId) -> u64 {
        use super::version::Slice;
        use super::weight::calc_delta;
        let cfs = self.cfs;
        let mut slice = cfs.period(cfs.q(cfs.e(entity).queue).nr_running);
        let mut at = Some(entity);
        while let Some(level) = at {
            let e = cfs.e(level);
            let mut load = cfs.q(e.queue).load;
            let exact = matches!(cfs.version.slice, Slice::ExactFlat | Slice::ExactTree);
            slice = if exact {
                slice.wrapping_mul(e.load.weight) / load.weight.max(1)
            } else {
                calc_delta(slice, e.load.weight, &mut load, &mut { cfs.divider })
            };
            at = e.parent.filter(|_| !matches!(cfs.version.slice, Slice::ExactFlat | Slice::RoundedFlat));
        }
        slice
    }

    fn virtual_delta(&self, delta: u64, entity: EntityId) -> u64 {
        use super::version::Rate;
        use super::weight::calc_delta;
        let cfs = self.cfs;
        let mut delta = delta;
        let mut at = Some(entity);
        while let Some(level) = at {
            let e = cfs.e(level);
            let mut load = e.load;
            let weight = match cfs.version.rate {
                Rate::Weight if load.weight == 1024 => return delta,
                Rate::Weight => return calc_delta(delta, 1024, &mut load, &mut { cfs.divider }),
                Rate::QueueShare => cfs.q(e.queue).load.weight,
            };
            delta = calc_delta(delta, weight, &mut load, &mut { cfs.divider });
            at = e.parent;
        }
        delta
    }
}
