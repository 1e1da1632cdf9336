//! Lines of a program's own log that tell a number of threads and then a time: `num_threads: 4 … time: 1.2 s`.

use super::columns::{is_rate, rank_of_workers};
use super::{Benchmark, Points, PointsError, ReadOptions, Reader, Unit, seconds};

/// What to do if there is one thread count.
const HOW: &str =
    "join the logs of runs with 1, 2, 4 threads, or write a CSV with the header threads,time";

/// Words that mean a time, in small letters.
const TIMES: &str = "time elapsed took runtime walltime wall duration real seconds";

/// Words in front of a number that make it a time of something else than the wall.
const OTHER_TIMES: &str = "user sys system cpu";

/// The points in lines that tell threads and times; `None` if there are no two of them.
pub(super) fn read(text: &str, options: &ReadOptions) -> Option<Result<Points, PointsError>> {
    let mut reader = Reader::new("a log", HOW, options);
    let mut threads = None;
    let mut found = 0;
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.to_lowercase();
        let words = words(&row);
        for (at, word) in words.iter().copied().enumerate() {
            let before = words[..at].iter().rev().take(2).copied();
            let next = words.get(at + 1).copied().unwrap_or_default();
            let is_of_threads = |word: &str| rank_of_workers(word).is_some() && word.len() > 1;
            let Some((value, unit)) = clock_time(word).or_else(|| number(word)) else { continue };
            if unit.is_empty() && (is_of_threads(next) || before.clone().take(1).any(is_of_threads))
            {
                if words[..at].iter().any(|word| ["each", "per"].contains(word)) && value > 1.0 {
                    return Some(Err(threads_of_each(line, row.trim())));
                }
                // A time in the same line may stand in front of it.
                threads = Some(value as usize).filter(|it| *it as f64 == value && *it > 0);
                continue;
            }
            let is_among = |list: &str, it: &str| list.split(' ').any(|known| known == it);
            if words[..at].iter().rev().take(3).any(|it| is_among(OTHER_TIMES, it)) {
                continue;
            }
            let is_time = before.into_iter().any(|it| is_among(TIMES, it));
            let name = if unit.is_empty() { next } else { unit };
            let unit = Unit::from_name(name);
            let is_rate_of = is_rate(name);
            let Some(threads_of_time) =
                threads.filter(|_| (is_time || unit.is_some()) && !is_rate_of)
            else {
                continue;
            };
            let time = match seconds(line, "a time", value, unit.unwrap_or(Unit::Seconds)) {
                Ok(time) => time,
                Err(error) => return Some(Err(error)),
            };
            if let Err(error) = reader.add(Benchmark::of_line(line, "", threads_of_time, time)) {
                return Some(Err(error));
            }
            // The first time behind a number of threads is the one.
            threads = None;
            found += 1;
        }
    }
    (found > 1).then(|| reader.finish())
}

/// The refusal of a log whose ranks have several threads each.
fn threads_of_each(line: usize, row: &str) -> PointsError {
    let message = format!(
        "found '{row}', so that the workers are a product, expected one number of them: write a CSV with the header threads,time, in which threads are all workers"
    );
    PointsError::at(line, message)
}

/// A time as a shell writes it, such as `1m12.503s`: its seconds and their unit.
fn clock_time(word: &str) -> Option<(f64, &str)> {
    let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
    let (minutes, seconds) = (minutes.parse::<u32>().ok()?, seconds.parse::<f64>().ok()?);
    Some((60.0 * f64::from(minutes) + seconds, "s"))
}

/// The words and numbers of a line.
fn words(row: &str) -> Vec<&str> {
    let is_between = |it: char| it.is_whitespace() || ":=,;()[]|".contains(it);
    row.split(is_between).filter(|word| !word.is_empty()).collect()
}

/// A number and the letters behind it, such as those of `1.2s`.
fn number(word: &str) -> Option<(f64, &str)> {
    let digits = word.trim_end_matches(|it: char| it.is_alphabetic() || it == 'µ');
    Some((
        digits.parse().ok().filter(|_| digits.starts_with(|it: char| it.is_ascii_digit()))?,
        &word[digits.len()..],
    ))
}
