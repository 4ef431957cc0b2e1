//! Window features: inputs of the evaluation network (`net.rs`) from the lines of the
//! board.
//!
//! The features of an empty cell are the rows of its four windows (`embedding.rs`),
//! summed and clipped; those of other cells are 0. The sums of each feature over the
//! board are inputs of the first layer. The other inputs come from codes, which show only
//! the class of a line; a window shows everything that a colour can see along it.
//!
//! The state is incremental and lazy: the windows of the cells around a stone are updated
//! only when a score is requested. Every cell that changes is logged with its previous
//! sums, so that taking a stone back only copies them.
//!
//! Loops run over indices: iterators need closures, which are not inlined into functions
//! compiled for a vector extension and so are compiled without it.

#![allow(clippy::needless_range_loop)]

use super::embedding::{CHANNELS, Embedding, Row, RowPair, exchanged, with_features};
use crate::board::Board;
use crate::board::line::{Lines, flipped_bits};
use crate::board::make::{direction, empty_lanes, window_keys};
use crate::pattern::Tables;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, FRAME, Stone};

/// Divisor of the sum of a feature over the board before it enters the first layer: a power
/// of two, so that the division is exact, near 16 times [`super::policy::WINDOW_SCALE`].
pub const SUM_SCALE: f32 = 2048.0;

/// Sums of the features over the board, by the colour to move.
pub(super) type FeatureSums = [[i32; CHANNELS]; 2];

/// The features of a board, updated incrementally.
#[derive(Clone)]
pub(super) struct State {
    /// Number of stones on the board when the state was created.
    base: usize,
    /// The stones placed since then, as far as counted.
    stones: Vec<Counted>,
    /// Sums of the features of that position, and after each counted stone.
    sums: Vec<FeatureSums>,
    /// Line words with all of these stones.
    lines: Lines,
    /// Sums of the rows of each cell's windows, before they are clipped.
    cells: Box<[RowPair; FRAME]>,
    /// The cells that the stones changed, in order, and their previous sums. Entries from
    /// `logged` on are unused capacity.
    log: Log,
    logged: usize,
}

/// Cells and sums, in separate vectors: a combined entry would take two cache lines.
#[derive(Clone, Default)]
struct Log {
    cells: Vec<Cell>,
    sums: Vec<RowPair>,
}

/// Upper bound of the number of cells that one stone changes: its own, and the cells within
/// [`Rule::HALF`], at most 5, in eight directions.
const CHANGES: usize = 64;

/// A stone counted in a [`State`].
#[derive(Clone)]
struct Counted {
    cell: Cell,
    /// The bits that it flipped in the line words.
    bits: u64,
    /// Number of log entries before it.
    logged: usize,
}

impl State {
    /// Computes the features of a board from scratch.
    pub(super) fn new<R: Rule>(board: &Board<R>, embedding: &Embedding) -> State {
        let mut cells = Box::new([RowPair::ZERO; FRAME]);
        let mut total = [[0; CHANNELS]; 2];
        for cell in board.empty().iter() {
            let mut sum = RowPair::ZERO;
            for dir in DIRECTIONS {
                let number = board.window_number(dir, cell);
                sum.exchange(RowPair::ZERO, *embedding.window(number));
            }
            cells[cell.index()] = sum;
            let mut features = RowPair::ZERO;
            features.add_features(RowPair::ZERO, sum);
            total = add(total, &features);
        }
        let mut sums = Vec::with_capacity(FRAME);
        sums.push(total);
        State {
            base: board.placed(),
            stones: Vec::with_capacity(FRAME),
            sums,
            lines: board.lines().clone(),
            cells,
            log: Log::default(),
            logged: 0,
        }
    }

    /// Adds an offset to the sums of this position and of all later ones.
    #[must_use]
    pub(super) fn with_offset(mut self, offset: &FeatureSums) -> State {
        for sums in &mut self.sums {
            for view in 0..2 {
                for i in 0..CHANNELS {
                    sums[view][i] += offset[view][i];
                }
            }
        }
        self
    }

