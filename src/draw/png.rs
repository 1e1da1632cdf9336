//! Paints a picture of this crate and encodes it as PNG.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use super::path;
use super::svg::COLOURS;

/// Why a picture cannot be painted.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG is not one that this crate writes.
    #[error("cannot read the SVG: {0}")]
    Svg(String),
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

/// Wider pictures are painted as they are, others at twice their size for sharp screens.
const WIDE: f32 = 1600.0;

/// The PNG of an SVG picture of this crate, in its light colours. Other SVG is refused: what is read
/// are the few kinds of marks that the pictures are made of.
///
/// # Errors
/// [`PngError`] if the text is no picture of this crate or the picture is too large to hold.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let head = tags(svg).next().filter(|tag| tag.name == "svg");
    let head = head.ok_or_else(|| PngError::Svg("it does not begin with <svg>".to_owned()))?;
    let (width, height) = (head.number("width")?, head.number("height")?);
    let scale = if width > WIDE { 1.0 } else { 2.0 };
    let [width, height] = [width, height].map(|length| (length * scale).ceil() as u32);
    let pixels = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    let mut canvas = Canvas { pixels, shared: "" };
    canvas.draw(svg, Transform::from_scale(scale, scale))?;
    canvas.pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

/// A start tag, or an end tag with the slash in its name.
#[derive(Clone, Copy)]
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    /// What follows the tag.
    rest: &'a str,
}

/// The tags of a text. Angle brackets within attributes are escaped.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    text.split('<').skip(1).filter_map(move |part| {
        let (tag, after) = part.split_once('>')?;
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let rest = &text[after.as_ptr() as usize - text.as_ptr() as usize..];
        Some(Tag { name, attributes, rest })
    })
}

impl<'a> Tag<'a> {
    fn attribute(&self, name: &str) -> Option<&'a str> {
        let start = self.attributes.match_indices(name).map(|(at, _)| at).find(|&at| {
            self.attributes[at + name.len()..].starts_with("=\"")
                && (at == 0 || self.attributes.as_bytes()[at - 1] == b' ')
        })?;
        self.attributes[start + name.len() + 2..].split('"').next()
    }

    fn unreadable(&self) -> PngError {
        PngError::Svg(format!("found <{} {}>", self.name, self.attributes))
    }

    fn text(&self, name: &str) -> Result<&'a str, PngError> {
        self.attribute(name).ok_or_else(|| self.unreadable())
    }

    fn number(&self, name: &str) -> Result<f32, PngError> {
        self.text(name)?.parse().map_err(|_| self.unreadable())
    }

    /// The number of an attribute that may be left out.
    fn number_or_0(&self, name: &str) -> Result<f32, PngError> {
        self.attribute(name).map_or(Ok(0.0), |_| self.number(name))
    }

    fn numbers(&self, name: &str) -> Result<Vec<f32>, PngError> {
        let parts = self.text(name)?.split([' ', ',']).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().map_err(|_| self.unreadable())).collect()
    }

    /// `base` and then what the tag's transform says.
    fn transform(&self, base: Transform) -> Result<Transform, PngError> {
        let steps = self.attribute("transform").unwrap_or("").split_terminator(')');
        steps.map(str::trim).try_fold(base, |base, step| {
            let (verb, numbers) = step.split_once('(').ok_or_else(|| self.unreadable())?;
            let numbers: Result<Vec<f32>, _> = numbers.split(' ').map(str::parse).collect();
            match (verb, numbers.as_deref()) {
                ("translate", Ok(&[x, y])) => Ok(base.pre_translate(x, y)),
                ("scale", Ok(&[factor])) => Ok(base.pre_scale(factor, factor)),
                ("rotate", Ok(&[degrees])) => Ok(base.pre_rotate(degrees)),
                _ => Err(self.unreadable()),
            }
        })
    }
}

struct Canvas<'a> {
    pixels: Pixmap,
    /// The drawing that is used many times.
    shared: &'a str,
}

impl<'a> Canvas<'a> {
    fn draw(&mut self, text: &'a str, base: Transform) -> Result<(), PngError> {
        let mut places = vec![base];
        let mut hidden = false;
        for tag in tags(text) {
            let here = *places.last().expect("the outermost place is never left");
            match tag.name {
                "defs" => {
                    let body = tag.rest.split_once("</defs>").ok_or_else(|| tag.unreadable())?.0;
                    (self.shared, hidden) = (body, true);
                }
                "/defs" => hidden = false,
                _ if hidden => {}
                "g" => places.push(tag.transform(here)?),
                "/g" if places.len() > 1 => {
                    places.pop();
                }
                "use" => self.draw(self.shared, tag.transform(here)?)?,
                "svg" | "/svg" | "title" | "/title" | "style" | "/style" => {}
                _ => self.mark(tag, tag.transform(here)?)?,
            }
        }
        Ok(())
    }

