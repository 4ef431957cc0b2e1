//! A game that is or was reviewed, and what the page is shown of it.

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

/// A game that is or was reviewed.
pub(super) struct Reviewed {
    pub(super) whole: GameState,
    /// Who won it; `None` for nobody, or if that is not known.
    pub(super) winner: Option<Color>,
    /// The nodes after its plies.
    pub(super) nodes: Vec<usize>,
    /// How many of its plies were made before the players took over.
    pub(super) opening_plies: usize,
    pub(super) time: Duration,
    /// What is searched; `None` when it is over or was stopped.
    pub(super) work: Option<Review>,
    /// The last plies, as far as they are judged.
    pub(super) plies: Vec<Judged>,
    pub(super) state: ReviewState,
    pub(super) making: Option<Making>,
}

/// Puzzles that are made of what was missed.
pub(super) struct Making {
    pub(super) work: Work<()>,
    /// What was made and not yet told, and how many misses were looked at.
    pub(super) made: Arc<Mutex<(Vec<Puzzle>, usize)>>,
    pub(super) of: usize,
}

impl Reviewed {
    /// The plies whose nodes still stand, with these.
    pub(super) fn standing<'a>(
        &'a self,
        stands: &'a dyn Fn(usize) -> bool,
    ) -> impl Iterator<Item = (usize, &'a Judged)> {
        let node = |ply: &Judged| self.nodes.get(ply.number - 1).copied();
        let plies = self.plies.iter().filter_map(move |ply| Some((node(ply)?, ply)));
        plies.filter(|(node, _)| stands(*node))
    }

    /// The plies that the players have made, as far as they are judged.
    pub(super) fn own_plies(&self) -> &[Judged] {
        let of_opening = |ply: &&Judged| ply.number <= self.opening_plies;
        &self.plies[self.plies.iter().take_while(of_opening).count()..]
    }

    pub(super) fn view(&self, stands: &dyn Fn(usize) -> bool) -> ReviewView {
        let contest = self.whole.contest();
        let view = |(node, ply): (usize, &Judged)| {
            let view = ply_view(contest, node, ply)?;
            // The plies of an opening are no mistakes of the players.
            let grade = view.grade.filter(|_| ply.number > self.opening_plies);
            Some(ReviewPly { grade, ..view })
        };
        let plies: Vec<ReviewPly> = self.standing(stands).filter_map(view).collect();
        let own = self.own_plies();
        let losing = losing_move(own, self.winner, 0).map(|at| &own[at]);
        let losing = losing.filter(|_| self.state != ReviewState::Running);
        let node = losing.and_then(|ply| self.nodes.get(ply.number - 1).copied());
        let reported = losing.and_then(|ply| decision(contest, &self.plies, ply));
        ReviewView {
            state: self.state,
            done: self.plies.len(),
            of: self.whole.actions().len(),
            plies,
            sides: tallies(own).map(side),
            losing: node.filter(|&node| stands(node)),
            decision: reported.map_or(String::new(), |reported| reported + "."),
            misses: misses(&self.whole, own).len(),
        }
    }
}

/// Who won a game: by its stones, else as its file says; `None` for nobody.
pub(super) fn winner(whole: &GameState, of_file: Option<&End>) -> Option<Color> {
    match whole.result() {
        Some(result) => match result.colors[..] {
            [winner] => Some(winner),
            _ => None,
        },
        None => of_file.and_then(End::winner),
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

/// The positions before plies that missed something, with what it was.
pub(super) fn misses(whole: &GameState, plies: &[Judged]) -> Vec<(GameState, Missed)> {
    let missed = |ply: &Judged| {
        let missed = match ply.judgement.as_ref()?.proof_change()? {
            ProofChange::WinMissed(_) | ProofChange::WinToLoss(..) => Missed::Win,
            ProofChange::LossFound(_) => Missed::Defence,
        };
        let mut before = whole.clone();
        before.take_back(whole.actions().len() + 1 - ply.number);
        Some((before, missed))
    };
    plies.iter().filter_map(missed).collect()
}
