//! Games below tags, written by PlayOK (once Kurnik) and figrid, and the results written by
//! c-gomoku-cli:
//!
//! ```text
//! [Site "PlayOK"]
//! [Black "ann"]
//! [White "bob"]
//! [Result "0-1"]
//!
//! 1. h8 -- 2. h9 -- 3. h6 white 4. -- i8 5. j7 -- 6. i7 i7 7. -- j7 8. k6 j8 0-1
//! ```
//!
//! The first column is the player who begins; the tags call this player Black. In openings, `--`
//! means that the other player goes on, as in the two-stone answer of swap-2; `black` and `white`
//! are the colours that a player takes; and one of the offered fifth stones is named again.
//! Elsewhere `--` is a pass. Results give the points of the player who begins first;
//! c-gomoku-cli gives White's first. That program writes no moves. A word such as `resign` in
//! place of a move ends a game without a result for the player to move.

use super::notes::Notes;
use super::outcome::words;
use super::pente_org;
use super::points::{WrittenPoint, guess};
use super::size::board_size;
use super::tagged::{GameInfo, MoveWord, TaggedGame, TaggedGames, first_tags};
use super::{Columns, Hints, ImportedEvent, ImportedGame, Note, Place, Question, UnreadableGame};

use crate::record::quote::excerpt;
use crate::rules::{Outcome, Variant};
use crate::types::{Color, MAX_SIDE};
use which::{GAME, GameProperties, game_properties};

mod which;

/// Number of stones of a renju opening before the fifth.
const BEFORE_FIFTH: usize = 4;

/// Maximum number of stones before the last choice of colours.
const BEFORE_COLORS: usize = 5;

/// Maximum number of fifth stones on offer.
const MAX_FIFTHS: usize = 12;

/// Maximum number of rows from one `--` of an opening to the next.
const NEAR: usize = 2;

/// Maximum number of moves in a game: captured points can be played again.
const MAX_EVENTS: usize = 4 * MAX_SIDE * MAX_SIDE;

/// Usual board sides, for guessing the size.
const USUAL_SIDES: [usize; 4] = [15, 19, 20, MAX_SIDE];

/// Tags that give the size of the board.
const SIZE: [&str; 4] = ["Size", "BoardSize", "Board", "Boardsize"];

/// Other tags that are used.
const USED: [&str; 10] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "Section",
    "Black",
    "White",
    "Result",
    "Termination",
    "PlyCount",
];

/// Whether a text looks like games below tags, but not those of pente.org.
pub fn looks(text: &str) -> bool {
    !first_tags(text).is_empty() && !pente_org::looks(text)
}

/// Reads the games of a text.
pub fn read<'a>(
    text: &'a str,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    TaggedGames::of(text).map(|section| game(&section, hints))
}

/// A step of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Step {
    Stone(WrittenPoint),
    Pass,
    Swap,
}

/// The parsed moves of a game.
#[derive(Default)]
struct Moves {
    /// Steps with their lines.
    steps: Vec<(Step, usize)>,
    info: GameInfo,
    /// Whether a player placed two stones in a row, as in openings of renju.
    dictated: bool,
}

impl Moves {
    fn points(&self) -> Vec<WrittenPoint> {
        let point = |&(step, _): &(Step, usize)| match step {
            Step::Stone(point) => Some(point),
            Step::Pass | Step::Swap => None,
        };
        self.steps.iter().filter_map(point).collect()
    }

    /// Removes the passes in the opening, once a choice of colours shows that the opening goes on:
    /// nobody passes there, so they were skipped turns.
    fn drop_skipped_turns(&mut self) {
        let is_early = self.steps.len() <= 2 * BEFORE_COLORS;
        if is_early && self.points().len() <= BEFORE_COLORS {
            self.steps.retain(|(step, _)| *step != Step::Pass);
        }
    }

    /// Whether the players have exchanged colours at the end.
    fn swapped(&self) -> bool {
        self.steps.iter().filter(|(step, _)| *step == Step::Swap).count() % 2 == 1
    }
}

