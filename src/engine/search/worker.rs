//! One search thread ([`Worker`]): position, search stack, histories, counters; and
//! what the threads of a search share ([`Shared`]).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::control::Control;
use super::exclusions::ExclusionTable;
use super::history::{History, PlayedMove};
use super::known_results::KnownResults;
use super::params::{ONE, Params};
use super::pv_completion;
use super::report::{Basis, Info, Report};
use super::request::{Exclusions, Request};
use super::sampler::Sampler;
use crate::game::Position;
use crate::reserve;
use crate::threat::{Meter, Watch};
use crate::tt::Table;
use goren_core::types::{Cell, CellSet, MAX_PLY, Move, Pace, Score, plies_to_end};

/// Nodes that one search may spend on completing the PVs of proven results.
const COMPLETION_NODES: u64 = 20_000;
/// Least time allowed for completing one PV; an eighth of the elapsed time if that is more. The
/// hard limit may be exceeded by half of this constant.
const COMPLETION_TIME: Duration = Duration::from_millis(2);

/// State that the threads of a search share.
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// Lets other threads stop the search or change its time limit.
    pub control: &'a Control,
    /// Externally supplied results.
    pub known_results: KnownResults,
    /// Set when the search must end, for any reason.
    pub stop: AtomicBool,
    /// Nodes of all threads up to their last clock checks.
    pub nodes: AtomicU64,
    /// When the command arrived ([`Request::started`]).
    pub started: Instant,
    /// Hard limit, in microseconds after `started`.
    hard: AtomicU64,
    /// Node limit over all threads.
    max_nodes: AtomicU64,
}

impl<'a> Shared<'a> {
    /// The value of [`Shared::hard()`] without a time limit.
    const UNLIMITED: Duration = Duration::from_micros(u64::MAX);

    /// Creates the shared state of a search of `root` and prepares the known results of the
    /// request.
    pub fn new<P: Position>(root: &P, table: &'a Table, request: &'a Request) -> Shared<'a> {
        let hard = u64::try_from(request.budget.hard.as_micros()).unwrap_or(u64::MAX);
        let mut shared = Shared {
            table,
            control: &request.control,
            known_results: KnownResults::default(),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            started: request.started,
            hard: AtomicU64::new(hard),
            max_nodes: AtomicU64::new(request.max_nodes.unwrap_or(u64::MAX)),
        };
        shared.known_results = KnownResults::of(root, &request.known_results, &shared);
        shared
    }

    /// Hard limit, counted from the start of the search.
    pub fn hard(&self) -> Duration {
        Duration::from_micros(self.hard.load(Relaxed))
    }

    /// Node limit over all threads.
    pub fn max_nodes(&self) -> u64 {
        self.max_nodes.load(Relaxed)
    }

    /// Lowers the limits of the search; a limit that is lower already stays.
    pub fn tighten(&self, hard: Duration, max_nodes: u64) {
        let hard = u64::try_from(hard.as_micros()).unwrap_or(u64::MAX);
        self.hard.fetch_min(hard, Relaxed);
        self.max_nodes.fetch_min(max_nodes, Relaxed);
    }

    /// Time since the start of the search.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the search must end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Watch for Shared<'_> {
    /// Stops the search if its time is up, a stop was requested, or the memory
    /// reserve was released.
    fn look(&self) -> (Instant, bool) {
        let now = Instant::now();
        let elapsed = now.saturating_duration_since(self.started);
        let late = elapsed >= self.hard() || self.control.is_over(now);
        if late || reserve::is_released() {
            self.stop.store(true, Relaxed);
        }
        (now, self.stopped())
    }
}

/// Clock of work that has an earlier limit than the search.
pub struct Deadline<'a> {
    /// The search.
    pub shared: &'a Shared<'a>,
    /// Time limit of the work, counted from the start of the search.
    pub until: Duration,
}

impl Watch for Deadline<'_> {
    fn look(&self) -> (Instant, bool) {
        let (now, over) = self.shared.look();
        let elapsed = now.saturating_duration_since(self.shared.started);
        (now, over || elapsed >= self.until)
    }
}

/// Clock for completing a PV, which may outlast the search.
struct CompletionWatch<'a> {
    control: &'a Control,
    /// When to end; if there is no time limit, [`COMPLETION_TIME`] after a stop was seen.
    until: std::cell::Cell<Option<Instant>>,
}

