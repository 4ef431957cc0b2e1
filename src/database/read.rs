//! Reads files, packed or plain, and salvages what it can of damaged ones. Never allocates
//! by a number in the file.

use std::io::{self, Read, Seek};

use lz4_flex::frame::FrameDecoder;

use super::key::Key;
use super::key_bytes::KeyFault;
use super::record::Record;
pub use super::source::SourceFault;
use super::source::{ByteSource, NO_POSITION, Raw, first_raw};
use super::store::Store;
use super::text;

/// The first four bytes of an LZ4 frame.
const PACKED: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];
/// The text of the record without a position that names the encoding of texts.
pub(super) const UTF8: &[u8] = b"charset=\"UTF-8\"";
/// Maximum number of faults reported individually.
const MAX_DAMAGE: usize = 20;

/// A fault and its place.
#[derive(Debug, thiserror::Error)]
#[error("byte {offset}: {fault}")]
pub struct Damage {
    /// Offset in bytes, in the unpacked file if it is packed.
    pub offset: u64,
    /// What is wrong.
    pub fault: SourceFault,
}

/// The content of a file.
#[derive(Default)]
pub struct LoadedFile {
    /// The records.
    pub store: Store,
    /// Whether the file is packed.
    pub packed: bool,
    /// Whether the file says that its texts are UTF-8.
    pub utf8: bool,
    /// Damage to the file; the first faults only.
    pub damage: Vec<Damage>,
    /// Number of faults.
    pub faults: u64,
    /// Number of unpacked bytes that could not be read as records.
    pub lost: u64,
    /// Number of records merged with another one of the same position.
    pub merged: u64,
}

impl LoadedFile {
    fn fault(&mut self, offset: u64, fault: impl Into<SourceFault>) {
        self.faults += 1;
        if self.damage.len() < MAX_DAMAGE {
            self.damage.push(Damage { offset, fault: fault.into() });
        }
    }

    fn add(&mut self, raw: &Raw) -> Result<(), KeyFault> {
        if raw.key == NO_POSITION {
            self.utf8 |= Record::read(raw.record).text.starts_with(UTF8);
            return Ok(());
        }
        let (key, moved) = Key::read(raw.key)?;
        if moved.is_none() && self.store.add_bytes(&key, raw.record) {
            return Ok(());
        }
        let mut record = Record::read(raw.record);
        if let Some(symmetry) = moved {
            let (width, height) = (raw.key[1].into(), raw.key[2].into());
            record.text = text::turned(&record.text, symmetry, width, height);
        }
        self.merged += u64::from(self.store.merge(&key, &record));
        Ok(())
    }
}

/// Reads a file. Damaged parts are skipped and reported in [`LoadedFile::damage`].
pub fn read(mut input: impl Read + Seek) -> LoadedFile {
    // The first attempt trusts the lengths in the file; only if it fails, texts that look like
    // records matter.
    let strict = attempt(&mut input, false);
    if strict.faults == 0 {
        return strict;
    }
    drop(strict);
    match input.rewind() {
        Ok(()) => attempt(&mut input, true),
        Err(error) => {
            let mut loaded = LoadedFile::default();
            loaded.fault(0, error);
            loaded
        }
    }
}

/// Reads a file. With `salvage`, implausible lengths are not trusted and reading resumes after
/// a fault; without it, reading stops at the first fault.
fn attempt(mut input: impl Read, salvage: bool) -> LoadedFile {
    let mut head = Vec::new();
    let head_read = input.by_ref().take(4).read_to_end(&mut head);
    let packed = head == PACKED;
    let whole = io::Cursor::new(head).chain(input);
    let mut loaded =
        if packed { records(FrameDecoder::new(whole), salvage) } else { records(whole, salvage) };
    loaded.packed = packed;
    if let Err(error) = head_read {
        loaded.fault(0, error);
    }
    loaded
}

