//! All records as lines of text, in the form that Rapfi writes:
//!
//! ```text
//! index,key,label,value,depth,bound,text
//! 0,r-15-15-h8j9-i7-w,w,-29993,12,exact,"@BTXT@76best\n\bcomment"
//! ```
//!
//! A key is the letter of the rule (f, s, r; others are Goren's own: `Card::database`),
//! columns, rows, Black's stones, White's stones (column letter, row from 1 at
//! the top), and the side to move. A label is its letter, `(none)`, `(null)`
//! or its number in parentheses. In the text a backslash escapes quotes,
//! backslashes, a line end as `n` and the separator of its sections as `b`. Texts are written
//! as UTF-8 and read in any encoding. In other encodings the second byte of a character may be
//! that of a backslash: Rapfi and former versions of Goren, which ignored encodings, escaped it
//! with another one. A file that was converted from UTF-8 as a whole does not have that one.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::code_page::{Converted, Converter, in_utf8};
use super::key::{Key, Place};
use super::record::{Bound, Label, Record};
use super::store::Store;
use super::text;
use goren_core::record::text::Input;
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};

const HEAD: &str = "index,key,label,value,depth,bound,text";

/// A fault in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct CsvError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// Whether a text begins with the header of this format.
pub fn looks(text: &[u8]) -> bool {
    text.starts_with(HEAD.as_bytes())
}

const fn rule_letter(rule: RuleId) -> char {
    rule.card().database.1
}

/// Writes the records, all or those of one rule and board. Returns their number, and a summary
/// of the texts converted to UTF-8.
///
/// # Errors
/// An I/O error of `out`.
pub fn write(
    store: &Store,
    only: Option<Setup>,
    out: &mut (impl Write + ?Sized),
) -> io::Result<(usize, Option<Converted>)> {
    writeln!(out, "{HEAD}")?;
    // In other encodings the second byte of a character may be a backslash.
    let (store, converted) = in_utf8(store);
    let mut count = 0;
    for (key, record) in store.iter() {
        let Some(place) = key.place() else { continue };
        if only.is_some_and(|setup| setup != place.setup()) {
            continue;
        }
        let bound = Bound::NAMES.iter().find(|(bound, _)| *bound == record.bound());
        out.write_all(
            format!(
                "{count},{},{},{},{},{},\"",
                name(&place),
                label(record.label),
                record.value,
                record.depth(),
                bound.map_or("none", |(_, word)| word)
            )
            .as_bytes(),
        )?;
        for &byte in &record.text {
            match byte {
                b'"' | b'\\' => out.write_all(&[b'\\', byte])?,
                b'\n' => out.write_all(b"\\n")?,
                8 => out.write_all(b"\\b")?,
                0 => {}
                _ => out.write_all(&[byte])?,
            }
        }
        out.write_all(b"\"\n")?;
        count += 1;
    }
    Ok((count, converted))
}

/// The key of a position, as text.
pub fn name(place: &Place) -> String {
    let Setup { rule, width, height } = place.setup();
    let key = place.key().and_then(|key| key.place());
    // The canonical image, under which the record is stored.
    let place = key.as_ref().unwrap_or(place);
    let stones = |color| place.stones(color).map(top_label).collect::<String>();
    let mut text = format!("{}-{width}-{height}-", rule_letter(rule));
    let side = if place.to_move() == Color::Black { 'b' } else { 'w' };
    // Writing to a String cannot fail.
    let _ = write!(text, "{}-{}-{side}", stones(Color::Black), stones(Color::White));
    text
}

/// The point of a cell as Rapfi writes it: the row counts from 1 at the top.
fn top_label(cell: Cell) -> String {
    format!("{}{}", char::from(b'a' + cell.x() as u8), cell.y() + 1)
}

fn label(label: Label) -> String {
    match label.0 {
        0 => "(null)".into(),
        -1 => "(none)".into(),
        // A comma ends the field.
        byte @ 33..=126 if byte != b',' as i8 => char::from(byte as u8).into(),
        byte => format!("({byte})"),
    }
}

