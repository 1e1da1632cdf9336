//! Exact covers: the problem in a file, its count, and what is said and drawn of it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::builder::PossibleValue;
use serde::{Deserialize, Serialize};
use tallyboard_base::Kernel;
use tallyboard_base::bound::{MAX_WHOLE_BYTES, read_whole};
use tallyboard_base::figures::grouped;
use tallyboard_classroom::draw::{MAX_COVERS, covers};
use tallyboard_cover::format::{self, Format, Input, ReadError, write, write_symmetries};
use tallyboard_cover::picture::Grid;
use tallyboard_cover::{
    Board, Count, CountError, Cover, Engine, Group, Item, Kind, Settings, Solutions, Symmetry,
    fingerprint, is_identity, tally_uncovered,
};
use tallyboard_picture::Picture;
use tallyboard_search::records::{BadRecord, Record, RecordsError, Summary};
use tallyboard_search::{CountRun, Observer, Options, Overflow, Problem, Stop, plain_words, value};

use super::{
    FileArgs, Game, Method, Part, Puzzle, Solution, TakeRecords, Tallying, UpToSymmetry, Written,
    too_many,
};
use crate::counting::{Counting, Error, Fact, KERNEL, Resources, Run, Told};
use crate::terminal::{Args, UsageError, io, showing};

/// Exact covers.
pub struct Covers;

impl Game for Covers {
    fn name(&self) -> &'static str {
        "cover"
    }

    fn noun(&self) -> &'static str {
        NOUN
    }

    fn file_options(&self) -> &'static [&'static str] {
        &["number"]
    }

    fn file_help(&self) -> &'static str {
        "The problem: a drawn puzzle, one of BurrTools, or options in Knuth's format, .ec, lists or a matrix of 0 and 1; `-` is \
         standard input"
    }

    fn method_options(&self) -> &'static [&'static str] {
        &["engine", "kernel", "memory"]
    }

    fn engines(&self) -> Vec<PossibleValue> {
        let name = |engine: Engine| PossibleValue::new(engine.name()).help(description(engine));
        Engine::ALL.map(name).into()
    }

    fn formats(&self) -> Vec<&'static str> {
        Format::WRITTEN.map(Format::name).into()
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["explain"]
    }

    fn former_names(&self) -> &'static [(&'static str, &'static str)] {
        &[("explain", "describe")]
    }

    fn useless_options(&self) -> &'static [(&'static str, &'static str)] {
        &[("draw", "solution"), ("tally", "svg"), ("tally", "png")]
    }

    fn read(&self, file: &FileArgs, _: &Args) -> Result<Box<dyn Puzzle>> {
        let bytes = io::read_puzzle(&file.file)?;
        let input = parse(&bytes, file).map_err(UsageError::of)?;
        let named = named_symmetries(&bytes, &input, file)?;
        Ok(Box::new(CoverPuzzle::new(file, &bytes, input, named)))
    }

    fn with_records(
        &self,
        mut input: Box<dyn Read + Send>,
        file: &FileArgs,
        take: &mut TakeRecords,
    ) -> Result<Summary, RecordsError> {
        let bytes = read_whole(&mut input, MAX_WHOLE_BYTES).map_err(RecordsError::Read)?;
        let problems = format::problems(&bytes);
        let is_one = problems.len() == 1;
        take(Box::new((1..).zip(problems).map(|(number, (line, name))| {
            let file = FileArgs { number: Some(number), ..file.clone() };
            let part = (!is_one).then_some(Part { number, name });
            Ok(match parse(&bytes, &file) {
                Ok(input) => {
                    let puzzle = CoverPuzzle::new(&file, &bytes, input, Vec::new());
                    let puzzle = CoverPuzzle { part, ..puzzle };
                    Record::Puzzle(line as u64, Box::new(puzzle) as Box<dyn Puzzle>)
                }
                Err(ReadError { line, error, .. }) => {
                    let (line, place) = (line as u64, Part::before(part.as_ref()));
                    let mistake = format!("{place}{error}");
                    Record::Bad(BadRecord { line, mistake, text: Vec::new() })
                }
            })
        })))
    }

    fn tell(&self, identity: &str) -> Option<Told> {
        is_identity(identity).then(|| Told { title: plain_words(identity), noun: NOUN })
    }
}

fn description(engine: Engine) -> &'static str {
    match engine {
        Engine::Masks => "A search over masks; up to 512 bits, most multiplicities",
        Engine::Frontier => "Items in a fixed order, equal states merged; no multiplicities",
        Engine::Sets => "A search over sets of options; any problem",
    }
}

