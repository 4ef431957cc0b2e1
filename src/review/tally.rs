//! Counts of the judged moves of each side.

use crate::judge::Judged;

/// Summary of one player's judged moves: number, win rate given away, and grades.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct LossCount {
    /// Number of judged moves.
    pub moves: usize,
    /// Sum of the win rates given away.
    pub loss: f64,
    /// Number of moves of each grade, in the order of [`Grade::ALL`](crate::judge::Grade::ALL).
    pub grades: [usize; 3],
}

impl LossCount {
    /// Returns the mean win rate given away by a move, 0 to 1.
    pub fn mean(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// Returns the accuracy: the share of the win rate that a move kept on average, 0 to 1.
    pub fn accuracy(&self) -> f64 {
        1.0 - self.mean()
    }
}

/// Counts the judged moves of Black and of White.
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
