//! Parts of matches.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Run, engine, goren};

/// A match of `games` games that are the same in every run.
fn match_of(games: u32, more: &str) -> Run {
    let weak = format!("name=weak cmd='{}' nodes=20", engine());
    let words = format!("match --nodes 150 --restart --random-openings 20 --games {games} {more}");
    goren(&words).args(&["-e", engine(), "-e", &weak])
}

/// A line of a journal without times and memory.
fn timeless(line: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for name in ["ms", "time_us", "longest_us", "overhead_us", "memory"] {
                    map.remove(name);
                }
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::from_str(line).unwrap();
    strip(&mut value);
    value
}

/// The journal of a match without times, its games in order.
fn journal(folder: &Folder, name: &str) -> Vec<Value> {
    let text = folder.read(&format!("{name}/games.jsonl"));
    let mut lines: Vec<Value> = text.lines().map(timeless).collect();
    lines[1..].sort_by_key(|game| game["game"].as_u64());
    lines
}

/// The lines of a summary about the games, without times.
fn counts(folder: &Folder, name: &str) -> Vec<String> {
    let text = folder.read(&format!("{name}/summary.txt"));
    let words = ["vs", "score", "by colour", "pairs", "Elo", "SPRT", "Black won"];
    let lines = text.lines().filter(|line| words.iter().any(|word| line.contains(word)));
    lines.map(|line| line.split(" moves, ").next().unwrap().to_owned()).collect()
}

#[test]
fn the_parts_of_a_match_make_the_whole() {
    let folder = Folder::new();
    let out = |name: &str| format!("--out {}", folder.path(name));
    match_of(14, &out("whole")).runs();
    let output = match_of(14, &format!("{} --shard 1/3 -c 2", out("1"))).runs();
    assert!(output.contains("Goren vs weak: 6 games"), "{output}");
    // The variables of a job array choose the part, numbered from 0.
    let task = [("ID", "1"), ("MIN", "0"), ("MAX", "2"), ("STEP", "1"), ("COUNT", "3")];
    let output = match_of(14, &out("2")).task(&task).runs();
    assert!(output.contains("note: part 2 of 3, by the job array"), "{output}");
    let [one, two, three, all] = ["1", "2", "3", "all"].map(|name| folder.path(name));
    let output = goren("merge").args(&[&all, &one, &two]).fails();
    assert!(output.contains("10 games of 2 parts; of 3 these are missing: 3"), "{output}");
    assert!(output.contains("Missing: 2 before number 13: 4, 5") || output.contains("Missing: 4 "));
    match_of(14, &format!("{} --shard 3/3", out("3"))).runs();
    // The third part joins the parts that were joined before.
    let output = goren("merge").args(&[&all, &three]).runs();
    assert!(output.contains("Goren vs weak: 14 games"), "{output}");
    assert!(output.contains("14 games of "), "{output}");
    assert_eq!(journal(&folder, "all"), journal(&folder, "whole"));
    assert_eq!(counts(&folder, "all"), counts(&folder, "whole"));
    assert_eq!(folder.read("all/openings.txt"), folder.read("whole/openings.txt"));
    assert_eq!(folder.read("all/games.sgf").lines().count(), 14);
    assert!(folder.read("all/plot.svg").contains("<svg"));
    let order = |name: &str| folder.read(name).lines().map(timeless).collect::<Vec<_>>();
    assert_eq!(order("all/games.jsonl"), journal(&folder, "all"), "in order");
    // The joined match may be named among the parts, by another path too.
    goren("merge").args(&[&all, &format!("{}/../all", folder.path("1")), &two]).runs();
    assert_eq!(folder.read("all/openings.txt"), folder.read("whole/openings.txt"));
    // The joined match can be resumed like any other.
    let output = match_of(14, &format!("{} --resume", out("all"))).runs();
    assert!(output.contains("0 games in this run"), "{output}");
}

#[test]
fn a_stopped_part_resumes_to_the_same_games() {
    let folder = Folder::new();
    let part =
        |more: &str| match_of(60, &format!("--shard 2/2 --out {} {more}", folder.path("part")));
    let games = || folder.read("part/games.jsonl").lines().count().saturating_sub(1);
    // The signal reaches the engines too: a game that they lose by it does not count.
    let mut run = part("").starts();
    run.until(|| games() >= 4);
    run.signal("TERM");
    let (code, output) = run.ends();
    assert_eq!(code, Some(75), "{output}");
    assert!(output.contains("Stopped by SIGTERM: finished work is kept; --resume "), "{output}");
    assert!((4..30).contains(&games()), "{output}");
    let mut run = part("--resume").starts();
    let before = games();
    run.until(|| games() > before);
    run.signal("KILL");
    assert_eq!(run.ends().0, None);
    let output = part("--resume --stop-after 0").stops();
    assert!(output.contains("Stopped by its time limit"), "{output}");
    let mut run = part("--resume").starts();
    let before = games();
    run.until(|| games() > before);
    run.signal("INT");
    let (code, output) = run.ends();
    assert!(code == Some(75) && output.contains("Stopped by Ctrl-C"), "{output}");
    part("--resume").runs();
    let whole = Folder::new();
    match_of(60, &format!("--shard 2/2 --out {}", whole.path("part"))).runs();
    assert_eq!(journal(&folder, "part"), journal(&whole, "part"));
    assert!(!folder.read("part/games.jsonl").contains("\"crash\""));
}

