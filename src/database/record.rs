//! Record of a position: label, value, depth, bound and text.
//!
//! Values and labels take opposite points of view: a value is for the side to move,
//! a label for the side that has just moved. So the record of a position that the
//! side to move loses in seven plies has the label `w` and the value -29993.

use goren_core::types::{POINTS_PER_LOGIT, PROVEN, Score, WIN};

use super::text;

/// Bytes of a record before its text.
pub(super) const HEAD: usize = 5;
/// Value of a mate in 0 plies; a mate in `n` plies has the value `MATE - n`.
pub const MATE: i16 = 30_000;
/// Values beyond this are mates.
pub const MATES: i16 = MATE - 500;
/// Points of a value that multiply the odds of winning by e, as in the percentages
/// of Rapfi with its default weights.
pub const POINTS: f64 = 250.0;
/// Maximum length of a text: the file stores the length of a record in two bytes.
pub const MAX_TEXT: usize = u16::MAX as usize - HEAD;

/// A mark on a position: a letter, or none. Case does not matter.
#[derive(Copy, Clone, Debug)]
pub struct Label(pub i8);

impl Label {
    /// The label of a record without information.
    pub const NULL: Label = Label(0);
    /// No label.
    pub const NONE: Label = Label(-1);
    /// The side that has just moved wins.
    pub const WIN: Label = Label(b'w' as i8);
    /// The side that has just moved loses.
    pub const LOSE: Label = Label(b'l' as i8);
    /// A draw.
    pub const DRAW: Label = Label(b'd' as i8);
    /// A move that the engine must not play.
    pub const BLOCK: Label = Label(b'x' as i8);
    /// The move that the engine must play.
    pub const BEST: Label = Label(b'!' as i8);

    fn folded(self) -> i8 {
        u8::try_from(self.0).map_or(self.0, |byte| byte.to_ascii_lowercase() as i8)
    }

    /// Whether there is a result or a mark.
    fn is_set(self) -> bool {
        self != Label::NULL && self != Label::NONE
    }

    /// Whether the result is known.
    pub fn is_result(self) -> bool {
        [Label::WIN, Label::LOSE, Label::DRAW].contains(&self)
    }
}

impl PartialEq for Label {
    fn eq(&self, other: &Label) -> bool {
        self.folded() == other.folded()
    }
}

impl Eq for Label {}

/// The bound of a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// There is no value.
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value at the depth.
    Exact = 3,
}

impl Bound {
    /// All bounds, with their names in texts and tables.
    pub(super) const NAMES: [(Bound, &str); 4] = [
        (Bound::None, "none"),
        (Bound::Upper, "upper"),
        (Bound::Lower, "lower"),
        (Bound::Exact, "exact"),
    ];
}

/// The record of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The mark.
    pub label: Label,
    /// Value for the side to move; beyond [`MATES`] it says the plies to the end.
    pub value: i16,
    /// Four times the depth of the value, and its bound.
    pub depth_bound: i16,
    /// Comment and texts of cells, see [`text`]. UTF-8, or the bytes of an old
    /// file.
    pub text: Vec<u8>,
}

impl Default for Record {
    fn default() -> Record {
        Record { label: Label::NONE, value: 0, depth_bound: 0, text: Vec::new() }
    }
}

impl Record {
    /// A record with a label only.
    pub fn labelled(label: Label) -> Record {
        Record { label, ..Record::default() }
    }

    /// The record of a position to which a search of `depth` plies gives this score for the
    /// side to move. A proven score becomes a label and the plies to the end; any other score
    /// becomes a value with the same win rate, on the scale of the file.
    pub fn searched(score: Score, depth: u32) -> Record {
        let value = f64::from(score) * POINTS / POINTS_PER_LOGIT;
        let (label, value) = match score {
            PROVEN.. => (Label::LOSE, score.min(WIN)),
            _ if score <= -PROVEN => (Label::WIN, score.max(-WIN)),
            _ => (Label::NONE, (value as Score).clamp(1 - PROVEN, PROVEN - 1)),
        };
        let mut record = Record { value: value as i16, ..Record::labelled(label) };
        record.set_depth(depth.into(), Bound::Exact);
        record
    }

