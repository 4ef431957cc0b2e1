//! Modules import lower layers only. Reads every path to another module in
//! the sources, in `use` lines and elsewhere, unit tests included.

use std::fs;
use std::path::{Path, PathBuf};

/// The layer of each module of the crate.
const LAYERS: [(&str, u32); 19] = [
    ("spare", 1),
    ("types", 1),
    ("rules", 2),
    ("tt", 2),
    ("opening", 3),
    ("proof", 3),
    ("record", 3),
    ("database", 4),
    ("pattern", 4),
    ("board", 5),
    ("eval", 6),
    ("threat", 7),
    ("game", 8),
    ("search", 9),
    ("session", 10),
    ("bin", 11),
    ("lab", 11),
    ("lib", 11),
    ("main", 11),
];

/// Crates that only some modules may name.
const CRATES: [(&str, &[&str]); 19] = [
    ("anyhow", &["lab", "bin"]),
    ("clap", &["lab", "bin"]),
    ("console", &["lab", "bin"]),
    ("crc32fast", &["database", "eval", "proof", "session", "lab", "bin"]),
    ("dejavu", &["lab", "bin"]),
    ("encoding_rs", &["record"]),
    ("flate2", &["lab", "bin"]),
    ("indicatif", &["lab", "bin"]),
    ("libm", &["lab", "bin"]),
    ("lz4_flex", &["database", "lab", "bin"]),
    ("lzma_rust2", &["lab", "bin"]),
    ("plotters", &["lab", "bin"]),
    ("rayon", &["lab", "bin"]),
    ("resvg", &["lab", "bin"]),
    ("rustix", &["tt", "main", "lab", "bin"]),
    ("serde", &["lab", "bin"]),
    ("serde_json", &["lab", "bin"]),
    ("shlex", &["lab", "bin"]),
    ("goren_protocol", &["session", "main", "lab", "bin"]),
];

fn layer(module: &str) -> Option<u32> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|&(_, layer)| layer)
}

/// Whether code of one module may name another.
fn may_import(from: &str, to: &str) -> bool {
    // The tool's main file is the door of the workshop.
    let door = (from, to) == ("bin", "lab");
    match (layer(from), layer(to)) {
        (Some(above), Some(below)) => from == to || below < above || door,
        _ => false,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    PathSep,
    Sign(char),
}

/// The words and signs of a source text, without comments, texts, characters
/// and lifetimes.
fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let word_end = |mut i: usize| {
        while at(i).is_alphanumeric() || at(i) == '_' {
            i += 1;
        }
        i
    };
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => i = after_comment(&chars, i),
            '"' => i = after_text(&chars, i),
            '\'' if at(i + 1) == '\\' => i = after_character(&chars, i + 3),
            '\'' if at(i + 2) == '\'' => i += 3,
            '\'' => i = word_end(i + 1),
            ':' if at(i + 1) == ':' => {
                tokens.push(Token::PathSep);
                i += 2;
            }
            c if c.is_alphanumeric() || c == '_' => {
                let end = word_end(i);
                let word: String = chars[i..end].iter().collect();
                i = end;
                let raw = matches!(word.as_str(), "r" | "br" | "cr");
                if raw && (at(i) == '"' || at(i) == '#' && matches!(at(i + 1), '#' | '"')) {
                    i = after_raw_text(&chars, i);
                } else if !(raw && at(i) == '#') {
                    tokens.push(Token::Word(word));
                }
            }
            c => {
                if !c.is_whitespace() {
                    tokens.push(Token::Sign(c));
                }
                i += 1;
            }
        }
    }
    tokens
}

fn after_comment(chars: &[char], start: usize) -> usize {
    let (mut depth, mut i) = (0, start);
    while i < chars.len() {
        match chars[i..].get(..2) {
            Some(['/', '*']) => (depth, i) = (depth + 1, i + 2),
            Some(['*', '/']) => {
                (depth, i) = (depth - 1, i + 2);
                if depth == 0 {
                    break;
                }
            }
            _ => i += 1,
        }
    }
    i
}

