//! Promise: the problems of `examples/` have the whole program: journals, samples, shards, scaling.

use crate::common::runs::{Folder, signal, status_of, wait_until};
use tallyboard_search::journal::read;

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

#[test]
fn each_example_counts_and_refuses() {
    for example in EXAMPLES {
        let here = Folder::of_example(example.name);
        let Example { n, solutions, .. } = example;
        assert_eq!(here.succeed(&format!("count {n} -q -j 2")), format!("{solutions}\n"));
        for wrong in [0, 99] {
            here.fails(&format!("count {wrong}"), 2, ["found", "expected 1 to"]);
        }
    }
    let [langford, peaceful, mappings] = EXAMPLES.map(|example| Folder::of_example(example.name));
    assert!(langford.succeed("count 12").ends_with("known count (OEIS A014552)\n"));
    mappings.prints("count 15", "36,362,925 mappings\n2424195 of them with p(0) = 0");
    // Of both kernels.
    mappings.prints("verify 15", "all agree");
    // With one method there is the known count to compare with, or nothing.
    let agreement = "one method, which agrees (known: 150, OEIS A014552); no other";
    langford.prints("verify 8", agreement);
    peaceful.fails("verify 4", 1, "nothing to compare");
}

#[test]
fn each_example_goes_on_after_kill_9() {
    for example in EXAMPLES {
        let here = Folder::of_example(example.name);
        let words = format!("count {} -q -j 1 --resume --journal j", example.n);
        let mut child = here.start(&words);
        wait_until("a subtree is saved", || here.saved("j") > 0);
        signal(&child, "KILL");
        status_of(&mut child);
        let answer = format!("{}\n", example.solutions);
        assert_eq!(here.succeed(&words), answer);
        let contents = read(&here.at("j")).unwrap();
        assert_eq!(contents.damaged, 0, "{}", example.name);
        assert_eq!(contents.records.len() as u64, contents.header.subtrees as u64);
        here.prints("show j", "100.00 %");
    }
}

#[test]
fn each_example_is_sampled_and_measured() {
    for example in EXAMPLES {
        let here = Folder::of_example(example.name);
        let Example { name, n, solutions, extrapolates, .. } = example;
        let report = here.json(&format!("estimate {n} --subtrees 12 --seed 5 --json"));
        assert_eq!(report["solutions"].is_null(), !extrapolates, "{name}: {report}");
        assert!(report["core_seconds"]["estimate"].as_f64().unwrap() > 0.0, "{name}: {report}");
        if extrapolates {
            let (low, high) = (&report["solutions"]["low"], &report["solutions"]["high"]);
            let holds = low.as_f64().unwrap()..=high.as_f64().unwrap();
            assert!(holds.contains(&(solutions as f64)), "{name}: {report}");
        } else {
            let text = here.prints(&format!("estimate {n} --subtrees 12"), "residues");
            assert!(!text.contains("about"), "no number of solutions: {text}");
        }
        let small = n - 4;
        let text = here.succeed(&format!("scale {small} -P 2 -r 1 -w 0"));
        assert!(text.contains("speed-up") || text.contains("Speed-up"), "{name}: {text}");
    }
}

#[test]
fn each_example_is_planned_run_and_merged() {
    for example in EXAMPLES {
        let here = Folder::of_example(example.name);
        let (n, solutions) = example.small;
        here.succeed(&format!("cluster plan {n} --shards 3 -o plan"));
        here.run_shards("plan", 0..3, "results");
        let answer = format!("{solutions}\n");
        assert_eq!(here.succeed("cluster merge plan results -q"), answer);
        // Residues, too, add up to the count when others check it.
        here.succeed("cluster bundle plan results -o bundle");
        let checked = here.json("cluster check bundle --json");
        assert_eq!(checked["solutions"].to_string(), solutions.to_string());
    }
}
