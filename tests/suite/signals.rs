//! Promise: a signal ends any command, whoever does not read what it writes; nothing half-written stays.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::runs::{
    Folder, PROGRAM, ended, exit_code_soon, ignores_hangups, is_listening, shell, signal,
    status_of, wait_until,
};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::pty::{OpenptyResult, openpty};

const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

/// A count too long to be finished in a test.
const SAVING: &str = "queens count 18 -j 1 --engine textbook --journal j";

/// Writes to `fd` until it takes no more.
fn fill(fd: &OwnedFd) {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
    let mut file = fs::File::from(fd.try_clone().unwrap());
    while file.write(&[b' '; 512]).is_ok() {}
    while file.write(b" ").is_ok() {}
    fcntl(fd, FcntlArg::F_SETFL(OFlag::empty())).unwrap();
}

/// A terminal on which somebody has typed Ctrl-S.
fn stopped_terminal() -> (OwnedFd, OwnedFd) {
    let OpenptyResult { master, slave } = openpty(None, None).unwrap();
    fs::File::from(master.try_clone().unwrap()).write_all(b"\x13").unwrap();
    (master, slave)
}

/// A terminal whose connection hangs.
fn full_terminal() -> (OwnedFd, OwnedFd) {
    let OpenptyResult { master, slave } = openpty(None, None).unwrap();
    fill(&slave);
    (master, slave)
}

/// A pipe whose reader does not read.
fn full_pipe() -> (OwnedFd, OwnedFd) {
    let (reader, writer) = std::io::pipe().unwrap();
    let writer = OwnedFd::from(writer);
    fill(&writer);
    (reader.into(), writer)
}

/// Starts the program in `folder` with `stderr` for its standard error.
fn start_with(folder: &Folder, words: &str, stderr: &OwnedFd) -> Child {
    let mut program = folder.command(words);
    program.env("TERM", "xterm").stdout(Stdio::null());
    program.stderr(stderr.as_fd().try_clone_to_owned().unwrap()).spawn().unwrap()
}

#[test]
fn nobody_has_to_read_for_a_journal_to_be_written_and_a_signal_to_be_heard() {
    let check = |kind: &str, (reader, stderr): (OwnedFd, OwnedFd)| {
        let folder = Folder::new();
        let mut child = start_with(&folder, SAVING, &stderr);
        std::thread::sleep(Duration::from_millis(1300));
        signal(&child, "USR1");
        // More drawings than may wait have been dropped by then, and nobody has read the answer.
        std::thread::sleep(Duration::from_millis(2200));
        for _ in 0..2 {
            let before = folder.saved("j");
            wait_until(kind, || folder.saved("j") > before);
        }
        signal(&child, "TERM");
        assert_eq!(exit_code_soon(&mut child), Some(143), "{kind}");
        drop(reader);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| check("a stopped terminal", stopped_terminal()));
        scope.spawn(|| check("a full terminal", full_terminal()));
        scope.spawn(|| check("a full pipe", full_pipe()));
    });
}

#[test]
fn results_that_nobody_reads_do_not_keep_a_signal_from_ending_the_program() {
    let folder = Folder::new();
    folder.write("sudokus", format!("{}\n", ".".repeat(81)).repeat(100_000));
    for words in [
        "queens list 14",
        "queens estimate 12 --csv",
        "sudoku solve sudokus",
        "queens list 14 -o /dev/stdout",
    ] {
        let (_reader, stdout) = full_pipe();
        let mut program = folder.command(words);
        let mut child = program.stdout(stdout).stderr(Stdio::null()).spawn().unwrap();
        wait_until("it listens", || is_listening(&child));
        std::thread::sleep(Duration::from_millis(200));
        signal(&child, "TERM");
        assert_eq!(exit_code_soon(&mut child), Some(143), "{words}");
    }
}

