//! Decodes text files: byte order marks, UTF-16, UTF-8 and legacy code pages.
//!
//! A file is first an [`Input`]: bytes without a byte order mark, in which ASCII bytes stand for
//! themselves. Readers that decode piece by piece (SGF, RenLib) work on these bytes; for the
//! others [`Input::decode`] converts them to one text. Positions in either can be mapped back to
//! bytes of the file.

mod code_page;
mod guess;

use std::borrow::Cow;

pub use code_page::CodePage;

use super::import::{Note, Place, Question};

/// Why a file cannot be read as text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoText {
    /// UTF-32, which is not supported.
    #[error("the text is UTF-32; save it as UTF-8")]
    Utf32,
}

/// The bytes of a file, in which ASCII bytes stand for themselves: UTF-16 is converted to UTF-8.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    bytes: Cow<'a, [u8]>,
    /// Length of the byte order mark in bytes.
    mark: usize,
    /// Whether the file is UTF-16; `bytes` are UTF-8 then.
    utf_16: bool,
    notes: Vec<Note>,
}

/// Number of bytes examined to recognise UTF-16 without a byte order mark.
const MAX_EXAMINED: usize = 4096;

impl<'a> Input<'a> {
    /// Prepares the bytes of a file. `declared` is its encoding, if it is known.
    ///
    /// # Errors
    /// The encoding of the file is not supported.
    pub fn new(bytes: &'a [u8], declared: Option<CodePage>) -> Result<Input<'a>, NoText> {
        Input::of(bytes, declared, true)
    }

    /// Prepares the bytes of a file whose texts may be any bytes: the encoding is not guessed,
    /// only a byte order mark counts.
    ///
    /// # Errors
    /// The encoding of the file is not supported.
    pub fn marked(bytes: &'a [u8]) -> Result<Input<'a>, NoText> {
        Input::of(bytes, None, false)
    }

    fn of(bytes: &'a [u8], declared: Option<CodePage>, guess: bool) -> Result<Input<'a>, NoText> {
        if bytes.starts_with(b"\xff\xfe\0\0") || bytes.starts_with(b"\0\0\xfe\xff") {
            return Err(NoText::Utf32);
        }
        let declared = declared.filter(|page| page.is_utf_16());
        let marked = match bytes {
            [0xff, 0xfe, ..] => Some(CodePage::UTF_16LE),
            [0xfe, 0xff, ..] => Some(CodePage::UTF_16BE),
            _ => None,
        };
        if let Some(page) = marked.or(declared).or_else(|| bare_utf_16(bytes).filter(|_| guess)) {
            let mark = if marked.is_some() { 2 } else { 0 };
            let mut input = Input::utf_16(&bytes[mark..], page, mark);
            if marked.or(declared).is_none() {
                let text = format!("the file is read as {}", page.name());
                input.notes.push(Note::remark(Place::File, text).asking(Question::Encoding));
            }
            return Ok(input);
        }
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let bytes = Cow::Borrowed(&bytes[mark..]);
        Ok(Input { bytes, mark, utf_16: false, notes: Vec::new() })
    }

    fn utf_16(bytes: &[u8], page: CodePage, mark: usize) -> Input<'a> {
        let big = page == CodePage::UTF_16BE;
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
        };
        let units = bytes.chunks_exact(2).map(unit);
        let (mut text, mut notes, mut at) = (String::new(), Vec::new(), mark);
        for read in char::decode_utf16(units) {
            let c = read.unwrap_or_else(|_| {
                if notes.is_empty() {
                    notes.push(damaged(Place::Byte(at), page));
                }
                char::REPLACEMENT_CHARACTER
            });
            at += 2 * c.len_utf16();
            text.push(c);
        }
        if bytes.len() % 2 == 1 {
            notes.push(damaged(Place::Byte(at), page));
        }
        Input { bytes: Cow::Owned(text.into_bytes()), mark, utf_16: true, notes }
    }

    /// Returns the bytes, without a byte order mark.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the encoding of the bytes if the file itself leaves no doubt about it.
    pub fn page(&self) -> Option<CodePage> {
        (self.mark > 0 || self.utf_16).then_some(CodePage::UTF_8)
    }

    /// Guesses the encoding of the bytes.
    pub(in crate::record) fn guess(&self) -> CodePage {
        self.page().unwrap_or_else(|| guess::guess_file(self.bytes()))
    }

    /// Returns the notes on the encoding of the file.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Converts a place in the bytes to a place in the file.
    pub fn place(&self, place: Place) -> Place {
        match place {
            Place::Byte(at) if self.utf_16 => {
                let before = self.bytes.get(..at).unwrap_or(&self.bytes);
                let text = String::from_utf8_lossy(before);
                Place::Byte(self.mark + 2 * text.encode_utf16().count())
            }
            Place::Byte(at) => Place::Byte(self.mark + at),
            place => place,
        }
    }

    /// Decodes the file to one text whose lines end in line feeds. The encoding is the one of the
    /// file if that is beyond doubt, else `declared`, else a guess.
    pub fn decode(&self, declared: Option<CodePage>) -> Text<'_> {
        let bytes = self.bytes();
        let known = self.page().or(declared.filter(|page| !page.is_utf_16()));
        let page = known.unwrap_or_else(|| guess::guess_file(bytes));
        let mut notes = self.notes.clone();
        if known.is_none() && page != CodePage::UTF_8 {
            let text = format!("the text is read as {}", page.name());
            notes.push(Note::remark(Place::File, text).asking(Question::Encoding));
        }
        let (text, whole) = page.decode_lossy(bytes);
        if !whole && let Some(at) = page.first_damage(bytes) {
            notes.push(damaged(self.place(Place::Byte(at)), page).asking(Question::Encoding));
        }
        Text { input: self, text: with_line_feeds(text), page, notes }
    }
}

