//! The open part of a winning tree: the positions that still must be proven,
//! and which of them to work on next.
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
pub(super) const NEVER: u32 = u32::MAX / 4;
/// Hardness of a position after the quick search alone.
const QUICK_SEARCHED: u32 = 4;
/// Least hardness of a position after the longer VCT search.
const VCT_SEARCHED: u32 = 8;
/// Hardness of the easiest move tried above which another move is tried, by the number of
/// moves tried.
const WIDEN: [u32; 10] = [0, 40, 90, 180, 350, 700, 1_400, 2_800, 5_600, 11_200];
/// Score from which a move of the attacker has no handicap, and the points below it that
/// make the move harder by 1.
pub(super) const SURE: Score = 300;
const POINTS_A_UNIT: Score = 40;
const MOST_HANDICAP: Score = 24;
/// Hardness of a reply to the position that the tree is about above which another reply is
/// worked on first. The limit is doubled when all replies are above it.
const FIRST_REPLY_LIMIT: u32 = 200;

/// A position with the attacker to move.
struct Attack {
    stones: Box<[(Cell, Stone)]>,
    /// What files know it by.
    key: u64,
    proven: bool,
    /// Whether the longer VCT search was made.
    vct_searched: bool,
    /// Whether there are no more moves to try.
    exhausted: bool,
    /// Whether a thread works on it.
    busy: bool,
    hard: u32,
    /// Moves that were tried.
    tries: SmallVec<[u32; 2]>,
    /// The moves that lead to it.
    parents: SmallVec<[u32; 2]>,
}

/// A position after a move of the attacker.
struct Defence {
    m: Cell,
    /// The move as the file has it.
    image: Cell,
    /// Where it is played; `None` for the position that the tree is about.
    parent: Option<u32>,
    handicap: u32,
    hopeless: bool,
    /// Replies that have no answer yet.
    open: Vec<u32>,
}

/// A position of the attacker, as it enters the tree.
pub(super) struct NewAttack {
    pub(super) stones: Box<[(Cell, Stone)]>,
    /// Its key of all images.
    pub(super) whole: u128,
    /// What files know it by.
    pub(super) key: u64,
}

/// A move that was tried.
pub(super) struct Tried {
    pub(super) m: Cell,
    /// As the file has it.
    pub(super) image: Cell,
    pub(super) score: Score,
    /// Replies without an answer; `None` if the defender refutes it.
    pub(super) open: Option<Vec<NewAttack>>,
}

/// A task at a position.
pub(super) enum PositionTask {
    /// Search for a win by threats.
    Vct,
    /// Try a move other than these.
    Try(Vec<Cell>),
}

/// Work for a thread.
pub(super) struct ThreadJob {
    pub(super) stones: Box<[(Cell, Stone)]>,
    pub(super) task: PositionTask,
    at: u32,
    /// The positions on the way, those of the attacker.
    path: Vec<u32>,
}

impl ThreadJob {
    /// How many moves of the attacker lie before it in the tree.
    pub(super) fn depth(&self) -> usize {
        self.path.len() - 1
    }
}

/// The cost of some work.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Cost {
    /// Seconds of threads.
    pub(crate) seconds: f64,
    /// Nodes of the solvers.
    pub(crate) nodes: u64,
    /// Moves that were proven.
    pub(crate) moves: u64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, more: Cost) {
        self.seconds += more.seconds;
        self.nodes += more.nodes;
        self.moves += more.moves;
    }
}

/// A reply to the position that a tree is about.
#[derive(Copy, Clone, Debug)]
pub(crate) struct RootReply {
    /// The reply.
    pub(crate) m: Cell,
    /// Whether it has its answer.
    pub(crate) proven: bool,
    /// Its cost so far.
    pub(crate) cost: Cost,
    at: u32,
}

/// The result of a task.
pub(super) enum TaskResult {
    /// The attacker wins.
    Won,
    /// No win by threats was found.
    Nothing,
    /// A move was tried; `None` if there is none.
    Tried(Option<Tried>),
}

