//! One game between two engines, judged by the referee.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::engine::{EngineAnswer, EngineLimits, EngineProcess, Failure};
use goren_core::opening::{Action, GameState, Seat};
use goren_core::record::import::MoveStats;
use goren_core::record::{Ending, PlayedPly};
use goren_core::rules::Contest;
use goren_core::rules::referee::Reason;
use goren_core::types::{Cell, Color};

/// Kinds of faults. An engine that commits a fault loses the game whatever the position.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GameFault {
    /// A move to an occupied cell or off the board, or a ply that the game does not allow.
    Illegal,
    /// A move to a forbidden point.
    Foul,
    /// A move that came too late.
    Overtime,
    /// No answer long after the time was up.
    Hang,
    /// The process ended.
    Crash,
    /// More memory than allowed.
    Memory,
    /// More output than can be read.
    Flood,
    /// An answer that is no move, or an unrequested move.
    Protocol,
}

impl GameFault {
    /// All kinds, in the order in which they are counted.
    pub(super) const ALL: [GameFault; 8] = [
        GameFault::Illegal,
        GameFault::Foul,
        GameFault::Overtime,
        GameFault::Hang,
        GameFault::Crash,
        GameFault::Memory,
        GameFault::Flood,
        GameFault::Protocol,
    ];

    /// Name in files and tables.
    pub(super) const fn name(self) -> &'static str {
        match self {
            GameFault::Illegal => "illegal move",
            GameFault::Foul => "foul",
            GameFault::Overtime => "overtime",
            GameFault::Hang => "hang",
            GameFault::Crash => "crash",
            GameFault::Memory => "memory",
            GameFault::Flood => "flood",
            GameFault::Protocol => "protocol",
        }
    }

    /// Whether the process may play the next game after this fault.
    pub(super) const fn leaves_engine_usable(self) -> bool {
        matches!(self, GameFault::Foul | GameFault::Overtime)
    }

    fn of(failure: &Failure) -> GameFault {
        match failure {
            Failure::Silent { .. } => GameFault::Hang,
            Failure::Spawn(_) | Failure::Crash(_) => GameFault::Crash,
            Failure::Flood => GameFault::Flood,
            Failure::Protocol(_) | Failure::Refused { .. } => GameFault::Protocol,
            Failure::Illegal(_) => GameFault::Illegal,
        }
    }
}

/// How engines are judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct JudgeSettings {
    /// Milliseconds by which a move may exceed the limit.
    pub(super) tolerance_ms: u64,
    /// Milliseconds after which a silent engine is abandoned, counted from the end of the
    /// tolerance, or from the question if there is no time limit.
    pub(super) hang_after_ms: u64,
    /// Stones and passes after which the game is drawn.
    pub(super) draw_after: Option<usize>,
    /// Whether exceeding the memory limit is counted without losing the game.
    pub(super) forgive_memory: bool,
}

/// One side of a game: a started engine.
pub(super) struct SeatedEngine<'a> {
    pub(super) engine: &'a mut EngineProcess,
    pub(super) limits: &'a EngineLimits,
}

/// Statistics of a side after a game.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct SideReport {
    /// Microseconds of all moves.
    pub(super) time_us: u64,
    /// Microseconds of a question that led to a fault instead of a move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) unplayed_us: u64,
    /// Microseconds of the longest move.
    pub(super) longest_us: u64,
    /// Peak memory of the process in bytes; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) memory: Option<u64>,
    /// Whether the peak exceeded the limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) over_memory: bool,
    /// Last complaint of the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) complaint: Option<String>,
}

