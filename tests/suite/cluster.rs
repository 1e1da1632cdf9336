//! Shards on many machines give the count that one machine gives, whatever happens to them.

use std::time::Duration;

use crate::common::runs::{Dice, Folder, confined, signal, status_of, wait_until};
use tallyboard_search::Tally;
use tallyboard_search::shard::{Plan, SealedFile, ShardResult, Work, collect, sum};

/// Work for results that need no program.
fn work_of(shards: usize, subtrees: usize) -> Work {
    let identity = "queens".to_owned();
    let costs_fingerprint = "0".to_owned();
    Work { identity, shards, subtrees, costs_fingerprint }
}

/// Plans `n` queens in `shards` shards, for an engine that has many subtrees even on small boards.
fn plan(folder: &Folder, n: u32, shards: u32) {
    plan_for("textbook", folder, n, shards);
}

fn plan_for(engine: &str, folder: &Folder, n: u32, shards: u32) {
    let words = format!("cluster plan queens {n} --engine {engine} --shards {shards} -o plan.json");
    folder.succeed(&words);
}

/// A folder with a plan of three shards for nine queens, and all results.
fn finished() -> Folder {
    let folder = Folder::new();
    plan(&folder, 9, 3);
    folder.run_shards("plan.json", 0..3, "results");
    folder
}

/// Who builds the program without naming its commit learns so from the plan, when another build can still be used.
#[test]
fn a_plan_tells_that_the_commit_is_unknown() {
    let folder = Folder::new();
    let said = folder.said("cluster plan queens 9 --engine textbook --shards 3 -o plan.json");
    let is_named = tallyboard_search::shard::COMMIT.is_some();
    assert_ne!(said.contains("TALLYBOARD_COMMIT"), is_named, "{said}");
}

/// A run of the first shard.
/// A sudoku with 5,008 solutions.
const SPARSE: &str =
    "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8.";
const RUN: &str = "cluster run plan.json --shard 0 -o results";
const MERGE: &str = "cluster merge plan.json results -q";

#[test]
fn shards_in_any_order_and_any_number_give_the_count() {
    for engine in ["halves", "blocks", "textbook"] {
        for shards in [1, 2, 7] {
            let folder = Folder::new();
            plan_for(engine, &folder, 10, shards);
            folder.run_shards("plan.json", (0..shards).rev(), "results");
            assert_eq!(folder.succeed(MERGE), "724\n");
        }
    }
}

/// Another machine may have the memory, so this failure is not permanent.
#[test]
#[cfg(target_os = "linux")]
fn a_shard_that_does_not_fit_into_memory_is_refused_before_it_begins() {
    let folder = Folder::new();
    plan_for("halves", &folder, 18, 100);
    let words = "cluster run plan.json --shard 7 -o results";
    let (code, _, message) = confined(&folder, 120_000, &format!("{words} -j 1"));
    assert_eq!(code, 1, "{message}");
    assert!(message.contains(" MiB of memory for 1 thread, "), "{message}");
    assert!(message.contains(" are left (limited by the limit on the address space"), "{message}");
    assert!(!folder.at("results/shard-00007.journal").exists());
    folder.succeed(&format!("-j 1 {words}"));
}