    /// Takes back the stones after the first `stones` of the board. Returns false if the state
    /// was created after more stones than that; it is then useless.
    #[inline]
    pub(super) fn keep(&mut self, stones: usize) -> bool {
        while self.base + self.stones.len() > stones {
            let Some(stone) = self.stones.pop() else { return false };
            self.sums.pop();
            self.lines.flip(stone.cell, stone.bits);
            // A stone changes a cell once, so the order does not matter.
            let range = stone.logged..self.logged;
            let changes = self.log.cells[range.clone()].iter().zip(&self.log.sums[range]);
            for (cell, sums) in changes {
                self.cells[cell.index()] = *sums;
            }
            self.logged = stone.logged;
        }
        true
    }

    /// Returns the inputs of the first layer for a board. Its stones must begin with those
    /// already counted. Always inlined, so that it is compiled for the vector extension of
    /// each caller (`eval/cpu.rs`).
    #[inline(always)]
    pub(super) fn inputs<R: Rule>(
        &mut self,
        board: &Board<R>,
        embedding: &Embedding,
        to_move: Color,
    ) -> [f32; CHANNELS] {
        let sums = self.sums(board, embedding, to_move);
        let mut inputs = [0.0; CHANNELS];
        for i in 0..CHANNELS {
            inputs[i] = sums[i] as f32 / SUM_SCALE;
        }
        inputs
    }

    /// Returns the sums of the features of a board for a colour to move. The last stone is not
    /// counted in the state: at a leaf of the search it is taken back at once, and the stored
    /// sums would not be used.
    #[inline(always)]
    fn sums<R: Rule>(
        &mut self,
        board: &Board<R>,
        embedding: &Embedding,
        to_move: Color,
    ) -> [i32; CHANNELS] {
        while self.base + self.stones.len() + 1 < board.placed() {
            self.count_next(board, embedding);
        }
        // Never empty: the sums of the first position are never popped.
        let Some(counted) = self.sums.last() else { return [0; CHANNELS] };
        let mut sums = counted[to_move.index()];
        if let Some(stone) = board.stone(self.base + self.stones.len()) {
            let changes = self.changes(board, embedding, stone, to_move);
            for i in 0..CHANNELS {
                sums[i] += i32::from(changes[i]);
            }
        }
        sums
    }

    /// Returns the changes that the board's last stone, the first uncounted one, makes in the
    /// sums for a colour to move.
    #[inline(always)]
    fn changes<R: Rule>(
        &self,
        board: &Board<R>,
        embedding: &Embedding,
        (cell, stone): (Cell, Stone),
        to_move: Color,
    ) -> Row {
        let rotation = 4 * R::HALF as u32;
        let words = DIRECTIONS.map(|dir| board.lines().turned_to(dir, cell).rotate_left(rotation));
        let mut star = Star::new::<R>(cell, words, flipped_bits(stone));
        let own = self.cells[cell.index()].view(to_move);
        let mut changes = with_features([0; CHANNELS], own, [0; CHANNELS]);
        while let Some(Changed { cell, former, number }) = star.next::<R>(board.tables()) {
            let old = self.cells[cell.index()].view(to_move);
            let [before, after] = [former, number].map(|number| embedding.window(number));
            let new = exchanged(old, before.view(to_move), after.view(to_move));
            changes = with_features(changes, old, new);
        }
        changes
    }

    /// Counts the next stone of the board, if there is one.
    #[inline(always)]
    fn count_next<R: Rule>(&mut self, board: &Board<R>, embedding: &Embedding) {
        let Some((cell, stone)) = board.stone(self.base + self.stones.len()) else { return };
        let bits = flipped_bits(stone);
        let words = self.lines.flip_and_turn(cell, bits, 2 * R::HALF);
        if self.log.cells.len() < self.logged + CHANGES {
            self.log.cells.resize(self.logged + FRAME, cell);
            self.log.sums.resize(self.logged + FRAME, RowPair::ZERO);
        }
        let cells = &mut self.cells;
        let log_cells = self.log.cells[self.logged..].first_chunk_mut::<CHANGES>();
        let log_sums = self.log.sums[self.logged..].first_chunk_mut::<CHANGES>();
        // There is room: the log was extended above.
        let (Some(log_cells), Some(log_sums)) = (log_cells, log_sums) else { return };
        let own = std::mem::replace(&mut cells[cell.index()], RowPair::ZERO);
        (log_cells[0], log_sums[0]) = (cell, own);
        let mut count = 1;
        // The sum of the changes fits 16 bits: at most 41 cells change.
        let mut changes = RowPair::ZERO;
        changes.add_features(own, RowPair::ZERO);
        let mut star = Star::new::<R>(cell, words, bits);
        while let Some(Changed { cell, former, number }) = star.next::<R>(board.tables()) {
            let old = cells[cell.index()];
            let mut new = old;
            new.exchange(*embedding.window(former), *embedding.window(number));
            changes.add_features(old, new);
            (log_cells[count % CHANGES], log_sums[count % CHANGES]) = (cell, old);
            count += 1;
            cells[cell.index()] = new;
        }
        if let Some(before) = self.sums.last() {
            self.sums.push(add(*before, &changes));
        }
        self.stones.push(Counted { cell, bits, logged: self.logged });
        self.logged += count;
    }
}

