//! The search is the same on every processor.

use std::process::Command;

/// What it says, or what is wrong.
fn bench(arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = command.args(["bench", "--depth", "7"]).args(arguments).output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8(output.stderr).unwrap());
    }
    let text = String::from_utf8(output.stdout).unwrap();
    // Without the lines of the time.
    let nodes = |line: &&str| !line.starts_with("Time") && !line.starts_with("Speed");
    Ok(text.lines().filter(nodes).collect::<Vec<_>>().join("\n"))
}

#[test]
fn the_signature_is_the_same_whatever_the_vectors() {
    let here = bench(&[]).unwrap();
    assert!(here.contains("Bench: "), "{here}");
    assert_eq!(bench(&["--vectors", "baseline"]).as_ref(), Ok(&here));
    for wider in ["avx2", "avx512"] {
        match bench(&["--vectors", wider]) {
            Ok(same) => assert_eq!(same, here, "{wider}"),
            Err(error) => assert!(error.contains("this processor has no vectors"), "{error}"),
        }
    }
    assert!(bench(&["--vectors", "sse9"]).unwrap_err().contains("baseline, avx2 and avx512"));
}
