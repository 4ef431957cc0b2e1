//! Games in SGF (Smart Game Format), FF[4] with GM[4]: gomoku and renju.
//! See <https://www.red-bean.com/sgf/>.
//!
//! A point is two letters from `a`, column and row from the upper left. `RU`
//! holds the name of the rule, `TE` (as c-gomoku-cli has it) the reason of the
//! end. The comment of a move tells its time and what the mover thought:
//! `C[120ms; depth 12; nodes 5000; eval +M13]`; that of a stone set before the
//! game is `C[opening move]`. The time and the opening move stand as
//! c-gomoku-cli writes them.

mod set_up;
mod tree;

use std::fmt::Write;

use super::{GameRecord, PlayedMove, excerpt, one_line};
use crate::rules::{BadSize, Outcome, RuleId, Setup};
use crate::types::{Cell, Color};
use tree::{Value, main_lines};

pub use set_up::boards;

/// Why a text is no game. Bytes count from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SgfError {
    /// Something else should stand here.
    #[error("byte {byte}: {expected} expected")]
    Syntax {
        /// Where.
        byte: usize,
        /// What should stand there.
        expected: &'static str,
    },
    /// A property with a value that it cannot have.
    #[error("byte {byte}: {name}[{value}] is not understood")]
    Value {
        /// Where the value begins.
        byte: usize,
        /// The property.
        name: String,
        /// Its value.
        value: String,
    },
    /// A board of a size that is not played.
    #[error("byte {byte}: {size}")]
    Size {
        /// Where the value begins.
        byte: usize,
        /// The size.
        size: BadSize,
    },
    /// Two stones of one colour in a row, or White first.
    #[error("byte {byte}: a stone of the other colour is due")]
    Turn {
        /// Where the value begins.
        byte: usize,
    },
    /// More stones than there is room for.
    #[error("byte {byte}: more than {cells} stones, and the board has no more cells")]
    TooMany {
        /// Where the value of the first that is too many begins.
        byte: usize,
        /// Cells of the board.
        cells: usize,
    },
    /// Stones that were set up and not played.
    #[error("byte {byte}: stones that were set up are no game")]
    SetUp {
        /// Where the value begins.
        byte: usize,
    },
}

/// The comment of a stone of the opening.
const OPENING: &str = "opening move";

/// Side of the board where a file does not say it.
const DEFAULT_SIDE: usize = 15;

/// The game as one line of text with its end. Line breaks in names and
/// evaluations become blanks.
pub fn write(game: &GameRecord) -> String {
    let Setup { rule, width, height } = game.setup;
    let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let result = match game.result {
        Some(Outcome::Win(Color::Black)) => "B+",
        Some(Outcome::Win(Color::White)) => "W+",
        Some(Outcome::Draw) => "0",
        None => "?",
    };
    let [black, white] = &game.players;
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[Goren:{}]RU[{rule}]SZ[{size}]PB[{}]PW[{}]RE[{result}]TE[{}]",
        env!("CARGO_PKG_VERSION"),
        escaped(black),
        escaped(white),
        escaped(&game.reason),
    );
    let opening = game.opening.iter().map(|&cell| (cell, None));
    let moves = game.moves.iter().map(|m| (m.cell, Some(m)));
    for (i, (cell, played)) in opening.chain(moves).enumerate() {
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        let letter = |n: usize| (b'a' + n as u8) as char;
        // Writing to a String cannot fail.
        let _ = write!(text, ";{color}[{}{}]", letter(cell.x()), letter(cell.y()));
        let comment = played.map_or_else(|| OPENING.to_string(), comment);
        let _ = write!(text, "C[{}]", escaped(&comment));
    }
    text.push_str(")\n");
    text
}

