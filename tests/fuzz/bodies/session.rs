//! Sessions: bytes of a client, and what they must never cause.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use goren_protocol::{
    Command, DatabaseCommand, Event, Parser, Point, Reply, Setting, YixinCommand,
};
use goren_session::{Flow, SearchEvent, Session};

/// Node limit of each search.
const NODES: i64 = 60;
/// Maximum time of a search with so few nodes, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session and the search events sent to it.
struct Driver {
    session: Session,
    parser: Parser,
    events: Receiver<SearchEvent>,
    replies: Vec<Reply>,
}

impl Driver {
    fn new() -> Driver {
        let (sender, events) = mpsc::channel();
        let on_event = move |event| drop(sender.send(event));
        let session = Session::new(Box::new(on_event)).unwrap();
        let mut driver = Driver { session, parser: Parser::new(), events, replies: Vec::new() };
        for info in [Setting::MaxNode(NODES), Setting::MaxMemory(1), Setting::TimeoutTurn(2_000)] {
            assert_eq!(driver.obey(Ok(Command::Info(info))), Flow::Continue);
        }
        driver
    }

    fn obey(&mut self, event: Event) -> Flow {
        let replies = &mut self.replies;
        self.session.handle(event, &mut |reply| replies.push(reply))
    }

    /// Handles search events until the search has ended.
    fn settle(&mut self) {
        while self.session.is_searching() {
            let event = self.events.recv_timeout(PATIENCE).expect("the search hangs");
            let replies = &mut self.replies;
            let flow = self.session.search_event(event, &mut |reply| replies.push(reply));
            assert_eq!(flow, Flow::Continue);
        }
    }
}

/// Settings that would make a test slow or large, or write files.
fn is_heavy(event: &Event) -> bool {
    use Setting::{HashSize, MaxMemory, MaxNode, ThreadNum};
    use YixinCommand::{Database, HashDump};
    if matches!(event, Ok(Command::Yixin(Database(DatabaseCommand::Set(_)) | HashDump(_)))) {
        return true;
    }
    matches!(event, Ok(Command::Info(MaxNode(_) | ThreadNum(_) | MaxMemory(_) | HashSize(_))))
}

/// Minimum and maximum number of answers to an event.
fn answers(event: &Event) -> (usize, usize) {
    match event {
        Err(_) | Ok(Command::Yixin(YixinCommand::Board(_))) => (0, 1),
        Ok(Command::Info(_) | Command::Stop | Command::End) => (0, 0),
        Ok(Command::Yixin(YixinCommand::ShowInfo)) => (2, 2),
        Ok(Command::Yixin(YixinCommand::ShowForbid)) => (1, 1),
        Ok(Command::Yixin(command)) if analyses(command) => (1, 1),
        // An error, or nothing but messages.
        Ok(Command::Yixin(_)) => (0, 1),
        Ok(_) => (1, 1),
    }
}

/// Whether an extension command asks for a move.
fn analyses(command: &YixinCommand) -> bool {
    use YixinCommand::{BalanceOne, BalanceTwo, NBest, SearchDefend};
    matches!(command, BalanceOne(_) | BalanceTwo(_) | NBest(_) | SearchDefend)
}

fn is_report(reply: &Reply) -> bool {
    use Reply::{Detail, Message, Realtime, Search};
    matches!(reply, Search(_) | Message(_) | Realtime(_) | Detail(_))
}

/// Whether a reply is read as a move by managers.
fn is_move(reply: &Reply) -> bool {
    use Reply::{Move, Ply, Swap, ThreeMoves, TwoMoves};
    matches!(reply, Move(_) | Ply(_) | Swap | ThreeMoves(_) | TwoMoves(_))
}

/// Whether a command may be answered by a move: it asks for one, or is a step of swap2: Yixin-Boards
/// that have abandoned it discard a move.
fn may_bring_move(event: &Event) -> bool {
    use Command::{Begin, Board, Play, Plies, Swap2Board, Turn, TurnPly, Yixin};
    use YixinCommand::{Swap2Step2, Swap2Step3};
    if let Ok(Yixin(command)) = event {
        return analyses(command) || matches!(command, Swap2Step2 | Swap2Step3);
    }
    matches!(
        event,
        Ok(Begin | Turn(_) | TurnPly(_) | Plies(_) | Board(_) | Play(_) | Swap2Board(_))
    )
}

