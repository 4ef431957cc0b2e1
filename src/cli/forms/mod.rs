//! Games and positions in the forms that people have them in: which form it is,
//! the games of a file, and how they are played.
//!
//! Readers know a form and no rules (`record`); what they skipped, guessed or
//! did not understand stands in notes. Remarks are told on standard error;
//! because of a doubt a game is refused unless the user answers it, or takes it
//! all the same by `--lenient`. One bad game of a file does not hide the others.

mod json;
mod open;
mod play;
mod table;
mod tell;
#[cfg(test)]
mod tests;
mod text;
mod typed;

use anyhow::Result;
use clap::ValueEnum;

use super::variant;
use goren_core::record::import::{self, Hints};
use goren_core::record::text::CodePage;

pub use open::{Games, Opened};
pub use play::{Choice, Refusal};
pub(crate) use play::{Played, play};
pub use table::Form;
pub(crate) use tell::Teller;
pub(crate) use text::text_of;
pub(crate) use typed::{Typed, column};

/// Arguments that say how a file is to be read.
#[derive(clap::Args, Clone, Default, Debug)]
pub(crate) struct Reading {
    /// The game and its options, such as renju or pente+keryo, or a name that
    /// sites and programs use; see `goren games`. Without it what a file says,
    /// or freestyle.
    #[arg(long, alias = "rule")]
    pub(crate) game: Option<String>,
    /// Side of the board, or columns and rows such as 20x15, instead of what
    /// the file says, or of the usual one.
    #[arg(long, value_parser = variant::size)]
    pub(crate) size: Option<(usize, usize)>,
    /// How it is written, instead of what it looks like.
    #[arg(long, value_enum)]
    pub(crate) form: Option<Form>,
    /// Rows with numbers count from the top, as in opening files.
    #[arg(long)]
    pub(crate) from_top: bool,
    /// Whether the columns A, B, C ... have an I among them; without it as it
    /// looks.
    #[arg(long, value_enum)]
    pub(crate) columns: Option<Columns>,
    /// How the text is encoded, such as utf-8, gbk or shift_jis, instead of what
    /// it says or looks like.
    #[arg(long, value_parser = code_page)]
    pub(crate) encoding: Option<CodePage>,
    /// Whether pairs of numbers such as 8,8 begin with column and row 0 or 1;
    /// without it as it looks.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=1))]
    pub(crate) origin: Option<u8>,
    /// What the lines of a list of moves are; without it as it looks.
    #[arg(long, value_enum)]
    pub(crate) lines: Option<Lines>,
    /// Takes a game though stones or rule are in doubt: what was not understood
    /// is told and left out, and what follows an illegal move.
    #[arg(long)]
    pub(crate) lenient: bool,
}

/// How columns are lettered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Columns {
    /// A to Z.
    WithI,
    /// Without the letter I, as on Go boards.
    WithoutI,
}

/// What the lines of a list of moves are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Lines {
    /// Parts of one game.
    Moves,
    /// A game each.
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
