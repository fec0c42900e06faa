//! A document as the text that people read and mend: laid out in lines, and where in it a field stands. Untrusted like
//! every document; what is no JSON has neither fields nor lines, only the place where it stops being JSON.

use super::json;
use crate::engine::protocol::Problem;
use core::ops::Range;
use serde::de::IgnoredAny;

/// Longest line that holds a whole object or list, characters.
const LINE_CHARS_MAX: usize = 76;

/// The document with one field or entry per line, short ones in one line together. What it says, and in which order,
/// stays; what is no JSON stays whole.
pub fn laid_out(text: &str) -> String {
    match tree(text) {
        Some(root) => {
            let mut out = String::with_capacity(text.len() * 2);
            root.write(text, 0, 0, &mut out);
            out
        }
        None => text.into(),
    }
}

/// Bytes of the value with a path such as `workloads[2].params.burst`.
pub fn place(text: &str, path: &str) -> Option<Range<usize>> {
    let root = tree(text).filter(|_| !path.is_empty())?;
    root.find(text, path).ok().map(|node| node.range.clone())
}

/// Where `problems` are in the document, in the order of the text: bytes of the faulty value, of the opening bracket
/// of what lacks a field, or of the character where it stops being JSON.
pub fn places(text: &str, problems: &[Problem]) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = match tree(text) {
        Some(root) => {
            let named = problems.iter().filter(|problem| !problem.path.is_empty());
            named.filter_map(|problem| root.nearest(text, &problem.path)).collect()
        }
        None => stop(text).into_iter().collect(),
    };
    places.sort_by_key(|place| (place.start, place.end));
    places.dedup();
    places
}

/// The character where a text stops being JSON.
fn stop(text: &str) -> Option<Range<usize>> {
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    let line_at = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    // Columns are bytes and count from 1; at the end of a text there is no character any more.
    let at = (line_at + error.column().saturating_sub(1)).min(text.len().saturating_sub(1));
    let start = (0..=at).rev().find(|&at| text.is_char_boundary(at))?;
    let length = text[start..].chars().next()?.len_utf8();
    Some(start..start + length)
}

/// The values of a document with their places.
fn tree(text: &str) -> Option<Node> {
    // From here on it is JSON, and its nesting is bounded.
    json(text).ok()?;
    let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
    reader.space();
    Some(reader.value())
}

struct Node {
    range: Range<usize>,
    parts: Parts,
}

enum Parts {
    None,
    Entries(Vec<Node>),
    /// Name with its quotes, and value.
    Fields(Vec<(Range<usize>, Node)>),
}

impl Node {
    /// The value of a path, or the last one on the way that exists.
    fn find(&self, text: &str, path: &str) -> Result<&Node, &Node> {
        let mut at = self;
        for part in path.split('.') {
            let (name, indices) = part.split_once('[').unwrap_or((part, ""));
            if !name.is_empty() {
                at = at.field(text, name).ok_or(at)?;
            }
            for index in indices.split('[').filter(|index| !index.is_empty()) {
                let index = index.strip_suffix(']').and_then(|index| index.parse::<usize>().ok());
                at = index.and_then(|index| at.entry(index)).ok_or(at)?;
            }
        }
        Ok(at)
    }

    fn nearest(&self, text: &str, path: &str) -> Option<Range<usize>> {
        match self.find(text, path) {
            Ok(Node { range, parts: Parts::None }) => Some(range.clone()),
            // A whole table, or what lacks the field: its bracket is enough.
            Ok(node) => Some(node.range.start..node.range.start + 1),
            Err(node) if node.range == self.range => None,
            Err(node) => Some(node.range.start..node.range.start + 1),
        }
    }

    /// The last field of this name counts, as for the reader.
    fn field(&self, text: &str, name: &str) -> Option<&Node> {
        let Parts::Fields(fields) = &self.parts else { return None };
        let is_named =
            |range: &Range<usize>| serde_json::from_str::<String>(&text[range.clone()]).is_ok_and(|own| own == name);
        fields.iter().rev().find(|(own, _)| is_named(own)).map(|(_, node)| node)
    }

    fn entry(&self, index: usize) -> Option<&Node> {
        let Parts::Entries(entries) = &self.parts else { return None };
        entries.get(index)
    }

    /// Writes the value; `column`: where it begins, `depth`: how far lines below it are moved in.
    fn write(&self, text: &str, column: usize, depth: usize, out: &mut String) {
        let mut flat = String::new();
        self.write_flat(text, &mut flat);
        // The document itself has a line per section.
        if matches!(self.parts, Parts::None) || depth > 0 && column + flat.chars().count() <= LINE_CHARS_MAX {
            out.push_str(&flat);
            return;
        }
        let (open, close, count) = self.brackets();
        let indent = 2 * (depth + 1);
        out.push(open);
        for at in 0..count {
            out.push('\n');
            out.extend(core::iter::repeat_n(' ', indent));
            let begin = out.len();
            let node = self.part(text, at, out);
            node.write(text, indent + out[begin..].chars().count(), depth + 1, out);
            out.push_str(if at + 1 < count { "," } else { "\n" });
        }
        out.extend(core::iter::repeat_n(' ', if count > 0 { 2 * depth } else { 0 }));
        out.push(close);
    }

    fn write_flat(&self, text: &str, out: &mut String) {
        if let Parts::None = self.parts {
            return out.push_str(&text[self.range.clone()]);
        }
        let (open, close, count) = self.brackets();
        out.push(open);
        for at in 0..count {
            out.push_str(if at > 0 { ", " } else { "" });
            self.part(text, at, out).write_flat(text, out);
        }
        out.push(close);
    }

