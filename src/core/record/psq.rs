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

use super::import::notes::Notes;
use super::import::{
    Hints, ImportedEvent, ImportedGame, MoveStats, Note, Place, Question, UnreadableGame,
    usual_size,
};
use super::quote::{excerpt, one_line};
use crate::rules::{Outcome, RuleId, Setup, Variant, named};
use crate::types::{Cell, Color};

/// Why a game has no place in such a file.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum NoPsq {
    /// It is not five in a row without captures, one stone a turn.
    #[error("psq files hold only five in a row")]
    Game,
    /// Somebody passed.
    #[error("psq files hold no passes")]
    Pass,
}

/// The game as a text. Line breaks in names become blanks, and a name that
/// would read as a number or like a move gets a `_` before it. Of swaps only
/// the names tell, which are those of the colours at the end.
///
/// # Errors
/// The form cannot hold it.
pub fn write(game: &ImportedGame) -> Result<String, NoPsq> {
    let Some(Variant::Five(rule)) = game.variant else { return Err(NoPsq::Game) };
    let (width, height) = game.size.unwrap_or_else(|| usual_size(game.variant));
    let mut text = format!("Piskvorky {width}x{height}, 11:11, 0\n");
    for (i, event) in game.events.iter().enumerate() {
        let cell = match *event {
            ImportedEvent::Stone(cell, _) => cell,
            ImportedEvent::Swap => continue,
            ImportedEvent::Pass(_) => return Err(NoPsq::Pass),
            ImportedEvent::Drop(_) => return Err(NoPsq::Game),
        };
        let ms = game.move_stats.get(i).map_or(0, |stats| stats.ms);
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
    Ok(text)
}

/// Whether a text looks like such a file: its head, or moves with their times.
pub fn looks(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with("Piskvorky") || is_timed(first)
}

/// The game of a text. The files of Gomocup's judge are bare moves without a
/// head; names and result may be missing too. Whether the moves are legal is
/// not judged, but they lie on the board.
///
/// # Errors
/// No game, a size that is not played, a move off the board, more of them than
/// it has cells, or something else among them; names the line.
pub fn read(text: &str, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let mut game = ImportedGame::default();
    let mut notes = Notes::default();
    let lines = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim().is_empty());
    let mut lines = lines.peekable();
    let mut second_begins = false;
    match lines.peek() {
        Some(&(line, head)) if head.starts_with("Piskvorky") => {
            let size = read_head(head).ok_or_else(|| {
                let head = excerpt(head);
                at(line, format!("the head is {head:?}, not like \"Piskvorky 15x15, 11:11, 0\""))
            });
            let (width, height, first) = size?;
            let setup = Setup::new(RuleId::Freestyle, width, height);
            setup.map_err(|size| at(line, size.to_string()))?;
            game.size = Some((width, height));
            second_begins = first == 1;
            lines.next();
        }
        Some((_, text)) if read_move(text).is_some() => {}
        other => {
            let (line, text) = other.copied().unwrap_or((1, ""));
            return Err(at(line, format!("{:?} is neither a head nor a move", excerpt(text))));
        }
    }
    let mut moves = Vec::new();
    while let Some((line, text, played)) =
        lines.peek().and_then(|&(line, text)| Some((line, text, read_move(text)?)))
    {
        moves.push((line, text, played));
        lines.next();
    }
    place(&mut game, &mut notes, &moves, hints)?;
    if let Some(&(line, text)) = lines.peek().filter(|(_, text)| begins_as_move(text)) {
        let what = format!("{:?} is no move, nor the name of a player", excerpt(text));
        return Err(at(line, what));
    }
    // Only a move with its time: two numbers alone could be the result.
    if let Some((line, text)) = lines.clone().find(|(_, text)| is_timed(text)) {
        let what = format!("{:?} is a move, but the moves ended before", excerpt(text));
        return Err(at(line, what));
    }
    let mut rest = lines.map(|(line, text)| (line, text.trim())).peekable();
    if rest.peek().is_some_and(|(_, line)| !is_number(line)) {
        let mut name = || rest.next().map_or(String::new(), |(_, name)| name.to_string());
        game.players = [name(), name()];
    }
    // The code of the end says less than the line after it.
    rest.next();
    ending(&mut game, &mut notes, rest, hints);
    if second_begins {
        game.players.swap(0, 1);
        game.result = game.result.map(|result| match result {
            Outcome::Win(color) => Outcome::Win(!color),
            Outcome::Draw => Outcome::Draw,
        });
    }
    game.notes = notes.finish();
    Ok(game)
}

