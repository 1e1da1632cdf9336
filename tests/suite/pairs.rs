//! Every pair of options of a command, on a small input: both together do what each does alone, in either order, or are
//! refused by name.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::common::runs;

/// Options of every command. `-h`, `-V` and `--color` change no answer and are left out.
const COMMON: [&str; 2] = ["-j 2", "-q"];

/// A command on a small input.
struct Subject {
    /// The command and its arguments.
    words: &'static str,
    /// Its options, each with a value that fits the input.
    options: &'static [&'static str],
    /// Whether all runs with the same words print the same, apart from times.
    is_repeatable: bool,
}

const SUBJECTS: [Subject; 22] = [
    Subject {
        words: "queens count 6",
        options: &[
            "--place b1",
            "--block c2",
            "--verbose",
            "--engine blocks",
            "--kernel portable",
            "--memory 1G",
            "--fundamental",
            "--symmetry-classes",
            "--journal out",
            "--resume",
            "--subtree 0",
            "--json",
        ],
        is_repeatable: true,
    },
    Subject {
        words: "queens list 6",
        options: &[
            "--place b1",
            "--block c2",
            "--limit 2",
            "--skip 1",
            "--fundamental",
            "--format vector",
            "--sample 2",
            "--seed 7",
            "--output out",
            "--svg out.svg",
            "--png out.png",
        ],
        is_repeatable: true,
    },
    Subject {
        words: "queens one 8",
        options: &[
            "--place b1",
            "--block c2",
            "--method min-conflicts",
            "--seed 7",
            "--max-steps 100000",
            "--time-limit 20s",
            "--k 3",
            "--format vector",
            "--output out",
            "--svg out.svg",
            "--png out.png",
        ],
        is_repeatable: false,
    },
    Subject {
        words: "queens methods",
        options: &[
            "--sizes 5",
            "--seeds 2",
            "--time-limit 1s",
            "--json",
            "--csv",
            "--svg out.svg",
            "--png out.png",
        ],
        is_repeatable: false,
    },
    Subject {
        words: "queens tree 5",
        options: &["--place b1", "--block c2", "--depth 2", "--svg out.svg", "--png out.png"],
        is_repeatable: true,
    },
    Subject {
        words: "queens trace 5",
        options: &[
            "--place b1",
            "--block c2",
            "--steps 9",
            "--all",
            "--animate 1ms",
            "--html out.html",
        ],
        is_repeatable: true,
    },
    Subject {
        words: "queens estimate 8",
        options: &[
            "--place b1",
            "--block c2",
            "--probes 500",
            "--seconds 1s",
            "--engine blocks",
            "--kernel portable",
            "--memory 1G",
            "--seed 7",
            "--json",
        ],
        is_repeatable: false,
    },
    Subject {
        words: "queens sample 8",
        options: &[
            "--place b1",
            "--block c2",
            "--engine blocks",
            "--kernel portable",
            "--memory 1G",
            "--seconds 1s",
            "--subtrees 8",
            "--seed 7",
            "--csv",
            "--json",
        ],
        is_repeatable: false,
    },
    Subject {
        words: "queens verify 6",
        options: &["--place b1", "--block c2", "--json"],
        is_repeatable: false,
    },
    Subject { words: "queens check solutions", options: &[], is_repeatable: true },
    Subject {
        words: "cover count puzzle",
        options: &[
            "--engine sets",
            "--kernel portable",
            "--memory 1G",
            "--fundamental",
            "--journal out",
            "--resume",
            "--subtree 0",
            "--json",
        ],
        is_repeatable: true,
    },
    Subject { words: "cover list puzzle", options: &["--limit 2", "--json"], is_repeatable: true },
    Subject {
        words: "cover explain puzzle",
        options: &["--engine sets", "--kernel portable", "--memory 1G"],
        is_repeatable: true,
    },
    Subject {
        words: "cover convert puzzle --to knuth",
        options: &["--output out"],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku solve sudokus",
        options: &[
            "--output out",
            "--strict",
            "--format lines",
            "--to jsonl",
            "--column puzzle",
            "--size 9",
            "--engine single",
            "--kernel portable",
            "--limit 3",
            "--all",
            "--solutions-only",
            "--columns guesses",
            "--check",
            "--stats",
            "--json",
        ],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku count sudokus",
        options: &[
            "--output out",
            "--strict",
            "--format lines",
            "--to jsonl",
            "--column puzzle",
            "--size 9",
            "--engine single",
            "--kernel portable",
            "--limit 3",
            "--stats",
            "--estimate",
            "--method enumeration",
            "--probes 100",
            "--seed 7",
            "--journal out",
            "--resume",
        ],
        is_repeatable: false,
    },
    Subject {
        words: "sudoku canon sudokus",
        options: &[
            "--output out",
            "--strict",
            "--format lines",
            "--to jsonl",
            "--column puzzle",
            "--size 9",
            "--unique",
        ],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku shuffle sudokus",
        options: &[
            "--output out",
            "--strict",
            "--format lines",
            "--to jsonl",
            "--column puzzle",
            "--size 9",
            "--times 2",
            "--seed 7",
        ],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku generate 2",
        options: &["--clues 30", "--seed 7", "--minimal", "--symmetric", "--output out"],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku draw sudoku",
        options: &["--svg out.svg", "--png out.png"],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku explain sudoku",
        options: &["--hint", "--cell r1c1", "--html out.html"],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku trace sudoku",
        options: &["--steps 9", "--all", "--animate 1ms", "--html out.html"],
        is_repeatable: true,
    },
];

