//! Saves a picture as SVG, PNG or both.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::TypedValueParser;
use tallyboard_picture::Picture;

use crate::terminal::args::file_to_write;
use crate::terminal::io::Output;

/// The files that a picture is written to.
#[derive(Debug, clap::Args)]
pub struct PictureArgs {
    /// Draw a picture as SVG
    #[arg(long, value_name = "FILE", value_parser = file_to_write())]
    pub svg: Option<PathBuf>,

    /// Draw a picture as PNG
    #[arg(long, value_name = "FILE", value_parser = png_file())]
    pub png: Option<PathBuf>,
}

/// Reads the path of a file to write. Builds that draw no PNG refuse it here, before a long run begins.
fn png_file() -> impl TypedValueParser<Value = PathBuf> {
    file_to_write().try_map(|path| match cfg!(feature = "png") {
        true => Ok(path),
        false => Err("this build draws no PNG: build it with `--features png`, or take --svg"),
    })
}

impl PictureArgs {
    /// The files to write.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.svg.iter().chain(&self.png).map(PathBuf::as_path)
    }

    /// Whether a picture is to be written.
    pub fn wanted(&self) -> bool {
        self.paths().next().is_some()
    }
}

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

/// Never called: builds that draw no PNG refuse `--png` when they read the arguments.
#[cfg(not(feature = "png"))]
pub fn png(_: &Picture) -> Result<Vec<u8>> {
    unreachable!("--png without the feature `png`")
}
