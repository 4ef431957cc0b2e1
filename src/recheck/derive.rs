//! The derivation of a claim (sections 1 and 5 of the description).
//!
//! A win is returned as the cells on which it depends: it holds for any `k` extra stones of
//! the defender elsewhere. With `k` = 0 there are no extra stones; the set may be empty and
//! must not be used for a larger `k`.

use crate::bits::Bits;
use crate::foul::foul;
use crate::grid::{Grid, Windows};
use crate::images::{Images, Stones};
use crate::memory::{Memory, Place};
use crate::source::{Flaw, Moves, Source, flaw};

/// Maximum number of extra stones.
const MAX_EXTRA: usize = 8;
/// Maximum number of fours before the five in a win that is not stored.
const FOURS: usize = 2;
/// Memory limit of a thread, in bytes.
const MAX_BYTES: usize = 3 << 30;

/// The cells a win depends on, or `None` if no win was found.
pub type Outcome<const W: usize> = Result<Option<Bits<W>>, Flaw>;

/// One part of a tree being checked.
pub struct Derivation<'a, const W: usize, const S: usize, A> {
    grid: &'a Grid<W, S>,
    images: &'a Images,
    attacker: usize,
    board: Stones<W>,
    source: A,
    memory: Memory<W>,
    /// Moves from the root to the board, without the defender's passes.
    path: Vec<usize>,
    /// Number of positions visited.
    pub positions: u64,
}

impl<'a, const W: usize, const S: usize, A: Source> Derivation<'a, W, S, A> {
    /// Creates a derivation from the stones `board`, with nothing asked or remembered.
    pub fn new(
        grid: &'a Grid<W, S>,
        images: &'a Images,
        attacker: usize,
        board: Stones<W>,
        source: A,
    ) -> Self {
        let memory = Memory::default();
        Self { grid, images, attacker, board, source, memory, path: Vec::new(), positions: 0 }
    }

    /// Returns the source of the moves.
    pub fn source(&mut self) -> &mut A {
        &mut self.source
    }

    /// Returns the moves that led to the present board as text.
    pub fn path(&self) -> String {
        self.path.iter().map(|&cell| self.grid.name(cell)).collect::<Vec<_>>().join(" ")
    }

    fn defender(&self) -> usize {
        1 - self.attacker
    }

    fn windows(&self, colour: usize) -> [Windows<W>; 4] {
        self.grid.windows(&self.board.sides, colour)
    }

    /// Whether A, who is to move in the root, wins without extra stones.
    pub fn root(&mut self) -> Result<bool, Flaw> {
        Ok(self.attack(None, 0)?.is_some())
    }

    /// Whether the defender's reply `cell` in the root is answered.
    pub fn root_reply(&mut self, cell: usize) -> Result<bool, Flaw> {
        let defender = self.defender();
        if self.grid.makes_five(&self.board.sides, defender, cell) {
            return flaw(format!("{} makes a five", self.grid.name(cell)));
        }
        if foul(self.grid, &self.board.sides, defender, cell).0 {
            return Ok(true);
        }
        if self.reply(cell, None, 0)?.is_some() {
            return Ok(true);
        }
        Ok(self.attack(None, 1)?.is_some_and(|cells| !cells.has(cell)))
    }

    /// Returns the moves for a set of stones, as cells of the board.
    fn ask(&mut self, stones: &Stones<W>) -> Result<Moves, Flaw> {
        let (number, image) = self.images.canonical(stones);
        let (grid, images, attacker, sides) =
            (self.grid, self.images, self.attacker, &self.board.sides);
        let mut order = None;
        let mut cell = |place: usize| {
            let order = order.get_or_insert_with(|| by_promise(grid, sides, attacker));
            Some(images.to(image, place_in(order, place)?) as u16)
        };
        let mut moves = self.source.moves((number >> 72) as u64, &mut cell)?;
        moves.iter_mut().for_each(|m| *m = images.from(image, usize::from(*m)) as u16);
        Ok(moves)
    }

