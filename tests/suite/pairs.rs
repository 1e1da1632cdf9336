//! Every pair of options of a command, on a small input: both together do what each does alone, in either order, or are
//! refused by name.

use crate::common::runs::{Folder, run_with_input};
use crate::common::{PUZZLE, SOLUTION};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Options of every command. `-h`, `-V` and `--color` change no answer and are left out.
const COMMON: [&str; 2] = ["-j 2", "-q"];

/// A command on a small input.
struct Subject {
    /// The command and its arguments.
    words: &'static str,
    /// Its options, each with a value that fits the input, in groups with commas between.
    options: &'static [&'static str],
    /// Whether all runs with the same words print the same, apart from times.
    is_repeatable: bool,
}

// Options that several commands have.
const SQUARES: &str = "--place b1, --block c2";
const READING: &str = "--closed x, --board 1";
const QUEENS_ENGINE: &str = "--engine blocks, --kernel portable, --memory 1G";
const COVER_ENGINE: &str = "--engine sets, --kernel portable, --memory 1G, --number 1";
const SAVED: &str = "--journal saved, --resume";
const COUNTING: &str = "--journal saved, --resume, --subtree 0, --json";
const RECORDS: &str =
    "--output out, --strict, --format lines, --to jsonl, --column puzzle, --size 9";
const PICTURES: &str = "--svg out.svg, --png out.png";
const BOARD: &str = "--stars 1, --number 2";
const STEPS: &str = "--steps 9, --all, --animate 1ms, --html out.html";

