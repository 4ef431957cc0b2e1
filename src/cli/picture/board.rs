//! Picture of a board with numbered stones, candidate moves shaded by their value, forbidden
//! points and threats.

use super::svg::{Anchor, Svg, TextStyle};
use goren_core::types::{Cell, Color};

/// Units from point to point.
const UNIT: f64 = 40.0;
/// Units around the points, for letters and numbers.
const MARGIN: f64 = 54.0;
/// Units above the board for the title.
const TITLE: f64 = 44.0;
/// Units of a line of text below the board.
const LINE: f64 = 24.0;
/// Minimum width in units.
const MIN_WIDTH: f64 = 420.0;
const INK: &str = "#4a3516";
const DARK: &str = "#2b2b2b";
const RED: &str = "#c8281e";
const DEFINITIONS: &str = "<defs>\
<radialGradient id=\"black\" cx=\"0.35\" cy=\"0.3\" r=\"0.75\"><stop offset=\"0\" stop-color=\"#6a6a6a\"/><stop offset=\"0.45\" stop-color=\"#2a2a2a\"/><stop offset=\"1\" stop-color=\"#0a0a0a\"/></radialGradient>\
<radialGradient id=\"white\" cx=\"0.35\" cy=\"0.3\" r=\"0.8\"><stop offset=\"0\" stop-color=\"#ffffff\"/><stop offset=\"0.6\" stop-color=\"#f2efe9\"/><stop offset=\"1\" stop-color=\"#c9c3b6\"/></radialGradient>\
<linearGradient id=\"wood\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"><stop offset=\"0\" stop-color=\"#ecc98a\"/><stop offset=\"1\" stop-color=\"#dcb06a\"/></linearGradient>\
</defs>\n";

/// Placement of stones.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum StonePlacement {
    /// On the crossings of lines.
    Points,
    /// Within squares, for pieces that fall.
    Squares,
}

/// A candidate move with its value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WeighedMove {
    /// Point of the move.
    pub(crate) cell: Cell,
    /// Short text in the middle, such as 54.
    pub(crate) label: String,
    /// Smaller text below, such as +35.
    pub(crate) detail: String,
    /// Loss of win rate against the best move, 0 to 1.
    pub(crate) loss: f64,
    /// Whether it is the best move.
    pub(crate) best: bool,
}

/// Mark on an empty point.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PointMark {
    /// Forbidden, with a short name of the kind.
    Forbidden(&'static str),
    /// A colour would win there in its next turn.
    Wins(Color),
    /// A colour would prepare there a win one turn later.
    Prepares(Color),
    /// Threat that a stone of a colour would make there, in up to three characters.
    Threat(Color, String),
}

/// Meanings of marks, in the order of the legend.
const MEANINGS: [&str; 4] =
    ["forbidden", "wins there", "prepares a win", "strongest threat: weight and type"];

impl PointMark {
    /// One of [`MEANINGS`].
    const fn meaning(&self) -> &'static str {
        match self {
            PointMark::Forbidden(_) => MEANINGS[0],
            PointMark::Wins(_) => MEANINGS[1],
            PointMark::Prepares(_) => MEANINGS[2],
            PointMark::Threat(..) => MEANINGS[3],
        }
    }
}

/// A board with its marks and texts.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Picture {
    /// Columns and rows.
    pub(crate) size: (usize, usize),
    /// Placement of stones.
    pub(crate) shape: StonePlacement,
    /// Stones with their numbers.
    pub(crate) stones: Vec<(Cell, Color, Option<usize>)>,
    /// The newest stones.
    pub(crate) last: Vec<Cell>,
    /// Candidate moves.
    pub(crate) candidates: Vec<WeighedMove>,
    /// Marks on empty points.
    pub(crate) marks: Vec<(Cell, PointMark)>,
    /// Title above the board.
    pub(crate) title: String,
    /// Lines below the board.
    pub(crate) captions: Vec<String>,
}

