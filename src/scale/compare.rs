//! Two reports side by side: two machines, two versions, two settings.

use serde::Serialize;

use super::report::table::{Table, interval, two};
use super::report::{Point, Report};
use crate::figures::{grouped, seconds};
use crate::statistics::{Interval, ranks};

/// Chance of calling noise a difference that is accepted over all rows together.
const ACCEPTED: f64 = 0.05;

/// What the runs allow to say about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The second is faster, beyond chance.
    Faster,
    /// The second is slower, beyond chance.
    Slower,
    /// Chance explains it.
    Unclear,
}

/// One thread count of both.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// Thread count.
    pub threads: usize,
    /// Median unit time of the first, in seconds.
    pub first: f64,
    /// Median unit time of the second, in seconds.
    pub second: f64,
    /// First over second: how many times as fast the second is.
    pub ratio: f64,
    /// Interval of the ratio, if the two were not run in turns; absent below three runs a side.
    pub interval: Option<Interval>,
    /// Rank test, adjusted for the number of rows (Holm).
    pub p: f64,
    /// Beyond chance only if the test says so and the interval excludes 1.
    pub verdict: Verdict,
    /// Speed-ups of both over their own single thread.
    pub speedups: (f64, f64),
}

impl Pair {
    /// How much longer the second takes, as a share of the first: 0.05 for 5 %.
    pub fn slowdown(&self) -> f64 {
        self.second / self.first - 1.0
    }
}

/// Two reports side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Thread counts that both have.
    pub pairs: Vec<Pair>,
    /// What else differs, and what the runs cannot tell.
    pub notes: Vec<String>,
}

impl Comparison {
    /// Compares `first` with `second`.
    pub fn of(first: &Report, second: &Report) -> Self {
        let matches: Vec<(&Point, &Point)> = first
            .results
            .iter()
            .filter_map(|a| Some((a, second.results.iter().find(|b| b.threads == a.threads)?)))
            .collect();
        let chances = matches.iter().map(|(a, b)| ranks::rank_test(&unit_times(a), &unit_times(b)));
        let chances = holm(chances.collect());
        let pairs = matches.iter().zip(chances).map(|((a, b), p)| pair(a, b, p)).collect();
        let mut notes = differences(first, second);
        notes.extend(too_few(&matches));
        Self { pairs, notes }
    }

    /// The pairs whose second takes longer beyond chance, and by more than `share` of the first.
    pub fn slower_by_more_than(&self, share: f64) -> impl Iterator<Item = &Pair> {
        let slower = move |pair: &&Pair| pair.slowdown() > share;
        self.pairs.iter().filter(|pair| pair.verdict == Verdict::Slower).filter(slower)
    }

    /// The comparison as text; `names` stand above the columns.
    pub fn table(&self, names: (&str, &str)) -> String {
        let interval_name = Interval::name_of(self.pairs.iter().find_map(|pair| pair.interval));
        let header =
            ["threads", names.0, names.1, "second is", &interval_name, "p", "speed-ups", "verdict"];
        let header = header.map(String::from).to_vec();
        let rows = self.pairs.iter().map(|pair| {
            [
                grouped(pair.threads),
                seconds(pair.first),
                seconds(pair.second),
                format!("{} x as fast", two(pair.ratio)),
                interval(pair.interval, two),
                format!("{:.3}", pair.p),
                format!("{} / {}", two(pair.speedups.0), two(pair.speedups.1)),
                format!("{:?}", pair.verdict).to_lowercase(),
            ]
        });
        let notes: String = self.notes.iter().map(|note| format!("note: {note}\n")).collect();
        Table::new(header, rows).grid() + &notes
    }
}

fn unit_times(point: &Point) -> Vec<f64> {
    point.times.iter().map(|t| t / point.work).collect()
}

fn pair(a: &Point, b: &Point, p: f64) -> Pair {
    let (first, second) = (a.median / a.work, b.median / b.work);
    let ratio = first / second;
    let interval = Interval::of_ratio(&unit_times(a), &unit_times(b));
    let verdict = match p < ACCEPTED && interval.is_some_and(|i| !i.contains(1.0)) {
        true if ratio > 1.0 => Verdict::Faster,
        true => Verdict::Slower,
        false => Verdict::Unclear,
    };
    let (threads, speedups) = (a.threads, (a.speedup, b.speedup));
    Pair { threads, first, second, ratio, interval, p, verdict, speedups }
}

/// Holm's adjustment: the smallest p counts as often as there are rows, the
/// next once less, and none may end below a smaller one.
fn holm(mut chances: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]));
    let mut floor = 0.0f64;
    for (rank, &at) in order.iter().enumerate() {
        floor = floor.max(chances[at] * (order.len() - rank) as f64).min(1.0);
        chances[at] = floor;
    }
    chances
}

