//! Guesses the code page of texts by how common characters are encoded.

use super::code_page::CodePage;

/// Tests whether a text that is not plain ASCII looks like one in a code page.
type Test = fn(&[u8]) -> bool;

/// The tests in order. The first one that at least half of the texts pass decides.
const TESTS: [(CodePage, Test); 8] = [
    (CodePage::UTF_8, |text| std::str::from_utf8(text).is_ok()),
    (CodePage::EUC_JP, is_euc_jp),
    (CodePage::EUC_KR, is_euc_kr),
    (CodePage::GBK, is_gb2312),
    (CodePage::SHIFT_JIS, is_shift_jis),
    (CodePage::BIG5, is_big5),
    (CodePage::GBK, is_gbk),
    (CodePage::WINDOWS_1252, |_| true),
];

impl CodePage {
    /// Guesses the code page of texts by how common characters are encoded: UTF-8 if at least half
    /// of the texts that are not plain ASCII are well formed in it, else one of East Asia if half
    /// of them look like it, else Windows-1252.
    pub fn guess<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> CodePage {
        let (mut all, mut passed) = (0usize, [0; TESTS.len()]);
        for text in texts.into_iter().filter(|text| !text.is_ascii()) {
            all += 1;
            for ((_, test), passed) in TESTS.iter().zip(&mut passed) {
                *passed += usize::from(test(text));
            }
        }
        let best = TESTS.iter().zip(passed).find(|(_, passed)| 2 * passed >= all);
        best.map_or(CodePage::UTF_8, |((page, _), _)| *page)
    }
}

/// Guesses the code page of a file whose texts stand between brackets, quotes or line breaks.
pub(super) fn guess_file(bytes: &[u8]) -> CodePage {
    if std::str::from_utf8(bytes).is_ok() {
        // ISO-2022-JP, as in Japanese mail of the nineties.
        let escape = |three: &[u8]| matches!(three, [0x1b, b'$', b'B' | b'@']);
        let escapes = bytes.contains(&0x1b) && bytes.windows(3).any(escape);
        return if escapes { CodePage::ISO_2022_JP } else { CodePage::UTF_8 };
    }
    CodePage::guess(bytes.split(|byte| matches!(byte, b'[' | b']' | b'"' | b'\n' | b'\r')))
}

/// Returns the byte pairs of a text whose first byte is not ASCII; `None` if the last pair is cut
/// off.
fn pairs(text: &[u8]) -> Option<Vec<Pair>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        if text[at].is_ascii() {
            at += 1;
            continue;
        }
        let second = *text.get(at + 1)?;
        let letter = at > 0 && text[at - 1].is_ascii_alphabetic();
        found.push(Pair { first: text[at], second, at, letter });
        at += 2;
    }
    Some(found)
}

/// Two bytes that may be an East Asian character.
#[derive(Copy, Clone)]
struct Pair {
    first: u8,
    second: u8,
    at: usize,
    /// Whether a Latin letter stands before it.
    letter: bool,
}

/// Whether two pairs are adjacent, which is common in East Asian words but rare for accented
/// letters of Latin words.
fn has_neighbours(pairs: &[Pair]) -> bool {
    pairs.windows(2).any(|two| two[1].at == two[0].at + 2)
}

/// Whether all bytes that are not ASCII are pairs in the used rows of GB 2312: signs, letters, and
/// characters from row 16 on. GBK has more rows, but almost any text of Western Europe would
/// pass as GBK.
fn is_gb2312(text: &[u8]) -> bool {
    pairs(text).is_some_and(|pairs| pairs.iter().all(is_gb2312_pair))
}

fn is_gb2312_pair(pair: &Pair) -> bool {
    matches!(pair.first, 0xa1..=0xa9 | 0xb0..=0xf7) && matches!(pair.second, 0xa1..=0xfe)
}

