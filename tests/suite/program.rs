//! Promise: a problem of somebody else's gets a whole program, and no mistake of the problem loses anything.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use search::journal::read;

use crate::common::runs::{PROGRAM, shell_code, signal};

/// `tests/programs/words.rs`, which cargo builds with the tests.
fn words_program() -> PathBuf {
    let path = Path::new(PROGRAM).with_file_name("examples").join("words");
    assert!(path.exists(), "{} is not built: cargo build --example words", path.display());
    path
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(words_program());
    command.current_dir(folder).args(words.split_whitespace());
    command.env_remove("RAYON_NUM_THREADS").env_remove("WORDS_ALGORITHM");
    command
}

fn run(folder: &Path, words: &str) -> Output {
    command(folder, words).output().unwrap()
}

/// The standard output of a run that has to succeed.
fn succeed(folder: &Path, words: &str) -> String {
    let output = run(folder, words);
    assert!(output.status.success(), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The standard error of a run that has to end with `code`.
fn fail(folder: &Path, words: &str, code: i32) -> String {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn json(folder: &Path, words: &str) -> serde_json::Value {
    serde_json::from_str(&succeed(folder, words)).unwrap()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn a_count_is_checked_reported_and_continued() {
    let folder = folder();
    let here = folder.path();
    assert_eq!(succeed(here, "count 12 -q"), "377\n");
    let text = succeed(here, "count 12 -j 3 --method ends");
    let expected = "words digits=12: 377 words\n4524 digits in all words\ntime ";
    assert!(text.starts_with(expected), "{text}");
    let end = "threads 3, method ends\nagrees with the known count (OEIS A000045)\n";
    assert!(text.ends_with(end), "{text}");
    let report = json(here, "count 12 --json -j 2");
    for (key, value) in [
        ("problem", serde_json::Value::from("words")),
        ("digits", 12.into()),
        ("solutions", 377.into()),
        ("known", 377.into()),
        ("threads", 2.into()),
        ("method", "search".into()),
        ("digits_in_all", 1.into()),
    ] {
        assert_eq!(report[key], value, "{key}: {report}");
    }
    assert_eq!(json(here, "count 12 --begin 1 --json")["known"], serde_json::Value::Null);
    assert!(succeed(here, "count 12 --begin 10").ends_with("no known count to compare with\n"));

    assert_eq!(succeed(here, "count 14 -q --journal j"), "987\n");
    let shown = succeed(here, "show j");
    let expected = "done 100.00 %: 16 of 16 subtrees\nsubtotal 987 words\ntime ";
    assert!(shown.contains(expected) && shown.contains(" thread "), "{shown}");
    assert!(shown.contains("words/s on "), "{shown}");
    assert_eq!(succeed(here, "show j --csv").lines().count(), 17);
    assert_eq!(succeed(here, "count 14 -q --subtree 2"), "144\n");
    assert!(fail(here, "count 14 --subtree 16", 2).contains("expected 0 to 15"));
    assert!(fail(here, "count 14 --journal j", 1).contains("exists already"));
    assert_eq!(succeed(here, "count 14 -q --journal j --resume"), "987\n");
    let message = fail(here, "count 15 --journal j --resume", 1);
    assert!(message.starts_with("words: ") && message.contains("digits is 14 there and 15 here"));
}

#[test]
fn a_count_that_is_interrupted_or_killed_goes_on() {
    let folder = folder();
    let here = folder.path();
    let words = "count 14 -q -j 1 --wrong slow --journal j --resume";
    for (name, code) in [("TERM", 143), ("INT", 130), ("KILL", 137)] {
        let saved = read(&here.join("j")).map_or(0, |contents| contents.records.len());
        let mut command = command(here, words);
        let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
        while read(&here.join("j")).map_or(0, |contents| contents.records.len()) <= saved {
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(shell_code(output.status), Some(code), "{message}");
        let is_said = message.contains("words: interrupted; ") && message.contains("--resume");
        assert_eq!(is_said, name != "KILL", "{message}");
    }
    let contents = read(&here.join("j")).unwrap();
    assert!(contents.records.len() >= 3 && contents.damaged == 0);
    assert_eq!(succeed(here, words), "987\n");
    let contents = read(&here.join("j")).unwrap();
    assert_eq!((contents.records.len(), contents.torn), (16, 0));
}

#[test]
fn samples_methods_and_scaling_are_there_too() {
    let folder = folder();
    let here = folder.path();
    let report = json(here, "sample 24 --method ends --subtrees 14 --seed 3 --json -j 2");
    assert_eq!((&report["problem"], &report["digits"]), (&"words sample".into(), &24.into()));
    assert_eq!((&report["draws"], &report["subtrees"]), (&14.into(), &16.into()), "{report}");
    assert_eq!((&report["seed"], &report["known"]), (&3.into(), &121_393.into()));
    let text = succeed(here, "estimate 20 --subtrees 16");
    assert!(text.contains("17,711 words, every subtree counted (16)"), "{text}");
    assert!(text.contains("agrees with the known count 17,711 (OEIS A000045)"), "{text}");
    // Nothing was left to chance.
    assert!(text.contains("\nthe whole count takes ") && !text.contains("interval"), "{text}");
    let text = succeed(here, "sample 24 --method ends --subtrees 14 --seed 3");
    assert!(text.contains(": about ") && text.contains(" words, from 14 draws of 16"), "{text}");
    assert!(!text.contains("longer than"), "{text}");
    // Ten draws are made, half of them of subtrees that wait for 0.2 s and are counted twice.
    let text = succeed(here, "sample 14 --wrong slow --seconds 10ms -j 1");
    assert!(text.contains("\nlonger than the 0.01 s asked for: "), "{text}");
    assert_eq!(succeed(here, "sample 20 --subtrees 10 --csv").lines().count(), 11);

    let text = succeed(here, "verify 16");
    assert!(text.contains("ends ") && text.contains("search "), "{text}");
    assert!(
        text.contains("all agree (known: 2,584, OEIS A000045); 16 subtotals compared"),
        "{text}"
    );
    let text = String::from_utf8(run(here, "verify 16 --wrong one-method").stdout).unwrap();
    assert!(text.contains("different subtotals, first in subtree 2 of words digits=16"), "{text}");
    assert!(text.contains("THEY DISAGREE (known: 2,584, OEIS A000045)"), "{text}");
    // More in one subtree and as many fewer in another: the sums agree.
    let output = run(here, "verify 16 --wrong moved");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("different subtotals, first in subtree 0 of words digits=16"), "{text}");
    let output = run(here, "verify 16 --wrong one-method --json");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["agree"]), (Some(1), &false.into()));
    assert_eq!(report["rows"][1]["method"], "search");

    let report = json(here, "scale 16 --method ends -P 2 -r 1 -w 0 --json");
    let shown = report.to_string();
    assert!(shown.contains("words count 16 --method ends --wrong nothing -j {threads}"), "{shown}");
    std::fs::write(here.join("r.json"), &shown).unwrap();
    assert!(!succeed(here, "compare r.json r.json").is_empty());
    fail(here, "scale 16 --wrong known -P 2 -r 1 -w 0", 1);
}

#[test]
fn plans_are_run_watched_and_merged() {
    let folder = folder();
    let here = folder.path();
    let said = run(here, "cluster plan 16 --shards 5 -o p");
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("p: words digits=16 in 5 shards (0 to 4), 16 subtrees"), "{said}");
    let plan = std::fs::read_to_string(here.join("p")).unwrap();
    assert!(plan.contains("\"words\": {\n        \"digits\": 16"), "{plan}");
    let status = succeed(here, "cluster status p r");
    assert!(status.contains("0 of 5 shards done, 0 begun, 5 waiting\nwaiting: 0-4\n"), "{status}");
    succeed(here, "cluster run p --shard 1 -o r");
    succeed(here, "cluster run p --shard 3 -o r");
    let status = succeed(here, "cluster status p r");
    assert!(status.contains("2 of 5 shards done") && status.contains("waiting: 0,2,4"), "{status}");
    assert!(status.contains("40.0 % of the work"), "{status}");
    assert!(fail(here, "cluster merge p r", 1).contains("3 of 5 shards have no result: 0,2,4"));
    for shard in [0, 2, 4] {
        succeed(here, &format!("cluster run p --shard {shard} -o r"));
    }
    let status = succeed(here, "cluster status p r");
    assert!(status.ends_with("100.0 % of the work, nothing left but to merge\n"), "{status}");
    assert_eq!(succeed(here, "cluster merge p r -q"), "2584\n");
    let text = succeed(here, "cluster merge p r --recount 9");
    assert!(
        text.contains("9 subtrees (56.25 % of the work) counted again with method ends"),
        "{text}"
    );
    assert!(text.contains("41344 digits in all words"), "checked by its laws: {text}");
    assert!(text.starts_with("words digits=16: 2,584 words\n5 shards, "), "{text}");
    let said = run(here, "cluster bundle p r -o bundle");
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("bundle: 5 shards, 16 subtrees, 2,584 words; publish"), "{said}");
    let report = json(here, "cluster merge p r --json");
    assert_eq!((&report["problem"], &report["digits"]), (&"words".into(), &16.into()));

    succeed(here, "cluster plan 16 --wrong known --shards 1 -o wrong");
    succeed(here, "cluster run wrong --shard 0 -o wrong-results");
    let message = fail(here, "cluster merge wrong wrong-results", 1);
    assert!(message.contains("WRONG COUNT for words digits=16: found 2584, expected 2585"));

    let script = succeed(here, "cluster slurm p");
    assert!(script.contains("#SBATCH --job-name=words\n"), "{script}");
    assert!(script.contains("/examples/words\n"), "{script}");
    assert!(succeed(here, "cluster hq p --cpus 2").contains("/examples/words cluster run "));
    let manifest = succeed(here, "cluster k8s p --image it/words:1");
    assert!(manifest.contains("command: [\"words\"]"), "{manifest}");
}

