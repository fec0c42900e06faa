//! What is on the screen as a file: the canvases of a part of the page, one below the other, with a caption that holds
//! the link. PNG takes the dots of the canvases; SVG is written by their painters, which are asked to draw once more.

use crate::page;
use crate::paint::canvas::{context_of, new_canvas};
use crate::paint::svg::escaped;
use crate::paint::{number, record};
use crate::store::Stage;
use crate::text::export as words;
use gloo_timers::future::TimeoutFuture;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlCanvasElement};

/// Height of the caption, px.
const CAPTION: f64 = 44.0;
/// Letters of a line of the caption.
const LINE: usize = 190;
/// How long painters get for their next picture, ms: some frames, also of a busy page.
const FRAMES_MS: u32 = 250;

/// A part of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Lanes and minimap.
    Timeline,
    /// Structures of the policy.
    Structures,
    /// Live graphs.
    Graphs,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 3] = [Part::Timeline, Part::Structures, Part::Graphs];

    /// Word for names of files and tests.
    pub fn key(self) -> &'static str {
        match self {
            Part::Timeline => "timeline",
            Part::Structures => "structures",
            Part::Graphs => "graphs",
        }
    }

    /// Canvases of the part, as a selector.
    fn canvases(self) -> &'static str {
        match self {
            Part::Timeline => "canvas.lanes, canvas.minimap",
            Part::Structures => "[data-testid=\"structures\"] canvas",
            Part::Graphs => "[data-testid=\"charts\"] canvas",
        }
    }
}

/// Kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Dots.
    Png,
    /// Shapes and texts.
    Svg,
}

impl Kind {
    /// Ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Png => "png",
            Kind::Svg => "svg",
        }
    }

    /// On a button.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Png => "PNG",
            Kind::Svg => "SVG",
        }
    }
}

/// Saves a part of the page. Errors are sentences.
pub async fn save(stage: &Stage, part: Part, kind: Kind, name: &str) -> Result<(), String> {
    let canvases = shown(part);
    if canvases.is_empty() {
        return Err(words::NOT_SHOWN.to_string());
    }
    let caption = caption(stage);
    match kind {
        Kind::Png => {
            let blob = png(&canvases, &caption).await.ok_or_else(|| words::NO_PICTURE.to_string())?;
            page::save_blob(name, &blob);
        }
        Kind::Svg => page::save(name, &svg(stage, &canvases, &caption).await, "image/svg+xml"),
    }
    Ok(())
}

/// The canvases of a part that have a size.
fn shown(part: Part) -> Vec<HtmlCanvasElement> {
    let list = page::document().and_then(|document| document.query_selector_all(part.canvases()).ok());
    let Some(list) = list else { return Vec::new() };
    (0..list.length())
        .filter_map(|index| list.item(index)?.dyn_into::<HtmlCanvasElement>().ok())
        .filter(|canvas| canvas.client_width() > 1 && canvas.client_height() > 1)
        .collect()
}

/// Title, policy and moment; the link in lines.
fn caption(stage: &Stage) -> Vec<String> {
    let (title, policy) = stage.live.title_and_policy();
    let first = format!("{title} · {policy} · {}", number::moment(stage.live.now()));
    let link: Vec<char> = stage.live.link().chars().collect();
    let mut lines = vec![first];
    lines.extend(link.chunks(LINE).map(|line| line.iter().collect()));
    lines
}

fn caption_height(caption: &[String]) -> f64 {
    CAPTION + 14.0 * (caption.len() as f64 - 2.0).max(0.0)
}

/// Canvases one below the other: each with its top, and the size of all, CSS pixels.
fn stacked(canvases: &[HtmlCanvasElement]) -> (Vec<f64>, f64, f64) {
    let mut y = 0.0;
    let mut width = 300.0_f64;
    let tops = canvases.iter().map(|canvas| {
        let top = y;
        y += f64::from(canvas.client_height());
        width = width.max(f64::from(canvas.client_width()));
        top
    });
    let tops = tops.collect();
    (tops, width, y)
}

async fn png(canvases: &[HtmlCanvasElement], caption: &[String]) -> Option<Blob> {
    let (tops, width, height) = stacked(canvases);
    let first = canvases.first()?;
    let dpr = f64::from(first.width()) / f64::from(first.client_width()).max(1.0);
    let whole = height + caption_height(caption);
    let sheet = new_canvas((width * dpr).round() as u32, (whole * dpr).round() as u32)?;
    let context = context_of(&sheet)?;
    context.scale(dpr, dpr).ok()?;
    context.set_fill_style_str("#ffffff");
    context.fill_rect(0.0, 0.0, width, whole);
    for (canvas, top) in canvases.iter().zip(tops) {
        let (w, h) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
        context.draw_image_with_html_canvas_element_and_dw_and_dh(canvas, 0.0, top, w, h).ok()?;
    }
    context.set_fill_style_str("#222222");
    for (index, line) in caption.iter().enumerate() {
        context.set_font(if index == 0 { "600 12px sans-serif" } else { "10px monospace" });
        context.fill_text(line, 8.0, height + 18.0 + 15.0 * index as f64).ok()?;
    }
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let done = Closure::once_into_js(move |blob: wasm_bindgen::JsValue| {
            // Whoever waits for a promise of our own is there.
            let _ = resolve.call1(&wasm_bindgen::JsValue::NULL, &blob);
        });
        if sheet.to_blob(done.unchecked_ref()).is_err() {
            let _ = done.unchecked_ref::<js_sys::Function>().call0(&wasm_bindgen::JsValue::NULL);
        }
    });
    JsFuture::from(promise).await.ok()?.dyn_into().ok()
}

/// A canvas as an image inside an SVG.
fn image_of(canvas: &HtmlCanvasElement, top: f64) -> String {
    let (w, h) = (canvas.client_width(), canvas.client_height());
    let dots = canvas.to_data_url().unwrap_or_default();
    format!("<image y=\"{top}\" width=\"{w}\" height=\"{h}\" href=\"{dots}\"/>")
}

async fn svg(stage: &Stage, canvases: &[HtmlCanvasElement], caption: &[String]) -> String {
    record::begin();
    stage.live.repaint();
    TimeoutFuture::new(FRAMES_MS).await;
    let taken = record::end();
    let (tops, width, height) = stacked(canvases);
    let whole = height + caption_height(caption);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{whole}\" viewBox=\"0 0 {width} {whole}\"><title>{}</title><rect width=\"{width}\" height=\"{whole}\" fill=\"#fff\"/>",
        escaped(caption.first().map_or("", String::as_str))
    );
    for (index, (canvas, top)) in canvases.iter().zip(tops).enumerate() {
        match taken.iter().find(|(other, _)| other == canvas) {
            Some((_, svg)) => out.push_str(&svg.borrow().group(top, &format!("p{index}-"))),
            // Drawn by a library of its own: its dots, inside the file.
            None => out.push_str(&image_of(canvas, top)),
        }
    }
    for (index, line) in caption.iter().enumerate() {
        let look = if index == 0 {
            "font-size=\"12\" font-weight=\"600\" font-family=\"sans-serif\""
        } else {
            "font-size=\"10\" font-family=\"monospace\""
        };
        let y = height + 18.0 + 15.0 * index as f64;
        out.push_str(&format!("<text x=\"8\" y=\"{y}\" {look} fill=\"#222\">{}</text>", escaped(line)));
    }
    out.push_str("</svg>\n");
    out
}
