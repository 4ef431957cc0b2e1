//! Reading files: the head, the parts of packed trees, tables (section 2 of the
//! description).

use std::io::{BufReader, Read};

use lzma_rust2::LzmaReader;

use crate::grid::{BLACK, Rule};
use crate::source::{Flaw, flaw};

/// Claim of a file, which is still to be proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The rule.
    pub rule: Rule,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Side that is claimed to win: 0 Black, 1 White.
    pub attacker: usize,
    /// Side to move in the root.
    pub to_move: usize,
    /// Stones of the root: cell number and colour.
    pub stones: Vec<(usize, usize)>,
}

impl Claim {
    /// Returns the last stone of the root, if the colours in the list take turns up to the side
    /// to move, as in a game. In other lists it is unknown which stone came last.
    pub fn last_in_turn(&self) -> Option<(usize, usize)> {
        let due = [1 - self.to_move, self.to_move].into_iter().cycle();
        let in_turn = self.stones.iter().rev().zip(due).all(|(stone, due)| stone.1 == due);
        self.stones.last().copied().filter(|_| in_turn)
    }
}

/// A part of a packed tree.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// Cell number of the reply; `None` if the attacker is to move in the root.
    pub reply: Option<usize>,
    /// The packed script.
    pub member: &'a [u8],
}

/// Content after the head.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// Parts of a packed tree.
    Parts(Vec<Part<'a>>),
    /// Pairs of key and cell number, sorted.
    Table(Vec<(u64, u16)>),
}

/// Bytes not yet read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Flaw> {
        let Some((taken, rest)) = self.0.split_at_checked(n) else {
            return flaw("the file ends early");
        };
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<usize, Flaw> {
        Ok(usize::from(self.take(1)?[0]))
    }

    /// Reads a number of `n` bytes.
    fn number(&mut self, n: usize) -> Result<usize, Flaw> {
        Ok(self.take(n)?.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    }

    fn varint(&mut self) -> Result<u64, Flaw> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()? as u64;
            value |= (byte & 127) << shift;
            if byte < 128 {
                return Ok(value);
            }
        }
        flaw("a number of a batch is too long")
    }

    /// Reads a length, a CRC, and as many bytes as the length says.
    fn checked(&mut self, what: &str) -> Result<Rest<'a>, Flaw> {
        let (length, crc) = (self.number(4)?, self.number(4)?);
        let bytes = self.take(length)?;
        if crc32fast::hash(bytes) as usize != crc {
            return flaw(format!("the checksum of {what} is wrong"));
        }
        Ok(Rest(bytes))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Reads a file.
///
/// # Errors
/// Anything that is not in this format.
pub fn read(bytes: &[u8]) -> Result<(Claim, Content<'_>), Flaw> {
    let mut rest = Rest(bytes);
    let Ok(magic) = rest.take(8) else { return flaw("the file is too short") };
    let mut body = match magic {
        b"GORENPK2" | b"GORENPK3" | b"GORENPF1" | b"GORENPF2" => rest.checked("the head")?,
        _ => return flaw("not a winning tree of a known form"),
    };
    let claim = claim(&mut body)?;
    let packed = if claim.rule == Rule::Renju { b"GORENPK3" } else { b"GORENPK2" };
    let content = match magic {
        b"GORENPF1" => Content::Table(log(&mut rest, &claim, false)?),
        b"GORENPF2" => Content::Table(table(&mut body, &mut rest, &claim)?),
        _ if magic != packed => return flaw("the magic word belongs to other rules"),
        _ => Content::Parts(parts(&mut rest, &claim)?),
    };
    Ok((claim, content))
}

