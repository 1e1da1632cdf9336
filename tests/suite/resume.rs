//! A long count survives whatever ends it: signals, kill -9, a full disk.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::common::runs::{
    Dice, command, fail, ignores_hangups, run, shell_code, signal, start, succeed,
};
use search::journal::read;

/// Counts that take long enough to be interrupted, and their results: a backtracker, and the engine
/// whose workers keep lists from one subtree to the next.
const LONG: [(&str, &str); 2] = [
    ("queens count 15 -q --engine textbook", "2279184\n"),
    ("queens count 16 -q --engine halves --kernel portable", "14772512\n"),
];
/// A count too long to be finished in a test.
const ENDLESS: &str = "queens count 18 -q --engine textbook --journal j";

/// Waits until the journal at `path` holds a subtree.
fn wait_for_a_subtree(path: &Path) {
    while read(path).map_or(0, |contents| contents.records.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// `auto` takes the engine that fits, which need not be the one that began.
#[test]
fn a_count_goes_on_with_the_engine_that_began_it() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), "queens count 14 -q --engine halves --journal j");
    // `auto` would not take this engine for so small a board.
    let resumed = succeed(folder.path(), "queens count 14 --json --journal j --resume");
    assert!(resumed.contains("\"engine\":\"halves\""), "{resumed}");
    let words = "queens count 14 -q --journal j --resume --memory 1M";
    let message = fail(folder.path(), words, 1);
    assert!(message.contains(" MiB of memory for ") && message.contains("1 MiB"), "{message}");
}

#[test]
fn kills_at_random_moments_lose_nothing_that_was_finished() {
    for (count, result) in LONG {
        kill_at_random_moments(count, result);
    }
}

fn kill_at_random_moments(count: &str, result: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    let words = format!("{count} --journal j --resume");
    let mut dice = Dice(0x5eed);
    let (mut kills, mut cut_short) = (0, 0);
    let mut saved = 0;
    while kills < 20 {
        let mut child = start(folder.path(), &words);
        std::thread::sleep(Duration::from_micros(dice.below(60_000)));
        child.kill().unwrap();
        let ended = child.wait().unwrap();
        kills += 1;
        if ended.success() {
            // It was faster than the kill: begin a new journal.
            std::fs::remove_file(&path).unwrap();
            saved = 0;
            continue;
        }
        cut_short += 1;
        if let Ok(contents) = read(&path) {
            assert_eq!(contents.damaged, 0);
            assert!(contents.records.len() >= saved, "kill {kills} lost a finished subtree");
            // No subtree is there twice, so none that was saved has been counted again.
            assert_eq!(contents.subtotals().unwrap().len(), contents.records.len());
            saved = contents.records.len();
        }
    }
    assert!(cut_short > 0, "every run was faster than its kill");
    assert_eq!(succeed(folder.path(), &words), result);
    let contents = read(&path).unwrap();
    assert_eq!(contents.records.len(), contents.header.subtrees);
}

#[test]
fn signals_save_and_say_how_to_resume() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        if name == "HUP" && ignores_hangups() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let child = start(folder.path(), ENDLESS);
        wait_for_a_subtree(&folder.path().join("j"));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(shell_code(output.status), Some(code), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("subtrees saved in j"), "{message}");
        assert!(message.contains("--resume"), "{message}");
        assert!(read(&folder.path().join("j")).unwrap().torn == 0);
    }
}

#[test]
fn sigusr1_prints_progress_and_the_count_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let child = start(folder.path(), ENDLESS);
    wait_for_a_subtree(&folder.path().join("j"));
    signal(&child, "USR1");
    // Two ticks of the recorder are enough to answer.
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{message}");
    assert!(message.contains("%, "), "{message}");
    assert!(message.contains(" found"), "{message}");
}

#[test]
fn any_number_of_threads_goes_on_where_another_stopped() {
    for (count, result) in LONG {
        let folder = tempfile::tempdir().unwrap();
        let child = start(folder.path(), &format!("{count} --journal j -j 3"));
        wait_for_a_subtree(&folder.path().join("j"));
        signal(&child, "TERM");
        child.wait_with_output().unwrap();
        for threads in [1, 4] {
            let words = format!("{count} --journal j --resume -j {threads}");
            assert_eq!(succeed(folder.path(), &words), result);
        }
    }
}

