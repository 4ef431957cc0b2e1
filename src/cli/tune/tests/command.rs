//! The command as a whole, on small files of random games.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Parser;
use tempfile::tempdir;

use super::super::args::BoardSide;
use super::super::{Args, run};
use super::random_game;
use crate::data::PackedWriter;
use crate::selfplay;
use goren_core::rules::{Contest, Excuse, Fouls, Freestyle, Renju, Rule, RuleId, Setup, Variant};
use goren_core::types::Color;
use goren_engine::eval::tuple_codes::WINDOW_CODES;
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::eval::{WeightFile, Weights};
use goren_engine::pattern::{CODES, Class, class_of};
use goren_engine::{WeightSet, new_position};

/// The command on a file of games of a rule.
fn args(folder: &Path, rule: RuleId, data: &str, out: &str) -> Args {
    Args {
        data: vec![folder.join(data)],
        game: Variant::Five(rule),
        size: BoardSide(None),
        out: folder.join(out),
        plot: None,
        base: None,
        learn_on: false,
        epochs: 3,
        net_epochs: 2,
        net_rate: 0.02,
        window_epochs: 0,
        window_rate: 0.05,
        policy_epochs: 0,
        policy_rate: 0.02,
        batch: 256,
        rate: 0.05,
        lambda: 0.5,
        td_lambda: 0.0,
        scale: 200.0,
        fit_scale: false,
        valid: 0.2,
        positions: 100_000,
        seed: 1,
        threads: 1,
        whole_games: false,
        resume: false,
    }
}

