//! What the engine says in English, in the chosen language: done once, when an answer arrives. Kernel words (functions,
//! fields, names of policies and arrays) have no translation and stay.

use super::sentence::translated;
use super::word::{self, with_catalogue};
use sim_core::engine::protocol::{JobReply, PanelView, PostView, Reply, ShapeView, StandingView};

/// Translates the sentences and labels of an answer that are meant to be read.
pub fn translate(reply: &mut Reply) {
    if with_catalogue(|_| ()).is_none() {
        return;
    }
    match reply {
        Reply::Policies(policies) => {
            for policy in policies {
                [&mut policy.title, &mut policy.family, &mut policy.summary].into_iter().for_each(say);
                policy.tunables.iter_mut().for_each(|tunable| say(&mut tunable.help));
                policy.notes.iter_mut().for_each(say);
            }
        }
        Reply::Catalogue(catalogue) => {
            for kind in &mut catalogue.kinds {
                [&mut kind.label, &mut kind.help].into_iter().for_each(say);
                kind.params.iter_mut().for_each(|param| say(&mut param.label));
            }
            let named = catalogue.profiles.iter_mut().chain(&mut catalogue.builtins);
            named.for_each(|(_, label, help)| [label, help].into_iter().for_each(say));
        }
        Reply::Quiz(quiz) => {
            for question in &mut quiz.questions {
                [&mut question.shown, &mut question.why].into_iter().for_each(say);
                question.options.iter_mut().for_each(|option| say(&mut option.label));
            }
        }
        Reply::Job(JobReply::Posts(posts)) => posts.iter_mut().for_each(post),
        Reply::Job(JobReply::Judged(judgement)) => judgement.shapes.iter_mut().for_each(|(_, claim, _)| say(claim)),
        Reply::Why(why) => {
            [&mut why.sentence, &mut why.otherwise].into_iter().for_each(say);
            why.facts.iter_mut().for_each(|fact| say(&mut fact.label));
            for candidate in &mut why.candidates {
                say(&mut candidate.key.label);
                candidate.terms.iter_mut().for_each(|term| say(&mut term.label));
                candidate.barred.iter_mut().for_each(say);
            }
        }
        Reply::Decisions(view) => view.rows.iter_mut().for_each(|row| say(&mut row.sentence)),
        Reply::Structures(view) => view.panels.iter_mut().for_each(panel),
        Reply::Trails(view) => {
            view.trails.iter_mut().for_each(|trail| [&mut trail.label, &mut trail.help].into_iter().for_each(label));
        }
        _ => {}
    }
}

/// Labels are said as they stand; they come with every frame.
fn label(text: &mut String) {
    if let Some(said) = word::translated(text) {
        said.clone_into(text);
    }
}

fn panel(panel: &mut PanelView) {
    label(&mut panel.label);
    panel.shapes.iter_mut().for_each(|shape| labels(shape, &mut label));
}

/// Calls `f` with every label of a shape.
pub(super) fn labels(shape: &mut ShapeView, f: &mut dyn FnMut(&mut String)) {
    match shape {
        ShapeView::List { label, chips } => {
            f(label);
            chips.iter_mut().filter_map(|chip| chip.key.as_mut()).for_each(|key| f(&mut key.label));
        }
        ShapeView::Slots { label, at, .. } => {
            f(label);
            at.iter_mut().filter_map(|(_, chip)| chip.key.as_mut()).for_each(|key| f(&mut key.label));
        }
        ShapeView::Spans { label, line, .. } => [label, line].into_iter().for_each(f),
        ShapeView::Score(score) => {
            f(&mut score.label);
            score.terms.iter_mut().for_each(|term| f(&mut term.label));
            if let StandingView::Barred(why) = &mut score.standing {
                f(why);
            }
        }
        ShapeView::Gauge(gauge) | ShapeView::EntityGauge(_, gauge) | ShapeView::Meter(_, gauge, _) => {
            f(&mut gauge.label)
        }
        ShapeView::Tree { label, .. }
        | ShapeView::Bitmap { label, .. }
        | ShapeView::Lock { label, .. }
        | ShapeView::KeyMark { label, .. }
        | ShapeView::Lamp(_, label, _)
        | ShapeView::MatrixRow { place: label, .. } => f(label),
        ShapeView::ShareRow(_) => {}
    }
}

fn say(text: &mut String) {
    *text = translated(text);
}

fn post(post: &mut PostView) {
    let PostView { title, who, when, claim, machine, not_reproduced, explains, calibrated, sources, .. } = post;
    [title, who, when, claim, &mut machine.0, &mut machine.1, not_reproduced].into_iter().for_each(say);
    explains.iter_mut().for_each(say);
    sources.iter_mut().for_each(say);
    calibrated.iter_mut().for_each(|(what, to)| [what, to].into_iter().for_each(say));
    for table in &mut post.tables {
        [&mut table.title, &mut table.unit, &mut table.row_unit, &mut table.noise].into_iter().for_each(say);
        table.rows.iter_mut().for_each(|(label, _)| say(label));
        table.columns.iter_mut().for_each(|(label, _)| say(label));
    }
}
