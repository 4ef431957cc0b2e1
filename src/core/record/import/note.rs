//! Notes of a reader on a file: their places, and the questions that
//! a user can answer.

use std::fmt;

/// A question whose answer by the user settles a doubt.
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

/// The severity of a note.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Weight {
    /// The stones and the rule are right all the same: a comment or a mark that
    /// is not used, a form that was recognised.
    Remark,
    /// The stones or the rule may be wrong because of it. Commands refuse such
    /// a game unless they are told to go on.
    Doubt,
}

/// Something that a reader skipped, guessed or could not use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where it stands.
    pub place: Place,
    /// How much it matters.
    pub weight: Weight,
    /// What it is, in a sentence without a full stop.
    pub text: String,
    /// What the user can say about it. A doubt that has been answered is one no
    /// longer.
    pub question: Option<Question>,
}

impl Note {
    /// A note that leaves stones and rule beyond doubt.
    pub fn remark(place: Place, text: impl Into<String>) -> Note {
        Note { place, weight: Weight::Remark, text: text.into(), question: None }
    }

    /// A note because of which stones or rule may be wrong.
    pub fn doubt(place: Place, text: impl Into<String>) -> Note {
        Note { place, weight: Weight::Doubt, text: text.into(), question: None }
    }

    /// The note that a file names no game.
    pub(in crate::record) fn no_rule() -> Note {
        let text = "no rule is named, freestyle is assumed";
        Note::remark(Place::File, text).asking(Question::Game)
    }

    /// The same, for the user to answer.
    pub fn asking(self, question: Question) -> Note {
        Note { question: Some(question), ..self }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}