    /// `attack` of section 5.2. `asked` are the stones that the tree is asked about, if not all.
    fn attack(&mut self, asked: Option<&Stones<W>>, k: usize) -> Outcome<W> {
        self.positions += 1;
        let windows = self.windows(self.attacker);
        if let Some(won) = self.five(&windows) {
            return Ok(Some(won));
        }
        let canonical = if k == 0 { self.images.canonical(&self.board).0 } else { 0 };
        if k == 0 && self.memory.is_won(canonical) {
            return Ok(Some(Bits::default()));
        }
        let stones = *asked.unwrap_or(&self.board);
        let place = Place::new(self.board.number(), stones.number(), k);
        let plain = asked.is_none() && k == 0;
        if !plain && let Some(cells) = self.memory.relevant(place) {
            return Ok(Some(cells));
        }
        if self.memory.is_lost(place) {
            return Ok(None);
        }
        let mut found = None;
        for cell in self.ask(&stones)? {
            found = self.play(usize::from(cell), asked, k)?;
            if found.is_some() {
                break;
            }
        }
        let found = found.or_else(|| self.fours(FOURS, k));
        match found {
            None => self.memory.add_lost(place),
            Some(_) if plain => self.memory.add_won(canonical),
            Some(cells) => self.memory.add_relevant(place, cells),
        }
        if self.positions & 0xfffff == 0 && self.bytes() > MAX_BYTES {
            return flaw("the tree needs more than 3 GiB of memory");
        }
        Ok(found)
    }

