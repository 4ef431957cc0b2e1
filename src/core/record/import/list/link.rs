//! Links of web boards that contain the moves: after the `#`, as on gomocalc.com
//! (`https://gomocalc.com/#/h8i9`), in a field such as `?moves=h8,i9`, or as the last part of the
//! path. Another part of the path may name the game.

use super::lexer::lex;
use crate::record::import::size::board_size;
use crate::rules::named;

/// Content of a link.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Link {
    /// The moves, with `%20` and the like resolved.
    pub(super) moves: String,
    /// Number of moves.
    count: usize,
    /// The part of the link that contains them, for a message.
    pub(super) part: String,
    /// Board sizes, as written and parsed.
    pub(super) sizes: Vec<(String, Option<(usize, usize)>)>,
    /// Names of the game.
    pub(super) rules: Vec<String>,
    /// Other fields, not used.
    pub(super) others: Vec<String>,
}

/// Maximum length of a link in bytes.
const LONGEST: usize = 1 << 16;

/// Maximum number of fields of a link that are read.
const MAX_FIELDS: usize = 64;

/// Whether a text is a link.
fn is_link(text: &str) -> bool {
    let is_name = |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_scheme = text.split_once("://").is_some_and(|(scheme, _)| is_name(scheme));
    // A link without a scheme is a host and a path with a query or a fragment.
    let is_host = |host: &str| {
        let end = host.rsplit_once('.').map_or("", |(_, end)| end);
        end.len() > 1 && end.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let bare = || {
        text.split_once('/').is_some_and(|(host, path)| is_host(host) && path.contains(['#', '?']))
    };
    let is_word = !text.is_empty() && !text.contains(char::is_whitespace);
    is_word && (has_scheme || text.starts_with("www.") || bare())
}

/// Finds the link of a line, and the words around it; `None` if one of these may be a move.
pub(super) fn of_line(line: &str) -> Option<(&str, Vec<&str>)> {
    let line = line.trim();
    if is_link(line) {
        return Some((line, Vec::new()));
    }
    if !line.contains("://") {
        return None;
    }
    let (links, others): (Vec<&str>, Vec<&str>) =
        line.split_whitespace().partition(|word| is_link(word));
    let is_no_move = |word: &&str| !word.contains(|c: char| c.is_ascii_digit());
    match links[..] {
        [link] if others.iter().all(is_no_move) => Some((link, others)),
        _ => None,
    }
}

/// Parses a link; `None` if no part of it is moves.
pub(super) fn parse(text: &str, falls: bool) -> Option<Link> {
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    if text.len() > LONGEST {
        return None;
    }
    let (page, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (page, query) = page.split_once('?').unwrap_or((page, ""));
    let (path, inner) = fragment.split_once('?').unwrap_or((fragment, ""));
    let mut link = Link::default();
    // The part with the most moves is used.
    let offer = |part: String, text: &str, link: &mut Link| {
        let moves = plain(text).trim_matches('/').to_string();
        let count = lex(&moves, falls).map_or(0, |lexed| lexed.items.len());
        if count > link.count {
            (link.count, link.moves, link.part) = (count, moves, part);
        }
        count > 0
    };
    offer("after the #".into(), path, &mut link);
    for field in query.split('&').chain(inner.split('&')).take(MAX_FIELDS) {
        let Some((name, value)) = field.split_once('=') else {
            if !offer("after the ?".into(), field, &mut link) && !field.is_empty() {
                link.others.push(field.chars().take(MAX_FIELDS).collect());
            }
            continue;
        };
        let size = board_size(value);
        match name.to_ascii_lowercase().as_str() {
            "size" | "boardsize" | "board_size" | "cboardsize" => {
                link.sizes.push((plain(value), size));
            }
            "board" if size.is_some() => link.sizes.push((plain(value), size)),
            "rule" | "rules" | "game" | "variant" => link.rules.push(plain(value)),
            _ if offer(format!("in the field {name}"), value, &mut link) => {}
            _ => link.others.push(name.chars().take(MAX_FIELDS).collect()),
        }
    }
    let (folders, last) = page.trim_end_matches('/').rsplit_once('/').unwrap_or((page, ""));
    if link.count == 0 {
        offer("at the end of the path".into(), last, &mut link);
    }
    // A number in the path is more likely that of a page than Gomocup's number of a rule.
    let is_game =
        |name: &&str| !name.contains(|c: char| c.is_ascii_digit()) && named(name).is_some();
    let of_path = folders.split('/').skip(1).chain([last]).take(MAX_FIELDS).find(is_game);
    link.rules.extend(of_path.map(String::from));
    (link.count > 0).then_some(link)
}

/// Resolves `%20` and the like, and replaces `+` by a blank.
fn plain(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        rest = after;
        if byte == b'%'
            && let Some((high, low)) = digit(0).zip(digit(1))
        {
            bytes.push((high * 16 + low) as u8);
            rest = &after[2..];
        } else {
            bytes.push(if byte == b'+' { b' ' } else { byte });
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> String {
        let (link, _) = of_line(text).unwrap_or_else(|| panic!("{text}"));
        parse(link, false).map_or("none".into(), |link| link.moves)
    }

    #[test]
    fn moves_are_found_in_links() {
        for text in [
            "https://gomocalc.com/#/h8i9g7",
            "https://www.gomocalc.com/#/h8i9g7",
            "http://board.example/?moves=h8i9g7",
            "https://board.example/play?size=15&pos=h8i9g7&lang=en",
            "https://board.example/#h8i9g7",
            "https://board.example/#/game?moves=h8i9g7",
            "https://board.example/b/h8i9g7/",
            "www.board.example/?h8i9g7",
            "gomocalc.com/#/h8i9g7",
        ] {
            assert_eq!(moves(text), "h8i9g7", "{text}");
        }
        assert_eq!(moves("https://b.example/?m=h8%2Ci9+g7"), "h8,i9 g7");
        assert_eq!(moves("https://b.example/?m=%5B%5B7,7%5D,%5B8,8%5D%5D"), "[[7,7],[8,8]]");
        for text in ["https://b.example/", "https://b.example/#/about", "http://b.example/?id=x%zz"]
        {
            assert_eq!(moves(text), "none", "{text}");
        }
    }

    #[test]
    fn other_fields_are_named() {
        let text = "https://b.example/?size=20x15&rule=renju&lang=en&moves=h8&x#/";
        let link = parse(text, false).unwrap();
        assert_eq!(link.sizes, [("20x15".into(), Some((20, 15)))]);
        assert_eq!(link.rules, ["renju"]);
        assert_eq!(
            (link.part.as_str(), link.others),
            ("in the field moves", vec!["lang".into(), "x".into()])
        );
        assert_eq!(of_line("see https://b.example/#/h8").unwrap().1, ["see"]);
        for text in ["h8", "h9 https://b.example/#/h8", "hh.ii/jj", "1.h8/i9", "a https://"] {
            assert_eq!(of_line(text).filter(|(link, _)| !link.ends_with("//")), None, "{text}");
        }
        let long = format!("https://b.example/#/{}", "h8".repeat(LONGEST));
        assert_eq!(parse(&long, false), None);
    }
}
