//! A game in progress with the decider for it.

use goren_protocol::Reply;

use super::command_error::CommandError;
use super::five_position::FivePosition;
use crate::out::Out;
use crate::wire::{name, turned};
use goren_core::opening::{Action, GameState};
use goren_core::rules::referee::Reason;
use goren_core::types::{Cell, Color, Stone};
use goren_decide::{Decider, Decision};
use goren_engine::{Report, Request, TableHandle, WeightSet};

/// A game in progress with the decider for it.
pub struct PlayedGame {
    /// The game.
    pub game_state: GameState,
    /// Decides plies of the game.
    pub decider: Decider,
    /// Whether `INFO variant` named the game. Any other game is five in a row under the rule
    /// of `INFO rule`, without an opening.
    pub named: bool,
}

/// The result of a game in words.
pub fn result_text(winner: Option<Color>, reason: Reason) -> String {
    let winner = match winner {
        Some(Color::Black) => "Black wins",
        Some(Color::White) => "White wins",
        None => "a draw",
    };
    format!("{winner}: {}", reason.name().replace('_', " "))
}

impl PlayedGame {
    /// Creates a game with a new decider. `named`: whether `INFO variant` named it.
    pub fn new(
        game_state: GameState,
        named: bool,
        weights: &WeightSet,
        hash: &TableHandle,
    ) -> PlayedGame {
        let mut decider = Decider::new(game_state.contest(), weights, hash);
        if !named {
            // The Gomocup protocol has no pass.
            decider.never_pass();
        }
        PlayedGame { game_state, decider, named }
    }

    /// Number of columns and rows of the board.
    pub fn size(&self) -> (usize, usize) {
        let contest = self.game_state.contest();
        (contest.width, contest.height)
    }

    /// Number of stones and walls on the board, and area of the board.
    pub fn stones_and_area(&self) -> (usize, usize) {
        stones_and_area(&self.game_state)
    }

    /// The position, if the game is five in a row and was not named by `INFO variant`.
    pub fn five(&self) -> Option<FivePosition> {
        let setup = self.game_state.contest().setup().filter(|_| !self.named)?;
        let (stones, to_move) = (self.game_state.placed(), self.game_state.to_move());
        Some(FivePosition { setup, stones, to_move })
    }

    /// Plays a ply. Returns a text about the stones it removed from the board, if any.
    ///
    /// # Errors
    /// The ply is illegal; nothing changes.
    pub fn play(&mut self, action: &Action) -> Result<Option<String>, CommandError> {
        let mut next = self.game_state.clone();
        next.apply(action)?;
        Ok(self.advance_to(next, action))
    }

    /// Replaces the game by `next`, the game after `action`. Returns a text about the stones
    /// that the ply removed from the board, if any.
    pub fn advance_to(&mut self, next: GameState, action: &Action) -> Option<String> {
        let before = std::mem::replace(&mut self.game_state, next);
        let contest = self.game_state.contest();
        // Checked first: a continuous game of five in a row may have restarted from a list,
        // with fewer events than before.
        if !contest.variant.takes_stones() || matches!(action, Action::Pass | Action::Swap) {
            return None;
        }
        let (stones, now) = (before.stones(), self.game_state.stones());
        let placed = self.game_state.events().len() - before.events().len();
        if now.len() >= stones.len() + placed {
            return None;
        }
        if contest.variant.falls() {
            return Some("full lines were cleared".to_owned());
        }
        let removed = stones.iter().filter(|stone| !now.contains(stone));
        let names: Vec<String> = removed.map(|&(cell, _)| name(cell, contest.height)).collect();
        Some(format!("off the board: {}", names.join(" ")))
    }

    /// The forbidden points of the side to move.
    pub fn forbidden(&self) -> Vec<Cell> {
        let game_state = &self.game_state;
        let to_move = game_state.to_move();
        let is_foul = |cell: &Cell| game_state.referee().fouls(to_move, *cell).any();
        game_state.empty().into_iter().filter(is_foul).collect()
    }

    /// The cells of the last ply, or of the last stone or wall that the game began with if
    /// no ply was played. Empty if the last ply placed nothing.
    pub fn newest(&self) -> Vec<Cell> {
        match self.game_state.actions().last() {
            Some(Action::Stones { cells, .. } | Action::Offer(cells)) => cells.clone(),
            Some(Action::Choose { fifth, sixth }) => vec![*fifth, *sixth],
            Some(Action::Pass | Action::Swap) => Vec::new(),
            None => {
                self.game_state.setup_stones().last().map(|stone| stone.0).into_iter().collect()
            }
        }
    }

