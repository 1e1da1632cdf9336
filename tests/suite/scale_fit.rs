//! Promise: `scale fit` reads the times that other tools measured, gives them the laws that they have, and says of a bad
//! file what is wrong and where.
//!
//! `tests/data/points` has files that hyperfine, Google Benchmark and criterion made: `ci/points.sh`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tallyboard_base::random::Random;
use tallyboard_scale::forms::{data, html, text};
use tallyboard_scale::laws::{Curve, Law, fit};
use tallyboard_scale::points::{self, ReadOptions, Unit};
use tallyboard_scale::report::{Report, Scaling};
use tallyboard_scale::sentence::Topic;

use crate::common::golden;
use crate::common::runs::Folder;

fn fitted(text: &str, choice: &ReadOptions) -> Result<Vec<Report>, String> {
    let found = points::read(text, choice).and_then(|it| points::reports("file", it));
    found.map_err(|error| error.to_string())
}

fn one(text: &str) -> Report {
    let [report] = fitted(text, &ReadOptions::default()).unwrap().try_into().unwrap();
    Report { tallyboard: "0.0.0".to_owned(), ..report }
}

fn contention(report: &Report, law: Law) -> f64 {
    let mut fits = report.models.iter().filter_map(|it| it.fit());
    fits.find(|it| it.curve.law == law).unwrap().curve.contention
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
}

/// Amdahl's law by Cramer's rule: `t = a / p + b` with residuals relative to `t`; the serial fraction is `b / (a + b)`.
fn serial_fraction(points: &[(f64, f64)]) -> f64 {
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(p, t)| of(p, t)).sum::<f64>();
    let aa = sum(&|p, t| 1.0 / (p * t * p * t));
    let ab = sum(&|p, t| 1.0 / (p * t * t));
    let bb = sum(&|_, t| 1.0 / (t * t));
    let a1 = sum(&|p, t| 1.0 / (p * t));
    let b1 = sum(&|_, t| 1.0 / t);
    let determinant = aa * bb - ab * ab;
    let a = (a1 * bb - b1 * ab) / determinant;
    let b = (aa * b1 - ab * a1) / determinant;
    b / (a + b)
}

fn middle(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let half = times.len() / 2;
    if times.len() % 2 == 1 { times[half] } else { (times[half - 1] + times[half]) / 2.0 }
}

/// Ten seconds, a fifth of them serial.
const FIFTH: &str = "threads,time\n1,10\n2,6\n4,4\n8,3\n";

#[test]
fn a_fit_is_the_one_worked_out_by_hand() {
    let report = one(FIFTH);
    near(contention(&report, Law::Amdahl), 0.2);
    near(contention(&report, Law::Universal), 0.2);
    let fit = report.best_fit().unwrap();
    near(fit.curve.one, 10.0);
    // T(16) = 2 + 8 / 16.
    near(fit.predictions[0].seconds, 2.5);
    near(report.results[3].speedup, 10.0 / 3.0);
    near(report.results[3].efficiency, 10.0 / 24.0);
    near(report.results[3].serial_fraction.unwrap(), 0.2);
    assert_eq!((report.results[3].speedup_interval, fit.contention_interval), (None, None));
    // Points that are on no curve.
    let off = one("threads,time\n1,9\n2,7\n4,4\n16,3\n");
    let points = [(1.0, 9.0), (2.0, 7.0), (4.0, 4.0), (16.0, 3.0)];
    near(contention(&off, Law::Amdahl), serial_fraction(&points));
    golden::check("points/fifth.txt", &text::render(&report));
}

