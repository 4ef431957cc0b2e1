//! Check of a whole claim: the root and a part for each class of replies, in threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::derive::Derivation;
use crate::file::{self, Claim, Content};
use crate::foul::foul;
use crate::grid::{Grid, Sides};
use crate::images::{Images, Stones};
use crate::source::{Flaw, Script, Source, Table, flaw};

/// Stack size of a thread in bytes: a level of the derivation takes a few thousand.
const STACK: usize = 256 << 20;

/// Options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads, each of which checks a reply at a time.
    pub threads: usize,
    /// The only reply to check, by name.
    pub reply: Option<String>,
}

/// Verdict on a part.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The reply; empty if the attacker is to move in the root.
    pub reply: String,
    /// The flaw if the reply is not proven, with the moves that lead to it.
    pub flaw: Option<String>,
    /// Number of answers read.
    pub answers: u64,
    /// Number of moves in the answers.
    pub moves: u64,
    /// Number of positions visited.
    pub positions: u64,
    /// Time taken.
    pub time: Duration,
    /// Approximate memory use at the end, in bytes.
    pub bytes: usize,
}

/// Checks a file; calls `on_verdict` after each part.
///
/// # Errors
/// The file cannot be read, or its parts or root do not fit its claim.
pub fn check(
    bytes: &[u8],
    expected: Option<&str>,
    options: &Options,
    on_verdict: &(dyn Fn(&Verdict) + Sync),
) -> Result<(Claim, Vec<Verdict>), Flaw> {
    let (claim, content) = file::read(bytes)?;
    if let Some(expected) = expected
        && expected != claim.to_string()
    {
        return flaw(format!("the file claims something else: {claim}"));
    }
    let (width, height) = claim.size;
    let verdicts = if width <= 15 && height <= 16 {
        ClaimCheck::<4, 16>::new(&claim)?.check(&content, options, on_verdict)?
    } else if width <= 20 && height <= 21 {
        ClaimCheck::<7, 21>::new(&claim)?.check(&content, options, on_verdict)?
    } else {
        ClaimCheck::<11, 27>::new(&claim)?.check(&content, options, on_verdict)?
    };
    Ok((claim, verdicts))
}

/// A reply to check: its cell (`None`: the attacker is to move in the root) and its packed
/// script (`None` for a table).
type Task<'a> = (Option<usize>, Option<&'a [u8]>);

struct ClaimCheck<const W: usize, const S: usize> {
    grid: Grid<W, S>,
    images: Images,
    attacker: usize,
    replies: bool,
    root: Stones<W>,
}

impl<const W: usize, const S: usize> ClaimCheck<W, S> {
    fn new(claim: &Claim) -> Result<Self, Flaw> {
        let Some(grid) = Grid::<W, S>::new(claim.rule, claim.size.0, claim.size.1) else {
            return flaw("a board of this size is not supported");
        };
        let images = Images::new(&grid);
        let mut root = images.none();
        for &(number, colour) in &claim.stones {
            images.put(&mut root, colour, grid.cell(number));
        }
        if grid.ended(&root.sides) || grid.empty(&root.sides).is_empty() {
            return flaw("the game is over in the root");
        }
        let is_foul = |(number, colour): (usize, usize)| {
            let (cell, mut before) = (grid.cell(number), root.sides);
            before[colour].remove(cell);
            foul(&grid, &before, colour, cell).0
        };
        if claim.last_in_turn().is_some_and(is_foul) {
            return flaw("the game is over in the root: its last stone is a foul");
        }
        let replies = claim.to_move != claim.attacker;
        Ok(Self { grid, images, attacker: claim.attacker, replies, root })
    }

    /// Returns the first reply of each class, in cell order.
    fn classes(&self) -> Result<Vec<usize>, Flaw> {
        let defender = 1 - self.attacker;
        let mut known: Vec<Sides<W>> = Vec::new();
        let (mut firsts, mut legal) = (Vec::new(), false);
        for cell in self.grid.empty(&self.root.sides).cells() {
            let mut after = self.root.sides;
            after[defender].add(cell);
            let least = self.images.least(&after);
            if !known.contains(&least) {
                known.push(least);
                firsts.push(cell);
                legal |= !foul(&self.grid, &self.root.sides, defender, cell).0;
            }
        }
        if legal { Ok(firsts) } else { flaw("every reply to the root is a foul") }
    }

