//! `tallyboard scale fit FILE`: fits the laws to times that another tool measured.

use std::path::PathBuf;

use anyhow::Result;
use tallyboard_scale::points::{ReadOptions, Unit};

use crate::scaling::reports::{Outputs, ReportArgs, read_points};
use crate::terminal::{Args, ExitStatus, io, named};

#[derive(Debug, clap::Args)]
pub struct FitArgs {
    /// Thread counts and times: CSV, JSON of hyperfine, Google Benchmark or cargo-criterion, or criterion's
    /// folder
    pub file: PathBuf,

    /// The column or parameter with the thread counts; by default the one called threads, jobs, workers …
    #[arg(long, value_name = "NAME")]
    pub threads_column: Option<String>,

    /// The column of a CSV with the times; by default the one called median, mean, time, seconds …
    #[arg(long, value_name = "NAME")]
    pub time_column: Option<String>,

    /// The column of a CSV whose values tell several curves apart
    #[arg(long, value_name = "NAME")]
    pub curve: Option<String>,

    /// The unit of the times in a CSV; by default that in the header, as in time_ms, or else seconds
    #[arg(long, value_name = "UNIT", value_parser = named::<Unit>(Unit::ALL.map(Unit::name)))]
    pub unit: Option<Unit>,

    /// The times are those of p times the work with p threads
    #[arg(long)]
    pub weak: bool,

    #[command(flatten)]
    pub report: ReportArgs,
}

/// Writes the reports of the curves in a file.
pub fn run(flags: &FitArgs, args: &Args) -> Result<ExitStatus> {
    io::ensure_apart([&*flags.file], flags.report.paths())?;
    let choice = ReadOptions {
        threads: flags.threads_column.clone(),
        time: flags.time_column.clone(),
        curve: flags.curve.clone(),
        unit: flags.unit,
        is_weak: flags.weak,
    };
    let reports = read_points(&flags.file, &choice)?;
    Outputs::create(&flags.report)?.write(reports)?;
    flags.report.print_written(args);
    Ok(ExitStatus::Done)
}
