//! Compares games ply by ply, and single plies after a prefix: openings, seats,
//! passes and results by the state machine of the rules, stones also by the fast
//! board where there is one.

use anyhow::{Result, ensure};

use super::board_judge;
use super::compare::{
    board_string, compare_forbidden, diagram, empty_points, fnv1a, forbidden_points,
};
use super::judge::{self, Judge};
use super::record::{Case, ColorLetter, Departure, GameVector, PassMeaning, Situation};
use super::tally::{BOARD, Check, REFEREE, Sheet};
use crate::point::labels;
use goren_core::opening::{
    Action, Choice, GameState, IllegalAction, PendingDecision, TextError, read, write,
};
use goren_core::rules::referee::{IllegalMove, Reason};
use goren_core::rules::{Contest, Setup, Variant};
use goren_core::types::{Cell, Color, Stone};

/// Checks a whole game, ply by ply.
pub(super) fn game(record: &GameVector, sheet: &mut Sheet<'_>) -> Result<()> {
    let contest = record.start.read()?;
    ensure!(record.states.len() > record.moves.len(), "fewer states than plies");
    let mut game_state = GameState::new(contest);
    let mut mirrors = Mirrors::new(&contest)?;
    let agreed = record.rule.as_ref().map_or(usize::MAX, Departure::first_ply);
    let plies = record.rule.as_ref().map_or(record.moves.len(), |rule| rule.plies_played);
    ensure!(plies <= record.moves.len(), "plies_played exceeds the number of moves");
    for (i, text) in record.moves[..plies].iter().enumerate() {
        if i < agreed {
            compare_state(&record.states[i], &game_state, sheet)?;
            mirrors.compare_state(&record.states[i], sheet)?;
        }
        let played = read(&game_state, text).and_then(|action| {
            game_state.apply(&action)?;
            Ok(action)
        });
        sheet.equal(Check::Legality, at_ply(i), None, played.as_ref().err().cloned());
        let Ok(action) = played else { return Ok(()) };
        mirrors.apply(&action, &game_state, &at_ply(i), sheet);
    }
    if let Some(rule) = &record.rule {
        compare_departure(record, rule, &game_state, sheet);
        return Ok(());
    }
    // The vectors of unfinished games have the last situation twice.
    for state in &record.states[record.moves.len()..] {
        compare_state(state, &game_state, sheet)?;
        mirrors.compare_state(state, sheet)?;
    }
    compare_result(record, &game_state, sheet)
}

/// Checks one ply after a prefix, legal or not.
pub(super) fn case(record: &Case, sheet: &mut Sheet<'_>) -> Result<()> {
    let contest = record.start.read()?;
    let mut game_state = replay(contest, &record.moves, sheet);
    let mut mirrors = Mirrors::new(&contest)?;
    mirrors.set_up(&game_state)?;
    let fault = record.fault()?;
    let played = read(&game_state, &record.text).and_then(|action| {
        game_state.apply(&action)?;
        Ok(action)
    });
    let tried = format!("{:?}", record.text);
    sheet.equal(Check::Legality, &tried, record.is_legal(), played.is_ok());
    match played {
        Ok(action) => mirrors.apply(&action, &game_state, &tried, sheet),
        // Of several faults any may be reported first.
        Err(error) if fault.is_some_and(|fault| !matches_reason(&error, fault)) => {
            sheet.report.refused_for_other_reason += 1;
        }
        Err(_) => {}
    }
    Ok(())
}

/// Plays the moves of a prefix; all must be possible. Skips the rest where the data
/// has overlooked the end of a game.
pub(super) fn replay(contest: Contest, moves: &[String], sheet: &mut Sheet<'_>) -> GameState {
    let mut game_state = GameState::new(contest);
    for (i, text) in moves.iter().enumerate() {
        if game_state.result().is_some() && overlooks_lines(&contest) {
            sheet.report.overlooked += 1;
            break;
        }
        let played = read(&game_state, text).and_then(|action| Ok(game_state.apply(&action)?));
        sheet.equal(Check::Legality, at_ply(i), None, played.err());
    }
    game_state
}

/// Whether the library behind the vectors misses some lines of a game: on a
/// torus diagonals across the side edge, or parts of them.
fn overlooks_lines(contest: &Contest) -> bool {
    matches!(contest.variant, Variant::Connect6(game) if game.torus)
}

