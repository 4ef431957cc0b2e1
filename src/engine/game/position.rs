//! The interface between the search and the games: the trait [`Position`] and the types
//! of moves.

use arrayvec::ArrayVec;

use crate::eval::near::{EarlierMove, GRADES, grade};
use crate::pattern::Class;
use crate::threat::{Meter, Verdict};
use goren_core::rules::Outcome;
use goren_core::types::{Cell, CellSet, Color, MAX_SIDE, Move, Score, Stone};

/// A move with its scores for ordering.
#[derive(Copy, Clone, Debug)]
pub struct Scored {
    /// The move.
    pub m: Move,
    /// The policy score plus histories and bonuses; larger is searched first.
    pub score: i32,
}

impl Scored {
    /// Creates a move with a score.
    pub fn new(m: Move, score: i32) -> Scored {
        Scored { m, score }
    }
}

/// A move list with capacity for the largest board.
pub type MoveList = ArrayVec<Scored, { MAX_SIDE * MAX_SIDE }>;

/// What the opponent threatens.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreatLevel {
    /// No known threat that must be answered.
    None,
    /// The opponent threatens to win within a few plies: only defences are searched.
    Threat,
    /// The opponent threatens to win in its next turn, or has a five that wins unless it
    /// is broken now (Pente with overtime).
    Immediate,
}

/// Which moves to generate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GenType {
    /// The moves searched first; under a threat, all defences.
    Main,
    /// Fours: moves that force an answer.
    Fours,
    /// Moves that threaten to win: [`GenType::Fours`] and, in five in a row, open threes.
    Threats,
    /// [`GenType::Threats`] and moves that prepare them.
    Attacks,
    /// [`GenType::Fours`] that make another threat as well.
    StrongFours,
    /// All moves not in [`GenType::Main`].
    Rest,
}

/// Class of a move, for pruning and reductions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MoveClass {
    /// Neither threatens nor stops a threat.
    Quiet,
    /// Makes or stops something that may become a threat.
    Active,
    /// Makes or stops a threat, but forces no answer at once.
    Threat,
    /// A plain four: forces an answer and makes no other threat.
    Four,
    /// A strong four: forces an answer and makes another threat.
    StrongFour,
}

/// Number of grades of the opponent's stone that a move denies.
pub const DENIED_SHAPES: usize = 5;
/// Lowest grade of a move that counts as a threat: an open three in five in a row. In the
/// other games, whose grades count down from the full line, a line that misses three stones
/// after the move.
pub const THREATENING: usize = grade(Class::Three);
/// Number of shapes of a move; see [`Position::shape`].
pub const SHAPES: usize = GRADES * DENIED_SHAPES;

/// Numbers of empty cells by colour and by the class of a stone of that colour there.
pub type ClassCounts = [[usize; Class::COUNT]; 2];

/// A position on which a game can be replayed.
pub trait Replay: Position {
    /// Places a stone of a colour as a move, whichever side is to move, and judges the result.
    fn place(&mut self, cell: Cell, color: Color);
    /// Puts a stone, or in five in a row a wall, on an empty cell to set up a position.
    /// Captures nothing and judges neither wins nor fouls.
    fn set_up_stone(&mut self, cell: Cell, stone: Stone);
    /// Applies the effects of a pass besides the change of the side to move (see
    /// [`Replay::hand_to`]): in some games a ko ends.
    fn pass(&mut self) {}
    /// Gives the turn to a colour, with this many stones to place.
    fn hand_to(&mut self, color: Color, stones: usize);
    /// Returns the empty cells where the rules allow a stone of the side to move, including
    /// losing moves. Meaningless once the game is over.
    fn placements(&self) -> CellSet;
    /// Clears the state that solvers keep between searches.
    fn forget(&mut self) {}
    /// Counts the empty cells by colour and class; `None` in games without classes.
    fn class_counts(&self) -> Option<ClassCounts> {
        None
    }
}

/// The strength ladder of a game: for every tenth of the 0 to 100 strength points a height
/// from 0, the weakest possible play, to 1000. Chosen so that ten points are worth about the
/// same Elo in every game (`benches/journal/strength.md`).
pub type Ladder = [u16; 11];

/// The ladder of games that were not measured: the mean of the measured ones.
pub(super) const USUAL_LADDER: Ladder = [39, 162, 266, 373, 480, 598, 709, 820, 896, 974, 1000];

/// A position as the search sees it. A ply is one stone; a turn may have several.
pub trait Position: Clone + Send + Sync {
    /// Number of stones in a turn.
    const TURN: usize = 1;
    /// Whether alpha-beta calls [`Position::solve`] at nodes that begin a turn. The
    /// root and proof-number search call it in all games.
    const SOLVE_IN_TREE: bool = false;
    /// Whether the root checks each new best move for a VCT of the opponent. For rules
    /// under which the search often misses a VCT.
    const CHECKS_ROOT_MOVES: bool = false;
    /// Whether [`Position::key_after`] returns the exact key after the move.
    const KEY_AFTER_IS_EXACT: bool = false;
    /// The ladder of limited strength.
    const LADDER: Ladder = USUAL_LADDER;
    /// Whether players may pass instead of a turn; two passes in a row draw. Every threat must
    /// then win if the side to move passes.
    const PASSES: bool = false;

