//! `tallyboard completions` and `tallyboard man`: the flags as shells and `man` want them.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use clap_complete::Shell;

use super::args::Args;
use super::ending::Ending;
use super::io::Output;

/// Prints what makes a shell complete the program's words.
pub fn completions(shell: Shell) -> Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::program(), "tallyboard", &mut script);
    let mut output = Output::create(None)?;
    output.write_all(&script)?;
    output.finish()?;
    Ok(Ending::Done)
}

/// Writes a page for the program and one for each command into `folder`.
pub fn man(folder: &Path) -> Result<Ending> {
    let cannot_write = || format!("cannot write manual pages into {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_write)?;
    clap_mangen::generate_to(Args::program(), folder).with_context(cannot_write)?;
    Ok(Ending::Done)
}