/// A time of each thread count has no spread, and a file of times alone no processor time.
#[test]
fn figures_that_are_unknown_are_left_out() {
    let report = one(FIFTH);
    let table = text::render(&report);
    assert!(!table.contains("± 0"), "{table}");
    let document: Value =
        serde_json::from_str(&data::write(std::slice::from_ref(&report)).unwrap()).unwrap();
    let point = &document["results"][1];
    for key in ["user", "system", "cpu"] {
        assert_eq!(point.get(key), Some(&Value::Null), "{key}");
        let csv = data::csv(std::slice::from_ref(&report));
        let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let at = lines.next().unwrap().iter().position(|name| *name == key).unwrap();
        assert!(lines.all(|fields| fields[at].is_empty()), "{csv}");
    }
    assert_eq!(document["models"][0].get("errors"), Some(&Value::Null));
    let again = data::read(&data::write(std::slice::from_ref(&report)).unwrap()).unwrap();
    assert_eq!(again[0].models, report.models);
    let repeated = one(&(FIFTH.to_owned() + &FIFTH[13..] + &FIFTH[13..]));
    let table = text::render(&repeated);
    assert!(table.contains("contention 20.0 % ± 0.0 %"), "{table}");
}

/// By Gustafson's law with half the time serial, p threads do p times the work in T(1) p / (p - (p - 1) / 2).
#[test]
fn a_weak_law_foretells_the_time_of_all_the_work() {
    let weak = ReadOptions { scaling: Some(Scaling::Weak), ..ReadOptions::default() };
    let mut text = "threads,time\n".to_owned();
    for threads in [1.0, 2.0, 4.0] {
        text += &format!("{threads},{}\n", 10.0 * threads / (threads - (threads - 1.0) / 2.0));
    }
    let [report] = fitted(&text, &weak).unwrap().try_into().unwrap();
    // 80 / 4.5 and 160 / 8.5.
    let table = text::render(&report);
    assert!(table.contains("8 threads: 17.8 s (-)") && table.contains("16 threads: 18.8 s (-)"));
    assert!(table.contains("8 threads take 17.8 s (speed-up 4.50) and 16 threads take 18.8 s"));
    let repeated: String = text.lines().skip(1).map(|row| format!("{row}\n{row}\n")).collect();
    let [report] = fitted(&(text + &repeated), &weak).unwrap().try_into().unwrap();
    let table = text::render(&report);
    assert!(table.contains("8 threads: 17.8 s (17.8 s to 17.8 s)"), "{table}");
}

#[test]
fn repetitions_give_intervals_of_independent_runs() {
    let mut text = String::from("run;jobs;time_ms\n");
    for (threads, times) in [(1, [1000, 1010, 1040]), (2, [500, 520, 540]), (4, [260, 250, 270])] {
        for (run, time) in times.iter().enumerate() {
            text += &format!("{run};{threads};{time}\n");
        }
    }
    let report = one(&text);
    let two = &report.results[1];
    near(two.median, 0.52);
    near(two.speedup, 1.01 / 0.52);
    // All nine ratios: three runs a side leave none out.
    let interval = two.speedup_interval.unwrap();
    near(interval.low, 1.0 / 0.54);
    near(interval.high, 1.04 / 0.5);
    assert_eq!(report.results[0].speedup_interval, None);
    let fit = report.models[0].fit().unwrap();
    assert!(fit.contention_interval.unwrap().contains(fit.curve.contention));
}

/// "About the same with every number of threads" was said of serial fractions from 26.6 % down to 3.0 %.
fn falling_serial_fractions_tell_a_cost_of_several_threads(cause: impl Fn(&str) -> String) {
    // With p threads 10 (1.4 / p + 0.01 (p - 1) / p): most is lost with two threads already.
    let cost = cause("threads,time\n1,10\n2,7.05\n4,3.575\n8,1.8375\n");
    let start = "Main cause, as far as times tell: a cost that several threads have and one has not, since the serial fraction falls, from 41.0 % with 2 threads to 6.7 % with 8.";
    assert!(cost.starts_with(start), "{cost}");
    // A serial part of a tenth and a cost of a tenth: 10 (1.1 / p + 0.1 (p - 1) / p).
    let both = cause("threads,time\n1,10\n2,6\n4,3.5\n16,1.625\n");
    assert!(
        both.contains(
            "a serial part, 10.7 % of the work (at most: it falls, from 20.0 % with 2 threads to 10.7 % with 16)"
        ),
        "{both}"
    );
    let wavers = cause("threads,time\n1,10\n2,5.5\n4,5\n16,1.5\n");
    assert!(
        wavers.contains("(between 9.3 % and 33.3 % with the numbers of threads measured)"),
        "{wavers}"
    );
}

