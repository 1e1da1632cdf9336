//! Promise: the problems of `examples/` have the whole program: journals, samples, shards, scaling.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use search::journal::read;

use crate::common::runs::{PROGRAM, signal};

/// A program of `examples/`, a problem that it counts in a second, and the answer.
struct Example {
    name: &'static str,
    n: u32,
    solutions: u128,
    /// A smaller problem, and its answer.
    small: (u32, u128),
    /// Whether a sample says how many solutions there are.
    extrapolates: bool,
}

const EXAMPLES: [Example; 3] = [
    Example {
        name: "langford",
        n: 12,
        solutions: 108_144,
        small: (11, 17_792),
        extrapolates: true,
    },
    Example {
        name: "peaceful",
        n: 11,
        solutions: 66_807_234,
        small: (9, 915442),
        extrapolates: true,
    },
    Example {
        name: "mappings",
        n: 19,
        solutions: 87_656_896_891,
        small: (15, 36_362_925),
        extrapolates: false,
    },
];

impl Example {
    /// Where cargo builds the examples together with the tests.
    fn path(&self) -> PathBuf {
        let path = Path::new(PROGRAM).with_file_name("examples").join(self.name);
        assert!(path.exists(), "{} is not built: cargo build --examples", path.display());
        path
    }

    fn command(&self, folder: &Path, words: &str) -> Command {
        let mut command = Command::new(self.path());
        command.current_dir(folder).args(words.split_whitespace());
        command.env_remove("RAYON_NUM_THREADS");
        command
    }

    /// The output of a run with `code`.
    fn run(&self, folder: &Path, words: &str, code: i32) -> Output {
        let output = self.command(folder, words).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{} {words}: {output:?}", self.name);
        output
    }

    /// The standard output of a run that has to succeed.
    fn succeed(&self, folder: &Path, words: &str) -> String {
        String::from_utf8(self.run(folder, words, 0).stdout).unwrap()
    }
}

#[test]
fn each_example_counts_and_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for example in EXAMPLES {
        let Example { n, solutions, .. } = example;
        assert_eq!(example.succeed(here, &format!("count {n} -q -j 2")), format!("{solutions}\n"));
        for wrong in [0, 99] {
            let message = example.run(here, &format!("count {wrong}"), 2).stderr;
            let message = String::from_utf8(message).unwrap();
            assert!(message.contains("found") && message.contains("expected 1 to"), "{message}");
        }
    }
    let [langford, peaceful, mappings] = EXAMPLES;
    assert!(langford.succeed(here, "count 12").ends_with("known count (OEIS A014552)\n"));
    let text = mappings.succeed(here, "count 15");
    assert!(text.contains("36,362,925 mappings\n2424195 of them with p(0) = 0"), "{text}");
    assert!(mappings.succeed(here, "verify 15").contains("all agree"), "of both kernels");
    // With one method there is the known count to compare with, or nothing.
    let text = langford.succeed(here, "verify 8");
    assert!(
        text.contains("one method, which agrees (known: 150, OEIS A014552); no other"),
        "{text}"
    );
    let output = peaceful.run(here, "verify 4", 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("nothing to compare"));
}

#[test]
fn each_example_goes_on_after_kill_9() {
    let folder = tempfile::tempdir().unwrap();
    for example in EXAMPLES {
        let journal = folder.path().join(example.name);
        let saved = || read(&journal).map_or(0, |contents| contents.records.len());
        let words = format!("count {} -q -j 1 --resume --journal {}", example.n, example.name);
        let mut command = example.command(folder.path(), &words);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        while saved() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        signal(&child, "KILL");
        child.wait().unwrap();
        let answer = format!("{}\n", example.solutions);
        assert_eq!(example.succeed(folder.path(), &words), answer);
        let contents = read(&journal).unwrap();
        assert_eq!(contents.damaged, 0, "{}", example.name);
        assert_eq!(contents.records.len() as u64, contents.header.subtrees as u64);
        assert!(
            example.succeed(folder.path(), &format!("show {}", example.name)).contains("100.00 %")
        );
    }
}

#[test]
fn each_example_is_sampled_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for example in EXAMPLES {
        let Example { name, n, solutions, extrapolates, .. } = example;
        let text = example.succeed(here, &format!("sample {n} --subtrees 12 --seed 5 --json"));
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["solutions"].is_null(), !extrapolates, "{name}: {text}");
        assert!(report["core_seconds"]["estimate"].as_f64().unwrap() > 0.0, "{name}: {text}");
        if extrapolates {
            let (low, high) = (&report["solutions"]["low"], &report["solutions"]["high"]);
            let holds = low.as_f64().unwrap()..=high.as_f64().unwrap();
            assert!(holds.contains(&(solutions as f64)), "{name}: {text}");
        } else {
            let text = example.succeed(here, &format!("sample {n} --subtrees 12"));
            assert!(text.contains("residues"), "{text}");
            assert!(!text.contains("about"), "no number of solutions: {text}");
        }
        let small = n - 4;
        let text = example.succeed(here, &format!("scale {small} -P 2 -r 1 -w 0"));
        assert!(text.contains("speed-up") || text.contains("Speed-up"), "{name}: {text}");
    }
}

#[test]
fn each_example_is_planned_run_and_merged() {
    for example in EXAMPLES {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let (n, solutions) = example.small;
        example.succeed(here, &format!("cluster plan {n} --shards 3 -o plan"));
        for shard in 0..3 {
            example.succeed(here, &format!("cluster run plan --shard {shard} -o results"));
        }
        let answer = format!("{solutions}\n");
        assert_eq!(example.succeed(here, "cluster merge plan results -q"), answer);
        // Residues, too, add up to the count when others check it.
        example.succeed(here, "cluster bundle plan results -o bundle");
        let checked = example.succeed(here, "cluster check bundle --json");
        let checked: serde_json::Value = serde_json::from_str(&checked).unwrap();
        assert_eq!(checked["solutions"].to_string(), solutions.to_string());
    }
}
