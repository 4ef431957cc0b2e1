//! Collects the notes on a game. Only the first ones are kept: a broken file could have millions.

use super::note::{Note, Place, Weight};

/// Maximum number of notes that are kept.
const MAX: usize = 24;

/// Notes in the order in which they were added.
#[derive(Default)]
pub(in crate::record) struct Notes {
    notes: Vec<Note>,
    /// Numbers of remarks and doubts beyond these.
    more: [usize; 2],
}

impl Notes {
    pub(in crate::record) fn push(&mut self, note: Note) {
        if self.notes.len() < MAX {
            self.notes.push(note);
        } else {
            self.more[usize::from(note.weight == Weight::Doubt)] += 1;
        }
    }

    pub(in crate::record) fn remark(&mut self, place: Place, text: impl Into<String>) {
        self.push(Note::remark(place, text));
    }

    pub(in crate::record) fn doubt(&mut self, place: Place, text: impl Into<String>) {
        self.push(Note::doubt(place, text));
    }

    /// Returns the notes, with a last one that counts those left out.
    pub(in crate::record) fn finish(self) -> Vec<Note> {
        let mut notes = self.notes;
        match self.more {
            [0, 0] => {}
            [remarks, 0] => {
                notes.push(Note::remark(Place::File, format!("and {remarks} more remarks")))
            }
            [remarks, doubts] => {
                let text = format!("and {doubts} more doubts and {remarks} more remarks");
                notes.push(Note::doubt(Place::File, text));
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_beyond_the_limit_are_counted() {
        let mut notes = Notes::default();
        for line in 1..=MAX + 3 {
            notes.remark(Place::Line(line), "a comment");
        }
        let kept = notes.finish();
        assert_eq!(kept.len(), MAX + 1);
        assert_eq!(kept[MAX], Note::remark(Place::File, "and 3 more remarks"));
        let mut notes = Notes::default();
        for line in 1..=MAX + 1 {
            notes.doubt(Place::Line(line), "a word");
        }
        let last = notes.finish().pop().unwrap();
        assert_eq!(last.weight, Weight::Doubt);
    }
}