/// Whether a reason of the vectors describes a fault.
fn matches_reason(error: &TextError, reason: &str) -> bool {
    let names: &[&str] = match error {
        TextError::Empty => &["empty"],
        TextError::Unreadable(_) => &["unreadable"],
        TextError::Order => &["not_canonical_order", "first_not_collinear_with_last_turn"],
        TextError::Illegal(action) => match action {
            IllegalAction::Move(of_move) => match of_move {
                IllegalMove::Outside => &["off_board"],
                IllegalMove::Occupied => &["occupied", "duplicate_point"],
                IllegalMove::GameOver => &["game_over"],
                IllegalMove::SelfCapture => &["self_capture"],
                IllegalMove::Overline => &["overline"],
                IllegalMove::Floating => &["not_supported"],
                IllegalMove::Suicide => &["suicide"],
                IllegalMove::Ko => &["ko"],
                IllegalMove::ApartFromLastTurn => &["first_not_collinear_with_last_turn"],
                IllegalMove::NotCollinear => &["second_not_collinear"],
                IllegalMove::Collinear => &["second_is_collinear"],
            },
            IllegalAction::NoSwap => &["no_swap_now"],
            IllegalAction::NoPass => &["no_swap_now", "pass_too_early"],
            IllegalAction::TooFew | IllegalAction::NoCount => &["incomplete"],
            IllegalAction::TooMany => &["too_many_stones", "too_many_fifths"],
            IllegalAction::Twice => &["duplicate_point"],
            IllegalAction::NeedlessCount => &["unreadable"],
            IllegalAction::BadCount { .. } => &["count_out_of_range"],
            IllegalAction::OutsideZone => &[
                "first_not_centre",
                "third_inside_zone",
                "second_not_canonical",
                "third_not_canonical",
                "fourth_outside_7x7",
                "fifth_outside_9x9",
                "outside_5x5",
            ],
            IllegalAction::NoFigure => {
                &["first_not_centre", "second_not_canonical", "third_not_canonical"]
            }
            IllegalAction::Symmetric => &["symmetric_fifths"],
            IllegalAction::NotOffered => &["not_a_tentative"],
        },
    };
    names.contains(&reason)
}

fn compare_state(state: &Situation, game_state: &GameState, sheet: &mut Sheet<'_>) -> Result<()> {
    let place = at_ply(game_state.actions().len());
    let contest = game_state.contest();
    ensure!(state.p == game_state.actions().len(), "the state of ply {} is at {place}", state.p);
    let stones: Vec<(Cell, Stone)> =
        game_state.stones().into_iter().map(|(at, color)| (at, Stone::Of(color))).collect();
    let board = diagram(contest.width, contest.height, &stones);
    sheet.equal(Check::Hash, &place, state.h.clone(), format!("{:08x}", fnv1a(&board)));
    if let Some(expected) = &state.b {
        sheet.equal(Check::Board, &place, expected.clone(), board);
    }
    let to_move = (game_state.seat().index() + 1, ColorLetter::from(game_state.to_move()));
    sheet.equal(Check::ToMove, &place, (state.seat, state.col), to_move);
    if let Some(captured) = state.cap {
        sheet.equal(Check::Captures, &place, captured, game_state.referee().captured());
    }
    if let Some(tie) = state.tb {
        let found = game_state.tie_breaker().map(|seat| seat.index() + 1);
        sheet.equal(Check::Pass, &place, Some(tie), found);
    }
    if let Some(tentative) = &state.tent {
        let mut found: Vec<String> =
            game_state.offers().iter().map(|&c| label(game_state, c)).collect();
        let mut expected = tentative.clone();
        found.sort_unstable();
        expected.sort_unstable();
        sheet.equal(Check::Fifths, &place, expected, found);
    }
    if let Some(declared) = state.tc {
        sheet.equal(Check::Fifths, &place, Some(declared), game_state.declared());
    }
    let Some(pending) = game_state.pending_decision() else { return Ok(()) };
    if let Some(forbid) = &state.forbid {
        let referee = game_state.referee();
        let fouls = |at| referee.fouls(game_state.to_move(), at);
        let data = forbidden_points(forbid, contest.height)?;
        compare_forbidden(&data, contest.height, game_state.empty(), fouls, &place, sheet);
    }
    if let Some(pass) = state.pass {
        let meaning = match (pending.swap, pending.pass) {
            (true, _) => PassMeaning::Swap,
            (_, true) => PassMeaning::Pass,
            _ => PassMeaning::No,
        };
        sheet.equal(Check::Pass, &place, pass, meaning);
    }
    if let Some(n) = state.n {
        sheet.equal(Check::Count, &place, Some(n), game_state.count());
    }
    if let Some(legal) = &state.legal {
        let mut legal = legal.clone();
        legal.sort_unstable();
        sheet.equal(Check::Placements, &place, legal, texts(game_state));
    }
    if let Some(no) = &state.no {
        let placements = game_state.placements();
        let empty = game_state.empty().into_iter().filter(|cell| !placements.contains(cell));
        let mut found: Vec<String> = empty.map(|cell| label(game_state, cell)).collect();
        let mut expected = no.clone();
        found.sort_unstable();
        expected.sort_unstable();
        sheet.equal(Check::Placements, &place, expected, found);
    }
    if let Some(pairs) = state.pairs {
        sheet.equal(Check::Count, &place, pairs, count_pairs(game_state));
    }
    Ok(())
}

