//! Notes about an input file: one line each on standard error, up to a limit.

use goren_core::record::import::{Note, Place, Question};
use goren_notation::words::plural;

/// Maximum number of lines per file.
const MAX_NOTES: usize = 20;

/// Advice where to type options in a game of `goren play`.
pub(crate) const IN_PLAY: &str = "options go after the file: load FILE --lenient";

/// Writes the notes about a file.
pub(crate) struct NoteWriter {
    name: Option<String>,
    /// Whether the file is loaded in a game of `goren play`.
    in_game: bool,
    written: usize,
    omitted: usize,
}

impl NoteWriter {
    /// Creates a writer for a file, or for typed input.
    pub(crate) fn new(name: Option<&str>) -> NoteWriter {
        NoteWriter { name: name.map(String::from), in_game: false, written: 0, omitted: 0 }
    }

    /// Creates a writer for a file loaded in a game of `goren play`.
    pub(crate) fn in_game(name: Option<&str>) -> NoteWriter {
        NoteWriter { name: name.map(String::from), in_game: true, written: 0, omitted: 0 }
    }

    /// Writes a note with its place in the file. `game` is the number of the game, if there are
    /// several.
    pub(crate) fn note(&mut self, note: &Note, game: Option<usize>) {
        self.say(&self.words(note), game);
    }

    /// Formats a note with its place in the file, and the option that answers it.
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
            let choice = if named { String::new() } else { format!("; choose with {option}") };
            let place = if self.in_game { format!(" ({IN_PLAY})") } else { String::new() };
            choice + &place
        });
        let place = match note.place {
            Place::File => String::new(),
            place => format!("{place}: "),
        };
        format!("{place}{}{choice}", note.text)
    }

    /// Names the option that chooses another game of the file.
    pub(super) fn number(&self) -> &'static str {
        if self.in_game { "choose with load FILE N" } else { "choose with --number" }
    }

    /// Writes a note about a game.
    pub(crate) fn say(&mut self, text: &str, game: Option<usize>) {
        if self.written == MAX_NOTES {
            self.omitted += 1;
            return;
        }
        self.written += 1;
        let game = game.map_or(String::new(), |number| format!("game {number}: "));
        eprintln!("note: {}{game}{text}", self.prefix());
    }

    fn prefix(&self) -> String {
        self.name.as_ref().map_or(String::new(), |name| format!("{name}: "))
    }
}

impl Drop for NoteWriter {
    fn drop(&mut self) {
        if self.omitted > 0 {
            let omitted = plural(self.omitted, "more note", "more notes");
            eprintln!("note: {}{omitted}", self.prefix());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_names_the_option_that_answers_it() {
        let rows = Note::remark(Place::File, "rows count from the top").asking(Question::Rows);
        let words = NoteWriter::new(None).words(&rows);
        assert_eq!(words, "rows count from the top; choose with --from-top or --from-bottom");
        let game = Note::remark(Place::File, "no rule is named").asking(Question::Game);
        let words = NoteWriter::in_game(None).words(&game);
        assert_eq!(words, format!("no rule is named; choose with --game ({IN_PLAY})"));
    }
}
