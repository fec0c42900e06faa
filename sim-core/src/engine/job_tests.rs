//! Sweeps and figures through the engine's door.

use super::Engine;
use super::protocol::{Ask, JobAsk, JobNews, JobReply, Place, Reply, Request};
use crate::posts::{self, run::run_cell};
use crate::scenario::{self, builtins};
use crate::sweep::{PointRun, Sweep};

fn ask(engine: &mut Engine, seq: u32, ask: JobAsk) {
    engine.ask(Request { seq, ask: Ask::Job(ask) });
}

fn one(engine: &mut Engine, question: JobAsk) -> JobReply {
    ask(engine, 7, question);
    let mut out = Vec::new();
    engine.work(0, &mut out);
    match out.into_iter().find(|response| response.seq == 7).map(|response| response.reply) {
        Some(Reply::Job(reply)) => reply,
        other => panic!("no answer: {other:?}"),
    }
}

/// News of job `number` until it ends.
fn news(engine: &mut Engine, number: u32) -> Vec<JobNews> {
    let (mut all, mut out) = (Vec::new(), Vec::new());
    loop {
        let more = engine.work(4096, &mut out);
        for response in out.drain(..) {
            if let Reply::Job(JobReply::News { job, news }) = response.reply {
                assert_eq!(job, number, "news of another job");
                all.push(news);
            }
        }
        if !more {
            return all;
        }
    }
}

fn short() -> scenario::schema::Scenario {
    let mut scenario = builtins::find("interactive").expect("a built-in").scenario();
    scenario.duration_ns = 100_000_000;
    scenario
}

fn sweep_of(job: u32, vary: &str) -> JobAsk {
    JobAsk::Sweep { job, scenario: scenario::to_json(&short()), vary: vec![vary.into()], policies: Vec::new() }
}

#[test]
fn a_sweep_in_pieces_gives_what_it_gives_at_once() {
    let mut engine = Engine::new();
    ask(&mut engine, 1, sweep_of(5, "hogs=1..3"));
    let told = news(&mut engine, 5);
    let JobNews::Planned(plan) = &told[0] else { panic!("{told:?}") };
    assert_eq!((plan.points.len(), told.last()), (3, Some(&JobNews::Ended)));
    let sweep = Sweep::plan(&short(), &["hogs=1..3".into()], &[]).expect("it can run");
    for wanted in 0..3_u32 {
        let mut run = PointRun::new(&sweep.compiled(wanted as usize).expect("it compiles"));
        while run.work(u64::MAX) {}
        let (values, _) = run.values(sweep.measures()).expect("it ends");
        let point = JobNews::Point { index: wanted, values: Ok(values) };
        assert!(told.contains(&point), "point {wanted}");
    }
}

