//! Writes records in the format that Yixin and Rapfi read.

use std::io::{self, BufWriter, Write};

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::read::UTF8;
use super::record::Record;
use super::source::NO_POSITION;
use super::store::Store;

/// Writes all records. `utf8`: marks the texts as UTF-8.
///
/// # Errors
/// An I/O error of `out`.
pub fn write(store: &Store, out: impl Write, packed: bool, utf8: bool) -> io::Result<()> {
    if !packed {
        let mut out = BufWriter::with_capacity(1 << 18, out);
        records(store, &mut out, utf8)?;
        return out.flush();
    }
    let frame = FrameInfo::new()
        .block_mode(BlockMode::Linked)
        .block_size(BlockSize::Max64KB)
        .content_checksum(true);
    let mut out = BufWriter::with_capacity(1 << 18, FrameEncoder::with_frame_info(frame, out));
    records(store, &mut out, utf8)?;
    let frame = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    frame.finish()?.flush()
}

fn records(store: &Store, out: &mut impl Write, utf8: bool) -> io::Result<()> {
    let count = store.len() + usize::from(utf8);
    let head = u32::try_from(count).map_err(|_| io::Error::other("too many records"))?;
    let list = store.in_order();
    let mark = [&Record::read(&[]).head()[..], UTF8].concat();
    let mark = utf8.then_some((&NO_POSITION[..], &mark[..]));
    out.write_all(&head.to_le_bytes())?;
    for part in mark.into_iter().chain(list).flat_map(|(key, record)| [key, record]) {
        // Keys and records are shorter than 64 KiB by construction.
        out.write_all(&(part.len() as u16).to_le_bytes())?;
        out.write_all(part)?;
    }
    Ok(())
}
