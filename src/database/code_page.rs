//! Texts that are not UTF-8: older programs wrote them in the code page of their system, mostly
//! GBK. Every program misreads a file that mixes encodings, so either all texts are converted
//! or none.

use std::borrow::Cow;
use std::fmt;

use super::key::Key;
use super::record::{MAX_TEXT, Record};
use super::store::Store;
use goren_core::record::text::CodePage;

/// Maximum number of texts from which the code page is guessed.
const MAX_SAMPLES: usize = 10_000;
/// Minimum number of bytes beyond ASCII for a guess: with fewer it may be wrong.
const MIN_BYTES: usize = 12;
/// Maximum number of bytes left of a character that was cut.
const MAX_CUT: usize = 2;

/// Summary of converted texts, which were not UTF-8.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// The assumed code page.
    pub page: CodePage,
    /// Number of texts read in that code page.
    pub texts: u64,
    /// Number of damaged texts among them: with bytes that are invalid in the code page, or
    /// too long for the file once they are converted.
    pub damaged: u64,
    /// Number of other texts that are UTF-8 except for a few bytes, such as a cut character.
    pub repaired: u64,
}

impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Converted { page, texts, damaged, repaired } = self;
        if *texts > 0 {
            write!(f, "texts read as {}, not UTF-8: {texts}", page.name())?;
        }
        if *damaged > 0 {
            write!(f, "; damaged among them, with wrong characters: {damaged}")?;
        }
        if *repaired > 0 {
            let before = if *texts > 0 { "; " } else { "" };
            write!(f, "{before}damaged texts in UTF-8, with wrong characters: {repaired}")?;
        }
        Ok(())
    }
}

/// Converts texts that are not UTF-8 from the code page that suits most of them.
pub(super) struct Converter(Converted);

impl Converter {
    /// Creates a converter for these texts; texts in UTF-8 do not affect the guess.
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Converter {
        let page = CodePage::guess(texts.filter(|text| is_foreign(text)).take(MAX_SAMPLES));
        Converter(Converted { page, texts: 0, damaged: 0, repaired: 0 })
    }

    /// Converts a text that is not UTF-8, and truncates it to at most `max_bytes`.
    pub(super) fn convert(&mut self, text: &[u8], max_bytes: usize) -> String {
        if let Some(mut text) = repaired(text) {
            self.0.repaired += 1;
            truncate(&mut text, max_bytes);
            return text;
        }
        let (mut text, valid) = decoded(self.0.page, text);
        let was_cut = truncate(&mut text, max_bytes);
        self.0.texts += 1;
        self.0.damaged += u64::from(!valid || was_cut);
        text
    }

    /// The summary, if any text was converted.
    pub(super) fn done(self) -> Option<Converted> {
        (self.0.texts + self.0.repaired > 0).then_some(self.0)
    }
}

/// Converts texts that are not UTF-8 from the code page that suits most of them. `None` if there
/// are none, or too few for a guess.
pub(super) fn to_utf8(store: &mut Store) -> Option<Converted> {
    if store.is_utf8() {
        return None;
    }
    let records = not_utf8(store);
    let texts = records.iter().map(|(_, record)| &record.text[..]);
    let beyond_ascii = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii()).count();
    let mut samples = texts.filter(|text| is_foreign(text)).take(MAX_SAMPLES).peekable();
    if samples.peek().is_some() && samples.map(beyond_ascii).sum::<usize>() < MIN_BYTES {
        return None;
    }
    convert(store, records)
}

/// As [`to_utf8`], but even for few texts, which are to be written with others to one file.
pub(super) fn all_to_utf8(store: &mut Store) -> Option<Converted> {
    if store.is_utf8() {
        return None;
    }
    let records = not_utf8(store);
    convert(store, records)
}

/// The store with all texts in UTF-8, and a summary of the converted ones.
pub(super) fn in_utf8(store: &Store) -> (Cow<'_, Store>, Option<Converted>) {
    if store.is_utf8() {
        return (Cow::Borrowed(store), None);
    }
    let mut copy = store.clone();
    let converted = all_to_utf8(&mut copy);
    (Cow::Owned(copy), converted)
}

/// The records whose texts are not UTF-8.
fn not_utf8(store: &Store) -> Vec<(Key, Record)> {
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

/// Truncates a text to at most `max_bytes`, between characters. Returns whether it was longer.
fn truncate(text: &mut String, max_bytes: usize) -> bool {
    let is_longer = text.len() > max_bytes;
    let mut end = text.len().min(max_bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    is_longer
}

/// Whether a text is in an encoding other than UTF-8.
fn is_foreign(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_err() && repaired(text).is_none()
}

/// Decodes a text that is UTF-8 except for a few bytes, which are kept as Windows-1252; `None`
/// if it looks like another encoding, or is UTF-8 throughout. Programs that cut texts at a
/// number of bytes may cut a character in two.
fn repaired(text: &[u8]) -> Option<String> {
    let (mut weight, mut faults, mut repaired) = (0, 0, String::new());
    for chunk in text.utf8_chunks() {
        // Text in an East Asian code page seldom has two bytes in a row that are a character
        // in UTF-8, and hardly ever three.
        let weights = chunk.valid().chars().map(|c| match c.len_utf8() {
            1 => 0_usize,
            2 => 1,
            _ => 4,
        });
        weight += weights.sum::<usize>();
        faults += usize::from(!chunk.invalid().is_empty());
        repaired += chunk.valid();
        repaired += &CodePage::WINDOWS_1252.decode(chunk.invalid());
    }
    (faults > 0 && weight > 4 * faults).then_some(repaired)
}

/// Decodes a text in a code page, line by line, so that damage spoils only one line. Returns
/// the text, and whether all of it is valid.
fn decoded(page: CodePage, text: &[u8]) -> (String, bool) {
    // A zero byte ends the texts of some programs, a backspace the texts of cells.
    let is_end = |byte: &u8| matches!(byte, 0 | 8 | b'\n');
    let (mut decoded, mut valid) = (String::new(), true);
    for part in text.split_inclusive(is_end) {
        let length = part.len() - usize::from(part.last().is_some_and(is_end));
        let (line, end) = part.split_at(length);
        match strictly(page, line) {
            Some(line) => decoded += &line,
            None => {
                valid = false;
                decoded += &damaged(page, line);
            }
        }
        decoded.extend(end.iter().copied().map(char::from));
    }
    (decoded, valid)
}

/// Decodes a line in a code page; `None` if it has invalid bytes.
fn strictly(page: CodePage, line: &[u8]) -> Option<String> {
    let text = page.decode(line);
    // A line with invalid bytes is decoded as Windows-1252, where every byte is valid.
    let round_trips = page.encode(&text).is_some_and(|back| back == line);
    (round_trips || text != CodePage::WINDOWS_1252.decode(line)).then_some(text)
}

/// Decodes a line with bytes that are invalid in its code page. Programs that cut texts at a
/// number of bytes may cut a character in two, so the last bytes may be the fault. These bytes,
/// or else the whole line, are kept byte by byte, as Windows-1252.
fn damaged(page: CodePage, line: &[u8]) -> String {
    let lengths = (1..=MAX_CUT).filter_map(|cut| line.len().checked_sub(cut));
    let mut readings = lengths.filter_map(|length| {
        let (line, rest) = line.split_at(length);
        Some(strictly(page, line)? + &CodePage::WINDOWS_1252.decode(rest))
    });
    readings.next().unwrap_or_else(|| page.decode(line))
}
