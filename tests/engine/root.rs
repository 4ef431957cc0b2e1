//! What the root does besides finding the best move, against plain minimax on
//! toy games: multi-PV, losing moves, exclusions, known results.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::support::{Random, engine, enough, limits};
use crate::toys::{Hints, Rules, Toy};
use goren_core::opening::{GameState, read};
use goren_core::rules::{Contest, OpeningId, Outcome, Variant};
use goren_core::types::{Cell, CellSet, Color, Move, PROVEN, Score, loss_in, win_in};
use goren_engine::game::Position;
use goren_engine::{
    Answer, AnyPosition, Exclusions, Info, KnownResult, Params, Report, Request, RootEvent,
    RootPosition, SearchablePosition, WeightSet, new_position,
};

/// Reports and answer of a search.
struct Searched {
    answer: Answer,
    lines: Vec<Info>,
    lost: BTreeSet<Cell>,
}

fn search(toy: &Toy, limits: &Request) -> Searched {
    // No move is left out, so that values are exact.
    let params =
        Params { lmp_depth: 0, delaying_four_depth: 0, singular_depth: 127, ..Params::default() };
    let (mut lines, mut lost) = (Vec::new(), BTreeSet::new());
    let observer = &mut |report: &Report| match report {
        Report::Pv(info) => lines.push(info.clone()),
        Report::Root(RootEvent::Lost(cell)) => _ = lost.insert(*cell),
        Report::Root(_) => {}
    };
    let answer =
        engine(1 << 20, &params).go(&SearchablePosition(toy.clone()), limits, observer).unwrap();
    Searched { answer, lines, lost }
}

/// Values for the side to move under exclusions.
struct Minimax<'a> {
    exclusions: &'a Exclusions,
    known: HashMap<([u32; 2], usize), Score>,
}

impl Minimax<'_> {
    fn value(&mut self, toy: &mut Toy) -> Score {
        let identity = toy.identity();
        if let Some(&value) = self.known.get(&identity) {
            return value;
        }
        let value = match toy.outcome() {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(color)) if color == toy.to_move() => win_in(0),
            Some(Outcome::Win(_)) => loss_in(0),
            // Having no allowed move loses, like having only fouls.
            None => self.moves(toy).into_values().max().unwrap_or(loss_in(1)),
        };
        self.known.insert(identity, value);
        value
    }

    /// Values of the moves for the side that makes them.
    fn moves(&mut self, toy: &mut Toy) -> BTreeMap<Cell, Score> {
        let me = toy.to_move();
        let excluded = self.exclusions.cells[me.index()];
        let mut values = BTreeMap::new();
        for i in toy.empties() {
            let cell = Cell::new(i % toy.rules.width, i / toy.rules.width);
            if excluded.contains(cell) {
                continue;
            }
            toy.play(i);
            let value = self.value(toy);
            let value = if toy.to_move() == me { value } else { -value };
            toy.unmake();
            let value = if value.abs() >= PROVEN { value - value.signum() } else { value };
            values.insert(cell, value);
        }
        values
    }
}

/// Whether a score claims no win or loss that is false, and no faster end than the true one.
fn is_sound(score: Score, value: Score) -> bool {
    score.abs() < PROVEN || score.signum() == value.signum() && score.abs() <= value.abs()
}

fn minimax(exclusions: &Exclusions) -> Minimax<'_> {
    Minimax { exclusions, known: HashMap::new() }
}

/// Positions of random unfinished games on a few kinds of boards.
fn positions(hints: Hints) -> Vec<Toy> {
    let mut random = Random::new(7);
    let mut list = Vec::new();
    for (width, height, row, turn) in
        [(3, 3, 3, [1, 1]), (4, 3, 3, [1, 1]), (4, 3, 4, [1, 2]), (4, 4, 4, [1, 1])]
    {
        for _ in 0..12 {
            let mut toy = Toy::new(Rules { width, height, row, turn, hints });
            let least = (width * height).saturating_sub(8);
            while toy.outcome().is_none() {
                let free: Vec<usize> = toy.empties().collect();
                if width * height - free.len() >= least && free.len() > 1 {
                    list.push(toy.clone());
                }
                toy.play(free[random.below(free.len())]);
            }
        }
    }
    list
}