impl Picture {
    /// Draws the picture as SVG.
    pub(crate) fn svg(&self) -> String {
        let height = self.extent().1;
        let width = self.extent().0.max(MIN_WIDTH);
        let legend = rows(self.legend(), width - 2.0 * MARGIN);
        let lines = self.captions.len() + legend.len();
        let foot = if lines > 0 { lines as f64 * LINE + 16.0 } else { 10.0 };
        let mut svg = Svg::new(width, TITLE + height + foot, DEFINITIONS);
        svg.rect([0.0, 0.0, width, TITLE + height + foot], "fill=\"#faf7f1\"");
        let size = fitting(18.0, &self.title, width);
        let title = TextStyle { size, fill: DARK, bold: true, anchor: Anchor::Middle };
        svg.text((width / 2.0, 29.0), &self.title, title);
        self.board(&mut svg);
        for &(cell, color, number) in &self.stones {
            self.stone(&mut svg, cell, color, number);
        }
        for candidate in self.candidates.iter().rev() {
            self.candidate(&mut svg, candidate);
        }
        for (cell, mark) in &self.marks {
            draw_mark(&mut svg, self.place(*cell, mark), mark);
        }
        let mut y = TITLE + height + 26.0;
        for caption in &self.captions {
            let size = fitting(14.0, caption, width);
            let text = TextStyle { size, fill: DARK, bold: false, anchor: Anchor::Middle };
            svg.text((width / 2.0, y), caption, text);
            y += LINE;
        }
        for row in &legend {
            self.draw_legend(&mut svg, row, (width / 2.0, y));
            y += LINE;
        }
        svg.finish()
    }

    /// Width and height of the board with its margins.
    fn extent(&self) -> (f64, f64) {
        let side = |points: usize| 2.0 * MARGIN + UNIT * (points - 1) as f64;
        (side(self.size.0), side(self.size.1))
    }

    /// Units to the left of the board, which leave room for texts if the board is small.
    fn left(&self) -> f64 {
        (MIN_WIDTH - self.extent().0).max(0.0) / 2.0
    }

    /// Returns the centre of a cell.
    fn at(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = (cell.x() as f64, cell.y() as f64);
        (self.left() + MARGIN + UNIT * x, TITLE + MARGIN + UNIT * y)
    }

    fn board(&self, svg: &mut Svg) {
        let (width, height) = self.extent();
        let (columns, rows) = self.size;
        svg.rect(
            [self.left() + 6.0, TITLE, width - 12.0, height],
            "rx=\"8\" fill=\"url(#wood)\" stroke=\"#a57f42\"",
        );
        // Lines run through the points, or around the squares.
        let (shift, more) =
            if self.shape == StonePlacement::Points { (0.0, 0) } else { (UNIT / 2.0, 1) };
        let (left, top) = (self.left() + MARGIN - shift, TITLE + MARGIN - shift);
        let right = left + UNIT * (columns - 1 + more) as f64;
        let bottom = top + UNIT * (rows - 1 + more) as f64;
        let style = |edge: bool| {
            if edge {
                format!("stroke=\"{INK}\" stroke-width=\"2\" stroke-linecap=\"square\"")
            } else {
                format!("stroke=\"{INK}\" stroke-opacity=\"0.75\"")
            }
        };
        for i in 0..columns + more {
            let x = left + UNIT * i as f64;
            svg.line([x, top, x, bottom], &style(i == 0 || i + 1 == columns + more));
        }
        for i in 0..rows + more {
            let y = top + UNIT * i as f64;
            svg.line([left, y, right, y], &style(i == 0 || i + 1 == rows + more));
        }
        for cell in self.stars() {
            svg.circle(self.at(cell), 3.6, &format!("fill=\"{INK}\""));
        }
        let name = TextStyle { size: 14.0, fill: INK, bold: false, anchor: Anchor::Middle };
        for x in 0..columns {
            let letter = char::from(b'A' + x as u8);
            let at = self.at(Cell::new(x, 0)).0;
            svg.text((at, TITLE + 19.0), &letter, name);
            svg.text((at, TITLE + height - 9.0), &letter, name);
        }
        for y in 0..rows {
            let at = self.at(Cell::new(0, y)).1 + 5.0;
            svg.text((self.left() + 19.0, at), &(rows - y), name);
            svg.text((self.left() + width - 19.0, at), &(rows - y), name);
        }
    }

