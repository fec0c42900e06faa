//! A bar between two panels: drag it or press the arrow keys; double-click puts it back.

use crate::page;
use crate::store::layout::Sized;
use crate::store::{Layout, LayoutAction, use_stage, use_store};
use crate::text::{Word, panel as words};
use std::cell::Cell;
use std::ops::RangeInclusive;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// Where the sizes are remembered.
const KEPT: &str = "schedscope.panels";
/// An arrow key moves it by this, px.
const STEP: i32 = 16;

/// What a bar knows about its panel.
struct Bar {
    name: Word,
    testid: &'static str,
    /// Custom property that the style reads.
    property: &'static str,
    /// The element whose size it is.
    sized: &'static str,
    /// Size as designed, px.
    designed: u16,
    /// Least and largest size, px.
    range: RangeInclusive<u16>,
    /// It moves up and down.
    is_height: bool,
    /// The panel lies behind the bar: it grows when the bar moves back.
    is_behind: bool,
}

const fn width(name: Word, testid: &'static str, property: &'static str, sized: &'static str, designed: u16) -> Bar {
    Bar { name, testid, property, sized, designed, range: 200..=640, is_height: false, is_behind: false }
}

const fn height(name: Word, testid: &'static str, property: &'static str, sized: &'static str, designed: u16) -> Bar {
    Bar { name, testid, property, sized, designed, range: 72..=1200, is_height: true, is_behind: false }
}

/// In the order of [`Sized::ALL`].
static BARS: [Bar; 4] = [
    width(words::WIDTH_LEFT, "split-left", "--side-left", ".cols > .left", 280),
    Bar { is_behind: true, ..width(words::WIDTH_RIGHT, "split-right", "--side-right", ".cols > .right", 320) },
    height(words::HEIGHT_LANES, "split-lanes", "--lanes-max", ".center.run .timeline .lanes", 504),
    height(words::HEIGHT_STRUCTURES, "split-structures", "--structures-max", ".center.run .structures .stage", 296),
];

impl Bar {
    fn of(panel: Sized) -> &'static Bar {
        &BARS[panel as usize]
    }

    /// Size as it is on the page, px: content may need less than it may have.
    fn measured(&self) -> Option<u16> {
        let element = page::document()?.query_selector(self.sized).ok()??;
        let size = if self.is_height { element.client_height() } else { element.client_width() };
        u16::try_from(size).ok().filter(|size| *size > 0)
    }

    fn clamped(&self, wanted: i32) -> u16 {
        wanted.clamp(i32::from(*self.range.start()), i32::from(*self.range.end())) as u16
    }

    fn position(&self, event: &PointerEvent) -> i32 {
        if self.is_height { event.client_y() } else { event.client_x() }
    }

    /// How a key changes a size.
    fn by_key(&self, key: &str, size: u16) -> Option<u16> {
        let (back, on) = if self.is_height { ("ArrowUp", "ArrowDown") } else { ("ArrowLeft", "ArrowRight") };
        let step = if self.is_behind { -STEP } else { STEP };
        match key {
            "Home" => Some(*self.range.start()),
            "End" => Some(*self.range.end()),
            key if key == on => Some(self.clamped(i32::from(size) + step)),
            key if key == back => Some(self.clamped(i32::from(size) - step)),
            _ => None,
        }
    }
}

/// Sizes of an earlier visit: `280,320,-,-`, a dash where none was chosen.
pub fn kept() -> [Option<u16>; 4] {
    read(&page::recall(KEPT).unwrap_or_default())
}

fn read(text: &str) -> [Option<u16>; 4] {
    let mut parts = text.split(',');
    BARS.each_ref().map(|bar| Some(bar.clamped(parts.next()?.parse::<u16>().ok()?.into())))
}

fn keep(sizes: [Option<u16>; 4]) {
    page::remember(KEPT, &written(sizes));
}

fn written(sizes: [Option<u16>; 4]) -> String {
    sizes.map(|size| size.map_or_else(|| "-".to_string(), |size| size.to_string())).join(",")
}

