//! What only an oracle knows: how long a task is going to want the CPU. No kernel has it; textbook rules ask for it.

use super::Kernel;
use crate::task::draw;
use crate::task::program::{Amount, LOOP_DEPTH_MAX, Op, Spread, Value};
use crate::task::task::Task;
use crate::units::{Nanos, TaskId};

/// Longest burst that is told, ns; what runs on and on counts as this.
pub const BURST_MAX: Nanos = 3_600_000_000_000;

/// Most operations that are looked at.
const OPS_MAX: u32 = 1_000;

impl Kernel {
    /// CPU time that `id` wants before it sleeps, waits or ends, at most [`BURST_MAX`], ns. Of a running task it is
    /// what was left at the last switch or tick. Locks count as free, and random times as they are going to be drawn.
    pub fn burst_ahead(&self, id: TaskId) -> Nanos {
        let task = self.task(id);
        let mut loops = task.loops;
        let (mut pc, mut draws, mut left) = (task.pc, task.draws, task.remaining);
        for _ in 0..OPS_MAX {
            if left >= BURST_MAX {
                break;
            }
            let Some(op) = self.code.get((task.code + pc) as usize) else { return left };
            pc += 1;
            match *op {
                Op::Run(amount) | Op::RunKernel(amount) => {
                    left = left.saturating_add(self.amount_ahead(task, amount, &mut draws));
                }
                Op::LoopBegin { count, depth, .. } => loops[usize::from(depth)] = self.value(count),
                Op::LoopEnd { begin, depth } => {
                    if next_round(&mut loops, depth) {
                        pc = begin + 1;
                    }
                }
                Op::Sleep(_)
                | Op::SleepUninterruptible(_)
                | Op::SleepUntilPeriod(_)
                | Op::Wait(_)
                | Op::TakeJob(_)
                | Op::Barrier(_)
                | Op::Exit => return left,
                Op::Signal { .. }
                | Op::Lock(_)
                | Op::Unlock(_)
                | Op::Yield
                | Op::Fork(_)
                | Op::SetNice(_)
                | Op::SetSlice(_)
                | Op::SetShares(_)
                | Op::Mark(_)
                | Op::MarkStart(_)
                | Op::RequestOnWake => {}
            }
        }
        BURST_MAX
    }

    /// The amount that `task` is going to get for its next operation.
    fn amount_ahead(&self, task: &Task, amount: Amount, draws: &mut u64) -> Nanos {
        let value = self.value(amount.value);
        if amount.spread == Spread::None {
            return value;
        }
        *draws += 1;
        spread(value, amount.spread, draw::draw(self.seed, task.draw_key, *draws - 1))
    }

    /// The value of a constant or of a slider.
    #[inline]
    pub(super) fn value(&self, value: Value) -> u64 {
        match value {
            Value::Const(value) => value,
            Value::Param(param) => self.params[usize::from(param.0)],
        }
    }
}

/// An amount around `value` for 64 random bits.
#[inline]
pub(super) fn spread(value: u64, spread: Spread, bits: u64) -> Nanos {
    match spread {
        Spread::None => value,
        Spread::Uniform(percent) => {
            let half = value / 100 * u64::from(percent) + value % 100 * u64::from(percent) / 100;
            draw::uniform(bits, value - half, value.saturating_add(half))
        }
        Spread::Exponential => draw::exponential(bits, value),
    }
}

/// Whether the loop at this depth goes round once more; counts it. 0 = for ever.
#[inline]
pub(super) fn next_round(loops: &mut [u64; LOOP_DEPTH_MAX], depth: u8) -> bool {
    let left = &mut loops[usize::from(depth)];
    if *left == 1 {
        return false;
    }
    *left = left.saturating_sub(1);
    true
}
