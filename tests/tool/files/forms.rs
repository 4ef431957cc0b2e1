//! Files of other programs, from the commands that take games.

use std::fs;

use crate::{Folder, done, goren, refused};

impl Folder {
    /// A file of bytes.
    fn bytes(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.0.path().join(name), bytes).unwrap();
        self.path(name)
    }
}

/// What `goren list` says of a file without a fault.
fn listed(file: &str) -> String {
    done(&["list", file])
}

/// The board of a file, as `goren analyze` draws it: rows from the top, and what
/// is said beside it.
fn board(file: &str) -> (Vec<String>, String) {
    let said = done(&["analyze", "--nodes", "9", file]);
    let is_row = |line: &&str| {
        line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && line.contains('.')
    };
    let rows = said.lines().filter(is_row).filter(|line| line.contains(". ."));
    let points = |line: &str| {
        let points = line.chars().filter(|c| matches!(c, '.' | 'X' | 'O'));
        points.collect::<String>()
    };
    (rows.map(points).collect(), said)
}

/// The stones of a board by their points, row by row from the top.
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
fn positions_in_bytes_are_read() {
    let folder = Folder::new();
    let file = folder.bytes("line.pos", &[4, 112, 98, 0, 224]);
    assert!(listed(&file).contains("     1  ?            4  ? - ?"));
    let (rows, said) = board(&file);
    assert_eq!(stones(&rows), "Xa15 Oi9 Xh8 Oo1");
    assert!(said.contains("read as RenLib does; Yixin-Board takes columns for rows"), "{said}");
    // What is not there is told, and refused.
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
    let (rows, said) = board(&new);
    assert_eq!(stones(&rows), "Xt15 Oi9 Xh8", "{said}");
    // Of old versions the second number is the rule.
    let old = folder.file("old.sav", "15\n2\n2\n7 7\n8 8\n");
    assert!(listed(&old).contains("  renju"));
    let cut = folder.file("cut.sav", "15\n15\n3\n7 7\n");
    let why = "3 moves are announced, but only 1 are there";
    refused(&["db", "learn", &folder.path("none.db"), &cut], why);
}

/// Good games, and each kind of a bad one.
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
    let (whole, said) = goren(&["list", &file]);
    assert!(!whole && said.contains("5 of 6 games listed, 3 cannot be used"), "{said}");
    assert!(said.starts_with("number  result  stones  Black - White  game  title\n"), "{said}");
    assert!(
        said.contains("W+           6  Ann A - Bob B  renju  Cup, 2005-04-12, RIF, game 9"),
        "{said}"
    );
    assert!(
        said.contains("W+           5  Bob B - Ann A  renju  Cup, 2005-04-12, Soosyrv-8"),
        "{said}"
    );
    assert!(said.contains("     5  cannot be used: line 20: the game has no end"), "{said}");
    // What other commands refuse is told here too.
    let of = |number: &str| said.lines().find(|line| line.starts_with(number)).unwrap();
    let occupied = "move 3 (h8): the point is occupied";
    assert!(of("     3  ").contains("cannot be used: ") && of("     3  ").contains("Checkers"));
    assert!(of("     4  ").contains("Ann A - Bob B") && of("     4  ").ends_with(occupied));
    let (_, said) = goren(&["list", "--text", "soosyrv", &file]);
    assert!(said.contains("1 of 6 games listed") && said.contains("game 10"), "{said}");
    let said = done(&["analyze", "--nodes", "9", "--number", "2", &file]);
    assert!(said.contains("renju 15x15 after 5 stones"), "{said}");
    refused(&["analyze", "--nodes", "9", "--number", "3", &file], "\"Checkers\" is not known");
    refused(&["analyze", "--nodes", "9", "--number", "4", &file], "the point is occupied");
    // The good games are learnt, and of each other one it is told why not.
    let records = folder.path("learnt.db");
    let (whole, said) = goren(&["db", "learn", "--min-games", "1", &records, &file]);
    assert!(!whole && said.contains("3 games, 7 positions"), "{said}");
    assert!(said.contains("3 games could not be used"), "{said}");
    for (number, why) in [(3, "Checkers"), (4, "the point is occupied"), (5, "line 20")] {
        let begins = format!("game {number}: not learnt: ");
        let line = said.lines().find(|line| line.contains(&begins));
        assert!(line.is_some_and(|line| line.contains(why)), "{number}: {said}");
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
    let (whole, said) = goren(&["list", &file]);
    // The second player took Black: names and result change places.
    assert!(said.contains("     1  B+           5  bob - ann"), "{said}");
    assert!(said.contains("     3  W+           2  ann - bob"), "{said}");
    // An illegal game is none that can be used.
    let bad =
        said.lines().find(|line| line.starts_with("     2  W+           2  ann - bob")).unwrap();
    assert!(bad.contains("  cannot be used: ") && bad.contains("is occupied"), "{said}");
    assert!(!whole && said.contains("3 of 3 games listed, 1 cannot be used"), "{said}");
    assert_eq!(stones(&board(&file).0), "Xf7 Of6 Od5 Xe5 Xd4");
    let records = folder.path("learnt.db");
    let (whole, said) = goren(&["db", "learn", "--min-games", "1", &records, &file]);
    assert!(!whole && said.contains("2 games, "), "{said}");
    assert!(said.contains("game 2: not learnt: ") && said.contains("is occupied"), "{said}");
}

#[test]
fn games_of_pente_org_have_boards_without_the_letter_i() {
    let folder = Folder::new();
    let text = "[Game \"Pente\"]\r\n[Site \"Pente.org\"]\r\n[Date \"03/09/2015\"]\r\n\
                [Player 1 Name \"ann\"]\r\n[Player 2 Name \"bob\"]\r\n[Result \"1-0\"]\r\n\r\n\
                1. K10 O9 2. G9 O11 1-0\r\n";
    let file = folder.file("game.txt", text);
    assert!(listed(&file).contains("B+           4  ann - bob  pente  03/09/2015"));
    let (rows, said) = board(&file);
    assert_eq!(stones(&rows), "On11 Xj10 Xg9 On9");
    assert!(said.contains("pente 19x19 after 4 stones, Black to move"), "{said}");
    assert!(said.contains("without I, as usual in such files; --columns chooses"), "{said}");
    let said = done(&["analyze", "--nodes", "9", "--columns", "with-i", &file]);
    assert!(!said.contains("without I"), "{said}");
    refused(&["db", "learn", &folder.path("none.db"), &file], "databases hold five in a row only");
}

/// Pairs of numbers are offsets in these files, unlike in lists of moves.
#[test]
fn what_openings_are_read_as_is_told_where_they_could_be_something_else() {
    let folder = Folder::new();
    let made = |text: &str| {
        let file = folder.file("openings.txt", text);
        done(&["openings", "--count", "1", "--nodes", "50", "--exclude", &file])
    };
    let reported =
        "openings.txt: pairs of numbers are read as offsets from the middle of the board";
    assert!(made("0,0, 1,1, 2,0\n").contains(reported));
    for text in ["0,0, 1,1, -2,0\n", "h8i9j8\n"] {
        assert!(!made(text).contains("are read as"), "{text}");
    }
}
