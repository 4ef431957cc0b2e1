//! The clock in the course of a game: when it runs, and what comes of a time that is out.

use std::mem;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use super::clock::GameClock;
use super::heading::{End, Heading};
use super::placing::Placing;
use super::running::{Purpose, Running};
use super::{Change, Model, view};
use crate::schema::{ClockView, Event, Outcome, Player, Position, TimeControl};
use goren_core::opening::{Action, Seat};
use goren_core::rules;
use goren_core::types::Color;
use goren_engine::Budget;
use goren_notation::words::name;

/// Why a game ended whose time was out, as records of games have it.
const OVERTIME: &str = "overtime";

impl Model {
    /// Plays a ply that the seat to act has decided on at some time, and turns the clock over
    /// to the other seat.
    ///
    /// # Errors
    /// It is illegal, or the tree is full; nothing changes.
    pub(super) fn play_ply(&mut self, action: &Action, at: Instant) -> Result<()> {
        let (path, seat) = (self.path(), self.game_state().seat());
        self.tree.play(action)?;
        if let Some(clock) = &mut self.clock {
            let node = self.tree.current();
            clock.played(&path, node, seat, at);
            // The position was reached in time now, where an earlier time was out.
            self.forget_overtime();
        }
        self.run_clock();
        Ok(())
    }

    /// Takes the end of a game by the clock away, if it was that of the position shown.
    fn forget_overtime(&mut self) {
        let end = self.tree.heading.end_at(self.tree.current());
        if end.is_some_and(|end| end.reason == OVERTIME) {
            self.tree.heading.end = None;
        }
    }

    /// Takes the end of a game away where it is one by the clock that is given up, whatever
    /// position is shown.
    fn forget_end_by_clock(&mut self) {
        if self.tree.heading.end.as_ref().is_some_and(|end| self.is_by_clock(end)) {
            self.tree.heading.end = None;
        }
    }

    /// Whether an end is one by the clock at hand.
    fn is_by_clock(&self, end: &End) -> bool {
        let path = self.tree.path(end.node);
        self.clock.as_ref().is_some_and(|clock| clock.out(&path).is_some())
    }

    /// The nodes that lead to the position shown.
    fn path(&self) -> Vec<usize> {
        self.tree.path(self.tree.current())
    }

    /// Whether the position is studied, so that nobody's time runs.
    fn is_studied(&self) -> bool {
        let reviews = self.review.as_ref().is_some_and(|review| review.work.is_some());
        self.play.lines > 0 || reviews
    }

    /// Has the clock run at the position shown, unless it is studied or the game is over.
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

    /// Has a clock that was stopped run on, as the engine thinks.
    pub(super) fn clock_goes_on(&mut self, events: &mut Vec<Event>) {
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

    /// Stops the clock if another position is shown than the one where it runs.
    pub(super) fn stop_clock_elsewhere(&mut self) {
        let shown = self.tree.current();
        if self.clock.as_ref().is_some_and(|clock| !clock.runs_at(shown)) {
            self.stop_clock();
        }
    }

    /// Stops the clock where the engine is to act and does not decide: its search has failed,
    /// or was given up for something else.
    pub(super) fn rest_clock(&mut self, events: &mut Vec<Event>) {
        let runs = self.clock.as_ref().is_some_and(|clock| clock.runs());
        if runs && self.is_engine_to_act() && !self.decides() {
            self.stop_clock();
            events.push(self.clock_view());
        }
    }

    fn is_engine_to_act(&self) -> bool {
        self.play.player(self.game_state().seat()) == Player::Engine
    }

    /// Whether the engine decides on a ply that it will play.
    fn decides(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.purpose == Purpose::Decide)
    }

    /// Stops the clock as the position is studied from now on.
    pub(super) fn study(&mut self, events: &mut Vec<Event>) {
        if self.clock.as_ref().is_some_and(|clock| clock.runs()) {
            self.stop_clock();
            events.push(self.clock_view());
        }
    }

