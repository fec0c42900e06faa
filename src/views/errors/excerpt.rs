//! The lines of a faulty document that hold its faults, each faulty value marked. Text of a stranger: shown as text,
//! shortened, without control characters.

use core::ops::Range;

/// Most lines that are shown.
const LINES_MAX: usize = 8;
/// Most characters of a faulty value, and of the text on each side of it.
const MARK_CHARS_MAX: usize = 40;
const SIDE_CHARS_MAX: usize = 72;

/// A line of the document.
#[derive(PartialEq, Eq, Debug)]
pub struct Line {
    /// Number, from 1.
    pub number: usize,
    /// Its text in parts; true: a faulty value.
    pub parts: Vec<(String, bool)>,
}

/// The lines of `text` with `marks`, which are in order and do not overlap.
pub fn lines(text: &str, marks: &[Range<usize>]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut begin = 0;
    for (index, line) in text.split('\n').enumerate() {
        let end = begin + line.len();
        let here: Vec<&Range<usize>> = marks.iter().filter(|mark| (begin..=end).contains(&mark.start)).collect();
        if !here.is_empty() && lines.len() < LINES_MAX {
            lines.push(Line { number: index + 1, parts: parts(text, begin..end, &here) });
        }
        begin = end + 1;
    }
    lines
}

fn parts(text: &str, line: Range<usize>, marks: &[&Range<usize>]) -> Vec<(String, bool)> {
    let mut parts = Vec::new();
    let mut at = line.start;
    for (index, mark) in marks.iter().enumerate() {
        let before = &text[at..mark.start.max(at)];
        parts.push((if index == 0 { tail(before.trim_start()) } else { middle(before) }, false));
        parts.push((head(&text[mark.start..mark.end.min(line.end).max(mark.start)], MARK_CHARS_MAX), true));
        at = mark.end.min(line.end).max(mark.start);
    }
    parts.push((head(&text[at..line.end], SIDE_CHARS_MAX), false));
    parts.retain(|(text, is_marked)| *is_marked || !text.is_empty());
    parts
}

fn clean(chars: impl Iterator<Item = char>) -> String {
    chars.map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn head(text: &str, chars_max: usize) -> String {
    let mut head = clean(text.chars().take(chars_max));
    if text.chars().nth(chars_max).is_some() {
        head.push('…');
    }
    head
}

fn tail(text: &str) -> String {
    match text.char_indices().rev().nth(SIDE_CHARS_MAX - 1) {
        Some((at, _)) if at > 0 => format!("…{}", clean(text[at..].chars())),
        _ => clean(text.chars()),
    }
}

fn middle(text: &str) -> String {
    if text.chars().nth(2 * SIDE_CHARS_MAX).is_none() {
        return clean(text.chars());
    }
    format!("{} {}", head(text, SIDE_CHARS_MAX), tail(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, marks: &[Range<usize>]) -> Vec<(usize, String)> {
        let said = |line: &Line| {
            let parts =
                line.parts.iter().map(|(text, is_marked)| if *is_marked { format!("<{text}>") } else { text.clone() });
            (line.number, parts.collect::<String>())
        };
        lines(text, marks).iter().map(said).collect()
    }

    #[test]
    fn only_lines_with_faults_are_shown() {
        let text = "{\n  \"a\": 1,\n  \"b\": 20, \"c\": 3\n}";
        let at = text.find("20").expect("there");
        let c = text.find('3').expect("there");
        assert_eq!(
            shown(text, &[0..1, at..at + 2, c..c + 1]),
            [(1, "<{>".into()), (3, "\"b\": <20>, \"c\": <3>".into())]
        );
    }

    #[test]
    fn long_texts_are_shortened_and_control_characters_shown() {
        let text = format!("{}\u{7}{}{}", "x".repeat(90), "y".repeat(90), "z".repeat(90));
        let line = &shown(&text, std::slice::from_ref(&(91..181)))[0].1;
        assert_eq!(*line, format!("…{}\u{fffd}<{}…>{}…", "x".repeat(71), "y".repeat(40), "z".repeat(72)));
    }

    #[test]
    fn a_mark_at_the_end_of_a_line_is_shown() {
        assert_eq!(shown("ab\ncd", std::slice::from_ref(&(2..3))), [(1, "ab<>".into())]);
        assert_eq!(shown("", &[]), []);
    }
}