fn claim(body: &mut Rest<'_>) -> Result<Claim, Flaw> {
    let length = body.byte()?;
    let name = String::from_utf8_lossy(body.take(length)?).into_owned();
    let Some(rule) = Rule::named(&name) else { return flaw(format!("unknown rule {name:?}")) };
    let (width, height) = (body.byte()?, body.byte()?);
    if !(5..=26).contains(&width) || !(5..=26).contains(&height) {
        return flaw(format!("a board of {width}x{height} is not supported"));
    }
    let (attacker, to_move) = (body.byte()?, body.byte()?);
    let mut stones: Vec<(usize, usize)> = Vec::new();
    for _ in 0..body.number(2)? {
        let (x, y, colour) = (body.byte()?, body.byte()?, body.byte()?);
        let cell = width * y + x;
        if x >= width || y >= height || stones.iter().any(|stone| stone.0 == cell) {
            return flaw("a stone of the root is off the board or on another");
        }
        stones.push((cell, colour));
    }
    if stones.iter().map(|stone| stone.1).chain([attacker, to_move]).any(|colour| colour > 1) {
        return flaw("an unknown colour");
    }
    Ok(Claim { rule, size: (width, height), attacker, to_move, stones })
}

fn parts<'a>(rest: &mut Rest<'a>, claim: &Claim) -> Result<Vec<Part<'a>>, Flaw> {
    let count = rest.number(2)?;
    let mut parts = Vec::new();
    for _ in 0..count {
        let head = rest.0;
        let (x, y, size, crc) = (rest.byte()?, rest.byte()?, rest.number(4)?, rest.number(4)?);
        let member = rest.take(size)?;
        let mut hash = crc32fast::Hasher::new();
        hash.update(&head[..6]);
        hash.update(member);
        if hash.finalize() as usize != crc {
            return flaw("the checksum of a part is wrong");
        }
        let reply = match (x, y) {
            (255, 255) => None,
            _ if x < claim.size.0 && y < claim.size.1 => Some(claim.size.0 * y + x),
            _ => return flaw("a reply off the board"),
        };
        parts.push(Part { reply, member });
    }
    if !rest.is_empty() {
        return flaw("the file has bytes after its last part");
    }
    Ok(parts)
}

/// Unpacks the script of an lzip member.
///
/// # Errors
/// The member is incomplete, or bytes follow it.
pub fn unpack(member: &[u8]) -> Result<impl std::io::BufRead + '_, Flaw> {
    let mut rest = Rest(member);
    let head = rest.take(6)?;
    if member.len() < 26 || head[..5] != *b"LZIP\x01" {
        return flaw("a part is no lzip member");
    }
    let (log, eighths) = (u32::from(head[5] & 31), u32::from(head[5] >> 5));
    if !(12..=29).contains(&log) {
        return flaw("the dictionary of a part has no valid size");
    }
    let dictionary = (1u32 << log) - eighths * ((1u32 << log) / 16);
    let mut tail = Rest(&member[member.len() - 20..]);
    let (crc, length, whole) = (tail.number(4)?, tail.number(8)?, tail.number(8)?);
    if whole != member.len() {
        return flaw("a part has a wrong length in its trailer");
    }
    let packed = &member[6..member.len() - 20];
    let reader = LzmaReader::new(packed, u64::MAX, 3, 0, 2, dictionary, None)?;
    let hash = crc32fast::Hasher::new();
    Ok(BufReader::with_capacity(1 << 16, Checked { reader, hash, left: length as u64, crc }))
}

/// Content of a member; its checksum and length are checked at the end.
struct Checked<'a> {
    reader: LzmaReader<&'a [u8]>,
    hash: crc32fast::Hasher,
    left: u64,
    crc: usize,
}

impl Read for Checked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.hash.update(&buffer[..n]);
        let wrong = || std::io::Error::other("the checksum or length of a script is wrong");
        self.left = self.left.checked_sub(n as u64).ok_or_else(wrong)?;
        let end = n == 0 && !buffer.is_empty();
        if end && (self.left != 0 || self.hash.clone().finalize() as usize != self.crc) {
            return Err(wrong());
        }
        if end && !self.reader.inner().is_empty() {
            return Err(std::io::Error::other("a script has bytes after its end marker"));
        }
        Ok(n)
    }
}

