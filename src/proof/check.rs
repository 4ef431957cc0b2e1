//! Checks a winning tree: every move of the defender must have an answer.
//!
//! Irrelevant moves need no answer of their own. Where the attacker would win if the defender
//! passed, the checker verifies that win and collects its relevance cells: empty cells that
//! were played, that decided a five or a foul, or where the defender could have made a five.
//! A stone of the defender elsewhere does not affect that win, so only stones on relevance
//! cells need an answer.
//!
//! Inside such a win the argument applies again: with each pass the win is checked for one
//! more stone of the defender that may lie anywhere off the relevance cells (`extra_stones`).
//! Rows of the defender that this many stones and a move could complete to a five count as
//! relevance cells.
//!
//! The tree does not store final sequences of up to two fours; the checker finds them. The
//! last four must leave two fives, which the lines of three show without trying.

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

/// Maximum number of extra stones of the defender.
const MAX_EXTRA_STONES: usize = 8;

/// Checker of trees for one attacker. It may also measure the lengths of wins ([`Measure`]).
pub struct Checker<A: Answers, M: Measure = ()> {
    /// Position being checked.
    pub board: ProofBoard,
    attacker: Color,
    /// Source of the attacker's moves.
    pub answers: A,
    memory: Memory<M>,
    path: Vec<Option<Cell>>,
    /// Number of enclosing probes: while there are any, flaws have no path.
    probes: usize,
    /// Maximum number of fours in a win that the tree does not store.
    fours: usize,
    /// Number of positions visited with the attacker to move.
    pub visits: u64,
    /// Moves that were used, by key of the position and move, with the number of the
    /// attacker's stones after the move. It grows without bound; callers that do not use it
    /// clear it from time to time.
    pub needed: FxHashMap<(u64, Cell), u16>,
    /// Limit of [`Checker::visits`].
    pub max_visits: u64,
    /// Deadline, if any.
    pub until: Option<Instant>,
}

/// The mode in which a position is checked.
#[derive(Copy, Clone)]
struct Mode {
    /// Stones that the tree knows, if the board has more stones of the defender.
    base: Option<Keys>,
    /// Stones of the defender that may lie anywhere off the relevance cells.
    extra_stones: usize,
    /// Whether to ask for unknown moves.
    seek: bool,
    /// Number of fours left, if the attacker may play nothing but fours.
    fours: Option<usize>,
}

impl Mode {
    /// Returns the mode of a position as it is on the board.
    fn plain(seek: bool) -> Mode {
        Mode { base: None, extra_stones: 0, seek, fours: None }
    }
}

/// Maximum number of fours in a win that a tree does not store.
const FOURS: usize = 2;

impl<A: Answers> Checker<A> {
    /// Creates a checker with an empty board.
    pub fn new(setup: Setup, attacker: Color, answers: A) -> Checker<A> {
        Checker::create(setup, attacker, answers)
    }
}

impl<A: Answers, M: Measure> Checker<A, M> {
    fn create(setup: Setup, attacker: Color, answers: A) -> Checker<A, M> {
        Checker {
            board: ProofBoard::new(setup),
            attacker,
            answers,
            memory: Memory::new(setup.height),
            path: Vec::new(),
            probes: 0,
            fours: FOURS,
            visits: 0,
            needed: FxHashMap::default(),
            max_visits: u64::MAX,
            until: None,
        }
    }

