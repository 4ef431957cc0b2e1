//! All that the search knows of a game: the [`Position`] trait, and the
//! families that implement it.
//!
//! Everything behind the trait is monomorphised. `GenType::Main` always contains
//! an immediate win, as the root asks for no static verdict.

mod connect6;
mod five;
mod four_in_a_row;
mod inspect;
mod irensei;
mod lines;
mod pente;
mod tupled;

use arrayvec::ArrayVec;

use crate::eval::near::{GRADES, Made};
use crate::threat::{Meter, Verdict};
use goren_core::rules::Outcome;
use goren_core::types::{Cell, CellSet, Color, MAX_SIDE, Move, Score};

pub use connect6::Connect6;
pub use five::Five;
pub use four_in_a_row::FourInARow;
pub use inspect::Inspect;
pub use irensei::Irensei;
pub use pente::Pente;
pub use tupled::{GameVisitor, Tupled, with_game};

/// A move with its worth for the ordering.
#[derive(Copy, Clone, Debug)]
pub struct Scored {
    /// The move.
    pub m: Move,
    /// The policy score, which no search has changed.
    pub policy: i16,
    /// The policy score with histories and bonuses; larger first.
    pub score: i32,
}

impl Scored {
    /// A move of which nothing but its score is known.
    pub fn new(m: Move, score: i32) -> Scored {
        Scored { m, policy: 0, score }
    }

    /// Takes the score as it is for the policy score.
    pub fn set_policy(&mut self) {
        self.policy = self.score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
}

/// A list of moves with room for every cell of the largest board.
pub type MoveList = ArrayVec<Scored, { MAX_SIDE * MAX_SIDE }>;

/// How hard the side to move is pressed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreatLevel {
    /// No threat is known that must be answered.
    None,
    /// Unless something is done the enemy wins soon: only some moves will do.
    Threat,
    /// The enemy wins with his next stone, or with his next turn where a turn
    /// has more, or has a five that only has to last.
    Immediate,
}

/// Which moves are asked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GenType {
    /// All that are worth a search; under [`ThreatLevel`] those that meet it.
    Main,
    /// Those that force the enemy's answer.
    Fours,
    /// Those that threaten to win unless they are answered, as far as a glance
    /// shows; all of [`GenType::Fours`] are among them.
    Threats,
    /// Those of [`GenType::Threats`], and those that may threaten more slowly.
    Attacks,
    /// Those of [`GenType::Fours`] that make more besides.
    StrongFours,
    /// All legal placements that [`GenType::Main`] leaves out.
    Rest,
}

/// What a move does, for pruning and reductions.
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

/// What is told apart of a move by what it denies the enemy.
pub const DENIED_SHAPES: usize = 5;
/// What a move makes, from this grade on, is a threat: three in a row or more.
pub const THREATENING: usize = 3;
/// Number of shapes of moves; see [`Position::shape`].
pub const SHAPES: usize = GRADES * DENIED_SHAPES;

/// A position that a game can be replayed on.
pub trait Replay: Position {
    /// Places a stone of a colour, whoever is to move.
    fn place(&mut self, cell: Cell, color: Color);
    /// Puts a stone of a position whose moves are not known on an empty cell:
    /// nothing comes of it.
    fn lay(&mut self, cell: Cell, color: Color);
    /// Nobody placed anything for a turn.
    fn pass(&mut self) {}
    /// A colour is to move now, with so many stones to place in a new turn.
    fn hand_to(&mut self, color: Color, stones: usize);
    /// Where the rules let the side to move place a stone, whatever comes of
    /// it; not for games that are over.
    fn placements(&self) -> CellSet;
    /// Forgets what was learnt from earlier searches.
    fn forget(&mut self) {}
}

/// A position as the search sees it. A ply is one stone; a turn may have more.
pub trait Position: Clone + Send + Sync {
    /// Stones of a turn.
    const TURN: usize = 1;
    /// Whether [`Position::solve`] is asked wherever a turn begins, and not at
    /// the root alone.
    const SOLVES: bool = false;
    /// Whether a first move that is about to become the best is tried against
    /// the enemy's threats first: where scores are often wrong about them.
    const CHECKS_ROOT_MOVES: bool = false;

    /// Whether the next stone is the first of its turn.
    fn begins_turn(&self) -> bool {
        true
    }
    /// Who places the next stone.
    fn to_move(&self) -> Color;
    /// Key of the position, the side to move included.
    fn key(&self) -> u64;
    /// Key after a move, exact enough to fetch memory by.
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
    /// What is proven without a search.
    fn verdict(&mut self) -> Verdict;
    /// What the side to move has to answer.
    fn threat_level(&mut self) -> ThreatLevel;
    /// Points for the side to move.
    fn evaluate(&mut self) -> Score;
    /// How good a move looks; larger first.
    fn policy_score(&self, m: Move) -> i32;
    /// Adds to the scores of moves what their places say, seen from an earlier
    /// move: the enemy's last, or the mover's `own` before it. By default
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
    /// Looks for a win by forcing moves alone: its first move and length in
    /// plies. By default none is known.
    fn solve(&mut self, _meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        None
    }
    /// Looks for a shortest win by forcing moves alone: its moves, both sides'
    /// in turn, the answers being those that hold out longest. By default none
    /// is known.
    fn shortest(&mut self, _meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        None
    }
    /// Looks for the win by forcing moves alone that the enemy has if the side
    /// to move does nothing: its length in plies, and the moves that may do
    /// something about it. All others lose in one ply more.
    fn zone(&mut self, _meter: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        None
    }
    /// The last cell played, if any.
    fn last(&self) -> Option<Cell>;
}
