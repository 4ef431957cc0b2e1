//! Records of played games, ply by ply.

use super::import::{ImportedEvent, ImportedGame, MoveStats};
use crate::opening::{self, Action, Event, GameState, Seat};
use crate::rules::{Contest, OpeningId, Outcome};
use crate::types::Color;

/// How a game ended, by seats.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A seat won.
    Win(Seat),
    /// A draw.
    Draw,
}

/// A ply that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedPly {
    /// The action of the ply.
    pub action: Action,
    /// Time, evaluation, depth and nodes of the ply.
    pub stats: MoveStats,
}

/// A played game, finished or not: legal plies from the first one on. Without opening rules,
/// every ply of five in a row is a stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The game with its board and opening.
    pub contest: Contest,
    /// Names of the players by seat.
    pub players: [String; 2],
    /// Plies before the players took over.
    pub opening: Vec<Action>,
    /// Plies of the players.
    pub plies: Vec<PlayedPly>,
    /// Seat that had Black at the end.
    pub black: Seat,
    /// How the game ended; `None` if it was broken off.
    pub ending: Option<Ending>,
    /// Why the game ended: `line`, `foul`, `full`, `overtime`, `crash`, ...
    pub reason: String,
}

impl GameRecord {
    /// Records a game whose plies have these stats; `stats` may be shorter. The first
    /// `opening_plies` were made before the players took over. The result is that on the board.
    pub fn of_game(
        game_state: &GameState,
        players: [String; 2],
        stats: impl IntoIterator<Item = MoveStats>,
        opening_plies: usize,
    ) -> GameRecord {
        let (opening, actions) =
            game_state.actions().split_at(opening_plies.min(game_state.actions().len()));
        let stats = stats.into_iter().skip(opening.len());
        let stats = stats.chain(std::iter::repeat_with(MoveStats::default));
        let ply =
            |(action, stats): (&Action, MoveStats)| PlayedPly { action: action.clone(), stats };
        let result = game_state.result();
        GameRecord {
            contest: *game_state.contest(),
            players,
            opening: opening.to_vec(),
            plies: actions.iter().zip(stats).map(ply).collect(),
            black: game_state.owner(Color::Black),
            ending: result.map(|result| match result.seats[..] {
                [seat] => Ending::Win(seat),
                _ => Ending::Draw,
            }),
            reason: result.map_or(String::new(), |result| result.reason.name().to_owned()),
        }
    }

    /// Adds a result that does not follow from the board, such as a resignation, with its reason.
    /// A result on the board takes precedence.
    pub fn with_end(self, end: Option<(Option<Ending>, String)>) -> GameRecord {
        let Some((ending, reason)) = end.filter(|_| self.ending.is_none()) else { return self };
        GameRecord { ending, reason, ..self }
    }

    /// Returns the result by colour; `None` if the game was broken off.
    pub fn result(&self) -> Option<Outcome> {
        Some(match self.ending? {
            Ending::Win(seat) if seat == self.black => Outcome::Win(Color::Black),
            Ending::Win(_) => Outcome::Win(Color::White),
            Ending::Draw => Outcome::Draw,
        })
    }

