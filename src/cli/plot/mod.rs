//! Plots as SVG texts. No font is read: labels are `<text>` in the viewer's
//! sans-serif font, and their sizes are estimates.

mod curves;
mod history;
mod win_rates;

use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub use curves::curves;
pub use history::{MatchPoint, match_history};
pub use win_rates::{Slip, win_rates};

/// Pixels of a whole plot.
const SIZE: (u32, u32) = (860, 560);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(60, 60, 60);
const GRID: RGBColor = RGBColor(225, 225, 225);
/// From the Okabe-Ito palette, whose colours the colour-blind can distinguish.
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const AMBER: RGBColor = RGBColor(230, 159, 0);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Text style of this many pixels.
fn ink(pixels: f64) -> TextStyle<'static> {
    (FONT, pixels).into_font().color(&INK)
}

/// Draws a text centred across the plot, its upper edge at `y`.
fn centred(area: &Area, text: &str, y: i32, pixels: f64) -> anyhow::Result<()> {
    let style = ink(pixels).pos(Pos::new(HPos::Center, VPos::Top));
    area.draw_text(text, &style, (SIZE.0 as i32 / 2, y)).map_err(owned)?;
    Ok(())
}

/// A panel with its axes and grid, ready for its curves.
fn panel<'a, 'b>(
    area: &'a Area<'b>,
    x: &Range<f64>,
    y: &Range<f64>,
    labels: [&str; 2],
) -> anyhow::Result<Chart<'a, 'b>> {
    let mut chart = ChartBuilder::on(area)
        .margin_left(12)
        .margin_right(48)
        .margin_top(8)
        .margin_bottom(6)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(x.clone(), y.clone())
        .map_err(owned)?;
    let rows = area.dim_in_pixel().1 as usize / 40;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(WHITE)
        .max_light_lines(0)
        .axis_style(INK)
        .x_labels(10)
        .y_labels(rows)
        .x_label_formatter(&|value| tick(*value, x))
        .y_label_formatter(&|value| tick(*value, y))
        .label_style(ink(14.0))
        .axis_desc_style(ink(15.0))
        .x_desc(labels[0])
        .y_desc(labels[1])
        .draw()
        .map_err(owned)?;
    Ok(chart)
}

/// Draws a dashed line across a panel, with its name in the right margin on the
/// given side.
fn level(
    chart: &mut Chart,
    x: &Range<f64>,
    (at, color, name, side): (f64, RGBColor, &str, VPos),
) -> anyhow::Result<()> {
    let line = DashedLineSeries::new([(x.start, at), (x.end, at)], 6, 4, color.stroke_width(1));
    chart.draw_series(line).map_err(owned)?;
    let style = ink(14.0).color(&color).pos(Pos::new(HPos::Left, side));
    let text = EmptyElement::at((x.end, at)) + Text::new(name.to_string(), (7, 0), style);
    chart.draw_series(std::iter::once(text)).map_err(owned)?;
    Ok(())
}

/// Converts a drawing error into one that borrows nothing.
fn owned<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> anyhow::Error {
    anyhow::anyhow!("cannot draw: {error}")
}

/// A range that contains the finite values with some padding, at least
/// `min_width` wide; around 0 without values.
fn range(values: impl Iterator<Item = f64>, min_width: f64) -> Range<f64> {
    let finite = values.filter(|v| v.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
    let pad = (0.06 * (high - low)).max(0.5 * (min_width - (high - low)));
    low - pad..high + pad
}

/// The label of a tick of an axis of this range: no more decimals than needed,
/// and no trailing zeros.
fn tick(value: f64, range: &Range<f64>) -> String {
    let decimals = (2.0 - (range.end - range.start).log10()).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    let short =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if short == "-0" { "0".into() } else { short.into() }
}

/// A whole number with a comma at each third digit.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a viewer can read an SVG: closed, without invalid numbers,
    /// nothing beyond its edges.
    pub(super) fn check(svg: &str) {
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for wrong in ["NaN", "inf\"", "\"-214748"] {
            assert!(!svg.contains(wrong), "{wrong}");
        }
        for (axis, max) in [("x", SIZE.0), ("y", SIZE.1)] {
            for part in svg.split(&format!(" {axis}=\"")).skip(1) {
                let at: i64 = part.split('"').next().unwrap().parse().unwrap();
                assert!((0..=i64::from(max)).contains(&at), "{axis} {at}");
            }
        }
    }

    #[test]
    fn ranges_contain_the_values_and_are_never_empty() {
        let r = range([3.0, f64::INFINITY, -1.0].into_iter(), 1.0);
        assert!(r.start < -1.0 && r.end > 3.0 && r.end < 4.0);
        assert_eq!(range(std::iter::empty(), 2.0), -1.0..1.0);
        assert_eq!(range([5.0].into_iter(), 2.0), 4.0..6.0);
    }

    #[test]
    fn ticks_are_short() {
        assert_eq!(tick(0.005, &(0.0..0.02)), "0.005");
        assert_eq!(tick(-1e-17, &(0.0..1.0)), "0");
        assert_eq!(tick(40.0, &(0.0..300.0)), "40");
        assert_eq!(tick(100.0, &(0.0..1e6)), "100");
        assert_eq!(tick(-2.5, &(-3.0..3.0)), "-2.5");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(grouped(999), "999");
    }
}