    /// Returns the approximate memory use in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.bytes() + self.source.bytes()
    }

    /// Returns the cells that the first five of A depends on, if A can make one.
    fn five(&self, windows: &[Windows<W>; 4]) -> Option<Bits<W>> {
        let sides = &self.board.sides;
        let cell = self.grid.fives(sides, self.attacker, windows).first()?;
        Some(self.grid.around(sides, self.attacker, cell))
    }

    /// `attack_known` of section 5.2: asks for the moves of the whole board first.
    fn attack_known(&mut self, asked: Option<&Stones<W>>, k: usize) -> Outcome<W> {
        if asked.is_some() {
            let board = self.board;
            if !self.ask(&board)?.is_empty()
                && let Some(cells) = self.attack(None, k)?
            {
                return Ok(Some(cells));
            }
        }
        self.attack(asked, k)
    }

    /// Plays a move of the tree for A.
    fn play(&mut self, cell: usize, asked: Option<&Stones<W>>, k: usize) -> Outcome<W> {
        let sides = &self.board.sides;
        if !self.grid.empty(sides).has(cell) {
            return Ok(None);
        }
        let (forbidden, seen) = foul(self.grid, sides, self.attacker, cell);
        if forbidden {
            return Ok(None);
        }
        self.images.put(&mut self.board, self.attacker, cell);
        self.path.push(cell);
        let with = asked.map(|stones| self.plus(stones, self.attacker, cell));
        let found = self.defend(with.as_ref(), k)?;
        self.path.pop();
        self.images.take(&mut self.board, self.attacker, cell);
        Ok(found.map(|cells| cells | seen | Bits::of(cell)))
    }

    fn plus(&self, stones: &Stones<W>, colour: usize, cell: usize) -> Stones<W> {
        let mut more = *stones;
        self.images.put(&mut more, colour, cell);
        more
    }

    /// Returns the cells of windows in which a move and `k` extra stones may make a five of D,
    /// if there are extra stones.
    fn near_fives(&self, windows: &[Windows<W>; 4], k: usize) -> Bits<W> {
        let mut cells = Bits::default();
        if k > 0 {
            for line in windows {
                for stones in 4usize.saturating_sub(k)..=3 {
                    cells |= line.cells(line.with(stones));
                }
            }
        }
        cells & self.grid.empty(&self.board.sides)
    }

    /// Returns the cells on which D can stop all of A's threatened `fives`, and the cells on
    /// which any of them depends.
    fn forced(&self, fives: Bits<W>) -> (Bits<W>, Bits<W>) {
        let around = |cell| self.grid.around(&self.board.sides, self.attacker, cell);
        let (mut all, mut any) = (self.grid.all, Bits::default());
        for cell in fives.cells() {
            all = all & around(cell);
            any |= around(cell);
        }
        (all, any)
    }

    /// `defend` of section 5.3.
    fn defend(&mut self, asked: Option<&Stones<W>>, k: usize) -> Outcome<W> {
        let defender = self.defender();
        let theirs = self.windows(defender);
        if !self.grid.fives(&self.board.sides, defender, &theirs).is_empty() {
            return Ok(None);
        }
        let mut relevant = self.near_fives(&theirs, k);
        let ours = self.windows(self.attacker);
        let fives = self.grid.fives(&self.board.sides, self.attacker, &ours);
        let (mut every, mut legal) = (false, false);
        let needed = if !fives.is_empty() {
            let (all, any) = self.forced(fives);
            relevant |= any;
            all
        } else if k < MAX_EXTRA
            && let Some(cells) = self.attack_known(asked, k + 1)?
        {
            cells
        } else {
            every = true;
            self.grid.empty(&self.board.sides)
        };
        // A win depends on empty cells only, so all needed cells are empty.
        relevant |= needed;
        for cell in needed.cells() {
            let (forbidden, seen) = foul(self.grid, &self.board.sides, defender, cell);
            relevant |= seen;
            if !forbidden {
                let Some(cells) = self.reply(cell, asked, k)? else { return Ok(None) };
                relevant |= cells;
                legal = true;
            }
        }
        Ok((!every || legal).then_some(relevant))
    }

    /// `reply` of section 5.3: D plays `cell`, then A is to move.
    fn reply(&mut self, cell: usize, asked: Option<&Stones<W>>, k: usize) -> Outcome<W> {
        let before = *asked.unwrap_or(&self.board);
        let defender = self.defender();
        let with = asked.map(|stones| self.plus(stones, defender, cell));
        self.images.put(&mut self.board, defender, cell);
        self.path.push(cell);
        let mut found = self.attack_known(with.as_ref(), k)?;
        if found.is_none() {
            found = self.attack(Some(&before), k)?;
        }
        self.path.pop();
        self.images.take(&mut self.board, defender, cell);
        Ok(found)
    }

    /// `fours` of section 5.2: finds a win of A, who is to move, by at most `n` fours and a five.
    fn fours(&mut self, n: usize, k: usize) -> Option<Bits<W>> {
        let defender = self.defender();
        let fives = if n == 0 {
            return None;
        } else {
            self.grid.fives(&self.board.sides, defender, &self.windows(defender))
        };
        if fives.len() > 1 {
            return None;
        }
        let mut cells = Bits::default();
        for line in self.windows(self.attacker) {
            let three = line.with(3);
            if !three.is_empty() {
                cells |= line.cells(three);
            }
        }
        cells = cells & self.grid.empty(&self.board.sides);
        if !fives.is_empty() {
            cells = cells & fives;
        }
        cells.cells().find_map(|cell| self.four(cell, n - 1, k))
    }

    /// Plays a four of A, with at most `n` more to come. If D could make a five, it was on this
    /// cell: after the four D can make none, as a stone of A never makes a five of D possible.
    fn four(&mut self, cell: usize, n: usize, k: usize) -> Option<Bits<W>> {
        let (forbidden, seen) = foul(self.grid, &self.board.sides, self.attacker, cell);
        if forbidden {
            return None;
        }
        let (attacker, defender) = (self.attacker, self.defender());
        self.board.sides[attacker].add(cell);
        let found = self.stop_four(defender, n, k);
        self.board.sides[attacker].remove(cell);
        found.map(|cells| cells | seen | Bits::of(cell))
    }

    fn stop_four(&mut self, defender: usize, n: usize, k: usize) -> Option<Bits<W>> {
        let ours = self.windows(self.attacker);
        let fives = self.grid.fives(&self.board.sides, self.attacker, &ours);
        if fives.is_empty() {
            return None;
        }
        let (needed, any) = self.forced(fives);
        let mut relevant = any | needed;
        if k > 0 {
            relevant |= self.near_fives(&self.windows(defender), k);
        }
        for cell in needed.cells() {
            let (forbidden, seen) = foul(self.grid, &self.board.sides, defender, cell);
            relevant |= seen;
            if !forbidden {
                self.board.sides[defender].add(cell);
                let windows = self.windows(self.attacker);
                let found = self.five(&windows).or_else(|| self.fours(n, k));
                self.board.sides[defender].remove(cell);
                relevant |= found?;
            }
        }
        Some(relevant)
    }

    /// Follows an unproven tree by the remembered results to its last position; returns what is
    /// wrong there.
    pub fn unproven(&mut self, reply: Option<usize>) -> String {
        if let Some(cell) = reply {
            let defender = self.defender();
            self.images.put(&mut self.board, defender, cell);
            self.path.push(cell);
        }
        loop {
            let (number, image) = self.images.canonical(&self.board);
            let moves = self.source.known((number >> 72) as u64).unwrap_or_default();
            let Some(&first) = moves.first() else { return "no move wins".to_owned() };
            let cell = self.images.from(image, usize::from(first));
            let (name, sides) = (self.grid.name(cell), &self.board.sides);
            if !self.grid.empty(sides).has(cell) {
                return format!("the move {name} is on an occupied point");
            }
            if foul(self.grid, sides, self.attacker, cell).0 {
                return format!("the move {name} is a foul");
            }
            self.images.put(&mut self.board, self.attacker, cell);
            self.path.push(cell);
            let (attacker, defender) = (self.attacker, self.defender());
            let sides = &self.board.sides;
            if !self.grid.fives(sides, defender, &self.windows(defender)).is_empty() {
                return "the defender makes a five".to_owned();
            }
            let fives = self.grid.fives(sides, attacker, &self.windows(attacker));
            let needed =
                if fives.is_empty() { self.grid.empty(sides) } else { self.forced(fives).0 };
            let lost = needed.cells().find(|&cell| {
                let after = self.plus(&self.board, defender, cell);
                self.memory.is_lost(Place::new(after.number(), after.number(), 0))
            });
            let Some(cell) = lost else { return "no win was found".to_owned() };
            self.images.put(&mut self.board, defender, cell);
            self.path.push(cell);
        }
    }
}

