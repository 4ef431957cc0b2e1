//! Arguments of `goren solve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::number::whole;
use crate::position::PositionArgs;
use crate::seconds::seconds;

/// Arguments of `goren solve`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren solve --goal vct --time 10 --proof win.tree h8a1i9b1h9a15
  goren solve --goal vcf --shortest --game renju --file positions.txt
  goren solve --plies 20 game.sgf
  goren solve --game four-in-a-row --size 7x6 d d e")]
pub struct Args {
    #[command(flatten)]
    pub(super) source: PositionArgs,
    /// What to look for (freestyle, gomoku, renju, caro, caro-exact).
    #[arg(long, value_enum, ignore_case = true, default_value_t = Goal::Win)]
    pub(super) goal: Goal,
    /// With `--goal vcf`: find the shortest win by fours, not just any.
    #[arg(long)]
    pub(super) shortest: bool,
    /// Time limit in seconds; default: none for four-in-a-row, else 60.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) time: Option<Duration>,
    /// Write the winning tree to FILE, for `goren check` and `goren walk`. A tree of the
    /// same claim is replaced; a file that holds something else stays as it is.
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// Threads; default: one per core. four-in-a-row is solved by one.
    #[arg(long, value_parser = whole::<usize>(1..))]
    pub(super) threads: Option<usize>,
    /// Transposition table of the solver in MiB.
    #[arg(long, default_value_t = 1024, value_parser = whole::<usize>(1..))]
    pub(super) memory: usize,
    /// Solve every line of FILE, each the moves of a position, instead of POSITION.
    /// Lines that begin with # are comments.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "proof"])]
    pub(super) file: Option<PathBuf>,
}

/// Default time for a position of five in a row.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

impl Args {
    /// Time for a position of five in a row.
    pub(super) fn time_for_five(&self) -> Duration {
        self.time.unwrap_or(DEFAULT_TIME)
    }
}

/// Kind of win to search for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Goal {
    /// VCF: a win by fours alone.
    Vcf,
    /// VCT: a win by fours, open threes, and moves that threaten them.
    Vct,
    /// A win by any moves.
    Win,
}