#[test]
fn a_plan_in_more_shards_asks_for_less_memory() {
    let folder = Folder::new();
    let [one, many] = [1, 100].map(|shards| {
        let words = "cluster plan queens 15 --engine halves -o";
        folder.succeed(&format!("{words} {shards}.json --shards {shards}"));
        let plan = folder.read(format!("{shards}.json"));
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
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
    let folder = Folder::new();
    let words = "cluster plan queens 9 --engine textbook --shards 3 -o";
    let (_, plan, said) = folder.told(&format!("{words} -"));
    assert!(said.contains("3 shards (0 to 2)") && said.contains("MiB a shard"), "{said}");
    folder.write("plan.json", plan);
    assert_eq!(folder.succeed(&format!("{words} plan.json")), "", "the same plan, said aside");
    folder.run_shards("plan.json", 0..3, "results");
    assert_eq!(folder.succeed(MERGE), "352\n");
}

#[test]
fn merge_lists_what_is_missing() {
    let folder = Folder::new();
    plan(&folder, 9, 9);
    folder.run_shards("plan.json", [0, 4, 5], "results");
    folder.fails(MERGE, 1, "6 of 9 shards have no result: 1-3,6-8; `cluster run` each");
    let missing = folder.succeed("cluster merge plan.json results --missing");
    assert_eq!(missing, "1-3,6-8\n");
    folder.run_shards("plan.json", [1, 2, 3, 6, 7, 8], "results");
    assert_eq!(folder.succeed("cluster merge plan.json results --missing"), "");
    let report = folder.json("cluster merge plan.json results --json");
    assert_eq!(report["solutions"], 352);
    assert_eq!(report["known"], report["solutions"]);
}

#[test]
fn a_shard_that_runs_twice_and_results_that_are_copied_count_once() {
    let folder = finished();
    let results = folder.at("results");
    let before = std::fs::read(results.join("shard-00001.json")).unwrap();
    // As after a kill between writing the result and removing the journal.
    std::fs::write(results.join("shard-00001.journal"), "left behind").unwrap();
    folder.run_shards("plan.json", [1, 1], "results");
    assert!(!results.join("shard-00001.journal").exists());
    assert_eq!(std::fs::read(results.join("shard-00001.json")).unwrap(), before);
    for copy in ["shard-00001 (1).json", "a copy.json"] {
        std::fs::copy(results.join("shard-00001.json"), results.join(copy)).unwrap();
    }
    assert_eq!(folder.succeed(MERGE), "352\n");
}

#[test]
fn two_machines_with_folders_of_their_own_may_both_run_a_shard() {
    let folder = finished();
    folder.run_shards("plan.json", [0, 2], "elsewhere");
    let (here, there) = (folder.at("results"), folder.at("elsewhere"));
    for name in ["shard-00000.json", "shard-00002.json"] {
        let renamed = here.join(format!("elsewhere-{name}"));
        std::fs::copy(there.join(name), renamed).unwrap();
    }
    assert_eq!(folder.succeed(MERGE), "352\n");
}

#[test]
fn of_two_processes_on_one_shard_the_second_ends_resumable() {
    let folder = Folder::new();
    plan(&folder, 18, 2);
    let mut first = folder.start(RUN);
    let journal = folder.at("results/shard-00000.journal");
    let has_begun = || std::fs::metadata(&journal).is_ok_and(|file| file.len() > 0);
    wait_until("the journal is begun", has_begun);
    folder.fails(RUN, 75, "another process is writing it");
    first.kill().unwrap();
    status_of(&mut first);
}

#[test]
fn a_flipped_byte_in_a_result_is_seen_and_the_shard_counted_again() {
    let folder = Folder::new();
    // Read in this process: a result has hundreds of bytes, and a program for each would take long.
    type Body = Vec<(usize, Tally)>;
    let work = work_of(1, 2);
    let path = folder.at("shard-00000.json");
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
    folder.replace("results/shard-00002.json", "\"solutions\":", "\"solutions\":1");
    folder.fails(MERGE, 1, ["damaged", "no result: 2"]);
    assert_eq!(folder.succeed("cluster merge plan.json results --missing"), "2\n");
    folder.run_shards("plan.json", [2], "results");
    assert_eq!(folder.succeed(MERGE), "352\n");
}

#[test]
fn a_result_with_the_name_of_a_missing_shard_is_said_to_be_another_s() {
    let folder = finished();
    let results = folder.at("results");
    let named = "shard-00001.json: found the result of shard 0, expected that of shard 1; move it";
    std::fs::copy(results.join("shard-00001.json"), results.join("aside.json")).unwrap();
    std::fs::copy(results.join("shard-00000.json"), results.join("shard-00001.json")).unwrap();
    assert_eq!(folder.succeed(MERGE), "352\n", "every shard has its result");
    std::fs::remove_file(results.join("aside.json")).unwrap();
    folder.fails(MERGE, 1, [named, "no result: 1;"]);
    folder.says("cluster status plan.json results", named);
    folder.says("cluster merge plan.json results --missing", named);
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
    let plan = folder.read("plan.json");
    assert_eq!(edited(&plan, "\"shards\": 3", "\"shards\": 3"), plan);
    for shards in [0, 1 << 62, usize::MAX] {
        let more = edited(&plan, "\"shards\": 3", &format!("\"shards\": {shards}"));
        folder.write("plan.json", more);
        let said = format!("plan.json: found {shards} shards for 129 subtrees");
        folder.fails("cluster run plan.json --shard 0 -o other", 42, &said);
        folder.fails("cluster status plan.json results", 1, &said);
        folder.fails(MERGE, 1, &said);
    }
    assert!(!folder.at("other").exists());
}

#[test]
fn results_of_another_plan_are_refused() {
    let folder = finished();
    // A plan that has results is not written over, unless by itself.
    plan(&folder, 9, 3);
    let words = "cluster plan queens 9 --engine textbook --shards 4 -o plan.json";
    folder.fails(words, 1, ["holds another plan", "in 3 shards"]);
    assert_eq!(folder.succeed(MERGE), "352\n");
    folder.write("notes", "no plan");
    let words = "cluster plan queens 9 --engine textbook --shards 3 -o notes";
    folder.fails(words, 1, "found a file that is no plan");
    assert_eq!(folder.bytes("notes"), b"no plan");
    // Linux lets nobody read the first bytes of a program's memory: it is not known what a path holds that cannot be read.
    if cfg!(target_os = "linux") {
        let said = folder.fail(&words.replace("-o notes", "-o /proc/self/mem"), 1);
        assert!(said.contains("/proc/self/mem: ") && !said.contains("no plan"), "{said}");
    }
    std::fs::remove_file(folder.at("plan.json")).unwrap();
    plan(&folder, 9, 4);
    folder.fails(MERGE, 1, "a result of another plan");
    folder.fails(RUN, 42, "another plan");
}

/// Their results are of another kind, which must not pass for damage.
#[test]
fn results_of_queens_and_of_sudokus_are_not_taken_for_each_other() {
    let here = finished();
    here.write("puzzle", format!("{SPARSE}\n"));
    here.succeed("cluster plan sudoku puzzle --shards 3 -o sudokus.json");
    let result = || here.bytes("results/shard-00000.json");
    let before = result();
    let refused = "found a result of another plan";
    here.fails("cluster run sudokus.json --shard 0 -o results", 42, refused);
    here.fails("cluster merge sudokus.json results", 1, refused);
    assert_eq!(result(), before);
    assert_eq!(here.succeed(MERGE), "352\n");
    std::fs::remove_dir_all(here.at("results")).unwrap();
    here.succeed("cluster run sudokus.json --shard 0 -o results");
    let before = result();
    here.fails(RUN, 42, refused);
    here.fails(MERGE, 1, refused);
    assert_eq!(result(), before);
}

/// This version cannot tell which work they belong to.
#[test]
fn results_of_another_version_are_not_written_over() {
    let here = finished();
    let text = here.read("results/shard-00001.json");
    // A later version, with a checksum of its own.
    let (format, begin) = ("tallyboard result 30", text.find("\"content\":").unwrap() + 10);
    let end = text.rfind(",\"crc32\"").unwrap();
    let content = &text[begin..end];
    let crc32 = crc32fast::hash(format!("{format}{content}").as_bytes());
    let later =
        format!("{{\"format\":\"{format}\",\"content\":{content},\"crc32\":\"{crc32:08x}\"}}\n");
    here.write("results/shard-00001.json", &later);
    let refused = "or version; use a folder for each plan";
    here.fails("cluster run plan.json --shard 1 -o results", 42, refused);
    here.fails(MERGE, 1, refused);
    assert_eq!(here.read("results/shard-00001.json"), later);
}

#[test]
fn missing_shards_of_a_folder_that_is_not_there_are_all() {
    let folder = Folder::new();
    plan(&folder, 9, 4);
    assert_eq!(folder.succeed("cluster merge plan.json results --missing"), "0-3\n");
    folder.fails(MERGE, 1, "cannot read results");
}

#[test]
fn results_that_disagree_are_refused() {
    let folder = Folder::new();
    let work = work_of(1, 1);
    for (name, body) in [("a.json", 1_u32), ("b.json", 2)] {
        let result = ShardResult { work: work.clone(), shard: 0, body, provenance: None };
        result.write(&folder.at(name)).unwrap();
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
    let folder = Folder::new();
    let path = folder.at("plan.json");
    plan(&folder, 9, 3);
    let mut old = Plan::<Job>::read(&path).unwrap();
    assert!(old.work.identity.contains("engine=textbook algorithm=1 layout=1"), "{:?}", old.work);
    old.work.identity = old.work.identity.replace("algorithm=1", "algorithm=0");
    old.write(&path).unwrap();
    folder.fails(RUN, 42, "algorithm is 0 there and 1 here");
    // Nor is a plan in a format that this program does not know.
    folder.replace("plan.json", "tallyboard plan 2", "tallyboard plan 1");
    folder.fails(RUN, 42, "found the format 'tallyboard plan 1'");
}

#[test]
fn subtrees_counted_again_find_what_the_sum_hides() {
    let folder = Folder::new();
    plan_for("blocks", &folder, 11, 2);
    folder.run_shards("plan.json", 0..2, "results");
    folder.prints(
        "cluster merge plan.json results --recount 1",
        ["1 subtree (", "with kernel portable", "341 up to rotation and reflection"],
    );
    // More solutions in one subtree and as many fewer in another: the sum stays the known one.
    let path = folder.at("results/shard-00001.json");
    let mut result = ShardResult::<serde_json::Value>::read(&path).unwrap();
    let subtotals = result.body["subtotals"].as_array_mut().unwrap();
    let solutions = |subtotal: &serde_json::Value| subtotal[1]["solutions"].as_u64().unwrap();
    subtotals.sort_by_key(|subtotal| std::cmp::Reverse(solutions(subtotal)));
    subtotals[0][1]["solutions"] = (solutions(&subtotals[0]) - 8).into();
    subtotals[1][1]["solutions"] = (solutions(&subtotals[1]) + 8).into();
    result.write(&path).unwrap();
    assert_eq!(folder.succeed(MERGE), "2680\n");
    folder.fails(
        "cluster merge plan.json results --recount 100000",
        1,
        ["WRONG COUNT: subtree ", "counted again with kernel portable"],
    );
}

#[test]
fn every_engine_can_count_again() {
    for engine in ["halves", "textbook"] {
        let folder = Folder::new();
        plan_for(engine, &folder, 10, 1);
        folder.run_shards("plan.json", [0], "results");
        let report = folder.json("cluster merge plan.json results --json --recount 9999");
        assert_eq!(report["recounted"]["subtrees"], report["subtrees"], "{report}");
        assert_eq!(
            (&report["recounted"]["share"], &report["fundamental"]),
            (&1.0.into(), &92.into())
        );
    }
}

#[test]
fn exit_codes_tell_schedulers_what_to_do() {
    let folder = Folder::new();
    plan(&folder, 8, 2);
    folder.fails("cluster run plan.json --shard 2 -o results", 2, "found shard 2, expected 0 to 1");
    folder.fail("cluster run nowhere.json --shard 0 -o results", 1);
    let plan_text = folder.read("plan.json");
    folder.write("edited.json", plan_text.replace("8", "9"));
    folder.fails("cluster run edited.json --shard 0 -o results", 42, "damaged");
    folder.fails("cluster plan queens 4 --shards 9999 -o p", 1, "found 9999 shards");
    // A damaged journal is a permanent failure: somebody has to look at it.
    std::fs::create_dir(folder.at("results")).unwrap();
    folder.write("results/shard-00000.journal", "?");
    folder.fails(RUN, 42, "remove the file");
}

#[test]
fn an_interrupted_shard_is_resumable_and_goes_on() {
    let folder = Folder::new();
    plan(&folder, 15, 2);
    let mut dice = Dice(0xc1a5);
    let mut interrupted = 0;
    // Signals and kills at random moments, until the shard is done.
    loop {
        let mut child = folder.start(RUN);
        std::thread::sleep(Duration::from_micros(20_000 + dice.below(200_000)));
        if dice.below(2) == 0 {
            child.kill().unwrap();
            if status_of(&mut child).success() {
                break;
            }
        } else {
            signal(&child, "TERM");
            match status_of(&mut child).code() {
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
    folder.run_shards("plan.json", [0, 1], "results");
    assert_eq!(folder.succeed(MERGE), "2279184\n");
    assert!(!folder.at("results/shard-00000.journal").exists());
}

#[test]
fn shards_of_one_sudoku_add_up_to_what_one_machine_counts() {
    let here = Folder::new();
    here.succeed(&format!(
        "cluster plan sudoku {SPARSE} --method enumeration --shards 4 -o plan.json"
    ));
    here.run_shards("plan.json", 0..4, "results");
    here.write("puzzle", format!("{SPARSE}\n"));
    let alone = here.succeed("sudoku count puzzle -q");
    assert_eq!(alone, format!("{SPARSE}:{}", here.succeed(MERGE)));
    here.write("many", format!("{SPARSE}\n{SPARSE}\n"));
    let message = here.fail("cluster plan sudoku many --shards 4 -o many.json", 1);
    assert!(message.contains("found no puzzle or several"), "{message}");
}

#[test]
fn what_a_plan_and_its_shards_have_written_is_not_written_over() {
    let here = Folder::new();
    here.succeed(&format!("cluster plan sudoku {SPARSE} --shards 2 -o plan.json"));
    here.run_shards("plan.json", 0..2, "results");
    let other = finished();
    let other = other.at("plan.json");
    let k8s = "cluster k8s plan.json --image registry/tallyboard:1";
    for words in ["cluster slurm plan.json", "cluster hq plan.json", k8s, "queens list 6"] {
        let is_read = "is read here";
        let is_held = "holds a plan or a result of a cluster: name another file, or remove";
        let mut refused = vec![(other.clone(), 1, is_held)];
        if words == "queens list 6" {
            refused.push((here.at("plan.json"), 1, is_held));
            refused.push((here.at("results/shard-00001.json"), 1, is_held));
        } else {
            refused.push((here.at("plan.json"), 2, is_read));
            refused.push((here.at("results/shard-00001.json"), 2, is_read));
        }
        for (path, code, reason) in refused {
            let before = std::fs::read(&path).unwrap();
            here.fails(&format!("{words} -o {}", path.display()), code, reason);
            assert!(std::fs::read(&path).unwrap() == before, "{words}: {}", path.display());
        }
        // Anything else is written, and written over.
        for _ in 0..2 {
            here.succeed(&format!("{words} -q -o written"));
        }
    }
}

/// A forecast takes seconds to minutes, so a bad path must fail before it.
#[test]
fn an_output_that_cannot_be_written_is_found_before_the_forecast() {
    let folder = Folder::new();
    for (output, code) in [("no/plan", 1), (".", 2)] {
        let words = format!("cluster plan queens 12 --shards 2 -o {output}");
        let message = folder.fail(&words, code);
        assert!(!message.contains("longest shard"), "{message}");
    }
}

#[test]
fn status_tells_how_far_shards_are_by_their_journals() {
    let here = Folder::new();
    plan(&here, 16, 3);
    run_until_saved(&here, 1);
    here.says("cluster status plan.json result", "result: no such folder: no shard has begun");
    let status = here.json("cluster status plan.json results --json");
    assert_eq!((&status["shards"], &status["done"]), (&3.into(), &0.into()), "{status}");
    assert_eq!((&status["begun"][0]["shard"], &status["waiting"]), (&1.into(), &"0,2".into()));
    let share = status["begun"][0]["share"].as_f64().unwrap();
    assert!(0.0 < share && share < 1.0, "{status}");
    assert!((status["share"].as_f64().unwrap() - share / 3.0).abs() < 1e-9, "{status}");
    // What the journal's subtrees took, for each unit of their cost, and as much for the rest.
    let journal = tallyboard_search::journal::read(&here.at("results/shard-00001.journal"));
    let journal = journal.unwrap();
    let busy: f64 = journal.records.iter().map(|record| record.busy.as_secs_f64()).sum();
    let left = status["thread_seconds_left"].as_f64().unwrap();
    let expected = busy * (3.0 - share) / share;
    assert!((left / expected - 1.0).abs() < 1e-6, "{left}, expected {expected}");
    // Journals of other work are left out.
    std::fs::rename(here.at("plan.json"), here.at("old")).unwrap();
    plan(&here, 12, 3);
    let (_, status, said) = here.told("cluster status plan.json results");
    assert!(said.contains("found a journal of other work, 16 queens"), "{said}");
    assert!(status.contains("0 begun, 3 waiting"), "{status}");
}

/// Runs `shard` until its journal holds a subtree, then kills it.
fn run_until_saved(folder: &Folder, shard: u32) {
    let mut child = folder.start(&format!("cluster run plan.json --shard {shard} -o results"));
    let journal = format!("results/shard-{shard:05}.journal");
    wait_until("a subtree is saved", || folder.saved(&journal) > 0);
    child.kill().unwrap();
    status_of(&mut child);
}

/// The engines of plans that older versions wrote are those of their identities.
#[test]
fn a_result_of_another_engine_is_named() {
    let here = finished();
    here.succeed("cluster plan queens 9 --engine blocks --shards 3 -o blocks.json");
    here.fails("cluster merge blocks.json results", 1, "engine is textbook there and blocks here");
    here.fails(
        "cluster run blocks.json --shard 0 -o results",
        42,
        "engine is textbook there and blocks here",
    );
    here.succeed("cluster plan queens 9 --engine textbook --shards 4 -o four.json");
    here.fails("cluster merge four.json results", 1, "it has 3 shards there and 4 here");
    // A plan of an algorithm that this program does not have, and results that fit it.
    let mut old = Plan::<Job>::read(&here.at("plan.json")).unwrap();
    old.work.identity = old.work.identity.replace("algorithm=1", "algorithm=0");
    old.write(&here.at("plan.json")).unwrap();
    for shard in 0..3 {
        let path = here.at(format!("results/shard-0000{shard}.json"));
        type Body = serde_json::Value;
        let result = ShardResult::<Body>::read(&path).unwrap();
        ShardResult { work: old.work.clone(), ..result }.write(&path).unwrap();
    }
    here.fails(MERGE, 1, "algorithm is 0 there and 1 here");
}

#[test]
fn an_array_that_slurm_may_refuse_is_said() {
    let folder = Folder::new();
    for (shards, is_said) in [(1001, false), (1002, true)] {
        let _ = std::fs::remove_file(folder.at("plan.json"));
        folder.succeed(&format!(
            "cluster plan sudoku {SPARSE} --method enumeration --shards {shards} -o plan.json"
        ));
        let message = folder.fail("cluster slurm plan.json", 0);
        let expected = "the array has 1,002 elements and Slurm takes 1,001 by default";
        assert_eq!(message.contains("the array has"), is_said, "{message}");
        assert_eq!(message.contains(expected), is_said, "{message}");
    }
    // A program of one's own says it in its own name.
    let own = Folder::of_example("peaceful");
    own.succeed("cluster plan 9 --shards 1002 -o plan.json");
    own.fails("cluster slurm plan.json", 0, "peaceful: the array has 1,002 elements");
}

#[test]
fn scripts_name_the_plan_and_every_shard() {
    let folder = Folder::new();
    plan(&folder, 12, 20);
    let script =
        folder.succeed("cluster slurm plan.json --time 1:00:00 --cpus 4 --partition long --mem 3G");
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

    // `%a` in the name of the folder is no number of a shard.
    let script = folder.succeed("cluster slurm plan.json --results 50%a");
    assert!(script.contains("/50%%a/shard-%a.log\"\n"), "{script}");
    assert!(script.contains("--output=\"${results//%/%%}/merge.log\""), "{script}");

    let submission = "hq submit --name queens-12 --array 0-19 --cpus 4 --resource mem=";
    folder.prints("cluster hq plan.json --cpus 4", [submission, "ids = \"0-19\""]);

    let lines = ["completions: 20", "completionMode: Indexed", "values: [2, 42]"];
    folder.prints("cluster k8s plan.json --image registry/tallyboard:1", lines);
    // The folder that the user names is one of the volume.
    for (results, there) in [("", "results"), (" --results fast/of-12", "of-12")] {
        let command = format!("cluster k8s plan.json --image a{results}");
        folder.prints(&command, [format!("\"-o\", \"/work/{there}\", ")]);
    }
    folder.fails(
        "cluster k8s plan.json --image a --results /",
        1,
        "the folder for results has no name",
    );
    folder.fails("cluster k8s plan.json --image a\"b", 2, "expected letters");
    let most = "cluster k8s plan.json --image a --parallelism";
    folder.prints(&format!("{most} 100000"), ["parallelism: 100000"]);
    folder.fails(&format!("{most} 100001"), 2, "100001 is not in 1..=100000");
}

#[test]
fn a_script_is_for_the_scheduler_that_is_named() {
    let folder = Folder::new();
    plan(&folder, 12, 20);
    for (former, now) in
        [("slurm", "slurm --time 24h"), ("hq", "hq"), ("k8s --image a", "k8s --image a")]
    {
        let script = folder.succeed(&format!("cluster script plan.json --for {now}"));
        assert_eq!(folder.succeed(&format!("cluster {former} plan.json")), script);
    }
    for (words, expected) in [
        ("script plan.json", "expected --for slurm, --for hq or --for k8s"),
        ("script plan.json --for hq --mem 3G", "found --mem, which is an option for Slurm alone"),
        ("script plan.json --for slurm --image a", "found --image, which is an option for K8s"),
        ("script plan.json --for k8s", "expected --image"),
        ("slurm plan.json --for hq", "expected Slurm"),
    ] {
        folder.fails(&format!("cluster {words}"), 2, expected);
    }
}

#[test]
fn a_plan_with_its_results_is_checked_as_a_bundle_is() {
    let folder = Folder::new();
    plan_for("halves", &folder, 10, 1);
    folder.run_shards("plan.json", [0], "results");
    let shown = ["recounted ", " by another method, engine blocks: all equal"];
    folder.prints("cluster check plan.json results --share 0.2", shown);
    let shown = ["3 subtrees (", "with kernel portable"];
    folder.prints("cluster check plan.json results --recount 3", shown);
    folder.fails(
        "cluster check plan.json",
        1,
        "or the folder with the results of this plan behind it",
    );
}
