//! Settings by which a user overrides a file.

use super::size::usual_size;
use crate::record::text::CodePage;
use crate::rules::Variant;

/// The lettering of columns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Columns {
    /// A to Z, as on renju boards.
    WithI,
    /// The letter I is left out, as on Go boards.
    WithoutI,
}

/// Settings of the user about a file; they override what the file itself says.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Hints {
    /// The game and its options.
    pub variant: Option<Variant>,
    /// Columns and rows of the board.
    pub size: Option<(usize, usize)>,
    /// The board that the name of the game stands for (connect4: 7x6): that of a file which
    /// says no other.
    pub named_size: Option<(usize, usize)>,
    /// Lettering of the columns.
    pub columns: Option<Columns>,
    /// Whether rows with numbers count from the top.
    pub from_top: Option<bool>,
    /// How the text is encoded.
    pub code_page: Option<CodePage>,
    /// What the first column and row of points in numbers is: 0 or 1.
    pub origin: Option<usize>,
    /// Whether each line of a list of moves is a game.
    pub per_line: Option<bool>,
}

impl Hints {
    /// The board of a game of a file that does not say it, nor the user.
    pub fn usual_size(&self, variant: Option<Variant>) -> (usize, usize) {
        let named = self.named_size.filter(|_| variant == self.variant);
        named.unwrap_or_else(|| usual_size(variant))
    }
}
