//! Findings of a search as a table for the terminal.

use console::{Style, truncate_str};

use super::findings::cells;
use super::threats::TurnThreat;
use crate::play;
use crate::position::{ForbiddenPoint, GivenPosition, ending_words, foul_names, name};
use crate::variant::shown_with_opening;
use goren_core::rules::Variant;
use goren_core::types::{Cell, Color, PROVEN, Stone, win_rate};
use goren_engine::Findings;
use goren_notation::words::{percent, score_text};
use goren_protocol::abbreviated_count;

/// Style of texts in the output.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TextStyle {
    /// Whether colours may be used.
    pub(crate) colors: bool,
    /// Columns of the terminal; `None` for lines of any length.
    pub(crate) width: Option<usize>,
}

impl TextStyle {
    /// Applies a style to a text, if colours may be used.
    pub(crate) fn paint(self, style: Style, text: &str) -> String {
        if self.colors { style.force_styling(true).apply_to(text).to_string() } else { text.into() }
    }

    fn fit(self, line: String) -> String {
        match self.width {
            Some(width) => truncate_str(&line, width.saturating_sub(1), "…").into_owned(),
            None => line.trim_end().to_string(),
        }
    }
}

/// Formats the head of the table: the game, the board and the stones on it.
pub(crate) fn head(
    position: &GivenPosition,
    threats: &[(Color, TurnThreat, Cell)],
    forbidden: &[ForbiddenPoint],
    text_style: TextStyle,
) -> Vec<String> {
    let mut lines = vec![text_style.paint(Style::new().bold(), &title(position))];
    let size = (position.contest.width, position.contest.height);
    let stones: Vec<(Cell, Stone)> =
        position.stones.iter().map(|stone| (stone.cell, Stone::Of(stone.color))).collect();
    let of = |color| forbidden.iter().filter(move |point| point.color == color);
    let marked: Vec<Cell> = of(position.marked_color()).map(|point| point.cell).collect();
    let paint = |sign| paint_sign(text_style, sign);
    let board = play::draw_with(size, &stones, &marked, &position.last, &paint);
    lines.extend(board.lines().map(String::from));
    lines.extend(captured(position));
    for color in Color::ALL {
        let each = of(color).map(|point| {
            format!("{} {}", position.label(point.cell), foul_names(point.kinds).join(" and "))
        });
        let each = each.collect::<Vec<_>>().join(", ");
        if !each.is_empty() {
            lines.push(format!("Forbidden for {}: {each}", name(color)));
        }
    }
    lines.extend(threat_lines(position, threats));
    lines
}

/// Formats the game and the side to move.
pub(crate) fn title(position: &GivenPosition) -> String {
    let contest = position.contest;
    let state = match position.ending {
        Some(ending) => ending_words(ending),
        None => {
            let stones = if position.root.stones_to_place > 1 { ", two stones" } else { "" };
            format!("{} to move{stones}", name(position.to_move()))
        }
    };
    let placed = match position.history.as_deref().map(<[Cell]>::len) {
        Some(1) => " after 1 stone".into(),
        Some(stones) if stones > 1 => format!(" after {stones} stones"),
        _ => String::new(),
    };
    let game = shown_with_opening(&contest);
    format!("{game} {}x{}{placed}, {state}", contest.width, contest.height)
}

/// Formats the captured stones, in games where they count.
pub(super) fn captured(position: &GivenPosition) -> Option<String> {
    let [black, white] = position.captured();
    matches!(position.contest.variant, Variant::Pente(_))
        .then(|| format!("Captured: {black} by Black, {white} by White"))
}

fn threat_lines(position: &GivenPosition, threats: &[(Color, TurnThreat, Cell)]) -> Vec<String> {
    let mut lines = Vec::new();
    let me = position.to_move();
    for color in [me, !me] {
        let mut kinds: Vec<String> = Vec::new();
        let mut last_threat = None;
        for &(_, threat, cell) in threats.iter().filter(|(of, ..)| *of == color) {
            match kinds.last_mut().filter(|_| last_threat == Some(threat)) {
                Some(kind) => *kind += &format!(" {}", position.label(cell)),
                None => {
                    let name = threat.name_in(position.contest.variant);
                    kinds.push(format!("{name} at {}", position.label(cell)));
                }
            }
            last_threat = Some(threat);
        }
        if !kinds.is_empty() {
            lines.push(format!("Threats of {}: {}", name(color), kinds.join("; ")));
        }
    }
    lines
}

fn paint_sign(text_style: TextStyle, sign: char) -> String {
    let style = match sign {
        'X' => Style::new().bold(),
        'O' => Style::new().cyan().bold(),
        '*' => Style::new().red(),
        '(' | ')' => Style::new().yellow().bold(),
        '.' => Style::new().dim(),
        _ => return sign.to_string(),
    };
    text_style.paint(style, &sign.to_string())
}

/// Formats the lines of the search, the best first, and its cost.
pub(super) fn lines(
    position: &GivenPosition,
    findings: &Findings,
    text_style: TextStyle,
) -> Vec<String> {
    let mut table = vec![text_style.paint(
        Style::new().bold(),
        &format!("{:>2}  {:<8} {:>7}  {:>5}  {:>7}  line", "#", "move", "score", "win %", "depth"),
    )];
    for (rank, info) in (1..).zip(&findings.lines) {
        let turns = position.turns(&cells(info));
        let (first, rest) = turns.split_first().map_or(("", &[][..]), |(f, r)| (f.as_str(), r));
        let depth = format!("{}-{}", info.depth, info.seldepth);
        let score = format!("{:>7}", score_text(info.score));
        let style = match info.score {
            PROVEN.. => Style::new().green(),
            score if score <= -PROVEN => Style::new().red(),
            _ => Style::new(),
        };
        let score = text_style.paint(style, &score);
        let percent = percent(win_rate(info.score));
        let first = text_style.paint(Style::new().bold(), &format!("{first:<8}"));
        let line =
            format!("{rank:>2}  {first} {score}  {percent:>5}  {depth:>7}  {}", rest.join(" "));
        table.push(text_style.fit(line));
    }
    table.push(text_style.fit(cost(findings)));
    if !findings.lines.is_empty() {
        let whose = name(position.to_move());
        let scores = format!("Scores are {whose}'s: +200 is about 73 %, +M5 wins in 5 plies");
        table.push(text_style.fit(scores));
    }
    table
}

/// Formats nodes, speed and time.
pub(super) fn cost(findings: &Findings) -> String {
    let (nodes, elapsed) = (findings.nodes(), findings.elapsed());
    let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-3) / 1000.0;
    let nodes = abbreviated_count(nodes);
    format!("{nodes} nodes, {speed:.0} nodes/ms, {:.1} s", elapsed.as_secs_f64())
}
