//! `goren walk`: walks through a winning tree by hand. The attacker plays by the
//! tree, the user plays the defender.
//!
//! A table is looked up where it lies. Of a packed tree the part of a reply is read
//! when that reply is played, in the background (`reading.rs`). Until the answer to a
//! later move is read, the solvers look for a win as well (`seeking.rs`).

mod answer;
mod reading;
mod seeking;
mod tree;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::play::draw;
use super::plural::plural;
use super::position::name;
use super::replies::board;
use super::{point, with_search_stack};
use answer::{Answer, answer};
use goren_core::rules::referee::FiveReferee;
use goren_engine::Hash;
use goren_proof::{Claim, Keys, ProofBoard};
use tree::Tree;

/// Bytes of the table of the solvers.
const TABLE_BYTES: usize = 32 << 20;

/// Arguments of `goren walk`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren walk corner.tree
  goren walk corner.tree i9 j10
  goren walk src/proof/trees/renju-15x15.packed

A table opens at once and knows every answer. A packed tree opens at once too; the answers to a
reply are read in the background while you play, in the order of the file. Until the answer to
your move is read, the engine looks for a win itself, and says so where it was faster. Enter
ends the wait. `goren merge TABLE FILE` makes a table of a packed tree once and for all (free
Renju: minutes, and some gigabytes).")]
pub struct Args {
    /// Tree file: a table, a packed tree, or a log left by `goren prove`.
    file: PathBuf,
    /// First moves of the defender. More are read from standard input, one per
    /// line: a point, `back` or `quit`.
    moves: Vec<String>,
    /// Memory in MiB for reading a packed tree.
    #[arg(long, default_value_t = 192)]
    memory: usize,
}

/// A game that the tree plays.
struct Walk {
    tree: Tree,
    board: ProofBoard,
    /// The stones of the tree that may apply, before each of the defender's
    /// moves, and how many stones there were.
    before: Vec<(Keys, usize)>,
    base: Keys,
    /// Stones of the position that the tree is about.
    root: usize,
    /// The table of the solvers.
    hash: Hash,
    /// Whether somebody is at a terminal, who can end a wait.
    person: bool,
}

impl Walk {
    fn new(tree: Tree, person: bool) -> Result<Walk> {
        let board = board(tree.claim())?;
        let (base, root) = (board.keys(), board.stones().len());
        let hash = Hash::exactly(TABLE_BYTES);
        Ok(Walk { tree, board, before: Vec::new(), base, root, hash, person })
    }

    fn claim(&self) -> &Claim {
        self.tree.claim()
    }

    /// Whether the attacker moves first.
    fn attacks_first(&self) -> bool {
        self.claim().root.to_move == self.claim().attacker
    }

    /// Whether it is the attacker's move, which is not known.
    fn stuck(&self) -> bool {
        let played = self.board.stones().len() - self.root;
        played.is_multiple_of(2) == self.attacks_first()
    }

    /// Whether the attacker has just made a five.
    fn over(&self) -> bool {
        let mut referee = FiveReferee::new(self.claim().setup);
        for &(cell, stone) in self.board.stones() {
            // They were placed on the other board.
            let _ = referee.set_up(cell, stone);
        }
        !referee.winning_lines().is_empty()
    }

    /// A move of the defender, and the answer.
    fn reply(&mut self, text: &str) -> Result<Answer> {
        let cell = point::cell(text, (self.claim().setup.width, self.claim().setup.height))?;
        let defender = !self.claim().attacker;
        let foul = self.board.fouls(defender, cell).0.any();
        ensure!(!foul, "{text} is forbidden");
        let five = self.board.wins(defender).contains(&cell);
        ensure!(!five, "{text} makes five: the tree is wrong, as `goren check` will tell");
        let (base, stones) = (self.base, self.board.stones().len());
        let mut after = self.board.clone();
        after.place(cell, defender)?;
        if stones == self.root && !self.attacks_first() {
            self.tree.turn_to(&self.board, Some(cell))?;
        }
        self.board = after;
        self.before.push((base, stones));
        self.attack()
    }

