//! The exact value of Four In A Row where pieces fall to the bottom and stay:
//! alpha-beta over bitboards with a table of bounds, moves that lose at once
//! left out, the most threatening first. A column takes one bit more than it
//! has cells, so that lines never run from one column into the next (J. Tromp,
//! Fhourstones, 2006).

/// A board of two bitboards.
type Bits = u128;

/// Widest board.
const MOST_COLUMNS: usize = 16;

/// What a position is worth to the side to move, when both play best.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// It wins with its own piece in so many plies.
    Win(usize),
    /// Nobody wins.
    Draw,
    /// It loses to a piece of the enemy in so many plies.
    Loss(usize),
}

/// A position: pieces of the side to move, and all pieces.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Pieces {
    own: Bits,
    all: Bits,
    count: usize,
}

/// What is known of a position: bounds of its score.
#[derive(Copy, Clone)]
struct Entry {
    key: Bits,
    least: i8,
    most: i8,
}

/// A solver for one size of board, with its table.
pub struct Gravity {
    width: usize,
    height: usize,
    /// The lowest cell of each column, all cells, and the columns from the
    /// middle outwards.
    bottom: Bits,
    board: Bits,
    order: Vec<usize>,
    table: Vec<Entry>,
    /// Entries of the table when it is needed, a power of two.
    entries: usize,
    /// Positions looked at, and how many may be.
    nodes: u64,
    limit: u64,
}

/// The board is too large for the solver.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("boards of at most {MOST_COLUMNS} columns and 127 cells, with one more for each column")]
pub struct TooLarge;

impl Gravity {
    /// For boards of a size, with a table of at least so many entries of 32
    /// bytes, made at the first use.
    ///
    /// # Errors
    /// The board does not fit.
    pub fn new(width: usize, height: usize, entries: usize) -> Result<Gravity, TooLarge> {
        if width > MOST_COLUMNS || width * (height + 1) >= Bits::BITS as usize {
            return Err(TooLarge);
        }
        let bottom = (0..width).fold(0, |bits, x| bits | 1 << (x * (height + 1)));
        let mut order: Vec<usize> = (0..width).collect();
        order.sort_by_key(|&x| (2 * x + 1).abs_diff(width));
        Ok(Gravity {
            width,
            height,
            bottom,
            board: bottom * ((1 << height) - 1),
            order,
            table: Vec::new(),
            entries: entries.max(2).next_power_of_two(),
            nodes: 0,
            limit: u64::MAX,
        })
    }

    /// The value of a position for the side to move, and the column of a move
    /// that keeps it, given the pieces of both sides as columns from the left
    /// and rows from the bottom. `None` if that takes more than `nodes`
    /// positions. Nobody may have four in a row yet.
    pub fn solve(
        &mut self,
        own: &[(usize, usize)],
        others: &[(usize, usize)],
        nodes: u64,
    ) -> Option<(Value, Option<usize>)> {
        let bit = |&(x, y): &(usize, usize)| -> Bits { 1 << (x * (self.height + 1) + y) };
        let own_bits: Bits = own.iter().map(bit).sum();
        let all = own_bits | others.iter().map(bit).sum::<Bits>();
        let pieces = Pieces { own: own_bits, all, count: own.len() + others.len() };
        (self.nodes, self.limit) = (0, nodes);
        if self.table.is_empty() {
            self.table = vec![Entry { key: Bits::MAX, least: 0, most: 0 }; self.entries];
        }
        let score = self.exact(pieces)?;
        let best = self.order.clone().into_iter().find_map(|x| {
            let next = self.drop(pieces, x)?;
            if self.wins(pieces, x) {
                return (score == self.win_after(pieces.count + 1)).then_some(Some(x));
            }
            match self.bounded(next, -score, -score + 1) {
                Some(found) => (-found == score).then_some(Some(x)),
                None => Some(None),
            }
        });
        match best {
            Some(None) => None,
            best => Some((self.value(score, pieces.count), best.flatten())),
        }
    }

    /// Positions looked at by the last call.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Score of a win with the piece number `count`: the sooner the larger.
    fn win_after(&self, count: usize) -> i32 {
        (self.width * self.height + 1 - count) as i32
    }

    fn value(&self, score: i32, count: usize) -> Value {
        let plies = |score: i32| self.width * self.height + 1 - score as usize - count;
        match score {
            0 => Value::Draw,
            1.. => Value::Win(plies(score)),
            _ => Value::Loss(plies(-score)),
        }
    }

    /// The exact score, by windows of nothing that close in on it from the
    /// nearer half.
    fn exact(&mut self, pieces: Pieces) -> Option<i32> {
        if self.winning_cells(pieces.own, pieces.all) & self.playable(pieces.all) != 0 {
            return Some(self.win_after(pieces.count + 1));
        }
        let mut most = self.win_after(pieces.count + 3).max(0);
        let mut least = -self.win_after(pieces.count + 2).max(0);
        while least < most {
            let middle = least + (most - least) / 2;
            let tried = match middle {
                // The sign comes first: it decides most.
                ..=0 if least / 2 < middle => least / 2,
                1.. if most / 2 > middle => most / 2,
                middle => middle,
            };
            let score = self.bounded(pieces, tried, tried + 1)?;
            if score <= tried { most = score } else { least = score }
        }
        Some(least)
    }

    /// Cells that complete four of a colour, empty or not reachable yet.
    fn winning_cells(&self, own: Bits, all: Bits) -> Bits {
        // Up a column: only on top of three.
        let mut cells = own << 1 & own << 2 & own << 3;
        for step in [self.height, self.height + 1, self.height + 2] {
            let pair = own << step & own << (2 * step);
            cells |= pair & own << (3 * step);
            cells |= pair & own >> step;
            let pair = own >> step & own >> (2 * step);
            cells |= pair & own << step;
            cells |= pair & own >> (3 * step);
        }
        cells & (self.board ^ all)
    }

