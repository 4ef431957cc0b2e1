//! Weights files of tuple families.
//!
//! They use the container of all weights files (`container.rs`), with one side and two
//! sections: `STAT`, points for the side to move by state, and `TUPL`, values of all
//! codes of a tuple for the side to move, own stones coded as Black's, in sixteenths of
//! a point. Version 11 adds `WPOL`: policy values of windows by canonical code, in
//! ascending order, in points. Version 12 adds the two sections of a network
//! (`tuple_net.rs`): `NETR`, embeddings by canonical code of a tuple, in ascending order,
//! and `NETL`, the layers.

use std::sync::Arc;

use super::container::{Header, Reader, Writer, bytes_of, read_header};
use super::error::WeightsError;
use super::net::{LAYER_WEIGHTS, WIDTH};
use super::tuple_codes::{WINDOW_CODES, canonical, canonical_window};
use super::tuple_family::TupleFamily;
use super::tuple_net::TupleNetWeights;
use super::tuples::TupleWeights;

/// Version number of files without policy values of windows.
const VERSION: u16 = 7;
/// Version number of files with policy values of windows.
const VERSION_WITH_POLICY: u16 = 11;
/// Version number of files with policy values of windows and a network.
const VERSION_WITH_NET: u16 = 12;
/// All versions.
pub(super) const VERSIONS: [u16; 3] = [VERSION, VERSION_WITH_POLICY, VERSION_WITH_NET];

/// Returns the canonical codes of windows, in ascending order.
fn window_codes() -> impl Iterator<Item = u16> {
    (0..=(WINDOW_CODES - 1) as u16).filter(|&code| code == canonical_window(code))
}

impl TupleFamily {
    /// Returns its number in the header of a file, different from that of any rule.
    pub(super) const fn game(&self) -> u16 {
        256 + self.number
    }

    /// Returns the number of codes of a tuple.
    const fn codes(&self) -> usize {
        1 << (2 * self.span())
    }

    /// Returns the canonical codes of a tuple, in ascending order.
    fn canonical_codes(&self) -> impl Iterator<Item = u16> {
        let span = self.span();
        (0..=(self.codes() - 1) as u16).filter(move |&code| code == canonical(code, span))
    }

    /// Returns the tuned weights, or the hand-made ones if there are none. The first call
    /// reads them.
    pub fn weights(&self) -> Arc<TupleWeights> {
        let read = || match read(self.file, self) {
            _ if self.file.is_empty() => Arc::new(self.hand_made_weights()),
            Ok(weights) => Arc::new(weights),
            // Cannot fail: a test reads all embedded files.
            Err(error) => unreachable!("weights of {self}: {error}"),
        };
        self.loaded.get_or_init(read).clone()
    }
}

/// Reads a weights file of a family.
///
/// # Errors
/// The bytes are not a weights file of the family, or are damaged.
pub(super) fn read(bytes: &[u8], family: &TupleFamily) -> Result<TupleWeights, WeightsError> {
    let Header { version, game, sides } = read_header(bytes)?;
    if !VERSIONS.contains(&version) {
        return Err(WeightsError::Version(version));
    }
    if sides != 1 {
        return Err(WeightsError::Sides(sides));
    }
    if game != family.game() {
        return Err(WeightsError::OtherFamily { found: game, wanted: family.name() });
    }
    let (mut states, mut values) = (vec![0; family.states()], vec![0; family.codes()]);
    let (with_policy, with_net) = (version != VERSION, version == VERSION_WITH_NET);
    let windows: Vec<u16> = window_codes().filter(|_| with_policy).collect();
    let tuples: Vec<u16> = family.canonical_codes().filter(|_| with_net).collect();
    let (mut policy, mut rows) = (vec![0; windows.len()], vec![0; tuples.len() * WIDTH]);
    let mut layers = Box::new([0; LAYER_WEIGHTS]);
    let mut sections = vec![(*b"STAT", &mut states[..]), (*b"TUPL", &mut values[..])];
    if with_policy {
        sections.push((*b"WPOL", &mut policy[..]));
    }
    if with_net {
        sections.push((*b"NETR", &mut rows[..]));
        sections.push((*b"NETL", &mut layers[..]));
    }
    Reader::new(bytes, bytes_of(&sections))?.read(&mut sections)?;
    let weights = TupleWeights::new(family.span(), |code| values[usize::from(code)]);
    let mut weights = weights.with_states(states);
    if with_policy {
        let mut by_code = vec![0; WINDOW_CODES];
        windows.iter().zip(&policy).for_each(|(&code, &value)| by_code[usize::from(code)] = value);
        weights = weights.with_window_policy(|code| by_code[usize::from(code)]);
    }
    if with_net {
        let mut by_code = vec![0; family.codes() * WIDTH];
        for (&code, row) in tuples.iter().zip(rows.chunks_exact(WIDTH)) {
            by_code[usize::from(code) * WIDTH..][..WIDTH].copy_from_slice(row);
        }
        weights = weights.with_net(TupleNetWeights { rows: by_code, layers });
    }
    Ok(weights)
}

