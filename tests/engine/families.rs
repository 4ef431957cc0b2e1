//! The boards of the search against the slow referee, in every game with captures,
//! gravity or two stones a turn: legal moves, stones, captures, results and static
//! verdicts; unmake must restore every byte.

use std::sync::Arc;

use rayon::prelude::*;

use crate::support::{enough, other_seeds, setting};
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, OpeningId, Outcome, Pairs, RuleId, Variant};
use goren_core::types::keys::mix;
use goren_core::types::{Cell, CellSet, Color, Move};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::game::{
    Connect6, GameVisitor, GenType, MoveList, Position, ThreatLevel, Tupled, tuple_family,
    with_game,
};
use goren_engine::threat::Verdict;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = mix(self.0);
        self.0 as usize % n
    }
}

fn factor() -> usize {
    setting("GOREN_TEST_FACTOR", 1) as usize
}

/// Seed of the game with this number.
fn seed(number: usize) -> u64 {
    other_seeds().wrapping_add(number as u64)
}

fn variants(include: fn(&Variant) -> bool) -> Vec<Contest> {
    let contest = |variant| Contest::new(variant).opened(OpeningId::Free).unwrap();
    Variant::all().into_iter().filter(include).map(contest).collect()
}

fn board(contest: &Contest) -> CellSet {
    CellSet::board(contest.width, contest.height)
}

fn random_weights(contest: &Contest) -> Arc<TupleWeights> {
    let family = tuple_family(contest.variant).expect("a game evaluated by tuples");
    Arc::new(TupleWeights::new(family.span(), |code| (mix(code.into()) % 64) as i16 - 32))
}

/// The outcome if the action is legal and ends the game.
fn result_of(game_state: &GameState, action: &Action) -> Option<Outcome> {
    let mut next = game_state.clone();
    next.apply(action).ok()?;
    outcome(&next)
}

fn outcome(game_state: &GameState) -> Option<Outcome> {
    game_state.result().map(|result| match result.colors[..] {
        [color] => Outcome::Win(color),
        _ => Outcome::Draw,
    })
}

/// Picks a cell that makes lines and captures likely: mostly one next to a stone.
fn pick(random: &mut Random, game_state: &GameState, legal: &[Cell]) -> Cell {
    let stones = game_state.stones();
    for _ in 0..6 {
        let cell = legal[random.below(legal.len())];
        let close = |&(other, _): &(Cell, Color)| {
            cell.x().abs_diff(other.x()) <= 1 && cell.y().abs_diff(other.y()) <= 1
        };
        if stones.iter().any(close) {
            return cell;
        }
    }
    legal[random.below(legal.len())]
}

/// Everything that can be observed of a position.
fn view<P: Tupled>(position: &mut P) -> impl PartialEq + std::fmt::Debug + use<P> {
    let score = position.evaluate();
    let stones = (position.board().clone(), position.codes().clone());
    (position.key(), score, position.to_move(), position.captured(), stones, position.last())
}

/// Plays a random game with one stone a ply and checks each position against the referee.
/// Returns how many wins were claimed that are complete only after the opponent's answer.
fn play_out<P: Tupled>(contest: Contest, mut position: P, seed: u64, plies: usize) -> usize {
    let random = &mut Random(seed);
    let mut game_state = GameState::new(contest);
    let mut later = 0;
    for ply in 0..plies {
        let name = format!("{} seed {seed} ply {ply}", contest.variant);
        for cell in board(&contest).iter() {
            let there = game_state.stones().into_iter().find(|&(at, _)| at == cell).map(|(_, c)| c);
            assert_eq!(position.board().color(cell), there, "{name} {cell:?}");
        }
        assert_eq!(position.captured(), game_state.referee().captured(), "{name}");
        assert_eq!(position.outcome(), outcome(&game_state), "{name}");
        if game_state.result().is_some() {
            break;
        }
        assert_eq!(position.to_move(), game_state.to_move(), "{name}");
        let legal = game_state.placements();
        check_moves(&mut position, &game_state, &legal, &name);
        let claim = position.verdict();
        later += usize::from(claim == Verdict::Win(2));
        if ply % 3 == 0 || claim == Verdict::Win(2) {
            check_claim(claim, &game_state, &legal, &name);
        }
        if legal.is_empty() {
            break;
        }
        let cell = pick(random, &game_state, &legal);
        let before = view(&mut position);
        position.make(Move::at(cell));
        position.unmake();
        assert_eq!(view(&mut position), before, "{name} {cell:?}");
        position.make(Move::at(cell));
        game_state.apply(&Action::stone(cell)).unwrap();
    }
    later
}

