//! The file of a run: packed games of five in a row, lines of JSON of others.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::game::Played;
use super::record::TrainingGame;
use crate::data::{self, Writer};
use crate::journal::Journal;
use crate::plies;
use goren_core::opening::Seat;
use goren_core::record::Ending;
use goren_core::rules::{Contest, OpeningId, Outcome, Setup, Variant};
use goren_core::types::Color;

/// A game of the file.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Entry {
    /// Five in a row.
    Packed(Box<data::Game>),
    /// Any other game.
    Line(Box<TrainingGame>),
}

/// Whether the games of a contest are packed.
pub(super) fn is_five(contest: &Contest) -> bool {
    matches!(contest.variant, Variant::Five(_)) && contest.opening == OpeningId::Free
}

impl Entry {
    /// A game as its file has it.
    ///
    /// # Errors
    /// A game of five in a row without a result.
    pub(super) fn of(contest: &Contest, played: &Played) -> Result<Entry> {
        let Variant::Five(rule) = contest.variant else {
            return Ok(Entry::Line(Box::new(TrainingGame::of(contest, played)?)));
        };
        let end = played.end.context("a game of five in a row has an end")?;
        Ok(Entry::Packed(Box::new(data::Game {
            setup: Setup::new(rule, contest.width, contest.height)?,
            seed: played.seed,
            opening: plies::stones(&played.opening),
            plies: played.plies.clone(),
            result: match end.ending {
                Ending::Win(Seat::First) => Outcome::Win(Color::Black),
                Ending::Win(Seat::Second) => Outcome::Win(Color::White),
                Ending::Draw => Outcome::Draw,
            },
            played_out: end.played_out,
        })))
    }

    fn seed(&self) -> u64 {
        match self {
            Entry::Packed(game) => game.seed,
            Entry::Line(game) => game.seed,
        }
    }

    /// Searched positions.
    pub(super) fn positions(&self) -> u64 {
        match self {
            Entry::Packed(game) => game.plies.len() as u64,
            Entry::Line(game) => game.scores.len() as u64,
        }
    }

    /// The result; `None` if the game was broken off.
    pub(super) fn result(&self) -> Option<Outcome> {
        match self {
            Entry::Packed(game) => Some(game.result),
            Entry::Line(game) => game.record.result(),
        }
    }

    fn is_of(&self, contest: &Contest) -> bool {
        match self {
            Entry::Packed(game) => {
                let Setup { rule, width, height } = game.setup;
                let board = (contest.width, contest.height);
                (Variant::Five(rule), width, height) == (contest.variant, board.0, board.1)
            }
            Entry::Line(game) => game.record.contest == *contest,
        }
    }
}

/// The file of a run, open for appending.
pub(super) enum TrainingFile {
    /// Five in a row.
    Packed(Writer),
    /// Any other game.
    Lines(Journal),
}

impl TrainingFile {
    /// Opens the file of a run of a game described by `header`, and hands each
    /// game that is there to `read`; `seed` is that of the game after so many.
    ///
    /// # Errors
    /// A file of another run, or one that cannot be read or written; what
    /// `read` returns.
    pub(super) fn open(
        path: &Path,
        contest: &Contest,
        header: &Value,
        seed: impl Fn(u64) -> u64,
        mut read: impl FnMut(Entry),
    ) -> Result<TrainingFile> {
        let mut games = 0;
        let mut take = |entry: Entry| {
            let same = entry.is_of(contest) && entry.seed() == seed(games);
            ensure!(same, "{} holds games of another run", path.display());
            games += 1;
            read(entry);
            Ok(())
        };
        if is_five(contest) {
            let writer = Writer::resume(path, |game| take(Entry::Packed(Box::new(game))))?;
            return Ok(TrainingFile::Packed(writer));
        }
        let (journal, _) = Journal::open(path, "run", header, true, |line, _| {
            take(Entry::Line(Box::new(TrainingGame::read(str::from_utf8(line)?)?)))
        })?;
        Ok(TrainingFile::Lines(journal))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn append(&mut self, entry: &Entry) -> Result<()> {
        match (self, entry) {
            (TrainingFile::Packed(writer), Entry::Packed(game)) => Ok(writer.write(game)?),
            (TrainingFile::Lines(journal), Entry::Line(game)) => journal.append(&game.line()?),
            _ => anyhow::bail!("a game of another kind"),
        }
    }
}
