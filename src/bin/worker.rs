//! The worker: a mailbox in front of the engine, nothing else.

fn main() {
    schedscope::later::keep();
    schedscope::bridge::mailbox::serve();
}