impl Watch for CompletionWatch<'_> {
    fn look(&self) -> (Instant, bool) {
        let now = Instant::now();
        if self.until.get().is_none() && self.control.stopped() {
            self.until.set(Some(now + COMPLETION_TIME));
        }
        (now, self.until.get().is_some_and(|until| now >= until))
    }
}

/// Passes before the current node and at the root.
#[derive(Copy, Clone, Default, Debug)]
pub struct Passes {
    /// The ply of the node that the last pass before the current node led to; 0 if a pass led to
    /// the root.
    pub led_to: Option<usize>,
    /// Whether a pass is searched at the root if all stones lose.
    pub allowed: bool,
    /// The score of a pass at the root, if all stones lost in the last iteration.
    pub score: Option<Score>,
}

/// Entry of the search stack: data of the node being searched at one ply.
#[derive(Copy, Clone)]
pub struct PlyData {
    /// Static evaluation for the side to move at this ply; below the root `None` if a
    /// five must be answered.
    pub eval: Option<Score>,
    /// Killer moves: moves other than fours that failed high at this node or its
    /// siblings, the latest first.
    pub killers: [Move; 2],
    /// The move being searched.
    pub played: Option<PlayedMove>,
    /// The excluded move during a singular search, else [`Move::NONE`].
    pub excluded_move: Move,
    /// Beta cutoffs at the nodes of this ply that have the same grandparent; from ply 2 on.
    pub cutoffs: u32,
    /// The four being tried in the quiescence search, or [`Move::NONE`] if the move answers
    /// a five.
    pub four: Move,
}

const NO_PLY_DATA: PlyData = PlyData {
    eval: None,
    killers: [Move::NONE; 2],
    played: None,
    excluded_move: Move::NONE,
    cutoffs: 0,
    four: Move::NONE,
};

/// Entries of the logarithm table, which late move reduction reads by move number
/// and by depth in quarters of a ply.
const LOGARITHMS: usize = 256;

/// A principal variation.
pub type Pv = ArrayVec<Move, MAX_PLY>;

/// One search thread.
pub struct Worker<'a, P: Position> {
    /// The position at the node being searched.
    pub position: P,
    /// State that all threads share.
    pub shared: &'a Shared<'a>,
    /// Search parameters.
    pub params: &'a Params,
    /// Histories.
    pub history: &'a mut History,
    /// Receives progress reports; `None` in helper threads.
    pub observer: Option<&'a mut dyn FnMut(&Report)>,
    /// Samples the positions that are evaluated, if set.
    pub sampler: Option<&'a mut Sampler>,
    /// Excluded moves, if any.
    pub exclusions: Option<Box<ExclusionTable>>,
    /// Salt of the exclusions, or 0; mixed into the keys of table entries.
    salt: u64,
    /// The search stack, by ply.
    pub by_ply: Box<[PlyData; MAX_PLY + 3]>,
    /// Triangular PV table: the PV from each ply on.
    pub pvs: Vec<Pv>,
    /// Nodes of this thread: those of the search and of the df-pn prover, not those of the
    /// solvers for VCF and turns.
    pub nodes: u64,
    /// Nodes spent in proof-number searches at the root and along the PV; root move
    /// checks do not count.
    pub proof_nodes: u64,
    /// Nodes not yet added to the shared count.
    unreported: u64,
    /// Nodes between clock checks.
    pace: Pace,
    /// Solver nodes between clock checks.
    solver_pace: Pace,
    /// Elapsed time at the last clock check.
    pub elapsed_at_check: Duration,
    /// Basis of the reported scores.
    pub basis: Basis,
    /// Score and moves of the PV that was completed last.
    completed: Option<(Score, Vec<Move>)>,
    /// Nodes left for completing PVs.
    completion_nodes: u64,
    /// Deepest ply reached in this iteration.
    pub seldepth: usize,
    /// Depth of this iteration, in plies.
    pub root_depth: i32,
    /// The root move to play if the best move turns out to lose: the best of the
    /// others in this iteration, or else the one being searched.
    pub fallback_move: Move,
    /// Whether [`Worker::fallback_move`] was searched in this iteration and is not
    /// proven to lose.
    pub fallback_confirmed: bool,
    /// Whether a root move has raised alpha since the last fail low of this iteration.
    pub alpha_raised: bool,
    /// Whether a secondary PV of a multi-PV search is being searched.
    pub secondary_pv: bool,
    /// Passes on the way to this node and at the root.
    pub passes: Passes,
    /// Natural logarithms, in 1,024ths.
    logarithms: Box<[i32; LOGARITHMS]>,
    /// Move limits of late move pruning: first if not improving, then if improving;
    /// by depth in plies.
    lmp_limits: [[i32; 64]; 2],
}

