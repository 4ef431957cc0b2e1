//! VCF solver (victory by continuous fours): a depth-first search in which the attacker
//! plays only fours and the defender tries every answer. It uses the board alone, without
//! evaluation.
//!
//! The relevance zone ([`Vcf::zone`]) of a threatened VCF is the set of cells where a
//! defender's stone could refute it: the cells of the attacker's stones and of the
//! answers, the cells that stop its open four, and the cells where one more defender's
//! stone would make a four or five with an answer. In Caro, where the ends of a five
//! matter, the zone includes the lines of the fours. A VCF that depends on a foul has no
//! relevance zone.

use super::{FOURS, Meter};
use crate::board::Board;
use crate::pattern::{Class, LineClass};
use goren_core::rules::{Ends, Rule};
use goren_core::types::{Cell, CellSet, Color, DIRECTIONS};

/// Result of a VCF search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// First stone, and length in plies against the longest defence.
    Win(Cell, usize),
    /// No VCF.
    Nothing,
    /// Nodes or time ran out.
    OutOfNodes,
}

/// Number of slots of the failure table.
const FAILS: usize = 1 << 14;

/// The solver with its failure table, which stays valid for all positions of one rule
/// and board size.
#[derive(Clone)]
pub struct Vcf {
    /// Failure table: keys of positions without a VCF, mixed with the attacker. One key
    /// per slot, always replaced.
    fails: Vec<u64>,
    /// Relevance zone of the last VCF, collected during the search; may contain cells of
    /// failed branches.
    zone: CellSet,
    /// Whether fouls mattered in the search; then there is no relevance zone.
    depends_on_fouls: bool,
}

impl Default for Vcf {
    fn default() -> Vcf {
        Vcf { fails: vec![0; FAILS], zone: CellSet::EMPTY, depends_on_fouls: false }
    }
}

