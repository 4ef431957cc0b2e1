//! Random games on a fast position, compared with the referee ply by ply.

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use rand::rngs::SmallRng;
use rand::{Rng, RngExt, SeedableRng};

use super::family::{FamilyTask, with_family};
use goren_core::rules::referee::{PlyEnd, Reason, Referee, referee};
use goren_core::rules::{Contest, Outcome, Pairs, Placement, Restrictions, Variant};
use goren_core::types::{Cell, CellSet, Color, Score, Stone};
use goren_engine::game::Inspect;
use goren_notation::words::plural;

/// Probability that a stone goes near others, where lines and captures arise.
const NEAR: f64 = 0.75;

/// Default interval at which the lists of legal plies are compared: longer where the
/// referee is slow.
pub(super) fn usual_step(contest: &Contest) -> u64 {
    match contest.variant {
        // With the forbidden points.
        Variant::Five(rule) if rule.card().has_fouls() => 32,
        Variant::Pente(game) if game.restrictions != Restrictions::None => 32,
        Variant::Connect6(game) if game.pairs != Pairs::Any => 32,
        Variant::FourInARow(game) if game.placement == Placement::Inward => 4,
        Variant::Irensei(_) => 32,
        _ => 1,
    }
}

/// Counts over the games played.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct RandomGameCounts {
    /// Stones placed.
    pub plies: u64,
    /// Stones placed and taken back.
    pub pairs: u64,
    /// Games begun, and how they ended.
    pub games: u64,
    /// Games won by Black and White.
    pub wins: [u64; 2],
    /// Games drawn.
    pub draws: u64,
    /// Games that ended by a repetition, which a fast position does not detect.
    pub repetitions: u64,
    /// Lists of legal plies compared.
    pub lists: u64,
}

/// Plays the games and prints the counts.
///
/// # Errors
/// The fast position and the referee differ, or unmake did not restore a position.
pub(super) fn run(contest: &Contest, plies: u64, seed: u64, every: u64) -> Result<()> {
    let started = Instant::now();
    let rng = SmallRng::seed_from_u64(seed);
    let report = check(contest, plies, rng, every).with_context(|| format!("seed {seed}"))?;
    let seconds = started.elapsed().as_secs_f64();
    let RandomGameCounts { plies, pairs, games, wins, draws, repetitions, lists } = report;
    let Contest { variant, width, height, .. } = contest;
    let plies = plural(plies, "random ply", "random plies");
    let games = plural(games, "game", "games");
    println!("{variant} {width}x{height}: {plies} of {games}");
    println!(
        "Results: {} won by Black, {} by White, {draws} drawn, {repetitions} repeated",
        wins[0], wins[1]
    );
    println!(
        "Compared: stones, captures, results at every ply; legal plies at {lists} (every {every})"
    );
    println!("Pairs: {pairs}, each restored; {:.0} pairs/s", pairs as f64 / seconds.max(1e-9));
    println!("Time: {seconds:.1} s");
    Ok(())
}

/// Plays `plies` plies, chosen by `rng`, and compares the lists of legal plies
/// at every `every`th.
///
/// # Errors
/// The fast position and the referee differ, or unmake did not restore a position.
pub fn check(contest: &Contest, plies: u64, rng: impl Rng, every: u64) -> Result<RandomGameCounts> {
    let walk = Walk { contest, plies, every, rng, report: RandomGameCounts::default() };
    with_family(contest, walk)
}

struct Walk<'a, G> {
    contest: &'a Contest,
    plies: u64,
    every: u64,
    rng: G,
    report: RandomGameCounts,
}

