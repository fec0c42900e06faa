//! A scan: every score as a bar of its terms, in scanning order; the winner and its ties are marked.

use super::board::Board;
use crate::paint::{Align, Fill, Font, Pen, Rect, number};
use crate::text::pictures as words;
use sim_core::engine::protocol::{ScoreView, StandingView};

/// Height of a row, px.
const ROW: f64 = 24.0;
/// Rows drawn in the full view and in the run view; the winner is always among them.
const ROWS_MAX: [usize; 2] = [32, 8];
/// Width of names and of the result, px.
const NAME: f64 = 110.0;
const RESULT: f64 = 170.0;

/// Draws the rows; returns the height.
#[inline(never)] // the page loads it later: xtask/src/parts.rs
pub fn draw(b: &mut Board, x: f64, y: f64, w: f64, scores: &[&ScoreView], full: bool) -> f64 {
    b.heading_within(x, y, w, &words::SCAN, &words::SCAN_HELP);
    let top = y + 22.0 + draw_legend(b, x, y + 22.0, w, scores);
    let limit = ROWS_MAX[usize::from(!full)];
    let winner = scores.iter().position(|score| score.standing == StandingView::Wins);
    // The rows around the winner: those before it lost, those behind it could only tie.
    let first = winner.unwrap_or(0).saturating_sub(limit - 1).min(scores.len().saturating_sub(limit));
    let shown = &scores[first..(first + limit).min(scores.len())];
    let best = scores.iter().map(|score| score.total).max().unwrap_or(1).max(1);
    for (i, score) in shown.iter().enumerate() {
        draw_row(b, Rect::new(x, top + i as f64 * ROW, w, ROW), score, best);
    }
    let mut bottom = top + shown.len() as f64 * ROW;
    if scores.len() > shown.len() {
        let text = words::more(scores.len() - shown.len());
        b.p.text(x, bottom + 14.0, &text, Font::Small, b.palette.text_2, Align::Left);
        bottom += 20.0;
    }
    bottom - y + 8.0
}

/// Names of terms in order of first appearance.
fn terms<'a>(scores: &[&'a ScoreView]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for term in scores.iter().flat_map(|score| &score.terms) {
        if !names.contains(&term.label.as_str()) {
            names.push(&term.label);
        }
    }
    names
}

/// The look of a term by its place: tone first, then patterns, so that no colour is needed to tell them apart.
fn paint_term(b: &mut Board, at: Rect, index: usize, colour: crate::paint::Rgba) {
    let palette = b.palette;
    match index {
        0 => b.p.fill_rect(at, Fill::Solid(colour)),
        1 => b.p.fill_rect(at, Fill::Solid(colour.over(palette.panel, 0.45))),
        _ => {
            b.p.fill_rect(at, Fill::Solid(palette.sunken));
            b.p.fill_rect(at, if index == 2 { Fill::Queue } else { Fill::Unknown });
        }
    }
    b.p.stroke_rect(at.inset(0.5), Pen::solid(palette.panel, 1.0));
}

fn draw_legend(b: &mut Board, x: f64, y: f64, w: f64, scores: &[&ScoreView]) -> f64 {
    let (mut at, mut top) = (x, y);
    for (index, name) in terms(scores).into_iter().enumerate() {
        let width = 20.0 + b.p.text_width(name, Font::Small) + 16.0;
        if at > x && at + width > x + w {
            (at, top) = (x, top + 16.0);
        }
        paint_term(b, Rect::new(at, top + 2.0, 14.0, 10.0), index, b.palette.text_3);
        b.p.text(at + 20.0, top + 11.0, name, Font::Small, b.palette.text_3, Align::Left);
        at += width;
    }
    if at > x { top - y + 20.0 } else { 0.0 }
}

fn draw_row(b: &mut Board, at: Rect, score: &ScoreView, best: i64) {
    let palette = b.palette;
    b.hits.push((at, score.entity));
    let wins = score.standing == StandingView::Wins;
    if wins {
        b.p.fill_rect(at, Fill::Solid(palette.accent_quiet));
        b.p.fill_rect(Rect::new(at.x - 8.0, at.y, 2.0, at.h), Fill::Solid(palette.accent));
    }
    b.p.fill_rect(Rect::new(at.x, at.y, at.w, 1.0), Fill::Solid(palette.line));
    let (colour, text, base) = (b.colour(score.entity), b.text_colour(score.entity), at.y + 16.0);
    let narrow = at.w < 560.0;
    let (name_w, result_w) = if narrow { (78.0, 92.0) } else { (NAME, RESULT) };
    b.p.fill_rect(Rect::new(at.x, at.y + 8.0, 8.0, 8.0), Fill::Solid(colour));
    let name = b.name(score.entity);
    b.p.text_within(at.x + 13.0, base, name_w - 18.0, &name, Font::BodyStrong, text);
    let room = (at.w - name_w - result_w).max(20.0);
    let unit = room / best as f64;
    let mut left = at.x + name_w;
    for (index, term) in score.terms.iter().enumerate() {
        // A negative term (nice 20 and more cannot be) would have no width.
        let width = (term.value.max(0) as f64 * unit).min(at.x + name_w + room - left);
        let part = Rect::new(left, at.y + 5.0, width, 15.0);
        paint_term(b, part, index, colour);
        let value = number::whole(term.value);
        if width > b.p.text_width(&value, Font::Small) + 8.0 {
            let ink = if index == 0 { ink_on(b, score) } else { palette.text };
            b.p.text(part.centre().0, base, &value, Font::Small, ink, Align::Centre);
        }
        left += width;
    }
    if score.terms.is_empty() && !matches!(score.standing, StandingView::Barred(_)) {
        b.p.text(left, base, &words::SCAN_NO_TERMS, Font::Small, palette.text_3, Align::Left);
    }
    let right = at.x + name_w + room + 8.0;
    let total = number::whole(score.total);
    b.p.text(right, base, &total, Font::BodyStrong, if wins { palette.accent } else { text }, Align::Left);
    let after = right + b.p.text_width(&total, Font::BodyStrong).max(24.0) + 8.0;
    let (result, font) = (standing(&score.standing), if wins { Font::SmallStrong } else { Font::Small });
    b.p.text_within(after, base, at.right() - after, result, font, if wins { palette.text } else { palette.text_3 });
}

/// Text on the solid term.
fn ink_on(b: &Board, score: &ScoreView) -> crate::paint::Rgba {
    if b.is_faded(score.entity) { b.text_colour(score.entity) } else { b.ink_colour(score.entity) }
}

/// How a score fares, in words.
pub fn standing(standing: &StandingView) -> &str {
    match standing {
        StandingView::Wins => &words::SCAN_WINS,
        StandingView::Ties => &words::SCAN_TIES,
        StandingView::Loses => "",
        StandingView::Barred(why) => why,
    }
}
