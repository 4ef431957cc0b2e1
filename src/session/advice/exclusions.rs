//! Exclusions set by the user: root moves, sequences of moves, cells of a colour. They
//! last until the user lifts them.

use goren_protocol::Point;

use crate::state::five_position::FivePosition;
use crate::wire::turned;
use goren_core::rules::Setup;
use goren_core::types::{Cell, CellSet, Color, Stone};
use goren_engine::Exclusions;

/// All exclusions set by the user.
#[derive(Clone, Default, Debug)]
pub struct UserExclusions {
    root_moves: Vec<Cell>,
    cells: [CellSet; 2],
    /// Sequences of moves from the empty board.
    paths: Vec<Vec<Cell>>,
}

/// A change of the exclusions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Excludes root moves.
    Block(Vec<Point>),
    /// Lifts exclusions of root moves.
    Unblock(Vec<Point>),
    /// Lifts all exclusions of root moves.
    UnblockAll,
    /// Excludes a sequence of moves, from the empty board.
    BlockPath(Vec<Point>),
    /// Lifts the exclusion of a sequence.
    UnblockPath(Vec<Point>),
    /// Lifts the exclusions of all sequences.
    UnblockAllPaths,
    /// Excludes a cell for a colour, or lifts the exclusion if the first field is false.
    Forbid(bool, Point, Color),
}

impl UserExclusions {
    /// Whether anything is excluded.
    pub fn any(&self) -> bool {
        self.any_root_move() || self.any_path() || self.cells.iter().any(|cells| !cells.is_empty())
    }

    /// Whether root moves are excluded.
    pub fn any_root_move(&self) -> bool {
        !self.root_moves.is_empty()
    }

