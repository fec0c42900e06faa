//! Rust sources as the tidy rules see them: code without comments, texts and tests; string literals apart.
//! A small lexer, not a parser: it knows comments, strings and characters, nothing else.

use crate::compress::files_below;
use crate::proc::{self, Outcome};
use std::path::Path;

/// One source file.
pub struct Source {
    /// Path below the repository's root, with slashes.
    pub path: String,
    /// Number of lines.
    pub lines: usize,
    /// The code with comments and the insides of strings blanked, tests cut off; line breaks are kept.
    pub code: String,
    /// String literals outside tests, with their line (from 1).
    pub strings: Vec<(usize, String)>,
}

/// All Rust files below `folders` that exist.
pub fn read_all(folders: &[&str]) -> Outcome<Vec<Source>> {
    let mut sources = Vec::new();
    for folder in folders.iter().map(|folder| proc::root().join(folder)).filter(|folder| folder.is_dir()) {
        for file in files_below(&folder)?.iter().filter(|file| file.extension().is_some_and(|kind| kind == "rs")) {
            sources.push(read(file)?);
        }
    }
    Ok(sources)
}

fn read(file: &Path) -> Outcome<Source> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let path = file.strip_prefix(proc::root()).unwrap_or(file).to_string_lossy().replace('\\', "/");
    Ok(source(&path, &text))
}

/// Takes one file apart.
pub fn source(path: &str, text: &str) -> Source {
    let whole_is_test = path.ends_with("tests.rs") || path.split('/').any(|part| part == "tests" || part == "benches");
    let shown = if whole_is_test { "" } else { without_tests(text) };
    let (code, strings) = lex(shown);
    Source { path: path.to_string(), lines: text.lines().count(), code, strings }
}

/// By custom tests stand at the end of a file: everything from `#[cfg(test)]` before an inline module is cut.
fn without_tests(text: &str) -> &str {
    let mut from = 0;
    while let Some(found) = text[from..].find("#[cfg(test)]") {
        let at = from + found;
        let after = text[at + "#[cfg(test)]".len()..].trim_start();
        let is_inline_module =
            after.starts_with("mod ") && after.find(['{', ';']).is_some_and(|place| after[place..].starts_with('{'));
        if is_inline_module {
            return &text[..at];
        }
        from = at + 1;
    }
    text
}

/// Code with everything else blanked, and the string literals.
fn lex(text: &str) -> (String, Vec<(usize, String)>) {
    let bytes = text.as_bytes();
    let mut code = vec![b' '; bytes.len()];
    let mut strings = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = token_end(bytes, at);
        let token = &text.as_bytes()[at..end];
        match (token[0], token.get(1)) {
            (b'/', Some(b'/' | b'*')) => {}
            (b'"', Some(_)) | (b'r', Some(b'"' | b'#')) if end > at + 1 => {
                let inner = String::from_utf8_lossy(token);
                let inner = inner.trim_start_matches(['r', '#']).trim_end_matches('#').trim_matches('"');
                strings.push((1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count(), inner.to_string()));
            }
            (b'\'', _) if end > at + 1 => {}
            _ => code[at..end].copy_from_slice(token),
        }
        for place in at..end {
            if bytes[place] == b'\n' {
                code[place] = b'\n';
            }
        }
        at = end;
    }
    (String::from_utf8_lossy(&code).into_owned(), strings)
}

/// End of the comment, string, character or single byte that begins at `at`.
fn token_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let word_before = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
    let length = match rest {
        [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment_length(rest),
        [b'"', ..] => string_length(rest),
        [b'r', b'"' | b'#', ..] if !word_before => raw_string_length(rest),
        [b'\'', b'\\', ..] => 2 + rest[2..].iter().skip(1).position(|byte| *byte == b'\'').map_or(0, |n| n + 2),
        [b'\'', ..] => character_length(rest),
        _ => 1,
    };
    at + length.max(1)
}

