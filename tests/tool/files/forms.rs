//! Files of other programs, given to the commands that take games.

use std::fs;

use crate::{Folder, done, goren, refused};

impl Folder {
    /// Writes a binary file and returns its path.
    fn bytes(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.0.path().join(name), bytes).unwrap();
        self.path(name)
    }
}

/// Output of `goren list` for a file without a fault.
fn listed(file: &str) -> String {
    done(&["list", file])
}

/// The board of a file, as `goren analyze` draws it, by rows from the top, and the
/// whole output.
fn board(file: &str) -> (Vec<String>, String) {
    let output = done(&["analyze", "--nodes", "9", file]);
    let is_row = |line: &&str| {
        line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && line.contains('.')
    };
    let rows = output.lines().filter(is_row).filter(|line| line.contains(". ."));
    let points = |line: &str| {
        let points = line.chars().filter(|c| matches!(c, '.' | 'X' | 'O'));
        points.collect::<String>()
    };
    (rows.map(points).collect(), output)
}

/// The stones of a board with their points, row by row from the top.
fn stones(rows: &[String]) -> String {
    let mut stones = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.char_indices().filter(|&(_, c)| c != '.') {
            stones.push(format!("{c}{}{}", char::from(b'a' + x as u8), rows.len() - y));
        }
    }
    stones.join(" ")
}

#[test]
fn a_name_that_is_no_file_is_not_listed_as_moves() {
    let folder = Folder::new();
    let missing = folder.path("h8i9j8");
    refused(&["list", &missing], "cannot read");
    // The names alone can be read as moves.
    for name in ["h8i9j8", "FILE"] {
        refused(&["list", name], &format!("cannot read {name}"));
    }
}

#[test]
fn binary_positions_are_read() {
    let folder = Folder::new();
    let file = folder.bytes("line.pos", &[4, 112, 98, 0, 224]);
    assert!(listed(&file).contains("     1  ?            4  ? - ?"));
    let (rows, output) = board(&file);
    assert_eq!(stones(&rows), "Xa15 Oi9 Xh8 Oo1");
    let note = "read as by RenLib; Yixin-Board exchanges columns and rows";
    assert!(output.contains(note), "{output}");
    // Missing moves are refused, or reported with `--lenient`.
    let cut = folder.bytes("cut.pos", &[4, 112, 98]);
    let why = "4 moves are announced, but only 2 are there";
    refused(&["analyze", "--nodes", "9", "--form", "pos", &cut], why);
    assert!(done(&["analyze", "--nodes", "9", "--form", "pos", "--lenient", &cut]).contains(why));
}

#[test]
fn saved_games_of_yixin_board_are_read() {
    let folder = Folder::new();
    let new = folder.file("new.sav", "15\r\n20\r\n3\r\n7 7\r\n6 8\r\n0 19\r\n");
    assert!(listed(&new).contains("     1  ?            3  ? - ?"));
    let (rows, output) = board(&new);
    assert_eq!(stones(&rows), "Xt15 Oi9 Xh8", "{output}");
    // In files of old versions the second number is the rule.
    let old = folder.file("old.sav", "15\n2\n2\n7 7\n8 8\n");
    assert!(listed(&old).contains("  renju"));
    let cut = folder.file("cut.sav", "15\n15\n3\n7 7\n");
    let why = "3 moves are announced, but only 1 are there";
    refused(&["db", "learn", &folder.path("none.db"), &cut], why);
}

/// Valid games, and one of each kind of invalid game.
const DATABASE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<database>
<rules>
<rule id="1" name="RIF"/>
<rule id="2" name="Soosyrv-8"/>
<rule id="4" name="Checkers"/>
</rules>
<players>
<player id="7" name="Ann" surname="A"/>
<player id="8" name="Bob" surname="B"/>
</players>
<tournaments>
<tournament id="3" name="Cup" start="2005-04-12" rule="1"/>
</tournaments>
<games>
<game id="9" tournament="3" rule="1" black="7" white="8" bresult="0"><move>h8 h9 i10 g7 a1 o15</move></game>
<game id="10" tournament="3" rule="2" black="8" white="7" bresult="0"><move>h8 h9 i10 g7 b1</move></game>
<game id="11" tournament="3" rule="4" black="7" white="8" bresult="1"><move>h8 h9</move></game>
<game id="12" tournament="3" rule="1" black="7" white="8" bresult="0.5"><move>h8 h9 h8</move></game>
<game id="13" tournament="3" rule="1" black="7" white="8" bresult="0"><move>h8 h9 i10</move>
<game id="14" tournament="3" rule="1" black="7" white="8" bresult="0"><move>h8 h9 i10</move></game>
</games>
</database>
"#;

