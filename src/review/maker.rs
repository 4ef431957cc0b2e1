//! Makes puzzles from positions, checks each by the solvers and the search, and judges answers
//! to them.

use std::ops::RangeInclusive;

use crate::puzzle::{Kind, Puzzle, Tier, without_opening};
use crate::work::{Search, Searches, Work};
use goren_core::opening::{Action, GameState};
use goren_core::types::{Cell, Color, PROVEN, plies_to_end};
use goren_engine::{Info, RootPosition};

/// Multiple of the usual effort for a position that the usual effort does not prove.
const PATIENCE: u32 = 4;
/// Maximum number of moves that hold in a defence puzzle.
pub const MAX_HOLDING: usize = 3;

/// What was missed in a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Missed {
    /// A win of the side to move.
    Win,
    /// One of the few moves that do not lose.
    Defence,
}

/// Makes a puzzle of each position in which something was missed, if the searches confirm that.
/// Calls `on_position` after each position, with the puzzle if it is one.
pub fn puzzles(
    positions: Vec<(GameState, Missed)>,
    mut on_position: impl FnMut(Option<Puzzle>) + Send + 'static,
) -> Work<()> {
    Work::new(|searches| async move {
        for (game_state, missed) in positions {
            on_position(puzzle(&searches, &game_state, missed).await);
        }
    })
}

/// Makes puzzles from the last `last` positions of an engine game: for each side and kind of win
/// from the first position with a win whose length is in `plies`, and from each position in which
/// few moves defend.
pub fn puzzles_of_game(
    game: &GameState,
    plies: RangeInclusive<usize>,
    last: usize,
) -> Work<Vec<Puzzle>> {
    let mut states = vec![];
    let mut game_state = game.clone();
    while states.len() < last && !game_state.actions().is_empty() {
        game_state.take_back(1);
        states.push(game_state.clone());
    }
    states.reverse();
    Work::new(move |searches| async move {
        let mut puzzles: Vec<Puzzle> = Vec::new();
        let mut used: Vec<(Color, Kind)> = Vec::new();
        for game_state in &states {
            let color = game_state.to_move();
            match puzzle(&searches, game_state, Missed::Win).await {
                Some(win) => {
                    let side_and_kind = (color, win.kind);
                    let fits = win.plies.is_some_and(|left| plies.contains(&left));
                    if fits && !used.contains(&side_and_kind) {
                        used.push(side_and_kind);
                        puzzles.push(win);
                    }
                }
                None => {
                    used.retain(|&(side, _)| side != color);
                    puzzles.extend(puzzle(&searches, game_state, Missed::Defence).await);
                }
            }
        }
        puzzles
    })
}

async fn puzzle(searches: &Searches, game_state: &GameState, missed: Missed) -> Option<Puzzle> {
    let game_state = without_opening(game_state)?;
    game_state.pending_decision()?;
    match missed {
        Missed::Win => win(searches, game_state).await,
        Missed::Defence => defence(searches, game_state).await,
    }
}

/// Verdict on an answer to a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The answer is right.
    Right {
        /// Reply of the other side, after which the solver has to continue; empty if the puzzle
        /// is solved.
        reply: Vec<Cell>,
    },
    /// The answer is wrong, as far as the search sees.
    Wrong {
        /// Best line of the other side.
        line: Vec<Cell>,
        /// Plies to the end, if the other side then wins.
        plies: Option<usize>,
    },
}

/// Judges an answer to a puzzle of a kind, by the game after the answer.
pub fn judge_answer(kind: Kind, after: &GameState) -> Work<Answer> {
    let after = after.clone();
    Work::new(move |searches| async move { judged(&searches, kind, &after).await })
}

async fn judged(searches: &Searches, kind: Kind, after: &GameState) -> Answer {
    let solved = Answer::Right { reply: Vec::new() };
    let color = after.actions().last().map_or(after.to_move(), |_| !after.to_move());
    if let Some(result) = after.result() {
        let own = result.colors[..] == [color] || kind == Kind::Defence && result.is_draw();
        return if own { solved } else { Answer::Wrong { line: Vec::new(), plies: None } };
    }
    let info = line(searches, RootPosition::from(after), PATIENCE).await;
    let cells: Vec<Cell> = info.pv.iter().filter(|m| m.is_some()).map(|m| m.cell()).collect();
    let reply = cells.get(..after.stones_due()).unwrap_or_default().to_vec();
    let plies = plies_to_end(info.score).filter(|_| info.score >= PROVEN);
    let wrong = Answer::Wrong { line: cells, plies };
    let lost = info.score <= -PROVEN;
    if kind != Kind::Defence {
        return match plies_to_end(info.score) {
            _ if !lost => wrong,
            // The next turn wins against any reply.
            Some(left) if left <= 2 * after.stones_due() => solved,
            _ => Answer::Right { reply },
        };
    }
    if info.score >= PROVEN {
        return wrong;
    }
    // A move that must be answered at once only postpones the defence.
    let threatens = RootPosition::of(after, &[], color, after.stones_due());
    let threat = line(searches, threatens, 1).await.score;
    let forces = !lost && plies_to_end(threat).is_some_and(|plies| threat > 0 && plies == 1);
    if forces { Answer::Right { reply } } else { solved }
}

