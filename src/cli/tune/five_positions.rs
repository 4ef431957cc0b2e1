//! Positions of games of five in a row, encoded for the fit of tables and network.

use super::dataset::EncodedGame;
use super::encoded::MoveChoice;
use super::game_position::{Occupied, TrainingPosition, is_evaluated, set_up};
use super::label::TrainingLabel;
use super::layout::TableLayout;
use goren_core::rules::Rule;
use goren_core::types::keys::{mix, stone};
use goren_core::types::{Cell, Color, PROVEN, Stone, Symmetry};
use goren_engine::board::Board;
use goren_engine::eval::near::{self, EarlierMove};
use goren_engine::eval::threat_mask;
use goren_engine::threat;
use goren_training_data::PackedGame;

/// Encodes the positions of games of five in a row.
pub(super) struct FiveEncoder {
    layout: TableLayout,
    /// How often each code is on the board; all 0 between positions.
    counts: Vec<u16>,
    /// Codes whose count is not 0.
    seen: Vec<u16>,
}

impl FiveEncoder {
    /// For vectors of a layout.
    pub fn new(layout: TableLayout) -> FiveEncoder {
        FiveEncoder { layout, counts: vec![0; layout.codes()], seen: Vec::new() }
    }

    /// The positions of a game that its search evaluated, in order. Mirror images have the
    /// same key.
    ///
    /// # Errors
    /// A stone on another.
    pub fn encode<R: Rule>(
        &mut self,
        game: &PackedGame,
        held_out: bool,
    ) -> Result<EncodedGame, Occupied> {
        let mut board = Board::<R>::new(game.setup);
        let symmetries: Vec<_> = Symmetry::all(game.setup.width, game.setup.height).collect();
        let size = mix((game.setup.width << 8 | game.setup.height) as u64);
        let mut out = EncodedGame::default();
        for position in TrainingPosition::all(game)? {
            let stones = position.stones(game);
            let last = set_up(&mut board, &stones);
            let mover = Color::ALL[stones.len() % 2];
            let label = TrainingLabel::of(game, position, held_out);
            if self.position(&board, mover, label, position.best(game), last, &mut out) {
                let key = |symmetry: &Symmetry| {
                    let stone = |(i, &cell): (usize, &Cell)| {
                        stone(Stone::Of(Color::ALL[i % 2]), symmetry.apply(cell))
                    };
                    stones.iter().enumerate().map(stone).fold(size, |key, stone| key ^ stone)
                };
                let canonical = symmetries.iter().map(key).min().unwrap_or_default();
                out.keys.push(canonical.rotate_left(mover.index() as u32));
            }
        }
        Ok(out)
    }

    /// Adds a position and returns true, if the search evaluates such a position.
    fn position<R: Rule>(
        &mut self,
        board: &Board<R>,
        me: Color,
        label: TrainingLabel,
        best: Cell,
        last: [Option<EarlierMove>; 2],
        out: &mut EncodedGame,
    ) -> bool {
        let opponent = !me;
        if !is_evaluated(board, me) {
            return false;
        }
        for cell in board.empty().iter() {
            let codes = board.cell(cell).codes();
            for (color, waiting) in [(me, false), (opponent, true)] {
                let at = self.layout.potential(color, waiting, codes[color.index()]);
                if self.counts[at] == 0 {
                    self.seen.push(at as u16);
                }
                self.counts[at] += 1;
            }
        }
        let choice = self.choice(board, me, &label, best, last, &mut out.unlisted);
        let threats = self.layout.threats(me, threat_mask(board, me));
        let counts = &mut self.counts;
        let codes = self.seen.drain(..).flat_map(|code| {
            let count = std::mem::take(&mut counts[code as usize]);
            // On the largest boards a code may occur more often than a byte can count.
            let whole = std::iter::repeat_n(u8::MAX, (count / 255) as usize);
            let rest = Some((count % 255) as u8).filter(|&rest| rest > 0);
            whole.chain(rest).map(move |count| (code, count))
        });
        out.positions.push(label, threats, codes, choice);
        true
    }

    /// The choice of the move, where the mover was free to choose and not lost. A best move
    /// away from all stones is counted in `unlisted`.
    fn choice<R: Rule>(
        &self,
        board: &Board<R>,
        me: Color,
        label: &TrainingLabel,
        best: Cell,
        last: [Option<EarlierMove>; 2],
        unlisted: &mut usize,
    ) -> Option<MoveChoice> {
        let [Some(one_ply_ago), Some(two_plies_ago)] = last else { return None };
        // In a lost position the move played teaches nothing.
        if label.score <= -PROVEN || threat::defences(board, me).is_some() {
            return None;
        }
        let around = board.near();
        let candidates = around.iter().map(|cell| {
            let codes = board.cell(cell).codes();
            let own = self.layout.own(me, codes[me.index()]);
            let deny = self.layout.deny(!me, codes[(!me).index()]);
            let first = self.layout.near(me);
            let continuation = first + near::number(false, one_ply_ago, cell);
            let follow_up = first + near::number(true, two_plies_ago, cell);
            [own, deny, continuation, follow_up].map(|weight| weight as u16)
        });
        let found = around.iter().position(|cell| cell == best);
        if found.is_none() && !around.is_empty() {
            *unlisted += 1;
        }
        Some(MoveChoice { candidates: candidates.collect(), best: found? })
    }
}