impl<G: Rng> FamilyTask for Walk<'_, G> {
    type Out = Result<RandomGameCounts>;

    fn run<P: Inspect>(mut self, empty: P) -> Result<RandomGameCounts> {
        let mut position = empty;
        while self.report.plies < self.plies {
            let mut moves = Vec::new();
            self.report.games += 1;
            if let Err(error) = self.game(&mut position, &mut moves) {
                let names: Vec<String> =
                    moves.iter().map(|cell| cell.label(self.contest.height)).collect();
                let Contest { variant, width, height, .. } = self.contest;
                bail!(
                    "{variant} {width}x{height}, game {}, after {}: {error}",
                    self.report.games,
                    names.join(" ")
                );
            }
        }
        Ok(self.report)
    }
}

/// The referee's board, with the state of the turn in progress.
struct PerftGame {
    referee: Box<dyn Referee>,
    to_move: Color,
    /// Stones placed in this turn, and the number it will have.
    turn: Vec<Cell>,
    stones: usize,
    turns: usize,
}

impl PerftGame {
    fn new(contest: &Contest) -> PerftGame {
        let (to_move, turn) = (Color::Black, Vec::new());
        PerftGame { referee: referee(contest), to_move, turn, stones: 1, turns: 0 }
    }

    /// The cells where the side to move may place its next stone.
    fn legal(&self, cells: &CellSet) -> CellSet {
        let free: Vec<Cell> =
            cells.iter().filter(|&cell| self.referee.check(self.to_move, cell).is_ok()).collect();
        let pair = |a: Cell, b: Cell| a != b && self.referee.check_turn(&[a, b]).is_ok();
        let fits = |&cell: &Cell| match (self.stones, &self.turn[..]) {
            (2, &[first]) => pair(first, cell),
            (2, _) => self.referee.check_first(cell) && free.iter().any(|&other| pair(cell, other)),
            _ => true,
        };
        free.iter().copied().filter(fits).collect()
    }
}

impl<G: Rng> Walk<'_, G> {
    /// Plays a game and takes it back.
    fn game<P: Inspect>(&mut self, position: &mut P, moves: &mut Vec<Cell>) -> Result<()> {
        let cells = CellSet::board(self.contest.width, self.contest.height);
        let start = view(position);
        let mut judge = PerftGame::new(self.contest);
        while self.report.plies < self.plies {
            ensure!(position.to_move() == judge.to_move, "another side is to move");
            let legal = position.placements();
            if self.report.plies.is_multiple_of(self.every) {
                self.report.lists += 1;
                ensure!(legal == judge.legal(&cells), "the legal plies differ");
                for color in Color::ALL {
                    let foul = |&cell: &Cell| judge.referee.fouls(color, cell).any();
                    let fouls: Vec<Cell> = cells.iter().filter(foul).collect();
                    ensure!(position.forbidden(color) == fouls, "the forbidden points differ");
                }
            }
            if legal.is_empty() {
                break;
            }
            let cell = self.pick(position, &legal);
            let before = view(position);
            position.play(cell);
            position.unmake();
            ensure!(view(position) == before, "unmake did not undo {cell:?}");
            position.play(cell);
            moves.push(cell);
            self.report.plies += 1;
            self.report.pairs += 2;
            if self.referee(position, &mut judge, cell)? {
                break;
            }
        }
        for _ in &*moves {
            position.unmake();
        }
        ensure!(view(position) == start, "unmaking the whole game did not restore the start");
        Ok(())
    }

    /// Plays a stone on the referee's board and compares. Returns whether the game
    /// is over.
    fn referee<P: Inspect>(
        &mut self,
        position: &P,
        judge: &mut PerftGame,
        cell: Cell,
    ) -> Result<bool> {
        let mover = judge.to_move;
        judge.referee.place(mover, cell)?;
        judge.turn.push(cell);
        for at in CellSet::board(self.contest.width, self.contest.height).iter() {
            let color = match judge.referee.stone(at) {
                Some(Stone::Of(color)) => Some(color),
                _ => None,
            };
            ensure!(position.color(at) == color, "the stones differ at {at:?}");
        }
        ensure!(position.captured() == judge.referee.captured(), "the captures differ");
        let outcome = position.outcome();
        // A win by the first stone of a turn needs no second.
        if judge.turn.len() < judge.stones && outcome.is_none() {
            return Ok(false);
        }
        let turn = std::mem::take(&mut judge.turn);
        judge.referee.check_turn(&turn)?;
        judge.turns += 1;
        judge.to_move = !mover;
        judge.stones = self.contest.variant.turn();
        let ply = PlyEnd { mover, to_move: !mover, seat: judge.turns % 2 };
        let end = judge.referee.end_ply(ply);
        let result = end.as_ref().map(|end| match end.winners[..] {
            [color] => Outcome::Win(color),
            _ => Outcome::Draw,
        });
        if end.is_some_and(|end| end.reason == Reason::Repetition) {
            ensure!(outcome.is_none(), "the results differ: {outcome:?} and a repetition");
            self.report.repetitions += 1;
            return Ok(true);
        }
        ensure!(outcome == result, "the results differ: {outcome:?} and {result:?}");
        match outcome {
            Some(Outcome::Win(color)) => self.report.wins[color.index()] += 1,
            Some(Outcome::Draw) => self.report.draws += 1,
            None => {}
        }
        Ok(outcome.is_some())
    }

    /// A random legal ply, mostly near other stones.
    fn pick<P: Inspect>(&mut self, position: &P, legal: &CellSet) -> Cell {
        let near = position.near().intersection(legal);
        let from = if !near.is_empty() && self.rng.random_bool(NEAR) { near } else { *legal };
        let number = self.rng.random_range(0..from.len());
        from.iter().nth(number).unwrap_or_else(|| unreachable!("a number below their count"))
    }
}

