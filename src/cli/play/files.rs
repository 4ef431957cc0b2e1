//! Saving games, and continuing saved ones.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::load::LoadArgs;
use super::table::{Heading, Player};
use crate::forms::{
    IN_PLAY, NoteWriter, Opened, PlayOptions, ReadingArgs, Refusal, opened_by, pick, play,
};
use crate::position::said_words;
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

/// A game to go on with.
pub(super) struct Resumed {
    pub(super) game_state: GameState,
    /// Who sits where, if the file was kept by this command.
    pub(super) players: Option<[Player; 2]>,
    /// The level of the engine, if the file was kept by this command.
    pub(super) level: Option<Level>,
    /// How it ended, as the file says, where the moves do not end it.
    pub(super) said: Option<String>,
    pub(super) heading: Heading,
}

impl From<GameState> for Resumed {
    fn from(game_state: GameState) -> Resumed {
        let heading = Heading::default();
        Resumed { game_state, players: None, level: None, said: None, heading }
    }
}

/// How this command calls a person in the files that it keeps.
const PERSON: &str = "Person";
/// How the name of the engine begins there.
const ENGINE: &str = "Goren ";

/// The names of the players, as files have them.
pub(super) fn names(players: [Player; 2], level: Level) -> [String; 2] {
    players.map(|player| match player {
        Player::Person => PERSON.to_owned(),
        Player::Engine => format!("{ENGINE}{} ({level})", env!("CARGO_PKG_VERSION")),
    })
}

/// What belongs to Black and White by their seats.
fn by_seat<T>(game_state: &GameState, [black, white]: [T; 2]) -> [T; 2] {
    let is_first = game_state.owner(Color::Black) == Seat::First;
    if is_first { [black, white] } else { [white, black] }
}

/// The level that stands in the name of an engine, as [`names`] writes it.
fn level_of(name: &str) -> Option<Level> {
    let (engine, level) = name.strip_suffix(')')?.rsplit_once('(')?;
    Level::read(level).ok().filter(|_| engine.starts_with(ENGINE))
}

/// Who sits where by the names of Black and White, if these are such names.
fn seats(game_state: &GameState, names: &[String; 2]) -> Option<[Player; 2]> {
    let player = |name: &String| match name.as_str() {
        PERSON => Some(Player::Person),
        name => name.starts_with(ENGINE).then_some(Player::Engine),
    };
    let players = by_seat(game_state, [player(&names[0])?, player(&names[1])?]);
    (players != [Player::Engine; 2]).then_some(players)
}

/// How a game ended, as its file says.
fn said(outcome: Outcome, reason: &str) -> String {
    format!("The file says: {}. The game goes on here.", said_words(outcome, reason))
}

/// The game of some words: moves, or the name of a file.
///
/// # Errors
/// It cannot be read, is a position without moves, or ends within a turn.
pub(super) fn read(
    reading: &ReadingArgs,
    words: &[String],
    number: Option<usize>,
) -> Result<Resumed> {
    read_with(reading, words, number, None)
}

/// The game of a file that is loaded in a game of this contest, which is that of the file
/// where it names none.
///
/// # Errors
/// As [`read`].
pub(super) fn load(LoadArgs { file, options }: &LoadArgs, contest: &Contest) -> Result<Resumed> {
    let read =
        read_with(&options.reading, std::slice::from_ref(file), options.number, Some(contest));
    read.map_err(|error| match error.downcast_ref() {
        Some(NotTaken::Unless(_)) => anyhow!("{error:#} ({IN_PLAY})"),
        _ => error,
    })
}

/// Takes the game that is played for that of a file that names none.
fn named_by(contest: &Contest, game: &mut ImportedGame, note_writer: &mut NoteWriter) {
    let asks = |note: &Note| note.question == Some(Question::Game);
    let in_doubt = |note: &Note| asks(note) && note.weight == Weight::Doubt;
    if game.variant.is_some() || game.notes.iter().any(in_doubt) {
        return;
    }
    // The note that freestyle is assumed is no longer true.
    game.notes.retain(|note| !asks(note));
    game.variant = Some(contest.variant);
    game.size = game.size.or(Some((contest.width, contest.height)));
    let what = format!("no rule is named: {} is taken, the game that was played", contest.variant);
    note_writer.note(&Note::remark(Place::File, what).asking(Question::Game), None);
}