    /// The attacker's move, which is played, if there is one.
    ///
    /// # Errors
    /// Something is wrong with the file, where a move may be.
    fn attack(&mut self) -> Result<Answer> {
        // The stones of the tree may be all, or those without the newest one.
        let (base, attacker) = (self.base, self.claim().attacker);
        let newest = self.board.stones().last().filter(|_| self.board.stones().len() > self.root);
        let with = newest.map_or(base, |&(cell, _)| self.board.toggled(base, cell, !attacker));
        let bases = [with, base];
        let answer = answer(&mut self.tree, &self.board, bases, &self.hash, self.person)?;
        if let Answer::Move { m, base, .. } = answer {
            self.board.place(m, attacker)?;
            self.base = self.board.toggled(base, m, attacker);
        }
        Ok(answer)
    }

    fn back(&mut self) {
        if let Some((base, stones)) = self.before.pop() {
            while self.board.stones().len() > stones {
                self.board.take_back();
            }
            self.base = base;
        }
    }

    fn drawing(&self) -> String {
        let setup = self.claim().setup;
        draw((setup.width, setup.height), self.board.stones(), &[])
    }

    /// Says what the file claims.
    fn greet(&self) {
        let Claim { setup, attacker, .. } = *self.claim();
        let (rule, width, height) = (setup.rule, setup.width, setup.height);
        println!("{rule} on {width}x{height}: {} wins.", name(attacker));
        if let Some(parts) = self.tree.parts().filter(|_| !self.attacks_first()) {
            let replies = plural(parts, "reply", "replies");
            println!("A packed tree of {replies}: each is read when you play it.");
        }
    }
}

/// What came of a question, in words.
fn told(walk: &Walk, answer: &Answer) -> String {
    let attacker = name(walk.claim().attacker);
    match *answer {
        Answer::Move { m, read, .. } => {
            let label = m.label(walk.claim().setup.height).to_lowercase();
            let by =
                if read { "" } else { " (found by the search, before the tree was read so far)" };
            format!("{attacker}: {label}{by}")
        }
        Answer::None => format!("{attacker}: the tree has no answer"),
        Answer::Full => format!(
            "{attacker}: no answer yet, and reading further would take more memory: --memory MIB \
             grants it, and `goren merge TABLE FILE` makes a table with every answer"
        ),
        Answer::Ended => format!("{attacker}: no answer yet"),
    }
}

/// Walks. Whether the tree had an answer each time.
///
/// # Errors
/// A file that cannot be read.
pub fn run(args: &Args) -> Result<bool> {
    with_search_stack(|| walk(args))
}

fn walk(args: &Args) -> Result<bool> {
    let place = || args.file.display().to_string();
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let tree = Tree::open(&args.file, args.memory.saturating_mul(1 << 20))?;
    let mut walk = Walk::new(tree, person)?;
    walk.greet();
    let attacker = name(walk.claim().attacker);
    let mut whole = true;
    if walk.attacks_first() {
        let position = walk.board.clone();
        walk.tree.turn_to(&position, None)?;
        let answer = walk.attack().with_context(place)?;
        whole &= matches!(answer, Answer::Move { .. });
        println!("{}", told(&walk, &answer));
    }
    println!("{}", walk.drawing());
    let typed = io::stdin().lines();
    let mut lines = args.moves.iter().cloned().map(Ok).chain(typed);
    let mut ended = false;
    loop {
        if io::stdin().is_terminal() && !walk.over() {
            match (walk.stuck(), ended) {
                (false, _) => println!("Your move, back or quit:"),
                (true, true) => println!("Enter waits longer; back or quit:"),
                (true, false) => println!("back or quit:"),
            }
        }
        let Some(line) = lines.next() else { return Ok(whole) };
        let line = line.context("standard input")?;
        // A byte order mark of what is piped in.
        let answer = match line.trim_start_matches('\u{feff}').trim() {
            "" if ended && walk.stuck() => walk.attack(),
            "" => continue,
            "quit" => return Ok(whole),
            "back" => {
                walk.back();
                println!("{}", walk.drawing());
                continue;
            }
            _ if walk.over() => {
                println!("{attacker} has won: back or quit");
                continue;
            }
            _ if walk.stuck() => {
                println!("{attacker} is to move: back or quit");
                continue;
            }
            text => walk.reply(text),
        };
        match answer {
            Ok(answer) => {
                ended = matches!(answer, Answer::Ended | Answer::Full);
                whole &= matches!(answer, Answer::Move { .. } | Answer::Ended);
                println!("{}", told(&walk, &answer));
            }
            Err(error) => {
                walk.tree.sound().with_context(place)?;
                println!("{error:#}");
            }
        }
        println!("{}", walk.drawing());
        if walk.over() {
            println!("{attacker} has won");
        }
    }
}
