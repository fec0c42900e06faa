//! The selected task over the marked range, and who ran while it waited.

use crate::paint::number;
use crate::store::{PlaybackAction, Selection, Stage, WindowAction};
use crate::text::what_if as words;
use crate::views::controls::{Names, task_name};
use sim_core::engine::protocol::RangeView;
use yew::prelude::*;

/// The section; nothing without a marked range.
pub fn section(stage: &Stage, names: &Names, selection: &Selection, view: Option<&RangeView>) -> Html {
    let Some((from, to)) = selection.range else { return Html::default() };
    let head = html! {
        <h3>{ words::RANGE }<span class="grow" /><span class="t3 normal">{ number::duration(to - from) }</span></h3>
    };
    let view = view.filter(|view| Some(view.task) == selection.task && view.from == from);
    let Some(view) = view else {
        let say = if selection.task.is_none() { words::CHOOSE.say() } else { "…" };
        return html! { <div class="psec" data-testid="range">{ head }<p class="small t3">{ say }</p></div> };
    };
    let longest = view.longest.1 - view.longest.0;
    let go = {
        let (stage, at) = (stage.clone(), view.longest.0);
        Callback::from(move |_: MouseEvent| {
            stage.playback.dispatch(PlaybackAction::Seek(at));
            stage.window.dispatch(WindowAction::Centre(at));
        })
    };
    let rows = view.antagonists.iter().map(|one| {
        html! {
            <tr><td class="first">{ task_name(names, one.task) }</td><td class="num">{ number::duration(one.ns) }</td>
                <td class="num t3">{ one.waits }</td></tr>
        }
    });
    html! {
        <div class="psec" data-testid="range">
            { head }
            <dl class="kv"><dt>{ task_name(names, view.task) }{ " " }{ words::RAN }</dt><dd>{ number::duration(view.ran) }</dd>
                <dt>{ words::WAITED }</dt><dd>{ words::waits(&number::duration(view.waited), view.waits) }</dd>
                <dt>{ words::SLEPT }</dt><dd>{ number::duration(view.slept) }</dd>
                if longest > 0 { <dt>{ words::LONGEST }</dt><dd><button type="button" class="link" onclick={go}>{ number::duration(longest) }</button></dd> }</dl>
            if view.antagonists.is_empty() { <p class="small t3">{ words::NOBODY }</p> } else {
                <table class="candidates" data-testid="antagonists"><thead><tr><th scope="col">{ words::ANTAGONIST }</th>
                    <th class="num" scope="col">{ words::TIME }</th><th class="num" scope="col">{ words::WAITS }</th></tr></thead>
                    <tbody>{ for rows }</tbody></table>
            }
            if view.left_out > 0 { <p class="small t3">{ words::left_out(view.left_out) }</p> }
        </div>
    }
}
