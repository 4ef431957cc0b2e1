//! Checks a winning tree: every move of the defender must have an answer.
//!
//! Irrelevant moves need no answer of their own. Where the attacker would win if
//! the defender passed, the checker verifies that win and collects its relevance
//! cells: empty cells that were played, that decided a five or a foul, or where the
//! defender could have made a five. A stone of the defender elsewhere changes
//! nothing of that win, so only stones on relevance cells need an answer. As the
//! defender passes again inside such a win, it is verified for a number of extra
//! stones of the defender anywhere else (`extra_stones`).
//!
//! Inside such a win the argument applies again, so the win is checked with one
//! more stone that may lie anywhere, and rows of the defender that this many
//! stones could fill count as relevance cells. Final sequences of up to two
//! fours are not stored but found: the last four must leave two fives, which
//! the lines of three show without trying.

mod advise;
mod answers;
mod line;
mod win;

use std::time::Instant;

use fxhash::FxHashMap;
use smallvec::SmallVec;

use super::flaw::{Flaw, FlawKind};
use super::memory::Memory;
use super::proof_board::{CanonicalKey, Keys, ProofBoard};
use goren_core::rules::Setup;
use goren_core::types::{Cell, CellSet, Color, Stone};
use win::Reply;
pub(super) use win::Win;

pub use answers::{Answers, Moves};
pub use line::LinePly;
pub use win::{Measure, Plies};

/// Defender's stones that may lie anywhere, at most.
const MOST_EXTRA_STONES: usize = 8;

/// Goes through trees for one attacker, and may measure how long it wins.
pub struct Checker<A: Answers, M: Measure = ()> {
    /// The position being looked at.
    pub board: ProofBoard,
    attacker: Color,
    /// The moves.
    pub answers: A,
    memory: Memory<M>,
    path: Vec<Option<Cell>>,
    /// Number of enclosing calls that do not need the path to a flaw.
    unasked: usize,
    /// Fours that a win may take for which no move is written down.
    fours: usize,
    /// Positions of the attacker looked at.
    pub visits: u64,
    /// The moves that were used: key of the position and move, with the number of attacker's
    /// stones there. It grows without bound; callers that do not use it clear it from time
    /// to time.
    pub needed: FxHashMap<(u64, Cell), u16>,
    /// Limit of [`Checker::visits`].
    pub most_visits: u64,
    /// When to give up, if ever.
    pub until: Option<Instant>,
}

/// The mode in which a position is checked.
#[derive(Copy, Clone)]
struct Way {
    /// Stones of the tree, if it was made for fewer of the defender's than lie
    /// on the board.
    base: Option<Keys>,
    /// Stones of the defender that may lie anywhere off the relevance cells.
    extra_stones: usize,
    /// Whether moves may be sought.
    seek: bool,
    /// Fours that may still be made, if there is to be nothing else.
    fours: Option<usize>,
}

impl Way {
    /// The position as it is.
    fn plain(seek: bool) -> Way {
        Way { base: None, extra_stones: 0, seek, fours: None }
    }
}

/// Fours that a win may take for which no move is written down.
const FOURS: usize = 2;

impl<A: Answers> Checker<A> {
    /// For a game from the empty board on.
    pub fn new(setup: Setup, attacker: Color, answers: A) -> Checker<A> {
        Checker::begun(setup, attacker, answers)
    }
}

impl<A: Answers, M: Measure> Checker<A, M> {
    fn begun(setup: Setup, attacker: Color, answers: A) -> Checker<A, M> {
        Checker {
            board: ProofBoard::new(setup),
            attacker,
            answers,
            memory: Memory::new(setup.height),
            path: Vec::new(),
            unasked: 0,
            fours: FOURS,
            visits: 0,
            needed: FxHashMap::default(),
            most_visits: u64::MAX,
            until: None,
        }
    }

    /// Whether the attacker, to move, wins. With `seek` moves that are not known
    /// are asked for.
    ///
    /// # Errors
    /// The first flaw that was found.
    pub fn attack(&mut self, seek: bool) -> Result<(), Flaw> {
        self.begin();
        self.attacked(Way::plain(seek)).map(drop)
    }

    /// The moves of the defender, who is to move, that have no answer yet.
    ///
    /// # Errors
    /// The defender has won, or the board is full.
    pub fn left(&mut self, seek: bool) -> Result<Vec<Cell>, Flaw> {
        self.begin();
        let mut left = Vec::new();
        self.defended(Way::plain(seek), Some(&mut left))?;
        Ok(left)
    }

