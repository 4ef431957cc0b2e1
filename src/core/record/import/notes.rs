//! The notes of a game that is being read, of which only the first are kept: a
//! broken file could have millions.

use super::note::{Note, Place, Weight};

/// Notes that are kept.
const MOST: usize = 24;

/// Notes in the order in which they came.
#[derive(Default)]
pub(in crate::record) struct Notes {
    kept: Vec<Note>,
    /// Remarks and doubts that are not.
    more: [usize; 2],
}

impl Notes {
    pub(in crate::record) fn push(&mut self, note: Note) {
        if self.kept.len() < MOST {
            self.kept.push(note);
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

    /// The notes, and how many more there would be.
    pub(in crate::record) fn finish(self) -> Vec<Note> {
        let mut notes = self.kept;
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
    fn what_is_too_much_is_counted() {
        let mut notes = Notes::default();
        for line in 1..=MOST + 3 {
            notes.remark(Place::Line(line), "a comment");
        }
        let kept = notes.finish();
        assert_eq!(kept.len(), MOST + 1);
        assert_eq!(kept[MOST], Note::remark(Place::File, "and 3 more remarks"));
        let mut notes = Notes::default();
        for line in 1..=MOST + 1 {
            notes.doubt(Place::Line(line), "a word");
        }
        let last = notes.finish().pop().unwrap();
        assert_eq!(last.weight, Weight::Doubt);
    }
}