#[test]
fn multi_pv_finds_the_best_moves_and_their_values() {
    for hints in [Hints::None, Hints::Few] {
        for mut toy in positions(hints) {
            let exclusions = Exclusions::default();
            let values = minimax(&exclusions).moves(&mut toy);
            let mut best: Vec<Score> = values.values().copied().collect();
            best.sort_by_key(|&value| -value);
            for multi_pv in [2, 3, 16] {
                let result = search(&toy, &Request { multi_pv, ..limits(40) });
                let count = multi_pv.min(values.len());
                let last = &result.lines[result.lines.len() - count..];
                for (i, info) in last.iter().enumerate() {
                    assert_eq!((info.pv_index, info.pv_count), (i, count));
                    // With hints only proven scores are sure.
                    let value = values[&info.pv[0].cell()];
                    assert!(is_sound(info.score, value), "{:?}", toy.identity());
                    if hints == Hints::None {
                        assert_eq!(info.score.signum(), value.signum(), "{:?}", toy.identity());
                        assert_eq!(info.score.signum(), best[i].signum(), "{:?}", toy.identity());
                    }
                }
                let first: BTreeSet<Cell> = last.iter().map(|info| info.pv[0].cell()).collect();
                assert_eq!(first.len(), count, "a move has one line only");
                assert_eq!(result.answer.best, last[0].pv[0]);
                assert_eq!(result.answer.info.score, last[0].score);
            }
        }
    }
}

/// The position of a game after some moves.
fn after(game: &str, moves: &str) -> Box<dyn AnyPosition> {
    let contest = Contest::new(Variant::from_name(game).unwrap());
    let contest = contest.opened(OpeningId::Free).unwrap();
    let mut game_state = GameState::new(contest);
    for text in moves.split(' ') {
        let action = read(&game_state, text).unwrap();
        game_state.apply(&action).unwrap();
    }
    let mut position = new_position(&contest, &WeightSet::default());
    position.set(&RootPosition::of(&game_state, &[], game_state.to_move(), 1));
    position
}

#[test]
fn multi_pv_reports_the_best_first_at_every_depth() {
    for game in ["freestyle", "renju"] {
        for moves in ["h8 i9 j8", "h8 i9 g9 h7", "h8 h9 i9 g7 j10", "h8 g9 f8 h10 i11"] {
            let position = after(game, moves);
            let mut lines: Vec<Info> = Vec::new();
            let limits = Request { multi_pv: 3, max_depth: Some(11), ..Request::default() };
            let mut engine = engine(1 << 22, &Params::default());
            let observer = &mut |report: &Report| {
                if let Report::Pv(info) = report {
                    lines.push(info.clone());
                }
            };
            engine.go(&*position, &limits, observer).unwrap();
            for batch in lines.chunks(3) {
                let pvs: Vec<_> = batch.iter().map(|info| (info.pv_index, info.score)).collect();
                assert_eq!(pvs.iter().map(|line| line.0).collect::<Vec<_>>(), [0, 1, 2]);
                assert!(batch.is_sorted_by(|a, b| a.score >= b.score), "{game} {moves}: {pvs:?}");
                let deep = batch[0].depth > 4;
                assert!(!deep || batch.iter().all(|info| info.pv.len() > 1), "{game} {moves}");
            }
            assert_eq!(lines.last().map(|info| info.depth), Some(11));
        }
    }
}

