//! Promise: a sample of subtrees is right on average, says how far off it may be, and is the same
//! for any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::runs::{Folder, ended, signal};
use tallyboard_queens::{Board, Count, Engine, Settings as Way, known};
use tallyboard_search::sample::{Amount, Draw, Sample, SampleOptions, sample};
use tallyboard_search::{Costs, Problem, Silent, Stop, Stopped, Tally};

fn count(n: u32, engine: Engine) -> Count {
    Count::with(Board::new(n).unwrap(), Way::new().engine(engine)).unwrap()
}

/// The subtrees of another problem, counted beforehand.
struct Counted {
    costs: Vec<u64>,
    subtotals: Vec<u64>,
    /// Raises the flag after this many subtrees, if any.
    interrupt_after: Option<usize>,
    counted: AtomicUsize,
}

impl Counted {
    fn all(problem: &Count) -> Self {
        let costs = problem.split();
        let subtotal = |subtree| problem.count(subtree, &Stop::new()).unwrap().solutions() as u64;
        Self {
            costs: costs.each().to_vec(),
            subtotals: (0..costs.len()).map(subtotal).collect(),
            interrupt_after: None,
            counted: AtomicUsize::new(0),
        }
    }
}

impl Problem for Counted {
    fn identity(&self) -> String {
        "counted".to_owned()
    }

    fn subtrees(&self) -> usize {
        self.costs.len()
    }

    fn split(&self) -> Costs {
        Costs::new(self.costs.clone())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        stop.check()?;
        if Some(self.counted.fetch_add(1, Ordering::SeqCst) + 1) == self.interrupt_after {
            stop.request();
        }
        Ok(Tally::new(self.subtotals[subtree]))
    }
}

fn draw(problem: &impl Problem, draws: usize, seed: u64, threads: usize) -> Sample {
    let sampling = SampleOptions { amount: Amount::Draws(draws), seed, threads, stop: None };
    sample(problem, &sampling, &mut Silent).unwrap()
}

/// Which share of the intervals of samples with many seeds hold `truth`, and the mean of what all draws
/// give for the whole.
fn coverage(truth: f64, seeds: u64, sample: impl Fn(u64) -> Sample) -> (f64, f64) {
    let (mut held, mut intervals, mut sum, mut samples) = (0.0, 0.0, 0.0, 0.0);
    for found in (1..=seeds).map(sample) {
        if let Some(total) = found.solutions() {
            held += f64::from(u8::from(total.contains(truth)));
            intervals += 1.0;
            assert!(!total.contradicts(truth), "{total:?} is no bad luck beside {truth}");
        }
        let whole = found.draws().map(|draw| draw.solutions as f64 / draw.probability);
        // A stop may leave no draw, if the machine was busy when the second one was to begin.
        if found.draws().count() > 0 {
            sum += whole.sum::<f64>() / found.draws().count() as f64;
            samples += 1.0;
        }
    }
    assert!(intervals > 0.25 * seeds as f64, "only {intervals} intervals");
    (held / intervals, sum / samples)
}

#[test]
fn estimates_are_right_on_average_and_intervals_hold_as_often_as_they_should() {
    for (n, engine) in [(13, Engine::Halves), (12, Engine::Halves), (12, Engine::Blocks)] {
        let problem = Counted::all(&count(n, engine));
        let truth = known::solutions(n).unwrap() as f64;
        for draws in [14, 40] {
            let (held, mean) = coverage(truth, 400, |seed| draw(&problem, draws, seed, 1));
            assert!((mean / truth - 1.0).abs() < 0.03, "n = {n}, {draws} draws: {mean}");
            assert!(held > 0.92, "n = {n}, {engine}, {draws} draws: {held} of the intervals hold");
        }
    }
}

/// Prints what benches/records/2026-11-22-28-queens.md says of intervals (with `--nocapture`).
#[test]
#[ignore = "counts larger boards, which takes seconds with optimisation"]
fn few_draws_of_large_boards_have_intervals_that_hold() {
    for n in [17, 19] {
        let problem = Counted::all(&count(n, Engine::Halves));
        let truth = known::solutions(n).unwrap() as f64;
        for draws in [10, 16, 24, 40, 72, 150] {
            let (held, _) = coverage(truth, 400, |seed| draw(&problem, draws, seed, 1));
            println!("n = {n}, {draws} draws: {:.1} % of 400 intervals hold", 100.0 * held);
            assert!(held >= 0.94, "n = {n}, {draws} draws: {held} of the intervals hold");
        }
    }
}