/// Checks that the generated moves are legal and that, together with those generated
/// last, they leave out only useless moves.
fn check_moves<P: Tupled>(position: &mut P, game_state: &GameState, legal: &[Cell], name: &str) {
    let mut list = MoveList::new();
    position.moves(GenType::Main, &mut list);
    if position.threat_level() == ThreatLevel::None {
        position.moves(GenType::Rest, &mut list);
    }
    let mut found: Vec<Cell> = Vec::new();
    for entry in &list {
        let is_allowed = legal.contains(&entry.m.cell());
        assert!(position.is_pseudo_legal(entry.m) || !is_allowed, "{name}");
        assert!(!found.contains(&entry.m.cell()), "{name}: twice");
        if position.is_legal(entry.m) {
            found.push(entry.m.cell());
        }
    }
    assert!(found.iter().all(|cell| legal.contains(cell)), "{name}");
    let me = game_state.to_move();
    let won = |cell: &Cell| result_of(game_state, &Action::stone(*cell)) == Some(Outcome::Win(me));
    if let Verdict::Win(plies) = position.verdict() {
        // Then the search generates moves at the root only.
        assert!(plies > 1 || found.iter().any(won), "{name}: the win was left out");
        return;
    }
    for cell in legal.iter().filter(|cell| !found.contains(cell)) {
        let action = Action::stone(*cell);
        let mut next = game_state.clone();
        next.apply(&action).unwrap();
        let useless = match outcome(&next) {
            // It loses at once, as Black's overline in Irensei does.
            Some(result) => result == Outcome::Win(!me),
            // The opponent wins after some reply, maybe by an earlier five that stands.
            None => next
                .placements()
                .into_iter()
                .any(|reply| result_of(&next, &Action::stone(reply)) == Some(Outcome::Win(!me))),
        };
        assert!(useless, "{name}: {cell:?} was left out");
    }
}

/// Checks a static verdict.
fn check_claim(claim: Verdict, game_state: &GameState, legal: &[Cell], name: &str) {
    let me = game_state.to_move();
    let wins = |game_state: &GameState, cells: &[Cell], color| {
        let won =
            |&cell: &Cell| result_of(game_state, &Action::stone(cell)) == Some(Outcome::Win(color));
        cells.iter().any(won)
    };
    match claim {
        Verdict::Win(1) => assert!(wins(game_state, legal, me), "{name}: no win"),
        Verdict::Win(plies) => {
            assert_eq!(plies, 2, "{name}");
            // A five that stands after every answer.
            let lasts = |&cell: &Cell| {
                let mut next = game_state.clone();
                next.apply(&Action::stone(cell)).unwrap();
                let replies = next.placements();
                let won = |r: &Cell| result_of(&next, &Action::stone(*r)) == Some(Outcome::Win(me));
                next.result().is_none() && replies.iter().all(won)
            };
            assert!(legal.iter().any(lasts), "{name}: no win");
        }
        Verdict::Loss(plies) => {
            assert_eq!(plies, 2, "{name}");
            for &cell in legal {
                let mut next = game_state.clone();
                next.apply(&Action::stone(cell)).unwrap();
                let replies = next.placements();
                assert!(wins(&next, &replies, !me), "{name}: {cell:?} is no loss");
            }
        }
        Verdict::Unknown => {}
    }
}

/// Random games of a contest, one for each seed, of at most `plies` plies.
struct Games {
    contest: Contest,
    seeds: Vec<u64>,
    plies: usize,
}

impl GameVisitor for Games {
    type Out = usize;

    fn five(self, _rule: RuleId) -> usize {
        0
    }

    fn tupled<P: Tupled + 'static>(self, empty: P) -> usize {
        let play = |&seed: &u64| play_out(self.contest, empty.clone(), seed, self.plies);
        self.seeds.iter().map(play).sum()
    }
}

