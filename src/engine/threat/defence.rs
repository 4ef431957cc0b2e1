//! Defence sets: the moves that could meet a threatened win of the opponent.
//!
//! A threat is a win if nothing is done about it; the set contains every move
//! that could interfere with it.

use super::verdict::{FourThree, four_three};
use crate::board::Board;
use crate::pattern::{Class, LineClass};
use goren_core::rules::{Ends, Rule};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS};

/// The defences of `me` against a threatened open four or winning four-three, own
/// fours excepted. `None` if no such threat is proven.
///
/// The opponent must not threaten a five, and `me` must have no open four.
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

/// The moves that stop a four-three of the opponent, if that wins otherwise.
fn four_three_stops<R: Rule>(board: &Board<R>, me: Color, threat: &FourThree) -> Option<CellSet> {
    if !threat.wins(board, !me) {
        return None;
    }
    if R::FOULS[0].any() {
        // The answer to the four must not be a foul now, or making it legal
        // would defend; and White could defend by turning points that look
        // like fouls into fouls.
        let safe = |&block: &Cell| board.class(me, block) != Class::Foul;
        let answer_is_safe = me == Color::White || threat.blocks.iter().all(safe);
        let threat_is_safe = me == Color::Black || !board.suspects_around(threat.at, threat.three);
        if !answer_is_safe || !threat_is_safe {
            return None;
        }
    }
    let mut stops = board.spoilers(!me, threat.at, |class| class < Class::FourThree);
    if R::ENDS != Ends::Any {
        // If one end of the five is blocked, a stone at the other end answers it.
        stops = stops.union(&board.window(threat.at, threat.four));
    }
    // A stone that turns an answer into an own four.
    for &block in &threat.blocks {
        let answer = board.cell(block);
        for dir in DIRECTIONS {
            if matches!(
                answer.line(dir, me),
                LineClass::ClosedThree | LineClass::OpenThree | LineClass::StrongOpenThree
            ) {
                stops = stops.union(&board.window(block, dir));
            }
        }
    }
    Some(stops)
}
