//! A puzzle in a file of rules, as the commands read and count it.

use std::path::PathBuf;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use tallyboard_variants::{Count, Puzzle};

use crate::counting::{Counting, Error, Resources};
use crate::terminal::{UsageError, io};

/// The puzzle.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Rules, givens and candidates, as docs/variants.md shows them, or a puzzle of f-puzzles (JSON or a link) or
    /// SudokuPad (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl FileArgs {
    /// Reads the puzzle. The error of a mistake in the file names its line.
    pub fn read(&self) -> Result<Puzzle> {
        let puzzle =
            tallyboard_variants::read(&io::read_puzzle(&self.file)?, &io::name(&self.file));
        Ok(puzzle.map_err(UsageError::of)?)
    }

    /// The count of the puzzle. The file is read only here, so that standard input can be counted too.
    pub fn job(&self) -> Result<VariantFile> {
        let puzzle = self.read()?;
        Ok(VariantFile { file: self.file.clone(), text: tallyboard_variants::write(&puzzle) })
    }
}

/// All solutions of the puzzle in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    pub file: PathBuf,
    /// The puzzle when the file was read, in the text form.
    text: String,
}

impl VariantFile {
    /// The puzzle when the file was read.
    pub fn puzzle(&self) -> Result<Puzzle, tallyboard_variants::Error> {
        tallyboard_variants::read(self.text.as_bytes(), &io::name(&self.file))
    }
}

impl Counting for VariantFile {
    type Problem = Count;
    const NAME: &'static str = "variant";
    const EXAMPLE: &'static str = "rules.txt";

    fn problem(&self, _: &Resources) -> Result<Count, Error> {
        Ok(Count::new(&self.puzzle()?))
    }

    fn title(&self, _: &str) -> String {
        format!("solutions of {}", io::name(&self.file))
    }
}
