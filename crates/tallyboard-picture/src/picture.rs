//! A picture: shapes and texts, each written as an element of SVG when it is drawn.

use std::fmt::{self, Display, Write};

/// Classes of elements: name, property of SVG that they set, its colour on light and on dark screens. A text of a class
/// that sets the stroke is filled with that colour instead.
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

/// Fills that tell pieces apart, on light and on dark screens. Neighbours in the list differ most.
const PIECE_FILLS: [(&str, &str); PIECE_COLOURS] = [
    ("#8ec3f0", "#2c6fa8"),
    ("#f6b26b", "#a8621c"),
    ("#9ed8a0", "#3a7d44"),
    ("#e99a9a", "#9c3f42"),
    ("#c9b3e6", "#6b4fa0"),
    ("#f3dc7c", "#8c7420"),
    ("#84d3cb", "#237a74"),
    ("#eeaed2", "#94467a"),
    ("#c4cdd6", "#5d6a78"),
    ("#cfa47c", "#7a5230"),
    ("#c5de76", "#66802a"),
    ("#a3aef0", "#4650b0"),
];

/// The number of colours for pieces.
pub const PIECE_COLOURS: usize = 12;

/// Distances from the upper left corner, to the right and down. All lengths are CSS pixels.
type Point = (f64, f64);

/// Which part of a text stands at the point that is given for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins at the point.
    Left,
    /// The text has its middle at the point.
    Middle,
    /// The text ends at the point.
    Right,
}

/// A picture on a card, to be written as SVG or painted as PNG.
///
/// ```
/// let picture = tallyboard_picture::picture::Picture::new(120.0, 40.0, "an empty card");
/// assert!(picture.svg().starts_with("<svg"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its width, in CSS pixels.
    pub width: f64,
    /// Its height, in CSS pixels.
    pub height: f64,
    title: String,
    /// What has been drawn: elements of SVG, a line each.
    elements: String,
    has_queens: bool,
    has_pieces: bool,
}

