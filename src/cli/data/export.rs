//! `goren data export`: searched positions as arrays for NumPy.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use zip::read::read_zipfile_from_stream;

use super::npz::{Column, Npz};
use super::whole_games::{check_training, hint_whole_games};
use goren_core::rules::Contest;
use goren_files::{output_path, replace};
use goren_notation::words::plural;
use goren_training_data::positions::{PositionColumns, PositionReader};

/// Positions in memory at a time.
const BATCH: usize = 1 << 14;

/// Arguments of `goren data export`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren data export caro.games --out caro.npz
  goren data export part1.games part2.games --out all.npz --whole-games

In Python: a = numpy.load(\"caro.npz\"); a[\"board\"].shape. The arrays, N positions each:

  board    N x height x width  uint8   0 empty, 1 Black, 2 White; row 0 is the top one
  to_move  N                   uint8   side to move: 1 Black, 2 White
  left     N                   uint8   stones it has still to place in this turn
  best     N                   int16   best move of the search: width * y + x, y from the top;
                                       -1 if unknown
  played   N                   int16   move played; -1 where the game ended here
  score    N                   int16   points for the side to move; from 28500 on a proven win in
                                       30000 - score plies, below -28500 a loss
  result   N                   int8    for the side to move: 1 won, 0 drawn, -1 lost
  ply      N                   uint16  stones placed before
  game     N                   uint32  number of the game, from 0; its positions are consecutive
  info     one text            bytes   JSON: format, game, width, height, games, positions

Games that were broken off have no result and are left out, as are sampled positions
(`goren selfplay --samples`). All games must be of one game and board size. Memory does not grow
with the files; the arrays need twice their size on disk.")]
pub(super) struct Args {
    /// Files of training games. A file of another kind is refused before any is read.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// File to write. Overwrites an earlier export, but no other kind of file.
    #[arg(long, value_name = "FILE.npz")]
    out: PathBuf,
    /// Use the complete games of damaged or truncated files (of a packed file, those before its
    /// first fault).
    #[arg(long)]
    whole_games: bool,
}

/// The format named in the array `info`.
const FORMAT: &str = "goren positions 1";

/// Exports the positions; returns true.
///
/// # Errors
/// A file cannot be read or written, is of another kind, or is damaged without
/// `--whole-games`; games of several kinds; no position at all.
pub(super) fn run(args: &Args) -> Result<bool> {
    output_path::check_replaced(&args.out, &args.files)?;
    output_path::check_kind(&args.out, output_path::FRONT, is_export)?;
    check_training(&args.files)?;
    let bar = ProgressBar::new_spinner()
        .with_style(ProgressStyle::with_template("{human_pos} positions")?);
    let mut reader = PositionReader::new(args.files.clone(), args.whole_games);
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let spooled = spool(&mut reader, folder.unwrap_or(Path::new(".")), &bar);
    bar.finish_and_clear();
    let (columns, rows) = spooled.map_err(hint_whole_games)?;
    for fault in reader.faults() {
        eprintln!("note: {fault}");
    }
    for path in reader.without_game() {
        eprintln!("note: {} has no game", path.display());
    }
    let contest = reader.contest().context("there is no game in the files")?;
    ensure!(rows > 0, "there is no position with a result in the files");
    write(&args.out, columns, rows, &contest, reader.games())?;
    let Contest { variant, width, height, .. } = contest;
    let games = plural(reader.games() as usize, "game", "games");
    let rows = plural(rows, "position", "positions");
    println!("{variant} {width}x{height}: {rows} of {games}");
    if reader.without_result() > 0 {
        println!("  without a result, left out  {}", reader.without_result());
    }
    if reader.sampled() > 0 {
        println!("  sampled positions, left out  {}", reader.sampled());
    }
    Ok(true)
}

/// Whether an archive is an export, by its first array.
fn is_export(front: &[u8]) -> bool {
    let mut text = Vec::new();
    let read = read_zipfile_from_stream(&mut &front[..])
        .is_ok_and(|first| first.is_some_and(|mut info| info.read_to_end(&mut text).is_ok()));
    read && String::from_utf8_lossy(&text).contains(&format!("\"format\":\"{FORMAT}\""))
}

/// Reads all positions into unnamed files, one per column; returns also their number.
fn spool(
    reader: &mut PositionReader,
    folder: &Path,
    bar: &ProgressBar,
) -> Result<(Vec<Column>, u64)> {
    let mut columns = Vec::new();
    let (mut rows, mut batch) = (0, PositionColumns::default());
    loop {
        let more = reader.read(BATCH, &mut batch)?;
        for (i, (name, dtype, bytes)) in bytes(&batch).into_iter().enumerate() {
            if columns.len() == i {
                let file = tempfile::tempfile_in(folder);
                let file = file.with_context(|| format!("cannot write in {}", folder.display()))?;
                columns.push(Column::new(name, dtype, file));
            }
            columns[i].append(&bytes).context("cannot write the positions")?;
        }
        rows += batch.len() as u64;
        bar.set_position(rows);
        batch.clear();
        if !more {
            return Ok((columns, rows));
        }
    }
}

/// The columns of a batch: name, type, and bytes in little endian.
fn bytes(batch: &PositionColumns) -> [(&'static str, &'static str, Vec<u8>); 9] {
    let words = |column: &[i16]| column.iter().flat_map(|value| value.to_le_bytes()).collect();
    let plies = batch.ply.iter().flat_map(|value| value.to_le_bytes()).collect();
    let games = batch.game.iter().flat_map(|value| value.to_le_bytes()).collect();
    let results = batch.result.iter().flat_map(|value| value.to_le_bytes()).collect();
    [
        ("board", "|u1", batch.board.clone()),
        ("to_move", "|u1", batch.to_move.clone()),
        ("left", "|u1", batch.left.clone()),
        ("best", "<i2", words(&batch.best)),
        ("played", "<i2", words(&batch.played)),
        ("score", "<i2", words(&batch.score)),
        ("result", "|i1", results),
        ("ply", "<u2", plies),
        ("game", "<u4", games),
    ]
}

/// Writes the archive; at any moment the old file or the new one exists.
fn write(out: &Path, columns: Vec<Column>, rows: u64, contest: &Contest, games: u32) -> Result<()> {
    let Contest { variant, width, height, .. } = *contest;
    let info = json!({
        "format": FORMAT,
        "game": variant.to_string(),
        "width": width,
        "height": height,
        "games": games,
        "positions": rows,
    });
    let info = info.to_string();
    let content = |file: &File| {
        let mut npz = Npz::new(BufWriter::new(file));
        let dtype = format!("|S{}", info.len());
        npz.add("info", &dtype, &[], &mut info.as_bytes(), info.len() as u64)?;
        for column in columns {
            let board = [rows, height as u64, width as u64];
            let shape = if column.name == "board" { &board[..] } else { &board[..1] };
            column.into_archive(&mut npz, shape)?;
        }
        npz.finish()?.flush()
    };
    replace(out, 0, content).with_context(|| format!("cannot write {}", out.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{Outcome, RuleId, Setup};
    use goren_core::types::{Cell, Color};
    use goren_training_data::{PackedGame, PackedPly, frame};
    use std::fs;
    use zip::ZipArchive;

    fn games() -> Vec<u8> {
        let ply = |played, best, score| PackedPly { played, best, score };
        let at = Cell::new;
        let game = PackedGame {
            setup: Setup::new(RuleId::Renju, 6, 5).unwrap(),
            seed: 1,
            opening: vec![at(2, 2)],
            plies: vec![ply(at(3, 3), at(0, 4), -20), ply(at(0, 0), at(0, 0), 300)],
            sampled: Vec::new(),
            result: Outcome::Win(Color::White),
            played_out: true,
        };
        frame(&game).repeat(3)
    }

    fn array(archive: &Path, name: &str) -> Vec<u8> {
        let mut archive = ZipArchive::new(File::open(archive).unwrap()).unwrap();
        let mut bytes = Vec::new();
        archive.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn an_archive_has_the_columns_of_the_reader() {
        let folder = tempfile::tempdir().unwrap();
        let [file, out] = ["renju.games", "renju.npz"].map(|name| folder.path().join(name));
        fs::write(&file, games()).unwrap();
        let args = Args { files: vec![file.clone()], out: out.clone(), whole_games: false };
        // Only an export is replaced.
        fs::write(&out, "old").unwrap();
        assert!(run(&args).unwrap_err().to_string().ends_with(output_path::HOLDS_OTHER));
        assert_eq!(fs::read(&out).unwrap(), b"old");
        fs::write(&out, "").unwrap();
        assert!(run(&args).unwrap());
        assert!(run(&args).unwrap());
        let mut expected = PositionColumns::default();
        PositionReader::new(vec![file.clone()], false).read(usize::MAX, &mut expected).unwrap();
        assert_eq!(expected.len(), 6);
        for (name, dtype, bytes) in bytes(&expected) {
            let shape: &[u64] = if name == "board" { &[6, 5, 6] } else { &[6] };
            assert_eq!(array(&out, name), [super::super::npz::head(dtype, shape), bytes].concat());
        }
        let info = String::from_utf8_lossy(&array(&out, "info")).into_owned();
        assert!(info.ends_with(r#""height":5,"positions":6,"width":6}"#), "{info}");
        // An input is not overwritten.
        let args = Args { out: file.clone(), ..args };
        assert!(run(&args).unwrap_err().to_string().contains("is also an input"));
        assert_eq!(fs::read(&file).unwrap(), games());
    }

    #[test]
    fn a_damaged_file_is_named_and_nothing_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [file, out] = ["cut.games", "cut.npz"].map(|name| folder.path().join(name));
        let bytes = games();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        let args = Args { files: vec![file.clone()], out: out.clone(), whole_games: false };
        let error = format!("{:#}", run(&args).unwrap_err());
        assert!(error.contains("--whole-games") && error.contains("cut.games: game 3"), "{error}");
        assert!(!out.exists());
        assert!(run(&Args { whole_games: true, ..args }).unwrap());
        assert_eq!(array(&out, "score").len(), 128 + 2 * 4);
        fs::write(&file, "").unwrap();
        let args = Args { files: vec![file], out, whole_games: true };
        assert_eq!(run(&args).unwrap_err().to_string(), "there is no game in the files");
    }

    /// Regression: the error did not say what the file is, nor what to do about it.
    #[test]
    fn errors_name_the_kind_of_another_file() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["renju.games", "game.sgf", "moves.txt", "all.npz"];
        let [file, game, moves, out] = names.map(|name| folder.path().join(name));
        fs::write(&file, games()).unwrap();
        fs::write(&game, "(;GM[4]SZ[15];B[hh])").unwrap();
        fs::write(&moves, "h8 i9\n").unwrap();
        for (other, what) in [
            (game, "game.sgf: it is an SGF game: "),
            (moves, "moves.txt: game 1 at byte 0: no training game begins here"),
        ] {
            let files = vec![file.clone(), other];
            let args = Args { files, out: out.clone(), whole_games: true };
            let error = format!("{:#}", run(&args).unwrap_err());
            assert!(error.contains(what) && error.ends_with("leave the file out"), "{error}");
            assert!(!out.exists());
        }
    }
}
