//! Picture of a board: numbered stones, candidates shaded by their value,
//! forbidden points crossed, threats marked.

use super::svg::{Anchor, Svg, Type};
use goren_core::types::{Cell, Color};

/// Units from point to point.
const UNIT: f64 = 40.0;
/// Units around the points, for letters and numbers.
const MARGIN: f64 = 54.0;
/// Units above for the title, and a line of text below.
const TITLE: f64 = 44.0;
const LINE: f64 = 24.0;
/// Least units across.
const LEAST: f64 = 420.0;
const INK: &str = "#4a3516";
const DARK: &str = "#2b2b2b";
const RED: &str = "#c8281e";
const DEFINITIONS: &str = "<defs>\
<radialGradient id=\"black\" cx=\"0.35\" cy=\"0.3\" r=\"0.75\"><stop offset=\"0\" stop-color=\"#6a6a6a\"/><stop offset=\"0.45\" stop-color=\"#2a2a2a\"/><stop offset=\"1\" stop-color=\"#0a0a0a\"/></radialGradient>\
<radialGradient id=\"white\" cx=\"0.35\" cy=\"0.3\" r=\"0.8\"><stop offset=\"0\" stop-color=\"#ffffff\"/><stop offset=\"0.6\" stop-color=\"#f2efe9\"/><stop offset=\"1\" stop-color=\"#c9c3b6\"/></radialGradient>\
<linearGradient id=\"wood\" x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"><stop offset=\"0\" stop-color=\"#ecc98a\"/><stop offset=\"1\" stop-color=\"#dcb06a\"/></linearGradient>\
</defs>\n";

/// Where stones stand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum StonePlacement {
    /// On the crossings of lines.
    Points,
    /// Within squares, as pieces that fall.
    Squares,
}

/// A move that was weighed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WeighedMove {
    /// Its point.
    pub(crate) cell: Cell,
    /// A short text in the middle, such as 54.
    pub(crate) label: String,
    /// A shorter one below, such as +35.
    pub(crate) detail: String,
    /// How much of the game it gives away against the best, 0 to 1.
    pub(crate) loss: f64,
    /// Whether it is the best.
    pub(crate) best: bool,
}

/// What is marked on an empty point.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum PointMark {
    /// Forbidden, with a short name of the kind.
    Forbidden(&'static str),
    /// A colour would win there with its next turn.
    Wins(Color),
    /// A colour would make there what wins a turn later.
    Prepares(Color),
    /// What a stone of a colour would make there, in up to three signs.
    Threat(Color, String),
}

/// What marks mean, in the order of the legend.
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

/// A board with all that is to be seen on it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Picture {
    /// Columns and rows.
    pub(crate) size: (usize, usize),
    /// How the board looks.
    pub(crate) shape: StonePlacement,
    /// Stones with their numbers.
    pub(crate) stones: Vec<(Cell, Color, Option<usize>)>,
    /// The newest stones.
    pub(crate) last: Vec<Cell>,
    /// Moves that were weighed.
    pub(crate) candidates: Vec<WeighedMove>,
    /// Marks on empty points.
    pub(crate) marks: Vec<(Cell, PointMark)>,
    /// Above the board.
    pub(crate) title: String,
    /// Below it, line by line.
    pub(crate) captions: Vec<String>,
}

impl Picture {
    /// The picture as SVG.
    pub(crate) fn svg(&self) -> String {
        let height = self.extent().1;
        let width = self.extent().0.max(LEAST);
        let legend = rows(self.legend(), width - 2.0 * MARGIN);
        let lines = self.captions.len() + legend.len();
        let foot = if lines > 0 { lines as f64 * LINE + 16.0 } else { 10.0 };
        let mut svg = Svg::new(width, TITLE + height + foot, DEFINITIONS);
        svg.rect([0.0, 0.0, width, TITLE + height + foot], "fill=\"#faf7f1\"");
        let size = fitting(18.0, &self.title, width);
        let title = Type { size, fill: DARK, bold: true, anchor: Anchor::Middle };
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
            let text = Type { size, fill: DARK, bold: false, anchor: Anchor::Middle };
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

    /// Units to the left of the board, so that there is room for texts beside a
    /// small one.
    fn left(&self) -> f64 {
        (LEAST - self.extent().0).max(0.0) / 2.0
    }

    /// The middle of a cell.
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
        let looks = |edge: bool| {
            if edge {
                format!("stroke=\"{INK}\" stroke-width=\"2\" stroke-linecap=\"square\"")
            } else {
                format!("stroke=\"{INK}\" stroke-opacity=\"0.75\"")
            }
        };
        for i in 0..columns + more {
            let x = left + UNIT * i as f64;
            svg.line([x, top, x, bottom], &looks(i == 0 || i + 1 == columns + more));
        }
        for i in 0..rows + more {
            let y = top + UNIT * i as f64;
            svg.line([left, y, right, y], &looks(i == 0 || i + 1 == rows + more));
        }
        for cell in self.stars() {
            svg.circle(self.at(cell), 3.6, &format!("fill=\"{INK}\""));
        }
        let name = Type { size: 14.0, fill: INK, bold: false, anchor: Anchor::Middle };
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

    /// The points that are usually dotted.
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
        // Of 15 points a side only the middle and the corners.
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
        let with = Type { size, fill, bold: newest, anchor: Anchor::Middle };
        svg.text((x, y + 0.36 * size), &number, with);
    }

