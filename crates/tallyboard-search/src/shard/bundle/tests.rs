//! Bundles that are read back, and bundles that somebody has changed.

use std::fs;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::*;
use crate::Costs;
use tallyboard_base::clock::Times;

/// Seven subtrees in three shards, of which the first tells who counted it.
fn bundle() -> Bundle {
    let work = Work::new("queens n=8", 3, &Costs::equal(7));
    let ids: [&[usize]; 3] = [&[0, 3, 6], &[1, 4], &[2, 5]];
    let tally = |id: usize| (id, Tally::new(100 + 10 * id as u64));
    let body = |ids: &[usize]| ids.iter().copied().map(tally).collect::<Vec<_>>();
    let bodies = (0..).zip(ids.map(body)).collect();
    let spent = Times { wall: 1.5, user: 1.25, system: 0.25 };
    let provenance = Provenance::here(Some("avx2".to_owned()), "a CPU".to_owned(), spent, 2);
    let collected = FolderResults {
        bodies,
        provenance: [(0, provenance)].into(),
        missing: Vec::new(),
        damaged: Vec::new(),
    };
    Bundle::new(&work, &collected, |body: &Vec<(usize, Tally)>| body).unwrap()
}

fn written() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bundle");
    bundle().write(b"the plan", &path).unwrap();
    (folder, path)
}

/// Writes new checksums, as somebody would do who changes a file on purpose.
fn sum_again(folder: &Path) {
    let line = |name: &str| format!("{}  {name}\n", sha256(&fs::read(folder.join(name)).unwrap()));
    fs::write(folder.join(SUMS), [README, PLAN, SHARDS, SUBTOTALS].map(line).concat()).unwrap();
}

/// The list of subtotals.
fn list(folder: &Path) -> String {
    let compressed = fs::read(folder.join(SUBTOTALS)).unwrap();
    let mut text = String::new();
    GzDecoder::new(&compressed[..]).read_to_string(&mut text).unwrap();
    text
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// What is said of a bundle with another compressed list of subtotals and the checksums that fit.
fn refusal_of_list(compressed: &[u8]) -> String {
    let (_folder, path) = written();
    fs::write(path.join(SUBTOTALS), compressed).unwrap();
    sum_again(&path);
    refusal(&path)
}

fn refusal(folder: &Path) -> String {
    Bundle::read(folder).unwrap_err().to_string()
}

#[test]
fn a_bundle_is_read_as_it_was_written_and_equal_results_give_equal_files() {
    let (folder, path) = written();
    let (read, fingerprint) = Bundle::read(&path).unwrap();
    assert_eq!(read, bundle());
    assert_eq!(read.solutions().unwrap().solutions(), 910);
    assert_eq!(fs::read(Bundle::plan(&path)).unwrap(), b"the plan");
    let again = folder.path().join("again");
    assert_eq!(bundle().write(b"the plan", &again).unwrap(), fingerprint);
    let there = bundle().write(b"the plan", &again).unwrap_err().to_string();
    assert!(there.contains("again: found something, expected a free name"), "{there}");
    for name in ["packed.tar", "packed.TAR.zst", "packed.tgz"] {
        let refused =
            bundle().write(b"the plan", &folder.path().join(name)).unwrap_err().to_string();
        assert!(refused.contains("found the name of an archive"), "{refused}");
    }
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "nothing unfinished stays");
}

