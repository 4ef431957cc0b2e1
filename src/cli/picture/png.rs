//! SVG as PNG, with our own font, so that the result is the same on every machine.

use std::sync::Arc;

use anyhow::{Context, Result};
use resvg::{tiny_skia, usvg};

/// Pixels of the PNG for each unit of the SVG, so that small digits are sharp.
const SCALE: f32 = 2.0;

/// Renders a picture as PNG. Texts are set in DejaVu Sans, whatever font the picture names.
///
/// # Errors
/// The text is no SVG, or the picture is too large.
pub(crate) fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = usvg::fontdb::Database::new();
    for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
        fonts.load_font_source(usvg::fontdb::Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family("DejaVu Sans");
    let family = "DejaVu Sans".into();
    let options =
        usvg::Options { fontdb: Arc::new(fonts), font_family: family, ..Default::default() };
    let tree = usvg::Tree::from_str(svg, &options).context("the picture is not valid SVG")?;
    let size = tree.size().to_int_size().scale_by(SCALE).context("the picture is too large")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("no memory for the picture")?;
    let scale = tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels.encode_png().context("the picture cannot be written as PNG")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the dark pixels of a text.
    fn ink(text: &str, weight: &str) -> usize {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"30\">\
             <rect width=\"60\" height=\"30\" fill=\"#fff\"/><text x=\"5\" y=\"22\" \
             font-family=\"sans-serif\" font-weight=\"{weight}\" font-size=\"20\">{text}</text></svg>"
        );
        let pixels = tiny_skia::Pixmap::decode_png(&png(&svg).unwrap()).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (120, 60));
        pixels.pixels().iter().filter(|pixel| pixel.red() < 100).count()
    }

    #[test]
    fn texts_are_drawn_without_fonts_of_the_machine() {
        assert_eq!(ink("", "normal"), 0);
        let plain = ink("88", "normal");
        assert!(plain > 200, "{plain}");
        assert!(ink("88", "bold") > plain);
        assert!(png("no picture").is_err());
    }
}
