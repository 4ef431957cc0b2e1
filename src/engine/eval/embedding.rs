//! Embedding of line windows: a row of [`CHANNELS`] numbers for every window, as the side
//! to move sees it. The policy net and the window features of the evaluation network have
//! one each.
//!
//! Windows are lossless for both colours (`pattern/rows.rs`), and mirror images share a
//! row. The rows of the four windows of a cell are summed and clipped to `0..=CLIP`.
//!
//! Loops run over indices: closures, which iterators need, are not inlined into functions
//! compiled for a vector extension and are compiled without it.

#![allow(clippy::needless_range_loop)]

use goren_core::rules::{Ends, Rule, RuleId, Visitor, with_rule};
use goren_core::types::Color;

use crate::pattern::{Tables, WindowRows};

/// Number of features of a cell.
pub const CHANNELS: usize = 16;
/// Upper bound of features, in [`WINDOW_SCALE`]ths; the lower bound is 0.
pub const CLIP: i16 = 127;
/// Quantisation scale of rows of windows and of features: 1.0 is stored as 127.
pub const WINDOW_SCALE: f32 = 127.0;
/// One number per channel: of a cell, a window or a place.
pub(super) type Row = [i16; CHANNELS];

/// The row of a window, or the sum of rows of a cell, first if Black is to move, then
/// if White is: one cache line.
#[derive(Copy, Clone, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct RowPair(pub(super) [i16; 2 * CHANNELS]);

impl RowPair {
    pub(super) const ZERO: RowPair = RowPair([0; 2 * CHANNELS]);

    /// From the rows with Black and with White to move.
    #[inline(always)]
    fn of([black, white]: [&Row; 2]) -> RowPair {
        let mut views = [0; 2 * CHANNELS];
        views[..CHANNELS].copy_from_slice(black);
        views[CHANNELS..].copy_from_slice(white);
        RowPair(views)
    }

    /// Subtracts `was` and adds `is`. They are passed by value and `self` is copied:
    /// behind references the compiler cannot rule out aliasing and does not vectorise.
    #[inline(always)]
    pub(super) fn exchange(&mut self, was: RowPair, is: RowPair) {
        let mut sums = self.0;
        for i in 0..2 * CHANNELS {
            sums[i] = sums[i].wrapping_add(is.0[i].wrapping_sub(was.0[i]));
        }
        self.0 = sums;
    }

    /// Adds to each sum the feature that a cell has now, less the one that it `was`.
    #[inline(always)]
    pub(super) fn add_features(&mut self, was: RowPair, is: RowPair) {
        let mut sums = self.0;
        for i in 0..2 * CHANNELS {
            let change = is.0[i].clamp(0, CLIP) - was.0[i].clamp(0, CLIP);
            sums[i] = sums[i].wrapping_add(change);
        }
        self.0 = sums;
    }
}

/// The rows of a rule's windows.
pub(super) fn window_rows(rule: RuleId) -> WindowRows {
    struct Rows;

    impl Visitor for Rows {
        type Out = WindowRows;

        fn visit<R: Rule>(self) -> WindowRows {
            Tables::of::<R>().window_rows::<R>()
        }
    }

    with_rule(rule, Rows)
}

/// What determines how windows of a rule are numbered: [`Rule::HALF`] and
/// [`Rule::ENDS`].
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

/// An embedding for both colours to move, laid out for lookups.
#[derive(Clone, PartialEq)]
pub(super) struct Embedding {
    /// How the windows are numbered; see [`form`].
    form: (usize, Ends),
    /// By window number: index into `rows` if Black is to move, and if White is. The
    /// last entry stands for cells that are not empty.
    rows_of: Vec<[u16; 2]>,
    /// The rows for Black to move, those for White unless they are equal, and a row of
    /// zeros. Pairs of rows by window number would be faster to read, and take several
    /// times the memory.
    rows: Vec<Row>,
}

impl Embedding {
    /// From the rows for Black and for White to move: [`WindowRows::count`] rows of
    /// [`CHANNELS`] entries each.
    ///
    /// # Panics
    /// In debug builds, if their number is not that of the rule.
    pub(super) fn new(rule: RuleId, sides: [&[i16]; 2]) -> Embedding {
        let by_number = window_rows(rule);
        let count = by_number.count();
        debug_assert!(sides.iter().all(|side| side.len() == count * CHANNELS));
        // The embeddings of the colours differ only if one has fouls; otherwise they
        // are stored once.
        let shared = sides[0] == sides[1];
        let different = &sides[..if shared { 1 } else { 2 }];
        let mut rows: Vec<Row> = Vec::with_capacity(different.len() * count + 1);
        rows.extend(different.iter().flat_map(|side| side.as_chunks().0));
        let zeros = rows.len() as u16;
        rows.push([0; CHANNELS]);
        let of = |number: u16| {
            let white = if shared { 0 } else { count };
            let [black_row, white_row] = Color::ALL.map(|color| by_number.row(number, color));
            [black_row as u16, (white + white_row) as u16]
        };
        let rows_of = (0..by_number.windows() as u16).map(of).chain([[zeros; 2]]).collect();
        Embedding { form: form(rule), rows_of, rows }
    }

    /// Whether boards of rule `R` number their windows as this embedding does. A rule
    /// that uses the weights of another may have longer or shorter windows than that.
    #[inline]
    pub(super) fn fits<R: Rule>(&self) -> bool {
        self.form == (R::HALF, R::ENDS)
    }

    /// The rows for a colour to move, as stored in a file.
    pub(super) fn side(&self, rule: RuleId, color: Color) -> Vec<i16> {
        let rows = window_rows(rule);
        let mut side = vec![0; rows.count() * CHANNELS];
        for number in 0..rows.windows() as u16 {
            let first = rows.row(number, color) * CHANNELS;
            let at = self.rows_of[usize::from(number)][color.index()];
            side[first..][..CHANNELS].copy_from_slice(&self.rows[usize::from(at)]);
        }
        side
    }

    /// The window number that stands for a cell that is not empty.
    #[inline]
    pub(super) fn none(&self) -> u16 {
        (self.rows_of.len() - 1) as u16
    }

    /// The rows of a window, for either colour to move.
    #[inline(always)]
    pub(super) fn window(&self, number: u16) -> RowPair {
        let [black, white] = self.rows_of[usize::from(number)];
        RowPair::of([&self.rows[usize::from(black)], &self.rows[usize::from(white)]])
    }
}
