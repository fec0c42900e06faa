//! Pictures beyond the tree: lag and deadlines on one axis, bandwidth pools, groups with their shares on every CPU.

use super::entity::scaled_down;
use super::inspect::gauge;
use super::versions::tunable;
use super::{Fair, Generation};
use crate::inspect::{Course, Entity as Who, ShareCell, ShareRow, Span, StructureVisitor, Trail, Unit};
use crate::kernel::Kernel;
use crate::task::task::TaskState;
use crate::units::{CpuId, GroupId};

/// Panels of queues are numbered by group; these two lie above all of them.
const PANEL_BANDWIDTH: u32 = 1 << 30;
const PANEL_GROUPS: u32 = PANEL_BANDWIDTH + 1;

const POOL: Trail = Trail {
    label: "pool",
    help: "run time left of each group's quota; it is refilled at the start of a period",
    unit: Unit::Nanos,
    course: Course::Lines,
};

/// What is drawn over time by EEVDF.
pub(super) static TRAILS: [Trail; 2] = [
    Trail {
        label: "lag",
        help: "service owed to each entity: above 0 it may be picked, running takes it down",
        unit: Unit::Virtual,
        course: Course::Lines,
    },
    POOL,
];

/// What is drawn over time by CFS 5.15.
pub(super) static TRAILS_515: [Trail; 2] = [
    Trail {
        label: "vruntime",
        help: "flat: waits; steep: runs with a light weight",
        unit: Unit::Virtual,
        course: Course::Lines,
    },
    POOL,
];

impl Fair {
    /// EEVDF: each entity from its virtual time to its deadline, the line of eligibility, and the pick.
    pub(super) fn show_rules(&self, q: usize, v: &mut dyn StructureVisitor) {
        if self.version.generation == Generation::Cfs515 || self.queues[q].nr == 0 {
            return;
        }
        let picked = self.pick_eevdf(q);
        let mut all: Vec<Span> = self
            .entities(q)
            .map(|e| {
                let entity = &self.ents[e];
                Span {
                    entity: self.who(e),
                    at: entity.vruntime,
                    until: entity.deadline,
                    weight: entity.weight,
                    eligible: self.eligible(q, e),
                    running: self.queues[q].curr == Some(e),
                    picked: picked == Some(e),
                }
            })
            .collect();
        all.sort_by_key(|span| span.until);
        v.spans("lag and deadlines", "V: eligible up to here", self.avg_vruntime(q), &mut all.into_iter());
    }

    /// Pools of the groups with `cpu.max`, and what `cpu` holds of them.
    pub(super) fn show_bandwidth(&self, k: &Kernel, cpu: CpuId, v: &mut dyn StructureVisitor) {
        let portion = self.tunables[tunable::BANDWIDTH_SLICE_US] * 1000;
        let mut has_panel = false;
        for group in 1..self.group_parent.len() {
            let group = GroupId(group as u16);
            let Some((left, quota, period)) = self.pool_levels(group) else { continue };
            if !has_panel {
                has_panel = true;
                v.panel(PANEL_BANDWIDTH, "bandwidth", Some(cpu));
            }
            let (who, queue) = (Who::Group(group), &self.queues[self.queue_of(group, cpu)]);
            v.entity_gauge(who, gauge("pool", left, quota, Unit::Nanos));
            let passed = (k.now() % period) as i64;
            v.entity_gauge(who, gauge("of the period", passed, period as i64, Unit::Nanos));
            v.entity_gauge(who, gauge("taken by this CPU", queue.runtime_remaining, portion, Unit::Nanos));
            v.lamp(who, "throttled here", queue.throttled);
            let is_held = |cpu: &usize| self.queues[self.queue_of(group, CpuId(*cpu as u16))].throttled;
            let held = (0..self.cpus).filter(is_held).count() as i64;
            v.entity_gauge(who, gauge("throttled CPUs", held, 0, Unit::Count));
        }
    }

    /// The tree of groups: what each has on every CPU, and what the rule would give it there now.
    pub(super) fn show_shares(&self, k: &Kernel, v: &mut dyn StructureVisitor) {
        if self.group_parent.len() < 2 {
            return;
        }
        let mut tasks = vec![0; self.group_parent.len()];
        for task in k.tasks().iter().filter(|task| task.is_alive() && task.state != TaskState::New) {
            tasks[task.group.index()] += u32::from(task.migration_thread.is_none());
        }
        v.panel(PANEL_GROUPS, "groups", None);
        let cpus = || (0..self.cpus).map(|cpu| CpuId(cpu as u16));
        let mut loads = cpus().map(|cpu| {
            let weight = self.queues[self.root(cpu)].weight();
            ShareCell { weight, target: weight, pretended: false }
        });
        let root = ShareRow { group: GroupId::ROOT, parent: None, shares: 0, tasks: tasks[0] };
        v.share_row(root, &mut loads);
        // Scenarios name parents before their children, so numbers do too.
        for group in (1..self.group_parent.len()).map(|group| GroupId(group as u16)) {
            let mut cells = cpus().map(|cpu| {
                let q = self.queue_of(group, cpu);
                let weight = self.ents[q].weight;
                let pretended = self.queues[q].load == 0;
                ShareCell {
                    weight,
                    target: if pretended { weight } else { scaled_down(self.calc_group_shares(k, q)) },
                    pretended,
                }
            });
            let row = ShareRow {
                group,
                parent: Some(GroupId(self.group_parent[group.index()])),
                shares: self.group_shares(k, group),
                tasks: tasks[group.index()],
            };
            v.share_row(row, &mut cells);
        }
    }

    /// Values of a row of the trails.
    pub(super) fn trail_of(&self, cpu: CpuId, index: usize, out: &mut dyn FnMut(Who, i64)) {
        if index == 0 {
            let q = self.root(cpu);
            let average = self.avg_vruntime(q);
            for e in self.entities(q) {
                let vruntime = self.ents[e].vruntime;
                out(self.who(e), if self.is_eevdf() { average - vruntime } else { vruntime });
            }
            return;
        }
        for group in (1..self.group_parent.len()).map(|group| GroupId(group as u16)) {
            if let Some((left, ..)) = self.pool_levels(group) {
                out(Who::Group(group), left);
            }
        }
    }
}
