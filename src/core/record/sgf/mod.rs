//! Games in SGF (Smart Game Format), `FF[4]` with `GM[4]`: gomoku, renju and their
//! family. See <https://www.red-bean.com/sgf/>.
//!
//! A point is two letters from `a`, column and row from the upper left, or, as on Little Golem, a
//! letter and the number of the row from the bottom. A turn of Connect6 is two nodes, two values
//! or two points in one value: `W[ii];W[kk]`, `W[ii][kk]`, `W[i9k11]`. `B[]` is a pass, and so is
//! `B[tt]` on boards up to 19x19; `B[swap]` is a swap, `B[resign]` a resignation. `CA` names the
//! encoding of each game separately.
//!
//! Files written by Goren name the game in `RU` and the opening in `ON`. If an opening has swaps,
//! offers or declared numbers, `PLY` holds all plies in the notation of the game; the nodes show
//! the stones to other programs. `TIEBREAK`: the first player to pass wins what would be a draw.
//! `STRICT`: only one of several mirrored or rotated renju openings is allowed. The comment of a
//! move holds its statistics: `C[120ms; depth 12; nodes 5000; eval +M13]`; that of a stone placed
//! before the game is `C[opening move]`. The forms of the time and the opening move are those of
//! c-gomoku-cli. `TE` holds the reason for the end of the game.

mod charset;
mod choose;
mod comment;
mod game;
mod games;
mod info;
mod lay_out;
mod moves;
mod next_game;
mod op;
mod swallow;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_damage;
#[cfg(test)]
mod tests_of_trees;
mod tree;
mod variations;
mod write;
mod write_tree;

pub use comment::move_comment;
pub use variations::{Line, Lines, Remark, Sign, lines};
pub use write::write;
pub use write_tree::{TreeNode, write_tree};

use super::import::{Hints, ImportedGame, UnreadableGame};
use super::text::Input;
use choose::charset;
use games::SgfGames;
use next_game::next_game;
use swallow::headless;

/// Lazily reads the games of a file, of each its main line. A game that cannot be read does not
/// hide the others.
pub fn read<'a>(
    input: &'a Input<'a>,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    let charset = charset(input, hints);
    SgfGames::new(input.bytes(), charset, hints).map(|found| found.game)
}

/// Whether a text looks like SGF, possibly without the `(;` of its game.
pub fn looks(bytes: &[u8]) -> bool {
    next_game(bytes, 0).is_some() || headless(bytes).is_some()
}
