//! The options of commands that read files of sudokus.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use tallyboard_base::Kernel;
use tallyboard_sudoku::Solver;
use tallyboard_sudoku::format::{FormOptions, Format};
use tallyboard_sudoku::sized::Size;

use crate::terminal::{OrAuto, UsageError, kernels, named};

#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// Puzzles, in any of the formats below, also as gzip or zstd; `-` is standard input. Several files
    /// are read one after the other, to the same output
    #[arg(default_value = "-", value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Stop at the first line that is no puzzle
    #[arg(long)]
    pub strict: bool,

    #[command(flatten)]
    pub form: FormArgs,
}

impl FileArgs {
    /// Whether the flags ask for rows where they are optional.
    pub fn asks_for_rows(&self) -> bool {
        self.output.is_some() || self.form.to.is_some()
    }
}

/// How to solve.
#[derive(Debug, clap::Args)]
pub struct SolverArgs {
    /// Solve many puzzles at once, or one at a time
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub engine: EngineName,

    /// The instructions to solve with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,
}

/// The form of the input and of the output.
#[derive(Debug, clap::Args)]
pub struct FormArgs {
    /// Format of the input; found from its first lines by default
    ///
    /// lines: one puzzle a line, 81 cells as 1-9 and blanks as . 0 _ * - x, then any text after a separator;
    /// or 81 cells with blanks or commas between them. csv: a header that names a column puzzle, quiz, sudoku
    /// or question, and may name one solution or answer; other columns are kept, except those that the output
    /// writes. jsonl: one object a line with members of these names. Between csv and jsonl all columns
    /// are kept, as text. sdk, grid: nine lines of nine cells, frames of | - + allowed; nine dashes are
    /// a row of blank cells if the puzzle's blanks are dashes, or if a frame cannot be there. Titles before
    /// the first record are kept as comments. document: XML of OpenSudoku and KSudoku, JSON lists of rows, games
    /// that GNOME Sudoku saved; their rows are lines. docs/formats.md shows every spelling that is read.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<Format>,

    /// Format of the output; that of the input by default
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>(Format::WRITTEN.map(Format::name)))]
    pub to: Option<Format>,

    /// The column of the puzzles, in csv and jsonl; found by the usual names by default
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,

    /// Size of the grids: 4, 9, 16 or 25; found from the first line by default
    ///
    /// Other sizes than 9 come one a line, as characters (1-9, then A for 10, B for 11 …; a line
    /// without digits counts from A = 1; blanks . 0 _ * -) or as numbers with blanks or commas
    /// between them (0 for a blank cell). A first grid with 0 beside another blank, and without the last
    /// value (G of 16 × 16, P of 25 × 25), counts from 0, as hexadecimal numbers do.
    #[arg(long, value_name = "SIDE")]
    pub size: Option<Size>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum EngineName {
    /// The batch engine
    #[default]
    Auto,
    /// Many puzzles at once
    #[value(alias = "block")]
    Batch,
    /// One puzzle at a time; of several solutions it may show another than batch
    Single,
}

impl FormArgs {
    /// The options of the form, without a check of the solutions that the input states.
    pub fn options(&self) -> FormOptions {
        let Self { format, to: output, size, ref column } = *self;
        FormOptions { format, output, size, column: column.clone(), check: false }
    }
}

impl SolverArgs {
    /// The solver that the flags ask for.
    pub fn solver(&self) -> anyhow::Result<Solver> {
        match (self.engine, self.kernel) {
            (EngineName::Single, None) => Ok(Solver::Single),
            (EngineName::Single, Some(_)) => {
                Err(UsageError::of("--engine single does not take --kernel: it has only one"))?
            }
            (_, None) => Ok(Solver::default()),
            (_, Some(kernel)) => Ok(Solver::batch(kernel).map_err(UsageError::of)?),
        }
    }
}

fn formats() -> impl TypedValueParser<Value = Format> {
    named(Format::ALL.map(Format::name))
}
