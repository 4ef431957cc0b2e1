//! First moves that a search is limited to, or that it leaves out.

use anyhow::{Result, ensure};

use crate::position::GivenPosition;
use goren_core::types::Cell;
use goren_engine::{Candidates, Exclusions, Request};

/// The options that choose the first moves.
#[derive(clap::Args, Default)]
pub(super) struct FirstMoves {
    /// Search these first moves only, such as h8,i9.
    #[arg(long, value_name = "POINT,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these first moves out; where a turn has two stones, as either of them.
    #[arg(long, value_name = "POINT,...", value_delimiter = ',', conflicts_with = "only")]
    exclude: Vec<String>,
}

impl FirstMoves {
    /// Adds them to a request about a position with these legal moves.
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
        request.root_moves = only;
        if excluded.is_empty() {
            return Ok(());
        }
        let left: Vec<Cell> = legal.iter().copied().filter(|at| !excluded.contains(at)).collect();
        ensure!(!left.is_empty(), "no move is left");
        let mut sequences = Vec::new();
        if position.root.stones_to_place > 1 {
            // The stones of a turn come in any order: none of these may be the second one.
            for &first in &left {
                sequences.extend(excluded.iter().map(|&second| vec![first, second]));
            }
            if wins {
                // The search would begin with the winning stones alone, but they may win
                // only together with one that is left out.
                request.root_moves = left;
            }
        }
        request.exclusions =
            Exclusions { root_moves: excluded, sequences, ..Exclusions::default() };
        Ok(())
    }
}