/// Texts of all plies that place one stone, or the figure of an opening, sorted.
fn texts(game_state: &GameState) -> Vec<String> {
    let single = game_state.placements().into_iter().map(Action::stone);
    let figures = game_state.figures().into_iter().map(|cells| Action::stones(&cells));
    let mut texts: Vec<String> =
        single.chain(figures).map(|action| write(game_state, &action)).collect();
    texts.sort_unstable();
    texts
}

/// Pairs of stones that the game and the opening allow, whatever their order.
fn count_pairs(game_state: &GameState) -> usize {
    let pair = |pending: &PendingDecision| pending.choices.iter().any(is_pair);
    if !game_state.pending_decision().is_some_and(|pending| pair(&pending)) {
        return 0;
    }
    let empty: Vec<Cell> =
        game_state.empty().into_iter().filter(|&cell| game_state.in_pair_zone(cell)).collect();
    let legal = |i: usize| {
        let others = empty[i + 1..].iter();
        others.filter(|&&q| game_state.referee().check_turn(&[empty[i], q]).is_ok()).count()
    };
    (0..empty.len()).map(legal).sum()
}

fn is_pair(choice: &Choice) -> bool {
    matches!(choice, Choice::Stones { colors, .. } if colors.len() == 2)
}

fn compare_result(
    record: &GameVector,
    game_state: &GameState,
    sheet: &mut Sheet<'_>,
) -> Result<()> {
    let expected = &record.result;
    let height = game_state.contest().height;
    let found = game_state.result();
    let reason = found.map_or("unfinished", |result| result.reason.name());
    let over = found.is_some();
    sheet.equal(
        Check::Result,
        "end",
        (expected.gameover, expected.reason.clone()),
        (over, reason.to_owned()),
    );
    let mut seats = expected.winner.clone();
    let mut colors = expected.colours.clone();
    seats.sort_unstable();
    colors.sort_unstable();
    sheet.equal(Check::Result, "end", (seats, colors), winners(game_state));

    let mut data_lines: Vec<Vec<Cell>> = Vec::new();
    for line in &expected.lines {
        data_lines.push(line.iter().map(|text| judge::cell(text, height)).collect::<Result<_>>()?);
    }
    let mut found_lines = found.map_or(Vec::new(), |result| result.lines.clone());
    for line in data_lines.iter_mut().chain(&mut found_lines) {
        line.sort_unstable();
    }
    if overlooks_lines(game_state.contest()) {
        // A part of a line in the data stands for the whole line.
        for line in &mut data_lines {
            let whole = found_lines.iter().find(|&own| line.iter().all(|cell| own.contains(cell)));
            *line = whole.unwrap_or(line).clone();
        }
    }
    let lines = |lines: Vec<Vec<Cell>>| {
        let mut lines: Vec<String> = lines.iter().map(|line| labels(line, height)).collect();
        lines.sort_unstable();
        lines
    };
    sheet.equal(Check::Lines, "end", lines(data_lines), lines(found_lines));
    Ok(())
}

/// Seats and colours that won.
fn winners(game_state: &GameState) -> (Vec<usize>, Vec<ColorLetter>) {
    game_state.result().map_or_else(Default::default, |result| {
        let seats = result.seats.iter().map(|seat| seat.index() + 1).collect();
        (seats, result.colors.iter().map(|&color| ColorLetter::from(color)).collect())
    })
}