impl<'a, P: Position> Worker<'a, P> {
    /// Creates the state of a thread that will search `position`.
    pub fn new(
        position: P,
        shared: &'a Shared<'a>,
        params: &'a Params,
        history: &'a mut History,
    ) -> Worker<'a, P> {
        let mut logarithms = Box::new([0; LOGARITHMS]);
        for (i, entry) in logarithms.iter_mut().enumerate().skip(1) {
            *entry = ((i as f64).ln() * 1024.0) as i32;
        }
        let lmp_limit = |depth: usize, part: f64| {
            let power = (depth as f64).powf(params.lmp_power as f64 / 100.0);
            let moves = params.lmp_base as f64 + params.lmp_factor as f64 * power;
            (moves * part / 100.0) as i32
        };
        let not_improving = params.lmp_not_improving as f64 / 100.0;
        Worker {
            position,
            shared,
            params,
            history,
            observer: None,
            sampler: None,
            exclusions: None,
            salt: 0,
            by_ply: Box::new([NO_PLY_DATA; MAX_PLY + 3]),
            pvs: vec![Pv::new(); MAX_PLY + 2],
            nodes: 0,
            proof_nodes: 0,
            unreported: 0,
            pace: Pace::default(),
            solver_pace: Pace::default(),
            elapsed_at_check: Duration::ZERO,
            basis: Basis::Search,
            completed: None,
            completion_nodes: COMPLETION_NODES,
            seldepth: 0,
            root_depth: 0,
            fallback_move: Move::NONE,
            fallback_confirmed: false,
            alpha_raised: false,
            secondary_pv: false,
            passes: Passes::default(),
            logarithms,
            lmp_limits: [
                std::array::from_fn(|d| lmp_limit(d, not_improving)),
                std::array::from_fn(|d| lmp_limit(d, 1.0)),
            ],
        }
    }

    /// The key of the position in the transposition table.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.position.key() ^ self.salt
    }

    /// Prefetches the bucket of the position after a move.
    #[inline(always)]
    pub fn prefetch_after(&self, m: Move) {
        self.shared.table.prefetch(self.position.key_after(m) ^ self.salt);
    }

    /// Sets the exclusions of this search. [`Worker::retain_allowed`] handles excluded root moves
    /// ([`Exclusions::root_moves`]).
    pub fn set_exclusions(&mut self, exclusions: &Exclusions) {
        self.exclusions = ExclusionTable::of(&self.position, exclusions).map(Box::new);
        self.salt = self.exclusions.as_ref().map_or(0, |table| table.salt());
    }

    /// Whether a legal move is excluded for the side to move.
    #[inline]
    pub fn in_exclusions(&self, m: Move) -> bool {
        self.exclusions.as_ref().is_some_and(|table| table.excludes(&self.position, m))
    }

    /// Removes excluded moves from a list of root moves.
    pub fn retain_allowed(&self, moves: &mut Vec<Move>, excluded: &[Cell]) {
        moves.retain(|&m| !excluded.contains(&m.cell()) && !self.in_exclusions(m));
    }

    /// Base of the late move reduction of move number `count`, from 1. Depth and reduction are in
    /// [`ONE`]ths of a ply.
    #[inline]
    pub fn reduction(&self, depth: i32, count: usize) -> i32 {
        let quarters = (depth * 4 / ONE).clamp(1, LOGARITHMS as i32 - 1) as usize;
        // The depth is in quarters of a ply: subtract the logarithm of 4.
        let of_depth = (self.logarithms[quarters] - self.logarithms[4]).max(0);
        let of_count = self.logarithms[count.min(LOGARITHMS - 1)];
        self.params.lmr_base + (self.params.lmr_factor * of_depth / 1024) * of_count / 1024
    }

    /// Move limit of late move pruning at `depth`, in [`ONE`]ths of a ply.
    #[inline]
    pub fn lmp_limit(&self, depth: i32, improving: bool) -> i32 {
        self.lmp_limits[improving as usize][(depth / ONE).clamp(0, 63) as usize]
    }

    /// Compressed static evaluation for the side to move.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        // The move list of a sampled position cannot contain a pass.
        if let Some(sampler) = &mut self.sampler
            && self.passes.led_to.unwrap_or(0) == 0
        {
            sampler.note(&self.position);
        }
        self.params.compress(self.position.evaluate())
    }

    /// Counts a node and checks the clock if due. True if the search must stop.
    #[inline]
    pub fn count_node(&mut self, ply: usize) -> bool {
        if self.shared.stopped() {
            return true;
        }
        self.nodes += 1;
        self.unreported += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.pace.step() {
            self.check_clock();
        }
        self.shared.stopped()
    }

    #[cold]
    fn check_clock(&mut self) {
        let shared = self.shared;
        let before = shared.nodes.fetch_add(self.unreported, Relaxed);
        let left = shared.max_nodes().saturating_sub(before + self.unreported);
        self.unreported = 0;
        if left == 0 {
            shared.stop.store(true, Relaxed);
        }
        let (now, _) = shared.look();
        self.elapsed_at_check = now.saturating_duration_since(shared.started);
        // At most `left` nodes until the next check, so on one thread the node limit
        // is exact.
        self.pace.looked(now, left);
    }

    /// Runs the VCF solver for the side to move, for at most `nodes` solver nodes. Returns the
    /// first move and the length of the win in plies.
    pub fn solve(&mut self, nodes: u64) -> Option<(Move, usize)> {
        self.solve_until(nodes, Duration::MAX)
    }

    /// As [`Worker::solve`], with a time limit counted from the start of the search.
    pub fn solve_until(&mut self, nodes: u64, until: Duration) -> Option<(Move, usize)> {
        let watch = Deadline { shared: self.shared, until };
        let mut meter = Meter::watched(nodes, self.solver_pace, &watch);
        let found = self.position.solve(&mut meter);
        self.solver_pace = meter.pace();
        found
    }

    /// Runs the VCF solver for the opponent, as if it were to move. Returns the length of the
    /// threatened win in plies, and its relevance zone.
    pub fn threatened_vcf(&mut self, nodes: u64) -> Option<(usize, CellSet)> {
        let mut meter = Meter::watched(nodes, self.solver_pace, self.shared);
        let found = self.position.zone(&mut meter);
        self.solver_pace = meter.pace();
        found
    }

    /// Completes a PV towards the end of the game if its result is proven (`pv_completion.rs`).
    /// With exclusions and in helper threads, returns it unchanged.
    pub fn completed_pv(&mut self, pv: &[Move], score: Score) -> Vec<Move> {
        // Solvers do not respect exclusions; helper threads report nothing.
        let short = plies_to_end(score).is_some_and(|plies| pv.len() < plies);
        if !short || self.exclusions.is_some() || self.observer.is_none() {
            return pv.to_vec();
        }
        if let Some((_, known)) = self.completed.as_ref().filter(|known| known.0 == score)
            && known.starts_with(pv)
        {
            return known.clone();
        }
        let watch = self.completion_watch();
        let mut meter = Meter::watched(self.completion_nodes, Pace::default(), &watch);
        let (position, table) = (&self.position, self.shared.table);
        let whole = pv_completion::completed(position, table, pv, score, &mut meter);
        self.completion_nodes = meter.left();
        self.completed = Some((score, whole.clone()));
        whole
    }

    /// Adds the nodes since the last clock check to the shared count.
    pub fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.unreported, Relaxed);
        self.unreported = 0;
    }

    /// Returns the clock for completing a PV. Without a time limit and without a stop the reported
    /// PV depends on node counts only, so that it is reproducible.
    fn completion_watch(&self) -> CompletionWatch<'a> {
        let Shared { control, started, .. } = *self.shared;
        let hard = self.shared.hard();
        let timed = hard != Shared::UNLIMITED || control.end().is_some();
        let until = timed.then(|| {
            let elapsed = self.shared.elapsed();
            let until = elapsed + COMPLETION_TIME.max(elapsed / 8);
            started + until.min(hard.saturating_add(COMPLETION_TIME / 2))
        });
        CompletionWatch { control, until: std::cell::Cell::new(until) }
    }

    /// Sends a progress report.
    pub fn report_progress(&mut self, report: Report) {
        if let Some(observer) = &mut self.observer {
            observer(&report);
        }
    }

    /// Reports a PV.
    pub fn report_pv(&mut self, info: &Info) {
        self.report_progress(Report::Pv(info.clone()));
    }

    /// Sets the PV at `ply` to `m` followed by the PV of the child.
    pub fn update_pv(&mut self, ply: usize, m: Move) {
        let (here, below) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut here[ply];
        pv.clear();
        pv.push(m);
        pv.extend(below[0].iter().take(MAX_PLY - 1).copied());
    }
}

#[cfg(test)]
#[path = "worker_tests.rs"]
mod tests;
