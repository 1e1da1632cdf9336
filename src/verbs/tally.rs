//! `tally`: how many solutions have each value in each cell, a queen on each square, each option; exactly, in one pass.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::{Value, json};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_classroom::draw;
use tallyboard_files::csv;
use tallyboard_picture::Picture;
use tallyboard_search::journal::{Refusal, TableFile};
use tallyboard_search::records::{
    BadRecord, Outcome, Record, Rows, Settings, Worker, solve_records,
};
use tallyboard_search::{
    Error, Options, PartialTable, Saving, Stop, Stopped, Table, TableRun, tabulate_saving,
};

use super::{Source, Verb};
use crate::counting::advise;
use crate::games::records::{self, Files, print_summary};
use crate::games::{CellNames, FileArgs, Part, Puzzle, TallyGrid, Tallying};
use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, PictureArgs, ProgressBar, UsageError, ensure_apart,
    eprint_line, info, pictures, program_name,
};

#[derive(Debug, clap::Args)]
pub struct Tally {
    #[command(flatten)]
    file: FileArgs,

    /// Count the covers for each set of optional items that they leave uncovered, such as each date of a calendar puzzle (covers)
    #[arg(long, conflicts_with_all = ["limit", "journal"])]
    uncovered: bool,

    /// Tabulate every puzzle of the file, on every core: an object a line for each, in their order. What is no puzzle is marked in its
    /// place
    #[arg(id = "rows", long = "to", value_name = "FORMAT", conflicts_with_all = ["number", "uncovered", "json", "csv", "svg", "png", "journal"])]
    rows: Option<RowFormat>,

    #[command(flatten)]
    table: TableFlags,
}

/// How the tables of many puzzles are written.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum RowFormat {
    /// A JSON object a line
    Jsonl,
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

    /// Save what is finished in this file, about every ten seconds and when the command is stopped; a later run can continue from it
    #[arg(long, value_name = "FILE", conflicts_with = "limit")]
    pub journal: Option<PathBuf>,

    /// Continue from the file that --journal names; begin it if there is none
    #[arg(long, requires = "journal")]
    pub resume: bool,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// The most sets of uncovered items: a table of so many takes some 100 MB.
const MOST_SETS: usize = 1 << 20;

impl Verb for Tally {
    const NAME: &'static str = "tally";
    const ABOUT: &'static str =
        "Count the solutions that have each value in each cell, or each option of an exact cover";
    const EXAMPLE: &'static str =
        "tallyboard tally killer.txt                            # solutions of each candidate\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        if let Some(RowFormat::Jsonl) = self.rows {
            return self.run_all(&source, args);
        }
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

impl Tally {
    /// Writes the table of each puzzle of the file.
    fn run_all(&self, source: &Source, args: &Args) -> Result<ExitStatus> {
        let interrupt = Interrupt::listen_with_nothing_to_save();
        let limit = self.table.limit;
        let settings = Settings {
            together: 1,
            mark: BadRecord::mark_json,
            strict: false,
            threads: args.threads,
            stop: interrupt.stop(),
        };
        // Building the search for a table may show that there is none, which is a mistake of the puzzle.
        let ask = |record: Record<Box<dyn Puzzle>>| match record {
            Record::Puzzle(line, puzzle) => Asked::of(line, &*puzzle),
            Record::Kept(text) => Record::Kept(text),
            Record::Bad(bad) => Record::Bad(bad),
        };
        let make_worker = || {
            Box::new(|lines: &[u64], tables: &[Asked], rows: &mut Rows| {
                let mut numbered = lines.iter().zip(tables);
                numbered
                    .try_for_each(|(line, asked)| asked.add_row(*line, limit, settings.stop, rows))
            }) as Worker<Asked>
        };
        let file = &self.file;
        let inputs = std::slice::from_ref(&file.file);
        let files = Files { inputs, output: self.table.output.as_deref(), header: "" };
        let given_up = Cell::new(0);
        let ended = records::run(
            &files,
            &interrupt,
            args,
            &mut |input, rows, report| {
                source.game.with_records(input, file, &mut |taken| {
                    solve_records(taken, &ask, settings, &make_worker, rows, report)
                })
            },
            &mut |summary, elapsed| {
                given_up.set(summary.given_up);
                print_summary(summary, "puzzle", 2, elapsed, args);
            },
        );
        Ok(with_given_up(interrupt.ending(ended)?, given_up.get()))
    }
}

