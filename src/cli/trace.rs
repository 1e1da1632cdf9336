//! Searches step by step: printed, animated, or as a page that plays them.

use std::ffi::OsStr;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use base::figures::grouped;
use classroom::backtrack::{Puzzle, Step, Steps};
use classroom::play::{Page, Playable};

use super::args::Args;
use super::args::shared::TraceFlags;
use super::io::{Output, remark};

/// Moves the cursor home and clears the terminal.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Prints the steps of the search of `puzzle`, with the `picture` of the moves made whenever these have
/// changed.
pub fn print<P>(
    puzzle: P,
    flags: &TraceFlags,
    picture: impl Fn(&[P::Move]) -> Vec<u8>,
    args: &Args,
) -> Result<()>
where
    P: Puzzle + Playable<P::Move, P::Reason>,
{
    if let Some(option) =
        print_steps(puzzle, flags, picture).context("cannot write standard output")?
    {
        remark(args, format_args!("the search is not over: {option}"));
    }
    Ok(())
}

/// Prints the steps. If there are more, returns a hint at the option that shows them.
fn print_steps<P>(
    puzzle: P,
    flags: &TraceFlags,
    picture: impl Fn(&[P::Move]) -> Vec<u8>,
) -> io::Result<Option<&'static str>>
where
    P: Puzzle + Playable<P::Move, P::Reason>,
{
    let stdout = io::stdout();
    let pause = flags.animate.filter(|_| stdout.is_terminal());
    let clear = clear_on(std::env::var_os("TERM").as_deref());
    let mut output = BufWriter::new(stdout.lock());
    let board = puzzle.board();
    let mut steps = Steps::new(puzzle);
    for number in 1..=flags.steps.unwrap_or(u32::MAX) {
        let Some(step) = steps.next() else { return Ok(None) };
        if pause.is_some() {
            write!(output, "{clear}")?;
        }
        let sentence = board.sentence(&steps.puzzle().look(&step));
        writeln!(output, "{}: {sentence}", grouped(number))?;
        let is_changed = matches!(step, Step::Placed(_) | Step::Solution | Step::Back { .. });
        if is_changed || pause.is_some() {
            output.write_all(&picture(steps.made()))?;
        }
        output.flush()?;
        if let Some(pause) = pause {
            std::thread::sleep(pause);
        }
        if matches!(step, Step::Solution) && !flags.all {
            return Ok(Some("--all goes on to further solutions"));
        }
    }
    Ok(steps.next().map(|_| "a larger --steps shows more"))
}

/// The code that clears the terminal of this name; empty if the terminal would print the code itself.
fn clear_on(terminal: Option<&OsStr>) -> &'static str {
    match terminal {
        Some(name) if name != "dumb" => CLEAR,
        _ => "",
    }
}

/// Writes a page, and prints its notes.
pub fn save(page: &Page, file: &Path, args: &Args) -> Result<()> {
    Output::create(Some(file))?.put(page.html())?;
    for note in page.notes() {
        remark(args, note);
    }
    remark(args, format_args!("Open {} in a browser to play it.", file.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_that_cannot_move_its_cursor_gets_no_codes() {
        assert_eq!(clear_on(Some(OsStr::new("xterm"))), CLEAR);
        assert_eq!((clear_on(Some(OsStr::new("dumb"))), clear_on(None)), ("", ""));
    }
}
