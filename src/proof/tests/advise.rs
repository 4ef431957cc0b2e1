//! Playing by a tree in a limited time.

use std::time::{Duration, Instant};

use super::*;

/// A tree that is slow to answer one of the questions.
struct Slow<'a> {
    proof: &'a Proof,
    asked: usize,
    /// Number of the question that is answered at `until`.
    slow: usize,
    until: Instant,
}

impl Answers for Slow<'_> {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        self.asked += 1;
        if self.asked == self.slow {
            std::thread::sleep(self.until.saturating_duration_since(Instant::now()));
        }
        self.proof.get(canonical)
    }
}

/// The first four of the tree.
const FOUR: Cell = Cell::new(3, 7);

/// Returns a position with two fours of one five each and an open four after them, and its
/// tree.
fn fours() -> (ProofBoard, Proof) {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let black = [(0, 7), (1, 7), (2, 7), (6, 1), (6, 2), (6, 3), (5, 5)];
    let black = black.map(|(x, y)| (Cell::new(x, y), Color::Black));
    let stones = [&[(Cell::new(6, 0), Color::White)], &black[..]].concat();
    let root = Root { stones: stones.clone(), to_move: Color::Black };
    let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
    let mut board = ProofBoard::new(setup);
    stones.into_iter().for_each(|(cell, color)| board.place(cell, color).unwrap());
    let mut line = board.clone();
    let mut know = |line: &ProofBoard, m: Cell| {
        let canonical = line.canonical(&line.keys());
        proof.insert(canonical.key(), line.to_image(&canonical, m));
    };
    for (m, white) in [(FOUR, Cell::new(4, 7)), (Cell::new(6, 4), Cell::new(6, 5))] {
        know(&line, m);
        line.place(m, Color::Black).unwrap();
        line.place(white, Color::White).unwrap();
    }
    know(&line, Cell::new(4, 6));
    (board, proof)
}

/// Returns the advice with an irrelevant white stone on the board, and the number of questions.
/// Question `slow` takes longer than there is time.
fn advice(slow: usize, visits: u64) -> (Option<Cell>, usize) {
    let (mut board, proof) = fours();
    let base = board.keys();
    board.place(Cell::new(13, 3), Color::White).unwrap();
    // Other positions, which are not in the tree.
    let others = (5..14).map(|x| board.toggled(base, Cell::new(x, 14), Color::White));
    let bases: Vec<Keys> = others.chain([base]).collect();
    let until = Instant::now() + Duration::from_millis(if slow > 0 { 60 } else { 60_000 });
    let answers = Slow { proof: &proof, asked: 0, slow, until };
    let mut checker = Checker::new(board.setup(), Color::Black, answers).without_fours();
    checker.board = board;
    checker.until = Some(until);
    let advice = checker.advise(bases, visits);
    (advice.map(|(m, _)| m), checker.answers.asked)
}

#[test]
fn a_check_that_runs_out_of_time_gives_no_advice() {
    let (found, asked) = advice(0, u64::MAX);
    assert_eq!(found, Some(FOUR));
    assert!(asked > 15, "{asked}");
    for slow in 1..=asked {
        let (found, asked) = advice(slow, u64::MAX);
        // Hardly anything is checked after the slow question.
        assert!(found.is_none() || slow + 2 > asked, "{slow} of {asked}: {found:?}");
        assert!(asked <= slow + 2, "{slow}: {asked}");
    }
    // A move whose check takes too many positions is advised, but only in time.
    assert_eq!(advice(0, 1).0, Some(FOUR));
    assert_eq!(advice(11, 1).0, None);
}

#[test]
fn a_move_known_for_all_stones_is_played_however_late() {
    let (board, proof) = fours();
    let until = Instant::now();
    let answers = Slow { proof: &proof, asked: 0, slow: 0, until };
    let mut checker = Checker::new(board.setup(), Color::Black, answers).without_fours();
    checker.board = board;
    checker.until = Some(until);
    assert_eq!(checker.advise([], 0).map(|(m, _)| m), Some(FOUR));
}

/// The first known move used to be advised, whichever move was found to win.
#[test]
fn the_winning_move_of_several_is_advised() {
    let (mut board, mut proof) = fours();
    let base = board.keys();
    let canonical = board.canonical(&base);
    let image = |m| board.to_image(&canonical, m);
    assert!(proof.remove(canonical.key()));
    for m in [Cell::new(12, 12), FOUR] {
        proof.insert(canonical.key(), image(m));
    }
    assert_eq!(proof.get(&canonical).first(), Some(&image(Cell::new(12, 12))));
    board.place(Cell::new(13, 3), Color::White).unwrap();
    let answers = Slow { proof: &proof, asked: 0, slow: 0, until: Instant::now() };
    let mut checker = Checker::new(board.setup(), Color::Black, answers).without_fours();
    checker.board = board;
    assert_eq!(checker.advise([base], u64::MAX).map(|(m, _)| m), Some(FOUR));
}