    fn playable(&self, all: Bits) -> Bits {
        (all + self.bottom) & self.board
    }

    fn column(&self, x: usize) -> Bits {
        ((1 << self.height) - 1) << (x * (self.height + 1))
    }

    /// Whether a piece in a column makes four.
    fn wins(&self, pieces: Pieces, x: usize) -> bool {
        let cells = self.winning_cells(pieces.own, pieces.all);
        cells & self.playable(pieces.all) & self.column(x) != 0
    }

    /// The position after a piece in a column; `None` if that is full.
    fn drop(&self, pieces: Pieces, x: usize) -> Option<Pieces> {
        let cell = self.playable(pieces.all) & self.column(x);
        (cell != 0).then(|| self.after(pieces, cell))
    }

    fn after(&self, pieces: Pieces, cell: Bits) -> Pieces {
        let Pieces { own, all, count } = pieces;
        Pieces { own: own ^ all, all: all | cell, count: count + 1 }
    }

    /// Score of a position where the side to move cannot win at once, exact
    /// within the window; `None` when the nodes are spent.
    fn bounded(&mut self, pieces: Pieces, mut alpha: i32, mut beta: i32) -> Option<i32> {
        let playable = self.playable(pieces.all);
        let own_wins = self.winning_cells(pieces.own, pieces.all);
        if own_wins & playable != 0 {
            return Some(self.win_after(pieces.count + 1));
        }
        self.nodes += 1;
        if self.nodes > self.limit {
            return None;
        }
        // Where the enemy would win must be filled, and not below such a cell.
        let threats = self.winning_cells(pieces.own ^ pieces.all, pieces.all);
        let forced = threats & playable;
        if forced & forced.wrapping_sub(1) != 0 {
            return Some(-self.win_after(pieces.count + 2));
        }
        let candidates = if forced != 0 { forced } else { playable } & !(threats >> 1);
        if candidates == 0 {
            let full = playable == 0;
            return Some(if full { 0 } else { -self.win_after(pieces.count + 2) });
        }
        let cells = self.width * self.height;
        if pieces.count + 2 >= cells {
            return Some(0);
        }
        alpha = alpha.max(-self.win_after(pieces.count + 4).max(0));
        beta = beta.min(self.win_after(pieces.count + 3).max(0));
        if alpha >= beta {
            return Some(alpha);
        }
        let key = pieces.own + pieces.all + self.bottom;
        let slot = self.slot(key);
        let entry = self.table[slot];
        let (mut least, mut most) = (i8::MIN as i32, i8::MAX as i32);
        if entry.key == key {
            (least, most) = (entry.least as i32, entry.most as i32);
            alpha = alpha.max(least);
            beta = beta.min(most);
            if alpha >= beta {
                return Some(if alpha == least { least } else { most });
            }
        }
        let mut moves = [(0i32, 0 as Bits); MOST_COLUMNS];
        let mut number = 0;
        for &x in &self.order {
            let cell = candidates & self.column(x);
            if cell != 0 {
                let own = pieces.own | cell;
                let threats = self.winning_cells(own, pieces.all | cell).count_ones() as i32;
                // The middle comes first among equals.
                moves[number] = (-threats, cell);
                number += 1;
            }
        }
        moves[..number].sort_by_key(|&(threats, _)| threats);
        let first_alpha = alpha;
        let mut best = i32::MIN;
        for &(_, cell) in &moves[..number] {
            let score = -self.bounded(self.after(pieces, cell), -beta, -alpha)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if best >= beta {
            least = least.max(best.min(most));
        } else if best <= first_alpha {
            most = most.min(best.max(least));
        } else {
            (least, most) = (best, best);
        }
        let bounds = [least, most].map(|n| n.clamp(i8::MIN as i32, i8::MAX as i32) as i8);
        self.table[slot] = Entry { key, least: bounds[0], most: bounds[1] };
        Some(best)
    }

    fn slot(&self, key: Bits) -> usize {
        let mixed = (key as u64 ^ (key >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.entries.trailing_zeros())) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::keys::mix;

    /// A board by columns, and the plain truth by trying everything.
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
    fn values_are_those_of_trying_everything() {
        let mut seed = 1;
        for (width, height, left) in [(5, 4, 9), (4, 5, 9), (7, 6, 8), (6, 4, 8), (8, 8, 8)] {
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
                let (value, best) = solver.solve(&own, &others, u64::MAX).unwrap();
                assert_eq!(value, expected, "{width}x{height}");
                // The move keeps the value.
                let x = best.unwrap();
                let side = plain.first;
                plain.columns[x].push(side);
                plain.first = !side;
                let after = if plain.is_won() { 999 } else { -plain.value(2) };
                let kept = match after {
                    0 => Value::Draw,
                    score @ 1.. => Value::Win((1000 - score) as usize),
                    score => Value::Loss((1000 + score) as usize),
                };
                assert_eq!(kept, expected, "{width}x{height}");
            }
        }
    }

    #[test]
    fn small_boards_are_what_is_known_of_them() {
        // From tables of J. Tromp: 5x4 and 4x5 are drawn.
        for (width, height) in [(5, 4), (4, 5), (5, 5)] {
            let mut solver = Gravity::new(width, height, 1 << 16).unwrap();
            assert_eq!(solver.solve(&[], &[], u64::MAX).unwrap().0, Value::Draw);
        }
        let mut solver = Gravity::new(7, 6, 1 << 10).unwrap();
        assert!(solver.solve(&[], &[], 1000).is_none());
        assert!(Gravity::new(17, 6, 2).is_err() && Gravity::new(12, 10, 2).is_err());
    }
}
