//! `tallyboard variant …`: sudokus by rules from a file.
//!
//! They have commands of their own, beside `sudoku`, because a file of rules is one puzzle, or one set of rules for many,
//! while the commands of `sudoku` read files of millions in a dozen formats, with flags that no variant has.

mod generate;
mod solve;

use anyhow::Result;
use tallyboard_base::figures::counted;
use tallyboard_variants::Solver;

use crate::games::variant;
use crate::games::{FileArgs, Variant};
use crate::terminal::{Args, ExitStatus, Interrupt, info, print_line};
use crate::verbs::VERBS;
use crate::verbs::tree::{Level, commands};

/// The commands of variants.
pub static COMMANDS: Level = Level {
    game: Some(&Variant),
    first: &commands! {
        "solve" solve::SolveArgs: "Solve the puzzle of a file, or every line of another file by its rules" => |flags, call| solve::run(flags, call.args);
        "candidates" CandidatesArgs: "Print the values that each cell has in some solution" => |flags, call| run_candidates(flags, call.args);
        "generate" generate::GenerateArgs: "Make random puzzles with one solution by the rules of a file" => |flags, call| generate::run(flags, call.args);
    },
    verbs: &VERBS,
    last: &[],
};

#[derive(Debug, clap::Args)]
struct CandidatesArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Print a JSON document: a list of values for each cell, row by row
    #[arg(long)]
    json: bool,
}

/// Prints the values that each cell has in some solution.
fn run_candidates(flags: &CandidatesArgs, args: &Args) -> Result<ExitStatus> {
    let puzzle = variant::read_one(&flags.file)?;
    let interrupt = Interrupt::listen();
    let found = Solver::new(puzzle.rules()).true_candidates(&puzzle, interrupt.stop());
    let Ok(candidates) = found else {
        return Ok(interrupt.report_interruption("; nothing is saved"));
    };
    if flags.json {
        let size = candidates.size();
        let values_of = |index| candidates.of(size.cell(index));
        let cells: Vec<Vec<u8>> = (0..size.cells()).map(values_of).collect();
        let rows: Vec<&[Vec<u8>]> = cells.chunks(size.side()).collect();
        print_line(serde_json::to_string(&rows)?)?;
    } else {
        print_line(candidates.to_string().trim_end())?;
    }
    info(args, counted(candidates.total(), "candidate"));
    Ok(ExitStatus::Done)
}
