//! Files of openings of any game, one per line, in both formats in use.
//!
//! Points: plies in the notation of the game, with or without blanks between them:
//! `j10 i9,k11`, `h8i9j8`. Files that begin with [`HEAD`], as all that this module
//! writes, count rows from the bottom. Without the head, rows count from the top in
//! five in a row without an opening, as in the files of other programs and in our
//! own from before the head was introduced; in other games from the bottom.
//! Offsets: `dx,dy` pairs from the middle cell (`size / 2`, rounded down), such as
//! `0,0, 1,1, 2,0`; the format of Gomocup, Piskvork and c-gomoku-cli. They are
//! stones in the order of play.
//! Blank lines and comments after `#` are skipped.

use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use clap::ValueEnum;

use super::forms::{NoteWriter, Typed, of_kind, text_of};
use super::plies;
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, read_point};
use goren_files::output_path;
use goren_notation::forms::MAX_BYTES;

/// Format of openings.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum OpeningFormat {
    /// `0,0, 1,1, 2,0`: columns and rows from the middle cell.
    Offsets,
    /// `h8i9j8`, `j10 i9,k11`: a letter for the column and a number for the row.
    Points,
}

/// Reads the openings of a file. Notes on standard error say how ambiguous numbers
/// are read.
///
/// # Errors
/// The file cannot be read or holds no opening, a line cannot be read, or an
/// opening is illegal or ends the game. Names the file, the line and the ply.
pub fn read(path: &Path, contest: &Contest) -> Result<Vec<Vec<Action>>> {
    read_with(path, |text| parse(text, contest))
}

/// Reads the openings of a file for a game whose opening rule the user did not choose. The usual
/// rule of the game applies; if a line breaks it, no rule applies to the whole file, and a note
/// says so. Also returns the game with the rule that applies.
///
/// # Errors
/// As [`read`], for the usual opening.
pub fn read_usual_or_free(path: &Path, usual: &Contest) -> Result<(Vec<Vec<Action>>, Contest)> {
    let mut contest = *usual;
    let openings = read_with(path, |text| {
        parse(text, usual).or_else(|error| {
            contest = usual.opened(OpeningId::Free)?;
            parse(text, &contest).map_err(|_| error)
        })
    })?;
    if contest.opening != usual.opening {
        let note = format!("not all lines follow {}: read as with --opening free", usual.opening);
        NoteWriter::new(Some(&path.display().to_string())).say(&note, None);
    }
    Ok((openings, contest))
}

/// Reads the openings of a file with a function like [`parse`].
fn read_with(
    path: &Path,
    parse: impl FnOnce(&str) -> Result<(Vec<Vec<Action>>, bool)>,
) -> Result<Vec<Vec<Action>>> {
    let read = text_of(path).and_then(|text| {
        let parsed = parse(&text);
        let (openings, from_top) =
            parsed.with_context(|| format!("openings of {}", path.display()))?;
        Ok((text, openings, from_top))
    });
    let (text, openings, from_top) = of_kind(path, None, read)?;
    let note = |text| NoteWriter::new(Some(&path.display().to_string())).say(text, None);
    if may_be_absolute(&text) {
        note(AS_OFFSETS);
    }
    if from_top {
        note(FROM_TOP);
    }
    Ok(openings)
}

/// Checks, before the work, that openings of a game, with or without scores, may be written
/// to a file. A file that holds anything but openings is refused.
///
/// # Errors
/// The file is one of the `inputs`, cannot be written, or holds something else.
pub fn replaceable<P: AsRef<Path>>(path: &Path, contest: &Contest, inputs: &[P]) -> Result<()> {
    output_path::check(path, inputs)?;
    let is_own = |front: &[u8]| str::from_utf8(front).is_ok_and(|text| has_openings(text, contest));
    Ok(output_path::check_kind(path, MAX_BYTES, is_own)?)
}

/// Whether a text consists of openings: of any game below the head, without it of this game.
/// An opening may be followed by its score.
fn has_openings(text: &str, contest: &Contest) -> bool {
    let openings = text.lines().map(|line| line.split('\t').next().unwrap_or_default());
    text.starts_with(HEAD_BEGINS)
        || parse(&openings.collect::<Vec<_>>().join("\n"), contest).is_ok()
}