    fn brackets(&self) -> (char, char, usize) {
        match &self.parts {
            Parts::Fields(fields) => ('{', '}', fields.len()),
            Parts::Entries(entries) => ('[', ']', entries.len()),
            Parts::None => (' ', ' ', 0),
        }
    }

    /// Part number `at`; the name of a field is written.
    fn part(&self, text: &str, at: usize, out: &mut String) -> &Node {
        match &self.parts {
            Parts::Fields(fields) => {
                out.push_str(&text[fields[at].0.clone()]);
                out.push_str(": ");
                &fields[at].1
            }
            Parts::Entries(entries) => &entries[at],
            Parts::None => self,
        }
    }
}

/// Walks through a text that is JSON.
struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(b' ')
    }

    fn space(&mut self) {
        while self.at < self.bytes.len() && self.peek().is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn value(&mut self) -> Node {
        let start = self.at;
        let parts = match self.peek() {
            b'{' => {
                let mut fields = Vec::new();
                self.each(b'}', |reader| {
                    let name = reader.at;
                    reader.scalar();
                    let name = name..reader.at;
                    reader.space();
                    reader.at += 1; // the colon
                    reader.space();
                    fields.push((name, reader.value()));
                });
                Parts::Fields(fields)
            }
            b'[' => {
                let mut entries = Vec::new();
                self.each(b']', |reader| entries.push(reader.value()));
                Parts::Entries(entries)
            }
            _ => {
                self.scalar();
                Parts::None
            }
        };
        Node { range: start..self.at, parts }
    }

    /// What stands between brackets, up to and with the closing one.
    fn each(&mut self, close: u8, mut read: impl FnMut(&mut Self)) {
        self.at += 1;
        self.space();
        while self.at < self.bytes.len() && self.peek() != close {
            read(self);
            self.space();
            if self.peek() == b',' {
                self.at += 1;
                self.space();
            }
        }
        self.at += 1;
    }

    /// A text, number or word.
    fn scalar(&mut self) {
        let is_text = self.peek() == b'"';
        let mut is_escaped = false;
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' if is_text && !is_escaped => {
                    self.at += 1;
                    return;
                }
                b',' | b':' | b'}' | b']' if !is_text => return,
                _ if !is_text && byte.is_ascii_whitespace() => return,
                _ => is_escaped = byte == b'\\' && !is_escaped,
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn at<'t>(text: &'t str, path: &str) -> Option<&'t str> {
        place(text, path).map(|range| &text[range])
    }

    #[test]
    fn a_path_leads_to_its_value() {
        let text = r#" {"a":{"b\"c":1},"list":[ [5 , -2.5e3], {"x":"ü]"} ],"a": {"b":true}} "#;
        assert_eq!(at(text, "a.b"), Some("true"));
        assert_eq!(at(text, "list[0][1]"), Some("-2.5e3"));
        assert_eq!(at(text, "list[1].x"), Some("\"ü]\""));
        assert_eq!(at(text, "list[0]"), Some("[5 , -2.5e3]"));
        for path in ["", "a[x]", "list[9]", "b.c", "a[0]]", "[0]", "list[1].x.y"] {
            assert_eq!(at(text, path), None, "{path}");
        }
    }

    #[test]
    fn problems_are_found_or_what_lacks_the_field() {
        let text = r#"{"machine":{"hz":120},"workloads":[{"nice":40}]}"#;
        let problems = ["workloads[0].nice", "machine.hz", "workloads[0].name", "duration_ns", ""]
            .map(|path| Problem { path: path.into(), ..Problem::default() });
        let marked: Vec<&str> = places(text, &problems).into_iter().map(|range| &text[range]).collect();
        assert_eq!(marked, ["120", "{", "40"]);
    }

    #[test]
    fn what_is_no_json_is_marked_where_it_stops() {
        let marked =
            |text: &str| places(text, &[]).into_iter().map(|range| text[range].to_string()).collect::<Vec<_>>();
        assert_eq!(marked("{\"a\": 1,\n \"b\": ü}"), ["ü"]);
        assert_eq!(marked("{\"a\": 1"), ["1"]);
        assert_eq!(marked(""), Vec::<String>::new());
        assert_eq!(laid_out("{\"a\": 1"), "{\"a\": 1");
    }

    #[test]
    fn sections_have_lines_of_their_own() {
        let text = r#"{"v":1,"machine":{"cores":2,"hz":120},"workloads":[],"lanes":[{"policy":"a-long-name-of-a-policy","tunables":{"first":1,"second":2}},{"policy":"b"}]}"#;
        let lines = laid_out(text);
        let expected = [
            "{",
            "  \"v\": 1,",
            "  \"machine\": {\"cores\": 2, \"hz\": 120},",
            "  \"workloads\": [],",
            "  \"lanes\": [",
            "    {",
            "      \"policy\": \"a-long-name-of-a-policy\",",
            "      \"tunables\": {\"first\": 1, \"second\": 2}",
            "    },",
            "    {\"policy\": \"b\"}",
            "  ]",
            "}",
        ];
        assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".*".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".{0,8}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_laid_out_document_says_the_same(value in any_json()) {
            let lines = laid_out(&value.to_string());
            prop_assert_eq!(serde_json::from_str::<Value>(&lines).expect("it is JSON"), value);
            prop_assert_eq!(laid_out(&lines), lines.clone());
        }

        #[test]
        fn strangers_texts_never_panic(text in ".{0,60}", path in ".{0,20}") {
            laid_out(&text);
            places(&text, &[Problem { path, ..Problem::default() }]);
        }

        #[test]
        fn damaged_documents_never_panic(value in any_json(), cut in 0_usize..200) {
            let text: String = value.to_string().chars().take(cut).collect();
            for place in places(&text, &[]) {
                prop_assert!(text.get(place).is_some());
            }
        }
    }
}
