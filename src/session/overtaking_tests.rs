//! Tests of every cell of the overtaking table: against a second copy of the rules, and
//! against what a session does.

use std::sync::Arc;
use std::time::Duration;

use goren_protocol::{Command, Event, Parser, Reply};

use super::search::job::SearchEvent;
use super::search::overtaking::Handling::{
    self, ApplyClockPastAsides, Now, NowAndApplyClock, Queue, StopAndQueue, StopNow,
    SuppressAndQueue,
};
use super::search::overtaking::{Class, Client, Running, handling};
use super::search::queue::MOST_WAITING;
use super::session::{Flow, Session};
use goren_engine::Control;

const CLIENTS: [Client; 3] = [Client::Any, Client::FirstYixinBoard, Client::Gone];
const RUNNING: [Running; 4] =
    [Running::Move, Running::Analysis, Running::OpeningStep, Running::Pondering];

/// Commands of every class as a client sends them, with the expected handling in each cell: a
/// group of letters for each of [`CLIENTS`], a letter for each of [`RUNNING`].
///
/// `n`: now. `h`: now, and apply the clock. `d`: the same, behind queued questions. `N`:
/// stop, then now. `q`: queue. `s`: stop and queue. `f`: suppress the answer and queue.
const EXPECTED: [(Class, &[&str], &str); 13] = [
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
        "qqfs qqfs qqqs",
    ),
    (
        Class::Other,
        &["TURN 0,0", "BOARD DONE", "ABOUT", "NONSENSE", "yxnbest 2", "yxblock 1,1 done"],
        "qqqs qqqs qqqs",
    ),
];

fn meant(letter: char) -> Handling {
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
            letters.map(move |(running, letter)| (client, running, class, lines, meant(letter)))
        })
    })
}

#[test]
fn the_table_has_what_is_meant_in_every_cell() {
    for (client, running, class, _, meant) in cells() {
        assert_eq!(handling(client, running, class), meant, "{client:?} {running:?} {class:?}");
    }
    assert_eq!(cells().count(), 3 * 4 * 13);
}

fn parsed(lines: &str) -> Vec<Event> {
    Parser::new().feed(format!("{lines}\n").as_bytes()).into_iter().collect()
}

/// Clients, and the lines by which they are recognised: a manager, the fork of
/// Yixin-Board, the first Yixin-Board, and a client that has closed the input.
const SPEAKERS: [(Client, &str); 4] = [
    (Client::Any, ""),
    (Client::Any, "INFO show_detail 3\nyxshowinfo"),
    (Client::FirstYixinBoard, "INFO show_detail 1\nyxshowinfo"),
    (Client::Gone, ""),
];

