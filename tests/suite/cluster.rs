//! Shards on many machines give the count that one machine gives, whatever happens to them.

use std::path::Path;
use std::time::Duration;

use search::Tally;
use search::shard::{Plan, SealedFile, ShardResult, Work, collect, sum};

use crate::common::runs::confined;
use crate::common::runs::{Dice, fail, signal, start, succeed};
#[cfg(target_os = "linux")]
use crate::trace_cli::PUZZLE;

/// Work for results that need no program.
fn work_of(shards: usize, subtrees: usize) -> Work {
    let identity = "queens".to_owned();
    let costs_fingerprint = "0".to_owned();
    Work { identity, shards, subtrees, costs_fingerprint }
}

/// Plans `n` queens in `shards` shards, for an engine that has many subtrees even on small boards.
fn plan(folder: &Path, n: u32, shards: u32) {
    plan_for("textbook", folder, n, shards);
}

fn plan_for(engine: &str, folder: &Path, n: u32, shards: u32) {
    let words = format!("cluster plan queens {n} --engine {engine} --shards {shards} -o plan.json");
    succeed(folder, &words);
}

fn run_shards(folder: &Path, shards: impl IntoIterator<Item = u32>) {
    for shard in shards {
        succeed(folder, &format!("cluster run plan.json --shard {shard} -o results"));
    }
}

/// A folder with a plan of three shards for nine queens, and all results.
fn finished() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 9, 3);
    run_shards(folder.path(), 0..3);
    folder
}

const MERGE: &str = "cluster merge plan.json results -q";

#[test]
fn shards_in_any_order_and_any_number_give_the_count() {
    for engine in ["halves", "blocks", "textbook"] {
        for shards in [1, 2, 7] {
            let folder = tempfile::tempdir().unwrap();
            plan_for(engine, folder.path(), 10, shards);
            run_shards(folder.path(), (0..shards).rev());
            assert_eq!(succeed(folder.path(), MERGE), "724\n");
        }
    }
}

/// Another machine may have the memory, so this failure is not permanent.
#[test]
#[cfg(target_os = "linux")]
fn a_shard_that_does_not_fit_into_memory_is_refused_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    plan_for("halves", folder.path(), 18, 100);
    let words = "cluster run plan.json --shard 7 -o results";
    let output = confined(folder.path(), 120_000, &format!("{words} -j 1"));
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(" MiB of memory for 1 thread, "), "{message}");
    assert!(message.contains(" are left (limited by the limit on the address space"), "{message}");
    assert!(!folder.path().join("results/shard-00007.journal").exists());
    succeed(folder.path(), &format!("-j 1 {words}"));
}

#[test]
fn a_plan_in_more_shards_asks_for_less_memory() {
    let folder = tempfile::tempdir().unwrap();
    let [one, many] = [1, 100].map(|shards| {
        let plan = folder.path().join(format!("{shards}.json"));
        let words = format!("cluster plan queens 15 --engine halves --shards {shards} -o");
        succeed(folder.path(), &format!("{words} {}", plan.display()));
        let plan: serde_json::Value =
            serde_json::from_slice(&std::fs::read(plan).unwrap()).unwrap();
        let figure = |of: &str, name: &str| plan["content"][of][name].as_u64().unwrap();
        (figure("forecast", "memory_bytes"), figure("work", "subtrees"))
    });
    let subtrees = one.1;
    assert!(subtrees > 200);
    // A shard of short subtrees has more than a hundredth of them.
    let others = (one.0 - many.0) / 64;
    assert!((subtrees * 9 / 10..=subtrees - subtrees.div_ceil(100)).contains(&others), "{others}");
}

#[test]
fn a_plan_on_standard_output_is_nothing_but_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let words = "cluster plan queens 9 --engine textbook --shards 3 -o";
    let output = crate::common::runs::run(folder.path(), &format!("{words} -"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("3 shards (0 to 2)") && said.contains("MiB a shard"), "{said}");
    std::fs::write(folder.path().join("plan.json"), &output.stdout).unwrap();
    assert_eq!(
        succeed(folder.path(), &format!("{words} plan.json")),
        "",
        "the same plan, said aside"
    );
    run_shards(folder.path(), 0..3);
    assert_eq!(succeed(folder.path(), MERGE), "352\n");
}

