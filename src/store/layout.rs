//! Panels, view, theme: how the page is arranged.

use super::notice::Notice;
use crate::paint::ColourBy;
use sim_core::engine::protocol::{Problem, StepUnit};
use sim_core::scenario::link;
use std::rc::Rc;
use yew::Reducible;

/// Main view, keys 1 to 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// The run: timeline, run queue, graphs.
    #[default]
    Run,
    /// Structures in full.
    Structures,
    /// Side by side.
    Compare,
    /// The posts' tables beside ours.
    History,
    /// One setting varied.
    Sweep,
    /// Lessons: the list, or the open one.
    Lesson,
}

impl View {
    /// The view is about one moment of the run: it has the transport and, on a narrow page, tabs.
    pub fn is_of_run(self) -> bool {
        match self {
            View::Run | View::Structures | View::Compare | View::Lesson => true,
            View::History | View::Sweep => false,
        }
    }
}

/// Colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// What is shown below the timeline on a narrow page, or alone on a phone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tab {
    /// Timeline.
    #[default]
    Timeline,
    /// Structures.
    Structures,
    /// Why.
    Why,
    /// Graphs.
    Graphs,
    /// Scenario.
    Scenario,
}

/// Width classes of the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Width {
    /// Below 560 px.
    Phone,
    /// Below 900 px: tabs under the timeline.
    Narrow,
    /// Below 1200 px: the inspector begins folded.
    Medium,
    /// All panels.
    #[default]
    Wide,
}

impl Width {
    /// Class of a width in CSS pixels.
    pub fn of(px: f64) -> Self {
        match px {
            px if px < 560.0 => Width::Phone,
            px if px < 900.0 => Width::Narrow,
            px if px < 1200.0 => Width::Medium,
            _ => Width::Wide,
        }
    }
}

/// A panel whose size the visitor can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sized {
    /// Width of the scenario.
    Scenario,
    /// Width of the inspector.
    Inspector,
    /// Height of the lanes at most.
    Lanes,
    /// Height of the structures at most.
    Structures,
}

impl Sized {
    /// All of them, in the order of [`Layout::sizes`].
    pub const ALL: [Sized; 4] = [Sized::Scenario, Sized::Inspector, Sized::Lanes, Sized::Structures];
}

/// A panel laid over the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlay {
    /// All keys.
    Keys,
    /// Share.
    Share,
    /// Policy menu of a lane; the one after the last is new.
    Policies(usize),
    /// Search of tasks, notes and schedulers.
    Search,
    /// A note at this moment.
    Note,
    /// Answers of the lesson.
    Answers,
    /// Open a file or a recent scenario.
    Files,
    /// Export.
    Export,
    /// May another site be asked for a file?
    Source,
}

/// Layout.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// Main view.
    pub view: View,
    /// Tab of a narrow page.
    pub tab: Tab,
    /// Colours.
    pub theme: Theme,
    /// Width class.
    pub width: Width,
    /// Scenario panel is folded.
    pub scenario_folded: bool,
    /// Inspector is folded.
    pub inspector_folded: bool,
    /// Run queue panel is folded.
    pub structures_folded: bool,
    /// Graphs are folded.
    pub graphs_folded: bool,
    /// One lane per task instead of one per CPU.
    pub task_lanes: bool,
    /// What task colours mean; `None` = what suits the number of tasks.
    pub colour_by: Option<ColourBy>,
    /// How far the step buttons go.
    pub step_by: StepUnit,
    /// Sizes that the visitor chose, px, in the order of [`Sized::ALL`].
    pub sizes: [Option<u16>; 4],
    /// What lies over the page.
    pub overlay: Option<Overlay>,
    /// What the opened link said; keys that the page has no place for stay in the address.
    pub link: Rc<link::View>,
    /// Why the address could not be opened.
    pub link_problems: Option<Rc<Vec<Problem>>>,
    /// A card over the page.
    pub notice: Option<Rc<Notice>>,
}

/// What can happen to it.
#[derive(Clone, PartialEq, Debug)]
pub enum LayoutAction {
    /// Main view.
    View(View),
    /// Tab.
    Tab(Tab),
    /// Colours.
    Theme(Theme),
    /// Width class of the page.
    Width(Width),
    /// Fold or unfold the scenario.
    ToggleScenario,
    /// Fold or unfold the inspector.
    ToggleInspector,
    /// Bring the inspector into view.
    ShowInspector,
    /// Fold or unfold the run queue.
    ToggleStructures,
    /// Fold or unfold the graphs.
    ToggleGraphs,
    /// How far the step buttons go.
    StepBy(StepUnit),
    /// Size of a panel, px; `None`: as designed.
    Size(Sized, Option<u16>),
    /// One lane per task.
    TaskLanes(bool),
    /// What task colours mean.
    ColourBy(Option<ColourBy>),
    /// Lay this over the page, or take it away if it lies there.
    Toggle(Overlay),
    /// Lay this over the page.
    Show(Overlay),
    /// Nothing over the page.
    CloseOverlay,
    /// The address that the link names is dealt with.
    ForgetSource,
    /// A link was opened.
    Link(Rc<link::View>),
    /// The address cannot be opened, or can again.
    LinkProblems(Option<Rc<Vec<Problem>>>),
    /// A card over the page, or none.
    Notice(Option<Rc<Notice>>),
}