/// Writes one position a line: moves, each column letter and row from 1 at the top,
/// as far as sides alternate; not in the order played, which records do not
/// have. Returns the number of positions.
///
/// # Errors
/// An I/O error of `out`.
pub fn write_positions(
    store: &Store,
    only: Setup,
    out: &mut (impl Write + ?Sized),
) -> io::Result<usize> {
    let mut count = 0;
    for (key, _) in store.iter() {
        let Some(place) = key.place().filter(|place| place.setup() == only) else { continue };
        let mut sides = Color::ALL.map(|color| place.stones(color));
        let line: String =
            (0..place.count()).map_while(|turn| sides[turn % 2].next()).map(top_label).collect();
        if line.is_empty() {
            continue;
        }
        writeln!(out, "{line}")?;
        count += 1;
    }
    Ok(count)
}

/// Reads the records of a text, merged by position. Returns them with messages about the
/// encoding. Lines that are not UTF-8 are taken to be in the code page that they look like, and
/// the others stay as they are: former versions wrote each text byte for byte. If all lines that
/// are not UTF-8 can be unescaped byte by byte, their texts are decoded after that.
///
/// # Errors
/// The first invalid line.
pub fn read(text: &[u8]) -> Result<(Store, Vec<String>), CsvError> {
    let input = Input::marked(text);
    let input = input.map_err(|error| CsvError { line: 1, what: error.to_string() })?;
    // The second byte of a character may be a backslash, but not a line end.
    let lines = || {
        let lines = input.bytes().split(|&byte| byte == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    };
    let by_bytes = lines().filter(|line| !is_utf8(line)).all(is_escaped_by_bytes);
    let mut converter = Converter::new(lines());
    let mut records = Store::default();
    for (line, text) in (1..).zip(lines()) {
        if text.is_empty() || line == 1 && text == HEAD.as_bytes() {
            continue;
        }
        let text = if by_bytes || is_utf8(text) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(converter.convert(text, usize::MAX).into_bytes())
        };
        let (key, mut record) = row(&text).map_err(|what| CsvError { line, what })?;
        if !is_utf8(&record.text) {
            record.text = converter.convert(&record.text, usize::MAX).into_bytes();
        }
        records.merge(&key, &record);
    }
    let mut messages: Vec<String> = input.notes().iter().map(ToString::to_string).collect();
    messages.extend(converter.done().as_ref().map(ToString::to_string));
    Ok((records, messages))
}

fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// Whether the text of a line can be unescaped byte by byte: every backslash precedes a byte
/// that is written with one.
fn is_escaped_by_bytes(line: &[u8]) -> bool {
    let Some(text) = line.splitn(7, |&byte| byte == b',').nth(6) else { return true };
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        if *byte == b'\\' && !matches!(bytes.next(), Some(b'"' | b'\\' | b'n' | b'b')) {
            return false;
        }
    }
    unquoted(text).is_some()
}

fn row(line: &[u8]) -> Result<(Key, Record), String> {
    let fields: Vec<&[u8]> = line.splitn(7, |&byte| byte == b',').collect();
    let &[_, key, label, value, depth, bound, text] = &fields[..] else {
        return Err(format!("{} fields instead of 7", fields.len()));
    };
    let word = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let [key, label, value, depth, bound] = [key, label, value, depth, bound].map(word);
    let number = |text: &str| text.parse::<i16>().map_err(|_| format!("{text:?} is no number"));
    let known = Bound::NAMES.iter().find(|(_, name)| *name == bound);
    let &(bound, _) = known.ok_or_else(|| format!("{bound:?} is no bound"))?;
    let place = read_place(&key).and_then(|place| Some((place.key()?, place)));
    let (canonical, place) = place.ok_or_else(|| format!("{key:?} is no key"))?;
    let label = read_label(&label).ok_or_else(|| format!("{label:?} is no label"))?;
    let mut record = Record { label, value: number(&value)?, ..Record::default() };
    record.set_depth(number(&depth)?.into(), bound);
    record.text = unquoted(text).ok_or("the text has no closing quote")?;
    if let Some(symmetry) = place.to_key() {
        let Setup { width, height, .. } = place.setup();
        record.text = text::turned(&record.text, symmetry, width, height);
    }
    Ok((canonical, record))
}

