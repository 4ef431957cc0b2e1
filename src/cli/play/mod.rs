//! `goren play`: a person against the engine in a terminal, in any game and
//! opening.

mod command;
mod screen;
#[cfg(test)]
mod tests;

pub(super) use screen::{draw, draw_with};

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};

use super::seconds::seconds;
use super::variant::Game;
use super::{weights, with_search_stack};
use command::{Command, HELP};
use goren_core::opening::{Action, Choice, GameState, PendingDecision, Seat, read, write};
use goren_core::rules::referee::Reason;
use goren_core::rules::{Contest, Variant};
use goren_core::types::{Cell, Color, Stone, plies_to_end};
use goren_engine::{Hash, Info, Request};
use goren_session::decide::{Decider, Decision};

/// Bytes of the transposition table.
const TABLE_BYTES: usize = 128 << 20;

/// Arguments of `goren play`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren play
  goren play --game renju --opening swap-2 --time 2
  goren play --game connect6 --white

Type a point such as h8 to move: the column letter, then the row counted from the
bottom. Type help for the other commands: undo, hint, swap, pass, new, board, quit.")]
pub struct Args {
    #[command(flatten)]
    game: Game,
    /// Seconds the engine thinks per move.
    #[arg(long, default_value = "5", value_parser = seconds)]
    time: Duration,
    /// You move first (the default).
    #[arg(long, conflicts_with = "white")]
    black: bool,
    /// The engine moves first.
    #[arg(long)]
    white: bool,
    /// Search threads of the engine.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Weights file for the evaluation; default: the weights of the engine.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Plays on the terminal until the person leaves.
///
/// # Errors
/// A game or a board that is not supported, a file that holds no weights, no
/// memory, or a broken terminal.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.game.contest()?;
    let weights = weights::load(args.weights.as_slice())?;
    let hash = Hash::exactly(TABLE_BYTES);
    hash.for_search(&Request::default())?;
    let mut game = Match {
        game_state: GameState::new(contest),
        decider: Decider::new(&contest, &weights, &hash),
        person: if args.white { Seat::Second } else { Seat::First },
        time: args.time,
        max_depth: None,
        threads: usize::from(args.threads),
        hash,
    };
    with_search_stack(move || game.play(&mut io::stdin().lock(), &mut io::stdout()))?;
    Ok(true)
}

/// A person and the engine at a board.
struct Match {
    game_state: GameState,
    decider: Decider,
    person: Seat,
    time: Duration,
    /// Bounds the search by depth as well.
    max_depth: Option<u32>,
    threads: usize,
    hash: Hash,
}

impl Match {
    fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<()> {
        let Contest { variant, width, height, opening, .. } = *self.contest();
        writeln!(out, "{variant} on {width}x{height}, opening {opening}. Type help for help.")?;
        self.show(out)?;
        let mut line = String::new();
        loop {
            match self.game_state.pending_decision() {
                Some(pending) if pending.seat != self.person => {
                    self.engine_moves(out)?;
                    continue;
                }
                Some(pending) => write!(out, "{}> ", prompt(&pending))?,
                None => write!(out, "new, undo or quit> ")?,
            }
            out.flush()?;
            line.clear();
            if input.read_line(&mut line).context("cannot read what you type")? == 0 {
                writeln!(out)?;
                return Ok(());
            }
            match Command::read(&line) {
                Command::Quit => return Ok(()),
                command => self.obey(command, out)?,
            }
        }
    }

    fn obey(&mut self, command: Command, out: &mut dyn Write) -> Result<()> {
        match command {
            Command::Ply(text) => {
                let played = read(&self.game_state, &text)
                    .and_then(|action| Ok(self.game_state.apply(&action)?));
                match played {
                    Ok(()) => self.show(out)?,
                    Err(error) => writeln!(out, "{text}: {error}. Type help for help.")?,
                }
            }
            Command::Undo => self.undo(out)?,
            Command::Hint => match self.think(false, out)? {
                Some(decision) => {
                    let text = self.text(&decision.action);
                    writeln!(out, "Try {text} ({}).", verdict(&decision.info))?;
                    self.explain(&decision, out)?;
                }
                None => writeln!(out, "The game is over.")?,
            },
            Command::Swap
                if self.game_state.pending_decision().is_some_and(|pending| pending.swap) =>
            {
                self.game_state.apply(&Action::Swap)?;
                self.show(out)?;
            }
            Command::Swap => {
                self.person = !self.person;
                writeln!(out, "You have {} now.", self.color())?;
            }
            Command::New => {
                self.game_state = GameState::new(*self.contest());
                self.decider.forget();
                self.hash.clear();
                self.show(out)?;
            }
            Command::Board => self.show(out)?,
            Command::Help => write!(out, "{HELP}")?,
            Command::Nothing | Command::Quit => {}
        }
        Ok(())
    }

    /// Takes plies back up to the person's last one.
    fn undo(&mut self, out: &mut dyn Write) -> Result<()> {
        let plies = self.game_state.actions().len();
        let own = (0..plies).rev().find(|ply| Seat::ALL[ply % 2] == self.person);
        match own {
            Some(last) => {
                self.game_state.take_back(plies - last);
                self.show(out)?;
            }
            None => writeln!(out, "You have not moved yet.")?,
        }
        Ok(())
    }

