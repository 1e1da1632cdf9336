//! Flags of `tallyboard sudoku`.

use std::path::{Path, PathBuf};

use base::Kernel;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use sudoku::format::{Format, Value};
use sudoku::sized::Size;
use sudoku::{Cell, Engine, Solver};

use super::shared::{JournalArgs, OrAuto, PictureArgs, TraceFlags, choices, kernels};
use crate::cli::ending::Usage;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve every puzzle of a file: `puzzle:count:solution`, in input order
    Solve(SolveArgs),
    /// Count the solutions of every puzzle of a file: `puzzle:count`
    Count(CountArgs),
    /// Make random puzzles that have exactly one solution, one a line
    Generate(GenerateArgs),
    /// Write every puzzle's canonical form: the least of its 3,359,232 symmetries and relabellings
    Canon(CanonArgs),
    /// Write random images of every record, by symmetries and relabellings
    Shuffle(ShuffleArgs),
    /// Draw one puzzle with its solution; givens are bold, in a picture found digits are on a tint
    Draw(DrawArgs),
    /// Draw the search tree over the first empty cells of one puzzle
    Tree(TreeArgs),
    /// Step through the backtracking of one puzzle
    Trace(TraceArgs),
    /// Explain the solution of one puzzle as a person reasons, or why a cell must be what it is
    Explain(ExplainArgs),
}

#[derive(Debug, Args)]
pub struct DrawArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, Args)]
pub struct TreeArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    /// How many empty cells, in reading order, up to 8; the tree has 600 nodes at most
    #[arg(long, default_value_t = 3, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub cells: u8,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, Args)]
pub struct TraceArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    #[command(flatten)]
    pub trace: TraceFlags,
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    /// Show the next deduction only
    #[arg(long, conflicts_with = "html")]
    pub hint: bool,

    /// Explain only why this cell must be what it is: r4c5 is in row 4, column 5
    #[arg(long, value_name = "CELL")]
    pub cell: Option<Cell>,

    /// Write a page that plays the deductions, and the search, in a browser. It is one file, which needs
    /// no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    #[command(flatten)]
    pub files: FileArgs,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Stop counting a puzzle's solutions here; 2, the default without --all, proves uniqueness, 1 takes
    /// the first
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Write every solution, up to --limit: a row each, `puzzle:number:solution`
    ///
    /// Solutions come in lexicographic order, numbered from 1. A puzzle without one has one row, with
    /// number 0.
    #[arg(long, conflicts_with_all = ["columns", "stats", "check"])]
    pub all: bool,

    /// Write bare solutions, an empty line where there is none
    #[arg(long, conflicts_with = "columns")]
    pub solutions_only: bool,

    /// The columns to write for each puzzle, in this order: clues, count, solution, method, guesses, rating,
    /// canonical, minimal, superfluous
    ///
    /// clues: their number. count: the number of solutions, up to --limit. solution: the first one. method,
    /// guesses: as for --stats. rating: the mean number of guesses over the puzzle and three images of it.
    /// canonical: its least image, equal for all images. minimal: whether every clue is needed to exclude
    /// other solutions. superfluous: the clues that are not needed, each taken away alone, as r1c9 for row 1,
    /// column 9. Puzzles are solved only if a column needs it. A column of the input with the name of one of
    /// these is replaced.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_possible_values = true, value_parser = values(), conflicts_with = "stats")]
    pub columns: Vec<Value>,

    /// Compare with the solutions that the input states, and report each wrong one; rows are written only
    /// with -o OUT or --to
    #[arg(long)]
    pub check: bool,

    /// Add two columns to each row: the method and the number of guesses
    ///
    /// method: singles (naked and hidden singles alone), locked (locked candidates besides) or guesses.
    /// guesses: how many candidates were tried, depth first, until the limit was reached or all was searched.
    /// For a puzzle without a solution they are the guesses of the proof that it has none. Each puzzle is solved a second
    /// time for this, more slowly.
    #[arg(long)]
    pub stats: bool,

    /// Print the summary as JSON on standard output; rows then go to a file, or nowhere with --check
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct CanonArgs {
    #[command(flatten)]
    pub files: FileArgs,

    /// Write the records themselves, and only the first of puzzles that are images of each other
    ///
    /// With several files, puzzles with an image in an earlier file are left out. A class of images takes 15
    /// to 19 bytes of memory.
    #[arg(long)]
    pub unique: bool,
}

#[derive(Debug, Args)]
pub struct ShuffleArgs {
    #[command(flatten)]
    pub files: FileArgs,

