//! The subset of XML that a database of games needs, read piece by piece: tags with attributes,
//! and texts. A broken tag is reported, and reading goes on at the next tag.

use std::io::{self, BufRead, Seek, SeekFrom};

use crate::record::text::CodePage;

/// Maximum length of a tag in bytes; a longer one is broken.
const LONGEST_TAG: usize = 1 << 16;

/// Maximum length of a text in bytes; a longer one is truncated.
const LONGEST_TEXT: usize = 1 << 16;

/// A piece of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// A tag that begins an element, or is a complete element.
    Open(Tag),
    /// The end of an element.
    Close(String),
    /// Trimmed text between tags.
    Text(String),
    /// A broken tag; the name with which it begins.
    Broken(String),
}

/// Name and attributes of a tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    /// Whether the element has no content: `<a/>`.
    pub(super) is_self_closing: bool,
}

impl Tag {
    /// Returns the text of an attribute; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        let of = |(key, _): &&(String, String)| key == name;
        self.attributes.iter().find(of).map_or("", |(_, text)| text.as_str())
    }

    /// Returns the number in an attribute.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.text(name).trim().parse().ok()
    }
}

/// Reader of pieces.
pub(super) struct Xml<R> {
    input: R,
    /// Number of bytes read.
    at: u64,
    /// Current line, from 1.
    line: usize,
    page: CodePage,
    /// Whether the text is UTF-8, whatever its header declares.
    is_decoded: bool,
}

/// Start of a piece, to return to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Bookmark {
    at: u64,
    pub(super) line: usize,
}

impl<R: BufRead + Seek> Xml<R> {
    pub(super) fn new(input: R, is_decoded: bool) -> Xml<R> {
        Xml { input, at: 0, line: 1, page: CodePage::UTF_8, is_decoded }
    }

    pub(super) fn mark(&self) -> Bookmark {
        Bookmark { at: self.at, line: self.line }
    }

