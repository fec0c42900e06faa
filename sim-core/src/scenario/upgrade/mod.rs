//! Older documents to the current version. Upgrader `n` turns version n - 1 into n; published links need them for ever.

use super::problems::single;
use super::schema::VERSION;
use crate::engine::protocol::Problem;
use serde_json::{Map, Value};

/// Turns a document of the version before into one of this version.
type Upgrader = fn(&mut Map<String, Value>);

/// (version it makes, upgrader), without gaps from 2 on. Version 1 is the first that was published.
const UPGRADERS: &[(u32, Upgrader)] = &[];

/// Brings a document to the current version.
pub(super) fn to_current(value: &mut Value) -> Result<(), Vec<Problem>> {
    let Value::Object(map) = value else {
        return Err(single("", "should be an object {…}", "A scenario begins with {\"v\": 1, …"));
    };
    let version = match map.get("v") {
        None => return Err(single("v", "is missing", format!("Write \"v\": {VERSION}"))),
        Some(version) => version.as_u64().unwrap_or(0),
    };
    if version > u64::from(VERSION) {
        let message = format!("made by a newer version ({version}; this one knows {VERSION})");
        return Err(single("v", message, "Reload the page to get the newest version"));
    }
    if version == 0 {
        return Err(single("v", format!("should be a whole number from 1 to {VERSION}"), ""));
    }
    for (makes, upgrade) in UPGRADERS {
        if u64::from(*makes) > version {
            upgrade(map);
            map.insert("v".into(), (*makes).into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_version_after_the_first_has_its_upgrader() {
        let made: Vec<u32> = UPGRADERS.iter().map(|(makes, _)| *makes).collect();
        let wanted: Vec<u32> = (2..VERSION + 1).collect();
        assert_eq!(made, wanted, "upgrader n turns version n - 1 into n");
    }

    #[test]
    fn a_newer_document_asks_for_a_reload() {
        let mut value = serde_json::json!({"v": 99});
        let problems = to_current(&mut value).unwrap_err();
        assert_eq!(problems[0].message, "made by a newer version (99; this one knows 1)");
    }
}
