//! `verify`: the count of a puzzle by every method, compared.

use anyhow::Result;

use super::{Source, Verb};
use crate::counting::verify;
use crate::games::{FileArgs, Method};
use crate::terminal::{Args, ExitStatus};

#[derive(Debug, clap::Args)]
pub struct Verify {
    #[command(flatten)]
    file: FileArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Verb for Verify {
    const NAME: &'static str = "verify";
    const ABOUT: &'static str = "Count in every way the program knows, and compare";
    const EXAMPLE: &'static str =
        "tallyboard verify puzzle.txt                           # every engine must agree\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        let job = source.read(args)?.counting(&Method::default())?;
        verify::run(&*job, self.json, args)
    }
}
