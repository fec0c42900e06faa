//! What task colours mean: the choice, for all views at once, and a legend where the meaning needs one.

use crate::paint::colour_by::{Roles, bands};
use crate::paint::task_ink::Ink;
use crate::paint::{ColourBy, TaskInk};
use crate::store::{FrameContext, Layout, LayoutAction, use_frames, use_stage, use_store};
use crate::text::Word;
use crate::text::pictures::colours as words;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The legend follows the run this often, ms.
const LEGEND_MS: u32 = 400;
/// Entries of the legend.
const ENTRIES_MAX: usize = 7;

/// Choices in the order of the menu; the first is no choice.
const CHOICES: [(Word, Option<ColourBy>); 6] = [
    (words::AUTO, None),
    (words::TASK, Some(ColourBy::Task)),
    (words::PROGRAM, Some(ColourBy::Program)),
    (words::STATE, Some(ColourBy::State)),
    (words::BAND, Some(ColourBy::Band)),
    (words::STRUCTURE, Some(ColourBy::Structure)),
];

/// Menu and legend.
#[component]
pub fn ColourMenu() -> Html {
    let stage = use_stage();
    let layout = use_store::<Layout>();
    let entries = use_frames(LEGEND_MS, legend);
    let choose = Callback::from(move |event: Event| {
        let index = event.target_unchecked_into::<HtmlSelectElement>().selected_index();
        let choice = usize::try_from(index).ok().and_then(|index| CHOICES.get(index));
        stage.layout.dispatch(LayoutAction::ColourBy(choice.and_then(|(_, by)| *by)));
    });
    html! {
        <>
            <label class="t3 colour-by">{ words::BY }
                <select class="pick small-pick" data-testid="colour-by" onchange={choose}>
                    { for CHOICES.iter().map(|(text, by)| html! {
                        <option selected={layout.colour_by == *by}>{ *text }</option>
                    }) }
                </select>
            </label>
            if !entries.is_empty() {
                <ul class="colour-legend small" aria-label={words::LEGEND}>
                    { for entries.iter().map(|(name, slot)| html! {
                        <li><i class={classes!("sw", format!("c{slot}"))} />{ name }</li>
                    }) }
                </ul>
            }
        </>
    }
}

/// Names with their colours; nothing where a name in each slice says it.
fn legend(context: &FrameContext) -> Vec<(String, u8)> {
    let tasks = &context.frames.tasks;
    let of = |(name, ink): (&str, Ink)| (name.to_owned(), ink.slot);
    let ink = || TaskInk::new(tasks.iter(), &[]);
    let programs = || ink().programs().into_iter().map(of).collect::<Vec<_>>();
    let mut entries = match context.colour_by {
        None if ink().colour_by_default() == ColourBy::Program => programs(),
        None | Some(ColourBy::Task | ColourBy::State) => Vec::new(),
        Some(ColourBy::Program) => programs(),
        Some(ColourBy::Band) => bands(tasks.iter()).into_iter().map(of).collect(),
        Some(ColourBy::Structure) => {
            let lane = context.frames.lanes.get(usize::from(context.lane));
            let roles = lane.and_then(|lane| lane.structures.as_deref()).map(Roles::of).unwrap_or_default();
            roles.legend().into_iter().map(|(name, ink)| (name, ink.slot)).collect()
        }
    };
    entries.truncate(ENTRIES_MAX);
    entries
}
