//! The signs of drawn boards and their meanings: some signs are stones only if certain others do
//! not occur.

use std::collections::BTreeMap;

use crate::types::Color;

/// The class of a sign, before its meaning on a board is known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SignClass {
    Black,
    White,
    Empty,
    /// `0 1 2`: empty, Black, White; beside an X a `0` is an O.
    Digit,
    /// Empty, or Black if there is no other sign for Black.
    Open,
    /// Black; the newest stone if there is another sign for Black.
    NewBlack,
    /// The same for White.
    NewWhite,
    /// A filled square: Black.
    Solid,
    /// A hollow square: White among squares, an empty point among circles.
    Hollow,
}

/// Converts a full-width character to the plain one.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// Returns the class of a sign; `None` for other characters.
pub(super) fn class(sign: char) -> Option<SignClass> {
    Some(match sign {
        'X' | 'x' | 'B' | 'b' | '@' | '●' | '⚫' | '⬤' | '×' | '✕' | '✖' | '❌' | '黑' => {
            SignClass::Black
        }
        'O' | 'o' | 'W' | 'w' | '○' | '⚪' | '◯' | '〇' | '⭕' | '白' => SignClass::White,
        '.' | '-' | '_' | ',' | '·' | '・' | '∙' | '~' | '十' => SignClass::Empty,
        '\u{250c}'..='\u{254b}' | '\u{2552}'..='\u{256c}' => SignClass::Empty,
        '0'..='9' => SignClass::Digit,
        '*' | '+' | '#' => SignClass::Open,
        '◆' | '◉' => SignClass::NewBlack,
        'Q' | '◎' | '⊙' | '◇' => SignClass::NewWhite,
        '■' | '⬛' => SignClass::Solid,
        '□' | '⬜' => SignClass::Hollow,
        _ => return None,
    })
}

/// Meaning of a sign on a board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Empty,
    Stone(Color),
    /// The newest stone.
    Newest(Color),
}

/// The signs of a board and what they mean.
pub(super) struct Meanings {
    of: BTreeMap<char, Meaning>,
    /// Messages about the meanings, each with whether it is a guess.
    pub(super) messages: Vec<(String, bool)>,
}

impl Meanings {
    pub(super) fn of(&self, sign: char) -> Option<Meaning> {
        self.of.get(&sign).copied()
    }
}

/// How often the signs of a board occur, and their colours in a legend.
pub(super) struct SignCounts<'a> {
    pub(super) counts: &'a BTreeMap<char, usize>,
    pub(super) legend: &'a BTreeMap<char, Color>,
}

