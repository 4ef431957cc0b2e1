//! Saving games, and continuing saved ones.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::load::LoadArgs;
use super::table::{Heading, Player};
use crate::forms::{
    IN_PLAY, NoteWriter, Opened, PlayOptions, ReadingArgs, Refusal, opened_by, pick, play,
};
use crate::position::result_text;
use goren_core::opening::{GameState, Seat};
use goren_core::record::import::{
    ImportedGame, MoveStats, Note, Place, Question, UnreadableGame, Weight,
};
use goren_core::record::{Ending, GameRecord, PlayedPly, psq, sgf};
use goren_core::rules::{Contest, Outcome};
use goren_core::types::Color;
use goren_decide::Level;
use goren_files::output_path::replace;
use goren_notation::forms::{Form, LossyForm, not_held};

/// A game to continue.
pub(super) struct Resumed {
    pub(super) game_state: GameState,
    /// The player of each seat, if this command saved the file.
    pub(super) players: Option<[Player; 2]>,
    /// The level of the engine, if this command saved the file.
    pub(super) level: Option<Level>,
    /// Message on the result given in the file, if the moves do not end the game.
    pub(super) result_note: Option<String>,
    pub(super) heading: Heading,
}

impl From<GameState> for Resumed {
    fn from(game_state: GameState) -> Resumed {
        let heading = Heading::default();
        Resumed { game_state, players: None, level: None, result_note: None, heading }
    }
}

/// Name of a person in files saved by this command.
const PERSON: &str = "Person";
/// Prefix of the engine's name in these files.
const ENGINE: &str = "Goren ";

/// Returns the names of the players for files.
pub(super) fn names(players: [Player; 2], level: Level) -> [String; 2] {
    players.map(|player| match player {
        Player::Person => PERSON.to_owned(),
        Player::Engine => format!("{ENGINE}{} ({level})", env!("CARGO_PKG_VERSION")),
    })
}

/// Converts a pair for Black and White to a pair by seats.
fn by_seat<T>(game_state: &GameState, [black, white]: [T; 2]) -> [T; 2] {
    let is_first = game_state.owner(Color::Black) == Seat::First;
    if is_first { [black, white] } else { [white, black] }
}

/// Reads the level from the name of an engine, as written by [`names`].
fn level_of(name: &str) -> Option<Level> {
    let (engine, level) = name.strip_suffix(')')?.rsplit_once('(')?;
    Level::read(level).ok().filter(|_| engine.starts_with(ENGINE))
}

/// Reads the player of each seat from the names of Black and White, if written by [`names`].
fn seats(game_state: &GameState, names: &[String; 2]) -> Option<[Player; 2]> {
    let player = |name: &String| match name.as_str() {
        PERSON => Some(Player::Person),
        name => name.starts_with(ENGINE).then_some(Player::Engine),
    };
    let players = by_seat(game_state, [player(&names[0])?, player(&names[1])?]);
    (players != [Player::Engine; 2]).then_some(players)
}

/// Formats the message on the result given in a file.
fn result_note(outcome: Outcome, reason: &str) -> String {
    format!("The file says: {}. The game goes on here.", result_text(outcome, reason))
}

/// Reads a game from words: moves, or the name of a file.
///
/// # Errors
/// The game cannot be read, is a position without moves, or ends within a turn.
pub(super) fn read(
    reading: &ReadingArgs,
    words: &[String],
    number: Option<usize>,
) -> Result<Resumed> {
    read_with(reading, words, number, None)
}

/// Reads the game of a file loaded during a game of `contest`. A file that names no rule is
/// read as that game.
///
/// # Errors
/// As [`read`].
pub(super) fn load(LoadArgs { file, options }: &LoadArgs, contest: &Contest) -> Result<Resumed> {
    let read =
        read_with(&options.reading, std::slice::from_ref(file), options.number, Some(contest));
    read.map_err(|error| match error.downcast_ref() {
        Some(LoadError::WithOption(_)) => anyhow!("{error:#} ({IN_PLAY})"),
        _ => error,
    })
}

/// Assumes the current game for a file that names none.
fn assume_game(contest: &Contest, game: &mut ImportedGame, note_writer: &mut NoteWriter) {
    let asks = |note: &Note| note.question == Some(Question::Game);
    let in_doubt = |note: &Note| asks(note) && note.weight == Weight::Doubt;
    if game.variant.is_some() || game.notes.iter().any(in_doubt) {
        return;
    }
    // The note that freestyle is assumed is no longer true.
    game.notes.retain(|note| !asks(note));
    game.variant = Some(contest.variant);
    game.size = game.size.or(Some((contest.width, contest.height)));
    let what = format!("no rule is named: {} is assumed, the game played before", contest.variant);
    note_writer.note(&Note::remark(Place::File, what).asking(Question::Game), None);
}

/// Reason why a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    /// An option would help; the message names it.
    #[error("{0}")]
    WithOption(String),
    /// No option helps.
    #[error("{0}")]
    Plain(String),
}

impl LoadError {
    fn new(words: String, has_option: bool) -> LoadError {
        if has_option { LoadError::WithOption(words) } else { LoadError::Plain(words) }
    }
}

