//! The logs of tools: `go test -bench`, sysbench, likwid-bench, STREAM, the NAS benchmarks, GNU time.

use super::columns::threads_of_command;
use super::{Benchmark, PointsError, Quantity, Reader, Unit, seconds};

/// Lines such as `BenchmarkSort-8  100  1234 ns/op`. The number behind the name is GOMAXPROCS, unless that is 1.
pub(super) fn go(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    for (line, row) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let Some(full) = fields.first().and_then(|name| name.strip_prefix("Benchmark")) else {
            continue;
        };
        let Some(at) = fields.iter().position(|field| *field == "ns/op") else { continue };
        let value = number(line, fields[at - 1])?;
        let time = seconds(line, "ns/op", value, Unit::Nanoseconds)?;
        let (name, threads) = match full.rsplit_once('-') {
            Some((name, threads)) if threads.parse::<usize>().is_ok() => (name, threads),
            _ => (full, "1"),
        };
        reader.add(Benchmark {
            line,
            name: name.to_owned(),
            threads: Some(threads.to_owned()),
            times: vec![time],
            ..Benchmark::default()
        })?;
    }
    Ok(())
}

/// The logs of several runs, each with its threads, seconds and events. The time is that of an event.
pub(super) fn sysbench(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    let mut threads = None;
    let mut total = 0.0;
    for (line, row) in (1..).zip(text.lines()) {
        let Some((key, value)) = row.trim().split_once(':') else { continue };
        let value = value.trim();
        match key {
            "Number of threads" => threads = Some(value.to_owned()),
            "total time" => total = number(line, value.trim_end_matches('s'))?,
            "total number of events" => {
                let time = total / number(line, value)?;
                let times = vec![seconds(line, "the time of an event", time, Unit::Seconds)?];
                let threads = threads.take();
                reader.add(Benchmark { line, threads, times, ..Benchmark::default() })?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The logs of several runs, each with its test, threads and MByte/s. The time is that of a megabyte.
pub(super) fn likwid(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    let quantity = Quantity { unit: Unit::Seconds, is_rate: true };
    let mut name = String::new();
    let mut threads = None;
    for (line, row) in (1..).zip(text.lines()) {
        if let Some(test) = row.strip_prefix("Test: ") {
            name = test.to_owned();
        } else if let Some(count) =
            row.strip_prefix("Using ").and_then(|row| row.strip_suffix(" threads"))
        {
            threads = Some(count.to_owned());
        } else if let Some(rate) = row.strip_prefix("MByte/s:") {
            let times = vec![quantity.seconds(line, "MByte/s", number(line, rate.trim())?)?];
            let (name, threads) = (name.clone(), threads.take());
            reader.add(Benchmark { line, name, threads, times, ..Benchmark::default() })?;
        }
    }
    Ok(())
}

/// The logs of several runs, each with its threads and the best MB/s of each kernel. The time is that of a megabyte.
pub(super) fn stream(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    const KERNELS: [&str; 4] = ["Copy", "Scale", "Add", "Triad"];
    let quantity = Quantity { unit: Unit::Seconds, is_rate: true };
    let mut threads = None;
    for (line, row) in (1..).zip(text.lines()) {
        if row.starts_with("STREAM version") {
            threads = None;
        } else if let Some(count) = row.strip_prefix("Number of Threads counted = ") {
            threads = Some(count.trim().to_owned());
        } else if let Some((kernel, figures)) = row.split_once(':')
            && KERNELS.contains(&kernel)
        {
            let rate = number(line, figures.split_whitespace().next().unwrap_or_default())?;
            let times = vec![quantity.seconds(line, "MB/s", rate)?];
            let (name, threads) = (kernel.to_owned(), threads.clone());
            reader.add(Benchmark { line, name, threads, times, ..Benchmark::default() })?;
        }
    }
    Ok(())
}

/// The logs of several runs of a NAS benchmark, each with its name, class, seconds and threads or processes.
pub(super) fn nas(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    let (mut name, mut class, mut time) = (String::new(), String::new(), None);
    for (line, row) in (1..).zip(text.lines()) {
        if let Some(benchmark) = row.trim().strip_suffix(" Benchmark Completed.") {
            (name, time) = (benchmark.to_owned(), None);
        }
        let Some((key, value)) = row.split_once('=') else { continue };
        let value = value.trim();
        match key.trim() {
            "Class" => class = value.to_owned(),
            "Time in seconds" => {
                time = Some(seconds(line, "the time", number(line, value)?, Unit::Seconds)?);
            }
            "Total threads" | "Total processes" => {
                let Some(time) = time.take() else { continue };
                let (name, threads) = (format!("{name}.{class}"), Some(value.to_owned()));
                let times = vec![time];
                reader.add(Benchmark { line, name, threads, times, ..Benchmark::default() })?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The reports of `time -v` of several runs. The thread count is in the command, or in a line above its report.
pub(super) fn gnu_time(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    let mut run = Benchmark::default();
    let mut above = None;
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.trim();
        let Some((key, value)) = row.rsplit_once(": ") else {
            above = threads_of_command(row).map(|(threads, _)| threads).or(above);
            continue;
        };
        match key {
            "Command being timed" => {
                add_if_timed(std::mem::take(&mut run), reader)?;
                let command = value.trim_matches('"');
                let found = threads_of_command(command);
                let threads = found.as_ref().map(|(threads, _)| *threads).or(above.take());
                run.line = line;
                run.name = found.map_or_else(|| command.to_owned(), |(_, name)| name);
                run.threads = threads.map(|threads| threads.to_string());
            }
            "User time (seconds)" => run.cpu.0 = number(line, value)?,
            "System time (seconds)" => run.cpu.1 = number(line, value)?,
            "Elapsed (wall clock) time (h:mm:ss or m:ss)" => {
                let parts = value.split(':').map(|part| number(line, part));
                let parts = parts.collect::<Result<Vec<f64>, _>>()?;
                let total = parts.iter().fold(0.0, |total, part| 60.0 * total + part);
                run.times = vec![seconds(line, "the elapsed time", total, Unit::Seconds)?];
            }
            "Maximum resident set size (kbytes)" => {
                run.peak_bytes = Some((1024.0 * number(line, value)?) as u64);
            }
            "Exit status" => run.exit_codes.extend(value.parse::<i32>().ok()),
            _ => {}
        }
    }
    add_if_timed(run, reader)
}

fn add_if_timed(run: Benchmark, reader: &mut Reader) -> Result<(), PointsError> {
    if run.times.is_empty() { Ok(()) } else { reader.add(run) }
}

pub(super) fn number(line: usize, text: &str) -> Result<f64, PointsError> {
    let error = || PointsError::at(line, format!("found '{text}', expected a number"));
    text.parse().map_err(|_| error())
}