impl SignCounts<'_> {
    fn count(&self, color: Color, class_of: SignClass) -> usize {
        let is_of = |sign: char| match self.legend.get(&sign) {
            Some(declared) => *declared == color,
            None => class(sign) == Some(class_of),
        };
        self.counts.iter().filter(|(sign, _)| is_of(**sign)).map(|(_, count)| count).sum()
    }

    fn has(&self, class_of: SignClass) -> bool {
        self.counts.keys().any(|&sign| class(sign) == Some(class_of))
    }

    /// Finds the meaning of each sign; signs without meaning on this board are left out.
    pub(super) fn meanings(&self) -> Meanings {
        let black = self.count(Color::Black, SignClass::Black);
        let white = self.count(Color::White, SignClass::White);
        let mut meanings = Meanings { of: BTreeMap::new(), messages: Vec::new() };
        self.digits(black, white, &mut meanings);
        let mut set = |sign, meaning| meanings.of.insert(sign, meaning);
        let (dark, light) = (Meaning::Stone(Color::Black), Meaning::Stone(Color::White));
        let squares = self.has(SignClass::Solid) && black + white == 0;
        // A second sign for a colour marks its newest stone.
        let newest = |color, others: usize, count| match (others, count) {
            (1.., 1) => Meaning::Newest(color),
            _ => Meaning::Stone(color),
        };
        for (&sign, &count) in self.counts {
            match class(sign) {
                _ if self.legend.contains_key(&sign) => None,
                Some(SignClass::Black) => set(sign, dark),
                Some(SignClass::White) => set(sign, light),
                Some(SignClass::Empty) => set(sign, Meaning::Empty),
                Some(SignClass::NewBlack) => set(sign, newest(Color::Black, black, count)),
                Some(SignClass::NewWhite) => set(sign, newest(Color::White, white, count)),
                Some(SignClass::Solid) => set(sign, dark),
                Some(SignClass::Hollow) if squares => set(sign, light),
                Some(SignClass::Hollow) => set(sign, Meaning::Empty),
                Some(SignClass::Digit | SignClass::Open) | None => None,
            };
        }
        self.open(&mut meanings, black);
        for (&sign, &color) in self.legend {
            meanings.of.insert(sign, Meaning::Stone(color));
        }
        meanings
    }

    /// Sets the meanings of `0 1 2`.
    fn digits(&self, black: usize, white: usize, meanings: &mut Meanings) {
        let has = |sign| self.counts.contains_key(&sign) && !self.legend.contains_key(&sign);
        let alone = black + white == 0 || !self.legend.is_empty();
        let (dark, light) = (Meaning::Stone(Color::Black), Meaning::Stone(Color::White));
        let nothing = self.has(SignClass::Empty) || self.has(SignClass::Open);
        let zero = match (alone, black > 0 && white == 0) {
            (true, _) if has('1') && !has('2') && nothing => light,
            (true, _) => Meaning::Empty,
            (false, true) => light,
            (false, false) => Meaning::Empty,
        };
        let mut readings = Vec::new();
        if has('0') && (alone || zero == light || !nothing) {
            meanings.of.insert('0', zero);
            readings.push(if zero == light { "0 as White" } else { "0 as an empty point" });
        }
        if alone {
            for (sign, meaning, text) in [('1', dark, "1 as Black"), ('2', light, "2 as White")] {
                if has(sign) {
                    meanings.of.insert(sign, meaning);
                    readings.push(text);
                }
            }
        }
        if !readings.is_empty() {
            let guess = zero == light && black == 0;
            let readings = readings.join(", ");
            let text = format!("read {readings}; a line such as 1=White 2=Black overrides this");
            meanings.messages.push((text, guess));
        }
    }

    /// Sets the meanings of `* + #`: one of them is Black if White has stones, Black has no other
    /// sign, and the numbers fit. `#` is Black also if they do not fit, or if it may be Black's
    /// newest stone. Otherwise they are empty points.
    fn open(&self, meanings: &mut Meanings, black: usize) {
        let count_of = |color| {
            let is = |sign: &char| meanings.of.get(sign) == Some(&Meaning::Stone(color));
            self.counts.iter().filter(|(sign, _)| is(sign)).map(|(_, count)| *count).sum::<usize>()
        };
        let (dark, white) = (count_of(Color::Black), count_of(Color::White));
        let fits = |count: usize| white > 0 && dark == 0 && (count == white || count == white + 1);
        let mut taken = false;
        for (&sign, &count) in self.counts {
            if class(sign) != Some(SignClass::Open) || self.legend.contains_key(&sign) {
                continue;
            }
            // Old versions of figrid mark Black's newest stone by #.
            let newest = sign == '#' && count == 1 && black > 0;
            let is_black = !taken && fits(count) || sign == '#' && dark == 0;
            let meaning = match (newest, is_black) {
                (true, _) => Meaning::Newest(Color::Black),
                (false, true) => Meaning::Stone(Color::Black),
                (false, false) => Meaning::Empty,
            };
            taken |= is_black;
            meanings.of.insert(sign, meaning);
            if meaning != Meaning::Empty {
                let text =
                    format!("{sign} is read as Black; a line such as {sign}=White overrides this");
                meanings.messages.push((text, !newest && !fits(count)));
            } else if sign == '#' {
                meanings.messages.push(("# is read as an empty point".into(), true));
            }
        }
    }
}