#[test]
fn times_alone_tell_a_serial_part_from_overhead_that_grows() {
    let cause = |text: &str| {
        let report = one(text);
        let cause = report.explanation.iter().find(|it| it.topic == Topic::MainCause);
        cause.map_or_else(String::new, ToString::to_string)
    };
    let serial = cause(FIFTH);
    let start =
        "Main cause, as far as times tell: a serial part, 20.0 % of the work (about the same with";
    assert!(serial.starts_with(start), "{serial}");
    // 1/20, 1/10 and 1/5 of the work: T(p) = 10 (f + (1 - f) / p).
    let grows = cause("threads,time\n1,10\n2,5.25\n4,3.25\n8,3\n");
    let start = "Main cause, as far as times tell: overhead that grows with the threads, as the serial fraction does, from 5.0 % with 2 threads to 20.0 % with 8.";
    assert!(grows.starts_with(start), "{grows}");
    assert_eq!(cause("threads,time\n1,10\n2,5.1\n4,2.6\n8,1.35\n"), "");
    // Half more than a tenth of the work is the limit, and an efficiency of 90 %.
    let at_most = cause("threads,time\n1,10\n2,5.5\n8,2.55375\n");
    assert!(at_most.contains("a serial part, 14.9 % of the work"), "{at_most}");
    let more = cause("threads,time\n1,10\n2,5.5\n8,2.57125\n");
    assert!(more.contains("overhead that grows") && more.contains("to 15.1 % with 8."), "{more}");
    falling_serial_fractions_tell_a_cost_of_several_threads(cause);
    let efficient = |share: f64| cause(&format!("threads,time\n1,10\n8,{}\n", 10.0 / 8.0 / share));
    assert_eq!(efficient(0.901), "");
    assert!(efficient(0.899).contains("(from one step)"), "{}", efficient(0.899));
    let report = one(FIFTH);
    let text = text::render(&report);
    assert!(text.contains("times alone do not tell it") && !text.contains("machine "), "{text}");
    let page = html::render(std::slice::from_ref(&report), &[]);
    assert!(page.contains("times measured elsewhere: file (CSV)") && !page.contains("Meanwhile"));
    assert!(page.contains("Fitted by tallyboard 0.0.0 to file"), "{page}");
    assert!(data::csv(&[report]).contains("times alone do not tell it"));
}

#[test]
fn units_columns_and_curves_are_those_asked_for() {
    let with = |text: &str, choice: ReadOptions| fitted(text, &choice).unwrap();
    let seconds = |text: &str, unit| {
        let choice = ReadOptions { unit, ..ReadOptions::default() };
        with(text, choice)[0].results[0].median
    };
    for (header, unit, expected) in [
        ("time", None, 9.0),
        ("time_ms", None, 9e-3),
        ("time (us)", None, 9e-6),
        ("Time [ns]", None, 9e-9),
        ("time", Some(Unit::Minutes), 540.0),
        ("time", Some(Unit::Milliseconds), 9e-3),
        // The option wins.
        ("time_ms", Some(Unit::Seconds), 9.0),
    ] {
        near(seconds(&format!("threads,{header}\n1,9\n2,5\n"), unit), expected);
    }
    let text = "\u{feff}size,t,cpus,x\r\n\"1,5\",9,1,3\r\n\"1,5\",5,2,2\r\n# a remark\r\n7,8,1,1\r\n7,2,2,1\r\n";
    let name = |name: &str| Some(name.to_owned());
    let choice = ReadOptions { time: name("T"), curve: name("size"), ..ReadOptions::default() };
    let reports = with(text, choice.clone());
    let values = reports.iter().map(|it| it.subject.parameter.as_ref().unwrap().value.as_str());
    assert_eq!(values.collect::<Vec<_>>(), ["1,5", "7"]);
    near(reports[1].results[1].speedup, 4.0);
    let threads = ReadOptions { threads: name("x"), ..choice };
    let error = fitted(text, &threads).unwrap_err();
    assert!(
        error.contains("found 1 threads a second time (first in line 5) with another cpus"),
        "{error}"
    );
    let weak = with(FIFTH, ReadOptions { scaling: Some(Scaling::Weak), ..ReadOptions::default() });
    assert_eq!((weak[0].subject.scaling, weak[0].models.len()), (Scaling::Weak, 1));
    near(weak[0].results[1].speedup, 2.0 * 10.0 / 6.0);
}

