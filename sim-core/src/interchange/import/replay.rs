//! A recorded trace as a workload: per task its bursts, its sleeps, and who woke it. What a trace cannot tell (locks,
//! affinity, groups, what was before its first event) is said in the notes.

use super::head::Events;
use super::payload::{Letter, Thread, What};
use super::{Notes, around, program, refused, unique};
use crate::engine::protocol::Problem;
use crate::policy::SchedClass;
use crate::scenario::limits;
use crate::scenario::schema::{Scenario, Workload};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Steps of a program kept free for its end.
const STEPS_MAX: usize = limits::PROGRAM_STEPS_MAX - 2;
/// Starts of kernel threads that are consequences of scheduling, not work.
const KERNEL: [&str; 9] =
    ["migration/", "ksoftirqd/", "kworker/", "rcu", "watchdog/", "cpuhp/", "swapper", "idle_inject/", "stopper/"];

/// One step of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Run(u64),
    Sleep(u64),
    /// Until a task wakes it.
    Wait,
    /// Wakes the task of this index.
    Wake(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Runs since; `None` = longer than the trace.
    Running(Option<i64>),
    Runnable,
    /// Off the CPU since.
    Blocked(i64),
    Gone,
}

struct Task {
    thread: Thread,
    state: State,
    /// CPU time since the last step.
    burst: u64,
    steps: Vec<Step>,
    start: i64,
    ran: u64,
    is_whole: bool,
}

/// What is read so far.
struct Replay {
    tasks: Vec<Task>,
    /// Present task of a thread id.
    by_tid: BTreeMap<u32, usize>,
    running: BTreeMap<u16, u32>,
    first: i64,
    breaks: usize,
    has_wakes: bool,
    is_shifted: bool,
}

/// Builds the scenario.
pub fn scenario(events: &Events, notes: &mut Notes) -> Result<Scenario, Vec<Problem>> {
    let list = &events.list;
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return Err(refused("has no events", "")) };
    let end = events.end.unwrap_or(last.t).max(last.t);
    let idle_sleeps = |what: &What| matches!(what, What::Switch { prev, state: Letter::Sleep, .. } if prev.tid == 0);
    let mut replay = Replay {
        tasks: Vec::new(),
        by_tid: BTreeMap::new(),
        running: BTreeMap::new(),
        first: first.t,
        breaks: 0,
        has_wakes: list.iter().any(|event| matches!(event.what, What::Wake(_))),
        is_shifted: list.iter().any(|event| idle_sleeps(&event.what)),
    };
    if replay.is_shifted {
        notes.say("the idle task leaves as asleep: a kernel of 4.15 to 4.20 printed states one step too far; they were shifted back");
    }
    if !replay.has_wakes {
        notes.say("no wake-ups are recorded: waiting for a CPU is hidden in the sleeps");
    }
    for event in list {
        match &event.what {
            What::Switch { prev, state, next } => replay.switch(event.t, event.cpu, prev, *state, next),
            What::Wake(thread) => {
                let by = (!event.in_interrupt).then(|| replay.running.get(&event.cpu).copied().unwrap_or(event.tid));
                replay.wake(event.t, thread, by);
            }
            What::New(thread) => replay.appear(event.t, thread, State::Runnable),
            What::Exit(_) => {}
        }
    }
    replay.end(end);
    if replay.breaks > 0 {
        notes.say(format!("tasks that left a CPU they were not seen on (lost switches): {}", replay.breaks));
    }
    let cpus = list.iter().map(|event| event.cpu).max().unwrap_or(0).saturating_add(1).max(events.cpus.unwrap_or(1));
    if u32::from(cpus) > limits::CPUS_MAX {
        notes.say(format!("{cpus} CPUs are more than {}", limits::CPUS_MAX));
    }
    let workloads = replay.workloads(notes)?;
    notes.say("locks, groups, affinity and what was before the first event are not in a trace; priorities are those last seen");
    Ok(around("Recorded trace", end.saturating_sub(first.t).unsigned_abs(), cpus, workloads))
}

