//! Export: pictures of what is on the screen, files of the whole run, the scenario.

use super::dialog::Dialog;
use crate::page;
use crate::picture::{self, Kind, Part};
use crate::store::{Document, use_stage, use_store};
use crate::text::export as words;
use crate::tools::export::{self, Job};
use crate::views::controls::{Icon, icon};
use sim_core::interchange::export::Format;
use sim_core::scenario;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

/// What the dialog says at its foot.
#[derive(Clone, PartialEq, Default)]
enum Said {
    #[default]
    Nothing,
    Writing(u32),
    Saved(String),
    Failed(String),
}

/// The dialog.
#[component]
pub fn Export() -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let said = use_state_eq(Said::default);
    let job = use_mut_ref(Job::default);
    {
        // Closing the dialog stops what it was writing.
        let job = job.clone();
        use_effect_with((), move |()| move || job.borrow().cancel());
    }
    let title = document.scenario.title.clone();
    let write = |format: Format| {
        let (stage, said, job, title) = (stage.clone(), said.clone(), job.clone(), title.clone());
        Callback::from(move |_: MouseEvent| {
            job.borrow().cancel();
            let mine = Job::default();
            *job.borrow_mut() = mine.clone();
            let (stage, said, title) = (stage.clone(), said.clone(), title.clone());
            said.set(Said::Writing(0));
            spawn_local(async move {
                let progress = |share: f64| said.set(Said::Writing((share.clamp(0.0, 1.0) * 100.0) as u32));
                let done = export::write(&stage, format.key(), format.needs_log(), &mine, progress).await;
                match done {
                    Ok(parts) => {
                        let (ending, mime) = format.file();
                        let name = page::file_name(&title, ending);
                        page::save_parts(&name, &parts, mime);
                        said.set(Said::Saved(name));
                    }
                    Err(message) if message.is_empty() => {}
                    Err(message) => said.set(Said::Failed(message)),
                }
            });
        })
    };
    let rows = Format::ALL.into_iter().map(|format| {
        let (name, help) = words::format(format.key());
        let testid = format!("export-{}", format.key());
        html! {
            <button type="button" class="policy-item" data-testid={testid} onclick={write(format)}>
                <span class="line"><b>{ name }</b><span class="grow" /><span class="t3 small mono">{ format.file().0 }</span></span>
                <span class="t2 small">{ help }</span></button>
        }
    });
    let take = |part: Part, kind: Kind| {
        let (stage, said, title) = (stage.clone(), said.clone(), title.clone());
        Callback::from(move |_: MouseEvent| {
            let (stage, said, title) = (stage.clone(), said.clone(), title.clone());
            spawn_local(async move {
                let name = page::file_name(&format!("{title} {}", part.key()), kind.ending());
                match picture::save(&stage, part, kind, &name).await {
                    Ok(()) => said.set(Said::Saved(name)),
                    Err(message) => said.set(Said::Failed(message)),
                }
            });
        })
    };
    let pictures = Part::ALL.into_iter().map(|part| {
        let name = words::picture(part.key());
        let button = |kind: Kind| {
            let testid = format!("picture-{}-{}", part.key(), kind.ending());
            let label = format!("{name}, {}", kind.word());
            html! { <button type="button" class="btn" data-testid={testid} aria-label={label} onclick={take(part, kind)}>{ kind.word() }</button> }
        };
        html! { <div class="row"><span>{ name }</span><span class="grow" />{ button(Kind::Png) }{ button(Kind::Svg) }</div> }
    });
    let save = {
        let (said, scenario) = (said.clone(), document.scenario.clone());
        Callback::from(move |_| {
            let name = page::file_name(&scenario.title, "json");
            page::save(&name, &scenario::to_json(&scenario), "application/json");
            said.set(Said::Saved(name));
        })
    };
    let stop = {
        let (said, job) = (said.clone(), job.clone());
        Callback::from(move |_| {
            job.borrow().cancel();
            said.set(Said::Nothing);
        })
    };
    let foot = match &*said {
        Said::Nothing => Html::default(),
        Said::Writing(percent) => html! {
            <div class="row"><progress max="100" value={percent.to_string()} aria-label={words::HEADING} /><span>{ words::progress(*percent) }</span>
                <span class="grow" /><button type="button" class="btn" data-testid="export-stop" onclick={stop}>{ words::CANCEL }</button></div>
        },
        Said::Saved(name) => html! { <p data-testid="export-saved">{ words::saved(name) }</p> },
        Said::Failed(message) => html! { <p class="bad-text" data-testid="export-failed">{ message }</p> },
    };
    html! {
        <Dialog heading={words::HEADING} class="export" testid="export-dialog">
            <div class="sec tight"><h3>{ words::RUN }</h3>{ for rows }</div>
            <div class="sec tight"><h3>{ words::PICTURES }</h3>{ for pictures }</div>
            <div class="sec tight"><h3>{ words::SCENARIO }</h3>
                <button type="button" class="btn" data-testid="export-scenario" onclick={save}>{ icon(Icon::Save) }{ words::SCENARIO_JSON }</button></div>
            <div class="sec export-foot" role="status">{ foot }</div>
        </Dialog>
    }
}
