//! Judgements of the moves of a game, from the searches of its positions.
//!
//! Each position has one value. A move has the value of the position after it, and the best
//! move has the value of the position before it. So the best move gives nothing away, and no
//! two numbers contradict each other.

pub use crate::distance::earlier;
use crate::game_position::{Fact, GamePosition, Transition};
use goren_core::opening::{Action, GameState};
use goren_core::types::{Cell, Color, PROVEN, Score, plies_to_end, win_rate};

/// Grade of a bad move, by the win rate that it gave away.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// From 0.05 on.
    Inaccuracy,
    /// From 0.1 on.
    Mistake,
    /// From 0.2 on.
    Blunder,
}

impl Grade {
    /// All grades, mildest first.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// Returns the grade of a loss of win rate, 0 to 1; `None` for a good move.
    fn of(loss: f64) -> Option<Grade> {
        Grade::ALL.into_iter().rev().find(|grade| loss >= grade.least())
    }

    /// Returns the least loss of win rate.
    pub const fn least(self) -> f64 {
        match self {
            Grade::Inaccuracy => 0.05,
            Grade::Mistake => 0.1,
            Grade::Blunder => 0.2,
        }
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }

    /// Returns the annotation sign of chess.
    pub const fn sign(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}

/// Change of a proven result by a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ProofChange {
    /// A win in this many plies was missed.
    WinMissed(usize),
    /// The opponent wins in this many plies now; no win of the opponent was proven before.
    LossFound(usize),
    /// A win in the first number of plies became a loss in the second.
    WinToLoss(usize, usize),
}

impl ProofChange {
    /// Returns the change from the score of the best move to that of the played move, if any.
    fn of(best: Score, played: Score) -> Option<ProofChange> {
        let plies = |score| plies_to_end(score).unwrap_or(0);
        match (best >= PROVEN, best <= -PROVEN, played >= PROVEN, played <= -PROVEN) {
            (true, _, _, true) => Some(ProofChange::WinToLoss(plies(best), plies(played))),
            (true, _, false, _) => Some(ProofChange::WinMissed(plies(best))),
            (_, false, _, true) => Some(ProofChange::LossFound(plies(played))),
            _ => None,
        }
    }

    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            ProofChange::WinMissed(_) => "win_missed",
            ProofChange::LossFound(_) => "loss_handed_over",
            ProofChange::WinToLoss(..) => "win_to_loss",
        }
    }
}

/// A ply of the game and its judgement.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Number of the ply in the game, from 1.
    pub number: usize,
    /// Side that played the ply.
    pub color: Color,
    /// Stones of the ply; none for swaps, passes and offers.
    pub cells: Vec<Cell>,
    /// The ply in the game's notation.
    pub text: String,
    /// Judgement; `None` if the opening asked for something other than a turn.
    pub judgement: Option<Judgement>,
}

/// Judgement of a move: its value and that of the best move.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Best line, which may begin with the played move. Empty if the position is proven to be
    /// won but the winning move is unknown.
    pub line: Vec<Cell>,
    /// Best line after the played move.
    pub reply: Vec<Cell>,
    /// Score of the best move for the mover: the value of the position.
    pub best: Score,
    /// Score of the played move for the mover: at most the best, and the value of the position
    /// after it.
    pub played: Score,
    /// Depth of the search for the best move, in plies.
    pub depth: u32,
    /// Number of nodes of all searches of the position.
    pub nodes: u64,
}

impl Judgement {
    /// Returns the win rate given away, 0 to 1.
    pub fn loss(&self) -> f64 {
        win_rate(self.best) - win_rate(self.played)
    }

    /// Returns the grade of a bad move.
    pub fn grade(&self) -> Option<Grade> {
        Grade::of(self.loss())
    }

    /// Returns the change of the proven result, if any.
    pub fn proof_change(&self) -> Option<ProofChange> {
        ProofChange::of(self.best, self.played)
    }
}

impl Judged {
    /// Returns Black's win rate after the ply, 0 to 1.
    pub fn black_rate(&self) -> Option<f64> {
        let rate = win_rate(self.judgement.as_ref()?.played);
        Some(if self.color == Color::Black { rate } else { 1.0 - rate })
    }
}

/// Judges the plies of a game from the position `from` on, by the search results of the
/// positions.
pub(crate) fn judged(game: &GameState, positions: &[GamePosition], from: usize) -> Vec<Judged> {
    let positions = &positions[from..];
    let values = values(positions);
    let plies = game.actions()[from..].iter().zip(positions).enumerate();
    let judged = plies.map(|(at, (action, position))| Judged {
        number: from + at + 1,
        color: position.color(),
        cells: action.placed(),
        text: text(&position.game_state, action),
        judgement: judgement(&positions[at], &positions[at + 1], &values[at..]),
    });
    judged.collect()
}

