//! Promise: a run that comes to one of its limits says so, by its words or its exit code, and a limit that is large enough changes no
//! answer. `--limit` has a table of its own in `limits.rs`.

use std::collections::BTreeSet;

use crate::common::runs::Folder;
use crate::common::{PUZZLE, SOLUTION};
use crate::help;

/// The options that limit what a run takes.
const OPTIONS: [&str; 6] =
    ["--seconds", "--memory", "--guesses", "--time-limit", "--max-steps", "--steps"];

/// A limit of a command.
struct Limit {
    /// The command.
    command: &'static str,
    /// Its other words.
    words: &'static str,
    option: &'static str,
    /// A value that is too small, how the run ends with it, and what it says then and never with the large one.
    small: &'static str,
    code: i32,
    told: &'static str,
    /// A value that is large enough.
    large: &'static str,
    /// The beginning of the command of which the answer is that with the large value; its own without the option if it is empty.
    same: &'static str,
}

/// A limit of time for an estimate, which is exact in the end, of more subtrees than are drawn at least.
const fn seconds(command: &'static str, words: &'static str, same: &'static str) -> Limit {
    let (small, told, large) = ("0s", " draws of ", "100s");
    Limit { command, words, option: "--seconds", small, code: 0, told, large, same }
}

/// A limit of memory.
const fn memory(command: &'static str, words: &'static str) -> Limit {
    let (small, told, large) = ("1K", "(limited by --memory)", "2G");
    Limit { command, words, option: "--memory", small, code: 1, told, large, same: "" }
}

const LIMITS: [Limit; 22] = [
    seconds("queens estimate", "8 --draws --engine textbook", "queens count 8"),
    seconds("cover estimate", "latin --engine masks", "cover count latin"),
    seconds("estimate", "latin --engine masks", "cover count latin"),
    seconds("variant estimate", "rules", "variant count rules"),
    seconds("regions estimate", "rows", "regions count rows"),
    seconds("sudoku estimate", "sudoku --draws", "sudoku count sudoku --method enumeration"),
    Limit {
        command: "cluster check",
        words: "plan results --share 1 -j 1",
        option: "--seconds",
        small: "0s",
        code: 0,
        told: "recounted 2 of ",
        large: "100s",
        same: "",
    },
    memory("queens count", "8 --engine halves -j 1"),
    memory("queens estimate", "8 --engine halves -j 1 --subtrees 8"),
    memory("cover count", "skolem --engine masks -j 1"),
    memory("cover estimate", "skolem --engine masks -j 1 --subtrees 8"),
    memory("estimate", "skolem --engine masks -j 1 --subtrees 8"),
    memory("cover describe", "skolem --engine masks -j 1"),
    memory("describe", "skolem --engine masks -j 1"),
    memory("scale cover", "skolem --engine masks -P 1 -r 1 -w 0 --html none.html"),
    memory("cluster plan cover", "skolem --engine masks --shards 1 -j 1 --output another"),
    Limit {
        command: "regions solve",
        words: "boards",
        option: "--guesses",
        small: "0",
        code: 0,
        told: " given up",
        large: "1000000",
        same: "",
    },
    Limit {
        command: "queens one",
        words: "60 --method backtrack",
        option: "--max-steps",
        small: "10",
        code: 1,
        told: "gave up at the limit of 10 steps",
        large: "1000000",
        same: "",
    },
    Limit {
        command: "queens one",
        words: "60 --method backtrack-top-down",
        option: "--time-limit",
        small: "1ms",
        code: 1,
        told: "gave up at the limit of 0.001 s",
        large: "",
        same: "",
    },
    Limit {
        command: "queens methods",
        words: "--sizes 60 --seeds 1",
        option: "--time-limit",
        small: "1ms",
        code: 0,
        told: "0/1",
        large: "",
        same: "",
    },
    steps("queens trace", "4"),
    steps("sudoku trace", "few"),
];

/// A limit on the steps that are shown.
const fn steps(command: &'static str, words: &'static str) -> Limit {
    let told = "the search is not over: a larger --steps shows more";
    let (small, large) = ("3", "1000000");
    Limit { command, words, option: "--steps", small, code: 0, told, large, same: "" }
}

/// Writes what the commands read.
fn lay_out(folder: &Folder) {
    folder.write("skolem", include_str!("../../puzzles/skolem-9.txt"));
    folder.write("rules", "size 6\ngivens\n1234..\n......\n......\n......\n......\n......\n");
    let row = |letter: char| letter.to_string().repeat(7) + "\n";
    folder.write("rows", ('A'..='G').map(row).collect::<String>());
    folder.write("latin", include_str!("../../puzzles/latin-5.txt"));
    folder.write("few", format!("...{}", &SOLUTION[3..]));
    // Four clues fewer, and thirty solutions.
    folder.write(
        "sudoku",
        PUZZLE
            .replacen("195", "1..", 1)
            .replacen("98....6.", "98......", 1)
            .replacen("8.3..1", "..3..1", 1),
    );
    folder.succeed("-q regions generate 20 --size 8 --seed 3 -o boards");
    folder.succeed("-q cluster plan queens 9 --engine halves --shards 1 -o plan");
    folder.succeed("-q cluster run plan --shard 0 -o results");
}

/// The table has each command whose help names such an option.
#[test]
fn every_command_with_such_an_option_is_in_the_table() {
    let mut found = BTreeSet::new();
    for (command, page) in help::commands() {
        for option in OPTIONS {
            if page.contains(&format!("{option} <")) {
                found.insert((command.clone(), option));
            }
        }
    }
    let known = LIMITS.iter().map(|limit| (limit.command.to_owned(), limit.option));
    assert_eq!(found, known.collect());
}

/// The lines of an answer that tell no time, no share of one, and no warnings of a busy machine.
fn without_times(answer: &str) -> Vec<&str> {
    let parts = [" s", " ms", " core ", "%", " warning"];
    let is_of_time = |line: &&str| parts.iter().any(|it| line.contains(it));
    answer.lines().filter(|line| !is_of_time(line)).collect()
}

#[test]
fn every_limit_is_told_where_it_ends_a_run_and_changes_no_answer_where_not() {
    let folder = Folder::new();
    lay_out(&folder);
    for Limit { command, words, option, small, code, told, large, same } in LIMITS {
        let begin = format!("{command} {words}");
        let line = format!("{begin} {option} {small}");
        let (found, answer, said) = folder.told(&line);
        let text = format!("{answer}{said}");
        assert!(found == code && text.contains(told), "{line}: {found} {text}");
        if large.is_empty() {
            continue;
        }
        let line = format!("{begin} {option} {large}");
        let (found, answer, said) = folder.told(&line);
        let text = format!("{answer}{said}");
        assert!(found == 0 && !text.contains(told), "{line}: {found} {text}");
        if same.is_empty() {
            let expected = folder.succeed(&begin);
            assert_eq!(without_times(&answer), without_times(&expected), "{line}");
        } else {
            // The whole count, in the words of an estimate.
            let count = folder.json(&format!("{same} --json"));
            let number = folder.json(&format!("{line} --json"));
            assert_eq!(
                number["solutions"]["estimate"].as_f64(),
                count["solutions"].as_f64(),
                "{line}"
            );
            assert!(answer.contains("every subtree counted"), "{line}: {answer}");
        }
    }
}
