//! Boards from flags, in the form that plans store and all commands count.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use serde::{Deserialize, Serialize};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_base::{Kernel, UnknownName};
use tallyboard_queens::text::read_boards;
use tallyboard_queens::wrapped::{Surface, Wrapped};
use tallyboard_queens::{
    Board, Classes, Count, Engine, EngineError, HalvesError, MAX_N, Settings as EngineSettings,
    Square, SymmetricSolutions, known,
};
use tallyboard_search::{Stop, Stopped, value};

use crate::counting::{Counting, Error, Fact, KERNEL, NoRoom, Resources, Run, Told};
use crate::terminal::{
    Args, OrAuto, UsageError, bytes, choices, eprint_line, info, io, kernels, program_name,
};

/// The squares of a board that are not free.
#[derive(Debug, Clone, clap::Args)]
pub struct SquareArgs {
    /// Queens that stand already, as in a1,c2: a1 is at the bottom left as in chess, the file aa comes
    /// after z
    #[arg(long, value_delimiter = ',', value_name = "SQUARES", value_parser = square)]
    pub place: Vec<Square>,

    /// Squares where no queen may stand
    #[arg(long, value_delimiter = ',', value_name = "SQUARES", value_parser = square)]
    pub block: Vec<Square>,
}

/// Boards to count on.
#[derive(Debug, clap::Args)]
pub struct BoardArgs {
    /// Board size: n queens on n × n squares, up to 32; or a file of boards, as pictures (`.` free, `Q` a queen, `*` closed) or
    /// JSON with `n`, `blocks` and `queens`; `-` is standard input
    #[arg(value_name = "N|FILE", value_parser = size_or_file(MAX_N))]
    pub board: SizeOrFile,

    #[command(flatten)]
    pub squares: SquareArgs,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// How a file of boards is read.
#[derive(Debug, clap::Args)]
pub struct ReadingArgs {
    /// The marks of closed squares in the file, in place of `*#xX`
    #[arg(long, value_name = "MARKS")]
    pub closed: Option<String>,

    /// The number of the board in the file, from 1; or the surface that a board becomes when its edges are glued: cylinder,
    /// torus, mobius or klein, which `count`, `verify` and `cluster plan` take
    #[arg(long = "board", value_name = "N|SURFACE")]
    pub which: Option<Which>,
}

/// A board of a file, or of a shape of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Number(usize),
    On(Surface),
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().ok().filter(|&number| number > 0).map(Self::Number);
            return number.ok_or_else(|| format!("{text} is not in 1.."));
        }
        text.parse().map(Self::On).map_err(|error: UnknownName| format!("{error} or a number"))
    }
}

