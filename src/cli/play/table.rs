//! A game in progress: its players, and the effects of commands.

use std::hash::RandomState;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::chess_clock::{ChessClock, shown};
use super::command::PlayCommand;
use super::input::{InputLine, LineSource};
use super::pending_decision_text::such_as;
use super::words::seconds;
use crate::lettering::{Lettering, MOST_WITHOUT_I};
use crate::turn::{Turn, TurnError, is_pass, numbered, read};
use crate::variant::shown_with_opening;
use goren_core::opening::{Action, GameState, PendingDecision, Seat};
use goren_core::record::PlayedPly;
use goren_core::record::import::Columns;
use goren_core::rules::Contest;
use goren_core::types::{Cell, Color};
use goren_decide::{Decider, Level};
use goren_engine::{Hash, WeightSet};
use goren_notation::words::plural;

/// Who sits at a side of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Player {
    Person,
    Engine,
}

/// How the engine plays and what the screen looks like.
#[derive(Clone, Debug)]
pub(super) struct PlaySettings {
    pub(super) time: Duration,
    /// Bounds the search by depth as well.
    pub(super) max_depth: Option<u32>,
    pub(super) max_nodes: Option<u64>,
    pub(super) threads: usize,
    pub(super) level: Level,
    /// Seed of the random choices below full strength; `None`: a new one each game.
    pub(super) seed: Option<u64>,
    pub(super) columns: Columns,
    pub(super) colors: bool,
    pub(super) mark_forbidden: bool,
}

/// A game that was ended by the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Closed {
    /// `None` for a draw.
    pub(super) winner: Option<Seat>,
    pub(super) reason: &'static str,
}

/// The data of a file besides the moves of its game, for saving the game again.
#[derive(Default)]
pub(super) struct Heading {
    /// The names of the players by their seats, unless they are those of this command.
    pub(super) names: Option<[String; 2]>,
    pub(super) title: String,
    /// Who won and why, where the moves do not end the game and none was added.
    pub(super) ending: Option<(Option<Seat>, String)>,
    /// The plies of the file with what it records of them.
    pub(super) plies: Vec<PlayedPly>,
    /// How many of them were made before the players took over.
    pub(super) opening_plies: usize,
}

/// The reason of a game whose clock ran out.
pub(super) const LATE: &str = "time";

/// A game with its players.
pub(super) struct Match {
    pub(super) game_state: GameState,
    /// Stones of a turn that is not over.
    pub(super) placed: Vec<Cell>,
    pub(super) players: [Player; 2],
    pub(super) setting: PlaySettings,
    pub(super) clock: Option<ChessClock>,
    pub(super) closed: Option<Closed>,
    /// Plies taken back, the next one last.
    pub(super) undone: Vec<Action>,
    pub(super) decider: Decider,
    pub(super) weights: WeightSet,
    pub(super) hash: Hash,
    /// How many games were begun.
    pub(super) games: u64,
    /// Makes choices by chance differ.
    pub(super) chance: RandomState,
    /// What the file of the game said besides its moves.
    pub(super) heading: Heading,
    /// The file it was kept in.
    pub(super) saved: Option<PathBuf>,
    /// Its plies when it was kept, and how the players had ended it.
    pub(super) kept: (Vec<Action>, Option<Closed>),
}

impl Match {
    pub(super) fn new(
        game_state: GameState,
        players: [Player; 2],
        setting: PlaySettings,
        weights: WeightSet,
        hash: Hash,
    ) -> Match {
        let decider = Decider::new(game_state.contest(), &weights, &hash);
        let kept = (game_state.actions().to_vec(), None);
        Match {
            game_state,
            placed: Vec::new(),
            players,
            setting,
            clock: None,
            closed: None,
            undone: Vec::new(),
            decider,
            weights,
            hash,
            games: 0,
            chance: RandomState::new(),
            heading: Heading::default(),
            saved: None,
            kept,
        }
    }

    /// The letters that were chosen; with I where there are not enough without it.
    pub(super) fn lettering(&self) -> Lettering {
        let Contest { width, height, .. } = *self.game_state.contest();
        let columns = if width > MOST_WITHOUT_I { Columns::WithI } else { self.setting.columns };
        Lettering { width, height, columns }
    }

