//! Executes each command.

use std::mem;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::placing::{Placing, Step};
use super::running::{Purpose, Running};
use super::tree::Tree;
use super::{Change, MAX_LINES, Model, files, puzzles, view};
use crate::clock::{GameClock, LONGEST_MS};
use crate::schema::{Command, Event, GameChoice, Player, Query, TimeControl};
use goren_core::opening::{Action, GameState};
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color};
use goren_decide::Level;
use goren_notation::explanation::{fouls_or_none, tree, verdict};
use goren_notation::turn::{Turn, check_pass, read};
use goren_notation::words::name;

impl Model {
    /// Executes a command; returns what it has changed.
    ///
    /// # Errors
    /// The reason to refuse it; nothing has changed.
    pub(super) fn obey(&mut self, command: Command, events: &mut Vec<Event>) -> Result<Change> {
        match command {
            Command::Show {} => {
                self.show_all(events);
                Ok(Change::Nothing)
            }
            Command::New { game, players, time } => self.begin(&game, players, time, events),
            Command::Place { cell } => self.place(cell),
            Command::Choose { way } => self.choose(way),
            Command::Declare { count } => self.declare(count),
            Command::Play { text } => self.play(&text),
            Command::Swap {} => self.play_without_stones(&Action::Swap),
            Command::Pass {} => self.play_without_stones(&Action::Pass),
            Command::Undo {} => self.undo(),
            Command::Redo {} => self.redo(),
            Command::Go { node } => self.go(node, events),
            Command::Remove { node } => self.remove(node, events),
            Command::Promote { node } => self.tree.promote(node).map(|()| Change::Notes),
            Command::Comment { node, text } => {
                self.tree.comment(node, &text).map(|()| Change::Notes)
            }
            Command::Mark { node, cell, mark } => {
                self.tree.mark(node, cell, mark).map(|()| Change::Notes)
            }
            Command::Label { node, cell, text } => {
                self.tree.label(node, cell, &text).map(|()| Change::Notes)
            }
            Command::Players { players } => self.set_players(players, events),
            Command::Engine { levels, time_ms, threads } => {
                self.set_engine(&levels, time_ms, threads, events)
            }
            Command::Clock { run } => self.set_clock(run, events),
            Command::Time {} => self.report_time(events),
            Command::TimeControl { time } => self.set_time_control(time, events),
            Command::Move {} => self.move_now(events),
            Command::Analyse { lines } => self.analyse(lines, events),
            Command::Search { query } => self.start_query(query, events),
            Command::Stop {} => self.stop(events),
            Command::Explain { cell } => self.explain(cell, events),
            Command::Open { name, bytes, number } => self.open_text(&name, &bytes, number, events),
            Command::Save { form } => self.save(form, events),
            Command::Keep {} => self.report_kept(events),
            Command::Restore { text } => self.restore(&text, events),
            Command::Link {} => self.link(events),
            Command::OpenLink { text } => self.open_link(&text, events),
            Command::Frames {} => self.report_frames(events),
            Command::Follow { node, cells, stay: false } => self.follow(node, &cells),
            Command::Follow { node, cells, stay: true } => self.add_line(node, &cells),
            Command::Files {} => self.list_files(events),
            Command::OpenFile { name, number } => self.open_file(&name, number, events),
            Command::SaveFile { name, over } => self.save_file(&name, over, events),
            Command::Review { time_ms } => self.begin_review(time_ms, events),
            Command::StopReview {} => self.end_review(events),
            Command::Why { node, better } => self.why(node, better, events),
            Command::MakePuzzles {} => self.make_puzzles(events),
            Command::Puzzles {} => {
                events.push(Event::Puzzles { shipped: true, puzzles: puzzles::all(), left: 0 });
                Ok(Change::Nothing)
            }
            Command::Train { puzzle } => self.train(&puzzle, events),
            Command::Again {} => self.again(events),
            Command::Solve {} => self.solve(events),
            Command::Leave {} => self.leave(events),
            Command::Databases {} => self.list_databases(events),
            Command::OpenDatabase { name, new } => self.open_database(&name, new, events),
            Command::SetRecord { node, record, seen } => {
                self.set_record(node, (&record, seen.as_ref()), events)
            }
            Command::SetPointText { node, cell, text } => {
                self.set_point_text(node, cell, &text, events)
            }
            Command::ForgetRecord { node } => self.forget_record(node, events),
            Command::SaveDatabase {} => self.save_database(events),
            Command::CloseDatabase {} => self.close_database(events),
            Command::Trees {} => self.list_trees(events),
            Command::Walk { name } => self.open_walk(name, events),
        }
    }

