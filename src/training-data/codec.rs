//! Binary encoding of a training game.

use crate::{PackedGame, PackedPly, SampledPosition};
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, Score, WIN};

/// Fault of an encoded game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Malformed {
    /// The bytes end within the game.
    #[error("it ends too early")]
    Short,
    /// Bytes are left after the game.
    #[error("bytes are left over")]
    Long,
    /// An unknown rule number.
    #[error("{0} is no rule")]
    Rule(u8),
    /// An unsupported board size.
    #[error("a board of {0}x{1} is not supported")]
    Size(u8, u8),
    /// Unknown flags.
    #[error("{0} are no flags")]
    Flags(u8),
    /// A cell outside the board.
    #[error("cell {0} is not on the board")]
    Cell(u64),
    /// More stones than cells.
    #[error("{0} stones do not fit the board")]
    Stones(u64),
    /// A sampled position after more plies than the game has.
    #[error("a sampled position after {0} plies, but the game has fewer")]
    Ply(u64),
    /// A score out of range.
    #[error("{0} is no score")]
    Score(i64),
}

const PLAYED_OUT: u8 = 4;
const SAMPLED: u8 = 8;

/// Encodes a game.
pub(super) fn encode(game: &PackedGame) -> Vec<u8> {
    let setup = game.setup;
    let index = |cell: Cell| (setup.width * cell.y() + cell.x()) as u64;
    let result = match game.result {
        Outcome::Draw => 0,
        Outcome::Win(color) => 1 + color.index() as u8,
    };
    let flag = |on: bool, flag: u8| if on { flag } else { 0 };
    let flags =
        result | flag(game.played_out, PLAYED_OUT) | flag(!game.sampled.is_empty(), SAMPLED);
    let mut out = vec![setup.rule.gomocup() as u8, setup.width as u8, setup.height as u8, flags];
    out.extend(game.seed.to_le_bytes());
    put(&mut out, game.opening.len() as u64);
    for &cell in &game.opening {
        put(&mut out, index(cell));
    }
    put(&mut out, game.plies.len() as u64);
    for ply in &game.plies {
        let differs = ply.best != ply.played;
        put(&mut out, index(ply.played) << 1 | u64::from(differs));
        if differs {
            put(&mut out, index(ply.best));
        }
        put(&mut out, zigzag(ply.score));
    }
    if game.sampled.is_empty() {
        return out;
    }
    put(&mut out, game.sampled.len() as u64);
    for SampledPosition { ply, line, best, score } in &game.sampled {
        put(&mut out, *ply as u64);
        put(&mut out, line.len() as u64);
        line.iter().for_each(|&cell| put(&mut out, index(cell)));
        put(&mut out, index(*best));
        put(&mut out, zigzag(*score));
    }
    out
}

/// Decodes a game.
///
/// # Errors
/// The bytes are no game.
pub(super) fn decode(bytes: &[u8]) -> Result<PackedGame, Malformed> {
    let mut input = Input { bytes };
    let [rule, width, height, flags] = input.array()?;
    let id = RuleId::from_number(rule.into()).ok_or(Malformed::Rule(rule))?;
    let setup =
        Setup::new(id, width.into(), height.into()).map_err(|_| Malformed::Size(width, height))?;
    let result = match flags & !(PLAYED_OUT | SAMPLED) {
        0 => Outcome::Draw,
        1 => Outcome::Win(Color::Black),
        2 => Outcome::Win(Color::White),
        _ => return Err(Malformed::Flags(flags)),
    };
    let seed = u64::from_le_bytes(input.array()?);
    let stones = input.count(setup)?;
    let opening = (0..stones).map(|_| input.cell(setup)).collect::<Result<_, _>>()?;
    let plies = input.count(setup)?;
    let plies = (0..plies).map(|_| input.ply(setup)).collect::<Result<Vec<_>, _>>()?;
    let mut sampled = Vec::new();
    if flags & SAMPLED != 0 {
        for _ in 0..input.varint()? {
            sampled.push(input.sampled(setup, plies.len())?);
        }
    }
    if !input.bytes.is_empty() {
        return Err(Malformed::Long);
    }
    let played_out = flags & PLAYED_OUT != 0;
    Ok(PackedGame { setup, seed, opening, plies, sampled, result, played_out })
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Maps small numbers of either sign to small numbers.
fn zigzag(score: Score) -> u64 {
    u64::from((score << 1 ^ score >> 31) as u32)
}

struct Input<'a> {
    bytes: &'a [u8],
}

