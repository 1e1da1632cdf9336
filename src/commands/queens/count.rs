//! `tallyboard queens count`

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_queens::Classes;

use super::arguments::{BoardArgs, EngineArgs, Given, fundamental};
use crate::counting::{Fact, count};
use crate::terminal::{Args, ExitStatus, UsageError, print_line};

#[derive(Debug, clap::Args)]
pub struct CountArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Show how the textbook search prunes: nodes, attacked squares and dead ends of every rank,
    /// up to n = 14
    #[arg(short, long, conflicts_with_all = ["json", "quiet", "place", "block", "subtree"])]
    pub verbose: bool,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Count solutions up to rotation and reflection too; up to n = 14 they are counted anyway
    #[arg(long, conflicts_with = "subtree")]
    pub fundamental: bool,

    /// Count the classes of solutions by their symmetry too
    #[arg(long, conflicts_with = "subtree")]
    pub symmetry_classes: bool,

    #[command(flatten)]
    pub counting: count::CountFlags,
}

/// Up to this n the number of classes is printed without a flag: finding the symmetric solutions causes no delay.
const MAX_N_CLASSES_UNASKED: u32 = 14;

/// Counts each board, checks the result against the known count and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let boards = flags.board.all(args)?;
    let is_of_one = flags.counting.journaling.journal.is_some() || flags.counting.subtree.is_some();
    if boards.len() > 1 && is_of_one {
        let found = counted(boards.len(), "board");
        let what = "--journal and --subtree are of one board";
        bail!(UsageError(format!("{what}, found {found} in the file: --board N takes one")));
    }
    for (number, given) in (1..).zip(&boards) {
        if boards.len() > 1 && !args.quiet && !flags.counting.json {
            print_line(format_args!("board {number}:"))?;
        }
        let ending = count_one(given, flags, args)?;
        if ending != ExitStatus::Done {
            return Ok(ending);
        }
    }
    Ok(ExitStatus::Done)
}

fn count_one(given: &Given, flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let CountArgs { engine, counting, .. } = flags;
    let n = given.n;
    for (option, is_given) in [
        ("--fundamental", flags.fundamental),
        ("--symmetry-classes", flags.symmetry_classes),
        ("--verbose", flags.verbose && given.surface.is_some()),
    ] {
        if is_given {
            given.ensure_plain(option)?;
        }
    }
    let job = engine.job(given);
    let is_plain = given.is_plain();
    let are_classes_wanted = flags.fundamental
        || flags.symmetry_classes
        || is_plain && !counting.json && (flags.verbose || n <= MAX_N_CLASSES_UNASKED);
    let ending = count::run(&job, engine.memory, counting, args, &|solutions, stop| {
        let classes = if are_classes_wanted { job.classes(solutions, stop)? } else { None };
        classes.map_or(Ok((Vec::new(), None)), |classes| class_facts(&classes, flags))
    })?;
    if flags.verbose && is_plain && ending == ExitStatus::Done {
        super::trace::print_profile(n)?;
    }
    Ok(ending)
}

/// The facts about classes that the flags ask for, and what `--quiet` prints in place of the count.
fn class_facts(classes: &Classes, flags: &CountArgs) -> Result<(Vec<Fact>, Option<String>)> {
    let mut facts = vec![fundamental(classes, "").map_err(anyhow::Error::msg)?];
    let mut quiet_text = flags.fundamental.then(|| classes.total().to_string());
    if flags.symmetry_classes {
        let text = class_sizes_text(classes);
        let value = serde_json::to_value(class_sizes(classes))?;
        facts.push(Fact { key: "symmetry_classes", value, text: text.clone() });
        quiet_text = Some(text);
    }
    Ok((facts, quiet_text))
}

/// The number of classes of each size, by its key in JSON.
fn class_sizes(classes: &Classes) -> BTreeMap<&'static str, u128> {
    let Classes { of_eight, of_four, of_two, of_one } = *classes;
    BTreeMap::from([("of_8", of_eight), ("of_4", of_four), ("of_2", of_two), ("of_1", of_one)])
}

/// The number of classes of each size, as text.
fn class_sizes_text(classes: &Classes) -> String {
    let Classes { of_eight, of_four, of_two, of_one } = *classes;
    let mut lines = vec![
        format!("{:>20} classes of 8: no symmetry", grouped(of_eight)),
        format!("{:>20} classes of 4: unchanged by a half turn", grouped(of_four)),
        format!("{:>20} classes of 2: unchanged by a quarter turn", grouped(of_two)),
    ];
    if of_one > 0 {
        lines.push(format!("{:>20} class of 1: the single square", grouped(of_one)));
    }
    lines.join("\n")
}