/// Writes the sizes where the styles of the panels look for them.
pub fn apply(sizes: [Option<u16>; 4]) {
    let root = page::document().and_then(|document| document.document_element());
    let Some(style) = root.and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()).map(|root| root.style())
    else {
        return;
    };
    for (bar, size) in BARS.iter().zip(sizes) {
        // The root element takes any custom property.
        let _ = match size {
            Some(size) => style.set_property(bar.property, &format!("{size}px")),
            None => style.remove_property(bar.property).map(|_| ()),
        };
    }
}

/// Properties of [`Splitter`].
#[derive(Properties, PartialEq)]
pub struct SplitterProps {
    /// Whose size it changes.
    pub panel: Sized,
}

/// The bar.
#[component]
pub fn Splitter(props: &SplitterProps) -> Html {
    let stage = use_stage();
    let sizes = use_store::<Layout>().sizes;
    let panel = props.panel;
    let bar = Bar::of(panel);
    let size = sizes[panel as usize].unwrap_or(bar.designed);
    // Where the pointer went down and how large the panel was then.
    let drag = use_memo((), |()| Cell::new(None::<(i32, u16)>));
    let set = {
        let layout = stage.layout.clone();
        move |size: Option<u16>| layout.dispatch(LayoutAction::Size(panel, size))
    };
    let down = {
        let drag = Rc::clone(&drag);
        Callback::from(move |event: PointerEvent| {
            if let Some(element) = event.target_dyn_into::<Element>() {
                // Fails only for a pointer that is gone already.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            drag.set(Some((bar.position(&event), bar.measured().unwrap_or(size))));
        })
    };
    let moved = {
        let (drag, set) = (Rc::clone(&drag), set.clone());
        Callback::from(move |event: PointerEvent| {
            let Some((from, size)) = drag.get() else { return };
            let by = bar.position(&event) - from;
            if by != 0 {
                set(Some(bar.clamped(i32::from(size) + if bar.is_behind { -by } else { by })));
            }
        })
    };
    let up = Callback::from(move |_: PointerEvent| drag.set(None));
    let on_key = {
        let set = set.clone();
        Callback::from(move |event: KeyboardEvent| {
            let now = bar.measured().map_or(size, |measured| measured.min(size));
            let Some(next) = bar.by_key(&event.key(), now) else { return };
            set(Some(next));
            event.prevent_default();
            event.stop_propagation();
        })
    };
    use_effect_with(sizes, |sizes| keep(*sizes));
    let reset = Callback::from(move |_: MouseEvent| set(None));
    let (orientation, kind) = if bar.is_height { ("horizontal", "level") } else { ("vertical", "upright") };
    html! {
        <section class="split" aria-label={bar.name}>
        <div class={classes!("splitter", kind)} role="separator" tabindex="0" aria-orientation={orientation} aria-label={bar.name} title={words::RESIZE}
            aria-valuenow={size.to_string()} aria-valuemin={bar.range.start().to_string()} aria-valuemax={bar.range.end().to_string()}
            onpointerdown={down} onpointermove={moved} onpointerup={up.clone()} onpointercancel={up} onkeydown={on_key} ondblclick={reset}
            data-testid={bar.testid} />
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_kept_and_old_or_damaged_ones_are_taken_for_what_they_say() {
        let sizes = [Some(300), None, Some(400), Some(96)];
        assert_eq!(read(&written(sizes)), sizes);
        assert_eq!(read("300,-"), [Some(300), None, None, None]);
        assert_eq!(read("9,x,99999,-5"), [Some(200), None, None, None]);
    }

    #[test]
    fn keys_move_the_bar_the_way_they_point() {
        let (right, lanes) = (Bar::of(Sized::Inspector), Bar::of(Sized::Lanes));
        assert_eq!(right.by_key("ArrowRight", 320), Some(304), "the inspector lies behind its bar");
        assert_eq!(lanes.by_key("ArrowDown", 300), Some(316));
        assert_eq!(lanes.by_key("ArrowUp", 80), Some(72));
        assert_eq!((lanes.by_key("ArrowLeft", 300), lanes.by_key("End", 300)), (None, Some(1200)));
        for (bar, panel) in BARS.iter().zip(Sized::ALL) {
            assert!(std::ptr::eq(bar, Bar::of(panel)) && bar.range.contains(&bar.designed));
        }
    }
}
