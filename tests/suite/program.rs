//! Promise: a problem of somebody else's gets a whole program, and no mistake of the problem loses anything.

use crate::common::runs::{Folder, ended, output, signal, told, wait_until};
use serde_json::Value;
use tallyboard_search::journal::read;

/// A folder in which `tests/programs/words.rs` runs.
fn folder() -> Folder {
    Folder::of_example("words")
}

#[test]
fn a_count_is_checked_reported_and_continued() {
    let here = folder();
    assert_eq!(here.succeed("count 12 -q"), "377\n");
    let text = here.succeed("count 12 -j 3 --method ends");
    let expected = "words digits=12: 377 words\n4524 digits in all words\ntime ";
    assert!(text.starts_with(expected), "{text}");
    let end = "threads 3, method ends\nagrees with the known count (OEIS A000045)\n";
    assert!(text.ends_with(end), "{text}");
    let report = here.json("count 12 --json -j 2");
    for (key, value) in [
        ("problem", Value::from("words")),
        ("digits", 12.into()),
        ("solutions", 377.into()),
        ("known", 377.into()),
        ("threads", 2.into()),
        ("method", "search".into()),
        ("digits_in_all", 1.into()),
    ] {
        assert_eq!(report[key], value, "{key}: {report}");
    }
    assert_eq!(here.json("count 12 --begin 1 --json")["known"], Value::Null);
    assert!(here.succeed("count 12 --begin 10").ends_with("no known count to compare with\n"));

    assert_eq!(here.succeed("count 14 -q --journal j"), "987\n");
    let shown = here.succeed("show j");
    let expected = "done 100.00 %: 16 of 16 subtrees\nsubtotal 987 solutions\ntime ";
    assert!(shown.contains(expected) && shown.contains(" thread "), "{shown}");
    assert!(shown.contains("solutions/s on "), "{shown}");
    assert_eq!(here.succeed("show j --csv").lines().count(), 17);
    assert_eq!(here.succeed("count 14 -q --subtree 2"), "144\n");
    here.fails("count 14 --subtree 16", 2, "expected 0 to 15");
    here.fails("count 14 --journal j", 1, "exists already");
    assert_eq!(here.succeed("count 14 -q --journal j --resume"), "987\n");
    let message = here.fail("count 15 --journal j --resume", 1);
    assert!(message.starts_with("words: ") && message.contains("digits is 14 there and 15 here"));
}

#[test]
fn a_count_that_is_interrupted_or_killed_goes_on() {
    let here = folder();
    let words = "count 14 -q -j 1 --wrong slow --journal j --resume";
    for (name, code) in [("TERM", 143), ("INT", 130), ("KILL", -9)] {
        let saved = here.saved("j");
        let child = here.start(words);
        wait_until("a subtree is saved", || here.saved("j") > saved);
        signal(&child, name);
        let (ended_with, _, message) = ended(child);
        assert_eq!(ended_with, code, "{message}");
        let is_said = message.contains("words: interrupted; ") && message.contains("--resume");
        assert_eq!(is_said, name != "KILL", "{message}");
    }
    let contents = read(&here.at("j")).unwrap();
    assert!(contents.records.len() >= 3 && contents.damaged == 0);
    assert_eq!(here.succeed(words), "987\n");
    let contents = read(&here.at("j")).unwrap();
    assert_eq!((contents.records.len(), contents.torn), (16, 0));
}