/// The arguments, not the order in which they were typed, are what a plan is of.
#[test]
fn plans_of_other_work_are_refused() {
    let folder = folder();
    let here = folder.path();
    succeed(here, "cluster plan 16 --shards 3 -o p");
    assert!(fail(here, "cluster plan 17 --shards 3 -o p", 1).contains("holds another plan"));
    succeed(here, "cluster run p --shard 0 -o r");
    // Another binary, with another algorithm, and the same plan.
    let newer = |words: &str, code: i32| {
        let output = command(here, words).env("WORDS_ALGORITHM", "2").output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let message = newer("cluster run p --shard 1 -o r", 42);
    assert!(message.contains("algorithm is 1 there and 2 here"), "{message}");
    assert!(!here.join("r/shard-00001.json").exists());
    for shard in [1, 2] {
        succeed(here, &format!("cluster run p --shard {shard} -o r"));
    }
    let message = newer("cluster merge p r", 1);
    assert!(message.contains("algorithm is 1 there and 2 here"), "{message}");
    // Its own plan, in a folder with results of the first.
    newer("cluster plan 16 --shards 3 -o newer", 0);
    let message = newer("cluster merge newer r", 1);
    assert!(message.contains("another plan or version"), "{message}");
    assert!(message.contains("algorithm is 1 there and 2 here"), "{message}");
    let message = newer("cluster run newer --shard 0 -o r", 42);
    assert!(message.contains("algorithm is 1 there and 2 here"), "{message}");
    assert_eq!(succeed(here, "cluster merge p r -q"), "2584\n");

    // A plan of another program, and one that was edited.
    let queens = "cluster plan queens 6 --engine blocks --shards 1 -o queens";
    crate::common::runs::succeed(here, queens);
    let message = fail(here, "cluster run queens --shard 0 -o r2", 42);
    assert!(message.contains("found the problem `queens`, expected `words`"), "{message}");
    let message = crate::common::runs::fail(here, "cluster run p --shard 0 -o r2", 42);
    assert!(message.contains("unknown variant `words`"), "{message}");
    let plan = std::fs::read_to_string(here.join("p")).unwrap();
    std::fs::write(here.join("p"), plan.replace("\"digits\": 16", "\"digits\": 17")).unwrap();
    let message = fail(here, "cluster run p --shard 0 -o r2", 42);
    assert!(message.contains("the file is damaged"), "{message}");
    assert!(fail(here, "cluster merge p r", 1).contains("the file is damaged"));
    assert!(!here.join("r2").exists());
}

/// The exit code, and what is said.
#[test]
fn a_problem_that_is_wrong_is_an_error_and_nothing_else() {
    let folder = folder();
    let here = folder.path();
    for (words, code, said) in [
        ("count 4", 2, "words: found 4 digits, expected 5 to 60"),
        ("count 9 --wrong panic-in-problem", 1, "making the problem panicked: a panic on purpose"),
        (
            "count 9 --wrong panic-in-split",
            1,
            "`split` of the problem panicked: a panic on purpose",
        ),
        ("count 9 --wrong panic-in-identity", 1, "`identity` of the problem panicked: a panic"),
        ("count 9 --wrong panic-in-memory", 1, "`memory` of the problem panicked: a panic"),
        ("count 9 --wrong panic-in-details", 1, "`details` of the problem panicked: a panic"),
        (
            "count 9 --wrong panic-in-count",
            1,
            "the count of subtree 9 panicked: a panic on purpose",
        ),
        // By its own number, with which it can be counted alone.
        (
            "sample 9 --wrong panic-in-count --subtrees 12 --seed 2",
            1,
            "the count of subtree 9 panicked",
        ),
        ("scale 9 --wrong panic-in-split", 1, "`split` of the problem panicked"),
        ("verify 9 --wrong panic-in-problem", 1, "making the problem panicked"),
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
        let message = fail(here, words, code);
        assert!(message.contains(said), "{words}: {message}");
        assert_eq!(run(here, words).stdout, b"", "{words}");
    }
    assert!(std::fs::read_dir(here).unwrap().next().is_none(), "nothing is written");
    // What was counted before a panic stays saved.
    fail(here, "count 14 -j 1 --wrong panic-in-count --journal j", 1);
    assert_eq!(read(&here.join("j")).unwrap().records.len(), 9);
    assert_eq!(succeed(here, "count 14 -q --journal j --resume"), "987\n");
}

#[test]
fn a_problem_without_subtrees_has_no_solutions() {
    let folder = folder();
    let here = folder.path();
    for words in ["count 50 -q --wrong no-subtrees", "count 50 -q --wrong no-subtrees --journal j"]
    {
        assert_eq!(succeed(here, words), "0\n");
    }
    assert!(succeed(here, "show j").contains("done 100.00 %: 0 of 0 subtrees"));
    assert!(succeed(here, "sample 50 --wrong no-subtrees").contains("0 words"));
    assert!(fail(here, "count 50 --wrong no-subtrees --subtree 0", 2).contains("has none"));
    let output = run(here, "cluster plan 50 --wrong no-subtrees --shards 1 -o p");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && !message.contains("NaN"), "{message}");
    assert!(
        fail(here, "cluster plan 50 --wrong no-subtrees --shards 2 -o p2", 1).contains("at most 0")
    );
    succeed(here, "cluster run p --shard 0 -o r");
    assert_eq!(succeed(here, "cluster merge p r -q"), "0\n");
    let text = succeed(here, "cluster merge p r --recount 1");
    assert!(text.contains("0 subtrees (100.00 % of the work) counted again"), "{text}");
    let message = fail(here, "scale 50 --wrong no-subtrees -P 2 -r 1 -w 0", 1);
    assert!(message.contains("no subtrees"), "{message}");
}

