//! The worker: a mailbox in front of the engine, nothing else.

fn main() {
    schedscope::bridge::mailbox::serve();
}
