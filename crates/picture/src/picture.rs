//! A picture: a list of marks, which can be written as SVG.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

use crate::glyphs;

/// Classes of marks: name, property of SVG, colour on light screens, colour on dark screens.
pub(crate) const COLOURS: [(&str, &str, &str, &str); 24] = [
    ("card", "fill", "#ffffff", "#1b2027"),
    ("light", "fill", "#f1ede4", "#59636f"),
    ("dark", "fill", "#b3bfcb", "#3a434e"),
    ("piece", "fill", "#1f2a37", "#f6f2e8"),
    ("found", "fill", "#e5f0fb", "#24384d"),
    ("dead", "fill", "#f7dcd9", "#5a2f2e"),
    ("won", "fill", "#d5efd9", "#23482c"),
    ("ink", "stroke", "#1f2a37", "#eceff3"),
    ("faint", "stroke", "#8793a0", "#8a96a3"),
    ("grid", "stroke", "#dde2e7", "#363e48"),
    ("blue", "stroke", "#1d66b8", "#7cb8ff"),
    ("red", "stroke", "#b3362b", "#ff9087"),
    ("green", "stroke", "#24773a", "#78d08e"),
    ("violet", "stroke", "#7a3fa8", "#cf9cf5"),
    ("orange", "stroke", "#b06a00", "#f0b45a"),
    ("teal", "stroke", "#0b7f86", "#5fd0d6"),
    ("tint", "fill", "#d3e2f4", "#223650"),
    ("idle", "fill", "#dde2e7", "#363e48"),
    ("useful", "fill", "#2da44e", "#3fb950"),
    ("slowdown", "fill", "#d4a72c", "#e3b341"),
    ("preempted", "fill", "#e16f24", "#db6d28"),
    ("serial", "fill", "#a40e26", "#ff7b72"),
    ("gaps", "fill", "#8250df", "#bc8cff"),
    ("tail", "fill", "#54aeff", "#1f6feb"),
];

/// Distances from the upper left corner, to the right and down, in CSS pixels. All lengths are CSS pixels.
type Point = (f64, f64);

/// The part of a text that stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Text begins there.
    Left,
    /// Text has its middle there.
    Middle,
    /// Text ends there.
    Right,
}

/// A picture on a card, to be written as SVG or painted as PNG.
///
/// ```
/// let picture = tallyboard::unstable::classroom::draw::board(&[1, 3, 0, 2]);
/// assert!(picture.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its width, in CSS pixels.
    pub width: f64,
    /// Its height, in CSS pixels.
    pub height: f64,
    title: String,
    pub(crate) marks: Vec<Mark>,
}

/// An element of a picture.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A path, filled or stroked by the property of its class.
    Path { class: &'static str, pen: Pen, place: Place, path: Cow<'static, str> },
    /// A queen in a square whose side is 100.
    Queen(Place),
    /// The beginning of a board, with the files of its queens, from 1.
    Board(String),
    /// The end of a board.
    BoardEnd,
}

/// Width and dashes of strokes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pen {
    pub width: f64,
    /// Lengths of dashes and gaps; empty for a solid line.
    pub dashes: &'static str,
}

/// The coordinates of a path: where its origin lies, the length of a unit, and whether the x axis points upward.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub at: Point,
    pub scale: f64,
    pub upward: bool,
}

/// The coordinates of the picture itself.
const UNCHANGED: Place = Place { at: (0.0, 0.0), scale: 1.0, upward: false };

