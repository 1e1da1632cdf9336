//! The pieces of a picture.

use std::fmt::Write;

use super::glyphs;

/// Class names and their colours: light, then dark.
pub(super) const COLOURS: [(&str, &str, &str, &str); 24] = [
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

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Middle,
    Right,
}

/// A picture under construction; lengths are CSS pixels.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

impl Svg {
    /// An empty card. The title is for screen readers and tooltips.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Svg { width, height, title: title.to_owned(), body: String::new() }
    }

    /// Adds raw markup.
    pub fn raw(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }

    pub fn rect(&mut self, class: &str, x: f64, y: f64, width: f64, height: f64) {
        let (x, y, width, height) = (Short(x), Short(y), Short(width), Short(height));
        self.raw(&format!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        ));
    }

    pub fn circle(&mut self, class: &str, x: f64, y: f64, radius: f64) {
        let (x, y, radius) = (Short(x), Short(y), Short(radius));
        self.raw(&format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#));
    }

    /// A path of strokes.
    pub fn path(&mut self, class: &str, stroke_width: f64, path: &str) {
        self.dashed(class, stroke_width, "", path);
    }

    /// A path of strokes with these lengths of dashes and gaps; none for a solid line.
    pub fn dashed(&mut self, class: &str, stroke_width: f64, dashes: &str, path: &str) {
        let width = Short(stroke_width);
        let dashes = match dashes {
            "" => String::new(),
            lengths => format!(r#" stroke-dasharray="{lengths}""#),
        };
        self.raw(&format!(r#"<path class="{class}" stroke-width="{width}"{dashes} d="{path}"/>"#));
    }

    /// The inside of a path.
    pub fn area(&mut self, class: &str, path: &str) {
        self.raw(&format!(r#"<path class="{class}" d="{path}"/>"#));
    }

    /// How wide a text is whose digits are `size` high.
    pub fn text_width(text: &str, size: f64) -> f64 {
        glyphs::width(text) * size / glyphs::HEIGHT
    }

    pub fn line(&mut self, class: &str, stroke_width: f64, from: (f64, f64), to: (f64, f64)) {
        let path = format!("M{} {}L{} {}", Short(from.0), Short(from.1), Short(to.0), Short(to.1));
        self.path(class, stroke_width, &path);
    }

    /// A text whose digits are `size` high and stand on the line y.
    pub fn text(
        &mut self,
        class: &str,
        anchor: Anchor,
        (x, y): (f64, f64),
        size: f64,
        bold: bool,
        text: &str,
    ) {
        let scale = size / glyphs::HEIGHT;
        let width = Self::text_width(text, size);
        let mut x = match anchor {
            Anchor::Left => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::Right => x - width,
        };
        let weight = if bold { 2.4 } else { 1.5 };
        for character in text.chars() {
            let (path, advance) = glyphs::glyph(character);
            if !path.is_empty() {
                let (x, y) = (Short(x), Short(y - size));
                self.raw(&format!(
                    r#"<path class="{class}" stroke-width="{weight}" transform="translate({x} {y}) scale({scale:.4})" d="{path}"/>"#
                ));
            }
            x += advance * scale;
        }
    }

    /// A queen in a square.
    pub fn queen(&mut self, x: f64, y: f64, square: f64) {
        let (x, y, scale) = (Short(x), Short(y), square / 100.0);
        self.raw(&format!(
            r##"<use href="#queen" transform="translate({x} {y}) scale({scale:.4})"/>"##
        ));
    }

    /// Puts another picture into this one, its corner at the given point.
    pub fn place(&mut self, other: &Self, (x, y): (f64, f64)) {
        let (x, y) = (Short(x), Short(y));
        self.raw(&format!("<g transform=\"translate({x} {y})\">\n{}</g>", other.body));
    }

    /// The picture as a document of its own, on a card.
    pub fn finish(&self) -> String {
        let (width, height) = (Short(self.width), Short(self.height));
        let queen = if self.body.contains("#queen") { QUEEN } else { "" };
        let card = format!(
            "<style>\n{}</style>\n{queen}\n<rect class=\"card\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n",
            style()
        );
        self.document(&format!(r#"width="{width}" height="{height}""#), &card)
    }

    /// The picture for a page that holds the [`style`], as wide as its place there.
    pub fn inline(&self) -> String {
        self.document(r#"class="picture""#, "")
    }

    fn document(&self, attributes: &str, before: &str) -> String {
        let (width, height, title) = (Short(self.width), Short(self.height), escape(&self.title));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" {attributes} viewBox="0 0 {width} {height}" role="img" aria-label="{title}">
<title>{title}</title>
{before}{}</svg>
"#,
            self.body
        )
    }
}

/// The colours of every picture, dark on dark screens.
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

/// A crown in a box of 100.
const QUEEN: &str = r#"<defs><g id="queen"><polygon class="piece" points="26,70 15,36 34,54 38,25 50,50 62,25 66,54 85,36 74,70"/><circle class="piece" cx="15" cy="33" r="5.5"/><circle class="piece" cx="38" cy="22" r="5.5"/><circle class="piece" cx="62" cy="22" r="5.5"/><circle class="piece" cx="85" cy="33" r="5.5"/><rect class="piece" x="25" y="74" width="50" height="8" rx="3"/></g></defs>"#;

/// A length with no more digits than it needs.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
    }
}

/// Text as it may stand in markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