#[test]
fn merge_lists_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 9, 9);
    run_shards(folder.path(), [0, 4, 5]);
    let message = fail(folder.path(), MERGE, 1);
    assert!(
        message.contains("6 of 9 shards have no result: 1-3,6-8; `cluster run` each"),
        "{message}"
    );
    let missing = succeed(folder.path(), "cluster merge plan.json results --missing");
    assert_eq!(missing, "1-3,6-8\n");
    run_shards(folder.path(), [1, 2, 3, 6, 7, 8]);
    assert_eq!(succeed(folder.path(), "cluster merge plan.json results --missing"), "");
    let json = succeed(folder.path(), "cluster merge plan.json results --json");
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["solutions"], 352);
    assert_eq!(report["known"], report["solutions"]);
}

#[test]
fn a_shard_that_runs_twice_and_results_that_are_copied_count_once() {
    let folder = finished();
    let results = folder.path().join("results");
    let before = std::fs::read(results.join("shard-00001.json")).unwrap();
    // As after a kill between writing the result and removing the journal.
    std::fs::write(results.join("shard-00001.journal"), "left behind").unwrap();
    run_shards(folder.path(), [1, 1]);
    assert!(!results.join("shard-00001.journal").exists());
    assert_eq!(std::fs::read(results.join("shard-00001.json")).unwrap(), before);
    for copy in ["shard-00001 (1).json", "a copy.json"] {
        std::fs::copy(results.join("shard-00001.json"), results.join(copy)).unwrap();
    }
    assert_eq!(succeed(folder.path(), MERGE), "352\n");
}

#[test]
fn two_machines_with_folders_of_their_own_may_both_run_a_shard() {
    let folder = finished();
    for shard in [0, 2] {
        succeed(folder.path(), &format!("cluster run plan.json --shard {shard} -o elsewhere"));
    }
    let (here, there) = (folder.path().join("results"), folder.path().join("elsewhere"));
    for name in ["shard-00000.json", "shard-00002.json"] {
        let renamed = here.join(format!("elsewhere-{name}"));
        std::fs::copy(there.join(name), renamed).unwrap();
    }
    assert_eq!(succeed(folder.path(), MERGE), "352\n");
}

#[test]
fn of_two_processes_on_one_shard_the_second_ends_resumable() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 18, 2);
    let mut first = start(folder.path(), "cluster run plan.json --shard 0 -o results");
    let journal = folder.path().join("results/shard-00000.journal");
    while std::fs::metadata(&journal).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o results", 75);
    assert!(message.contains("another process is writing it"), "{message}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_flipped_byte_in_a_result_is_seen_and_the_shard_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    // Read in this process: a result has hundreds of bytes, and a program for each would take long.
    type Body = Vec<(usize, Tally)>;
    let work = work_of(1, 2);
    let path = folder.path().join("shard-00000.json");
    let body: Body = vec![(0, Tally::new(40_u64)), (1, Tally::new(52_u64))];
    ShardResult { work: work.clone(), shard: 0, body: body.clone(), provenance: None }
        .write(&path)
        .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        for flip in [0x01, 0x02, 0x10, 0x20, 0x80] {
            let mut bad = bytes.clone();
            bad[at] ^= flip;
            std::fs::write(&path, &bad).unwrap();
            // Missing and said to be damaged, or (white space at the end) harmless; never another body.
            let collected = collect::<Body>(folder.path(), &work).unwrap();
            match collected.bodies.get(&0) {
                Some(found) => assert_eq!((at, found), (bytes.len() - 1, &body), "flip {flip:02x}"),
                None => {
                    assert_eq!((&collected.missing[..], collected.damaged.len()), (&[0][..], 1))
                }
            }
        }
        std::fs::write(&path, &bytes[..at]).unwrap();
        let collected = collect::<Body>(folder.path(), &work).unwrap();
        assert!(collected.bodies.get(&0).is_none_or(|found| *found == body), "cut at {at}");
    }
}