/// The answer ignores an iteration that stopped before its first move was searched, or while
/// that move was searched again after a fail low, when its score is only a bound.
#[test]
fn the_score_of_an_answer_is_not_a_bound() {
    let params = Params::default();
    let mut unchanged = 0;
    for moves in ["h8 i9 j8", "h8 i9 g9 h7", "h8 h9 i9 g7 j10", "h8 g9 f8 h10 i11"] {
        let position = after("freestyle", moves);
        for nodes in (1_000..13_000).step_by(300) {
            let (mut last, mut best_reported) = (None, 0);
            let observer = &mut |report: &Report| match report {
                Report::Pv(info) => (last, best_reported) = (Some(info.clone()), 0),
                Report::Root(RootEvent::Best(_)) => best_reported += 1,
                Report::Root(_) => {}
            };
            let request = Request { max_nodes: Some(nodes), ..Request::default() };
            let answer = engine(1 << 22, &params).go(&*position, &request, observer).unwrap();
            let (last, found) = (last.unwrap(), &answer.info);
            let result = (found.depth, found.score, &found.pv);
            if best_reported == 0 {
                assert_eq!(result, (last.depth, last.score, &last.pv), "{moves} {nodes}");
            }
            if best_reported == 1 && answer.best == last.pv[0] {
                // Only the first move was searched: within the window, or it failed low.
                let window = last.score - params.aspiration;
                let in_window = found.score > window;
                assert!(found.depth == last.depth || in_window, "{moves} {nodes}: {result:?}");
                unchanged += usize::from(found.depth == last.depth);
            }
        }
    }
    assert!(unchanged > 0);
}

#[test]
fn a_defend_search_finds_the_losing_moves() {
    let mut counts = [0; 2];
    for hints in [Hints::None, Hints::Quiet, Hints::Threats, Hints::Few] {
        for mut toy in positions(hints) {
            let exclusions = Exclusions::default();
            let values = minimax(&exclusions).moves(&mut toy);
            let result = search(&toy, &Request { defend: true, ..limits(40) });
            let lost: BTreeSet<Cell> =
                values.iter().filter(|(_, value)| **value <= -PROVEN).map(|(&c, _)| c).collect();
            counts[usize::from(lost.is_empty())] += 1;
            // Deeper iterations end early once nothing is left to find.
            assert!(result.lost.is_subset(&lost), "{:?}", toy.identity());
            if lost.len() < values.len() {
                let best = result.answer.best.cell();
                assert!(!result.lost.contains(&best), "{:?}", toy.identity());
                if hints != Hints::Few {
                    assert_eq!(result.lost, lost, "{:?}", toy.identity());
                }
            }
        }
    }
    assert!(enough(counts.iter().all(|&n| n > 0)), "{counts:?}");
}

/// Exclusions may cover the moves that the position generates first: a side whose immediate win
/// is excluded can still defend, and an excluded threat cannot be carried out.
#[test]
fn proofs_under_exclusions_and_threats_are_true() {
    let (mut random, mut changed) = (Random::new(23), 0);
    for hints in [Hints::Threats, Hints::Few] {
        for mut toy in positions(hints) {
            let plain = *minimax(&Exclusions::default()).moves(&mut toy).values().max().unwrap();
            let width = toy.rules.width;
            let mut exclusions = Exclusions::default();
            for cells in &mut exclusions.cells {
                for i in toy.empties().filter(|_| random.once_in(3)) {
                    cells.insert(Cell::new(i % width, i / width));
                }
            }
            let values = minimax(&exclusions).moves(&mut toy);
            let Some(&best) = values.values().max() else { continue };
            changed += usize::from(best.signum() != plain.signum());
            for multi_pv in [1, 2] {
                let request = Request { exclusions: exclusions.clone(), multi_pv, ..limits(80) };
                let score = search(&toy, &request).answer.info.score;
                let context = format!("{:?} {:?} {values:?}", toy.identity(), exclusions.cells);
                assert!(is_sound(score, best), "{score} {context}");
            }
        }
    }
    assert!(enough(changed > 20), "{changed}");
}

/// Both of White's fives and one of Black's two are excluded: White blocks the other, and
/// nobody wins.
#[test]
fn a_side_whose_fives_are_excluded_defends() {
    // White to move has h15, i15, j15 and k15, with five on g15 and l15; Black has five on b3
    // and g3.
    let position = after("freestyle", "c3 i15 d3 j15 e3 k15 f3 h15 a1");
    let mut exclusions = Exclusions::default();
    for (x, y) in [(11, 0), (6, 0)] {
        exclusions.cells[Color::White.index()].insert(Cell::new(x, y));
    }
    exclusions.cells[Color::Black.index()].insert(Cell::new(1, 12));
    let request = Request { exclusions, max_depth: Some(8), ..Request::default() };
    let mut engine = engine(1 << 22, &Params::default());
    let answer = engine.go(&*position, &request, &mut |_| {}).unwrap();
    assert_eq!(answer.best.cell(), Cell::new(6, 12));
    assert!(answer.info.score.abs() < PROVEN, "{}", answer.info.score);
}

