//! Answer to `Summary`: the numbers of a run up to a moment.

use super::lane::Lane;
use super::protocol::{RowView, SummaryView};
use super::views;
use crate::kernel::Kernel;
use crate::machine::cost::TIME_KINDS;
use crate::metrics::fairness::{Claim, fair_shares, jain_permille, weight_of};
use crate::metrics::histogram::Histogram;
use crate::policy::Caps;
use crate::units::{CpuId, GroupId, Nanos, TaskId};

/// Numbers up to and including `to`.
pub fn summary(lane: &mut Lane, index: u8, to: Nanos) -> SummaryView {
    let to = to.min(lane.front());
    let caps = lane.info().caps;
    let digest = lane.kernel().digest();
    let kernel = lane.state_at(to).sim.kernel();
    let mut view = SummaryView {
        lane: index,
        to,
        events: kernel.events(),
        switches: kernel.switches(),
        migrations: kernel.migrations(),
        decisions: kernel.decisions(),
        digest,
        times: times(kernel),
        tasks: (0..kernel.tasks().len()).map(|id| task_row(kernel, id, to)).collect(),
        ..SummaryView::default()
    };
    let shares = fairness(kernel, caps, &mut view);
    for (row, share) in view.tasks.iter_mut().zip(shares) {
        row.fair_permille = share;
    }
    let workload_of: Vec<u16> = kernel.tasks().iter().map(|task| task.workload).collect();
    count(lane, to, &workload_of, &mut view);
    view
}

fn times(kernel: &Kernel) -> [u64; TIME_KINDS] {
    let mut sum = [0; TIME_KINDS];
    for cpu in 0..kernel.cpus() {
        for (sum, ns) in sum.iter_mut().zip(kernel.cpu_times(CpuId(cpu))) {
            *sum += ns;
        }
    }
    sum
}

fn permille(ns: Nanos, of: Nanos) -> u32 {
    (u128::from(ns) * 1000 / u128::from(of.max(1))) as u32
}

fn task_row(kernel: &Kernel, id: usize, to: Nanos) -> RowView {
    let [runtime, wait, slept] = kernel.task_times(TaskId(id as u32));
    RowView {
        id: id as u32,
        runtime,
        wait,
        slept,
        share_permille: permille(runtime, to),
        migrations: kernel.task(TaskId(id as u32)).migrations(),
        ..RowView::default()
    }
}

/// Fair shares of the tasks that wanted the CPU all the time (1/1000 of one CPU, by task), and Jain's index.
fn fairness(kernel: &Kernel, caps: Caps, view: &mut SummaryView) -> Vec<u32> {
    let always: Vec<usize> = (0..view.tasks.len()).filter(|&id| wanted_always(kernel, id, &view.tasks[id])).collect();
    let used_by_others: u64 =
        view.tasks.iter().enumerate().filter(|(id, _)| !always.contains(id)).map(|(_, row)| row.runtime).sum();
    let capacity = u64::from(kernel.cpus()) * 1000;
    let capacity = capacity.saturating_sub(u64::from(permille(used_by_others, view.to)));
    let claims: Vec<Claim> = always
        .iter()
        .map(|&id| Claim { weight: weight(kernel, id, &always, caps), runtime: view.tasks[id].runtime })
        .collect();
    let shares = fair_shares(&claims, capacity);
    view.fairness_permille = jain_permille(&claims, &shares);
    let mut by_task = vec![0; view.tasks.len()];
    for (&id, share) in always.iter().zip(shares) {
        by_task[id] = share;
    }
    by_task
}

/// Alive since the start of the run without sleeping.
fn wanted_always(kernel: &Kernel, id: usize, row: &RowView) -> bool {
    let task = kernel.task(TaskId(id as u32));
    task.is_queued() && task.migration_thread.is_none() && row.slept == 0 && row.runtime + row.wait == kernel.now()
}

