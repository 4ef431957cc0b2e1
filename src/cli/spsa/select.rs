//! Selection of the parameters that a run tunes.

use anyhow::{Result, ensure};

use goren_engine::{Params, Spec};

/// The parameters of a list of names and patterns, in the order of
/// [`Params::SPECS`]. A `*` stands for anything; a `!` before a word takes away
/// what it names. A list that begins by taking away takes from all.
///
/// # Errors
/// A word that names nothing, or a list that leaves nothing.
pub(super) fn select(list: &str) -> Result<Vec<Spec>> {
    let words: Vec<&str> = list.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    let all = words.first().is_some_and(|word| word.starts_with('!'));
    let mut chosen = vec![all; Params::SPECS.len()];
    for word in words {
        let pattern = word.strip_prefix('!');
        let mut found = false;
        for (spec, chosen) in Params::SPECS.iter().zip(&mut chosen) {
            if matches(pattern.unwrap_or(word), spec.name) {
                (*chosen, found) = (pattern.is_none(), true);
            }
        }
        ensure!(found, "no parameter is named {word:?}");
    }
    let specs = Params::SPECS.iter().zip(chosen).filter(|&(_, chosen)| chosen);
    let specs: Vec<Spec> = specs.map(|(spec, _)| *spec).collect();
    ensure!(!specs.is_empty(), "no parameter is left to tune");
    Ok(specs)
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((head, tail)) => name.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| matches(tail, rest)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<&'static str> {
        select(list).unwrap().iter().map(|spec| spec.name).collect()
    }

    #[test]
    fn lists_add_and_take_away() {
        assert_eq!(names("razor_*"), ["razor_depth", "razor_base", "razor_margin"]);
        assert_eq!(names("history_malus, razor_base"), ["razor_base", "history_malus"]);
        assert_eq!(names("razor_*,!*_depth"), ["razor_base", "razor_margin"]);
        assert_eq!(names("*zor*gin"), ["razor_margin"]);
        assert_eq!(names("*").len(), Params::SPECS.len());
        assert_eq!(names("!iir").len(), Params::SPECS.len() - 1);
    }

    #[test]
    fn names_of_nothing_are_told() {
        let error = |list: &str| select(list).unwrap_err().to_string();
        assert_eq!(error("iir,razor"), "no parameter is named \"razor\"");
        assert_eq!(error("!nosuch*"), "no parameter is named \"!nosuch*\"");
        assert_eq!(error("iir,!iir"), "no parameter is left to tune");
        assert_eq!(error(""), "no parameter is left to tune");
    }
}
