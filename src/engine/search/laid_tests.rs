//! Compares positions given as lists of stones in any order with the same game played move by move.

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::RootPosition;
use crate::game::Five;
use goren_core::opening::{Action, GameState};
use goren_core::rules::referee::{FiveReferee, Impossible};
use goren_core::rules::{Contest, Outcome, Rule, RuleId, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, Stone};

/// Number of games per rule.
const GAMES: usize = 300;

type List = Vec<(Cell, Stone)>;

/// Plays random moves near other stones until the game is over or the board has
/// `stones` stones.
fn random_game(setup: Setup, stones: usize, rng: &mut SmallRng) -> FiveReferee {
    let mut referee = FiveReferee::new(setup);
    while referee.outcome().is_none() && referee.stones().len() < stones {
        let color = Color::ALL[referee.stones().len() % 2];
        let reach = rng.random_range(1..=2);
        let centre = match referee.stones().choose(rng) {
            Some(&(cell, _)) => cell,
            None => Cell::new(setup.width / 2, setup.height / 2),
        };
        let near = |at: usize, side: usize, rng: &mut SmallRng| {
            rng.random_range(at.saturating_sub(reach)..=(at + reach).min(side - 1))
        };
        let cell =
            Cell::new(near(centre.x(), setup.width, rng), near(centre.y(), setup.height, rng));
        if !referee.is_empty(cell) {
            continue;
        }
        // A foul or a five ends the game: only one in four of them is played.
        let ends = referee.fouls(color, cell).any() || referee.wins(color, cell);
        if !ends || rng.random_range(0..4) == 0 {
            referee.place(color, cell).unwrap();
        }
    }
    referee
}

/// Shuffles the stones within each colour; the colours keep their places, and the last stone stays
/// last.
fn shuffled_by_color(stones: &[(Cell, Stone)], rng: &mut SmallRng) -> List {
    let (last, rest) = stones.split_last().unwrap();
    let of = |color: Color| rest.iter().filter(move |stone| stone.1 == Stone::Of(color));
    let mut colors = Color::ALL.map(|color| of(color).copied().collect::<List>());
    colors.iter_mut().for_each(|stones| stones.shuffle(rng));
    let next = |(_, stone): &(Cell, Stone)| match stone {
        Stone::Of(color) => colors[color.index()].pop(),
        Stone::Wall => None,
    };
    rest.iter().filter_map(next).chain([*last]).collect()
}

/// Whether the colours alternate in the list, and the last stone is that of `mover`.
fn colors_alternate(list: &[(Cell, Stone)], mover: Color) -> bool {
    let colors = [mover, !mover].into_iter().cycle();
    list.iter().rev().zip(colors).all(|(stone, color)| stone.1 == Stone::Of(color))
}

/// Whether the last stone is a foul once the others are on the board.
fn ends_with_foul(setup: Setup, list: &[(Cell, Stone)]) -> bool {
    let Some((&(last, Stone::Of(color)), rest)) = list.split_last() else { return false };
    let mut referee = FiveReferee::new(setup);
    rest.iter().for_each(|&(cell, stone)| referee.set_up(cell, stone).unwrap());
    referee.fouls(color, last).any()
}

/// Whether a colour has an overline.
fn has_overline(list: &[(Cell, Stone)], color: Color) -> bool {
    let there = |cell| list.contains(&(cell, Stone::Of(color)));
    list.iter().any(|&(cell, _)| {
        goren_core::types::DIRECTIONS.iter().any(|&dir| (0..6).all(|n| there(cell.step(dir, n))))
    })
}

fn sorted(mut list: List) -> List {
    list.sort_by_key(|stone| stone.0);
    list
}

#[derive(Default, Debug)]
struct Counts {
    boards: usize,
    won: usize,
    fouls: usize,
    forbidden: usize,
}

/// Returns the forbidden points of a position by the fast board.
fn forbidden(setup: Setup, game_state: &GameState) -> Vec<Cell> {
    struct Forbidden(Setup, RootPosition);
    impl Visitor for Forbidden {
        type Out = Vec<Cell>;
        fn visit<R: Rule>(self) -> Vec<Cell> {
            let mut position = Five::<R>::new(self.0);
            self.1.replay(&mut position);
            Color::ALL.into_iter().flat_map(|color| position.forbidden(color)).collect()
        }
    }
    with_rule(setup.rule, Forbidden(setup, game_state.into()))
}

