//! Totals over the games of a match: of the match, of each engine, of each pairing.

use std::collections::BTreeMap;

use super::game::GameFault;
use super::line::MatchRecord;
use super::schedule::Schedule;
use crate::stats::{Encounter, Pentanomial, Sprt, SprtVerdict};
use goren_core::opening::Seat;
use goren_core::record::Ending;
use goren_core::rules::Outcome;
use goren_core::types::Color;

/// Wins, losses and draws.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Wdl {
    pub(super) wins: u64,
    pub(super) losses: u64,
    pub(super) draws: u64,
}

impl Wdl {
    fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Share of the points, 0 to 1; `None` without games.
    pub(super) fn score(&self) -> Option<f64> {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        (self.games() > 0).then(|| points / self.games() as f64)
    }
}

/// Games between two engines, from the point of view of the first.
#[derive(Clone, Debug)]
pub(super) struct Meeting {
    /// Numbers of the two engines.
    pub(super) engines: [usize; 2],
    /// Results of the first engine in each seat.
    pub(super) by_seat: [Wdl; 2],
    /// Results of complete pairs of games.
    pub(super) pentanomial: Pentanomial,
    /// Half points of the first engine by the number of the pair, without the pairs before
    /// the first incomplete one.
    open: BTreeMap<u64, Vec<usize>>,
    /// Half points of the complete pairs before the first incomplete one, in schedule order.
    in_order: Vec<usize>,
}

impl Meeting {
    fn new(engines: [usize; 2]) -> Meeting {
        Meeting {
            engines,
            by_seat: Default::default(),
            pentanomial: Pentanomial::default(),
            open: BTreeMap::new(),
            in_order: Vec::new(),
        }
    }

    fn add(&mut self, pair: u64, line: &MatchRecord) {
        let half_points = line.half_points(self.engines[0]);
        let seat = usize::from(line.players[0] != self.engines[0]);
        self.by_seat[seat].add(half_points);
        let games = self.open.entry(pair).or_default();
        games.push(half_points);
        if games.len() == 2 {
            self.pentanomial.add(games.iter().sum());
        }
        while let Some(entry) = self.open.first_entry()
            && *entry.key() == self.in_order.len() as u64
            && entry.get().len() == 2
        {
            self.in_order.push(entry.remove().iter().sum());
        }
    }

    /// Half points of complete pairs in the order of the schedule, up to the first
    /// incomplete pair.
    pub(super) fn in_order(&self) -> &[usize] {
        &self.in_order
    }

    pub(super) fn total(&self) -> Wdl {
        let [a, b] = self.by_seat;
        Wdl { wins: a.wins + b.wins, losses: a.losses + b.losses, draws: a.draws + b.draws }
    }
}

/// Totals of an engine over its games, its last fault and its last complaint.
#[derive(Clone, Default, Debug)]
pub(super) struct EngineTotals {
    pub(super) games: u64,
    pub(super) moves: u64,
    pub(super) time_us: u64,
    pub(super) longest_us: u64,
    /// Moves with a reported depth, and the sum of these depths.
    pub(super) depths: (u64, u64),
    /// Moves with reported nodes, and their sum.
    pub(super) nodes: (u64, u64),
    /// Peak memory in bytes; `None` if unknown in all games.
    pub(super) memory: Option<u64>,
    /// Games in which the engine exceeded its memory limit.
    pub(super) over_memory: u64,
    /// Games lost by each kind of fault, in the order of [`GameFault::ALL`].
    pub(super) faults: [u64; GameFault::ALL.len()],
    /// Description of the last fault.
    pub(super) last_fault: Option<String>,
    /// Last complaint of the engine.
    pub(super) complaint: Option<String>,
}

/// A sequential test of the first two engines over pairs in the order of the
/// schedule. A pair counts once all pairs before it are complete, so that neither the length
/// of games nor the number of threads matters.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) sprt: Sprt,
    pairs: Pentanomial,
    counted: usize,
    /// The verdict, which is final, and the number of pairs it took.
    pub(super) verdict: Option<(SprtVerdict, usize)>,
}

