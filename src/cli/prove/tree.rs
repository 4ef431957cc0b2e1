//! The open part of a winning tree: the positions still to prove, and the choice of the next one
//! to work on.
//!
//! Each position has an estimated hardness. With the attacker to move it is the least
//! hardness of the moves tried; with the defender to move it is the greatest hardness of the
//! unanswered replies, plus 1 for each of them. The next job is found by following the
//! easiest move and then its hardest reply; if a position stays hard, another move is tried
//! there. Replies to the root are worked on one after another, as long as they do not turn
//! out to be too hard. The tree contains only positions that a quick search did not prove.

use std::ops::AddAssign;
use std::time::Instant;

use fxhash::FxHashMap;
use smallvec::SmallVec;

use goren_core::types::{Cell, Score, Stone};

/// Hardness of a position with no moves left to try.
pub(super) const MAX_HARDNESS: u32 = u32::MAX / 4;
/// Hardness of a position after the quick search only.
const QUICK_SEARCHED: u32 = 4;
/// Least hardness of a position after the longer VCT search.
const VCT_SEARCHED: u32 = 8;
/// Hardness of the easiest tried move above which another move is tried, by the number of
/// tried moves.
const WIDEN: [u32; 10] = [0, 40, 90, 180, 350, 700, 1_400, 2_800, 5_600, 11_200];
/// Score from which a move of the attacker has no handicap.
pub(super) const SURE_SCORE: Score = 300;
/// Points below [`SURE_SCORE`] that make a move harder by 1.
const POINTS_PER_UNIT: Score = 40;
const MAX_HANDICAP: Score = 24;
/// Hardness of a reply to the root above which other replies come first. The limit is doubled
/// when all replies are above it.
const INITIAL_REPLY_LIMIT: u32 = 200;

/// A position with the attacker to move.
struct Attack {
    stones: Box<[(Cell, Stone)]>,
    /// Key in files.
    key: u64,
    proven: bool,
    /// Whether the longer VCT search is done.
    vct_searched: bool,
    /// Whether no move is left to try.
    exhausted: bool,
    /// Whether a thread works on it.
    busy: bool,
    hard: u32,
    /// The tried moves.
    tries: SmallVec<[u32; 2]>,
    /// The moves that lead to the position.
    parents: SmallVec<[u32; 2]>,
}

/// A position after a move of the attacker.
struct Defence {
    m: Cell,
    /// The move in the image of the canonical key, as in files.
    image: Cell,
    /// The position in which the move is played; `None` for the root.
    parent: Option<u32>,
    handicap: u32,
    hopeless: bool,
    /// Unanswered replies.
    open: Vec<u32>,
}

/// A new position of the attacker for the tree.
pub(super) struct NewAttack {
    pub(super) stones: Box<[(Cell, Stone)]>,
    /// Canonical key in full length.
    pub(super) whole: u128,
    /// Key in files.
    pub(super) key: u64,
}

/// A tried move.
pub(super) struct Tried {
    pub(super) m: Cell,
    /// The move in the image of the canonical key, as in files.
    pub(super) image: Cell,
    pub(super) score: Score,
    /// Unanswered replies; `None` if the defender refutes the move.
    pub(super) open: Option<Vec<NewAttack>>,
}

/// A task at a position.
pub(super) enum PositionTask {
    /// Search for a win by threats.
    Vct,
    /// Try a move other than these.
    Try(Vec<Cell>),
}

/// A job for a thread.
pub(super) struct ThreadJob {
    pub(super) stones: Box<[(Cell, Stone)]>,
    pub(super) task: PositionTask,
    at: u32,
    /// The attacker's positions from the root to this one.
    path: Vec<u32>,
}

impl ThreadJob {
    /// Number of the attacker's moves before the position in the tree.
    pub(super) fn depth(&self) -> usize {
        self.path.len() - 1
    }
}

/// Cost of some work.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Cost {
    /// Seconds of threads.
    pub(crate) seconds: f64,
    /// Nodes of the solvers.
    pub(crate) nodes: u64,
    /// Proven moves.
    pub(crate) moves: u64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, more: Cost) {
        self.seconds += more.seconds;
        self.nodes += more.nodes;
        self.moves += more.moves;
    }
}

