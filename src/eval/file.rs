//! Weights as bytes.
//!
//! All numbers are little-endian. A file is:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GorenWts` |
//! | 2 | version of this format, 1 |
//! | 2 | the variant, by its number in the Gomocup protocol; Caro's file serves Caro with exact five too |
//! | 2 | sides that follow: 2 for Black and White, 1 if both have the same numbers |
//! | per side | the sections `POTM`, `POTW`, `OWN `, `DENY`, `THRT` in this order: four letters, the number of entries (4 bytes), entries of 2 bytes, signed |
//! | 4 | CRC-32 (IEEE) of all bytes before |

use super::weights::{Side, THREATS, Weights, family};
use crate::pattern::CODES;
use crate::rules::RuleId;
use crate::types::Color;

const MAGIC: [u8; 8] = *b"GorenWts";
const VERSION: u16 = 1;
/// Bytes before the first section.
const HEADER: usize = 14;
/// Bytes of the checksum.
const CHECKSUM: usize = 4;
/// Bytes of the name and the length of a section.
const SECTION: usize = 8;
const NAMES: [[u8; 4]; 5] = [*b"POTM", *b"POTW", *b"OWN ", *b"DENY", *b"THRT"];
/// Bytes of the sections of a side.
const SIDE: usize = NAMES.len() * SECTION + 2 * (4 * CODES + THREATS);

/// The largest file of weights there is, in bytes.
pub const MAX_FILE: usize = HEADER + 2 * SIDE + CHECKSUM;

/// Why bytes are no weights for a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// Another kind of file.
    #[error("not a file of weights")]
    Magic,
    /// A format from the future, or nonsense.
    #[error("format version {0} is unknown, only {VERSION} can be read")]
    Version(u16),
    /// The end is missing.
    #[error("the file ends after {found} of {expected} bytes")]
    Short {
        /// Bytes there should be.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// Something follows the end.
    #[error("the file has {found} bytes where {expected} should be")]
    Long {
        /// Bytes there should be.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The checksum does not fit.
    #[error("the file is damaged: its checksum is {found:08x} instead of {expected:08x}")]
    Damaged {
        /// Checksum in the file.
        expected: u32,
        /// Checksum of its bytes.
        found: u32,
    },
    /// A number of sides that cannot be.
    #[error("weights of {0} sides")]
    Sides(u16),
    /// A section is not what it should be.
    #[error("section {number} is not {name} with {entries} entries")]
    Section {
        /// Counted from 0 over all sides.
        number: usize,
        /// The name there should be.
        name: &'static str,
        /// Entries there should be.
        entries: usize,
    },
    /// No variant has this number.
    #[error("weights of an unknown rule, number {0}")]
    UnknownRule(u16),
    /// Weights of another variant.
    #[error("weights for {found}, not for {wanted}")]
    OtherRule {
        /// The variant they are for.
        found: RuleId,
        /// The variant asked for.
        wanted: RuleId,
    },
}

/// The file that comes with the program for a variant.
pub(super) fn embedded(rule: RuleId) -> &'static [u8] {
    match rule {
        RuleId::Freestyle => include_bytes!("weights/freestyle.bin"),
        RuleId::Standard => include_bytes!("weights/standard.bin"),
        RuleId::Renju => include_bytes!("weights/renju.bin"),
        RuleId::Caro | RuleId::CaroExact => include_bytes!("weights/caro.bin"),
    }
}

/// The sections of a side with their names.
fn sections(side: &mut Side) -> [([u8; 4], &mut [i16]); 5] {
    let tables: [&mut [i16]; 5] =
        [&mut side.to_move, &mut side.waiting, &mut side.own, &mut side.deny, &mut side.threats];
    let mut names = NAMES.into_iter();
    tables.map(|table| (names.next().unwrap_or_default(), table))
}

