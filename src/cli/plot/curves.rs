//! Plot of curves over a common axis: training losses, moves by depth.

use anyhow::Result;
use plotters::prelude::*;

use super::{AMBER, BLUE, GREEN, ORANGE, PURPLE, SIZE, centred, ink, owned, panel, range};

const COLORS: [RGBColor; 5] = [BLUE, ORANGE, GREEN, PURPLE, AMBER];

/// An SVG of curves over a common axis, each with a name and its points in
/// order of `x`. Points that are not finite are left out.
///
/// # Errors
/// The plot cannot be laid out.
pub fn curves(
    title: &str,
    series: &[(&str, Vec<(f64, f64)>)],
    x_label: &str,
    y_label: &str,
) -> Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(owned)?;
        centred(&root, title, 10, 19.0)?;
        let (_, body) = root.split_vertically(38);
        let finite: Vec<(&str, Vec<(f64, f64)>)> = series
            .iter()
            .map(|(name, points)| {
                let finite_points = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
                (*name, finite_points.copied().collect())
            })
            .collect();
        let all = || finite.iter().flat_map(|(_, points)| points);
        let x = match range(all().map(|p| p.0), 1.0) {
            // No room before the first and after the last point.
            padded if all().next().is_some() => {
                let first = all().map(|p| p.0).fold(f64::INFINITY, f64::min);
                let last = all().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
                if first < last { first..last } else { padded }
            }
            empty => empty,
        };
        let y = range(all().map(|p| p.1), 1e-3);
        let mut chart = panel(&body, &x, &y, [x_label, y_label])?;
        for ((name, points), color) in finite.iter().zip(COLORS.into_iter().cycle()) {
            let line = LineSeries::new(points.iter().copied(), color.stroke_width(2));
            let key = move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2));
            chart.draw_series(line).map_err(owned)?.label(*name).legend(key);
            let dot = points.last().map(|&last| Circle::new(last, 3, color.filled()));
            chart.draw_series(dot).map_err(owned)?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .margin(14)
            .background_style(WHITE.mix(0.85))
            .border_style(TRANSPARENT)
            .label_font(ink(14.0))
            .draw()
            .map_err(owned)?;
        drop(chart);
        root.present().map_err(owned)?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::check;

    #[test]
    fn curves_are_named_and_drawn() {
        let curve = |min: f64| (1..40).map(move |i| (f64::from(i), min + 0.08 / f64::from(i)));
        let series = [
            ("training", curve(0.605).collect()),
            ("validation", curve(0.613).chain([(40.0, f64::NAN)]).collect()),
        ];
        let svg = curves("evaluation, renju", &series, "epoch", "loss").unwrap();
        check(&svg);
        for text in ["evaluation, renju", "training", "validation", "epoch", "loss"] {
            assert!(svg.contains(text), "{text}");
        }
    }

    #[test]
    fn empty_and_single_point_curves_are_drawn() {
        check(&curves("none", &[], "epoch", "loss").unwrap());
        check(&curves("empty", &[("training", Vec::new())], "epoch", "loss").unwrap());
        check(&curves("one", &[("training", vec![(3.0, 0.7)])], "epoch", "loss").unwrap());
        let wild = vec![(0.0, f64::INFINITY), (1.0, 1e300), (2.0, -1e300)];
        check(&curves("wild", &[("training", wild)], "epoch", "loss").unwrap());
    }
}
