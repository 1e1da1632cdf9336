//! What a game offers to the verbs: one value of [`Game`] for each game, and one of [`Puzzle`] for each puzzle that it reads.
//!
//! A verb (`src/verbs/`) is written once, for every game, and asks a puzzle for what it needs. What a game lacks is refused in words
//! by the default of the method.

pub mod cover;
pub mod records;
pub mod regions;
pub mod sudoku;
pub mod variant;

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use serde_json::Value;
use tallyboard_base::Kernel;
use tallyboard_classroom::play::Page;
use tallyboard_picture::Picture;
use tallyboard_search::records::{Record, RecordsError, Summary, Taken};
use tallyboard_search::{Error, Observer, Options, Stop, TableRun};

use crate::counting::{Counting, Fact, Told};
use crate::terminal::{Args, OrAuto, UsageError, bytes, cannot_read, kernels};

pub use cover::Covers;
pub use regions::Regions;
pub use sudoku::Sudokus;
pub use variant::Variant;

/// Every game whose puzzles stand in files, in the order of the help.
pub static GAMES: [&dyn Game; 4] = [&Sudokus, &Variant, &Covers, &Regions];

/// A game, as the program knows it.
pub trait Game: Sync {
    /// The name of its commands, and what `--as` takes.
    fn name(&self) -> &'static str;

    /// What a solution is called; the plural is formed with `s`.
    fn noun(&self) -> &'static str {
        "solution"
    }

    /// The options of [`FileArgs`] that its files have a use for, by their names on the command line. Others are refused.
    fn file_options(&self) -> &'static [&'static str];

    /// What stands in the help of its commands for a file.
    fn file_help(&self) -> &'static str;

    /// The options of [`MethodArgs`] that its counts have a use for. Others are refused.
    fn method_options(&self) -> &'static [&'static str] {
        &[]
    }

    /// The engines that `--engine` takes.
    fn engines(&self) -> Vec<PossibleValue> {
        Vec::new()
    }

    /// The formats that `convert --to` takes.
    fn formats(&self) -> Vec<&'static str>;

    /// The verbs of `src/verbs/` that are not its own: those that it lacks, and those that are commands of the game with options that
    /// no other game has.
    fn lacks(&self) -> &'static [&'static str] {
        &[]
    }

    /// Options of verbs that this game has no use for: a verb, and an option of it. They are left out of the help, and refused.
    fn useless_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Other names of verbs below this game, each with the verb: what they were called before.
    fn former_names(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Reads one puzzle. What is odd about it is told on standard error.
    ///
    /// # Errors
    /// A file that cannot be read, a mistake in it, or several puzzles of which none was chosen.
    fn read(&self, file: &FileArgs, args: &Args) -> Result<Box<dyn Puzzle>>;

    /// Reads every puzzle of the file, or the one that was chosen, for a verb that takes many.
    ///
    /// # Errors
    /// As [`read`](Self::read), but for several puzzles.
    fn read_all(&self, file: &FileArgs, args: &Args) -> Result<Vec<Box<dyn Puzzle>>> {
        Ok(vec![self.read(file, args)?])
    }

    /// Passes the puzzles of `input` to `take`, one after the other: in constant memory, but for documents that hold all puzzles as
    /// one value. `file` has the name of the input, and the options that tell how to read it.
    ///
    /// # Errors
    /// Those of `take`, or why the input cannot be read at all.
    fn with_records(
        &self,
        input: Box<dyn Read + Send>,
        file: &FileArgs,
        take: &mut TakeRecords,
    ) -> Result<Summary, RecordsError>;

    /// Tells the identity of a count of this game in words, if it is one.
    fn tell(&self, identity: &str) -> Option<Told> {
        let _ = identity;
        None
    }
}

/// Does something with each record of an input.
pub type TakeRecords<'a> =
    dyn FnMut(Taken<Record<Box<dyn Puzzle>>>) -> Result<Summary, RecordsError> + 'a;

/// The game with this name.
pub fn of_name(name: &str) -> Option<&'static dyn Game> {
    GAMES.into_iter().find(|game| game.name() == name)
}

/// A solution, as numbers of which its game knows the meaning: the value of each cell, the stars of each row as bits, or the options of
/// a cover.
pub type Solution = Vec<u32>;

/// Which puzzle a verb works on.
#[derive(Debug, Clone, clap::Args)]
pub struct FileArgs {
    /// A file that holds a puzzle, or the puzzle itself; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,