/// A reply to the root position of a tree.
#[derive(Copy, Clone, Debug)]
pub(crate) struct RootReply {
    /// The reply.
    pub(crate) m: Cell,
    /// Whether the answer is proven.
    pub(crate) proven: bool,
    /// Cost so far.
    pub(crate) cost: Cost,
    at: u32,
}

/// Result of a task.
pub(super) enum TaskResult {
    /// The attacker wins.
    Won,
    /// No win by threats was found.
    Nothing,
    /// A move was tried; `None` if there is none.
    Tried(Option<Tried>),
}

/// The open part of a tree.
pub(super) struct GrowingTree {
    attacks: Vec<Attack>,
    defences: Vec<Defence>,
    index: FxHashMap<u128, u32>,
    root: Root,
    /// With the defender to move at the root: the replies that had no answer at first.
    replies: Vec<RootReply>,
    /// Limit of their hardness; see [`INITIAL_REPLY_LIMIT`].
    reply_limit: u32,
    /// Number of proven positions.
    pub(super) proven: usize,
    /// Start of the work.
    pub(super) since: Instant,
}

#[derive(Copy, Clone)]
enum Root {
    Attack(u32),
    Defence(u32),
}

/// State of the work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum WorkState {
    /// There is more to do.
    Open,
    /// The root is proven.
    Proven,
    /// No position has a move left to try.
    Exhausted,
}

impl GrowingTree {
    /// Creates a tree for a root with the attacker to move.
    pub(super) fn of_attack(root: NewAttack) -> GrowingTree {
        let mut tree = GrowingTree::empty();
        tree.root = Root::Attack(tree.enter(root));
        tree
    }

    /// Creates a tree for a root with the defender to move and these open replies, in working
    /// order; `None` if the attacker cannot win.
    pub(super) fn of_defence(open: Option<Vec<NewAttack>>) -> GrowingTree {
        let mut tree = GrowingTree::empty();
        let nowhere = Cell::new(0, 0);
        let last = |new: &NewAttack| new.stones.last().map(|&(cell, _)| cell);
        let replies: Vec<Cell> = open.iter().flatten().filter_map(last).collect();
        let tried = Tried { m: nowhere, image: nowhere, score: SURE_SCORE, open };
        tree.add(None, tried);
        let new = |(m, &at)| RootReply { m, proven: false, cost: Cost::default(), at };
        tree.replies = replies.into_iter().zip(&tree.defences[0].open).map(new).collect();
        tree
    }

    /// Returns the replies to the root that were open at first, in order; none if the attacker
    /// is to move there.
    pub(super) fn replies(&self) -> impl Iterator<Item = RootReply> {
        let proven = |reply: &RootReply| self.attacks[reply.at as usize].proven;
        self.replies.iter().map(move |reply| RootReply { proven: proven(reply), ..*reply })
    }

    fn empty() -> GrowingTree {
        GrowingTree {
            attacks: Vec::new(),
            defences: Vec::new(),
            index: FxHashMap::default(),
            root: Root::Defence(0),
            replies: Vec::new(),
            reply_limit: INITIAL_REPLY_LIMIT,
            proven: 0,
            since: Instant::now(),
        }
    }

    /// Number of unproven positions of the attacker.
    pub(super) fn open(&self) -> usize {
        self.attacks.len() - self.proven
    }

    /// Number of unanswered replies to the root; with the attacker to move there, 1 if it is
    /// unproven.
    pub(super) fn open_at_root(&self) -> usize {
        match self.root {
            Root::Attack(at) => usize::from(!self.attacks[at as usize].proven),
            Root::Defence(at) => self.defences[at as usize].open.len(),
        }
    }

    /// Hardness of the root.
    pub(super) fn hardness(&self) -> u32 {
        match self.root {
            Root::Attack(at) => self.attacks[at as usize].hard,
            Root::Defence(at) => self.hardness_of(at),
        }
    }

    pub(super) fn state(&self) -> WorkState {
        match (self.hardness(), self.open_at_root()) {
            (MAX_HARDNESS.., _) => WorkState::Exhausted,
            (_, 0) => WorkState::Proven,
            _ => WorkState::Open,
        }
    }

