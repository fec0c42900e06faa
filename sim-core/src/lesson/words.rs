//! The few marks that a lesson's text may hold. Everything else is shown as it is, so nothing in a text can become markup.

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// As it is.
    Plain(String),
    /// `**strong**`.
    Strong(String),
    /// `` `code` ``.
    Code(String),
    /// `[task]`: shown with the task's colour if the run has a task of that name.
    Task(String),
}

/// Opening mark, closing mark, and what stands between them.
type Mark = (&'static str, &'static str, fn(String) -> Piece);

const MARKS: [Mark; 3] = [("**", "**", Piece::Strong), ("`", "`", Piece::Code), ("[", "]", Piece::Task)];

/// Splits a text at its marks. A mark that is not closed is text.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let marked = MARKS.iter().find_map(|(open, close, make)| {
            let inner = rest.strip_prefix(open)?;
            let end = inner.find(close).filter(|&end| end > 0)?;
            Some((make(inner[..end].into()), &inner[end + close.len()..]))
        });
        match marked {
            Some((piece, tail)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                }
                pieces.push(piece);
                rest = tail;
            }
            None => {
                plain.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Plain(plain));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn marks_are_read_and_unclosed_ones_are_text() {
        let plain = |text: &str| Piece::Plain(text.into());
        assert_eq!(
            pieces("[vim] has **prio 115**, `nr` 2 ** [ ` <b>"),
            [
                Piece::Task("vim".into()),
                plain(" has "),
                Piece::Strong("prio 115".into()),
                plain(", "),
                Piece::Code("nr".into()),
                plain(" 2 ** [ ` <b>")
            ]
        );
        assert_eq!(pieces("****"), [plain("****")]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_but_marks(text in "[a-c*`\\[\\]é ]{0,40}") {
            let kept: String = pieces(&text).into_iter().map(|piece| match piece {
                Piece::Plain(text) | Piece::Strong(text) | Piece::Code(text) | Piece::Task(text) => text,
            }).collect();
            let letters = |text: &str| text.chars().filter(|c| !"*`[]".contains(*c)).collect::<String>();
            prop_assert_eq!(letters(&kept), letters(&text));
        }
    }
}
