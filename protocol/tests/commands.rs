//! Reading commands: the grammar of each, and its errors.

mod common;

use common::{at, one, own, read, theirs};
use goren_protocol::{
    Command, DatabaseCommand, DatabaseQuery, MAX_LINE, MAX_LIST, MAX_QUOTED, Owner, ParseError,
    Parser, Placed, Point, Reason, Reply, Setting, YixinCommand,
};

fn invalid(command: &'static str, reason: Reason) -> Result<Command, ParseError> {
    Err(ParseError::Invalid { command, reason })
}

fn unreadable(text: &str) -> Reason {
    Reason::Unreadable { text: text.into() }
}

fn info(line: &str) -> Setting {
    match one(line) {
        Command::Info(info) => info,
        other => panic!("{other:?}"),
    }
}

fn yixin(text: &str) -> YixinCommand {
    match one(text) {
        Command::Yixin(command) => command,
        other => panic!("{other:?}"),
    }
}

fn database(text: &str) -> DatabaseCommand {
    match yixin(text) {
        YixinCommand::Database(command) => command,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_byte_order_mark_before_a_command_is_skipped() {
    assert_eq!(one("\u{feff}START 15"), one("START 15"));
}

#[test]
fn start_takes_one_or_two_numbers_and_trailing_words() {
    let square = Command::Start { width: 15, height: 15 };
    for line in ["START 15", "start 15 15", "Start\t15  ", "START 15 please", "\u{feff}START 15"] {
        assert_eq!(one(line), square, "{line}");
    }
    // Yixin-Board 2.1 puts the width first.
    assert_eq!(one("start 12 15"), Command::Start { width: 12, height: 15 });
    assert_eq!(read("START"), [invalid("START", Reason::Missing)]);
    assert_eq!(read("START -5"), [invalid("START", unreadable("-5"))]);
    assert_eq!(read("START 15x"), [invalid("START", unreadable("15x"))]);
    assert_eq!(read("START 15 -15"), [invalid("START", unreadable("-15"))]);
}

#[test]
fn rectstart_takes_width_and_height() {
    let command = Command::RectStart { width: 30, height: 20 };
    assert_eq!(one("RECTSTART 30,20"), command);
    assert_eq!(one("rectstart 30 , 20 x"), command);
    for line in ["RECTSTART 30", "RECTSTART -3,4", "RECTSTART 3,4,5", "RECTSTART 3 4"] {
        assert!(read(line)[0].is_err(), "{line}");
    }
}

#[test]
fn commands_without_arguments_tolerate_words() {
    for (line, command) in [
        ("RESTART", Command::Restart),
        ("BEGIN now", Command::Begin),
        ("About", Command::About),
        ("end", Command::End),
        ("STOP", Command::Stop),
        ("YXSTOP", Command::Stop),
    ] {
        assert_eq!(one(line), command);
    }
}

#[test]
fn coordinates_may_have_blanks_and_be_off_the_board() {
    for line in ["TURN 7,8", "turn 7, 8", "TURN 7 ,8", "\tTURN\t7\t,\t8\t", "TURN +7,8 x"] {
        assert_eq!(one(line), Command::Turn(at(7, 8)), "{line}");
    }
    assert_eq!(one("TURN -1,-1"), Command::Turn(Point::PASS));
    assert_eq!(one("TAKEBACK 9,9"), Command::Takeback(at(9, 9)));
    assert_eq!(one("PLAY 1,2"), Command::Play(at(1, 2)));
    for line in ["TURN", "TURN 7", "TURN 7,", "TURN 7 8", "TURN a,b", "TURN 7,8x", "TURN 7,8,1"] {
        let events = read(line);
        assert!(matches!(events[..], [Err(ParseError::Invalid { command: "TURN", .. })]), "{line}");
    }
}

#[test]
fn numbers_beyond_32_bits_are_clamped_and_beyond_64_refused() {
    assert_eq!(one("TURN 4294967296,-4294967296"), Command::Turn(at(i32::MAX, i32::MIN)));
    assert_eq!(one("START 99999999999"), Command::Start { width: u32::MAX, height: u32::MAX });
    let digits = "99999999999999999999";
    let too_large = Reason::TooLarge { text: digits.into() };
    for line in ["TURN 7,{}", "START {}", "RECTSTART 5,{}", "YXNBEST {}", "BOARD 1,{},2 DONE"] {
        let line = line.replace("{}", digits);
        let events = read(&line);
        let [Err(ParseError::Invalid { reason, .. })] = &events[..] else { panic!("{events:?}") };
        assert_eq!(*reason, too_large, "{line}");
    }
}

#[test]
fn a_board_is_read_in_any_layout() {
    let board = Command::Board(vec![own(7, 7), theirs(8, 8)]);
    for text in [
        "BOARD\n7,7,1\n8,8,2\nDONE\n",
        "BOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\n",
        // qpiskvork ends the inner lines with LF alone.
        "BOARD\r\n7,7,1\n8,8,2\nDONE\r\n",
        "board\r\r7,7,1\r8,8,2\rdone\r",
        "BOARD\n\n 7 , 7 , 1 \n\n8,8,2\n  Done  \n",
        "BOARD 7,7,1 8,8,2 DONE",
        "BOARD 7,7,1\n8,8,2 DONE",
        "BOARD 7,7,1 8,8,2 DONE thanks",
    ] {
        assert_eq!(one(text), board, "{text:?}");
    }
}

#[test]
fn a_board_may_be_empty_or_contain_walls_and_passes() {
    assert_eq!(one("BOARD\nDONE"), Command::Board(vec![]));
    let wall = Placed::new(at(1, 2), Owner::Wall);
    assert_eq!(one("BOARD\n1,2,3\nDONE"), Command::Board(vec![wall]));
    let pass = Placed::new(Point::PASS, Owner::Opponent);
    assert_eq!(yixin("yxboard\n7,7,1\n-1,-1,2\ndone"), YixinCommand::Board(vec![own(7, 7), pass]));
}

#[test]
fn the_first_bad_entry_is_reported_and_the_list_read_to_its_end() {
    for text in [
        "BOARD\n7,7,1\n8,x,2\nrubbish\n9,9,1\nDONE\nBEGIN",
        "BOARD 7,7,1 8,x,2 nonsense DONE BEGIN",
    ] {
        let entry = Reason::Entry { index: 2, text: "8,x,2".into() };
        assert_eq!(read(text), [invalid("BOARD", entry), Ok(Command::Begin)]);
    }
    for entry in ["7,7", "7,7,0", "7,7,4", "7,7,-1", "7,7,1,1", "7 7 1"] {
        let events = read(format!("BOARD\n{entry}\nDONE"));
        assert!(matches!(events[..], [Err(ParseError::Invalid { command: "BOARD", .. })]));
    }
    assert!(read("SWAP2BOARD\n7,7,1\nDONE")[0].is_err(), "a colour has no place there");
}

#[test]
fn a_list_without_done_ends_with_the_next_command() {
    let unclosed = invalid("BOARD", Reason::WithoutDone);
    for (line, command) in [
        ("YXSTOP", Command::Stop),
        ("START 15", Command::Start { width: 15, height: 15 }),
        ("TURN 7,7", Command::Turn(at(7, 7))),
        ("BOARD DONE", Command::Board(vec![])),
    ] {
        assert_eq!(read(format!("BOARD\n7,7,1\n{line}")), [unclosed.clone(), Ok(command)]);
    }
    // No error is reported to a client that ends the session.
    assert_eq!(read("BOARD\n7,7,1\nEND"), [Ok(Command::End)]);
}

#[test]
fn an_info_within_a_list_is_delivered_and_the_list_goes_on() {
    let events = read("BOARD\n7,7,1\nINFO time_left 5\n8,8,2\nDONE");
    let board = Command::Board(vec![own(7, 7), theirs(8, 8)]);
    assert_eq!(events, [Ok(Command::Info(Setting::TimeLeft(5))), Ok(board)]);
}

#[test]
fn a_command_may_follow_done_in_its_line() {
    let events = read("YXBOARD 7,7,1 DONE YXNBEST 3");
    assert_eq!(
        events,
        [
            Ok(Command::Yixin(YixinCommand::Board(vec![own(7, 7)]))),
            Ok(Command::Yixin(YixinCommand::NBest(3))),
        ]
    );
}

#[test]
fn a_list_has_a_maximum_length() {
    let list = |count: usize| format!("BOARD\n{}DONE\nBEGIN\n", "7,7,1\n".repeat(count));
    let Command::Board(stones) = read(list(MAX_LIST)).remove(0).expect("not too long") else {
        panic!("no board")
    };
    assert_eq!(stones.len(), MAX_LIST);
    let events = read(list(MAX_LIST + 1));
    assert_eq!(events, [invalid("BOARD", Reason::ListTooLong), Ok(Command::Begin)]);
}

#[test]
fn every_info_key_has_its_value() {
    assert_eq!(info("INFO timeout_turn 0"), Setting::TimeoutTurn(0));
    assert_eq!(info("info TIMEOUT_MATCH -1"), Setting::TimeoutMatch(-1));
    assert_eq!(info("Info Time_Left -250"), Setting::TimeLeft(-250));
    assert_eq!(info("INFO max_memory 367001600 bytes"), Setting::MaxMemory(367_001_600));
    assert_eq!(info("INFO max_node -1"), Setting::MaxNode(-1));
    assert_eq!(info("INFO hash_size 262144"), Setting::HashSize(262_144));
    assert_eq!(info("INFO pondering 1"), Setting::Pondering(true));
    assert_eq!(info("INFO nbest_sym 0"), Setting::NBestSym(false));
    assert_eq!(info("INFO evaluate 7, 8"), Setting::Evaluate(at(7, 8)));
    assert_eq!(
        info("INFO folder  C:\\Program Files\\x y \r\n"),
        Setting::Folder("C:\\Program Files\\x y".into())
    );
    assert_eq!(info("INFO weights a b.bin "), Setting::Weights("a b.bin".into()));
    assert_eq!(info("INFO weights a b.bin").to_string(), "INFO weights a b.bin");
    assert_eq!(info("INFO PARAMS  a 1 b -2 "), Setting::Params("a 1 b -2".into()));
    assert_eq!(info("INFO params a 1 b -2").to_string(), "INFO params a 1 b -2");
}

#[test]
fn info_numbers_beyond_64_bits_become_the_nearest() {
    assert_eq!(info("INFO time_left 99999999999999999999"), Setting::TimeLeft(i64::MAX));
    assert_eq!(info("INFO time_left -99999999999999999999"), Setting::TimeLeft(i64::MIN));
}

#[test]
fn info_numbers_may_have_fractions() {
    assert_eq!(info("INFO time_left 5312345.678"), Setting::TimeLeft(5_312_345));
    assert_eq!(info("INFO timeout_turn 5000.0 "), Setting::TimeoutTurn(5_000));
    assert!(matches!(info("INFO time_left 5.x"), Setting::Malformed { .. }));
    assert!(matches!(info("INFO time_left .5"), Setting::Malformed { .. }));
}

#[test]
fn no_info_is_ever_an_error() {
    // Managers take any answer to an INFO for the next move.
    let malformed =
        |key: &str, value: &str| Setting::Malformed { key: key.into(), value: value.into() };
    let unknown =
        |key: &str, value: &str| Setting::Unknown { key: key.into(), value: value.into() };
    assert_eq!(info("INFO"), malformed("", ""));
    assert_eq!(info("INFO rule"), malformed("rule", ""));
    assert_eq!(info("INFO rule x"), malformed("rule", "x"));
    assert_eq!(info("INFO rule 1,2"), malformed("rule", "1,2"));
    assert_eq!(
        info("INFO evaluate 99999999999999999999,1"),
        malformed("evaluate", "99999999999999999999,1")
    );
    assert_eq!(info("INFO folder"), malformed("folder", ""));
    assert_eq!(info("INFO weights"), malformed("weights", ""));
    assert_eq!(info("INFO Start_Openings a  b"), unknown("start_openings", "a  b"));
    assert_eq!(
        info(&format!("INFO rule {}", "1".repeat(MAX_LINE))),
        malformed("rule", &"1".repeat(64))
    );
}

#[test]
fn unknown_commands_differ_from_unreadable_ones() {
    let events = read("HELLO wor\tld\u{1}\nTURN\n");
    let [Err(unknown), Err(unreadable)] = &events[..] else { panic!("{events:?}") };
    assert_eq!(unknown.reply().to_string(), "UNKNOWN HELLO wor?ld");
    assert_eq!(unreadable.reply().to_string(), "ERROR TURN: an argument is missing");
    assert!(!unknown.is_extension() && !unreadable.is_extension());
    assert!(read("yxfoo")[0].as_ref().is_err_and(ParseError::is_extension));
    assert!(read("yxnbest")[0].as_ref().is_err_and(ParseError::is_extension));
}

#[test]
fn the_list_of_an_unknown_command_is_recognised() {
    let stray = |text: &str| Err(ParseError::Stray { text: text.into() });
    let unknown = Err(ParseError::Unknown { text: "yxnew".into() });
    assert_eq!(
        read("yxnew\n7,7\n-1,-1\ndone\nBEGIN"),
        [unknown, stray("7,7"), stray("-1,-1"), stray("done"), Ok(Command::Begin)]
    );
}

#[test]
fn rubbish_is_shown_harmlessly() {
    let events = read(b"\xff\xfe7,7\x1b[2J\x08 \xe2\x80\xa8 7,7\n");
    let [Err(error)] = &events[..] else { panic!("{events:?}") };
    let line = error.reply().to_string();
    assert!(line.starts_with("UNKNOWN ?"), "{line}");
    assert!(line.bytes().all(|b| b == b' ' || b.is_ascii_graphic()), "{line}");
    assert!(matches!(Reply::parse(line.as_bytes()), Ok(Reply::Unknown(_))));
}

#[test]
fn lines_of_a_megabyte_are_harmless() {
    let digits = "7".repeat(1 << 20);
    let too_long = |command| invalid(command, Reason::TooLong);
    let mut parser = Parser::new();
    let mut feed = |line: String| parser.feed(line.as_bytes()).into_vec();

    let events = feed(format!("TURN {digits}"));
    assert_eq!(events, [too_long("TURN")]);
    let events = feed(format!("x{digits}"));
    let [Err(ParseError::Unknown { text })] = &events[..] else { panic!("{events:?}") };
    assert!(text.len() < 100);
    // A list keeps its end.
    assert_eq!(feed(format!("BOARD {digits} DONE")), [too_long("BOARD")]);
    assert_eq!(feed("BOARD 1,1,1".into()), []);
    assert_eq!(feed(format!("{digits},7,1")), []);
    assert_eq!(feed("2,2,2".into()), []);
    assert_eq!(feed("done".into()), [too_long("BOARD")]);
    // Paths and texts.
    assert_eq!(feed("yxhashdump".into()), []);
    assert_eq!(feed(digits.clone()), [too_long("YXHASHDUMP")]);
    assert_eq!(
        feed(format!("yxedittextdatabase \"{digits}\"7,7 done")),
        [too_long("YXEDITTEXTDATABASE")]
    );
    assert_eq!(feed("BEGIN".into()), [Ok(Command::Begin)]);
}

#[test]
fn every_list_of_the_extension_is_consumed() {
    // The list must never become a position or a move of the game.
    for (head, keyword) in [
        ("yxboard", "YXBOARD"),
        ("yxblock", "YXBLOCK"),
        ("yxblockundo", "YXBLOCKUNDO"),
        ("yxblockpath", "YXBLOCKPATH"),
        ("yxblockpathundo", "YXBLOCKPATHUNDO"),
        ("yxsoosorvstep2", "YXSOOSORVSTEP2"),
        ("yxsoosorvstep3", "YXSOOSORVSTEP3"),
        ("yxsoosorvstep4 5", "YXSOOSORVSTEP4"),
        ("yxsoosorvstep5 5", "YXSOOSORVSTEP5"),
        ("yxsoosorvstep6", "YXSOOSORVSTEP6"),
        ("yxquerydatabaseall", "YXQUERYDATABASEALL"),
        ("yxquerydatabaseallt", "YXQUERYDATABASEALLT"),
        ("yxquerydatabaseone", "YXQUERYDATABASEONE"),
        ("yxquerydatabasetext", "YXQUERYDATABASETEXT"),
        ("yxedittvddatabase 1 119 0 0", "YXEDITTVDDATABASE"),
        ("yxedittextdatabase \"a \\\"b\\\" c\"", "YXEDITTEXTDATABASE"),
        ("yxeditlabeldatabase 7,7 A", "YXEDITLABELDATABASE"),
        ("yxeditlabeldatabase A", "YXEDITLABELDATABASE"),
        ("yxsetbestmovedatabase", "YXSETBESTMOVEDATABASE"),
        ("yxclearbestmovedatabase", "YXCLEARBESTMOVEDATABASE"),
        ("yxdeletedatabaseone", "YXDELETEDATABASEONE"),
        ("yxdeletedatabaseall wlinsteprecursive 12", "YXDELETEDATABASEALL"),
    ] {
        let list = if head == "yxboard" { "7,7,1\n3,3,2\n" } else { "7,7\n3,3\n" };
        for list in ["", list] {
            let events = read(format!("{head}\n{list}done\nturn 1,1\n"));
            assert_eq!(events.len(), 2, "{head}: {events:?}");
            let command = events[0].as_ref().expect("readable");
            assert_eq!(command.keyword(), keyword);
            assert_eq!(events[1], Ok(Command::Turn(at(1, 1))));
        }
    }
}

#[test]
fn bad_arguments_of_a_list_command_do_not_free_its_list() {
    for head in ["yxsoosorvstep4 x", "yxedittvddatabase 1 2 x", "yxedittextdatabase bare"] {
        let events = read(format!("{head}\n7,7\ndone\nBEGIN"));
        assert!(matches!(events[..], [Err(_), Ok(Command::Begin)]), "{head}: {events:?}");
    }
}

#[test]
fn every_path_of_the_extension_is_consumed() {
    for keyword in [
        "YXHASHDUMP",
        "YXHASHLOAD",
        "YXSETDATABASE",
        "YXDBTOTXT",
        "YXDBTOTXTALL",
        "YXLIBTODB",
        "YXDBTOLIB",
        "YXDBMERGE",
        "YXDBSPLIT",
        "YXDBTOPOS",
        "YXTXTTODB",
    ] {
        for separator in ["\n", "\r\n\r\n", " "] {
            let events = read(format!("{keyword}{separator}/a path/7,7.db\nBEGIN"));
            let [Ok(command), Ok(Command::Begin)] = &events[..] else { panic!("{events:?}") };
            assert_eq!(command.to_string(), format!("{keyword}\n/a path/7,7.db"));
        }
        assert_eq!(
            read(format!("{keyword}\nABOUT")),
            [invalid(keyword, Reason::WithoutPath), Ok(Command::About)]
        );
        assert_eq!(read(format!("{keyword}\nEND")), [Ok(Command::End)]);
    }
}

#[test]
fn quoted_text_is_followed_directly_by_its_list() {
    let edit = |text: &str| DatabaseCommand::EditText {
        text: text.into(),
        position: vec![at(7, 7), at(3, 3)],
    };
    assert_eq!(database("yxedittextdatabase \"two words\"7,7\n3,3\ndone\n"), edit("two words"));
    assert_eq!(
        database("yxedittextdatabase \"one\n\n \\\"two\\\" \\\\ \\n\nEND\n7,7\"7,7\n3,3\ndone"),
        edit("one\n\n \"two\" \\ \\n\nEND\n7,7")
    );
    assert_eq!(database("yxedittextdatabase \"\"7,7 3,3 done"), edit(""));
}

#[test]
fn a_quote_that_is_never_closed_does_not_swallow_end() {
    let text = format!("yxedittextdatabase \"{}\nEND\n", "line\n".repeat(MAX_QUOTED / 5 + 1));
    assert_eq!(read(text), [Ok(Command::End)]);
}

#[test]
fn the_arguments_of_the_extension_are_read() {
    assert_eq!(yixin("yxnbest 3"), YixinCommand::NBest(3));
    assert_eq!(yixin("yxbalanceone -20"), YixinCommand::BalanceOne(-20));
    assert_eq!(yixin("yxbalancetwo"), YixinCommand::BalanceTwo(0));
    assert_eq!(
        yixin("yxforbid del 7 8 1"),
        YixinCommand::Forbid { add: false, at: at(7, 8), side: 1 }
    );
    assert_eq!(yixin("RELOADCONFIG my file"), YixinCommand::ReloadConfig("my file".into()));
    assert_eq!(yixin("RELOADCONFIG"), YixinCommand::ReloadConfig(String::new()));
    assert_eq!(
        yixin("yxsoosorvstep5 4\n7,7\ndone"),
        YixinCommand::SoosorvStep5 { offers: 4, stones: vec![at(7, 7)] }
    );
    assert_eq!(
        database("yxquerydatabaseallt 7,7 done"),
        DatabaseCommand::Query { kind: DatabaseQuery::AllText, position: vec![at(7, 7)] }
    );
    let delete =
        |filter: &str, position| DatabaseCommand::DeleteAll { filter: filter.into(), position };
    assert_eq!(database("yxdeletedatabaseall\ndone"), delete("", vec![]));
    assert_eq!(database("yxdeletedatabaseall wl 7 , 7 done"), delete("wl", vec![at(7, 7)]));
    assert_eq!(
        database("yxdeletedatabaseall wlinstep 5 7,7 done"),
        delete("wlinstep 5", vec![at(7, 7)])
    );
    assert_eq!(
        database("yxeditlabeldatabase 5,9 \n7,7\ndone"),
        DatabaseCommand::EditLabel {
            at: Some(at(5, 9)),
            label: String::new(),
            position: vec![at(7, 7)]
        }
    );
}

#[test]
fn an_open_command_at_the_end_of_input_is_an_error() {
    let mut parser = Parser::new();
    for (open, error) in [
        ("BOARD\n7,7,1", "BOARD: list without DONE"),
        ("BOARD\n7,7,x", "BOARD: list without DONE"),
        ("SWAP2BOARD", "SWAP2BOARD: list without DONE"),
        ("yxhashdump", "YXHASHDUMP: no path on the next line"),
        ("yxedittextdatabase \"a", "YXEDITTEXTDATABASE: list without DONE"),
    ] {
        assert!(parser.feed(open.as_bytes()).is_empty());
        assert!(parser.is_inside_command());
        assert_eq!(parser.finish().unwrap().unwrap_err().to_string(), error);
        assert!(!parser.is_inside_command());
        assert_eq!(parser.finish(), None);
        assert_eq!(parser.feed(b"BEGIN").into_vec(), [Ok(Command::Begin)]);
    }
}