fn outcome(game_state: &GameState) -> Option<Outcome> {
    game_state.result().map(|result| match result.colors[..] {
        [color] => Outcome::Win(color),
        _ => Outcome::Draw,
    })
}

/// Checks lists of the stones of a game in several orders.
fn check(referee: &FiveReferee, rng: &mut SmallRng, counts: &mut Counts) {
    let setup = referee.setup();
    let contest = Contest::five(setup);
    let stones = referee.stones().to_vec();
    let to_move = Color::ALL[stones.len() % 2];
    let mut by_moves = GameState::new(contest);
    stones.iter().for_each(|&(cell, _)| by_moves.apply(&Action::stone(cell)).unwrap());
    assert_eq!(outcome(&by_moves), referee.outcome());
    let known = forbidden(setup, &by_moves);
    let mut shuffled = stones.clone();
    shuffled.shuffle(rng);
    let lists = [shuffled_by_color(&stones, rng), shuffled, sorted(stones.clone()), stones.clone()];
    for (i, list) in lists.iter().enumerate() {
        let mut game = GameState::from_list(contest, list, to_move)
            .unwrap_or_else(|error| panic!("{error}: {list:?}"));
        // A foul that is no overline ends the game only if the list shows that it was
        // the last stone.
        let in_order = colors_alternate(list, !to_move);
        let foul =
            referee.outcome() == Some(Outcome::Win(to_move)) && referee.winning_lines().is_empty();
        let fouls = setup.rule.card().fouls[(!to_move).index()];
        let expected = match referee.outcome() {
            Some(outcome) if !foul || fouls.overline && has_overline(list, !to_move) => {
                Some(outcome)
            }
            _ if in_order && ends_with_foul(setup, list) => Some(Outcome::Win(to_move)),
            _ => None,
        };
        assert!(i == 1 || i == 2 || expected == referee.outcome(), "{list:?}");
        assert_eq!(outcome(&game), expected, "{:?} {list:?}", setup.rule);
        assert_eq!((game.to_move(), sorted(game.placed())), (to_move, sorted(stones.clone())));
        if expected.is_none() && !foul {
            assert_eq!(forbidden(setup, &game), known, "{list:?}");
            let mut taken = referee.stones().iter().map(|stone| Action::stone(stone.0));
            assert!(taken.all(|stone| game.apply(&stone).is_err()));
        }
        // The game continues after each stone taken back.
        while game.take_back_laid().is_some() {
            assert_eq!(game.result(), None, "{list:?}");
        }
        counts.boards += 1;
        counts.won += usize::from(expected.is_some());
        counts.fouls += usize::from(foul);
        counts.forbidden += known.len();
    }
}

#[test]
fn lists_in_any_order_give_the_position_of_the_game() {
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 15, 15).unwrap();
        let mut rng = SmallRng::seed_from_u64(41 + rule as u64);
        let mut counts = Counts::default();
        for _ in 0..GAMES {
            let length = rng.random_range(1..70);
            let referee = random_game(setup, length, &mut rng);
            check(&referee, &mut rng, &mut counts);
        }
        assert!(counts.boards == 4 * GAMES && counts.won > GAMES / 3, "{rule}: {counts:?}");
        let renju = rule.card().has_fouls();
        assert!(
            renju == (counts.fouls > 4) && renju == (counts.forbidden > 100),
            "{rule} {counts:?}"
        );
    }
}

/// A full board without a five is a draw, whatever the order of its stones.
#[test]
fn full_boards_are_drawn() {
    let setup = Setup::new(RuleId::Freestyle, 5, 5).unwrap();
    let mut rng = SmallRng::seed_from_u64(5);
    let mut drawn = 0;
    while drawn < 20 {
        let mut referee = FiveReferee::new(setup);
        let mut cells: Vec<Cell> = (0..25).map(|i| Cell::new(i % 5, i / 5)).collect();
        cells.shuffle(&mut rng);
        for (i, cell) in cells.into_iter().enumerate() {
            if referee.outcome().is_none() {
                referee.place(Color::ALL[i % 2], cell).unwrap();
            }
        }
        if referee.outcome() == Some(Outcome::Draw) {
            check(&referee, &mut rng, &mut Counts::default());
            drawn += 1;
        }
    }
}