/// Returns a rank for each cell: empty cells above occupied ones, then by promise, then by cell
/// order. Place 1 has the highest rank. The low 12 bits are the inverted cell.
fn by_promise<const W: usize, const S: usize>(
    grid: &Grid<W, S>,
    sides: &[Bits<W>; 2],
    attacker: usize,
) -> Vec<u32> {
    let mut promise = vec![0u32; 64 * W];
    for (colour, worth) in
        [(attacker, [1, 12, 100, 2000, 2000]), (1 - attacker, [1, 6, 50, 1000, 1000])]
    {
        for line in grid.windows(sides, colour) {
            for (stones, worth) in (1..=5).zip(worth) {
                for first in line.with(stones).cells() {
                    (0..5).for_each(|i| promise[first + i * line.step()] += worth);
                }
            }
        }
    }
    let empty = grid.empty(sides);
    let rank = |cell: usize| {
        u32::from(empty.has(cell)) << 31 | promise[cell] << 12 | (0xfff - cell as u32)
    };
    grid.all.cells().map(rank).collect()
}

/// Returns the cell of a place, counted from 1.
fn place_in(order: &mut [u32], place: usize) -> Option<usize> {
    if place == 0 || place > order.len() {
        return None;
    }
    let at = order.len() - place;
    let (_, rank, _) = order.select_nth_unstable(at);
    Some((0xfff - (*rank & 0xfff)) as usize)
}
