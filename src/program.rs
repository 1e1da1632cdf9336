//! A whole program around a counting problem: `main` adds journals, samples, shards and scaling reports.
//!
//! A type that holds the arguments implements [`Counting`], which turns them into a
//! [`Problem`](tallyboard_search::Problem). [`main`] does the rest:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use serde::{Deserialize, Serialize};
//! use tallyboard::program::{Counting, Error, Resources, Run};
//! use tallyboard::search::{Problem, Stop, Stopped, Tally};
//!
//! /// Count words of 0 and 1 without two 1s side by side
//! #[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
//! struct Words {
//!     /// Digits of a word, from 5 to 60
//!     digits: u32,
//! }
//!
//! impl Counting for Words {
//!     fn run(&self, _: &Resources) -> Result<Run, Error> {
//!         match self.digits {
//!             digits @ 5..=60 => Ok(Beginnings { digits }.into()),
//!             other => Err(format!("found {other} digits, expected 5 to 60").into()),
//!         }
//!     }
//! }
//!
//! /// A subtree for each beginning of four digits.
//! struct Beginnings {
//!     digits: u32,
//! }
//!
//! impl Problem for Beginnings {
//!     fn identity(&self) -> String {
//!         format!("words digits={} algorithm=1 layout=1", self.digits)
//!     }
//!
//!     fn subtrees(&self) -> usize {
//!         16
//!     }
//!
//!     fn count(&self, beginning: usize, stop: &Stop) -> Result<Tally, Stopped> {
//!         let mut found = 0u64;
//!         for ending in 0..1u64 << (self.digits - 4) {
//!             if ending % 1_000_000 == 0 {
//!                 stop.check()?;
//!             }
//!             let word = (beginning as u64) << (self.digits - 4) | ending;
//!             found += u64::from(word & word >> 1 == 0);
//!         }
//!         Ok(Tally::new(found))
//!     }
//! }
//!
//! fn main() -> ExitCode {
//!     tallyboard::program::main::<Words>("words", "30")
//! }
//! ```
//!
//! `tallyboard` itself counts, samples, verifies, plans and measures its queens by these functions too.

use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tallyboard_scale::report::THREADS;

use crate::cluster::plan::{OfProgram, PlanArgs};
use crate::cluster::{self, Command as ClusterCommand};
use crate::counting::{CountFlags, SampleFlags, ShowArgs, count, estimate, show, verify};
pub use crate::counting::{Counting, Error, Fact, Resources, Run, ToJson};
use crate::scaling::measurement::MeasureArgs;
use crate::scaling::reports::CompareArgs;
use crate::scaling::{self, reports};
use crate::terminal::process::{
    ABOUT_COMPLETIONS, ABOUT_MAN, CompletionsArgs, ManArgs, begin, prepare, with_examples,
};
use crate::terminal::{Args, ExitStatus, bytes};

/// Arguments that a command line reads and a plan holds.
pub trait Typed: Counting + clap::Args + DeserializeOwned + Serialize + Clone + 'static {}

impl<T: Counting + clap::Args + DeserializeOwned + Serialize + Clone + 'static> Typed for T {}

/// The program that counts what arguments `T` describe, with its `name` (lower-case letters, digits and `-`) and arguments
/// for the `example`s in its help, as in `12`: call it from `main`, and do nothing else there.
///
/// It has the commands `count`, `estimate`, `verify`, `show`, `scale`, `compare`, `cluster`, `completions` and `man`.
pub fn main<T: Typed>(name: &'static str, example: &'static str) -> ExitCode {
    begin(name, move || Program::<T>::read(name, example)?.run(name, example))
}

/// The command line.
#[derive(Debug, Parser)]
#[command(max_term_width = 100, propagate_version = true)]
#[command(version = concat!("(tallyboard ", env!("CARGO_PKG_VERSION"), ")"))]
struct Program<T: Typed> {
    #[command(flatten)]
    args: Args,

    #[command(subcommand)]
    command: Command<T>,
}

