//! A small net that mends the sums: rows of numbers for the codes of all empty
//! cells are added up, and two hidden layers read the sums, the threats and
//! what the evaluation is without it.
//!
//! The rows are kept up to date like the other sums; only the two layers are
//! worked out anew for each position. All steps are done in a fixed order in
//! IEEE single precision, so that every machine finds the same number.

use std::array::from_fn;
use std::sync::Arc;

use super::cpu;
use super::weights::{TABLE, THREATS, shared};
use crate::pattern::CODES;
use crate::types::Color;

/// Numbers of a code, and sums of a colour to move.
pub const WIDTH: usize = 16;
/// Cells of the first hidden layer.
pub const FIRST: usize = 32;
/// Cells of the second hidden layer.
pub const SECOND: usize = 16;
/// Threats that the first layer sees one by one.
pub const BITS: usize = THREATS.ilog2() as usize;
/// Inputs of the first layer: the sums, the evaluation without the net, the
/// threats, and the constant 1.
pub const INPUTS: usize = WIDTH + 1 + BITS + 1;
/// Numbers of the layers: rows by input of the first, rows by input of the
/// second and its constants, those of the output and its constant.
pub const HEAD: usize = INPUTS * FIRST + (FIRST + 1) * SECOND + SECOND + 1;
/// Numbers of all codes.
pub const ROWS: usize = CODES * WIDTH;
/// Fractions that the numbers of codes are counted in. Sums over a board must
/// fit 16 bits, which vector instructions everywhere add eight at a time; they
/// lie within 16 by far.
pub const ROW_UNIT: f32 = 2048.0;
/// Fractions that the numbers of the layers are counted in.
pub const HEAD_UNIT: f32 = 2048.0;
/// Points of one at the output, and of one at the evaluation's input.
pub const POINTS: f32 = 200.0;
/// Largest input from the evaluation without the net, either way.
pub const LARGEST: f32 = 8.0;

/// The numbers of one colour, as they stand in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetSide {
    /// By the colour's codes if it is to move, in [`ROW_UNIT`]s.
    pub to_move: Box<[i16; ROWS]>,
    /// By the colour's codes if the enemy is to move, likewise.
    pub waiting: Box<[i16; ROWS]>,
    /// The layers if the colour is to move, in [`HEAD_UNIT`]s.
    pub head: Box<[i16; HEAD]>,
}

impl NetSide {
    /// Adds nothing to any evaluation.
    pub fn zero() -> NetSide {
        NetSide {
            to_move: Box::new([0; ROWS]),
            waiting: Box::new([0; ROWS]),
            head: Box::new([0; HEAD]),
        }
    }
}

/// Sums over the empty cells, by the colour to move.
pub(super) type Sums = [[i16; WIDTH]; 2];

/// What a code adds: if its colour is to move, and if the enemy is. In a cache
/// line of its own.
#[derive(Copy, Clone, PartialEq)]
#[repr(align(64))]
struct Row([[i16; WIDTH]; 2]);

/// The net, laid out for lookups.
#[derive(Clone, PartialEq)]
pub(super) struct Net {
    /// By the colour whose code it is.
    rows: [Arc<[Row; TABLE]>; 2],
    heads: [Layers; 2],
}

/// The layers for one colour to move.
#[derive(Clone, PartialEq)]
pub struct Layers {
    first: [[f32; FIRST]; INPUTS],
    second: [[f32; SECOND]; FIRST + 1],
    last: [f32; SECOND + 1],
}

impl Layers {
    /// From numbers in the order of [`HEAD`].
    ///
    /// # Panics
    /// There are fewer.
    pub fn new(numbers: &[f32]) -> Layers {
        let (first, rest) = numbers.split_at(INPUTS * FIRST);
        let (second, last) = rest.split_at((FIRST + 1) * SECOND);
        Layers {
            first: from_fn(|i| from_fn(|j| first[i * FIRST + j])),
            second: from_fn(|i| from_fn(|j| second[i * SECOND + j])),
            last: from_fn(|i| last[i]),
        }
    }

    /// The output for sums, the evaluation without the net in [`POINTS`], and
    /// the threats.
    #[inline(always)]
    pub fn output(&self, sums: &[f32; WIDTH], evaluation: f32, mut threats: usize) -> f32 {
        let mut first = self.first[INPUTS - 1];
        for (row, &sum) in self.first.iter().zip(sums) {
            add(&mut first, row, sum);
        }
        add(&mut first, &self.first[WIDTH], evaluation.clamp(-LARGEST, LARGEST));
        while threats != 0 {
            let bit = threats.trailing_zeros() as usize % BITS;
            add(&mut first, &self.first[WIDTH + 1 + bit], 1.0);
            threats &= threats - 1;
        }
        let mut second = self.second[FIRST];
        for (row, cell) in self.second.iter().zip(first) {
            add(&mut second, row, cell.max(0.0));
        }
        let start = self.last[SECOND];
        second.iter().zip(&self.last).fold(start, |sum, (cell, w)| sum + cell.max(0.0) * w)
    }
}