#[test]
fn a_journal_that_is_gone_or_cut_is_not_said_to_be_saved() {
    let replaced = |journal: &Path| fs::write(journal, "another").unwrap();
    for (how, change) in [
        ("removed", &(|journal: &Path| fs::remove_file(journal).unwrap()) as &dyn Fn(&Path)),
        ("replaced", &|journal| {
            fs::remove_file(journal).unwrap();
            replaced(journal);
        }),
        ("cut", &|journal| fs::write(journal, "").unwrap()),
        // A link that has come in its place names what was there.
        ("moved", &|journal| {
            fs::rename(journal, journal.with_file_name("k")).unwrap();
            std::os::unix::fs::symlink("k", journal).unwrap();
        }),
    ] {
        for words in [SAVING, "sudoku count sudoku -j 1 --method enumeration --journal j"] {
            let folder = Folder::new();
            // Some hundred million solutions.
            let band = "123456789456789123789123456";
            folder.write("sudoku", format!("{band}21{}\n", ".".repeat(52)));
            let child = folder.start(words);
            wait_until("a subtree is saved", || folder.saved("j") > 0);
            change(&folder.at("j"));
            signal(&child, "TERM");
            let (code, _, message) = ended(child);
            let is_lost = how != "moved";
            assert_eq!(code, if is_lost { 1 } else { 143 }, "{words}, {how}: {message}");
            assert_eq!(message.contains("saved in j"), !is_lost, "{words}, {how}: {message}");
            let lost = match how {
                "cut" => {
                    "is lost, or a part of it: journal j: it was cut while the count ran: found"
                }
                _ => "what was counted is lost: journal j: it was removed or replaced",
            };
            assert_eq!(message.contains(lost), is_lost, "{words}, {how}: {message}");
        }
    }
}

/// The result is complete, so losing the journal does no harm.
#[test]
fn a_count_that_ends_without_its_journal_says_so_and_is_right() {
    let folder = Folder::new();
    let child = folder.start("queens count 15 -q -j 1 --engine textbook --journal j");
    wait_until("a subtree is saved", || folder.saved("j") > 0);
    fs::remove_file(folder.at("j")).unwrap();
    let (code, found, message) = ended(child);
    assert_eq!((code, found.as_str()), (0, "2279184\n"));
    assert!(message.contains("journal j: it was removed or replaced"), "{message}");
}

#[test]
fn a_journal_cannot_have_the_name_of_a_folder_or_a_device() {
    let folder = Folder::new();
    for resume in ["", " --resume"] {
        folder.fails(
            &format!("queens count 8 --journal .{resume}"),
            1,
            "journal .: found a folder, expected a file; name",
        );
        let words = format!("queens count 8 --journal /dev/null{resume}");
        folder.fails(&words, 1, "found a device");
    }
    folder.fails("show .", 1, "found a folder, expected a file");
}

/// Waits until there is an unfinished file in `folder`.
fn wait_for_a_file(folder: &Folder) {
    wait_until("a file is begun", || folder.files() > 0);
}

#[test]
fn no_command_leaves_an_unfinished_file() {
    for (name, code) in SIGNALS {
        if name == "HUP" && ignores_hangups() {
            continue;
        }
        for words in ["queens one 200000000 -q -o f", "queens list 15 -o f"] {
            let folder = Folder::new();
            let child = folder.start(words);
            wait_for_a_file(&folder);
            signal(&child, name);
            let (ended_with, _, message) = ended(child);
            assert_eq!(ended_with, code, "{words}, {name}: {message}");
            assert!(message.starts_with("tallyboard: interrupted"), "{words}, {name}: {message}");
            assert_eq!(folder.files(), 0, "{words}, {name}");
        }
    }
}

#[test]
fn a_sample_that_is_interrupted_leaves_no_file() {
    let folder = Folder::new();
    let child = folder.start("queens list 30 --sample 2000000 -o f");
    wait_for_a_file(&folder);
    signal(&child, "TERM");
    let (code, _, message) = ended(child);
    assert_eq!(code, 143, "{message}");
    assert!(message.starts_with("tallyboard: interrupted; "), "{message}");
    assert!(message.ends_with(" made, f is not written\n"), "{message}");
    assert!(!message.contains("2,000,000"), "it stops before it has drawn all: {message}");
    assert_eq!(folder.files(), 0);
}

/// A pipe has the boards of a sample when they are drawn: long before the last of them.
#[test]
fn a_sample_is_passed_on_as_it_is_drawn() {
    let folder = Folder::new();
    let words = "queens list 30 --sample 2000000 --seed 5 --format vector";
    let mut child = folder.start(words);
    let mut rows = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first: Vec<String> = rows.by_ref().take(3).collect();
    signal(&child, "TERM");
    let mut rows: Vec<String> = rows.collect();
    assert!(rows.len() < 2_000_000, "it stops before it has drawn all");
    // Nobody read for a moment: the last one may be cut.
    rows.pop();
    assert!(rows.iter().all(|row| row.split_whitespace().count() == 30 || row.is_empty()));
    assert_eq!(exit_code_soon(&mut child), Some(143));
    let alone = "queens list 30 --sample 3 --seed 5 --format vector";
    assert_eq!(folder.succeed(alone), first.join("\n") + "\n");
}