fn is_zero(us: &u64) -> bool {
    *us == 0
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FinishedGame {
    pub(super) plies: Vec<PlayedPly>,
    /// Seat that had Black at the end.
    pub(super) black: Seat,
    pub(super) ending: Ending,
    /// A [`Reason::name`], `move limit`, or the name of the fault.
    pub(super) reason: &'static str,
    /// Loser, kind and description of the fault that ended the game.
    pub(super) fault: Option<(Seat, GameFault, String)>,
    /// By seats.
    pub(super) sides: [SideReport; 2],
    /// Time during which neither engine was thinking.
    pub(super) overhead: Duration,
}

/// Plays a game from an opening; `None` if stopped. A game must just have been started in
/// both engines.
///
/// # Errors
/// An opening that is illegal.
pub(super) fn play(
    contest: Contest,
    opening: &[Action],
    players: &mut [SeatedEngine<'_>; 2],
    judging: &JudgeSettings,
    stop: &AtomicBool,
) -> Result<Option<FinishedGame>> {
    let mut game_state = GameState::new(contest);
    for (number, action) in (1..).zip(opening) {
        game_state.apply(action).with_context(|| format!("ply {number} of the opening"))?;
    }
    let mut match_game = MatchGame {
        game_state,
        plies: Vec::new(),
        sides: Default::default(),
        clocks: [0, 1].map(|i: usize| Clock::new(players[i].limits)),
        judging,
    };
    let begun = Instant::now();
    let (ending, reason, fault) = loop {
        if stop.load(Relaxed) {
            return Ok(None);
        }
        if let Some((ending, reason)) = match_game.ended() {
            break (ending, reason, None);
        }
        let seat = match_game.game_state.seat();
        if let Err((fault, why)) = match_game.turn(seat, &mut players[seat.index()]) {
            break (Ending::Win(!seat), fault.name(), Some((seat, fault, why)));
        }
    };
    let elapsed = begun.elapsed();
    let thinking = |side: &SideReport| side.time_us + side.unplayed_us;
    let thinking_us: u64 = match_game.sides.iter().map(thinking).sum();
    for (side, player) in match_game.sides.iter_mut().zip(players) {
        side.memory = player.engine.peak_memory().or(side.memory);
    }
    Ok(Some(FinishedGame {
        plies: match_game.plies,
        black: match_game.game_state.owner(Color::Black),
        ending,
        reason,
        fault,
        sides: match_game.sides,
        overhead: elapsed.saturating_sub(Duration::from_micros(thinking_us)),
    }))
}

/// A game in progress.
struct MatchGame<'a> {
    game_state: GameState,
    plies: Vec<PlayedPly>,
    sides: [SideReport; 2],
    clocks: [Clock; 2],
    judging: &'a JudgeSettings,
}

impl MatchGame<'_> {
    /// Returns how and why the game ended, if it did so without a fault.
    fn ended(&self) -> Option<(Ending, &'static str)> {
        let placed = self.game_state.events().len();
        let at_limit = self.judging.draw_after.is_some_and(|stones| placed >= stones);
        let Some(result) = self.game_state.result() else {
            return at_limit.then_some((Ending::Draw, "move limit"));
        };
        let ending = match result.seats[..] {
            [seat] => Ending::Win(seat),
            _ => Ending::Draw,
        };
        Some((ending, result.reason.name()))
    }

    /// Requests a ply from an engine, judges it and plays it.
    fn turn(
        &mut self,
        seat: Seat,
        player: &mut SeatedEngine<'_>,
    ) -> Result<(), (GameFault, String)> {
        let clock = &mut self.clocks[seat.index()];
        let limit = clock.before_a_move();
        let tolerance = Duration::from_millis(self.judging.tolerance_ms);
        let patience = Duration::from_millis(self.judging.hang_after_ms);
        let wait = limit.map_or(patience, |limit| limit + tolerance + patience);
        let time_left = clock.time_left_ms();
        let side = &mut self.sides[seat.index()];
        let asked = Instant::now();
        let answer = player.engine.think(&self.game_state, time_left, wait);
        let answer = answer.map_err(|failure| {
            side.unplayed_us += micros(asked.elapsed());
            (GameFault::of(&failure), failure.to_string())
        })?;
        clock.spend(answer.elapsed);
        let us = micros(answer.elapsed);
        // Counts as unplayed until the move is on the board.
        side.unplayed_us = us;
        side.longest_us = side.longest_us.max(us);
        side.complaint = answer.complaint.clone().or(side.complaint.take());
        if let Some(limit) = limit
            && clock.is_exceeded(answer.elapsed, tolerance)
        {
            let [took, had] = [answer.elapsed, limit].map(|time| time.as_secs_f64() * 1e3);
            return Err((
                GameFault::Overtime,
                format!("took {took:.1} ms, but only had {had:.0} ms"),
            ));
        }
        self.place(answer)?;
        self.check_memory(seat, player)
    }

    fn place(&mut self, answer: EngineAnswer) -> Result<(), (GameFault, String)> {
        let next = answer.played(&self.game_state);
        let next = next.map_err(|failure| (GameFault::of(&failure), failure.to_string()))?;
        let EngineAnswer { answer: action, elapsed, report, .. } = answer;
        // Only a single stone, or the fifth that is chosen, can be a foul.
        let suspect = match &action {
            Action::Stones { cells, .. } => cells.first().copied(),
            Action::Choose { fifth, .. } => Some(*fifth),
            Action::Swap | Action::Pass | Action::Offer(_) => None,
        };
        let foul = suspect.map(|cell| (cell, self.foul_words(cell)));
        let side = &mut self.sides[self.game_state.seat().index()];
        self.game_state = next;
        let stats = MoveStats {
            ms: micros(elapsed) / 1000,
            eval: report.eval.map(|eval| eval.to_string()).unwrap_or_default(),
            depth: report.depth,
            nodes: report.nodes,
        };
        self.plies.push(PlayedPly { action, stats });
        side.time_us += mem::take(&mut side.unplayed_us);
        if let Some((cell, words)) = foul
            && self.game_state.result().is_some_and(|result| result.reason == Reason::Foul)
        {
            let at = cell.label(self.game_state.contest().height);
            return Err((GameFault::Foul, format!("{words} at {at}")));
        }
        Ok(())
    }

    /// Names the kinds of foul that a stone of the side to move would be.
    fn foul_words(&self, cell: Cell) -> String {
        let fouls = self.game_state.referee().fouls(self.game_state.to_move(), cell);
        let kinds = [
            (fouls.overline, "overline"),
            (fouls.double_four, "double four"),
            (fouls.double_three, "double three"),
        ];
        let kinds: Vec<&str> = kinds.iter().filter(|kind| kind.0).map(|kind| kind.1).collect();
        kinds.join(" and ")
    }

    fn check_memory(
        &mut self,
        seat: Seat,
        player: &SeatedEngine<'_>,
    ) -> Result<(), (GameFault, String)> {
        let side = &mut self.sides[seat.index()];
        let Some(limit) = player.limits.memory.filter(|_| !side.over_memory) else { return Ok(()) };
        let Some(peak) = player.engine.peak_memory() else { return Ok(()) };
        side.memory = Some(peak);
        side.over_memory = peak > limit;
        if side.over_memory && !self.judging.forgive_memory {
            let [held, allowed] = [peak, limit].map(|bytes| bytes as f64 / f64::from(1 << 20));
            let words = format!("held {held:.1} MiB, but only {allowed:.1} MiB are allowed");
            return Err((GameFault::Memory, words));
        }
        Ok(())
    }
}

