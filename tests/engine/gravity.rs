//! The exact solver of Four In A Row against the scores of another solver;
//! `tests/data/README.md` says how they were made.

use std::fs;
use std::path::Path;

use goren_engine::threat::{Gravity, Meter, Value};

/// The pieces of the side to move and of the opponent, by column from the left
/// and row from the bottom.
fn pieces(columns: &[usize]) -> [Vec<(usize, usize)>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for (i, &x) in columns.iter().enumerate() {
        let y = columns[..i].iter().filter(|&&other| other == x).count();
        // The newest piece is the opponent's.
        sides[(columns.len() - i) % 2].push((x, y));
    }
    sides
}

/// Converts a value to the number of pieces that the winner has left at the win,
/// including the winning one; negative if the opponent wins. `left` is the number of
/// empty cells.
fn score(value: Value, left: usize) -> i32 {
    match value {
        Value::Win(plies) => (left.div_ceil(2) - plies / 2) as i32,
        Value::Draw => 0,
        Value::Loss(plies) => -((left / 2 + 1 - plies / 2) as i32),
    }
}

#[test]
fn another_solver_finds_the_same_scores() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fourinarow/values.txt");
    let text = fs::read_to_string(path).unwrap();
    let mut solvers = [(7, 6), (8, 8)].map(|(w, h)| (w, h, Gravity::new(w, h, 8 << 20).unwrap()));
    let mut seen = [0; 2];
    for line in text.lines() {
        let [size, moves, expected] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let which = usize::from(size == "8x8");
        let (width, height, solver) = &mut solvers[which];
        assert_eq!(size, format!("{width}x{height}"));
        let mut columns: Vec<usize> = moves.bytes().map(|b| (b - b'a') as usize).collect();
        let left = *width * *height - columns.len();
        let [own, others] = pieces(&columns);
        let (value, best) = solver.solve(&own, &others, &mut Meter::nodes(u64::MAX)).unwrap();
        assert_eq!(score(value, left).to_string(), expected, "{line}");
        // The best move keeps the value.
        if value != Value::Win(1) {
            columns.push(best.unwrap());
            let [own, others] = pieces(&columns);
            let after = match solver.solve(&own, &others, &mut Meter::nodes(u64::MAX)).unwrap().0 {
                Value::Win(plies) => Value::Loss(plies + 1),
                Value::Draw => Value::Draw,
                Value::Loss(plies) => Value::Win(plies + 1),
            };
            assert_eq!(after, value, "{line}: {best:?}");
        }
        // So does the mirror image.
        let image: Vec<usize> = moves.bytes().map(|b| *width - 1 - (b - b'a') as usize).collect();
        let [own, others] = pieces(&image);
        assert_eq!(
            solver.solve(&own, &others, &mut Meter::nodes(u64::MAX)).unwrap().0,
            value,
            "{line}"
        );
        seen[which] += 1;
    }
    assert_eq!(seen, [130, 40]);
}
