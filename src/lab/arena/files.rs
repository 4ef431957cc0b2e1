//! What is made from the journal: summaries, plots and game files.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::line::GameLine;
use super::tally::{Meeting, Tally};
use crate::lab::opening_file::{Format, write_line};
use crate::lab::plot::{MatchPoint, match_history};
use crate::lab::stats::Pentanomial;
use crate::record::{psq, sgf};
use crate::rules::Setup;
use crate::types::Cell;

/// Points of a plot: more cannot be told apart.
const POINTS: usize = 600;

/// Writes a file so that it is whole or not there at all.
///
/// # Errors
/// The system's, with the name of the file.
fn write(path: &Path, text: &str) -> Result<()> {
    let half = path.with_extension("part");
    fs::write(&half, text)
        .and_then(|()| fs::rename(&half, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the openings of a match, one a line.
///
/// # Errors
/// The system's, with the name of the file.
pub(super) fn write_openings(path: &Path, openings: &[Vec<Cell>], setup: Setup) -> Result<()> {
    let line = |opening: &Vec<Cell>| write_line(opening, setup, Format::Points) + "\n";
    write(path, &openings.iter().map(line).collect::<String>())
}

/// The files of single games: a folder of psq files, Piskvork's form, and one
/// SGF file for all.
pub(super) struct GameFiles {
    folder: PathBuf,
    sgf: File,
    sgf_path: PathBuf,
}

impl GameFiles {
    /// Makes the files of the games played so far, from nothing.
    ///
    /// # Errors
    /// The system's, with the name of the file.
    pub(super) fn new(folder: &Path, past: &[GameLine]) -> Result<GameFiles> {
        let (psq, sgf_path) = (folder.join("psq"), folder.join("games.sgf"));
        fs::create_dir_all(&psq).with_context(|| format!("cannot make {}", psq.display()))?;
        let all: String = past.iter().map(|line| sgf::write(&line.record)).collect();
        write(&sgf_path, &all)?;
        let sgf = File::options().append(true).open(&sgf_path);
        let sgf = sgf.with_context(|| format!("cannot open {}", sgf_path.display()))?;
        let files = GameFiles { folder: psq, sgf, sgf_path };
        for line in past {
            let path = files.psq(line);
            if !path.exists() {
                write(&path, &psq::write(&line.record))?;
            }
        }
        Ok(files)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The system's, with the name of the file.
    pub(super) fn add(&mut self, line: &GameLine) -> Result<()> {
        write(&self.psq(line), &psq::write(&line.record))?;
        self.sgf
            .write_all(sgf::write(&line.record).as_bytes())
            .with_context(|| format!("cannot write {}", self.sgf_path.display()))
    }

    fn psq(&self, line: &GameLine) -> PathBuf {
        self.folder.join(format!("{:06}.psq", line.game))
    }
}

/// Writes the summary of a match and a plot of each meeting.
///
/// # Errors
/// The system's, with the name of the file.
pub(super) fn write_results(
    folder: &Path,
    summary: &str,
    tally: &Tally,
    names: &[String],
    game: &str,
) -> Result<()> {
    write(&folder.join("summary.txt"), summary)?;
    for meeting in &tally.meetings {
        let [a, b] = meeting.engines;
        let title = format!("{} against {}, {game}", names[a], names[b]);
        let sprt = tally.test.as_ref().map(|test| test.sprt);
        let svg = match_history(&title, &history(meeting, tally), sprt.as_ref())?;
        write(&folder.join(plot_name(meeting, names.len())), &svg)?;
    }
    Ok(())
}

fn plot_name(meeting: &Meeting, engines: usize) -> PathBuf {
    let [a, b] = meeting.engines;
    if engines == 2 { "plot.svg".into() } else { format!("plot-{}-{}.svg", a + 1, b + 1).into() }
}

/// The estimate after each complete pair, in the order of the schedule.
fn history(meeting: &Meeting, tally: &Tally) -> Vec<MatchPoint> {
    let pairs = meeting.in_order();
    let step = pairs.len().div_ceil(POINTS).max(1);
    let mut counted = Pentanomial::default();
    let mut points = Vec::new();
    for (i, &half_points) in pairs.iter().enumerate() {
        counted.add(half_points);
        if (i + 1).is_multiple_of(step) || i + 1 == pairs.len() {
            points.push(MatchPoint {
                games: 2 * (i as u64 + 1),
                elo: counted.elo(),
                llr: tally.test.as_ref().map(|test| test.sprt.llr(&counted)),
            });
        }
    }
    points
}
