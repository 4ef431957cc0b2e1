//! Shared code of the engine tests: seeded random numbers, and positions that are
//! on the referee and on the board at once.

// No test uses all of it.
#![allow(dead_code)]

use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Rule, Setup};
use goren_core::types::keys::mix;
use goren_core::types::{Cell, CellSet, Color, Stone};
use goren_engine::board::Board;
use goren_engine::game::Position;
use goren_engine::pattern::Class;
use goren_engine::{Answer, Engine, Params, Request, SearchablePosition, TableHandle};

/// A number from the environment: `GOREN_TEST_FACTOR` multiplies the work of the
/// tests, `GOREN_TEST_SEED` gives them other positions.
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The number that `GOREN_TEST_SEED` adds to each seed; 0 without it.
pub fn other_seeds() -> u64 {
    // The factor is greater than the number of seeds of any test.
    setting("GOREN_TEST_SEED", 0).wrapping_mul(1_000_000)
}

/// Whether a test met enough cases. With `GOREN_TEST_SEED` it always did: how many cases to
/// expect is known only for the usual positions.
pub fn enough(condition: bool) -> bool {
    condition || other_seeds() != 0
}

/// Random numbers that are the same in every run, unless `GOREN_TEST_SEED` is set.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(mix(seed.wrapping_add(other_seeds())))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 >> 20) as usize % n
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A position that nobody has won yet.
#[derive(Clone)]
pub struct Table<R: Rule> {
    pub referee: FiveReferee,
    pub board: Board<R>,
}

impl<R: Rule> Table<R> {
    pub fn new(width: usize, height: usize) -> Table<R> {
        let setup = Setup::new(R::ID, width, height).expect("a size the engine plays");
        Table { referee: FiveReferee::new(setup), board: Board::new(setup) }
    }

    /// Reads a position as [`Table::picture`] shows it.
    pub fn of(rows: &[&str]) -> Table<R> {
        let mut table = Table::new(rows[0].len(), rows.len());
        for (y, row) in rows.iter().enumerate() {
            for (x, point) in row.bytes().enumerate() {
                let stone = match point {
                    b'X' => Stone::Of(Color::Black),
                    b'O' => Stone::Of(Color::White),
                    b'#' => Stone::Wall,
                    _ => continue,
                };
                table.put(Cell::new(x, y), stone);
            }
        }
        table
    }

    pub fn put(&mut self, cell: Cell, stone: Stone) {
        self.referee.set_up(cell, stone).expect("an empty point in a game not over");
        match stone {
            Stone::Of(color) => self.board.make(cell, color),
            Stone::Wall => self.board.make_wall(cell),
        }
    }

    /// Takes back the last stone.
    pub fn back(&mut self) {
        self.referee.take_back();
        self.board.unmake();
    }

    /// Places up to `stones` random stones, none of which wins or is a foul. Most are
    /// close to others, so that lines form; `walls` makes some cells dead. Takes back
    /// any stone that leaves a point of one of the classes `without`.
    pub fn scatter(&mut self, random: &mut Random, stones: usize, walls: bool, without: &[Class]) {
        // One colour may get more stones than the other.
        let lead = random.below(6);
        for _ in 0..stones {
            let setup = self.referee.setup();
            let empty = *self.board.empty();
            let close = match self.board.stones().nth(random.below(self.board.placed().max(1))) {
                Some((at, _)) if !random.once_in(4) => square(at).intersection(&empty),
                _ => CellSet::board(setup.width, setup.height).intersection(&empty),
            };
            if close.is_empty() {
                continue;
            }
            let Some(cell) = close.iter().nth(random.below(close.len())) else { continue };
            let color = Color::ALL[usize::from(random.below(12) < 4 + lead)];
            let foul = self.referee.fouls(color, cell).any();
            if walls && random.once_in(20) {
                self.put(cell, Stone::Wall);
            } else if !foul && !self.referee.wins(color, cell) {
                self.put(cell, Stone::Of(color));
                let unwanted =
                    |&class: &Class| Color::ALL.iter().any(|&c| self.board.count(c, class) > 0);
                if without.iter().any(unwanted) {
                    self.back();
                }
            }
        }
    }

    /// The stones as rows of `X`, `O`, `#` and dots, top row first, for the
    /// message of a failed test.
    pub fn picture(&self) -> String {
        let setup = self.referee.setup();
        let mut text = format!("{setup:?}\n");
        for y in 0..setup.height {
            for x in 0..setup.width {
                text.push(match self.referee.stone(Cell::new(x, y)) {
                    None => '.',
                    Some(Stone::Of(Color::Black)) => 'X',
                    Some(Stone::Of(Color::White)) => 'O',
                    Some(Stone::Wall) => '#',
                });
            }
            text.push('\n');
        }
        text
    }
}

/// The cells up to two away.
fn square(at: Cell) -> CellSet {
    let near = |v: usize| v.saturating_sub(2)..=v + 2;
    near(at.y()).flat_map(|y| near(at.x()).map(move |x| Cell::new(x, y))).collect()
}

/// A request to search to a depth on one thread, without a time limit.
pub fn limits(depth: u32) -> Request {
    Request { max_depth: Some(depth), ..Request::default() }
}

/// A fresh engine with a table of `bytes` bytes.
pub fn engine(bytes: usize, params: &Params) -> Engine {
    let mut engine = Engine::with_hash(TableHandle::exactly(bytes));
    engine.set_params(params);
    engine
}

/// Searches any position with a fresh engine.
pub fn search_position<P: Position>(position: &P, request: &Request, params: &Params) -> Answer {
    let mut engine = engine(1 << 20, params);
    engine
        .go(&SearchablePosition(position.clone()), request, &mut |_| {})
        .expect("a table and a thread")
}
