//! Texts of files that do not say that theirs are UTF-8: older programs wrote them in the
//! code page of their system, mostly GBK.

use super::store::Store;
use goren_core::record::text::CodePage;

/// Texts that the code page is guessed from, at most.
const MOST_GUESSED: usize = 10_000;
/// Bytes beyond ASCII that the guess needs: of fewer it may be wrong.
const LEAST_BYTES: usize = 12;

/// Texts of a file that were no UTF-8.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// The code page that they are taken to be in.
    pub page: CodePage,
    /// How many of them were converted.
    pub texts: u64,
}

/// Converts texts that are no UTF-8 from the code page that suits most of them. A text
/// that could not be written back as it was stays as it is. `None` if all are UTF-8.
pub(super) fn to_utf8(store: &mut Store) -> Option<Converted> {
    if store.is_utf8() {
        return None;
    }
    let foreign: Vec<_> =
        store.iter().filter(|(_, record)| std::str::from_utf8(&record.text).is_err()).collect();
    let texts = foreign.iter().take(MOST_GUESSED).map(|(_, record)| &record.text[..]);
    let beyond = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii()).count();
    if texts.clone().map(beyond).sum::<usize>() < LEAST_BYTES {
        return None;
    }
    let page = CodePage::guess(texts);
    let mut converted = Converted { page, texts: 0 };
    for (key, mut record) in foreign {
        let text = page.decode(&record.text);
        if page.encode(&text).is_some_and(|back| back == record.text) {
            record.text = text.into_bytes();
            store.set(&key, &record);
            converted.texts += 1;
        }
    }
    Some(converted)
}
