//! Files derived from the journal of a match: summaries, plots and game files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::journal::JOURNAL;
use super::line::MatchRecord;
use super::totals::{MatchTotals, Meeting};
use crate::opening_file::HEAD;
use crate::plot::{MatchPoint, match_history};
use crate::stats::Pentanomial;
use goren_core::record::import::ImportedGame;
use goren_core::record::psq::{self, PsqError};
use goren_core::record::sgf;
use goren_files::output_path::replace;

/// File of the openings of a match.
pub(super) const OPENINGS: &str = "openings.txt";
/// File of all games.
const SGF: &str = "games.sgf";
/// Folder of the games, one file each.
const PSQ: &str = "psq";
/// File of the result.
const SUMMARY: &str = "summary.txt";

/// Maximum number of points of a plot; more could not be distinguished.
const MAX_POINTS: usize = 600;

/// Checks that a new match in a folder would replace no file there.
///
/// # Errors
/// The first file that the match would replace.
pub(super) fn check_unused(folder: &Path) -> Result<()> {
    let has_match = fs::metadata(folder.join(JOURNAL)).is_ok_and(|old| old.len() > 0);
    if has_match || !folder.exists() {
        return Ok(());
    }
    let place = || folder.display().to_string();
    for entry in fs::read_dir(folder).with_context(place)? {
        let name = entry.with_context(place)?.file_name().to_string_lossy().into_owned();
        let is_written = [OPENINGS, SGF, PSQ, SUMMARY].contains(&name.as_str())
            || name.starts_with("plot") && name.ends_with(".svg");
        ensure!(!is_written, "{} already has {name}, but no match: name another folder", place());
    }
    Ok(())
}

/// Writes the openings of a match, one line of points each.
///
/// # Errors
/// An I/O error, with the name of the file.
pub(super) fn write_openings(path: &Path, openings: &[String]) -> Result<()> {
    let lines = iter::once(HEAD).chain(openings.iter().map(String::as_str));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    Ok(replace(path, text.as_bytes())?)
}

/// Files of the games: one SGF file of all, and a folder of psq files (Piskvork's format)
/// of those that psq can represent.
pub(super) struct RecordFiles {
    folder: PathBuf,
    sgf: File,
    sgf_path: PathBuf,
    /// Numbers of the games that psq cannot represent, by reason.
    left_out: BTreeMap<PsqError, Vec<u64>>,
}

/// Maximum number of games that a note lists by number.
const MAX_LISTED: usize = 20;

impl RecordFiles {
    /// Rewrites the files of the games played so far. `five` says whether the match
    /// is five in a row.
    ///
    /// # Errors
    /// An I/O error, with the name of the file.
    pub(super) fn new(folder: &Path, past: &[MatchRecord], five: bool) -> Result<RecordFiles> {
        let (psq, sgf_path) = (folder.join(PSQ), folder.join(SGF));
        if five {
            fs::create_dir_all(&psq).with_context(|| format!("cannot create {}", psq.display()))?;
        }
        let all: String = past.iter().map(|line| sgf::write(&line.record.imported())).collect();
        replace(&sgf_path, all.as_bytes())?;
        let sgf = File::options().append(true).open(&sgf_path);
        let sgf = sgf.with_context(|| format!("cannot open {}", sgf_path.display()))?;
        let mut files = RecordFiles { folder: psq, sgf, sgf_path, left_out: BTreeMap::new() };
        for line in past {
            files.add_psq(line, &line.record.imported())?;
        }
        Ok(files)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// An I/O error, with the name of the file.
    pub(super) fn add(&mut self, line: &MatchRecord) -> Result<()> {
        let game = line.record.imported();
        self.add_psq(line, &game)?;
        self.sgf
            .write_all(sgf::write(&game).as_bytes())
            .with_context(|| format!("cannot write {}", self.sgf_path.display()))
    }

    fn add_psq(&mut self, line: &MatchRecord, game: &ImportedGame) -> Result<()> {
        let path = self.folder.join(format!("{:06}.psq", line.game));
        match psq::write(game) {
            Ok(text) if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) => Ok(()),
            Ok(text) => Ok(replace(&path, text.as_bytes())?),
            Err(why) => {
                // The file of a former game of this number.
                if path.exists() {
                    fs::remove_file(&path)
                        .with_context(|| format!("cannot remove {}", path.display()))?;
                }
                self.left_out.entry(why).or_default().push(line.game);
                Ok(())
            }
        }
    }

    /// Returns notes on the games that have no psq file, one per reason.
    pub(super) fn notes(&self) -> Vec<String> {
        let line = |(why, games): (&PsqError, &Vec<u64>)| {
            let which = match games.len() {
                _ if *why == PsqError::Game => "the games are".to_string(),
                1 => format!("game {} is", games[0]),
                n => {
                    let shown = games.iter().take(MAX_LISTED).map(u64::to_string);
                    let shown = shown.collect::<Vec<_>>().join(", ");
                    let more = if n > MAX_LISTED { " ..." } else { "" };
                    format!("{n} games ({shown}{more}) are")
                }
            };
            format!("note: {why}: {which} only in games.sgf and games.jsonl")
        };
        self.left_out.iter().map(line).collect()
    }
}

