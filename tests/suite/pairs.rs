//! Every pair of options of a command, on a small input: both together do what each does alone, in either order, or are
//! refused by name.

use std::collections::{BTreeMap, BTreeSet};
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
    options: &'static [&'static [&'static str]],
    /// Whether all runs with the same words print the same, apart from times.
    is_repeatable: bool,
}

// Options that several commands have.
const SQUARES: [&str; 2] = ["--place b1", "--block c2"];
const QUEENS_ENGINE: [&str; 3] = ["--engine blocks", "--kernel portable", "--memory 1G"];
const COVER_ENGINE: [&str; 3] = ["--engine sets", "--kernel portable", "--memory 1G"];
const COUNTING: [&str; 4] = ["--journal out", "--resume", "--subtree 0", "--json"];
const RECORDS: [&str; 6] =
    ["--output out", "--strict", "--format lines", "--to jsonl", "--column puzzle", "--size 9"];
const PICTURES: [&str; 2] = ["--svg out.svg", "--png out.png"];
const STEPS: [&str; 4] = ["--steps 9", "--all", "--animate 1ms", "--html out.html"];

const SUBJECTS: [Subject; 28] = [
    Subject {
        words: "queens count 6",
        options: &[
            &SQUARES,
            &QUEENS_ENGINE,
            &COUNTING,
            &["--verbose", "--fundamental", "--symmetry-classes"],
        ],
        is_repeatable: true,
    },
    Subject {
        words: "queens list 6",
        options: &[
            &SQUARES,
            &PICTURES,
            &[
                "--limit 2",
                "--skip 1",
                "--fundamental",
                "--format vector",
                "--sample 2",
                "--seed 7",
                "--output out",
            ],
        ],
        is_repeatable: true,
    },
    Subject {
        words: "queens one 8",
        options: &[
            &SQUARES,
            &PICTURES,
            &[
                "--method min-conflicts",
                "--seed 7",
                "--max-steps 100000",
                "--time-limit 20s",
                "--k 3",
                "--format vector",
                "--output out",
            ],
        ],
        is_repeatable: false,
    },
    Subject {
        words: "queens methods --sizes 5 --seeds 2",
        options: &[&PICTURES, &["--time-limit 1s", "--json", "--csv"]],
        is_repeatable: false,
    },
    Subject {
        words: "queens tree 5",
        options: &[&SQUARES, &PICTURES, &["--depth 2"]],
        is_repeatable: true,
    },
    Subject { words: "queens trace 5", options: &[&SQUARES, &STEPS], is_repeatable: true },
    Subject {
        words: "queens estimate 8",
        options: &[
            &SQUARES,
            &QUEENS_ENGINE,
            &["--probes 500", "--seconds 1s", "--seed 7", "--json"],
        ],
        is_repeatable: false,
    },
    Subject {
        words: "queens sample 8 --subtrees 8",
        options: &[&SQUARES, &QUEENS_ENGINE, &["--seed 7", "--csv", "--json"]],
        is_repeatable: false,
    },
    Subject { words: "queens verify 6", options: &[&SQUARES, &["--json"]], is_repeatable: false },
    Subject { words: "queens check solutions", options: &[], is_repeatable: true },
    Subject {
        words: "cover count puzzle",
        options: &[&COVER_ENGINE, &COUNTING, &["--modulo 7", "--fundamental"]],
        is_repeatable: true,
    },
    Subject {
        words: "cover list puzzle",
        options: &[&PICTURES, &["--limit 2", "--json", "--output out"]],
        is_repeatable: true,
    },
    Subject { words: "cover explain puzzle", options: &[&COVER_ENGINE], is_repeatable: true },
    Subject {
        words: "cover convert puzzle --to dlx",
        options: &[&["--output out"]],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku solve sudokus",
        options: &[
            &RECORDS,
            &[
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
        ],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku count sudokus",
        options: &[
            &RECORDS,
            &[
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
        ],
        is_repeatable: false,
    },
    Subject {
        words: "sudoku canon sudokus",
        options: &[&RECORDS, &["--unique"]],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku shuffle sudokus",
        options: &[&RECORDS, &["--times 2", "--seed 7"]],
        is_repeatable: true,
    },
    Subject {
        words: "sudoku generate 2",
        options: &[&["--clues 26", "--seed 7", "--minimal", "--symmetric", "--output out"]],
        is_repeatable: true,
    },
    Subject { words: "sudoku draw sudoku", options: &[&PICTURES], is_repeatable: true },
    Subject {
        words: "sudoku explain sudoku",
        options: &[&["--hint", "--cell r1c1", "--html out.html"]],
        is_repeatable: true,
    },
    Subject { words: "sudoku trace sudoku", options: &[&STEPS], is_repeatable: true },
    Subject {
        words: "variant solve rules",
        options: &[&["--limit 3", "--output out", "--strict"]],
        is_repeatable: true,
    },
    Subject {
        words: "variant count rules",
        options: &[&COUNTING, &["--limit 3"]],
        is_repeatable: true,
    },
    Subject { words: "variant list rules", options: &[&["--limit 2"]], is_repeatable: true },
    Subject { words: "variant candidates rules", options: &[&["--json"]], is_repeatable: true },
    Subject { words: "variant explain rules", options: &[&["--json"]], is_repeatable: true },
    Subject {
        words: "variant generate rules",
        options: &[&["--clues 8", "--minimal", "--cages 3", "--seed 7", "--output out"]],
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
    fs::write(folder.join("rules"), "size 4\ndiagonal falling\ngivens\n12..\n34..\n..2.\n....\n")
        .unwrap();
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
    let text = text.replace("\"threads\":2", "\"threads\":1").replace("threads 2", "threads 1");
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
        let begins = |line: &&str| line.trim_start().starts_with('-') && !line.contains("- ");
        let long = help.lines().filter(begins).filter_map(|line| {
            let at = line.find("--")?;
            Some(line[at..].split([' ', ',']).next().unwrap())
        });
        let listed: BTreeSet<&str> = long.collect();
        let tried = subject.options.concat();
        let tried = tried.iter().map(|option| name(option));
        let others = ["--threads", "--quiet", "--color", "--help", "--version"];
        // `--seconds` excludes `--subtrees`.
        let stated = subject.words.split(' ').filter(|word| word.starts_with("--"));
        let excluded = subject.words.contains("--subtrees").then_some("--seconds");
        let tried: BTreeSet<&str> = tried.chain(others).chain(stated).chain(excluded).collect();
        assert_eq!(listed, tried, "{}", subject.words);
    }
}

#[test]
#[ignore = "two thousand runs: half a minute, optimised"]
fn any_two_options_do_together_what_each_does_alone_or_are_refused_by_name() {
    let mut wrong = Vec::new();
    for Subject { words, options, is_repeatable } in SUBJECTS {
        let options: Vec<&str> = options.concat().into_iter().chain(COMMON).collect();
        let mut tried = BTreeMap::new();
        for option in &options {
            let ending = Ending::of(&format!("{words} {option}"));
            wrong.extend(flaw(&ending, &[option]).map(|it| format!("{words} {option}: {it}")));
            tried.insert(*option, ending);
        }
        for (at, one) in options.iter().enumerate() {
            for other in &options[at + 1..] {
                let pair = Pair { words, one, other, is_repeatable };
                let found = pair.flaw(&tried[one], &tried[other]);
                wrong.extend(found.map(|it| format!("{words} {one} {other}: {it}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} flaws:\n{}", wrong.len(), wrong.join("\n"));
}

/// Two options of a command.
struct Pair<'a> {
    words: &'a str,
    one: &'a str,
    other: &'a str,
    is_repeatable: bool,
}

impl Pair<'_> {
    /// What is wrong with a run with both options, given the runs with `one` and the `other` alone.
    fn flaw(&self, one: &Ending, other: &Ending) -> Option<String> {
        let both = Ending::of(&format!("{} {} {}", self.words, self.one, self.other));
        if let Some(flaw) = flaw(&both, &[self.one, self.other]) {
            return Some(flaw);
        }
        let swapped = Ending::of(&format!("{} {} {}", self.words, self.other, self.one));
        if !self.is_same(&both, &swapped) {
            return Some(format!("{both:?}, in the other order {swapped:?}"));
        }
        let is_blamed = |option: &str| both.errors.contains(name(option));
        let is_refused = !both.has_succeeded() && one.has_succeeded() && other.has_succeeded();
        if is_refused && !is_blamed(self.one) && !is_blamed(self.other) {
            return Some(format!("refused, by no name: {both:?}"));
        }
        // More threads change no answer.
        if self.other == "-j 2" && !self.is_same(&both, one) {
            return Some(format!("{both:?}, on one thread {one:?}"));
        }
        None
    }

    fn is_same(&self, one: &Ending, other: &Ending) -> bool {
        let is_comparable = self.is_repeatable && one.has_succeeded();
        one.code == other.code && (!is_comparable || one.answer == other.answer)
    }
}

/// What is wrong with a run: it succeeds with an answer, or is refused with a message and without one.
fn flaw(ending: &Ending, options: &[&str]) -> Option<String> {
    let may_be_silent = ["--output", "--journal", "--svg", "--html", "--skip", "--strict", "-q"];
    let is_silent = options.iter().any(|option| may_be_silent.contains(&name(option)));
    let is_right = match ending.code {
        Some(0) => is_silent || !ending.answer.is_empty(),
        // 1 where the input does not fit, as a file of several puzzles where one is expected.
        Some(1 | 2) => !ending.errors.is_empty() && ending.answer.is_empty(),
        _ => false,
    };
    (!is_right).then(|| format!("{ending:?}"))
}