/// A move: its line, and column, row and milliseconds.
type Move<'a> = (usize, &'a str, (usize, usize, u64));

/// Puts the moves on the board, whose size is that of the head, the one that
/// the user knows, the usual one, or one that is large enough.
fn place(
    game: &mut ImportedGame,
    notes: &mut Notes,
    moves: &[Move<'_>],
    hints: &Hints,
) -> Result<(), UnreadableGame> {
    let fits = |(width, height): (usize, usize)| {
        let on =
            |&(_, _, (x, y, _)): &Move<'_>| (1..=width).contains(&x) && (1..=height).contains(&y);
        moves.iter().all(on)
    };
    let known = game.size.or(hints.size);
    let usual = usual_size(hints.variant);
    let size = known.unwrap_or_else(|| {
        let larger = [usual, (19, 19), (20, 20)].into_iter().find(|&size| fits(size));
        larger.unwrap_or(usual)
    });
    let (width, height) = size;
    if known.is_none() {
        game.size = Some(size);
        let what = format!("there is no head: a board of {width}x{height} is taken");
        let note = if size == usual { Note::remark } else { Note::doubt }(Place::File, what);
        notes.push(note.asking(Question::Size));
    }
    for &(line, text, (x, y, ms)) in moves {
        let text = || excerpt(text);
        if !((1..=width).contains(&x) && (1..=height).contains(&y)) {
            let what = format!("move {:?} is off the board of {width}x{height}", text());
            return Err(at(line, what));
        }
        if game.events.len() == width * height {
            let cells = width * height;
            let what = format!("more than {cells} moves, and the board has no more cells");
            return Err(at(line, what));
        }
        game.events.push(ImportedEvent::Stone(Cell::new(x - 1, y - 1), None));
        game.places.push(Place::Line(line));
        game.move_stats.push(MoveStats { ms, ..MoveStats::default() });
    }
    while game.move_stats.last().is_some_and(|stats| stats.ms == 0) {
        game.move_stats.pop();
    }
    Ok(())
}

/// What stands behind the code of the end: who won, and the rule.
fn ending<'a>(
    game: &mut ImportedGame,
    notes: &mut Notes,
    mut rest: impl Iterator<Item = (usize, &'a str)>,
    hints: &Hints,
) {
    if let Some((line, text)) = rest.next() {
        let place = Place::Line(line);
        let (winner, rule) = text.split_once(',').unwrap_or((text, ""));
        game.result = match winner.trim() {
            "0" => Some(Outcome::Draw),
            "1" => Some(Outcome::Win(Color::Black)),
            "2" => Some(Outcome::Win(Color::White)),
            _ => {
                notes.remark(place, format!("{:?} is no result that is known", excerpt(text)));
                None
            }
        };
        match named(rule) {
            Some(found) => {
                game.variant = Some(found.variant);
                if let Some(hint) = found.hint {
                    notes.push(Note::remark(place, hint).asking(Question::Game));
                }
            }
            None if rule.trim().is_empty() => {}
            None => {
                let what = format!("{:?} is no rule that is known", excerpt(rule.trim()));
                notes.push(Note::doubt(place, what).asking(Question::Game));
                return;
            }
        }
    }
    if game.variant.is_none() && hints.variant.is_none() {
        let what = "no rule is named, freestyle is assumed";
        notes.push(Note::remark(Place::File, what).asking(Question::Game));
    }
    let mut others = rest.filter(|(_, text)| !text.is_empty());
    if let Some((line, text)) = others.next() {
        let what = format!("not used: {:?} and {} lines more", excerpt(text), others.count());
        notes.remark(Place::Line(line), what);
    }
}

/// A fault of a line.
fn at(line: usize, reason: String) -> UnreadableGame {
    UnreadableGame { place: Place::Line(line), reason }
}

/// Whether a line is a move with its time.
fn is_timed(line: &str) -> bool {
    read_move(line).is_some() && line.matches(',').count() == 2
}

/// The rule as Gomocup's files name it, such as CaroExact.
fn rule_name(rule: RuleId) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let name = rule.name();
    let (game, options) = name.split_at(name.find('+').unwrap_or(name.len()));
    game.split('-').map(capital).collect::<String>() + options
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
    use crate::record::samples::games;
    use proptest::prelude::*;

    const FILE: &str = "Piskvorky 20x15, 11:11, 0\r\n11,8,0\r\n12,7,350\r\n20,15,12\r\n\
                        pbrain-a.zip\r\npbrain-b.zip\r\n-1\r\n2,Standard\r\n";

    fn plain(text: &str) -> Result<ImportedGame, UnreadableGame> {
        read(text, &Hints::default())
    }

    fn cells(game: &ImportedGame) -> Vec<Cell> {
        let cell = |event: &ImportedEvent| match *event {
            ImportedEvent::Stone(cell, _) => cell,
            _ => panic!("{event:?}"),
        };
        game.events.iter().map(cell).collect()
    }

    fn five(rule: RuleId) -> Option<Variant> {
        Some(Variant::Five(rule))
    }

    #[test]
    fn files_of_tournaments_are_read() {
        let game = plain(FILE).unwrap();
        assert_eq!((game.variant, game.size), (five(RuleId::Standard), Some((20, 15))));
        assert_eq!(game.players, ["pbrain-a.zip", "pbrain-b.zip"]);
        assert_eq!(cells(&game), [Cell::new(10, 7), Cell::new(11, 6), Cell::new(19, 14)]);
        assert_eq!((game.move_stats[1].ms, game.places[1]), (350, Place::Line(3)));
        assert_eq!(game.result, Some(Outcome::Win(Color::White)));
        assert_eq!(game.notes, []);
        // The second player began.
        let swapped = plain(&FILE.replace("11:11, 0", "11:11, 1")).unwrap();
        assert_eq!(swapped.players, ["pbrain-b.zip", "pbrain-a.zip"]);
        assert_eq!(swapped.result, Some(Outcome::Win(Color::Black)));
    }

    #[test]
    fn what_is_missing_is_told() {
        let notes = |text: &str| -> Vec<String> {
            plain(text)
                .unwrap()
                .notes
                .iter()
                .map(|note| format!("{:?} {note}", note.weight))
                .collect()
        };
        let bare = plain("8,8,10\n9,9,-3\n").unwrap();
        assert_eq!((bare.size, bare.events.len(), bare.move_stats.len()), (Some((15, 15)), 2, 1));
        assert_eq!((bare.variant, bare.players, bare.result), (None, Default::default(), None));
        let rule = "Remark file: no rule is named, freestyle is assumed";
        assert_eq!(
            notes("8,8,10\n"),
            ["Remark file: there is no head: a board of 15x15 is taken", rule]
        );
        assert_eq!(
            notes("20,8,10\n")[0],
            "Doubt file: there is no head: a board of 20x20 is taken"
        );
        let unnamed = "Piskvorky 16x16, 0:3, 0\n8,8\n-1\n";
        assert_eq!(
            (plain(unnamed).unwrap().size, notes(unnamed)),
            (Some((16, 16)), vec![rule.into()])
        );
        // A league of Gomocup.
        let fast = plain(&FILE.replace("2,Standard", "0,Fastgame")).unwrap();
        assert_eq!((fast.variant, fast.result), (five(RuleId::Freestyle), Some(Outcome::Draw)));
        assert_eq!(
            notes(&FILE.replace("Standard", "Othello")),
            ["Doubt line 8: \"Othello\" is no rule that is known"]
        );
        assert_eq!(
            notes(&format!("{FILE}more\nand\n")),
            ["Remark line 9: not used: \"more\" and 1 lines more"]
        );
        assert_eq!(
            notes(&FILE.replace("2,Standard", "7,Standard")),
            ["Remark line 8: \"7,Standard\" is no result that is known"]
        );
    }

    #[test]
    fn a_game_is_written_as_piskvork_does() {
        let game = plain(FILE).unwrap();
        assert_eq!(write(&game).unwrap(), FILE.replace('\r', ""));
        let mut named = game.clone();
        named.players = ["7,7,1".into(), "two\nlines".into()];
        let back = plain(&write(&named).unwrap()).unwrap();
        assert_eq!((back.players, back.events.len()), (["_7,7,1".into(), "two lines".into()], 3));
        // Too large for a clock, but it reads like a move.
        named.players = ["10000000000000000000,2,0".into(), "10000000000000000000".into()];
        let back = plain(&write(&named).unwrap()).unwrap();
        assert_eq!(back.players, ["_10000000000000000000,2,0", "_10000000000000000000"]);
        named.events.push(ImportedEvent::Pass(None));
        assert_eq!(write(&named), Err(NoPsq::Pass));
        named.variant = Some(Variant::Irensei(crate::rules::Irensei));
        assert_eq!(write(&named), Err(NoPsq::Game));
    }

    #[test]
    fn malformed_files_are_refused_by_line() {
        let error = |text: &str| plain(text).unwrap_err().to_string();
        assert!(error("Piskvorky 20, 11:11, 0\n").starts_with("line 1: the head is"));
        assert!(error("Piskvorky 40x40, 11:11, 0\n").starts_with("line 1: board size 40x40"));
        assert_eq!(
            error("Piskvorky 15x15, 11:11, 0\n8,8,1\n16,1,1\n"),
            "line 3: move \"16,1,1\" is off the board of 15x15"
        );
        assert!(error("Piskvorky 15x15, 11:11, 0\n0,8,1\n").starts_with("line 2: move"));
        assert!(error("8,8,1\n99,1,1").starts_with("line 2: move"));
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
        assert!(plain(&full).is_ok());
        assert_eq!(
            error(&format!("{full}1,1,0\n")),
            "line 226: more than 225 moves, and the board has no more cells"
        );
    }

    #[test]
    fn heads_and_moves_with_times_look_like_such_files() {
        for text in ["Piskvorky 15x15", "\n8,8,120\n9,9,3\n", "8, 8, -120"] {
            assert!(looks(text), "{text}");
        }
        for text in ["8,8\n9,9\n", "h8", "", "8,8,1,2"] {
            assert!(!looks(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(record in games()) {
            let game = record.imported();
            let back = plain(&write(&game).unwrap()).unwrap();
            // The rule is written in the line of the result.
            prop_assert_eq!(back.variant, game.variant.filter(|_| game.result.is_some()));
            prop_assert_eq!((back.size, &back.players), (game.size, &game.players));
            prop_assert_eq!((back.result, cells(&back)), (game.result, cells(&game)));
            let times = |game: &ImportedGame| -> Vec<u64> {
                let ms = |i| game.move_stats.get(i).map_or(0, |stats: &MoveStats| stats.ms);
                (0..game.events.len()).map(ms).collect()
            };
            prop_assert_eq!(times(&back), times(&game));
        }

        #[test]
        fn no_text_is_a_disaster(
            text in "(Piskvorky )?[0-9,:x \n-]{0,60}[ -~\n\u{e9}]{0,40}",
        ) {
            let _ = plain(&text);
        }
    }
}
