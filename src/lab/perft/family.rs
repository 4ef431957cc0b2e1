//! The fast positions of all games, for those who play them stone by stone.

use crate::board::{CellInfo, Field};
use crate::eval::TupleFamily;
use crate::game::{Five, GameVisitor, Position, Replay, Tupled, with_game};
use crate::rules::{Contest, Rule, RuleId, Setup, Visitor, with_rule};
use crate::types::{Cell, CellSet, Color, Move, Stone};

/// What is asked of a fast position besides what the search asks.
pub(super) trait Family: Replay {
    /// All that is kept of the board besides keys and scores.
    type Inside: PartialEq;

    /// Places a stone of the side to move, and judges it.
    fn play(&mut self, cell: Cell) {
        self.make(Move::at(cell));
    }
    /// The colour of the stone on a cell.
    fn color(&self, cell: Cell) -> Option<Color>;
    /// Stones captured by Black and White.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }
    /// Points where Black would commit a foul (renju).
    fn forbidden(&self) -> Vec<Cell> {
        Vec::new()
    }
    /// Empty cells near stones.
    fn near(&self) -> CellSet;
    /// What else unmake has to bring back.
    fn inside(&self) -> Self::Inside;
}

impl<R: Rule> Family for Five<R> {
    type Inside = Vec<CellInfo>;

    fn play(&mut self, cell: Cell) {
        self.put(cell, self.to_move());
    }

    fn color(&self, cell: Cell) -> Option<Color> {
        let found = self.board().stones().find(|&(at, _)| at == cell)?;
        match found.1 {
            Stone::Of(color) => Some(color),
            Stone::Wall => None,
        }
    }

    fn forbidden(&self) -> Vec<Cell> {
        Five::forbidden(self)
    }

    fn near(&self) -> CellSet {
        self.board().near()
    }

    fn inside(&self) -> Vec<CellInfo> {
        let Setup { width, height, .. } = self.board().setup();
        CellSet::board(width, height).iter().map(|cell| *self.board().cell(cell)).collect()
    }
}

impl<P: Tupled> Family for P {
    type Inside = Field;

    fn color(&self, cell: Cell) -> Option<Color> {
        self.field().color(cell)
    }

    fn captured(&self) -> [usize; 2] {
        Tupled::captured(self)
    }

    fn near(&self) -> CellSet {
        self.field().near()
    }

    fn inside(&self) -> Field {
        self.field().clone()
    }
}

/// Something to be done with the fast position of a game known only at run
/// time.
pub(super) trait Task {
    /// What it gives.
    type Out;
    /// Does it, from the empty board.
    fn run<P: Family>(self, empty: P) -> Self::Out;
}

/// Hands the empty board of a game to a task.
pub(super) fn with_family<T: Task>(contest: &Contest, task: T) -> T::Out {
    struct New<'a, T>(&'a Contest, T);
    impl<T: Task> Visitor for New<'_, T> {
        type Out = T::Out;
        fn visit<R: Rule>(self) -> T::Out {
            let (width, height) = (self.0.width, self.0.height);
            self.1.run(Five::<R>::new(Setup { rule: R::ID, width, height }))
        }
    }
    impl<T: Task> GameVisitor for New<'_, T> {
        type Out = T::Out;
        fn five(self, rule: RuleId) -> T::Out {
            with_rule(rule, self)
        }
        fn tupled<P: Tupled + 'static>(self, empty: P) -> T::Out {
            self.1.run(empty)
        }
    }
    let weights = TupleFamily::of(contest.variant).and_then(TupleFamily::embedded);
    with_game(contest, weights, New(contest, task))
}