/// Weight of a task against all others of `always`: its nice weight, and with groups its part of its group's shares.
fn weight(kernel: &Kernel, id: usize, always: &[usize], caps: Caps) -> u64 {
    let task = kernel.task(TaskId(id as u32));
    let own = u64::from(weight_of(task.nice));
    if !caps.groups || kernel.groups().len() < 2 {
        return own;
    }
    if caps.percent_shares {
        let in_class =
            always.iter().map(|&id| kernel.task(TaskId(id as u32))).filter(|other| other.group == task.group);
        let sum: u64 = in_class.map(|other| u64::from(weight_of(other.nice))).sum();
        return (u128::from(guaranteed(kernel, task.group)) * u128::from(own) / u128::from(sum.max(1))) as u64;
    }
    // Shares of the group at each level over what competes there, in 1/2^20.
    let mut weight = u128::from(own) << 20;
    let mut group = task.group;
    let of = |id: usize, group| {
        let mut at = kernel.task(TaskId(id as u32)).group;
        loop {
            if at == group {
                return true;
            }
            if at == GroupId::ROOT {
                return false;
            }
            at = kernel.groups()[at.index()].parent;
        }
    };
    while group != GroupId::ROOT {
        let tasks = always.iter().filter(|&&id| kernel.task(TaskId(id as u32)).group == group);
        let tasks: u64 = tasks.map(|&id| u64::from(weight_of(kernel.task(TaskId(id as u32)).nice))).sum();
        let children: u64 = (0..kernel.groups().len())
            .map(|index| GroupId(index as u16))
            .filter(|&child| child != group && kernel.groups()[child.index()].parent == group)
            .filter(|&child| always.iter().any(|&id| of(id, child)))
            .map(|child| kernel.groups()[child.index()].shares)
            .sum();
        weight = weight * u128::from(kernel.groups()[group.index()].shares) / u128::from((tasks + children).max(1));
        group = kernel.groups()[group.index()].parent;
    }
    weight as u64
}

/// What a class itself is promised where shares are percent, in 1/2^40 of the machine: its part of its parent's part and
/// so on, less what its children are promised.
fn guaranteed(kernel: &Kernel, class: GroupId) -> u64 {
    let groups = kernel.groups();
    let children = groups.iter().skip(1).filter(|group| group.parent == class).map(|group| group.shares).sum::<u64>();
    let mut part = (1 << 40) / 100 * 100u64.saturating_sub(children);
    let mut at = class;
    while at != GroupId::ROOT {
        part = part / 100 * groups[at.index()].shares.min(100);
        at = groups[at.index()].parent;
    }
    part
}

/// What is counted from the trace: latencies, throughput, switches and migrations per task, and the workloads' sums.
fn count(lane: &mut Lane, to: Nanos, workload_of: &[u16], view: &mut SummaryView) {
    lane.totals(to);
    let totals = lane.totals_so_far();
    view.wakeup_latency = views::histogram(&totals.wakeup);
    view.scheduling_latency = views::histogram(&totals.scheduling);
    let marks = totals.response.iter().enumerate();
    view.response = marks
        .filter(|(_, histogram)| histogram.count() > 0)
        .map(|(mark, histogram)| (mark as u16, views::histogram(histogram)))
        .collect();
    let per_second = |units: u64| (u128::from(units) * 1_000_000_000_000 / u128::from(to.max(1))) as u64;
    view.throughput_milli = totals.units.iter().enumerate().map(|(mark, &n)| (mark as u16, per_second(n))).collect();
    let workloads = workload_of.iter().filter(|&&w| w != u16::MAX).max().map_or(0, |&max| usize::from(max) + 1);
    let mut sums = vec![(RowView::default(), Histogram::default()); workloads];
    for (id, row) in view.tasks.iter_mut().enumerate() {
        if let Some(counted) = totals.tasks.get(id) {
            row.switches = counted.switches;
            row.latency = views::percentiles(&counted.latency);
        }
        let Some((sum, latency)) = sums.get_mut(usize::from(workload_of[id])) else { continue };
        sum.runtime += row.runtime;
        sum.wait += row.wait;
        sum.slept += row.slept;
        sum.switches += row.switches;
        sum.migrations += row.migrations;
        sum.fair_permille += row.fair_permille;
        if let Some(counted) = totals.tasks.get(id) {
            latency.merge(&counted.latency);
        }
    }
    let finish = |(id, (mut row, latency)): (usize, (RowView, Histogram))| {
        row.id = id as u32;
        row.share_permille = permille(row.runtime, to);
        row.latency = views::percentiles(&latency);
        row
    };
    view.workloads = sums.into_iter().enumerate().map(finish).collect();
}
