//! `tallyboard queens count`

use std::collections::BTreeMap;

use anyhow::Result;
use base::figures::grouped;
use queens::Classes;

use super::board::BoardArgs;
use super::job::{EngineArgs, fundamental};
use crate::commands::queens::board::ensure_plain;
use crate::counting::count;
use crate::counting::problem::Fact;
use crate::terminal::args::Args;
use crate::terminal::exit_status::ExitStatus;

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

/// Counts, checks the result against the known counts and prints it.
pub fn run(flags: &CountArgs, args: &Args) -> Result<ExitStatus> {
    let n = flags.board.n;
    let squares = &flags.board.squares;
    if flags.fundamental {
        ensure_plain(squares, "--fundamental")?;
    }
    if flags.symmetry_classes {
        ensure_plain(squares, "--symmetry-classes")?;
    }
    let job = flags.engine.job(n, squares);
    let asked = flags.fundamental || flags.symmetry_classes;
    let plain = squares.is_plain();
    let unasked = plain && !flags.counting.json && (flags.verbose || n <= MAX_N_CLASSES_UNASKED);
    let ending =
        count::run(&job, flags.engine.memory, &flags.counting, args, &|solutions, stop| {
            let wanted = asked || unasked;
            let classes = if wanted { job.classes(solutions, stop)? } else { None };
            let Some(classes) = classes else { return Ok((Vec::new(), None)) };
            let mut facts = vec![fundamental(&classes, "").map_err(anyhow::Error::msg)?];
            let mut alone = flags.fundamental.then(|| classes.total().to_string());
            if flags.symmetry_classes {
                let key = "symmetry_classes";
                let text = sizes(&classes);
                alone = Some(text.clone());
                facts.push(Fact { key, value: serde_json::to_value(by_size(&classes))?, text });
            }
            Ok((facts, alone))
        })?;
    if flags.verbose && plain && ending == ExitStatus::Done {
        super::trace::print_profile(n)?;
    }
    Ok(ending)
}

/// The number of classes of each size, by the names that reports give them.
fn by_size(classes: &Classes) -> BTreeMap<&'static str, u128> {
    let Classes { of_eight, of_four, of_two, of_one } = *classes;
    BTreeMap::from([("of_8", of_eight), ("of_4", of_four), ("of_2", of_two), ("of_1", of_one)])
}

/// The number of classes of each size, as text.
fn sizes(classes: &Classes) -> String {
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
