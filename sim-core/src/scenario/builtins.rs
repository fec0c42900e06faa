//! Scenarios that come with the program. Keys go into links: never rename one; a changed built-in changes what old short
//! links show, so add a new one instead.

use super::schema::{Group, Lane, Machine, Scenario, VERSION, Workload};
use crate::policy::SchedClass;
use crate::units::Nanos;
use serde_json::json;

const MS: Nanos = 1_000_000;
const SECOND: Nanos = 1_000 * MS;

/// A built-in scenario.
pub struct Builtin {
    /// Key in links.
    pub key: &'static str,
    /// Title.
    pub title: &'static str,
    /// One line.
    pub help: &'static str,
    make: fn() -> Scenario,
}

impl Builtin {
    /// The scenario.
    pub fn scenario(&self) -> Scenario {
        Scenario { title: self.title.into(), ..(self.make)() }
    }
}

/// All built-ins in menu order; the first is what a first visit shows.
pub static BUILTINS: &[Builtin] = &[
    Builtin {
        key: "interactive",
        title: "Interactive tasks among hogs",
        help: "Sleepers are woken among hogs on 2 CPUs: their bonus lets them preempt at once",
        make: interactive,
    },
    Builtin {
        key: "lat-ctx",
        title: "O(1) makes lat_ctx flat",
        help: "A ring of two processes and 0 to 50 hogs on one CPU, as in the first post",
        make: lat_ctx,
    },
    Builtin {
        key: "nice-ladder",
        title: "Nice from -5 to +5",
        help: "Eleven hogs, one per nice level, share one CPU",
        make: nice_ladder,
    },
    Builtin {
        key: "groups",
        title: "One hog against four",
        help: "Two groups with equal shares, one hog in the first, four in the second",
        make: groups,
    },
    Builtin {
        key: "group-balancer",
        title: "The lone hog's CPU",
        help: "The same on 4 CPUs: without a group balancer the lone hog gets half of what it is owed, take 3 gives it all",
        make: group_balancer,
    },
    Builtin {
        key: "group-balancer-2",
        title: "The lone hog's CPU, of two",
        help: "One hog against four on 2 CPUs, with and without the group balancer of take 3",
        make: || Scenario { machine: machine(2), ..group_balancer() },
    },
    Builtin {
        key: "sleeper-credit",
        title: "What a sleeper is credited",
        help: "Short sleepers against hogs: CFS credits a latency, half of one, or, as EEVDF, only the lag that was left",
        make: sleeper_credit,
    },
    Builtin {
        key: "autogroup",
        title: "Autogroup surprise: nice has no effect",
        help: "A build at nice 19 in one terminal takes half the CPU from a task in another: sessions compete as groups",
        make: autogroup,
    },
    Builtin {
        key: "throttled",
        title: "Throttled below the limit",
        help: "A group with a quota of 2 CPUs on 4 CPUs, in bursts: it uses less than it may and waits all the same",
        make: throttled,
    },
    Builtin {
        key: "wasted-cores",
        title: "Wasted cores",
        help: "One heavy task hides the light ones of its CPU from the balancer, and other CPUs idle",
        make: wasted_cores,
    },
    Builtin {
        key: "classes",
        title: "A build with a guaranteed share",
        help: "A parallel build in a class that is promised half the CPU, five endless loops outside, as in the fifth post",
        make: classes,
    },
    Builtin {
        key: "rt-and-pinned",
        title: "Real-time and pinned tasks",
        help: "A FIFO task each 10 ms and two RR tasks above normal ones, some bound to a CPU",
        make: rt_and_pinned,
    },
    Builtin {
        key: "fork-exit",
        title: "Fork and exit",
        help: "A parent forks short-lived children beside hogs and sleepers on 4 CPUs",
        make: fork_exit,
    },
    Builtin {
        key: "convoy",
        title: "The convoy: four jobs, four textbook rules",
        help: "A long job comes first; whoever waits behind it is the lesson of FCFS, SJF, SRTF and round robin",
        make: convoy,
    },
    Builtin {
        key: "mlfq-cheat",
        title: "How to cheat a feedback queue",
        help: "A job sleeps just before its turn ends: with a new turn after each sleep it keeps the CPU, else it sinks",
        make: mlfq_cheat,
    },
];

/// The built-in with this key.
pub fn find(key: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.key == key)
}

pub(crate) fn scenario(cores: u16, hz: u32, policy: &str, duration_ns: Nanos, workloads: Vec<Workload>) -> Scenario {
    Scenario {
        v: VERSION,
        title: String::new(),
        seed: 1,
        duration_ns,
        machine: Machine { hz, ..machine(cores) },
        lanes: vec![Lane::of(policy)],
        groups: Vec::new(),
        workloads,
        changes: Vec::new(),
        notes: Vec::new(),
    }
}

