//! Selection of the parameters that a run tunes.

use anyhow::{Result, ensure};

use goren_engine::{Params, Spec};

/// The parameters selected by a list of names and patterns, in the order of
/// [`Params::SPECS`]. A `*` matches any text; a `!` before a word excludes what it
/// matches. A list that begins with an exclusion starts from all parameters.
///
/// # Errors
/// A word matches no parameter, or no parameter is left.
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

/// Whether a name matches a pattern in which `*` stands for any text.
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
    fn lists_include_and_exclude() {
        assert_eq!(names("razor_*"), ["razor_depth", "razor_base", "razor_margin"]);
        assert_eq!(names("history_malus, razor_base"), ["razor_base", "history_malus"]);
        assert_eq!(names("razor_*,!*_depth"), ["razor_base", "razor_margin"]);
        assert_eq!(names("*zor*gin"), ["razor_margin"]);
        assert_eq!(names("*").len(), Params::SPECS.len());
        assert_eq!(names("!iir").len(), Params::SPECS.len() - 1);
    }

    #[test]
    fn words_without_a_match_are_refused() {
        let error = |list: &str| select(list).unwrap_err().to_string();
        assert_eq!(error("iir,razor"), "no parameter is named \"razor\"");
        assert_eq!(error("!nosuch*"), "no parameter is named \"!nosuch*\"");
        assert_eq!(error("iir,!iir"), "no parameter is left to tune");
        assert_eq!(error(""), "no parameter is left to tune");
    }
}