fn game(section: &TaggedGame, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let mut notes = Notes::default();
    let place = Place::Line(section.line);
    let mut moves = moves(section, &mut notes);
    let fifths = drop_fifths(&mut moves, &mut notes, place);
    let GameProperties { variant, opening, size } =
        game_properties(section, hints, moves.dictated, &mut notes);
    let points = moves.points();
    let size = board(section, hints, size, &points, &mut notes)?;
    let guessed = || guess(&points, size, Columns::WithI, false);
    let (columns, note) = hints.columns.map_or_else(guessed, |columns| (columns, None));
    note.into_iter().for_each(|note| notes.push(note));
    let (events, places) = events(&moves, columns, size, hints.from_top.unwrap_or(false))?;
    if moves.steps.is_empty() {
        notes.doubt(place, "the file has no moves of this game");
    }
    // c-gomoku-cli does not count the opening, but it writes no moves either.
    let stated: Option<usize> = section.value(&["PlyCount"]).and_then(|text| text.parse().ok());
    let count = points.len() + fifths;
    if let Some(stated) = stated.filter(|&stated| stated != count && !points.is_empty()) {
        notes.doubt(place, format!("PlyCount says {stated} moves, but there are {count}"));
    }
    let mut used = USED.to_vec();
    used.extend(GAME.iter().chain(&SIZE));
    let unused = [section.start(), section.unused(&used)];
    unused.into_iter().flatten().for_each(|note| notes.push(note));
    moves.info.note_asides(place, &mut notes);
    let (result, reason) = ending(section, &moves, variant, &mut notes);
    let mut players = [section.text(&["Black"]), section.text(&["White"])];
    if moves.swapped() {
        players.swap(0, 1);
    }
    Ok(ImportedGame {
        variant,
        opening,
        size: Some(size),
        players,
        title: section.title(),
        events,
        places,
        columns: Some(columns),
        result,
        reason,
        notes: notes.finish(),
        ..ImportedGame::default()
    })
}

/// Parses the moves up to the first word that is not understood.
fn moves(section: &TaggedGame, notes: &mut Notes) -> Moves {
    let mut moves = Moves::default();
    let mut last_skip = 0;
    for (line, word) in section.words() {
        let place = Place::Line(line);
        if moves.steps.len() > MAX_EVENTS {
            notes.doubt(place, "more moves than a game can have: the rest is left out");
            break;
        }
        let Some(step) = moves.info.take(word, place, notes) else { continue };
        let row = moves.info.order.row;
        let in_opening = row <= 1 || last_skip > 0 && row <= last_skip + NEAR;
        match step {
            MoveWord::Points(points) => {
                moves.steps.extend(points.into_iter().map(|point| (Step::Stone(point), line)));
            }
            MoveWord::Nothing if in_opening && row > 0 => {
                moves.dictated |= row == 1;
                last_skip = row;
            }
            MoveWord::Nothing | MoveWord::Pass => moves.steps.push((Step::Pass, line)),
            MoveWord::Swap => moves.steps.push((Step::Swap, line)),
            MoveWord::Takes(color) => {
                last_skip = row;
                moves.drop_skipped_turns();
                // Taking the colour of the other player is a swap.
                if color.index() != usize::from(moves.info.order.column % 2 == 1) {
                    moves.steps.push((Step::Swap, line));
                }
            }
            MoveWord::Unknown(text) => {
                let at = moves.points().len() + 1;
                let text = format!("{text:?} is no move: move {at} and all after it are left out");
                notes.doubt(place, text);
                break;
            }
        }
        moves.info.order.played().into_iter().for_each(|text| notes.doubt(place, text));
    }
    moves
}

/// Keeps only the chosen one of the offered fifth stones. Returns how many entries are removed.
fn drop_fifths(moves: &mut Moves, notes: &mut Notes, place: Place) -> usize {
    let points = moves.points();
    let last = points.len().min(BEFORE_FIFTH + MAX_FIFTHS + 1);
    let again = |&at: &usize| points[BEFORE_FIFTH..at].contains(&points[at]);
    let Some(chosen) = (BEFORE_FIFTH + 1..last).find(again).filter(|_| moves.dictated) else {
        return 0;
    };
    let offered = chosen - BEFORE_FIFTH;
    let mut number = 0;
    moves.steps.retain(|(step, _)| {
        let is_stone = matches!(step, Step::Stone(_));
        number += usize::from(is_stone);
        !is_stone || !(BEFORE_FIFTH..chosen).contains(&(number - 1))
    });
    let text = format!("{offered} fifth stones were offered, of which one was chosen");
    notes.remark(place, text);
    offered
}

