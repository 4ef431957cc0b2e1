//! The files of the page, which are embedded in the program.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// A file of the page.
#[derive(Copy, Clone)]
pub(super) struct Asset {
    name: &'static str,
    mime: &'static str,
    text: &'static str,
}

/// Lists files of the page with their types.
macro_rules! assets {
    ($($name:literal: $mime:expr,)*) => {
        &[$(Asset {
            name: $name,
            mime: $mime,
            text: include_str!(concat!("../page/", $name)),
        },)*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

const ASSETS: &[Asset] = assets! {
    "index.html": HTML,
    "style.css": CSS,
    "icon.svg": SVG,
    "old.js": SCRIPT,
    "main.js": SCRIPT,
    "link.js": SCRIPT,
    "state.js": SCRIPT,
    "board.js": SCRIPT,
    "controls.js": SCRIPT,
    "setup.js": SCRIPT,
    "tree.js": SCRIPT,
    "analysis.js": SCRIPT,
    "files.js": SCRIPT,
    "clock.js": SCRIPT,
    "letters.js": SCRIPT,
    "settings.js": SCRIPT,
    "taps.js": SCRIPT,
    "threats.js": SCRIPT,
    "drawing.js": SCRIPT,
    "explanation.js": SCRIPT,
    "picture.js": SCRIPT,
    "gif.js": SCRIPT,
    "keys.js": SCRIPT,
    "kept.js": SCRIPT,
    "storage.js": SCRIPT,
    "engine.js": SCRIPT,
    "language.js": SCRIPT,
    "words.js": SCRIPT,
    "words-cs.js": SCRIPT,
    "words-et.js": SCRIPT,
    "words-ja.js": SCRIPT,
    "words-ko.js": SCRIPT,
    "words-ru.js": SCRIPT,
    "words-vi.js": SCRIPT,
    "words-zh.js": SCRIPT,
    "dom.js": SCRIPT,
    "lesson.css": CSS,
    "review.js": SCRIPT,
    "memory.js": SCRIPT,
    "trainer.js": SCRIPT,
    "walk.js": SCRIPT,
    "label.js": SCRIPT,
    "database.js": SCRIPT,
};

/// Finds a file by name; the empty name is the page itself.
pub(super) fn find(name: &str) -> Option<Asset> {
    let name = if name.is_empty() { "index.html" } else { name };
    ASSETS.iter().find(|asset| asset.name == name).copied()
}

impl IntoResponse for Asset {
    fn into_response(self) -> Response {
        let mut response = self.text.into_response();
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(self.mime));
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_that_the_page_refers_to_are_served() {
        let quoted = |text: &'static str| text.split(['"', '\'']).skip(1).step_by(2);
        for asset in ASSETS {
            let html = asset.mime == HTML;
            for name in quoted(asset.text) {
                let relative = name.strip_prefix("./").or(Some(name).filter(|_| html));
                // It has types only, and no browser requests it.
                let relative = relative.filter(|name| *name != "schema.js");
                let ends = [".js", ".css", ".svg"];
                let Some(name) = relative.filter(|name| ends.iter().any(|end| name.ends_with(end)))
                else {
                    continue;
                };
                assert!(find(name).is_some(), "{} names {name}", asset.name);
            }
        }
    }

    #[test]
    fn the_page_loads_nothing_from_other_hosts() {
        for asset in ASSETS {
            let addresses = asset.text.split("://").skip(1);
            for address in addresses {
                assert!(address.starts_with("www.w3.org/"), "{}: {address:.30}", asset.name);
            }
            assert!(!asset.text.contains("innerHTML") && !asset.text.contains("eval("));
        }
    }
}