fn machine(cores: u16) -> Machine {
    Machine { cores, packages: 1, threads: 1, numa: false, hz: 1000, tick_skew: false, profile: "ideal".into() }
}

pub(crate) fn workload(name: &str, kind: &str, count: u32, params: &[(&str, u64)]) -> Workload {
    Workload {
        name: name.into(),
        kind: kind.into(),
        count,
        nice: 0,
        class: SchedClass::Normal,
        rt_priority: 0,
        group: String::new(),
        session: String::new(),
        cpus: Vec::new(),
        start_ns: 0,
        params: params.iter().map(|(key, value)| ((*key).into(), *value)).collect(),
        program: Vec::new(),
    }
}

fn interactive() -> Scenario {
    let workloads = vec![
        workload("hogs", "hog", 4, &[]),
        workload("editor", "sleeper", 2, &[("burst", 2 * MS), ("sleep", 40 * MS)]),
        workload("audio", "sleeper", 1, &[("burst", MS), ("sleep", 10 * MS), ("jitter", 10)]),
        workload("batch", "hog", 1, &[]),
    ];
    let mut scenario = scenario(2, 1000, "o1-2.6.21", 10 * SECOND, workloads);
    scenario.workloads[3].nice = 5;
    scenario
}

/// The machine of post 000 with its prices: the lap time is what lmbench reports, and a scheduler that scans the hogs
/// pays for each of them. The hop is the CPU of a 4-byte read and write.
fn lat_ctx() -> Scenario {
    let workloads = vec![workload("ring", "lat-ctx", 1, &[("hop", 4_000)]), workload("hogs", "hog", 10, &[])];
    let mut scenario = scenario(1, 100, "o1-2.5.2-c1", 8 * SECOND, workloads);
    scenario.machine.profile = "pentium2-400".into();
    scenario
}

fn nice_ladder() -> Scenario {
    let step = |nice: i8| Workload { nice, ..workload(&format!("nice {nice:+}"), "hog", 1, &[]) };
    scenario(1, 1000, "o1-2.6.21", 10 * SECOND, (-5..=5).map(step).collect())
}

pub(crate) fn group(name: &str, shares: u64) -> Group {
    Group { name: name.into(), parent: String::new(), shares, quota_ns: 0, period_ns: 100 * MS, burst_ns: 0 }
}

fn groups() -> Scenario {
    let hogs =
        |name: &str, count| Workload { group: name.into(), ..workload(&format!("{name} hogs"), "hog", count, &[]) };
    let mut scenario = scenario(1, 1000, "cfs-2.6.24", 5 * SECOND, vec![hogs("one", 1), hogs("four", 4)]);
    scenario.groups = vec![group("one", 1024), group("four", 1024)];
    scenario
}

/// Post 001's point: group `one` is owed a whole CPU of its half of the machine. Its hog comes when the four others
/// have a CPU each, so it must share one.
fn group_balancer() -> Scenario {
    let mut scenario = groups();
    scenario.machine.cores = 4;
    scenario.workloads[0].start_ns = 10 * MS;
    scenario.duration_ns = 1_510 * MS;
    let lane = |policy: &str| Lane::of(policy);
    scenario.lanes = vec![lane("cfs-2.6.26-rc"), lane("cfs-smp-group"), lane("cfs-2.6.27")];
    scenario
}

fn sleeper_credit() -> Scenario {
    let workloads = vec![
        workload("hogs", "hog", 3, &[]),
        workload("sleeper", "sleeper", 2, &[("burst", 2 * MS), ("sleep", 18 * MS)]),
    ];
    let mut scenario = scenario(1, 1000, "cfs-2.6.24", 5 * SECOND, workloads);
    let lane = |policy: &str| Lane::of(policy);
    scenario.lanes.extend([lane("cfs-5.15"), lane("eevdf-6.6")]);
    scenario
}

fn convoy() -> Scenario {
    let job = |name: &str, start: u64, length: u64| Workload {
        start_ns: start * MS,
        program: vec![json!(["run", length * MS]), json!(["exit"])],
        ..workload(name, "program", 1, &[])
    };
    let workloads = vec![job("long", 0, 100), job("short", 10, 10), job("medium", 20, 40), job("tiny", 30, 5)];
    let mut scenario = scenario(1, 1000, "fcfs", 170 * MS, workloads);
    scenario.lanes.extend(["sjf", "srtf", "rr"].map(Lane::of));
    scenario
}

