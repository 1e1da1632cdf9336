//! Compares reports of several machines, versions or settings, each with the first.

use serde::Serialize;

use super::cells::{Table, interval, two};
use super::report::{Point, Report, Subject};
use base::figures::{grouped, seconds};
use base::statistics::{Interval, ranks};

/// Upper bound on the chance that any row calls noise a difference.
const MAX_FALSE_ALARM: f64 = 0.05;

/// Whether the second of a pair is faster or slower.
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

/// One thread count of the first report and of another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The other report: 1 for the second.
    pub other: usize,
    /// Thread count.
    pub threads: usize,
    /// Median seconds of one unit of work of the first.
    pub first: f64,
    /// Median seconds of one unit of work of the other.
    pub second: f64,
    /// First over second: how many times as fast the other is.
    pub ratio: f64,
    /// Interval of the ratio; `None` below three runs a side.
    pub interval: Option<Interval>,
    /// p-value of the rank test, adjusted for the number of rows (Holm).
    pub p: f64,
    /// Faster or slower only if `p` is small and the interval excludes 1.
    pub verdict: Verdict,
    /// Speed-up of each report over its own single thread.
    pub speedups: (f64, f64),
}

impl Pair {
    /// How much longer the second takes, as a share of the first: 0.05 for 5 %.
    pub fn slowdown(&self) -> f64 {
        self.second / self.first - 1.0
    }
}

/// The comparison of several reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Thread counts that the first shares with another, by thread count.
    pub pairs: Vec<Pair>,
    /// Other differences between the reports, and whether there were too few runs.
    pub notes: Vec<String>,
}

impl Comparison {
    /// Compares the first of `reports` with each of the others.
    pub fn of(reports: &[Report]) -> Self {
        let Some((first, others)) = reports.split_first() else {
            return Self { pairs: Vec::new(), notes: Vec::new() };
        };
        let mut matches: Vec<(usize, &Point, &Point)> = Vec::new();
        for point in &first.results {
            for (at, other) in others.iter().enumerate() {
                let found = other.results.iter().find(|it| it.threads == point.threads);
                matches.extend(found.map(|other| (at + 1, point, other)));
            }
        }
        let p_values =
            matches.iter().map(|(_, a, b)| ranks::rank_test(&unit_times(a), &unit_times(b)));
        let p_values = holm(p_values.collect());
        let pairs =
            matches.iter().zip(p_values).map(|(&(at, a, b), p)| pair(at, a, b, p)).collect();
        let mut notes = Vec::new();
        for (number, other) in (2..).zip(others) {
            let found = differences(first, other).into_iter();
            match others {
                [_] => notes.extend(found),
                _ => notes.extend(found.map(|note| format!("{number}: {note}"))),
            }
        }
        notes.extend(too_few(&matches));
        Self { pairs, notes }
    }

    /// The pairs whose second is slower beyond chance, and by more than `share` of the first's time.
    pub fn slower_by_more_than(&self, share: f64) -> impl Iterator<Item = &Pair> {
        let slower = self.pairs.iter().filter(|pair| pair.verdict == Verdict::Slower);
        slower.filter(move |pair| pair.slowdown() > share)
    }

    /// The comparison as text; `names` are those of the reports.
    pub fn text(&self, names: &[String]) -> String {
        let notes: String = self.notes.iter().map(|note| format!("note: {note}\n")).collect();
        let reports: String = match names.len() {
            0..=2 => String::new(),
            _ => names.iter().zip(1..).map(|(name, at)| format!("{at}: {name}\n")).collect(),
        };
        reports + &self.table(names).grid() + &notes
    }

    /// The comparison as a table. Two reports have their names above their columns; of more, each row has the number of
    /// the other report.
    pub(crate) fn table(&self, names: &[String]) -> Table {
        let two_reports = names.len() <= 2;
        let name = Interval::name_of(self.pairs.iter().find_map(|pair| pair.interval));
        let [first, other, is] = match names {
            [first, second] => [first, second, "second is"],
            _ => ["1", "other", "other is"],
        };
        let header = ["threads", first, "report", other, is, &name, "p", "speed-ups", "verdict"];
        let rows = self.pairs.iter().map(|pair| {
            [
                grouped(pair.threads),
                seconds(pair.first),
                grouped(pair.other + 1),
                seconds(pair.second),
                format!("{} x as fast", two(pair.ratio)),
                interval(pair.interval, two),
                format!("{:.3}", pair.p),
                format!("{} / {}", two(pair.speedups.0), two(pair.speedups.1)),
                format!("{:?}", pair.verdict).to_lowercase(),
            ]
            .to_vec()
        });
        let mut table = Table::new(header.map(String::from).to_vec(), rows);
        if two_reports {
            table.0.iter_mut().for_each(|row| drop(row.remove(2)));
        }
        table
    }
}