    /// Whether the next stone is the first of its turn.
    fn begins_turn(&self) -> bool {
        true
    }
    /// Returns the side to move.
    fn to_move(&self) -> Color;
    /// Returns the hash key of the position, including the side to move.
    fn key(&self) -> u64;
    /// Returns the key after a move, for prefetching the table; may be approximate, unless
    /// [`Position::KEY_AFTER_IS_EXACT`].
    fn key_after(&self, m: Move) -> u64;
    /// Returns the result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Places a stone of the side to move; after the last stone of a turn the other side
    /// is to move.
    fn make(&mut self, m: Move);
    /// Unmakes the last move.
    fn unmake(&mut self);
    /// Passes for the side to move, which must begin a turn. Called only if
    /// [`Position::PASSES`].
    fn make_pass(&mut self) {}
    /// Unmakes a pass, once all moves and passes after it are unmade.
    fn unmake_pass(&mut self) {}
    /// Whether a pseudo-legal move is legal and no foul. [`Position::moves`] does not check
    /// this.
    fn is_legal(&mut self, m: Move) -> bool;
    /// Whether a move from the table or a history is pseudo-legal: its cell is empty, and
    /// the rules allow a stone there. It may still be a foul.
    fn is_pseudo_legal(&self, m: Move) -> bool;
    /// Appends moves in ascending order of cells, scored by [`Position::policy_score`].
    fn moves(&mut self, gen_type: GenType, out: &mut MoveList);
    /// Counts the moves that [`Position::moves`] would append.
    fn count_moves(&mut self, gen_type: GenType) -> usize {
        let mut list = MoveList::new();
        self.moves(gen_type, &mut list);
        list.len()
    }
    /// Returns the static verdict: a win or loss proven without search.
    fn verdict(&mut self) -> Verdict;
    /// Returns the threat level of the opponent.
    fn threat_level(&mut self) -> ThreatLevel;
    /// Whether the opponent threatens to win in its next turn, i.e. whether
    /// [`Position::threat_level`] is [`ThreatLevel::Immediate`]. May be cheaper than the
    /// level.
    fn must_answer_five(&mut self) -> bool {
        self.threat_level() == ThreatLevel::Immediate
    }
    /// Returns the static evaluation for the side to move, in points.
    fn evaluate(&mut self) -> Score;
    /// Returns the policy score of a move; larger is better.
    fn policy_score(&mut self, m: Move) -> i32;
    /// Adds to the scores of moves the policy values of their places relative to an earlier
    /// move: the opponent's last, or the mover's `own` before it. The default adds nothing.
    fn add_near(&self, _own: bool, _earlier: EarlierMove, _moves: &mut MoveList) {}
    /// Applies [`Position::add_near`] for the opponent's last move and the mover's own before
    /// it, as far as these are known.
    fn add_near_both(&self, last: [Option<EarlierMove>; 2], moves: &mut MoveList) {
        for (own, earlier) in [(false, last[0]), (true, last[1])] {
            if let Some(earlier) = earlier {
                self.add_near(own, earlier, moves);
            }
        }
    }
    /// Adds the output of the policy net to the scores of moves, given the opponent's
    /// last move and the mover's own before it. By default there is no net.
    fn add_policy(&mut self, _last: [Option<EarlierMove>; 2], _moves: &mut MoveList) {}
    /// Returns the class of a move of the side to move.
    fn move_class(&self, m: Move) -> MoveClass;
    /// Returns the shape of a move of the side to move, an index below [`SHAPES`] for
    /// histories: the grade of what the move makes times [`DENIED_SHAPES`], plus the grade of
    /// what it denies.
    fn shape(&self, m: Move) -> usize;
    /// Searches for a win by forcing moves (VCF). Returns its first move and its length in
    /// plies. The default finds none.
    fn solve(&mut self, _meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        None
    }
    /// Searches for a shortest win by forcing moves. Returns the moves of both sides, with
    /// the longest defence. The default finds none.
    fn shortest(&mut self, _meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        None
    }
    /// Searches for a win by forcing moves that the opponent threatens. Returns its length in
    /// plies, and the relevance zone, all moves that could refute it. Any other move loses in
    /// that number of plies plus one. The default finds none.
    fn zone(&mut self, _meter: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        None
    }
    /// Returns the stones on the board from number `first` on, in the order in which they
    /// were placed. The default, for games that do not record the order, returns none.
    fn stones_from(&self, _first: usize) -> Vec<Cell> {
        Vec::new()
    }
    /// Returns the last cell played, if any.
    fn last(&self) -> Option<Cell>;
}
