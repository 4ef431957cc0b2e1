//! Heads of tree files: form, version and claim.

use std::io;
use std::ops::Range;

use super::batch::{Bytes, Coding, Frame};
use crate::{Claim, Root, has_free_passes};
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};

/// The form of a tree file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// All positions with their moves.
    Table,
    /// The moves in the order in which a checker asks for them (`goren check --pack`).
    Packed,
}

/// Magic bytes of logs.
const LOG: &[u8; 8] = b"GORENPF1";
/// Magic bytes of sorted tables.
const SORTED: &[u8; 8] = b"GORENPF2";
/// First bytes of tree files of any form.
const ANY: &[u8] = b"GORENP";
/// First bytes of packed trees of any version.
const PACKED: &[u8] = b"GORENPK";

/// Maximum size of a head, in bytes.
pub(crate) const MAX_HEAD: usize = 1 << 13;
/// Size of a slot, in bytes.
pub(super) const SLOT: usize = 1 << 11;
/// Number of keys in a block of the index.
pub(super) const BLOCK: usize = 512;
/// Sizes of a key in the index and of a checksum, in bytes.
const KEY: u64 = 8;
const SUM: u64 = 4;

impl Form {
    /// Returns the magic bytes of a new file. For packed trees the last digit is the version of
    /// the order in which checkers visit them; with fouls it changed once more.
    fn magic(self, rule: RuleId) -> &'static [u8; 8] {
        match self {
            Form::Table => LOG,
            Form::Packed if rule.card().has_fouls() => b"GORENPK3",
            Form::Packed => b"GORENPK2",
        }
    }
}

/// Whether the bytes are a tree file, of any form and version.
pub fn is_tree(bytes: &[u8]) -> bool {
    bytes.starts_with(ANY)
}

/// Whether the bytes are a packed tree, of any version.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(PACKED)
}

/// The reason why a tree file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The head is unusable.
    #[error("cannot be used as a winning tree here: {0}")]
    Head(&'static str),
    /// The log is too long for lookups.
    #[error("its moves are not sorted; `goren merge TABLE FILE` makes a table of it")]
    Unsorted,
}

/// Encodes the body of a head, without the fields of sorted tables.
fn body(claim: &Claim) -> Vec<u8> {
    let Claim { setup, attacker, root } = claim;
    let name = setup.rule.name().as_bytes();
    let mut body = vec![name.len() as u8];
    body.extend(name);
    body.extend([setup.width as u8, setup.height as u8]);
    body.extend([attacker.index() as u8, root.to_move.index() as u8]);
    body.extend((root.stones.len() as u16).to_le_bytes());
    for (cell, color) in &root.stones {
        body.extend([cell.x() as u8, cell.y() as u8, color.index() as u8]);
    }
    body
}

fn framed(magic: &[u8; 8], body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_le_bytes();
    [magic, &length[..], &crc32fast::hash(body).to_le_bytes(), body].concat()
}

/// Encodes the head of a new file: of a log without moves, or of a packed tree.
pub fn head(form: Form, claim: &Claim) -> Vec<u8> {
    framed(form.magic(claim.setup.rule), &body(claim))
}

/// Encodes the head of a sorted table. `last` is the size of the last slot.
pub(super) fn sorted_head(claim: &Claim, slots: usize, last: usize) -> Vec<u8> {
    let numbers = [slots, last].map(|number| (number as u32).to_le_bytes()).concat();
    framed(SORTED, &[body(claim), numbers].concat())
}

/// Reads the head of a file. Returns the claim and the bytes after the head.
///
/// # Errors
/// The file is of another form or version, or the head is damaged.
pub fn read_head(form: Form, bytes: &[u8]) -> Result<(Claim, &[u8]), ProofError> {
    let bad = ProofError::Head;
    if form == Form::Table {
        let head = TableHead::read(bytes)?;
        return Ok((head.claim, &bytes[head.bytes as usize..]));
    }
    if !is_packed(bytes) {
        return Err(bad(OTHER));
    }
    let (magic, body, rest) = split(bytes)?;
    let claim = claim(&mut Bytes(body))?;
    if magic != form.magic(claim.setup.rule) {
        return Err(bad("it is packed by another version, whose `goren merge` can unpack it"));
    }
    Ok((claim, rest))
}

const OTHER: &str = "it does not begin like one";
const CUT: &str = "its head is cut short";
const NONSENSE: &str = "its head is invalid";
const PASSES: &str = "players may pass at any point of its game, but nobody passes in a tree";

/// Magic bytes of a file, body of its head, and the bytes after it.
type Parts<'a> = (&'a [u8], &'a [u8], &'a [u8]);

