//! `goren board`: the board in the browser.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::cores;
use super::table_size::TableSize;
use super::weights;
use crate::number::whole;
use goren_board::server::{self, Options};
use goren_core::rules::Variant;
use goren_proof::NamedTrees;

/// Arguments of `goren board`.
#[derive(clap::Args)]
// All pages share the table.
#[command(mut_arg("memory", |arg| arg.default_value("512")))]
#[command(after_help = "\
Examples:
  goren board
  goren board --folder games --threads 4 --memory 2048

The page can be opened only on this machine, with the printed address, which contains a random
token. Ctrl-C ends the server. The browser keeps the games played.")]
pub struct Args {
    /// Port to listen on; default: 5515, or any free one if that is taken.
    #[arg(long, value_parser = whole::<u16>(0..))]
    port: Option<u16>,
    /// Print the address, and do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Folder whose games and databases (.db) the page may open and write, and whose winning
    /// trees it may open.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Folder of winning trees to walk through, beside those of --folder; default:
    /// GOREN_TREES, then `trees` beside the program, then src/proof/trees.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
    /// Maximum number of search threads of the engine; default: one per core.
    #[arg(long, value_parser = whole::<u16>(1..))]
    threads: Option<u16>,
    /// Random seed of levels below full; default: a new one each game.
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// Weights file for the evaluation of its games; once per rule or game. Default: the
    /// weights of the engine.
    #[arg(long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    #[command(flatten)]
    table: TableSize,
}

/// Serves the board until Ctrl-C.
///
/// # Errors
/// The port is taken, `--folder` is not a folder, or an I/O error.
pub fn run(args: &Args) -> Result<bool> {
    let options = Options {
        port: args.port,
        folder: args.folder.clone(),
        trees: NamedTrees::locate(args.trees.as_deref()).folder().map(Path::to_path_buf),
        threads: args.threads.map_or_else(cores, usize::from),
        seed: args.seed,
        weights: weights::load(&args.weights, &Variant::all())?,
        memory: args.table.bytes(),
    };
    server::run(&options, |address| {
        println!("The board is at {address}\nCtrl-C ends it.");
        if !args.no_open
            && let Err(error) = server::show(address)
        {
            eprintln!("cannot open the browser: {error}");
        }
    })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    #[test]
    fn the_default_table_has_512_mib() {
        let size = |line: &str| parse::<Args>(line).unwrap().table.bytes() >> 20;
        assert_eq!((size(""), size("--memory 3")), (512, 3));
    }
}
