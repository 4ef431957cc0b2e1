//! Ratings of many engines after Bradley and Terry (1952).

use std::f64::consts::LN_10;

use super::Estimate;
use super::elo::{Z95, score_of_elo};

/// Results of the games between two engines.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// Indices of the two engines.
    pub engines: [usize; 2],
    /// Wins of the first, wins of the second.
    pub wins: [u64; 2],
    /// Draws.
    pub draws: u64,
}

impl Encounter {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Points per game of the first engine, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let points = self.wins[0] as f64 + 0.5 * self.draws as f64;
        (self.games() > 0).then(|| points / self.games() as f64)
    }
}

/// Natural log-odds per Elo.
const SCALE: f64 = LN_10 / 400.0;

/// Drawn games added to each encounter where the results alone would give
/// infinite ratings.
const PRIOR_DRAWS: f64 = 0.5;

/// Bradley-Terry ratings of `count` engines in Elo, their mean 0.
///
/// A draw counts as half a win for both. Intervals come from the Fisher
/// information, with games taken as independent; they are intervals of the
/// difference to the mean. Where one engine (or group) won or lost everything against the
/// rest, half a drawn game is added to each encounter, so that values stay
/// finite.
///
/// Engines that no chain of games connects cannot be compared. Each group of
/// connected engines then has mean 0 on its own, and the intervals of all but
/// the largest group (the first of equals) are unbounded. Encounters of
/// engines that do not exist, or of one with itself, are ignored.
pub fn ratings(count: usize, encounters: &[Encounter]) -> Vec<Estimate> {
    let encounters: Vec<Encounter> = encounters
        .iter()
        .filter(|e| e.engines[0] != e.engines[1] && e.engines.iter().all(|&i| i < count))
        .filter(|e| e.games() > 0)
        .copied()
        .collect();
    let mut rated =
        vec![Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY }; count];
    let mut groups = groups(count, &encounters);
    // Stable: of equally large groups the first stays first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    for (rank, group) in groups.iter().enumerate().filter(|(_, group)| group.len() > 1) {
        for (&engine, (value, error)) in group.iter().zip(fit(group, &encounters)) {
            let reach = if rank == 0 { Z95 * error } else { f64::INFINITY };
            rated[engine] = Estimate { value, low: value - reach, high: value + reach };
        }
    }
    rated
}

/// Groups of engines connected by chains of games, each group in order.
fn groups(count: usize, encounters: &[Encounter]) -> Vec<Vec<usize>> {
    let both_ways = |e: &Encounter| vec![e.engines, [e.engines[1], e.engines[0]]];
    let edges: Vec<[usize; 2]> = encounters.iter().flat_map(both_ways).collect();
    let mut seen = vec![false; count];
    let mut groups = Vec::new();
    for engine in 0..count {
        if !seen[engine] {
            let group = reachable(count, engine, &edges);
            group.iter().for_each(|&member| seen[member] = true);
            groups.push(group);
        }
    }
    groups
}

/// The engines that directed edges reach from one, itself included, in order.
fn reachable(count: usize, from: usize, edges: &[[usize; 2]]) -> Vec<usize> {
    let mut seen = vec![false; count];
    seen[from] = true;
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for &[_, to] in edges.iter().filter(|edge| edge[0] == at) {
            if !seen[to] {
                seen[to] = true;
                open.push(to);
            }
        }
    }
    (0..count).filter(|&engine| seen[engine]).collect()
}

/// Values and standard errors in Elo of the engines of a connected group.
fn fit(group: &[usize], encounters: &[Encounter]) -> Vec<(f64, f64)> {
    let n = group.len();
    let place = |engine: usize| group.iter().position(|&member| member == engine);
    // Points of either side and games, by places in the group.
    let mut results: Vec<([usize; 2], [f64; 2])> = encounters
        .iter()
        .filter_map(|e| {
            let half = 0.5 * e.draws as f64;
            let points = e.wins.map(|wins| wins as f64 + half);
            Some(([place(e.engines[0])?, place(e.engines[1])?], points))
        })
        .collect();
    if !is_bounded(n, &results) {
        for (_, points) in &mut results {
            *points = points.map(|p| p + 0.5 * PRIOR_DRAWS);
        }
    }
    let mut elo = vec![0.0; n];
    // Newton's method on a concave likelihood, with steps of bounded length.
    for _ in 0..200 {
        let (gradient, information) = derivatives(&results, &elo);
        let step = solve(centred(information), gradient);
        let longest = step.iter().fold(0.0f64, |max, s| max.max(s.abs()));
        let shrink = (200.0 / longest).min(1.0);
        elo.iter_mut().zip(&step).for_each(|(e, s)| *e += shrink * s);
        if longest < 1e-9 {
            break;
        }
    }
    let mean = elo.iter().sum::<f64>() / n as f64;
    let (_, information) = derivatives(&results, &elo);
    let matrix = centred(information);
    (0..n)
        .map(|i| {
            // A column of the pseudo-inverse: the deviation of one engine
            // from the mean.
            let unit = (0..n).map(|j| f64::from(i == j) - 1.0 / n as f64).collect();
            let variance = solve(matrix.clone(), unit)[i];
            (elo[i] - mean, variance.max(0.0).sqrt())
        })
        .collect()
}