/// What is known of a move; [`read_comment`] reads it.
fn comment(played: &PlayedMove) -> String {
    let mut text = format!("{}ms", played.ms);
    if played.depth > 0 {
        let _ = write!(text, "; depth {}", played.depth);
    }
    if played.nodes > 0 {
        let _ = write!(text, "; nodes {}", played.nodes);
    }
    if !played.eval.is_empty() {
        // Last, as it may be any text.
        let _ = write!(text, "; eval {}", played.eval);
    }
    text
}

/// What a comment says of its move; nothing if it is written otherwise.
fn read_comment(text: &str, played: &mut PlayedMove) {
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(eval) = rest.strip_prefix("eval ") {
            played.eval = eval.to_string();
            return;
        }
        let (part, tail) = rest.split_once("; ").unwrap_or((rest, ""));
        if let Some(ms) = part.strip_suffix("ms").and_then(|ms| ms.parse().ok()) {
            played.ms = ms;
        } else if let Some(depth) = part.strip_prefix("depth ").and_then(|d| d.parse().ok()) {
            played.depth = depth;
        } else if let Some(nodes) = part.strip_prefix("nodes ").and_then(|n| n.parse().ok()) {
            played.nodes = nodes;
        }
        rest = tail;
    }
}

/// A text as it may stand in a property.
fn escaped(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace(']', "\\]")
}

/// The games of a text, of each its main line. Rules by our names and by
/// Gomocup's numbers are known; where no such stands, `default` holds.
/// Properties that are not needed are skipped. Whether the moves are legal is
/// not judged, but they lie on the board.
///
/// # Errors
/// The text is no SGF or holds no game, one of another kind than GM[4], one
/// that was set up, or moves that are off the board, passes, out of turn, or
/// more than the board has cells; names the byte.
pub fn read(text: &str, default: RuleId) -> Result<Vec<GameRecord>, SgfError> {
    let mut games = Vec::new();
    let count = main_lines(text, &mut |number, node, root| {
        games.resize_with(number + 1, || nothing(default));
        take_in(&mut games[number], node, root)
    })?;
    games.resize_with(count, || nothing(default));
    Ok(games)
}

/// A game of which nothing is said.
fn nothing(default: RuleId) -> GameRecord {
    GameRecord {
        // MIN_SIDE <= DEFAULT_SIDE <= MAX_SIDE.
        setup: Setup { rule: default, width: DEFAULT_SIDE, height: DEFAULT_SIDE },
        players: Default::default(),
        opening: Vec::new(),
        moves: Vec::new(),
        result: None,
        reason: String::new(),
    }
}

/// Takes in a node of the main line.
fn take_in(game: &mut GameRecord, node: &[Value], root: bool) -> Result<(), SgfError> {
    if root {
        heads(game, node)?;
    }
    let first = game.moves.len();
    for value in node {
        stone(game, value)?;
    }
    for comment in node.iter().filter(|value| value.name == "C") {
        // The opening ends with the first stone that was played.
        if comment.text == OPENING && first == 0 && game.moves.len() == 1 {
            game.opening.extend(game.moves.pop().map(|played| played.cell));
        } else if let [.., played] = &mut game.moves[first..] {
            read_comment(&comment.text, played);
        }
    }
    Ok(())
}

/// Takes in the root, but for stones and comments.
fn heads(game: &mut GameRecord, node: &[Value]) -> Result<(), SgfError> {
    // The first value holds of what a property has but once.
    node.iter().filter(|value| value.first).try_for_each(|value| head(game, value))
}

