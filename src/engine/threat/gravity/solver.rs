//! Search of the solver. A score is the number of pieces that the winner has left at
//! the win, including the winning one: positive for the side to move, negative for the
//! opponent, 0 for a draw.

use arrayvec::ArrayVec;

use super::super::Meter;
use super::table::{BoundTable, Bounds, NoMemory};
use super::word::Word;

/// Maximum width.
pub(super) const MAX_COLUMNS: usize = 16;
/// Maximum number of pieces on the board for mirrored positions to share a table entry;
/// with more pieces they rarely meet.
const MAX_PIECES_MIRRORED: u32 = 16;
/// Minimum number of empty cells for enhanced transposition cutoffs: the table is probed
/// for the positions after all moves before any of them is searched.
const MIN_EMPTIES_ETC: u32 = 18;
/// Minimum number of empty cells for use of the table: searching a smaller position is
/// faster than fetching an entry from memory.
const MIN_EMPTIES_STORED: u32 = 11;

/// A position: the pieces of the side to move, and all pieces.
#[derive(Copy, Clone)]
struct Pieces<W> {
    own: W,
    all: W,
    /// Number of empty cells.
    left: u32,
}

/// A solver for one board size, whatever its type of bitboard.
pub(super) trait Solve: Send {
    /// Returns the exact score of a position, and the column of a move that keeps it (`None`
    /// on a full board); `None` if the meter ran out.
    fn solve(
        &mut self,
        own: &[(usize, usize)],
        others: &[(usize, usize)],
        meter: &mut Meter<'_>,
    ) -> Option<(i32, Option<usize>)>;
}

/// A solver for a board of bitboards of type `W`.
pub(super) struct Solver<W> {
    width: u32,
    height: u32,
    /// Bitboards: the bottom row, all cells, the top row, and the rows from the third
    /// on.
    bottom: W,
    board: W,
    top: W,
    third: W,
    /// The cells of each column, from the middle outwards; `order` has the numbers of these
    /// columns.
    columns: ArrayVec<W, MAX_COLUMNS>,
    order: ArrayVec<u32, MAX_COLUMNS>,
    table: BoundTable<W>,
}

impl<W: Word> Solver<W> {
    /// Creates a solver for boards of `width` columns and `height` rows, with a table of
    /// about `bytes` bytes.
    ///
    /// # Errors
    /// The table cannot be allocated.
    pub fn new(width: usize, height: usize, bytes: usize) -> Result<Self, NoMemory> {
        let (width, height) = (width as u32, height as u32);
        let step = height + 1;
        let bottom = (0..width).fold(W::ZERO, |bits, x| bits | W::ONE << (x * step));
        let rows = |rows: std::ops::Range<u32>| rows.fold(W::ZERO, |bits, y| bits | bottom << y);
        let mut order: ArrayVec<u32, MAX_COLUMNS> = (0..width).collect();
        order.sort_by_key(|&x| (2 * x + 1).abs_diff(width));
        let column =
            |&x: &u32| (0..height).fold(W::ZERO, |bits, y| bits | W::ONE << (x * step + y));
        Ok(Solver {
            width,
            height,
            bottom,
            board: rows(0..height),
            top: bottom << (height - 1),
            third: rows(2.min(height)..height),
            columns: order.iter().map(column).collect(),
            order,
            table: BoundTable::new(width * step, bytes)?,
        })
    }

    /// Returns the column nearest to the middle that contains one of `cells`.
    fn column_of(&self, cells: W) -> Option<usize> {
        let i = self.columns.iter().position(|&column| column & cells != W::ZERO)?;
        Some(self.order[i] as usize)
    }

    /// Whether the score of a position is at most `-score`, i.e. whether the move that
    /// led to it keeps `score`. The side to move may be able to win at once.
    fn keeps(&mut self, pieces: Pieces<W>, score: i32, meter: &mut Meter<'_>) -> Option<bool> {
        if self.completions(pieces.own, pieces.all) & self.playable(pieces.all) != W::ZERO {
            return Some(-(pieces.left.div_ceil(2) as i32) >= score);
        }
        Some(-self.search(pieces, 1 - score, meter)? >= score)
    }