    fn mark(&mut self, tag: Tag<'_>, at: Transform) -> Result<(), PngError> {
        let outline = match tag.name {
            "rect" => rectangle(tag)?,
            "circle" => {
                PathBuilder::from_circle(tag.number("cx")?, tag.number("cy")?, tag.number("r")?)
            }
            "polygon" => polygon(&tag.numbers("points")?),
            "path" => path::parse(tag.text("d")?).ok_or_else(|| tag.unreadable())?,
            _ => return Err(tag.unreadable()),
        };
        let class = tag.text("class")?;
        let colour = COLOURS.iter().find(|it| it.0 == class).ok_or_else(|| tag.unreadable())?;
        let Some(outline) = outline else { return Ok(()) };
        let paint = paint(colour.2).ok_or_else(|| tag.unreadable())?;
        if colour.1 == "fill" {
            self.pixels.fill_path(&outline, &paint, FillRule::Winding, at, None);
        } else {
            self.pixels.stroke_path(&outline, &paint, &stroke(tag)?, at, None);
        }
        Ok(())
    }
}

fn rectangle(tag: Tag<'_>) -> Result<Option<Path>, PngError> {
    let [x, y, radius] = [tag.number_or_0("x")?, tag.number_or_0("y")?, tag.number_or_0("rx")?];
    let [width, height] = [tag.number("width")?, tag.number("height")?];
    if radius == 0.0 {
        return Ok(Rect::from_xywh(x, y, width, height).map(PathBuilder::from_rect));
    }
    let (right, bottom) = (x + width, y + height);
    // To go round a corner: where its arc begins, the corner, where the arc ends.
    let corners = [
        ((right - radius, y), (right, y), (right, y + radius)),
        ((right, bottom - radius), (right, bottom), (right - radius, bottom)),
        ((x + radius, bottom), (x, bottom), (x, bottom - radius)),
        ((x, y + radius), (x, y), (x + radius, y)),
    ];
    let mut outline = PathBuilder::new();
    outline.move_to(x + radius, y);
    for (from, corner, to) in corners {
        outline.line_to(from.0, from.1);
        // Control points of the cubic curve that is nearest to a quarter of a circle.
        let toward = |end: (f32, f32)| {
            const SHARE: f32 = 0.552_284_8;
            (end.0 + (corner.0 - end.0) * SHARE, end.1 + (corner.1 - end.1) * SHARE)
        };
        let ((x1, y1), (x2, y2)) = (toward(from), toward(to));
        outline.cubic_to(x1, y1, x2, y2, to.0, to.1);
    }
    outline.close();
    Ok(outline.finish())
}

fn polygon(numbers: &[f32]) -> Option<Path> {
    let mut outline = PathBuilder::new();
    for (at, point) in numbers.chunks_exact(2).enumerate() {
        if at == 0 {
            outline.move_to(point[0], point[1]);
        } else {
            outline.line_to(point[0], point[1]);
        }
    }
    outline.close();
    outline.finish()
}

fn stroke(tag: Tag<'_>) -> Result<Stroke, PngError> {
    let dash = match tag.attribute("stroke-dasharray") {
        Some(_) => StrokeDash::new(tag.numbers("stroke-dasharray")?, 0.0),
        None => None,
    };
    Ok(Stroke {
        width: tag.number("stroke-width")?,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash,
        ..Stroke::default()
    })
}

