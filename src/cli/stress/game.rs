//! A game of the engine against the baseline player, under freezes, malformed
//! input, settings and limits.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Reply, Setting};
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::conditions::Conditions;
use super::fault::{EngineFault, FaultKind};
use super::tally::{StressTotals, Timing};
use super::watched_engine::{WatchedEngine, reported};
use super::{moves, noise};
use crate::engine::{Terms, point};
use goren_core::opening::{Action, GameState, Seat};
use goren_core::rules::referee::Reason;
use goren_session::wire::{Axes, action_of, ply_of};

/// The time left that managers send in a game without a limit.
const UNLIMITED_MS: i64 = 2_147_483_647;
/// The bit of `INFO rule` for games that go on after a win.
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
    /// Time after which a silent engine is given up, beyond limit and
    /// tolerance.
    patience: Duration,
    pub(super) game_state: GameState,
    /// The engine's seat.
    pub(super) seat: Seat,
    /// The plies that the engine knows in their order; `None` after a list out
    /// of order.
    pub(super) known: Option<Vec<Action>>,
    /// Microseconds left of the match time.
    left: Option<i64>,
    /// Whether the limit of a turn must be told again.
    retell: bool,
}

impl<'a> StressGame<'a> {
    /// A game that has not begun. An answer may come the first of two times
    /// after its limit; after the second, the engine is given up.
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
            known: Some(Vec::new()),
            left: conditions.match_ms.map(|ms| ms as i64 * 1000),
            retell: false,
            conditions,
            rng,
            engine,
            tally,
            tolerance,
            patience,
        }
    }

    /// Plays it to its end, or as far as the conditions say.
    ///
    /// # Errors
    /// What the engine did wrong.
    pub(super) fn play(&mut self) -> Result<(), EngineFault> {
        self.start()?;
        let Conditions { laid, wild, swap2, continuous, .. } = *self.conditions;
        match swap2 {
            Some(stones) => self.swap2(stones)?,
            None => moves::lay(&mut self.game_state, laid, self.rng, wild),
        }
        while self.game_state.pending_decision().is_some()
            && self.game_state.actions().len() < self.conditions.longest
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
            self.go_on()?;
        }
        // Lines that are not due have arrived before its name.
        self.engine.expect_name()?;
        self.engine.quiet()
    }

    /// Names the game and its limits, in any order.
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
        // Managers differ in which settings they name first.
        let before = self.rng.random_range(0..=lines.len());
        let naming = match terms {
            Terms::Gomocup(_) => "INFO variant gomocup\n".to_owned(),
            Terms::Family(_) => terms.naming() + &self.tie_break(),
        };
        self.engine.say(&(naming + &lines[..before].concat()))?;
        self.engine.expect_ok(&terms.start().to_wire())?;
        if self.rng.random_bool(0.2) {
            self.engine.expect_ok("RESTART\n")?;
        }
        self.engine.say(&lines[before..].concat())
    }

    /// Settings outlive games, so an option that is off is sent too.
    fn tie_break(&self) -> String {
        let tie_break = self.conditions.terms.contest().tie_break;
        Command::Info(Setting::TieBreak(tie_break)).to_wire()
    }

    /// The opponent moves; meanwhile the engine may be frozen or get settings and
    /// malformed lines.
    fn wait(&mut self) -> Result<(), EngineFault> {
        self.engine.quiet()?;
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
            self.engine.say(&noise)?;
        }
        if frozen {
            self.engine.process.freeze(false);
            self.engine.transcript.note("(goes on)");
        }
        if !early {
            self.engine.say(&noise)?;
        }
        if self.rng.random_bool(self.conditions.noise / 4.0) {
            self.tally.malformed += 1;
            noise::malformed(self.engine, self.rng)?;
        }
        Ok(())
    }

    /// Settings that change nothing, a line each.
    fn noise(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while lines.len() < 4 && self.rng.random_bool(self.conditions.noise) {
            lines.push(noise::setting(self.rng));
        }
        self.tally.infos += lines.len() as u64;
        lines
    }

    /// Now and then the last plies of both sides are taken back, and the other
    /// side plays anew.
    fn undo(&mut self) -> Result<(), EngineFault> {
        let actions = self.game_state.actions().len();
        let known = self.known.as_ref().map_or(0, Vec::len);
        let gomocup = matches!(self.conditions.terms, Terms::Gomocup(_));
        if !gomocup || known < 2 || known + 1 != actions || !self.rng.random_bool(0.05) {
            return Ok(());
        }
        for _ in 0..2 {
            let newest = self.known.as_mut().and_then(Vec::pop);
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

    /// Asks the engine for a ply, and judges it.
    fn ask(&mut self) -> Result<(), EngineFault> {
        if self.game_state.result().is_some() {
            return Ok(());
        }
        let question = self.question();
        let reply = self.put(&question)?;
        self.place(&reply)
    }

    /// Sends a question; judges the time of the answer and the memory held.
    pub(super) fn put(&mut self, question: &str) -> Result<Reply, EngineFault> {
        let Conditions { turn_ms, increment_ms, .. } = *self.conditions;
        if let Some(left) = &mut self.left {
            *left += increment_ms as i64 * 1000;
        }
        let turn = Duration::from_millis(turn_ms);
        let left = self.left.map(|us| Duration::from_micros(us.max(0) as u64));
        let limit = left.map_or(turn, |left| left.min(turn));
        let text = self.settings() + question;
        self.engine.quiet()?;
        let (reply, timing) = self.timed(&text, limit)?;
        if let Some(left) = &mut self.left {
            *left -= timing.took.as_micros() as i64;
        }
        self.tally.note(timing);
        if timing.took > timing.limit + self.tolerance {
            let words = format!(
                "took {:.1} ms where it had {:.1} ms and {:.1} ms went by without a core",
                ms(timing.took),
                ms(timing.limit),
                ms(timing.waited)
            );
            return Err(EngineFault::new(FaultKind::Late, words));
        }
        self.check_memory()?;
        Ok(reply)
    }

    /// The settings that are sent before a request for a move.
    fn settings(&mut self) -> String {
        let mut lines = self.noise();
        if std::mem::take(&mut self.retell) {
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

    /// The command that makes the engine think about the game.
    fn question(&mut self) -> String {
        let actions = self.game_state.actions();
        if actions.is_empty() {
            return Command::Begin.to_wire();
        }
        let (newest, before) = (&actions[actions.len() - 1], &actions[..actions.len() - 1]);
        let turn = self.known.as_deref() == Some(before) && self.rng.random_bool(0.8);
        let mut whole = moves::whole(self.conditions.terms, &self.game_state);
        let mut in_order = true;
        // Where there are fouls the order of a list counts.
        let any_order = self.conditions.terms.rule().is_some_and(|rule| !rule.card().has_fouls());
        if let Command::Board(list) = &mut whole
            && any_order
            && !turn
            && self.rng.random_bool(0.2)
        {
            list.shuffle(self.rng);
            in_order = false;
        }
        let command = match self.conditions.terms {
            Terms::Family(_) if turn => Command::TurnPly(ply_of(newest, Axes::ColumnFirst)),
            Terms::Family(_) => whole,
            Terms::Gomocup(_) => match moves::stones(&self.game_state)[..] {
                [.., last] if turn => Command::Turn(point(last)),
                _ => whole,
            },
        };
        self.known = in_order.then(|| actions.to_vec());
        command.to_wire()
    }

    /// Sends a question and waits for its answer; may freeze the engine or make it
    /// hurry meanwhile.
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
        self.engine.say(text)?;
        let mut heard = None;
        let mut frozen = None;
        if let Some((after, lasts)) = freeze {
            heard = self.engine.receive(asked + after)?;
            if heard.is_none() {
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
        if heard.is_none()
            && let Some((after, by_setting)) = hurry
        {
            heard = self.engine.receive(asked + after)?;
            if heard.is_none() {
                self.engine.say(if by_setting { "INFO timeout_turn 0\n" } else { "YXSTOP\n" })?;
                self.retell |= by_setting;
                hurried = Some(asked.elapsed());
            }
        }
        let heard = match heard {
            Some(heard) => heard,
            None => {
                let until = Instant::now() + limit + self.tolerance + self.patience;
                let silent = || EngineFault::new(FaultKind::Silent, "no answer to a question");
                self.engine.receive(until)?.ok_or_else(silent)?
            }
        };
        // Frozen time after the answer is not charged.
        let still = frozen
            .map_or(Duration::ZERO, |(from, to)| heard.at.min(to).saturating_duration_since(from));
        let took = heard.at.saturating_duration_since(asked).saturating_sub(still);
        let timing = Timing {
            limit: hurried.map_or(limit, |at| at.saturating_sub(still).min(limit)),
            took,
            waited: self.engine.waited().saturating_sub(waited),
            frozen: frozen.is_some(),
            hurried: hurried.is_some(),
        };
        match heard.reply {
            Ok(reply) => Ok((reply, timing)),
            Err(_) => {
                Err(EngineFault::new(FaultKind::Line, format!("answered {}", reported(&heard))))
            }
        }
    }

    /// Judges an answer and places it.
    fn place(&mut self, reply: &Reply) -> Result<(), EngineFault> {
        let gomocup = matches!(self.conditions.terms, Terms::Gomocup(_));
        let ply = reply.ply().filter(|ply| !gomocup || ply.only().is_some());
        let Some(ply) = ply else {
            return Err(EngineFault::new(
                FaultKind::Line,
                format!("'{reply}' where a move was due"),
            ));
        };
        let illegal =
            |why: String| EngineFault::new(FaultKind::Illegal, format!("'{reply}': {why}"));
        let action = action_of(&self.game_state, &ply, Axes::ColumnFirst)
            .map_err(|at| illegal(format!("{at} is outside the board")))?;
        let helpless = self.is_helpless();
        self.game_state.apply(&action).map_err(|why| illegal(why.to_string()))?;
        let foul = self.game_state.result().is_some_and(|result| result.reason == Reason::Foul);
        if foul && !helpless {
            return Err(illegal("a foul".into()));
        }
        if let Some(known) = &mut self.known {
            known.push(action);
        }
        Ok(())
    }

    /// Whether every point is a foul.
    fn is_helpless(&self) -> bool {
        let referee = self.game_state.referee();
        let to_move = self.game_state.to_move();
        self.game_state.placements().iter().all(|&cell| referee.fouls(to_move, cell).any())
    }

    fn check_memory(&self) -> Result<(), EngineFault> {
        let Some(limit) = self.conditions.judged_memory() else { return Ok(()) };
        match self.engine.process.private_memory() {
            Some(held) if held > limit => {
                let words = format!("held {held} bytes where {limit} were allowed");
                Err(EngineFault::new(FaultKind::Memory, words))
            }
            _ => Ok(()),
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
