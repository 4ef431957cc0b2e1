//! The clock during a game: when it runs, and what happens when a seat runs out of time.

use std::mem;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use super::heading::{End, Heading};
use super::placing::Placing;
use super::running::{Purpose, Running};
use super::{Change, Model, view};
use crate::clock::GameClock;
use crate::schema::{ClockView, Event, Outcome, Player, Position, TimeControl};
use goren_core::opening::{Action, Seat};
use goren_core::rules;
use goren_core::types::Color;
use goren_engine::Budget;
use goren_notation::ending::OVERTIME;
use goren_notation::words::name;

impl Model {
    /// Plays a ply that the seat to act decided on at the time `at`, and starts the other seat's
    /// clock.
    ///
    /// # Errors
    /// It is illegal, or the tree is full; nothing changes.
    pub(super) fn play_ply(&mut self, action: &Action, at: Instant) -> Result<()> {
        let (path, seat) = (self.path(), self.game_state().seat());
        self.tree.play(action)?;
        if let Some(clock) = &mut self.clock {
            let node = self.tree.current();
            clock.played(&path, node, seat, at);
            // The position is reached in time now, even if a seat ran out of time there before.
            self.forget_overtime();
        }
        self.run_clock();
        Ok(())
    }

    /// Removes a loss on time from the heading, if it is that of the position shown.
    fn forget_overtime(&mut self) {
        let end = self.tree.heading.end_at(self.tree.current());
        if end.is_some_and(|end| end.reason == OVERTIME) {
            self.tree.heading.end = None;
        }
    }

    /// Removes the result from the heading if it is a loss by the clock that is being dropped,
    /// whatever position is shown.
    fn forget_end_by_clock(&mut self) {
        if self.tree.heading.end.as_ref().is_some_and(|end| self.is_by_clock(end)) {
            self.tree.heading.end = None;
        }
    }

    /// Whether a result is a loss by the current clock.
    fn is_by_clock(&self, end: &End) -> bool {
        let path = self.tree.path(end.node);
        self.clock.as_ref().is_some_and(|clock| clock.out(&path).is_some())
    }

    /// Returns the nodes that lead to the position shown.
    fn path(&self) -> Vec<usize> {
        self.tree.path(self.tree.current())
    }

    /// Whether the position is under analysis or review, so that no time runs.
    fn is_studied(&self) -> bool {
        let reviews = self.review.as_ref().is_some_and(|review| review.work.is_some());
        self.play.lines > 0 || reviews
    }

    /// Starts the clock at the position shown, unless it is being studied or the game is over.
    pub(super) fn run_clock(&mut self) {
        let (path, pending, is_studied) = (self.path(), self.pending(), self.is_studied());
        let Some(clock) = &mut self.clock else { return };
        match pending {
            Some(pending) if !is_studied => clock.start(&path, pending.seat, Instant::now()),
            _ => {
                clock.stop(Instant::now());
            }
        }
    }

    /// Resumes a stopped clock, as the engine begins to think.
    pub(super) fn resume_clock(&mut self, events: &mut Vec<Event>) {
        let shown = self.tree.current();
        if self.clock.as_ref().is_some_and(|clock| !clock.runs_at(shown)) {
            self.run_clock();
            events.push(self.clock_view());
        }
    }

