//! Counts of agreement, and their report.

use std::collections::BTreeMap;
use std::fmt;

use goren_notation::words::plural;

/// One thing that is compared.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    /// Hash of the board string.
    Hash,
    /// The board string.
    Board,
    /// Seat and colour to move.
    ToMove,
    /// What the word "pass" means, and who wins a tie.
    Pass,
    /// Whether a ply is legal.
    Legality,
    /// Number of legal plies.
    Count,
    /// Where stones may be placed.
    Placements,
    /// Number of captured stones.
    Captures,
    /// Fifths declared and on offer.
    Fifths,
    /// Points that win.
    Five,
    /// Points where Black makes an overline.
    Overline,
    /// Points where Black makes a double four.
    DoubleFour,
    /// Points where Black makes a double three.
    DoubleThree,
    /// Whether a played stone is a foul.
    Foul,
    /// How the game stands after a stone.
    Outcome,
    /// Winner and reason at the end of a game.
    Result,
    /// The winning lines.
    Lines,
}

impl Check {
    const fn name(self) -> &'static str {
        match self {
            Check::Hash => "hash",
            Check::Board => "board",
            Check::ToMove => "to move",
            Check::Pass => "pass",
            Check::Legality => "legality",
            Check::Count => "legal plies",
            Check::Placements => "placements",
            Check::Captures => "captures",
            Check::Fifths => "fifths",
            Check::Five => "five",
            Check::Overline => "overline",
            Check::DoubleFour => "double four",
            Check::DoubleThree => "double three",
            Check::Foul => "foul played",
            Check::Outcome => "outcome",
            Check::Result => "result",
            Check::Lines => "winning lines",
        }
    }
}

/// Agreements and disagreements of one judge with the data.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct CheckCounts {
    /// Comparisons that agreed.
    pub agreed: u64,
    /// Comparisons that did not.
    pub disagreed: u64,
}

/// The column of the referee and the rules around it.
pub(super) const REFEREE: usize = 0;
/// The column of the fast board.
pub(super) const BOARD: usize = 1;
/// Names of the judges, in the order of the columns.
pub(super) const JUDGES: [&str; 2] = ["referee", "board"];

/// Disagreements that are named for each check of each judge.
const NAMED: u64 = 5;

/// The result of one file.
#[derive(Clone, Default, Debug)]
pub struct FileReport {
    /// Name of the file.
    pub name: String,
    /// Records that were checked.
    pub records: u64,
    /// Illegal plies that were refused for another of their faults than the
    /// one the data names.
    pub otherwise_refused: u64,
    /// Prefixes that go on after an end of the game that the data overlooks.
    pub overlooked: u64,
    /// Counts by check, for the referee and the board.
    pub counts: BTreeMap<Check, [CheckCounts; 2]>,
    /// The first few disagreements.
    pub disagreements: Vec<String>,
    /// Lines that could not be read, and why.
    pub unreadable: Vec<String>,
    /// Records of kinds that cannot be checked.
    pub skipped: BTreeMap<String, u64>,
}

impl FileReport {
    /// Whether nothing disagreed and all could be read.
    pub fn is_clean(&self) -> bool {
        self.disagreed() == 0 && self.unreadable.is_empty()
    }

    /// Comparisons of all checks that did not agree.
    pub fn disagreed(&self) -> u64 {
        self.counts.values().flatten().map(|count| count.disagreed).sum()
    }
}

/// Where the checks of one record with one judge are written down.
pub(super) struct Sheet<'a> {
    pub(super) report: &'a mut FileReport,
    pub(super) judge: usize,
    pub(super) id: &'a str,
}

impl Sheet<'_> {
    /// Compares what the data says with what the judge says. `place` says
    /// where in the record.
    pub(super) fn equal<T: PartialEq + fmt::Debug>(
        &mut self,
        check: Check,
        place: impl fmt::Display,
        data: T,
        judge: T,
    ) {
        let count = &mut self.report.counts.entry(check).or_default()[self.judge];
        if data == judge {
            count.agreed += 1;
            return;
        }
        count.disagreed += 1;
        if count.disagreed <= NAMED {
            self.report.disagreements.push(format!(
                "{} {place}: {}: data {data:?}, {} {judge:?}",
                self.id,
                check.name(),
                JUDGES[self.judge],
            ));
        }
    }

    /// The same sheet with another judge's column.
    pub(super) fn of(&mut self, judge: usize) -> Sheet<'_> {
        Sheet { report: self.report, judge, id: self.id }
    }
}

/// Unreadable lines that are shown at most: a file with more is of another format.
const MOST_UNREADABLE: usize = 10;

impl fmt::Display for FileReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} checked", self.name, plural(self.records, "record", "records"))?;
        for (what, number) in &self.skipped {
            write!(f, ", {number} {what} skipped")?;
        }
        writeln!(f)?;
        if !self.counts.is_empty() {
            writeln!(f, "  {:<14} {:>20} {:>20}", "", JUDGES[0], JUDGES[1])?;
            write!(f, "  {:<14}", "check")?;
            writeln!(f, "{0:>11}{1:>10}{0:>11}{1:>10}", "agreed", "disagreed")?;
        }
        for (check, counts) in &self.counts {
            write!(f, "  {:<14}", check.name())?;
            for count in counts {
                match count.agreed + count.disagreed {
                    0 => write!(f, "{:>11}{:>10}", "-", "-")?,
                    _ => write!(f, "{:>11}{:>10}", count.agreed, count.disagreed)?,
                }
            }
            writeln!(f)?;
        }
        if self.otherwise_refused > 0 {
            let one = "illegal ply refused for another of its faults";
            let many = "illegal plies refused for another of their faults";
            writeln!(f, "  {}", plural(self.otherwise_refused, one, many))?;
        }
        if self.overlooked > 0 {
            let (one, many) = ("prefix that overlooks", "prefixes that overlook");
            let prefixes = plural(self.overlooked, one, many);
            writeln!(f, "  {prefixes} a line across the edge of a torus")?;
        }
        for line in self.unreadable.iter().take(MOST_UNREADABLE) {
            writeln!(f, "  unreadable: {line}")?;
        }
        if let Some(more @ 1..) = self.unreadable.len().checked_sub(MOST_UNREADABLE) {
            let more = plural(more, "more line", "more lines");
            writeln!(f, "  unreadable: {more}; each should be a JSON object")?;
        }
        for line in &self.disagreements {
            writeln!(f, "  disagrees: {line}")?;
        }
        Ok(())
    }
}