/// Returns the solution of a puzzle, as far as the solvers and the search find it.
pub fn solution(puzzle: &Puzzle) -> Work<Vec<Cell>> {
    let puzzle = puzzle.clone();
    Work::new(move |searches| async move {
        let game_state = &puzzle.game_state;
        if let (Kind::Fours, Some(setup)) = (puzzle.kind, game_state.contest().setup())
            && let Some(fours) =
                searches.fours(setup, game_state.placed(), game_state.to_move()).await
        {
            return fours;
        }
        let info = line(&searches, RootPosition::from(game_state), PATIENCE).await;
        let found = puzzle.kind == Kind::Defence || info.score >= PROVEN;
        let cells = info.pv.iter().filter(|m| m.is_some()).map(|m| m.cell());
        cells.filter(|_| found).collect()
    })
}

async fn line(searches: &Searches, root: RootPosition, times: u32) -> Info {
    searches.line(Search { times, ..Search::new(root) }).await.0
}

async fn win(searches: &Searches, game_state: GameState) -> Option<Puzzle> {
    let contest = *game_state.contest();
    let root = RootPosition::from(&game_state);
    if let Some(setup) = contest.setup() {
        let fours = searches.fours(setup, game_state.placed(), game_state.to_move()).await;
        if let Some(fours) = fours.filter(|fours| !fours.is_empty()) {
            let (kind, plies) = (Kind::Fours, Some(fours.len()));
            return Some(Puzzle { kind, tier: Tier::Plain, plies, game_state });
        }
    }
    let mut tier = Tier::Plain;
    let mut info = line(searches, root.clone(), 1).await;
    if info.score < PROVEN {
        tier = Tier::Hard;
        info = line(searches, root.clone(), PATIENCE).await;
    }
    if info.score < PROVEN {
        return None;
    }
    let threats = searches.threats(contest, root).await;
    let kind = if threats.is_some() { Kind::Threats } else { Kind::Win };
    Some(Puzzle { kind, tier, plies: plies_to_end(info.score), game_state })
}

/// Returns where the side to move can place a stone without losing at once, as by a foul.
fn answers(game_state: &GameState) -> Vec<Cell> {
    let color = game_state.to_move();
    let is_playable = |cell: &Cell| {
        let mut after = game_state.clone();
        after.apply(&Action::stone(*cell)).is_ok()
            && after.result().is_none_or(|result| result.colors != [!color])
    };
    let mut answers = game_state.placements();
    answers.retain(is_playable);
    answers
}

async fn defence(searches: &Searches, game_state: GameState) -> Option<Puzzle> {
    let contest = *game_state.contest();
    if contest.variant.turn() > 1 {
        return None;
    }
    // The other side would win if it were to move.
    let color: Color = game_state.to_move();
    let passed = RootPosition::of(&game_state, &[], !color, contest.variant.turn());
    if line(searches, passed, 1).await.score < PROVEN {
        return None;
    }
    let root = RootPosition::from(&game_state);
    let search = Search { times: PATIENCE, defend: true, ..Search::new(root) };
    let (info, lost) = searches.line(search).await;
    let legal = answers(&game_state);
    let mut holding: Vec<Cell> =
        legal.iter().copied().filter(|cell| !lost.contains(cell)).collect();
    if info.is_proven() || holding.len() > MAX_HOLDING || holding.len() == legal.len() {
        return None;
    }
    let mut confirmed = 0;
    while let Some(cell) = holding.pop() {
        let mut after = game_state.clone();
        after.apply(&Action::stone(cell)).ok()?;
        let lost = after.pending_decision().is_some()
            && line(searches, RootPosition::from(&after), PATIENCE).await.score >= PROVEN;
        confirmed += usize::from(!lost);
    }
    let puzzle = Puzzle { kind: Kind::Defence, tier: Tier::Plain, plies: None, game_state };
    (confirmed > 0).then_some(puzzle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::read;
    use goren_core::rules::{Contest, OpeningId, RuleId, Variant};

    /// Forbidden points used to count as moves that hold.
    #[test]
    fn a_forbidden_point_is_no_answer() {
        let contest = Contest::new(Variant::Five(RuleId::Renju)).opened(OpeningId::Free).unwrap();
        let mut game_state = GameState::new(contest);
        // A double three of Black on h8.
        for ply in "g8 a1 i8 c1 h7 e1 h9 g1".split(' ') {
            let action = read(&game_state, ply).unwrap();
            game_state.apply(&action).unwrap();
        }
        let h8 = Cell::new(7, 7);
        assert!(game_state.placements().contains(&h8) && !answers(&game_state).contains(&h8));
        assert_eq!(answers(&game_state).len(), game_state.placements().len() - 1);
    }
}