#[test]
fn samples_methods_and_scaling_are_there_too() {
    let here = folder();
    let report = here.json("estimate 24 --method ends --subtrees 14 --seed 3 --json -j 2");
    assert_eq!((&report["problem"], &report["digits"]), (&"words estimate".into(), &24.into()));
    assert_eq!((&report["draws"], &report["subtrees"]), (&14.into(), &16.into()), "{report}");
    assert_eq!((&report["seed"], &report["known"]), (&3.into(), &121_393.into()));
    let text = here.succeed("estimate 20 --subtrees 16");
    assert!(text.contains("17,711 words, every subtree counted (16)"), "{text}");
    assert!(text.contains("agrees with the known count 17,711 (OEIS A000045)"), "{text}");
    // Nothing was left to chance.
    assert!(text.contains("\nthe whole count takes ") && !text.contains("interval"), "{text}");
    let text = here.succeed("estimate 24 --method ends --subtrees 14 --seed 3");
    assert!(text.contains(": about ") && text.contains(" words, from 14 draws of 16"), "{text}");
    assert!(!text.contains("longer than"), "{text}");
    // Ten draws are needed, half of them of subtrees that wait for 0.2 s. The limit is kept, and what would do is said.
    let words = "estimate 14 --wrong slow -j 1 --seconds 10ms";
    here.prints(words, ["no estimate", "the time ended first", " s or more (--seconds "]);
    let report = here.json(&format!("{words} --json"));
    assert!(report["solutions"].is_null() && report["least_seconds"].as_f64() > Some(0.01));
    here.prints("estimate 14 --wrong slow -j 1 --seconds 60s", "words, ");
    assert_eq!(here.succeed("estimate 20 --subtrees 10 --csv").lines().count(), 11);

    let text = here.succeed("verify 16");
    assert!(text.contains("ends ") && text.contains("search "), "{text}");
    assert!(
        text.contains("all agree (known: 2,584, OEIS A000045); 16 subtotals compared"),
        "{text}"
    );
    let text = here.told("verify 16 --wrong one-method").1;
    assert!(text.contains("different subtotals, first in subtree 2 of words digits=16"), "{text}");
    assert!(text.contains("THEY DISAGREE (known: 2,584, OEIS A000045)"), "{text}");
    // More in one subtree and as many fewer in another: the sums agree.
    let (code, text, _) = here.told("verify 16 --wrong moved");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("different subtotals, first in subtree 0 of words digits=16"), "{text}");
    let (code, text, _) = here.told("verify 16 --wrong one-method --json");
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["agree"]), (1, &false.into()));
    assert_eq!(report["rows"][1]["method"], "search");

    let report = here.json("scale 16 --method ends -P 2 -r 1 -w 0 --json");
    let shown = report.to_string();
    assert!(shown.contains("words count 16 --method ends --wrong nothing -j {threads}"), "{shown}");
    here.write("r.json", &shown);
    assert!(!here.succeed("compare r.json r.json").is_empty());
    here.fail("scale 16 --wrong known -P 2 -r 1 -w 0", 1);
}

#[test]
fn plans_are_run_watched_and_merged() {
    let here = folder();
    here.says(
        "cluster plan 16 --shards 5 -o p",
        "p: words digits=16 in 5 shards (0 to 4), 16 subtrees",
    );
    let plan = here.read("p");
    assert!(plan.contains("\"words\": {\n        \"digits\": 16"), "{plan}");
    here.prints("cluster status p r", "0 of 5 shards done, 0 begun, 5 waiting\nwaiting: 0-4\n");
    here.succeed("cluster run p --shard 1 -o r");
    here.succeed("cluster run p --shard 3 -o r");
    let status = here.succeed("cluster status p r");
    assert!(status.contains("2 of 5 shards done") && status.contains("waiting: 0,2,4"), "{status}");
    assert!(status.contains("40.0 % of the work"), "{status}");
    here.fails("cluster merge p r", 1, "3 of 5 shards have no result: 0,2,4");
    here.run_shards("p", [0, 2, 4], "r");
    let status = here.succeed("cluster status p r");
    assert!(status.ends_with("100.0 % of the work, nothing left but to merge\n"), "{status}");
    assert_eq!(here.succeed("cluster merge p r -q"), "2584\n");
    let text = here.succeed("cluster merge p r --recount 9");
    assert!(
        text.contains("9 subtrees (56.25 % of the work) counted again with method ends"),
        "{text}"
    );
    assert!(text.contains("41344 digits in all words"), "checked by its laws: {text}");
    assert!(text.starts_with("words digits=16: 2,584 words\n5 shards, "), "{text}");
    here.says(
        "cluster bundle p r -o bundle",
        "bundle: 5 shards, 16 subtrees, 2,584 words; publish",
    );
    let report = here.json("cluster merge p r --json");
    assert_eq!((&report["problem"], &report["digits"]), (&"words".into(), &16.into()));

    here.succeed("cluster plan 16 --wrong known --shards 1 -o wrong");
    here.succeed("cluster run wrong --shard 0 -o wrong-results");
    let message = here.fail("cluster merge wrong wrong-results", 1);
    assert!(message.contains("WRONG COUNT for words digits=16: found 2584, expected 2585"));

    let script = here.succeed("cluster slurm p");
    assert!(script.contains("#SBATCH --job-name=words\n"), "{script}");
    assert!(script.contains("/examples/words\n"), "{script}");
    here.prints("cluster hq p --cpus 2", "/examples/words cluster run ");
    here.prints("cluster k8s p --image it/words:1", "command: [\"words\"]");
}