#[test]
fn a_bad_file_is_refused_with_line_found_and_expected() {
    let hyperfine = |result: &str| format!("{{\n\"results\": [\n{result}\n]}}");
    let google =
        |benchmark: &str| format!("{{\"context\": {{}},\n\"benchmarks\": [\n{benchmark}]}}");
    let cases = [
        ("", "found nothing, expected thread counts and times"),
        (
            "a,b\n1,2\n",
            "line 1: found the columns a, b, expected one of thread counts, such as threads (name it with --threads-column) and one of times",
        ),
        ("threads,b\n1,2\n", "line 1: found the columns threads, b, expected one of times"),
        ("threads,time\n", "found no time (CSV), expected times with one thread and with more"),
        ("{\"results\": []}", "found no time (hyperfine), expected times with one thread"),
        ("threads,time\n1,10\n", "line 2: found one thread count, 1, expected two or more"),
        ("threads,time\n1,10\n2,0\n", "line 3: found 0 as time, expected a time above 0"),
        (
            "threads,time\n1,1e160\n2,5\n",
            "line 2: found 1e160 s as time, expected a time of 1e-15 to",
        ),
        (
            "threads,time\n1,10\n2,1e-170\n",
            "line 3: found 1e-170 s as time, expected a time of 1e-15",
        ),
        ("threads,time\n1,10\n2,-5\n", "line 3: found -5 as time, expected a time above 0"),
        ("threads,time\n1,10\n2,NaN\n", "line 3: found NaN as time, expected a time above 0"),
        (
            "threads,time\n1,10\n2,6\n4,4\n4,5\n",
            "line 5: found 4 threads a second time (first in line 4) and 1 once (line 2), expected each",
        ),
        ("threads\ttime\n1\t10\n2\tx\n", "line 3: found 'x' as time, expected a number"),
        ("threads,time\n1,10\n\n2,5 d\n", "line 4: found the unit 'd' of time, expected ns, us"),
        ("threads,time\n1,10\n0,5\n", "line 3: found '0' as threads, expected a whole number"),
        ("threads,time\n1,10\n2.5,5\n", "line 3: found '2.5' as threads, expected a whole"),
        ("threads,time\n1,10\n2\n", "line 3: found 1 fields, expected 2 as in the header"),
        ("threads,time\n1,\"10\n2,5\n", "line 2: found a quote that is never closed"),
        (
            "size,threads,time\n5,1,10\n5,2,6\n9,2,7\n",
            "line 4: found 2 threads a second time (first in line 3) with another size, expected one curve",
        ),
        (
            "Matrix size,threads,time\n5,1,10\n5,2,6\n9,2,7\n",
            "line 4: found 2 threads a second time (first in line 3) with another matrix size, expected one curve: tell the curves apart with --curve 'matrix size', or",
        ),
        ("{\"results\": [}", "line 1: found no JSON"),
        (
            "{\"other\": 1}",
            "line 1: found an object with `other`, expected JSON of criterion, go test",
        ),
        ("{\"tallyboard\": \"1\"}", "found a report of scale, expected times measured by another"),
        ("{\"reason\": \"group-complete\"}", "found no line with the reason benchmark-complete"),
    ];
    for (text, expected) in cases {
        let found = fitted(text, &ReadOptions::default()).unwrap_err();
        assert!(found.starts_with(expected), "{text}: {found}, not {expected}");
    }
    let results = [
        (
            "{\"mean\": 1}",
            "line 3: found no time with a thread count, since a result has no thread count: run",
        ),
        ("{\"parameters\": {\"threads\": \"1\"}}", "line 3: found no `mean` among `parameters`"),
        (
            "{\"parameters\": {\"a\": \"1\", \"b\": \"2\"}, \"mean\": 1}",
            "line 3: found no time with a thread count, since a result has no thread count among a, b",
        ),
        (
            "{\"parameters\": {\"threads\": \"x\"}, \"mean\": 1}",
            "line 3: found 'x' as the parameter",
        ),
        (
            "{\"parameters\": {\"threads\": \"1\"}, \"times\": [1, 0]}",
            "line 3: found 0 as a time, expected a time above 0",
        ),
        (
            "{\"parameters\": {\"threads\": \"1\"}, \"mean\": 1},\n{\"parameters\": {\"threads\": \"1\"}, \"mean\": 2}",
            "line 4: found 1 threads a second time (first in line 3), expected each",
        ),
    ];
    for (result, expected) in results {
        let found = fitted(&hyperfine(result), &ReadOptions::default()).unwrap_err();
        assert!(found.starts_with(expected), "{result}: {found}, not {expected}");
    }
    let benchmarks = [
        ("", "found no time (Google Benchmark), expected times with one thread"),
        ("{\"threads\": 2}", "line 3: found no `name` among `threads`"),
        (
            "{\"name\": \"a\", \"threads\": 2, \"real_time\": 5, \"time_unit\": \"h\"}",
            "line 3: found \"h\" as `time_unit`, expected ns, us, ms or s",
        ),
        (
            "{\"name\": \"a\", \"threads\": 1, \"real_time\": 5}",
            "line 3: found no time with a thread count, since a has no thread count: use",
        ),
        (
            "{\"error_occurred\": true, \"error_message\": \"no\"}",
            "line 3: found no time with a thread count, since a benchmark failed (no)",
        ),
    ];
    for (benchmark, expected) in benchmarks {
        let found = fitted(&google(benchmark), &ReadOptions::default()).unwrap_err();
        assert!(found.starts_with(expected), "{benchmark}: {found}, not {expected}");
    }
    let newer = google("").replace("{}", "{\"json_schema_version\": 2}");
    let found = fitted(&newer, &ReadOptions::default()).unwrap_err();
    assert!(found.starts_with("found json_schema_version 2, expected 1: a newer"), "{found}");
}