#[test]
#[cfg(unix)]
fn any_failure_while_a_bundle_is_written_is_reported_and_leaves_nothing_or_all() {
    use tallyboard_files::calls::{Call, fail_each};
    let (folder, path) = written();
    let other = folder.path().join("other");
    let renames = |calls: &[Call]| calls.iter().filter(|&&call| call == Call::Rename).count();
    let calls = fail_each(
        || drop(fs::remove_dir_all(&other)),
        || bundle().write(b"the plan", &other).map(drop),
        |calls, _| {
            // Five files, and the folder.
            let is_named = renames(calls) == 6 && calls.last() != Some(&Call::Rename);
            assert_eq!(other.exists(), is_named, "{calls:?}");
            if is_named {
                assert_eq!(Bundle::read(&other).unwrap().0, Bundle::read(&path).unwrap().0);
            }
            let there = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(there, 1 + usize::from(is_named), "{calls:?} left something");
        },
    );
    assert_eq!(renames(&calls), 6);
    assert!(calls.ends_with(&[Call::Rename, Call::OpenFolder, Call::SyncFolder]));
}

#[test]
fn a_byte_that_is_cut_off_or_changed_is_found_in_each_file() {
    for name in [README, PLAN, SHARDS, SUBTOTALS] {
        let (_folder, path) = written();
        let file = path.join(name);
        let whole = fs::read(&file).unwrap();
        for end in [0, whole.len() / 2, whole.len() - 1] {
            fs::write(&file, &whole[..end]).unwrap();
            let message = refusal(&path);
            assert!(message.contains(name) && message.contains("was changed or cut"), "{message}");
        }
        let mut changed = whole.clone();
        changed[whole.len() / 3] ^= 1;
        fs::write(&file, changed).unwrap();
        assert!(refusal(&path).contains("was changed or cut"));
        fs::remove_file(&file).unwrap();
        assert!(refusal(&path).contains(name));
    }
    let (_folder, path) = written();
    let sums = fs::read_to_string(path.join(SUMS)).unwrap();
    for end in 0..sums.len() - 1 {
        fs::write(path.join(SUMS), &sums[..end]).unwrap();
        Bundle::read(&path).unwrap_err();
    }
}

#[test]
fn lists_that_contradict_each_other_are_refused_by_name_though_their_checksums_fit() {
    let sixes = "6".repeat(1000);
    // A part of the list, what stands in its place, and what is said of that.
    let changes = [
        ("4,1,140\n", "4,1,148\n", "shard 1 has 2 subtrees with 250 solutions here"),
        ("4,1,140\n", "3,0,130\n4,1,140\n", "subtree 3 is there twice"),
        ("4,1,140\n", "", "line 6: found '5,2,150', expected subtree 4"),
        ("6,0,160\n", "", "found 6 subtrees, expected 7"),
        ("6,0,160\n", "6,0,160\n7,0,1\n", "found 8 subtrees, expected 7"),
        ("6,0,160", "6,3,160", "a shard below 3"),
        ("subtree,", "id,", "line 1: found 'id,shard,solutions'"),
        ("subtree,", &sixes[..], "line 1: found '666"),
        // Numbers that Rust reads as it reads those that are written, and other programs otherwise.
        ("4,1,140\n", "+4,1,140\n", "line 6: found '+4,1,140', expected subtree 4"),
        ("4,1,140\n", "4,+1,140\n", "line 6: found '4,+1,140'"),
        ("4,1,140\n", "4,1,+140\n", "line 6: found '4,1,+140'"),
        ("4,1,140\n", "004,01,0140\n", "line 6: found '004,01,0140'"),
        ("4,1,140\n", "4,1,140 \n", "line 6: found '4,1,140 '"),
        ("4,1,140\n", "4,1,140,\n", "line 6: found '4,1,140,'"),
        ("4,1,140\n", "4,1,140\r\n", r"line 6: found '4,1,140\r'"),
        ("solutions\n", "solutions\r\n", r"line 1: found 'subtree,shard,solutions\r'"),
        ("4,1,140\n", "4,1,140\n\n", "line 7: found ''"),
        ("6,0,160\n", "6,0,160", "a number and a line break"),
        ("6,0,160\n", "6,0,160\n\n", "line 9: found ''"),
        ("6,0,160\n", "6,0,160\n\0", r"line 9: found '\x00'"),
    ];
    let list = list(&written().1);
    for (part, other, expected) in changes {
        assert!(list.contains(part), "{part}");
        let message = refusal_of_list(&gzip(&list.replace(part, other)));
        assert!(message.contains(expected), "{message}");
    }
    // Two changes that leave the sum as it is.
    let same_sum = list.replace("1,1,110", "1,1,109").replace("4,1,140", "4,1,141");
    let message = refusal_of_list(&gzip(&same_sum));
    assert!(message.contains("shard 1: its lines in subtotals.csv.gz have SHA-256"), "{message}");
}

