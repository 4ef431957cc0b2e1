//! Random and mutated transcripts against a session in this process: it must
//! neither panic nor hang, answer each command once, and play legal moves.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use goren::session::{Flow, Session, Thought};
use goren_protocol::{Command, DatabaseCommand, Event, Info, Parser, Point, Reply, YixinCommand};
use proptest::prelude::*;

/// Nodes of each search.
const NODES: i64 = 60;
/// Longest thought with so few nodes, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session and the thoughts on their way to it.
struct Driver {
    session: Session,
    parser: Parser,
    thoughts: Receiver<Thought>,
    replies: Vec<Reply>,
}

impl Driver {
    fn new() -> Driver {
        let (sender, thoughts) = mpsc::channel();
        let tell = move |thought| drop(sender.send(thought));
        let session = Session::new(Box::new(tell)).unwrap();
        let mut driver = Driver { session, parser: Parser::new(), thoughts, replies: Vec::new() };
        for info in [Info::MaxNode(NODES), Info::MaxMemory(1), Info::TimeoutTurn(2_000)] {
            assert_eq!(driver.obey(Ok(Command::Info(info))), Flow::Continue);
        }
        driver
    }

    fn obey(&mut self, event: Event) -> Flow {
        let replies = &mut self.replies;
        self.session.handle(event, &mut |reply| replies.push(reply))
    }

    /// Lets all thoughts come to their end.
    fn settle(&mut self) {
        while self.session.is_thinking() {
            let thought = self.thoughts.recv_timeout(PATIENCE).expect("the search hangs");
            let replies = &mut self.replies;
            let flow = self.session.thought(thought, &mut |reply| replies.push(reply));
            assert_eq!(flow, Flow::Continue);
        }
    }
}

/// Settings that would make a test slow or large, or write files.
fn is_heavy(event: &Event) -> bool {
    use Info::{HashSize, MaxMemory, MaxNode, ThreadNum};
    if matches!(event, Ok(Command::Yixin(YixinCommand::Database(DatabaseCommand::Set(_))))) {
        return true;
    }
    matches!(event, Ok(Command::Info(MaxNode(_) | ThreadNum(_) | MaxMemory(_) | HashSize(_))))
}

/// How many lines an event must be answered with, and how many it may be.
fn answers(event: &Event) -> (usize, usize) {
    match event {
        Err(_) | Ok(Command::Yixin(YixinCommand::Board(_))) => (0, 1),
        Ok(Command::Info(_) | Command::Stop | Command::End) => (0, 0),
        Ok(Command::Yixin(YixinCommand::ShowInfo)) => (2, 2),
        Ok(Command::Yixin(YixinCommand::ShowForbid)) => (1, 1),
        Ok(Command::Yixin(_)) => (0, 0),
        Ok(_) => (1, 1),
    }
}

fn is_report(reply: &Reply) -> bool {
    matches!(reply, Reply::Search(_))
}

/// Whether a reply is read as a move by managers.
fn is_move(reply: &Reply) -> bool {
    use Reply::{Move, Swap, ThreeMoves, TwoMoves};
    matches!(reply, Move(_) | Swap | ThreeMoves(_) | TwoMoves(_))
}

fn asks_for_move(event: &Event) -> bool {
    use Command::{Begin, Board, Play, Swap2Board, Turn};
    matches!(event, Ok(Begin | Turn(_) | Board(_) | Play(_) | Swap2Board(_)))
}

/// What a manager knows of the game.
#[derive(Default)]
struct Manager {
    size: (i32, i32),
    stones: Vec<Point>,
    row_first: bool,
    yixin_board: bool,
}

impl Manager {
    fn place(&mut self, at: Point) {
        let (width, height) = if self.row_first { (self.size.1, self.size.0) } else { self.size };
        assert!((0..width).contains(&at.x) && (0..height).contains(&at.y), "{at} is outside");
        assert!(!self.stones.contains(&at), "{at} is occupied");
        self.stones.push(at);
    }

