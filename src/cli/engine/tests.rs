//! Tests of the driver with small shell scripts as engines.

use super::*;
use goren_core::rules::{Contest, RuleId, Setup, Variant};

/// Never reached unless the machine hangs.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// Starts a shell script as an engine.
fn script(text: &str) -> EngineProcess {
    let text = shlex::try_quote(text).unwrap();
    EngineProcess::spawn(&EngineSpec { command: format!("sh -c {text}"), folder: None }).unwrap()
}

/// Starts a script that answers each line by the arms of a `case`.
fn answering(arms: &str) -> EngineProcess {
    script(&format!("while read -r line; do case \"$line\" in {arms} START*) echo OK;; esac; done"))
}

fn started(arms: &str) -> EngineProcess {
    let mut engine = answering(arms);
    engine.start(setup(), &EngineLimits::default(), LONG).unwrap();
    engine
}

fn setup() -> Setup {
    Setup::new(RuleId::Freestyle, 15, 15).unwrap()
}

fn cells(points: &[(usize, usize)]) -> Vec<Cell> {
    points.iter().map(|&(x, y)| Cell::new(x, y)).collect()
}

/// Returns a game of five in a row after some stones.
fn after(points: &[(usize, usize)]) -> GameState {
    let mut game_state = GameState::new(Terms::from(setup()).contest());
    for cell in cells(points) {
        game_state.apply(&Action::stone(cell)).unwrap();
    }
    game_state
}

#[test]
fn a_game_is_sent_by_begin_board_and_turn() {
    // Answers with the number of lines received as the column.
    let count = "INFO*) ;; BEGIN|TURN*|*,*|BOARD) n=$((n+1));; ";
    let answer = "BEGIN|TURN*|DONE) echo MESSAGE Depth $n-9 Eval -3; echo $n,0;; ";
    let body = format!(
        "n=0; while read -r line; do case \"$line\" in {count} esac; \
         case \"$line\" in {answer} START*) n=0; echo OK;; ABOUT) echo 'name=\"fake\"';; esac; done"
    );
    let mut engine = script(&body);
    assert_eq!(engine.about(LONG).unwrap().unwrap().name(), "fake");
    engine.start(setup(), &EngineLimits::default(), LONG).unwrap();
    let first = engine.think(&after(&[]), Some(5), LONG).unwrap();
    assert_eq!((first.answer, first.report.depth), (Action::stone(Cell::new(1, 0)), 1));
    assert_eq!(first.report.eval, Some(goren_protocol::Eval::Score(-3)));
    assert_eq!(first.complaint, None);
    // One more line: TURN.
    let second = engine.think(&after(&[(1, 0), (7, 7)]), None, LONG).unwrap();
    assert_eq!(second.answer, Action::stone(Cell::new(2, 0)));
    // Another game: BOARD and three stones.
    engine.start(setup(), &EngineLimits::default(), LONG).unwrap();
    let third = engine.think(&after(&[(1, 1), (7, 7), (8, 8)]), None, LONG).unwrap();
    assert_eq!(third.answer, Action::stone(Cell::new(4, 0)));
    #[cfg(target_os = "linux")]
    assert!(engine.peak_memory().unwrap() > 1 << 16);
    engine.close(LONG);
}

#[test]
fn owners_on_the_board_alternate_and_the_last_is_the_opponents() {
    let engine = answering("");
    let question =
        |points: &[(usize, usize)]| engine.question(Terms::from(setup()), &after(points)).to_wire();
    let board = question(&[(1, 1), (2, 2), (3, 3)]);
    assert_eq!(board, "BOARD\n1,1,2\n2,2,1\n3,3,2\nDONE\n");
    assert_eq!(question(&[(1, 1)]), "BOARD\n1,1,2\nDONE\n");
}