impl Layout {
    /// The layout of a page that begins this wide.
    pub fn of_width(width: Width) -> Self {
        Self { width, inspector_folded: width == Width::Medium, ..Self::default() }
    }

    /// Structures are shown with their numbers over time: in their own view, and alone on a phone.
    pub fn shows_over_time(&self) -> bool {
        self.view == View::Structures || self.width == Width::Phone && self.tab == Tab::Structures
    }
}

impl Reducible for Layout {
    type Action = LayoutAction;

    fn reduce(self: Rc<Self>, action: LayoutAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            LayoutAction::View(view) => {
                next.view = view;
                // Where tabs part a view, the comparison stands in this one.
                if view == View::Compare {
                    next.tab = Tab::Graphs;
                }
            }
            LayoutAction::Tab(tab) => {
                next.tab = tab;
                if !next.view.is_of_run() || next.view == View::Lesson {
                    next.view = View::Run;
                }
            }
            LayoutAction::Theme(theme) => next.theme = theme,
            LayoutAction::Width(width) if width == next.width => {}
            LayoutAction::Width(width) => {
                next.width = width;
                next.inspector_folded = width == Width::Medium;
            }
            LayoutAction::ToggleScenario => next.scenario_folded = !next.scenario_folded,
            LayoutAction::ToggleInspector => next.inspector_folded = !next.inspector_folded,
            LayoutAction::ShowInspector => {
                next.inspector_folded = false;
                next.tab = Tab::Why;
            }
            LayoutAction::Link(link) => {
                let hides = |panel: &str| link.hide.iter().any(|hidden| hidden == panel);
                next.scenario_folded |= hides("scenario");
                next.inspector_folded |= hides("inspector");
                next.structures_folded |= hides("structures");
                next.graphs_folded |= hides("graphs");
                next.link = link;
            }
            LayoutAction::LinkProblems(problems) => next.link_problems = problems,
            LayoutAction::Notice(notice) => next.notice = notice,
            LayoutAction::ToggleStructures => next.structures_folded = !next.structures_folded,
            LayoutAction::ToggleGraphs => next.graphs_folded = !next.graphs_folded,
            LayoutAction::StepBy(unit) => next.step_by = unit,
            LayoutAction::Size(panel, size) => next.sizes[panel as usize] = size,
            LayoutAction::TaskLanes(on) => next.task_lanes = on,
            LayoutAction::ColourBy(by) => next.colour_by = by,
            LayoutAction::Toggle(overlay) => next.overlay = (next.overlay != Some(overlay)).then_some(overlay),
            LayoutAction::Show(overlay) => next.overlay = Some(overlay),
            LayoutAction::CloseOverlay => next.overlay = None,
            LayoutAction::ForgetSource => Rc::make_mut(&mut next.link).source.clear(),
        }
        // A phone shows the structures in their tab; inside another page there are no tabs.
        if next.width == Width::Phone && next.view == View::Structures && !next.link.embed {
            (next.view, next.tab) = (View::Run, Tab::Structures);
        }
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_medium_page_folds_the_inspector_once() {
        let medium = Rc::new(Layout::default()).reduce(LayoutAction::Width(Width::Medium));
        assert!(medium.inspector_folded);
        let opened = medium.reduce(LayoutAction::ToggleInspector).reduce(LayoutAction::Width(Width::Medium));
        assert!(!opened.inspector_folded);
    }

    #[test]
    fn a_phone_opens_a_link_to_the_structures_in_their_tab() {
        let linked = Rc::new(Layout::default()).reduce(LayoutAction::View(View::Structures));
        let phone = linked.reduce(LayoutAction::Width(Width::Phone));
        assert_eq!((phone.view, phone.tab), (View::Run, Tab::Structures));
        assert!(phone.shows_over_time());
    }

    #[test]
    fn compare_opens_where_the_comparison_is() {
        let phone = Rc::new(Layout::of_width(Width::Phone)).reduce(LayoutAction::View(View::Compare));
        assert_eq!((phone.view, phone.tab), (View::Compare, Tab::Graphs));
    }
}
