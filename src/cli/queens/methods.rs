//! `tallyboard queens methods`

use anyhow::Result;
use serde::Serialize;
use tallyboard::draw;
use tallyboard::queens::place::compare::{Measured, compare};
use tallyboard::queens::place::{Limits, Method};

use crate::cli::args::{Args, place::Methods};
use crate::cli::ending::Ending;
use crate::cli::io::say;
use crate::cli::number::grouped;
use crate::cli::pictures;
use crate::cli::progress_bar::StatusLine;

/// One document with every row.
#[derive(Serialize)]
struct Document<'a> {
    problem: &'static str,
    seeds: u64,
    time_limit_seconds: f64,
    rows: &'a [Measured],
}

/// Compares the methods and prints a table.
pub fn run(flags: &Methods, args: &Args) -> Result<Ending> {
    let mut sizes = flags.sizes.clone();
    sizes.sort_unstable();
    let limits = Limits { time: Some(flags.time_limit), ..Limits::default() };
    let status = StatusLine::new(args.quiet);
    let table = !flags.json && !flags.csv;
    if table {
        print_head()?;
    }
    let mut printed = Ok(());
    status.show("measuring".to_owned());
    let rows = compare(&Method::all(), &sizes, flags.seeds, &limits, |row| {
        if table && printed.is_ok() {
            status.suspend(|| printed = print_row(row));
        }
        status.show(format!("{} after n = {}", row.method, grouped(row.n)));
    })?;
    printed?;
    drop(status);
    if flags.json {
        let time_limit_seconds = flags.time_limit.as_secs_f64();
        let document = Document {
            problem: "queens methods",
            seeds: flags.seeds,
            time_limit_seconds,
            rows: &rows,
        };
        say(format_args!("{}", serde_json::to_string(&document)?))?;
    } else if flags.csv {
        print_csv(&rows)?;
    } else if !args.quiet {
        let limit = flags.time_limit.as_secs_f64();
        say(format_args!(
            "medians of the tries that found a solution, one thread; a try ends at {limit} s"
        ))?;
    }
    pictures::save(&draw::methods(&rows, short_time), &flags.pictures)?;
    Ok(Ending::Done)
}

fn print_head() -> Result<()> {
    let (time, steps, restarts, solved) = ("time", "steps", "restarts", "solved");
    say(format_args!(
        "{:<20} {:>11} {time:>12} {steps:>13} {restarts:>9} {solved:>7}",
        "method", "n"
    ))
}

fn print_row(row: &Measured) -> Result<()> {
    let time = row.seconds.map_or("-".to_owned(), short_time);
    let number = |value: Option<u64>| value.map_or("-".to_owned(), grouped);
    let (steps, restarts) = (number(row.steps), number(row.restarts));
    let solved = format!("{}/{}", row.solved, row.tries);
    let n = grouped(row.n);
    say(format_args!("{:<20} {n:>11} {time:>12} {steps:>13} {restarts:>9} {solved:>7}", row.method))
}

fn print_csv(rows: &[Measured]) -> Result<()> {
    say(format_args!("method,n,tries,solved,seconds,steps,restarts"))?;
    for row in rows {
        let seconds = row.seconds.map_or(String::new(), |value| value.to_string());
        let number = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        say(format_args!(
            "{},{},{},{},{seconds},{},{}",
            row.method,
            row.n,
            row.tries,
            row.solved,
            number(row.steps),
            number(row.restarts)
        ))?;
    }
    Ok(())
}

/// `1.25 ms`, `40 µs`, `2 s`.
fn short_time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 0.999e-6 => (s * 1e9, "ns"),
        s if s < 0.999e-3 => (s * 1e6, "µs"),
        s if s < 0.999 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let text = format!("{value:.2}");
    format!("{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
}
