//! The game at hand: the game of the client, with what searches it and the
//! weights it was built with.

use goren_protocol::Reply;

use super::continuous::lay;
use super::five_position::FivePosition;
use super::last_score::LastScore;
use super::played_game::{PlayedGame, measures};
use super::settings::Settings;
use super::weights::Loaded;
use crate::command_error::CommandError;
use crate::dialect::position::ShownPosition;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, Setup};
use goren_engine::{Hash, Info};

/// The game at hand.
#[derive(Default)]
pub struct GameAtHand {
    /// None before START, and while it is with the search thread.
    pub game: Option<Box<PlayedGame>>,
    /// The table of all searches.
    pub hash: Hash,
    /// What games are built with.
    pub weights: Loaded,
    /// Whether the position that the client sent last was rejected: commands that
    /// continue it are refused.
    pub refused: bool,
    /// Games begun.
    pub games: u64,
    /// What our last search said of the game.
    pub last_score: Option<LastScore>,
    /// An opening that is decided apart from the game, which waits beside it, unless
    /// it is lent to the search thread; or the last one, as long as the weights it
    /// was built with are in use.
    pub opening: Option<Box<PlayedGame>>,
}

impl GameAtHand {
    /// Refuses commands that continue a position whose successor was refused: the
    /// client shows another position.
    ///
    /// # Errors
    /// It was.
    pub fn not_refused(&self) -> Result<(), CommandError> {
        if self.refused { Err(CommandError::Refused) } else { Ok(()) }
    }

    /// The position, if it is one of five in a row that `INFO variant` has not named.
    pub fn five(&self) -> Option<FivePosition> {
        self.game.as_ref().and_then(|game| game.five())
    }

    /// The game that `INFO variant` has named.
    ///
    /// # Errors
    /// There is none at hand.
    pub fn named(&mut self) -> Result<&mut PlayedGame, CommandError> {
        self.game.as_deref_mut().filter(|game| game.named).ok_or(CommandError::NotNamed)
    }

    /// Whether it was named by `INFO variant`.
    pub fn is_named(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.named)
    }

    /// The board of a game of five in a row.
    ///
    /// # Errors
    /// There is no game, or one named by `INFO variant`, which has no such
    /// `command`.
    pub fn five_board(&self, command: &'static str) -> Result<Setup, CommandError> {
        if self.is_named() {
            return Err(CommandError::NotHere(command));
        }
        Ok(self.five().ok_or(CommandError::NotStarted)?.setup)
    }

    /// The game, under the current rule unless `INFO variant` has named it. A rule that
    /// came after the stones judges them again.
    ///
    /// # Errors
    /// There is no game, or the rule cannot be played, or no game of this rule leads to
    /// the stones.
    pub fn current(&mut self, settings: &Settings) -> Result<&mut PlayedGame, CommandError> {
        if let Some(FivePosition { setup, stones, to_move }) = self.five() {
            let rule = settings.variant()?.rule;
            if setup.rule != rule {
                let contest = Contest::five(Setup { rule, ..setup });
                self.rebuild(GameState::from_list(contest, &stones, to_move)?);
            }
        }
        self.game.as_deref_mut().ok_or(CommandError::NotStarted)
    }

    /// Whether the game goes on after a five.
    pub fn is_continuous(&self, settings: &Settings) -> bool {
        !self.is_named() && settings.variant().is_ok_and(|variant| variant.continuous)
    }

    /// Replaces the game by one of five in a row under another rule, or with other
    /// weights.
    fn rebuild(&mut self, game_state: GameState) {
        let game = PlayedGame::new(game_state, false, self.weights.set(), &self.hash);
        self.game = Some(Box::new(game));
        self.settle_weights();
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
        let FivePosition { setup, .. } = self.five().ok_or(CommandError::NotStarted)?;
        let contest = Contest::five(Setup { rule: variant.rule, ..setup });
        let game_state = lay(contest, &stones, to_move, variant.continuous)?;
        match &mut self.game {
            // The old game, with what it has learnt, goes on under the same rule.
            Some(game) if setup.rule == variant.rule && self.weights.in_use() => {
                game.game_state = game_state;
            }
            _ => self.rebuild(game_state),
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
        self.hash.clear();
        if let Some(game) = &mut self.game {
            game.decider.forget();
        }
    }

    /// After the game at hand was built anew. Where weights came since a game was built
    /// last, what the table knows was measured by the old ones.
    pub fn settle_weights(&mut self) {
        if self.weights.settle() {
            self.hash.clear();
        }
    }

    /// Has the next ply of an opening decided; the game stays as it is. Stones placed
    /// so far, and the area of the board.
    pub fn set_opening(&mut self, game_state: GameState) -> (usize, usize) {
        let contest = *game_state.contest();
        let known = self
            .opening
            .take()
            .filter(|game| *game.decider.contest() == contest && self.weights.in_use());
        let measures = measures(&game_state);
        self.opening = Some(match known {
            Some(opening) => Box::new(PlayedGame { game_state, ..*opening }),
            None => Box::new(PlayedGame::new(game_state, false, self.weights.set(), &self.hash)),
        });
        measures
    }

    /// Notes what the search said that led to our move.
    pub fn note_score(&mut self, info: Option<&Info>) {
        let Some(position) = self.five() else { return };
        self.last_score = LastScore::after(self.last_score.take(), position.stones, info);
    }

    /// Reads the game in the other order of coordinates. One that is none then was
    /// refused.
    pub fn swap_axes(&mut self) {
        self.last_score = None;
        if let Some(game) = &mut self.game {
            self.refused |= game.swap_axes().is_err();
        }
    }
}
