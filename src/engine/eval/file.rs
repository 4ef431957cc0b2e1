//! Weights files of five in a row.
//!
//! They use the container of all weights files (`container.rs`). The version identifies
//! the sections, not the age of the file. The sections, in the order of the rows, each row
//! for every side:
//!
//! | versions | sections |
//! |---|---|
//! | all | `POTM`, `POTW`, `OWN `, `DENY`, `THRT`, `NEAR`: the tables of [`Side`] |
//! | 5, 6, 9, 10 | evaluation network: `NETM` and `NETW`, embeddings of [`super::net::WIDTH`] entries per code, and `HEAD`, the layers in the order of [`super::net::LAYER_WEIGHTS`] |
//! | 9, 10 | window features of the evaluation network: `FEAT`, the rows of windows, and `FLAY`, their weights in the first layer |
//! | 6, 8, 9 | policy net: `WIND`, `KERN`, `PLAC`, `OUTP` and `GLOB`, the fields of [`PolicySide`] in their order |
//!
//! The tables of [`Side`] are, in this order, `to_move`, `waiting`, `policy_own`,
//! `policy_deny`, `threats` and `near`.
//!
//! Versions 1 and 3, which are 4 and 5 without `NEAR`, are still read. Version 2
//! quantised the network differently and is rejected. Caro's file also serves Caro with
//! exact five.

use std::sync::{Arc, Mutex, PoisonError};

use arrayvec::ArrayVec;

use super::container::{
    Header, Reader, SECTION_HEADER_BYTES, Section, Writer, bytes_of, read_header,
};
use super::error::WeightsError;
use super::near::NEAR;
use super::net::{NetSide, WindowSide};
use super::policy::PolicySide;
use super::threats::THREATS;
use super::weights::{Side, Weights, weights_rule};
use crate::game::five::FILES;
use crate::pattern::CODES;
use goren_core::rules::RuleId;
use goren_core::types::Color;

/// Which optional sections the files of a version have.
#[derive(Copy, Clone)]
struct Format {
    version: u16,
    near: bool,
    net: bool,
    /// The network has window features.
    windows: bool,
    policy: bool,
}

impl Format {
    const fn new(version: u16, [near, net, windows, policy]: [bool; 4]) -> Format {
        Format { version, near, net, windows, policy }
    }
}

/// All versions. Those without `NEAR` are read, but not written.
const FORMATS: [Format; 8] = [
    Format::new(1, [false, false, false, false]),
    Format::new(3, [false, true, false, false]),
    Format::new(4, [true, false, false, false]),
    Format::new(5, [true, true, false, false]),
    Format::new(6, [true, true, false, true]),
    Format::new(8, [true, false, false, true]),
    Format::new(9, [true, true, true, true]),
    Format::new(10, [true, true, true, false]),
];
const NAMES: [[u8; 4]; 6] = [*b"POTM", *b"POTW", *b"OWN ", *b"DENY", *b"THRT", *b"NEAR"];
/// Bytes of the section `NEAR`, the last of [`NAMES`].
const NEAR_BYTES: usize = SECTION_HEADER_BYTES + 2 * NEAR;
/// Bytes of the sections [`NAMES`] of one side.
const SIDE_BYTES: usize =
    (NAMES.len() - 1) * SECTION_HEADER_BYTES + 2 * (4 * CODES + THREATS) + NEAR_BYTES;

const NET_NAMES: [[u8; 4]; 5] = [*b"NETM", *b"NETW", *b"HEAD", *b"FEAT", *b"FLAY"];

const POLICY_NAMES: [[u8; 4]; 5] = [*b"WIND", *b"KERN", *b"PLAC", *b"OUTP", *b"GLOB"];

/// Number of rules whose embedded weights stay in memory, each 1 to 2 MB. A process that
/// plays one rule after another would exceed a small memory limit if it cached them all.
const CACHED: usize = 2;

/// The embedded weights requested last, the latest first.
static RECENT: Mutex<ArrayVec<(RuleId, Arc<Weights>), CACHED>> = Mutex::new(ArrayVec::new_const());

/// Returns the embedded file with the weights that a rule uses; empty if there is none.
fn embedded(rule: RuleId) -> &'static [u8] {
    FILES.iter().find(|(of, _)| *of == weights_rule(rule)).map_or(&[], |(_, file)| file)
}

/// Returns the table sections of a side, in the order of the file.
fn sections(side: &mut Side) -> [Section<'_>; NAMES.len()] {
    let Side { to_move, waiting, policy_own, policy_deny, near, threats } = side;
    named(NAMES, [to_move, waiting, policy_own, policy_deny, threats, near])
}

