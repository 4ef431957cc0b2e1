//! Code pages of the texts in a library.

use encoding_rs::{Encoding, GBK, UTF_8, WINDOWS_1252};

/// How the texts of a library are written. The file does not tell: RenLib
/// leaves it to the computer it runs on. Texts are therefore kept as bytes,
/// and only shown through a code page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodePage(&'static Encoding);

impl CodePage {
    /// That of younger programs.
    pub const UTF_8: CodePage = CodePage(UTF_8);
    /// Simplified Chinese.
    pub const GBK: CodePage = CodePage(GBK);
    /// Western Europe. Every byte has a character.
    pub const WINDOWS_1252: CodePage = CodePage(WINDOWS_1252);

    /// The code page of a name as web pages use them, such as `windows-1251`
    /// or `shift_jis`.
    pub fn named(name: &str) -> Option<CodePage> {
        let page = Encoding::for_label(name.as_bytes())?;
        // The others would write bytes 0, which end a text.
        (page.is_ascii_compatible() && page.output_encoding() == page).then_some(CodePage(page))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The code page that suits most of some texts: UTF-8 if half of those
    /// that are not plain ASCII are well formed in it, else GBK if half of them
    /// have nothing but ASCII and pairs of bytes as common Chinese has them,
    /// else Windows-1252.
    pub fn guess<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> CodePage {
        let (mut texts_seen, mut utf_8, mut chinese) = (0usize, 0, 0);
        for text in texts.into_iter().filter(|text| !text.is_ascii()) {
            texts_seen += 1;
            utf_8 += usize::from(std::str::from_utf8(text).is_ok());
            chinese += usize::from(is_gb2312(text));
        }
        match texts_seen {
            0 => CodePage::UTF_8,
            all if 2 * utf_8 >= all => CodePage::UTF_8,
            all if 2 * chinese >= all => CodePage::GBK,
            _ => CodePage::WINDOWS_1252,
        }
    }

    /// The text of some bytes. Bytes that have no meaning in the code page are
    /// taken for Windows-1252, all of them, so that nothing is left out.
    pub fn decode(self, bytes: &[u8]) -> String {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes);
        text.unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0).into_owned()
    }

    /// The bytes of a text; `None` if it has characters that the code page
    /// lacks.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        let (bytes, _, lossy) = self.0.encode(text);
        (!lossy).then(|| bytes.into_owned())
    }
}

/// Whether all that is not ASCII are pairs in the rows of GB 2312 that are in
/// use: signs, letters, and characters from row 16 on. GBK has more, but
/// there any text of Western Europe might pass.
fn is_gb2312(text: &[u8]) -> bool {
    let mut bytes = text.iter();
    while let Some(&first) = bytes.next() {
        let pair = match first {
            0..0x80 => continue,
            0xa1..=0xa9 | 0xb0..=0xf7 => bytes.next(),
            _ => return false,
        };
        if !pair.is_some_and(|second| (0xa1..=0xfe).contains(second)) {
            return false;
        }
    }
    true
}
