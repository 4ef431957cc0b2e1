//! Winning trees as a book: where the side to move has one, its move is played.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::proof::{self, Checker, Damage, Ground, Keys, Proof, ProofError};
use crate::search::Game;
use crate::types::{Cell, Color, Stone};

/// Largest file that is read.
const MOST_BYTES: u64 = 1 << 28;
/// Most stones of the enemy that a tree may know nothing of.
const MOST_ASIDE: usize = 3;
/// Positions that are looked at to see that such stones change nothing: some
/// hundredths of a second.
const MOST_VISITS: u64 = 2_000;

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Nothing that could be read to an end.
    #[error("not a plain file")]
    NotPlain,
    /// It is larger than any tree.
    #[error("larger than {MOST_BYTES} bytes")]
    Long,
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no file of a tree.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// Part of it makes no sense.
    #[error("damaged at byte {}", .0.offset)]
    Damaged(Damage),
}

/// The trees a client named.
#[derive(Default)]
pub struct Proofs(Vec<Proof>);

impl Proofs {
    /// Reads a file. A tree of the same claim gives way to it.
    ///
    /// # Errors
    /// The file cannot be read, or is no whole tree; all stays as it was.
    pub fn load(&mut self, path: &Path) -> Result<(), LoadError> {
        let data = fs::metadata(path)?;
        if !data.is_file() {
            return Err(LoadError::NotPlain);
        }
        if data.len() > MOST_BYTES {
            return Err(LoadError::Long);
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
        let (proof, damage) = proof::read(&bytes)?;
        if let Some(damage) = damage {
            return Err(LoadError::Damaged(damage));
        }
        self.0.retain(|other| other.claim != proof.claim);
        self.0.push(proof);
        Ok(())
    }

    /// A move that wins in the position of a game.
    pub fn advise(&self, game: &dyn Game) -> Option<Cell> {
        let colored = |(cell, stone)| match stone {
            Stone::Of(color) => Some((cell, color)),
            Stone::Wall => None,
        };
        let stones: Vec<(Cell, Color)> =
            game.stones().into_iter().map(colored).collect::<Option<_>>()?;
        let (setup, to_move) = (game.setup(), game.to_move());
        let fits = |proof: &&Proof| proof.claim.setup == setup && proof.claim.attacker == to_move;
        let mut fitting = self.0.iter().filter(fits).peekable();
        fitting.peek()?;
        let mut ground = Ground::new(setup);
        for &(cell, color) in &stones {
            ground.place(cell, color).ok()?;
        }
        fitting.find_map(|proof| {
            let root = &proof.claim.root.stones;
            let aside: Vec<Cell> = stones
                .iter()
                .filter(|stone| stone.1 != to_move && !root.contains(stone))
                .map(|stone| stone.0)
                .collect();
            let mut bases = Vec::new();
            let known = |keys: &Keys| !proof.get(&ground.spot(keys)).is_empty();
            for count in 0..=MOST_ASIDE {
                without(&ground, ground.keys(), &aside, !to_move, count, &mut |keys| {
                    bases.extend(Some(keys).filter(known));
                });
            }
            let mut checker = Checker::new(setup, to_move, proof);
            checker.ground = ground.clone();
            checker.advise(&bases, MOST_VISITS).map(|(m, _)| m)
        })
    }
}

/// Tells the keys of the stones with any `count` of `aside` taken off.
fn without(
    ground: &Ground,
    keys: Keys,
    aside: &[Cell],
    color: Color,
    count: usize,
    tell: &mut impl FnMut(Keys),
) {
    if count == 0 {
        return tell(keys);
    }
    for (i, &cell) in aside.iter().enumerate() {
        let fewer = ground.toggled(keys, cell, color);
        without(ground, fewer, &aside[i + 1..], color, count - 1, tell);
    }
}