    /// Returns the tasks of a file. A missing part, a second part for a reply and a part of no
    /// class are errors.
    fn tasks<'a>(&self, content: &Content<'a>) -> Result<Vec<Task<'a>>, Flaw> {
        let wanted: Vec<Option<usize>> =
            if self.replies { self.classes()?.into_iter().map(Some).collect() } else { vec![None] };
        let Content::Parts(parts) = content else {
            return Ok(wanted.into_iter().map(|reply| (reply, None)).collect());
        };
        let name = |reply: Option<usize>| match reply {
            Some(cell) => format!("the reply {}", self.grid.name(cell)),
            None => "the root".to_owned(),
        };
        let mut tasks: Vec<Task<'a>> = Vec::new();
        for part in parts {
            let reply = part.reply.map(|number| self.grid.cell(number));
            if !wanted.contains(&reply) {
                return flaw(format!("a part for {}, which needs none", name(reply)));
            }
            if tasks.iter().any(|task| task.0 == reply) {
                return flaw(format!("two parts for {}", name(reply)));
            }
            tasks.push((reply, Some(part.member)));
        }
        match wanted.iter().find(|reply| tasks.iter().all(|task| task.0 != **reply)) {
            Some(&missing) => flaw(format!("no part for {}", name(missing))),
            None => Ok(tasks),
        }
    }

    fn check(
        &self,
        content: &Content<'_>,
        options: &Options,
        on_verdict: &(dyn Fn(&Verdict) + Sync),
    ) -> Result<Vec<Verdict>, Flaw> {
        let mut tasks = self.tasks(content)?;
        if let Some(wanted) = &options.reply {
            tasks.retain(|task| task.0.is_some_and(|cell| self.grid.name(cell) == *wanted));
            if tasks.is_empty() {
                return flaw(format!("the file has no part for the reply {wanted}"));
            }
        }
        // Longest scripts first, so that all threads end at about the same time.
        tasks.sort_by_key(|task| std::cmp::Reverse(task.1.map_or(0, <[u8]>::len)));
        let pairs = match content {
            Content::Table(pairs) => {
                let cell =
                    |&(key, number): &(u64, u16)| (key, self.grid.cell(usize::from(number)) as u16);
                pairs.iter().map(cell).collect()
            }
            Content::Parts(_) => Vec::new(),
        };
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                let verdict = self.part(task, &pairs);
                on_verdict(&verdict);
                done.lock().unwrap_or_else(|e| e.into_inner()).push(verdict);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..options.threads.clamp(1, tasks.len()) {
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
            }
            Ok::<(), Flaw>(())
        })?;
        let verdicts = done.into_inner().unwrap_or_else(|e| e.into_inner());
        // A thread that ended early has no verdict on its reply.
        if verdicts.len() != tasks.len() {
            return flaw("a reply was not checked to its end");
        }
        Ok(verdicts)
    }

    fn part(&self, task: &Task<'_>, pairs: &[(u64, u16)]) -> Verdict {
        let script = match task.1 {
            None => return self.derive(task.0, Table { pairs, counts: (0, 0) }),
            Some(member) => file::unpack(member),
        };
        match script {
            Ok(reader) => self.derive(task.0, Script::new(reader)),
            Err(flaw) => Verdict {
                reply: task.0.map(|cell| self.grid.name(cell)).unwrap_or_default(),
                flaw: Some(flaw.to_string()),
                answers: 0,
                moves: 0,
                positions: 0,
                time: Duration::ZERO,
                bytes: 0,
            },
        }
    }

    fn derive(&self, reply: Option<usize>, source: impl Source) -> Verdict {
        let start = Instant::now();
        let mut derivation =
            Derivation::new(&self.grid, &self.images, self.attacker, self.root, source);
        let proven = match reply {
            Some(cell) => derivation.root_reply(cell),
            None => derivation.root(),
        };
        let flaw = match proven {
            Ok(true) => derivation.source().finish().err().map(|flaw| flaw.to_string()),
            Ok(false) => {
                let end = derivation.unproven(reply);
                Some(format!("{end}, after: {}", derivation.path()))
            }
            Err(flaw) => Some(format!("{flaw}, after: {}", derivation.path())),
        };
        let (answers, moves) = derivation.source().counts();
        Verdict {
            reply: reply.map(|cell| self.grid.name(cell)).unwrap_or_default(),
            flaw,
            answers,
            moves,
            positions: derivation.positions,
            time: start.elapsed(),
            bytes: derivation.bytes(),
        }
    }
}
