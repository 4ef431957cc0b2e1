//! Converts typographic and East Asian characters to the plain ones they stand for: full-width
//! letters, dashes, numbers in circles.

use std::borrow::Cow;

/// A text in plain characters that maps positions to the original text.
pub(super) struct Folded<'a> {
    pub(super) text: Cow<'a, str>,
    /// Positions at which the offset changes: in the folded text and in the original.
    steps: Vec<(usize, usize)>,
}

impl<'a> Folded<'a> {
    pub(super) fn of(text: &'a str) -> Folded<'a> {
        let is_plain = text.is_ascii() || text.chars().all(|c| plain(c).is_none());
        if is_plain {
            return Folded { text: text.into(), steps: Vec::new() };
        }
        let (mut folded, mut steps) = (String::with_capacity(text.len()), Vec::new());
        for (at, c) in text.char_indices() {
            let before = folded.len();
            match plain(c) {
                Some(Plain::Sign(sign)) => folded.push(sign),
                Some(Plain::Text(text)) => folded.push_str(text),
                Some(Plain::Number(number)) => folded.push_str(&format!(" {number}. ")),
                None => folded.push(c),
            }
            if folded.len() - before != c.len_utf8() {
                steps.push((folded.len(), at + c.len_utf8()));
            }
        }
        Folded { text: folded.into(), steps }
    }

    /// Returns the position in the original text.
    pub(super) fn place(&self, at: usize) -> usize {
        let last = self.steps.partition_point(|&(folded, _)| folded <= at).checked_sub(1);
        last.map_or(at, |last| self.steps[last].1 + (at - self.steps[last].0))
    }
}

/// The plain form of a character.
enum Plain {
    Sign(char),
    Text(&'static str),
    /// The number of a move.
    Number(u32),
}

fn plain(c: char) -> Option<Plain> {
    Some(match c {
        '\u{ff01}'..='\u{ff5e}' => Plain::Sign(char::from(u8::try_from(c as u32 - 0xfee0).ok()?)),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Plain::Sign('-'),
        '…' => Plain::Text("..."),
        '①'..='⑳' => Plain::Number(c as u32 - '①' as u32 + 1),
        // Zero-width characters, direction marks and variation selectors.
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'
        | '\u{feff}'
        | '\u{ad}'
        | '\u{fe0f}' => Plain::Text(""),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_characters_keep_their_places() {
        let text = "①Ｈ８–i9\u{200b} ｊ10";
        let folded = Folded::of(text);
        assert_eq!(folded.text, " 1. H8-i9 j10");
        for (word, original) in [("H8", "Ｈ"), ("i9", "i9"), ("j10", "ｊ")] {
            let at = folded.text.find(word).unwrap();
            assert_eq!(folded.place(at), text.find(original).unwrap(), "{word}");
        }
        assert!(matches!(Folded::of("h8 黑").text, Cow::Borrowed("h8 黑")));
        assert_eq!(Folded::of("h8").place(1), 1);
    }
}
