//! A line of a game as a part of an address: what stands behind the `#`, which no
//! browser sends to a server.
//!
//! ```text
//! game=renju&size=15x15&opening=rif&plies=h8.h9.j10.swap
//! ```
//!
//! `tie_break` and `strict` stand there where they hold. Plies are those of
//! [`pending_decision_text::canonical`]. A game that begins with a position has its points
//! (`walls` too) and who is to move there, with `left` where a turn has several stones:
//!
//! ```text
//! game=connect6&size=19x19&opening=free&black=j10.k9&white=i8&to_move=white&left=2
//! ```

use anyhow::{Context, Result, bail, ensure};

use super::beginning::beginning_of;
use super::files;
use crate::schema::GameChoice;
use goren_core::opening::GameState;
use goren_core::rules::Contest;
use goren_core::rules::referee::Next;
use goren_core::types::{Cell, Color, Stone, read_point};
use goren_notation::plies;

/// Most bytes of a text that is read.
const MOST_TEXT: usize = 20_000;
/// Keys of a link for the contents of points.
const LAID: [(&str, Stone); 3] = [
    ("black", Stone::Of(Color::Black)),
    ("white", Stone::Of(Color::White)),
    ("walls", Stone::Wall),
];

/// The line up to a position of a game.
pub(super) fn write(game_state: &GameState) -> String {
    let contest = game_state.contest();
    let Contest { variant, width, height, opening, tie_break, strict } = *contest;
    let mut text = format!("game={variant}&size={width}x{height}&opening={opening}");
    for (name, on) in [("tie_break", tie_break), ("strict", strict)] {
        if on {
            text.push_str(&format!("&{name}"));
        }
    }
    text.push_str(&laid(&beginning_of(game_state)));
    let plies = files::moves(game_state);
    if !plies.is_empty() {
        text.push_str(&format!("&plies={}", plies.join(".")));
    }
    text
}

/// The parts of the position that a game begins with, each behind a `&`.
fn laid(beginning: &GameState) -> String {
    let mut text = String::new();
    if beginning.laid().is_empty() {
        return text;
    }
    let Contest { variant, height, .. } = *beginning.contest();
    for (name, what) in LAID {
        let cells = beginning.laid().iter().filter(|&&(_, stone)| stone == what);
        let points: Vec<String> = cells.map(|(cell, _)| cell.label(height)).collect();
        if !points.is_empty() {
            text.push_str(&format!("&{name}={}", points.join(".")));
        }
    }
    let to_move = if beginning.first_to_move() == Color::Black { "black" } else { "white" };
    text.push_str(&format!("&to_move={to_move}"));
    if variant.turn() > 1 {
        text.push_str(&format!("&left={}", beginning.stones_due()));
    }
    text
}

/// The game of a text, which may be a whole address.
///
/// # Errors
/// Not a link, or an illegal ply.
pub(super) fn read(text: &str) -> Result<GameState> {
    ensure!(text.len() <= MOST_TEXT, "the link has more than {MOST_TEXT} bytes");
    let text = text.trim().rsplit('#').next().unwrap_or_default();
    let (mut choice, mut plies_text) = (None, "");
    let mut rest = GameChoice {
        variant: String::new(),
        size: None,
        opening: None,
        tie_break: false,
        strict: false,
    };
    let mut position = Position::default();
    for part in text.split('&') {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        match name {
            "game" => choice = Some(value.to_owned()),
            "size" => rest.size = Some(size(value)?),
            "opening" => rest.opening = Some(value.to_owned()),
            "tie_break" => rest.tie_break = true,
            "strict" => rest.strict = true,
            "plies" => plies_text = value,
            "to_move" => position.to_move = Some(color(value)?),
            "left" => position.left = value.parse().context("the value of left is not a number")?,
            _ => match LAID.into_iter().find(|(of, _)| *of == name) {
                Some((_, stone)) => position.points.push((stone, value)),
                None => bail!("unknown part of the link: {part:?}"),
            },
        }
    }
    let variant = choice.context("the link names no game")?;
    let contest = files::contest(&GameChoice { variant, ..rest })?;
    let mut game_state = position.begin(contest)?;
    plies::play_all(&mut game_state, plies_text.split('.').filter(|ply| !ply.is_empty()))?;
    Ok(game_state)
}

/// The position that a game begins with, as a link has it.
#[derive(Default)]
struct Position<'a> {
    points: Vec<(Stone, &'a str)>,
    to_move: Option<Color>,
    /// Stones of the turn; 0 where that is not said.
    left: usize,
}

impl Position<'_> {
    /// A game that begins with it, or with the empty board if nothing stands there.
    ///
    /// # Errors
    /// Something is no point, it is not said who is to move, or no game leads there.
    fn begin(&self, contest: Contest) -> Result<GameState> {
        let mut stones = Vec::new();
        for &(stone, points) in &self.points {
            for text in points.split('.').filter(|text| !text.is_empty()) {
                let point = cell(&contest, text);
                let reported = || format!("{text:?} is no point of the board");
                stones.push((point.with_context(reported)?, stone));
            }
        }
        if stones.is_empty() {
            return Ok(GameState::new(contest));
        }
        let to_move = self.to_move.context("the link does not say who is to move")?;
        let left = self.left.max(1);
        ensure!(left <= contest.variant.turn(), "a turn has fewer stones than that");
        GameState::from_position(contest, &stones, Next { left, ..Next::new(to_move) })
            .context("no game leads to the position of the link")
    }
}

