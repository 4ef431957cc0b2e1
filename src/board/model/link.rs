//! A line of a game as the fragment of a URL, after the `#`, which browsers do not send to
//! servers.
//!
//! ```text
//! game=renju&size=15x15&opening=rif&plies=h8.h9.j10.swap
//! ```
//!
//! `tie_break` and `strict` are present if set. Plies are in the notation of
//! `pending_decision_text::canonical_text`. A game that begins with a position has its points
//! (`black`, `white`, `walls`) and the side to move, with the stones `left` of the turn in games
//! with turns of several stones:
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

/// Maximum number of bytes of a link.
const MAX_TEXT: usize = 20_000;
/// Keys of the points of a position.
const POINT_KEYS: [(&str, Stone); 3] = [
    ("black", Stone::Of(Color::Black)),
    ("white", Stone::Of(Color::White)),
    ("walls", Stone::Wall),
];

/// Writes the link of a game.
pub(super) fn write(game_state: &GameState) -> String {
    let contest = game_state.contest();
    let Contest { variant, width, height, opening, tie_break, strict } = *contest;
    let mut text = format!("game={variant}&size={width}x{height}&opening={opening}");
    for (name, on) in [("tie_break", tie_break), ("strict", strict)] {
        if on {
            text.push_str(&format!("&{name}"));
        }
    }
    text.push_str(&position_parts(&beginning_of(game_state)));
    let plies = files::moves(game_state);
    if !plies.is_empty() {
        text.push_str(&format!("&plies={}", plies.join(".")));
    }
    text
}

/// Writes the parts of an initial position, each after a `&`.
fn position_parts(beginning: &GameState) -> String {
    let mut text = String::new();
    if beginning.setup_stones().is_empty() {
        return text;
    }
    let Contest { variant, height, .. } = *beginning.contest();
    for (name, content) in POINT_KEYS {
        let cells = beginning.setup_stones().iter().filter(|&&(_, stone)| stone == content);
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

/// Reads a link, which may be a whole URL.
///
/// # Errors
/// The text is no link, or has an illegal ply.
pub(super) fn read(text: &str) -> Result<GameState> {
    ensure!(text.len() <= MAX_TEXT, "the link has more than {MAX_TEXT} bytes");
    let text = text.trim().rsplit('#').next().unwrap_or_default();
    let (mut game, mut plies_text) = (None, "");
    let mut options = GameChoice {
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
            "game" => game = Some(value.to_owned()),
            "size" => options.size = Some(size(value)?),
            "opening" => options.opening = Some(value.to_owned()),
            "tie_break" => options.tie_break = true,
            "strict" => options.strict = true,
            "plies" => plies_text = value,
            "to_move" => position.to_move = Some(color(value)?),
            "left" => position.left = value.parse().context("the value of left is not a number")?,
            _ => match POINT_KEYS.into_iter().find(|(key, _)| *key == name) {
                Some((_, stone)) => position.points.push((stone, value)),
                None => bail!("unknown part of the link: {part:?}"),
            },
        }
    }
    let variant = game.context("the link names no game")?;
    let contest = files::contest(&GameChoice { variant, ..options })?;
    let mut game_state = position.begin(contest)?;
    plies::play_all(&mut game_state, plies_text.split('.').filter(|ply| !ply.is_empty()))?;
    Ok(game_state)
}

/// The initial position in a link.
#[derive(Default)]
struct Position<'a> {
    points: Vec<(Stone, &'a str)>,
    to_move: Option<Color>,
    /// Stones left of the turn; 0 if absent.
    left: usize,
}

impl Position<'_> {
    /// Begins a game with it, or with the empty board if it has no points.
    ///
    /// # Errors
    /// A point is invalid, the side to move is missing, or no game leads to the position.
    fn begin(&self, contest: Contest) -> Result<GameState> {
        let mut stones = Vec::new();
        for &(stone, points) in &self.points {
            for text in points.split('.').filter(|text| !text.is_empty()) {
                let point = cell(&contest, text);
                let invalid = || format!("{text:?} is not a point of the board");
                stones.push((point.with_context(invalid)?, stone));
            }
        }
        if stones.is_empty() {
            return Ok(GameState::new(contest));
        }
        let to_move = self.to_move.context("the link does not say who is to move")?;
        let left = self.left.max(1);
        ensure!(
            left <= contest.variant.turn(),
            "the value of left is more than the stones of a turn"
        );
        GameState::from_position(contest, &stones, Next { left, ..Next::new(to_move) })
            .context("no game leads to the position in the link")
    }
}

/// Reads a point of the board.
fn cell(contest: &Contest, text: &str) -> Option<Cell> {
    let (x, row) = read_point(text)?;
    let on_board = x < contest.width && (1..=contest.height).contains(&row);
    on_board.then(|| Cell::new(x, contest.height - row))
}

fn color(text: &str) -> Result<Color> {
    match text {
        "black" => Ok(Color::Black),
        "white" => Ok(Color::White),
        _ => bail!("{text:?} is not a side: black or white"),
    }
}

/// Whether a text is a link, or the fragment of one.
pub(super) fn is_link(text: &str) -> bool {
    let text = text.trim();
    let inner = text.rsplit('#').next().unwrap_or_default();
    // A link in a comment of SGF or in a text of JSON is followed by the end of that text.
    let is_quoted = inner.contains([']', '"']);
    inner.starts_with("game=") && !is_quoted && !text.contains('\n')
}

/// Reads columns and rows.
fn size(text: &str) -> Result<(usize, usize)> {
    let sides = text
        .split_once('x')
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    sides.with_context(|| format!("{text:?} is not a board size such as 15x15"))
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

    /// Regression: such a file was refused as a broken link.
    #[test]
    fn a_file_with_a_link_in_a_text_is_no_link() {
        let link = "http://127.0.0.1:1/abc/#game=renju&plies=h8";
        assert!(is_link(link) && !is_link(&format!(r#"{{"plies":[],"event":"{link}"}}"#)));
        let mut model = model().0;
        let bytes = format!("(;GM[4]RU[0]SZ[15];B[hh]C[see {link}])");
        let events = model.handle(Command::Open { name: "a.sgf".into(), bytes, number: None });
        assert_eq!(refusal(&events), None);
        assert_eq!(shown(&model).stones.len(), 1);
    }

    /// Regression: links had no set-up position.
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
    fn broken_links_are_refused_and_change_nothing() {
        let mut one = of_game("pente", "free");
        play(&mut one, "j10");
        let before = shown(&one);
        let long = format!("game=pente&plies={}", "j10.".repeat(MAX_TEXT / 4));
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
            &format!("game=renju&{}", "x".repeat(MAX_TEXT / 2)),
            &format!("game={}", "x".repeat(MAX_TEXT / 2)),
            &long,
        ] {
            let events = one.handle(Command::OpenLink { text: text.into() });
            let message = refusal(&events).unwrap_or_else(|| panic!("{text:.60}"));
            assert!(message.ends_with('.') && message.len() < 500, "{message}");
            assert_eq!(shown(&one), before);
        }
    }
}
