//! A QR code as one path: dark on white in both themes, with the quiet zone that readers want.

use std::fmt::Write;
use yew::prelude::*;

/// Modules of a code, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Code {
    /// Modules per side.
    pub size: u8,
    /// Which are dark.
    pub dark: Vec<bool>,
}

/// Light modules around a code.
const QUIET: u16 = 4;

fn path(code: &Code) -> String {
    let mut path = String::new();
    let size = usize::from(code.size);
    for (y, row) in code.dark.chunks(size.max(1)).enumerate() {
        let mut x = 0;
        while x < row.len() {
            let end = (x..row.len()).find(|&end| !row[end]).unwrap_or(row.len());
            if end > x {
                // Writing to a String cannot fail.
                let _ =
                    write!(path, "M{} {}h{}v1h-{}z", x + usize::from(QUIET), y + usize::from(QUIET), end - x, end - x);
            }
            x = end.max(x) + 1;
        }
    }
    path
}

fn side(code: &Code) -> u16 {
    u16::from(code.size) + 2 * QUIET
}

/// On the page.
pub fn code(code: &Code, label: &'static str) -> Html {
    let side = side(code);
    let view = format!("0 0 {side} {side}");
    html! {
        <svg viewBox={view} role="img" aria-label={label} shape-rendering="crispEdges">
            <rect width={side.to_string()} height={side.to_string()} class="light" /><path d={path(code)} class="dark" /></svg>
    }
}

/// As a file.
pub fn code_svg(code: &Code) -> String {
    let side = side(code);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\"><rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{}\" fill=\"#000\"/></svg>\n",
        path(code)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dark_runs_become_boxes() {
        let code = Code { size: 3, dark: vec![true, true, false, false, false, false, true, false, true] };
        assert_eq!(path(&code), "M4 4h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z");
    }
}
