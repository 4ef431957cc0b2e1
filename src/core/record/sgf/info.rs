//! Properties that tell of a game as a whole and decide nothing in it: the event, the place,
//! ranks, the time that there was. They are kept as they are written.

use super::tree::Node;
use crate::record::import::outcome::words;

/// Those of which the title of a game is made, in its order.
pub(super) const TITLE: [&str; 4] = ["EV", "RO", "DT", "GN"];
/// The others.
const OTHERS: [&str; 16] = [
    "AN", "BR", "BT", "CP", "GC", "HA", "KM", "ON", "OT", "OV", "PC", "SO", "TM", "US", "WR", "WT",
];

/// Whether a property is one of these.
pub(super) fn is_info(name: &str) -> bool {
    TITLE.contains(&name) || OTHERS.contains(&name)
}

/// What a line says of its game as a whole, each property once. A result that is not known
/// here is among it.
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