/// How a run ends that would end so but for tables that were given up.
fn with_given_up(ending: ExitStatus, given_up: u64) -> ExitStatus {
    match ending {
        ExitStatus::Done if given_up > 0 => ExitStatus::Failed,
        ending => ending,
    }
}

/// One of many tables that are about to be made.
struct Asked {
    /// The puzzle in one line, if one line holds it, and what its member of the row is called.
    cells: Option<(&'static str, String)>,
    /// Which of several puzzles it is, where its line does not tell.
    part: Option<Part>,
    tallying: Tallying,
}

impl Asked {
    /// The table of a puzzle that begins in this line.
    fn of(line: u64, puzzle: &dyn Puzzle) -> Record<Self> {
        let cells = puzzle.cells();
        let part = puzzle.part().cloned();
        match puzzle.tally() {
            Ok(tallying) => Record::Puzzle(line, Self { cells, part, tallying }),
            Err(error) => {
                let text = cells.map_or(Vec::new(), |(_, cells)| cells.into_bytes());
                let mistake = format!("{}{error:#}", Part::before(part.as_ref()));
                Record::Bad(BadRecord { line, mistake, text })
            }
        }
    }

    /// Makes the table, and adds its row.
    fn add_row(
        &self,
        line: u64,
        limit: Option<u64>,
        stop: &Stop,
        rows: &mut Rows,
    ) -> Result<(), Stopped> {
        let Tallying { run, columns, names, width, .. } = &self.tallying;
        let table = match run.run_here(limit, stop) {
            Ok(table) => table,
            Err(Error::Stopped { .. }) => return Err(Stopped),
            Err(error @ (Error::Overflow(_) | Error::Refused(_))) => {
                let place = Part::before(self.part.as_ref());
                eprint_line(format_args!("line {line}: {place}{error}"));
                let text = self.cells.clone().map_or(Vec::new(), |(_, cells)| cells.into_bytes());
                let unknown = BadRecord { line, mistake: error.to_string(), text };
                unknown.mark_json(rows.next(Outcome::GivenUp));
                return Ok(());
            }
            Err(error) => error.raise(),
        };
        let outcome = match table.solutions() {
            _ if table.is_cut() => Outcome::Several,
            solutions => Outcome::of_count(solutions.try_into().unwrap_or(u64::MAX)),
        };
        let mut document = document(&table, columns, names, *width);
        document["line"] = line.into();
        if let Some((name, cells)) = &self.cells {
            document[*name] = cells.as_str().into();
        }
        if let Some(Part { number, name }) = &self.part {
            document["number"] = (*number).into();
            document["name"] = name.as_str().into();
        }
        rows.next(outcome).extend(format!("{document}\n").bytes());
        Ok(())
    }
}

/// The error of a picture of a list.
const NO_GRID: &str = "--svg and --png draw tables of squares or of cells: this one is a list";

impl TableFlags {
    /// The files to write.
    pub fn outputs(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.output, &self.journal].into_iter();
        files.flat_map(|path| path.as_deref()).chain(self.pictures.paths())
    }

