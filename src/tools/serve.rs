//! The worker's side: no state but the file that is being written.

use super::protocol::{ToolsAsk, ToolsReply};
use crate::bridge::{READY, codec};
use js_sys::Array;
use qrcodegen::{QrCode, QrCodeEcc};
use sim_core::interchange::export::{Facts, Format, Writer};
use sim_core::interchange::import;
use sim_core::scenario;
use std::cell::RefCell;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Starts serving; the worker lives on its messages.
pub fn serve() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let tools = RefCell::new(Tools::default());
    let to = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Some(ask) = codec::decode::<ToolsAsk>(&event.data()) else { return };
        let reply = tools.borrow_mut().answer(ask);
        if let Some(buffer) = codec::encode(&reply) {
            // Fails only for buffers that are in use elsewhere; this one is new.
            let _ = to.post_message_with_transfer(&buffer, &Array::of1(&buffer));
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    let _ = scope.post_message(&JsValue::from_str(READY));
    on_message.forget();
}

#[derive(Default)]
struct Tools {
    writer: Option<Writer>,
}

impl Tools {
    fn answer(&mut self, ask: ToolsAsk) -> ToolsReply {
        match ask {
            ToolsAsk::Qr(text) => ToolsReply::Qr(qr(&text)),
            ToolsAsk::Import(text) => match import::scenario(&text) {
                Ok((scenario, notes)) => ToolsReply::Imported(scenario::to_json(&scenario), notes),
                Err(problems) => ToolsReply::Refused(problems),
            },
            ToolsAsk::Begin { format, loaded, lane, link } => {
                let facts = Facts::new(&loaded, usize::from(lane), link);
                self.writer = Format::of_key(&format).map(|format| Writer::new(format, facts));
                ToolsReply::Bytes(Vec::new())
            }
            ToolsAsk::Part(log) => {
                ToolsReply::Bytes(self.writer.as_mut().map_or(Vec::new(), |writer| writer.feed(&log)))
            }
            ToolsAsk::End(summary) => {
                ToolsReply::Bytes(self.writer.take().map_or(Vec::new(), |writer| writer.end(&summary)))
            }
        }
    }
}

/// Low error correction: a projector shows clean modules, and fewer of them are larger.
fn qr(text: &str) -> Option<(u8, Vec<bool>)> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let size = code.size();
    let dark = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).map(|(x, y)| code.get_module(x, y)).collect();
    Some((u8::try_from(size).ok()?, dark))
}

#[cfg(test)]
mod tests {
    use super::qr;

    #[test]
    fn a_code_has_three_finders_and_a_limit() {
        let (size, dark) = qr("https://schedscope.example/#ex=lat-ctx").unwrap();
        let at = |x: u8, y: u8| dark[usize::from(y) * usize::from(size) + usize::from(x)];
        for (x, y) in [(0, 0), (size - 7, 0), (0, size - 7)] {
            assert!(at(x, y) && at(x + 6, y + 6) && !at(x + 1, y + 1) && at(x + 3, y + 3), "{x},{y}");
        }
        assert!(qr(&"x".repeat(2000)).is_some() && qr(&"x".repeat(3000)).is_none());
    }
}
