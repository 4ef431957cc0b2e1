//! Tests of every cell of the overtaking table: against a second copy of the rules, and
//! against the behaviour of a session.

use std::sync::Arc;
use std::time::Duration;

use goren_protocol::{Command, Event, Parser, Reply};

use super::search::job::SearchEvent;
use super::search::overtaking::Handling::{
    self, ApplyClockPastAsides, Now, NowAndApplyClock, Queue, StopAndQueue, StopNow,
    SuppressAndQueue,
};
use super::search::overtaking::{Class, Client, Running, handling};
use super::search::queue::MAX_WAITING;
use super::session::{Flow, Session};
use goren_engine::Control;

const CLIENTS: [Client; 3] = [Client::Any, Client::FirstYixinBoard, Client::Gone];
const RUNNING: [Running; 4] =
    [Running::Move, Running::Analysis, Running::OpeningStep, Running::Pondering];

/// Commands of every class as a client sends them, with the expected handling in each cell: a
/// group of letters for each of [`CLIENTS`], a letter for each of [`RUNNING`].
///
/// `n`: now. `h`: now, and apply the clock. `d`: as `h`, even behind queued asides. `N`:
/// stop, then now. `q`: queue. `s`: stop and queue. `f`: suppress the answer and queue.
const EXPECTED: [(Class, &[&str], &str); 14] = [
    (Class::Stop, &["STOP"], "NNNN NNNN NNNN"),
    (
        Class::Time,
        &["INFO time_left 90000", "INFO timeout_turn 80000", "INFO time_increment 5"],
        "dddn dddn dddn",
    ),
    (
        Class::Setting,
        &["INFO max_depth 90", "INFO rule 0", "INFO pondering 1", "INFO nonsense 1"],
        "hhhn hhhn hhhn",
    ),
    (Class::PonderingOff, &["INFO pondering 0"], "hhhN hhhN hhhN"),
    (
        Class::DatabaseRecord,
        &["yxquerydatabaseall 7,7 done", "yxquerydatabaseone done", "yxdeletedatabaseone 7,7 done"],
        "nnnn nnnn nnnn",
    ),
    (
        Class::DatabaseFile,
        &[
            "yxsavedatabase",
            "INFO usedatabase 1",
            "INFO folder data",
            "yxdeletedatabaseall 7,7 done",
        ],
        "qqqs qqqs qqqs",
    ),
    (Class::KnownForbidden, &["yxshowforbid"], "qqqn qqqn qqqn"),
    (Class::NothingToLift, &["yxblockreset", "yxblockpathreset"], "qqqn qqqn qqqn"),
    (Class::NewGame, &["START 15", "START 20"], "ssqs sfqs qqqs"),
    (Class::PositionOfStep, &["yxboard 7,7,2 7,8,1 8,8,2 done"], "qqqs qqqs qqqs"),
    (
        Class::NewPosition,
        &["RESTART", "RECTSTART 15,20", "yxboard 7,7,2 done", "yxswap2step1", "yxsoosorvstep1"],
        "ssfs sffs qqqs",
    ),
    (
        Class::LaterStep,
        &["yxswap2step2", "yxsoosorvstep3 7,7 7,8 9,9 done", "yxsoosorvstep3 7,7 7,8 8,8 done"],
        "qqfs qffs qqqs",
    ),
    (
        Class::Move,
        &["BEGIN", "TURN 0,0", "TURN 0,0 1,1", "PLIES a1", "BOARD DONE", "SWAP2BOARD DONE"],
        "qqqs qfqs qqqs",
    ),
    (
        Class::Other,
        &["PLAY 0,0", "ABOUT", "NONSENSE", "yxnbest 2", "yxblock 1,1 done"],
        "qqqs qqqs qqqs",
    ),
];

fn handling_of(letter: char) -> Handling {
    match letter {
        'n' => Now,
        'h' => NowAndApplyClock,
        'd' => ApplyClockPastAsides,
        'N' => StopNow,
        'q' => Queue,
        's' => StopAndQueue,
        'f' => SuppressAndQueue,
        _ => panic!("{letter}"),
    }
}

