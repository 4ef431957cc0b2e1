//! Double-threat solver for games with two stones a turn (Connect6). After each turn of
//! the attacker the defender needs both of its stones to stop the threats, as it needs its
//! only stone against a four in five in a row. A reported win holds against every pair of
//! stones that stops the threats. Iterative deepening by turns.
//!
//! The search calls the solver at the root and, from `turn_solver_depth` on, at nodes
//! where a turn begins.

use smallvec::SmallVec;

use super::Meter;
use super::turn_threats::{Gaps, Threats, answers, can_meet, threats, unmet};
use crate::board::LineCountBoard;
use goren_core::types::{Cell, CellSet, Color, keys};

/// Number of slots of the failure table.
const FAILS: usize = 1 << 14;
/// Greatest depth: turns of the attacker before the winning one.
const MAX_DEPTH: usize = 24;
/// Depth in the failure table: no win at any depth.
const ANY_DEPTH: usize = usize::MAX;
/// Value of a live line through a cell by the number of its stones, for move ordering.
const VALUES: [usize; 4] = [0, 1, 4, 10];

/// The solver with its failure table, which stays valid for all positions on one board.
#[derive(Clone, Default, Debug)]
pub struct DoubleThreats {
    /// Failure table by key, always replaced; allocated at the first failure.
    fails: Vec<Fail>,
}

/// An entry of the failure table.
#[derive(Copy, Clone, Default, Debug)]
struct Fail {
    /// Key of the position, mixed with the attacker and its stones left in the turn.
    key: u64,
    /// Depth up to which there is no win.
    depth: usize,
    /// Node limit of a search from here that found nothing; not repeated with the same or a
    /// lower limit.
    nodes: u64,
}

/// Result of an attack.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Found {
    /// First stone, and maximum length in plies.
    Win(Cell, usize),
    /// No win by double threats at any depth.
    Nothing,
    /// No win at this depth.
    TooDeep,
    /// Nodes or time ran out.
    OutOfNodes,
}

/// The stones of a turn of the attacker, a single one stored twice, and the value for
/// move ordering.
struct Turn {
    cells: [Cell; 2],
    value: usize,
}

/// Turns whose threats one stone cannot stop.
type Turns = Vec<Turn>;

/// The turns of the attacker to search, or a turn whose threats two stones cannot stop.
enum Attacks {
    Turns(Turns),
    Unanswered([Cell; 2]),
    OutOfNodes,
}

impl DoubleThreats {
    /// Maximum number of missing stones of the lines that the board must list for the solver
    /// ([`Geometry::listing`](crate::board::Geometry::listing)).
    pub const LISTED: usize = 4;

    /// Searches for a win of the attacker, which is to move and has `stones_left` stones
    /// (1 or 2) left in the turn. Returns its first stone and its maximum length in plies;
    /// `None` if none was found. A node is a placed stone. The game must not be over, must
    /// be won by a line of the board, and must allow stones anywhere. The board is restored.
    pub fn solve(
        &mut self,
        board: &mut LineCountBoard,
        attacker: Color,
        stones_left: usize,
        meter: &mut Meter<'_>,
    ) -> Option<(Cell, usize)> {
        let nodes = meter.left();
        let key = key(board, attacker, stones_left);
        if self.fail(key).is_some_and(|fail| fail.nodes >= nodes) {
            return None;
        }
        for depth in 0..=MAX_DEPTH {
            match self.attack(board, attacker, stones_left, depth, meter) {
                Found::Win(cell, plies) => return Some((cell, plies)),
                Found::TooDeep => {}
                Found::Nothing => return None,
                Found::OutOfNodes => break,
            }
        }
        // If the clock stopped the search, it spent fewer nodes than it was given.
        if !meter.is_late() {
            let depth = self.fail(key).map_or(0, |fail| fail.depth);
            self.remember(Fail { key, depth, nodes });
        }
        None
    }

    fn fail(&self, key: u64) -> Option<&Fail> {
        self.fails.get((key >> 32) as usize % FAILS).filter(|fail| fail.key == key)
    }

    fn remember(&mut self, fail: Fail) {
        if self.fails.is_empty() {
            self.fails = vec![Fail::default(); FAILS];
        }
        self.fails[(fail.key >> 32) as usize % FAILS] = fail;
    }

