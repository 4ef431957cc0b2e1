//! The numbers of the policy net, and what it says of moves.

use std::array::from_fn;

use arrayvec::ArrayVec;

use super::cells::{CHANNELS, CLIP, Cells, Row, STARTS, Views};
use crate::eval::near::{Made, NEAR, looked_up};
use crate::game::MoveList;
use crate::pattern::{Tables, WindowRows};
use goren_core::rules::{Ends, Rule, RuleId, Visitor, with_rule};
use goren_core::types::{Cell, Color, MAX_SIDE, STRIDE};

/// Fractions that rows of windows are counted in.
pub const WINDOW_UNIT: f32 = 127.0;
/// Fractions that the numbers of the convolution are counted in. Its sums, and
/// what is added to them, are in `WINDOW_UNIT * KERNEL_UNIT`s.
pub const KERNEL_UNIT: f32 = 64.0;
/// From the sums of the convolution to [`WINDOW_UNIT`]s, as a shift.
pub const ACTIVATION_SHIFT: u32 = 6;
/// From products of the output to priors, as a shift.
pub const OUTPUT_SHIFT: u32 = 8;
/// From products of the whole board's sums to weights of the output.
pub const GLOBAL_SHIFT: u32 = 14;

/// How far below the best a move may be, before the net is asked, and still be
/// scored by it: 100 multiply the odds of a move by e.
pub const MARGIN: i32 = 600;

/// The numbers for one colour to move, as they stand in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicySide {
    /// By [`WindowRows::row`], one after the other.
    pub windows: Vec<i16>,
    /// Of the cell, of neighbours along rows and columns, along diagonals.
    pub kernel: [i16; 3 * CHANNELS],
    /// The constants of the convolution, and what is added for a place seen from
    /// the last two moves, by [`crate::eval::near::number`].
    pub places: Vec<i16>,
    /// Weights of the output.
    pub output: [i16; CHANNELS],
    /// What the sum of each feature over the board adds to the weights, by
    /// weight.
    pub global: [i16; CHANNELS * CHANNELS],
}

impl PolicySide {
    /// Rows of places, the constants first.
    pub const PLACES: usize = NEAR + 1;

    /// A side of a variant that adds nothing to any move.
    pub fn zero(rule: RuleId) -> PolicySide {
        PolicySide {
            windows: vec![0; rows(rule).count() * CHANNELS],
            kernel: [0; 3 * CHANNELS],
            places: vec![0; PolicySide::PLACES * CHANNELS],
            output: [0; CHANNELS],
            global: [0; CHANNELS * CHANNELS],
        }
    }
}

/// The rows that windows of a variant have.
pub(super) fn rows(rule: RuleId) -> WindowRows {
    struct Rows;
    impl Visitor for Rows {
        type Out = WindowRows;

        fn visit<R: Rule>(self) -> WindowRows {
            Tables::of::<R>().window_rows::<R>()
        }
    }
    with_rule(rule, Rows)
}

/// What decides how windows of a variant are numbered.
fn form(rule: RuleId) -> (usize, Ends) {
    struct Form;

    impl Visitor for Form {
        type Out = (usize, Ends);

        fn visit<R: Rule>(self) -> (usize, Ends) {
            (R::HALF, R::ENDS)
        }
    }

    with_rule(rule, Form)
}

/// The net, laid out for lookups.
#[derive(Clone, PartialEq)]
pub struct PolicyNet {
    /// What decides how windows are numbered: half of a window, and its ends.
    form: (usize, Ends),
    /// By window number: its rows if Black is to move and if White is. Those of
    /// cells that are not empty follow.
    rows_of: Vec<[u16; 2]>,
    /// The numbers of rows for Black to move, those for White unless they are the
    /// same, and a row of zeros.
    rows: Vec<Row>,
    heads: [Head; 2],
}

/// All that follows the windows, for one colour to move.
#[derive(Clone, PartialEq)]
struct Head {
    kernel: [[i32; CHANNELS]; 3],
    /// The constants.
    bias: [i32; CHANNELS],
    places: Box<[Row; NEAR]>,
    output: Row,
    /// By the feature, for each weight.
    global: [Row; CHANNELS],
}

impl PolicyNet {
    /// From the numbers for Black and White.
    ///
    /// # Panics
    /// In debug builds, if they are not of the variant.
    pub fn new(rule: RuleId, sides: &[PolicySide; 2]) -> PolicyNet {
        let by_number = rows(rule);
        let count = by_number.count();
        debug_assert!(sides.iter().all(|side| side.windows.len() == count * CHANNELS));
        // Only fouls make the colours different: other rules share the rows.
        let shared = sides[0].windows == sides[1].windows;
        let different = &sides[..if shared { 1 } else { 2 }];
        let mut rows: Vec<Row> = Vec::with_capacity(different.len() * count + 1);
        rows.extend(different.iter().flat_map(|side| side.windows.as_chunks().0));
        let zeros = rows.len() as u16;
        rows.push([0; CHANNELS]);
        let of = |number: u16| {
            let white = if shared { 0 } else { count };
            let [black_row, white_row] = Color::ALL.map(|color| by_number.row(number, color));
            [black_row as u16, (white + white_row) as u16]
        };
        let rows_of = (0..by_number.windows() as u16).map(of).chain([[zeros; 2]]).collect();
        PolicyNet { form: form(rule), rows_of, rows, heads: sides.each_ref().map(Head::new) }
    }

