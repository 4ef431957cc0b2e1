//! The syntax of SGF: trees of nodes that hold properties with values.
//!
//! Works on bytes: in Shift_JIS, GBK and Big5 the second half of a character may look like a
//! bracket or a backslash.

use std::borrow::Cow;

use super::swallow::holds_moves;
use crate::record::import::{Note, Place, UnreadableGame};
use crate::record::text::CodePage;

/// Maximum number of letters and digits of a name that are kept.
const MAX_LETTERS: usize = 8;

/// The name of a property, in capital letters and digits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Name {
    letters: [u8; MAX_LETTERS],
    length: usize,
}

impl Name {
    /// Parses a name. Small letters are padding of older versions, unless all are small.
    fn new(written: &[u8]) -> Name {
        let mut name = Name { letters: [0; MAX_LETTERS], length: 0 };
        let padded = written.iter().any(u8::is_ascii_uppercase);
        let letters = written.iter().filter(|letter| !padded || !letter.is_ascii_lowercase());
        for (place, letter) in name.letters.iter_mut().zip(letters) {
            *place = letter.to_ascii_uppercase();
            name.length += 1;
        }
        name
    }

    /// Returns the name.
    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..self.length]).unwrap_or_default()
    }
}

/// A value of a property.
#[derive(Copy, Clone, Debug)]
pub(super) struct Value<'a> {
    /// Name of the property.
    pub(super) name: Name,
    /// Whether this is the first value of the property.
    pub(super) first: bool,
    /// Byte at which the value begins.
    pub(super) byte: usize,
    raw: &'a [u8],
    page: CodePage,
}

impl<'a> Value<'a> {
    /// Returns the text with escapes resolved, and line breaks and other control characters
    /// replaced by blanks; and whether all bytes are well formed in the encoding.
    pub(super) fn text(&self) -> (Cow<'a, str>, bool) {
        let (text, whole) = self.page.decode_lossy(self.raw);
        if !text.contains(|c: char| c == '\\' || c.is_control()) {
            let trimmed = match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
                Cow::Owned(text) => Cow::Owned(text.trim().to_string()),
            };
            return (trimmed, whole);
        }
        let shown = |c: char| if c.is_control() { ' ' } else { c };
        let mut value = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                // An escaped line break is removed.
                '\\' => match chars.next() {
                    Some('\r') => drop(chars.next_if_eq(&'\n')),
                    Some('\n') | None => {}
                    Some(escaped) => value.push(shown(escaped)),
                },
                c => value.push(shown(c)),
            }
        }
        (Cow::Owned(value.trim().to_string()), whole)
    }

    /// Returns the text with escapes resolved and with its line breaks; other control characters
    /// are replaced by blanks.
    pub(super) fn prose(&self) -> String {
        let (text, _) = self.page.decode_lossy(self.raw);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let shown = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
        let mut prose = String::new();
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            match c {
                // An escaped line break is removed.
                '\\' => match chars.next() {
                    Some('\n') | None => {}
                    Some(escaped) => prose.push(shown(escaped)),
                },
                c => prose.push(shown(c)),
            }
        }
        prose.trim().to_owned()
    }

    /// Whether the text contains what looks like moves or another game.
    pub(super) fn holds_moves(&self) -> bool {
        self.raw.contains(&b';') && holds_moves(&self.page.decode_lossy(self.raw).0)
    }

    /// Whether the value has characters other than ASCII.
    pub(super) fn is_foreign(&self) -> bool {
        !self.raw.is_ascii() || self.raw.contains(&0x1b)
    }
}

/// A part of a main line.
pub(super) enum LinePiece<'a> {
    /// A value of the node that is being read.
    Value(Value<'a>),
    /// The end of a node.
    NodeEnd,
}

/// Variations that were skipped.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Variations {
    /// Number of variations.
    pub(super) count: usize,
    /// Byte at which the first one begins.
    pub(super) first: usize,
}

/// Where the file ends within a tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// Within the root; holds the end of its last complete value.
    Root(usize),
    /// In the main line; holds the end of the last complete node.
    MainLine(usize),
    /// In a variation; holds the end of the last complete node.
    Variation(usize),
}

impl Cut {
    fn after_root(byte: usize, main_line: bool) -> Cut {
        if main_line { Cut::MainLine(byte) } else { Cut::Variation(byte) }
    }

    /// Returns the note on the cut.
    pub(super) fn note(self) -> Note {
        match self {
            Cut::Root(byte) => {
                let what = "the file is cut off in its first node, its last whole value ends here";
                Note::doubt(Place::Byte(byte), what)
            }
            Cut::MainLine(byte) => {
                let what = "the file is cut off, its last whole node ends here";
                Note::doubt(Place::Byte(byte), what)
            }
            Cut::Variation(byte) => {
                Note::remark(Place::Byte(byte), "the file is cut off within a variation")
            }
        }
    }
}