impl Test {
    fn count_new(&mut self, in_order: &[usize]) {
        for &half_points in &in_order[self.counted..] {
            if self.verdict.is_some() {
                return;
            }
            self.pairs.add(half_points);
            self.counted += 1;
            match self.sprt.verdict(&self.pairs) {
                SprtVerdict::Open => {}
                verdict => self.verdict = Some((verdict, self.counted)),
            }
        }
    }

    /// Log-likelihood ratio over the counted pairs: up to the verdict, if there is one.
    pub(super) fn llr(&self) -> f64 {
        self.sprt.llr(&self.pairs)
    }
}

/// Totals of a whole match.
#[derive(Clone, Debug)]
pub(super) struct MatchTotals {
    pub(super) meetings: Vec<Meeting>,
    pub(super) engines: Vec<EngineTotals>,
    /// Games won by the seat that acts first, by the other, and drawn.
    pub(super) seats: Wdl,
    /// Games won by who had Black at the end, by White, and drawn.
    pub(super) colors: Wdl,
    pub(super) games: u64,
    pub(super) moves: u64,
    pub(super) overhead_us: u64,
    pub(super) test: Option<Test>,
}

impl MatchTotals {
    pub(super) fn new(engines: usize, schedule: &Schedule, sprt: Option<Sprt>) -> MatchTotals {
        let test = |sprt| Test { sprt, pairs: Pentanomial::default(), counted: 0, verdict: None };
        MatchTotals {
            meetings: schedule.pairings().iter().map(|&engines| Meeting::new(engines)).collect(),
            engines: vec![EngineTotals::default(); engines],
            seats: Wdl::default(),
            colors: Wdl::default(),
            games: 0,
            moves: 0,
            overhead_us: 0,
            test: sprt.map(test),
        }
    }

    /// Counts a game of the schedule.
    pub(super) fn add(&mut self, line: &MatchRecord, schedule: &Schedule) {
        let slot = schedule.endless(line.game);
        self.games += 1;
        self.overhead_us += line.overhead_us;
        let half_points = |first: bool| 2 * usize::from(first);
        self.seats.add(match line.record.ending {
            Some(Ending::Win(seat)) => half_points(seat == Seat::First),
            Some(Ending::Draw) | None => 1,
        });
        self.colors.add(match line.record.result() {
            Some(Outcome::Win(color)) => half_points(color == Color::Black),
            Some(Outcome::Draw) | None => 1,
        });
        self.meetings[slot.pairing].add(slot.pair, line);
        if let Some(test) = &mut self.test {
            test.count_new(self.meetings[0].in_order());
        }
        for (side, &engine) in line.sides.iter().zip(&line.players) {
            let engine = &mut self.engines[engine];
            engine.games += 1;
            engine.time_us += side.time_us;
            engine.longest_us = engine.longest_us.max(side.longest_us);
            engine.memory = engine.memory.max(side.memory);
            engine.over_memory += u64::from(side.over_memory);
            if side.complaint.is_some() {
                engine.complaint.clone_from(&side.complaint);
            }
        }
        let first = line.record.opening.len();
        for (i, m) in line.record.plies.iter().enumerate() {
            let engine = &mut self.engines[line.players[(first + i) % 2]];
            self.moves += 1;
            engine.moves += 1;
            let note = |(count, sum): &mut (u64, u64), value: u64| {
                *count += u64::from(value > 0);
                *sum += value;
            };
            note(&mut engine.depths, m.stats.depth.into());
            note(&mut engine.nodes, m.stats.nodes);
        }
        if let Some((seat, fault, words)) = &line.fault {
            let engine = &mut self.engines[line.players[seat.index()]];
            engine.last_fault = Some(format!("{}: {words} (game {})", fault.name(), line.game));
            if let Some(at) = GameFault::ALL.iter().position(|kind| kind == fault) {
                engine.faults[at] += 1;
            }
        }
    }

    /// Results of each pairing, for ratings.
    pub(super) fn encounters(&self) -> Vec<Encounter> {
        let encounter = |meeting: &Meeting| {
            let Wdl { wins, losses, draws } = meeting.total();
            Encounter { engines: meeting.engines, wins: [wins, losses], draws }
        };
        self.meetings.iter().map(encounter).collect()
    }