    /// Iterates over all plies in order, the opening first.
    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.opening.iter().chain(self.plies.iter().map(|ply| &ply.action))
    }

    /// Converts the game to the form that file readers return. The statistics of a ply with
    /// several stones go to its last stone. `plies` is filled only for openings with swaps,
    /// offers or declared numbers.
    pub fn imported(&self) -> ImportedGame {
        let Contest { variant, width, height, opening, tie_break, strict } = self.contest;
        let name = |seat: Seat| self.players[seat.index()].clone();
        let mut game = ImportedGame {
            variant: Some(variant),
            opening: Some(opening).filter(|&opening| opening != OpeningId::Free),
            size: Some((width, height)),
            players: [name(self.black), name(!self.black)],
            tie_break,
            strict,
            result: self.result(),
            reason: self.reason.clone(),
            ..ImportedGame::default()
        };
        let mut game_state = GameState::new(self.contest);
        let mut texts = Vec::new();
        let stats = self.plies.iter().map(|ply| Some(&ply.stats));
        let stats = std::iter::repeat_n(None, self.opening.len()).chain(stats);
        for (number, (action, stats)) in self.actions().zip(stats).enumerate() {
            if number == self.opening.len() {
                game.prelude = game.events.len();
            }
            let previous = game_state.clone();
            if game_state.apply(action).is_err() {
                break;
            }
            texts.push(opening::write(&previous, action));
            let first_event = game.events.len();
            if *action == Action::Swap {
                game.events.push(ImportedEvent::Swap);
            }
            let mover = previous.to_move();
            let new = game_state.events()[previous.events().len()..].iter();
            game.events.extend(new.map(|event| match *event {
                Event::Stone(cell, color) => ImportedEvent::Stone(cell, Some(color)),
                Event::Pass => ImportedEvent::Pass(Some(mover)),
            }));
            if let Some(stats) = stats.filter(|_| game.events.len() > first_event) {
                game.move_stats.resize_with(game.events.len() - 1, MoveStats::default);
                game.move_stats.push(stats.clone());
            }
        }
        if self.plies.is_empty() {
            game.prelude = game.events.len();
        }
        while game.move_stats.last().is_some_and(|last| *last == MoveStats::default()) {
            game.move_stats.pop();
        }
        use OpeningId::{Centre, Free, LongPro, Pro};
        if !matches!(opening, Free | Centre | Pro | LongPro) {
            game.plies = texts;
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{psq, sgf};
    use crate::rules::Variant;
    use crate::types::Cell;

    #[test]
    fn conversion_keeps_every_stone_swap_and_pass() {
        let gomoku = Contest::new(Variant::from_name("gomoku").unwrap());
        let at = Cell::new;
        let stats = |ms| MoveStats { ms, ..MoveStats::default() };
        let answer = Action::stones(&[at(7, 8), at(7, 6)]);
        let plies = [(answer, 120), (Action::Swap, 3), (Action::stone(at(0, 14)), 0)];
        let ply = |(action, ms)| PlayedPly { action, stats: stats(ms) };
        let mut record = GameRecord {
            contest: Contest { tie_break: true, ..gomoku.opened(OpeningId::Swap2).unwrap() },
            players: ["a", "b"].map(String::from),
            opening: vec![Action::stones(&[at(7, 7), at(8, 6), at(9, 7)])],
            plies: plies.map(ply).to_vec(),
            black: Seat::First,
            ending: Some(Ending::Win(Seat::Second)),
            reason: "crash".into(),
        };
        let game = record.imported();
        assert_eq!(game.players, ["a", "b"].map(String::from));
        assert_eq!((game.prelude, game.events.len()), (3, 7));
        assert_eq!(game.events[5], ImportedEvent::Swap);
        let ms: Vec<u64> = game.move_stats.iter().map(|stats| stats.ms).collect();
        assert_eq!(ms, [0, 0, 0, 0, 120, 3]);
        assert_eq!((game.result, game.tie_break), (Some(Outcome::Win(Color::White)), true));
        assert_eq!(game.plies, ["h8,i9,j8", "h7,h9", "pass", "a1"]);
        record.contest =
            Contest::new(Variant::Irensei(crate::rules::Irensei)).opened(OpeningId::Free).unwrap();
        record.opening = [at(3, 3), at(4, 4)].map(Action::stone).to_vec();
        record.plies.iter_mut().for_each(|ply| ply.action = Action::Pass);
        let game = record.imported();
        let pass = |color| ImportedEvent::Pass(Some(color));
        assert_eq!(game.events[2..], [pass(Color::Black), pass(Color::White)]);
        assert_eq!((game.prelude, game.plies.len()), (2, 0));
    }

    #[test]
    fn a_result_on_the_board_takes_precedence() {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap());
        let mut game_state = GameState::new(contest.opened(OpeningId::Free).unwrap());
        let stats = |ms| MoveStats { ms, ..MoveStats::default() };
        let players = || ["a", "b"].map(String::from);
        let resigned = || Some((Some(Ending::Win(Seat::Second)), "resign".to_owned()));
        for ply in 0..8 {
            game_state.apply(&Action::stone(Cell::new(ply / 2, 7 * (ply % 2)))).unwrap();
        }
        let record = GameRecord::of_game(&game_state, players(), [1, 2, 3].map(stats), 2);
        assert_eq!((record.ending, &*record.reason), (None, ""));
        assert_eq!((record.opening.len(), record.plies.len()), (2, 6));
        let ms: Vec<u64> = record.plies.iter().map(|ply| ply.stats.ms).collect();
        assert_eq!(ms, [3, 0, 0, 0, 0, 0]);
        let record = record.with_end(resigned());
        assert_eq!((record.ending, &*record.reason), (Some(Ending::Win(Seat::Second)), "resign"));
        game_state.apply(&Action::stone(Cell::new(4, 0))).unwrap();
        let record = GameRecord::of_game(&game_state, players(), [], 99).with_end(resigned());
        assert_eq!((record.ending, &*record.reason), (Some(Ending::Win(Seat::First)), "line"));
        assert_eq!((record.opening.len(), record.plies.len()), (9, 0));
    }

    #[test]
    fn names_and_result_in_a_file_follow_a_swap() {
        let gomoku = Contest::new(Variant::from_name("gomoku").unwrap());
        let at = Cell::new;
        let ply = |action| PlayedPly { action, stats: MoveStats::default() };
        let mut record = GameRecord {
            contest: gomoku.opened(OpeningId::Swap2).unwrap(),
            players: ["a", "b"].map(String::from),
            opening: vec![Action::stones(&[at(7, 7), at(8, 6), at(9, 7)])],
            plies: [Action::Swap, Action::stone(at(0, 14))].map(ply).to_vec(),
            black: Seat::Second,
            ending: Some(Ending::Win(Seat::Second)),
            reason: "crash".into(),
        };
        let (psq, sgf) = (psq::write, sgf::write);
        let game = record.imported();
        assert!(sgf(&game).contains("PB[b]PW[a]RE[B+]"), "{}", sgf(&game));
        assert!(psq(&game).unwrap().contains("\nb\na\n-1\n1,"), "{game:?}");
        // Stones are written by colour, whoever placed them.
        assert!(sgf(&game).contains(";W[ao]"), "{}", sgf(&game));
        record.plies[0].action = Action::stone(at(0, 14));
        record.plies.truncate(1);
        record.black = Seat::First;
        let game = record.imported();
        assert!(sgf(&game).contains("PB[a]PW[b]RE[W+]"), "{}", sgf(&game));
        assert!(psq(&game).unwrap().contains("\na\nb\n-1\n2,"), "{game:?}");
    }
}
