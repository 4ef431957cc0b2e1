//! `goren data`: inspects files of training games.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Subcommand;

use super::export;
use crate::forms::{Kind, Typed, of_kind};
use crate::number::whole;
use crate::play::draw;
use crate::point::labels;
use crate::variant::shown;
use goren_core::opening::Event;
use goren_core::rules::{Contest, Outcome};
use goren_core::types::{Cell, PROVEN, Stone};
use goren_notation::words::{plural, score_text};
use goren_training_data::{SampledPosition, SearchedPosition, TrainingGame, games};

/// Arguments of `goren data`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren data stat caro.games
  goren data show caro.games --number 3 --count 2
  goren data export caro.games --out caro.npz")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Count games, plies, results and scores of the files.
    #[command(after_help = "\
Examples:
  goren data stat caro.games
  goren data stat part1.games part2.games")]
    Stat {
        /// Files of training games.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Print games: each searched position with its score, best move and move
    /// played.
    #[command(after_help = "\
Examples:
  goren data show caro.games
  goren data show caro.games --number 3 --count 2")]
    Show {
        /// File of training games.
        file: PathBuf,
        /// Number of the first game, from 1.
        #[arg(long, alias = "game", default_value_t = 1, value_parser = whole::<u64>(1..))]
        number: u64,
        /// Number of games.
        #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1..))]
        count: u64,
    },
    /// Write positions as arrays for NumPy (.npz): board, side to move, best move,
    /// score, result.
    Export(export::Args),
}

/// Inspects files, or exports their positions.
///
/// # Errors
/// A file cannot be read or is damaged; the games before the fault are counted
/// and printed first. An export writes nothing then.
pub fn run(args: &Args) -> Result<bool> {
    match &args.command {
        Command::Stat { files } => stat(files),
        Command::Show { file, number, count } => show(file, *number, *count),
        Command::Export(args) => export::run(args),
    }
}

/// Lower ends of the rows of the score table.
const STEPS: [i32; 6] = [0, 50, 100, 200, 400, 800];

/// Totals of the games of one variant and board.
#[derive(Default)]
struct DataTotals {
    games: u64,
    plies: u64,
    won: [u64; 2],
    drawn: u64,
    unfinished: u64,
    played_out: u64,
    random_moves: u64,
    proven: u64,
    sampled: u64,
    scores: [u64; STEPS.len()],
}

impl DataTotals {
    fn count(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.played_out += u64::from(game.played_out());
        match game.result() {
            Some(Outcome::Win(color)) => self.won[color.index()] += 1,
            Some(Outcome::Draw) => self.drawn += 1,
            None => self.unfinished += 1,
        }
        self.sampled += game.sampled().len() as u64;
        for SearchedPosition { played, best, score } in game.searched() {
            self.plies += 1;
            self.random_moves += u64::from(played.is_some() && played != best);
            if score.abs() >= PROVEN {
                self.proven += 1;
            } else {
                let step = STEPS.partition_point(|&step| step <= score.abs());
                self.scores[step - 1] += 1;
            }
        }
    }

    fn print(&self, name: &str) {
        let percent = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        let games = plural(self.games, "game", "games");
        println!("{name}: {games}, {}", plural(self.plies, "position", "positions"));
        println!("  plies searched a game  {:.1}", self.plies as f64 / self.games.max(1) as f64);
        println!("  won by Black           {:.1}%", percent(self.won[0], self.games));
        println!("  won by White           {:.1}%", percent(self.won[1], self.games));
        println!("  drawn                  {:.1}%", percent(self.drawn, self.games));
        if self.unfinished > 0 {
            println!("  broken off             {:.1}%", percent(self.unfinished, self.games));
        }
        println!("  played to the end      {:.1}%", percent(self.played_out, self.games));
        println!("  not the best move      {:.1}%", percent(self.random_moves, self.plies));
        println!("  proven score           {:.1}%", percent(self.proven, self.plies));
        if self.sampled > 0 {
            println!("  sampled positions      {}", self.sampled);
        }
        for (i, &count) in self.scores.iter().enumerate() {
            let share = percent(count, self.plies);
            match STEPS.get(i + 1) {
                Some(end) => println!("  score {:>3} to {:<4}      {share:.1}%", STEPS[i], end - 1),
                None => println!("  score {:>3} or more    {share:.1}%", STEPS[i]),
            }
        }
    }
}

