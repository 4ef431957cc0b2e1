//! Positions of a game, with their search results.

use goren_core::opening::{Action, Choice, GameState, Zone};
use goren_core::types::{Cell, Color, PROVEN, Score, loss_in, plies_to_end, win_in};
use goren_notation::forms::Typed;

/// Transition from a position of the game to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Transition {
    /// A turn of the side to move: its stones.
    Turn(Vec<Cell>),
    /// The seats change; the position is the same.
    Swap,
    /// Any other decision of an opening, or a pass.
    Other,
}

/// Search result of a position, for the side to move.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Fact {
    /// Score, or the result if the game is over.
    pub(crate) score: Score,
    /// Best line. If the position is won, the line begins with a winning turn; it is incomplete
    /// if the win is proven but the turn is unknown.
    pub(crate) line: Vec<Cell>,
    /// Search depth in plies.
    pub(crate) depth: u32,
    /// Number of nodes of all searches of this position.
    pub(crate) nodes: u64,
    /// Win rate by which the played turn falls short of the best turn, both searched to the
    /// same depth if the effort allows it; 0 if they are the same, if one is proven, or if
    /// nothing was searched.
    pub(crate) deficit: f64,
}

impl Fact {
    /// Whether the side to move is proven to win.
    pub(crate) fn is_won(&self) -> bool {
        self.score >= PROVEN
    }

    /// Whether the side to move is proven to lose.
    pub(crate) fn is_lost(&self) -> bool {
        self.score <= -PROVEN
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// Whether the line has a whole turn of `stones` stones, or ends the game earlier.
    pub(crate) fn has_turn(&self, stones: usize) -> bool {
        let over = plies_to_end(self.score).is_some_and(|plies| plies <= self.line.len());
        !self.line.is_empty() && (over || self.line.len() >= stones)
    }

    /// Whether the line begins with a turn, its stones in any order.
    pub(crate) fn begins_with(&self, turn: &[Cell]) -> bool {
        let mut first = self.line.iter().take(turn.len());
        self.has_turn(turn.len()) && first.all(|cell| turn.contains(cell))
    }

    /// Returns the line after a turn, if it begins with the turn.
    pub(crate) fn rest(&self, turn: &[Cell]) -> Vec<Cell> {
        if self.begins_with(turn) {
            self.line.get(turn.len()..).unwrap_or_default().to_vec()
        } else {
            Vec::new()
        }
    }
}

/// A position of the game.
#[derive(Clone, Debug)]
pub(crate) struct GamePosition {
    /// The game up to here.
    pub(crate) game_state: GameState,
    /// The ply that was played here; [`Transition::Other`] after the last one.
    pub(crate) transition: Transition,
    /// Search result; `None` if no judgement needs it.
    pub(crate) fact: Option<Fact>,
}

impl GamePosition {
    /// Returns all positions of a game, from its beginning on, with the stones it began with.
    pub(crate) fn of(game: &GameState) -> Vec<GamePosition> {
        let mut game_state = game.clone();
        game_state.take_back(game.actions().len());
        let mut positions = Vec::new();
        for action in game.actions() {
            let transition = transition(&game_state, action);
            positions.push(GamePosition { game_state: game_state.clone(), transition, fact: None });
            // The game was legal when it was read.
            let _ = game_state.apply(action);
        }
        positions.push(GamePosition { game_state, transition: Transition::Other, fact: None });
        positions
    }

    /// Returns the side to move.
    pub(crate) fn color(&self) -> Color {
        self.game_state.to_move()
    }

    /// Returns the turn that was played here, if the ply was a turn.
    pub(crate) fn turn(&self) -> Option<&[Cell]> {
        match &self.transition {
            Transition::Turn(cells) => Some(cells),
            Transition::Swap | Transition::Other => None,
        }
    }

    /// Returns the result for the side to move, if the game is over here.
    pub(crate) fn result(&self) -> Option<Score> {
        Some(match self.game_state.result()?.colors[..] {
            [winner] if winner == self.color() => win_in(0),
            [_] => loss_in(0),
            _ => 0,
        })
    }

    /// Returns the number of stones of the turn to play.
    pub(crate) fn stones(&self) -> usize {
        match self.turn() {
            Some(turn) => turn.len(),
            None => Typed { game_state: self.game_state.clone(), placed: Vec::new() }.left(),
        }
    }

