//! Files of transposition tables, and searches with whatever entries they have.

use std::cell::RefCell;
use std::io::Cursor;
use std::sync::Arc;

use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, OpeningId, RuleId, Setup, Variant};
use goren_core::types::Cell;
use goren_engine::{
    AnyPosition, Engine, Request, RootPosition, Table, TableHandle, WeightSet, new_position,
};
use goren_session::hash::read;

/// A small board, on which stones soon touch.
const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 7, height: 7 };

/// Nodes of each search.
const NODES: u64 = 60;

/// A game in progress and the positions that a search of it visits.
struct Bench {
    game_state: GameState,
    position: Box<dyn AnyPosition>,
    engine: Engine,
    table: Arc<Table>,
    /// Keys of the positions with an entry, in order.
    keys: Vec<u64>,
}

impl Bench {
    fn new() -> Bench {
        let contest = Contest::new(Variant::Five(SETUP.rule)).opened(OpeningId::Free);
        let contest = contest.expect("any game has it").on(SETUP.width, SETUP.height);
        let mut game_state = GameState::new(contest.expect("a board there is"));
        for (x, y) in [(3, 3), (4, 4), (3, 4), (4, 3), (2, 3)] {
            game_state.apply(&Action::stone(Cell::new(x, y))).expect("a free game");
        }
        let engine = Engine::with_hash(TableHandle::exactly(1 << 14));
        let table = engine.hash().for_search(&Request::default()).expect("a small table");
        let position = new_position(game_state.contest(), &WeightSet::default());
        let mut bench = Bench { game_state, position, engine, table, keys: Vec::new() };
        bench.search();
        bench.keys = bench.table.entries().map(|(key, _)| key).collect();
        bench.keys.sort_unstable();
        bench
    }

    /// Searches with the table as it is; the answer must be a legal move.
    fn search(&mut self) {
        let game_state = &self.game_state;
        let root = RootPosition::of(game_state, &[], game_state.to_move(), 1);
        self.engine.forget();
        self.position.set(&root);
        let answer = self.engine.go(&*self.position, &Request::nodes(NODES), &mut |_| {});
        let answer = answer.expect("a table and a thread");
        let cell = answer.best.cell();
        assert!(cell.x() < SETUP.width && cell.y() < SETUP.height);
        assert!(game_state.stone(cell).is_none());
    }
}

/// The input as a file; then a file with a valid header, whose entries belong to
/// positions that the search visits.
pub fn hash(input: &[u8]) -> bool {
    thread_local! {
        static BENCH: RefCell<Bench> = RefCell::new(Bench::new());
    }
    BENCH.with_borrow_mut(|bench| {
        let entries_read = read(&mut Cursor::new(input), SETUP, || Ok(&*bench.table));
        // Two bytes choose the position, eight are its entry.
        let words = input.chunks_exact(10).flat_map(|chunk| {
            let number = usize::from(u16::from_le_bytes([chunk[0], chunk[1]]));
            let key = bench.keys[number % bench.keys.len()];
            key.to_le_bytes().into_iter().chain(chunk[2..].iter().copied())
        });
        let entries: Vec<u8> = words.collect();
        bench.table.clear();
        let count = read(&mut Cursor::new(file(&entries)), SETUP, || Ok(&*bench.table));
        assert_eq!(count.expect("a sound file"), entries.len() as u64 / 16);
        bench.search();
        entries_read.is_ok_and(|count| count > 0)
    })
}

/// The file with these entries.
fn file(entries: &[u8]) -> Vec<u8> {
    let count = (entries.len() as u64 / 16).to_le_bytes();
    let sum = crc32fast::hash(&[&count, entries].concat()).to_le_bytes();
    let (width, height) = (SETUP.width as u8, SETUP.height as u8);
    // Version 1 of the format; freestyle is rule 0.
    let head = [b"GORENTT\x1a", &[1, 0, width, height][..], &sum, &count].concat();
    [&head, entries].concat()
}