fn stat(files: &[PathBuf]) -> Result<bool> {
    let mut tallies: BTreeMap<String, DataTotals> = BTreeMap::new();
    let (mut seen, mut repeated) = (HashSet::new(), 0);
    let mut faults = Vec::new();
    for file in files {
        let mut games = of_kind(file, Kind::Training, games(file))?.peekable();
        if games.peek().is_none() {
            faults.push(anyhow!("{} is empty: it has no game", file.display()));
        }
        for game in games {
            match of_kind(file, Kind::Training, game) {
                Ok(game) => {
                    let Contest { variant, width, height, .. } = game.contest();
                    let name = format!("{} {width}x{height}", shown(variant));
                    repeated += u64::from(!seen.insert(key_of(&name, &game)));
                    tallies.entry(name).or_default().count(&game);
                }
                Err(fault) => faults.push(fault),
            }
        }
    }
    for (name, tally) in &tallies {
        tally.print(name);
    }
    if repeated > 0 {
        println!("{} more than once", plural(repeated, "game occurs", "games occur"));
    }
    for fault in &faults {
        eprintln!("error: {fault:#}");
    }
    Ok(faults.is_empty())
}

/// A hash by which games of a variant and board are equal: of seed and stones, as runs with
/// equal seeds and other settings make different games.
fn key_of(name: &str, game: &TrainingGame) -> u64 {
    let stones = game.searched().into_iter().map(|searched| searched.played);
    let mut hasher = DefaultHasher::new();
    (name, game.seed(), game.opening(), stones.collect::<Vec<_>>()).hash(&mut hasher);
    hasher.finish()
}

fn show(file: &Path, first: u64, count: u64) -> Result<bool> {
    let mut shown = 0;
    for (number, game) in (1..).zip(of_kind(file, Kind::Training, games(file))?) {
        let game = of_kind(file, Kind::Training, game)?;
        if number < first {
            continue;
        }
        if shown == count {
            break;
        }
        shown += 1;
        print!("{}", text(number, &game)?);
    }
    let missing = || format!("{} has no game {first}", file.display());
    (shown > 0).then_some(true).with_context(missing)
}

/// The positions sampled from the search before a ply, one per line.
fn sampled_lines(game: &TrainingGame, ply: usize) -> String {
    let height = game.contest().height;
    let sampled = game.sampled().iter().filter(|sampled| sampled.ply == ply);
    let line = |SampledPosition { line, best, score, .. }: &SampledPosition| {
        let (best, points, line) = (best.label(height), score_text(*score), labels(line, height));
        format!("       {best:<4} {points:>6} sampled after {line}\n")
    };
    sampled.map(line).collect()
}

