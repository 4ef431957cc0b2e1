//! Accumulators of the policy net: the sums of the rows of each cell's windows. They
//! are updated incrementally and lazily, only when a move list is scored: most nodes
//! never need them.

use std::mem::replace;

use super::cells::Cells;
use super::net::PolicyNet;
use crate::board::Board;
use crate::board::make::{direction, empty_lanes, window_keys};
use crate::eval::embedding::RowPair;
use crate::eval::near::EarlierMove;
use crate::eval::windows::FeatureSums;
use crate::game::MoveList;
use goren_core::rules::Rule;
use goren_core::types::{Cell, Color, DIRECTIONS, FRAME, Stone};

/// Accumulators of all cells, for the position scored last.
#[derive(Clone)]
pub struct State {
    /// The stones of that position, in the order they were placed.
    stones: Vec<(Cell, Stone)>,
    /// Window numbers of each cell by direction.
    numbers: Box<[[u16; 4]; FRAME]>,
    sums: Box<[RowPair; FRAME]>,
    cells: Cells,
}

impl State {
    /// Computes the accumulators of a board from scratch. `offset` is added to the sums over
    /// the board (`eval/size_offset.rs`).
    pub fn new<R: Rule>(board: &Board<R>, net: &PolicyNet, offset: &FeatureSums) -> State {
        let mut state = State {
            stones: board.stones().collect(),
            numbers: Box::new([[net.embedding.none(); 4]; FRAME]),
            sums: Box::new([RowPair::ZERO; FRAME]),
            cells: Cells::new(offset),
        };
        for cell in board.empty().iter() {
            for dir in DIRECTIONS {
                state.set_window(net, cell, dir as usize, board.window_number(dir, cell));
            }
        }
        state
    }

    /// Adds the output of the net to the scores of moves. Always inlined, so that it is
    /// compiled for the vector extension of each caller (`eval/cpu.rs`).
    #[inline(always)]
    pub(crate) fn score<R: Rule>(
        &mut self,
        board: &Board<R>,
        net: &PolicyNet,
        to_move: Color,
        last: [Option<EarlierMove>; 2],
        moves: &mut MoveList,
    ) {
        self.catch_up(board, net);
        let setup = board.setup();
        self.cells.fill(&self.sums, to_move.index(), setup.width, setup.height);
        net.score(&self.cells, to_move, last, moves);
    }

    /// Brings the accumulators up to date with a board: the windows around all stones
    /// placed or taken back since the last call.
    #[inline(always)]
    fn catch_up<R: Rule>(&mut self, board: &Board<R>, net: &PolicyNet) {
        let same = self.stones.iter().copied().zip(board.stones()).take_while(|(a, b)| a == b);
        let same = same.count();
        while self.stones.len() > same {
            if let Some((cell, _)) = self.stones.pop() {
                self.update_around(board, net, cell);
            }
        }
        for (cell, stone) in board.stones().skip(same) {
            self.stones.push((cell, stone));
            self.update_around(board, net, cell);
        }
    }

    /// Updates all windows that contain a cell. They are stretches of its four lines, which
    /// are rotated once.
    #[inline(always)]
    fn update_around<R: Rule>(&mut self, board: &Board<R>, net: &PolicyNet, cell: Cell) {
        if !board.is_empty(cell) {
            for dir in 0..4 {
                self.set_window(net, cell, dir, net.embedding.none());
            }
        }
        let rotation = 4 * R::HALF as u32;
        let words = DIRECTIONS.map(|dir| board.lines().turned_to(dir, cell).rotate_left(rotation));
        // If the cell is empty, four of the lanes are its own.
        let mut open = empty_lanes(R::HALF, &words);
        while open != 0 {
            let lane = open.trailing_zeros() as usize;
            open &= open - 1;
            let dir = direction(lane);
            let (back, front) = window_keys(R::HALF, words[dir], lane);
            let number = board.tables().window_number(back, front);
            let index = cell.index() as i32 + Board::<R>::STAR[lane].offset;
            self.set_window(net, Cell::from_index(index as usize), dir, number);
        }
    }

    /// Sets the number of the window of a cell in one direction.
    #[inline(always)]
    fn set_window(&mut self, net: &PolicyNet, cell: Cell, dir: usize, number: u16) {
        let old = replace(&mut self.numbers[cell.index()][dir], number);
        self.sums[cell.index()].exchange(*net.embedding.window(old), *net.embedding.window(number));
    }
}
