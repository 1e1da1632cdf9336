//! `describe`: what was read, what can never be chosen, and how it would be counted.

use anyhow::Result;

use super::{Source, Verb};
use crate::counting::count::prepare;
use crate::games::{FileArgs, MethodArgs, ensure_fit};
use crate::terminal::{Args, ExitStatus, print_line};

#[derive(Debug, clap::Args)]
pub struct Describe {
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    method: MethodArgs,
}

impl Verb for Describe {
    const NAME: &'static str = "describe";
    const ABOUT: &'static str =
        "Say what an exact cover holds, what is impossible in it, and how it would be counted";
    const EXAMPLE: &'static str = "tallyboard describe puzzle.txt                         # what was read, which engine and why\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_fit(source.game, &self.file, Some(&self.method))?;
        let puzzle = source.read(args)?;
        if self.method.memory.is_some() {
            // A count that takes more is refused, and so is its description.
            let job = puzzle.counting(&self.method.method())?;
            prepare(&*job, self.method.memory, args)?;
        }
        print_line(puzzle.describe(&self.method.method(), args)?.join("\n"))?;
        Ok(ExitStatus::Done)
    }
}