/// A game as printed text.
///
/// # Errors
/// The game is not legal.
fn text(number: u64, game: &TrainingGame) -> Result<String> {
    let contest = game.contest();
    let Contest { variant, width, height, .. } = contest;
    let opening = game.opening();
    let result = match game.result() {
        Some(Outcome::Win(color)) => format!("{color:?} won"),
        Some(Outcome::Draw) => "a draw".into(),
        None => "no result".into(),
    };
    let how = match game.result() {
        _ if game.played_out() => "played out",
        Some(Outcome::Win(_)) => "proven",
        Some(Outcome::Draw) => "nobody can win",
        None => "broken off",
    };
    let mut text = format!(
        "game {number}: {} {width}x{height}, seed {:016x}, {result}, {how}\nopening: {}\n",
        shown(variant),
        game.seed(),
        labels(&opening, height)
    );
    let mut typed = Typed::new(&contest);
    for cell in game.opening() {
        typed.stone(cell)?;
    }
    let label = |cell: Option<Cell>| cell.map_or("-".to_owned(), |cell| cell.label(height));
    for (i, searched) in game.searched().into_iter().enumerate() {
        let SearchedPosition { played, best, score } = searched;
        let points = score_text(score);
        let other = match played {
            Some(_) if played != best => format!(" played {}", label(played)),
            _ => String::new(),
        };
        let number = opening.len() + i + 1;
        text += &format!("{number:>4} {:<4} {points:>6}{other}\n", label(best));
        text += &sampled_lines(game, i);
        if let Some(cell) = played {
            typed.stone(cell)?;
        }
    }
    // A search whose move was dropped may have samples too.
    text += &sampled_lines(game, game.searched().len());
    let game_state = typed.game_state;
    let newest = game_state.events().iter().rev().find_map(|event| match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    });
    let mut stones = game_state.stones();
    stones.sort_by_key(|&(cell, _)| Some(cell) == newest);
    let stones: Vec<_> = stones.into_iter().map(|(cell, color)| (cell, Stone::Of(color))).collect();
    Ok(text + &draw((width, height), &stones, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_example;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::{Color, win_in};
    use goren_training_data::{PackedGame, PackedPly};

    #[test]
    fn a_game_is_shown_with_scores_and_moves_played_instead() {
        let at = |x, y| Cell::new(x, y);
        let game = PackedGame {
            setup: Setup::new(RuleId::Standard, 5, 5).unwrap(),
            seed: 255,
            opening: vec![at(2, 2), at(1, 1)],
            plies: vec![
                PackedPly { played: at(3, 3), best: at(0, 4), score: -20 },
                PackedPly { played: at(0, 0), best: at(0, 0), score: win_in(3) },
            ],
            sampled: vec![SampledPosition {
                ply: 0,
                line: vec![at(4, 4), at(4, 3)],
                best: at(1, 2),
                score: -win_in(4),
            }],
            result: Outcome::Win(Color::White),
            played_out: false,
        };
        let shown = text(7, &TrainingGame::Packed(Box::new(game))).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "game 7: standard 5x5, seed 00000000000000ff, White won, proven");
        assert_eq!(lines[1], "opening: c3 b4");
        assert_eq!(lines[2], "   3 a1      -20 played d2");
        assert_eq!(lines[3], "       b3      -M4 sampled after e1 e2");
        assert_eq!(lines[4], "   4 a5      +M3");
        // The move with the proven score was not placed.
        assert_eq!(lines[6], " 5 . . . . . 5");
        assert_eq!(shown.matches("(X)").count(), 1, "{shown}");
    }

    /// Regression: games of equal seeds but other settings were counted as repeated.
    #[test]
    fn games_are_equal_by_seed_and_stones() {
        let key = |seed: u64, played: Cell, score: i32| {
            let game = PackedGame {
                setup: Setup::new(RuleId::Standard, 5, 5).unwrap(),
                seed,
                opening: vec![Cell::new(2, 2)],
                plies: vec![PackedPly { played, best: played, score }],
                sampled: Vec::new(),
                result: Outcome::Draw,
                played_out: false,
            };
            key_of("standard 5x5", &TrainingGame::Packed(Box::new(game)))
        };
        let one = key(1, Cell::new(0, 0), 5);
        assert_eq!(one, key(1, Cell::new(0, 0), 7));
        assert_ne!(one, key(1, Cell::new(0, 1), 5));
        assert_ne!(one, key(2, Cell::new(0, 0), 5));
    }

    #[test]
    fn every_score_is_counted_in_a_row() {
        let mut tally = DataTotals::default();
        let cell = Cell::new(0, 0);
        let scores = [0, -49, 50, 99, 799, -800, 20_000, win_in(5)];
        tally.count(&TrainingGame::Packed(Box::new(PackedGame {
            setup: Setup::new(RuleId::Renju, 15, 15).unwrap(),
            seed: 0,
            opening: Vec::new(),
            plies: scores.map(|score| PackedPly { played: cell, best: cell, score }).to_vec(),
            sampled: vec![SampledPosition { ply: 0, line: vec![cell], best: cell, score: 0 }; 3],
            result: Outcome::Draw,
            played_out: true,
        })));
        assert_eq!(tally.scores, [2, 2, 0, 0, 1, 2]);
        assert_eq!((tally.proven, tally.drawn, tally.plies, tally.sampled), (1, 1, 8, 3));
    }

    #[test]
    fn games_beyond_five_in_a_row_are_counted_and_shown() {
        let example = json_example::text(include_str!("../../training-data/lines.rs"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("connect6.games");
        let header = r#"{"format":"goren selfplay 2"}"#;
        std::fs::write(&path, format!("{header}\n{example}\n{{}}\n")).unwrap();
        let found: Vec<_> = games(&path).unwrap().collect();
        let game = found[0].as_ref().unwrap();
        let mut tally = DataTotals::default();
        tally.count(game);
        assert_eq!((tally.plies, tally.random_moves, tally.proven, tally.won), (3, 1, 1, [1, 0]));
        let shown = text(1, game).unwrap();
        assert!(shown.contains("connect6 19x19") && shown.contains("Black won, proven"), "{shown}");
        assert!(shown.contains("   3 -       -30 played k12\n"), "{shown}");
        let fault = format!("{:#}", found[1].as_ref().unwrap_err());
        assert!(fault.contains("connect6.games: line 3: "), "{fault}");
    }
}
