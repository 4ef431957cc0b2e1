//! Chooses the encodings of a file. If a bracket may be the second half of a character, the games
//! are read in several encodings and compared.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::charset::{Charset, Wide};
use super::games::SgfGames;
use crate::record::import::Hints;
use crate::record::text::{CodePage, Input};

/// Collects what is known about the encodings of a file.
pub(super) fn charset(input: &Input<'_>, hints: &Hints) -> Charset {
    let given = hints.code_page.filter(|page| !page.is_utf_16());
    let sure = input.page().or(given);
    let bytes = input.bytes();
    let utf_8 = std::str::from_utf8(bytes).ok();
    let wide = utf_8.filter(|text| !text.is_ascii());
    let wide = wide.map(|text| Wide(text.chars().any(|c| c >= '\u{800}')));
    let guess = input.guess();
    let charset = Charset { sure, default: guess, utf_8: wide, doubt: false };
    // A bracket or backslash may be the second half of a character.
    let is_ambiguous = |pair: &[u8]| !pair[0].is_ascii() && matches!(pair[1], b'\\' | b']');
    if sure.is_some() || utf_8.is_some() || !bytes.windows(2).any(is_ambiguous) {
        return charset;
    }
    let read_in = |page| {
        let charset = Charset { default: page, ..charset };
        hash_moves(SgfGames::new(bytes, charset, hints)).map(|moves| (page, moves))
    };
    let others = [CodePage::SHIFT_JIS, CodePage::GBK, CodePage::WINDOWS_1252];
    let others = others.into_iter().filter(|&page| page != guess);
    let readable: Vec<(CodePage, u64)> =
        std::iter::once(guess).chain(others).filter_map(read_in).collect();
    match readable.first() {
        Some(&(page, moves)) => {
            let doubt = readable.iter().any(|&(_, others)| others != moves);
            Charset { default: page, doubt, ..charset }
        }
        None => charset,
    }
}

/// Hashes the moves of all games; `None` if a game is broken.
fn hash_moves(games: SgfGames<'_>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    for found in games {
        let game = found.game.ok().filter(|_| !found.broken)?;
        (game.size, &game.events).hash(&mut hasher);
        game.board.map(|board| board.stones).hash(&mut hasher);
    }
    Some(hasher.finish())
}