fn differences(first: &Report, second: &Report) -> Vec<String> {
    let (a, b) = (&first.subject, &second.subject);
    let described = [
        ("problem", a.problem.clone(), b.problem.clone()),
        ("scaling", a.scaling.to_string(), b.scaling.to_string()),
        ("kernel", a.kernel.clone(), b.kernel.clone()),
        ("placement of workers", a.pin.to_string(), b.pin.to_string()),
        ("machine", a.machine.describe(), b.machine.describe()),
        ("version", first.tallyboard.clone(), second.tallyboard.clone()),
    ];
    let mut notes: Vec<String> = described
        .into_iter()
        .filter(|(_, a, b)| a != b)
        .map(|(what, a, b)| format!("the {what} differs: {a} / {b}"))
        .collect();
    let counts = |r: &Report| r.results.iter().map(|p| p.threads).collect::<Vec<_>>();
    if counts(first) != counts(second) {
        notes.push(format!(
            "only thread counts of both are compared: {:?} / {:?}",
            counts(first),
            counts(second)
        ));
    }
    notes
}

/// Says when even a complete separation would not be enough.
fn too_few(matches: &[(&Point, &Point)]) -> Option<String> {
    let worst = |(a, b): &(&Point, &Point)| {
        let (n, m) = (a.times.len() as f64, b.times.len());
        let splits = (1..=m).fold(1.0, |c, i| c * (n + i as f64) / i as f64);
        2.0 / splits * matches.len() as f64
    };
    matches.iter().any(|pair| worst(pair) >= ACCEPTED).then(|| {
        format!(
            "too few runs for {} rows: even if every run of one were faster, chance would explain it; measure with more runs (-r)",
            matches.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scale::measure::{Run, Series, Setting};
    use crate::scale::report::{Scaling, Subject};
    use crate::scale::topology::{Machine, Pin};

    fn report(seconds: f64, spread: f64, runs: usize) -> Report {
        let subject = Subject {
            problem: "example".into(),
            command: "example".into(),
            scaling: Scaling::Strong,
            kernel: "none".into(),
            pin: Pin::None,
            machine: Machine::here(),
            conditions: Default::default(),
        };
        let series: Vec<Series> = [1usize, 2, 4]
            .map(|threads| Series {
                setting: Setting::threads(threads),
                runs: (0..runs)
                    .map(|i| {
                        let wobble = 1.0 + spread * (i as f64 / runs as f64 - 0.5);
                        let wall = seconds / threads as f64 * wobble;
                        Run { wall, user: wall, system: 0.0, workers: None }
                    })
                    .collect(),
            })
            .to_vec();
        Report::new(subject, &series, None)
    }

    #[test]
    fn a_clear_difference_is_called_one() {
        let comparison = Comparison::of(&report(2.0, 0.02, 8), &report(1.0, 0.02, 8));
        assert_eq!(comparison.pairs.len(), 3);
        for pair in &comparison.pairs {
            assert!((pair.ratio - 2.0).abs() < 1e-9, "{pair:?}");
            assert_eq!(pair.verdict, Verdict::Faster);
            // 2 of C(16, 8) splits, three rows.
            assert!((pair.p - 3.0 * 2.0 / 12_870.0).abs() < 1e-9, "{pair:?}");
        }
        assert!(comparison.notes.is_empty(), "{:?}", comparison.notes);
        let turned = Comparison::of(&report(1.0, 0.02, 8), &report(2.0, 0.02, 8));
        assert!(turned.pairs.iter().all(|p| p.verdict == Verdict::Slower));
    }

    #[test]
    fn only_what_is_slower_beyond_chance_and_beyond_the_threshold_fails() {
        let by = |first: &Report, second: &Report, share| {
            Comparison::of(first, second).slower_by_more_than(share).count()
        };
        let (before, after) = (report(1.0, 0.01, 8), report(1.1, 0.01, 8));
        let slowdown = Comparison::of(&before, &after).pairs[0].slowdown();
        assert!((slowdown - 0.1).abs() < 1e-9, "{slowdown}");
        assert_eq!([0.0, 0.09, 0.11].map(|share| by(&before, &after, share)), [3, 3, 0]);
        assert_eq!(by(&after, &before, 0.05), 0, "faster is no failure");
        assert_eq!(by(&before, &before, 0.0), 0);
        let noise = (report(1.0, 0.9, 8), report(1.1, 0.9, 8));
        assert_eq!(by(&noise.0, &noise.1, 0.05), 0, "chance explains it");
    }

    #[test]
    fn equal_times_and_noise_are_not_called_a_difference() {
        for second in [report(1.0, 0.5, 9), report(1.03, 0.5, 9)] {
            let comparison = Comparison::of(&report(1.0, 0.5, 9), &second);
            assert!(comparison.pairs.iter().all(|p| p.verdict == Verdict::Unclear));
        }
    }

    #[test]
    fn too_few_runs_are_said_to_be_too_few() {
        let comparison = Comparison::of(&report(2.0, 0.02, 3), &report(1.0, 0.02, 3));
        assert!(comparison.pairs.iter().all(|p| p.verdict == Verdict::Unclear));
        assert!(comparison.notes[0].starts_with("too few runs for 3 rows"));
        assert!(comparison.table(("a", "b")).contains("note: too few runs"));
    }
}
