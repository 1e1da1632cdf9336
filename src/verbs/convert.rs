//! `convert`: a puzzle in another format.

use std::path::PathBuf;

use anyhow::Result;

use super::{Source, Verb};
use crate::games::FileArgs;
use crate::terminal::{Args, ExitStatus, Output, ensure_apart, info};

#[derive(Debug, clap::Args)]
pub struct Convert {
    #[command(flatten)]
    file: FileArgs,

    /// The format to write; by default that of the game's own files, if it has one
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,

    /// Write to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Verb for Convert {
    const NAME: &'static str = "convert";
    const ABOUT: &'static str = "Write the puzzle in another format, and say what is lost";
    const EXAMPLE: &'static str =
        "tallyboard convert f-puzzles.json                      # in the text form of the game\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_apart([&*self.file.file], self.output.as_deref())?;
        // The input comes first, so that its mistakes are told even if the output cannot be created.
        let written = source.read(args)?.write(self.to.as_deref())?;
        Output::create(self.output.as_deref())?.put(written.text)?;
        if !written.lost.is_empty() {
            let format = self.to.as_deref().unwrap_or("other");
            info(args, format_args!("lost in the {format} format: {}", written.lost.join(", ")));
        }
        Ok(ExitStatus::Done)
    }
}