impl Replay {
    /// Index of the present task of a thread, which begins to exist if it must.
    fn task(&mut self, t: i64, thread: &Thread, state: State) -> usize {
        if let Some(&index) = self.by_tid.get(&thread.tid) {
            let known = &mut self.tasks[index].thread;
            // Renamed by exec: the newest name is shown.
            if !thread.name.is_empty() && !thread.name.starts_with('<') {
                known.name.clone_from(&thread.name);
            }
            known.prio = thread.prio;
            return index;
        }
        let start = if matches!(state, State::Running(None)) { self.first } else { t };
        self.tasks.push(Task {
            thread: thread.clone(),
            state,
            burst: 0,
            steps: Vec::new(),
            start,
            ran: 0,
            is_whole: true,
        });
        self.by_tid.insert(thread.tid, self.tasks.len() - 1);
        self.tasks.len() - 1
    }

    /// A thread id is used anew.
    fn appear(&mut self, t: i64, thread: &Thread, state: State) {
        if let Some(index) = self.by_tid.remove(&thread.tid) {
            self.tasks[index].finish(t);
            self.tasks[index].state = State::Gone;
        }
        self.task(t, thread, state);
    }

    fn letter(&self, letter: Letter) -> Letter {
        match letter {
            Letter::Sleep if self.is_shifted => Letter::Runnable,
            Letter::Disk if self.is_shifted => Letter::Sleep,
            Letter::Stopped if self.is_shifted => Letter::Disk,
            letter => letter,
        }
    }

    fn switch(&mut self, t: i64, cpu: u16, prev: &Thread, letter: Letter, next: &Thread) {
        let letter = self.letter(letter);
        let known = self.running.insert(cpu, next.tid);
        if known.is_some_and(|known| known != prev.tid) {
            self.breaks += 1;
        }
        if prev.tid != 0 {
            let index = self.task(t, prev, State::Running(None));
            let task = &mut self.tasks[index];
            task.finish(t);
            task.state = match letter {
                Letter::Runnable | Letter::Preempted | Letter::Unknown => State::Runnable,
                Letter::Sleep | Letter::Disk | Letter::Stopped => State::Blocked(t),
                Letter::Dead => State::Gone,
            };
            if letter == Letter::Dead {
                self.by_tid.remove(&prev.tid);
            }
        }
        if next.tid != 0 {
            let index = self.task(t, next, State::Runnable);
            let has_wakes = self.has_wakes;
            let task = &mut self.tasks[index];
            // Asleep, and back without a wakeup although they are recorded: it was preempted after all.
            if let State::Blocked(since) = task.state
                && !has_wakes
            {
                task.rest(Step::Sleep(t.abs_diff(since)));
            }
            task.state = State::Running(Some(t));
        }
    }

    /// `by`: the thread that woke it, if it was a thread.
    fn wake(&mut self, t: i64, thread: &Thread, by: Option<u32>) {
        if thread.tid == 0 {
            return;
        }
        let index = self.task(t, thread, State::Runnable);
        let State::Blocked(since) = self.tasks[index].state else { return };
        let by = by.and_then(|tid| self.by_tid.get(&tid).copied());
        let by = by.filter(|waker| *waker != index && !is_kernel(&self.tasks[*waker].thread.name));
        match by {
            Some(waker) if matches!(self.tasks[waker].state, State::Running(_)) => {
                self.tasks[index].rest(Step::Wait);
                let waker = &mut self.tasks[waker];
                waker.finish(t);
                waker.state = State::Running(Some(t));
                waker.rest(Step::Wake(index));
            }
            _ => self.tasks[index].rest(Step::Sleep(t.abs_diff(since))),
        }
        self.tasks[index].state = State::Runnable;
    }

    fn end(&mut self, t: i64) {
        for task in &mut self.tasks {
            task.finish(t);
            let burst = std::mem::take(&mut task.burst);
            if burst > 0 {
                task.push(Step::Run(burst));
            }
            if matches!(task.state, State::Blocked(_)) {
                task.push(Step::Wait);
            }
        }
    }

