//! `goren walk`: goes through a winning tree by hand. The attacker's moves come
//! from the tree, the defender's from whoever asks.

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::check::ground;
use super::play::draw;
use super::point;
use super::position::name;
use super::trees::read;
use crate::proof::{Checker, Claim, Keys, Proof};
use crate::rules::referee::Referee;
use crate::types::{Cell, Color};

/// Arguments of `goren walk`.
#[derive(clap::Args)]
pub struct Args {
    /// The file of the tree.
    file: PathBuf,
    /// The defender's first moves. More are read from standard input, a line
    /// each: a point, `back` or `quit`.
    moves: Vec<String>,
}

/// A game that the tree plays.
struct Walk<'a> {
    checker: Checker<&'a Proof>,
    /// The stones of the tree that may apply, before each of the defender's
    /// moves, and how many stones there were.
    before: Vec<(Keys, usize)>,
    base: Keys,
    /// Stones of the position that the tree is about.
    root: usize,
}

impl<'a> Walk<'a> {
    fn new(proof: &'a Proof) -> Result<Walk<'a>> {
        let mut checker = Checker::new(proof.claim.setup, proof.claim.attacker, proof);
        checker.ground = ground(&proof.claim)?;
        let (base, root) = (checker.ground.keys(), checker.ground.stones().len());
        Ok(Walk { checker, before: Vec::new(), base, root })
    }

    fn claim(&self) -> &'a Claim {
        &self.checker.answers.claim
    }

    /// The attacker's move, which is played; `None` if the tree has none.
    fn answer(&mut self, bases: &[Keys]) -> Option<Cell> {
        let (m, base) = self.checker.advise(bases, u64::MAX)?;
        let attacker = self.claim().attacker;
        self.checker.ground.place(m, attacker).ok()?;
        self.base = self.checker.ground.toggled(base, m, attacker);
        Some(m)
    }

    /// Whether it is the attacker's move, which the tree does not have.
    fn stuck(&self) -> bool {
        let Claim { attacker, ref root, .. } = *self.claim();
        let played = self.checker.ground.stones().len() - self.root;
        played.is_multiple_of(2) == (root.to_move == attacker)
    }

    /// Whether the attacker has just made a five.
    fn over(&self) -> bool {
        let mut referee = Referee::new(self.claim().setup);
        for &(cell, stone) in self.checker.ground.stones() {
            // They were placed on the other board.
            let _ = referee.set_up(cell, stone);
        }
        !referee.winning_lines().is_empty()
    }

    /// A move of the defender, and the answer.
    fn reply(&mut self, text: &str) -> Result<Option<Cell>> {
        let cell = point::cell(text, self.claim().setup)?;
        let defender = !self.claim().attacker;
        let foul = defender == Color::Black && self.checker.ground.fouls(cell).0.any();
        ensure!(!foul, "{text} is forbidden");
        let five = self.checker.ground.wins(defender).contains(&cell);
        ensure!(!five, "{text} makes five: the tree is wrong, as `goren check` will tell");
        let (base, stones) = (self.base, self.checker.ground.stones().len());
        self.checker.ground.place(cell, defender)?;
        self.before.push((base, stones));
        Ok(self.answer(&[self.checker.ground.toggled(base, cell, defender), base]))
    }

    fn back(&mut self) {
        if let Some((base, stones)) = self.before.pop() {
            while self.checker.ground.stones().len() > stones {
                self.checker.ground.take_back();
            }
            self.base = base;
        }
    }

    fn board(&self) -> String {
        let setup = self.claim().setup;
        draw((setup.width, setup.height), self.checker.ground.stones(), &[])
    }
}

/// Walks. Whether the tree had an answer each time.
///
/// # Errors
/// A file that cannot be read.
pub fn run(args: &Args) -> Result<bool> {
    let proof = read(std::slice::from_ref(&args.file))?;
    let mut walk = Walk::new(&proof)?;
    let attacker = name(proof.claim.attacker);
    let height = proof.claim.setup.height;
    let mut whole = true;
    let mut tell = |answer: Option<Cell>| match answer {
        Some(cell) => println!("{attacker}: {}", cell.label(height).to_lowercase()),
        None => {
            whole = false;
            println!("{attacker}: the tree has no answer");
        }
    };
    if proof.claim.root.to_move == proof.claim.attacker {
        tell(walk.answer(&[walk.base]));
    }
    println!("{}", walk.board());
    let typed = io::stdin();
    let mut lines = args.moves.iter().cloned().map(Ok).chain(typed.lock().lines());
    let asks = typed.is_terminal();
    loop {
        if asks && !walk.over() && !walk.stuck() {
            println!("Your move, back or quit:");
        }
        let Some(line) = lines.next() else { return Ok(whole) };
        let line = line.context("standard input")?;
        // A byte order mark of what is piped in.
        match line.trim_start_matches('\u{feff}').trim() {
            "" => continue,
            "quit" => return Ok(whole),
            "back" => walk.back(),
            _ if walk.over() => println!("{attacker} has won: back or quit"),
            _ if walk.stuck() => println!("{attacker} is to move: back or quit"),
            text => match walk.reply(text) {
                Ok(answer) => tell(answer),
                Err(error) => println!("{error:#}"),
            },
        }
        println!("{}", walk.board());
        if walk.over() {
            println!("{attacker} has won");
        }
    }
}