/// The error that answers a ply that ends the game.
const ENDED: &str = "the game is over: there is no move to make";

/// What a manager knows of the game.
#[derive(Default)]
struct Manager {
    size: (i32, i32),
    stones: Vec<Point>,
    /// Whether the order of the stones may not be that of a game: a list may have a complete
    /// line before its end. The stone that completes the line counts as the newest.
    unordered: bool,
    row_first: bool,
}

impl Manager {
    fn place(&mut self, at: Point) {
        let (width, height) = if self.row_first { (self.size.1, self.size.0) } else { self.size };
        assert!((0..width).contains(&at.x) && (0..height).contains(&at.y), "{at} is outside");
        assert!(!self.stones.contains(&at), "{at} is occupied");
        self.stones.push(at);
    }

    /// Sets the stones of a list, whose order is that of a game if a move answers it.
    fn set_stones(&mut self, stones: impl Iterator<Item = Point>, answered: bool) {
        self.stones = stones.filter(|at| !at.is_pass()).collect();
        self.unordered = !answered;
    }

    /// Takes back the newest stone.
    fn take_back(&mut self, at: Point) {
        let last = self.stones.iter().rposition(|&stone| stone == at);
        let index = last.unwrap_or_else(|| panic!("{at} was empty"));
        assert!(self.unordered || index + 1 == self.stones.len(), "{at} is not the newest");
        self.stones.remove(index);
    }

    /// Follows the game through a command and its answer.
    fn watch(&mut self, event: &Event, answer: Option<&Reply>) {
        let Ok(command) = event else { return };
        match (command, answer) {
            (Command::Start { width, height }, Some(Reply::Ok))
            | (Command::RectStart { width, height }, Some(Reply::Ok)) => {
                self.size = (*width as i32, *height as i32);
                self.set_stones(std::iter::empty(), true);
            }
            (Command::Restart, Some(Reply::Ok)) => {
                self.set_stones(std::iter::empty(), true);
            }
            (Command::Begin, Some(Reply::Move(own))) => self.place(*own),
            (Command::Turn(at), Some(Reply::Move(own))) => {
                self.place(*at);
                self.place(*own);
            }
            // The stone that ends the game stays on the board: TAKEBACK or a change of the
            // rule may continue from it.
            (Command::Turn(at), Some(Reply::Error(why))) if why == ENDED => self.place(*at),
            // A coordinate with words after it.
            (Command::TurnPly(ply), Some(Reply::Move(own))) if ply.is_single() => {
                ply.first().into_iter().for_each(|at| self.place(at));
                self.place(*own);
            }
            (Command::Play(at), Some(Reply::Move(own))) => {
                assert_eq!(at, own);
                self.place(*own);
            }
            (Command::Board(list), Some(Reply::Move(own))) => {
                self.set_stones(list.iter().map(|placed| placed.at), true);
                self.place(*own);
            }
            // The session keeps the position of a game that is over, as above; after a refused
            // position it makes no move before another position comes.
            (Command::Board(list), Some(Reply::Error(_)))
            | (Command::Yixin(YixinCommand::Board(list)), None) => {
                self.set_stones(list.iter().map(|placed| placed.at), false);
            }
            (Command::Swap2Board(list), Some(Reply::Error(_))) => {
                self.set_stones(list.iter().copied(), false);
            }
            (Command::Swap2Board(list), Some(Reply::Move(own))) => {
                self.set_stones(list.iter().copied(), true);
                self.place(*own);
            }
            (Command::Swap2Board(list), Some(Reply::Swap)) => {
                assert!(matches!(list.len(), 3 | 5));
                self.set_stones(list.iter().copied(), true);
            }
            (Command::Swap2Board(list), Some(Reply::ThreeMoves(three))) => {
                assert!(list.is_empty());
                self.set_stones(std::iter::empty(), true);
                three.iter().for_each(|&at| self.place(at));
                self.set_stones(std::iter::empty(), true);
            }
            (Command::Takeback(at), Some(Reply::Ok)) => {
                self.take_back(*at);
            }
            // The session rereads earlier coordinates; if they give no position then, later
            // commands fail.
            (Command::Yixin(YixinCommand::ShowInfo), _) => {
                self.row_first = true;
            }
            (Command::Yixin(command), Some(Reply::Move(own))) if analyses(command) => {
                self.place(*own);
            }
            (Command::Yixin(YixinCommand::BalanceTwo(_)), Some(Reply::TwoMoves(two))) => {
                two.iter().for_each(|&at| self.place(at));
            }
            (_, Some(Reply::Move(_) | Reply::Swap | Reply::ThreeMoves(_))) => {
                panic!("{answer:?} to {command:?}")
            }
            _ => {}
        }
    }
}