#[test]
fn an_interrupted_sample_is_one_too() {
    let mut problem = Counted::all(&count(14, Engine::Halves));
    let truth = known::solutions(14).unwrap() as f64;
    let (held, mean) = coverage(truth, 400, |seed| {
        let stop = Stop::new();
        let sampling =
            SampleOptions { amount: Amount::Draws(150), seed, threads: 1, stop: Some(&stop) };
        let interrupted = Counted {
            costs: problem.costs.clone(),
            subtotals: problem.subtotals.clone(),
            interrupt_after: Some(61),
            counted: AtomicUsize::new(0),
        };
        let found = sample(&interrupted, &sampling, &mut Silent).unwrap();
        assert!(!found.is_complete && found.draws().count() < 150);
        found
    });
    assert!((mean / truth - 1.0).abs() < 0.03, "{mean}");
    assert!(held > 0.92, "{held} of the intervals hold");
    problem.interrupt_after = None;
    assert!(draw(&problem, 150, 1, 1).is_complete);
}

/// An interval that is too narrow where draws are few would call right counts wrong.
#[test]
fn few_draws_never_contradict_a_right_count() {
    for (n, engine) in [
        (6, Engine::Halves),
        (7, Engine::Halves),
        (8, Engine::Blocks),
        (12, Engine::Halves),
        (14, Engine::Blocks),
        (14, Engine::Halves),
    ] {
        let problem = Counted::all(&count(n, engine));
        let truth = known::solutions(n).unwrap() as f64;
        for (draws, seed) in (1..=20).flat_map(|pairs| (1..=15).map(move |seed| (2 * pairs, seed)))
        {
            let found = draw(&problem, draws, seed, 1);
            let wrong = found.solutions().is_some_and(|total| total.contradicts(truth));
            assert!(
                !wrong,
                "n = {n}, {engine}, {draws} draws, seed {seed}: {:?}",
                found.solutions()
            );
        }
        let off = draw(&problem, 10_000, 1, 1).solutions().unwrap();
        assert!(off.contradicts(truth + 1.0) && off.contains(truth));
    }
}

#[test]
fn as_many_draws_as_subtrees_are_all_of_them() {
    let problem = Counted::all(&count(12, Engine::Halves));
    let subtrees = problem.costs.len();
    assert!(!draw(&problem, subtrees - 2, 1, 1).is_whole());
    let whole = draw(&problem, subtrees, 1, 1);
    assert!(whole.is_whole() && whole.is_complete);
    assert!(whole.draws().map(|draw| draw.subtree).eq(0..subtrees));
    let total = whole.solutions().unwrap();
    assert_eq!((total.value, total.low, total.high), (14_200.0, 14_200.0, 14_200.0));
    let sampling =
        SampleOptions { amount: Amount::Time(Duration::from_secs(60)), ..SampleOptions::default() };
    assert!(sample(&problem, &sampling, &mut Silent).unwrap().is_whole());
}

#[test]
fn boards_without_subtrees_are_samples_of_nothing() {
    let folder = Folder::new();
    for n in [2, 3] {
        let text = folder.succeed(&format!("queens estimate {n} --draws"));
        assert!(text.starts_with(&format!("{n} queens: 0 solutions, every subtree")), "{text}");
        let forecast = folder.succeed(&format!("queens estimate {n}"));
        assert!(!text.contains("-0") && !forecast.contains("-0"), "{text}{forecast}");
        folder.fails(&format!("queens count {n} --subtree 0"), 2, "has none");
    }
    folder.succeed("cluster plan queens 3 --shards 1 -o plan.json");
    folder.succeed("cluster run plan.json --shard 0 -o results");
    assert_eq!(folder.succeed("cluster merge plan.json results -q"), "0\n");
}

