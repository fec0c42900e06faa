//! The machine at t = 0, and rows of the task table that begin anew.

use super::caches::Caches;
use super::overhead::Overhead;
use super::record::Reason;
use super::{Cpu, Kernel, SimConfig, TaskSpec};
use crate::clock::min_tree::MinTree;
use crate::clock::timers::{TimerKind, Timers};
use crate::machine::cost::TIME_KINDS;
use crate::machine::topology::Topology;
use crate::policy::SchedClass;
use crate::task::program::{Barrier, Channel, LOOP_DEPTH_MAX, Mutex, Op};
use crate::task::task::{Task, TaskState, WaitsFor};
use crate::units::{CpuId, CpuMask, GroupId, NEVER, TaskId};
use std::sync::Arc;

/// Puts all programs into one table, shared ones once. A program that ends falls on an exit.
fn lay_out(specs: &[TaskSpec]) -> (Arc<[Op]>, Arc<[u32]>) {
    let mut code = Vec::new();
    let mut code_of: Vec<u32> = Vec::with_capacity(specs.len());
    for (index, spec) in specs.iter().enumerate() {
        match specs[..index].last() {
            Some(last) if Arc::ptr_eq(&last.program, &spec.program) => code_of.push(code_of[index - 1]),
            _ => {
                code_of.push(code.len() as u32);
                code.extend_from_slice(&spec.program);
                code.push(Op::Exit);
            }
        }
    }
    (code.into(), code_of.into())
}

impl Kernel {
    pub(super) fn new(config: &SimConfig) -> Self {
        let topology = Arc::new(Topology::new(config.topology.clone()));
        let (code, code_of) = lay_out(&config.tasks);
        let cpus = topology.cpus();
        let idle = Cpu {
            curr: None,
            need_resched: false,
            expired: false,
            accounted: 0,
            debt: [0; TIME_KINDS],
            debt_total: 0,
            times: [0; TIME_KINDS],
            nr_running: 0,
        };
        let mut kernel = Kernel {
            now: 0,
            jiffies: 0,
            hz: config.hz,
            topology,
            order: config.order,
            tick_skew: config.tick_skew && cpus > 1,
            costs: Arc::new(config.costs.clone()),
            costs_on: !config.costs.is_ideal(),
            seed: config.seed,
            specs: config.tasks.clone(),
            code,
            code_of,
            tasks: Vec::new(),
            groups: config.groups.clone(),
            params: config.params.clone(),
            counts: config.counts.clone(),
            channels: vec![Channel::default(); config.channels as usize],
            mutexes: vec![Mutex::default(); config.mutexes as usize],
            barriers: config.barriers.iter().map(|&parties| Barrier { parties, ..Barrier::default() }).collect(),
            free: vec![None; config.tasks.len()],
            requests: Vec::new(),
            cpus: vec![idle; usize::from(cpus)],
            bursts: MinTree::new(usize::from(cpus), NEVER),
            attention: CpuMask::EMPTY,
            idle: CpuMask::first(cpus),
            timers: Timers::default(),
            policy_timers: MinTree::new(0, (NEVER, 0)),
            policy_timer_cpu: Vec::new(),
            policy_timer_seq: 0,
            next_tick: NEVER,
            tick_index: 0,
            overhead: Overhead::new(&config.costs, cpus),
            caches: Caches::new(&config.costs, &config.topology),
            reason: Reason::default(),
            placing: None,
            records: Vec::new(),
            recording: true,
            digest: 0xcbf2_9ce4_8422_2325,
            events: 0,
            decisions: 0,
            switches: 0,
            migrations: 0,
            fault: None,
        };
        for template in 0..config.tasks.len() {
            kernel.push_task(template as u32);
        }
        for cpu in 0..cpus {
            kernel.push_migration_thread(CpuId(cpu));
        }
        for index in 0..config.tasks.len() {
            let spec = &config.tasks[index];
            if let Some(at) = spec.start
                && spec.index < config.counts[usize::from(spec.workload)]
            {
                kernel.timers.arm(at, TaskId(index as u32), 0, TimerKind::Start);
            }
        }
        kernel.next_tick = kernel.tick_time(if kernel.tick_skew { u64::from(cpus) } else { 1 });
        kernel.tick_index = if kernel.tick_skew { u64::from(cpus) } else { 1 };
        kernel
    }

    pub(super) fn push_task(&mut self, template: u32) -> TaskId {
        let spec = &self.specs[template as usize];
        let id = TaskId(self.tasks.len() as u32);
        self.tasks.push(Task {
            state: TaskState::New,
            class: spec.class,
            nice: spec.nice,
            rt_priority: spec.rt_priority,
            affinity: spec.affinity.and(&CpuMask::first(self.topology.cpus())),
            group: spec.group,
            mm: spec.mm,
            cpu: CpuId(0),
            parent: None,
            slice_ns: spec.slice_ns,
            init: spec.init,
            migration_thread: None,
            workload: spec.workload,
            working_set_kib: spec.working_set_kib,
            warm_on: None,
            template,
            start_cpu: spec.start_cpu,
            code: self.code_of[template as usize],
            pc: 0,
            loops: [0; LOOP_DEPTH_MAX],
            op_first: false,
            in_kernel: false,
            remaining: 0,
            draw_key: u64::from(id.0),
            draws: 0,
            forks: 0,
            lives: 0,
            woken_from_uninterruptible: false,
            killed: false,
            waits_for: WaitsFor::Nothing,
            takes_job: false,
            wait_next: None,
            timer_generation: 0,
            since: 0,
            started: 0,
            spin: 0,
            spin_at: NEVER,
            periods: 0,
            runtime: 0,
            system: 0,
            wait: 0,
            slept: 0,
            migrations: 0,
            next_free: None,
        });
        self.requests.push(None);
        id
    }

    fn push_migration_thread(&mut self, cpu: CpuId) {
        let id = if self.specs.is_empty() { return } else { self.push_task(0) };
        let task = &mut self.tasks[id.index()];
        task.class = SchedClass::Fifo;
        task.nice = 0;
        task.rt_priority = 99;
        task.affinity = CpuMask::single(cpu);
        task.group = GroupId::ROOT;
        task.mm = u32::MAX;
        task.cpu = cpu;
        task.migration_thread = Some(cpu);
        task.workload = u16::MAX;
        task.slice_ns = None;
        task.init = None;
        task.state = TaskState::Sleeping;
        task.waits_for = WaitsFor::Kernel;
    }

    /// Makes a table row ready for a new life.
    pub(super) fn renew(&mut self, id: TaskId) {
        let spec = self.specs[self.tasks[id.index()].template as usize].clone();
        let task = &mut self.tasks[id.index()];
        task.state = TaskState::New;
        task.pc = 0;
        task.loops = [0; LOOP_DEPTH_MAX];
        task.remaining = 0;
        task.killed = false;
        task.op_first = false;
        task.waits_for = WaitsFor::Nothing;
        task.wait_next = None;
        task.timer_generation += 1;
        task.spin = 0;
        task.periods = 0;
        task.forks = 0;
        task.warm_on = None;
        task.parent = None;
        task.slice_ns = spec.slice_ns;
        self.requests[id.index()] = None;
    }

    /// A dead child's row serves the next child of its template.
    pub(super) fn recycle(&mut self, id: TaskId) {
        let task = &self.tasks[id.index()];
        if task.parent.is_some() {
            let template = task.template as usize;
            self.tasks[id.index()].next_free = self.free[template];
            self.free[template] = Some(id);
        }
    }
}
