//! Promise: what `scale` prints of a run of the program is what happened in it.

use std::path::Path;

use scale::forms::json;
use scale::report::Report;
use serde_json::Value;

use crate::common::runs::{fail, succeed};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn document(folder: &Path, words: &str) -> String {
    succeed(folder, &words.replacen(" -", " --json -", 1))
}

/// The report of a run, with what comparisons show of it.
fn report(folder: &Path, words: &str) -> Report {
    json::read(&document(folder, words)).unwrap().remove(0)
}

/// The whole report of a run.
fn value(folder: &Path, words: &str) -> Value {
    serde_json::from_str(&document(folder, words)).unwrap()
}

/// A puzzle, one with several solutions, one with none, and a line that is no puzzle.
#[test]
fn puzzles_of_every_kind_are_counted_as_puzzles_and_their_solutions_to_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (many, none) = (PUZZLE.replace("53..7", "....."), PUZZLE.replace("53..7", "55..7"));
    std::fs::write(folder.join("p.txt"), format!("{PUZZLE}\n{many}\n{none}\n")).unwrap();
    let found = report(folder, "scale sudoku p.txt -P 2 -r 3 -w 0");
    for point in &found.results {
        let rate = 3.0 / point.median;
        assert!((point.rate.unwrap() / rate - 1.0).abs() < 1e-9, "{point:?}");
    }
    let weak = report(folder, "scale sudoku p.txt -P 2 -r 3 -w 0 --weak");
    assert!((weak.results[1].rate.unwrap() * weak.results[1].median - 6.0).abs() < 1e-6);
    // One puzzle alone is split, and its solutions are what is counted.
    std::fs::write(folder.join("many.txt"), &many).unwrap();
    let row = succeed(folder, "-q sudoku count many.txt");
    let solutions: f64 = row.trim().rsplit(':').next().unwrap().parse().unwrap();
    let one = report(folder, "scale sudoku many.txt --count -P 1 -r 3 -w 0");
    assert_eq!(one.subject.unit.as_deref(), Some("solutions"));
    assert!((one.results[0].rate.unwrap() * one.results[0].median / solutions - 1.0).abs() < 1e-9);
}

#[test]
fn weak_scaling_counts_the_solutions_of_all_the_boards() {
    let folder = tempfile::tempdir().unwrap();
    let found = report(folder.path(), "scale queens 6 -P 3 -r 3 -w 0 --weak");
    let amounts = found.results.iter().map(|it| (it.rate.unwrap() * it.median).round());
    assert_eq!(amounts.collect::<Vec<_>>(), [4.0, 12.0]);
}

#[test]
fn the_kernel_asked_for_is_in_the_command_that_repeats_a_run() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.txt"), format!("{PUZZLE}\nno puzzle\n")).unwrap();
    let words = "scale sudoku p.txt --kernel portable -P 1 -r 1 -w 0";
    let found = report(folder.path(), words);
    let command = "tallyboard sudoku solve p.txt --kernel portable -j 1";
    assert_eq!(found.results[0].command, command);
    let told = crate::common::runs::run(folder.path(), words).stderr;
    assert_eq!(String::from_utf8(told).unwrap(), "sudoku p.txt: 1 bad line\n");
}

#[test]
fn splits_are_tried_with_no_more_threads_than_processors() {
    let folder = tempfile::tempdir().unwrap();
    let processors = std::thread::available_parallelism().unwrap().get();
    let words = format!("scale queens 6 -P {} -r 1 -w 0 --granularity", 2 * processors + 1);
    assert_eq!(value(folder.path(), &words)["granularity"]["threads"], 1);
}

/// A message of more than a pipe holds.
#[cfg(unix)]
#[test]
fn of_a_long_standard_error_the_end_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let script = "head -c 200000 /dev/zero | tr '\\0' x >&2; echo the last words >&2; exit 1";
    std::fs::write(folder.path().join("run.sh"), script).unwrap();
    let message = fail(folder.path(), "scale run -P 1 -r 1 -w 0 -- sh run.sh {threads}", 1);
    assert!(message.contains("xthe last words"), "{}", &message[message.len() - 200..]);
    assert!(message.len() < 70_000, "{}", message.len());
}

/// One process, told to run two threads: what the second has not done is serial. Samples may be too few on a busy machine.
#[cfg(target_os = "linux")]
#[test]
fn a_command_with_one_thread_of_two_is_serial() {
    let folder = tempfile::tempdir().unwrap();
    let script = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done";
    std::fs::write(folder.path().join("run.sh"), script).unwrap();
    let found = value(folder.path(), "scale run -P 2 -r 1 -w 0 -- sh run.sh {threads}");
    let losses = &found["results"][1]["losses"];
    let share = |name: &str| losses[name].as_f64();
    // On a busy machine the one thread has no processor in many samples, in which nothing is active.
    if let Some(preempted) = share("preempted").filter(|share| *share < 0.2) {
        assert!(share("serial").unwrap() + preempted > share("gaps").unwrap(), "{losses}");
    }
}