#[test]
fn a_damaged_result_is_named_and_run_again() {
    let folder = finished();
    let path = folder.path().join("results/shard-00002.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"solutions\":", "\"solutions\":1", 1)).unwrap();
    let message = fail(folder.path(), MERGE, 1);
    assert!(message.contains("damaged") && message.contains("no result: 2"), "{message}");
    assert_eq!(succeed(folder.path(), "cluster merge plan.json results --missing"), "2\n");
    run_shards(folder.path(), [2]);
    assert_eq!(succeed(folder.path(), MERGE), "352\n");
}

#[test]
fn a_result_with_the_name_of_a_missing_shard_is_said_to_be_another_s() {
    let folder = finished();
    let results = folder.path().join("results");
    let named = "shard-00001.json: found the result of shard 0, expected that of shard 1; move it";
    std::fs::copy(results.join("shard-00001.json"), results.join("aside.json")).unwrap();
    std::fs::copy(results.join("shard-00000.json"), results.join("shard-00001.json")).unwrap();
    assert_eq!(succeed(folder.path(), MERGE), "352\n", "every shard has its result");
    std::fs::remove_file(results.join("aside.json")).unwrap();
    let message = fail(folder.path(), MERGE, 1);
    assert!(message.contains(named) && message.contains("no result: 1;"), "{message}");
    let status = crate::common::runs::run(folder.path(), "cluster status plan.json results");
    let message = String::from_utf8(status.stderr).unwrap();
    assert!(message.contains(named), "{message}");
}

/// A plan in which `from` is replaced by `to`, with the checksum of what it says then.
fn edited(plan: &str, from: &str, to: &str) -> String {
    let (head, rest) = plan.split_once("\"content\": ").unwrap();
    let (content, _) = rest.split_once(",\n  \"crc32\"").unwrap();
    assert!(content.contains(from), "{content}");
    let content = content.replace(from, to);
    let compact = content.lines().map(str::trim).collect::<String>().replace("\": ", "\":");
    let checksum = crc32fast::hash(format!("tallyboard plan 2{compact}").as_bytes());
    format!("{head}\"content\": {content},\n  \"crc32\": \"{checksum:08x}\"\n}}\n")
}

#[test]
fn numbers_of_shards_that_no_plan_has_are_refused_by_every_command() {
    let folder = finished();
    let path = folder.path().join("plan.json");
    let plan = std::fs::read_to_string(&path).unwrap();
    assert_eq!(edited(&plan, "\"shards\": 3", "\"shards\": 3"), plan);
    for shards in [0, 1 << 62, usize::MAX] {
        let more = edited(&plan, "\"shards\": 3", &format!("\"shards\": {shards}"));
        std::fs::write(&path, more).unwrap();
        let said = format!("plan.json: found {shards} shards for 129 subtrees");
        let run = fail(folder.path(), "cluster run plan.json --shard 0 -o other", 42);
        let status = fail(folder.path(), "cluster status plan.json results", 1);
        let merge = fail(folder.path(), MERGE, 1);
        for message in [run, status, merge] {
            assert!(message.contains(&said), "{message}");
        }
    }
    assert!(!folder.path().join("other").exists());
}

#[test]
fn results_of_another_plan_are_refused() {
    let folder = finished();
    // A plan that has results is not written over, unless by itself.
    plan(folder.path(), 9, 3);
    let words = "cluster plan queens 9 --engine textbook --shards 4 -o plan.json";
    let message = fail(folder.path(), words, 1);
    assert!(message.contains("holds another plan") && message.contains("in 3 shards"), "{message}");
    assert_eq!(succeed(folder.path(), MERGE), "352\n");
    std::fs::write(folder.path().join("notes"), "no plan").unwrap();
    let words = "cluster plan queens 9 --engine textbook --shards 3 -o notes";
    assert!(fail(folder.path(), words, 1).contains("found a file that is no plan"));
    assert_eq!(std::fs::read(folder.path().join("notes")).unwrap(), b"no plan");
    std::fs::remove_file(folder.path().join("plan.json")).unwrap();
    plan(folder.path(), 9, 4);
    let message = fail(folder.path(), MERGE, 1);
    assert!(message.contains("a result of another plan"), "{message}");
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o results", 42);
    assert!(message.contains("another plan"), "{message}");
}

