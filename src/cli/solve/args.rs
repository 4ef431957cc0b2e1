//! The arguments of `goren solve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::seconds::seconds;
use crate::variant::Board;

/// Arguments of `goren solve`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub(super) board: Board,
    /// What is sought in five in a row.
    #[arg(long, value_enum, default_value_t = Goal::Win)]
    pub(super) goal: Goal,
    /// With `--goal vcf`: the shortest win by fours, not the first one found.
    #[arg(long)]
    pub(super) shortest: bool,
    /// Seconds after which the search in five in a row ends.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(super) time: Duration,
    /// Where the winning tree goes, for `goren check` and `goren walk`.
    #[arg(long, value_name = "FILE")]
    pub(super) proof: Option<PathBuf>,
    /// Threads, in five in a row; without it one for each core.
    #[arg(long)]
    pub(super) threads: Option<usize>,
    /// MiB of the solver's table.
    #[arg(long, default_value_t = 1024)]
    pub(super) memory: usize,
    /// A file of positions, the moves of one a line, instead of MOVES.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "proof"])]
    pub(super) file: Option<PathBuf>,
    /// Moves played before, such as d1 d2 e1 or h8i9j8; columns such as d d e
    /// where pieces fall.
    pub(super) moves: Vec<String>,
}

/// What is sought.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Goal {
    /// A win by fours alone.
    Vcf,
    /// A win by fours and open threes, and by what threatens such.
    Vct,
    /// A win by any moves.
    Win,
}