impl Vcf {
    /// Searches for a VCF of `attacker`, which is to move; a node is a stone of the
    /// attacker. The VCF need not be the shortest. The board is restored.
    pub fn solve<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        meter: &mut Meter<'_>,
    ) -> Found {
        self.zone = CellSet::EMPTY;
        self.depends_on_fouls = false;
        self.attack(board, attacker, meter)
    }

    /// Searches for a VCF that `attacker` would have if it were to move. Returns its length
    /// in plies and its relevance zone. A defender's stone outside the zone does not refute
    /// it, unless that stone makes a four.
    pub fn zone<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        meter: &mut Meter<'_>,
    ) -> Option<(usize, CellSet)> {
        match self.solve(board, attacker, meter) {
            Found::Win(_, plies) if !self.depends_on_fouls => Some((plies, self.zone)),
            _ => None,
        }
    }

    fn attack<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        meter: &mut Meter<'_>,
    ) -> Found {
        if let Some(cell) = first_of(board, attacker, Class::Five) {
            self.add_four_to_zone(board, cell, attacker);
            return Found::Win(cell, 1);
        }
        let forced = match forced_cells(board, attacker) {
            Some(cells) if cells.is_empty() => return Found::Nothing,
            forced => forced,
        };
        let allowed = |cell| forced.is_none_or(|f| f.contains(cell));
        if forced.is_none()
            && let Some(cell) = first_of(board, attacker, Class::OpenFour)
        {
            let spoilers = board.spoilers(attacker, cell, |class| class < Class::OpenFour);
            self.zone = self.zone.union(&spoilers);
            return Found::Win(cell, 3);
        }
        let (slot, key) = fail_slot(board.key(), attacker);
        if self.fails[slot] == key {
            return Found::Nothing;
        }
        let mut complete = true;
        for class in [Class::OpenFour, FOURS[0], FOURS[1], FOURS[2], Class::FoulSuspect] {
            let count = board.count(attacker, class);
            if count == 0 {
                continue;
            }
            let cells = *board.cells_of(attacker, class);
            // Stop after the last cell instead of scanning the rest of the set.
            for cell in cells.iter().take(count.into()).filter(|&c| allowed(c)) {
                if class == Class::FoulSuspect && board.is_forbidden(attacker, cell) {
                    continue;
                }
                if !meter.spend() {
                    return Found::OutOfNodes;
                }
                board.make(cell, attacker);
                let found = self.defend(board, attacker, meter);
                board.unmake();
                match found {
                    Found::Win(_, plies) => {
                        self.add_four_to_zone(board, cell, attacker);
                        self.depends_on_fouls |= class == Class::FoulSuspect;
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

    /// Searches after a stone of the attacker that should make a four. Plies count from here.
    fn defend<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        meter: &mut Meter<'_>,
    ) -> Found {
        if R::ENDS != Ends::Any && board.count(!attacker, Class::Five) > 0 {
            // In Caro, the attacker may have answered the defender's four at an end of
            // the five, which need not stop it.
            return Found::Nothing;
        }
        let fives = board.count(attacker, Class::Five);
        let Some(five) = first_of(board, attacker, Class::Five) else {
            return Found::Nothing;
        };
        if fives > 1 && R::ENDS == Ends::Any {
            self.zone = self.zone.union(board.cells_of(attacker, Class::Five));
            return Found::Win(five, 2);
        }
        let longest = if R::ENDS == Ends::Any {
            self.answered(board, attacker, five, meter)
        } else {
            let answers = board.five_answers(attacker, five);
            answers.iter().try_fold(2, |longest, answer| {
                self.answered(board, attacker, answer, meter).map(|plies| longest.max(plies))
            })
        };
        longest.map_or_else(|found| found, |plies| Found::Win(five, plies))
    }

    /// Searches after the defender's answer to a four. Returns the length of the win in plies
    /// from the answer on, or the result if that is no win. A foul is no answer.
    fn answered<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        attacker: Color,
        answer: Cell,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Found> {
        if board.is_forbidden(!attacker, answer) {
            self.depends_on_fouls = true;
            return Ok(2);
        }
        // Look up known failures before placing the stone. The table holds only positions
        // that are not won at once.
        let (slot, key) = fail_slot(board.key_after(answer, !attacker), attacker);
        if self.fails[slot] == key {
            return Err(Found::Nothing);
        }
        board.make(answer, !attacker);
        let found = self.attack(board, attacker, meter);
        board.unmake();
        let Found::Win(_, plies) = found else { return Err(found) };
        self.add_answer_to_zone(board, answer, !attacker);
        Ok(plies + 1)
    }

    /// Adds an attacker's stone that makes a four or five to the zone; in Caro also the
    /// empty cells of its line.
    fn add_four_to_zone<R: Rule>(&mut self, board: &Board<R>, cell: Cell, attacker: Color) {
        self.zone.insert(cell);
        if R::ENDS == Ends::Any {
            return;
        }
        for dir in DIRECTIONS {
            if board.cell(cell).line(dir, attacker) >= LineClass::Four {
                self.zone = self.zone.union(&board.window(cell, dir));
            }
        }
    }

    /// Adds an answer to a four to the zone, with the empty cells of lines where one
    /// more stone of the defender would make a four or five with it.
    fn add_answer_to_zone<R: Rule>(&mut self, board: &Board<R>, answer: Cell, defender: Color) {
        self.zone.insert(answer);
        for dir in DIRECTIONS {
            if board.cell(answer).line(dir, defender) >= LineClass::ClosedThree {
                self.zone = self.zone.union(&board.window(answer, dir));
            }
        }
    }
}

/// Returns the slot and the entry of a position with this key in the failure table.
#[inline]
fn fail_slot(key: u64, attacker: Color) -> (usize, u64) {
    let key = key ^ (attacker.index() as u64 + 1);
    ((key >> 40) as usize % FAILS, key)
}

/// Returns the first cell where a stone of a colour would have a class, at least
/// [`Class::Three`]. Usually there is none, which the count shows without a scan of the set.
#[inline]
fn first_of<R: Rule>(board: &Board<R>, color: Color, class: Class) -> Option<Cell> {
    if board.count(color, class) > 0 { board.cells_of(color, class).first() } else { None }
}

/// Returns the cells where `me` must play because the opponent threatens a five; `None` if
/// it does not. Empty if no single stone stops all threatened fives. Includes forbidden
/// points.
pub fn forced_cells<R: Rule>(board: &Board<R>, me: Color) -> Option<CellSet> {
    let fives = board.count(!me, Class::Five);
    if fives == 0 {
        return None;
    }
    board
        .cells_of(!me, Class::Five)
        .iter()
        .take(fives.into())
        .map(|five| board.five_answers(!me, five))
        .reduce(|a, b| a.intersection(&b))
}