/// Every cell: client, running search, class, commands of the class, and the handling.
fn cells() -> impl Iterator<Item = (Client, Running, Class, &'static [&'static str], Handling)> {
    EXPECTED.into_iter().flat_map(|(class, lines, letters)| {
        let groups: Vec<&str> = letters.split(' ').collect();
        assert_eq!(groups.len(), CLIENTS.len());
        CLIENTS.into_iter().zip(groups).flat_map(move |(client, group)| {
            assert_eq!(group.len(), RUNNING.len());
            let letters = RUNNING.into_iter().zip(group.chars());
            letters
                .map(move |(running, letter)| (client, running, class, lines, handling_of(letter)))
        })
    })
}

#[test]
fn every_cell_of_the_table_has_the_expected_handling() {
    for (client, running, class, _, expected) in cells() {
        assert_eq!(handling(client, running, class), expected, "{client:?} {running:?} {class:?}");
    }
    assert_eq!(cells().count(), 3 * 4 * 14);
}

fn parsed(lines: &str) -> Vec<Event> {
    Parser::new().feed(format!("{lines}\n").as_bytes()).into_iter().collect()
}

/// Clients, and the lines by which they are recognised: a manager, the fork of
/// Yixin-Board, the first Yixin-Board, and a client that has closed the input.
const INTRODUCTIONS: [(Client, &str); 4] = [
    (Client::Any, ""),
    (Client::Any, "INFO show_detail 3\nyxshowinfo"),
    (Client::FirstYixinBoard, "INFO show_detail 1\nyxshowinfo"),
    (Client::Gone, ""),
];

/// A session of a client with a search in progress that never ends by itself.
fn searching((client, introduction): (Client, &str), running: Running) -> Session {
    let (sender, events) = std::sync::mpsc::channel();
    let mut session = Session::new(Box::new(move |event| drop(sender.send(event)))).unwrap();
    let begin = "INFO max_memory 1\nSTART 15\nINFO timeout_turn 600000\nINFO pondering 1";
    let command = match running {
        Running::Move => "BEGIN",
        Running::Analysis => "YXNBEST 2",
        Running::OpeningStep => "yxsoosorvstep3 7,7 7,8 8,8 done",
        Running::Pondering => "INFO max_node 10\nBOARD 7,7,2 done",
    };
    for event in parsed(&format!("{introduction}\n{begin}\n{command}")) {
        assert_eq!(session.handle(event, &mut |_| {}), Flow::Continue);
    }
    while running == Running::Pondering && session.searches.running() != Some(running) {
        let event: SearchEvent = events.recv().unwrap();
        assert_eq!(session.search_event(event, &mut |_| {}), Flow::Continue);
    }
    assert_eq!(session.searches.running(), Some(running));
    session.searches.stop();
    if client == Client::Gone {
        session.searches.close();
    }
    session
}

/// Effect of a command: whether the search was stopped, got a new time limit or had its
/// answer suppressed, and whether the command was queued.
#[derive(PartialEq, Eq, Debug)]
struct Effect {
    stopped: bool,
    time_limited: bool,
    answer_suppressed: bool,
    queued: bool,
}

/// Sends a command while `waiting` is queued, with the control of a search that has just
/// begun.
fn send(session: &mut Session, waiting: &str, line: &str) -> (Effect, Vec<Reply>) {
    session.searches.take_waiting();
    for event in parsed(waiting) {
        session.searches.push(event, session.state.arrived);
    }
    let before = parsed(waiting).len();
    let control = Arc::new(Control::default());
    let active = session.searches.active().unwrap();
    (active.control, active.answer_suppressed) = (control.clone(), false);
    let mut replies = Vec::new();
    for event in parsed(line) {
        assert_eq!(session.handle(event, &mut |reply| replies.push(reply)), Flow::Continue);
    }
    let answer_suppressed = session.searches.active().unwrap().answer_suppressed;
    let effect = Effect {
        stopped: control.stopped(),
        time_limited: control.end().is_some(),
        answer_suppressed,
        queued: session.searches.take_waiting().len() > before,
    };
    (effect, replies)
}

