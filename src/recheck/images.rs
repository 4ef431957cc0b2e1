//! Images of a board, and the numbers of sets of stones (section 3 of the description).

use crate::bits::Bits;
use crate::grid::{Grid, Sides};

/// Number of images of a square board; others have the first four.
pub const MAX_IMAGES: usize = 8;

/// Stones with the numbers of their images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stones<const W: usize> {
    /// Stones by colour.
    pub sides: Sides<W>,
    numbers: [u128; MAX_IMAGES],
}

/// The maps of a board onto itself, and the numbers of stones in each image.
pub struct Images {
    count: usize,
    /// `[image][cell]`: the cell that the image maps the cell to.
    to: Vec<Vec<u16>>,
    /// `[image][cell]`: the cell that the image maps to the cell.
    from: Vec<Vec<u16>>,
    /// `[colour][cell][image]`.
    worth: [Vec<[u128; MAX_IMAGES]>; 2],
}

fn mix(n: u64) -> u64 {
    let z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn worth(colour: usize, x: usize, y: usize) -> u128 {
    let high = mix((1024 * colour + 32 * y + x + 1) as u64);
    u128::from(high) << 64 | u128::from(mix(high))
}

impl Images {
    /// Computes the images of a board.
    pub fn new<const W: usize, const S: usize>(grid: &Grid<W, S>) -> Self {
        let (width, height) = (grid.width, grid.height);
        let count = if width == height { MAX_IMAGES } else { 4 };
        let mut images = Self {
            count,
            to: vec![vec![0; 64 * W]; count],
            from: vec![vec![0; 64 * W]; count],
            worth: [vec![[0; MAX_IMAGES]; 64 * W], vec![[0; MAX_IMAGES]; 64 * W]],
        };
        for cell in grid.all.cells() {
            for i in 0..count {
                let (mut x, mut y) = (cell % S, cell / S);
                if i & 1 != 0 {
                    x = width - 1 - x;
                }
                if i & 2 != 0 {
                    y = height - 1 - y;
                }
                if i & 4 != 0 {
                    (x, y) = (y, x);
                }
                images.to[i][cell] = (S * y + x) as u16;
                images.from[i][S * y + x] = cell as u16;
                for colour in 0..2 {
                    images.worth[colour][cell][i] = worth(colour, x, y);
                }
            }
        }
        images
    }

    /// Returns an empty set of stones.
    pub fn none<const W: usize>(&self) -> Stones<W> {
        Stones { sides: [Bits::default(); 2], numbers: [0; MAX_IMAGES] }
    }

    /// Puts a stone on an empty cell.
    pub fn put<const W: usize>(&self, stones: &mut Stones<W>, colour: usize, cell: usize) {
        stones.sides[colour].add(cell);
        self.toggle(stones, colour, cell);
    }

    /// Removes a stone.
    pub fn take<const W: usize>(&self, stones: &mut Stones<W>, colour: usize, cell: usize) {
        stones.sides[colour].remove(cell);
        self.toggle(stones, colour, cell);
    }

    fn toggle<const W: usize>(&self, stones: &mut Stones<W>, colour: usize, cell: usize) {
        let worth = &self.worth[colour][cell];
        stones.numbers.iter_mut().zip(worth).for_each(|(number, worth)| *number ^= worth);
    }

    /// Returns the least number of all images, and the first image that has it.
    pub fn canonical<const W: usize>(&self, stones: &Stones<W>) -> (u128, usize) {
        let mut least = (stones.numbers[0], 0);
        for i in 1..self.count {
            if stones.numbers[i] < least.0 {
                least = (stones.numbers[i], i);
            }
        }
        least
    }

    /// Returns the cell that image `i` maps a cell to.
    pub fn to(&self, i: usize, cell: usize) -> usize {
        usize::from(self.to[i][cell])
    }

    /// Returns the cell that image `i` maps to this one.
    pub fn from(&self, i: usize, cell: usize) -> usize {
        usize::from(self.from[i][cell])
    }

    /// Returns the least image of a set of stones. Two sets share it only if they are images of
    /// each other.
    pub fn least<const W: usize>(&self, sides: &Sides<W>) -> Sides<W> {
        let image = |i: usize| {
            sides.map(|side| {
                let mut image = Bits::default();
                side.cells().for_each(|cell| image.add(self.to(i, cell)));
                image
            })
        };
        (1..self.count).map(image).fold(*sides, |least, other| least.min(other))
    }
}

impl<const W: usize> Stones<W> {
    /// Returns the number of the stones as they stand.
    pub fn number(&self) -> u128 {
        self.numbers[0]
    }
}