    /// Returns the star points.
    fn stars(&self) -> Vec<Cell> {
        let (columns, rows) = self.size;
        let places = |side: usize| {
            let edge = if side >= 13 { 3 } else { 2 };
            let middle = (side % 2 == 1).then_some(side / 2);
            [Some(edge), middle, Some(side - 1 - edge)]
        };
        if self.shape == StonePlacement::Squares || columns.min(rows) < 9 {
            return Vec::new();
        }
        let (xs, ys) = (places(columns), places(rows));
        // Boards below 19x19 have star points only in the centre and the corners.
        let few = columns.max(rows) < 19;
        let mut stars = Vec::new();
        for (i, &x) in xs.iter().enumerate() {
            for (j, &y) in ys.iter().enumerate() {
                let on_side = (i == 1) != (j == 1);
                if let (Some(x), Some(y), false) = (x, y, few && on_side) {
                    stars.push(Cell::new(x, y));
                }
            }
        }
        stars
    }

    fn stone(&self, svg: &mut Svg, cell: Cell, color: Color, number: Option<usize>) {
        let (x, y) = self.at(cell);
        let (fill, edge, ink) = match color {
            Color::Black => ("url(#black)", "#000000", "#ffffff"),
            Color::White => ("url(#white)", "#8d8676", "#1a1a1a"),
        };
        svg.circle((x + 1.2, y + 1.8), 0.46 * UNIT, "fill=\"#000000\" fill-opacity=\"0.22\"");
        svg.circle((x, y), 0.46 * UNIT, &format!("fill=\"{fill}\" stroke=\"{edge}\""));
        let newest = self.last.contains(&cell);
        if newest {
            let ring = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2.4\"", bright(color));
            svg.circle((x, y), 0.40 * UNIT, &ring);
        }
        let Some(number) = number else {
            if newest {
                svg.circle((x, y), 4.0, &format!("fill=\"{}\"", bright(color)));
            }
            return;
        };
        let size = if number < 100 { 0.40 * UNIT } else { 0.32 * UNIT };
        let fill = if newest { bright(color) } else { ink };
        let with = TextStyle { size, fill, bold: newest, anchor: Anchor::Middle };
        svg.text((x, y + 0.36 * size), &number, with);
    }

    fn candidate(&self, svg: &mut Svg, candidate: &WeighedMove) {
        let (x, y) = self.at(candidate.cell);
        let edge = if candidate.best { "#0b3d91" } else { "#3c3c3c" };
        let width = if candidate.best { 3.0 } else { 1.0 };
        let fill = shade(candidate.loss);
        let style = format!(
            "fill=\"{fill}\" fill-opacity=\"0.94\" stroke=\"{edge}\" stroke-width=\"{width}\""
        );
        svg.circle((x, y), 0.45 * UNIT, &style);
        let size = if candidate.label.len() < 3 { 14.0 } else { 12.5 };
        let label = TextStyle { size, fill: "#101010", bold: true, anchor: Anchor::Middle };
        svg.text((x, y + 1.5), &candidate.label, label);
        let detail = TextStyle { size: 9.0, bold: false, ..label };
        svg.text((x, y + 12.0), &candidate.detail, detail);
    }

    /// Returns the place of a mark: its point if that has nothing else, otherwise a corner by
    /// colour.
    fn place(&self, cell: Cell, mark: &PointMark) -> (f64, f64) {
        let (x, y) = self.at(cell);
        let is_candidate = self.candidates.iter().any(|candidate| candidate.cell == cell);
        let alone = !is_candidate && self.marks.iter().filter(|(at, _)| *at == cell).count() == 1;
        let corner = 0.31 * UNIT;
        match mark {
            PointMark::Wins(color) | PointMark::Prepares(color) | PointMark::Threat(color, _)
                if !alone =>
            {
                let side = if *color == Color::Black { corner } else { -corner };
                (x + side, y - corner)
            }
            _ => (x, y),
        }
    }

    /// Returns the legend of the signs on the board.
    fn legend(&self) -> Vec<Entry> {
        let mut legend = Vec::new();
        if !self.candidates.is_empty() {
            legend.push((None, "win rate in %, shaded by loss"));
        }
        for meaning in MEANINGS {
            let sign = self.marks.iter().find(|(_, mark)| mark.meaning() == meaning);
            legend.extend(sign.map(|(_, mark)| (Some(mark.clone()), meaning)));
        }
        legend
    }

    fn draw_legend(&self, svg: &mut Svg, legend: &[Entry], (x, y): (f64, f64)) {
        let mut left = x - (legend.iter().map(room).sum::<f64>() - GAP) / 2.0;
        for entry in legend {
            let (mark, text) = entry;
            match mark {
                Some(PointMark::Forbidden(_)) => cross(svg, (left + 12.0, y - 4.5)),
                Some(mark) => draw_mark(svg, (left + 12.0, y - 4.5), mark),
                None => {
                    for step in 0..6 {
                        let fill = shade(f64::from(step) / 5.0 * WORST);
                        let at = [left + 10.5 * f64::from(step), y - 10.0, 10.5, 11.0];
                        svg.rect(at, &format!("fill=\"{fill}\""));
                    }
                }
            }
            let with = TextStyle { size: 12.0, fill: DARK, bold: false, anchor: Anchor::Start };
            svg.text((left + icon(mark), y), text, with);
            left += room(entry);
        }
    }
}

