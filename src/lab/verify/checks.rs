//! The comparisons, for each kind of record. A judge is asked what the data
//! knows; what differs is written down.

use anyhow::{Result, ensure};

use super::judge::Judge;
use super::notation::{Course, Opening, Ply, cell};
use super::record::{
    Case, Effect, ForbidQuirk, Forbidden, Game, Line, PassMeaning, Position, Reason, Side, State,
    cells,
};
use super::tally::{Check, Sheet};
use crate::rules::referee::IllegalMove;
use crate::rules::{Outcome, Setup};
use crate::types::{Cell, CellSet, Color, Stone};

/// Makes a judge for a setup.
pub(super) type NewJudge = fn(Setup) -> Box<dyn Judge>;

/// A stone put down under Gomocup rules: win, foul or nothing.
pub(super) fn line(record: &Line, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let setup = record.setup()?;
    let mut judge = set_up(setup, new, &record.black, &record.white)?;
    let (color, point) = (Color::from(record.colour), cell(&record.point, setup.height)?);
    let five = judge.is_five(color, point);
    let foul = color == Color::Black && judge.fouls(point).any();
    let won = match judge.place(color, point)? {
        Some(Outcome::Win(winner)) => Some(winner),
        Some(Outcome::Draw) | None => None,
    };
    let (place, expected) = (&record.point, record.result);
    sheet.equal(Check::Five, place, expected == Effect::Win, five);
    sheet.equal(Check::Foul, place, expected == Effect::Foul, foul);
    let winner = match expected {
        Effect::Win => Some(color),
        Effect::Foul => Some(!color),
        Effect::None => None,
    };
    sheet.equal(Check::Outcome, place, winner, won);
    Ok(())
}

/// All forbidden and winning points of a renju position.
pub(super) fn position(record: &Position, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let setup = record.setup()?;
    let mut judge = set_up(setup, new, &record.black, &record.white)?;
    ensure!(record.stones == judge.stones().len(), "wrong number of stones");
    sheet.equal(Check::Board, "", record.fen.clone(), board_string(setup, &*judge));

    let forbidden = forbidden_points(&record.forbid, setup)?;
    let naive = cells(&record.naive_only, setup)?;
    ensure!(!naive.iter().any(|at| forbidden[2].contains(at)), "a fake double three in t33");
    compare_forbidden(&forbidden, setup, &*judge, "", sheet);
    let five = cells(&record.five, setup)?;
    let empty = empty_points(setup, &*judge);
    let found: Vec<Cell> =
        empty.iter().copied().filter(|&at| judge.is_five(Color::Black, at)).collect();
    sheet.equal(Check::Five, "", labels(&five, setup), labels(&found, setup));

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
        sheet.equal(Check::Outcome, at.label(setup.height), expected, outcome);
    }
    Ok(())
}

/// A whole game, ply by ply.
pub(super) fn game(record: &Game, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let (setup, opening, tie_break) = record.start.read()?;
    ensure!(record.states.len() > record.moves.len(), "fewer states than plies");
    let mut judge = new(setup);
    let mut course = Course::new(setup, opening);
    let reason = record.result.reason;
    for (i, text) in record.moves.iter().enumerate() {
        let before = &record.states[i];
        compare_state(before, setup, &course, &*judge, sheet)?;
        let last = i + 1 == record.moves.len();
        let ply = course.read(text)?;
        let meaning = match ply {
            Ply::Swap => PassMeaning::Swap,
            Ply::Pass => PassMeaning::Pass,
            Ply::Stones(_) | Ply::Offer(_) => PassMeaning::No,
        };
        if meaning != PassMeaning::No {
            sheet.equal(Check::Pass, at_ply(i), before.pass, Some(meaning));
        }
        if let Ply::Stones(stones) = &ply {
            for &(color, at) in stones {
                let five = judge.is_five(color, at);
                sheet.equal(Check::Five, at_ply(i), last && reason == Reason::Line, five);
                if color == Color::Black {
                    let foul = judge.fouls(at).any();
                    sheet.equal(Check::Foul, at_ply(i), last && reason == Reason::Foul, foul);
                }
                let placed = judge.place(color, at);
                sheet.equal(Check::Legality, at_ply(i), None, placed.err());
                let ends = matches!(reason, Reason::Line | Reason::Foul | Reason::Full);
                let over = judge.outcome().is_some();
                sheet.equal(Check::Outcome, at_ply(i), last && ends, over);
            }
        } else {
            let over = course.two_passes || judge.outcome().is_some();
            sheet.equal(Check::Legality, at_ply(i), false, over);
            sheet.given();
        }
        course.go(ply);
    }
    // Unfinished games give the last situation twice.
    for state in &record.states[record.moves.len()..] {
        compare_state(state, setup, &course, &*judge, sheet)?;
    }
    compare_result(record, tie_break, &course, &*judge, sheet)
}

