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

/// The points, colours and threats to be shown.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// These cells only, with all their threats; empty for all cells.
    pub(super) cells: Vec<Cell>,
    /// The threats of this colour only.
    pub(super) color: Option<Color>,
    /// The weakest threat that makes a cell worth listing.
    pub(super) least: LinearShape,
    /// Most attacking stones of each search for a win by fours; 0 for none.
    pub(super) nodes: u64,
    /// Whether fouls are shown.
    pub(super) fouls: bool,
}

impl Scope {
    /// The colours to look at, that of the side to move first.
    pub(super) fn colors(&self, to_move: Color) -> Vec<Color> {
        match self.color {
            Some(color) => vec![color],
            None => vec![to_move, !to_move],
        }
    }

    fn wants(&self, cell: Cell) -> bool {
        self.cells.is_empty() || self.cells.contains(&cell)
    }
}

/// The threats of an empty cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CellThreats {
    pub(super) cell: Cell,
    /// At most one in each direction.
    pub(super) threats: Vec<LinearThreat>,
    /// Whether the colour must not place a stone there.
    pub(super) forbidden: bool,
}

impl CellThreats {
    /// The strongest of its threats.
    pub(super) fn best(&self) -> Option<LinearShape> {
        self.threats.iter().map(|threat| threat.shape).max_by_key(|shape| shape.rank())
    }

    /// The fork it is.
    pub(super) fn fork(&self) -> Option<Fork> {
        Fork::of(&self.threats)
    }

    /// Ranks of its threats, the strongest first.
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
    /// The cells that are listed, the strongest first.
    pub(super) cells: Vec<CellThreats>,
    /// What search found; `None` if there was no search.
    pub(super) found: Option<ColorFindings>,
}

/// A position and all its threats.
pub(super) struct Survey<'a> {
    pub(super) position: &'a GivenPosition,
    pub(super) sides: Vec<SideThreats>,
    /// Fouls, and cells that look like fouls and are none, of the colours looked at.
    pub(super) fouls: Vec<Explanation>,
}

/// The stones of a position before the referee of five in a row.
///
/// # Errors
/// It is another game.
pub(super) fn referee(position: &GivenPosition) -> Result<FiveReferee> {
    let contest = position.contest;
    let Variant::Five(rule) = contest.variant else {
        bail!("threats are told of five in a row without captures, not of {}", contest.variant);
    };
    let mut referee = FiveReferee::new(Setup::new(rule, contest.width, contest.height)?);
    for stone in &position.stones {
        referee.set_up(stone.cell, Stone::Of(stone.color))?;
    }
    Ok(referee)
}

impl Survey<'_> {
    /// Whether fouls have to be told apart by colour.
    pub(super) fn both_have_fouls(&self) -> bool {
        let variant = self.position.contest.variant;
        Color::ALL.iter().all(|&color| variant.fouls(color).any())
    }

    /// Looks at a position. Nothing is threatened once the game is over.
    ///
    /// # Errors
    /// It is no game of five in a row, or a cell to look at is not empty.
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
            let cells = position.cells().filter(|cell| scope.wants(*cell));
            let reported = cells.filter_map(|cell| referee.explain(color, cell));
            survey.fouls.extend(reported.filter(Explanation::looks_forbidden));
        }
        survey.fouls.sort_by_key(|foul| !foul.fouls().any());
        Ok(survey)
    }
}

/// The cells of a colour that are worth listing.
fn listed_cells(referee: &FiveReferee, color: Color, scope: &Scope) -> Vec<CellThreats> {
    let setup = referee.setup();
    let cells = (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    let wanted = cells.filter(|&cell| referee.is_empty(cell) && scope.wants(cell));
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
