//! `goren selfplay`: training games of the engine against itself.
//!
//! With given settings a game depends only on its seed. `run/ordered_jobs.rs` runs the
//! seeds on all threads and passes the results on in order, so that a file does not
//! depend on the number of threads, and an interrupted run continues where its file
//! ends.

mod args;
mod chance;
mod file;
mod game;

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::data::seed_of;
use super::openings::{Recipe, progress};
use super::run::checksum::{CHECKSUMS, of_embedded, of_file};
use super::run::ordered_jobs::ordered_jobs;
use super::run::shard::Shard;
use super::run::stop::CONTINUED;
use super::{opening_file, with_search_stack};
pub use args::Args;
pub(super) use chance::jittered;
use file::{TrainingFile, training_game};
use game::SelfPlayer;
use goren_core::rules::{Contest, Outcome, Variant};
use goren_files::output_path;
use goren_notation::words::plural;
use goren_training_data::{FORMAT, TrainingGame};

/// Games of a file that are replayed before a run continues.
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
        "--shard needs --games: with --positions the parts would end at different games"
    );
    // Games begin with random stones, without an opening, and passes are not played.
    let contest = args.game.contest()?;
    let stones = (args.min_stones, args.max_stones);
    let (min, max) = stones;
    ensure!(min <= max, "--min-stones {min} is above --max-stones {max}");
    let area = contest.width * contest.height;
    ensure!(max <= area / 4, "{max} stones are too many for this board");
    let five = matches!(contest.variant, Variant::Five(_));
    ensure!(five || args.samples == 0, "--samples is only for five in a row");
    let inputs = [args.openings.as_slice(), args.weights.file.as_slice()].concat();
    output_path::check(&args.out, &inputs)?;
    let given = args.openings.as_ref().map(|path| opening_file::read(path, &contest));
    let given = given.transpose()?.unwrap_or_default();
    let weights = args.weights.load(contest.variant)?;
    let (nodes, max_score) = (args.nodes.div_ceil(2), args.max_score);
    let recipe = Recipe { contest, weights, stones, to_last_swap: false, nodes, max_score };
    let conditions = args.conditions();
    let player = || SelfPlayer::new(&conditions, &recipe, &given);
    let seed = |item| seed_of(args.seed, shard.item(item));
    let play = |player: &mut SelfPlayer, item| -> Result<Option<TrainingGame>> {
        let played = player.play(seed(item), stop)?;
        played.map(|played| training_game(&contest, &played)).transpose()
    };

    let (mut tally, mut first) = (SelfplayTotals::default(), Vec::new());
    let header = header(args, shard, &contest);
    let mut file = TrainingFile::open(&args.out, &contest, &header, seed, |game| {
        tally.count(&game);
        if tally.games <= REPLAYED {
            first.push(game);
        }
    })?;
    let (existing, name) = (tally.clone(), args.out.display());
    if existing.games > 0 {
        println!("{name}: {} kept", plural(existing.games, "game", "games"));
    }
    let (total, things) = args.total(shard);
    let bar = progress(total, things);
    let done =
        |tally: &SelfplayTotals| if args.games.is_some() { tally.games } else { tally.positions };
    let started = Instant::now();
    // Replays a few games, even if there are enough: equal settings give equal games.
    let replayed: Result<Vec<Option<TrainingGame>>> = with_search_stack(|| {
        let mut player = player()?;
        (0..first.len() as u64).map(|item| play(&mut player, item)).collect()
    });
    let same = replayed?.iter().flatten().zip(&first).all(|(replayed, first)| replayed == first);
    ensure!(same, "{name} holds games of other settings, weights or versions");
    // A part without games is a part, too.
    file.note_settings(&args.out, &header, shard)?;
    if done(&tally) < total {
        ordered_jobs(existing.games, args.concurrency(), player, play, |_, game| {
            // No game after one that was stopped.
            let Some(game) = game? else { return Ok(false) };
            file.append(&game)?;
            tally.count(&game);
            bar.set_position(done(&tally));
            Ok(done(&tally) < total && stop.asked().is_none())
        })?;
    }
    bar.finish_and_clear();
    report(args, &tally, &existing, started)?;
    if done(&tally) < total {
        return Err(stop.stopped(CONTINUED).into());
    }
    Ok(true)
}