    /// Stops the clock.
    pub(super) fn stop_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.stop(Instant::now());
        }
    }

    /// Stops the clock if it is not running at the position shown.
    pub(super) fn stop_clock_elsewhere(&mut self) {
        let shown = self.tree.current();
        if self.clock.as_ref().is_some_and(|clock| !clock.runs_at(shown)) {
            self.stop_clock();
        }
    }

    /// Stops the clock if the engine is to act but is not deciding: its search has failed, or
    /// was dropped for another.
    pub(super) fn stop_idle_clock(&mut self, events: &mut Vec<Event>) {
        let runs = self.clock.as_ref().is_some_and(|clock| clock.runs());
        if runs && self.is_engine_to_act() && !self.decides() {
            self.stop_clock();
            events.push(self.clock_view());
        }
    }

    fn is_engine_to_act(&self) -> bool {
        self.play.player(self.game_state().seat()) == Player::Engine
    }

    /// Whether the engine is deciding on a ply to play.
    fn decides(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.purpose == Purpose::Decide)
    }

    /// Stops the clock, as the position is studied from now on.
    pub(super) fn study(&mut self, events: &mut Vec<Event>) {
        if self.clock.as_ref().is_some_and(|clock| clock.runs()) {
            self.stop_clock();
            events.push(self.clock_view());
        }
    }

    /// Restarts a running clock after plies were taken back, if it is a person's turn: with the
    /// full time for a ply.
    pub(super) fn restart_clock(&mut self) {
        let (path, seat) = (self.path(), self.game_state().seat());
        let is_person = self.play.player(seat) == Player::Person;
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.runs() && is_person) {
            clock.start_anew(&path, seat, Instant::now());
        }
    }

    /// Stops or resumes the clock. The engine does not play while it is stopped.
    pub(super) fn set_clock(&mut self, run: bool, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(self.clock.is_some(), "this game has no clock");
        if run {
            self.ensure_in_time()?;
            ensure!(self.pending().is_some(), "the game is over");
            ensure!(
                !self.is_studied(),
                "the clock is stopped during an analysis or a review: end it first"
            );
            if self.is_engine_to_act() {
                self.ensure_no_stone_placed()?;
            }
            self.run_clock();
            if self.is_engine_to_act() && !self.decides() {
                self.search_again(true, events);
            }
        } else {
            self.stop_clock();
            // Only a decision waits for the clock; opening a winning tree does not.
            if self.decides() {
                self.end_search(events);
            }
        }
        events.push(self.clock_view());
        Ok(Change::Nothing)
    }

    /// Gives the game another clock, or none. Both sides get the full time at the position
    /// shown, even a side that was out of time there.
    pub(super) fn set_time_control(
        &mut self,
        time: Option<TimeControl>,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        ensure!(
            self.exercise.is_none() && self.walk.is_none(),
            "an exercise or a walk has no clock: leave it first"
        );
        let clock = time.map(GameClock::new).transpose()?;
        self.forget_end_by_clock();
        self.clock = clock;
        self.run_clock();
        events.extend(self.kept().ok());
        events.push(Event::Position(Box::new(self.position())));
        events.push(self.clock_view());
        // The engine gets a new budget, or starts if it was waiting for the clock.
        let is_due = self.pending().is_some() && self.is_engine_to_act() && !self.is_studied();
        if is_due {
            self.search_again(true, events);
        }
        Ok(Change::Nothing)
    }

    /// Reports the state of the clock.
    pub(super) fn report_time(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(self.clock_view());
        Ok(Change::Nothing)
    }

    /// Returns the engine's budget for its ply, if the game has a clock.
    pub(super) fn clock_budget(&self) -> Option<Budget> {
        let game_state = self.game_state();
        let contest = game_state.contest();
        let size = (game_state.stones().len(), contest.width * contest.height);
        let clock = self.clock.as_ref()?;
        Some(clock.budget((&self.path(), game_state.seat()), Instant::now(), size))
    }

    /// Describes the clock.
    pub(super) fn clock_view(&self) -> Event {
        let to_act = self.pending().map(|pending| pending.seat);
        let view =
            self.clock.as_ref().map(|clock| clock.view(&self.path(), to_act, Instant::now()));
        Event::Clock(view.unwrap_or(ClockView {
            control: None,
            game_ms: [None; 2],
            move_ms: [None; 2],
            running: None,
            out: None,
        }))
    }

    /// Returns the seat that is out of time at the position shown.
    fn out(&self) -> Option<Seat> {
        self.clock.as_ref()?.out(&self.path())
    }

    /// Returns the colour that has lost on time at the position shown.
    pub(super) fn overtime(&self) -> Option<Color> {
        let seat = self.out()?;
        Color::ALL.into_iter().find(|&color| self.game_state().owner(color) == seat)
    }

    /// Refuses to play on if a seat is out of time.
    pub(super) fn ensure_in_time(&self) -> Result<()> {
        let Some(color) = self.overtime() else { return Ok(()) };
        // At the root there is nothing to undo.
        let advice = if self.tree.parent().is_some() {
            "go back with Undo"
        } else {
            "give the game another clock"
        };
        bail!("{} is out of time: {advice} to play on", name(color))
    }

    /// Describes the position shown. If a seat is out of time, the game is over. In a walk
    /// passing is not offered.
    pub(super) fn position(&self) -> Position {
        let mut position = view::position(&self.tree, &self.placing);
        if let Some(decision) = position.decision.as_mut().filter(|_| self.walk.is_some()) {
            decision.pass = false;
        }
        match self.overtime() {
            Some(color) => Position {
                decision: None,
                legal: Vec::new(),
                threats: Vec::new(),
                outcome: Some(Outcome {
                    winner: Some(!color),
                    text: overtime_text(color),
                    lines: Vec::new(),
                }),
                ..position
            },
            None => position,
        }
    }

    /// Ends the game if the running seat was out of time at the time `at`.
    pub(super) fn check_clock(&mut self, at: Instant, events: &mut Vec<Event>) {
        let expires = self.clock.as_mut().is_some_and(|clock| clock.expires(at));
        let Some(color) = self.overtime().filter(|_| expires) else { return };
        self.placing = Placing::default();
        let node = self.tree.current();
        // The result that a file gives for another line stays.
        let is_of_file =
            |end: &End| end.node != node && self.tree.contains(end.node) && !self.is_by_clock(end);
        if !self.tree.heading.end.as_ref().is_some_and(is_of_file) {
            let end = End::of(Some(rules::Outcome::Win(!color)), OVERTIME.into());
            let heading = mem::take(&mut self.tree.heading);
            self.tree.heading = Heading { end, ..heading }.ending_at(node);
        }
        let decides = |running: &mut Running| running.purpose == Purpose::Decide;
        if self.running.take_if(decides).is_some() {
            self.searcher.stop();
        }
        events.extend(self.kept().ok());
        events.push(Event::Position(Box::new(self.position())));
        events.push(self.clock_view());
        events.push(self.searching());
        events.push(Event::Message { text: overtime_text(color) });
    }
}

/// Returns the message that a colour has lost on time.
fn overtime_text(color: Color) -> String {
    format!("{} is out of time: {} wins.", name(color), name(!color))
}
