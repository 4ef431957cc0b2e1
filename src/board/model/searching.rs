//! The searches of a model: which one runs, for what purpose, and what follows from its result.

use std::time::{Duration, Instant};

use super::running::{Purpose, Running};
use super::{Change, Model, recorded, view};
use crate::schema::{Event, Lines, Player, Query};
use crate::search::{Found, Job, Task};
use goren_core::opening::{Action, Choice, Zone};
use goren_core::types::{Color, win_rate};
use goren_decide::{Decision, OptionValue, Strength};
use goren_engine::{Budget, Info, Request, RootPosition};
use goren_notation::pending_decision_text;
use goren_notation::words::{capital, percent, score_text};

impl Model {
    /// Ends the running search, and begins the one for the position shown: the engine's ply, if
    /// `acts` is set and the engine acts for the seat, else the analysis. A turn that a person
    /// has begun is left to that person. If the replies to this position are being counted,
    /// the count is completed first.
    pub(super) fn search_again(&mut self, acts: bool, events: &mut Vec<Event>) {
        let Some(pending) = self.pending() else { return self.end_search(events) };
        let is_engine = self.play.player(pending.seat) == Player::Engine;
        let is_begun = !self.placing.cells.is_empty();
        if acts && is_engine && !is_begun && self.overtime().is_none() {
            return self.decide(Purpose::Decide, events);
        }
        if self.counts_replies() {
            return;
        }
        match self.play.lines {
            0 => self.end_search(events),
            lines => {
                let contest = *self.game_state().contest();
                let (root, request) = self.root();
                let task = Task::Analyse { contest, root: root.clone(), lines };
                self.run(Purpose::Analyse, root, task, request, events);
            }
        }
    }

    /// Resumes what a search on demand has interrupted: the query of a winning tree, or the
    /// analysis.
    pub(super) fn resume_search(&mut self, events: &mut Vec<Event>) {
        if !self.ask_tree(false, events) {
            self.search_again(false, events);
        }
    }

    /// Records that the user has ended the running search.
    pub(super) fn halt(&mut self) {
        self.running = self.running.take().filter(|running| running.purpose != Purpose::Analyse);
        if let Some(running) = &mut self.running {
            running.halted = true;
        }
    }

    /// Ends the running search, unless it is a background search.
    pub(super) fn end_search(&mut self, events: &mut Vec<Event>) {
        self.abort_opening(events);
        let is_foreground = |running: &mut Running| !running.purpose.is_background();
        if self.running.take_if(is_foreground).is_some() {
            self.searcher.stop();
        }
        events.push(self.searching());
    }

    /// Returns the position to search, and a request without limits. If an opening asks for
    /// another decision than a turn of the side to move, the position is searched as if that
    /// side were to play a turn.
    pub(super) fn root(&self) -> (RootPosition, Request) {
        let game_state = self.game_state();
        let request = Request { threads: self.play.threads, ..Request::default() };
        let Some(pending) = self.pending() else { return (game_state.into(), request) };
        let of_mover = |colors: &[Color]| colors.iter().all(|&color| color == pending.color);
        match &pending.choices[..] {
            [Choice::Stones { colors, zone, .. }] if of_mover(colors) => {
                let placed = &self.placing.cells;
                let left = colors.len() - placed.len().min(colors.len() - 1);
                let placed = &placed[..colors.len() - left];
                let root = RootPosition::of(game_state, placed, pending.color, left);
                let root_moves = match zone {
                    Zone::Anywhere => Vec::new(),
                    _ => self.placing.legal(game_state),
                };
                (root, Request { root_moves, ..request })
            }
            _ => (game_state.into(), request),
        }
    }

    /// Begins the decision on a ply of the seat to act.
    pub(super) fn decide(&mut self, purpose: Purpose, events: &mut Vec<Event>) {
        let acts = purpose == Purpose::Decide;
        let level = self.play.levels[self.game_state().seat().index()];
        let strength = if acts { level.strength() } else { Strength::FULL };
        let task = Task::Decide {
            game_state: Box::new(self.game_state().clone()),
            strength,
            seed: self.seed(),
        };
        if acts {
            self.resume_clock(events);
        }
        let fixed_budget = || Budget::per_move(Duration::from_millis(self.play.time_ms));
        let budget = self.clock_budget().filter(|_| acts).unwrap_or_else(fixed_budget);
        let (threads, move_only) = (self.play.threads, acts);
        let request = Request { budget, threads, move_only, ..Request::default() };
        let root = self.game_state().into();
        self.run(purpose, root, task, request, events);
    }

