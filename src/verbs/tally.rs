//! `tally`: how many solutions have each value in each cell, a queen on each square, each option; exactly, in one pass.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_classroom::draw;
use tallyboard_files::csv;
use tallyboard_picture::Picture;
use tallyboard_search::{Error, Options, Overflow, Table, TableRun, tabulate};

use super::{Source, Verb};
use crate::games::{FileArgs, TallyGrid, Tallying};
use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, PictureArgs, ProgressBar, UsageError, ensure_apart, info,
    pictures,
};

#[derive(Debug, clap::Args)]
pub struct Tally {
    #[command(flatten)]
    file: FileArgs,

    /// Count the covers for each set of optional items that they leave uncovered, such as each date of a calendar puzzle (covers)
    #[arg(long, conflicts_with = "limit")]
    uncovered: bool,

    #[command(flatten)]
    table: TableFlags,
}

/// What is tabulated, and how it is written.
#[derive(Debug, clap::Args)]
pub struct TableFlags {
    /// Look at no more solutions than this; every number is a lower bound then, if there are more
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Print one JSON document: the number of solutions, and a list for each line of the table; numbers above 2^53 are text
    #[arg(long)]
    pub json: bool,

    /// Print a row for each cell of the table
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// The most sets of uncovered items: a table of so many takes some 100 MB.
const MOST_SETS: usize = 1 << 20;

impl Verb for Tally {
    const NAME: &'static str = "tally";
    const ABOUT: &'static str =
        "Count, in one pass, the solutions with each value in each cell, or with each option";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        ensure_apart([&*self.file.file], self.table.outputs())?;
        let puzzle = source.read(args)?;
        puzzle.warnings().iter().for_each(|warning| info(args, warning));
        if self.uncovered && self.table.pictures.wanted() {
            bail!(UsageError::of(NO_GRID));
        }
        if !self.uncovered {
            return self.table.run(puzzle.tally()?, args);
        }
        let interrupt = Interrupt::listen_with_nothing_to_save();
        let options = Options::new().threads(args.threads).stop(Some(interrupt.stop()));
        let mut bar = ProgressBar::new(args.quiet, &interrupt);
        let sets = puzzle.uncovered(MOST_SETS, &options, &mut bar);
        drop(bar);
        interrupt.ending(sets.and_then(|sets| self.table.write(&Report::of_sets(sets)?, args)))
    }
}

/// The error of a picture of a list.
const NO_GRID: &str = "--svg and --png draw tables of squares or of cells: this one is a list";

impl TableFlags {
    /// The files to write.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        self.output.as_deref().into_iter().chain(self.pictures.paths())
    }

    /// Makes the table and writes it.
    pub fn run(&self, tallying: Tallying, args: &Args) -> Result<ExitStatus> {
        let Tallying { run, columns, names, width, heads, grid } = tallying;
        if self.pictures.wanted() && grid.is_none() {
            bail!(UsageError::of(NO_GRID));
        }
        let interrupt = Interrupt::listen_with_nothing_to_save();
        let report = self.table(run, &interrupt, args).map(|table| Report {
            solutions: table.solutions(),
            is_cut: table.is_cut(),
            columns,
            cells: names.into_iter().zip(table.cells().iter().copied()).collect(),
            width,
            heads,
            grid,
        });
        interrupt.ending(report.and_then(|report| self.write(&report, args)))
    }

    fn table(&self, run: TableRun, interrupt: &Interrupt, args: &Args) -> Result<Table> {
        let stop = interrupt.stop();
        if self.limit.is_some() {
            return Ok(run.limit(self.limit).threads(args.threads).stop(stop).run()?);
        }
        let options = Options::new().threads(args.threads).stop(Some(stop));
        let mut bar = ProgressBar::new(args.quiet, interrupt);
        let (table, outcome) = tabulate(run.problem(), &options, &mut bar)?;
        let (finished, subtrees) = (outcome.finished, outcome.subtrees);
        if outcome.complete { Ok(table) } else { Err(Error::Stopped { finished, subtrees }.into()) }
    }

    /// Writes the table in the form that is asked for. The number of solutions is said beside a table for people.
    fn write(&self, report: &Report, args: &Args) -> Result<ExitStatus> {
        if let Some(grid) = report.grid.as_ref().filter(|_| self.pictures.wanted()) {
            pictures::save(&report.picture(grid), &self.pictures)?;
        }
        let text = match (self.json, self.csv) {
            (true, _) => report.json().to_string() + "\n",
            (_, true) => report.csv(),
            _ => report.text(),
        };
        Output::create(self.output.as_deref())?.put(text)?;
        let extent = if report.is_cut { "at least " } else { "" };
        info(args, format_args!("{extent}{}", counted(report.solutions, "solution")));
        Ok(ExitStatus::Done)
    }
}

