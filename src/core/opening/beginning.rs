//! Games that begin with a position of unknown move order, and taking plies back.

use super::game_state::{Beginning, GameState};
use crate::rules::referee::{
    End, Impossible, Next, Referee, judge_list, judge_position, set_up_position,
};
use crate::rules::{Contest, OpeningId};
use crate::types::{Cell, Color, Stone};

impl GameState {
    /// A game that begins with stones and walls in unknown order, without an opening; it may
    /// already be over. The seat to act is the first.
    ///
    /// # Errors
    /// The reason why no game leads to the position.
    pub fn from_position(
        contest: Contest,
        stones: &[(Cell, Stone)],
        next: Next,
    ) -> Result<GameState, Impossible> {
        let judged = judge_position(&contest, stones, next)?;
        Ok(GameState::from_judged(contest, stones, next, judged))
    }

    /// As [`GameState::from_position`], with the stones of a list; the side to move places one
    /// stone. If the colours of the list alternate, it is taken for a game in its order: then
    /// its last stone may be a foul.
    ///
    /// # Errors
    /// The reason why no game leads to the position.
    pub fn from_list(
        contest: Contest,
        stones: &[(Cell, Stone)],
        to_move: Color,
    ) -> Result<GameState, Impossible> {
        let judged = judge_list(&contest, stones, to_move)?;
        Ok(GameState::from_judged(contest, stones, Next::new(to_move), judged))
    }

    fn from_judged(
        contest: Contest,
        stones: &[(Cell, Stone)],
        Next { to_move, left, .. }: Next,
        (referee, end): (Box<dyn Referee>, Option<End>),
    ) -> GameState {
        let contest = Contest { opening: OpeningId::Free, ..contest };
        let laid = referee.in_order().unwrap_or(stones).to_vec();
        let mut game_state = GameState::on(referee, contest, Beginning { laid, to_move, left });
        game_state.result = end.map(|end| game_state.by_seats(end));
        game_state
    }

    /// Takes back this many plies.
    pub fn take_back(&mut self, plies: usize) {
        if plies == 0 || self.actions.is_empty() {
            return;
        }
        let remaining = self.actions.len().saturating_sub(plies);
        // Plies that were legal before are legal again.
        let Ok(referee) = set_up_position(&self.contest, &self.beginning.laid) else { return };
        let mut game_state = GameState::on(referee, self.contest, self.beginning.clone());
        for action in &self.actions[..remaining] {
            if game_state.apply(action).is_err() {
                return;
            }
        }
        *self = game_state;
    }

