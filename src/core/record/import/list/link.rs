//! Links of boards on the web that hold the moves: behind the `#`, as
//! gomocalc.com has them (`https://gomocalc.com/#/h8i9`), in a field such as
//! `?moves=h8,i9`, or as the last part of the path.

use super::lexer::lex;
use crate::record::import::size::board_size;

/// What a link says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Link {
    /// The moves, without `%20` and the like.
    pub(super) moves: String,
    /// How many there are.
    count: usize,
    /// Where they stand.
    pub(super) part: String,
    /// Columns and rows of the board.
    pub(super) size: Option<(usize, usize)>,
    /// The game, in the words of the link.
    pub(super) rule: Option<String>,
    /// Other fields, which are not used.
    pub(super) others: Vec<String>,
}

/// Longest link that is looked at, in bytes.
const LONGEST: usize = 1 << 16;

/// Most fields of a link.
const MOST_FIELDS: usize = 64;

/// Whether a text is a link.
pub(super) fn is_link(text: &str) -> bool {
    let text = text.trim();
    let is_name = |scheme: &str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let scheme = text.split_once("://").is_some_and(|(scheme, _)| is_name(scheme));
    (scheme || text.starts_with("www.")) && !text.contains(char::is_whitespace)
}

/// What a link says; `None` if no part of it is moves.
pub(super) fn parse(text: &str, falls: bool) -> Option<Link> {
    let text = text.trim();
    let text = text.split_once("://").map_or(text, |(_, rest)| rest);
    if text.len() > LONGEST {
        return None;
    }
    let (page, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (page, query) = page.split_once('?').unwrap_or((page, ""));
    let (path, inner) = fragment.split_once('?').unwrap_or((fragment, ""));
    let mut link = Link::default();
    // The part with most moves is taken.
    let offer = |part: String, text: &str, link: &mut Link| {
        let moves = plain(text).trim_matches('/').to_string();
        let count = lex(&moves, falls).map_or(0, |lexed| lexed.items.len());
        if count > link.count {
            (link.count, link.moves, link.part) = (count, moves, part);
        }
        count > 0
    };
    offer("behind the #".into(), path, &mut link);
    for field in query.split('&').chain(inner.split('&')).take(MOST_FIELDS) {
        let Some((name, value)) = field.split_once('=') else {
            if !offer("behind the ?".into(), field, &mut link) && !field.is_empty() {
                link.others.push(field.chars().take(MOST_FIELDS).collect());
            }
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "size" | "boardsize" | "board_size" | "cboardsize" if board_size(value).is_some() => {
                link.size = board_size(value);
            }
            "rule" | "rules" | "game" | "variant" => link.rule = Some(plain(value)),
            _ if offer(format!("in the field {name}"), value, &mut link) => {}
            _ => link.others.push(name.chars().take(MOST_FIELDS).collect()),
        }
    }
    let last = page.trim_end_matches('/').rsplit_once('/').map_or("", |(_, last)| last);
    if link.count == 0 {
        offer("at the end of the path".into(), last, &mut link);
    }
    (link.count > 0).then_some(link)
}

/// A text with `%20` and the like resolved, and `+` as a blank.
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
        assert!(is_link(text), "{text}");
        parse(text, false).map_or("none".into(), |link| link.moves)
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
        assert_eq!((link.size, link.rule.as_deref()), (Some((20, 15)), Some("renju")));
        assert_eq!(
            (link.part.as_str(), link.others),
            ("in the field moves", vec!["lang".into(), "x".into()])
        );
        for text in ["h8", "see https://b.example/#/h8", "a b://c"] {
            assert!(!is_link(text), "{text}");
        }
        let long = format!("https://b.example/#/{}", "h8".repeat(LONGEST));
        assert_eq!(parse(&long, false), None);
    }
}