    /// What is to be decided; `None` when the game is over.
    pub(super) fn pending(&self) -> Option<PendingDecision> {
        self.game_state.pending_decision().filter(|_| self.closed.is_none())
    }

    pub(super) fn are_two(&self) -> bool {
        self.players == [Player::Person; 2]
    }

    /// The seat of the person; the one to act where two play.
    pub(super) fn person(&self) -> Seat {
        match self.players {
            [Player::Person, Player::Person] => self.game_state.seat(),
            [Player::Person, _] => Seat::First,
            _ => Seat::Second,
        }
    }

    pub(super) fn play(&mut self, input: &mut dyn LineSource, out: &mut dyn Write) -> Result<()> {
        self.greet(out)?;
        self.show(out)?;
        let mut interrupted = false;
        let mut reported = None;
        loop {
            if let Some(pending) = self.pending()
                && self.players[pending.seat.index()] == Player::Engine
            {
                self.engine_moves(input.is_person(), out)?;
                continue;
            }
            let stage = (self.games, self.game_state.actions().len());
            if reported != Some(stage) {
                self.report_stage(out)?;
                reported = Some(stage);
            }
            let asked = Instant::now();
            let typed = input.line(&self.prompt(), out)?;
            // What was typed is obeyed all the same; a move comes too late.
            if self.is_late(asked.elapsed()) {
                self.show(out)?;
            }
            let again = std::mem::take(&mut interrupted);
            let is_typed = matches!(typed, InputLine::Text(_));
            let command = match typed {
                InputLine::Text(line) => PlayCommand::read(&line),
                InputLine::End => PlayCommand::Quit,
                InputLine::Interrupt if again => PlayCommand::Quit,
                InputLine::Interrupt => {
                    interrupted = true;
                    writeln!(out, "Ctrl-C again, or quit, leaves the game.")?;
                    continue;
                }
            };
            if command == PlayCommand::Quit {
                let leaves = self.offer_to_save(input, out)?;
                if leaves || !is_typed {
                    return Ok(());
                }
                continue;
            }
            // What cannot be done is told, and the game goes on.
            if let Err(error) = self.obey(command, input, out) {
                if error.downcast_ref::<std::io::Error>().is_some_and(is_broken) {
                    return Err(error);
                }
                writeln!(out, "{error:#}")?;
            }
        }
    }

    pub(super) fn greet(&self, out: &mut dyn Write) -> Result<()> {
        let contest = self.game_state.contest();
        let (game, Contest { width, height, opening, .. }) =
            (shown_with_opening(contest), *contest);
        writeln!(out, "{game} on {width}x{height}, opening {opening}: {}.", self.colors())?;
        let time = match (&self.clock, self.setting.max_nodes) {
            (_, Some(nodes)) => format!("{} a move", plural(nodes, "node", "nodes")),
            (Some(clock), None) => format!("{} for each player", shown(clock.left(Seat::First))),
            (None, None) => format!("{} a move", seconds(self.setting.time)),
        };
        if !self.are_two() {
            writeln!(out, "The engine plays at level {}, {time}.", self.setting.level)?;
        }
        if self.pending().is_none() {
            writeln!(out, "The game is over; undo, new, save and help are possible.")?;
            return Ok(());
        }
        writeln!(out, "Type your move, {}, or help.", such_as(&self.game_state, self.lettering()))?;
        Ok(())
    }

