//! Clients and servers that answer each other (`spec/seed-machines.md`, 2.5 to 2.7 and 2.9).

use super::super::code::{Code, exact, uniform};
use super::{Kind, ParamSpec};
use crate::task::program::{Op, SyncId, Value};

/// Messages that a socket buffer holds before its writer blocks.
const SOCKET_MESSAGES: u32 = 64;

/// Since 2.6.25 a socket tells the scheduler that the writer is about to wait for an answer.
const SYNC: ParamSpec = ParamSpec::fixed("sync", "Wakeups by sockets are sync", "count", (0, 1, 0));

/// What a writer still does between the wakeup of the reader, in the middle of its system call, and its own wait.
const AFTER: ParamSpec = ParamSpec::fixed("after", "CPU after a message is sent", "ns", (0, 1_000_000, 0));

/// One message into a socket.
fn write(channel: SyncId, sync: bool) -> Op {
    Op::Signal { channel, count: 1, sync }
}

/// Writes a message, and does what is left to do after it.
fn send(code: &mut Code, message: Op, after: u64) {
    code.op(message);
    if after > 0 {
        code.run(uniform(Value::Const(after), 30));
    }
}

/// `hackbench`: each sender of a group writes to every receiver of the group.
pub(super) static HACKBENCH: Kind = Kind {
    key: "hackbench",
    label: "hackbench",
    help: "Groups of senders and receivers, each sender writes to all receivers; count: number of groups",
    params: &[
        ParamSpec::fixed("fan", "Senders and receivers each", "count", (1, 100, 20)),
        ParamSpec::fixed("loops", "Messages per pair (0: for ever)", "count", (0, 1_000_000, 100)),
        ParamSpec::time("send", "CPU to send", 100, 10_000_000, 3_000),
        ParamSpec::time("receive", "CPU to receive", 100, 10_000_000, 3_000),
    ],
    count_max: 100,
    count_default: 1,
    rows: |args| 2 * args.get("fan") as u32,
    build: |unit| {
        let fan = unit.get("fan") as u32;
        let loops = Value::Const(unit.get("loops"));
        let (send, receive) = (exact(unit.value("send")), exact(unit.value("receive")));
        let (ready, mark) = (unit.barrier(2 * fan), unit.mark("round"));
        // A socket per receiver: its messages, and the room that is left in its buffer.
        let sockets: Vec<(u32, u32)> = (0..fan).map(|_| (unit.channel(), unit.channel())).collect();
        for (number, &(messages, room)) in sockets.iter().enumerate() {
            let mut code = Code::new();
            code.signal(room, SOCKET_MESSAGES).op(Op::Barrier(ready));
            code.repeat(loops, |c| {
                c.repeat(Value::Const(fan.into()), |c| {
                    c.wait(messages).run(receive).signal(room, 1);
                });
                c.op(Op::Mark(mark));
            });
            unit.task(&format!("recv{}", number + 1), &code);
        }
        let mut code = Code::new();
        code.op(Op::Barrier(ready));
        code.repeat(loops, |c| {
            for &(messages, room) in &sockets {
                c.wait(room).run(send).signal(messages, 1);
            }
        });
        for number in 1..=fan {
            unit.task(&format!("send{number}"), &code);
        }
    },
};

/// `tbench`: a client and its handler strictly alternate; in every pair exactly one side is runnable.
pub(super) static TBENCH: Kind = Kind {
    key: "tbench",
    label: "tbench",
    help: "Clients and their handlers exchange messages over loopback, strictly alternating; count: number of clients",
    params: &[
        ParamSpec::time("client", "Client's CPU per exchange", 100, 10_000_000, 47_000),
        ParamSpec::time("server", "Handler's CPU per exchange", 100, 10_000_000, 70_000),
    ],
    count_max: 1_000,
    count_default: 8,
    rows: |_| 2,
    build: |unit| {
        let (client, server) = (uniform(unit.value("client"), 20), uniform(unit.value("server"), 20));
        let (request, reply, mark) = (unit.channel(), unit.channel(), unit.mark("exchange"));
        let mut code = Code::new();
        code.forever(|c| {
            c.op(Op::MarkStart(mark)).run(client).signal(request, 1).wait(reply).op(Op::Mark(mark));
        });
        unit.task("client", &code);
        let mut code = Code::new();
        code.forever(|c| {
            c.wait(request).run(server).signal(reply, 1);
        });
        unit.task("server", &code);
    },
};

