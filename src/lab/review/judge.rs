//! What each move of a game was worth: the best move and the one that was
//! played are searched at equal budgets, from the end of the game to its
//! beginning, so that what is proven of a position helps with those before it.

use std::time::Duration;

use anyhow::Result;

use crate::lab::analyze::Effort;
use crate::lab::analyze::findings::cells;
use crate::lab::forms::Typed;
use crate::lab::position::{Game, Position, stones_of};
use crate::opening::{Act, Choice, Course};
use crate::search::{Brain, Scene};
use crate::tt::Table;
use crate::types::{Cell, Color, PROVEN, Score, loss_in, plies_to_end, win_in, win_rate};

/// Time for each search, unless it is said.
const USUAL: Duration = Duration::from_millis(500);

/// How bad a move was, by the win rate it gave away.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Grade {
    /// From 0.05 on.
    Inaccuracy,
    /// From 0.1 on.
    Mistake,
    /// From 0.2 on.
    Blunder,
}

impl Grade {
    /// All, the mildest first.
    pub(super) const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The grade of a loss of win rate, 0 to 1; `None` for a good move.
    fn of(loss: f64) -> Option<Grade> {
        Grade::ALL.into_iter().rev().find(|grade| loss >= grade.least())
    }

    /// The least loss of win rate.
    const fn least(self) -> f64 {
        match self {
            Grade::Inaccuracy => 0.05,
            Grade::Mistake => 0.1,
            Grade::Blunder => 0.2,
        }
    }

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }

    /// The sign for it in chess books.
    pub(super) const fn sign(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }
}

/// What a move did to what was proven.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// A win in so many plies was there, and is not any more.
    WinMissed(usize),
    /// The enemy wins in so many plies now, and did not have to.
    LossFound(usize),
    /// A win in so many plies became a loss in so many.
    WinToLoss(usize, usize),
}

impl Turn {
    /// What happened from the score before to the one after.
    fn of(best: Score, played: Score) -> Option<Turn> {
        let plies = |score| plies_to_end(score).unwrap_or(0);
        match (best >= PROVEN, best <= -PROVEN, played >= PROVEN, played <= -PROVEN) {
            (true, _, _, true) => Some(Turn::WinToLoss(plies(best), plies(played))),
            (true, _, false, _) => Some(Turn::WinMissed(plies(best))),
            (_, false, _, true) => Some(Turn::LossFound(plies(played))),
            _ => None,
        }
    }

    /// Its name in JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Turn::WinMissed(_) => "win_missed",
            Turn::LossFound(_) => "loss_handed_over",
            Turn::WinToLoss(..) => "win_to_loss",
        }
    }
}

/// A ply of the game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Judged {
    /// Which ply of the game, from 1.
    pub(super) number: usize,
    /// Who played it.
    pub(super) color: Color,
    /// Its stones; none for swaps, passes and offers.
    pub(super) cells: Vec<Cell>,
    /// What it is called in the game's notation.
    pub(super) text: String,
    /// What the search found; `None` where an opening asked for something
    /// else than a turn of the game.
    pub(super) verdict: Option<Verdict>,
}

/// What a move was worth.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Verdict {
    /// The best line, which may begin as was played.
    pub(super) line: Vec<Cell>,
    /// Score of the best move for the mover.
    pub(super) best: Score,
    /// Score of the move that was played, for the mover: at most the best.
    pub(super) played: Score,
    /// Plies of the search for the best move.
    pub(super) depth: u32,
    /// What both searches cost.
    pub(super) nodes: u64,
}

impl Verdict {
    /// Win rate given away, 0 to 1.
    pub(super) fn loss(&self) -> f64 {
        win_rate(self.best) - win_rate(self.played)
    }

    /// How bad it was.
    pub(super) fn grade(&self) -> Option<Grade> {
        Grade::of(self.loss())
    }

    /// What it did to what was proven.
    pub(super) fn turn(&self) -> Option<Turn> {
        Turn::of(self.best, self.played)
    }
}

impl Judged {
    /// Win rate of Black after it, 0 to 1.
    pub(super) fn black_rate(&self) -> Option<f64> {
        let rate = win_rate(self.verdict.as_ref()?.played);
        Some(if self.color == Color::Black { rate } else { 1.0 - rate })
    }
}

/// Stones of a plain turn of the side to move, if a ply is one.
fn plain(before: &Course, act: &Act) -> Option<Vec<Cell>> {
    let (Act::Stones { cells, count: None }, Some(ask)) = (act, before.ask()) else { return None };
    let turn = |choice: &Choice| {
        matches!(choice, Choice::Stones { colors, declare: None, .. }
            if colors.len() == cells.len() && colors.iter().all(|&color| color == ask.color))
    };
    ask.choices.iter().any(turn).then(|| cells.clone())
}