    fn obey(
        &mut self,
        command: PlayCommand,
        input: &mut dyn LineSource,
        out: &mut dyn Write,
    ) -> Result<()> {
        match command {
            PlayCommand::Ply(text) => self.ply(&text, out)?,
            PlayCommand::Undo(times) => self.undo(times, out)?,
            PlayCommand::Redo => self.redo(out)?,
            PlayCommand::Hint => self.hint(input.is_person(), out)?,
            PlayCommand::Swap => self.swap(out)?,
            PlayCommand::Sides => self.change_sides(out)?,
            PlayCommand::Two | PlayCommand::Engine => {
                let seat = self.person();
                self.players = [Player::Person; 2];
                if command == PlayCommand::Engine {
                    self.players[(!seat).index()] = Player::Engine;
                }
                writeln!(out, "Now {}.", self.colors())?;
            }
            PlayCommand::Points => self.report_points(out)?,
            PlayCommand::Moves => self.report_moves(out)?,
            PlayCommand::Resign => self.resign(out)?,
            PlayCommand::Draw => self.offer_draw(input.is_person(), out)?,
            PlayCommand::Level(name) if name.is_empty() => {
                writeln!(out, "The engine plays at level {}.", self.setting.level)?;
            }
            PlayCommand::Level(name) => {
                self.setting.level = Level::read(&name)?;
                writeln!(out, "The engine plays at level {} now.", self.setting.level)?;
            }
            PlayCommand::Time(text) => self.set_time(&text, out)?,
            PlayCommand::Columns(text) => self.set_columns(&text, out)?,
            PlayCommand::Forbidden(text) => {
                self.setting.mark_forbidden = match text.to_lowercase().as_str() {
                    "on" => true,
                    "off" => false,
                    _ => bail!("forbidden on or forbidden off: whether such points are marked"),
                };
                self.show(out)?;
            }
            PlayCommand::Save(file, over) => self.save(&file, over, out)?,
            PlayCommand::Load(file) => self.load(&file, input, out)?,
            PlayCommand::New(words) => self.begin(&words, input, out)?,
            PlayCommand::Board => self.show(out)?,
            PlayCommand::Help => self.report_help(out)?,
            PlayCommand::Misused(usage) => bail!("{usage}"),
            PlayCommand::Nothing | PlayCommand::Quit => {}
        }
        Ok(())
    }

    /// Sets how columns are lettered.
    fn set_columns(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        let width = self.game_state.contest().width;
        self.setting.columns = match text.to_lowercase().as_str() {
            "go" | "without-i" if width > MOST_WITHOUT_I => {
                bail!("{width} columns need all letters, I among them")
            }
            "go" | "without-i" => Columns::WithoutI,
            "all" | "with-i" => Columns::WithI,
            _ => bail!("columns go or without-i, columns all or with-i"),
        };
        self.show(out)
    }

    /// Sets the time for a move, and tells what it is for.
    fn set_time(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        self.setting.time = crate::seconds::seconds(text).map_err(anyhow::Error::msg)?;
        let time = seconds(self.setting.time);
        match (&self.clock, self.setting.max_nodes) {
            (_, Some(nodes)) => {
                let nodes = plural(nodes, "node", "nodes");
                writeln!(out, "The time has no effect: the engine has {nodes} a move.")?;
            }
            (Some(_), None) => {
                writeln!(out, "The engine moves by its clock; for a hint it has {time}.")?;
            }
            (None, None) => writeln!(out, "The engine has {time} a move.")?,
        }
        Ok(())
    }

