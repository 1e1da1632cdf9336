//! `tallyboard cover count`

use std::cell::Cell;
use std::path::Path;

use anyhow::{Result, anyhow};
use base::figures::grouped;
use cover::format::Input;
use cover::{Count, Cover, Group};
use search::{CountRun, Stop};

use super::job::{CoverFile, EngineArgs, FileArgs, TOO_MANY, read, read_symmetric};
use crate::counting::count::{self, CountFlags};
use crate::counting::problem::Fact;
use crate::terminal::args::Args;
use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::print::info;

#[derive(Debug, clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Count covers up to symmetry too: that of a drawn board, or that of lines such as `| symmetry: (a b)` in
    /// Knuth's format
    #[arg(long, conflicts_with = "subtree")]
    pub fundamental: bool,

    /// Count the remainder by M, for problems with more than 2^128 - 1 covers
    #[arg(long, value_name = "M", conflicts_with = "fundamental", value_parser = clap::value_parser!(u64).range(2..=u64::MAX))]
    pub modulo: Option<u64>,

    #[command(flatten)]
    pub counting: CountFlags,
}

/// Counts, checks the result against the count in the file's head and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let job = CoverFile { modulo: flags.modulo, ..flags.engine.job(&flags.file)? };
    let symmetric = if flags.fundamental { Some(symmetric(&flags.file.file)?) } else { None };
    let is_none = Cell::new(false);
    let counted = count::run(&job, flags.engine.memory, &flags.counting, args, &|covers, stop| {
        is_none.set(covers == 0 && flags.modulo.is_none());
        let Some(symmetric) = &symmetric else { return Ok((Vec::new(), None)) };
        let Some(classes) = up_to_symmetry(symmetric, covers, args.threads, stop)? else {
            return Ok((Vec::new(), None));
        };
        let text = format!("{} up to {}", grouped(classes), symmetric.name);
        let value = serde_json::to_value(classes)?;
        let fact = Fact { key: "fundamental", value, text };
        Ok((vec![fact], Some(classes.to_string())))
    });
    if is_none.get() && counted.is_ok() {
        tell_why_none(&flags.file.file, args);
    }
    counted.map_err(|error| match error.chain().any(is_overflow) {
        true => UsageError(TOO_MANY.to_owned()).into(),
        false => error,
    })
}

/// Says why there is no cover, if the file alone shows it. Standard input can be read only once.
fn tell_why_none(file: &Path, args: &Args) {
    if args.quiet || file == Path::new("-") {
        return;
    }
    for remark in read(file).iter().flat_map(Input::remarks) {
        info(args, remark);
    }
}

fn is_overflow(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<search::Overflow>()
        || matches!(error.downcast_ref(), Some(search::Error::Overflow(_)))
}

/// A problem with its symmetries.
struct Symmetric {
    cover: Cover,
    group: Group,
    /// What the symmetries are called.
    name: &'static str,
}

/// The problem, and the symmetries that it has or names.
fn symmetric(path: &Path) -> Result<Symmetric> {
    if path == Path::new("-") {
        let message = "--fundamental reads the file twice: expected a file, not standard input";
        return Err(UsageError(message.to_owned()).into());
    }
    let (input, group) = read_symmetric(path)?;
    match group {
        Some(group) => {
            let name = match &input {
                Input::Puzzle(_) => "the board's symmetry",
                Input::Cover(_) => "the symmetries that the file names",
            };
            Ok(Symmetric { cover: input.cover().clone(), group, name })
        }
        None => {
            let message = "--fundamental needs symmetries: a drawn puzzle, or options with lines such as \
                           | symmetry: (a b c)(d e)";
            Err(UsageError(message.to_owned()).into())
        }
    }
}

/// The number of covers up to symmetry; `None` once `stop` is raised.
fn up_to_symmetry(
    symmetric: &Symmetric,
    covers: u128,
    threads: usize,
    stop: &Stop,
) -> Result<Option<u128>> {
    let Symmetric { cover, group, .. } = symmetric;
    // The first symmetry leaves each cover as it is.
    let mut unchanged = vec![covers];
    for symmetry in group.classes().skip(1) {
        let mut sum = 0_u128;
        for quotient in symmetry.quotients(cover)? {
            let count = Count::new(&quotient)?;
            match CountRun::new(&count).threads(threads).stop(stop).run() {
                Ok(found) => sum = sum.checked_add(found).ok_or(search::Overflow)?,
                Err(search::Error::Stopped { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        unchanged.push(sum);
    }
    let classes = group.up_to_symmetry(&unchanged);
    classes.map(Some).ok_or_else(|| anyhow!("WRONG COUNT: it is no sum over the symmetries"))
}
