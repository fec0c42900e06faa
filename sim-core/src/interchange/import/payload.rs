//! What an event says: key form (`prev_comm=A prev_pid=1 ...`) and short form (`A:1 [120] S ==> B:2 [120]`).

/// The events that matter here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// `sched_switch`.
    Switch {
        /// Who left.
        prev: Thread,
        /// Its state letter.
        state: Letter,
        /// Who came.
        next: Thread,
    },
    /// `sched_waking`, `sched_wakeup`.
    Wake(Thread),
    /// `sched_wakeup_new`.
    New(Thread),
    /// `sched_process_exit`.
    Exit(u32),
}

/// A thread as an event names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// Thread id; 0 is idle.
    pub tid: u32,
    /// Name.
    pub name: String,
    /// The kernel's priority.
    pub prio: i32,
}

/// State of a task that left its CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Letter {
    /// Runnable: preempted or yielded.
    Runnable,
    /// Preempted, in the kernel's own bit.
    Preempted,
    /// Asleep.
    Sleep,
    /// Asleep, uninterruptible.
    Disk,
    /// Stopped or traced.
    Stopped,
    /// Ended.
    Dead,
    /// Not known.
    Unknown,
}

fn letter(text: &str) -> Letter {
    if let Ok(bits) = text.parse::<u64>() {
        return match bits {
            0 => Letter::Runnable,
            256 | 1024 | 2048 | 4096 => Letter::Preempted,
            bits if bits & 1 != 0 => Letter::Sleep,
            bits if bits & (2 | 128) != 0 => Letter::Disk,
            bits if bits & (4 | 8) != 0 => Letter::Stopped,
            bits if bits & (16 | 32 | 64) != 0 => Letter::Dead,
            _ => Letter::Unknown,
        };
    }
    if text == "R+" {
        return Letter::Preempted;
    }
    let has =
        |letters: &str| text.split('|').any(|part| letters.contains(part.trim_end_matches('+')) && !part.is_empty());
    match () {
        () if has("S") => Letter::Sleep,
        () if has("D") || has("I") || has("P") => Letter::Disk,
        () if has("X") || has("Z") || has("x") => Letter::Dead,
        () if has("T") || has("t") => Letter::Stopped,
        () if has("R") => Letter::Runnable,
        () => Letter::Unknown,
    }
}

/// Text of `key=` up to the next blank.
fn field<'p>(payload: &'p str, key: &str) -> Option<&'p str> {
    let at = payload.rfind(key)?;
    payload[at + key.len()..].split(' ').next().filter(|text| !text.is_empty())
}

/// `PREFIXcomm=A PREFIXpid=1 PREFIXprio=120` inside a text that ends with this thread's fields.
fn key_thread(text: &str, prefix: &str) -> Option<Thread> {
    let comm = format!("{prefix}comm=");
    let pid = format!(" {prefix}pid=");
    let start = text.find(&comm)? + comm.len();
    // A name may hold such a key itself: the last one counts.
    let end = text.rfind(&pid).filter(|end| *end >= start)?;
    let tid = field(&text[end..], &pid)?.parse().ok()?;
    let prio = field(&text[end..], &format!(" {prefix}prio=")).and_then(|text| text.parse().ok()).unwrap_or(120);
    Some(Thread { tid, name: text[start..end].to_string(), prio })
}

/// `A:1 [120]` at the start of a text that ends there; gives what follows the bracket too.
fn short_thread(text: &str) -> Option<(Thread, &str)> {
    for (at, _) in text.rmatch_indices(" [") {
        let (number, rest) = text[at + 2..].split_once(']')?;
        let Ok(prio) = number.parse() else { continue };
        let (name, tid) = text[..at].rsplit_once(':')?;
        return Some((Thread { tid: tid.parse().ok()?, name: name.trim().to_string(), prio }, rest.trim()));
    }
    None
}

fn switch(payload: &str) -> Option<What> {
    if payload.contains("prev_pid=") {
        let middle = payload.find(" next_comm=")?;
        let (before, after) = payload.split_at(middle);
        let before = before.trim_end().trim_end_matches("==>").trim_end();
        let state = letter(field(before, "prev_state=")?);
        return Some(What::Switch { prev: key_thread(before, "prev_")?, state, next: key_thread(after, "next_")? });
    }
    let (before, after) = payload.split_once(" ==> ")?;
    let (prev, state) = short_thread(before)?;
    let (next, _) = short_thread(after)?;
    Some(What::Switch { prev, state: letter(state), next })
}

fn woken(payload: &str) -> Option<Thread> {
    if payload.contains("comm=") { key_thread(payload, "") } else { short_thread(payload).map(|(thread, _)| thread) }
}

/// Reads an event; `None` for one that says nothing about scheduling.
pub fn read(event: &str, payload: &str) -> Result<Option<What>, String> {
    let bad = || format!("{event} is cut or damaged");
    match event {
        "sched_switch" => switch(payload).map(Some).ok_or_else(bad),
        "sched_waking" | "sched_wakeup" if field(payload, "success=") == Some("0") => Ok(None),
        "sched_waking" | "sched_wakeup" => woken(payload).map(|thread| Some(What::Wake(thread))).ok_or_else(bad),
        "sched_wakeup_new" => woken(payload).map(|thread| Some(What::New(thread))).ok_or_else(bad),
        "sched_process_exit" => woken(payload).map(|thread| Some(What::Exit(thread.tid))).ok_or_else(bad),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_hold_keys_and_colons() {
        let keys = "prev_comm=a=b prev_pid=1 x prev_pid=7 prev_prio=120 prev_state=S ==> next_comm=rs:main Q next_pid=8 next_prio=98";
        let Ok(Some(What::Switch { prev, state, next })) = read("sched_switch", keys) else { panic!() };
        assert_eq!((prev.tid, prev.name.as_str(), state), (7, "a=b prev_pid=1 x", Letter::Sleep));
        assert_eq!((next.tid, next.name.as_str(), next.prio), (8, "rs:main Q", 98));
        let Ok(Some(What::Switch { prev, state, next })) =
            read("sched_switch", "in:x [y]:7 [120] D|W ==> rs:main Q:8 [98] Latency: 1.0 usecs")
        else {
            panic!()
        };
        assert_eq!((prev.name.as_str(), prev.tid, state), ("in:x [y]", 7, Letter::Disk));
        assert_eq!((next.name.as_str(), next.tid), ("rs:main Q", 8));
        let raw = "prev_comm=a prev_pid=1 prev_prio=120 prev_state=4096 next_comm=b next_pid=2 next_prio=120";
        assert!(matches!(read("sched_switch", raw), Ok(Some(What::Switch { state: Letter::Preempted, .. }))));
        assert!(read("sched_switch", "prev_comm=a prev_pid=1 prev_pr").is_err());
        assert_eq!(read("sched_wakeup", "comm=a pid=1 prio=120 success=0 target_cpu=000"), Ok(None));
    }
}