/// The arguments, not the order in which they were typed, are what a plan is of.
#[test]
fn plans_of_other_work_are_refused() {
    let here = folder();
    here.succeed("cluster plan 16 --shards 3 -o p");
    here.fails("cluster plan 17 --shards 3 -o p", 1, "holds another plan");
    here.succeed("cluster run p --shard 0 -o r");
    // Another binary, with another algorithm, and the same plan.
    let newer = |words: &str, expected: i32| {
        let mut command = here.command(words);
        let (code, _, message) = told(output(command.env("WORDS_ALGORITHM", "2")));
        assert_eq!(code, expected, "{message}");
        assert!(code == 0 || message.contains("algorithm is 1 there and 2 here"), "{message}");
        message
    };
    newer("cluster run p --shard 1 -o r", 42);
    assert!(!here.at("r/shard-00001.json").exists());
    here.run_shards("p", [1, 2], "r");
    newer("cluster merge p r", 1);
    // Its own plan, in a folder with results of the first.
    newer("cluster plan 16 --shards 3 -o newer", 0);
    let message = newer("cluster merge newer r", 1);
    assert!(message.contains("another plan or version"), "{message}");
    newer("cluster run newer --shard 0 -o r", 42);
    assert_eq!(here.succeed("cluster merge p r -q"), "2584\n");

    // A plan of another program, and one that was edited.
    let other = Folder::new();
    other.succeed("cluster plan queens 6 --engine blocks --shards 1 -o queens");
    here.write("queens", other.read("queens"));
    let expected = "found the problem `queens`, expected `words`";
    here.fails("cluster run queens --shard 0 -o r2", 42, expected);
    let plan = here.read("p");
    other.write("p", &plan);
    other.fails("cluster run p --shard 0 -o r2", 42, "unknown variant `words`");
    here.write("p", plan.replace("\"digits\": 16", "\"digits\": 17"));
    here.fails("cluster run p --shard 0 -o r2", 42, "the file is damaged");
    here.fails("cluster merge p r", 1, "the file is damaged");
    assert!(!here.at("r2").exists() && !other.at("r2").exists());
}