/// The first line of a file of points.
pub const HEAD: &str = "# goren openings 2: rows count from the bottom";
/// Beginning of that line in every version.
const HEAD_BEGINS: &str = "# goren openings ";

const AS_OFFSETS: &str = "pairs of numbers are read as offsets from the middle of the board; \
                          to give columns and rows, write points such as h8i9j8";
const FROM_TOP: &str = "the rows of the points count from the top; they count from the \
                        bottom if the first line is \"# goren openings 2\"";

/// A line without its comment and the blanks around it.
fn content(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// Whether a line consists of points, not offsets.
fn has_points(line: &str) -> bool {
    line.contains(|c: char| c.is_ascii_alphabetic())
}

/// Whether a text has pairs of numbers that may be columns and rows, as none
/// is negative.
fn may_be_absolute(text: &str) -> bool {
    let lines = || text.lines().map(content).filter(|line| !has_points(line));
    lines().any(|line| line.contains(',')) && !lines().any(|line| line.contains('-'))
}

/// Whether a game is five in a row without an opening, as in the files of other
/// programs.
fn is_plain_five(contest: &Contest) -> bool {
    matches!(contest.variant, Variant::Five(_)) && contest.opening == OpeningId::Free
}

/// Reads the openings of a text; returns also whether it has points whose rows were
/// counted from the top.
fn parse(text: &str, contest: &Contest) -> Result<(Vec<Vec<Action>>, bool)> {
    let head = text.lines().next().and_then(|line| line.strip_prefix(HEAD_BEGINS));
    if let Some(version) = head {
        let version = version.split([':', ' ']).next().unwrap_or_default();
        ensure!(version == "2", "line 1: unknown version {version:?} of openings");
    }
    let from_top = head.is_none() && is_plain_five(contest);
    let mut openings = Vec::new();
    let mut any_points = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = content(line);
        if line.is_empty() {
            continue;
        }
        any_points |= has_points(line);
        let opening =
            if has_points(line) { points(line, contest, from_top) } else { offsets(line, contest) };
        openings.push(opening.with_context(|| format!("line {number}"))?);
    }
    ensure!(!openings.is_empty(), "the file has no opening");
    Ok((openings, from_top && any_points))
}

/// An opening as a line without its end. A file of points must begin with [`HEAD`].
pub fn write_line(opening: &[Action], contest: &Contest, format: OpeningFormat) -> String {
    let (cx, cy) = ((contest.width / 2) as i64, (contest.height / 2) as i64);
    let offset = |cell: &Cell| format!("{},{}", cell.x() as i64 - cx, cell.y() as i64 - cy);
    let stones = plies::stones(opening);
    match format {
        // Without blanks, as other programs read them.
        OpeningFormat::Points if is_plain_five(contest) && stones.len() == opening.len() => {
            stones.iter().map(|cell| cell.label(contest.height)).collect()
        }
        OpeningFormat::Points => plies::texts(contest, opening).join(" "),
        OpeningFormat::Offsets => stones.iter().map(offset).collect::<Vec<_>>().join(", "),
    }
}

/// Checks that an opening is read back from its line of offsets.
///
/// # Errors
/// It is not: offsets express stones, but no declared numbers and no choices.
pub fn check_offsets(line: &str, opening: &[Action], contest: &Contest) -> Result<()> {
    let texts = plies::texts(contest, opening);
    let is_same = |read: &Vec<Action>| plies::texts(contest, read) == texts;
    let read_back =
        parse(line, contest).is_ok_and(|(read, _)| read.len() == 1 && is_same(&read[0]));
    ensure!(
        read_back,
        "offsets give only stones and cannot express the opening {}; use --format points",
        texts.join(" ")
    );
    Ok(())
}

