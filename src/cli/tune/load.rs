//! Loading of training positions from files of games.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::args::Args;
use super::loaded::Loaded;
use super::own_weights::with_own_weights;
use super::positions::Layout;
use super::replay::{Replayed, Replayer};
use goren_core::rules::{Rule, RuleId, Visitor};
use goren_core::types::keys::mix;
use goren_training_data::{DataError, FrameFault, PackedGame, Reader};

/// Games taken apart side by side at a time.
const GAMES: usize = 2048;

/// Which games are wanted, and what becomes of them.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// Their variant.
    pub rule: RuleId,
    /// Rows and columns of the board, if not any.
    pub size: Option<usize>,
    /// Most positions to keep.
    pub positions: usize,
    /// Part of the games that is held out.
    pub valid: f64,
    /// What chooses them.
    pub seed: u64,
    /// Whether the whole games of a file that is damaged or cut short are
    /// used, instead of none.
    pub whole_games: bool,
}

impl Choice {
    /// What the arguments say of games of a variant.
    pub fn of(args: &Args, rule: RuleId) -> Choice {
        Choice {
            rule,
            size: args.size.0,
            positions: args.positions,
            valid: args.valid,
            seed: args.seed,
            whole_games: args.whole_games,
        }
    }

    /// Whether a game is of the variant and on such a board.
    pub fn takes(&self, game: &PackedGame) -> bool {
        let setup = game.setup;
        let fits = self.size.is_none_or(|n| setup.width == n && setup.height == n);
        setup.rule == self.rule && fits
    }
}

/// Whether a game is held out: by its opening and seed alone, so that copies
/// of a game go the same way.
pub(super) fn held_out(game: &PackedGame, choice: &Choice) -> bool {
    let start = mix(choice.seed ^ mix(game.seed));
    let hash = game.opening.iter().fold(start, |hash, cell| mix(hash ^ cell.index() as u64));
    (hash >> 11) as f64 / (1u64 << 53) as f64 <= choice.valid
}

/// Reads games until there are enough positions.
///
/// # Errors
/// A file cannot be read, or is damaged and more than its whole games is
/// wanted; a game that cannot be replayed.
pub(super) fn load(
    files: &[PathBuf],
    layout: Layout,
    choice: &Choice,
    progress: &ProgressBar,
) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    let mut batch = Vec::with_capacity(GAMES);
    for file in files {
        for game in Reader::open(file)? {
            match game {
                Ok(game) => {
                    if choice.takes(&game) {
                        batch.push(game);
                    } else {
                        loaded.others += 1;
                    }
                }
                Err(error) if choice.whole_games => loaded.faults.push(error.to_string()),
                Err(error) => return Err(refused(error)),
            }
            if batch.len() == GAMES {
                add(&mut loaded, &mut batch, layout, choice)?;
                progress.set_position(loaded.positions.len() as u64);
                if loaded.positions.len() >= choice.positions {
                    return Ok(loaded);
                }
            }
        }
    }
    add(&mut loaded, &mut batch, layout, choice)?;
    Ok(loaded)
}

/// The error for a file that is damaged or none, with what may be done about it.
pub(super) fn refused(error: DataError) -> anyhow::Error {
    let other = error.game == 0 && matches!(error.fault, FrameFault::NoGame);
    if other {
        return anyhow!(
            "{}: no games of five in a row: the file is of another game or form; `goren selfplay` \
             writes such files",
            error.path.display()
        );
    }
    let before = error.game > 0;
    let error = anyhow::Error::from(error);
    if before { error.context("with --whole-games the games before it are used") } else { error }
}

/// Adds the positions of games that were not there before.
fn add(
    loaded: &mut Loaded,
    batch: &mut Vec<PackedGame>,
    layout: Layout,
    choice: &Choice,
) -> Result<()> {
    let replayed: Vec<Result<Replayed>> = batch
        .par_iter()
        .map_init(
            || Replayer::new(layout),
            |replayer, game| {
                let replay = Replay { replayer, game, held_out: held_out(game, choice) };
                with_own_weights(choice.rule, replay)
                    .with_context(|| format!("game {:x}", game.seed))
            },
        )
        .collect();
    batch.clear();
    for replayed in replayed {
        let replayed = replayed?;
        loaded.strange += replayed.strange;
        if loaded.add(&replayed.positions, &replayed.keys, choice.positions) {
            break;
        }
    }
    Ok(())
}

struct Replay<'a> {
    replayer: &'a mut Replayer,
    game: &'a PackedGame,
    held_out: bool,
}

impl Visitor for Replay<'_> {
    type Out = Result<Replayed>;

    fn visit<R: Rule>(self) -> Self::Out {
        Ok(self.replayer.replay::<R>(self.game, self.held_out)?)
    }
}
