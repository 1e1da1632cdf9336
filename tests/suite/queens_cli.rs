//! Promise: the queens commands say what they found, and what is wrong with what they were asked.

use crate::common::runs::{Folder, confined, run_with_input};
use serde_json::Value;
use std::time::Duration;
use tallyboard_search::journal::{Header, Journal};
use tallyboard_search::{FinishedSubtree, Tally};

/// Runs `tallyboard queens …` and returns its exit code, stdout and stderr.
fn queens(arguments: &str) -> (i32, String, String) {
    run_with_input(&format!("queens {arguments}"), "")
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
        ("count 8 --place a1 --fundamental", "needs a board without --place and --block"),
        ("count 0", "0 is not in 1..=32"),
        ("count 33", "33 is not in 1..=32"),
    ] {
        let (code, stdout, stderr) = queens(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments}: {stderr}");
        assert!(stderr.contains(message), "{arguments}: {stderr}");
    }
}

/// The sample of the judge's task "Chessboard and Queens", which states 65, and those of UVa 11195, which states 92 and 1.
#[test]
fn boards_in_files_are_counted_listed_and_solved() {
    let here = Folder::new();
    let reserved =
        "........\n........\n..*.....\n........\n........\n.....**.\n...*....\n........\n";
    here.write("one", reserved);
    let names = "c6,f3,g3,d2";
    assert_eq!(here.succeed("-q queens count one"), "65\n");
    assert_eq!(here.succeed("-q count one"), "65\n");
    here.says("count one", "taken for boards of queens with closed or taken squares");
    here.says("queens count one", "'.' free, '*' closed; --closed MARKS");
    for command in ["list 8 --limit 9", "one 8 --format vector", "list 8 --sample 3"] {
        let of_file = here.succeed(&format!("queens {}", command.replace("8", "one")));
        assert_eq!(of_file, here.succeed(&format!("queens {command} --block {names}")));
    }
    here.prints("queens verify one", "65 solutions");
    let stood = here.succeed("-q queens count one --place a8");
    assert_eq!(stood, here.succeed(&format!("-q queens count 8 --place a8 --block {names}")));
    let plan = here.json("queens count one --json");
    assert_eq!(plan["blocked"], serde_json::json!(["d2", "f3", "g3", "c6"]));

    here.write("judge", format!("8\n{}4\n.*..\n....\n....\n....\n0\n", "........\n".repeat(8)));
    assert_eq!(here.succeed("-q queens count judge"), "92\n1\n");
    assert_eq!(here.succeed("-q queens count judge --board 2"), "1\n");
    here.prints("count judge", "board 2:\n4 queens: 1 solution");
    here.says("queens list judge", "the first of several boards: `--board N`");
    here.fails("queens count judge --board 3", 2, "judge: found 2 boards, expected at least 3");
    here.fails("queens count judge --journal j", 2, "--board N takes one");

    here.write("given.json", "{\"n\": 8, \"queens\": [[7, 0]], \"blocks\": [[3, 2]]}\n");
    assert_eq!(here.succeed("-q count given.json"), "3\n");
    here.write("circles", ".o..\n....\n....\n....\n");
    here.fails("queens count circles", 2, "circles:4: found 3 of 4 rows");
    assert_eq!(here.succeed("-q queens count circles --closed o"), "1\n");
    here.fails("queens count nowhere", 2, "found neither a number nor a file of this name");
    here.fails("queens count 8 --closed x", 2, "boards in a file");
}

