//! Parts of SPSA, which play at the same time.

use std::fs;

use crate::support::{Folder, Run, goren};

fn spsa(folder: &Folder, name: &str, more: &str) -> Run {
    let fixed =
        "spsa --iterations 12 --pairs 3 --nodes 40 --params lmr_* --every 5 --concurrency 2";
    let out = folder.path(name);
    goren(&format!("{fixed} --game freestyle,connect6 --rate 0.5 --out {out} {more}"))
}

#[test]
fn the_parts_of_a_tuning_make_the_whole_run() {
    let folder = Folder::new();
    let whole = spsa(&folder, "whole", "").runs();
    let values = |said: &str| said[said.find("freestyle: first sides").unwrap()..].to_owned();
    let part = |number: u32, more: &str| {
        spsa(&folder, &format!("part-{number}"), &format!("--shard {number}/3 {more}"))
    };
    let [one, two] = [1, 2].map(|number| part(number, "").starts());
    // Without the third they wait.
    let mut three = part(3, "").starts();
    three.until(|| folder.read("part-3").lines().count() > 2);
    three.signal("KILL");
    three.ends();
    let stopped = folder.read("part-3").lines().count();
    assert!(stopped < 13, "{stopped}");
    let said = part(3, "--resume --stop-after 0").stops();
    assert!(said.contains("Stopped by its time limit"), "{said}");
    let three = part(3, "--resume").starts();
    for run in [one, two, three] {
        let (code, said) = run.ends();
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(values(&said), values(&whole));
    }
    let paths = [1, 2, 3].map(|number| folder.path(&format!("part-{number}")));
    let [one, two, three] = paths.each_ref().map(String::as_str);
    let all = folder.path("all");
    let said = goren("merge").args(&[&all, one, three]).fails();
    assert!(said.contains("24 pairs of 2 parts; of 3 these are not there: 2"), "{said}");
    let said = goren("merge").args(&[&all, three, one, two]).runs();
    assert!(said.contains("12 of 12 iterations"), "{said}");
    assert_eq!(folder.read("all"), folder.read("whole"));
    // One part twice, and a part of another run.
    let said = spsa(&folder, "twin", "--shard 2/3").fails();
    assert!(said.contains("are both part 2 of 3 of one run"), "{said}");
    fs::remove_file(folder.path("twin")).unwrap();
    spsa(&folder, "other", "--shard 2/3 --seed 9 --stop-after 0").stops();
    let said = goren("merge").args(&[&folder.path("no"), one, &folder.path("other")]).fails();
    assert!(said.contains("seed was 9, is 1"), "{said}");
    let said = goren("merge").args(&[&folder.path("other"), one, two, three]).fails();
    assert!(said.contains("other is part 2 of 3, and stays as it is"), "{said}");
    spsa(&folder, "else", "--seed 9 --stop-after 0").stops();
    // Weights, which are no text, stay as they are too.
    let weights = [b"GorenWts".as_slice(), &[0xff, 0, 0x80]].concat();
    fs::write(folder.path("weights.bin"), &weights).unwrap();
    for kept in ["else", "weights.bin"] {
        let said = goren("merge").args(&[&folder.path(kept), one, two, three]).fails();
        assert!(said.contains("holds something else"), "{said}");
    }
    assert_eq!(folder.bytes("weights.bin"), weights);
}
