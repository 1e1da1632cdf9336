//! `tallyboard queens count -v`: how the search prunes.

use crate::plural::s;
use anyhow::Result;
use tallyboard::queens::trace::profile;

use crate::cli::io::say;
use crate::cli::number::{about, grouped};

/// The largest board whose plain search takes seconds.
const LARGEST: u32 = 14;

/// Prints a line for each row of the textbook search.
pub fn print(n: u32) -> Result<()> {
    if n > LARGEST {
        say(format_args!("the search is shown rank by rank up to n = {LARGEST}"))?;
        return Ok(());
    }
    say(format_args!("the textbook search without symmetry, from the top rank down:"))?;
    say(format_args!(
        "{:>4} {:>13} {:>13} {:>14} {:>13} {:>13}",
        "rank", "squares", "file taken", "diagonal taken", "nodes", "dead ends"
    ))?;
    let rows = profile(n)?;
    for (row, line) in rows.iter().enumerate() {
        say(format_args!(
            "{:>4} {:>13} {:>13} {:>14} {:>13} {:>13}",
            n as usize - row,
            grouped(line.squares),
            grouped(line.column_taken),
            grouped(line.diagonal_taken),
            grouped(line.nodes),
            grouped(line.dead_ends)
        ))?;
    }
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let all: f64 = (1..=n).map(|row| f64::from(n).powi(row as i32)).sum();
    say(format_args!(
        "{} node{} of {} without pruning; {} of the last rank's are the solutions",
        grouped(nodes),
        s(nodes),
        about(all.log10()),
        grouped(rows.last().map_or(0, |row| row.nodes))
    ))?;
    Ok(())
}
