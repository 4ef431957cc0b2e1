//! Structure that the compiler does not check: the files of a crate have no
//! dependency cycles; folders that are layers import one way; the methods of a type
//! are in its folder; only the modules that a third-party crate was added for use it;
//! every exported item has one path.

mod exports;
mod folders;
mod graph;
mod modules;
mod tokens;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use exports::exports;
use folders::{Upward, folders, upward};
use graph::{Target, cycles, graph, resolve};
use modules::Modules;

/// The crates and the files of their root modules.
const CRATES: [(&str, &str); 20] = [
    ("goren", "src/main.rs"),
    ("goren-board", "src/board/lib.rs"),
    ("goren-cli", "src/cli/lib.rs"),
    ("goren (the tool)", "src/cli/main.rs"),
    ("goren-core", "src/core/lib.rs"),
    ("goren-database", "src/database/lib.rs"),
    ("goren-decide", "src/decide/lib.rs"),
    ("goren-engine", "src/engine/lib.rs"),
    ("goren-files", "src/files/lib.rs"),
    ("goren-notation", "src/notation/lib.rs"),
    ("goren-proof", "src/proof/lib.rs"),
    ("goren-protocol", "protocol/src/lib.rs"),
    ("goren-python", "src/python/lib.rs"),
    ("goren-recheck", "src/recheck/lib.rs"),
    ("goren-recheck (the tool)", "src/recheck/main.rs"),
    ("goren-review", "src/review/lib.rs"),
    ("goren-session", "src/session/lib.rs"),
    ("goren-training-data", "src/training-data/lib.rs"),
    ("goren-trees", "src/trees/lib.rs"),
    ("goren-wasm", "src/board/wasm/lib.rs"),
];

/// Crates whose folders are layers, the lowest first: each imports only from those before
/// it. Files beside the folders may import from all. A crate that is added here must list all
/// its folders.
const LAYERS: [(&str, &[&str]); 4] = [
    ("goren-board", &["schema", "model", "server"]),
    ("goren-core", &["types", "rules", "opening", "record"]),
    ("goren-proof", &["check", "file"]),
    ("goren-session", &["wire", "state", "order", "advice", "search", "dialect"]),
];

