//! The items that a crate exports, and their paths.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::{Target, resolve};
use crate::modules::Modules;

/// The paths of every exported item, by the module that defines it and its name.
pub type Exports = BTreeMap<(Vec<String>, String), BTreeSet<String>>;

/// All items that other crates can name.
pub fn exports(modules: &Modules) -> Exports {
    let mut exports = Exports::new();
    collect(modules, &[], &[], &mut exports);
    exports
}

/// Collects the exports of the module `at`, whose path for users is `shown`.
fn collect(modules: &Modules, at: &[String], shown: &[String], exports: &mut Exports) {
    let module = &modules[at];
    let path = |name: &str| [shown, &[name.to_owned()]].concat();
    for name in &module.exported {
        if module.children.contains(name) {
            let inside = [at, std::slice::from_ref(name)].concat();
            collect(modules, &inside, &path(name), exports);
        }
        if module.items.contains(name) {
            let paths = exports.entry((at.to_vec(), name.clone())).or_default();
            paths.insert(path(name).join("::"));
        }
    }
    for import in module.imports.iter().filter(|import| import.exported) {
        match resolve(modules, at, &import.path, 0) {
            Some(Target::Module(of)) if import.name == "*" => collect(modules, &of, shown, exports),
            Some(Target::Module(of)) if is_exported(modules, &of) => {
                collect(modules, &of, &path(&import.name), exports);
            }
            // A module with the name of an item next to it.
            Some(Target::Module(_)) | None => {}
            Some(Target::Item(home, name)) => {
                exports.entry((home, name)).or_default().insert(path(&import.name).join("::"));
            }
        }
    }
}

fn is_exported(modules: &Modules, module: &[String]) -> bool {
    let parent = module.split_last().and_then(|(name, parent)| Some((name, modules.get(parent)?)));
    parent.is_some_and(|(name, parent)| parent.exported.contains(name))
}
