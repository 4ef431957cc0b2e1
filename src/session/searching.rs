//! Start and end of a search: the session lends the game to the search thread, passes on
//! its reports, and sends its one answer.

use std::sync::Arc;
use std::time::Instant;

use goren_protocol::{Point, Reply};

use super::advice::database::{self, Proves};
use super::advice::{Advised, advise};
use super::dialect::state::State;
use super::dialect::{game, gomocup, report, yixin};
use super::order::search_order::SearchOrder;
use super::order::task::Task;
use super::out::Out;
use super::search::active_search::ActiveSearch;
use super::search::job::{Decision, Job, Lent, SearchEvent};
use super::session::{Flow, Session};
use super::state::command_error::CommandError;
use super::state::game_at_hand::GameAtHand;
use super::state::played_game::PlayedGame;
use super::wire::{Axes, name};
use goren_core::types::{PROVEN, Score};
use goren_decide::is_plain_turn;
use goren_engine::{Control, reserve};

impl Session {
    /// Starts the search that a command orders.
    pub(super) fn search(&mut self, order: SearchOrder) -> Result<(), CommandError> {
        let state = &mut self.state;
        let mut request = order.request(&state.limits());
        prepare_database(state, order.task);
        let game = state.at_hand.five().filter(|_| order.task != Task::OpeningStep);
        let Advised { tree_move, twins, is_whole } = match game {
            Some(game) => advise(&mut state.sources, &game, &order, &mut request),
            None => Advised::default(),
        };
        let mut lent = lend(&mut state.at_hand, order.task)?;
        if let Err(error) = state.limits().secure_table(&order.allowance, &state.at_hand.hash) {
            give_back(&mut state.at_hand, lent);
            return Err(error);
        }
        let searched = lent.searched();
        searched.decider.set_params(&state.settings.params);
        let (_, height) = searched.size();
        let control = Arc::new(Control::default());
        request.control = control.clone();
        let task = order.task;
        let discards_move = task == Task::OpeningStep
            && state.settings.axes() == Axes::RowFirst
            && state.opening_steps.discards_move();
        let strength = order.strength(&state.settings);
        let proves = Proves::of(task, &request, &twins, (is_whole, strength.is_full()));
        let verbosity = order.verbosity(&state.settings);
        let seed = state.settings.seed().unwrap_or_else(|| state.at_hand.seed());
        let active = ActiveSearch {
            control,
            allowance: order.allowance,
            latest_end: None,
            time_left_at: None,
            height,
            task,
            proves,
            lines: Vec::new(),
            tree_move,
            halted: false,
            answer_suppressed: false,
            discards_move,
            forbidden: None,
        };
        let job = Job { lent, task, request, strength, seed, verbosity };
        self.searches.begin(job, active).map_err(|job| {
            give_back(&mut self.state.at_hand, job.lent);
            CommandError::NoThread
        })
    }

    /// Handles an event of the search thread. An event after the end of the search is
    /// ignored.
    pub fn search_event(&mut self, event: SearchEvent, out: Out) -> Flow {
        let settings = &self.state.settings;
        let Some(active) = self.searches.active() else { return Flow::Continue };
        match event {
            SearchEvent::Report(info) => {
                out(report::line(&info, active.height));
                if settings.block() {
                    yixin::report_block(&info, settings.axes(), out);
                }
                active.note(info);
                Flow::Continue
            }
            SearchEvent::Mark(mark) => {
                if settings.marks() {
                    out(Reply::Realtime(report::realtime(mark, settings.axes())));
                }
                Flow::Continue
            }
            SearchEvent::Holding(moves_not_losing, lost) => {
                yixin::report_holding(&moves_not_losing, lost, active.height, out);
                Flow::Continue
            }
            SearchEvent::Done { lent, decision } => self.end(lent, decision, out),
        }
    }

