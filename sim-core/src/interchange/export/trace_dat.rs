//! `trace.dat` of trace-cmd, version 6, as KernelShark and `trace-cmd report` read it: the formats of the
//! events as text, then a section of ring-buffer pages per CPU. Layout after `trace-cmd.dat.v6(5)` and the kernel's
//! `ring_buffer.c`; little-endian, longs of 8 bytes. The sizes stand before the data, so all of it is kept to the end.

use super::Facts;
use super::events::{Event, Teller, Told, prio, state, tid};
use crate::engine::protocol::LogEntry;
use std::fmt::Write;

/// Size of a page, and of what its head takes: time (8), committed bytes (8).
const PAGE: usize = 4096;
const PAGE_HEAD: usize = 16;
/// A task's name in an event, with the zero at its end.
const COMM: usize = 16;
/// An event's head holds so many bits of the time since the event before.
const DELTA_BITS: u32 = 27;
/// Kind of an entry that only carries more of them.
const TIME_EXTEND: u32 = 30;
/// Bits of `common_flags`.
const IRQS_OFF: u8 = 1;
const IN_IRQ: u8 = 8;
/// Option that names the clock.
const OPTION_CLOCK: u16 = 7;

/// A field of an event.
type Field = (&'static str, usize, bool);

const fn comm(declared: &'static str) -> Field {
    (declared, COMM, false)
}
const fn int(declared: &'static str) -> Field {
    (declared, 4, true)
}

/// A kind of event: its system, name, number, fields, and how it is printed.
struct Kind {
    system: &'static str,
    name: &'static str,
    id: u16,
    fields: &'static [Field],
    print: &'static str,
}

const TASK: [Field; 3] = [comm("char comm[16]"), int("pid_t pid"), int("int prio")];
const WOKEN: &[Field] = &[TASK[0], TASK[1], TASK[2], int("int target_cpu")];
const WOKEN_PRINT: &str = "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, REC->target_cpu";

const PRINT: u16 = 5;
const SWITCH: u16 = 100;
const WAKING: u16 = 101;
const WAKEUP: u16 = 102;
const WAKEUP_NEW: u16 = 103;
const MIGRATE: u16 = 104;
const FORK: u16 = 105;
const EXIT: u16 = 106;

const KINDS: [Kind; 8] = [
    Kind {
        system: "ftrace",
        name: "print",
        id: PRINT,
        fields: &[("unsigned long ip", 8, false), ("char buf[]", 0, false)],
        print: "\"%s\", REC->buf",
    },
    Kind {
        system: "sched",
        name: "sched_switch",
        id: SWITCH,
        fields: &[
            comm("char prev_comm[16]"),
            int("pid_t prev_pid"),
            int("int prev_prio"),
            ("long prev_state", 8, true),
            comm("char next_comm[16]"),
            int("pid_t next_pid"),
            int("int next_prio"),
        ],
        print: "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%ld ==> next_comm=%s next_pid=%d next_prio=%d\", \
            REC->prev_comm, REC->prev_pid, REC->prev_prio, REC->prev_state, REC->next_comm, REC->next_pid, REC->next_prio",
    },
    Kind { system: "sched", name: "sched_waking", id: WAKING, fields: WOKEN, print: WOKEN_PRINT },
    Kind { system: "sched", name: "sched_wakeup", id: WAKEUP, fields: WOKEN, print: WOKEN_PRINT },
    Kind { system: "sched", name: "sched_wakeup_new", id: WAKEUP_NEW, fields: WOKEN, print: WOKEN_PRINT },
    Kind {
        system: "sched",
        name: "sched_migrate_task",
        id: MIGRATE,
        fields: &[TASK[0], TASK[1], TASK[2], int("int orig_cpu"), int("int dest_cpu")],
        print: "\"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", \
            REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu",
    },
    Kind {
        system: "sched",
        name: "sched_process_fork",
        id: FORK,
        fields: &[
            comm("char parent_comm[16]"),
            int("pid_t parent_pid"),
            comm("char child_comm[16]"),
            int("pid_t child_pid"),
        ],
        print: "\"comm=%s pid=%d child_comm=%s child_pid=%d\", \
            REC->parent_comm, REC->parent_pid, REC->child_comm, REC->child_pid",
    },
    Kind {
        system: "sched",
        name: "sched_process_exit",
        id: EXIT,
        fields: &TASK,
        print: "\"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio",
    },
];

/// Pages of one CPU.
#[derive(Default)]
struct Pages {
    bytes: Vec<u8>,
    /// Where the open page begins.
    page: usize,
    /// Time of the last event.
    last: u64,
}

impl Pages {
    /// Adds an event of whole words.
    fn add(&mut self, t: u64, event: &[u8]) {
        debug_assert!(event.len().is_multiple_of(4) && event.len() <= 28 * 4);
        let size = |delta: u64| 4 + event.len() + if delta >> DELTA_BITS == 0 { 0 } else { 8 };
        if self.bytes.is_empty() || self.bytes.len() + size(t - self.last) > self.page + PAGE {
            self.close();
            self.page = self.bytes.len();
            self.bytes.extend(t.to_le_bytes());
            self.bytes.extend([0; 8]);
            self.last = t;
        }
        let delta = t - self.last;
        let low = (delta & ((1 << DELTA_BITS) - 1)) as u32;
        let head = if delta >> DELTA_BITS == 0 {
            low
        } else {
            self.bytes.extend((low << 5 | TIME_EXTEND).to_le_bytes());
            self.bytes.extend(((delta >> DELTA_BITS) as u32).to_le_bytes());
            0
        };
        self.bytes.extend((head << 5 | (event.len() / 4) as u32).to_le_bytes());
        self.bytes.extend(event);
        self.last = t;
    }

    /// Says how much of the open page is used, and fills the rest.
    fn close(&mut self) {
        if !self.bytes.is_empty() {
            let used = (self.bytes.len() - self.page - PAGE_HEAD) as u64;
            self.bytes[self.page + 8..self.page + PAGE_HEAD].copy_from_slice(&used.to_le_bytes());
            self.bytes.resize(self.page + PAGE, 0);
        }
    }
}

/// State of the writer.
pub struct TraceDat {
    teller: Teller,
    cpus: Vec<Pages>,
}

impl TraceDat {
    pub fn new(cpus: u16) -> TraceDat {
        TraceDat { teller: Teller::new(cpus), cpus: (0..cpus).map(|_| Pages::default()).collect() }
    }

    pub fn feed(&mut self, facts: &Facts, entries: &[LogEntry]) {
        let TraceDat { teller, cpus } = self;
        teller.feed(entries, &mut |told| write(cpus, facts, &told));
    }

    /// The whole file.
    pub fn end(mut self, facts: &Facts, at: u64) -> Vec<u8> {
        for cpu in 0..self.cpus.len() as u16 {
            let told = self.teller.end(at, cpu);
            write(&mut self.cpus, facts, &told);
        }
        self.cpus.iter_mut().for_each(Pages::close);
        let mut out = heading(facts);
        // Where the pages of each CPU stand; they begin at a page of the file.
        let mut at = (out.len() + 16 * self.cpus.len()).next_multiple_of(PAGE);
        for pages in &self.cpus {
            out.extend((at as u64).to_le_bytes());
            out.extend((pages.bytes.len() as u64).to_le_bytes());
            at += pages.bytes.len();
        }
        out.resize(out.len().next_multiple_of(PAGE), 0);
        self.cpus.iter().for_each(|pages| out.extend(&pages.bytes));
        out
    }
}

fn write(cpus: &mut [Pages], facts: &Facts, told: &Told) {
    let Some(pages) = cpus.get_mut(usize::from(told.cpu)) else { return };
    let mut bytes = Vec::with_capacity(80);
    let id = match told.event {
        Event::Switch { .. } => SWITCH,
        Event::Waking { .. } => WAKING,
        Event::Wakeup { .. } => WAKEUP,
        Event::WakeupNew { .. } => WAKEUP_NEW,
        Event::Migrate { .. } => MIGRATE,
        Event::Fork { .. } => FORK,
        Event::Exit { .. } => EXIT,
        Event::End => PRINT,
    };
    let flags = if told.context.irqs_off { IRQS_OFF } else { 0 } | if told.context.in_irq { IN_IRQ } else { 0 };
    bytes.extend(id.to_le_bytes());
    bytes.extend([flags, told.context.preempt_count]);
    bytes.extend(tid(told.who).to_le_bytes());
    let put = |bytes: &mut Vec<u8>, number: i32| bytes.extend(number.to_le_bytes());
    let task = |bytes: &mut Vec<u8>, task: u32| {
        name(bytes, facts.name(task));
        bytes.extend(tid(task).to_le_bytes());
    };
    match told.event {
        Event::Switch { prev, ended, next } => {
            task(&mut bytes, prev);
            put(&mut bytes, prio(facts, prev));
            bytes.extend(state(ended).1.to_le_bytes());
            task(&mut bytes, next);
            put(&mut bytes, prio(facts, next));
        }
        Event::Waking { task: of, target }
        | Event::Wakeup { task: of, target }
        | Event::WakeupNew { task: of, target } => {
            task(&mut bytes, of);
            put(&mut bytes, prio(facts, of));
            put(&mut bytes, target.into());
        }
        Event::Migrate { task: of, from, to } => {
            task(&mut bytes, of);
            put(&mut bytes, prio(facts, of));
            put(&mut bytes, from.into());
            put(&mut bytes, to.into());
        }
        Event::Fork { parent, child } => {
            task(&mut bytes, parent);
            task(&mut bytes, child);
        }
        Event::Exit { task: of } => {
            task(&mut bytes, of);
            put(&mut bytes, prio(facts, of));
        }
        Event::End => {
            bytes.extend(0u64.to_le_bytes());
            bytes.extend(b"end of the run\n\0");
        }
    }
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    // KernelShark takes time 0 for no time and then mixes up the order of the CPUs.
    pages.add(told.t.max(1), &bytes);
}

/// A name in its field: what does not fit is cut at a letter.
fn name(bytes: &mut Vec<u8>, name: &str) {
    let mut end = name.len().min(COMM - 1);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let start = bytes.len();
    bytes.extend(name[..end].bytes());
    bytes.resize(start + COMM, 0);
}

/// All before the table of the CPUs' sections.
fn heading(facts: &Facts) -> Vec<u8> {
    let mut out = Vec::new();
    // Little-endian, longs of 8 bytes.
    out.extend(b"\x17\x08\x44tracing6\0\0\x08");
    out.extend((PAGE as u32).to_le_bytes());
    let data = PAGE - PAGE_HEAD;
    let page = format!(
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
         \tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\
         \tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n\
         \tfield: char data;\toffset:{PAGE_HEAD};\tsize:{data};\tsigned:1;\n"
    );
    let event = "# compressed entry header\n\
         \ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n\
         \tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n\
         \tdata max type_len  == 28\n";
    for (word, text) in [("header_page", page.as_str()), ("header_event", event)] {
        out.extend(word.bytes().chain([0]));
        long(&mut out, text);
    }
    let of = |system: &'static str| KINDS.iter().filter(move |kind| kind.system == system);
    out.extend((of("ftrace").count() as u32).to_le_bytes());
    of("ftrace").for_each(|kind| long(&mut out, &format_of(kind)));
    out.extend(1u32.to_le_bytes());
    out.extend(b"sched\0");
    out.extend((of("sched").count() as u32).to_le_bytes());
    of("sched").for_each(|kind| long(&mut out, &format_of(kind)));
    // Names of functions and of printk's formats: there are none.
    out.extend([0; 8]);
    let mut names = String::new();
    for (id, task) in facts.tasks.iter().enumerate() {
        let _ = writeln!(names, "{} {}", id + 1, task.name);
    }
    long(&mut out, &names);
    out.extend(u32::from(facts.cpus).to_le_bytes());
    out.extend(b"options  \0");
    let clock = b"[mono]\0";
    out.extend(OPTION_CLOCK.to_le_bytes());
    out.extend((clock.len() as u32).to_le_bytes());
    out.extend(clock);
    out.extend(0u16.to_le_bytes());
    out.extend(b"flyrecord\0");
    out
}

/// A text with its length in 8 bytes before it.
fn long(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.bytes());
}

/// The kernel's `format` file of a kind of event.
fn format_of(kind: &Kind) -> String {
    let mut text = format!("name: {}\nID: {}\nformat:\n", kind.name, kind.id);
    let mut offset = 0;
    let mut field = |text: &mut String, (declared, size, signed): Field| {
        let _ = writeln!(text, "\tfield:{declared};\toffset:{offset};\tsize:{size};\tsigned:{};", u8::from(signed));
        offset += size;
    };
    let common = [
        ("unsigned short common_type", 2, false),
        ("unsigned char common_flags", 1, false),
        ("unsigned char common_preempt_count", 1, false),
        ("int common_pid", 4, true),
    ];
    common.into_iter().for_each(|one| field(&mut text, one));
    text.push('\n');
    kind.fields.iter().for_each(|&one| field(&mut text, one));
    let _ = write!(text, "\nprint fmt: {}\n", kind.print);
    text
}