    /// Returns the number of a position of the attacker, which is added if it is new.
    fn enter(&mut self, new: NewAttack) -> u32 {
        let next = self.attacks.len() as u32;
        let at = *self.index.entry(new.whole).or_insert(next);
        if at == next {
            self.attacks.push(Attack {
                stones: new.stones,
                key: new.key,
                proven: false,
                vct_searched: false,
                exhausted: false,
                busy: false,
                hard: QUICK_SEARCHED,
                tries: SmallVec::new(),
                parents: SmallVec::new(),
            });
        }
        at
    }

    /// Adds a move with its open replies; returns its number.
    fn add(&mut self, parent: Option<u32>, tried: Tried) -> u32 {
        let number = self.defences.len() as u32;
        let handicap = ((SURE_SCORE - tried.score) / POINTS_PER_UNIT).clamp(0, MAX_HANDICAP) as u32;
        let hopeless = tried.open.is_none();
        let mut open = Vec::new();
        for new in tried.open.into_iter().flatten() {
            let at = self.enter(new);
            let attack = &mut self.attacks[at as usize];
            if !attack.proven && !open.contains(&at) {
                attack.parents.push(number);
                open.push(at);
            }
        }
        let Tried { m, image, .. } = tried;
        self.defences.push(Defence { m, image, parent, handicap, hopeless, open });
        number
    }

    fn hardness_of(&self, defence: u32) -> u32 {
        let defence = &self.defences[defence as usize];
        if defence.hopeless {
            return MAX_HARDNESS;
        }
        let hard = |&at: &u32| self.attacks[at as usize].hard;
        let max = defence.open.iter().map(hard).max().unwrap_or(0);
        (max + defence.open.len() as u32 + defence.handicap).min(MAX_HARDNESS)
    }

    fn update(&mut self, at: u32) {
        let attack = &self.attacks[at as usize];
        if attack.tries.is_empty() && !attack.exhausted {
            return;
        }
        let tried = attack.tries.iter().map(|&defence| self.hardness_of(defence));
        let best = tried.min().unwrap_or(MAX_HARDNESS);
        let next = if attack.exhausted { MAX_HARDNESS } else { WIDEN[attack.tries.len()] };
        self.attacks[at as usize].hard = best.min(next.max(VCT_SEARCHED));
    }

    /// Returns the next job; `None` if threads work on everything open.
    pub(super) fn next(&mut self) -> Option<ThreadJob> {
        let mut path = Vec::new();
        let at = match self.root {
            Root::Attack(at) => self.descend(at, &mut path),
            Root::Defence(at) => self.reply(at, &mut path),
        }?;
        let attack = &mut self.attacks[at as usize];
        attack.busy = true;
        let task = if attack.vct_searched {
            let tried = attack.tries.iter().map(|&at| self.defences[at as usize].m);
            PositionTask::Try(tried.collect())
        } else {
            PositionTask::Vct
        };
        Some(ThreadJob { stones: attack.stones.clone(), task, at, path })
    }

    /// Finds the position to work on below the first reply within the limit of hardness, or
    /// else below any reply.
    fn reply(&mut self, defence: u32, path: &mut Vec<u32>) -> Option<u32> {
        let hard = |tree: &GrowingTree, at: u32| tree.attacks[at as usize].hard;
        let mut open = self.defences[defence as usize].open.clone();
        let min = open.iter().map(|&at| hard(self, at)).min()?;
        while min > self.reply_limit && min < MAX_HARDNESS {
            self.reply_limit *= 2;
        }
        open.sort_by_key(|&at| hard(self, at) > self.reply_limit);
        open.into_iter().find_map(|at| self.descend(at, path))
    }

    /// Returns the stones of the position that determines the hardness of the tree, found
    /// along the easiest moves and their hardest replies. Empty if nothing is open.
    pub(super) fn focus(&self) -> &[(Cell, Stone)] {
        let hard = |at: &u32| self.attacks[*at as usize].hard;
        let first = |defence: u32| {
            let open = self.defences[defence as usize].open.iter();
            { open }.min_by_key(|at| hard(at) > self.reply_limit)
        };
        let (Root::Attack(at) | Root::Defence(at)) = self.root;
        let mut at = match self.root {
            Root::Attack(_) => Some(at),
            Root::Defence(_) => first(at).copied(),
        };
        let mut stones: &[(Cell, Stone)] = &[];
        while let Some(current) = at {
            let attack = &self.attacks[current as usize];
            stones = &attack.stones;
            let easiest = attack.tries.iter().min_by_key(|&&defence| self.hardness_of(defence));
            let open = easiest.map(|&defence| &self.defences[defence as usize].open);
            at = open.into_iter().flatten().max_by_key(|at| hard(at)).copied();
        }
        stones
    }

