//! Games in SGF (Smart Game Format), `FF[4]` with `GM[4]`: gomoku, renju and their
//! family. See <https://www.red-bean.com/sgf/>.
//!
//! A point is two letters from `a`, column and row from the upper left, or, as
//! Little Golem has it, a letter and the number of the row from the bottom. A
//! turn of Connect6 is two nodes, two values or two points in one: `W[ii];W[kk]`,
//! `W[ii][kk]`, `W[i9k11]`. `B[]` is a pass, also `B[tt]` on boards up to 19x19;
//! `B[swap]` and `B[resign]` are what they say. `CA` names the encoding, of each
//! game for itself.
//!
//! Our own files name the game in `RU` and the opening in `ON`, and where an
//! opening has swaps, offers and declared numbers, `PLY` holds all plies in the
//! notation of the game; the nodes show the stones to other programs. `TIEBREAK`
//! says that the first to pass wins what would be a draw, `STRICT` that only one of
//! several mirrored or rotated renju openings is allowed. The
//! comment of a move tells its time and what the mover thought:
//! `C[120ms; depth 12; nodes 5000; eval +M13]`; that of a stone set before the
//! game is `C[opening move]`. The time and the opening move stand as
//! c-gomoku-cli writes them; `TE` has the reason of the end.

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

/// The games of a file, of each its main line, as they are asked for. One that
/// cannot be read does not hide the others.
pub fn read<'a>(
    input: &'a Input<'a>,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    let charset = charset(input, hints);
    SgfGames::new(input.bytes(), charset, hints).map(|found| found.game)
}

/// Whether a text is SGF, or would be with the first signs of its game.
pub fn looks(bytes: &[u8]) -> bool {
    next_game(bytes, 0).is_some() || headless(bytes).is_some()
}