impl ReadingArgs {
    fn number(&self) -> Option<usize> {
        match self.which {
            Some(Which::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn surface(&self) -> Option<Surface> {
        match self.which {
            Some(Which::On(surface)) => Some(surface),
            _ => None,
        }
    }
}

/// What stands for a board on the command line.
#[derive(Debug, Clone)]
pub enum SizeOrFile {
    /// An empty board of so many rows.
    Size(u32),
    /// The boards in this file.
    File(PathBuf),
}

/// Reads a size up to `most`, or the path of a file.
pub fn size_or_file(most: u32) -> impl TypedValueParser<Value = SizeOrFile> {
    PathBufValueParser::new().try_map(move |path| match path.to_str() {
        Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => match text.parse() {
            Ok(n) if (1..=most).contains(&n) => Ok(SizeOrFile::Size(n)),
            _ => Err(format!("{text} is not in 1..={most}")),
        },
        Some("-") => Ok(SizeOrFile::File(path)),
        _ if path.exists() => Ok(SizeOrFile::File(path)),
        _ => Err("found neither a number nor a file of this name".to_owned()),
    })
}

/// A board of the command line or of a file.
#[derive(Debug)]
pub struct Given {
    pub n: u32,
    pub squares: SquareArgs,
    /// What it becomes when its edges are glued.
    pub surface: Option<Surface>,
}

impl Given {
    /// Its size and its squares; an error if its edges are glued.
    pub fn flat(self) -> Result<(u32, SquareArgs)> {
        if let Some(surface) = self.surface {
            let takers = "queens count, estimate and verify and cluster plan";
            bail!(UsageError(format!("--board {surface} is an option of {takers} alone")));
        }
        Ok((self.n, self.squares))
    }

    /// Its count by the fastest engine.
    pub fn job(&self) -> Queens {
        let surface = self.surface.map(|surface| surface.to_string());
        Queens { surface, ..Queens::new(self.n, &self.squares.place, &self.squares.block) }
    }

    /// Whether it has no squares that are not free, and no glued edges.
    pub fn is_plain(&self) -> bool {
        self.squares.is_plain() && self.surface.is_none()
    }

    /// Fails unless it is plain, which `option` needs.
    pub fn ensure_plain(&self, option: &str) -> Result<()> {
        match self.surface {
            Some(surface) => bail!(UsageError(format!(
                "{option} needs a board that is not on {}",
                surface.phrase()
            ))),
            None => self.squares.ensure_plain(option),
        }
    }
}

impl BoardArgs {
    /// All boards, or the one whose number is given.
    pub fn all(&self, args: &Args) -> Result<Vec<Given>> {
        self.board.all(&self.squares, &self.reading, args)
    }

    /// The one board, or the first of several, which is said.
    pub fn one(&self, args: &Args) -> Result<Given> {
        self.board.one(&self.squares, &self.reading, args)
    }
}

impl SizeOrFile {
    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Size(_) => None,
            Self::File(path) => Some(path),
        }
    }

    /// As [`BoardArgs::all`], with these squares too.
    fn all(&self, squares: &SquareArgs, reading: &ReadingArgs, args: &Args) -> Result<Vec<Given>> {
        let surface = reading.surface();
        let path = match self {
            Self::Size(n) if reading.closed.is_none() && reading.number().is_none() => {
                return Ok(vec![Given { n: *n, squares: squares.clone(), surface }]);
            }
            Self::Size(n) => bail!(UsageError(format!(
                "--closed and --board are of boards in a file, found the number {n}"
            ))),
            Self::File(path) => path,
        };
        let name = io::name(path);
        let found = read_boards(&io::read_puzzle(path)?, reading.closed.as_deref());
        let found = found.map_err(|error| UsageError(format!("{name}:{error}")))?;
        let count = found.boards.len();
        let number = reading.number().unwrap_or(1);
        if count < number {
            let boards = counted(count, "board");
            bail!(UsageError(format!("{name}: found {boards}, expected at least {number}")));
        }
        if let Some(remark) = found.remark() {
            info(args, format_args!("{name}: {remark}; --closed MARKS takes others for closed"));
        }
        let boards = match reading.number() {
            Some(number) => &found.boards[number - 1..number],
            None => &found.boards,
        };
        let with = |(_, board): &(u64, Board)| Given {
            n: board.n(),
            squares: SquareArgs {
                place: [board.placed(), &squares.place].concat(),
                block: [board.blocked(), &squares.block].concat(),
            },
            surface,
        };
        Ok(boards.iter().map(with).collect())
    }

    /// As [`BoardArgs::one`], with these squares too.
    pub fn one(&self, squares: &SquareArgs, reading: &ReadingArgs, args: &Args) -> Result<Given> {
        let mut boards = self.all(squares, reading, args)?;
        if boards.len() > 1 {
            let hint = match reading.surface() {
                None => ": `--board N` takes another",
                // That option names the surface.
                Some(_) => ", and the others need a file each",
            };
            info(args, format_args!("this is the first of several boards{hint}"));
        }
        Ok(boards.swap_remove(0))
    }
}

/// Reads a square, with blanks about it as in `"a1, c2"`.
fn square(text: &str) -> Result<Square, <Square as FromStr>::Err> {
    text.trim().parse()
}

impl SquareArgs {
    /// Whether there are none.
    pub fn is_plain(&self) -> bool {
        self.place.is_empty() && self.block.is_empty()
    }

    /// The board of n rows with these squares.
    pub fn board(&self, n: u32) -> Result<Board> {
        let board = Board::with(n, &self.place, &self.block);
        Ok(board.map_err(UsageError::of)?)
    }

    /// As [`board`](Self::board), with a warning if the board obviously has no solution.
    pub fn board_with_warnings(&self, n: u32, args: &Args) -> Result<Board> {
        let board = self.board(n)?;
        for warning in warnings(&board) {
            info(args, format_args!("{}: {warning}", program_name()));
        }
        Ok(board)
    }

