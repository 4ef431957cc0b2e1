//! The trainer: asks puzzles, and judges and refutes answers on the board.

use std::mem;

use anyhow::{Context, Result};

use super::training::{Aside, Judging, Training};
use super::tree::Tree;
use super::{Change, Model, view};
use crate::schema::{Event, Exercise, ExerciseState};
use goren_core::opening::Action;
use goren_core::types::Cell;
use goren_notation::words::name;
use goren_review::maker::{Answer, judge_answer, solution};
use goren_review::puzzle::{Kind, Puzzle};
use goren_review::words::count;
use goren_review::work::{Found, Needed, Step};

/// Maximum length of a refutation or a solution in stones.
const LONGEST_LINE: usize = 24;

impl Model {
    /// Sets the game aside and asks a puzzle.
    pub(super) fn train(&mut self, text: &str, events: &mut Vec<Event>) -> Result<Change> {
        let puzzle = Puzzle::read(text)?;
        let tree = Tree::of_game(&puzzle.game_state)?;
        self.abort_opening(events);
        self.searcher.stop();
        self.running = None;
        let walks = self.walk.is_some();
        let aside = self.set_aside(tree, events);
        if walks {
            self.close_walk(events);
        }
        let message = puzzle.question();
        self.exercise = Some(Training {
            text: puzzle.write(),
            puzzle,
            question: self.tree.current(),
            state: ExerciseState::Asked,
            message,
            work: None,
            aside,
        });
        if mem::take(&mut self.play.lines) > 0 {
            // An analysis would give the answer away.
            events.push(self.setting());
        }
        events.push(self.setting());
        events.push(self.exercise_view());
        events.push(Event::Game(view::game(&self.tree)));
        Ok(Change::Moved)
    }

    /// Describes the exercise.
    pub(super) fn exercise_view(&self) -> Event {
        Event::Exercise(match &self.exercise {
            Some(training) => Exercise {
                state: training.state,
                text: training.message.clone(),
                puzzle: training.text.clone(),
                node: training.question,
            },
            None => Exercise {
                state: ExerciseState::None,
                text: String::new(),
                puzzle: String::new(),
                node: 0,
            },
        })
    }

    /// Begins to judge a ply played in the exercise, if it answers the question or a later reply
    /// of the opponent.
    pub(super) fn judge(&mut self, events: &mut Vec<Event>) {
        let (node, game_state) = (self.tree.current(), self.tree.game_state().clone());
        let Some(training) = &mut self.exercise else { return };
        let question = training.question;
        let follows = question == 0 || self.tree.path(node).contains(&question);
        // In a refuted or solved line the user may try moves of both sides.
        let is_own_move = game_state.actions().last().is_some_and(|_| {
            game_state.result().is_some()
                || game_state.to_move() != training.puzzle.game_state.to_move()
        });
        if training.state != ExerciseState::Asked || !is_own_move || !follows {
            return;
        }
        let work = judge_answer(training.puzzle.kind, &game_state);
        training.work = Some(Judging::Answer { node, work });
        training.set(ExerciseState::Judged, "Judging the answer.".into());
        events.push(self.exercise_view());
    }

    /// Returns the search that the exercise needs next.
    pub(super) fn next_check_search(&mut self, events: &mut Vec<Event>) -> Option<Needed> {
        let training = self.exercise.as_mut()?;
        match training.work.as_mut()? {
            Judging::Answer { node, work } => match work.step() {
                Some(Step::Wants(needed)) => return Some(needed),
                Some(Step::Done(answer)) => {
                    let node = *node;
                    training.work = None;
                    self.answered(node, &answer, events);
                }
                None => training.work = None,
            },
            Judging::Solution(work) => match work.step() {
                Some(Step::Wants(needed)) => return Some(needed),
                Some(Step::Done(line)) => {
                    training.work = None;
                    self.show_solution(&line, events);
                }
                None => training.work = None,
            },
        }
        None
    }

    pub(super) fn check_found(&mut self, found: Found) {
        match self.exercise.as_mut().and_then(|training| training.work.as_mut()) {
            Some(Judging::Answer { work, .. }) => work.found(found),
            Some(Judging::Solution(work)) => work.found(found),
            None => {}
        }
    }

