//! Dependencies between files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::modules::{Import, Modules};

/// What a path resolves to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Module(Vec<String>),
    /// An item of a module.
    Item(Vec<String>, String),
}

/// Maximum depth of a resolution; deeper ones are cycles of re-exports.
const MAX_DEPTH: u32 = 32;

/// Resolves a path in the module `from`. `None` if it leads to another crate, or to
/// nothing in the sources.
pub fn resolve(modules: &Modules, from: &[String], path: &[String], depth: u32) -> Option<Target> {
    let (first, mut rest) = path.split_first()?;
    let mut at = from.to_vec();
    match first.as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => {
            at.pop()?;
            while let Some((next, after)) = rest.split_first()
                && next == "super"
            {
                at.pop()?;
                rest = after;
            }
        }
        _ => rest = path,
    }
    let Some((name, after)) = rest.split_first() else { return Some(Target::Module(at)) };
    step(modules, &at, name, after, depth)
}

/// Resolves `name`, and then `rest`, in the module `at`.
fn step(
    modules: &Modules,
    at: &[String],
    name: &str,
    rest: &[String],
    depth: u32,
) -> Option<Target> {
    let module = modules.get(at)?;
    if depth > MAX_DEPTH {
        return None;
    }
    if name == "*" {
        return Some(Target::Module(at.to_vec()));
    }
    if module.children.contains(name) {
        let inner = [at, &[name.to_owned()]].concat();
        let Some((next, after)) = rest.split_first() else { return Some(Target::Module(inner)) };
        if let Some(found) = step(modules, &inner, next, after, depth + 1) {
            return Some(found);
        }
    }
    if module.items.contains(name) {
        return Some(Target::Item(at.to_vec(), name.to_owned()));
    }
    for Import { path, name: known, .. } in &module.imports {
        if known == name {
            let whole = [&path[..], rest].concat();
            if whole[..] != [name.to_owned()] || !rest.is_empty() {
                return resolve(modules, at, &whole, depth + 1);
            }
        }
    }
    module.imports.iter().filter(|import| import.name == "*").find_map(|import| {
        let base = &import.path[..import.path.len() - 1];
        let Some(Target::Module(base)) = resolve(modules, at, base, depth + 1) else { return None };
        if base == at { None } else { step(modules, &base, name, rest, depth + 1) }
    })
}

/// The files that each file depends on, and the names it uses from them.
pub type Graph = BTreeMap<PathBuf, BTreeMap<PathBuf, BTreeSet<String>>>;

/// The graph of a crate. Declaring child modules and re-exporting their items is no
/// dependency.
pub fn graph(modules: &Modules) -> Graph {
    let mut graph = Graph::new();
    for (path, module) in modules {
        let uses = module.imports.iter().map(|import| (&import.path, import.public));
        for (named, re_exported) in uses.chain(module.named.iter().map(|named| (named, false))) {
            let whole = named.last().is_some_and(|last| last == "*");
            let target = match resolve(modules, path, named, 0) {
                Some(Target::Item(at, name)) => Some((at, name)),
                Some(Target::Module(at)) if whole => Some((at, "*".to_owned())),
                _ => None,
            };
            let Some((at, name)) = target else { continue };
            if re_exported && at.starts_with(path) {
                continue;
            }
            let file = modules[&at].file.clone();
            let needs = graph.entry(module.file.clone()).or_default();
            if file != module.file {
                needs.entry(file).or_default().insert(name);
            }
        }
    }
    graph
}

/// The cycles of a graph: groups of files each of which depends on all others,
/// directly or through others.
pub fn cycles(graph: &Graph) -> Vec<BTreeSet<PathBuf>> {
    let reach: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        graph.keys().map(|file| (file, reached(graph, file))).collect();
    let mut cycles = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, far) in &reach {
        if !seen.contains(file) && far.contains(file) {
            let back = |other: &&&PathBuf| reach.get(**other).is_some_and(|far| far.contains(file));
            let cycle: BTreeSet<PathBuf> = far.iter().filter(back).map(|f| (*f).clone()).collect();
            seen.extend(far.iter().filter(back).copied());
            cycles.push(cycle);
        }
    }
    cycles
}

/// The files that are reachable from a file; the file itself only through others.
fn reached<'a>(graph: &'a Graph, from: &PathBuf) -> BTreeSet<&'a PathBuf> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&PathBuf> = graph[from].keys().collect();
    while let Some(file) = open.pop() {
        if found.insert(file) {
            open.extend(graph.get(file).into_iter().flat_map(|needs| needs.keys()));
        }
    }
    found
}
