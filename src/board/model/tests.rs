use std::sync::{Arc, Mutex};

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::schema::{Decision, Frame, GameChoice, Position};
use crate::search::Runner;
use goren_core::opening::{self, Action, Choice};
use goren_core::rules::OpeningId;
use goren_core::types::Cell;
use goren_engine::{TableHandle, stack};

/// A searcher that only records its jobs.
#[derive(Clone, Default)]
pub(super) struct Jobs(Arc<Mutex<Vec<Job>>>);

impl Searcher for Jobs {
    fn begin(&mut self, job: Job) {
        self.stop();
        self.0.lock().unwrap().push(job);
    }

    fn stop(&mut self) {
        if let Some(job) = self.0.lock().unwrap().last() {
            job.request.control.stop();
        }
    }
}

impl Jobs {
    pub(super) fn last(&self) -> Option<Job> {
        self.0.lock().unwrap().last().cloned()
    }

    pub(super) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

const PEOPLE: [Player; 2] = [Player::Person; 2];

pub(super) fn model() -> (Model, Jobs) {
    let jobs = Jobs::default();
    (Model::new(Box::new(jobs.clone()), None, Limits { threads: 2, seed: None }), jobs)
}

/// Creates a model with a game between two people.
pub(super) fn of_game(variant: &str, opening: &str) -> Model {
    let mut model = model().0;
    let game = GameChoice {
        variant: variant.into(),
        size: None,
        opening: Some(opening.into()),
        tie_break: false,
        strict: false,
    };
    let events = model.handle(Command::New { game, players: PEOPLE, time: None });
    assert!(refusal(&events).is_none(), "{events:?}");
    model
}

pub(super) fn refusal(events: &[Event]) -> Option<&str> {
    events.iter().find_map(|event| match event {
        Event::Refused { text } => Some(text.as_str()),
        _ => None,
    })
}

pub(super) fn shown(model: &Model) -> Position {
    view::position(&model.tree, &model.placing)
}

fn decision(model: &Model) -> Decision {
    shown(model).decision.unwrap()
}

pub(super) fn play(model: &mut Model, moves: &str) {
    for text in moves.split(' ') {
        let events = model.handle(Command::Play { text: text.into() });
        assert_eq!(refusal(&events), None, "{text}");
    }
}

/// Asserts that the position shown agrees with the game state.
fn assert_agrees(model: &Model, game_state: &GameState) {
    let position = shown(model);
    let mut stones: Vec<(Cell, _)> =
        position.stones.iter().map(|stone| (stone.cell, stone.color.unwrap())).collect();
    stones.sort_unstable_by_key(|&(cell, _)| cell);
    assert_eq!(stones, game_state.stones());
    assert_eq!(position.to_move, game_state.to_move());
    assert_eq!(position.captured, game_state.referee().captured());
    assert_eq!(position.offers, game_state.offers());
    let pending = game_state.pending_decision();
    assert_eq!(position.decision.is_some(), pending.is_some());
    assert_eq!(position.outcome.is_some(), game_state.result().is_some());
    if let (Some(decision), Some(pending)) = (&position.decision, &pending) {
        assert_eq!((decision.swap, decision.pass), (pending.swap, pending.pass));
        assert_eq!(decision.ways.len(), pending.choices.len());
        if let [Choice::Stones { colors, .. }, ..] = &pending.choices[..]
            && colors.len() == 1
        {
            assert_eq!(position.legal, game_state.placements());
        }
    }
}

/// Plays a random ply that the page offers; returns its commands.
fn play_random_ply(model: &mut Model, rng: &mut SmallRng) -> Vec<Command> {
    let decision = decision(model);
    let plies = model.tree.game_state().actions().len();
    let mut commands = Vec::new();
    if decision.swap && rng.random_ratio(1, 2) {
        commands.push(Command::Swap {});
    } else if decision.pass && (decision.ways.is_empty() || rng.random_ratio(1, 12)) {
        commands.push(Command::Pass {});
    } else {
        commands.push(Command::Choose { way: rng.random_range(0..decision.ways.len()) });
    }
    let first = commands[0].clone();
    assert_eq!(refusal(&model.handle(first)), None);
    while model.tree.game_state().actions().len() == plies {
        let decision = self::decision(model);
        let command = match shown(model).legal.choose(rng) {
            Some(&cell) => Command::Place { cell },
            None if decision.left == 0 => {
                let (least, most) = decision.ways[decision.way].declare.unwrap();
                Command::Declare { count: rng.random_range(least..=most) }
            }
            // The stones placed so far leave no room for the others.
            None => Command::Undo {},
        };
        let events = model.handle(command.clone());
        assert_eq!(refusal(&events), None, "{command:?}");
        commands.push(command);
    }
    commands
}

/// A ply that the page offers is legal, in every game and opening, and the position shown
/// agrees with the game state.
#[test]
fn random_plies_of_the_page_are_legal() {
    let rng = &mut SmallRng::seed_from_u64(47);
    for variant in Variant::all() {
        // Options do not change the openings of a game.
        let plain = variant == variant.plain();
        let openings = variant.sheet().openings.iter().chain([&OpeningId::Free]);
        for opening in openings.filter(|&&opening| plain || opening == OpeningId::Free) {
            let mut model = of_game(&variant.to_string(), opening.name());
            let mut twin = GameState::new(*model.tree.beginning().contest());
            for _ in 0..if plain { 12 } else { 3 } {
                assert_agrees(&model, &twin);
                if twin.result().is_some() {
                    break;
                }
                play_random_ply(&mut model, rng);
                let action = model.tree.game_state().actions().last().unwrap().clone();
                // The ply in file notation, played by the rules alone.
                let text = opening::write(&twin, &action);
                let read = opening::read(&twin, &text).unwrap();
                assert_eq!(read, action, "{variant} {opening}: {text}");
                twin.apply(&action).unwrap();
            }
        }
    }
}

/// The game state refuses every cell that the page does not offer.
#[test]
fn the_page_offers_all_legal_cells() {
    let rng = &mut SmallRng::seed_from_u64(5);
    for (variant, opening) in [
        ("connect6", "swap-3rd"),
        ("connect6+collinear", "free"),
        ("renju", "soosorv-8"),
        ("renju", "taraguchi-10"),
        ("gomoku", "swap-2"),
        ("four-in-a-row", "free"),
        ("pente", "free"),
        ("irensei", "free"),
    ] {
        let Ok(known) = Variant::from_name(variant) else { panic!("{variant}") };
        let mut model = of_game(&known.to_string(), opening);
        for _ in 0..8 {
            let position = shown(&model);
            let Some(decision) = &position.decision else { break };
            if decision.ways[decision.way].colors.len() == 1 {
                let game_state = model.tree.game_state();
                let declare = decision.ways[decision.way].declare;
                for cell in game_state.empty() {
                    let count = declare.map(|(least, _)| least);
                    let action = Action::Stones { cells: vec![cell], count };
                    let legal = game_state.clone().apply(&action).is_ok();
                    assert_eq!(position.legal.contains(&cell), legal, "{variant} {cell:?}");
                }
            }
            play_random_ply(&mut model, rng);
        }
    }
}

#[test]
fn an_opening_is_played_step_by_step() {
    let mut model = of_game("gomoku", "swap-2");
    let first = decision(&model);
    assert_eq!((first.left, first.swap, first.ways.len()), (3, false, 1));
    assert!(first.stage.unwrap().contains("place 3 stones"));
    for (x, y) in [(7, 7), (8, 6), (9, 7)] {
        let events = model.handle(Command::Place { cell: Cell::new(x, y) });
        assert_eq!(refusal(&events), None);
    }
    let second = decision(&model);
    assert_eq!((second.swap, second.ways.len(), second.seat), (true, 2, 1));
    model.handle(Command::Choose { way: 1 });
    assert_eq!(decision(&model).left, 2);
    model.handle(Command::Place { cell: Cell::new(0, 0) });
    // Takes the stone back.
    model.handle(Command::Place { cell: Cell::new(0, 0) });
    assert_eq!(decision(&model).left, 2);
    model.handle(Command::Place { cell: Cell::new(0, 0) });
    model.handle(Command::Place { cell: Cell::new(2, 0) });
    assert_eq!((decision(&model).seat, decision(&model).swap), (0, true));
    // The seat that placed two stones has Black, unless the other seat swaps.
    assert_eq!(shown(&model).black, 1);
    model.handle(Command::Swap {});
    assert_eq!(shown(&model).black, 0);
}

#[test]
fn symmetric_fifths_are_refused_with_the_reason() {
    let mut model = of_game("renju", "rif");
    play(&mut model, "h8,h9,h10 i10");
    let position = shown(&model);
    let offer = position.decision.unwrap();
    assert_eq!(offer.left, 2, "{offer:?}");
    let mut symmetric = of_game("renju", "rif");
    play(&mut symmetric, "h8,h9,h10 h11");
    symmetric.handle(Command::Place { cell: Cell::new(6, 6) });
    let events = symmetric.handle(Command::Place { cell: Cell::new(8, 6) });
    assert_eq!(refusal(&events), Some("Two of the fifths are the same by symmetry."));
    assert_eq!(shown(&symmetric).placed.len(), 1);
}

#[test]
fn a_number_is_declared_after_the_stones() {
    let mut model = of_game("renju", "soosorv-8");
    play(&mut model, "h8,h9,i9");
    let place = Command::Place { cell: Cell::new(4, 4) };
    assert_eq!(refusal(&model.handle(place)), None);
    let fourth = decision(&model);
    assert_eq!((fourth.left, fourth.next, fourth.ways[0].declare), (0, None, Some((1, 8))));
    let events = model.handle(Command::Declare { count: 9 });
    assert_eq!(refusal(&events), Some("The number must be 1 to 8."));
    assert_eq!(refusal(&model.handle(Command::Declare { count: 3 })), None);
    assert_eq!(shown(&model).stones.len(), 4);
}

#[test]
fn forbidden_points_are_marked_and_explained() {
    let mut model = of_game("renju", "free");
    play(&mut model, "f8 a1 g8 a3 h6 a5 h7 a7");
    let position = shown(&model);
    let foul = position.forbidden.iter().find(|foul| foul.cell == Cell::new(7, 7)).unwrap();
    assert_eq!(foul.kinds, ["double three"]);
    let events = model.handle(Command::Explain { cell: Cell::new(7, 7) });
    let [Event::Explanation { verdict, lines, .. }] = &events[..] else { panic!("{events:?}") };
    assert_eq!(verdict, "Black on h8: double three");
    assert_eq!(lines.len(), 2, "{lines:?}");
    let events = model.handle(Command::Explain { cell: Cell::new(5, 7) });
    assert_eq!(refusal(&events), Some("f8 is occupied."));
    play(&mut model, "h8");
    let outcome = shown(&model).outcome.unwrap();
    assert_eq!(outcome.text, "h8 was a foul, double three: White wins.");
    let mut freestyle = of_game("freestyle", "free");
    let events = freestyle.handle(Command::Explain { cell: Cell::new(7, 7) });
    assert_eq!(refusal(&events), Some("Freestyle has no fouls."));
}

/// Regression: numbers and last stones were looked up where the pieces had been placed.
#[test]
fn numbers_move_with_the_pieces_when_a_line_is_cleared() {
    let mut model = of_game("four-in-a-row+clear", "free");
    play(&mut model, "a b c d d e f g h e");
    let Some(Event::Frames { frames }) = model.handle(Command::Frames {}).pop() else { panic!() };
    let numbered = |frame: &Frame| {
        let stones = frame.stones.iter().map(|stone| (stone.cell, stone.number));
        (stones.collect::<Vec<_>>(), frame.last.clone())
    };
    let [d1, d2, e1] = [(3, 7), (3, 6), (4, 7)].map(|(x, y)| Cell::new(x, y));
    assert_eq!((frames[5].last.clone(), frames[5].stones.len()), (vec![d2], 5));
    // The ninth piece completes the bottom row and is cleared with it.
    assert_eq!(numbered(&frames[9]), (vec![(d1, Some(5))], Vec::new()));
    assert_eq!(numbered(&frames[10]), (vec![(d1, Some(5)), (e1, Some(10))], vec![e1]));
    let Position { stones, last, .. } = shown(&model);
    assert_eq!(Frame { stones, last }, frames[10]);
}

/// Regression: the point was called no foul, but no stone could be placed there.
#[test]
fn a_foul_outside_five_in_a_row_is_reported_without_reasons() {
    let mut model = of_game("pente+double-three", "free");
    play(&mut model, "f8 a1 g8 a3 h6 a5 h7 a7");
    let explained = |model: &mut Model, (x, y)| {
        let events = model.handle(Command::Explain { cell: Cell::new(x, y) });
        match &events[..] {
            [Event::Explanation { verdict, lines, .. }] => (verdict.clone(), lines.len()),
            _ => (refusal(&events).unwrap().to_owned(), 0),
        }
    };
    let foul = shown(&model).forbidden.iter().any(|foul| foul.cell == Cell::new(7, 11));
    assert!(foul, "{:?}", shown(&model).forbidden);
    assert_eq!(explained(&mut model, (7, 11)), ("Black on h8: double three".into(), 0));
    assert_eq!(explained(&mut model, (9, 9)), ("Black on j10: no foul".into(), 0));
    assert_eq!(explained(&mut model, (0, 18)), ("a1 is occupied.".into(), 0));
}

#[test]
fn undo_keeps_all_branches() {
    let mut model = of_game("freestyle", "free");
    play(&mut model, "h8 i9 j8");
    model.handle(Command::Undo {});
    play(&mut model, "j10");
    let view = model.tree.view();
    assert_eq!((view.nodes.len(), view.line.len()), (5, 4));
    // Redo follows the line shown last; the same ply leads to the same node.
    model.handle(Command::Undo {});
    model.handle(Command::Redo {});
    assert_eq!(model.tree.current(), 4);
    model.handle(Command::Go { node: 2 });
    play(&mut model, "j8");
    assert_eq!((model.tree.current(), model.tree.view().nodes.len()), (3, 5));
    model.handle(Command::Promote { node: 4 });
    assert_eq!(model.tree.view().nodes[2].children, [4, 3]);
    model.handle(Command::Remove { node: 1 });
    assert_eq!((model.tree.current(), model.tree.view().nodes.len()), (0, 1));
    for command in [Command::Remove { node: 0 }, Command::Go { node: 3 }, Command::Redo {}] {
        assert!(refusal(&model.handle(command.clone())).is_some(), "{command:?}");
    }
}

#[test]
fn numbers_out_of_bounds_are_refused() {
    let (mut model, _) = model();
    let engine = |level: &str, time_ms, threads| {
        let levels = ["full".to_owned(), level.to_owned()];
        Command::Engine { levels, time_ms, threads }
    };
    for command in [
        engine("grandmaster", 100, 1),
        engine("club", 0, 1),
        engine("club", u64::MAX, 1),
        engine("club", 100, 0),
        engine("club", 100, 3),
        Command::Analyse { lines: 11 },
        Command::Choose { way: 1 },
        Command::Declare { count: 1 },
        Command::Comment { node: 0, text: "x".repeat(20_001) },
        Command::Files {},
        Command::OpenFile { name: "a.sgf".into(), number: None },
    ] {
        assert!(refusal(&model.handle(command.clone())).is_some(), "{command:?}");
    }
    assert_eq!(refusal(&model.handle(engine("club", 100, 2))), None);
}

/// Runs up to `most` searches and passes their results to the model, until none is running.
pub(super) fn run_searches(model: &mut Model, jobs: &Jobs, most: usize) -> Vec<Event> {
    let mut runner = Runner::new(&TableHandle::exactly(1 << 20));
    let mut events = Vec::new();
    for _ in 0..most {
        if !model.is_searching() {
            break;
        }
        let (number, found) = run_last_search(&mut runner, jobs);
        for result in found {
            events.extend(model.found(number, result, Instant::now()));
        }
    }
    events
}

/// Runs the last search; returns its number and its results.
pub(super) fn run_last_search(runner: &mut Runner, jobs: &Jobs) -> (u64, Vec<Found>) {
    let mut job = jobs.last().unwrap();
    // One thread: how two share the nodes depends on the load of the machine.
    (job.request.max_nodes, job.request.threads) = (Some(3_000), 1);
    let mut found = Vec::new();
    stack::run(|| runner.run(&job, &mut |result| found.push(result))).unwrap();
    assert_eq!(found.iter().filter(|result| result.is_last()).count(), 1);
    (job.number, found)
}

#[test]
fn the_engine_answers_but_not_when_the_user_goes_back() {
    let (mut model, jobs) = model();
    play(&mut model, "h8");
    assert!(model.acts());
    let refused = model.handle(Command::Place { cell: Cell::new(0, 0) });
    assert!(refusal(&refused).unwrap().starts_with("The engine is thinking"));
    let events = run_searches(&mut model, &jobs, 1);
    assert!(events.iter().any(
        |event| matches!(event, Event::Message { text } if text.starts_with("The engine played"))
    ));
    assert_eq!((shown(&model).stones.len(), model.is_searching()), (2, false));
    // Undo goes back to the person's turn, over the engine's ply.
    model.handle(Command::Undo {});
    assert_eq!((shown(&model).stones.len(), model.is_searching()), (0, false));
    model.handle(Command::Go { node: 1 });
    assert!(!model.is_searching());
    model.handle(Command::Move {});
    let late = jobs.last().unwrap();
    // The result of an aborted search is ignored.
    model.handle(Command::Go { node: 0 });
    assert!(late.request.control.stopped());
    assert!(model.found(late.number, Found::Decided(None), Instant::now()).is_empty());
}

#[test]
fn engines_play_each_other_in_every_family_until_they_are_stopped() {
    for variant in Variant::games() {
        for opening in variant.sheet().openings.iter().take(2) {
            let (mut model, jobs) = model();
            let game = GameChoice {
                variant: variant.to_string(),
                size: None,
                opening: Some(opening.name().into()),
                tie_break: false,
                strict: false,
            };
            model.handle(Command::New { game, players: [Player::Engine; 2], time: None });
            run_searches(&mut model, &jobs, 4);
            let plies = model.tree.game_state().actions().len();
            assert_eq!(plies, 4, "{variant} {opening}");
            model.handle(Command::Stop {});
            run_searches(&mut model, &jobs, 4);
            assert_eq!(model.tree.game_state().actions().len(), 5, "{variant} {opening}");
            assert!(!model.is_searching());
        }
    }
}

#[test]
fn the_analysis_follows_the_position() {
    let mut model = of_game("freestyle", "free");
    let (_, jobs) = {
        let jobs = Jobs::default();
        model.searcher = Box::new(jobs.clone());
        ((), jobs)
    };
    play(&mut model, "h8 a1");
    model.handle(Command::Analyse { lines: 3 });
    play(&mut model, "h9 a3");
    assert_eq!(jobs.count(), 3);
    let events = run_searches(&mut model, &jobs, 1);
    let last = events.iter().rev().find_map(|event| match event {
        Event::Lines(lines) => Some(lines.clone()),
        _ => None,
    });
    let lines = last.unwrap();
    assert_eq!((lines.node, lines.lines.len(), lines.done), (model.tree.current(), 3, true));
    assert!(lines.lines.is_sorted_by(|a, b| a.loss <= b.loss) && lines.lines[0].loss == 0.0);
    assert!(lines.lines[0].black > 0.5 && lines.depth > 0);
    let colors: Vec<_> = lines.lines[0].stones.iter().map(|stone| stone.color).take(2).collect();
    assert_eq!(colors[0], goren_core::types::Color::Black);
    model.handle(Command::Stop {});
    assert_eq!(model.play.lines, 0);
}

#[test]
fn an_unsupported_opening_is_not_replaced_by_another() {
    let choice = |opening: Option<&str>| crate::schema::GameChoice {
        variant: "Sakata".into(),
        size: None,
        opening: opening.map(str::to_owned),
        tie_break: false,
        strict: false,
    };
    let refused = files::contest(&choice(None)).unwrap_err().to_string();
    assert!(refused.contains("not played here; the game alone is renju"), "{refused}");
    assert!(files::contest(&choice(Some("rif"))).is_ok());
}