/// How a node ends.
enum NodeEnd {
    /// The node is complete.
    Whole,
    /// The file ends within the node, which is lost.
    Lost,
    /// The file ends within the root, whose last complete value ends here.
    RootCut(usize),
}

/// What is known of a tree besides its main line.
pub(super) struct TreeRest {
    pub(super) variations: Variations,
    /// Where the tree is cut off, if it is.
    pub(super) cut: Option<Cut>,
}

/// A node of a tree with its values.
pub(super) struct Node<'a> {
    /// Index of the parent in the list; `None` for the root.
    pub(super) parent: Option<usize>,
    /// Values of all properties.
    pub(super) values: Vec<Value<'a>>,
}

/// Parser of a tree.
#[derive(Clone, Debug)]
pub(super) struct TreeReader<'a> {
    bytes: &'a [u8],
    /// Position of the next byte.
    pub(super) at: usize,
    page: CodePage,
    /// Byte of the first value that contains what looks like moves or another game.
    pub(super) swallowing: Option<usize>,
}

/// Returns the error that something is missing at a byte.
fn expected<T>(byte: usize, what: &str) -> Result<T, UnreadableGame> {
    Err(UnreadableGame { place: Place::Byte(byte), reason: format!("{what} expected") })
}

impl<'a> TreeReader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize, page: CodePage) -> TreeReader<'a> {
        TreeReader { bytes, at, page, swallowing: None }
    }

    /// Skips blanks and byte order marks, and returns the next byte.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.at..)? {
                [byte, ..] if byte.is_ascii_whitespace() || *byte == 0x0b => self.at += 1,
                [0xef, 0xbb, 0xbf, ..] => self.at += 3,
                rest => return rest.first().copied(),
            }
        }
    }

    fn expect(&mut self, sign: u8, what: &str) -> Result<(), UnreadableGame> {
        if self.peek() == Some(sign) {
            self.at += 1;
            return Ok(());
        }
        expected(self.at, what)
    }

    /// Reads a complete tree, or one that is cut off after a complete node. Passes its main line
    /// to `take`: everything up to the first closing parenthesis, including what opening
    /// parentheses precede; the rest is variations.
    ///
    /// # Errors
    /// There is no tree; the error names the byte.
    pub(super) fn tree(
        &mut self,
        take: &mut dyn FnMut(LinePiece<'a>),
    ) -> Result<TreeRest, UnreadableGame> {
        self.expect(b'(', "a game, beginning with \"(\",")?;
        let mut variations = Variations::default();
        let mut depth = 1;
        let mut main_line = true;
        let (mut whole, mut values) = (None, Vec::new());
        while depth > 0 {
            match self.peek() {
                Some(b'(') => {
                    if !main_line {
                        if variations.count == 0 {
                            variations.first = self.at;
                        }
                        variations.count += 1;
                    }
                    depth += 1;
                    self.at += 1;
                }
                Some(b')') => {
                    depth -= 1;
                    main_line = false;
                    self.at += 1;
                }
                Some(b';') => {
                    values.clear();
                    let end = self.whole_node(&mut values, whole)?;
                    if main_line && !matches!(end, NodeEnd::Lost) {
                        values.drain(..).for_each(|value| take(LinePiece::Value(value)));
                        take(LinePiece::NodeEnd);
                    }
                    match end {
                        NodeEnd::Whole => whole = Some(self.at),
                        NodeEnd::Lost => break,
                        NodeEnd::RootCut(byte) => {
                            return Ok(TreeRest { variations, cut: Some(Cut::Root(byte)) });
                        }
                    }
                }
                None if whole.is_some() => break,
                _ => return expected(self.at, "\"(\", \")\" or \";\""),
            }
        }
        let cut = whole.filter(|_| depth > 0).map(|byte| Cut::after_root(byte, main_line));
        Ok(TreeRest { variations, cut })
    }

    /// Reads a node from its semicolon on, and returns how it ends. `whole` is the end of the last
    /// complete node before it.
    ///
    /// # Errors
    /// There is no node, or the root has no complete value.
    fn whole_node(
        &mut self,
        values: &mut Vec<Value<'a>>,
        whole: Option<usize>,
    ) -> Result<NodeEnd, UnreadableGame> {
        self.at += 1;
        let read = self.node(values);
        let mut swallowing = values.iter().filter(|value| value.holds_moves());
        self.swallowing = self.swallowing.or_else(|| swallowing.next().map(|value| value.byte));
        let Err(fault) = read else { return Ok(NodeEnd::Whole) };
        let length = self.bytes.len();
        if fault.place != Place::Byte(length) {
            return Err(fault);
        }
        match (whole, values.last()) {
            (Some(_), _) => Ok(NodeEnd::Lost),
            (None, Some(last)) => Ok(NodeEnd::RootCut(last.byte + last.raw.len() + 1)),
            (None, None) => {
                let reason = "the file is cut off in the first value of its first node".into();
                Err(UnreadableGame { place: Place::Byte(length), reason })
            }
        }
    }

    /// Reads the nodes of a tree with all its variations, parents before their children and the
    /// main line first; also returns where the tree is cut off, if it is.
    ///
    /// # Errors
    /// There is no tree; the error names the byte.
    pub(super) fn nodes(&mut self) -> Result<(Vec<Node<'a>>, Option<Cut>), UnreadableGame> {
        self.expect(b'(', "a game, beginning with \"(\",")?;
        let mut nodes: Vec<Node<'a>> = Vec::new();
        // For each open parenthesis, the node that precedes it.
        let mut open = vec![None];
        let (mut last, mut whole, mut main_line) = (None, None, true);
        while !open.is_empty() {
            match self.peek() {
                Some(b'(') => {
                    open.push(last);
                    self.at += 1;
                }
                Some(b')') => {
                    last = open.pop().flatten();
                    main_line = false;
                    self.at += 1;
                }
                Some(b';') => {
                    let mut values = Vec::new();
                    match self.whole_node(&mut values, whole)? {
                        NodeEnd::Whole => whole = Some(self.at),
                        NodeEnd::Lost => break,
                        NodeEnd::RootCut(byte) => {
                            let root = Node { parent: None, values };
                            return Ok((vec![root], Some(Cut::Root(byte))));
                        }
                    }
                    nodes.push(Node { parent: last, values });
                    last = Some(nodes.len() - 1);
                }
                None if whole.is_some() => break,
                _ => return expected(self.at, "\"(\", \")\" or \";\""),
            }
        }
        let cut = whole.filter(|_| !open.is_empty());
        let cut = cut.map(|byte| Cut::after_root(byte, main_line));
        Ok((nodes, cut))
    }

    /// Reads the values of a node; on an error `values` holds those before it.
    fn node(&mut self, values: &mut Vec<Value<'a>>) -> Result<(), UnreadableGame> {
        while let Some(name) = self.name() {
            let mut first = true;
            while first || self.peek() == Some(b'[') {
                values.push(self.value(name, first)?);
                first = false;
            }
        }
        Ok(())
    }

    /// Reads the name of a property, if there is one. RenLib writes names with digits, such as
    /// `5A`.
    fn name(&mut self) -> Option<Name> {
        self.peek()?;
        let rest = &self.bytes[self.at..];
        let name = &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        // A numbered move must not be skipped like an unknown property: the file is refused.
        let mut letters = name.iter().filter(|byte| byte.is_ascii_alphabetic());
        let is_move = matches!(letters.next(), Some(b'B' | b'W')) && letters.next().is_none();
        if name.is_empty() || is_move && name.len() > 1 {
            return None;
        }
        self.at += name.len();
        Some(Name::new(name))
    }

    /// Reads a value in brackets.
    fn value(&mut self, name: Name, first: bool) -> Result<Value<'a>, UnreadableGame> {
        self.expect(b'[', "a value, beginning with \"[\",")?;
        let (bytes, byte) = (self.bytes, self.at);
        let (mut at, mut shifted) = (byte, false);
        while at < bytes.len() {
            let length = self.page.step(bytes, at, &mut shifted);
            match bytes[at] {
                b']' if length == 1 => {
                    self.at = at + 1;
                    return Ok(Value { name, first, byte, raw: &bytes[byte..at], page: self.page });
                }
                // The next character is escaped.
                b'\\' if length == 1 && at + 1 < bytes.len() => {
                    at += 1 + self.page.step(bytes, at + 1, &mut shifted);
                }
                _ => at += length,
            }
        }
        expected(bytes.len(), "\"]\"")
    }

    /// Returns the values of the root of the tree that begins here, as far as they can be read
    /// before the byte `end`.
    pub(super) fn root(mut self, end: usize) -> Vec<Value<'a>> {
        let mut values = Vec::new();
        self.bytes = &self.bytes[..end.min(self.bytes.len())];
        if self.expect(b'(', "").is_ok() && self.expect(b';', "").is_ok() {
            // On an error the values read before it are kept.
            let _ = self.node(&mut values);
        }
        values
    }
}
