//! A problem in a file, in the form that plans store and all commands count.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use serde::{Deserialize, Serialize};
use tallyboard_base::Kernel;
use tallyboard_cover::format::{self, Input};
use tallyboard_cover::{
    Count, CountError, Engine, Group, Settings, Symmetry, fingerprint, is_identity,
};
use tallyboard_search::{plain_words, value};

use crate::counting::{Counting, Error, KERNEL, Resources, Run, Told};
use crate::terminal::{OrAuto, UsageError, bytes, choices, io, kernels};

/// The problem.
#[derive(Debug, clap::Args)]
pub struct FileArgs {
    /// The problem: a drawn puzzle, one of BurrTools, or options in Knuth's format, .ec, lists or a matrix of 0 and
    /// 1; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Take this problem of a file that has several, as those of BurrTools may have
    #[arg(long, value_name = "N")]
    pub problem: Option<usize>,
}

/// How to count.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct EngineArgs {
    /// How to count; auto takes the fastest engine for the problem
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = engines())]
    pub engine: OrAuto<Engine>,

    /// The instructions to count with; auto takes the best that this CPU has
    #[arg(long, default_value = "auto", value_name = "KERNEL", value_parser = kernels())]
    pub kernel: OrAuto<Kernel>,

    /// The most memory to use, such as 500M or 8G; by default what the machine, its control group and its
    /// limits leave
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
}

impl FileArgs {
    /// The same file by its whole path, as plans name it: shards may start in other folders. Fails if there is no such
    /// file, or it is standard input, which other processes cannot read.
    pub fn absolute(&self) -> Result<Self> {
        if self.file == Path::new("-") {
            bail!(UsageError::of("a plan names a file: standard input is none"));
        }
        let file = self.file.canonicalize().with_context(|| io::cannot_read(&self.file))?;
        Ok(Self { file, ..*self })
    }
}

/// What is counted of a number of covers that 128 bits do not hold.
#[derive(Debug, clap::Args)]
pub struct RemainderArg {
    /// Count the remainder by M, for problems with more than 2^128 - 1 covers
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(2..=u64::MAX))]
    pub modulo: Option<u64>,
}

impl EngineArgs {
    /// The count of a file by this engine and kernel. Fails if the file cannot be opened. Mistakes in it are found when
    /// the count begins.
    pub fn job(&self, file: &FileArgs) -> Result<CoverFile> {
        let FileArgs { file, problem } = file;
        if file != Path::new("-") {
            File::open(file).with_context(|| io::cannot_read(file))?;
        }
        let engine = self.engine.map(|engine| engine.to_string());
        Ok(CoverFile {
            file: file.clone(),
            problem: *problem,
            engine,
            modulo: None,
            kernel: self.kernel,
        })
    }
}

/// Reads `auto` or the name of an engine.
fn engines() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let name = |engine: Engine| PossibleValue::new(engine.name()).help(description(engine));
    choices("auto".into(), Engine::ALL.map(name))
}

fn description(engine: Engine) -> &'static str {
    match engine {
        Engine::Masks => "A search over masks; up to 512 bits, most multiplicities",
        Engine::Frontier => "Items in a fixed order, equal states merged; no multiplicities",
        Engine::Sets => "A search over sets of options; any problem",
    }
}

/// All covers of the problem in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
}

/// The message if the number of covers does not fit in 128 bits.
pub const TOO_MANY: &str = "more than 2^128 - 1 covers: --modulo M counts the remainder";

/// The problem in a file.
pub fn read(file: &FileArgs) -> Result<Input> {
    parse(&io::read_puzzle(&file.file)?, file)
}

/// The problem in `bytes`, the content of the file.
fn parse(bytes: &[u8], file: &FileArgs) -> Result<Input> {
    Ok(format::read_problem(bytes, &io::name(&file.file), file.problem).map_err(UsageError::of)?)
}

/// The problem in a file, and symmetries that generate its group: those of a drawn puzzle, or those that lines of the
/// file name.
pub fn read_generators(file: &FileArgs) -> Result<(Input, Vec<Symmetry>)> {
    let bytes = io::read_puzzle(&file.file)?;
    let input = parse(&bytes, file)?;
    let symmetries = match &input {
        Input::Puzzle(puzzle) => puzzle.symmetries(),
        Input::Cover(cover) => {
            format::read_symmetries(&bytes, &io::name(&file.file), cover).map_err(UsageError::of)?
        }
    };
    Ok((input, symmetries))
}

/// The problem in a file, and the group of its symmetries; no group if none are named.
pub fn read_symmetric(file: &FileArgs) -> Result<(Input, Option<Group>)> {
    let (input, symmetries) = read_generators(file)?;
    let group = Group::new(input.cover(), &symmetries)?;
    Ok((input, (!symmetries.is_empty()).then_some(group)))
}

impl CoverFile {
    fn file(&self) -> FileArgs {
        FileArgs { file: self.file.clone(), problem: self.problem }
    }
}

/// What a solution is called.
const NOUN: &str = "cover";

/// Tells the identity of a count of covers.
pub fn tell(identity: &str) -> Option<Told> {
    is_identity(identity).then(|| Told { title: plain_words(identity), noun: NOUN })
}

impl Counting for CoverFile {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        let engine: Option<Engine> = self.engine.as_deref().map(str::parse).transpose()?;
        let bytes = io::read_puzzle(&self.file)?;
        let input = format::read_problem(&bytes, &io::name(&self.file), self.problem)?;
        let settings = Settings::new().engine(engine).kernel(self.kernel).modulo(self.modulo);
        let problem = Count::with(input.cover(), settings).map_err(|error| match error {
            CountError::Overflow => Error::from(TOO_MANY),
            error => error.into(),
        })?;
        let engine = problem.engine().to_string();
        let kernel = problem.kernel().to_string();
        let modulo = self.modulo.map_or(String::new(), |modulus| format!(" modulo {modulus}"));
        let title = format!("covers of {}{modulo}", io::name(&self.file));
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

    /// The count that a comment of the file states. Standard input can be read only once, and is left to the count itself.
    fn known(&self) -> Option<u128> {
        if self.file == Path::new("-") {
            return None;
        }
        let mut head = Vec::new();
        let file = io::open(&self.file).ok()?;
        file.take(format::HEAD_BYTES as u64).read_to_end(&mut head).ok()?;
        match self.modulo {
            None => format::known_count(&head),
            Some(modulus) => format::known_remainder(&head, modulus).map(u128::from),
        }
    }

    /// Each engine, and the search over masks with each kernel, as far as they can count the problem here.
    fn methods(&self) -> Vec<Box<dyn Counting>> {
        let Ok(input) = read(&self.file()) else { return Vec::new() };
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
        let engine = value(identity, "engine")?;
        Some(Box::new(Self { engine: Some(engine.to_owned()), ..self.clone() }))
    }

    fn unreadable(&self, identity: &str) -> Option<String> {
        if self.modulo.is_some() {
            return None;
        }
        let own_fingerprint = match read(&self.file()) {
            Ok(input) => fingerprint(input.cover()),
            Err(error) => return Some(format!("{error:#}")),
        };
        let is_other = value(identity, "fingerprint") != Some(&own_fingerprint);
        let name = io::name(&self.file);
        is_other.then(|| format!("{name}: found another problem than that of the plan"))
    }
}