#[test]
fn a_game_of_the_family_is_sent_by_plies() {
    let contest = Contest::new(Variant::from_name("connect6").unwrap());
    let mut game_state = GameState::new(contest);
    // Reports the last line received as an ERROR, and answers with the next ply of a list.
    let body = "n=0; while read -r line; do case \"$line\" in \
        'INFO variant connect6') v=1;; 'INFO opening centre') v=2;; START*) [ $v = 2 ] && echo OK;; \
        BEGIN|TURN*|PLIES*) n=$((n+1)); echo \"ERROR $line\"; case $n in \
        1) echo 9,9;; 2) echo 10,10 8,10;; 3) echo 0,0 1,0;; 4) echo 19,0 1,1;; \
        5) echo banana;; esac;; esac; done";
    let mut engine = script(body);
    engine.start(Terms::Family(contest), &EngineLimits::default(), LONG).unwrap();
    let mut next = |game_state: &mut GameState, question: &str| {
        let answer = engine.think(game_state, None, LONG)?;
        *game_state = answer.played(game_state)?;
        assert_eq!(answer.complaint.unwrap(), format!("ERROR {question}"));
        Ok::<_, Failure>(())
    };
    next(&mut game_state, "BEGIN").unwrap();
    game_state.apply(&Action::stones(&cells(&[(8, 8), (10, 8)]))).unwrap();
    next(&mut game_state, "TURN 8,8 10,8").unwrap();
    // After a ply that is not its own, the whole game is sent.
    game_state.take_back(1);
    game_state.apply(&Action::stones(&cells(&[(8, 7), (8, 6)]))).unwrap();
    game_state.apply(&Action::stones(&cells(&[(5, 5), (6, 6)]))).unwrap();
    next(&mut game_state, "PLIES j10 i11,k11 i12,i13 f14,g13").unwrap();
    game_state.apply(&Action::stones(&cells(&[(15, 5), (16, 6)]))).unwrap();
    let outside = next(&mut game_state, "").unwrap_err();
    assert_eq!(outside, Failure::Illegal("19,0 is outside the board".into()));
    assert!(matches!(next(&mut game_state, "").unwrap_err(), Failure::Protocol(_)));
}

#[test]
fn the_error_names_a_missing_program() {
    let spec = EngineSpec { command: "/nowhere/pbrain-none".into(), folder: None };
    let error = EngineProcess::spawn(&spec).err().unwrap();
    assert!(error.to_string().contains("cannot be run: /nowhere/pbrain-none"), "{error}");
}

#[test]
fn a_silent_engine_is_a_failure_after_the_wait() {
    let mut engine = script("cat > /dev/null");
    assert_eq!(engine.about(SHORT).unwrap(), None);
    let error = engine.start(setup(), &EngineLimits::default(), SHORT).unwrap_err();
    assert_eq!(error, Failure::Silent { asked: "START", wait: SHORT });
    let mut engine = started("");
    let error = engine.think(&after(&[]), None, SHORT).unwrap_err();
    assert_eq!(error, Failure::Silent { asked: "a request for a move", wait: SHORT });
}

#[test]
fn refusals_are_quoted() {
    let mut engine = script("read -r line; echo ERROR too large; cat > /dev/null");
    let error = engine.start(setup(), &EngineLimits::default(), LONG).unwrap_err();
    assert_eq!(error.to_string(), "refused START: too large");
}

/// Regression: an engine that was still starting seemed to refuse the game.
#[test]
fn a_late_answer_to_about_is_no_answer_to_start() {
    let late = "sleep 0.3; echo UNKNOWN command; read -r line; echo OK";
    let mut engine = script(&format!("read -r line; {late}; cat > /dev/null"));
    assert_eq!(engine.about(SHORT).unwrap(), None);
    engine.start(setup(), &EngineLimits::default(), LONG).unwrap();
    // If no answer to START follows, the refusal was the answer to START.
    let mut engine = script("read -r line; read -r line; echo ERROR too large; cat > /dev/null");
    assert_eq!(engine.about(SHORT).unwrap(), None);
    let wait = Duration::from_secs(1);
    let error = engine.start(setup(), &EngineLimits::default(), wait).unwrap_err();
    assert_eq!(error.to_string(), "refused START: too large");
}

#[test]
fn complaints_are_kept_with_the_answer() {
    let mut engine = started("INFO*rule*) echo ERROR Unknown rule;; BEGIN) echo 7,7;;");
    let answer = engine.think(&after(&[]), None, LONG).unwrap();
    assert_eq!(answer.complaint.as_deref(), Some("ERROR Unknown rule"));
}

