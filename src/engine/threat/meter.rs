//! Budget of a solver: a node limit, and a clock of the caller.

use std::time::Instant;

use goren_core::types::Pace;

/// The clock that may stop a solver.
pub trait Watch {
    /// Returns the present time, and whether the solver must stop.
    fn look(&self) -> (Instant, bool);
}

/// Counts the nodes of a solver and checks the clock from time to time ([`Pace`]). Once
/// the clock has stopped the solver, no nodes are left.
pub struct Meter<'a> {
    limit: u64,
    left: u64,
    pace: Pace,
    watch: Option<&'a dyn Watch>,
    late: bool,
}

impl<'a> Meter<'a> {
    /// Creates a meter with a node limit and no clock.
    pub fn nodes(nodes: u64) -> Meter<'static> {
        Meter { limit: nodes, left: nodes, pace: Pace::never(), watch: None, late: false }
    }

    /// Creates a meter with a node limit and a clock. `pace` continues from the solver's
    /// earlier nodes.
    pub fn watched(nodes: u64, pace: Pace, watch: &'a dyn Watch) -> Meter<'a> {
        Meter { limit: nodes, left: nodes, pace, watch: Some(watch), late: false }
    }

    /// Creates a meter for at most `nodes` of the nodes left. [`Meter::charge`] subtracts what
    /// it spent.
    pub fn part(&self, nodes: u64) -> Meter<'a> {
        let nodes = nodes.min(self.left);
        Meter { limit: nodes, left: nodes, ..*self }
    }

    /// Subtracts the nodes that a [`Meter::part`] spent, and stops if the clock stopped the
    /// part.
    pub fn charge(&mut self, part: &Meter<'a>) {
        self.left = self.left.saturating_sub(part.spent());
        self.pace = part.pace;
        if part.late {
            self.end();
        }
    }

    /// Counts a node. Returns false if none is left or the clock stops the solver.
    #[inline]
    pub fn spend(&mut self) -> bool {
        self.spend_some(1)
    }

    /// Counts several nodes, if at least one is left. Returns the same as [`Meter::spend`].
    #[inline]
    pub fn spend_some(&mut self, nodes: u64) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left = self.left.saturating_sub(nodes);
        !self.pace.step() || !self.look()
    }

    /// Checks the clock. Returns whether the solver must stop.
    #[cold]
    fn look(&mut self) -> bool {
        let Some(watch) = self.watch else { return false };
        let (now, over) = watch.look();
        self.pace.looked(now, u64::MAX);
        if over {
            self.end();
        }
        over
    }

    fn end(&mut self) {
        self.late = true;
        self.limit -= self.left;
        self.left = 0;
    }

    /// Returns the number of nodes left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Returns the number of nodes spent.
    pub fn spent(&self) -> u64 {
        self.limit - self.left
    }

    /// Whether the clock stopped the solver.
    pub fn is_late(&self) -> bool {
        self.late
    }

    /// Returns the pace for the next meter.
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// Converts the nodes left to those of a solver with slower or faster nodes.
    pub fn convert(&mut self, nodes: impl Fn(u64) -> u64) {
        self.left = nodes(self.left);
        self.limit = self.left;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell as Number;
    use std::sync::Arc;
    use std::time::Duration;

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::{Board, Geometry, LineCountBoard};
    use crate::threat::{DoubleThreats, Found, Gravity, Vcf, shortest};
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::{Cell, CellSet, Color};

    /// A clock that advances 5 ms whenever it is read, i.e. after every node, and stops the
    /// solver after 50 ms.
    struct Slow {
        start: Instant,
        looks: Number<u32>,
    }

    const NODE: Duration = Duration::from_millis(5);
    const LOOKS: u32 = 10;

    impl Watch for Slow {
        fn look(&self) -> (Instant, bool) {
            self.looks.set(self.looks.get() + 1);
            (self.start + NODE * self.looks.get(), self.looks.get() >= LOOKS)
        }
    }

    /// Checks that the clock stops a solver that spends many nodes without one.
    fn ends_in_time(name: &str, mut work: impl FnMut(&mut Meter<'_>)) {
        let mut free = Meter::nodes(2_000);
        work(&mut free);
        assert!(free.spent() > 200 && !free.is_late(), "{name}: {} nodes are few", free.spent());
        let slow = Slow { start: Instant::now(), looks: Number::new(0) };
        let mut meter = Meter::watched(2_000, Pace::default(), &slow);
        work(&mut meter);
        // A single call may count several nodes ([`Meter::spend_some`]).
        assert!(meter.is_late() && meter.left() == 0, "{name}");
        assert!(meter.spent() <= 2 * u64::from(LOOKS), "{name}: {}", meter.spent());
        assert_eq!(slow.looks.get(), LOOKS, "{name}: nothing is done after the end");
    }

    /// Generates random boards with many stones on which nobody can make a five.
    fn boards() -> impl Iterator<Item = Board<Freestyle>> {
        let setup = Setup::new(RuleId::Freestyle, 20, 20).unwrap();
        let mut rng = SmallRng::seed_from_u64(5);
        std::iter::repeat_with(move || {
            let mut board = Board::new(setup);
            for i in 0..120 {
                let cell = Cell::new(rng.random_range(0..20), rng.random_range(0..20));
                let color = Color::ALL[usize::from(i % 5 < 2)];
                let before = board.placed();
                if board.is_empty(cell) {
                    board.make(cell, color);
                    let fives = Color::ALL.map(|c| board.count(c, crate::pattern::Class::Five));
                    if fives != [0, 0] {
                        board.unmake();
                    }
                }
                debug_assert!(board.placed() >= before);
            }
            board
        })
    }

    #[test]
    fn the_clock_stops_every_solver() {
        let is_hard = |board: &mut Board<Freestyle>, fours: bool| {
            let mut meter = Meter::nodes(2_000);
            if fours {
                _ = Vcf::default().solve(board, Color::Black, &mut meter)
            } else {
                _ = shortest(board, Color::Black, &mut meter)
            }
            meter.spent() > 200
        };
        let mut board = boards().find(|board| is_hard(&mut board.clone(), true)).unwrap();
        ends_in_time("fours", |meter| {
            let found = Vcf::default().solve(&mut board, Color::Black, meter);
            assert!(!meter.is_late() || found == Found::OutOfNodes);
        });
        let mut board = boards().find(|board| is_hard(&mut board.clone(), false)).unwrap();
        ends_in_time("shortest", |meter| {
            let found = shortest(&mut board, Color::Black, meter);
            assert!(!meter.is_late() || found.is_none());
        });
        ends_in_time("gravity", |meter| {
            let mut solver = Gravity::new(7, 6, 1 << 16).unwrap();
            let found = solver.solve(&[], &[], meter);
            assert!(!meter.is_late() || found.is_none());
        });
    }

    #[test]
    fn the_clock_stops_the_double_threat_solver_without_false_failures() {
        let cells = CellSet::board(15, 15);
        let geometry =
            Arc::new(Geometry::new(15, 15, false, 6, 7, &cells).listing(DoubleThreats::LISTED));
        let mut rng = SmallRng::seed_from_u64(3);
        let boards = std::iter::repeat_with(|| {
            let mut board = LineCountBoard::new(geometry.clone());
            for i in 0..50 {
                let cell = Cell::new(rng.random_range(2..13), rng.random_range(2..13));
                let color = Color::ALL[usize::from(i % 5 < 2)];
                if board.is_empty(cell) {
                    board.put(cell, color);
                    if Color::ALL.iter().any(|&c| board.level(c, 4) + board.level(c, 5) > 0) {
                        board.lift(cell, color);
                    }
                }
            }
            board
        });
        let solve =
            |solver: &mut DoubleThreats, board: &mut LineCountBoard, meter: &mut Meter<'_>| {
                solver.solve(board, Color::Black, 2, meter)
            };
        let is_hard = |board: &LineCountBoard| {
            let mut meter = Meter::nodes(2_000);
            let found = solve(&mut DoubleThreats::default(), &mut board.clone(), &mut meter);
            found.is_some() && meter.spent() > 200
        };
        let mut board = boards.take(20_000).find(is_hard).unwrap();
        ends_in_time("double threats", |meter| {
            let mut solver = DoubleThreats::default();
            let found = solve(&mut solver, &mut board, meter);
            assert_eq!(found.is_some(), !meter.is_late());
            // The table holds no false failure: without a clock the win is found.
            let again = solve(&mut solver, &mut board, &mut Meter::nodes(2_000));
            assert!(again.is_some());
        });
    }
}
