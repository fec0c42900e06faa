//! `schedscope lesson`: lessons for teachers who write them.

use super::{Outcome, print_json};
use crate::input::sentences;
use serde_json::{Value, json};
use sim_core::lesson::check::{Tried, Variant, check};
use sim_core::lesson::schema::Lesson;
use sim_core::lesson::variant::numbers;
use std::process::ExitCode;

/// Try out lessons: read them, run every step, answer every question
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Check(Check),
}

/// Check lesson files; prints what is right about each question, or everything that is wrong
///
/// Example: schedscope lesson check lessons/bitmap.json --variants 10
#[derive(clap::Args)]
struct Check {
    /// Lesson files
    #[arg(required = true)]
    files: Vec<String>,
    /// Variants to try beside the lesson's own one: seeds 1 to N
    #[arg(long, default_value_t = 3)]
    variants: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let What::Check(args) = &args.what;
    let seeds: Vec<u64> = (1..=args.variants).collect();
    let mut rows = Vec::new();
    let mut all_good = true;
    for file in &args.files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        match check(&text, &seeds) {
            Ok((lesson, variants, warnings)) => {
                for warning in &warnings {
                    eprintln!("warning: {file}: {}", sentences(std::slice::from_ref(warning)));
                }
                if args.json {
                    rows.push(json!({"file": file, "ok": true, "title": lesson.title,
                        "variants": variants.iter().map(variant_json).collect::<Vec<_>>()}));
                } else {
                    print(file, &lesson, &variants);
                }
            }
            Err(problems) => {
                all_good = false;
                if args.json {
                    rows.push(json!({"file": file, "ok": false, "problems": problems}));
                } else {
                    println!("{file}: {} problems\n  {}", problems.len(), sentences(&problems));
                }
            }
        }
    }
    if args.json {
        print_json(&json!({ "lessons": rows }))?;
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn variant_json(variant: &Variant) -> Value {
    let step = |tried: &Tried| {
        let questions = tried.step.questions.iter().zip(&tried.quiz.questions);
        let questions: Vec<Value> = questions
            .map(|(question, view)| {
                let options: Vec<&str> = view.options.iter().map(|option| option.label.as_str()).collect();
                json!({"text": question.text, "options": options, "right": view.shown, "why": view.why})
            })
            .collect();
        json!({"title": tried.step.title, "t_ns": tried.quiz.t, "questions": questions})
    };
    json!({"seed": variant.seed, "steps": variant.steps.iter().map(step).collect::<Vec<_>>()})
}

fn print(file: &str, lesson: &Lesson, variants: &[Variant]) {
    println!("{file}: {} ({} steps, {} variants tried)", lesson.title, lesson.steps.len(), variants.len());
    for variant in variants {
        let numbers = numbers(lesson, variant.seed);
        let numbers: Vec<String> = numbers.iter().map(|(name, number)| format!("{name} {number}")).collect();
        println!("  seed {} {}", variant.seed, numbers.join(", "));
        for (index, tried) in (1..).zip(&variant.steps) {
            let moment = sim_core::engine::text::time(tried.quiz.t);
            println!("    {index}. {} ({moment})", tried.step.title);
            for (question, view) in tried.step.questions.iter().zip(&tried.quiz.questions) {
                let options: Vec<&str> = view.options.iter().map(|option| option.label.as_str()).collect();
                println!("       {} -> {} [{}] {}", question.text, view.shown, options.join(" | "), view.why);
            }
        }
        if lesson.vary.is_empty() && variant.steps.iter().all(|tried| tried.quiz.questions.is_empty()) {
            break;
        }
    }
}