    /// The record of the position after the best move, if a search of `depth` plies gives the
    /// position before that move this score: the other side's score, one ply closer to the end.
    pub fn after_best(score: Score, depth: u32) -> Record {
        let nearer = if score.abs() >= PROVEN { score + score.signum() } else { score };
        Record::searched(-nearer, depth.saturating_sub(1))
    }

    /// Depth of the value, in plies.
    pub fn depth(&self) -> i16 {
        self.depth_bound >> 2
    }

    /// Bound of the value.
    pub fn bound(&self) -> Bound {
        match self.depth_bound & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    /// Sets depth and bound; clamps the depth to the range of the file.
    pub fn set_depth(&mut self, depth: i64, bound: Bound) {
        let depth = depth.clamp(i64::from(i16::MIN) / 4, i64::from(i16::MAX) / 4) as i16;
        self.depth_bound = depth << 2 | bound as i16;
    }

    /// Reads a record from the bytes of a file; missing bytes are 0.
    pub fn read(bytes: &[u8]) -> Record {
        let word = |i: usize| match bytes.get(i..i + 2) {
            Some(&[low, high]) => i16::from_le_bytes([low, high]),
            _ => 0,
        };
        Record {
            label: Label(bytes.first().map_or(0, |&byte| byte as i8)),
            value: word(1),
            depth_bound: word(3),
            text: bytes.get(HEAD..).unwrap_or_default().to_vec(),
        }
    }

    /// The bytes of the file, none for an empty record. A record with a text and [`Label::NULL`]
    /// gets [`Label::NONE`], as other programs do not write the text of records with
    /// [`Label::NULL`].
    pub fn write(&self) -> Vec<u8> {
        if self.label == Label::NULL && *self == Record::read(&[]) {
            return Vec::new();
        }
        let mut head = self.head();
        if self.label == Label::NULL && !self.text.is_empty() {
            head[0] = Label::NONE.0 as u8;
        }
        [&head[..], truncated(&self.text)].concat()
    }

    /// The bytes before the text.
    pub(super) fn head(&self) -> [u8; HEAD] {
        let ([v0, v1], [d0, d1]) = (self.value.to_le_bytes(), self.depth_bound.to_le_bytes());
        [self.label.0 as u8, v0, v1, d0, d1]
    }

    /// Plies to the end, counted from before the last move, if label and value agree on a
    /// result.
    pub fn steps(&self) -> Option<i32> {
        let agreed = self.label == Label::WIN && self.value < -MATES
            || self.label == Label::LOSE && self.value > MATES;
        agreed.then(|| i32::from(MATE) + 1 - i32::from(self.value).abs())
    }

    /// The text that GUIs show on the cell of the last move: the label, for a result with
    /// the plies to the end (`w13`, `l*`), else the win rate in percent. Empty without
    /// either.
    pub fn shown(&self) -> String {
        match u8::try_from(self.label.0) {
            Ok(byte) if byte > 0 => {
                let letter = if byte.is_ascii_graphic() { char::from(byte) } else { '?' };
                match self.steps() {
                    Some(steps) => format!("{letter}{steps}"),
                    None if [Label::WIN, Label::LOSE].contains(&self.label) => {
                        format!("{letter}*")
                    }
                    None => letter.to_string(),
                }
            }
            Err(_) if self.label == Label::NONE && self.bound() == Bound::Exact => {
                let chance = 1.0 / (1.0 + (f64::from(self.value) / POINTS).exp());
                format!("{}%", ((chance * 100.0) as i32).clamp(0, 99))
            }
            _ => String::new(),
        }
    }

    /// Whether another record should replace this one, by the rules that programs
    /// share: any record replaces an empty one; a result replaces anything else; of
    /// two equal results the one closer to the end stays; of two values the deeper
    /// one, where an exact value counts as four plies deeper. A record with nothing
    /// but a text replaces none.
    pub fn yields_to(&self, new: &Record) -> bool {
        let closeness = |record: &Record| i32::from(record.value).abs() * 2 + exact(record);
        let depth = |record: &Record| i32::from(record.depth()) + 4 * exact(record);
        fn exact(record: &Record) -> i32 {
            i32::from(record.bound() == Bound::Exact)
        }
        if self.label == Label::NULL {
            new.label != Label::NULL
        } else if new.is_bare() {
            false
        } else if self.label != new.label && (self.label.is_result() || new.label.is_result()) {
            new.label.is_result()
        } else if self.label.is_result() {
            closeness(new) > closeness(self)
        } else {
            depth(new) >= depth(self)
        }
    }

    /// Whether the record has nothing but a text.
    fn is_bare(&self) -> bool {
        !self.label.is_set()
            && (self.label == Label::NULL || self.value == 0 && self.depth_bound == 0)
    }

    /// Merges this record with another one of the same position: the better record, with
    /// the texts of both, and with the mark of the other if it has none. If both have a
    /// text on a cell, that of the better record stays.
    pub fn merged(&self, other: &Record) -> Record {
        let (better, worse) = if self.yields_to(other) { (other, self) } else { (self, other) };
        let mut merged = better.clone();
        if !better.label.is_set() && worse.label.is_set() {
            merged.label = worse.label;
        }
        let text = text::merged(&better.text, &worse.text);
        if text.len() <= MAX_TEXT {
            merged.text = text;
        }
        merged
    }
}

/// The text, truncated to what the file can hold. UTF-8 is cut between characters.
fn truncated(text: &[u8]) -> &[u8] {
    let Some((front, _)) = text.split_at_checked(MAX_TEXT) else { return text };
    match std::str::from_utf8(front) {
        Err(error) if error.error_len().is_none() => &front[..error.valid_up_to()],
        _ => front,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};
    use proptest::prelude::*;

    fn record(label: Label, value: i16, depth: i64, bound: Bound) -> Record {
        let mut record = Record { label, value, ..Record::default() };
        record.set_depth(depth, bound);
        record
    }

    /// The record after writing: [`Label::NULL`] with a text becomes [`Label::NONE`].
    fn as_written(record: Record) -> Record {
        let is_changed = record.label == Label::NULL && !record.text.is_empty();
        if is_changed { Record { label: Label::NONE, ..record } } else { record }
    }

    proptest! {
        #[test]
        fn written_records_are_read_back(
            label in any::<i8>(), value in any::<i16>(), depth_bound in any::<i16>(),
            text in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let record = Record { label: Label(label), value, depth_bound, text };
            prop_assert_eq!(Record::read(&record.write()), as_written(record));
        }

        #[test]
        fn arbitrary_bytes_are_a_record(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let record = Record::read(&bytes);
            prop_assert_eq!(Record::read(&record.write()), as_written(record));
        }
    }

    /// The rest of the last character made the whole text look like another encoding.
    #[test]
    fn a_text_too_long_for_the_file_is_cut_between_characters() {
        let long = "\u{9ed1}".repeat(MAX_TEXT / 3 + 1);
        for (text, length) in [
            (long.clone(), MAX_TEXT - 1),
            (format!("a{long}"), MAX_TEXT),
            (format!("ab{long}"), MAX_TEXT - 2),
            ("a".repeat(MAX_TEXT + 1), MAX_TEXT),
        ] {
            let record = Record { text: text.into_bytes(), ..Record::default() };
            let read = Record::read(&record.write());
            assert_eq!(read.text, record.text[..length]);
        }
    }

    #[test]
    fn depth_and_bound_share_a_word() {
        let bounds = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];
        for depth in [-8192, -1, 0, 1, 30, 8191] {
            for bound in bounds {
                let record = record(Label::NONE, 0, depth, bound);
                assert_eq!((i64::from(record.depth()), record.bound()), (depth, bound));
            }
        }
        assert_eq!(record(Label::NONE, 0, i64::MAX, Bound::Lower).depth(), 8191);
    }