/// Returns the largest font size, at most `size`, at which the text fits `width`.
fn fitting(size: f64, text: &str, width: f64) -> f64 {
    // Approximate width of a letter relative to its size.
    const LETTER: f64 = 0.66;
    size.min((width - 20.0) / (LETTER * text.chars().count().max(1) as f64))
}

/// An entry of the legend: a sign, or `None` for the shades of candidates, and its meaning.
type Entry = (Option<PointMark>, &'static str);

/// Units between two entries of the legend.
const GAP: f64 = 18.0;

/// Width of the sign of an entry, in units.
fn icon(mark: &Option<PointMark>) -> f64 {
    if mark.is_some() { 24.0 } else { 72.0 }
}

/// Approximate width of an entry, in units.
fn room((mark, text): &Entry) -> f64 {
    icon(mark) + 6.9 * text.chars().count() as f64 + GAP
}

/// Splits a legend into rows that fit `width`.
fn rows(legend: Vec<Entry>, width: f64) -> Vec<Vec<Entry>> {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    for entry in legend {
        let taken = |row: &Vec<Entry>| row.iter().map(room).sum::<f64>();
        match rows.last_mut().filter(|row| taken(row) + room(&entry) <= width) {
            Some(row) => row.push(entry),
            None => rows.push(vec![entry]),
        }
    }
    rows
}

/// Draws a mark around a point.
fn draw_mark(svg: &mut Svg, (x, y): (f64, f64), mark: &PointMark) {
    match mark {
        PointMark::Forbidden(kind) => {
            let patch = "fill=\"#e4bd7c\" fill-opacity=\"0.85\"";
            svg.circle((x, y), 0.42 * UNIT, patch);
            cross(svg, (x, y - 4.0));
            let with = TextStyle { size: 10.0, fill: RED, bold: true, anchor: Anchor::Middle };
            svg.text((x, y + 14.0), kind, with);
        }
        PointMark::Wins(color) => {
            let style = format!("fill=\"{}\" stroke=\"{RED}\" stroke-width=\"2\"", plain(*color));
            svg.circle((x, y), 5.6, &style);
        }
        PointMark::Prepares(color) => {
            let points = [(x, y - 6.5), (x + 6.5, y), (x, y + 6.5), (x - 6.5, y)];
            let style =
                format!("fill=\"{}\" stroke=\"#d07a00\" stroke-width=\"1.8\"", plain(*color));
            svg.polygon(&points, &style);
        }
        PointMark::Threat(color, text) => {
            let edge = "stroke=\"#555555\" stroke-width=\"0.8\"";
            svg.circle((x, y), 9.5, &format!("fill=\"{}\" {edge}", plain(*color)));
            let size = if text.chars().count() < 3 { 10.0 } else { 8.5 };
            let with = TextStyle { size, fill: plain(!*color), bold: true, anchor: Anchor::Middle };
            svg.text((x, y + 0.36 * size), text, with);
        }
    }
}

/// Draws a red cross.
fn cross(svg: &mut Svg, (x, y): (f64, f64)) {
    let r = 0.18 * UNIT;
    let style = format!("stroke=\"{RED}\" stroke-width=\"3.4\" stroke-linecap=\"round\"");
    svg.line([x - r, y - r, x + r, y + r], &style);
    svg.line([x - r, y + r, x + r, y - r], &style);
}

fn plain(color: Color) -> &'static str {
    match color {
        Color::Black => "#111111",
        Color::White => "#ffffff",
    }
}

