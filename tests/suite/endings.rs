//! Signals that end nothing and limits that end a run: what is left behind.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::common::runs::{PROGRAM, command, listens, signal};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn a_signal_that_asks_for_progress_does_not_end_an_input_that_is_waited_for() {
    let mut program = command("-q sudoku solve");
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    while !listens(&child) {
        std::thread::yield_now();
    }
    for _ in 0..10 {
        signal(&child, "USR1");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    writeln!(child.stdin.take().unwrap(), "{PUZZLE}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let rows = String::from_utf8(output.stdout).unwrap();
    assert!(rows.starts_with(&format!("{PUZZLE}:1:")), "{rows}");
    // Answered with the first rows, once.
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "tallyboard: 82 B read\n");
}

/// The first subtrees of an empty grid would take years.
#[test]
fn a_count_of_which_no_subtree_is_finished_tells_no_number() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("empty"), ".".repeat(81)).unwrap();
    let mut program = command("-j 1 sudoku count empty --method enumeration");
    let mut child = program.current_dir(folder.path()).stderr(Stdio::piped()).spawn().unwrap();
    while !listens(&child) {
        std::thread::yield_now();
    }
    // Answered once the count has begun.
    signal(&child, "USR1");
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let progress = said.next().unwrap();
    assert!(progress.contains("none of ") && progress.ends_with(" finished"), "{progress}");
    signal(&child, "INT");
    let end: Vec<String> = said.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(end.concat().contains("none of ") && !end.concat().contains("0 solutions"), "{end:?}");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("in.txt"), format!("{PUZZLE}\n").repeat(1000)).unwrap();
    let words = format!("ulimit -f 16; exec {PROGRAM} sudoku solve in.txt -o out.txt");
    let output = Command::new("sh").args(["-c", &words]).current_dir(folder.path()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
