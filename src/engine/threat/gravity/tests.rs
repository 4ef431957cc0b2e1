//! Tests of the solver against exhaustive search.

use super::*;
use goren_core::types::keys::mix;

/// The slow twin: a board as a list of columns, and its value by exhaustive search.
#[derive(Clone)]
struct Plain {
    height: usize,
    columns: Vec<Vec<bool>>,
    first: bool,
}

impl Plain {
    fn at(&self, x: i32, y: i32) -> Option<bool> {
        let column = self.columns.get(usize::try_from(x).ok()?)?;
        column.get(usize::try_from(y).ok()?).copied()
    }

    fn is_won(&self) -> bool {
        let (w, h) = (self.columns.len() as i32, self.height as i32);
        let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
        (0..w).any(|x| {
            (0..h).any(|y| {
                steps.iter().any(|&(dx, dy)| {
                    let first = self.at(x, y);
                    first.is_some() && (1..4).all(|k| self.at(x + k * dx, y + k * dy) == first)
                })
            })
        })
    }

    fn value(&mut self, plies: i32) -> i32 {
        let mut best = None;
        for x in 0..self.columns.len() {
            if self.columns[x].len() == self.height {
                continue;
            }
            self.columns[x].push(self.first);
            self.first = !self.first;
            let score = if self.is_won() { 1000 - plies } else { -self.value(plies + 1) };
            self.first = !self.first;
            self.columns[x].pop();
            best = best.max(Some(score));
        }
        best.unwrap_or(0)
    }

    fn pieces(&self, side: bool) -> Vec<(usize, usize)> {
        let of_column = |(x, column): (usize, &Vec<bool>)| {
            let own = column.iter().enumerate().filter(|&(_, &s)| s == side);
            own.map(|(y, _)| (x, y)).collect::<Vec<_>>()
        };
        self.columns.iter().enumerate().flat_map(of_column).collect()
    }
}

#[test]
fn values_agree_with_exhaustive_search() {
    let mut seed = 1;
    for (width, height, left) in
        [(5, 4, 9), (4, 5, 9), (7, 6, 8), (6, 4, 8), (8, 8, 8), (9, 7, 7), (7, 7, 8)]
    {
        let mut solver = Gravity::new(width, height, 1 << 12).unwrap();
        let mut tried = 0;
        while tried < 25 {
            let mut plain = Plain { height, columns: vec![Vec::new(); width], first: true };
            let mut pieces = 0;
            while pieces < width * height - left && !plain.is_won() {
                seed = mix(seed);
                let x = seed as usize % width;
                if plain.columns[x].len() < height {
                    let side = plain.first;
                    plain.columns[x].push(side);
                    plain.first = !side;
                    pieces += 1;
                }
            }
            if plain.is_won() {
                continue;
            }
            tried += 1;
            let expected = match plain.value(1) {
                0 => Value::Draw,
                score @ 1.. => Value::Win((1000 - score) as usize),
                score => Value::Loss((1000 + score) as usize),
            };
            let (own, others) = (plain.pieces(plain.first), plain.pieces(!plain.first));
            let (value, best) = solver.solve(&own, &others, &mut Meter::nodes(u64::MAX)).unwrap();
            assert_eq!(value, expected, "{width}x{height}");
            // The move keeps the value.
            let x = best.unwrap();
            let side = plain.first;
            plain.columns[x].push(side);
            plain.first = !side;
            let score = if plain.is_won() { 999 } else { -plain.value(2) };
            let value_after = match score {
                0 => Value::Draw,
                score @ 1.. => Value::Win((1000 - score) as usize),
                score => Value::Loss((1000 + score) as usize),
            };
            assert_eq!(value_after, expected, "{width}x{height}");
        }
    }
}

#[test]
fn small_boards_have_their_known_values() {
    // 5x4 and 4x5 are drawn according to tables of J. Tromp.
    for (width, height) in [(5, 4), (4, 5), (5, 5)] {
        let mut solver = Gravity::new(width, height, 1 << 16).unwrap();
        assert_eq!(solver.solve(&[], &[], &mut Meter::nodes(u64::MAX)).unwrap().0, Value::Draw);
    }
    let mut solver = Gravity::new(7, 6, 1 << 10).unwrap();
    assert!(solver.solve(&[], &[], &mut Meter::nodes(1000)).is_none());
    assert!(Gravity::new(17, 6, 2).is_err() && Gravity::new(12, 10, 2).is_err());
}
