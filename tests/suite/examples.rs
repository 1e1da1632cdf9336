//! Promise: the eight jobs of a user are a few lines each, and they do what they say.

use crate::common::runs::{example, output_of};
use std::fs::File;
use std::process::{Command, Stdio};

/// Easy puzzles, a comment before them.
const EASY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sudoku/easy.txt");

/// The example whose source is `examples/{source}.rs`; cargo builds it with the tests.
fn short_example(source: &str) -> Command {
    let file = format!("{}/examples/{source}.rs", env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(file).unwrap().lines().count();
    assert!(lines < 40, "{source}: found {lines} lines, expected less than 40");
    Command::new(example(source.rsplit('/').next().unwrap()))
}

/// The standard output of an example.
fn printed(command: &mut Command) -> String {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = output_of(piped.spawn().unwrap());
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn queens_are_counted_and_listed() {
    let count = printed(short_example("count_queens").arg("10"));
    assert_eq!(count, "10 queens: 724 solutions\n");
    assert_eq!(printed(&mut short_example("count_board")), "453 solutions\n");
    let list = printed(short_example("list_queens").arg("8"));
    assert_eq!((list.lines().count(), list.lines().next()), (92, Some("1 5 8 6 3 7 2 4")));
}

#[test]
fn sudokus_are_solved_in_memory_and_from_any_input() {
    let text = std::fs::read_to_string(EASY).unwrap();
    let puzzles = text.lines().filter(|line| !line.starts_with('#')).count();
    let found = printed(short_example("solve_sudokus").arg(EASY));
    assert!(found.starts_with(&format!("{puzzles} of {puzzles} puzzles have one solution\n")));
    let first = found.lines().nth(1).unwrap();
    let mut solve_lines = short_example("solve_lines");
    let lines = printed(solve_lines.stdin(Stdio::from(File::open(EASY).unwrap())));
    assert_eq!((lines.lines().count(), lines.lines().next()), (puzzles, Some(first)));
}

#[test]
fn solutions_of_one_sudoku_are_listed_and_counted() {
    let first_row = format!("123456789{}", ".".repeat(72));
    let list = printed(short_example("list_solutions").arg(&first_row));
    assert_eq!(list.lines().count(), 5);
    assert!(list.lines().is_sorted() && list.starts_with("123456789456789123"), "{list}");
    let sparse =
        "................12..3.45.........14.....1.......2..........3..7.1.8..5..4.8......";
    assert_eq!(printed(short_example("count_solutions").arg(sparse)), "9230\n");
}

#[test]
fn a_problem_of_your_own_is_counted() {
    assert_eq!(printed(&mut short_example("problems/pairings")), "150 pairings\n");
}
