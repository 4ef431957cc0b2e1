//! Plot of the win rates over a game.

use std::iter::once;

use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{AMBER, Area, BLUE, INK, ORANGE, PURPLE, SIZE, centred, ink, owned, panel};
use goren_review::judge::Grade;

/// A move that gave something away.
#[derive(Clone, PartialEq, Debug)]
pub struct Slip {
    /// Number of the ply, from 1.
    pub ply: usize,
    /// Black's win rate after it, 0 to 1.
    pub rate: f64,
    /// Its label.
    pub text: String,
    /// How bad it was.
    pub grade: Grade,
}

/// The colour of slips of a grade.
const fn color_of(grade: Grade) -> RGBColor {
    match grade {
        Grade::Inaccuracy => AMBER,
        Grade::Mistake => PURPLE,
        Grade::Blunder => ORANGE,
    }
}

/// Position of the legend: its height, and the left ends of the line and of the dot of each
/// grade, with room for their texts.
const LEGEND: (i32, i32, [i32; 3]) = (66, 76, [470, 580, 680]);

/// An SVG of Black's win rate (0 to 1) after the plies of a game, with its
/// slips. Points must be in order of plies.
///
/// # Errors
/// The plot cannot be laid out.
pub fn win_rates(
    title: &str,
    subtitle: &str,
    points: &[(usize, f64)],
    slips: &[Slip],
) -> Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(owned)?;
        centred(&root, title, 10, 19.0)?;
        centred(&root, subtitle, 36, 14.0)?;
        legend(&root)?;
        let (_, body) = root.split_vertically(78);
        let plies = points.last().map_or(1, |&(ply, _)| ply).max(10) as f64;
        let x = 0.0..plies + 0.5;
        let y = 0.0..100.0;
        let mut chart = panel(&body, &x, &y, ["ply", "Black's win rate, %"])?;
        let curve: Vec<(f64, f64)> =
            points.iter().map(|&(ply, rate)| (ply as f64, 100.0 * rate)).collect();
        if let (Some(&(first, _)), Some(&(last, _))) = (curve.first(), curve.last()) {
            // Black's share below the curve, White's above.
            let floor = [(last, 0.0), (first, 0.0)];
            let below: Vec<(f64, f64)> = curve.iter().copied().chain(floor).collect();
            chart.draw_series(once(Polygon::new(below, INK.mix(0.13)))).map_err(owned)?;
        }
        let level = DashedLineSeries::new([(0.0, 50.0), (x.end, 50.0)], 6, 4, INK.stroke_width(1));
        chart.draw_series(level).map_err(owned)?;
        chart
            .draw_series(LineSeries::new(curve.iter().copied(), BLUE.stroke_width(2)))
            .map_err(owned)?;
        let dot = curve.last().map(|&last| Circle::new(last, 3, BLUE.filled()));
        chart.draw_series(dot).map_err(owned)?;
        for slip in slips {
            let color = color_of(slip.grade);
            let at = (slip.ply as f64, 100.0 * slip.rate);
            let circle = Circle::new(at, 5, color.filled());
            chart.draw_series(once(circle)).map_err(owned)?;
            // Only blunders are labelled, as labels could hide each other, on the side
            // where there is room.
            if slip.grade != Grade::Blunder {
                continue;
            }
            let (side, shift) =
                if at.0 > 0.9 * x.end { (HPos::Right, -10) } else { (HPos::Left, 10) };
            let style = ink(13.0).color(&color).pos(Pos::new(side, VPos::Center));
            let text = EmptyElement::at(at) + Text::new(slip.text.clone(), (shift, 0), style);
            chart.draw_series(once(text)).map_err(owned)?;
        }
        drop(chart);
        root.present().map_err(owned)?;
    }
    Ok(svg)
}

/// Draws the legend of the curve and of the dots.
fn legend(root: &Area) -> Result<()> {
    let (y, line, dots) = LEGEND;
    let style = || ink(13.0).pos(Pos::new(HPos::Left, VPos::Center));
    root.draw(&PathElement::new([(line, y), (line + 22, y)], BLUE.stroke_width(2)))
        .map_err(owned)?;
    let text = "Black's win rate: above the dashed line Black is better";
    root.draw_text(text, &style(), (line + 30, y)).map_err(owned)?;
    for (grade, x) in Grade::ALL.into_iter().zip(dots) {
        root.draw(&Circle::new((x, y), 5, color_of(grade).filled())).map_err(owned)?;
        root.draw_text(grade.name(), &style(), (x + 10, y)).map_err(owned)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::check;

    #[test]
    fn games_of_any_length_are_drawn() {
        for plies in [0, 1, 2, 200] {
            let points: Vec<(usize, f64)> =
                (1..=plies).map(|ply| (ply, (ply * 37 % 101) as f64 / 100.0)).collect();
            let slip = |&(ply, rate): &(usize, f64)| Slip {
                ply,
                rate,
                text: format!("H{ply}<>"),
                grade: Grade::ALL[ply % 3],
            };
            let slips: Vec<Slip> = points.iter().step_by(7).map(slip).collect();
            let svg = win_rates("a & b", "Black has won", &points, &slips).unwrap();
            check(&svg);
            assert!(svg.contains("a &amp; b") && svg.contains("Black has won"));
            let named = slips.iter().filter(|slip| slip.grade == Grade::Blunder).count();
            assert_eq!(svg.matches("&lt;&gt;").count(), named);
            for text in ["win rate: above the dashed line", "inaccuracy", "mistake", "blunder"] {
                assert!(svg.contains(text), "{text}");
            }
        }
    }
}