    /// Has the clock run on after plies were taken back, if it ran before them: then it is the
    /// turn of a person, who has the whole time for a ply again.
    pub(super) fn take_clock_back(&mut self) {
        let (path, seat) = (self.path(), self.game_state().seat());
        let is_person = self.play.player(seat) == Player::Person;
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.runs() && is_person) {
            clock.start_anew(&path, seat, Instant::now());
        }
    }

    /// Stops the clock, or has it run on. While it is stopped the engine does not play.
    pub(super) fn set_clock(&mut self, run: bool, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(self.clock.is_some(), "this game has no clock");
        if run {
            self.ensure_in_time()?;
            ensure!(self.pending().is_some(), "the game is over");
            ensure!(
                !self.is_studied(),
                "the clock is stopped during an analysis and a review: end them first"
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
            // A winning tree that is being opened does not wait for the clock.
            if self.decides() {
                self.rest(events);
            }
        }
        events.push(self.clock_view());
        Ok(Change::Nothing)
    }

    /// Gives the game another clock, or none. From the position shown on both sides have the
    /// whole time, also one whose time was out there.
    pub(super) fn set_time_control(
        &mut self,
        time: Option<TimeControl>,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        ensure!(
            self.exercise.is_none() && self.walk.is_none(),
            "an exercise and a walk have no clock: leave it first"
        );
        let clock = time.map(GameClock::new).transpose()?;
        self.forget_end_by_clock();
        self.clock = clock;
        self.run_clock();
        events.extend(self.kept().ok());
        events.push(Event::Position(Box::new(self.position())));
        events.push(self.clock_view());
        // The engine divides its time anew, and goes on where it waited for the clock.
        let is_due = self.pending().is_some() && self.is_engine_to_act() && !self.is_studied();
        if is_due {
            self.search_again(true, events);
        }
        Ok(Change::Nothing)
    }

    /// Shows how the clock stands.
    pub(super) fn report_time(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(self.clock_view());
        Ok(Change::Nothing)
    }

    /// The time of the engine for the ply that is due, if the game has a clock.
    pub(super) fn clock_budget(&self) -> Option<Budget> {
        let game_state = self.game_state();
        let contest = game_state.contest();
        let size = (game_state.stones().len(), contest.width * contest.height);
        let clock = self.clock.as_ref()?;
        Some(clock.budget((&self.path(), game_state.seat()), Instant::now(), size))
    }

    /// How the clock stands.
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

    /// The seat whose time is out at the position shown.
    fn out(&self) -> Option<Seat> {
        self.clock.as_ref()?.out(&self.path())
    }

    /// The colour that has lost as its time is out at the position shown.
    pub(super) fn overtime(&self) -> Option<Color> {
        let seat = self.out()?;
        Color::ALL.into_iter().find(|&color| self.game_state().owner(color) == seat)
    }

    /// Refuses to go on where a time is out.
    pub(super) fn ensure_in_time(&self) -> Result<()> {
        let Some(color) = self.overtime() else { return Ok(()) };
        // At the beginning there is nothing to go back to.
        let way = if self.tree.parent().is_some() {
            "go back with Undo"
        } else {
            "give the game another clock"
        };
        bail!("{}'s time is out: {way} to play on", name(color))
    }

    /// The position shown. Where a time is out the game is over. A winning tree knows no passes.
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

    /// Ends the game if the time that runs was out by then.
    pub(super) fn look_at_clock(&mut self, at: Instant, events: &mut Vec<Event>) {
        let expires = self.clock.as_mut().is_some_and(|clock| clock.expires(at));
        let Some(color) = self.overtime().filter(|_| expires) else { return };
        self.placing = Placing::default();
        let node = self.tree.current();
        // What a file says of the end of another line stays.
        let is_of_file =
            |end: &End| end.node != node && self.tree.has(end.node) && !self.is_by_clock(end);
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

/// What is told where the time of a colour is out.
fn overtime_text(color: Color) -> String {
    format!("{}'s time is out: {} wins.", name(color), name(!color))
}
