//! A slider with its value: 2 px track, small tick at the default, blue when changed, double-click resets.

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

/// Positions of a slider whose range is wider than that.
const POSITIONS: i64 = 200;

/// Properties of [`Slider`].
#[derive(Properties, PartialEq)]
pub struct SliderProps {
    /// Label.
    pub label: AttrValue,
    /// Longer explanation.
    #[prop_or_default]
    pub help: AttrValue,
    /// Value.
    pub value: i64,
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
    /// Default, if it has one.
    #[prop_or_default]
    pub default: Option<i64>,
    /// Moves logarithmically.
    #[prop_or_default]
    pub log: bool,
    /// Value as text.
    pub text: AttrValue,
    /// Called with the value and whether the slider was let go.
    pub on_value: Callback<(i64, bool)>,
    /// Stable id for tests.
    pub testid: AttrValue,
    /// Label is as wide as a kernel name.
    #[prop_or_default]
    pub wide_label: bool,
    /// Draws no label (it is beside).
    #[prop_or_default]
    pub bare: bool,
}

/// Where values lie on the track.
#[derive(Clone, Copy)]
struct Track {
    min: i64,
    max: i64,
    log: bool,
}

impl Track {
    fn is_fine(self) -> bool {
        !self.log && self.max.saturating_sub(self.min) <= POSITIONS
    }

    fn positions(self) -> i64 {
        if self.is_fine() { (self.max - self.min).max(1) } else { POSITIONS }
    }

    /// Logarithmic distance from the smallest value; works from zero and below.
    fn depth(self, value: i64) -> f64 {
        let above = value.saturating_sub(self.min) as f64;
        let unit = (self.min.max(1)) as f64;
        (above / unit).ln_1p()
    }

    fn share(self, value: i64) -> f64 {
        let value = value.clamp(self.min, self.max);
        if self.max <= self.min {
            return 0.0;
        }
        if self.log {
            self.depth(value) / self.depth(self.max)
        } else {
            (value - self.min) as f64 / (self.max - self.min) as f64
        }
    }

    fn position(self, value: i64) -> i64 {
        (self.share(value) * self.positions() as f64).round() as i64
    }

    fn value(self, position: i64) -> i64 {
        if self.is_fine() {
            return (self.min + position).clamp(self.min, self.max);
        }
        let share = position as f64 / POSITIONS as f64;
        let exact = if self.log {
            self.min as f64 + (share * self.depth(self.max)).exp_m1() * self.min.max(1) as f64
        } else {
            self.min as f64 + share * (self.max - self.min) as f64
        };
        rounded(exact).clamp(self.min, self.max)
    }
}

/// Two significant digits: a slider gives numbers that read well.
fn rounded(value: f64) -> i64 {
    if value.abs() < 100.0 {
        return value.round() as i64;
    }
    let unit = 10_f64.powf(value.abs().log10().floor() - 1.0);
    ((value / unit).round() * unit) as i64
}

/// The next value that an arrow key reaches: never the same again, however narrow the values lie.
fn neighbour(track: Track, value: i64, up: bool) -> i64 {
    let step = if up { 1 } else { -1 };
    let mut position = track.position(value) + step;
    while (0..=track.positions()).contains(&position) {
        let next = track.value(position);
        if (up && next > value) || (!up && next < value) {
            return next;
        }
        position += step;
    }
    if up { track.max } else { track.min }
}

fn arrow(event: &KeyboardEvent) -> Option<bool> {
    match event.key().as_str() {
        "ArrowRight" | "ArrowUp" => Some(true),
        "ArrowLeft" | "ArrowDown" => Some(false),
        _ => None,
    }
}

/// A slider.
#[component]
pub fn Slider(props: &SliderProps) -> Html {
    let track = Track { min: props.min, max: props.max, log: props.log };
    let node = use_node_ref();
    let fill = track.share(props.value);
    let tick = props.default.map(|value| track.share(value));
    {
        let node = node.clone();
        use_effect_with((fill, tick), move |(fill, tick)| {
            let Some(element) = node.cast::<HtmlElement>() else { return };
            // Through the object model: the content security policy forbids style attributes.
            let style = element.style();
            let _ = style.set_property("--fill", &fill.to_string());
            let _ = style.set_property("--tick", &tick.unwrap_or(-1.0).to_string());
        });
    }
    let emit = |done: bool| {
        let on_value = props.on_value.clone();
        move |event: Event| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(input) = input {
                on_value.emit((track.value(input.value_as_number() as i64), done));
            }
        }
    };
    let on_input = emit(false);
    let on_key = {
        let (on_value, value) = (props.on_value.clone(), props.value);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(up) = arrow(&event) {
                event.prevent_default();
                on_value.emit((neighbour(track, value, up), true));
            }
        })
    };
    let reset = props.default.map(|value| {
        let on_value = props.on_value.clone();
        Callback::from(move |_: MouseEvent| on_value.emit((value, true)))
    });
    let changed = props.default.is_some_and(|default| default != props.value);
    let label = (!props.bare).then(|| {
        html! { <span class={classes!("lab", props.wide_label.then_some("wide"))}>{ &props.label }</span> }
    });
    let title = (!props.help.is_empty()).then(|| props.help.clone());
    html! {
        <label class="row" {title}>
            { label }
            <span class="drag"><span class="slider" ref={node}>
                <input type="range" min="0" max={track.positions().to_string()} step="1" aria-label={&props.label}
                    aria-valuetext={&props.text} value={track.position(props.value).to_string()} data-testid={&props.testid}
                    oninput={move |event: InputEvent| on_input(event.into())} onchange={emit(true)} ondblclick={reset} onkeydown={on_key} />
            </span>
            <span class={classes!("val", changed.then_some("set"))}>{ &props.text }</span></span>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ranges_reach_every_value() {
        let track = Track { min: -20, max: 19, log: false };
        assert_eq!(
            (-20..=19).map(|nice| track.value(track.position(nice))).collect::<Vec<_>>(),
            (-20..=19).collect::<Vec<_>>()
        );
    }

    #[test]
    fn both_ends_of_a_logarithmic_track_are_reached() {
        for track in [Track { min: 0, max: 1_000_000, log: true }, Track { min: 1000, max: 10_000_000_000, log: true }]
        {
            assert_eq!(track.value(0), track.min);
            assert_eq!(track.value(POSITIONS), track.max);
        }
    }

    #[test]
    fn arrow_keys_always_reach_another_value() {
        let track = Track { min: 0, max: 10_000, log: true };
        let mut value = 0;
        while value < track.max {
            let next = neighbour(track, value, true);
            assert!(next > value && neighbour(track, next, false) < next);
            value = next;
        }
    }

    #[test]
    fn values_read_well() {
        assert_eq!(rounded(12_345.0), 12_000);
        assert_eq!(rounded(99.6), 100);
    }
}