    /// Searches with the attacker to move, which may make `depth` turns before the winning
    /// one.
    fn attack(
        &mut self,
        board: &mut LineCountBoard,
        attacker: Color,
        stones_left: usize,
        depth: usize,
        meter: &mut Meter<'_>,
    ) -> Found {
        let win_length = board.geometry().length();
        if board.empties() < stones_left {
            return Found::Nothing;
        }
        for missing in
            (1..=stones_left).filter(|missing| board.level(attacker, win_length - missing) > 0)
        {
            let line = board.lines_missing(attacker, missing).next();
            if let Some(cell) = line.and_then(|line| board.gaps(line).next()) {
                return Found::Win(cell, missing);
            }
        }
        if depth == 0 {
            return Found::TooDeep;
        }
        let must_stop = threats(board, !attacker, 2);
        if !can_meet(&must_stop, stones_left) {
            return Found::Nothing;
        }
        let key = key(board, attacker, stones_left);
        match self.fail(key) {
            Some(&Fail { depth: ANY_DEPTH, .. }) => return Found::Nothing,
            Some(fail) if fail.depth >= depth => return Found::TooDeep,
            _ => {}
        }
        let found = self.try_turns(board, attacker, (stones_left, depth), &must_stop, meter);
        let nodes = self.fail(key).map_or(0, |fail| fail.nodes);
        match found {
            Found::Nothing => self.remember(Fail { key, depth: ANY_DEPTH, nodes: u64::MAX }),
            Found::TooDeep => self.remember(Fail { key, depth, nodes }),
            Found::Win(..) | Found::OutOfNodes => {}
        }
        found
    }

    fn try_turns(
        &mut self,
        board: &mut LineCountBoard,
        attacker: Color,
        (stones_left, depth): (usize, usize),
        must_stop: &Threats,
        meter: &mut Meter<'_>,
    ) -> Found {
        // Place a stone that stops a threat first.
        let first = |[a, b]: [Cell; 2]| {
            let stops = must_stop.is_empty() || must_stop.iter().any(|gaps| gaps.contains(&a));
            if stops { a } else { b }
        };
        let mut turns = match self.generate_turns(board, attacker, stones_left, must_stop, meter) {
            Attacks::Turns(turns) => turns,
            // Plies: the rest of this turn, two stones of the defender, at most two
            // winning stones. With too few cells for these the game is drawn.
            Attacks::Unanswered(_) if board.empties() < stones_left + 4 => return Found::Nothing,
            Attacks::Unanswered(cells) => return Found::Win(first(cells), stones_left + 4),
            Attacks::OutOfNodes => return Found::OutOfNodes,
        };
        turns.sort_by_key(|turn| std::cmp::Reverse(turn.value));
        let mut best = Found::Nothing;
        for Turn { cells, .. } in turns {
            if !meter.spend_some(stones_left as u64) {
                return Found::OutOfNodes;
            }
            let placed = &cells[..stones_left];
            placed.iter().for_each(|&cell| board.put(cell, attacker));
            let found = self.defend(board, attacker, depth - 1, meter);
            placed.iter().for_each(|&cell| board.lift(cell, attacker));
            match found {
                Found::Win(_, plies) => return Found::Win(first(cells), stones_left + plies),
                Found::OutOfNodes => return found,
                Found::TooDeep => best = found,
                Found::Nothing => {}
            }
        }
        best
    }

