//! Games small enough for exhaustive search: n in a row on a few cells, with one
//! stone a turn or more.

use goren_core::rules::Outcome;
use goren_core::types::keys::{mix, stone};
use goren_core::types::{Cell, CellSet, Color, Move, Score, Stone};
use goren_engine::game::{GenType, MoveClass, MoveList, Position, SHAPES, Scored, ThreatLevel};
use goren_engine::threat::{Meter, Verdict};

/// What the toy gives the search beyond its rules.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Hints {
    /// Nothing; every move is forcing, so none is reduced or left out.
    None,
    /// Nothing; every move is quiet.
    Quiet,
    /// Verdicts for an immediate win and for a loss to two threats; under a threat
    /// only its answers are main moves; moves are of all classes.
    Threats,
    /// Only some moves are main moves; moves are of all classes.
    Few,
}

/// A small game.
#[derive(Copy, Clone, Debug)]
pub struct Rules {
    pub width: usize,
    pub height: usize,
    /// Stones in a row that win.
    pub row: u32,
    /// Stones of the first turn and of all later turns.
    pub turn: [usize; 2],
    pub hints: Hints,
}

/// A position of a small game, with a bit for each cell.
#[derive(Clone)]
pub struct Toy {
    pub rules: Rules,
    stones: [u32; 2],
    history: Vec<usize>,
    winner: Option<Color>,
}

impl Toy {
    pub fn new(rules: Rules) -> Toy {
        Toy { rules, stones: [0; 2], history: Vec::new(), winner: None }
    }

    fn cells(&self) -> usize {
        self.rules.width * self.rules.height
    }

    pub fn empties(&self) -> impl Iterator<Item = usize> + use<> {
        let free = !(self.stones[0] | self.stones[1]);
        (0..self.cells()).filter(move |&i| free >> i & 1 != 0)
    }

    /// The stones and the number of stones left in the turn: all that the value depends on.
    pub fn identity(&self) -> ([u32; 2], usize) {
        (self.stones, self.stones_left())
    }

    fn cell(&self, i: usize) -> Cell {
        Cell::new(i % self.rules.width, i / self.rules.width)
    }

    fn index(&self, m: Move) -> usize {
        m.cell().y() * self.rules.width + m.cell().x()
    }

    /// Number of finished turns, and stones left in the current one.
    fn turn(&self) -> (usize, usize) {
        let [first, then] = self.rules.turn;
        let placed = self.history.len();
        if placed < first {
            (0, first - placed)
        } else {
            (1 + (placed - first) / then, then - (placed - first) % then)
        }
    }

    pub fn stones_left(&self) -> usize {
        self.turn().1
    }

    fn wins(&self, color: Color, i: usize) -> bool {
        let own = self.stones[color.index()];
        let (w, h) = (self.rules.width as i32, self.rules.height as i32);
        let (x, y) = (i as i32 % w, i as i32 / w);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let count = |sign: i32| {
                (1..)
                    .map(|n| (x + sign * n * dx, y + sign * n * dy))
                    .take_while(|&(x, y)| (0..w).contains(&x) && (0..h).contains(&y))
                    .take_while(|&(x, y)| own >> (y * w + x) & 1 != 0)
                    .count() as u32
            };
            1 + count(1) + count(-1) >= self.rules.row
        })
    }

    /// Cells where a colour completes a row.
    fn winning(&self, color: Color) -> Vec<usize> {
        self.empties().filter(|&i| self.wins(color, i)).collect()
    }

    pub fn play(&mut self, i: usize) {
        let m = Move::at(self.cell(i));
        self.make(m);
    }

    /// Cells where the opponent threatens to win, in games of one stone a turn.
    fn threats(&self) -> Vec<usize> {
        if self.rules.turn == [1, 1] { self.winning(!self.to_move()) } else { Vec::new() }
    }
}

impl Position for Toy {
    const CHECKS_ROOT_MOVES: bool = true;

    fn to_move(&self) -> Color {
        Color::ALL[self.turn().0 % 2]
    }

    fn key(&self) -> u64 {
        let all = Color::ALL.into_iter().flat_map(|color| {
            let own = self.stones[color.index()];
            (0..self.cells())
                .filter(move |&i| own >> i & 1 != 0)
                .map(move |i| stone(Stone::Of(color), self.cell(i)))
        });
        // The turn follows from the number of stones.
        all.fold(mix(self.rules.row.into()), |key, stone| key ^ stone)
    }

