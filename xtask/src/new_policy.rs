//! `cargo xtask new-policy NAME`: the folder of a new scheduler, copied from `policies/template` (which the tests
//! compile, so it fits the contract), registered, with its page of documentation and one worked example that fails
//! until somebody has done it by hand.

use crate::proc::{self, Outcome};
use std::fs;
use std::path::Path;

const POLICIES: &str = "sim-core/src/policies";

/// Longest key: it goes into links.
const KEY_CHARS_MAX: usize = 40;

/// One name in the three spellings that code needs.
struct Name {
    /// In links and menus: `my-sched-1.0`.
    key: String,
    /// Folder and module: `my_sched_1_0`.
    module: String,
    /// Type: `MySched10`.
    type_name: String,
}

/// Lays out the folder.
pub fn command(key: &str) -> Outcome<()> {
    let name = spell(key)?;
    let policies = proc::root().join(POLICIES);
    let folder = policies.join(&name.module);
    if folder.exists() {
        return Err(format!("{POLICIES}/{} exists already", name.module));
    }
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let code = renamed(&read(&policies.join("template/mod.rs"))?, &name);
    let tests = renamed(&read(&policies.join("template/tests.rs"))?, &name) + &failing_example(&name);
    let registry = registered(&read(&policies.join("mod.rs"))?, &name)?;
    let files = [
        (folder.join("mod.rs"), code),
        (folder.join("tests.rs"), tests),
        (proc::root().join(format!("docs/policies/{}.md", name.module)), documentation(&name)),
        (policies.join("mod.rs"), registry),
    ];
    for (file, text) in &files {
        let parent = file.parent().unwrap_or(file);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(file, text))
            .map_err(|error| format!("{}: {error}", file.display()))?;
        println!("wrote {}", file.strip_prefix(proc::root()).unwrap_or(file).display());
    }
    let module = &name.module;
    println!("\nNext: do the worked example in {POLICIES}/{module}/tests.rs by hand, then make it pass:");
    println!("    cargo test -p sim-core --lib policies::{module}");
    Ok(())
}

fn spell(key: &str) -> Outcome<Name> {
    let good = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-' || letter == '.';
    let starts_well = key.starts_with(|letter: char| letter.is_ascii_lowercase());
    if !starts_well || !key.chars().all(good) || key.len() > KEY_CHARS_MAX || key == "template" {
        return Err(format!(
            "`{key}` cannot be a key: lower-case letters, digits, - and ., a letter first, at most {KEY_CHARS_MAX} characters"
        ));
    }
    let words: Vec<&str> = key.split(['-', '.']).filter(|word| !word.is_empty()).collect();
    let capital = |word: &&str| word[..1].to_uppercase() + &word[1..];
    Ok(Name { key: key.to_string(), module: words.join("_"), type_name: words.iter().map(capital).collect() })
}

/// The template under another name. Quoted names are keys, others are modules and types.
fn renamed(text: &str, name: &Name) -> String {
    let copied = "`cargo xtask new-policy` copies this folder; it is compiled for tests\n//! only, so it follows every change of the contract.";
    text.replace(copied, "laid out by `cargo xtask new-policy`.")
        .replace("\"template\"", &format!("\"{}\"", name.key))
        .replace("Template", &name.type_name)
        .replace("fn template(", "fn bench(")
        .replace("template(1)", "bench(1)")
        .replace("crate::policies::template", &format!("crate::policies::{}", name.module))
}

fn failing_example(name: &Name) -> String {
    format!(
        "\n#[test]\nfn the_rule_that_makes_it_different() {{\n    // {}: choose a few tasks that show its rule, work the schedule out by hand, write it here.\n    \
         assert_eq!(bench(1).hog(\"A\", 0).hog(\"B\", 5).schedule(350_500), \"0 A, by hand\");\n}}\n",
        name.key
    )
}

/// The registry with the module and its row.
fn registered(text: &str, name: &Name) -> Outcome<String> {
    let module = format!("pub mod {};\n", name.module);
    let first_module = text.find("pub mod ").ok_or("policies/mod.rs declares no module")?;
    let row_end = text.find("\n];").ok_or("policies/mod.rs has no REGISTRY that ends with `];`")?;
    let place = text[first_module..row_end]
        .match_indices("pub mod ")
        .map(|(at, _)| first_module + at)
        .find(|at| text[*at..] > *module)
        .or_else(|| text.find("\n\nuse ").map(|at| at + 1))
        .ok_or("policies/mod.rs has no place for a module")?;
    let row = format!("\n    {}::POLICIES,", name.module);
    Ok([&text[..place], &module, &text[place..row_end], &row, &text[row_end..]].concat())
}

fn documentation(name: &Name) -> String {
    format!(
        "# {key}\n\nWhich kernel version or paper this models, in two sentences.\n\n## What is modelled\n\n- \n\n\
         ## What is not modelled, and what that changes\n\n- \n\n## Sources\n\n- \n\n## How it is checked\n\n\
         - Worked examples: `{POLICIES}/{module}/tests.rs`.\n",
        key = name.key,
        module = name.module
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_becomes_folder_and_type() {
        let name = spell("my-sched-1.0").unwrap();
        assert_eq!((name.module.as_str(), name.type_name.as_str()), ("my_sched_1_0", "MySched10"));
        for bad in ["", "My", "1st", "a b", "a/b", "template", "../x"] {
            assert!(spell(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_registry_gets_one_module_in_order_and_one_row() {
        let text = "pub mod bfs;\npub mod o1;\n\nuse x;\n\npub static REGISTRY: &[&[E]] = &[\n    bfs::POLICIES,\n];\n";
        let cfs = registered(text, &spell("cfs").unwrap()).unwrap();
        assert!(cfs.contains("pub mod bfs;\npub mod cfs;\npub mod o1;\n"), "{cfs}");
        assert!(cfs.contains("    bfs::POLICIES,\n    cfs::POLICIES,\n];"), "{cfs}");
        let last = registered(text, &spell("zed").unwrap()).unwrap();
        assert!(last.contains("pub mod o1;\npub mod zed;\n\nuse x;"), "{last}");
    }

    #[test]
    fn the_copied_template_names_only_the_new_policy() {
        let name = spell("zed-2").unwrap();
        for file in ["mod.rs", "tests.rs"] {
            let template = fs::read_to_string(proc::root().join(POLICIES).join("template").join(file)).unwrap();
            let copy = renamed(&template, &name);
            assert!(!copy.to_lowercase().contains("template"), "{file}: {copy}");
            assert!(copy.contains("\"zed-2\""));
        }
    }
}