/// The paint of a colour such as `#1f2a37`.
fn paint(colour: &str) -> Option<Paint<'static>> {
    let number = u32::from_str_radix(colour.strip_prefix('#')?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(red, green, blue, 255));
    Some(paint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::svg::{Anchor, Svg};

    fn painted(svg: &str) -> Pixmap {
        Pixmap::decode_png(&png(svg).unwrap()).unwrap()
    }

    fn colour(pixels: &Pixmap, x: u32, y: u32) -> String {
        let pixel = pixels.pixel(x, y).unwrap();
        format!("#{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue())
    }

    fn light(class: &str) -> &str {
        COLOURS.iter().find(|it| it.0 == class).unwrap().2
    }

    #[test]
    fn a_board_has_light_squares_dark_squares_and_a_queen() {
        let svg = crate::draw::board(&[1, 3, 0, 2]);
        let dark = svg.split("class=\"dark\" d=\"M").nth(1).unwrap();
        let (x, rest) = dark.split_once(' ').unwrap();
        let y = rest.split_once('h').unwrap().0;
        // Squares of 60 units, two pixels a unit; the first dark square is the second of its row.
        let corner = |text: &str| text.parse::<f64>().unwrap() as u32;
        let (left, top) = (corner(x) % 60, corner(y));
        let (dark_square, light_square) = (2 * corner(x) + 8, 2 * (corner(x) + 60) % 480 + 8);
        let pixels = painted(&svg);
        assert_eq!(colour(&pixels, 2 * left - 8, 300), light("card"));
        assert_eq!(colour(&pixels, dark_square, 2 * top + 8), light("dark"));
        assert_eq!(colour(&pixels, light_square, 2 * top + 8), light("light"));
        // The foot of the queen in the first row's second square.
        assert_eq!(colour(&pixels, 2 * (left + 60 + 30), 2 * (top + 38)), light("piece"));
        assert_eq!(
            colour(&pixels, 2 * (left + 30), 2 * (top + 38)),
            light(if corner(x) == left { "dark" } else { "light" })
        );
        assert_eq!(pixels.pixel(0, 0).unwrap().alpha(), 0, "the card has round corners");
    }

    #[test]
    fn texts_are_strokes_in_their_place_and_colour() {
        let mut picture = Svg::new(100.0, 60.0, "one");
        picture.text("red", Anchor::Left, (20.0, 50.0), 28.0, true, "l");
        let pixels = painted(&picture.finish());
        // The stem of the l is 1.2 units to the right of the text's point, at twice the size twice.
        let stem = 2 * 20 + 5;
        assert_eq!(colour(&pixels, stem, 2 * 36), light("red"));
        assert_eq!(colour(&pixels, stem + 10, 2 * 36), light("card"));
        assert_eq!(colour(&pixels, stem, 2 * 56), light("card"));
    }

    #[test]
    fn groups_are_moved_and_turned_and_dashes_have_gaps() {
        let mut picture = Svg::new(100.0, 100.0, "turned");
        picture.raw("<g transform=\"translate(50 50) rotate(-90)\">");
        picture.dashed("blue", 4.0, "10 20", "M0 0H40");
        picture.raw("</g>");
        picture.line("green", 4.0, (10.0, 90.0), (20.0, 90.0));
        let pixels = painted(&picture.finish());
        assert_eq!(colour(&pixels, 100, 2 * 45), light("blue"), "up from the middle");
        assert_eq!(colour(&pixels, 100, 2 * 30), light("card"), "the gap");
        assert_eq!(colour(&pixels, 2 * 70, 100), light("card"));
        assert_eq!(colour(&pixels, 2 * 15, 2 * 90), light("green"), "the group has ended");
    }

    #[test]
    fn every_picture_is_one_that_is_painted() {
        use crate::queens::place::compare::Measured;
        use crate::sudoku::trace::Guess;
        let puzzle: crate::sudoku::Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let row = |n| Measured {
            method: "m%µ".to_owned(),
            n,
            tries: 1,
            solved: 1,
            seconds: Some(f64::from(n)),
            steps: None,
            restarts: None,
        };
        for svg in [
            crate::draw::page("<two> & \"more\"", 1, &[vec![1, 3, 0, 2], vec![2, 0, 3, 1]]),
            crate::draw::board(&[]),
            crate::draw::sudoku(&puzzle, None),
            crate::draw::sudoku_tree(&puzzle, &Guess::tree(&puzzle, 2, 600).unwrap()),
            crate::draw::queens_tree(&crate::queens::Board::plain(6).unwrap()),
            crate::draw::methods(&[row(8), row(20)], |seconds| format!("{seconds} s")),
        ] {
            png(&svg).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn what_is_no_picture_of_this_crate_is_refused() {
        let whole = |body: &str| format!("<svg width=\"9\" height=\"9\">{body}</svg>");
        for svg in [
            "hello".to_owned(),
            "<svg>".to_owned(),
            whole("<text>hello</text>"),
            whole("<path class=\"mauve\" d=\"M0 0H1\"/>"),
            whole("<path class=\"red\" stroke-width=\"1\" d=\"Q0 0\"/>"),
            whole("<g transform=\"skew(1)\"></g>"),
        ] {
            assert!(matches!(png(&svg), Err(PngError::Svg(_))), "{svg}");
        }
        let huge = "<svg width=\"1e9\" height=\"1e9\"></svg>";
        assert!(matches!(png(huge), Err(PngError::Size { .. })));
    }
}
