//! Promise: a limit that is named is taken, and what is one past it is not.

use crate::common::PUZZLE;
use crate::common::runs::{Folder, command, exit_code_soon, sudoku};
use serde_json::Value;
use tallyboard_search::MAX_THREADS;
use tallyboard_sudoku::Grid;
use tallyboard_sudoku::batch::Rating;

#[test]
fn threads_end_at_the_number_that_is_named() {
    let folder = Folder::new();
    let words = |threads: usize| format!("completions bash -j {threads}");
    assert!(!folder.succeed(&words(MAX_THREADS)).is_empty());
    folder.fails(&words(MAX_THREADS + 1), 2, &format!("is not in 0..={MAX_THREADS}"));
}

/// Puzzles that take long are told of before they are searched for, and others are not.
#[test]
fn rare_puzzles_are_named_from_their_limits_on() {
    let folder = Folder::new();
    for (options, is_rare) in [
        ("--clues 20", true),
        ("--clues 21", false),
        ("--clues 29", false),
        ("--minimal --clues 28", false),
        ("--minimal --clues 29", true),
    ] {
        let said = folder.fail(&format!("sudoku generate 0 {options}"), 0);
        let told = said
            .contains(&format!("puzzles with {} clues are rare", &options[options.len() - 2..]));
        assert!(told == is_rare && said.contains("rare") == is_rare, "{said}");
    }
}

/// Guesses are counted until 20,000 solutions are found, whatever the limit.
#[test]
fn guesses_are_those_until_twenty_thousand_solutions() {
    let some = "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8.";
    let most = format!("1{}", ".".repeat(80));
    let guesses = |grid: &Grid, limit| {
        Rating::of(grid, limit, &tallyboard_search::Stop::new()).unwrap().guesses
    };
    let mut differ = [0, 0];
    for puzzle in [some, most.as_str(), PUZZLE] {
        let (code, rows, err) = sudoku("count --stats --limit 30000", puzzle);
        let grid: Grid = puzzle.parse().unwrap();
        let expected = guesses(&grid, 20_000);
        let found = rows.trim_end().rsplit(':').next().unwrap();
        assert_eq!((code, found), (0, &*expected.to_string()), "{rows}, {err}");
        differ[0] += u32::from(guesses(&grid, 5_000) != expected);
        differ[1] += u32::from(guesses(&grid, 30_000) != expected);
    }
    assert!(differ[0] >= 1 && differ[1] >= 1, "{differ:?}: the limit has to matter");
}

/// A count is written as text too from where doubles are not exact, and a count of before goes with its text.
#[test]
fn what_an_earlier_count_wrote_is_replaced_whole() {
    let exact: u64 = 1 << 53;
    for before in [format!("\"count\":{exact}"), {
        let more = exact + 1;
        format!("\"count\":{more},\"count_text\":\"{more}\"")
    }] {
        let text = format!("{{\"id\":7,\"puzzle\":\"{PUZZLE}\",{before}}}\n");
        let (code, rows, err) = sudoku("count", text);
        assert_eq!(code, 0, "{err}");
        let row: Value = serde_json::from_str(&rows).unwrap();
        let names: Vec<&String> = row.as_object().unwrap().keys().collect();
        assert_eq!((names.len(), &row["count"], &row["id"]), (3, &1.into(), &7.into()), "{rows}");
    }
}

/// Lines of variants end at a mebibyte: a file without line breaks, such as a device, ends the run and not the memory.
#[test]
fn lines_of_puzzles_end_at_a_mebibyte() {
    let folder = Folder::new();
    folder.write("rules", "size 9\n");
    for (length, is_read) in [(1 << 20, true), ((1 << 20) + 1, false)] {
        folder.write("lines", "x".repeat(length));
        let (_, rows, message) = folder.told("variant solve rules lines");
        assert_eq!(!message.contains("found a line of more than 1 MiB"), is_read, "{message}");
        // What is told of a bad line is short.
        assert!(message.len() < 5000, "{}", message.len());
        // Its beginning comes back, as what is no puzzle does.
        assert!(is_read || rows.len() == (1 << 20) + 2);
    }
}