    /// Takes back the last ply, or the last stone that the game began with if no ply was
    /// played.
    pub fn take_back(&mut self) {
        if self.game_state.actions().is_empty() {
            self.game_state.take_back_laid();
        } else {
            self.game_state.take_back(1);
        }
    }

    /// Restarts the game from the empty board.
    pub fn restart(&mut self) {
        self.game_state = GameState::new(*self.game_state.contest());
        self.decider.forget();
    }

    /// Exchanges columns and rows of the game.
    ///
    /// # Errors
    /// The result is no legal game; nothing changes.
    pub fn swap_axes(&mut self) -> Result<(), CommandError> {
        let contest = *self.game_state.contest();
        let all = |cells: &[Cell]| cells.iter().copied().map(turned).collect();
        let laid = self.game_state.setup_stones();
        let laid: Vec<(Cell, Stone)> =
            laid.iter().map(|&(at, stone)| (turned(at), stone)).collect();
        let mut game = if laid.is_empty() {
            GameState::new(contest)
        } else {
            GameState::from_list(contest, &laid, self.game_state.first_to_move())?
        };
        for action in self.game_state.actions() {
            game.apply(&match action {
                Action::Swap => Action::Swap,
                Action::Pass => Action::Pass,
                Action::Stones { cells, count } => {
                    Action::Stones { cells: all(cells), count: *count }
                }
                Action::Offer(cells) => Action::Offer(all(cells)),
                Action::Choose { fifth, sixth } => {
                    Action::Choose { fifth: turned(*fifth), sixth: turned(*sixth) }
                }
            })?;
        }
        self.game_state = game;
        Ok(())
    }

    /// Reports the result, if the game is over.
    pub fn report_end(&self, out: Out) {
        let Some(result) = self.game_state.result() else { return };
        let winner = match result.colors[..] {
            [color] => Some(color),
            _ => None,
        };
        out(Reply::Message(result_text(winner, result.reason)));
    }

    /// Decides the next ply; `None` if the game is over.
    pub fn decide(
        &mut self,
        request: &Request,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Decision> {
        self.decider.decide(&self.game_state, request, report)
    }
}

/// Number of stones and walls on the board, and area of the board. Stones that have left the
/// board do not count: the game goes on on their points.
pub fn stones_and_area(game_state: &GameState) -> (usize, usize) {
    let contest = game_state.contest();
    let area = contest.width * contest.height;
    (area - game_state.empty().len(), area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening;
    use goren_core::rules::{Contest, OpeningId, Variant};

    #[test]
    fn removed_stones_and_cleared_lines_are_reported() {
        let removed = |name: &str, texts: &str| {
            let contest = Contest::new(Variant::from_name(name).unwrap());
            let contest = contest.opened(OpeningId::Free).unwrap();
            let state = GameState::new(contest);
            let mut game =
                PlayedGame::new(state, true, &WeightSet::default(), &TableHandle::default());
            let mut last = None;
            for text in texts.split_whitespace() {
                let action = opening::read(&game.game_state, text).unwrap();
                last = game.play(&action).unwrap();
            }
            last
        };
        assert_eq!(removed("pente", "e5 d5 f5").as_deref(), None);
        assert_eq!(removed("pente", "e5 d5 f5 g5").as_deref(), Some("off the board: E5 F5"));
        let row = "a1 b1 c1 d1 e1 f1 g1";
        assert_eq!(removed("four-in-a-row+clear", row).as_deref(), None);
        let cleared = removed("four-in-a-row+clear", &format!("{row} h1"));
        assert_eq!(cleared.as_deref(), Some("full lines were cleared"));
        assert_eq!(removed("four-in-a-row", &format!("{row} h1")), None);
    }

    #[test]
    fn a_game_that_restarted_from_a_list_goes_on() {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap());
        let mut state = GameState::new(contest.opened(OpeningId::Free).unwrap());
        let fresh = state.clone();
        for text in ["h8", "a1", "h9"] {
            state.apply(&opening::read(&state, text).unwrap()).unwrap();
        }
        let mut game =
            PlayedGame::new(state, false, &WeightSet::default(), &TableHandle::default());
        let mut next = fresh.clone();
        let action = opening::read(&next, "k5").unwrap();
        next.apply(&action).unwrap();
        assert_eq!(game.advance_to(next.clone(), &action), None);
        assert_eq!(game.game_state.actions(), next.actions());
    }
}