/// Why a game of a file is not taken.
#[derive(Debug, thiserror::Error)]
enum NotTaken {
    /// An option would let it be taken; the message names it.
    #[error("{0}")]
    Unless(String),
    /// No option helps.
    #[error("{0}")]
    Plainly(String),
}

impl NotTaken {
    fn new(words: String, has_option: bool) -> NotTaken {
        if has_option { NotTaken::Unless(words) } else { NotTaken::Plainly(words) }
    }
}

fn read_with(
    reading: &ReadingArgs,
    words: &[String],
    number: Option<usize>,
    played_here: Option<&Contest>,
) -> Result<Resumed> {
    let opened = Opened::of_words(words)?;
    let hints = reading.hints()?;
    opened.games(reading.form, &hints, |games| {
        let new = if played_here.is_some() { NoteWriter::in_game } else { NoteWriter::new };
        let mut note_writer = new(opened.name.as_deref());
        games.notes.iter().for_each(|note| note_writer.note(note, None));
        let (game, number) = pick(games, number, &mut note_writer)?;
        let unreadable = |UnreadableGame { place, reason }| {
            NotTaken::new(format!("{}: {reason}", games.place(place)), games.is_unrecognised)
        };
        let mut game = game.map_err(unreadable)?;
        ensure!(game.board.is_none(), "a board tells no moves: a game is needed");
        // A .psq file is of five in a row.
        let fits = |contest: &&Contest| games.form != Form::Psq || contest.setup().is_some();
        if let Some(contest) = played_here.filter(fits).filter(|_| hints.variant.is_none()) {
            named_by(contest, &mut game, &mut note_writer);
        }
        let (opening, title) = (game.opening, game.title.clone());
        let options = PlayOptions { hints, lenient: reading.lenient, file_first: false };
        let refused = |refusal: Refusal| NotTaken::new(refusal.to_string(), refusal.has_option);
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
        let said = open.map(|outcome| said(outcome, &played.reason));
        Ok(Resumed { game_state, players, level, said, heading })
    })
}

/// The end of the name of a file, in small letters.
fn extension(path: &Path) -> Option<String> {
    path.extension().map(|end| end.to_string_lossy().to_lowercase())
}

/// What a file of this name does not hold of a game. `is_over`: its moves end it, so that
/// nobody needs to be told why it ended.
pub(super) fn not_kept(path: &Path, mut game: ImportedGame, is_over: bool) -> Vec<String> {
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
/// The file exists and may not be written over; the form cannot hold the game; an I/O
/// error.
pub(super) fn write(path: &Path, game: &ImportedGame, over: bool) -> Result<()> {
    let name = path.display();
    if path.is_dir() {
        bail!("{name} is a folder");
    }
    if path.exists() && !over {
        bail!("{name} is there already: save! {name} writes over it");
    }
    let text = match extension(path).as_deref() {
        None | Some("sgf") => sgf::write(game),
        Some("psq") => psq::write(game).context("save it as .sgf")?,
        Some(other) => bail!("games are kept as .sgf or .psq, not as .{other}"),
    };
    Ok(replace(path, text.as_bytes())?)
}

/// A game as files tell it. Its plies keep what the file it was read from records of them.
pub(super) fn record(
    game_state: &GameState,
    names: [String; 2],
    heading: &Heading,
    closed: Option<(Option<Seat>, &str)>,
) -> ImportedGame {
    let actions = game_state.actions();
    let read = actions.iter().zip(&heading.plies).take_while(|(ply, read)| **ply == read.action);
    let kept = &heading.plies[..read.count()];
    let new = actions[kept.len()..].iter().cloned();
    let new = new.map(|action| PlayedPly { action, stats: MoveStats::default() });
    let mut plies: Vec<PlayedPly> = kept.iter().cloned().chain(new).collect();
    let opening = plies.drain(..heading.opening_plies.min(kept.len()));
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
