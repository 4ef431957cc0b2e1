//! Binaries of other packages. Cargo gives a test only the paths of the binaries of
//! its own package; those of other packages are built into the same folder.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Sources that the engine and the tool do not contain: Cargo does not rebuild the programs
/// when only these have changed.
const NOT_OF_THE_ENGINE: [&str; 5] = ["board", "cli", "notation", "recheck", "review"];
const NOT_OF_THE_TOOL: [&str; 3] = ["main.rs", "recheck", "board/wasm"];

/// The path of the binary `name` beside the binary `known`.
///
/// # Panics
/// The binary is missing or older than one of its source files: the test would check
/// an old program. `cargo test --workspace` builds all binaries.
pub fn sibling(known: &str, name: &str) -> String {
    let path = Path::new(known).with_file_name(format!("{name}{EXE_SUFFIX}"));
    let built = fs::metadata(&path).and_then(|file| file.modified());
    let source = workspace().join("src");
    let (source, without): (_, &[&str]) = match name {
        "pbrain-goren" => (source, &NOT_OF_THE_ENGINE),
        // It contains no other crate of ours.
        "goren-recheck" => (source.join("recheck"), &[]),
        _ => (source, &NOT_OF_THE_TOOL),
    };
    let newest = newest(&source, &without.iter().map(|name| source.join(name)).collect::<Vec<_>>());
    assert!(
        built.is_ok_and(|built| built >= newest),
        "{} is missing or older than the sources: run `cargo test --workspace`",
        path.display()
    );
    path.into_os_string().into_string().unwrap()
}

/// The root of the workspace: the nearest folder above with a lock file.
fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").exists());
    root.unwrap().to_path_buf()
}

/// Whether a file or folder is compiled only for tests: a change of it rebuilds no program.
fn is_for_tests(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name == "tests" || name.ends_with("_tests") || path.ends_with("core/models")
}

/// Time of the last change of a source file below a folder, without some files and folders.
fn newest(folder: &Path, without: &[PathBuf]) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = entry.path();
        if without.contains(&path) || is_for_tests(&path) {
            continue;
        }
        if path.is_dir() {
            newest = newest.max(self::newest(&path, without));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            newest = newest.max(entry.metadata().unwrap().modified().unwrap());
        }
    }
    newest
}
