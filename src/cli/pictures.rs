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

#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>> {
    Ok(tallyboard::draw::png(svg)?)
}

#[cfg(not(feature = "png"))]
fn png(_svg: &str) -> Result<Vec<u8>> {
    anyhow::bail!("this build cannot draw PNG: it was made without the feature `png`")
}