fn after_text(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

fn after_raw_text(chars: &[char], start: usize) -> usize {
    let hashes = chars[start..].iter().take_while(|&&c| c == '#').count();
    let mut i = start + hashes + 1;
    while i < chars.len() {
        let closed = chars[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes;
        if chars[i] == '"' && closed {
            return i + 1 + hashes;
        }
        i += 1;
    }
    i
}

fn after_character(chars: &[char], start: usize) -> usize {
    let mut i = start;
    while i < chars.len() && chars[i] != '\'' {
        i += 1;
    }
    i + 1
}

/// The paths that begin with one of the words `roots`, every branch of a
/// `use` tree spelt out.
fn paths(tokens: &[Token], roots: &[&str]) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let inner = i > 0 && tokens[i - 1] == Token::PathSep;
        let in_use = i > 0 && tokens[i - 1] == Token::Word("use".into());
        let begins = tokens.get(i + 1) == Some(&Token::PathSep) || in_use;
        if roots.contains(&word.as_str()) && begins && !inner {
            let mut branches = Vec::new();
            branch(tokens, i, Vec::new(), &mut branches);
            found.extend(branches.into_iter().map(|path| (i, path)));
        }
    }
    found
}

/// Follows a path from a token on; gives the index of the token after it.
fn branch(
    tokens: &[Token],
    mut i: usize,
    mut path: Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    loop {
        match tokens.get(i) {
            Some(Token::Word(word)) => path.push(word.clone()),
            Some(Token::Sign('*')) => path.push("*".into()),
            Some(Token::Sign('{')) => {
                i += 1;
                while i < tokens.len() && tokens[i] != Token::Sign('}') {
                    if tokens[i] == Token::Sign(',') {
                        i += 1;
                    } else {
                        i = branch(tokens, i, path.clone(), found);
                        // "as name", and whatever else is no path.
                        while i < tokens.len()
                            && !matches!(tokens[i], Token::Sign(',') | Token::Sign('}'))
                        {
                            i += 1;
                        }
                    }
                }
                return i + 1;
            }
            _ => {
                found.push(path);
                return i;
            }
        }
        if tokens.get(i + 1) != Some(&Token::PathSep) {
            found.push(path);
            return i + 1;
        }
        i += 2;
    }
}

/// The inline modules around each token.
fn inline_modules(tokens: &[Token]) -> Vec<Vec<String>> {
    let mut open: Vec<Option<String>> = Vec::new();
    let mut around = Vec::with_capacity(tokens.len());
    for (i, token) in tokens.iter().enumerate() {
        around.push(open.iter().flatten().cloned().collect());
        match token {
            Token::Sign('{') => open.push(match (i.checked_sub(2), &tokens[i.max(1) - 1]) {
                (Some(before), Token::Word(name))
                    if tokens[before] == Token::Word("mod".into()) =>
                {
                    Some(name.clone())
                }
                _ => None,
            }),
            Token::Sign('}') => drop(open.pop()),
            _ => {}
        }
    }
    around
}

/// The module path of a source file, given relative to `src`.
fn module_of(file: &str) -> Vec<String> {
    let mut path: Vec<String> = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if path.len() > 1 && path.last().is_some_and(|name| name == "mod") {
        path.pop();
    }
    path
}

