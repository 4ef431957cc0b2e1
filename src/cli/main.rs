//! `goren`: the command-line tool. Reads the arguments and runs the command.

#![deny(clippy::print_stderr)]

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use goren_cli::run::stop;
#[cfg(target_os = "linux")]
use goren_cli::stress;
use goren_cli::{
    analyze, arena, baseline, bench, board, check, data, db, games, list, matches, merge, openings,
    perft, play, prove, puzzles, review, selfplay, shell, solve, sprt, spsa, stderr, suite,
    threats, tune, verify, walk,
};

/// Analysis, matches, proofs and training for Gomoku, Renju and the n-in-a-row
/// family.
#[derive(Parser)]
#[command(
    name = "goren",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  goren play --game renju
  goren analyze h8i9j8
  goren review game.sgf

Commands by purpose:
  To play and study   play, board, analyze, threats, review, games, puzzles
  To prove            solve, prove, check, walk
  For engine authors  match, matches, sprt, openings, suite, selfplay, tune, spsa
  To test             bench, perft, verify, baseline, stress (Linux)
  Files               list, merge, data, db, completions, man

`goren COMMAND --help` lists the options of a command, with examples. Points are a column letter
and a row number counted from the bottom: a1 is the lower left corner, h8 the centre of a 15x15
board."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game against the engine in the terminal.
    Play(play::Args),
    /// Play and analyse any game of the family in the browser.
    Board(board::Args),
    /// Analyse a position: best lines, win rates, threats, forbidden points.
    Analyze(analyze::Args),
    /// Explain the threats of a position: forks, forbidden points, wins by
    /// fours.
    ///
    /// For every empty point and both colours: the threat in each direction,
    /// forks, and in renju the forbidden points with their reasons. Virtual
    /// threats and forks are found by search. In games other than freestyle, gomoku,
    /// renju, caro and caro-exact it shows the threats of the next turn.
    Threats(threats::Args),
    /// Review a game: the moves that lost it, and the win rate move by move.
    ///
    /// The game is searched from its end, so that proven results help to judge
    /// the earlier moves.
    Review(review::Args),
    /// List the games with their options, boards and openings.
    Games(games::Args),
    /// List the games in a file of any format: SGF, psq, PGN, pente.org, RIF.
    List(list::Args),
    /// Play the engine against a baseline that looks one ply ahead.
    #[command(alias = "greedy")]
    Baseline(baseline::Args),
    /// Check the rules against files of test vectors.
    Verify(verify::Args),
    /// Count the legal sequences of plies from a position (perft).
    Perft(perft::Args),
    /// Search fixed positions: signature and speed of the search.
    Bench(bench::Args),
    /// Play engines against each other: a match, a sequential test, a
    /// tournament.
    Match(Box<arena::Args>),
    /// List the recorded matches of Goren's versions, with sums and Elo.
    Matches(matches::Args),
    /// Stress-test an engine: freezes, CPU load, short clocks, memory limits,
    /// malformed input.
    #[cfg(target_os = "linux")]
    #[command(alias = "torture")]
    Stress(stress::Args),
    /// Judge match results by a sequential test (SPRT), or simulate such tests.
    Sprt(sprt::Args),
    /// Make puzzles from games: wins, and positions in which few moves do not lose.
    Puzzles(puzzles::Args),
    /// Solve puzzles, alone or side by side with another engine.
    Suite(suite::Args),
    /// Generate balanced openings, measured by search.
    Openings(openings::Args),
    /// Generate training games by self-play.
    Selfplay(selfplay::Args),
    /// Prove whether the side to move wins: by fours, by threats, by any moves.
    ///
    /// For freestyle, gomoku, renju, caro and caro-exact. For four-in-a-row the exact
    /// value of the position and the best move; other games have no solver.
    Solve(solve::Args),
    /// Build a winning tree: a winning move against every reply.
    ///
    /// While a run works on it, the file is a log of moves. At its end the run
    /// rewrites the file as a sorted table, which the engine plays by (`INFO
    /// proof FILE`). After a run that was killed, the next one continues, or
    /// `goren merge TABLE FILE` sorts the log.
    Prove(Box<prove::Args>),
    /// Verify a winning tree, using nothing but the rules.
    Check(check::Args),
    /// Play against a winning tree, move by move.
    ///
    /// A sorted table and a packed tree open at once, however large they are: the answers
    /// of a packed tree to a reply are read when the reply is played.
    Walk(walk::Args),
    /// Join the parts of a run (`--shard`), or winning trees for one position.
    ///
    /// Trees become a sorted table. They may be packed trees, logs left by
    /// `goren prove`, or tables, those of earlier versions included. The engine
    /// plays by the result (`INFO proof TABLE`): it looks positions up on disk,
    /// which takes next to no time or memory.
    Merge(merge::Args),
    /// Inspect files of training games.
    Data(data::Args),
    /// Inspect, merge, import, export, check and extend databases of positions.
    Db(db::Args),
    /// Fit evaluation weights to training games.
    Tune(tune::Args),
    /// Tune search parameters by games at fixed nodes (SPSA).
    Spsa(spsa::Args),
    /// Print completions of commands and options for a shell.
    Completions(shell::CompletionsArgs),
    /// Print the manual page, or write those of all commands.
    Man(shell::ManArgs),
}

