//! Paints a picture and encodes it as PNG.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Pixmap, Stroke, StrokeDash, Transform};

use crate::path;
use crate::picture::{COLOURS, Mark, Pen, Picture, Place, queen};

/// Why a picture cannot be painted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The picture is too large, or empty.
    #[error("cannot paint a picture of {width} x {height}")]
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

/// Pictures up to this width are painted at twice their size, for high-resolution screens; wider ones at their
/// size.
const MAX_DOUBLED_WIDTH_PX: f64 = 1600.0;

impl Picture {
    /// The picture as PNG, in its light colours.
    ///
    /// # Errors
    /// [`PngError`] if it is too large to hold.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        let scale = if self.width > MAX_DOUBLED_WIDTH_PX { 1.0 } else { 2.0 };
        let [width, height] =
            [self.width, self.height].map(|length| (length * scale).ceil() as u32);
        let mut pixels = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
        let base = Transform::from_scale(scale as f32, scale as f32);
        let queen = queen();
        for mark in std::iter::once(&self.card()).chain(&self.marks) {
            match mark {
                Mark::Path { class, pen, place, path } => {
                    paint(&mut pixels, class, pen, place.within(base), path);
                }
                Mark::Queen(place) => {
                    paint(&mut pixels, "piece", &Pen::default(), place.within(base), &queen);
                }
                Mark::Board(_) | Mark::BoardEnd => {}
            }
        }
        pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
    }
}

impl Place {
    fn within(&self, base: Transform) -> Transform {
        let ((x, y), scale) = (self.at, self.scale as f32);
        let turn = if self.upward { -90.0 } else { 0.0 };
        base.pre_translate(x as f32, y as f32).pre_rotate(turn).pre_scale(scale, scale)
    }
}

fn paint(pixels: &mut Pixmap, class: &str, pen: &Pen, at: Transform, path: &str) {
    let Some(outline) = path::parse(path) else { return };
    let colour = COLOURS.iter().find(|colour| colour.0 == class);
    let &(_, property, light, _) = colour.expect("every class has a colour");
    let number = u32::from_str_radix(&light[1..], 16).expect("colours are #rrggbb");
    let [_, red, green, blue] = number.to_be_bytes();
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(red, green, blue, 255));
    if property == "fill" {
        return pixels.fill_path(&outline, &paint, FillRule::Winding, at, None);
    }
    let lengths = pen.dashes.split_whitespace().filter_map(|length| length.parse().ok());
    let stroke = Stroke {
        width: pen.width as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        // `None` if there are no lengths.
        dash: StrokeDash::new(lengths.collect(), 0.0),
        ..Stroke::default()
    };
    pixels.stroke_path(&outline, &paint, &stroke, at, None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Anchor;

    fn painted(picture: &Picture) -> Pixmap {
        Pixmap::decode_png(&picture.png().unwrap()).unwrap()
    }

    fn colour(pixels: &Pixmap, x: u32, y: u32) -> String {
        let pixel = pixels.pixel(x, y).unwrap();
        format!("#{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue())
    }

    fn light(class: &str) -> &str {
        COLOURS.iter().find(|it| it.0 == class).unwrap().2
    }

    #[test]
    fn texts_are_strokes_in_their_place_and_colour() {
        let mut picture = Picture::new(100.0, 60.0, "one");
        picture.text("red", Anchor::Left, (20.0, 50.0), 28.0, true, "l");
        let pixels = painted(&picture);
        // The stem of the l is 1.2 units to the right of the text's point, at twice the size twice.
        let stem = 2 * 20 + 5;
        assert_eq!(colour(&pixels, stem, 2 * 36), light("red"));
        assert_eq!(colour(&pixels, stem + 10, 2 * 36), light("card"));
        assert_eq!(colour(&pixels, stem, 2 * 56), light("card"));
    }

    #[test]
    fn pictures_are_moved_texts_turned_and_dashes_have_gaps() {
        let mut inner = Picture::new(50.0, 50.0, "inner");
        inner.dashed("blue", 4.0, "10 20", "M0 0V-40".into());
        inner.text_upward("red", (20.0, 0.0), 28.0, "l");
        let mut picture = Picture::new(100.0, 100.0, "turned");
        picture.place(inner, (50.0, 50.0));
        picture.line("green", 4.0, (10.0, 90.0), (20.0, 90.0));
        let pixels = painted(&picture);
        assert_eq!(colour(&pixels, 100, 2 * 45), light("blue"), "up from the middle");
        assert_eq!(colour(&pixels, 100, 2 * 30), light("card"), "the gap");
        // Standing, the l would be as high as its stem is long here.
        assert_eq!(colour(&pixels, 2 * 56, 2 * 51 + 1), light("red"));
        assert_eq!(colour(&pixels, 2 * 56, 2 * 40), light("card"));
        assert_eq!(colour(&pixels, 2 * 15, 2 * 90), light("green"), "in its own place");
    }

    #[test]
    fn a_picture_that_is_too_large_is_refused() {
        let huge = Picture::new(1e9, 1e9, "huge").png();
        assert!(matches!(huge, Err(PngError::Size { .. })));
    }
}