/// Compares with the correct result where the data departs from the rules.
fn compare_departure(
    record: &GameVector,
    rule: &Departure,
    game_state: &GameState,
    sheet: &mut Sheet<'_>,
) {
    let reason = game_state.result().map(|result| result.reason.name().to_owned());
    let mut winner = rule.winner.clone();
    winner.sort_unstable();
    sheet.equal(
        Check::Result,
        "end by the rules",
        (rule.gameover, winner, rule.reason.clone()),
        (game_state.result().is_some(), winners(game_state).0, reason),
    );
    if let Some(captured) = rule.cap {
        sheet.equal(Check::Captures, "end", captured, game_state.referee().captured());
    }
    if let Some(text) = &rule.refuses {
        let tried =
            read(game_state, text).and_then(|action| Ok(game_state.clone().apply(&action)?));
        sheet.equal(Check::Legality, text, false, tried.is_ok());
        sheet.equal(Check::Legality, text, record.moves.get(rule.plies_played), Some(text));
    }
}

fn label(game_state: &GameState, cell: Cell) -> String {
    cell.label(game_state.contest().height).to_lowercase()
}

fn at_ply(ply: usize) -> String {
    format!("ply {ply}")
}

/// Judges of single stones that follow a game, in games that have them.
struct Mirrors(Vec<Mirror>);

struct Mirror {
    /// Column of the judge in the report.
    column: usize,
    setup: Setup,
    judge: Box<dyn Judge>,
}

impl Mirrors {
    fn new(contest: &Contest) -> Result<Mirrors> {
        let Variant::Five(rule) = contest.variant else { return Ok(Mirrors(Vec::new())) };
        let setup = Setup::new(rule, contest.width, contest.height)?;
        let judges = [(REFEREE, judge::referee(setup)), (BOARD, board_judge::board(setup))];
        let mirror = |(column, judge)| Mirror { column, setup, judge };
        Ok(Mirrors(judges.into_iter().map(mirror).collect()))
    }

    /// Sets up the stones of a position. After the end of a game there is nothing
    /// to judge.
    fn set_up(&mut self, game_state: &GameState) -> Result<()> {
        if game_state.result().is_some() {
            self.0.clear();
        }
        for mirror in &mut self.0 {
            for (cell, color) in game_state.stones() {
                mirror.judge.set_up(color, cell)?;
            }
        }
        Ok(())
    }

    fn compare_state(&self, state: &Situation, sheet: &mut Sheet<'_>) -> Result<()> {
        let color = Color::from(state.col);
        let place = at_ply(state.p);
        for Mirror { column, setup, judge } in &self.0 {
            let sheet = &mut sheet.of(*column);
            let text = board_string(*setup, &**judge);
            sheet.equal(Check::Hash, &place, state.h.clone(), format!("{:08x}", fnv1a(&text)));
            if let Some(expected) = &state.b {
                sheet.equal(Check::Board, &place, expected.clone(), text);
            }
            if let Some(forbid) = &state.forbid {
                let data = forbidden_points(forbid, setup.height)?;
                let empty = empty_points(*setup, &**judge);
                let fouls = |at| judge.fouls(color, at);
                compare_forbidden(&data, setup.height, empty, fouls, &place, sheet);
            }
        }
        Ok(())
    }

    /// Places the stones of an action that the rules have judged, and compares.
    fn apply(
        &mut self,
        action: &Action,
        game_state: &GameState,
        place: &str,
        sheet: &mut Sheet<'_>,
    ) {
        let cells = match action {
            Action::Swap | Action::Pass | Action::Offer(_) => return,
            Action::Stones { cells, .. } => cells.clone(),
            Action::Choose { fifth, sixth } => vec![*fifth, *sixth],
        };
        let reason = game_state.result().map(|result| result.reason);
        for Mirror { column, judge, .. } in &mut self.0 {
            let sheet = &mut sheet.of(*column);
            for (i, &cell) in cells.iter().enumerate() {
                let Some(Stone::Of(color)) = game_state.stone(cell) else { continue };
                let last = i + 1 == cells.len();
                let by = |expected: Reason| last && reason == Some(expected);
                sheet.equal(Check::Five, place, by(Reason::Line), judge.is_five(color, cell));
                let foul = judge.fouls(color, cell).any();
                sheet.equal(Check::Foul, place, by(Reason::Foul), foul);
                let placed = judge.place(color, cell);
                sheet.equal(Check::Legality, place, None, placed.err());
                let over = [Reason::Line, Reason::Foul, Reason::Full].into_iter().any(by);
                sheet.equal(Check::Outcome, place, over, judge.outcome().is_some());
            }
        }
    }
}
