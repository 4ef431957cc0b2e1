//! Counts of agreements and disagreements, and their report.

use std::collections::BTreeMap;
use std::fmt;

use goren_notation::words::plural;

/// A compared property.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Check {
    /// Hash of the board string.
    Hash,
    /// The board string.
    Board,
    /// Seat and colour to move.
    ToMove,
    /// Meaning of the word "pass", and who wins a tie.
    Pass,
    /// Whether a ply is legal.
    Legality,
    /// Number of legal plies.
    Count,
    /// Cells where stones may be placed.
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
    /// Result, if any, after a stone.
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
    /// Comparisons that disagreed.
    pub disagreed: u64,
}

/// The column of the referee and the rules around it.
pub(super) const REFEREE: usize = 0;
/// The column of the fast board.
pub(super) const BOARD: usize = 1;
/// Names of the judges, in the order of the columns.
pub(super) const JUDGES: [&str; 2] = ["referee", "board"];

/// Maximum number of disagreements listed for each check of each judge.
const MAX_LISTED: u64 = 5;

/// The result of one file.
#[derive(Clone, Default, Debug)]
pub struct FileReport {
    /// Name of the file.
    pub name: String,
    /// Records that were checked.
    pub records: u64,
    /// Illegal plies with several faults that were refused for another one than the
    /// data names.
    pub refused_for_other_reason: u64,
    /// Prefixes that continue after an end of the game that the data overlooks.
    pub overlooked: u64,
    /// Counts by check, for the referee and the board.
    pub counts: BTreeMap<Check, [CheckCounts; 2]>,
    /// The first few disagreements.
    pub disagreements: Vec<String>,
    /// Lines that could not be read, and why.
    pub unreadable: Vec<String>,
    /// Number of records by kind that cannot be checked.
    pub skipped: BTreeMap<String, u64>,
}

impl FileReport {
    /// Whether nothing disagreed and all lines could be read.
    pub fn is_clean(&self) -> bool {
        self.disagreed() == 0 && self.unreadable.is_empty()
    }

    /// Disagreements of all checks.
    pub fn disagreed(&self) -> u64 {
        self.counts.values().flatten().map(|count| count.disagreed).sum()
    }
}

/// Records the checks of one record with one judge.
pub(super) struct Sheet<'a> {
    pub(super) report: &'a mut FileReport,
    pub(super) judge: usize,
    pub(super) id: &'a str,
}

impl Sheet<'_> {
    /// Compares the values of the data and of the judge. `place` is their place
    /// in the record.
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
        if count.disagreed <= MAX_LISTED {
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

/// Maximum number of unreadable lines shown: a file with more is of another format.
const MAX_UNREADABLE: usize = 10;

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
        if self.refused_for_other_reason > 0 {
            let one = "illegal ply refused for another of its faults";
            let many = "illegal plies refused for another of their faults";
            writeln!(f, "  {}", plural(self.refused_for_other_reason, one, many))?;
        }
        if self.overlooked > 0 {
            let (one, many) = ("prefix that overlooks", "prefixes that overlook");
            let prefixes = plural(self.overlooked, one, many);
            writeln!(f, "  {prefixes} a line across the edge of a torus")?;
        }
        for line in self.unreadable.iter().take(MAX_UNREADABLE) {
            writeln!(f, "  unreadable: {line}")?;
        }
        if let Some(more @ 1..) = self.unreadable.len().checked_sub(MAX_UNREADABLE) {
            let more = plural(more, "more line", "more lines");
            writeln!(f, "  unreadable: {more}; each should be a JSON object")?;
        }
        for line in &self.disagreements {
            writeln!(f, "  disagrees: {line}")?;
        }
        Ok(())
    }
}