    fn key_after(&self, m: Move) -> u64 {
        self.key() ^ stone(Stone::Of(self.to_move()), m.cell())
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(color) => Some(Outcome::Win(color)),
            None => (self.history.len() == self.cells()).then_some(Outcome::Draw),
        }
    }

    fn make(&mut self, m: Move) {
        let (color, i) = (self.to_move(), self.index(m));
        if self.wins(color, i) {
            self.winner = Some(color);
        }
        self.stones[color.index()] |= 1 << i;
        self.history.push(i);
    }

    fn unmake(&mut self) {
        let i = self.history.pop().expect("a move to take back");
        self.stones[self.to_move().index()] &= !(1 << i);
        self.winner = None;
    }

    fn is_legal(&mut self, _: Move) -> bool {
        true
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        let (x, y) = (m.cell().x(), m.cell().y());
        x < self.rules.width && y < self.rules.height && {
            let i = self.index(m);
            self.empties().any(|e| e == i)
        }
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        let few = |&i: &usize| mix(i as u64 + 41).is_multiple_of(3);
        let main: Vec<usize> = match self.rules.hints {
            Hints::None | Hints::Quiet => self.empties().collect(),
            Hints::Few => self.empties().filter(few).collect(),
            Hints::Threats => {
                let lists = [self.winning(self.to_move()), self.threats()];
                let forced = lists.into_iter().find(|list| !list.is_empty());
                forced.unwrap_or_else(|| self.empties().collect())
            }
        };
        let list: Vec<usize> = match gen_type {
            GenType::Main => main,
            GenType::Rest => self.empties().filter(|i| !main.contains(i)).collect(),
            GenType::Fours | GenType::StrongFours | GenType::Threats | GenType::Attacks
                if self.rules.hints == Hints::Threats =>
            {
                self.winning(self.to_move())
            }
            _ => Vec::new(),
        };
        for i in list {
            let m = Move::at(self.cell(i));
            out.push(Scored::new(m, self.policy_score(m)));
        }
    }

    fn verdict(&mut self) -> Verdict {
        if self.rules.hints != Hints::Threats {
            return Verdict::Unknown;
        }
        if !self.winning(self.to_move()).is_empty() {
            return Verdict::Win(1);
        }
        if self.threats().len() > 1 { Verdict::Loss(2) } else { Verdict::Unknown }
    }

    fn threat_level(&mut self) -> ThreatLevel {
        let is_threatened = self.rules.hints == Hints::Threats && !self.threats().is_empty();
        if is_threatened { ThreatLevel::Immediate } else { ThreatLevel::None }
    }

    /// Noise: no result may depend on it.
    fn evaluate(&mut self) -> Score {
        (mix(self.key() ^ 5) % 2001) as Score - 1000
    }

    fn shape(&self, m: Move) -> usize {
        mix(m.cell().index() as u64 + 29) as usize % SHAPES
    }

    fn policy_score(&mut self, m: Move) -> i32 {
        (mix(m.cell().index() as u64 + 17) % 500) as i32
    }

    fn move_class(&self, m: Move) -> MoveClass {
        match self.rules.hints {
            Hints::None => MoveClass::Four,
            Hints::Quiet => MoveClass::Quiet,
            Hints::Threats | Hints::Few => match mix(m.cell().index() as u64 + 3) % 4 {
                0 => MoveClass::Quiet,
                1 => MoveClass::Active,
                2 => MoveClass::Threat,
                _ => MoveClass::Four,
            },
        }
    }

    fn solve(&mut self, _: &mut Meter<'_>) -> Option<(Move, usize)> {
        None
    }

    fn zone(&mut self, _: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        let opponent =
            if self.rules.turn == [1, 1] { self.winning(!self.to_move()) } else { vec![] };
        if opponent.is_empty() {
            return None;
        }
        let own = self.winning(self.to_move());
        Some((1, opponent.into_iter().chain(own).map(|i| self.cell(i)).collect()))
    }

    fn last(&self) -> Option<Cell> {
        self.history.last().map(|&i| self.cell(i))
    }
}
