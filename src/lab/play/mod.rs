//! `goren play`: a person against the engine in a terminal.

mod command;
mod screen;

pub(super) use screen::draw;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::variant::Variant;
use super::{weights, with_search_stack};
use crate::eval::WeightSet;
use crate::rules::{Outcome, RuleId, Setup};
use crate::search::time::Clock;
use crate::search::{Answer, Control, Game, Info, Limits, new_game_with};
use crate::tt::Table;
use crate::types::{Cell, Color, Stone, plies_to_end};
use command::{Command, HELP};

/// Bytes of the transposition table.
const TABLE_BYTES: usize = 128 << 20;

/// Arguments of `goren play`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    variant: Variant,
    /// Seconds the engine may think about a move.
    #[arg(long, default_value = "5", value_parser = seconds)]
    time: Duration,
    /// You have Black and begin (the default).
    #[arg(long, conflicts_with = "white")]
    black: bool,
    /// You have White; the engine begins.
    #[arg(long)]
    white: bool,
    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// A file of weights to evaluate by, instead of those of the engine.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| "a number of seconds is needed".into())
}

/// Plays on the terminal until the person leaves.
///
/// # Errors
/// A board size that is not supported, a file that holds no weights, no memory,
/// or a broken terminal.
pub fn run(args: &Args) -> Result<bool> {
    let setup = args.variant.setup()?;
    let weights = weights::load(args.weights.as_slice())?;
    let mut table = Match {
        game: new_game_with(setup, weights.of(setup.rule)),
        weights,
        person: if args.white { Color::White } else { Color::Black },
        time: args.time,
        max_depth: None,
        threads: usize::from(args.threads),
        table: Table::with_bytes(TABLE_BYTES)?,
    };
    with_search_stack(move || table.play(&mut io::stdin().lock(), &mut io::stdout()))?;
    Ok(true)
}

/// A person and the engine at a board.
struct Match {
    game: Box<dyn Game>,
    weights: WeightSet,
    person: Color,
    time: Duration,
    /// Bounds the search by depth as well.
    max_depth: Option<u32>,
    threads: usize,
    table: Table,
}