    /// Fails unless there are none, which `option` needs.
    pub fn ensure_plain(&self, option: &str) -> Result<()> {
        if self.is_plain() {
            return Ok(());
        }
        Err(UsageError(format!("{option} needs a board without --place and --block")).into())
    }
}

/// Why `board` obviously has no solution, if so.
pub fn warnings(board: &Board) -> Vec<String> {
    let attack = board
        .attack()
        .map(|(one, other)| format!("the queens on {one} and {other} attack each other"));
    let closed = board.placed().iter().find(|square| board.blocked().contains(square));
    let closed = closed.map(|square| format!("the queen on {square} stands on a closed square"));
    attack.into_iter().chain(closed).collect()
}

/// The classes of the plain board's `solutions`, checked against the known number of classes.
pub fn checked_classes(n: u32, solutions: u128, symmetric: SymmetricSolutions) -> Result<Classes> {
    let classes = Classes::of(n, solutions, symmetric).context(
        "WRONG COUNT: the numbers of all and of symmetric solutions contradict each other",
    )?;
    if let Some(expected) = known::classes(n) {
        ensure!(
            classes.total() == expected,
            "WRONG COUNT for n = {n}: found {} classes, expected {expected} (OEIS A002562)",
            classes.total()
        );
    }
    Ok(classes)
}

/// How to count.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct EngineArgs {
    /// How to count; auto takes the fastest engine for the board
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engines())]
    pub engine: OrAuto<Engine>,

    /// The instructions to count with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and its
    /// limits leave. If the fastest engine needs more, auto takes another
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

impl EngineArgs {
    /// The count of a board by this engine and kernel.
    pub fn job(&self, given: &Given) -> Queens {
        let engine = self.engine.map(|engine| engine.to_string());
        Queens { engine, kernel: self.kernel, ..given.job() }
    }
}

/// Reads `auto` or the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let name = |engine: Engine| PossibleValue::new(engine.name()).help(description(engine));
    choices("auto".into(), Engine::ALL.map(name))
}

fn description(engine: Engine) -> &'static str {
    match engine {
        Engine::Halves => "Half boards joined; boards without --place and --block",
        Engine::Blocks => "Batches of nodes; any board",
        _ => "The textbook recursion; boards without --place and --block, or with glued edges",
    }
}

/// Up to this n the symmetric solutions are found in seconds.
const MAX_N_CLASSES_IN_SECONDS: u32 = 24;

/// All solutions on a board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queens {
    pub n: u32,
    /// The squares of placed queens; `blocked` holds the closed squares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<String>,
    /// The name of the surface that the board becomes when its edges are glued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<String>,
    /// The name of the engine, on which the subtrees depend; `None` stands for the fastest one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// All kernels find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    pub kernel: Option<Kernel>,
}

impl Queens {
    /// A board with these squares, without a choice of engine or kernel.
    pub fn new(n: u32, placed: &[Square], blocked: &[Square]) -> Self {
        let (placed, blocked) = (names(placed), names(blocked));
        Self { n, placed, blocked, surface: None, engine: None, kernel: None }
    }

    fn surface(&self) -> Result<Option<Surface>, UnknownName> {
        self.surface.as_deref().map(str::parse).transpose()
    }

    /// The count on a surface.
    fn run_on(&self, surface: Surface) -> Result<Run, Error> {
        self.ensure_fit(surface)?;
        let is_textbook = self.engine.is_some();
        let problem = self.wrapped(surface, is_textbook)?.split()?;
        let run = Run::new(problem).title(self.title());
        Ok(run.detail("engine", if is_textbook { "textbook" } else { "lanes" }))
    }

    /// Fails if an engine or a kernel is asked for that does not count on surfaces.
    pub fn ensure_fit(&self, surface: Surface) -> Result<(), Error> {
        let phrase = surface.phrase();
        if self.kernel.is_some() {
            return Err(format!("boards on {phrase} have no --kernel").into());
        }
        match self.engine.as_deref() {
            None | Some("textbook") => Ok(()),
            Some(engine) => {
                let refusal =
                    format!("the {engine} engine counts no boards on {phrase}: leave --engine out");
                Err(refusal.into())
            }
        }
    }

    /// What is counted, for people.
    pub fn title(&self) -> String {
        let n = self.n;
        let on = |surface: Surface| {
            let queens = counted(surface.queens(n), "queen");
            format!("{queens} on {} of {n} × {n}", surface.phrase())
        };
        self.surface().ok().flatten().map_or_else(|| counted(n, "queen"), on)
    }