fn read_label(text: &str) -> Option<Label> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match (text.as_bytes(), inner) {
        (_, Some("null")) => Some(Label::NULL),
        (_, Some("none")) => Some(Label::NONE),
        (_, Some(number)) => number.parse().ok().map(Label),
        (&[byte @ 33..=126], None) => Some(Label(byte as i8)),
        _ => None,
    }
}

fn unquoted(text: &[u8]) -> Option<Vec<u8>> {
    let mut rest = text.strip_prefix(b"\"")?.iter();
    let mut plain = Vec::new();
    loop {
        plain.push(match rest.next()? {
            b'"' => return rest.as_slice().is_empty().then_some(plain),
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'b' => 8,
                &other => other,
            },
            &byte => byte,
        });
    }
}

/// Reads the position of a key as text, in any image.
fn read_place(text: &str) -> Option<Place> {
    let mut parts = text.split('-');
    let letter = parts.next()?;
    let rule = RuleId::ALL.into_iter().find(|&rule| letter == rule_letter(rule).to_string())?;
    let mut side = || parts.next()?.parse().ok();
    let setup = Setup::new(rule, side()?, side()?).ok()?;
    let (black, white) = (cells(parts.next()?)?, cells(parts.next()?)?);
    let to_move = match parts.next()? {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return None,
    };
    // Sides alternate, except for a pass at the end.
    let turns = black.len().max(white.len());
    let mut moves: Vec<Option<Cell>> =
        (0..turns).flat_map(|i| [black.get(i).copied(), white.get(i).copied()]).collect();
    while moves.last() == Some(&None) {
        moves.pop();
    }
    let next = Color::ALL[moves.len() % 2];
    if next != to_move {
        moves.push(None);
    }
    let place = Place::after(setup, &moves).ok()?;
    let complete = place.count() == black.len() + white.len() && parts.next().is_none();
    (complete && moves.iter().rev().skip(1).all(Option::is_some)).then_some(place)
}