fn write_games<R: Rule>(folder: &Path, name: &str, count: u64) -> PathBuf {
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    let mut writer = PackedWriter::resume(&path, |_| Ok(())).unwrap();
    for seed in 0..count {
        writer.write(&random_game::<R>(15, seed)).unwrap();
    }
    path
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_threads() {
    let folder = tempdir().unwrap();
    for rule in [RuleId::Renju, RuleId::Freestyle] {
        match rule {
            RuleId::Renju => write_games::<Renju>(folder.path(), "data", 60),
            _ => write_games::<Freestyle>(folder.path(), "data", 60),
        };
        let file = |change: fn(&mut Args)| {
            let mut args = Args {
                plot: Some(folder.path().join("loss.svg")),
                ..args(folder.path(), rule, "data", "out.bin")
            };
            change(&mut args);
            assert!(run(&args).unwrap());
            std::fs::read(&args.out).unwrap()
        };
        let first = file(|_| {});
        assert!(file(|args| args.threads = 3) == first);
        assert!(file(|args| args.seed = 2) != first);
        let weights = Weights::read(&first, rule).unwrap();
        // Learning on changes everything but the sums, and nothing with tiny steps.
        let learn_on = |rate: f32| {
            let mut args = args(folder.path(), rule, "data", "on.bin");
            (args.base, args.learn_on) = (Some(folder.path().join("out.bin")), true);
            (args.rate, args.net_rate) = (rate, rate);
            run(&args).unwrap();
            std::fs::read(&args.out).unwrap()
        };
        let base =
            Weights::read(&std::fs::read(folder.path().join("out.bin")).unwrap(), rule).unwrap();
        let learnt = Weights::read(&learn_on(0.05), rule).unwrap();
        for color in Color::ALL {
            let (was, is) = (base.side(color), learnt.side(color));
            assert!(
                was.to_move == is.to_move
                    && was.waiting == is.waiting
                    && was.policy_own != is.policy_own
            );
            assert!(base.net_side(color) != learnt.net_side(color));
        }
        assert!(Weights::read(&learn_on(1e-9), rule).unwrap() == base);
        // Each colour of renju has weights of its own.
        assert_eq!(
            weights.side(Color::Black) == weights.side(Color::White),
            !rule.card().has_fouls()
        );
        // The strongest moves come first, even if the data hardly have them.
        let side = weights.side(Color::White);
        let least = |class| {
            (0..CODES)
                .filter(|&c| class_of(c as u16, Fouls::NONE, Excuse::None) == class)
                .map(|c| side.policy_own[c])
                .min()
                .unwrap()
        };
        assert!(least(Class::Five) >= 3000 && least(Class::OpenFour) >= 1500);
        // The engine takes the weights.
        let setup = Setup::new(rule, 15, 15).unwrap();
        let mut set = WeightSet::default();
        set.insert(WeightFile::Five(Box::new(weights)));
        new_position(&Contest::five(setup), &set);
        assert!(std::fs::read_to_string(folder.path().join("loss.svg")).unwrap().contains("svg"));
        assert!(folder.path().join("loss-order.svg").exists());
    }
}

#[derive(clap::Parser)]
struct SelfPlay {
    #[command(flatten)]
    args: selfplay::Args,
}

#[test]
fn weights_of_other_games_get_window_policy_and_a_network() {
    let folder = tempdir().unwrap();
    let games = folder.path().join("data");
    let words = ["selfplay", "--game", "pente", "--games", "30", "--nodes", "80", "--out"];
    let words = words.map(OsStr::new).into_iter().chain([games.as_os_str()]);
    assert!(selfplay::run(&SelfPlay::parse_from(words).args).unwrap());
    let file = |net_epochs, threads| {
        let game = Variant::from_name("pente").unwrap();
        let usual = args(folder.path(), RuleId::Freestyle, "data", "out.bin");
        let args = Args { game, net_epochs, threads, ..usual };
        assert!(run(&args).unwrap());
        std::fs::read(&args.out).unwrap()
    };
    let weights = |bytes: &[u8]| match WeightFile::read(bytes).unwrap() {
        WeightFile::Tuples(_, weights) => weights,
        WeightFile::Five(_) => panic!("five in a row"),
    };
    let bytes = file(2, 1);
    assert!(file(2, 3) == bytes);
    let (with_net, without) = (weights(&bytes), weights(&file(0, 1)));
    assert!(with_net.net().is_some() && without.net().is_none());
    let values = |weights: &TupleWeights| {
        let values = (0..WINDOW_CODES).map(|code| weights.window_policy(code as u16).unwrap());
        values.collect::<Vec<_>>()
    };
    assert!(values(&with_net) == values(&without) && values(&without).iter().any(|&v| v != 0));
}

/// Runs the command and keeps a copy of its last checkpoint; returns the weights file.
fn run_and_copy_checkpoint(args: &Args, copy: &Path) -> Vec<u8> {
    let checkpoint = args.out.with_extension("bin.checkpoint");
    std::thread::scope(|scope| {
        let running = scope.spawn(|| run(args).unwrap());
        while !running.is_finished() {
            // Each checkpoint replaces the one before as a whole.
            if let Ok(bytes) = std::fs::read(&checkpoint) {
                std::fs::write(copy, bytes).unwrap();
            }
        }
    });
    assert!(!checkpoint.exists(), "a finished run leaves no checkpoint");
    std::fs::read(&args.out).unwrap()
}

#[test]
fn an_interrupted_run_resumes_to_the_same_weights() {
    let folder = tempdir().unwrap();
    write_games::<Freestyle>(folder.path(), "data", 60);
    let copy = folder.path().join("copy");
    let mut fit = args(folder.path(), RuleId::Freestyle, "data", "out.bin");
    let uninterrupted = run_and_copy_checkpoint(&fit, &copy);
    let checkpoint = folder.path().join("out.bin.checkpoint");
    std::fs::copy(&copy, &checkpoint).unwrap();
    std::fs::remove_file(&fit.out).unwrap();
    // Without --resume the work of the interrupted run is not lost.
    let refused = |args: &Args| format!("{:#}", run(args).unwrap_err());
    let there = refused(&fit);
    assert!(there.contains("continue it with --resume, or delete it"), "{there}");
    let other = refused(&Args { resume: true, seed: 2, ..fit.clone() });
    assert!(other.contains("seed was 1, is 2"), "{other}");
    fit.resume = true;
    assert!(run(&Args { threads: 2, ..fit.clone() }).unwrap());
    assert!(std::fs::read(&fit.out).unwrap() == uninterrupted);
    assert!(!checkpoint.exists());
    // Other data of the same name.
    std::fs::copy(&copy, &checkpoint).unwrap();
    write_games::<Freestyle>(folder.path(), "data", 61);
    let data = refused(&fit);
    assert!(data.contains("bytes of data 1 was"), "{data}");
    // Damage.
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, bytes).unwrap();
    let damaged = refused(&fit);
    assert!(damaged.contains("is damaged: its checksum is wrong"), "{damaged}");
}

