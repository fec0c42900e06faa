//! The service worker of the page: which files belong to this version, named by what is in them.

use crate::compress::files_below;
use crate::proc::Outcome;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

const TEMPLATE: &str = include_str!("sw.js");

/// Writes `sw.js` into the built page.
pub fn write(dist: &Path) -> Outcome<()> {
    let target = dist.join("sw.js");
    let mut hash = Sha256::new();
    let mut names = vec!["./".to_string()];
    for file in files_below(dist)? {
        let name = file.strip_prefix(dist).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        if name == "sw.js" {
            continue;
        }
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        hash.update(format!("{name} {}\n", bytes.len()));
        hash.update(&bytes);
        // The page itself is "./".
        if name != "index.html" {
            names.push(format!("./{name}"));
        }
    }
    let version: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let text = TEMPLATE.replace("__VERSION__", &version).replace("__FILES__", &format!("[{}]", quoted.join(", ")));
    fs::write(&target, text).map_err(|error| format!("{}: {error}", target.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_byte_is_another_version_and_every_file_is_listed() {
        let folder = std::env::temp_dir().join(format!("schedscope-offline-{}", std::process::id()));
        fs::create_dir_all(folder.join("locales")).unwrap();
        for (name, text) in [("index.html", "<p>"), ("worker.js", "1"), ("locales/de.json", "{}")] {
            fs::write(folder.join(name), text).unwrap();
        }
        let written = || {
            write(&folder).unwrap();
            fs::read_to_string(folder.join("sw.js")).unwrap()
        };
        let first = written();
        assert!(first.contains("[\"./\", \"./locales/de.json\", \"./worker.js\"]"), "{first}");
        assert_eq!(first, written(), "the same files are the same version");
        fs::write(folder.join("worker.js"), "2").unwrap();
        assert_ne!(first, written());
        assert!(!first.contains("__"), "nothing is left of the template");
        fs::remove_dir_all(folder).unwrap();
    }
}