/// Expected effect of a command with this handling behind `behind`: nothing, an aside, or a
/// search.
fn expected_effect(handling: Handling, behind: &str) -> Effect {
    let queued = match handling {
        Now | NowAndApplyClock | StopNow => !behind.is_empty(),
        ApplyClockPastAsides => behind == SEARCH,
        Queue | StopAndQueue | SuppressAndQueue => true,
    };
    Effect {
        stopped: matches!(handling, StopNow | StopAndQueue | SuppressAndQueue),
        time_limited: matches!(handling, NowAndApplyClock | ApplyClockPastAsides) && !queued,
        answer_suppressed: handling == SuppressAndQueue,
        queued,
    }
}

const ASIDE: &str = "ABOUT";
const SEARCH: &str = "TURN 1,1";

#[test]
fn a_session_obeys_every_cell() {
    for introduction in INTRODUCTIONS {
        for running in RUNNING {
            let client = introduction.0;
            let mut session = searching(introduction, running);
            let known = session.searches.active().unwrap().forbidden.clone();
            assert_eq!(known.is_some(), running == Running::Pondering);
            for (_, _, class, lines, handling) in
                cells().filter(|cell| (cell.0, cell.1) == (client, running))
            {
                // Except during the search for an opening step, any position is a new one.
                let handling = match class {
                    Class::PositionOfStep if running != Running::OpeningStep => {
                        self::handling(client, running, Class::NewPosition)
                    }
                    _ => handling,
                };
                for (line, behind) in
                    lines.iter().flat_map(|line| ["", ASIDE, SEARCH].map(|behind| (line, behind)))
                {
                    let what = format!("{introduction:?} {running:?} {behind:?} {line:?}");
                    let (effect, replies) = send(&mut session, behind, line);
                    assert_eq!(effect, expected_effect(handling, behind), "{what}");
                    let answered = class == Class::KnownForbidden && !effect.queued;
                    assert_eq!(replies.len(), usize::from(answered), "{what}: {replies:?}");
                }
            }
        }
    }
}

#[test]
fn an_answer_requested_by_stop_is_not_suppressed() {
    let mut session = searching(INTRODUCTIONS[0], Running::OpeningStep);
    for (lines, answer_suppressed) in [("RESTART", true), ("STOP\nRESTART", false)] {
        let (effect, _) = send(&mut session, "", lines);
        let outcome = (effect.stopped, effect.answer_suppressed);
        assert_eq!(outcome, (true, answer_suppressed), "{lines}");
    }
}

/// Regression: the boards waited for a move to discard, and discarded the next real one.
#[test]
fn an_abandoned_step_of_swap2_sends_a_move_to_discard() {
    let shown = "yxboard 7,7,1 8,8,2 done";
    let swap2 = "yxboard 7,7,2 8,8,1 9,7,2 done\nyxswap2step2";
    let soosorv = "yxsoosorvstep3 7,7 7,8 8,8 done";
    for (introduction, step, undo, moves) in [
        (INTRODUCTIONS[0], swap2, shown.to_owned(), 0),
        (INTRODUCTIONS[1], swap2, format!("yxstop\n{shown}"), 1),
        (INTRODUCTIONS[2], swap2, format!("{shown}\nyxstop"), 1),
        (INTRODUCTIONS[1], soosorv, shown.to_owned(), 0),
    ] {
        let (sender, events) = std::sync::mpsc::channel();
        let mut session = Session::new(Box::new(move |event| drop(sender.send(event)))).unwrap();
        let begin = "INFO max_memory 1\nSTART 15\nINFO timeout_turn 600000";
        for event in parsed(&format!("{}\n{begin}\n{step}", introduction.1)) {
            assert_eq!(session.handle(event, &mut |_| {}), Flow::Continue);
        }
        assert_eq!(session.searches.running(), Some(Running::OpeningStep));
        let mut replies = Vec::new();
        for event in parsed(&undo) {
            assert_eq!(session.handle(event, &mut |reply| replies.push(reply)), Flow::Continue);
        }
        // The search cannot end before the undo: only here is its end handled.
        while session.is_searching() {
            let event = events.recv().unwrap();
            let flow = session.search_event(event, &mut |reply| replies.push(reply));
            assert_eq!(flow, Flow::Continue);
        }
        let sent = replies.iter().filter(|reply| matches!(reply, Reply::Move(_))).count();
        assert_eq!(sent, moves, "{introduction:?}: {replies:?}");
        let answers = |reply: &Reply| match reply {
            Reply::Message(text) => text.starts_with("SWAP2 ") || text.starts_with("SOOSORV "),
            _ => false,
        };
        assert!(!replies.iter().any(answers), "{introduction:?}: {replies:?}");
    }
}

