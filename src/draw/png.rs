//! Renders a picture to PNG.

use resvg::{tiny_skia, usvg};

/// Why a picture cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG is not one that the renderer reads.
    #[error("cannot read the SVG: {0}")]
    Svg(String),
    /// The picture is too large, or empty.
    #[error("cannot render a picture of {width} x {height}")]
    Size {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
    },
    /// The encoder failed.
    #[error("cannot encode the PNG: {0}")]
    Encode(String),
}

/// Wider pictures are rendered as they are, others at twice their size for sharp screens.
const WIDE: f32 = 1600.0;

/// The PNG of an SVG picture of this crate, in its light colours.
///
/// # Errors
/// [`PngError`] if the text is no SVG or the picture is too large to hold.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())
        .map_err(|error| PngError::Svg(error.to_string()))?;
    let scale = if tree.size().width() > WIDE { 1.0 } else { 2.0 };
    let width = (tree.size().width() * scale).ceil() as u32;
    let height = (tree.size().height() * scale).ceil() as u32;
    let mut pixels =
        tiny_skia::Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_light_squares_dark_squares_and_a_queen() {
        let bytes = png(&crate::draw::board(&[1, 3, 0, 2])).unwrap();
        let pixels = tiny_skia::Pixmap::decode_png(&bytes).unwrap();
        let mut colours = std::collections::HashMap::new();
        for pixel in pixels.pixels() {
            *colours.entry((pixel.red(), pixel.green(), pixel.blue())).or_insert(0u32) += 1;
        }
        let common = colours.values().filter(|&&count| count > 2000).count();
        assert!(common >= 4, "card, light, dark and queen: {common}");
    }

    #[test]
    fn what_is_no_svg_is_refused() {
        assert!(matches!(png("hello"), Err(PngError::Svg(_))));
    }
}
