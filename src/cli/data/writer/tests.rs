use super::*;
use goren_training_data::testing::packed_game as game;
use std::fs;
use tempfile::tempdir;

fn write(path: &Path, seeds: std::ops::Range<u64>) {
    let mut writer = PackedWriter::resume(path, |_| Ok(())).unwrap();
    for seed in seeds {
        writer.write(&game(seed)).unwrap();
    }
}

#[test]
fn a_file_cut_anywhere_is_resumed() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cut.games");
    write(&path, 0..3);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let intact = PackedReader::open(&path).unwrap().map_while(Result::ok).count();
        write(&path, intact as u64..3);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

#[test]
fn other_files_are_left_unchanged() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("other.games");
    fs::write(&path, b"not a file of games at all").unwrap();
    assert!(PackedWriter::resume(&path, |_| Ok(())).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"not a file of games at all");
}
