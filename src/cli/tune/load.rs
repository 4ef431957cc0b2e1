//! Reads the training games of a fit.

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::args::Args;
use crate::data::hint_whole_games;
use crate::variant::shown;
use goren_core::rules::{Contest, Variant};
use goren_notation::words::count;
use goren_training_data::{GamePlace, GameReader, JsonGame, PackedGame, StoredGame, TrainingGame};

/// Games that are parsed and encoded in parallel at a time.
const BATCH: usize = 2048;

/// The form of training games that a fit reads: packed in five in a row, JSON Lines in all
/// other games.
pub(super) trait GameForm: Sized + Send {
    /// A game, if it is of this form.
    fn of(game: TrainingGame) -> Option<Self>;
}

impl GameForm for PackedGame {
    fn of(game: TrainingGame) -> Option<PackedGame> {
        match game {
            TrainingGame::Packed(game) => Some(*game),
            TrainingGame::Json(_) => None,
        }
    }
}

impl GameForm for JsonGame {
    fn of(game: TrainingGame) -> Option<JsonGame> {
        match game {
            TrainingGame::Json(game) => Some(*game),
            TrainingGame::Packed(_) => None,
        }
    }
}

/// A file of games of the other form.
#[derive(Debug, thiserror::Error)]
#[error("it holds games of {found}, not of {wanted}: leave the file out")]
struct OtherForm {
    found: String,
    wanted: String,
}

/// Reads the games of the files in order. Skips those of other variants or boards. `take`
/// gets each game, and whether it is held out, on any thread; `keep` gets the results of
/// `take`, in the order of the files, and returns whether they are enough. Prints how many
/// games were used and skipped, where the reading ended if the files go on there, each fault
/// of a file that `--whole-games` allows, and the files without a game.
///
/// # Errors
/// A file cannot be read or holds games of the other form; a file or a game is damaged, or
/// `take` fails, without `--whole-games`; no game is left. The file is named.
pub(super) fn load<G: GameForm, T: Send>(
    args: &Args,
    is_wanted: impl Fn(Variant) -> bool + Sync,
    take: impl Fn(G, bool) -> Result<T> + Sync,
    keep: impl FnMut(T) -> bool,
) -> Result<()> {
    if let Some(note) = read(args, is_wanted, take, keep)? {
        eprintln!("note: {note}");
    }
    Ok(())
}

/// Reads the games as [`load`] does. Returns a note on where the reading ended, if the files
/// go on there.
///
/// # Errors
/// Those of [`load`].
pub(super) fn read<G: GameForm, T: Send>(
    args: &Args,
    is_wanted: impl Fn(Variant) -> bool + Sync,
    take: impl Fn(G, bool) -> Result<T> + Sync,
    mut keep: impl FnMut(T) -> bool,
) -> Result<Option<String>> {
    let style = ProgressStyle::with_template("reading {spinner} {pos} games {elapsed}")?;
    let progress = ProgressBar::new_spinner().with_style(style);
    let take = |place: &GamePlace, game: StoredGame| -> Result<Option<T>> {
        let game = game.read()?;
        let Contest { variant, width, height, .. } = game.contest();
        let held_out = game.is_held_out(args.seed, args.valid);
        let Some(game) = G::of(game) else {
            let is_five = matches!(args.game, Variant::Five(_));
            let found = if is_five { shown(variant) } else { "five in a row".into() };
            return Err(OtherForm { found, wanted: shown(args.game) }.into());
        };
        let has_size = args.size.0.is_none_or(|n| (width, height) == (n, n));
        if !has_size || !is_wanted(variant) {
            return Ok(None);
        }
        take(game, held_out).map(Some).map_err(|error| error.context(place.clone()))
    };

    let mut files = GameReader::new(args.data.clone(), args.whole_games);
    let (mut used, mut others) = (0, 0);
    let end = loop {
        let mut batch = Vec::with_capacity(BATCH);
        let read = read_batch(&mut files, &mut batch).map_err(hint_whole_games);
        let is_end = batch.is_empty();
        let taken: Vec<(GamePlace, Result<Option<T>>)> = batch
            .into_par_iter()
            .map(|(place, game)| {
                let taken = take(&place, game);
                (place, taken)
            })
            .collect();
        let (mut taken, mut last) = (taken.into_iter(), None);
        for (place, game) in taken.by_ref() {
            match game {
                Ok(Some(game)) => {
                    used += 1;
                    if keep(game) {
                        last = Some(place);
                        break;
                    }
                }
                Ok(None) => others += 1,
                Err(error) if error.is::<OtherForm>() => {
                    return Err(error.context(place.path.display().to_string()));
                }
                Err(error) => files.pass_over(error).map_err(hint_whole_games)?,
            }
        }
        progress.set_position(used);
        if let Some(place) = last {
            let is_more = taken.next().is_some() || read.is_err();
            let is_more = is_more || !matches!(files.next_stored(), Ok(None));
            break is_more.then(|| ended_at(args, &place));
        }
        // Reported after the games before the fault, which may be of the other form.
        read?;
        if is_end {
            break None;
        }
    };
    progress.finish_and_clear();
    for fault in files.faults() {
        eprintln!("warning: {fault}");
    }
    for path in files.without_game() {
        eprintln!("warning: {} has no game", path.display());
    }
    if used == 0 {
        bail!("no games of {} among the {others} found", shown(args.game));
    }
    let faulty = files.faults().len();
    println!(
        "{used} games; passed over: {others} of other rules or boards, {faulty} damaged or illegal (a packed file ends at its first)."
    );
    Ok(end)
}

/// The note that the reading ended at a game which is not the last one.
fn ended_at(args: &Args, place: &GamePlace) -> String {
    let files = args.data.iter().skip_while(|path| path.as_path() != &*place.path).skip(1);
    let mut text = format!("reading ended at --positions {}, in {place}", args.positions);
    match files.count() {
        0 => {}
        unread => text += &format!("; unread: {} after it", count(unread, "file")),
    }
    text
}

/// Appends games of the files until there are [`BATCH`], or the files end.
///
/// # Errors
/// Those of [`GameReader::next_stored`]; the games before stay appended.
fn read_batch(files: &mut GameReader, batch: &mut Vec<(GamePlace, StoredGame)>) -> Result<()> {
    while batch.len() < BATCH
        && let Some(game) = files.next_stored()?
    {
        batch.push(game);
    }
    Ok(())
}
