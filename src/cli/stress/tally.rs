//! Results of many games: counts and delays of answers.

use std::fmt::Write;
use std::time::Duration;

use super::fault::FaultKind;
use goren_notation::words::plural;

/// Classes of limits, by their upper ends in milliseconds.
const CLASSES: [(u64, &str); 6] = [
    (0, "at once"),
    (10, "1-10 ms"),
    (30, "11-30 ms"),
    (100, "31-100 ms"),
    (300, "101-300 ms"),
    (u64::MAX, "above"),
];

/// Time of a move and its limit.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Timing {
    pub(super) limit: Duration,
    /// Time from the question to the answer, less the time frozen.
    pub(super) took: Duration,
    /// Time that the threads waited for a core, if the system reports it.
    pub(super) waited: Duration,
    /// Whether the engine was frozen meanwhile.
    pub(super) frozen: bool,
    /// Whether the engine was told to hurry meanwhile.
    pub(super) hurried: bool,
}

impl Timing {
    fn late(&self) -> Duration {
        self.took.saturating_sub(self.limit)
    }

    /// The delay without the waits for a core.
    fn own(&self) -> Duration {
        self.late().saturating_sub(self.waited)
    }
}

/// Counts over games.
#[derive(Clone, Default, Debug)]
pub(super) struct StressTotals {
    pub(super) games: u64,
    /// Games that ended by the rules.
    pub(super) ended: u64,
    pub(super) moves: u64,
    pub(super) processes: u64,
    pub(super) frozen_idle: u64,
    pub(super) frozen_thinking: u64,
    pub(super) hurried: u64,
    pub(super) taken_back: u64,
    pub(super) infos: u64,
    pub(super) malformed: u64,
    /// Answers to SWAP2BOARD.
    pub(super) openings: u64,
    /// Moves in games that continued after a win.
    pub(super) after_wins: u64,
    pub(super) faults: Vec<(FaultKind, u64)>,
    timings: Vec<Timing>,
}

impl StressTotals {
    pub(super) fn note(&mut self, timing: Timing) {
        self.moves += 1;
        self.frozen_thinking += u64::from(timing.frozen);
        self.hurried += u64::from(timing.hurried);
        self.timings.push(timing);
    }

    pub(super) fn add(&mut self, other: StressTotals) {
        self.games += other.games;
        self.ended += other.ended;
        self.moves += other.moves;
        self.processes += other.processes;
        self.frozen_idle += other.frozen_idle;
        self.frozen_thinking += other.frozen_thinking;
        self.hurried += other.hurried;
        self.taken_back += other.taken_back;
        self.infos += other.infos;
        self.malformed += other.malformed;
        self.openings += other.openings;
        self.after_wins += other.after_wins;
        self.faults.extend(other.faults);
        self.timings.extend(other.timings);
    }

    /// Formats the report.
    pub(super) fn text(&self, tolerance: Duration) -> String {
        let mut text = String::new();
        let verdict = match self.faults.len() {
            0 => "no faults".to_owned(),
            faults => plural(faults, "fault", "faults"),
        };
        let games = plural(self.games, "game", "games");
        let _ = writeln!(text, "{games}: {verdict}");
        let _ = writeln!(
            text,
            "{games} ({} played to the end), {} of the engine, {}\n\
             frozen {} while waiting and {} while thinking, hurried {}; {}, {}, {} taken back\n\
             {} to SWAP2BOARD, {} after a win",
            self.ended,
            plural(self.moves, "move", "moves"),
            plural(self.processes, "process", "processes"),
            plural(self.frozen_idle, "time", "times"),
            self.frozen_thinking,
            plural(self.hurried, "time", "times"),
            plural(self.infos, "setting", "settings"),
            plural(self.malformed, "malformed line", "malformed lines"),
            plural(self.taken_back, "ply", "plies"),
            plural(self.openings, "answer", "answers"),
            plural(self.after_wins, "move", "moves"),
        );
        let _ = writeln!(
            text,
            "beyond the limit, in ms (own: without waits for a core)\n\
             {:<12} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
            "limit", "moves", "late", "99%", "99.9%", "worst", "own 99%", "worst"
        );
        let mut min = 0;
        for (max, name) in CLASSES {
            let within = |ms: u128| (u128::from(min)..=u128::from(max)).contains(&ms);
            let of_class: Vec<&Timing> = self
                .timings
                .iter()
                .filter(|t| within(t.limit.as_micros().div_ceil(1000)))
                .collect();
            min = max.saturating_add(1);
            if of_class.is_empty() {
                continue;
            }
            let sorted = |part: fn(&Timing) -> Duration| {
                let mut times: Vec<Duration> = of_class.iter().map(|t| part(t)).collect();
                times.sort_unstable();
                times
            };
            let (late, own) = (sorted(Timing::late), sorted(Timing::own));
            let _ = writeln!(
                text,
                "{name:<12} {:>8} {:>7} {:>7.1} {:>7.1} {:>7.1} {:>7.1} {:>7.1}",
                of_class.len(),
                late.iter().filter(|late| !late.is_zero()).count(),
                quantile(&late, 0.99),
                quantile(&late, 0.999),
                quantile(&late, 1.0),
                quantile(&own, 0.99),
                quantile(&own, 1.0),
            );
        }
        let of = |kind: FaultKind| self.faults.iter().filter(|fault| fault.0 == kind).count();
        let faults: Vec<String> =
            FaultKind::ALL.iter().map(|&kind| format!("{} {}", kind.name(), of(kind))).collect();
        let _ = writeln!(text, "tolerance {} ms; {}", tolerance.as_millis(), faults.join(", "));
        text
    }
}

/// Returns a quantile of sorted times, in milliseconds.
fn quantile(times: &[Duration], part: f64) -> f64 {
    let index = (times.len() as f64 * part).ceil() as usize;
    times.get(index.clamp(1, times.len()) - 1).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_answers_are_counted_by_the_class_of_their_limit() {
        let ms = Duration::from_millis;
        let timing = |limit, took, waited| Timing {
            limit: ms(limit),
            took: ms(took),
            waited: ms(waited),
            frozen: false,
            hurried: false,
        };
        let mut tally = StressTotals {
            games: 2,
            faults: vec![(FaultKind::Late, 1)],
            ..StressTotals::default()
        };
        for n in 0..99 {
            tally.note(timing(10, 5 + n % 3, 0));
        }
        tally.note(timing(10, 33, 20));
        let mut other = StressTotals::default();
        other.note(timing(0, 7, 0));
        other.note(timing(50, 40, 0));
        tally.add(other);
        let text = tally.text(ms(1000));
        let row = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap();
            line[name.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(row("1-10 ms"), ["100", "1", "0.0", "23.0", "23.0", "0.0", "3.0"]);
        assert_eq!(row("at once"), ["1", "1", "7.0", "7.0", "7.0", "7.0", "7.0"]);
        assert_eq!(row("31-100 ms"), ["1", "0", "0.0", "0.0", "0.0", "0.0", "0.0"]);
        assert!(text.starts_with("2 games: 1 fault\n"), "{text}");
        assert!(text.contains("losses on time 1, no answer 0"), "{text}");
        assert!(!text.contains("11-30"), "{text}");
    }
}
