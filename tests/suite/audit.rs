//! Promise: a count in shards can be recounted by another method, published, and checked by anyone.

use std::fs;

use crate::common::runs::Folder;
use serde_json::Value;
use tallyboard_queens::{Board, Count, Engine, Settings};
use tallyboard_search::shard::{SealedFile, ShardResult};

/// A folder with a plan of three shards for `n` queens by `engine`, and all results.
fn finished(n: u32, engine: &str) -> Folder {
    let folder = Folder::new();
    let plan = format!("cluster plan queens {n} --engine {engine} --shards 3 -o plan.json");
    folder.succeed(&plan);
    folder.run_shards("plan.json", 0..3, "results");
    folder
}

/// Changes a result and its checksum.
fn edit(folder: &Folder, change: impl Fn(&mut ShardResult<Value>)) {
    let path = folder.at("results/shard-00001.json");
    let mut result = ShardResult::<Value>::read(&path).unwrap();
    change(&mut result);
    result.write(&path).unwrap();
}

const AUDIT: &str = "cluster audit plan.json results";

#[test]
fn an_audit_says_what_it_has_counted_again_and_what_that_proves() {
    let folder = finished(12, "halves");
    let all = folder.json(&format!("{AUDIT} --share 1 --json"));
    let subtrees = all["subtrees"].as_u64().unwrap();
    assert_eq!(all["solutions"], 14_200);
    assert_eq!(all["drawn"].as_array().unwrap().len() as u64, subtrees);
    assert_eq!((&all["detection"], &all["share"]), (&1.0.into(), &1.0.into()));

    let some = format!("{AUDIT} --share 0.2 --seed 5 --json");
    let [first, again] = [(); 2].map(|()| folder.json(&some));
    assert_eq!(first["drawn"], again["drawn"]);
    let drawn = subtrees.div_ceil(5) as usize;
    for key in ["drawn", "drawn_by_solutions"] {
        assert_eq!(first[key].as_array().unwrap().len(), drawn);
    }
    let missed = 0.99_f64.powi(drawn as i32);
    assert!((first["detection_by_solutions"].as_f64().unwrap() - (1.0 - missed)).abs() < 1e-9);
    let kernels = first["kernels"].as_object().unwrap();
    let counted: u64 = kernels.values().map(|count| count.as_u64().unwrap()).sum();
    assert!(counted > 0 && counted <= 2 * drawn as u64);
    // No CPU with more than one kernel counts twice with the same one.
    let same = |name: &String| name.split_once(" -> ").is_some_and(|(one, other)| one == other);
    assert!(tallyboard_base::Kernel::available().count() == 1 || !kernels.keys().any(same));

    folder.prints(
        &format!("{AUDIT} --share 0.2 --seed 5"),
        [
            "if one subtree in 100 had been wrong",
            "each row set of the board is in the subtrees once",
        ],
    );
    // With no time only a first batch is counted, which detects less.
    let few = folder.json(&format!("{AUDIT} --share 1 --seconds 0 -j 1 --json"));
    assert_eq!(few["drawn"].as_array().unwrap().len(), 2);
    assert!(few["detection"].as_f64().unwrap() < 1.0);
    folder.fail(&format!("{AUDIT} --share 2"), 2);
    // What proves little says so before it begins, with the share that proves more.
    let little = folder.says(AUDIT, "one subtree is drawn each way, which proves little");
    let share = little.split("--share ").nth(1).unwrap().split(' ').next().unwrap();
    let more = folder.json(&format!("{AUDIT} --share {share} --json"));
    assert!(more["detection"].as_f64().unwrap() >= 0.95, "{little}");
    assert!(!folder.said(&format!("{AUDIT} --share {share}")).contains("proves little"));
}

#[test]
fn of_large_subtrees_a_piece_is_counted_again() {
    let folder = finished(12, "halves");
    let whole = folder.json(&format!("{AUDIT} --share 1 --json"));
    assert_eq!(
        (&whole["in_pieces"], &whole["piece"]),
        (&Value::Array(vec![]), &500_000_000.into())
    );

    let audit = format!("{AUDIT} --share 1 --piece 50 --seed 2");
    let found = folder.json(&format!("{audit} --json"));
    assert_eq!(found["drawn"].as_array().unwrap().len(), whole["drawn"].as_array().unwrap().len());
    let in_pieces = found["in_pieces"].as_array().unwrap().len();
    assert!(in_pieces > 5 && found["piece"] == 50, "{found}");
    // Of each of these at most 50 solutions were counted again.
    let again = found["solutions"].as_u64().unwrap();
    assert!(again > 0 && again < 14_200, "{found}");
    assert_eq!(found["share"].as_f64().unwrap(), again as f64 / 14_200.0);
    let text = folder.succeed(&audit);
    let line = format!(
        "{in_pieces} of all recounted subtrees have more than 50 solutions: of these, one piece each"
    );
    assert!(text.contains(&line), "{text}");

    // A mistake outside of the recounted piece shows in the sum of all pieces.
    let claimed = |it: &Value| it[1]["solutions"].as_i64().unwrap();
    edit(&folder, |result| {
        let subtotals = result.body["subtotals"].as_array_mut().unwrap();
        let mut large = subtotals.iter_mut().filter(|it| claimed(it) > 60);
        for by in [8, -8] {
            let of_subtree = large.next().unwrap();
            of_subtree[1]["solutions"] = (claimed(of_subtree) + by).into();
        }
    });
    let message = folder.fails(&audit, 1, ["its result has", "engine halves has"]);
    // The message names the kernel that counts by halves, not the one that recounts pieces.
    let board = Board::new(12).unwrap();
    let halves = Settings::new().engine(Engine::Halves);
    let best = Count::with(board, halves).unwrap().kernel();
    let halves = message.split("engine halves has").nth(1).unwrap().lines().next().unwrap();
    assert!(halves.ends_with(&format!("kernel {best}")), "{message}");
    folder.fail(&format!("{AUDIT} --piece 0"), 2);
}