/// The exit code, and what is said.
#[test]
fn a_problem_that_is_wrong_is_an_error_and_nothing_else() {
    let here = folder();
    for (words, code, said) in [
        ("count 4", 2, "words: found 4 digits, expected 5 to 60"),
        ("count 9 --wrong panic-in-run", 1, "making the problem panicked: a panic on purpose"),
        (
            "count 9 --wrong panic-in-split",
            1,
            "`split` of the problem panicked: a panic on purpose",
        ),
        ("count 9 --wrong panic-in-identity", 1, "`identity` of the problem panicked: a panic"),
        ("count 9 --wrong panic-in-memory", 1, "`memory` of the problem panicked: a panic"),
        (
            "count 9 --wrong panic-in-count",
            1,
            "the count of subtree 9 panicked: a panic on purpose",
        ),
        // By its own number, with which it can be counted alone.
        (
            "estimate 9 --wrong panic-in-count --subtrees 12 --seed 2",
            1,
            "the count of subtree 9 panicked",
        ),
        ("scale 9 --wrong panic-in-split", 1, "`split` of the problem panicked"),
        ("verify 9 --wrong panic-in-run", 1, "making the problem panicked"),
        (
            "count 9 --wrong line-break",
            1,
            "found the identity \"words\\nof two lines\", expected one",
        ),
        ("count 9 --wrong no-identity", 1, "found the identity \" \", expected one line"),
        ("cluster plan 9 --shards 2 -o p --wrong line-break", 1, "expected one line of text"),
        (
            "cluster plan 9 --shards 2 -o p --wrong panic-in-split",
            1,
            "`split` of the problem panicked",
        ),
        (
            "count 9 --wrong known",
            1,
            "found 89, expected 90 (OEIS A000045). One of the two is wrong",
        ),
        ("count 9 --wrong law", 1, "a law is broken on purpose"),
        (
            "count 9 -j 2 --memory 1M",
            1,
            "the count needs 3 MiB of memory for 2 threads, the limit is 1",
        ),
    ] {
        here.fails(words, code, said);
        assert_eq!(here.run(words).stdout, b"", "{words}");
    }
    assert_eq!(here.files(), 0, "nothing is written");
    // What was counted before a panic stays saved.
    here.fail("count 14 -j 1 --wrong panic-in-count --journal j", 1);
    assert_eq!(here.saved("j"), 9);
    assert_eq!(here.succeed("count 14 -q --journal j --resume"), "987\n");
}

#[test]
fn a_problem_without_subtrees_has_no_solutions() {
    let here = folder();
    for words in ["count 50 -q --wrong no-subtrees", "count 50 -q --wrong no-subtrees --journal j"]
    {
        assert_eq!(here.succeed(words), "0\n");
    }
    here.prints("show j", "done 100.00 %: 0 of 0 subtrees");
    here.prints("estimate 50 --wrong no-subtrees", "0 words");
    here.fails("count 50 --wrong no-subtrees --subtree 0", 2, "has none");
    let message = here.fail("cluster plan 50 --wrong no-subtrees --shards 1 -o p", 0);
    assert!(!message.contains("NaN"), "{message}");
    here.fails("cluster plan 50 --wrong no-subtrees --shards 2 -o p2", 1, "at most 0");
    here.succeed("cluster run p --shard 0 -o r");
    assert_eq!(here.succeed("cluster merge p r -q"), "0\n");
    here.prints("cluster merge p r --recount 1", "0 subtrees (100.00 % of the work) counted again");
    here.fails("scale 50 --wrong no-subtrees -P 2 -r 1 -w 0", 1, "no subtrees");
}