/// What a source file, named relative to `src`, imports against the rules.
fn faults(file: &str, source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let around = inline_modules(&tokens);
    let module = module_of(file);
    let from = module[0].as_str();
    let mut faults = Vec::new();
    let mut judge = |target: &str, path: &[String]| {
        if !may_import(from, target) {
            faults.push(format!("{file}: {from} must not use {}", path.join("::")));
        }
    };
    if layer(from).is_none() {
        judge("(a module without a layer)", &[]);
    }
    // In a main file the library is known by its name.
    for (_, path) in paths(&tokens, &["crate", "goren"]) {
        let own = path[0] == "crate" && matches!(from, "main" | "bin" | "lib");
        if !own && (path[0] == "crate" || matches!(from, "main" | "bin")) {
            judge(path.get(1).map_or("*", String::as_str), &path);
        }
    }
    for (i, path) in paths(&tokens, &["super"]) {
        let depth = module.len() + around[i].len();
        let ups = path.iter().take_while(|word| *word == "super").count();
        if ups >= depth {
            judge(path.get(ups).map_or("*", String::as_str), &path);
        }
    }
    for (name, users) in CRATES {
        for (_, path) in paths(&tokens, &[name]) {
            if !users.contains(&from) {
                judge("(a crate of another layer)", &path);
            }
        }
    }
    faults
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn modules_import_lower_layers_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    assert!(files.len() > 20);
    let mut wrong = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        wrong.extend(faults(&name, &fs::read_to_string(&file).unwrap()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_imports_are_noticed() {
    let wrong = [
        ("board/mod.rs", "use crate::eval::Evaluation;"),
        ("board/foul.rs", "fn f() { let x = crate::search::Limits::new(); }"),
        ("board/foul.rs", "use crate::{types::Cell, threat::{Vcf, Verdict}};"),
        ("board/foul.rs", "use super::super::eval;"),
        ("board/foul.rs", "use super::{Board, super::eval::Evaluation};"),
        ("board/foul.rs", "mod tests { use super::super::super::eval::*; }"),
        ("board/mod.rs", "use super::game::Five;"),
        ("board/mod.rs", "use super::*;"),
        ("board/mod.rs", "pub(crate) use crate::*;"),
        ("board/mod.rs", "use crate as root;"),
        ("tt.rs", "use super::search;"),
        ("tt.rs", "use crate::rules::Setup;"),
        ("rules/mod.rs", "use crate::tt::Table;"),
        ("opening/swap2.rs", "use crate::record::Book;"),
        ("types/cell.rs", "#[cfg(test)] mod tests { use crate::rules::Rule; }"),
        ("search/mod.rs", "use crate::lab::verify;"),
        ("session/mod.rs", "use crate::lab;"),
        ("main.rs", "use goren::lab::verify;"),
        ("lab/mod.rs", "use crate::main::run;"),
        ("session/mod.rs", "use anyhow::Result;"),
        ("session/mod.rs", "fn main() -> anyhow::Result<()> {}"),
        ("main.rs", "use clap::Parser;"),
        ("tt.rs", "use {serde::Serialize};"),
        ("tt.rs", "use flate2;"),
        ("search/mod.rs", "use goren_protocol::Command;"),
        ("novel/mod.rs", "fn nothing() {}"),
        ("novel.rs", "use crate::types::Cell;"),
        ("types/cell.rs", "use crate::unheard::Of;"),
        ("types/cell.rs", "const QUOTE: char = '\"'; use crate::rules; const B: char = '\"';"),
        ("types/cell.rs", "fn f<'a>() {} const Q: &str = r#\"\"\"#; use crate::rules;"),
    ];
    for (file, source) in wrong {
        assert!(!faults(file, source).is_empty(), "{file}: {source}");
    }
}

#[test]
fn right_imports_are_left_alone() {
    let right = [
        ("board/mod.rs", "use crate::{pattern::Class, rules::*, types::{Cell, Color as Side}};"),
        ("board/foul.rs", "use super::{Board, cells::line_of}; use crate::board::near;"),
        ("board/foul.rs", "mod tests { use super::super::Board; use super::*; }"),
        ("tt.rs", "mod tests { use super::*; fn f() { if x { super::g() } } }"),
        ("board/mod.rs", "//! See [`crate::search`].\n/* use crate::eval; /* twice */ */"),
        ("board/mod.rs", "const A: &str = \"use crate::eval; \\\" crate::eval::b\";"),
        ("board/mod.rs", "const A: &str = r#\"use crate::eval; \" crate::eval::b\"#;"),
        ("board/mod.rs", "const A: char = '\\''; const B: &str = \"crate::eval\";"),
        ("session/mod.rs", "use goren_protocol::{Command, Reply}; use crate::search::Game;"),
        ("bin/goren.rs", "use goren::lab::verify; use clap::Parser;"),
        ("main.rs", "use goren::session::Session;"),
        ("lab/play.rs", "use anyhow::Result; use crate::search::new_game; use super::verify;"),
        ("lib.rs", "pub mod board; pub mod lab;"),
    ];
    for (file, source) in right {
        assert_eq!(faults(file, source), Vec::<String>::new(), "{source}");
    }
}
