//! Weights file of the games that are evaluated by tuples.
//!
//! All numbers are little-endian. A file is:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `GorenTup` |
//! | 2 | version of this format: 1 |
//! | 2 | the games, by the place of their [`TupleFamily`] in [`TupleFamily::ALL`] |
//! | 2 | cells of a tuple |
//! | 2 | number of states |
//! | 2 each | points for the side to move by state, signed |
//! | 2 each | values of the codes of a tuple, own stones as Black's, in sixteenths of a point, signed |
//! | 4 | CRC-32 (IEEE) of all bytes before |

use std::sync::{Arc, OnceLock};

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
    const fn file(self) -> usize {
        HEADER + 2 * (self.states() + (1 << (2 * self.span()))) + 4
    }

    /// The embedded file, if there is one.
    fn embedded_file(self) -> Option<&'static [u8]> {
        match self {
            TupleFamily::Pente => Some(include_bytes!("weights/pente.bin")),
            TupleFamily::Keryo => Some(include_bytes!("weights/pente-keryo.bin")),
            TupleFamily::Connect6 => Some(include_bytes!("weights/connect6.bin")),
            TupleFamily::Boat => Some(include_bytes!("weights/pente-boat.bin")),
            TupleFamily::KeryoBoat => Some(include_bytes!("weights/pente-keryo-boat.bin")),
            TupleFamily::Apart => Some(include_bytes!("weights/connect6-noncollinear.bin")),
            TupleFamily::Collinear => Some(include_bytes!("weights/connect6-collinear.bin")),
            TupleFamily::FourInARow | TupleFamily::Irensei => None,
        }
    }

    /// The embedded weights, if there are tuned ones.
    pub fn embedded(self) -> Option<Arc<TupleWeights>> {
        static EMBEDDED: [OnceLock<Arc<TupleWeights>>; TupleFamily::ALL.len()] =
            [const { OnceLock::new() }; 9];
        let bytes = self.embedded_file()?;
        let read = || match read(bytes) {
            Ok((_, weights)) => Arc::new(weights),
            // The files are embedded, and a test reads them all.
            Err(error) => unreachable!("weights of {self}: {error}"),
        };
        Some(EMBEDDED[self as usize].get_or_init(read).clone())
    }
}

/// The weights in a file.
///
/// # Errors
/// The bytes are no weights of tuples, or are damaged.
pub(super) fn read(bytes: &[u8]) -> Result<(TupleFamily, TupleWeights), WeightsError> {
    let found = bytes.len();
    let known = found.min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err(WeightsError::Magic);
    }
    let header = bytes.get(..HEADER).ok_or(WeightsError::Short { expected: HEADER, found })?;
    let word = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let (version, number, span, states) = (word(8), word(10), word(12), word(14));
    if version != VERSION {
        return Err(WeightsError::Version(version));
    }
    let family = TupleFamily::ALL.get(usize::from(number)).copied();
    let family = family.ok_or(WeightsError::UnknownRule(number))?;
    if (usize::from(span), usize::from(states)) != (family.span(), family.states()) {
        return Err(WeightsError::Tuples { family, span, states });
    }
    let body = checked(bytes, family.file())?;
    let entries = body[HEADER..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let mut entries: Vec<i16> = entries.collect();
    let values = entries.split_off(family.states());
    let weights = TupleWeights::new(family.span(), |code| values[usize::from(code)]);
    Ok((family, weights.with_states(entries)))
}

/// The file of weights.
///
/// # Panics
/// They are not of the family.
pub fn write(family: TupleFamily, weights: &TupleWeights) -> Vec<u8> {
    let shape = (weights.span(), weights.states().len());
    assert_eq!(shape, (family.span(), family.states()), "weights of {family}");
    let mut bytes = Vec::with_capacity(family.file());
    bytes.extend(MAGIC);
    for word in [VERSION, family as u16, family.span() as u16, family.states() as u16] {
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
    use goren_core::rules::Variant;
    use goren_core::types::keys::mix;

    /// Weights without any order.
    fn odd(family: TupleFamily, seed: u64) -> TupleWeights {
        let states = (0..family.states()).map(|i| mix(seed ^ mix(i as u64)) as i16);
        let states: Vec<i16> = states.collect();
        let value = |code: u16| mix(seed << 20 | u64::from(code)) as i16 / 2;
        TupleWeights::new(family.span(), value).with_states(states)
    }

    #[test]
    fn weights_are_read_back_and_serve_their_games() {
        let mut set = WeightSet::default();
        for family in TupleFamily::ALL {
            let weights = odd(family, 1);
            let bytes = write(family, &weights);
            assert_eq!(bytes.len(), family.file());
            assert!(bytes.len() <= MAX_FILE);
            assert_eq!(read(&bytes), Ok((family, weights.clone())));
            let file = WeightFile::read(&bytes).unwrap();
            assert!(!set.holds(&file));
            set.give(file);
            assert!(set.holds(&WeightFile::read(&bytes).unwrap()));
            assert_eq!(*set.tuples(family).unwrap(), weights);
            let variant = Variant::from_name(family.name()).unwrap();
            assert_eq!(TupleFamily::of(variant), Some(family));
        }
        for variant in Variant::all() {
            assert_eq!(TupleFamily::of(variant).is_none(), matches!(variant, Variant::Five(_)));
        }
    }

    #[test]
    fn the_lowest_number_counts_as_the_one_above() {
        let family = TupleFamily::Pente;
        let mut bytes = write(family, &odd(family, 1));
        let (values, end) = (HEADER + 2 * family.states(), bytes.len() - 4);
        for pair in bytes[values..end].chunks_exact_mut(2) {
            pair.copy_from_slice(&i16::MIN.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        let (_, weights) = read(&bytes).unwrap();
        assert!((0..1 << (2 * family.span())).all(|code| weights.value(code) == -i16::MAX));
        assert_eq!(read(&write(family, &weights)).unwrap().1, weights);
    }

    #[test]
    fn each_fault_has_its_name() {
        let good = write(TupleFamily::Pente, &odd(TupleFamily::Pente, 3));
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            read(&bytes).unwrap_err()
        };
        assert_eq!(with(0, b'X'), WeightsError::Magic);
        assert_eq!(with(8, 9), WeightsError::Version(9));
        assert_eq!(with(10, 66), WeightsError::UnknownRule(66));
        assert!(matches!(with(10, 2), WeightsError::Tuples { span: 6, .. }));
        assert!(matches!(with(14, 2), WeightsError::Tuples { states: 2, .. }));
        for at in (HEADER..good.len()).step_by(331) {
            assert!(matches!(with(at, !good[at]), WeightsError::Damaged { .. }), "byte {at}");
        }
        for length in (0..good.len()).step_by(97) {
            assert!(matches!(read(&good[..length]), Err(WeightsError::Short { .. })), "{length}");
        }
        let long = read(&[&good[..], &[0]].concat());
        assert!(matches!(long, Err(WeightsError::Long { .. })));
    }

    #[test]
    fn the_embedded_files_can_be_read() {
        for family in TupleFamily::ALL {
            if let (Some(bytes), Some(weights)) = (family.embedded_file(), family.embedded()) {
                assert_eq!(write(family, &weights), bytes, "{family}");
            }
        }
    }
}
