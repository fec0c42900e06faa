//! The fuzz targets for a bounded time on mutated good inputs. `SCHEDSCOPE_FUZZ_SECONDS` (default 6) is the time of each
//! target, `SCHEDSCOPE_FUZZ_SEED` another start. A failure prints the input; put it into a worked test of its own.

use serde_json::{Value, json};
use sim_core::scenario::{self, builtins, link};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// xorshift64*: the tests need no more.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n.max(1)
    }
}

/// Calls `once` with a fresh input until the time is over. The input of a panic is shown.
fn fuzz<I: std::fmt::Debug>(name: &str, mut input: impl FnMut(&mut Random) -> I, once: impl Fn(&I)) {
    let number =
        |key: &str, default: u64| std::env::var(key).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let time = Duration::from_secs(number("SCHEDSCOPE_FUZZ_SECONDS", 6));
    let seed = number("SCHEDSCOPE_FUZZ_SEED", 0x5ced_5c09e);
    let mut random = Random(seed | 1);
    let start = Instant::now();
    let (mut count, mut slowest) = (0u64, Duration::ZERO);
    while start.elapsed() < time {
        let input = input(&mut random);
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| once(&input)));
        slowest = slowest.max(began.elapsed());
        assert!(outcome.is_ok(), "{name}: input {count} of seed {seed} panicked:\n{input:?}");
        assert!(slowest < Duration::from_secs(20), "{name}: input {count} of seed {seed} took {slowest:?}:\n{input:?}");
        count += 1;
    }
    println!("{name}: {count} inputs, slowest {slowest:?}");
}

fn good_scenario(random: &mut Random) -> Value {
    let builtin = &builtins::BUILTINS[random.below(builtins::BUILTINS.len())];
    serde_json::from_str(&scenario::to_json(&builtin.scenario())).unwrap()
}

/// Values that break careless readers.
fn nasty(random: &mut Random) -> Value {
    let values = [
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(2),
        json!(255),
        json!(65_536),
        json!(1_000_000_000u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(0.5),
        json!(true),
        json!(""),
        json!("<script>alert(1)</script>"),
        json!("é".repeat(500)),
        json!([]),
        json!({}),
        json!([[[[[[[[[[0]]]]]]]]]]),
        json!(["loop", 1_000_000_000u64, [["yield"]]]),
        json!([["run", 0]]),
        json!([["yield"], ["mark", "m"], ["fork", "x"], ["exit"]]),
        json!("program"),
        json!("lat-ctx"),
    ];
    values[random.below(values.len())].clone()
}

/// Changes one randomly chosen place of the document.
fn mutate(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(fields) if !fields.is_empty() && random.below(8) > 0 => {
            let key = fields.keys().nth(random.below(fields.len())).cloned().unwrap();
            match random.below(16) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert(format!("{key}x"), nasty(random))),
                _ => mutate(fields.get_mut(&key).unwrap(), random),
            }
        }
        Value::Array(items) if !items.is_empty() && random.below(8) > 0 => {
            let index = random.below(items.len());
            match random.below(12) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => mutate(&mut items[index], random),
            }
        }
        Value::Number(number) if random.below(2) == 0 => {
            let old = number.as_u64().unwrap_or(0);
            let changed = [
                old / 2,
                old.saturating_mul(2),
                old.saturating_add(1),
                old.saturating_sub(1),
                old ^ 1 << random.below(20),
            ];
            *value = json!(changed[random.below(changed.len())]);
        }
        _ => *value = nasty(random),
    }
}

/// Changes some bytes of a text.
fn scratch(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1).min(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, b" -._~=&#%{}[]\"0:/Az\xff"[random.below(20)]),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn mutated_scenarios_are_refused_or_run() {
    let input = |random: &mut Random| {
        let mut document = good_scenario(random);
        for _ in 0..=random.below(3) {
            mutate(&mut document, random);
        }
        let text = document.to_string();
        if random.below(5) == 0 { scratch(&text, random) } else { text }
    };
    fuzz("scenario", input, |text| schedscope_fuzz::scenario(text));
}

