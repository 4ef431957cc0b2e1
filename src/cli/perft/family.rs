//! The fast positions of all games, to be played stone by stone.

use goren_core::rules::{Contest, Rule, RuleId, Setup, Visitor, with_rule};
use goren_engine::game::{Five, GameVisitor, Inspect, Tupled, with_game};

/// A task on the fast position of a game that is known only at run time.
pub(super) trait FamilyTask {
    /// Result of the task.
    type Out;
    /// Runs the task from the empty board.
    fn run<P: Inspect>(self, empty: P) -> Self::Out;
}

/// Runs a task on the empty board of a game.
pub(super) fn with_family<T: FamilyTask>(contest: &Contest, task: T) -> T::Out {
    struct New<'a, T>(&'a Contest, T);
    struct NewFive<T>(Setup, T);
    impl<T: FamilyTask> Visitor for NewFive<T> {
        type Out = T::Out;
        fn visit<R: Rule>(self) -> T::Out {
            self.1.run(Five::<R>::new(self.0))
        }
    }
    impl<T: FamilyTask> GameVisitor for New<'_, T> {
        type Out = T::Out;
        fn five(self, rule: RuleId) -> T::Out {
            let &Contest { width, height, .. } = self.0;
            with_rule(rule, NewFive(Setup { rule, width, height }, self.1))
        }
        fn tupled<P: Tupled + 'static>(self, empty: P) -> T::Out {
            self.1.run(empty)
        }
    }
    with_game(contest, None, New(contest, task))
}
