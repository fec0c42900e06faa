//! Section 12 of the specification, number by number.

use super::super::busiest::{Stats, imbalance};
use super::super::version::SmallFuzz;
use super::super::weight::{Divider, Inverse, LoadWeight, calc_delta};
use super::*;
use crate::queues::nice;

fn slice(cfs: &mut Cfs, task: u32) -> u64 {
    let entity = cfs.task_entity(TaskId(task));
    let queue = cfs.e(entity).queue;
    cfs.sched_slice(queue, entity)
}

fn virtual_time(cfs: &mut Cfs, task: u32, delta: u64) -> u64 {
    let entity = cfs.task_entity(TaskId(task));
    cfs.calc_delta_fair(delta, entity)
}

#[test]
fn vruntime_of_a_charge_12_1() {
    let table: [(i8, [u64; 4]); 8] = [
        (-20, [11_537, 46_146, 115_366, 1_153_660]),
        (-10, [107_248, 428_990, 1_072_476, 10_724_759]),
        (-5, [328_100, 1_312_400, 3_281_000, 32_809_997]),
        (0, [1_000_000, 4_000_000, 10_000_000, 100_000_000]),
        (1, [1_248_780, 4_995_122, 12_487_805, 124_878_049]),
        (5, [3_056_716, 12_226_866, 30_567_164, 305_671_644]),
        (10, [9_309_091, 37_236_363, 93_090_909, 930_909_085]),
        (19, [68_266_667, 273_066_667, 682_666_667, 6_826_666_665]),
    ];
    for key in ["cfs-2.6.24", "cfs-2.6.25", "cfs-2.6.26", "cfs-2.6.32"] {
        for (nice, want) in table {
            let mut cfs = started(machine(key, 1, hogs(&[nice])));
            let got = [1, 4, 10, 100].map(|ms| virtual_time(&mut cfs, 0, ms * MS));
            assert_eq!(got, want, "{key} nice {nice}");
        }
    }
}

#[test]
fn both_paths_of_the_scaling_meet() {
    for delta in [4_194_304, 4_194_305] {
        let mut load = LoadWeight { weight: nice::weight(5), inverse: nice::inverse(5) };
        assert_eq!(calc_delta(delta, 1024, &mut load, &mut Divider::of(Inverse::RoundedUp)), 12_820_798);
    }
}

/// A 64-bit kernel widens SCHED_IDLE's negative inverse: 1 ms counts as 3.78 s until 2.6.27.
#[test]
fn the_idle_class_is_charged_far_too_much_until_2_6_27() {
    let idle = |key| started(machine(key, 1, vec![TaskSpec { class: SchedClass::Idle, ..hogs(&[0])[0].clone() }]));
    assert_eq!(virtual_time(&mut idle("cfs-2.6.26"), 0, MS), 3_782_967_296);
    assert_eq!(virtual_time(&mut idle("cfs-2.6.32"), 0, MS), 341_333_333);
}

#[test]
fn slices_of_a_flat_queue_12_2() {
    let rows: [(&[i8], [&[u64]; 3]); 5] = [
        (&[0, 0], [&[10_000_000], &[9_995_117], &[9_995_122]]),
        (&[0, 5], [&[15_069_904, 4_930_095], &[15_058_818, 4_926_474], &[15_058_823, 4_926_476]]),
        (
            &[0, 0, 5],
            [
                &[8_594_208, 8_594_208, 2_811_582],
                &[8_590_598, 8_590_598, 2_810_404],
                &[8_590_603, 8_590_603, 2_810_405],
            ],
        ),
        (&[0, 19], [&[19_711_260, 288_739], &[19_692_302, 288_461], &[19_692_307, 288_462]]),
        (&[0, 0, 0, 0, 0, 0], [&[4_000_000], &[3_999_344], &[3_999_350]]),
    ];
    for (levels, columns) in rows {
        let keys = [&["cfs-2.6.24", "cfs-2.6.26"][..], &["cfs-2.6.25"], &["cfs-2.6.27", "cfs-smp-group"]];
        for (keys, want) in keys.into_iter().zip(columns) {
            for &key in keys {
                let mut cfs = started(machine(key, 1, hogs(levels)));
                for (task, &want) in want.iter().enumerate() {
                    assert_eq!(slice(&mut cfs, task as u32), want, "{key} {levels:?}");
                }
            }
        }
    }
}