const SUBJECTS: [Subject; 49] = [
    repeatable(
        "queens count 6",
        &[
            SQUARES,
            READING,
            QUEENS_ENGINE,
            COUNTING,
            "--verbose, --fundamental, --symmetry-classes",
        ],
    ),
    repeatable(
        "queens list 6",
        &[
            SQUARES,
            READING,
            PICTURES,
            "--limit 2, --skip 1, --fundamental, --format vector, --sample 2, --seed 7, --output out",
        ],
    ),
    varying(
        "queens one 8",
        &[
            SQUARES,
            READING,
            PICTURES,
            "--method greedy-repair, --seed 7, --max-steps 100000, --time-limit 20s, --k 3",
            "--format vector, --output out",
        ],
    ),
    varying("queens methods --sizes 5 --seeds 2", &[PICTURES, "--time-limit 1s, --json, --csv"]),
    repeatable("queens tree 5", &[SQUARES, PICTURES, "--depth 2"]),
    repeatable("queens trace 5", &[SQUARES, STEPS]),
    varying(
        "queens estimate 8",
        &[
            SQUARES,
            QUEENS_ENGINE,
            "--board torus, --probes 500, --seconds 1s, --seed 7, --json, --draws, --subtrees 8, --csv",
        ],
    ),
    repeatable(
        "queens tally 6",
        &[SQUARES, READING, PICTURES, "--limit 2, --json, --csv, --output out", SAVED],
    ),
    varying("queens verify 6", &[SQUARES, READING, "--json"]),
    repeatable("queens check solutions", &[]),
    repeatable(
        "cover count puzzle",
        &[COVER_ENGINE, COUNTING, "--modulo 7, --fundamental, --by-values, --limit 2"],
    ),
    repeatable("cover list puzzle", &[PICTURES, "--number 1, --limit 2, --json, --output out"]),
    repeatable(
        "cover tally puzzle",
        &["--limit 2, --json, --csv, --output out, --uncovered, --to jsonl, --number 1", SAVED],
    ),
    repeatable("cover describe puzzle", &[COVER_ENGINE]),
    repeatable("cover draw places", &[PICTURES, "--number 1"]),
    repeatable("cover convert puzzle --to dlx", &["--output out, --number 1"]),
    repeatable(
        "sudoku solve sudokus",
        &[
            RECORDS,
            "--engine single, --kernel portable, --limit 3, --all, --solutions-only",
            "--columns guesses, --check, --stats, --json",
        ],
    ),
    varying(
        "sudoku count sudokus",
        &[
            RECORDS,
            "--engine single, --kernel portable, --limit 3, --stats",
            "--method enumeration",
            COUNTING,
        ],
    ),
    varying(
        "sudoku estimate sudoku",
        &["--probes 100, --seconds 1s, --seed 7, --json, --draws, --subtrees 8, --csv"],
    ),
    varying("sudoku verify sudoku", &["--json, --number 1"]),
    repeatable("sudoku canon sudokus", &[RECORDS, "--unique"]),
    repeatable("sudoku shuffle sudokus", &[RECORDS, "--times 2, --seed 7"]),
    repeatable(
        "sudoku generate 2",
        &["--clues 26, --seed 7, --minimal, --symmetric, --output out"],
    ),
    repeatable("sudoku list sudoku", &["--limit 2, --json, --output out, --number 1"]),
    repeatable(
        "sudoku tally sudoku",
        &[PICTURES, "--limit 2, --json, --csv, --to jsonl, --output out, --number 1", SAVED],
    ),
    repeatable("sudoku draw sudoku", &[PICTURES, "--number 1"]),
    repeatable(
        "sudoku explain sudoku",
        &["--hint, --cell r1c3, --html out.html, --json, --number 1"],
    ),
    repeatable("sudoku trace sudoku", &[STEPS]),
    repeatable(
        "variant solve rules",
        &["--limit 3, --output out, --strict, --ignore-drawings, --number 1"],
    ),
    repeatable("variant count rules", &[COUNTING, "--limit 3, --ignore-drawings, --number 1"]),
    repeatable(
        "variant list rules",
        &["--limit 2, --json, --output out, --ignore-drawings, --number 1"],
    ),
    repeatable(
        "variant tally rules",
        &[
            PICTURES,
            "--limit 2, --json, --csv, --to jsonl, --output out, --ignore-drawings, --number 1",
            SAVED,
        ],
    ),
    repeatable("variant candidates rules", &["--json, --ignore-drawings, --number 1"]),
    repeatable(
        "variant explain rules",
        &["--hint, --json, --cell r1c3, --ignore-drawings, --number 1"],
    ),
    repeatable("variant draw rules", &[PICTURES, "--solution, --ignore-drawings, --number 1"]),
    repeatable(
        "variant convert rules",
        &["--to text, --output out, --ignore-drawings, --number 1"],
    ),
    varying(
        "variant estimate rules",
        &["--seconds 1s, --subtrees 8, --seed 7, --csv, --json, --ignore-drawings, --number 1"],
    ),
    repeatable(
        "variant generate ruled",
        &["--clues 8, --minimal, --cages 3, --seed 7, --output out, --ignore-drawings, --number 1"],
    ),
    repeatable(
        "regions solve boards",
        &["--stars 1, --limit 3, --guesses 5, --to csv, --kernel portable, --output out, --strict"],
    ),
    repeatable("regions count boards", &[BOARD, COUNTING, "--kernel portable, --limit 2"]),
    repeatable("regions list boards", &[BOARD, "--limit 2, --json, --output out"]),
    repeatable(
        "regions tally boards",
        &[BOARD, PICTURES, "--limit 2, --json, --csv, --to jsonl, --output out", SAVED],
    ),
    repeatable("regions draw boards", &[BOARD, PICTURES, "--solution"]),
    repeatable(
        "regions generate 2",
        &[
            "--size 6, --stars 1, --smallest 2, --largest 20, --level 5, --seed 7, --rows, --output out",
        ],
    ),
    repeatable("regions explain boards", &[BOARD, "--hint, --json"]),
    repeatable("regions convert boards", &[BOARD, "--to rows, --output out"]),
    repeatable("regions canon boards", &["--stars 1, --unique, --output out"]),
    varying(
        "regions estimate boards",
        &[BOARD, "--kernel portable, --seconds 1s, --subtrees 8, --seed 7, --csv, --json"],
    ),
    varying("regions verify boards", &[BOARD, "--json"]),
];

