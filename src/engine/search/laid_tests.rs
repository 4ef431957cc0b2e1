//! Positions in lists of any order, against the game by its moves.

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::{Game, new_game};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::referee::Impossible;
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, Stone};

/// Games of each rule.
const GAMES: usize = 300;

type List = Vec<(Cell, Stone)>;

/// Plays near other stones until the game is over, or so many stones stand. Of
/// several stones of Black's one that makes much is taken more often, so that
/// there are shapes to be judged.
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
        // Fouls and fives end games, but not all of them.
        let ends = referee.fouls(cell).any() && color == Color::Black || referee.wins(color, cell);
        if !ends || rng.random_range(0..4) == 0 {
            referee.place(color, cell).unwrap();
        }
    }
    referee
}

/// The stones with those of each colour in another order, the last one last.
fn by_turns(stones: &[(Cell, Stone)], rng: &mut SmallRng) -> List {
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

/// Whether the colours take turns, up to the side that has just moved.
fn take_turns(list: &[(Cell, Stone)], mover: Color) -> bool {
    let colors = [mover, !mover].into_iter().cycle();
    list.iter().rev().zip(colors).all(|(stone, color)| stone.1 == Stone::Of(color))
}

/// Whether Black's last stone is a foul once the others stand.
fn ends_with_foul(setup: Setup, list: &[(Cell, Stone)]) -> bool {
    let Some((&(last, Stone::Of(Color::Black)), rest)) = list.split_last() else { return false };
    let mut referee = FiveReferee::new(setup);
    rest.iter().for_each(|&(cell, stone)| referee.set_up(cell, stone).unwrap());
    referee.fouls(last).any()
}

/// Whether Black has more than five in a row.
fn has_overline(list: &[(Cell, Stone)]) -> bool {
    let there = |cell| list.contains(&(cell, Stone::Of(Color::Black)));
    list.iter().any(|&(cell, _)| {
        goren_core::types::DIRECTIONS.iter().any(|&dir| (0..6).all(|n| there(cell.step(dir, n))))
    })
}

fn sorted(mut list: List) -> List {
    list.sort_by_key(|stone| stone.0);
    list
}

#[derive(Default, Debug)]
struct Seen {
    boards: usize,
    won: usize,
    fouls: usize,
    forbidden: usize,
}

/// Checks all lists of a game.
fn check(referee: &FiveReferee, game: &mut dyn Game, rng: &mut SmallRng, seen: &mut Seen) {
    let setup = referee.setup();
    let stones = referee.stones().to_vec();
    let to_move = Color::ALL[stones.len() % 2];
    let mut by_moves = new_game(setup);
    stones.iter().for_each(|&(cell, _)| by_moves.play(cell).unwrap());
    assert_eq!(by_moves.outcome(), referee.outcome());
    let forbidden = by_moves.forbidden();
    let mut shuffled = stones.clone();
    shuffled.shuffle(rng);
    let lists = [by_turns(&stones, rng), shuffled, sorted(stones.clone()), stones.clone()];
    for (i, list) in lists.iter().enumerate() {
        game.set_up(list, to_move).unwrap_or_else(|error| panic!("{error}: {list:?}"));
        // A foul that is no overline ends the game only where it is known to be
        // the last stone.
        let known = take_turns(list, !to_move);
        let foul = referee.outcome() == Some(Outcome::Win(Color::White))
            && referee.winning_lines().is_empty();
        let expected = match referee.outcome() {
            Some(outcome) if !foul || has_overline(list) => Some(outcome),
            _ if known && ends_with_foul(setup, list) => Some(Outcome::Win(Color::White)),
            _ => None,
        };
        assert!(i == 1 || i == 2 || expected == referee.outcome(), "{list:?}");
        assert_eq!(game.outcome(), expected, "{:?} {list:?}", setup.rule);
        assert_eq!((game.to_move(), sorted(game.stones())), (to_move, sorted(stones.clone())));
        if expected.is_none() && !foul {
            assert_eq!(game.forbidden(), forbidden, "{list:?}");
            let empty = referee.stones().iter().map(|stone| stone.0);
            empty.for_each(|cell| assert!(game.play(cell).is_err()));
        }
        // What is taken back goes on, stone by stone.
        while game.take_back().is_some() {
            assert_eq!(game.outcome(), None, "{list:?}");
        }
        seen.boards += 1;
        seen.won += usize::from(expected.is_some());
        seen.fouls += usize::from(foul);
        seen.forbidden += forbidden.len();
    }
}

#[test]
fn lists_in_any_order_are_the_position_of_their_game() {
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 15, 15).unwrap();
        let mut rng = SmallRng::seed_from_u64(41 + rule as u64);
        let (mut game, mut seen) = (new_game(setup), Seen::default());
        for _ in 0..GAMES {
            let length = rng.random_range(1..70);
            let referee = random_game(setup, length, &mut rng);
            check(&referee, game.as_mut(), &mut rng, &mut seen);
        }
        assert!(seen.boards == 4 * GAMES && seen.won > GAMES / 3, "{rule}: {seen:?}");
        let renju = rule.card().has_fouls();
        assert!(renju == (seen.fouls > 40) && renju == (seen.forbidden > 400), "{seen:?}");
    }
}