/// An empty file is no puzzle: a download that failed would be counted without end.
#[test]
fn an_empty_file_has_no_rules() {
    let folder = Folder::new();
    for text in ["", "\n# a comment alone\n"] {
        folder.write("rules", text);
        folder.fails("variant count rules --limit 1", 2, "rules: line 1: found an empty file");
    }
    folder.write("rules", "size 9\n");
    let _ = folder.succeed("variant count rules --limit 1");
}

/// Reports hold the names of files, so one that is no text is refused before the count and not after it.
#[test]
#[cfg(target_os = "linux")]
fn names_that_are_no_text_are_refused_before_a_count() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"bb\xff.txt");
    // Nobody waits for the end of this count.
    folder.write(name, "size 9\n");
    let mut command = command("variant count");
    command.arg(name).current_dir(folder.path()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    assert_eq!(exit_code_soon(&mut child), Some(1));
    let message = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert!(message.contains("invalid UTF-8"), "{message}");
}

/// Before the command begins: a thousand threads take longer to start than small counts take.
#[test]
fn more_threads_than_can_help_are_remarked_on() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let folder = Folder::new();
    let said = |threads: usize| folder.said(&format!("-j {threads} queens tree 4"));
    assert_eq!(said(64 * processors), "");
    if 64 * processors < MAX_THREADS {
        let remark = said(64 * processors + 1);
        assert!(remark.contains("to start them takes longer than they save"), "{remark}");
    }
}

/// What a command makes of its limit.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Limited {
    /// A count, which says `at least` where it stopped.
    Count,
    /// Rows or blocks of them, no more than the limit.
    List(&'static str),
    /// A line with the number of solutions up to the limit, behind this sign.
    Number(char),
    /// The first solution, and how many there are at least.
    First,
    /// The tests of tallies look.
    Elsewhere,
}

/// Each command with `--limit`, with an input of a few solutions.
fn commands_with_limits() -> Vec<(&'static str, &'static str, u64, Limited)> {
    use Limited::{Count, Elsewhere, First, List, Number};
    const SEVEN: &str =
        ".3.......6..195.....8....6.....6...34..8.3..17...2...6.6....28.....19..5....8..79\n";
    const COVERS: &str = "a b c d\na b\nc d\na c\nb d\na d\nb c\n";
    const REGIONS: &str = "AABB\nAABB\nCCDD\nCCDD\n";
    const RULES: &str = "size 4\ngivens\n12..\n3...\n....\n....\n";
    vec![
        ("cover count", COVERS, 3, Count),
        ("cover list", COVERS, 3, List("\n\n")),
        ("regions count", REGIONS, 2, Count),
        ("regions list", REGIONS, 2, List("\n")),
        ("regions solve", REGIONS, 2, Number('\t')),
        ("sudoku count", SEVEN, 7, Number(':')),
        ("sudoku list", SEVEN, 7, List("\n")),
        ("sudoku solve", SEVEN, 7, Number(':')),
        ("list", SEVEN, 7, List("\n")),
        ("variant count", RULES, 12, Count),
        ("variant list", RULES, 12, List("\n")),
        ("variant solve", RULES, 12, First),
        ("queens list 6", "", 4, List("\n\n")),
        ("queens tally", "", 0, Elsewhere),
        ("cover tally", "", 0, Elsewhere),
        ("regions tally", "", 0, Elsewhere),
        ("sudoku tally", "", 0, Elsewhere),
        ("variant tally", "", 0, Elsewhere),
        ("tally", "", 0, Elsewhere),
    ]
}

