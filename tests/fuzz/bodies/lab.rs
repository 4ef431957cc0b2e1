//! Files of the strength lab, and random games on fast boards checked against the
//! referee.

use std::convert::Infallible;

use goren_cli::opening_file::{self, HEAD, OpeningFormat, write_line};
use goren_cli::perft::random;
use goren_cli::verify::verify;
use goren_core::opening::Action;
use goren_core::record::import::Hints;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_notation::forms::{self, Form, PlayOptions};
use goren_notation::json_game;
use goren_training_data::positions::PositionColumns;
use goren_training_data::{PackedReader, TrainingGame};
use rand::{Rng, TryRng};

use super::{file, pieces};

/// Games in any form: they are recognised, read and played, or refused.
pub fn forms(input: &[u8]) -> bool {
    let mut is_played = false;
    let (&choice, bytes) = input.split_first().unwrap_or((&0, &[]));
    let all = Variant::all();
    let variant = (choice % 3 == 0).then(|| all[usize::from(choice) % all.len()]);
    let hints = Hints { variant, ..Hints::default() };
    for lenient in [false, true] {
        let options = PlayOptions { hints, lenient, file_first: choice > 128 };
        is_played |= forms::try_all(bytes, None, &options).is_ok_and(|[played, _]| played > 0);
    }
    // Each reader also gets the files of the others.
    let form = Form::ALL[usize::from(choice) % Form::ALL.len()];
    let _ = forms::try_all(bytes, Some(form), &PlayOptions { hints, ..PlayOptions::default() });
    is_played
}

/// Training games: as they are, and with valid frames around packed pieces.
pub fn samples(input: &[u8]) -> bool {
    let has_games = read_samples(input);
    let mut sealed = Vec::new();
    for piece in pieces(input) {
        let packed = lz4_flex::block::compress_prepend_size(piece);
        sealed.extend(b"GRN1");
        sealed.extend((packed.len() as u32).to_le_bytes());
        sealed.extend(crc32fast::hash(&packed).to_le_bytes());
        sealed.extend(packed);
    }
    read_samples(&sealed) || has_games
}

/// Whether the bytes contain a whole game.
fn read_samples(bytes: &[u8]) -> bool {
    let (_folder, path) = file("games.bin", bytes);
    let mut reader = PackedReader::open(&path).expect("a plain file");
    for game in reader.by_ref().flatten() {
        let all =
            game.opening.iter().chain(game.plies.iter().flat_map(|ply| [&ply.played, &ply.best]));
        for cell in all {
            assert!(cell.x() < game.setup.width && cell.y() < game.setup.height);
        }
        let (searched, mut rows) = (game.plies.len(), PositionColumns::default());
        let legal = rows.add(0, &TrainingGame::Packed(Box::new(game))).is_ok();
        assert_eq!(rows.len(), if legal { searched } else { 0 });
    }
    assert!(reader.byte() <= bytes.len() as u64);
    reader.games() > 0
}

/// Files of openings: those read are written and read again.
pub fn openings(input: &[u8]) -> bool {
    let (&choice, text) = input.split_first().unwrap_or((&0, &[]));
    let choice = usize::from(choice);
    let all = Variant::all();
    let contest = Contest::new(all[choice % all.len()]);
    let opening = OpeningId::ALL[choice / all.len() % OpeningId::ALL.len()];
    let contest = contest.opened(opening).unwrap_or(contest);
    let contest = contest.on(15, if choice < 128 { 15 } else { 20 }).unwrap_or(contest);
    let (_folder, path) = file("openings.txt", text);
    let Ok(openings) = opening_file::read(&path, &contest) else { return false };
    let stones = |opening: &Vec<Action>| {
        opening.iter().all(|action| matches!(action, Action::Stones { count: None, .. }))
    };
    let formats = [(OpeningFormat::Points, HEAD), (OpeningFormat::Offsets, "")];
    // Only stones can be written as offsets.
    let usable = if openings.iter().all(stones) && opening == OpeningId::Free { 2 } else { 1 };
    for (format, head) in &formats[..usable] {
        let lines: Vec<String> =
            openings.iter().map(|opening| write_line(opening, &contest, *format)).collect();
        // A blank line is no opening.
        if lines.iter().all(|line| !line.is_empty()) {
            let text = format!("{head}\n{}", lines.join("\n"));
            let (_folder, path) = file("again.txt", text.as_bytes());
            let again = opening_file::read(&path, &contest);
            assert_eq!(again.expect("what was written"), openings);
        }
    }
    true
}

/// Games as JSON Lines, of all versions: those read are written and read
/// again.
pub fn matches(input: &[u8]) -> bool {
    let mut has_games = false;
    for line in String::from_utf8_lossy(input).lines() {
        let Ok((record, extra)) = json_game::read(line) else { continue };
        let line = json_game::write(&record, extra);
        let (again, _) = json_game::read(&line).expect("what was written");
        assert_eq!(again, record, "{line}");
        has_games = true;
    }
    has_games
}

/// Records of rule vectors, valid and invalid.
pub fn vectors(input: &[u8]) -> bool {
    verify("fuzz", input).records > 0
}

/// Plays random plies chosen by the input: the fast board agrees with the
/// referee, and taking back restores everything.
pub fn rules(input: &[u8]) -> bool {
    let mut bytes = Bytes(input);
    let choice = bytes.next_u32() as usize;
    let usual = Contest::new(Variant::all()[choice % Variant::all().len()]);
    let usual = usual.opened(OpeningId::Free).expect("any game has it");
    let side = |byte: u32| 5 + byte as usize % 8;
    // Small boards fill up, and lines form more often. Some games need a square
    // board or a larger one.
    let (width, height) = (side(bytes.next_u32()), side(bytes.next_u32()));
    let boards = [(width, height), (width, width), (12, 12)];
    let small = boards.into_iter().find_map(|(width, height)| usual.on(width, height).ok());
    let contest = small.unwrap_or(usual);
    let (plies, every) = (bytes.0.len().min(400) as u64, 8);
    if let Err(error) = random::check(&contest, plies, bytes, every) {
        panic!("{error:#}");
    }
    plies > 0
}

/// A source of choices: one for each byte, and the first choice after the last byte.
struct Bytes<'a>(&'a [u8]);

impl TryRng for Bytes<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let Some((&byte, rest)) = self.0.split_first() else { return Ok(0) };
        self.0 = rest;
        // Ranges are chosen by the high bits, remainders by the low ones.
        Ok(u32::from(byte) * 0x0101_0101)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from(self.try_next_u32()?) * 0x1_0000_0001)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill_with(|| self.next_u32() as u8);
        Ok(())
    }
}