/// Iterator over the empty cells that have a stone in their windows.
struct Star {
    centre: i32,
    /// The lines of the stone, rotated so that the first cell in the windows of the star is
    /// lowest; without the stone and with it.
    words: [[u64; 2]; 4],
    /// One bit for each remaining cell, at its lane (`board/make.rs`).
    open: u64,
}

/// A cell of a [`Star`] and the numbers of its window without the stone and with it.
struct Changed {
    cell: Cell,
    former: u16,
    number: u16,
}

impl Star {
    /// Creates the star of a stone with these bits, given the words of its lines with the
    /// stone, rotated so that the stone is `2 * HALF` cells above the lowest.
    #[inline(always)]
    fn new<R: Rule>(cell: Cell, words: [u64; 4], bits: u64) -> Star {
        Star {
            centre: cell.index() as i32,
            open: empty_lanes(R::HALF, &words),
            words: words.map(|word| [word ^ bits << (4 * R::HALF), word]),
        }
    }

    #[inline(always)]
    fn next<R: Rule>(&mut self, tables: &Tables) -> Option<Changed> {
        if self.open == 0 {
            return None;
        }
        let lane = self.open.trailing_zeros() as usize;
        self.open &= self.open - 1;
        let number = |word: u64| {
            let (back, front) = window_keys(R::HALF, word, lane);
            tables.window_number(back, front)
        };
        let [former, word] = self.words[direction(lane)];
        let index = self.centre + Board::<R>::STAR[lane].offset;
        let cell = Cell::from_index(index as usize);
        Some(Changed { cell, former: number(former), number: number(word) })
    }
}

/// Computes the sums of the features over a board from scratch.
pub(super) fn fresh<R: Rule>(board: &Board<R>, embedding: &Embedding) -> FeatureSums {
    State::new(board, embedding).sums[0]
}