    /// Whether sequences are excluded.
    pub fn any_path(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Returns the exclusions that apply to a search from a position with `stones`. A sequence
    /// applies if its first moves are the stones, in any order; the search gets its rest.
    fn of(&self, stones: &[(Cell, Stone)]) -> Exclusions {
        let from_here = |path: &Vec<Cell>| {
            let before = path.get(..stones.len())?;
            let colors = [Color::Black, Color::White].into_iter().cycle();
            let fits = before
                .iter()
                .zip(colors)
                .all(|(&cell, color)| stones.contains(&(cell, Stone::Of(color))));
            let rest = &path[stones.len()..];
            (fits && !rest.is_empty()).then(|| rest.to_vec())
        };
        Exclusions {
            root_moves: self.root_moves.clone(),
            cells: self.cells,
            sequences: self.paths.iter().filter_map(from_here).collect(),
        }
    }

    /// Returns the exclusions that apply to a search of a game, without cells off the board,
    /// which may be left from a larger board.
    pub fn of_game(&self, game: &FivePosition) -> Exclusions {
        let mut exclusions = self.of(&game.stones);
        let Setup { width, height, .. } = game.setup;
        let board = CellSet::board(width, height);
        exclusions.root_moves.retain(|&cell| board.contains(cell));
        exclusions.sequences.retain(|sequence| sequence.iter().all(|&cell| board.contains(cell)));
        exclusions.cells = exclusions.cells.map(|cells| cells.intersection(&board));
        exclusions
    }

    /// Exchanges columns and rows of all exclusions.
    pub fn swap_axes(&mut self) {
        let of_paths = self.paths.iter_mut().flatten();
        self.root_moves.iter_mut().chain(of_paths).for_each(|cell| *cell = turned(*cell));
        self.cells = self.cells.map(|cells| cells.iter().map(turned).collect());
    }

    /// Makes a change; `read` converts a point to a cell.
    ///
    /// # Errors
    /// A point off the board; nothing changes.
    pub fn change(
        &mut self,
        change: Change,
        read: &dyn Fn(Point) -> Option<Cell>,
    ) -> Result<(), Point> {
        let cells = |list: &[Point]| -> Result<Vec<Cell>, Point> {
            list.iter().map(|&at| read(at).ok_or(at)).collect()
        };
        match change {
            Change::Block(list) => {
                for cell in cells(&list)? {
                    if !self.root_moves.contains(&cell) {
                        self.root_moves.push(cell);
                    }
                }
            }
            Change::Unblock(list) => {
                let lifted = cells(&list)?;
                self.root_moves.retain(|cell| !lifted.contains(cell));
            }
            Change::UnblockAll => self.root_moves.clear(),
            Change::BlockPath(list) => {
                let path = cells(&list)?;
                if !path.is_empty() && !self.paths.contains(&path) {
                    self.paths.push(path);
                }
            }
            Change::UnblockPath(list) => {
                let lifted = cells(&list)?;
                self.paths.retain(|path| *path != lifted);
            }
            Change::UnblockAllPaths => self.paths.clear(),
            Change::Forbid(add, at, color) => {
                let cell = read(at).ok_or(at)?;
                let cells = &mut self.cells[color.index()];
                if add {
                    cells.insert(cell);
                } else {
                    cells.remove(cell);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(at: Point) -> Option<Cell> {
        let on = (0..15).contains(&at.x) && (0..15).contains(&at.y);
        on.then(|| Cell::new(at.x as usize, at.y as usize))
    }

    fn points(cells: &[(i32, i32)]) -> Vec<Point> {
        cells.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    fn stones(cells: &[(usize, usize)]) -> Vec<(Cell, Stone)> {
        let place = |(i, &(x, y)): (usize, &(usize, usize))| {
            (Cell::new(x, y), Stone::Of(Color::ALL[i % 2]))
        };
        cells.iter().enumerate().map(place).collect()
    }

    #[test]
    fn a_path_applies_if_it_begins_with_the_stones() {
        let mut exclusions = UserExclusions::default();
        let path = points(&[(7, 7), (8, 8), (6, 6), (5, 5)]);
        exclusions.change(Change::BlockPath(path.clone()), &read).unwrap();
        let rest = |cells: &[(usize, usize)]| exclusions.of(&stones(cells)).sequences;
        assert_eq!(rest(&[]).len(), 1);
        assert_eq!(rest(&[(7, 7), (8, 8)]), [[Cell::new(6, 6), Cell::new(5, 5)]]);
        assert_eq!(rest(&[(6, 6), (8, 8), (7, 7)]), [[Cell::new(5, 5)]]);
        // Stones of another colour, another stone, and the whole sequence.
        assert!(rest(&[(8, 8), (7, 7)]).is_empty() && rest(&[(7, 7), (0, 0)]).is_empty());
        assert!(rest(&[(7, 7), (8, 8), (6, 6), (5, 5)]).is_empty());
        exclusions.change(Change::UnblockPath(path), &read).unwrap();
        assert!(!exclusions.any());
    }

    #[test]
    fn exclusions_are_added_lifted_and_turned() {
        let mut exclusions = UserExclusions::default();
        let mut change = |change| exclusions.change(change, &read).map(|()| exclusions.of(&[]));
        let two = points(&[(1, 2), (3, 4)]);
        assert_eq!(change(Change::Block(two.clone())).unwrap().root_moves.len(), 2);
        assert_eq!(change(Change::Block(two)).unwrap().root_moves.len(), 2);
        let left = change(Change::Unblock(points(&[(1, 2)]))).unwrap();
        assert_eq!(left.root_moves, [Cell::new(3, 4)]);
        let off = Point::new(15, 0);
        assert_eq!(change(Change::Block(vec![Point::new(9, 9), off])).unwrap_err(), off);
        assert!(change(Change::UnblockAll).unwrap().root_moves.is_empty());
        let white = change(Change::Forbid(true, Point::new(3, 3), Color::White)).unwrap();
        assert!(white.cells[1].contains(Cell::new(3, 3)) && white.cells[0].is_empty());
        let applied = |exclusions: &UserExclusions| {
            let Exclusions { root_moves, cells, sequences } = exclusions.of(&[]);
            (root_moves, cells, sequences)
        };
        let mut turning = UserExclusions::default();
        turning.change(Change::Forbid(true, Point::new(1, 9), Color::Black), &read).unwrap();
        turning.change(Change::Block(points(&[(1, 2)])), &read).unwrap();
        turning.change(Change::BlockPath(points(&[(3, 4), (5, 6)])), &read).unwrap();
        let before = applied(&turning);
        turning.swap_axes();
        let (root_moves, cells, sequences) = applied(&turning);
        assert_eq!(
            (&root_moves[..], &sequences[0][..]),
            (&[Cell::new(2, 1)][..], &[Cell::new(4, 3), Cell::new(6, 5)][..])
        );
        assert!(cells[0].contains(Cell::new(9, 1)) && cells[0].len() == 1);
        turning.swap_axes();
        assert_eq!(applied(&turning), before);
        let lifted = change(Change::Forbid(false, Point::new(3, 3), Color::White)).unwrap();
        assert!(lifted.cells[1].is_empty());
    }
}
