//! The modules of a crate, what each defines, imports and names, from the
//! sources of the crate. Unit tests are left out: they may import anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::tokens::{Token, tokens};

/// Keywords before the name of an item.
const ITEMS: [&str; 8] = ["struct", "enum", "trait", "union", "fn", "const", "static", "type"];

/// An import: its path and its name in the module.
#[derive(Clone, Debug)]
pub struct Import {
    pub path: Vec<String>,
    pub name: String,
    /// Whether it is a re-export, which is no dependency if the item is of a child module.
    pub public: bool,
    /// Whether other crates may use it: `pub` without a restriction.
    pub exported: bool,
}

/// A module and its file.
#[derive(Default, Debug)]
pub struct Module {
    pub file: PathBuf,
    /// Names of items.
    pub items: BTreeSet<String>,
    /// Names of child modules.
    pub children: BTreeSet<String>,
    /// Those of `items` and `children` that are `pub` without a restriction.
    pub exported: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths in code, and single names.
    pub named: BTreeSet<Vec<String>>,
    /// Types that have an `impl` without a trait here.
    pub inherent: BTreeSet<Vec<String>>,
}

/// The modules of a crate by path; the root has the empty path.
pub type Modules = BTreeMap<Vec<String>, Module>;

/// Reads the crate whose root module is the file `root`.
pub fn read(root: &Path) -> Modules {
    let mut modules = Modules::new();
    read_file(root, Vec::new(), root.parent().unwrap(), &mut modules);
    modules
}

/// Reads a module from its file, then the files of its child modules.
fn read_file(file: &Path, path: Vec<String>, folder: &Path, modules: &mut Modules) {
    let source = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut outside = Vec::new();
    parse(&tokens(&source), file, &path, &mut outside, modules);
    for name in outside {
        let beside = folder.join(format!("{name}.rs"));
        let inside = folder.join(&name);
        let file = if beside.exists() { beside } else { inside.join("mod.rs") };
        let path = [path.clone(), vec![name]].concat();
        read_file(&file, path, &inside, modules);
    }
}