/// The problem in a file.
fn read(file: &FileArgs) -> Result<Input> {
    Ok(parse(&io::read_puzzle(&file.file)?, file).map_err(UsageError::of)?)
}

/// The problem in `bytes`, the content of the file.
fn parse(bytes: &[u8], file: &FileArgs) -> Result<Input, ReadError> {
    format::read_problem(bytes, &io::name(&file.file), file.number)
}

/// The symmetries that lines of the file name; a drawn puzzle names none.
fn named_symmetries(bytes: &[u8], input: &Input, file: &FileArgs) -> Result<Vec<Symmetry>> {
    let Input::Cover(cover) = input else { return Ok(Vec::new()) };
    let read = format::read_symmetries(bytes, &io::name(&file.file), cover);
    Ok(read.map_err(UsageError::of)?)
}

/// A problem, and where it was read.
struct CoverPuzzle {
    file: PathBuf,
    number: Option<usize>,
    part: Option<Part>,
    input: Arc<Input>,
    /// The first bytes of the file, which may state the count.
    head: Arc<[u8]>,
    /// The symmetries that lines of the file name.
    named: Vec<Symmetry>,
}

/// Upper bound on the cells of a board that is drawn.
const MAX_CELLS: usize = 10_000;

impl Puzzle for CoverPuzzle {
    fn game(&self) -> &'static dyn Game {
        &Covers
    }

    fn title(&self) -> String {
        title(&self.file)
    }

    fn counting(&self, method: &Method) -> Result<Box<dyn Counting>> {
        let Method { engine, kernel, modulo } = method.clone();
        let (file, problem) = (self.file.clone(), self.number);
        let read = Some((Arc::clone(&self.input), Arc::clone(&self.head)));
        Ok(Box::new(CoverFile { file, problem, engine, modulo, kernel, read }))
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Solution> + '_>> {
        Ok(Box::new(Solutions::new(self.input.cover())))
    }

    fn is_solved_by(&self, solution: &[u32]) -> bool {
        self.input.cover().is_solved_by(solution)
    }

    fn up_to_symmetry(&self) -> Result<UpToSymmetry<'_>> {
        let symmetries = self.symmetries();
        if symmetries.is_empty() {
            let message = "--fundamental needs symmetries: a drawn puzzle of pieces without numbers, or options with lines such \
                           as | symmetry: (a b c)(d e)";
            bail!(UsageError::of(message));
        }
        let group = Group::new(self.input.cover(), &symmetries)?;
        let by = match &*self.input {
            Input::Puzzle(_) => "the board's symmetry",
            Input::Cover(_) => "the symmetries that the file names",
        };
        Ok(Box::new(move |covers, threads, stop| {
            let classes = classes(self.input.cover(), &group, covers, threads, stop)?;
            let fact = |classes: u128| -> Result<Fact> {
                let text = format!("{} up to {by}", grouped(classes));
                Ok(Fact { key: "fundamental", value: serde_json::to_value(classes)?, text })
            };
            classes.map(fact).transpose()
        }))
    }

    fn by_values(&self) -> Result<UpToSymmetry<'_>> {
        match &*self.input {
            Input::Puzzle(puzzle) if puzzle.is_of_pips() => Ok(Box::new(move |_, _, stop| {
                let Ok(pictures) = puzzle.count_pictures(stop) else { return Ok(None) };
                let text = format!("{} by the numbers on the cells", grouped(pictures));
                let value = serde_json::to_value(pictures)?;
                Ok(Some(Fact { key: "by_values", value, text }))
            })),
            _ => bail!(UsageError::of("--by-values needs a board of dominoes with numbers (Pips)")),
        }
    }

    fn why_none(&self) -> Vec<String> {
        self.input.remarks()
    }

    fn row(&self, solution: &[u32]) -> String {
        match &*self.input {
            Input::Puzzle(puzzle) => puzzle.draw(solution).trim_end_matches('\n').to_owned(),
            Input::Cover(_) => self.options(solution).join("\n"),
        }
    }

    fn json(&self, solution: &[u32]) -> String {
        serde_json::json!(self.options(solution)).to_string()
    }

    fn warnings(&self) -> Vec<String> {
        self.input.warnings()
    }

    fn part(&self) -> Option<&Part> {
        self.part.as_ref()
    }

    fn has_long_rows(&self) -> bool {
        true
    }

    fn text(&self, solution: Option<&[u32]>) -> String {
        match solution {
            Some(solution) => self.row(solution),
            None => {
                write(self.input.cover(), Format::Knuth).unwrap_or_default().trim_end().to_owned()
            }
        }
    }

    fn picture(&self, solution: Option<&[u32]>) -> Result<Picture> {
        self.gallery(&solution.map(<[u32]>::to_vec).into_iter().collect::<Vec<_>>(), false)
    }

    fn is_drawn_solved(&self) -> bool {
        true
    }

    fn most_drawn(&self) -> usize {
        MAX_COVERS
    }

    fn gallery(&self, solutions: &[Solution], is_cut: bool) -> Result<Picture> {
        let Some(board) = Board::of(&self.input) else {
            let message = "--svg and --png draw puzzles with cells: a drawn one, or options with items named \
                           column,row such as 3,1";
            bail!(UsageError::of(message));
        };
        ensure!(
            board.places().len() <= MAX_CELLS,
            "found a board of {} cells, expected at most {} to draw",
            grouped(board.places().len()),
            grouped(MAX_CELLS)
        );
        Ok(covers(&board, &self.input, solutions, is_cut))
    }

    fn tally(&self) -> Result<Tallying> {
        let run = tallyboard_cover::tally(self.input.cover()).map_err(UsageError::of)?;
        let input = Arc::clone(&self.input);
        let names = Box::new(move |option| vec![input.option_text(option as u32)]);
        Ok(Tallying { run, columns: &["option"], names, width: 1, heads: Vec::new(), grid: None })
    }

    fn uncovered(
        &self,
        most: usize,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<Vec<(String, u128)>> {
        let cover = self.input.cover();
        let sets = tally_uncovered(cover, most, options, observer)?;
        let name = |items: Vec<u32>| {
            let names: Vec<&str> =
                items.iter().map(|&it| cover.items()[it as usize].name()).collect();
            names.join(" ")
        };
        Ok(sets.into_iter().map(|(items, covers)| (name(items), covers)).collect())
    }

    fn write(&self, to: Option<&str>) -> Result<Written> {
        let to = to.ok_or_else(|| UsageError::of("convert: a cover needs --to with a format"))?;
        let to: Format = to.parse().map_err(UsageError::of)?;
        let cover = self.input.cover();
        let text = write(cover, to).map_err(UsageError::of)?;
        let symmetries = self.symmetries();
        let symmetry_lines = match to {
            Format::Knuth => write_symmetries(cover, &symmetries),
            _ => None,
        };
        // The first symmetry of a drawn puzzle changes nothing.
        let is_symmetric = match &*self.input {
            Input::Puzzle(_) => symmetries.len() > 1,
            Input::Cover(_) => !symmetries.is_empty(),
        };
        let lost = losses(&self.input, is_symmetric && symmetry_lines.is_none(), to);
        Ok(Written { text: symmetry_lines.unwrap_or_default() + &text, lost })
    }

    fn describe(&self, method: &Method, args: &Args) -> Result<Vec<String>> {
        self.description(method, args)
    }
}