/// Their results are of another kind, which must not pass for damage.
#[test]
fn results_of_queens_and_of_sudokus_are_not_taken_for_each_other() {
    let folder = finished();
    let here = folder.path();
    succeed(here, "sudoku generate 20 --seed 1 -o puzzles.txt");
    succeed(here, "cluster plan sudoku puzzles.txt --shards 3 -o sudokus.json");
    let result = || std::fs::read(here.join("results/shard-00000.json")).unwrap();
    let before = result();
    let refused = "found a result of another plan";
    assert!(fail(here, "cluster run sudokus.json --shard 0 -o results", 42).contains(refused));
    assert!(fail(here, "cluster merge sudokus.json results", 1).contains(refused));
    assert_eq!(result(), before);
    assert_eq!(succeed(here, MERGE), "352\n");
    std::fs::remove_dir_all(here.join("results")).unwrap();
    succeed(here, "cluster run sudokus.json --shard 0 -o results");
    let before = result();
    assert!(fail(here, "cluster run plan.json --shard 0 -o results", 42).contains(refused));
    assert!(fail(here, MERGE, 1).contains(refused));
    assert_eq!(result(), before);
}

/// This version cannot tell which work they belong to.
#[test]
fn results_of_another_version_are_not_written_over() {
    let folder = finished();
    let here = folder.path();
    let path = here.join("results/shard-00001.json");
    let text = std::fs::read_to_string(&path).unwrap();
    // A later version, with a checksum of its own.
    let (format, begin) = ("tallyboard result 30", text.find("\"content\":").unwrap() + 10);
    let end = text.rfind(",\"crc32\"").unwrap();
    let content = &text[begin..end];
    let crc32 = crc32fast::hash(format!("{format}{content}").as_bytes());
    let later =
        format!("{{\"format\":\"{format}\",\"content\":{content},\"crc32\":\"{crc32:08x}\"}}\n");
    std::fs::write(&path, &later).unwrap();
    let refused = "or version; use a folder for each plan";
    assert!(fail(here, "cluster run plan.json --shard 1 -o results", 42).contains(refused));
    assert!(fail(here, MERGE, 1).contains(refused));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), later);
}

#[test]
fn missing_shards_of_a_folder_that_is_not_there_are_all() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 9, 4);
    assert_eq!(succeed(folder.path(), "cluster merge plan.json results --missing"), "0-3\n");
    assert!(fail(folder.path(), MERGE, 1).contains("cannot read results"));
}

#[test]
fn results_that_disagree_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let work = work_of(1, 1);
    for (name, body) in [("a.json", 1_u32), ("b.json", 2)] {
        let result = ShardResult { work: work.clone(), shard: 0, body, provenance: None };
        result.write(&folder.path().join(name)).unwrap();
    }
    let error = collect::<u32>(folder.path(), &work).unwrap_err().to_string();
    assert!(error.contains("b.json") && error.contains("disagrees"), "{error}");
}

#[test]
fn a_sum_needs_every_subtree_once() {
    let work = work_of(1, 2);
    let one = Tally::new(1_u64);
    assert_eq!(sum(&work, &[(0, one), (1, one)]).unwrap(), Tally::new(2_u64));
    for wrong in [&[(0, one)][..], &[(0, one), (1, one), (1, one)], &[(0, one), (2, one)]] {
        assert!(sum(&work, wrong).is_err(), "{wrong:?}");
    }
}

/// What a plan counts, as the program writes it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Job {
    queens: Queens,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Queens {
    n: u32,
    engine: String,
}

#[test]
fn a_plan_of_another_algorithm_is_refused_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    plan(folder.path(), 9, 3);
    let mut old = Plan::<Job>::read(&path).unwrap();
    assert!(old.work.identity.contains("engine=textbook algorithm=1 layout=1"), "{:?}", old.work);
    old.work.identity = old.work.identity.replace("algorithm=1", "algorithm=0");
    old.write(&path).unwrap();
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o results", 42);
    assert!(message.contains("algorithm is 0 there and 1 here"), "{message}");
    // Nor is a plan in a format that this program does not know.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("tallyboard plan 2", "tallyboard plan 1")).unwrap();
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o results", 42);
    assert!(message.contains("found the format 'tallyboard plan 1'"), "{message}");
}

