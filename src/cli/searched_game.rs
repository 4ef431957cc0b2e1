//! Game of any variant that is searched stone by stone, for self-play and openings.

use anyhow::Result;

use crate::dead_draw::nobody_can_win;
use crate::forms::Typed;
use goren_core::opening::{Action, GameState};
use goren_core::record::Ending;
use goren_core::rules::referee::Reason;
use goren_core::rules::{Contest, Variant};
use goren_core::types::{Cell, Color};
use goren_engine::{
    AnyPosition, Engine, Info, Request, RootPosition, TableHandle, WeightSet, new_position,
};

/// Maximum distance of a random stone from another stone.
const MAX_STEPS: usize = 2;

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct SearchedGameEnd {
    /// The winner, or a draw.
    pub ending: Ending,
    /// The reason in words.
    pub reason: &'static str,
    /// Whether it ended by the rules, not by a proof or an early draw.
    pub played_out: bool,
}

/// Game in progress: its state by the rules and the position of the search.
pub(crate) struct SearchedGame {
    contest: Contest,
    typed: Typed,
    position: Box<dyn AnyPosition>,
}

/// An engine with a table of `bytes` bytes, allocated at once.
///
/// # Errors
/// No memory for the table.
pub(crate) fn new_engine(bytes: usize) -> Result<Engine> {
    let engine = Engine::with_hash(TableHandle::exactly(bytes));
    engine.hash().for_search(&Request::default())?;
    Ok(engine)
}

impl SearchedGame {
    /// An empty board, evaluated by the weights of the set.
    pub(crate) fn new(contest: &Contest, weights: &WeightSet) -> SearchedGame {
        let position = new_position(contest, weights);
        SearchedGame { contest: *contest, typed: Typed::new(contest), position }
    }

    /// Begins a game from an opening; clears what the engine and the position
    /// have learnt.
    ///
    /// # Errors
    /// The opening is illegal.
    pub(crate) fn begin(&mut self, opening: &[Action], engine: &mut Engine) -> Result<()> {
        self.typed = Typed::new(&self.contest);
        for action in opening {
            self.typed.game_state.apply(action)?;
        }
        self.forget(engine);
        Ok(())
    }

    /// Clears what the engine and the position have learnt.
    pub(crate) fn forget(&mut self, engine: &mut Engine) {
        engine.hash().clear();
        engine.forget();
        self.position.forget();
    }

    /// The game up to the last whole turn.
    pub(crate) fn game_state(&self) -> &GameState {
        &self.typed.game_state
    }

    /// The side to move.
    pub(crate) fn to_move(&self) -> Color {
        self.typed.game_state.to_move()
    }

    /// Number of stones of the current turn; `None` if it is no turn of stones.
    pub(crate) fn turn(&self) -> Option<usize> {
        self.typed.turn()
    }

    /// Places a stone of the side to move.
    ///
    /// # Errors
    /// It is illegal; nothing changes.
    pub(crate) fn stone(&mut self, cell: Cell) -> Result<()> {
        self.typed.stone(cell)
    }

    /// Plays a whole turn if it is legal and does not end the game. Returns
    /// whether it was played.
    pub(crate) fn play_on(&mut self, action: &Action) -> bool {
        let mut next = self.typed.game_state.clone();
        let legal = next.apply(action).is_ok() && next.result().is_none();
        if legal {
            self.typed.game_state = next;
        }
        legal
    }

    /// Takes the last whole turn back.
    pub(crate) fn take_back(&mut self) {
        self.typed.game_state.take_back(1);
    }

    /// The position for a search of the next stone.
    pub(crate) fn position(&mut self) -> &dyn AnyPosition {
        let Typed { game_state, placed } = &self.typed;
        let root = RootPosition::of(game_state, placed, self.to_move(), self.typed.left());
        self.position.set(&root);
        &*self.position
    }

    /// Searches for the next stone with `nodes` nodes on one thread, among
    /// `root_moves` unless they are empty. Returns the best cell and the search info.
    ///
    /// # Errors
    /// No memory or no thread.
    pub(crate) fn search(
        &mut self,
        engine: &mut Engine,
        nodes: u64,
        root_moves: Vec<Cell>,
    ) -> Result<(Cell, Info)> {
        let request = Request { root_moves, ..Request::nodes(nodes) };
        let answer = engine.go(self.position(), &request, &mut |_| {})?;
        Ok((answer.best.cell(), answer.info))
    }

    /// Candidate cells for one stone of the turn. In turns of several stones some pairs of
    /// them may be illegal.
    pub(crate) fn free(&self) -> Vec<Cell> {
        match self.turn() {
            Some(1) => self.typed.game_state.placements(),
            _ => self.typed.game_state.empty(),
        }
    }

    /// Candidate cells near the stones, without `except`.
    pub(crate) fn neighbours(&self, except: Cell) -> Vec<Cell> {
        let stones = self.typed.game_state.stones();
        let near = |cell: &Cell| stones.iter().any(|&(at, _)| cell.steps_to(at) <= MAX_STEPS);
        let other = |cell: &Cell| *cell != except && !self.typed.placed.contains(cell);
        self.free().into_iter().filter(other).filter(near).collect()
    }

    /// Returns how the game ended, if it has: by its rules, or drawn because nobody
    /// can win any more or only a pass is left.
    pub(crate) fn ended(&self) -> Option<SearchedGameEnd> {
        let game_state = &self.typed.game_state;
        if let Some(result) = game_state.result() {
            let ending = match result.seats[..] {
                [seat] => Ending::Win(seat),
                _ => Ending::Draw,
            };
            return Some(SearchedGameEnd {
                ending,
                reason: result.reason.name(),
                played_out: true,
            });
        }
        let five = matches!(self.contest.variant, Variant::Five(_));
        let reason = if five && nobody_can_win(game_state) {
            "nobody can win"
        } else if self.turn() == Some(1) && game_state.placements().is_empty() {
            Reason::NoMoves.name()
        } else {
            return None;
        };
        Some(SearchedGameEnd { ending: Ending::Draw, reason, played_out: false })
    }
}