/// Returns the bytes of a weights file.
///
/// # Panics
/// If the weights do not have the shape of the family, or have a network but no policy
/// values of windows.
pub fn write(family: &TupleFamily, weights: &TupleWeights) -> Vec<u8> {
    let shape = (weights.span(), weights.states().len());
    assert_eq!(shape, (family.span(), family.states()), "weights of {family}");
    let mut states = weights.states().to_vec();
    let codes = 0..family.codes() as u32;
    let mut values: Vec<i16> = codes.map(|code| weights.value(code as u16)).collect();
    let mut policy: Vec<i16> = window_codes().filter_map(|c| weights.window_policy(c)).collect();
    let net = weights.net();
    assert!(net.is_none() || !policy.is_empty(), "a network without policy values of windows");
    let version = match net {
        Some(_) => VERSION_WITH_NET,
        None if policy.is_empty() => VERSION,
        None => VERSION_WITH_POLICY,
    };
    let mut writer = Writer::new(Header { version, game: family.game(), sides: 1 });
    writer.add(&[(*b"STAT", &mut states), (*b"TUPL", &mut values)]);
    if !policy.is_empty() {
        writer.add(&[(*b"WPOL", &mut policy)]);
    }
    if let Some(TupleNetWeights { rows, mut layers }) = net {
        let row = |code: u16| &rows[usize::from(code) * WIDTH..][..WIDTH];
        let mut rows: Vec<i16> = family.canonical_codes().flat_map(row).copied().collect();
        writer.add(&[(*b"NETR", &mut rows), (*b"NETL", &mut layers[..])]);
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::super::WeightFile;
    use super::super::container::{HEADER_BYTES, MAX_FILE, SECTION_HEADER_BYTES};
    use super::super::set::WeightSet;
    use super::*;
    use crate::game::{tuple_families as families, tuple_family};
    use goren_core::rules::Variant;
    use goren_core::types::keys::mix;

    fn pente() -> &'static TupleFamily {
        families().find(|family| family.name() == "pente").unwrap()
    }

    /// Returns pseudo-random weights.
    fn random(family: &TupleFamily, seed: u64) -> TupleWeights {
        let states = (0..family.states()).map(|i| mix(seed ^ mix(i as u64)) as i16);
        let states: Vec<i16> = states.collect();
        let value = |code: u16| mix(seed << 20 | u64::from(code)) as i16 / 2;
        TupleWeights::new(family.span(), value).with_states(states)
    }

    #[test]
    fn weights_survive_a_round_trip_and_serve_their_games() {
        let mut set = WeightSet::default();
        for family in families() {
            let weights = random(family, 1);
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
    fn policy_values_and_networks_survive_a_round_trip() {
        let plain = random(pente(), 1);
        let weights = plain.clone().with_window_policy(|code| mix(code.into()) as i16);
        let bytes = write(pente(), &weights);
        assert!(bytes.len() <= MAX_FILE && bytes[8] == 11 && write(pente(), &plain)[8] == 7);
        assert_eq!(read(&bytes, pente()), Ok(weights.clone()));
        assert!(WeightFile::read(&bytes) == Ok(WeightFile::Tuples(pente(), weights.clone())));
        let net = TupleNetWeights {
            rows: (0..pente().codes() * WIDTH).map(|i| mix(i as u64) as i16).collect(),
            layers: Box::new(std::array::from_fn(|i| mix(i as u64 + 9) as i16)),
        };
        let with_net = write(pente(), &weights.clone().with_net(net));
        assert!(with_net.len() <= MAX_FILE && with_net[8] == 12);
        let read_back = read(&with_net, pente()).unwrap();
        assert!(read_back.net().is_some() && read_back != weights);
        assert_eq!(write(pente(), &read_back), with_net);
        // A file with the number of another version is too long or too short.
        let with_version = |mut bytes: Vec<u8>, version: u8| {
            bytes[8] = version;
            let end = bytes.len() - 4;
            let sum = crc32fast::hash(&bytes[..end]).to_le_bytes();
            bytes[end..].copy_from_slice(&sum);
            read(&bytes, pente())
        };
        assert!(matches!(with_version(bytes.clone(), 7), Err(WeightsError::Long { .. })));
        assert!(matches!(with_version(with_net, 11), Err(WeightsError::Long { .. })));
        assert!(matches!(with_version(bytes, 12), Err(WeightsError::Short { .. })));
        let short = with_version(write(pente(), &plain), 11);
        assert!(matches!(short, Err(WeightsError::Short { .. })));
    }

    #[test]
    fn the_lowest_value_is_read_as_the_next_higher_one() {
        let family = pente();
        let mut bytes = write(family, &random(family, 1));
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
    fn every_fault_has_its_own_error() {
        let good = write(pente(), &random(pente(), 3));
        let with = |at: usize, byte: u8| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            WeightFile::read(&bytes).map(|_| ()).unwrap_err()
        };
        assert_eq!(read(&[b"X", &good[1..]].concat(), pente()), Err(WeightsError::Magic));
        assert_eq!(with(8, 66), WeightsError::Version(66));
        assert_eq!(with(10, 66), WeightsError::UnknownGame(256 + 66));
        // Files of family 1 are longer.
        assert!(matches!(with(10, 1), WeightsError::Short { .. }));
        assert_eq!([with(12, 2), with(12, 3)], [2, 3].map(WeightsError::Sides));
        let old_format = [b"GorenTup", &good[8..]].concat();
        assert_eq!(read(&old_format, pente()), Err(WeightsError::Former));
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
