use super::tests::{Jobs, model, play, refusal, shown};
use super::*;
use crate::guide::{RemainingReplies, TreeClaim, TreeMove};
use crate::schema::{GameChoice, Query, TimeControl, TreeInfo, Walk, WalkState};
use crate::search::Task;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};

/// One tree.
struct One;

impl TreeList for One {
    fn trees(&self) -> Result<Vec<TreeInfo>> {
        Ok(vec![TreeInfo { name: "a.tree".into(), text: "freestyle".into() }])
    }
}

const H8: Cell = Cell::new(7, 7);
const A1: Cell = Cell::new(0, 14);
const I9: Cell = Cell::new(8, 6);

fn claim() -> TreeClaim {
    TreeClaim {
        setup: Setup::new(RuleId::Freestyle, 15, 15).unwrap(),
        attacker: Color::Black,
        stones: vec![(H8, Color::Black)],
        to_move: Color::White,
        parts: Some(35),
    }
}

fn begun() -> (Model, Jobs) {
    let (model, jobs) = model();
    (model.with_trees(Box::new(One)), jobs)
}

/// What the newest job finds.
fn found(model: &mut Model, jobs: &Jobs, found: Found) -> Vec<Event> {
    let number = jobs.last().unwrap().number;
    let events = model.found(number, found, Instant::now());
    assert_eq!(refusal(&events), None);
    events
}

fn walk(events: &[Event]) -> Walk {
    let walk = events.iter().rev().find_map(|event| match event {
        Event::Walk(walk) => Some((**walk).clone()),
        _ => None,
    });
    walk.expect("the walk stands otherwise")
}

fn remaining_replies() -> RemainingReplies {
    let left = Some(vec![A1, I9]);
    RemainingReplies { left, all: 224, forced: vec![A1, I9], threat: vec![I9], reading: false }
}

/// The moves that the newest job is about.
fn asked(jobs: &Jobs) -> (&'static str, Vec<Cell>) {
    match jobs.last().unwrap().task {
        Task::TreeMove { moves } => ("move", moves),
        Task::RemainingReplies { moves } => ("remaining replies", moves),
        other => panic!("{other:?}"),
    }
}

/// A walk that has begun in a game with a stone.
fn walking() -> (Model, Jobs) {
    let (mut model, jobs) = begun();
    model.handle(Command::Players { players: [Player::Person; 2] });
    play(&mut model, "c3");
    model.handle(Command::Walk { name: "a.tree".into() });
    assert!(matches!(jobs.last().unwrap().task, Task::OpenTree { name } if name == "a.tree"));
    assert_eq!(shown(&model).stones.len(), 1);
    found(&mut model, &jobs, Found::Tree(Some(Box::new(claim()))));
    assert_eq!(shown(&model).stones[0].cell, H8);
    assert_eq!(asked(&jobs), ("remaining replies", vec![]));
    (model, jobs)
}

#[test]
fn a_person_plays_the_defender_and_the_tree_answers() {
    let (mut model, jobs) = walking();
    let reported =
        walk(&found(&mut model, &jobs, Found::RemainingReplies(Box::new(remaining_replies()))));
    assert_eq!(reported.state, WalkState::Asked);
    assert_eq!(reported.text, "2 replies of 224 are left: all others lose as a pass does.");
    assert_eq!(
        reported.claim,
        "freestyle on 15x15: the tree claims that Black wins. The tree has 35 replies, each read when \
         it is played."
    );
    let forced = reported.forced.unwrap();
    assert_eq!((forced.text.as_str(), forced.stones[0].color), ("a1 i9", Color::White));
    assert_eq!(reported.threat.unwrap().stones[0].color, Color::Black);
    play(&mut model, "a1");
    assert_eq!(asked(&jobs), ("move", vec![A1]));
    // Nobody plays for the tree.
    let events = model.handle(Command::Place { cell: I9 });
    assert!(refusal(&events).is_some());
    let reported = walk(&found(&mut model, &jobs, Found::Reading(0.25)));
    assert!(reported.text.contains("25 %") && reported.state == WalkState::Waiting, "{reported:?}");
    found(&mut model, &jobs, Found::TreeMove(TreeMove::Move(I9, true)));
    assert_eq!(
        (shown(&model).stones.len(), asked(&jobs)),
        (3, ("remaining replies", vec![A1, I9]))
    );
    // Undo leads to where the defender may choose again, which is known.
    let reported = walk(&model.handle(Command::Undo {}));
    assert_eq!((shown(&model).stones.len(), reported.left.unwrap().len()), (1, 2));
    assert_eq!(asked(&jobs), ("remaining replies", vec![A1, I9]));
    // And forward again: the tree is asked, and its move is the one that is there.
    model.handle(Command::Redo {});
    assert_eq!(asked(&jobs), ("move", vec![A1]));
    found(&mut model, &jobs, Found::TreeMove(TreeMove::Move(I9, true)));
    assert_eq!(model.tree.view().nodes.len(), 4);
}