#[test]
fn memory_that_is_lacking_is_said_and_planned_for() {
    let folder = folder();
    let here = folder.path();
    let message = fail(here, "count 12 -j 2 --memory 500M --wrong memory", 1);
    let expected =
        "needs 601 MiB of memory for 2 threads, the limit is 500 MiB (limited by --memory)";
    assert!(message.contains(expected), "{message}");
    succeed(here, "count 12 -q -j 1 --memory 500M --wrong memory");
    let said = run(here, "cluster plan 16 --wrong memory --shards 2 -o p").stderr;
    let said = String::from_utf8(said).unwrap();
    // A worker takes 300 MiB, the program 16 to 80, and a tenth is added.
    let mib = |text: &str, before: &str| -> u64 {
        let rest = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}")).1;
        rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    let planned = "memory to ask a scheduler for: ";
    assert_eq!(mib(&said, planned), mib(&succeed(here, "cluster slurm p --cpus 1"), "--mem="));
    assert!(said.contains("300 MiB for each further core"), "{said}");
    // 16 MiB are the program's; each subtree takes 36 bytes, and 64 more in its shard.
    assert_eq!(mib(&said, "a shard itself takes up to "), 317, "{said}");
    for (cpus, fewest, most) in [(1, 380, 420), (4, 1280, 1420)] {
        let slurm = succeed(here, &format!("cluster slurm p --cpus {cpus}"));
        let hq = succeed(here, &format!("cluster hq p --cpus {cpus}"));
        let image = "--image it/words:1";
        let k8s = succeed(here, &format!("cluster k8s p --cpus {cpus} {image}"));
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
    let folder = folder();
    let here = folder.path();
    let help = succeed(here, "--help");
    assert!(help.starts_with("Count words of 0 and 1 without two 1s side by side\n"), "{help}");
    for word in ["count", "sample", "verify", "show", "scale", "cluster", "completions", "man"] {
        assert!(help.contains(&format!("\n  {word} ")), "{word}: {help}");
    }
    let help = succeed(here, "count --help");
    assert!(help.contains("Digits of a word, from 5 to 60") && help.contains("--memory <BYTES>"));
    assert!(help.contains("Examples:\n  words count 30\n"), "{help}");
    assert!(!help.contains("tallyboard"), "{help}");
    let help = succeed(here, "cluster --help");
    assert!(help.contains("  plan ") && help.contains("  status "), "{help}");
    assert!(succeed(here, "completions bash").contains("complete -F _words"));
    succeed(here, "man pages");
    let page = std::fs::read_to_string(here.join("pages/words-count.1")).unwrap();
    assert!(page.contains("words") && here.join("pages/words-cluster-status.1").exists());
    assert!(fail(here, "cuont 5", 2).contains("count"));
    assert!(succeed(here, "--version").starts_with("words (tallyboard "));
}

/// Each subtotal is right modulo 100, their sum is not below 100, and a part of them tells nothing.
#[test]
fn residues_are_summed_and_reduced_and_never_scaled_up() {
    let folder = folder();
    let here = folder.path();
    let text = succeed(here, "count 12 --modulo 100");
    assert!(text.starts_with("words digits=12: 77 words\n"), "{text}");
    assert!(!text.contains("words/s"), "{text}");
    assert!(
        text.ends_with("agrees with the known count (a remainder of OEIS A000045)\n"),
        "{text}"
    );
    let text = succeed(here, "verify 12 --modulo 100");
    assert!(text.contains("all agree (known: 77, a remainder of OEIS A000045)"), "{text}");
    let text = succeed(here, "sample 12 --modulo 100 --subtrees 10");
    assert!(text.contains("whose subtotals are residues: they tell the time alone"), "{text}");
    let report = json(here, "sample 12 --modulo 100 --subtrees 10 --json");
    assert_eq!(
        (&report["solutions"], &report["comparison"]),
        (&serde_json::Value::Null, &"none".into())
    );
    succeed(here, "cluster plan 12 --modulo 100 --shards 2 -o p");
    for shard in 0..2 {
        succeed(here, &format!("cluster run p --shard {shard} -o r"));
    }
    assert_eq!(succeed(here, "cluster merge p r -q"), "77\n");
    // So are those of a bundle.
    succeed(here, "cluster bundle p r -o bundle");
    assert_eq!(json(here, "cluster check bundle --json")["solutions"], 77);
    assert!(succeed(here, "cluster check bundle").contains(": 77 words\n"));
    succeed(here, "scale 12 --modulo 100 --weak -P 2 -r 1 -w 0");
}