    /// Checks that the attacker, who is to move, wins. With `seek` asks for unknown moves.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn attack(&mut self, seek: bool) -> Result<(), Flaw> {
        self.begin();
        self.check_attack(Mode::plain(seek)).map(drop)
    }

    /// Returns the moves of the defender, who is to move, that have no answer yet.
    ///
    /// # Errors
    /// The defender wins at once, or has no move but fouls.
    pub fn left(&mut self, seek: bool) -> Result<Vec<Cell>, Flaw> {
        self.begin();
        let mut left = Vec::new();
        self.check_defence(Mode::plain(seek), Some(&mut left))?;
        Ok(left)
    }

    /// Returns the moves of the defender, who is to move, that need an answer. Against all
    /// others, if there are any, the attacker wins.
    ///
    /// # Errors
    /// The defender wins at once, or has no move but fouls.
    pub fn to_answer(&mut self, seek: bool) -> Result<CellSet, Flaw> {
        self.begin();
        let needed = self.needed_replies(Mode::plain(seek))?.1;
        let all = *self.board.empty();
        if needed.is_none() && all.iter().all(|reply| self.reply_fouls(reply).0) {
            return self.flaw(FlawKind::Draw);
        }
        Ok(needed.unwrap_or(all))
    }

    /// Returns whether a reply is a foul, and the empty cells that the verdict depends on.
    fn reply_fouls(&self, reply: Cell) -> (bool, CellSet) {
        let (fouls, seen) = self.board.fouls(!self.attacker, reply);
        (fouls.any(), seen)
    }

    /// Checks that the attacker, who has just moved, wins against a reply. With `seek` asks
    /// for unknown moves.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn answer(&mut self, reply: Cell, seek: bool) -> Result<(), Flaw> {
        self.begin();
        if self.board.wins(!self.attacker).contains(&reply) {
            return self.flaw(FlawKind::DefenderWins(reply));
        }
        let mode = Mode::plain(seek);
        let found = self.check_reply(reply, mode).map(drop);
        // If several wins are known, the one checked after the reply may differ from the one
        // against a pass. Off the relevance cells of the latter the reply changes nothing, as
        // in `left`. A caller that seeks knows which replies are relevant.
        if found.is_err()
            && !seek
            && let Ok((_, Some(needed))) = self.needed_replies(mode)
            && !needed.contains(reply)
        {
            return Ok(());
        }
        found
    }

    /// Requires the tree to store every move of the attacker.
    #[cfg(test)]
    pub(super) fn without_fours(self) -> Checker<A, M> {
        Checker { fours: 0, ..self }
    }

    /// Begins a question. Positions that failed before may be won by moves known now.
    fn begin(&mut self) {
        self.path.clear();
        self.memory.forget_failures();
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Reports flaws without their paths, which take time.
    pub fn without_paths(self) -> Checker<A, M> {
        Checker { probes: 1, ..self }
    }

    fn flaw<T>(&self, kind: FlawKind) -> Result<T, Flaw> {
        let path = if self.probes > 0 { Vec::new() } else { self.path.clone() };
        Err(Flaw { path, kind })
    }

    /// Tries something whose failure is no flaw of the tree.
    fn probe<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.probes += 1;
        let result = work(self);
        self.probes -= 1;
        result
    }

    /// Checks that the attacker, who is to move, wins.
    fn check_attack(&mut self, mode: Mode) -> Result<Win<M>, Flaw> {
        if let Some(&five) = self.board.wins(self.attacker).first() {
            return Ok(Win::five(self.board.around_win(self.attacker, five)));
        }
        if let Some(fours) = mode.fours {
            return self.vcf(fours, mode.extra_stones).map(|(_, win)| win);
        }
        let keys = self.board.keys();
        let canonical = self.board.canonical(&keys);
        // A result found with a base is remembered for that base only.
        let key = (keys.own(), mode.base.unwrap_or(keys).own(), mode.extra_stones);
        let exact = mode.base.is_none() && mode.extra_stones == 0;
        if mode.extra_stones == 0
            && let Some(length) = self.memory.proven(&canonical)
        {
            return Ok(Win { relevant: CellSet::EMPTY, length });
        }
        if let Some(relevant) = self.memory.relevant(&key).filter(|_| !exact) {
            return Ok(relevant);
        }
        let with_path = self.probes == 0;
        if let Some(flaw) = self.memory.failure(&key, mode.seek, &self.path, with_path) {
            return Err(flaw);
        }
        if self.is_late() {
            return self.flaw(FlawKind::OutOfTime);
        }
        if self.visits >= self.max_visits {
            return self.flaw(FlawKind::Unfinished);
        }
        self.visits += 1;
        // If there is a base, moves known for all stones were tried before.
        let tree = mode.base.map_or(canonical, |base| self.board.canonical(&base));
        let mut found = self.follow_any(&tree, mode).map(|(_, win)| win);
        if found.is_err() {
            let fours = self.probe(|own| own.vcf(own.fours, mode.extra_stones));
            found = fours.map(|(_, win)| win).or(found);
        }
        if found.is_err() && mode.seek {
            let suggested = self.answers.suggest(&self.board);
            found = self.follow_found(&canonical, mode, suggested).or(found);
        }
        if found.is_err() && mode.seek {
            let sought = self.answers.seek(&self.board, mode.extra_stones);
            found = self.follow_found(&canonical, mode, sought).or(found);
        }
        match &found {
            Ok(win) if exact => self.memory.note_proven(&canonical, win.length),
            Ok(win) => self.memory.note_relevant(key, win),
            Err(flaw) => {
                let before = with_path.then_some(self.path.len());
                self.memory.note_failure(key, mode.seek, flaw, before);
            }
        }
        found
    }

    /// As `check_attack`, but if there is a base, moves known for all stones on the board come
    /// first and are checked without the base. They were found that way, and remembered
    /// results must not depend on how a position was reached.
    fn check_attack_known(&mut self, mode: Mode) -> Result<Win<M>, Flaw> {
        if mode.base.is_some() && mode.fours.is_none() {
            let canonical = self.board.canonical(&self.board.keys());
            if !self.answers.known(&self.board, &canonical).is_empty()
                && let Ok(win) = self.check_attack(Mode { base: None, ..mode })
            {
                return Ok(win);
            }
        }
        self.check_attack(mode)
    }

    /// Finds a win by at most `fours` fours without the tree, which need not store such short
    /// endings.
    fn vcf(&mut self, fours: usize, extra_stones: usize) -> Result<(Cell, Win<M>), Flaw> {
        if fours == 0 {
            return self.flaw(FlawKind::NoMove);
        }
        let threats = self.board.wins(!self.attacker);
        let mode = Mode { base: None, extra_stones, seek: false, fours: Some(fours - 1) };
        // The last four must leave two fives, unless its answer may be a foul.
        let fouls = self.board.setup().rule.card().fouls[(!self.attacker).index()].any();
        let all = self.board.fours(self.attacker, fours == 1 && !fouls);
        let candidates = match threats[..] {
            [] => all,
            [five] => [five].into_iter().filter(|&five| all.contains(five)).collect(),
            _ => CellSet::EMPTY,
        };
        let found = candidates.iter().find_map(|cell| Some((cell, self.follow(cell, mode).ok()?)));
        found.map_or_else(|| self.flaw(FlawKind::NoMove), Ok)
    }

    /// Tries the moves of a canonical key until one wins, and notes that it was needed.
    fn follow_any(&mut self, canonical: &CanonicalKey, mode: Mode) -> Result<(Cell, Win<M>), Flaw> {
        let mut outcome = self.flaw(FlawKind::NoMove);
        for image in self.answers.known(&self.board, canonical) {
            let m = self.board.from_image(canonical, image);
            outcome = self.follow(m, mode).map(|win| (m, win));
            if outcome.is_ok() {
                let stones = self.board.stones().iter();
                let own = stones.filter(|&&(_, stone)| stone == Stone::Of(self.attacker)).count();
                self.needed.entry((canonical.key(), image)).or_insert(own as u16 + 1);
                break;
            }
        }
        outcome
    }

    /// Tries a move that was not known.
    fn follow_found(
        &mut self,
        canonical: &CanonicalKey,
        mode: Mode,
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
        let outcome = self.follow(m, Mode { base: None, ..mode });
        match outcome {
            Ok(_) => self.answers.confirm(canonical, image),
            Err(_) => self.answers.unlearn(canonical, image),
        }
        outcome
    }

    /// Plays a move of the attacker and checks that it wins.
    fn follow(&mut self, m: Cell, mode: Mode) -> Result<Win<M>, Flaw> {
        self.path.push(Some(m));
        let outcome = self.check_move(m, mode);
        self.path.pop();
        outcome
    }

    fn check_move(&mut self, m: Cell, mode: Mode) -> Result<Win<M>, Flaw> {
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
        let base = mode.base.map(|base| self.board.toggled(base, m, self.attacker));
        let outcome = self.check_defence(Mode { base, ..mode }, None);
        self.board.take_back();
        outcome.map(|win| win.with(&relevant).after(1))
    }

    /// Returns the attacker's win against irrelevant replies of the defender, who is to move,
    /// and the cells where a reply needs an answer: all if `None`.
    fn needed_replies(&mut self, mode: Mode) -> Result<(Win<M>, Option<CellSet>), Flaw> {
        let defender = !self.attacker;
        if let Some(&five) = self.board.wins(defender).first() {
            return self.flaw(FlawKind::DefenderWins(five));
        }
        let mut win = Win::default();
        if mode.extra_stones > 0 {
            win.relevant = self.board.gaps(defender, 4usize.saturating_sub(mode.extra_stones));
        }
        let fives = self.board.wins(self.attacker);
        let needed = if fives.is_empty() && mode.fours.is_some() {
            return self.flaw(FlawKind::NoMove);
        } else if fives.is_empty() {
            self.check_pass(mode).map(|against_pass| {
                let all = self.board.empty().difference(&against_pass.relevant).is_empty();
                win.length = if all { M::default() } else { against_pass.after(1).length };
                against_pass.relevant
            })
        } else {
            // A reply that leaves one of the fives possible loses to it.
            let around = fives.iter().map(|&five| self.board.around_win(self.attacker, five));
            let around: SmallVec<[CellSet; 4]> = around.collect();
            win = around.iter().fold(win.after(2), Win::with);
            around.into_iter().reduce(|a, b| a.intersection(&b))
        };
        Ok((win, needed.map(|needed| needed.intersection(self.board.empty()))))
    }

    /// Checks that the attacker wins with the defender to move. A reply without an answer is a
    /// flaw, unless `left` collects it.
    fn check_defence(
        &mut self,
        mode: Mode,
        mut left: Option<&mut Vec<Cell>>,
    ) -> Result<Win<M>, Flaw> {
        let (win, needed) = self.needed_replies(mode)?;
        let any = needed.is_none();
        let needed = needed.unwrap_or(*self.board.empty());
        let mut win = win.with(&needed);
        let mut answered = 0;
        for reply in needed.iter() {
            match self.check_reply(reply, mode) {
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

    /// Returns the attacker's win if the defender passes.
    fn check_pass(&mut self, mode: Mode) -> Option<Win<M>> {
        if mode.extra_stones >= MAX_EXTRA_STONES {
            return None;
        }
        self.path.push(None);
        let mode = Mode { extra_stones: mode.extra_stones + 1, ..mode };
        let outcome = self.probe(|own| own.check_attack_known(mode));
        self.path.pop();
        outcome.ok()
    }

    /// Checks a reply of the defender.
    fn check_reply(&mut self, reply: Cell, mode: Mode) -> Result<Reply<M>, Flaw> {
        let defender = !self.attacker;
        let (foul, relevant) = self.reply_fouls(reply);
        if foul {
            return Ok(Reply::Foul(relevant));
        }
        let before = self.board.keys();
        let with = mode.base.map(|base| self.board.toggled(base, reply, defender));
        // The base without the reply, tried if nothing else is known.
        let without = Some(mode.base.unwrap_or(before));
        if self.board.place(reply, defender).is_err() {
            return self.flaw(FlawKind::Occupied(reply));
        }
        self.path.push(Some(reply));
        let mut outcome = self.check_attack_known(Mode { base: with, seek: false, ..mode });
        if outcome.is_err() && mode.fours.is_none() {
            outcome = self.check_attack(Mode { base: without, seek: false, ..mode });
        }
        if outcome.is_err() && mode.seek {
            outcome = self.check_attack(Mode { base: None, ..mode });
        }
        self.path.pop();
        self.board.take_back();
        outcome.map(|win| Reply::Answered(win.with(&relevant)))
    }
}
