//! A lesson's text on the page: marks become elements, everything else stays text.

use crate::paint::number;
use crate::views::controls::{Names, task_name};
use sim_core::lesson::words::{Piece, pieces};
use yew::prelude::*;

/// A paragraph. `{t}` is the moment of the step.
pub fn paragraph(names: &Names, text: &str, moment: Option<u64>) -> Html {
    let text = match moment {
        Some(t) => text.replace("{t}", &number::moment(t)),
        None => text.replace("{t}", "…"),
    };
    let pieces = pieces(&text).into_iter().map(|piece| match piece {
        Piece::Plain(text) => html! { { text } },
        Piece::Strong(text) => html! { <b>{ text }</b> },
        Piece::Code(text) => html! { <code>{ text }</code> },
        Piece::Task(name) => match names.by_name(&name) {
            Some(task) => task_name(names, task),
            None => html! { <b>{ name }</b> },
        },
    });
    html! { <>{ for pieces }</> }
}
