//! The common part of the checks of positions and of games: boards as texts, their hashes,
//! and forbidden points.

use anyhow::Result;

use super::judge::Judge;
use super::record::{ForbiddenKinds, cells};
use super::tally::{Check, Sheet};
use crate::point::labels;
use goren_core::rules::{Fouls, Setup};
use goren_core::types::{Cell, CellSet, Color, Stone};

/// The overlines, double fours and double threes of the data.
pub(super) fn forbidden_points(data: &ForbiddenKinds, height: usize) -> Result<[Vec<Cell>; 3]> {
    Ok([cells(&data.ol, height)?, cells(&data.f44, height)?, cells(&data.t33, height)?])
}

/// Compares the overlines, double fours and double threes found on the empty points of
/// a board of `height` rows with those of the data.
pub(super) fn compare_forbidden(
    data: &[Vec<Cell>; 3],
    height: usize,
    empty: Vec<Cell>,
    fouls: impl Fn(Cell) -> Fouls,
    place: &str,
    sheet: &mut Sheet<'_>,
) {
    let mut found = [const { Vec::new() }; 3];
    for at in empty {
        let fouls = fouls(at);
        for (points, foul) in
            found.iter_mut().zip([fouls.overline, fouls.double_four, fouls.double_three])
        {
            if foul {
                points.push(at);
            }
        }
    }
    let kinds = [Check::Overline, Check::DoubleFour, Check::DoubleThree];
    for (check, (data, found)) in kinds.into_iter().zip(data.iter().zip(&found)) {
        sheet.equal(check, place, labels(data, height), labels(found, height));
    }
}

/// The empty points in order of their indices.
pub(super) fn empty_points(setup: Setup, judge: &dyn Judge) -> Vec<Cell> {
    let filled: CellSet = judge.stones().into_iter().map(|(at, _)| at).collect();
    CellSet::board(setup.width, setup.height).difference(&filled).iter().collect()
}

/// Rows from the top with `/` between them; stones `B` and `W`, numbers for
/// runs of empty points.
pub(super) fn board_string(setup: Setup, judge: &dyn Judge) -> String {
    diagram(setup.width, setup.height, &judge.stones())
}

/// The same for stones on a board.
pub(super) fn diagram(width: usize, height: usize, stones: &[(Cell, Stone)]) -> String {
    let mut rows = vec![vec![None; width]; height];
    for &(at, stone) in stones {
        rows[at.y()][at.x()] = Some(match stone {
            Stone::Of(Color::Black) => 'B',
            Stone::Of(Color::White) => 'W',
            Stone::Wall => '#',
        });
    }
    let row_string = |row: Vec<Option<char>>| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a.is_none() && b.is_none()) {
            match run[0] {
                Some(stone) => text.push(stone),
                None => text += &run.len().to_string(),
            }
        }
        text
    };
    rows.into_iter().map(row_string).collect::<Vec<_>>().join("/")
}

/// 32-bit FNV-1a (Fowler, Noll, Vo).
pub(super) fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
