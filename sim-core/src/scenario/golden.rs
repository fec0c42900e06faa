//! Golden files (`sched-golden/1`): schedules recorded from real kernel code, replayed and compared entry by entry.
//!
//! The order of events at one instant and the way a task starts are conventions of the file's machine, not of a policy;
//! `machine.tick_phase` tells which ([`EventOrder`]). Values are read by path, since each folder has its own fields.

use crate::kernel::record::{Event, Record};
use crate::kernel::sim::{DynSim, RunStatus};
use crate::kernel::{CpuMax, EventOrder, Group, SimConfig, TaskSpec};
use crate::machine::cost::CostTable;
use crate::machine::topology::TopologySpec;
use crate::policies;
use crate::policy::{PolicyEntry, SchedClass, Shape};
use crate::task::program::{Amount, Op, Value as Count};
use crate::units::{CpuId, CpuMask, GroupId, Nanos, TaskId};
use serde_json::Value;
use std::sync::Arc;

/// A golden file, ready to run.
pub struct Golden {
    /// `source.kernel`.
    pub kernel: String,
    /// The policy that was recorded.
    pub entry: &'static PolicyEntry,
    config: SimConfig,
    tunables: Vec<i64>,
    duration: Nanos,
    names: Vec<Arc<str>>,
    expect: Value,
    /// Migration threads are left out of the switch list.
    fold_migration_threads: bool,
}

/// What differs first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// When, ns.
    pub t_ns: Nanos,
    /// CPU, where it applies.
    pub cpu: u16,
    /// What the file says.
    pub expected: String,
    /// What we did.
    pub got: String,
}

/// Result of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Switches that agree before the first difference.
    pub switches_matched: usize,
    /// Switches in the file.
    pub switches_total: usize,
    /// First difference in switches, migrations, notes or times; `None` = exact.
    pub first_difference: Option<Difference>,
    /// Largest difference of a task's run time, in 1/1000 of the duration.
    pub runtime_error_permille: u64,
}

impl Golden {
    /// Reads a file. `forced` overrides the policy.
    ///
    /// # Errors
    /// A sentence that names the field, or the kernel that no policy records.
    pub fn parse(text: &str, forced: Option<&str>) -> Result<Golden, String> {
        let file: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
        if file["format"] != "sched-golden/1" {
            return Err(format!("format is {}, not \"sched-golden/1\"", file["format"]));
        }
        let source = &file["source"];
        let kernel = source["kernel"].as_str().ok_or("source.kernel is missing")?.to_string();
        let variant = source["variant"].as_str().map(|variant| format!("{kernel}/{variant}"));
        let records = |entry: &&PolicyEntry| {
            entry.info.golden.iter().any(|&name| name == kernel || Some(name) == variant.as_deref())
        };
        let entry = match forced {
            Some(key) => policies::find(key).ok_or(format!("there is no policy \"{key}\""))?,
            None => policies::all().find(records).ok_or(format!("no policy records kernel \"{kernel}\""))?,
        };
        let order = match file["machine"]["tick_phase"].as_str() {
            Some(phase) if phase.starts_with("all cpus tick at the same instant") => EventOrder::TicksThenTimers,
            _ => EventOrder::Interrupts,
        };
        let tasks = file["tasks"].as_array().ok_or("tasks is missing")?;
        let names: Vec<Arc<str>> = tasks.iter().map(|task| task["name"].as_str().unwrap_or("?").into()).collect();
        let topology = topology(&file["machine"])?;
        let (groups, group_names) = groups(&file["groups"])?;
        let specs: Vec<TaskSpec> = tasks
            .iter()
            .enumerate()
            .map(|(index, task)| task_spec(index, task, tasks, &names, &group_names))
            .collect::<Result<_, String>>()?;
        let hz = unsigned(&file["machine"]["hz"], "machine.hz")? as u32;
        let shape = Shape { cpus: topology.cpus(), hz };
        let tunables = entry
            .info
            .tunables
            .iter()
            .map(|spec| spec.golden.and_then(|path| lookup(&file, path)).unwrap_or_else(|| (spec.default)(shape)))
            .collect();
        Ok(Golden {
            kernel,
            entry,
            tunables,
            duration: unsigned(&file["duration_ns"], "duration_ns")?,
            expect: file["expect"].clone(),
            fold_migration_threads: order == EventOrder::Interrupts,
            config: SimConfig {
                topology,
                hz,
                tick_skew: false,
                order,
                seed: 0,
                channels: specs.len() as u32,
                tasks: specs.into(),
                groups,
                params: Vec::new(),
                counts: vec![u32::MAX],
                mutexes: 0,
                barriers: Vec::new(),
                costs: CostTable::default(),
            },
            names,
        })
    }

