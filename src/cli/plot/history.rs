//! Plot of the course of a match: the Elo estimate, and the ratio of the test.

use std::iter::once;
use std::ops::Range;

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::VPos;

use super::{Area, BLUE, GREEN, INK, ORANGE, SIZE, centred, grouped, level, owned, panel, range};
use crate::stats::{Estimate, Sprt};

/// The state of a match after some games.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct MatchPoint {
    /// Games played.
    pub games: u64,
    /// Elo of the first engine.
    pub elo: Estimate,
    /// Log-likelihood ratio of the test, if there is one.
    pub llr: Option<f64>,
}

/// An SVG of the Elo estimate with its band over the games; with a test, also
/// of the log-likelihood ratio between its bounds. Points must be in order of
/// games.
///
/// The Elo axis fits the later four fifths of the games; the first estimates
/// may lie outside it.
///
/// # Errors
/// The plot cannot be laid out.
pub fn match_history(title: &str, points: &[MatchPoint], sprt: Option<&Sprt>) -> Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(owned)?;
        let summary = match points.last() {
            Some(last) => format!("{} Elo after {} games", last.elo, grouped(last.games)),
            None => "no games yet".into(),
        };
        centred(&root, title, 10, 19.0)?;
        centred(&root, &summary, 36, 14.0)?;
        let (_, body) = root.split_vertically(56);
        let x = 0.0..points.last().map_or(0, |p| p.games).max(10) as f64;
        if let Some(sprt) = sprt {
            let (upper, lower) = body.split_vertically(282);
            elo(&upper, &x, points, Some(sprt))?;
            ratio(&lower, &x, points, sprt)?;
        } else {
            elo(&body, &x, points, None)?;
        }
        root.present().map_err(owned)?;
    }
    Ok(svg)
}

/// The estimate and its band.
fn elo(area: &Area, x: &Range<f64>, points: &[MatchPoint], sprt: Option<&Sprt>) -> Result<()> {
    let settled = points.iter().filter(|p| 5 * p.games >= x.end as u64);
    let ends = settled.flat_map(|p| [p.elo.low, p.elo.value, p.elo.high]);
    let hypotheses = sprt.map(|sprt| [sprt.elo0, sprt.elo1]);
    let y = range(ends.chain(hypotheses.into_iter().flatten()).chain(once(0.0)), 20.0);
    let inside = |value: f64| value.clamp(y.start, y.end);
    // With the test below, that panel names the axis of both.
    let mut chart = panel(area, x, &y, [if sprt.is_some() { "" } else { "games" }, "Elo"])?;
    let high = points.iter().map(|p| (p.games as f64, inside(p.elo.high)));
    let low = points.iter().rev().map(|p| (p.games as f64, inside(p.elo.low)));
    let band: Vec<(f64, f64)> = high.chain(low).collect();
    if let [upper, lower] = band[..] {
        // A band of zero width would be invisible.
        let bar = PathElement::new([upper, lower], BLUE.mix(0.4).stroke_width(3));
        chart.draw_series(once(bar)).map_err(owned)?;
    }
    chart.draw_series(once(Polygon::new(band, BLUE.mix(0.18)))).map_err(owned)?;
    chart
        .draw_series(once(PathElement::new([(x.start, 0.0), (x.end, 0.0)], INK)))
        .map_err(owned)?;
    if let Some([elo0, elo1]) = hypotheses {
        level(&mut chart, x, (elo0, ORANGE, "elo0", VPos::Top))?;
        level(&mut chart, x, (elo1, GREEN, "elo1", VPos::Bottom))?;
    }
    let values: Vec<(f64, f64)> =
        points.iter().map(|p| (p.games as f64, inside(p.elo.value))).collect();
    curve(&mut chart, &values)
}

/// The log-likelihood ratio between its bounds.
fn ratio(area: &Area, x: &Range<f64>, points: &[MatchPoint], sprt: &Sprt) -> Result<()> {
    let (low, high) = sprt.bounds();
    let values: Vec<(f64, f64)> = points
        .iter()
        .filter_map(|p| Some((p.games as f64, p.llr.filter(|llr| llr.is_finite())?)))
        .collect();
    let heights = values.iter().map(|&(_, llr)| llr).chain([low * 1.15, high * 1.15]);
    let y = range(heights, 1.0);
    let mut chart = panel(area, x, &y, ["games", "LLR"])?;
    chart
        .draw_series(once(PathElement::new([(x.start, 0.0), (x.end, 0.0)], INK)))
        .map_err(owned)?;
    level(&mut chart, x, (low, ORANGE, "H0", VPos::Center))?;
    level(&mut chart, x, (high, GREEN, "H1", VPos::Center))?;
    curve(&mut chart, &values)
}

/// Draws a line through the points, and a dot on the last one, which shows a single
/// point too.
fn curve(chart: &mut super::Chart, values: &[(f64, f64)]) -> Result<()> {
    let line = LineSeries::new(values.iter().copied(), BLUE.stroke_width(2));
    chart.draw_series(line).map_err(owned)?;
    let dot = values.last().map(|&last| Circle::new(last, 4, BLUE.filled()));
    chart.draw_series(dot).map_err(owned)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::check;
    use crate::stats::Pentanomial;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

    /// A match whose pairs repeat a fixed cycle of results.
    fn history(pairs: usize) -> Vec<MatchPoint> {
        let mut counts = Pentanomial::default();
        (0..pairs)
            .map(|i| {
                counts.add([2, 2, 4, 2, 0, 2, 3, 2, 2, 1, 4][i * 7 % 11]);
                let llr = Some(TEST.llr(&counts));
                MatchPoint { games: 2 * i as u64 + 2, elo: counts.elo(), llr }
            })
            .collect()
    }

    #[test]
    fn a_match_shows_its_figures_and_both_bounds() {
        let points = history(600);
        let svg = match_history("new & old, standard 15", &points, Some(&TEST)).unwrap();
        check(&svg);
        for text in ["new &amp; old, standard 15", "Elo after 1,200 games", "LLR", "games", "elo1"]
        {
            assert!(svg.contains(text), "{text}");
        }
        let plain = match_history("no test", &points, None).unwrap();
        check(&plain);
        assert!(!plain.contains("LLR") && plain.contains("games"));
    }

    #[test]
    fn matches_of_no_or_few_games_are_drawn() {
        for points in [history(0), history(1), history(2)] {
            check(&match_history("short", &points, Some(&TEST)).unwrap());
            check(&match_history("short", &points, None).unwrap());
        }
    }
}
