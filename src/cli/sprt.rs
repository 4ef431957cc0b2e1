//! `goren sprt`: sequential probability ratio test on the command line. Prints the
//! verdict on counted pairs, or length and error rates of a test by simulation.

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};
use clap::ArgGroup;

use super::progress::Steps;
use super::stats::{PairModel, Pentanomial, Sprt, SprtVerdict, simulate};
use crate::number::whole;

/// Arguments of `goren sprt`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren sprt --elo0 0 --elo1 10 --pairs 12,3,160,5,20
  goren sprt --elo0 0 --elo1 10 --simulate 1000 --elo 5")]
#[command(group = ArgGroup::new("results").required(true).args(["pairs", "simulate"]))]
pub struct Args {
    /// Elo difference under H0: the first engine is at most this much better.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Elo difference under H1: the first engine is at least this much better.
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true)]
    elo1: f64,
    /// Probability of accepting H1 although H0 is true.
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// Probability of accepting H0 although H1 is true.
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Pairs of games, counted by the first engine's half points from 0 to 4,
    /// such as 3,10,40,12,5.
    #[arg(long, value_parser = pentanomial)]
    pairs: Option<Pentanomial>,
    /// Simulate RUNS tests with random results instead.
    #[arg(long, value_name = "RUNS", requires = "elo", value_parser = whole::<u64>(0..))]
    simulate: Option<u64>,
    /// True Elo difference in the simulation.
    #[arg(long, allow_negative_numbers = true, conflicts_with = "pairs")]
    elo: Option<f64>,
    /// Share of draws in the simulation, 0 to 1.
    #[arg(long, default_value_t = 0.05, conflicts_with = "pairs")]
    draws: f64,
    /// Elo advantage that an opening gives one colour in the simulation.
    #[arg(long, default_value_t = 0.0, conflicts_with = "pairs")]
    bias: f64,
    /// Stop a simulated test after this many games.
    #[arg(long, default_value_t = 1_000_000, conflicts_with = "pairs", value_parser = whole::<u64>(0..))]
    max_games: u64,
    /// Random seed of the simulation.
    #[arg(long, default_value_t = 1, conflicts_with = "pairs", value_parser = whole::<u64>(0..))]
    seed: u64,
}

fn pentanomial(text: &str) -> Result<Pentanomial, String> {
    let counts: Option<Vec<u64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let cells = counts.and_then(|counts| <[u64; 5]>::try_from(counts).ok());
    // Sums must not overflow.
    match cells {
        Some(cells) if cells.iter().all(|&n| n <= u64::MAX / 8) => Ok(Pentanomial(cells)),
        _ => Err("five numbers are needed, such as 3,10,40,12,5".into()),
    }
}

/// Prints the verdict on the counts, or the results of the simulation.
///
/// # Errors
/// Numbers of which no test or no match can be made.
pub fn run(args: &Args) -> Result<bool> {
    report(args, &mut std::io::stdout().lock())?;
    Ok(true)
}

fn report(args: &Args, out: &mut impl Write) -> Result<()> {
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta)?;
    let (low, high) = sprt.bounds();
    match (args.pairs, args.simulate) {
        (Some(pairs), _) => {
            writeln!(out, "Pairs: {} ({} games)", pairs.pairs(), pairs.pairs() * 2)?;
            writeln!(out, "Score: {:.2}%", 100.0 * pairs.score())?;
            writeln!(out, "Elo: {}", pairs.elo())?;
            writeln!(out, "Superiority: {:.1}%", 100.0 * pairs.superiority())?;
            let llr = sprt.llr(&pairs);
            let (elo0, elo1) = (sprt.elo0, sprt.elo1);
            writeln!(out, "LLR: {llr:.3} [{low:.3}, {high:.3}] for {elo0} against {elo1} Elo")?;
            let verdict = match sprt.verdict(&pairs) {
                SprtVerdict::H0 => format!("H0: no better than {elo0} Elo"),
                SprtVerdict::H1 => format!("H1: at least {elo1} Elo better"),
                SprtVerdict::Open => "open: more games are needed".into(),
            };
            writeln!(out, "Verdict: {verdict}")?;
        }
        (None, Some(runs)) => {
            ensure!(runs > 0 && args.max_games >= 2, "at least one run of one pair is needed");
            let elo = args.elo.context("the true Elo is needed")?;
            let model = PairModel::new(elo, args.draws, args.bias)?;
            let steps = Steps::new(runs, 0, "tests");
            let observer = || steps.step();
            let simulation = simulate(&sprt, &model, runs, args.max_games / 2, args.seed, observer);
            drop(steps);
            let share = |count: u64| 100.0 * count as f64 / runs as f64;
            let [h0, h1, open] = simulation.verdicts;
            writeln!(out, "H0: {h0} ({:.1}%)", share(h0))?;
            writeln!(out, "H1: {h1} ({:.1}%)", share(h1))?;
            writeln!(out, "Open after {} games: {open} ({:.1}%)", args.max_games, share(open))?;
            writeln!(out, "Games: {:.0} on average", 2.0 * simulation.pairs as f64 / runs as f64)?;
        }
        (None, None) => bail!("either pairs or a simulation are needed"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    fn printed(line: &str) -> Result<String> {
        let mut out = Vec::new();
        report(&parse(line)?, &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn counts_are_judged() {
        let text = printed("--pairs 10,0,90,0,20 --elo1 20").unwrap();
        assert!(text.contains("Pairs: 120 (240 games)"), "{text}");
        assert!(text.contains("Elo: +29.0 ["), "{text}");
        assert!(text.contains("LLR: ") && text.contains("Verdict: open"), "{text}");
        assert!(printed("--pairs 100,0,900,0,20").unwrap().contains("Verdict: H0"));
        assert!(printed("--pairs 20,0,900,0,100").unwrap().contains("Verdict: H1"));
    }

    #[test]
    fn simulations_count_verdicts_and_games() {
        let text = printed("--simulate 20 --elo 150 --elo0 -5 --elo1 100 --seed 3").unwrap();
        assert!(text.contains("H1: 19 (95.0%)"), "{text}");
        assert_eq!(text, printed("--simulate 20 --elo 150 --elo0 -5 --elo1 100 --seed 3").unwrap());
    }

    #[test]
    fn options_of_simulations_are_refused_with_counts() {
        for option in ["--elo 5", "--draws 0.9", "--bias 3", "--max-games 4", "--seed 2"] {
            let error = printed(&format!("--pairs 1,2,3,4,5 {option}")).unwrap_err().to_string();
            let name = option.split(' ').next().unwrap();
            assert!(error.contains(name) && error.contains("cannot be used with"), "{error}");
        }
        let error = printed("").unwrap_err().to_string();
        assert!(error.contains("--pairs <PAIRS>|--simulate <RUNS>"), "{error}");
    }

    #[test]
    fn wrong_numbers_are_refused() {
        for wrong in [
            "",
            "--pairs 1,2,3,4",
            "--pairs 1,2,3,4,x",
            "--pairs 1,2,3,4,18446744073709551615",
            "--pairs 1,2,3,4,5 --elo0 10 --elo1 5",
            "--pairs 1,2,3,4,5 --alpha 0",
            "--simulate 10",
            "--simulate 0 --elo 3",
            "--simulate 10 --elo 300 --draws 0.9",
        ] {
            assert!(printed(wrong).is_err(), "{wrong}");
        }
    }
}