    pub(super) fn run(
        &mut self,
        purpose: Purpose,
        root: RootPosition,
        task: Task,
        request: Request,
        events: &mut Vec<Event>,
    ) {
        self.abort_opening(events);
        self.searches += 1;
        let number = self.searches;
        let node = self.tree.current();
        self.running =
            Some(Running { number, purpose, node, root, halted: false, last_lines: None });
        self.searcher.begin(Job { number, task, request });
        events.push(self.searching());
    }

    /// Handles a result of a search and the time of the result; returns what it has changed.
    pub(super) fn handle_found(
        &mut self,
        number: u64,
        (found, at): (Found, Instant),
        events: &mut Vec<Event>,
    ) -> Change {
        let Some(running) = self.running.take_if(|running| running.number == number) else {
            return Change::Nothing;
        };
        if running.purpose.is_background() && !matches!(found, Found::Failed(_)) {
            return self.take_background_result(running.purpose, found, events);
        }
        match found {
            Found::Lines(infos) => {
                self.report_lines(running, &infos, events);
                Change::Nothing
            }
            Found::Decided(decision) => self.decided(&running, (decision, at), events),
            Found::Analysed => {
                let lines =
                    running.last_lines.unwrap_or_else(|| no_lines(running.node, running.purpose));
                events.push(Event::Lines(Lines { done: true, ..lines }));
                self.finish(running.purpose, events)
            }
            Found::Fours(None, _) if is_query(&running, Query::OtherWin) && !running.halted => {
                self.query_other_threats(running.root, events);
                Change::Nothing
            }
            Found::Fours(line, is_exhaustive) => {
                // The search for a win of the other side has not tried threats yet.
                let is_exhaustive = is_exhaustive && !is_query(&running, Query::OtherWin);
                let win = line.map(|line| (line.len(), line));
                self.report_win(&running, "fours", win, is_exhaustive, events);
                self.finish(running.purpose, events)
            }
            Found::Threats(found, is_exhaustive) => {
                let win = found.map(|(line, plies)| (plies, line));
                self.report_win(&running, "threats", win, is_exhaustive, events);
                self.finish(running.purpose, events)
            }
            Found::Balanced(balanced) => {
                self.report_balance(&running, balanced, events);
                self.finish(running.purpose, events)
            }
            Found::Answer(info, lost) if is_query(&running, Query::Defences) => {
                self.report_defences(&running, *info, &lost, events);
                self.finish(running.purpose, events)
            }
            Found::Answer(info, _) if running.purpose == Purpose::Why => {
                self.why_found(running.node, &info.pv, events)
            }
            Found::Answer(..) | Found::Closed => self.finish(running.purpose, events),
            Found::Tree(claim) => {
                self.opening_ended(claim.map(|claim| *claim), running.halted, events)
            }
            Found::Reading(share) => {
                self.tree_read(share, events);
                self.running = Some(running);
                Change::Nothing
            }
            Found::TreeMove(found) => self.tree_moved(found, events),
            Found::RemainingReplies(replies) => {
                self.remaining_replies_found(&running, *replies, events);
                Change::Nothing
            }
            Found::Failed(error) => {
                self.failed(running.purpose, &error, events);
                Change::Nothing
            }
        }
    }

    /// Resumes what a completed search on demand has interrupted.
    fn finish(&mut self, purpose: Purpose, events: &mut Vec<Event>) -> Change {
        match purpose {
            Purpose::Decide | Purpose::Hint | Purpose::Query(_) | Purpose::CloseTree => {
                self.resume_search(events)
            }
            _ => events.push(self.searching()),
        }
        Change::Nothing
    }

