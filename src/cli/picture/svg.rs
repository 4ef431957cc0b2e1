//! SVG, element by element.

use std::fmt::{Display, Write};

/// Font family of all texts.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// A picture in progress.
pub(super) struct Svg(String);

/// Placement of a text relative to its point.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// Style of a text.
#[derive(Copy, Clone, Debug)]
pub(super) struct TextStyle<'a> {
    /// Height of the letters, in units.
    pub(super) size: f64,
    pub(super) fill: &'a str,
    pub(super) bold: bool,
    pub(super) anchor: Anchor,
}

impl Svg {
    /// Begins a picture with its definitions.
    pub(super) fn new(width: f64, height: f64, definitions: &str) -> Svg {
        let (width, height) = (number(width), number(height));
        Svg(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n{definitions}"
        ))
    }

    /// Adds an element by its name, numeric attributes and style.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, f64)], style: &str) {
        // Writing to a String cannot fail.
        let _ = write!(self.0, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.0, " {key}=\"{}\"", number(*value));
        }
        let _ = writeln!(self.0, " {style}/>");
    }

    pub(super) fn rect(&mut self, [x, y, width, height]: [f64; 4], style: &str) {
        let attributes = [("x", x), ("y", y), ("width", width), ("height", height)];
        self.element("rect", &attributes, style);
    }

    pub(super) fn line(&mut self, [x1, y1, x2, y2]: [f64; 4], style: &str) {
        self.element("line", &[("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)], style);
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), r: f64, style: &str) {
        self.element("circle", &[("cx", x), ("cy", y), ("r", r)], style);
    }

    /// Adds a polygon through points.
    pub(super) fn polygon(&mut self, points: &[(f64, f64)], style: &str) {
        let points: Vec<String> =
            points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
        let _ = writeln!(self.0, "<polygon points=\"{}\" {style}/>", points.join(" "));
    }

    /// Adds a text whose base line goes through the point.
    pub(super) fn text(&mut self, (x, y): (f64, f64), text: &impl Display, with: TextStyle) {
        let anchor = match with.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
        };
        let weight = if with.bold { " font-weight=\"bold\"" } else { "" };
        let (x, y, size) = (number(x), number(y), number(with.size));
        let (fill, text) = (with.fill, escaped(&text.to_string()));
        let _ = writeln!(
            self.0,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{weight}{anchor}>{text}</text>"
        );
    }

    /// Returns the finished SVG.
    pub(super) fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// Formats a number with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Escapes a text for the content of an element, without control characters.
fn escaped(text: &str) -> String {
    let mut escaped_text = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped_text.push_str("&amp;"),
            '<' => escaped_text.push_str("&lt;"),
            '>' => escaped_text.push_str("&gt;"),
            c if c.is_control() => {}
            c => escaped_text.push(c),
        }
    }
    escaped_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_texts_are_safe() {
        assert_eq!(
            (number(2.0), number(2.125), number(-0.5)),
            ("2".into(), "2.12".into(), "-0.5".into())
        );
        assert_eq!(escaped("a<b>&\u{7}c"), "a&lt;b&gt;&amp;c");
    }
}