    /// Ends the search, answers, and obeys the commands queued behind it.
    fn end(&mut self, lent: Lent, decision: Decision, out: Out) -> Flow {
        let Some(active) = self.searches.end() else { return Flow::Continue };
        let ActiveSearch { task, lines, tree_move, height, halted, .. } = active;
        let state = &mut self.state;
        give_back(&mut state.at_hand, lent);
        // The search may have used up the memory reserve. Restoring it may cost the table,
        // which takes time, so that is left until after the answer.
        reserve::hold();
        let records = state.at_hand.five().map_or_else(Vec::new, |game| {
            database::records(&state.sources.database, &game, active.proves, &lines)
        });
        if task != Task::Ponder && !active.answer_suppressed {
            if let Some(cell) = tree_move {
                let name = name(cell, height);
                let text = format!("{name} is the move of a winning tree (INFO proof)");
                out(Reply::Message(text));
            }
            answer(state, task, decision, out);
            let elapsed = active.allowance.started().elapsed();
            match active.time_left_at {
                None => state.settings.times.spend(elapsed),
                Some(sent_at) => state.settings.times.spend_since_set(sent_at.elapsed()),
            }
            state.overshoot.note(&active.allowance.budget(), elapsed);
            let searches = matches!(task, Task::Move | Task::Analyse);
            // With moves excluded, a loss score may only mean that all other moves lose.
            let is_valid = |score: Score| active.proves.loss || score > -PROVEN;
            let best = lines.first().filter(|best| searches && is_valid(best.score));
            state.at_hand.note_score(best);
        } else if active.answer_suppressed && active.discards_move {
            // Any point will do.
            out(Reply::Move(Point::new(0, 0)));
        }
        state.at_hand.hash.hold_reserve();
        for (key, record) in records {
            state.sources.database.write_back(&key, &record);
        }
        // Queries and settings only delay or interrupt pondering while they are obeyed.
        let ponders = match task {
            Task::Move => self.searches.is_empty() || self.searches.only_asides_wait(),
            Task::Ponder => !halted && self.searches.only_asides_wait(),
            _ => false,
        };
        if self.obey_waiting(out) == Flow::Quit {
            return Flow::Quit;
        }
        if ponders {
            self.ponder();
        }
        Flow::Continue
    }

    /// Obeys the queued commands. If one of them starts a search, the rest stays queued.
    fn obey_waiting(&mut self, out: Out) -> Flow {
        let mut waiting = self.searches.take_waiting();
        while let Some((event, arrived)) = waiting.pop_front() {
            let arrived = self.searches.clock_start(arrived, &waiting);
            if self.handle_since(event, arrived, out) == Flow::Quit {
                return Flow::Quit;
            }
        }
        let over = self.searches.is_closing() && !self.is_searching();
        if over { Flow::Quit } else { Flow::Continue }
    }

    /// Starts pondering if the client wants it and the game goes on: the engine searches the
    /// opponent's position on the opponent's time, to fill the transposition table.
    /// Pondering reports nothing and uses none of our time.
    fn ponder(&mut self) {
        let State { settings, at_hand, .. } = &mut self.state;
        let wanted = settings.pondering() && settings.strength().is_full();
        let goes_on = |game: &&PlayedGame| {
            let game_state = &game.game_state;
            game_state.result().is_none() && (!game.named || is_plain_turn(game_state))
        };
        let Some(game) = at_hand.game.as_deref().filter(goes_on) else { return };
        if !wanted || self.searches.is_closing() {
            return;
        }
        let stones_and_area = game.stones_and_area();
        // Yixin-Board asks for the forbidden points after every move of ours, while the
        // game is lent to the search thread.
        let forbidden = at_hand.forbidden(settings).ok();
        let known = forbidden.and_then(|reply| Some((settings.variant().ok()?, reply)));
        self.state.arrived = Instant::now();
        let allowance = self.state.limits().allow(stones_and_area);
        // If pondering cannot start, the engine only plays weaker.
        if self.search(SearchOrder::new(Task::Ponder, allowance)).is_ok() {
            self.searches.keep_forbidden(known);
        }
    }
}

