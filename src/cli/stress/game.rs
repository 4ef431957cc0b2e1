//! A game of the engine against the baseline player, with freezes, malformed input,
//! settings and limits.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Reply, Setting};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::conditions::Conditions;
use super::fault::{EngineFault, FaultKind};
use super::tally::{StressTotals, Timing};
use super::watched_engine::{WatchedEngine, quote};
use super::{moves, noise};
use crate::engine::{Terms, point};
use goren_core::opening::{Action, GameState, Seat};
use goren_core::rules::referee::Reason;
use goren_session::wire::{Axes, action_of, ply_of};

/// The time left that managers send in a game without a limit.
const UNLIMITED_MS: i64 = 2_147_483_647;
/// The bit of `INFO rule` for games that continue after a win.
const CONTINUOUS: i64 = 2;
/// Longest freeze, in milliseconds.
const FREEZE_MS: u64 = 120;

/// A game in progress.
pub(super) struct StressGame<'a> {
    pub(super) conditions: &'a Conditions,
    pub(super) rng: &'a mut SmallRng,
    pub(super) engine: &'a mut WatchedEngine,
    pub(super) tally: &'a mut StressTotals,
    tolerance: Duration,
    /// Time beyond limit and tolerance after which a silent engine is abandoned.
    patience: Duration,
    pub(super) game_state: GameState,
    /// The engine's seat.
    pub(super) seat: Seat,
    /// The plies that the engine knows, in their order; `None` after an unordered list.
    pub(super) known_plies: Option<Vec<Action>>,
    /// Microseconds left of the game.
    left: Option<i64>,
    /// Whether the limit per turn must be sent again.
    resend_turn_limit: bool,
}

