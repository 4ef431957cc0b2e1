//! Puzzles, as JSON Lines.
//!
//! ```json
//! {"game":"renju","size":15,"pos":"h8 i9 j8","result":"win","plies":9,"tier":"plain","kind":"fours"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `game` | the game with its options, as `goren games` names it |
//! | `size` | the side of the board, or columns and rows: `[7,6]`; if absent the board that the name of the game says, or the usual one |
//! | `pos` | the moves before it, rows from the bottom |
//! | `kind` | `fours`: a win by fours; `threats`: a win by threats; `win`: another win; `defence`: few moves do not lose |
//! | `result` | of the side to move: `win`, or `open` with a defence |
//! | `plies` | to the end of the win that was found; null with a defence |
//! | `tier` | `plain`, or `hard` where only a longer search finds it |
//!
//! `goren suite` reads the won positions.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use goren_core::opening::{Event, GameState};
use goren_core::rules::{Contest, OpeningId, Variant, named};
use goren_core::types::Cell;
use goren_notation::moves::typed;

/// Task of a puzzle.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A win by fours (VCF).
    Fours,
    /// A win by threats that is none by fours (VCT).
    Threats,
    /// Another win.
    Win,
    /// One of the few moves that do not lose.
    Defence,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Fours, Kind::Threats, Kind::Win, Kind::Defence];
}

/// Difficulty of a puzzle.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A usual search finds it.
    Plain,
    /// A longer search finds it.
    Hard,
}

#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Win,
    Open,
}

/// Size of a board, as written in JSON.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(untagged)]
pub enum BoardSize {
    /// The side of a square board.
    Side(usize),
    /// Columns and rows.
    Sides([usize; 2]),
}

impl BoardSize {
    /// Returns columns and rows.
    pub fn sides(self) -> (usize, usize) {
        match self {
            BoardSize::Side(side) => (side, side),
            BoardSize::Sides([width, height]) => (width, height),
        }
    }

    /// Returns the size of the board of a game.
    pub fn of(contest: &Contest) -> BoardSize {
        match *contest {
            Contest { width, height, .. } if width == height => BoardSize::Side(width),
            Contest { width, height, .. } => BoardSize::Sides([width, height]),
        }
    }
}

/// A puzzle as written in JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<BoardSize>,
    pos: String,
    result: Expected,
    plies: Option<usize>,
    tier: Tier,
    kind: Kind,
}

/// A position in which the side to move has a task.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The task.
    pub kind: Kind,
    /// Difficulty of the task.
    pub tier: Tier,
    /// Plies to the end of the known win; `None` with a defence.
    pub plies: Option<usize>,
    /// The game up to the position, without an opening.
    pub game_state: GameState,
}

impl Puzzle {
    /// Reads a puzzle from a line of JSON.
    ///
    /// # Errors
    /// The line is no puzzle, or its position cannot be played.
    pub fn read(text: &str) -> Result<Puzzle> {
        let written: Written = serde_json::from_str(text).context("this is no puzzle")?;
        let Written { game, size, pos, result, plies, tier, kind } = written;
        let game_state = position(&game, size.map(BoardSize::sides), &pos)?;
        let open = kind == Kind::Defence;
        ensure!((result == Expected::Open) == open, "the result is open for a defence, else win");
        ensure!(plies.is_none() == open, "only a win has plies, and every win has them");
        Ok(Puzzle { kind, tier, plies, game_state })
    }

    /// Writes the puzzle as a line of JSON, without the line end.
    pub fn write(&self) -> String {
        let contest = self.game_state.contest();
        let open = self.kind == Kind::Defence;
        let written = Written {
            game: contest.variant.to_string(),
            size: Some(BoardSize::of(contest)),
            pos: moves(&self.game_state),
            result: if open { Expected::Open } else { Expected::Win },
            plies: self.plies,
            tier: self.tier,
            kind: self.kind,
        };
        // Only maps with keys other than strings can fail.
        serde_json::to_string(&written).unwrap_or_default()
    }

    /// Returns the task as a sentence.
    pub fn question(&self) -> String {
        let side = goren_notation::words::name(self.game_state.to_move());
        match self.kind {
            Kind::Fours => format!("{side} to move wins by fours."),
            Kind::Threats => format!("{side} to move wins by threats."),
            Kind::Win => format!("{side} to move wins."),
            Kind::Defence => format!("{side} to move must defend: few moves do not lose."),
        }
    }
}