#[test]
fn slices_of_2_6_32_on_one_and_four_cpus_12_2() {
    let rows: [(u16, &[i8], &[u64]); 7] = [
        (1, &[0, 0], &[2_498_780]),
        (1, &[0, 5], &[3_764_706, 1_231_618]),
        (1, &[0, 0, 5], &[2_147_651, 2_147_651, 702_601]),
        (1, &[0, 0, 0, 0, 0, 0], &[999_837]),
        (4, &[0, 0], &[7_496_341]),
        (4, &[0, 5], &[11_294_117, 3_694_833]),
        (4, &[0, 0, 0, 0, 0, 0], &[2_999_512]),
    ];
    for (cpus, levels, want) in rows {
        let mut cfs = started(machine("cfs-2.6.32", cpus, hogs(levels)));
        for (task, &want) in want.iter().enumerate() {
            assert_eq!(slice(&mut cfs, task as u32), want, "{cpus} CPUs {levels:?}");
        }
    }
}

/// Differences of switch times in the steady state: the slice test is strict, so an exact 10 ms slice lasts 11 ticks.
#[test]
fn slices_end_at_the_tick_after_they_are_used_up_12_3() {
    for (key, hz, levels, want) in [
        ("cfs-2.6.24", 1000, &[0i8, 0][..], 11),
        ("cfs-2.6.26", 1000, &[0, 0], 11),
        ("cfs-2.6.25", 1000, &[0, 0], 10),
        ("cfs-2.6.27", 1000, &[0, 0], 10),
        ("cfs-2.6.32", 1000, &[0, 0], 3),
        ("cfs-2.6.24", 250, &[0, 0], 12),
        ("cfs-2.6.24", 1000, &[0; 6], 5),
    ] {
        let config = config(TopologySpec::flat(1), hz, vec![root()], hogs(levels));
        let times = switch_times(&mut machine_of(key, config, &[]), 400 * MS);
        let steps: Vec<u64> = times.windows(2).rev().take(10).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(steps, [want; 10], "{key} HZ {hz} {levels:?}");
    }
}

/// A sleeper comes back at 100 ms beside a hog that ran alone.
#[test]
fn sleepers_are_placed_behind_the_floor_12_5() {
    for (key, cpus, floor, want) in [
        ("cfs-2.6.24", 1, 100 * MS, 80 * MS),
        ("cfs-2.6.24", 4, 100 * MS, 40 * MS),
        ("cfs-2.6.25", 1, 0, 0),
        ("cfs-2.6.26", 1, 0, 0),
        ("cfs-2.6.27", 1, 0, 0),
        ("cfs-2.6.32", 1, 100 * MS, 97_500_000),
    ] {
        let sleeper = TaskSpec { start: Some(1000 * MS), ..hogs(&[0])[0].clone() };
        let mut sim = machine(key, cpus, vec![hogs(&[0])[0].clone(), sleeper]);
        run(&mut sim, 0);
        let mut cfs = sim.policy().clone();
        let entity = cfs.task_entity(TaskId(1));
        cfs.set_load_weight(sim.kernel(), TaskId(1));
        cfs.set_task_rq(GroupId::ROOT, TaskId(1), CpuId(0));
        let queue = cfs.e(entity).queue;
        cfs.q_mut(queue).min_vruntime = floor;
        cfs.place_entity(queue, entity, false);
        assert_eq!(cfs.e(entity).vruntime, want, "{key} on {cpus} CPUs");
    }
}

#[test]
fn a_floor_that_follows_the_tree_stands_still_while_a_task_runs_alone_12_5() {
    for (key, moves) in [("cfs-2.6.24", true), ("cfs-2.6.26", false), ("cfs-2.6.27", false), ("cfs-2.6.32", true)] {
        let mut sim = machine(key, 1, hogs(&[0]));
        run(&mut sim, 20 * MS);
        let before = sim.policy().q(sim.policy().queue(GroupId::ROOT, CpuId(0))).min_vruntime;
        run(&mut sim, 60 * MS);
        let after = sim.policy().q(sim.policy().queue(GroupId::ROOT, CpuId(0))).min_vruntime;
        assert_eq!(after.wrapping_sub(before), if moves { 40 * MS } else { 0 }, "{key}");
    }
}

