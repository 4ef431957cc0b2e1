//! The commands of a game of the Gomocup protocol: positions and moves of five
//! in a row, under the rule that `INFO rule` names.

use goren_protocol::{Placed, Point, Reply};

use super::position::{self, Position};
use super::settings::Variant;
use super::thinker::Task;
use super::trouble::Trouble;
use super::{Out, Session, State};
use crate::rules::{Outcome, Setup};
use crate::search::{Game, IllegalMove};
use crate::types::{Cell, Color, Move, Stone};

impl Session {
    /// Refuses what would go on from the position before one that was refused:
    /// the client shows another.
    pub(super) fn not_refused(&self) -> Result<(), Trouble> {
        if self.refused { Err(Trouble::Refused) } else { Ok(()) }
    }

    pub(super) fn begin(&mut self) -> Result<(), Trouble> {
        self.not_refused()?;
        let (game, _) = self.game()?;
        if !game.stones().is_empty() {
            return Err(Trouble::NotEmpty);
        }
        self.think(Task::Move)
    }

    pub(super) fn turn(&mut self, at: Point) -> Result<(), Trouble> {
        self.not_refused()?;
        let axes = self.axes;
        let (game, _) = self.game()?;
        let (setup, stones) = (game.setup(), game.stones().len() + 1);
        let cell = axes.cell(at, &setup).ok_or(Trouble::Outside(at))?;
        self.secure_table(stones, setup.area())?;
        let (game, variant) = self.game()?;
        go_on(game, variant)?;
        game.play(cell)?;
        if let Err(trouble) = go_on(game, variant) {
            game.take_back();
            return Err(trouble);
        }
        self.think(Task::Move)
    }

    pub(super) fn board(&mut self, list: &[Placed]) -> Result<(), Trouble> {
        let setup = self.idle()?.setup();
        let position = position::from_board(list, self.axes, &setup)?;
        self.secure_table(position.0.len(), setup.area())?;
        self.replace(position, true)?;
        self.think(Task::Move)
    }

    pub(super) fn take_back(&mut self, at: Point, out: Out) -> Result<(), Trouble> {
        self.not_refused()?;
        let axes = self.axes;
        let (game, _) = self.game()?;
        let newest = game.stones().last().copied();
        let Some((cell, stone)) = newest else { return Err(Trouble::NotNewest(at)) };
        if Some(cell) != axes.cell(at, &game.setup()) {
            return Err(Trouble::NotNewest(at));
        }
        if stone == Stone::Wall {
            return Err(Trouble::Buried(at));
        }
        game.take_back();
        out(Reply::Ok);
        Ok(())
    }

    /// The engine never suggests, so that this is a move dictated to it.
    pub(super) fn play(&mut self, at: Point, out: Out) -> Result<(), Trouble> {
        self.not_refused()?;
        let axes = self.axes;
        let (game, variant) = self.game()?;
        let cell = axes.cell(at, &game.setup()).ok_or(Trouble::Outside(at))?;
        go_on(game, variant)?;
        game.play(cell)?;
        out(Reply::Move(at));
        Ok(())
    }

    pub(super) fn swap2(&mut self, list: &[Point]) -> Result<(), Trouble> {
        let setup = self.idle()?.setup();
        let position = position::from_swap2(list, self.axes, &setup)?;
        self.secure_table(position.0.len(), setup.area())?;
        self.replace(position, true)?;
        self.think(if list.is_empty() { Task::Open } else { Task::Choose })
    }

    pub(super) fn idle(&mut self) -> Result<&mut Box<dyn Game>, Trouble> {
        match &mut self.state {
            State::Idle(game) => Ok(game),
            _ => Err(Trouble::NotStarted),
        }
    }

    /// The game under the rule that now holds. A rule that came after the
    /// stones judges them anew.
    pub(super) fn game(&mut self) -> Result<(&mut Box<dyn Game>, Variant), Trouble> {
        let State::Idle(game) = &mut self.state else { return Err(Trouble::NotStarted) };
        let variant = self.settings.variant()?;
        if game.setup().rule != variant.rule {
            let setup = Setup { rule: variant.rule, ..game.setup() };
            let mut judged = self.weights.new_game(setup);
            judged.set_up(&game.stones(), game.to_move())?;
            *game = judged;
            if self.weights.settle() {
                self.memory.clear();
            }
        }
        Ok((game, variant))
    }

    /// Replaces the position. One that is over is refused if it is `to_play`;
    /// the position before then stays.
    pub(super) fn replace(
        &mut self,
        (stones, to_move): Position,
        to_play: bool,
    ) -> Result<(), Trouble> {
        let variant = self.settings.variant()?;
        let State::Idle(game) = &mut self.state else { return Err(Trouble::NotStarted) };
        let setup = Setup { rule: variant.rule, ..game.setup() };
        // The old game, with what it has learnt, goes on under the same rule.
        if game.setup() == setup && self.weights.in_use() {
            let before = (game.stones(), game.to_move());
            lay(&mut **game, &stones, to_move, variant)?;
            if to_play && let Err(trouble) = go_on(game, variant) {
                game.set_up(&before.0, before.1)?;
                return Err(trouble);
            }
        } else {
            let mut built = self.weights.new_game(setup);
            lay(&mut *built, &stones, to_move, variant)?;
            if to_play {
                go_on(&mut built, variant)?;
            }
            *game = built;
            self.settle_weights();
        }
        self.refused = false;
        Ok(())
    }
}

/// Places the engine's stone: the best move, or failing that any, since no
/// answer at all would hang the other side.
pub(super) fn place(game: &mut dyn Game, best: Move) -> Option<Cell> {
    let setup = game.setup();
    let any = (0..setup.height).flat_map(|y| (0..setup.width).map(move |x| Cell::new(x, y)));
    std::iter::once(best.cell()).chain(any).find(|&cell| game.play(cell).is_ok())
}

/// Replaces the position. What is over before all stones stand is refused, but
/// not in a continuous game.
fn lay(
    game: &mut dyn Game,
    stones: &[(Cell, Stone)],
    to_move: Color,
    variant: Variant,
) -> Result<(), IllegalMove> {
    match game.set_up(stones, to_move) {
        Err(IllegalMove::GameOver) if variant.continuous => {
            game.set_up(&position::without_rows(stones), to_move)
        }
        other => other,
    }
}

/// Makes sure that a stone can be placed: a continuous game buries what ended
/// it, all others are over.
fn go_on(game: &mut Box<dyn Game>, variant: Variant) -> Result<(), Trouble> {
    match game.outcome() {
        None => Ok(()),
        Some(outcome @ Outcome::Win(_)) if variant.continuous => {
            let to_move = game.to_move();
            let stones = position::buried(&game.stones(), outcome).ok_or(Trouble::Over)?;
            lay(&mut **game, &stones, to_move, variant)?;
            if matches!(game.outcome(), Some(Outcome::Win(_))) {
                game.set_up(&position::without_rows(&stones), to_move)?;
            }
            game.outcome().map_or(Ok(()), |_| Err(Trouble::Over))
        }
        Some(_) => Err(Trouble::Over),
    }
}