    /// The tasks that are work, as workloads.
    fn workloads(&self, notes: &mut Notes) -> Result<Vec<Workload>, Vec<Problem>> {
        let mut kept: Vec<usize> =
            (0..self.tasks.len()).filter(|&index| !is_kernel(&self.tasks[index].thread.name)).collect();
        let dropped = self.tasks.len() - kept.len();
        if dropped > 0 {
            notes.say(format!("kernel threads left out, because what they do follows from scheduling: {dropped}"));
        }
        if kept.len() > limits::WORKLOADS_MAX {
            kept.sort_by_key(|&index| (std::cmp::Reverse(self.tasks[index].ran), index));
            notes.say(format!("{} tasks: the {} with most CPU time were taken", kept.len(), limits::WORKLOADS_MAX));
            kept.truncate(limits::WORKLOADS_MAX);
            kept.sort_unstable();
        }
        if kept.is_empty() {
            return Err(refused("holds no task of its own, only kernel threads", "Record while something runs"));
        }
        let mut taken = BTreeSet::new();
        let names: BTreeMap<usize, String> = kept
            .iter()
            .map(|&index| {
                let thread = &self.tasks[index].thread;
                let name = if thread.name.is_empty() || thread.name.starts_with('<') { "thread" } else { &thread.name };
                (index, unique(&format!("{name}-{}", thread.tid), &mut taken))
            })
            .collect();
        if kept.iter().any(|index| !self.tasks[*index].is_whole) {
            notes.say(format!("programs longer than {STEPS_MAX} steps were cut there"));
        }
        if kept.iter().any(|index| self.tasks[*index].thread.prio < 0) {
            notes.say("SCHED_DEADLINE tasks run as FIFO 99");
        }
        Ok(kept.iter().map(|&index| self.workload(index, &names)).collect())
    }

    fn workload(&self, index: usize, names: &BTreeMap<usize, String>) -> Workload {
        let task = &self.tasks[index];
        let steps = task.steps.iter().filter_map(|step| match *step {
            Step::Run(ns) => Some(json!(["run", ns.min(limits::DURATION_NS_MAX)])),
            Step::Sleep(ns) => Some(json!(["sleep", ns.clamp(1, limits::DURATION_NS_MAX)])),
            Step::Wait => Some(json!(["wait", format!("wake {}", names[&index])])),
            // Whoever was left out needs no waking.
            Step::Wake(other) => names.get(&other).map(|name| json!(["signal", format!("wake {name}")])),
        });
        let mut steps: Vec<Value> = steps.collect();
        steps.push(json!(["exit"]));
        let mut workload = program(names[&index].clone(), task.start.abs_diff(self.first), steps);
        match task.thread.prio {
            100..=139 => workload.nice = (task.thread.prio - 120) as i8,
            prio => {
                workload.class = SchedClass::Fifo;
                workload.rt_priority = (99 - prio).clamp(1, 99) as u8;
            }
        }
        workload
    }
}

impl Task {
    /// Books the CPU time up to `t`.
    fn finish(&mut self, t: i64) {
        if let State::Running(Some(since)) = self.state {
            self.burst = self.burst.saturating_add(t.abs_diff(since));
            self.ran = self.ran.saturating_add(t.abs_diff(since));
            self.state = State::Running(Some(t));
        }
    }

    /// Ends the burst, then this.
    fn rest(&mut self, step: Step) {
        if self.burst > 0 {
            let burst = std::mem::take(&mut self.burst);
            self.push(Step::Run(burst));
        }
        self.push(step);
    }

    fn push(&mut self, step: Step) {
        if self.steps.len() < STEPS_MAX {
            self.steps.push(step);
        } else {
            self.is_whole = false;
        }
    }
}

fn is_kernel(name: &str) -> bool {
    KERNEL.iter().any(|start| name.starts_with(start))
}
