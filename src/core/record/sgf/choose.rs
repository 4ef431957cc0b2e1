//! In which encoding a game is read: as the user says, as the file says beyond
//! doubt, as `CA` says, or as it looks.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::Games;
use super::tree::Reader;
use crate::record::import::{Hints, Note, Place, Question};
use crate::record::quote::excerpt;
use crate::record::text::{CodePage, Input};

/// Bytes of a root in which `CA` is sought.
const MOST_OF_ROOT: usize = 1 << 16;

/// What is known of the encodings of a file.
#[derive(Copy, Clone, Debug)]
pub(super) struct Charset {
    /// The encoding of all games, whatever they say.
    sure: Option<CodePage>,
    /// That of games that say nothing.
    default: CodePage,
    /// Whether the file is well formed UTF-8 with other characters than ASCII,
    /// and whether some of them have three bytes or more.
    utf_8: Option<Wide>,
    /// Whether the moves depend on the guess.
    doubt: bool,
}

/// Whether characters have three bytes or more: then it is no accident that
/// they are well formed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Wide(bool);

/// What is known of a file.
pub(super) fn charset(input: &Input<'_>, hints: &Hints) -> Charset {
    let said = hints.code_page.filter(|page| !page.is_utf_16());
    let sure = input.page().or(said);
    let bytes = input.bytes();
    let utf_8 = std::str::from_utf8(bytes).ok();
    let wide = utf_8.filter(|text| !text.is_ascii());
    let wide = wide.map(|text| Wide(text.chars().any(|c| c >= '\u{800}')));
    let guess = input.guess();
    let charset = Charset { sure, default: guess, utf_8: wide, doubt: false };
    // A bracket or backslash may be the second half of a character.
    let trap = |two: &[u8]| !two[0].is_ascii() && matches!(two[1], b'\\' | b']');
    if sure.is_some() || utf_8.is_some() || !bytes.windows(2).any(trap) {
        return charset;
    }
    let weigh = |page| {
        let charset = Charset { default: page, ..charset };
        weigh(Games::new(bytes, charset, hints)).map(|moves| (page, moves))
    };
    let others = [CodePage::SHIFT_JIS, CodePage::GBK, CodePage::WINDOWS_1252];
    let others = others.into_iter().filter(|&page| page != guess);
    let whole: Vec<(CodePage, u64)> =
        std::iter::once(guess).chain(others).filter_map(weigh).collect();
    match whole.first() {
        Some(&(page, moves)) => {
            let doubt = whole.iter().any(|&(_, others)| others != moves);
            Charset { default: page, doubt, ..charset }
        }
        None => charset,
    }
}

/// A number for the moves of all games; `None` if one is broken.
fn weigh(games: Games<'_>) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    for found in games {
        let game = found.game.ok().filter(|_| !found.broken)?;
        (game.size, &game.events).hash(&mut hasher);
        game.board.map(|board| board.stones).hash(&mut hasher);
    }
    Some(hasher.finish())
}

impl Charset {
    /// The encoding of the game that begins here, whether it is known, and what
    /// is to be said about that.
    pub(super) fn page(&self, bytes: &[u8], begin: usize) -> (CodePage, bool, Option<Note>) {
        if let Some(page) = self.sure {
            return (page, true, None);
        }
        let Some((byte, name)) = declared(bytes, begin) else {
            return (self.default, false, None);
        };
        let remark =
            |what: String| Some(Note::remark(Place::Byte(byte), what).asking(Question::Encoding));
        let Some(page) = CodePage::named(&name).filter(|page| !page.is_utf_16()) else {
            let what = format!("CA[{}] is no encoding that is known", excerpt(&name));
            return (self.default, false, remark(what));
        };
        // Some programs convert a text and leave the property.
        let converted = self.utf_8.is_some_and(|Wide(wide)| wide || page.is_single_byte());
        if converted && page != CodePage::UTF_8 {
            let what = format!("CA[{}], but the text is UTF-8", excerpt(&name));
            return (CodePage::UTF_8, true, remark(what));
        }
        (page, true, None)
    }

    /// What is to be said of the guess where a game has other characters than
    /// ASCII and does not say its encoding.
    pub(super) fn guessed(&self, page: CodePage) -> Option<Note> {
        let name = page.name();
        let note = if self.doubt {
            let what = format!(
                "no encoding is declared (CA), and it decides which moves there are: taken for \
                 {name}"
            );
            Note::doubt(Place::File, what)
        } else if page != CodePage::UTF_8 {
            Note::remark(Place::File, format!("no encoding is declared (CA): taken for {name}"))
        } else {
            return None;
        };
        Some(note.asking(Question::Encoding))
    }
}

/// What the root of a game says of its encoding, and where. The root may have
/// characters that look like brackets: it is read both ways.
fn declared(bytes: &[u8], begin: usize) -> Option<(usize, String)> {
    let end = begin.saturating_add(MOST_OF_ROOT);
    [CodePage::WINDOWS_1252, CodePage::GBK].into_iter().find_map(|page| {
        let root = Reader::new(bytes, begin, page).root(end);
        let value = root.iter().find(|value| value.name.as_str() == "CA" && value.first)?;
        let name = value.text().0.into_owned();
        (!name.is_empty()).then_some((value.byte, name))
    })
}