/// Making the default thousand openings once took minutes that no request could stop.
#[test]
fn a_match_stops_while_it_makes_openings() {
    let run = goren("match --nodes 1 --games 2000 --stop-after 0");
    let output = run.args(&["-e", engine(), "-e", engine()]).stops();
    assert!(output.contains("Stopped by its time limit"), "{output}");
    assert!(output.contains("no opening is kept; the next run makes them anew"), "{output}");
}

#[test]
fn an_sprt_over_parts_reads_all_parts_and_stops_them() {
    let folder = Folder::new();
    let test = |more: &str| match_of(40, &format!("--sprt 0,200 {more}"));
    let out = |name: &str| format!("--out {}", folder.path(name));
    test(&out("whole")).runs();
    let verdict = |name: &str| {
        let counts = counts(&folder, name);
        counts.into_iter().find(|line| line.contains("SPRT")).unwrap()
    };
    assert!(verdict("whole").contains("H1 accepted after "), "{}", verdict("whole"));
    // The first part lacks every second pair; the second part decides.
    let output = test(&format!("{} --shard 1/2", out("1"))).runs();
    assert!(output.contains("no verdict yet"), "{output}");
    assert!(output.contains("20 games in this run"), "{output}");
    let output = test(&format!("{} --shard 2/2", out("2"))).runs();
    assert!(output.contains("H1 accepted after "), "{output}");
    assert!(!output.contains("20 games in this run"), "{output}");
    let output = test(&format!("{} --shard 1/2 --resume", out("1"))).runs();
    assert!(output.contains("H1 accepted") && output.contains("0 games in this run"), "{output}");
    goren("merge").args(&[&folder.path("all"), &folder.path("1"), &folder.path("2")]).runs();
    assert_eq!(verdict("all"), verdict("whole"));
}

/// `merge part-*` without the name of an output once replaced the first part.
#[test]
fn neither_a_part_nor_a_match_in_progress_is_replaced() {
    let folder = Folder::new();
    let [one, two, all] = ["1", "2", "all"].map(|name| folder.path(name));
    for (number, out) in [(1, &one), (2, &two)] {
        match_of(4, &format!("--shard {number}/2 --out {out}")).runs();
    }
    let before = folder.read("1/games.jsonl");
    let output = goren("merge").args(&[&one, &two]).fails();
    assert!(output.contains("games.jsonl is part 1 of 2, and stays as it is"), "{output}");
    assert_eq!(folder.read("1/games.jsonl"), before);
    goren("merge").args(&[&all, &one, &two]).runs();
    let busy = fs::File::open(folder.path("all/games.jsonl")).unwrap();
    busy.lock().unwrap();
    let output = goren("merge").args(&[&all, &one]).fails();
    assert!(output.contains("games.jsonl is in use by another run"), "{output}");
}

#[test]
fn parts_of_different_matches_are_refused() {
    let folder = Folder::new();
    let [one, two, other, all] = ["1", "2", "other", "all"].map(|name| folder.path(name));
    match_of(4, &format!("--shard 1/2 --out {one}")).runs();
    // Two parts in one folder.
    let output = match_of(4, &format!("--shard 2/2 --out {one} --resume")).fails();
    assert!(
        output.contains("shard of shard 1 was 1, is 2") || output.contains("was 1, is 2"),
        "{output}"
    );
    let output = match_of(4, &format!("--shard 2/2 --out {one}")).fails();
    assert!(output.contains("holds a match already"), "{output}");
    // One part in two folders.
    let output = match_of(4, &format!("--shard 1/2 --out {two}")).fails();
    assert!(output.contains("are both part 1 of 2 of one run"), "{output}");
    fs::remove_dir_all(&two).unwrap();
    match_of(4, &format!("--shard 2/2 --out {two}")).runs();
    match_of(4, &format!("--shard 2/2 --seed 2 --out {other}")).runs();
    let output = goren("merge").args(&[&all, &one, &other]).fails();
    assert!(
        output.contains("other is of another match") || output.contains("of another match"),
        "{output}"
    );
    assert!(output.contains("seed was 2, is 1"), "{output}");
    assert!(!fs::exists(&all).unwrap());
    // The same game, played twice.
    fs::rename(&two, &other).unwrap_or_else(|_| fs::remove_dir_all(&other).unwrap());
    let moved = folder.path("elsewhere");
    fs::create_dir(&moved).unwrap();
    let twin = format!("{moved}/2");
    match_of(4, &format!("--shard 2/2 --out {twin}")).runs();
    let output = goren("merge").args(&[&all, &one, &two, &twin]).fails();
    assert!(output.contains("is in another file too, and differs"), "{output}");
    // A line of another part.
    let text = folder.read("1/games.jsonl").replace("\"game\":0", "\"game\":2");
    folder.write("1/games.jsonl", &text);
    let output = goren("merge").args(&[&all, &one, &two]).fails();
    assert!(output.contains("damaged") && output.contains("is of another part"), "{output}");
}
