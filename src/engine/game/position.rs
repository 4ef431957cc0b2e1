//! The interface between the search and the games: [`Position`], and what moves are
//! to the search.

use arrayvec::ArrayVec;

use crate::eval::near::{GRADES, Made};
use crate::pattern::Class;
use crate::threat::{Meter, Verdict};
use goren_core::rules::Outcome;
use goren_core::types::{Cell, CellSet, Color, MAX_SIDE, Move, Score, Stone};

/// A move with its score for move ordering.
#[derive(Copy, Clone, Debug)]
pub struct Scored {
    /// The move.
    pub m: Move,
    /// The policy score alone.
    pub policy: i16,
    /// The policy score with histories and bonuses; larger first.
    pub score: i32,
}

impl Scored {
    /// A move with a score and no policy score yet.
    pub fn new(m: Move, score: i32) -> Scored {
        Scored { m, policy: 0, score }
    }

    /// Stores the current score as the policy score.
    pub fn set_policy(&mut self) {
        self.policy = self.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
}

/// A move list with capacity for the largest board.
pub type MoveList = ArrayVec<Scored, { MAX_SIDE * MAX_SIDE }>;

/// What threatens the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreatLevel {
    /// No known threat must be answered.
    None,
    /// The opponent threatens to win within a few plies: only defences are searched.
    Threat,
    /// The opponent threatens to win in its next turn, or has a five that wins if it
    /// lasts.
    Immediate,
}

/// Which moves to generate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GenType {
    /// The moves the search tries first; under a threat, all defences.
    Main,
    /// Fours: moves that force an answer.
    Fours,
    /// Moves that statically threaten to win, [`GenType::Fours`] included.
    Threats,
    /// [`GenType::Threats`] and slower threats.
    Attacks,
    /// [`GenType::Fours`] that make another threat.
    StrongFours,
    /// All legal moves that are not in [`GenType::Main`].
    Rest,
}

/// Class of a move, for pruning and reductions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveClass {
    /// Neither threatens nor stops a threat.
    Quiet,
    /// Makes or stops something that could become a threat.
    Active,
    /// Makes a threat, or stops one.
    Threat,
    /// A plain four: forces an answer at once.
    Four,
    /// Forces an answer at once and makes another threat.
    StrongFour,
}

/// Grades of what a move denies the opponent.
pub const DENIED_SHAPES: usize = 5;
/// What a move makes, from this grade on, is a threat: three in a row or more.
pub const THREATENING: usize = 3;
/// Number of shapes of moves; see [`Position::shape`].
pub const SHAPES: usize = GRADES * DENIED_SHAPES;

/// Numbers of cells by the colour of a stone there and its class.
pub type ClassCounts = [[usize; Class::COUNT]; 2];

/// A position that a game can be replayed on.
pub trait Replay: Position {
    /// Places a stone of a colour, whoever is to move.
    fn place(&mut self, cell: Cell, color: Color);
    /// Puts a stone of a position whose moves are not known on an empty cell, or a wall
    /// in a game that has such: nothing comes of it.
    fn lay(&mut self, cell: Cell, stone: Stone);
    /// A turn is passed.
    fn pass(&mut self) {}
    /// Gives the turn to a colour, with so many stones to place.
    fn hand_to(&mut self, color: Color, stones: usize);
    /// Where the rules let the side to move place a stone, whatever comes of
    /// it; not for games that are over.
    fn placements(&self) -> CellSet;
    /// Clears what is kept from earlier searches.
    fn forget(&mut self) {}
    /// How many empty cells would make a stone of each class, by colour; `None` in games
    /// without classes.
    fn class_counts(&self) -> Option<ClassCounts> {
        None
    }
}

/// A position as the search sees it. A ply is one stone; a turn may have more.
pub trait Position: Clone + Send + Sync {
    /// Stones of a turn.
    const TURN: usize = 1;
    /// Whether [`Position::solve`] is asked wherever a turn begins, and not at
    /// the root alone.
    const SOLVES: bool = false;
    /// Whether the root checks a new best move against VCTs of the opponent, for
    /// rules where scores often miss them.
    const CHECKS_ROOT_MOVES: bool = false;

    /// Whether the next stone is the first of its turn.
    fn begins_turn(&self) -> bool {
        true
    }
    /// The side to move.
    fn to_move(&self) -> Color;
    /// Key of the position, the side to move included.
    fn key(&self) -> u64;
    /// Key after a move, for prefetching; it may be approximate.
    fn key_after(&self, m: Move) -> u64;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Places a stone of the side to move.
    fn make(&mut self, m: Move);
    /// Takes the last move back.
    fn unmake(&mut self);
    /// Whether the side to move may use a move; a foul is no use. Moves of
    /// [`Position::moves`] must be asked for; others must be on empty cells.
    fn is_legal(&mut self, m: Move) -> bool;
    /// Whether the cell of a move from elsewhere could be played at all.
    fn is_pseudo_legal(&self, m: Move) -> bool;
    /// Appends moves in order of cells, scored by [`Position::policy_score`].
    fn moves(&mut self, gen_type: GenType, out: &mut MoveList);
    /// Static verdict.
    fn verdict(&mut self) -> Verdict;
    /// What threatens the side to move.
    fn threat_level(&mut self) -> ThreatLevel;
    /// Static evaluation for the side to move.
    fn evaluate(&mut self) -> Score;
    /// Policy score of a move; larger is better.
    fn policy_score(&self, m: Move) -> i32;
    /// Adds to the scores of moves what their places say, seen from an earlier
    /// move: the opponent's last, or the mover's `own` before it. By default
    /// nothing is known of that.
    fn add_near(&self, _own: bool, _made: Made, _moves: &mut MoveList) {}
    /// Adds the output of the policy net to the scores of moves, given the
    /// opponent's last move and the mover's own before it. Returns whether there
    /// is a net; by default there is none.
    fn add_policy(&mut self, _last: [Option<Made>; 2], _moves: &mut MoveList) -> bool {
        false
    }
    /// What a move of the side to move does.
    fn move_class(&self, m: Move) -> MoveClass;
    /// What a move of the side to move makes, in [`SHAPES`] /
    /// [`DENIED_SHAPES`] grades, times [`DENIED_SHAPES`], plus what it denies.
    /// For histories.
    fn shape(&self, m: Move) -> usize;
    /// Solver for a win by forcing moves (VCF): its first move and length in plies.
    /// By default it finds none.
    fn solve(&mut self, _meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        None
    }
    /// Solver for a shortest win by forcing moves: the moves of both sides, with the
    /// longest defences. By default it finds none.
    fn shortest(&mut self, _meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        None
    }
    /// Solver for a win by forcing moves that the opponent threatens: its length in
    /// plies, and the relevance zone, the moves that could interfere with it. All
    /// others lose in one ply more.
    fn zone(&mut self, _meter: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        None
    }
    /// The last cell played, if any.
    fn last(&self) -> Option<Cell>;
}