#[test]
fn a_tree_without_an_answer_is_asked_again() {
    let (mut model, jobs) = walking();
    play(&mut model, "a1");
    model.handle(Command::Stop {});
    assert!(jobs.last().unwrap().request.control.stopped());
    let reported = walk(&found(&mut model, &jobs, Found::TreeMove(TreeMove::Ended)));
    assert_eq!(reported.state, WalkState::Stuck);
    let events = model.handle(Command::Play { text: "b2".into() });
    assert!(refusal(&events).unwrap().contains("tree is to move"), "{events:?}");
    model.handle(Command::Move {});
    assert_eq!(asked(&jobs), ("move", vec![A1]));
    for (none, words) in [(TreeMove::None, "no answer"), (TreeMove::Full, "more memory")] {
        let reported = walk(&found(&mut model, &jobs, Found::TreeMove(none)));
        assert!(
            reported.text.contains(words) && reported.state == WalkState::Stuck,
            "{reported:?}"
        );
        model.handle(Command::Move {});
    }
    // What fails is told, and the walk goes on.
    let number = jobs.last().unwrap().number;
    let failed = Found::Failed("a part of the packed tree is wrong".into());
    let events = model.found(number, failed, Instant::now());
    assert!(refusal(&events).unwrap().contains("part of the packed tree"), "{events:?}");
    assert_eq!(walk(&events).state, WalkState::Stuck);
}

#[test]
fn the_game_is_kept_meanwhile_and_shown_again() {
    let (mut model, jobs) = walking();
    play(&mut model, "a1");
    let kept = model.handle(Command::Keep {});
    assert!(matches!(&kept[..], [Event::Kept { text }] if text.contains("\"c3\"")), "{kept:?}");
    let events = model.handle(Command::Leave {});
    assert_eq!(refusal(&events), None);
    assert_eq!(walk(&events).state, WalkState::None);
    assert!(matches!(jobs.last().unwrap().task, Task::CloseTree));
    assert_eq!((shown(&model).stones.len(), shown(&model).stones[0].cell), (1, Cell::new(2, 12)));
    assert!(refusal(&model.handle(Command::Leave {})).is_some());
    play(&mut model, "d4");
}

/// The page went on showing the walk, and refused to leave it.
#[test]
fn an_exercise_ends_the_walk() {
    let (mut model, jobs) = walking();
    // Its review ends with it.
    assert_eq!(refusal(&model.handle(Command::Review { time_ms: 50 })), None);
    let puzzle = super::puzzles::all().remove(0).text;
    let events = model.handle(Command::Train { puzzle });
    assert_eq!(refusal(&events), None);
    assert_eq!(walk(&events).state, WalkState::None);
    assert!(model.review.is_none());
    assert!(matches!(jobs.last().unwrap().task, Task::CloseTree));
    model.handle(Command::Leave {});
    assert_eq!((shown(&model).stones.len(), shown(&model).stones[0].cell), (1, Cell::new(2, 12)));
}

#[test]
fn another_game_ends_the_walk() {
    let (mut model, _) = walking();
    let game = GameChoice {
        variant: "pente".into(),
        size: None,
        opening: None,
        tie_break: false,
        strict: false,
    };
    let events = model.handle(Command::New { game, players: [Player::Person; 2], time: None });
    assert_eq!(walk(&events).state, WalkState::None);
    assert!(refusal(&model.handle(Command::Leave {})).is_some());
    play(&mut model, "j10");
}