    #[test]
    fn shown_texts() {
        let shown = |label, value, bound| record(label, value, 9, bound).shown();
        assert_eq!(shown(Label::WIN, -29_993, Bound::Exact), "w8");
        assert_eq!(shown(Label(b'W' as i8), -29_993, Bound::Exact), "W8");
        assert_eq!(shown(Label::LOSE, 29_990, Bound::Exact), "l11");
        assert_eq!(shown(Label::WIN, 29_990, Bound::Exact), "w*");
        assert_eq!(shown(Label::WIN, 0, Bound::None), "w*");
        assert_eq!(shown(Label::DRAW, -29_990, Bound::Exact), "d");
        assert_eq!(shown(Label(b'a' as i8), 0, Bound::None), "a");
        assert_eq!(shown(Label::NONE, 0, Bound::None), "");
        assert_eq!(shown(Label::NONE, 0, Bound::Exact), "50%");
        assert_eq!(shown(Label::NONE, -250, Bound::Exact), "73%");
        assert_eq!(shown(Label::NONE, -30_000, Bound::Exact), "99%");
        assert_eq!(shown(Label::NONE, 30_000, Bound::Exact), "0%");
        assert_eq!(shown(Label::NULL, 5, Bound::Exact), "");
    }

    #[test]
    fn a_searched_record_has_the_win_rate_of_the_score() {
        let shown = |score| Record::searched(score, 9).shown();
        // The win rate of the side that has just moved.
        assert_eq!([0, 200, -200].map(shown), ["50%", "26%", "73%"]);
        assert_eq!([win_in(7), loss_in(6)].map(shown), ["l8", "w7"]);
        let after = |score| Record::after_best(score, 9);
        assert_eq!(after(200).shown(), "73%");
        assert_eq!([win_in(7), loss_in(6)].map(|score| after(score).shown()), ["w7", "l6"]);
        assert_eq!((after(0).depth(), Record::after_best(0, 0).depth()), (8, 0));
        assert_eq!(after(win_in(1)), Record::searched(-WIN, 8));
    }

