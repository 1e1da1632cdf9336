//! What `generate` of every game has in common: rows are written as soon as they are made, in the order of their numbers, until there are as
//! many as asked for, or a signal ends the run.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use anyhow::{Context, Error, Result};
use tallyboard_base::figures::{counted, grouped, with_prefix};

use crate::terminal::io::is_screen;
use crate::terminal::{Args, ExitStatus, Interrupt, Output, StatusLine, info, watching};

/// What is to be made.
pub struct Wanted<'a> {
    pub count: u64,
    /// What one of them is called, such as `puzzle`.
    pub name: &'static str,
    pub output: Option<&'a Path>,
}

/// Takes the rows of some things, the number of these things, and how many were tried so far.
pub type Take<'a> = dyn FnMut(&[u8], usize, u64) -> ControlFlow<Error> + Send + 'a;

/// Makes what is wanted until `take` breaks, and returns its error or one of its own.
pub type Make<'a> = dyn FnOnce(&mut Take) -> Result<Option<Error>, tallyboard_search::Error> + 'a;

/// Writes what `make` makes.
pub fn run(
    wanted: &Wanted,
    interrupt: &Interrupt,
    args: &Args,
    make: Box<Make>,
) -> Result<ExitStatus> {
    let Wanted { count, name, output: path } = *wanted;
    let mut output = Output::with_compression_threads(path, args.threads)?;
    let began = Instant::now();
    let [written, tried] = [0; 2].map(AtomicU64::new);
    let mut take = |rows: &[u8], made: usize, tries: u64| {
        if let Err(error) = output.write_all(rows).and_then(|()| output.flush()) {
            return ControlFlow::Break(
                Error::new(error).context(format!("cannot write the {name}s")),
            );
        }
        written.fetch_add(made as u64, Relaxed);
        tried.store(tries, Relaxed);
        ControlFlow::Continue(())
    };
    let describe = || {
        let tried = counted(tried.load(Relaxed), "attempt");
        format!("{} of {} in {tried}", grouped(written.load(Relaxed)), counted(count, name))
    };
    // Rows on a terminal show the progress themselves.
    let status = StatusLine::new(args.quiet || is_screen(path));
    let failed = watching(status, &describe, interrupt, || make(&mut take));
    let failed = failed.with_context(|| format!("cannot make the {name}s"))?;
    if let Some(error) = failed {
        return Err(error);
    }
    let written = written.into_inner();
    if interrupt.signal().is_some() && written < count {
        return output.interrupted(interrupt, &counted(written, name));
    }
    output.finish()?;
    let seconds = began.elapsed().as_secs_f64();
    let rate = with_prefix(count as f64 / seconds);
    info(args, format_args!("{} in {seconds:.3} s, {rate} {name}s/s", counted(count, name)));
    Ok(ExitStatus::Done)
}