/// Judges every ply of a game; `told` is called after each, the last ply
/// first.
///
/// # Errors
/// Those of `told`.
pub(super) fn judge(
    game: &Game,
    brain: &mut dyn Brain,
    table: &Table,
    effort: &Effort,
    told: &mut dyn FnMut(),
) -> Result<Vec<Judged>> {
    let whole = &game.typed.course;
    let mut judged: Vec<Judged> = Vec::new();
    let mut after = whole.clone();
    for (at, act) in whole.acts().iter().enumerate().rev() {
        let mut before = after.clone();
        before.take_back(1);
        let color = before.to_move();
        let verdict = plain(&before, act).map(|cells| {
            let mut verdict = weigh(&before, &after, &cells, brain, table, effort);
            let next =
                judged.last().and_then(|next| Some((next.color, next.verdict.as_ref()?.best)));
            // What is proven of the next position is proven of this move.
            if let Some((other, best)) = next.filter(|(_, best)| best.abs() >= PROVEN) {
                verdict.played = earlier(best, cells.len(), other == color);
                verdict.best = verdict.best.max(verdict.played);
            }
            verdict
        });
        let text = crate::opening::write(&before, act).to_uppercase();
        let text = if *act == Act::Swap { "swap".into() } else { text };
        judged.push(Judged { number: at + 1, color, cells: stones_of(act), text, verdict });
        told();
        after = before;
    }
    judged.reverse();
    Ok(judged)
}

/// A proven score seen so many plies before, by the side that has it or by the
/// other.
fn earlier(score: Score, plies: usize, same: bool) -> Score {
    let plies = plies_to_end(score).unwrap_or(0) + plies;
    if (score > 0) == same { win_in(plies) } else { loss_in(plies) }
}

/// Searches the best turn and the one that was played.
fn weigh(
    before: &Course,
    after: &Course,
    cells: &[Cell],
    brain: &mut dyn Brain,
    table: &Table,
    effort: &Effort,
) -> Verdict {
    let color = before.to_move();
    let mut search = |placed: &[Cell], only: Vec<Cell>| {
        let scene = Scene::of(before, placed, color, cells.len() - placed.len());
        let (limits, control) = effort.begin(USUAL, only);
        brain.think(&scene, table, &limits, &control, &mut |_| {}).info
    };
    let info = search(&[], Vec::new());
    let line = self::cells(&info);
    let mut sorted = [line.get(..cells.len()).unwrap_or_default().to_vec(), cells.to_vec()];
    sorted.iter_mut().for_each(|turn| turn.sort());
    let [best_turn, own_turn] = sorted;
    let mut verdict = Verdict {
        line,
        best: info.score,
        played: info.score,
        depth: info.depth,
        nodes: info.nodes,
    };
    if let Some(result) = after.result() {
        verdict.played = match result.colors[..] {
            [winner] if winner == color => win_in(cells.len()),
            [_] => loss_in(cells.len()),
            _ => 0,
        };
    } else if best_turn != own_turn
        && let Some((&last, placed)) = cells.split_last()
    {
        let own = search(placed, vec![last]);
        verdict.played = match own.score.abs() >= PROVEN && !placed.is_empty() {
            // Its distance counts from the last stone of the turn.
            true => earlier(own.score, placed.len(), true),
            false => own.score,
        };
        verdict.nodes += own.nodes;
        if verdict.played > verdict.best {
            verdict.line = [placed, &self::cells(&own)].concat();
        }
    }
    verdict.best = verdict.best.max(verdict.played);
    verdict
}

/// The move that decided the game, if somebody won or is proven to win: of the
/// loser's moves the last that made a loss of what was none, or else the one
/// that gave most away. Gives its place among the plies.
pub(super) fn losing_move(judged: &[Judged], winner: Option<Color>) -> Option<usize> {
    let last = judged.iter().rev().find_map(|ply| Some((ply.color, ply.verdict.as_ref()?.played)));
    let proven = |(color, score): (Color, Score)| match score {
        PROVEN.. => Some(color),
        _ if score <= -PROVEN => Some(!color),
        _ => None,
    };
    let winner = winner.or_else(|| proven(last?))?;
    let own = || {
        let of_loser = judged.iter().enumerate().filter(|(_, ply)| ply.color != winner);
        of_loser.filter_map(|(at, ply)| Some((at, ply.verdict.as_ref()?)))
    };
    let handed = |verdict: &Verdict| {
        matches!(verdict.turn(), Some(Turn::LossFound(_) | Turn::WinToLoss(..)))
    };
    let decisive = own().rfind(|(_, verdict)| handed(verdict));
    let worst = || {
        let bad = own().filter(|(_, verdict)| verdict.grade().is_some());
        bad.max_by(|(_, a), (_, b)| a.loss().total_cmp(&b.loss()))
    };
    decisive.or_else(worst).map(|(at, _)| at)
}

/// The position of a game after some of its plies.
pub(super) fn position_after(game: &Game, plies: usize) -> Position {
    let mut course = game.typed.course.clone();
    course.take_back(course.acts().len() - plies);
    Position::typed(&Typed { course, placed: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_graded_and_turns_named() {
        assert_eq!(Grade::of(0.049), None);
        assert_eq!(Grade::of(0.05), Some(Grade::Inaccuracy));
        assert_eq!(Grade::of(0.15), Some(Grade::Mistake));
        assert_eq!(Grade::of(1.0), Some(Grade::Blunder));
        assert_eq!(Turn::of(win_in(5), win_in(9)), None);
        assert_eq!(Turn::of(win_in(5), 200), Some(Turn::WinMissed(5)));
        assert_eq!(Turn::of(30, loss_in(8)), Some(Turn::LossFound(8)));
        assert_eq!(Turn::of(win_in(5), loss_in(8)), Some(Turn::WinToLoss(5, 8)));
        assert_eq!(Turn::of(loss_in(4), loss_in(2)), None);
    }

    #[test]
    fn proofs_are_handed_back() {
        assert_eq!(earlier(win_in(5), 1, false), loss_in(6));
        assert_eq!(earlier(loss_in(4), 2, false), win_in(6));
        assert_eq!(earlier(win_in(5), 1, true), win_in(6));
    }
}
