//! Text files in any encoding.

use std::path::Path;

use anyhow::{Context, Result};

use super::note_writer::NoteWriter;
use goren_core::record::text::Input;
use goren_notation::forms::bounded_file;

/// Reads a text file in any encoding. Notes about the encoding go to standard error.
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