/// Returns the size of the board: the stated one, else the smallest usual one that holds all
/// points.
fn board(
    section: &TaggedGame,
    hints: &Hints,
    of_game: Option<(usize, usize)>,
    points: &[WrittenPoint],
    notes: &mut Notes,
) -> Result<(usize, usize), UnreadableGame> {
    if let Some(text) = section.value(&SIZE).filter(|_| hints.size.is_none()) {
        let what = || format!("the board size {:?} is not supported", excerpt(text));
        return board_size(text).ok_or_else(|| section.unreadable(what()));
    }
    let needed = points.iter().map(|point| point.row.max(point.letter + 1)).max().unwrap_or(0);
    // Without a column I, the last letter is one beyond the number of columns.
    let rows = points.iter().map(|point| point.row).max().unwrap_or(0);
    let fits = |side: &&usize| needed <= **side || rows <= **side && needed == **side + 1;
    let side = USUAL_SIDES.iter().find(fits).copied().unwrap_or(MAX_SIDE);
    if let Some(size) = hints.size.or(of_game) {
        return Ok(size);
    }
    if side != USUAL_SIDES[0] {
        let text = format!("no board size is given, {side}x{side} is assumed");
        notes.push(Note::doubt(Place::Line(section.line), text).asking(Question::Size));
    }
    Ok((side, side))
}

/// Returns the events with their places.
fn events(
    moves: &Moves,
    columns: Columns,
    size: (usize, usize),
    from_top: bool,
) -> Result<(Vec<ImportedEvent>, Vec<Place>), UnreadableGame> {
    let mut number = 0;
    let event = |&(step, line): &(Step, usize)| {
        let place = Place::Line(line);
        let event = match step {
            Step::Pass => ImportedEvent::Pass(None),
            Step::Swap => ImportedEvent::Swap,
            Step::Stone(point) => {
                number += 1;
                let off = || {
                    let (width, height) = size;
                    let reason =
                        format!("move {number}: {point} is off the board of {width}x{height}");
                    UnreadableGame { place, reason }
                };
                let cell = point.cell(columns, size, from_top).ok_or_else(off)?;
                ImportedEvent::Stone(cell, None)
            }
        };
        Ok((event, place))
    };
    moves.steps.iter().map(event).collect()
}

/// Returns the result and its reason.
fn ending(
    section: &TaggedGame,
    moves: &Moves,
    variant: Option<Variant>,
    notes: &mut Notes,
) -> (Option<Outcome>, String) {
    let termination = section.text(&["Termination"]);
    let lower = termination.to_ascii_lowercase();
    // These are the words of c-gomoku-cli.
    let (winner, reason) = match lower.split_once(" by ") {
        Some(("black win", reason)) => (Some(Color::Black), reason.to_string()),
        Some(("white win", reason)) => (Some(Color::White), reason.to_string()),
        Some(("draw", reason)) => (None, reason.to_string()),
        _ if lower.starts_with("black play forbidden") => (Some(Color::White), "foul".to_string()),
        _ => (None, moves.info.forfeit.map_or(termination, String::from)),
    };
    // The tag may also name the result in words.
    let unknown = section.unknown_result();
    let tag = section.value(&["Result"]).filter(|_| unknown.is_some());
    let in_words = tag.and_then(words);
    unknown.filter(|_| in_words.is_none()).into_iter().for_each(|note| notes.push(note));
    let (in_words, tag_reason) = in_words.unwrap_or_default();
    let is_void = !tag_reason.is_empty();
    let reason = if reason.is_empty() { tag_reason } else { reason };
    let in_points = section.points(moves.info.result, notes);
    let by_white = moves.steps.is_empty() && section.value(&["PlyCount"]).is_some();
    let in_points = in_points.map(|result| exchanged(result, moves.swapped() || by_white));
    let is_points = winner.is_none() && in_words.is_none();
    let result = winner.map(Outcome::Win).or(in_words).or(in_points);
    let site = section.value(&["Site"]).unwrap_or_default().to_ascii_lowercase();
    let is_known = ["playok", "kurnik"].iter().any(|name| site.contains(name));
    if let (Some(Outcome::Win(_)), false, true, false) = (result, is_known, is_points, by_white) {
        let text = "the result is read as the points of the first player, then of the second";
        notes.remark(Place::Line(section.line), text);
    }
    // The columns tell who is to move if a turn is one stone.
    let is_single = variant.is_none_or(|variant| variant.turn() == 1);
    let forfeiter = moves.info.forfeiter().filter(|_| result.is_none() && !is_void && is_single);
    let forfeited = forfeiter.map(|player| if moves.swapped() { !player } else { player });
    if let Some(loser) = forfeited {
        let text =
            format!("no result is given: {loser:?}, who is to move, is assumed to have lost");
        notes.remark(Place::Line(section.line), text);
    }
    (result.or(forfeited.map(|loser| Outcome::Win(!loser))), reason)
}

/// Exchanges the colours of a result if `swapped`.
fn exchanged(result: Outcome, swapped: bool) -> Outcome {
    match result {
        Outcome::Win(color) if swapped => Outcome::Win(!color),
        result => result,
    }
}

#[cfg(test)]
mod tests;
