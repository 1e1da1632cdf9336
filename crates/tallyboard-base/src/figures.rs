//! Numbers as text for people: digits grouped, with a noun, or in a suitable unit.

/// The ending of a regular noun after `count`: nothing after 1, otherwise `s`.
pub fn plural_s<N: From<u8> + PartialEq>(count: N) -> &'static str {
    if count == N::from(1) { "" } else { "s" }
}

/// `count` and its noun: `1 row`, `2,279,184 solutions`.
///
/// # Panics
/// If `count` is negative.
///
/// ```
/// use tallyboard_base::figures::counted;
/// assert_eq!(counted(1, "row") + " of " + &counted(2_000u64, "row"), "1 row of 2,000 rows");
/// ```
pub fn counted(count: impl TryInto<u128>, noun: &str) -> String {
    let count = count.try_into().ok().expect("a count is not negative");
    format!("{} {noun}{}", grouped(count), plural_s(count))
}

/// `value` with a comma between groups of three digits.
///
/// # Panics
/// If `value` is negative.
pub fn grouped(value: impl TryInto<u128>) -> String {
    let digits = value.try_into().ok().expect("a count is not negative").to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

/// Bytes in whole mebibytes, rounded up: `1,536 MiB`; from ten gibibytes on in gibibytes: `305.8 GiB`.
pub fn memory_size(bytes: u64) -> String {
    match bytes.div_ceil(1 << 20) {
        number @ ..10_240 => format!("{} MiB", grouped(number)),
        number => format!("{:.1} GiB", number as f64 / 1024.0),
    }
}

/// As [`memory_size`], but in kibibytes below one mebibyte, rounded down: `48 KiB`.
pub fn small_memory_size(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { memory_size(bytes) }
}

/// As [`memory_size`], for a limit: rounded down, since it would promise memory that is not allowed if it were rounded
/// up.
pub fn memory_limit(bytes: u64) -> String {
    if bytes < 1 << 20 { counted(bytes, "byte") } else { memory_size(bytes >> 20 << 20) }
}

/// A share in percent: `12.3 %`.
pub fn percent(share: f64) -> String {
    // A share of -0.0001 is 0.0 %, not -0.0 %.
    let value = (share * 1000.0).round() / 10.0 + 0.0;
    format!("{value:.1} %")
}

/// The share of a unit from which on a number is written in that unit: 999.96 is 0.99996 k, which rounds to `1.000 k`.
const ROUNDED_UP: f64 = 0.99995;

/// A number with a metric prefix, for a unit to follow: `1.250 M`.
pub fn with_prefix(number: f64) -> String {
    if number >= 1e15 * ROUNDED_UP {
        return about(number.log10());
    }
    for (factor, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if number >= factor * ROUNDED_UP {
            return format!("{:.3} {prefix}", number / factor);
        }
    }
    format!("{number:.1}")
}

/// Seconds in a unit that suits them, to three digits, or four above 1,000: `1.23 s`, `45.6 ms`, `12,350 s`.
pub fn seconds(seconds: f64) -> String {
    // A value that rounds to 1.00 of a unit is written in that unit.
    let (value, unit) = match seconds.abs() {
        s if s >= 0.9995 || s == 0.0 => (seconds, "s"),
        s if s >= 0.9995e-3 => (seconds * 1e3, "ms"),
        s if s >= 0.9995e-6 => (seconds * 1e6, "µs"),
        _ => (seconds * 1e9, "ns"),
    };
    // 99.95 is the least that one decimal would round to a fourth digit, 9.995 the least that two would.
    let decimals = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    if value < 1000.0 { format!("{value:.decimals$} {unit}") } else { large(value) + " " + unit }
}

/// Time on one core in seconds, in the unit that suits it: `3.20 core hours`. Hours are the largest unit,
/// since clusters charge by them.
pub fn core_time(seconds: f64) -> String {
    time_of("core", seconds)
}

/// Time that one worker thread takes, waiting included, in seconds: `3.20 thread hours`.
pub fn thread_time(seconds: f64) -> String {
    time_of("thread", seconds)
}

/// Seconds in the unit that suits them, with the `owner` of the time before the unit.
fn time_of(owner: &str, seconds: f64) -> String {
    let (length, unit) = unit_of(seconds);
    format!("{} {owner} {unit}", short(seconds / length))
}

/// An estimate of a time on one core with its 95 % interval, all in the unit of the estimate: `3.20 core hours (95 %
/// interval 0.87 to 6.26)`. A time that is known has no interval.
pub fn core_estimate(value: f64, low: f64, high: f64) -> String {
    if low == high {
        return core_time(value);
    }
    let (length, _) = unit_of(value);
    let [low, high] = [low, high].map(|end| short(end / length));
    format!("{} (95 % interval {low} to {high})", core_time(value))
}

/// The unit that suits a time: its length in seconds, and its name.
fn unit_of(seconds: f64) -> (f64, &'static str) {
    const SECOND: (f64, &str) = (1.0, "seconds");
    const UNITS: [(f64, &str); 5] = [
        (3600.0, "hours"),
        (60.0, "minutes"),
        SECOND,
        (1e-3, "milliseconds"),
        (1e-6, "microseconds"),
    ];
    let fits = |(length, _): &(f64, &str)| seconds >= length * ROUNDED_UP;
    UNITS.into_iter().find(fits).unwrap_or(SECOND)
}

/// A number with two decimals below 100, and none above.
fn short(number: f64) -> String {
    // Two decimals would make 100.00 of the numbers just below 100.
    if number >= 99.995 { large(number) } else { format!("{number:.2}") }
}

/// A number without decimals, to four significant digits: `123`, `12,350`.
fn large(number: f64) -> String {
    // Above 10^15, an exponent is easier to read than digits.
    if number < 1e15 { significant(number, 4) } else { about(number.log10()) }
}

/// A number without decimals, to this many significant digits.
fn significant(number: f64, digits: u8) -> String {
    let step = 10_f64.powf((number.log10() - f64::from(digits - 1)).floor().max(0.0));
    grouped(((number / step).round() * step) as u64)
}

/// A number, given by its logarithm since it may be larger than any float, to three significant digits:
/// `14,800,000`, or from 10^12 on `2.35 × 10^17`.
pub fn about(log10: f64) -> String {
    rounded(log10, 3)
}

/// The number with this logarithm, to so many significant digits, at least one.
pub fn rounded(log10: f64, digits: u8) -> String {
    if !log10.is_finite() {
        return "0".to_owned();
    }
    if log10 < 12.0 {
        return significant(10_f64.powf(log10), digits);
    }
    let exponent = log10.floor();
    let decimals = usize::from(digits - 1);
    // Rounding may carry into the exponent: 9.996 is 1.00 × 10^1.
    let unit = 10_f64.powi(i32::from(digits) - 1);
    let mantissa = (10_f64.powf(log10 - exponent) * unit).round() / unit;
    let (mantissa, exponent) =
        if mantissa >= 10.0 { (1.0, exponent + 1.0) } else { (mantissa, exponent) };
    format!("{mantissa:.decimals$} × 10^{exponent}")
}

/// The significant digits that tell the ends of an interval apart, given by their logarithms: three, or more where they differ by less
/// than a hundredth.
pub fn digits_of_interval(low: f64, high: f64) -> u8 {
    let width = 10_f64.powf(high - low) - 1.0;
    // An interval of no width, or of one that a float does not hold, has no digit more to tell.
    if !(1e-9..0.01).contains(&width) {
        return 3;
    }
    (2.0 - width.log10().floor()) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right_and_nouns_agree() {
        assert_eq!([92, 100_000, 2_279_184].map(grouped), ["92", "100,000", "2,279,184"]);
        assert_eq!([0, 1, 2].map(|n| counted(n, "row")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!(memory_size((1 << 30) + 1), "1,025 MiB");
        assert_eq!(memory_size(313_160 << 20), "305.8 GiB");
        assert_eq!([48 << 10, 1 << 20].map(small_memory_size), ["48 KiB", "1 MiB"]);
        assert_eq!([1, (2 << 20) - 1].map(memory_limit), ["1 byte", "1 MiB"]);
    }

    #[test]
    fn ends_of_an_interval_have_the_digits_that_tell_them_apart() {
        let ends = |low: f64, high: f64| {
            let digits = digits_of_interval(low.log10(), high.log10());
            [low, high].map(|end| rounded(end.log10(), digits))
        };
        assert_eq!(ends(360_123.0, 367_321.0), ["360,000", "367,000"]);
        assert_eq!(ends(42_393_310.0, 42_435_020.0), ["42,393,300", "42,435,000"]);
        assert_eq!(ends(1.366_12e15, 1.366_98e15), ["1.36612 × 10^15", "1.36698 × 10^15"]);
        assert_eq!(ends(1e14, 1.02e14), ["1.00 × 10^14", "1.02 × 10^14"]);
        assert_eq!(ends(5e6, 5e6), ["5,000,000"; 2]);
    }

    #[test]
    fn rates_have_a_prefix() {
        assert_eq!(with_prefix(1_250_000.0), "1.250 M");
        assert_eq!(with_prefix(12.34), "12.3");
        assert_eq!(with_prefix(3.4e22), "3.40 × 10^22");
    }

    #[test]
    fn a_number_that_is_rounded_up_to_the_next_unit_is_written_in_it() {
        let rates = [999.94, 999.96, 999_999.7, 999_999_700.0, 999.9997e12].map(with_prefix);
        assert_eq!(rates, ["999.9", "1.000 k", "1.000 M", "1.000 G", "1.00 × 10^15"]);
        let hours = [99.994, 99.996].map(|hours| core_time(hours * 3600.0));
        assert_eq!(hours, ["99.99 core hours", "100 core hours"]);
        assert_eq!(core_time(0.999_97), "1.00 core seconds");
        assert_eq!(core_time(59.998), "1.00 core minutes");
    }

    #[test]
    #[should_panic(expected = "not negative")]
    fn negative_numbers_are_no_counts() {
        grouped(-1);
    }

    #[test]
    fn times_choose_their_unit_and_negative_zero_is_none() {
        let shown = [0.0, 12_345.0, 123.4, 1.5, 0.0456, 0.99996, 0.000_012, 4.2e-8].map(seconds);
        let expected =
            ["0.00 s", "12,350 s", "123 s", "1.50 s", "45.6 ms", "1.00 s", "12.0 µs", "42.0 ns"];
        assert_eq!(shown, expected);
        assert_eq!([-0.0001, -0.012].map(percent), ["0.0 %", "-1.2 %"]);
    }

    #[test]
    fn logarithms_become_numbers() {
        assert_eq!(about(92_f64.log10()), "92");
        assert_eq!(about(14_772_512_f64.log10()), "14,800,000");
        assert_eq!(about(999_600_f64.log10()), "1,000,000");
        assert_eq!([11.9, 12.0].map(about), ["794,000,000,000", "1.00 × 10^12"]);
        assert_eq!(about(2154.3), "2.00 × 10^2154");
        assert_eq!(about(15.9999), "1.00 × 10^16");
        assert_eq!(about(f64::NEG_INFINITY), "0");
    }

    #[test]
    fn core_time_has_a_unit() {
        assert_eq!(core_time(1.234), "1.23 core seconds");
        assert_eq!(core_time(0.0352), "35.20 core milliseconds");
        assert_eq!([2.5e-6, 0.0].map(core_time), ["2.50 core microseconds", "0.00 core seconds"]);
        assert_eq!(core_time(5400.0), "1.50 core hours");
        assert_eq!(core_time(3600.0 * 151_834.0), "151,800 core hours");
        assert_eq!(core_time(3600.0 * 123.4), "123 core hours");
        assert_eq!(thread_time(60.0), "1.00 thread minutes");
        let estimate = core_estimate(3.2 * 3600.0, 52.2 * 60.0, 6.26 * 3600.0);
        assert_eq!(estimate, "3.20 core hours (95 % interval 0.87 to 6.26)");
        assert_eq!(
            core_estimate(59.0, 10.0, 130.0),
            "59.00 core seconds (95 % interval 10.00 to 130)"
        );
        assert_eq!(core_estimate(1.5, 1.5, 1.5), "1.50 core seconds");
    }
}