    /// Follows the game by a command and its answer.
    fn watch(&mut self, event: &Event, answer: Option<&Reply>) {
        let Ok(command) = event else { return };
        match (command, answer) {
            (Command::Start { width, height }, Some(Reply::Ok))
            | (Command::RectStart { width, height }, Some(Reply::Ok)) => {
                self.size = (*width as i32, *height as i32);
                self.stones.clear();
                self.row_first = self.yixin_board;
            }
            (Command::Restart, Some(Reply::Ok)) => {
                self.stones.clear();
                self.row_first = self.yixin_board;
            }
            (Command::Begin, Some(Reply::Move(own))) => self.place(*own),
            (Command::Turn(at), Some(Reply::Move(own))) => {
                self.place(*at);
                self.place(*own);
            }
            (Command::Play(at), Some(Reply::Move(own))) => {
                assert_eq!(at, own);
                self.place(*own);
            }
            (Command::Board(list), Some(Reply::Move(own))) => {
                self.stones = list.iter().map(|p| p.at).filter(|at| !at.is_pass()).collect();
                self.place(*own);
            }
            (Command::Swap2Board(list), Some(Reply::Move(own))) => {
                self.stones.clone_from(list);
                self.place(*own);
            }
            (Command::Swap2Board(list), Some(Reply::Swap)) => {
                assert!(matches!(list.len(), 3 | 5));
                self.stones.clone_from(list);
            }
            (Command::Swap2Board(list), Some(Reply::ThreeMoves(three))) => {
                assert!(list.is_empty());
                self.stones.clear();
                three.iter().for_each(|&at| self.place(at));
                self.stones.clear();
            }
            (Command::Takeback(at), Some(Reply::Ok)) => {
                assert_eq!(self.stones.pop(), Some(*at));
            }
            (Command::Yixin(YixinCommand::Board(list)), None) => {
                self.stones = list.iter().map(|p| p.at).filter(|at| !at.is_pass()).collect();
            }
            (Command::Yixin(YixinCommand::ShowInfo), _) => self.yixin_board = true,
            (_, Some(Reply::Move(_) | Reply::Swap | Reply::ThreeMoves(_))) => {
                panic!("{answer:?} to {command:?}")
            }
            _ => {}
        }
    }
}

fn coordinate() -> impl Strategy<Value = String> {
    // Mostly small boards' points, so that lines form and cells repeat.
    prop_oneof![
        20 => (0..8, 0..8).prop_map(|(x, y)| format!("{x},{y}")),
        4 => (-1..30, -1..30).prop_map(|(x, y)| format!("{x}, {y}")),
        1 => Just("-1,-1".to_owned()),
        1 => Just("99999999999999999999,3".to_owned()),
    ]
}

fn list(fields: std::ops::Range<i32>) -> impl Strategy<Value = String> {
    let entry = (coordinate(), fields).prop_map(|(at, field)| format!("{at},{field}\n"));
    prop::collection::vec(entry, 0..14).prop_map(|entries| entries.concat())
}

/// Stones of both sides by turns on different cells, as real clients send.
fn sound_list() -> impl Strategy<Value = String> {
    let cells: Vec<(i32, i32)> = (0..49).map(|i| (i % 7, i / 7)).collect();
    (prop::sample::subsequence(cells, 0..40).prop_shuffle(), any::<bool>()).prop_map(
        |(cells, more)| {
            let even = cells.len().is_multiple_of(2) == more;
            let owner = |i: usize| if i.is_multiple_of(2) == even { 1 } else { 2 };
            let line = |(i, (x, y)): (usize, &(i32, i32))| format!("{x},{y},{}\n", owner(i));
            cells.iter().enumerate().map(line).collect()
        },
    )
}

