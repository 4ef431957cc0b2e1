//! Chooses the encoding of each game: the user's, the one the file leaves no doubt about, that of
//! `CA`, or a guess.

use super::tree::TreeReader;
use crate::record::import::{Note, Place, Question};
use crate::record::quote::excerpt;
use crate::record::text::CodePage;

/// Maximum number of bytes of a root that are searched for `CA`.
const MAX_OF_ROOT: usize = 1 << 16;

/// What is known about the encodings of a file.
#[derive(Copy, Clone, Debug)]
pub(super) struct Charset {
    /// The encoding of all games, whatever they declare.
    pub(super) sure: Option<CodePage>,
    /// The encoding of games that declare none.
    pub(super) default: CodePage,
    /// Set if the file is well-formed UTF-8 with characters other than ASCII.
    pub(super) utf_8: Option<Wide>,
    /// Whether the moves depend on the guess.
    pub(super) doubt: bool,
}

/// Whether some characters have three bytes or more: then the text is not UTF-8 by accident.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Wide(pub(super) bool);

/// The encoding of a game, and how it was found.
pub(super) struct Encoding {
    /// The encoding.
    pub(super) page: CodePage,
    /// Whether the encoding is a guess.
    is_guess: bool,
    /// Byte and name of a declared encoding that is unknown.
    unknown: Option<(usize, String)>,
    /// Note for the user about the encoding.
    pub(super) note: Option<Note>,
}

impl Encoding {
    fn known(page: CodePage) -> Encoding {
        Encoding { page, is_guess: false, unknown: None, note: None }
    }
}

impl Charset {
    /// Returns the encoding of the game that begins at a byte.
    pub(super) fn encoding(&self, bytes: &[u8], begin: usize) -> Encoding {
        if let Some(page) = self.sure {
            return Encoding::known(page);
        }
        let guess = Encoding { is_guess: true, ..Encoding::known(self.default) };
        let Some((byte, name)) = declared(bytes, begin) else { return guess };
        let Some(page) = CodePage::named(&name).filter(|page| !page.is_utf_16()) else {
            return Encoding { unknown: Some((byte, name)), ..guess };
        };
        // Some programs convert a text but leave the property as it was.
        let converted = self.utf_8.is_some_and(|Wide(wide)| wide || page.is_single_byte());
        if converted && page != CodePage::UTF_8 {
            let what = format!("CA[{}], but the text is UTF-8", excerpt(&name));
            let note = Note::remark(Place::Byte(byte), what).asking(Question::Encoding);
            return Encoding { note: Some(note), ..Encoding::known(CodePage::UTF_8) };
        }
        Encoding::known(page)
    }

    /// Returns the note on a guess, if one is needed. `foreign`: whether the game has characters
    /// other than ASCII.
    pub(super) fn guessed(&self, encoding: &Encoding, foreign: bool) -> Option<Note> {
        if !encoding.is_guess {
            return None;
        }
        let (place, mut what) = match &encoding.unknown {
            Some((byte, name)) => {
                let what = format!("CA[{}] is not a known encoding", excerpt(name));
                (Place::Byte(*byte), what)
            }
            None => (Place::File, "no encoding is declared (CA)".into()),
        };
        let decides = foreign && self.doubt;
        let is_silent = !foreign || encoding.page == CodePage::UTF_8;
        if encoding.unknown.is_none() && is_silent && !decides {
            return None;
        }
        if decides {
            what += ", and the moves depend on it";
        }
        if foreign {
            what = format!("{what}: read as {}", encoding.page.name());
        }
        let note = if decides { Note::doubt(place, what) } else { Note::remark(place, what) };
        Some(note.asking(Question::Encoding))
    }
}

/// Returns the encoding that the root of a game declares, and its byte. Characters of the root may
/// contain bytes that look like brackets: it is read as single-byte and as double-byte text.
fn declared(bytes: &[u8], begin: usize) -> Option<(usize, String)> {
    let end = begin.saturating_add(MAX_OF_ROOT);
    [CodePage::WINDOWS_1252, CodePage::GBK].into_iter().find_map(|page| {
        let root = TreeReader::new(bytes, begin, page).root(end);
        let value = root.iter().find(|value| value.name.as_str() == "CA" && value.first)?;
        let name = value.text().0.into_owned();
        (!name.is_empty()).then_some((value.byte, name))
    })
}