#[test]
fn subtrees_counted_again_find_what_the_sum_hides() {
    let folder = tempfile::tempdir().unwrap();
    plan_for("blocks", folder.path(), 11, 2);
    run_shards(folder.path(), 0..2);
    let report = succeed(folder.path(), "cluster merge plan.json results --recount 1");
    assert!(report.contains("1 subtree (") && report.contains("with kernel portable"), "{report}");
    assert!(report.contains("341 up to rotation and reflection"), "{report}");
    // More solutions in one subtree and as many fewer in another: the sum stays the known one.
    let path = folder.path().join("results/shard-00001.json");
    let mut result = ShardResult::<serde_json::Value>::read(&path).unwrap();
    let subtotals = result.body["subtotals"].as_array_mut().unwrap();
    let solutions = |subtotal: &serde_json::Value| subtotal[1]["solutions"].as_u64().unwrap();
    subtotals.sort_by_key(|subtotal| std::cmp::Reverse(solutions(subtotal)));
    subtotals[0][1]["solutions"] = (solutions(&subtotals[0]) - 8).into();
    subtotals[1][1]["solutions"] = (solutions(&subtotals[1]) + 8).into();
    result.write(&path).unwrap();
    assert_eq!(succeed(folder.path(), MERGE), "2680\n");
    let message = fail(folder.path(), "cluster merge plan.json results --recount 100000", 1);
    assert!(message.contains("WRONG COUNT: subtree "), "{message}");
    assert!(message.contains("counted again with kernel portable"), "{message}");
}

#[test]
fn every_engine_can_count_again() {
    for engine in ["halves", "textbook"] {
        let folder = tempfile::tempdir().unwrap();
        plan_for(engine, folder.path(), 10, 1);
        run_shards(folder.path(), [0]);
        let json = succeed(folder.path(), "cluster merge plan.json results --json --recount 9999");
        let report: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(report["recounted"]["subtrees"], report["subtrees"], "{report}");
        assert_eq!(
            (&report["recounted"]["share"], &report["fundamental"]),
            (&1.0.into(), &92.into())
        );
    }
}

#[test]
fn exit_codes_tell_schedulers_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 8, 2);
    let message = fail(folder.path(), "cluster run plan.json --shard 2 -o results", 42);
    assert!(message.contains("found shard 2, expected 0 to 1"), "{message}");
    fail(folder.path(), "cluster run nowhere.json --shard 0 -o results", 1);
    let plan_text = std::fs::read_to_string(folder.path().join("plan.json")).unwrap();
    std::fs::write(folder.path().join("edited.json"), plan_text.replace("8", "9")).unwrap();
    let message = fail(folder.path(), "cluster run edited.json --shard 0 -o results", 42);
    assert!(message.contains("damaged"), "{message}");
    let message = fail(folder.path(), "cluster plan queens 4 --shards 9999 -o p", 1);
    assert!(message.contains("found 9999 shards"), "{message}");
    // A damaged journal is a permanent failure: somebody has to look at it.
    std::fs::create_dir(folder.path().join("results")).unwrap();
    let journal = folder.path().join("results/shard-00000.journal");
    std::fs::write(&journal, "?").unwrap();
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o results", 42);
    assert!(message.contains("remove the file"), "{message}");
}

#[test]
fn an_interrupted_shard_is_resumable_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 15, 2);
    let words = "cluster run plan.json --shard 0 -o results";
    let mut dice = Dice(0xc1a5);
    let mut interrupted = 0;
    // Signals and kills at random moments, until the shard is done.
    loop {
        let mut child = start(folder.path(), words);
        std::thread::sleep(Duration::from_micros(20_000 + dice.below(200_000)));
        if dice.below(2) == 0 {
            child.kill().unwrap();
            if child.wait().unwrap().success() {
                break;
            }
        } else {
            signal(&child, "TERM");
            match child.wait_with_output().unwrap().status.code() {
                Some(0) => break,
                Some(75) => interrupted += 1,
                // The signal came before the program listened, or before it knew that it is a shard.
                None | Some(143) => {}
                other => panic!("an interrupted shard ended with {other:?}"),
            }
        }
        if interrupted > 3 {
            break;
        }
    }
    run_shards(folder.path(), [0, 1]);
    assert_eq!(succeed(folder.path(), MERGE), "2279184\n");
    assert!(!folder.path().join("results/shard-00000.journal").exists());
}