/// Returns the game with a name on a board, without an opening, after a list of moves.
///
/// # Errors
/// There is no such game or board, a move is illegal, the last turn or the game is over.
fn position(name: &str, size: Option<(usize, usize)>, pos: &str) -> Result<GameState> {
    let (variant, of_name) = match named(name) {
        Some(named) => (named.variant, named.size),
        None => (Variant::from_name(name)?, None),
    };
    let mut contest = Contest::new(variant).opened(OpeningId::Free)?;
    if let Some((width, height)) = size.or(of_name) {
        contest = contest.on(width, height)?;
    }
    let typed = typed(&contest, pos, false)?;
    ensure!(typed.placed.is_empty(), "it ends within a turn");
    ensure!(typed.game_state.result().is_none(), "the game is over: {pos}");
    Ok(typed.game_state)
}

/// Lists the moves of a game.
fn moves(game_state: &GameState) -> String {
    let height = game_state.contest().height;
    let text = |event: &Event| match *event {
        Event::Stone(cell, _) => cell.label(height),
        Event::Pass => "pass".into(),
    };
    game_state.events().iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Returns the same position in a game without an opening, reached by the same stones in the
/// same order; `None` if there is none.
pub(crate) fn without_opening(game_state: &GameState) -> Option<GameState> {
    let contest = game_state.contest();
    if !game_state.setup_stones().is_empty() {
        return None;
    }
    let contest = Contest { tie_break: false, strict: false, ..*contest };
    let contest = contest.opened(OpeningId::Free).ok()?;
    let plain = typed(&contest, &moves(game_state), false).ok()?;
    let same = |a: &GameState, b: &GameState| {
        let stones = |state: &GameState| -> Vec<(Cell, _)> { state.stones() };
        a.to_move() == b.to_move() && stones(a) == stones(b)
    };
    let fits = plain.placed.is_empty() && same(&plain.game_state, game_state);
    fits.then_some(plain.game_state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::Action;
    use goren_notation::json_example;

    fn error(text: &str) -> String {
        format!("{:#}", Puzzle::read(text).unwrap_err())
    }

    #[test]
    fn puzzles_are_read_and_written() {
        let example = json_example::text(include_str!("puzzle.rs"));
        let puzzle = Puzzle::read(&example).unwrap();
        assert_eq!((puzzle.kind, puzzle.plies), (Kind::Fours, Some(9)));
        assert_eq!(puzzle.write(), example);
        assert_eq!(puzzle.question(), "White to move wins by fours.");
        let four = r#"{"game":"four-in-a-row","size":[7,6],"pos":"d1 d2 e1","result":"open","plies":null,"tier":"hard","kind":"defence"}"#;
        assert_eq!(Puzzle::read(four).unwrap().write(), four);
    }

    #[test]
    fn a_name_of_a_game_and_board_sets_the_size() {
        let four = r#"{"game":"connect4","pos":"d1 d2","result":"open","plies":null,"tier":"hard","kind":"defence"}"#;
        let sides = |text: &str| BoardSize::of(Puzzle::read(text).unwrap().game_state.contest());
        assert_eq!(sides(four), BoardSize::Sides([7, 6]));
        let resized = four.replace("\"pos\"", "\"size\":8,\"pos\"");
        assert_eq!(sides(&resized), BoardSize::Side(8));
    }

    #[test]
    fn invalid_puzzles_are_refused() {
        let good = json_example::text(include_str!("puzzle.rs"));
        for (old, new, why) in [
            ("{", "", "this is no puzzle"),
            ("\"kind\"", "\"more\"", "unknown field"),
            ("renju", "go", "go"),
            ("15", "99", "99x99"),
            ("j8", "i9", "occupied"),
            ("h8 i9 j8", "a1 a2 b1 b2 c1 c2 d1 d2 e1", "the game is over"),
            ("\"win\"", "\"open\"", "open for a defence"),
            ("\"fours\"", "\"defence\"", "open for a defence"),
            ("9,\"tier", "null,\"tier", "plies"),
        ] {
            assert!(good.contains(old), "{old}");
            let text = error(&good.replacen(old, new, 1));
            assert!(text.contains(why), "{new}: {text}");
        }
        let connect6 = good.replace("renju", "connect6").replace("15", "19");
        assert!(error(&connect6.replace("h8 i9 j8", "h8 i9")).contains("ends within a turn"));
    }

    #[test]
    fn a_position_of_an_opening_is_reached_without_it() {
        let gomoku = Contest::new(Variant::from_name("gomoku").unwrap());
        let mut game = GameState::new(gomoku.opened(OpeningId::Swap2).unwrap());
        let cells = [(7, 7), (8, 6), (9, 7)].map(|(x, y)| Cell::new(x, y));
        game.apply(&Action::stones(&cells)).unwrap();
        game.apply(&Action::Swap).unwrap();
        let plain = without_opening(&game).unwrap();
        assert_eq!(plain.stones(), game.stones());
        assert_eq!(plain.contest().opening, OpeningId::Free);
    }
}