    /// The search on a surface.
    pub fn wrapped(&self, surface: Surface, is_textbook: bool) -> Result<Wrapped, Error> {
        let (n, most) = (self.n, surface.max_n());
        if n > most {
            return Err(
                format!("found n = {n}, expected at most {most} on {}", surface.phrase()).into()
            );
        }
        let (placed, blocked) = (squares(&self.placed)?, squares(&self.blocked)?);
        if !self.is_plain() {
            Board::with(n, &placed, &blocked)?;
        }
        Ok(Wrapped::new(surface, n, &placed, &blocked, is_textbook))
    }

    /// The board to count.
    pub fn board(&self) -> Result<Board, Error> {
        Ok(Board::with(self.n, &squares(&self.placed)?, &squares(&self.blocked)?)?)
    }

    /// Whether all squares are free.
    fn is_plain(&self) -> bool {
        self.placed.is_empty() && self.blocked.is_empty()
    }

    /// The classes of the plain board's `solutions`; `None` once `stop` is raised.
    pub fn classes(&self, solutions: u128, stop: &Stop) -> anyhow::Result<Option<Classes>> {
        match SymmetricSolutions::search(self.n, stop) {
            Ok(symmetric) => checked_classes(self.n, solutions, symmetric).map(Some),
            Err(Stopped) => Ok(None),
        }
    }
}

fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}

fn squares(names: &[String]) -> Result<Vec<Square>, Error> {
    names.iter().map(|name| Ok(name.parse()?)).collect()
}

/// The error if the engine halves needs `needed` bytes and there are fewer.
fn no_room_for_halves(resources: &Resources, needed: u64) -> NoRoom {
    resources.too_little("the engine halves", needed)
}

impl Counting for Queens {
    fn run(&self, resources: &Resources) -> Result<Run, Error> {
        if let Some(surface) = self.surface()? {
            return self.run_on(surface);
        }
        let engine: Option<Engine> = self.engine.as_deref().map(str::parse).transpose()?;
        let settings = EngineSettings::new()
            .engine(engine)
            .kernel(self.kernel)
            .threads(resources.threads())
            .memory(resources.asked())
            .available_memory(resources.left())
            .shards(resources.shards());
        let problem = Count::with(self.board()?, settings).map_err(|error| match error {
            EngineError::Halves(HalvesError::Memory { needed, .. }) => {
                let advice = "use fewer threads, or the engine blocks, which needs next to none";
                Error::from(no_room_for_halves(resources, needed).with(advice))
            }
            other => other.into(),
        })?;
        let engine = problem.engine().to_string();
        let kernel = problem.kernel();
        let remarks = remarks(&problem, resources);
        let run = Run::new(problem).title(self.title()).remarks(remarks);
        Ok(run.detail("engine", engine).detail(KERNEL, kernel))
    }

    fn name(&self) -> &'static str {
        "queens"
    }

    fn source(&self) -> &'static str {
        self.surface().ok().flatten().map_or("OEIS A000170", known::source_on)
    }

    fn known(&self) -> Option<u128> {
        let known = match self.surface().ok()? {
            Some(surface) => known::solutions_on(surface, self.n),
            None => known::solutions(self.n),
        };
        known.filter(|_| self.is_plain())
    }

    fn label(&self) -> String {
        let surface = self.surface.iter().map(|surface| format!("-{surface}"));
        format!("queens-{}{}", self.n, surface.collect::<String>())
    }

    /// Every pair of engine and kernel that can count the board on this CPU and with its memory.
    fn methods(&self) -> Vec<Box<dyn Counting>> {
        if self.surface.is_some() {
            let with = |engine: Option<&str>| {
                Box::new(Self { engine: engine.map(Into::into), ..self.clone() })
                    as Box<dyn Counting>
            };
            return vec![with(None), with(Some("textbook"))];
        }
        let Ok(board) = self.board() else { return Vec::new() };
        let mut pairs = Vec::new();
        for engine in [Engine::Halves, Engine::Blocks] {
            pairs.extend(Kernel::ALL.map(|kernel| (engine, Some(kernel))));
        }
        pairs.push((Engine::Textbook, None));
        pairs.retain(|&(engine, kernel)| {
            let settings = EngineSettings::new().engine(engine).kernel(kernel);
            Count::with(board.clone(), settings).is_ok()
        });
        let with = |(engine, kernel): (Engine, _)| {
            let engine = Some(engine.to_string());
            Box::new(Self { engine, kernel, ..self.clone() }) as Box<dyn Counting>
        };
        pairs.into_iter().map(with).collect()
    }

    fn with_method_of(&self, identity: &str) -> Option<Box<dyn Counting>> {
        if self.engine.is_some() || self.surface.is_some() {
            return None;
        }
        let placed = self.placed.join(",");
        let blocked = self.blocked.join(",");
        // The engine of another board is not taken: if it cannot count this one, that error would hide that the boards
        // differ.
        let own_beginning = format!("queens n={} placed={placed} blocked={blocked} ", self.n);
        let engine = value(identity, "engine").filter(|_| identity.starts_with(&own_beginning))?;
        Some(Box::new(Self { engine: Some(engine.to_owned()), ..self.clone() }))
    }

    /// Checks that the solutions of a plain board, apart from the symmetric ones, are a multiple of eight.
    fn check(&self, solutions: u128, stop: &Stop) -> Result<Vec<Fact>, Error> {
        if !self.is_plain() || self.surface.is_some() {
            return Ok(Vec::new());
        }
        if self.n > MAX_N_CLASSES_IN_SECONDS {
            eprint_line("searching the symmetric solutions, with which the sum is checked");
        }
        let Some(classes) = self.classes(solutions, stop)? else { return Ok(Vec::new()) };
        Ok(vec![fundamental(&classes, ": all but the symmetric come in eights")?])
    }
}

