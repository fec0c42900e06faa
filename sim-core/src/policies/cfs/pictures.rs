//! Pictures beyond the tree: the rules that go with its order, groups with their shares on every CPU, virtual times.

use super::Cfs;
use super::rq::{EntityId, QueueId, SHARES_MAX, SHARES_MIN};
use super::version::Shares;
use crate::inspect::{Course, Entity, KeyMark, MarkKind, ShareCell, ShareRow, StructureVisitor, Trail, Unit};
use crate::kernel::Kernel;
use crate::queues::nice::NICE_0_LOAD;
use crate::task::task::{Task, TaskState};
use crate::units::{CpuId, GroupId};

/// Panel of the groups; panels of queues come after [`super::inspect`]'s numbers, so it takes one far above them.
const PANEL_GROUPS: u32 = 1 << 30;

/// What is drawn over time.
pub(super) static TRAILS: [Trail; 1] = [Trail {
    label: "vruntime",
    help: "flat: waits; steep: runs with a light weight",
    unit: Unit::Virtual,
    course: Course::Lines,
}];

/// Counted among the tasks of its group.
fn is_member(task: &Task) -> bool {
    task.is_alive() && task.state != TaskState::New && task.migration_thread.is_none()
}

impl Cfs {
    /// Below the running entity: how far a woken one must be ahead to preempt, and where a sleeper is put.
    pub(super) fn show_rules(&self, k: &Kernel, queue: QueueId, v: &mut dyn StructureVisitor) {
        let q = self.q(queue);
        let Some(curr) = q.curr else { return };
        // The kernel's functions keep inverses of weights as they go; here a copy does.
        let mut copy = self.clone();
        let woken = q.tree.leftmost().map_or(curr, EntityId);
        let to = self.vruntime_now(k, curr) as i64;
        let from = to.wrapping_sub(copy.wakeup_gran(curr, woken) as i64);
        v.key_mark(KeyMark { label: "wake-up granularity", kind: MarkKind::Band, from, to });
        let credit = copy.sleeper_credit(curr);
        if credit > 0 {
            let at = q.min_vruntime.wrapping_sub(credit) as i64;
            v.key_mark(KeyMark { label: "sleepers come back here", kind: MarkKind::Line, from: at, to: at });
        }
    }

    /// The tree of groups: what each has on every CPU, and what the rule would give it there now.
    pub(super) fn show_shares(&self, k: &Kernel, v: &mut dyn StructureVisitor) {
        if !(1..self.groups.len()).any(|group| self.has_entities(GroupId(group as u16))) {
            return;
        }
        let mut tasks = vec![0; self.groups.len()];
        for task in k.tasks().iter().filter(|task| is_member(task)) {
            tasks[task.group.index()] += 1;
        }
        v.panel(PANEL_GROUPS, "groups", None);
        let cpus = || (0..self.cpus).map(|cpu| CpuId(cpu as u16));
        let mut loads = cpus().map(|cpu| {
            let weight = self.rq(cpu).load as i64;
            ShareCell { weight, target: weight, pretended: false }
        });
        let root = ShareRow { group: GroupId::ROOT, parent: None, shares: 0, tasks: tasks[0] };
        v.share_row(root, &mut loads);
        // `walk_order` has children before their parents.
        for &group in self.walk_order.iter().rev().filter(|&&group| self.has_entities(group)) {
            let data = &self.groups[group.index()];
            let parent = data.parent.unwrap_or(GroupId::ROOT);
            let shares = data.shares as i64;
            let row = ShareRow { group, parent: Some(parent), shares, tasks: tasks[group.index()] };
            v.share_row(row, &mut cpus().map(|cpu| self.share_cell(group, cpu)));
        }
    }

    fn share_cell(&self, group: GroupId, cpu: CpuId) -> ShareCell {
        let own = self.q(self.queue(group, cpu)).load.weight;
        let shares = self.groups[group.index()].shares;
        let weight = self.e(self.group_entity(group, cpu)).load.weight as i64;
        if self.version.shares == Shares::Full {
            return ShareCell { weight, target: weight, pretended: own == 0 };
        }
        let counts_empty = self.version.shares == Shares::SplitThresh;
        let weight_of = |cpu: usize| match self.q(self.queue(group, CpuId(cpu as u16))).load.weight {
            0 if counts_empty => NICE_0_LOAD,
            weight => weight,
        };
        let mut total: u64 = (0..self.cpus).map(weight_of).sum();
        if total == 0 {
            total = self.cpus as u64 * NICE_0_LOAD;
        }
        let ready = if own == 0 { NICE_0_LOAD } else { own }.min(total);
        let target = self.share_part(shares, ready, total).clamp(SHARES_MIN, SHARES_MAX) as i64;
        ShareCell { weight, target, pretended: own == 0 }
    }

    /// Virtual times of the entities of the queue that the CPU picks from first.
    pub(super) fn trail_vruntime(&self, k: &Kernel, cpu: CpuId, out: &mut dyn FnMut(Entity, i64)) {
        let q = self.q(self.top_queue(cpu));
        let waiting = q.tree.iter(&self.nodes).map(EntityId);
        for entity in q.curr.filter(|&curr| self.e(curr).on_rq).into_iter().chain(waiting) {
            out(self.shown(entity), self.vruntime_now(k, entity) as i64);
        }
    }
}
