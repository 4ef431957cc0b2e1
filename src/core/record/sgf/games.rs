//! Reads the games of a file one after another, each in its encoding.

use super::charset::Charset;
use super::game::GameBuilder;
use super::lay_out::lay_out;
use super::next_game::{next_game, next_root};
use super::swallow::headless;
use super::tree::{Cut, LinePiece, TreeReader, TreeRest, Variations};
use crate::record::import::{Hints, ImportedGame, Note, Place, UnreadableGame};
use crate::record::quote::excerpt;

/// Iterator over the games of a file.
pub(super) struct SgfGames<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    charset: Charset,
    hints: &'a Hints,
    /// Number of bytes of broken games, which are read again to find the next game.
    lost: usize,
}

/// A game, and whether its encoding may be wrong.
pub(super) struct DecodedGame {
    pub(super) game: Result<ImportedGame, UnreadableGame>,
    /// Whether the game is broken, or moves occur within its texts.
    pub(super) broken: bool,
}

impl<'a> SgfGames<'a> {
    pub(super) fn new(bytes: &'a [u8], charset: Charset, hints: &'a Hints) -> SgfGames<'a> {
        SgfGames { bytes, at: 0, charset, hints, lost: 0 }
    }

    /// Returns where the next game begins; `None` if there is none.
    ///
    /// # Errors
    /// The `(;` of the game is incomplete.
    pub(super) fn begin(&self) -> Option<Result<usize, UnreadableGame>> {
        let next = next_game(self.bytes, self.at);
        let end = next.unwrap_or(self.bytes.len());
        let Some(at) = headless(&self.bytes[self.at..end]) else { return next.map(Ok) };
        let reason = "an SGF game begins with \"(;\", and part of that is missing here";
        let place = Place::Byte(self.at + at);
        Some(Err(UnreadableGame { place, reason: reason.into() }))
    }

    /// Reads the game that begins at a byte. `note` precedes its own notes.
    fn game(&mut self, begin: usize, note: Option<Note>) -> DecodedGame {
        let mut builder = GameBuilder::new(self.hints);
        let encoding = self.charset.encoding(self.bytes, begin);
        let of_page = encoding.note.clone();
        note.into_iter().chain(of_page).for_each(|note| builder.notes.push(note));
        let mut reader = TreeReader::new(self.bytes, begin, encoding.page);
        let mut root = true;
        let read = reader.tree(&mut |piece| match piece {
            LinePiece::Value(value) => builder.value(&value, root),
            LinePiece::NodeEnd => {
                builder.node_end(root);
                root = false;
            }
        });
        let read =
            read.and_then(|tree| check_single(tree.cut, &reader, self.bytes, begin).map(|()| tree));
        let guessed = self.charset.guessed(&encoding, builder.foreign);
        guessed.into_iter().for_each(|note| builder.notes.push(note));
        let broken = builder.swallows;
        match read {
            Ok(TreeRest { variations, cut: Some(cut) }) => {
                self.at = self.bytes.len();
                builder.notes.push(cut.note());
                DecodedGame { game: finished(builder, variations), broken: true }
            }
            Ok(TreeRest { variations, cut: None }) => {
                self.at = reader.at;
                let rest = &self.bytes[self.at..];
                if next_game(rest, 0).is_none() && headless(rest).is_none() {
                    let rest = passed_over(self.bytes, self.at, self.bytes.len());
                    rest.into_iter().for_each(|note| builder.notes.push(note));
                    self.at = self.bytes.len();
                }
                DecodedGame { game: finished(builder, variations), broken }
            }
            Err(fault) => {
                self.lost += reader.at - begin;
                self.at = next_root(self.bytes, begin + 1);
                DecodedGame { game: Err(fault), broken: true }
            }
        }
    }
}

impl Iterator for SgfGames<'_> {
    type Item = DecodedGame;

    fn next(&mut self) -> Option<DecodedGame> {
        let from = self.at;
        let begin = match self.begin()? {
            Ok(begin) => begin,
            Err(fault) => {
                self.at = next_game(self.bytes, from).unwrap_or(self.bytes.len());
                return Some(DecodedGame { game: Err(fault), broken: true });
            }
        };
        if self.lost > MAX_LOST * self.bytes.len() {
            self.at = self.bytes.len();
            let reason = "too many broken games before: the rest is not read".into();
            let game = Err(UnreadableGame { place: Place::Byte(begin), reason });
            return Some(DecodedGame { game, broken: true });
        }
        let note = passed_over(self.bytes, from, begin);
        Some(self.game(begin, note))
    }
}

/// Finishes a game after its last node.
///
/// # Errors
/// Something was not understood; the error names the byte.
fn finished(
    mut builder: GameBuilder<'_>,
    variations: Variations,
) -> Result<ImportedGame, UnreadableGame> {
    builder.conclude()?;
    lay_out(&mut builder)?;
    Ok(builder.finish(variations))
}

/// Checks that a tree contains no other game. A tree that lacks its end, or has a text that lacks
/// its closing bracket, is refused if another game begins within it.
///
/// # Errors
/// Another game begins within the tree.
pub(super) fn check_single(
    cut: Option<Cut>,
    reader: &TreeReader<'_>,
    bytes: &[u8],
    begin: usize,
) -> Result<(), UnreadableGame> {
    let (from, to, reason) = match (cut, reader.swallowing) {
        (Some(_), _) => (begin + 1, bytes.len(), "another game begins before this one ends"),
        (None, Some(text)) => (
            text,
            reader.at,
            "another game begins within a text of this one: a bracket is missing before it, or \
             the text is in another encoding",
        ),
        (None, None) => return Ok(()),
    };
    let next = next_root(&bytes[..to], from);
    if next == to {
        return Ok(());
    }
    Err(UnreadableGame { place: Place::Byte(next), reason: reason.into() })
}

/// Maximum number of bytes read again because of broken games, in file sizes.
const MAX_LOST: usize = 16;

/// Returns a remark on text between games.
fn passed_over(bytes: &[u8], from: usize, to: usize) -> Option<Note> {
    let between = &bytes[from..to];
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf);
    let first = between.iter().position(|byte| !is_blank(byte))?;
    let text = String::from_utf8_lossy(&between[first..between.len().min(first + 200)]);
    let what = format!("passed over: {:?}", excerpt(text.trim()));
    Some(Note::remark(Place::Byte(from + first), what))
}
