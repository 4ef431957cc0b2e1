//! The game at hand: the client's game, with its decider, transposition table and
//! weights.

use std::hash::{BuildHasher, RandomState};

use goren_protocol::Reply;

use super::command_error::CommandError;
use super::continuous::lay;
use super::five_position::FivePosition;
use super::last_score::LastScore;
use super::played_game::{PlayedGame, stones_and_area};
use super::settings::Settings;
use super::weights::Loaded;
use crate::wire::position::ShownPosition;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, Setup};
use goren_engine::{Info, TableHandle, reserve};

/// The game at hand.
#[derive(Default)]
pub struct GameAtHand {
    /// `None` before START, and while it is lent to the search thread.
    pub game: Option<Box<PlayedGame>>,
    /// The transposition table of all searches.
    pub hash: TableHandle,
    /// The weights for new games.
    pub weights: Loaded,
    /// Whether the last position that the client sent was refused. Commands that continue
    /// it are refused too.
    pub refused: bool,
    /// Number of games begun.
    pub games: u64,
    /// Makes random choices differ from process to process.
    chance: RandomState,
    /// The score of our last search in this game.
    pub last_score: Option<LastScore>,
    /// A game for the decisions of an opening, separate from the client's game; `None`
    /// while lent to the search thread. Kept for reuse as long as its weights are in use.
    pub opening: Option<Box<PlayedGame>>,
}

impl GameAtHand {
    /// A seed for random choices, different in each game.
    pub fn seed(&self) -> u64 {
        self.chance.hash_one(self.games)
    }

    /// Refuses a command that continues a refused position: the client shows a position
    /// other than that of the game at hand.
    ///
    /// # Errors
    /// The last position was refused.
    pub fn not_refused(&self) -> Result<(), CommandError> {
        if self.refused { Err(CommandError::Refused) } else { Ok(()) }
    }

    /// The position, if the game is five in a row and was not named by `INFO variant`.
    pub fn five(&self) -> Option<FivePosition> {
        self.game.as_ref().and_then(|game| game.five())
    }

    /// The game, if it was named by `INFO variant`.
    ///
    /// # Errors
    /// There is no game, or `INFO variant` did not name it.
    pub fn named(&mut self) -> Result<&mut PlayedGame, CommandError> {
        self.game.as_deref_mut().filter(|game| game.named).ok_or(CommandError::NotNamed)
    }

    /// Whether the game was named by `INFO variant`.
    pub fn is_named(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.named)
    }

    /// The rule and board of a game of five in a row.
    ///
    /// # Errors
    /// There is no game, or it was named by `INFO variant` and does not support `command`.
    pub fn five_board(&self, command: &'static str) -> Result<Setup, CommandError> {
        if self.is_named() {
            return Err(CommandError::NotHere(command));
        }
        Ok(self.five().ok_or(CommandError::NotStarted)?.setup)
    }

    /// The game, rebuilt if `INFO rule` has changed the rule since; a game named by
    /// `INFO variant` stays as it is.
    ///
    /// # Errors
    /// There is no game, the rule cannot be played, the stones are impossible under it, or
    /// there is no memory for its weights.
    pub fn current(&mut self, settings: &Settings) -> Result<&mut PlayedGame, CommandError> {
        if let Some(FivePosition { setup, stones, to_move }) = self.five() {
            let rule = settings.variant()?.rule;
            if setup.rule != rule {
                let contest = Contest::five(Setup { rule, ..setup });
                self.rebuild(GameState::from_list(contest, &stones, to_move)?)?;
            }
        }
        self.game.as_deref_mut().ok_or(CommandError::NotStarted)
    }

    /// Whether the game goes on after a five.
    pub fn is_continuous(&self, settings: &Settings) -> bool {
        !self.is_named() && settings.variant().is_ok_and(|variant| variant.continuous)
    }

    /// Builds a game with a new decider. `named`: whether `INFO variant` named it.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn build(
        &self,
        game_state: GameState,
        named: bool,
    ) -> Result<Box<PlayedGame>, CommandError> {
        // A game takes less memory than the reserve.
        if !reserve::hold() {
            return Err(CommandError::NoRoom);
        }
        Ok(Box::new(PlayedGame::new(game_state, named, self.weights.set(), &self.hash)))
    }

    /// Replaces the game by a game of five in a row under another rule, or with new weights.
    ///
    /// # Errors
    /// There is no memory for it; the game stays as it is.
    pub fn rebuild(&mut self, game_state: GameState) -> Result<(), CommandError> {
        self.game = Some(self.build(game_state, false)?);
        self.settle_weights();
        Ok(())
    }

    /// Replaces the position, in which the game may be over.
    ///
    /// # Errors
    /// The position is impossible, or there is no memory for the weights of the rule; the
    /// game stays as it is.
    pub fn replace(
        &mut self,
        (stones, to_move): ShownPosition,
        settings: &Settings,
    ) -> Result<(), CommandError> {
        let variant = settings.variant()?;
        let FivePosition { setup, .. } = self.five().ok_or(CommandError::NotStarted)?;
        let contest = Contest::five(Setup { rule: variant.rule, ..setup });
        let game_state = lay(contest, &stones, to_move, variant.continuous)?;
        match &mut self.game {
            // Same rule: keep the decider and what it has learnt.
            Some(game) if setup.rule == variant.rule && self.weights.in_use() => {
                game.game_state = game_state;
            }
            _ => self.rebuild(game_state)?,
        }
        self.refused = false;
        Ok(())
    }

    /// The reply that lists the forbidden points of the side to move.
    ///
    /// # Errors
    /// There is no game, or its last position was refused.
    pub fn forbidden(&mut self, settings: &Settings) -> Result<Reply, CommandError> {
        self.not_refused()?;
        let axes = settings.axes();
        let cells = self.current(settings)?.forbidden();
        Ok(Reply::Forbid(cells.into_iter().map(|cell| axes.point(cell)).collect()))
    }

    /// Clears everything that searches have learnt.
    pub fn forget(&mut self) {
        self.hash.clear();
        if let Some(game) = &mut self.game {
            game.decider.forget();
        }
    }

    /// Must be called after building the game at hand. If it has new weights, clears the
    /// transposition table, which holds scores of the old weights.
    pub fn settle_weights(&mut self) {
        if self.weights.settle() {
            self.hash.clear();
        }
    }

    /// Prepares the decision of the next ply of an opening, without changing the client's
    /// game. Returns the number of stones on the board and the area of the board.
    ///
    /// # Errors
    /// There is no memory for it.
    pub fn set_opening(&mut self, game_state: GameState) -> Result<(usize, usize), CommandError> {
        let contest = *game_state.contest();
        let known = self
            .opening
            .take()
            .filter(|game| *game.decider.contest() == contest && self.weights.in_use());
        let stones_and_area = stones_and_area(&game_state);
        self.opening = Some(match known {
            Some(opening) => Box::new(PlayedGame { game_state, ..*opening }),
            None => self.build(game_state, false)?,
        });
        Ok(stones_and_area)
    }

    /// Stores the score of the search that led to our move.
    pub fn note_score(&mut self, info: Option<&Info>) {
        let Some(position) = self.five() else { return };
        self.last_score = LastScore::after(self.last_score.take(), position.stones, info);
    }

    /// Exchanges columns and rows of the game. If the result is no legal game, the game counts
    /// as refused.
    pub fn swap_axes(&mut self) {
        self.last_score = None;
        if let Some(game) = &mut self.game {
            self.refused |= game.swap_axes().is_err();
        }
    }
}
