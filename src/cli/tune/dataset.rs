//! The encoded positions of a fit, without duplicates, and their split.

use anyhow::Result;
use fxhash::FxHashSet;

use super::args::Args;
use super::encoded::EncodedPositions;
use super::evaluation::best_scale;
use super::label::TrainingLabel;
use super::load::{GameForm, load};
use goren_core::rules::Variant;

/// The encoded positions of one game.
#[derive(Default)]
pub(super) struct EncodedGame {
    /// The positions.
    pub positions: EncodedPositions,
    /// A key for each; a position whose key was seen before is left out.
    pub keys: Vec<u64>,
    /// Positions whose best move is not among the moves that the search tries first; the
    /// ordering does not learn from them.
    pub unlisted: usize,
}

/// Reads the wanted training games and encodes their positions, each position once.
///
/// # Errors
/// Those of [`load`].
pub(super) fn read_distinct<G: GameForm>(
    args: &Args,
    is_wanted: impl Fn(Variant) -> bool + Sync,
    encode: impl Fn(&G, bool) -> Result<EncodedGame> + Sync,
) -> Result<EncodedPositions> {
    let mut distinct = Distinct::default();
    let encode = |game: G, held_out| encode(&game, held_out);
    load(args, is_wanted, encode, |game| distinct.add(&game, args.positions))?;
    let Distinct { positions, repeated, unlisted, .. } = distinct;
    println!("{} positions; passed over: {repeated} seen before.", positions.len());
    if unlisted > 0 {
        println!("{unlisted} best moves are outside the main move list: left out of the ordering.");
    }
    Ok(positions)
}

/// Positions of many games, each once.
#[derive(Default)]
struct Distinct {
    positions: EncodedPositions,
    seen: FxHashSet<u64>,
    /// Positions seen before.
    repeated: usize,
    /// See [`EncodedGame::unlisted`].
    unlisted: usize,
}

impl Distinct {
    /// Adds the positions of a game with new keys. Returns whether there are `max` positions
    /// now.
    fn add(&mut self, game: &EncodedGame, max: usize) -> bool {
        self.unlisted += game.unlisted;
        for (at, &key) in game.keys.iter().enumerate() {
            if self.positions.len() >= max {
                break;
            }
            if self.seen.insert(key) {
                self.positions.push_from(&game.positions, at);
            } else {
                self.repeated += 1;
            }
        }
        self.positions.len() >= max
    }
}

/// Indices of positions: those to learn from, and those held out.
pub(super) struct Split {
    /// To learn from.
    pub train: Vec<u32>,
    /// Held out, for validation.
    pub valid: Vec<u32>,
}

impl Split {
    /// Divides the positions of these labels, and prints how many there are.
    pub fn of(labels: &[TrainingLabel]) -> Split {
        let all = 0..labels.len() as u32;
        let (valid, train): (Vec<u32>, Vec<u32>) =
            all.partition(|&at| labels[at as usize].held_out);
        println!("{} positions to learn from, {} held out.", train.len(), valid.len());
        Split { train, valid }
    }

    /// The indices to learn from and those held out.
    pub fn parts(&self) -> [&[u32]; 2] {
        [&self.train, &self.valid]
    }

    /// The points a logit at which the scores of the search fit the results best; prints them.
    /// `None` if there are no results.
    pub fn best_scale(&self, labels: &[TrainingLabel]) -> Option<f32> {
        let best = best_scale(self.train.iter().map(|&at| &labels[at as usize]));
        if let Some(best) = best {
            println!("The scores of the search fit the results best at {best:.0} points a logit.");
        }
        best
    }

    /// The positions that have candidates, from which the ordering is fitted.
    pub fn with_candidates(&self, data: &EncodedPositions) -> Split {
        let with_choice = |part: &[u32]| {
            let has = |at: &u32| !data.candidates_at(*at as usize).is_empty();
            part.iter().copied().filter(has).collect()
        };
        Split { train: with_choice(&self.train), valid: with_choice(&self.valid) }
    }
}
