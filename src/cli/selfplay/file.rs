//! The file of a run: packed games of five in a row, JSON Lines of other games.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::game::SelfPlayGame;
use crate::data::{PackedWriter, write_settings};
use crate::plies;
use crate::run::journal::RunJournal;
use crate::run::shard::Shard;
use goren_core::opening::{Action, Seat};
use goren_core::record::import::MoveStats;
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::rules::{Contest, Outcome, Setup, Variant};
use goren_core::types::{Cell, Color, PROVEN};
use goren_training_data::{JsonGame, PackedGame, TrainingGame, players};

/// Converts a game to its training data.
///
/// # Errors
/// A game of five in a row has no result.
pub(super) fn training_game(contest: &Contest, played: &SelfPlayGame) -> Result<TrainingGame> {
    let Variant::Five(rule) = contest.variant else {
        return Ok(TrainingGame::Json(Box::new(line(contest, played)?)));
    };
    let end = played.end.context("a game of five in a row has an end")?;
    Ok(TrainingGame::Packed(Box::new(PackedGame {
        setup: Setup::new(rule, contest.width, contest.height)?,
        seed: played.seed,
        opening: plies::stones(&played.opening),
        plies: played.plies.clone(),
        sampled: played.sampled.clone(),
        result: match end.ending {
            Ending::Win(Seat::First) => Outcome::Win(Color::Black),
            Ending::Win(Seat::Second) => Outcome::Win(Color::White),
            Ending::Draw => Outcome::Draw,
        },
        played_out: end.played_out,
    })))
}

/// Converts a game beyond five in a row to its training data.
///
/// # Errors
/// The game is not legal.
fn line(contest: &Contest, played: &SelfPlayGame) -> Result<JsonGame> {
    let actions = [&played.opening[..], &played.actions].concat();
    // With the stones of a turn in the order in which they are written.
    let texts = plies::texts(contest, &actions);
    let game_state = plies::game(contest, texts.iter().map(String::as_str))?;
    let (opening, actions) = game_state.actions().split_at(played.opening.len());
    let ply = |action: &Action| PlayedPly { action: action.clone(), stats: MoveStats::default() };
    let record = GameRecord {
        contest: *contest,
        players: players(),
        opening: opening.to_vec(),
        plies: actions.iter().map(ply).collect(),
        black: Seat::First,
        ending: played.end.map(|end| end.ending),
        reason: played.end.map_or("", |end| end.reason).to_owned(),
    };
    // The last stone is not placed if its score is proven.
    let placed = played.plies.iter().filter(|ply| ply.score.abs() < PROVEN);
    let stones: Vec<Cell> = placed.map(|ply| ply.played).collect();
    let scores = played.plies.iter().map(|ply| ply.score).collect();
    let random = |&i: &usize| played.plies[i].played != played.plies[i].best;
    let random_moves = (0..stones.len()).filter(random).collect();
    Ok(JsonGame { record, seed: played.seed, stones, scores, random_moves })
}

/// The file of a run, open for appending.
pub(super) enum TrainingFile {
    /// Five in a row.
    Packed(PackedWriter),
    /// Any other game.
    Lines(RunJournal),
}

impl TrainingFile {
    /// Opens the file of a run of a game described by `header`, and passes each
    /// existing game to `read`; `seed` gives the seed of a game by its number.
    ///
    /// # Errors
    /// The file is of another run, or cannot be read or written.
    pub(super) fn open(
        path: &Path,
        contest: &Contest,
        header: &Value,
        seed: impl Fn(u64) -> u64,
        mut read: impl FnMut(TrainingGame),
    ) -> Result<TrainingFile> {
        let mut games = 0;
        let mut take = |game: TrainingGame| {
            let same = game.contest() == *contest && game.seed() == seed(games);
            ensure!(same, "{} holds games of another run", path.display());
            games += 1;
            read(game);
            Ok(())
        };
        if matches!(contest.variant, Variant::Five(_)) {
            let writer =
                PackedWriter::resume(path, |game| take(TrainingGame::Packed(Box::new(game))))?;
            return Ok(TrainingFile::Packed(writer));
        }
        let (journal, _) = RunJournal::open(path, "run", header, true, |line, _| {
            take(TrainingGame::Json(Box::new(JsonGame::read(str::from_utf8(line)?)?)))
        })?;
        Ok(TrainingFile::Lines(journal))
    }

    /// Writes the settings of a part to a file of their own if the games are packed, so
    /// that parts of different runs are not joined.
    ///
    /// # Errors
    /// The games were made with other settings, or an I/O error.
    pub(super) fn note_settings(&self, path: &Path, header: &Value, shard: Shard) -> Result<()> {
        match self {
            TrainingFile::Packed(writer) if !shard.is_whole() => {
                write_settings(path, header, writer.games() > 0)
            }
            _ => Ok(()),
        }
    }

    /// Appends a game.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn append(&mut self, game: &TrainingGame) -> Result<()> {
        match (self, game) {
            (TrainingFile::Packed(writer), TrainingGame::Packed(game)) => writer.write(game),
            (TrainingFile::Lines(journal), TrainingGame::Json(game)) => {
                journal.append(&game.line()?)
            }
            _ => bail!("a game of another kind"),
        }
    }
}
