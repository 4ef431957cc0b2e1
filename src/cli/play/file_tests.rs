//! Tests of saving and loading games.

use super::tests::{contest, new_match, session_of, two};
use super::*;
use goren_core::opening::Seat;
use goren_core::rules::OpeningId;
use tempfile::TempDir;

/// Returns the path of a file in a folder.
fn at(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Writes a file and returns its path.
fn written(folder: &TempDir, name: &str, text: &str) -> String {
    let path = at(folder, name);
    std::fs::write(&path, text).unwrap();
    path
}

/// Plays against the engine on a board of 9x9 and returns the output.
fn session(lines: &str) -> String {
    session_of(contest("freestyle", 9, OpeningId::Free), Seat::First, lines)
}

#[test]
fn a_file_without_a_rule_is_read_as_the_current_game() {
    let folder = tempfile::tempdir().unwrap();
    let psq = at(&folder, "x.psq");
    let lines = format!("h8\ni9\nsave {psq}\nload {psq}\nload {psq} --game renju\n");
    let seen = two("caro", 15, OpeningId::Free, &lines);
    assert_eq!(seen.matches("caro on 15x15, opening free").count(), 2, "{seen}");
    assert_eq!(seen.matches("renju on 15x15, opening free").count(), 1, "{seen}");
    // A rule named in the file is used; for an unknown one the user must name the game.
    let named = written(&folder, "named.sgf", "(;GM[4]RU[renju]SZ[9];B[ee])");
    let odd = written(&folder, "odd.sgf", "(;GM[4]RU[Japanese]SZ[9];B[ee])");
    let seen = session(&format!("load {named}\nload {odd}\n"));
    assert!(seen.contains("renju on 9x9") && seen.contains("name the game with --game"), "{seen}");
}

#[test]
fn a_game_of_a_file_is_chosen_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let game = |point: &str| format!("(;GM[4]RU[0]SZ[9];B[{point}])");
    let text = ["aa", "bb", "cc"].map(game).concat();
    let multi = written(&folder, "multi.sgf", &text);
    let moves = |number: &str| {
        let lines = format!("load {multi}{number}\nmoves\n");
        two("freestyle", 9, OpeningId::Free, &lines)
    };
    assert!(moves("").contains("1. a9"), "{}", moves(""));
    assert!(moves(" 3").contains("1. c7"), "{}", moves(" 3"));
    assert!(moves(" 4").contains("there are 3 games in it"), "{}", moves(" 4"));
    assert!(moves(" 0").contains("games are numbered from 1"), "{}", moves(" 0"));
}

#[test]
fn names_title_level_and_result_of_a_file_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let head = "PB[Alice]PW[Bob]GN[A title]RE[W+]TE[resignation]";
    let text = format!("(;GM[4]RU[0]SZ[9]{head};B[ee];W[dd])");
    let file = written(&folder, "alice.sgf", &text);
    let (same, more) = (at(&folder, "my same.sgf"), at(&folder, "more.sgf"));
    let lines = format!("load \"{file}\"\nsave \"{same}\"\nc3\nsave {more}\n");
    let seen = two("freestyle", 9, OpeningId::Free, &lines);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&same).contains(head), "{seen}");
    assert!(read(&more).contains("PB[Alice]PW[Bob]GN[A title]RE[?]"), "{seen}");
    // A new game has the names of its players.
    let new = at(&folder, "new.sgf");
    two("freestyle", 9, OpeningId::Free, &format!("load {file}\nnew\na1\nsave {new}\n"));
    assert!(read(&new).contains("PB[Person]PW[Person]RE[?]"), "{}", read(&new));
    // The level is saved with the game.
    let (club, again) = (at(&folder, "club.sgf"), at(&folder, "again.sgf"));
    session(&format!("level club\ne5\nsave {club}\n"));
    let seen = session(&format!("load {club}\nsave {again}\n"));
    assert!(seen.contains("The engine plays at level club"), "{seen}");
    assert!(read(&again).contains(" (club)]"), "{}", read(&again));
}

/// Regression: the statistics were lost when the game was saved again.
#[test]
fn move_stats_of_a_file_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let moves = ";B[ee]C[opening move];W[dd]C[120ms; depth 5; eval +35]";
    let text = format!("(;GM[4]RU[0]SZ[9]{moves};B[cc]C[7ms])");
    let file = written(&folder, "timed.sgf", &text);
    let (same, other) = (at(&folder, "same.sgf"), at(&folder, "other.sgf"));
    let (psq, lines) = (at(&folder, "same.psq"), "undo\na1\nb1");
    let lines = format!("load {file}\nsave {same}\nsave {psq}\n{lines}\nsave {other}\n");
    let seen = two("freestyle", 9, OpeningId::Free, &lines);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&same).contains(&format!("{moves};B[cc]C[7ms])")), "{seen}");
    assert!(read(&psq).contains("5,5,0\n4,4,120\n3,3,7\n"), "{}", read(&psq));
    // A ply that replaces another has no statistics.
    assert!(read(&other).contains(&format!("{moves};B[ai];W[bi])")), "{}", read(&other));
}

