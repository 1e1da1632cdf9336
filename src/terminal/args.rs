//! The options that every command takes, the values of options that several take, and how a run ends: exit codes, and the
//! errors that decide them.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};
use tallyboard_base::{Kernel, UnknownName};
use tallyboard_search::MAX_THREADS;

/// Heading, in a command's help, of the options that every command has.
const EVERYWHERE: &str = "Options of every command";

/// The options that every command of every program takes.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    /// Worker threads; 0 takes as many as the environment variable RAYON_NUM_THREADS says, or else every core
    #[arg(short = 'j', long, global = true, default_value_t = 0, value_name = "T", value_parser = thread_range(), help_heading = EVERYWHERE)]
    pub threads: usize,

    /// Print results alone, without progress and messages; of a count or an estimate, only the number (of a sudoku, the puzzle, a colon and the number)
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub quiet: bool,

    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = EVERYWHERE)]
    pub color: Color,
}

impl Args {
    /// These options, and those that were given later, among `matches`.
    pub fn with(&self, matches: &ArgMatches) -> Self {
        fn later<T: Clone + Send + Sync + 'static>(matches: &ArgMatches, id: &str) -> Option<T> {
            let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
            matches.get_one(id).filter(|_| is_given).cloned()
        }
        Self {
            threads: later(matches, "threads").unwrap_or(self.threads),
            quiet: self.quiet || later(matches, "quiet").unwrap_or(false),
            color: later(matches, "color").unwrap_or(self.color),
        }
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    /// The choice as the type of `anstream`, which writes colours.
    pub fn choice(self) -> anstream::ColorChoice {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
    }
}

fn thread_range() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(0..=MAX_THREADS as u64)
}

/// A choice, where `None` stands for `auto` and leaves it to the program. It is an alias because clap would make the flag
/// optional if it saw a plain `Option`.
pub type OrAuto<T> = Option<T>;

/// Reads one of `names`, which help pages list.
pub fn named<T: FromStr<Err = UnknownName> + Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = impl Into<PossibleValue>>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Reads `auto` as `None`, or one of `names`, which help pages list.
pub fn choices<T: FromStr<Err = UnknownName> + Clone + Send + Sync + 'static>(
    auto: PossibleValue,
    names: impl IntoIterator<Item = PossibleValue>,
) -> impl TypedValueParser<Value = OrAuto<T>> {
    PossibleValuesParser::new(std::iter::once(auto).chain(names))
        .try_map(|name| if name == "auto" { Ok(None) } else { name.parse().map(Some) })
}

/// Reads `auto` or the name of a kernel.
pub fn kernels() -> impl TypedValueParser<Value = OrAuto<Kernel>> {
    choices("auto".into(), Kernel::ALL.map(|kernel| kernel.name().into()))
}

/// Reads the path of a file to write. A folder is refused here, before a long run begins.
pub fn file_to_write() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.is_dir() {
        true => Err("found a folder, expected a file"),
        false => Ok(path),
    })
}

/// Reads a number of bytes: `500M`, `1.5G`, `1GiB`; K, M, G and T are powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let unknown =
        || format!("found {text:?}, expected a number of bytes, or one with K, M, G or T");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let suffix = text[digits.len()..].to_ascii_uppercase();
    let letter = suffix.strip_suffix("IB").or(suffix.strip_suffix('B')).unwrap_or(&suffix);
    let power = ["", "K", "M", "G", "T"].iter().position(|&known| known == letter);
    let unit = 1_u64 << (10 * power.ok_or_else(unknown)?);
    let too_many = || "found more than 2^64 bytes".to_owned();
    if let Ok(number) = digits.parse::<u64>() {
        return number.checked_mul(unit).ok_or_else(too_many);
    }
    // Floats also have signs and exponents, which are no sizes of memory.
    let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| is_decimal).ok_or_else(unknown)?;
    let bytes = number * unit as f64;
    if bytes < 2_f64.powi(64) { Ok(bytes as u64) } else { Err(too_many()) }
}

/// Reads `500ms`, `10s`, `2m`, `1h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let unit_start = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (value, unit) = text.split_at(unit_start);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("the unit '{unit}' is not known; ms, s, m and h are")),
    };
    let value: f64 =
        value.parse().map_err(|_| format!("found '{text}', expected a time such as 10s"))?;
    // A time of at most a century can be added to any time of the clock.
    if value * seconds > 36_525.0 * 86_400.0 {
        return Err("found a time of more than a century".to_owned());
    }
    Duration::try_from_secs_f64(value * seconds).map_err(|error| error.to_string())
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// Everything was done.
    Done,
    /// The run went to its end, but something was wrong, which has been reported.
    Failed,
    /// A signal ended the run; its number decides the exit code.
    Interrupted { signal: i32 },
    /// A shard was interrupted and can be started again: sysexits' EX_TEMPFAIL.
    Resumable,
    /// A shard will never succeed as it was asked for.
    Permanent,
}

impl From<ExitStatus> for ExitCode {
    fn from(ending: ExitStatus) -> Self {
        match ending {
            ExitStatus::Done => Self::SUCCESS,
            ExitStatus::Failed => Self::FAILURE,
            // 128 + signal, as shells report it.
            ExitStatus::Interrupted { signal } => Self::from(128 + signal as u8),
            ExitStatus::Resumable => Self::from(75),
            ExitStatus::Permanent => Self::from(42),
        }
    }
}

/// Arguments that clap accepts and the library does not, such as a square off the board.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

impl UsageError {
    /// With a text, or with that of an error of the library.
    pub fn of(error: impl ToString) -> Self {
        Self(error.to_string())
    }
}

/// Whether `error` says that the reader of a pipe has ended.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory_are_read_as_people_write_them() {
        for (text, expected) in [
            ("512", 512),
            ("500M", 500 << 20),
            ("1.5G", 3 << 29),
            ("1GiB", 1 << 30),
            ("2gb", 2 << 30),
            (".5k", 512),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for wrong in ["", "G", "much", "-1G", "1e3", "1..5G", "infM", "NaN", "99999999T", "1.5X"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
