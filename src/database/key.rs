//! Keys of records: the rule, the board and the stones, in the one of up to eight symmetric
//! images that all programs agree on.
//!
//! A key consists of the same bytes as in the file:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | the rule (`Card::database`): 0 freestyle, 1 standard, 2 renju, others Goren's own |
//! | 1, 1 | columns, rows |
//! | 2 each | Black's stones, then White's: column and row from 0, in ascending order |
//!
//! Of n stones (n + 1) / 2 are Black's. If a side has passed once, so that its
//! opponent moves twice in a row, -1,-1 follows its stones and counts as one.
//! The image is the one whose bytes are least in lexicographic order.
use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::key_bytes::{KeyFault, KeyStones, PASS, pack, read, rule_code, unpack};
use goren_core::rules::Setup;
use goren_core::types::{Cell, CellSet, Color, Symmetry};

/// The key of a record, always of the least symmetric image.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key(SmallVec<[u8; 64]>);

impl Key {
    /// Reads a key from the bytes of a file. Bytes of another image than the least are
    /// accepted too; then the symmetry that leads to the key is returned, to convert the
    /// cells that texts name.
    ///
    /// # Errors
    /// The bytes are not a key.
    pub fn read(bytes: &[u8]) -> Result<(Key, Option<Symmetry>), KeyFault> {
        let read = read(bytes)?;
        if read.is_least() {
            return Ok((Key(SmallVec::from_slice(bytes)), None));
        }
        let place = Place::from_stones(&read);
        let key = place.key().ok_or(KeyFault::Length(bytes.len()))?;
        Ok((key, place.to_key()))
    }

    /// The key as bytes of a file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Makes a key from bytes that come from a key.
    pub(super) fn from_own(bytes: &[u8]) -> Key {
        Key(SmallVec::from_slice(bytes))
    }

    /// The position, in the image of the key.
    pub fn place(&self) -> Option<Place> {
        Some(Place::from_stones(&read(&self.0).ok()?))
    }
}

/// Reason why moves lead to no position; moves are numbered from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMove {
    /// The point is not on the board.
    #[error("move {0} is outside the board")]
    Outside(usize),
    /// The point is not empty.
    #[error("move {0} is on an occupied point")]
    Occupied(usize),
}

/// A position in all its images at once, which makes its key and those of its
/// children fast to find.
#[derive(Clone, Debug)]
pub struct Place {
    setup: Setup,
    to_move: Color,
    symmetries: ArrayVec<Symmetry, 8>,
    /// The stones of Black and White in each image, in order.
    images: ArrayVec<[Vec<u16>; 2], 8>,
}

impl Place {
    /// The empty board.
    pub fn empty(setup: Setup) -> Place {
        let symmetries: ArrayVec<Symmetry, 8> = Symmetry::all(setup.width, setup.height).collect();
        let images = symmetries.iter().map(|_| Default::default()).collect();
        Place { setup, to_move: Color::Black, symmetries, images }
    }

    /// The position after moves, Black's first; `None` is a pass.
    ///
    /// # Errors
    /// A move off the board or on an occupied point.
    pub fn after(setup: Setup, moves: &[Option<Cell>]) -> Result<Place, BadMove> {
        let mut place = Place::empty(setup);
        for (number, at) in (1..).zip(moves) {
            match *at {
                None => place.pass(),
                Some(cell) if cell.x() >= setup.width || cell.y() >= setup.height => {
                    return Err(BadMove::Outside(number));
                }
                Some(cell) if !place.is_empty_at(cell) => return Err(BadMove::Occupied(number)),
                Some(cell) => place.play(cell),
            }
        }
        Ok(place)
    }

    /// The position with some stones, in any order.
    pub fn of(setup: Setup, stones: &[(Cell, Color)], to_move: Color) -> Place {
        let mut place = Place::empty(setup);
        for &(cell, color) in stones {
            place.to_move = color;
            place.play(cell);
        }
        place.to_move = to_move;
        place
    }

    fn from_stones(read: &KeyStones) -> Place {
        let mut place = Place::empty(read.setup);
        for (image, symmetry) in place.images.iter_mut().zip(&place.symmetries) {
            for (stones, from) in image.iter_mut().zip(&read.stones) {
                stones.extend(from.iter().map(|&stone| pack(symmetry.apply(unpack(stone)))));
                stones.sort_unstable();
            }
        }
        place.to_move = read.to_move;
        place
    }

