//! MLFQ's boost: from time to time everybody goes up to the top level.

use super::rules::Rule;
use super::{Classroom, NOTE_BOOST};
use crate::kernel::Kernel;
use crate::units::{CpuId, TaskId};

impl Classroom {
    /// The timer behind those of the CPUs.
    pub(super) fn boost_timer(&self) -> u32 {
        self.turns.len() as u32
    }

    /// The next multiple of the period.
    pub(super) fn arm_boost(&self, k: &mut Kernel) {
        let (timer, period) = (self.boost_timer(), self.knobs.boost);
        if self.rule == Rule::Feedback && period > 0 && k.timer_at(timer).is_none() {
            k.start_timer(timer, CpuId(0), (k.now() / period + 1) * period);
        }
    }

    /// All to the top, with whole turns: those of the top keep their order, then comes the lowest level, and so on up.
    pub(super) fn boost(&mut self, k: &mut Kernel) {
        self.arm_boost(k);
        self.all_queue(k);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        for level in std::iter::once(0).chain((1..self.knobs.queues).rev()) {
            order.extend(self.queue.iter().filter(|&task| self.job(task).level == level));
        }
        for task in 0..self.jobs.len() {
            self.enter_level(TaskId(task as u32), 0);
        }
        self.requeue(k, &order);
        self.order = order;
        k.note(None, NOTE_BOOST, [i64::from(self.queue.len()), 0]);
    }

    /// There are fewer levels: whoever was below is on the lowest that is left.
    pub(super) fn close_levels(&mut self, k: &mut Kernel) {
        let lowest = self.knobs.queues.saturating_sub(1);
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(self.queue.iter());
        for job in &mut self.jobs {
            job.level = job.level.min(lowest);
        }
        self.requeue(k, &order);
        self.order = order;
    }

    /// Whoever runs goes back to its place in the queue: the order of all is about to change.
    fn all_queue(&mut self, k: &mut Kernel) {
        for cpu in 0..k.cpus() {
            let cpu = CpuId(cpu);
            let Some(task) = k.curr(cpu) else { continue };
            self.account(k, cpu, task);
            k.cancel_timer(u32::from(cpu.0));
            k.resched_curr(cpu);
            // One whose burst ends in this instant queues nowhere.
            if self.job(task).need > 0 && !self.turns[cpu.index()].queued {
                let is_over = self.job(task).left == 0;
                if is_over {
                    self.use_up(task);
                }
                self.push(k, cpu, task, !is_over);
                self.turns[cpu.index()].queued = true;
            }
        }
    }

    /// Everybody in the queue anew, in this order.
    fn requeue(&mut self, k: &mut Kernel, order: &[TaskId]) {
        order.iter().for_each(|&task| self.queue.remove(task));
        for &task in order {
            let (since, cpu) = (self.job(task).since, k.task(task).cpu);
            self.push(k, cpu, task, false);
            self.jobs[task.index()].since = since;
        }
    }
}
