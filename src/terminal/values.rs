//! Flags and values that commands of several families take.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use tallyboard_base::{Kernel, UnknownName};

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
