//! Paints a picture and encodes it as PNG, with the fonts of the system.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Family, Query};
use resvg::usvg::{self, Options, Tree};

use crate::picture::{FAMILIES, Picture};

/// Why a picture cannot be painted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The system has no font for its texts.
    #[error(
        "found no font on this system, to write the picture's texts with: install one, or draw SVG"
    )]
    NoFont,
    /// The picture is empty.
    #[error("cannot paint the picture: {0}")]
    Svg(#[from] usvg::Error),
    /// The picture is too large: its width and its height in pixels.
    #[error("cannot paint a picture of {0} x {1}")]
    Size(u32, u32),
    /// The encoder failed.
    #[error("cannot encode the PNG: {0}")]
    Encode(String),
}

/// Pictures up to this width are painted at twice their size, for high-resolution screens; wider ones at their size.
const MAX_DOUBLED_WIDTH_PX: f64 = 1600.0;

impl Picture {
    /// The picture as PNG, in its light colours.
    ///
    /// # Errors
    /// [`PngError`] if it is too large to hold, or the system has no font.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        let mut options = Options::default();
        options.fontdb_mut().load_system_fonts();
        self.png_with_fonts_of(options)
    }

    fn png_with_fonts_of(&self, mut options: Options) -> Result<Vec<u8>, PngError> {
        choose_font(&mut options)?;
        let scale = if self.width > MAX_DOUBLED_WIDTH_PX { 1.0 } else { 2.0 };
        let width = (self.width * scale).ceil() as u32;
        let height = (self.height * scale).ceil() as u32;
        let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size(width, height))?;
        let tree = Tree::from_str(&self.svg(), &options)?;
        let transform = Transform::from_scale(scale as f32, scale as f32);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
    }
}

