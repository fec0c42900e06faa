//! What the engine says in English, in the chosen language: done once, when an answer arrives. Kernel words (functions,
//! fields, names of policies and arrays) have no translation and stay.

use super::sentence::translated;
use super::word::with_catalogue;
use sim_core::engine::protocol::{JobReply, PostView, Reply};

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
        _ => {}
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
