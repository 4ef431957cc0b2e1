//! Files of games and boards.

use goren::database::{Store, renlib};
use goren::record::diagram::Drawn;
use goren::record::lib::{Limits, Tree};
use goren::record::{GameRecord, diagram, psq as psq_file, sgf as sgf_file};
use goren::rules::{RuleId, Setup};

use super::choice_and_text;

/// Records that are made a library of.
const MOST_EXPORTED: usize = 4;

/// A rule by a byte.
fn rule(choice: usize) -> RuleId {
    RuleId::ALL[choice % RuleId::ALL.len()]
}

fn stones(game: &GameRecord) -> Vec<goren::types::Cell> {
    game.stones().collect()
}

/// Piskvork's files: what is read is written and read again.
pub fn psq(input: &[u8]) {
    let (choice, text) = choice_and_text(input);
    let default = Setup { rule: rule(choice), width: 15, height: 15 };
    let Ok(game) = psq_file::read(&text, default) else { return };
    let written = psq_file::write(&game);
    let again = psq_file::read(&written, default).expect("what was written");
    assert_eq!(stones(&again), stones(&game), "{written:?}");
    // The rule stands beside the result.
    if game.result.is_some() {
        assert_eq!((again.setup, again.result), (game.setup, game.result), "{written:?}");
    }
}

/// SGF, games and boards: what is read is written and read again.
pub fn sgf(input: &[u8]) {
    let (choice, text) = choice_and_text(input);
    // Either may refuse what the other reads.
    let _ = sgf_file::boards(&text, rule(choice));
    for game in sgf_file::read(&text, rule(choice)).unwrap_or_default() {
        let written = sgf_file::write(&game);
        let again = sgf_file::read(&written, rule(choice)).expect("what was written");
        let [again] = &again[..] else { panic!("{} games", again.len()) };
        assert_eq!((again.setup, stones(again)), (game.setup, stones(&game)), "{written:?}");
    }
}

/// Drawn boards.
pub fn board(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok(Drawn { board, .. }) = diagram::read(&text) else { return };
    for (cell, _) in board.stones {
        assert!(cell.x() < board.width && cell.y() < board.height);
    }
}

/// RenLib libraries: read within limits, written, taken into a database and
/// given out of it.
pub fn renlib(input: &[u8]) {
    let limits = Limits { nodes: 4096, text: 1 << 16 };
    let tree = match Tree::read_within(input, limits) {
        Ok(tree) => tree,
        Err(error) => *error.tree,
    };
    assert!(tree.len() <= limits.nodes + 1);
    let mut file = Vec::new();
    tree.write(&mut file).expect("memory takes all");
    let mut again = Vec::new();
    let read = Tree::read(&file[..]).expect("what was written");
    read.write(&mut again).expect("memory takes all");
    assert_eq!(file, again);
    let setup = Setup { rule: RuleId::Renju, width: 15, height: 15 };
    let mut store = Store::default();
    renlib::import(&tree, setup, tree.code_page(), &mut store).expect("a board of 15x15");
    // All children of a record are looked up, which takes long.
    if store.len() <= MOST_EXPORTED {
        // A code page may lack a character.
        let _ = renlib::export(&store, setup, &[], tree.code_page());
    }
}