#[test]
fn the_subtotals_depend_on_the_seed_alone() {
    let problem = count(13, Engine::Halves);
    let draws = |seed, threads| -> Vec<(usize, u128)> {
        let found = draw(&problem, 100, seed, threads);
        found.draws().map(|&Draw { subtree, solutions, .. }| (subtree, solutions)).collect()
    };
    let one = draws(5, 1);
    assert_eq!(one.len(), 100);
    for threads in [2, 3, 8] {
        assert_eq!(draws(5, threads), one);
    }
    assert_ne!(draws(6, 1), one);
}

#[test]
fn the_mean_of_the_rows_is_the_estimate() {
    let folder = Folder::new();
    let rows = folder.succeed("-q queens estimate 14 --engine halves --subtrees 51 --seed 3 --csv");
    let mut lines = rows.lines();
    assert_eq!(lines.next(), Some("number,probability,subtotal,seconds"));
    let fields = |line: &str| line.split(',').map(|f| f.parse().unwrap()).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = lines.map(fields).collect();
    assert_eq!(rows.len(), 52, "an odd number of draws is rounded up to pairs");
    let report =
        folder.json("-j 3 queens estimate 14 --engine halves --subtrees 51 --seed 3 --json");
    let mean = rows.iter().map(|row| row[2] / row[1]).sum::<f64>() / rows.len() as f64;
    let estimate = report["solutions"]["estimate"].as_f64().unwrap();
    assert!((mean / estimate - 1.0).abs() < 1e-9, "{mean}, not {estimate}");
    assert_eq!((&report["comparison"], &report["known"]), (&"agrees".into(), &365_596.into()));
    let number = rows[7][0];
    let subtotal =
        folder.succeed(&format!("-q queens count 14 --subtree {number} --engine halves"));
    assert_eq!(subtotal.trim(), rows[7][2].to_string());
}

#[test]
fn a_sample_says_what_it_found() {
    let folder = Folder::new();
    let parts = [
        "15 queens: about 2,",
        "95 % interval ",
        "agrees with the known count 2,279,184 (OEIS A000170), ",
        "the whole count takes ",
        "engine halves, kernel ",
    ];
    folder.prints("queens estimate 15 --engine halves --subtrees 300", parts);
    // A sample ends when every subtree is counted: only a slow machine, such as an emulated one, takes longer than an instant.
    folder.prints("queens estimate 13 --draws --seconds 20s", "agrees with the known count 73,712");
    folder
        .prints("queens estimate 1 --subtrees 4", "1 queen: 1 solution, every subtree counted (1)");
    folder.fails("queens estimate 13 --subtrees 1", 2, "2..=10000000");
    folder.fail("queens estimate 13 --subtrees 10 --seconds 5s", 2);
}

#[test]
fn ctrl_c_prints_what_was_measured() {
    let folder = Folder::new();
    let child = folder.start("queens estimate 19 --draws --seconds 10m");
    // Whenever it comes: the draws so far are a sample, none at all is said to be too few.
    std::thread::sleep(std::time::Duration::from_secs(2));
    signal(&child, "INT");
    let (code, text, message) = ended(child);
    assert_eq!(code, 130, "{text}");
    assert!(text.starts_with("19 queens: "), "{text}");
    assert!(message.contains("interrupted; what follows"), "{message}");
    folder.fail("queens estimate 33 --draws", 2);
}

/// A few subtrees hold everything, so that samples scatter widely: nothing is counted less than never.
#[test]
fn no_interval_begins_below_zero() {
    let mut at_zero = 0;
    for seed in 0..40 {
        let problem = Counted {
            costs: vec![1; 400],
            subtotals: (0..400).map(|subtree| 1000 * u64::from(subtree % 9 == 0)).collect(),
            interrupt_after: None,
            counted: AtomicUsize::new(0),
        };
        let sampling = SampleOptions { amount: Amount::Draws(16), seed, threads: 1, stop: None };
        let found = sample(&problem, &sampling, &mut Silent).unwrap();
        let Some(total) = found.solutions() else { continue };
        assert!(0.0 <= total.low && total.low <= total.value, "{total:?}");
        at_zero += u32::from(total.low == 0.0 && total.value > 0.0);
    }
    assert!(at_zero > 0);
}