/// A problem, and the memory to count it in.
#[derive(Debug, clap::Args)]
#[group(skip)]
struct JobArgs<T: Typed> {
    #[command(flatten)]
    job: T,

    /// Refuse to count if the workers may need more memory than this, such as 500M or 8G; by default what the
    /// machine, its control group and its limits leave. A problem that states no need of memory is never
    /// refused
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum Command<T: Typed> {
    /// Count all solutions
    Count {
        #[command(flatten)]
        job: JobArgs<T>,
        #[command(flatten)]
        flags: CountFlags,
    },
    /// Estimate the count and its time from randomly drawn subtrees, which are counted exactly
    Estimate {
        #[command(flatten)]
        job: JobArgs<T>,
        #[command(flatten)]
        flags: SampleFlags,
    },
    /// Count by every method and compare the counts
    Verify {
        #[command(flatten)]
        job: T,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show the progress of a count from its journal
    Show(ShowArgs),
    /// Measure how this machine scales: count with 1, 2, 4 … threads
    Scale {
        #[command(flatten)]
        job: T,
        #[command(flatten)]
        flags: MeasureArgs,
    },
    /// Compare measurements, and say which differences are beyond chance
    Compare(CompareArgs),
    /// Deal a long count to many machines, and merge their results
    #[command(subcommand)]
    Cluster(ClusterCommand<JobPlanArgs<T>>),
    #[command(about = ABOUT_COMPLETIONS)]
    Completions(CompletionsArgs),
    #[command(about = ABOUT_MAN)]
    Man(ManArgs),
}

/// A problem, and how to split it into shards.
#[derive(Debug, clap::Args)]
#[group(skip)]
struct JobPlanArgs<T: Typed> {
    #[command(flatten)]
    job: T,
    #[command(flatten)]
    planning: PlanArgs,
}

/// A message if two arguments of `command`, or of a command below it, have the same name. clap itself checks that
/// in debug builds only. `inherited` are the arguments of the commands above that `command` accepts too.
fn name_clash(command: &clap::Command, inherited: &[Arg]) -> Option<String> {
    let own = command.get_arguments().filter(|arg| !arg.is_global_set());
    let args: Vec<&Arg> = inherited.iter().chain(own).collect();
    for (at, arg) in args.iter().enumerate() {
        if args[..at].iter().any(|earlier| have_same_name(earlier, arg)) {
            return Some(format!(
                "the argument '{}' of '{}' has the name of another argument of that command: rename the problem's field, \
                 long option or short option",
                arg.get_id(),
                command.get_name()
            ));
        }
    }
    let global = command.get_arguments().filter(|arg| arg.is_global_set());
    let inherited: Vec<Arg> = inherited.iter().chain(global).cloned().collect();
    command.get_subcommands().find_map(|sub| name_clash(sub, &inherited))
}

/// Whether the command line cannot tell two arguments from each other.
fn have_same_name(a: &Arg, b: &Arg) -> bool {
    a.get_id() == b.get_id()
        || a.get_long().is_some_and(|name| b.get_long() == Some(name))
        || a.get_short().is_some_and(|name| b.get_short() == Some(name))
}

/// The examples at the end of the help. The program replaces `NAME` by its name and `ARGUMENTS` by the example that
/// [`main`] is given.
const EXAMPLES: &str = include_str!("program_examples.txt");

impl<T: Typed> Program<T> {
    /// Reads the command line.
    fn read(name: &'static str, example: &str) -> Result<Self, clap::Error> {
        let mut command = Self::clap_command(name, example);
        if let Some(clash) = name_clash(&command, &[]) {
            return Err(command.error(ErrorKind::ArgumentConflict, clash));
        }
        Self::from_arg_matches(&command.try_get_matches()?)
    }

    /// The command line as clap's type, with examples on all help pages.
    fn clap_command(name: &'static str, example: &str) -> clap::Command {
        let examples = EXAMPLES.replace("NAME", name).replace("ARGUMENTS", example);
        // clap makes the description of the doc comment of `T`.
        let about = T::augment_args(clap::Command::new(name)).get_about().cloned();
        let command = Self::command().name(name).bin_name(name);
        let command = command.about(about.unwrap_or_default());
        with_examples(command, &[], &examples)
    }

    /// Runs the command.
    fn run(&self, name: &'static str, example: &str) -> Result<ExitStatus> {
        let Self { args, command } = self;
        prepare(args)?;
        match command {
            Command::Count { job: JobArgs { job, memory }, flags } => {
                count::run(job, *memory, flags, args, &|solutions, stop| {
                    Ok(((job as &dyn Counting).facts(solutions, stop)?.0, None))
                })
            }
            Command::Estimate { job: JobArgs { job, memory }, flags } => {
                estimate::run(job, *memory, flags, args)
            }
            Command::Verify { job, json } => verify::run(job, *json, args),
            Command::Show(flags) => show::run(flags),
            Command::Scale { job, flags } => {
                let definition = T::augment_args(clap::Command::new(name));
                let arguments = typed_arguments(&definition, &job.to_json()?);
                let command = format!("{name} count {arguments} -j {THREADS}");
                let problem = format!("{name} {arguments}");
                scaling::count::run(job, None, &problem, command, flags, args)
            }
            Command::Compare(flags) => reports::compare(flags, args),
            Command::Cluster(ClusterCommand::Plan(JobPlanArgs { job, planning })) => {
                cluster::plan::plan::<OfProgram<T>>(job, planning, args)
            }
            Command::Cluster(ClusterCommand::WithPlan(command)) => {
                cluster::run_planned(command, cluster::plan::read::<OfProgram<T>>, args)
            }
            Command::Completions(flags) => flags.run(Self::clap_command(name, example)),
            Command::Man(flags) => flags.run(Self::clap_command(name, example)),
        }
    }
}

/// The arguments of a problem as a person would type them: those of `command`, with their `values` from JSON.
fn typed_arguments(command: &clap::Command, values: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let mut words = Vec::new();
    for argument in command.get_arguments() {
        let value = match values.get(argument.get_id().as_str()) {
            None | Some(Value::Null | Value::Bool(false)) => continue,
            Some(Value::Array(list)) if list.is_empty() => continue,
            // A flag is its name alone.
            Some(Value::Bool(true)) => None,
            Some(Value::Array(list)) => Some(list.iter().map(text).collect::<Vec<_>>().join(",")),
            Some(value) => Some(text(value)),
        };
        words.extend(argument.get_long().map(|long| format!("--{long}")));
        words.extend(value);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    fn clash_with(own: Arg) -> Option<String> {
        let threads = Arg::new("threads").long("threads").short('j').global(true);
        let plan = Command::new("plan").arg(own).arg(Arg::new("shards").long("shards"));
        name_clash(
            &Command::new("walks")
                .arg(threads)
                .subcommand(Command::new("cluster").subcommand(plan)),
            &[],
        )
    }

    #[test]
    fn arguments_of_problems_have_names_of_their_own() {
        assert_eq!(clash_with(Arg::new("steps").long("steps").short('s')), None);
        for taken in [
            Arg::new("threads"),
            Arg::new("shards"),
            Arg::new("steps").long("shards"),
            Arg::new("steps").short('j'),
        ] {
            let found = clash_with(taken.clone()).unwrap_or_default();
            assert!(found.contains("of 'plan' has the name of another"), "{taken:?}: {found}");
        }
    }

    #[test]
    fn one_blank_separates_typed_arguments_also_after_a_flag() {
        let option = |name: &'static str| Arg::new(name).long(name);
        let command = Command::new("walks")
            .arg(Arg::new("steps"))
            .args(["closed", "start", "name", "open", "last"].map(option));
        let values = serde_json::json!({
            "steps": 12, "closed": true, "start": [1, 2], "name": null, "open": false, "last": true,
        });
        assert_eq!(typed_arguments(&command, &values), "12 --closed --start 1,2 --last");
    }
}