/// The tree.
pub(super) struct GrowingTree {
    attacks: Vec<Attack>,
    defences: Vec<Defence>,
    index: FxHashMap<u128, u32>,
    root: Root,
    /// In a position of the defender: the replies that had no answer at first.
    replies: Vec<RootReply>,
    /// The limit of their hardness; see [`FIRST_REPLY_LIMIT`].
    reply_limit: u32,
    /// Positions that are proven.
    pub(super) proven: usize,
    /// When it was begun.
    pub(super) since: Instant,
}

#[derive(Copy, Clone)]
enum Root {
    Attack(u32),
    Defence(u32),
}

/// How far the work is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum WorkState {
    /// There is more to do.
    Open,
    /// It is proven.
    Proven,
    /// No position has a move left to try.
    Exhausted,
}

impl GrowingTree {
    /// A tree for a position of the attacker.
    pub(super) fn of_attack(root: NewAttack) -> GrowingTree {
        let mut tree = GrowingTree::empty();
        tree.root = Root::Attack(tree.enter(root));
        tree
    }

    /// A tree for a position of the defender with these open replies, in the
    /// order in which they are worked on; `None` if the attacker cannot win.
    pub(super) fn of_defence(open: Option<Vec<NewAttack>>) -> GrowingTree {
        let mut tree = GrowingTree::empty();
        let nowhere = Cell::new(0, 0);
        let last = |new: &NewAttack| new.stones.last().map(|&(cell, _)| cell);
        let replies: Vec<Cell> = open.iter().flatten().filter_map(last).collect();
        let tried = Tried { m: nowhere, image: nowhere, score: SURE, open };
        tree.add(None, tried);
        let new = |(m, &at)| RootReply { m, proven: false, cost: Cost::default(), at };
        tree.replies = replies.into_iter().zip(&tree.defences[0].open).map(new).collect();
        tree
    }