impl<'a> StressGame<'a> {
    /// Creates a game that has not begun. An answer may exceed its limit by the tolerance;
    /// after the patience on top of that, the engine is abandoned.
    pub(super) fn new(
        conditions: &'a Conditions,
        rng: &'a mut SmallRng,
        engine: &'a mut WatchedEngine,
        tally: &'a mut StressTotals,
        [tolerance, patience]: [Duration; 2],
    ) -> StressGame<'a> {
        StressGame {
            game_state: GameState::new(conditions.terms.contest()),
            seat: conditions.seat,
            known_plies: Some(Vec::new()),
            left: conditions.match_ms.map(|ms| ms as i64 * 1000),
            resend_turn_limit: false,
            conditions,
            rng,
            engine,
            tally,
            tolerance,
            patience,
        }
    }

    /// Plays the game to its end or the maximum number of plies.
    ///
    /// # Errors
    /// A fault of the engine.
    pub(super) fn play(&mut self) -> Result<(), EngineFault> {
        self.start()?;
        let Conditions { opening_plies, wild, swap2, continuous, .. } = *self.conditions;
        match swap2 {
            Some(stones) => self.swap2(stones)?,
            None => moves::play_plies(&mut self.game_state, opening_plies, self.rng, wild),
        }
        while self.game_state.pending_decision().is_some()
            && self.game_state.actions().len() < self.conditions.max_plies
        {
            if self.game_state.seat() == self.seat {
                self.undo()?;
                self.ask()?;
            } else {
                self.wait()?;
            }
        }
        self.tally.ended += u64::from(self.game_state.result().is_some());
        if continuous {
            self.continue_after_win()?;
        }
        // Unexpected lines arrive before the name.
        self.engine.expect_name()?;
        self.engine.expect_silence()
    }

    /// Sends the game and its limits, in random order.
    fn start(&mut self) -> Result<(), EngineFault> {
        let Conditions { terms, turn_ms, match_ms, memory, threads, .. } = *self.conditions;
        let mut infos = vec![
            Setting::TimeoutTurn(turn_ms as i64),
            Setting::TimeoutMatch(match_ms.map_or(0, |ms| ms as i64)),
            Setting::TimeLeft(match_ms.map_or(UNLIMITED_MS, |ms| ms as i64)),
            Setting::TimeIncrement(self.conditions.increment_ms as i64),
            Setting::ThreadNum(threads.into()),
            Setting::MaxMemory(memory.map_or(350 << 20, |bytes| bytes as i64)),
        ];
        let more = if self.conditions.continuous { CONTINUOUS } else { 0 };
        infos.extend(terms.rule().map(|rule| Setting::Rule(rule.gomocup() | more)));
        let mut lines: Vec<String> =
            infos.into_iter().map(|info| Command::Info(info).to_wire()).collect();
        lines.extend(self.noise());
        lines.shuffle(self.rng);
        // Managers differ in which settings they send before START.
        let first = self.rng.random_range(0..=lines.len());
        let info_lines = match terms {
            Terms::Gomocup(_) => "INFO variant gomocup\n".to_owned(),
            Terms::Family(_) => terms.info_lines() + &self.tie_break(),
        };
        self.engine.send(&(info_lines + &lines[..first].concat()))?;
        self.engine.expect_ok(&terms.start().to_wire())?;
        if self.rng.random_bool(0.2) {
            self.engine.expect_ok("RESTART\n")?;
        }
        self.engine.send(&lines[first..].concat())
    }

    /// Settings persist across games, so an option that is off is sent, too.
    fn tie_break(&self) -> String {
        let tie_break = self.conditions.terms.contest().tie_break;
        Command::Info(Setting::TieBreak(tie_break)).to_wire()
    }

    /// Plays the opponent's move; meanwhile the engine may be frozen or get settings and
    /// malformed lines.
    fn wait(&mut self) -> Result<(), EngineFault> {
        self.engine.expect_silence()?;
        let frozen = self.rng.random_bool(self.conditions.freezes);
        if frozen {
            self.tally.frozen_idle += 1;
            self.engine.transcript.note("(frozen)");
            self.engine.process.freeze(true);
            std::thread::sleep(Duration::from_millis(self.rng.random_range(0..=FREEZE_MS / 2)));
        }
        moves::reply(&mut self.game_state, self.rng, self.conditions.wild);
        let noise = self.noise().concat();
        // Some managers write before they resume the process.
        let early = self.rng.random_bool(0.5);
        if early {
            self.engine.send(&noise)?;
        }
        if frozen {
            self.engine.process.freeze(false);
            self.engine.transcript.note("(goes on)");
        }
        if !early {
            self.engine.send(&noise)?;
        }
        if self.rng.random_bool(self.conditions.noise / 4.0) {
            self.tally.malformed += 1;
            noise::malformed(self.engine, self.rng)?;
        }
        Ok(())
    }

    /// Returns settings that change nothing, one line each.
    fn noise(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.len() < 4 && self.rng.random_bool(self.conditions.noise) {
            lines.push(noise::setting(self.rng));
        }
        self.tally.infos += lines.len() as u64;
        lines
    }

    /// Now and then takes back the last plies of both sides and plays another ply of the
    /// opponent.
    fn undo(&mut self) -> Result<(), EngineFault> {
        let actions = self.game_state.actions().len();
        let known = self.known_plies.as_ref().map_or(0, Vec::len);
        let gomocup = matches!(self.conditions.terms, Terms::Gomocup(_));
        if !gomocup || known < 2 || known + 1 != actions || !self.rng.random_bool(0.05) {
            return Ok(());
        }
        for _ in 0..2 {
            let newest = self.known_plies.as_mut().and_then(Vec::pop);
            if let Some(Action::Stones { cells, .. }) = newest
                && let Some(&cell) = cells.first()
            {
                self.engine.expect_ok(&Command::Takeback(point(cell)).to_wire())?;
                self.tally.taken_back += 1;
            }
        }
        self.game_state.take_back(3);
        moves::reply(&mut self.game_state, self.rng, self.conditions.wild);
        Ok(())
    }

    /// Requests a ply from the engine, judges it and plays it.
    fn ask(&mut self) -> Result<(), EngineFault> {
        if self.game_state.result().is_some() {
            return Ok(());
        }
        let question = self.question();
        let reply = self.request(&question)?;
        self.place(&reply)
    }

    /// Sends a question; judges the time of the answer and the memory in use.
    pub(super) fn request(&mut self, question: &str) -> Result<Reply, EngineFault> {
        let Conditions { turn_ms, increment_ms, .. } = *self.conditions;
        if let Some(left) = &mut self.left {
            *left += increment_ms as i64 * 1000;
        }
        let turn = Duration::from_millis(turn_ms);
        let left = self.left.map(|us| Duration::from_micros(us.max(0) as u64));
        let limit = left.map_or(turn, |left| left.min(turn));
        let text = self.settings() + question;
        self.engine.expect_silence()?;
        let (reply, timing) = self.timed(&text, limit)?;
        if let Some(left) = &mut self.left {
            *left -= timing.took.as_micros() as i64;
        }
        self.tally.note(timing);
        if timing.took > timing.limit + self.tolerance {
            let words = format!(
                "took {:.1} ms, but only had {:.1} ms; its threads waited {:.1} ms for a core",
                ms(timing.took),
                ms(timing.limit),
                ms(timing.waited)
            );
            return Err(EngineFault::new(FaultKind::Late, words));
        }
        self.check_memory()?;
        Ok(reply)
    }

    /// Returns the settings to send before a request for a move.
    fn settings(&mut self) -> String {
        let mut lines = self.noise();
        if std::mem::take(&mut self.resend_turn_limit) {
            lines.push(
                Command::Info(Setting::TimeoutTurn(self.conditions.turn_ms as i64)).to_wire(),
            );
        }
        if let Some(left) = self.left
            && self.conditions.sends_time_left
        {
            lines.push(Command::Info(Setting::TimeLeft(left.div_euclid(1000))).to_wire());
        }
        lines.shuffle(self.rng);
        lines.concat()
    }

    /// Returns the command that makes the engine think about the game.
    fn question(&mut self) -> String {
        let actions = self.game_state.actions();
        if actions.is_empty() {
            return Command::Begin.to_wire();
        }
        let (newest, earlier) = (&actions[actions.len() - 1], &actions[..actions.len() - 1]);
        let turn = self.known_plies.as_deref() == Some(earlier) && self.rng.random_bool(0.8);
        let mut position = moves::position_command(self.conditions.terms, &self.game_state);
        let mut in_order = true;
        // With fouls the order of a list matters.
        let any_order = self.conditions.terms.rule().is_some_and(|rule| !rule.card().has_fouls());
        if let Command::Board(list) = &mut position
            && any_order
            && !turn
            && self.rng.random_bool(0.2)
        {
            list.shuffle(self.rng);
            in_order = false;
        }
        let command = match self.conditions.terms {
            Terms::Family(_) if turn => Command::TurnPly(ply_of(newest, Axes::ColumnFirst)),
            Terms::Family(_) => position,
            Terms::Gomocup(_) => match moves::stones(&self.game_state)[..] {
                [.., last] if turn => Command::Turn(point(last)),
                _ => position,
            },
        };
        self.known_plies = in_order.then(|| actions.to_vec());
        command.to_wire()
    }

    /// Sends a question and waits for its answer; meanwhile it may freeze the engine or tell
    /// it to hurry.
    fn timed(&mut self, text: &str, limit: Duration) -> Result<(Reply, Timing), EngineFault> {
        let span = limit.as_micros().max(5_000) as u64;
        let within = |rng: &mut SmallRng| Duration::from_micros(rng.random_range(0..span));
        let freeze = self.rng.random_bool(self.conditions.freezes).then(|| {
            let lasts = Duration::from_millis(self.rng.random_range(1..=FREEZE_MS));
            (within(self.rng), lasts)
        });
        let hurry = (self.rng.random_bool(0.03) && limit > Duration::from_millis(20))
            .then(|| (within(self.rng), self.rng.random_bool(0.5)));
        let waited = self.engine.waited();
        let asked = Instant::now();
        self.engine.send(text)?;
        let mut line = None;
        let mut frozen = None;
        if let Some((after, lasts)) = freeze {
            line = self.engine.receive(asked + after)?;
            if line.is_none() {
                let begun = Instant::now();
                self.engine.process.freeze(true);
                std::thread::sleep(lasts);
                self.engine.process.freeze(false);
                self.engine
                    .transcript
                    .note(&format!("(was frozen for {:.1} ms)", ms(begun.elapsed())));
                frozen = Some((begun, Instant::now()));
            }
        }
        let mut hurried = None;
        if line.is_none()
            && let Some((after, by_setting)) = hurry
        {
            line = self.engine.receive(asked + after)?;
            if line.is_none() {
                self.engine.send(if by_setting { "INFO timeout_turn 0\n" } else { "YXSTOP\n" })?;
                self.resend_turn_limit |= by_setting;
                hurried = Some(asked.elapsed());
            }
        }
        let line = match line {
            Some(line) => line,
            None => {
                let until = Instant::now() + limit + self.tolerance + self.patience;
                let silent = || EngineFault::new(FaultKind::Silent, "no answer to a request");
                self.engine.receive(until)?.ok_or_else(silent)?
            }
        };
        // Only time frozen before the answer counts as such, and is not charged.
        let not_charged = frozen
            .map_or(Duration::ZERO, |(from, to)| line.at.min(to).saturating_duration_since(from));
        let took = line.at.saturating_duration_since(asked).saturating_sub(not_charged);
        let timing = Timing {
            limit: hurried.map_or(limit, |at| at.saturating_sub(not_charged).min(limit)),
            took,
            waited: self.engine.waited().saturating_sub(waited),
            frozen: frozen.is_some(),
            hurried: hurried.is_some(),
        };
        match line.reply {
            Ok(reply) => Ok((reply, timing)),
            Err(_) => Err(EngineFault::new(FaultKind::Line, format!("answered {}", quote(&line)))),
        }
    }

    /// Judges an answer and plays it.
    fn place(&mut self, reply: &Reply) -> Result<(), EngineFault> {
        let gomocup = matches!(self.conditions.terms, Terms::Gomocup(_));
        let ply = reply.ply().filter(|ply| !gomocup || ply.only().is_some());
        let Some(ply) = ply else {
            return Err(EngineFault::new(FaultKind::Line, format!("'{reply}' instead of a move")));
        };
        let illegal =
            |why: String| EngineFault::new(FaultKind::Illegal, format!("'{reply}': {why}"));
        let action = action_of(&self.game_state, &ply, Axes::ColumnFirst)
            .map_err(|at| illegal(format!("{at} is outside the board")))?;
        let only_fouls = self.has_only_fouls();
        self.game_state.apply(&action).map_err(|why| illegal(why.to_string()))?;
        let foul = self.game_state.result().is_some_and(|result| result.reason == Reason::Foul);
        if foul && !only_fouls {
            return Err(illegal("a foul".into()));
        }
        if let Some(plies) = &mut self.known_plies {
            plies.push(action);
        }
        Ok(())
    }

    /// Whether every empty point is a foul.
    fn has_only_fouls(&self) -> bool {
        let referee = self.game_state.referee();
        let to_move = self.game_state.to_move();
        self.game_state.placements().iter().all(|&cell| referee.fouls(to_move, cell).any())
    }

    fn check_memory(&self) -> Result<(), EngineFault> {
        let Some(limit) = self.conditions.judged_memory() else { return Ok(()) };
        match self.engine.process.private_memory() {
            Some(held) if held > limit => {
                let words = format!("held {held} bytes, but only {limit} are allowed");
                Err(EngineFault::new(FaultKind::Memory, words))
            }
            _ => Ok(()),
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