#[test]
fn excluded_moves_are_neither_played_nor_expected() {
    let mut random = Random::new(11);
    for mut toy in positions(Hints::None) {
        let (width, mut exclusions) = (toy.rules.width, Exclusions::default());
        let free: Vec<usize> = toy.empties().collect();
        for color in 0..2 {
            let i = free[random.below(free.len())];
            exclusions.cells[color].insert(Cell::new(i % width, i / width));
        }
        let values = minimax(&exclusions).moves(&mut toy);
        let result = search(&toy, &Request { exclusions: exclusions.clone(), ..limits(40) });
        let Some(&best) = values.values().max() else { continue };
        assert!(values.contains_key(&result.answer.best.cell()));
        assert_eq!(
            result.answer.info.score,
            best,
            "{:?} {:?} {:?} {:?}",
            toy.identity(),
            exclusions.cells,
            values,
            result.answer.info.pv
        );
        let mut after = toy.clone();
        for &m in &result.answer.info.pv {
            assert!(!exclusions.cells[after.to_move().index()].contains(m.cell()));
            after.make(m);
        }
        // An excluded root move counts as absent.
        let root_moves = vec![result.answer.best.cell()];
        let others = values.iter().filter(|(cell, _)| !root_moves.contains(cell));
        if let Some(next) = others.map(|(_, &value)| value).max() {
            let exclusions = Exclusions { root_moves, ..exclusions };
            let result = search(&toy, &Request { exclusions, ..limits(40) });
            assert_eq!(result.answer.info.score, next, "{:?}", toy.identity());
        }
    }
}

/// One engine searches under changing exclusions: table entries are not valid under other
/// exclusions.
#[test]
fn table_entries_are_not_used_under_other_exclusions() {
    let params =
        Params { lmp_depth: 0, delaying_four_depth: 0, singular_depth: 127, ..Params::default() };
    let (mut random, mut changed) = (Random::new(29), 0);
    for mut toy in positions(Hints::None) {
        let mut engine = engine(1 << 20, &params);
        let width = toy.rules.width;
        let mut last = None;
        for _ in 0..4 {
            let mut exclusions = Exclusions::default();
            for cells in &mut exclusions.cells {
                let excludes = random.once_in(2);
                for i in toy.empties().filter(|_| excludes && random.once_in(3)) {
                    cells.insert(Cell::new(i % width, i / width));
                }
            }
            let values = minimax(&exclusions).moves(&mut toy);
            let Some(&best) = values.values().max() else { continue };
            changed += usize::from(last.is_some_and(|last| last != best));
            last = Some(best);
            let request = Request { exclusions, ..limits(40) };
            let answer =
                engine.go(&SearchablePosition(toy.clone()), &request, &mut |_| {}).unwrap();
            assert_eq!(answer.info.score.signum(), best.signum(), "{:?}", toy.identity());
            assert!(is_sound(answer.info.score, best), "{:?}", toy.identity());
        }
    }
    assert!(enough(changed > 20), "{changed}");
}

#[test]
fn an_excluded_sequence_is_avoided() {
    for mut toy in positions(Hints::None) {
        let none = Exclusions::default();
        let open = search(&toy, &limits(40)).answer;
        let [first, second] = open.info.pv[..] else {
            let mut minimax = minimax(&none);
            assert!(open.info.pv.len() != 2 || minimax.moves(&mut toy).is_empty());
            continue;
        };
        // The answer to the best move is excluded: the value of the move is now that
        // of the best other answer.
        let sequences = vec![vec![first.cell(), second.cell()]];
        let exclusions = Exclusions { sequences, ..Exclusions::default() };
        let result =
            search(&toy, &Request { exclusions, root_moves: vec![first.cell()], ..limits(40) });
        assert_ne!(result.answer.info.pv.get(1), Some(&second), "{:?}", toy.identity());
        let mut after = toy.clone();
        after.make(first);
        let same = after.to_move() == toy.to_move();
        let answers = minimax(&none).moves(&mut after);
        let others = answers.iter().filter(|(cell, _)| Move::at(**cell) != second);
        let Some(best) = others.map(|(_, &value)| value).max() else { continue };
        let best = if best.abs() >= PROVEN { best - best.signum() } else { best };
        assert_eq!(result.answer.info.score, if same { best } else { -best });
    }
}