    /// Take this puzzle of a file that has several, from 1
    #[arg(long, value_name = "N", aliases = ["puzzle", "board", "problem"], value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub number: Option<usize>,

    /// The stars of each row, column and region; by default what the file says, or 1
    #[arg(long, value_name = "K")]
    pub stars: Option<usize>,

    /// Leave out drawings of f-puzzles, SudokuPad or Penpa that stand for no rule, and list them on standard error
    #[arg(long)]
    pub ignore_drawings: bool,
}

impl FileArgs {
    /// The same file by its whole path, as plans name it: shards may start in other folders. Fails if there is no such
    /// file, or it is standard input, which other processes cannot read.
    pub fn absolute(&self) -> Result<Self> {
        if self.file == Path::new("-") {
            bail!(UsageError::of("a plan names a file: standard input is none"));
        }
        let file = self.file.canonicalize().with_context(|| cannot_read(&self.file))?;
        Ok(Self { file, ..*self })
    }

    /// Every option, by its name on the command line, and whether it is given.
    fn given(&self) -> Given {
        let Self { number, stars, ignore_drawings, .. } = self;
        vec![
            ("number", number.is_some()),
            ("stars", stars.is_some()),
            ("ignore-drawings", *ignore_drawings),
        ]
    }
}

/// Options by their names on the command line, and whether they are given.
type Given = Vec<(&'static str, bool)>;

/// The options that choose how a puzzle is counted.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct MethodArgs {
    /// How to count; auto takes the fastest engine for the problem
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engine_name(Vec::new()))]
    pub engine: OrAuto<String>,

    /// The instructions to count with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and its
    /// limits leave
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

/// Reads `auto` or the name of an engine: one of these, or any if there are none.
fn engine_name(names: Vec<PossibleValue>) -> clap::builder::ValueParser {
    let or_auto = |name: String| (name != "auto").then_some(name);
    if names.is_empty() {
        clap::builder::StringValueParser::new().map(or_auto).into()
    } else {
        let names = std::iter::once("auto".into()).chain(names);
        PossibleValuesParser::new(names).map(or_auto).into()
    }
}

impl MethodArgs {
    fn given(&self) -> Given {
        let Self { engine, kernel, memory } = self;
        vec![
            ("engine", engine.is_some()),
            ("kernel", kernel.is_some()),
            ("memory", memory.is_some()),
        ]
    }

    /// The method that the options ask for.
    pub fn method(&self) -> Method {
        Method { engine: self.engine.clone(), kernel: self.kernel, modulo: None }
    }
}

/// Fails if an option is given that `game` has no use for.
pub fn ensure_fit(game: &dyn Game, file: &FileArgs, method: Option<&MethodArgs>) -> Result<()> {
    let unfit = |given: Given, fit: &[&str]| {
        given.into_iter().find(|(name, given)| *given && !fit.contains(name))
    };
    let method = method.and_then(|method| unfit(method.given(), game.method_options()));
    match unfit(file.given(), game.file_options()).or(method) {
        None => Ok(()),
        Some((name, _)) => bail!(no_use(game, name)),
    }
}

/// Fails if an option of `verb` is given that `game` has no use for.
pub fn ensure_useful(game: &dyn Game, verb: &str, option: &str, is_given: bool) -> Result<()> {
    if is_given && game.useless_options().contains(&(verb, option)) {
        bail!(no_use(game, option));
    }
    Ok(())
}

/// The error of an option that `game` has no use for.
fn no_use(game: &dyn Game, option: &str) -> UsageError {
    UsageError(format!("found --{option}, for which {} has no use", game.name()))
}

/// Whether `command` has the options of [`FileArgs`].
pub fn reads_a_puzzle(command: &clap::Command) -> bool {
    command.get_arguments().any(|arg| arg.get_id() == "ignore_drawings")
}

