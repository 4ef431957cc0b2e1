//! The games of a file, one after another, each read in its encoding.

use super::charset::Charset;
use super::game::Builder;
use super::lay_out::lay_out;
use super::tree::{Cut, Piece, Reader, Tree, Variations};
use crate::record::import::{Hints, ImportedGame, Note, Place, UnreadableGame};
use crate::record::quote::excerpt;
use crate::record::text::CodePage;

/// The games of some bytes.
pub(super) struct Games<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    charset: Charset,
    hints: &'a Hints,
    /// Bytes of broken games, which are read again from the next one on.
    lost: usize,
}

/// A game, and what tells whether its encoding is right.
pub(super) struct Found {
    pub(super) game: Result<ImportedGame, UnreadableGame>,
    /// Whether it is broken, or holds moves within texts.
    pub(super) broken: bool,
}

impl<'a> Games<'a> {
    pub(super) fn new(bytes: &'a [u8], charset: Charset, hints: &'a Hints) -> Games<'a> {
        Games { bytes, at: 0, charset, hints, lost: 0 }
    }

    /// The game that begins at a byte, behind `note`.
    fn game(&mut self, begin: usize, note: Option<Note>) -> Found {
        let mut builder = Builder::new(self.hints);
        let (page, declared, of_page) = self.charset.page(self.bytes, begin);
        note.into_iter().chain(of_page).for_each(|note| builder.notes.push(note));
        let mut reader = Reader::new(self.bytes, begin, page);
        let mut root = true;
        let read = reader.tree(&mut |piece| match piece {
            Piece::Value(value) => builder.value(&value, root),
            Piece::NodeEnd => {
                builder.node_end();
                root = false;
            }
        });
        let read = read.and_then(|tree| check_last(tree.cut, self.bytes, begin).map(|()| tree));
        if builder.foreign && !declared {
            self.charset.guessed(page).into_iter().for_each(|note| builder.notes.push(note));
        }
        let broken = builder.swallows;
        match read {
            Ok(Tree { variations, cut: Some(cut) }) => {
                self.at = self.bytes.len();
                builder.notes.push(cut.note());
                Found { game: finished(builder, variations), broken: true }
            }
            Ok(Tree { variations, cut: None }) => {
                self.at = reader.at;
                if next_game(self.bytes, self.at).is_none() {
                    let rest = passed_over(self.bytes, self.at, self.bytes.len());
                    rest.into_iter().for_each(|note| builder.notes.push(note));
                    self.at = self.bytes.len();
                }
                Found { game: finished(builder, variations), broken }
            }
            Err(fault) => {
                self.lost += reader.at - begin;
                self.at = next_root(self.bytes, begin + 1);
                Found { game: Err(fault), broken: true }
            }
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        let from = self.at;
        let begin = next_game(self.bytes, from)?;
        if self.lost > MOST_LOST * self.bytes.len() {
            self.at = self.bytes.len();
            let reason = "so many games before are broken that the rest is not read".into();
            let game = Err(UnreadableGame { place: Place::Byte(begin), reason });
            return Some(Found { game, broken: true });
        }
        let note = passed_over(self.bytes, from, begin);
        Some(self.game(begin, note))
    }
}

/// A game after its last node.
///
/// # Errors
/// What was not understood; names the byte.
fn finished(
    mut builder: Builder<'_>,
    variations: Variations,
) -> Result<ImportedGame, UnreadableGame> {
    builder.conclude()?;
    lay_out(&mut builder)?;
    Ok(builder.finish(variations))
}

/// Sees that a tree that is cut off is the last one of its file.
///
/// # Errors
/// Another one begins within it: brackets are missing.
pub(super) fn check_last(
    cut: Option<Cut>,
    bytes: &[u8],
    begin: usize,
) -> Result<(), UnreadableGame> {
    let next = cut.map_or(bytes.len(), |_| next_root(bytes, begin + 1));
    if next == bytes.len() {
        return Ok(());
    }
    let reason = "another game begins before this one ends".into();
    Err(UnreadableGame { place: Place::Byte(next), reason })
}

/// How often the bytes of a file may be read again because of broken games.
const MOST_LOST: usize = 16;

/// Where the next game begins: at a parenthesis with a node behind it.
pub(super) fn next_game(bytes: &[u8], from: usize) -> Option<usize> {
    let opens = |at: &usize| bytes[*at] == b'(';
    let mut found = (from..bytes.len()).filter(opens);
    found.find(|&at| {
        let rest = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        rest == Some(&b';')
    })
}

/// Where a game begins after one that is broken: with a property that only
/// roots have.
fn next_root(bytes: &[u8], mut from: usize) -> usize {
    while let Some(begin) = next_game(bytes, from) {
        let end = begin + MOST_OF_ROOT;
        let values = Reader::new(bytes, begin, CodePage::WINDOWS_1252).root(end);
        let is_root = |name: &str| matches!(name, "GM" | "FF" | "SZ" | "CA" | "PB" | "EV" | "RU");
        if values.iter().any(|value| is_root(value.name.as_str())) {
            return begin;
        }
        from = begin + 1;
    }
    bytes.len()
}

/// Bytes of a root that are looked at where a game may begin.
const MOST_OF_ROOT: usize = 1 << 12;

/// A remark on bytes between games that are no blanks.
fn passed_over(bytes: &[u8], from: usize, to: usize) -> Option<Note> {
    let between = &bytes[from..to];
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf);
    let first = between.iter().position(|byte| !is_blank(byte))?;
    let text = String::from_utf8_lossy(&between[first..between.len().min(first + 200)]);
    let what = format!("passed over: {:?}", excerpt(text.trim()));
    Some(Note::remark(Place::Byte(from + first), what))
}