    /// Whether boards of a rule number their windows as this net does. A rule may
    /// borrow the weights of another that sees more or less of a line.
    #[inline]
    pub(in crate::eval) fn fits<R: Rule>(&self) -> bool {
        self.form == (R::HALF, R::ENDS)
    }

    /// The numbers for a colour to move.
    pub fn side(&self, rule: RuleId, color: Color) -> PolicySide {
        let rows = rows(rule);
        let mut side = PolicySide::zero(rule);
        for number in 0..rows.windows() as u16 {
            let first = rows.row(number, color) * CHANNELS;
            let at = self.rows_of[usize::from(number)][color.index()];
            side.windows[first..][..CHANNELS].copy_from_slice(&self.rows[usize::from(at)]);
        }
        let head = &self.heads[color.index()];
        side.kernel = from_fn(|at| head.kernel[at / CHANNELS][at % CHANNELS] as i16);
        let (bias, places) = side.places.split_at_mut(CHANNELS);
        bias.copy_from_slice(&head.bias.map(|number| number as i16));
        places.copy_from_slice(head.places.as_flattened());
        side.output = head.output;
        side.global = from_fn(|at| head.global[at % CHANNELS][at / CHANNELS]);
        side
    }

    /// The number that stands for cells that are not empty.
    #[inline]
    pub(super) fn none(&self) -> u16 {
        (self.rows_of.len() - 1) as u16
    }

    /// What a window adds.
    #[inline(always)]
    pub(super) fn window(&self, number: u16) -> Views {
        let [black, white] = self.rows_of[usize::from(number)];
        Views::of([&self.rows[usize::from(black)], &self.rows[usize::from(white)]])
    }

    /// Adds what the net says to the scores of moves of `to_move`, given the
    /// features of all cells and the last two moves. Moves more than [`MARGIN`]
    /// below the best are not scored: they get the smallest correction of those
    /// that are, and so stay behind.
    #[inline(always)]
    pub(super) fn score(
        &self,
        cells: &Cells,
        to_move: Color,
        last: [Option<Made>; 2],
        moves: &mut MoveList,
    ) {
        let head = &self.heads[to_move.index()];
        let weights = head.weights(cells.sums());
        let best = moves.iter().map(|entry| entry.score).max().unwrap_or(0);
        let mut unscored = ArrayVec::<u16, { MAX_SIDE * MAX_SIDE }>::new();
        let mut least = i32::MAX;
        for i in 0..moves.len() {
            let entry = &mut moves[i];
            if entry.score < best - MARGIN {
                unscored.push(i as u16);
                continue;
            }
            let more = head.prior(cells, &weights, last, entry.m.cell());
            entry.score += more;
            least = least.min(more);
        }
        for i in unscored {
            moves[usize::from(i)].score += least;
        }
    }
}

impl Head {
    fn new(side: &PolicySide) -> Head {
        let mut places = Box::new([[0; CHANNELS]; NEAR]);
        places.as_flattened_mut().copy_from_slice(&side.places[CHANNELS..]);
        Head {
            kernel: from_fn(|at| from_fn(|i| side.kernel[at * CHANNELS + i].into())),
            bias: from_fn(|i| side.places[i].into()),
            places,
            output: side.output,
            global: from_fn(|feature| from_fn(|w| side.global[w * CHANNELS + feature])),
        }
    }

    /// The weights of the output on a board with these sums of features.
    #[inline(always)]
    fn weights(&self, sums: &[i32; CHANNELS]) -> [i32; CHANNELS] {
        let mut weights = [0_i64; CHANNELS];
        for j in 0..CHANNELS {
            for i in 0..CHANNELS {
                weights[i] += i64::from(self.global[j][i]) * i64::from(sums[j]);
            }
        }
        let most = i64::from(i32::MAX) / (CHANNELS as i64 * i64::from(CLIP)) / 2;
        let mut out = [0; CHANNELS];
        for i in 0..CHANNELS {
            let weight = i64::from(self.output[i]) + (weights[i] >> GLOBAL_SHIFT);
            out[i] = weight.clamp(-most, most) as i32;
        }
        out
    }

    /// What a move is worth beyond its prior.
    #[inline(always)]
    fn prior(
        &self,
        cells: &Cells,
        weights: &[i32; CHANNELS],
        last: [Option<Made>; 2],
        cell: Cell,
    ) -> i32 {
        let at = STARTS + cell.index();
        let edges = cells.four(at, [1, STRIDE]);
        let corners = cells.four(at, [STRIDE + 1, STRIDE - 1]);
        let [middle, edge, corner] = &self.kernel;
        let center = cells.at(at);
        let mut sums = [0_i32; CHANNELS];
        for i in 0..CHANNELS {
            sums[i] = self.bias[i]
                + middle[i] * i32::from(center[i])
                + edge[i] * i32::from(edges[i])
                + corner[i] * i32::from(corners[i]);
        }
        for own in [false, true] {
            if let Some(made) = last[usize::from(own)] {
                let row = &self.places[looked_up(own, made, cell)];
                for i in 0..CHANNELS {
                    sums[i] += i32::from(row[i]);
                }
            }
        }
        let mut total = 0;
        for i in 0..CHANNELS {
            total += (sums[i] >> ACTIVATION_SHIFT).clamp(0, CLIP.into()) * weights[i];
        }
        total >> OUTPUT_SHIFT
    }
}