impl CoverPuzzle {
    /// The problem `input` of `bytes`, the content of the file, which names these symmetries.
    fn new(file: &FileArgs, bytes: &[u8], input: Input, named: Vec<Symmetry>) -> Self {
        let FileArgs { file, number, .. } = file.clone();
        let head = bytes[..bytes.len().min(format::HEAD_BYTES)].into();
        Self { file, number, part: None, input: Arc::new(input), head, named }
    }

    /// Symmetries that generate its group. Those of a large drawn puzzle take longer to find than its first covers.
    fn symmetries(&self) -> Vec<Symmetry> {
        match &*self.input {
            Input::Puzzle(puzzle) => puzzle.symmetries(),
            Input::Cover(_) => self.named.clone(),
        }
    }

    /// The options of a cover, as texts.
    fn options(&self, solution: &[u32]) -> Vec<String> {
        solution.iter().map(|&option| self.input.option_text(option)).collect()
    }

    /// What was read, what can never be chosen, and how the problem would be counted.
    fn description(&self, method: &Method, args: &Args) -> Result<Vec<String>> {
        let input = &*self.input;
        let cover = input.cover();
        let symmetries = self.symmetries();
        let group = Group::new(cover, &symmetries)?;
        let engine: Option<Engine> = method.engine.as_deref().map(str::parse).transpose()?;
        let secondary = cover.items().iter().filter(|item| item.kind() == Kind::Secondary).count();
        let primary = cover.items().len() - secondary;
        let settings = Settings::new().engine(engine).kernel(method.kernel);
        let mut lines = Vec::new();
        let planned =
            |settings| showing("planning the search", args.quiet, || Count::with(cover, settings));
        let count = match planned(settings)? {
            // The count may be known once the plan is made, but this is no count.
            Err(CountError::Overflow) => {
                lines.push(format!(
                    "{:>14} 2^128 - 1 covers: --modulo M counts the remainder",
                    "more than"
                ));
                planned(settings.modulo(A_PRIME))??
            }
            count => count?,
        };
        if !symmetries.is_empty() {
            let source = match input {
                Input::Puzzle(puzzle) => format!("of the drawn {} board", puzzle.grid()),
                Input::Cover(_) => "made by those that the file names".to_owned(),
            };
            lines.push(count_line(group.order(), ["symmetry", "symmetries"], &source));
        }
        let items = ["item", "items"];
        let options = ["option", "options"];
        let needed = if primary == 1 { "has to be covered" } else { "have to be covered" };
        lines.push(count_line(primary as u64, items, needed));
        lines.push(count_line(secondary as u64, items, "may be covered"));
        lines.push(count_line(cover.len() as u64, options, ""));
        let removed = count.removed() as u64;
        let why_removed = if removed == 1 {
            "that was taken out: no cover can have it"
        } else {
            "that were taken out: no cover can have them"
        };
        lines.push(count_line(removed, options, why_removed));
        lines.push(count_line(count.split().len() as u64, ["subtree", "subtrees"], ""));
        lines.push(format!("{:>14} engine: {}", count.engine(), count.reason()));
        lines.push(format!("{:>14} kernel", count.kernel()));
        lines.extend(input.remarks());
        lines.extend(input.warnings());
        lines.extend(count.remarks());
        Ok(lines)
    }
}

