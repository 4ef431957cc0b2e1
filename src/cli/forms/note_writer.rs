//! Notes about a file that is read: one line each on standard error, up to a
//! limit.

use goren_core::record::import::{Note, Place, Question};

/// Most lines for one file.
const MOST: usize = 20;

/// Writes the notes about a file.
pub(crate) struct NoteWriter {
    name: Option<String>,
    told: usize,
    more: usize,
}

impl NoteWriter {
    /// For a file, or for typed input.
    pub(crate) fn new(name: Option<&str>) -> NoteWriter {
        NoteWriter { name: name.map(String::from), told: 0, more: 0 }
    }

    /// Writes a note with its place in the file. `game` is the number of its game,
    /// if there are several.
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

    /// Writes a note about a game.
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

impl Drop for NoteWriter {
    fn drop(&mut self) {
        if self.more > 0 {
            eprintln!("note: {}{} more notes", self.before(), self.more);
        }
    }
}