    /// A ply of the person, or a part of one.
    fn ply(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("{text}: the game is over; undo, new and save are possible");
        }
        // In file notation `pass` means a swap where one is on offer. A person who types it means
        // the opposite, so it is refused.
        if is_pass(text) && self.pending().is_some_and(|pending| pending.swap && !pending.pass) {
            bail!("{text}: passing is not possible now; to leave the colours as they are, move on");
        }
        match self.read(text, out)? {
            Ok(Turn::Whole(action)) => self.go_on(&action, out),
            Ok(Turn::Part(cells)) => {
                self.placed = cells;
                self.show(out)
            }
            Err(error) => {
                let such_as = such_as(&self.game_state, self.lettering());
                let unread = matches!(error, TurnError::Unreadable(_) | TurnError::Empty);
                let help = if unread { "; help lists the commands" } else { "" };
                writeln!(out, "{text}: {error}. Type a move {such_as}{help}.")?;
                if !unread && self.lettering().columns == Columns::WithI {
                    self.report_centre(text, out)?;
                }
                Ok(())
            }
        }
    }

    /// Reads a ply of the person. Which points are meant by numbers is told.
    fn read(&self, text: &str, out: &mut dyn Write) -> Result<Result<Turn, TurnError>> {
        let lettering = self.lettering();
        let named = match numbered(&self.game_state, text, lettering) {
            Ok(cells) => cells.map(|cells| lettering.labels(&cells)),
            Err(error) => return Ok(Err(error)),
        };
        if let Some(named) = &named {
            writeln!(
                out,
                "{text} is read as {named}: the numbers are the column from the left and the row \
                 from the top, both from 1."
            )?;
        }
        let text = named.as_deref().unwrap_or(text);
        Ok(read(&self.game_state, &self.placed, text, lettering))
    }

    /// Where somebody may be used to boards without the letter I.
    fn report_centre(&self, text: &str, out: &mut dyn Write) -> Result<()> {
        let lettering = self.lettering();
        let go = Lettering { columns: Columns::WithoutI, ..lettering };
        let centre = self.game_state.centre();
        let meant = lettering.width <= MOST_WITHOUT_I
            && go.cell(text.trim()) == Some(centre)
            && go.label(centre) != lettering.label(centre);
        if self.game_state.stones().len() < 2 && meant {
            let centre = lettering.label(centre);
            writeln!(
                out,
                "The centre is {centre}: there is a column I. columns go leaves it out."
            )?;
        }
        Ok(())
    }

    /// Plays a ply of the seat to act.
    pub(super) fn go_on(&mut self, action: &Action, out: &mut dyn Write) -> Result<()> {
        let seat = self.game_state.seat();
        let before = self.owners();
        self.game_state.apply(action)?;
        self.placed.clear();
        self.undone.clear();
        self.heading.ending = None;
        if let Some(clock) = &mut self.clock {
            clock.moved(seat);
        }
        // A swap leaves the board as it was.
        if *action != Action::Swap {
            self.show(out)?;
        }
        if self.owners() != before {
            let who = match (action, self.players[seat.index()]) {
                (Action::Swap, _) if self.are_two() => "A swap",
                (Action::Swap, Player::Engine) => "The engine swaps",
                (Action::Swap, Player::Person) => "You swap",
                _ => "Colours are exchanged",
            };
            writeln!(out, "{who}: {}.", self.colors())?;
        }
        Ok(())
    }

    fn owners(&self) -> Seat {
        self.game_state.owner(Color::Black)
    }

    fn swap(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_some_and(|pending| pending.swap) {
            if !self.placed.is_empty() {
                return Err(TurnError::Begun.into());
            }
            return self.go_on(&Action::Swap, out);
        }
        let sides = if self.are_two() { "" } else { " sides changes sides with the engine." };
        bail!("There is nothing to swap now.{sides}")
    }

    fn change_sides(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.are_two() {
            bail!("Two people play: there is no engine to change sides with.");
        }
        self.players.swap(0, 1);
        writeln!(out, "Now {}.", self.colors())?;
        Ok(())
    }

    /// Takes plies back until it is the person's turn again.
    fn undo(&mut self, times: usize, out: &mut dyn Write) -> Result<()> {
        let closed = self.closed.take();
        let reopened = closed.is_some();
        if closed.is_some_and(|closed| closed.reason == LATE)
            && let Some(clock) = &mut self.clock
        {
            clock.restart();
            writeln!(out, "Both clocks are reset.")?;
        }
        if !self.placed.is_empty() {
            // A game that was given up goes on within the turn.
            if !reopened || times > 1 {
                self.placed.clear();
            }
            return self.show(out);
        }
        self.heading.ending = None;
        let mut taken = false;
        for _ in 0..times.max(1) {
            let plies = self.game_state.actions().len();
            let is_own = |ply: &usize| self.players[*ply % 2] == Player::Person;
            let Some(last) = (0..plies).rev().find(is_own) else { break };
            if reopened && self.players[plies % 2] == Player::Person {
                // The game goes on where it was given up.
                taken = true;
                break;
            }
            self.undone.extend(self.game_state.actions()[last..].iter().rev().cloned());
            self.game_state.take_back(plies - last);
            taken = true;
        }
        if !taken && !reopened {
            bail!("You have not moved yet.");
        }
        self.show(out)
    }

    /// Plays again what was taken back.
    fn redo(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.undone.is_empty() {
            bail!("Nothing was taken back.");
        }
        if self.closed.is_some() {
            bail!("The game was ended: undo goes on with it.");
        }
        self.placed.clear();
        while let Some(action) = self.undone.pop() {
            self.game_state.apply(&action)?;
            let seat = self.game_state.seat();
            if self.players[seat.index()] == Player::Person {
                break;
            }
        }
        self.show(out)
    }
}

/// Whether nobody reads what is written any more.
fn is_broken(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::BrokenPipe
}
