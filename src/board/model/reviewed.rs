//! A game under review or reviewed, and its view for the page.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::heading::End;
use crate::schema::{Grade, ReviewPly, ReviewSide, ReviewState, ReviewView};
use goren_core::opening::GameState;
use goren_core::rules::Contest;
use goren_core::types::Color;
use goren_notation::words::score_text;
use goren_review::judge::{self, Judged, ProofChange, losing_move};
use goren_review::maker::Missed;
use goren_review::puzzle::Puzzle;
use goren_review::review::Review;
use goren_review::tally::{LossCount, tallies};
use goren_review::words::{better, decision, proof_change_words};
use goren_review::work::Work;

/// A game under review or reviewed.
pub(super) struct Reviewed {
    pub(super) game_state: GameState,
    /// The winner; `None` for a draw, and if unknown.
    pub(super) winner: Option<Color>,
    /// The nodes after its plies.
    pub(super) nodes: Vec<usize>,
    /// Number of plies made before the players took over.
    pub(super) opening_plies: usize,
    pub(super) time: Duration,
    /// The searches; `None` when the review is complete or was stopped.
    pub(super) work: Option<Review>,
    /// The plies judged so far, which are the last ones of the game.
    pub(super) plies: Vec<Judged>,
    pub(super) state: ReviewState,
    pub(super) making: Option<Making>,
}

/// Making puzzles from misses.
pub(super) struct Making {
    pub(super) work: Work<()>,
    /// The puzzles not sent yet, and the number of misses checked.
    pub(super) results: Arc<Mutex<(Vec<Puzzle>, usize)>>,
    /// Number of misses.
    pub(super) total: usize,
}

impl Reviewed {
    /// Returns the plies whose nodes are still in the tree, with their nodes.
    pub(super) fn plies_in_tree<'a>(
        &'a self,
        in_tree: &'a dyn Fn(usize) -> bool,
    ) -> impl Iterator<Item = (usize, &'a Judged)> {
        let node = |ply: &Judged| self.nodes.get(ply.number - 1).copied();
        let plies = self.plies.iter().filter_map(move |ply| Some((node(ply)?, ply)));
        plies.filter(|(node, _)| in_tree(*node))
    }

    /// Returns the judged plies after the opening.
    pub(super) fn own_plies(&self) -> &[Judged] {
        let is_opening = |ply: &&Judged| ply.number <= self.opening_plies;
        &self.plies[self.plies.iter().take_while(is_opening).count()..]
    }

    pub(super) fn view(&self, in_tree: &dyn Fn(usize) -> bool) -> ReviewView {
        let contest = self.game_state.contest();
        let view = |(node, ply): (usize, &Judged)| {
            let view = ply_view(contest, node, ply)?;
            // The players are not to blame for the plies of the opening.
            let grade = view.grade.filter(|_| ply.number > self.opening_plies);
            Some(ReviewPly { grade, ..view })
        };
        let plies: Vec<ReviewPly> = self.plies_in_tree(in_tree).filter_map(view).collect();
        let own = self.own_plies();
        let losing = losing_move(own, self.winner, 0).map(|at| &own[at]);
        let losing = losing.filter(|_| self.state != ReviewState::Running);
        let node = losing.and_then(|ply| self.nodes.get(ply.number - 1).copied());
        let sentence = losing.and_then(|ply| decision(contest, &self.plies, ply));
        ReviewView {
            state: self.state,
            done: self.plies.len(),
            of: self.game_state.actions().len(),
            plies,
            sides: tallies(own).map(side),
            losing: node.filter(|&node| in_tree(node)),
            decision: sentence.map_or(String::new(), |sentence| sentence + "."),
            misses: misses(&self.game_state, own).len(),
        }
    }
}

/// Returns the winner of a game: by its stones, else by its heading; `None` for nobody.
pub(super) fn winner(game_state: &GameState, file_end: Option<&End>) -> Option<Color> {
    match game_state.result() {
        Some(result) => match result.colors[..] {
            [winner] => Some(winner),
            _ => None,
        },
        None => file_end.and_then(End::winner),
    }
}

pub(super) fn side(count: LossCount) -> ReviewSide {
    let [inaccuracies, mistakes, blunders] = count.grades;
    ReviewSide { moves: count.moves, accuracy: count.accuracy(), inaccuracies, mistakes, blunders }
}

fn ply_view(contest: &Contest, node: usize, ply: &Judged) -> Option<ReviewPly> {
    let judgement = ply.judgement.as_ref()?;
    let best = if judgement.best == judgement.played {
        String::new()
    } else {
        better(contest, ply).into_iter().next().unwrap_or_default()
    };
    let grade = judgement.grade().map(|grade| match grade {
        judge::Grade::Inaccuracy => Grade::Inaccuracy,
        judge::Grade::Mistake => Grade::Mistake,
        judge::Grade::Blunder => Grade::Blunder,
    });
    Some(ReviewPly {
        node,
        number: ply.number,
        color: ply.color,
        text: ply.text.clone(),
        black: ply.black_rate()?,
        score: score_text(judgement.played),
        best,
        best_score: score_text(judgement.best),
        loss: judgement.loss(),
        grade,
        proof_note: judgement
            .proof_change()
            .map_or(String::new(), |turn| proof_change_words(turn, ply.cells.len())),
    })
}

/// Returns the positions before plies that missed a win or a defence, with what they missed.
pub(super) fn misses(game_state: &GameState, plies: &[Judged]) -> Vec<(GameState, Missed)> {
    let missed = |ply: &Judged| {
        let missed = match ply.judgement.as_ref()?.proof_change()? {
            ProofChange::WinMissed(_) | ProofChange::WinToLoss(..) => Missed::Win,
            ProofChange::LossFound(_) => Missed::Defence,
        };
        let mut before = game_state.clone();
        before.take_back(game_state.actions().len() + 1 - ply.number);
        Some((before, missed))
    };
    plies.iter().filter_map(missed).collect()
}
