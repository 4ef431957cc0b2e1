//! The search is the same on every processor.

use std::process::Command;

fn bench(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = command.args(["bench", "--depth", "7"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    // Without the lines of the time.
    let nodes = |line: &&str| !line.starts_with("Time") && !line.starts_with("Speed");
    text.lines().filter(nodes).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_signature_needs_no_vectors() {
    let here = bench(&[]);
    assert!(here.contains("Bench: "), "{here}");
    assert_eq!(bench(&["--baseline"]), here);
}
