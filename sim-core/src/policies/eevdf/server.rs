//! The fair server of 6.12: a deadline reservation of 50 ms per second that serves fair tasks when real-time tasks
//! would starve them. It is deferred: it acts only when what is left of its time equals the time to its deadline.

use super::schedule::Running;
use super::{Fair, Note, Why};
use crate::kernel::Kernel;
use crate::units::{CpuId, TaskId};

/// Run time per period, ns.
const RUNTIME: i64 = 50_000_000;
/// Period, ns.
const PERIOD: i64 = 1_000_000_000;

/// State of one CPU's server.
#[derive(Clone, Copy, Debug, Default)]
pub struct FairServer {
    /// Fair tasks are queued.
    armed: bool,
    /// It has acted and keeps its periods until fair tasks get their time by themselves.
    running: bool,
    /// It serves now.
    acting: bool,
    runtime: i64,
    deadline: i64,
}

impl Fair {
    fn has_server(&self) -> bool {
        !self.version.rt_throttling
    }

    /// A new period from now; the timer waits for the last moment.
    fn new_server_period(&mut self, k: &mut Kernel, cpu: CpuId) {
        let server = &mut self.servers[cpu.index()];
        server.running = false;
        server.acting = false;
        server.runtime = RUNTIME;
        server.deadline = k.now() as i64 + PERIOD;
        let at = (server.deadline - server.runtime) as u64;
        k.start_timer(self.cpu_timer(cpu), cpu, at);
    }

    /// `dl_server_start`: the first fair task came.
    pub(super) fn start_fair_server(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.has_server() && !self.servers[cpu.index()].armed {
            self.servers[cpu.index()].armed = true;
            self.new_server_period(k, cpu);
        }
    }

    /// `dl_server_stop`: the last fair task left.
    pub(super) fn stop_fair_server(&mut self, k: &mut Kernel, cpu: CpuId) {
        if self.has_server() && self.servers[cpu.index()].armed {
            self.servers[cpu.index()] = FairServer::default();
            k.cancel_timer(self.cpu_timer(cpu));
        }
    }

    /// `dl_server_update`: fair run time counts against the server whoever picked the task.
    pub(super) fn charge_fair_server(&mut self, k: &mut Kernel, q: usize, delta: i64) {
        let cpu = self.cpu_of(q);
        let server = &mut self.servers[cpu.index()];
        if !server.armed {
            return;
        }
        server.runtime -= delta;
        if server.runtime > 0 {
            return;
        }
        if server.acting {
            // Used up: waits for its next period.
            server.acting = false;
            let at = server.deadline as u64;
            k.start_timer(self.cpu_timer(cpu), cpu, at);
            k.resched_curr(cpu);
        } else {
            self.new_server_period(k, cpu);
        }
    }

    /// `dl_server_timer`.
    pub(super) fn fair_server_timer(&mut self, k: &mut Kernel, cpu: CpuId) {
        if let Some(q) = self.leaf_queue(k, cpu) {
            self.update_curr(k, q);
        }
        let now = k.now() as i64;
        let timer = self.cpu_timer(cpu);
        let server = &mut self.servers[cpu.index()];
        if !server.armed {
            return;
        }
        if server.running {
            while server.runtime <= 0 {
                server.runtime += RUNTIME;
                server.deadline += PERIOD;
            }
        } else {
            let last_moment = server.deadline - server.runtime;
            if now < last_moment {
                k.start_timer(timer, cpu, last_moment as u64);
                return;
            }
            server.running = true;
            server.runtime = RUNTIME;
            server.deadline = now + PERIOD;
        }
        server.acting = true;
        k.note(Some(cpu), Note::FairServer, [server.runtime, 0]);
        k.resched_curr(cpu);
    }

    /// The server's pick: a fair task before real-time ones.
    pub(super) fn pick_served(&mut self, k: &mut Kernel, cpu: CpuId, leaving: Running) -> Option<TaskId> {
        if !self.servers[cpu.index()].acting || self.rt[cpu.index()].is_empty() {
            return None;
        }
        let next = self.pick_fair(k, cpu, leaving)?;
        k.explain(Why::FairServer, [0; 3]);
        Some(next)
    }
}
