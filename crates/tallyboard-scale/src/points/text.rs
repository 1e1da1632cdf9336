//! What tools print: `go test -bench`, sysbench, likwid-bench, STREAM.

use super::{Benchmark, GO, Points, PointsError, Quantity, ReadOptions, Reader, Unit, seconds};

type Read = fn(&str, &mut Reader) -> Result<(), PointsError>;

/// Each tool, a text that its output has, what to do if there is one thread count, and its reader.
const FORMS: [(&str, &str, &str, Read); 4] = [
    ("go test", "ns/op", GO, go),
    (
        "sysbench",
        "Number of threads:",
        "run it with --threads=1, 2, 4 and join what it prints",
        sysbench,
    ),
    (
        "likwid-bench",
        "LIKWID MICRO BENCHMARK",
        "run it with -w S0:1GB:1, :2, :4 and join what it prints",
        likwid,
    ),
    (
        "STREAM",
        "STREAM version",
        "build it with -fopenmp, run it with OMP_NUM_THREADS=1, 2, 4 and join what it prints",
        stream,
    ),
];

/// The points in what a tool printed; `None` if it is none of these.
pub(super) fn read(text: &str, options: &ReadOptions) -> Option<Result<Points, PointsError>> {
    let (tool, _, how, read) = FORMS.iter().find(|(_, mark, ..)| text.contains(mark))?;
    let mut reader = Reader::new(tool, how, options);
    Some(read(text, &mut reader).and_then(|()| reader.finish()))
}

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
fn sysbench(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
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
fn likwid(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
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
fn stream(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
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

fn number(line: usize, text: &str) -> Result<f64, PointsError> {
    let error = || PointsError::at(line, format!("found '{text}', expected a number"));
    text.parse().map_err(|_| error())
}