/// A short lesson with every kind of question, on runs that end within the engine's turns.
fn good_lesson() -> Value {
    let scenario = json!({"v": 1, "duration_ns": 300_000_000, "machine": {"cores": 2}, "lanes": [{"policy": "o1-2.6.21"}, {"policy": "cfs-2.6.24"}],
        "workloads": [{"name": "hog", "kind": "hog", "count": "{hogs}"}, {"name": "ed", "kind": "sleeper"}]});
    json!({"v": 1, "title": "t", "summary": "s", "vary": {"hogs": [1, 2, 3]}, "steps": [
        {"title": "a", "text": ["{hogs} [ed]"], "scenario": scenario, "view": {"t": 1, "next": "wakeup", "task": "ed", "tasks": ["ed"]},
         "questions": [{"ask": "next", "text": "?"}, {"ask": "where", "text": "?", "task": "ed"},
            {"ask": "number", "text": "?", "measure": "run", "of": "ed", "options": ["1", "20"]}]},
        {"title": "b", "text": ["x"], "view": {"t": 200_000_000, "show": ["timeline", "compare"]}, "after": ["y"],
         "questions": [{"ask": "number", "text": "?", "measure": "share", "of": "hog", "from": 1, "to": 100},
            {"ask": "number", "text": "?", "measure": "gauge", "of": "ed", "label": "prio", "unit": "count"},
            {"ask": "best", "text": "?", "measure": "latency-p99", "want": "least"},
            {"ask": "choice", "text": "?", "options": ["a", "b"], "right": 2}]}]})
}

#[test]
fn mutated_lessons_are_refused_or_run() {
    let input = |random: &mut Random| {
        let mut document = good_lesson();
        for _ in 0..=random.below(3) {
            mutate(&mut document, random);
        }
        let text = document.to_string();
        if random.below(5) == 0 { scratch(&text, random) } else { text }
    };
    fuzz("lesson", input, |text| schedscope_fuzz::lesson(text));
}

#[test]
fn mutated_links_are_refused_or_read_as_themselves() {
    let input = |random: &mut Random| {
        let mut document = good_scenario(random);
        mutate(&mut document, random);
        let parsed = scenario::parse(&document.to_string()).map(|(document, _)| document);
        let document = parsed.unwrap_or_else(|_| builtins::BUILTINS[0].scenario());
        let good = link::encode(&document, &link::View::default());
        if random.below(8) == 0 { good } else { scratch(&good, random) }
    };
    fuzz("link", input, |text| schedscope_fuzz::link(text));
}

#[test]
fn any_questions_leave_the_engine_standing() {
    let input = |random: &mut Random| {
        let length = 64 + random.below(512);
        (0..length).map(|_| (random.next() >> 24) as u8).collect::<Vec<u8>>()
    };
    fuzz("questions", input, |bytes| schedscope_fuzz::questions(bytes));
}

/// Small files of other programs, one per format.
const FOREIGN: [&str; 6] = [
    "# tracer: nop\n a-11 [000] d..2. 1.000100: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=11 next_prio=120\n a-11 [000] d..4. 1.000300: sched_waking: comm=b c pid=12 prio=98 target_cpu=001\n a-11 [000] d..2. 1.000500: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=b c next_pid=12 next_prio=98\n b c-12 [000] d..2. 1.000900: sched_switch: prev_comm=b c prev_pid=12 prev_prio=98 prev_state=D|W ==> next_comm=swapper/0 next_pid=0 next_prio=120\n",
    " a b 11/11 [002] 1.000100: 1 sched:sched_switch: swapper/2:0 [120] R ==> a b:11 [120]\n a b 11/11 [002] 1.000100900: sched:sched_switch: a b:11 [120] S ==> x:y:12 [49]\n",
    "Attaching 9 probes...\nST:0:ff\nP:0:b:78:a:b\nS:10:0:0:0:b\nS:1000:0:b:1:0\nW:2000:0:0:b\nS:2000:0:0:0:b\nS:2800:0:b:0:0\n",
    "{ /* a */ \"global\": {\"duration\": 2}, \"tasks\": {\"p\": {\"instance\": 2, \"phases\": {\"x\": {\"loop\": 10, \"run\": 20, \"resume\": \"c\", \"timer\": {\"ref\": \"unique0\", \"period\": 100},}}}, \"c\": {\"suspend\": \"x\", \"run\": 15, \"barrier\": \"b\", \"fork\": \"p\"}}}",
    "pid,arrival,burst,priority\nP1,0,5,2\nP2,3,4,1\n",
    "0,180,0:100,20,5",
];

#[test]
fn mutated_files_of_other_programs_are_refused_or_run() {
    let input = |random: &mut Random| {
        let good = FOREIGN[random.below(FOREIGN.len())];
        let repeated = good.repeat(1 + random.below(3));
        scratch(&scratch(&repeated, random), random)
    };
    fuzz("import", input, |text| schedscope_fuzz::import(text));
}