/// A finished table with its names.
struct Report {
    solutions: u128,
    /// Whether every number is a lower bound.
    is_cut: bool,
    columns: &'static [&'static str],
    /// The names of each cell, and its number.
    cells: Vec<(Vec<String>, u128)>,
    /// See [`Tallying::width`].
    width: usize,
    heads: Vec<String>,
    grid: Option<TallyGrid>,
}

impl Report {
    /// The table in its grid.
    fn picture(&self, TallyGrid { side, regions }: &TallyGrid) -> Picture {
        let numbers: Vec<u128> = self.cells.iter().map(|(_, number)| *number).collect();
        draw::tally(draw::Tally {
            side: *side,
            values: &self.heads,
            regions,
            solutions: self.solutions,
            numbers: &numbers,
        })
    }

    /// The numbers of covers that leave each set of items uncovered.
    fn of_sets(sets: Vec<(String, u128)>) -> Result<Self> {
        let sum = sets.iter().try_fold(0_u128, |sum, (_, covers)| sum.checked_add(*covers));
        Ok(Self {
            solutions: sum.ok_or(Overflow)?,
            is_cut: false,
            columns: &["uncovered"],
            cells: sets.into_iter().map(|(set, covers)| (vec![set], covers)).collect(),
            width: 1,
            heads: Vec::new(),
            grid: None,
        })
    }

    /// The lines of the table: the cells of each row, or the values of each cell.
    fn lines(&self) -> impl Iterator<Item = &[(Vec<String>, u128)]> {
        self.cells.chunks(self.width)
    }

    /// A table for people: a line of numbers for each row or cell, or a number before each option.
    fn text(&self) -> String {
        let numbers = self.cells.iter().map(|(_, number)| grouped(*number));
        let numbers: Vec<String> = numbers.collect();
        let own = numbers.iter().chain(&self.heads).map(String::len).max().unwrap_or(1);
        let name = |line: &[(Vec<String>, u128)]| line[0].0[0].clone();
        let is_named = !self.heads.is_empty();
        let name_width = self.lines().map(|line| name(line).len()).max().unwrap_or(0);
        let mut text = String::new();
        if is_named {
            let heads: String = self.heads.iter().map(|head| format!(" {head:>own$}")).collect();
            text += &format!("{:name_width$}{heads}\n", "");
        }
        for (line, numbers) in self.lines().zip(numbers.chunks(self.width)) {
            let numbers: Vec<String> = numbers.iter().map(|it| format!("{it:>own$}")).collect();
            let numbers = numbers.join(" ");
            text += &match (is_named, self.width) {
                (true, _) => format!("{:name_width$} {numbers}\n", name(line)),
                (false, 1) if name(line).is_empty() => format!("{numbers}  nothing\n"),
                (false, 1) => format!("{numbers}  {}\n", name(line)),
                (false, _) => numbers + "\n",
            };
        }
        text
    }

    fn csv(&self) -> String {
        let mut text = format!("{},solutions\n", self.columns.join(","));
        for (names, number) in &self.cells {
            let names: Vec<String> = names.iter().map(|name| csv::cell(name)).collect();
            text += &format!("{},{number}\n", names.join(","));
        }
        text
    }

    fn json(&self) -> Value {
        let line = |line: &[(Vec<String>, u128)]| {
            line.iter().map(|(_, number)| exact(*number)).collect::<Vec<Value>>()
        };
        let mut document = json!({
            "solutions": exact(self.solutions),
            "at_least": self.is_cut,
            "columns": self.columns,
        });
        if self.width == 1 {
            document["names"] = self.cells.iter().map(|(names, _)| names[0].clone()).collect();
            document["table"] = self.cells.iter().map(|(_, number)| exact(*number)).collect();
        } else {
            document["table"] = self.lines().map(line).collect();
        }
        document
    }
}

/// A number of JSON, or its digits as text where readers that parse numbers as doubles would lose some.
fn exact(number: u128) -> Value {
    const MOST: u128 = 1 << 53;
    match u64::try_from(number) {
        Ok(small) if number <= MOST => small.into(),
        _ => number.to_string().into(),
    }
}
