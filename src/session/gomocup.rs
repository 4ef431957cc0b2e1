//! Commands of the Gomocup protocol: positions and moves of five in a row, under
//! the rule of `INFO rule`.

use goren_protocol::{Placed, Point, Reply};

use super::command_error::CommandError;
use super::family_game::end_words;
use super::job::Task;
use super::out::Out;
use super::position::{self, Axes, BadList, ShownPosition};
use super::settings::RuleVariant;
use super::state::{Session, State};
use goren_core::rules::referee::Impossible;
use goren_core::rules::referee::Reason;
use goren_core::rules::{Outcome, Setup};
use goren_core::types::{Cell, Color, Move, Stone};
use goren_engine::Game;

impl Session {
    /// Refuses commands that continue a position whose successor was refused: the
    /// client shows another position.
    pub(super) fn not_refused(&self) -> Result<(), CommandError> {
        if self.refused { Err(CommandError::Refused) } else { Ok(()) }
    }

    pub(super) fn begin(&mut self) -> Result<(), CommandError> {
        self.not_refused()?;
        let (game, _) = self.game()?;
        if !game.stones().is_empty() {
            return Err(CommandError::NotEmpty);
        }
        let allowance = self.allow_here()?;
        self.think(Task::Move, allowance)
    }

    pub(super) fn turn(&mut self, at: Point, out: Out) -> Result<(), CommandError> {
        self.not_refused()?;
        let axes = self.axes();
        let (game, _) = self.game()?;
        let (setup, stones) = (game.setup(), game.stones().len() + 1);
        let cell = axes.cell(at, &setup).ok_or(CommandError::Outside(at))?;
        let allowance = self.secure(stones, setup.area())?;
        let (game, variant) = self.game()?;
        go_on(game, variant)?;
        game.play(cell)?;
        self.go_on_or_tell(out)?;
        self.think(Task::Move, allowance)
    }

    pub(super) fn board(&mut self, list: &[Placed], out: Out) -> Result<(), CommandError> {
        self.show_and_think(|axes, setup| position::from_board(list, axes, setup), Task::Move, out)
    }

    pub(super) fn take_back(&mut self, at: Point, out: Out) -> Result<(), CommandError> {
        self.not_refused()?;
        let axes = self.axes();
        let (game, _) = self.game()?;
        let newest = game.stones().last().copied();
        let Some((cell, stone)) = newest else { return Err(CommandError::NotNewest(at)) };
        if Some(cell) != axes.cell(at, &game.setup()) {
            return Err(CommandError::NotNewest(at));
        }
        if stone == Stone::Wall {
            return Err(CommandError::Buried(at));
        }
        game.take_back();
        out(Reply::Ok);
        Ok(())
    }

    /// PLAY: the engine never sends SUGGEST, so this is a dictated move.
    pub(super) fn play(&mut self, at: Point, out: Out) -> Result<(), CommandError> {
        self.not_refused()?;
        let axes = self.axes();
        let (game, variant) = self.game()?;
        let cell = axes.cell(at, &game.setup()).ok_or(CommandError::Outside(at))?;
        go_on(game, variant)?;
        game.play(cell)?;
        if !variant.continuous {
            tell_end(game.as_ref(), out);
        }
        out(Reply::Move(at));
        Ok(())
    }

    pub(super) fn swap2(&mut self, list: &[Point], out: Out) -> Result<(), CommandError> {
        let task = if list.is_empty() { Task::Open } else { Task::Choose };
        self.show_and_think(|axes, setup| position::from_swap2(list, axes, setup), task, out)
    }

    /// Reads a position, sets it and searches it.
    fn show_and_think(
        &mut self,
        read: impl FnOnce(Axes, &Setup) -> Result<ShownPosition, BadList>,
        task: Task,
        out: Out,
    ) -> Result<(), CommandError> {
        let setup = self.idle()?.setup();
        // Until there is another, nothing is said of the position of before. Where
        // memory is all that is missing, that position stays.
        let before = std::mem::replace(&mut self.refused, true);
        let position = read(self.axes(), &setup)?;
        let allowance =
            self.secure(position.0.len(), setup.area()).inspect_err(|_| self.refused = before)?;
        self.replace(position)?;
        self.go_on_or_tell(out)?;
        self.think(task, allowance)
    }

    /// Makes sure that there is a move to make after the stones of the client. If they
    /// ended the game, reports the winner; the position stays as the client has it.
    fn go_on_or_tell(&mut self, out: Out) -> Result<(), CommandError> {
        let (game, variant) = self.game()?;
        match go_on(game, variant) {
            Err(CommandError::Over) => {
                tell_end(game.as_ref(), out);
                Err(CommandError::Ended)
            }
            other => other,
        }
    }

    pub(super) fn idle(&mut self) -> Result<&mut Box<dyn Game>, CommandError> {
        match &mut self.state {
            State::Idle(game) => Ok(game),
            _ => Err(CommandError::NotStarted),
        }
    }

