//! The page.

fn main() {
    schedscope::later::keep();
    schedscope::app::start();
}
