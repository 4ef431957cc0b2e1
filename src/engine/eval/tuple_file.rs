//! Weights files of tuple families.
//!
//! The container is that of all weights files (`container.rs`), with one side and two
//! sections: `STAT`, points for the side to move by state, and `TUPL`, values of all
//! codes of a tuple for the side to move, own stones coded as Black's, in sixteenths of
//! a point.

use std::sync::Arc;

use super::container::{Header, Reader, SECTION_HEADER_BYTES, Writer, read_header};
use super::error::WeightsError;
use super::tuple_family::TupleFamily;
use super::tuples::TupleWeights;

/// The version number for these sections.
pub(super) const VERSION: u16 = 7;

impl TupleFamily {
    /// Its number in the header of a file, different from that of any rule.
    pub(super) const fn game(&self) -> u16 {
        256 + self.number
    }

    /// Number of codes of a tuple.
    const fn codes(&self) -> usize {
        1 << (2 * self.span())
    }

    /// The tuned weights, or the hand-made ones if there are none; read at the first
    /// call.
    pub fn weights(&self) -> Arc<TupleWeights> {
        let read = || match read(self.file, self) {
            _ if self.file.is_empty() => Arc::new(self.by_hand()),
            Ok(weights) => Arc::new(weights),
            // Cannot fail: a test reads all embedded files.
            Err(error) => unreachable!("weights of {self}: {error}"),
        };
        self.made.get_or_init(read).clone()
    }
}

/// Reads a weights file of a family.
///
/// # Errors
/// The bytes are not a weights file of the family, or are damaged.
pub(super) fn read(bytes: &[u8], family: &TupleFamily) -> Result<TupleWeights, WeightsError> {
    let Header { version, game, sides } = read_header(bytes)?;
    if version != VERSION {
        return Err(WeightsError::Version(version));
    }
    if sides != 1 {
        return Err(WeightsError::Sides(sides));
    }
    if game != family.game() {
        return Err(WeightsError::OtherFamily { found: game, wanted: family.name() });
    }
    let (mut states, mut values) = (vec![0; family.states()], vec![0; family.codes()]);
    let entries = states.len() + values.len();
    let mut reader = Reader::new(bytes, 2 * SECTION_HEADER_BYTES + 2 * entries)?;
    reader.read(&mut [(*b"STAT", &mut states), (*b"TUPL", &mut values)])?;
    let weights = TupleWeights::new(family.span(), |code| values[usize::from(code)]);
    Ok(weights.with_states(states))
}

/// The bytes of a weights file.
///
/// # Panics
/// If the weights do not have the shape of the family.
pub fn write(family: &TupleFamily, weights: &TupleWeights) -> Vec<u8> {
    let shape = (weights.span(), weights.states().len());
    assert_eq!(shape, (family.span(), family.states()), "weights of {family}");
    let mut states = weights.states().to_vec();
    let codes = 0..family.codes() as u32;
    let mut values: Vec<i16> = codes.map(|code| weights.value(code as u16)).collect();
    let header = Header { version: VERSION, game: family.game(), sides: 1 };
    let mut writer = Writer::new(header);
    writer.add(&[(*b"STAT", &mut states), (*b"TUPL", &mut values)]);
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::super::WeightFile;
    use super::super::container::{HEADER_BYTES, MAX_FILE};
    use super::super::set::WeightSet;
    use super::*;
    use crate::game::{tuple_families as families, tuple_family};
    use goren_core::rules::Variant;
    use goren_core::types::keys::mix;

    fn pente() -> &'static TupleFamily {
        families().find(|family| family.name() == "pente").unwrap()
    }

    /// Pseudo-random weights.
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
            assert!(bytes.len() <= MAX_FILE);
            assert_eq!(read(&bytes, family), Ok(weights.clone()));
            let file = WeightFile::read(&bytes).unwrap();
            assert!(!set.holds(&file));
            set.insert(file);
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
        let (values, end) =
            (HEADER_BYTES + 2 * SECTION_HEADER_BYTES + 2 * family.states(), bytes.len() - 4);
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
        assert_eq!(with(8, 66), WeightsError::Version(66));
        assert_eq!(with(10, 66), WeightsError::UnknownGame(256 + 66));
        // The files of family 1 are longer.
        assert!(matches!(with(10, 1), WeightsError::Short { .. }));
        assert_eq!([with(12, 2), with(12, 3)], [2, 3].map(WeightsError::Sides));
        let former = [b"GorenTup", &good[8..]].concat();
        assert_eq!(read(&former, pente()), Err(WeightsError::Former));
        for at in (HEADER_BYTES..good.len()).step_by(331) {
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