/// Exit status when the reader of the output has gone: what shells report for a
/// process ended by SIGPIPE.
const READER_GONE: u8 = 141;

fn main() -> ExitCode {
    exit_quietly_without_reader();
    match run(&read_arguments(std::env::args_os().collect()).command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if is_reader_gone(&error) => ExitCode::from(READER_GONE),
        Err(error) if error.is::<stop::Stopped>() => {
            stderr::line(format_args!("{error:#}"));
            ExitCode::from(stop::UNFINISHED)
        }
        Err(error) => {
            stderr::line(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Reads the arguments; prints an error in them and exits.
fn read_arguments(mut words: Vec<OsString>) -> Cli {
    let mut command = takes_negative_numbers(Cli::command());
    answer_help(&command, &mut words);
    let matches = command.try_get_matches_from_mut(words).unwrap_or_else(|error| error.exit());
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
}

/// Lets the options of a command and of its subcommands take negative numbers, so that
/// the error is about the number, not about an unknown option `-5`. A time may end in
/// its unit, so `-1s` is taken too.
fn takes_negative_numbers(command: clap::Command) -> clap::Command {
    let is_option = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    let is_time = |arg: &Arg| arg.get_value_names().is_some_and(|names| names == ["SECONDS"]);
    let takes = |arg: Arg| match arg {
        arg if is_option(&arg) && is_time(&arg) => arg.allow_hyphen_values(true),
        arg if is_option(&arg) => arg.allow_negative_numbers(true),
        arg => arg,
    };
    command.mut_args(takes).mut_subcommands(takes_negative_numbers)
}

/// Makes `help` accept `--help` as other commands do: `goren help play --help` is
/// `goren help play`, and `goren help --help` is `goren help help`.
fn answer_help(command: &clap::Command, words: &mut Vec<OsString>) {
    let (mut innermost, mut at) = (command, 1);
    while let Some(below) = words.get(at).and_then(|word| innermost.find_subcommand(word)) {
        (innermost, at) = (below, at + 1);
    }
    if !innermost.has_subcommands() || words.get(at).is_none_or(|word| word != "help") {
        return;
    }
    let count = words.len();
    let mut topic = words.split_off(at + 1);
    topic.retain(|word| word != "--help" && word != "-h");
    words.append(&mut topic);
    if words.len() == at + 1 && count > words.len() {
        words.push("help".into());
    }
}

/// Whether an error means that the reader of the output has gone. Errors of other
/// pipes and files have a context that names them.
fn is_reader_gone(error: &anyhow::Error) -> bool {
    let kind = error.root_cause().downcast_ref::<io::Error>().map(io::Error::kind);
    error.chain().len() == 1 && kind == Some(io::ErrorKind::BrokenPipe)
}

/// Makes the tool exit quietly when the reader of its output has gone
/// (`goren games | head -1`), where printing panics.
fn exit_quietly_without_reader() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        match message.and_then(|text| text.strip_prefix("failed printing to stdout: ")) {
            Some(why) if why.contains("os error 32") || why.contains("os error 232") => {
                std::process::exit(READER_GONE.into())
            }
            Some(why) => {
                stderr::line(format_args!("error: cannot print: {why}"));
                std::process::exit(1)
            }
            None => default_hook(panic),
        }
    }));
}

/// Runs the command; returns whether it succeeded.
fn run(command: &Command) -> Result<bool> {
    match command {
        Command::Play(args) => play::run(args),
        Command::Board(args) => board::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Threats(args) => threats::run(args),
        Command::Review(args) => review::run(args),
        Command::Games(args) => games::run(args),
        Command::List(args) => list::run(args),
        Command::Baseline(args) => baseline::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Match(args) => arena::run(args),
        Command::Matches(args) => matches::run(args),
        #[cfg(target_os = "linux")]
        Command::Stress(args) => stress::run(args),
        Command::Sprt(args) => sprt::run(args),
        Command::Puzzles(args) => puzzles::run(args),
        Command::Suite(args) => suite::run(args),
        Command::Openings(args) => openings::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Prove(args) => prove::run(args),
        Command::Check(args) => check::run(args),
        Command::Walk(args) => walk::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Data(args) => data::run(args),
        Command::Db(args) => db::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Spsa(args) => spsa::run(args),
        Command::Completions(args) => shell::completions(args, Cli::command()),
        Command::Man(args) => shell::man(args, Cli::command()),
    }
}
