//! `estimate`: the count of a puzzle and its time, from randomly drawn subtrees.

use anyhow::Result;

use super::{Source, Verb};
use crate::counting::{SampleFlags, estimate};
use crate::games::{FileArgs, MethodArgs, ensure_fit};
use crate::terminal::{Args, ExitStatus};

#[derive(Debug, clap::Args)]
pub struct Estimate {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    sampling: SampleFlags,
}

impl Verb for Estimate {
    const NAME: &'static str = "estimate";
    const ABOUT: &'static str =
        "Estimate the count, and the time that it takes, from random parts of the search";
    const EXAMPLE: &'static str = "tallyboard estimate killer.txt                         # how many, and what counting them takes\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_fit(source.game, &self.file, Some(&self.method))?;
        let puzzle = source.read(args)?;
        let job = puzzle.counting(&self.method.method())?;
        estimate::run(&*job, self.method.memory, &self.sampling, args)
    }
}
