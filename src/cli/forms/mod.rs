//! Games and positions in the forms that people have them in: which form it is,
//! the games of a file, and how they are played.
//!
//! Readers know a form and no rules (`record`); what they skipped, guessed or
//! did not understand stands in notes. Remarks are told on standard error;
//! because of a doubt a game is refused unless the user answers it, or takes it
//! all the same by `--lenient`. One bad game of a file does not hide the others.
//!
//! `table.rs` decides the form of a file, one row per form. Readers are in
//! `goren_core::record`, one file per form in `record::import`.

mod foreign;
mod json;
mod note_writer;
mod open;
mod play;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod typed;

use anyhow::Result;
use clap::ValueEnum;

use super::variant;
use goren_core::record::import::{self, Hints};
use goren_core::record::text::CodePage;

pub(crate) use note_writer::NoteWriter;
pub use open::{Games, Opened};
pub use play::{Choice, Refusal};
pub(crate) use play::{Played, play};
pub use table::Form;
pub(crate) use text::text_of;
pub(crate) use typed::Typed;

/// Arguments that say how a file is to be read.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Reading {
    /// Game with its options, such as renju or pente+keryo, or a name used by
    /// sites and programs; `goren games` lists them. Default: what the file
    /// says, or freestyle.
    #[arg(long, alias = "rule")]
    pub(crate) game: Option<String>,
    /// Board size, such as 15 or 20x15 (columns x rows); default: what the file
    /// says, or the usual board of the game.
    #[arg(long, value_parser = variant::size)]
    pub(crate) size: Option<(usize, usize)>,
    /// Format of the input; default: detected.
    #[arg(long, value_enum)]
    pub(crate) form: Option<Form>,
    /// Count numbered rows from the top.
    #[arg(long)]
    pub(crate) from_top: bool,
    /// Whether the column letters include I; default: detected.
    #[arg(long, value_enum)]
    pub(crate) columns: Option<Columns>,
    /// Encoding of the text, such as utf-8, gbk or shift_jis; default: what the
    /// file says, or detected.
    #[arg(long, value_parser = code_page)]
    pub(crate) encoding: Option<CodePage>,
    /// Number of the first column and row in pairs such as 8,8: 0 or 1;
    /// default: detected.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) origin: Option<u8>,
    /// Meaning of the lines in a list of moves; default: detected.
    #[arg(long, value_enum)]
    pub(crate) lines: Option<Lines>,
    /// Accept a game whose stones or rule are in doubt. What was not understood
    /// is reported and skipped, and so is everything after an illegal move.
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// How columns are lettered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Columns {
    /// A to Z, with I.
    WithI,
    /// A to Z without I, as on Go boards.
    WithoutI,
}

/// What the lines of a list of moves are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Lines {
    /// All lines are one game.
    Moves,
    /// Each line is a game.
    Games,
}

fn code_page(name: &str) -> Result<CodePage, String> {
    CodePage::named(name).ok_or_else(|| format!("there is no encoding {name:?}"))
}

impl Reading {
    /// What the user says.
    ///
    /// # Errors
    /// There is no such game.
    pub(crate) fn hints(&self) -> Result<Hints> {
        let columns = self.columns.map(|columns| match columns {
            Columns::WithI => import::Columns::WithI,
            Columns::WithoutI => import::Columns::WithoutI,
        });
        Ok(Hints {
            variant: self.game.as_deref().map(variant::game).transpose()?,
            size: self.size,
            columns,
            from_top: self.from_top.then_some(true),
            code_page: self.encoding,
            origin: self.origin.map(usize::from),
            per_line: self.lines.map(|lines| lines == Lines::Games),
        })
    }
}

/// How many games of some bytes can be played, and how many are refused.
///
/// # Errors
/// The bytes are no text.
pub fn try_all(bytes: &[u8], form: Option<Form>, choice: &Choice) -> Result<[usize; 2]> {
    Opened::of_bytes(bytes).games(form, &choice.hints, |games| {
        let mut counts = [0; 2];
        for game in games.by_ref() {
            let played = game.is_ok_and(|game| play(game, choice).is_ok());
            counts[usize::from(!played)] += 1;
        }
        Ok(counts)
    })
}
