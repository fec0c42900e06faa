//! The answers as a table and as a file. Nothing is sent anywhere.

use crate::page;
use crate::store::course::{Course, Done, Origin, Outcome};
use crate::store::use_store;
use crate::text::lesson as words;
use crate::views::controls::{Icon, icon};
use crate::views::lesson::step::class_of;
use crate::views::overlays::Dialog;
use serde_json::{Value, json};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The dialog.
#[component]
pub fn Answers() -> Html {
    let course = use_store::<Course>();
    let name = use_state_eq(String::new);
    let on_name = {
        let name = name.clone();
        Callback::from(move |event: InputEvent| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                name.set(input.value());
            }
        })
    };
    let csv = {
        let (course, name) = (course.clone(), name.clone());
        Callback::from(move |_: MouseEvent| page::save("answers.csv", &csv(&course, &name), "text/csv"))
    };
    let json = {
        let (course, name) = (course.clone(), name.clone());
        Callback::from(move |_: MouseEvent| {
            page::save("answers.json", &json(&course, &name).to_string(), "application/json")
        })
    };
    let rows = course.done.iter().map(|((step, question), done)| {
        html! {
            <tr><td class="num">{ step + 1 }</td><td class="num">{ question + 1 }</td><td>{ given(done) }</td><td>{ &done.right }</td>
                <td class={class_of(done.outcome)}>{ outcome(done.outcome) }</td></tr>
        }
    });
    let heads = [words::STEP, words::QUESTION, words::YOUR_ANSWER, words::RIGHT_ANSWER, words::OUTCOME];
    let (right, of) = course.score();
    html! {
        <Dialog heading={words::SCORE} class="answers" testid="answers-dialog" aside={html! { <b>{ words::score(right, of) }</b> }}>
            <div class="sec">
                if of == 0 { <p class="t2">{ words::NONE_YET }</p> } else {
                    <div class="answers-table scroll" tabindex="0"><table><thead><tr>{ for heads.iter().map(|head| html! { <th scope="col">{ *head }</th> }) }</tr></thead>
                        <tbody>{ for rows }</tbody></table></div>
                }
            </div>
            <div class="sec">
                <label class="row"><span class="t2">{ words::NAME }</span>
                    <input class="pick grow" type="text" maxlength="80" autocomplete="off" oninput={on_name} data-testid="student" /></label>
                <div class="row wrap"><button type="button" class="btn primary" onclick={csv} data-testid="save-csv">{ icon(Icon::Save) }{ words::SAVE_CSV }</button>
                    <button type="button" class="btn" onclick={json} data-testid="save-json">{ icon(Icon::Save) }{ words::SAVE_JSON }</button></div>
                <p class="t3 small">{ words::NOTHING_SENT }</p>
            </div>
        </Dialog>
    }
}

fn given(done: &Done) -> String {
    if done.given.is_empty() { "–".into() } else { done.given.clone() }
}

fn outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Right => words::OUT_RIGHT,
        Outcome::Wrong => words::OUT_WRONG,
        Outcome::Shown => words::OUT_SHOWN,
    }
    .into()
}

/// Word of an outcome in a file: the same in every language of the page.
fn key(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "right",
        Outcome::Wrong => "wrong",
        Outcome::Shown => "shown",
    }
}

/// Where the lesson came from, for the file.
fn origin(course: &Course) -> String {
    match course.opened.as_deref().map(|opened| &opened.origin) {
        Some(Origin::Own(key)) => key.clone(),
        Some(Origin::Address(address)) => address.clone(),
        Some(Origin::File) | None => "file".into(),
    }
}

/// Questions with their answers in order; those not reached yet without.
fn rows(course: &Course) -> Vec<(usize, usize, String, Option<&Done>)> {
    let steps = course.lesson().map_or(&[][..], |lesson| &lesson.steps);
    let numbered = steps.iter().enumerate();
    numbered
        .flat_map(|(step, data)| {
            let questions = data.questions.iter().enumerate();
            questions
                .map(move |(index, question)| (step, index, question.text.clone(), course.done.get(&(step, index))))
        })
        .collect()
}

/// The answers as CSV (RFC 4180), a line per question.
pub fn csv(course: &Course, name: &str) -> String {
    let title = course.lesson().map_or("", |lesson| lesson.title.as_str());
    let mut text = String::from("lesson,title,seed,name,step,question,text,answer,right,outcome\r\n");
    for (step, index, question, done) in rows(course) {
        let (answer, right, outcome) =
            done.map_or(("", "", "open"), |done| (done.given.as_str(), done.right.as_str(), key(done.outcome)));
        let numbers = [course.seed.to_string(), (step + 1).to_string(), (index + 1).to_string()];
        let origin = origin(course);
        let cells = [&origin, title, &numbers[0], name, &numbers[1], &numbers[2], &question, answer, right, outcome];
        text.push_str(&cells.map(cell).join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell: quoted where it must be, and never a formula for a spreadsheet.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if is_formula { format!("'{text}") } else { text.to_string() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// The answers as JSON.
pub fn json(course: &Course, name: &str) -> Value {
    let (right, of) = course.score();
    let answers: Vec<Value> = rows(course)
        .into_iter()
        .map(|(step, index, question, done)| {
            json!({"step": step + 1, "question": index + 1, "text": question,
                "answer": done.map(|done| &done.given), "right": done.map(|done| &done.right),
                "outcome": done.map_or("open", |done| key(done.outcome))})
        })
        .collect();
    json!({"lesson": origin(course), "title": course.lesson().map(|lesson| &lesson.title), "seed": course.seed, "name": name,
        "score": {"right": right, "answered": of, "questions": answers.len()}, "answers": answers})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::course::Opened;
    use std::rc::Rc;

    fn course() -> Course {
        let text = r#"{"v":1,"title":"Bits, \"set\"","summary":"s","steps":[{"title":"a","text":["x"],"scenario":"ex=lat-ctx","questions":[
            {"ask":"choice","text":"Which, then?","options":["a","b"],"right":2},{"ask":"next","text":"Who?"}]}]}"#;
        let (lesson, _) = sim_core::lesson::parse(text).expect("a lesson");
        let done = Done { given: "-1".into(), right: "b".into(), outcome: Outcome::Wrong };
        let opened = Some(Rc::new(Opened { lesson, origin: Origin::Own("bits".into()) }));
        Course { opened, seed: 7, done: [((0, 0), done)].into(), ..Course::default() }
    }

    #[test]
    fn a_file_has_a_line_per_question_and_no_formula() {
        assert_eq!(
            csv(&course(), "=Ada"),
            "lesson,title,seed,name,step,question,text,answer,right,outcome\r\n\
             bits,\"Bits, \"\"set\"\"\",7,'=Ada,1,1,\"Which, then?\",'-1,b,wrong\r\n\
             bits,\"Bits, \"\"set\"\"\",7,'=Ada,1,2,Who?,,,open\r\n"
        );
        let json = json(&course(), "Ada");
        assert_eq!(json["score"], serde_json::json!({"right": 0, "answered": 1, "questions": 2}));
        assert_eq!((json["answers"][1]["answer"].is_null(), json["seed"].as_u64()), (true, Some(7)));
    }
}