impl Picture {
    /// An empty card. The title is for screen readers and tooltips.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let title = title.to_owned();
        let elements = String::new();
        Self { width, height, title, elements, has_queens: false, has_pieces: false }
    }

    fn add(&mut self, element: fmt::Arguments) {
        let _ = writeln!(self.elements, "{element}");
    }

    /// A path of strokes.
    pub fn path(&mut self, class: &str, width: f64, path: String) {
        self.dashed(class, width, "", path);
    }

    /// A path of strokes. `dashes` has the lengths of dashes and gaps, as SVG writes them; it is empty for a solid line.
    pub fn dashed(&mut self, class: &str, width: f64, dashes: &str, path: String) {
        let width = TwoDecimals(width);
        let dashes = match dashes {
            "" => String::new(),
            lengths => format!(r#" stroke-dasharray="{lengths}""#),
        };
        self.add(format_args!(
            r#"<path class="{class}" stroke-width="{width}"{dashes} d="{path}"/>"#
        ));
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, width: f64, from: Point, to: Point) {
        let [from, to] = [from, to].map(|(x, y)| format!("{} {}", TwoDecimals(x), TwoDecimals(y)));
        self.path(class, width, format!("M{from}L{to}"));
    }

    /// A filled path.
    pub fn area(&mut self, class: &str, path: String) {
        self.add(format_args!(r#"<path class="{class}" d="{path}"/>"#));
    }

    /// A filled path in the colour of this number, counted from 0. The colours repeat after [`PIECE_COLOURS`].
    pub fn piece(&mut self, colour: usize, path: String) {
        self.has_pieces = true;
        self.area(&format!("p{}", colour % PIECE_COLOURS), path);
    }

    /// A filled rectangle with its upper left corner at (`x`, `y`).
    pub fn rect(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64) {
        let [x, y, width, height] = [x, y, width, height].map(TwoDecimals);
        self.add(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        ));
    }

    /// A rectangle that is shaded the more, the nearer `share` is to 1; none for a share of 0.
    pub fn shade(&mut self, share: f64, x: f64, y: f64, width: f64, height: f64) {
        if share > 0.0 {
            let [x, y, width, height] = [x, y, width, height].map(TwoDecimals);
            // What is hardly ever used is seen still.
            let opacity = TwoDecimals(share.max(0.02));
            self.add(format_args!(
                r#"<rect class="tail" fill-opacity="{opacity}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
            ));
        }
    }

    /// A filled circle.
    pub fn circle(&mut self, class: &str, (x, y): Point, radius: f64) {
        let [x, y, radius] = [x, y, radius].map(TwoDecimals);
        self.add(format_args!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#));
    }

    /// The width of a [`text`](Self::text) whose digits are `digit_height` high. Texts in other fonts than DejaVu Sans are mostly
    /// narrower.
    pub fn text_width(text: &str, digit_height: f64) -> f64 {
        text_width(text, digit_height, &REGULAR)
    }

    /// The width of a [`bold_text`](Self::bold_text), as [`text_width`](Self::text_width).
    pub fn bold_text_width(text: &str, digit_height: f64) -> f64 {
        text_width(text, digit_height, &BOLD)
    }

    /// A text whose digits are `digit_height` high. They stand on the line through the point.
    pub fn text(&mut self, class: &str, anchor: Anchor, at: Point, digit_height: f64, text: &str) {
        self.add_text(class, "", anchor, at, digit_height, text);
    }

    /// The same in bold.
    pub fn bold_text(
        &mut self,
        class: &str,
        anchor: Anchor,
        at: Point,
        digit_height: f64,
        text: &str,
    ) {
        self.add_text(class, r#" font-weight="bold""#, anchor, at, digit_height, text);
    }

    fn add_text(
        &mut self,
        class: &str,
        weight: &str,
        anchor: Anchor,
        (x, y): Point,
        digit_height: f64,
        text: &str,
    ) {
        let [x, y, size] = [x, y, font_size(digit_height)].map(TwoDecimals);
        let text = escape(text);
        self.add(format_args!(
            r#"<text class="{class}" x="{x}" y="{y}" font-size="{size}"{weight}{anchor}>{text}</text>"#
        ));
    }

    /// A text that reads upward, its middle at the point.
    pub fn text_upward(&mut self, class: &str, (x, y): Point, digit_height: f64, text: &str) {
        let [x, y, size] = [x, y, font_size(digit_height)].map(TwoDecimals);
        let anchor = Anchor::Middle;
        let text = escape(text);
        self.add(format_args!(
            r#"<text class="{class}" transform="translate({x} {y}) rotate(-90)" font-size="{size}"{anchor}>{text}</text>"#
        ));
    }

    /// A board with queens in these columns, which `draw` draws. An attribute of the SVG has their numbers, from 1, for programs
    /// that read it.
    pub fn board(&mut self, columns: &[u32], draw: impl FnOnce(&mut Self)) {
        let numbers: Vec<String> = columns.iter().map(|column| (column + 1).to_string()).collect();
        self.add(format_args!(r#"<g data-queens="{}">"#, numbers.join(" ")));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// A queen in a square with its upper left corner at (`x`, `y`).
    pub fn queen(&mut self, x: f64, y: f64, side: f64) {
        let [x, y] = [x, y].map(TwoDecimals);
        // `QUEEN` is drawn in a square whose side is 100.
        let scale = side / 100.0;
        self.has_queens = true;
        self.add(format_args!(
            r##"<use href="#queen" transform="translate({x} {y}) scale({scale:.4})"/>"##
        ));
    }

    /// Draws what another picture shows into this one, with its upper left corner at the point.
    pub fn place(&mut self, other: Self, (x, y): Point) {
        let [x, y] = [x, y].map(TwoDecimals);
        self.has_queens |= other.has_queens;
        self.has_pieces |= other.has_pieces;
        self.add(format_args!("<g transform=\"translate({x} {y})\">\n{}</g>", other.elements));
    }

    /// The picture as a separate SVG document.
    pub fn svg(&self) -> String {
        let [width, height] = [self.width, self.height].map(TwoDecimals);
        let pieces = if self.has_pieces { piece_style() } else { String::new() };
        let mut definitions = format!("<style>\n{}{pieces}</style>\n", style());
        if self.has_queens {
            definitions +=
                &format!("<defs><path id=\"queen\" class=\"piece\" d=\"{QUEEN}\"/></defs>\n");
        }
        definitions +=
            &format!("<rect class=\"card\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n");
        self.document(&format!(r#"width="{width}" height="{height}""#), &definitions)
    }

    /// The picture as a part of a page. The page has to contain the [`style`], and sets the width. Pieces have no colour
    /// then: their colours are not in that style sheet.
    pub fn inline(&self) -> String {
        self.document(r#"class="picture""#, "")
    }

    /// The element `svg` with these attributes, and `definitions` before what was drawn.
    fn document(&self, attributes: &str, definitions: &str) -> String {
        let [width, height] = [self.width, self.height].map(TwoDecimals);
        let title = escape(&self.title);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" {attributes} viewBox="0 0 {width} {height}" role="img" aria-label="{title}">
<title>{title}</title>
{definitions}{}</svg>
"#,
            self.elements
        )
    }
}

/// A crown in a square whose side is 100, as a path of SVG: a band with four teeth, a ball on each, and a foot.
pub const QUEEN: &str = "M26 70L15 36 34 54 38 25 50 50 62 25 66 54 85 36 74 70z\
M9.5 33a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0z\
M32.5 22a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0z\
M56.5 22a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0z\
M79.5 33a5.5 5.5 0 1 1 11 0a5.5 5.5 0 1 1-11 0z\
M28 74h44a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3h-44a3 3 0 0 1-3-3v-2a3 3 0 0 1 3-3z";

impl Display for Anchor {
    /// The attribute of SVG. A text that begins at its point needs none.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "",
            Self::Middle => r#" text-anchor="middle""#,
            Self::Right => r#" text-anchor="end""#,
        })
    }
}

/// The style sheet of every picture: its colours on light and on dark screens.
pub fn style() -> String {
    let mut style = format!(
        "path{{stroke-linecap:round;stroke-linejoin:round}}\ntext{{font-family:{FAMILIES}}}\n"
    );
    for (name, property, light, _) in COLOURS {
        let _ = match property {
            "stroke" => writeln!(
                style,
                ".{name}{{fill:none;stroke:{light}}}text.{name}{{fill:{light};stroke:none}}"
            ),
            _ => writeln!(style, ".{name}{{fill:{light}}}"),
        };
    }
    style.push_str("@media screen and (prefers-color-scheme:dark){\n");
    for (name, property, _, dark) in COLOURS {
        let _ = match property {
            "stroke" => writeln!(style, ".{name}{{stroke:{dark}}}text.{name}{{fill:{dark}}}"),
            _ => writeln!(style, ".{name}{{fill:{dark}}}"),
        };
    }
    style + "}\n"
}

/// The style sheet for what [`Picture::piece`] draws.
fn piece_style() -> String {
    let mut light = String::new();
    let mut dark = String::new();
    for (number, fills) in PIECE_FILLS.iter().enumerate() {
        let _ = writeln!(light, ".p{number}{{fill:{}}}", fills.0);
        let _ = writeln!(dark, ".p{number}{{fill:{}}}", fills.1);
    }
    format!("{light}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n")
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

// The letters of pictures: their fonts, and the space that a text takes.

/// Fonts without serifs, as a list of CSS: the first one that the system has is taken. Every system has one of them.
pub(crate) const FAMILIES: &str =
    r#"ui-sans-serif,system-ui,"Segoe UI","DejaVu Sans",Arial,sans-serif"#;

/// Height of a digit where a font's size is 1. In the fonts above it is between 0.70 and 0.73.
const DIGIT_HEIGHT: f64 = 0.72;

/// The size of a font whose digits are `digit_height` high.
pub(crate) fn font_size(digit_height: f64) -> f64 {
    digit_height / DIGIT_HEIGHT
}

/// The width of a text whose digits are `digit_height` high, in DejaVu Sans, the widest of the fonts above that was measured.
fn text_width(text: &str, digit_height: f64, advances: &[u16; 95]) -> f64 {
    text.chars().map(|character| advance(character, advances)).sum::<f64>()
        * font_size(digit_height)
}

/// The distance from a character to the next where the font's size is 1.
fn advance(character: char, advances: &[u16; 95]) -> f64 {
    let of_ascii = |character: char| f64::from(advances[character as usize - 0x20]) / UNITS_PER_EM;
    match character {
        ' '..='~' => of_ascii(character),
        'µ' | '²' | '³' => of_ascii('u'),
        '×' => of_ascii('+'),
        // Letters of other scripts may be as wide as they are high, and the widest signs a little wider in bold.
        _ => of_ascii('W').max(1.0),
    }
}

/// The units of the tables below in the size of the font.
const UNITS_PER_EM: f64 = 2048.0;

/// The advance widths of the printable ASCII characters in DejaVu Sans, as its table `hmtx` has them.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048,
    1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235,
    1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024,
    1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300,
    1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716,
];

/// Those of DejaVu Sans Bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    713, 934, 1067, 1716, 1425, 2052, 1786, 627, 936, 936, 1071, 1716, 778, 850, 778, 748, 1425,
    1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 1425, 819, 819, 1716, 1716, 1716, 1188, 2048,
    1585, 1561, 1503, 1700, 1399, 1399, 1681, 1714, 762, 762, 1587, 1305, 2038, 1714, 1741, 1501,
    1741, 1577, 1475, 1397, 1663, 1585, 2259, 1579, 1483, 1485, 936, 748, 936, 1716, 1024, 1024,
    1382, 1466, 1214, 1466, 1389, 891, 1466, 1458, 702, 702, 1362, 702, 2134, 1458, 1407, 1466,
    1466, 1010, 1219, 979, 1458, 1335, 1892, 1321, 1335, 1192, 1458, 748, 1458, 1716,
];

#[cfg(test)]
mod fonts_tests {
    use super::*;

    #[test]
    fn widths_grow_with_the_text_and_its_height_and_in_bold() {
        assert!(Picture::text_width("WWW", 10.0) > 2.5 * Picture::text_width("iii", 10.0));
        let short = Picture::text_width("0", 10.0);
        assert!((Picture::text_width("0000", 20.0) - 8.0 * short).abs() < 1e-9);
        assert_eq!(Picture::text_width("", 10.0), 0.0);
        for character in (' '..='~').chain(['µ', '²', '×', 'ä', '∞']) {
            let text = character.to_string();
            let [regular, bold] =
                [Picture::text_width, Picture::bold_text_width].map(|of| of(&text, 10.0));
            assert!(regular > 0.0 && bold >= regular, "{text}");
        }
    }
}