fn split(bytes: &[u8]) -> Result<Parts<'_>, ProofError> {
    let mut bytes = Bytes(bytes);
    let magic = bytes.take(LOG.len()).ok_or(ProofError::Head(OTHER))?;
    let cut = ProofError::Head(CUT);
    let Some((length, sum)) = bytes.word().zip(bytes.word()) else { return Err(cut) };
    let body = bytes.take(length as usize).ok_or(cut)?;
    if crc32fast::hash(body) != sum {
        return Err(ProofError::Head("its head is damaged"));
    }
    Ok((magic, body, bytes.0))
}

/// # Errors
/// The body is invalid, or the game has no trees.
fn claim(body: &mut Bytes<'_>) -> Result<Claim, ProofError> {
    let claim = any_claim(body).ok_or(ProofError::Head(NONSENSE))?;
    if has_free_passes(claim.setup.rule) { Err(ProofError::Head(PASSES)) } else { Ok(claim) }
}

fn any_claim(body: &mut Bytes<'_>) -> Option<Claim> {
    let length = body.byte()?;
    let name = std::str::from_utf8(body.take(length.into())?).ok()?;
    let rule = RuleId::from_name(name)?;
    let setup = Setup::new(rule, body.byte()?.into(), body.byte()?.into()).ok()?;
    let color = |byte: u8| Color::ALL.get(usize::from(byte)).copied();
    let (attacker, to_move) = (color(body.byte()?)?, color(body.byte()?)?);
    let count = u16::from_le_bytes(body.take(2)?.try_into().ok()?);
    let mut stones = Vec::new();
    for _ in 0..count {
        let (x, y) = (usize::from(body.byte()?), usize::from(body.byte()?));
        let inside = x < setup.width && y < setup.height;
        stones.push((inside.then(|| Cell::new(x, y))?, color(body.byte()?)?));
    }
    Some(Claim { setup, attacker, root: Root { stones, to_move } })
}

/// Head of a table of either version: where its parts are.
#[derive(Clone, Debug)]
pub(super) struct TableHead {
    pub(super) claim: Claim,
    pub(super) coding: Coding,
    /// Size of the head, in bytes.
    pub(super) bytes: u64,
    /// Number of slots; 0 in a log.
    pub(super) slots: usize,
    /// Size of the last slot, in bytes.
    last: usize,
}

impl TableHead {
    /// # Errors
    /// The file is of another form or version, or the head is damaged.
    pub(super) fn read(bytes: &[u8]) -> Result<TableHead, ProofError> {
        let bad = ProofError::Head;
        if is_packed(bytes) {
            return Err(bad("it is packed; `goren merge TABLE PACKED` makes a table of it"));
        }
        if !bytes.starts_with(LOG) && !bytes.starts_with(SORTED) {
            return Err(bad(OTHER));
        }
        let (magic, body, rest) = split(bytes)?;
        let mut body = Bytes(body);
        let claim = claim(&mut body)?;
        let sorted = magic == SORTED;
        let (mut slots, mut last) = (0, 0);
        if sorted {
            let numbers = body.word().zip(body.word()).ok_or(bad(NONSENSE))?;
            (slots, last) = (numbers.0 as usize, numbers.1 as usize);
            let valid = if slots == 0 { last == 0 } else { (Frame::BYTES..=SLOT).contains(&last) };
            if !valid {
                return Err(bad(NONSENSE));
            }
        }
        let coding = Coding::new(claim.setup, !sorted);
        let head = (bytes.len() - rest.len()) as u64;
        Ok(TableHead { claim, coding, bytes: head, slots, last })
    }

    /// Returns the range of a block of the index: its checksum and its keys.
    pub(super) fn block(&self, number: usize) -> Range<u64> {
        let begin = |block: usize| {
            let keys = (block as u64 * BLOCK as u64).min(self.slots as u64);
            self.bytes + KEY * keys + SUM * keys.div_ceil(BLOCK as u64)
        };
        begin(number)..begin(number + 1)
    }

    /// Returns the number of blocks of the index.
    pub(super) fn blocks(&self) -> usize {
        self.slots.div_ceil(BLOCK)
    }

    /// Returns the range of a slot.
    pub(super) fn slot(&self, number: usize) -> Range<u64> {
        let begin = self.block(self.blocks()).start + number as u64 * SLOT as u64;
        let length = if number + 1 == self.slots { self.last } else { SLOT };
        begin..begin + length as u64
    }

    /// Returns the offset of the log.
    pub(super) fn log(&self) -> u64 {
        match self.slots.checked_sub(1) {
            Some(last) => self.slot(last).end,
            None => self.bytes,
        }
    }
}