    fn report_kept(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(self.kept()?);
        Ok(Change::Nothing)
    }

    fn report_frames(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(Event::Frames { frames: view::frames(self.game_state()) });
        Ok(Change::Nothing)
    }

    fn begin(
        &mut self,
        game: &GameChoice,
        players: [Player; 2],
        time: Option<TimeControl>,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let contest = files::contest(game)?;
        let clock = time.map(GameClock::new).transpose()?;
        self.replace_game(Tree::new(GameState::new(contest)), events);
        (self.play.players, self.clock) = (players, clock);
        self.run_clock();
        events.push(self.setting());
        Ok(Change::Game)
    }

    /// Replaces the game by another.
    pub(super) fn replace_game(&mut self, tree: Tree, events: &mut Vec<Event>) {
        events.extend(self.replaced_notes(false));
        events.extend(self.replaced(false));
        if self.clock.take().is_some() {
            events.push(self.clock_view());
        }
        self.tree = tree;
        self.games += 1;
        self.forget_background();
        if self.review.take().is_some() {
            events.push(self.review_view());
        }
        if self.exercise.take().is_some() {
            events.push(self.exercise_view());
        }
        // The game that was set aside for the walk is given up, as that of an exercise is.
        drop(self.end_walk(events));
    }

    /// Shows a position. If it is shown already, its search and judgement continue.
    fn go(&mut self, node: usize, events: &mut Vec<Event>) -> Result<Change> {
        if node == self.tree.current() {
            // The page waits for a position.
            events.push(Event::Position(Box::new(self.position())));
            return Ok(Change::Nothing);
        }
        self.tree.go(node).map(|()| Change::Moved)
    }

    /// Adds the turns of a line to the tree and shows the last of them.
    fn follow(&mut self, node: usize, cells: &[Cell]) -> Result<Change> {
        self.ensure_user_may_act()?;
        self.ensure_line(cells)?;
        ensure!(
            node == self.tree.current(),
            "another position is shown now: the line was not added"
        );
        let before = self.tree.clone();
        let mut placing = Placing::default();
        for &cell in cells {
            let step = placing.place(self.game_state(), cell);
            let played = match step {
                Ok(Step::More) => Ok(()),
                Ok(Step::Whole(action)) => {
                    placing = Placing::default();
                    self.tree.play(&action)
                }
                Err(error) => Err(error.into()),
            };
            if let Err(error) = played {
                self.tree = before;
                return Err(error).with_context(|| self.tree.lettering().label(cell));
            }
        }
        if let Some(turn) = self.tree.won_turn(&placing.cells)
            && let Err(error) = self.tree.play(&turn)
        {
            self.tree = before;
            return Err(error);
        }
        Ok(Change::Moved)
    }

    /// Adds the turns of a line to the tree. The position shown stays, and its search
    /// continues.
    fn add_line(&mut self, node: usize, cells: &[Cell]) -> Result<Change> {
        self.ensure_line(cells)?;
        let shown = self.tree.current();
        self.tree.add_line(node, cells)?;
        self.tree.go(shown)?;
        Ok(Change::Notes)
    }

    fn ensure_line(&self, cells: &[Cell]) -> Result<()> {
        ensure!(self.walk.is_none(), "in a walk the tree chooses the moves: leave the walk first");
        ensure!(!cells.is_empty(), "there is no line to follow");
        Ok(())
    }

    /// Places a stone of the turn, or takes it back.
    fn place(&mut self, cell: Cell) -> Result<Change> {
        self.ensure_user_may_act()?;
        self.ensure_in_time()?;
        let mut placing = self.placing.clone();
        match placing.place(self.game_state(), cell)? {
            Step::More => {
                self.placing = placing;
                Ok(Change::Turn)
            }
            Step::Whole(action) => self.play_action(&action),
        }
    }

    /// Selects a choice of the pending decision, with no stone placed yet.
    fn choose(&mut self, way: usize) -> Result<Change> {
        let ways = self.pending().map_or(0, |pending| pending.choices.len());
        ensure!(way < ways, "there is no such choice");
        self.placing = Placing { way, cells: Vec::new() };
        Ok(Change::Turn)
    }

