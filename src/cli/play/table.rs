//! A game in progress: its players, and the effects of commands.

use std::hash::RandomState;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::command::PlayCommand;
use super::input::{InputLine, LineSource};
use super::pending_decision_text::such_as;
use super::words::{minutes_seconds, seconds};
use crate::lettering::{Lettering, MAX_WITHOUT_I};
use crate::turn::{Turn, TurnError, check_pass, numbered, read};
use crate::variant::shown_with_opening;
use goren_board::clock::GameClock;
use goren_board::schema::Player;
use goren_core::opening::{Action, GameState, PendingDecision, Seat};
use goren_core::record::import::Columns;
use goren_core::record::{Ending, PlayedPly};
use goren_core::rules::Contest;
use goren_core::types::{Cell, Color};
use goren_decide::{Decider, Level};
use goren_engine::{TableHandle, WeightSet};
use goren_notation::ending::OVERTIME;
use goren_notation::words::plural;

/// Settings of the engine and the screen.
#[derive(Clone, Debug)]
pub(super) struct PlaySettings {
    pub(super) time: Duration,
    /// Additional limit of the search depth.
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

/// End of a game by the players or the clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Closed {
    pub(super) ending: Ending,
    /// The reason as files give it.
    pub(super) reason: &'static str,
}

/// Data of a file besides the moves, for saving the game again.
#[derive(Default)]
pub(super) struct Heading {
    /// Names of the players by seats, unless Goren wrote them.
    pub(super) names: Option<[String; 2]>,
    pub(super) title: String,
    /// Result and reason, if the moves do not end the game and none was added.
    pub(super) ending: Option<(Ending, String)>,
    /// The plies of the file with their statistics.
    pub(super) plies: Vec<PlayedPly>,
    /// Number of plies before the players took over.
    pub(super) opening_plies: usize,
}

/// A game with its players.
pub(super) struct Match {
    pub(super) game_state: GameState,
    /// Stones of an unfinished turn.
    pub(super) placed: Vec<Cell>,
    pub(super) players: [Player; 2],
    pub(super) setting: PlaySettings,
    pub(super) clock: Option<GameClock>,
    pub(super) closed: Option<Closed>,
    /// Plies taken back, the next one last.
    pub(super) undone: Vec<Action>,
    pub(super) decider: Decider,
    pub(super) weights: WeightSet,
    pub(super) hash: TableHandle,
    /// Number of games begun.
    pub(super) games: u64,
    /// Source of random seeds.
    pub(super) random_state: RandomState,
    /// Data of the game's file besides the moves.
    pub(super) heading: Heading,
    /// The file in which the game is saved.
    pub(super) saved_path: Option<PathBuf>,
    /// The saved plies, and the saved end by the players.
    pub(super) saved_state: (Vec<Action>, Option<Closed>),
}

