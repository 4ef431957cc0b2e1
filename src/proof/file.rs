//! Files of winning trees.
//!
//! A head says what is claimed; behind it come batches of moves, each with its
//! length and checksum, in order of keys: the difference to the key before and
//! the number of the cell, as numbers of seven bits a byte. A run that works on
//! a tree appends a batch now and then; the same file written anew has few
//! large ones. All numbers are little endian.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Claim, Proof, Root};
use crate::rules::{RuleId, Setup};
use crate::types::{Cell, Color};

/// What a file holds of a tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// All positions with their moves.
    Table,
    /// What a checker asks for (`goren check --pack`).
    Packed,
}

/// How tables begin.
const TABLE: &[u8; 8] = b"GORENPF1";
/// How packed trees of any version begin.
const PACKED: &[u8] = b"GORENPK";

impl Form {
    /// How a file begins. For packed trees the last digit tells of the way in
    /// which checkers go through them: with fouls it was changed once more.
    fn magic(self, rule: RuleId) -> &'static [u8; 8] {
        match self {
            Form::Table => TABLE,
            Form::Packed if rule.card().fouls => b"GORENPK3",
            Form::Packed => b"GORENPK2",
        }
    }
}

/// Whether this is the file of a packed tree, of whatever version.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(PACKED)
}

/// Moves of a batch when a file is written anew.
const BATCH: usize = 1 << 16;
/// Keys are below this.
const KEY_LIMIT: u64 = 1 << 56;

/// Why a file of a tree cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The system says so.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is something else.
    #[error("cannot be used as a winning tree here: {0}")]
    Head(&'static str),
}

/// What of a file makes no sense.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The byte from which on it does not, from 0.
    pub offset: usize,
    /// Bytes that say nothing.
    pub lost: usize,
}

/// Bytes that are taken from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn word(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// A number of seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

fn push_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The head of a file: its form, and what is claimed.
pub fn head(form: Form, claim: &Claim) -> Vec<u8> {
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
    let mut head = form.magic(setup.rule).to_vec();
    head.extend((body.len() as u32).to_le_bytes());
    head.extend(crc32fast::hash(&body).to_le_bytes());
    head.extend(body);
    head
}

/// What a file claims, and what comes behind its head.
///
/// # Errors
/// It is of another form or version, or damaged.
pub fn read_head(form: Form, bytes: &[u8]) -> Result<(Claim, &[u8]), ProofError> {
    let bad = ProofError::Head;
    let packed = is_packed(bytes);
    if packed && form == Form::Table {
        return Err(bad("it is packed; `goren merge` writes it as a table"));
    }
    let other = "it does not begin as one";
    if !packed && !bytes.starts_with(TABLE) {
        return Err(bad(other));
    }
    let mut bytes = Bytes(bytes);
    let begin = bytes.take(TABLE.len()).ok_or(bad(other))?;
    let cut = "its head is cut short";
    let (length, sum) = bytes.word().zip(bytes.word()).ok_or(bad(cut))?;
    let body = bytes.take(length as usize).ok_or(bad(cut))?;
    if crc32fast::hash(body) != sum {
        return Err(bad("its head is damaged"));
    }
    let claim = claim(&mut Bytes(body)).ok_or(bad("its head makes no sense"))?;
    if begin != form.magic(claim.setup.rule) {
        let version = "it is packed by another version, whose `goren merge` can unpack it";
        return Err(bad(if packed { version } else { other }));
    }
    Ok((claim, bytes.0))
}

fn claim(body: &mut Bytes<'_>) -> Option<Claim> {
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

/// A batch of moves, in order of their keys.
fn batch(setup: Setup, moves: &[(u64, Cell)]) -> Vec<u8> {
    let mut body = Vec::with_capacity(8 * moves.len());
    let mut last = 0;
    for &(key, cell) in moves {
        push_number(key - last, &mut body);
        push_number((cell.y() * setup.width + cell.x()) as u64, &mut body);
        last = key;
    }
    let mut batch = (moves.len() as u32).to_le_bytes().to_vec();
    batch.extend((body.len() as u32).to_le_bytes());
    batch.extend(crc32fast::hash(&body).to_le_bytes());
    batch.extend(body);
    batch
}

/// A batch as it stands in a file.
struct Batch<'a> {
    count: u32,
    sum: u32,
    body: &'a [u8],
}

