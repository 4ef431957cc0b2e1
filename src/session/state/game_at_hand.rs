//! The game at hand: the game of the client, with what searches it and the
//! weights it was built with.

use goren_protocol::Reply;

use super::any_game::AnyGame;
use super::continuous::lay;
use super::family_game::FamilyGame;
use super::last_score::LastScore;
use super::settings::{RuleVariant, Settings};
use super::weights::Loaded;
use crate::command_error::CommandError;
use crate::dialect::axes::turned;
use crate::dialect::position::ShownPosition;
use goren_core::opening::GameState;
use goren_core::rules::Setup;
use goren_engine::{Engine, Game, Hash, Info};

/// The game at hand.
#[derive(Default)]
pub struct GameAtHand {
    /// None before START, and while it is with the search thread.
    pub game: Option<AnyGame>,
    /// What searches games of five in a row, unless it is lent to the search
    /// thread. Its table is that of all searches.
    pub engine: Engine,
    /// What games are built with.
    pub weights: Loaded,
    /// Whether the position that the client sent last was rejected: commands that
    /// continue it are refused.
    pub refused: bool,
    /// Games of five in a row begun.
    pub games: u64,
    /// What our last search said of the game.
    pub last_score: Option<LastScore>,
    /// An opening that is decided apart from the game, which waits beside it, unless
    /// it is lent to the search thread; or the last one, as long as the weights it
    /// was built with are in use.
    pub opening: Option<Box<FamilyGame>>,
}

impl GameAtHand {
    /// The table of all searches.
    pub fn hash(&self) -> &Hash {
        self.engine.hash()
    }

    /// Refuses commands that continue a position whose successor was refused: the
    /// client shows another position.
    ///
    /// # Errors
    /// It was.
    pub fn not_refused(&self) -> Result<(), CommandError> {
        if self.refused { Err(CommandError::Refused) } else { Ok(()) }
    }

    /// The game, if it is one of five in a row.
    pub fn five(&self) -> Option<&dyn Game> {
        match &self.game {
            Some(AnyGame::Five(game)) => Some(game.as_ref()),
            _ => None,
        }
    }

    /// The game of the family.
    ///
    /// # Errors
    /// There is none at hand.
    pub fn family(&mut self) -> Result<&mut FamilyGame, CommandError> {
        match &mut self.game {
            Some(AnyGame::Family(family_game)) => Ok(family_game),
            _ => Err(CommandError::NotFamily),
        }
    }

    /// Whether it is a game of the family.
    pub fn is_family(&self) -> bool {
        matches!(self.game, Some(AnyGame::Family(_)))
    }

    /// The board of a game of five in a row.
    ///
    /// # Errors
    /// There is no game, or one named by `INFO variant`, which has no such
    /// `command`.
    pub fn five_board(&self, command: &'static str) -> Result<Setup, CommandError> {
        if self.is_family() {
            return Err(CommandError::NotHere(command));
        }
        Ok(self.five().ok_or(CommandError::NotStarted)?.setup())
    }

    /// The game of five in a row under the current rule. A rule that came after the
    /// stones judges them again.
    ///
    /// # Errors
    /// There is none, or the rule cannot be played, or no game of this rule leads to
    /// the stones.
    pub fn judged(
        &mut self,
        settings: &Settings,
    ) -> Result<(&mut Box<dyn Game>, RuleVariant), CommandError> {
        let Some(AnyGame::Five(game)) = &mut self.game else {
            return Err(CommandError::NotStarted);
        };
        let variant = settings.variant()?;
        if game.setup().rule != variant.rule {
            let setup = Setup { rule: variant.rule, ..game.setup() };
            let mut judged = self.weights.new_game(setup);
            judged.set_up(&game.stones(), game.to_move())?;
            *game = judged;
            self.engine.forget();
            settle(&mut self.weights, self.engine.hash());
        }
        Ok((game, variant))
    }

