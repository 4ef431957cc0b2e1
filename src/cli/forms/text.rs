//! Files as bytes, up to a size, and as text in any encoding.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::note_writer::NoteWriter;
use goren_core::record::text::Input;

/// Most bytes that are read at once.
const MOST_BYTES: u64 = 64 << 20;

/// The text of a file in whatever encoding it is; what there is to say of that
/// is told.
///
/// # Errors
/// The file cannot be read, is too large, or is no text.
pub(crate) fn text_of(path: &Path) -> Result<String> {
    let name = path.display().to_string();
    let bytes = bounded_file(path)?;
    let input = Input::new(&bytes, None).with_context(|| name.clone())?;
    let text = input.decode(None);
    let mut note_writer = NoteWriter::new(Some(&name));
    text.notes().iter().for_each(|note| note_writer.say(&note.to_string(), None));
    Ok(text.as_str().to_owned())
}

/// The bytes of a file.
///
/// # Errors
/// It cannot be read, or is too large.
pub(super) fn bounded_file(path: &Path) -> Result<Vec<u8>> {
    let name = || format!("cannot read {}", path.display());
    bounded(&mut File::open(path).with_context(name)?).with_context(name)
}

/// The bytes of a file or of standard input.
///
/// # Errors
/// It cannot be read, or is too large.
pub(super) fn bounded(input: &mut dyn Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MOST_BYTES, "more than 64 MiB");
    Ok(bytes)
}
