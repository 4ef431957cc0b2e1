//! Positions of the games on a line-count board, encoded for the fit.

use anyhow::{Result, bail, ensure};

use super::dataset::EncodedGame;
use super::encoded::{EncodedPositions, MoveChoice};
use super::label::{TrainingLabel, result_for};
use super::tuple_weights::codes;
use super::window_policy::choice;
use crate::plies;
use goren_core::rules::RuleId;
use goren_core::types::{Cell, Color, Move, PROVEN};
use goren_engine::eval::tuple_codes::{canonical, exchanged, has_stones};
use goren_engine::game::{GameVisitor, ThreatLevel, Tupled, with_game};
use goren_engine::threat::Verdict;
use goren_training_data::JsonGame;

/// The positions of a game that its search evaluated, in order.
///
/// # Errors
/// A stone cannot be placed.
pub(super) fn encode(game: &JsonGame, held_out: bool) -> Result<EncodedGame> {
    with_game(&game.record.contest, None, Walk { game, held_out })
}

/// Plays a game and encodes its positions.
struct Walk<'a> {
    game: &'a JsonGame,
    held_out: bool,
}

impl GameVisitor for Walk<'_> {
    type Out = Result<EncodedGame>;

    fn five(self, rule: RuleId) -> Self::Out {
        bail!("a game of {rule}, which has no tuples")
    }

    fn tupled<P: Tupled + 'static>(self, mut position: P) -> Self::Out {
        let Walk { game, held_out } = self;
        let mut stones = plies::stones(&game.record.opening);
        let first = stones.len();
        stones.extend(&game.stones);
        // From this ply on no move was random.
        let without_random = game.random_moves.iter().max().map_or(0, |&last| last + 1);
        let mut out = EncodedGame::default();
        for i in 0..=stones.len() {
            let scored = i.checked_sub(first).filter(|&ply| ply < game.scores.len());
            if let Some(ply) = scored {
                let mover = position.to_move();
                let result = game.record.result().map(|result| result_for(result, mover));
                let result = result.filter(|_| ply >= without_random);
                let label = TrainingLabel { score: game.scores[ply], result, held_out };
                // The search evaluates only such positions.
                let is_evaluated = position.outcome().is_none()
                    && position.threat_level() != ThreatLevel::Immediate
                    && position.verdict() == Verdict::Unknown;
                if is_evaluated {
                    // A random move is not the best one, and in a lost position the move
                    // played teaches nothing.
                    let is_best = !game.random_moves.contains(&ply) && label.score > -PROVEN;
                    let best = is_best.then(|| stones.get(i).copied()).flatten();
                    let choice =
                        best.and_then(|best| choice(&mut position, best, &mut out.unlisted));
                    push(&mut position, label, choice, &mut out.positions);
                    out.keys.push(position.key());
                }
            }
            if i == stones.len() {
                break;
            }
            // The stones of a pair of the opening come in any order.
            if i + 1 < first && !may_place(&mut position, stones[i]) {
                stones.swap(i, i + 1);
            }
            let text = stones[i].label(game.record.contest.height);
            let legal = may_place(&mut position, stones[i]);
            ensure!(legal, "stone {} cannot be placed on {text}", i + 1);
            position.make(Move::at(stones[i]));
        }
        Ok(out)
    }
}

/// Whether the search could place a stone on a cell.
fn may_place(position: &mut impl Tupled, cell: Cell) -> bool {
    let m = Move::at(cell);
    position.outcome().is_none() && position.is_pseudo_legal(m) && position.is_legal(m)
}

/// Adds a position.
pub(super) fn push(
    position: &mut impl Tupled,
    label: TrainingLabel,
    choice: Option<MoveChoice>,
    positions: &mut EncodedPositions,
) {
    let span = position.board().geometry().span();
    let white = position.to_move() == Color::White;
    let own = |code: u16| if white { exchanged(code) } else { code };
    let with_stones = position.codes().tuples().iter().filter(|&&code| has_stones(code, span));
    let mut seen: Vec<u16> = with_stones.map(|&code| canonical(own(code), span)).collect();
    seen.sort_unstable();
    let counted = seen.chunk_by(|a, b| a == b).flat_map(|run| {
        // A count is a byte.
        run.chunks(usize::from(u8::MAX)).map(|part| (part[0], part.len() as u8))
    });
    positions.push(label, codes(span) + position.state(), counted, choice);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point;
    use goren_core::opening::{Action, Seat};
    use goren_core::record::GameRecord;
    use goren_core::rules::{Contest, OpeningId, Variant};

    #[test]
    fn pairs_of_an_opening_are_read_in_either_order() {
        let variant = Variant::from_name("connect6+collinear").unwrap();
        let contest = Contest { opening: OpeningId::Free, ..Contest::new(variant) };
        // One stone of the pair is in line with the stone before it.
        let positions = |opening: [&str; 3]| {
            let [first, rest @ ..] = opening.map(|text| point::cell(text, (19, 19)).unwrap());
            let game = JsonGame {
                record: GameRecord {
                    contest,
                    players: Default::default(),
                    opening: vec![Action::stone(first), Action::stones(&rest)],
                    plies: Vec::new(),
                    black: Seat::First,
                    ending: None,
                    reason: String::new(),
                },
                seed: 0,
                stones: vec![point::cell("m10", (19, 19)).unwrap()],
                scores: vec![30],
                random_moves: Vec::new(),
            };
            encode(&game, false).map(|game| (game.positions.len(), game.keys))
        };
        let found = positions(["l14", "l9", "m9"]).unwrap();
        assert_eq!(found.0, 1);
        assert_eq!(positions(["l14", "m9", "l9"]).unwrap(), found);
        assert!(positions(["l14", "m9", "n9"]).is_err());
    }
}
