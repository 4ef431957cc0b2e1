//! `goren selfplay`: training games of the engine against itself.
//!
//! A game depends on nothing but its seed. `run/ordered_jobs.rs` runs the seeds on all
//! threads and passes the results on in order, so that a file does not depend
//! on the number of threads, and an interrupted run continues where its file
//! ends.

mod args;
mod chance;
mod file;
mod game;

use std::fs;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::data::seed_of;
use super::openings::{Recipe, progress};
use super::run::ordered_jobs::ordered_jobs;
use super::run::shard::Shard;
use super::{opening_file, weights, with_search_stack};
pub use args::Args;
pub(super) use chance::jittered;
use file::{TrainingFile, entry};
use game::SelfPlayer;
use goren_core::rules::{Contest, Outcome, Variant};
use goren_files::output_path;
use goren_notation::words::plural;
use goren_training_data::{Entry, FORMAT};

/// Games of a file that are played again before a run goes on.
const REPLAYED: u64 = 4;

/// Plays games until there are enough.
///
/// # Errors
/// Settings that contradict each other, a file of another run or one that
/// cannot be written, no memory for the searches.
pub fn run(args: &Args) -> Result<bool> {
    let (shard, stop) = (args.shard.shard()?, args.stop.watch());
    ensure!(
        shard.is_whole() || args.games.is_some(),
        "a part of a run takes --games: with --positions the parts would end at different games"
    );
    // Games begin with random stones, without an opening, and passes are not played.
    let contest = args.game.contest()?;
    let stones = (args.min_stones, args.max_stones);
    let (least, most) = stones;
    ensure!(least <= most, "at least {least} and at most {most} stones: that is nothing");
    let area = contest.width * contest.height;
    ensure!(most * 4 <= area, "{most} stones are too many for this board");
    let five = matches!(contest.variant, Variant::Five(_));
    ensure!(five || args.samples == 0, "--samples is only for five in a row");
    output_path::check(&args.out, &[args.openings.as_slice(), args.weights.as_slice()].concat())?;
    let given = args.openings.as_ref().map(|path| opening_file::read(path, &contest));
    let given = given.transpose()?.unwrap_or_default();
    let weights = weights::load(args.weights.as_slice(), &[contest.variant])?;
    let (nodes, max_score) = (args.nodes.div_ceil(2), args.max_score);
    let recipe = Recipe { contest, weights, stones, to_last_swap: false, nodes, max_score };
    let rules = args.rules();
    let player = || SelfPlayer::new(&rules, &recipe, &given);
    let seed = |item| seed_of(args.seed, shard.item(item));
    let play = |player: &mut SelfPlayer, item| -> Result<Option<Entry>> {
        let played = player.play(seed(item), stop)?;
        played.map(|played| entry(&contest, &played)).transpose()
    };

    let (mut tally, mut first) = (SelfplayTotals::default(), Vec::new());
    let header = header(args, shard, &contest);
    let mut file = TrainingFile::open(&args.out, &contest, &header, seed, |entry| {
        tally.count(&entry);
        if tally.games <= REPLAYED {
            first.push(entry);
        }
    })?;
    let (kept, name) = (tally.clone(), args.out.display());
    if kept.games > 0 {
        println!("{name}: {} games kept", kept.games);
    }
    let (total, things) = args.total(shard);
    let bar = progress(total, things);
    let done =
        |tally: &SelfplayTotals| if args.games.is_some() { tally.games } else { tally.positions };
    let started = Instant::now();
    // A few are played again, even if there are enough: the same settings make the same games.
    let again: Result<Vec<Option<Entry>>> = with_search_stack(|| {
        let mut player = player()?;
        (0..first.len() as u64).map(|item| play(&mut player, item)).collect()
    });
    let same = again?.iter().flatten().zip(&first).all(|(again, first)| again == first);
    ensure!(same, "{name} holds games of other settings, weights or versions");
    // A part without games is a part, too.
    file.note_settings(&args.out, &header, shard)?;
    if done(&tally) < total {
        ordered_jobs(kept.games, args.concurrency(), player, play, |_, entry| {
            // Nothing behind a game that was stopped.
            let Some(entry) = entry? else { return Ok(false) };
            file.append(&entry)?;
            tally.count(&entry);
            bar.set_position(done(&tally));
            Ok(done(&tally) < total && stop.asked().is_none())
        })?;
    }
    bar.finish_and_clear();
    report(args, &tally, &kept, started)?;
    if done(&tally) < total {
        return Err(stop.stopped("the same command goes on with it").into());
    }
    Ok(true)
}

/// Prints what the games of the file come to, and how fast the new ones were.
fn report(
    args: &Args,
    tally: &SelfplayTotals,
    kept: &SelfplayTotals,
    started: Instant,
) -> Result<()> {
    let SelfplayTotals { games, positions, sampled, won, drawn, unfinished } = tally;
    let bytes = fs::metadata(&args.out)?.len() as f64 / (positions + sampled).max(1) as f64;
    let also = if *sampled > 0 { format!(" and {sampled} sampled") } else { String::new() };
    println!(
        "{games} games, {positions} positions{also}, {bytes:.2} bytes a position; Black won {}, \
         White {}, {drawn} drawn, {unfinished} broken off",
        won[0], won[1]
    );
    let hours = (started.elapsed().as_secs_f64() / 3600.0).max(1e-9);
    let new = positions + sampled - kept.positions - kept.sampled;
    if new > 0 {
        let hourly = new as f64 / hours;
        let threads = plural(args.concurrency(), "thread", "threads");
        println!("{hourly:.0} positions an hour on {threads}");
    }
    Ok(())
}

