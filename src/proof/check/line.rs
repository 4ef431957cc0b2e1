//! The longest line of a tree: the defender chooses what takes longest, the attacker plays
//! by the tree.
//!
//! It comes from the results in the checker's memory, for which the positions are visited
//! again in the same order. Where the derivation has a pass of the defender, the line has a
//! stone on some cell that is no relevance cell. That stone is not placed on the board, as the
//! pass was checked without a stone.

use super::win::{Measure, Plies, Reply};
use super::{Answers, Checker, MAX_EXTRA_STONES, Mode};
use crate::flaw::{Flaw, FlawKind};
use goren_core::rules::Setup;
use goren_core::types::{Cell, CellSet, Color};

/// A ply of a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LinePly {
    /// Where the stone lies.
    pub cell: Cell,
    /// Whether it is a stone of the defender that could lie on many other cells as well.
    pub anywhere: bool,
}

/// A move of the attacker.
enum Attack {
    Five(Cell),
    /// Any other move, and the mode of the position after it.
    Move(Cell, Mode),
}

/// A reply of the defender, and the mode of the position after it.
#[derive(Copy, Clone)]
struct Choice {
    length: Plies,
    reply: LinePly,
    /// Mode of the position after the reply; `None` after a foul.
    next: Option<Mode>,
}

impl<A: Answers> Checker<A, Plies> {
    /// Creates a checker with an empty board that measures the lengths of wins.
    pub fn measuring(setup: Setup, attacker: Color, answers: A) -> Checker<A, Plies> {
        Checker::create(setup, attacker, answers)
    }

    /// Returns the longest line from the position on, or from a reply: the plies up to the
    /// attacker's five or the defender's foul, beginning with the reply. [`Checker::attack`] or
    /// [`Checker::answer`] must have succeeded before. Closes the answers, as the line may visit
    /// positions that the check skipped.
    ///
    /// # Errors
    /// The attacker does not win.
    pub fn longest_line(&mut self, reply: Option<Cell>) -> Result<Vec<LinePly>, Flaw> {
        self.begin();
        self.answers.close();
        self.probes += 1;
        let stones = self.board.stones().len();
        let line = self.line(reply);
        self.probes -= 1;
        while self.board.stones().len() > stones {
            self.board.take_back();
        }
        line
    }

    fn line(&mut self, reply: Option<Cell>) -> Result<Vec<LinePly>, Flaw> {
        let (mut line, mut unplaced) = (Vec::new(), CellSet::EMPTY);
        let mut mode = Mode::plain(false);
        if let Some(reply) = reply {
            let found = self.choice(reply, mode).or_else(|flaw| {
                // As in `answer`: the reply does not affect the win against a pass.
                let (next, win) = self.passing(mode).ok_or(flaw)?;
                let reply = LinePly { cell: reply, anywhere: true };
                Ok(Choice { length: win.length.after(1), reply, next: Some(next) })
            })?;
            let Some(next) = self.play_reply(found, &mut line, &mut unplaced) else {
                return Ok(line);
            };
            mode = next;
        }
        loop {
            let (m, after) = match self.next_move(mode, &unplaced)? {
                Attack::Five(five) => {
                    line.push(LinePly { cell: five, anywhere: false });
                    return Ok(line);
                }
                Attack::Move(m, after) => (m, after),
            };
            line.push(LinePly { cell: m, anywhere: false });
            if self.board.place(m, self.attacker).is_err() {
                return self.flaw(FlawKind::Occupied(m));
            }
            let longest = self.longest_reply(after, &unplaced)?;
            let Some(next) = self.play_reply(longest, &mut line, &mut unplaced) else {
                return Ok(line);
            };
            mode = next;
        }
    }

    /// Plays a reply of the defender; returns the mode of the position after it, unless it was a
    /// foul.
    fn play_reply(
        &mut self,
        choice: Choice,
        line: &mut Vec<LinePly>,
        unplaced: &mut CellSet,
    ) -> Option<Mode> {
        let LinePly { cell, anywhere } = choice.reply;
        line.push(choice.reply);
        let next = choice.next?;
        if anywhere {
            unplaced.insert(cell);
        } else {
            // `choice` has placed this stone before.
            self.board.place(cell, !self.attacker).ok()?;
        }
        Some(next)
    }