    fn candidate(&self, svg: &mut Svg, candidate: &WeighedMove) {
        let (x, y) = self.at(candidate.cell);
        let edge = if candidate.best { "#0b3d91" } else { "#3c3c3c" };
        let width = if candidate.best { 3.0 } else { 1.0 };
        let fill = shade(candidate.loss);
        let looks = format!(
            "fill=\"{fill}\" fill-opacity=\"0.94\" stroke=\"{edge}\" stroke-width=\"{width}\""
        );
        svg.circle((x, y), 0.45 * UNIT, &looks);
        let size = if candidate.label.len() < 3 { 14.0 } else { 12.5 };
        let label = Type { size, fill: "#101010", bold: true, anchor: Anchor::Middle };
        svg.text((x, y + 1.5), &candidate.label, label);
        let detail = Type { size: 9.0, bold: false, ..label };
        svg.text((x, y + 12.0), &candidate.detail, detail);
    }

    /// Where a mark is drawn: on its point if that is all there is, else in a
    /// corner of its own for each colour.
    fn place(&self, cell: Cell, mark: &PointMark) -> (f64, f64) {
        let (x, y) = self.at(cell);
        let weighed = self.candidates.iter().any(|candidate| candidate.cell == cell);
        let alone = !weighed && self.marks.iter().filter(|(at, _)| *at == cell).count() == 1;
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

    /// What the signs on the board mean, those that are there.
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
            let with = Type { size: 12.0, fill: DARK, bold: false, anchor: Anchor::Start };
            svg.text((left + icon(mark), y), text, with);
            left += room(entry);
        }
    }
}

/// The font size, at most `size`, at which the text fits `width`.
fn fitting(size: f64, text: &str, width: f64) -> f64 {
    // A letter is about so wide, of its size.
    const LETTER: f64 = 0.66;
    size.min((width - 20.0) / (LETTER * text.chars().count().max(1) as f64))
}

/// A sign, or the shades of candidates, and what it means.
type Entry = (Option<PointMark>, &'static str);

/// Units between two entries of the legend.
const GAP: f64 = 18.0;

/// Units that the sign of an entry takes.
fn icon(mark: &Option<PointMark>) -> f64 {
    if mark.is_some() { 24.0 } else { 72.0 }
}

/// Units that an entry takes, about.
fn room((mark, text): &Entry) -> f64 {
    icon(mark) + 6.9 * text.chars().count() as f64 + GAP
}

/// A legend in rows that fit `width`.
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
            let with = Type { size: 10.0, fill: RED, bold: true, anchor: Anchor::Middle };
            svg.text((x, y + 14.0), kind, with);
        }
        PointMark::Wins(color) => {
            let looks = format!("fill=\"{}\" stroke=\"{RED}\" stroke-width=\"2\"", plain(*color));
            svg.circle((x, y), 5.6, &looks);
        }
        PointMark::Prepares(color) => {
            let points = [(x, y - 6.5), (x + 6.5, y), (x, y + 6.5), (x - 6.5, y)];
            let looks =
                format!("fill=\"{}\" stroke=\"#d07a00\" stroke-width=\"1.8\"", plain(*color));
            svg.polygon(&points, &looks);
        }
        PointMark::Threat(color, text) => {
            let edge = "stroke=\"#555555\" stroke-width=\"0.8\"";
            svg.circle((x, y), 9.5, &format!("fill=\"{}\" {edge}", plain(*color)));
            let size = if text.chars().count() < 3 { 10.0 } else { 8.5 };
            let with = Type { size, fill: plain(!*color), bold: true, anchor: Anchor::Middle };
            svg.text((x, y + 0.36 * size), text, with);
        }
    }
}

/// A red cross.
fn cross(svg: &mut Svg, (x, y): (f64, f64)) {
    let r = 0.18 * UNIT;
    let looks = format!("stroke=\"{RED}\" stroke-width=\"3.4\" stroke-linecap=\"round\"");
    svg.line([x - r, y - r, x + r, y + r], &looks);
    svg.line([x - r, y + r, x + r, y - r], &looks);
}

fn plain(color: Color) -> &'static str {
    match color {
        Color::Black => "#111111",
        Color::White => "#ffffff",
    }
}

/// Red that is seen on a stone.
fn bright(color: Color) -> &'static str {
    match color {
        Color::Black => "#ff6a55",
        Color::White => RED,
    }
}

/// The loss from which on all moves look the same.
const WORST: f64 = 0.25;

/// The colour of a candidate: green for none, yellow, then red for a large
/// loss.
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
    fn every_board_has_its_lines_and_no_sign_lies_outside() {
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