    /// Computes the exact score of a position where the side to move cannot win at once, by
    /// null-window searches that bisect the range of scores.
    fn exact(&mut self, pieces: Pieces<W>, meter: &mut Meter<'_>) -> Option<i32> {
        let (mut lower, mut upper) = (-(pieces.left as i32 / 2), pieces.left.div_ceil(2) as i32);
        while lower < upper {
            let middle = lower + (upper - lower).div_euclid(2);
            // Try a score farther from 0 than the middle: short wins and losses are refuted
            // faster.
            let tried = match middle {
                ..=0 if lower / 2 < middle => lower / 2,
                1.. if upper / 2 > middle => upper / 2,
                middle => middle,
            };
            let score = self.search(pieces, tried + 1, meter)?;
            if score <= tried { upper = score } else { lower = score }
        }
        Some(lower)
    }

    /// Returns the empty cells that complete four in a row of a colour, playable now or not.
    #[inline]
    fn completions(&self, own: W, all: W) -> W {
        // Vertical: only on top of three pieces.
        let mut cells = (own << 1) & (own << 2) & (own << 3);
        for step in [self.height, self.height + 1, self.height + 2] {
            let (up, down) = (own << step, own >> step);
            let (pair_up, pair_down) = (up & (own << (2 * step)), down & (own >> (2 * step)));
            cells = cells
                | (pair_up & ((own << (3 * step)) | down))
                | (pair_down & ((own >> (3 * step)) | up));
        }
        cells & (self.board ^ all)
    }

    /// Whether `cells` has four in a row.
    #[inline]
    fn has_four(&self, cells: W) -> bool {
        let mut fours = W::ZERO;
        for step in [1, self.height, self.height + 1, self.height + 2] {
            let pairs = cells & (cells >> step);
            fours = fours | (pairs & (pairs >> (2 * step)));
        }
        fours != W::ZERO
    }

    #[inline]
    fn playable(&self, all: W) -> W {
        all.plus(self.bottom) & self.board
    }

    #[inline]
    fn after(&self, pieces: Pieces<W>, cell: W) -> Pieces<W> {
        let Pieces { own, all, left } = pieces;
        Pieces { own: own ^ all, all: all | cell, left: left - 1 }
    }

    /// Returns the key of a position, unique among positions. Early in the game a position
    /// and its mirror image have the same key.
    #[inline]
    fn key(&self, pieces: Pieces<W>) -> W {
        let key = pieces.own.plus(pieces.all).plus(self.bottom);
        if self.width * self.height - pieces.left > MAX_PIECES_MIRRORED {
            return key;
        }
        let step = self.height + 1;
        let column = (W::ONE << step).minus(W::ONE);
        let mut image = W::ZERO;
        for x in 0..self.width {
            image = (image << step) | ((key >> (x * step)) & column);
        }
        // Any total order will do: the lowest bit that differs decides.
        let smaller = |a: W, b: W| {
            let differs = a ^ b;
            let lowest = differs & W::ZERO.minus(differs);
            if a & lowest == W::ZERO { a } else { b }
        };
        smaller(key, image)
    }

    /// Returns an upper bound of the score, 0 or -1, from a follow-up strategy of the
    /// opponent: always answering on top of the mover's last piece. `None` if the opponent
    /// cannot do so to the end, or the mover may win against the strategy.
    ///
    /// Under the strategy, counted from the lowest empty cell of a column, the first, third
    /// ... cells (`lower`) become the mover's, the others (`upper`) the opponent's. In a
    /// column with an odd number of empty cells the last piece has no answer, so the opponent
    /// must complete four in that column before.
    ///
    /// For example, of three empty cells in a column the mover gets the lowest and the top
    /// one, which has no answer: the middle one must complete the opponent's four.
    #[inline]
    fn follow_up_bound(&self, pieces: Pieces<W>, playable: W, threats: W) -> Option<i32> {
        let empty = self.board ^ pieces.all;
        let mut cells = playable;
        let mut lower = playable;
        for _ in 1..self.height.div_ceil(2) {
            cells = (cells << 2) & empty & self.third;
            lower = lower | cells;
        }
        let upper = empty ^ lower;
        let mut odd = lower & self.top;
        let ends = threats & upper;
        while odd != W::ZERO {
            let rest = odd & odd.minus(W::ONE);
            let lowest = odd ^ rest;
            let column = (lowest << 1).minus(lowest >> (self.height - 1));
            if column & ends == W::ZERO {
                return None;
            }
            odd = rest;
        }
        if self.has_four(pieces.own | lower) {
            return None;
        }
        let opponent = pieces.own ^ pieces.all;
        Some(if ends != W::ZERO || self.has_four(opponent | upper) { -1 } else { 0 })
    }