/// The settings that the games of a run depend on.
fn header(args: &Args, shard: Shard, contest: &Contest) -> Value {
    let name =
        |path: &Option<std::path::PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let mut header = json!({
        "format": FORMAT,
        "game": contest.variant.to_string(),
        "width": contest.width,
        "height": contest.height,
        "nodes": args.nodes,
        "jitter": args.jitter,
        "random_moves": args.random_move_rate,
        "random_move_plies": args.random_move_plies,
        "openings": name(&args.openings),
        "stones": [args.min_stones, args.max_stones],
        "max_score": args.max_score,
        "seed": args.seed,
        "shard": shard.header(),
        "weights": name(&args.weights),
    });
    // Parts that were begun before there was such a setting go on.
    if args.samples > 0 {
        header["samples"] = args.samples.into();
    }
    header
}

/// Totals of the games of a file.
#[derive(Clone, Default)]
struct SelfplayTotals {
    games: u64,
    positions: u64,
    sampled: u64,
    won: [u64; 2],
    drawn: u64,
    unfinished: u64,
}

impl SelfplayTotals {
    fn count(&mut self, entry: &Entry) {
        self.games += 1;
        self.positions += entry.searched().len() as u64;
        self.sampled += entry.sampled().len() as u64;
        match entry.result() {
            Some(Outcome::Win(color)) => self.won[color.index()] += 1,
            Some(Outcome::Draw) => self.drawn += 1,
            None => self.unfinished += 1,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::Writer;
    use crate::test_args::parse;
    use goren_training_data::{PackedGame, Reader};

    pub fn args(line: &str) -> Args {
        parse(line).unwrap()
    }

    #[test]
    fn an_interrupted_run_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let play = |name: &str, more: &str| {
            run(&args(&format!("--out {} --nodes 40 --max-score 500 {more}", at(name).display())))
        };
        let bytes = |name: &str| fs::read(at(name)).unwrap();
        let play_sampled = |name: &str, more: &str| play(name, &format!("--samples 1 {more}"));
        play_sampled("sampled", "--games 4").unwrap();
        play_sampled("parts", "--games 1").unwrap();
        play_sampled("parts", "--games 4").unwrap();
        assert_eq!(bytes("parts"), bytes("sampled"));
        let other = play("sampled", "--games 9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        fs::remove_file(at("parts")).unwrap();
        let pente = run(&args(&format!(
            "--out {} --game pente --samples 1 --games 1",
            at("pente").display()
        )));
        assert!(pente.unwrap_err().to_string().contains("five in a row"));

        play("whole", "--games 6 --concurrency 2").unwrap();
        play("parts", "--games 2 -c 1").unwrap();
        let cut = bytes("parts").len() - 5;
        fs::write(at("parts"), &bytes("parts")[..cut]).unwrap();
        play("parts", "--games 6 --concurrency 3").unwrap();
        assert_eq!(bytes("parts"), bytes("whole"));

        let games = |name: &str| -> Vec<PackedGame> {
            let reader = Reader::open(&at(name)).unwrap();
            reader.map(Result::unwrap).collect()
        };
        let other = play("whole", "--games 9 --seed 2").unwrap_err();
        assert!(other.to_string().contains("another run"), "{other}");
        let other = play("whole", "--games 9 --astray 0.9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        // It has as many games as are asked for.
        let other = play("whole", "--games 6 --astray 0.9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        play("whole", "--games 6").unwrap();
        assert_eq!(games("whole").len(), 6);
        let lock = Writer::resume(&at("whole"), |_| Ok(())).unwrap();
        let other = play("whole", "--games 9").unwrap_err();
        assert!(other.to_string().contains("another run writes"), "{other}");
        drop(lock);
    }

    #[test]
    fn games_beyond_five_in_a_row_are_lines_and_go_on_too() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let openings = at("openings.txt");
        fs::write(&openings, "j10 i9,k11\nj10 k10,k11\n").unwrap();
        let play = |name: &str, more: &str| {
            let out = at(name);
            let given = format!("--game connect6 --openings {}", openings.display());
            run(&args(&format!("--out {} --nodes 30 {given} {more}", out.display())))
        };
        let text = |name: &str| fs::read_to_string(at(name)).unwrap();
        play("whole", "--games 4").unwrap();
        play("parts", "--positions 1 --concurrency 1").unwrap();
        assert_eq!(text("parts").lines().count(), 2);
        play("parts", "--games 4").unwrap();
        assert_eq!(text("parts"), text("whole"));
        assert!(text("whole").lines().skip(1).all(|line| line.contains("\"opening\":[\"j10\",\"")));
        let other = format!("{:#}", play("whole", "--games 9 --seed 2").unwrap_err());
        assert!(other.contains("other settings"), "{other}");
        let former = text("whole").replacen("\"format\":\"goren selfplay 2\",", "", 1);
        fs::write(at("whole"), former).unwrap();
        let other = format!("{:#}", play("whole", "--games 9").unwrap_err());
        assert!(other.contains("another version of Goren began it"), "{other}");
    }
}
