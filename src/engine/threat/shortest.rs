//! Shortest VCF by iterative deepening. Slower than [`super::Vcf`], which returns the
//! first VCF it finds.

use fxhash::FxHashMap;

use super::vcf::forced_cells;
use super::{FOURS, Meter};
use crate::board::Board;
use crate::pattern::Class;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color};

/// Searches for a shortest VCF of `attacker`, which is to move. Returns the moves of both
/// sides up to the five, against the longest defence; `None` if there is no VCF or the meter
/// ran out. A node is a stone of the attacker. The board is restored.
pub fn shortest<R: Rule>(
    board: &mut Board<R>,
    attacker: Color,
    meter: &mut Meter<'_>,
) -> Option<Vec<Cell>> {
    let mut search = Search { attacker, failed: FxHashMap::default(), cut: true };
    let mut found = None;
    let mut fours = 0;
    while found.is_none() && meter.left() > 0 && std::mem::take(&mut search.cut) {
        found = search.attack(board, fours, meter);
        fours += 1;
    }
    found.map(|mut line| {
        line.reverse();
        line
    })
}

/// In the failure table: no VCF with any number of fours; the failure is final.
const UNLIMITED: u32 = u32::MAX;

/// A search for a VCF of a limited number of fours.
struct Search {
    attacker: Color,
    /// Failure table: by key of a position, the number of fours within which it has no VCF.
    failed: FxHashMap<u64, u32>,
    /// Whether the limit of fours cut off a branch.
    cut: bool,
}

impl Search {
    /// Searches with the attacker to move, which may make `fours` fours. Returns its moves
    /// and the answers up to the five, last move first.
    fn attack<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        fours: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Cell>> {
        if let Some(five) = board.cells_of(self.attacker, Class::Five).first() {
            return Some(vec![five]);
        }
        let forced = forced_cells(board, self.attacker);
        let four = |class: &Class| board.count(self.attacker, *class) > 0;
        let classes = [Class::OpenFour, FOURS[0], FOURS[1], FOURS[2], Class::FoulSuspect];
        if forced.is_some_and(|cells| cells.is_empty()) || !classes.iter().any(four) {
            return None;
        }
        if fours == 0 {
            self.cut = true;
            return None;
        }
        let key = board.key();
        if let Some(&failed) = self.failed.get(&key).filter(|&&failed| failed >= fours) {
            self.cut |= failed < UNLIMITED;
            return None;
        }
        // Reset `self.cut`, so that below it refers to this position alone: if the limit
        // cuts off nothing here, the failure is final, even if an earlier sibling was
        // cut off. At the end the previous value is or-ed back for the caller.
        let earlier_cut = std::mem::take(&mut self.cut);
        for class in classes {
            let foul = class == Class::FoulSuspect;
            let cells = *board.cells_of(self.attacker, class);
            for cell in cells.iter().filter(|&cell| forced.is_none_or(|f| f.contains(cell))) {
                if foul && board.is_forbidden(self.attacker, cell) {
                    continue;
                }
                if !meter.spend() {
                    return None;
                }
                board.make(cell, self.attacker);
                let found = self.defend(board, fours - 1, meter);
                board.unmake();
                if let Some(mut line) = found {
                    self.cut |= earlier_cut;
                    line.push(cell);
                    return Some(line);
                }
            }
        }
        self.failed.insert(key, if self.cut { fours } else { UNLIMITED });
        self.cut |= earlier_cut;
        None
    }