/// Plays random games of a contest. Returns how many wins were claimed that are complete
/// only after the opponent's answer.
fn games(contest: Contest, seeds: Vec<u64>, plies: usize) -> usize {
    with_game(&contest, Some(random_weights(&contest)), Games { contest, seeds, plies })
}

/// Every game with one stone a turn, including those that are added later.
#[test]
fn every_game_agrees_with_the_referee() {
    let tupled = |v: &Variant| v.turn() == 1 && tuple_family(*v).is_some();
    let one = |(i, contest): (usize, Contest)| {
        let least = contest.variant.boards().least.max(9);
        let small = contest.on(least, least).or_else(|_| contest.on(least + 1, least + 1));
        let seeds = (0..factor()).map(|game| mix(seed(100 * i + game))).collect();
        let mut lasting = games(small.unwrap(), seeds, 120);
        if let Ok(flat) = contest.on(7, 6) {
            lasting += games(flat, vec![seed(i)], 120);
        }
        lasting + games(contest, vec![seed(i + 1)], 60)
    };
    let lasting: usize = variants(tupled).into_par_iter().enumerate().map(one).sum();
    assert!(enough(lasting > 5), "fives that last through the answer: {lasting}");
}

/// Whether the search can play two stones as one turn, in either order.
fn is_legal_pair(position: &mut Connect6, a: Cell, b: Cell) -> bool {
    [(a, b), (b, a)].into_iter().any(|(first, second)| {
        if !position.is_legal(Move::at(first)) {
            return false;
        }
        position.make(Move::at(first));
        let is_legal = position.is_legal(Move::at(second));
        position.unmake();
        is_legal
    })
}

#[test]
fn connect6_agrees_with_the_referee() {
    for (i, contest) in variants(|v| matches!(v, Variant::Connect6(_))).into_iter().enumerate() {
        for game in 0..2 * factor() {
            let contest = contest.on(9, 9).unwrap();
            connect6_game(contest, mix(seed(10 * i + game)));
        }
    }
}

fn connect6_game(contest: Contest, seed: u64) {
    let random = &mut Random(seed);
    let mut game_state = GameState::new(contest);
    let Variant::Connect6(game) = contest.variant else { unreachable!() };
    let mut position = Connect6::new(game, &contest, random_weights(&contest));
    let middle = game_state.centre();
    position.make(Move::at(middle));
    game_state.apply(&Action::stone(middle)).unwrap();
    loop {
        let name = format!("{} seed {seed} ply {}", contest.variant, game_state.actions().len());
        for cell in board(&contest).iter() {
            let there = game_state.stones().into_iter().find(|&(at, _)| at == cell).map(|(_, c)| c);
            assert_eq!(position.board().color(cell), there, "{name} {cell:?}");
        }
        assert_eq!(position.outcome(), outcome(&game_state), "{name}");
        if game_state.result().is_some() {
            return;
        }
        assert_eq!((position.to_move(), position.left()), (game_state.to_move(), 2), "{name}");
        let empty = game_state.empty();
        let mut legal = Vec::new();
        for (i, &a) in empty.iter().enumerate() {
            for &b in &empty[i + 1..] {
                if game_state.referee().check_turn(&[a, b]).is_ok() {
                    legal.push([a, b]);
                }
            }
        }
        for _ in 0..60 {
            let (a, b) = (empty[random.below(empty.len())], empty[random.below(empty.len())]);
            if a != b {
                let by_referee = game_state.referee().check_turn(&[a, b]).is_ok();
                assert_eq!(is_legal_pair(&mut position, a, b), by_referee, "{name} {a:?} {b:?}");
            }
        }
        check_pairs(&mut position, &game_state, &legal, game.pairs, &name);
        check_second_stone(&mut position, &game_state, &legal, random, &name);
        let mut pair = legal[random.below(legal.len())];
        for _ in 0..4 {
            let near = pair.iter().all(|cell| position.board().near().contains(*cell));
            if !near {
                pair = legal[random.below(legal.len())];
            }
        }
        let before = view(&mut position);
        if !position.is_legal(Move::at(pair[0])) {
            pair.reverse();
        }
        for cell in pair {
            position.make(Move::at(cell));
        }
        let won = position.outcome();
        for _ in pair {
            position.unmake();
        }
        assert_eq!(view(&mut position), before, "{name}");
        for cell in pair {
            position.make(Move::at(cell));
        }
        game_state.apply(&Action::stones(&pair)).unwrap();
        assert_eq!(won, outcome(&game_state), "{name}");
    }
}