fn unit_times(point: &Point) -> Vec<f64> {
    point.times.iter().map(|t| t / point.work).collect()
}

fn pair(other: usize, a: &Point, b: &Point, p: f64) -> Pair {
    let first = a.median / a.work;
    let second = b.median / b.work;
    let ratio = first / second;
    let interval = Interval::of_ratio(&unit_times(a), &unit_times(b));
    let verdict = match p < MAX_FALSE_ALARM && interval.is_some_and(|i| !i.contains(1.0)) {
        true if ratio > 1.0 => Verdict::Faster,
        true => Verdict::Slower,
        false => Verdict::Unclear,
    };
    let speedups = (a.speedup, b.speedup);
    Pair { other, threads: a.threads, first, second, ratio, interval, p, verdict, speedups }
}

/// Holm's adjustment: the smallest p-value is multiplied by the number of rows, the next by one less, and so on. None
/// may end below the one before.
fn holm(mut p_values: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut floor = 0.0f64;
    for (rank, &at) in order.iter().enumerate() {
        floor = floor.max(p_values[at] * (order.len() - rank) as f64).min(1.0);
        p_values[at] = floor;
    }
    p_values
}

/// Notes on what differs between the reports apart from the times.
fn differences(first: &Report, second: &Report) -> Vec<String> {
    let a = &first.subject;
    let b = &second.subject;
    // With a second parameter the problems of one command differ by its value, which the names tell.
    let parameters = a.parameter.as_ref().zip(b.parameter.as_ref());
    let are_of_one_command =
        a.command == b.command && parameters.is_some_and(|(a, b)| a.name == b.name);
    let described = [
        ("scaling", a.scaling.to_string(), b.scaling.to_string()),
        ("kernel", a.kernel.clone(), b.kernel.clone()),
        ("placement of workers", a.pin.to_string(), b.pin.to_string()),
        ("machine", machine(a), machine(b)),
        ("version", first.tallyboard.clone(), second.tallyboard.clone()),
    ];
    let problems = ("problem", a.problem.clone(), b.problem.clone());
    let problems = Some(problems).filter(|_| !are_of_one_command);
    let mut notes: Vec<String> = problems
        .into_iter()
        .chain(described)
        .filter(|(_, a, b)| a != b)
        .map(|(what, a, b)| format!("the {what} differs: {a} / {b}"))
        .collect();
    let [one, other] =
        [first, second].map(|it| it.results.iter().map(|p| p.threads).collect::<Vec<_>>());
    if one != other {
        notes.push(format!("only thread counts that both have are compared: {one:?} / {other:?}"));
    }
    notes
}

/// The machine, or where the times are from if it is unknown.
fn machine(subject: &Subject) -> String {
    let source = subject.source.as_ref();
    source.map_or_else(|| subject.machine.describe(), |source| source.describe())
}

/// A note if there are too few runs for any verdict, even if all runs of one report were faster than all of the other.
fn too_few(matches: &[(usize, &Point, &Point)]) -> Option<String> {
    let rows = matches.len();
    let mut least_p = matches.iter().map(|(_, a, b)| least_p(a.times.len(), b.times.len()));
    least_p.any(|p| p * rows as f64 >= MAX_FALSE_ALARM).then(|| {
        format!(
            "too few runs for {rows} rows: chance could explain any difference; measure with more rounds (-r)"
        )
    })
}