    /// The replies to the position that were open, in order; none of a position
    /// of the attacker.
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
            reply_limit: FIRST_REPLY_LIMIT,
            proven: 0,
            since: Instant::now(),
        }
    }

    /// Positions of the attacker that are not proven.
    pub(super) fn open(&self) -> usize {
        self.attacks.len() - self.proven
    }

    /// The replies to the position it is about that have no answer yet; of a
    /// position of the attacker, one if it is open.
    pub(super) fn first_open(&self) -> usize {
        match self.root {
            Root::Attack(at) => usize::from(!self.attacks[at as usize].proven),
            Root::Defence(at) => self.defences[at as usize].open.len(),
        }
    }

    /// Hardness of the position that the tree is about.
    pub(super) fn hardness(&self) -> u32 {
        match self.root {
            Root::Attack(at) => self.attacks[at as usize].hard,
            Root::Defence(at) => self.hardness_of(at),
        }
    }

    pub(super) fn state(&self) -> WorkState {
        match (self.hardness(), self.first_open()) {
            (NEVER.., _) => WorkState::Exhausted,
            (_, 0) => WorkState::Proven,
            _ => WorkState::Open,
        }
    }

    /// The position of the attacker: the one there is, or a new one.
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

    /// A move with its open replies; its number.
    fn add(&mut self, parent: Option<u32>, tried: Tried) -> u32 {
        let number = self.defences.len() as u32;
        let handicap = ((SURE - tried.score) / POINTS_A_UNIT).clamp(0, MOST_HANDICAP) as u32;
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
            return NEVER;
        }
        let hard = |&at: &u32| self.attacks[at as usize].hard;
        let most = defence.open.iter().map(hard).max().unwrap_or(0);
        (most + defence.open.len() as u32 + defence.handicap).min(NEVER)
    }

    fn update(&mut self, at: u32) {
        let attack = &self.attacks[at as usize];
        if attack.tries.is_empty() && !attack.exhausted {
            return;
        }
        let tried = attack.tries.iter().map(|&defence| self.hardness_of(defence));
        let best = tried.min().unwrap_or(NEVER);
        let next = if attack.exhausted { NEVER } else { WIDEN[attack.tries.len()] };
        self.attacks[at as usize].hard = best.min(next.max(VCT_SEARCHED));
    }

    /// The next job; `None` if threads work on all that is open.
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

    /// The position to work on below the first reply within the limit of hardness that has
    /// one, or else below any reply.
    fn reply(&mut self, defence: u32, path: &mut Vec<u32>) -> Option<u32> {
        let hard = |tree: &GrowingTree, at: u32| tree.attacks[at as usize].hard;
        let mut open = self.defences[defence as usize].open.clone();
        let least = open.iter().map(|&at| hard(self, at)).min()?;
        while least > self.reply_limit && least < NEVER {
            self.reply_limit *= 2;
        }
        open.sort_by_key(|&at| hard(self, at) > self.reply_limit);
        open.into_iter().find_map(|at| self.descend(at, path))
    }

    /// The stones of the position that decides the hardness of the tree: along the hardest
    /// replies to the easiest moves. None if nothing is open.
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
        while let Some(there) = at {
            let attack = &self.attacks[there as usize];
            stones = &attack.stones;
            let easiest = attack.tries.iter().min_by_key(|&&defence| self.hardness_of(defence));
            let open = easiest.map(|&defence| &self.defences[defence as usize].open);
            at = open.into_iter().flatten().max_by_key(|at| hard(at)).copied();
        }
        stones
    }

    /// The position to work on: a position of the attacker, or one below it.
    fn descend(&mut self, at: u32, path: &mut Vec<u32>) -> Option<u32> {
        self.update(at);
        let attack = &self.attacks[at as usize];
        if attack.hard >= NEVER {
            return None;
        }
        path.push(at);
        let mut tries: SmallVec<[(u32, u32); 10]> =
            attack.tries.iter().map(|&defence| (self.hardness_of(defence), defence)).collect();
        tries.sort_unstable();
        let easiest = tries.first().map_or(NEVER, |&(hard, _)| hard);
        let widens = tries.is_empty() || !attack.exhausted && easiest > WIDEN[tries.len()];
        if widens && !attack.busy {
            return Some(at);
        }
        let there = tries.into_iter().filter(|&(hard, _)| hard < NEVER).take(2);
        let found = there.into_iter().find_map(|(_, defence)| self.hardest(defence, path));
        if found.is_none() {
            path.pop();
        }
        found
    }

    /// The position to work on below the hardest reply to a move that has one.
    fn hardest(&mut self, defence: u32, path: &mut Vec<u32>) -> Option<u32> {
        let open = self.defences[defence as usize].open.iter();
        let mut open: Vec<(u32, u32)> =
            open.map(|&at| (self.attacks[at as usize].hard, at)).collect();
        open.sort_unstable_by_key(|&(hard, at)| (std::cmp::Reverse(hard), at));
        open.into_iter().find_map(|(_, at)| self.descend(at, path))
    }

    /// Adds the cost of a job to that of its reply.
    pub(super) fn add_cost(&mut self, job: &ThreadJob, cost: Cost) {
        if let Some(reply) = self.replies.iter_mut().find(|reply| reply.at == job.path[0]) {
            reply.cost += cost;
        }
    }

    /// Takes in what came of a job: the moves that are proven by it, with the
    /// keys of their positions.
    pub(super) fn take(&mut self, job: &ThreadJob, found: TaskResult) -> Vec<(u64, Cell)> {
        let mut facts = Vec::new();
        self.attacks[job.at as usize].busy = false;
        match found {
            TaskResult::Won => self.prove(job.at, &mut facts),
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
                self.settle(defence, &mut facts);
            }
        }
        for &at in job.path.iter().rev() {
            if !self.attacks[at as usize].proven {
                self.update(at);
            }
        }
        facts
    }

    /// A position of the attacker is won.
    fn prove(&mut self, at: u32, facts: &mut Vec<(u64, Cell)>) {
        let attack = &mut self.attacks[at as usize];
        if std::mem::replace(&mut attack.proven, true) {
            return;
        }
        self.proven += 1;
        attack.stones = Box::default();
        attack.hard = 0;
        for defence in std::mem::take(&mut attack.parents) {
            self.defences[defence as usize].open.retain(|&open| open != at);
            self.settle(defence, facts);
        }
    }

    /// A move without open replies wins.
    fn settle(&mut self, defence: u32, facts: &mut Vec<(u64, Cell)>) {
        let Defence { parent, image, hopeless, ref open, .. } = self.defences[defence as usize];
        if let Some(parent) = parent
            && open.is_empty()
            && !hopeless
            && !self.attacks[parent as usize].proven
        {
            facts.push((self.attacks[parent as usize].key, image));
            self.prove(parent, facts);
        }
    }
}
