//! Flags and values that commands of several families take.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tallyboard::queens::Square;

#[derive(Debug, Args)]
pub struct SquareArgs {
    /// Queens that stand already, as in a1,c2: a1 is at the bottom left as in chess, the file aa comes
    /// after z
    #[arg(long, value_delimiter = ',', value_name = "SQUARES")]
    pub place: Vec<Square>,

    /// Squares where no queen may stand
    #[arg(long, value_delimiter = ',', value_name = "SQUARES")]
    pub block: Vec<Square>,
}

impl SquareArgs {
    /// Whether there are none.
    pub fn is_plain(&self) -> bool {
        self.place.is_empty() && self.block.is_empty()
    }
}

/// Saving a count, so that it survives.
#[derive(Debug, Args)]
pub struct JournalArgs {
    /// Save every finished part of the count in this file; a later run can go on from it
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Go on from the journal; begin it if there is none
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
    pub fn wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }
}

/// What the user names; `None` leaves it to the program. An alias, for clap takes a plain `Option`
/// for a flag that may be left out.
pub type Choice<T> = Option<T>;

/// Reads `auto`, which names nothing, or one of `names`.
pub fn choices<T: FromStr + Clone + Send + Sync + 'static>(
    names: impl IntoIterator<Item = PossibleValue>,
) -> impl TypedValueParser<Value = Choice<T>> {
    let names = std::iter::once(PossibleValue::new("auto")).chain(names);
    PossibleValuesParser::new(names).map(|name| name.parse().ok())
}

/// A number of bytes: digits, then K, M, G or T for powers of 1024.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let suffix = text[digits.len()..].to_ascii_uppercase();
    let power = ["", "K", "M", "G", "T"].iter().position(|unit| *unit == suffix);
    let power = power.ok_or("expected a number of bytes, or one with K, M, G or T")?;
    let number: u64 = digits.parse().map_err(|_| format!("found {digits:?}, expected digits"))?;
    number.checked_mul(1 << (10 * power)).ok_or_else(|| "more than 2^64 bytes".to_owned())
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
        value.parse().map_err(|_| format!("found '{text}', expected a time as 10s"))?;
    // A century, so that it can be added to any time of the clock.
    if value * seconds > 36_525.0 * 86_400.0 {
        return Err("found a time of more than a century".to_owned());
    }
    Duration::try_from_secs_f64(value * seconds).map_err(|error| error.to_string())
}
