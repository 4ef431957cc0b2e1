//! List of the shipped trees.

use anyhow::{Result, bail, ensure};

use goren_proof::{Entry, NamedTrees};
use goren_trees::packed::Part;
use goren_trees::{TreeFile, open};

/// Counts the moves of a packed tree in its file.
///
/// # Errors
/// The file cannot be read, or the index has other numbers.
fn moves(entry: &Entry) -> Result<u64> {
    let TreeFile::Packed(packed) = open(&entry.packed())? else { bail!("the tree is not packed") };
    let part_counts = packed.parts().iter().map(Part::counts);
    let (mut answers, mut moves) = (0, 0);
    for counts in part_counts {
        let (part_answers, part_moves) = counts?;
        answers += part_answers;
        moves += part_moves;
    }
    ensure!(
        (answers, moves) == (entry.answers, entry.moves),
        "{answers} answers and {moves} moves, but the index says {} and {}",
        entry.answers,
        entry.moves
    );
    Ok(moves)
}

/// Checks the file of a tree.
fn check_entry(entry: &Entry, count_moves: bool) -> Result<()> {
    entry.is_sound()?;
    if count_moves {
        moves(entry)?;
    }
    Ok(())
}

/// Prints the list. Returns whether all files agree with the index. Without `count_moves` the
/// numbers of moves are taken from the index.
///
/// # Errors
/// There is no index.
pub(super) fn list(named: &NamedTrees, count_moves: bool) -> Result<bool> {
    let entries = named.entries()?;
    let longest = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0).max(4);
    let [name, game, board, opening] = ["name", "game", "board", "opening"];
    let [claim, moves, bytes, checksum] = ["claim", "moves", "bytes", "checksum"];
    println!(
        "{name:<longest$}  {game:<10} {board:>6}  {opening:<8} {claim:<27} {moves:>10} \
         {bytes:>10}  {checksum}"
    );
    let mut sound = true;
    for entry in &entries {
        let [game, board, opening] = entry.game();
        let claim = claim_words(entry);
        let (moves, bytes) = (entry.moves, entry.bytes);
        let result = check_entry(entry, count_moves);
        sound &= result.is_ok();
        let verdict =
            result.as_ref().map_or_else(|error| format!("WRONG: {error:#}"), |()| "ok".into());
        let name = &entry.name;
        println!(
            "{name:<longest$}  {game:<10} {board:>6}  {opening:<8} {claim:<27} {moves:>10} \
             {bytes:>10}  {verdict}"
        );
    }
    Ok(sound)
}

/// Formats the winner and the side to move.
fn claim_words(entry: &Entry) -> String {
    let [winner, next] = entry.winner();
    format!("{winner} wins, {next} to move")
}