    /// Takes back the newest stone or wall of the position that the game began with, if no ply
    /// has followed; the colour of the stone is to move next. The game goes on, even if it would
    /// have been over before that stone. `None` if there is nothing to take back.
    pub fn take_back_laid(&mut self) -> Option<(Cell, Stone)> {
        let mut beginning = self.beginning.clone();
        let newest = beginning.laid.pop().filter(|_| self.actions.is_empty())?;
        if let Stone::Of(color) = newest.1 {
            beginning.to_move = color;
        }
        let referee = set_up_position(&self.contest, &beginning.laid).ok()?;
        *self = GameState::on(referee, self.contest, beginning);
        Some(newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::{Action, Choice, Event, Seat};
    use crate::rules::referee::{IllegalMove, Reason};
    use crate::rules::{RuleId, Setup, Variant};

    const BLACK: Stone = Stone::Of(Color::Black);
    const WHITE: Stone = Stone::Of(Color::White);

    fn contest(rule: RuleId) -> Contest {
        Contest::five(Setup::new(rule, 15, 15).unwrap())
    }

    fn row(y: usize, count: usize, stone: Stone) -> Vec<(Cell, Stone)> {
        (0..count).map(|x| (Cell::new(x, y), stone)).collect()
    }

    #[test]
    fn the_first_position_counts_as_repeated_after_a_take_back_too() {
        let contest = Contest::new(Variant::from_name("irensei").unwrap());
        let contest = contest.opened(OpeningId::Free).unwrap().on(11, 11).unwrap();
        let fresh = GameState::new(contest);
        let action = |text: &str| crate::opening::read(&fresh, text).unwrap();
        let stones = ["b11", "d11", "c10"].map(|text| (action(text).placed()[0], BLACK));
        let white = ["a10", "b10"].map(|text| (action(text).placed()[0], WHITE));
        let laid = [&stones[..], &white].concat();
        let mut game = GameState::from_position(contest, &laid, Next::new(Color::Black)).unwrap();
        let plies = ["a11", "c11", "b11", "pass"].map(action);
        for taken_back in [false, true] {
            if taken_back {
                game.take_back(4);
            }
            plies.iter().for_each(|ply| game.apply(ply).unwrap());
            let reason = game.result().map(|result| result.reason);
            assert_eq!(reason, Some(Reason::Repetition), "{taken_back}");
        }
    }

    #[test]
    fn a_game_from_a_list_is_continued_and_taken_back() {
        let laid = [row(0, 3, BLACK), row(1, 4, WHITE), vec![(Cell::new(9, 9), Stone::Wall)]];
        let contest = contest(RuleId::Freestyle);
        let mut game = GameState::from_list(contest, &laid.concat(), Color::White).unwrap();
        assert_eq!((game.to_move(), game.seat(), game.result()), (Color::White, Seat::First, None));
        assert_eq!((game.stones().len(), game.placed().len()), (7, 8));
        assert!(game.events().is_empty() && !game.is_fresh());
        assert_eq!(game.stone(Cell::new(9, 9)), Some(Stone::Wall));
        let wall = game.apply(&Action::stone(Cell::new(9, 9)));
        assert_eq!(wall.unwrap_err(), IllegalMove::Occupied.into());
        game.apply(&Action::stone(Cell::new(4, 1))).unwrap();
        let result = game.result().unwrap();
        assert_eq!(
            (&result.colors[..], &result.seats[..]),
            (&[Color::White][..], &[Seat::First][..])
        );
        assert_eq!(game.events(), [Event::Stone(Cell::new(4, 1), Color::White)]);
        assert_eq!(game.take_back_laid(), None);
        game.take_back(1);
        assert_eq!((game.result(), game.placed()), (None, laid.concat()));
        game.take_back(5);
        assert_eq!(game.placed(), laid.concat());
        assert_eq!(game.take_back_laid(), Some((Cell::new(9, 9), Stone::Wall)));
        assert_eq!(game.to_move(), Color::White);
        game.take_back_laid();
        game.take_back_laid();
        assert_eq!(game.take_back_laid(), Some((Cell::new(1, 1), WHITE)));
        assert_eq!((game.to_move(), game.stone(Cell::new(1, 1))), (Color::White, None));
        while game.take_back_laid().is_some() {}
        assert!(game.is_fresh() && game.stones().is_empty());
    }

    /// The stones of the position used not to be counted, so that nobody could pass for two plies.
    #[test]
    fn the_side_to_move_in_a_position_may_pass_where_two_stones_stand() {
        let stone = |x, color| (Cell::new(x, 7), Stone::Of(color));
        let all = [stone(7, Color::Black), stone(8, Color::White), stone(9, Color::Black)];
        let renju = contest(RuleId::Renju);
        for (count, to_move) in [(1, Color::White), (2, Color::Black), (3, Color::White)] {
            let laid = GameState::from_position(renju, &all[..count], Next::new(to_move)).unwrap();
            assert_eq!(laid.pending_decision().unwrap().pass, count >= 2, "{count}");
            assert_eq!(laid.clone().apply(&Action::Pass).is_ok(), count >= 2, "{count}");
        }
        // A wall is no move, and freestyle has no passes.
        let wall = (Cell::new(0, 0), Stone::Wall);
        let walled = GameState::from_list(renju, &[all[0], wall], Color::White).unwrap();
        assert!(!walled.pending_decision().unwrap().pass);
        let freestyle = contest(RuleId::Freestyle);
        let laid = GameState::from_list(freestyle, &all, Color::White).unwrap();
        assert!(!laid.pending_decision().unwrap().pass);
        // After a take-back the stones are counted anew.
        let mut game = GameState::from_position(renju, &all, Next::new(Color::White)).unwrap();
        game.apply(&Action::Pass).unwrap();
        game.take_back(1);
        assert!(game.pending_decision().unwrap().pass);
        game.take_back_laid();
        game.take_back_laid();
        assert!(!game.pending_decision().unwrap().pass);
    }

    #[test]
    fn a_game_may_be_over_before_its_first_ply() {
        let contest = contest(RuleId::Renju);
        let laid = [row(0, 5, BLACK), row(1, 4, WHITE)].concat();
        let mut game = GameState::from_list(contest, &laid, Color::White).unwrap();
        let result = game.result().unwrap().clone();
        assert_eq!(
            (result.reason, &result.lines[0][..]),
            (Reason::Line, &row(0, 5, BLACK).iter().map(|s| s.0).collect::<Vec<_>>()[..])
        );
        // A stone of the five is the last one, and the first to be taken back.
        assert!(row(0, 5, BLACK).contains(game.placed().last().unwrap()));
        assert!(game.pending_decision().is_none());
        game.take_back(3);
        assert!(game.result().is_some());
        game.take_back_laid();
        assert!(game.result().is_none() && game.to_move() == Color::Black);
        // Black's overline is a foul.
        let six = [row(0, 6, BLACK), row(1, 4, WHITE)].concat();
        let game = GameState::from_list(contest, &six, Color::White).unwrap();
        assert_eq!(game.result().unwrap().reason, Reason::Foul);
        assert_eq!(game.result().unwrap().colors, [Color::White]);
        let error = GameState::from_list(contest, &laid, Color::Black).unwrap_err();
        assert_eq!(error, Impossible::Late);
    }

    #[test]
    fn other_games_begin_with_positions_too_but_have_no_walls() {
        let game = |name: &str| Contest::new(Variant::from_name(name).unwrap());
        let (pair, wall) = (row(0, 2, BLACK), [(Cell::new(0, 0), Stone::Wall)]);
        for (name, left) in [("connect6", 2), ("connect6", 1), ("pente", 1)] {
            let next = Next { left, ..Next::new(Color::White) };
            let laid = GameState::from_position(game(name), &pair, next).unwrap();
            assert_eq!((laid.stones_due(), laid.contest().opening), (left, OpeningId::Free));
            let choices = laid.pending_decision().unwrap().choices;
            let [Choice::Stones { colors, .. }] = &choices[..] else { panic!("{choices:?}") };
            assert_eq!(colors[..], vec![Color::White; left]);
        }
        for game in Variant::games().filter(|game| !matches!(game, Variant::Five(_))) {
            let laid = GameState::from_list(Contest::new(game), &wall, Color::Black);
            assert_eq!(laid.unwrap_err(), Impossible::Wall, "{game}");
        }
    }
}