    /// Continues at a mark.
    pub(super) fn go_to(&mut self, mark: Bookmark) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(mark.at))?;
        (self.at, self.line) = (mark.at, mark.line);
        Ok(())
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    fn byte(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.input.consume(1);
            self.at += 1;
            self.line += usize::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Reads the next piece; returns it with its start, `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<(Bookmark, Piece)>> {
        loop {
            let mark = self.mark();
            match self.peek()? {
                None => return Ok(None),
                Some(b'<') => {
                    self.byte()?;
                    if let Some(piece) = self.tag()? {
                        return Ok(Some((mark, piece)));
                    }
                }
                Some(_) => {
                    let text = self.text()?;
                    if !text.is_empty() {
                        return Ok(Some((mark, Piece::Text(text))));
                    }
                }
            }
        }
    }

    /// Reads a text up to the next tag.
    fn text(&mut self) -> io::Result<String> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'<') {
            self.byte()?;
            if bytes.len() < LONGEST_TEXT {
                bytes.push(byte);
            }
        }
        Ok(plain(&self.page.decode(&bytes)).trim().to_string())
    }

    /// Reads everything up to and including a terminator of three bytes, and returns what is before
    /// it.
    fn until(&mut self, end: &[u8; 3]) -> io::Result<Vec<u8>> {
        let (mut bytes, mut last) = (Vec::new(), [0; 3]);
        while let Some(byte) = self.byte()? {
            last = [last[1], last[2], byte];
            if last == *end {
                bytes.truncate(bytes.len().saturating_sub(2));
                break;
            }
            if bytes.len() < LONGEST_TEXT {
                bytes.push(byte);
            }
        }
        Ok(bytes)
    }

    /// Reads a tag after its `<`; `None` for comments, declarations and the header.
    fn tag(&mut self) -> io::Result<Option<Piece>> {
        let mut bytes = Vec::new();
        let mut quote = None;
        loop {
            match &bytes[..] {
                b"!--" => return self.until(b"-->").map(|_| None),
                b"![CDATA[" => {
                    let text = self.until(b"]]>")?;
                    return Ok(Some(Piece::Text(self.page.decode(&text))));
                }
                _ => {}
            }
            // A `<` belongs to the next tag: it must not occur in this one.
            let Some(byte) = self.peek()?.filter(|&byte| byte != b'<') else {
                let piece = broken(&String::from_utf8_lossy(&bytes));
                return Ok(Some(piece).filter(|_| !bytes.starts_with(b"!")));
            };
            self.byte()?;
            match quote {
                Some(open) if byte == open => quote = None,
                Some(_) => {}
                None if byte == b'>' => break,
                None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
                None => {}
            }
            if bytes.len() < LONGEST_TAG {
                bytes.push(byte);
            }
        }
        if bytes.len() == LONGEST_TAG {
            return Ok(Some(broken(&String::from_utf8_lossy(&bytes))));
        }
        let text = self.page.decode(&bytes);
        if let Some(head) = text.strip_prefix('?') {
            self.head(head);
            return Ok(None);
        }
        Ok(Some(parsed(&text)).filter(|_| !text.starts_with('!')))
    }

    /// Applies the encoding in the header of the file: `xml version="1.0" encoding="utf-8"?`.
    fn head(&mut self, text: &str) {
        let text = text.strip_suffix('?').unwrap_or(text);
        if let Piece::Open(tag) = parsed(text)
            && !self.is_decoded
            && let Some(page) = CodePage::named(tag.text("encoding"))
        {
            self.page = page;
        }
    }
}

/// Makes a broken tag from its text.
fn broken(text: &str) -> Piece {
    let is_name = |c: &char| c.is_alphanumeric();
    Piece::Broken(text.chars().take(LONGEST_NAME).take_while(is_name).collect())
}

/// Maximum number of characters kept of the name of a broken tag.
const LONGEST_NAME: usize = 24;

/// Parses the text between the brackets of a tag.
fn parsed(text: &str) -> Piece {
    if let Some(name) = text.strip_prefix('/') {
        return Piece::Close(name.trim().to_string());
    }
    let all = text;
    let (text, is_self_closing) = match text.strip_suffix('/') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let name_end = text.find(char::is_whitespace).unwrap_or(text.len());
    let name = text[..name_end].to_string();
    let mut rest = text[name_end..].trim_start();
    let mut attributes = Vec::new();
    while !rest.is_empty() {
        let Some((key, after)) = rest.split_once('=') else { return broken(all) };
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return broken(all);
        };
        let Some((value, after)) = after[1..].split_once(quote) else { return broken(all) };
        attributes.push((key.trim().to_string(), plain(value).trim().to_string()));
        rest = after.trim_start();
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
    if name.is_empty() || !name.chars().all(is_name) {
        return broken(all);
    }
    Piece::Open(Tag { name, attributes, is_self_closing })
}

/// Resolves the entities of a text; unknown ones stay.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST_ENTITY).position(|byte| byte == b';');
        let resolved = end.and_then(|end| Some((entity(&rest[1..end])?, end + 1)));
        let (sign, length) = resolved.unwrap_or(('&', 1));
        plain.push(sign);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    plain
}

/// Maximum length of an entity such as `&#x10ffff;`, in bytes.
const LONGEST_ENTITY: usize = 12;

fn entity(name: &str) -> Option<char> {
    let number = |text: &str, base| u32::from_str_radix(text, base).ok().and_then(char::from_u32);
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match name.strip_prefix('#')?.strip_prefix(['x', 'X']) {
            Some(hex) => number(hex, 16),
            None => number(&name[1..], 10),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::linear::assert_linear;
    use std::io::Cursor;

    fn pieces(bytes: &[u8]) -> Vec<(usize, Piece)> {
        let mut xml = Xml::new(Cursor::new(bytes), false);
        let mut pieces = Vec::new();
        while let Some((mark, piece)) = xml.next().unwrap() {
            pieces.push((mark.line, piece));
        }
        pieces
    }

    fn tag(name: &str, attributes: &[(&str, &str)], is_self_closing: bool) -> Piece {
        let attribute = |&(key, value): &(&str, &str)| (key.to_string(), value.to_string());
        let attributes = attributes.iter().map(attribute).collect();
        Piece::Open(Tag { name: name.into(), attributes, is_self_closing })
    }

    #[test]
    fn tags_and_texts_are_distinguished() {
        let file = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE x>\n<!-- a > b -->\n\
                     <a b='1' c = \"x &amp; &#65;&#x42; &no; > y\">\n text &lt; \n</a ><d/>";
        let expected = [
            (4, tag("a", &[("b", "1"), ("c", "x & AB &no; > y")], false)),
            (4, Piece::Text("text <".into())),
            (6, Piece::Close("a".into())),
            (6, tag("d", &[], true)),
        ];
        assert_eq!(pieces(file), expected);
    }

    #[test]
    fn the_header_names_the_code_page() {
        let file = b"<?xml version='1.0' encoding='windows-1251'?><a b='\xc0'/>";
        assert_eq!(pieces(file), [(1, tag("a", &[("b", "\u{410}")], true))]);
        let mut xml = Xml::new(Cursor::new("<?xml encoding='windows-1251'?>\u{410}"), true);
        assert_eq!(xml.next().unwrap().unwrap().1, Piece::Text("\u{410}".into()));
        assert_eq!(pieces(b"<a b='\xc0'/>"), [(1, tag("a", &[("b", "\u{c0}")], true))]);
    }

    #[test]
    fn reading_continues_after_a_broken_tag() {
        let broken = |text: &str| {
            let pieces = pieces(format!("{text}\n<b/>").as_bytes());
            let (first, last) = (&pieces[0].1, &pieces[pieces.len() - 1]);
            assert_eq!(last, &(2, tag("b", &[], true)), "{text}");
            assert!(matches!(first, Piece::Broken(_)), "{text}");
        };
        for text in
            ["<a b=\"1", "<a b=1>", "<a b>", "<>", "< a>", "<a b=\"1\" c", "<a b=\"1\"\"2\">"]
        {
            broken(text);
        }
        assert_eq!(pieces(b"<game b"), [(1, Piece::Broken("game".into()))]);
        assert_eq!(pieces(b"<game b>"), [(1, Piece::Broken("game".into()))]);
        let data = [(1, Piece::Text("a < b".into())), (1, tag("c", &[], true))];
        assert_eq!(pieces(b"<![CDATA[a < b]]><!-- - <c> --><c/><!-- c"), data);
        let long = format!("<a b=\"{}\"/>", "x".repeat(LONGEST_TAG));
        broken(&long);
        let text = pieces(&b"x".repeat(LONGEST_TEXT + 9));
        assert!(matches!(&text[..], [(1, Piece::Text(text))] if text.len() == LONGEST_TEXT));
    }

    #[test]
    fn long_texts_are_read_in_linear_time() {
        for part in ["<", ">", "<a>", "&", "<!--", "<a b=\"", "<a b='1'/>", "</a>", "&#1;", "--"] {
            assert_linear(|| {
                let _ = pieces(part.repeat(100_000).as_bytes());
                let _ = pieces(format!("<!--{}", part.repeat(100_000)).as_bytes());
            });
        }
    }
}
