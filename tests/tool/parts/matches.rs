//! Parts of matches.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Run, engine, goren};

/// A match of `games` games that are the same whenever they are played.
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

/// What a summary says of the games, without times.
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
    let said = match_of(14, &format!("{} --shard 1/3 -c 2", out("1"))).runs();
    assert!(said.contains("Goren vs weak: 6 games"), "{said}");
    // By the variables of a job array, numbered from 0.
    let task = [("ID", "1"), ("MIN", "0"), ("MAX", "2"), ("STEP", "1"), ("COUNT", "3")];
    let said = match_of(14, &out("2")).task(&task).runs();
    assert!(said.contains("note: part 2 of 3, by the job array"), "{said}");
    let [one, two, three, all] = ["1", "2", "3", "all"].map(|name| folder.path(name));
    let said = goren("merge").args(&[&all, &one, &two]).fails();
    assert!(said.contains("10 games of 2 parts; of 3 these are not there: 3"), "{said}");
    assert!(said.contains("Missing: 2 before number 13: 4, 5") || said.contains("Missing: 4 "));
    match_of(14, &format!("{} --shard 3/3", out("3"))).runs();
    // What was joined before is joined again.
    let said = goren("merge").args(&[&all, &three]).runs();
    assert!(said.contains("Goren vs weak: 14 games") && said.contains("14 games of "), "{said}");
    assert_eq!(journal(&folder, "all"), journal(&folder, "whole"));
    assert_eq!(counts(&folder, "all"), counts(&folder, "whole"));
    assert_eq!(folder.read("all/openings.txt"), folder.read("whole/openings.txt"));
    assert_eq!(folder.read("all/games.sgf").lines().count(), 14);
    assert!(folder.read("all/plot.svg").contains("<svg"));
    let order = |name: &str| folder.read(name).lines().map(timeless).collect::<Vec<_>>();
    assert_eq!(order("all/games.jsonl"), journal(&folder, "all"), "in order");
    // The whole may be named among the parts, in other words too.
    goren("merge").args(&[&all, &format!("{}/../all", folder.path("1")), &two]).runs();
    assert_eq!(folder.read("all/openings.txt"), folder.read("whole/openings.txt"));
    // The joined match can be gone on with as any other.
    let said = match_of(14, &format!("{} --resume", out("all"))).runs();
    assert!(said.contains("0 games in this run"), "{said}");
}

#[test]
fn a_part_that_is_stopped_goes_on_to_the_same() {
    let folder = Folder::new();
    let part =
        |more: &str| match_of(60, &format!("--shard 2/2 --out {} {more}", folder.path("part")));
    let games = || folder.read("part/games.jsonl").lines().count().saturating_sub(1);
    // To the engines, too: what they lose by that is no game.
    let mut run = part("").starts();
    run.until(|| games() >= 4);
    run.signal("TERM");
    let (code, said) = run.ends();
    assert_eq!(code, Some(75), "{said}");
    assert!(said.contains("Stopped by SIGTERM: what is done is kept; --resume goes"), "{said}");
    assert!((4..30).contains(&games()), "{said}");
    let mut run = part("--resume").starts();
    let before = games();
    run.until(|| games() > before);
    run.signal("KILL");
    assert_eq!(run.ends().0, None);
    let said = part("--resume --stop-after 0").stops();
    assert!(said.contains("Stopped by its time limit"), "{said}");
    let mut run = part("--resume").starts();
    let before = games();
    run.until(|| games() > before);
    run.signal("INT");
    let (code, said) = run.ends();
    assert!(code == Some(75) && said.contains("Stopped by Ctrl-C"), "{said}");
    part("--resume").runs();
    let whole = Folder::new();
    match_of(60, &format!("--shard 2/2 --out {}", whole.path("part"))).runs();
    assert_eq!(journal(&folder, "part"), journal(&whole, "part"));
    assert!(!folder.read("part/games.jsonl").contains("\"crash\""));
}

/// The thousand openings that a match has by default took minutes, whatever asked for an end.
#[test]
fn a_match_stops_while_its_openings_are_made() {
    let run = goren("match --nodes 1 --games 2000 --stop-after 0");
    let said = run.args(&["-e", engine(), "-e", engine()]).stops();
    assert!(said.contains("Stopped by its time limit"), "{said}");
    assert!(said.contains("the openings are made anew"), "{said}");
}