    /// The moves of the defender, who is to move, that need an answer: against
    /// all others, if there are any, the attacker wins.
    ///
    /// # Errors
    /// The defender has won, or has no move but fouls.
    pub fn to_answer(&mut self, seek: bool) -> Result<CellSet, Flaw> {
        self.begin();
        let needed = self.needed(Way::plain(seek))?.1;
        let all = *self.board.empty();
        if needed.is_none() && all.iter().all(|reply| self.reply_fouls(reply).0) {
            return self.flaw(FlawKind::Draw);
        }
        Ok(needed.unwrap_or(all))
    }

    /// Whether a reply is a foul, and the empty cells that this hangs on.
    fn reply_fouls(&self, reply: Cell) -> (bool, CellSet) {
        let (fouls, seen) = self.board.fouls(!self.attacker, reply);
        (fouls.any(), seen)
    }

    /// Whether the attacker, who has just moved, wins against one reply. With
    /// `seek` moves that are not known are asked for.
    ///
    /// # Errors
    /// The first flaw that was found.
    pub fn answer(&mut self, reply: Cell, seek: bool) -> Result<(), Flaw> {
        self.begin();
        if self.board.wins(!self.attacker).contains(&reply) {
            return self.flaw(FlawKind::DefenderWins(reply));
        }
        let way = Way::plain(seek);
        let found = self.replied(reply, way).map(drop);
        // Where several wins are known, the one that is gone through after the reply may not
        // be the one against a pass. Off the relevance cells of the latter the reply changes
        // nothing, as in `left`. Whoever seeks knows which replies are relevant.
        if found.is_err()
            && !seek
            && let Ok((_, Some(needed))) = self.needed(way)
            && !needed.contains(reply)
        {
            return Ok(());
        }
        found
    }

    /// Has every move of the attacker written down.
    #[cfg(test)]
    pub(super) fn without_fours(self) -> Checker<A, M> {
        Checker { fours: 0, ..self }
    }

    /// What could not be won before may be won by what is known now.
    fn begin(&mut self) {
        self.path.clear();
        self.memory.forget_failures();
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Tells no paths of flaws, which takes time.
    pub fn without_paths(self) -> Checker<A, M> {
        Checker { unasked: 1, ..self }
    }

    fn flaw<T>(&self, kind: FlawKind) -> Result<T, Flaw> {
        let path = if self.unasked > 0 { Vec::new() } else { self.path.clone() };
        Err(Flaw { path, kind })
    }

    /// Tries something that is no flaw of the tree where it fails.
    fn unasked<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.unasked += 1;
        let done = work(self);
        self.unasked -= 1;
        done
    }

    /// The attacker is to move, and wins.
    fn attacked(&mut self, way: Way) -> Result<Win<M>, Flaw> {
        if let Some(&five) = self.board.wins(self.attacker).first() {
            return Ok(Win::five(self.board.around_win(self.attacker, five)));
        }
        if let Some(fours) = way.fours {
            return self.vcf(fours, way.extra_stones).map(|(_, win)| win);
        }
        let keys = self.board.keys();
        let canonical = self.board.canonical(&keys);
        // What was found with a base can only be found again with that base.
        let key = (keys.own(), way.base.unwrap_or(keys).own(), way.extra_stones);
        let exact = way.base.is_none() && way.extra_stones == 0;
        if way.extra_stones == 0
            && let Some(length) = self.memory.proven(&canonical)
        {
            return Ok(Win { relevant: CellSet::EMPTY, length });
        }
        if let Some(relevant) = self.memory.relevant(&key).filter(|_| !exact) {
            return Ok(relevant);
        }
        let asked = self.unasked == 0;
        if let Some(flaw) = self.memory.failure(&key, way.seek, &self.path, asked) {
            return Err(flaw);
        }
        if self.is_late() {
            return self.flaw(FlawKind::OutOfTime);
        }
        if self.visits >= self.most_visits {
            return self.flaw(FlawKind::Unfinished);
        }
        self.visits += 1;
        // What is known for all stones was tried before, if there is a base.
        let tree = way.base.map_or(canonical, |base| self.board.canonical(&base));
        let mut found = self.follow_any(&tree, way).map(|(_, win)| win);
        if found.is_err() {
            let fours = self.unasked(|own| own.vcf(own.fours, way.extra_stones));
            found = fours.map(|(_, win)| win).or(found);
        }
        if found.is_err() && way.seek {
            let suggested = self.answers.suggest(&self.board);
            found = self.follow_found(&canonical, way, suggested).or(found);
        }
        if found.is_err() && way.seek {
            let sought = self.answers.seek(&self.board, way.extra_stones);
            found = self.follow_found(&canonical, way, sought).or(found);
        }
        match &found {
            Ok(win) if exact => self.memory.note_proven(&canonical, win.length),
            Ok(win) => self.memory.note_relevant(key, win),
            Err(flaw) => {
                let before = asked.then_some(self.path.len());
                self.memory.note_failure(key, way.seek, flaw, before);
            }
        }
        found
    }