fn offsets(line: &str, contest: &Contest) -> Result<Vec<Action>> {
    let numbers = line.split(',').map(|word| {
        let word = word.trim();
        word.parse::<i64>().with_context(|| format!("{word:?} is not a number"))
    });
    let numbers = numbers.collect::<Result<Vec<i64>>>()?;
    ensure!(numbers.len().is_multiple_of(2), "the last column has no row");
    let mut typed = Typed::new(contest);
    for (number, pair) in (1..).zip(numbers.chunks_exact(2)) {
        let name = || format!("move {number} ({},{})", pair[0], pair[1]);
        // Saturating, so that no large number wraps onto the board.
        let x = pair[0].saturating_add((contest.width / 2) as i64);
        let y = pair[1].saturating_add((contest.height / 2) as i64);
        let inside =
            (0..contest.width as i64).contains(&x) && (0..contest.height as i64).contains(&y);
        ensure!(inside, "{} is off the board", name());
        typed.stone(Cell::new(x as usize, y as usize)).with_context(name)?;
    }
    ensure!(typed.placed.is_empty(), "it ends within a turn");
    // With the stones of a turn in the order in which they are written.
    let texts = plies::texts(contest, typed.game_state.actions());
    unfinished(plies::game(contest, texts.iter().map(String::as_str))?)
}

fn points(line: &str, contest: &Contest, from_top: bool) -> Result<Vec<Action>> {
    let mut game_state = GameState::new(*contest);
    for (number, text) in (1..).zip(split_plies(line)) {
        let ply = if from_top { flip_row(text, contest.height) } else { text.to_owned() };
        plies::play(&mut game_state, &ply)
            .map_err(|error| anyhow!("ply {number} ({text}): {error}"))?;
    }
    unfinished(game_state)
}

/// Splits a line into plies, with or without blanks between them.
fn split_plies(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|word| {
        let bytes = word.as_bytes();
        let begins = |&at: &usize| {
            at == 0 || bytes[at].is_ascii_alphabetic() && bytes[at - 1].is_ascii_digit()
        };
        let starts: Vec<usize> = (0..bytes.len()).filter(begins).collect();
        let ends = starts.iter().copied().skip(1).chain([bytes.len()]).collect::<Vec<_>>();
        starts.into_iter().zip(ends).map(move |(start, end)| &word[start..end])
    })
}

/// A point with its row counted from the other side; any other text unchanged.
fn flip_row(text: &str, height: usize) -> String {
    match read_point(text) {
        Some((_, row)) if (1..=height).contains(&row) => {
            format!("{}{}", &text[..1], height + 1 - row)
        }
        _ => text.to_owned(),
    }
}

