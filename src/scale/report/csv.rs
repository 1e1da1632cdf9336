//! One line a thread count, for spreadsheets.

use super::Report;
use crate::scale::forecast::Forecast;

/// Column names, in order.
const HEADER: &str = "threads,work,runs,mean,stddev,median,min,max,user,system,\
median_low,median_high,speedup,speedup_low,speedup_high,efficiency,serial_fraction,\
useful,slowdown,preempted,serial,gaps,tail,longest_piece,speedup_bound,predicted,cpu,helpers";

/// The points as CSV with a header line; a missing figure is an empty field.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = format!("{HEADER}\n");
    for p in &report.results {
        let losses = p.losses;
        let fields: Vec<Option<f64>> = vec![
            Some(p.threads as f64),
            Some(p.work),
            Some(p.times.len() as f64),
            Some(p.mean),
            p.stddev,
            Some(p.median),
            Some(p.min),
            Some(p.max),
            Some(p.user),
            Some(p.system),
            p.interval.map(|i| i.low),
            p.interval.map(|i| i.high),
            Some(p.speedup),
            p.speedup_interval.map(|i| i.low),
            p.speedup_interval.map(|i| i.high),
            Some(p.efficiency),
            p.serial_fraction,
            losses.map(|l| l.useful),
            losses.map(|l| l.slowdown),
            losses.map(|l| l.preempted),
            losses.map(|l| l.serial),
            losses.map(|l| l.gaps),
            losses.map(|l| l.tail),
            p.workers.as_ref().map(|w| w.longest()),
            report.forecast.as_ref().map(Forecast::bound),
            report.forecast.as_ref().and_then(|f| f.at(p.threads)).map(|there| there.seconds),
            Some(p.cpu),
            p.helpers,
        ];
        let shown: Vec<String> =
            fields.iter().map(|f| f.map_or_else(String::new, |v| v.to_string())).collect();
        out += &shown.join(",");
        out.push('\n');
    }
    out
}
