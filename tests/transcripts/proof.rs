//! Winning trees as a book.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use goren::proof::{self, Claim, Ground, Proof, Root};
use goren::rules::referee::Referee;
use goren::rules::{Outcome, RuleId, Setup};
use goren::types::{Cell, CellSet, Color};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;

use crate::engine::Engine;

/// A file for one test.
struct Temp(PathBuf);

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Black's stones, and White's far away.
const BLACK: [(usize, usize); 3] = [(7, 7), (8, 6), (7, 6)];
const WHITE: [(usize, usize); 3] = [(0, 14), (1, 14), (0, 0)];

/// The tree of a win of Black's, who is to move.
fn tree(name: &str) -> Temp {
    let path = std::env::temp_dir().join(format!("goren {} {name}.tree", std::process::id()));
    let args = ["--rule", "freestyle", "--memory", "64", "h8a1i9b1h9a15"];
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = goren.arg("prove").arg(&path).args(args).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.contains("Result: proven"), "{output}");
    Temp(path)
}

fn position() -> String {
    let line = |of: &str, &(x, y): &(usize, usize)| format!("{x},{y},{of}\n");
    let stones: String =
        BLACK.iter().zip(&WHITE).map(|(b, w)| line("1", b) + &line("2", w)).collect();
    format!("BOARD\n{stones}DONE")
}

#[test]
fn a_proven_position_is_won_against_anything() {
    let tree = tree("played");
    let mut rng = SmallRng::seed_from_u64(2);
    let mut engine = Engine::started(15);
    engine.send("INFO show_detail 0\nINFO timeout_turn 1000");
    engine.send(&format!("INFO proof {}", tree.0.display()));
    for _ in 0..8 {
        engine.send("RESTART");
        engine.expect("OK");
        let mut referee = Referee::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        for (black, white) in BLACK.iter().zip(&WHITE) {
            referee.place(Color::Black, Cell::new(black.0, black.1)).unwrap();
            referee.place(Color::White, Cell::new(white.0, white.1)).unwrap();
        }
        engine.send(&position());
        loop {
            let (x, y) = engine.mv();
            let outcome = referee.place(Color::Black, Cell::new(x, y)).unwrap();
            if outcome.is_some() {
                assert_eq!(outcome, Some(Outcome::Win(Color::Black)));
                break;
            }
            assert!(referee.stones().len() < 40);
            let empty = CellSet::board(15, 15);
            let stops = |&cell: &Cell| referee.wins(Color::Black, cell);
            let five = empty.iter().find(stops);
            let free = empty.iter().filter(|&cell| referee.is_empty(cell));
            let near = free.filter(|cell| cell.x().abs_diff(x).max(cell.y().abs_diff(y)) < 4);
            let reply = five.unwrap_or(near.choose(&mut rng).unwrap());
            assert_eq!(referee.place(Color::White, reply), Ok(None));
            engine.send(&format!("TURN {},{}", reply.x(), reply.y()));
        }
    }
    engine.end();
}

#[test]
fn the_move_of_a_tree_is_played_whatever_the_search_would() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let mut ground = Ground::new(setup);
    let cells = |cells: [(usize, usize); 3], color| cells.map(|(x, y)| (Cell::new(x, y), color));
    let stones = [cells(BLACK, Color::Black), cells(WHITE, Color::White)].concat();
    for &(cell, color) in &stones {
        ground.place(cell, color).unwrap();
    }
    let root = Root { stones, to_move: Color::Black };
    let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
    let spot = ground.spot(&ground.keys());
    assert!(proof.insert(spot.key(), ground.to_image(&spot, Cell::new(13, 3))));
    let name = format!("goren {} odd.tree", std::process::id());
    let file = Temp(std::env::temp_dir().join(name));
    proof::write(&proof, &mut fs::File::create(&file.0).unwrap()).unwrap();
    let mut engine = Engine::started(15);
    engine.send(&format!("INFO proof {}", file.0.display()));
    engine.send(&position());
    assert_eq!(engine.mv(), (13, 3));
    // Not if the user forbids it, or under another rule.
    engine.send("yxblock\n13,3\ndone");
    engine.send(&position());
    assert_ne!(engine.mv(), (13, 3));
    engine.send("yxblockreset\nINFO rule 1\nSTART 15");
    engine.expect("OK");
    engine.send(&position());
    assert_ne!(engine.mv(), (13, 3));
    engine.end();
}

#[test]
fn trees_that_cannot_be_used_are_told_in_a_message() {
    let tree = tree("damaged");
    let mut bytes = fs::read(&tree.0).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&tree.0, bytes).unwrap();
    let mut engine = Engine::started(15);
    for path in [tree.0.display().to_string(), "Cargo.toml".into(), "nowhere".into(), ".".into()] {
        engine.send(&format!("INFO proof {path}"));
        let line = engine.line();
        assert!(line.starts_with(&format!("MESSAGE proof {path} not used: ")), "{line}");
    }
    engine.end();
}