impl Input<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (head, rest) = self.bytes.split_first_chunk().ok_or(Malformed::Short)?;
        self.bytes = rest;
        Ok(*head)
    }

    fn varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let [byte] = self.array()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Malformed::Cell(value))
    }

    fn count(&mut self, setup: Setup) -> Result<u64, Malformed> {
        let count = self.varint()?;
        if count <= setup.area() as u64 { Ok(count) } else { Err(Malformed::Stones(count)) }
    }

    fn cell(&mut self, setup: Setup) -> Result<Cell, Malformed> {
        let index = self.varint()?;
        at(index, setup)
    }

    fn ply(&mut self, setup: Setup) -> Result<PackedPly, Malformed> {
        let word = self.varint()?;
        let played = at(word >> 1, setup)?;
        let best = if word & 1 != 0 { self.cell(setup)? } else { played };
        Ok(PackedPly { played, best, score: self.score()? })
    }

    fn score(&mut self) -> Result<Score, Malformed> {
        let folded = self.varint()?;
        let score = (folded >> 1) as i64 ^ -((folded & 1) as i64);
        if score.abs() > i64::from(WIN) {
            return Err(Malformed::Score(score));
        }
        Ok(score as Score)
    }

    /// Reads a sampled position of a game of `plies` plies.
    fn sampled(&mut self, setup: Setup, plies: usize) -> Result<SampledPosition, Malformed> {
        let ply = self.varint()?;
        if ply > plies as u64 {
            return Err(Malformed::Ply(ply));
        }
        let length = self.count(setup)?;
        let line = (0..length).map(|_| self.cell(setup)).collect::<Result<_, _>>()?;
        Ok(SampledPosition {
            ply: ply as usize,
            line,
            best: self.cell(setup)?,
            score: self.score()?,
        })
    }
}

fn at(index: u64, setup: Setup) -> Result<Cell, Malformed> {
    if index >= setup.area() as u64 {
        return Err(Malformed::Cell(index));
    }
    let index = index as usize;
    Ok(Cell::new(index % setup.width, index / setup.width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn games() -> impl Strategy<Value = PackedGame> {
        let setups = (0..RuleId::ALL.len(), 5usize..=26, 5usize..=26);
        setups.prop_flat_map(|(rule, width, height)| {
            let setup = Setup::new(RuleId::ALL[rule], width, height).unwrap();
            let cell = move || (0..width, 0..height).prop_map(|(x, y)| Cell::new(x, y));
            let ply = (cell(), cell(), any::<bool>(), -WIN..=WIN).prop_map(
                |(played, other, differs, score)| PackedPly {
                    played,
                    best: if differs { other } else { played },
                    score,
                },
            );
            let sampled = (any::<u8>(), prop::collection::vec(cell(), 0..=5), cell(), -WIN..=WIN)
                .prop_map(|(ply, line, best, score)| SampledPosition {
                    ply: ply.into(),
                    line,
                    best,
                    score,
                });
            let results = [Outcome::Draw, Outcome::Win(Color::Black), Outcome::Win(Color::White)];
            (
                any::<u64>(),
                prop::collection::vec(cell(), 0..=10),
                prop::collection::vec(ply, 0..=15),
                prop::collection::vec(sampled, 0..=4),
                prop::sample::select(results.to_vec()),
                any::<bool>(),
            )
                .prop_map(
                    move |(seed, opening, plies, mut sampled, result, played_out)| {
                        sampled.iter_mut().for_each(|sampled| sampled.ply %= plies.len() + 1);
                        PackedGame { setup, seed, opening, plies, sampled, result, played_out }
                    },
                )
        })
    }

    proptest! {
        #[test]
        fn encoded_games_are_decoded(game in games()) {
            let bytes = encode(&game);
            prop_assert_eq!(decode(&bytes), Ok(game));
            for end in 0..bytes.len() {
                prop_assert_eq!(decode(&bytes[..end]), Err(Malformed::Short));
            }
            let mut longer = bytes;
            longer.push(0);
            prop_assert_eq!(decode(&longer), Err(Malformed::Long));
        }

        #[test]
        fn any_bytes_are_a_game_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }
    }

    #[test]
    fn invalid_fields_are_refused() {
        let head =
            |rule, width, height, flags| [rule, width, height, flags, 0, 0, 0, 0, 0, 0, 0, 0];
        let with = |head: [u8; 12], rest: &[u8]| decode(&[&head[..], rest].concat()).unwrap_err();
        assert_eq!(with(head(3, 15, 15, 0), &[0, 0]), Malformed::Rule(3));
        assert_eq!(with(head(0, 15, 4, 0), &[0, 0]), Malformed::Size(15, 4));
        assert_eq!(with(head(0, 15, 15, 3), &[0, 0]), Malformed::Flags(3));
        assert_eq!(with(head(0, 5, 5, 0), &[1, 25, 0]), Malformed::Cell(25));
        assert_eq!(with(head(0, 5, 5, 0), &[26]), Malformed::Stones(26));
        assert_eq!(with(head(0, 5, 5, 16), &[0, 0]), Malformed::Flags(16));
        assert_eq!(with(head(0, 5, 5, 8), &[0, 0, 1, 1, 0, 0, 0]), Malformed::Ply(1));
        let score = [0, 1, 0, 0x80, 0x80, 0x80, 0x80, 1];
        assert_eq!(with(head(0, 5, 5, 0), &score), Malformed::Score(1 << 27));
    }
}
