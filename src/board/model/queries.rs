//! Searches on demand: threats of the other side, wins, the defences against them, and stones
//! that balance a position.

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::running::{Purpose, Running};
use super::searching::no_lines;
use super::{Model, view};
use crate::schema::{Event, Lines, Query};
use crate::search::Task;
use goren_core::opening::Choice;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Move, PROVEN, win_in, win_rate};
use goren_decide::Balanced;
use goren_engine::{Budget, Info, Request, RootPosition};
use goren_notation::words::{name, percent, score_text};

/// Time limit of a search.
const QUERY_TIME: Duration = Duration::from_secs(5);
/// Number of lines of the other side's threats.
const THREAT_LINES: usize = 3;
/// Maximum number of defences named in a message; the board marks all of them.
const MAX_NAMED: usize = 12;

impl Model {
    /// Returns the rule and board for a query that only five in a row supports.
    ///
    /// # Errors
    /// The game is not five in a row.
    fn setup_for(&self, what: &str) -> Result<Setup> {
        let contest = self.game_state().contest();
        let other = || format!("{what} are not searched for in {}", contest.variant);
        contest.setup().with_context(other)
    }

    fn query_request(&self) -> Request {
        Request { threads: self.play.threads, ..Request::per_move(QUERY_TIME) }
    }

    /// Searches for the other side's threats, or for a win by threats.
    ///
    /// # Errors
    /// The query is for a win by threats, and the game is not five in a row.
    pub(super) fn query_lines(&mut self, query: Query, events: &mut Vec<Event>) -> Result<()> {
        if query == Query::Vct {
            self.setup_for("wins by threats")?;
        }
        let contest = *self.game_state().contest();
        let (mut root, _) = self.root();
        let task = if query == Query::Threat {
            let color = !self.game_state().to_move();
            root = RootPosition::of(self.game_state(), &[], color, contest.variant.turn());
            Task::Analyse { contest, root: root.clone(), lines: THREAT_LINES }
        } else {
            Task::Vct { contest, root: root.clone() }
        };
        self.run(Purpose::Query(query), root, task, self.query_request(), events);
        Ok(())
    }

    /// Searches for a win by fours of a colour.
    ///
    /// # Errors
    /// The game is not five in a row.
    pub(super) fn query_fours(
        &mut self,
        query: Query,
        color: Color,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let setup = self.setup_for("wins by fours")?;
        let stones = self.game_state().placed();
        let root = RootPosition::of(self.game_state(), &[], color, 1);
        let task = Task::Vcf { setup, stones, color };
        self.run(Purpose::Query(query), root, task, Request::per_move(QUERY_TIME), events);
        Ok(())
    }

    /// Searches for a win by threats of the other side, which has no win by fours; `root` is
    /// the position with that side to move.
    pub(super) fn query_other_threats(&mut self, root: RootPosition, events: &mut Vec<Event>) {
        let contest = *self.game_state().contest();
        let task = Task::Vct { contest, root: root.clone() };
        self.run(Purpose::Query(Query::OtherWin), root, task, self.query_request(), events);
    }

    /// Searches for the moves of the side to move that are not proven to lose.
    ///
    /// # Errors
    /// The game is not five in a row, or the pending decision is not a plain move.
    pub(super) fn query_defences(&mut self, events: &mut Vec<Event>) -> Result<()> {
        self.setup_for("defences")?;
        self.ensure_plain_move("defences")?;
        let contest = *self.game_state().contest();
        let (root, request) = self.root();
        let task = Task::Answer { contest, root: root.clone() };
        let request = Request { defend: true, budget: Budget::per_move(QUERY_TIME), ..request };
        self.run(Purpose::Query(Query::Defences), root, task, request, events);
        Ok(())
    }

    /// Searches for one or two stones that balance the position.
    ///
    /// # Errors
    /// The game is not five in a row, or the pending decision is not a plain move.
    pub(super) fn query_balance(&mut self, query: Query, events: &mut Vec<Event>) -> Result<()> {
        self.setup_for("balancing stones")?;
        self.ensure_plain_move("balancing stones")?;
        let game_state = Box::new(self.game_state().clone());
        let root = (&*game_state).into();
        let task = Task::Balance { game_state, two: query == Query::BalanceTwo };
        self.run(Purpose::Query(query), root, task, self.query_request(), events);
        Ok(())
    }

    /// Ensures that the only choice of the seat to act is one stone of its colour.
    fn ensure_plain_move(&self, what: &str) -> Result<()> {
        let pending = self.game_state().pending_decision();
        let is_stone = pending.is_some_and(|pending| {
            let stone = matches!(
                &pending.choices[..],
                [Choice::Stones { colors, declare: None, .. }] if colors[..] == [pending.color]
            );
            stone && !pending.swap
        });
        ensure!(is_stone, "{what} are not searched for where the opening asks for a decision");
        Ok(())
    }