fn block_comment_length(rest: &[u8]) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at + 1 < rest.len() {
        match &rest[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn string_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// 1 (just the letter) when this is no raw string but a raw identifier.
fn raw_string_length(rest: &[u8]) -> usize {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return 1;
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let body = &rest[2 + hashes..];
    body.windows(close.len()).position(|part| part == close).map_or(rest.len(), |n| 2 + hashes + n + close.len())
}

/// A character literal closes within five bytes; anything else is a lifetime.
fn character_length(rest: &[u8]) -> usize {
    let width = rest.get(1).map_or(1, |first| match first {
        0..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    });
    if rest.get(1 + width) == Some(&b'\'') { 2 + width } else { 1 }
}

/// Modules that the code names: each as a path from the crate's root, like `["policies", "o1", "rq"]`. `module` is the
/// path of the file's own module; `crate::` and chains of `super::` are followed, groups are opened.
pub fn named_modules(code: &str, module: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("crate::").into_iter().chain(rest.find("super::")).min() {
        let before = rest[..at].bytes().next_back();
        let whole_word =
            !before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b':' || byte == b'$');
        let is_crate = rest[at..].starts_with("crate::");
        let mut tail = &rest[at + "crate::".len()..];
        rest = tail;
        if !whole_word {
            continue;
        }
        let mut base: Vec<String> =
            if is_crate { Vec::new() } else { owned(&module[..module.len().saturating_sub(1)]) };
        while let Some(further) = tail.strip_prefix("super::") {
            base.pop();
            tail = further;
            rest = further;
        }
        found.extend(paths_after(tail).into_iter().map(|path| base.iter().cloned().chain(path).collect()));
    }
    found
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

/// `a::b::C` -> one path; `{a, b::{c, d}}` -> one for each.
fn paths_after(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start();
    if let Some(inner) = text.strip_prefix('{') {
        return group_parts(inner).into_iter().flat_map(paths_after).collect();
    }
    let name: String = text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    if name.is_empty() {
        return Vec::new();
    }
    // A macro of the crate stands at its root, whatever module defines it.
    if text[name.len()..].starts_with('!') {
        return Vec::new();
    }
    match text[name.len()..].strip_prefix("::") {
        Some(tail) if tail.starts_with(['{', '_']) || tail.starts_with(char::is_alphabetic) => {
            let prefixed = |path: Vec<String>| std::iter::once(name.clone()).chain(path).collect();
            paths_after(tail).into_iter().map(prefixed).collect()
        }
        _ => vec![vec![name]],
    }
}

/// Parts of a group up to its closing brace, split at its own commas.
fn group_parts(inner: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&inner[start..at]);
                return parts;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(code: &str, module: &[&str]) -> Vec<String> {
        named_modules(code, module).iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn comments_strings_and_tests_are_no_code() {
        let text = "// crate::a\nlet s = \"crate::b\"; /* crate::c /* nested */ */ let c = '\"'; let l: &'static str = r#\"crate::d\"#;\nx();\n#[cfg(test)]\nmod tests { use crate::e; }";
        let source = source("src/x.rs", text);
        assert!(!source.code.contains("crate::"), "{}", source.code);
        assert!(source.code.contains("x();") && source.code.contains("'static str"));
        assert_eq!(source.strings, [(2, "crate::b".to_string()), (2, "crate::d".to_string())]);
        assert_eq!(source.lines, 5);
    }

    #[test]
    fn a_test_module_in_its_own_file_does_not_cut_the_rest() {
        let source = source("src/x.rs", "#[cfg(test)]\nmod tests;\nuse crate::a;");
        assert!(source.code.contains("crate::a"));
    }

    #[test]
    fn imports_are_followed_through_groups_and_super() {
        assert_eq!(named("use crate::{a::{b, c}, d::E};", &[]), ["a::b", "a::c", "d::E"]);
        assert_eq!(named("fn f(x: crate::units::Nanos) {}", &[]), ["units::Nanos"]);
        assert_eq!(
            named("use super::rq::Rq; use super::super::cfs::X;", &["policies", "o1", "pick"]),
            ["policies::o1::rq::Rq", "policies::cfs::X"]
        );
        assert_eq!(named("pub use super::*;", &["a", "b"]), Vec::<String>::new());
        assert_eq!(named("use other_crate::x; crate::reasons! {}", &[]), Vec::<String>::new());
    }
}