/// 2,000 lines: puzzles, comments, empty lines and lines that are no puzzle.
fn sudoku_file(path: &Path) {
    let solved =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let mut dice = Dice(0x5d0c);
    let mut text = String::new();
    for number in 0..2000 {
        match dice.below(20) {
            0 => text.push_str(&format!("# comment {number}\n")),
            1 => text.push('\n'),
            2 => text.push_str("what is this?\n"),
            _ => {
                let blank = |(_, digit)| if dice.below(3) == 0 { '.' } else { digit };
                text.extend(solved.chars().enumerate().map(blank));
                text.push('\n');
            }
        }
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn sudoku_shards_join_to_what_one_machine_writes() {
    let folder = tempfile::tempdir().unwrap();
    sudoku_file(&folder.path().join("puzzles"));
    // Bad lines make the exit code 1, as for one machine.
    let message = fail(folder.path(), "sudoku solve puzzles -q -o expected", 1);
    let first_bad = message.lines().next().unwrap().split(':').nth(1).unwrap().to_owned();
    succeed(folder.path(), "cluster plan sudoku puzzles --shards 5 -o plan.json");
    for shard in 0..5 {
        succeed(folder.path(), &format!("cluster run plan.json --shard {shard} -o results"));
    }
    fail(folder.path(), "cluster merge plan.json results -o joined", 1);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("joined"), read("expected"));

    // Rows that are damaged are found, named and solved again.
    let rows = folder.path().join("results/shard-00003.rows");
    let mut bytes = std::fs::read(&rows).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&rows, bytes).unwrap();
    assert_eq!(succeed(folder.path(), "cluster merge plan.json results --missing"), "3\n");
    succeed(folder.path(), "cluster run plan.json --shard 3 -o results");
    fail(folder.path(), "cluster merge plan.json results -o joined", 1);
    assert_eq!(read("joined"), read("expected"));

    // Line numbers are those of the whole file.
    std::fs::remove_file(folder.path().join("results/shard-00000.json")).unwrap();
    let output =
        crate::common::runs::run(folder.path(), "cluster run plan.json --shard 0 -o results");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(&format!("puzzles:{first_bad}: ")), "{message}");

    // A file that has changed is not what was planned.
    let mut text = read("puzzles");
    text[5] = b'.';
    std::fs::write(folder.path().join("puzzles"), text).unwrap();
    std::fs::remove_file(folder.path().join("results/shard-00000.json")).unwrap();
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o results", 42);
    assert!(message.contains("has changed since the plan was made"), "{message}");
}

#[test]
fn joined_rows_are_not_written_over_the_puzzles_of_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    succeed(here, "sudoku generate 20 --seed 1 -o puzzles.txt");
    let puzzles = std::fs::read(here.join("puzzles.txt")).unwrap();
    succeed(here, "cluster plan sudoku puzzles.txt --shards 1 -o plan.json");
    succeed(here, "cluster run plan.json --shard 0 -o results");
    let message = fail(here, "cluster merge plan.json results -o puzzles.txt", 2);
    assert!(message.contains("puzzles.txt is read here"), "{message}");
    assert_eq!(std::fs::read(here.join("puzzles.txt")).unwrap(), puzzles);
}

