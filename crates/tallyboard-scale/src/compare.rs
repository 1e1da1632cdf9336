//! Compares reports of several machines, versions or settings, each with the first.

use serde::Serialize;

use super::cells::{Table, interval, two_decimals};
use super::report::{Point, Report, Subject};
use tallyboard_base::figures::{grouped, seconds};
use tallyboard_base::statistics::{Interval, ranks};

/// Upper bound on the probability that noise is called a difference in any row.
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

/// One thread count in the first report and in another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The index of the other report: 1 for the second.
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
    /// The thread counts that the first report shares with each other one, in their order.
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
        // The index of another report, the point of the first report, and that of the other.
        let mut matches: Vec<(usize, &Point, &Point)> = Vec::new();
        for point in &first.results {
            for (index, other) in (1..).zip(others) {
                matches.extend(other.point(point.threads).map(|other| (index, point, other)));
            }
        }
        let p_values = matches
            .iter()
            .map(|(_, point, other)| ranks::rank_test(&point.unit_times(), &other.unit_times()));
        let p_values = holm(p_values.collect());
        let pairs = matches.iter().zip(p_values);
        let pairs = pairs.map(|(&(index, point, other), p)| pair(index, point, other, p)).collect();
        let mut notes = Vec::new();
        for (number, other) in (2..).zip(others) {
            let differences = differences(first, other).into_iter();
            match others {
                [_] => notes.extend(differences),
                _ => notes.extend(differences.map(|note| format!("{number}: {note}"))),
            }
        }
        notes.extend(too_few_runs(&matches));
        Self { pairs, notes }
    }

    /// The pairs whose second is slower beyond chance, and by more than `share` of the first's time.
    pub fn slower_by_more_than(&self, share: f64) -> impl Iterator<Item = &Pair> {
        let slower = self.pairs.iter().filter(|pair| pair.verdict == Verdict::Slower);
        slower.filter(move |pair| pair.slowdown() > share)
    }

    /// The comparison as text; `names` are those of the reports.
    pub fn text(&self, names: &[String]) -> String {
        self.with_notes(names, Table::grid)
    }

    /// The same with the table in Markdown.
    pub fn markdown(&self, names: &[String]) -> String {
        self.with_notes(names, |table| format!("\n{}\n", table.markdown()))
    }

    fn with_notes(&self, names: &[String], table: fn(&Table) -> String) -> String {
        let notes: String = self.notes.iter().map(|note| format!("note: {note}\n")).collect();
        let reports: String = match names.len() {
            0..=2 => String::new(),
            _ => {
                names.iter().zip(1..).map(|(name, number)| format!("{number}: {name}\n")).collect()
            }
        };
        reports + &table(&self.table(names)) + &notes
    }

    /// The comparison as a table. If there are two reports, their names are the headers of their columns. If there are
    /// more, a column has the number of the other report.
    pub(crate) fn table(&self, names: &[String]) -> Table {
        let two_reports = names.len() <= 2;
        let interval_name = Interval::name_of(self.pairs.iter().find_map(|pair| pair.interval));
        let [first, other, ratio] = match names {
            [first, second] => [first, second, "second is"],
            _ => ["1", "other", "other is"],
        };
        let header =
            ["threads", first, "report", other, ratio, &interval_name, "p", "speed-ups", "verdict"];
        let rows = self.pairs.iter().map(|pair| {
            [
                grouped(pair.threads),
                seconds(pair.first),
                grouped(pair.other + 1),
                seconds(pair.second),
                format!("{} x as fast", two_decimals(pair.ratio)),
                interval(pair.interval, two_decimals),
                format!("{:.3}", pair.p),
                format!("{} / {}", two_decimals(pair.speedups.0), two_decimals(pair.speedups.1)),
                format!("{:?}", pair.verdict).to_lowercase(),
            ]
            .to_vec()
        });
        let mut table = Table::new(header.map(String::from).to_vec(), rows);
        if two_reports {
            const REPORT_COLUMN: usize = 2;
            table.0.iter_mut().for_each(|row| drop(row.remove(REPORT_COLUMN)));
        }
        table
    }
}