/// Prepares the database for a search, during which commands may query it for the same
/// board. If its results have changed, clears the transposition table.
fn prepare_database(state: &mut State, task: Task) {
    let setup = state.at_hand.five().map(|game| game.setup);
    state.sources.database.note_board(setup);
    if task != Task::OpeningStep && state.sources.database.take_changed() {
        state.at_hand.forget();
    }
}

/// Takes the game to lend it for a task; for a decision of an opening, also the game of
/// that opening.
fn lend(at_hand: &mut GameAtHand, task: Task) -> Result<Lent, CommandError> {
    let opens = matches!(task, Task::Opening | Task::OpeningStep);
    let game = at_hand.game.take().ok_or(CommandError::NotStarted)?;
    Ok(Lent { game, opening: at_hand.opening.take_if(|_| opens) })
}

/// Puts the lent games back. Drops the opening if new weights were loaded meanwhile.
fn give_back(at_hand: &mut GameAtHand, lent: Lent) {
    at_hand.game = Some(lent.game);
    if lent.opening.is_some() && at_hand.weights.in_use() {
        at_hand.opening = lent.opening;
    }
}

/// Sends the one answer to the command that ordered the search.
fn answer(state: &mut State, task: Task, decision: Decision, out: Out) {
    let State { settings, at_hand, opening_steps, .. } = state;
    let axes = settings.axes();
    match decision {
        Decision::Ply(decision) => {
            let decision = decision.map(|decision| *decision);
            match task {
                Task::OpeningStep => opening_steps.answer(decision, axes, out),
                Task::Opening => gomocup::answer_opening(at_hand, axes, decision, out),
                _ => game::answer(at_hand, axes, decision, out),
            }
        }
        Decision::Balance(wanted, found) => {
            yixin::answer_balance(at_hand, settings, wanted, found, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;
    use crate::state::settings::Settings;
    use goren_protocol::{Parser, Setting};

    /// A session, and the events of its search thread.
    fn listening() -> (Session, Receiver<SearchEvent>) {
        let (sender, events) = channel();
        (Session::new(Box::new(move |event| drop(sender.send(event)))).unwrap(), events)
    }

    /// A session with the settings `infos` that has answered two commands, each of which
    /// arrived `ago` before it was read.
    fn answered_late(infos: &str, ago: Duration) -> Session {
        let (mut session, events) = listening();
        let mut parser = Parser::new();
        let board = "BOARD\n7,7,2\n8,2,1\n9,9,2\nDONE";
        let begin = format!("INFO max_memory 1\nINFO max_node 100\n{infos}\nSTART 15\n{board}");
        for lines in [begin.as_str(), board] {
            let arrived = Instant::now().checked_sub(ago).unwrap();
            for event in lines.lines().flat_map(|line| parser.feed(line.as_bytes())) {
                assert_eq!(session.handle_since(event, arrived, &mut |_| {}), Flow::Continue);
            }
            assert!(session.is_searching());
            while session.is_searching() {
                let event = events.recv().unwrap();
                assert_eq!(session.search_event(event, &mut |_| {}), Flow::Continue);
            }
        }
        session
    }

    /// Managers may send the match time once, and count it down themselves.
    #[test]
    fn every_search_is_charged_to_the_time_of_the_match() {
        let hard_limit = |left| {
            let mut settings = Settings::default();
            let times = [Setting::TimeoutTurn(100_000), Setting::TimeoutMatch(9_000)];
            times.iter().for_each(|info| settings.apply(info));
            settings.apply(&Setting::TimeLeft(left));
            settings.clock().budget(0, 225).hard
        };
        let infos = "INFO timeout_turn 100000\nINFO timeout_match 9000";
        let session = answered_late(infos, Duration::from_millis(700));
        let left = session.state.settings.clock().budget(0, 225).hard;
        assert!(left <= hard_limit(7_600) && hard_limit(7_600) < hard_limit(9_000), "{left:?}");
    }

    #[test]
    fn an_answer_beyond_its_hard_limit_is_recorded() {
        let on_time = answered_late("INFO timeout_turn 600000", Duration::ZERO);
        assert_eq!(on_time.state.overshoot.worst(), Duration::ZERO);
        let late = answered_late("INFO timeout_turn 1000", Duration::from_secs(2));
        assert!(late.state.overshoot.worst() > Duration::ZERO);
        let clock = late.state.settings.clock();
        assert!(late.state.limits().clock.budget(0, 225).hard < clock.budget(0, 225).hard);
    }

    #[test]
    fn a_search_gets_the_budget_of_the_position_it_searches() {
        // In a short match the budget changes with every stone or two.
        let times = "INFO timeout_turn 100000\nINFO timeout_match 9000\n";
        let cases = [
            ("START 15\nBEGIN", 0, 225),
            ("START 15\nTURN 7,7", 1, 225),
            ("START 15\nBOARD\n7,7,2\nDONE", 1, 225),
            ("START 15\nSWAP2BOARD\n7,7\n8,8\n9,7\nDONE", 3, 225),
            ("START 15\nPLAY 7,7\nYXNBEST 2", 1, 225),
            ("START 15\nYXSWAP2STEP1", 0, 225),
            ("START 15\nYXSOOSORVSTEP2\n7,7\n7,8\n7,9\nDONE", 3, 225),
            ("INFO variant connect6\nSTART 19\nBEGIN", 0, 361),
            ("INFO variant connect6\nSTART 19\nTURN 9,9", 1, 361),
            ("INFO variant connect6\nSTART 19\nPLIES j10 a1,b1 c1,d1", 5, 361),
            // Regression: captured stones counted, so that a game with many captures seemed to
            // be near its end, and one move got all the time left.
            ("INFO variant pente\nSTART 19\nPLIES j10 k10 a1 l10 m10", 3, 361),
        ];
        for (lines, stones, area) in cases {
            let mut session = Session::new(Box::new(|_| {})).unwrap();
            let (mut parser, mut replies) = (Parser::new(), Vec::new());
            for line in format!("{times}{lines}").lines() {
                for event in parser.feed(line.as_bytes()) {
                    let flow = session.handle(event, &mut |reply| replies.push(reply));
                    assert_eq!(flow, Flow::Continue);
                }
            }
            let clock = session.state.limits().clock;
            let active = session.searches.active();
            let active = active.unwrap_or_else(|| panic!("{lines}: {replies:?}"));
            let budget = active.allowance.budget();
            assert_eq!(budget, clock.budget(stones, area), "{lines}");
            assert_ne!(budget, clock.budget(stones + 2, area), "{lines}");
        }
    }

    /// The ending search was charged to that time, and START dropped the rest.
    #[test]
    fn time_left_sent_while_a_search_ends_is_kept_for_the_next_game() {
        let (mut session, events) = listening();
        let times = "INFO max_memory 1\nINFO timeout_turn 10000\nINFO timeout_match 60000";
        let games = "START 15\nBEGIN\nSTOP\nINFO time_left 500\nSTART 15\nBEGIN";
        let mut parser = Parser::new();
        for line in format!("{times}\n{games}").lines() {
            for event in parser.feed(line.as_bytes()) {
                assert_eq!(session.handle(event, &mut |_| {}), Flow::Continue);
            }
        }
        assert!(!session.searches.is_empty(), "the second game waits for the first answer");
        while !session.searches.is_empty() {
            let event = events.recv().unwrap();
            assert_eq!(session.search_event(event, &mut |_| {}), Flow::Continue);
        }
        let mut settings = Settings::default();
        for info in
            [Setting::TimeoutTurn(10_000), Setting::TimeoutMatch(60_000), Setting::TimeLeft(500)]
        {
            settings.apply(&info);
        }
        let active = session.searches.active().unwrap();
        // The ending search may have used a little of that time.
        let budget = active.allowance.budget();
        assert!(budget.hard <= settings.clock().budget(0, 225).hard, "{budget:?}");
    }
}
