//! `tallyboard cover list`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use tallyboard_base::figures::grouped;
use tallyboard_classroom::draw::{MAX_COVERS, covers};
use tallyboard_cover::format::Input;
use tallyboard_cover::{Board, Solutions};
use tallyboard_search::Error;

use super::arguments::{FileArgs, read};
use crate::terminal::{
    Args, ExitStatus, Output, PictureArgs, UsageError, ensure_apart, info, pictures,
};

#[derive(Debug, clap::Args)]
pub struct ListArgs {
    #[command(flatten)]
    pub file: FileArgs,

    /// List no more than this many
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,

    /// Print a JSON document a line: the options of a cover. With --svg or --png covers are printed only with
    /// this or --output
    #[arg(long)]
    pub json: bool,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// Upper bound on the cells of a board that is drawn.
const MAX_CELLS: usize = 10_000;

/// Prints covers: a drawn puzzle as its board, other problems as the options of each. Draws them if pictures are asked for.
pub fn run(flags: &ListArgs, args: &Args) -> Result<ExitStatus> {
    let outputs = flags.output.as_deref().into_iter().chain(flags.pictures.paths());
    ensure_apart([&*flags.file.file], outputs)?;
    let input = read(&flags.file)?;
    for warning in input.warnings() {
        info(args, warning);
    }
    if flags.pictures.wanted() {
        draw(flags, &input, args)?;
        if flags.output.is_none() && !flags.json {
            return Ok(ExitStatus::Done);
        }
    }
    let mut output = Output::create(flags.output.as_deref())?;
    for (number, solution) in solutions(flags, &input).enumerate() {
        let solution = solution?;
        if number > 0 && !flags.json {
            writeln!(output)?;
        }
        write_cover(&input, &solution, flags.json, &mut output)?;
    }
    output.finish()?;
    Ok(ExitStatus::Done)
}

/// The covers that are asked for. One that is none is an error.
fn solutions(flags: &ListArgs, input: &Input) -> impl Iterator<Item = Result<Vec<u32>, Error>> {
    let limit = flags.limit.unwrap_or(u64::MAX);
    let found = Solutions::new(input.cover()).take(usize::try_from(limit).unwrap_or(usize::MAX));
    found.map(|chosen| {
        let is_right = input.cover().is_solved_by(&chosen);
        Error::ensure_right(is_right, || format!("the options {chosen:?}")).map(|()| chosen)
    })
}

fn write_cover(
    input: &Input,
    solution: &[u32],
    is_json: bool,
    output: &mut impl Write,
) -> Result<()> {
    let options = solution.iter().map(|&option| input.option_text(option));
    if is_json {
        let options: Vec<String> = options.collect();
        writeln!(output, "{}", serde_json::to_string(&options)?)?;
        return Ok(());
    }
    match input {
        Input::Puzzle(puzzle) => output.write_all(puzzle.draw(solution).as_bytes())?,
        Input::Cover(_) => {
            for option in options {
                writeln!(output, "{option}")?;
            }
        }
    }
    Ok(())
}

/// Saves a picture of the covers, the first [`MAX_COVERS`] if there are more.
fn draw(flags: &ListArgs, input: &Input, args: &Args) -> Result<()> {
    let Some(board) = Board::of(input) else {
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
    let found = solutions(flags, input).take(MAX_COVERS + 1);
    let mut drawn = found.collect::<Result<Vec<Vec<u32>>, _>>()?;
    let is_cut = drawn.len() > MAX_COVERS;
    drawn.truncate(MAX_COVERS);
    if is_cut {
        let message = "there are more covers than a page holds: it has the first";
        info(args, format_args!("{message} {MAX_COVERS}"));
    }
    // To find out whether there are more than --limit may take long, so the page says that there may be.
    let is_limited = flags.limit == Some(drawn.len() as u64);
    pictures::save(&covers(&board, input, &drawn, is_cut || is_limited), &flags.pictures)
}
