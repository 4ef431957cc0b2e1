//! Compares the answers of a judge about positions and single stones with the data, and
//! records the differences.

use anyhow::{Result, ensure};

use super::compare::{board_string, compare_forbidden, empty_points, forbidden_points};
use super::games::replay;
use super::judge::{Judge, cell};
use super::record::{ForbidQuirk, LineRecord, PlacementEffect, PositionRecord, cells};
use super::tally::{Check, Sheet};
use crate::point::labels;
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color};

/// Makes a judge for a setup.
pub(super) type NewJudge = fn(Setup) -> Box<dyn Judge>;

/// Checks a stone placed under Gomocup rules: win, foul or nothing.
pub(super) fn line(record: &LineRecord, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let setup = record.setup()?;
    let mut judge = set_up(setup, new, &record.black, &record.white)?;
    let (color, point) = (Color::from(record.colour), cell(&record.point, setup.height)?);
    let five = judge.is_five(color, point);
    let foul = judge.fouls(color, point).any();
    let won = match judge.place(color, point)? {
        Some(Outcome::Win(winner)) => Some(winner),
        Some(Outcome::Draw) | None => None,
    };
    let (place, expected) = (&record.point, record.result);
    sheet.equal(Check::Five, place, expected == PlacementEffect::Win, five);
    sheet.equal(Check::Foul, place, expected == PlacementEffect::Foul, foul);
    let winner = match expected {
        PlacementEffect::Win => Some(color),
        PlacementEffect::Foul => Some(!color),
        PlacementEffect::None => None,
    };
    sheet.equal(Check::Outcome, place, winner, won);
    Ok(())
}

/// Checks all forbidden and winning points of a renju position.
pub(super) fn position(
    record: &PositionRecord,
    new: NewJudge,
    sheet: &mut Sheet<'_>,
) -> Result<()> {
    let setup = record.setup()?;
    let mut judge = set_up(setup, new, &record.black, &record.white)?;
    ensure!(record.stones == judge.stones().len(), "wrong number of stones");
    sheet.equal(Check::Board, "", record.fen.clone(), board_string(setup, &*judge));

    let height = setup.height;
    let forbidden = forbidden_points(&record.forbid, height)?;
    let naive = cells(&record.naive_only, height)?;
    ensure!(!naive.iter().any(|at| forbidden[2].contains(at)), "a fake double three in t33");
    let empty = empty_points(setup, &*judge);
    let fouls = |at| judge.fouls(Color::Black, at);
    compare_forbidden(&forbidden, height, empty.clone(), fouls, "", sheet);
    let five = cells(&record.five, height)?;
    let found: Vec<Cell> =
        empty.iter().copied().filter(|&at| judge.is_five(Color::Black, at)).collect();
    sheet.equal(Check::Five, "", labels(&five, height), labels(&found, height));

    for &at in &empty {
        let expected = if five.contains(&at) {
            Some(Outcome::Win(Color::Black))
        } else if forbidden.iter().any(|points| points.contains(&at)) {
            Some(Outcome::Win(Color::White))
        } else {
            (empty.len() == 1).then_some(Outcome::Draw)
        };
        let outcome = judge.place(Color::Black, at)?;
        judge.take_back();
        sheet.equal(Check::Outcome, at.label(height), expected, outcome);
    }
    Ok(())
}

/// Checks the forbidden points after a prefix where the library behind the vectors
/// departs from the rules.
pub(super) fn quirk(record: &ForbidQuirk, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let contest = record.start.read()?;
    let game_state = replay(contest, &record.moves, sheet);
    let setup = Setup::new(RuleId::Renju, contest.width, contest.height)?;
    let mut judge = new(setup);
    for (cell, color) in game_state.stones() {
        judge.set_up(color, cell)?;
    }
    let forbidden = forbidden_points(&record.rule_forbid, setup.height)?;
    let empty = empty_points(setup, &*judge);
    let fouls = |at| judge.fouls(Color::Black, at);
    compare_forbidden(&forbidden, setup.height, empty, fouls, "", sheet);
    Ok(())
}

/// A judge with a position set up, not played.
fn set_up(
    setup: Setup,
    new: NewJudge,
    black: &[String],
    white: &[String],
) -> Result<Box<dyn Judge>> {
    let mut judge = new(setup);
    for (color, points) in [(Color::Black, black), (Color::White, white)] {
        for at in cells(points, setup.height)? {
            judge.set_up(color, at)?;
        }
    }
    Ok(judge)
}
