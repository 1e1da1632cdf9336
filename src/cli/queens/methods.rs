//! `tallyboard queens methods`: compares the methods that find one solution.

use anyhow::Result;
use base::figures::{grouped, seconds};
use classroom::draw;
use queens::place::compare::{Measurement, compare};
use queens::place::{Limits, Method};
use serde::Serialize;

use crate::cli::args::{Args, place::MethodsArgs};
use crate::cli::ending::Ending;
use crate::cli::io::{ensure_apart, say, say_json};
use crate::cli::pictures;
use crate::cli::progress_bar::StatusLine;

/// The JSON document with all rows.
#[derive(Serialize)]
struct Document<'a> {
    problem: &'static str,
    seeds: u64,
    time_limit_seconds: f64,
    rows: &'a [Measurement],
}

/// Compares the methods and prints a table.
pub fn run(flags: &MethodsArgs, args: &Args) -> Result<Ending> {
    ensure_apart(None, flags.pictures.paths())?;
    let mut sizes = flags.sizes.clone();
    sizes.sort_unstable();
    let limits = Limits { time: Some(flags.time_limit), ..Limits::default() };
    let status = StatusLine::new(args.quiet);
    let table = !flags.json && !flags.csv;
    if table {
        print_cells(["method", "n", "time", "steps", "restarts", "solved"])?;
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
    let limit = flags.time_limit.as_secs_f64();
    if flags.json {
        let (problem, seeds, rows) = ("queens methods", flags.seeds, &*rows);
        say_json(&Document { problem, seeds, time_limit_seconds: limit, rows })?;
    } else if flags.csv {
        print_csv(&rows)?;
    } else if !args.quiet {
        left_out(&rows, &sizes)?;
        say(format_args!(
            "medians of the tries that found a solution, one thread; a try ends at {limit} s"
        ))?;
    }
    pictures::save(&draw::methods(&rows), &flags.pictures)?;
    Ok(Ending::Done)
}

/// Prints from which size on each method was not tried, and why.
fn left_out(rows: &[Measurement], sizes: &[u32]) -> Result<()> {
    for method in Method::all() {
        let name = method.to_string();
        let tried = |n| rows.iter().any(|row| row.method == name && row.n == n);
        let Some(&n) = sizes.iter().find(|&&n| !tried(n)) else { continue };
        let why = match n > method.largest() {
            true => "boards as large take it too much memory or time",
            false => "it has solved nothing at the two sizes before",
        };
        say(format_args!("left out: {name} from n = {} on; {why}", grouped(n)))?;
    }
    Ok(())
}

fn print_row(row: &Measurement) -> Result<()> {
    let number = |value: Option<u64>| value.map_or("-".to_owned(), grouped);
    print_cells([
        &row.method,
        &grouped(row.n),
        &row.seconds.map_or("-".to_owned(), seconds),
        &number(row.steps),
        &number(row.restarts),
        &format!("{}/{}", row.solved, row.tries),
    ])
}

fn print_cells([method, n, time, steps, restarts, solved]: [&str; 6]) -> Result<()> {
    say(format_args!("{method:<20} {n:>11} {time:>12} {steps:>13} {restarts:>9} {solved:>7}"))
}

fn print_csv(rows: &[Measurement]) -> Result<()> {
    say(format_args!("method,n,tries,solved,seconds,steps,restarts"))?;
    for row in rows {
        let Measurement { method, n, tries, solved, seconds, steps, restarts } = row;
        let seconds = seconds.map_or(String::new(), |value| value.to_string());
        let [steps, restarts] =
            [steps, restarts].map(|it| it.map_or(String::new(), |value| value.to_string()));
        say(format_args!("{method},{n},{tries},{solved},{seconds},{steps},{restarts}"))?;
    }
    Ok(())
}
