//! Positions as numbers: codes on the board, codes of the candidate moves, and the label.
//! The fits of tables, tuples, move ordering and network need nothing else.

use std::ops::Range;

use super::label::TrainingLabel;

/// Many positions. Each column holds one kind of number for all positions in sequence; where
/// the count varies, a column of ends has the end of the part of each position.
#[derive(Default)]
pub(super) struct EncodedPositions {
    labels: Vec<TrainingLabel>,
    /// Weights of the evaluation: one for each position.
    states: Vec<u16>,
    code_ends: Vec<usize>,
    /// Weights of the evaluation.
    codes: Vec<u16>,
    /// How often each code is on the board.
    counts: Vec<u8>,
    candidate_ends: Vec<usize>,
    candidates: Vec<CandidateWeights>,
    /// Index of the best candidate.
    best: Vec<u16>,
}

/// Numbers of the weights of a candidate in the ordering. Five in a row: of its codes, and
/// of its places seen from the last two moves; other games: of its windows.
pub(super) type CandidateWeights = [u16; 4];

/// The choice of a move, from which the ordering is learnt.
pub(super) struct MoveChoice {
    /// The weights of each candidate.
    pub candidates: Vec<CandidateWeights>,
    /// Index of the best candidate.
    pub best: usize,
}

impl EncodedPositions {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Adds a position: its label, the weight of its `state` (the threats in five in a row;
    /// captures or stones left in the turn in other games), the weights of its codes with
    /// how often each counts, and the choice of the move where it teaches something.
    pub fn push(
        &mut self,
        label: TrainingLabel,
        state: usize,
        codes: impl Iterator<Item = (u16, u8)>,
        choice: Option<MoveChoice>,
    ) {
        self.labels.push(label);
        self.states.push(state as u16);
        for (code, count) in codes {
            self.codes.push(code);
            self.counts.push(count);
        }
        self.code_ends.push(self.codes.len());
        let choice = choice.unwrap_or(MoveChoice { candidates: Vec::new(), best: 0 });
        self.candidates.extend(choice.candidates);
        self.candidate_ends.push(self.candidates.len());
        self.best.push(choice.best as u16);
    }

    /// Adds a position of another list.
    pub fn push_from(&mut self, other: &EncodedPositions, at: usize) {
        let codes = other.codes_at(at).map(|(code, count)| (code as u16, count));
        let candidates = other.candidates_at(at).to_vec();
        let choice = MoveChoice { candidates, best: other.best_at(at) };
        self.push(*other.label(at), other.state_at(at), codes, Some(choice));
    }

    /// The label of each position.
    pub fn labels(&self) -> &[TrainingLabel] {
        &self.labels
    }

    /// The label of a position.
    pub fn label(&self, at: usize) -> &TrainingLabel {
        &self.labels[at]
    }

    /// The weight of the state.
    #[inline]
    pub fn state_at(&self, at: usize) -> usize {
        self.states[at] as usize
    }

    /// The weights of the codes, and how often each counts.
    #[inline]
    pub fn codes_at(&self, at: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        let range = part(&self.code_ends, at);
        let codes = self.codes[range.clone()].iter().map(|&code| code as usize);
        codes.zip(self.counts[range].iter().copied())
    }

    /// The weights of each candidate; none if the position teaches nothing about the
    /// ordering.
    #[inline]
    pub fn candidates_at(&self, at: usize) -> &[CandidateWeights] {
        &self.candidates[part(&self.candidate_ends, at)]
    }

    /// Index of the best candidate.
    #[inline]
    pub fn best_at(&self, at: usize) -> usize {
        self.best[at] as usize
    }
}

#[inline]
fn part(ends: &[usize], at: usize) -> Range<usize> {
    let start = if at == 0 { 0 } else { ends[at - 1] };
    start..ends[at]
}