#[test]
fn what_a_plan_and_its_shards_have_written_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    succeed(here, "sudoku generate 20 --seed 1 -o puzzles.txt");
    succeed(here, "cluster plan sudoku puzzles.txt --shards 2 -o plan.json");
    run_shards(here, 0..2);
    let other = finished();
    let other = other.path().join("plan.json");
    let merge = "cluster merge plan.json results";
    let k8s = "cluster k8s plan.json --image registry/tallyboard:1";
    for words in [merge, "cluster slurm plan.json", "cluster hq plan.json", k8s, "queens list 6"] {
        let is_read = "is read here";
        let is_held = "holds a plan or a result of a cluster: name another file, or remove";
        let mut refused = vec![(other.clone(), 1, is_held)];
        if words == "queens list 6" {
            refused.push((here.join("plan.json"), 1, is_held));
            refused.push((here.join("results/shard-00001.json"), 1, is_held));
        } else {
            refused.push((here.join("plan.json"), 2, is_read));
            refused.push((here.join("results/shard-00001.json"), 2, is_read));
            refused.push((here.join("results/shard-00001.rows"), 2, is_read));
            refused.push((here.join("puzzles.txt"), 2, is_read));
        }
        for (path, code, reason) in refused {
            let before = std::fs::read(&path).unwrap();
            let message = fail(here, &format!("{words} -o {}", path.display()), code);
            assert!(message.contains(reason), "{words}: {message}");
            assert!(std::fs::read(&path).unwrap() == before, "{words}: {}", path.display());
        }
        // Anything else is written, and written over.
        for _ in 0..2 {
            succeed(here, &format!("{words} -q -o written"));
        }
    }
}

/// A forecast takes seconds to minutes, so a bad path must fail before it.
#[test]
fn an_output_that_cannot_be_written_is_found_before_the_forecast() {
    let folder = tempfile::tempdir().unwrap();
    for (output, code) in [("no/plan", 1), (".", 2)] {
        let words = format!("cluster plan queens 12 --shards 2 -o {output}");
        let message = fail(folder.path(), &words, code);
        assert!(!message.contains("longest shard"), "{message}");
    }
}

#[test]
fn status_tells_how_far_shards_are_by_their_journals() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    plan(here, 16, 3);
    run_until_saved(here, 1);
    let output = crate::common::runs::run(here, "cluster status plan.json result");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("result: no such folder: no shard has begun"), "{told}");
    let json = succeed(here, "cluster status plan.json results --json");
    let status: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&status["shards"], &status["done"]), (&3.into(), &0.into()), "{status}");
    assert_eq!((&status["begun"][0]["shard"], &status["waiting"]), (&1.into(), &"0,2".into()));
    let share = status["begun"][0]["share"].as_f64().unwrap();
    assert!(0.0 < share && share < 1.0, "{status}");
    assert!((status["share"].as_f64().unwrap() - share / 3.0).abs() < 1e-9, "{status}");
    // What the journal's subtrees took, for each unit of their cost, and as much for the rest.
    let journal = search::journal::read(&here.join("results/shard-00001.journal"));
    let journal = journal.unwrap();
    let busy: f64 = journal.records.iter().map(|record| record.busy.as_secs_f64()).sum();
    let left = status["thread_seconds_left"].as_f64().unwrap();
    let expected = busy * (3.0 - share) / share;
    assert!((left / expected - 1.0).abs() < 1e-6, "{left}, expected {expected}");
    // Journals of other work are left out.
    std::fs::rename(here.join("plan.json"), here.join("old")).unwrap();
    plan(here, 12, 3);
    let output = crate::common::runs::run(here, "cluster status plan.json results");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("found a journal of other work, 16 queens"), "{said}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("0 begun, 3 waiting"));
}