#[test]
fn memory_that_is_lacking_is_said_and_planned_for() {
    let here = folder();
    let message = here.fail("count 12 -j 2 --memory 500M --wrong memory", 1);
    let expected =
        "needs 601 MiB of memory for 2 threads, the limit is 500 MiB (limited by --memory)";
    assert!(message.contains(expected), "{message}");
    here.succeed("count 12 -q -j 1 --memory 500M --wrong memory");
    let said = here.said("cluster plan 16 --wrong memory --shards 2 -o p");
    // A worker takes 300 MiB, the program 16 to 80, and a tenth is added.
    let mib = |text: &str, before: &str| -> u64 {
        let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}")).1;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    let planned = "memory to ask a scheduler for: ";
    assert_eq!(mib(&said, planned), mib(&here.succeed("cluster slurm p --cpus 1"), "--mem="));
    let of_two = mib(&here.succeed("cluster slurm p --cpus 2"), "--mem=");
    let further = of_two - mib(&said, planned);
    assert_eq!(mib(&said, "a shard with one core, "), further, "{said}");
    assert!((330..=331).contains(&further) && said.contains("MiB for each further core"), "{said}");
    // 16 MiB are the program's; each subtree takes 36 bytes, and 64 more in its shard.
    assert_eq!(mib(&said, "a shard itself takes up to "), 317, "{said}");
    for (cpus, fewest, most) in [(1, 380, 420), (4, 1280, 1420)] {
        let slurm = here.succeed(&format!("cluster slurm p --cpus {cpus}"));
        let hq = here.succeed(&format!("cluster hq p --cpus {cpus}"));
        let image = "--image it/words:1";
        let k8s = here.succeed(&format!("cluster k8s p --cpus {cpus} {image}"));
        let asked = mib(&slurm, "--mem=");
        assert!((fewest..most).contains(&asked), "{asked}");
        for (text, before) in
            [(&hq, "--resource mem="), (&hq, "\"mem\" = "), (&k8s, "limits: { memory: \"")]
        {
            assert_eq!(mib(text, before), asked, "{before}");
        }
        assert_eq!(mib(&k8s, &format!("cpu: \"{cpus}\", memory: \"")), asked);
    }
}

#[test]
fn help_is_of_the_program_itself() {
    let here = folder();
    let help = here.succeed("--help");
    assert!(help.starts_with("Count words of 0 and 1 without two 1s side by side\n"), "{help}");
    for word in ["count", "estimate", "verify", "show", "scale", "cluster", "completions", "man"] {
        assert!(help.contains(&format!("\n  {word} ")), "{word}: {help}");
    }
    let help = here.succeed("count --help");
    assert!(help.contains("Digits of a word, from 5 to 60") && help.contains("--memory <BYTES>"));
    assert!(help.contains("Examples:\n  words count 30\n"), "{help}");
    assert!(!help.contains("tallyboard"), "{help}");
    here.prints("cluster --help", ["  plan ", "  status "]);
    here.prints("completions bash", "complete -F _words");
    here.succeed("man pages");
    let page = here.read("pages/words-count.1");
    assert!(page.contains("words") && here.at("pages/words-cluster-status.1").exists());
    here.fails("cuont 5", 2, "count");
    assert!(here.succeed("--version").starts_with("words (tallyboard "));
}

/// Each subtotal is right modulo 100, their sum is not below 100, and a part of them tells nothing.
#[test]
fn residues_are_summed_and_reduced_and_never_scaled_up() {
    let here = folder();
    let text = here.succeed("count 12 --modulo 100");
    assert!(text.starts_with("words digits=12: 77 words\n"), "{text}");
    assert!(!text.contains("words/s"), "{text}");
    assert!(
        text.ends_with("agrees with the known count (a remainder of OEIS A000045)\n"),
        "{text}"
    );
    here.prints("verify 12 --modulo 100", "all agree (known: 77, a remainder of OEIS A000045)");
    let text = here.succeed("estimate 12 --modulo 100 --subtrees 10");
    assert!(text.contains("whose subtotals are residues: they tell the time alone"), "{text}");
    let report = here.json("estimate 12 --modulo 100 --subtrees 10 --json");
    assert_eq!((&report["solutions"], &report["comparison"]), (&Value::Null, &"none".into()));
    here.succeed("cluster plan 12 --modulo 100 --shards 2 -o p");
    here.run_shards("p", 0..2, "r");
    assert_eq!(here.succeed("cluster merge p r -q"), "77\n");
    // So are those of a bundle.
    here.succeed("cluster bundle p r -o bundle");
    assert_eq!(here.json("cluster check bundle --json")["solutions"], 77);
    here.prints("cluster check bundle", ": 77 words\n");
    here.succeed("scale 12 --modulo 100 --weak -P 2 -r 1 -w 0");
}
