//! The positions of a game, and what is known of each.

use goren_core::opening::{Action, Choice, GameState, Zone};
use goren_core::types::{Cell, Color, PROVEN, Score, loss_in, plies_to_end, win_in};
use goren_notation::forms::Typed;

/// The link from a position of the game to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Transition {
    /// A turn of the side to move: its stones.
    Turn(Vec<Cell>),
    /// The seats change; the position is the same.
    Swap,
    /// Anything else that an opening asks for, or a pass.
    Other,
}

/// The search result of a position, for the side to move.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Fact {
    /// The score; of a game that is over, its result.
    pub(crate) score: Score,
    /// The best line. If the position is won it begins with a turn that wins;
    /// it is cut short where the win is known but not how.
    pub(crate) line: Vec<Cell>,
    /// Plies of the search.
    pub(crate) depth: u32,
    /// Nodes of all searches of this position.
    pub(crate) nodes: u64,
    /// How much less win rate than the best turn the one that was played has, both searched
    /// to the same depth if the effort allows it; 0 where they are the same, where one is
    /// proven, or where nothing was searched.
    pub(crate) behind: f64,
}

impl Fact {
    /// Whether the side to move is known to win.
    pub(crate) fn is_won(&self) -> bool {
        self.score >= PROVEN
    }

    /// Whether the side to move is known to lose.
    pub(crate) fn is_lost(&self) -> bool {
        self.score <= -PROVEN
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.is_won() || self.is_lost()
    }

    /// Whether its line holds a whole turn of `stones` stones, or ends the game before.
    pub(crate) fn shows(&self, stones: usize) -> bool {
        let over = plies_to_end(self.score).is_some_and(|plies| plies <= self.line.len());
        !self.line.is_empty() && (over || self.line.len() >= stones)
    }

    /// Whether its line begins with a turn, its stones in any order.
    pub(crate) fn begins_with(&self, turn: &[Cell]) -> bool {
        let mut first = self.line.iter().take(turn.len());
        self.shows(turn.len()) && first.all(|cell| turn.contains(cell))
    }

    /// What follows on a turn in its line, if it begins with that.
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
    pub(crate) link: Transition,
    /// What is known; `None` where no judgement asks for it.
    pub(crate) fact: Option<Fact>,
}

impl GamePosition {
    /// All positions of a game, from its beginning on, with the stones that were laid then.
    pub(crate) fn of(whole: &GameState) -> Vec<GamePosition> {
        let mut game_state = whole.clone();
        game_state.take_back(whole.actions().len());
        let mut positions = Vec::new();
        for action in whole.actions() {
            let link = link(&game_state, action);
            positions.push(GamePosition { game_state: game_state.clone(), link, fact: None });
            // The game was legal when it was read.
            let _ = game_state.apply(action);
        }
        positions.push(GamePosition { game_state, link: Transition::Other, fact: None });
        positions
    }

    /// Who is to move.
    pub(crate) fn color(&self) -> Color {
        self.game_state.to_move()
    }

    /// The turn that was played here, if it was a plain one.
    pub(crate) fn turn(&self) -> Option<&[Cell]> {
        match &self.link {
            Transition::Turn(cells) => Some(cells),
            Transition::Swap | Transition::Other => None,
        }
    }

    /// The result of the game for the side to move, if it is over here.
    pub(crate) fn result(&self) -> Option<Score> {
        Some(match self.game_state.result()?.colors[..] {
            [winner] if winner == self.color() => win_in(0),
            [_] => loss_in(0),
            _ => 0,
        })
    }

    /// Stones of the turn that is due.
    pub(crate) fn stones(&self) -> usize {
        match self.turn() {
            Some(turn) => turn.len(),
            None => Typed { game_state: self.game_state.clone(), placed: Vec::new() }.left(),
        }
    }

    /// The cells that an opening allows; empty if it allows all that are legal.
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

    /// Where a stone of the turn may be placed.
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

/// The link that a ply is to the judgement. Stones after which the other seat may swap are judged
/// like no turn: of these the level one is best, not the strongest.
fn link(before: &GameState, action: &Action) -> Transition {
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
        // The last position comes first.
        let root = review.wanted().unwrap().root;
        assert_eq!((&root.laid[..], &root.events[..]), (game.laid(), game.events()));
        assert_eq!((root.to_move, root.laid.len(), root.events.len()), (Color::White, 3, 2));
        while let Some(search) = review.wanted() {
            assert_eq!(search.root.laid, game.laid());
            review.found(Info::NOTHING);
        }
        let colors: Vec<Color> = review.judged().iter().map(|ply| ply.color).collect();
        assert_eq!(colors, [Color::White, Color::Black]);
    }

    #[test]
    fn a_line_shows_a_turn_if_it_is_whole_or_ends_the_game() {
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
