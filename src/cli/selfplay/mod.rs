//! `goren selfplay`: training games of the engine against itself.

mod family;
mod game;
pub(super) mod record;

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use super::data::{Game, Writer};
use super::in_order::in_order;
use super::opening_file;
use super::openings::{Recipe, default_threads, progress};
use super::variant;
use super::{weights, with_search_stack};
pub(super) use game::jittered;
use game::{Player, Rules};
use goren_core::rules::{self, Outcome, Setup};
use goren_core::types::{Color, Score, keys};

/// Nobody is led astray to a move that costs more than this, in points.
const BLUNDER: Score = 200;
/// Games of a file that are played again before a run goes on.
const REPLAYED: usize = 4;

/// Arguments of `goren selfplay`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: variant::Game,
    /// The file of games. If it exists, the run it belongs to is continued.
    #[arg(long)]
    out: PathBuf,
    /// Games to be in the file in the end.
    #[arg(long, required_unless_present = "positions")]
    games: Option<u64>,
    /// Searched positions to be in the file in the end (five in a row).
    #[arg(long, conflicts_with = "games")]
    positions: Option<u64>,
    /// Nodes a move, on average.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// By which part of them the nodes of a move vary at random.
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    jitter: f64,
    /// Chance that a move of the first plies is the best of the others.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    astray: f64,
    /// How many plies after the opening these are.
    #[arg(long, default_value_t = 10)]
    astray_plies: usize,
    /// Begin with the openings of this file instead of new ones (five in a
    /// row).
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Fewest stones of new openings.
    #[arg(long, default_value_t = 2)]
    min_stones: usize,
    /// Most stones of new openings.
    #[arg(long, default_value_t = 8)]
    max_stones: usize,
    /// Largest score of new openings for either side, in points.
    #[arg(long, default_value_t = 150)]
    max_score: Score,
    /// Play by this file of weights instead of those of the engine.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Games of the same seed and settings are the same, on any machine and
    /// any number of threads.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Part I of N of the games, as `I/N`; the parts together are the whole.
    #[arg(long, default_value = "1/1", value_parser = shard)]
    shard: Shard,
    /// Games played at the same time.
    #[arg(long, default_value_t = default_threads())]
    threads: usize,
}

/// Every `of`th game from the `number`th (from 1) on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Shard {
    number: u64,
    of: u64,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("a shard is I/N with I from 1 to N, such as 2/8".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is needed".into())
}

impl Args {
    /// The seed of the `item`th game of the file.
    fn seed_of(&self, item: u64) -> u64 {
        let index = item * self.shard.of + self.shard.number - 1;
        keys::mix(keys::mix(self.seed) ^ index)
    }
}

/// Plays games until there are enough.
///
/// # Errors
/// Settings that contradict each other, a file of another run or one that
/// cannot be written, no memory for the searches.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.game.contest()?;
    ensure!(!args.game.is_opened(), "training games begin with random stones, not by --opening");
    let stones = (args.min_stones, args.max_stones);
    ensure!(stones.0 <= stones.1, "at least {} and at most {} stones", stones.0, stones.1);
    let area = contest.width * contest.height;
    ensure!(stones.1 * 4 <= area, "{} stones are too many for this board", stones.1);
    if let Some(folder) = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    match contest.variant {
        rules::Variant::Five(rule) => five(args, Setup::new(rule, contest.width, contest.height)?),
        _ => family::run(args, contest),
    }
}

/// Plays games of five in a row.
fn five(args: &Args, setup: Setup) -> Result<bool> {
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
        astray: args.astray,
        astray_plies: args.astray_plies,
    };
    let weights = weights::load(args.weights.as_slice())?.of(setup.rule);
    let (nodes, max_score) = (args.nodes.div_ceil(2), args.max_score);
    let recipe = Recipe { setup, weights, stones, nodes, max_score };
    if !enough(&tally) {
        // A few are played again: the same settings make the same games.
        let again = with_search_stack(|| {
            let mut player = Player::new(&rules, &recipe, &given)?;
            (0..first.len() as u64).map(|item| player.play(args.seed_of(item))).collect()
        });
        let again: Vec<Game> = again?;
        let name = args.out.display();
        ensure!(again == first, "{name} holds games of other settings, weights or versions");
    }
    let started = Instant::now();
    if !enough(&tally) {
        let state = || Player::new(&rules, &recipe, &given);
        let work = |player: &mut Player, item| player.play(args.seed_of(item));
        in_order(kept.games, args.threads, state, work, |_, game| {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    pub fn args(line: &str) -> Args {
        Cli::parse_from(format!("selfplay {line}").split(' ')).args
    }

    #[test]
    fn an_interrupted_run_goes_on_and_shards_make_the_whole() {
        let folder = std::env::temp_dir().join(format!("goren-selfplay-{}", std::process::id()));
        let at = |name: &str| folder.join(name).display().to_string();
        let play = |name: &str, more: &str| {
            run(&args(&format!("--out {} --nodes 40 --max-score 500 {more}", at(name))))
        };
        let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
        play("whole", "--games 6 --threads 2").unwrap();
        play("parts", "--games 2 --threads 1").unwrap();
        let cut = bytes("parts").len() - 5;
        fs::write(folder.join("parts"), &bytes("parts")[..cut]).unwrap();
        play("parts", "--games 6 --threads 3").unwrap();
        assert_eq!(bytes("parts"), bytes("whole"));

        play("odd", "--games 3 --shard 1/2").unwrap();
        play("even", "--games 3 --shard 2/2").unwrap();
        let games = |name: &str| -> Vec<Game> {
            let reader = super::super::data::Reader::open(&folder.join(name)).unwrap();
            reader.map(Result::unwrap).collect()
        };
        let (odd, even) = (games("odd"), games("even"));
        let woven: Vec<Game> = odd.into_iter().zip(even).flat_map(|(a, b)| [a, b]).collect();
        assert_eq!(woven, games("whole"));

        let other = play("whole", "--games 9 --seed 2").unwrap_err();
        assert!(other.to_string().contains("another run"), "{other}");
        let other = play("whole", "--games 9 --astray 0.9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        assert_eq!(games("whole").len(), 6);
        let lock = Writer::resume(&folder.join("whole"), |_| Ok(())).unwrap();
        let other = play("whole", "--games 9").unwrap_err();
        assert!(other.to_string().contains("another run writes"), "{other}");
        drop(lock);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!(shard("2/8"), Ok(Shard { number: 2, of: 8 }));
        for bad in ["0/8", "9/8", "1", "a/b", "1/0", ""] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