/// The number of covers up to the symmetries of `group`, of `covers` in all; `None` once `stop` is raised. By Burnside's lemma it
/// is the mean number of covers that a symmetry leaves as they are.
fn classes(
    cover: &Cover,
    group: &Group,
    covers: u128,
    threads: usize,
    stop: &Stop,
) -> Result<Option<u128>> {
    // The first symmetry leaves each cover as it is.
    let mut unchanged = vec![covers];
    for symmetry in group.classes().skip(1) {
        let mut sum = 0_u128;
        for quotient in symmetry.quotients(cover)? {
            let count = Count::new(&quotient)?;
            match CountRun::new(&count).threads(threads).stop(stop).run() {
                Ok(found) => sum = sum.checked_add(found).ok_or(Overflow)?,
                Err(tallyboard_search::Error::Stopped { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        unchanged.push(sum);
    }
    let classes = group.up_to_symmetry(&unchanged);
    classes.map(Some).ok_or_else(|| anyhow!("WRONG COUNT: it is no sum over the symmetries"))
}

/// A modulus for plans of problems whose covers 128 bits cannot count.
const A_PRIME: u64 = 1_000_000_007;

/// A line that says how many of something there are: the number, the noun for one or for several, and a remark.
fn count_line(count: u64, [one, several]: [&str; 2], remark: &str) -> String {
    let noun = if count == 1 { one } else { several };
    format!("{:>14} {noun} {remark}", grouped(count)).trim_end().to_owned()
}

/// What a file in the format `to` lacks of `input`.
fn losses(input: &Input, has_lost_symmetries: bool, to: Format) -> Vec<String> {
    let mut lost = Vec::new();
    if let Input::Puzzle(puzzle) = input {
        lost.push(match puzzle.grid() {
            Grid::Square | Grid::Cube => "the drawing".to_owned(),
            grid => format!("the drawing and its {grid} grid"),
        });
    }
    if has_lost_symmetries {
        lost.push("the symmetries".to_owned());
    }
    // Formats besides these two number the items from 1, or have none.
    let is_number = |(item, number): (&Item, usize)| item.name() == number.to_string();
    if !matches!(to, Format::Knuth | Format::Brackets)
        && !input.cover().items().iter().zip(1..).all(is_number)
    {
        lost.push("the names of the items".to_owned());
    }
    lost
}

/// All covers of the problem in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverFile {
    pub file: PathBuf,
    /// The number of the problem in the file; `None` for the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<usize>,
    /// The name of the engine, on which the subtrees depend; `None` stands for the fastest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The remainder of the count by this number is counted; `None` for the count itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulo: Option<u64>,
    /// All kernels find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    pub kernel: Option<Kernel>,
    /// The problem as it was read, and the first bytes of its file; `None` in a plan, which names the file alone.
    #[serde(skip)]
    read: Option<(Arc<Input>, Arc<[u8]>)>,
}

impl CoverFile {
    /// The count of the problem in a file, which is read when the count begins. Fails if the file cannot be opened.
    pub fn new(file: &FileArgs, method: Method) -> Result<Self> {
        let FileArgs { file, number, .. } = file.clone();
        if file != Path::new("-") {
            File::open(&file).with_context(|| io::cannot_read(&file))?;
        }
        let Method { engine, kernel, modulo } = method;
        Ok(Self { file, problem: number, engine, modulo, kernel, read: None })
    }

    /// The problem as it was read, or as its file has it now.
    fn input(&self) -> Result<Arc<Input>> {
        match &self.read {
            Some((input, _)) => Ok(Arc::clone(input)),
            None => {
                let (file, number) = (self.file.clone(), self.problem);
                read(&FileArgs { file, number, ..FileArgs::default() }).map(Arc::new)
            }
        }
    }

    /// Whether an identity is of the problem in the file.
    fn is_problem_of(&self, identity: &str) -> Result<bool> {
        let own_fingerprint = fingerprint(self.input()?.cover());
        Ok(value(identity, "fingerprint") == Some(&*own_fingerprint))
    }
}

/// What is counted of a file.
fn title(file: &Path) -> String {
    format!("covers of {}", io::name(file))
}

/// What a solution is called.
const NOUN: &str = "cover";

impl Counting for CoverFile {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        let engine: Option<Engine> = self.engine.as_deref().map(str::parse).transpose()?;
        let input = self.input()?;
        let settings = Settings::new().engine(engine).kernel(self.kernel).modulo(self.modulo);
        let problem = Count::with(input.cover(), settings).map_err(|error| match error {
            CountError::Overflow => Error::from(too_many(&Covers).0),
            error => error.into(),
        })?;
        let engine = problem.engine().to_string();
        let kernel = problem.kernel().to_string();
        let modulo = self.modulo.map_or(String::new(), |modulus| format!(" modulo {modulus}"));
        let title = title(&self.file) + &modulo;
        let remarks = [input.warnings(), problem.remarks()].concat();
        let run = Run::new(problem).title(title).remarks(remarks);
        Ok(run.detail("engine", engine).detail(KERNEL, kernel))
    }

    fn name(&self) -> &'static str {
        "cover"
    }

    fn source(&self) -> &'static str {
        "the file's head"
    }

    fn noun(&self) -> &'static str {
        NOUN
    }

    /// The count that a comment of the file states.
    fn known(&self) -> Option<u128> {
        let head = match &self.read {
            Some((_, head)) => head.to_vec(),
            None => io::look_ahead(&self.file, format::HEAD_BYTES as u64).ok()?,
        };
        match self.modulo {
            None => format::known_count(&head),
            Some(modulus) => format::known_remainder(&head, modulus).map(u128::from),
        }
    }

    /// Each engine, and the search over masks with each kernel, as far as they can count the problem here.
    fn methods(&self) -> Vec<Box<dyn Counting>> {
        let Ok(input) = self.input() else { return Vec::new() };
        let mut pairs = vec![(Engine::Sets, None), (Engine::Frontier, None)];
        pairs.extend(Kernel::ALL.map(|kernel| (Engine::Masks, Some(kernel))));
        pairs.retain(|&(engine, kernel)| {
            let settings = Settings::new().engine(engine).kernel(kernel);
            Count::check(input.cover(), settings).is_ok()
        });
        let with = |(engine, kernel): (Engine, _)| {
            let engine = Some(engine.to_string());
            Box::new(Self { engine, kernel, ..self.clone() }) as Box<dyn Counting>
        };
        pairs.into_iter().map(with).collect()
    }

    fn with_method_of(&self, identity: &str) -> Option<Box<dyn Counting>> {
        if self.engine.is_some() || !is_identity(identity) {
            return None;
        }
        // The engine of another problem's journal may be none for this one.
        if !self.is_problem_of(identity).ok()? {
            return None;
        }
        let engine = value(identity, "engine")?;
        Some(Box::new(Self { engine: Some(engine.to_owned()), ..self.clone() }))
    }

    fn unreadable(&self, identity: &str) -> Option<String> {
        if self.modulo.is_some() {
            return None;
        }
        match self.is_problem_of(identity) {
            Ok(true) => None,
            Ok(false) => {
                let name = io::name(&self.file);
                Some(format!("{name}: found another problem than that of the plan"))
            }
            Err(error) => Some(format!("{error:#}")),
        }
    }
}