/// Writes the summary of a match.
///
/// # Errors
/// An I/O error, with the name of the file.
pub(super) fn write_summary(folder: &Path, summary: &str) -> Result<()> {
    Ok(replace(&folder.join(SUMMARY), summary.as_bytes())?)
}

/// Writes a plot of each meeting.
///
/// # Errors
/// An I/O error, with the name of the file.
pub(super) fn write_plots(
    folder: &Path,
    totals: &MatchTotals,
    names: &[String],
    game: &str,
) -> Result<()> {
    for meeting in &totals.meetings {
        let [a, b] = meeting.engines;
        let title = format!("{} against {}, {game}", names[a], names[b]);
        let sprt = totals.test.as_ref().map(|test| test.sprt);
        let svg = match_history(&title, &history(meeting, totals), sprt.as_ref())?;
        replace(&folder.join(plot_name(meeting, names.len())), svg.as_bytes())?;
    }
    Ok(())
}

fn plot_name(meeting: &Meeting, engines: usize) -> PathBuf {
    let [a, b] = meeting.engines;
    if engines == 2 { "plot.svg".into() } else { format!("plot-{}-{}.svg", a + 1, b + 1).into() }
}

/// Returns the estimate after each complete pair, in the order of the schedule.
fn history(meeting: &Meeting, totals: &MatchTotals) -> Vec<MatchPoint> {
    let pairs = meeting.in_order();
    let step = pairs.len().div_ceil(MAX_POINTS).max(1);
    let mut counted = Pentanomial::default();
    let mut points = Vec::new();
    for (i, &half_points) in pairs.iter().enumerate() {
        counted.add(half_points);
        if (i + 1).is_multiple_of(step) || i + 1 == pairs.len() {
            points.push(MatchPoint {
                games: 2 * (i as u64 + 1),
                elo: counted.elo(),
                llr: totals.test.as_ref().map(|test| test.sprt.llr(&counted)),
            });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::line::tests::line;
    use goren_core::opening::Action;
    use goren_core::record::{Ending, PlayedPly};
    use goren_core::rules::{Contest, OpeningId, Variant};
    use goren_core::types::Cell;
    use goren_notation::forms::{PlayOptions, try_all};

    /// A game of `stones` stones, followed by a pass if `pass` is set.
    fn game(number: u64, variant: &str, stones: usize, pass: bool) -> MatchRecord {
        let mut line = line(number, [0, 1], Ending::Draw);
        let variant = Variant::from_name(variant).unwrap();
        line.record.contest = Contest::new(variant).opened(OpeningId::Free).unwrap();
        line.record.opening.clear();
        let ply = line.record.plies.remove(0);
        let stone = |i| Action::stone(Cell::new(2 * i, 3));
        let actions = (0..stones).map(stone).chain(pass.then_some(Action::Pass));
        line.record.plies = actions.map(|action| PlayedPly { action, ..ply.clone() }).collect();
        line
    }

    #[test]
    fn every_game_is_in_the_sgf_file_and_notes_list_those_without_psq() {
        let folder = tempfile::tempdir().unwrap();
        let past = [game(0, "renju", 3, false), game(1, "renju", 3, true)];
        let mut files = RecordFiles::new(folder.path(), &past, true).unwrap();
        files.add(&game(2, "renju", 4, true)).unwrap();
        files.add(&game(3, "renju", 2, false)).unwrap();
        let sgf = fs::read(folder.path().join("games.sgf")).unwrap();
        assert_eq!(try_all(&sgf, None, &PlayOptions::default()).unwrap(), [4, 0]);
        let psq = |n: u64| folder.path().join(format!("psq/{n:06}.psq")).exists();
        assert_eq!([0, 1, 2, 3].map(psq), [true, false, false, true]);
        assert_eq!(
            files.notes(),
            [
                "note: psq files hold no passes: 2 games (1, 2) are only in games.sgf and games.jsonl"
            ]
        );
        let others = [game(0, "irensei", 3, true)];
        let files = RecordFiles::new(folder.path(), &others, false).unwrap();
        let sgf = fs::read(folder.path().join("games.sgf")).unwrap();
        assert_eq!(try_all(&sgf, None, &PlayOptions::default()).unwrap(), [1, 0]);
        assert_eq!(
            files.notes(),
            [
                "note: psq files hold only five in a row: the games are only in games.sgf and games.jsonl"
            ]
        );
    }

    /// Regression: the file of a game that was played again kept the former game.
    #[test]
    fn a_psq_file_holds_the_game_of_the_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("psq/000000.psq");
        RecordFiles::new(folder.path(), &[game(0, "renju", 3, false)], true).unwrap();
        let before = fs::read(&path).unwrap();
        let mut files = RecordFiles::new(folder.path(), &[], true).unwrap();
        files.add(&game(0, "renju", 4, false)).unwrap();
        assert_ne!(fs::read(&path).unwrap(), before);
        files.add(&game(0, "renju", 3, true)).unwrap();
        assert!(!path.exists());
    }
}
