//! First moves to which a search is limited, or which it excludes.

use anyhow::{Context, Result, ensure};

use crate::position::GivenPosition;
use goren_core::types::Cell;
use goren_engine::{Candidates, Exclusions, Request};
use goren_notation::first_moves::leave_out;

/// Options for the choice of the first moves.
#[derive(clap::Args, Default)]
pub(super) struct FirstMoves {
    /// Search these first moves only, such as h8,i9.
    #[arg(long, value_name = "POINT,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these first moves out; in a turn of two stones, for either stone.
    #[arg(long, value_name = "POINT,...", value_delimiter = ',', conflicts_with = "only")]
    exclude: Vec<String>,
}

impl FirstMoves {
    /// Adds the options to a request for a position with these legal moves.
    ///
    /// # Errors
    /// A text is not a point, or the point is not a legal move; no move is left.
    pub(super) fn apply(
        &self,
        request: &mut Request,
        legal: &Candidates,
        position: &GivenPosition,
    ) -> Result<()> {
        let wins = legal.moves.iter().any(|candidate| candidate.wins);
        let legal: Vec<Cell> = legal.moves.iter().map(|candidate| candidate.cell).collect();
        let cells = |texts: &[String]| -> Result<Vec<Cell>> {
            texts
                .iter()
                .map(|text| {
                    let at = position.point(text.trim())?;
                    ensure!(legal.contains(&at), "{} is not a legal move", text.trim());
                    Ok(at)
                })
                .collect()
        };
        let (only, excluded) = (cells(&self.only)?, cells(&self.exclude)?);
        let due = position.root.stones_to_place;
        let left = leave_out(&excluded, &legal, due, wins).context("no move is left")?;
        // At most one of the options is given.
        request.root_moves = [only, left.only].concat();
        request.exclusions =
            Exclusions { root_moves: excluded, sequences: left.sequences, ..Exclusions::default() };
        Ok(())
    }
}