/// One ply after a prefix, legal or not.
pub(super) fn case(record: &Case, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let (setup, opening, _) = record.start.read()?;
    let (mut judge, course) = replay(setup, opening, &record.moves, new, sheet)?;
    let tried = &record.text;
    let expected = match record.fault()? {
        Some("game_over") => {
            let over = course.two_passes || judge.outcome().is_some();
            sheet.equal(Check::Legality, tried, true, over);
            return Ok(());
        }
        Some("occupied" | "duplicate_point") => Some(IllegalMove::Occupied),
        Some("off_board") => Some(IllegalMove::Outside),
        Some(_) => {
            sheet.given();
            return Ok(());
        }
        None => None,
    };
    let ply = course.read(tried)?;
    let found = match ply {
        Ply::Swap | Ply::Pass => {
            sheet.given();
            (course.two_passes || judge.outcome().is_some()).then_some(IllegalMove::GameOver)
        }
        Ply::Stones(stones) => {
            stones.into_iter().find_map(|(color, at)| judge.place(color, at).err())
        }
        // Tentative fifths do not make lines with one another.
        Ply::Offer(cells) => cells.into_iter().find_map(|at| judge.set_up(Color::Black, at).err()),
    };
    sheet.equal(Check::Legality, tried, expected, found);
    Ok(())
}

/// The forbidden points after a prefix where the library behind the vectors
/// departs from the rules.
pub(super) fn quirk(record: &ForbidQuirk, new: NewJudge, sheet: &mut Sheet<'_>) -> Result<()> {
    let (setup, opening, _) = record.start.read()?;
    let (judge, _) = replay(setup, opening, &record.moves, new, sheet)?;
    let forbidden = forbidden_points(&record.rule_forbid, setup)?;
    compare_forbidden(&forbidden, setup, &*judge, "", sheet);
    Ok(())
}

/// Plays the moves of a prefix; all must be possible.
fn replay(
    setup: Setup,
    opening: Opening,
    moves: &[String],
    new: NewJudge,
    sheet: &mut Sheet<'_>,
) -> Result<(Box<dyn Judge>, Course)> {
    let mut judge = new(setup);
    let mut course = Course::new(setup, opening);
    for (i, text) in moves.iter().enumerate() {
        let ply = course.read(text)?;
        if let Ply::Stones(stones) = &ply {
            for &(color, at) in stones {
                let placed = judge.place(color, at);
                sheet.equal(Check::Legality, at_ply(i), None, placed.err());
            }
        }
        course.go(ply);
    }
    Ok((judge, course))
}

fn compare_state(
    state: &State,
    setup: Setup,
    course: &Course,
    judge: &dyn Judge,
    sheet: &mut Sheet<'_>,
) -> Result<()> {
    let place = at_ply(course.plies);
    ensure!(state.p == course.plies, "state {} stands at ply {}", state.p, course.plies);
    let board = board_string(setup, judge);
    sheet.equal(Check::Hash, &place, state.h.clone(), format!("{:08x}", fnv1a(&board)));
    if let Some(expected) = &state.b {
        sheet.equal(Check::Board, &place, expected.clone(), board);
    }
    let to_move = (course.seat(), Side::from(course.to_move));
    sheet.equal(Check::ToMove, &place, (state.seat, state.col), to_move);
    // After the opening every empty point is legal, and a pass. How many plies
    // an opening allows is not judged here.
    if let (Some(n), Some(PassMeaning::Pass)) = (state.n, state.pass) {
        sheet.equal(Check::Count, &place, n, empty_points(setup, judge).len() + 1);
    }
    if let Some(forbid) = &state.forbid {
        compare_forbidden(&forbidden_points(forbid, setup)?, setup, judge, &place, sheet);
    }
    Ok(())
}