/// Prints the totals of the file, and the speed of the new games.
fn report(
    args: &Args,
    tally: &SelfplayTotals,
    existing: &SelfplayTotals,
    started: Instant,
) -> Result<()> {
    let SelfplayTotals { games, positions, sampled, won, drawn, unfinished } = tally;
    let bytes = fs::metadata(&args.out)?.len() as f64 / (positions + sampled).max(1) as f64;
    let extra = if *sampled > 0 { format!(" and {sampled} sampled") } else { String::new() };
    let games = plural(*games, "game", "games");
    let searched = plural(*positions, "position", "positions");
    println!(
        "{games}, {searched}{extra}, {bytes:.2} bytes a position; Black won {}, White {}, {drawn} \
         drawn, {unfinished} broken off",
        won[0], won[1]
    );
    let hours = (started.elapsed().as_secs_f64() / 3600.0).max(1e-9);
    let new = positions + sampled - existing.positions - existing.sampled;
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
        "weights": name(&args.weights.file),
    });
    // Only if set, so that parts begun before these settings existed can be resumed.
    if args.samples > 0 {
        header["samples"] = args.samples.into();
    }
    if let Some(nodes) = args.sample_nodes {
        header["sample_nodes"] = nodes.into();
    }
    let openings = args.openings.as_deref().and_then(of_file);
    let weights = match &args.weights.file {
        Some(path) => of_file(path),
        None => of_embedded(contest.variant),
    };
    let sums = [("openings_checksum", openings), ("weights_checksum", weights)];
    let sums: BTreeMap<&str, u32> =
        sums.into_iter().filter_map(|(key, sum)| Some((key, sum?))).collect();
    if !sums.is_empty() {
        header[CHECKSUMS] = json!(sums);
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
    fn count(&mut self, game: &TrainingGame) {
        self.games += 1;
        self.positions += game.searched().len() as u64;
        self.sampled += game.sampled().len() as u64;
        match game.result() {
            Some(Outcome::Win(color)) => self.won[color.index()] += 1,
            Some(Outcome::Draw) => self.drawn += 1,
            None => self.unfinished += 1,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::{PackedWriter, join};
    use crate::test_args::parse;
    use goren_core::rules::RuleId;
    use goren_engine::eval::{Side, Weights};
    use goren_training_data::{PackedGame, PackedReader};

    pub fn args(line: &str) -> Args {
        parse(line).unwrap()
    }

    #[test]
    fn an_interrupted_run_is_resumed() {
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
        for more in ["--games 9", "--games 9 --samples 1 --sample-nodes 80"] {
            let other = play("sampled", more).unwrap_err();
            assert!(other.to_string().contains("other settings"), "{other}");
        }
        play("deeper", "--games 4 --samples 1 --sample-nodes 80").unwrap();
        assert_ne!(bytes("deeper"), bytes("sampled"));
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
            let reader = PackedReader::open(&at(name)).unwrap();
            reader.map(Result::unwrap).collect()
        };
        let other = play("whole", "--games 9 --seed 2").unwrap_err();
        assert!(other.to_string().contains("another run"), "{other}");
        let other = play("whole", "--games 9 --astray 0.9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        // Also if the file already has as many games as requested.
        let other = play("whole", "--games 6 --astray 0.9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        play("whole", "--games 6").unwrap();
        assert_eq!(games("whole").len(), 6);
        let lock = PackedWriter::resume(&at("whole"), |_| Ok(())).unwrap();
        let other = play("whole", "--games 9").unwrap_err();
        assert!(other.to_string().contains("another run writes"), "{other}");
        drop(lock);
    }

    /// Regression: parts with different weights of the same name were joined into one run.
    #[test]
    fn parts_with_different_weights_are_not_joined() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let part = |number: u64, value: i16| {
            let mut side = Side::ZERO;
            side.to_move[1] = value;
            let weights = Weights::new(RuleId::Freestyle, &[side.clone(), side]);
            fs::write(at("w.bin"), weights.write()).unwrap();
            let (out, weights) = (at(&format!("part-{number}")), at("w.bin"));
            let (out, weights) = (out.display(), weights.display());
            let line = format!("--games 2 --nodes 20 --max-score 20000 --shard {number}/2");
            run(&args(&format!("{line} --out {out} --weights {weights}"))).unwrap();
        };
        let parts = [1, 2].map(|number| at(&format!("part-{number}")));
        part(1, 0);
        part(2, 1);
        let error = format!("{:#}", join(&at("whole"), &parts).unwrap_err());
        assert!(error.contains("settings: weights_checksum was "), "{error}");
        fs::remove_file(&parts[1]).unwrap();
        part(2, 0);
        assert!(join(&at("whole"), &parts).unwrap());
        // Former versions wrote no checksums.
        let settings = at("part-1.settings");
        let text = fs::read_to_string(&settings).unwrap();
        let mut header: Value = serde_json::from_str(&text).unwrap();
        header.as_object_mut().unwrap().remove(CHECKSUMS);
        fs::write(&settings, format!("{header}\n")).unwrap();
        assert!(join(&at("whole"), &parts).unwrap());
    }

    /// Regression: parts by versions with different embedded weights were joined.
    #[test]
    fn the_embedded_weights_are_among_the_settings() {
        for game in ["renju", "caro-exact", "pente"] {
            let usual = args(&format!("--game {game} --games 2 --out x"));
            let header = header(&usual, Shard::WHOLE, &usual.game.contest().unwrap());
            assert!(header[CHECKSUMS]["weights_checksum"].is_u64(), "{game}");
        }
    }

    #[test]
    fn runs_beyond_five_in_a_row_are_resumed() {
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