    /// Number of CPUs of its machine.
    pub fn cpus(&self) -> u16 {
        self.config.topology.cpus()
    }

    /// Runs the scenario up to just before its end.
    pub fn run(&self) -> (Box<dyn DynSim>, Vec<Record>) {
        let mut sim = (self.entry.build)(self.entry.info.key, self.config.clone(), &self.tunables);
        let mut records = Vec::new();
        while sim.run_until(self.duration - 1, u64::MAX) == RunStatus::Paused {
            sim.drain_records(&mut records);
        }
        sim.drain_records(&mut records);
        (sim, records)
    }

    /// Runs the scenario and compares.
    pub fn replay(&self) -> Replay {
        let (mut sim, records) = self.run();
        // Times are asked for at the very end; what happens there does not belong to the file.
        sim.run_until(self.duration, u64::MAX);

        let mut switches = self.switches(&records);
        if self.fold_migration_threads {
            switches = fold(switches);
        }
        let expected = rows(&self.expect["switches"]);
        let matched = switches.iter().zip(&expected).take_while(|(got, want)| got == want).count();
        let mut difference = None;
        if matched < switches.len().max(expected.len()) {
            difference = Some(compare(expected.get(matched), switches.get(matched)));
        }
        let difference = difference
            .or_else(|| self.compare_rows("migrations", self.migrations(&records)))
            .or_else(|| self.compare_notes(&records))
            .or_else(|| self.compare_times("runtime_ns", 0, sim.kernel()))
            .or_else(|| self.compare_times("wait_ns", 1, sim.kernel()));
        Replay {
            switches_matched: matched,
            switches_total: expected.len(),
            first_difference: difference,
            runtime_error_permille: self.runtime_error(sim.kernel()),
        }
    }

    fn name(&self, task: Option<TaskId>) -> String {
        match task {
            None => "idle".into(),
            Some(id) if id.index() < self.names.len() => self.names[id.index()].to_string(),
            Some(id) => format!("migration/{}", id.index() - self.names.len()),
        }
    }

    fn switches(&self, records: &[Record]) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for record in records {
            if let Event::Switch { cpu, prev, next, .. } = record.event {
                rows.push(vec![record.at.to_string(), cpu.0.to_string(), self.name(prev), self.name(next)]);
            }
        }
        rows
    }

    fn migrations(&self, records: &[Record]) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for record in records {
            if let Event::Migrate { task, from, to } = record.event {
                rows.push(vec![record.at.to_string(), self.name(Some(task)), from.0.to_string(), to.0.to_string()]);
            }
        }
        rows
    }

    fn compare_rows(&self, field: &str, got: Vec<Vec<String>>) -> Option<Difference> {
        if self.expect[field].is_null() {
            return None;
        }
        let expected = rows(&self.expect[field]);
        let matched = got.iter().zip(&expected).take_while(|(got, want)| got == want).count();
        if matched == got.len().max(expected.len()) {
            return None;
        }
        let mut difference = compare(expected.get(matched), got.get(matched));
        difference.expected = format!("{field}: {}", difference.expected);
        Some(difference)
    }

    /// Array switches, rotations and recalculations, if the policy notes them under that name.
    fn compare_notes(&self, records: &[Record]) -> Option<Difference> {
        for (field, name, columns) in [
            ("array_switches", "array switch", 2),
            ("rotations", "rotation", 3),
            ("recalculations", "recalculation", 2),
        ] {
            let Some(note) = self.entry.info.notes.iter().position(|&note| note == name) else { continue };
            let Value::Array(expected) = &self.expect[field] else { continue };
            let cut = |row: &Value| -> Vec<String> { cells(row).into_iter().take(columns).collect() };
            let expected: Vec<Vec<String>> = expected.iter().map(cut).collect();
            let mut got = Vec::new();
            for record in records {
                if let Event::Note { cpu, note: row, args } = record.event
                    && usize::from(row) == note
                {
                    let cpu = cpu.unwrap_or(CpuId(0));
                    let cells = [record.at.to_string(), cpu.0.to_string(), args[0].to_string()];
                    got.push(cells.into_iter().take(columns).collect::<Vec<_>>());
                }
            }
            let matched = got.iter().zip(&expected).take_while(|(got, want)| got == want).count();
            if matched < got.len().max(expected.len()) {
                let mut difference = compare(expected.get(matched), got.get(matched));
                difference.expected = format!("{field}: {}", difference.expected);
                return Some(difference);
            }
        }
        None
    }

    fn compare_times(&self, field: &str, which: usize, kernel: &crate::kernel::Kernel) -> Option<Difference> {
        let Value::Object(expected) = &self.expect[field] else { return None };
        for (index, name) in self.names.iter().enumerate() {
            let Some(want) = expected.get(name.as_ref()).and_then(Value::as_u64) else { continue };
            let got = kernel.task_times(TaskId(index as u32))[which];
            if want != got {
                return Some(Difference {
                    t_ns: self.duration,
                    cpu: 0,
                    expected: format!("{field} of {name}: {want}"),
                    got: got.to_string(),
                });
            }
        }
        None
    }

    fn runtime_error(&self, kernel: &crate::kernel::Kernel) -> u64 {
        let Value::Object(expected) = &self.expect["runtime_ns"] else { return 0 };
        let error = |(index, name): (usize, &Arc<str>)| {
            let want = expected.get(name.as_ref()).and_then(Value::as_u64)?;
            let got = kernel.task_times(TaskId(index as u32))[0];
            Some(want.abs_diff(got) * 1000 / self.duration)
        };
        self.names.iter().enumerate().filter_map(error).max().unwrap_or(0)
    }
}

