//! The page's own meter: how long after a change of the document its new run is drawn in the visible window. It is
//! written on the body (`data-shown-ms`), where people and tests can read it.

use crate::page;
use sim_core::engine::protocol::WindowView;

/// See the module.
#[derive(Default)]
pub(super) struct Meter {
    /// When the document changed last, ms; until its run is drawn.
    changed_ms: Option<f64>,
    /// The engine has taken the newest document.
    is_accepted: bool,
    /// Its rows are there, to be drawn in the next frame.
    is_there: bool,
}

impl Meter {
    /// The document has changed.
    pub fn changed(&mut self, now_ms: f64) {
        *self = Self { changed_ms: Some(now_ms), ..Self::default() };
    }

    /// The engine has taken a document; `is_last`: no newer one waits.
    pub fn accepted(&mut self, is_last: bool) {
        self.is_accepted = is_last;
    }

    /// Rows have come. Only those of the chosen lane that fill the visible window count.
    pub fn arrived(&mut self, is_chosen: bool, view: &WindowView, (from, to): (u64, u64), duration: u64) {
        let covers = view.from <= from && view.to >= to.min(duration) && view.simulated >= to.min(duration);
        self.is_there |= self.is_accepted && is_chosen && covers;
    }

    /// A frame was painted.
    pub fn drawn(&mut self) {
        let Some(changed_ms) = self.changed_ms.filter(|_| self.is_there) else { return };
        self.changed_ms = None;
        if let Some(body) = page::document().and_then(|document| document.body()) {
            // A page that refuses an attribute on its body has nobody to tell.
            let _ = body.dataset().set("shownMs", &format!("{:.0}", page::now_ms() - changed_ms));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_of_the_newest_run_that_fill_the_window_count() {
        let rows = |simulated| WindowView { from: 0, to: 900, simulated, ..WindowView::default() };
        let mut meter = Meter::default();
        meter.changed(1.0);
        meter.arrived(true, &rows(900), (100, 500), 1000);
        assert!(!meter.is_there, "rows of the old run");
        meter.accepted(true);
        meter.arrived(false, &rows(900), (100, 500), 1000);
        meter.arrived(true, &rows(400), (100, 500), 1000);
        assert!(!meter.is_there, "another lane, or not far enough");
        meter.arrived(true, &rows(500), (100, 500), 1000);
        assert!(meter.is_there);
        meter.changed(2.0);
        assert!(!meter.is_there && !meter.is_accepted);
    }
}