/// Both steps were answered, the first for a position no longer shown.
#[test]
fn a_step_of_an_opening_ends_the_search_for_another_step() {
    let mut session = searching(INTRODUCTIONS[1], Running::OpeningStep);
    let (effect, replies) = send(&mut session, "", "yxsoosorvstep3 7,7 7,8 9,9 done");
    assert!(effect.stopped && effect.answer_suppressed && effect.queued, "{effect:?}");
    assert!(replies.is_empty(), "{replies:?}");
}

/// The command to move now waited for the whole search behind a query.
#[test]
fn a_clock_setting_overtakes_every_query() {
    let mut session = searching(INTRODUCTIONS[0], Running::Move);
    for query in [
        "ABOUT",
        "yxshowinfo",
        "yxshowforbid",
        "yxshowhashusage",
        "yxprintfeature",
        "yxdraw",
        "yxresign",
        "reloadconfig",
    ] {
        let (effect, _) = send(&mut session, query, "INFO timeout_turn 80000");
        assert!(effect.time_limited && !effect.queued, "{query}: {effect:?}");
    }
}

/// The queue grew until memory ran out.
#[test]
fn commands_are_refused_once_the_queue_is_full() {
    let mut session = searching(INTRODUCTIONS[0], Running::Move);
    session.searches.take_waiting();
    session.searches.active().unwrap().control = Arc::new(Control::default());
    let ask = |session: &mut Session, line: &str| {
        let mut replies = Vec::new();
        for event in parsed(line) {
            let flow = session.handle(event, &mut |reply| replies.push(reply));
            assert_eq!(flow, Flow::Continue);
        }
        replies
    };
    for _ in 0..MAX_WAITING {
        assert!(ask(&mut session, "ABOUT").is_empty());
    }
    assert!(matches!(ask(&mut session, "ABOUT")[..], [Reply::Error(_)]));
    // Managers take any other answer to a setting for a move.
    assert!(matches!(ask(&mut session, "INFO max_depth 9")[..], [Reply::Message(_)]));
    assert!(!session.searches.active().unwrap().control.stopped());
    assert!(ask(&mut session, "STOP").is_empty());
    assert!(session.searches.active().unwrap().control.stopped());
    assert_eq!(session.handle(Ok(Command::End), &mut |_| {}), Flow::Quit);
    assert_eq!(session.searches.take_waiting().len(), MAX_WAITING);
}

#[test]
fn kept_forbidden_points_are_those_of_the_current_rule() {
    let mut session = searching(INTRODUCTIONS[0], Running::Pondering);
    let (effect, replies) = send(&mut session, "", "yxshowforbid");
    assert!(!effect.queued && matches!(replies[..], [Reply::Forbid(_)]), "{replies:?}");
    let (effect, replies) = send(&mut session, "", "INFO show_forbid 0\nyxshowforbid");
    assert!(!effect.queued && replies == [Reply::Forbid(Vec::new())], "{replies:?}");
    let (effect, replies) = send(&mut session, "", "INFO rule 4\nyxshowforbid");
    assert!(effect.queued && effect.stopped && replies.is_empty());
}

#[test]
fn a_time_limit_already_exceeded_stops_the_search() {
    let mut session = searching(INTRODUCTIONS[0], Running::Move);
    // Longer than a move at timeout_turn 0 takes.
    std::thread::sleep(Duration::from_millis(300));
    for (line, stopped) in [("INFO timeout_turn 500000", false), ("INFO timeout_turn 0", true)] {
        let (effect, _) = send(&mut session, "", line);
        assert_eq!((effect.stopped, effect.time_limited), (stopped, true), "{line}");
    }
    let active = session.searches.active().unwrap();
    let soon = active.allowance.started() + Duration::from_secs(1);
    assert!(active.control.end().unwrap() < soon);
}
