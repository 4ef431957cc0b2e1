//! A family game in progress (named by `INFO variant`): it plays plies, and
//! reports captured stones and the end of the game.

use goren_protocol::Reply;

use crate::command_error::CommandError;
use crate::decide::{Decider, Decision};
use crate::dialect::axes::turned;
use crate::dialect::wire::name;
use crate::out::Out;
use goren_core::opening::{Action, GameState, IllegalAction};
use goren_core::rules::Contest;
use goren_core::rules::referee::Reason;
use goren_core::types::{Cell, Color};
use goren_engine::{Hash, Report, Request, WeightSet};

/// A game in progress, and who decides in it.
pub struct FamilyGame {
    /// The game.
    pub game_state: GameState,
    /// Who decides.
    pub decider: Decider,
}

/// How a game ended, in words.
pub fn end_words(winner: Option<Color>, reason: Reason) -> String {
    let winner = match winner {
        Some(Color::Black) => "Black wins",
        Some(Color::White) => "White wins",
        None => "a draw",
    };
    format!("{winner}: {}", reason.name())
}

impl FamilyGame {
    /// A game that has not begun.
    pub fn new(contest: &Contest, weights: &WeightSet, hash: &Hash) -> FamilyGame {
        let decider = Decider::new(contest, weights, hash);
        FamilyGame { game_state: GameState::new(*contest), decider }
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> (usize, usize) {
        let contest = self.game_state.contest();
        (contest.width, contest.height)
    }

    /// Stones placed so far, and the area of the board.
    pub fn measures(&self) -> (usize, usize) {
        let (width, height) = self.size();
        (self.game_state.events().len(), width * height)
    }

    /// Plays a ply. What it took off the board, in words; `None` if nothing.
    pub fn play(&mut self, action: &Action) -> Result<Option<String>, CommandError> {
        let next = self.after(action)?;
        Ok(self.advance_to(next, action))
    }

    /// The game after a ply.
    pub fn after(&self, action: &Action) -> Result<GameState, CommandError> {
        let mut next = self.game_state.clone();
        next.apply(action)?;
        Ok(next)
    }

    /// Goes on to the game after a ply. What the ply took off the board, in
    /// words; `None` if nothing.
    pub fn advance_to(&mut self, next: GameState, action: &Action) -> Option<String> {
        let before = std::mem::replace(&mut self.game_state, next);
        let (stones, now) = (before.stones(), self.game_state.stones());
        let placed = self.game_state.events().len() - before.events().len();
        if matches!(action, Action::Pass | Action::Swap) || now.len() >= stones.len() + placed {
            return None;
        }
        let contest = self.game_state.contest();
        if contest.variant.falls() {
            return Some("full lines were cleared".to_owned());
        }
        let gone = stones.iter().filter(|stone| !now.contains(stone));
        let names: Vec<String> = gone.map(|&(cell, _)| name(cell, contest.height)).collect();
        Some(format!("off the board: {}", names.join(" ")))
    }

    /// The points forbidden to the side to move.
    pub fn forbidden(&self) -> Vec<Cell> {
        let game_state = &self.game_state;
        let to_move = game_state.to_move();
        let is_foul = |cell: &Cell| game_state.referee().fouls(to_move, *cell).any();
        game_state.empty().into_iter().filter(is_foul).collect()
    }

    /// The cells of the newest ply; none if it placed nothing or there is none.
    pub fn newest(&self) -> Vec<Cell> {
        match self.game_state.actions().last() {
            Some(Action::Stones { cells, .. } | Action::Offer(cells)) => cells.clone(),
            Some(Action::Choose { fifth, sixth }) => vec![*fifth, *sixth],
            Some(Action::Pass | Action::Swap) | None => Vec::new(),
        }
    }

    /// Begins again.
    pub fn restart(&mut self) {
        self.game_state = GameState::new(*self.game_state.contest());
        self.decider.forget();
    }

    /// Reads the game in the other order of coordinates.
    ///
    /// # Errors
    /// It is none then; nothing changes.
    pub fn swap_axes(&mut self) -> Result<(), IllegalAction> {
        let all = |cells: &[Cell]| cells.iter().copied().map(turned).collect();
        let mut game = GameState::new(*self.game_state.contest());
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

    /// Tells how the game ended, if it has.
    pub fn tell_end(&self, out: Out) {
        let Some(result) = self.game_state.result() else { return };
        let winner = match result.colors[..] {
            [color] => Some(color),
            _ => None,
        };
        out(Reply::Message(end_words(winner, result.reason)));
    }

    /// Makes sure that there is a ply to think about after the client's; where
    /// the game ended with it, who won is told, and the ply stays.
    pub fn go_on_or_tell(&self, out: Out) -> Result<(), CommandError> {
        self.tell_end(out);
        self.game_state.result().map_or(Ok(()), |_| Err(CommandError::Ended))
    }

    /// Decides the next ply.
    pub fn decide(
        &mut self,
        request: &Request,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Decision> {
        self.decider.decide(&self.game_state, request, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening;
    use goren_core::rules::{OpeningId, Variant};

    #[test]
    fn what_a_ply_takes_off_the_board_is_told() {
        let told = |game: &str, texts: &str| {
            let contest = Contest::new(Variant::from_name(game).unwrap());
            let contest = contest.opened(OpeningId::Free).unwrap();
            let mut family_game =
                FamilyGame::new(&contest, &WeightSet::default(), &Hash::default());
            let mut last = None;
            for text in texts.split_whitespace() {
                let action = opening::read(&family_game.game_state, text).unwrap();
                last = family_game.play(&action).unwrap();
            }
            last
        };
        assert_eq!(told("pente", "e5 d5 f5").as_deref(), None);
        assert_eq!(told("pente", "e5 d5 f5 g5").as_deref(), Some("off the board: E5 F5"));
        let row = "a1 b1 c1 d1 e1 f1 g1";
        assert_eq!(told("four-in-a-row+clear", row).as_deref(), None);
        let cleared = told("four-in-a-row+clear", &format!("{row} h1"));
        assert_eq!(cleared.as_deref(), Some("full lines were cleared"));
        assert_eq!(told("four-in-a-row", &format!("{row} h1")), None);
    }
}
