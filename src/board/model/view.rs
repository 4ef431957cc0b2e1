//! Games and positions for the page.

use super::beginning::beginning_of;
use super::placing::Placing;
use super::threats::threats;
use super::tree::Tree;
use crate::schema::{
    Boards, Decision, Foul, Frame, Game, GameInfo, LevelInfo, Line, LineStone, OpeningInfo,
    OptionInfo, Outcome, Position, Stone, Way,
};
use goren_core::opening::{Choice, Event, GameState};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{self, Cell, Color, MAX_SIDE, win_rate};
use goren_decide::NamedLevel;
use goren_engine::{Info, RootPosition};
use goren_notation::words::{foul_names, name, score_text};
use goren_notation::{ending, pending_decision_text};

/// Describes the possible boards of a game.
fn boards(game: Variant) -> Boards {
    let boards = game.boards();
    Boards { least: boards.least, most: MAX_SIDE, square: boards.square, even: boards.even }
}

/// Describes all games.
pub(super) fn games() -> Vec<GameInfo> {
    Variant::games().map(game_info).collect()
}

fn game_info(game: Variant) -> GameInfo {
    let sheet = game.sheet();
    let excluded_by = |option: &str| {
        let others = sheet.options.iter().filter(|other| other.name != option);
        let clash = others.filter(|other| {
            game.with(other.name).is_none_or(|with_other| with_other.with(option).is_none())
        });
        clash.map(|other| other.name.to_owned()).collect()
    };
    let options = sheet.options.iter().map(|option| {
        let with_it = game.with(option.name).unwrap_or(game);
        OptionInfo {
            name: option.name.into(),
            text: option.text.into(),
            excluded_by: excluded_by(option.name),
            size: Some(with_it.usual_board()).filter(|&size| size != game.usual_board()),
            boards: boards(with_it),
        }
    });
    // Every game can be played without an opening rule.
    let free = [OpeningId::Free].into_iter().filter(|free| !sheet.openings.contains(free));
    let openings =
        sheet.openings.iter().copied().chain(free).map(|opening| OpeningInfo {
            name: opening.name().into(),
            text: opening.text().into(),
        });
    GameInfo {
        name: sheet.name.into(),
        text: sheet.text.into(),
        options: options.collect(),
        sizes: sheet.sizes.to_vec(),
        boards: boards(game),
        openings: openings.collect(),
        rules: sheet.rules.iter().map(|&rule| rule.to_owned()).collect(),
        passes: sheet.passes,
    }
}

/// Describes a playing level.
pub(super) fn level(level: &NamedLevel) -> LevelInfo {
    LevelInfo { name: level.name.into(), text: level.text.into() }
}

/// Describes the game being played.
pub(super) fn game(tree: &Tree) -> Game {
    let contest = tree.beginning().contest();
    let Contest { variant, width, height, opening, tie_break, strict } = *contest;
    let mut rules = vec![format!("{}: {}.", variant, variant.sheet().text)];
    rules.extend(variant.options().map(|option| format!("+{}: {}.", option.name, option.text)));
    rules.extend(variant.sheet().passing().map(|when| format!("Players {when}.")));
    if variant.turn() > 1 {
        rules.push("Every turn but the first has two stones.".into());
    }
    Game {
        variant: variant.to_string(),
        width,
        height,
        opening: opening.name().into(),
        tie_break,
        strict,
        torus: variant.lasting_lines().is_some_and(|lines| lines.torus),
        falls: variant.falls(),
        threats: contest.setup().is_some(),
        fouls: Color::ALL.into_iter().any(|color| variant.fouls(color).any()),
        idle_rings: variant.idle_rings(),
        goal: match variant {
            Variant::Pente(pente) => Some(pente.goal()),
            _ => None,
        },
        rules,
        names: tree.heading.players.clone().map(|name| Some(name).filter(|it| !it.is_empty())),
        title: Some(tree.heading.title.clone()).filter(|title| !title.is_empty()),
    }
}

/// Returns the stones placed in the game, in order, with their colours and where they are now:
/// cleared lines are taken off (`None`) and move the other pieces. Captured stones are listed
/// where they were.
fn placed_stones(game_state: &GameState) -> Vec<(Option<Cell>, Color)> {
    let falls = game_state.contest().variant.falls();
    let mut referee = falls.then(|| beginning_of(game_state).referee().copy());
    let mut placed = Vec::new();
    for event in game_state.events() {
        let Event::Stone(cell, color) = *event else { continue };
        placed.push((Some(cell), color));
        if let Some(referee) = &mut referee {
            // A stone that was legal before is legal again.
            let _ = referee.place(color, cell);
            for (at, _) in &mut placed {
                *at = at.and_then(|cell| referee.moved(cell));
            }
        }
    }
    placed
}

/// Returns the stones on the board with their numbers, and those of the last ply.
fn frame(game_state: &GameState) -> Frame {
    let placed = placed_stones(game_state);
    let number = |cell: Cell, color: Color| {
        placed.iter().rposition(|&stone| stone == (Some(cell), color)).map(|at| at + 1)
    };
    let walls = game_state.setup_stones().iter().filter(|(_, stone)| *stone == types::Stone::Wall);
    let walls = walls.map(|&(cell, _)| Stone { cell, color: None, number: None });
    let stones = game_state.stones().into_iter().map(|(cell, color)| Stone {
        cell,
        color: Some(color),
        number: number(cell, color),
    });
    let of_ply = game_state.actions().last().map_or(0, |action| action.placed().len());
    let last = placed.iter().rev().take(of_ply).rev().filter_map(|&(cell, _)| cell);
    Frame { stones: stones.chain(walls).collect(), last: last.collect() }
}