fn read_with(
    reading: &ReadingArgs,
    words: &[String],
    number: Option<usize>,
    current: Option<&Contest>,
) -> Result<Resumed> {
    let opened = Opened::of_words(words)?;
    let hints = reading.hints()?;
    opened.games(reading.form, &hints, |games| {
        let new = if current.is_some() { NoteWriter::in_game } else { NoteWriter::new };
        let mut note_writer = new(opened.name.as_deref());
        games.notes.iter().for_each(|note| note_writer.note(note, None));
        let (game, number) = pick(games, number, &mut note_writer)?;
        let unreadable = |UnreadableGame { place, reason }| {
            LoadError::new(format!("{}: {reason}", games.place(place)), games.is_unrecognised)
        };
        let mut game = game.map_err(unreadable)?;
        ensure!(game.board.is_none(), "a board has no moves: a game is needed");
        // A .psq file is of five in a row.
        let fits = |contest: &&Contest| games.form != Form::Psq || contest.setup().is_some();
        if let Some(contest) = current.filter(fits).filter(|_| hints.variant.is_none()) {
            assume_game(contest, &mut game, &mut note_writer);
        }
        let (opening, title) = (game.opening, game.title.clone());
        let options = PlayOptions { hints, lenient: reading.lenient, file_first: false };
        let refused = |refusal: Refusal| LoadError::new(refusal.to_string(), refusal.has_option);
        let played = play(game, &options).map_err(refused)?;
        played.notes.iter().for_each(|note| note_writer.note(&games.placed(note), number));
        ensure!(played.typed.placed.is_empty(), "the last turn is not over: a stone is missing");
        let (stats, opening_plies) = (played.ply_stats(), played.opening_plies());
        let game_state = opened_by(played.typed.game_state, opening);
        let players = seats(&game_state, &played.players);
        let level =
            played.players.iter().find_map(|name| level_of(name)).filter(|_| players.is_some());
        let open = played.result.filter(|_| game_state.result().is_none());
        let winner = |outcome| match outcome {
            Outcome::Win(color) => Some(game_state.owner(color)),
            Outcome::Draw => None,
        };
        let plies = game_state.actions().iter().cloned().zip(stats);
        let heading = Heading {
            plies: plies.map(|(action, stats)| PlayedPly { action, stats }).collect(),
            opening_plies,
            ending: open.map(|outcome| (winner(outcome), played.reason.clone())),
            title,
            names: (players.is_none() && played.players.iter().any(|name| !name.is_empty()))
                .then(|| by_seat(&game_state, played.players)),
        };
        let result_note = open.map(|outcome| result_note(outcome, &played.reason));
        Ok(Resumed { game_state, players, level, result_note, heading })
    })
}

/// Returns the extension of a file name in lower case.
fn extension(path: &Path) -> Option<String> {
    path.extension().map(|end| end.to_string_lossy().to_lowercase())
}

/// Lists the parts of a game that a file of this name cannot hold. `is_over` says whether the
/// moves end the game, so that the reason of the end is evident.
pub(super) fn unsaved_parts(path: &Path, mut game: ImportedGame, is_over: bool) -> Vec<String> {
    if is_over {
        game.reason.clear();
    }
    match extension(path).as_deref() {
        Some("psq") => not_held(&game, LossyForm::Psq),
        _ => Vec::new(),
    }
}

/// Writes a game.
///
/// # Errors
/// The file exists and may not be overwritten; the format cannot hold the game; an I/O
/// error.
pub(super) fn write(path: &Path, game: &ImportedGame, over: bool) -> Result<()> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a folder");
    }
    if path.exists() && !over {
        bail!("{name} already exists: save! {name} overwrites it");
    }
    let text = match extension(path).as_deref() {
        None | Some("sgf") => sgf::write(game),
        Some("psq") => psq::write(game).context("save it as .sgf")?,
        Some(other) => bail!("games are saved as .sgf or .psq, not as .{other}"),
    };
    Ok(replace(path, text.as_bytes())?)
}

/// Converts a game for files. Its plies keep the statistics of the file it was read from.
pub(super) fn record(
    game_state: &GameState,
    names: [String; 2],
    heading: &Heading,
    closed: Option<(Option<Seat>, &str)>,
) -> ImportedGame {
    let actions = game_state.actions();
    let read = actions.iter().zip(&heading.plies).take_while(|(ply, read)| **ply == read.action);
    let from_file = &heading.plies[..read.count()];
    let new = actions[from_file.len()..].iter().cloned();
    let new = new.map(|action| PlayedPly { action, stats: MoveStats::default() });
    let mut plies: Vec<PlayedPly> = from_file.iter().cloned().chain(new).collect();
    let opening = plies.drain(..heading.opening_plies.min(from_file.len()));
    let opening = opening.map(|ply| ply.action).collect();
    let ending = |winner: Option<Seat>| winner.map_or(Ending::Draw, Ending::Win);
    let (ending, reason) = match (closed, game_state.result()) {
        (Some((winner, reason)), _) => (Some(ending(winner)), reason.to_owned()),
        (None, Some(result)) => {
            let winner = if result.is_draw() { None } else { result.seats.first().copied() };
            (Some(ending(winner)), result.reason.name().to_owned())
        }
        (None, None) => (None, String::new()),
    };
    let record = GameRecord {
        contest: *game_state.contest(),
        players: names,
        opening,
        plies,
        black: game_state.owner(Color::Black),
        ending,
        reason,
    };
    ImportedGame { title: heading.title.clone(), ..record.imported() }
}