#[test]
fn a_tree_that_cannot_be_opened_changes_nothing() {
    let (mut model, jobs) = begun();
    model.handle(Command::Players { players: [Player::Person; 2] });
    play(&mut model, "c3");
    model.handle(Command::Walk { name: "b.tree".into() });
    let number = jobs.last().unwrap().number;
    let failed = Found::Failed("b.tree: its head is cut short".into());
    let events = model.found(number, failed, Instant::now());
    assert_eq!(refusal(&events), Some("b.tree: its head is cut short."));
    play(&mut model, "d4");
    assert_eq!(shown(&model).stones.len(), 2);
    // A position that no game leads to.
    model.handle(Command::Walk { name: "b.tree".into() });
    let stones = vec![(H8, Color::Black), (H8, Color::White)];
    let number = jobs.last().unwrap().number;
    let unshown = Found::Tree(Some(Box::new(TreeClaim { stones, ..claim() })));
    let events = model.found(number, unshown, Instant::now());
    assert!(refusal(&events).unwrap().contains("cannot be shown"), "{events:?}");
    play(&mut model, "e5");
}

/// The review ended, and the analysis stayed on with nothing searched.
#[test]
fn what_was_searched_before_a_tree_that_cannot_be_opened_goes_on() {
    let reviews: fn(&Task) -> bool = |task| matches!(task, Task::Answer { .. });
    let analyses: fn(&Task) -> bool = |task| matches!(task, Task::Analyse { .. });
    for (command, goes_on) in
        [(Command::Review { time_ms: 50 }, reviews), (Command::Analyse { lines: 2 }, analyses)]
    {
        let (mut model, jobs) = begun();
        model.handle(Command::Players { players: [Player::Person; 2] });
        play(&mut model, "c3 d4");
        model.handle(command);
        let stones = vec![(H8, Color::Black), (H8, Color::White)];
        for failed in [
            Found::Failed("b.tree: its head is cut short".into()),
            Found::Tree(Some(Box::new(TreeClaim { stones, ..claim() }))),
        ] {
            model.handle(Command::Walk { name: "b.tree".into() });
            let events = model.found(jobs.last().unwrap().number, failed, Instant::now());
            assert!(refusal(&events).is_some(), "{events:?}");
            assert!(model.is_searching() && goes_on(&jobs.last().unwrap().task));
        }
    }
    // An analysis that fails itself is off, and not begun again.
    let (mut model, jobs) = begun();
    model.handle(Command::Analyse { lines: 2 });
    let failed = Found::Failed("there is no memory".into());
    model.found(jobs.last().unwrap().number, failed, Instant::now());
    assert_eq!((model.is_searching(), model.play.lines), (false, 0));
}

/// A five of the defender was told as a win of the attacker.
#[test]
fn a_win_of_the_defender_is_told_as_such() {
    let (mut model, jobs) = walking();
    for (reply, x) in [("a1", 0), ("b1", 2), ("c1", 4), ("d1", 6)] {
        play(&mut model, reply);
        found(&mut model, &jobs, Found::TreeMove(TreeMove::Move(Cell::new(x, 0), true)));
    }
    let reported = walk(&model.handle(Command::Play { text: "e1".into() }));
    assert_eq!(reported.state, WalkState::Stuck);
    assert_eq!(reported.text, "White has won, against what the tree claims: go back.");
}

#[test]
fn without_trees_the_program_is_named() {
    let mut model = model().0;
    for command in [Command::Trees {}, Command::Walk { name: "a.tree".into() }] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains("goren board"), "{events:?}");
    }
}

#[test]
fn a_position_that_no_moves_lead_to_is_laid() {
    let (mut model, jobs) = begun();
    model.handle(Command::Walk { name: "a.tree".into() });
    let stones = vec![(H8, Color::Black), (I9, Color::Black), (A1, Color::White)];
    let laid = TreeClaim { stones, to_move: Color::White, ..claim() };
    found(&mut model, &jobs, Found::Tree(Some(Box::new(laid))));
    assert_eq!((shown(&model).stones.len(), asked(&jobs)), (3, ("remaining replies", vec![])));
    found(&mut model, &jobs, Found::RemainingReplies(Box::new(remaining_replies())));
    play(&mut model, "b1");
    assert_eq!(asked(&jobs), ("move", vec![Cell::new(1, 14)]));
}

