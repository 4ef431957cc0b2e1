//! VCF solver (victory by continuous fours): the attacker plays fours only, and
//! every answer is tried. It works on the board alone, without evaluation.
//!
//! The relevance zone ([`Vcf::zone`]) of a threatened VCF is the set of cells
//! where a defender's stone could spoil it: the cells of that win, of its
//! answers, of the fours those could grow into, and the defender's own fours.
//! Where stones beside a five matter (Caro), it includes the lines of the
//! fours. There is no zone where the win depends on a foul.

use super::{FOURS, Meter};
use crate::board::Board;
use crate::pattern::{Class, LineClass};
use goren_core::rules::{Ends, Rule};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS};

/// Result of a VCF search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// First stone and length in plies against the longest defence.
    Win(Cell, usize),
    /// No VCF.
    Nothing,
    /// Nodes or time ran out.
    OutOfNodes,
}

/// Slots of the failure table: positions without a VCF.
const FAILS: usize = 1 << 14;

/// The solver with its failure table. One serves any number of positions of one
/// variant.
#[derive(Clone)]
pub struct Vcf {
    /// Failure table: keys of positions without a VCF, mixed with the attacker.
    fails: Vec<u64>,
    /// Relevance zone of the last VCF.
    zone: CellSet,
    /// Whether the VCF depends on fouls, so that it has no relevance zone.
    by_fouls: bool,
}

impl Default for Vcf {
    fn default() -> Vcf {
        Vcf { fails: vec![0; FAILS], zone: CellSet::EMPTY, by_fouls: false }
    }
}

impl Vcf {
    /// Searches for a VCF of `attacker`, who is to move; a node is a stone of the
    /// attacker. The board is restored.
    pub fn solve<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        meter: &mut Meter<'_>,
    ) -> Found {
        self.zone = CellSet::EMPTY;
        self.by_fouls = false;
        self.attack(board, attacker, meter)
    }

    /// Searches for a VCF that `attacker` threatens: its length in plies and its
    /// relevance zone. A stone of the defender elsewhere does not stop it, unless it
    /// makes a four.
    pub fn zone<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        meter: &mut Meter<'_>,
    ) -> Option<(usize, CellSet)> {
        match self.solve(board, attacker, meter) {
            Found::Win(_, plies) if !self.by_fouls => Some((plies, self.zone)),
            _ => None,
        }
    }

    fn attack<R: Rule>(&mut self, board: &mut Board<R>, me: Color, meter: &mut Meter<'_>) -> Found {
        if let Some(cell) = board.cells_of(me, Class::Five).first() {
            self.keep_four(board, cell, me);
            return Found::Win(cell, 1);
        }
        let forced = match forced_cells(board, me) {
            Some(cells) if cells.is_empty() => return Found::Nothing,
            forced => forced,
        };
        let allowed = |cell| forced.is_none_or(|f| f.contains(cell));
        if forced.is_none()
            && let Some(cell) = board.cells_of(me, Class::OpenFour).first()
        {
            let spoilers = board.spoilers(me, cell, |class| class < Class::OpenFour);
            self.zone = self.zone.union(&spoilers);
            return Found::Win(cell, 3);
        }
        let key = board.key() ^ (me.index() as u64 + 1);
        let slot = (key >> 40) as usize % FAILS;
        if self.fails[slot] == key {
            return Found::Nothing;
        }
        let mut complete = true;
        for class in [Class::OpenFour, FOURS[0], FOURS[1], FOURS[2], Class::Foul] {
            if board.count(me, class) == 0 || class == Class::Foul && me == Color::White {
                continue;
            }
            let cells = *board.cells_of(me, class);
            for cell in cells.iter().filter(|&c| allowed(c)) {
                if class == Class::Foul && board.is_forbidden(cell) {
                    continue;
                }
                if !meter.spend() {
                    return Found::OutOfNodes;
                }
                board.make(cell, me);
                let found = self.defend(board, me, meter);
                board.unmake();
                match found {
                    Found::Win(_, plies) => {
                        self.keep_four(board, cell, me);
                        self.by_fouls |= class == Class::Foul;
                        return Found::Win(cell, plies + 1);
                    }
                    Found::OutOfNodes => complete = false,
                    Found::Nothing => {}
                }
            }
        }
        if !complete {
            return Found::OutOfNodes;
        }
        self.fails[slot] = key;
        Found::Nothing
    }

    /// The attacker has placed a stone; the plies of a win count from here.
    fn defend<R: Rule>(&mut self, board: &mut Board<R>, me: Color, meter: &mut Meter<'_>) -> Found {
        if R::ENDS != Ends::Any && board.count(!me, Class::Five) > 0 {
            // In Caro, a stone beside the opponent's five may not have stopped it.
            return Found::Nothing;
        }
        let fives = board.count(me, Class::Five);
        let Some(five) = board.cells_of(me, Class::Five).first() else {
            return Found::Nothing;
        };
        if fives > 1 && R::ENDS == Ends::Any {
            self.zone = self.zone.union(board.cells_of(me, Class::Five));
            return Found::Win(five, 2);
        }
        let mut longest = 2;
        for answer in board.five_answers(me, five).iter() {
            if me == Color::White && board.is_forbidden(answer) {
                self.by_fouls = true;
                continue;
            }
            board.make(answer, !me);
            let found = self.attack(board, me, meter);
            board.unmake();
            match found {
                Found::Win(_, plies) => {
                    longest = longest.max(plies + 1);
                    self.keep_answer(board, answer, !me);
                }
                other => return other,
            }
        }
        Found::Win(five, longest)
    }

    /// Adds a stone of the attacker that makes a four or five to the zone; in Caro
    /// also the line.
    fn keep_four<R: Rule>(&mut self, board: &Board<R>, cell: Cell, me: Color) {
        self.zone.insert(cell);
        if R::ENDS == Ends::Any {
            return;
        }
        for dir in DIRECTIONS {
            if board.cell(cell).line(dir, me) >= LineClass::Four {
                self.zone = self.zone.union(&board.window(cell, dir));
            }
        }
    }

    /// Adds an answer to a four to the zone, with the cells where a stone would turn
    /// it into a four or five.
    fn keep_answer<R: Rule>(&mut self, board: &Board<R>, answer: Cell, defender: Color) {
        self.zone.insert(answer);
        for dir in DIRECTIONS {
            if board.cell(answer).line(dir, defender) >= LineClass::ClosedThree {
                self.zone = self.zone.union(&board.window(answer, dir));
            }
        }
    }
}

/// Where `me` must play because the opponent threatens a five; `None` if it does
/// not. Empty if no stone stops all threatened fives.
pub fn forced_cells<R: Rule>(board: &Board<R>, me: Color) -> Option<CellSet> {
    board
        .cells_of(!me, Class::Five)
        .iter()
        .map(|five| board.five_answers(!me, five))
        .reduce(|a, b| a.intersection(&b))
}
