//! A figure in words.

use crate::paint::number;
use crate::store::work::Figures;
use sim_core::engine::protocol::Place;

/// Thousandths as the posts write them: two decimals below 100, one below 10 000, none above.
pub fn figure(milli: u64) -> String {
    let rounded = |unit: u64| (milli + unit / 2) / unit;
    let whole = |value: u64| number::whole(i64::try_from(value).unwrap_or(i64::MAX));
    match milli {
        0..100_000 => number::decimal(whole(rounded(10) / 100), format_args!("{:02}", rounded(10) % 100)),
        100_000..10_000_000 => number::decimal(whole(rounded(100) / 10), rounded(100) % 10),
        _ => whole(rounded(1000)),
    }
}

/// Runs of one of our figures.
pub fn runs_of(figures: &Figures, place: Place) -> Vec<u64> {
    figures
        .get(&place)
        .and_then(|runs| runs.as_ref().ok())
        .map(|runs| runs.values().copied().collect())
        .unwrap_or_default()
}

/// "smallest – largest", where there is more than one run.
pub fn range(runs: &[u64]) -> Option<String> {
    match (runs.iter().min(), runs.iter().max()) {
        (Some(&min), Some(&max)) if runs.len() > 1 => Some(format!("{}\u{2009}–\u{2009}{}", figure(min), figure(max))),
        _ => None,
    }
}

/// Rounded mean; `None` of nothing.
pub fn mean(runs: &[u64]) -> Option<u64> {
    let n = runs.len() as u64;
    (n > 0).then(|| (runs.iter().sum::<u64>() + n / 2) / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_of_the_posts() {
        let shown: Vec<String> = [1_753, 99_999, 367_320, 1_986_234, 112_902_333].map(figure).to_vec();
        assert_eq!(shown, ["1.75", "100.00", "367.3", "1\u{202f}986.2", "112\u{202f}902"]);
        assert_eq!(mean(&[1650, 1860, 1750]), Some(1753));
        assert_eq!(mean(&[]), None);
        assert_eq!(range(&[1650, 1860, 1750]).as_deref(), Some("1.65\u{2009}–\u{2009}1.86"));
        assert_eq!(range(&[1650]), None);
    }
}