/// `sysbench` OLTP: a transaction is a chain of synchronous statements between a client thread and its own backend. The
/// backend's work grows with the number of clients (snapshots and locks inside the database).
pub(super) static SYSBENCH: Kind = Kind {
    key: "sysbench",
    label: "sysbench OLTP",
    help: "Client threads run transactions of many short statements, each with a backend of its own; count: clients",
    params: &[
        ParamSpec::fixed("statements", "Statements per transaction", "count", (1, 1_000, 20)),
        ParamSpec::time("client", "Client's CPU per statement", 100, 10_000_000, 15_500),
        ParamSpec::fixed("server", "Backend's CPU per statement", "ns", (100, 10_000_000, 47_000)),
        ParamSpec::fixed("contention", "Growth of the backend's CPU per client, ppm", "count", (0, 100_000, 2_600)),
        ParamSpec::fixed("client-contention", "Growth of the client's CPU per client, ppm", "count", (0, 100_000, 0)),
        ParamSpec::fixed("kib", "Working set of a backend", "kib", (0, 65_536, 0)),
        ParamSpec::fixed("hold", "Backend holds the table's lock, twice per statement", "ns", (0, 1_000_000, 0)),
        AFTER,
        SYNC,
    ],
    count_max: 1_000,
    count_default: 8,
    rows: |_| 2,
    build: |unit| {
        let clients = u64::from(unit.workload().count.max(1));
        let growth = unit.get("server") * unit.get("contention") * clients / 1_000_000;
        let server = uniform(Value::Const(unit.get("server") + growth), 30);
        let client = match unit.get("client") * unit.get("client-contention") * clients / 1_000_000 {
            0 => unit.value("client"),
            growth => Value::Const(unit.get("client") + growth),
        };
        let client = uniform(client, 30);
        let statements = Value::Const(unit.get("statements"));
        let (sync, after) = (unit.get("sync") == 1, unit.get("after"));
        let (query, answer, mark) = (unit.channel(), unit.channel(), unit.mark("transaction"));
        let mut code = Code::new();
        code.forever(|c| {
            c.op(Op::MarkStart(mark));
            c.repeat(statements, |c| {
                c.run(client);
                send(c, write(query, sync), after);
                c.wait(answer);
            });
            c.op(Op::Mark(mark));
        });
        // All client threads are one process.
        let process = unit.shared_address_space(0);
        unit.thread("client", &code, process, 0);
        let (hold, table) = (unit.get("hold"), unit.shared_mutex(0));
        // The lock manager: the table's lock is taken before a statement and given back after it, both under the one
        // lightweight lock of its partition.
        let held = |c: &mut Code| {
            if hold > 0 {
                c.op(Op::Lock(table)).run(uniform(Value::Const(hold), 30)).op(Op::Unlock(table));
            }
        };
        let mut code = Code::new();
        code.forever(|c| {
            c.wait(query);
            held(c);
            c.run(server);
            held(c);
            send(c, write(answer, sync), after);
        });
        let (process, kib) = (unit.address_space(), unit.get("kib") as u32);
        unit.thread("backend", &code, process, kib);
    },
};

/// VolanoMark: a chat server. A message of one user is echoed to all users of the room; two threads per connection on
/// each side. A user says the next thing when the whole room has been heard.
pub(super) static VOLANOMARK: Kind = Kind {
    key: "volanomark",
    label: "VolanoMark",
    help: "Chat rooms: each message is echoed to everybody, four threads per user; count: number of rooms",
    params: &[
        ParamSpec::fixed("users", "Users in a room", "count", (2, 40, 20)),
        ParamSpec::time("client", "Client's CPU per message", 100, 10_000_000, 12_000),
        ParamSpec::time("server", "Server's CPU per message", 100, 10_000_000, 15_000),
        ParamSpec::fixed("kib", "Working set of a thread", "kib", (0, 65_536, 0)),
        AFTER,
        SYNC,
    ],
    count_max: 60,
    count_default: 1,
    rows: |args| 4 * args.get("users") as u32,
    build: |unit| {
        let users = unit.get("users");
        let (client, server) = (uniform(unit.value("client"), 30), uniform(unit.value("server"), 30));
        let (sync, after, kib) = (unit.get("sync") == 1, unit.get("after"), unit.get("kib") as u32);
        let mark = unit.mark("message");
        let outboxes: Vec<u32> = (0..users).map(|_| unit.channel()).collect();
        let (client_process, server_process) = (unit.shared_address_space(0), unit.shared_address_space(1));
        for (number, &outbox) in outboxes.iter().enumerate() {
            let (inbox, screen, turn) = (unit.channel(), unit.channel(), unit.channel());
            let user = number + 1;
            let mut code = Code::new();
            code.forever(|c| {
                c.run(client);
                send(c, write(inbox, sync), after);
                c.wait(turn);
            });
            unit.thread(&format!("say{user}"), &code, client_process, kib);
            let mut code = Code::new();
            code.forever(|c| {
                c.repeat(Value::Const(users), |c| {
                    c.wait(screen).run(client).op(Op::Mark(mark));
                });
                c.signal(turn, 1);
            });
            unit.thread(&format!("hear{user}"), &code, client_process, kib);
            let mut code = Code::new();
            code.forever(|c| {
                c.wait(inbox).run(server);
                for &other in &outboxes {
                    c.signal(other, 1);
                }
            });
            unit.thread(&format!("reader{user}"), &code, server_process, kib);
            let mut code = Code::new();
            code.forever(|c| {
                c.wait(outbox).run(server);
                send(c, write(screen, sync), after);
            });
            unit.thread(&format!("writer{user}"), &code, server_process, kib);
        }
    },
};