/// The table above has each command whose help names the option.
#[test]
fn every_command_with_a_limit_is_in_the_table() {
    let help = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/help");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(help).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if std::fs::read_to_string(&path).unwrap().contains("--limit <") {
            found.push(name.trim_start_matches("tallyboard-").replace('-', " "));
        }
    }
    let mut known: Vec<String> = commands_with_limits()
        .iter()
        .map(|row| row.0.trim_end_matches(|sign: char| sign == ' ' || sign.is_ascii_digit()).into())
        .collect();
    found.sort();
    known.sort();
    assert_eq!(found, known);
}

/// One less than the number of solutions, that number, and one more.
#[test]
fn every_limit_on_solutions_is_kept_and_told() {
    for (words, input, all, limited) in commands_with_limits() {
        if limited == Limited::Elsewhere {
            continue;
        }
        let here = Folder::new();
        here.write("f", input);
        let file = if input.is_empty() { "" } else { " f" };
        for limit in [1, all - 1, all, all + 1] {
            let line = format!("{words}{file} --limit {limit}");
            let (code, text, said) = here.told(&line);
            assert_eq!(code, 0, "{line}: {said}");
            let expected = limit.min(all);
            match limited {
                Limited::Count => {
                    let is_cut = limit <= all;
                    assert_eq!(text.starts_with("at least "), is_cut, "{line}: {text}");
                    assert!(text.contains(&format!("{expected} ")), "{line}: {text}");
                    let document = here.json(&format!("-q {line} --json"));
                    let found = (&document["solutions"], &document["is_all"]);
                    assert_eq!(found, (&expected.into(), &(!is_cut).into()), "{line}");
                }
                Limited::List(end) => {
                    let rows = text.trim_end().split(end).count() as u64;
                    assert_eq!(rows, expected, "{line}: {text}");
                }
                Limited::Number(sign) => {
                    let number = text.split(sign).nth(1).unwrap().trim();
                    assert_eq!(number, expected.to_string(), "{line}: {text}");
                }
                Limited::First => {
                    let at_least = format!("at least {limit} solution");
                    assert_eq!(said.contains(&at_least), limit <= all, "{line}: {said}");
                }
                Limited::Elsewhere => unreachable!("left out above"),
            }
        }
    }
}

/// A worker of this search states some 64 MiB. If the number of threads is left open, memory decides; one that is asked for is taken
/// or refused.
#[test]
fn as_many_threads_count_as_there_is_memory_for() {
    let here = Folder::new();
    here.write("cover", include_str!("../../puzzles/soma.txt"));
    let run_of = |verb: &str, memory: u64, threads: &str| {
        let line = format!("cover {verb} cover --engine masks --memory {memory}MiB{threads}");
        let run = here.command(&line).env("RAYON_NUM_THREADS", "3").output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap(), said)
    };
    let run = |memory, threads| run_of("count", memory, threads);
    for (memory, expected) in [(10, 0), (100, 1), (150, 2), (300, 3)] {
        let (code, text, said) = run(memory, "");
        assert_eq!(code, Some(i32::from(expected == 0)), "{memory}: {said}");
        assert_eq!(text.contains(&format!("threads {expected},")), expected > 0, "{text}");
        assert_eq!(text.contains("11,520 covers"), expected > 0, "{text}");
        let is_fewer = (1..3).contains(&expected);
        assert_eq!(said.contains(&format!("-j {expected} fits, and is taken")), is_fewer, "{said}");
        let (code, _, said) = run(memory, " -j 3");
        assert_eq!(code, Some(i32::from(expected < 3)), "{memory}: {said}");
        assert_eq!(said.contains(&format!(": -j {expected} fits")), is_fewer, "{said}");
    }
    let (code, text, said) = run_of("estimate --subtrees 2", 100, "");
    assert!(code == Some(0) && said.contains("-j 1 fits, and is taken"), "{said}");
    assert!(text.contains("threads 1,"), "{text}");
    let (code, _, said) = run_of("estimate --subtrees 2", 100, " -j 2");
    assert!(code == Some(1) && said.contains(": -j 1 fits"), "{said}");
}