fn compare_result(
    record: &Game,
    tie_break: bool,
    course: &Course,
    judge: &dyn Judge,
    sheet: &mut Sheet<'_>,
) -> Result<()> {
    let (result, setup) = (&record.result, record.start.read()?.0);
    let (reason, winner) = match judge.outcome() {
        // Only Black commits fouls, and they make White the winner.
        Some(Outcome::Win(color)) if course.to_move == color => (Reason::Foul, Some(color)),
        Some(Outcome::Win(color)) => (Reason::Line, Some(color)),
        Some(Outcome::Draw) => (Reason::Full, None),
        None if course.two_passes => (Reason::TwoPasses, None),
        None => (Reason::Unfinished, None),
    };
    let over = reason != Reason::Unfinished;
    let mut seats: Vec<u8> = match winner {
        Some(color) => vec![course.owner(color)],
        None if !over => vec![],
        // The first to pass wins a tie; without passes, White.
        None if tie_break => {
            vec![course.first_passer.unwrap_or_else(|| course.owner(Color::White))]
        }
        None => vec![1, 2],
    };
    seats.sort_unstable();
    let mut colors: Vec<Side> = Color::ALL
        .into_iter()
        .filter(|&color| seats.contains(&course.owner(color)))
        .map(Side::from)
        .collect();
    colors.sort_unstable();
    let mut expected = (result.winner.clone(), result.colours.clone());
    expected.0.sort_unstable();
    expected.1.sort_unstable();
    sheet.equal(Check::Result, "end", (result.gameover, result.reason), (over, reason));
    sheet.equal(Check::Result, "end", expected, (seats, colors));

    if let Some(lines) = judge.winning_lines() {
        let mut expected = Vec::new();
        for line in &result.lines {
            expected.push(labels(&cells(line, setup)?, setup));
        }
        let mut found: Vec<String> = lines
            .into_iter()
            .map(|mut line| {
                line.sort_unstable();
                labels(&line, setup)
            })
            .collect();
        expected.sort_unstable();
        found.sort_unstable();
        sheet.equal(Check::Lines, "end", expected, found);
    }
    Ok(())
}

/// The overlines, double fours and double threes of the data.
fn forbidden_points(data: &Forbidden, setup: Setup) -> Result<[Vec<Cell>; 3]> {
    Ok([cells(&data.ol, setup)?, cells(&data.f44, setup)?, cells(&data.t33, setup)?])
}

fn compare_forbidden(
    data: &[Vec<Cell>; 3],
    setup: Setup,
    judge: &dyn Judge,
    place: &str,
    sheet: &mut Sheet<'_>,
) {
    let mut found = [const { Vec::new() }; 3];
    for at in empty_points(setup, judge) {
        let fouls = judge.fouls(at);
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
        sheet.equal(check, place, labels(data, setup), labels(found, setup));
    }
}

/// A judge with a position that was not played.
fn set_up(
    setup: Setup,
    new: NewJudge,
    black: &[String],
    white: &[String],
) -> Result<Box<dyn Judge>> {
    let mut judge = new(setup);
    for (color, points) in [(Color::Black, black), (Color::White, white)] {
        for at in cells(points, setup)? {
            judge.set_up(color, at)?;
        }
    }
    Ok(judge)
}

/// The empty points in order of their indices.
fn empty_points(setup: Setup, judge: &dyn Judge) -> Vec<Cell> {
    let filled: CellSet = judge.stones().into_iter().map(|(at, _)| at).collect();
    CellSet::board(setup.width, setup.height).difference(&filled).iter().collect()
}

/// Rows from the top with `/` between them; stones `B` and `W`, numbers for
/// runs of empty points.
fn board_string(setup: Setup, judge: &dyn Judge) -> String {
    let mut rows = vec![vec![None; setup.width]; setup.height];
    for (at, stone) in judge.stones() {
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
fn fnv1a(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn labels(cells: &[Cell], setup: Setup) -> String {
    cells.iter().map(|at| at.label(setup.height)).collect::<Vec<_>>().join(" ")
}

fn at_ply(ply: usize) -> String {
    format!("ply {ply}")
}
