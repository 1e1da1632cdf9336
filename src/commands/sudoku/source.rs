//! Inputs of puzzles, which are solved one after the other as one stream of rows.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use tallyboard_base::figures::counted;
use tallyboard_sudoku::BadLine;
use tallyboard_sudoku::format::{Form, FormOptions, Row, sniff};
use tallyboard_sudoku::stream::{Settings, StreamError, Summary, solve_stream};

use super::files::FileArgs;
use crate::terminal::{
    Args, BarOutput, ExitStatus, Interrupt, Output, ReadProgress, eprint_line, info, io,
};

/// Upper bound on bad lines that are reported one by one.
const MAX_REPORTED: u64 = 100;
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
        let settings = Settings { strict: files.strict, threads: args.threads, ..settings };
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
        let mut reported = 0;
        let report = &mut |bad: &BadLine| {
            reported += 1;
            if reported <= MAX_REPORTED {
                eprint_line(format_args!("{name}:{}: {}", bad.line, bad.error));
            }
        };
        let solved = {
            // The block drops `output`, which removes the bar before anything else is printed.
            let mut output = BarOutput::new(rows, hides_progress, self.interrupt, self.progress);
            solve_stream(&self.form, &mut self.input, &mut output, settings, report)
        };
        if reported > MAX_REPORTED {
            let more = counted(reported - MAX_REPORTED, "more line");
            eprint_line(format_args!("{name}: {more} like these"));
        }
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
