//! The encoding of each game: as the user says, as the file says beyond doubt,
//! as `CA` says, or as the file looks.

use super::tree::Reader;
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
    /// That of games that say nothing.
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