    /// Makes the table and writes it.
    pub fn run(&self, tallying: Tallying, args: &Args) -> Result<ExitStatus> {
        let Tallying { run, columns, names, width, heads, grid } = tallying;
        if self.pictures.wanted() && grid.is_none() {
            bail!(UsageError::of(NO_GRID));
        }
        let interrupt = match self.journal {
            Some(_) => Interrupt::listen(),
            None => Interrupt::listen_with_nothing_to_save(),
        };
        let table = match self.table(run, &interrupt, args) {
            Ok(Some(table)) => table,
            Ok(None) => return Ok(interrupt.exit_status()),
            Err(error) => return interrupt.ending(Err(error)),
        };
        let report = Report { table, columns, names, width, heads, grid };
        interrupt.ending(self.write(&report, args))
    }

    /// The table; `None` after an interruption that was told.
    fn table(&self, run: TableRun, interrupt: &Interrupt, args: &Args) -> Result<Option<Table>> {
        let stop = interrupt.stop();
        if self.limit.is_some() {
            return Ok(Some(run.limit(self.limit).threads(args.threads).stop(stop).run()?));
        }
        let problem = run.problem();
        let file = |path| TableFile::new(path, problem).map_err(advise);
        let mut file = self.journal.as_deref().map(file).transpose()?;
        let mut known = PartialTable::default();
        if let Some(file) = &mut file {
            known = self.known(file, args)?;
            // A folder that takes no file is told before hours of work.
            file.write(&known)?;
        }
        let subtrees = problem.subtrees();
        let earlier = known.finished.len();
        let mut save = |made: &PartialTable| file.as_mut().map_or(Ok(()), |file| file.write(made));
        let saving = Saving { known, save: &mut save };
        let options = Options::new().threads(args.threads).stop(Some(stop));
        let mut bar = ProgressBar::new(args.quiet, interrupt);
        let tabulated = tabulate_saving(problem, &options, saving, &mut bar);
        drop(bar);
        let (table, outcome) = tabulated?;
        if outcome.complete {
            return Ok(Some(table));
        }
        self.print_interrupted(&table, earlier + outcome.finished, subtrees);
        Ok(None)
    }

    /// What the file of the table has from earlier runs.
    fn known(&self, file: &TableFile, args: &Args) -> Result<PartialTable> {
        let Some(known) = file.read().map_err(advise)? else { return Ok(PartialTable::default()) };
        if !self.resume {
            return Err(advise(file.refused(Refusal::Exists)));
        }
        let (finished, path) = (counted(known.finished.len(), "finished subtree"), file.path());
        info(args, format_args!("{}: going on from {finished}", path.display()));
        Ok(known)
    }

    /// Says what is known after an interruption, and how to go on.
    fn print_interrupted(&self, table: &Table, finished: usize, subtrees: usize) {
        let (program, all) = (program_name(), counted(subtrees, "subtree"));
        let finished = grouped(finished);
        match &self.journal {
            Some(path) => eprint_line(format_args!(
                "{program}: interrupted; {finished} of {all} saved in {}\n\
                 go on with the same command and --resume",
                path.display()
            )),
            None => eprint_line(format_args!(
                "{program}: interrupted; nothing is saved (--journal FILE would)\n\
                 {} in the {finished} of {all} that were finished",
                counted(table.solutions(), "solution")
            )),
        }
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
        let extent = if report.table.is_cut() { "at least " } else { "" };
        info(args, format_args!("{extent}{}", counted(report.table.solutions(), "solution")));
        Ok(ExitStatus::Done)
    }
}

/// A finished table with its names.
struct Report {
    table: Table,
    columns: &'static [&'static str],
    /// See [`Tallying::names`].
    names: CellNames,
    /// See [`Tallying::width`].
    width: usize,
    heads: Vec<String>,
    grid: Option<TallyGrid>,
}

impl Report {
    /// The table in its grid.
    fn picture(&self, TallyGrid { side, regions }: &TallyGrid) -> Picture {
        draw::tally(draw::Tally {
            side: *side,
            values: &self.heads,
            regions,
            solutions: self.table.solutions(),
            numbers: self.table.cells(),
        })
    }

