//! Embedding of line windows: a row of [`CHANNELS`] numbers for every window, as the side
//! to move sees it. The policy net and the window features of the evaluation network have
//! their own embeddings.
//!
//! Windows are lossless for both colours (`pattern/rows.rs`), and mirror images share a
//! row. The rows of the four windows of a cell are summed and clipped to `0..=CLIP`.
//!
//! Loops run over indices: iterators need closures, which are not inlined into functions
//! compiled for a vector extension and so are compiled without it.

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
/// One number per channel, for a cell, a window or a place.
pub(super) type Row = [i16; CHANNELS];

/// The row of a window, or the sum of the rows of a cell: with Black to move, then with
/// White to move. One cache line.
#[derive(Copy, Clone, PartialEq, Debug)]
#[repr(align(64))]
pub(super) struct RowPair(pub(super) [i16; 2 * CHANNELS]);

impl RowPair {
    pub(super) const ZERO: RowPair = RowPair([0; 2 * CHANNELS]);

    /// Joins the rows with Black and with White to move.
    #[inline(always)]
    fn of([black, white]: [&Row; 2]) -> RowPair {
        let mut views = [0; 2 * CHANNELS];
        views[..CHANNELS].copy_from_slice(black);
        views[CHANNELS..].copy_from_slice(white);
        RowPair(views)
    }

    /// Returns the row with a colour to move.
    #[inline(always)]
    pub(super) fn view(&self, to_move: Color) -> Row {
        let mut row = [0; CHANNELS];
        for i in 0..CHANNELS {
            row[i] = self.0[to_move.index() * CHANNELS + i];
        }
        row
    }

    /// Applies [`exchanged`] for both colours to move.
    #[inline(always)]
    pub(super) fn exchange(&mut self, old: RowPair, new: RowPair) {
        self.0 = exchanged(self.0, old.0, new.0);
    }

    /// Applies [`with_features`] for both colours to move.
    #[inline(always)]
    pub(super) fn add_features(&mut self, old: RowPair, new: RowPair) {
        self.0 = with_features(self.0, old.0, new.0);
    }
}

/// Replaces the row `old` by the row `new` in sums of rows. Arrays are passed by value:
/// behind references the compiler cannot rule out aliasing and does not vectorise.
#[inline(always)]
pub(super) fn exchanged<const N: usize>(
    mut sums: [i16; N],
    old: [i16; N],
    new: [i16; N],
) -> [i16; N] {
    for i in 0..N {
        sums[i] = sums[i].wrapping_add(new[i].wrapping_sub(old[i]));
    }
    sums
}

/// Updates sums of features after one cell has changed. `old` and `new` are the sums of the
/// rows of the cell before and after; clipped, they are its features.
#[inline(always)]
pub(super) fn with_features<const N: usize>(
    mut sums: [i16; N],
    old: [i16; N],
    new: [i16; N],
) -> [i16; N] {
    for i in 0..N {
        let change = new[i].clamp(0, CLIP) - old[i].clamp(0, CLIP);
        sums[i] = sums[i].wrapping_add(change);
    }
    sums
}

/// Returns the rows of a rule's windows.
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

/// Returns the constants that determine how the windows of a rule are numbered:
/// [`Rule::HALF`] and [`Rule::ENDS`].
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
    /// By window number: index into `rows`. The last entry stands for cells that are not
    /// empty.
    rows_of: Vec<u16>,
    /// By the file's row for Black to move: the rows of its windows for either colour to
    /// move. The last entry is zero.
    rows: Vec<RowPair>,
}

impl Embedding {
    /// Creates an embedding from the rows for Black and for White to move:
    /// [`WindowRows::count`] rows of [`CHANNELS`] entries each.
    ///
    /// # Panics
    /// In debug builds, if the number of rows does not fit the rule.
    pub(super) fn new(rule: RuleId, sides: [&[i16]; 2]) -> Embedding {
        let by_number = window_rows(rule);
        let count = by_number.count();
        debug_assert!(sides.iter().all(|side| side.len() == count * CHANNELS));
        let mut rows = vec![RowPair::ZERO; count + 1];
        let mut rows_of = vec![count as u16; by_number.windows() + 1];
        for number in 0..by_number.windows() as u16 {
            // Windows that share a row for Black to move share one for White.
            let at = Color::ALL.map(|color| by_number.row(number, color));
            let row = |color: usize| &sides[color].as_chunks().0[at[color]];
            rows[at[0]] = RowPair::of([row(0), row(1)]);
            rows_of[usize::from(number)] = at[0] as u16;
        }
        Embedding { form: form(rule), rows_of, rows }
    }

    /// Whether boards of rule `R` number their windows as this embedding does. This holds
    /// for every rule with the weights that it uses ([`Rule::HALF`]).
    #[inline]
    pub(super) fn fits<R: Rule>(&self) -> bool {
        self.form == (R::HALF, R::ENDS)
    }

    /// Returns the rows for a colour to move, as stored in a file.
    pub(super) fn side(&self, rule: RuleId, color: Color) -> Vec<i16> {
        let rows = window_rows(rule);
        let mut side = vec![0; rows.count() * CHANNELS];
        for number in 0..rows.windows() as u16 {
            let first = rows.row(number, color) * CHANNELS;
            let row = self.window(number).view(color);
            side[first..][..CHANNELS].copy_from_slice(&row);
        }
        side
    }

    /// Returns the window number of a cell that is not empty.
    #[inline]
    pub(super) fn none(&self) -> u16 {
        (self.rows_of.len() - 1) as u16
    }

    /// Returns the rows of a window, for either colour to move.
    #[inline(always)]
    pub(super) fn window(&self, number: u16) -> &RowPair {
        &self.rows[usize::from(self.rows_of[usize::from(number)])]
    }
}
