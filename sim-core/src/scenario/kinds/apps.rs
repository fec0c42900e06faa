//! What sits at a desk: editor, players, X server with clients, and a periodic real-time task.

use super::super::code::{Code, exponential, uniform};
use super::{Kind, ParamSpec, answered};
use crate::policy::SchedClass;
use crate::task::program::{Amount, Op, Value};

/// Keys between two re-layouts of the editor.
const KEYS_PER_LAYOUT: u64 = 30;

/// Someone types: short work per key, after some thirty keys a longer re-layout and a save to disk.
pub(super) static EDITOR: Kind = Kind {
    key: "editor",
    label: "Editor",
    help: "Somebody types: a little work per key, now and then a re-layout and a save; count: number of editors",
    params: &[
        ParamSpec::time("think", "Mean time between keys", 1_000_000, 10_000_000_000, 150_000_000),
        ParamSpec::time("key", "Work per key", 10_000, 100_000_000, 3_000_000),
        ParamSpec::time("layout", "Work of a re-layout", 10_000, 1_000_000_000, 60_000_000),
    ],
    count_max: 1_000,
    count_default: 1,
    rows: |_| 1,
    build: |unit| {
        let (think, layout) = (exponential(unit.value("think")), uniform(unit.value("layout"), 30));
        let key = uniform(unit.value("key"), 50);
        let mark = unit.mark("key");
        let mut code = Code::new();
        code.forever(|c| {
            c.repeat(Value::Const(KEYS_PER_LAYOUT), |c| answered(c, mark, Op::Sleep(think), key));
            c.run(layout).op(Op::SleepUninterruptible(Amount::fixed(8_000_000)));
        });
        unit.task("", &code);
    },
};

/// Refills a sound buffer once per period; late = the sound stutters.
pub(super) static AUDIO: Kind = Kind {
    key: "audio",
    label: "Audio player",
    help: "Decodes a buffer of sound each period; count: number of players",
    params: &[
        ParamSpec::time("period", "Period", 1_000_000, 1_000_000_000, 10_000_000),
        ParamSpec::time("work", "Work per period", 10_000, 100_000_000, 600_000),
        ParamSpec::fixed("jitter", "Jitter of the work", "percent", (0, 100, 20)),
    ],
    count_max: 1_000,
    count_default: 1,
    rows: |_| 1,
    build: |unit| {
        let (period, work) = (uniform(unit.value("period"), 0), uniform(unit.value("work"), unit.get("jitter")));
        let mark = unit.mark("buffer");
        let mut code = Code::new();
        code.forever(|c| answered(c, mark, Op::SleepUntilPeriod(period), work));
        unit.task("", &code);
    },
};

/// Decodes a picture per period; pictures differ much in cost.
pub(super) static VIDEO: Kind = Kind {
    key: "video",
    label: "Video player",
    help: "Decodes 25 pictures a second, some dearer than others; count: number of players",
    params: &[
        ParamSpec::time("period", "Period", 1_000_000, 1_000_000_000, 40_000_000),
        ParamSpec::time("work", "Work per picture", 10_000, 500_000_000, 9_000_000),
        ParamSpec::fixed("jitter", "Jitter of the work", "percent", (0, 100, 60)),
    ],
    count_max: 1_000,
    count_default: 1,
    rows: |_| 1,
    build: |unit| {
        let (period, work) = (uniform(unit.value("period"), 0), uniform(unit.value("work"), unit.get("jitter")));
        let mark = unit.mark("picture");
        let mut code = Code::new();
        code.forever(|c| answered(c, mark, Op::SleepUntilPeriod(period), work));
        unit.task("", &code);
    },
};

/// One server draws for several clients: a client's answer needs the server to run, too.
pub(super) static XSERVER: Kind = Kind {
    key: "xserver",
    label: "X server with clients",
    help: "Clients react to input and have the server draw for them; count: number of servers",
    params: &[
        ParamSpec::fixed("clients", "Clients of a server", "count", (1, 100, 4)),
        ParamSpec::time("think", "Mean time between inputs", 1_000_000, 10_000_000_000, 100_000_000),
        ParamSpec::time("client", "Client's work per input", 1_000, 100_000_000, 1_500_000),
        ParamSpec::time("server", "Server's work per request", 1_000, 100_000_000, 1_000_000),
    ],
    count_max: 50,
    count_default: 1,
    rows: |args| args.get("clients") as u32 + 1,
    build: |unit| {
        let think = exponential(unit.value("think"));
        let (client, server) = (uniform(unit.value("client"), 50), uniform(unit.value("server"), 50));
        let (requests, replies, mark) = (unit.channel(), unit.channel(), unit.mark("drawn"));
        let mut code = Code::new();
        code.forever(|c| {
            c.wait(requests).run(server).signal(replies, 1);
        });
        unit.task("server", &code);
        for number in 1..=unit.get("clients") {
            // Replies go to the clients in the order in which they wait, which is the order of their requests.
            let mut code = Code::new();
            code.forever(|c| {
                c.op(Op::RequestOnWake).sleep(think).run(client).signal(requests, 1).wait(replies).op(Op::Mark(mark));
            });
            unit.task(&format!("client{number}"), &code);
        }
    },
};

/// A control loop. It runs as FIFO 50 unless the workload names a real-time class itself.
pub(super) static PERIODIC_RT: Kind = Kind {
    key: "periodic-rt",
    label: "Periodic real-time",
    help: "Works once per period as FIFO 50, or in the real-time class that you choose; count: number of tasks",
    params: &[
        ParamSpec::time("period", "Period", 100_000, 1_000_000_000, 10_000_000),
        ParamSpec::time("work", "Work per period", 1_000, 500_000_000, 2_000_000),
    ],
    count_max: 1_000,
    count_default: 1,
    rows: |_| 1,
    build: |unit| {
        let (period, work) = (uniform(unit.value("period"), 0), uniform(unit.value("work"), 0));
        let mark = unit.mark("done");
        let mut code = Code::new();
        code.forever(|c| answered(c, mark, Op::SleepUntilPeriod(period), work));
        let (class, rt_priority) = match unit.workload().class {
            class if class.is_rt() => (class, unit.workload().rt_priority),
            _ => (SchedClass::Fifo, 50),
        };
        unit.task_of_class("", &code, class, rt_priority);
    },
};
