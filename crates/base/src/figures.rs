//! Numbers as text for people: digits grouped, with a noun, or in a suitable unit.

/// The ending of a regular noun after `count`: nothing after 1, otherwise `s`.
pub fn s<N: From<u8> + PartialEq>(count: N) -> &'static str {
    if count == N::from(1) { "" } else { "s" }
}

/// `count` and its noun: `1 row`, `2,279,184 solutions`.
///
/// ```
/// use tallyboard::unstable::base::figures::counted;
/// assert_eq!(counted(1, "row") + " of " + &counted(2_000u64, "row"), "1 row of 2,000 rows");
/// ```
pub fn counted(count: impl TryInto<u128>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u128::MAX);
    format!("{} {noun}{}", grouped(count), s(count))
}

/// `value` with a comma between groups of three digits.
pub fn grouped(value: impl TryInto<u128>) -> String {
    let digits = value.try_into().unwrap_or(u128::MAX).to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

/// Bytes in whole mebibytes, rounded up: `1,536 MiB`; from ten gibibytes on in gibibytes: `305.8 GiB`.
pub fn mebibytes(bytes: u64) -> String {
    match bytes.div_ceil(1 << 20) {
        number @ ..10_240 => format!("{} MiB", grouped(number)),
        number => format!("{:.1} GiB", number as f64 / 1024.0),
    }
}

/// A share in percent: `12.3 %`.
pub fn percent(share: f64) -> String {
    // A share of -0.0001 is 0.0 %, not -0.0 %.
    let value = (share * 1000.0).round() / 10.0 + 0.0;
    format!("{value:.1} %")
}

/// A rate with a metric prefix, to which a unit is appended: `1.250 M `.
pub fn rate(per_second: f64) -> String {
    if per_second >= 1e15 {
        return about(per_second.log10()) + " ";
    }
    for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if per_second >= unit {
            return format!("{:.3} {prefix} ", per_second / unit);
        }
    }
    format!("{per_second:.1} ")
}

/// Seconds in a unit that suits them, to three digits: `1.23 s`, `45.6 ms`.
pub fn seconds(seconds: f64) -> String {
    let (value, unit) = match seconds.abs() {
        s if s >= 0.9995 || s == 0.0 => (seconds, "s"),
        s if s >= 0.9995e-3 => (seconds * 1e3, "ms"),
        s if s >= 0.9995e-6 => (seconds * 1e6, "µs"),
        _ => (seconds * 1e9, "ns"),
    };
    let digits = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    if value < 1000.0 { format!("{value:.digits$} {unit}") } else { rounded(value) + " " + unit }
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

fn time_of(of: &str, seconds: f64) -> String {
    let unit = unit_of(seconds);
    format!("{} {of} {}", in_unit(seconds, unit), unit.1)
}

/// An estimate of a time on one core with its 95 % interval, all in the unit of the estimate: `3.20 core hours (95 %
/// interval 0.87 to 6.26)`. A time that is known has no interval.
pub fn core_estimate(value: f64, low: f64, high: f64) -> String {
    if low == high {
        return core_time(value);
    }
    let [low, high] = [low, high].map(|end| in_unit(end, unit_of(value)));
    format!("{} (95 % interval {low} to {high})", core_time(value))
}

/// Seconds of a unit of time, and its name.
type Unit = (f64, &'static str);

fn unit_of(seconds: f64) -> Unit {
    const SECONDS: Unit = (1.0, "seconds");
    let long = [(3600.0, "hours"), (60.0, "minutes"), SECONDS];
    let short = [(1e-3, "milliseconds"), (1e-6, "microseconds")];
    long.into_iter().chain(short).find(|unit| seconds >= unit.0).unwrap_or(SECONDS)
}

fn in_unit(seconds: f64, unit: Unit) -> String {
    match seconds / unit.0 {
        number if number >= 100.0 => rounded(number),
        number => format!("{number:.2}"),
    }
}

/// At least three significant digits of a number from 100 on, grouped: `17,300`.
fn rounded(number: f64) -> String {
    let step = 10f64.powf((number.log10() - 3.0).floor().max(0.0));
    let number = (number / step).round() * step;
    // Above 10^15, an exponent is easier to read than digits.
    if number < 1e15 { grouped(number as u64) } else { about(number.log10()) }
}

/// A number, given by its logarithm since it may be larger than any float, to three significant digits:
/// `14,800,000`, or from 10^12 on `2.35 × 10^17`.
pub fn about(log10: f64) -> String {
    if !log10.is_finite() {
        return "0".to_owned();
    }
    if log10 < 12.0 {
        let number = 10_f64.powf(log10);
        let step = 10_f64.powf((log10 - 2.0).floor().max(0.0));
        return grouped(((number / step).round() * step) as u64);
    }
    let exponent = log10.floor();
    // Rounding may carry into the exponent: 9.996 is 1.00 × 10^1.
    let mantissa = (10_f64.powf(log10 - exponent) * 100.0).round() / 100.0;
    let (mantissa, exponent) =
        if mantissa >= 10.0 { (1.0, exponent + 1.0) } else { (mantissa, exponent) };
    format!("{mantissa:.2} × 10^{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_from_the_right_and_nouns_agree() {
        assert_eq!([92, 100_000, 2_279_184].map(grouped), ["92", "100,000", "2,279,184"]);
        assert_eq!([0, 1, 2].map(|n| counted(n, "row")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!(mebibytes((1 << 30) + 1), "1,025 MiB");
        assert_eq!(mebibytes(313_160 << 20), "305.8 GiB");
    }

    #[test]
    fn rates_have_a_prefix() {
        assert_eq!(rate(1_250_000.0), "1.250 M ");
        assert_eq!(rate(12.34), "12.3 ");
        assert_eq!(rate(3.4e22), "3.40 × 10^22 ");
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