/// Eight solutions moved from one subtree to another change neither the sum nor what it is divisible by.
#[test]
fn an_audit_finds_what_no_sum_shows() {
    let folder = finished(12, "halves");
    edit(&folder, |result| {
        let subtotals = result.body["subtotals"].as_array_mut().unwrap();
        let at = |by: i64, it: &mut Value| {
            let number = it[1]["solutions"].as_i64().unwrap() + by;
            it[1]["solutions"] = number.into();
        };
        let full: Vec<usize> = (0..subtotals.len())
            .filter(|&i| subtotals[i][1]["solutions"].as_i64().unwrap() >= 8)
            .collect();
        at(8, &mut subtotals[full[0]]);
        at(-8, &mut subtotals[full[1]]);
    });
    let merged = folder.succeed("cluster merge plan.json results -q");
    assert_eq!(merged, "14200\n");
    folder.fails(&format!("{AUDIT} --share 1"), 1, ["WRONG COUNT", "of shard 1: its result has"]);
}

#[test]
fn only_counts_by_halves_can_be_audited() {
    let folder = finished(9, "textbook");
    let named = "cluster check PLAN RESULTS --recount N";
    let expected = format!("this plan's engine is textbook: `{named}` counts any again");
    folder.fails(AUDIT, 2, expected.as_str());
    // What is named does that.
    let named = named.replace("PLAN", "plan.json").replace("RESULTS", "results");
    folder.prints(&named.replace(" N", " 2"), "counted again");
}

const BUNDLE: &str = "cluster bundle plan.json results -o bundle";

#[test]
fn a_bundle_is_checked_without_what_made_it() {
    for (n, engine, solutions) in [(12, "halves", 14_200), (9, "textbook", 352)] {
        let folder = finished(n, engine);
        let fingerprint = folder.succeed(BUNDLE);
        folder.fail(BUNDLE, 1);
        fs::remove_dir_all(folder.at("results")).unwrap();
        fs::remove_file(folder.at("plan.json")).unwrap();
        let report = folder.json("cluster check bundle --json");
        assert_eq!(
            (&report["solutions"], &report["known"]),
            (&solutions.into(), &solutions.into())
        );
        assert_eq!(report["fingerprint"], fingerprint.trim());
        let text = folder.succeed("cluster check bundle");
        let version = format!("3 shards counted by version {}", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&version) && text.contains("come in eights"), "{text}");
        if engine == "halves" {
            folder.prints(
                "cluster check bundle --share 0.1",
                "by another method, engine blocks: all equal",
            );
        }
    }
}

#[test]
fn a_bundle_that_was_changed_is_refused_by_name() {
    let folder = finished(12, "halves");
    folder.succeed(BUNDLE);
    let sound = folder.bytes("bundle/subtotals.csv.gz");
    folder.write("bundle/subtotals.csv.gz", &sound[..sound.len() - 1]);
    folder.fails("cluster check bundle", 1, ["subtotals.csv.gz", "was changed or cut"]);

    // A sound bundle of a wrong result.
    edit(&folder, |result| {
        let number = &mut result.body["subtotals"][0][1]["solutions"];
        *number = (number.as_u64().unwrap() + 8).into();
    });
    folder.succeed("cluster bundle plan.json results -o edited");
    folder.fails("cluster check edited", 1, "WRONG COUNT");
}

#[test]
fn a_folder_that_is_no_bundle_is_said_to_be_none() {
    let folder = Folder::new();
    std::fs::create_dir(folder.at("results")).unwrap();
    for name in ["results", "no_folder"] {
        let message = folder.fail(&format!("cluster check {name}"), 1);
        let told =
            format!("{name}: found no SHA256SUMS in it, expected a folder that `cluster bundle`");
        assert!(message.contains(&told), "{message}");
    }
}

#[test]
fn a_bundle_with_the_plan_of_another_board_is_refused() {
    let (folder, other) = (finished(10, "halves"), finished(11, "halves"));
    folder.succeed(BUNDLE);
    let bundle = folder.at("bundle");
    fs::copy(other.at("plan.json"), bundle.join("plan.json")).unwrap();
    folder.fails("cluster check bundle", 1, "plan.json: found SHA-256");
    // The checksums are written anew, as somebody would on purpose.
    let sums = std::process::Command::new("sha256sum")
        .args(["README.txt", "plan.json", "shards.json", "subtotals.csv.gz"])
        .current_dir(&bundle)
        .output();
    let Ok(sums) = sums else { return };
    fs::write(bundle.join("SHA256SUMS"), sums.stdout).unwrap();
    folder.fails(
        "cluster check bundle",
        1,
        ["its plan is of queens n=11", "its subtotals are of queens n=10"],
    );
}

#[test]
fn results_of_older_versions_are_bundled_and_their_origin_is_said_to_be_unknown() {
    let folder = finished(12, "halves");
    edit(&folder, |result| result.provenance = None);
    let text = folder.read("results/shard-00001.json");
    assert!(!text.contains("provenance"), "as version 0.2.0 wrote it");
    folder.succeed(BUNDLE);
    folder.prints(
        "cluster check bundle --share 0.3",
        ["1 shard counted by unknown, by an older version", "kernels unknown -> "],
    );
}