    /// Returns the cells that an opening allows; empty if it allows all legal cells.
    pub(crate) fn zone(&self) -> Vec<Cell> {
        let bounded = |choice: &Choice| matches!(choice, Choice::Stones { zone, .. } if *zone != Zone::Anywhere);
        if !self
            .game_state
            .pending_decision()
            .is_some_and(|pending| pending.choices.iter().any(bounded))
        {
            return Vec::new();
        }
        self.legal()
    }

    /// Returns the cells where a stone of the turn may be placed.
    pub(crate) fn legal(&self) -> Vec<Cell> {
        if self.stones() == 1 {
            return self.game_state.placements();
        }
        let (referee, color) = (self.game_state.referee(), self.color());
        let legal =
            |&cell: &Cell| self.game_state.in_pair_zone(cell) && referee.check(color, cell).is_ok();
        self.game_state.empty().into_iter().filter(legal).collect()
    }
}

/// Classifies a ply for the judgement. Stones after which the other seat may swap are not judged
/// as a turn: there the most balanced choice is best, not the strongest.
fn transition(before: &GameState, action: &Action) -> Transition {
    let (Action::Stones { cells, count: None }, Some(pending)) =
        (action, before.pending_decision())
    else {
        return if *action == Action::Swap { Transition::Swap } else { Transition::Other };
    };
    let turn = |choice: &Choice| {
        matches!(choice, Choice::Stones { colors, declare: None, .. }
            if colors.len() == cells.len() && colors.iter().all(|&color| color == pending.color))
    };
    let mut after = before.clone();
    let is_swapped = after.apply(action).is_ok()
        && after.pending_decision().is_some_and(|next| next.swap && next.seat != pending.seat);
    let is_turn = pending.choices.iter().any(turn) && !is_swapped;
    if is_turn { Transition::Turn(cells.clone()) } else { Transition::Other }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Review;
    use goren_core::rules::referee::Next;
    use goren_core::rules::{Contest, RuleId, Variant};
    use goren_core::types::Stone;
    use goren_engine::Info;

    #[test]
    fn a_game_that_began_with_stones_is_searched_with_them() {
        let stone = |x, color| (Cell::new(x, 7), Stone::Of(color));
        let laid = [stone(7, Color::Black), stone(8, Color::White), stone(9, Color::Black)];
        let contest = Contest::new(Variant::Five(RuleId::Freestyle));
        let mut game = GameState::from_position(contest, &laid, Next::new(Color::White)).unwrap();
        for cell in [Cell::new(6, 6), Cell::new(8, 8)] {
            game.apply(&Action::stone(cell)).unwrap();
        }
        let mut review = Review::new(&game);
        // The last position is searched first.
        let root = review.wanted().unwrap().root;
        assert_eq!((&root.laid[..], &root.events[..]), (game.setup_stones(), game.events()));
        assert_eq!((root.to_move, root.laid.len(), root.events.len()), (Color::White, 3, 2));
        while let Some(search) = review.wanted() {
            assert_eq!(search.root.laid, game.setup_stones());
            review.found(Info::NOTHING);
        }
        let colors: Vec<Color> = review.judged().iter().map(|ply| ply.color).collect();
        assert_eq!(colors, [Color::White, Color::Black]);
    }

    #[test]
    fn a_line_has_a_turn_if_it_is_whole_or_ends_the_game() {
        let [a, b, c] = [1, 2, 3].map(|x| Cell::new(x, 0));
        let fact = |score, line: &[Cell]| Fact { score, line: line.to_vec(), ..Fact::default() };
        assert!(fact(30, &[a, b, c]).begins_with(&[b, a]));
        assert!(!fact(30, &[a, c, b]).begins_with(&[b, a]));
        assert!(!fact(30, &[a]).begins_with(&[b, a]) && !fact(30, &[]).begins_with(&[a]));
        assert!(fact(win_in(1), &[a]).begins_with(&[b, a]));
        assert!(!fact(win_in(2), &[a]).begins_with(&[b, a]));
        assert_eq!(fact(30, &[a, b, c]).rest(&[b, a]), [c]);
        assert_eq!(fact(30, &[a, b, c]).rest(&[b, c]), []);
    }
}
