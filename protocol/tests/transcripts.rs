//! Whole sessions of the managers and GUIs in use, as seen on the wire.

mod common;

use common::{at, own, read, theirs};
use goren_protocol::{
    Command, DatabaseCommand, DatabaseQuery, LineBuffer, Parser, Setting, YixinCommand,
};

const JUDGE: &str = "START 15\r\nINFO timeout_turn 30000\r\nINFO timeout_match 180000\r\n\
    INFO max_memory 367001600\r\nINFO game_type 1\r\nINFO rule 0\r\nINFO folder C:\\a b\r\n\
    INFO time_left 180000\r\nBOARD\r\nDONE\r\nINFO time_left 178000\r\nTURN 8,8\r\nEND\r\n";

const PISKVORK: &str = "START 20\r\nINFO max_memory 1048576000\r\nINFO timeout_match 180000\r\n\
    INFO timeout_turn 30000\r\nINFO game_type 0\r\nINFO rule 0\r\nINFO time_left 179990\r\n\
    TURN 10,10\r\nINFO time_left 178500\r\nTURN 11,11\r\nTAKEBACK 9,9\r\nTAKEBACK 11,11\r\n\
    INFO time_left 177000\r\nTURN 12,12\r\nINFO timeout_turn 0\r\n";

const YIXIN_BOARD: &str = "INFO time_left 99997826\nstart 15\nboard\n7,7,1\n3,3,2\ndone\n\
    INFO time_left 99997826\nyxquerydatabaseallt\n7,7\n3,3\ndone\nyxstop\n\
    yxquerydatabaseallt\n7,7\ndone\n";

const START_UP: &str = "info show_detail 1\nyxshowinfo\nSTART 15 15\nINFO max_node -1\n\
    INFO timeout_match 100000000\nINFO max_depth 225\nINFO caution_factor 1\nINFO pondering 0\n\
    INFO vcthread 0\nINFO rule 2\nstart 15 15\nyxboard\ndone\nyxshowforbid\n\
    yxquerydatabaseall\ndone\ninfo usedatabase 1\n";

const GOMOCALC: &str = "START 15\nRELOADCONFIG\nINFO STRENGTH 100\nINFO TIMEOUT_MATCH -1\n\
    INFO SHOW_DETAIL 3\nINFO SWAPABLE 0\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 1\nYXSTOP\n";

fn commands(text: &str) -> Vec<Command> {
    read(text).into_iter().map(|event| event.expect("readable")).collect()
}

fn query(kind: DatabaseQuery, position: Vec<goren_protocol::Point>) -> Command {
    Command::Yixin(YixinCommand::Database(DatabaseCommand::Query { kind, position }))
}

#[test]
fn the_gomocup_judge_is_understood() {
    use Command::*;
    assert_eq!(
        commands(JUDGE),
        [
            Start { width: 15, height: 15 },
            Info(Setting::TimeoutTurn(30_000)),
            Info(Setting::TimeoutMatch(180_000)),
            Info(Setting::MaxMemory(367_001_600)),
            Info(Setting::GameType(1)),
            Info(Setting::Rule(0)),
            Info(Setting::Folder("C:\\a b".into())),
            Info(Setting::TimeLeft(180_000)),
            Board(vec![]),
            Info(Setting::TimeLeft(178_000)),
            Turn(at(8, 8)),
            End,
        ]
    );
}

#[test]
fn piskvork_takes_back_and_asks_for_a_move_now() {
    let commands = commands(PISKVORK);
    assert_eq!(commands[7], Command::Turn(at(10, 10)));
    assert_eq!(commands[10..12], [Command::Takeback(at(9, 9)), Command::Takeback(at(11, 11))]);
    assert_eq!(commands[14], Command::Info(Setting::TimeoutTurn(0)));
}

#[test]
fn a_query_of_yixin_board_during_a_search_is_not_a_position() {
    let time = Command::Info(Setting::TimeLeft(99_997_826));
    assert_eq!(
        commands(YIXIN_BOARD),
        [
            time.clone(),
            Command::Start { width: 15, height: 15 },
            Command::Board(vec![own(7, 7), theirs(3, 3)]),
            time,
            query(DatabaseQuery::AllText, vec![at(7, 7), at(3, 3)]),
            Command::Stop,
            query(DatabaseQuery::AllText, vec![at(7, 7)]),
        ]
    );
}

#[test]
fn yixin_board_2_1_starts_up() {
    let commands = commands(START_UP);
    assert_eq!(commands.len(), 15);
    assert_eq!(commands[10], Command::Start { width: 15, height: 15 });
    assert_eq!(commands[11], Command::Yixin(YixinCommand::Board(vec![])));
    assert_eq!(commands[13], query(DatabaseQuery::All, vec![]));
}

#[test]
fn gomocalc_writes_its_list_on_one_line() {
    let commands = commands(GOMOCALC);
    let board = YixinCommand::Board(vec![own(7, 7), theirs(8, 8)]);
    assert_eq!(commands[6], Command::Yixin(board));
    assert_eq!(commands[7..], [Command::Yixin(YixinCommand::NBest(1)), Command::Stop]);
}

#[test]
fn chunks_and_line_ends_make_no_difference() {
    for text in [JUDGE, PISKVORK, YIXIN_BOARD, START_UP, GOMOCALC] {
        let expected = read(text);
        let lf = text.replace("\r\n", "\n");
        assert_eq!(read(&lf), expected);
        assert_eq!(read(lf.replace('\n', "\r\n")), expected);
        assert_eq!(read(lf.replace('\n', "\r")), expected);
        // The whole text as one argument of `feed`.
        assert_eq!(Parser::new().feed(text.as_bytes()).into_vec(), expected);
        for size in [1, 2, 3, 7, 64] {
            let (mut buffer, mut parser) = (LineBuffer::new(), Parser::new());
            let mut events = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                for line in buffer.push(chunk) {
                    events.extend(parser.feed(&line));
                }
            }
            assert_eq!(buffer.finish(), None);
            assert_eq!(events, expected, "chunks of {size}");
        }
    }
}
