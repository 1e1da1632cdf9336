//! Searches step by step: printed, animated, or as a page that plays them.

use std::ffi::OsStr;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use tallyboard_base::figures::grouped;
use tallyboard_classroom::backtrack::{Puzzle, Step, Steps};
use tallyboard_classroom::play::Playable;

use crate::games::DEFAULT_PAGE_STEPS;
use crate::terminal::{Args, duration, file_to_write, info};

/// Upper bound on `--steps`: a page of so many would be about 12 MB.
const MAX_STEPS: i64 = 2_000_000;

/// Options of the commands that show a search step by step.
#[derive(Debug, clap::Args)]
pub struct TraceFlags {
    /// Show at most this many steps; by default all of them, and on a page 50,000
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=MAX_STEPS))]
    pub steps: Option<u32>,

    /// Search for all solutions instead of stopping at the first; a page does so anyway
    #[arg(long)]
    pub all: bool,

    /// Draw each board over the one before, with this pause between them: 200ms, 1s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub animate: Option<Duration>,

    /// Write a page that plays the search in a browser: the board, the tree beside it, forward and back,
    /// jumps to solutions and dead ends. It is one file, which needs no network
    #[arg(long, value_name = "FILE", value_parser = file_to_write(), conflicts_with = "animate")]
    pub html: Option<PathBuf>,
}

impl TraceFlags {
    /// How many steps a page holds.
    pub fn page_steps(&self) -> usize {
        self.steps.map_or(DEFAULT_PAGE_STEPS, |steps| steps as usize)
    }
}

/// The code that moves the cursor home and clears the terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Prints the steps of the search of `puzzle`. After each move made or taken back, and after each solution, the
/// `picture` of the moves made follows.
pub fn print<P>(
    puzzle: P,
    flags: &TraceFlags,
    picture: impl Fn(&[P::Move]) -> Vec<u8>,
    args: &Args,
) -> Result<()>
where
    P: Puzzle + Playable<P::Move, P::Reason>,
{
    let stdout = io::stdout();
    // On a terminal each step is seen at once, so it is not buffered. Only there steps can be animated.
    let hint = if stdout.is_terminal() {
        write_steps(puzzle, flags, flags.animate, picture, &mut stdout.lock())
    } else {
        let mut output = BufWriter::new(stdout.lock());
        let hint = write_steps(puzzle, flags, None, picture, &mut output);
        hint.and_then(|hint| output.flush().map(|()| hint))
    };
    if let Some(hint) = hint.context("cannot write standard output")? {
        info(args, format_args!("the search is not over: {hint}"));
    }
    Ok(())
}

/// Writes the steps, with a `pause` after each if they are animated. If the search goes on after them, returns a hint at
/// the option that shows more.
fn write_steps<P>(
    puzzle: P,
    flags: &TraceFlags,
    pause: Option<Duration>,
    picture: impl Fn(&[P::Move]) -> Vec<u8>,
    output: &mut impl Write,
) -> io::Result<Option<&'static str>>
where
    P: Puzzle + Playable<P::Move, P::Reason>,
{
    let clear = clear_code(std::env::var_os("TERM").as_deref());
    let board = puzzle.board();
    let mut steps = Steps::new(puzzle);
    for number in 1..=flags.steps.unwrap_or(u32::MAX) {
        let Some(step) = steps.next() else { return Ok(None) };
        if pause.is_some() {
            write!(output, "{clear}")?;
        }
        let sentence = board.sentence(&steps.puzzle().look(&step));
        writeln!(output, "{}: {sentence}", grouped(number))?;
        let has_picture = matches!(step, Step::Made(_) | Step::Solution | Step::Back { .. });
        if has_picture || pause.is_some() {
            output.write_all(&picture(steps.made()))?;
        }
        if let Some(pause) = pause {
            output.flush()?;
            std::thread::sleep(pause);
        }
        if matches!(step, Step::Solution) && !flags.all {
            return Ok(Some("--all goes on to further solutions"));
        }
    }
    Ok(steps.next().map(|_| "a larger --steps shows more"))
}

/// The code that clears the terminal of this name; empty if the terminal would print the code itself.
fn clear_code(terminal: Option<&OsStr>) -> &'static str {
    match terminal {
        Some(name) if name != "dumb" => CLEAR,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_cannot_move_its_cursor_gets_no_codes() {
        assert_eq!(clear_code(Some(OsStr::new("xterm"))), CLEAR);
        assert_eq!((clear_code(Some(OsStr::new("dumb"))), clear_code(None)), ("", ""));
    }
}
