//! The longest line of a tree: the defender chooses what takes longest, the attacker plays
//! by the tree.
//!
//! It is read from what the checker remembers of the positions it has checked, which are
//! visited again in the same order. Where the derivation has a pass of the defender, the line
//! has a stone on some cell that is not a relevance cell. The board does not get that stone,
//! as it had none when the pass was checked.

use super::win::{Measure, Plies, Reply};
use super::{Answers, Checker, MOST_EXTRA_STONES, Way};
use crate::flaw::{Flaw, FlawKind};
use goren_core::rules::Setup;
use goren_core::types::{Cell, CellSet, Color};

/// A ply of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LinePly {
    /// Where the stone lies.
    pub cell: Cell,
    /// Whether it is the defender's and would change nothing on many other cells.
    pub anywhere: bool,
}

/// A move of the attacker.
enum Attack {
    Five(Cell),
    /// Any other, and how the position behind it is gone through.
    Move(Cell, Way),
}

/// A choice of the defender, and how the position behind it is gone through.
#[derive(Copy, Clone)]
struct Choice {
    length: Plies,
    reply: LinePly,
    /// The game goes on, unless the reply is a foul.
    next: Option<Way>,
}

impl<A: Answers> Checker<A, Plies> {
    /// For a game from the empty board on, where lengths of wins are wanted.
    pub fn measuring(setup: Setup, attacker: Color, answers: A) -> Checker<A, Plies> {
        Checker::begun(setup, attacker, answers)
    }

    /// The longest line behind one reply, or from the position on: the plies, from the reply
    /// on, to the attacker's five. [`Checker::answer`] or [`Checker::attack`] must have held
    /// before; the answers are closed, as the line may look at positions that the check
    /// passed over.
    ///
    /// # Errors
    /// The attacker does not win.
    pub fn longest_line(&mut self, reply: Option<Cell>) -> Result<Vec<LinePly>, Flaw> {
        self.begin();
        self.answers.close();
        self.unasked += 1;
        let stones = self.board.stones().len();
        let line = self.line(reply);
        self.unasked -= 1;
        while self.board.stones().len() > stones {
            self.board.take_back();
        }
        line
    }

    fn line(&mut self, reply: Option<Cell>) -> Result<Vec<LinePly>, Flaw> {
        let (mut line, mut aside) = (Vec::new(), CellSet::EMPTY);
        let mut way = Way::plain(false);
        if let Some(reply) = reply {
            let found = self.choice(reply, way).or_else(|flaw| {
                // As in `answer`: it changes nothing of the win against a pass.
                let (next, win) = self.passing(way).ok_or(flaw)?;
                let reply = LinePly { cell: reply, anywhere: true };
                Ok(Choice { length: win.length.after(1), reply, next: Some(next) })
            })?;
            let Some(next) = self.take(found, &mut line, &mut aside) else { return Ok(line) };
            way = next;
        }
        loop {
            let (m, behind) = match self.next_move(way, &aside)? {
                Attack::Five(five) => {
                    line.push(LinePly { cell: five, anywhere: false });
                    return Ok(line);
                }
                Attack::Move(m, behind) => (m, behind),
            };
            line.push(LinePly { cell: m, anywhere: false });
            if self.board.place(m, self.attacker).is_err() {
                return self.flaw(FlawKind::Occupied(m));
            }
            let longest = self.longest_reply(behind, &aside)?;
            let Some(next) = self.take(longest, &mut line, &mut aside) else { return Ok(line) };
            way = next;
        }
    }

    /// Plays a choice of the defender; how it goes on, unless it was a foul.
    fn take(
        &mut self,
        choice: Choice,
        line: &mut Vec<LinePly>,
        aside: &mut CellSet,
    ) -> Option<Way> {
        let LinePly { cell, anywhere } = choice.reply;
        line.push(choice.reply);
        let next = choice.next?;
        if anywhere {
            aside.insert(cell);
        } else {
            // It was placed there before, when it was tried.
            self.board.place(cell, !self.attacker).ok()?;
        }
        Some(next)
    }