#[test]
fn new_tasks_are_placed_a_slice_behind_12_6() {
    for (key, running, child, want) in [
        ("cfs-2.6.24", &[0i8][..], 0, 10_000_000),
        ("cfs-2.6.25", &[0], 0, 10_000_000),
        ("cfs-2.6.24", &[0, 0], 5, 8_594_208),
        ("cfs-2.6.24", &[0; 5], 0, 4_000_000),
        ("cfs-2.6.27", &[0], 0, 20_000_000),
        ("cfs-2.6.32", &[0], 0, 2_498_780),
        ("cfs-2.6.32", &[0, 0], 5, 2_147_652),
    ] {
        let mut tasks = hogs(running);
        tasks.push(TaskSpec { start: Some(1000 * MS), ..hogs(&[child])[0].clone() });
        let new = TaskId(running.len() as u32);
        let mut sim = machine(key, 1, tasks);
        run(&mut sim, 0);
        let mut cfs = sim.policy().clone();
        cfs.set_load_weight(sim.kernel(), new);
        cfs.set_task_rq(GroupId::ROOT, new, CpuId(0));
        let entity = cfs.task_entity(new);
        let queue = cfs.e(entity).queue;
        assert_eq!(cfs.debit(queue, entity), want, "{key} {running:?} + {child}");
    }
}

/// Two tasks in a group whose entity weighs 511, beside a nice-0 task of the root.
fn group_of_two(key: &'static str, weight: u64) -> Cfs {
    let mut tasks = hogs(&[0, 0, 0]);
    tasks[0].group = GroupId(1);
    tasks[1].group = GroupId(1);
    let config = config(TopologySpec::flat(1), 1000, vec![root(), group("a", 0, weight)], tasks);
    started(machine_of(key, config, &[]))
}

#[test]
fn virtual_time_of_2_6_27_runs_by_queue_load_12_7() {
    for (levels, task, want) in
        [(&[0i8][..], 0, 1_000_000), (&[0, 0], 0, 2_000_000), (&[0, 5], 0, 1_327_148), (&[0, 5], 1, 4_056_716)]
    {
        let mut cfs = started(machine("cfs-2.6.27", 1, hogs(levels)));
        assert_eq!(virtual_time(&mut cfs, task, MS), want, "{levels:?}");
    }
    assert_eq!(virtual_time(&mut group_of_two("cfs-2.6.27", 511), 0, MS), 5_996_094);
}

#[test]
fn slices_inside_groups_12_8() {
    assert_eq!(slice(&mut group_of_two("cfs-2.6.26", 1024), 0), 5_000_000);
    assert_eq!(slice(&mut group_of_two("cfs-2.6.27", 511), 0), 3_325_184);
    // Two levels with a full period each.
    let mut cfs = group_of_two("cfs-2.6.24", 1024);
    assert_eq!(slice(&mut cfs, 0), 10_000_000);
    let group = cfs.group_entity(GroupId(1), CpuId(0));
    let top = cfs.top_queue(CpuId(0));
    assert_eq!(cfs.sched_slice(top, group), 10_000_000);
}

/// Splits 1024 shares over CPUs with these queue weights; (entity weight, shares) per CPU.
fn split(key: &'static str, weights: &[u64]) -> Vec<(u64, u64)> {
    let cpus = weights.len() as u16;
    let config = config(TopologySpec::flat(cpus), 1000, vec![root(), group("a", 0, 1024)], hogs(&[0]));
    let sim = machine_of(key, config, &[("shares_thresh", 0)]);
    let mut cfs = sim.policy().clone();
    for (cpu, &weight) in weights.iter().enumerate() {
        let queue = cfs.queue(GroupId(1), CpuId(cpu as u16));
        cfs.q_mut(queue).load.add(weight);
    }
    cfs.update_shares(&mut sim.kernel().clone(), CpuId(0), 0);
    let row = |cpu| {
        let queue = cfs.q(cfs.queue(GroupId(1), CpuId(cpu)));
        (cfs.e(cfs.group_entity(GroupId(1), CpuId(cpu))).load.weight, queue.shares)
    };
    (0..cpus).map(row).collect()
}

/// Entity weight and shares per CPU.
type Split = &'static [(u64, u64)];

