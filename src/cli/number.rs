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

/// A rate with a metric prefix: `1.25 M`.
pub fn rate(per_second: f64) -> String {
    for (unit, prefix) in [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if per_second >= unit {
            return format!("{:.3} {prefix}", per_second / unit);
        }
    }
    format!("{per_second:.1} ")
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
    }
}
