//! Files of games and boards.

use goren_core::record::diagram::Drawn;
use goren_core::record::import::{Hints, ImportedGame, Place};
use goren_core::record::lib::{Limits, Tree};
use goren_core::record::text::{CodePage, Input};
use goren_core::record::{diagram, psq as psq_file, sgf as sgf_file};
use goren_core::rules::{RuleId, Setup, Variant};
use goren_database::{Store, renlib};

use super::choice_and_text;

/// Maximum number of records that are exported to a library.
const MAX_EXPORTED: usize = 4;

/// Names of encodings.
const PAGES: [&str; 9] =
    ["utf-8", "shift_jis", "gbk", "gb18030", "big5", "euc-kr", "euc-jp", "iso-2022-jp", "utf-16"];

/// Hints that a user may give, chosen by a byte.
fn hints(choice: usize) -> Hints {
    let all = Variant::all();
    let page = PAGES.get(choice / 16).and_then(|name| CodePage::named(name));
    let variant = (choice % 2 == 1).then(|| all[choice % all.len()]);
    Hints { variant, code_page: page, ..Hints::default() }
}

/// Piskvork's files: games read are written and read again.
pub fn psq(input: &[u8]) -> bool {
    let mut has_moves = false;
    let (choice, text) = choice_and_text(input);
    let hints = hints(choice);
    for game in psq_file::read(&text, &hints).take(1000).flatten() {
        has_moves |= !game.events.is_empty();
        // The file has the rule next to the result, and may lack it.
        let rule = game.variant.unwrap_or(Variant::Five(RuleId::Freestyle));
        let named = ImportedGame { variant: Some(rule), ..game.clone() };
        let Ok(written) = psq_file::write(&named) else { continue };
        let again = psq_file::read(&written, &hints).next().expect("a game");
        let again = again.expect("what was written");
        assert_eq!((&again.events, again.result), (&game.events, game.result), "{written:?}");
        let twice = psq_file::write(&ImportedGame { variant: Some(rule), ..again });
        assert_eq!(twice.as_ref(), Ok(&written));
    }
    has_moves
}

/// SGF, games and boards, in any encoding: games read are written, read again
/// and written the same.
pub fn sgf(input: &[u8]) -> bool {
    let mut has_moves = false;
    let (&choice, bytes) = input.split_first().unwrap_or((&0, &[]));
    let hints = hints(choice.into());
    let Ok(input) = Input::new(bytes, hints.code_page) else { return false };
    for game in sgf_file::read(&input, &hints).take(1000).flatten() {
        has_moves |= !game.events.is_empty();
        if game.board.is_some() {
            continue;
        }
        let written = sgf_file::write(&game);
        let file = Input::new(written.as_bytes(), None).expect("UTF-8");
        // If the file names no game, the user's hints do.
        let hints = Hints { code_page: None, ..hints };
        let mut again = sgf_file::read(&file, &hints);
        let again = again.next().expect("a game").expect("what was written");
        assert_eq!((&again.events, again.result), (&game.events, game.result), "{written:?}");
        // An unknown rule is not written, and the reader may guess one.
        let again = ImportedGame { variant: game.variant, ..again };
        assert_eq!(sgf_file::write(&again), written);
    }
    has_moves
}

/// Any bytes as text: all places are within the file.
pub fn text(input: &[u8]) -> bool {
    let (&choice, bytes) = input.split_first().unwrap_or((&0, &[]));
    let code_page = hints(choice.into()).code_page;
    let Ok(input) = Input::new(bytes, code_page) else { return false };
    let text = input.decode(code_page);
    let mut last = 0;
    for (at, _) in text.as_str().char_indices().take(64) {
        let Place::Byte(byte) = text.place(Place::Byte(at)) else { panic!("no byte") };
        assert!(last <= byte && byte <= bytes.len(), "{last} {byte}");
        last = byte;
    }
    let notes = text.notes().iter().chain(input.notes());
    for note in notes {
        assert!(!matches!(note.place, Place::Byte(byte) if byte > bytes.len()));
    }
    !text.as_str().is_empty()
}

/// Drawn boards.
pub fn board(input: &[u8]) -> bool {
    let text = String::from_utf8_lossy(input);
    let Ok(Drawn { board, .. }) = diagram::read(&text) else { return false };
    for &(cell, _) in &board.stones {
        assert!(cell.x() < board.width && cell.y() < board.height);
    }
    !board.stones.is_empty()
}

/// RenLib libraries: read within limits, written, imported into a database and
/// exported from it.
pub fn renlib(input: &[u8]) -> bool {
    let limits = Limits { nodes: 4096, text: 1 << 16 };
    let (tree, is_whole) = match Tree::read_within(input, limits) {
        Ok(tree) => (tree, true),
        Err(error) => (*error.tree, false),
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
    // The export looks up all children of each record, which is slow.
    if store.len() <= MAX_EXPORTED {
        // A code page may lack a character.
        let _ = renlib::export(&store, setup, &[], tree.code_page());
    }
    is_whole && !tree.is_empty()
}
