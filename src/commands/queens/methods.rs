//! `tallyboard queens methods`: compares the methods that find one solution.

use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use tallyboard_base::figures::{grouped, seconds};
use tallyboard_classroom::draw;
use tallyboard_queens::place::compare::{Measurement, compare};
use tallyboard_queens::place::{Limits, Method};

use crate::terminal::{
    Args, ExitStatus, PictureArgs, StatusLine, duration, ensure_apart, pictures, print_json,
    print_line,
};

#[derive(Debug, clap::Args)]
pub struct MethodsArgs {
    /// Board sizes, with commas
    #[arg(long, value_delimiter = ',', default_values_t = [8, 20, 36, 100, 200, 500, 1000, 10_000, 100_000], value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub sizes: Vec<u32>,

    /// Seeds tried by each random method
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub seeds: u64,

    /// Time after which a try counts as failed
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub time_limit: Duration,

    /// Print one JSON document
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// Print CSV
    #[arg(long)]
    pub csv: bool,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// The JSON document with all rows.
#[derive(Serialize)]
struct Document<'a> {
    problem: &'static str,
    seeds: u64,
    time_limit_seconds: f64,
    rows: &'a [Measurement],
}

/// Compares the methods and prints a table.
pub fn run(flags: &MethodsArgs, args: &Args) -> Result<ExitStatus> {
    // Nothing is read: only the pictures must be in different files.
    ensure_apart(None, flags.pictures.paths())?;
    let mut sizes = flags.sizes.clone();
    sizes.sort_unstable();
    let limits = Limits { time: Some(flags.time_limit), ..Limits::default() };
    let status = StatusLine::new(args.quiet);
    let is_table = !flags.json && !flags.csv;
    if is_table {
        print_cells(["method", "n", "time", "steps", "restarts", "solved"])?;
    }
    let mut printed = Ok(());
    status.show("measuring".to_owned());
    let rows = compare(&Method::usual(), &sizes, flags.seeds, &limits, |row| {
        if is_table && printed.is_ok() {
            status.suspend(|| printed = print_row(row));
        }
        status.show(format!("{} after n = {}", row.method, grouped(row.n)));
    })?;
    printed?;
    // The line of status ends before the last lines are printed.
    drop(status);
    let limit_seconds = flags.time_limit.as_secs_f64();
    if flags.json {
        print_json(&Document {
            problem: "queens methods",
            seeds: flags.seeds,
            time_limit_seconds: limit_seconds,
            rows: &rows,
        })?;
    } else if flags.csv {
        print_csv(&rows)?;
    } else if !args.quiet {
        print_left_out(&rows, &sizes)?;
        print_line(format_args!(
            "medians of the tries that found a solution, one thread; a try ends at {limit_seconds} s"
        ))?;
    }
    pictures::save(&draw::methods(&rows), &flags.pictures)?;
    Ok(ExitStatus::Done)
}

/// Prints from which size on each method was not tried, and why.
fn print_left_out(rows: &[Measurement], sizes: &[u32]) -> Result<()> {
    for method in Method::usual() {
        let name = method.to_string();
        let of_method: Vec<&Measurement> = rows.iter().filter(|row| row.method == name).collect();
        let tried = |n| of_method.iter().any(|row| row.n == n);
        let Some(&n) = sizes.iter().find(|&&n| !tried(n)) else { continue };
        print_line(format_args!(
            "left out: {name} from n = {} on; {}",
            grouped(n),
            why_left_out(&of_method)
        ))?;
    }
    Ok(())
}

/// Why a method with these measurements was not tried on larger boards. Too large boards are one reason, two sizes without a
/// solution the other: see [`compare`].
fn why_left_out(of_method: &[&Measurement]) -> &'static str {
    match of_method {
        [.., earlier, last] if earlier.solved == 0 && last.solved == 0 => {
            "it has solved nothing at the two sizes before"
        }
        _ => "boards of this size take it too much memory or time",
    }
}

fn print_row(row: &Measurement) -> Result<()> {
    let cell = |value: Option<u64>| value.map_or("-".to_owned(), grouped);
    print_cells([
        &row.method,
        &grouped(row.n),
        &row.seconds.map_or("-".to_owned(), seconds),
        &cell(row.steps),
        &cell(row.restarts),
        &format!("{}/{}", row.solved, row.tries),
    ])
}

fn print_cells([method, n, time, steps, restarts, solved]: [&str; 6]) -> Result<()> {
    print_line(format_args!(
        "{method:<20} {n:>11} {time:>12} {steps:>13} {restarts:>9} {solved:>7}"
    ))
}

fn print_csv(rows: &[Measurement]) -> Result<()> {
    print_line("method,n,tries,solved,seconds,steps,restarts")?;
    let field = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    for row in rows {
        let Measurement { method, n, tries, solved, .. } = row;
        let seconds = row.seconds.map_or(String::new(), |value| value.to_string());
        let steps = field(row.steps);
        let restarts = field(row.restarts);
        print_line(format_args!("{method},{n},{tries},{solved},{seconds},{steps},{restarts}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_solved_nothing_is_not_said_to_need_too_much() {
        let measured = |solved| Measurement {
            method: "backtrack".to_owned(),
            n: 100,
            tries: 1,
            solved,
            seconds: None,
            steps: None,
            restarts: None,
        };
        let (failed, solved) = (measured(0), measured(1));
        assert!(why_left_out(&[&solved, &failed, &failed]).starts_with("it has solved nothing"));
        for of_method in [&[&failed, &solved][..], &[&solved, &failed], &[&failed], &[]] {
            assert!(why_left_out(of_method).starts_with("boards of this size"), "{of_method:?}");
        }
    }
}
