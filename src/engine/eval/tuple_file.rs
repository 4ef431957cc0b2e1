//! Weights file of the games that are evaluated by tuples.
//!
//! All numbers are little-endian. A file is:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GorenTup` |
//! | 2 | version of this format: 1 |
//! | 2 | the games, by the number of their [`TupleFamily`] |
//! | 2 | cells of a tuple |
//! | 2 | number of states |
//! | 2 each | points for the side to move by state, signed |
//! | 2 each | values of the codes of a tuple, own stones as Black's, in sixteenths of a point, signed |
//! | 4 | CRC-32 (IEEE) of all bytes before |

use std::sync::Arc;

use super::checksum::checked;
use super::error::WeightsError;
use super::tuple_family::TupleFamily;
use super::tuples::TupleWeights;

/// Magic of the file.
pub(super) const MAGIC: [u8; 8] = *b"GorenTup";
const VERSION: u16 = 1;
const HEADER: usize = 16;

impl TupleFamily {
    /// Bytes of a file.
    const fn file_size(&self) -> usize {
        HEADER + 2 * (self.states() + (1 << (2 * self.span()))) + 4
    }

    /// The tuned weights, or those made by hand where there are none.
    pub fn weights(&self) -> Arc<TupleWeights> {
        let read = || match read(self.file, self) {
            _ if self.file.is_empty() => Arc::new(self.by_hand()),
            Ok(weights) => Arc::new(weights),
            // The files are embedded, and a test reads them all.
            Err(error) => unreachable!("weights of {self}: {error}"),
        };
        self.made.get_or_init(read).clone()
    }
}

/// The number of the family in the head of a file.
///
/// # Errors
/// The bytes are no weights of tuples.
pub(super) fn number(bytes: &[u8]) -> Result<u16, WeightsError> {
    Ok(head(bytes)?[0])
}

/// The words after the version in the head of a file: family, cells, states.
fn head(bytes: &[u8]) -> Result<[u16; 3], WeightsError> {
    let found = bytes.len();
    let known = found.min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err(WeightsError::Magic);
    }
    let header = bytes.get(..HEADER).ok_or(WeightsError::Short { expected: HEADER, found })?;
    let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    if word(8) != VERSION {
        return Err(WeightsError::Version(word(8)));
    }
    Ok([word(10), word(12), word(14)])
}

/// The weights in a file of a family.
///
/// # Errors
/// The bytes are no weights of the family, or are damaged.
pub(super) fn read(bytes: &[u8], family: &TupleFamily) -> Result<TupleWeights, WeightsError> {
    let [number, span, states] = head(bytes)?;
    if number != family.number {
        return Err(WeightsError::UnknownRule(number));
    }
    if (usize::from(span), usize::from(states)) != (family.span(), family.states()) {
        return Err(WeightsError::Tuples { family: family.name(), span, states });
    }
    let body = checked(bytes, family.file_size())?;
    let entries = body[HEADER..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let mut entries: Vec<i16> = entries.collect();
    let values = entries.split_off(family.states());
    let weights = TupleWeights::new(family.span(), |code| values[usize::from(code)]);
    Ok(weights.with_states(entries))
}

/// The file of weights.
///
/// # Panics
/// They are not of the family.
pub fn write(family: &TupleFamily, weights: &TupleWeights) -> Vec<u8> {
    let shape = (weights.span(), weights.states().len());
    assert_eq!(shape, (family.span(), family.states()), "weights of {family}");
    let mut bytes = Vec::with_capacity(family.file_size());
    bytes.extend(MAGIC);
    for word in [VERSION, family.number, family.span() as u16, family.states() as u16] {
        bytes.extend(word.to_le_bytes());
    }
    let values = (0..1u32 << (2 * family.span())).map(|code| weights.value(code as u16));
    let entries = weights.states().iter().copied().chain(values);
    bytes.extend(entries.flat_map(i16::to_le_bytes));
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::set::WeightSet;
    use super::super::{MAX_FILE, WeightFile};
    use super::*;
    use crate::game::{tuple_families as families, tuple_family};
    use goren_core::rules::Variant;
    use goren_core::types::keys::mix;

    fn pente() -> &'static TupleFamily {
        families().find(|family| family.name() == "pente").unwrap()
    }

    /// Weights without any order.
    fn odd(family: &TupleFamily, seed: u64) -> TupleWeights {
        let states = (0..family.states()).map(|i| mix(seed ^ mix(i as u64)) as i16);
        let states: Vec<i16> = states.collect();
        let value = |code: u16| mix(seed << 20 | u64::from(code)) as i16 / 2;
        TupleWeights::new(family.span(), value).with_states(states)
    }

    #[test]
    fn weights_are_read_back_and_serve_their_games() {
        let mut set = WeightSet::default();
        for family in families() {
            let weights = odd(family, 1);
            let bytes = write(family, &weights);
            assert_eq!(bytes.len(), family.file_size());
            assert!(bytes.len() <= MAX_FILE);
            assert_eq!(number(&bytes), Ok(family.number));
            assert_eq!(read(&bytes, family), Ok(weights.clone()));
            let file = WeightFile::read(&bytes).unwrap();
            assert!(!set.holds(&file));
            set.give(file);
            assert!(set.holds(&WeightFile::read(&bytes).unwrap()));
            assert_eq!(*set.tuples(family), weights);
            let variant = Variant::from_name(family.name()).unwrap();
            assert_eq!(tuple_family(variant), Some(family));
        }
        for variant in Variant::all() {
            assert_eq!(tuple_family(variant).is_none(), matches!(variant, Variant::Five(_)));
        }
    }

    #[test]
    fn the_lowest_number_counts_as_the_one_above() {
        let family = pente();
        let mut bytes = write(family, &odd(family, 1));
        let (values, end) = (HEADER + 2 * family.states(), bytes.len() - 4);
        for pair in bytes[values..end].chunks_exact_mut(2) {
            pair.copy_from_slice(&i16::MIN.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        let weights = read(&bytes, family).unwrap();
        assert!((0..1 << (2 * family.span())).all(|code| weights.value(code) == -i16::MAX));
        assert_eq!(read(&write(family, &weights), family).unwrap(), weights);
    }

    #[test]
    fn each_fault_has_its_name() {
        let good = write(pente(), &odd(pente(), 3));
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            WeightFile::read(&bytes).map(|_| ()).unwrap_err()
        };
        assert_eq!(read(&[b"X", &good[1..]].concat(), pente()), Err(WeightsError::Magic));
        assert_eq!(with(8, 9), WeightsError::Version(9));
        assert_eq!(with(10, 66), WeightsError::UnknownRule(66));
        assert!(matches!(with(10, 2), WeightsError::Tuples { span: 6, .. }));
        assert!(matches!(with(14, 2), WeightsError::Tuples { states: 2, .. }));
        for at in (HEADER..good.len()).step_by(331) {
            assert!(matches!(with(at, !good[at]), WeightsError::Damaged { .. }), "byte {at}");
        }
        for length in (0..good.len()).step_by(97) {
            assert!(
                matches!(read(&good[..length], pente()), Err(WeightsError::Short { .. })),
                "{length}"
            );
        }
        let long = read(&[&good[..], &[0]].concat(), pente());
        assert!(matches!(long, Err(WeightsError::Long { .. })));
    }

    #[test]
    fn the_embedded_files_can_be_read() {
        for family in families().filter(|family| !family.file.is_empty()) {
            assert_eq!(write(family, &family.weights()), family.file, "{family}");
        }
    }
}
