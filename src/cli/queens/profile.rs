//! `tallyboard queens count -v`: how the search prunes.

use crate::plural::s;
use anyhow::Result;
use tallyboard::queens::trace::profile;

use crate::cli::io::say;
use crate::cli::number::grouped;

/// The largest board whose plain search takes seconds.
const LARGEST: u32 = 14;

/// Prints a line for each row of the textbook search.
pub fn print(n: u32) -> Result<()> {
    if n > LARGEST {
        say(format_args!("the search is shown row by row up to n = {LARGEST}"))?;
        return Ok(());
    }
    say(format_args!("the textbook search without symmetry, row by row:"))?;
    say(format_args!(
        "{:>4} {:>13} {:>13} {:>14} {:>13} {:>13}",
        "row", "squares", "column taken", "diagonal taken", "nodes", "dead ends"
    ))?;
    let rows = profile(n)?;
    for (row, line) in rows.iter().enumerate() {
        say(format_args!(
            "{:>4} {:>13} {:>13} {:>14} {:>13} {:>13}",
            row + 1,
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
        "{} node{} of {all:.3e} without pruning; {} of the last row's are the solutions",
        grouped(nodes),
        s(nodes),
        grouped(rows.last().map_or(0, |row| row.nodes))
    ))?;
    Ok(())
}