impl<'a> Batch<'a> {
    fn take(bytes: &mut Bytes<'a>) -> Option<Batch<'a>> {
        let (count, length, sum) = (bytes.word()?, bytes.word()?, bytes.word()?);
        Some(Batch { count, sum, body: bytes.take(length as usize)? })
    }

    fn moves(&self, setup: Setup) -> Option<Vec<(u64, Cell)>> {
        if crc32fast::hash(self.body) != self.sum {
            return None;
        }
        let mut body = Bytes(self.body);
        let mut moves = Vec::with_capacity((self.count as usize).min(BATCH));
        let mut key = 0;
        for _ in 0..self.count {
            key += body.number()?;
            let number = usize::try_from(body.number()?).ok()?;
            if number >= setup.area() || key >= KEY_LIMIT {
                return None;
            }
            moves.push((key, Cell::new(number % setup.width, number / setup.width)));
        }
        body.0.is_empty().then_some(moves)
    }
}

/// Reads a tree, as far as it makes sense: of a damaged batch only its length
/// is believed.
///
/// # Errors
/// The head cannot be read.
pub fn read(bytes: &[u8]) -> Result<(Proof, Option<Damage>), ProofError> {
    let (claim, rest) = read_head(Form::Table, bytes)?;
    let mut rest = Bytes(rest);
    let mut proof = Proof::new(claim);
    let mut damage: Option<Damage> = None;
    while !rest.0.is_empty() {
        let before = rest.0;
        let batch = Batch::take(&mut rest);
        if let Some(moves) = batch.as_ref().and_then(|batch| batch.moves(proof.claim.setup)) {
            for (key, m) in moves {
                proof.insert(key, m);
            }
            continue;
        }
        if batch.is_none() {
            rest.0 = &[];
        }
        let offset = bytes.len() - before.len();
        let damage = damage.get_or_insert(Damage { offset, lost: 0 });
        damage.lost += before.len() - rest.0.len();
    }
    Ok((proof, damage))
}

/// Writes a tree.
///
/// # Errors
/// What `out` says.
pub fn write(proof: &Proof, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&head(Form::Table, &proof.claim))?;
    for moves in proof.moves().chunks(BATCH) {
        out.write_all(&batch(proof.claim.setup, moves))?;
    }
    Ok(())
}

/// A file of a tree that moves are appended to.
#[derive(Debug)]
pub struct Journal {
    file: File,
    setup: Setup,
}

impl Journal {
    /// Makes the file of a tree without a move, or opens the one there is. One
    /// that is damaged is kept beside it (`.damaged`), and written anew with what
    /// makes sense. What is in it, and what was lost.
    ///
    /// # Errors
    /// What the system says; the file is something else, in use by another
    /// run, or of another claim.
    pub fn open(
        path: &Path,
        claim: &Claim,
    ) -> Result<(Journal, Proof, Option<Damage>), ProofError> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(ProofError::Head("it is in use by another run"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let expected = head(Form::Table, claim);
        // A run may have ended before its head was on the disk.
        if bytes.len() < expected.len() && expected.starts_with(&bytes) {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&expected)?;
            file.sync_all()?;
            return Ok((Journal { file, setup: claim.setup }, Proof::new(claim.clone()), None));
        }
        let (proof, damage) = read(&bytes)?;
        if proof.claim != *claim {
            return Err(ProofError::Head("it is about another position or rule"));
        }
        if damage.is_some() {
            let mut name = path.as_os_str().to_owned();
            name.push(".damaged");
            std::fs::write(name, &bytes)?;
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            write(&proof, &mut file)?;
            file.sync_all()?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok((Journal { file, setup: claim.setup }, proof, damage))
    }

    /// Appends moves and waits until they are on the disk.
    ///
    /// # Errors
    /// What the system says.
    pub fn append(&mut self, moves: &mut Vec<(u64, Cell)>) -> io::Result<()> {
        if moves.is_empty() {
            return Ok(());
        }
        moves.sort_unstable();
        self.file.write_all(&batch(self.setup, moves))?;
        moves.clear();
        self.file.sync_data()
    }
}