#[test]
fn an_existing_journal_needs_resume() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), "queens count 8 --journal j");
    let message = fail(folder.path(), "queens count 8 --journal j", 1);
    assert!(message.contains("exists already") && message.contains("--resume"), "{message}");
    assert_eq!(succeed(folder.path(), "queens count 8 -q --journal j --resume"), "92\n");
    // The rate is that of this run, which had nothing left to count.
    let report = succeed(folder.path(), "queens count 8 --journal j --resume");
    assert!(report.contains("92 solutions") && report.contains(" s, 0.0 solutions/s"), "{report}");
    let message = fail(folder.path(), "queens count 9 --journal j --resume", 1);
    assert!(message.contains("n is 8 there and 9 here"), "{message}");
}

#[test]
fn two_processes_cannot_write_one_journal() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = start(folder.path(), ENDLESS);
    wait_for_a_subtree(&folder.path().join("j"));
    let message = fail(folder.path(), &format!("{ENDLESS} --resume"), 1);
    assert!(message.contains("another process is writing it"), "{message}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn show_tells_what_a_journal_holds_and_subtrees_can_be_audited() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), "queens count 9 --engine textbook --journal j");
    let text = succeed(folder.path(), "queens show j");
    assert!(text.contains("done 100.00 %") && text.contains("subtotal 352"), "{text}");
    let csv = succeed(folder.path(), "queens show j --csv");
    let mut sum = 0;
    for (index, line) in csv.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0], index.to_string());
        let solutions: u128 = fields[1].parse().unwrap();
        sum += solutions;
        if index % 10 == 0 {
            let audited = succeed(
                folder.path(),
                &format!("queens count 9 -q --engine textbook --subtree {index}"),
            );
            assert_eq!(audited, format!("{solutions}\n"));
        }
    }
    assert_eq!(sum, 352);
    let message = fail(folder.path(), "queens count 9 --subtree 99999", 2);
    assert!(message.contains("found subtree 99,999"), "{message}");
}

#[test]
fn show_refuses_what_is_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("j"), "what is this?").unwrap();
    let message = fail(folder.path(), "queens show j", 1);
    assert!(message.contains("no tallyboard journal"), "{message}");
    let message = fail(folder.path(), "queens count 8 --journal j --resume", 1);
    assert!(message.contains("no tallyboard journal"), "{message}");
}

#[test]
fn one_huge_sudoku_goes_on_where_it_stopped() {
    let begin = "534678912672195348198342567";
    let enumerated = format!("{begin}8597{}", ".".repeat(50));
    let joined = format!("53..7.1.2{}9{}", ".".repeat(40), ".".repeat(31));
    for (method, many) in [("enumeration", enumerated), ("join", joined)] {
        let folder = tempfile::tempdir().unwrap();
        let (puzzle, journal) = (folder.path().join("puzzle"), folder.path().join("j"));
        std::fs::write(&puzzle, format!("{many}\n")).unwrap();
        let words = &format!("sudoku count puzzle --method {method} --journal j --resume");
        let child = start(folder.path(), words);
        wait_for_a_subtree(&journal);
        signal(&child, "TERM");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143), "{output:?}");
        assert!(!read(&journal).unwrap().records.is_empty());

        let other = many.replacen("53", "35", 1);
        std::fs::write(&puzzle, other).unwrap();
        let message = fail(folder.path(), words, 1);
        assert!(message.contains("other work"), "{message}");
        std::fs::write(&puzzle, format!("{many}\n{many}\n")).unwrap();
        let message = fail(folder.path(), words, 1);
        assert!(message.contains("puzzle: --journal expects a single puzzle"), "{message}");
        fail(folder.path(), "sudoku count puzzle --journal j --limit 2", 2);
    }
}

#[test]
fn a_sudoku_count_with_a_journal_is_that_without() {
    let folder = tempfile::tempdir().unwrap();
    let grid = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let puzzle = format!("{}\n", grid.replace(['1', '2', '3'], "."));
    std::fs::write(folder.path().join("puzzle"), puzzle).unwrap();
    let plain = succeed(folder.path(), "sudoku count puzzle -q");
    assert!(!plain.ends_with(":1\n"), "a puzzle with one solution proves little: {plain}");
    for method in ["enumeration", "join"] {
        let words = format!("sudoku count puzzle -q --method {method} --journal {method}");
        assert_eq!(succeed(folder.path(), &words), plain);
        assert_eq!(succeed(folder.path(), &format!("{words} --resume")), plain);
        let other = if method == "join" { "enumeration" } else { "join" };
        let words = format!("sudoku count puzzle --method {other} --journal {method} --resume");
        assert!(fail(folder.path(), &words, 1).contains("other work"));
    }
}