/// Reads stones written without separators.
fn cells(text: &str) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.bytes().next() {
        if !letter.is_ascii_lowercase() {
            return None;
        }
        let digits = &rest[1..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let row = digits[..end].parse::<usize>().ok().filter(|row| (1..=32).contains(row))?;
        cells.push(Cell::new(usize::from(letter - b'a'), row - 1));
        rest = &digits[end..];
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::record::text::CodePage;
    use goren_core::types::keys::mix;

    fn read(text: &[u8]) -> Result<Vec<(Key, Record)>, CsvError> {
        Ok(super::read(text)?.0.iter().collect())
    }

    #[test]
    fn written_records_are_read_back() {
        let mut store = Store::default();
        for seed in 0..256_u64 {
            let rule = RuleId::ALL[seed as usize % RuleId::ALL.len()];
            let (width, height) = [(15, 15), (26, 26), (7, 9)][seed as usize % 3];
            let mut place = Place::empty(Setup::new(rule, width, height).unwrap());
            for n in 0..seed % 13 {
                let empty = place.empty_cells();
                place.play(empty[(mix(seed * 100 + n) % empty.len() as u64) as usize]);
            }
            if seed % 9 == 0 {
                place.pass();
            }
            let mut record = Record::labelled(Label(seed as i8));
            record.value = mix(seed) as i16;
            record.set_depth(seed as i64 - 50, Bound::NAMES[seed as usize % 4].0);
            record.text = format!("@BTXT@11{seed}\"\\n\n\u{8}a,b\"\\ \u{e9}").into_bytes();
            store.set(&place.key().unwrap(), &record);
        }
        let mut out = Vec::new();
        assert_eq!(write(&store, None, &mut out).unwrap(), (store.len(), None));
        let read = read(&out).unwrap();
        assert_eq!(read, store.iter().collect::<Vec<_>>());
    }

    #[test]
    fn byte_order_marks_are_skipped_and_utf_16_is_read() {
        let line = format!("{HEAD}\n0,r-15-15-h8j9-i7-w,w,-29993,12,exact,\"a\"\n");
        let plain = read(line.as_bytes()).unwrap();
        assert_eq!(plain.len(), 1);
        assert_eq!(read(format!("\u{feff}{line}").as_bytes()).unwrap(), plain);
        let wide = [0xfeff].into_iter().chain(line.encode_utf16());
        let wide: Vec<u8> = wide.flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide).unwrap(), plain);
    }

    /// Texts in another encoding were taken for UTF-8, and a byte of them for a backslash.
    #[test]
    fn other_encodings_are_guessed_and_reported() {
        // The second byte of the last character is that of a backslash.
        let comments = ["\u{9ed1}\u{68cb}\u{80dc}", "\u{9ed1}\u{68cb}\u{4e57}"];
        let [first, second] = comments;
        let rows = format!(
            "0,f-15-15-h8--w,w,1,2,exact,\"{first}\"\n1,f-15-15-d4--w,w,1,2,exact,\"{second}\"\n"
        );
        let bytes = CodePage::GBK.encode(&rows).unwrap();
        assert!(bytes.ends_with(b"\\\"\n"));
        let (store, messages) = super::read(&bytes).unwrap();
        assert_eq!(messages, ["texts read as GBK, not UTF-8: 2"]);
        let mut texts: Vec<_> =
            store.iter().map(|(_, record)| text::comment(&record.text)).collect();
        texts.sort_unstable();
        assert_eq!(texts, [second, first]);
        // Texts stored in GBK are written as UTF-8.
        let mut raw = Store::default();
        for (key, mut record) in store.iter() {
            record.text = CodePage::GBK.encode(&text::comment(&record.text)).unwrap();
            raw.set(&key, &record);
        }
        let mut out = Vec::new();
        let converted = write(&raw, None, &mut out).unwrap().1.unwrap();
        assert_eq!((converted.page, converted.texts), (CodePage::GBK, 2));
        assert_eq!(read(&out).unwrap(), store.iter().collect::<Vec<_>>());
    }

    /// The second byte of a character was taken for a backslash: texts were damaged or refused.
    #[test]
    fn texts_escaped_byte_by_byte_are_read() {
        let comments = [
            "\u{9ed1}\u{68cb}\u{80dc}",
            "\u{767d}\u{68cb}\u{80dc}",
            // The second byte of the last character, and of the second, is that of a backslash.
            "\u{9ed1}\u{68cb}\u{4e57}",
            "\u{9ed1}\u{4e57}n\"\\\n\u{68cb}",
        ];
        let mut rows = Vec::new();
        for (at, comment) in ["h8", "d4", "e5", "g8"].into_iter().zip(comments) {
            rows.extend(format!("0,f-15-15-{at}--w,w,1,2,exact,\"").into_bytes());
            for byte in CodePage::GBK.encode(comment).unwrap() {
                match byte {
                    b'"' | b'\\' => rows.extend([b'\\', byte]),
                    b'\n' => rows.extend(b"\\n"),
                    _ => rows.push(byte),
                }
            }
            rows.extend(b"\"\n");
        }
        let (store, messages) = super::read(&rows).unwrap();
        assert_eq!(messages, ["texts read as GBK, not UTF-8: 4"]);
        let read: Vec<_> = store.iter().map(|(_, record)| text::comment(&record.text)).collect();
        for comment in comments {
            assert!(read.iter().any(|text| text == comment), "{comment}: {read:?}");
        }
    }

    /// The whole file was read in one code page, which damaged all lines in another one.
    #[test]
    fn utf_8_lines_are_kept_beside_lines_in_other_encodings() {
        let comments = ["\u{9ed1}\u{68cb}", "\u{767d}\u{68cb}", "\u{9ed1}\u{80dc}"];
        let [first, last, raw] = comments;
        let row =
            |at: &str, comment: &str| format!("0,f-15-15-{at}--w,w,1,2,exact,\"{comment}\"\n");
        let in_gbk = CodePage::GBK.encode(&row("d4", raw)).unwrap();
        let [first, last] = [row("h8", first), row("g8", last)].map(String::into_bytes);
        let more = CodePage::GBK.encode(&row("e5", raw)).unwrap();
        for (foreign, count) in [(vec![&in_gbk], 1), (vec![&in_gbk, &more], 2)] {
            let foreign: Vec<u8> = foreign.into_iter().flatten().copied().collect();
            let bytes = [first.clone(), foreign, last.clone()].concat();
            let (store, messages) = super::read(&bytes).unwrap();
            assert_eq!(messages, [format!("texts read as GBK, not UTF-8: {count}")]);
            let read: Vec<_> =
                store.iter().map(|(_, record)| text::comment(&record.text)).collect();
            for comment in comments {
                assert!(read.iter().any(|text| text == comment), "{comment}: {read:?}");
            }
        }
    }

    #[test]
    fn lines_have_the_documented_format() {
        let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
        let moves = [Some(Cell::new(7, 7)), Some(Cell::new(7, 6)), Some(Cell::new(8, 6))];
        let place = Place::after(setup, &moves).unwrap();
        let mut store = Store::default();
        let mut record = Record { value: -29_993, ..Record::labelled(Label::WIN) };
        record.set_depth(12, Bound::Exact);
        record.text = b"two\nlines".to_vec();
        store.set(&place.key().unwrap(), &record);
        let mut out = Vec::new();
        write(&store, Some(setup), &mut out).unwrap();
        let expected = format!("{HEAD}\n0,r-15-15-g7h8-g8-w,w,-29993,12,exact,\"two\\nlines\"\n");
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        let mut out = Vec::new();
        assert_eq!(write_positions(&store, setup, &mut out).unwrap(), 1);
        assert_eq!(out, b"g7g8h8\n");
        let other = Setup { rule: RuleId::Freestyle, ..setup };
        assert_eq!(write(&store, Some(other), &mut Vec::new()).unwrap(), (0, None));
    }

    /// The later of two rows of a position replaced a better one, and texts on cells were not
    /// converted to the image of the key.
    #[test]
    fn rows_of_symmetric_images_become_one_record() {
        let rows = [
            "0,f-15-15-h8-f6-b,w,-29993,12,exact,\"\"",
            "1,f-15-15-h8-j10-b,(none),5,9,exact,\"@BTXT@98here\\bcomment\"",
        ];
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let moves = [Cell::new(7, 7), Cell::new(9, 9)].map(Some);
        let place = Place::after(setup, &moves).unwrap();
        for rows in [rows, [rows[1], rows[0]]] {
            let read = read(rows.join("\n").as_bytes()).unwrap();
            let (key, record) = &read[0];
            assert_eq!((read.len(), key), (1, &place.key().unwrap()));
            assert_eq!((record.label, record.value, record.depth()), (Label::WIN, -29_993, 12));
            assert_eq!(text::comment(&record.text), "comment");
            let on_cells = text::on_cells(&record.text);
            let cell = on_cells.keys().next().unwrap();
            assert!(place.in_key(Cell::new(9, 8)).contains(cell), "{cell:?}");
        }
    }

    #[test]
    fn invalid_lines_are_reported() {
        let line = |text: &str| read(format!("{HEAD}\n{text}\n").as_bytes()).unwrap_err();
        let good = "0,f-15-15-h8--w,w,1,2,exact,\"\"";
        assert_eq!(read(good.as_bytes()).unwrap().len(), 1);
        for (bad, what) in [
            ("0,f-15-15-h8--w,w,1", "4 fields"),
            ("0,f-15-15-h8h8--w,w,1,2,exact,\"\"", "no key"),
            ("0,f-15-15-h8--b-b,w,1,2,exact,\"\"", "no key"),
            ("0,f-15-15-h8i9k3--b,w,1,2,exact,\"\"", "no key"),
            ("0,f-15-15-h16--w,w,1,2,exact,\"\"", "no key"),
            ("0,f-15-15-h99999999999999999999--w,w,1,2,exact,\"\"", "no key"),
            ("0,f-15-15-h8--w,ww,1,2,exact,\"\"", "no label"),
            ("0,f-15-15-h8--w,w,70000,2,exact,\"\"", "no number"),
            ("0,f-15-15-h8--w,w,1,2,about,\"\"", "no bound"),
            ("0,f-15-15-h8--w,w,1,2,exact,\"a", "quote"),
            ("0,f-15-15-h8--w,w,1,2,exact,\"a\"b", "quote"),
        ] {
            let error = line(bad);
            assert!(error.line == 2 && error.what.contains(what), "{bad}: {error}");
        }
    }
}
