//! `tallyboard sudoku …`

mod count;
pub mod generate;
pub mod input;
mod solve;
mod trace;
mod tree;

use anyhow::Result;

use crate::games::Sudokus;
use crate::terminal::{ExitStatus, Interrupt};
use crate::verbs::VERBS;
use crate::verbs::tree::{Level, commands};

/// The commands of sudokus.
pub static COMMANDS: Level = Level {
    game: Some(&Sudokus),
    first: &commands! {
        "solve" solve::SolveArgs: "Solve every puzzle of a file: `puzzle:count:solution`, in input order" =>
            |flags, call| until_signal(|signal| solve::solve(flags, call.args, signal));
        "count" count::CountArgs: "Count the solutions of every puzzle of a file: `puzzle:count`; of a single puzzle on all cores, with a journal" => |flags, call| count::run(flags, call.args);
        "estimate" count::EstimateArgs: "Estimate the number of solutions of one puzzle, by random descents or by subtrees drawn and counted exactly" => |flags, call| count::estimate(flags, call.args);
        "generate" generate::GenerateArgs: "Make random puzzles that have exactly one solution, one a line" => |flags, call| generate::run(flags, call.args);
        "canon" solve::CanonArgs: "Write every puzzle's canonical form: the least of its images by the 3,359,232 symmetries and all relabellings" =>
            |flags, call| until_signal(|signal| solve::canon(flags, call.args, signal));
        "shuffle" solve::ShuffleArgs: "Write random images of every record, by symmetries and relabellings" =>
            |flags, call| until_signal(|signal| solve::shuffle(flags, call.args, signal));
        "tree" tree::TreeArgs: "Draw the search tree over the first empty cells of one puzzle" => |flags, call| tree::run(flags, call.args);
        "trace" trace::TraceArgs: "Step through the backtracking of one puzzle" => |flags, call| trace::run(flags, call.args);
    },
    verbs: &VERBS,
    last: &[],
};

/// Runs a command that has nothing to save when a signal ends it.
fn until_signal(run: impl FnOnce(&Interrupt) -> Result<ExitStatus>) -> Result<ExitStatus> {
    let interrupt = Interrupt::listen_with_nothing_to_save();
    interrupt.ending(run(&interrupt))
}
