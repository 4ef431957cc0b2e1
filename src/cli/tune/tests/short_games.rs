//! Training games of a few moves, for tests of fits.

use std::path::Path;

use clap::Parser;

use crate::data::Writer;
use crate::tune::Args;
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, Outcome, RuleId, Setup};
use goren_core::types::Cell;
use goren_engine::{Engine, Hash, Request, WeightSet, new_position};
use goren_training_data::{PackedGame, Ply};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// Some games of short searches, and the arguments to learn from them.
pub(in crate::tune) fn short_games(rule: RuleId, folder: &Path) -> Args {
    let path = folder.join("games");
    let mut file = Writer::resume(&path, |_| Ok(())).unwrap();
    let mut engine = Engine::with_hash(Hash::exactly(1 << 20));
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
            plies.push(Ply { played: best, best, score: 5 });
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
    arguments(rule, &path)
}

/// The arguments to learn from the games of a file.
pub(super) fn arguments(rule: RuleId, path: &Path) -> Args {
    let name = rule.to_string();
    let words = ["tune", "--game", &name, "--out", "x", "--valid", "0.2"];
    let path = path.to_str().unwrap();
    Command::parse_from(words.into_iter().chain([path])).args
}