    /// The numbers of covers that leave each set of items uncovered.
    fn of_sets(sets: Vec<(String, u128)>) -> Result<Self> {
        let mut table = Table::new(sets.len());
        for (number, (_, covers)) in sets.iter().enumerate() {
            table.count(*covers)?;
            table.add(number, *covers)?;
        }
        let (columns, heads) = (&["uncovered"], Vec::new());
        let names = Box::new(move |number: usize| vec![sets[number].0.clone()]);
        Ok(Self { table, columns, names, width: 1, heads, grid: None })
    }

    /// A table for people: a line of numbers for each row or cell, or a number before each option.
    fn text(&self) -> String {
        let numbers = self.table.cells().iter().map(|number| grouped(*number));
        let numbers: Vec<String> = numbers.collect();
        let own = numbers.iter().chain(&self.heads).map(String::len).max().unwrap_or(1);
        let is_named = !self.heads.is_empty();
        // The name of the first cell of each line.
        let firsts = (0..self.table.cells().len()).step_by(self.width);
        let names: Vec<String> = firsts.map(|at| (self.names)(at).swap_remove(0)).collect();
        let name_width = names.iter().map(String::len).max().unwrap_or(0);
        let mut text = String::new();
        if is_named {
            let heads: String = self.heads.iter().map(|head| format!(" {head:>own$}")).collect();
            text += &format!("{:name_width$}{heads}\n", "");
        }
        for (name, numbers) in names.into_iter().zip(numbers.chunks(self.width)) {
            let numbers: Vec<String> = numbers.iter().map(|it| format!("{it:>own$}")).collect();
            let numbers = numbers.join(" ");
            text += &match (is_named, self.width) {
                (true, _) => format!("{name:name_width$} {numbers}\n"),
                (false, 1) if name.is_empty() => format!("{numbers}  nothing\n"),
                (false, 1) => format!("{numbers}  {name}\n"),
                (false, _) => numbers + "\n",
            };
        }
        text
    }

    fn csv(&self) -> String {
        let mut text = format!("{},solutions\n", self.columns.join(","));
        for (at, number) in self.table.cells().iter().enumerate() {
            let names: Vec<String> = (self.names)(at).iter().map(|name| csv::cell(name)).collect();
            text += &format!("{},{number}\n", names.join(","));
        }
        text
    }

    fn json(&self) -> Value {
        document(&self.table, self.columns, &self.names, self.width)
    }
}

/// A table as a JSON document: a list for each line of so many cells, or one list beside the names of the cells.
fn document(table: &Table, columns: &[&str], names: &CellNames, width: usize) -> Value {
    let numbers: Vec<Value> = table.cells().iter().map(|number| exact(*number)).collect();
    let mut document = json!({
        "solutions": exact(table.solutions()),
        "at_least": table.is_cut(),
        "columns": columns,
    });
    if width == 1 {
        document["names"] = (0..numbers.len()).map(|at| names(at).swap_remove(0)).collect();
        document["table"] = numbers.into();
    } else {
        document["table"] = numbers.chunks(width).map(<[Value]>::to_vec).collect();
    }
    document
}

/// A number of JSON, or its digits as text where readers that parse numbers as doubles would lose some.
pub fn exact(number: u128) -> Value {
    const MOST: u128 = 1 << 53;
    match u64::try_from(number) {
        Ok(small) if number <= MOST => small.into(),
        _ => number.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No small puzzle has a table that is given up: its count would not fit into 128 bits, and a plan would not know that.
    #[test]
    fn a_table_that_is_given_up_fails_the_run() {
        let interrupted = ExitStatus::Interrupted { signal: 2 };
        for (ending, given_up, expected) in [
            (ExitStatus::Done, 0, ExitStatus::Done),
            (ExitStatus::Done, 1, ExitStatus::Failed),
            (ExitStatus::Failed, 0, ExitStatus::Failed),
            (ExitStatus::Failed, 1, ExitStatus::Failed),
            (interrupted, 1, interrupted),
        ] {
            assert_eq!(with_given_up(ending, given_up), expected);
        }
    }
}