    /// Whether a sequential test has a verdict.
    pub(super) fn decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.verdict.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::tests::line;
    use super::super::schedule::{OpeningOrder, Tournament};
    use super::*;

    fn schedule() -> Schedule {
        Schedule::new(2, Tournament::RoundRobin, 5, OpeningOrder::File, 1, None)
    }

    /// Game `game`, in which the engine of this number wins.
    fn won(game: u64, winner: usize) -> MatchRecord {
        let players = schedule().endless(game).players;
        let seat = Seat::ALL[usize::from(players[0] != winner)];
        line(game, players, Ending::Win(seat))
    }

    #[test]
    fn pairs_count_when_complete_whatever_the_order_of_games() {
        let mut totals = MatchTotals::new(2, &schedule(), None);
        // Pair 1 is complete before pair 0.
        for (game, winner) in [(2, 0), (3, 0), (1, 1)] {
            totals.add(&won(game, winner), &schedule());
        }
        let meeting = &totals.meetings[0];
        assert_eq!(meeting.pentanomial.0, [0, 0, 0, 0, 1]);
        assert_eq!(meeting.in_order(), &[] as &[usize]);
        totals.add(&line(0, [0, 1], Ending::Draw), &schedule());
        let meeting = &totals.meetings[0];
        assert_eq!(meeting.pentanomial.0, [0, 1, 0, 0, 1]);
        assert_eq!(meeting.in_order(), [1, 4]);
        assert_eq!(meeting.total(), Wdl { wins: 2, losses: 1, draws: 1 });
        assert_eq!(meeting.by_seat[0], Wdl { wins: 1, losses: 0, draws: 1 });
        assert_eq!(meeting.by_seat[1], Wdl { wins: 1, losses: 1, draws: 0 });
        assert_eq!(totals.encounters()[0].wins, [2, 1]);
        assert_eq!((totals.games, totals.moves, totals.colors.draws), (4, 4, 1));
    }

    #[test]
    fn faults_and_statistics_belong_to_the_engine_not_the_seat() {
        let mut totals = MatchTotals::new(2, &schedule(), None);
        for game in 0..2 {
            totals.add(&won(game, 0), &schedule());
        }
        // White of each game was late: engine 1, then engine 0.
        let late = GameFault::ALL.iter().position(|&fault| fault == GameFault::Overtime).unwrap();
        assert_eq!([0, 1].map(|i: usize| totals.engines[i].faults[late]), [1, 1]);
        assert_eq!(totals.engines[1].last_fault.as_deref(), Some("overtime: took é (game 0)"));
        let engine = &totals.engines[0];
        // Two stones of opening: Black moves, with depth 9.
        assert_eq!((engine.moves, engine.depths, engine.games), (1, (1, 9), 2));
        assert_eq!((engine.memory, engine.over_memory, engine.longest_us), (Some(1 << 20), 1, 4));
    }

    #[test]
    fn the_verdict_is_final_and_independent_of_the_order_of_games() {
        let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
        let all_won = |games: &[u64]| {
            let mut totals = MatchTotals::new(2, &schedule(), Some(sprt));
            games.iter().for_each(|&game| totals.add(&won(game, 0), &schedule()));
            totals
        };
        let forth: Vec<u64> = (0..400).collect();
        let back: Vec<u64> = (0..400).rev().collect();
        let [forth, back] = [forth, back].map(|games| all_won(&games).test.unwrap().verdict);
        assert!(matches!(forth, Some((SprtVerdict::H1, 1..=100))), "{forth:?}");
        assert_eq!(forth, back);
        // Without the first game no pair counts.
        let missing: Vec<u64> = (1..400).collect();
        let mut totals = all_won(&missing);
        assert!(!totals.decided());
        totals.add(&won(0, 1), &schedule());
        assert!(totals.decided());
        // Later losses change nothing.
        let decided = totals.test.clone().unwrap().verdict;
        (400..2000).for_each(|game| totals.add(&won(game, 1), &schedule()));
        assert_eq!(totals.test.unwrap().verdict, decided);
    }
}
