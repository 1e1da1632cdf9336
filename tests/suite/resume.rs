//! A long count survives whatever ends it: signals, kill -9, a full disk.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::common::SOLUTION;
use crate::common::runs::{
    Dice, Folder, command, ended, ignores_hangups, output, output_of, signal, status_of, told,
    wait_until,
};
use tallyboard_search::journal::read;

/// Counts that take long enough to be interrupted, and their results: a backtracker, and the engine
/// whose workers keep lists from one subtree to the next.
const LONG: [(&str, &str); 2] = [
    ("queens count 15 -q --engine textbook", "2279184\n"),
    ("queens count 16 -q --engine halves --kernel portable", "14772512\n"),
];
/// A count too long to be finished in a test.
const ENDLESS: &str = "queens count 18 -q --engine textbook --journal j";

/// Waits until the journal holds a subtree.
fn wait_for_a_subtree(folder: &Folder) {
    wait_until("a subtree is saved", || folder.saved("j") > 0);
}

/// `auto` takes the engine that fits, which need not be the one that began.
#[test]
fn a_count_goes_on_with_the_engine_that_began_it() {
    let folder = Folder::new();
    folder.succeed("queens count 14 -q --engine halves --journal j");
    // `auto` would not take this engine for so small a board.
    folder.prints("queens count 14 --json --journal j --resume", "\"engine\":\"halves\"");
    let words = "queens count 14 -q --journal j --resume --memory 1M";
    folder.fails(words, 1, [" MiB of memory for ", "1 MiB"]);
}

#[test]
fn kills_at_random_moments_lose_nothing_that_was_finished() {
    for (count, result) in LONG {
        kill_at_random_moments(count, result);
    }
}

fn kill_at_random_moments(count: &str, result: &str) {
    let folder = Folder::new();
    let path = folder.at("j");
    let words = format!("{count} --journal j --resume");
    let mut dice = Dice(0x5eed);
    let (mut kills, mut cut_short) = (0, 0);
    let mut saved = 0;
    while kills < 20 {
        let mut child = folder.start(&words);
        std::thread::sleep(Duration::from_micros(dice.below(60_000)));
        child.kill().unwrap();
        let ended = status_of(&mut child);
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
    assert_eq!(folder.succeed(&words), result);
    let contents = read(&path).unwrap();
    assert_eq!(contents.records.len(), contents.header.subtrees);
}

#[test]
fn signals_save_and_say_how_to_resume() {
    for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        if name == "HUP" && ignores_hangups() {
            continue;
        }
        let folder = Folder::new();
        let child = folder.start(ENDLESS);
        wait_for_a_subtree(&folder);
        signal(&child, name);
        let (ending, _, message) = ended(child);
        assert_eq!(ending, code, "{message}");
        assert!(message.contains("subtrees saved in j"), "{message}");
        assert!(message.contains("--resume"), "{message}");
        assert!(read(&folder.at("j")).unwrap().torn == 0);
    }
}

#[test]
fn sigusr1_prints_progress_and_the_count_goes_on() {
    let folder = Folder::new();
    let child = folder.start(ENDLESS);
    wait_for_a_subtree(&folder);
    signal(&child, "USR1");
    // Two ticks of the recorder are enough to answer.
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "TERM");
    let (code, _, message) = ended(child);
    assert_eq!(code, 143, "{message}");
    assert!(message.contains("%, ") && message.contains(" found"), "{message}");
}

#[test]
fn any_number_of_threads_goes_on_where_another_stopped() {
    for (count, result) in LONG {
        let folder = Folder::new();
        let child = folder.start(&format!("{count} --journal j -j 3"));
        wait_for_a_subtree(&folder);
        signal(&child, "TERM");
        output_of(child);
        for threads in [1, 4] {
            let words = format!("{count} --journal j --resume -j {threads}");
            assert_eq!(folder.succeed(&words), result);
        }
    }
}

#[test]
fn an_existing_journal_needs_resume() {
    let folder = Folder::new();
    folder.succeed("queens count 8 --journal j");
    folder.fails("queens count 8 --journal j", 1, ["exists already", "--resume"]);
    assert_eq!(folder.succeed("queens count 8 -q --journal j --resume"), "92\n");
    // The rate is that of this run, which had nothing left to count.
    folder.prints("queens count 8 --journal j --resume", ["92 solutions", " s, 0.0 solutions/s"]);
    folder.fails("queens count 9 --journal j --resume", 1, "n is 8 there and 9 here");
}

#[test]
fn two_processes_cannot_write_one_journal() {
    let folder = Folder::new();
    let mut first = folder.start(ENDLESS);
    wait_for_a_subtree(&folder);
    folder.fails(&format!("{ENDLESS} --resume"), 1, "another process is writing it");
    first.kill().unwrap();
    status_of(&mut first);
}

#[test]
fn show_tells_what_a_journal_holds_and_subtrees_can_be_audited() {
    let folder = Folder::new();
    folder.succeed("queens count 9 --engine textbook --journal j");
    folder.prints("show j", ["done 100.00 %", "subtotal 352"]);
    let csv = folder.succeed("show j --csv");
    let mut sum = 0;
    for (index, line) in csv.lines().skip(1).enumerate() {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0], index.to_string());
        let solutions: u128 = fields[1].parse().unwrap();
        sum += solutions;
        if index % 10 == 0 {
            let audited =
                folder.succeed(&format!("queens count 9 -q --engine textbook --subtree {index}"));
            assert_eq!(audited, format!("{solutions}\n"));
        }
    }
    assert_eq!(sum, 352);
    folder.fails("queens count 9 --subtree 99999", 2, "found subtree 99,999");
}