impl Match {
    fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "{} on {}. Type help for help.", self.rule(), self.size())?;
        self.show(out)?;
        let mut line = String::new();
        loop {
            if self.game.outcome().is_none() && self.game.to_move() != self.person {
                self.engine_moves(out)?;
                continue;
            }
            match self.game.outcome() {
                None => write!(out, "{} to move> ", name(self.person))?,
                Some(_) => write!(out, "new, undo or quit> ")?,
            }
            out.flush()?;
            line.clear();
            if input.read_line(&mut line).context("cannot read what you type")? == 0 {
                writeln!(out)?;
                return Ok(());
            }
            match Command::read(&line, self.setup()) {
                Ok(Command::Quit) => return Ok(()),
                Ok(command) => self.obey(command, out)?,
                Err(error) => writeln!(out, "{error}. Type help for help.")?,
            }
        }
    }

    fn obey(&mut self, command: Command, out: &mut dyn Write) -> Result<()> {
        match command {
            Command::Place(at) => match self.game.play(at) {
                Ok(()) => self.show(out)?,
                Err(error) => writeln!(out, "{}: {error}.", self.label(at))?,
            },
            Command::Undo => self.undo(out)?,
            Command::Hint if self.game.outcome().is_some() => writeln!(out, "The game is over.")?,
            Command::Hint => {
                let answer = self.think(out)?;
                let verdict = verdict(&answer.info);
                writeln!(out, "Try {} ({verdict}).", self.label(answer.best.cell()))?;
            }
            Command::Swap => {
                self.person = !self.person;
                writeln!(out, "You have {} now.", name(self.person))?;
            }
            Command::New => {
                let setup = self.setup();
                self.game = new_game_with(setup, self.weights.of(setup.rule));
                self.table.clear();
                self.show(out)?;
            }
            Command::Board => self.show(out)?,
            Command::Help => write!(out, "{HELP}")?,
            Command::Nothing | Command::Quit => {}
        }
        Ok(())
    }

    /// Takes stones back up to the person's last move.
    fn undo(&mut self, out: &mut dyn Write) -> Result<()> {
        let own = |&(_, stone): &(Cell, Stone)| stone == Stone::Of(self.person);
        let stones = self.game.stones();
        match stones.iter().rposition(own) {
            Some(last) => {
                for _ in last..stones.len() {
                    self.game.take_back();
                }
                self.show(out)?;
            }
            None => writeln!(out, "You have not moved yet.")?,
        }
        Ok(())
    }

    fn engine_moves(&mut self, out: &mut dyn Write) -> Result<()> {
        let answer = self.think(out)?;
        let at = answer.best.cell();
        self.game.play(at).with_context(|| format!("the engine's move {}", self.label(at)))?;
        self.show(out)?;
        writeln!(out, "The engine played {} ({}).", self.label(at), verdict(&answer.info))?;
        Ok(())
    }

    fn think(&mut self, out: &mut dyn Write) -> Result<Answer> {
        write!(out, "Thinking... ")?;
        out.flush()?;
        let limits = Limits {
            clock: Clock::per_move(self.time),
            started: Instant::now(),
            max_depth: self.max_depth,
            max_nodes: None,
            threads: self.threads,
            root_moves: Vec::new(),
        };
        let answer = self.game.think(&self.table, &limits, &Control::default(), &mut |_| {});
        writeln!(out)?;
        Ok(answer)
    }

    /// Shows the board, and how the game ended if it has.
    fn show(&mut self, out: &mut dyn Write) -> Result<()> {
        let fouls_matter = self.rule() == RuleId::Renju
            && self.game.to_move() == Color::Black
            && self.game.outcome().is_none();
        let forbidden = if fouls_matter { self.game.forbidden() } else { Vec::new() };
        let stones = self.game.stones();
        write!(out, "\n{}", screen::draw(self.setup(), &stones, &forbidden))?;
        if !forbidden.is_empty() {
            writeln!(out, "Black loses by a stone on a point marked *.")?;
        }
        let last = stones.last().map(|&(_, stone)| stone);
        match self.game.outcome() {
            None => {}
            Some(Outcome::Draw) => writeln!(out, "The board is full: a draw.")?,
            Some(Outcome::Win(Color::White)) if last == Some(Stone::Of(Color::Black)) => {
                writeln!(out, "That was a foul: White wins.")?;
            }
            Some(Outcome::Win(color)) => writeln!(out, "{} wins.", name(color))?,
        }
        Ok(())
    }

    fn setup(&self) -> Setup {
        self.game.setup()
    }

    fn rule(&self) -> RuleId {
        self.setup().rule
    }

    fn size(&self) -> String {
        let setup = self.setup();
        format!("{}x{}", setup.width, setup.height)
    }

    fn label(&self, at: Cell) -> String {
        at.label(self.setup().height)
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// What the engine thinks of its side, and how long it thought.
fn verdict(info: &Info) -> String {
    let seconds = info.elapsed.as_secs_f64();
    let score = match plies_to_end(info.score) {
        Some(plies) if info.score > 0 => format!("wins in {plies} plies"),
        Some(plies) => format!("loses in {plies} plies"),
        None => format!("score {:+}", info.score),
    };
    format!("{score}, depth {}, {seconds:.1} s", info.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::new_game;

    /// What a person sees who types these lines.
    fn session(rule: RuleId, person: Color, lines: &str) -> String {
        let setup = Setup::new(rule, 9, 9).unwrap();
        let mut table = Match {
            game: new_game(setup),
            weights: WeightSet::default(),
            person,
            time: Duration::from_secs(1000),
            max_depth: Some(2),
            threads: 1,
            table: Table::with_bytes(1 << 20).unwrap(),
        };
        let lines = lines.to_owned();
        let seen = with_search_stack(move || {
            let mut out = Vec::new();
            table.play(&mut lines.as_bytes(), &mut out)?;
            Ok(out)
        });
        String::from_utf8(seen.unwrap()).unwrap()
    }

    fn stones_of(screen: &str) -> usize {
        let board = screen.rsplit("A B C D E F G H I\n").nth(1).unwrap();
        board.matches(['X', 'O']).count()
    }

    #[test]
    fn the_engine_answers_and_undo_takes_both_stones_back() {
        let seen = session(RuleId::Freestyle, Color::Black, "e5\nquit\n");
        assert!(seen.contains("(X)") && seen.contains("(O)"), "{seen}");
        assert!(seen.contains("The engine played "), "{seen}");
        assert_eq!(stones_of(&seen), 2);
        let seen = session(RuleId::Freestyle, Color::Black, "e5\nd4\nundo\n");
        assert_eq!(stones_of(&seen), 2, "{seen}");
        let seen = session(RuleId::Freestyle, Color::Black, "undo\nhint\nquit\n");
        assert!(seen.contains("not moved yet") && seen.contains("Try "), "{seen}");
    }

    #[test]
    fn with_white_the_engine_begins_and_swap_changes_sides() {
        let seen = session(RuleId::Standard, Color::White, "board\nswap\nquit\n");
        assert!(seen.contains("(X)") && seen.contains("You have Black now."), "{seen}");
        assert_eq!(stones_of(&seen), 2, "{seen}");
    }

    #[test]
    fn bad_input_is_explained_and_changes_nothing() {
        let seen = session(RuleId::Caro, Color::Black, "z99\nfoo\n\ne5\ne5\n");
        assert!(seen.contains("z99 is outside the board"), "{seen}");
        assert!(seen.contains("\"foo\" is no point"), "{seen}");
        assert!(seen.contains("E5: the point is occupied"), "{seen}");
        assert_eq!(stones_of(&seen), 2);
    }

    #[test]
    fn forbidden_points_are_marked_and_a_foul_ends_the_game() {
        let setup = Setup::new(RuleId::Renju, 9, 9).unwrap();
        let black = [(2, 4), (3, 4), (4, 2), (4, 3)].map(|(x, y)| Cell::new(x, y));
        let stones: Vec<_> = black.into_iter().map(|at| (at, Stone::Of(Color::Black))).collect();
        let mut game = new_game(setup);
        game.set_up(&stones, Color::Black).unwrap();
        let mut table = Match {
            game,
            weights: WeightSet::default(),
            person: Color::Black,
            time: Duration::from_secs(1),
            max_depth: Some(1),
            threads: 1,
            table: Table::with_bytes(1 << 20).unwrap(),
        };
        let mut out = Vec::new();
        table.play(&mut "e5\na1\nquit\n".as_bytes(), &mut out).unwrap();
        let seen = String::from_utf8(out).unwrap();
        assert!(seen.contains(" 5 . . X X * . . . . 5"), "{seen}");
        assert!(seen.contains("That was a foul: White wins."), "{seen}");
        assert!(seen.contains("A1: the game is already over."), "{seen}");
    }
}
