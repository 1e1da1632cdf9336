//! Joining the rows of a sudoku plan in the order of the file.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::plural::s;
use anyhow::{Context, Result};
use tallyboard::search::shard::{Collected, file_name};

use super::job::SudokuBody;
use super::run_sudoku::is_sound;
use crate::cli::args::{Args, cluster::Merge};
use crate::cli::ending::Ending;
use crate::cli::io::Output;
use crate::cli::io::note;
use crate::cli::number::grouped;

/// Counts the shards whose rows are gone or damaged as missing.
pub fn drop_unsound(collected: &mut Collected<SudokuBody>, folder: &Path) {
    let Collected { bodies, missing, damaged } = collected;
    bodies.retain(|&shard, body| {
        let rows = folder.join(file_name(shard, "rows"));
        let sound = is_sound(&rows, body);
        if !sound {
            damaged.push(format!("{}: the rows are damaged or not there", rows.display()));
            missing.push(shard);
        }
        sound
    });
    missing.sort_unstable();
}

/// Writes all rows, shard after shard.
pub fn join(collected: &Collected<SudokuBody>, flags: &Merge, args: &Args) -> Result<Ending> {
    let mut output = Output::create(flags.output.as_deref())?;
    for &shard in collected.bodies.keys() {
        let rows = flags.results.join(file_name(shard, "rows"));
        let mut file =
            File::open(&rows).with_context(|| format!("cannot read {}", rows.display()))?;
        io::copy(&mut file, &mut output).context("cannot write the rows")?;
    }
    output.finish()?;
    let total = |count: fn(&SudokuBody) -> u64| collected.bodies.values().map(count).sum::<u64>();
    let bad = total(|body| body.bad);
    if !args.quiet {
        note(format_args!(
            "{} puzzle{} with one solution, {} without, {} with more than one, {} bad line{}",
            grouped(total(|body| body.unique)),
            s(total(|body| body.unique)),
            grouped(total(|body| body.none)),
            grouped(total(|body| body.many)),
            grouped(bad),
            s(bad),
        ));
    }
    Ok(if bad == 0 { Ending::Done } else { Ending::Failed })
}