/// The time of one side.
struct Clock {
    turn: Option<Duration>,
    /// Microseconds left of the game; below 0 within the tolerance.
    left_us: Option<i64>,
    increment_us: i64,
}

impl Clock {
    fn new(limits: &EngineLimits) -> Clock {
        let us = |ms: u64| i64::try_from(ms.saturating_mul(1000)).unwrap_or(i64::MAX);
        Clock {
            turn: limits.turn_ms.map(Duration::from_millis),
            left_us: limits.match_ms.map(us),
            increment_us: us(limits.increment_ms),
        }
    }

    /// Adds the increment; returns the time allowed for the move.
    fn before_a_move(&mut self) -> Option<Duration> {
        let left = self.left_us.as_mut().map(|left| {
            *left = left.saturating_add(self.increment_us);
            Duration::from_micros(u64::try_from(*left).unwrap_or(0))
        });
        [self.turn, left].into_iter().flatten().min()
    }

    fn time_left_ms(&self) -> Option<i64> {
        self.left_us.map(|left| left.div_euclid(1000))
    }

    /// Whether a move that took this long, already deducted, exceeds the time per move by more
    /// than the tolerance, or all moves together the time per game.
    fn is_exceeded(&self, took: Duration, tolerance: Duration) -> bool {
        let overdrawn = |left: i64| left < 0 && left.unsigned_abs() > micros(tolerance);
        self.turn.is_some_and(|turn| took > turn + tolerance) || self.left_us.is_some_and(overdrawn)
    }

    fn spend(&mut self, time: Duration) {
        if let Some(left) = &mut self.left_us {
            *left = left.saturating_sub_unsigned(micros(time));
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_deducts_time_and_adds_increments() {
        let ms = Duration::from_millis;
        let limits = EngineLimits {
            turn_ms: Some(300),
            match_ms: Some(1000),
            increment_ms: 50,
            ..EngineLimits::default()
        };
        let mut clock = Clock::new(&limits);
        assert_eq!((clock.before_a_move(), clock.time_left_ms()), (Some(ms(300)), Some(1050)));
        clock.spend(Duration::from_micros(900_500));
        assert_eq!(clock.before_a_move(), Some(Duration::from_micros(199_500)));
        assert_eq!(clock.time_left_ms(), Some(199));
        // Within the tolerance the clock may go below zero; the engine is sent the negative time.
        clock.spend(ms(400));
        assert_eq!((clock.before_a_move(), clock.time_left_ms()), (Some(ms(0)), Some(-151)));
        // An overdraft carries over to the next move.
        let (tolerance, took) = (ms(200), ms(1));
        assert!(!clock.is_exceeded(took, tolerance));
        clock.spend(ms(60));
        assert!(clock.is_exceeded(took, tolerance));
        assert!(!clock.is_exceeded(ms(450), ms(300)) && clock.is_exceeded(ms(650), ms(300)));
        let mut free = Clock::new(&EngineLimits::default());
        assert_eq!((free.before_a_move(), free.time_left_ms()), (None, None));
        let mut slow = Clock::new(&EngineLimits { turn_ms: Some(7), ..EngineLimits::default() });
        assert_eq!((slow.before_a_move(), slow.time_left_ms()), (Some(ms(7)), None));
    }
}
