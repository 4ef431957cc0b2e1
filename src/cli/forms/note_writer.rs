//! Notes about a file that is read: one line each on standard error, up to a
//! limit.

use goren_core::record::import::{Note, Place, Question};
use goren_notation::words::plural;

/// Most lines for one file.
const MOST: usize = 20;

/// Where options are typed in a game of `goren play`.
pub(crate) const IN_PLAY: &str = "options go behind the file: load FILE --lenient";

/// Writes the notes about a file.
pub(crate) struct NoteWriter {
    name: Option<String>,
    /// Whether the file is loaded in a game that is being played.
    in_game: bool,
    reported: usize,
    more: usize,
}

impl NoteWriter {
    /// For a file, or for typed input.
    pub(crate) fn new(name: Option<&str>) -> NoteWriter {
        NoteWriter { name: name.map(String::from), in_game: false, reported: 0, more: 0 }
    }

    /// For a file that is loaded in a game of `goren play`.
    pub(crate) fn in_game(name: Option<&str>) -> NoteWriter {
        NoteWriter { name: name.map(String::from), in_game: true, reported: 0, more: 0 }
    }

    /// Writes a note with its place in the file. `game` is the number of its game,
    /// if there are several.
    pub(crate) fn note(&mut self, note: &Note, game: Option<usize>) {
        self.say(&self.words(note), game);
    }

    /// A note with its place in the file, and the option that answers it.
    fn words(&self, note: &Note) -> String {
        let choice = note.question.map_or(String::new(), |question| {
            let option = match question {
                Question::Game => "--game",
                Question::Size => "--size",
                Question::Encoding => "--encoding",
                Question::Columns => "--columns",
                Question::Rows => "--from-top or --from-bottom",
                Question::Origin => "--origin",
                Question::Lines => "--lines",
            };
            let named = note.text.contains("--");
            let choice = if named { String::new() } else { format!("; {option} chooses") };
            let place = if self.in_game { format!(" ({IN_PLAY})") } else { String::new() };
            choice + &place
        });
        let place = match note.place {
            Place::File => String::new(),
            place => format!("{place}: "),
        };
        format!("{place}{}{choice}", note.text)
    }

    /// What chooses another game of the file.
    pub(super) fn number(&self) -> &'static str {
        if self.in_game { "load FILE N chooses" } else { "--number chooses" }
    }

    /// Writes a note about a game.
    pub(crate) fn say(&mut self, text: &str, game: Option<usize>) {
        if self.reported == MOST {
            self.more += 1;
            return;
        }
        self.reported += 1;
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
            let more = plural(self.more, "more note", "more notes");
            eprintln!("note: {}{more}", self.before());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_what_can_be_typed() {
        let rows = Note::remark(Place::File, "rows count from the top").asking(Question::Rows);
        let words = NoteWriter::new(None).words(&rows);
        assert_eq!(words, "rows count from the top; --from-top or --from-bottom chooses");
        let game = Note::remark(Place::File, "no rule is named").asking(Question::Game);
        let words = NoteWriter::in_game(None).words(&game);
        assert_eq!(words, format!("no rule is named; --game chooses ({IN_PLAY})"));
    }
}
