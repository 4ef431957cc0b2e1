//! The encoding of each game: as the user says, as the file says beyond doubt,
//! as `CA` says, or as the file looks.

use super::tree::TreeReader;
use crate::record::import::{Note, Place, Question};
use crate::record::quote::excerpt;
use crate::record::text::CodePage;

/// Bytes of a root in which `CA` is sought.
const MOST_OF_ROOT: usize = 1 << 16;

/// What is known of the encodings of a file.
#[derive(Copy, Clone, Debug)]
pub(super) struct Charset {
    /// The encoding of all games, whatever they say.
    pub(super) sure: Option<CodePage>,
    /// The encoding of games that name none.
    pub(super) default: CodePage,
    /// Whether the file is well formed UTF-8 with other characters than ASCII,
    /// and whether some of them have three bytes or more.
    pub(super) utf_8: Option<Wide>,
    /// Whether the moves depend on the guess.
    pub(super) doubt: bool,
}

/// Whether characters have three bytes or more: then it is no accident that
/// they are well formed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Wide(pub(super) bool);

/// The encoding of a game.
pub(super) struct Encoding {
    /// The encoding.
    pub(super) page: CodePage,
    /// Whether it is a guess.
    is_guess: bool,
    /// What the game says, and where, if that is no encoding that is known.
    unknown: Option<(usize, String)>,
    /// A note for the user about it.
    pub(super) note: Option<Note>,
}

impl Encoding {
    fn known(page: CodePage) -> Encoding {
        Encoding { page, is_guess: false, unknown: None, note: None }
    }
}

impl Charset {
    /// The encoding of the game that begins here.
    pub(super) fn encoding(&self, bytes: &[u8], begin: usize) -> Encoding {
        if let Some(page) = self.sure {
            return Encoding::known(page);
        }
        let guess = Encoding { is_guess: true, ..Encoding::known(self.default) };
        let Some((byte, name)) = declared(bytes, begin) else { return guess };
        let Some(page) = CodePage::named(&name).filter(|page| !page.is_utf_16()) else {
            return Encoding { unknown: Some((byte, name)), ..guess };
        };
        // Some programs convert a text and leave the property.
        let converted = self.utf_8.is_some_and(|Wide(wide)| wide || page.is_single_byte());
        if converted && page != CodePage::UTF_8 {
            let what = format!("CA[{}], but the text is UTF-8", excerpt(&name));
            let note = Note::remark(Place::Byte(byte), what).asking(Question::Encoding);
            return Encoding { note: Some(note), ..Encoding::known(CodePage::UTF_8) };
        }
        Encoding::known(page)
    }

    /// What is to be said of a guess. `foreign`: the game has other characters than ASCII.
    pub(super) fn guessed(&self, encoding: &Encoding, foreign: bool) -> Option<Note> {
        if !encoding.is_guess {
            return None;
        }
        let (place, mut what) = match &encoding.unknown {
            Some((byte, name)) => {
                let what = format!("CA[{}] is no encoding that is known", excerpt(name));
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
            what += ", and it decides which moves there are";
        }
        if foreign {
            what = format!("{what}: taken for {}", encoding.page.name());
        }
        let note = if decides { Note::doubt(place, what) } else { Note::remark(place, what) };
        Some(note.asking(Question::Encoding))
    }
}

/// What the root of a game says of its encoding, and where. The root may have
/// characters that look like brackets: it is read both ways.
fn declared(bytes: &[u8], begin: usize) -> Option<(usize, String)> {
    let end = begin.saturating_add(MOST_OF_ROOT);
    [CodePage::WINDOWS_1252, CodePage::GBK].into_iter().find_map(|page| {
        let root = TreeReader::new(bytes, begin, page).root(end);
        let value = root.iter().find(|value| value.name.as_str() == "CA" && value.first)?;
        let name = value.text().0.into_owned();
        (!name.is_empty()).then_some((value.byte, name))
    })
}
