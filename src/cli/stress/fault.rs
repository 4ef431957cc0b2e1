//! Faults of an engine.

/// Kinds of faults.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// A move that the rules refuse, or a foul where another point was free.
    Illegal,
    /// A move beyond its limit, what freezes cost and the tolerance.
    Late,
    /// No answer at all.
    Silent,
    /// The process ended.
    Crash,
    /// A line that was not due, or that a manager would misread.
    Line,
    /// More memory than allowed.
    Memory,
}

impl Kind {
    pub(super) const ALL: [Kind; 6] =
        [Kind::Illegal, Kind::Late, Kind::Silent, Kind::Crash, Kind::Line, Kind::Memory];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Illegal => "illegal moves",
            Kind::Late => "losses on time",
            Kind::Silent => "no answer",
            Kind::Crash => "crashes",
            Kind::Line => "wrong lines",
            Kind::Memory => "too much memory",
        }
    }
}

/// A fault of the engine.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    pub(super) words: String,
}

impl Fault {
    pub(super) fn new(kind: Kind, words: impl Into<String>) -> Fault {
        Fault { kind, words: words.into() }
    }
}

/// Prints a fault at once, with the transcript that shows it.
pub(super) fn report(fault: &Fault, place: &str, transcript: &str) {
    println!("FAULT ({}): {}\n  {place}\n{transcript}", fault.kind.name(), fault.words);
}