    /// The attacker is to move, maybe with a base: what is known for all stones
    /// comes first, and is gone through without the base. It was found so, and
    /// what is remembered of it must not hang on how it was come upon.
    fn attacked_if_known(&mut self, way: Way) -> Result<Win<M>, Flaw> {
        if way.base.is_some() && way.fours.is_none() {
            let canonical = self.board.canonical(&self.board.keys());
            if !self.answers.known(&self.board, &canonical).is_empty()
                && let Ok(win) = self.attacked(Way { base: None, ..way })
            {
                return Ok(win);
            }
        }
        self.attacked(way)
    }

    /// Wins by at most `fours` fours, tried one after another: short ends of trees need not
    /// be written down. Does not use the tree.
    fn vcf(&mut self, fours: usize, extra_stones: usize) -> Result<(Cell, Win<M>), Flaw> {
        if fours == 0 {
            return self.flaw(FlawKind::NoMove);
        }
        let threats = self.board.wins(!self.attacker);
        let way = Way { base: None, extra_stones, seek: false, fours: Some(fours - 1) };
        // The last four must leave two fives, unless its answer may be a foul.
        let fouls = self.board.setup().rule.card().fouls[(!self.attacker).index()].any();
        let all = self.board.fours(self.attacker, fours == 1 && !fouls);
        let candidates = match threats[..] {
            [] => all,
            [five] => [five].into_iter().filter(|&five| all.contains(five)).collect(),
            _ => CellSet::EMPTY,
        };
        let found = candidates.iter().find_map(|cell| Some((cell, self.follow(cell, way).ok()?)));
        found.map_or_else(|| self.flaw(FlawKind::NoMove), Ok)
    }

    /// Follows the moves of a canonical key until one wins, and notes that it was needed.
    fn follow_any(&mut self, canonical: &CanonicalKey, way: Way) -> Result<(Cell, Win<M>), Flaw> {
        let mut outcome = self.flaw(FlawKind::NoMove);
        for image in self.answers.known(&self.board, canonical) {
            let m = self.board.from_image(canonical, image);
            outcome = self.follow(m, way).map(|win| (m, win));
            if outcome.is_ok() {
                let stones = self.board.stones().iter();
                let own = stones.filter(|&&(_, stone)| stone == Stone::Of(self.attacker)).count();
                self.needed.entry((canonical.key(), image)).or_insert(own as u16 + 1);
                break;
            }
        }
        outcome
    }

    /// Follows a move that was not known.
    fn follow_found(
        &mut self,
        canonical: &CanonicalKey,
        way: Way,
        found: Option<Cell>,
    ) -> Result<Win<M>, Flaw> {
        let Some(m) = found else {
            return self.flaw(FlawKind::NoMove);
        };
        let image = self.board.to_image(canonical, m);
        if self.answers.known(&self.board, canonical).contains(&image) {
            return self.flaw(FlawKind::NoMove);
        }
        self.answers.learn(canonical, image);
        let outcome = self.follow(m, Way { base: None, ..way });
        match outcome {
            Ok(_) => self.answers.stands(canonical, image),
            Err(_) => self.answers.unlearn(canonical, image),
        }
        outcome
    }

    /// Plays a move of the attacker.
    fn follow(&mut self, m: Cell, way: Way) -> Result<Win<M>, Flaw> {
        self.path.push(Some(m));
        let outcome = self.followed(m, way);
        self.path.pop();
        outcome
    }