/// Writes a ply in the game's notation.
pub fn text(before: &GameState, action: &Action) -> String {
    match action {
        Action::Swap => "swap".into(),
        other => goren_core::opening::write(before, other),
    }
}

/// Computes the value of each position for the side to move: one number, which is the score of
/// the ply before it and the best score of the ply after it. Works from the end of the game to
/// its beginning.
fn values(positions: &[GamePosition]) -> Vec<Score> {
    let fact = |position: &GamePosition| position.fact.as_ref().map_or(0, |fact| fact.score);
    let mut values: Vec<Score> = positions.iter().map(fact).collect();
    for (at, pair) in positions.windows(2).enumerate().rev() {
        let [position, next] = pair else { continue };
        values[at] = match (&position.transition, &position.fact) {
            (Transition::Swap, _) => values[at + 1],
            (Transition::Turn(turn), Some(fact)) => {
                let same = position.color() == next.color();
                position_value(fact, turn, earlier(values[at + 1], turn.len(), same))
            }
            _ => values[at],
        };
    }
    values
}

/// Returns the value of a position in which the played turn has the value `played`.
fn position_value(fact: &Fact, turn: &[Cell], played: Score) -> Score {
    if fact.begins_with(turn) {
        // The best turn: a deeper search of it is a deeper search of the position.
        played
    } else if fact.score <= played || fact.score.abs() >= PROVEN || played.abs() >= PROVEN {
        fact.score.max(played)
    } else {
        // Searches of two positions do not see equally far. What the turn gives away was
        // measured by searches to the same depth; its value comes from later in the game,
        // where the searches saw more.
        let limit = win_rate(played) + fact.deficit;
        let (mut low, mut high) = (played, fact.score);
        while low < high {
            let middle = low + (high - low + 1) / 2;
            if win_rate(middle) <= limit { low = middle } else { high = middle - 1 }
        }
        low
    }
}

/// Judges the turn from a position to the next; `values` begins with the values of the two.
fn judgement(position: &GamePosition, next: &GamePosition, values: &[Score]) -> Option<Judgement> {
    let (turn, fact, after) = (position.turn()?, position.fact.as_ref()?, next.fact.as_ref()?);
    let [best, value, ..] = *values else { return None };
    let played = earlier(value, turn.len(), position.color() == next.color());
    let line = if played >= best { [turn, &after.line].concat() } else { fact.line.clone() };
    let reply = after.line.clone();
    Some(Judgement { line, reply, best, played, depth: fact.depth, nodes: fact.nodes })
}

/// Returns the index in `judged` of the losing move, if a side won or is proven to win: the
/// loser's move after which its best later win rate stays furthest below the win rate of the
/// best move (of equal ones the last). If no such drop reaches an inaccuracy, it is the graded
/// move with the largest loss (of equal ones the first). The first `opening` plies are not the
/// players' own and are skipped.
pub fn losing_move(judged: &[Judged], winner: Option<Color>, opening: usize) -> Option<usize> {
    let last =
        judged.iter().rev().find_map(|ply| Some((ply.color, ply.judgement.as_ref()?.played)));
    let proven = |(color, score): (Color, Score)| match score {
        PROVEN.. => Some(color),
        _ if score <= -PROVEN => Some(!color),
        _ => None,
    };
    let winner = winner.or_else(|| proven(last?))?;
    let of_loser = judged.iter().enumerate().skip(opening).filter(|(_, ply)| ply.color != winner);
    let mut judgements: Vec<(usize, &Judgement)> =
        of_loser.filter_map(|(at, ply)| Some((at, ply.judgement.as_ref()?))).collect();
    judgements.reverse();
    // Best win rate of the loser from here to the end.
    let mut later: f64 = 0.0;
    let mut found: Option<(usize, f64)> = None;
    for &(at, judgement) in &judgements {
        let recovered = later.max(win_rate(judgement.played));
        let drop = win_rate(judgement.best) - recovered;
        if drop >= Grade::Inaccuracy.least() && found.is_none_or(|(_, largest)| drop > largest) {
            found = Some((at, drop));
        }
        later = recovered.max(win_rate(judgement.best));
    }
    let worst = || {
        let graded = judgements.iter().filter(|(_, judgement)| judgement.grade().is_some());
        graded.max_by(|a, b| a.1.loss().total_cmp(&b.1.loss())).map(|&(at, _)| at)
    };
    found.map(|(at, _)| at).or_else(worst)
}

