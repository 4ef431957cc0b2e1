//! `goren threats`: the theory of threats on a position of five in a row.
//! Linear threats in today's words and in the notation of the author of Vertex
//! (`linear`), forks, falls with their reasons as a tree, and what only search
//! shows: virtual threats and forks, spatial forks (`by_search`).

mod by_search;
mod fours;
mod json;
mod linear;
#[cfg(test)]
mod linear_tests;
mod marks;
mod picture;
#[cfg(test)]
mod search_tests;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod words;

use anyhow::{Context, Result};

use super::analyze::table::Look;
use super::position::{self, Position, Source};
use super::{draw, point, with_search_stack};
use goren_core::rules::{RuleId, Setup};
use goren_core::types::Color;
use linear::Shape;
use survey::{Scope, Survey};

/// Arguments of `goren threats`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Only these empty cells, such as h8 or h8,j9: all their threats, and
    /// where each grows.
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    cell: Vec<String>,
    /// The threats of one colour only: black or white.
    #[arg(long, value_parser = position::color)]
    color: Option<Color>,
    /// The weakest threat that makes a cell worth listing, from P42 (five) to
    /// P02.
    #[arg(long, value_name = "THREAT", default_value = "P22", value_parser = shape)]
    min: Shape,
    /// All cells that are any threat.
    #[arg(long, conflicts_with = "min")]
    all: bool,
    /// Most attacking stones of each search for a win by fours, of which there
    /// is one for every cell, and many for a virtual fork; 0: none.
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Prints a line of JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    files: draw::Files,
}

/// The shape of a notation.
fn shape(text: &str) -> Result<Shape, String> {
    Shape::from_notation(text).ok_or_else(|| {
        let names = Shape::ALL.map(Shape::notation).join(", ");
        format!("the threats are {names}")
    })
}

/// Looks at a position and prints.
///
/// # Errors
/// A position that cannot be read or is none of five in a row, a cell that is
/// not on the board or not empty, or a file that cannot be written.
pub fn run(args: &Args) -> Result<bool> {
    let position = args.source.position()?;
    args.files.ready(args.source.words())?;
    let scope = args.scope(&position)?;
    let survey = with_search_stack(|| Survey::of(&position, &scope))?;
    if args.json {
        println!("{}", json::text(&survey)?);
    } else {
        let colors = console::Term::stdout().is_term() && console::colors_enabled();
        let look = Look { colors, width: None };
        table::lines(&survey, !scope.cells.is_empty(), look)
            .iter()
            .for_each(|line| println!("{line}"));
    }
    args.files.save(|| Ok(picture::picture(&survey).svg()))?;
    Ok(true)
}

impl Args {
    /// What is to be looked at.
    fn scope(&self, position: &Position) -> Result<Scope> {
        let contest = position.contest;
        // Points are the same in all games.
        let setup = Setup::new(RuleId::Freestyle, contest.width, contest.height)?;
        let cells = self.cell.iter().map(|text| point::cell(text, setup));
        Ok(Scope {
            cells: cells.collect::<Result<_>>().context("--cell")?,
            color: self.color,
            least: if self.all { Shape::P(0, 2) } else { self.min },
            nodes: self.nodes,
        })
    }
}
