//! `goren play`: games in a terminal, in any game and opening, of a person against the engine
//! or of two people.

mod clock;
#[cfg(test)]
mod clock_tests;
mod command;
mod ending;
mod engine_ply;
#[cfg(test)]
mod file_tests;
mod files;
mod games;
mod input;
mod level;
mod load;
#[cfg(test)]
mod opening_tests;
mod screen;
mod show;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub(super) use screen::{draw, draw_with};

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use console::colors_enabled;

use super::forms::{ColumnsArg, Opened, ReadingArgs, of_games};
use super::seconds::seconds;
use super::table_size::TableSize;
use super::variant::{BoardArgs, GameArgs};
use super::weights::WeightsArg;
use super::{interrupt, plies, with_search_stack};
use crate::lettering::{Lettering, MAX_WITHOUT_I};
use crate::number::whole;
use crate::turn::{Turn, read};
use clock::time_control;
use files::Resumed;
use goren_board::clock::GameClock;
use goren_board::schema::{Player, TimeControl};
use goren_core::opening::GameState;
use goren_core::record::import;
use goren_core::rules::{Contest, OpeningId};
use goren_decide::Level;
use goren_engine::{Request, TableHandle};
use goren_notation::moves::played;
use goren_notation::pending_decision_text;
use input::{LineSource, Piped, Terminal};
use level::level;
use table::{Match, PlaySettings};

/// Arguments of `goren play`.
#[derive(clap::Args)]
#[command(mut_arg("form", of_games))]
#[command(after_help = "\
Examples:
  goren play
  goren play --game renju --opening taraguchi-10 --level club
  goren play --game connect6 --white --time 2
  goren play --game renju h8i9j8
  goren play game.sgf

Type a point such as h8 to move: the column letter, then the row counted from the
bottom. Two stones may be written h8,j9 or h8 j9, in any order; where pieces fall a
column will do. Type help for the other commands: undo, hint, swap, save, resign ...")]
pub struct Args {
    #[command(flatten)]
    reading: ReadingArgs,
    /// Opening, such as swap-2; default: the usual opening of the game. `free`
    /// is always possible.
    #[arg(long)]
    opening: Option<String>,
    /// The player who passes first wins what would be a draw (games with passes).
    #[arg(long)]
    tie_break: bool,
    /// Seconds the engine thinks per move.
    #[arg(long, default_value = "5", value_name = "SECONDS", value_parser = seconds)]
    time: Duration,
    /// Minutes each player has for the game, and seconds for each move, such as
    /// 10+5.
    #[arg(long, value_parser = time_control, conflicts_with = "time", value_name = "MIN+SEC")]
    clock: Option<TimeControl>,
    #[arg(
        long,
        value_parser = level,
        value_name = "LEVEL",
        help = "Strength: beginner ... full, or a number from 0 to 100; default: full, or that \
                of a file saved by this command",
        long_help = level::help()
    )]
    level: Option<Level>,
    /// Random seed of levels below full; default: a new one each game, and 0 with --nodes.
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// You move first (the default, unless a file saved by this command says otherwise).
    #[arg(long, conflicts_with = "white")]
    black: bool,
    /// The engine moves first.
    #[arg(long)]
    white: bool,
    /// Two people play; the engine gives hints.
    #[arg(long, conflicts_with_all = ["white", "black"])]
    two: bool,
    /// Maximum number of nodes per move of the engine, which then plays the same each time.
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Search threads of the engine.
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..))]
    threads: u16,
    #[command(flatten)]
    table: TableSize,
    #[command(flatten)]
    weights: WeightsArg,
    /// Do not mark the points that are forbidden to the side to move.
    #[arg(long)]
    no_forbidden: bool,
    /// Number of the game in a file with several, from 1; default: the first.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..))]
    number: Option<usize>,
    /// Moves to begin with, such as h8i9j8, or a file with a game. With --opening
    /// give plies, one per word: h8,i9,j8 swap g7.
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
}

impl Args {
    /// Returns the game to begin with.
    fn game(&self) -> Result<Resumed> {
        let board = BoardArgs::new(self.reading.game.clone(), self.reading.size);
        let game = GameArgs::new(board, self.opening.clone(), self.tie_break);
        match &self.position[..] {
            [] => Ok(GameState::new(game.contest()?).into()),
            words if self.opening.is_some() => {
                let reading = &self.reading;
                let has_file_options = reading.form.is_some()
                    || reading.from_top
                    || reading.from_bottom
                    || reading.encoding.is_some()
                    || reading.origin.is_some()
                    || reading.lines.is_some()
                    || reading.lenient
                    || self.number.is_some();
                ensure!(
                    !has_file_options,
                    "with --opening each word is a ply: of the options for files only --columns \
                     applies"
                );
                let contest = game.contest()?;
                Ok(match reading.columns {
                    Some(ColumnsArg::WithoutI) => read_without_i(&contest, words)?,
                    _ => read_plies(&contest, words)?,
                }
                .into())
            }
            _ => {
                ensure!(!self.tie_break, "--tie-break applies only to a new game");
                files::read(&self.reading, &self.position, self.number)
            }
        }
    }

