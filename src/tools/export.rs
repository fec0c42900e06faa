//! Writes a run as a file, part by part: the engine tells what happened, the tools turn it into bytes, the browser saves
//! it. Neither the page nor a question of a view waits longer than for one part.

use super::client;
use super::protocol::{ToolsAsk, ToolsReply};
use crate::store::Stage;
use crate::text::export as words;
use gloo_timers::future::TimeoutFuture;
use sim_core::engine::protocol::{Ask, Reply};
use std::cell::Cell;
use std::rc::Rc;

/// Events per part: some ms of work.
const PART: u32 = 20_000;
/// Pause while the engine has not simulated on, ms.
const PAUSE_MS: u32 = 50;

/// A file that is being written.
#[derive(Clone, Default)]
pub struct Job(Rc<Cell<bool>>);

impl Job {
    /// Stops it.
    pub fn cancel(&self) {
        self.0.set(true);
    }

    /// The empty error if it was stopped. Asked whenever something was waited for: the tools write one file at a time, so
    /// what a stopped job says after that would go into the next one's.
    fn goes_on(&self) -> Result<(), String> {
        if self.0.get() { Err(String::new()) } else { Ok(()) }
    }
}

/// The parts of a file. `progress` hears the share that is done, 0 to 1, and nothing any more once it was stopped. Errors
/// are sentences; an empty one means that it was stopped.
pub async fn write(
    stage: &Stage,
    format: &'static str,
    needs_log: bool,
    job: &Job,
    progress: impl Fn(f64),
) -> Result<Vec<Vec<u8>>, String> {
    let lane = stage.live.lane();
    let link = stage.live.link();
    let loaded = stage.live.with_frames(|frames| frames.loaded.clone()).ok_or_else(|| words::NOTHING.to_string())?;
    let begin = ToolsAsk::Begin { format: format.into(), loaded: Box::new((*loaded).clone()), lane, link };
    let mut parts = vec![part_of(&begin).await?];
    let mut from = 0;
    let mut is_whole = false;
    while !is_whole {
        job.goes_on()?;
        let (simulated, duration, stopped) = stage.live.with_frames(|frames| {
            let of = frames.progress.get(usize::from(lane));
            of.map_or((0, 1, false), |of| (of.simulated, of.duration.max(1), of.fault.is_some()))
        });
        let done = simulated >= duration || stopped;
        if !needs_log {
            is_whole = done;
        } else {
            let answer = stage.live.fetch(Ask::Log { lane, from, entries_min: PART }).await;
            job.goes_on()?;
            let Some(Reply::Log(log)) = answer else { return Err(words::ANOTHER.to_string()) };
            is_whole = log.next > log.simulated || (stopped && log.next == from);
            let grows = log.next > from;
            from = log.next;
            if grows {
                progress(from as f64 / duration as f64);
                parts.push(part_of(&ToolsAsk::Part(log)).await?);
                continue;
            }
        }
        if !is_whole {
            progress(from.max(simulated / 2) as f64 / duration as f64);
            TimeoutFuture::new(PAUSE_MS).await;
        }
    }
    job.goes_on()?;
    let answer = stage.live.fetch(Ask::Summary { lane, to: u64::MAX }).await;
    job.goes_on()?;
    let Some(Reply::Summary(summary)) = answer else { return Err(words::ANOTHER.to_string()) };
    parts.push(part_of(&ToolsAsk::End(summary)).await?);
    job.goes_on()?;
    Ok(parts)
}

async fn part_of(question: &ToolsAsk) -> Result<Vec<u8>, String> {
    match client::ask(question).await {
        Some(ToolsReply::Bytes(bytes)) => Ok(bytes),
        _ => Err(words::NO_TOOLS.to_string()),
    }
}
