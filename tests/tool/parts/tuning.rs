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
    let values = |output: &str| output[output.find("freestyle: first sides").unwrap()..].to_owned();
    let part = |number: u32, more: &str| {
        spsa(&folder, &format!("part-{number}"), &format!("--shard {number}/3 {more}"))
    };
    let [one, two] = [1, 2].map(|number| part(number, "").starts());
    // Without the third part the others wait.
    let mut three = part(3, "").starts();
    three.until(|| folder.read("part-3").lines().count() > 2);
    three.signal("KILL");
    three.ends();
    let stopped = folder.read("part-3").lines().count();
    assert!(stopped < 13, "{stopped}");
    let output = part(3, "--resume --stop-after 0").stops();
    assert!(output.contains("Stopped by its time limit"), "{output}");
    let three = part(3, "--resume").starts();
    for run in [one, two, three] {
        let (code, output) = run.ends();
        assert_eq!(code, Some(0), "{output}");
        assert_eq!(values(&output), values(&whole));
    }
    let paths = [1, 2, 3].map(|number| folder.path(&format!("part-{number}")));
    let [one, two, three] = paths.each_ref().map(String::as_str);
    let all = folder.path("all");
    let output = goren("merge").args(&[&all, one, three]).fails();
    assert!(output.contains("24 pairs of 2 parts; of 3 these are missing: 2"), "{output}");
    let output = goren("merge").args(&[&all, three, one, two]).runs();
    assert!(output.contains("12 of 12 iterations"), "{output}");
    assert_eq!(folder.read("all"), folder.read("whole"));
    // One part twice, and a part of another run.
    let output = spsa(&folder, "twin", "--shard 2/3").fails();
    assert!(output.contains("are both part 2 of 3 of one run"), "{output}");
    fs::remove_file(folder.path("twin")).unwrap();
    spsa(&folder, "other", "--shard 2/3 --seed 9 --stop-after 0").stops();
    let output = goren("merge").args(&[&folder.path("no"), one, &folder.path("other")]).fails();
    assert!(output.contains("seed was 9, is 1"), "{output}");
    let output = goren("merge").args(&[&folder.path("other"), one, two, three]).fails();
    assert!(output.contains("other is part 2 of 3, and stays as it is"), "{output}");
    spsa(&folder, "else", "--seed 9 --stop-after 0").stops();
    // Weights, a binary file, stay as they are too.
    let weights = [b"GorenWts".as_slice(), &[0xff, 0, 0x80]].concat();
    fs::write(folder.path("weights.bin"), &weights).unwrap();
    for foreign in ["else", "weights.bin"] {
        let output = goren("merge").args(&[&folder.path(foreign), one, two, three]).fails();
        assert!(output.contains("holds something else"), "{output}");
    }
    assert_eq!(folder.bytes("weights.bin"), weights);
}