    /// Searches after a stone of the attacker that should make a four. Returns the longest
    /// defence up to the five, last move first.
    fn defend<R: Rule>(
        &mut self,
        board: &mut Board<R>,
        fours: u32,
        meter: &mut Meter<'_>,
    ) -> Option<Vec<Cell>> {
        if board.count(!self.attacker, Class::Five) > 0 {
            // In Caro, the attacker may have answered the defender's four at an end of
            // the five, which need not stop it.
            return None;
        }
        let five = board.cells_of(self.attacker, Class::Five).first()?;
        let mut longest = vec![five];
        for answer in board.five_answers(self.attacker, five).iter() {
            if board.is_forbidden(!self.attacker, answer) {
                continue;
            }
            board.make(answer, !self.attacker);
            let found = self.attack(board, fours, meter);
            board.unmake();
            let mut line = found?;
            line.push(answer);
            if line.len() > longest.len() {
                longest = line;
            }
        }
        if longest.len() == 1 {
            // Every answer is a foul: the defender plays elsewhere.
            let other = |&cell: &Cell| cell != five && !board.is_forbidden(!self.attacker, cell);
            longest.push(board.empty().iter().find(other)?);
        }
        Some(longest)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use goren_core::rules::referee::FiveReferee;
    use goren_core::rules::{Outcome, RuleId, Setup, Visitor, with_rule};
    use goren_core::types::{CellSet, Stone};

    /// The slow twin: the lowest number of stones, at most `max`, with which a colour wins
    /// if each but the last threatens a five. Uses the referee alone.
    fn fewest(referee: &mut FiveReferee, attacker: Color, max: usize) -> Option<usize> {
        (1..=max).find(|&stones| wins(referee, attacker, stones))
    }

    fn empty(referee: &FiveReferee) -> Vec<Cell> {
        let Setup { width, height, .. } = referee.setup();
        CellSet::board(width, height).iter().filter(|&cell| referee.is_empty(cell)).collect()
    }

    fn wins(referee: &mut FiveReferee, attacker: Color, stones: usize) -> bool {
        empty(referee).into_iter().any(|cell| {
            let found = match referee.place(attacker, cell).unwrap() {
                Some(outcome) => outcome == Outcome::Win(attacker),
                None => stones > 1 && holds(referee, attacker, stones - 1),
            };
            referee.take_back();
            found
        })
    }

    /// Whether the stone just placed makes a four that wins with `stones` more stones.
    fn holds(referee: &mut FiveReferee, attacker: Color, stones: usize) -> bool {
        let cells = empty(referee);
        let five = cells.iter().any(|&cell| referee.wins(attacker, cell));
        five && cells.into_iter().all(|cell| {
            let lost = match referee.place(!attacker, cell).unwrap() {
                Some(outcome) => outcome == Outcome::Win(attacker),
                None => wins(referee, attacker, stones),
            };
            referee.take_back();
            lost
        })
    }

    #[test]
    fn no_shorter_win_by_fours_exists() {
        struct Seek<'a>(&'a FiveReferee, Color);
        impl Visitor for Seek<'_> {
            type Out = Option<Vec<Cell>>;
            fn visit<R: Rule>(self) -> Self::Out {
                let mut board = Board::<R>::new(self.0.setup());
                for &(cell, stone) in self.0.stones() {
                    let Stone::Of(color) = stone else { continue };
                    board.make(cell, color);
                }
                shortest(&mut board, self.1, &mut Meter::nodes(1_000_000))
            }
        }
        let mut rng = SmallRng::seed_from_u64(7);
        let mut lengths = [0; 3];
        for rule in RuleId::ALL {
            let setup = Setup::new(rule, 7, 7).unwrap();
            for _ in 0..120 {
                let mut referee = FiveReferee::new(setup);
                let mut cells = empty(&referee);
                cells.shuffle(&mut rng);
                let attacker = Color::ALL[rng.random_range(0..2)];
                for cell in cells.into_iter().take(26) {
                    let color = if rng.random_bool(0.65) { attacker } else { !attacker };
                    let outcome = referee.place(color, cell).unwrap();
                    if outcome.is_some() {
                        referee.take_back();
                    }
                }
                let line = with_rule(rule, Seek(&referee, attacker));
                let fewest = fewest(&mut referee, attacker, lengths.len());
                let stones = line.as_ref().map(|line| line.len() / 2 + 1);
                let stones = stones.filter(|&stones| stones <= lengths.len());
                assert_eq!(stones, fewest, "{rule} {attacker:?} {:?}", referee.stones());
                let Some(line) = line.filter(|_| fewest.is_some()) else { continue };
                lengths[line.len() / 2] += 1;
                // The moves are legal, and the last one wins.
                let (last, moves) = line.split_last().unwrap();
                for (i, &cell) in moves.iter().enumerate() {
                    let color = if i % 2 == 0 { attacker } else { !attacker };
                    assert_eq!(referee.place(color, cell), Ok(None), "{rule}");
                }
                assert_eq!(
                    referee.place(attacker, *last),
                    Ok(Some(Outcome::Win(attacker))),
                    "{rule}"
                );
            }
        }
        assert!(lengths.iter().all(|&count| count > 5), "{lengths:?}");
    }
}