/// A point of the board.
fn cell(contest: &Contest, text: &str) -> Option<Cell> {
    let (x, row) = read_point(text)?;
    let on_board = x < contest.width && (1..=contest.height).contains(&row);
    on_board.then(|| Cell::new(x, contest.height - row))
}

fn color(text: &str) -> Result<Color> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => bail!("{text:?} is no side, black or white"),
    }
}

/// Whether a text is a link, or what stands behind the `#` of one.
pub(super) fn is_link(text: &str) -> bool {
    let text = text.trim();
    let inner = text.rsplit('#').next().unwrap_or_default();
    inner.starts_with("game=") && !text.contains('\n')
}

/// Columns and rows.
fn size(text: &str) -> Result<(usize, usize)> {
    let sides = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.with_context(|| format!("{text:?} is no size of a board, such as 15x15"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::{model, of_game, play, refusal, shown};
    use crate::model::tree::Tree;
    use crate::schema::{Command, Event};

    fn link(model: &mut crate::model::Model) -> String {
        match &model.handle(Command::Link {})[..] {
            [Event::Link { text }] => text.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_link_leads_to_the_same_position() {
        for (variant, opening, moves) in [
            ("renju", "taraguchi-10", "h8 swap h9 h10"),
            ("gomoku", "swap-2", "h8,i9,j8 swap a1"),
            ("pente+keryo+boat", "pro", "j10 k10 n13"),
            ("four-in-a-row", "free", "d e d"),
            ("connect6", "free", "j10 i9,k11 a1,b2"),
            ("renju", "free", "h8 h9 pass"),
        ] {
            let mut one = of_game(variant, opening);
            play(&mut one, moves);
            let text = link(&mut one);
            for text in [text.clone(), format!("http://127.0.0.1:1/abc/#{text}")] {
                assert!(is_link(&text));
                let mut other = model().0;
                let events = other.handle(Command::OpenLink { text: text.clone() });
                assert_eq!(refusal(&events), None, "{text}");
                assert_eq!(shown(&other), shown(&one), "{text}");
                assert_eq!(link(&mut other), text.rsplit('#').next().unwrap());
            }
        }
    }

    /// Links had no set-up position.
    #[test]
    fn a_game_that_begins_with_a_position_has_a_link() {
        let black = [(7, 7), (8, 8), (9, 6)].map(|(x, y)| (Cell::new(x, y), Color::Black));
        let white = [(3, 3), (4, 4)].map(|(x, y)| (Cell::new(x, y), Color::White));
        let stones: Vec<(Cell, Stone)> =
            black.into_iter().chain(white).map(|(cell, color)| (cell, Stone::Of(color))).collect();
        let wall = (Cell::new(0, 0), Stone::Wall);
        for (variant, walls, left, moves) in [
            ("freestyle", &[wall][..], 1, "c3 d4"),
            ("renju", &[], 1, "c3"),
            ("connect6", &[], 1, "c3 d4,e5"),
            ("connect6", &[], 2, "c3,d4"),
        ] {
            let mut one = of_game(variant, "free");
            let contest = *one.tree.beginning().contest();
            let next = Next { left, ..Next::new(Color::White) };
            let stones = [&stones[..], walls].concat();
            let begun = GameState::from_position(contest, &stones, next).unwrap();
            one.tree = Tree::new(begun);
            play(&mut one, moves);
            let text = link(&mut one);
            let mut other = model().0;
            let events = other.handle(Command::OpenLink { text: text.clone() });
            assert_eq!(refusal(&events), None, "{text}");
            assert_eq!(shown(&other), shown(&one), "{text}");
            assert_eq!(link(&mut other), text);
        }
    }

    #[test]
    fn broken_links_are_refused_and_the_position_kept() {
        let mut one = of_game("pente", "free");
        play(&mut one, "j10");
        let before = shown(&one);
        let long = format!("game=pente&plies={}", "j10.".repeat(MOST_TEXT / 4));
        for text in [
            "",
            "#",
            "plies=h8",
            "game=chess",
            "game=renju&size=15",
            "game=renju&size=99x99",
            "game=renju&opening=ruy-lopez",
            "game=renju&plies=h8.h8",
            "game=renju&plies=z99",
            "game=renju&plies=%41",
            "game=renju&script=1",
            "game=renju&black=h8",
            "game=renju&black=z99&to_move=white",
            "game=renju&black=h8.h8&to_move=white",
            "game=renju&black=h8&to_move=red",
            "game=renju&black=h8&to_move=white&left=2",
            "game=renju&black=h8&to_move=white&left=-1",
            &format!("game=renju&{}", "x".repeat(MOST_TEXT / 2)),
            &format!("game={}", "x".repeat(MOST_TEXT / 2)),
            &long,
        ] {
            let events = one.handle(Command::OpenLink { text: text.into() });
            let reported = refusal(&events).unwrap_or_else(|| panic!("{text:.60}"));
            assert!(reported.ends_with('.') && reported.len() < 500, "{reported}");
            assert_eq!(shown(&one), before);
        }
    }
}
