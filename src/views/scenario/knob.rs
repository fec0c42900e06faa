//! One slider of the scenario: shows the value that holds now, turns it while the machine runs.

use crate::paint::number;
use crate::store::{Document, DocumentAction, Playback, Selection, Stage, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::Slider;
use sim_core::engine::protocol::{KindView, ParamView};
use sim_core::scenario::schema::{Target, Workload};
use yew::prelude::*;

/// What a slider of a workload may be.
#[derive(Clone, PartialEq)]
pub struct Knob {
    field: String,
    label: String,
    help: String,
    unit: String,
    min: i64,
    max: i64,
    default: i64,
    live: bool,
    log: bool,
}

/// As the sliders count.
pub fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

impl Knob {
    /// How many.
    pub fn count(kind: &KindView) -> Self {
        Self {
            field: "count".into(),
            label: words::COUNT.into(),
            help: kind.help.clone(),
            unit: "count".into(),
            min: 0,
            max: i64::from(kind.count_max),
            default: i64::from(kind.count_default),
            live: true,
            log: kind.count_max > 100,
        }
    }

    /// Nice level.
    pub fn nice() -> Self {
        Self {
            field: "nice".into(),
            label: words::NICE.into(),
            help: String::new(),
            unit: "count".into(),
            min: -20,
            max: 19,
            default: 0,
            live: true,
            log: false,
        }
    }

    /// A parameter of the kind.
    pub fn parameter(view: &ParamView) -> Self {
        Self {
            field: view.key.clone(),
            label: view.label.clone(),
            help: String::new(),
            unit: view.unit.clone(),
            min: signed(view.min),
            max: signed(view.max),
            default: signed(view.default),
            live: view.live,
            log: view.log,
        }
    }
}

/// The slider of a workload's knob.
pub fn knob_row(workload: &Workload, knob: Knob) -> Html {
    let target = Target::Workload(workload.name.clone(), knob.field.clone());
    let base = Document::workload_base(workload, &knob.field, knob.default);
    let testid = format!("knob-{}-{}", workload.name, knob.field);
    let Knob { field, label, help, unit, min, max, default, live, log } = knob;
    html! { <KnobRow key={field} {target} {base} {label} {help} {unit} {min} {max} default={Some(default)} {live} {log} {testid} /> }
}

/// Properties of [`KnobRow`].
#[derive(Properties, PartialEq)]
pub struct KnobProps {
    /// What it turns.
    pub target: Target,
    /// Value at the start of the run.
    pub base: i64,
    /// Label.
    pub label: AttrValue,
    /// Longer explanation.
    #[prop_or_default]
    pub help: AttrValue,
    /// Unit word of the protocol.
    pub unit: AttrValue,
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
    /// Default, if it has one.
    pub default: Option<i64>,
    /// Can change while the machine runs.
    pub live: bool,
    /// Moves logarithmically.
    pub log: bool,
    /// Label is as wide as a kernel name.
    #[prop_or_default]
    pub wide_label: bool,
    /// Stable id for tests.
    pub testid: AttrValue,
}

/// The slider.
#[component]
pub fn KnobRow(props: &KnobProps) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let now = use_store::<Playback>().at;
    let lane = usize::from(use_store::<Selection>().lane);
    let value = document.value_at(lane, &props.target, props.base, now);
    let on_value = {
        let (target, default, live) = (props.target.clone(), props.default.unwrap_or(props.base), props.live);
        Callback::from(move |(value, done)| {
            let at = stage.live.now();
            stage.document.dispatch(DocumentAction::Knob {
                lane,
                target: target.clone(),
                value,
                default,
                at,
                live,
                done,
            });
        })
    };
    html! {
        <Slider label={&props.label} help={&props.help} {value} min={props.min} max={props.max.max(value)}
            default={props.default} log={props.log} text={number::value(value, &props.unit)} {on_value}
            wide_label={props.wide_label} testid={&props.testid} />
    }
}

/// Dispatches a knob at the exact present time.
pub fn turn(stage: &Stage, target: Target, value: i64, default: i64, live: bool, done: bool) {
    let at = stage.live.now();
    stage.document.dispatch(DocumentAction::Knob { lane: 0, target, value, default, at, live, done });
}
