//! Figures as people read them.

use crate::scale::stats::Interval;

/// Seconds with a fitting unit and three or four digits: `1.23 s`, `45.6 ms`.
#[must_use]
pub fn seconds(s: f64) -> String {
    let (value, unit) = match s.abs() {
        a if a >= 1.0 || a == 0.0 => (s, "s"),
        a if a >= 1e-3 => (s * 1e3, "ms"),
        _ => (s * 1e6, "µs"),
    };
    let digits = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

/// A share in percent: `12.3 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    // A share of -0.0001 is 0.0 %, not -0.0 %.
    let value = (share * 1000.0).round() / 10.0 + 0.0;
    format!("{value:.1} %")
}

/// An interval with its ends shown by `show`, or a dash.
#[must_use]
pub fn interval(interval: Option<Interval>, show: impl Fn(f64) -> String) -> String {
    interval.map_or_else(|| "-".into(), |i| format!("{} to {}", show(i.low), show(i.high)))
}

/// Two digits behind the point.
#[must_use]
pub fn two(value: f64) -> String {
    format!("{value:.2}")
}

/// Something that may be missing, shown by `show`, or a dash.
#[must_use]
pub fn or_dash<T>(value: Option<T>, show: impl Fn(T) -> String) -> String {
    value.map_or_else(|| "-".into(), show)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_choose_their_unit() {
        let shown = [0.0, 123.4, 1.5, 0.0456, 0.000_012].map(seconds);
        assert_eq!(shown, ["0.00 s", "123 s", "1.50 s", "45.6 ms", "12.0 µs"]);
    }

    #[test]
    fn no_negative_zero() {
        assert_eq!(percent(-0.0001), "0.0 %");
        assert_eq!(percent(-0.012), "-1.2 %");
    }
}