fn records(input: impl Read, salvage: bool) -> LoadedFile {
    let mut loaded = LoadedFile::default();
    let mut source = ByteSource::new(input);
    let stated = source.peek().first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
    if let Some(stated) = stated {
        source.skip(4);
        // Reserve a bounded number: the stated count may be wrong.
        loaded.store.reserve((stated as usize).min(1 << 16));
    }
    let mut found = 0;
    loop {
        let offset = source.offset;
        if source.peek().is_empty() {
            break;
        }
        let lengths = first_raw(source.peek()).map(|raw| (raw.length, raw.record.len()));
        let covers_others =
            salvage && lengths.is_some_and(|(length, record)| source.covers_others(length, record));
        let added = match first_raw(source.peek()) {
            None => Err(SourceFault::Truncated),
            Some(raw) if raw.key.is_empty() => Ok(raw.length),
            Some(raw) if covers_others => Err(SourceFault::Length(raw.record.len())),
            Some(raw) => loaded.add(&raw).map(|()| raw.length).map_err(SourceFault::from),
        };
        match added {
            Ok(length) => {
                found += 1;
                source.skip(length);
            }
            Err(fault) if !salvage => {
                loaded.fault(offset, fault);
                return loaded;
            }
            Err(fault) => {
                loaded.lost += source.resume(&fault);
                loaded.fault(offset, fault);
            }
        }
    }
    let end = source.offset;
    match (source.error, stated) {
        (Some(error), _) => loaded.fault(end, error),
        (None, None) => loaded.fault(end, SourceFault::Truncated),
        (None, Some(stated)) if u64::from(stated) != found && loaded.faults == 0 => {
            loaded.fault(0, SourceFault::Count { stated, found });
        }
        _ => {}
    }
    loaded.store.shrink();
    loaded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Bound, Label};
    use crate::{Place, write};
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Cell;
    use goren_core::types::keys::mix;

    fn read(bytes: &[u8]) -> LoadedFile {
        super::read(io::Cursor::new(bytes))
    }

    fn sample(count: u64) -> Store {
        let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
        let mut store = Store::default();
        for seed in 0..count {
            let mut place = Place::empty(setup);
            for n in 0..seed % 17 {
                let empty = place.empty_cells();
                place.play(empty[(mix(seed * 100 + n) % empty.len() as u64) as usize]);
            }
            let label = [Label::NONE, Label::WIN, Label::NULL, Label(b'a' as i8)];
            let mut record = Record::labelled(label[seed as usize % 4]);
            record.set_depth(seed as i64 % 30, Bound::Exact);
            record.value = mix(seed) as i16;
            if seed % 5 == 0 {
                record.text = format!("@BTXT@76x{seed}\n\u{8}Zug {seed}").into_bytes();
            }
            store.set(&place.key().unwrap(), &record);
        }
        store
    }

    fn bytes(store: &Store, packed: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        write::write(store, &mut bytes, packed, true).unwrap();
        bytes
    }

    fn same(a: &Store, b: &Store) -> bool {
        a.in_order() == b.in_order()
    }

    #[test]
    fn written_files_are_read_back() {
        for count in [0, 1, 200, 5000] {
            let store = sample(count);
            for packed in [false, true] {
                let loaded = read(&bytes(&store, packed)[..]);
                assert!(loaded.damage.is_empty(), "{:?}", loaded.damage);
                assert!(same(&loaded.store, &store) && loaded.packed == packed && loaded.utf8);
            }
        }
    }

    #[test]
    fn a_text_may_look_like_records() {
        let mut store = sample(3);
        let place = Place::empty(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        let mut record = Record::labelled(Label::WIN);
        record.text = [bytes(&sample(40), false)].concat();
        store.set(&place.key().unwrap(), &record);
        for packed in [false, true] {
            let file = bytes(&store, packed);
            let loaded = read(&file);
            assert!(loaded.damage.is_empty(), "{:?}", loaded.damage);
            assert!(same(&loaded.store, &store));
        }
        // In a damaged file a length that covers other records is not trusted.
        let mut file = bytes(&store, false);
        file[0] += 1;
        let loaded = read(&file);
        assert!(matches!(loaded.damage[0].fault, SourceFault::Length(_)), "{:?}", loaded.damage);
        assert!(loaded.store.len() > store.len());
    }

    #[test]
    fn a_known_file_is_read_correctly() {
        let file = [
            &[3, 0, 0, 0][..],
            &[3, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0],
            UTF8,
            &[5, 0, 0, 15, 15, 7, 7, 0, 0],
            // A key that is not canonical, with a text in its own orientation.
            &[7, 0, 0, 15, 15, 7, 7, 9, 6, 16, 0, b'w', 0xd7, 0x8a, 0x0b, 0],
            b"@BTXT@96a\x08c",
        ]
        .concat();
        let loaded = read(&file[..]);
        assert!(loaded.damage.is_empty(), "{:?}", loaded.damage);
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let moves = [Some(Cell::new(7, 7)), Some(Cell::new(6, 5))];
        let place = Place::after(setup, &moves).unwrap();
        let record = loaded.store.get(&place.key().unwrap()).unwrap();
        assert_eq!((record.label, record.value, record.depth()), (Label::WIN, -29_993, 2));
        let cell = *text::on_cells(&record.text).keys().next().unwrap();
        assert_eq!(cell, place.in_key(Cell::new(6, 5))[0]);
        let first = Place::after(setup, &moves[..1]).unwrap().key().unwrap();
        assert_eq!(loaded.store.get(&first).unwrap().label, Label::NULL);
        assert_eq!(loaded.store.len(), 2);
    }

    #[test]
    fn a_damaged_byte_costs_few_records() {
        let store = sample(400);
        let whole = bytes(&store, false);
        for seed in 0..3000_u64 {
            let mut file = whole.clone();
            let at = 4 + (mix(seed) as usize) % (file.len() - 4);
            file[at] ^= 1 << (mix(seed + 1) % 8) as u8;
            let loaded = read(&file[..]);
            let read = loaded.store.in_order();
            let originals = store.in_order();
            let intact = read.iter().filter(|record| originals.contains(record)).count();
            assert!(intact + 25 >= store.len(), "byte {at}: {intact} of {}", store.len());
        }
    }

    #[test]
    fn the_records_before_a_truncation_are_read() {
        let store = sample(300);
        let whole = bytes(&store, false);
        for cut in 0..whole.len() {
            let loaded = read(&whole[..cut]);
            assert!(loaded.faults > 0, "{cut}");
            let originals = store.in_order();
            let read = loaded.store.in_order();
            assert!(read.iter().all(|record| originals.contains(record)), "{cut}");
        }
        let packed = bytes(&store, true);
        for cut in (0..packed.len()).step_by(7) {
            let loaded = read(&packed[..cut]);
            // If only the end mark of the frame is cut off, no record is missing.
            assert!(loaded.faults > 0 || same(&loaded.store, &store), "{cut}");
        }
    }

    #[test]
    fn arbitrary_bytes_are_rejected_quickly() {
        for seed in 0..200_u64 {
            let bytes: Vec<u8> = (0..seed * 40).map(|i| mix(seed << 20 | i) as u8).collect();
            let loaded = read(&bytes[..]);
            assert!(loaded.faults > 0);
            let framed = [&PACKED[..], &bytes].concat();
            assert!(read(&framed[..]).faults > 0);
        }
        // Only lengths that are too large.
        let far = vec![0xff; 1 << 20];
        assert!(read(&far[..]).faults > 0);
        let packed = {
            let mut packed = lz4_flex::frame::FrameEncoder::new(Vec::new());
            io::Write::write_all(&mut packed, &vec![3; 32 << 20]).unwrap();
            packed.finish().unwrap()
        };
        assert!(read(&packed[..]).faults > 0);
    }

    /// Damaged records, each within the key of the previous one, all of which end
    /// in the same long record: it is scanned for others only once.
    #[test]
    fn overlapping_records_take_no_longer_than_others() {
        const RIGHT: [u8; 7] = [3, 0, 0, 15, 15, 0, 0];
        const UNITS: usize = 2_000;
        const UNIT: usize = 3 * RIGHT.len() + 2;
        let mut block = Vec::new();
        for unit in 1..=UNITS {
            block.extend(RIGHT.repeat(3));
            block.extend((((UNITS - unit) * UNIT) as u16).to_le_bytes());
        }
        block.resize(block.len() + 2 + usize::from(u16::MAX), 0xff);
        let blocks = 60;
        let file = [&[0; 4][..], &block.repeat(blocks)].concat();
        let begun = std::time::Instant::now();
        let loaded = read(&file[..]);
        // The last unit of a block has an empty key and covers the beginning of the next block.
        assert!(loaded.faults >= (blocks * (UNITS - 1)) as u64, "{}", loaded.faults);
        assert_eq!(loaded.store.len(), 1);
        // If each fault searched on its own, 2,000 times as many bytes would be read.
        assert!(begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }

    #[test]
    fn damage_to_a_packed_file_is_detected() {
        let store = sample(400);
        let whole = bytes(&store, true);
        for at in 0..whole.len() {
            let mut file = whole.clone();
            file[at] ^= 0x41;
            let loaded = read(&file[..]);
            assert!(loaded.faults > 0 || same(&loaded.store, &store), "byte {at}");
        }
    }
}