/// A point of the first report and one of the report with the index `other`; `p` is the adjusted p-value.
fn pair(other: usize, first_point: &Point, second_point: &Point, p: f64) -> Pair {
    let first = first_point.median / first_point.work;
    let second = second_point.median / second_point.work;
    let ratio = first / second;
    let interval = Interval::of_ratio(&first_point.unit_times(), &second_point.unit_times());
    let is_clear = p < MAX_FALSE_ALARM && interval.is_some_and(|interval| !interval.contains(1.0));
    let verdict = match is_clear {
        true if ratio > 1.0 => Verdict::Faster,
        true => Verdict::Slower,
        false => Verdict::Unclear,
    };
    let threads = first_point.threads;
    let speedups = (first_point.speedup, second_point.speedup);
    Pair { other, threads, first, second, ratio, interval, p, verdict, speedups }
}

/// Holm's adjustment: the smallest p-value is multiplied by the number of rows, the next by one less, and so on. An
/// adjusted value that is below the one before is raised to it.
fn holm(mut p_values: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = 0.0f64;
    for (rank, &index) in order.iter().enumerate() {
        adjusted = adjusted.max(p_values[index] * (order.len() - rank) as f64).min(1.0);
        p_values[index] = adjusted;
    }
    p_values
}

/// Notes on what differs between the reports apart from the times.
fn differences(first: &Report, second: &Report) -> Vec<String> {
    let Subject { scaling, kernel, pin, .. } = &first.subject;
    let other = &second.subject;
    let mut compared = vec![
        ("scaling", scaling.to_string(), other.scaling.to_string()),
        ("kernel", kernel.clone(), other.kernel.clone()),
        ("placement of workers", pin.to_string(), other.pin.to_string()),
        ("machine", machine(&first.subject), machine(other)),
        ("version", first.tallyboard.clone(), second.tallyboard.clone()),
    ];
    if !are_of_one_command(&first.subject, other) {
        compared.insert(0, ("problem", first.subject.problem.clone(), other.problem.clone()));
    }
    let mut notes = Vec::new();
    for (property, first, second) in compared {
        if first != second {
            notes.push(format!("the {property} differs: {first} / {second}"));
        }
    }
    let threads = |report: &Report| -> Vec<usize> {
        report.results.iter().map(|point| point.threads).collect()
    };
    let [first, second] = [first, second].map(threads);
    if first != second {
        notes.push(format!(
            "only thread counts that both have are compared: {first:?} / {second:?}"
        ));
    }
    notes
}

/// Whether both are values of the second parameter of one command. Their problems differ by the value then, which the
/// names of the reports tell.
fn are_of_one_command(first: &Subject, second: &Subject) -> bool {
    let parameters = first.parameter.as_ref().zip(second.parameter.as_ref());
    first.command == second.command
        && parameters.is_some_and(|(first, second)| first.name == second.name)
}

/// The machine, or where the times are from if it is unknown.
fn machine(subject: &Subject) -> String {
    let source = subject.source.as_ref();
    source.map_or_else(|| subject.machine.describe(), |source| source.describe())
}

/// A note if there are too few runs for any verdict, even where all runs of one report are faster than all of the other.
fn too_few_runs(matches: &[(usize, &Point, &Point)]) -> Option<String> {
    let rows = matches.len();
    let mut smallest = matches.iter().map(|(_, a, b)| smallest_p(a.times.len(), b.times.len()));
    smallest.any(|p| p * rows as f64 >= MAX_FALSE_ALARM).then(|| {
        format!(
            "too few runs for {rows} rows: chance could explain any difference; measure with more rounds (-r)"
        )
    })
}

/// The smallest p-value of the rank test of `n` runs against `m`: 2 over the number of ways to choose `m` of `n + m`.
fn smallest_p(n: usize, m: usize) -> f64 {
    let choices = (1..=m).fold(1.0, |product, i| product * (n + i) as f64 / i as f64);
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
        Report::new(Subject::example(), &series)
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

    /// By hand: the least of three is taken three times, the next twice, and none is less than one before it or over 1.
    #[test]
    fn p_values_of_several_rows_are_adjusted_in_their_order() {
        for (found, expected) in [
            (vec![], vec![]),
            (vec![0.03], vec![0.03]),
            (vec![0.5, 0.01, 0.02], vec![0.5, 0.03, 0.04]),
            (vec![0.04, 0.03, 0.03], vec![0.09, 0.09, 0.09]),
            (vec![0.7, 0.6], vec![1.0, 1.0]),
        ] {
            let adjusted = holm(found.clone());
            assert_eq!(adjusted.len(), expected.len());
            let pairs = adjusted.iter().zip(&expected);
            assert!(
                pairs.into_iter().all(|(a, b): (&f64, &f64)| (a - b).abs() < 1e-12),
                "{found:?}: {adjusted:?}"
            );
        }
    }
}
