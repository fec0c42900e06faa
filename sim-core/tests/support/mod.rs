//! Pieces of JSON schemas, and the comparison of a generated document with the published one.

use serde_json::{Value, json};
use std::path::PathBuf;

/// A file of `docs/`.
pub fn docs(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)
}

/// The published document is as it is generated; `UPDATE_GOLDEN=1` writes it.
pub fn agrees(name: &str, wanted: &str) {
    let file = std::fs::read_to_string(docs(name)).unwrap_or_default();
    if file == wanted {
        return;
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(docs(name), wanted).unwrap();
    } else {
        panic!("docs/{name} is out of date: run with UPDATE_GOLDEN=1");
    }
}

/// A whole number.
pub fn number(min: impl Into<i128>, max: impl Into<i128>, what: &str) -> Value {
    let (min, max) = (min.into(), max.into());
    let whole = |n: i128| u64::try_from(n).map_or_else(|_| json!(n as i64), |n| json!(n));
    json!({"type": "integer", "minimum": whole(min), "maximum": whole(max), "description": what})
}

/// A text.
pub fn text(chars_max: usize, what: &str) -> Value {
    json!({"type": "string", "maxLength": chars_max, "description": what})
}

/// A list.
pub fn list(items: Value, max: usize, what: &str) -> Value {
    json!({"type": "array", "items": items, "maxItems": max, "description": what})
}

/// An object with its fields.
pub fn object(required: &[&str], properties: Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties})
}
