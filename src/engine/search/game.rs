//! What a session knows of a game: one object per variant behind one trait.

use std::time::{Duration, Instant};

use super::control::Control;
use super::params::Params;
use super::time::Clock;
use crate::pattern::Class;
use goren_core::rules::{Outcome, Setup};

use crate::tt::Table;
pub use goren_core::rules::referee::{IllegalMove, Impossible};
use goren_core::types::{Cell, CellSet, Color, Move, PROVEN, Score, Stone};

/// What a search may not play, because somebody said so. Nothing is proven by
/// threats alone then; but a threat is met even if it may not be carried out.
#[derive(Clone, Default, Debug)]
pub struct Bans {
    /// First moves.
    pub here: Vec<Cell>,
    /// Cells, by the colour that may not play there.
    pub cells: [CellSet; 2],
    /// Moves from the position on, the last of which may not be played where
    /// those before it lead.
    pub lines: Vec<Vec<Cell>>,
}

/// What is said to be proven of a position below the one that is searched. The
/// search takes it for true; but what the board shows at a glance goes before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The moves that lead there.
    pub path: Vec<Cell>,
    /// Score for the side to move there; beyond [`goren_core::types::PROVEN`].
    pub score: Score,
}

/// What bounds a search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Time rules; they count from `started`.
    pub clock: Clock,
    /// When the command to think arrived.
    pub started: Instant,
    /// Deepest iteration.
    pub max_depth: Option<u32>,
    /// Nodes over all threads; exact on one thread.
    pub max_nodes: Option<u64>,
    /// Search threads, at least 1.
    pub threads: usize,
    /// Restricts the search to these first moves, unless empty.
    pub root_moves: Vec<Cell>,
    /// What it may not play.
    pub bans: Bans,
    /// What it need not search. Unused where cells or lines are banned: what is
    /// proven with them is not without.
    pub known: Vec<Known>,
    /// Best first moves to tell a line of, at least 1.
    pub multi_pv: usize,
    /// Whether to tell of every first move whether it is known to lose.
    pub defend: bool,
    /// Whether nothing but the move is asked for: under a clock the only move
    /// there is to play comes after a brief look then, and the score is that of
    /// the look ([`Basis::Brief`]). Whoever uses the score leaves it false.
    pub move_only: bool,
}

impl Default for Limits {
    /// One line on one thread, from now on and without an end.
    fn default() -> Limits {
        Limits {
            clock: Clock::UNLIMITED,
            started: Instant::now(),
            max_depth: None,
            max_nodes: None,
            threads: 1,
            root_moves: Vec::new(),
            bans: Bans::default(),
            known: Vec::new(),
            multi_pv: 1,
            defend: false,
            move_only: false,
        }
    }
}

/// What a search tells while it runs.
#[derive(Clone, PartialEq, Debug)]
pub enum Report {
    /// A line, after an iteration. Where several are wanted they come
    /// together, the best first.
    Line(Info),
    /// Where it is at the root.
    Root(RootEvent),
}

impl Report {
    /// The best line, if it is that.
    pub fn best_line(&self) -> Option<&Info> {
        match self {
            Report::Line(info) if info.pv_index == 0 => Some(info),
            _ => None,
        }
    }
}

/// What happens to a first move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RootEvent {
    /// It is being searched.
    Begun(Cell),
    /// It has been searched.
    Done(Cell),
    /// It is the best of this iteration so far.
    Best(Cell),
    /// It is known to lose.
    Lost(Cell),
}

/// What a score rests on. One that is proven holds whatever this says.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Basis {
    /// The evaluation of the position as it stands: nothing was searched.
    Static,
    /// A look of a few milliseconds at the only move there was to play.
    Brief,
    /// A search, as long as its limits allowed.
    Search,
}

/// What a search knows after an iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u32,
    /// Deepest ply seen.
    pub seldepth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// What the score rests on.
    pub basis: Basis,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Time since the search was asked for.
    pub elapsed: Duration,
    /// The line.
    pub pv: Vec<Move>,
    /// Lines that are better than this one.
    pub pv_index: usize,
    /// Lines told of in this iteration.
    pub pv_count: usize,
}

impl Info {
    /// What is known before any search: nothing.
    pub const NOTHING: Info = Info {
        depth: 0,
        seldepth: 0,
        score: 0,
        basis: Basis::Static,
        nodes: 0,
        elapsed: Duration::ZERO,
        pv: Vec::new(),
        pv_index: 0,
        pv_count: 1,
    };

    /// Whether the score is proven.
    pub fn is_proven(&self) -> bool {
        self.score.abs() >= PROVEN
    }

    /// The score, if it is one to decide by: that of a search, or proven.
    pub fn searched(&self) -> Option<Score> {
        (self.basis == Basis::Search || self.is_proven()).then_some(self.score)
    }
}

/// What a search decides.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The move to play. [`Move::NONE`] only on a full board or in a game
    /// that is over.
    pub best: Move,
    /// The state of the search when it ended.
    pub info: Info,
}

/// What the evaluation sees of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Features {
    /// Points for the side to move, without any search.
    pub score: Score,
    /// How many empty cells would make a stone of each class, by colour.
    pub cells: [[usize; Class::COUNT]; 2],
}

/// A game in progress.
pub trait Game: Send {
    /// The variant and the board.
    fn setup(&self) -> Setup;
    /// Who places the next stone.
    fn to_move(&self) -> Color;
    /// Stones on the board in the order they were placed.
    fn stones(&self) -> Vec<(Cell, Stone)>;
    /// How the game ended, if it has. A black foul ends it too.
    fn outcome(&self) -> Option<Outcome>;
    /// Places a stone of the side to move. Fouls are allowed and end the game.
    ///
    /// # Errors
    /// The point is outside or occupied, or the game is over; nothing changes.
    fn play(&mut self, cell: Cell) -> Result<(), IllegalMove>;
    /// Takes the newest stone back; `None` on an empty board.
    fn take_back(&mut self) -> Option<Cell>;
    /// Replaces the position by `stones` with `to_move` to move. Colours need not
    /// alternate, and no stone is judged by its place in the list: see
    /// [`Referee::laid`](goren_core::rules::referee::Referee::laid). Where a row ends
    /// the game, a stone of it becomes the newest.
    ///
    /// # Errors
    /// A stone outside or on an occupied point, or why no game leads to them; the
    /// position before stays.
    fn set_up(&mut self, stones: &[(Cell, Stone)], to_move: Color) -> Result<(), Impossible>;
    /// Points where Black, were it his move, would commit a foul, in order.
    fn forbidden(&mut self) -> Vec<Cell>;
    /// The score for the side to move, if the board shows a proven result
    /// without any search.
    fn verdict(&mut self) -> Option<Score>;
    /// What the evaluation sees.
    fn features(&mut self) -> Features;
    /// Finds a move for the side to move. Reports as it goes.
    fn think(
        &mut self,
        table: &Table,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Answer;
    /// Searches a little, until some time at the latest, so that what searches
    /// need is at hand when their time counts. Nothing changes by it, but what
    /// was learnt from earlier searches is forgotten.
    fn rehearse(&mut self, until: Instant);
    /// Searches by other numbers from now on.
    fn tune(&mut self, params: &Params);
    /// Forgets what was learnt from earlier searches (not the table).
    fn forget(&mut self);
}