    /// Plays the turn with the number to declare.
    fn declare(&mut self, count: usize) -> Result<Change> {
        let action = self.placing.declare(self.game_state(), count)?;
        self.play_action(&action)
    }

    /// Refuses to act for the engine or the tree while it is deciding.
    pub(super) fn ensure_user_may_act(&self) -> Result<()> {
        ensure!(!self.acts(), "the engine is thinking: stop it, or wait");
        self.ensure_not_tree_turn()
    }

    fn play_action(&mut self, action: &Action) -> Result<Change> {
        self.ensure_user_may_act()?;
        ensure!(
            self.walk.is_none() || *action != Action::Pass,
            "a winning tree answers only stones: the threat shows what follows a pass"
        );
        self.ensure_in_time()?;
        self.play_ply(action, Instant::now())?;
        Ok(Change::Played)
    }

    /// Plays a swap or a pass.
    fn play_without_stones(&mut self, action: &Action) -> Result<Change> {
        self.ensure_no_stone_placed()?;
        self.play_action(action)
    }

    /// Plays a typed ply.
    fn play(&mut self, text: &str) -> Result<Change> {
        self.ensure_user_may_act()?;
        self.ensure_in_time()?;
        let quoted = || text.trim().to_owned();
        check_pass(self.game_state(), text).with_context(quoted)?;
        let lettering = self.tree.lettering();
        let turn = read(self.game_state(), &self.placing.cells, text, lettering);
        self.placing = match turn.with_context(quoted)? {
            Turn::Whole(action) => {
                let begun = self.placing.begun_by(self.game_state(), &action);
                match begun.with_context(quoted)? {
                    Some(placing) => placing,
                    None => return self.play_action(&action),
                }
            }
            Turn::Part(cells) => self.placing.with(self.game_state(), cells),
        };
        Ok(Change::Turn)
    }

    /// Takes back the stones of the turn, or goes back to the last decision of a person.
    fn undo(&mut self) -> Result<Change> {
        if !self.placing.cells.is_empty() {
            self.placing.cells.clear();
            return Ok(Change::Turn);
        }
        let mut node = self.tree.parent().context("this is the beginning")?;
        let has_person = self.play.players.contains(&Player::Person);
        loop {
            self.tree.go(node)?;
            let seat = self.game_state().seat();
            let person = !has_person || self.play.player(seat) == Player::Person;
            match self.tree.parent() {
                Some(parent) if !person || self.tree_moves() => node = parent,
                _ => break,
            }
        }
        self.restart_clock();
        Ok(Change::Moved)
    }

    fn redo(&mut self) -> Result<Change> {
        let node = self.tree.following().context("nothing follows here")?;
        self.tree.go(node).map(|()| Change::Moved)
    }

    fn remove(&mut self, node: usize, events: &mut Vec<Event>) -> Result<Change> {
        let question = self.exercise.as_ref().map(|training| training.question);
        let fixed = question.or_else(|| self.walk.as_ref().map(|walk| walk.root));
        ensure!(
            fixed.is_none_or(|fixed| !self.tree.path(fixed).contains(&node)),
            "the exercise or walk begins in this branch, so it cannot be removed"
        );
        // Moves tried in an exercise or a walk need no copy, and a single position is soon
        // played again; notes of the user are not.
        let is_own = self.exercise.is_none() && self.walk.is_none();
        let has_notes = self.tree.has_notes(node);
        let replaced = if is_own && (has_notes || self.tree.has_children(node)) {
            self.replaced(true)
        } else if has_notes {
            self.replaced_notes(true)
        } else {
            None
        };
        self.tree.remove(node)?;
        events.extend(replaced);
        if self.review.is_some() {
            events.push(self.review_view());
        }
        Ok(Change::Moved)
    }

    fn set_players(&mut self, players: [Player; 2], events: &mut Vec<Event>) -> Result<Change> {
        self.play.players = players;
        events.push(self.setting());
        // They are stored with the game.
        events.extend(self.kept().ok());
        self.search_again(true, events);
        Ok(Change::Nothing)
    }

