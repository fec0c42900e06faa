//! Group shares on several CPUs: splitting a group's shares by where its tasks are, and converting loads inside a group
//! to loads at the top (SMP-group balancer, June 2008).

use super::Cfs;
use super::rq::{EntityId, SHARES_MAX, SHARES_MIN};
use super::version::Shares;
use crate::kernel::Kernel;
use crate::machine::cost::Work;
use crate::queues::nice::NICE_0_LOAD;
use crate::units::{CpuId, CpuMask, GroupId};

impl Cfs {
    /// `update_shares`, rate-limited per domain of each CPU.
    #[inline]
    pub(super) fn update_shares(&mut self, k: &mut Kernel, cpu: CpuId, level: usize) {
        if self.version.shares == Shares::Full || self.version.blind_without_groups && self.groups.len() < 2 {
            return;
        }
        let now = k.now();
        let domain = &mut self.domains[cpu.index()][level];
        if domain.shares_at.is_some_and(|at| now - at < self.knobs.shares_ratelimit) {
            return;
        }
        domain.shares_at = Some(now);
        let span = domain.span;
        let is_top = level + 1 == self.domains[cpu.index()].len();
        for index in 0..self.walk_order.len() {
            self.tg_shares_up(k, self.walk_order[index], &span, is_top);
        }
    }

    /// `tg_shares_up`: the part of the group's shares that belongs to this span goes to its CPUs by queue weight.
    fn tg_shares_up(&mut self, k: &mut Kernel, group: GroupId, span: &CpuMask, is_top: bool) {
        k.charge(self.this_cpu, Work::CpuProbed, u64::from(span.count()));
        if !self.has_entities(group) {
            // The root has nothing to split, but its run queues are locked all the same.
            span.iter().for_each(|cpu| self.charge_remote(k, cpu));
            return;
        }
        let total = self.groups[group.index()].shares;
        let counts_empty = self.version.shares == Shares::SplitThresh;
        let mut weight = 0;
        let mut shares = 0;
        for cpu in span.iter() {
            let q = self.q(self.queue(group, cpu));
            weight += if counts_empty && q.load.weight == 0 { NICE_0_LOAD } else { q.load.weight };
            shares += q.shares;
        }
        if shares == 0 && weight > 0 || shares > total || is_top {
            shares = total;
        }
        if weight == 0 {
            weight = u64::from(span.count()) * NICE_0_LOAD;
        }
        // The weights of 2.6.32 are a snapshot, but re-weighting an entity does not change its own queue's weight.
        for cpu in span.iter() {
            self.update_group_shares_cpu(k, group, cpu, shares, weight);
        }
    }

    /// `__update_group_shares_cpu`.
    fn update_group_shares_cpu(&mut self, k: &mut Kernel, group: GroupId, cpu: CpuId, shares: u64, weight: u64) {
        self.charge_remote(k, cpu);
        let queue = self.queue(group, cpu);
        let entity = self.group_entity(group, cpu);
        let own = self.q(queue).load.weight;
        // A CPU without tasks is ready for one of nice 0, but holds no shares.
        let boost = own == 0;
        let own = if boost { NICE_0_LOAD } else { own };
        match self.version.shares {
            Shares::Full => {}
            Shares::Split => {
                let own = own.min(weight);
                let part = self.share_part(shares, own, weight);
                let q = self.q_mut(queue);
                q.shares = if boost { 0 } else { part };
                q.rq_weight = own;
                self.set_se_shares(k, entity, part.clamp(SHARES_MIN, SHARES_MAX));
            }
            Shares::SplitThresh => {
                let part = self.share_part(shares, own, weight).clamp(SHARES_MIN, SHARES_MAX);
                if part.abs_diff(self.e(entity).load.weight) <= self.knobs.shares_thresh {
                    return;
                }
                let q = self.q_mut(queue);
                q.rq_weight = if boost { 0 } else { own };
                q.shares = if boost { 0 } else { part };
                self.set_se_shares(k, entity, part);
            }
        }
    }

    /// Part of `shares` that a queue of weight `own` gets, of queues that weigh `weight` together.
    pub(super) fn share_part(&self, shares: u64, own: u64, weight: u64) -> u64 {
        match self.version.shares {
            Shares::Full => shares,
            Shares::Split => shares * own / (weight + 1),
            Shares::SplitThresh => shares * own / weight,
        }
    }

    /// `__set_se_shares`: a new weight for a group's entity; it keeps its virtual time.
    pub(super) fn set_se_shares(&mut self, k: &mut Kernel, entity: EntityId, shares: u64) {
        let queue = self.e(entity).queue;
        let on_rq = self.e(entity).on_rq;
        if on_rq {
            self.dequeue_entity(k, queue, entity, false);
        }
        let inverse = self.group_inverse(shares);
        let load = &mut self.e_mut(entity).load;
        load.weight = shares;
        load.inverse = inverse;
        if on_rq {
            self.enqueue_entity(k, queue, entity, false);
        }
    }

    /// `sched_group_set_shares`.
    pub(super) fn set_group_shares(&mut self, k: &mut Kernel, group: GroupId, shares: u64) {
        let shares = self.clamp_shares(shares);
        if !self.has_entities(group) || self.groups[group.index()].shares == shares {
            return;
        }
        self.groups[group.index()].shares = shares;
        for cpu in 0..self.cpus {
            let cpu = CpuId(cpu as u16);
            let queue = self.queue(group, cpu);
            self.q_mut(queue).shares = 0;
            self.set_se_shares(k, self.group_entity(group, cpu), shares);
        }
    }

    /// `update_h_load`: load of each group's queue on `cpu`, as seen at the top.
    pub(super) fn update_h_load(&mut self, cpu: CpuId) {
        if self.version.blind_without_groups && self.groups.len() < 2 {
            return;
        }
        for index in (0..self.walk_order.len()).rev() {
            let group = self.walk_order[index];
            let queue = self.queue(group, cpu);
            let load = match self.groups[group.index()].parent {
                None => self.rq(cpu).load,
                Some(parent) => {
                    let parent = self.q(self.queue(parent, cpu));
                    parent.h_load * self.q(queue).shares / (parent.load.weight + 1)
                }
            };
            self.q_mut(queue).h_load = load;
        }
    }

    /// `effective_load`: how the load of `cpu` changes when `wl` comes there and the group changes by `wg` in all.
    pub(super) fn effective_load(&self, group: GroupId, cpu: CpuId, wl: i64, wg: i64) -> i64 {
        if group == GroupId::ROOT || self.version.shares == Shares::Full {
            return wl;
        }
        if self.knobs.asym_eff_load && wl == 0 {
            return 0;
        }
        let each_level = self.version.shares == Shares::SplitThresh;
        let (mut wl, mut wg) = (wl, wg);
        let mut first = true;
        let mut at = group;
        while at != GroupId::ROOT {
            let q = self.q(self.queue(at, cpu));
            if first || each_level {
                // What came or went since the shares were computed.
                let more = q.load.weight as i64 - q.rq_weight as i64;
                wl += more;
                wg += more;
            }
            first = false;
            let (total, shares, weight) = (self.groups[at.index()].shares as i64, q.shares as i64, q.rq_weight as i64);
            let a = total.wrapping_mul(weight + wl);
            let b = total.wrapping_mul(weight).wrapping_add(shares.wrapping_mul(wg));
            wl = shares.wrapping_mul(a.wrapping_sub(b)) / if b == 0 { 1 } else { b };
            wg = 0;
            at = self.groups[at.index()].parent.unwrap_or(GroupId::ROOT);
        }
        wl
    }
}