/// A client that sends each command after the answer to the previous one gets one
/// legal answer to each. Returns whether any was a move.
///
/// # Panics
/// An answer is missing, superfluous or illegal.
pub fn patient(bytes: &[u8]) -> bool {
    let mut driver = Driver::new();
    let mut manager = Manager::default();
    let (mut other_game, mut has_moves) = (false, false);
    for event in driver.parser.feed(bytes) {
        if is_heavy(&event) {
            continue;
        }
        driver.replies.clear();
        if driver.obey(event.clone()) == Flow::Quit {
            assert!(driver.replies.is_empty());
            return has_moves;
        }
        driver.settle();
        // The manager knows only five in a row.
        other_game |= names_game(&event, &driver.replies);
        driver.replies.retain(|reply| !is_report(reply));
        has_moves |= driver.replies.iter().any(is_move);
        let (least, most) = answers(&event);
        let count = driver.replies.len();
        assert!((least..=most).contains(&count), "{event:?}: {:?}", driver.replies);
        if !other_game {
            manager.watch(&event, driver.replies.first());
        }
    }
    has_moves
}

/// Whether the event names the next game and is not refused.
fn names_game(event: &Event, replies: &[Reply]) -> bool {
    let is_refusal =
        |reply: &Reply| matches!(reply, Reply::Message(text) if text.contains("not used"));
    matches!(event, Ok(Command::Info(Setting::Variant(_)))) && !replies.iter().any(is_refusal)
}

/// A client that waits for answers only where `pauses` says so gets as many answers
/// as it asked for. Returns whether any was a move.
///
/// # Panics
/// An answer is missing or superfluous.
pub fn impatient(bytes: &[u8], mut pauses: impl FnMut(usize) -> bool) -> bool {
    let mut driver = Driver::new();
    let (mut least, mut most, mut moves) = (0, 0, 0);
    let (mut analyses_asked, mut shows_detail) = (0, false);
    for (i, event) in driver.parser.feed(bytes).into_iter().enumerate() {
        if is_heavy(&event) {
            continue;
        }
        let expected = answers(&event);
        (least, most) = (least + expected.0, most + expected.1);
        moves += usize::from(may_bring_move(&event));
        analyses_asked +=
            usize::from(matches!(&event, Ok(Command::Yixin(command)) if analyses(command)));
        shows_detail |= event == Ok(Command::Info(Setting::ShowDetail(1)));
        if driver.obey(event) == Flow::Quit {
            return driver.replies.iter().any(is_move);
        }
        if pauses(i) {
            driver.settle();
        }
    }
    driver.settle();
    driver.replies.retain(|reply| !is_report(reply));
    // With this setting the client may be Yixin-Board 2.1, which gets no answer to an analysis
    // that it abandons.
    least -= if shows_detail { analyses_asked } else { 0 };
    let count = driver.replies.len();
    assert!((least..=most).contains(&count), "{count} of {least} to {most}");
    let answered = driver.replies.iter().filter(|reply| is_move(reply)).count();
    assert!(answered <= moves);
    answered > 0
}