fn line() -> impl Strategy<Value = String> {
    let points = prop::collection::vec(coordinate(), 0..6).prop_map(|all| all.join("\n"));
    let key = prop::sample::select(vec![
        "timeout_turn",
        "timeout_match",
        "time_left",
        "time_increment",
        "rule",
        "max_depth",
        "max_memory",
        "game_type",
        "show_detail",
        "nonsense",
    ]);
    let value = prop::sample::select(vec![
        "0",
        "1",
        "2",
        "3",
        "4",
        "8",
        "9",
        "10",
        "-1",
        "1000",
        "5",
        "2147483647",
        "x",
        "",
        "99999999999999999999999",
    ]);
    let plain = prop::sample::select(vec![
        "BEGIN",
        "RESTART",
        "ABOUT",
        "STOP",
        "YXSTOP",
        "yxshowinfo",
        "yxshowforbid",
        "yxhashclear",
        "yxquerydatabaseallt\n7,7\ndone",
        "DONE",
        "7,7",
        "",
        "FOO",
        "help",
        "BOARD\nDONE",
        "SWAP2BOARD\nDONE",
        "YXNBEST 3",
        "yxsetdatabase\nEND-less",
        "SWAP2BOARD\n3,3\n4,3\n5,5\nDONE",
    ]);
    let rule = prop::sample::select(vec!["0", "1", "2", "3", "4", "6", "8", "9", "10", "11"]);
    prop_oneof![
        6 => prop::sample::select(vec![5, 6, 7, 7, 7, 15, 26, 3, 99])
            .prop_map(|n| format!("START {n}")),
        1 => (4..9, 4..9).prop_map(|(w, h)| format!("RECTSTART {w},{h}")),
        14 => coordinate().prop_map(|at| format!("TURN {at}")),
        3 => coordinate().prop_map(|at| format!("TAKEBACK {at}")),
        1 => coordinate().prop_map(|at| format!("PLAY {at}")),
        8 => sound_list().prop_map(|list| format!("BOARD\n{list}DONE")),
        2 => list(0..5).prop_map(|list| format!("BOARD\n{list}DONE")),
        2 => sound_list().prop_map(|list| format!("yxboard\n{list}done\nyxshowforbid")),
        1 => list(1..4).prop_map(|list| format!("BOARD\n{list}")),
        2 => points.prop_map(|list| format!("SWAP2BOARD\n{list}\nDONE")),
        4 => (key, value).prop_map(|(key, value)| format!("INFO {key} {value}")),
        4 => rule.prop_map(|rule| format!("INFO rule {rule}")),
        8 => plain.prop_map(str::to_owned),
    ]
}

/// A transcript as bytes, sometimes damaged.
fn transcript() -> impl Strategy<Value = Vec<u8>> {
    let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 0..4);
    (prop::collection::vec(line(), 1..30), damage, any::<bool>()).prop_map(
        |(lines, damage, whole)| {
            let mut bytes = format!("START 7\n{}\n", lines.join("\n")).into_bytes();
            if !whole {
                for (index, byte, how) in damage {
                    let at = index.index(bytes.len());
                    match how {
                        0 => bytes[at] = byte,
                        1 => bytes.insert(at, byte),
                        _ => drop(bytes.remove(at)),
                    }
                }
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Each command is sent after the answer to the one before.
    #[test]
    fn a_patient_client_gets_one_legal_answer_to_each_command(bytes in transcript()) {
        let mut driver = Driver::new();
        let mut manager = Manager::default();
        for event in driver.parser.feed(&bytes) {
            if is_heavy(&event) {
                continue;
            }
            driver.replies.clear();
            if driver.obey(event.clone()) == Flow::Quit {
                prop_assert!(driver.replies.is_empty());
                return Ok(());
            }
            driver.settle();
            driver.replies.retain(|reply| !is_report(reply));
            let (least, most) = answers(&event);
            let count = driver.replies.len();
            prop_assert!((least..=most).contains(&count), "{:?}: {:?}", event, driver.replies);
            manager.watch(&event, driver.replies.first());
        }
    }

    /// Nobody waits for anything: answers still come one for one.
    #[test]
    fn an_impatient_client_gets_as_many_answers_as_it_asked_for(
        bytes in transcript(),
        pauses in prop::collection::vec(any::<bool>(), 64),
    ) {
        let mut driver = Driver::new();
        let (mut least, mut most, mut moves) = (0, 0, 0);
        for (i, event) in driver.parser.feed(&bytes).into_iter().enumerate() {
            if is_heavy(&event) {
                continue;
            }
            let expected = answers(&event);
            (least, most) = (least + expected.0, most + expected.1);
            moves += usize::from(asks_for_move(&event));
            if driver.obey(event) == Flow::Quit {
                return Ok(());
            }
            if pauses[i % pauses.len()] {
                driver.settle();
            }
        }
        driver.settle();
        driver.replies.retain(|reply| !is_report(reply));
        let count = driver.replies.len();
        prop_assert!((least..=most).contains(&count), "{count} of {least} to {most}");
        prop_assert!(driver.replies.iter().filter(|reply| is_move(reply)).count() <= moves);
    }
}