impl Picture {
    /// An empty card. The title is for screen readers and tooltips.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Self { width, height, title: title.to_owned(), marks: Vec::new() }
    }

    fn draw(&mut self, class: &'static str, pen: Pen, path: impl Into<Cow<'static, str>>) {
        self.marks.push(Mark::Path { class, pen, place: UNCHANGED, path: path.into() });
    }

    /// A path of strokes.
    pub fn path(&mut self, class: &'static str, width: f64, path: String) {
        self.dashed(class, width, "", path);
    }

    /// A path of strokes with these lengths of dashes and gaps; none for a solid line.
    pub fn dashed(&mut self, class: &'static str, width: f64, dashes: &'static str, path: String) {
        self.draw(class, Pen { width, dashes }, path);
    }

    /// A straight line.
    pub fn line(&mut self, class: &'static str, width: f64, from: Point, to: Point) {
        let [from, to] = [from, to].map(|(x, y)| format!("{} {}", TwoDecimals(x), TwoDecimals(y)));
        self.path(class, width, format!("M{from}L{to}"));
    }

    /// A filled path.
    pub fn area(&mut self, class: &'static str, path: String) {
        self.draw(class, Pen::default(), path);
    }

    /// A filled rectangle with its upper left corner at (`x`, `y`).
    pub fn rect(&mut self, class: &'static str, x: f64, y: f64, width: f64, height: f64) {
        self.area(class, rectangle((x, y), (width, height), 0.0));
    }

    /// A filled circle.
    pub fn circle(&mut self, class: &'static str, (x, y): Point, radius: f64) {
        let side = 2.0 * radius;
        self.area(class, rectangle((x - radius, y - radius), (side, side), radius));
    }

    /// The width of a text whose digits are `size` high.
    pub fn text_width(text: &str, size: f64) -> f64 {
        glyphs::width(text) * size / glyphs::HEIGHT
    }

    /// A text whose digits are `size` high and stand on the line y.
    pub fn text(
        &mut self,
        class: &'static str,
        anchor: Anchor,
        (x, y): Point,
        size: f64,
        bold: bool,
        text: &str,
    ) {
        let width = if bold { 2.4 } else { 1.5 };
        let place = |along| ((x + along, y - size), false);
        self.letters(class, (anchor, size, width), place, text);
    }

    /// A text that reads upward, its middle at the point.
    pub fn text_upward(&mut self, class: &'static str, (x, y): Point, size: f64, text: &str) {
        let place = |along: f64| ((x - size, y - along), true);
        self.letters(class, (Anchor::Middle, size, 1.5), place, text);
    }

    /// Draws the characters of a text. `place` gives the place of a character for its distance from
    /// the beginning.
    fn letters(
        &mut self,
        class: &'static str,
        (anchor, size, width): (Anchor, f64, f64),
        place: impl Fn(f64) -> (Point, bool),
        text: &str,
    ) {
        let (pen, scale) = (Pen { width, dashes: "" }, size / glyphs::HEIGHT);
        let mut along = match anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => -Self::text_width(text, size) / 2.0,
            Anchor::Right => -Self::text_width(text, size),
        };
        for (path, advance) in text.chars().map(glyphs::glyph) {
            let ((at, upward), path) = (place(along), path.into());
            let place = Place { at, scale, upward };
            self.marks.push(Mark::Path { class, pen, place, path });
            along += advance * scale;
        }
    }

    /// Begins a board with queens in these columns. The SVG names them in an attribute, for programs that read it.
    pub fn begin_board(&mut self, columns: &[u32]) {
        let files: Vec<String> = columns.iter().map(|column| (column + 1).to_string()).collect();
        self.marks.push(Mark::Board(files.join(" ")));
    }

    /// Ends the board that was begun last.
    pub fn end_board(&mut self) {
        self.marks.push(Mark::BoardEnd);
    }

    /// A queen in a square.
    pub fn queen(&mut self, x: f64, y: f64, square: f64) {
        self.marks.push(Mark::Queen(Place { at: (x, y), scale: square / 100.0, upward: false }));
    }

    /// Puts another picture into this one, its corner at the given point.
    pub fn place(&mut self, other: Self, (x, y): Point) {
        self.marks.extend(other.marks.into_iter().map(|mut mark| {
            if let Mark::Path { place, .. } | Mark::Queen(place) = &mut mark {
                place.at = (place.at.0 + x, place.at.1 + y);
            }
            mark
        }));
    }

    /// The outline of the card.
    pub(crate) fn card(&self) -> Mark {
        let path = rectangle((0.0, 0.0), (self.width, self.height), 8.0).into();
        Mark::Path { class: "card", pen: Pen::default(), place: UNCHANGED, path }
    }

    /// The picture as a separate SVG document.
    pub fn svg(&self) -> String {
        let (width, height) = (TwoDecimals(self.width), TwoDecimals(self.height));
        let has_queens = self.marks.iter().any(|mark| matches!(mark, Mark::Queen(_)));
        let defined = format!(r#"<defs><path id="queen" class="piece" d="{}"/></defs>"#, queen());
        let queen = if has_queens { &*defined } else { "" };
        let before = format!("<style>\n{}</style>\n{queen}\n{}", style(), self.card());
        self.document(&format!(r#"width="{width}" height="{height}""#), &before)
    }

    /// The picture as a part of a page that has the [`style`]. Its width is that of its place in the page.
    pub fn inline(&self) -> String {
        self.document(r#"class="picture""#, "")
    }

    fn document(&self, attributes: &str, before: &str) -> String {
        let (width, height, title) =
            (TwoDecimals(self.width), TwoDecimals(self.height), escape(&self.title));
        let marks: String = self.marks.iter().map(Mark::to_string).collect();
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" {attributes} viewBox="0 0 {width} {height}" role="img" aria-label="{title}">
<title>{title}</title>
{before}{marks}</svg>
"#
        )
    }
}

/// A rectangle whose corners have this radius.
fn rectangle((x, y): Point, (width, height): Point, radius: f64) -> String {
    let [left, top, wide, high] = [x, y, width, height].map(TwoDecimals);
    if radius == 0.0 {
        return format!("M{left} {top}h{wide}v{high}h-{wide}z");
    }
    let (right, bottom) = (x + width, y + height);
    // For each corner: the beginning of its arc, the corner, the end of the arc.
    let corners = [
        ((right - radius, y), (right, y), (right, y + radius)),
        ((right, bottom - radius), (right, bottom), (right - radius, bottom)),
        ((x + radius, bottom), (x, bottom), (x, bottom - radius)),
        ((x, y + radius), (x, y), (x + radius, y)),
    ];
    let mut path = format!("M{} {top}", TwoDecimals(x + radius));
    for (from, corner, to) in corners {
        // Control points of the cubic curve that is nearest to a quarter of a circle.
        let toward = |end: Point| {
            const SHARE: f64 = 0.552_284_8;
            (end.0 + (corner.0 - end.0) * SHARE, end.1 + (corner.1 - end.1) * SHARE)
        };
        let [from, one, two, to] = [from, toward(from), toward(to), to]
            .map(|(x, y)| format!("{} {}", TwoDecimals(x), TwoDecimals(y)));
        path += &format!("L{from}C{one} {two} {to}");
    }
    path + "z"
}

/// A crown in a square whose side is 100.
pub fn queen() -> String {
    let ball = |x: f64, y: f64| rectangle((x - 5.5, y - 5.5), (11.0, 11.0), 5.5);
    let balls = [(15.0, 33.0), (38.0, 22.0), (62.0, 22.0), (85.0, 33.0)].map(|(x, y)| ball(x, y));
    let foot = rectangle((25.0, 74.0), (50.0, 8.0), 3.0);
    format!("M26 70L15 36 34 54 38 25 50 50 62 25 66 54 85 36 74 70z{}{foot}", balls.concat())
}

impl Display for Mark {
    /// The mark in SVG, as one line.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            // The path of a blank is empty.
            Self::Path { path, .. } if path.is_empty() => Ok(()),
            Self::Path { class, pen: Pen { width, dashes }, place, path } => {
                write!(f, r#"<path class="{class}""#)?;
                if *width > 0.0 {
                    write!(f, r#" stroke-width="{}""#, TwoDecimals(*width))?;
                }
                if !dashes.is_empty() {
                    write!(f, r#" stroke-dasharray="{dashes}""#)?;
                }
                writeln!(f, r#"{place} d="{path}"/>"#)
            }
            Self::Queen(place) => writeln!(f, r##"<use href="#queen"{place}/>"##),
            Self::Board(files) => writeln!(f, r#"<g data-queens="{files}">"#),
            Self::BoardEnd => writeln!(f, "</g>"),
        }
    }
}

impl Display for Place {
    /// The `transform` attribute of SVG; nothing if the coordinates are those of the picture.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { at: (x, y), scale, upward } = *self;
        if (x, y, scale, upward) == (0.0, 0.0, 1.0, false) {
            return Ok(());
        }
        write!(f, r#" transform="translate({} {})"#, TwoDecimals(x), TwoDecimals(y))?;
        f.write_str(if upward { " rotate(-90)" } else { "" })?;
        if scale != 1.0 {
            write!(f, " scale({scale:.4})")?;
        }
        f.write_char('"')
    }
}

/// The style sheet of every picture: its colours on light and on dark screens.
pub fn style() -> String {
    let mut style = String::from("path{stroke-linecap:round;stroke-linejoin:round}\n");
    for (name, property, light, _) in COLOURS {
        let fill = if property == "stroke" { "fill:none;" } else { "" };
        let _ = writeln!(style, ".{name}{{{fill}{property}:{light}}}");
    }
    style.push_str("@media screen and (prefers-color-scheme:dark){\n");
    for (name, property, _, dark) in COLOURS {
        let _ = writeln!(style, ".{name}{{{property}:{dark}}}");
    }
    style + "}\n"
}

/// A length, written with at most two decimals.
struct TwoDecimals(f64);

impl Display for TwoDecimals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
    }
}

/// Escapes text for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