fn reported(events: &[Event]) -> Vec<&str> {
    let text = events.iter().filter_map(|event| match event {
        Event::Message { text } => Some(&text[..]),
        _ => None,
    });
    text.collect()
}

/// The tree, which answers stones, had no answer to it.
#[test]
fn nobody_passes_in_a_walk() {
    let (mut model, jobs) = begun();
    model.handle(Command::Walk { name: "a.tree".into() });
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    let opened = Found::Tree(Some(Box::new(TreeClaim { setup, ..claim() })));
    found(&mut model, &jobs, opened);
    play(&mut model, "a1");
    let events = found(&mut model, &jobs, Found::TreeMove(TreeMove::Move(I9, true)));
    let passes = events.iter().find_map(|event| match event {
        Event::Position(position) => position.decision.as_ref().map(|decision| decision.pass),
        _ => None,
    });
    assert_eq!((passes, shown(&model).decision.unwrap().pass), (Some(false), true));
    for command in [Command::Pass {}, Command::Play { text: "pass".into() }] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains("answers stones alone"), "{events:?}");
    }
    assert_eq!(asked(&jobs), ("remaining replies", vec![A1, I9]));
}

/// It was told on that they were counted, and nothing counted them.
#[test]
fn replies_are_counted_before_and_after_what_else_is_searched() {
    let (mut model, jobs) = walking();
    model.handle(Command::Analyse { lines: 1 });
    assert_eq!(asked(&jobs), ("remaining replies", vec![]));
    assert!(!jobs.last().unwrap().request.control.stopped());
    model.handle(Command::Search { query: Query::Vcf });
    assert!(matches!(jobs.last().unwrap().task, Task::Vcf { .. }));
    found(&mut model, &jobs, Found::Fours(None, true));
    assert_eq!(asked(&jobs), ("remaining replies", vec![]));
    found(&mut model, &jobs, Found::RemainingReplies(Box::new(remaining_replies())));
    assert!(matches!(jobs.last().unwrap().task, Task::Analyse { .. }));
    // Where they are not counted to the end that is told, and it can be asked for again.
    let (mut model, jobs) = walking();
    model.handle(Command::Stop {});
    let ended = RemainingReplies { left: None, ..remaining_replies() };
    let reported = walk(&found(&mut model, &jobs, Found::RemainingReplies(Box::new(ended))));
    assert!(reported.text.contains("not counted to the end"), "{reported:?}");
    model.handle(Command::Move {});
    let failed = Found::Failed("a part of the packed tree is wrong".into());
    let events = model.found(jobs.last().unwrap().number, failed, Instant::now());
    assert!(walk(&events).text.contains("not counted to the end"), "{events:?}");
    model.handle(Command::Move {});
    let counted = Found::RemainingReplies(Box::new(remaining_replies()));
    assert!(walk(&found(&mut model, &jobs, counted)).text.starts_with("2 replies of 224"));
}

/// It was gone, and the walk could not go on.
#[test]
fn the_position_of_a_walk_is_not_removed() {
    let (mut model, jobs) = walking();
    let events = model.handle(Command::Remove { node: 1 });
    assert!(refusal(&events).unwrap().ends_with("it stays."), "{events:?}");
    assert_eq!((shown(&model).stones.len(), asked(&jobs).0), (1, "remaining replies"));
}

/// Stop did not prevent the tree from being opened.
#[test]
fn a_tree_whose_opening_was_ended_is_not_shown() {
    let (mut model, jobs) = begun();
    model.handle(Command::Players { players: [Player::Person; 2] });
    play(&mut model, "c3");
    for claim in [None, Some(Box::new(claim()))] {
        model.handle(Command::Walk { name: "a.tree".into() });
        assert!(model.acts());
        model.handle(Command::Stop {});
        assert!(jobs.last().unwrap().request.control.stopped());
        let is_open = claim.is_some();
        let events = found(&mut model, &jobs, Found::Tree(claim));
        assert_eq!(reported(&events), ["a.tree was not opened."]);
        assert_eq!(shown(&model).stones.len(), 1);
        assert_eq!(matches!(jobs.last().unwrap().task, Task::CloseTree), is_open);
        assert!(model.walk.is_none());
    }
}