/// Runs `shard` until its journal holds a subtree, then kills it.
fn run_until_saved(folder: &Path, shard: u32) {
    let mut child = start(folder, &format!("cluster run plan.json --shard {shard} -o results"));
    let journal = folder.join(format!("results/shard-{shard:05}.journal"));
    let saved = || search::journal::read(&journal).map_or(0, |it| it.records.len());
    while saved() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The engines of plans that older versions wrote are those of their identities.
#[test]
fn a_result_of_another_engine_is_named() {
    let folder = finished();
    let here = folder.path();
    succeed(here, "cluster plan queens 9 --engine blocks --shards 3 -o blocks.json");
    let message = fail(here, "cluster merge blocks.json results", 1);
    assert!(message.contains("engine is textbook there and blocks here"), "{message}");
    let message = fail(here, "cluster run blocks.json --shard 0 -o results", 42);
    assert!(message.contains("engine is textbook there and blocks here"), "{message}");
    plan_with(here, 4);
    let message = fail(here, "cluster merge four.json results", 1);
    assert!(message.contains("it has 3 shards there and 4 here"), "{message}");
    // A plan of an algorithm that this program does not have, and results that fit it.
    let mut old = Plan::<Job>::read(&here.join("plan.json")).unwrap();
    old.work.identity = old.work.identity.replace("algorithm=1", "algorithm=0");
    old.write(&here.join("plan.json")).unwrap();
    for shard in 0..3 {
        let path = here.join(format!("results/shard-0000{shard}.json"));
        type Body = serde_json::Value;
        let result = ShardResult::<Body>::read(&path).unwrap();
        ShardResult { work: old.work.clone(), ..result }.write(&path).unwrap();
    }
    let message = fail(here, MERGE, 1);
    assert!(message.contains("algorithm is 0 there and 1 here"), "{message}");
}

fn plan_with(folder: &Path, shards: u32) {
    let words = format!("cluster plan queens 9 --engine textbook --shards {shards} -o four.json");
    succeed(folder, &words);
}

#[test]
fn lines_appended_to_a_planned_file_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzles");
    sudoku_file(&path);
    succeed(folder.path(), "cluster plan sudoku puzzles --shards 2 -o plan.json");
    let mut text = std::fs::read_to_string(&path).unwrap();
    text += &format!("{}\n", ".".repeat(81));
    std::fs::write(&path, text).unwrap();
    for shard in 0..2 {
        let words = format!("cluster run plan.json --shard {shard} -o results");
        let message = fail(folder.path(), &words, 42);
        assert!(message.contains("has changed since the plan was made: it had "), "{message}");
    }
}

/// Any bytes but zero and `/` make a name on Unix.
#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_text_cannot_be_planned_but_is_told_so() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"puzzles\xff");
    std::fs::write(folder.path().join(name), ".".repeat(81)).unwrap();
    let mut planning = crate::common::runs::command("cluster plan sudoku --shards 1 -o plan.json");
    let output = planning.arg(name).current_dir(folder.path()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("a plan holds paths in UTF-8 only"), "{message}");
}

#[test]
fn an_array_that_slurm_may_refuse_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (shards, is_said) in [(1001, false), (1002, true)] {
        let _ = std::fs::remove_file(folder.path().join("plan.json"));
        // Nothing of such a plan has to be sampled.
        std::fs::write(folder.path().join("file"), format!("{PUZZLE}\n").repeat(shards as usize))
            .unwrap();
        let words = format!("cluster plan sudoku file --shards {shards} -o plan.json");
        succeed(folder.path(), &words);
        let output = crate::common::runs::run(folder.path(), "cluster slurm plan.json");
        assert!(output.status.success(), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        let expected = "the array has 1,002 elements and Slurm takes 1,001 by default";
        assert_eq!(message.contains("the array has"), is_said, "{message}");
        assert_eq!(message.contains(expected), is_said, "{message}");
    }
}

#[test]
fn scripts_name_the_plan_and_every_shard() {
    let folder = tempfile::tempdir().unwrap();
    plan(folder.path(), 12, 20);
    let script = succeed(
        folder.path(),
        "cluster slurm plan.json --time 1:00:00 --cpus 4 --partition long --mem 3G",
    );
    for line in [
        "#SBATCH --array=0-19",
        "#SBATCH --cpus-per-task=4",
        "#SBATCH --time=1:00:00",
        "#SBATCH --requeue",
        "#SBATCH --signal=B:TERM@60",
        "#SBATCH --partition=long",
        "#SBATCH --mem=3G",
    ] {
        assert!(script.lines().any(|found| found == line), "{line} is not in {script}");
    }
    let bash = std::process::Command::new("bash").args(["-n", "-c", &script]).status().unwrap();
    assert!(bash.success());

    let job = succeed(folder.path(), "cluster hq plan.json --cpus 4");
    let submission = "hq submit --name queens-12 --array 0-19 --cpus 4 --resource mem=";
    assert!(job.contains(submission), "{job}");
    assert!(job.contains("ids = \"0-19\""), "{job}");

    let manifest = succeed(folder.path(), "cluster k8s plan.json --image registry/tallyboard:1");
    for line in ["completions: 20", "completionMode: Indexed", "values: [2, 42]"] {
        assert!(manifest.contains(line), "{line} is not in {manifest}");
    }
    let message = fail(folder.path(), "cluster k8s plan.json --image a\"b", 2);
    assert!(message.contains("expected letters"), "{message}");
}