/// The smallest p-value of the rank test of `n` runs against `m`: 2 over the ways to choose `m` of all.
fn least_p(n: usize, m: usize) -> f64 {
    let choices = (1..=m).fold(1.0, |c, i| c * (n + i) as f64 / i as f64);
    2.0 / choices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Run, Series, Setting};
    use crate::report::Parameter;

    fn report(seconds: f64, spread: f64, runs: usize) -> Report {
        let series: Vec<Series> = [1usize, 2, 4]
            .map(|threads| Series {
                setting: Setting::threads(threads),
                runs: (0..runs)
                    .map(|i| {
                        let wobble = 1.0 + spread * (i as f64 / runs as f64 - 0.5);
                        let wall = seconds / threads as f64 * wobble;
                        Run { wall, user: wall, ..Run::default() }
                    })
                    .collect(),
            })
            .to_vec();
        Report::new(Subject::example(), &series, None)
    }

    #[test]
    fn a_clear_difference_is_called_one() {
        let comparison = Comparison::of(&[report(2.0, 0.02, 8), report(1.0, 0.02, 8)]);
        assert_eq!(comparison.pairs.len(), 3);
        for pair in &comparison.pairs {
            assert!((pair.ratio - 2.0).abs() < 1e-9, "{pair:?}");
            assert_eq!(pair.verdict, Verdict::Faster);
            // 2 of C(16, 8) splits, three rows.
            assert!((pair.p - 3.0 * 2.0 / 12_870.0).abs() < 1e-9, "{pair:?}");
        }
        assert!(comparison.notes.is_empty(), "{:?}", comparison.notes);
        let turned = Comparison::of(&[report(1.0, 0.02, 8), report(2.0, 0.02, 8)]);
        assert!(turned.pairs.iter().all(|p| p.verdict == Verdict::Slower));
    }

    #[test]
    fn only_what_is_slower_beyond_chance_and_beyond_the_threshold_fails() {
        let by = |first: &Report, second: &Report, share| {
            Comparison::of(&[first.clone(), second.clone()]).slower_by_more_than(share).count()
        };
        let (before, after) = (report(1.0, 0.01, 8), report(1.1, 0.01, 8));
        let slowdown = Comparison::of(&[before.clone(), after.clone()]).pairs[0].slowdown();
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
            let comparison = Comparison::of(&[report(1.0, 0.5, 9), second]);
            assert!(comparison.pairs.iter().all(|p| p.verdict == Verdict::Unclear));
        }
    }

    #[test]
    fn each_of_several_is_compared_with_the_first() {
        let reports = [report(2.0, 0.02, 9), report(1.0, 0.02, 9), report(2.0, 0.5, 9)];
        let comparison = Comparison::of(&reports);
        let found: Vec<_> = comparison.pairs.iter().map(|p| (p.threads, p.other)).collect();
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2)]);
        let verdicts: Vec<Verdict> = comparison.pairs.iter().map(|p| p.verdict).collect();
        assert_eq!(verdicts[..2], [Verdict::Faster, Verdict::Unclear]);
        // 2 of C(18, 9) splits, six rows.
        assert!((comparison.pairs[0].p - 6.0 * 2.0 / 48_620.0).abs() < 1e-9, "{comparison:?}");
        let text = comparison.text(&["a", "b", "c"].map(String::from));
        assert!(text.starts_with("1: a\n2: b\n3: c\nthreads"), "{text}");
        assert!(text.contains("\n      1  2.00 s       2  999 ms"), "{text}");
        assert!(Comparison::of(&reports[..1]).pairs.is_empty());
    }

    #[test]
    fn speedups_and_differences_stand_in_the_order_of_the_reports() {
        let first = report(1.0, 0.02, 8);
        let mut second = report(1.0, 0.02, 8);
        second.results[1].speedup = 1.5;
        second.subject.kernel = "other".into();
        let both = Comparison::of(&[first.clone(), second.clone()]);
        assert!((both.pairs[1].speedups.0 - 2.0).abs() < 1e-9, "{both:?}");
        assert_eq!(both.pairs[1].speedups.1, 1.5);
        assert_eq!(both.notes, ["the kernel differs: none / other"]);
        // Values of one parameter make other problems, which need no note.
        let valued = |mut report: Report, value: &str| {
            report.subject.parameter =
                Some(Parameter { name: "level".into(), value: value.into() });
            report.subject.problem = format!("example {value}");
            report
        };
        let values = [valued(first.clone(), "1"), valued(first.clone(), "9")];
        assert_eq!(Comparison::of(&values).notes, [""; 0]);
        let notes = Comparison::of(&[first, valued(second, "9")]).notes;
        assert_eq!(notes[0], "the problem differs: example / example 9");
    }

    #[test]
    fn too_few_runs_are_said_to_be_too_few() {
        let comparison = Comparison::of(&[report(2.0, 0.02, 3), report(1.0, 0.02, 3)]);
        assert!(comparison.pairs.iter().all(|p| p.verdict == Verdict::Unclear));
        assert!(comparison.notes[0].starts_with("too few runs for 3 rows"));
        assert!(comparison.text(&["a".to_owned(), "b".to_owned()]).contains("note: too few runs"));
    }
}