    /// The game, under the current rule if it is one of five in a row.
    ///
    /// # Errors
    /// As [`GameAtHand::judged`].
    pub fn current(&mut self, settings: &Settings) -> Result<&mut AnyGame, CommandError> {
        if !self.is_family() {
            self.judged(settings)?;
        }
        self.game.as_mut().ok_or(CommandError::NotStarted)
    }

    /// Replaces the position, which may be over.
    ///
    /// # Errors
    /// It is impossible; nothing changes.
    pub fn replace(
        &mut self,
        (stones, to_move): ShownPosition,
        settings: &Settings,
    ) -> Result<(), CommandError> {
        let variant = settings.variant()?;
        let Some(AnyGame::Five(game)) = &mut self.game else {
            return Err(CommandError::NotStarted);
        };
        let setup = Setup { rule: variant.rule, ..game.setup() };
        // The old game, with what it has learnt, goes on under the same rule.
        if game.setup() == setup && self.weights.in_use() {
            lay(&mut **game, &stones, to_move, variant)?;
        } else {
            let mut built = self.weights.new_game(setup);
            lay(&mut *built, &stones, to_move, variant)?;
            *game = built;
            self.engine.forget();
            settle(&mut self.weights, self.engine.hash());
        }
        self.refused = false;
        Ok(())
    }

    /// The points forbidden to Black, if it is to move.
    ///
    /// # Errors
    /// There is no position.
    pub fn forbidden(&mut self, settings: &Settings) -> Result<Reply, CommandError> {
        self.not_refused()?;
        let axes = settings.axes();
        let cells = self.current(settings)?.forbidden();
        Ok(Reply::Forbid(cells.into_iter().map(|cell| axes.point(cell)).collect()))
    }

    /// Clears the results of all searches.
    pub fn forget(&mut self) {
        self.hash().clear();
        match &mut self.game {
            Some(AnyGame::Five(_)) => self.engine.forget(),
            Some(AnyGame::Family(family_game)) => family_game.decider.forget(),
            None => {}
        }
    }

    /// After the game at hand was built anew.
    pub fn settle_weights(&mut self) {
        settle(&mut self.weights, self.engine.hash());
    }

    /// Has the next ply of an opening decided; the game stays as it is. Stones placed
    /// so far, and the area of the board.
    pub fn open(&mut self, game_state: GameState) -> (usize, usize) {
        let contest = *game_state.contest();
        let known = self
            .opening
            .take()
            .filter(|game| *game.decider.contest() == contest && self.weights.in_use());
        let mut opening = known.unwrap_or_else(|| {
            Box::new(FamilyGame::new(&contest, self.weights.set(), self.hash()))
        });
        opening.game_state = game_state;
        let measures = opening.measures();
        self.opening = Some(opening);
        measures
    }

    /// Takes the engine of the game; another stands in until it is back.
    pub fn lend_engine(&mut self) -> Engine {
        let stand_in = Engine::with_hash(self.hash().clone());
        std::mem::replace(&mut self.engine, stand_in)
    }

    /// Notes what the search said that led to our move.
    pub fn note_score(&mut self, info: Option<&Info>) {
        let Some(stones) = self.five().map(Game::stones) else { return };
        self.last_score = LastScore::after(self.last_score.take(), stones, info);
    }

    /// Reads the game in the other order of coordinates. One that is none then was
    /// refused.
    pub fn swap_axes(&mut self) {
        self.last_score = None;
        match &mut self.game {
            Some(AnyGame::Five(game)) => {
                let stones: Vec<_> =
                    game.stones().into_iter().map(|(cell, stone)| (turned(cell), stone)).collect();
                let to_move = game.to_move();
                self.refused |= !stones.is_empty() && game.set_up(&stones, to_move).is_err();
            }
            Some(AnyGame::Family(family_game)) => self.refused |= family_game.swap_axes().is_err(),
            None => {}
        }
    }
}

/// Where weights came since a game was built last, what the table knows was
/// measured by the old ones.
fn settle(weights: &mut Loaded, hash: &Hash) {
    if weights.settle() {
        hash.clear();
    }
}
