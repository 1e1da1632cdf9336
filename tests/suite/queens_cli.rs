//! Promise: the queens commands say what they found, and what is wrong with what they were asked.

use assert_cmd::Command;

/// Runs `tallyboard queens …` and returns its exit code, stdout and stderr.
fn queens(arguments: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("tallyboard")
        .expect("the program is built")
        .arg("queens")
        .args(arguments.split(' '))
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn constraints_are_named_as_in_chess() {
    // Of the four solutions with a queen on a1, three have none on c5.
    assert_eq!(queens("count 8 --place a1 -q").1, "4\n");
    assert_eq!(queens("count 8 --place a1,c5 -q").1, "1\n");
    assert_eq!(queens("count 8 --place a1 --block c5 -q").1, "3\n");
    assert_eq!(queens("count 8 --place a1 --place h8 -q").1, "0\n");
    // The same corner seen from the other side.
    assert_eq!(queens("count 8 --place a8 -q").1, "4\n");
}

#[test]
fn squares_that_make_no_sense_are_usage_errors() {
    for (arguments, message) in [
        ("count 8 --place i1", "square i1 is not on a board of size 8"),
        ("count 8 --block a9", "square a9 is not on a board of size 8"),
        ("count 8 --place a1,a1", "square a1 is named twice"),
        ("count 8 --place 1a", "found the square `1a`"),
        ("count 8 --place a1 --fundamental", "need a board without --place and --block"),
        ("count 0", "0 is not in 1..=32"),
        ("count 33", "33 is not in 1..=32"),
    ] {
        let (code, stdout, stderr) = queens(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments}: {stderr}");
        assert!(stderr.contains(message), "{arguments}: {stderr}");
    }
}

#[test]
fn classes_are_counted_by_size() {
    assert_eq!(queens("count 8 --fundamental -q").1, "12\n");
    let (code, stdout, _) = queens("count 5 --symmetry-classes --json");
    assert_eq!(code, 0);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(report["solutions"], 10);
    assert_eq!(report["fundamental"], 2);
    assert_eq!(report["symmetry_classes"]["of_8"], 1);
    assert_eq!(report["symmetry_classes"]["of_2"], 1);
}

#[test]
fn the_engine_and_the_kernel_can_be_chosen_and_are_named() {
    let (_, stdout, _) = queens("count 9 --engine textbook");
    assert!(stdout.contains("engine textbook"), "{stdout}");
    let (_, stdout, _) = queens("count 9 --engine blocks --kernel portable");
    assert!(stdout.contains("engine blocks, kernel portable"), "{stdout}");
    let (code, _, stderr) = queens("count 9 --engine textbook --block a1");
    assert_eq!(code, 1);
    assert!(stderr.contains("plain boards only"), "{stderr}");
}

#[test]
fn verify_compares_all_ways_to_count() {
    let (code, stdout, _) = queens("verify 10");
    assert_eq!(code, 0);
    assert!(stdout.contains("textbook") && stdout.contains("all agree"), "{stdout}");
    let (code, stdout, _) = queens("verify 9 --place b3 --block e5 --json");
    assert_eq!(code, 0);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((&report["agree"], &report["known"]), (&true.into(), &serde_json::Value::Null));
}

#[test]
fn small_estimates_are_exact_and_large_ones_have_an_interval() {
    assert!(queens("estimate 8").1.starts_with("8 queens: 92 solutions, counted\n"));
    let (code, stdout, _) = queens("estimate 200 --probes 2000 --json");
    assert_eq!(code, 0);
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let number = |key: &str| report[key].as_f64().expect("a number");
    assert!(number("log10_low") < number("log10") && number("log10") < number("log10_high"));
    assert!((285.0..295.0).contains(&number("log10")), "{stdout}");
}
