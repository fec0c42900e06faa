//! What varies, from where to where, and which number is shown.

use crate::store::{Work, use_stage, use_store};
use crate::text::sweep as words;
use crate::views::controls::{Icon, icon};
use sim_core::engine::protocol::{JobAsk, SettingView, SweepPlan};
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Steps of a sweep that nobody has set.
const STEPS: i64 = 10;

/// Properties of [`Controls`].
#[derive(Properties, PartialEq)]
pub struct ControlsProps {
    /// Scenario JSON.
    pub scenario: Rc<str>,
    /// There is a scenario.
    pub has_document: bool,
    /// What the address says.
    pub vary: String,
    /// The sweep's plan.
    pub plan: Rc<SweepPlan>,
    /// Index of the shown number.
    pub metric: usize,
    /// It is under way.
    pub sweeping: bool,
    /// Run this.
    pub on_run: Callback<String>,
    /// Stop.
    pub on_stop: Callback<()>,
    /// Show this number.
    pub on_metric: Callback<String>,
}

/// What the visitor has typed.
#[derive(Clone, PartialEq, Debug, Default)]
struct Draft {
    key: String,
    from: String,
    to: String,
    step: String,
}

impl Draft {
    /// The parts of `key=from..to:step`; another form stands whole in the first field.
    fn read(vary: &str) -> Option<Draft> {
        let (key, values) = vary.split_once('=')?;
        let (from, rest) = values.split_once("..").unwrap_or((values, ""));
        let (to, step) = rest.split_once(':').unwrap_or((rest, if rest.is_empty() { "" } else { "1" }));
        Some(Draft { key: key.into(), from: from.into(), to: to.into(), step: step.into() })
    }

    /// A range around the setting's present value.
    fn around(setting: &SettingView) -> Draft {
        let to = setting.value.saturating_mul(2).max(STEPS).min(setting.max);
        let from = setting.min.max(0).min(to);
        let step = ((to - from) / STEPS).max(1);
        Draft { key: setting.key.clone(), from: from.to_string(), to: to.to_string(), step: step.to_string() }
    }

    fn vary(&self) -> String {
        let Draft { key, from, to, step } = self;
        match (to.trim(), step.trim()) {
            ("", _) => format!("{key}={}", from.trim()),
            (to, "") => format!("{key}={}..{to}", from.trim()),
            (to, step) => format!("{key}={}..{to}:{step}", from.trim()),
        }
    }
}

/// The row of controls.
#[component]
pub fn Controls(props: &ControlsProps) -> Html {
    let stage = use_stage();
    let work = use_store::<Work>();
    let draft = use_state(Draft::default);
    {
        let stage = stage.clone();
        use_effect_with((props.scenario.clone(), props.has_document), move |(scenario, has_document)| {
            if *has_document {
                stage.jobs.ask(&stage, JobAsk::Settings { scenario: scenario.to_string() });
            }
        });
    }
    {
        let (draft, settings) = (draft.clone(), work.settings.clone());
        use_effect_with((props.vary.clone(), settings), move |(vary, settings)| match Draft::read(vary) {
            Some(read) => draft.set(read),
            None if settings.iter().any(|setting| setting.key == draft.key) => {}
            None => draft.set(settings.first().map(Draft::around).unwrap_or_default()),
        });
    }
    let settings = work.settings.clone();
    let on_key = {
        let (draft, settings) = (draft.clone(), settings.clone());
        Callback::from(move |event: Event| {
            let key = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
            if let Some(setting) = settings.iter().find(|setting| setting.key == key) {
                draft.set(Draft::around(setting));
            }
        })
    };
    let field = |label: &'static str, testid: &'static str, value: &str, set: fn(&mut Draft, String)| {
        let draft = draft.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            let Some(input) = event.target_dyn_into::<HtmlInputElement>() else { return };
            let mut next = (*draft).clone();
            set(&mut next, input.value());
            draft.set(next);
        });
        html! {
            <label class="field"><span>{ label }</span><input class="pick num" type="text" size="7" inputmode="text" spellcheck="false"
                autocomplete="off" value={value.to_string()} {oninput} data-testid={testid} /></label>
        }
    };
    let submit = {
        let (draft, on_run) = (draft.clone(), props.on_run.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            on_run.emit(draft.vary());
        })
    };
    let stop = {
        let on_stop = props.on_stop.clone();
        Callback::from(move |event: MouseEvent| {
            // The page is drawn anew before the click has its effect: the button is Run by then and would start again.
            event.prevent_default();
            on_stop.emit(());
        })
    };
    let on_metric = {
        let on_metric = props.on_metric.clone();
        Callback::from(move |event: Event| {
            if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
                on_metric.emit(select.value());
            }
        })
    };
    let options = settings.iter().map(|setting| {
        html! { <option value={setting.key.clone()} selected={setting.key == draft.key}>{ &setting.key }</option> }
    });
    let measures = props.plan.measures.iter().enumerate().map(|(index, measure)| {
        let name = words::measure(&measure.what, &measure.of);
        html! { <option value={measure.key.clone()} selected={index == props.metric}>{ name }</option> }
    });
    html! {
        <form class="sweep-controls" onsubmit={submit}>
            <label class="field"><span>{ words::VARY }</span><select class="pick" onchange={on_key} data-testid="sweep-key">{ for options }</select></label>
            { field(words::FROM.say(), "sweep-from", &draft.from, |draft, value| draft.from = value) }
            { field(words::TO.say(), "sweep-to", &draft.to, |draft, value| draft.to = value) }
            { field(words::STEP.say(), "sweep-step", &draft.step, |draft, value| draft.step = value) }
            if props.sweeping {
                <button type="button" class="btn" onclick={stop} data-testid="sweep-stop">{ icon(Icon::Cross) }{ words::STOP }</button>
            } else {
                <button type="submit" class="btn" data-testid="sweep-run">{ icon(Icon::Play) }{ words::RUN }</button>
            }
            if !props.plan.measures.is_empty() {
                <label class="field show"><span>{ words::METRIC }</span><select class="pick" onchange={on_metric} data-testid="sweep-metric">{ for measures }</select></label>
            }
        </form>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_text_say_the_same() {
        for text in ["hogs=0..50:10", "ring.hop=1us..5us:1us", "procs=2..256:x2", "hogs=0,3,10"] {
            assert_eq!(Draft::read(text).expect("it is one").vary(), text);
        }
        assert_eq!(Draft::read("hogs=0..5").expect("it is one").vary(), "hogs=0..5:1");
        assert_eq!(Draft::read(""), None);
    }

    #[test]
    fn a_setting_is_swept_around_its_value_within_its_range() {
        let setting = |min, max, value| SettingView { key: "k".into(), unit: "count".into(), min, max, value };
        assert_eq!(Draft::around(&setting(0, 10_000, 4)).vary(), "k=0..10:1");
        assert_eq!(Draft::around(&setting(-20, 19, 0)).vary(), "k=0..10:1");
        assert_eq!(Draft::around(&setting(1_000, 10_000_000, 40_000)).vary(), "k=1000..80000:7900");
        assert_eq!(Draft::around(&setting(0, 1, 1)).vary(), "k=0..1:1");
    }
}
