//! Games in Piskvork's form (`.psq`), as Piskvork, its tournaments and
//! Gomocup write them.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0    size, levels of the players, who begins
//! 8,8,120                      column, row (both from 1, from the upper left), ms
//! 9,7,350
//! engine-a                     the players
//! engine-b
//! -1                           Piskvork's code of the end
//! 1,Freestyle                  who won (0 nobody) and the rule, as in Gomocup's files
//! ```
//!
//! All stones are moves here, those of the opening too. Evaluations, depths,
//! nodes and the reason of the end have no place in it.

use std::fmt::Write;

use super::{GameRecord, PlayedMove, excerpt, one_line};
use crate::rules::{BadSize, Outcome, RuleId, Setup};
use crate::types::{Cell, Color};

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PsqError {
    /// The first line begins like a head but is none.
    #[error("line 1: the head is {0:?}, not like \"Piskvorky 15x15, 11:11, 0\"")]
    Head(String),
    /// A board of a size that is not played.
    #[error("line 1: {0}")]
    Size(#[from] BadSize),
    /// A move off the board.
    #[error("line {line}: move {text:?} is off the board of {width}x{height}")]
    OffBoard {
        /// The line, from 1.
        line: usize,
        /// The move as it stands there.
        text: String,
        /// Columns of the board.
        width: usize,
        /// Rows of the board.
        height: usize,
    },
    /// What stands where the moves end begins like one.
    #[error("line {line}: {text:?} is no move, nor the name of a player")]
    NoMove {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// A move after a line that is none.
    #[error("line {line}: {text:?} is a move, but the moves ended before")]
    Late {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// More moves than there is room for.
    #[error("line {line}: more than {cells} moves, and the board has no more cells")]
    TooMany {
        /// The line of the first that is too many, from 1.
        line: usize,
        /// Cells of the board.
        cells: usize,
    },
    /// There is neither a head nor a move.
    #[error("line {line}: {text:?} is neither a head nor a move")]
    NoGame {
        /// The line, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
}

/// The game as a text. Line breaks in names become blanks, and a name that
/// would read as a number or like a move gets a `_` before it.
pub fn write(game: &GameRecord) -> String {
    let Setup { rule, width, height } = game.setup;
    let mut text = format!("Piskvorky {width}x{height}, 11:11, 0\n");
    let opening = game.opening.iter().map(|&cell| (cell, 0));
    for (cell, ms) in opening.chain(game.moves.iter().map(|m| (m.cell, m.ms))) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{},{},{ms}", cell.x() + 1, cell.y() + 1);
    }
    for name in &game.players {
        let name = one_line(name);
        let mark = if is_number(&name) || begins_as_move(&name) { "_" } else { "" };
        let _ = writeln!(text, "{mark}{name}");
    }
    text.push_str("-1\n");
    if let Some(result) = game.result {
        let winner = match result {
            Outcome::Draw => 0,
            Outcome::Win(Color::Black) => 1,
            Outcome::Win(Color::White) => 2,
        };
        let _ = writeln!(text, "{winner},{}", rule_name(rule));
    }
    text
}

/// The game of a text.
///
/// What the text leaves out is taken from `default`: the rule where it names
/// none that is known, the size where it has no head (the files of Gomocup's
/// judge are bare moves). Names and result may be missing too. Whether the
/// moves are legal is not judged, but they lie on the board.
///
/// # Errors
/// No game, a size that is not played, a move off the board, more of them than
/// it has cells, or something else among them; names the line.
pub fn read(text: &str, default: Setup) -> Result<GameRecord, PsqError> {
    let mut lines = (1..).zip(text.lines()).peekable();
    let mut setup = default;
    let mut second_begins = false;
    match lines.peek() {
        Some((_, head)) if head.starts_with("Piskvorky") => {
            let (width, height, first) =
                read_head(head).ok_or_else(|| PsqError::Head(excerpt(head)))?;
            setup = Setup::new(default.rule, width, height)?;
            second_begins = first == 1;
            lines.next();
        }
        Some((_, text)) if read_move(text).is_some() => {}
        other => {
            let (line, text) = other.copied().unwrap_or((1, ""));
            return Err(PsqError::NoGame { line, text: excerpt(text) });
        }
    }
    let mut moves = Vec::new();
    while let Some(((x, y, ms), line, text)) =
        lines.peek().and_then(|&(line, text)| Some((read_move(text)?, line, text)))
    {
        let on_board = (1..=setup.width).contains(&x) && (1..=setup.height).contains(&y);
        if !on_board {
            let Setup { width, height, .. } = setup;
            return Err(PsqError::OffBoard { line, text: excerpt(text), width, height });
        }
        if moves.len() == setup.width * setup.height {
            return Err(PsqError::TooMany { line, cells: moves.len() });
        }
        let cell = Cell::new(x - 1, y - 1);
        moves.push(PlayedMove { cell, ms, eval: String::new(), depth: 0, nodes: 0 });
        lines.next();
    }
    if let Some(&(line, text)) = lines.peek().filter(|(_, text)| begins_as_move(text)) {
        return Err(PsqError::NoMove { line, text: excerpt(text) });
    }
    // Without its time a move could be the result.
    let timed = |text: &str| read_move(text).is_some() && text.matches(',').count() == 2;
    if let Some((line, text)) = lines.clone().find(|(_, text)| timed(text)) {
        return Err(PsqError::Late { line, text: excerpt(text) });
    }
    let mut rest = lines.map(|(_, text)| text.trim()).peekable();
    let mut players = [String::new(), String::new()];
    if rest.peek().is_some_and(|line| !is_number(line)) {
        players = [(); 2].map(|()| rest.next().unwrap_or_default().to_string());
    }
    // The code of the end says less than the line after it.
    rest.next();
    let mut result = None;
    if let Some((winner, rule)) = rest.next().and_then(|line| line.split_once(',')) {
        result = match winner.trim() {
            "0" => Some(Outcome::Draw),
            "1" => Some(Outcome::Win(Color::Black)),
            "2" => Some(Outcome::Win(Color::White)),
            _ => None,
        };
        let known = RuleId::ALL.into_iter().find(|&id| rule_name(id) == rule.trim());
        setup.rule = known.unwrap_or(setup.rule);
    }
    if second_begins {
        players.swap(0, 1);
        result = result.map(|result| match result {
            Outcome::Win(color) => Outcome::Win(!color),
            Outcome::Draw => Outcome::Draw,
        });
    }
    Ok(GameRecord { setup, players, opening: Vec::new(), moves, result, reason: String::new() })
}

/// The rule as Gomocup's files name it, such as CaroExact.
fn rule_name(rule: RuleId) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    rule.name().split('-').map(capital).collect()
}

/// Columns, rows, and which player begins.
fn read_head(line: &str) -> Option<(usize, usize, u8)> {
    let mut parts = line.strip_prefix("Piskvorky")?.split(',');
    let (width, height) = parts.next()?.trim().split_once('x')?;
    let levels = parts.next()?;
    levels.split_once(':')?;
    let first = parts.next()?.trim().parse().ok().filter(|&first| first <= 1)?;
    Some((width.parse().ok()?, height.parse().ok()?, first))
}

/// Whether a text is a number, however long.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line begins with a number and a comma.
fn begins_as_move(line: &str) -> bool {
    line.split_once(',').is_some_and(|(x, _)| is_number(x.trim()))
}

/// Column, row and milliseconds of a line like `8,8,120`; the time may be
/// missing.
fn read_move(line: &str) -> Option<(usize, usize, u64)> {
    let mut numbers = line.split(',').map(str::trim);
    let x = numbers.next()?.parse().ok()?;
    let y = numbers.next()?.parse().ok()?;
    let ms = match numbers.next() {
        // Piskvork's clock has been seen to run backwards.
        Some(ms) => u64::try_from(ms.parse::<i128>().ok()?.max(0)).ok()?,
        None => 0,
    };
    numbers.next().is_none().then_some((x, y, ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::{games, setup15};
    use proptest::prelude::*;

    const FILE: &str = "Piskvorky 20x15, 11:11, 0\r\n11,8,0\r\n12,7,350\r\n20,15,12\r\n\
                        pbrain-a.zip\r\npbrain-b.zip\r\n-1\r\n2,Standard\r\n";

    #[test]
    fn files_of_tournaments_are_read() {
        let game = read(FILE, setup15()).unwrap();
        assert_eq!(game.setup, Setup::new(RuleId::Standard, 20, 15).unwrap());
        assert_eq!(game.players, ["pbrain-a.zip", "pbrain-b.zip"]);
        let cells: Vec<Cell> = game.moves.iter().map(|m| m.cell).collect();
        assert_eq!(cells, [Cell::new(10, 7), Cell::new(11, 6), Cell::new(19, 14)]);
        assert_eq!(game.moves[1].ms, 350);
        assert_eq!(game.result, Some(Outcome::Win(Color::White)));
        // The second player began.
        let swapped = read(&FILE.replace("11:11, 0", "11:11, 1"), setup15()).unwrap();
        assert_eq!(swapped.players, ["pbrain-b.zip", "pbrain-a.zip"]);
        assert_eq!(swapped.result, Some(Outcome::Win(Color::Black)));
    }

    #[test]
    fn what_is_missing_is_taken_from_the_default() {
        let bare = read("8,8,10\n9,9,-3\n", setup15()).unwrap();
        assert_eq!((bare.setup, bare.moves.len(), bare.moves[1].ms), (setup15(), 2, 0));
        assert_eq!((bare.players, bare.result), ([String::new(), String::new()], None));
        let unnamed = read("Piskvorky 16x16, 0:3, 0\n8,8\n-1\n", setup15()).unwrap();
        assert_eq!((unnamed.setup.width, unnamed.players[0].as_str()), (16, ""));
        let odd = read(&FILE.replace("2,Standard", "0,Fastgame"), setup15()).unwrap();
        assert_eq!((odd.setup.rule, odd.result), (RuleId::Renju, Some(Outcome::Draw)));
    }

    #[test]
    fn a_game_is_written_as_piskvork_does() {
        let game = read(FILE, setup15()).unwrap();
        assert_eq!(write(&game), FILE.replace('\r', ""));
        let mut named = game;
        named.players = ["7,7,1".into(), "two\nlines".into()];
        let back = read(&write(&named), setup15()).unwrap();
        assert_eq!((back.players, back.moves.len()), (["_7,7,1".into(), "two lines".into()], 3));
        // Too large for a clock, but it reads like a move.
        named.players = ["10000000000000000000,2,0".into(), "10000000000000000000".into()];
        let back = read(&write(&named), setup15()).unwrap();
        assert_eq!(back.players, ["_10000000000000000000,2,0", "_10000000000000000000"]);
    }

    #[test]
    fn malformed_files_are_refused_by_line() {
        let error = |text: &str| read(text, setup15()).unwrap_err().to_string();
        assert!(error("Piskvorky 20, 11:11, 0\n").starts_with("line 1: the head is"));
        assert!(error("Piskvorky 40x40, 11:11, 0\n").starts_with("line 1: board size 40x40"));
        assert_eq!(
            error("Piskvorky 15x15, 11:11, 0\n8,8,1\n16,1,1\n"),
            "line 3: move \"16,1,1\" is off the board of 15x15"
        );
        assert!(error("Piskvorky 15x15, 11:11, 0\n0,8,1\n").starts_with("line 2: move"));
        assert!(error("").contains("neither") && error("PNG").contains("neither"));
        let binary = error(&"\0".repeat(1000));
        assert!(binary.len() < 250 && binary.contains("..."), "{binary}");
        // Moves are not lost in silence.
        assert_eq!(
            error("8,8,1\n9,x,1\n9,9,1\n"),
            "line 2: \"9,x,1\" is no move, nor the name of a player"
        );
        assert!(error("8,8,99999999999999999999\n").starts_with("line 1"));
        assert_eq!(
            error("8,8,1\n\n9,9,1\n"),
            "line 3: \"9,9,1\" is a move, but the moves ended before"
        );
        let full = "1,1,0\n".repeat(225);
        assert!(read(&full, setup15()).is_ok());
        assert_eq!(
            error(&format!("{full}1,1,0\n")),
            "line 226: more than 225 moves, and the board has no more cells"
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(game in games()) {
            let back = read(&write(&game), setup15()).unwrap();
            let setup = match game.result {
                Some(_) => game.setup,
                // The rule stands with the result.
                None => Setup { rule: setup15().rule, ..game.setup },
            };
            prop_assert_eq!(back.setup, setup);
            prop_assert_eq!(&back.players, &game.players);
            prop_assert_eq!(back.result, game.result);
            prop_assert!(back.stones().eq(game.stones()));
            let times = |record: &GameRecord| -> Vec<u64> { record.moves.iter().map(|m| m.ms).collect() };
            prop_assert_eq!(&times(&back)[game.opening.len()..], &times(&game)[..]);
        }

        #[test]
        fn no_text_is_a_disaster(
            text in "(Piskvorky )?[0-9,:x \n-]{0,60}[ -~\n\u{e9}]{0,40}",
        ) {
            let _ = read(&text, setup15());
        }
    }
}
