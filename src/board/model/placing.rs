//! A turn that is placed stone by stone: the selected choice of the pending decision, the
//! stones so far, and the legal points of the next stone.

use goren_core::opening::{self, Action, Choice, GameState, IllegalAction};
use goren_core::rules::referee::IllegalMove;
use goren_core::types::{Cell, Color};

/// An unfinished turn.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Placing {
    /// The index of the choice.
    pub(super) way: usize,
    /// The stones so far.
    pub(super) cells: Vec<Cell>,
}

/// The result of placing a stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The turn continues, or a number is to be declared.
    More,
    /// The turn is complete.
    Whole(Action),
}

/// Builds the ply of a choice with all its stones.
fn action(choice: &Choice, cells: &[Cell], count: Option<usize>) -> Action {
    match (choice, cells) {
        (Choice::Offer { .. }, _) => Action::Offer(cells.to_vec()),
        (Choice::Choose, &[fifth, sixth]) => Action::Choose { fifth, sixth },
        _ => Action::Stones { cells: cells.to_vec(), count },
    }
}

impl Placing {
    /// Returns the selected choice; `None` when the game is over.
    pub(super) fn choice(&self, game_state: &GameState) -> Option<Choice> {
        let choices = game_state.pending_decision()?.choices;
        choices.into_iter().nth(self.way)
    }

    /// Returns the turn with other stones, by a choice that needs more stones than these.
    pub(super) fn with(&self, game_state: &GameState, cells: Vec<Cell>) -> Placing {
        let choices = game_state.pending_decision().map_or(Vec::new(), |pending| pending.choices);
        let fits = |way: &usize| {
            choices.get(*way).is_some_and(|choice| choice.colors().len() > cells.len())
        };
        let way = [self.way].into_iter().chain(0..choices.len()).find(fits);
        Placing { way: way.unwrap_or(self.way), cells }
    }

    /// Returns the unfinished turn that the stones of a ply begin, if the selected choice needs
    /// more of them; `None` if the ply is complete.
    ///
    /// # Errors
    /// A stone cannot be placed by that choice.
    pub(super) fn begun_by(
        &self,
        game_state: &GameState,
        action: &Action,
    ) -> Result<Option<Placing>, IllegalAction> {
        let all = self.choice(game_state).map_or(0, |choice| choice.colors().len());
        match action {
            Action::Stones { cells, count: None } if cells.len() < all => {
                let mut placing = Placing { way: self.way, cells: Vec::new() };
                for &cell in cells {
                    placing.place(game_state, cell)?;
                }
                Ok(Some(placing))
            }
            _ => Ok(None),
        }
    }

    /// Returns the colours of the stones still to place.
    pub(super) fn left(&self, game_state: &GameState) -> Vec<Color> {
        let all = self.choice(game_state).map_or(Vec::new(), |choice| choice.colors());
        all.get(self.cells.len()..).unwrap_or_default().to_vec()
    }

    /// Returns the legal points of the next stone.
    pub(super) fn legal(&self, game_state: &GameState) -> Vec<Cell> {
        let Some(choice) = self.choice(game_state) else { return Vec::new() };
        let left = self.left(game_state).len();
        if left == 0 {
            return Vec::new();
        }
        match &choice {
            Choice::Stones { colors, .. } if colors.len() == 1 => game_state.placements(),
            Choice::Figure { .. } => {
                let fits = |cells: &[Cell; 3]| cells.starts_with(&self.cells);
                let next = |cells: [Cell; 3]| cells[self.cells.len()];
                let mut cells: Vec<Cell> =
                    game_state.figures().into_iter().filter(fits).map(next).collect();
                cells.sort_unstable();
                cells.dedup();
                cells
            }
            Choice::Choose if self.cells.is_empty() => game_state.offers().to_vec(),
            _ => {
                let free = |cell: &Cell| self.refusal(game_state, &choice, *cell).is_none();
                game_state.empty().into_iter().filter(free).collect()
            }
        }
    }