/// Returns the positions of a game: the initial one, and one after each ply.
pub(super) fn frames(game_state: &GameState) -> Vec<Frame> {
    let mut earlier = game_state.clone();
    let mut frames = Vec::new();
    loop {
        frames.push(frame(&earlier));
        if earlier.actions().is_empty() {
            break;
        }
        earlier.take_back(1);
    }
    frames.reverse();
    frames
}

/// Describes the position shown.
pub(super) fn position(tree: &Tree, placing: &Placing) -> Position {
    let game_state = tree.game_state();
    let all = placing.choice(game_state).map_or(Vec::new(), |choice| choice.colors());
    let placed = placing.cells.iter().zip(&all);
    let placed =
        placed.map(|(&cell, &color)| Stone { cell, color: Some(color), number: None }).collect();
    let pending = game_state.pending_decision();
    let forbidden = pending.as_ref().map_or(Vec::new(), |pending| {
        let foul = |cell: Cell| {
            let fouls = game_state.referee().fouls(pending.color, cell);
            let kinds = foul_names(fouls).into_iter().map(String::from).collect();
            fouls.any().then_some(Foul { cell, kinds })
        };
        game_state.empty().into_iter().filter_map(foul).collect()
    });
    // A game that is over has no threats.
    let setup = game_state.contest().setup().filter(|_| pending.is_some());
    let mut threats = setup.map_or(Vec::new(), |setup| threats(setup, &game_state.placed()));
    threats.retain(|threat| !placing.cells.contains(&threat.cell));
    let decision = pending.map(|pending| {
        let left = placing.left(game_state);
        let way = |choice: &Choice| Way {
            text: pending_decision_text::way(game_state, choice, tree.lettering()),
            colors: choice.colors(),
            declare: choice.declares(),
        };
        Decision {
            seat: pending.seat.index(),
            color: pending.color,
            swap: pending.swap,
            pass: pending.pass,
            ways: pending.choices.iter().map(way).collect(),
            way: placing.way,
            next: left.first().copied(),
            left: left.len(),
            stage: pending_decision_text::stage(game_state, tree.lettering()),
        }
    });
    let Frame { stones, last } = frame(game_state);
    Position {
        node: tree.current(),
        stones,
        placed,
        last,
        to_move: game_state.to_move(),
        black: game_state.owner(Color::Black).index(),
        decision,
        legal: placing.legal(game_state),
        forbidden,
        threats,
        offers: game_state.offers().to_vec(),
        captured: game_state.referee().captured(),
        outcome: outcome(tree),
    }
}

fn outcome(tree: &Tree) -> Option<Outcome> {
    let game_state = tree.game_state();
    let result = game_state.result()?;
    let winner = if result.is_draw() { None } else { result.colors.first().copied() };
    let text = ending::sentence(game_state, tree.lettering(), |color| name(color).to_owned())?;
    Some(Outcome { winner, text, lines: result.lines.clone() })
}

/// Describes the lines of a search, the best first. Each line begins with the stones of the
/// turn that were placed before the search, so that it consists of whole turns.
pub(super) fn lines(contest: &Contest, root: &RootPosition, found: &[Info]) -> Vec<Line> {
    let best = found.first().map_or(0.0, |info| win_rate(info.score));
    let placed = placed(root);
    let line = |info: &Info| {
        let of_pv = info.pv.iter().filter(|m| m.is_some()).map(|m| m.cell());
        let cells: Vec<Cell> = placed.iter().copied().chain(of_pv).collect();
        let stones = colored(contest, root, &cells);
        let rate = win_rate(info.score);
        Line {
            text: names(contest, &cells),
            stones,
            score: score_text(info.score),
            black: if root.to_move == Color::Black { rate } else { 1.0 - rate },
            loss: (best - rate).max(0.0),
        }
    };
    found.iter().map(line).collect()
}

/// Returns the stones of the turn that were placed before the search.
fn placed(root: &RootPosition) -> Vec<Cell> {
    let turn = root.events.len().saturating_sub(root.placed);
    let cell = |event: &Event| match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    };
    root.events[turn..].iter().filter_map(cell).collect()
}

/// Returns the names of cells, separated by spaces.
pub(super) fn names(contest: &Contest, cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.label(contest.height)).collect::<Vec<_>>().join(" ")
}

/// Returns the stones of a line with their colours. The line begins with the turn at `root`,
/// including the stones placed before.
pub(super) fn colored(contest: &Contest, root: &RootPosition, cells: &[Cell]) -> Vec<LineStone> {
    let (mut color, mut left) = (root.to_move, root.placed + root.stones_to_place);
    let stone = |&cell: &Cell| {
        if left == 0 {
            (color, left) = (!color, contest.variant.turn());
        }
        left -= 1;
        LineStone { cell, color }
    };
    cells.iter().map(stone).collect()
}
