//! Bundles that are read back, and bundles that somebody has changed.

use std::fs;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::*;
use base::clock::Times;

/// Seven subtrees in three shards, of which the first tells who counted it.
fn bundle() -> Bundle {
    let identity = "queens n=8".to_owned();
    let costs_fingerprint = "0".to_owned();
    let work = Work { identity, shards: 3, subtrees: 7, costs_fingerprint };
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

/// Changes the list of subtotals, and the checksums of the files.
fn edit(folder: &Path, change: impl Fn(&str) -> String) {
    let path = folder.join(SUBTOTALS);
    let mut text = String::new();
    GzDecoder::new(&fs::read(&path).unwrap()[..]).read_to_string(&mut text).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let changed = change(&text);
    assert_ne!(changed, text);
    encoder.write_all(changed.as_bytes()).unwrap();
    fs::write(&path, encoder.finish().unwrap()).unwrap();
    sum_again(folder);
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
    use crate::durable::calls::{Call, failing};
    let no_disk = || io::Error::other("no disk");
    let (folder, path) = written();
    let other = folder.path().join("other");
    let (result, whole) = failing(usize::MAX, no_disk, || bundle().write(b"the plan", &other));
    result.unwrap();
    assert_eq!(
        whole.iter().filter(|&&call| call == Call::Rename).count(),
        6,
        "five files, the folder"
    );
    assert!(whole.ends_with(&[Call::Rename, Call::OpenFolder, Call::SyncFolder]));
    fs::remove_dir_all(&other).unwrap();
    for at in 0..whole.len() {
        let (result, calls) = failing(at, no_disk, || bundle().write(b"the plan", &other));
        result.expect_err("a failure was not reported");
        assert_eq!(calls, whole[..=at], "nothing is done after a failure");
        let is_named = at + 2 >= whole.len();
        assert_eq!(other.exists(), is_named, "call {at}");
        if is_named {
            assert_eq!(Bundle::read(&other).unwrap().0, Bundle::read(&path).unwrap().0);
            fs::remove_dir_all(&other).unwrap();
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "call {at} left something");
    }
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

type Change = Box<dyn Fn(&str) -> String>;

#[test]
fn lists_that_contradict_each_other_are_refused_by_name_though_their_checksums_fit() {
    let line = |from: &'static str, to: &'static str| move |text: &str| text.replace(from, to);
    let changes: [(Change, &str); 21] = [
        (
            Box::new(line("4,1,140\n", "4,1,148\n")),
            "shard 1 has 2 subtrees with 250 solutions here",
        ),
        // Two changes that leave the sum as it is.
        (
            Box::new(|text: &str| text.replace("1,1,110", "1,1,109").replace("4,1,140", "4,1,141")),
            "shard 1: its lines in subtotals.csv.gz have SHA-256",
        ),
        (Box::new(line("4,1,140\n", "3,0,130\n4,1,140\n")), "subtree 3 is there twice"),
        (Box::new(line("4,1,140\n", "")), "line 6: found '5,2,150', expected subtree 4"),
        (Box::new(line("6,0,160\n", "")), "found 6 subtrees, expected 7"),
        (Box::new(line("6,0,160\n", "6,0,160\n7,0,1\n")), "found 8 subtrees, expected 7"),
        (Box::new(line("6,0,160", "6,3,160")), "a shard below 3"),
        (Box::new(line("subtree,", "id,")), "line 1: found 'id,shard,solutions'"),
        // Numbers that Rust reads as it reads those that are written, and other programs otherwise.
        (Box::new(line("4,1,140\n", "+4,1,140\n")), "line 6: found '+4,1,140', expected subtree 4"),
        (Box::new(line("4,1,140\n", "4,+1,140\n")), "line 6: found '4,+1,140'"),
        (Box::new(line("4,1,140\n", "4,1,+140\n")), "line 6: found '4,1,+140'"),
        (Box::new(line("4,1,140\n", "004,01,0140\n")), "line 6: found '004,01,0140'"),
        (Box::new(line("4,1,140\n", "4,1,140 \n")), "line 6: found '4,1,140 '"),
        (Box::new(line("4,1,140\n", "4,1,140,\n")), "line 6: found '4,1,140,'"),
        (Box::new(line("4,1,140\n", "4,1,140\r\n")), r"line 6: found '4,1,140\r'"),
        (
            Box::new(line("solutions\n", "solutions\r\n")),
            r"line 1: found 'subtree,shard,solutions\r'",
        ),
        (Box::new(line("4,1,140\n", "4,1,140\n\n")), "line 7: found ''"),
        (Box::new(line("6,0,160\n", "6,0,160")), "a number and a line break"),
        (Box::new(line("6,0,160\n", "6,0,160\n\n")), "line 9: found ''"),
        (Box::new(line("6,0,160\n", "6,0,160\n\0")), r"line 9: found '\x00'"),
        (Box::new(|text: &str| "6".repeat(1000) + text), "line 1: found '666"),
    ];
    for (change, expected) in changes {
        let (_folder, path) = written();
        edit(&path, change);
        let message = refusal(&path);
        assert!(message.contains(expected), "{message}");
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn what_zcat_shows_is_what_is_checked() {
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
        let (_folder, path) = written();
        let file = path.join(SUBTOTALS);
        fs::write(&file, [&fs::read(&file).unwrap(), behind].concat()).unwrap();
        sum_again(&path);
        let message = refusal(&path);
        assert!(message.contains(expected), "{message}");
    }
    // The same lines in several members are the same list.
    let (_folder, path) = written();
    let whole = fs::read(path.join(SUBTOTALS)).unwrap();
    let mut text = String::new();
    GzDecoder::new(&whole[..]).read_to_string(&mut text).unwrap();
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