    /// Searches after a turn of the attacker whose threats one stone cannot stop. Plies
    /// count from here.
    fn defend(
        &mut self,
        board: &mut LineCountBoard,
        attacker: Color,
        depth: usize,
        meter: &mut Meter<'_>,
    ) -> Found {
        let own_threats = threats(board, attacker, 2);
        let pairs = answers(&own_threats);
        if pairs.is_empty() {
            // With less than four empty cells the game is drawn before the attacker's turn.
            let gaps = own_threats.first().filter(|_| board.empties() >= 4);
            return gaps.map_or(Found::Nothing, |gaps| Found::Win(gaps[0], 4));
        }
        // The stones of all answers at once defend better than any single answer: a win
        // against all of them is a win against each.
        if pairs.len() > 1 {
            let mut cells: SmallVec<[Cell; 8]> = pairs.iter().flatten().copied().collect();
            cells.sort_unstable();
            cells.dedup();
            match self.search_after(board, attacker, depth, &cells, meter) {
                Found::Win(cell, plies) => return Found::Win(cell, 2 + plies),
                Found::OutOfNodes => return Found::OutOfNodes,
                Found::Nothing | Found::TooDeep => {}
            }
        }
        let mut longest = Found::Nothing;
        let mut longest_plies = 0;
        for pair in pairs {
            match self.search_after(board, attacker, depth, &pair, meter) {
                Found::Win(cell, plies) if plies >= longest_plies => {
                    (longest_plies, longest) = (plies, Found::Win(cell, 2 + plies));
                }
                Found::Win(..) => {}
                other => return other,
            }
        }
        longest
    }

    /// Searches the attacker's next turn after `stones` of the defender, and removes these
    /// again.
    fn search_after(
        &mut self,
        board: &mut LineCountBoard,
        attacker: Color,
        depth: usize,
        stones: &[Cell],
        meter: &mut Meter<'_>,
    ) -> Found {
        stones.iter().for_each(|&cell| board.put(cell, !attacker));
        let win_length = board.geometry().length();
        let found = match board.level(!attacker, win_length) {
            0 => self.attack(board, attacker, 2, depth, meter),
            _ => Found::Nothing,
        };
        stones.iter().for_each(|&cell| board.lift(cell, !attacker));
        found
    }

    /// Generates the turns that stop the opponent's threats and make threats that one stone
    /// cannot stop. The first of two stones is on a line that misses three, the second on a
    /// line that misses two or three; if the first alone makes the threats, the second may
    /// instead stop a threat of the opponent. Pairs on a line that misses four are added.
    ///
    /// In Connect6, a stone on each of two lines like `.XXX..` makes two lines that miss
    /// two, which one stone stops only where they cross. A pair on `..XX..` makes
    /// `.XXXX.`: a stone at one end leaves lines that end at the other.
    fn generate_turns(
        &mut self,
        board: &mut LineCountBoard,
        attacker: Color,
        stones_left: usize,
        must_stop: &Threats,
        meter: &mut Meter<'_>,
    ) -> Attacks {
        let win_length = board.geometry().length();
        let mut turns = Turns::new();
        if stones_left == 1 {
            return match self.second_stones(
                board,
                attacker,
                None,
                must_stop,
                &CellSet::EMPTY,
                &mut turns,
            ) {
                Some(cells) => Attacks::Unanswered(cells),
                None => Attacks::Turns(turns),
            };
        }
        let gaps = |line| board.gaps(line);
        let threes: CellSet = board.lines_missing(attacker, 3).flat_map(gaps).collect();
        let mut done = CellSet::EMPTY;
        for cell in threes.iter() {
            if !meter.spend() {
                return Attacks::OutOfNodes;
            }
            let unstopped = unmet(must_stop, cell);
            if !can_meet(&unstopped, 1) {
                continue;
            }
            board.put(cell, attacker);
            let found =
                self.second_stones(board, attacker, Some(cell), &unstopped, &done, &mut turns);
            board.lift(cell, attacker);
            if let Some(cells) = found {
                return Attacks::Unanswered(cells);
            }
            done.insert(cell);
        }
        if board.level(attacker, win_length - 4) > 1 {
            pairs_on_twos(board, attacker, must_stop, &threes, &mut turns);
        }
        Attacks::Turns(turns)
    }

