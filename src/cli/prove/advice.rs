//! Advice: a winning tree about another board or rule, the moves of which are tried first.
//!
//! The other board is aligned with ours so that the opening stones of both trees coincide.
//! A move that wins on a smaller board mostly wins on a larger one, too, where stones of the
//! defender outside the smaller board count as passes. Advice proves nothing: a move is kept
//! only if the checker finds that it wins.

use anyhow::{Result, ensure};

use goren_core::types::{Cell, Color, Stone};
use goren_proof::{Claim, Proof, ProofBoard};

/// A tree and the offset of its board.
pub(crate) struct Advice {
    proof: Proof,
    /// The empty board of the tree, for the keys of its positions.
    empty: ProofBoard,
    /// Columns and rows to add to a cell of its board to get ours.
    offset: (i32, i32),
}

impl Advice {
    /// Creates advice for a claim from a tree.
    ///
    /// # Errors
    /// The tree is about another colour, or its position does not coincide with ours.
    pub(crate) fn new(proof: Proof, claim: &Claim) -> Result<Advice> {
        let other = &proof.claim;
        let (setup, ours) = (other.setup, claim.setup);
        ensure!(other.attacker == claim.attacker, "the tree proves a win of the other colour");
        let (stones, our_stones) = (&other.root.stones, &claim.root.stones);
        let offset = match (stones.first(), our_stones.first()) {
            (Some((theirs, _)), Some((own, _))) => {
                (own.x() as i32 - theirs.x() as i32, own.y() as i32 - theirs.y() as i32)
            }
            // Empty boards: align the centres.
            _ => (
                (ours.width as i32 - setup.width as i32) / 2,
                (ours.height as i32 - setup.height as i32) / 2,
            ),
        };
        let moved = |&(cell, color): &(Cell, Color)| {
            (cell.x() as i32 + offset.0, cell.y() as i32 + offset.1, color)
        };
        let own = |&(cell, color): &(Cell, Color)| (cell.x() as i32, cell.y() as i32, color);
        let coincide = stones.len() == our_stones.len()
            && our_stones.iter().all(|stone| stones.iter().any(|other| moved(other) == own(stone)));
        ensure!(
            coincide && other.root.to_move == claim.root.to_move,
            "the tree is about another position"
        );
        let empty = ProofBoard::new(setup);
        Ok(Advice { proof, empty, offset })
    }

    /// Returns the moves of the tree in a position with the attacker to move, as cells of ours.
    pub(super) fn moves(&self, board: &ProofBoard) -> impl Iterator<Item = Cell> {
        let canonical = self.keys(board).map(|keys| self.empty.canonical(&keys));
        let images = canonical.map(|canonical| (canonical, self.proof.get(&canonical)));
        images.into_iter().flat_map(move |(canonical, moves)| {
            let cell = move |image| self.in_own(self.empty.from_image(&canonical, image), board);
            moves.into_iter().filter_map(cell).collect::<Vec<_>>()
        })
    }

    /// Returns the keys of a position on the other board, if it has all stones of the attacker.
    fn keys(&self, board: &ProofBoard) -> Option<goren_proof::Keys> {
        let attacker = self.proof.claim.attacker;
        let mut keys = self.empty.keys();
        for &(cell, stone) in board.stones() {
            let Stone::Of(color) = stone else { continue };
            match self.in_other(cell) {
                Some(at) => keys = self.empty.toggled(keys, at, color),
                None if color == attacker => return None,
                None => {}
            }
        }
        Some(keys)
    }

    /// Converts a cell of our board to the other board.
    fn in_other(&self, cell: Cell) -> Option<Cell> {
        let at = (cell.x() as i32 - self.offset.0, cell.y() as i32 - self.offset.1);
        on(at, &self.empty)
    }

    /// Converts a cell of the other board to an empty cell of ours.
    fn in_own(&self, cell: Cell, board: &ProofBoard) -> Option<Cell> {
        let at = (cell.x() as i32 + self.offset.0, cell.y() as i32 + self.offset.1);
        on(at, board).filter(|&cell| board.empty().contains(cell))
    }
}