/// Adds a row of weights times an input. No closure: that would be compiled
/// without the vectors of its caller.
#[inline(always)]
fn add<const N: usize>(cells: &mut [f32; N], row: &[f32; N], by: f32) {
    for i in 0..N {
        cells[i] += row[i] * by;
    }
}

/// Takes two rows off the sums, and adds two.
#[inline(always)]
fn exchange(sums: &mut [i16; WIDTH], was: [&[i16; WIDTH]; 2], is: [&[i16; WIDTH]; 2]) {
    for i in 0..WIDTH {
        let (more, less) = (is[0][i].wrapping_add(is[1][i]), was[0][i].wrapping_add(was[1][i]));
        sums[i] = sums[i].wrapping_add(more.wrapping_sub(less));
    }
}

impl Net {
    /// From the numbers of Black and White.
    pub(super) fn new(sides: &[NetSide; 2]) -> Net {
        let rows = |side: &NetSide| {
            let mut rows = vec![Row([[0; WIDTH]; 2]); TABLE].into_boxed_slice();
            for (code, row) in rows.iter_mut().enumerate().take(CODES) {
                let numbers = |table: &[i16; ROWS]| from_fn(|i| table[code * WIDTH + i]);
                row.0 = [numbers(&side.to_move), numbers(&side.waiting)];
            }
            // The length is right, so that this never takes the zeros.
            rows.try_into().unwrap_or_else(|_| Box::new([Row([[0; WIDTH]; 2]); TABLE]))
        };
        let head = |side: &NetSide| Layers::new(&side.head.map(|n| f32::from(n) / HEAD_UNIT));
        Net { rows: shared(sides.each_ref().map(rows)), heads: sides.each_ref().map(head) }
    }

    /// The numbers of a colour.
    pub(super) fn side(&self, color: Color) -> NetSide {
        let rows = &self.rows[color.index()];
        let head = &self.heads[color.index()];
        let numbers = head.first.as_flattened().iter().chain(head.second.as_flattened());
        let mut side = NetSide::zero();
        for (entry, number) in side.head.iter_mut().zip(numbers.chain(&head.last)) {
            *entry = (number * HEAD_UNIT) as i16;
        }
        for at in 0..ROWS {
            let Row([to_move, waiting]) = rows[at / WIDTH];
            side.to_move[at] = to_move[at % WIDTH];
            side.waiting[at] = waiting[at % WIDTH];
        }
        side
    }

    /// A cell had the codes `old` and now has `new`. Both colours at once: each
    /// sum is read and written only once.
    #[inline(always)]
    pub(super) fn change(&self, sums: &mut Sums, old: [u16; 2], new: [u16; 2]) {
        let rows = |codes: [u16; 2]| [0, 1].map(|c| &self.rows[c][codes[c] as usize % TABLE].0);
        let (was, is) = (rows(old), rows(new));
        let [black, white] = sums;
        exchange(black, [&was[0][0], &was[1][1]], [&is[0][0], &is[1][1]]);
        exchange(white, [&was[0][1], &was[1][0]], [&is[0][1], &is[1][0]]);
    }

    /// Points to add to an evaluation.
    #[inline]
    pub(super) fn points(&self, sums: &Sums, to_move: Color, base: i32, threats: usize) -> i32 {
        let c = to_move.index();
        let sums = sums[c].map(|sum| f32::from(sum) / ROW_UNIT);
        (cpu::output(&self.heads[c], &sums, base as f32 / POINTS, threats) * POINTS) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_what_the_formula_says() {
        let number = |i: usize| ((i * 37 % 101) as f32 - 50.0) / 64.0;
        let numbers: Vec<f32> = (0..HEAD).map(number).collect();
        let sums: [f32; WIDTH] = from_fn(|i| number(i * 7 + 3));
        let (evaluation, threats) = (1.25, 0b100_0010_1001);
        let mut inputs = sums.to_vec();
        inputs.push(evaluation);
        inputs.extend((0..BITS).map(|bit| (threats >> bit & 1) as f32));
        inputs.push(1.0);
        let layer = |inputs: &[f32], start: usize, width: usize| -> Vec<f64> {
            let weight = |i: usize, j: usize| f64::from(number(start + i * width + j));
            let cell =
                |j| inputs.iter().enumerate().map(|(i, &x)| f64::from(x) * weight(i, j)).sum();
            (0..width).map(cell).collect()
        };
        let relu = |cells: Vec<f64>| -> Vec<f32> {
            cells.iter().map(|&c| c.max(0.0) as f32).chain([1.0]).collect()
        };
        let first = relu(layer(&inputs, 0, FIRST));
        let second = relu(layer(&first, INPUTS * FIRST, SECOND));
        let expected = layer(&second, INPUTS * FIRST + (FIRST + 1) * SECOND, 1)[0];
        let found = f64::from(Layers::new(&numbers).output(&sums, evaluation, threats));
        assert!((found - expected).abs() < 1e-3 * expected.abs().max(1.0), "{found} {expected}");
    }
}