/// Hides the options of a verb that `game` has no use for, and says what its files, engines and formats are.
pub fn of_game(mut command: clap::Command, game: &dyn Game) -> clap::Command {
    let has = |command: &clap::Command, id: &str| {
        command.get_arguments().any(|arg| arg.get_id().as_str() == id)
    };
    let options = [
        (FileArgs::default().given(), game.file_options()),
        (MethodArgs::default().given(), game.method_options()),
    ];
    for (given, fit) in options {
        for (name, _) in given.into_iter().filter(|(name, _)| !fit.contains(name)) {
            let id = name.replace('-', "_");
            if has(&command, &id) {
                command = command.mut_arg(id, |arg| arg.hide(true));
            }
        }
    }
    let verb = command.get_name().to_owned();
    for (_, option) in game.useless_options().iter().filter(|(of, _)| *of == verb) {
        command = command.mut_arg(*option, |arg| arg.hide(true));
    }
    if has(&command, "engine") && !game.engines().is_empty() {
        command = command.mut_arg("engine", |arg| arg.value_parser(engine_name(game.engines())));
    }
    if verb == "convert" {
        command = command
            .mut_arg("to", |arg| arg.value_parser(PossibleValuesParser::new(game.formats())));
    }
    // `mut_arg` moves an argument behind all others. If each positional one is moved, their order stays.
    let names = command.get_positionals().map(|arg| arg.get_id().clone()).collect::<Vec<_>>();
    names.into_iter().fold(command, |command, name| {
        let is_file = name == "file";
        let help = |arg: clap::Arg| if is_file { arg.help(game.file_help()) } else { arg };
        command.mut_arg(name, help)
    })
}

impl Default for FileArgs {
    fn default() -> Self {
        Self { file: PathBuf::from("-"), number: None, stars: None, ignore_drawings: false }
    }
}

/// How a puzzle is counted, where the command line chooses.
#[derive(Debug, Clone, Default)]
pub struct Method {
    /// The name of an engine.
    pub engine: Option<String>,
    /// The instructions to count with.
    pub kernel: Option<Kernel>,
    /// The remainder by this number is counted.
    pub modulo: Option<u64>,
}

/// Fails if the steps of one cell are wanted, for a game that explains none.
fn ensure_no_cell(game: &dyn Game, cell: Option<&str>) -> Result<()> {
    match cell {
        None => Ok(()),
        Some(_) => bail!(lacking(game, "explain --cell", "steps to a single cell")),
    }
}

/// One of several puzzles of a file that may begin in the same line.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its number, from 1.
    pub number: usize,
    /// What the file calls it; may be empty.
    pub name: String,
}

impl Part {
    /// What stands before a message about a puzzle, if it is one of several.
    pub fn before(part: Option<&Self>) -> String {
        match part {
            None => String::new(),
            Some(Self { number, name }) if name.is_empty() => format!("problem {number}: "),
            Some(Self { number, name }) => format!("problem {number} ({name}): "),
        }
    }
}

/// The first solutions of a puzzle.
pub struct Found {
    /// How many there are, up to the limit asked for.
    pub count: u64,
    /// The first.
    pub first: Option<Solution>,
}

/// The steps that lead to a solution, or as far as people's methods do.
pub struct Explanation {
    /// The steps, each with the number of suppositions that it stands under.
    pub steps: Vec<(usize, String)>,
    /// The first step, for whoever wants no more.
    pub hint: String,
    /// What is printed behind the steps.
    pub end: Vec<String>,
    /// How many steps of each kind there are, if that is told.
    pub summary: Option<String>,
    /// The same as JSON documents, one a line.
    pub json: Vec<Value>,
    /// Why the command fails, where the game calls steps that end in a contradiction a failure.
    pub failure: Option<&'static str>,
}

/// Default number of steps of a page, which the help of `--steps` names: enough for the whole search of 8 queens (18,513), not of 9
/// (83,708). A page of so many is below 300 kB.
pub const DEFAULT_PAGE_STEPS: usize = 50_000;

/// A puzzle in another format.
pub struct Written {
    /// The text of the file.
    pub text: String,
    /// What that format cannot hold.
    pub lost: Vec<String>,
}

/// A table that is about to be made: how many solutions use each cell of it, such as each value in each square.
pub struct Tallying {
    /// The table.
    pub run: TableRun<'static>,
    /// What a cell of the table is named by, as heads of columns.
    pub columns: &'static [&'static str],
    /// The names of a cell, which are made when they are shown.
    pub names: CellNames,
    /// How many cells of the table stand in a line of text.
    pub width: usize,
    /// The heads above a line of text; empty for none.
    pub heads: Vec<String>,
    /// The grid in which it is drawn; none for a list of options.
    pub grid: Option<TallyGrid>,
}

/// The names of a cell by its number, one for each of [`Tallying::columns`].
pub type CellNames = Box<dyn Fn(usize) -> Vec<String>>;

/// The grid in which a table is drawn.
pub struct TallyGrid {
    /// How many cells a row has.
    pub side: usize,
    /// The region of each cell, between which lines are thick; empty for none.
    pub regions: Vec<usize>,
}

