//! First moves that a search is limited to, or that it leaves out.

use anyhow::{Result, ensure};

use goren_core::types::Cell;
use goren_engine::{Candidates, Exclusions, Request};
use goren_notation::point::cell;

/// The options that choose the first moves.
#[derive(clap::Args, Default)]
pub(super) struct FirstMoves {
    /// Search these first moves only, such as h8,i9.
    #[arg(long, value_name = "POINT,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these first moves out.
    #[arg(long, value_name = "POINT,...", value_delimiter = ',', conflicts_with = "only")]
    exclude: Vec<String>,
}

impl FirstMoves {
    /// Adds them to a request about a position with these legal moves on a board of
    /// `(columns, rows)`.
    ///
    /// # Errors
    /// A text is not a point, or the point is not a legal move; no move is left.
    pub(super) fn apply(
        &self,
        request: &mut Request,
        legal: &Candidates,
        sides: (usize, usize),
    ) -> Result<()> {
        let legal: Vec<Cell> = legal.moves.iter().map(|candidate| candidate.cell).collect();
        let cells = |texts: &[String]| -> Result<Vec<Cell>> {
            texts
                .iter()
                .map(|text| {
                    let at = cell(text.trim(), sides)?;
                    ensure!(legal.contains(&at), "{} is not a legal move", text.trim());
                    Ok(at)
                })
                .collect()
        };
        let (only, excluded) = (cells(&self.only)?, cells(&self.exclude)?);
        let is_left = |at: &Cell| !excluded.contains(at);
        ensure!(excluded.is_empty() || legal.iter().any(is_left), "no move is left");
        request.root_moves = only;
        request.exclusions = Exclusions { root_moves: excluded, ..Exclusions::default() };
        Ok(())
    }
}