/// The plies of a game, which must not be over.
fn unfinished(game_state: GameState) -> Result<Vec<Action>> {
    ensure!(game_state.result().is_none(), "the game is over after the opening");
    Ok(game_state.actions().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;
    use proptest::prelude::*;
    use std::fs;

    fn five(rule: RuleId) -> Contest {
        Contest::new(Variant::Five(rule)).opened(OpeningId::Free).unwrap()
    }

    fn contest(name: &str, opening: OpeningId) -> Contest {
        Contest::new(Variant::from_name(name).unwrap()).opened(opening).unwrap()
    }

    fn error(text: &str, contest: &Contest) -> String {
        format!("{:#}", parse(text, contest).unwrap_err())
    }

    #[test]
    fn both_formats_are_read_and_the_head_sets_the_row_order() {
        let stones = |cells: &[(usize, usize)]| -> Vec<Action> {
            cells.iter().map(|&(x, y)| Action::stone(Cell::new(x, y))).collect()
        };
        let expected = vec![stones(&[(7, 7), (8, 8), (9, 7)]), stones(&[(0, 14)])];
        let freestyle = five(RuleId::Freestyle);
        let read = |text: &str| parse(text, &freestyle).unwrap();
        for text in ["# an opening file\n\nh8i9j8  # level\r\nA15\n", "h8 i9j8\na15"] {
            assert_eq!(read(text), (expected.clone(), true));
        }
        let headed = format!("{HEAD}\n# an opening file\nh8i7j8  # level\r\nA1\n");
        assert_eq!(read(&headed), (expected.clone(), false));
        assert_eq!(read("0,0, 1,1,2 , 0\n-7,7\n"), (expected, false));
    }

    #[test]
    fn openings_of_any_game_are_read_and_written() {
        let connect6 = contest("connect6", OpeningId::Centre);
        let text = "# pairs\n\nj10 i9,k11  # level\nj10k10,k11a1,b1\n0,0, 1,-1,1,0, -9,9,-8,9";
        let (openings, from_top) = parse(text, &connect6).unwrap();
        let write = |format| -> Vec<String> {
            openings.iter().map(|opening| write_line(opening, &connect6, format)).collect()
        };
        let lines = ["j10 i9,k11", "j10 k10,k11 a1,b1", "j10 k10,k11 a1,b1"];
        assert_eq!(
            (write(OpeningFormat::Points), from_top),
            (lines.map(String::from).to_vec(), false)
        );
        let offsets = write(OpeningFormat::Offsets).join("\n");
        assert_eq!(parse(&offsets, &connect6).unwrap().0, openings);
        let swapped = parse("h8,i9,j8 pass\n", &contest("gomoku", OpeningId::Swap2)).unwrap();
        assert_eq!(swapped.0[0][1], Action::Swap);
    }

    /// Regression: only `--opening free` allowed them to begin off the centre.
    #[test]
    fn openings_that_break_the_usual_one_are_read_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        let usual = contest("renju+overline", OpeningId::Centre);
        for (text, opening) in
            [("h8i9", OpeningId::Centre), ("h8\ng8h9", OpeningId::Free), ("1,0", OpeningId::Free)]
        {
            fs::write(&path, text).unwrap();
            let (openings, contest) = read_usual_or_free(&path, &usual).unwrap();
            assert_eq!(contest, Contest { opening, ..usual }, "{text}");
            assert_eq!(openings.len(), text.lines().count(), "{text}");
        }
        for (text, expected) in [
            ("h8\nh8h8", "line 2: ply 2 (h8): the point is occupied"),
            ("g8\nh8h8", "line 1: ply 1 (g8): the opening does not allow a stone there"),
        ] {
            fs::write(&path, text).unwrap();
            let error = format!("{:#}", read_usual_or_free(&path, &usual).unwrap_err());
            assert!(error.ends_with(expected), "{error}");
        }
    }

    #[test]
    fn pairs_without_a_minus_may_be_columns_and_rows() {
        for (text, may_be) in [
            ("0,0, 1,1\n2,2\n", true),
            ("# -1,0\n7,7, 8,8 # a-b\n", true),
            ("0,0, 1,1\n-2,2\n", false),
            ("h8i9\n", false),
            ("h8,i9\n", false),
            ("", false),
        ] {
            assert_eq!(may_be_absolute(text), may_be, "{text}");
        }
    }

    #[test]
    fn openings_are_distinguished_from_other_texts() {
        let freestyle = five(RuleId::Freestyle);
        for text in [
            format!("{HEAD}\nj10 i9,k11\t12\n"),
            "h8i9j8\n".into(),
            "0,0, 1,1\t-30\n2,2\t5\n".into(),
        ] {
            assert!(has_openings(&text, &freestyle), "{text}");
        }
        for text in ["worth keeping\n", "# a list\n", "h8i9\nworth keeping\n", "1,2,3\n"] {
            assert!(!has_openings(text, &freestyle), "{text}");
        }
    }

    #[test]
    fn only_openings_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let freestyle = five(RuleId::Freestyle);
        let check = || replaceable(&path, &freestyle, &[] as &[&Path]);
        check().unwrap();
        for text in ["", "h8i9j8\n"] {
            fs::write(&path, text).unwrap();
            check().unwrap();
        }
        for other in [&b"worth keeping"[..], b"\xff\xfe\x00"] {
            fs::write(&path, other).unwrap();
            let error = check().unwrap_err().to_string();
            assert!(error.ends_with(output_path::HOLDS_OTHER), "{error}");
            assert_eq!(fs::read(&path).unwrap(), other);
        }
    }

    #[test]
    fn errors_name_the_line_and_the_ply() {
        let freestyle = |text: &str| error(text, &five(RuleId::Freestyle));
        assert_eq!(freestyle("h8\nh8p1"), "line 2: ply 2 (p1): the point is outside the board");
        assert_eq!(freestyle("h8i0"), "line 1: ply 2 (i0): the point is outside the board");
        assert_eq!(freestyle("h8 h8"), "line 1: ply 2 (h8): the point is occupied");
        assert_eq!(freestyle("0,0, 8,0"), "line 1: move 2 (8,0) is off the board");
        assert_eq!(freestyle("0,0, 0,0"), "line 1: move 2 (0,0): the point is occupied");
        assert_eq!(freestyle("0,0, 1"), "line 1: the last column has no row");
        assert!(freestyle("0,0, 1,;").contains("\";\" is not a number"));
        assert!(freestyle("8h").contains("ply 1 (8)"), "{}", freestyle("8h"));
        assert!(freestyle("h").contains("cannot read \"h\""));
        assert_eq!(freestyle("# nothing\n"), "the file has no opening");
        let newer = HEAD.replace('2', "3");
        assert!(freestyle(&format!("{newer}\nh8")).contains("version \"3\" of openings"));
        assert!(freestyle(&format!("{HEAD}\nh16")).starts_with("line 2: ply 1 (h16)"));
        let over = "line 1: the game is over after the opening";
        assert_eq!(freestyle("a1a2b1b2c1c2d1d2e1"), over);
        // A double three.
        let foul = "g8a1i8a15h7o1h9o15h8";
        assert_eq!(error(foul, &five(RuleId::Renju)), over);
        assert!(parse(foul, &five(RuleId::Standard)).is_ok());
        let centre = |text: &str| error(text, &contest("connect6", OpeningId::Centre));
        assert_eq!(
            centre("j10\nj9"),
            "line 2: ply 1 (j9): the opening does not allow a stone there"
        );
        assert!(centre("j10 i9").starts_with("line 1: ply 2 (i9): stones are missing"));
        assert!(centre("j10 i9,i9").contains("twice"));
        assert_eq!(centre("0,0, 1,1"), "line 1: it ends within a turn");
        let floating = error("a1 b5", &contest("four-in-a-row", OpeningId::Free));
        assert!(floating.contains("ply 2 (b5): a piece does not come to rest"), "{floating}");
        let missing = read(Path::new("/nowhere/openings.txt"), &five(RuleId::Renju));
        assert!(missing.unwrap_err().to_string().contains("/nowhere/openings.txt"));
    }

    #[test]
    fn offsets_that_are_read_as_another_opening_are_refused() {
        for (game, opening, text, expected) in [
            ("gomoku", OpeningId::Swap5, "h8 i9 j8", true),
            ("gomoku", OpeningId::Swap2, "h8,i9,j8", true),
            // The other seat chooses its colour after both stones.
            ("gomoku", OpeningId::Swap2, "h8,i9,j8 g7,k9", false),
            ("gomoku", OpeningId::Swap5, "h8 pass", false),
            ("renju", OpeningId::Rif, "h8,h9,h10", false),
            ("renju", OpeningId::Yamaguchi, "h8,h9,h10,3", false),
            ("renju", OpeningId::Soosorv8, "h8,h9,h10", false),
            ("connect6", OpeningId::Swap3rd, "j10 i9,k11", true),
        ] {
            let contest = contest(game, opening);
            let (openings, _) = parse(&format!("{HEAD}\n{text}"), &contest).unwrap();
            let line = write_line(&openings[0], &contest, OpeningFormat::Offsets);
            let checked = check_offsets(&line, &openings[0], &contest);
            assert_eq!(checked.is_ok(), expected, "{opening} {text}: {line}");
        }
    }

    proptest! {
        #[test]
        fn written_openings_are_read_back(
            cells in prop::collection::hash_set((0usize..20, 0usize..12), 1..8),
            points in any::<bool>(),
        ) {
            let contest = five(RuleId::Freestyle).on(20, 12).unwrap();
            let opening: Vec<Action> =
                cells.into_iter().map(|(x, y)| Action::stone(Cell::new(x, y))).collect();
            let format = if points { OpeningFormat::Points } else { OpeningFormat::Offsets };
            let text = format!("{HEAD}\n{}", write_line(&opening, &contest, format));
            prop_assert_eq!(parse(&text, &contest).unwrap().0, vec![opening]);
        }

        #[test]
        fn no_text_panics(text in "[ -~\n\u{e9}]{0,60}") {
            let _ = parse(&text, &five(RuleId::Renju));
            let _ = parse(&text, &contest("connect6", OpeningId::Swap3rd));
        }
    }
}