    /// Returns why the next stone of a choice may not be placed on a cell.
    fn refusal(
        &self,
        game_state: &GameState,
        choice: &Choice,
        cell: Cell,
    ) -> Option<IllegalAction> {
        let cells = [&self.cells[..], &[cell]].concat();
        let all = choice.colors();
        if let Choice::Offer { .. } = choice {
            let foul = game_state.referee().check(Color::Black, cell).err();
            let twins = || game_state.has_twins(&cells).then_some(IllegalAction::Symmetric);
            return foul.map(IllegalAction::from).or_else(twins);
        }
        if cells.len() == all.len() {
            let count = choice.declares().map(|(least, _)| least);
            return game_state.clone().apply(&action(choice, &cells, count)).err();
        }
        let mut referee = game_state.referee().copy();
        for (&cell, &color) in self.cells.iter().zip(&all) {
            if let Err(error) = referee.place(color, cell) {
                return Some(error.into());
            }
        }
        if let Err(error) = referee.check(all[self.cells.len()], cell) {
            return Some(error.into());
        }
        let pair_zone = all.len() != 2 || *choice == Choice::Choose;
        (!pair_zone && !game_state.in_pair_zone(cell)).then_some(IllegalAction::OutsideZone)
    }

    /// Resolves a given cell: in games with gravity to the lowest empty cell of its column.
    fn resolve_cell(&self, game_state: &GameState, legal: &[Cell], cell: Cell) -> Cell {
        if !game_state.contest().variant.falls() || legal.contains(&cell) {
            return cell;
        }
        let mut column = legal.iter().filter(|other| other.x() == cell.x());
        match (column.next(), column.next()) {
            (Some(&only), None) => only,
            _ => cell,
        }
    }

    /// Places a stone, or takes back the stone on this cell with those placed after it.
    ///
    /// # Errors
    /// The stone cannot be placed; nothing changes.
    pub(super) fn place(
        &mut self,
        game_state: &GameState,
        cell: Cell,
    ) -> Result<Step, IllegalAction> {
        if let Some(at) = self.cells.iter().position(|&placed| placed == cell) {
            self.cells.truncate(at);
            return Ok(Step::More);
        }
        let choice = self.choice(game_state).ok_or(IllegalMove::GameOver)?;
        let all = choice.colors().len();
        if self.cells.len() == all {
            return Err(IllegalAction::NoCount);
        }
        let legal = self.legal(game_state);
        let cell = self.resolve_cell(game_state, &legal, cell);
        if !legal.contains(&cell) {
            return Err(self.reason(game_state, &choice, cell));
        }
        self.cells.push(cell);
        if self.cells.len() < all || choice.declares().is_some() {
            return Ok(Step::More);
        }
        Ok(Step::Whole(in_notation_order(game_state, action(&choice, &self.cells, None))))
    }

    /// Returns why a cell is not legal.
    fn reason(&self, game_state: &GameState, choice: &Choice, cell: Cell) -> IllegalAction {
        let contest = game_state.contest();
        if cell.x() >= contest.width || cell.y() >= contest.height {
            return IllegalMove::Outside.into();
        }
        if game_state.stone(cell).is_some() {
            return IllegalMove::Occupied.into();
        }
        match choice {
            Choice::Figure { .. } => IllegalAction::NoFigure,
            Choice::Choose if self.cells.is_empty() => IllegalAction::NotOffered,
            _ => self.refusal(game_state, choice, cell).unwrap_or(IllegalAction::OutsideZone),
        }
    }

    /// Returns the ply with the declared number.
    ///
    /// # Errors
    /// No number is due, or not this one.
    pub(super) fn declare(
        &self,
        game_state: &GameState,
        count: usize,
    ) -> Result<Action, IllegalAction> {
        let choice = self.choice(game_state).ok_or(IllegalMove::GameOver)?;
        let (least, most) = choice.declares().ok_or(IllegalAction::NeedlessCount)?;
        if self.cells.len() < choice.colors().len() {
            return Err(IllegalAction::TooFew);
        }
        if !(least..=most).contains(&count) {
            return Err(IllegalAction::BadCount { least, most });
        }
        Ok(in_notation_order(game_state, action(&choice, &self.cells, Some(count))))
    }
}

/// Puts the interchangeable stones of a ply in the order of the notation, so that equal turns
/// are equal plies.
fn in_notation_order(game_state: &GameState, action: Action) -> Action {
    opening::read(game_state, &opening::write(game_state, &action)).unwrap_or(action)
}
