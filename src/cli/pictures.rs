//! Saves a picture as SVG, PNG or both.

use std::io::Write;
use std::path::Path;

use anyhow::Result;

use super::args::place::Pictures;
use super::io::Output;

/// Writes `svg` to the files that were asked for.
pub fn save(svg: &str, pictures: &Pictures) -> Result<()> {
    if let Some(path) = &pictures.svg {
        save_bytes(svg.as_bytes(), path)?;
    }
    if let Some(path) = &pictures.png {
        save_bytes(&png(svg)?, path)?;
    }
    Ok(())
}

fn save_bytes(bytes: &[u8], path: &Path) -> Result<()> {
    let mut output = Output::create(Some(path))?;
    output.write_all(bytes)?;
    output.finish()
}

/// The PNG of a picture.
#[cfg(feature = "png")]
pub fn png(svg: &str) -> Result<Vec<u8>> {
    Ok(tallyboard::draw::png(svg)?)
}

/// The PNG of a picture.
#[cfg(not(feature = "png"))]
pub fn png(_svg: &str) -> Result<Vec<u8>> {
    can_draw_png().map(|()| Vec::new())
}

/// An error in builds that cannot draw PNG: for runs that would be in vain.
pub fn can_draw_png() -> Result<()> {
    anyhow::ensure!(
        cfg!(feature = "png"),
        "this build cannot draw PNG: it was made without the feature `png`"
    );
    Ok(())
}