/// Takes in a value of the root.
fn head(game: &mut GameRecord, value: &Value) -> Result<(), SgfError> {
    let (byte, text) = (value.byte, value.text.as_ref());
    match value.name {
        "GM" if text != "4" => return Err(not_understood(value)),
        "SZ" => {
            let (width, height) = text.split_once(':').unwrap_or((text, text));
            let side = |text: &str| text.trim().parse().ok();
            let (Some(width), Some(height)) = (side(width), side(height)) else {
                return Err(not_understood(value));
            };
            let setup = Setup::new(game.setup.rule, width, height);
            game.setup = setup.map_err(|size| SgfError::Size { byte, size })?;
        }
        "RU" => {
            let number = || text.parse().ok().and_then(RuleId::from_gomocup);
            let known = RuleId::from_name(text).or_else(number);
            game.setup.rule = known.unwrap_or(game.setup.rule);
        }
        "PB" => game.players[0] = text.to_string(),
        "PW" => game.players[1] = text.to_string(),
        "TE" => game.reason = text.to_string(),
        "RE" => {
            game.result = match text {
                "0" | "Draw" => Some(Outcome::Draw),
                win if win.starts_with("B+") => Some(Outcome::Win(Color::Black)),
                win if win.starts_with("W+") => Some(Outcome::Win(Color::White)),
                // Broken off, void or unknown.
                _ => None,
            };
        }
        _ => {}
    }
    Ok(())
}

fn not_understood(value: &Value) -> SgfError {
    let Value { name, byte, ref text, .. } = *value;
    SgfError::Value { byte, name: name.to_string(), value: excerpt(text) }
}

/// Takes in a value of any node if it has to do with stones.
fn stone(game: &mut GameRecord, value: &Value) -> Result<(), SgfError> {
    let byte = value.byte;
    let color = match value.name {
        "B" => Color::Black,
        "W" => Color::White,
        "AB" | "AW" | "AE" => return Err(SgfError::SetUp { byte }),
        _ => return Ok(()),
    };
    let cells = game.setup.area();
    let stones = game.opening.len() + game.moves.len();
    if color.index() != stones % 2 {
        return Err(SgfError::Turn { byte });
    }
    if stones == cells {
        return Err(SgfError::TooMany { byte, cells });
    }
    let cell = point(&value.text, game.setup).ok_or_else(|| not_understood(value))?;
    game.moves.push(PlayedMove { cell, ms: 0, eval: String::new(), depth: 0, nodes: 0 });
    Ok(())
}

