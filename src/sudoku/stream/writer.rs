//! The end of a stream: rows in input order, bad lines to those who want to know.

use std::collections::BTreeMap;
use std::io::Write;

use crossbeam::channel::{Receiver, Sender};

use super::{BadLine, Buffers, Settings, Solved, StreamError, Summary};

/// Writes the blocks in input order and hands their buffers back.
pub fn write_in_order(
    solved: &Receiver<Solved>,
    free: Sender<Buffers>,
    output: &mut dyn Write,
    settings: &Settings,
    report: &mut dyn FnMut(&BadLine),
) -> Result<Summary, StreamError> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    let mut summary = Summary::default();
    for block in solved {
        waiting.insert(block.number, block);
        while let Some(block) = waiting.remove(&next) {
            next += 1;
            write_block(&block, &summary, output, settings, report)?;
            summary.merge(&block.summary);
            // The reader is gone once it has read everything.
            let _ = free.try_send(Buffers { text: block.text, rows: block.rows });
        }
    }
    output.flush().map_err(StreamError::Write)?;
    Ok(summary)
}

/// Writes one block, which comes after what `before` sums up.
pub fn write_block(
    block: &Solved,
    before: &Summary,
    output: &mut dyn Write,
    settings: &Settings,
    report: &mut dyn FnMut(&BadLine),
) -> Result<(), StreamError> {
    for bad in &block.bad {
        let bad = BadLine { line: before.lines + bad.line, error: bad.error.clone() };
        if settings.strict {
            let rows = &block.rows[..block.first_bad.unwrap_or(0)];
            output.write_all(rows).map_err(StreamError::Write)?;
            return Err(bad.into());
        }
        report(&bad);
    }
    output.write_all(&block.rows).map_err(StreamError::Write)
}