fn mlfq_cheat() -> Scenario {
    let cheat = [("burst", 9_900_000), ("sleep", 100_000), ("jitter", 0)];
    let workloads = vec![
        workload("long", "hog", 2, &[]),
        workload("editor", "sleeper", 1, &[("burst", 2 * MS), ("sleep", 30 * MS), ("jitter", 0)]),
        workload("cheat", "sleeper", 1, &cheat),
    ];
    let mut scenario = scenario(1, 1000, "mlfq", 3 * SECOND, workloads);
    let mut naive = Lane::of("mlfq");
    naive.tunables.insert("io_stay".into(), 1);
    scenario.lanes.push(naive);
    scenario
}

/// Without sessions the build would get 6 % (4 x 15 of 1084); as one of two groups it gets half.
fn autogroup() -> Scenario {
    let of = |session: &str, workload: Workload| Workload { session: session.into(), ..workload };
    let workloads = vec![
        of("tty1", workload("render", "hog", 1, &[])),
        Workload { nice: 19, ..of("tty2", workload("build", "hog", 4, &[])) },
    ];
    let mut scenario = scenario(1, 1000, "eevdf-6.12", 5 * SECOND, workloads);
    let mut without = Lane::of("eevdf-6.12");
    without.tunables.insert("sched_autogroup_enabled".into(), 0);
    scenario.lanes.push(without);
    scenario
}

/// Eight workers wake together: they drain the pool of a period in a few milliseconds.
fn throttled() -> Scenario {
    let workers = workload("workers", "sleeper", 8, &[("burst", 12 * MS), ("sleep", 60 * MS), ("jitter", 0)]);
    let workloads =
        vec![Workload { group: "limited".into(), ..workers }, workload("shell", "sleeper", 1, &[("burst", MS)])];
    let mut scenario = scenario(4, 1000, "eevdf-6.12", 3 * SECOND, workloads);
    scenario.groups = vec![Group { quota_ns: 60 * MS, period_ns: 50 * MS, ..group("limited", 1024) }];
    scenario
}

fn wasted_cores() -> Scenario {
    let heavy = Workload { nice: -20, ..workload("heavy", "hog", 1, &[]) };
    let workloads = vec![heavy, workload("light", "sleeper", 6, &[("burst", 8 * MS), ("sleep", 4 * MS)])];
    let mut scenario = scenario(4, 1000, "cfs-2.6.24", 5 * SECOND, workloads);
    let lane = |policy: &str| Lane::of(policy);
    scenario.lanes.push(lane("cfs-2.6.32"));
    scenario
}

/// The machine and the loops of post 004; make -j4 on one CPU, without waits for the disk.
fn classes() -> Scenario {
    let build = workload("build", "kbuild", 1, &[("jobs", 4), ("io", 1_000)]);
    let workloads = vec![Workload { group: "build".into(), ..build }, workload("loops", "hog", 5, &[])];
    let mut scenario = scenario(1, 1000, "cpurc-0.3", 30 * SECOND, workloads);
    scenario.groups = vec![group("build", 50)];
    scenario
}

fn rt_and_pinned() -> Scenario {
    let control = workload("control", "program", 1, &[]);
    let steps = json!([["loop", 0, [["await"], ["period", 10 * MS], ["run", 2 * MS], ["mark", "control"]]]]);
    let program = steps.as_array().cloned().unwrap_or_default();
    let workloads = vec![
        Workload { class: SchedClass::Fifo, rt_priority: 50, cpus: vec![0], program, ..control },
        Workload {
            class: SchedClass::Rr,
            rt_priority: 10,
            ..workload("rr", "sleeper", 2, &[("burst", 150 * MS), ("sleep", 300 * MS), ("jitter", 0)])
        },
        Workload { cpus: vec![1], ..workload("pinned", "hog", 2, &[]) },
        workload("free", "hog", 2, &[]),
        workload("shell", "sleeper", 2, &[("burst", MS), ("sleep", 30 * MS)]),
    ];
    scenario(2, 1000, "o1-2.6.21", 5 * SECOND, workloads)
}

fn fork_exit() -> Scenario {
    let parent = json!([["loop", 0, [["fork", "child"], ["sleep", {"exp": 5 * MS}]]]]);
    let child = json!([["request", "child"], ["run", {"exp": 8 * MS}], ["mark", "child"]]);
    let program = |steps: serde_json::Value| steps.as_array().cloned().unwrap_or_default();
    let workloads = vec![
        Workload { program: program(parent), ..workload("parent", "program", 1, &[]) },
        Workload { program: program(child), ..workload("child", "program", 0, &[]) },
        workload("hogs", "hog", 3, &[]),
        workload("shell", "sleeper", 2, &[("burst", MS), ("sleep", 30 * MS)]),
    ];
    scenario(4, 1000, "o1-2.6.21", 5 * SECOND, workloads)
}
