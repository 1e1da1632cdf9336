//! Flags and values that commands of several families take.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use crate::{Kernel, UnknownName};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use queens::{MAX_N, Square};

#[derive(Debug, Args)]
pub struct SquareArgs {
    /// Queens that stand already, as in a1,c2: a1 is at the bottom left as in chess, the file aa comes
    /// after z
    #[arg(long, value_delimiter = ',', value_name = "SQUARES", value_parser = square)]
    pub place: Vec<Square>,

    /// Squares where no queen may stand
    #[arg(long, value_delimiter = ',', value_name = "SQUARES", value_parser = square)]
    pub block: Vec<Square>,
}

/// A board to count on.
#[derive(Debug, Args)]
pub struct BoardArgs {
    /// Board size: n queens on n × n squares, up to 32
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_N)))]
    pub n: u32,

    #[command(flatten)]
    pub squares: SquareArgs,
}

/// Reads a square, with blanks about it as in `"a1, c2"`.
fn square(text: &str) -> Result<Square, <Square as FromStr>::Err> {
    text.trim().parse()
}

impl SquareArgs {
    /// Whether there are none.
    pub fn is_plain(&self) -> bool {
        self.place.is_empty() && self.block.is_empty()
    }
}

/// How a count is saved.
#[derive(Debug, Args)]
pub struct JournalArgs {
    /// Save every finished part of the count in this file; a later run can continue from it, and the command
    /// `show` tells how far it is
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Continue from the journal; begin it if there is none
    #[arg(long, requires = "journal")]
    pub resume: bool,
}

/// Where pictures go.
#[derive(Debug, Args)]
pub struct PictureArgs {
    /// Draw a picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Draw a picture as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

impl PictureArgs {
    /// The files to write.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.svg.iter().chain(&self.png).map(PathBuf::as_path)
    }

    pub fn wanted(&self) -> bool {
        self.paths().next().is_some()
    }
}

/// Default number of steps of a page, which keeps it below 300 kB and holds the whole search of 8 queens.
pub const DEFAULT_PAGE_STEPS: usize = 50_000;

/// How a search is shown step by step.
#[derive(Debug, Args)]
pub struct TraceFlags {
    /// Show at most this many steps; by default all of them, and on a page 50,000
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    pub steps: Option<u32>,

    /// Search for all solutions instead of stopping at the first; a page does so anyway
    #[arg(long)]
    pub all: bool,

    /// Draw each board over the one before, with this pause between them: 200ms, 1s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub animate: Option<Duration>,

    /// Write a page that plays the search in a browser: the board, the tree beside it, forward and back,
    /// jumps to solutions and dead ends. It is one file, which needs no network
    #[arg(long, value_name = "FILE", conflicts_with = "animate")]
    pub html: Option<PathBuf>,
}

impl TraceFlags {
    /// How many steps a page holds.
    pub fn page_steps(&self) -> usize {
        self.steps.map_or(DEFAULT_PAGE_STEPS, |steps| steps as usize)
    }
}

/// A choice; `None` stands for `auto` and leaves it to the program. An alias, because clap takes a plain
/// `Option` for an optional flag.
pub type OrAuto<T> = Option<T>;

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

/// A number of bytes: `500M`, `1.5G`, `1GiB`; K, M, G and T are powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let unknown =
        || format!("found {text:?}, expected a number of bytes, or one with K, M, G or T");
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let suffix = text[digits.len()..].to_ascii_uppercase();
    let unit = suffix.strip_suffix("IB").or(suffix.strip_suffix('B')).unwrap_or(&suffix);
    let power = ["", "K", "M", "G", "T"].iter().position(|it| *it == unit).ok_or_else(unknown)?;
    let unit = 1_u64 << (10 * power);
    let too_many = || "found more than 2^64 bytes".to_owned();
    if let Ok(number) = digits.parse::<u64>() {
        return number.checked_mul(unit).ok_or_else(too_many);
    }
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| plain).ok_or_else(unknown)?;
    let bytes = number * unit as f64;
    if bytes < 2_f64.powi(64) { Ok(bytes as u64) } else { Err(too_many()) }
}

/// Reads `500ms`, `10s`, `2m`, `1h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (value, unit) = text.split_at(at);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("the unit '{unit}' is not known; ms, s, m and h are")),
    };
    let value: f64 =
        value.parse().map_err(|_| format!("found '{text}', expected a time such as 10s"))?;
    // The limit of a century lets it be added to any time of the clock.
    if value * seconds > 36_525.0 * 86_400.0 {
        return Err("found a time of more than a century".to_owned());
    }
    Duration::try_from_secs_f64(value * seconds).map_err(|error| error.to_string())
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