/// If the system has none of [`FAMILIES`], takes its first font in place of `sans-serif`. Without it all texts would
/// be left out.
fn choose_font(options: &mut Options) -> Result<(), PngError> {
    let fonts = options.fontdb_mut();
    let names = FAMILIES.split(',').map(|name| name.trim_matches('"'));
    let families: Vec<Family> = names.map(Family::Name).chain([Family::SansSerif]).collect();
    if fonts.query(&Query { families: &families, ..Query::default() }).is_some() {
        return Ok(());
    }
    let first = fonts.faces().next().and_then(|face| face.families.first());
    let (name, _language) = first.cloned().ok_or(PngError::NoFont)?;
    fonts.set_sans_serif_family(name);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Anchor, COLOURS};
    use resvg::usvg::Node;

    fn painted(picture: &Picture) -> Pixmap {
        Pixmap::decode_png(&picture.png().unwrap()).unwrap()
    }

    fn colour(pixels: &Pixmap, x: u32, y: u32) -> String {
        let pixel = pixels.pixel(x, y).unwrap();
        format!("#{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue())
    }

    fn light(class: &str) -> &str {
        COLOURS.iter().find(|colour| colour.0 == class).unwrap().2
    }

    /// The pixels between two corners that have this colour.
    fn count(
        pixels: &Pixmap,
        class: &str,
        (left, top): (u32, u32),
        (right, bottom): (u32, u32),
    ) -> usize {
        let places = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        places.filter(|&(x, y)| colour(pixels, x, y) == light(class)).count()
    }

    #[test]
    fn texts_stand_on_their_line_in_their_colour() {
        let mut picture = Picture::new(100.0, 60.0, "one");
        picture.bold_text("red", Anchor::Left, (20.0, 50.0), 28.0, "l");
        let pixels = painted(&picture);
        assert!(count(&pixels, "red", (40, 44), (80, 100)) > 100);
        assert_eq!(count(&pixels, "red", (0, 0), (40, 120)), 0, "at its left");
        assert_eq!(count(&pixels, "red", (0, 102), (200, 120)), 0, "below its line");
    }

    /// The width of a text in the font that is painted, as `resvg` lays it out, where digits are 72 high.
    fn laid_out(text: &str, is_bold: bool) -> f64 {
        let mut picture = Picture::new(900.0, 100.0, "text");
        let add = if is_bold { Picture::bold_text } else { Picture::text };
        add(&mut picture, "ink", Anchor::Left, (0.0, 80.0), 72.0, text);
        let mut options = Options::default();
        options.fontdb_mut().load_system_fonts();
        choose_font(&mut options).unwrap();
        let tree = Tree::from_str(&picture.svg(), &options).unwrap();
        let mut texts = tree.root().children().iter().filter_map(|node| match node {
            Node::Text(text) => Some(f64::from(text.bounding_box().width())),
            _ => None,
        });
        texts.next().unwrap()
    }

    /// Each character stands between two others, since spaces at an end are dropped.
    #[test]
    fn every_printable_character_is_as_wide_as_it_is_said_to_be() {
        for is_bold in [false, true] {
            let width = if is_bold { Picture::bold_text_width } else { Picture::text_width };
            for character in ' '..='~' {
                let text = format!("|{character}|");
                let [stated, found] = [width(&text, 72.0), laid_out(&text, is_bold)];
                // Pairs of letters may be moved together by a hundredth of the font's size.
                assert!(found <= stated + 1.0, "{text}, bold {is_bold}: {found}, not {stated}");
            }
            let digits = [width("0123456789", 72.0), laid_out("0123456789", is_bold)];
            assert!(digits[0] < 1.4 * digits[1], "too wide for any font: {digits:?}");
        }
    }

    #[test]
    fn pictures_are_moved_texts_turned_and_dashes_have_gaps() {
        let mut inner = Picture::new(50.0, 50.0, "inner");
        inner.dashed("blue", 4.0, "10 20", "M0 0V-40".into());
        inner.text_upward("red", (20.0, 0.0), 14.0, "lllllll");
        let mut picture = Picture::new(100.0, 100.0, "turned");
        picture.place(inner, (50.0, 50.0));
        picture.line("green", 4.0, (10.0, 90.0), (20.0, 90.0));
        let pixels = painted(&picture);
        assert_eq!(colour(&pixels, 100, 2 * 45), light("blue"), "up from the middle");
        assert_eq!(colour(&pixels, 100, 2 * 30), light("card"), "the gap");
        // Standing, the letters would reach from 46 to 94 across and from 36 to 50 down.
        assert!(count(&pixels, "red", (2 * 55, 2 * 28), (2 * 71, 2 * 72)) > 100);
        assert_eq!(count(&pixels, "red", (2 * 73, 0), (200, 200)), 0);
        assert_eq!(colour(&pixels, 2 * 15, 2 * 90), light("green"), "in its own place");
    }

    #[test]
    fn a_queen_stands_in_her_square_and_the_card_has_round_corners() {
        let mut picture = Picture::new(100.0, 60.0, "queen");
        picture.rect("dark", 10.0, 10.0, 40.0, 40.0);
        picture.queen(10.0, 10.0, 40.0);
        let pixels = painted(&picture);
        assert_eq!(colour(&pixels, 2 * 12, 2 * 12), light("dark"));
        assert_eq!(colour(&pixels, 2 * 30, 2 * 35), light("piece"), "the band");
        assert_eq!(colour(&pixels, 2 * 30, 2 * 41), light("piece"), "the foot");
        // The balls lie over the teeth, and neither takes the colour of the other.
        assert_eq!(colour(&pixels, 51, 40), light("piece"));
        assert_eq!(pixels.pixel(0, 0).unwrap().alpha(), 0);
    }

    #[test]
    fn a_picture_that_is_too_large_is_refused() {
        let huge = Picture::new(1e9, 1e9, "huge").png();
        assert!(matches!(huge, Err(PngError::Size(..))));
    }

    #[test]
    fn a_system_without_fonts_is_told_so() {
        let picture = Picture::new(10.0, 10.0, "small");
        assert!(matches!(picture.png_with_fonts_of(Options::default()), Err(PngError::NoFont)));
    }
}