#[test]
fn what_nohup_starts_outlives_its_terminal() {
    let folder = Folder::new();
    let script = format!("trap '' HUP; exec {PROGRAM} {SAVING}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).stdout(Stdio::null());
    let mut child = shell.stderr(Stdio::null()).spawn().unwrap();
    wait_until("a subtree is saved", || folder.saved("j") > 0);
    signal(&child, "HUP");
    let before = folder.saved("j");
    wait_until("it counts on", || folder.saved("j") > before + 1);
    signal(&child, "TERM");
    assert_eq!(exit_code_soon(&mut child), Some(143));
}

/// The command that is measured ignores the first signal, and is waited for.
#[test]
fn a_second_signal_ends_at_once_what_the_first_one_did_not() {
    let folder = Folder::new();
    let stubborn = "trap '' TERM; for i in 1 2 3 4 5 6 7 8 9; do sleep 1; done; : {threads}";
    let mut program = folder.command("scale run --json -o r.json -- sh -c");
    let child =
        program.arg(stubborn).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_a_file(&folder);
    wait_until("it listens", || is_listening(&child));
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, "TERM");
    std::thread::sleep(Duration::from_millis(800));
    signal(&child, "INT");
    assert_eq!(ended(child), (130, String::new(), "tallyboard: ended at once\n".to_owned()));
    assert_eq!(folder.files(), 0);
}

/// `timeout` signals a program and then its group, a closing terminal sends SIGHUP twice, systemd SIGTERM and SIGHUP:
/// nothing of what the first one lets a command save or print is lost to the second.
#[test]
fn signals_that_come_together_are_one() {
    let folder = Folder::new();
    let planned = folder.at("plan");
    folder.succeed("cluster plan queens 18 --engine textbook --shards 2 -o plan");
    std::thread::scope(|scope| {
        for signals in ["TERM TERM", "HUP HUP", "TERM HUP", "INT INT TERM"] {
            if !(signals.contains("HUP") && ignores_hangups()) {
                let planned = &planned;
                scope.spawn(move || expect_one_end(signals, planned));
            }
        }
    });
}

/// Sends `signals` at once to commands that save or print something at the first; one runs a shard of the plan `planned`.
fn expect_one_end(signals: &str, planned: &Path) {
    let here = Folder::new();
    fs::copy(planned, here.at("plan")).unwrap();
    for (words, is_shard, out, err) in [
        (
            "queens estimate 18 --draws --seconds 60s -j 1",
            false,
            "18 queens: ",
            "interrupted; what follows",
        ),
        (SAVING, false, "", "saved in j"),
        ("cluster run plan --shard 0 -o results -j 1", true, "", "shard 0: interrupted"),
        ("scale queens 8 -P 1 -r 60000 --json", false, "", " measured"),
    ] {
        let child = here.start(words);
        wait_until("it listens", || is_listening(&child));
        // Until it has begun its work, of which the end takes longer than two signals.
        std::thread::sleep(Duration::from_millis(400));
        let kill = |name| format!("kill -s {name} {}\n", child.id());
        let script: String = signals.split(' ').map(kill).collect();
        assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
        let (code, found, said) = ended(child);
        let context = format!("{words}, {signals}: {code}, {found}, {said}");
        // Which one of them the program hears first, the system may choose.
        let is_one = |(name, _): &&(&str, i32)| signals.contains(name);
        let codes: Vec<i32> = SIGNALS.iter().filter(is_one).map(|(_, code)| *code).collect();
        let codes = if is_shard { vec![75] } else { codes };
        assert!(codes.contains(&code), "{context}");
        assert!(found.contains(out) && said.contains(err), "{context}");
    }
}

/// A shell ends a loop if SIGINT has ended the program in it, and goes on if the program has ended with a code.
#[test]
fn an_interrupt_ends_the_program_by_the_signal_itself() {
    use std::os::unix::process::ExitStatusExt;
    let folder = Folder::new();
    folder.write("empty", format!("{}\n", ".".repeat(81)));
    for words in [
        // Saved in order, printed briefly, and ended at once.
        SAVING,
        "queens estimate 18 --draws --seconds 60s",
        "sudoku generate --clues 17",
        "queens one 200000000 -q -o f",
    ] {
        let mut child = folder.start(words);
        wait_until("it listens", || is_listening(&child));
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "INT");
        assert_eq!(exit_code_soon(&mut child), Some(130), "{words}");
        assert_eq!(status_of(&mut child).signal(), Some(2), "{words}");
    }
}