const SUDOKU: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Writes the inputs that the subjects read.
fn lay_out(folder: &Path) {
    fs::write(folder.join("sudoku"), SUDOKU).unwrap();
    fs::write(folder.join("sudokus"), format!("{SUDOKU}\n{}\n", SUDOKU.replace('3', "."))).unwrap();
    fs::write(folder.join("solutions"), "2 4 1 3\n3 1 4 2\n").unwrap();
    fs::write(folder.join("puzzle"), "a b c d\na b\nc d\na c\nb d\na\nb c d\n").unwrap();
}

/// How a run ended: its exit code, what it printed, and what it wrote, without times.
#[derive(Debug, PartialEq)]
struct Ending {
    code: Option<i32>,
    answer: String,
    errors: String,
}

impl Ending {
    fn of(words: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        lay_out(folder.path());
        let output = runs::run(folder.path(), words);
        let mut answer = String::from_utf8(output.stdout).unwrap();
        // A journal has times and checksums of them.
        if !words.contains("--journal") {
            answer += &fs::read_to_string(folder.path().join("out")).unwrap_or_default();
        }
        let errors = String::from_utf8(output.stderr).unwrap();
        Self { code: output.status.code(), answer: without_times(&answer), errors }
    }

    fn has_succeeded(&self) -> bool {
        self.code == Some(0)
    }
}

/// The lines that tell no time, with `#` in place of numbers with decimals.
fn without_times(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines().filter(|line| !line.starts_with("time ")) {
        let mut words = line.split_inclusive(|char: char| !char.is_ascii_digit() && char != '.');
        for word in &mut words {
            let number = word.trim_end_matches(|char: char| !char.is_ascii_digit());
            let is_time = number.contains('.') && number.parse::<f64>().is_ok();
            kept += if is_time { "#" } else { word };
        }
        kept.push('\n');
    }
    kept
}

/// The name of an option, as messages have it.
fn name(option: &str) -> &str {
    option.split(' ').next().unwrap()
}

#[test]
fn every_option_of_these_commands_is_tried() {
    for subject in SUBJECTS {
        let mut command = runs::command(subject.words);
        let help = command.arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let begins = |line: &&str| line.trim_start().starts_with('-');
        let long = help.lines().filter(begins).filter_map(|line| {
            let at = line.find("--")?;
            Some(line[at..].split([' ', ',']).next().unwrap())
        });
        let listed: BTreeSet<&str> = long.collect();
        let tried = subject.options.iter().map(|option| name(option));
        let others = ["--threads", "--quiet", "--color", "--help", "--version"];
        let stated = subject.words.split(' ').filter(|word| word.starts_with("--"));
        let tried: BTreeSet<&str> = tried.chain(others).chain(stated).collect();
        assert_eq!(listed, tried, "{}", subject.words);
    }
}

#[test]
#[ignore = "a thousand runs: half a minute, optimised"]
fn any_two_options_do_together_what_each_does_alone_or_are_refused_by_name() {
    for Subject { words, options, is_repeatable } in SUBJECTS {
        let options: Vec<&str> = options.iter().copied().chain(COMMON).collect();
        let alone: Vec<Ending> =
            options.iter().map(|option| Ending::of(&format!("{words} {option}"))).collect();
        for (option, ending) in options.iter().zip(&alone) {
            check_ending(&format!("{words} {option}"), ending, &[option]);
        }
        for (first, one) in options.iter().enumerate() {
            for (second, other) in options.iter().enumerate().skip(first + 1) {
                let pair = format!("{words} {one} {other}");
                let ending = Ending::of(&pair);
                check_ending(&pair, &ending, &[one, other]);
                let swapped = Ending::of(&format!("{words} {other} {one}"));
                assert_eq!(ending.code, swapped.code, "{pair}: {ending:?} {swapped:?}");
                if is_repeatable && ending.has_succeeded() {
                    assert_eq!(ending.answer, swapped.answer, "{pair}");
                }
                let both_work = alone[first].has_succeeded() && alone[second].has_succeeded();
                if both_work && !ending.has_succeeded() {
                    let blamed = [one, other].iter().any(|it| ending.errors.contains(name(it)));
                    assert!(blamed, "{pair}: {ending:?}");
                }
                // Threads change no answer.
                if is_repeatable && *one == "-j 2" || *other == "-j 2" {
                    let without = if *one == "-j 2" { &alone[second] } else { &alone[first] };
                    assert_eq!(ending.code, without.code, "{pair}");
                    if is_repeatable && ending.has_succeeded() {
                        let threads = |text: &str| text.replace("\"threads\":1", "\"threads\":2");
                        assert_eq!(threads(&ending.answer), threads(&without.answer), "{pair}");
                    }
                }
            }
        }
    }
}

/// A run succeeds, or is refused with a message and without an answer.
fn check_ending(words: &str, ending: &Ending, options: &[&str]) {
    match ending.code {
        Some(0) => {
            let writes = options.iter().any(|option| option.contains(" out"));
            assert!(writes || !ending.answer.is_empty(), "{words}: {ending:?}");
        }
        Some(2) => {
            assert!(!ending.errors.is_empty(), "{words}: {ending:?}");
            assert_eq!(ending.answer, "", "{words}: {ending:?}");
        }
        _ => panic!("{words}: {ending:?}"),
    }
}
