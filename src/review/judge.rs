//! Values of the moves of a game, from the searches of its positions.
//!
//! Each position has one value; a move is worth what the position after it is
//! worth, and the best move as much as the position before it. So a move that
//! is the best gives nothing away, and no two numbers contradict each other.

pub use crate::distance::earlier;
use crate::game_position::{Fact, GamePosition, Transition};
use goren_core::opening::{Action, GameState};
use goren_core::types::{Cell, Color, PROVEN, Score, plies_to_end, win_rate};

/// The grade of a bad move, by the win rate that it gave away.
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
    /// All, the mildest first.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The grade of a loss of win rate, 0 to 1; `None` for a good move.
    fn of(loss: f64) -> Option<Grade> {
        Grade::ALL.into_iter().rev().find(|grade| loss >= grade.least())
    }

    /// The least loss of win rate.
    pub const fn least(self) -> f64 {
        match self {
            Grade::Inaccuracy => 0.05,
            Grade::Mistake => 0.1,
            Grade::Blunder => 0.2,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }

    /// The sign for it in chess books.
    pub const fn sign(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}

/// The change of a proven result by a move.
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
    /// The change from the score of the best move to that of the move played, if any.
    fn of(best: Score, played: Score) -> Option<ProofChange> {
        let plies = |score| plies_to_end(score).unwrap_or(0);
        match (best >= PROVEN, best <= -PROVEN, played >= PROVEN, played <= -PROVEN) {
            (true, _, _, true) => Some(ProofChange::WinToLoss(plies(best), plies(played))),
            (true, _, false, _) => Some(ProofChange::WinMissed(plies(best))),
            (_, false, _, true) => Some(ProofChange::LossFound(plies(played))),
            _ => None,
        }
    }

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            ProofChange::WinMissed(_) => "win_missed",
            ProofChange::LossFound(_) => "loss_handed_over",
            ProofChange::WinToLoss(..) => "win_to_loss",
        }
    }
}

/// A ply of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Which ply of the game, from 1.
    pub number: usize,
    /// Who played it.
    pub color: Color,
    /// Its stones; none for swaps, passes and offers.
    pub cells: Vec<Cell>,
    /// What it is called in the game's notation.
    pub text: String,
    /// What the search found; `None` where an opening asked for something
    /// else than a turn of the game.
    pub judgement: Option<Judgement>,
}

/// The judgement of a move: its value and that of the best one.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The best line, which may begin as was played. Empty where the position
    /// is known to be won, but not how.
    pub line: Vec<Cell>,
    /// What follows best on the move that was played.
    pub reply: Vec<Cell>,
    /// Score of the best move for the mover: the value of the position.
    pub best: Score,
    /// Score of the move that was played, for the mover: at most the best, and
    /// the value of the position after it.
    pub played: Score,
    /// Plies of the search for the best move.
    pub depth: u32,
    /// What all searches of the position cost.
    pub nodes: u64,
}

impl Judgement {
    /// Win rate given away, 0 to 1.
    pub fn loss(&self) -> f64 {
        win_rate(self.best) - win_rate(self.played)
    }

    /// How bad it was.
    pub fn grade(&self) -> Option<Grade> {
        Grade::of(self.loss())
    }

    /// How it changed what was proven.
    pub fn proof_change(&self) -> Option<ProofChange> {
        ProofChange::of(self.best, self.played)
    }
}

impl Judged {
    /// Win rate of Black after it, 0 to 1.
    pub fn black_rate(&self) -> Option<f64> {
        let rate = win_rate(self.judgement.as_ref()?.played);
        Some(if self.color == Color::Black { rate } else { 1.0 - rate })
    }
}

/// Judges the plies of a game from the position `from` on, by what is known of these
/// positions.
pub(crate) fn judged(whole: &GameState, positions: &[GamePosition], from: usize) -> Vec<Judged> {
    let positions = &positions[from..];
    let values = values(positions);
    let plies = whole.actions()[from..].iter().zip(positions).enumerate();
    let judged = plies.map(|(at, (action, position))| Judged {
        number: from + at + 1,
        color: position.color(),
        cells: action.placed(),
        text: text(&position.game_state, action),
        judgement: judgement(&positions[at], &positions[at + 1], &values[at..]),
    });
    judged.collect()
}