    /// Returns the attacker's move in a position that was checked in this mode.
    fn next_move(&mut self, mode: Mode, unplaced: &CellSet) -> Result<Attack, Flaw> {
        let free = |five: &&Cell| {
            self.board.around_win(self.attacker, **five).intersection(unplaced).is_empty()
        };
        let fives = self.board.wins(self.attacker);
        if let Some(&five) = fives.iter().find(free).or(fives.first()) {
            return Ok(Attack::Five(five));
        }
        let attack = |own: &Self, m, mode: Mode| {
            let base = mode.base.map(|base| own.board.toggled(base, m, own.attacker));
            Attack::Move(m, Mode { base, ..mode })
        };
        if let Some(fours) = mode.fours {
            let (m, _) = self.vcf(fours, mode.extra_stones)?;
            return Ok(attack(self, m, Mode { fours: Some(fours - 1), ..mode }));
        }
        let canonical = self.board.canonical(&self.board.keys());
        let known = mode.extra_stones == 0 && self.memory.proven(&canonical).is_some();
        let mode = if known { Mode { base: None, ..mode } } else { mode };
        let tree = mode.base.map_or(canonical, |base| self.board.canonical(&base));
        if let Ok((m, _)) = self.follow_any(&tree, mode) {
            return Ok(attack(self, m, mode));
        }
        let (m, _) = self.vcf(self.fours, mode.extra_stones)?;
        Ok(attack(self, m, Mode { base: None, fours: Some(self.fours - 1), ..mode }))
    }

    /// Returns the reply by which the defender, who is to move, loses as late as possible.
    fn longest_reply(&mut self, mode: Mode, unplaced: &CellSet) -> Result<Choice, Flaw> {
        let fives = self.board.wins(self.attacker);
        let around = fives.iter().map(|&five| self.board.around_win(self.attacker, five));
        let around = around.fold(CellSet::EMPTY, |all, set| all.union(&set));
        let (_, needed) = self.needed_replies(mode)?;
        let passing =
            if fives.is_empty() && mode.fours.is_none() { self.passing(mode) } else { None };
        // A stone off all cells that matter: as a pass, or if the attacker threatens a five.
        let (matters, off) = match passing {
            Some((next, win)) => (win.relevant, Some((next, win.length.after(1)))),
            None => (around, (!fives.is_empty()).then_some((mode, Plies(2)))),
        };
        let all = *self.board.empty();
        let needed = needed.unwrap_or(all);
        let free = |cells: &CellSet| all.difference(cells).difference(unplaced).first();
        let mut best: Option<Choice> = off.and_then(|(next, length)| {
            // On an almost full board only the cell of one of two fives may be left.
            let cell = free(&matters).or_else(|| free(&needed))?;
            Some(Choice { length, reply: LinePly { cell, anywhere: true }, next: Some(next) })
        });
        for cell in needed.iter() {
            let choice = self.choice(cell, mode)?;
            if best.is_none_or(|best| best.length < choice.length) {
                best = Some(choice);
            }
        }
        best.map_or_else(|| self.flaw(FlawKind::Draw), Ok)
    }

    /// Returns a reply of the defender with the mode in which the position after it was checked.
    fn choice(&mut self, cell: Cell, mode: Mode) -> Result<Choice, Flaw> {
        let reply = LinePly { cell, anywhere: false };
        let length = match self.check_reply(cell, mode)? {
            Reply::Foul(_) => return Ok(Choice { length: Plies(1), reply, next: None }),
            Reply::Answered(win) => win.length.after(1),
        };
        let defender = !self.attacker;
        let without = Some(mode.base.unwrap_or(self.board.keys()));
        let with = mode.base.map(|base| self.board.toggled(base, cell, defender));
        if self.board.place(cell, defender).is_err() {
            return self.flaw(FlawKind::Occupied(cell));
        }
        let with = Mode { base: with, seek: false, ..mode };
        let next = self.resolved(with).unwrap_or(Mode { base: without, ..with });
        self.board.take_back();
        Ok(Choice { length, reply, next: Some(next) })
    }

    /// Returns the win against a pass, and the mode in which it was checked.
    fn passing(&mut self, mode: Mode) -> Option<(Mode, super::Win<Plies>)> {
        if mode.extra_stones >= MAX_EXTRA_STONES {
            return None;
        }
        let win = self.check_pass(mode)?;
        let next = self.resolved(Mode { extra_stones: mode.extra_stones + 1, ..mode })?;
        Some((next, win))
    }

    /// Returns the mode in which `check_attack_known` proves the position; `None` if it does
    /// not.
    fn resolved(&mut self, mode: Mode) -> Option<Mode> {
        if mode.base.is_some() && mode.fours.is_none() {
            let canonical = self.board.canonical(&self.board.keys());
            let plain = Mode { base: None, ..mode };
            if !self.answers.known(&self.board, &canonical).is_empty()
                && self.check_attack(plain).is_ok()
            {
                return Some(plain);
            }
        }
        self.check_attack(mode).is_ok().then_some(mode)
    }
}