    /// Adds the moves on `candidates` to `moves`, those with the most completions first.
    /// Enhanced transposition cutoff: returns a score of at least `beta` if the table has one
    /// for the position after one of these moves.
    #[inline]
    fn order_moves(
        &self,
        pieces: Pieces<W>,
        candidates: W,
        beta: i32,
        moves: &mut ArrayVec<(i32, W), MAX_COLUMNS>,
    ) -> Option<i32> {
        for &column in &self.columns {
            let cell = candidates & column;
            if cell == W::ZERO {
                continue;
            }
            if pieces.left >= MIN_EMPTIES_ETC {
                let known = self.table.get(self.key(self.after(pieces, cell)));
                if let Some(known) = known.filter(|known| -known.upper >= beta) {
                    return Some(-known.upper);
                }
            }
            let count = self.completions(pieces.own | cell, pieces.all | cell).ones() as i32;
            // Stable insertion: among equals the column nearest to the middle comes first.
            let at = moves.iter().position(|&(other, _)| other < count).unwrap_or(moves.len());
            moves.insert(at, (count, cell));
        }
        None
    }

    /// Searches with a null window, fail-soft: the result is a lower bound of the score if it
    /// is at least `beta`, else an upper bound. The side to move must not be able to win at
    /// once. `None` if the meter ran out.
    fn search(&mut self, pieces: Pieces<W>, beta: i32, meter: &mut Meter<'_>) -> Option<i32> {
        if !meter.spend() {
            return None;
        }
        let left = pieces.left as i32;
        let playable = self.playable(pieces.all);
        // A playable cell that gives the opponent four must be filled; a cell below one that
        // gives the opponent four must not be.
        let threats = self.completions(pieces.own ^ pieces.all, pieces.all);
        let forced = threats & playable;
        if forced.several() {
            return Some(-(left / 2));
        }
        let candidates = (if forced != W::ZERO { forced } else { playable }) & !(threats >> 1);
        if candidates == W::ZERO {
            return Some(if left == 0 { 0 } else { -(left / 2) });
        }
        if left <= 2 {
            return Some(0);
        }
        // Bounds: neither side wins with its next piece.
        let (mut lower, mut upper) = (1 - left / 2, (left + 1) / 2 - 1);
        if beta > upper {
            return Some(upper);
        }
        if beta <= lower {
            return Some(lower);
        }
        if forced != W::ZERO {
            return Some(-self.search(self.after(pieces, forced), 1 - beta, meter)?);
        }
        if beta >= 0
            && let Some(bound) = self.follow_up_bound(pieces, playable, threats)
            && bound < beta
        {
            return Some(bound);
        }
        let stored = pieces.left >= MIN_EMPTIES_STORED;
        let key = if stored { self.key(pieces) } else { W::ZERO };
        if stored && let Some(known) = self.table.get(key) {
            if known.lower >= beta {
                return Some(known.lower);
            }
            if known.upper < beta {
                return Some(known.upper);
            }
            (lower, upper) = (lower.max(known.lower), upper.min(known.upper));
        }
        let before = meter.left();
        let mut moves = ArrayVec::new();
        if let Some(score) = self.order_moves(pieces, candidates, beta, &mut moves) {
            return Some(score);
        }
        let mut best = i32::MIN;
        for &(_, cell) in &moves {
            let score = -self.search(self.after(pieces, cell), 1 - beta, meter)?;
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        if best >= beta {
            lower = lower.max(best)
        } else {
            upper = upper.min(best)
        }
        if stored {
            self.table.put(key, Bounds { lower, upper }, before - meter.left());
        }
        Some(best)
    }
}

impl<W: Word> Solve for Solver<W> {
    fn solve(
        &mut self,
        own: &[(usize, usize)],
        others: &[(usize, usize)],
        meter: &mut Meter<'_>,
    ) -> Option<(i32, Option<usize>)> {
        let step = self.height + 1;
        let bits = |cells: &[(usize, usize)]| {
            let bit = |&(x, y): &(usize, usize)| W::ONE << (x as u32 * step + y as u32);
            cells.iter().map(bit).fold(W::ZERO, |bits, bit| bits | bit)
        };
        let all = bits(own) | bits(others);
        let left = self.width * self.height - (own.len() + others.len()) as u32;
        let pieces = Pieces { own: bits(own), all, left };
        let wins = self.completions(pieces.own, all) & self.playable(all);
        if wins != W::ZERO {
            return Some((left.div_ceil(2) as i32, self.column_of(wins)));
        }
        let score = self.exact(pieces, meter)?;
        for i in 0..self.columns.len() {
            let cell = self.playable(all) & self.columns[i];
            if cell != W::ZERO && self.keeps(self.after(pieces, cell), score, meter)? {
                return Some((score, self.column_of(cell)));
            }
        }
        Some((score, None))
    }
}