/// Returns the sections of a side's evaluation network; without window features, two fewer.
fn net_sections(side: &mut NetSide) -> ArrayVec<Section<'_>, 5> {
    let NetSide { to_move, waiting, layers, windows } = side;
    let mut tables = ArrayVec::<&mut [i16], 5>::new();
    tables.extend([&mut to_move[..], &mut waiting[..], &mut layers[..]]);
    if let Some(WindowSide { rows, layer }) = windows {
        tables.extend([&mut rows[..], &mut layer[..]]);
    }
    NET_NAMES.into_iter().zip(tables).collect()
}

/// Returns the sections of a side's policy net.
fn policy_sections(side: &mut PolicySide) -> [Section<'_>; 5] {
    let PolicySide { windows, kernel, places, output, global } = side;
    named(POLICY_NAMES, [windows, kernel, places, output, global])
}

/// Pairs tables with the names of their sections.
fn named<const N: usize>(names: [[u8; 4]; N], tables: [&mut [i16]; N]) -> [Section<'_>; N] {
    let mut names = names.into_iter();
    tables.map(|table| (names.next().unwrap_or_default(), table))
}

impl Weights {
    /// Returns the embedded weights that a rule uses. Those of the last two rules stay in
    /// memory; others are read on demand.
    pub fn embedded(rule: RuleId) -> Arc<Weights> {
        let read = || {
            let weights = Weights::read(embedded(rule), rule);
            // Cannot fail: a test reads all embedded files.
            let weights =
                weights.unwrap_or_else(|error| unreachable!("weights of {rule}: {error}"));
            (rule, Arc::new(weights.for_variant(rule).marked_embedded()))
        };
        let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
        let found = recent.iter().position(|&(of, _)| of == rule);
        let cached = found.map_or_else(read, |place| recent.remove(place));
        recent.truncate(CACHED - 1);
        recent.insert(0, cached.clone());
        cached.1
    }

    /// Reads a weights file for one rule.
    ///
    /// # Errors
    /// The bytes are not a weights file of five in a row, are damaged, or hold the
    /// weights of another rule.
    pub fn read(bytes: &[u8], rule: RuleId) -> Result<Weights, WeightsError> {
        let weights = Weights::read_any(bytes)?;
        if weights.rule() != weights_rule(rule) {
            return Err(WeightsError::OtherRule { found: weights.rule(), wanted: rule });
        }
        Ok(weights)
    }

    /// Reads a weights file of any rule of five in a row.
    ///
    /// # Errors
    /// The bytes are not a weights file of five in a row, or are damaged.
    pub fn read_any(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let Header { version, game, sides } = read_header(bytes)?;
        let format = FORMATS.iter().find(|format| format.version == version);
        let format = format.ok_or(WeightsError::Version(version))?;
        let rule = RuleId::from_number(game.into()).ok_or(WeightsError::UnknownGame(game))?;
        let mut net = [NetSide::zero(), NetSide::zero()];
        if format.windows {
            net.iter_mut().for_each(|side| side.windows = Some(WindowSide::zero(rule)));
        }
        let nets = if format.net { sides } else { 0 };
        let mut policy = Vec::new();
        if format.policy {
            policy.resize_with(sides.into(), || PolicySide::zero(rule));
        }
        let side = if format.near { SIDE_BYTES } else { SIDE_BYTES - NEAR_BYTES };
        let policies = policy.iter_mut().map(|side| bytes_of(&policy_sections(side)));
        let policies: usize = policies.sum();
        let net_bytes = bytes_of(&net_sections(&mut net[0]));
        let bytes_of_sections = sides as usize * side + nets as usize * net_bytes + policies;
        let mut reader = Reader::new(bytes, bytes_of_sections)?;
        let mut read = [const { Side::ZERO }; 2];
        for side in &mut read[..sides as usize] {
            let count = NAMES.len() - usize::from(!format.near);
            reader.read(&mut sections(side)[..count])?;
        }
        for side in &mut net[..nets as usize] {
            reader.read(&mut net_sections(side))?;
        }
        for side in &mut policy {
            reader.read(&mut policy_sections(side))?;
        }
        if sides == 1 {
            read[1] = read[0].clone();
            net[1] = net[0].clone();
        }
        let mut weights = Weights::new(rule, &read);
        if format.net {
            weights = weights.with_net(&net);
        }
        if let (Some(black), Some(white)) = (policy.first(), policy.last()) {
            weights = weights.with_policy_net(&[black.clone(), white.clone()]);
        }
        Ok(weights)
    }

