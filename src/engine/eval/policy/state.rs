//! The features of all cells, brought up to date when a move list is to be
//! ordered and not before: at most nodes nobody asks.

use std::mem::replace;

use super::net::{CHANNELS, CLIP, PolicyNet, Row, Views};
use crate::board::Board;
use crate::eval::cpu;
use crate::eval::near::Made;
use crate::game::MoveList;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, FRAME, STRIDE, Stone};

/// Where cell 0 is among [`Cells`]: room for a row above it.
pub(super) const STARTS: usize = 2 * STRIDE;

/// The clipped features of all cells of a board, zeros around it.
#[derive(Clone)]
pub(super) struct Cells {
    rows: Box<[Row; STARTS + FRAME + STARTS]>,
    sums: [i32; CHANNELS],
}

impl Cells {
    fn new() -> Cells {
        Cells { rows: Box::new([[0; CHANNELS]; STARTS + FRAME + STARTS]), sums: [0; CHANNELS] }
    }

    /// Sums over the board.
    #[inline(always)]
    pub(super) fn sums(&self) -> &[i32; CHANNELS] {
        &self.sums
    }

    /// The features of a cell.
    #[inline(always)]
    pub(super) fn at(&self, at: usize) -> &Row {
        &self.rows[at]
    }

    /// The features of the cells that lie so far before and after a cell.
    #[inline(always)]
    pub(super) fn four(&self, at: usize, far: [usize; 2]) -> Row {
        let [a, b] = far;
        let mut sum = [0; CHANNELS];
        for i in 0..CHANNELS {
            sum[i] = self.rows[at - a][i]
                + self.rows[at + a][i]
                + self.rows[at - b][i]
                + self.rows[at + b][i];
        }
        sum
    }

    /// Takes them from the sums of a board of some size.
    #[inline(always)]
    fn fill(&mut self, sums: &[Views; FRAME], view: usize, width: usize, height: usize) {
        self.sums = [0; CHANNELS];
        for y in 0..height {
            // The sums of a row of a board fit sixteen bits.
            let mut total: Row = [0; CHANNELS];
            for x in 0..width {
                let at = y * STRIDE + x;
                let Views(views) = &sums[at];
                let row = &mut self.rows[STARTS + at];
                for i in 0..CHANNELS {
                    row[i] = views[view * CHANNELS + i].clamp(0, CLIP);
                    total[i] += row[i];
                }
            }
            for i in 0..CHANNELS {
                self.sums[i] += i32::from(total[i]);
            }
        }
    }
}

/// The sums of rows of every cell, for the stones that they were last asked for.
#[derive(Clone)]
pub struct State {
    /// The stones they are for.
    stones: Vec<(Cell, Stone)>,
    /// Window numbers by direction.
    numbers: Box<[[u16; 4]; FRAME]>,
    sums: Box<[Views; FRAME]>,
    cells: Cells,
}

impl State {
    /// Of a board as it stands.
    pub fn new<R: Rule>(board: &Board<R>, net: &PolicyNet) -> State {
        let mut state = State {
            stones: board.stones().collect(),
            numbers: Box::new([[net.none(); 4]; FRAME]),
            sums: Box::new([Views::ZERO; FRAME]),
            cells: Cells::new(),
        };
        for cell in board.empty().iter() {
            for dir in 0..4 {
                state.see(board, net, cell, dir);
            }
        }
        state
    }

    /// Adds what the net says to the scores of moves.
    #[inline]
    pub fn score<R: Rule>(
        &mut self,
        board: &Board<R>,
        net: &PolicyNet,
        to_move: Color,
        last: [Option<Made>; 2],
        moves: &mut MoveList,
    ) {
        cpu::policy(self, board, net, to_move, last, moves);
    }

    /// [`State::score`], compiled where it is called.
    #[inline(always)]
    pub(crate) fn score_here<R: Rule>(
        &mut self,
        board: &Board<R>,
        net: &PolicyNet,
        to_move: Color,
        last: [Option<Made>; 2],
        moves: &mut MoveList,
    ) {
        self.catch_up(board, net);
        let setup = board.setup();
        self.cells.fill(&self.sums, to_move.index(), setup.width, setup.height);
        net.score(&self.cells, to_move, last, moves);
    }

    /// Brings the sums up to date with a board: the windows around all stones
    /// that came or went are looked at anew.
    #[inline(always)]
    fn catch_up<R: Rule>(&mut self, board: &Board<R>, net: &PolicyNet) {
        let same = self.stones.iter().copied().zip(board.stones()).take_while(|(a, b)| a == b);
        let same = same.count();
        while self.stones.len() > same {
            if let Some((cell, _)) = self.stones.pop() {
                self.see_around(board, net, cell);
            }
        }
        for (cell, stone) in board.stones().skip(same) {
            self.stones.push((cell, stone));
            self.see_around(board, net, cell);
        }
    }

    /// Looks at all windows that a cell is in.
    #[inline(always)]
    fn see_around<R: Rule>(&mut self, board: &Board<R>, net: &PolicyNet, cell: Cell) {
        let half = R::HALF as i32;
        for (dir, direction) in DIRECTIONS.into_iter().enumerate() {
            for step in -half..=half {
                let at = cell.step(direction, step);
                if step == 0 || board.is_empty(at) {
                    self.see(board, net, at, dir);
                }
            }
        }
    }

    /// Looks at the window of a cell in one direction.
    #[inline(always)]
    fn see<R: Rule>(&mut self, board: &Board<R>, net: &PolicyNet, cell: Cell, dir: usize) {
        let number = match board.is_empty(cell) {
            true => board.window_number(DIRECTIONS[dir], cell),
            false => net.none(),
        };
        let old = replace(&mut self.numbers[cell.index()][dir], number);
        self.sums[cell.index()].exchange(net.window(old), net.window(number));
    }
}