    /// Adds the turns that end with the next stone. Turns that begin with a stone in
    /// `done` are already generated. Returns a turn whose threats two stones cannot stop, if
    /// there is one.
    fn second_stones(
        &mut self,
        board: &LineCountBoard,
        attacker: Color,
        first: Option<Cell>,
        must_stop: &Threats,
        done: &CellSet,
        turns: &mut Turns,
    ) -> Option<[Cell; 2]> {
        let own_threats = threats(board, attacker, 2);
        let first_suffices = !can_meet(&own_threats, 1);
        let lines = [2, 3].into_iter().flat_map(|missing| board.lines_missing(attacker, missing));
        let mut cells: CellSet = lines.flat_map(|line| board.gaps(line)).collect();
        if first_suffices {
            cells = cells.union(&must_stop.iter().flatten().copied().collect());
        }
        for cell in cells.iter() {
            // Skip turns already generated in the other order. If the first stone alone
            // makes the threats, the reversed turn may not have been generated.
            if !must_stop.iter().all(|gaps| gaps.contains(&cell))
                || !first_suffices && done.contains(cell)
            {
                continue;
            }
            let after = with_stone(board, attacker, &own_threats, cell);
            if can_meet(&after, 1) {
                continue;
            }
            let turn = [first.unwrap_or(cell), cell];
            if !can_meet(&after, 2) {
                return Some(turn);
            }
            turns.push(Turn { cells: turn, value: value(board, attacker, &turn) });
        }
        None
    }
}

/// Returns the key of a position, the attacker and its stones left in the turn.
fn key(board: &LineCountBoard, attacker: Color, stones_left: usize) -> u64 {
    board.key() ^ keys::mix((stones_left * 2 + attacker.index()) as u64)
}

/// Returns the attacker's threats after one more stone on `cell`; `own_threats` are its
/// threats before.
fn with_stone(
    board: &LineCountBoard,
    attacker: Color,
    own_threats: &Threats,
    cell: Cell,
) -> Threats {
    let win_length = board.geometry().length();
    let mut after = unmet(own_threats, cell);
    for &line in board.geometry().lines_through(cell) {
        let count = board.count(line as usize);
        let (own, others) = (count[attacker.index()], count[(!attacker).index()]);
        if others == 0 && (own + 3 == win_length || own + 2 == win_length) {
            let mut gaps = board.gaps(line as usize).filter(|&at| at != cell);
            if let Some(first) = gaps.next() {
                after.push([first, gaps.next().unwrap_or(first)]);
            }
        }
    }
    after
}

/// Adds the turns of two stones on a line that misses four, neither of them on a line that
/// misses three (`threes`). All their threats are along the direction of that line.
fn pairs_on_twos(
    board: &LineCountBoard,
    attacker: Color,
    must_stop: &Threats,
    threes: &CellSet,
    turns: &mut Turns,
) {
    for line in board.lines_missing(attacker, 4) {
        let gaps: SmallVec<[Cell; 4]> =
            board.gaps(line).filter(|&cell| !threes.contains(cell)).collect();
        for (i, &a) in gaps.iter().enumerate() {
            for &b in &gaps[i + 1..] {
                let turn = [a, b];
                if !must_stop.iter().all(|gaps| gaps.contains(&a) || gaps.contains(&b)) {
                    continue;
                }
                if let Some(after) = threats_along(board, attacker, line, turn)
                    && !can_meet(&after, 1)
                {
                    turns.push(Turn { cells: turn, value: value(board, attacker, &turn) });
                }
            }
        }
    }
}

/// Returns the attacker's threats after two more stones on cells of `line`, which misses
/// four; `None` if a similar line with a lower number has both cells and already generated
/// the turn.
fn threats_along(
    board: &LineCountBoard,
    attacker: Color,
    line: usize,
    [a, b]: [Cell; 2],
) -> Option<Threats> {
    let win_length = board.geometry().length();
    let mut after = Threats::new();
    for &other in board.geometry().lines_through(a) {
        let other = other as usize;
        let count = board.count(other);
        if count[attacker.index()] + 4 != win_length || count[(!attacker).index()] > 0 {
            continue;
        }
        if !board.geometry().line(other).contains(&b) {
            continue;
        }
        if other < line {
            return None;
        }
        let mut gaps = board.gaps(other).filter(|&at| at != a && at != b);
        if let (Some(first), Some(second)) = (gaps.next(), gaps.next()) {
            let gaps: Gaps = [first, second];
            after.push(gaps);
        }
    }
    Some(after)
}

/// Returns the value of a turn for move ordering.
fn value(board: &LineCountBoard, attacker: Color, cells: &[Cell; 2]) -> usize {
    let of_cell = |&cell: &Cell| {
        let live = board.live(attacker, cell);
        VALUES.iter().enumerate().map(|(stones, value)| value * live.of(stones)).sum::<usize>()
    };
    cells.iter().map(of_cell).sum()
}