    /// The game under the current rule. A rule that came after the stones judges them
    /// again.
    pub(super) fn game(&mut self) -> Result<(&mut Box<dyn Game>, RuleVariant), CommandError> {
        let State::Idle(game) = &mut self.state else { return Err(CommandError::NotStarted) };
        let variant = self.settings.variant()?;
        if game.setup().rule != variant.rule {
            let setup = Setup { rule: variant.rule, ..game.setup() };
            let mut judged = self.weights.new_game(setup);
            judged.set_up(&game.stones(), game.to_move())?;
            *game = judged;
            self.engine.forget();
            if self.weights.settle() {
                self.hash.clear();
            }
        }
        Ok((game, variant))
    }

    /// Replaces the position, which may be over. An impossible one changes nothing.
    pub(super) fn replace(&mut self, (stones, to_move): ShownPosition) -> Result<(), CommandError> {
        let variant = self.settings.variant()?;
        let State::Idle(game) = &mut self.state else { return Err(CommandError::NotStarted) };
        let setup = Setup { rule: variant.rule, ..game.setup() };
        // The old game, with what it has learnt, goes on under the same rule.
        if game.setup() == setup && self.weights.in_use() {
            lay(&mut **game, &stones, to_move, variant)?;
        } else {
            let mut built = self.weights.new_game(setup);
            lay(&mut *built, &stones, to_move, variant)?;
            *game = built;
            self.engine.forget();
            self.settle_weights();
        }
        self.refused = false;
        Ok(())
    }

    /// The board of the game at hand, unless it is one named by `INFO variant`,
    /// which has no such `command`.
    pub(super) fn board_of_ours(&mut self, command: &'static str) -> Result<Setup, CommandError> {
        match &self.state {
            State::Family(_) => Err(CommandError::NotHere(command)),
            _ => Ok(self.idle()?.setup()),
        }
    }

    /// The points forbidden to Black, if it is to move.
    ///
    /// # Errors
    /// There is no position.
    pub(super) fn forbidden(&mut self) -> Result<Reply, CommandError> {
        self.not_refused()?;
        let axes = self.axes();
        let cells = if matches!(self.state, State::Family(_)) {
            self.forbidden_in_family()
        } else {
            match self.game()? {
                (game, _) if game.to_move() == Color::Black => game.forbidden(),
                _ => Vec::new(),
            }
        };
        Ok(Reply::Forbid(cells.into_iter().map(|cell| axes.point(cell)).collect()))
    }
}

/// Places the engine's stone: the best move or else any, as the client would wait
/// for ever without one.
pub(super) fn place(game: &mut dyn Game, best: Move) -> Option<Cell> {
    let setup = game.setup();
    let any = (0..setup.height).flat_map(|y| (0..setup.width).map(move |x| Cell::new(x, y)));
    std::iter::once(best.cell()).chain(any).find(|&cell| game.play(cell).is_ok())
}

/// Reports how a game ended, if it has.
fn tell_end(game: &dyn Game, out: Out) {
    let newest = game.stones().last().map(|stone| stone.1);
    let (winner, reason) = match game.outcome() {
        None => return,
        Some(Outcome::Draw) => (None, Reason::Full),
        Some(Outcome::Win(color)) if newest == Some(Stone::Of(color)) => {
            (Some(color), Reason::Line)
        }
        Some(Outcome::Win(color)) => (Some(color), Reason::Foul),
    };
    out(Reply::Message(end_words(winner, reason)));
}

/// Replaces the position. In a continuous game rows that have ended nothing
/// may stand.
fn lay(
    game: &mut dyn Game,
    stones: &[(Cell, Stone)],
    to_move: Color,
    variant: RuleVariant,
) -> Result<(), Impossible> {
    match game.set_up(stones, to_move) {
        Err(Impossible::Stone(error)) => Err(error.into()),
        Err(_) if variant.continuous => game.set_up(&position::without_rows(stones), to_move),
        other => other,
    }
}

/// Makes sure that a stone can be placed: in a continuous game the stones of a five
/// become walls, all other games are over.
fn go_on(game: &mut Box<dyn Game>, variant: RuleVariant) -> Result<(), CommandError> {
    match game.outcome() {
        None => Ok(()),
        Some(outcome @ Outcome::Win(_)) if variant.continuous => {
            let to_move = game.to_move();
            let stones = position::buried(&game.stones(), outcome).ok_or(CommandError::Over)?;
            lay(&mut **game, &stones, to_move, variant)?;
            if matches!(game.outcome(), Some(Outcome::Win(_))) {
                game.set_up(&position::without_rows(&stones), to_move)?;
            }
            game.outcome().map_or(Ok(()), |_| Err(CommandError::Over))
        }
        Some(_) => Err(CommandError::Over),
    }
}