impl Weights {
    /// The weights in a file, for one variant.
    ///
    /// # Errors
    /// The bytes are no weights, are damaged, or are weights for another
    /// variant.
    pub fn read(bytes: &[u8], rule: RuleId) -> Result<Weights, WeightsError> {
        let weights = Weights::read_any(bytes)?;
        if weights.rule() != family(rule) {
            return Err(WeightsError::OtherRule { found: weights.rule(), wanted: rule });
        }
        Ok(weights)
    }

    /// The weights in a file, for whichever variant they are.
    ///
    /// # Errors
    /// The bytes are no weights or are damaged.
    pub fn read_any(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let found = bytes.len();
        let short = |expected| WeightsError::Short { expected, found };
        let known = bytes.len().min(MAGIC.len());
        if bytes[..known] != MAGIC[..known] {
            return Err(WeightsError::Magic);
        }
        let header = bytes.get(..HEADER).ok_or(short(HEADER))?;
        let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let (version, number, sides) = (word(8), word(10), word(12));
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        if !(1..=2).contains(&sides) {
            return Err(WeightsError::Sides(sides));
        }
        let expected = HEADER + sides as usize * SIDE + CHECKSUM;
        if found < expected {
            return Err(short(expected));
        } else if found > expected {
            return Err(WeightsError::Long { expected, found });
        }
        let (body, checksum) = bytes.split_at(expected - CHECKSUM);
        let expected = checksum.iter().rev().fold(0, |sum, &byte| sum << 8 | byte as u32);
        let found = crc32fast::hash(body);
        if found != expected {
            return Err(WeightsError::Damaged { expected, found });
        }
        let rule = RuleId::from_gomocup(number.into()).ok_or(WeightsError::UnknownRule(number))?;
        let mut rest = &body[HEADER..];
        let mut read = Vec::with_capacity(2);
        for number in 0..sides as usize {
            read.push(read_side(&mut rest, number * NAMES.len())?);
        }
        let black = read.remove(0);
        let white = read.pop().unwrap_or_else(|| black.clone());
        Ok(Weights::new(rule, &[black, white]))
    }

