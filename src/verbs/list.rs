//! `list`: the solutions of a puzzle, in an order that depends on the puzzle alone.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;

use super::{Source, Verb};
use crate::games::{FileArgs, Puzzle, Solution, ensure_solution};
use crate::terminal::{
    Args, ExitStatus, Interrupt, Output, PictureArgs, ensure_apart, info, pictures,
};

#[derive(Debug, clap::Args)]
pub struct List {
    #[command(flatten)]
    file: FileArgs,

    /// List no more than this many
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Print a JSON document a line: the rows of a grid, the pairs of row and column (from 0) of stars, the options of a cover.
    /// With --svg or --png solutions are printed only with this or --output
    #[arg(long)]
    json: bool,

    /// Write here instead of to standard output; a name in .gz is compressed
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    #[command(flatten)]
    pictures: PictureArgs,
}

impl Verb for List {
    const NAME: &'static str = "list";
    const ABOUT: &'static str = "List all solutions, always in the same order";
    const EXAMPLE: &'static str =
        "tallyboard list puzzle.txt --limit 3                   # solutions, of any game\n";

    fn file(&self) -> &FileArgs {
        &self.file
    }

    fn run(&self, source: Source, args: &Args) -> Result<ExitStatus> {
        let outputs = self.output.as_deref().into_iter().chain(self.pictures.paths());
        ensure_apart([&*self.file.file], outputs)?;
        let puzzle = source.read(args)?;
        puzzle.warnings().iter().for_each(|warning| info(args, warning));
        if self.pictures.wanted() {
            self.draw(&*puzzle, args)?;
            if self.output.is_none() && !self.json {
                return Ok(ExitStatus::Done);
            }
        }
        let interrupt = Interrupt::listen_with_nothing_to_save();
        let mut output = Output::create(self.output.as_deref())?;
        let mut listed = 0_u64;
        for solution in self.solutions(&*puzzle)? {
            let solution = solution?;
            if interrupt.stop().requested() {
                return output.interrupted_in(&interrupt, "the list");
            }
            if listed > 0 && puzzle.has_long_rows() && !self.json {
                writeln!(output)?;
            }
            let text = if self.json { puzzle.json(&solution) } else { puzzle.row(&solution) };
            writeln!(output, "{text}")?;
            listed += 1;
        }
        output.finish()?;
        if listed == 0 && self.limit != Some(0) {
            info(args, format_args!("no {}", puzzle.game().noun()));
        }
        Ok(ExitStatus::Done)
    }
}

impl List {
    /// The solutions that are asked for. One that is none is an error.
    fn solutions<'a>(
        &self,
        puzzle: &'a dyn Puzzle,
    ) -> Result<impl Iterator<Item = Result<Solution>> + use<'a>> {
        let limit = usize::try_from(self.limit.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        Ok(puzzle.solutions()?.take(limit).map(move |solution| {
            ensure_solution(puzzle, &solution)?;
            Ok(solution)
        }))
    }

    /// Saves a picture of the solutions, of the first ones if there are more than a page holds.
    fn draw(&self, puzzle: &dyn Puzzle, args: &Args) -> Result<()> {
        let most = puzzle.most_drawn();
        // What cannot be drawn is told before a long search begins.
        puzzle.gallery(&[], false)?;
        let mut drawn: Vec<Solution> =
            self.solutions(puzzle)?.take(most + 1).collect::<Result<_>>()?;
        let is_cut = drawn.len() > most;
        drawn.truncate(most);
        if is_cut {
            let noun = puzzle.game().noun();
            let message =
                format_args!("there are more {noun}s than a page holds: it has the first {most}");
            info(args, message);
        }
        // To find out whether there are more than --limit may take long, so the page says that there may be.
        let is_limited = self.limit == Some(drawn.len() as u64);
        pictures::save(&puzzle.gallery(&drawn, is_cut || is_limited)?, &self.pictures)
    }
}