#[test]
fn an_interrupted_run_says_that_its_file_is_not_written() {
    let folder = Folder::new();
    folder.write("empty", ".".repeat(81));
    for words in ["queens list 20 -o out", "sudoku solve empty --limit 1000000000000000 -o out"] {
        let child = folder.start(&format!("{words} -j 1"));
        wait_until("it listens", || is_listening(&child));
        // Until it solves.
        std::thread::sleep(Duration::from_millis(400));
        signal(&child, "TERM");
        let message = ended(child).2;
        assert_eq!(message, "tallyboard: interrupted; out is not written\n", "{words}");
        assert!(!folder.at("out").exists(), "{words}");
    }
}

#[test]
fn results_that_go_nowhere_are_an_error() {
    let folder = Folder::new();
    for words in [
        "queens count 8",
        "queens list 6",
        "--help",
        "completions bash",
        "queens one 9 -o /dev/stdout",
    ] {
        let (code, _, message) = shell(&folder, &format!("PROGRAM {words} >&-"));
        assert_eq!(code, 1, "{words}: {message}");
        assert!(message.ends_with("standard output is closed\n"), "{words}: {message}");
        assert_eq!(message.lines().count(), 1, "{words}: {message}");
    }
    // Nor is a closed input an empty one.
    for words in ["sudoku solve", "sudoku count -", "sudoku canon", "queens check"] {
        let (code, _, message) = shell(&folder, &format!("PROGRAM {words} <&-"));
        assert_eq!(code, 1, "{words}: {message}");
        assert!(message.contains("<stdin>: standard input is closed"), "{words}: {message}");
    }
    // What is empty, goes elsewhere, or nowhere on purpose, is none.
    for script in [
        "PROGRAM -q sudoku solve </dev/null",
        "PROGRAM -q queens list 6 -o f >&-",
        "PROGRAM queens count 8 >/dev/null",
        "PROGRAM queens count 8 1<>/dev/null",
    ] {
        assert_eq!(shell(&folder, script), (0, String::new(), String::new()), "{script}");
    }
    assert_eq!(shell(&folder, "PROGRAM -q queens count 8 2>&-").1, "92\n");
    assert_eq!(shell(&folder, "PROGRAM queens count 99 2>&-").0, 2);
    assert_eq!(shell(&folder, "PROGRAM -q queens count 8 --journal closed 2>&- <&-").1, "92\n");
}

#[test]
fn a_small_stack_is_enough_for_every_command() {
    let folder = Folder::new();
    let puzzle = format!("53..7....{}", ".".repeat(72));
    folder.write("sudoku", format!("{puzzle}\n"));
    for words in [
        "--help",
        "man pages",
        "queens count 10 -v",
        "queens count 9 --engine halves",
        "queens estimate 12 --seconds 1s",
        "queens list 6 --svg l.svg",
        "queens one 1000 --method backtrack --time-limit 1s",
        "queens one 1000 --method greedy-repair",
        "queens tree 5",
        "queens trace 5",
        "queens verify 8",
        "sudoku solve sudoku --engine single",
        "sudoku solve sudoku --stats",
        "sudoku count sudoku --limit 1000",
        "sudoku estimate sudoku",
        "sudoku tree sudoku --cells 1",
        "sudoku generate 3 --minimal -o g",
        "sudoku canon g",
        "scale queens 8 -P 1,2 -r 2 --html s.html",
        "cluster plan queens 10 --shards 2 -o p",
        "cluster run p --shard 0 -o r",
    ] {
        let (code, _, message) = shell(&folder, &format!("ulimit -s 100; exec PROGRAM {words}"));
        assert!(
            matches!(code, 0 | 1) && !message.contains("overflow"),
            "{words}: {code} {message}"
        );
        assert!(code == 0 || words.contains("--time-limit"), "{words}: {message}");
    }
    folder.succeed("cluster run p --shard 1 -o r");
}

/// A script that puts a job into the background has it ignore SIGINT. A handler would take that back: the job would end with
/// the signal for the foreground, with 130, before it hears SIGTERM.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let folder = Folder::new();
    let script = "trap '' INT; PROGRAM -j 1 queens count 19 --engine textbook & sleep 1; \
                  kill -INT $!; sleep 0.2; kill -TERM $!; wait $!";
    assert_eq!(shell(&folder, script).0, 143);
}