    /// The file of these weights.
    pub fn write(&self) -> Vec<u8> {
        let mut sides = Color::ALL.map(|color| self.side(color));
        let count = if sides[0] == sides[1] { 1 } else { 2 };
        let mut bytes = Vec::with_capacity(MAX_FILE);
        bytes.extend(MAGIC);
        for word in [VERSION, self.rule().gomocup() as u16, count as u16] {
            bytes.extend(word.to_le_bytes());
        }
        for side in &mut sides[..count] {
            for (name, table) in sections(side) {
                bytes.extend(name);
                bytes.extend((table.len() as u32).to_le_bytes());
                bytes.extend(table.iter().flat_map(|entry| entry.to_le_bytes()));
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }
}

/// Takes the sections of a side off `rest`; the first of them has `number`.
fn read_side(rest: &mut &[u8], number: usize) -> Result<Side, WeightsError> {
    let mut side = Side::ZERO;
    for (i, (name, table)) in sections(&mut side).into_iter().enumerate() {
        let entries = table.len();
        let mut head = [0; SECTION];
        head[..4].copy_from_slice(&name);
        head[4..].copy_from_slice(&(entries as u32).to_le_bytes());
        let data = rest.strip_prefix(&head).and_then(|data| data.split_at_checked(2 * entries));
        let Some((data, after)) = data else {
            let name = ["POTM", "POTW", "OWN", "DENY", "THRT"][i];
            return Err(WeightsError::Section { number: number + i, name, entries });
        };
        for (entry, pair) in table.iter_mut().zip(data.chunks_exact(2)) {
            *entry = i16::from_le_bytes([pair[0], pair[1]]);
        }
        *rest = after;
    }
    Ok(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::keys::mix;

    /// Weights without any order.
    fn odd(rule: RuleId, seeds: [u64; 2]) -> Weights {
        let side = |seed: u64| {
            let mut side = Side::ZERO;
            let mut at = seed << 32;
            for (_, table) in sections(&mut side) {
                for entry in table {
                    at += 1;
                    *entry = mix(at) as i16;
                }
            }
            side
        };
        Weights::new(rule, &seeds.map(side))
    }

    #[test]
    fn weights_are_read_back() {
        for rule in RuleId::ALL {
            for seeds in [[1, 1], [1, 2]] {
                let weights = odd(rule, seeds);
                let bytes = weights.write();
                assert!(bytes.len() <= MAX_FILE);
                assert!(Weights::read(&bytes, rule).unwrap() == weights, "{rule} {seeds:?}");
            }
        }
        // Two sides with the same numbers are kept once.
        let lengths = [[1, 1], [1, 2]].map(|seeds| odd(RuleId::Renju, seeds).write().len());
        assert!(lengths[0] < lengths[1] && lengths[1] == MAX_FILE);
    }

    #[test]
    fn weights_are_for_their_variant_only() {
        let bytes = odd(RuleId::Standard, [1, 1]).write();
        assert_eq!(
            Weights::read(&bytes, RuleId::Renju).err(),
            Some(WeightsError::OtherRule { found: RuleId::Standard, wanted: RuleId::Renju })
        );
        let caro = odd(RuleId::CaroExact, [1, 1]).write();
        assert!(Weights::read(&caro, RuleId::Caro).is_ok());
        assert!(Weights::read(&caro, RuleId::CaroExact).is_ok());
    }

    #[test]
    fn a_damaged_byte_anywhere_is_noticed() {
        let mut bytes = odd(RuleId::Freestyle, [1, 1]).write();
        for at in 0..bytes.len() {
            let flipped = 1 << (at % 8);
            bytes[at] ^= flipped;
            assert!(Weights::read_any(&bytes).is_err(), "byte {at}");
            bytes[at] ^= flipped;
        }
        assert!(Weights::read_any(&bytes).is_ok());
    }

    #[test]
    fn each_fault_has_its_name() {
        let good = odd(RuleId::Freestyle, [1, 1]).write();
        let error = |bytes: &[u8]| Weights::read_any(bytes).err().unwrap();
        let with = |at: usize, byte: u8, sum: bool| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            if sum {
                let end = bytes.len() - CHECKSUM;
                let sum = crc32fast::hash(&bytes[..end]);
                bytes[end..].copy_from_slice(&sum.to_le_bytes());
            }
            bytes
        };
        for length in 0..HEADER {
            assert!(matches!(error(&good[..length]), WeightsError::Short { .. }), "{length}");
        }
        let cut = &good[..good.len() - 1];
        let short = WeightsError::Short { expected: good.len(), found: cut.len() };
        assert_eq!(error(cut), short);
        let long = WeightsError::Long { expected: good.len(), found: good.len() + 1 };
        assert_eq!(error(&[&good[..], &[0]].concat()), long);
        assert_eq!(error(b"BM is a picture, not weights"), WeightsError::Magic);
        assert_eq!(error(&with(8, 2, true)), WeightsError::Version(2));
        assert_eq!(error(&with(12, 3, true)), WeightsError::Sides(3));
        assert_eq!(error(&with(10, 77, true)), WeightsError::UnknownRule(77));
        assert!(matches!(error(&with(100, !good[100], false)), WeightsError::Damaged { .. }));
        let section = WeightsError::Section { number: 0, name: "POTM", entries: CODES };
        assert_eq!(error(&with(HEADER, b'X', true)), section);
        assert_eq!(error(&with(HEADER + 4, 1, true)), section);
    }

    #[test]
    fn the_embedded_files_can_be_read() {
        for rule in RuleId::ALL {
            let weights = Weights::embedded(rule);
            assert_eq!(weights.rule(), family(rule));
            assert_eq!(weights.write(), embedded(rule));
        }
    }
}
