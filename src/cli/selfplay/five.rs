//! Training games of five in a row.

use std::time::Instant;

use anyhow::{Result, bail, ensure};

use super::args::Args;
use super::game::{Rules, SelfPlayer};
use crate::data::{Game, Writer};
use crate::openings::{Recipe, progress};
use crate::ordered_jobs::ordered_jobs;
use crate::{opening_file, weights, with_search_stack};
use goren_core::rules::{Outcome, Setup};
use goren_core::types::Color;

/// Games of a file that are played again before a run goes on.
const REPLAYED: usize = 4;

/// Plays games of five in a row.
pub(super) fn run(args: &Args, setup: Setup) -> Result<bool> {
    let stones = (args.min_stones, args.max_stones);
    let given = match &args.openings {
        Some(path) => opening_file::read(path, setup, None)?,
        None => Vec::new(),
    };
    let mut tally = Tally::default();
    let mut first = Vec::new();
    let mut writer = Writer::resume(&args.out, |game| {
        if game.seed != args.seed_of(tally.games) || game.setup != setup {
            bail!("{} holds games of another run", args.out.display());
        }
        tally.count(&game);
        if first.len() < REPLAYED {
            first.push(game);
        }
        Ok(())
    })?;
    let kept = tally.clone();
    if kept.games > 0 {
        println!("{}: {} games kept", args.out.display(), kept.games);
    }
    let enough = |tally: &Tally| match (args.games, args.positions) {
        (Some(games), _) => tally.games >= games,
        (_, positions) => positions.is_none_or(|positions| tally.positions >= positions),
    };
    let (total, things) = match (args.games, args.positions) {
        (Some(games), _) => (games, "games"),
        (_, positions) => (positions.unwrap_or(0), "positions"),
    };
    let bar = progress(total, things);
    let rules = Rules {
        nodes: args.nodes,
        jitter: args.jitter,
        random_move_rate: args.random_move_rate,
        random_move_plies: args.random_move_plies,
    };
    let weights = weights::load(args.weights.as_slice())?.of(setup.rule);
    let (nodes, max_score) = (args.nodes.div_ceil(2), args.max_score);
    let recipe = Recipe { setup, weights, stones, nodes, max_score };
    if !enough(&tally) {
        // A few are played again: the same settings make the same games.
        let again = with_search_stack(|| {
            let mut player = SelfPlayer::new(&rules, &recipe, &given)?;
            (0..first.len() as u64).map(|item| player.play(args.seed_of(item))).collect()
        });
        let again: Vec<Game> = again?;
        let name = args.out.display();
        ensure!(again == first, "{name} holds games of other settings, weights or versions");
    }
    let started = Instant::now();
    if !enough(&tally) {
        let state = || SelfPlayer::new(&rules, &recipe, &given);
        let work = |player: &mut SelfPlayer, item| player.play(args.seed_of(item));
        ordered_jobs(kept.games, args.threads, state, work, |_, game| {
            let game = game?;
            writer.write(&game)?;
            tally.count(&game);
            bar.set_position(if args.games.is_some() { tally.games } else { tally.positions });
            Ok(!enough(&tally))
        })?;
    }
    bar.finish_and_clear();
    let hours = started.elapsed().as_secs_f64() / 3600.0;
    let new = (tally.positions - kept.positions) as f64;
    println!(
        "{} games, {} positions, {:.2} bytes a position; Black won {}, White {}, {} drawn",
        tally.games,
        tally.positions,
        writer.bytes() as f64 / tally.positions.max(1) as f64,
        tally.won[0],
        tally.won[1],
        tally.drawn
    );
    if new > 0.0 {
        println!("{:.0} positions an hour on {} threads", new / hours.max(1e-9), args.threads);
    }
    Ok(true)
}

/// What the games of a file come to.
#[derive(Clone, Default)]
struct Tally {
    games: u64,
    positions: u64,
    won: [u64; 2],
    drawn: u64,
}

impl Tally {
    fn count(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        match game.result {
            Outcome::Win(Color::Black) => self.won[0] += 1,
            Outcome::Win(Color::White) => self.won[1] += 1,
            Outcome::Draw => self.drawn += 1,
        }
    }
}