    fn engine_moves(&mut self, out: &mut dyn Write) -> Result<()> {
        let decision = self.think(true, out)?.context("the engine knows no legal ply")?;
        let text = self.text(&decision.action);
        self.explain(&decision, out)?;
        self.game_state
            .apply(&decision.action)
            .with_context(|| format!("the engine's move {text}"))?;
        self.show(out)?;
        writeln!(out, "The engine played {text} ({}).", verdict(&decision.info))?;
        Ok(())
    }

    fn explain(&self, decision: &Decision, out: &mut dyn Write) -> Result<()> {
        for why in &decision.why {
            writeln!(out, "  {why}")?;
        }
        Ok(())
    }

    /// Decides on the next ply; `move_only` says that it comes at once where it
    /// is forced.
    fn think(&mut self, move_only: bool, out: &mut dyn Write) -> Result<Option<Decision>> {
        write!(out, "Thinking... ")?;
        out.flush()?;
        let request = Request {
            max_depth: self.max_depth,
            threads: self.threads,
            move_only,
            ..Request::per_move(self.time)
        };
        let decision = self.decider.decide(&self.game_state, &request, &mut |_| {});
        writeln!(out)?;
        Ok(decision)
    }

    /// Shows the board, and how the game ended if it has.
    fn show(&mut self, out: &mut dyn Write) -> Result<()> {
        let forbidden = self.forbidden();
        let contest = *self.contest();
        write!(out, "\n{}", draw((contest.width, contest.height), &self.stones(), &forbidden))?;
        if !forbidden.is_empty() {
            writeln!(
                out,
                "{} loses by a stone on a point marked *.",
                name(self.game_state.to_move())
            )?;
        }
        if matches!(contest.variant, Variant::Pente(_)) {
            let [black, white] = self.game_state.referee().captured();
            writeln!(out, "Captured by Black {black}, by White {white}.")?;
        }
        if !self.game_state.offers().is_empty() {
            let height = contest.height;
            let offers: Vec<String> =
                self.game_state.offers().iter().map(|cell| cell.label(height)).collect();
            writeln!(out, "Fifths on offer: {}.", offers.join(" "))?;
        }
        if let Some(result) = self.game_state.result() {
            let reason = match result.reason {
                Reason::Line => "",
                Reason::Foul => "That was a foul: ",
                Reason::Overline => "That was an overline: ",
                Reason::Captures => "By captures: ",
                Reason::LineAndCaptures => "By a line and captures: ",
                Reason::TwoPasses => "Both passed: ",
                Reason::Full => "The board is full: ",
                Reason::NoMoves => "There is no move left: ",
                Reason::Repetition => "The position came again: ",
            };
            match result.colors[..] {
                [color] => writeln!(out, "{reason}{} wins.", name(color))?,
                _ => writeln!(out, "{reason}a draw.")?,
            }
        }
        Ok(())
    }

    /// Points where the side to move would lose by a foul.
    fn forbidden(&self) -> Vec<Cell> {
        let Some(pending) = self.game_state.pending_decision() else { return Vec::new() };
        let foul = |cell: &Cell| self.game_state.referee().fouls(pending.color, *cell).any();
        self.game_state.empty().into_iter().filter(foul).collect()
    }

    /// The stones on the board, the newest last.
    fn stones(&self) -> Vec<(Cell, Stone)> {
        let newest = self.game_state.events().iter().rev().find_map(|event| match *event {
            goren_core::opening::Event::Stone(cell, _) => Some(cell),
            goren_core::opening::Event::Pass => None,
        });
        let mut stones = self.game_state.stones();
        stones.sort_by_key(|&(cell, _)| (Some(cell) == newest, cell));
        stones.into_iter().map(|(cell, color)| (cell, Stone::Of(color))).collect()
    }

    fn contest(&self) -> &Contest {
        self.game_state.contest()
    }

    /// The person's colour.
    fn color(&self) -> &'static str {
        let black = self.game_state.owner(Color::Black) == self.person;
        name(if black { Color::Black } else { Color::White })
    }

    fn text(&self, action: &Action) -> String {
        match action {
            Action::Swap => "swap".into(),
            action => write(&self.game_state, action),
        }
    }
}

/// What the person may do.
fn prompt(pending: &PendingDecision) -> String {
    let number = |declare: &Option<(usize, usize)>| {
        declare.map_or(String::new(), |(a, b)| format!(" and a number from {a} to {b}"))
    };
    let plain = matches!(&pending.choices[..], [Choice::Stones { colors, declare: None, .. }]
        if colors.iter().all(|&color| color == pending.color));
    if plain && !pending.swap {
        let Some(Choice::Stones { colors, .. }) = pending.choices.first() else {
            return String::new();
        };
        let stones = if colors.len() > 1 { " (two stones)" } else { "" };
        return format!("{} to move{stones}", name(pending.color));
    }
    let choices = pending.choices.iter().map(|choice| match choice {
        Choice::Stones { colors, declare, .. } => {
            let names: Vec<&str> = colors.iter().map(|&color| name(color)).collect();
            format!("place {}{}", names.join(", "), number(declare))
        }
        Choice::Figure { declare, .. } => format!("name an opening (3 stones){}", number(declare)),
        Choice::Offer { count } => format!("offer {count} fifths"),
        Choice::Choose => "keep a fifth and place the sixth".into(),
    });
    let swap = pending.swap.then(|| "swap".to_owned());
    let all: Vec<String> = choices.chain(swap).collect();
    format!("You may {}", all.join(", or "))
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
