//! Saves a picture as SVG, PNG or both.

use anyhow::Result;
use picture::Picture;

use super::args::shared::PictureArgs;
use super::io::Output;

/// Writes `picture` to the files that were asked for.
pub fn save(picture: &Picture, flags: &PictureArgs) -> Result<()> {
    if let Some(path) = &flags.svg {
        Output::create(Some(path))?.put(picture.svg())?;
    }
    if let Some(path) = &flags.png {
        Output::create(Some(path))?.put(png(picture)?)?;
    }
    Ok(())
}

/// The PNG of a picture.
#[cfg(feature = "png")]
pub fn png(picture: &Picture) -> Result<Vec<u8>> {
    Ok(picture.png()?)
}

/// The PNG of a picture.
#[cfg(not(feature = "png"))]
pub fn png(_: &Picture) -> Result<Vec<u8>> {
    can_draw_png().map(|()| Vec::new())
}

/// Fails in builds that cannot draw PNG. Long runs check this at their beginning.
pub fn can_draw_png() -> Result<()> {
    anyhow::ensure!(
        cfg!(feature = "png"),
        "this build cannot draw PNG: it was made without the feature `png`"
    );
    Ok(())
}