/// Parses the tokens of one module. Names of modules in files of their own go to
/// `outside`.
pub fn parse(
    tokens: &[Token],
    file: &Path,
    path: &[String],
    outside: &mut Vec<String>,
    modules: &mut Modules,
) {
    let mut module = Module { file: file.to_path_buf(), ..Module::default() };
    let (mut i, mut depth) = (0, 0);
    while i < tokens.len() {
        if is_test_attribute(tokens, i) {
            i = after_item(tokens, after_group(tokens, i + 1));
            continue;
        }
        match &tokens[i] {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth -= 1,
            Token::Word(word) if word == "use" => {
                i = import(tokens, i, &mut module.imports);
                continue;
            }
            Token::Word(word) if word == "mod" && depth == 0 => {
                let Some(Token::Word(name)) = tokens.get(i + 1) else { panic!("mod without name") };
                module.children.insert(name.clone());
                if is_exported(tokens, i) {
                    module.exported.insert(name.clone());
                }
                if tokens[i + 2] == Token::Sign('{') {
                    let end = after_group(tokens, i + 2);
                    let inner = [path, std::slice::from_ref(name)].concat();
                    parse(&tokens[i + 3..end - 1], file, &inner, outside, modules);
                    i = end;
                } else {
                    outside.push(name.clone());
                    i += 2;
                }
                continue;
            }
            Token::Word(word) if depth == 0 && word == "impl" => {
                module.inherent.extend(inherent(tokens, i + 1));
            }
            Token::Word(word) if depth == 0 && ITEMS.contains(&word.as_str()) => {
                if let Some(Token::Word(name)) = tokens.get(i + 1) {
                    module.items.insert(name.clone());
                    if is_exported(tokens, i) {
                        module.exported.insert(name.clone());
                    }
                }
            }
            Token::Word(_) => {
                i = path_in_code(tokens, i, &mut module.named);
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    let macros = tokens.windows(3).filter_map(|w| match w {
        [Token::Word(a), Token::Sign('!'), Token::Word(name)] if a == "macro_rules" => Some(name),
        _ => None,
    });
    module.items.extend(macros.cloned());
    modules.insert(path.to_vec(), module);
}

/// Collects the imports of the `use` at `i`. Returns the index after it.
fn import(tokens: &[Token], i: usize, imports: &mut Vec<Import>) -> usize {
    let exported = is_exported(tokens, i);
    let public = exported || i > 0 && tokens[i - 1] == Token::Sign(')');
    let from = imports.len();
    let end = tree(tokens, i + 1, Vec::new(), public, imports);
    imports[from..].iter_mut().for_each(|import| import.exported = exported);
    end
}

/// Collects the path or the single name that begins at `i`, unless it is a field or a method.
/// Returns the index after it.
fn path_in_code(tokens: &[Token], i: usize, named: &mut BTreeSet<Vec<String>>) -> usize {
    let mut end = i;
    let mut path = Vec::new();
    while let Some(Token::Word(word)) = tokens.get(end) {
        path.push(word.clone());
        if tokens.get(end + 1) != Some(&Token::PathSep) {
            break;
        }
        end += 2;
    }
    let after_dot = i > 0 && tokens[i - 1] == Token::Sign('.');
    if !after_dot {
        named.insert(path);
    }
    let end = end.min(tokens.len() - 1);
    if matches!(tokens[end], Token::Word(_)) { end + 1 } else { end }
}

/// Whether the item whose keyword is at `i` is `pub` without a restriction.
fn is_exported(tokens: &[Token], i: usize) -> bool {
    let qualifiers = ["const", "unsafe", "async"];
    let is_qualifier =
        |token: &&Token| matches!(token, Token::Word(word) if qualifiers.contains(&word.as_str()));
    let before = tokens[..i].iter().rev().find(|token| !is_qualifier(token));
    before == Some(&Token::Word("pub".to_owned()))
}

/// Whether an attribute such as `#[cfg(test)]` begins here.
fn is_test_attribute(tokens: &[Token], i: usize) -> bool {
    if tokens[i] != Token::Sign('#') || tokens.get(i + 1) != Some(&Token::Sign('[')) {
        return false;
    }
    let inside = &tokens[i..after_group(tokens, i + 1)];
    let has = |name: &str| inside.contains(&Token::Word(name.to_owned()));
    has("cfg") && has("test") && !has("not")
}

/// The index after the group that opens at `i`.
fn after_group(tokens: &[Token], mut i: usize) -> usize {
    let mut depth = 0;
    while i < tokens.len() {
        match tokens[i] {
            Token::Sign('{' | '(' | '[') => depth += 1,
            Token::Sign('}' | ')' | ']') => depth -= 1,
            _ => {}
        }
        i += 1;
        if depth == 0 {
            break;
        }
    }
    i
}

/// The index after the item at `i`: after its block or its semicolon.
fn after_item(tokens: &[Token], mut i: usize) -> usize {
    while i < tokens.len() {
        match tokens[i] {
            Token::Sign(';') => return i + 1,
            Token::Sign('{') => return after_group(tokens, i),
            Token::Sign('(' | '[') => i = after_group(tokens, i),
            _ => i += 1,
        }
    }
    i
}

/// The type of an `impl` without a trait.
fn inherent(tokens: &[Token], mut i: usize) -> Option<Vec<String>> {
    if tokens.get(i) == Some(&Token::Sign('<')) {
        let mut depth = 0;
        loop {
            match tokens.get(i)? {
                Token::Sign('<') => depth += 1,
                // Not part of an arrow.
                Token::Sign('>') if tokens[i - 1] != Token::Sign('-') => depth -= 1,
                _ => {}
            }
            i += 1;
            if depth == 0 {
                break;
            }
        }
    }
    let end = (i..tokens.len()).find(|&k| tokens[k] == Token::Sign('{'))?;
    let word = |name: &str| Token::Word(name.to_owned());
    let head: Vec<&Token> = tokens[i..end].iter().take_while(|t| **t != word("where")).collect();
    if head.contains(&&word("for")) {
        return None;
    }
    let mut path = Vec::new();
    for token in head {
        match token {
            Token::Word(word) => path.push(word.clone()),
            Token::PathSep => {}
            Token::Sign(_) => break,
        }
    }
    Some(path)
}

/// Collects the imports of a `use` tree. Returns the index after it.
fn tree(
    tokens: &[Token],
    mut i: usize,
    mut path: Vec<String>,
    public: bool,
    imports: &mut Vec<Import>,
) -> usize {
    loop {
        match tokens.get(i) {
            Some(Token::Word(word)) => path.push(word.clone()),
            Some(Token::Sign('*')) => path.push("*".to_owned()),
            Some(Token::Sign('{')) => {
                i += 1;
                while tokens[i] != Token::Sign('}') {
                    if tokens[i] == Token::Sign(',') {
                        i += 1;
                    } else {
                        i = tree(tokens, i, path.clone(), public, imports);
                    }
                }
                return i + 1;
            }
            _ => {}
        }
        i += 1;
        if tokens.get(i) == Some(&Token::PathSep) {
            i += 1;
            continue;
        }
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        let mut name = path.last().cloned().unwrap_or_default();
        if tokens.get(i) == Some(&Token::Word("as".to_owned())) {
            if let Some(Token::Word(other)) = tokens.get(i + 1) {
                name.clone_from(other);
            }
            i += 2;
        }
        imports.push(Import { path, name, public, exported: false });
        return i;
    }
}
