//! The trainer: a puzzle is asked, and answers are judged and refuted on the board.

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

/// Most turns of a line that refutes or solves.
const LONGEST_LINE: usize = 24;

impl Model {
    /// Puts the game aside and asks a puzzle.
    pub(super) fn train(&mut self, text: &str, events: &mut Vec<Event>) -> Result<Change> {
        let puzzle = Puzzle::read(text)?;
        let tree = Tree::of_game(&puzzle.game_state)?;
        self.give_up_opening(events);
        self.searcher.stop();
        self.running = None;
        let walks = self.walk.is_some();
        let aside = self.put_aside(tree, events);
        if walks {
            self.close_walk(events);
        }
        let reported = puzzle.question();
        self.exercise = Some(Training {
            text: puzzle.write(),
            puzzle,
            question: self.tree.current(),
            state: ExerciseState::Asked,
            reported,
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

    /// How the exercise stands.
    pub(super) fn exercise_view(&self) -> Event {
        Event::Exercise(match &self.exercise {
            Some(training) => Exercise {
                state: training.state,
                text: training.reported.clone(),
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

    /// A ply was played in the exercise: it is judged, if it is an answer to the question or
    /// to what followed on it.
    pub(super) fn judge(&mut self, events: &mut Vec<Event>) {
        let (node, game_state) = (self.tree.current(), self.tree.game_state().clone());
        let Some(training) = &mut self.exercise else { return };
        let question = training.question;
        let follows = question == 0 || self.tree.path(node).contains(&question);
        // Moves of both sides may be tried in a line that was refuted or solved.
        let own = game_state.actions().last().is_some_and(|_| {
            game_state.result().is_some()
                || game_state.to_move() != training.puzzle.game_state.to_move()
        });
        if training.state != ExerciseState::Asked || !own || !follows {
            return;
        }
        let work = judge_answer(training.puzzle.kind, &game_state);
        training.work = Some(Judging::Answer { node, work });
        training.set(ExerciseState::Judged, "The answer is judged.".into());
        events.push(self.exercise_view());
    }

    /// The search that the exercise waits for.
    pub(super) fn check_wanted(&mut self, events: &mut Vec<Event>) -> Option<Needed> {
        let training = self.exercise.as_mut()?;
        match training.work.as_mut()? {
            Judging::Answer { node, work } => match work.step() {
                Some(Step::Wants(wanted)) => return Some(wanted),
                Some(Step::Done(answer)) => {
                    let node = *node;
                    training.work = None;
                    self.answered(node, &answer, events);
                }
                None => training.work = None,
            },
            Judging::Solution(work) => match work.step() {
                Some(Step::Wants(wanted)) => return Some(wanted),
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

    /// What comes of the answer that led to a node, which is shown again if another one is.
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
                let reported = if defence {
                    format!("Solved: {played} holds, no win of {opponent} was found.")
                } else {
                    "Solved.".into()
                };
                training.set(ExerciseState::Solved, reported);
            }
            Answer::Wrong { line, plies } => {
                let line = &line[..line.len().min(LONGEST_LINE)];
                let nodes = self.tree.add_line(node, line).unwrap_or_default();
                let first = nodes.first().map(|&node| self.tree.text(node).to_owned());
                let reported = match (first, plies) {
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
                    training.set(ExerciseState::Wrong, reported);
                }
                events.push(Event::Shown { nodes });
            }
        }
        events.push(self.exercise_view());
        self.show(Change::Moved, events);
    }

    /// Goes back to the question.
    pub(super) fn again(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        let training = self.exercise.as_mut().context("there is no exercise")?;
        self.tree.go(training.question)?;
        training.work = None;
        let reported = training.puzzle.question();
        training.set(ExerciseState::Asked, reported);
        self.forget_background();
        events.push(self.exercise_view());
        Ok(Change::Moved)
    }

    /// Begins to look for the solution.
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
        let reported = match nodes.first() {
            Some(&node) => format!("The solution begins with {}.", self.tree.text(node)),
            None => "The engine did not find it in its time.".into(),
        };
        if let Some(training) = &mut self.exercise {
            training.set(ExerciseState::Revealed, reported);
        }
        events.push(Event::Shown { nodes });
        events.push(self.exercise_view());
        self.show(Change::Moved, events);
    }

    /// Another position of the exercise was gone to: nothing is judged any more, and the
    /// question may be answered again.
    pub(super) fn exercise_moved(&mut self, events: &mut Vec<Event>) {
        let node = self.tree.current();
        let Some(training) = &mut self.exercise else { return };
        let is_asked_anew = match training.state {
            // An answer that is not judged is neither right nor wrong.
            ExerciseState::Judged => true,
            ExerciseState::Wrong => node == training.question,
            _ => false,
        };
        if !is_asked_anew {
            return;
        }
        training.work = None;
        let reported = training.puzzle.question();
        training.set(ExerciseState::Asked, reported);
        self.forget_background();
        events.push(self.exercise_view());
    }

    /// Ends what is searched for the exercise.
    pub(super) fn stop_check(&mut self, events: &mut Vec<Event>) {
        let Some(training) = &mut self.exercise else { return };
        let (reported, answer) = match training.work.take() {
            Some(Judging::Answer { node, .. }) => {
                ("Judging was stopped: play the answer again.", Some(node))
            }
            Some(Judging::Solution(_)) => ("The search for the solution was stopped.", None),
            None => return,
        };
        // Neither solved nor missed.
        training.set(ExerciseState::Asked, reported.into());
        events.push(self.exercise_view());
        if let Some(before) = answer.and_then(|node| self.tree.parent_of(node))
            && self.tree.go(before).is_ok()
        {
            self.show(Change::Moved, events);
        }
    }

    /// Shows the game again that was put aside.
    pub(super) fn leave(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        events.extend(self.written(false));
        let training = self.exercise.take().map(|training| training.aside);
        self.forget_background();
        let aside = training.or_else(|| self.end_walk(events));
        let Aside { tree, players, review, clock } =
            aside.context("there is no exercise and no walk")?;
        (self.tree, self.play.players, self.review) = (tree, players, review);
        self.clock = clock;
        // The page was told of another tree since.
        self.tree.set_sent(false);
        self.games += 1;
        events.push(self.setting());
        events.push(self.exercise_view());
        events.push(self.review_view());
        events.push(Event::Game(view::game(&self.tree)));
        Ok(Change::Moved)
    }
}
