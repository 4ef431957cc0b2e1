//! Plays one training game.

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::chance::{BLUNDER, jittered};
use crate::openings::{RandomOpenings, Recipe};
use crate::run::stop::Stop;
use crate::searched_game::{SearchedGame, SearchedGameEnd, new_engine};
use goren_core::opening::Action;
use goren_core::record::Ending;
use goren_core::types::{Cell, PROVEN, Score};
use goren_engine::{Engine, Info, Params};
use goren_training_data::{PackedPly, SampledPosition};

/// Bytes of the transposition table of a playing thread.
const TABLE_BYTES: usize = 8 << 20;
/// Stones per cell of the board after which a game is broken off, as captures may go
/// on for ever.
const MAX_STONES_PER_CELL: usize = 2;

/// Conditions of the games.
#[derive(Clone, Debug)]
pub(super) struct GameConditions {
    /// Average nodes per move.
    pub nodes: u64,
    /// Random variation of the nodes of a move, as a fraction of `nodes`.
    pub jitter: f64,
    /// Probability of a random move instead of the best in the first plies.
    pub random_move_rate: f64,
    /// Number of plies after the opening in which random moves are played.
    pub random_move_plies: usize,
    /// Number of positions sampled from each search.
    pub samples: usize,
    /// Average nodes per sampled position.
    pub sample_nodes: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SelfPlayGame {
    /// Random seed of the game.
    pub seed: u64,
    /// Plies before the search took over.
    pub opening: Vec<Action>,
    /// Whole turns after the opening.
    pub actions: Vec<Action>,
    /// The searched positions and the stones placed there; the last stone was not placed if
    /// its score is proven.
    pub plies: Vec<PackedPly>,
    /// Random sample of the positions that the searches evaluated.
    pub sampled: Vec<SampledPosition>,
    /// How the game ended; `None` if it was broken off.
    pub end: Option<SearchedGameEnd>,
}

/// Plays games. A game depends only on the conditions, the recipe of the openings
/// and its seed.
pub(super) struct SelfPlayer<'a> {
    conditions: &'a GameConditions,
    game: SearchedGame,
    openings: RandomOpenings<'a>,
    engine: Engine,
}

impl<'a> SelfPlayer<'a> {
    /// A player of games that begin with one of the `given` openings, or with
    /// new ones if there are none.
    ///
    /// # Errors
    /// No memory for the tables.
    pub(super) fn new(
        conditions: &'a GameConditions,
        recipe: &Recipe,
        given: &'a [Vec<Action>],
    ) -> Result<SelfPlayer<'a>> {
        let openings = RandomOpenings::new(recipe, given)?;
        Ok(SelfPlayer {
            conditions,
            game: recipe.new_game(),
            openings,
            engine: new_engine(TABLE_BYTES)?,
        })
    }

    /// Plays the game of a seed; `None` if it was stopped.
    ///
    /// # Errors
    /// No balanced opening is found, or no memory for a search.
    pub(super) fn play(&mut self, seed: u64, stop: Stop) -> Result<Option<SelfPlayGame>> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let opening = self.openings.pick(&mut rng)?;
        self.game.begin(&opening, &mut self.engine)?;
        if self.conditions.samples > 0 {
            self.engine.set_sampling(rng.random(), self.conditions.samples);
        }
        let contest = self.game.game_state().contest();
        let max_plies = MAX_STONES_PER_CELL * contest.width * contest.height;
        let (mut plies, mut sampled) = (Vec::new(), Vec::new());
        let mut end = None;
        while plies.len() < max_plies {
            if stop.asked().is_some() {
                return Ok(None);
            }
            end = self.game.ended();
            if end.is_some() {
                break;
            }
            let (ply, proven) = self.choose(plies.len(), &mut rng, &mut sampled)?;
            if proven.is_some() {
                plies.push(ply);
                end = proven;
                break;
            }
            // The search does not know every forbidden turn, such as a repetition. The
            // plies so far count.
            if self.game.stone(ply.played).is_err() {
                break;
            }
            plies.push(ply);
        }
        let actions = self.game.game_state().actions()[opening.len()..].to_vec();
        Ok(Some(SelfPlayGame { seed, opening, actions, plies, sampled, end }))
    }

    /// Chooses the stone after `stones` others; also returns the end of the game if it is
    /// proven. Appends positions sampled from the search to `sampled`.
    fn choose(
        &mut self,
        stones: usize,
        rng: &mut SmallRng,
        sampled: &mut Vec<SampledPosition>,
    ) -> Result<(PackedPly, Option<SearchedGameEnd>)> {
        let nodes = jittered(self.conditions.nodes, self.conditions.jitter, rng);
        let (best, info) = self.game.search(&mut self.engine, nodes, Vec::new())?;
        let mut ply = PackedPly { played: best, best, score: target(&info) };
        for line in self.engine.sampled().to_vec() {
            sampled.extend(self.search_sampled(stones, line, rng)?);
        }
        if info.score.abs() >= PROVEN {
            let own = self.game.to_move();
            let winner = self.game.game_state().owner(if info.score > 0 { own } else { !own });
            let ending = Ending::Win(winner);
            return Ok((
                ply,
                Some(SearchedGameEnd { ending, reason: "proven", played_out: false }),
            ));
        }
        let early = stones < self.conditions.random_move_plies;
        if early && rng.random_bool(self.conditions.random_move_rate) {
            let others = self.game.neighbours(best);
            if !others.is_empty() {
                let (second, other) = self.game.search(&mut self.engine, nodes, others)?;
                if other.score > info.score - BLUNDER {
                    ply.played = second;
                }
            }
        }
        Ok((ply, None))
    }

    /// Searches the position that a line leads to from the current one, before ply number
    /// `ply`; `None` if the line is empty or ends the game.
    fn search_sampled(
        &mut self,
        ply: usize,
        line: Vec<Cell>,
        rng: &mut SmallRng,
    ) -> Result<Option<SampledPosition>> {
        let played = |cell: &&Cell| self.game.play_on(&Action::stone(**cell));
        let placed = line.iter().take_while(played).count();
        let mut sampled = None;
        if placed == line.len() && placed > 0 {
            let nodes = jittered(self.conditions.sample_nodes, self.conditions.jitter, rng);
            let (best, info) = self.game.search(&mut self.engine, nodes, Vec::new())?;
            sampled = Some(SampledPosition { ply, line, best, score: target(&info) });
        }
        (0..placed).for_each(|_| self.game.take_back());
        Ok(sampled)
    }
}