/// A full board is drawn, in whatever order it was filled.
#[test]
fn full_boards_are_drawn() {
    let setup = Setup::new(RuleId::Freestyle, 5, 5).unwrap();
    let mut rng = SmallRng::seed_from_u64(5);
    let (mut game, mut drawn) = (new_game(setup), 0);
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
            check(&referee, game.as_mut(), &mut rng, &mut Seen::default());
            drawn += 1;
        }
    }
}

/// Rows of the upper left corner: `X` Black, `O` White, `#` a wall.
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
fn what_no_game_leads_to_is_refused() {
    let refused = |rule: RuleId, board: &[&str], to_move: Color| {
        let mut game = new_game(Setup::new(rule, 15, 15).unwrap());
        game.play(Cell::new(14, 14)).unwrap();
        let before = game.stones();
        let error = game.set_up(&rows(board), to_move).unwrap_err();
        assert_eq!((game.stones(), game.outcome()), (before, None));
        error
    };
    let (black, white) = (Color::Black, Color::White);
    for rule in RuleId::ALL {
        assert_eq!(refused(rule, &["XXXXX", "OOOOO"], black), Impossible::Both, "{rule}");
        assert_eq!(refused(rule, &["XXXXX", "OOOO.O"], black), Impossible::Late, "{rule}");
        let apart = ["XXXXX", "", "XXXXX", "", "OOOO", "OOOO"];
        assert_eq!(refused(rule, &apart, white), Impossible::Several, "{rule}");
    }
    // A row of nine is the work of one stone, a row of ten is not.
    let mut game = new_game(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
    game.set_up(&rows(&["XXXXXXXXX", "OOOO.OOOO"]), white).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(black)));
    assert_eq!(game.stones().last(), Some(&(Cell::new(4, 0), Stone::Of(black))));
    let ten = ["XXXXXXXXXX", "OOOO.OOOO"];
    assert_eq!(refused(RuleId::Freestyle, &ten, white), Impossible::Several);
    // Black's overlines, which are nothing to White and in other rules.
    let six = ["XXXXXX", "OOOO.OO"];
    assert_eq!(refused(RuleId::Renju, &six, black), Impossible::Late);
    let mut game = new_game(Setup::new(RuleId::Renju, 15, 15).unwrap());
    game.set_up(&rows(&six), white).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(white)));
    game.set_up(&rows(&["OOOOOO", "XXXX.XX"]), black).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(white)));
    let mut game = new_game(Setup::new(RuleId::Standard, 15, 15).unwrap());
    game.set_up(&rows(&six), black).unwrap();
    assert_eq!(game.outcome(), None);
    // A blocked five of Caro, a walled one, and one whose block came last.
    let mut game = new_game(Setup::new(RuleId::Caro, 15, 15).unwrap());
    game.set_up(&rows(&["OXXXXXO", "OOO"]), black).unwrap();
    assert_eq!(game.outcome(), None);
    game.set_up(&rows(&["OXXXXX#", "OOO"]), white).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(black)));
}

/// What is off the board or on another stone is told as that.
#[test]
fn stones_that_cannot_be_placed_are_named() {
    let mut game = new_game(Setup::new(RuleId::Freestyle, 5, 5).unwrap());
    let full: List =
        (0..25).map(|i| (Cell::new(i % 5, i / 5), Stone::Of(Color::ALL[(i / 2) % 2]))).collect();
    let with = |cell: Cell| [&full[..24], &[(cell, Stone::Of(Color::White))]].concat();
    for (list, words) in [
        (with(Cell::new(0, 0)), "the point is occupied"),
        (with(Cell::new(5, 0)), "the point is outside the board"),
        ([&full[..], &[(Cell::new(0, 0), Stone::Wall)]].concat(), "the point is occupied"),
    ] {
        let error = game.set_up(&list, Color::Black).unwrap_err();
        assert_eq!(error.to_string(), words);
    }
}
