//! Numbers as people read them.

/// `value` with a comma between groups of three digits.
pub fn grouped(value: impl Into<u128>) -> String {
    let digits = value.into().to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `value` as text, where readers of JSON that parse numbers as doubles would lose digits.
pub fn beyond_doubles(value: u128) -> Option<String> {
    (value > 1 << f64::MANTISSA_DIGITS).then(|| value.to_string())
}

/// A rate with a metric prefix: `1.25 M`.
pub fn rate(per_second: f64) -> String {
    if per_second >= 1e15 {
        return about(per_second.log10()) + " ";
    }
    for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if per_second >= unit {
            return format!("{:.3} {prefix}", per_second / unit);
        }
    }
    format!("{per_second:.1} ")
}

/// Time on one core in seconds, in the unit that suits it: `3.20 core hours`. Hours go on where
/// months would begin: that is what clusters charge.
pub fn core_time(seconds: f64) -> String {
    for (unit, name) in [(3600.0, "hours"), (60.0, "minutes")] {
        if seconds >= unit {
            let number = seconds / unit;
            let number = if number < 100.0 { format!("{number:.2}") } else { rounded(number) };
            return format!("{number} core {name}");
        }
    }
    let digits = if seconds < 1.0 { 4 } else { 2 };
    format!("{seconds:.digits$} core seconds")
}

/// At least three significant digits of a number from 100 on, grouped: `17,300`.
fn rounded(number: f64) -> String {
    let step = 10f64.powf((number.log10() - 3.0).floor().max(0.0));
    let number = (number / step).round() * step;
    // Past that nobody reads digits.
    if number < 1e15 { grouped(number as u64) } else { about(number.log10()) }
}

/// A number from its logarithm, for it may be larger than any float, to three significant digits:
/// `14,800,000`, and `2.35 × 10^17` where nobody would count the digits.
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
    fn digits_are_grouped_from_the_right() {
        assert_eq!(grouped(92_u32), "92");
        assert_eq!(grouped(2_279_184_u32), "2,279,184");
        assert_eq!(grouped(100_000_u32), "100,000");
    }

    #[test]
    fn rates_have_a_prefix() {
        assert_eq!(rate(1_250_000.0), "1.250 M");
        assert_eq!(rate(12.34), "12.3 ");
        assert_eq!(rate(3.4e22), "3.40 × 10^22 ");
    }

    #[test]
    fn logarithms_become_numbers() {
        assert_eq!(about(92_f64.log10()), "92");
        assert_eq!(about(14_772_512_f64.log10()), "14,800,000");
        assert_eq!(about(999_600_f64.log10()), "1,000,000");
        assert_eq!(about(2154.3), "2.00 × 10^2154");
        assert_eq!(about(15.9999), "1.00 × 10^16");
        assert_eq!(about(f64::NEG_INFINITY), "0");
    }

    #[test]
    fn core_time_has_a_unit() {
        assert_eq!(core_time(1.234), "1.23 core seconds");
        assert_eq!(core_time(5400.0), "1.50 core hours");
        assert_eq!(core_time(3600.0 * 151_834.0), "151,800 core hours");
        assert_eq!(core_time(3600.0 * 123.4), "123 core hours");
    }
}