    #[test]
    fn the_better_record_stays() {
        let none = |depth, bound| record(Label::NONE, 50, depth, bound);
        let win = |plies, bound| record(Label::WIN, plies - MATE, 0, bound);
        assert!(Record::read(&[]).yields_to(&none(-3, Bound::None)));
        assert!(none(10, Bound::Exact).yields_to(&none(10, Bound::Exact)));
        assert!(none(10, Bound::Exact).yields_to(&none(14, Bound::Lower)));
        assert!(!none(10, Bound::Exact).yields_to(&none(13, Bound::Lower)));
        assert!(none(99, Bound::Exact).yields_to(&win(20, Bound::None)));
        assert!(!win(20, Bound::None).yields_to(&none(99, Bound::Exact)));
        assert!(win(20, Bound::None).yields_to(&win(18, Bound::None)));
        assert!(!win(20, Bound::Exact).yields_to(&win(20, Bound::None)));
        assert!(win(20, Bound::Exact).yields_to(&record(Label::DRAW, 0, 0, Bound::None)));
        assert!(none(9, Bound::Exact).yields_to(&record(Label::BEST, 0, 20, Bound::None)));
    }

    /// The record of a position that was only looked at replaced a mark, and a record of another
    /// program.
    #[test]
    fn a_mark_is_kept_and_a_bare_record_replaces_none() {
        let best = record(Label::BEST, 0, 0, Bound::None);
        for nothing in [Record::default(), Record::read(&[])] {
            assert_eq!(best.merged(&nothing), best);
            assert_eq!(nothing.merged(&best), best);
        }
        let deep = record(Label::NONE, 40, 12, Bound::Exact);
        let both = Record { label: Label::BEST, ..deep.clone() };
        assert_eq!(best.merged(&deep), both);
        assert_eq!(both.merged(&deep), both, "a second merge changes nothing");
        let win = record(Label::WIN, 0, 0, Bound::None);
        assert_eq!(best.merged(&win).label, Label::WIN);
        let shallow = record(Label::NONE, 40, 0, Bound::None);
        assert_eq!(shallow.merged(&Record::default()), shallow);
        let commented = Record { text: b"said".to_vec(), ..deep };
        let null = Record { text: b"null".to_vec(), ..Record::read(&[]) };
        let merged = commented.merged(&null);
        assert_eq!((merged.label, &merged.text[..]), (Label::NONE, &b"said\nnull"[..]));
    }
}