/// Converts carriage returns to line feeds if the text has no line feed, as on old Macintosh
/// computers. Byte positions do not change.
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\n') || !text.contains('\r') {
        return text;
    }
    text.replace('\r', "\n").into()
}

fn damaged(place: Place, page: CodePage) -> Note {
    Note::remark(place, format!("some bytes from here on are not valid {}", page.name()))
}

/// Recognises UTF-16 without a byte order mark whose text is mostly ASCII.
fn bare_utf_16(bytes: &[u8]) -> Option<CodePage> {
    let units = bytes[..bytes.len().min(MAX_EXAMINED)].chunks_exact(2);
    let count = units.len();
    let (mut first, mut second) = (0, 0);
    for unit in units {
        first += usize::from(unit[0] == 0);
        second += usize::from(unit[1] == 0);
    }
    let mostly =
        |zeros: usize, others: usize| count >= 2 && 2 * zeros > count && 20 * others < count;
    if mostly(second, first) {
        Some(CodePage::UTF_16LE)
    } else {
        mostly(first, second).then_some(CodePage::UTF_16BE)
    }
}

/// The decoded text of a file.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    input: &'a Input<'a>,
    text: Cow<'a, str>,
    page: CodePage,
    notes: Vec<Note>,
}

impl Text<'_> {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the notes on the encoding.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Converts a place in the text to a place in the file.
    pub fn place(&self, place: Place) -> Place {
        match place {
            // Offsets differ only where the text was decoded from another encoding.
            Place::Byte(at) if self.text.as_bytes() != self.input.bytes() => {
                self.input.place(Place::Byte(self.page.byte_of(self.input.bytes(), at)))
            }
            place => self.input.place(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, big: bool) -> Vec<u8> {
        let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    fn read(bytes: &[u8], declared: Option<&str>) -> (String, Vec<String>) {
        let declared = declared.map(|name| CodePage::named(name).unwrap());
        let input = Input::new(bytes, declared).unwrap();
        let text = input.decode(declared);
        (text.as_str().into(), text.notes().iter().map(Note::to_string).collect())
    }

    #[test]
    fn byte_order_marks_are_skipped_and_utf_16_is_read() {
        let text = "(;GM[4]PB[\u{9ed1}])";
        let no_notes = (text.to_string(), Vec::new());
        assert_eq!(read(text.as_bytes(), None), no_notes);
        assert_eq!(read(&[b"\xef\xbb\xbf", text.as_bytes()].concat(), None), no_notes);
        assert_eq!(read(&[b"\xff\xfe".to_vec(), utf_16(text, false)].concat(), None), no_notes);
        assert_eq!(read(&[b"\xfe\xff".to_vec(), utf_16(text, true)].concat(), None), no_notes);
        assert_eq!(read(&utf_16(text, false), Some("utf-16")), no_notes);
        for (big, name) in [(false, "UTF-16LE"), (true, "UTF-16BE")] {
            let (bare, notes) = read(&utf_16(text, big), None);
            assert_eq!(
                (bare.as_str(), notes),
                (text, vec![format!("file: the file is read as {name}")])
            );
        }
        assert!(matches!(Input::new(b"\xff\xfe\0\0a\0\0\0", None), Err(NoText::Utf32)));
        let (odd, notes) = read(b"\xff\xfea\0b\0\x00\xdcc\0x", None);
        assert_eq!(odd, "ab\u{fffd}c");
        assert_eq!(notes.len(), 2);
        assert!(notes[0].starts_with("byte 6: ") && notes[1].starts_with("byte 10: "), "{notes:?}");
        assert_eq!(read(b"", None), Default::default());
    }

    #[test]
    fn other_encodings_are_guessed_or_declared() {
        let gbk = CodePage::GBK.encode("黑方先行").unwrap();
        assert_eq!(read(&gbk, Some("gbk")), ("黑方先行".into(), Vec::new()));
        let (text, notes) = read(&gbk, None);
        assert_eq!(
            (text.as_str(), &notes[..]),
            ("黑方先行", &["file: the text is read as GBK".to_string()][..])
        );
        let (text, notes) = read(b"a\xffb", Some("utf-8"));
        assert_eq!((text.as_str(), notes.len()), ("a\u{fffd}b", 1));
        assert!(notes[0].starts_with("byte 1: "), "{notes:?}");
    }

    #[test]
    fn lines_of_a_text_end_in_line_feeds() {
        for (file, text) in [("a\rb\r", "a\nb\n"), ("a\r\nb\r", "a\r\nb\r"), ("a", "a")] {
            assert_eq!(read(file.as_bytes(), None).0, text, "{file:?}");
        }
        let input = Input::new("\u{feff}\u{9ed1}\rh8".as_bytes(), None).unwrap();
        let text = input.decode(None);
        let at = text.as_str().find('h').unwrap();
        assert_eq!((text.as_str(), text.place(Place::Byte(at))), ("\u{9ed1}\nh8", Place::Byte(7)));
    }

    #[test]
    fn places_refer_to_the_file() {
        let sjis = CodePage::named("Shift_JIS").unwrap();
        let bytes = sjis.encode("能力 h8").unwrap();
        let input = Input::new(&bytes, Some(sjis)).unwrap();
        let text = input.decode(Some(sjis));
        let at = text.as_str().find('h').unwrap();
        assert_eq!(text.place(Place::Byte(at)), Place::Byte(5));
        assert_eq!(text.place(Place::Line(1)), Place::Line(1));
        let wide = [b"\xff\xfe".to_vec(), utf_16("\u{9ed1}\u{1f600}h8", false)].concat();
        let input = Input::new(&wide, None).unwrap();
        let text = input.decode(None);
        let at = text.as_str().find('h').unwrap();
        assert_eq!(text.place(Place::Byte(at)), Place::Byte(2 + 2 + 4));
        let marked = Input::new(b"\xef\xbb\xbfh8", None).unwrap();
        assert_eq!(marked.decode(None).place(Place::Byte(0)), Place::Byte(3));
    }
}
