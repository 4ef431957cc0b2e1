use super::*;
use goren_core::opening::Action;
use goren_core::rules::RuleId;
use goren_core::types::Score;
use goren_engine::eval::{Side, WeightFile, Weights};
use goren_engine::stack;

#[test]
fn given_weights_replace_the_embedded_weights() {
    let contest = Contest::new(goren_core::rules::Variant::Five(RuleId::Freestyle));
    let mut game_state = GameState::new(contest);
    game_state.apply(&Action::stone(Cell::new(7, 7))).unwrap();
    let score = |weights: WeightSet| -> Score {
        let mut runner = Runner::new(&TableHandle::exactly(1 << 20)).weighted(weights);
        let task = Task::Answer { contest, root: (&game_state).into() };
        let job = Job { number: 1, task, request: Request::nodes(200) };
        let mut found = Vec::new();
        stack::run(|| runner.run(&job, &mut |result| found.push(result))).unwrap();
        let Some(Found::Answer(info, _)) = found.pop() else { panic!("{found:?}") };
        info.score
    };
    let mut zero_weights = WeightSet::default();
    let sides = [Side::ZERO, Side::ZERO];
    zero_weights.insert(WeightFile::Five(Box::new(Weights::new(RuleId::Freestyle, &sides))));
    assert_eq!(score(zero_weights), 0);
    assert_ne!(score(WeightSet::default()), 0);
}

/// The clock of a game runs while a job waits.
#[test]
fn the_time_of_a_ply_starts_with_its_request() {
    let contest = Contest::new(goren_core::rules::Variant::Five(RuleId::Freestyle));
    let mut game_state = GameState::new(contest);
    for (x, y) in [(7, 7), (8, 6), (7, 8)] {
        game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
    }
    let (strength, game_state) = (Strength::FULL, Box::new(game_state));
    let task = Task::Decide { game_state, strength, seed: 0 };
    let waited = Duration::from_secs(60);
    let started = Instant::now().checked_sub(waited).unwrap();
    let request = Request { started, ..Request::nodes(200) };
    let mut runner = Runner::new(&TableHandle::exactly(1 << 20));
    let mut found = Vec::new();
    let job = Job { number: 1, task, request };
    stack::run(|| runner.run(&job, &mut |result| found.push(result))).unwrap();
    let Some(Found::Decided(Some(decision))) = found.pop() else { panic!("{found:?}") };
    assert!(decision.info.elapsed >= waited, "{:?}", decision.info);
}

#[test]
fn a_vcf_search_reports_whether_it_was_exhaustive() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let stones = vec![(Cell::new(7, 7), Stone::Of(Color::Black))];
    let task = Task::Vcf { setup, stones, color: Color::Black };
    for stopped in [false, true] {
        let mut runner = Runner::new(&TableHandle::exactly(1 << 20));
        let job = Job { number: 1, task: task.clone(), request: Request::default() };
        if stopped {
            job.request.control.stop();
        }
        let mut found = Vec::new();
        stack::run(|| runner.run(&job, &mut |result| found.push(result))).unwrap();
        assert_eq!(found, [Found::Fours(None, !stopped)]);
    }
}
