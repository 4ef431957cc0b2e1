//! The swap2 opening of the Gomocup protocol: the engine opens, or chooses after three or
//! five stones, and plays on with the resulting colour.

use goren_protocol::{Command, Ply, Point, Reply};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::fault::{EngineFault, FaultKind};
use super::game::StressGame;
use super::moves;
use crate::engine::point;
use goren_core::opening::Seat;
use goren_session::wire::{Axes, action_of};

/// Result of a choice.
enum Choice {
    /// The engine has this seat.
    Engine(Seat),
    /// The other side chooses.
    Other,
}

impl StressGame<'_> {
    /// Lets the engine open or choose, with `stones` stones on the board.
    pub(super) fn swap2(&mut self, stones: usize) -> Result<(), EngineFault> {
        moves::play_plies(&mut self.game_state, stones, self.rng, 1.0);
        let choice = self.choose(stones)?;
        self.seat = match choice {
            Choice::Engine(seat) => seat,
            // The side that opened may be asked again after two more stones.
            Choice::Other if stones == 0 && self.rng.random_bool(0.5) => {
                moves::play_plies(&mut self.game_state, 5, self.rng, 1.0);
                match self.choose(5)? {
                    Choice::Engine(seat) => seat,
                    Choice::Other => return Err(wrong_line("two stones in reply to five")),
                }
            }
            Choice::Other => *Seat::ALL.choose(self.rng).unwrap_or(&Seat::First),
        };
        Ok(())
    }

    /// Sends SWAP2BOARD and plays the answer.
    fn choose(&mut self, stones: usize) -> Result<Choice, EngineFault> {
        let list = moves::stones(&self.game_state).into_iter().map(point).collect();
        let reply = self.request(&Command::Swap2Board(list).to_wire())?;
        let (points, choice): (&[Point], Choice) = match (stones, &reply) {
            (0, Reply::ThreeMoves(points)) => (points, Choice::Other),
            (3 | 5, Reply::Swap) => (&[], Choice::Engine(Seat::First)),
            (3 | 5, Reply::Move(at)) => (std::slice::from_ref(at), Choice::Engine(Seat::Second)),
            (3, Reply::TwoMoves(points)) => (points, Choice::Other),
            _ => return Err(wrong_line(&format!("'{reply}' to SWAP2BOARD with {stones} stones"))),
        };
        for &at in points {
            let illegal =
                |why: String| EngineFault::new(FaultKind::Illegal, format!("'{reply}': {why}"));
            let action = action_of(&self.game_state, &Ply::one(at), Axes::ColumnFirst)
                .map_err(|at| illegal(format!("{at} is outside the board")))?;
            self.game_state.apply(&action).map_err(|why| illegal(why.to_string()))?;
        }
        // Forces the next question to send the position by BOARD.
        self.known_plies = None;
        self.tally.openings += 1;
        Ok(choice)
    }
}

fn wrong_line(what: &str) -> EngineFault {
    EngineFault::new(FaultKind::Line, what)
}
