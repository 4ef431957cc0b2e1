//! Faults of an engine.

/// Kinds of faults.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum FaultKind {
    /// An illegal move, or a foul although a legal point was free.
    Illegal,
    /// A move later than its limit, the freezes and the tolerance together.
    Late,
    /// No answer at all.
    Silent,
    /// The process ended.
    Crash,
    /// An unexpected line, or one that a manager would misread.
    Line,
    /// More memory than allowed.
    Memory,
}

impl FaultKind {
    pub(super) const ALL: [FaultKind; 6] = [
        FaultKind::Illegal,
        FaultKind::Late,
        FaultKind::Silent,
        FaultKind::Crash,
        FaultKind::Line,
        FaultKind::Memory,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal moves",
            FaultKind::Late => "losses on time",
            FaultKind::Silent => "no answer",
            FaultKind::Crash => "crashes",
            FaultKind::Line => "wrong lines",
            FaultKind::Memory => "too much memory",
        }
    }
}

/// A fault of the engine.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct EngineFault {
    pub(super) kind: FaultKind,
    pub(super) words: String,
}

impl EngineFault {
    pub(super) fn new(kind: FaultKind, words: impl Into<String>) -> EngineFault {
        EngineFault { kind, words: words.into() }
    }
}

/// Prints a fault at once, with the transcript that shows it.
pub(super) fn report(fault: &EngineFault, place: &str, transcript: &str) {
    println!("FAULT ({}): {}\n  {place}\n{transcript}", fault.kind.name(), fault.words);
}
