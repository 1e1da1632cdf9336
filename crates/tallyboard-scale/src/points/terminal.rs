//! What tools print for people: hyperfine, divan, Google Benchmark.

use super::columns::threads_of_command;
use super::json::google_benchmark;
use super::text::number;
use super::{Benchmark, PointsError, Reader, Unit, seconds};

/// A time with its unit behind it, such as `21.4 ms`, at the beginning of `text`.
fn time_in_front(line: usize, text: &str) -> Result<f64, PointsError> {
    let mut words = text.split_whitespace();
    let value = number(line, words.next().unwrap_or_default())?;
    let name = words.next().unwrap_or_default();
    let unit = Unit::from_name(name).ok_or_else(|| {
        PointsError::at(
            line,
            format!("found the unit '{name}' of a time, expected ns, µs, ms or s"),
        )
    })?;
    seconds(line, "a time", value, unit)
}

/// hyperfine's terminal: `Benchmark 1: COMMAND`, and below it its mean. The thread count is in the command.
pub(super) fn hyperfine(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    let mut command = String::new();
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.trim();
        if let Some((_, name)) = row.split_once(": ").filter(|_| row.starts_with("Benchmark")) {
            command = name.trim().to_owned();
        } else if row.starts_with("Time (")
            && let Some((_, figures)) = row.split_once("):")
        {
            let time = time_in_front(line, figures)?;
            let cpu = |name: &str| {
                let figure = row.split_once(&format!("{name}: ")).map(|(_, after)| after);
                figure.and_then(|it| time_in_front(line, it.split([',', ']']).next()?).ok())
            };
            match threads_of_command(&command) {
                Some((threads, name)) => reader.add(Benchmark {
                    cpu: (cpu("User").unwrap_or(0.0), cpu("System").unwrap_or(0.0)),
                    ..Benchmark::of_line(line, &name, threads, time)
                })?,
                None => reader.leave_out(line, format!("{command} has no thread count")),
            }
        }
    }
    Ok(())
}

/// divan's tree. A row `t=2` has the times of a thread of two, each of which does all of the work: weak scaling.
pub(super) fn divan(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    // The names of the rows above, with the columns at which they begin.
    let mut above: Vec<(usize, &str)> = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        let mut cells = row.split('│').map(str::trim_end);
        // Branches of the tree may have the same character as the columns.
        let Some(at) = row.find("─ ") else { continue };
        let indent = row[..at].chars().count();
        let branch = &row[at + "─ ".len()..];
        let name = branch.split_whitespace().next().unwrap_or_default();
        above.retain(|(column, _)| *column < indent);
        let first = branch.split('│').next().unwrap_or_default();
        let has_times = first.split_whitespace().count() > 1;
        if !has_times {
            above.push((indent, name));
            continue;
        }
        let median = cells.by_ref().skip_while(|cell| !cell.contains("─ ")).nth(2);
        let time = time_in_front(line, median.unwrap_or_default())?;
        let path: Vec<&str> = above.iter().map(|(_, name)| *name).collect();
        match name.strip_prefix("t=").and_then(|threads| threads.parse().ok()) {
            Some(threads) => {
                let found = Benchmark::of_line(line, &path.join("/"), threads, time);
                reader.add(Benchmark { is_weak: true, ..found })?;
            }
            None => reader.leave_out(line, format!("{name} has no thread count")),
        }
    }
    Ok(())
}

/// Google Benchmark's table. It lacks the version, by which alone the time of `->Threads(p)` is known.
pub(super) fn google(text: &str, reader: &mut Reader) -> Result<(), PointsError> {
    for (line, row) in (1..).zip(text.lines()) {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let [full, time, unit, ..] = fields[..] else { continue };
        let Some(unit) = Unit::from_name(unit) else { continue };
        refuse_threads_of_google(line, full, "what the terminal shows", "--benchmark_out=FILE")?;
        let time = seconds(line, "the time", number(line, time)?, unit)?;
        reader.add(Benchmark { times: vec![time], ..google_benchmark(line, full) })?;
    }
    Ok(())
}

/// Refuses the benchmark `full` if Google Benchmark ran it with several threads. `form` is what lacks the version, and
/// `how` makes a file that has it.
pub(super) fn refuse_threads_of_google(
    line: usize,
    full: &str,
    form: &str,
    how: &str,
) -> Result<(), PointsError> {
    if full.rsplit('/').next().is_some_and(|last| last.starts_with("threads:")) {
        let message = format!(
            "found {full}, whose time is that of one thread or that over the threads, as the version decides, which {form} lacks: use {how}"
        );
        return Err(PointsError::at(line, message));
    }
    Ok(())
}