/// Whether the likelihood has a maximum: points scored connect every engine to every
/// other, in both directions (Ford, 1957).
fn is_bounded(n: usize, results: &[([usize; 2], [f64; 2])]) -> bool {
    let mut edges = Vec::new();
    for &([a, b], points) in results {
        edges.extend((points[0] > 0.0).then_some([a, b]));
        edges.extend((points[1] > 0.0).then_some([b, a]));
    }
    let back: Vec<[usize; 2]> = edges.iter().map(|&[a, b]| [b, a]).collect();
    reachable(n, 0, &edges).len() == n && reachable(n, 0, &back).len() == n
}

/// Gradient of the log-likelihood by Elo, and the Fisher information.
fn derivatives(results: &[([usize; 2], [f64; 2])], elo: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = elo.len();
    let mut gradient = vec![0.0; n];
    let mut information = vec![vec![0.0; n]; n];
    for &([a, b], points) in results {
        let games = points[0] + points[1];
        let expected = score_of_elo(elo[a] - elo[b]);
        let surplus = SCALE * (points[0] - games * expected);
        gradient[a] += surplus;
        gradient[b] -= surplus;
        let weight = SCALE * SCALE * games * expected * (1.0 - expected);
        information[a][a] += weight;
        information[b][b] += weight;
        information[a][b] -= weight;
        information[b][a] -= weight;
    }
    (gradient, information)
}

/// The information made regular by removing the freedom to shift all ratings. It is
/// unchanged on vectors of mean 0.
fn centred(mut information: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = information.len();
    // Of the size of the entries, so that the matrix stays well conditioned.
    let size = (0..n).map(|i| information[i][i]).sum::<f64>() / (n * n) as f64;
    information.iter_mut().flatten().for_each(|entry| *entry += size);
    information
}

/// The solution of a positive definite system, by elimination with pivots.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let size = |row: usize| matrix[row][column].abs();
        let pivot = (column..n).max_by(|&a, &b| size(a).total_cmp(&size(b))).unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (upper, lower) = matrix.split_at_mut(column + 1);
        let pivot = &upper[column];
        for (row, entries) in lower.iter_mut().enumerate() {
            let factor = entries[column] / pivot[column];
            entries.iter_mut().zip(pivot).skip(column).for_each(|(e, p)| *e -= factor * p);
            right[column + 1 + row] -= factor * right[column];
        }
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elo_of_score;

    fn encounter(a: usize, b: usize, wins: u64, losses: u64, draws: u64) -> Encounter {
        Encounter { engines: [a, b], wins: [wins, losses], draws }
    }

    #[test]
    fn two_engines_get_half_their_difference_each() {
        let rated = ratings(2, &[encounter(0, 1, 55, 35, 10)]);
        let difference = elo_of_score(0.6);
        assert!((rated[0].value - difference / 2.0).abs() < 1e-6);
        assert!((rated[1].value + difference / 2.0).abs() < 1e-6);
        // Binomial error of the difference, by the delta method.
        let error = 1.0 / (SCALE * (100.0f64 * 0.6 * 0.4).sqrt());
        assert!((rated[0].high - rated[0].value - Z95 * error / 2.0).abs() < 1e-6);
    }

    #[test]
    fn known_strengths_are_recovered() {
        let truth = [150.0, 20.0, -30.0, -140.0];
        let mut encounters = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                let wins = (1e6 * score_of_elo(truth[a] - truth[b])).round() as u64;
                encounters.push(encounter(b, a, 1_000_000 - wins, wins, 0));
            }
        }
        let rated = ratings(4, &encounters);
        for (estimate, truth) in rated.iter().zip(truth) {
            assert!((estimate.value - truth).abs() < 0.01, "{estimate}");
            assert!(estimate.low < truth && estimate.high > truth);
        }
    }

    #[test]
    fn an_engine_that_won_everything_stays_finite() {
        let rated = ratings(
            3,
            &[encounter(0, 1, 40, 0, 0), encounter(0, 2, 40, 0, 0), encounter(1, 2, 20, 20, 0)],
        );
        assert!(rated.iter().all(|e| e.value.is_finite() && e.low < e.value && e.value < e.high));
        assert!(rated[0].value > 300.0 && (rated[1].value - rated[2].value).abs() < 1e-6);
        assert!(rated.iter().map(|e| e.value).sum::<f64>().abs() < 1e-6);
        assert!(rated[0].high - rated[0].low > rated[1].value.abs() / 2.0);
    }

    #[test]
    fn intervals_of_unconnected_engines_are_unbounded() {
        let rated = ratings(
            7,
            &[
                encounter(4, 5, 9, 1, 0),
                encounter(1, 2, 3, 3, 0),
                encounter(2, 3, 6, 4, 0),
                encounter(0, 0, 5, 5, 0),
            ],
        );
        // The largest group is that of 1, 2 and 3.
        for engine in [1, 2, 3] {
            assert!(rated[engine].high.is_finite() && rated[engine].low.is_finite());
        }
        for engine in [0, 4, 5, 6] {
            assert_eq!(rated[engine].high, f64::INFINITY);
            assert_eq!(rated[engine].low, f64::NEG_INFINITY);
        }
        assert!((rated[4].value - rated[5].value - elo_of_score(0.9)).abs() < 1e-6);
        assert_eq!(rated[6].value, 0.0);
        assert!(ratings(0, &[]).is_empty());
        assert_eq!(ratings(1, &[encounter(0, 9, 1, 1, 1)])[0].value, 0.0);
    }

    #[test]
    fn encounters_have_their_score() {
        let played = encounter(0, 1, 5, 3, 2);
        assert_eq!((played.games(), played.score()), (10, Some(0.6)));
        assert_eq!(encounter(0, 1, 0, 0, 0).score(), None);
    }
}
