//! Pictures made of a few shapes: [`Picture`], charts of curves ([`chart`]), as SVG and, with the feature `png`, as PNG.
//!
//! Every picture has a background, its *card*, and two sets of colours, for light and for dark screens. Text
//! is drawn as strokes, so a picture needs no font and looks the same everywhere, as SVG and as PNG.

pub mod chart;
mod glyphs;
#[cfg(feature = "png")]
mod path;
pub mod picture;
#[cfg(feature = "png")]
mod png;

pub use picture::Picture;
#[cfg(feature = "png")]
pub use png::PngError;