#[test]
fn edges_can_be_glued() {
    let here = Folder::new();
    here.prints(
        "queens count 11 --board torus",
        "11 queens on a torus of 11 × 11: 88 solutions
",
    );
    here.prints("queens count 9 --board mobius", "5 queens on a Möbius band of 9 × 9: 11,772 sol");
    assert_eq!(here.succeed("-q queens count 10 --board klein"), "2560\n");
    assert_eq!(here.succeed("-q queens count 12 --board cylinder"), "0\n");
    here.prints("queens verify 9 --board klein --place c4", "all agree");
    here.prints("queens verify 10 --board mobius", "all agree (known: 63,840, OEIS A137279)");
    // A journal of one board is none of another.
    here.succeed("queens count 7 --board torus --journal j");
    assert_eq!(here.succeed("-q queens count 7 --board torus --journal j --resume"), "28\n");
    here.prints("show j", "queens on 7 × 7, torus, lanes engine");
    for other in
        ["", " --board cylinder", " --board torus --engine textbook", " --board torus --block a1"]
    {
        here.fail(&format!("queens count 7{other} --journal j --resume"), 1);
    }
    here.succeed("cluster plan queens 13 --board mobius --shards 2 -o plan");
    for shard in 0..2 {
        here.succeed(&format!("cluster run plan --shard {shard} -o results"));
    }
    here.prints(
        "cluster merge plan results",
        "7 queens on a Möbius band of 13 × 13: 7,169,656 solutions",
    );
    here.write("board", ".*...\n.....\n.....\n.....\n.....\n");
    assert_eq!(here.succeed("-q queens count board --board torus"), "8\n");

    here.prints(
        "queens estimate 7 --board torus",
        "7 queens on a torus of 7 × 7: 28 solutions, counted",
    );
    here.prints(
        "queens estimate 35 --board torus --probes 100 --seconds 1ms",
        "35 queens on a torus",
    );
    assert_eq!(here.json("queens estimate 9 --board klein --json")["surface"], "klein");
    // An interval much narrower than a hundredth has the digits that tell its ends apart.
    let text = here.succeed("queens estimate 14 --board mobius --probes 1000000 --seed 1");
    let interval = text.lines().find_map(|line| line.strip_prefix("95 % interval ")).unwrap();
    let ends = interval.split(',').map(str::to_owned).collect::<String>();
    let ends: Vec<u64> = ends.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(ends[0] < 42_410_256 && 42_410_256 < ends[1], "{text}");
    here.write(
        "boards",
        ".*...\n.....\n.....\n.....\n.....\n\n.....\n.....\n..*..\n.....\n.....\n",
    );
    for (board, hint) in
        [("", "`--board N` takes another"), (" --board torus", "the others need a file each")]
    {
        let told =
            String::from_utf8(here.run(&format!("queens verify boards{board}")).stderr).unwrap();
        assert!(told.contains(hint), "{told}");
    }
    for (words, told) in [
        ("list 5 --board torus", "--board torus is an option of"),
        ("tally 5 --board torus", "--board torus is an option of"),
        ("one 5 --board klein", "--board klein is an option of"),
        ("count 5 --board plane", "'plane', expected cylinder, torus, mobius, klein or a number"),
        ("count 5 --board 0", "0 is not in 1.."),
        (
            "count 5 --board torus --fundamental",
            "--fundamental needs a board that is not on a torus",
        ),
        ("count 5 --board torus --engine blocks", "the blocks engine counts no boards on a torus"),
        ("count 5 --board torus --kernel portable", "boards on a torus have no --kernel"),
        ("count 5 --board torus --verbose", "--verbose needs a board that is not on a torus"),
        ("estimate 33 --board mobius", "found n = 33, expected at most 32 on a Möbius band"),
    ] {
        here.fails(&format!("queens {words}"), 2, told);
    }
}

#[test]
fn classes_are_counted_by_size() {
    assert_eq!(queens("count 8 --fundamental -q").1, "12\n");
    let report = Folder::new().json("queens count 5 --symmetry-classes --json");
    assert_eq!(report["solutions"], 10);
    assert_eq!(report["fundamental"], 2);
    assert_eq!(report["symmetry_classes"]["of_8"], 1);
    assert_eq!(report["symmetry_classes"]["of_2"], 1);
}

#[test]
fn the_engine_and_the_kernel_can_be_chosen_and_are_named() {
    let here = Folder::new();
    here.prints("queens count 9 --engine textbook", "engine textbook");
    let named = "engine blocks, kernel portable";
    here.prints("queens count 9 --engine blocks --kernel portable", named);
    here.fails("queens count 9 --engine textbook --block a1", 2, "plain boards only");
}

#[test]
fn verify_compares_all_ways_to_count() {
    let here = Folder::new();
    here.prints("queens verify 10", ["textbook", "all agree"]);
    let report = here.json("queens verify 9 --place b3 --block e5 --json");
    assert_eq!((&report["agree"], &report["known"]), (&true.into(), &Value::Null));
}

#[test]
fn estimates_have_an_interval_where_it_holds() {
    let here = Folder::new();
    let estimate = |arguments: &str| here.json(&format!("queens estimate {arguments} --json"));
    let text = queens("estimate 8").1;
    assert!(text.starts_with("8 queens: 92 solutions, counted\nthe known count is 92 "), "{text}");
    assert!(text.contains("an exact count with engine blocks, kernel "), "{text}");

    let report = estimate("40 --probes 40000");
    let number = |key: &str| report[key].as_f64().expect("a number");
    assert!(number("log10_low") < number("log10") && number("log10") < number("log10_high"));
    assert!((31.85..31.99).contains(&number("log10")), "{report}");
    assert_eq!(report["count"], Value::Null);

    // Seeds once gave intervals that exclude each other, or 0.
    for arguments in ["60 --probes 100", "500", "1000"] {
        let (one, other) = (estimate(arguments), estimate(&format!("{arguments} --seed 2")));
        assert_eq!((&one["log10"], &one["log10_low"]), (&other["log10"], &Value::Null));
    }
    here.prints("queens estimate 1000", ["about 1.", " × 10^2158 solutions\na guess of"]);
}

/// The forecast comes from the board itself, so it can be held against a count.
#[test]
fn the_forecast_is_near_the_time_of_a_count() {
    let report = Folder::new().json("queens estimate 15 --engine halves --json");
    let forecast = &report["count"]["core_seconds"];
    let number = |key: &str| forecast[key].as_f64().expect("a number");
    assert!(0.0 < number("low") && number("low") <= number("estimate"), "{report}");
    assert!(number("high") < 2.0 * number("estimate"), "{report}");
    assert_eq!(report["count"]["engine"], "halves");
}

