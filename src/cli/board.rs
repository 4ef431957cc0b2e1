//! `goren board`: the board in the browser.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::number::whole;
use goren_board::server::{self, Options};
use goren_proof::NamedTrees;

/// Arguments of `goren board`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren board
  goren board --folder games --threads 4 --memory 2048

The page is served on this machine alone, to whoever has the address: it holds a random
token. Ctrl-C ends it. What was played is kept in the browser.")]
pub struct Args {
    /// Port to listen on; default: 5515, or any that is free where that is taken.
    #[arg(long, value_parser = whole::<u16>(0..))]
    port: Option<u16>,
    /// Print the address, and do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Folder whose files of games the page may open and write; winning trees in it too.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Folder of winning trees to walk through, beside those of --folder; default:
    /// GOREN_TREES, then `trees` beside the program, then src/proof/trees.
    #[arg(long, value_name = "FOLDER")]
    trees: Option<PathBuf>,
    /// Most search threads of the engine; default: one per core.
    #[arg(long, value_parser = whole::<u16>(1..))]
    threads: Option<u16>,
    /// Seed of what a level below full chooses by chance; default: another in each
    /// game.
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// Memory for the transposition table, in MiB.
    #[arg(long, default_value_t = 512, value_parser = whole::<u32>(1..=1 << 20))]
    memory: u32,
}

/// Serves the board until Ctrl-C.
///
/// # Errors
/// The port is taken, the folder is none, or what the system says.
pub fn run(args: &Args) -> Result<bool> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        port: args.port,
        folder: args.folder.clone(),
        trees: NamedTrees::usual(args.trees.as_deref()).folder().map(Path::to_path_buf),
        threads: args.threads.map_or_else(cores, usize::from),
        seed: args.seed,
        memory: (args.memory as usize) << 20,
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