#[test]
fn what_zcat_shows_is_what_is_checked() {
    let (_folder, path) = written();
    let whole = fs::read(path.join(SUBTOTALS)).unwrap();
    // Some bytes behind the file of subtotals, and what is said of them.
    let second_member = gzip("7,0,1\n");
    let cases: [(&[u8], &str); 5] = [
        (&second_member, "found 8 subtrees, expected 7"),
        (&gzip("6,0,160\n"), "subtree 6 is there twice"),
        (b"7,0,1\n", "subtotals.csv.gz: "),
        (&[0; 512], "subtotals.csv.gz: "),
        (&second_member[..second_member.len() / 2], "subtotals.csv.gz: "),
    ];
    for (behind, expected) in cases {
        let message = refusal_of_list(&[&whole, behind].concat());
        assert!(message.contains(expected), "{message}");
    }
    // The same lines in several members are the same list.
    let text = list(&path);
    let (start, end) = text.split_at(text.len() / 2);
    fs::write(path.join(SUBTOTALS), [gzip(start), gzip(end)].concat()).unwrap();
    sum_again(&path);
    assert_eq!(Bundle::read(&path).unwrap().0, bundle());
}

#[test]
fn checksums_of_other_files_or_in_another_form_are_refused() {
    let sums: [fn(&str) -> String; 4] = [
        |sums| format!("{sums}{}  elsewhere.txt\n", "0".repeat(64)),
        |sums| sums.replace('\n', "\r\n"),
        |sums| sums.lines().rev().map(|line| format!("{line}\n")).collect(),
        |sums| format!("\n{sums}"),
    ];
    for change in sums {
        let (_folder, path) = written();
        let file = path.join(SUMS);
        fs::write(&file, change(&fs::read_to_string(&file).unwrap())).unwrap();
        let message = refusal(&path);
        assert!(message.contains("SHA256SUMS: "), "{message}");
    }
}

#[test]
fn shards_that_are_listed_twice_or_not_at_all_are_refused() {
    let listed = |change: &dyn Fn(&mut ShardList)| {
        let (_folder, path) = written();
        let mut list = ShardList::read(&path.join(SHARDS)).unwrap();
        change(&mut list);
        list.write(&path.join(SHARDS)).unwrap();
        sum_again(&path);
        refusal(&path)
    };
    let twice = listed(&|list| list.shards[2] = list.shards[1].clone());
    assert!(twice.contains("shards.json: shard 1 is listed twice"), "{twice}");
    let last = listed(&|list| list.shards.truncate(2));
    assert!(last.contains("found 2 shards, expected 3"), "{last}");
    let more = listed(&|list| {
        let extra = ShardRecord { shard: 3, ..list.shards[0].clone() };
        list.shards.push(extra);
    });
    assert!(more.contains("found shard 3, expected 0 to 2"), "{more}");
    for shards in [0, usize::MAX, 1 << 62, 8] {
        let message = listed(&|list| list.work.shards = shards);
        let expected = format!("found {shards} shards for 7 subtrees, expected 1 to 7");
        assert!(message.contains(&expected), "{message}");
    }
    let huge = listed(&|list| (list.work.shards, list.work.subtrees) = (1 << 62, 1 << 62));
    assert!(huge.contains("expected 1 to 100000"), "{huge}");
    let other = listed(&|list| list.work.subtrees = 9);
    assert!(other.contains("found 7 subtrees, expected 9 by shards.json"), "{other}");
}