/// Returns a red that is visible on a stone.
fn bright(color: Color) -> &'static str {
    match color {
        Color::Black => "#ff6a55",
        Color::White => RED,
    }
}

/// Loss from which all moves have the same colour.
const WORST: f64 = 0.25;

/// Returns the colour of a candidate: from green for no loss over yellow to red for a large one.
fn shade(loss: f64) -> String {
    const STOPS: [[f64; 3]; 3] =
        [[110.0, 200.0, 110.0], [245.0, 215.0, 95.0], [232.0, 110.0, 90.0]];
    let place = (loss / WORST).clamp(0.0, 1.0) * 2.0;
    let (i, part) = if place < 1.0 { (0, place) } else { (1, place - 1.0) };
    let mixed = |channel: usize| {
        let (a, b) = (STOPS[i][channel], STOPS[i + 1][channel]);
        (a + (b - a) * part).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: (usize, usize), shape: StonePlacement) -> Picture {
        let at = |x, y| Cell::new(x, y);
        Picture {
            size,
            shape,
            stones: vec![(at(2, 2), Color::Black, Some(1)), (at(3, 2), Color::White, None)],
            last: vec![at(3, 2)],
            candidates: vec![WeighedMove {
                cell: at(3, 3),
                label: "54".into(),
                detail: "+35".into(),
                loss: 0.0,
                best: true,
            }],
            marks: vec![
                (at(0, 0), PointMark::Forbidden("3×3")),
                (at(1, 1), PointMark::Wins(Color::White)),
                (at(3, 3), PointMark::Prepares(Color::Black)),
            ],
            title: "a <game>".into(),
            captions: vec!["depth 9".into()],
        }
    }

    #[test]
    fn a_small_board_is_drawn() {
        insta::assert_snapshot!(picture((5, 5), StonePlacement::Points).svg());
    }

    #[test]
    fn every_board_has_its_lines_and_star_points() {
        for (size, shape, lines) in [
            ((15, 15), StonePlacement::Points, 30),
            ((20, 15), StonePlacement::Points, 35),
            ((26, 26), StonePlacement::Points, 52),
            ((7, 6), StonePlacement::Squares, 15),
        ] {
            let mut bare = picture(size, shape);
            bare.marks.clear();
            let svg = bare.svg();
            assert_eq!(svg.matches("<line ").count(), lines, "{size:?}");
            assert!(super::super::png(&svg).is_ok());
        }
        let stars = |side| picture((side, side), StonePlacement::Points).stars().len();
        assert_eq!((stars(15), stars(19), stars(20), stars(6)), (5, 9, 4, 0));
        assert_eq!(picture((19, 19), StonePlacement::Points).stars()[1], Cell::new(3, 9));
    }

    #[test]
    fn worse_moves_are_redder() {
        assert_eq!(shade(-1.0), shade(0.0));
        assert_eq!((shade(0.0).as_str(), shade(0.125).as_str()), ("#6ec86e", "#f5d75f"));
        assert_eq!(shade(WORST), shade(1.0));
    }
}