#[test]
fn a_new_job_takes_the_place_of_the_old_one_and_stop_ends_it() {
    let mut engine = Engine::new();
    ask(&mut engine, 1, sweep_of(1, "hogs=1..100"));
    engine.work(4096, &mut Vec::new());
    ask(&mut engine, 2, sweep_of(2, "hogs=1..2"));
    assert!(news(&mut engine, 2).contains(&JobNews::Ended));
    ask(&mut engine, 3, sweep_of(3, "hogs=1..100"));
    assert!(engine.work(4096, &mut Vec::new()));
    ask(&mut engine, 4, JobAsk::Stop);
    let mut out = Vec::new();
    assert!(!engine.work(4096, &mut out) && out.is_empty(), "{out:?}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let mut engine = Engine::new();
    let reply = one(&mut engine, sweep_of(1, "hoggs=1"));
    assert!(matches!(reply, JobReply::News { news: JobNews::Problems(_), .. }), "{reply:?}");
    let nowhere: Place = (99, 0, 0);
    for question in [
        JobAsk::Judge { post: "999".into(), figures: Vec::new() },
        JobAsk::Scenario { post: "000".into(), places: vec![nowhere] },
        JobAsk::Scenario { post: "000".into(), places: Vec::new() },
        JobAsk::Settings { scenario: "{".into() },
    ] {
        let reply = one(&mut engine, question);
        assert!(matches!(&reply, JobReply::Refused(problems) if !problems.is_empty()), "{reply:?}");
    }
}

/// The cheapest figures there are: the control, which no scheduler changes.
#[test]
fn figures_of_a_post_are_computed_judged_and_opened() {
    let mut engine = Engine::new();
    let JobReply::Posts(all) = one(&mut engine, JobAsk::Posts) else { panic!("no posts") };
    let post = all.iter().find(|post| post.key == "000").expect("post 000");
    let table = post.tables.iter().position(|table| table.key.starts_with("lat_select")).expect("lat_select") as u8;
    let places = vec![(table, 0, 0), (table, 0, 1)];
    ask(&mut engine, 1, JobAsk::Figures { job: 9, post: "000".into(), places: places.clone(), seeds: 2 });
    let told = news(&mut engine, 9);
    let (mut ours, mut second): (Vec<(Place, u64)>, Vec<_>) = (Vec::new(), Vec::new());
    let mut strips = 0;
    for news in &told {
        match news {
            JobNews::Figure { place, seed: 1, value: Ok(value) } => ours.push((*place, *value)),
            JobNews::Figure { place, seed: 2, value: Ok(value) } => second.push((*place, *value)),
            JobNews::Strip { strip, .. } => {
                strips += 1;
                assert!(strip.pieces.iter().all(|&(len, _, name)| len > 0 && usize::from(name) < strip.names.len()));
                // 60 µs of a process that never waits.
                assert_eq!(strip.pieces.iter().map(|piece| piece.0).sum::<u64>(), 60_000);
                // One CPU: its kinds of time are all the time there is.
                let mut cells = posts::find("000").expect("a post").cells().into_iter();
                let cell = cells.find(|cell| super::post_views::place(cell) == places[0]).expect("its cell");
                let measured = cell.scenario(1).duration_ns - cell.table.method.warm_up_ns;
                assert_eq!(strip.times.iter().sum::<u64>(), measured);
            }
            _ => {}
        }
    }
    assert_eq!((ours.len(), second.len()), (places.len(), places.len()), "a figure per seed");
    assert!(strips > 0, "the first seed has strips");
    for wanted in &places {
        let cell = posts::find("000")
            .expect("a post")
            .cells()
            .into_iter()
            .find(|cell| super::post_views::place(cell) == *wanted);
        let at_once = run_cell(cell.expect("a figure"), 1).expect("it runs");
        assert_eq!(ours.iter().find(|(place, _)| place == wanted).map(|(_, value)| *value), Some(at_once));
    }
    let JobReply::Judged(judged) = one(&mut engine, JobAsk::Judge { post: "000".into(), figures: ours.clone() }) else {
        panic!("not judged")
    };
    assert_eq!((judged.figures, judged.errors.len()), (ours.len() as u32, ours.len()));
    let JobReply::Scenario(text) = one(&mut engine, JobAsk::Scenario { post: "000".into(), places }) else {
        panic!("no scenario")
    };
    let (scenario, warnings) = scenario::parse_for_run(&text).expect("it runs");
    assert_eq!((scenario.lanes.len(), warnings), (2, Vec::new()));
    assert!(!scenario.title.contains("pre9"), "{} names one kernel of two", scenario.title);
}

#[test]
fn settings_of_a_scenario_include_its_policies_tunables() {
    let reply = one(&mut Engine::new(), JobAsk::Settings { scenario: scenario::to_json(&short()) });
    let JobReply::Settings(settings) = reply else { panic!("{reply:?}") };
    for key in ["hogs", "editor.sleep", "hogs.nice", "seed", "cores"] {
        assert!(settings.iter().any(|setting| setting.key == key), "{key}");
    }
    assert!(settings.iter().any(|setting| setting.key.starts_with("tunable.")));
}

/// What is on the screen is computed first, with every seed.
#[test]
fn figures_are_computed_in_the_order_in_which_they_are_wanted() {
    let mut engine = Engine::new();
    let JobReply::Posts(all) = one(&mut engine, JobAsk::Posts) else { panic!("no posts") };
    let post = all.iter().find(|post| post.key == "000").expect("post 000");
    let table = post.tables.iter().position(|table| table.key.starts_with("lat_select")).expect("lat_select") as u8;
    let wanted = [(table, 0, 1), (table, 0, 0)];
    ask(&mut engine, 1, JobAsk::Figures { job: 3, post: "000".into(), places: wanted.to_vec(), seeds: 2 });
    let of = |news: &JobNews| match news {
        JobNews::Figure { place, seed, .. } => Some((*seed, *place)),
        _ => None,
    };
    let told: Vec<(u64, Place)> = news(&mut engine, 3).iter().filter_map(of).collect();
    assert_eq!(told, [(1, wanted[0]), (1, wanted[1]), (2, wanted[0]), (2, wanted[1])]);
}