/// Checks the static verdict after the first stone of a turn against all second
/// stones.
fn check_second_stone(
    position: &mut Connect6,
    game_state: &GameState,
    legal: &[[Cell; 2]],
    random: &mut Random,
    name: &str,
) {
    let me = game_state.to_move();
    let Some(pair) = legal.get(random.below(legal.len().max(1))) else { return };
    for first in *pair {
        if !position.is_legal(Move::at(first)) {
            continue;
        }
        position.make(Move::at(first));
        if position.outcome().is_none() {
            assert_eq!((position.to_move(), position.left()), (me, 1), "{name}");
            let partners = legal.iter().filter(|pair| pair.contains(&first));
            let wins = partners
                .clone()
                .any(|pair| result_of(game_state, &Action::stones(pair)) == Some(Outcome::Win(me)));
            match position.verdict() {
                Verdict::Win(_) => assert!(wins, "{name}: no win after {first:?}"),
                Verdict::Loss(_) => assert!(!wins, "{name}: a win after {first:?}"),
                Verdict::Unknown => {}
            }
        }
        position.unmake();
    }
}

/// Checks static verdicts and defences against all pairs.
fn check_pairs(
    position: &mut Connect6,
    game_state: &GameState,
    legal: &[[Cell; 2]],
    pairs: Pairs,
    name: &str,
) {
    let me = game_state.to_move();
    let winner =
        |game_state: &GameState, pair: &[Cell; 2]| result_of(game_state, &Action::stones(pair));
    let wins = legal.iter().any(|pair| winner(game_state, pair) == Some(Outcome::Win(me)));
    let verdict = position.verdict();
    match verdict {
        Verdict::Win(plies) => assert!(wins && plies <= 2, "{name}"),
        // Only where pairs must be collinear may the verdict miss a win within the turn.
        _ => assert!(!wins || pairs == Pairs::Collinear, "{name}: a win was not seen"),
    }
    let mut list = MoveList::new();
    position.clone().moves(GenType::Main, &mut list);
    let main: CellSet = list.iter().map(|entry| entry.m.cell()).collect();
    if pairs == Pairs::Collinear || wins {
        // Then the search generates moves at the root only.
        let winning = |pair: &&[Cell; 2]| winner(game_state, pair) == Some(Outcome::Win(me));
        let mut cells = legal.iter().filter(winning).flatten();
        assert!(!wins || cells.any(|&cell| main.contains(cell)), "{name}: the win was left out");
        return;
    }
    // A pair holds if the opponent's next turn does not win.
    let threatened = position.threat_level() == ThreatLevel::Immediate;
    let holds = |pair: &[Cell; 2]| {
        let mut probe = position.clone();
        probe.make(Move::at(pair[0]));
        probe.make(Move::at(pair[1]));
        probe.outcome().is_some() || !matches!(probe.verdict(), Verdict::Win(_))
    };
    if verdict != Verdict::Unknown {
        assert!(threatened && !legal.iter().any(holds), "{name}: no loss");
        return;
    }
    if threatened {
        for pair in legal.iter().filter(|pair| holds(pair)) {
            let is_listed = pair.iter().any(|&cell| main.contains(cell));
            assert!(is_listed, "{name}: the defence {pair:?} was left out");
        }
        // The verdict does not check whether two stones that are apart can stop all threats.
        let seen = pairs != Pairs::Any || legal.iter().any(holds);
        assert!(seen, "{name}: a loss was not seen");
    } else {
        // Where stones must be apart, the board does not see a threat whose other stone has
        // only a few cells to go to.
        let few = pairs == Pairs::Apart && position.board().empties() < 4 * 9;
        let seen = few || legal.iter().all(holds);
        assert!(seen, "{name}: a threat was not seen");
    }
}
