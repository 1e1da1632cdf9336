//! `tallyboard cover count`

use std::cell::Cell;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use tallyboard_base::figures::grouped;
use tallyboard_cover::format::Input;
use tallyboard_cover::{Count, Cover, Group};
use tallyboard_search::{CountRun, Stop};

use crate::counting::{CountFlags, Fact, count};
use crate::games::cover::{CoverFile, TOO_MANY, read, read_symmetric};
use crate::games::{FileArgs, Method, MethodArgs};
use crate::terminal::{Args, ExitStatus, UsageError, info, io};

#[derive(Debug, clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub file: FileArgs,

    #[command(flatten)]
    pub method: MethodArgs,

    /// Count covers up to symmetry too: that of a drawn board, or that of lines such as `| symmetry: (a b)` in
    /// Knuth's format
    #[arg(long, conflicts_with_all = ["subtree", "modulo"])]
    pub fundamental: bool,

    /// Count the remainder by M, for problems with more than 2^128 - 1 covers
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u64).range(2..=u64::MAX))]
    pub modulo: Option<u64>,

    #[command(flatten)]
    pub counting: CountFlags,
}

/// Counts, checks the result against the count in the file's head and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let file = &flags.file;
    let modulo = flags.modulo;
    let job = CoverFile::new(file, Method { modulo, ..flags.method.method() })?;
    let symmetric = if flags.fundamental { Some(SymmetricCover::read(file)?) } else { None };
    let has_no_cover = Cell::new(false);
    let ending = count::run(&job, flags.method.memory, &flags.counting, args, &|covers, stop| {
        has_no_cover.set(covers == 0 && modulo.is_none());
        let Some(symmetric) = &symmetric else { return Ok((Vec::new(), None)) };
        let Some(classes) = symmetric.classes(covers, args.threads, stop)? else {
            return Ok((Vec::new(), None));
        };
        let text = format!("{} up to {}", grouped(classes), symmetric.symmetries);
        let value = serde_json::to_value(classes)?;
        let fact = Fact { key: "fundamental", value, text };
        Ok((vec![fact], Some(classes.to_string())))
    });
    if has_no_cover.get() && ending.is_ok() {
        print_why_none(file, args);
    }
    ending.map_err(|error| {
        if error.chain().any(is_overflow) { UsageError::of(TOO_MANY).into() } else { error }
    })
}

/// Says why there is no cover, if the file alone shows it. Standard input can be read only once.
fn print_why_none(file: &FileArgs, args: &Args) {
    if args.quiet || file.file == Path::new("-") {
        return;
    }
    for remark in read(file).iter().flat_map(Input::remarks) {
        info(args, remark);
    }
}

fn is_overflow(error: &(dyn std::error::Error + 'static)) -> bool {
    error.is::<tallyboard_search::Overflow>()
        || matches!(error.downcast_ref(), Some(tallyboard_search::Error::Overflow(_)))
}

/// A problem with its symmetries.
struct SymmetricCover {
    cover: Cover,
    group: Group,
    /// What the symmetries are called.
    symmetries: &'static str,
}

impl SymmetricCover {
    /// The problem in a file, and the symmetries that it has or names.
    fn read(file: &FileArgs) -> Result<Self> {
        // The covers are counted from the file itself.
        io::keep_stream(&file.file)?;
        let (input, group) = read_symmetric(file)?;
        let Some(group) = group else {
            let message = "--fundamental needs symmetries: a drawn puzzle, or options with lines such as \
                           | symmetry: (a b c)(d e)";
            bail!(UsageError::of(message));
        };
        let symmetries = match &input {
            Input::Puzzle(_) => "the board's symmetry",
            Input::Cover(_) => "the symmetries that the file names",
        };
        Ok(Self { cover: input.cover().clone(), group, symmetries })
    }

    /// The number of covers up to symmetry, of `covers` in all; `None` once `stop` is raised. By Burnside's lemma it is
    /// the mean number of covers that a symmetry leaves as they are.
    fn classes(&self, covers: u128, threads: usize, stop: &Stop) -> Result<Option<u128>> {
        // The first symmetry leaves each cover as it is.
        let mut unchanged = vec![covers];
        for symmetry in self.group.classes().skip(1) {
            let mut sum = 0_u128;
            for quotient in symmetry.quotients(&self.cover)? {
                let count = Count::new(&quotient)?;
                match CountRun::new(&count).threads(threads).stop(stop).run() {
                    Ok(found) => sum = sum.checked_add(found).ok_or(tallyboard_search::Overflow)?,
                    Err(tallyboard_search::Error::Stopped { .. }) => return Ok(None),
                    Err(error) => return Err(error.into()),
                }
            }
            unchanged.push(sum);
        }
        let classes = self.group.up_to_symmetry(&unchanged);
        classes.map(Some).ok_or_else(|| anyhow!("WRONG COUNT: it is no sum over the symmetries"))
    }
}