impl Tallying {
    /// The table of a grid of squares with `side` columns, one cell each.
    pub fn of_squares(
        run: TableRun<'static>,
        side: usize,
        name: impl Fn(usize) -> String + 'static,
    ) -> Self {
        let names = Box::new(move |square| vec![name(square)]);
        let grid = Some(TallyGrid { side, regions: Vec::new() });
        Self { run, columns: &["cell"], names, width: side, heads: Vec::new(), grid }
    }

    /// The table of a grid with `side` cells in a row, of which each has one of the values that `heads` names.
    pub fn of_values(
        run: TableRun<'static>,
        side: usize,
        heads: Vec<String>,
        name: impl Fn(usize) -> String + 'static,
    ) -> Self {
        let (width, values) = (heads.len(), heads.clone());
        let names = Box::new(move |at: usize| {
            vec![name(at / values.len()), values[at % values.len()].clone()]
        });
        let columns = &["cell", "value"];
        let grid = Some(TallyGrid { side, regions: Vec::new() });
        Self { run, columns, names, width, heads, grid }
    }

    /// The same with the region of each cell.
    pub fn with_regions(mut self, regions: impl IntoIterator<Item = usize>) -> Self {
        if let Some(grid) = &mut self.grid {
            grid.regions = regions.into_iter().collect();
        }
        self
    }
}

/// The name of a cell, `r1c2` in row 1, column 2, in a grid of `side` columns.
fn cell_name(cell: usize, side: usize) -> String {
    format!("r{}c{}", cell / side + 1, cell % side + 1)
}

/// Counts solutions up to symmetry. It gets the number of all solutions, the number of threads, and the flag that stops it, after
/// which it returns `None`.
pub type UpToSymmetry<'a> = Box<dyn Fn(u128, usize, &Stop) -> Result<Option<Fact>> + 'a>;

/// One puzzle of a game.
pub trait Puzzle: Send + Sync {
    /// Its game.
    fn game(&self) -> &'static dyn Game;

    /// What its count is called.
    fn title(&self) -> String;

    /// The line in which it begins, if there are others in its file.
    fn line(&self) -> Option<usize> {
        None
    }

    /// The arguments of its count, which `count`, `estimate`, `verify` and plans take.
    ///
    /// # Errors
    /// An engine that is none of this game's.
    fn counting(&self, method: &Method) -> Result<Box<dyn Counting>>;

    /// Its solutions, in an order that depends on the puzzle alone.
    ///
    /// # Errors
    /// If no engine lists those of this puzzle.
    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Solution> + '_>>;

    /// Whether these numbers are a solution by the definition of the puzzle, which no engine is asked for.
    fn is_solved_by(&self, solution: &[u32]) -> bool;

    /// The number of its solutions up to `limit`, and the first.
    ///
    /// # Errors
    /// If `stop` was raised first, or no engine lists the solutions.
    fn solve(&self, limit: u64, stop: &Stop) -> Result<Found> {
        let mut found = Found { count: 0, first: None };
        for solution in self.solutions()? {
            stop.check()?;
            found.count += 1;
            found.first.get_or_insert(solution);
            if found.count == limit {
                break;
            }
        }
        Ok(found)
    }