#[test]
fn window_features_are_fitted_to_the_network_of_the_base() {
    let folder = tempdir().unwrap();
    write_games::<Freestyle>(folder.path(), "data", 60);
    let fit = Args {
        window_epochs: 2,
        plot: Some(folder.path().join("loss.svg")),
        ..args(folder.path(), RuleId::Freestyle, "data", "out.bin")
    };
    let copy = folder.path().join("copy");
    let uninterrupted = run_and_copy_checkpoint(&fit, &copy);
    assert!(folder.path().join("loss.svg").exists());
    let base = Weights::embedded(RuleId::Freestyle);
    let fitted = Weights::read(&uninterrupted, RuleId::Freestyle).unwrap();
    for color in Color::ALL {
        let (was, is) = (base.net_side(color).unwrap(), fitted.net_side(color).unwrap());
        assert!(is.windows.is_some() && is.windows != was.windows);
        assert!(is.to_move == was.to_move && is.layers != was.layers);
        assert!(fitted.side(color) == base.side(color));
        assert!(fitted.policy_side(color) == base.policy_side(color));
    }
    std::fs::copy(&copy, folder.path().join("out.bin.checkpoint")).unwrap();
    assert!(run(&Args { resume: true, threads: 2, ..fit.clone() }).unwrap());
    assert!(std::fs::read(&fit.out).unwrap() == uninterrupted);
    let traced =
        Args { td_lambda: 0.8, out: folder.path().join("traced.bin"), plot: None, ..fit.clone() };
    assert!(run(&traced).unwrap());
    assert!(std::fs::read(&traced.out).unwrap() != uninterrupted);
    let alone = run(&Args { window_epochs: 0, ..traced }).unwrap_err();
    assert_eq!(alone.to_string(), "--td-lambda needs --window-epochs");
    let pente = crate::variant::game("pente").unwrap();
    let other = run(&Args { game: pente, ..fit.clone() }).unwrap_err();
    assert_eq!(other.to_string(), "--window-epochs and --policy-epochs are for five in a row");
    // Learning on without epochs of the network keeps it and its features.
    let learnt = Args {
        window_epochs: 0,
        net_epochs: 0,
        learn_on: true,
        base: Some(fit.out.clone()),
        plot: None,
        ..args(folder.path(), RuleId::Freestyle, "data", "on.bin")
    };
    run(&learnt).unwrap();
    let learnt = Weights::read(&std::fs::read(&learnt.out).unwrap(), RuleId::Freestyle).unwrap();
    assert!(learnt.net_side(Color::White) == fitted.net_side(Color::White));
}

#[test]
fn bad_data_is_refused_and_leaves_no_file() {
    let folder = tempdir().unwrap();
    let path = write_games::<Freestyle>(folder.path(), "data", 20);
    let refused = |args: &Args| {
        let error = format!("{:#}", run(args).unwrap_err());
        assert!(!args.out.exists());
        error
    };
    let other = refused(&args(folder.path(), RuleId::Standard, "data", "out.bin"));
    assert!(other.contains("no games of standard among the 20"), "{other}");
    let other = refused(&args(folder.path(), RuleId::CaroExact, "data", "out.bin"));
    assert!(other.contains("weights of caro"), "{other}");
    let missing = refused(&args(folder.path(), RuleId::Freestyle, "nothing", "out.bin"));
    assert!(missing.contains("nothing"), "{missing}");
    // A file of another game, or of none: there are no games before the fault.
    let irensei = Variant::from_name("irensei").unwrap();
    let five = Args { game: irensei, ..args(folder.path(), RuleId::Freestyle, "data", "out.bin") };
    let other = refused(&five);
    assert!(other.contains("games of five in a row, not of irensei"), "{other}");
    std::fs::write(folder.path().join("crlf"), "h8 i9\r\n").unwrap();
    let other = refused(&args(folder.path(), RuleId::Freestyle, "crlf", "out.bin"));
    assert!(other.contains("crlf: game 1 at byte 0: no training game begins here"), "{other}");
    assert!(!other.contains("--whole-games") && other.ends_with("leave the file out"), "{other}");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let mut cut = args(folder.path(), RuleId::Freestyle, "data", "out.bin");
    let short = refused(&cut);
    assert!(short.contains("cut short") && short.contains("at byte"), "{short}");
    let no_folder = Args {
        out: folder.path().join("no/such/folder/out.bin"),
        whole_games: true,
        ..cut.clone()
    };
    assert!(refused(&no_folder).contains("no folder"));
    cut.whole_games = true;
    assert!(run(&cut).unwrap());
    assert!(cut.out.exists());
    // Base weights of another rule.
    let base = folder.path().join("base.bin");
    std::fs::write(&base, Weights::embedded(RuleId::Renju).write()).unwrap();
    let wrong = Args { base: Some(base), out: folder.path().join("other.bin"), ..cut };
    assert!(refused(&wrong).contains("for renju, not for freestyle"));
}