/// The score of a search for the training data: without the evaluation compression.
fn target(info: &Info) -> Score {
    Params::default().decompress(info.score)
}

#[cfg(test)]
mod tests {
    use super::super::file::training_game;
    use super::*;
    use crate::forms::Typed;
    use crate::variant::contest_of;
    use crate::with_search_stack;
    use goren_core::rules::{Contest, OpeningId, Variant};
    use goren_training_data::{JsonGame, TrainingGame};
    use std::time::Duration;

    #[test]
    fn games_are_legal_repeatable_and_correctly_labelled() {
        with_search_stack(|| {
            for name in [
                "freestyle",
                "standard",
                "renju",
                "caro",
                "caro-exact",
                "renju+overline",
                "pente",
                "pente+keryo+poof+boat",
                "connect6",
                "connect6+torus+noncollinear",
                "connect6+collinear",
                "four-in-a-row+clear",
                "irensei",
            ] {
                let contest = contest_of(name, None)?.opened(OpeningId::Free)?;
                let recipe = Recipe { stones: (2, 6), max_score: 9000, ..Recipe::quick(contest) };
                let conditions = GameConditions {
                    nodes: 100,
                    jitter: 0.5,
                    random_move_rate: 0.4,
                    random_move_plies: 6,
                    samples: if matches!(contest.variant, Variant::Five(_)) { 2 } else { 0 },
                    sample_nodes: 150,
                };
                let mut player = SelfPlayer::new(&conditions, &recipe, &[])?;
                let never = Stop::after(None);
                let mut play = |seed| player.play(seed, never).unwrap().unwrap();
                let games: Vec<SelfPlayGame> = (0..4).map(&mut play).collect();
                assert_eq!(play(1), games[1], "{name}");
                assert_eq!(player.play(1, Stop::after(Some(Duration::ZERO)))?, None);
                let random_move = games.iter().flat_map(|g| &g.plies).any(|p| p.played != p.best);
                assert!(random_move, "{name}");
                let sampled: usize = games.iter().map(|game| game.sampled.len()).sum();
                assert!(sampled >= 20 || conditions.samples == 0, "{name}: {sampled}");
                for game in games {
                    check(&contest, &game);
                    let game = training_game(&contest, &game)?;
                    assert_eq!(game.contest(), contest);
                    if let TrainingGame::Json(game) = game {
                        assert_eq!(JsonGame::read(game.line()?.trim_end())?, *game);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    }

    /// Replays the lines to the sampled positions by the rules.
    fn check_sampled(contest: &Contest, game: &SelfPlayGame) {
        for sampled in &game.sampled {
            let mut typed = Typed::new(contest);
            game.opening.iter().for_each(|action| typed.game_state.apply(action).unwrap());
            let played = game.plies[..sampled.ply].iter().map(|ply| ply.played);
            for cell in played.chain(sampled.line.iter().copied()) {
                typed.stone(cell).unwrap();
            }
            assert!(typed.game_state.result().is_none() && !sampled.line.is_empty());
            assert!(typed.game_state.empty().contains(&sampled.best));
        }
    }

    /// Replays a game by the rules.
    fn check(contest: &Contest, game: &SelfPlayGame) {
        let mut typed = Typed::new(contest);
        for action in &game.opening {
            typed.game_state.apply(action).unwrap();
        }
        let proven = game.plies.last().filter(|last| last.score.abs() >= PROVEN);
        let placed = game.plies.len() - usize::from(proven.is_some());
        for ply in &game.plies[..placed] {
            assert!(typed.game_state.result().is_none() && ply.score.abs() < PROVEN);
            typed.stone(ply.played).unwrap();
        }
        assert_eq!(typed.game_state.actions()[game.opening.len()..], game.actions);
        let result = typed.game_state.result().map(|result| result.seats.clone());
        check_sampled(contest, game);
        match (game.end, proven) {
            (Some(SearchedGameEnd { ending: Ending::Win(seat), played_out, .. }), None) => {
                assert_eq!((result, played_out), (Some(vec![seat]), true));
            }
            (Some(SearchedGameEnd { ending: Ending::Win(seat), .. }), Some(last)) => {
                let mover = typed.game_state.owner(typed.game_state.to_move());
                assert_eq!((result, seat == mover), (None, last.score > 0));
            }
            (Some(SearchedGameEnd { ending: Ending::Draw, played_out, .. }), None) => {
                assert_eq!(result.is_some(), played_out);
            }
            (None, None) => {}
            other => panic!("{other:?}"),
        }
    }
}
