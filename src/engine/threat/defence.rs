//! Defence sets: the moves that could stop a threatened win of the opponent.
//!
//! A threat wins if the side to move passes. The defence set contains every move that
//! could interfere with the threat, and perhaps some that do not help.

use super::verdict::{FourThree, four_three};
use crate::board::Board;
use crate::pattern::{Class, LineClass};
use goren_core::rules::{Ends, Rule};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS, Direction};

/// Returns the defences of `me`, the side to move, against an open four or a winning
/// four-three that the opponent threatens. Moves that make a four also defend, but need not
/// be in the set. `None` if no such threat is proven.
///
/// The opponent must not threaten a five, and `me` must not be able to make an open
/// four.
pub fn defences<R: Rule>(board: &Board<R>, me: Color) -> Option<CellSet> {
    let opponent = !me;
    let mut set: Option<CellSet> = None;
    let mut add = |stops: CellSet| {
        set = Some(set.map_or(stops, |s| s.intersection(&stops)));
    };
    if board.count(opponent, Class::OpenFour) > 0 {
        for threat in board.cells_of(opponent, Class::OpenFour).iter() {
            add(board.spoilers(opponent, threat, |class| class < Class::OpenFour));
        }
    } else if board.count(opponent, Class::FourThree) > 0 {
        for threat in board.cells_of(opponent, Class::FourThree).iter() {
            if let Some(stops) = four_three(board, opponent, threat)
                .and_then(|threat| four_three_stops(board, me, &threat))
            {
                add(stops);
            }
        }
    }
    set
}

/// Returns the moves that could stop a four-three of the opponent; `None` if it is not
/// proven that the four-three wins when `me` passes.
fn four_three_stops<R: Rule>(board: &Board<R>, me: Color, threat: &FourThree) -> Option<CellSet> {
    if !threat.wins(board, !me) {
        return None;
    }
    // The set below lacks three kinds of defence; if one of them is possible, there is no
    // set. First: a stone, perhaps far away, that makes an answer to the four legal which is
    // a foul now.
    let safe = |&block: &Cell| board.class(me, block) != Class::FoulSuspect;
    if R::has_fouls(me) && !threat.blocks.iter().all(safe) {
        return None;
    }
    // Second: a stone that turns a suspected foul on the line of the three into a real
    // one.
    if R::has_fouls(!me) && board.suspects_around(!me, threat.at, threat.three) {
        return None;
    }
    // Third, with two open threes that the four excuses: a stone that stops the three in
    // `threat`. The other three keeps the class, but may be false.
    let three = |&dir: &Direction| board.cell(threat.at).line(dir, !me).is_open_three();
    if R::has_fouls(!me) && DIRECTIONS.iter().filter(|dir| three(dir)).count() > 1 {
        return None;
    }
    let mut stops = board.spoilers(!me, threat.at, |class| class < Class::FourThree);
    if R::ENDS != Ends::Any {
        // In Caro, blocking one end of the five lets a stone at the other end stop it.
        stops = stops.union(&board.window(threat.at, threat.four));
    }
    // Stones after which an answer to the four also makes a four.
    for &block in &threat.blocks {
        let answer = board.cell(block);
        for dir in DIRECTIONS {
            let line = answer.line(dir, me);
            if line == LineClass::ClosedThree || line.is_open_three() {
                stops = stops.union(&board.window(block, dir));
            }
        }
    }
    Some(stops)
}
