//! `goren threats`: the threats of both sides. In five in a row by the theory of threats, in
//! all other games as effects of the next turn (`next_turn`).
//!
//! Five in a row shows linear threats with their modern names and in the notation of the
//! author of Vertex (`linear`), forks, fouls with their reasons as a tree, and threats that
//! only search finds: virtual threats and forks, spatial forks (`by_search`).
//!
//! Linear threats are computed only from the stones and the card of the rule, as a slow twin
//! of `goren_engine::pattern::LineClass`. The search uses `goren_engine::threat::Vcf`. One
//! survey serves text, JSON and picture.

mod by_search;
mod fours;
mod json;
mod linear;
#[cfg(test)]
mod linear_tests;
mod marks;
mod next_turn;
mod picture;
#[cfg(test)]
mod search_tests;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod words;

use anyhow::{Context, Result, bail};

use super::analyze::table::TextStyle;
use super::picture::Files;
use super::position::{self, GivenPosition, PositionArgs};
use super::with_search_stack;
use crate::number::whole;
use crate::variant::rules_of_five;
use goren_core::types::{Cell, Color};
use linear::LinearShape;
use next_turn::NextTurnThreats;
use survey::{Scope, Survey};

/// Default of the weakest threat that makes a point worth listing.
const DEFAULT_MIN: LinearShape = LinearShape::P(2, 2);
/// Default node limit of each VCF search.
const DEFAULT_NODES: u64 = 2000;

/// Arguments of `goren threats`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren threats h8i9j8
  goren threats --game renju --cell i8 --png threats.png h8i9j8
  goren threats --color black --min P31 game.sgf
  goren threats --json --all h8i9j8

  goren threats --game connect6 j10 k10,k11 j11,j12 i9,k12 j13,i10

Threats have their names in renju theory and in Vertex's notation (for --min), strongest first:
  P42 five        P31 open four    P32 four     P21 open three   P22 three
  P11 open two    P12 two          P01 open one P02 one          P32×P32 two fours in a line
  fork            several fours and open threes by one stone, such as four-three
  virtual threat  no four, no open three, but a win by fours if the opponent does nothing
  virtual fork    a win against every answer, proven by search, without a fork on the board
  spatial fork    a point where weak threats cross, which a virtual threat makes use of
  forbidden       a foul by the rule, with its reason

These names are for freestyle, gomoku, renju, caro and caro-exact. For other games the command
shows where a stone, or a pair, wins in the next turn, or makes more ways to win than one stone
can stop.")]
pub struct Args {
    #[command(flatten)]
    source: PositionArgs,
    /// Empty points to show in full, such as h8 or h8,j9: all their threats in
    /// every direction.
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    cell: Vec<String>,
    /// Show the threats of one colour only: black or white.
    #[arg(long, value_parser = position::color)]
    color: Option<Color>,
    /// Weakest threat that makes a point worth listing, in Vertex's notation
    /// from P42 (five) to P02.
    ///
    /// Default: P22. Only for freestyle, gomoku, renju, caro and caro-exact.
    #[arg(long, value_name = "THREAT", value_parser = shape)]
    min: Option<LinearShape>,
    /// List every point with a threat of any strength (same games as --min).
    #[arg(long, conflicts_with = "min")]
    all: bool,
    /// Nodes per VCF search. There is one search per point, and several per
    /// virtual fork; 0 turns search off.
    ///
    /// Default: 2000. In the same games as --min.
    #[arg(long, value_parser = whole::<u64>(0..))]
    nodes: Option<u64>,
    /// Print one line of JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    files: Files,
}

/// Parses the notation of a shape.
fn shape(text: &str) -> Result<LinearShape, String> {
    LinearShape::from_notation(text).ok_or_else(|| {
        let names = LinearShape::ALL.map(LinearShape::notation).join(", ");
        format!("the threats are {names}")
    })
}

/// Surveys the threats of a position and prints them.
///
/// # Errors
/// A position that cannot be read, a cell that is not on the board or not empty, an
/// option that the game does not have, or a file that cannot be written.
pub fn run(args: &Args) -> Result<bool> {
    let position = args.source.position()?;
    args.files.ready(args.source.words())?;
    let colors = console::Term::stdout().is_term() && console::colors_enabled();
    let style = TextStyle { colors, width: None };
    if position.contest.setup().is_none() {
        let threats = args.next_turn(&position)?;
        let lines = if args.json { vec![threats.json()?] } else { threats.lines(style) };
        lines.iter().for_each(|line| println!("{line}"));
        args.files.save(|| Ok(threats.svg()))?;
        return Ok(true);
    }
    let scope = args.scope(&position)?;
    let survey = with_search_stack(|| Survey::of(&position, &scope))?;
    if args.json {
        println!("{}", json::text(&survey)?);
    } else {
        table::lines(&survey, !scope.cells.is_empty(), style)
            .iter()
            .for_each(|line| println!("{line}"));
    }
    let forbidden = args.files.marked(|| position.forbidden());
    args.files.save(|| Ok(picture::picture(&survey, &forbidden).svg()))?;
    Ok(true)
}

impl Args {
    /// Returns the cells, colours and threats to survey.
    fn scope(&self, position: &GivenPosition) -> Result<Scope> {
        let least = if self.all { LinearShape::P(0, 2) } else { self.min.unwrap_or(DEFAULT_MIN) };
        let nodes = self.nodes.unwrap_or(DEFAULT_NODES);
        let fouls = self.json || self.files.mark_forbidden();
        Ok(Scope { cells: self.cells(position)?, color: self.color, least, nodes, fouls })
    }

    /// Returns the cells to show; none means all.
    fn cells(&self, position: &GivenPosition) -> Result<Vec<Cell>> {
        let cells = self.cell.iter().map(|text| position.point(text));
        cells.collect::<Result<_>>().context("--cell")
    }

    /// Finds the threats in a game other than five in a row.
    fn next_turn<'a>(&self, position: &'a GivenPosition) -> Result<NextTurnThreats<'a>> {
        let only_for_five =
            [(self.min.is_some(), "--min"), (self.all, "--all"), (self.nodes.is_some(), "--nodes")];
        if let Some((_, option)) = only_for_five.into_iter().find(|(given, _)| *given) {
            let games = rules_of_five();
            bail!("{option} is for {games}, not for {}", position.contest.variant);
        }
        let forbidden = self.files.marked(|| position.forbidden());
        NextTurnThreats::of(position, &self.cells(position)?, self.color, forbidden)
    }
}