/// Opening ended without a message.
#[test]
fn a_tree_that_makes_way_for_another_search_is_told_of() {
    let text = "a.tree was not opened: something else was asked for.";
    let (mut model, jobs) = begun();
    model.handle(Command::Players { players: [Player::Person; 2] });
    play(&mut model, "c3");
    let walk = || Command::Walk { name: "a.tree".into() };
    let puzzle = super::puzzles::all().remove(0).text;
    for command in [
        Command::Undo {},
        Command::Walk { name: "b.tree".into() },
        Command::Train { puzzle },
        Command::Leave {},
    ] {
        model.handle(walk());
        let opening = jobs.last().unwrap();
        let events = model.handle(command.clone());
        assert_eq!(reported(&events), [text], "{command:?}");
        assert!(opening.request.control.stopped());
        // Its result is ignored.
        assert!(model.found(opening.number, Found::Tree(None), Instant::now()).is_empty());
        assert!(model.walk.is_none());
        // The next one begins anew.
        model.running = None;
    }
}

/// Stopping the clock cancelled the opening. The clock of the engine, whose search makes way,
/// ran on.
#[test]
fn a_tree_is_opened_while_the_clock_is_stopped() {
    for second in [Player::Person, Player::Engine] {
        let (mut model, jobs) = begun();
        let game = GameChoice {
            variant: "freestyle".into(),
            size: None,
            opening: None,
            tie_break: false,
            strict: false,
        };
        let time = Some(TimeControl { game_ms: Some(60_000), increment_ms: 0, move_ms: None });
        model.handle(Command::New { game, players: [Player::Person, second], time });
        play(&mut model, "c3");
        model.handle(Command::Walk { name: "a.tree".into() });
        let runs = model.clock.as_ref().unwrap().runs();
        assert_eq!(runs, second == Player::Person);
        let events = model.handle(Command::Clock { run: false });
        assert_eq!((refusal(&events), reported(&events)), (None, vec![]));
        assert!(!jobs.last().unwrap().request.control.stopped());
        found(&mut model, &jobs, Found::Tree(Some(Box::new(claim()))));
        assert_eq!(shown(&model).stones[0].cell, H8);
        assert!(model.walk.is_some());
    }
}

/// The trees that were given up.
fn replaced(events: &[Event]) -> Vec<(&str, bool)> {
    let kept = events.iter().filter_map(|event| match event {
        Event::Replaced { text, part, .. } => Some((&text[..], *part)),
        _ => None,
    });
    kept.collect()
}

/// Comments, marks and lines of a walk were thrown away at its end.
#[test]
fn what_is_written_in_a_walk_is_kept() {
    let ends: [fn() -> Command; 3] = [
        || Command::Leave {},
        || Command::OpenLink { text: "game=pente".into() },
        || Command::Train { puzzle: super::puzzles::all().remove(0).text },
    ];
    for end in ends {
        let (mut model, jobs) = walking();
        assert_eq!(replaced(&model.handle(Command::Leave {})), [], "nothing was written");
        model.handle(Command::Walk { name: "a.tree".into() });
        found(&mut model, &jobs, Found::Tree(Some(Box::new(claim()))));
        play(&mut model, "a1");
        let node = shown(&model).node;
        let noted = model.handle(Command::Comment { node, text: "why".into() });
        let events = model.handle(end());
        assert_eq!(refusal(&events), None);
        let kept = replaced(&events);
        assert!(
            kept[0].0.contains("why") && kept[0].0.contains("\"a1\"") && !kept[0].1,
            "{kept:?}"
        );
        // So it is if the page is closed before.
        let text = kept[0].0.to_owned();
        let is_same = |event: &Event| matches!(event, Event::Noted { text: it, .. } if *it == text);
        assert!(noted.iter().any(is_same), "{noted:?}");
        // It can be shown.
        let events = model.handle(Command::Restore { text });
        assert_eq!(refusal(&events), None);
        assert_eq!((shown(&model).stones.len(), model.tree.notes(node).comment), (2, "why"));
    }
    // A branch that is removed there, too.
    let (mut model, _) = walking();
    play(&mut model, "a1");
    let node = shown(&model).node;
    model.handle(Command::Comment { node, text: "why".into() });
    let events = model.handle(Command::Remove { node });
    assert_eq!(replaced(&events).iter().map(|it| it.1).collect::<Vec<_>>(), [true]);
}
