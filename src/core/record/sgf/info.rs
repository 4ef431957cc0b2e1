//! Properties that describe a game as a whole and decide nothing in it: event, place, ranks, time
//! limits. Their values are kept as written.

use super::tree::Node;
use crate::record::import::outcome::words;

/// Properties that make up the title of a game, in its order.
pub(super) const TITLE: [&str; 4] = ["EV", "RO", "DT", "GN"];
/// Other descriptive properties.
const OTHERS: [&str; 16] = [
    "AN", "BR", "BT", "CP", "GC", "HA", "KM", "ON", "OT", "OV", "PC", "SO", "TM", "US", "WR", "WT",
];

/// Whether a property is descriptive.
pub(super) fn is_info(name: &str) -> bool {
    TITLE.contains(&name) || OTHERS.contains(&name)
}

/// Collects the descriptive properties of a line, each once. A result that is not understood is
/// included.
pub(super) fn info(path: &[&Node<'_>]) -> Vec<(String, String)> {
    let mut info: Vec<(String, String)> = Vec::new();
    for value in path.iter().flat_map(|node| &node.values) {
        let name = value.name.as_str();
        let is_new = || info.iter().all(|(of, _)| of != name);
        if !is_info(name) && name != "RE" || !is_new() {
            continue;
        }
        let text = value.prose();
        if !text.is_empty() && (name != "RE" || words(&text).is_none()) {
            info.push((name.to_owned(), text));
        }
    }
    info
}
