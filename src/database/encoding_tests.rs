//! Databases with texts in encodings other than UTF-8.

use tempfile::tempdir;

use super::tests::{key, open};
use super::*;

/// "Black wins, fifth move" in Chinese, and the same in GBK.
const WORDS: &str = "\u{9ed1}\u{68cb}\u{80dc}\u{ff0c}\u{7b2c}\u{4e94}\u{624b}";
const GBK: &[u8] = b"\xba\xda\xc6\xe5\xca\xa4\xa3\xac\xb5\xda\xce\xe5\xca\xd6";

/// Writes a file that does not name the encoding of its texts.
fn old_file(path: &Path, texts: &[&[u8]]) {
    let mut store = Store::default();
    for (x, text) in texts.iter().enumerate() {
        let record = Record { text: text.to_vec(), ..Record::default() };
        store.set(&key(&[(x, 0)]), &record);
    }
    let mut file = Vec::new();
    write::write(&store, &mut file, false, false).unwrap();
    fs::write(path, file).unwrap();
}

fn comment(database: &Database, x: usize) -> String {
    text::comment(&database.store().get(&key(&[(x, 0)])).unwrap().text)
}

fn says_utf8(path: &Path) -> bool {
    read::read(File::open(path).unwrap()).utf8
}

/// A text that could not be converted stayed unconverted among converted ones, in a file that
/// did not name its encoding.
#[test]
fn a_cut_text_is_converted_with_all_others() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("old.db");
    let cut = [&GBK[..GBK.len() - 1], b"\0"].concat();
    // One of the two codes of the euro sign; encoding would write the other one.
    let sign = [GBK, b"\xa2\xe3"].concat();
    let cut_on_cell = [&b"@BTXT@77\xba\n78"[..], &GBK[..4], b"\x08", GBK].concat();
    old_file(&path, &[GBK, &cut, &sign, &cut_on_cell]);
    let (mut database, report) = Database::open(&path).unwrap();
    let message = "texts read as GBK, not UTF-8: 4; damaged among them, with wrong characters: 2";
    assert_eq!(report.lines(4, true), [message]);
    assert_eq!(comment(&database, 0), WORDS);
    let rest: String = WORDS.chars().take(6).collect();
    assert_eq!(comment(&database, 1), format!("{rest}\u{ca}"));
    assert_eq!(comment(&database, 2), format!("{WORDS}\u{20ac}"));
    assert_eq!(comment(&database, 3), WORDS);
    let on_cells = database.store().get(&key(&[(3, 0)])).unwrap().text;
    let on_cells: Vec<Vec<u8>> = text::on_cells(&on_cells).into_values().collect();
    assert_eq!(on_cells, ["\u{ba}".as_bytes(), "\u{9ed1}\u{68cb}".as_bytes()]);
    database.set(&key(&[(9, 9)]), &Record::default()).unwrap();
    drop(database);
    assert!(says_utf8(&path));
    assert!(Database::open(&path).unwrap().1.converted.is_none());
}

/// They were kept byte for byte, in a file that declared all texts as UTF-8.
#[test]
fn texts_are_converted_before_they_are_added_to_others() {
    let folder = tempdir().unwrap();
    let [old, new] = ["old.db", "new.db"].map(|name| folder.path().join(name));
    // Too short for a guess, as long as there are no other texts.
    old_file(&old, &[&GBK[..6]]);
    let raw = open(&old);
    assert_eq!(raw.store().get(&key(&[(0, 0)])).unwrap().text, GBK[..6]);
    let short: String = WORDS.chars().take(3).collect();
    let mut database = open(&new);
    let absorbed = database.absorb(raw.store(), branch::merge).unwrap();
    let Absorbed { changed, converted } = absorbed;
    assert_eq!((changed, converted.len(), converted[0].texts), (1, 1, 1));
    drop(database);
    assert!(says_utf8(&new));
    assert_eq!(comment(&open(&new), 0), short);
    // The other way round.
    let mut theirs = Store::default();
    theirs.set(&key(&[(1, 0)]), &Record { text: WORDS.into(), ..Record::default() });
    let mut database = raw;
    let absorbed = database.absorb(&theirs, branch::merge).unwrap();
    assert_eq!((absorbed.changed, absorbed.converted.len()), (1, 1));
    drop(database);
    assert!(says_utf8(&old));
    assert_eq!([0, 1].map(|x| comment(&open(&old), x)), [short.as_str(), WORDS]);
    // The export of such texts is UTF-8 too.
    old_file(&old, &[&GBK[..6]]);
    let mut text = Vec::new();
    csv::write(open(&old).store(), None, &mut text).unwrap();
    assert!(String::from_utf8(text).unwrap().contains(&short));
}

/// The whole text was read in a code page, by itself or with texts that are not UTF-8, and lost
/// all of its characters. The export did not report it.
#[test]
fn a_cut_utf8_text_loses_only_the_cut_character() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("marked.db");
    let cut = &WORDS.as_bytes()[..WORDS.len() - 1];
    let rest: String = WORDS.chars().take(6).collect();
    let expected = format!("{rest}\u{e6}\u{2030}");
    for (foreign, message) in [
        (None, "damaged texts in UTF-8, with wrong characters: 1"),
        (
            Some(GBK),
            "texts read as GBK, not UTF-8: 1; damaged texts in UTF-8, with wrong characters: 1",
        ),
    ] {
        let mut store = Store::default();
        for (x, text) in [Some(cut), foreign].into_iter().flatten().enumerate() {
            let record = Record { text: text.to_vec(), ..Record::default() };
            store.set(&key(&[(x, 0)]), &record);
        }
        let mut file = Vec::new();
        write::write(&store, &mut file, false, true).unwrap();
        fs::write(&path, file).unwrap();
        let mut text = Vec::new();
        let (_, converted) = csv::write(open(&path).store(), None, &mut text).unwrap();
        assert_eq!(converted.unwrap().to_string(), message);
        assert!(String::from_utf8(text).unwrap().contains(&expected));
        let mut theirs = Store::default();
        theirs.set(&key(&[(5, 0)]), &Record { text: WORDS.into(), ..Record::default() });
        let mut database = open(&path);
        let absorbed = database.absorb(&theirs, branch::merge).unwrap();
        assert_eq!(absorbed.converted[0].to_string(), message);
        assert_eq!(comment(&database, 0), expected);
        if foreign.is_some() {
            assert_eq!(comment(&database, 1), WORDS);
        }
    }
}
