//! Text encodings.

use std::borrow::Cow;

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1252,
};

/// The encoding of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePage(&'static Encoding);

/// Names that programs write but web pages do not use, in small letters and digits.
const OTHER_NAMES: [(&str, CodePage); 20] = [
    ("65001", CodePage::UTF_8),
    ("utf8bom", CodePage::UTF_8),
    ("utf8sig", CodePage::UTF_8),
    ("unicode", CodePage::UTF_16LE),
    ("936", CodePage::GBK),
    ("cp936", CodePage::GBK),
    ("ms936", CodePage::GBK),
    ("euccn", CodePage::GBK),
    ("54936", CodePage(GB18030)),
    ("932", CodePage::SHIFT_JIS),
    ("cp932", CodePage::SHIFT_JIS),
    ("sjiswin", CodePage::SHIFT_JIS),
    ("jis", CodePage::ISO_2022_JP),
    ("950", CodePage::BIG5),
    ("cp950", CodePage::BIG5),
    ("949", CodePage::EUC_KR),
    ("cp949", CodePage::EUC_KR),
    ("uhc", CodePage::EUC_KR),
    ("ansi", CodePage::WINDOWS_1252),
    ("latin9", CodePage::LATIN_9),
];

impl CodePage {
    /// UTF-8; newer programs write it.
    pub const UTF_8: CodePage = CodePage(UTF_8);
    /// Simplified Chinese.
    pub const GBK: CodePage = CodePage(GBK);
    /// Western Europe. Every byte has a character.
    pub const WINDOWS_1252: CodePage = CodePage(WINDOWS_1252);
    pub(super) const UTF_16LE: CodePage = CodePage(UTF_16LE);
    pub(super) const UTF_16BE: CodePage = CodePage(UTF_16BE);
    pub(in crate::record) const SHIFT_JIS: CodePage = CodePage(SHIFT_JIS);
    pub(super) const EUC_JP: CodePage = CodePage(EUC_JP);
    pub(super) const ISO_2022_JP: CodePage = CodePage(ISO_2022_JP);
    pub(super) const BIG5: CodePage = CodePage(BIG5);
    pub(super) const EUC_KR: CodePage = CodePage(EUC_KR);
    const LATIN_9: CodePage = CodePage(encoding_rs::ISO_8859_15);

    /// Returns the code page of a name that web pages or programs use, such as
    /// `windows-1251`, `Shift_JIS`, `GB2312` or `cp936`.
    pub fn named(name: &str) -> Option<CodePage> {
        let label = |text: &str| Encoding::for_label_no_replacement(text.as_bytes());
        if let Some(page) = label(name) {
            return Some(CodePage(page));
        }
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_ascii_lowercase();
        if let Some(&(_, page)) = OTHER_NAMES.iter().find(|(other, _)| *other == plain) {
            return Some(page);
        }
        let windows = ["windows", "win", "cp", "ms"];
        let number = windows.iter().find_map(|before| plain.strip_prefix(before));
        let iso = plain.strip_prefix("iso8859").or_else(|| plain.strip_prefix("8859"));
        let gb = plain.strip_prefix("gb").map(|rest| format!("gb{rest}"));
        let others = [
            number.map(|number| format!("windows-{number}")),
            iso.map(|part| format!("iso-8859-{part}")),
            gb,
            // Blanks, hyphens and underscores vary.
            Some(plain.clone()),
            plain.strip_prefix("utf").map(|rest| format!("utf-{rest}")),
            plain.strip_prefix("euc").map(|rest| format!("euc-{rest}")),
            plain.strip_prefix("koi8").map(|rest| format!("koi8-{rest}")),
            plain.strip_prefix("shift").map(|rest| format!("shift_{rest}")),
        ];
        others.into_iter().flatten().find_map(|text| label(&text)).map(CodePage)
    }

    /// Returns the name of the code page.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether the texts of a RenLib library can be in this code page. The others would write
    /// bytes 0, which end a text, or change the meaning of ASCII bytes.
    pub fn suits_libraries(self) -> bool {
        self.0.is_ascii_compatible() && self.0.output_encoding() == self.0
    }

    /// Whether the code page is UTF-16, in which ASCII bytes do not stand for themselves.
    pub(in crate::record) fn is_utf_16(self) -> bool {
        self == CodePage::UTF_16LE || self == CodePage::UTF_16BE
    }

    /// Whether every character is one byte.
    pub(in crate::record) fn is_single_byte(self) -> bool {
        self.0.is_single_byte()
    }

