//! The second worker: exports, imports, QR codes. Loaded when one of them is first wanted.

fn main() {
    schedscope::tools::serve::serve();
}