    /// Returns the bytes of a weights file, with a single side if both are equal.
    pub fn write(&self) -> Vec<u8> {
        let mut sides = Color::ALL.map(|color| self.side(color));
        let mut nets: Vec<NetSide> =
            Color::ALL.iter().filter_map(|&color| self.net_side(color)).collect();
        let mut policies: Vec<PolicySide> =
            Color::ALL.iter().filter_map(|&color| self.policy_side(color)).collect();
        let same = sides[0] == sides[1]
            && nets.first() == nets.last()
            && policies.first() == policies.last();
        let count = if same { 1 } else { 2 };
        nets.truncate(count);
        policies.truncate(count);
        let windows = nets.first().is_some_and(|net| net.windows.is_some());
        let needed = (true, !nets.is_empty(), windows, !policies.is_empty());
        let parts = |format: &Format| (format.near, format.net, format.windows, format.policy);
        let format = FORMATS.iter().find(|format| parts(format) == needed);
        // Cannot fail: there is a version for each combination of networks.
        let version = format.map_or(0, |format| format.version);
        let game = self.rule().gomocup() as u16;
        let mut writer = Writer::new(Header { version, game, sides: count as u16 });
        for side in &mut sides[..count] {
            writer.add(&sections(side));
        }
        for side in &mut nets {
            writer.add(&net_sections(side));
        }
        for side in &mut policies {
            writer.add(&policy_sections(side));
        }
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::container::{CHECKSUM_BYTES, HEADER_BYTES, MAX_FILE};
    use super::super::weights::plays_as_black;
    use super::*;
    use goren_core::types::keys::mix;

    /// Returns pseudo-random weights.
    fn random(rule: RuleId, seeds: [u64; 2]) -> Weights {
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

    /// Returns pseudo-random weights with an evaluation network.
    fn random_with_net(rule: RuleId, seeds: [u64; 2]) -> Weights {
        let net = seeds.map(|seed| {
            let mut side = NetSide::zero();
            let mut at = !seed << 32;
            for (_, table) in net_sections(&mut side) {
                for entry in table {
                    at += 1;
                    *entry = mix(at) as i16;
                }
            }
            side
        });
        random(rule, seeds).with_net(&net)
    }

    /// Returns pseudo-random weights with an evaluation network and window features.
    fn random_with_windows(rule: RuleId, seeds: [u64; 2]) -> Weights {
        let weights = random_with_net(rule, seeds);
        let net = [(seeds[0], Color::Black), (seeds[1], Color::White)].map(|(seed, color)| {
            let mut windows = WindowSide::zero(weights_rule(rule));
            let mut at = !seed << 24;
            for entry in windows.rows.iter_mut().chain(&mut *windows.layer) {
                at += 1;
                *entry = mix(at) as i16;
            }
            NetSide { windows: Some(windows), ..weights.net_side(color).unwrap() }
        });
        weights.with_net(&net)
    }

    /// Returns pseudo-random weights with both networks.
    fn random_with_both(rule: RuleId, seeds: [u64; 2]) -> Weights {
        with_random_policy(random_with_net(rule, seeds), seeds)
    }

    /// Adds a pseudo-random policy net.
    fn with_random_policy(weights: Weights, seeds: [u64; 2]) -> Weights {
        let rule = weights.rule();
        let policy = seeds.map(|seed| {
            let mut side = PolicySide::zero(weights_rule(rule));
            let mut at = !seed << 40;
            for (_, table) in policy_sections(&mut side) {
                for entry in table {
                    at += 1;
                    *entry = mix(at) as i16;
                }
            }
            side
        });
        weights.with_policy_net(&policy)
    }

    #[test]
    fn weights_survive_a_round_trip() {
        for rule in RuleId::ALL {
            for seeds in [[1, 1], [1, 2]] {
                let policy_alone = with_random_policy(random(rule, seeds), seeds);
                let both = random_with_both(rule, seeds);
                let windows = random_with_windows(rule, seeds);
                let everything = with_random_policy(windows.clone(), seeds);
                let all = [
                    random(rule, seeds),
                    random_with_net(rule, seeds),
                    both,
                    policy_alone,
                    windows,
                    everything,
                ];
                for weights in all {
                    let bytes = weights.write();
                    assert!(bytes.len() <= MAX_FILE);
                    let read = Weights::read(&bytes, rule).unwrap();
                    assert!(read == weights && read.write() == bytes, "{rule} {seeds:?}");
                }
            }
        }
        // Two equal sides are written once.
        let lengths =
            [[1, 1], [1, 2]].map(|seeds| random_with_net(RuleId::Renju, seeds).write().len());
        assert!(lengths[0] < lengths[1]);
    }

    #[test]
    fn files_without_near_are_read_with_zeros_in_its_place() {
        let (rule, seeds) = (RuleId::Renju, [1, 2]);
        for weights in [random(rule, seeds), random_with_net(rule, seeds)] {
            let mut bytes = weights.write();
            bytes[8] = if weights.net_side(Color::Black).is_some() { 3 } else { 1 };
            for side in [1, 0] {
                let end = HEADER_BYTES + (side + 1) * SIDE_BYTES;
                bytes.drain(end - NEAR_BYTES..end);
            }
            let end = bytes.len() - CHECKSUM_BYTES;
            let sum = crc32fast::hash(&bytes[..end]);
            bytes[end..].copy_from_slice(&sum.to_le_bytes());
            let read = Weights::read(&bytes, rule).unwrap();
            for color in Color::ALL {
                assert!(read.side(color) == Side { near: [0; NEAR], ..weights.side(color) });
                assert!(read.net_side(color) == weights.net_side(color));
            }
        }
    }

    #[test]
    fn weights_of_another_rule_are_rejected() {
        let bytes = random(RuleId::Standard, [1, 1]).write();
        assert_eq!(
            Weights::read(&bytes, RuleId::Renju).err(),
            Some(WeightsError::OtherRule { found: RuleId::Standard, wanted: RuleId::Renju })
        );
        let caro = random(RuleId::CaroExact, [1, 1]).write();
        assert!(Weights::read(&caro, RuleId::Caro).is_ok());
        assert!(Weights::read(&caro, RuleId::CaroExact).is_ok());
    }

    #[test]
    fn any_damaged_byte_is_detected() {
        let weights = random_with_windows(RuleId::Freestyle, [1, 1]);
        let mut bytes = with_random_policy(weights, [1, 1]).write();
        // Every byte at both ends of the file, and a sample of the bytes between.
        let end = bytes.len();
        for at in (0..200).chain((200..end - 50).step_by(997)).chain(end - 50..end) {
            let flipped = 1 << (at % 8);
            bytes[at] ^= flipped;
            assert!(Weights::read_any(&bytes).is_err(), "byte {at}");
            bytes[at] ^= flipped;
        }
        assert!(Weights::read_any(&bytes).is_ok());
    }

    #[test]
    fn every_fault_has_its_own_error() {
        let good = random(RuleId::Freestyle, [1, 1]).write();
        let error = |bytes: &[u8]| Weights::read_any(bytes).err().unwrap();
        let with = |at: usize, byte: u8, sum: bool| {
            let mut bytes = good.clone();
            bytes[at] = byte;
            if sum {
                let end = bytes.len() - CHECKSUM_BYTES;
                let sum = crc32fast::hash(&bytes[..end]);
                bytes[end..].copy_from_slice(&sum.to_le_bytes());
            }
            bytes
        };
        for length in 0..HEADER_BYTES {
            assert!(matches!(error(&good[..length]), WeightsError::Short { .. }), "{length}");
        }
        let truncated = &good[..good.len() - 1];
        let short = WeightsError::Short { expected: good.len(), found: truncated.len() };
        assert_eq!(error(truncated), short);
        let long = WeightsError::Long { expected: good.len(), found: good.len() + 1 };
        assert_eq!(error(&[&good[..], &[0]].concat()), long);
        assert_eq!(error(b"BM is a picture, not weights"), WeightsError::Magic);
        assert_eq!(error(&with(8, 2, true)), WeightsError::Version(2));
        assert_eq!(error(&with(12, 3, true)), WeightsError::Sides(3));
        assert_eq!(error(&with(10, 77, true)), WeightsError::UnknownGame(77));
        assert!(matches!(error(&with(100, !good[100], false)), WeightsError::Damaged { .. }));
        let section = WeightsError::Section { number: 0, name: "POTM".into(), entries: CODES };
        assert_eq!(error(&with(HEADER_BYTES, b'X', true)), section.clone());
        assert_eq!(error(&with(HEADER_BYTES + 4, 1, true)), section);
    }

    #[test]
    fn the_embedded_files_can_be_read() {
        for rule in RuleId::ALL {
            let weights = Weights::embedded(rule);
            assert_eq!(weights.rule(), weights_rule(rule));
            let file = Weights::read(embedded(rule), rule).unwrap();
            assert_eq!(file.write(), embedded(rule));
            let same = *weights == file.clone().marked_embedded();
            assert_eq!(same, !plays_as_black(rule), "{rule}");
            for color in Color::ALL {
                let of = if plays_as_black(rule) { Color::Black } else { color };
                assert!(weights.side(color) == file.side(of), "{rule}");
                assert!(weights.net_side(color) == file.net_side(of), "{rule}");
                assert!(weights.policy_side(color) == file.policy_side(of), "{rule}");
            }
        }
        assert!(plays_as_black(RuleId::RenjuBoth) && !plays_as_black(RuleId::Renju));
    }
}
