//! Completes the PV of a proven result. The PV of a proven win often ends early, where
//! the search stopped at a static verdict, a table cutoff or a solver. The missing
//! moves are recovered from these sources, as far as that is cheap.

use crate::game::{GenType, MoveList, Position, ThreatLevel};
use crate::threat::{Meter, Verdict};
use crate::tt::{Bound, Table};
use goren_core::rules::Outcome;
use goren_core::types::{Color, Move, PROVEN, Score, plies_to_end};

/// Node limit of one call of the solver for a shortest VCF.
const SHORTEST_VCF_NODES: u64 = 500;

/// Completes the PV of a proven result towards the end of the game. It may stay incomplete, but
/// never gets longer than the distance in the score. The PV of any other score stays unchanged.
pub(super) fn completed<P: Position>(
    root: &P,
    table: &Table,
    pv: &[Move],
    score: Score,
    meter: &mut Meter<'_>,
) -> Vec<Move> {
    let mut pv = pv.to_vec();
    let Some(plies) = plies_to_end(score) else { return pv };
    let winner = if score > 0 { root.to_move() } else { !root.to_move() };
    let mut completion = Completion { position: root.clone(), table, winner, meter };
    for &m in &pv {
        if !completion.make(m) {
            return pv;
        }
    }
    while pv.len() < plies && completion.position.outcome().is_none() {
        if completion.position.to_move() == winner
            && let Some(rest) = completion.shortest_vcf()
            && pv.len() + rest.len() <= plies
        {
            pv.extend(rest);
            break;
        }
        let left = plies - pv.len();
        let Some(m) = completion.next(left).filter(|&m| completion.make(m)) else { break };
        pv.push(m);
    }
    pv
}

/// The position at the end of the PV so far. Its functions count plies from that position to the
/// end of the game.
struct Completion<'a, 'm, P> {
    position: P,
    table: &'a Table,
    winner: Color,
    meter: &'a mut Meter<'m>,
}

impl<P: Position> Completion<'_, '_, P> {
    /// Plays a move. Returns false if it is illegal, the game is over, or the meter is spent.
    fn make(&mut self, m: Move) -> bool {
        let legal = self.position.outcome().is_none()
            && self.position.is_pseudo_legal(m)
            && self.position.is_legal(m)
            && self.meter.spend();
        if legal {
            self.position.make(m);
        }
        legal
    }

    /// Returns the moves of the winner's shortest VCF, if the solver finds one.
    fn shortest_vcf(&mut self) -> Option<Vec<Move>> {
        let mut meter = self.meter.part(SHORTEST_VCF_NODES);
        let vcf = self.position.shortest(&mut meter);
        self.meter.charge(&meter);
        vcf
    }

    /// Returns the next move of the PV, if its result is known and takes at most `left` plies: the
    /// table move, or else the winner's shortest win or the loser's longest defence among the
    /// generated moves.
    fn next(&mut self, left: usize) -> Option<Move> {
        let wins = self.position.to_move() == self.winner;
        // The table move may be from an older entry than the score: check it.
        if let Some((best, _)) = self.table_result()
            && best.is_some()
            && self.plies_after(best, wins).is_some_and(|plies| plies <= left)
        {
            return Some(best);
        }
        let quiet = wins && self.position.threat_level() == ThreatLevel::None;
        let gen_types = [Some(GenType::Main), quiet.then_some(GenType::Threats)];
        let mut found =
            gen_types.into_iter().flatten().filter_map(|gen_type| self.best(gen_type, wins));
        found.find(|&(_, plies)| plies <= left).map(|(m, _)| m)
    }

    /// Plies to the end if `m` is played, `m` included, if its result is known. `wins`:
    /// the winner plays it.
    fn plies_after(&mut self, m: Move, wins: bool) -> Option<usize> {
        if !self.make(m) {
            return None;
        }
        let plies = self.plies(wins);
        self.position.unmake();
        Some(plies? + 1)
    }

    /// Returns the best of the generated moves whose result is known, and the plies to the end.
    fn best(&mut self, gen_type: GenType, wins: bool) -> Option<(Move, usize)> {
        let mut list = MoveList::new();
        self.position.moves(gen_type, &mut list);
        list.sort_unstable_by_key(|entry| (-entry.score, entry.m));
        let mut best: Option<(Move, usize)> = None;
        for entry in &list {
            let Some(plies) = self.plies_after(entry.m, wins) else { continue };
            let better =
                best.is_none_or(|(_, other)| if wins { plies < other } else { plies > other });
            if better {
                best = Some((entry.m, plies));
            }
        }
        best
    }

    /// Plies to the win, if it is known. With `try_replies`, also tries all replies of the
    /// loser to a threat.
    fn plies(&mut self, try_replies: bool) -> Option<usize> {
        match self.position.outcome() {
            Some(Outcome::Win(color)) if color == self.winner => return Some(0),
            Some(_) => return None,
            None => {}
        }
        let wins = self.position.to_move() == self.winner;
        match self.position.verdict() {
            Verdict::Win(plies) => return wins.then_some(plies),
            Verdict::Loss(plies) => return (!wins).then_some(plies),
            Verdict::Unknown => {}
        }
        if let Some((_, plies)) = self.table_result() {
            return Some(plies);
        }
        if wins {
            return self.shortest_vcf().map(|vcf| vcf.len());
        }
        if !try_replies || self.position.threat_level() == ThreatLevel::None {
            return None;
        }
        self.longest()
    }

    /// Plies to the end with the longest defence against a threat, if all defences are
    /// known to lose.
    fn longest(&mut self) -> Option<usize> {
        let mut list = MoveList::new();
        self.position.moves(GenType::Main, &mut list);
        let mut longest = None;
        for entry in &list {
            if self.position.is_legal(entry.m) {
                longest = longest.max(Some(self.plies_after(entry.m, false)?));
            }
        }
        longest
    }

    /// Returns table move and plies to the end, if the table entry proves the win of the winner.
    fn table_result(&self) -> Option<(Move, usize)> {
        let entry = self.table.probe(self.position.key())?;
        let wins = self.position.to_move() == self.winner;
        let proven = match entry.bound {
            Bound::Exact => {
                if wins {
                    entry.score >= PROVEN
                } else {
                    entry.score <= -PROVEN
                }
            }
            Bound::Lower => wins && entry.score >= PROVEN,
            Bound::Upper => !wins && entry.score <= -PROVEN,
            Bound::None => false,
        };
        let plies = plies_to_end(entry.score).filter(|_| proven)?;
        Some((entry.best, plies))
    }
}

#[cfg(test)]
#[path = "pv_completion_tests.rs"]
mod tests;