/// Returns the index of the ply after which the loser is proven lost until the end.
pub fn lost_for_good(judged: &[Judged], winner: Color) -> Option<usize> {
    let score = |ply: &Judged| {
        let played = ply.judgement.as_ref()?.played;
        Some(if ply.color == winner { -played } else { played })
    };
    let known = judged.iter().enumerate().filter_map(|(at, ply)| Some((at, score(ply)?)));
    let lost: Vec<(usize, bool)> = known.map(|(at, score)| (at, score <= -PROVEN)).collect();
    let last_open = lost.iter().rposition(|&(_, lost)| !lost);
    lost.get(last_open.map_or(0, |at| at + 1)).map(|&(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};

    #[test]
    fn losses_are_graded_and_changes_named() {
        assert_eq!(Grade::of(0.049), None);
        assert_eq!(Grade::of(0.05), Some(Grade::Inaccuracy));
        assert_eq!(Grade::of(0.15), Some(Grade::Mistake));
        assert_eq!(Grade::of(1.0), Some(Grade::Blunder));
        assert_eq!(ProofChange::of(win_in(5), win_in(9)), None);
        assert_eq!(ProofChange::of(win_in(5), 200), Some(ProofChange::WinMissed(5)));
        assert_eq!(ProofChange::of(30, loss_in(8)), Some(ProofChange::LossFound(8)));
        assert_eq!(ProofChange::of(win_in(5), loss_in(8)), Some(ProofChange::WinToLoss(5, 8)));
        assert_eq!(ProofChange::of(loss_in(4), loss_in(2)), None);
    }

    #[test]
    fn position_values_respect_the_measured_deficit() {
        let turn = [Cell::new(7, 7)];
        let fact = |score: Score, at: (usize, usize), deficit: f64| {
            let line = vec![Cell::new(at.0, at.1), Cell::new(1, 1)];
            Fact { score, line, deficit, ..Fact::default() }
        };
        let (same, other) = ((7, 7), (8, 8));
        // The best turn: its value counts, whatever the search of the position says.
        assert_eq!(position_value(&fact(300, same, 0.0), &turn, -20), -20);
        assert_eq!(position_value(&fact(win_in(9), same, 0.0), &turn, win_in(5)), win_in(5));
        // Another turn: at most the measured deficit above its value.
        assert_eq!(position_value(&fact(300, other, 0.0), &turn, -20), -20);
        assert_eq!(position_value(&fact(300, other, 1.0), &turn, -20), 300);
        assert_eq!(position_value(&fact(-30, other, 1.0), &turn, -20), -20);
        let between = position_value(&fact(300, other, 0.1), &turn, -20);
        let lost = |score| win_rate(score) - win_rate(-20);
        assert!(lost(between) <= 0.1 && lost(between + 1) > 0.1, "{between}");
        // Proven scores need no comparison.
        assert_eq!(position_value(&fact(-30, other, 0.0), &turn, loss_in(4)), -30);
        assert_eq!(position_value(&fact(win_in(9), other, 0.0), &turn, 40), win_in(9));
        assert_eq!(position_value(&fact(loss_in(4), other, 0.0), &turn, loss_in(8)), loss_in(8));
    }

    /// Returns plies of both sides from Black's scores before each ply and at the end.
    fn game(scores: &[Score]) -> Vec<Judged> {
        let ply = |(at, pair): (usize, &[Score])| {
            let color = if at % 2 == 0 { Color::Black } else { Color::White };
            let own = |score: Score| if color == Color::Black { score } else { -score };
            let (best, played) = (own(pair[0]).max(own(pair[1])), own(pair[1]));
            let judgement =
                Judgement { line: Vec::new(), reply: Vec::new(), best, played, depth: 1, nodes: 1 };
            let cells = vec![Cell::new(at, 0)];
            let text = String::new();
            Judged { number: at + 1, color, cells, text, judgement: Some(judgement) }
        };
        scores.windows(2).enumerate().map(ply).collect()
    }

    #[test]
    fn the_largest_lasting_drop_is_the_losing_move() {
        // White loses: from 50 to 24 % at ply 2, from 24 to 9 % at ply 4, and the rest at
        // ply 6.
        let whites = [0, 0, 230, 230, 460, 460, win_in(5), win_in(4)];
        let judged = game(&whites);
        assert_eq!(losing_move(&judged, Some(Color::Black), 0), Some(1));
        assert_eq!(losing_move(&judged, Some(Color::Black), 2), Some(3));
        assert_eq!(lost_for_good(&judged, Color::Black), Some(5));
        // A drop that the opponent gave back does not count.
        let back = [0, 0, 460, -100, 300, 300, win_in(5)];
        assert_eq!(losing_move(&game(&back), Some(Color::Black), 0), Some(3));
        assert_eq!(lost_for_good(&game(&[0, 10, 20]), Color::Black), None);
        // The winner follows from the last score.
        assert_eq!(losing_move(&judged, None, 0), Some(1));
        assert_eq!(losing_move(&game(&[0, 10, 20]), None, 0), None);
    }
}
