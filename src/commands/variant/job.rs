//! A file of rules: what every command reads, and what is counted.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use variants::{Count, Puzzle};

use crate::counting::problem::{Counting, Error};
use crate::counting::resources::Resources;
use crate::terminal::exit_status::UsageError;
use crate::terminal::io;

/// The puzzle.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Rules, givens and candidates, as docs/variants.md shows them, or a puzzle of f-puzzles (JSON or a link) or
    /// SudokuPad (JSON); `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl FileArgs {
    /// Reads the puzzle.
    ///
    /// # Errors
    /// If the file cannot be read, or a mistake in it, with its line.
    pub fn read(&self) -> Result<Puzzle> {
        read(&self.file)
    }

    /// The count of the puzzle.
    ///
    /// # Errors
    /// As for [`read`](Self::read): files are read once, so standard input can be counted too.
    pub fn job(&self) -> Result<VariantFile> {
        let puzzle = self.read()?;
        Ok(VariantFile { file: self.file.clone(), text: variants::write(&puzzle) })
    }
}

fn read(path: &Path) -> Result<Puzzle> {
    let puzzle = variants::read(&io::read_puzzle(path)?, &io::name(path));
    Ok(puzzle.map_err(|error| UsageError(error.to_string()))?)
}

/// All solutions of the puzzle in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    pub file: PathBuf,
    /// The puzzle, as it was when the file was read.
    text: String,
}

impl VariantFile {
    /// The puzzle, as it was when the file was read.
    pub fn puzzle(&self) -> Result<Puzzle, variants::Error> {
        variants::read(self.text.as_bytes(), &io::name(&self.file))
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