/// The cell of a text like `hp`, if it lies on the board.
fn point(text: &str, setup: Setup) -> Option<Cell> {
    let place = |letter: u8| usize::from(letter.wrapping_sub(b'a'));
    match *text.as_bytes() {
        [x, y] if place(x) < setup.width && place(y) < setup.height => {
            Some(Cell::new(place(x), place(y)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::games;
    use proptest::prelude::*;

    fn one(text: &str) -> GameRecord {
        let games = read(text, RuleId::Freestyle).unwrap();
        assert_eq!(games.len(), 1);
        games.into_iter().next().unwrap()
    }

    #[test]
    fn files_of_others_are_read() {
        let game = one(
            "some mail\n(;FF[4]GM[4]RU[4]SZ[20:15]\r\nPB[A \\] B]PW[C\\\r\nD]RE[W+1]TE[foul]\n\
                        ;B[jh]C[good\nmove];W [kg] ( ;B[ta] (;W[aa])(;W[bb])) (;B[cc]))",
        );
        assert_eq!(game.setup, Setup::new(RuleId::Renju, 20, 15).unwrap());
        assert_eq!(game.players, ["A ] B", "CD"]);
        let cells: Vec<Cell> = game.stones().collect();
        let expected = [(9, 7), (10, 6), (19, 0), (0, 0)].map(|(x, y)| Cell::new(x, y));
        assert_eq!(cells, expected);
        assert_eq!(game.result, Some(Outcome::Win(Color::White)));
        assert_eq!(game.reason, "foul");
        // Nearly nothing is needed.
        let least = one("(;)");
        assert_eq!((least.setup.width, least.setup.rule), (15, RuleId::Freestyle));
        assert_eq!(one("(;GaMe[4]RE[Void])").result, None);
    }

    #[test]
    fn several_games_follow_each_other() {
        let text = "(;SZ[15];B[aa](;W[bb])(;W[cc]))\n(;SZ[19]RE[0])\n";
        let games = read(text, RuleId::Standard).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].moves.len(), 2);
        assert_eq!((games[1].setup.height, games[1].result), (19, Some(Outcome::Draw)));
    }

    #[test]
    fn comments_hold_what_is_known_of_a_move() {
        let mut played = one("(;;B[hh]C[120ms; depth 12; nodes 5000; eval +M13; so far])").moves;
        let played = played.remove(0);
        assert_eq!((played.ms, played.depth, played.nodes), (120, 12, 5000));
        assert_eq!(played.eval, "+M13; so far");
        assert_eq!(comment(&played), "120ms; depth 12; nodes 5000; eval +M13; so far");
    }

    #[test]
    fn openings_and_times_are_those_of_c_gomoku_cli() {
        let game = one("(;RU[0]SZ[15];B[cd]C[opening move];W[bf]C[opening move]\n\
                        ;B[ee]C[84ms];W[fd]C[opening move])");
        assert_eq!(game.opening, [Cell::new(2, 3), Cell::new(1, 5)]);
        assert_eq!((game.moves.len(), game.moves[0].ms), (2, 84));
        let text = write(&game);
        assert!(text.contains(";W[bf]C[opening move];B[ee]C[84ms];"), "{text}");
    }

    #[test]
    fn malformed_games_are_refused_by_byte() {
        let error = |text: &str| read(text, RuleId::Freestyle).unwrap_err().to_string();
        assert_eq!(error(""), "byte 0: a game, beginning with \"(\", expected");
        assert_eq!(error("(;GM[1])"), "byte 5: GM[1] is not understood");
        assert_eq!(error("(;SZ[15:x])"), "byte 5: SZ[15:x] is not understood");
        assert!(error("(;SZ[99])").starts_with("byte 5: board size 99x99"));
        assert_eq!(error("(;SZ[15];B[hp])"), "byte 11: B[hp] is not understood");
        assert_eq!(error("(;B[])"), "byte 4: B[] is not understood");
        assert_eq!(error("(;B[hh];B[hi])"), "byte 10: a stone of the other colour is due");
        assert_eq!(error("(;W[hh])"), "byte 4: a stone of the other colour is due");
        assert!(error("(;AB[hh])").starts_with("byte 5: stones that were set up"));
        assert_eq!(error("(;B[hh"), "byte 6: \"]\" expected");
        assert_eq!(error("(;B[hh]"), "byte 7: \"(\", \")\" or \";\" expected");
        assert_eq!(error("(;B)"), "byte 3: a value, beginning with \"[\", expected");
        assert_eq!(error("(;)x"), "byte 3: a game, beginning with \"(\", expected");
        let long = error(&format!("(;B[{}])", "x".repeat(1000)));
        assert_eq!(long, format!("byte 4: B[{}...] is not understood", "x".repeat(40)));
        let full = format!("(;SZ[5]{}", ";B[aa];W[bb]".repeat(12));
        assert!(read(&format!("{full};B[cc])"), RuleId::Freestyle).is_ok());
        assert_eq!(
            error(&format!("{full};B[cc];W[dd])")),
            "byte 160: more than 25 stones, and the board has no more cells"
        );
    }

    #[test]
    fn deep_nesting_is_no_harm() {
        let text = format!("(;{}{}", "(".repeat(100_000), ")".repeat(100_001));
        assert!(read(&text, RuleId::Freestyle).is_ok());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(game in games()) {
            prop_assert_eq!(one(&write(&game)), game);
        }

        #[test]
        fn no_text_is_a_disaster(text in "(\\(;)?[ -~\n\u{e9}]{0,60}", tail in "[()\\[\\];BWZS\\\\a]{0,60}") {
            let _ = read(&text, RuleId::Freestyle);
            let _ = read(&format!("(;{tail}"), RuleId::Freestyle);
        }
    }
}
