//! Training games of a few moves, for tests of fits.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::data::PackedWriter;
use crate::tune::Args;
use goren_core::opening::{Action, GameState, Seat};
use goren_core::record::import::MoveStats;
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::rules::{Contest, OpeningId, Outcome, RuleId, Setup, Variant};
use goren_core::types::Cell;
use goren_engine::{Engine, Request, TableHandle, WeightSet, new_position};
use goren_training_data::{FORMAT, JsonGame, PackedGame, PackedPly, players};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// Writes games of short searches; returns the arguments to fit weights to them.
pub(in crate::tune) fn short_games(rule: RuleId, folder: &Path) -> Args {
    let path = folder.join("games");
    let mut file = PackedWriter::resume(&path, |_| Ok(())).unwrap();
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
    for seed in 0..6 {
        let setup = Setup::new(rule, 15, 15).unwrap();
        let mut game = GameState::new(Contest::five(setup));
        let mut position = new_position(game.contest(), &WeightSet::default());
        let opening: Vec<Cell> =
            [(7, 7), (8, 8), (6 + seed % 3, 9)].map(|(x, y)| Cell::new(x, y)).to_vec();
        opening.iter().for_each(|&cell| game.apply(&Action::stone(cell)).unwrap());
        let mut plies = Vec::new();
        for _ in 0..12 + seed % 4 {
            position.set(&(&game).into());
            let answer = engine.go(&*position, &Request::nodes(150), &mut |_| {}).unwrap();
            let best = answer.best.cell();
            plies.push(PackedPly { played: best, best, score: 5 });
            game.apply(&Action::stone(best)).unwrap();
            if game.result().is_some() {
                break;
            }
        }
        let game = PackedGame {
            setup,
            seed: seed as u64,
            opening,
            plies,
            sampled: Vec::new(),
            result: Outcome::Draw,
            played_out: false,
        };
        file.write(&game).unwrap();
    }
    drop(file);
    arguments(&rule.to_string(), &path)
}

/// The arguments to fit weights of a game to the games of a file.
pub(in crate::tune) fn arguments(game: &str, path: &Path) -> Args {
    let words = ["tune", "--game", game, "--out", "x", "--valid", "0.2"];
    let path = path.to_str().unwrap();
    Command::parse_from(words.into_iter().chain([path])).args
}

/// Writes games of a few random stones, beyond five in a row, with the seeds from 0 on.
pub(super) fn line_games(path: &Path, game: &str, count: u64) -> PathBuf {
    let contest =
        Contest { opening: OpeningId::Free, ..Contest::new(Variant::from_name(game).unwrap()) };
    let mut text = format!("{{\"format\":{FORMAT:?}}}\n");
    for seed in 0..count {
        let stones = (0..6).map(|i| Cell::new(3 + (seed + 2 * i) as usize % 11, 4 + i as usize));
        let stones: Vec<Cell> = stones.collect();
        let ply = |&cell| PlayedPly { action: Action::stone(cell), stats: MoveStats::default() };
        let game = JsonGame {
            record: GameRecord {
                contest,
                players: players(),
                opening: stones[..2].iter().map(|&cell| Action::stone(cell)).collect(),
                plies: stones[2..].iter().map(ply).collect(),
                black: Seat::First,
                ending: Some(Ending::Win(Seat::First)),
                reason: String::new(),
            },
            seed,
            stones: stones[2..].to_vec(),
            scores: vec![10, -20, 30, -40],
            random_moves: Vec::new(),
        };
        text += &game.line().unwrap();
    }
    fs::write(path, text).unwrap();
    path.to_path_buf()
}
