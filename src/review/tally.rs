//! The moves of each side counted.

use crate::judge::Judged;

/// The judged moves of one player: number, win rate given away, and grades.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct LossCount {
    /// Moves that were judged.
    pub moves: usize,
    /// Win rate given away in all of them.
    pub loss: f64,
    /// How many of each grade, in the order of [`Grade::ALL`](crate::judge::Grade::ALL).
    pub grades: [usize; 3],
}

impl LossCount {
    /// Win rate given away a move, 0 to 1.
    pub fn mean(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// Accuracy: the share of the win rate that a move kept on average, 0 to 1.
    pub fn accuracy(&self) -> f64 {
        1.0 - self.mean()
    }
}

/// The judged moves of Black and of White.
pub fn tallies(plies: &[Judged]) -> [LossCount; 2] {
    let mut tallies = [LossCount::default(); 2];
    for ply in plies {
        let Some(judgement) = &ply.judgement else { continue };
        let tally = &mut tallies[ply.color.index()];
        tally.moves += 1;
        tally.loss += judgement.loss();
        if let Some(grade) = judgement.grade() {
            tally.grades[grade as usize] += 1;
        }
    }
    tallies
}