    /// Reports the result of a search for a win by fours or threats.
    pub(super) fn report_win(
        &self,
        running: &Running,
        by: &str,
        win: Option<(usize, Vec<Cell>)>,
        is_exhaustive: bool,
        events: &mut Vec<Event>,
    ) {
        let color = running.root.to_move;
        let (side, other) = (name(color), name(!color));
        let is_other = running.purpose == Purpose::Query(Query::OtherWin);
        let Some((plies, cells)) = win else {
            let by = if is_other { "fours or threats" } else { by };
            let text = if is_exhaustive {
                format!("No win for {side} by {by} was found.")
            } else if running.halted {
                "The search was stopped before a win was found.".to_owned()
            } else {
                format!(
                    "No win for {side} by {by} was found before the search reached its limit: \
                     there may still be one."
                )
            };
            events.push(Event::Message { text });
            return;
        };
        let names = view::names(self.game_state().contest(), &cells);
        let within = format!("by {by}, within {plies} plies: {names}.");
        let text = if is_other {
            format!("If {other} passed, {side} would win {within}")
        } else {
            format!("{side} wins {within}")
        };
        events.push(Event::Message { text });
        let pv = cells.iter().map(|&cell| Move::at(cell)).collect();
        self.report_line(running, Info { score: win_in(plies), pv, ..Info::NOTHING }, events);
    }

    /// Reports which moves of the side to move are proven to lose, and marks the others.
    pub(super) fn report_defences(
        &self,
        running: &Running,
        best: Info,
        lost: &[Cell],
        events: &mut Vec<Event>,
    ) {
        let game_state = self.game_state();
        let color = running.root.to_move;
        let mut defences = self.placing.legal(game_state);
        defences.retain(|&cell| !game_state.referee().fouls(color, cell).any());
        let all = defences.len();
        defences.retain(|cell| !lost.contains(cell));
        // The best move loses, so all of them do.
        if best.score <= -PROVEN {
            defences.clear();
        }
        let side = name(color);
        let text = if all == 0 {
            format!("{side} has only forbidden moves.")
        } else if defences.len() == all && running.halted {
            "The search was stopped before a move was proven to lose.".to_owned()
        } else if defences.len() == all {
            format!("No move of {side} is proven to lose.")
        } else if defences.is_empty() {
            format!("All {all} moves of {side} are proven to lose.")
        } else {
            let names = if defences.len() <= MAX_NAMED {
                format!(" with {}", view::names(game_state.contest(), &defences))
            } else {
                String::new()
            };
            let count = defences.len();
            format!(
                "{side} may hold{names}: {count} of {all} moves. The others are proven to lose."
            )
        };
        events.push(Event::Message { text });
        if best.pv.first().is_some_and(|m| m.is_some()) {
            self.report_line(running, best, events);
        }
        if defences.len() < all {
            events.push(Event::Defences { node: running.node, cells: defences });
        }
    }

    /// Reports balancing stones, and the score of the position after them.
    pub(super) fn report_balance(
        &self,
        running: &Running,
        balanced: Option<Balanced>,
        events: &mut Vec<Event>,
    ) {
        let two = running.purpose == Purpose::Query(Query::BalanceTwo);
        let (side, other) = (name(running.root.to_move), name(!running.root.to_move));
        let Some(found) = balanced.filter(|found| found.searched) else {
            let text = if running.halted {
                "The search was stopped before a position was searched.".to_owned()
            } else {
                let stones = if two { "two stones were" } else { "stone was" };
                format!("No {stones} found after which the game goes on.")
            };
            events.push(Event::Message { text });
            return;
        };
        let names = view::names(self.game_state().contest(), &found.stones);
        let stones = match found.stones.len() {
            1 => format!("{side} on {names}"),
            _ => format!("{side} and {other} on {names}"),
        };
        let (score, rate) = (score_text(found.score), percent(win_rate(found.score)));
        let worth = format!("{score} for {side}, {rate} %");
        let text = match (found.is_near(0), two) {
            (true, _) => format!("{stones}: the position is level ({worth})."),
            (_, false) => {
                format!("No stone levels the position. The nearest is {stones}: {worth}.")
            }
            (..) => {
                format!("No two stones level the position. The nearest are {stones}: {worth}.")
            }
        };
        events.push(Event::Message { text });
        let pv = found.stones.iter().map(|&cell| Move::at(cell)).collect();
        self.report_line(running, Info { score: found.score, pv, ..Info::NOTHING }, events);
    }

    /// Reports the line that answers a query.
    fn report_line(&self, running: &Running, info: Info, events: &mut Vec<Event>) {
        let contest = self.game_state().contest();
        let lines = view::lines(contest, &running.root, &[info]);
        let found = no_lines(running.node, running.purpose);
        events.push(Event::Lines(Lines { lines, done: true, ..found }));
    }
}