    /// Finds the position to work on: this position of the attacker, or one below it.
    fn descend(&mut self, at: u32, path: &mut Vec<u32>) -> Option<u32> {
        self.update(at);
        let attack = &self.attacks[at as usize];
        if attack.hard >= MAX_HARDNESS {
            return None;
        }
        path.push(at);
        let mut tries: SmallVec<[(u32, u32); 10]> =
            attack.tries.iter().map(|&defence| (self.hardness_of(defence), defence)).collect();
        tries.sort_unstable();
        let easiest = tries.first().map_or(MAX_HARDNESS, |&(hard, _)| hard);
        let widens = tries.is_empty() || !attack.exhausted && easiest > WIDEN[tries.len()];
        if widens && !attack.busy {
            return Some(at);
        }
        let best = tries.into_iter().filter(|&(hard, _)| hard < MAX_HARDNESS).take(2);
        let found = best.into_iter().find_map(|(_, defence)| self.hardest(defence, path));
        if found.is_none() {
            path.pop();
        }
        found
    }

    /// Finds the position to work on below the hardest reply to a move.
    fn hardest(&mut self, defence: u32, path: &mut Vec<u32>) -> Option<u32> {
        let open = self.defences[defence as usize].open.iter();
        let mut open: Vec<(u32, u32)> =
            open.map(|&at| (self.attacks[at as usize].hard, at)).collect();
        open.sort_unstable_by_key(|&(hard, at)| (std::cmp::Reverse(hard), at));
        open.into_iter().find_map(|(_, at)| self.descend(at, path))
    }

    /// Adds the cost of a job to its reply.
    pub(super) fn add_cost(&mut self, job: &ThreadJob, cost: Cost) {
        if let Some(reply) = self.replies.iter_mut().find(|reply| reply.at == job.path[0]) {
            reply.cost += cost;
        }
    }

    /// Applies the result of a job; returns the moves proven by it, with the keys of their
    /// positions.
    pub(super) fn apply(&mut self, job: &ThreadJob, result: TaskResult) -> Vec<(u64, Cell)> {
        let mut proven_moves = Vec::new();
        self.attacks[job.at as usize].busy = false;
        match result {
            TaskResult::Won => self.prove(job.at, &mut proven_moves),
            TaskResult::Nothing => {
                let attack = &mut self.attacks[job.at as usize];
                attack.vct_searched = true;
                attack.hard = attack.hard.max(VCT_SEARCHED);
            }
            TaskResult::Tried(None) => self.attacks[job.at as usize].exhausted = true,
            TaskResult::Tried(Some(tried)) => {
                let defence = self.add(Some(job.at), tried);
                let attack = &mut self.attacks[job.at as usize];
                attack.tries.push(defence);
                attack.exhausted |= attack.tries.len() >= WIDEN.len();
                self.settle(defence, &mut proven_moves);
            }
        }
        for &at in job.path.iter().rev() {
            if !self.attacks[at as usize].proven {
                self.update(at);
            }
        }
        proven_moves
    }

    /// Marks a position of the attacker as proven.
    fn prove(&mut self, at: u32, proven_moves: &mut Vec<(u64, Cell)>) {
        let attack = &mut self.attacks[at as usize];
        if std::mem::replace(&mut attack.proven, true) {
            return;
        }
        self.proven += 1;
        attack.stones = Box::default();
        attack.hard = 0;
        for defence in std::mem::take(&mut attack.parents) {
            self.defences[defence as usize].open.retain(|&open| open != at);
            self.settle(defence, proven_moves);
        }
    }

    /// Proves the parent of a move without open replies.
    fn settle(&mut self, defence: u32, proven_moves: &mut Vec<(u64, Cell)>) {
        let Defence { parent, image, hopeless, ref open, .. } = self.defences[defence as usize];
        if let Some(parent) = parent
            && open.is_empty()
            && !hopeless
            && !self.attacks[parent as usize].proven
        {
            proven_moves.push((self.attacks[parent as usize].key, image));
            self.prove(parent, proven_moves);
        }
    }
}