/// Takes the zero-length stints of migration threads out of a switch list: `a -> migration`, `migration -> b` becomes
/// `a -> b`, or nothing if a goes on.
fn fold(switches: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let mut folded: Vec<Vec<String>> = Vec::with_capacity(switches.len());
    for row in switches {
        if !row[2].starts_with("migration/") {
            folded.push(row);
            continue;
        }
        let entered = folded
            .iter()
            .rposition(|earlier| earlier[1] == row[1] && earlier[3] == row[2])
            .expect("a migration thread leaves where it was switched in");
        if folded[entered][2] == row[3] {
            folded.remove(entered);
        } else {
            folded[entered][3] = row[3].clone();
        }
    }
    folded
}

fn cells(row: &Value) -> Vec<String> {
    let text = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_string);
    row.as_array().map(|row| row.iter().map(text).collect()).unwrap_or_default()
}

fn rows(value: &Value) -> Vec<Vec<String>> {
    value.as_array().map(|rows| rows.iter().map(cells).collect()).unwrap_or_default()
}

fn compare(expected: Option<&Vec<String>>, got: Option<&Vec<String>>) -> Difference {
    let show = |row: Option<&Vec<String>>| row.map_or("nothing more".to_string(), |row| row.join(" "));
    let first = |row: Option<&Vec<String>>, cell: usize| row.and_then(|row| row.get(cell)?.parse::<u64>().ok());
    let t = [first(expected, 0), first(got, 0)].into_iter().flatten().min().unwrap_or(0);
    let cpu = first(expected, 1).or(first(got, 1)).unwrap_or(0) as u16;
    Difference { t_ns: t, cpu, expected: show(expected), got: show(got) }
}

fn unsigned(value: &Value, field: &str) -> Result<u64, String> {
    value.as_u64().ok_or(format!("{field} is {value}, not a number"))
}

/// Follows a dotted path below `tunables`, or looks a `config.` entry up.
fn lookup(file: &Value, path: &str) -> Option<i64> {
    if let Some(entry) = path.strip_prefix("config.") {
        let config = file["source"]["config"].as_array()?;
        return Some(i64::from(config.iter().any(|have| have == entry)));
    }
    let mut value = &file["tunables"];
    for key in path.split('.') {
        value = value.get(key)?;
    }
    match value {
        Value::Bool(on) => Some(i64::from(*on)),
        _ => value.as_i64(),
    }
}

fn topology(machine: &Value) -> Result<TopologySpec, String> {
    let cpus = unsigned(&machine["cpus"], "machine.cpus")? as u16;
    match machine["topology"].as_str() {
        Some(text) if text.starts_with("pairs(smt)") => {
            Ok(TopologySpec { packages: 1, cores: cpus / 2, threads: 2, numa: false, cache_cpus: 0 })
        }
        Some("up" | "flat") => Ok(TopologySpec::flat(cpus)),
        _ => Err(format!("machine.topology {} is unknown", machine["topology"])),
    }
}

