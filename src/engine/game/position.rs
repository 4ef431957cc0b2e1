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
    /// A move with a score.
    pub fn new(m: Move, score: i32) -> Scored {
        Scored { m, score }
    }
}

/// A move list with capacity for the largest board.
pub type MoveList = ArrayVec<Scored, { MAX_SIDE * MAX_SIDE }>;

/// What the opponent threatens.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreatLevel {
    /// No threat known that must be answered.
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
    /// All moves that are not in [`GenType::Main`].
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

/// Number of grades of what a move denies the opponent.
pub const DENIED_SHAPES: usize = 5;
/// Least grade of a move that counts as a threat: an open three in five in a row. In the
/// other games, whose grades count down from the full line, it is a line that then misses
/// three stones.
pub const THREATENING: usize = grade(Class::Three);
/// Number of shapes of a move; see [`Position::shape`].
pub const SHAPES: usize = GRADES * DENIED_SHAPES;

/// Numbers of empty cells by colour and by the class of a stone of that colour there.
pub type ClassCounts = [[usize; Class::COUNT]; 2];

/// A position on which a game can be replayed.
pub trait Replay: Position {
    /// Places a stone of a colour as a move, whoever is to move; the result is judged.
    fn place(&mut self, cell: Cell, color: Color);
    /// Puts a stone on an empty cell when a position is set up; in five in a row also a
    /// wall. Nothing is captured and no win or foul is judged.
    fn lay(&mut self, cell: Cell, stone: Stone);
    /// What a pass changes besides the side to move, which [`Replay::hand_to`] changes: in
    /// some games a ko ends.
    fn pass(&mut self) {}
    /// Gives the turn to a colour, with this many stones to place.
    fn hand_to(&mut self, color: Color, stones: usize);
    /// Empty cells where the rules let the side to move place a stone, losing moves
    /// included. Meaningless once the game is over.
    fn placements(&self) -> CellSet;
    /// Clears what solvers keep between searches.
    fn forget(&mut self) {}
    /// Numbers of empty cells by colour and class; `None` in games without classes.
    fn class_counts(&self) -> Option<ClassCounts> {
        None
    }
}

/// What every tenth point of strength stands for in a game, 0 to 100 points: heights from 0,
/// the weakest play there is, to 1000. Chosen so that ten points are worth about the same
/// Elo in every game (`benches/journal/strength.md`).
pub type Ladder = [u16; 11];

/// The ladder of games that were not measured: the mean of those that were.
pub(super) const USUAL_LADDER: Ladder = [39, 162, 266, 373, 480, 598, 709, 820, 896, 974, 1000];

/// A position as the search sees it. A ply is one stone; a turn may have several.
pub trait Position: Clone + Send + Sync {
    /// Stones in a turn.
    const TURN: usize = 1;
    /// Whether alpha-beta calls [`Position::solve`] at nodes that begin a turn. The
    /// root and proof-number search call it in all games.
    const SOLVE_IN_TREE: bool = false;
    /// Whether the root checks each new best move for a VCT of the opponent. For rules
    /// where the search often misses one.
    const CHECKS_ROOT_MOVES: bool = false;
    /// Whether [`Position::key_after`] is the key that the position has after the move.
    const KEY_AFTER_IS_EXACT: bool = false;
    /// What the points of limited strength stand for.
    const LADDER: Ladder = USUAL_LADDER;
    /// Whether players may pass instead of a turn; two passes in a row draw. A threat must
    /// then be what wins if the side to move passes.
    const PASSES: bool = false;

    /// Whether the next stone is the first of its turn.
    fn begins_turn(&self) -> bool {
        true
    }
    /// The side to move.
    fn to_move(&self) -> Color;
    /// Hash key of the position, side to move included.
    fn key(&self) -> u64;
    /// Key after a move, for prefetching the table; may be approximate, unless
    /// [`Position::KEY_AFTER_IS_EXACT`].
    fn key_after(&self, m: Move) -> u64;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Places a stone of the side to move; after the last stone of a turn the other side
    /// is to move.
    fn make(&mut self, m: Move);
    /// Unmakes the last move.
    fn unmake(&mut self);
    /// The side to move, which begins a turn, passes. Called only if [`Position::PASSES`].
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
    /// Number of moves that [`Position::moves`] would append.
    fn count_moves(&mut self, gen_type: GenType) -> usize {
        let mut list = MoveList::new();
        self.moves(gen_type, &mut list);
        list.len()
    }
    /// Static verdict: a win or loss proven without search.
    fn verdict(&mut self) -> Verdict;
    /// What the opponent threatens.
    fn threat_level(&mut self) -> ThreatLevel;
    /// Whether the opponent threatens to win in its next turn: whether
    /// [`Position::threat_level`] is [`ThreatLevel::Immediate`], which may be cheaper to
    /// tell than the level.
    fn must_answer_five(&mut self) -> bool {
        self.threat_level() == ThreatLevel::Immediate
    }
    /// Static evaluation for the side to move, in points.
    fn evaluate(&mut self) -> Score;
    /// Policy score of a move; larger is better.
    fn policy_score(&mut self, m: Move) -> i32;
    /// Adds to the scores of moves what the policy says of their places relative to an
    /// earlier move: the opponent's last, or the mover's `own` before it. The default
    /// adds nothing.
    fn add_near(&self, _own: bool, _made: EarlierMove, _moves: &mut MoveList) {}
    /// [`Position::add_near`] for the opponent's last move and the mover's own before it, as
    /// far as they are known.
    fn add_near_both(&self, last: [Option<EarlierMove>; 2], moves: &mut MoveList) {
        for (own, made) in [(false, last[0]), (true, last[1])] {
            if let Some(made) = made {
                self.add_near(own, made, moves);
            }
        }
    }
    /// Adds the output of the policy net to the scores of moves, given the opponent's
    /// last move and the mover's own before it. By default there is no net.
    fn add_policy(&mut self, _last: [Option<EarlierMove>; 2], _moves: &mut MoveList) {}
    /// Class of a move of the side to move.
    fn move_class(&self, m: Move) -> MoveClass;
    /// Shape of a move of the side to move, an index below [`SHAPES`] for histories: the
    /// grade of what it makes times [`DENIED_SHAPES`], plus the grade of what it denies.
    fn shape(&self, m: Move) -> usize;
    /// Searches for a win by forcing moves (VCF): its first move and its length in plies.
    /// The default finds none.
    fn solve(&mut self, _meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        None
    }
    /// Searches for a shortest win by forcing moves: the moves of both sides, with the
    /// longest defence. The default finds none.
    fn shortest(&mut self, _meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        None
    }
    /// Searches for a win by forcing moves that the opponent threatens: its length in
    /// plies, and the relevance zone, all moves that could refute it. Any other move
    /// loses in that number of plies plus one. The default finds none.
    fn zone(&mut self, _meter: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        None
    }
    /// The stones on the board from number `first` on, in the order in which they were
    /// placed. The default, for games that do not keep it, is none.
    fn stones_from(&self, _first: usize) -> Vec<Cell> {
        Vec::new()
    }
    /// The last cell played, if any.
    fn last(&self) -> Option<Cell>;
}