/// Two threads do two iterations of a second in a second.
#[test]
fn the_time_of_several_threads_is_that_of_the_version_that_wrote_it() {
    let file = |version: &str, two: f64| {
        format!(
            "{{\"context\": {{\"num_cpus\": 8, {version}\"x\": 0}}, \"benchmarks\": [
            {{\"name\": \"a/threads:1\", \"threads\": 1, \"real_time\": 1000, \"time_unit\": \"ms\"}},
            {{\"name\": \"a/real_time/threads:2\", \"threads\": 2, \"real_time\": {two}, \"time_unit\": \"ms\"}}]}}"
        )
    };
    for (version, two) in [
        ("", 500.0),
        ("\"library_version\": \"v1.8.5\", ", 500.0),
        ("\"library_version\": \"v1.9.0\", ", 1000.0),
    ] {
        let report = one(&file(version, two));
        assert_eq!(report.subject.scaling, Scaling::Weak);
        near(report.results[1].median, 1.0);
        near(report.results[1].speedup, 2.0);
        assert_eq!(report.subject.processors(), 8);
    }
    // Without several threads an argument of that name is the thread count.
    let own = "{\"benchmarks\": [
        {\"name\": \"sort/100/threads:1\", \"threads\": 1, \"real_time\": 4},
        {\"name\": \"sort/100/threads:2\", \"threads\": 1, \"real_time\": 1, \"run_type\": \"iteration\"},
        {\"name\": \"sort/100/threads:2\", \"threads\": 1, \"real_time\": 3}]}";
    let report = one(own);
    assert_eq!(
        (report.subject.problem.as_str(), report.subject.scaling),
        ("sort/100", Scaling::Strong)
    );
    near(report.results[1].median, 2e-9);
    near(report.results[1].speedup, 2.0);
    // Aggregates alone: the median.
    let aggregate = |threads: usize, name: &str, time: f64| {
        format!(
            "{{\"run_name\": \"a/threads:{threads}\", \"run_type\": \"aggregate\", \"aggregate_name\": \"{name}\", \"threads\": 1, \"real_time\": {time}}}"
        )
    };
    let all = [aggregate(1, "mean", 9.0), aggregate(1, "median", 8.0), aggregate(2, "median", 4.0)];
    near(one(&format!("{{\"benchmarks\": [{}]}}", all.join(","))).results[1].speedup, 2.0);
}

#[test]
fn hyperfines_other_parameter_is_a_curve_each_and_what_it_tells_is_kept() {
    let result = |threads: u32, level: u32, times: &str, more: &str| {
        format!(
            "{{\"command\": \"c\", \"times\": {times}, \"user\": 2.5, \"system\": 0.5, \"parameters\": {{\"threads\": \"{threads}\", \"level\": \"{level}\"}}{more}}}"
        )
    };
    let more = ", \"exit_codes\": [0, 3, null], \"memory_usage_byte\": [5000000, 7000000, 6000000]";
    let results = [
        result(1, 1, "[4, 4, 4]", ""),
        result(2, 1, "[2, 1, 3]", more),
        result(1, 9, "[9]", ""),
        result(2, 9, "[6]", ""),
    ];
    let text = format!("{{\"results\": [{}]}}", results.join(","));
    let reports = fitted(&text, &ReadOptions::default()).unwrap();
    let [level_1, level_9] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(level_9.subject.parameter.as_ref().unwrap().value, "9");
    near(level_9.results[1].speedup, 1.5);
    // Three of four seconds were processor time.
    let waited = "with 1 thread only 75 % of the wall time is processor time: it waited for a processor or something else";
    assert!(level_1.warnings.iter().any(|it| it.starts_with(waited)), "{:?}", level_1.warnings);
    let two = &level_1.results[1];
    near(two.speedup, 2.0);
    near(two.cpu.unwrap(), 3.0);
    assert_eq!((two.exit_codes.clone(), two.resident_bytes), (vec![0, 3, -1], Some(7_000_000)));
    assert!(level_1.warnings.iter().any(|it| it.starts_with("2 of 3 runs with 2 threads failed")));
    let other = ReadOptions { threads: Some("level".to_owned()), ..ReadOptions::default() };
    let reports = fitted(&text, &other).unwrap();
    assert_eq!(reports[1].subject.parameter.as_ref().unwrap().value, "2");
    assert_eq!(reports[1].results.iter().map(|it| it.threads).collect::<Vec<_>>(), [1, 9]);
}

/// The folder of files that the tools made.
fn made() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/points")
}

fn made_json(name: &str) -> (String, Value) {
    let text = std::fs::read_to_string(made().join(name)).unwrap();
    let json = serde_json::from_str(&text).unwrap();
    (text, json)
}

#[test]
fn a_folder_that_criterion_made_has_the_law_worked_out_from_its_samples() {
    let folder = made().join("criterion");
    let found = points::of_folder(&folder, &ReadOptions::default()).unwrap();
    let reports = points::reports("criterion", found).unwrap();
    let mut points = Vec::new();
    for threads in 1..=4 {
        let name = format!("criterion/steps/scoped/{threads}/new/sample.json");
        let (_, sample) = made_json(&name);
        let numbers = |key: &str| {
            let numbers = sample[key].as_array().unwrap().iter();
            numbers.map(|it| it.as_f64().unwrap()).collect::<Vec<f64>>()
        };
        let pairs = numbers("times").into_iter().zip(numbers("iters"));
        let mut times: Vec<f64> = pairs.map(|(time, count)| time / count * 1e-9).collect();
        points.push((f64::from(threads), middle(&mut times)));
        near(reports[0].results[threads as usize - 1].median, points[threads as usize - 1].1);
    }
    assert_eq!(reports[0].subject.problem, "steps/scoped");
    near(contention(&reports[0], Law::Amdahl), serial_fraction(&points).clamp(0.0, f64::MAX));
    // The same as lines of cargo-criterion.
    let mut lines = String::from("{\"reason\": \"group-complete\"}\n");
    for (threads, seconds) in &points {
        let nanoseconds = 3.0 * seconds * 1e9;
        lines += &format!(
            "{{\"reason\": \"benchmark-complete\", \"id\": \"steps/scoped/{threads}\", \"iteration_count\": [3], \"measured_values\": [{nanoseconds}], \"unit\": \"ns\"}}\n"
        );
    }
    near(one(&lines).results[3].speedup, points[0].1 / points[3].1);
    let folder = Folder::new();
    let nothing =
        points::of_folder(folder.path(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(nothing.starts_with("found no new/benchmark.json"), "{nothing}");
    let run = folder.at("g/2/new");
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("benchmark.json"), "{\"group_id\": \"g\", \"value_str\": \"2\"}")
        .unwrap();
    std::fs::write(run.join("sample.json"), "{\"iters\": [1, 2],\n\"times\": [1]}").unwrap();
    let wrong = points::of_folder(folder.path(), &ReadOptions::default()).unwrap_err().to_string();
    let expected = "g/2/new/sample.json: line 1: found 2 numbers of iterations and 1 times";
    assert!(wrong.starts_with(expected), "{wrong}");
}

#[test]
fn the_program_fits_a_file_in_every_form_and_compares_it() {
    let folder = Folder::new();
    folder.write("a.csv", FIFTH);
    folder.write("b.csv", "threads,time\n1,10\n2,5\n4,2.5\n8,1.25\n");
    folder.write("bad.csv", "threads,time\n1,10\n2,-1\n");
    let text = folder.prints(
        "scale fit a.csv --html a.html --svg a.svg",
        "Amdahl's law: T(1) 10.0 s, contention 20.0 % (-)",
    );
    let page = folder.read("a.html");
    assert!(page.contains("<svg") && std::fs::read_to_string(folder.at("a.svg")).is_ok());
    let [report] =
        data::read(&folder.succeed("scale fit a.csv --json")).unwrap().try_into().unwrap();
    near(report.results[3].speedup, 10.0 / 3.0);
    assert_eq!(report.subject.source.unwrap().file, "a.csv");
    folder.prints("scale fit a.csv --unit ms", "T(1) 10.0 ms");
    let weak = folder.succeed("scale fit a.csv --weak");
    assert!(weak.contains("Gustafson's law") && !weak.contains("Amdahl"), "{weak}");
    folder.fails("scale fit bad.csv", 1, ["bad.csv", "line 3: found -1 as time"]);
    folder.fails(
        "scale fit a.csv --time-column x",
        1,
        "line 1: found the columns threads, time, expected 'x' of --time-column",
    );
    folder.write("c.csv", "size,n,t\n1,1,8\n1,2,4\n5,1,9\n5,2,6\n");
    let columns = "scale fit c.csv --threads-column n --time-column t";
    folder.fails("scale fit c.csv --time-column t", 1, "expected one of thread counts");
    folder.fails(columns, 1, "line 4: found 1 threads a second time (first in line 2)");
    folder.prints(
        &format!("{columns} --curve size"),
        ["2 threads are 2.00 times", "2 threads are 1.50 times"],
    );
    folder
        .prints("scale fit a.csv --details", "\nsource     times measured elsewhere: a.csv (CSV)");
    assert!(!text.contains("\nsource "), "{text}");
    folder.fail("scale fit a.csv --unit days", 2);
    folder.fail("scale fit a.csv --html a.csv", 2);
    let run = "scale run -P 1,2 -r 3 -w 0 --html r.html --with b.csv";
    folder.prints(&format!("{run} -- true {{threads}}"), ["Compared with the first", "b.csv"]);
    let page = folder.read("r.html");
    assert!(page.contains("<h2>b.csv</h2>") && page.contains("<h2>true {threads}</h2>"));
    folder.fails("scale queens 24 --with bad.csv", 1, "line 3: found -1 as time");
    folder.fail("scale queens 24 --with b.csv --html b.csv", 2);
    let compared = folder.prints("scale compare a.csv b.csv", "2.40 x as fast");
    let sources = "the machine differs: times measured elsewhere: a.csv (CSV), number of processors unknown / times";
    assert!(compared.contains(sources), "{compared}");
}

/// Neither parameter is negative, and neither is an end of its interval, however few and noisy the times are.
#[test]
fn intervals_of_parameters_begin_at_zero_at_the_least() {
    let mut random = Random::from_seed(1);
    let mut begin_at_zero = 0;
    for law in [Law::Amdahl, Law::Universal] {
        for contention in [0.0, 0.003, 0.01] {
            let truth = Curve { law, one: 2.0, contention, coherency: 0.0 };
            let noisy = [1, 2, 4, 8].map(|threads: usize| {
                let seconds = truth.time(threads as f64);
                (threads, (0..3).map(|_| seconds * (1.0 + 0.03 * random.normal())).collect())
            });
            let outcome = fit(law, &noisy, 8);
            let fit = outcome.fit().unwrap();
            for interval in [fit.contention_interval.unwrap(), fit.coherency_interval.unwrap()] {
                assert!(0.0 <= interval.low && interval.low <= interval.high, "{interval:?}");
                begin_at_zero += u32::from(interval.low == 0.0 && interval.high > 0.0);
            }
        }
    }
    assert!(begin_at_zero > 3, "{begin_at_zero}");
}

/// `tests/data/scale/scipy_fits.txt` has twenty sets of noisy times, each with the parameters that scipy found by relative
/// least squares; its first line names the version.
#[test]
fn laws_fitted_by_another_program_have_the_same_parameters() {
    let text = std::fs::read_to_string(made().with_file_name("scale/scipy_fits.txt")).unwrap();
    let mut compared = 0;
    for row in text.lines().filter(|row| !row.starts_with('#')) {
        let [law, threads, times, expected] =
            row.split("; ").collect::<Vec<_>>().try_into().unwrap();
        let law = [Law::Amdahl, Law::Universal, Law::Gustafson]
            .into_iter()
            .find(|it| it.name().to_lowercase().starts_with(law))
            .unwrap();
        let numbers = |text: &str| -> Vec<f64> {
            text.split(' ').map(|number| number.parse().unwrap()).collect()
        };
        let points = numbers(threads).into_iter().zip(numbers(times));
        let points: Vec<_> = points.map(|(p, time)| (p as usize, vec![time])).collect();
        let Curve { one, contention, coherency, .. } =
            fit(law, &points, usize::MAX).fit().unwrap().curve;
        for (found, expected) in [one, contention, coherency].into_iter().zip(numbers(expected)) {
            let distance = (found - expected).abs();
            assert!(distance <= 5e-4 * expected.abs() + 1e-9, "{row}: {found}, not {expected}");
        }
        compared += 1;
    }
    assert_eq!(compared, 20);
}

/// The example of R's package usl: its published coefficients have their peak, sqrt((1 - alpha) / beta), at 96.5, and
/// its fit is to absolute errors of the throughput. Relative errors of the times give another curve, which scipy finds too.
#[test]
fn the_published_example_of_usl_has_its_peak_and_a_fit_by_relative_errors() {
    let law = Law::Universal;
    let published =
        Curve { law, one: 1.0 / 89.995233, contention: 0.0277285, coherency: 0.0001044 };
    assert!((published.peak().unwrap() - 96.5).abs() < 0.05);
    let throughput = [
        (1, 64.9),
        (18, 995.9),
        (36, 1652.4),
        (72, 1853.2),
        (108, 1828.9),
        (144, 1775.0),
        (216, 1702.2),
    ];
    // The published residuals of the throughput lie between -81.7 and 111.1.
    let residuals = throughput.map(|(p, rate)| rate - 1.0 / published.time(f64::from(p)));
    let (least, most) =
        (residuals.into_iter().fold(0.0, f64::min), residuals.into_iter().fold(0.0, f64::max));
    assert!((least + 81.7).abs() < 0.2 && (most - 111.1).abs() < 0.2, "{residuals:?}");
    let times = throughput.map(|(p, rate)| (p as usize, vec![1.0 / rate]));
    let found = fit(law, &times, usize::MAX).fit().unwrap().curve;
    for (found, expected) in
        [(1.0 / found.one, 68.1607), (found.contention, 0.0133613), (found.coherency, 1.15203e-4)]
    {
        assert!((found / expected - 1.0).abs() < 1e-5, "{found}, not {expected}");
    }
}
