//! Survey of a position: the linear threats of every empty cell, fouls with
//! their reasons, and the findings of the search.

use std::cmp::Reverse;

use anyhow::{Result, bail};

use super::by_search::{self, ColorFindings};
use super::linear::{self, Fork, LinearShape, LinearThreat};
use crate::position::GivenPosition;
use goren_core::rules::referee::{Explanation, FiveReferee};
use goren_core::rules::{Setup, Variant};
use goren_core::types::{Cell, Color, Stone};

/// Points, colours and threats to show.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Only these cells, with all their threats; empty for all cells.
    pub(super) cells: Vec<Cell>,
    /// Only the threats of this colour.
    pub(super) color: Option<Color>,
    /// The weakest threat that makes a cell worth listing.
    pub(super) least: LinearShape,
    /// Maximum number of attacking stones per search for a win by fours; 0 for no search.
    pub(super) nodes: u64,
    /// Whether fouls are shown.
    pub(super) fouls: bool,
}

impl Scope {
    /// Returns the colours to survey, the side to move first.
    pub(super) fn colors(&self, to_move: Color) -> Vec<Color> {
        match self.color {
            Some(color) => vec![color],
            None => vec![to_move, !to_move],
        }
    }

    fn includes(&self, cell: Cell) -> bool {
        self.cells.is_empty() || self.cells.contains(&cell)
    }
}

/// The threats of an empty cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CellThreats {
    pub(super) cell: Cell,
    /// At most one threat in each direction.
    pub(super) threats: Vec<LinearThreat>,
    /// Whether the cell is forbidden for the colour.
    pub(super) forbidden: bool,
}

impl CellThreats {
    /// Strongest threat of the cell.
    pub(super) fn best(&self) -> Option<LinearShape> {
        self.threats.iter().map(|threat| threat.shape).max_by_key(|shape| shape.rank())
    }

    /// Fork of the cell, if it is one.
    pub(super) fn fork(&self) -> Option<Fork> {
        Fork::of(&self.threats)
    }

    /// Ranks of the threats, the strongest first.
    fn ranks(&self) -> Vec<usize> {
        let mut ranks: Vec<usize> = self.threats.iter().map(|t| t.shape.rank()).collect();
        ranks.sort_by_key(|&rank| Reverse(rank));
        ranks
    }
}

/// The threats of a colour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SideThreats {
    pub(super) color: Color,
    /// The listed cells, the strongest first.
    pub(super) cells: Vec<CellThreats>,
    /// Findings of the search; `None` without a search.
    pub(super) found: Option<ColorFindings>,
}

/// A position and all its threats.
pub(super) struct Survey<'a> {
    pub(super) position: &'a GivenPosition,
    pub(super) sides: Vec<SideThreats>,
    /// Fouls, and cells that look like fouls and are none, of the surveyed colours.
    pub(super) fouls: Vec<Explanation>,
}

/// Sets up a position for the referee of five in a row.
///
/// # Errors
/// The position is of another game.
pub(super) fn referee(position: &GivenPosition) -> Result<FiveReferee> {
    let contest = position.contest;
    let Variant::Five(rule) = contest.variant else {
        bail!("these are threats of five in a row without captures, not of {}", contest.variant);
    };
    let mut referee = FiveReferee::new(Setup::new(rule, contest.width, contest.height)?);
    for stone in &position.stones {
        referee.set_up(stone.cell, Stone::Of(stone.color))?;
    }
    Ok(referee)
}

impl Survey<'_> {
    /// Whether fouls must be distinguished by colour, as both colours have them.
    pub(super) fn both_have_fouls(&self) -> bool {
        let variant = self.position.contest.variant;
        Color::ALL.iter().all(|&color| variant.fouls(color).any())
    }

    /// Surveys a position. There are no threats once the game is over.
    ///
    /// # Errors
    /// The game is not five in a row, or a given cell is not empty.
    pub(super) fn of<'a>(position: &'a GivenPosition, scope: &Scope) -> Result<Survey<'a>> {
        let referee = referee(position)?;
        if let Some(cell) = scope.cells.iter().find(|&&cell| !referee.is_empty(cell)) {
            bail!("{} is not empty", position.label(*cell));
        }
        let mut survey = Survey { position, sides: Vec::new(), fouls: Vec::new() };
        if position.ending.is_some() {
            return Ok(survey);
        }
        for color in scope.colors(position.to_move()) {
            let found = (scope.nodes > 0).then(|| by_search::search(&referee, color, scope.nodes));
            survey.sides.push(SideThreats {
                color,
                cells: listed_cells(&referee, color, scope),
                found,
            });
        }
        let wanted = |color: &Color| scope.fouls && scope.color != Some(!*color);
        for color in Color::ALL.into_iter().filter(wanted) {
            let cells = position.cells().filter(|cell| scope.includes(*cell));
            let explained = cells.filter_map(|cell| referee.explain(color, cell));
            survey.fouls.extend(explained.filter(Explanation::looks_forbidden));
        }
        survey.fouls.sort_by_key(|foul| !foul.fouls().any());
        Ok(survey)
    }
}

/// Returns the cells of a colour that are worth listing.
fn listed_cells(referee: &FiveReferee, color: Color, scope: &Scope) -> Vec<CellThreats> {
    let setup = referee.setup();
    let cells = (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    let wanted = cells.filter(|&cell| referee.is_empty(cell) && scope.includes(cell));
    let seen = |cell| CellThreats {
        cell,
        threats: linear::threats(referee, cell, color),
        forbidden: scope.fouls && referee.fouls(color, cell).any(),
    };
    let is_listed = |seen: &CellThreats| {
        let strong = seen.best().is_some_and(|best| best.rank() >= scope.least.rank());
        !scope.cells.is_empty() || strong || seen.forbidden
    };
    let mut listed: Vec<CellThreats> = wanted.map(seen).filter(is_listed).collect();
    listed.sort_by_key(|seen| (Reverse(seen.ranks()), seen.cell));
    listed
}