#[test]
fn illegal_moves_and_other_answers_are_distinguished() {
    let answer = |text: &str| {
        let mut engine = started(&format!("DONE) echo {text};;"));
        let game = after(&[(7, 7)]);
        engine.think(&game, None, LONG).and_then(|answer| answer.played(&game))
    };
    let played = answer("8,8").unwrap();
    assert_eq!(played.actions()[1], Action::stone(Cell::new(8, 8)));
    for (text, fault) in [("7,7", "occupied"), ("15,0", "outside"), ("-1,-1", "outside")] {
        let error = answer(text).unwrap_err();
        assert!(matches!(&error, Failure::Illegal(why) if why.contains(fault)), "{error}");
    }
    for text in ["'banana'", "'7,7 8,8'", "SWAP", "'SUGGEST 1,1'", "7;8"] {
        let error = answer(text).unwrap_err();
        assert!(matches!(error, Failure::Protocol(_)), "{text}: {error}");
    }
}

#[test]
fn an_unrequested_move_is_a_failure() {
    let mut engine = started("BEGIN) echo 7,7; echo 8,8; echo MESSAGE done;; TURN*) echo 9,9;;");
    engine.think(&after(&[]), None, LONG).unwrap();
    std::thread::sleep(SHORT);
    // Depending on its arrival it is unrequested or answers the next question.
    let game = after(&[(7, 7), (8, 8)]);
    let error = engine.think(&game, None, LONG).and_then(|answer| answer.played(&game));
    let error = error.unwrap_err();
    assert!(matches!(error, Failure::Protocol(_) | Failure::Illegal(_)), "{error}");
}

#[test]
fn the_exit_status_of_an_engine_is_reported() {
    let mut engine = started("BEGIN) exit 3;;");
    let error = engine.think(&after(&[]), None, LONG).unwrap_err();
    assert_eq!(error, Failure::Crash("exit status: 3".into()));
    // Dead before it is asked.
    let mut engine = script("exit 0");
    let error = engine.start(setup(), &EngineLimits::default(), LONG).unwrap_err();
    assert!(matches!(error, Failure::Crash(_)), "{error}");
}

#[test]
fn floods_are_noticed_with_and_without_line_ends() {
    for flood in ["yes MESSAGE flood", "cat /dev/zero"] {
        let mut engine = started(&format!("BEGIN) {flood};;"));
        assert_eq!(engine.think(&after(&[]), None, LONG).unwrap_err(), Failure::Flood, "{flood}");
    }
    // A flood of moves: the first may pass as an answer, the second not.
    let mut engine = started("BEGIN) yes 1,1;;");
    let answers = [after(&[]), after(&[(1, 1), (2, 2)])]
        .map(|game| engine.think(&game, None, LONG)?.played(&game));
    let error = answers.iter().find_map(|answer| answer.as_ref().err());
    let unasked = "sent a move without being asked: 1,1".into();
    let known = [Failure::Flood, Failure::Protocol(unasked)];
    let again = Failure::Illegal("1,1: the point is occupied".into());
    assert!(error.is_some_and(|e| known.contains(e) || *e == again), "{error:?}");
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let mut engine = script("echo OK; sleep 1000");
    engine.start(setup(), &EngineLimits::default(), LONG).unwrap();
    let board = after(&(0..7 * 15).map(|i| (2 * (i % 7), i / 7)).collect::<Vec<_>>());
    let error = loop {
        match engine.think(&board, None, Duration::ZERO) {
            Err(Failure::Silent { .. }) => {}
            other => break other.unwrap_err(),
        }
    };
    assert_eq!(error, Failure::Protocol("does not read its input".into()));
}

/// Regression: the failure was a missing answer to END, though nobody had waited for it.
#[test]
fn an_engine_that_does_not_read_end_closed_its_pipes() {
    let mut engine = script("exec <&-; echo OK; sleep 1000");
    // It may have closed its input only after START was written.
    let _ = engine.start(setup(), &EngineLimits::default(), LONG);
    assert_eq!(engine.close(LONG), Some(Failure::Crash("closed its pipes".into())));
}

#[cfg(target_os = "linux")]
#[test]
fn descendants_of_an_engine_are_killed_with_it() {
    // Starts a child that holds the pipes open.
    let mut engine = started("BEGIN) sleep 1000 & echo 7,7; sleep 1000;;");
    engine.think(&after(&[]), None, LONG).unwrap();
    let family = memory::family(engine.process.id());
    assert!(family.len() >= 2, "{family:?}");
    engine.close(SHORT);
    let lives = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // A killed orphan may wait a while as a zombie for its new parent.
        !stat.is_empty() && !stat.contains(") Z ")
    };
    let until = Instant::now() + LONG;
    while family.iter().any(lives) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(!family.iter().any(lives));
}