    /// The rule and the board.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The stones of a colour, in order of columns.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Cell> + '_ {
        self.images[0][color.index()].iter().map(|&stone| unpack(stone))
    }

    /// Number of stones.
    pub fn count(&self) -> usize {
        self.images[0].iter().map(Vec::len).sum()
    }

    /// Whether no stone stands on a cell of the board.
    pub fn is_empty_at(&self, cell: Cell) -> bool {
        let stone = pack(cell);
        self.images[0].iter().all(|stones| stones.binary_search(&stone).is_err())
    }

    /// The empty cells, row by row.
    pub fn empty_cells(&self) -> Vec<Cell> {
        let mut empty = CellSet::board(self.setup.width, self.setup.height);
        for &stone in self.images[0].iter().flatten() {
            empty.remove(unpack(stone));
        }
        empty.iter().collect()
    }

    /// Passes the turn without a stone.
    pub fn pass(&mut self) {
        self.to_move = !self.to_move;
    }

    /// Places a stone of the side to move on an empty cell.
    pub fn play(&mut self, cell: Cell) {
        let color = self.to_move.index();
        for (image, symmetry) in self.images.iter_mut().zip(&self.symmetries) {
            let stone = pack(symmetry.apply(cell));
            let (Ok(at) | Err(at)) = image[color].binary_search(&stone);
            image[color].insert(at, stone);
        }
        self.pass();
    }

    /// Takes back a stone of the side that moved last.
    pub fn take_back(&mut self, cell: Cell) {
        self.pass();
        let color = self.to_move.index();
        for (image, symmetry) in self.images.iter_mut().zip(&self.symmetries) {
            if let Ok(at) = image[color].binary_search(&pack(symmetry.apply(cell))) {
                image[color].remove(at);
            }
        }
    }

    /// Index of the first of the least images.
    fn least(&self) -> usize {
        (1..self.images.len()).fold(
            0,
            |best, i| {
                if self.images[i] < self.images[best] { i } else { best }
            },
        )
    }

    /// The symmetry that leads to the image of the key, unless it is the identity.
    pub(super) fn to_key(&self) -> Option<Symmetry> {
        let least = self.least();
        (least > 0).then(|| self.symmetries[least])
    }

    /// The key; `None` if stones and turns do not fit together, as after two
    /// passes of a side.
    pub fn key(&self) -> Option<Key> {
        let [black, white] = &self.images[self.least()];
        let passed = match (black.len().checked_sub(white.len())?, self.to_move) {
            (0, Color::Black) | (1, Color::White) => None,
            (0, Color::White) => Some(Color::Black),
            (1, Color::Black) => Some(Color::White),
            _ => return None,
        };
        let Setup { rule, width, height } = self.setup;
        let mut bytes = SmallVec::new();
        bytes.extend([rule_code(rule), width as u8, height as u8]);
        for (color, stones) in Color::ALL.into_iter().zip([black, white]) {
            bytes.extend(stones.iter().flat_map(|stone| stone.to_be_bytes()));
            if passed == Some(color) {
                bytes.extend(PASS);
            }
        }
        Some(Key(bytes))
    }

    /// The key after a stone of the side to move on an empty cell.
    pub fn child_key(&mut self, cell: Cell) -> Option<Key> {
        self.play(cell);
        let key = self.key();
        self.take_back(cell);
        key
    }

    /// The cells that correspond to a cell in the image of the key: several if the
    /// position is symmetric. The first one, in the uppermost row, then the leftmost
    /// column, is the one that texts are written for.
    pub fn in_key(&self, cell: Cell) -> ArrayVec<Cell, 8> {
        let least = &self.images[self.least()];
        let same = self.images.iter().zip(&self.symmetries).filter(|(image, _)| *image == least);
        let mut cells: ArrayVec<Cell, 8> = same.map(|(_, symmetry)| symmetry.apply(cell)).collect();
        cells.sort_unstable_by_key(|cell| (cell.y(), cell.x()));
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;
    use goren_core::types::keys::mix;
    use proptest::prelude::*;

    /// The least bytes of all images, each with its stones sorted.
    fn slow_key(setup: Setup, moves: &[Option<Cell>]) -> Vec<u8> {
        let mut keys = Vec::new();
        for symmetry in Symmetry::all(setup.width, setup.height) {
            let mut sides = [Vec::new(), Vec::new()];
            let mut passes = [0, 0];
            for (i, at) in moves.iter().enumerate() {
                match at {
                    Some(cell) => {
                        let at = symmetry.apply(*cell);
                        sides[i % 2].push([at.x() as u8, at.y() as u8]);
                    }
                    None => passes[i % 2] += 1,
                }
            }
            let mut key = vec![rule_code(setup.rule), setup.width as u8, setup.height as u8];
            for (side, passes) in sides.iter_mut().zip(passes) {
                side.sort();
                side.extend(vec![PASS; passes]);
                key.extend(side.concat());
            }
            keys.push(key);
        }
        keys.into_iter().min().unwrap()
    }

    fn random_moves(setup: Setup, seed: u64, count: usize) -> Vec<Option<Cell>> {
        let mut cells: Vec<Cell> =
            (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width)).collect();
        cells.sort_by_key(|cell| mix(seed ^ cell.index() as u64));
        cells.truncate(count);
        cells.into_iter().map(Some).collect()
    }

    #[test]
    fn all_images_have_the_key_of_the_slow_search() {
        for seed in 0..300 {
            let rule = RuleId::ALL[seed % RuleId::ALL.len()];
            let (width, height) = [(15, 15), (20, 20), (5, 5), (12, 9)][seed % 4];
            let setup = Setup::new(rule, width, height).unwrap();
            let mut moves = random_moves(setup, seed as u64, seed % 23);
            if seed % 7 == 0 {
                moves.push(None);
            }
            let expected = slow_key(setup, &moves);
            for symmetry in Symmetry::all(width, height) {
                let image: Vec<_> =
                    moves.iter().map(|at| at.map(|cell| symmetry.apply(cell))).collect();
                let place = Place::after(setup, &image).unwrap();
                assert_eq!(place.key().unwrap().bytes(), expected);
                let (key, _) = Key::read(&expected).unwrap();
                let again = key.place().unwrap();
                assert_eq!(again.key().unwrap(), key);
                assert_eq!(again.to_move(), place.to_move());
            }
            assert_eq!(Key::read(&expected).unwrap().1, None);
        }
    }

    #[test]
    fn another_image_is_read_and_its_symmetry_returned() {
        let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
        let moves = random_moves(setup, 3, 9);
        let place = Place::after(setup, &moves).unwrap();
        let least = place.key().unwrap();
        for symmetry in Symmetry::all(15, 15) {
            let image: Vec<_> = moves.iter().map(|at| at.map(|c| symmetry.apply(c))).collect();
            let mut bytes = least.bytes()[..3].to_vec();
            for first in [0, 1] {
                for cell in image.iter().skip(first).step_by(2).flatten() {
                    bytes.extend([cell.x() as u8, cell.y() as u8]);
                }
            }
            let (key, moved) = Key::read(&bytes).unwrap();
            assert_eq!(key, least);
            let cell = symmetry.apply(Cell::new(4, 1));
            let at = moved.map_or(cell, |symmetry| symmetry.apply(cell));
            assert_eq!(at, place.in_key(Cell::new(4, 1))[0]);
        }
    }

    #[test]
    fn playing_and_taking_back_restores_the_place() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let moves = random_moves(setup, 8, 20);
        let mut place = Place::after(setup, &moves).unwrap();
        for cell in place.empty_cells() {
            let child = place.child_key(cell).unwrap();
            let mut longer = moves.clone();
            longer.push(Some(cell));
            assert_eq!(child.bytes(), slow_key(setup, &longer));
        }
        assert_eq!(place.key().unwrap().bytes(), slow_key(setup, &moves));
        assert_eq!(place.count(), 20);
    }

    #[test]
    fn symmetric_cells_have_the_same_first_cell_in_the_key() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let place = Place::after(setup, &[Some(Cell::new(7, 7))]).unwrap();
        for symmetry in Symmetry::all(15, 15) {
            let cells = place.in_key(symmetry.apply(Cell::new(5, 6)));
            assert_eq!(cells[0], Cell::new(6, 5), "uppermost, then leftmost");
            assert_eq!(cells.len(), 8);
        }
    }

    #[test]
    fn invalid_keys_and_moves_are_refused() {
        let fault = |bytes: &[u8]| Key::read(bytes).unwrap_err();
        assert_eq!(fault(&[]), KeyFault::Length(0));
        assert_eq!(fault(&[0, 15, 15, 1]), KeyFault::Length(4));
        assert_eq!(fault(&[3, 15, 15]), KeyFault::Rule(3));
        assert_eq!(fault(&[0, 15, 4]), KeyFault::Size(15, 4));
        assert_eq!(fault(&[0, 15, 15, 15, 0]), KeyFault::Stone(15, 0));
        assert_eq!(fault(&[0, 15, 15, 255, 0]), KeyFault::Stone(255, 0));
        assert_eq!(fault(&[0, 15, 15, 3, 3, 3, 3]), KeyFault::Twice(3, 3));
        assert_eq!(fault(&[0, 5, 5].repeat(40)), KeyFault::Length(120));
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let at = Some(Cell::new(3, 3));
        assert_eq!(Place::after(setup, &[at, at]).unwrap_err(), BadMove::Occupied(2));
        let far = Some(Cell::new(3, 15));
        assert_eq!(Place::after(setup, &[far]).unwrap_err(), BadMove::Outside(1));
        let twice = Place::after(setup, &[at, None, Some(Cell::new(4, 4)), None]).unwrap();
        assert_eq!(twice.key(), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_key_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Ok((key, _)) = Key::read(&bytes) {
                prop_assert_eq!(Key::read(key.bytes()).unwrap(), (key.clone(), None));
                prop_assert_eq!(key.bytes().len(), bytes.len());
            }
        }
    }
}
