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

fn with_trees() -> (Model, Jobs) {
    let (model, jobs) = model();
    (model.with_trees(Box::new(One)), jobs)
}

/// Delivers a result of the last job; returns its events.
fn deliver(model: &mut Model, jobs: &Jobs, found: Found) -> Vec<Event> {
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

/// Returns what the last job asks the tree for, and the moves.
fn requested(jobs: &Jobs) -> (&'static str, Vec<Cell>) {
    match jobs.last().unwrap().task {
        Task::TreeMove { moves } => ("move", moves),
        Task::RemainingReplies { moves } => ("remaining replies", moves),
        other => panic!("{other:?}"),
    }
}

/// Begins a walk in a game with one stone.
fn walking() -> (Model, Jobs) {
    let (mut model, jobs) = with_trees();
    model.handle(Command::Players { players: [Player::Person; 2] });
    play(&mut model, "c3");
    model.handle(Command::Walk { name: "a.tree".into() });
    assert!(matches!(jobs.last().unwrap().task, Task::OpenTree { name } if name == "a.tree"));
    assert_eq!(shown(&model).stones.len(), 1);
    deliver(&mut model, &jobs, Found::Tree(Some(Box::new(claim()))));
    assert_eq!(shown(&model).stones[0].cell, H8);
    assert_eq!(requested(&jobs), ("remaining replies", vec![]));
    (model, jobs)
}

#[test]
fn the_user_plays_the_defender_and_the_tree_answers() {
    let (mut model, jobs) = walking();
    let view =
        walk(&deliver(&mut model, &jobs, Found::RemainingReplies(Box::new(remaining_replies()))));
    assert_eq!(view.state, WalkState::Asked);
    assert_eq!(view.text, "2 replies of 224 are left: the others lose just as a pass does.");
    assert_eq!(
        view.claim,
        "freestyle on 15x15: the tree claims that Black wins. The tree has 35 replies, each read when \
         it is played."
    );
    let forced = view.forced.unwrap();
    assert_eq!((forced.text.as_str(), forced.stones[0].color), ("a1 i9", Color::White));
    assert_eq!(view.threat.unwrap().stones[0].color, Color::Black);
    play(&mut model, "a1");
    assert_eq!(requested(&jobs), ("move", vec![A1]));
    // The user cannot play for the tree.
    let events = model.handle(Command::Place { cell: I9 });
    assert!(refusal(&events).is_some());
    let view = walk(&deliver(&mut model, &jobs, Found::Reading(0.25)));
    assert!(view.text.contains("25 %") && view.state == WalkState::Waiting, "{view:?}");
    deliver(&mut model, &jobs, Found::TreeMove(TreeMove::Move(I9, true)));
    assert_eq!(
        (shown(&model).stones.len(), requested(&jobs)),
        (3, ("remaining replies", vec![A1, I9]))
    );
    // Undo goes back to the defender's choice, where the replies are known.
    let view = walk(&model.handle(Command::Undo {}));
    assert_eq!((shown(&model).stones.len(), view.left.unwrap().len()), (1, 2));
    assert_eq!(requested(&jobs), ("remaining replies", vec![A1, I9]));
    // Redo asks the tree, whose move is already in the game tree.
    model.handle(Command::Redo {});
    assert_eq!(requested(&jobs), ("move", vec![A1]));
    deliver(&mut model, &jobs, Found::TreeMove(TreeMove::Move(I9, true)));
    assert_eq!(model.tree.view().nodes.len(), 4);
}

#[test]
fn a_tree_without_an_answer_can_be_asked_again() {
    let (mut model, jobs) = walking();
    play(&mut model, "a1");
    model.handle(Command::Stop {});
    assert!(jobs.last().unwrap().request.control.stopped());
    let view = walk(&deliver(&mut model, &jobs, Found::TreeMove(TreeMove::Ended)));
    assert_eq!(view.state, WalkState::Stuck);
    let events = model.handle(Command::Play { text: "b2".into() });
    assert!(refusal(&events).unwrap().contains("tree is to move"), "{events:?}");
    model.handle(Command::Move {});
    assert_eq!(requested(&jobs), ("move", vec![A1]));
    for (none, words) in [(TreeMove::None, "no answer"), (TreeMove::Full, "more memory")] {
        let view = walk(&deliver(&mut model, &jobs, Found::TreeMove(none)));
        assert!(view.text.contains(words) && view.state == WalkState::Stuck, "{view:?}");
        model.handle(Command::Move {});
    }
    // A failure is reported, and the walk continues.
    let number = jobs.last().unwrap().number;
    let failed = Found::Failed("a part of the packed tree is wrong".into());
    let events = model.found(number, failed, Instant::now());
    assert!(refusal(&events).unwrap().contains("part of the packed tree"), "{events:?}");
    assert_eq!(walk(&events).state, WalkState::Stuck);
}

#[test]
fn the_game_is_stored_during_the_walk_and_shown_again() {
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

/// Regression: the page still showed the walk, and refused to leave it.
#[test]
fn an_exercise_ends_the_walk() {
    let (mut model, jobs) = walking();
    // The review of the walk ends with it.
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
    let (mut model, jobs) = with_trees();
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

/// Regression: the review ended, and the analysis stayed on without a search.
#[test]
fn other_searches_resume_if_a_tree_cannot_be_opened() {
    let reviews: fn(&Task) -> bool = |task| matches!(task, Task::Answer { .. });
    let analyses: fn(&Task) -> bool = |task| matches!(task, Task::Analyse { .. });
    for (command, goes_on) in
        [(Command::Review { time_ms: 50 }, reviews), (Command::Analyse { lines: 2 }, analyses)]
    {
        let (mut model, jobs) = with_trees();
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
    // An analysis that fails is turned off, and not repeated.
    let (mut model, jobs) = with_trees();
    model.handle(Command::Analyse { lines: 2 });
    let failed = Found::Failed("there is no memory".into());
    model.found(jobs.last().unwrap().number, failed, Instant::now());
    assert_eq!((model.is_searching(), model.play.lines), (false, 0));
}

/// Regression: a five of the defender was reported as a win of the attacker.
#[test]
fn a_win_of_the_defender_is_reported_as_such() {
    let (mut model, jobs) = walking();
    for (reply, x) in [("a1", 0), ("b1", 2), ("c1", 4), ("d1", 6)] {
        play(&mut model, reply);
        deliver(&mut model, &jobs, Found::TreeMove(TreeMove::Move(Cell::new(x, 0), true)));
    }
    let view = walk(&model.handle(Command::Play { text: "e1".into() }));
    assert_eq!(view.state, WalkState::Stuck);
    assert_eq!(view.text, "White has won, contrary to the claim of the tree: go back.");
}

#[test]
fn without_trees_the_refusal_names_the_program() {
    let mut model = model().0;
    for command in [Command::Trees {}, Command::Walk { name: "a.tree".into() }] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains("goren board"), "{events:?}");
    }
}

#[test]
fn a_root_position_with_stones_out_of_turn_is_set_up() {
    let (mut model, jobs) = with_trees();
    model.handle(Command::Walk { name: "a.tree".into() });
    let stones = vec![(H8, Color::Black), (I9, Color::Black), (A1, Color::White)];
    let out_of_turn = TreeClaim { stones, to_move: Color::White, ..claim() };
    deliver(&mut model, &jobs, Found::Tree(Some(Box::new(out_of_turn))));
    assert_eq!((shown(&model).stones.len(), requested(&jobs)), (3, ("remaining replies", vec![])));
    deliver(&mut model, &jobs, Found::RemainingReplies(Box::new(remaining_replies())));
    play(&mut model, "b1");
    assert_eq!(requested(&jobs), ("move", vec![Cell::new(1, 14)]));
}

fn messages(events: &[Event]) -> Vec<&str> {
    let text = events.iter().filter_map(|event| match event {
        Event::Message { text } => Some(&text[..]),
        _ => None,
    });
    text.collect()
}

/// Regression: the tree had no answer to a pass.
#[test]
fn passes_are_refused_in_a_walk() {
    let (mut model, jobs) = with_trees();
    model.handle(Command::Walk { name: "a.tree".into() });
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    let opened = Found::Tree(Some(Box::new(TreeClaim { setup, ..claim() })));
    deliver(&mut model, &jobs, opened);
    play(&mut model, "a1");
    let events = deliver(&mut model, &jobs, Found::TreeMove(TreeMove::Move(I9, true)));
    let passes = events.iter().find_map(|event| match event {
        Event::Position(position) => position.decision.as_ref().map(|decision| decision.pass),
        _ => None,
    });
    assert_eq!((passes, shown(&model).decision.unwrap().pass), (Some(false), true));
    for command in [Command::Pass {}, Command::Play { text: "pass".into() }] {
        let events = model.handle(command);
        assert!(refusal(&events).unwrap().contains("answers only stones"), "{events:?}");
    }
    assert_eq!(requested(&jobs), ("remaining replies", vec![A1, I9]));
}

/// Regression: the page said that they were being counted when no search did so.
#[test]
fn replies_are_counted_before_and_after_other_searches() {
    let (mut model, jobs) = walking();
    model.handle(Command::Analyse { lines: 1 });
    assert_eq!(requested(&jobs), ("remaining replies", vec![]));
    assert!(!jobs.last().unwrap().request.control.stopped());
    model.handle(Command::Search { query: Query::Vcf });
    assert!(matches!(jobs.last().unwrap().task, Task::Vcf { .. }));
    deliver(&mut model, &jobs, Found::Fours(None, true));
    assert_eq!(requested(&jobs), ("remaining replies", vec![]));
    deliver(&mut model, &jobs, Found::RemainingReplies(Box::new(remaining_replies())));
    assert!(matches!(jobs.last().unwrap().task, Task::Analyse { .. }));
    // An incomplete count is reported, and can be requested again.
    let (mut model, jobs) = walking();
    model.handle(Command::Stop {});
    let ended = RemainingReplies { left: None, ..remaining_replies() };
    let view = walk(&deliver(&mut model, &jobs, Found::RemainingReplies(Box::new(ended))));
    assert!(view.text.contains("not all counted"), "{view:?}");
    model.handle(Command::Move {});
    let failed = Found::Failed("a part of the packed tree is wrong".into());
    let events = model.found(jobs.last().unwrap().number, failed, Instant::now());
    assert!(walk(&events).text.contains("not all counted"), "{events:?}");
    model.handle(Command::Move {});
    let counted = Found::RemainingReplies(Box::new(remaining_replies()));
    assert!(walk(&deliver(&mut model, &jobs, counted)).text.starts_with("2 replies of 224"));
}

/// Regression: it was removed, and the walk could not continue.
#[test]
fn the_root_position_of_a_walk_cannot_be_removed() {
    let (mut model, jobs) = walking();
    let events = model.handle(Command::Remove { node: 1 });
    assert!(refusal(&events).unwrap().ends_with("it cannot be removed."), "{events:?}");
    assert_eq!((shown(&model).stones.len(), requested(&jobs).0), (1, "remaining replies"));
}

/// Regression: `Stop` did not prevent the tree from being opened.
#[test]
fn a_tree_whose_opening_was_stopped_is_not_shown() {
    let (mut model, jobs) = with_trees();
    model.handle(Command::Players { players: [Player::Person; 2] });
    play(&mut model, "c3");
    for claim in [None, Some(Box::new(claim()))] {
        model.handle(Command::Walk { name: "a.tree".into() });
        assert!(model.acts());
        model.handle(Command::Stop {});
        assert!(jobs.last().unwrap().request.control.stopped());
        let is_open = claim.is_some();
        let events = deliver(&mut model, &jobs, Found::Tree(claim));
        assert_eq!(messages(&events), ["a.tree was not opened."]);
        assert_eq!(shown(&model).stones.len(), 1);
        assert_eq!(matches!(jobs.last().unwrap().task, Task::CloseTree), is_open);
        assert!(model.walk.is_none());
    }
}

/// Regression: the opening ended without a message.
#[test]
fn an_opening_aborted_by_another_search_is_reported() {
    let text = "a.tree was not opened: another request replaced it.";
    let (mut model, jobs) = with_trees();
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
        assert_eq!(messages(&events), [text], "{command:?}");
        assert!(opening.request.control.stopped());
        // Its result is ignored.
        assert!(model.found(opening.number, Found::Tree(None), Instant::now()).is_empty());
        assert!(model.walk.is_none());
        // The next opening starts without a running search.
        model.running = None;
    }
}

/// Regression: stopping the clock cancelled the opening. The engine's clock ran on while its
/// search was aborted.
#[test]
fn a_tree_is_opened_while_the_clock_is_stopped() {
    for second in [Player::Person, Player::Engine] {
        let (mut model, jobs) = with_trees();
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
        assert_eq!((refusal(&events), messages(&events)), (None, vec![]));
        assert!(!jobs.last().unwrap().request.control.stopped());
        deliver(&mut model, &jobs, Found::Tree(Some(Box::new(claim()))));
        assert_eq!(shown(&model).stones[0].cell, H8);
        assert!(model.walk.is_some());
    }
}

/// Returns the replaced trees, and whether each lost only a part.
fn replaced(events: &[Event]) -> Vec<(&str, bool)> {
    let kept = events.iter().filter_map(|event| match event {
        Event::Replaced { text, part, .. } => Some((&text[..], *part)),
        _ => None,
    });
    kept.collect()
}

/// Regression: comments, marks and lines of a walk were lost at its end.
#[test]
fn notes_written_in_a_walk_are_stored() {
    let ends: [fn() -> Command; 3] = [
        || Command::Leave {},
        || Command::OpenLink { text: "game=pente".into() },
        || Command::Train { puzzle: super::puzzles::all().remove(0).text },
    ];
    for end in ends {
        let (mut model, jobs) = walking();
        assert_eq!(replaced(&model.handle(Command::Leave {})), [], "nothing was written");
        model.handle(Command::Walk { name: "a.tree".into() });
        deliver(&mut model, &jobs, Found::Tree(Some(Box::new(claim()))));
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
        // The page has stored the same before the walk ends.
        let text = kept[0].0.to_owned();
        let is_same = |event: &Event| matches!(event, Event::Noted { text: it, .. } if *it == text);
        assert!(noted.iter().any(is_same), "{noted:?}");
        // The stored tree can be restored.
        let events = model.handle(Command::Restore { text });
        assert_eq!(refusal(&events), None);
        assert_eq!((shown(&model).stones.len(), model.tree.notes(node).comment), (2, "why"));
    }
    // The same for a branch removed in a walk.
    let (mut model, _) = walking();
    play(&mut model, "a1");
    let node = shown(&model).node;
    model.handle(Command::Comment { node, text: "why".into() });
    let events = model.handle(Command::Remove { node });
    assert_eq!(replaced(&events).iter().map(|it| it.1).collect::<Vec<_>>(), [true]);
}
