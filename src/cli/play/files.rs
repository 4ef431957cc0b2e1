//! Saving games, and continuing saved ones.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::load::LoadArgs;
use super::table::Heading;
use crate::forms::{
    IN_PLAY, NoteWriter, Opened, PlayOptions, ReadingArgs, Refusal, opened_by, pick, play,
};
use crate::position::result_text;
use goren_board::players::player;
use goren_board::schema::Player;
use goren_core::opening::GameState;
use goren_core::record::import::{
    ImportedGame, MoveStats, Note, Place, Question, UnreadableGame, Weight,
};
use goren_core::record::{Ending, GameRecord, PlayedPly, psq, sgf};
use goren_core::rules::{Contest, Outcome};
use goren_decide::Level;
use goren_files::output_path::replace;
use goren_notation::forms::{Form, LossyForm, not_held};

/// A game to continue.
pub(super) struct Resumed {
    pub(super) game_state: GameState,
    /// The player of each seat, if Goren saved the file.
    pub(super) players: Option<[Player; 2]>,
    /// The level of the engine, if Goren saved the file.
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

/// Reads the player of each seat, and the level of the engine, from the names of Black and
/// White; `None` if Goren has not written them, or no person played.
fn seats(game_state: &GameState, names: &[String; 2]) -> Option<([Player; 2], Option<Level>)> {
    let read = game_state.by_seat([player(&names[0])?, player(&names[1])?]);
    let (players, levels) = (read.map(|(player, _)| player), read.map(|(_, level)| level));
    let level = levels.into_iter().flatten().next();
    (players != [Player::Engine; 2]).then_some((players, level))
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
        let (players, level) = seats(&game_state, &played.players).unzip();
        let open = played.result.filter(|_| game_state.result().is_none());
        let ending = |outcome| match outcome {
            Outcome::Win(color) => Ending::Win(game_state.owner(color)),
            Outcome::Draw => Ending::Draw,
        };
        let plies = game_state.actions().iter().cloned().zip(stats);
        let heading = Heading {
            plies: plies.map(|(action, stats)| PlayedPly { action, stats }).collect(),
            opening_plies,
            ending: open.map(|outcome| (ending(outcome), played.reason.clone())),
            title,
            names: (players.is_none() && played.players.iter().any(|name| !name.is_empty()))
                .then(|| game_state.by_seat(played.players)),
        };
        let result_note = open.map(|outcome| result_note(outcome, &played.reason));
        Ok(Resumed { game_state, players, level: level.flatten(), result_note, heading })
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

/// Converts a game for files, with the result and its reason if the moves do not end it. Its
/// plies keep the statistics of the file it was read from.
pub(super) fn record(
    game_state: &GameState,
    names: [String; 2],
    heading: &Heading,
    end: Option<(Ending, String)>,
) -> ImportedGame {
    let plies = game_state.actions().iter().zip(&heading.plies);
    let from_file = plies.take_while(|(action, ply)| **action == ply.action);
    let stats: Vec<MoveStats> = from_file.map(|(_, ply)| ply.stats.clone()).collect();
    let opening_plies = heading.opening_plies.min(stats.len());
    let end = end.map(|(ending, reason)| (Some(ending), reason));
    let record = GameRecord::of_game(game_state, names, stats, opening_plies).with_end(end);
    ImportedGame { title: heading.title.clone(), ..record.imported() }
}
