//! Notes of a reader on a file: their places, and the questions that the user can answer.

use std::fmt;

/// A question; the user's answer settles a doubt.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Which game it is.
    Game,
    /// How large the board is.
    Size,
    /// How the text is encoded.
    Encoding,
    /// How columns are lettered.
    Columns,
    /// From which side rows count.
    Rows,
    /// Whether columns and rows in numbers begin with 0 or 1.
    Origin,
    /// Whether the lines of a list are games.
    Lines,
}

/// A place in a file.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte, from 0.
    Byte(usize),
    /// A line, from 1.
    Line(usize),
    /// A move of the game, from 1.
    Move(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => f.write_str("file"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Line(line) => write!(f, "line {line}"),
            Place::Move(number) => write!(f, "move {number}"),
        }
    }
}

/// Severity of a note.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// Stones and rule are right all the same: an unused comment or mark, a recognised format.
    Remark,
    /// Stones or rule may be wrong. Commands refuse such a game unless the user tells them to go
    /// on.
    Doubt,
}

/// Something that a reader skipped, guessed or could not use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Place in the file.
    pub place: Place,
    /// Severity.
    pub weight: Weight,
    /// Message, a sentence without a full stop.
    pub text: String,
    /// Question that the user can answer. The answer removes the doubt.
    pub question: Option<Question>,
}

impl Note {
    /// Makes a note that leaves stones and rule beyond doubt.
    pub fn remark(place: Place, text: impl Into<String>) -> Note {
        Note { place, weight: Weight::Remark, text: text.into(), question: None }
    }

    /// Makes a note that stones or rule may be wrong.
    pub fn doubt(place: Place, text: impl Into<String>) -> Note {
        Note { place, weight: Weight::Doubt, text: text.into(), question: None }
    }

    /// Makes the note that a file names no rule.
    pub(in crate::record) fn no_rule() -> Note {
        let text = "no rule is named, freestyle is assumed";
        Note::remark(Place::File, text).asking(Question::Game)
    }

    /// Adds a question for the user to the note.
    pub fn asking(self, question: Question) -> Note {
        Note { question: Some(question), ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}
