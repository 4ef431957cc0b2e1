//! Database files of another program; random and mutated database commands against a session in
//! this process: it must not panic, hang or print a line that a GUI could take for a move, and
//! the file must stay intact.

use std::fs;
use std::path::PathBuf;

use goren_core::types::keys::mix;
use goren_database::{Database, Store, csv, read, write};
use goren_protocol::{Parser, Reply};
use goren_session::{Flow, Session};

/// All records as text.
fn records(store: &Store) -> String {
    let mut text = Vec::new();
    csv::write(store, None, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Files that Rapfi wrote, packed and plain, against the texts it exported from them.
#[test]
fn files_of_another_program_read_as_it_reads_them() {
    for name in ["packed", "plain"] {
        let file = |ending: &str| {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/database");
            PathBuf::from(path).join(name).with_extension(ending)
        };
        let loaded = read::read(fs::File::open(file("db")).unwrap());
        assert!(loaded.damage.is_empty() && loaded.utf8 && loaded.merged == 0);
        assert_eq!(loaded.packed, name == "packed");
        let theirs = fs::read_to_string(file("csv")).unwrap();
        assert_eq!(records(&loaded.store), theirs);
        if !loaded.packed {
            let mut again = Vec::new();
            write::write(&loaded.store, &mut again, false, true).unwrap();
            assert_eq!(again, fs::read(file("db")).unwrap(), "byte for byte");
        }
    }
}

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 >> 20) as usize % n
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// Few different cells, so that positions recur; now and then one off the board.
fn list(random: &mut Random) -> String {
    let mut lines = String::new();
    for _ in 0..random.below(6) {
        lines += random.of(&["7,7\n", "8,8\n", "6,8\n", "0,0\n", "14,14\n", "7,8\n", "2,3\n"]);
        if random.below(40) == 0 {
            lines += random.of(&["-1,-1\n", "15,0\n", "-5,7\n", "99999999999,3\n"]);
        }
    }
    lines + "done\n"
}

fn command(random: &mut Random, folder: &str) -> String {
    let position = list(random);
    let number = random.of(&["0", "-1", "119", "-29990", "29990", "77", "-99999999999", "5"]);
    let mask = random.below(9);
    match random.below(20) {
        0..=3 => format!(
            "{}\n{position}",
            random.of(&[
                "yxquerydatabaseall",
                "yxquerydatabaseallt",
                "yxquerydatabaseone",
                "yxquerydatabasetext",
            ])
        ),
        4..=8 => {
            let tag = random.of(&["119", "108", "100", "-1", "33", "120", "0", "400", "10"]);
            format!("yxedittvddatabase {mask} {tag} {number} {number}\n{position}")
        }
        9 => {
            let text = random.of(&["", "a\\\"b", "@BTXT@11x", "two\nlines", "\u{8}\u{1}\u{e9}"]);
            format!("yxedittextdatabase \"{text}\"{position}")
        }
        10 | 11 => {
            let cell = random.of(&["7,7 ", "3,4 ", "", "20,20 ", "8,8 "]);
            let text = random.of(&["a", "", "long words \u{7} here", "\u{4f60}"]);
            format!("yxeditlabeldatabase {cell}{text}\n{position}")
        }
        12 => format!(
            "{}\n{position}",
            random
                .of(&["yxsetbestmovedatabase", "yxclearbestmovedatabase", "yxdeletedatabaseone",])
        ),
        13 => {
            let filter = random.of(&["", "w", "nonwl", "wlinstep 20", "wldrecursive", "nonsense"]);
            format!("yxdeletedatabaseall {filter}\n{position}")
        }
        14 => format!(
            "{}\n{folder}/{}\n",
            random.of(&[
                "yxdbtotxt",
                "yxdbtotxtall",
                "yxdbtopos",
                "yxtxttodb",
                "yxdbmerge",
                "yxdbsplit",
                "yxsetdatabase",
            ]),
            random.of(&["a.db", "b.db", "text", "no/such", ""])
        ),
        15 => random.of(&["yxsavedatabase\n", "yxdbcheck\n", "yxdbfix\n"]).to_string(),
        16 => random
            .of(&[
                "INFO usedatabase 0\n",
                "INFO usedatabase 1\n",
                "INFO database_readonly 1\n",
                "INFO database_readonly 0\n",
                "INFO rule 1\n",
                "INFO rule 4\n",
                "INFO rule 0\n",
            ])
            .to_string(),
        17 => random.of(&["start 15\n", "start 20\n", "start 15 12\n", "restart\n"]).to_string(),
        _ => format!("yxboard\n{}done\n", random.of(&["", "7,7,1\n", "7,7,2\n8,8,1\n6,8,2\n"])),
    }
}

/// Saves the open database and exports all its records as text. Returns the database file, if
/// one is open.
fn saved(session: &mut Session, text: &str) -> Option<PathBuf> {
    let lines = format!("INFO database_readonly 0\nyxsavedatabase\nyxdbtotxtall\n{text}");
    let (mut parser, mut replies) = (Parser::new(), Vec::new());
    for event in lines.lines().flat_map(|line| parser.feed(line.as_bytes())) {
        let flow = session.handle(event, &mut |reply| replies.push(reply));
        assert_eq!(flow, Flow::Continue);
    }
    let messages = replies.iter().filter_map(|reply| match reply {
        Reply::Message(text) => Some(text.as_str()),
        _ => None,
    });
    let file = messages.clone().find_map(|text| text.strip_prefix("DATABASE SAVE START "))?;
    let is_saved = messages.clone().any(|text| text.starts_with("saved the database file"));
    assert!(is_saved, "{replies:?}");
    Some(PathBuf::from(file))
}

/// Whether a command may have overwritten the file with exported text.
fn is_exported(lines: &str, file: &str) -> bool {
    let mut pairs = lines.lines().zip(lines.lines().skip(1));
    pairs.any(|(line, next)| {
        let exports = line.to_ascii_lowercase().contains("yxdbto");
        exports && (line.contains(file) || next.contains(file))
    })
}

#[test]
fn random_commands_leave_the_file_intact() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_string_lossy().into_owned();
    let mut compared = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut session = Session::new(Box::new(drop)).unwrap();
        session.set_default_database(folder.path().join("a.db"));
        let mut parser = Parser::new();
        let mut lines = "yxshowinfo\nstart 15\nINFO usedatabase 1\n".to_string();
        for _ in 0..120 {
            let mut next = command(&mut random, &path).into_bytes();
            if random.below(12) == 0 && !next.windows(5).any(|w| w == b"yxset") {
                let at = random.below(next.len());
                next[at] = random.below(256) as u8;
            }
            lines += &String::from_utf8_lossy(&next);
        }
        for line in lines.lines() {
            for event in parser.feed(line.as_bytes()) {
                let flow = session.handle(event, &mut |reply| {
                    let safe = matches!(
                        reply,
                        Reply::Ok
                            | Reply::Message(_)
                            | Reply::DatabaseText(_)
                            | Reply::Limit(_)
                            | Reply::Error(_)
                            | Reply::Unknown(_)
                    );
                    assert!(safe, "seed {seed}: {reply}");
                });
                assert_eq!(flow, Flow::Continue);
            }
        }
        assert!(!session.is_searching());
        let text = format!("{path}/all records");
        if let Some(file) = saved(&mut session, &text) {
            let loaded = read::read(fs::File::open(file).unwrap());
            assert!(loaded.damage.is_empty(), "seed {seed}: {:?}", loaded.damage);
            assert_eq!(records(&loaded.store), fs::read_to_string(&text).unwrap(), "seed {seed}");
            compared += 1;
        }
        drop(session);
        for name in ["a.db", "b.db"] {
            let file = format!("{path}/{name}");
            match Database::open(file.as_ref()) {
                Ok((mut database, report)) => {
                    database.set_read_only();
                    let counts = (report.faults, report.recovered);
                    assert_eq!(counts, (0, 0), "seed {seed}: {report:?}");
                }
                Err(error) => {
                    // An export overwrote it, so it is no database any more.
                    assert!(is_exported(&lines, &file), "seed {seed}: {name}: {error}");
                    fs::remove_file(&file).unwrap();
                }
            }
        }
    }
    assert!(compared > 10, "a database was open at the end of {compared} sessions");
}