/// The visible state of a position, which unmake must restore.
type View<P> = (u64, Score, Color, [usize; 2], Option<Cell>, CellSet, <P as Inspect>::Inside);

fn view<P: Inspect>(position: &mut P) -> View<P> {
    let score = position.evaluate();
    let (key, to_move, captured) = (position.key(), position.to_move(), position.captured());
    (key, score, to_move, captured, position.last(), position.near(), position.inside())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::OpeningId;

    #[test]
    fn the_fast_boards_of_all_variants_match_the_referee() {
        let rng = || SmallRng::seed_from_u64(3);
        for variant in Variant::all() {
            let contest = Contest::new(variant).opened(OpeningId::Free).unwrap();
            let first = check(&contest, 400, rng(), 7).unwrap();
            assert_eq!((first.plies, first.lists), (400, 58), "{variant}");
            assert!(first.games > 1, "{variant}");
            assert_eq!(check(&contest, 400, rng(), 7).unwrap(), first);
        }
    }

    #[test]
    fn a_referee_of_another_game_is_detected() {
        struct Wrong(Contest);
        impl FamilyTask for Wrong {
            type Out = Result<RandomGameCounts>;
            fn run<P: Inspect>(self, empty: P) -> Result<RandomGameCounts> {
                let rng = SmallRng::seed_from_u64(1);
                let report = RandomGameCounts::default();
                Walk { contest: &self.0, plies: 3000, every: 1, rng, report }.run(empty)
            }
        }
        for (game, referee) in [
            ("freestyle", "renju"),
            ("renju", "gomoku"),
            ("pente+keryo", "pente"),
            ("pente", "pente+boat"),
            ("connect6", "connect6+noncollinear"),
            ("four-in-a-row", "four-in-a-row+edge-grow"),
            ("four-in-a-row", "four-in-a-row+clear"),
        ] {
            let [game, referee] = [game, referee].map(|name| {
                let contest = Contest::new(Variant::from_name(name).unwrap());
                contest.opened(OpeningId::Free).unwrap().on(8, 8).unwrap()
            });
            let error = with_family(&game, Wrong(referee)).unwrap_err().to_string();
            assert!(error.contains("differ") || error.contains("must"), "{error}");
        }
    }
}