    /// Handles the failure of a search. It is not repeated, as it would fail again; other
    /// searches resume.
    fn failed(&mut self, purpose: Purpose, error: &str, events: &mut Vec<Event>) {
        if purpose.is_background() {
            self.stop_background(events);
        } else if purpose == Purpose::Analyse {
            self.play.lines = 0;
            events.push(self.setting());
        }
        self.stop_walk(purpose, events);
        events.push(Event::Refused { text: capital(&format!("{error}.")) });
        if purpose.is_on_demand() && purpose != Purpose::TreeMove {
            self.resume_search(events);
        } else {
            self.search_again(false, events);
        }
    }

    fn report_lines(&mut self, mut running: Running, infos: &[Info], events: &mut Vec<Event>) {
        if let Some(first) = infos.first().filter(|_| running.purpose != Purpose::Hint) {
            let contest = self.game_state().contest();
            let lines = Lines {
                lines: view::lines(contest, &running.root, infos),
                depth: first.depth,
                seldepth: infos.iter().map(|info| info.seldepth).max().unwrap_or(0),
                nodes: infos.iter().map(|info| info.nodes).max().unwrap_or(0),
                elapsed_ms: infos.iter().map(|info| info.elapsed).max().map_or(0, millis),
                ..no_lines(running.node, running.purpose)
            };
            if running.purpose != Purpose::Decide {
                running.last_lines = Some(lines.clone());
                events.push(Event::Lines(lines));
            }
        }
        self.running = Some(running);
    }

    fn decided(
        &mut self,
        running: &Running,
        (decision, at): (Option<Decision>, Instant),
        events: &mut Vec<Event>,
    ) -> Change {
        let Some(decision) = decision else { return self.finish(Purpose::Decide, events) };
        let lettering = self.tree.lettering();
        let text = pending_decision_text::text(self.game_state(), &decision.action, lettering);
        if running.purpose == Purpose::Hint {
            let why = if decision.why.len() > 1 {
                let worth = |OptionValue { action, value, .. }: &OptionValue| {
                    format!(
                        "{} {value:+}",
                        pending_decision_text::text(self.game_state(), action, lettering)
                    )
                };
                let worth: Vec<String> = decision.why.iter().map(worth).collect();
                format!(" In points for you: {}.", worth.join(", "))
            } else {
                String::new()
            };
            let cells = match &decision.action {
                Action::Offer(cells) => cells.clone(),
                action => action.placed(),
            };
            events.push(Event::Hint { text: format!("Try {text}.{why}"), cells });
            return self.finish(running.purpose, events);
        }
        match self.play_ply(&decision.action, at) {
            Ok(()) => {
                self.tree.set_stats(self.tree.current(), recorded::stats(&decision));
                let message = match decision.action {
                    Action::Swap => "The engine swaps.".to_owned(),
                    Action::Pass => "The engine passes.".to_owned(),
                    Action::Offer(_) => format!("The engine offers {text}."),
                    _ => format!("The engine played {text}{}.", evaluation_text(&decision)),
                };
                events.push(Event::Message { text: message });
                if running.halted { Change::Moved } else { Change::Played }
            }
            Err(error) => {
                events.push(Event::Refused { text: capital(&format!("{error:#}.")) });
                self.search_again(false, events);
                Change::Nothing
            }
        }
    }
}

/// Returns the score, the win rate and the depth of the engine's ply in brackets; empty if the
/// engine has not searched that ply.
fn evaluation_text(decision: &Decision) -> String {
    if !decision.is_searched() {
        return String::new();
    }
    let info = &decision.info;
    let (score, rate) = (score_text(info.score), percent(win_rate(info.score)));
    format!(" ({score}, {rate} %, depth {})", info.depth)
}

/// Whether a search answers this query.
fn is_query(running: &Running, query: Query) -> bool {
    running.purpose == Purpose::Query(query)
}

/// Returns the report of a search that has found nothing yet.
pub(super) fn no_lines(node: usize, purpose: Purpose) -> Lines {
    let query = match purpose {
        Purpose::Query(query) => Some(query),
        Purpose::Hint => Some(Query::Hint),
        _ => None,
    };
    let lines = Vec::new();
    Lines { node, query, lines, depth: 0, seldepth: 0, nodes: 0, elapsed_ms: 0, done: false }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
