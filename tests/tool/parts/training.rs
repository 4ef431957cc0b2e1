//! Parts of self-play, and folders that are full for a while.

use std::fs;

use crate::support::{Folder, Run, goren};

fn selfplay(games: u32, more: &str) -> Run {
    goren(&format!("selfplay --nodes 60 --max-score 500 --games {games} {more}"))
}

#[test]
fn the_parts_of_self_play_make_the_whole_file() {
    for game in ["", "--game connect6 --size 11"] {
        let folder = Folder::new();
        let play = |name: &str, more: &str| {
            selfplay(11, &format!("{game} --out {} {more}", folder.path(name)))
        };
        play("whole", "--concurrency 2").runs();
        let names: Vec<String> = (1..=4).map(|part| format!("part-{part}")).collect();
        for (number, name) in (1..).zip(&names) {
            let output = play(name, &format!("--shard {number}/4 --concurrency 1")).runs();
            let games = if number < 4 { "3 games," } else { "2 games," };
            assert!(output.contains(games), "{output}");
        }
        let files: Vec<String> = names.iter().map(|name| folder.path(name)).collect();
        let all = folder.path("all");
        let merge = |parts: &[usize]| {
            let parts = parts.iter().map(|&part| files[part].as_str());
            let args: Vec<&str> = std::iter::once(all.as_str()).chain(parts).collect();
            goren("merge").args(&args)
        };
        let output = merge(&[3, 0, 1]).fails();
        assert!(output.contains("8 games of 3 parts; of 4 these are missing: 3"), "{output}");
        let missing = ["Missing: 3 before number 9: 2, 6", "Missing: 2 "];
        assert!(missing.iter().any(|text| output.contains(text)), "{output}");
        // The order does not matter; parts joined before stay.
        assert!(merge(&[2, 0]).runs().contains("11 games"));
        assert!(folder.bytes("all") == folder.bytes("whole"), "{game}");
        fs::remove_file(&all).unwrap();
        merge(&[1, 3, 2, 0]).runs();
        assert!(folder.bytes("all") == folder.bytes("whole"), "{game}");
        if game.is_empty() {
            let output = goren("selfplay").args(&["--games", "12", "--out", &all]).fails();
            assert!(output.contains("other settings"), "{output}");
        } else {
            // The joined file is a run like any other.
            play("all", "").runs();
        }
    }
}

/// Parts that count positions end at different games, so the joined file once kept gaps.
#[test]
fn a_part_needs_a_number_of_games() {
    let folder = Folder::new();
    let out = folder.path("part");
    let output = goren("selfplay --positions 100 --shard 1/2").args(&["--out", &out]).fails();
    assert!(output.contains("--shard needs --games"), "{output}");
    assert!(!fs::exists(&out).unwrap());
}

#[test]
fn a_part_without_games_is_joined() {
    for game in ["", "--game connect6 --size 11"] {
        let folder = Folder::new();
        for part in [1, 2] {
            let out = folder.path(&part.to_string());
            selfplay(1, &format!("{game} --out {out} --shard {part}/2")).runs();
        }
        let [all, one, two] = ["all", "1", "2"].map(|name| folder.path(name));
        assert!(goren("merge").args(&[&all, &one, &two]).runs().contains("1 game"));
        assert!(folder.bytes("2").len() < folder.bytes("1").len());
    }
}

/// The joined file once replaced the part, which could then not be resumed.
#[test]
fn a_part_of_self_play_is_not_replaced_by_the_whole() {
    for game in ["", "--game connect6 --size 11"] {
        let folder = Folder::new();
        for part in [1, 2] {
            let out = folder.path(&part.to_string());
            selfplay(2, &format!("{game} --out {out} --shard {part}/2")).runs();
        }
        let ([one, two], before) = (["1", "2"].map(|name| folder.path(name)), folder.bytes("1"));
        let output = goren("merge").args(&[&one, &two]).fails();
        assert!(output.contains("1 is part 1 of 2, and stays as it is"), "{output}");
        assert!(folder.bytes("1") == before, "{game}");
    }
}