/// Whether a text is well-formed GBK and mostly GB 2312.
fn is_gbk(text: &[u8]) -> bool {
    let Some(pairs) = pairs(text) else { return false };
    let plain = pairs.iter().filter(|pair| is_gb2312_pair(pair)).count();
    has_neighbours(&pairs) && 2 * plain >= pairs.len() && CodePage::GBK.is_text(text)
}

/// Whether a text has the form of GB 2312 but at least a quarter of it is kana, which Chinese
/// does not use.
fn is_euc_jp(text: &[u8]) -> bool {
    let Some(pairs) = pairs(text) else { return false };
    let kana = pairs.iter().filter(|pair| matches!(pair.first, 0xa4 | 0xa5)).count();
    4 * kana >= pairs.len() && kana > 0 && pairs.iter().all(is_gb2312_pair)
}

/// Whether a text has the form of GB 2312, at least six pairs, and all of them in the rows of
/// Hangul. Only three fifths of common Chinese characters are in these rows.
fn is_euc_kr(text: &[u8]) -> bool {
    let hangul = |pair: &Pair| matches!(pair.first, 0xb0..=0xc8) && pair.second >= 0xa1;
    pairs(text).is_some_and(|pairs| pairs.len() >= 6 && pairs.iter().all(hangul))
}

/// Whether a text is well-formed Shift JIS and at least half of it is kana or common kanji.
fn is_shift_jis(text: &[u8]) -> bool {
    if !CodePage::SHIFT_JIS.is_text(text) {
        return false;
    }
    let (mut all, mut common, mut apart, mut at) = (0, 0, 0, 0);
    while at < text.len() {
        let (first, second) = (text[at], text.get(at + 1).copied().unwrap_or(0));
        at += match first {
            0..0x80 => 1,
            // Half-width katakana.
            0xa1..=0xdf => {
                all += 1;
                1
            }
            _ => {
                all += 1;
                let kana = matches!(
                    (first, second),
                    (0x81, _) | (0x82, 0x9f..=0xf1) | (0x83, 0x40..=0x96)
                );
                let kanji = matches!(first, 0x88..=0x97);
                // Quotes and dashes of Windows-1252, as in `don't`, look like this.
                let letter = at > 0 && text[at - 1].is_ascii_alphabetic();
                apart += usize::from(letter && second.is_ascii_alphabetic() && !kana);
                common += usize::from(kana || kanji);
                2
            }
        };
    }
    2 * common >= all && 2 * apart < all
}

/// Whether a text is well-formed Big5, nearly all common characters, two of them adjacent.
fn is_big5(text: &[u8]) -> bool {
    let Some(pairs) = pairs(text) else { return false };
    let common = |pair: &&Pair| matches!(pair.first, 0xa1..=0xc6) && !pair.letter;
    let mostly_common = 10 * pairs.iter().filter(common).count() >= 9 * pairs.len();
    mostly_common && has_neighbours(&pairs) && CodePage::BIG5.is_text(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, page: &str) -> &'static str {
        let bytes = CodePage::named(page).unwrap().encode(text).unwrap();
        guess_file(&[&bytes, &b"\nplain"[..]].concat()).name()
    }

    #[test]
    fn common_texts_are_recognised() {
        for (text, page) in [
            ("hello", "UTF-8"),
            ("h\u{e9}llo", "UTF-8"),
            ("五子棋规则:黑方先行", "GBK"),
            ("這一局白棋很好,黑棋輸了", "Big5"),
            ("功蓋", "Big5"),
            ("ソフト能力表", "Shift_JIS"),
            ("能", "Shift_JIS"),
            ("これは五目並べです", "EUC-JP"),
            ("これは五目並べです", "ISO-2022-JP"),
            ("오목은 재미있는 놀이입니다", "EUC-KR"),
            ("Sjöberg, Müller, René", "windows-1252"),
            ("Ärger über Öl", "windows-1252"),
            ("don\u{2019}t \u{201c}move\u{201d} \u{2013} here", "windows-1252"),
        ] {
            assert_eq!(of(text, page), page, "{text}");
        }
    }
}
