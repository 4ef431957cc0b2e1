//! Positions as the fits see them: counts of the codes on the board, codes of
//! the candidate moves, search score and game result.

use std::ops::Range;

use super::game_position::GamePosition;
use goren_core::rules::Outcome;
use goren_core::types::{Color, Score};
use goren_engine::eval::THREATS;
use goren_engine::eval::near::NEAR;
use goren_engine::pattern::{CODES, Code};
use goren_training_data::PackedGame;

/// Where the weights of a side stand in the vectors that are fitted. In renju
/// each colour has its own, elsewhere both share one side's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// 1 or 2.
    pub sides: usize,
}

impl Layout {
    /// The side of a colour.
    pub fn side(self, color: Color) -> usize {
        color.index().min(self.sides - 1)
    }

    /// Weight of a code on an empty cell for a colour that is to move or
    /// `waiting`, in the evaluation.
    pub fn potential(self, color: Color, waiting: bool, code: Code) -> usize {
        (self.side(color) * 2 + usize::from(waiting)) * CODES + code as usize
    }

    /// Weight of the threats if a colour is to move, in the evaluation.
    pub fn threats(self, to_move: Color, mask: usize) -> usize {
        self.sides * 2 * CODES + self.side(to_move) * THREATS + mask
    }

    /// Weights of the evaluation.
    pub fn evaluation(self) -> usize {
        self.sides * (2 * CODES + THREATS)
    }

    /// Weight of playing on a cell by the own code there, in the ordering.
    pub fn own(self, mover: Color, code: Code) -> usize {
        self.side(mover) * 2 * CODES + code as usize
    }

    /// Weight of denying a code to a colour, in the ordering.
    pub fn deny(self, to: Color, code: Code) -> usize {
        (self.side(to) * 2 + 1) * CODES + code as usize
    }

    /// First weight of the places of moves of a colour, in the ordering.
    pub fn near(self, mover: Color) -> usize {
        self.sides * 2 * CODES + self.side(mover) * NEAR
    }

    /// Weights of the ordering.
    pub fn ordering(self) -> usize {
        self.sides * (2 * CODES + NEAR)
    }
}

/// The training label of a position.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Label {
    /// Score of the search for the side to move.
    pub score: Score,
    /// Points of the side to move, 0 to 1; `None` if a random move was played
    /// later on, or the position itself was not.
    pub result: Option<f32>,
    /// Whether the game is kept for validation.
    pub held_out: bool,
}

impl Label {
    /// Of a position of a game.
    pub fn of(game: &PackedGame, position: GamePosition<'_>, held_out: bool) -> Label {
        let result = match position {
            GamePosition::Played(ply) => {
                // After the last move that was not the best one, the result is that of
                // good play.
                let last_random = game.plies.iter().rposition(|ply| ply.played != ply.best);
                last_random.is_none_or(|last| ply > last).then(|| points(game, ply))
            }
            GamePosition::Sampled(_) => None,
        };
        Label { score: position.score(game), result, held_out }
    }
}

/// Points that the side to move before a ply of a game had at the end, 0 to 1.
pub(super) fn points(game: &PackedGame, ply: usize) -> f32 {
    let mover = Color::ALL[(game.opening.len() + ply) % 2];
    match game.result {
        Outcome::Draw => 0.5,
        Outcome::Win(color) => f32::from(color == mover),
    }
}

/// Many positions, packed: all of one kind in a row, with the ends of each
/// position's part.
#[derive(Default)]
pub(super) struct Positions {
    labels: Vec<Label>,
    /// Number of the threats' weight.
    threats: Vec<u16>,
    code_ends: Vec<usize>,
    /// Numbers of weights of the evaluation.
    codes: Vec<u16>,
    /// How often each is on the board.
    counts: Vec<u8>,
    candidate_ends: Vec<usize>,
    /// Numbers of the weights of a candidate in the ordering.
    candidates: Vec<Candidate>,
    /// Which candidate is best.
    best: Vec<u16>,
}

/// Numbers of the weights of a candidate in the ordering. Five in a row: of its codes, and
/// of its places seen from the last two moves; other games: of its windows.
pub(super) type Candidate = [u16; 4];

/// How the ordering's part of a position is told.
pub(super) struct Choice {
    /// The weights of each candidate.
    pub candidates: Vec<Candidate>,
    /// Which of them is best.
    pub best: usize,
}

impl Positions {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Adds a position: its label, its threats, its codes with their numbers,
    /// and the choice of the move where it says something.
    pub fn push(
        &mut self,
        label: Label,
        threats: usize,
        codes: impl Iterator<Item = (u16, u8)>,
        choice: Option<Choice>,
    ) {
        self.labels.push(label);
        self.threats.push(threats as u16);
        for (code, count) in codes {
            self.codes.push(code);
            self.counts.push(count);
        }
        self.code_ends.push(self.codes.len());
        let choice = choice.unwrap_or(Choice { candidates: Vec::new(), best: 0 });
        self.candidates.extend(choice.candidates);
        self.candidate_ends.push(self.candidates.len());
        self.best.push(choice.best as u16);
    }

    /// Adds a position of another list.
    pub fn push_from(&mut self, other: &Positions, at: usize) {
        let codes = other.codes_at(at).map(|(code, count)| (code as u16, count));
        let candidates = other.candidates_at(at).to_vec();
        let choice = Choice { candidates, best: other.best_at(at) };
        self.push(*other.label(at), other.threats[at].into(), codes, Some(choice));
    }

    /// What the game said.
    pub fn label(&self, at: usize) -> &Label {
        &self.labels[at]
    }

    /// Number of the weight of the threats.
    #[inline]
    pub fn threats_at(&self, at: usize) -> usize {
        self.threats[at] as usize
    }

    /// Numbers of the weights of the codes, and how often each counts.
    #[inline]
    pub fn codes_at(&self, at: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        let range = part(&self.code_ends, at);
        let codes = self.codes[range.clone()].iter().map(|&code| code as usize);
        codes.zip(self.counts[range].iter().copied())
    }

    /// The weights of each candidate; none if the position says nothing
    /// about the ordering.
    #[inline]
    pub fn candidates_at(&self, at: usize) -> &[Candidate] {
        &self.candidates[part(&self.candidate_ends, at)]
    }

    /// The best of the candidates.
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
