//! The way of a request: who woke whom, who ran and who waited meanwhile.

use crate::paint::number;
use crate::store::{SelectionAction, Stage};
use crate::text::inspector as words;
use crate::views::controls::{Names, task_name};
use crate::views::timeline::state_patterns;
use sim_core::engine::protocol::{IDLE, LaneState, PathBegin, PathRow, PathView, Stretch};
use yew::prelude::*;

/// Height of a row: a line of words, a bar below it, px.
const ROW: u32 = 38;
/// Top of the bar in its row, and its height, px.
const BAR: (u32, u32) = (20, 14);

/// The section.
pub fn section(stage: &Stage, names: &Names, path: &PathView) -> Html {
    let length = number::duration(path.to - path.from);
    let first = names.task(path.rows.first().map_or(IDLE, |row| row.task));
    let whence = match path.begins {
        PathBegin::Start => words::since_start(&length, first),
        PathBegin::Timer => words::since_timer(&length, first),
        PathBegin::Run => words::since_run(&length, first),
        PathBegin::Queued => words::since_queued(&length),
    };
    let captions = path.rows.iter().map(|row| caption(stage, names, row));
    let height = ROW * path.rows.len() as u32;
    html! {
        <div class="psec" data-testid="path">
            <h3>{ words::PATH }<span class="grow" /><kbd class="q">{ "[" }</kbd><kbd class="q">{ "]" }</kbd></h3>
            <p class="t3 small">{ whence }</p>
            <div class="path">
                <ul>{ for captions }</ul>
                <svg width="100%" height={height.to_string()} aria-hidden="true">
                    { state_patterns("path") }
                    { for (0..).zip(&path.rows).map(|(index, row)| bars(path, row, index)) }
                    { for path.wakeups.iter().map(|&wakeup| arrow(path, wakeup)) }
                </svg>
            </div>
            <p class="t3 small ends"><span>{ number::moment(path.from) }</span><span>{ number::moment(path.to) }</span></p>
        </div>
    }
}

/// "xterm: runs 1.6 ms on CPU 0": the row as words; a click selects it.
fn caption(stage: &Stage, names: &Names, row: &PathRow) -> Html {
    let longest =
        row.stretches.iter().max_by_key(|stretch| (stretch.state == LaneState::Running, stretch.end - stretch.start));
    let (selection, task) = (stage.selection.clone(), row.task);
    let slice = longest.map(|stretch| (stretch.cpu, stretch.start + (stretch.end - stretch.start) / 2));
    let select = Callback::from(move |_: MouseEvent| selection.dispatch(SelectionAction::Task { task, slice }));
    html! {
        <li><button type="button" class="link" onclick={select}>{ task_name(names, row.task) }</button>
            <span class="t2">{ told(&row.stretches) }</span></li>
    }
}

/// What a task did, in the order that matters.
fn told(stretches: &[Stretch]) -> String {
    let sum = |state: LaneState| stretches.iter().filter(|s| s.state == state).map(|s| s.end - s.start).sum::<u64>();
    let mut cpus: Vec<u16> = stretches.iter().filter(|s| s.state == LaneState::Running).map(|s| s.cpu).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let ran = number::duration(sum(LaneState::Running));
    let mut parts = Vec::new();
    match cpus[..] {
        [] => {}
        [cpu] => parts.push(words::ran_on(&ran, cpu)),
        _ => parts.push(words::ran_in_all(&ran)),
    }
    for (state, words) in [(LaneState::Runnable, words::WAITED_FOR), (LaneState::Blocked, words::BLOCKED_FOR)] {
        let time = sum(state);
        if time > 0 {
            parts.push(words.fill(&[&number::duration(time)]));
        }
    }
    if parts.is_empty() {
        parts.push(words::SLEPT_FOR.fill(&[&number::duration(sum(LaneState::Sleeping))]));
    }
    parts.join(", ")
}

fn percent(path: &PathView, t: u64) -> f64 {
    (t.clamp(path.from, path.to) - path.from) as f64 * 100.0 / (path.to - path.from).max(1) as f64
}

fn bars(path: &PathView, row: &PathRow, index: u32) -> Html {
    let top = index * ROW + BAR.0;
    let base = (top + BAR.1).to_string();
    let pieces = row.stretches.iter().filter_map(|stretch| {
        // State by height and pattern, colour repeats it.
        let (fill, height) = match stretch.state {
            LaneState::Running => ("var(--st-running)", BAR.1),
            LaneState::Runnable => ("url(#path-hatch)", BAR.1 / 2),
            LaneState::Blocked => ("url(#path-dots)", BAR.1 / 2),
            LaneState::Sleeping | LaneState::Gone => return None,
        };
        let (x, end) = (percent(path, stretch.start), percent(path, stretch.end));
        Some(html! {
            <rect x={format!("{x:.2}%")} width={format!("{:.2}%", (end - x).max(0.4))} y={(top + BAR.1 - height).to_string()}
                height={height.to_string()} fill={fill} />
        })
    });
    html! { <><line class="base" x1="0" x2="100%" y1={base.clone()} y2={base} />{ for pieces }</> }
}

/// From the waker's bar down to that of the task it woke.
fn arrow(path: &PathView, (at, waker, woken): (u64, u32, u32)) -> Html {
    let row_of = |task: u32| path.rows.iter().position(|row| row.task == task).map(|row| row as u32);
    let Some(to) = row_of(woken) else { return Html::default() };
    // A timer has no row: the words above say it.
    let Some(from) = row_of(waker) else { return Html::default() };
    let (from, head) = (from * ROW + BAR.0 + BAR.1, to * ROW + BAR.0);
    let x = format!("{:.2}%", percent(path, at).clamp(1.5, 98.5));
    html! {
        <g class="wakes"><line x1={x.clone()} x2={x.clone()} y1={from.to_string()} y2={(head - 5).to_string()} />
            <svg x={x} y={head.to_string()} overflow="visible"><path d="M-4 -6H4L0 0z" /></svg></g>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_tells_its_states_and_the_one_cpu() {
        let stretch = |start, end, state, cpu| Stretch { start, end, state, cpu };
        let row = [
            stretch(0, 5_000, LaneState::Runnable, 2),
            stretch(5_000, 3_830_000, LaneState::Running, 2),
            stretch(3_830_000, 9_000_000, LaneState::Sleeping, 2),
        ];
        assert_eq!(told(&row), "runs 3.8\u{202f}ms on CPU 2, waits 5\u{202f}µs");
        assert_eq!(told(&row[2..]), "sleeps 5.2\u{202f}ms");
    }
}
