//! Pictures made of a few shapes: [`Picture`], charts of curves ([`chart`]), as SVG and, with the feature `png`, as PNG.
//!
//! Every picture has a background, its *card*, and two sets of colours, for light and for dark screens. Letters are
//! those of a font of the reader's system; the space for them is estimated.

pub mod chart;
pub mod picture;
#[cfg(feature = "png")]
mod png;

pub use picture::Picture;
#[cfg(feature = "png")]
pub use png::PngError;
