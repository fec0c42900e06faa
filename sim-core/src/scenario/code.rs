//! Writes programs: a thin builder over [`Op`] that keeps loops well nested.

use crate::task::program::{Amount, LOOP_DEPTH_MAX, Op, Spread, SyncId, Value};

/// A program being written.
#[derive(Clone, Default)]
pub(super) struct Code {
    ops: Vec<Op>,
    depth: u8,
}

impl Code {
    /// An empty program.
    pub fn new() -> Self {
        Code::default()
    }

    /// Appends one operation.
    pub fn op(&mut self, op: Op) -> &mut Self {
        self.ops.push(op);
        self
    }

    /// Uses the CPU.
    pub fn run(&mut self, amount: Amount) -> &mut Self {
        self.op(Op::Run(amount))
    }

    /// Sleeps.
    pub fn sleep(&mut self, amount: Amount) -> &mut Self {
        self.op(Op::Sleep(amount))
    }

    /// Takes a unit from a channel.
    pub fn wait(&mut self, channel: SyncId) -> &mut Self {
        self.op(Op::Wait(channel))
    }

    /// Puts units into a channel.
    pub fn signal(&mut self, channel: SyncId, count: u32) -> &mut Self {
        self.op(Op::Signal { channel, count, sync: false })
    }

    /// Repeats `body`; 0 rounds = for ever.
    pub fn repeat(&mut self, rounds: Value, body: impl FnOnce(&mut Code)) -> &mut Self {
        assert!(usize::from(self.depth) < LOOP_DEPTH_MAX, "loops are nested {} deep", self.depth + 1);
        let begin = self.ops.len();
        let depth = self.depth;
        self.ops.push(Op::LoopBegin { count: rounds, depth, end: 0 });
        self.depth += 1;
        body(self);
        self.depth -= 1;
        self.ops.push(Op::LoopEnd { begin: begin as u32, depth });
        let end = self.ops.len() as u32;
        self.ops[begin] = Op::LoopBegin { count: rounds, depth, end };
        self
    }

    /// Repeats `body` until the run ends.
    pub fn forever(&mut self, body: impl FnOnce(&mut Code)) -> &mut Self {
        self.repeat(Value::Const(0), body)
    }

    /// The operations.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }
}

/// A value with a uniform spread of plus or minus `percent`.
pub(super) fn uniform(value: Value, percent: u64) -> Amount {
    let spread = match percent.min(100) as u8 {
        0 => Spread::None,
        percent => Spread::Uniform(percent),
    };
    Amount { value, spread }
}

/// A value exactly.
pub(super) fn exact(value: Value) -> Amount {
    Amount { value, spread: Spread::None }
}

/// An exponentially distributed value with the given mean.
pub(super) fn exponential(mean: Value) -> Amount {
    Amount { value: mean, spread: Spread::Exponential }
}
