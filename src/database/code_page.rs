//! Texts that are not UTF-8: older programs wrote them in the code page of their system, mostly
//! GBK. A file that mixes both is read wrong by every program, so either all texts are
//! converted or none.

use std::borrow::Cow;
use std::fmt;

use super::key::Key;
use super::record::{MAX_TEXT, Record};
use super::store::Store;
use goren_core::record::text::CodePage;

/// Texts that the code page is guessed from, at most.
const MOST_GUESSED: usize = 10_000;
/// Bytes beyond ASCII that the guess needs: of fewer it may be wrong.
const LEAST_BYTES: usize = 12;
/// Most bytes of a character that can be left of one that was cut.
const LONGEST_CUT: usize = 2;

/// Texts that were no UTF-8.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// The code page that they are taken to be in.
    pub page: CodePage,
    /// How many they are.
    pub texts: u64,
    /// Those of them that are damaged: with bytes that mean nothing in the code page, or too
    /// long for the file once they are converted.
    pub damaged: u64,
    /// Texts beside them that are UTF-8 but for a few bytes, as of a character that was cut.
    pub mended: u64,
}

impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Converted { page, texts, damaged, mended } = self;
        if *texts > 0 {
            write!(f, "texts read as {}, not UTF-8: {texts}", page.name())?;
        }
        if *damaged > 0 {
            write!(f, "; damaged among them, with wrong characters: {damaged}")?;
        }
        if *mended > 0 {
            let before = if *texts > 0 { "; " } else { "" };
            write!(f, "{before}damaged texts in UTF-8, with wrong characters: {mended}")?;
        }
        Ok(())
    }
}

/// Converts texts that are no UTF-8 from the code page that suits most of them.
pub(super) struct Converter(Converted);

impl Converter {
    /// For these texts; those in UTF-8 among them say nothing of the code page.
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Converter {
        let page = CodePage::guess(texts.filter(|text| is_foreign(text)).take(MOST_GUESSED));
        Converter(Converted { page, texts: 0, damaged: 0, mended: 0 })
    }

    /// A text that is no UTF-8, cut to at most so many bytes.
    pub(super) fn convert(&mut self, text: &[u8], most: usize) -> String {
        if let Some(mut text) = mended(text) {
            self.0.mended += 1;
            cut(&mut text, most);
            return text;
        }
        let (mut text, whole) = decoded(self.0.page, text);
        let was_cut = cut(&mut text, most);
        self.0.texts += 1;
        self.0.damaged += u64::from(!whole || was_cut);
        text
    }

    /// What was converted, if anything.
    pub(super) fn done(self) -> Option<Converted> {
        (self.0.texts + self.0.mended > 0).then_some(self.0)
    }
}

/// Converts texts that are no UTF-8 from the code page that suits most of them. `None` if there
/// are none, or too few to guess by.
pub(super) fn to_utf8(store: &mut Store) -> Option<Converted> {
    if store.is_utf8() {
        return None;
    }
    let records = broken(store);
    let texts = records.iter().map(|(_, record)| &record.text[..]);
    let beyond = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii()).count();
    let mut guessed = texts.filter(|text| is_foreign(text)).take(MOST_GUESSED).peekable();
    if guessed.peek().is_some() && guessed.map(beyond).sum::<usize>() < LEAST_BYTES {
        return None;
    }
    convert(store, records)
}

/// The same of however few texts: they are to stand beside others in one file.
pub(super) fn all_to_utf8(store: &mut Store) -> Option<Converted> {
    if store.is_utf8() {
        return None;
    }
    let records = broken(store);
    convert(store, records)
}

/// The store with all texts in UTF-8, and what was converted for that.
pub(super) fn in_utf8(store: &Store) -> (Cow<'_, Store>, Option<Converted>) {
    if store.is_utf8() {
        return (Cow::Borrowed(store), None);
    }
    let mut copy = store.clone();
    let converted = all_to_utf8(&mut copy);
    (Cow::Owned(copy), converted)
}

/// The records whose texts are no UTF-8.
fn broken(store: &Store) -> Vec<(Key, Record)> {
    store.iter().filter(|(_, record)| std::str::from_utf8(&record.text).is_err()).collect()
}

fn convert(store: &mut Store, records: Vec<(Key, Record)>) -> Option<Converted> {
    let mut converter = Converter::new(records.iter().map(|(_, record)| &record.text[..]));
    for (key, mut record) in records {
        record.text = converter.convert(&record.text, MAX_TEXT).into_bytes();
        store.set(&key, &record);
    }
    converter.done()
}

/// Cuts a text to at most so many bytes, between two characters; whether it was longer.
fn cut(text: &mut String, most: usize) -> bool {
    let is_longer = text.len() > most;
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    is_longer
}

/// Whether a text is in another encoding than UTF-8.
fn is_foreign(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_err() && mended(text).is_none()
}

/// A text that is UTF-8 but for a few bytes, which are kept as Windows-1252; `None` if it looks
/// like another encoding, or is UTF-8 throughout. Programs that cut texts at a number of bytes
/// cut a character in two.
fn mended(text: &[u8]) -> Option<String> {
    let (mut weight, mut faults, mut mended) = (0, 0, String::new());
    for chunk in text.utf8_chunks() {
        // Text in a code page of East Asia seldom has two bytes in a row that are a character
        // of UTF-8, and hardly ever three.
        let weights = chunk.valid().chars().map(|c| match c.len_utf8() {
            1 => 0_usize,
            2 => 1,
            _ => 4,
        });
        weight += weights.sum::<usize>();
        faults += usize::from(!chunk.invalid().is_empty());
        mended += chunk.valid();
        mended += &CodePage::WINDOWS_1252.decode(chunk.invalid());
    }
    (faults > 0 && weight > 4 * faults).then_some(mended)
}

/// A text in a code page, and whether all of it has a meaning there. Line by line, so that
/// damage spoils one line alone.
fn decoded(page: CodePage, text: &[u8]) -> (String, bool) {
    // A zero byte ends the texts of some programs, a backspace the texts of cells.
    let is_end = |byte: &u8| matches!(byte, 0 | 8 | b'\n');
    let (mut decoded, mut whole) = (String::new(), true);
    for part in text.split_inclusive(is_end) {
        let length = part.len() - usize::from(part.last().is_some_and(is_end));
        let (line, end) = part.split_at(length);
        match strictly(page, line) {
            Some(line) => decoded += &line,
            None => {
                whole = false;
                decoded += &damaged(page, line);
            }
        }
        decoded.extend(end.iter().copied().map(char::from));
    }
    (decoded, whole)
}

/// A line in a code page; `None` if some of its bytes mean nothing there.
fn strictly(page: CodePage, line: &[u8]) -> Option<String> {
    let text = page.decode(line);
    // A line with such bytes is decoded as Windows-1252, where every byte has a meaning.
    let is_back = page.encode(&text).is_some_and(|back| back == line);
    (is_back || text != CodePage::WINDOWS_1252.decode(line)).then_some(text)
}

/// A line with bytes that mean nothing in its code page. Programs that cut texts at a number of
/// bytes cut a character in two, so the last bytes may be the fault; what is at fault is kept
/// byte by byte, as Windows-1252.
fn damaged(page: CodePage, line: &[u8]) -> String {
    let lengths = (1..=LONGEST_CUT).filter_map(|cut| line.len().checked_sub(cut));
    let mut read = lengths.filter_map(|length| {
        let (line, rest) = line.split_at(length);
        Some(strictly(page, line)? + &CodePage::WINDOWS_1252.decode(rest))
    });
    read.next().unwrap_or_else(|| page.decode(line))
}
