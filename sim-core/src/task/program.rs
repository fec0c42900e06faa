//! A task's program: a flat list of operations with structured loops, compiled from a scenario.

use super::wait_queue::WaitQueue;
use crate::units::{Nanos, TaskId};

/// Index of a workload parameter that a slider can move while the machine runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ParamId(pub u16);

/// Where a number comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Fixed.
    Const(u64),
    /// A workload parameter, read when the operation is performed.
    Param(ParamId),
}

/// How a number varies around its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Exactly the value.
    None,
    /// Uniform within plus or minus this many percent (0..=100).
    Uniform(u8),
    /// Exponential with the value as its mean.
    Exponential,
}

/// An amount of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// Centre.
    pub value: Value,
    /// Variation.
    pub spread: Spread,
}

impl Amount {
    /// Exactly `ns`.
    pub const fn fixed(ns: Nanos) -> Self {
        Amount { value: Value::Const(ns), spread: Spread::None }
    }
}

/// Index of a counting channel (pipe, socket, futex), of a mutex, of a barrier.
pub type SyncId = u32;

/// Index of a mark name.
pub type MarkId = u16;

/// Deepest nesting of loops.
pub const LOOP_DEPTH_MAX: usize = 4;

/// One operation. Operations other than `Run` take no time of their own (costs of the machine profile apart).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Use the CPU for this much CPU time.
    Run(Amount),
    /// The same inside a system call: page faults, reading and writing files.
    RunKernel(Amount),
    /// Sleep, interruptible.
    Sleep(Amount),
    /// Sleep, uninterruptible (disk).
    SleepUninterruptible(Amount),
    /// Sleep until the next multiple of the period since the task's start (a periodic timer); no sleep if it is past.
    SleepUntilPeriod(Amount),
    /// Take one unit from a channel, or block until there is one (interruptible).
    Wait(SyncId),
    /// The same for a queue of jobs: the random draws of the taker, and of those that it forks, are then those of the
    /// job, whoever takes it.
    TakeJob(SyncId),
    /// Put `count` units into a channel, waking as many waiters, in the order in which they blocked.
    Signal {
        /// The channel.
        channel: SyncId,
        /// Units.
        count: u32,
        /// The waker says that it is about to block (pipe writers do).
        sync: bool,
    },
    /// Take a mutex, or block uninterruptibly. A woken waiter competes again (no hand-over).
    Lock(SyncId),
    /// Give a mutex back and wake its first waiter.
    Unlock(SyncId),
    /// Wait (interruptibly) until all parties have come.
    Barrier(SyncId),
    /// `sched_yield`.
    Yield,
    /// Start a child from a template.
    Fork(u32),
    /// End.
    Exit,
    /// Renice itself.
    SetNice(i8),
    /// Ask for a slice of its own, ns (EEVDF).
    SetSlice(Nanos),
    /// Rewrite the shares of its own group.
    SetShares(u64),
    /// Count one unit of throughput and close a response-time measurement.
    Mark(MarkId),
    /// Begin a response-time measurement (the request arrives now).
    MarkStart(MarkId),
    /// Begin a response-time measurement at the next wakeup (or period start), so that it holds the wait for a CPU.
    RequestOnWake,
    /// Begin of a loop of `count` rounds (0 = for ever), nested `depth` deep; `end` is the index after its `LoopEnd`.
    LoopBegin {
        /// Rounds; 0 = for ever.
        count: Value,
        /// Nesting depth, `0..LOOP_DEPTH_MAX`.
        depth: u8,
        /// First operation after the loop.
        end: u32,
    },
    /// End of the loop that begins at `begin`.
    LoopEnd {
        /// Index of its `LoopBegin`.
        begin: u32,
        /// Nesting depth.
        depth: u8,
    },
}

/// A counting channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Channel {
    /// Unclaimed units.
    pub count: u64,
    /// Jobs taken so far ([`Op::TakeJob`]).
    pub taken: u64,
    /// Waiters.
    pub waiters: WaitQueue,
}

/// A mutex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mutex {
    /// Who holds it.
    pub owner: Option<TaskId>,
    /// Waiters.
    pub waiters: WaitQueue,
}

/// A barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Barrier {
    /// Parties that must come.
    pub parties: u32,
    /// Parties that have come.
    pub arrived: u32,
    /// Waiters.
    pub waiters: WaitQueue,
}