    /// Returns the player of each seat: by the options, or else by the file.
    fn players(&self, from_file: Option<[Player; 2]>) -> [Player; 2] {
        let default = [Player::Person, Player::Engine];
        match (self.two, self.white, self.black) {
            (true, ..) => [Player::Person; 2],
            (_, true, _) => [Player::Engine, Player::Person],
            (.., true) => default,
            _ => from_file.unwrap_or(default),
        }
    }
}

/// Plays plies given as words, in columns without I.
///
/// # Errors
/// A ply cannot be read or is illegal.
fn read_without_i(contest: &Contest, words: &[String]) -> Result<GameState> {
    let Contest { width, height, .. } = *contest;
    let lettering = Lettering { width, height, columns: import::Columns::WithoutI };
    let mut game_state = GameState::new(*contest);
    for word in words {
        match read(&game_state, &[], word, lettering).with_context(|| word.clone())? {
            Turn::Whole(action) => drop(game_state.apply(&action)),
            Turn::Part(_) => bail!("{word}: the turn is not finished"),
        }
    }
    Ok(game_state)
}

/// Plays plies given as words; with the free opening also as a sequence such as `h8i9j8`.
///
/// # Errors
/// A ply cannot be read or is illegal, or the words name a file.
fn read_plies(contest: &Contest, words: &[String]) -> Result<GameState> {
    let error = match plies::game(contest, words.iter().map(String::as_str)) {
        Ok(game_state) => return Ok(game_state),
        Err(error) => error,
    };
    if contest.opening == OpeningId::Free
        && let Ok(read) = played(contest, &words.join(" "))
    {
        let mut game_state = GameState::new(*contest);
        read.actions().iter().try_for_each(|action| game_state.apply(action).map(drop))?;
        return Ok(game_state);
    }
    let file = match Opened::of_words(words) {
        Ok(opened) => opened.name.map(|name| format!("{name} is a file")),
        Err(error) => Some(format!("{error:#}")),
    };
    if let Some(file) = file {
        bail!("{file}; with --opening each word is a ply: leave out --opening to give a file");
    }
    let is_sequence = |word: &String| {
        word.as_bytes().windows(2).any(|w| w[0].is_ascii_digit() && w[1].is_ascii_alphabetic())
    };
    if words.iter().any(is_sequence) {
        bail!("{error}; with --opening each ply is a word, its stones joined by commas");
    }
    Err(error)
}

/// Plays on the terminal until the user leaves.
///
/// # Errors
/// An unsupported game or board, a file without a game or weights, no memory, or a broken
/// terminal.
pub fn run(args: &Args) -> Result<bool> {
    if args.position == ["-"] {
        bail!("standard input is for your moves: give the game as a file");
    }
    let Resumed { game_state, players, level, result_note, heading } = args.game()?;
    let width = game_state.contest().width;
    let with_i = args.reading.columns != Some(ColumnsArg::WithoutI);
    ensure!(
        with_i || width <= MAX_WITHOUT_I,
        "--columns: {width} columns need all letters, including I"
    );
    let weights = args.weights.load(game_state.contest().variant)?;
    let hash = TableHandle::exactly(args.table.bytes());
    hash.for_search(&Request::default())?;
    let is_person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let setting = PlaySettings {
        time: args.time,
        max_depth: None,
        max_nodes: args.nodes,
        threads: usize::from(args.threads),
        level: args.level.or(level).unwrap_or(Level::FULL),
        // With a node limit the moves are reproducible.
        seed: args.seed.or(args.nodes.map(|_| 0)),
        columns: match args.reading.columns {
            Some(ColumnsArg::WithoutI) => import::Columns::WithoutI,
            _ => import::Columns::WithI,
        },
        colors: io::stdout().is_terminal() && colors_enabled(),
        mark_forbidden: !args.no_forbidden,
    };
    let mut game = Match::new(game_state, args.players(players), setting, weights, hash);
    game.heading = heading;
    game.clock = args.clock.map(GameClock::new).transpose()?;
    with_search_stack(move || {
        let mut input: Box<dyn LineSource> = if is_person {
            interrupt::take_interrupts();
            Box::new(Terminal::open()?)
        } else {
            Box::new(Piped(io::stdin().lock()))
        };
        if let Some(note) = result_note {
            println!("{note}");
        }
        game.play(&mut *input, &mut io::stdout())
    })?;
    Ok(true)
}
