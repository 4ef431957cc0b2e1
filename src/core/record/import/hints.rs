//! Settings of the user that override a file.

use super::size::usual_size;
use crate::record::text::CodePage;
use crate::rules::Variant;

/// Lettering of columns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Columns {
    /// A to Z, as on renju boards.
    WithI,
    /// The letter I is left out, as on Go boards.
    WithoutI,
}

/// Settings of the user about a file; they override the file itself.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Hints {
    /// The game and its options.
    pub variant: Option<Variant>,
    /// Columns and rows of the board.
    pub size: Option<(usize, usize)>,
    /// Board implied by the name of the game (connect4: 7x6), if the file gives no other.
    pub named_size: Option<(usize, usize)>,
    /// Lettering of the columns.
    pub columns: Option<Columns>,
    /// Whether rows with numbers count from the top.
    pub from_top: Option<bool>,
    /// Encoding of the text.
    pub code_page: Option<CodePage>,
    /// Number of the first column and row in points given by numbers: 0 or 1.
    pub origin: Option<usize>,
    /// Whether each line of a list of moves is a game.
    pub per_line: Option<bool>,
}

impl Hints {
    /// Returns the board of a game if neither the file nor the user gives its size.
    pub fn usual_size(&self, variant: Option<Variant>) -> (usize, usize) {
        let named = self.named_size.filter(|_| variant == self.variant);
        named.unwrap_or_else(|| usual_size(variant))
    }
}
