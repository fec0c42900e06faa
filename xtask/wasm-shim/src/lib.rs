//! The core behind four C functions, so that JavaScript can run it without glue code. As WebAssembly this module must
//! have no imports at all: the core asks nothing of its host, and `WebAssembly.instantiate(bytes, {})` proves it.
//!
//! Use: write a scenario's JSON into the `input(length)` bytes, call `run()`, read `output_length()` bytes at `output()`.

use sim_core::engine::Engine;
use sim_core::engine::protocol::{Ask, LaneProgress, Reply, Request, Response};
use std::sync::Mutex;

/// Events between two looks at the answers.
const EVENTS_PER_CALL: u64 = 1 << 20;

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<String> = Mutex::new(String::new());

/// Runs a scenario to its end through the engine's door, history and copies included, as the page does. Gives
/// `policy events simulated_ns digest` of its first lane.
pub fn digest_line(text: &str) -> Result<String, String> {
    let mut engine = Engine::new();
    engine.ask(Request { seq: 1, ask: Ask::SetScenario(text.to_string()) });
    let (mut key, mut last) = (None, None);
    let mut answers = Vec::new();
    loop {
        let more = engine.work(EVENTS_PER_CALL, &mut answers);
        for Response { reply, .. } in answers.drain(..) {
            match reply {
                Reply::Loaded(loaded) => key = loaded.lanes.first().cloned(),
                Reply::Problems(problems) => {
                    let sentences: Vec<String> =
                        problems.iter().map(|problem| format!("{}: {}", problem.path, problem.message)).collect();
                    return Err(sentences.join("; "));
                }
                Reply::Progress(lanes) => last = lanes.into_iter().next(),
                _ => {}
            }
        }
        if !more {
            break;
        }
    }
    match (key, last) {
        (Some(_), Some(LaneProgress { fault: Some(sentence), .. })) => Err(sentence),
        (Some(key), Some(lane)) => Ok(format!("{key} {} {} {:016x}", lane.events, lane.simulated, lane.digest)),
        _ => Err("the engine told no progress".to_string()),
    }
}

/// Makes room for `length` bytes of input; returns where to write them.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    std::panic::set_hook(Box::new(|panic| set_output(format!("panic: {panic}"))));
    let mut input = INPUT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Runs the scenario that was written; 1 when it reached its end. The output is the line or what was wrong. A panic
/// traps; the output then holds its message.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn run() -> u32 {
    let input = INPUT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    match digest_line(&String::from_utf8_lossy(&input)) {
        Ok(line) => {
            set_output(line);
            1
        }
        Err(sentence) => {
            set_output(sentence);
            0
        }
    }
}

/// Where the output is.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_ptr()
}

/// Bytes of the output.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    OUTPUT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).len()
}

fn set_output(text: String) {
    *OUTPUT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = text;
}