/// Remarks on the board, and on why the fastest engine does not count it.
fn remarks(problem: &Count, resources: &Resources) -> Vec<String> {
    let mut remarks = warnings(problem.board());
    if let Some(error) = problem.fallback_reason() {
        let reason = match error {
            HalvesError::Memory { needed, .. } => {
                no_room_for_halves(resources, *needed).to_string()
            }
            other => other.to_string(),
        };
        remarks.push(format!("{reason}; counting with the engine blocks"));
    }
    remarks
}

/// Tells the identity of a board of queens: `20 queens, halves engine` for `queens n=20 placed= blocked= engine=halves
/// algorithm=1 layout=1`.
pub fn tell(identity: &str) -> Option<Told> {
    let value = |key| value(identity, key).filter(|value| !value.is_empty());
    let n = value("n").filter(|_| tallyboard_queens::is_identity(identity))?;
    let mut title = format!("{n} queen{}", if n == "1" { "" } else { "s" });
    if let Some(surface) = value("board") {
        title = format!("queens on {n} × {n}, {surface}");
    }
    for (key, phrase) in [("placed", "placed on"), ("blocked", "closed squares")] {
        if let Some(squares) = value(key) {
            title += &format!(", {phrase} {}", squares.replace(',', ", "));
        }
    }
    if let Some(engine) = value("engine") {
        title += &format!(", {engine} engine");
    }
    Some(Told { title, noun: "solution" })
}

/// The number of classes up to symmetry, as a fact whose text ends with `remark`.
pub fn fundamental(classes: &Classes, remark: &str) -> Result<Fact, Error> {
    let total = classes.total();
    let text = format!("{} up to rotation and reflection{remark}", grouped(total));
    Ok(Fact { key: "fundamental", value: u64::try_from(total)?.into(), text })
}

#[cfg(test)]
mod tests {
    use tallyboard_search::Problem;

    use super::*;

    #[test]
    fn boards_are_told_with_their_squares_and_engine() {
        let told = |board| tell(&Count::new(board).unwrap().identity()).unwrap().title;
        assert_eq!(told(Board::new(8).unwrap()), "8 queens, blocks engine");
        let closed = Board::with(
            8,
            &["h4".parse().unwrap()],
            &["a1".parse().unwrap(), "b2".parse().unwrap()],
        );
        let expected = "8 queens, placed on h4, closed squares a1, b2, blocks engine";
        assert_eq!(told(closed.unwrap()), expected);
        assert!(told(Board::new(1).unwrap()).starts_with("1 queen, "));
    }

    #[test]
    fn a_sum_that_is_off_by_less_than_eight_is_found_without_a_table() {
        let check = |n, count| Counting::check(&Queens::new(n, &[], &[]), count, &Stop::new());
        assert_eq!(check(12, 14200).unwrap()[0].value, 1787);
        for off in 1..8 {
            assert!(check(12, 14200 + off).is_err());
            assert!(check(12, 14200 - off).is_err());
        }
    }
}