/// Third-party crates with a single purpose, and the modules that may use them, by
/// our crate. Any other crate may be used wherever a `Cargo.toml` names it.
const USES: [(&str, &str, &[&str]); 32] = [
    ("goren-board", "axum", &["server"]),
    ("goren-board", "rand", &["server"]),
    ("goren-board", "tokio", &["server"]),
    ("goren-board", "tokio_tungstenite", &["server"]),
    ("goren-cli", "clap_complete", &["shell"]),
    ("goren-cli", "clap_mangen", &["shell"]),
    ("goren-cli", "console", &["analyze", "play", "review", "threats"]),
    ("goren-cli", "crc32fast", &["arena", "check", "run", "spsa", "suite", "tune"]),
    ("goren-cli", "ctrlc", &["interrupt", "run"]),
    ("goren-cli", "dejavu", &["picture"]),
    ("goren-cli", "flate2", &["verify"]),
    ("goren-cli", "libm", &["stats"]),
    ("goren-cli", "plotters", &["plot"]),
    ("goren-cli", "resvg", &["picture"]),
    ("goren-cli", "rustix", &["engine", "interrupt"]),
    ("goren-cli", "rustyline", &["play"]),
    ("goren-cli", "signal_hook", &["run"]),
    ("goren-cli", "zip", &["data"]),
    ("goren-core", "encoding_rs", &["record"]),
    ("goren-database", "crc32fast", &["journal"]),
    ("goren-database", "lz4_flex", &["read", "write"]),
    ("goren-engine", "bytemuck", &["eval", "threat", "tt"]),
    ("goren-engine", "crc32fast", &["eval"]),
    ("goren-engine", "libc", &["reserve"]),
    ("goren-engine", "rustix", &["tt"]),
    ("goren-proof", "crc32fast", &["file"]),
    ("goren-recheck", "crc32fast", &["file"]),
    ("goren-recheck", "lzma_rust2", &["file"]),
    ("goren-training-data", "crc32fast", &["file"]),
    ("goren-training-data", "lz4_flex", &["file"]),
    ("goren-trees", "crc32fast", &["packed"]),
    ("goren-trees", "lzma_rust2", &["packed"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn crates() -> impl Iterator<Item = (&'static str, Modules)> {
    CRATES.into_iter().map(|(name, file)| (name, modules::read(&root().join(file))))
}

fn shown(file: &Path) -> String {
    file.strip_prefix(root()).unwrap_or(file).display().to_string()
}

/// Describes the dependency cycles of a crate; empty if there are none.
fn describe_cycles(modules: &Modules) -> String {
    let graph = graph(modules);
    let mut text = String::new();
    for cycle in cycles(&graph) {
        text += &format!("a circle of {} files\n", cycle.len());
        for from in &cycle {
            for (to, what) in graph[from].iter().filter(|(to, _)| cycle.contains(*to)) {
                let what: Vec<&str> = what.iter().map(String::as_str).collect();
                text += &format!("  {} needs {}: {}\n", shown(from), shown(to), what.join(", "));
            }
        }
    }
    text
}

#[test]
fn files_have_no_dependency_cycles() {
    let mut faults = String::new();
    for (name, modules) in crates() {
        let cycles = describe_cycles(&modules);
        if !cycles.is_empty() {
            faults += &format!("{name}: {cycles}");
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// Describes what contradicts an order of the folders of a crate, the lowest first.
fn describe_layers(modules: &Modules, order: &[&str]) -> Vec<String> {
    let listed: BTreeSet<&str> = order.iter().copied().collect();
    let folders = folders(modules);
    let different = folders.symmetric_difference(&listed);
    let mut faults: Vec<String> =
        different.map(|name| format!("{name}: not both a folder and a layer")).collect();
    for Upward { from, by, to, names } in upward(modules, order) {
        let through = if by == from { String::new() } else { format!(" through {}", shown(&by)) };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (from, to) = (shown(&from), shown(&to));
        faults.push(format!("{from} needs {to}{through}: {}", names.join(", ")));
    }
    faults
}

#[test]
fn folders_that_are_layers_import_one_way() {
    let mut faults = Vec::new();
    for (name, order) in LAYERS {
        let (_, file) = CRATES.iter().find(|(of, _)| *of == name).unwrap();
        let modules = modules::read(&root().join(file));
        let found = describe_layers(&modules, order);
        faults.extend(found.iter().map(|what| format!("{name}: {what}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn planted_imports_from_a_higher_folder_are_detected() {
    let faults = |low: &str, beside: &str, order: &[&str]| {
        let sources = [
            ("", "mod beside; mod high; mod low;"),
            ("beside", beside),
            ("high", "mod inner; pub struct H;"),
            ("high::inner", "use crate::low::L;"),
            ("low", "mod inner; pub struct L;"),
            ("low::inner", low),
        ];
        describe_layers(&planted(&sources), order).len()
    };
    let order = ["low", "high"];
    let wrong = [
        ("use crate::high::H;", ""),
        ("pub use crate::high::H;", ""),
        // Through a file beside the folders.
        ("use crate::beside::f;", "pub fn f() { crate::high::H }"),
    ];
    for (low, beside) in wrong {
        assert_eq!(faults(low, beside, &order), 1, "{low} {beside}");
    }
    let right = [("use crate::beside::f;", "pub fn f() {}"), ("", "use crate::{high::H, low::L};")];
    for (low, beside) in right {
        assert_eq!(faults(low, beside, &order), 0, "{low} {beside}");
    }
    // A folder that is not listed, and a layer that is no folder.
    assert_eq!(faults("", "", &["low"]), 1);
    assert_eq!(faults("", "", &["low", "beside", "high"]), 1);
}

#[test]
fn methods_are_in_the_folder_of_their_type() {
    let mut faults = Vec::new();
    for (_, modules) in crates() {
        for (path, module) in &modules {
            for of in &module.inherent {
                let Some(Target::Item(home, name)) = resolve(&modules, path, of, 0) else {
                    continue;
                };
                let home = &modules[&home].file;
                // `check.rs` and the files in `check/` count as one place.
                let places = [home.parent().unwrap().to_path_buf(), home.with_extension("")];
                let here = module.file.parent().unwrap();
                if !places.iter().any(|place| place == here) {
                    let there = shown(home);
                    faults.push(format!("{}: methods of {name} ({there})", shown(&module.file)));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn third_party_crates_are_used_for_their_purpose() {
    let mut faults = Vec::new();
    for (name, modules) in crates() {
        let rules = USES.iter().filter(|(of, ..)| *of == name);
        for (_, library, places) in rules {
            for (path, module) in &modules {
                let imports = module.imports.iter().map(|import| &import.path);
                let used = imports
                    .chain(&module.named)
                    .any(|path| path.first().is_some_and(|first| first == library));
                let allowed = path.first().is_some_and(|top| places.contains(&top.as_str()));
                if used && !allowed {
                    faults.push(format!("{} uses {library}", shown(&module.file)));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Describes the items of a crate that have more than one path.
fn duplicate_paths(modules: &Modules) -> Vec<String> {
    let exports = exports(modules);
    let double = exports.values().filter(|paths| paths.len() > 1);
    double.map(|paths| paths.iter().cloned().collect::<Vec<_>>().join(" = ")).collect()
}

#[test]
fn every_exported_item_has_one_path() {
    let faults: Vec<String> = crates().flat_map(|(_, modules)| duplicate_paths(&modules)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn planted_second_paths_are_detected() {
    let inside = ("a", "pub struct A;");
    let wrong: [&[(&str, &str)]; 3] = [
        &[("", "pub mod a; pub use a::A;"), inside],
        &[("", "mod a; pub mod b; pub use a::A;"), inside, ("b", "pub use crate::a::A as B;")],
        &[
            ("", "mod a; mod b; pub use a::A; pub use b::*;"),
            inside,
            ("b", "pub use super::a::A as B;"),
        ],
    ];
    for sources in wrong {
        assert_eq!(duplicate_paths(&planted(sources)).len(), 1, "{sources:?}");
    }
    let right: [&[(&str, &str)]; 2] = [
        &[("", "mod a; pub use a::A;"), inside],
        &[("", "pub mod a; pub(crate) use a::A;"), inside],
    ];
    for sources in right {
        assert!(duplicate_paths(&planted(sources)).is_empty(), "{sources:?}");
    }
}

/// A crate made of these modules: path with `::`, empty for the root, and source.
fn planted(sources: &[(&str, &str)]) -> Modules {
    let mut modules = Modules::new();
    for (path, source) in sources {
        let path: Vec<String> =
            path.split("::").filter(|p| !p.is_empty()).map(Into::into).collect();
        let file = PathBuf::from(format!("{}.rs", path.join("/")));
        modules::parse(&tokens::tokens(source), &file, &path, &mut Vec::new(), &mut modules);
    }
    modules
}

#[test]
fn planted_cycles_are_detected() {
    let wrong: [&[(&str, &str)]; 9] = [
        &[
            ("", "mod a; mod b;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "use crate::a::A; pub struct B(Box<A>);"),
        ],
        // By a re-export of an item that is not of a child.
        &[
            ("", "mod a; mod b;"),
            ("a", "pub use crate::b::B; pub struct A;"),
            ("b", "use crate::a::A; pub struct B(Box<A>);"),
        ],
        // Through the parent, which uses an item of the child.
        &[("", "mod a; use a::A; pub struct P(A);"), ("a", "use super::P; pub struct A(Box<P>);")],
        // Through a re-export, a renamed import, a path in code, a glob.
        &[
            ("", "mod a; mod b; pub use b::B;"),
            ("a", "use crate::B as C; pub fn f() {}"),
            ("b", "pub struct B; fn g() { crate::a::f() }"),
        ],
        &[
            ("", "mod a; mod b;"),
            ("a", "use super::b; fn f() { b::g() } pub fn h() {}"),
            ("b", "pub fn g() { super::a::h() }"),
        ],
        &[
            ("", "mod a; mod b;"),
            ("a", "use super::b::*; pub struct A;"),
            ("b", "use super::a::{self as other}; fn f() -> other::A { other::A }"),
        ],
        // Of three files.
        &[
            ("", "mod a; mod b; mod c;"),
            ("a", "pub fn a() { crate::b::b() }"),
            ("b", "pub fn b() { crate::c::c() }"),
            ("c", "pub fn c() { crate::a::a() }"),
        ],
        // In the arguments of a macro call, and after a string with a quote.
        &[
            ("", "mod a; mod b;"),
            ("a", "pub fn a() { println!(\"\\\"{}\", crate::b::B) }"),
            ("b", "pub const B: u8 = 1; fn f() { crate::a::a() }"),
        ],
        &[
            ("", "mod a; mod b;"),
            ("a", "pub const A: char = '\"'; use crate::b::B;"),
            ("b", "pub const B: char = '\\''; use crate::a::A;"),
        ],
    ];
    for sources in wrong {
        assert!(!describe_cycles(&planted(sources)).is_empty(), "{sources:?}");
    }
}

#[test]
fn sources_without_cycles_pass() {
    let right: [&[(&str, &str)]; 4] = [
        // A parent declares its children and re-exports their items, which they use.
        &[
            ("", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("a", "use super::B; pub struct A(B);"),
            ("b", "pub struct B;"),
        ],
        // Tests may import anything.
        &[
            ("", "mod a; use a::A; pub struct P(A);"),
            ("a", "pub struct A; #[cfg(test)] mod tests { use crate::P; use super::*; }"),
        ],
        // Comments, strings, and names that only look alike.
        &[
            ("", "mod a; use a::A; pub struct P(A);"),
            (
                "a",
                "//! See [`crate::P`].\n/* use crate::P; */ pub struct A; const T: &str = \"crate::P\"; \
             fn f(x: X) { x.P() }",
            ),
        ],
        &[
            ("", "mod a; mod b;"),
            ("a", "use std::fmt; pub fn a() { crate::b::b() }"),
            ("b", "use std::fmt::Display; pub fn b() { other::a::a() }"),
        ],
    ];
    for sources in right {
        assert_eq!(describe_cycles(&planted(sources)), "", "{sources:?}");
    }
}