    /// How many images of each record. The solution that a record states becomes that of the image; its
    /// other columns stay
    #[arg(long, default_value_t = 1, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,

    /// The same seed gives the same images of a puzzle, wherever it stands
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub files: FileArgs,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// Stop counting a puzzle's solutions here; without it all are counted
    #[arg(long, value_name = "K", conflicts_with = "journal", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,

    /// Add two columns to each row: the method (singles, locked, guesses) and the number of guesses,
    /// as for `sudoku solve`, until 20,000 solutions are found
    #[arg(long, conflicts_with_all = ["estimate", "journal"])]
    pub stats: bool,

    /// Estimate the number of solutions of a single puzzle, with a 95 % interval if there are enough samples
    /// for one
    #[arg(long, conflicts_with_all = ["limit", "journal"])]
    pub estimate: bool,

    /// How to count: find every solution, or join bands, which takes seconds at most however many solutions
    /// there are; auto takes what an estimate of the work finds cheaper
    #[arg(long, default_value = "auto", value_name = "METHOD", value_parser = methods(), conflicts_with_all = ["estimate", "limit", "stats"])]
    pub method: OrAuto<Engine>,

    /// Random descents that an estimate takes
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "estimate", value_parser = clap::value_parser!(u64).range(2..))]
    pub probes: u64,

    /// Seed of an estimate's descents
    #[arg(long, value_name = "S", default_value_t = 1, requires = "estimate")]
    pub seed: u64,

    #[command(flatten)]
    pub journaling: JournalArgs,
}

#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// The number of puzzles
    #[arg(default_value_t = 1)]
    pub count: u64,

    /// Exactly this many clues; 30 unless --minimal is given. Below 22 the search takes long
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(17..=81))]
    pub clues: Option<u64>,

    /// The same seed gives the same puzzles
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Make minimal puzzles: no clue can be removed (with --symmetric: no pair of clues)
    #[arg(long)]
    pub minimal: bool,

    /// The clues look the same after a half turn
    #[arg(long)]
    pub symmetric: bool,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
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
    /// Where optional rows go: a file or standard output if --output or --to is given, otherwise nowhere.
    pub fn rows_if_wanted(&self) -> Option<Option<&Path>> {
        let wanted = self.output.is_some() || self.form.to.is_some();
        wanted.then_some(self.output.as_deref())
    }
}

/// How to solve.
#[derive(Debug, Args)]
pub struct SolverArgs {
    /// Solve many puzzles at once, or one at a time
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    pub engine: EngineName,

    /// The instructions to solve with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,
}

/// The form of the text.
#[derive(Debug, Args)]
pub struct FormArgs {
    /// Format of the input; found from its first lines by default
    ///
    /// lines: one puzzle a line, 81 cells as 1-9 and blanks as . 0 _ * - x, then any text after a separator;
    /// or 81 cells with blanks or commas between them. csv: a header that names a column puzzle, quiz, sudoku
    /// or question, and may name one solution or answer; other columns are kept, except those that the output
    /// writes. jsonl: one object a line with members of these names. Between csv and jsonl all columns
    /// are kept, as text. sdk, grid: nine lines of nine cells, frames of | - + allowed; nine dashes are
    /// a row of blank cells if the puzzle's blanks are dashes, or if a frame cannot be there. Titles before
    /// the first record are kept as comments.
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<Format>,

    /// Format of the output; that of the input by default
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
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

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
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

impl SolverArgs {
    /// The solver that the flags ask for.
    pub fn solver(&self) -> anyhow::Result<Solver> {
        match (self.engine, self.kernel) {
            (EngineName::Single, None) => Ok(Solver::Single),
            (EngineName::Single, Some(_)) => {
                Err(Usage("--engine single does not take --kernel: it has only one".into()))?
            }
            (_, None) => Ok(Solver::default()),
            (_, Some(kernel)) => {
                Ok(Solver::batch(kernel).map_err(|missing| Usage(missing.to_string()))?)
            }
        }
    }
}

fn methods() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let what = |engine| match engine {
        Engine::Enumeration => "Every solution is found",
        Engine::Join => "Bands are joined",
    };
    let auto = PossibleValue::new("auto").help("The cheaper one");
    choices(auto, Engine::ALL.map(|it| PossibleValue::new(it.name()).help(what(it))))
}

fn values() -> impl TypedValueParser<Value = Value> {
    PossibleValuesParser::new(Value::ALL.map(Value::name)).try_map(|name| name.parse::<Value>())
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name)).try_map(|name| name.parse::<Format>())
}
