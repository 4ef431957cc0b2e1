//! Commands of family games: any game of the family by `INFO variant`, with its
//! opening by `INFO opening` and the winner of a draw by `INFO tie_break`. Plies
//! are coordinates separated by blanks, followed by a number if one is declared,
//! or the words SWAP and PASS; `PLIES` sends a whole game in its own notation.

use goren_protocol::{Ply, Point, Reply};

use super::command_error::CommandError;
use super::decide::Decision;
use super::family_game::FamilyGame;
use super::job::Task;
use super::out::Out;
use super::state::{REHEARSAL, Session, State};
use super::wire::{action_of, cell_of, ply_of};
use goren_core::opening::{self, Action, GameState};
use goren_core::rules::Contest;
use goren_core::types::{Cell, Color};
use goren_engine::reserve;

impl Session {
    fn family_game(&mut self) -> Result<&mut FamilyGame, CommandError> {
        match &mut self.state {
            State::Family(family_game) => Ok(family_game),
            _ => Err(CommandError::NotFamily),
        }
    }

    /// Begins a game that was named by `INFO variant`.
    pub(super) fn start_family(&mut self, contest: &Contest, out: Out) -> Result<(), CommandError> {
        let same = |game: &FamilyGame| game.decider.contest() == contest;
        // While there may be no room for it, the game before is kept.
        let mut new = match &self.state {
            State::Family(family_game) if same(family_game) && self.weights.in_use() => None,
            _ => Some(Box::new(FamilyGame::new(contest, self.weights.set(), &self.hash))),
        };
        if let Some(family_game) = &mut new {
            family_game.decider.rehearse(self.arrived + REHEARSAL);
            self.warm_up();
        }
        if reserve::is_released() {
            return Err(CommandError::NoRoom);
        }
        // Emptying a large table takes a moment.
        out(Reply::Ok);
        self.refused = false;
        self.settings.new_game();
        let mut family_game = match (new, std::mem::replace(&mut self.state, State::Unstarted)) {
            (None, State::Family(family_game)) => family_game,
            (new, _) => new.unwrap_or_else(|| {
                Box::new(FamilyGame::new(contest, self.weights.set(), &self.hash))
            }),
        };
        self.weights.settle();
        family_game.game_state = GameState::new(*contest);
        family_game.decider.forget();
        self.hash.clear();
        self.state = State::Family(family_game);
        Ok(())
    }

    /// The opponent's ply, and then ours.
    pub(super) fn turn_ply(&mut self, ply: &Ply, out: Out) -> Result<(), CommandError> {
        self.not_refused()?;
        let axes = self.axes();
        let (width, height) = self.family_game()?.setup();
        let family_game = self.family_game()?;
        let action =
            action_of(&family_game.game_state, ply, axes).map_err(CommandError::Outside)?;
        let next = family_game.after(&action)?;
        let allowance = self.secure(next.events().len(), width * height)?;
        let family_game = self.family_game()?;
        if let Some(text) = family_game.turn_to(next, &action) {
            out(Reply::Message(text));
        }
        family_game.go_on_or_tell(out)?;
        self.think(Task::Move, allowance)
    }

    /// The points forbidden to Black in a game of the family, if Black is to move.
    pub(super) fn forbidden_in_family(&self) -> Vec<Cell> {
        let State::Family(family_game) = &self.state else { return Vec::new() };
        let game_state = &family_game.game_state;
        if game_state.to_move() == Color::White {
            return Vec::new();
        }
        game_state
            .empty()
            .into_iter()
            .filter(|&cell| game_state.referee().fouls(cell).any())
            .collect()
    }

    /// Replaces the game by the plies of a line, and answers them.
    pub(super) fn plies(&mut self, texts: &str, out: Out) -> Result<(), CommandError> {
        self.family_game()?;
        // Until there is another, nothing is said of the game of before. Where
        // memory is all that is missing, that game stays.
        let before = std::mem::replace(&mut self.refused, true);
        let family_game = self.family_game()?;
        let mut game_state = GameState::new(*family_game.game_state.contest());
        for text in texts.split_whitespace() {
            let played =
                opening::read(&game_state, text).and_then(|action| Ok(game_state.apply(&action)?));
            played.map_err(|error| CommandError::Ply { text: text.to_owned(), error })?;
        }
        let (width, height) = family_game.setup();
        let stones = game_state.events().len();
        let allowance =
            self.secure(stones, width * height).inspect_err(|_| self.refused = before)?;
        self.family_game()?.game_state = game_state;
        self.refused = false;
        self.family_game()?.go_on_or_tell(out)?;
        self.think(Task::Move, allowance)
    }

    /// Takes the newest ply back: one that placed or offered a stone on a point,
    /// or placed none where the point is that of a pass.
    pub(super) fn take_back_ply(&mut self, at: Point, out: Out) -> Result<(), CommandError> {
        self.not_refused()?;
        let axes = self.axes();
        let family_game = self.family_game()?;
        let newest = match family_game.game_state.actions().last() {
            Some(Action::Stones { cells, .. } | Action::Offer(cells)) => cells.clone(),
            Some(Action::Choose { fifth, sixth }) => vec![*fifth, *sixth],
            Some(Action::Pass | Action::Swap) | None => Vec::new(),
        };
        let placed_none = newest.is_empty() && !family_game.game_state.actions().is_empty();
        if !(placed_none && at.is_pass()) {
            let cell = cell_of(family_game.game_state.contest(), at, axes)
                .map_err(CommandError::Outside)?;
            if !newest.contains(&cell) {
                return Err(CommandError::NotNewest(at));
            }
        }
        family_game.game_state.take_back(1);
        out(Reply::Ok);
        Ok(())
    }

    /// The first ply.
    pub(super) fn begin_family(&mut self) -> Result<(), CommandError> {
        self.not_refused()?;
        if !self.family_game()?.game_state.actions().is_empty() {
            return Err(CommandError::NotEmpty);
        }
        let allowance = self.allow_here()?;
        self.think(Task::Move, allowance)
    }

    /// Plays what was decided, and says why and what it did.
    pub(super) fn answer_ply(&mut self, decision: Option<Decision>, out: Out) {
        let axes = self.axes();
        let over = || Reply::Error(CommandError::Over.to_string());
        let (Some(decision), State::Family(family_game)) = (decision, &mut self.state) else {
            out(over());
            return;
        };
        let Ok(gone) = family_game.play(&decision.action) else {
            out(over());
            return;
        };
        for text in decision.why.into_iter().chain(gone) {
            out(Reply::Message(text));
        }
        family_game.tell_end(out);
        out(ply_of(&decision.action, axes).into());
    }
}