/// Returns the cell in a column and a row, if it is on the board.
fn on((x, y): (i32, i32), board: &ProofBoard) -> Option<Cell> {
    let (width, height) = (board.setup().width as i32, board.setup().height as i32);
    let inside = (0..width).contains(&x) && (0..height).contains(&y);
    inside.then(|| Cell::new(x as usize, y as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_proof::Root;

    fn claim(rule: RuleId, size: usize, first: (usize, usize)) -> Claim {
        let stones = vec![(Cell::new(first.0, first.1), Color::Black)];
        let setup = Setup::new(rule, size, size).unwrap();
        Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::White } }
    }

    fn board(claim: &Claim, white: &[(usize, usize)]) -> ProofBoard {
        let mut board = ProofBoard::new(claim.setup);
        for &(cell, color) in &claim.root.stones {
            board.place(cell, color).unwrap();
        }
        for &(x, y) in white {
            board.place(Cell::new(x, y), Color::White).unwrap();
        }
        board
    }

    /// Returns a tree on 9x9 that answers White's (3, 2) by (4, 5), and a pass by (5, 5).
    fn tree() -> Proof {
        let small = claim(RuleId::Standard, 9, (4, 4));
        let mut proof = Proof::new(small.clone());
        for (white, m) in [(&[(3, 2)][..], (4, 5)), (&[], (5, 5))] {
            let board = board(&small, white);
            let canonical = board.canonical(&board.keys());
            let image = board.to_image(&canonical, Cell::new(m.0, m.1));
            proof.insert(canonical.key(), image);
        }
        proof
    }

    #[test]
    fn moves_of_a_smaller_board_are_found() {
        let large = claim(RuleId::Caro, 15, (8, 6));
        let advice = Advice::new(tree(), &large).unwrap();
        let moves = |white: &[(usize, usize)]| {
            advice.moves(&board(&large, white)).map(|m| (m.x(), m.y())).collect::<Vec<_>>()
        };
        assert_eq!(moves(&[(7, 4)]), [(8, 7)]);
        // A mirror image, and stones outside the smaller board, which count as passes.
        assert_eq!(moves(&[(9, 4)]), [(8, 7)]);
        assert_eq!(moves(&[(0, 0)]), moves(&[]));
        assert_eq!(moves(&[(0, 0)]).len(), 1);
        assert_eq!(moves(&[(7, 4), (14, 14)]), [(8, 7)]);
        // No known move; then a stone of the attacker outside the smaller board.
        assert!(moves(&[(10, 6)]).is_empty());
        let mut other = board(&large, &[(0, 1)]);
        other.place(Cell::new(0, 0), Color::Black).unwrap();
        assert_eq!(advice.moves(&other).count(), 0);
    }

    #[test]
    fn moves_of_a_larger_board_must_be_on_ours() {
        let large = claim(RuleId::Freestyle, 15, (7, 7));
        let mut proof = Proof::new(large.clone());
        let seen = board(&large, &[]);
        let canonical = seen.canonical(&seen.keys());
        proof.insert(canonical.key(), seen.to_image(&canonical, Cell::new(7, 1)));
        let small = claim(RuleId::Freestyle, 9, (4, 4));
        let advice = Advice::new(proof, &small).unwrap();
        // Some image of the move might be on our board, but none is.
        assert_eq!(advice.moves(&board(&small, &[])).count(), 0);
    }

    #[test]
    fn trees_about_something_else_are_refused() {
        let refused = |claim: &Claim| Advice::new(tree(), claim).err().map(|e| e.to_string());
        let ours = claim(RuleId::Standard, 15, (7, 7));
        assert_eq!(refused(&ours), None);
        let white = Claim { attacker: Color::White, ..ours.clone() };
        assert!(refused(&white).unwrap().contains("other colour"));
        let mut later = ours.clone();
        later.root.to_move = Color::Black;
        assert!(refused(&later).unwrap().contains("another position"));
        let mut more = ours.clone();
        more.root.stones.push((Cell::new(0, 0), Color::White));
        assert!(refused(&more).unwrap().contains("another position"));
        let mut empty = ours;
        empty.root.stones.clear();
        assert!(refused(&empty).unwrap().contains("another position"));
    }
}