    /// How its solutions are counted up to symmetry, once all are counted.
    ///
    /// # Errors
    /// If the game counts none so, or no symmetries are known of the puzzle.
    fn up_to_symmetry(&self) -> Result<UpToSymmetry<'_>> {
        bail!(lacking(self.game(), "count --fundamental", "count up to symmetry"))
    }

    /// How the different pictures are counted that its solutions make of numbers, once all are counted.
    ///
    /// # Errors
    /// If the puzzle's solutions are no more than such pictures.
    fn by_values(&self) -> Result<UpToSymmetry<'_>> {
        bail!(lacking(self.game(), "count --by-values", "count by values"))
    }

    /// Why it has no solution, if the puzzle alone shows it.
    fn why_none(&self) -> Vec<String> {
        Vec::new()
    }

    /// A solution as `list` prints it, without the last line break.
    fn row(&self, solution: &[u32]) -> String;

    /// A solution as JSON, a line of `list --json`.
    fn json(&self, solution: &[u32]) -> String;

    /// What is odd about the puzzle, and would be told before it is counted.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// What rows of JSON call the puzzle, and the puzzle in one line, as files of many have it; `None` where no line holds all of it.
    fn cells(&self) -> Option<(&'static str, String)> {
        None
    }

    /// Which of several puzzles it is, where its line does not tell.
    fn part(&self) -> Option<&Part> {
        None
    }

    /// Whether rows of `list` are several lines long, so that an empty line stands between them.
    fn has_long_rows(&self) -> bool {
        false
    }

    /// The puzzle as text for a terminal, with a solution if there is one.
    fn text(&self, solution: Option<&[u32]>) -> String;

    /// The puzzle as a picture, with a solution if there is one.
    ///
    /// # Errors
    /// If it has no picture.
    fn picture(&self, solution: Option<&[u32]>) -> Result<Picture>;

    /// Whether `draw` shows the solution without being asked.
    fn is_drawn_solved(&self) -> bool {
        false
    }

    /// The most solutions that [`gallery`](Self::gallery) draws; 0 for a game that has none.
    fn most_drawn(&self) -> usize {
        0
    }

    /// A picture of several solutions; `is_cut` tells that there may be more.
    ///
    /// # Errors
    /// If the puzzle has no picture.
    fn gallery(&self, solutions: &[Solution], is_cut: bool) -> Result<Picture> {
        let _ = (solutions, is_cut);
        bail!(lacking(self.game(), "list", "pictures of lists; `draw --solution` draws one"))
    }

    /// The steps to its solution, or those that lead to the value of one cell.
    ///
    /// # Errors
    /// If the game explains no steps, or this puzzle has none.
    fn explain(&self, cell: Option<&str>) -> Result<Explanation> {
        let _ = cell;
        bail!(lacking(self.game(), "explain", "steps that explain a solution"))
    }

    /// A page that plays the steps of [`explain`](Self::explain).
    ///
    /// # Errors
    /// If the game has no such page.
    fn lesson(&self, cell: Option<&str>) -> Result<Page> {
        let _ = cell;
        bail!(lacking(self.game(), "explain --html", "page that plays its steps"))
    }

    /// How many solutions use each cell of a table: each value of each cell, each square, each option.
    ///
    /// # Errors
    /// If no engine makes that table for this puzzle.
    fn tally(&self) -> Result<Tallying>;

    /// For each set of places that may stay uncovered, how many solutions leave just these so; at most `most` sets.
    ///
    /// # Errors
    /// If there are more, if the search was stopped, or if the game covers nothing.
    fn uncovered(
        &self,
        most: usize,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(String, u128)>> {
        let _ = (most, options, observer);
        bail!(lacking(self.game(), "tally --uncovered", "places that stay uncovered"))
    }

    /// The puzzle in the format `to`, or in the one that the game's own files have.
    ///
    /// # Errors
    /// A format that the game does not write.
    fn write(&self, to: Option<&str>) -> Result<Written>;

    /// Says what was read, what can never be chosen, and how it would be counted.
    ///
    /// # Errors
    /// If the game has no such description.
    fn describe(&self, method: &Method, args: &Args) -> Result<Vec<String>> {
        let _ = (method, args);
        bail!(lacking(self.game(), "describe", "description of how it is counted"))
    }
}

/// The error of a count that does not fit into 128 bits, with the way out that the game has.
pub fn too_many(game: &dyn Game) -> UsageError {
    // Covers alone are counted modulo a number.
    let has_modulo = game.name() == Covers.name();
    let way_out = if has_modulo { ": --modulo M counts the remainder" } else { "" };
    UsageError(format!("more than 2^128 - 1 {}s{way_out}", game.noun()))
}

/// The error of a verb that a game has nothing for.
fn lacking(game: &dyn Game, verb: &str, what: &str) -> UsageError {
    UsageError(format!("{verb}: {} has no {what}", game.name()))
}

/// Fails, with the text of the solution, if it is none by the definition of the puzzle.
pub fn ensure_solution(puzzle: &dyn Puzzle, solution: &[u32]) -> Result<(), Error> {
    Error::ensure_right(puzzle.is_solved_by(solution), || puzzle.row(solution))
}

#[cfg(test)]
mod tests {
    use super::{Covers, Regions, Sudokus, Variant, too_many};

    /// An error names no option that its command refuses.
    #[test]
    fn only_games_with_remainders_are_told_of_them() {
        assert!(too_many(&Covers).0.ends_with("covers: --modulo M counts the remainder"));
        for game in [&Regions as &dyn super::Game, &Sudokus, &Variant] {
            assert!(!too_many(game).0.contains("--modulo"), "{}", game.name());
        }
    }
}
