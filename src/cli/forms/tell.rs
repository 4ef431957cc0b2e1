//! What is told of a file beside what was asked: on standard error, a line
//! each, and only so many.

use goren_core::record::import::{Note, Place, Question};

/// Lines that are told of a file.
const MOST: usize = 20;

/// Who tells the notes of a file.
pub(crate) struct Teller {
    name: Option<String>,
    told: usize,
    more: usize,
}

impl Teller {
    /// Of a file, or of what was typed.
    pub(crate) fn new(name: Option<&str>) -> Teller {
        Teller { name: name.map(String::from), told: 0, more: 0 }
    }

    /// Tells a note, whose place is one of the file. `game` says of which game
    /// it is, where there are several.
    pub(crate) fn note(&mut self, note: &Note, game: Option<usize>) {
        let choice = note.question.map_or(String::new(), |question| {
            let option = match question {
                Question::Game => "--game",
                Question::Size => "--size",
                Question::Encoding => "--encoding",
                Question::Columns => "--columns",
                Question::Rows => "--from-top",
                Question::Origin => "--origin",
                Question::Lines => "--lines",
            };
            if note.text.contains("--") { String::new() } else { format!("; {option} chooses") }
        });
        let place = match note.place {
            Place::File => String::new(),
            place => format!("{place}: "),
        };
        self.say(&format!("{place}{}{choice}", note.text), game);
    }

    /// Tells something of a game.
    pub(crate) fn say(&mut self, text: &str, game: Option<usize>) {
        if self.told == MOST {
            self.more += 1;
            return;
        }
        self.told += 1;
        let game = game.map_or(String::new(), |number| format!("game {number}: "));
        eprintln!("note: {}{game}{text}", self.before());
    }

    fn before(&self) -> String {
        self.name.as_ref().map_or(String::new(), |name| format!("{name}: "))
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if self.more > 0 {
            eprintln!("note: {}{} more notes", self.before(), self.more);
        }
    }
}