/// A session of a client with a search in progress that never ends by itself.
fn searching((client, known): (Client, &str), running: Running) -> Session {
    let (sender, events) = std::sync::mpsc::channel();
    let mut session = Session::new(Box::new(move |event| drop(sender.send(event)))).unwrap();
    let begin = "INFO max_memory 1\nSTART 15\nINFO timeout_turn 600000\nINFO pondering 1";
    let command = match running {
        Running::Move => "BEGIN",
        Running::Analysis => "YXNBEST 2",
        Running::OpeningStep => "yxsoosorvstep3 7,7 7,8 8,8 done",
        Running::Pondering => "INFO max_node 10\nBOARD 7,7,2 done",
    };
    for event in parsed(&format!("{known}\n{begin}\n{command}")) {
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
struct Done {
    stopped: bool,
    hurried: bool,
    answer_suppressed: bool,
    waits: bool,
}

/// Sends a command while `waiting` is queued, with the control of a search that has just
/// begun.
fn send(session: &mut Session, waiting: &str, line: &str) -> (Done, Vec<Reply>) {
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
    let done = Done {
        stopped: control.stopped(),
        hurried: control.end().is_some(),
        answer_suppressed,
        waits: session.searches.take_waiting().len() > before,
    };
    (done, replies)
}

/// What a handling means for a command queued behind `behind`: nothing, asides, or a search.
fn meant_by(handling: Handling, behind: &str) -> Done {
    let waits = match handling {
        Now | NowAndApplyClock | StopNow => !behind.is_empty(),
        ApplyClockPastAsides => behind == SEARCH,
        Queue | StopAndQueue | SuppressAndQueue => true,
    };
    Done {
        stopped: matches!(handling, StopNow | StopAndQueue | SuppressAndQueue),
        hurried: matches!(handling, NowAndApplyClock | ApplyClockPastAsides) && !waits,
        answer_suppressed: handling == SuppressAndQueue,
        waits,
    }
}

const ASIDE: &str = "ABOUT";
const SEARCH: &str = "TURN 1,1";

#[test]
fn a_session_obeys_every_cell() {
    for speaker in SPEAKERS {
        for running in RUNNING {
            let client = speaker.0;
            let mut session = searching(speaker, running);
            let known = session.searches.active().unwrap().forbidden.clone();
            assert_eq!(known.is_some(), running == Running::Pondering);
            for (_, _, class, lines, handling) in
                cells().filter(|cell| (cell.0, cell.1) == (client, running))
            {
                // Unless a step of an opening is searched, any position is a new one.
                let handling = match class {
                    Class::PositionOfStep if running != Running::OpeningStep => {
                        self::handling(client, running, Class::NewPosition)
                    }
                    _ => handling,
                };
                for (line, behind) in
                    lines.iter().flat_map(|line| ["", ASIDE, SEARCH].map(|behind| (line, behind)))
                {
                    let what = format!("{speaker:?} {running:?} {behind:?} {line:?}");
                    let (done, replies) = send(&mut session, behind, line);
                    assert_eq!(done, meant_by(handling, behind), "{what}");
                    let answered = class == Class::KnownForbidden && !done.waits;
                    assert_eq!(replies.len(), usize::from(answered), "{what}: {replies:?}");
                }
            }
        }
    }
}

#[test]
fn an_answer_that_was_asked_for_is_told_all_the_same() {
    let mut session = searching(SPEAKERS[0], Running::OpeningStep);
    for (lines, answer_suppressed) in [("RESTART", true), ("STOP\nRESTART", false)] {
        let (done, _) = send(&mut session, "", lines);
        assert_eq!((done.stopped, done.answer_suppressed), (true, answer_suppressed), "{lines}");
    }
}

/// The answers to both steps came, the first for a position that was gone.
#[test]
fn a_step_of_an_opening_ends_the_one_that_is_searched() {
    let mut session = searching(SPEAKERS[1], Running::OpeningStep);
    let (done, replies) = send(&mut session, "", "yxsoosorvstep3 7,7 7,8 9,9 done");
    assert!(done.stopped && done.answer_suppressed && done.waits, "{done:?}");
    assert!(replies.is_empty(), "{replies:?}");
}

/// The command to move now waited for the whole search behind a question.
#[test]
fn a_clock_is_applied_past_every_question() {
    let mut session = searching(SPEAKERS[0], Running::Move);
    for question in [
        "ABOUT",
        "yxshowinfo",
        "yxshowforbid",
        "yxshowhashusage",
        "yxprintfeature",
        "yxdraw",
        "yxresign",
        "reloadconfig",
    ] {
        let (done, _) = send(&mut session, question, "INFO timeout_turn 80000");
        assert!(done.hurried && !done.waits, "{question}: {done:?}");
    }
}

/// The queue grew until the memory was used up.
#[test]
fn commands_beyond_the_most_that_may_wait_are_refused() {
    let mut session = searching(SPEAKERS[0], Running::Move);
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
    for _ in 0..MOST_WAITING {
        assert!(ask(&mut session, "ABOUT").is_empty());
    }
    assert!(matches!(ask(&mut session, "ABOUT")[..], [Reply::Error(_)]));
    // Managers take any other answer to a setting for a move.
    assert!(matches!(ask(&mut session, "INFO max_depth 9")[..], [Reply::Message(_)]));
    assert!(!session.searches.active().unwrap().control.stopped());
    assert!(ask(&mut session, "STOP").is_empty());
    assert!(session.searches.active().unwrap().control.stopped());
    assert_eq!(session.handle(Ok(Command::End), &mut |_| {}), Flow::Quit);
    assert_eq!(session.searches.take_waiting().len(), MOST_WAITING);
}

#[test]
fn known_forbidden_points_are_those_of_the_rule() {
    let mut session = searching(SPEAKERS[0], Running::Pondering);
    let (done, replies) = send(&mut session, "", "yxshowforbid");
    assert!(!done.waits && matches!(replies[..], [Reply::Forbid(_)]), "{replies:?}");
    let (done, replies) = send(&mut session, "", "INFO show_forbid 0\nyxshowforbid");
    assert!(!done.waits && replies == [Reply::Forbid(Vec::new())], "{replies:?}");
    let (done, replies) = send(&mut session, "", "INFO rule 4\nyxshowforbid");
    assert!(done.waits && done.stopped && replies.is_empty());
}

#[test]
fn times_that_are_over_stop_the_search() {
    let mut session = searching(SPEAKERS[0], Running::Move);
    // Longer than a move without time takes.
    std::thread::sleep(Duration::from_millis(300));
    for (line, stopped) in [("INFO timeout_turn 500000", false), ("INFO timeout_turn 0", true)] {
        let (done, _) = send(&mut session, "", line);
        assert_eq!((done.stopped, done.hurried), (stopped, true), "{line}");
    }
    let active = session.searches.active().unwrap();
    let soon = active.allowance.started() + Duration::from_secs(1);
    assert!(active.control.end().unwrap() < soon);
}