#[test]
fn a_test_over_parts_reads_them_all_and_stops_them() {
    let folder = Folder::new();
    let test = |more: &str| match_of(40, &format!("--sprt 0,200 {more}"));
    let out = |name: &str| format!("--out {}", folder.path(name));
    test(&out("whole")).runs();
    let verdict = |name: &str| {
        let counts = counts(&folder, name);
        counts.into_iter().find(|line| line.contains("SPRT")).unwrap()
    };
    assert!(verdict("whole").contains("H1 accepted after "), "{}", verdict("whole"));
    // The first part knows nothing of every second pair; the other one decides.
    let said = test(&format!("{} --shard 1/2", out("1"))).runs();
    assert!(said.contains("no verdict yet") && said.contains("20 games in this run"), "{said}");
    let said = test(&format!("{} --shard 2/2", out("2"))).runs();
    assert!(said.contains("H1 accepted after "), "{said}");
    assert!(!said.contains("20 games in this run"), "{said}");
    let said = test(&format!("{} --shard 1/2 --resume", out("1"))).runs();
    assert!(said.contains("H1 accepted") && said.contains("0 games in this run"), "{said}");
    goren("merge").args(&[&folder.path("all"), &folder.path("1"), &folder.path("2")]).runs();
    assert_eq!(verdict("all"), verdict("whole"));
}

/// `merge part-*` without the name of the whole put it in the place of the first part.
#[test]
fn neither_a_part_nor_a_match_in_progress_is_replaced() {
    let folder = Folder::new();
    let [one, two, all] = ["1", "2", "all"].map(|name| folder.path(name));
    for (number, out) in [(1, &one), (2, &two)] {
        match_of(4, &format!("--shard {number}/2 --out {out}")).runs();
    }
    let before = folder.read("1/games.jsonl");
    let said = goren("merge").args(&[&one, &two]).fails();
    assert!(said.contains("games.jsonl is part 1 of 2, and stays as it is"), "{said}");
    assert_eq!(folder.read("1/games.jsonl"), before);
    goren("merge").args(&[&all, &one, &two]).runs();
    let busy = fs::File::open(folder.path("all/games.jsonl")).unwrap();
    busy.lock().unwrap();
    let said = goren("merge").args(&[&all, &one]).fails();
    assert!(said.contains("games.jsonl is in use by another run"), "{said}");
}

#[test]
fn what_is_not_of_one_match_is_told() {
    let folder = Folder::new();
    let [one, two, other, all] = ["1", "2", "other", "all"].map(|name| folder.path(name));
    match_of(4, &format!("--shard 1/2 --out {one}")).runs();
    // Two parts in one folder.
    let said = match_of(4, &format!("--shard 2/2 --out {one} --resume")).fails();
    assert!(
        said.contains("shard of shard 1 was 1, is 2") || said.contains("was 1, is 2"),
        "{said}"
    );
    let said = match_of(4, &format!("--shard 2/2 --out {one}")).fails();
    assert!(said.contains("holds a match already"), "{said}");
    // One part in two folders.
    let said = match_of(4, &format!("--shard 1/2 --out {two}")).fails();
    assert!(said.contains("are both part 1 of 2 of one run"), "{said}");
    fs::remove_dir_all(&two).unwrap();
    match_of(4, &format!("--shard 2/2 --out {two}")).runs();
    match_of(4, &format!("--shard 2/2 --seed 2 --out {other}")).runs();
    let said = goren("merge").args(&[&all, &one, &other]).fails();
    assert!(
        said.contains("other is of another match") || said.contains("of another match"),
        "{said}"
    );
    assert!(said.contains("seed was 2, is 1"), "{said}");
    assert!(!fs::exists(&all).unwrap());
    // The same game, played twice.
    fs::rename(&two, &other).unwrap_or_else(|_| fs::remove_dir_all(&other).unwrap());
    let moved = folder.path("elsewhere");
    fs::create_dir(&moved).unwrap();
    let twin = format!("{moved}/2");
    match_of(4, &format!("--shard 2/2 --out {twin}")).runs();
    let said = goren("merge").args(&[&all, &one, &two, &twin]).fails();
    assert!(said.contains("is in another file too, and differs"), "{said}");
    // A line of another part.
    let text = folder.read("1/games.jsonl").replace("\"game\":0", "\"game\":2");
    folder.write("1/games.jsonl", &text);
    let said = goren("merge").args(&[&all, &one, &two]).fails();
    assert!(said.contains("damaged") && said.contains("is of another part"), "{said}");
}
