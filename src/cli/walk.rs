//! `goren walk`: walks through a winning tree by hand. The attacker plays by the
//! tree, the user plays the defender.

use std::fs::File;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::play::draw;
use super::point;
use super::position::name;
use super::replies::board;
use super::trees::read;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::Cell;
use goren_proof::{
    Answers, CanonicalKey, Checker, Claim, Keys, Moves, Proof, ProofBoard, ProofError, ProofFile,
};

/// Arguments of `goren walk`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren walk corner.tree
  goren walk corner.tree i9 j10")]
pub struct Args {
    /// Tree file.
    file: PathBuf,
    /// First moves of the defender. More are read from standard input, one per
    /// line: a point, `back` or `quit`.
    moves: Vec<String>,
}

/// The moves of a tree.
enum Tree {
    /// In a table, where they are looked up.
    File(ProofFile),
    /// Out of a packed tree or a log.
    Whole(Proof),
}

impl Tree {
    fn open(path: &Path) -> Result<Tree> {
        let place = || path.display().to_string();
        match ProofFile::open(File::open(path).with_context(place)?) {
            Ok(file) => Ok(Tree::File(file)),
            Err(ProofError::Io(error)) => Err(error).with_context(place),
            Err(_) => read(&[path.to_path_buf()]).map(Tree::Whole),
        }
    }

    fn claim(&self) -> &Claim {
        match self {
            Tree::File(file) => file.claim(),
            Tree::Whole(proof) => &proof.claim,
        }
    }

    /// # Errors
    /// Something was wrong with the file.
    fn sound(&self) -> Result<()> {
        match self {
            Tree::File(file) => file.fault().map_or(Ok(()), |fault| Err(fault.clone().into())),
            Tree::Whole(_) => Ok(()),
        }
    }
}

impl Answers for Tree {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        match self {
            Tree::File(file) => file.get(canonical),
            Tree::Whole(proof) => proof.get(canonical),
        }
    }
}

/// A game that the tree plays.
struct Walk {
    checker: Checker<Tree>,
    /// The stones of the tree that may apply, before each of the defender's
    /// moves, and how many stones there were.
    before: Vec<(Keys, usize)>,
    base: Keys,
    /// Stones of the position that the tree is about.
    root: usize,
}

impl Walk {
    fn new(tree: Tree) -> Result<Walk> {
        let Claim { setup, attacker, .. } = *tree.claim();
        let mut checker = Checker::new(setup, attacker, tree);
        checker.board = board(checker.answers.claim())?;
        let (base, root) = (checker.board.keys(), checker.board.stones().len());
        Ok(Walk { checker, before: Vec::new(), base, root })
    }

    fn claim(&self) -> &Claim {
        self.checker.answers.claim()
    }

    /// The attacker's move, which is played; `None` if the tree has none.
    ///
    /// # Errors
    /// Something is wrong with the file, where a move may be.
    fn answer<const N: usize>(&mut self, bases: [Keys; N]) -> Result<Option<Cell>> {
        let Some((m, base)) = self.checker.advise(bases, u64::MAX) else {
            return self.checker.answers.sound().map(|()| None);
        };
        let attacker = self.claim().attacker;
        self.checker.board.place(m, attacker)?;
        self.base = self.checker.board.toggled(base, m, attacker);
        Ok(Some(m))
    }

    /// Whether it is the attacker's move, which the tree does not have.
    fn stuck(&self) -> bool {
        let Claim { attacker, ref root, .. } = *self.claim();
        let played = self.checker.board.stones().len() - self.root;
        played.is_multiple_of(2) == (root.to_move == attacker)
    }

    /// Whether the attacker has just made a five.
    fn over(&self) -> bool {
        let mut referee = FiveReferee::new(self.claim().setup);
        for &(cell, stone) in self.checker.board.stones() {
            // They were placed on the other board.
            let _ = referee.set_up(cell, stone);
        }
        !referee.winning_lines().is_empty()
    }

    /// A move of the defender, and the answer.
    fn reply(&mut self, text: &str) -> Result<Option<Cell>> {
        let cell = point::cell(text, (self.claim().setup.width, self.claim().setup.height))?;
        let defender = !self.claim().attacker;
        let foul = self.checker.board.fouls(defender, cell).0.any();
        ensure!(!foul, "{text} is forbidden");
        let five = self.checker.board.wins(defender).contains(&cell);
        ensure!(!five, "{text} makes five: the tree is wrong, as `goren check` will tell");
        let (base, stones) = (self.base, self.checker.board.stones().len());
        self.checker.board.place(cell, defender)?;
        self.before.push((base, stones));
        self.answer([self.checker.board.toggled(base, cell, defender), base])
    }

    fn back(&mut self) {
        if let Some((base, stones)) = self.before.pop() {
            while self.checker.board.stones().len() > stones {
                self.checker.board.take_back();
            }
            self.base = base;
        }
    }

    fn board(&self) -> String {
        let setup = self.claim().setup;
        draw((setup.width, setup.height), self.checker.board.stones(), &[])
    }
}

/// Walks. Whether the tree had an answer each time.
///
/// # Errors
/// A file that cannot be read.
pub fn run(args: &Args) -> Result<bool> {
    let place = || args.file.display().to_string();
    let mut walk = Walk::new(Tree::open(&args.file)?)?;
    let Claim { setup, attacker, ref root } = *walk.claim();
    let (begins, attacker) = (root.to_move == attacker, name(attacker));
    let height = setup.height;
    let mut whole = true;
    let mut tell = |answer: Option<Cell>| match answer {
        Some(cell) => println!("{attacker}: {}", cell.label(height).to_lowercase()),
        None => {
            whole = false;
            println!("{attacker}: the tree has no answer");
        }
    };
    if begins {
        tell(walk.answer([walk.base]).with_context(place)?);
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
                Err(error) => {
                    walk.checker.answers.sound().with_context(place)?;
                    println!("{error:#}");
                }
            },
        }
        println!("{}", walk.board());
        if walk.over() {
            println!("{attacker} has won");
        }
    }
}