    fn set_engine(
        &mut self,
        levels: &[String; 2],
        time_ms: u64,
        threads: usize,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let levels = [Level::read(&levels[0])?, Level::read(&levels[1])?];
        let most = self.limits.threads;
        ensure!((1..=most).contains(&threads), "the engine can use 1 to {most} search threads");
        ensure!(
            (1..=LONGEST_MS).contains(&time_ms),
            "the engine's time for a ply must be 1 to {LONGEST_MS} milliseconds"
        );
        let play = &mut self.play;
        let same_levels = play.levels == levels;
        (play.levels, play.time_ms, play.threads) = (levels, time_ms, threads);
        events.push(self.setting());
        if !same_levels {
            // The levels are stored with the game.
            events.extend(self.kept().ok());
        }
        Ok(Change::Nothing)
    }

    /// Has the engine, or the tree of a walk, play the next ply.
    fn move_now(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(self.pending().is_some(), "the game is over");
        self.ensure_in_time()?;
        self.ensure_no_stone_placed()?;
        if self.walk.is_none() {
            self.decide(Purpose::Decide, events);
        } else {
            self.ask_tree(true, events);
        }
        Ok(Change::Nothing)
    }

    /// Refuses to leave an unfinished turn, whose stones would be lost.
    pub(super) fn ensure_no_stone_placed(&self) -> Result<()> {
        ensure!(
            self.placing.cells.is_empty(),
            "some stones of this turn are placed: place the rest, or take them back"
        );
        Ok(())
    }

    fn analyse(&mut self, lines: usize, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(lines <= MAX_LINES, "an analysis has at most {MAX_LINES} lines");
        self.play.lines = lines;
        events.push(self.setting());
        if lines > 0 {
            self.study(events);
        }
        if lines > 0 && self.has_background_work() {
            let text =
                "The review, or the judging of your answer, waits until the analysis is off.";
            events.push(Event::Message { text: text.into() });
        }
        if !self.acts() {
            self.search_again(false, events);
        }
        Ok(Change::Nothing)
    }

    fn start_query(&mut self, query: Query, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(self.pending().is_some(), "the game is over");
        self.ensure_user_may_act()?;
        match query {
            Query::Hint => {
                self.ensure_no_stone_placed()?;
                self.decide(Purpose::Hint, events);
            }
            Query::Threat | Query::Vct => self.query_lines(query, events)?,
            Query::Vcf => self.query_fours(query, self.game_state().to_move(), events)?,
            Query::OtherWin => self.query_fours(query, !self.game_state().to_move(), events)?,
            Query::Defences => self.query_defences(events)?,
            Query::Balance | Query::BalanceTwo => self.query_balance(query, events)?,
        }
        Ok(Change::Nothing)
    }

    fn explain(&self, cell: Cell, events: &mut Vec<Event>) -> Result<Change> {
        let contest = self.game_state().contest();
        let to_move = self.game_state().to_move();
        let has_fouls = |color: &Color| contest.variant.fouls(*color).any();
        let color = [to_move, !to_move].into_iter().find(has_fouls);
        let color = color.with_context(|| format!("{} has no fouls", contest.variant))?;
        let on_board = cell.x() < contest.width && cell.y() < contest.height;
        ensure!(on_board, "the point is outside the board");
        let label = self.tree.lettering().label(cell);
        ensure!(self.game_state().stone(cell).is_none(), "{label} is occupied");
        let explained = match contest.setup() {
            Some(setup) => {
                let mut referee = FiveReferee::new(setup);
                for (at, stone) in self.game_state().placed() {
                    referee.set_up(at, stone)?;
                }
                referee.explain(color, cell)
            }
            // In games other than five in a row the fouls are known, but not their reasons.
            None => None,
        };
        let (found, lines) = match explained {
            Some(found) => (verdict(&found), tree(&found, self.tree.lettering())),
            None => (fouls_or_none(self.game_state().referee().fouls(color, cell)), Vec::new()),
        };
        let verdict = format!("{} on {label}: {found}", name(color));
        events.push(Event::Explanation { cell, verdict, lines });
        Ok(Change::Nothing)
    }

    /// Ends the running search. If the engine was deciding, its ply is played when it arrives.
    /// If a search on demand is running, only that search ends; otherwise the analysis and the
    /// review end.
    fn stop(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        self.searcher.stop();
        let is_on_demand = |running: &Running| running.purpose.is_on_demand();
        if !self.running.as_ref().is_some_and(is_on_demand) {
            if mem::take(&mut self.play.lines) > 0 {
                events.push(self.setting());
            }
            self.stop_background(events);
        }
        self.halt();
        events.push(self.searching());
        Ok(Change::Nothing)
    }
}