#[test]
fn show_refuses_what_is_no_journal() {
    let folder = Folder::new();
    folder.write("j", "what is this?");
    folder.fails("show j", 1, "no tallyboard journal");
    folder.fails("queens count 8 --journal j --resume", 1, "no tallyboard journal");
}

#[test]
fn one_huge_sudoku_goes_on_where_it_stopped() {
    let begin = "534678912672195348198342567";
    let enumerated = format!("{begin}8597{}", ".".repeat(50));
    let joined = format!("53..7.1.2{}9{}", ".".repeat(40), ".".repeat(31));
    for (method, many) in [("enumeration", enumerated), ("join", joined)] {
        let folder = Folder::new();
        let (puzzle, journal) = (folder.at("puzzle"), folder.at("j"));
        std::fs::write(&puzzle, format!("{many}\n")).unwrap();
        let words = &format!("sudoku count puzzle --method {method} --journal j --resume");
        let child = folder.start(words);
        wait_for_a_subtree(&folder);
        signal(&child, "TERM");
        let (code, _, message) = ended(child);
        assert!(code == 143 && message.contains("saved in j"), "{message}");
        assert!(!read(&journal).unwrap().records.is_empty());

        let other = many.replacen("53", "35", 1);
        std::fs::write(&puzzle, other).unwrap();
        folder.fails(words, 1, "other work");
        std::fs::write(&puzzle, format!("{many}\n{many}\n")).unwrap();
        folder.fails(words, 1, "puzzle: --journal expects a single puzzle");
        folder.fail("sudoku count puzzle --journal j --limit 2", 2);
    }
}

#[test]
fn a_sudoku_count_with_a_journal_is_that_without() {
    let folder = Folder::new();
    let puzzle = format!("{}\n", SOLUTION.replace(['1', '2', '3'], "."));
    folder.write("puzzle", puzzle);
    let plain = folder.succeed("sudoku count puzzle -q");
    assert!(!plain.ends_with(":1\n"), "a puzzle with one solution proves little: {plain}");
    for method in ["enumeration", "join"] {
        let words = format!("sudoku count puzzle -q --method {method} --journal {method}");
        assert_eq!(folder.succeed(&words), plain);
        assert_eq!(folder.succeed(&format!("{words} --resume")), plain);
        let other = if method == "join" { "enumeration" } else { "join" };
        let words = format!("sudoku count puzzle --method {other} --journal {method} --resume");
        folder.fails(&words, 1, "other work");
    }
}

/// A limit on the size of files stands in for a full disk where mounting is not allowed: the write
/// fails in the middle of a record all the same.
#[test]
fn a_write_that_fails_midway_ends_the_run_and_spoils_nothing() {
    let folder = Folder::new();
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
    let torn = read(&folder.at("j")).unwrap();
    assert!(torn.torn > 0, "the limit fell between two records: {torn:?}");
    let words = "queens count 14 -q --engine textbook --journal j --resume";
    let (_, resumed, message) = folder.told(words);
    assert_eq!(resumed, "365596\n");
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
    let folder = Folder::new();
    let disk = folder.at("disk");
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
    let on_disk = |words: &str| told(output(command(words).current_dir(&disk)));
    let (code, _, message) = on_disk("queens count 14 -q --engine textbook --journal j");
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("No space left on device"), "{message}");
    assert!(message.contains("journal j"), "{message}");
    let grown = Command::new("mount").args(["-o", "remount,size=1m"]).arg(&disk).status().unwrap();
    assert!(grown.success());
    let (code, found, message) =
        on_disk("queens count 14 -q --engine textbook --journal j --resume");
    assert_eq!((code, found.as_str()), (0, "365596\n"), "{message}");

    // No room for a result: the shard fails, then goes on from its journal.
    folder.succeed("cluster plan queens 12 --shards 2 -o plan.json");
    std::fs::remove_file(disk.join("j")).unwrap();
    let shrunk = Command::new("mount").args(["-o", "remount,size=8k"]).arg(&disk).status().unwrap();
    assert!(shrunk.success());
    std::fs::write(disk.join("filler"), [0; 4096]).unwrap();
    folder.fails("cluster run plan.json --shard 0 -o disk", 1, "No space left on device");
    std::fs::remove_file(disk.join("filler")).unwrap();
    let grown = Command::new("mount").args(["-o", "remount,size=1m"]).arg(&disk).status().unwrap();
    assert!(grown.success());
    folder.succeed("cluster run plan.json --shard 0 -o disk");
    folder.succeed("cluster run plan.json --shard 1 -o disk");
    assert_eq!(folder.succeed("cluster merge plan.json disk -q"), "14200\n");
    drop(mounted);
}

/// The journal's engine cannot count such a board, but the error has to be about the squares.
#[test]
fn squares_that_a_journal_does_not_know_are_named() {
    let folder = Folder::new();
    folder.succeed("queens count 10 --engine halves --journal q");
    folder.fails(
        "queens count 10 --place a1 --journal q --resume",
        1,
        "placed is nothing there and a1 here",
    );
}