/// Reads batches to the end, as pairs sorted by key. `fixed`: cells as in `GORENPF2`.
fn log(rest: &mut Rest<'_>, claim: &Claim, fixed: bool) -> Result<Vec<(u64, u16)>, Flaw> {
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        batch(rest, claim, fixed, &mut pairs)?;
    }
    pairs.sort_by_key(|pair| pair.0);
    Ok(pairs)
}

fn batch(
    rest: &mut Rest<'_>,
    claim: &Claim,
    fixed: bool,
    pairs: &mut Vec<(u64, u16)>,
) -> Result<(), Flaw> {
    let cells = claim.size.0 * claim.size.1;
    let count = rest.number(4)?;
    let mut bytes = rest.checked("a batch")?;
    let mut key = 0u64;
    for _ in 0..count {
        key = key.saturating_add(bytes.varint()?);
        let cell = if fixed {
            bytes.number(if cells > 256 { 2 } else { 1 })? as u64
        } else {
            bytes.varint()?
        };
        if key >= 1 << 56 || cell >= cells as u64 {
            return flaw("a batch has a key or a cell that is too large");
        }
        pairs.push((key, cell as u16));
    }
    if !bytes.is_empty() {
        return flaw("a batch has bytes after its moves");
    }
    Ok(())
}

/// Size of a slot in bytes, and number of slots in a block of the index.
const SLOT: usize = 2048;
const INDEXED: usize = 512;

fn table(body: &mut Rest<'_>, rest: &mut Rest<'_>, claim: &Claim) -> Result<Vec<(u64, u16)>, Flaw> {
    let (slots, last) = (body.number(4)?, body.number(4)?);
    if last > SLOT || (last == 0) != (slots == 0) {
        return flaw("the last slot has a wrong length");
    }
    let mut firsts = Vec::new();
    let mut left = slots;
    while left > 0 {
        let group = left.min(INDEXED);
        let crc = rest.number(4)?;
        let bytes = rest.take(8 * group)?;
        if crc32fast::hash(bytes) as usize != crc {
            return flaw("the checksum of the index is wrong");
        }
        firsts.extend(
            bytes.chunks(8).map(|key| key.iter().rev().fold(0, |k, &b| k << 8 | u64::from(b))),
        );
        left -= group;
    }
    let mut pairs = Vec::new();
    for (slot, &first) in firsts.iter().enumerate() {
        let end = slot + 1 == slots;
        let mut bytes = Rest(rest.take(if end { last } else { SLOT })?);
        let from = pairs.len();
        batch(&mut bytes, claim, true, &mut pairs)?;
        let filled = if end { bytes.is_empty() } else { bytes.0.iter().all(|&byte| byte == 0) };
        let follows = from == 0 || pairs[from - 1].0 <= first;
        if !filled || !follows || pairs.get(from).is_none_or(|pair| pair.0 != first) {
            return flaw("a slot does not fit the index");
        }
    }
    pairs.extend(log(rest, claim, true)?);
    pairs.sort_by_key(|pair| pair.0);
    Ok(pairs)
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let colour = |c: usize| if c == BLACK { "Black" } else { "White" };
        let (width, height) = self.size;
        write!(f, "{} {width}x{height}, {} wins, ", self.rule.name(), colour(self.attacker))?;
        write!(f, "{} to move; Black:", colour(self.to_move))?;
        for wanted in 0..2 {
            let mut stones: Vec<usize> =
                self.stones.iter().filter(|s| s.1 == wanted).map(|s| s.0).collect();
            stones.sort_unstable();
            if wanted == 1 {
                write!(f, "; White:")?;
            }
            for cell in stones {
                let column = (b'a' + (cell % width) as u8) as char;
                write!(f, " {column}{}", height - cell / width)?;
            }
        }
        Ok(())
    }
}