    /// Handles the judgement of the answer that led to a node, and shows that node again.
    fn answered(&mut self, node: usize, answer: &Answer, events: &mut Vec<Event>) {
        if self.tree.go(node).is_err() {
            return;
        }
        let played = self.tree.text(node).to_owned();
        let opponent = name(self.game_state().to_move());
        let Some(training) = &mut self.exercise else { return };
        let defence = training.puzzle.kind == Kind::Defence;
        match answer {
            Answer::Right { reply } if !reply.is_empty() => {
                if self.tree.play(&Action::stones(reply)).is_ok() {
                    let answer = self.tree.text(self.tree.current());
                    training.set(
                        ExerciseState::Asked,
                        format!("Right. {opponent} answers {answer}: go on."),
                    );
                } else {
                    training.set(ExerciseState::Solved, "Solved.".into());
                }
            }
            Answer::Right { .. } => {
                let message = if defence {
                    format!("Solved: {played} holds, no win for {opponent} was found.")
                } else {
                    "Solved.".into()
                };
                training.set(ExerciseState::Solved, message);
            }
            Answer::Wrong { line, plies } => {
                let line = &line[..line.len().min(LONGEST_LINE)];
                let nodes = self.tree.add_line(node, line).unwrap_or_default();
                let first = nodes.first().map(|&node| self.tree.text(node).to_owned());
                let message = match (first, plies) {
                    (Some(first), Some(plies)) => {
                        format!("{played} loses: {first} wins within {}.", count(*plies, "ply"))
                    }
                    (Some(first), None) if defence => format!("{played} loses to {first}."),
                    (Some(first), None) => {
                        format!("{played} does not win, as far as the engine sees: {first} holds.")
                    }
                    (None, _) if defence => format!("{played} loses."),
                    (None, _) => format!("{played} does not win."),
                };
                if let Some(training) = &mut self.exercise {
                    training.set(ExerciseState::Wrong, message);
                }
                events.push(Event::Shown { nodes });
            }
        }
        events.push(self.exercise_view());
        self.show(Change::Moved, events);
    }

    /// Returns to the question.
    pub(super) fn again(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        let training = self.exercise.as_mut().context("there is no exercise")?;
        self.tree.go(training.question)?;
        training.work = None;
        let message = training.puzzle.question();
        training.set(ExerciseState::Asked, message);
        self.forget_background();
        events.push(self.exercise_view());
        Ok(Change::Moved)
    }

    /// Begins to search for the solution.
    pub(super) fn solve(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        let training = self.exercise.as_mut().context("there is no exercise")?;
        self.tree.go(training.question)?;
        training.work = Some(Judging::Solution(solution(&training.puzzle)));
        training.set(ExerciseState::Solving, "Looking for the solution.".into());
        self.forget_background();
        events.push(self.exercise_view());
        Ok(Change::Moved)
    }

    fn show_solution(&mut self, line: &[Cell], events: &mut Vec<Event>) {
        let Some(question) = self.exercise.as_ref().map(|training| training.question) else {
            return;
        };
        let line = &line[..line.len().min(LONGEST_LINE)];
        let nodes = self.tree.add_line(question, line).unwrap_or_default();
        let message = match nodes.first() {
            Some(&node) => format!("The solution begins with {}.", self.tree.text(node)),
            None => "The engine did not find the solution in time.".into(),
        };
        if let Some(training) = &mut self.exercise {
            training.set(ExerciseState::Revealed, message);
        }
        events.push(Event::Shown { nodes });
        events.push(self.exercise_view());
        self.show(Change::Moved, events);
    }

    /// Handles a move to another position of the exercise: judging ends, and the question may be
    /// answered again.
    pub(super) fn exercise_moved(&mut self, events: &mut Vec<Event>) {
        let node = self.tree.current();
        let Some(training) = &mut self.exercise else { return };
        let is_asked_anew = match training.state {
            // The answer was not judged to the end, so it is neither right nor wrong.
            ExerciseState::Judged => true,
            ExerciseState::Wrong => node == training.question,
            _ => false,
        };
        if !is_asked_anew {
            return;
        }
        training.work = None;
        let message = training.puzzle.question();
        training.set(ExerciseState::Asked, message);
        self.forget_background();
        events.push(self.exercise_view());
    }

    /// Ends the search for the exercise.
    pub(super) fn stop_check(&mut self, events: &mut Vec<Event>) {
        let Some(training) = &mut self.exercise else { return };
        let (message, answer) = match training.work.take() {
            Some(Judging::Answer { node, .. }) => {
                ("Judging was stopped: play the answer again.", Some(node))
            }
            Some(Judging::Solution(_)) => ("The search for the solution was stopped.", None),
            None => return,
        };
        // It counts as neither solved nor missed.
        training.set(ExerciseState::Asked, message.into());
        events.push(self.exercise_view());
        if let Some(before) = answer.and_then(|node| self.tree.parent_of(node))
            && self.tree.go(before).is_ok()
        {
            self.show(Change::Moved, events);
        }
    }

    /// Returns to the game that was set aside.
    pub(super) fn leave(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        events.extend(self.replaced_notes(false));
        let training = self.exercise.take().map(|training| training.aside);
        self.forget_background();
        let aside = training.or_else(|| self.end_walk(events));
        let Aside { tree, players, review, clock } =
            aside.context("there is no exercise or walk to leave")?;
        (self.tree, self.play.players, self.review) = (tree, players, review);
        self.clock = clock;
        // The page has got another tree since.
        self.tree.set_sent(false);
        self.games += 1;
        events.push(self.setting());
        events.push(self.exercise_view());
        events.push(self.review_view());
        events.push(Event::Game(view::game(&self.tree)));
        Ok(Change::Moved)
    }
}