/// A move named more often than the largest board has cells once ended the process.
#[test]
fn a_repeated_root_move_is_searched_once() {
    let toy = positions(Hints::None).remove(0);
    let best = search(&toy, &limits(40)).answer.best;
    let root_moves = vec![best.cell(); 2000];
    let result = search(&toy, &Request { root_moves, multi_pv: 2, ..limits(40) });
    assert_eq!(result.answer.best, best);
    assert!(result.lines.iter().all(|line| line.pv_count == 1 && line.pv[0] == best));
}

#[test]
fn a_move_is_played_even_if_all_are_excluded() {
    let toy = Toy::new(Rules { width: 3, height: 3, row: 3, turn: [1, 1], hints: Hints::None });
    let exclusions = Exclusions { cells: [CellSet::board(3, 3); 2], ..Exclusions::default() };
    let result = search(&toy, &Request { exclusions, ..limits(4) });
    assert!(result.answer.best.is_some());
}

#[test]
fn known_results_are_believed_anywhere_in_the_tree() {
    let (mut random, none) = (Random::new(5), Exclusions::default());
    let mut changed = 0;
    for mut toy in positions(Hints::None) {
        let (mut after, mut before) = (toy.clone(), toy.clone());
        let mut path = Vec::new();
        let length = 1 + random.below(3);
        while path.len() < length && after.outcome().is_none() {
            let free: Vec<usize> = after.empties().collect();
            let i = free[random.below(free.len())];
            before = after.clone();
            after.play(i);
            path.push(Cell::new(i % toy.rules.width, i / toy.rules.width));
        }
        if after.outcome().is_some() {
            continue;
        }
        let plies = 2 + random.below(9);
        let score = if random.once_in(2) { win_in(plies) } else { loss_in(plies) };
        let mut claimed = minimax(&none);
        claimed.known.insert(after.identity(), score);
        let for_mover = if after.to_move() == before.to_move() { score } else { -score };
        if path.len() > 1 && for_mover >= PROVEN {
            // Whoever can win needs no other move.
            claimed.known.insert(before.identity(), for_mover - 1);
        }
        let values = claimed.moves(&mut toy);
        let best = *values.values().max().unwrap();
        let plain = *minimax(&none).moves(&mut toy).values().max().unwrap();
        changed += usize::from(best.signum() != plain.signum());
        // A path that cannot be played is ignored.
        let twice = KnownResult { path: vec![path[0], path[0]], score: win_in(1) };
        let known = vec![KnownResult { path, score }, twice];
        for multi_pv in [1, 3] {
            let result =
                search(&toy, &Request { known_results: known.clone(), multi_pv, ..limits(40) });
            let found = result.answer.info.score;
            assert_eq!(found.signum(), best.signum(), "{:?} {known:?}", toy.identity());
            assert!(is_sound(found, best), "{:?} {known:?}", toy.identity());
            let played = values[&result.answer.best.cell()];
            assert_eq!(played.signum(), best.signum(), "{:?} {known:?}", toy.identity());
        }
        let result =
            search(&toy, &Request { known_results: known.clone(), defend: true, ..limits(40) });
        assert!(result.lost.iter().all(|cell| values[cell] <= -PROVEN), "{:?}", toy.identity());
        // Exclusions turn known results off.
        let mut exclusions = Exclusions::default();
        exclusions.cells[0].insert(result.answer.best.cell());
        let values = minimax(&exclusions).moves(&mut toy);
        let result = search(
            &toy,
            &Request { known_results: known, exclusions: exclusions.clone(), ..limits(40) },
        );
        if let Some(&best) = values.values().max() {
            let found = result.answer.info.score;
            assert_eq!(found.signum(), best.signum(), "{:?}", toy.identity());
            assert!(is_sound(found, best), "{:?}", toy.identity());
        }
    }
    assert!(enough(changed > 20), "{changed}");
}