    fn followed(&mut self, m: Cell, way: Way) -> Result<Win<M>, Flaw> {
        let mut relevant = CellSet::EMPTY;
        relevant.insert(m);
        let (fouls, seen) = self.board.fouls(self.attacker, m);
        if fouls.any() {
            return self.flaw(FlawKind::Foul(m));
        }
        relevant = relevant.union(&seen);
        if self.board.place(m, self.attacker).is_err() {
            return self.flaw(FlawKind::Occupied(m));
        }
        let base = way.base.map(|base| self.board.toggled(base, m, self.attacker));
        let outcome = self.defended(Way { base, ..way }, None);
        self.board.take_back();
        outcome.map(|win| win.with(&relevant).after(1))
    }

    /// The cells where the defender, who is to move, must be answered, all if
    /// `None`; and the attacker's win elsewhere.
    fn needed(&mut self, way: Way) -> Result<(Win<M>, Option<CellSet>), Flaw> {
        let defender = !self.attacker;
        if let Some(&five) = self.board.wins(defender).first() {
            return self.flaw(FlawKind::DefenderWins(five));
        }
        let mut win = Win::default();
        if way.extra_stones > 0 {
            win.relevant = self.board.gaps(defender, 4usize.saturating_sub(way.extra_stones));
        }
        let fives = self.board.wins(self.attacker);
        let needed = if fives.is_empty() && way.fours.is_some() {
            return self.flaw(FlawKind::NoMove);
        } else if fives.is_empty() {
            self.passed(way).map(|passed| {
                let all = self.board.empty().difference(&passed.relevant).is_empty();
                win.length = if all { M::default() } else { passed.after(1).length };
                passed.relevant
            })
        } else {
            // A stone that leaves one of the fives alone loses to it.
            let around = fives.iter().map(|&five| self.board.around_win(self.attacker, five));
            let around: SmallVec<[CellSet; 4]> = around.collect();
            win = around.iter().fold(win.after(2), Win::with);
            around.into_iter().reduce(|a, b| a.intersection(&b))
        };
        Ok((win, needed.map(|needed| needed.intersection(self.board.empty()))))
    }

    /// The defender is to move: the attacker's win.
    /// Moves without an answer are a flaw, unless they are collected.
    fn defended(&mut self, way: Way, mut left: Option<&mut Vec<Cell>>) -> Result<Win<M>, Flaw> {
        let (win, needed) = self.needed(way)?;
        let any = needed.is_none();
        let needed = needed.unwrap_or(*self.board.empty());
        let mut win = win.with(&needed);
        let mut answered = 0;
        for reply in needed.iter() {
            match self.replied(reply, way) {
                Ok(Reply::Foul(seen)) => win = win.with(&seen).or_longer(M::default().after(1)),
                Ok(Reply::Answered(more)) => {
                    win = win.with(&more.relevant).or_longer(more.after(1).length);
                    answered += 1;
                }
                Err(flaw) => match &mut left {
                    Some(left) => left.push(reply),
                    None => return Err(flaw),
                },
            }
        }
        if any && answered == 0 && left.is_none_or(|left| left.is_empty()) {
            return self.flaw(FlawKind::Draw);
        }
        Ok(win)
    }

    /// The attacker's win if the defender passes.
    fn passed(&mut self, way: Way) -> Option<Win<M>> {
        if way.extra_stones >= MOST_EXTRA_STONES {
            return None;
        }
        self.path.push(None);
        let way = Way { extra_stones: way.extra_stones + 1, ..way };
        let outcome = self.unasked(|own| own.attacked_if_known(way));
        self.path.pop();
        outcome.ok()
    }

    /// A stone of the defender.
    fn replied(&mut self, reply: Cell, way: Way) -> Result<Reply<M>, Flaw> {
        let defender = !self.attacker;
        let (foul, relevant) = self.reply_fouls(reply);
        if foul {
            return Ok(Reply::Foul(relevant));
        }
        let before = self.board.keys();
        let with = way.base.map(|base| self.board.toggled(base, reply, defender));
        // As if the stone were not there, where nothing else is known.
        let without = Some(way.base.unwrap_or(before));
        if self.board.place(reply, defender).is_err() {
            return self.flaw(FlawKind::Occupied(reply));
        }
        self.path.push(Some(reply));
        let mut outcome = self.attacked_if_known(Way { base: with, seek: false, ..way });
        if outcome.is_err() && way.fours.is_none() {
            outcome = self.attacked(Way { base: without, seek: false, ..way });
        }
        if outcome.is_err() && way.seek {
            outcome = self.attacked(Way { base: None, ..way });
        }
        self.path.pop();
        self.board.take_back();
        outcome.map(|win| Reply::Answered(win.with(&relevant)))
    }
}