/// Reads the stones of rows in the upper left corner of the board: `X` Black, `O` White, `#` a
/// wall.
fn rows(rows: &[&str]) -> List {
    let stone = |sign: char| match sign {
        'X' => Some(Stone::Of(Color::Black)),
        'O' => Some(Stone::Of(Color::White)),
        '#' => Some(Stone::Wall),
        _ => None,
    };
    let row = |(y, row): (usize, &&str)| -> List {
        let cells = row.chars().enumerate();
        cells.filter_map(|(x, sign)| Some((Cell::new(x, y), stone(sign)?))).collect()
    };
    rows.iter().enumerate().flat_map(row).collect()
}

#[test]
fn positions_that_no_game_reaches_are_refused() {
    let position = |rule: RuleId, board: &[&str], to_move: Color| {
        let contest = Contest::five(Setup::new(rule, 15, 15).unwrap());
        GameState::from_list(contest, &rows(board), to_move)
    };
    let refusal = |rule, board: &[&str], to_move| position(rule, board, to_move).unwrap_err();
    let result = |rule, board: &[&str], to_move| outcome(&position(rule, board, to_move).unwrap());
    let (black, white) = (Color::Black, Color::White);
    for rule in RuleId::ALL {
        assert_eq!(refusal(rule, &["XXXXX", "OOOOO"], black), Impossible::Both, "{rule}");
        assert_eq!(refusal(rule, &["XXXXX", "OOOO.O"], black), Impossible::Late, "{rule}");
        let apart = ["XXXXX", "", "XXXXX", "", "OOOO", "OOOO"];
        assert_eq!(refusal(rule, &apart, white), Impossible::Several, "{rule}");
    }
    // One stone can complete a row of nine, but not a row of ten.
    let nine = position(RuleId::Freestyle, &["XXXXXXXXX", "OOOO.OOOO"], white).unwrap();
    assert_eq!(outcome(&nine), Some(Outcome::Win(black)));
    assert_eq!(nine.placed().last(), Some(&(Cell::new(4, 0), Stone::Of(black))));
    let ten = ["XXXXXXXXXX", "OOOO.OOOO"];
    assert_eq!(refusal(RuleId::Freestyle, &ten, white), Impossible::Several);
    // In renju, an overline loses for Black and wins for White. In standard, it means nothing.
    let six = ["XXXXXX", "OOOO.OO"];
    assert_eq!(refusal(RuleId::Renju, &six, black), Impossible::Late);
    assert_eq!(result(RuleId::Renju, &six, white), Some(Outcome::Win(white)));
    let six_of_white = ["OOOOOO", "XXXX.XX"];
    assert_eq!(result(RuleId::Renju, &six_of_white, black), Some(Outcome::Win(white)));
    assert_eq!(result(RuleId::Standard, &six, black), None);
    // Caro: a five blocked at both ends does not win; a wall does not block.
    assert_eq!(result(RuleId::Caro, &["OXXXXXO", "OOO"], black), None);
    assert_eq!(result(RuleId::Caro, &["OXXXXX#", "OOO"], white), Some(Outcome::Win(black)));
}

/// The error names a stone outside the board or on an occupied point.
#[test]
fn stones_that_cannot_be_placed_are_named() {
    let contest = Contest::five(Setup::new(RuleId::Freestyle, 5, 5).unwrap());
    let full: List =
        (0..25).map(|i| (Cell::new(i % 5, i / 5), Stone::Of(Color::ALL[(i / 2) % 2]))).collect();
    let with = |cell: Cell| [&full[..24], &[(cell, Stone::Of(Color::White))]].concat();
    for (list, words) in [
        (with(Cell::new(0, 0)), "the point is occupied"),
        (with(Cell::new(5, 0)), "the point is outside the board"),
        ([&full[..], &[(Cell::new(0, 0), Stone::Wall)]].concat(), "the point is occupied"),
    ] {
        let error = GameState::from_list(contest, &list, Color::Black).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
}
