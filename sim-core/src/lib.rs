//! Schedscope's simulation core: Linux schedulers on a virtual multicore machine.
//!
//! Pure and deterministic: no clock, I/O, threads, floats or hash maps. The same scenario and seed give the same trace,
//! bit for bit, natively and as WebAssembly. `ARCHITECTURE.md` at the root of the repository is the map.

pub mod clock;
pub mod engine;
pub mod inspect;
pub mod interchange;
pub mod kernel;
pub mod lesson;
pub mod machine;
pub mod metrics;
pub mod policies;
pub mod policy;
pub mod posts;
pub mod queues;
pub mod scenario;
pub mod sweep;
pub mod task;
pub mod timetravel;
pub mod trace;
pub mod units;