/// Such a count used to abort or to be killed once memory ran out.
#[test]
#[cfg(target_os = "linux")]
fn what_does_not_fit_is_said_beforehand() {
    let folder = Folder::new();
    let (code, stdout, stderr) = confined(&folder, 250_000, "queens count 28 --engine halves -j 1");
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains(" MiB of memory for 1 thread, "), "{stderr}");
    assert!(stderr.contains(" are left (limited by the limit on the address space"), "{stderr}");

    // Less than the 273 MiB of halves, and enough for nine threads in any build.
    let (code, stdout, stderr) = confined(&folder, 270_000, "queens count 18 --subtree 7 -j 8");
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("blocks engine"), "{stdout}");
    assert!(stderr.contains("counting with the engine blocks"), "{stderr}");

    let (code, _, stderr) =
        confined(&folder, 200_000, "queens one 10000000 --method repair --format vector -j 1");
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("repair takes 229 MiB for n = 10,000,000, and "), "{stderr}");

    let (code, _, stderr) =
        confined(&folder, 1_000_000, "queens one 1000000000 --method greedy-repair -j 1");
    assert_eq!(code, 1, "{stderr}");
    assert!(
        stderr.contains("greedy-repair takes 7,630 MiB for n = 1,000,000,000, and "),
        "{stderr}"
    );

    // Bands that are joined keep some 40 MiB.
    folder.write("empty", ".".repeat(81));
    let count = |kib| confined(&folder, kib, "sudoku count empty -j 1");
    let (code, stdout, stderr) = count(160_000);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("the count needs ") && stderr.contains("for 1 thread"), "{stderr}");
    assert_eq!(count(4_000_000).0, 0);
}

#[test]
fn a_limit_of_memory_makes_auto_take_another_engine() {
    let (code, stdout, stderr) = queens("count 16 --memory 1M --subtree 7");
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("blocks engine"), "{stdout}");
    assert!(stderr.contains("the limit is 1 MiB") && stderr.contains("--memory"), "{stderr}");
    let words = "queens count 16 --memory 1M --engine halves";
    Folder::new().fails(words, 1, "the limit is 1 MiB");
}

/// A journal of two runs, the second on four threads, that ends in the middle of a record.
#[test]
fn a_journal_tells_how_far_a_count_is() {
    let folder = Folder::new();
    let header = Header {
        identity: "queens n=12 placed= blocked= engine=halves algorithm=4 layout=3".to_owned(),
        part: "shard 2 of 5".to_owned(),
        layout: "00000000".to_owned(),
        subtrees: 7,
        cost: 1_000,
    };
    let records = |name: &str, threads, finished: Option<FinishedSubtree>| {
        let mut journal = Journal::create(&folder.at(name), &header, threads).unwrap();
        journal.append_all(finished.as_slice()).unwrap();
        folder.bytes(name)
    };
    let finished = |id, solutions: u64, cost, seconds| {
        let (tally, busy) = (Tally::new(solutions), Duration::from_secs(seconds));
        Some(FinishedSubtree { id, tally, cost, busy })
    };
    let begins = records("none", 1, None).len();
    let mut both = records("first", 1, finished(4, 500, 100, 20));
    both.extend(&records("second", 4, finished(2, 1_500, 150, 40))[begins..]);
    let shown = |name: &str, words: &str, bytes: &[u8]| {
        folder.write(name, bytes);
        folder.succeed(&format!("show {name}{words}"))
    };
    let told = shown("both", "", &both);
    let expected = ", shard 2 of 5\ndone 25.00 %: 2 of 7 subtrees\nsubtotal 2,000 solutions\n\
                    time 1.00 thread minutes\nrate 133.3 solutions/s on 4 threads\n\
                    time left 45 seconds on 4 threads\n";
    assert!(told.ends_with(expected), "{told}");
    let table = shown("both", " --csv", &both);
    assert_eq!(table, "subtree,solutions,seconds\n2,1500,40.000000\n4,500,20.000000\n");
    both.push(0);
    let told = shown("torn", "", &both);
    assert!(told.ends_with("\nhalf-written record at the end: 1 byte\n"), "{told}");
}

/// Wider boards need wider keys for the tails that a list joins.
#[test]
fn lists_of_wide_boards_are_solutions_in_order() {
    for n in [15, 16, 17, 18, 20, 24] {
        let listed = queens(&format!("list {n} --limit 300 --format vector")).1;
        let vectors = listed.lines().map(|line| {
            let files = line.split(' ').map(|file| file.parse::<u32>().unwrap() - 1);
            files.collect::<Vec<_>>()
        });
        let vectors: Vec<_> = vectors.collect();
        assert_eq!(vectors.len(), 300, "n = {n}");
        assert!(vectors.windows(2).all(|pair| pair[0] < pair[1]), "n = {n}");
        for columns in &vectors {
            assert_eq!(columns.len(), n);
            assert_eq!(tallyboard_queens::place::check(columns), Ok(()), "n = {n}");
        }
    }
}
