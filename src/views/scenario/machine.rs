//! Machine: preset, CPUs, HZ, costs, length, seed.

use crate::paint::number;
use crate::store::{Document, DocumentAction, Shared, use_stage, use_store};
use crate::text::scenario as words;
use crate::views::controls::{Segments, Slider, segments};
use sim_core::engine::protocol::Catalogue;
use sim_core::scenario::schema::Machine;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Timer rates that kernels were built with.
const RATES: [u32; 4] = [100, 250, 300, 1000];
/// Profile in which everything is free.
const IDEAL: &str = "ideal";
/// Most CPUs the slider offers.
const CPUS_MAX: i64 = 64;
/// Shortest and longest run the slider offers, ns.
const LENGTH: (i64, i64) = (100_000_000, 60_000_000_000);

/// The section.
#[hook]
pub fn use_machine_section(catalogue: &Shared<Catalogue>) -> Html {
    let stage = use_stage();
    let document = use_store::<Document>();
    let machine = &document.scenario.machine;
    let set = {
        let (dispatcher, machine) = (stage.document.clone(), machine.clone());
        move |edit: &dyn Fn(&mut Machine)| {
            let mut next = machine.clone();
            edit(&mut next);
            dispatcher.dispatch(DocumentAction::Machine(next));
        }
    };
    let profiles = catalogue.as_ref().map(|catalogue| catalogue.profiles.clone()).unwrap_or_default();
    let calibrated: Vec<_> = profiles.into_iter().filter(|(key, ..)| key != IDEAL).collect();
    let on_profile = {
        let set = set.clone();
        Callback::from(move |event: Event| {
            if let Some(select) = event.target_dyn_into::<HtmlSelectElement>() {
                set(&|machine| machine.profile = select.value());
            }
        })
    };
    let on_costs = {
        let (set, first) = (set.clone(), calibrated.first().map(|(key, ..)| key.clone()));
        Callback::from(move |index: usize| {
            let profile = if index == 0 { Some(IDEAL.to_string()) } else { first.clone() };
            if let Some(profile) = profile {
                set(&|machine| machine.profile.clone_from(&profile));
            }
        })
    };
    let on_cpus = {
        let set = set.clone();
        Callback::from(move |(value, done): (i64, bool)| {
            if done {
                set(&|machine| {
                    machine.cores = u16::try_from(value).unwrap_or(1).max(1);
                    if machine.cores % machine.packages != 0 {
                        machine.packages = 1;
                    }
                });
            }
        })
    };
    let on_rate = Callback::from(move |index: usize| set(&|machine| machine.hz = RATES[index]));
    let on_length = {
        let dispatcher = stage.document.clone();
        Callback::from(move |(value, done): (i64, bool)| {
            if done {
                dispatcher.dispatch(DocumentAction::Duration(u64::try_from(value).unwrap_or(1)));
            }
        })
    };
    let options = calibrated.iter().map(|(key, label, help)| {
        html! { <option value={key.clone()} title={help.clone()} selected={*key == machine.profile}>{ label }</option> }
    });
    let length = i64::try_from(document.scenario.duration_ns).unwrap_or(i64::MAX);
    let ideal = machine.profile == IDEAL;
    let rates = Segments {
        label: words::HZ,
        testid: "hz",
        options: RATES.map(|rate| AttrValue::from(rate.to_string())).to_vec(),
        chosen: RATES.iter().position(|rate| *rate == machine.hz),
    };
    let costs = Segments {
        label: words::COSTS,
        testid: "costs",
        options: vec![words::IDEAL.into(), words::CALIBRATED.into()],
        chosen: Some(usize::from(!ideal)),
    };
    html! {
        <div class="psec">
            <h3>{ words::MACHINE }</h3>
            <label class="row"><span class="lab">{ words::PRESET }</span>
                <select class="pick wide-pick" data-testid="preset" onchange={on_profile}>
                    <option value={IDEAL} selected={ideal}>{ words::IDEAL }</option>
                    { for options }
                </select>
            </label>
            <Slider label={words::CPUS} value={i64::from(machine.cores)} min={1} max={CPUS_MAX} log={true}
                text={number::whole(i64::from(machine.cores) * i64::from(machine.threads))} on_value={on_cpus} testid="cpus" />
            <div class="row"><span class="lab">{ words::HZ }</span>
                { segments(&rates, &on_rate) }</div>
            <div class="row"><span class="lab">{ words::COSTS }</span>
                { segments(&costs, &on_costs) }</div>
            <Slider label={words::LENGTH} value={length} min={LENGTH.0} max={LENGTH.1.max(length)} log={true}
                text={number::duration(document.scenario.duration_ns)} on_value={on_length} testid="length" />
        </div>
    }
}