/// Regression: the opening and the choice of colours were lost silently.
#[test]
fn saving_lists_what_the_format_cannot_hold() {
    let folder = tempfile::tempdir().unwrap();
    let [psq, sgf, ended] = ["a.psq", "a.sgf", "ended.psq"].map(|name| at(&folder, name));
    let lines = format!("h8 i9 j8\nswap\nsave {psq}\nsave {sgf}\nresign\nsave {ended}\n");
    let seen = two("gomoku", 15, OpeningId::Swap2, &lines);
    let parts = "Not in this file: the opening (swap-2), 1 swap";
    assert_eq!(seen.matches(parts).count(), 2, "{seen}");
    assert!(seen.contains(&format!("{parts}. A .sgf file has everything.\n")), "{seen}");
    assert!(seen.contains(&format!("{parts}, the reason for the result. ")), "{seen}");
    // If the moves end the game, the reason is evident.
    let line = "a1\nb1\na2\nb2\na3\nb3\na4\nb4\na5\n";
    let seen = two("freestyle", 9, OpeningId::Free, &format!("{line}save! {psq}\n"));
    assert!(seen.contains("9 plies saved in "), "{seen}");
    assert!(!seen.contains("Not in this file"), "{seen}");
}

/// Lines of a user at a terminal.
struct Person(Vec<&'static str>);

impl LineSource for Person {
    fn line(&mut self, prompt: &str, out: &mut dyn std::io::Write) -> Result<input::InputLine> {
        writeln!(out, "{prompt}")?;
        if self.0.is_empty() {
            return Ok(input::InputLine::End);
        }
        Ok(match self.0.remove(0) {
            "^C" => input::InputLine::Interrupt,
            text => input::InputLine::Text(text.into()),
        })
    }

    fn is_person(&self) -> bool {
        true
    }
}

#[test]
fn an_unsaved_game_is_not_lost_by_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.sgf");
    let name: &'static str = path.display().to_string().leak();
    let mut table = new_match(contest("freestyle", 9, OpeningId::Free), Seat::First);
    table.players = [Player::Person; 2];
    let mut out = Vec::new();
    let mut lines = Person(vec!["e5", "new chess", "new renju taraguchi-10", name, "quit"]);
    table.play(&mut lines, &mut out).unwrap();
    let seen = String::from_utf8(out).unwrap();
    assert_eq!(seen.matches("Save the game?").count(), 1, "{seen}");
    assert!(seen.contains("1 ply saved") && path.exists(), "{seen}");
}

/// Regression: only games with more plies than before were offered for saving.
#[test]
fn a_changed_game_is_offered_for_saving_and_an_interrupt_resumes_it() {
    let folder = tempfile::tempdir().unwrap();
    let name: &'static str = folder.path().join("a.sgf").display().to_string().leak();
    let save: &'static str = format!("save {name}").leak();
    let asked = |lines: &[&'static str]| {
        let mut table = new_match(contest("freestyle", 9, OpeningId::Free), Seat::First);
        table.players = [Player::Person; 2];
        let mut out = Vec::new();
        table.play(&mut Person(lines.to_vec()), &mut out).unwrap();
        let _ = std::fs::remove_file(name);
        let seen = String::from_utf8(out).unwrap();
        (seen.matches("Save the game?").count(), table.game_state.actions().len())
    };
    assert_eq!(asked(&["e5", "e6", save, "quit"]), (0, 2));
    assert_eq!(asked(&["e5", "e6", save, "undo", "quit"]).0, 0, "nothing is lost");
    assert_eq!(asked(&["e5", "e6", save, "undo", "e7", "quit", ""]).0, 1);
    assert_eq!(asked(&["e5", "e6", save, "resign", "quit", ""]).0, 1);
    assert_eq!(asked(&["e5", "new", "^C", "e6", "quit", ""]), (2, 2));
    assert_eq!(asked(&["e5", "quit", "^C", "e6", "quit", ""]), (2, 2));
}

/// Regression: a level without a name was not read again, and `moves` printed it as three words.
/// The board writes full strength without brackets, which was not read.
#[test]
fn every_level_is_kept_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let [file, full] = ["level.sgf", "full.sgf"].map(|name| at(&folder, name));
    let seen = session(&format!("level 37\ne5\nmoves\nsave {file}\n"));
    assert!(seen.contains(" --level 37 --opening free "), "{seen}");
    let seen = session(&format!("load {file}\n"));
    assert!(seen.contains("The engine plays at level 37 of 100, "), "{seen}");
    session(&format!("e5\nsave {full}\n"));
    let text = std::fs::read_to_string(&full).unwrap();
    assert!(text.contains("PW[Goren ") && !text.contains(" ("), "{text}");
    let seen = session(&format!("level club\nload {full}\n"));
    assert_eq!(seen.matches("The engine plays at level full, ").count(), 2, "{seen}");
}

#[test]
fn an_end_by_the_players_has_the_reasons_of_records() {
    let folder = tempfile::tempdir().unwrap();
    let [resigned, drawn] = ["resigned.sgf", "drawn.sgf"].map(|name| at(&folder, name));
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    two("freestyle", 9, OpeningId::Free, &format!("e5\nresign\nsave {resigned}\n"));
    assert!(read(&resigned).contains("RE[B+]TE[resign]"), "{}", read(&resigned));
    let seen = two("freestyle", 9, OpeningId::Free, &format!("e5\ndraw\nsave {drawn}\n"));
    assert!(seen.contains("A draw by agreement."), "{seen}");
    assert!(read(&drawn).contains("TE[agreement]"), "{}", read(&drawn));
    let seen = session(&format!("load {drawn}\n"));
    assert!(seen.contains("The file says: drawn by agreement. The game goes on here."), "{seen}");
}