/// A command whose runs with the same words all print the same.
const fn repeatable(words: &'static str, options: &'static [&'static str]) -> Subject {
    Subject { words, options, is_repeatable: true }
}

/// A command whose runs differ in more than times.
const fn varying(words: &'static str, options: &'static [&'static str]) -> Subject {
    Subject { words, options, is_repeatable: false }
}

impl Subject {
    /// Its options, one by one.
    fn options(&self) -> impl Iterator<Item = &'static str> {
        self.options.iter().flat_map(|group| group.split(", "))
    }
}

/// Writes the inputs that the subjects read.
fn lay_out(folder: &Folder) {
    folder.write("sudoku", PUZZLE);
    folder.write("sudokus", format!("{PUZZLE}\n{}\n", PUZZLE.replace('3', ".")));
    folder.write("table", format!("puzzle\n{PUZZLE}\n"));
    folder.write("solved", format!("{PUZZLE}:{SOLUTION}\n"));
    folder.write("ruled", "size 4\ndiagonal falling\n");
    folder.write("lines", "12..34....2.....\n");
    folder.write("squares", ".x....\n......\n......\n......\n......\n......\n");
    folder.write("symmetric", "| symmetry: (b c)\na b c d\na b\nc d\na c\nb d\n");
    folder.write("places", "1,1 2,1\n1,1 2,1\n");
    folder.write("pips", "board:\naa\n..\ndominoes: 0-1 2-2\nregions:\na sum 3\n");
    folder.write("solutions", "2 4 1 3\n3 1 4 2\n");
    folder.write("rules", "size 4\ndiagonal falling\ngivens\n12..\n34..\n..2.\n....\n");
    folder.write("boards", "AABBAABBCCDBCDDD\nBBAABBAABDCCDDDC\n");
    folder.write("puzzle", "a b c d\na b\nc d\na c\nb d\na\nb c d\n");
}

/// How a run ended: its exit code, what it printed, and what it wrote, without times.
#[derive(Debug, PartialEq)]
struct Ending {
    code: i32,
    answer: String,
    errors: String,
}

impl Ending {
    fn of(words: &str) -> Self {
        let folder = Folder::new();
        lay_out(&folder);
        let (code, mut answer, errors) = folder.told(words);
        // A journal has times and checksums of them.
        if !words.contains("--journal") {
            answer += &fs::read_to_string(folder.at("out")).unwrap_or_default();
        }
        Self { code, answer: without_times(&answer), errors }
    }

    fn has_succeeded(&self) -> bool {
        self.code == 0
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
        let (_, help, _) = run_with_input(&format!("{} --help", subject.words), "");
        let begins = |line: &&str| line.trim_start().starts_with('-') && !line.contains("- ");
        let long = help.lines().filter(begins).filter_map(|line| {
            let at = line.find("--")?;
            Some(line[at..].split([' ', ',']).next().unwrap())
        });
        let listed: BTreeSet<&str> = long.collect();
        let tried = subject.options().map(name);
        let others = ["--threads", "--quiet", "--color", "--help", "--version"];
        let stated = subject.words.split(' ').filter(|word| word.starts_with("--"));
        let tried: BTreeSet<&str> = tried.chain(others).chain(stated).collect();
        assert_eq!(listed, tried, "{}", subject.words);
    }
}

/// Options that need another, in the words of a command with both; and those that do not fit the input of a subject, with
/// an input that they fit.
const COMPANIONS: [(&str, &str, &str); 31] = [
    ("queens count 6", "--closed x", "queens count squares"),
    ("queens count 6", "--board 1", "queens count squares"),
    ("queens list 6", "--closed x", "queens list squares"),
    ("queens list 6", "--board 1", "queens list squares"),
    ("queens one 8", "--closed x", "queens one squares"),
    ("queens one 8", "--board 1", "queens one squares"),
    ("queens tally 6", "--closed x", "queens tally squares"),
    ("queens tally 6", "--board 1", "queens tally squares"),
    ("queens verify 6", "--closed x", "queens verify squares"),
    ("queens verify 6", "--board 1", "queens verify squares"),
    ("queens list 6", "--seed 7", "queens list 6 --sample 2"),
    ("queens one 8", "--seed 7", "queens one 8 --method greedy-repair"),
    ("queens one 8", "--k 3", "queens one 8 --method las-vegas"),
    ("queens one 8", "--max-steps 100000", "queens one 8 --method backtrack"),
    ("queens one 8", "--time-limit 20s", "queens one 8 --method backtrack"),
    ("queens one 8", "--place b1", "queens one 8 --method backtrack"),
    ("queens one 8", "--block c2", "queens one 8 --method backtrack"),
    ("queens verify 6", "--block c2", "queens verify 6"),
    ("sudoku shuffle sudokus", "--times 2", "sudoku shuffle sudokus"),
    ("sudoku solve sudokus", "--column puzzle", "sudoku solve table"),
    ("sudoku count sudokus", "--column puzzle", "sudoku count table"),
    ("sudoku canon sudokus", "--column puzzle", "sudoku canon table"),
    ("sudoku shuffle sudokus", "--column puzzle", "sudoku shuffle table"),
    ("sudoku solve sudokus", "--check", "sudoku solve solved"),
    ("sudoku solve sudokus", "--json", "sudoku solve sudokus -o written"),
    ("cover count puzzle", "--fundamental", "cover count symmetric"),
    ("cover count puzzle", "--by-values", "cover count pips"),
    ("cover list puzzle", "--svg out.svg", "cover list places"),
    ("cover list puzzle", "--png out.png", "cover list places"),
    ("variant solve rules", "--strict", "variant solve ruled lines"),
    ("sudoku solve sudokus", "--columns guesses", "sudoku solve sudokus --to csv"),
];

/// A refusal alone would make all pairs with that option test nothing.
#[test]
fn each_option_succeeds_alone_or_with_its_companion() {
    let mut wrong = Vec::new();
    for subject in SUBJECTS {
        for option in subject.options() {
            let ending = Ending::of(&words_for(subject.words, option));
            // A build without the feature refuses every picture of this kind.
            let is_left_out = ending.errors.contains("this build draws no PNG");
            if !ending.has_succeeded() && !is_left_out {
                wrong.push(format!("{}: {ending:?}", words_for(subject.words, option)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words of a command in which `option` does something.
fn words_for(words: &str, option: &str) -> String {
    let of_one =
        matches!(option, "--method enumeration" | "--journal saved" | "--subtree 0" | "--json");
    let companion =
        COMPANIONS.iter().find(|(subject, needy, _)| (*subject, *needy) == (words, option));
    let words = match companion {
        Some((_, _, words)) => words,
        None if words == "sudoku count sudokus" && (of_one || option == "--resume") => {
            "sudoku count sudoku"
        }
        None => words,
    };
    match option {
        "--resume" => format!("{words} --journal saved --resume"),
        _ => format!("{words} {option}"),
    }
}

#[test]
#[ignore = "two thousand runs: half a minute, optimised"]
fn any_two_options_do_together_what_each_does_alone_or_are_refused_by_name() {
    let mut wrong = Vec::new();
    for subject in SUBJECTS {
        let Subject { words, is_repeatable, .. } = subject;
        let options: Vec<&str> = subject.options().chain(COMMON).collect();
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
        0 => is_silent || !ending.answer.is_empty(),
        // 1 where the input does not fit, as a file of several puzzles where one is expected.
        1 | 2 => !ending.errors.is_empty() && ending.answer.is_empty(),
        _ => false,
    };
    (!is_right).then(|| format!("{ending:?}"))
}