/// The settings were once replaced unread, so the part joined parts with other settings.
#[test]
fn a_part_keeps_the_settings_it_began_with() {
    let folder = Folder::new();
    let out = folder.path("part");
    let play = |more: &str| selfplay(4, &format!("--shard 1/2 --out {out} {more}"));
    play("").runs();
    let before = folder.read("part.settings");
    // No game shows the difference.
    let other = "--random-moves 0.1000001";
    let output = play(other).fails();
    assert!(output.contains("part cannot be resumed"), "{output}");
    assert!(output.contains("random_moves was 0.1, is 0.1000001"), "{output}");
    assert_eq!(folder.read("part.settings"), before);
    // The old settings do not apply to a new file.
    fs::remove_file(&out).unwrap();
    play(other).runs();
    assert_ne!(folder.read("part.settings"), before);
}

#[test]
fn a_stopped_part_of_self_play_resumes() {
    let folder = Folder::new();
    let part = |name: &str| selfplay(80, &format!("--shard 1/2 --out {}", folder.path(name)));
    part("whole").runs();
    let whole = folder.bytes("whole");
    let mut run = part("part").starts();
    run.until(|| !folder.bytes("part").is_empty());
    run.signal("TERM");
    let (code, output) = run.ends();
    assert!(code == Some(75) && output.contains("Stopped by SIGTERM"), "{code:?} {output}");
    let stopped = folder.bytes("part");
    assert!(stopped.len() < whole.len() && whole.starts_with(&stopped), "{output}");
    let mut run = part("part").starts();
    run.until(|| folder.bytes("part").len() > stopped.len());
    run.signal("KILL");
    run.ends();
    part("part").runs();
    assert!(folder.bytes("part") == whole);
}

#[test]
fn files_of_different_runs_are_not_joined() {
    for game in ["", "--game connect6 --size 11"] {
        let folder = Folder::new();
        let play = |name: &str, more: &str| {
            selfplay(4, &format!("{game} --out {} {more}", folder.path(name)))
        };
        play("1", "--shard 1/2").runs();
        play("seed", "--shard 2/2 --seed 7").runs();
        play("jitter", "--shard 2/2 --jitter 0.1").runs();
        let [one, all] = ["1", "all"].map(|name| folder.path(name));
        for (other, why) in [("seed", "seed was 7, is 1"), ("jitter", "jitter was 0.1, is 0.3")] {
            let output = goren("merge").args(&[&all, &one, &folder.path(other)]).fails();
            assert!(output.contains("of another run") && output.contains(why), "{output}");
        }
        // Two parts in one file.
        let output = play("1", "--shard 2/2").fails();
        assert!(output.contains("another run") || output.contains("other settings"), "{output}");
        assert!(!fs::exists(&all).unwrap());
        if game.is_empty() {
            fs::remove_file(folder.path("1.settings")).unwrap();
            let output = goren("merge").args(&[&all, &one]).fails();
            assert!(output.contains("the settings of "), "{output}");
            assert!(output.contains("1.settings"), "{output}");
        }
    }
}

/// A limit on the length of files stands in for a shared folder that is full.
#[test]
fn a_folder_that_is_full_for_a_while_loses_nothing() {
    for game in ["", "--game connect6 --size 11"] {
        let folder = Folder::new();
        let play = |name: &str| selfplay(12, &format!("{game} --out {}", folder.path(name)));
        play("whole").runs();
        let whole = folder.bytes("whole");
        let half = whole.len() as u64 / 2;
        // The folder has room again in time.
        let mut run = play("late").starts_with_limit(half);
        let full = || (half * 3 / 5..=half).contains(&(folder.bytes("late").len() as u64));
        run.until(full);
        std::thread::sleep(std::time::Duration::from_millis(600));
        run.lift_limit();
        let (code, output) = run.ends();
        assert_eq!(code, Some(0), "{output}");
        assert!(
            output.contains("note: cannot write ") && output.contains("; retrying for "),
            "{output}"
        );
        assert!(output.contains("late: written after "), "{output}");
        assert!(folder.bytes("late") == whole, "{game}");
        // The folder stays full until the run is ended.
        let mut run = play("never").starts_with_limit(half);
        run.until(|| folder.bytes("never").len() as u64 > half * 3 / 5);
        std::thread::sleep(std::time::Duration::from_millis(600));
        run.signal("TERM");
        let (code, output) = run.ends();
        assert!(code == Some(1) && output.contains("error: cannot write "), "{code:?} {output}");
        assert!(whole.starts_with(&folder.bytes("never")), "whole games alone");
        play("never").runs();
        assert!(folder.bytes("never") == whole, "{game}");
    }
}
