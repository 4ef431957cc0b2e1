//! A board of letters: `X` Black, `O` White, `.` empty, and a blank beyond the edge.

/// Column from the left and row from the top.
pub type Point = (i32, i32);

/// Steps along a row, a column and the two diagonals.
pub const AXES: [Point; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The letters of a board.
#[derive(Clone)]
pub struct Letters {
    pub width: i32,
    pub height: i32,
    letters: Vec<char>,
}

/// The other colour.
pub fn other(color: char) -> char {
    if color == 'X' { 'O' } else { 'X' }
}

/// The point `steps` steps further along an axis.
pub fn along((x, y): Point, (dx, dy): Point, steps: i32) -> Point {
    (x + steps * dx, y + steps * dy)
}

impl Letters {
    pub fn new(width: usize, height: usize) -> Letters {
        let letters = vec!['.'; width * height];
        Letters { width: width as i32, height: height as i32, letters }
    }

    pub fn all(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..width * self.height).map(move |i| (i % width, i / width))
    }

    pub fn get(&self, (x, y): Point) -> char {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if inside { self.letters[(y * self.width + x) as usize] } else { ' ' }
    }

    pub fn set(&mut self, (x, y): Point, letter: char) {
        self.letters[(y * self.width + x) as usize] = letter;
    }

    /// Number of stones in the unbroken row through a stone.
    pub fn row(&self, at: Point, axis: Point) -> usize {
        let color = self.get(at);
        let side =
            |sign: i32| (1..).take_while(move |&k| self.get(along(at, axis, sign * k)) == color);
        1 + side(1).count() + side(-1).count()
    }

    /// All unbroken rows of a colour, including single stones.
    pub fn runs(&self, color: char) -> Vec<Vec<Point>> {
        let mut runs = Vec::new();
        for axis in AXES {
            let begins =
                |&at: &Point| self.get(at) == color && self.get(along(at, axis, -1)) != color;
            let run = |at| (0..self.row(at, axis) as i32).map(|k| along(at, axis, k)).collect();
            runs.extend(self.all().filter(begins).map(run));
        }
        runs
    }

    /// The lengths of all unbroken rows of a colour, including single stones.
    pub fn rows(&self, color: char) -> Vec<usize> {
        self.runs(color).iter().map(Vec::len).collect()
    }

    /// The points of the whole line through a point.
    pub fn line(&self, at: Point, axis: Point) -> Vec<Point> {
        let longest = self.width.max(self.height);
        let points = (-longest..=longest).map(|k| along(at, axis, k));
        points.filter(|&at| self.get(at) != ' ').collect()
    }
}
