use super::*;
use crate::game::Five;
use crate::rules::{Caro, RuleId, Setup};
use crate::search::control::Control;
use crate::search::history::History;
use crate::search::params::Params;
use crate::search::worker::Shared;
use crate::tt::Table;
use crate::types::Cell;

#[test]
fn a_rival_that_lets_the_enemy_win_by_threats_is_a_loss_of_that_length() {
    let setup = Setup::new(RuleId::Caro, 15, 15).unwrap();
    let mut position = Five::<Caro>::new(setup);
    // White has an open three.
    for (x, y) in [(0, 14), (6, 6), (2, 12), (7, 6), (4, 14), (8, 6)] {
        position.make(Move::at(Cell::new(x, y)));
    }
    let (table, limits) = (Table::with_bytes(1 << 20).unwrap(), Limits::default());
    let (control, params) = (Control::default(), Params::default());
    let budget = limits.clock.budget(0, 225);
    let shared = Shared::new(&position, &table, &control, &limits, budget.hard);
    let mut history = History::default();
    let mut worker = Worker::new(position, &shared, &params, &mut history);
    let [far, blocking] = [(0, 0), (5, 6)].map(|(x, y)| Move::at(Cell::new(x, y)));
    assert_eq!(worker.loses_to_threats(far), None, "no nodes to spend so far");
    worker.nodes = 100_000;
    let key = worker.position.key();
    // A four, any answer, and the five.
    assert_eq!(worker.loses_to_threats(far), Some(loss_in(4)));
    assert_eq!(worker.loses_to_threats(blocking), None);
    assert_eq!(worker.position.key(), key);
}
