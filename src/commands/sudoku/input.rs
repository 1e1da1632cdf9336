//! The files of sudokus that the commands read, how they are read and written, and their rows as a stream.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::builder::TypedValueParser;
use tallyboard_base::Kernel;
use tallyboard_base::figures::counted;
use tallyboard_sudoku::format::{Form, FormOptions, Format, Row, sniff};
use tallyboard_sudoku::sized::Size;
use tallyboard_sudoku::stream::{Settings, StreamError, Summary, solve_stream};
use tallyboard_sudoku::{BadLine, Solver};

use crate::games::records::BadLines;
use crate::games::sudoku::ensure_no_link;
use crate::terminal::{
    Args, BarOutput, ExitStatus, Interrupt, OrAuto, Output, ReadProgress, UsageError, eprint_line,
    info, io, kernels, named,
};

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
    /// that GNOME Sudoku saved; their rows are lines. docs/formats/sudoku.md shows every spelling.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<Format>,

    /// Format of the output; that of the input by default
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>(Format::WRITTEN.map(Format::name)))]
    pub to: Option<Format>,

    /// The column of the puzzles in csv and jsonl, or their path in JSON, such as newboard.grids.value; found by the usual names by default
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

/// Upper bound on the titles of an input that are reported.
const MAX_TITLES: usize = 3;

/// Whether a run writes its rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// To `--output`, or to standard output.
    Written,
    /// Only the summary is wanted.
    LeftOut,
}

/// An input, and the form recognised from its first bytes.
pub struct Source<'a> {
    pub form: Form,
    pub input: Box<dyn Read + Send>,
    /// How much of the input has been read.
    progress: Arc<ReadProgress>,
    /// The form that the flags ask for.
    options: FormOptions,
    interrupt: &'a Interrupt,
}

/// The length of each chunk, where a measurement asks that it does not follow the time (`ci/instructions.sh`).
fn chunk_bytes() -> Option<usize> {
    std::env::var("TALLYBOARD_CHUNK_BYTES").ok()?.parse().ok()
}

impl<'a> Source<'a> {
    /// Opens the first input of `files`.
    pub fn open(files: &FileArgs, options: FormOptions, interrupt: &'a Interrupt) -> Result<Self> {
        io::ensure_apart(files.files.iter().map(PathBuf::as_path), files.output.as_deref())?;
        Self::open_one(&files.files[0], options, interrupt)
    }

    fn open_one(path: &Path, options: FormOptions, interrupt: &'a Interrupt) -> Result<Self> {
        let cannot_read = || io::cannot_read(path);
        let (input, progress) = io::open_until(path, interrupt.shared_stop())?;
        let (head, input) = sniff(input).with_context(cannot_read)?;
        ensure_no_link(&head, path)?;
        let form = Form::find(&head, &options).with_context(cannot_read)?;
        Ok(Self { form, input: Box::new(input), progress, options, interrupt })
    }

    /// Opens an input after the first, whose rows follow those of the first without another header.
    fn open_next(
        path: &Path,
        first_form: &Form,
        options: FormOptions,
        interrupt: &'a Interrupt,
    ) -> Result<Self> {
        let mut source = Self::open_one(path, options, interrupt)?;
        source.form.drop_repeated_header(first_form).with_context(|| io::cannot_read(path))?;
        Ok(source)
    }

    /// Solves every puzzle of this input and of the other `files` by `settings`, and calls `print` with the summary.
    pub fn stream(
        self,
        settings: Settings,
        files: &FileArgs,
        rows: Rows,
        args: &Args,
        print: impl FnOnce(&Summary) -> Result<()>,
    ) -> Result<ExitStatus> {
        let cannot_read = || io::cannot_read(&files.files[0]);
        self.form.check_columns(settings.row).with_context(cannot_read)?;
        let output_path = files.output.as_deref();
        let is_written = rows == Rows::Written;
        let output =
            is_written.then(|| Output::with_compression_threads(output_path, args.threads));
        let mut output = output.transpose()?;
        let (strict, threads, chunk_bytes) = (files.strict, args.threads, chunk_bytes());
        let settings = Settings { strict, threads, chunk_bytes, ..settings };
        // Rows on a terminal show the progress themselves.
        let hides_progress = args.quiet || is_written && io::is_screen(output_path);
        let first_form = self.form.clone();
        let options = self.options.clone();
        let interrupt = self.interrupt;
        let mut opened = Some(self);
        let mut sum = Summary::default();
        let mut is_clean = true;
        for path in &files.files {
            let name = io::name(path);
            let source = match opened.take() {
                Some(first) => first,
                None => Self::open_next(path, &first_form, options.clone(), interrupt)?,
            };
            let rows: &mut (dyn Write + Send) = match &mut output {
                Some(output) => {
                    source.report_replaced_columns(settings.row, &name, args);
                    output
                }
                None => &mut std::io::sink(),
            };
            let expects_puzzles = options.check || source.form.is_multi_line();
            let summary = match source.solve(rows, &settings, &name, args, hides_progress) {
                Err(error) if interrupt.has_caused(&error) => {
                    return match output {
                        Some(output) => output.interrupted_in(interrupt, "the output"),
                        None => Err(error),
                    };
                }
                solved => solved?,
            };
            if summary.puzzles() + summary.bad == 0 && expects_puzzles && summary.lines > 0 {
                let lines = counted(summary.lines, "line");
                eprint_line(format_args!("{name}: found no puzzle in {lines}"));
                is_clean = false;
            }
            sum.merge(&summary);
        }
        output.map_or(Ok(()), Output::finish)?;
        print(&sum)?;
        is_clean &= sum.bad + sum.disagreements + sum.unstated == 0;
        Ok(if is_clean { ExitStatus::Done } else { ExitStatus::Failed })
    }

    fn report_replaced_columns(&self, row: Row, name: &str, args: &Args) {
        if self.form.leaves_columns_out(row) {
            let how =
                "are left out: a first line with their names, such as `id,puzzle`, keeps them";
            info(args, format_args!("{name}: the other columns {how}"));
        }
        for column in self.form.replaced(row) {
            let how = "is replaced by the one that this run writes";
            info(args, format_args!("{name}: the column {column} {how}"));
        }
    }

    /// Solves every puzzle of this input, which is called `name`.
    fn solve(
        mut self,
        rows: &mut (dyn Write + Send),
        settings: &Settings,
        name: &str,
        args: &Args,
        hides_progress: bool,
    ) -> Result<Summary> {
        for (line, title) in self.form.titles().take(MAX_TITLES) {
            info(args, format_args!("{name}:{line}: kept as a comment: {title}"));
        }
        for remark in self.form.remarks() {
            info(args, format_args!("{name}: {remark}"));
        }
        let mut bad_lines = BadLines::new(name);
        let report = &mut |bad: &BadLine| bad_lines.report(bad.line, &bad.error);
        let solved = {
            // The block drops `output`, which removes the bar before anything else is printed.
            let mut output = BarOutput::new(rows, hides_progress, self.interrupt, self.progress);
            solve_stream(&self.form, &mut self.input, &mut output, settings, report)
        };
        bad_lines.finish();
        solved.map_err(|error| with_input_name(error, name))
    }
}

/// The error, with the name of the input if the input caused it.
fn with_input_name(error: StreamError, name: &str) -> anyhow::Error {
    match error {
        StreamError::Bad(bad) => anyhow!("{name}:{}: {}", bad.line, bad.error),
        StreamError::Read(_) | StreamError::LongLine(_) => {
            anyhow::Error::new(error).context(name.to_owned())
        }
        other => other.into(),
    }
}