impl Match {
    pub(super) fn new(
        game_state: GameState,
        players: [Player; 2],
        setting: PlaySettings,
        weights: WeightSet,
        hash: TableHandle,
    ) -> Match {
        let decider = Decider::new(game_state.contest(), &weights, &hash);
        let saved_state = (game_state.actions().to_vec(), None);
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
            random_state: RandomState::new(),
            heading: Heading::default(),
            saved_path: None,
            saved_state,
        }
    }

    /// Returns the chosen letters; with I if there are too few without it.
    pub(super) fn lettering(&self) -> Lettering {
        let Contest { width, height, .. } = *self.game_state.contest();
        let columns = if width > MAX_WITHOUT_I { Columns::WithI } else { self.setting.columns };
        Lettering { width, height, columns }
    }

    /// Returns the pending decision; `None` when the game is over.
    pub(super) fn pending(&self) -> Option<PendingDecision> {
        self.game_state.pending_decision().filter(|_| self.closed.is_none())
    }

    pub(super) fn two_people(&self) -> bool {
        self.players == [Player::Person; 2]
    }

    /// Returns the seat of the person, or the seat to act if two people play.
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
        let mut last_stage = None;
        loop {
            if let Some(pending) = self.pending()
                && self.players[pending.seat.index()] == Player::Engine
            {
                self.engine_moves(input.is_person(), out)?;
                continue;
            }
            let stage = (self.games, self.game_state.actions().len());
            if last_stage != Some(stage) {
                self.report_stage(out)?;
                last_stage = Some(stage);
            }
            let prompt = self.prompt();
            self.start_clock();
            let typed = input.line(&prompt, out)?;
            // The command is obeyed all the same, but a move comes too late.
            if self.stop_clock() {
                self.show(out)?;
            }
            let was_interrupted = std::mem::take(&mut interrupted);
            let is_typed = matches!(typed, InputLine::Text(_));
            let command = match typed {
                InputLine::Text(line) => PlayCommand::read(&line),
                InputLine::End => PlayCommand::Quit,
                InputLine::Interrupt if was_interrupted => PlayCommand::Quit,
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
            // The error is printed, and the game goes on.
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
        let time = match (self.time_left(Seat::First), self.setting.max_nodes) {
            (_, Some(nodes)) => format!("{} a move", plural(nodes, "node", "nodes")),
            (Some(left), None) => format!("{} for each player", minutes_seconds(left)),
            (None, None) => format!("{} a move", seconds(self.setting.time)),
        };
        if !self.two_people() {
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
                    _ => bail!("forbidden takes on or off: whether forbidden points are marked"),
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

    /// Sets the letters of the columns.
    fn set_columns(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        let width = self.game_state.contest().width;
        self.setting.columns = match text.to_lowercase().as_str() {
            "go" | "without-i" if width > MAX_WITHOUT_I => {
                bail!("{width} columns need all letters, including I")
            }
            "go" | "without-i" => Columns::WithoutI,
            "all" | "with-i" => Columns::WithI,
            _ => bail!("columns takes go (or without-i) or all (or with-i)"),
        };
        self.show(out)
    }

    /// Sets the time per move, and prints its effect.
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

    /// Plays a ply of the user, or a part of it.
    fn ply(&mut self, text: &str, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("{text}: the game is over; undo, new and save are possible");
        }
        check_pass(&self.game_state, text).with_context(|| text.to_owned())?;
        match self.read(text, out)? {
            Ok(Turn::Whole(action)) => self.play_action(&action, out),
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

    /// Reads a ply of the user. Prints the points if they are given by numbers.
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

    /// Prints the name of the centre if the user seems to expect letters without I.
    fn report_centre(&self, text: &str, out: &mut dyn Write) -> Result<()> {
        let lettering = self.lettering();
        let go = Lettering { columns: Columns::WithoutI, ..lettering };
        let centre = self.game_state.centre();
        let is_centre_on_go_boards = lettering.width <= MAX_WITHOUT_I
            && go.cell(text.trim()) == Some(centre)
            && go.label(centre) != lettering.label(centre);
        if self.game_state.stones().len() < 2 && is_centre_on_go_boards {
            let centre = lettering.label(centre);
            writeln!(
                out,
                "The centre is {centre}, as there is a column I: columns go leaves it out."
            )?;
        }
        Ok(())
    }

    /// Plays a ply of the seat to act.
    pub(super) fn play_action(&mut self, action: &Action, out: &mut dyn Write) -> Result<()> {
        let (seat, path) = (self.game_state.seat(), self.path());
        let black_owner = self.black_owner();
        self.game_state.apply(action)?;
        self.placed.clear();
        self.undone.clear();
        self.heading.ending = None;
        if let Some(clock) = &mut self.clock {
            clock.played(&path, path.len() + 1, seat, Instant::now());
        }
        // A swap does not change the board.
        if *action != Action::Swap {
            self.show(out)?;
        }
        if self.black_owner() != black_owner {
            let who = match (action, self.players[seat.index()]) {
                (Action::Swap, _) if self.two_people() => "A swap",
                (Action::Swap, Player::Engine) => "The engine swaps",
                (Action::Swap, Player::Person) => "You swap",
                _ => "Colours are exchanged",
            };
            writeln!(out, "{who}: {}.", self.colors())?;
        }
        Ok(())
    }

    fn black_owner(&self) -> Seat {
        self.game_state.owner(Color::Black)
    }

    fn swap(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_some_and(|pending| pending.swap) {
            if !self.placed.is_empty() {
                return Err(TurnError::Begun.into());
            }
            return self.play_action(&Action::Swap, out);
        }
        let sides =
            if self.two_people() { "" } else { " To change sides with the engine, type sides." };
        bail!("There is nothing to swap now.{sides}")
    }

    fn change_sides(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.two_people() {
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
        if closed.is_some_and(|closed| closed.reason == OVERTIME)
            && let Some(clock) = &mut self.clock
        {
            clock.reset();
            writeln!(out, "Both clocks are reset.")?;
        }
        if !self.placed.is_empty() {
            // After a resignation or a draw the game goes on within the turn.
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
                // The game goes on where the players ended it.
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

    /// Replays plies taken back, up to the next turn of the user.
    fn redo(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.undone.is_empty() {
            bail!("Nothing was taken back.");
        }
        if self.closed.is_some() {
            bail!("The game was ended; undo continues it.");
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

/// Whether the reader of the output is gone.
fn is_broken(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::BrokenPipe
}
