//! `goren`: the command-line tool. Reads the arguments and hands them to the
//! workshop.

use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
#[cfg(target_os = "linux")]
use goren_cli::torture;
use goren_cli::{
    analyze, arena, bench, check, data, db, games, greedy, list, openings, perft, play, prove,
    review, selfplay, solve, sprt, spsa, suite, threats, trees, tune, verify, walk,
};

/// Tools around an engine for Gomoku, Renju and the whole n-in-a-row family.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play against the engine in the terminal.
    Play(play::Args),
    /// What a position is worth: the best lines, threats, forbidden points.
    Analyze(analyze::Args),
    /// Threats of a position: their kinds, forks, falls with the reasons, what
    /// only search shows.
    Threats(threats::Args),
    /// Go through a game: the moves that lost it, and how the chances ran.
    Review(review::Args),
    /// List the games, their options, boards and openings.
    Games(games::Args),
    /// List the games of a file in any form: SGF, psq, PGN, pente.org, RIF, ...
    List(list::Args),
    /// Play the engine against one that looks one ply ahead: a check of any
    /// game.
    Greedy(greedy::Args),
    /// Check the rules against vector files.
    Verify(verify::Args),
    /// Count the legal sequences of plies from a position.
    Perft(perft::Args),
    /// Search fixed positions: the signature and speed of the search.
    Bench(bench::Args),
    /// Engines against engines: a match, a test or a tournament.
    Match(Box<arena::Args>),
    /// Have an engine play under all that a judge and a loaded machine may do
    /// to it.
    #[cfg(target_os = "linux")]
    Torture(torture::Args),
    /// Judge match results by a sequential test, or simulate such tests.
    Sprt(sprt::Args),
    /// Solve puzzles, alone or side by side with another engine.
    Suite(suite::Args),
    /// Make level openings, measured by search.
    Openings(openings::Args),
    /// Play training games of the engine against itself.
    Selfplay(selfplay::Args),
    /// Whether the side to move wins: by fours, by threats, by any moves. In
    /// Four In A Row what a position is worth.
    Solve(solve::Args),
    /// Build a winning tree: for any reply of the enemy a move that wins.
    ///
    /// While a run works on it the file is a log of moves; when the run ends it
    /// is written anew as a sorted table, by which the engine plays (`INFO proof
    /// FILE`). What a run that was killed leaves is gone on with by the next one,
    /// or sorted by `goren merge TABLE FILE`.
    Prove(Box<prove::Args>),
    /// Go through a winning tree with nothing but the referee.
    Check(check::Args),
    /// Go through a winning tree by hand.
    ///
    /// A sorted table is opened at once, however large it is; of a packed tree
    /// all moves are worked out first.
    Walk(walk::Args),
    /// Join winning trees of one position.
    ///
    /// The result is a sorted table, whatever the trees were: packed, a log that a
    /// run of `prove` left, or tables, of earlier versions too. The engine plays
    /// by it (`INFO proof TABLE`): it looks positions up where they lie on the
    /// disk, which takes neither time nor memory worth speaking of.
    Merge(trees::MergeArgs),
    /// Look into files of training games.
    Data(data::Args),
    /// Databases of positions: look into them, merge, import, export, check,
    /// learn from games.
    Db(db::Args),
    /// Fit the weights of a rule to training games.
    Tune(tune::Args),
    /// Tune the numbers of the search by games at fixed nodes.
    Spsa(spsa::Args),
}

/// Exit status where nobody reads what is printed any more, as shells see it of
/// a process that SIGPIPE ended.
const READER_GONE: u8 = 141;

fn main() -> ExitCode {
    end_with_the_reader();
    match run(&Cli::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) if is_reader_gone(&error) => ExitCode::from(READER_GONE),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether an error says that nobody reads what is printed; of other pipes and
/// files it is told which they are.
fn is_reader_gone(error: &anyhow::Error) -> bool {
    let kind = error.root_cause().downcast_ref::<io::Error>().map(io::Error::kind);
    error.chain().len() == 1 && kind == Some(io::ErrorKind::BrokenPipe)
}

/// Has the tool end quietly, as others do, when whoever reads its output has
/// gone (`goren games | head -1`): printing panics then.
fn end_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload().downcast_ref::<String>();
        match message.and_then(|text| text.strip_prefix("failed printing to stdout: ")) {
            Some(why) if why.contains("os error 32") || why.contains("os error 232") => {
                std::process::exit(READER_GONE.into())
            }
            Some(why) => {
                eprintln!("error: cannot print: {why}");
                std::process::exit(1)
            }
            None => usual(panic),
        }
    }));
}

/// Whether the command succeeded.
fn run(command: &Command) -> Result<bool> {
    match command {
        Command::Play(args) => play::run(args),
        Command::Analyze(args) => analyze::run(args),
        Command::Threats(args) => threats::run(args),
        Command::Review(args) => review::run(args),
        Command::Games(args) => games::run(args),
        Command::List(args) => list::run(args),
        Command::Greedy(args) => greedy::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Match(args) => arena::run(args),
        #[cfg(target_os = "linux")]
        Command::Torture(args) => torture::run(args),
        Command::Sprt(args) => sprt::run(args),
        Command::Suite(args) => suite::run(args),
        Command::Openings(args) => openings::run(args),
        Command::Selfplay(args) => selfplay::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Prove(args) => prove::run(args),
        Command::Check(args) => check::run(args),
        Command::Walk(args) => walk::run(args),
        Command::Merge(args) => trees::merge(args),
        Command::Data(args) => data::run(args),
        Command::Db(args) => db::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Spsa(args) => spsa::run(args),
    }
}