    /// Decodes bytes. If any byte is malformed in the code page, all of them are decoded as
    /// Windows-1252, so that nothing is lost.
    pub fn decode(self, bytes: &[u8]) -> String {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes);
        text.unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0).into_owned()
    }

    /// Decodes bytes, and returns whether all of them are well formed in the code page. Malformed
    /// bytes are replaced by U+FFFD.
    pub(in crate::record) fn decode_lossy(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        let (text, damaged) = self.0.decode_without_bom_handling(bytes);
        (text, !damaged)
    }

    /// Whether all bytes are well formed in the code page.
    pub(super) fn is_text(self, bytes: &[u8]) -> bool {
        self.0.decode_without_bom_handling_and_without_replacement(bytes).is_some()
    }

    /// Maps the byte `at` of the text from [`decode_lossy`](Self::decode_lossy) to the first
    /// source byte of its character; the number of source bytes if `at` is beyond the end.
    pub(super) fn byte_of(self, bytes: &[u8], at: usize) -> usize {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (mut written, mut begin) = (0, 0);
        // Room for a character and the replacement of a malformed one before it.
        let mut room = [0; 16];
        for (byte, one) in bytes.iter().enumerate() {
            let (_, _, more, _) =
                decoder.decode_to_utf8(std::slice::from_ref(one), &mut room, false);
            if more > 0 {
                written += more;
                if written > at {
                    return begin;
                }
                begin = byte + 1;
            }
        }
        begin.min(bytes.len())
    }

    /// Returns the position of the first malformed byte.
    pub(super) fn first_damage(self, bytes: &[u8]) -> Option<usize> {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let mut read = 0;
        let mut room = [0; 4096];
        loop {
            let (result, taken, _) =
                decoder.decode_to_utf8_without_replacement(&bytes[read..], &mut room, true);
            read += taken;
            match result {
                encoding_rs::DecoderResult::InputEmpty => return None,
                encoding_rs::DecoderResult::OutputFull => {}
                encoding_rs::DecoderResult::Malformed(length, after) => {
                    return Some(read.saturating_sub(usize::from(length) + usize::from(after)));
                }
            }
        }
    }

    /// Encodes a text; `None` if the code page lacks one of its characters.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        let (bytes, _, lossy) = self.0.encode(text);
        (!lossy).then(|| bytes.into_owned())
    }

    /// Returns the number of bytes to step over at `at`, such that a byte which looks like ASCII
    /// but is the second half of a character is not visited. `shifted` is carried from step to
    /// step: whether an escape sequence of ISO-2022-JP is in force.
    pub(in crate::record) fn step(self, bytes: &[u8], at: usize, shifted: &mut bool) -> usize {
        let (first, next) = (bytes[at], bytes.get(at + 1).copied().unwrap_or(0));
        let pair = if self == CodePage::SHIFT_JIS {
            let lead = matches!(first, 0x81..=0x9f | 0xe0..=0xfc);
            lead && matches!(next, 0x40..=0x7e | 0x80..=0xfc)
        } else if [CodePage::GBK, CodePage::BIG5, CodePage(GB18030)].contains(&self) {
            matches!(first, 0x81..=0xfe) && matches!(next, 0x40..=0x7e | 0x80..=0xfe)
        } else if self == CodePage::ISO_2022_JP {
            match (first, next) {
                (0x1b, b'$') => *shifted = true,
                // At the end of a line the encoding returns to ASCII.
                (0x1b, b'(') | (b'\n', _) => *shifted = false,
                _ => {}
            }
            if first == 0x1b {
                return 3.min(bytes.len() - at);
            }
            *shifted && first > 0x20
        } else {
            false
        };
        if pair && at + 1 < bytes.len() { 2 } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn code_pages_have_many_names() {
        for (names, page) in [
            (&["UTF-8", "utf8", "UTF_8", "65001", "utf-8-sig"][..], "UTF-8"),
            (
                &["Shift_JIS", "Shift-JIS", "shiftjis", "SJIS", "cp932", "MS932", "windows-31j"],
                "Shift_JIS",
            ),
            (&["GBK", "GB2312", "gb_2312-80", "GB-2312", "cp936", "936", "x-gbk", "EUC-CN"], "GBK"),
            (&["GB18030", "gb-18030", "GB 18030"], "gb18030"),
            (&["Big5", "big-5", "BIG5-HKSCS", "cp950"], "Big5"),
            (&["EUC-KR", "euckr", "ks_c_5601-1987", "cp949", "UHC", "windows-949"], "EUC-KR"),
            (&["EUC-JP", "eucjp"], "EUC-JP"),
            (&["ISO-2022-JP", "JIS"], "ISO-2022-JP"),
            (
                &[
                    "ISO-8859-1",
                    "ISO8859-1",
                    "iso_8859-1",
                    "latin1",
                    "Latin-1",
                    "US-ASCII",
                    "cp1252",
                    "ANSI",
                ],
                "windows-1252",
            ),
            (&["ISO-8859-2", "iso8859_2", "latin2"], "ISO-8859-2"),
            (&["windows-1251", "cp1251", "Windows1251", "win-1251"], "windows-1251"),
            (&["KOI8-R", "koi8r"], "KOI8-R"),
            (&["UTF-16", "utf16le", "Unicode"], "UTF-16LE"),
        ] {
            for name in names {
                assert_eq!(CodePage::named(name).map(CodePage::name), Some(page), "{name}");
            }
        }
        for name in ["", "nonsense", "UTF-7", "HZ", "437", "utf-32"] {
            assert_eq!(CodePage::named(name), None, "{name}");
        }
        assert!(CodePage::UTF_8.suits_libraries() && !CodePage::UTF_16LE.suits_libraries());
        assert!(!CodePage::ISO_2022_JP.suits_libraries());
    }

    #[test]
    fn the_first_damage_is_found() {
        assert_eq!(CodePage::UTF_8.first_damage("é".as_bytes()), None);
        assert_eq!(CodePage::UTF_8.first_damage(b"ab\xffc"), Some(2));
        assert_eq!(CodePage::UTF_8.first_damage(b"ab\xe4\xb8"), Some(2));
        assert_eq!(CodePage::SHIFT_JIS.first_damage(b"ab\x94\x5c\xff"), Some(4));
        let long = [vec![b'a'; 10_000], vec![0xff]].concat();
        assert_eq!(CodePage::GBK.first_damage(&long), Some(10_000));
    }

    fn pages() -> impl Strategy<Value = CodePage> {
        prop::sample::select(vec![
            CodePage::UTF_8,
            CodePage::GBK,
            CodePage(GB18030),
            CodePage::SHIFT_JIS,
            CodePage::EUC_JP,
            CodePage::ISO_2022_JP,
            CodePage::BIG5,
            CodePage::EUC_KR,
            CodePage::WINDOWS_1252,
        ])
    }

    proptest! {
        #[test]
        fn steps_visit_only_ascii_characters_of_the_text(
            page in pages(),
            text in "[a\\]\\\\能ソ表功許あ中한é\u{4e00}-\u{4eff}]{0,12}",
        ) {
            let Some(bytes) = page.encode(&text) else { return Ok(()) };
            let (mut at, mut shifted) = (0, false);
            let mut plain = String::new();
            while at < bytes.len() {
                let length = page.step(&bytes, at, &mut shifted);
                if length == 1 && matches!(bytes[at], b'a' | b'\\' | b']') {
                    plain.push(char::from(bytes[at]));
                }
                at += length;
            }
            let expected: String =
                text.chars().filter(|c| matches!(c, 'a' | '\\' | ']')).collect();
            prop_assert_eq!(plain, expected);
        }

        #[test]
        fn positions_map_to_the_bytes_of_the_prefix(
            page in pages(),
            text in "[a\\]能ソ表功許あ中한é]{0,12}",
            at in 0..13usize,
        ) {
            let Some(bytes) = page.encode(&text) else { return Ok(()) };
            let decoded = page.decode_lossy(&bytes).0.into_owned();
            prop_assert_eq!(&decoded, &text);
            let place = text.char_indices().nth(at).map_or(text.len(), |(place, _)| place);
            let byte = page.byte_of(&bytes, place);
            let (before, _) = page.decode_lossy(&bytes[..byte]);
            prop_assert!(text[..place].starts_with(&*before));
        }

        #[test]
        fn any_bytes_are_decoded(
            page in pages(),
            bytes in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let (mut at, mut shifted) = (0, false);
            while at < bytes.len() {
                at += page.step(&bytes, at, &mut shifted);
            }
            prop_assert_eq!(at, bytes.len());
            let (text, whole) = page.decode_lossy(&bytes);
            prop_assert_eq!(page.first_damage(&bytes).is_none(), whole);
            for place in 0..=text.len() {
                prop_assert!(page.byte_of(&bytes, place) <= bytes.len());
            }
        }
    }
}