fn groups(value: &Value) -> Result<(Vec<Group>, Vec<String>), String> {
    let root =
        Group { name: "/".into(), parent: GroupId::ROOT, shares: 1024, idle: false, cpu_max: None, autogroup: false };
    let mut groups = vec![root];
    let mut names = vec!["/".to_string()];
    for group in value.as_array().into_iter().flatten() {
        let name = group["name"].as_str().ok_or("a group without a name")?;
        let parent = group["parent"].as_str().unwrap_or("/");
        let parent = names.iter().position(|have| have == parent).ok_or(format!("group {name}: no parent {parent}"))?;
        let cpu_max = match &group["cpu_max"] {
            Value::Null => None,
            max => Some(CpuMax {
                quota_ns: unsigned(&max["quota_us"], "quota_us")? * 1000,
                period_ns: unsigned(&max["period_us"], "period_us")? * 1000,
                burst_ns: unsigned(&max["burst_us"], "burst_us")? * 1000,
            }),
        };
        names.push(name.to_string());
        groups.push(Group {
            name: name.into(),
            parent: GroupId(parent as u16),
            shares: unsigned(&group["shares"], "shares")?,
            idle: group["idle"].as_bool().unwrap_or(false) || group["idle"] == 1,
            cpu_max,
            autogroup: false,
        });
    }
    Ok((groups, names))
}

fn task_spec(
    index: usize,
    task: &Value,
    all: &[Value],
    names: &[Arc<str>],
    group_names: &[String],
) -> Result<TaskSpec, String> {
    let name = names[index].clone();
    let class: SchedClass =
        serde_json::from_value(task["sched"].clone()).map_err(|error| format!("task {name}: sched: {error}"))?;
    let affinity = match &task["affinity"] {
        Value::Array(cpus) => {
            let mut mask = CpuMask::EMPTY;
            for cpu in cpus {
                mask.insert(CpuId(unsigned(cpu, "affinity")? as u16));
            }
            mask
        }
        _ => CpuMask::ALL,
    };
    let group = task["group"].as_str().unwrap_or("/");
    let group = group_names.iter().position(|have| have == group).ok_or(format!("task {name}: no group {group}"))?;
    // Tasks with the same `mm` text share the number of the first of them.
    let mm = match task["mm"].as_str() {
        Some(mm) => all.iter().position(|other| other["mm"] == mm).unwrap_or(index),
        None => index,
    };
    let init = ["init_sleep_avg_ns", "init_sleep_avg_ticks", "init_sleep_hist_ticks", "init_counter"];
    Ok(TaskSpec {
        class,
        nice: task["nice"].as_i64().unwrap_or(0) as i8,
        rt_priority: task["rt_priority"].as_u64().unwrap_or(0) as u8,
        affinity,
        group: GroupId(group as u16),
        mm: mm as u32,
        program: program(task, names)?.into(),
        start: task["start_ns"].as_u64(),
        start_cpu: task["cpu"].as_u64().map(|cpu| CpuId(cpu as u16)),
        slice_ns: task["slice_ns"].as_u64(),
        init: init.iter().find_map(|&field| task[field].as_i64()),
        workload: 0,
        index: index as u32,
        working_set_kib: 0,
        name,
    })
}

fn program(task: &Value, names: &[Arc<str>]) -> Result<Vec<Op>, String> {
    let steps = task["program"].as_array().ok_or("program is missing")?;
    let repeat = task["repeat"].as_bool().unwrap_or(false);
    let own = task["name"].as_str().unwrap_or_default();
    let find = |name: &str| names.iter().position(|have| have.as_ref() == name).ok_or(format!("no task {name}"));
    let mut ops = Vec::new();
    if repeat {
        ops.push(Op::LoopBegin { count: Count::Const(0), depth: 0, end: steps.len() as u32 + 2 });
    }
    for step in steps {
        let number = || unsigned(&step[1], "program step").map(Amount::fixed);
        let text = || step[1].as_str().ok_or(format!("program step {step} needs a name"));
        ops.push(match step[0].as_str().unwrap_or_default() {
            "run" => Op::Run(number()?),
            "sleep" => Op::Sleep(number()?),
            "sleep_uninterruptible" => Op::SleepUninterruptible(number()?),
            "yield" => Op::Yield,
            "exit" => Op::Exit,
            "fork" => Op::Fork(find(text()?)? as u32),
            "wake" => Op::Signal { channel: find(text()?)? as u32, count: 1, sync: false },
            "wait" => Op::Wait(find(own)? as u32),
            "nice" => Op::SetNice(step[1].as_i64().unwrap_or(0) as i8),
            "slice" => Op::SetSlice(unsigned(&step[1], "slice")?),
            "shares" => Op::SetShares(unsigned(&step[1], "shares")?),
            other => return Err(format!("program step \"{other}\" is unknown")),
        });
    }
    if repeat {
        ops.push(Op::LoopEnd { begin: 0, depth: 0 });
    }
    Ok(ops)
}
