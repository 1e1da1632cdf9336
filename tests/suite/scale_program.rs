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
    std::fs::write(folder.path().join("c.txt"), "a b\na\nb\n").unwrap();
    let found =
        report(folder.path(), "scale cover c.txt --engine masks --kernel portable -P 1 -r 1 -w 0");
    let command = "tallyboard cover count c.txt --engine masks --kernel portable -j 1";
    assert_eq!(found.results[0].command, command);
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

#[test]
fn files_that_were_written_are_named_unless_one_wants_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| {
        let output = crate::common::runs::run(folder.path(), words);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    let words = "scale queens 6 -P 1 -r 1 -w 0 --json -o r.json --html r.html";
    assert_eq!(run(words), (String::new(), "wrote r.json, r.html\n".to_owned()));
    assert_eq!(run(&format!("-q {words}")), (String::new(), String::new()));
    assert_eq!(run("scale queens 6 -P 1 -r 1 -w 0 -o -").1, "");
    assert_eq!(run("scale compare r.json r.json --html c.html").1, "wrote c.html\n");
}

#[test]
fn a_number_of_rounds_replaces_its_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = |words: &str| {
        report(folder.path(), &format!("scale queens 6 -P 1 -w 0 {words}")).results[0].times.len()
    };
    assert_eq!([rounds("-r 3 -m 4"), rounds("-r 3 -M 2"), rounds("-m 2 -M 2")], [3, 3, 2]);
    let message = fail(folder.path(), "scale queens 6 -m 4 -M 2", 2);
    assert!(message.contains("found -M 2, expected at least the 4 rounds of -m"), "{message}");
}

#[test]
fn reports_of_different_work_are_compared_on_demand_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for size in [6, 7] {
        succeed(folder, &format!("scale queens {size} -P 1 -r 3 -w 0 --json -o {size}.json"));
    }
    let message = fail(folder, "scale compare 6.json 7.json", 2);
    let expected = "found reports of 'queens 6' and 'queens 7', expected one problem";
    assert!(message.contains(expected), "{message}");
    let text = succeed(folder, "scale compare 6.json 7.json --different");
    assert!(text.contains("the problem differs: queens 6 / queens 7"), "{text}");
    // Commands differ by their names only.
    for name in ["a", "b"] {
        succeed(
            folder,
            &format!("scale run -P 1 -r 3 -w 0 --json -o {name} -- true {name}{{threads}}"),
        );
    }
    assert!(succeed(folder, "scale compare a b").contains("the problem differs"));
}

/// A shell that holds 10 MB for each thread.
#[cfg(target_os = "linux")]
#[test]
fn the_peak_memory_of_a_command_is_that_of_gnu_time_and_grows_with_its_threads() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = "x=$(head -c $((10000000 * $1)) /dev/zero | tr '\\0' x)";
    std::fs::write(folder.join("run.sh"), script).unwrap();
    let words = "scale run -P 1,2,4 -r 1 -w 0 -- sh run.sh {threads}";
    let found = value(folder, words);
    let peak = |at: usize| found["results"][at]["resident_bytes"].as_f64().unwrap();
    assert!(peak(0) > 10e6 && peak(1) > 20e6 && peak(2) > 40e6, "{found}");
    let growth = &found["memory"];
    assert!(growth["each"].as_f64().unwrap() > 7e6, "{growth}");
    assert!(growth["room"].as_f64().unwrap() > 1e6 && found["conditions"]["room_bytes"].is_u64());
    let rows = succeed(folder, &words.replacen(" -", " --csv -", 1));
    let column = rows.lines().next().unwrap().split(',').position(|it| it == "resident_bytes");
    let cells = rows.lines().skip(1).map(|row| row.split(',').nth(column.unwrap()).unwrap());
    assert!(cells.clone().all(|cell| cell.parse::<f64>().unwrap() > 10e6), "{rows}");
    let text = succeed(folder, &words.replacen(" -", " --details -", 1));
    assert!(text.contains("  memory\n") && text.contains("more for each further thread"), "{text}");
    let gnu = std::process::Command::new("/usr/bin/time")
        .args(["-f", "%M", "sh", "run.sh", "4"])
        .current_dir(folder)
        .output();
    let Ok(gnu) = gnu else { return };
    let kib: f64 = String::from_utf8(gnu.stderr).unwrap().trim().parse().unwrap();
    assert!((peak(2) / (kib * 1024.0) - 1.0).abs() < 0.02, "{} and {kib} KiB", peak(2));
}

/// What one run held is not told of the next.
#[cfg(target_os = "linux")]
#[test]
fn the_programs_own_peak_is_told_of_each_run() {
    let folder = tempfile::tempdir().unwrap();
    let found = value(folder.path(), "scale queens 8 -P 1,2 -r 2 -w 0");
    for point in found["results"].as_array().unwrap() {
        // Where the system forgets no peak, nothing is told.
        let bytes = point["resident_bytes"].as_f64();
        assert!(bytes.is_none_or(|bytes| (1e6..1e9).contains(&bytes)), "{point}");
    }
}
