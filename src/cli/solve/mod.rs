//! `goren solve`: exact result of a position. Five in a row is solved by VCF, VCT or a full
//! winning tree, Four In A Row by its exact value.

mod args;
mod file;
mod five;
mod four_in_a_row;

use anyhow::{Result, bail, ensure};

use super::position::GivenPosition;
use crate::variant::rules_of_five;
pub use args::Args;
use args::Goal;
use file::lines;
use four_in_a_row::FourInARowSolver;
use goren_core::rules::Variant;

/// Solvers by game.
enum Solver {
    Five,
    FourInARow,
}

/// Solves the positions and prints the results. Returns whether all had an answer.
///
/// # Errors
/// A game or board that cannot be solved, impossible moves, a file that cannot
/// be read or written, or no memory.
pub fn run(args: &Args) -> Result<bool> {
    let mut four = FourInARowSolver::new(args.memory, args.time);
    let Some(path) = &args.file else {
        let position = args.source.position()?;
        return match solver(args, &position)? {
            Solver::Five => five::run(args, &position),
            Solver::FourInARow => four.run(&position),
        };
    };
    let all = lines(path, |line| {
        let position = args.source.of_text(line)?;
        match solver(args, &position)? {
            Solver::Five => five::line(args, line, &position),
            Solver::FourInARow => four.line(line, &position),
        }
    })?;
    four.report();
    Ok(all)
}

/// Chooses the solver of a position by the arguments.
///
/// # Errors
/// There is no solver for the game, or the solver does not support the arguments.
fn solver(args: &Args, position: &GivenPosition) -> Result<Solver> {
    let variant = position.contest.variant;
    let vcf = matches!(variant, Variant::Five(_)) && args.goal == Goal::Vcf;
    ensure!(!args.shortest || vcf, "--shortest needs --goal vcf");
    match variant {
        Variant::Five(_) => Ok(Solver::Five),
        Variant::FourInARow(_) => {
            ensure!(
                args.goal == Goal::Win,
                "--goal vcf and vct are for {}; for {variant} the exact value is found",
                rules_of_five()
            );
            ensure!(args.proof.is_none(), "{variant} has no winning trees");
            ensure!(args.threads.is_none_or(|n| n == 1), "{variant} is solved by one thread");
            Ok(Solver::FourInARow)
        }
        other => bail!(
            "there is no solver for {other} ({}); there is one for {} and four-in-a-row. `goren \
             analyze` searches any game",
            other.sheet().text,
            rules_of_five()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    #[test]
    fn the_error_for_a_game_without_a_solver_describes_the_game() {
        let refused = |words: &str| {
            let args: Args = parse(words).unwrap();
            run(&args).unwrap_err().to_string()
        };
        for game in Variant::games() {
            if matches!(game, Variant::Five(_) | Variant::FourInARow(_)) {
                continue;
            }
            let message = refused(&format!("--game {game}"));
            assert!(message.starts_with(&format!("there is no solver for {game} (")), "{message}");
            assert!(
                message.contains(game.sheet().text) && !message.contains("five in a row"),
                "{message}"
            );
            assert!(message.contains("freestyle, gomoku, renju"), "{message}");
        }
        let message = refused("--game four-in-a-row --goal vct d");
        assert!(message.ends_with("for four-in-a-row the exact value is found"), "{message}");
        let message = refused("--game four-in-a-row+clear d");
        assert!(message.starts_with("four-in-a-row+clear cannot be solved"), "{message}");
    }
}