/// Adds changes to sums of features.
#[inline(always)]
fn add(mut sums: FeatureSums, changes: &RowPair) -> FeatureSums {
    for view in 0..2 {
        for i in 0..CHANNELS {
            sums[view][i] += i32::from(changes.0[view * CHANNELS + i]);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use super::*;
    use crate::eval::embedding::window_rows;
    use crate::eval::net::WindowSide;
    use crate::eval::{Eval, Weights};
    use goren_core::rules::{Caro, Freestyle, Renju, RuleId, Setup};
    use goren_core::types::keys::mix;

    /// Returns pseudo-random weights in the range of trained ones.
    fn random(rule: RuleId, mut seed: u64) -> WindowSide {
        let mut side = WindowSide::zero(rule);
        for number in side.rows.iter_mut().chain(&mut *side.layer) {
            seed = mix(seed);
            *number = (seed % 181) as i16 - 80;
        }
        side
    }

    /// The slow twin: the sums of the features from scratch, in the steps of the module
    /// comment.
    fn slow<R: Rule>(board: &Board<R>, sides: &[WindowSide; 2]) -> FeatureSums {
        let rows = window_rows(R::ID);
        Color::ALL.map(|to_move| {
            let feature = |cell: Cell, i: usize| {
                let row = |dir| rows.row(board.window_number(dir, cell), to_move) * CHANNELS + i;
                let side = &sides[to_move.index()];
                DIRECTIONS.iter().map(|&dir| i32::from(side.rows[row(dir)])).sum::<i32>()
            };
            from_fn(|i| board.empty().iter().map(|cell| feature(cell, i).clamp(0, 127)).sum())
        })
    }

    /// Plays stones, walls and takebacks at random and checks the sums now and then.
    fn check<R: Rule>(size: usize) {
        let sides = [random(R::ID, 1), random(R::ID, if R::HAS_FOULS { 2 } else { 1 })];
        let embedding = Embedding::new(R::ID, sides.each_ref().map(|side| &side.rows[..]));
        let mut board = Board::<R>::new(Setup::new(R::ID, size, size).unwrap());
        board.make(Cell::new(0, 0), Color::White);
        let mut state = State::new(&board, &embedding);
        let (mut seed, mut checks) = (7, 0);
        for _ in 0..if cfg!(miri) { 30 } else { 600 } {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % size, (seed >> 20) as usize % size);
            match seed >> 40 & 7 {
                0..3 if board.placed() > 1 => {
                    board.unmake();
                    assert!(state.keep(board.placed()));
                }
                3 if board.is_empty(cell) && seed >> 44 & 7 == 0 => board.make_wall(cell),
                _ if board.is_empty(cell) => board.make(cell, Color::ALL[board.placed() % 2]),
                _ => continue,
            }
            if seed >> 50 & 3 != 0 {
                checks += 1;
                let expected = slow(&board, &sides);
                let sums = Color::ALL.map(|color| state.sums(&board, &embedding, color));
                assert_eq!(sums, expected, "{}", R::ID);
                assert_eq!(State::new(&board, &embedding).sums, [expected]);
            }
        }
        assert!(checks > 10);
        while board.placed() > 0 {
            board.unmake();
        }
        // A state cannot go back to before it was created.
        assert!(!state.keep(0));
    }

    #[test]
    fn incremental_sums_equal_fresh_ones() {
        check::<Freestyle>(15);
        check::<Freestyle>(26);
        check::<Renju>(15);
        check::<Caro>(12);
    }

    /// Adds random window features to the weights of a rule.
    fn with_features(rule: RuleId) -> std::sync::Arc<Weights> {
        let embedded = Weights::embedded(rule);
        let sides = Color::ALL.map(|color| {
            let mut net = embedded.net_side(color).unwrap();
            net.windows = Some(random(rule, 3));
            net
        });
        std::sync::Arc::new(Weights::clone(&embedded).with_net(&sides))
    }

    #[test]
    fn rotated_and_mirrored_boards_have_the_same_score() {
        let weights = with_features(RuleId::Freestyle);
        let boards: [(usize, [usize; 2]); 3] = [(15, [0, 0]), (15, [0, 1]), (15, [1, 0])];
        let scores = boards.map(|(size, [turn, mirror])| {
            let mut board =
                Board::<Freestyle>::new(Setup::new(RuleId::Freestyle, size, size).unwrap());
            for (i, (x, y)) in [(7, 7), (8, 9), (6, 8), (9, 7), (5, 8)].into_iter().enumerate() {
                let (x, y) = if turn == 1 { (y, size - 1 - x) } else { (x, y) };
                let x = if mirror == 1 { size - 1 - x } else { x };
                board.make(Cell::new(x, y), Color::ALL[i % 2]);
            }
            Eval::new(&board, weights.clone()).score(&board, Color::White)
        });
        assert_eq!(scores, [scores[0]; 3]);
        let mut board = Board::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        board.make(Cell::new(7, 7), Color::Black);
        let embedded = Eval::new(&board, Weights::embedded(RuleId::Freestyle));
        let (mut embedded, mut other) = (embedded, Eval::new(&board, weights));
        assert_ne!(embedded.score(&board, Color::White), other.score(&board, Color::White));
    }

    #[test]
    fn an_evaluation_survives_takebacks_of_older_stones() {
        let weights = with_features(RuleId::Renju);
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        for (i, x) in [7, 3, 9, 5].into_iter().enumerate() {
            board.make(Cell::new(x, 7), Color::ALL[i % 2]);
        }
        let mut eval = Eval::new(&board, weights.clone());
        eval.score(&board, Color::Black);
        for (x, y) in [(7, 9), (8, 8), (6, 6)] {
            board.unmake();
            board.unmake();
            eval.keep(board.placed());
            board.make(Cell::new(x, y), Color::Black);
            let fresh = Eval::new(&board, weights.clone()).score(&board, Color::White);
            assert_eq!(eval.score(&board, Color::White), fresh);
        }
    }
}