/// A limit on the size of files stands in for a full disk where mounting is not allowed: the write
/// fails in the middle of a record all the same.
#[test]
fn a_write_that_fails_midway_ends_the_run_and_spoils_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let program = command("").get_program().to_owned();
    let limited = Command::new("bash")
        .current_dir(folder.path())
        .arg("-c")
        .arg("trap '' XFSZ; ulimit -f 2; exec \"$0\" queens count 14 -q --engine textbook --journal j")
        .arg(program)
        .output()
        .unwrap();
    let message = String::from_utf8(limited.stderr).unwrap();
    assert_eq!(limited.status.code(), Some(1), "{message}");
    assert!(message.contains("journal j: File too large"), "{message}");
    assert!(message.contains("what is saved stays good"), "{message}");
    let torn = read(&folder.path().join("j")).unwrap();
    assert!(torn.torn > 0, "the limit fell between two records: {torn:?}");
    let resumed = run(folder.path(), "queens count 14 -q --engine textbook --journal j --resume");
    assert_eq!(String::from_utf8(resumed.stdout).unwrap(), "365596\n");
    let message = String::from_utf8(resumed.stderr).unwrap();
    assert!(message.contains("bytes of a half-written record"), "{message}");
}

/// Removes the file system when a test ends, however it ends.
#[cfg(target_os = "linux")]
struct Mounted<'a>(&'a Path);

#[cfg(target_os = "linux")]
impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_and_spoils_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=8k", "tmpfs"]).arg(&disk).output();
    if !mount.is_ok_and(|output| output.status.success()) {
        // Written to stderr directly, because the test harness would capture a macro's output.
        let words = "SKIPPED: a_full_disk_ends_the_run_and_spoils_nothing: mounting is not allowed";
        writeln!(std::io::stderr(), "{words}").unwrap();
        return;
    }
    let mounted = Mounted(&disk);
    let message = fail(&disk, "queens count 14 -q --engine textbook --journal j", 1);
    assert!(message.contains("No space left on device"), "{message}");
    assert!(message.contains("journal j"), "{message}");
    let grown = Command::new("mount").args(["-o", "remount,size=1m"]).arg(&disk).status().unwrap();
    assert!(grown.success());
    assert_eq!(
        succeed(&disk, "queens count 14 -q --engine textbook --journal j --resume"),
        "365596\n"
    );

    // No room for a result: the shard fails, then goes on from its journal.
    succeed(folder.path(), "cluster plan queens 12 --shards 2 -o plan.json");
    std::fs::remove_file(disk.join("j")).unwrap();
    let shrunk = Command::new("mount").args(["-o", "remount,size=8k"]).arg(&disk).status().unwrap();
    assert!(shrunk.success());
    std::fs::write(disk.join("filler"), [0; 4096]).unwrap();
    let message = fail(folder.path(), "cluster run plan.json --shard 0 -o disk", 1);
    assert!(message.contains("No space left on device"), "{message}");
    std::fs::remove_file(disk.join("filler")).unwrap();
    let grown = Command::new("mount").args(["-o", "remount,size=1m"]).arg(&disk).status().unwrap();
    assert!(grown.success());
    succeed(folder.path(), "cluster run plan.json --shard 0 -o disk");
    succeed(folder.path(), "cluster run plan.json --shard 1 -o disk");
    assert_eq!(succeed(folder.path(), "cluster merge plan.json disk -q"), "14200\n");
    drop(mounted);
}

/// The journal's engine cannot count such a board, but the error has to be about the squares.
#[test]
fn squares_that_a_journal_does_not_know_are_named() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), "queens count 10 --engine halves --journal q");
    let message = fail(folder.path(), "queens count 10 --place a1 --journal q --resume", 1);
    assert!(message.contains("placed is nothing there and a1 here"), "{message}");
}