#[test]
fn the_database_of_renjunet_is_listed_picked_and_learnt() {
    let folder = Folder::new();
    let file = folder.file("games.rif", DATABASE);
    let (whole, output) = goren(&["list", &file]);
    assert!(!whole && output.contains("5 of 6 games listed, 3 cannot be used"), "{output}");
    assert!(output.starts_with("number  result  stones  Black - White  game  title\n"), "{output}");
    assert!(
        output.contains("W+           6  Ann A - Bob B  renju  Cup, 2005-04-12, RIF, game 9"),
        "{output}"
    );
    assert!(
        output.contains("W+           5  Bob B - Ann A  renju  Cup, 2005-04-12, Soosyrv-8"),
        "{output}"
    );
    assert!(output.contains("     5  cannot be used: line 20: the game has no end"), "{output}");
    // The list also gives the reasons for which other commands refuse a game.
    let of = |number: &str| output.lines().find(|line| line.starts_with(number)).unwrap();
    let occupied = "move 3 (h8): the point is occupied";
    assert!(of("     3  ").contains("cannot be used: ") && of("     3  ").contains("Checkers"));
    assert!(of("     4  ").contains("Ann A - Bob B") && of("     4  ").ends_with(occupied));
    let (_, output) = goren(&["list", "--text", "soosyrv", &file]);
    assert!(output.contains("1 of 6 games listed") && output.contains("game 10"), "{output}");
    let output = done(&["analyze", "--nodes", "9", "--number", "2", &file]);
    assert!(output.contains("renju 15x15 after 5 stones"), "{output}");
    refused(&["analyze", "--nodes", "9", "--number", "3", &file], "\"Checkers\" is not known");
    refused(&["analyze", "--nodes", "9", "--number", "4", &file], "the point is occupied");
    // The valid games are learnt; for each other game the reason is printed.
    let records = folder.path("learnt.db");
    let (whole, output) = goren(&["db", "learn", "--min-games", "1", &records, &file]);
    assert!(!whole && output.contains("3 games, 7 positions"), "{output}");
    assert!(output.contains("3 games could not be used"), "{output}");
    for (number, why) in [(3, "Checkers"), (4, "the point is occupied"), (5, "line 20")] {
        let begins = format!("game {number}: not learnt: ");
        let line = output.lines().find(|line| line.contains(&begins));
        assert!(line.is_some_and(|line| line.contains(why)), "{number}: {output}");
    }
    // White, who is to move, has won all three games.
    let known = done(&["db", "get", &records, "--rule", "renju", "h8", "h9", "i10"]);
    assert!(known.contains("value 486 depth 0"), "{known}");
}

#[test]
fn games_of_playok_are_read_with_their_swap() {
    let folder = Folder::new();
    let game = |moves: &str| {
        format!(
            "[Site \"PlayOK\"]\n[Black \"ann\"]\n[White \"bob\"]\n\
             [Result \"0-1\"]\n\n{moves}\n\n"
        )
    };
    let (swapped, bad) = (game("1. d4 d5 2. e5 black 3. f6 f7 0-1"), game("1. d4 d4 0-1"));
    let file = folder.file("games.pgn", &format!("{swapped}{bad}{}", game("1. h8 i9 0-1")));
    let (whole, output) = goren(&["list", &file]);
    // The second player took Black: names and result are swapped.
    assert!(output.contains("     1  B+           5  bob - ann"), "{output}");
    assert!(output.contains("     3  W+           2  ann - bob"), "{output}");
    // An illegal game cannot be used.
    let bad =
        output.lines().find(|line| line.starts_with("     2  W+           2  ann - bob")).unwrap();
    assert!(bad.contains("  cannot be used: ") && bad.contains("is occupied"), "{output}");
    assert!(!whole && output.contains("3 of 3 games listed, 1 cannot be used"), "{output}");
    assert_eq!(stones(&board(&file).0), "Xf7 Of6 Od5 Xe5 Xd4");
    let records = folder.path("learnt.db");
    let (whole, output) = goren(&["db", "learn", "--min-games", "1", &records, &file]);
    assert!(!whole && output.contains("2 games, "), "{output}");
    assert!(output.contains("game 2: not learnt: ") && output.contains("is occupied"), "{output}");
}

#[test]
fn games_of_pente_org_have_boards_without_the_letter_i() {
    let folder = Folder::new();
    let text = "[Game \"Pente\"]\r\n[Site \"Pente.org\"]\r\n[Date \"03/09/2015\"]\r\n\
                [Player 1 Name \"ann\"]\r\n[Player 2 Name \"bob\"]\r\n[Result \"1-0\"]\r\n\r\n\
                1. K10 O9 2. G9 O11 1-0\r\n";
    let file = folder.file("game.txt", text);
    assert!(listed(&file).contains("B+           4  ann - bob  pente  03/09/2015"));
    let (rows, output) = board(&file);
    assert_eq!(stones(&rows), "On11 Xj10 Xg9 On9");
    assert!(output.contains("pente 19x19 after 4 stones, Black to move"), "{output}");
    assert!(output.contains("without I, as usual in such files; choose with"), "{output}");
    let output = done(&["analyze", "--nodes", "9", "--columns", "with-i", &file]);
    assert!(!output.contains("without I"), "{output}");
    refused(&["db", "learn", &folder.path("none.db"), &file], "databases hold five in a row only");
}

/// Pairs of numbers are offsets in these files, unlike in lists of moves.
#[test]
fn reading_pairs_of_numbers_as_offsets_is_reported() {
    let folder = Folder::new();
    let run = |text: &str| {
        let file = folder.file("openings.txt", text);
        done(&["openings", "--count", "1", "--nodes", "50", "--exclude", &file])
    };
    let note = "openings.txt: pairs of numbers are read as offsets from the middle of the board";
    assert!(run("0,0, 1,1, 2,0\n").contains(note));
    for text in ["0,0, 1,1, -2,0\n", "h8i9j8\n"] {
        assert!(!run(text).contains("are read as"), "{text}");
    }
}