    /// The attacker's move in a position that was gone through in this way.
    fn next_move(&mut self, way: Way, aside: &CellSet) -> Result<Attack, Flaw> {
        let free = |five: &&Cell| {
            self.board.around_win(self.attacker, **five).intersection(aside).is_empty()
        };
        let fives = self.board.wins(self.attacker);
        if let Some(&five) = fives.iter().find(free).or(fives.first()) {
            return Ok(Attack::Five(five));
        }
        let behind = |own: &Self, m, way: Way| {
            let base = way.base.map(|base| own.board.toggled(base, m, own.attacker));
            Attack::Move(m, Way { base, ..way })
        };
        if let Some(fours) = way.fours {
            let (m, _) = self.vcf(fours, way.extra_stones)?;
            return Ok(behind(self, m, Way { fours: Some(fours - 1), ..way }));
        }
        let canonical = self.board.canonical(&self.board.keys());
        let known = way.extra_stones == 0 && self.memory.proven(&canonical).is_some();
        let way = if known { Way { base: None, ..way } } else { way };
        let tree = way.base.map_or(canonical, |base| self.board.canonical(&base));
        if let Ok((m, _)) = self.follow_any(&tree, way) {
            return Ok(behind(self, m, way));
        }
        let (m, _) = self.vcf(self.fours, way.extra_stones)?;
        Ok(behind(self, m, Way { base: None, fours: Some(self.fours - 1), ..way }))
    }

    /// What the defender, to move, does to lose as late as can be.
    fn longest_reply(&mut self, way: Way, aside: &CellSet) -> Result<Choice, Flaw> {
        let fives = self.board.wins(self.attacker);
        let around = fives.iter().map(|&five| self.board.around_win(self.attacker, five));
        let around = around.fold(CellSet::EMPTY, |all, set| all.union(&set));
        let (_, needed) = self.needed(way)?;
        let passing =
            if fives.is_empty() && way.fours.is_none() { self.passing(way) } else { None };
        // Off all that matters: against a pass, or where a five stands open.
        let (matters, off) = match passing {
            Some((next, win)) => (win.relevant, Some((next, win.length.after(1)))),
            None => (around, (!fives.is_empty()).then_some((way, Plies(2)))),
        };
        let all = *self.board.empty();
        let needed = needed.unwrap_or(all);
        let free = |cells: &CellSet| all.difference(cells).difference(aside).first();
        let mut best: Option<Choice> = off.and_then(|(next, length)| {
            // On a full board one of two fives is all that is left to take.
            let cell = free(&matters).or_else(|| free(&needed))?;
            Some(Choice { length, reply: LinePly { cell, anywhere: true }, next: Some(next) })
        });
        for cell in needed.iter() {
            let choice = self.choice(cell, way)?;
            if best.is_none_or(|best| best.length < choice.length) {
                best = Some(choice);
            }
        }
        best.map_or_else(|| self.flaw(FlawKind::Draw), Ok)
    }

    /// One reply of the defender, and how the position behind it was gone through.
    fn choice(&mut self, cell: Cell, way: Way) -> Result<Choice, Flaw> {
        let reply = LinePly { cell, anywhere: false };
        let length = match self.replied(cell, way)? {
            Reply::Foul(_) => return Ok(Choice { length: Plies(1), reply, next: None }),
            Reply::Answered(win) => win.length.after(1),
        };
        let defender = !self.attacker;
        let without = Some(way.base.unwrap_or(self.board.keys()));
        let with = way.base.map(|base| self.board.toggled(base, cell, defender));
        if self.board.place(cell, defender).is_err() {
            return self.flaw(FlawKind::Occupied(cell));
        }
        let with = Way { base: with, seek: false, ..way };
        let next = self.resolved(with).unwrap_or(Way { base: without, ..with });
        self.board.take_back();
        Ok(Choice { length, reply, next: Some(next) })
    }

    /// The win against a pass, and how it is gone through.
    fn passing(&mut self, way: Way) -> Option<(Way, super::Win<Plies>)> {
        if way.extra_stones >= MOST_EXTRA_STONES {
            return None;
        }
        let win = self.passed(way)?;
        let next = self.resolved(Way { extra_stones: way.extra_stones + 1, ..way })?;
        Some((next, win))
    }

    /// How a position was gone through in which moves known for all stones come first
    /// (`attacked_if_known`); nothing if it is not won so.
    fn resolved(&mut self, way: Way) -> Option<Way> {
        if way.base.is_some() && way.fours.is_none() {
            let canonical = self.board.canonical(&self.board.keys());
            let plain = Way { base: None, ..way };
            if !self.answers.known(&self.board, &canonical).is_empty()
                && self.attacked(plain).is_ok()
            {
                return Some(plain);
            }
        }
        self.attacked(way).is_ok().then_some(way)
    }
}
