//! The syntax of SGF: trees of nodes of properties with values. Of each tree
//! the main line.

use std::borrow::Cow;

use super::SgfError;

/// A text and the place in it.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// A value of a property that is understood. Flat and borrowed, as a hostile
/// file may have millions of them in a node.
pub(super) struct Value<'a> {
    /// The property.
    pub(super) name: &'static str,
    /// Whether it is the first one of its property.
    pub(super) first: bool,
    /// Where it begins.
    pub(super) byte: usize,
    /// What it says.
    pub(super) text: Cow<'a, str>,
}

/// The properties that are understood.
const NAMES: [&str; 14] =
    ["B", "W", "C", "GM", "SZ", "RU", "PB", "PW", "TE", "RE", "AB", "AW", "AE", "PL"];

/// What is made of a node of a main line: the game, from 0, what is understood
/// of the node, and whether it is the root.
pub(super) type TakeIn<'a> = dyn FnMut(usize, &[Value], bool) -> Result<(), SgfError> + 'a;

/// Goes through the main lines of the games of a text, node by node. Gives the
/// number of games, one at least.
///
/// # Errors
/// The text is no SGF or holds no game (names the byte), or what `take_in`
/// returns.
pub(super) fn main_lines(text: &str, take_in: &mut TakeIn) -> Result<usize, SgfError> {
    // What stands before the first game is to be ignored.
    let at = text.find("(;").or_else(|| text.find('(')).unwrap_or(text.len());
    let mut reader = Reader { text, at };
    let mut games = 0;
    while games == 0 || !reader.at_end() {
        reader.game(games, take_in)?;
        games += 1;
    }
    Ok(games)
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        rest[blank..].chars().next()
    }

    fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    fn expect(&mut self, sign: char, expected: &'static str) -> Result<(), SgfError> {
        if self.peek() == Some(sign) {
            self.at += sign.len_utf8();
            return Ok(());
        }
        Err(SgfError::Syntax { byte: self.at, expected })
    }

    /// A whole tree. The main line is all there is up to the first closing
    /// parenthesis, whatever opens before it; what follows are variations.
    fn game(&mut self, number: usize, take_in: &mut TakeIn) -> Result<(), SgfError> {
        self.expect('(', "a game, beginning with \"(\",")?;
        let mut depth = 1;
        let (mut root, mut main_line) = (true, true);
        while depth > 0 {
            match self.peek() {
                Some('(') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(')') => {
                    depth -= 1;
                    main_line = false;
                    self.at += 1;
                }
                Some(';') => {
                    self.at += 1;
                    let node = self.node()?;
                    if main_line {
                        take_in(number, &node, root)?;
                    }
                    root = false;
                }
                _ => {
                    return Err(SgfError::Syntax {
                        byte: self.at,
                        expected: "\"(\", \")\" or \";\"",
                    });
                }
            }
        }
        Ok(())
    }

    /// What is understood of a node.
    fn node(&mut self) -> Result<Vec<Value<'a>>, SgfError> {
        let mut node = Vec::new();
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
            let rest = &self.text[self.at..];
            let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            // Small letters are padding of older versions.
            let letters = || rest[..end].chars().filter(char::is_ascii_uppercase);
            let name = NAMES.into_iter().find(|name| letters().eq(name.chars()));
            self.at += end;
            let mut first = true;
            while first || self.peek() == Some('[') {
                self.expect('[', "a value, beginning with \"[\",")?;
                let byte = self.at;
                let text = self.value()?;
                if let Some(name) = name {
                    node.push(Value { name, first, byte, text });
                }
                first = false;
            }
        }
        Ok(node)
    }

    /// A value after its bracket: escapes resolved, line breaks as blanks.
    fn value(&mut self) -> Result<Cow<'a, str>, SgfError> {
        let text = self.text;
        let rest = &text[self.at..];
        let plain = rest.find(|c: char| c == ']' || c == '\\' || c.is_control());
        let plain = plain.unwrap_or(rest.len());
        if rest[plain..].starts_with(']') {
            self.at += plain + 1;
            return Ok(Cow::Borrowed(rest[..plain].trim()));
        }
        let shown = |c: char| if c.is_control() { ' ' } else { c };
        let mut value = String::new();
        let mut chars = rest.char_indices().peekable();
        while let Some((i, c)) = chars.next() {
            match c {
                ']' => {
                    self.at += i + 1;
                    return Ok(Cow::Owned(value.trim().to_string()));
                }
                // An escaped line break is none.
                '\\' => match chars.next() {
                    Some((_, '\r')) => drop(chars.next_if(|&(_, c)| c == '\n')),
                    Some((_, '\n')) | None => {}
                    Some((_, escaped)) => value.push(shown(escaped)),
                },
                c => value.push(shown(c)),
            }
        }
        Err(SgfError::Syntax { byte: text.len(), expected: "\"]\"" })
    }
}