#[test]
fn shares_are_split_by_where_the_tasks_are_12_9() {
    let rows: [(&[u64], Split, Split); 6] = [
        (
            &[1024, 0, 0, 0],
            &[(1023, 1023), (1023, 0), (1023, 0), (1023, 0)],
            &[(256, 256), (256, 0), (256, 0), (256, 0)],
        ),
        (
            &[1024, 2048, 0, 0],
            &[(341, 341), (682, 682), (341, 0), (341, 0)],
            &[(204, 204), (409, 409), (204, 0), (204, 0)],
        ),
        (
            &[1024, 1024, 1024, 0],
            &[(341, 341), (341, 341), (341, 341), (341, 0)],
            &[(256, 256), (256, 256), (256, 256), (256, 0)],
        ),
        (&[65536; 4], &[(255, 255); 4], &[(256, 256); 4]),
        (&[1024, 0], &[(1023, 1023), (1023, 0)], &[(512, 512), (512, 0)]),
        (&[1024, 2048], &[(341, 341), (682, 682)], &[(341, 341), (682, 682)]),
    ];
    for (weights, split_27, split_32) in rows {
        assert_eq!(split("cfs-2.6.27", weights), split_27, "2.6.27 {weights:?}");
        assert_eq!(split("cfs-2.6.32", weights), split_32, "2.6.32 {weights:?}");
    }
    let empty: Vec<u64> = split("cfs-2.6.27", &[0; 4]).iter().map(|row| row.0).collect();
    assert_eq!(empty, [255; 4]);
}

#[test]
fn load_that_a_move_would_cause_12_11() {
    let cfs = |weights: &[u64]| {
        let config = config(TopologySpec::flat(4), 1000, vec![root(), group("a", 0, 1024)], hogs(&[0]));
        let sim = machine_of("cfs-2.6.27", config, &[]);
        let mut cfs = sim.policy().clone();
        for (cpu, &weight) in weights.iter().enumerate() {
            let queue = cfs.queue(GroupId(1), CpuId(cpu as u16));
            cfs.q_mut(queue).load.add(weight);
        }
        cfs.update_shares(&mut sim.kernel().clone(), CpuId(0), 0);
        cfs
    };
    let mut four = cfs(&[2048, 4096, 1024, 0]);
    let (group, here) = (GroupId(1), CpuId(0));
    let shares: Vec<u64> = (0..4).map(|cpu| four.q(four.queue(group, CpuId(cpu))).shares).collect();
    assert_eq!(shares, [292, 585, 146, 0]);
    assert_eq!(four.effective_load(group, here, 1024, 1024), 91);
    assert_eq!(four.effective_load(group, here, -1024, -1024), -121);
    assert_eq!(four.effective_load(group, here, 0, 1024), 0);
    four.knobs.asym_eff_load = false;
    assert_eq!(four.effective_load(group, here, 0, 1024), -36);
    assert_eq!(cfs(&[1024, 0, 0, 0]).effective_load(group, here, 1024, 1024), 0);
    let two_each = cfs(&[2048; 4]);
    assert_eq!(two_each.effective_load(group, here, 1024, 1024), 85);
    assert_eq!(two_each.effective_load(group, here, -1024, -1024), -109);
}

#[test]
fn load_inside_a_group_as_seen_at_the_top_12_12() {
    let mut cfs = group_of_two("cfs-2.6.27", 341);
    assert_eq!(cfs.rq(CpuId(0)).load, 1365);
    let queue = cfs.queue(GroupId(1), CpuId(0));
    cfs.q_mut(queue).shares = 341;
    cfs.update_h_load(CpuId(0));
    assert_eq!(cfs.q(queue).h_load, 340);
}

#[test]
fn imbalance_of_two_cpus_12_14() {
    let stats = |load: u64, nr_running: u64| Stats {
        average: load,
        nr_running,
        per_task: load,
        power: 1024,
        imbalanced: false,
    };
    for (busy, own, want, fuzz) in [
        ((3 * 1024, 3), (1024, 1), 1024, SmallFuzz::Scale),
        ((2 * 1024, 2), (1024, 1), 1024, SmallFuzz::Scale),
        ((2 * 1024, 2), (1024, 1), 1024, SmallFuzz::TwoTasks),
        ((2 * 1024, 2), (1024, 1), 1024, SmallFuzz::OneTask),
        ((2 * 1024, 2), (0, 0), 1024, SmallFuzz::OneTask),
        ((1023, 3), (341, 1), 341, SmallFuzz::TwoTasks),
    ] {
        let mut max = stats(busy.0, busy.1);
        max.per_task /= max.nr_running;
        let average = (busy.0 + own.0) / 2;
        let got = imbalance(&stats(own.0, own.1), &max, average, fuzz, 1024, &|value, power| value / power);
        assert_eq!(got, want, "{busy:?} against {own:?}, {fuzz:?}");
    }
}