/// A ply in the game's notation.
pub fn text(before: &GameState, action: &Action) -> String {
    match action {
        Action::Swap => "swap".into(),
        other => goren_core::opening::write(before, other),
    }
}

/// The value of each position for the side to move: one number, which is the
/// score of the ply before it and the best score of the ply that follows. They
/// are worked out from the end of the game to its beginning.
fn values(positions: &[GamePosition]) -> Vec<Score> {
    let fact = |position: &GamePosition| position.fact.as_ref().map_or(0, |fact| fact.score);
    let mut values: Vec<Score> = positions.iter().map(fact).collect();
    for (at, pair) in positions.windows(2).enumerate().rev() {
        let [position, next] = pair else { continue };
        values[at] = match (&position.link, &position.fact) {
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

/// The value of a position where the turn that was played has the value `played`.
fn position_value(fact: &Fact, turn: &[Cell], played: Score) -> Score {
    if fact.begins_with(turn) {
        // The best turn: a deeper look at it is one at the position.
        played
    } else if fact.score <= played || fact.score.abs() >= PROVEN || played.abs() >= PROVEN {
        fact.score.max(played)
    } else {
        // Searches of two positions do not see equally far. What the turn
        // gives away is known from searches that do; what it is worth was
        // seen later in the game, and better.
        let most = win_rate(played) + fact.behind;
        let (mut low, mut high) = (played, fact.score);
        while low < high {
            let middle = low + (high - low + 1) / 2;
            if win_rate(middle) <= most { low = middle } else { high = middle - 1 }
        }
        low
    }
}

/// The judgement of the turn from a position to the next; `values` begin with
/// theirs.
fn judgement(position: &GamePosition, next: &GamePosition, values: &[Score]) -> Option<Judgement> {
    let (turn, fact, after) = (position.turn()?, position.fact.as_ref()?, next.fact.as_ref()?);
    let [best, value, ..] = *values else { return None };
    let played = earlier(value, turn.len(), position.color() == next.color());
    let line = if played >= best { [turn, &after.line].concat() } else { fact.line.clone() };
    let reply = after.line.clone();
    Some(Judgement { line, reply, best, played, depth: fact.depth, nodes: fact.nodes })
}

/// The losing move, if somebody won or is proven to win: the loser's move after which its best
/// later win rate stays furthest below the best move's win rate (on ties the later one). If no
/// such drop reaches an inaccuracy, the graded move with the largest loss (on ties the earlier
/// one). The first `laid` plies are not the players' own and are skipped. Returns an index
/// into `judged`.
pub fn losing_move(judged: &[Judged], winner: Option<Color>, laid: usize) -> Option<usize> {
    let last =
        judged.iter().rev().find_map(|ply| Some((ply.color, ply.judgement.as_ref()?.played)));
    let proven = |(color, score): (Color, Score)| match score {
        PROVEN.. => Some(color),
        _ if score <= -PROVEN => Some(!color),
        _ => None,
    };
    let winner = winner.or_else(|| proven(last?))?;
    let of_loser = judged.iter().enumerate().skip(laid).filter(|(_, ply)| ply.color != winner);
    let mut judgements: Vec<(usize, &Judgement)> =
        of_loser.filter_map(|(at, ply)| Some((at, ply.judgement.as_ref()?))).collect();
    judgements.reverse();
    // The best win rate of the loser from here to the end.
    let mut later: f64 = 0.0;
    let mut found: Option<(usize, f64)> = None;
    for &(at, judgement) in &judgements {
        let kept = later.max(win_rate(judgement.played));
        let drop = win_rate(judgement.best) - kept;
        if drop >= Grade::Inaccuracy.least() && found.is_none_or(|(_, most)| drop > most) {
            found = Some((at, drop));
        }
        later = kept.max(win_rate(judgement.best));
    }
    let worst = || {
        let graded = judgements.iter().filter(|(_, judgement)| judgement.grade().is_some());
        graded.max_by(|a, b| a.1.loss().total_cmp(&b.1.loss())).map(|&(at, _)| at)
    };
    found.map(|(at, _)| at).or_else(worst)
}

/// The ply after which the loser is proven lost until the end.
pub fn lost_for_good(judged: &[Judged], winner: Color) -> Option<usize> {
    let score = |ply: &Judged| {
        let played = ply.judgement.as_ref()?.played;
        Some(if ply.color == winner { -played } else { played })
    };
    let known = judged.iter().enumerate().filter_map(|(at, ply)| Some((at, score(ply)?)));
    let lost: Vec<(usize, bool)> = known.map(|(at, score)| (at, score <= -PROVEN)).collect();
    let held = lost.iter().rposition(|&(_, lost)| !lost);
    lost.get(held.map_or(0, |at| at + 1)).map(|&(at, _)| at)
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
    fn a_position_is_worth_what_one_search_says_of_the_difference() {
        let turn = [Cell::new(7, 7)];
        let fact = |score: Score, at: (usize, usize), behind: f64| {
            let line = vec![Cell::new(at.0, at.1), Cell::new(1, 1)];
            Fact { score, line, behind, ..Fact::default() }
        };
        let (same, other) = ((7, 7), (8, 8));
        // The best move: whatever its own search said.
        assert_eq!(position_value(&fact(300, same, 0.0), &turn, -20), -20);
        assert_eq!(position_value(&fact(win_in(9), same, 0.0), &turn, win_in(5)), win_in(5));
        // Another: no more than both searches leave.
        assert_eq!(position_value(&fact(300, other, 0.0), &turn, -20), -20);
        assert_eq!(position_value(&fact(300, other, 1.0), &turn, -20), 300);
        assert_eq!(position_value(&fact(-30, other, 1.0), &turn, -20), -20);
        let between = position_value(&fact(300, other, 0.1), &turn, -20);
        let lost = |score| win_rate(score) - win_rate(-20);
        assert!(lost(between) <= 0.1 && lost(between + 1) > 0.1, "{between}");
        // What is proven needs no comparison.
        assert_eq!(position_value(&fact(-30, other, 0.0), &turn, loss_in(4)), -30);
        assert_eq!(position_value(&fact(win_in(9), other, 0.0), &turn, 40), win_in(9));
        assert_eq!(position_value(&fact(loss_in(4), other, 0.0), &turn, loss_in(8)), loss_in(8));
    }

    /// Plies of both sides from what Black's chances were before each, and at the end.
    fn game(chances: &[Score]) -> Vec<Judged> {
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
        chances.windows(2).enumerate().map(ply).collect()
    }

    #[test]
    fn the_largest_drop_that_lasts_decides() {
        // White loses: from 50 to 24 % at ply 2, from 24 to 9 % at ply 4, and what
        // little was left at ply 6.
        let whites = [0, 0, 230, 230, 460, 460, win_in(5), win_in(4)];
        let judged = game(&whites);
        assert_eq!(losing_move(&judged, Some(Color::Black), 0), Some(1));
        assert_eq!(losing_move(&judged, Some(Color::Black), 2), Some(3));
        assert_eq!(lost_for_good(&judged, Color::Black), Some(5));
        // A drop that the opponent gave back does not count.
        let back = [0, 0, 460, -100, 300, 300, win_in(5)];
        assert_eq!(losing_move(&game(&back), Some(Color::Black), 0), Some(3));
        assert_eq!(lost_for_good(&game(&[0, 10, 20]), Color::Black), None);
        // Who wins is known by the last score.
        assert_eq!(losing_move(&judged, None, 0), Some(1));
        assert_eq!(losing_move(&game(&[0, 10, 20]), None, 0), None);
    }
}
