//! Signals that end nothing and limits that end a run: what is left behind.

use crate::common::PUZZLE;
use crate::common::runs::{
    Folder, PROGRAM, command, ended, exit_code_soon, is_listening, output_of, shell, signal,
    wait_until,
};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

#[test]
fn a_signal_that_asks_for_progress_does_not_end_an_input_that_is_waited_for() {
    let mut program = command("-q sudoku solve");
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    wait_until("it listens", || is_listening(&child));
    for _ in 0..10 {
        signal(&child, "USR1");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    writeln!(child.stdin.take().unwrap(), "{PUZZLE}").unwrap();
    let (code, rows, said) = ended(child);
    assert!(code == 0 && rows.starts_with(&format!("{PUZZLE}:1:")), "{rows}");
    // Answered with the first rows, once.
    assert_eq!(said, "tallyboard: 82 B read\n");
}

/// The first subtrees of an empty grid would take years.
#[test]
fn a_count_of_which_no_subtree_is_finished_tells_no_number() {
    let folder = Folder::new();
    folder.write("empty", ".".repeat(81));
    let mut program = command("-j 1 sudoku count empty --method enumeration");
    let mut child = program.current_dir(folder.path()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("it listens", || is_listening(&child));
    // Answered once the count has begun.
    signal(&child, "USR1");
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let progress = said.next().unwrap();
    assert!(progress.contains("none of ") && progress.ends_with(" finished"), "{progress}");
    signal(&child, "INT");
    let end: Vec<String> = said.collect();
    assert_eq!(exit_code_soon(&mut child), Some(130));
    assert!(end.concat().contains("none of ") && !end.concat().contains("0 solutions"), "{end:?}");
}

/// With each amount of address space a run ends elsewhere: threads are refused one after the other, then lists.
#[test]
fn threads_that_are_refused_are_an_error_and_nobody_waits_for_them() {
    let folder = Folder::new();
    folder.write("puzzles", format!("{PUZZLE}\n").repeat(100));
    let run = |kib: u32, words: &str| {
        let script = format!("ulimit -v {kib}; exec {PROGRAM} {words}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path()).env("RUST_BACKTRACE", "0");
        let mut child = shell.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let code = exit_code_soon(&mut child);
        (code, String::from_utf8(output_of(child).stderr).unwrap())
    };
    let least = (4..).map(|mib| mib << 10).find(|&kib| run(kib, "--version").0 == Some(0)).unwrap();
    let mut refused = 0;
    for words in [
        "queens count 8 -j 3",
        "queens list 6 -j 3",
        "sudoku solve puzzles -j 3",
        "scale queens 6 -P 1,3 -r 1 -w 0",
        "scale run -P 2 -r 1 -w 0 -- sh -c true {threads}",
    ] {
        for kib in (0..24).map(|step| least + 900 * step) {
            // The stack of the main thread grows out of the same space, and where it cannot the kernel ends the program
            // by SIGSEGV, without a word. A little more space tells that from a fault of the program.
            let (code, message) = match run(kib, words) {
                (Some(-11), said) if said.is_empty() => run(kib + 300, words),
                other => other,
            };
            let context = format!("{words}, {kib} KiB: {code:?} {message}");
            // Where a thread cannot have its stack for signals, the standard library panics by itself.
            let is_of_std = message.contains("failed to allocate an alternative stack");
            assert!(is_of_std || !message.contains("panicked"), "{context}");
            // Where a list is refused, the standard libraries of Rust and C end the program, by SIGABRT.
            let said = ["memory allocation of", "out of memory"];
            let is_out_of_memory = code == Some(-6) && said.iter().any(|it| message.contains(it));
            assert!(matches!(code, Some(0 | 1)) || is_out_of_memory || is_of_std, "{context}");
            refused += u32::from(message.contains("threads: ask for fewer (-j)"));
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_leaves_nothing() {
    let folder = Folder::new();
    folder.write("in.txt", format!("{PUZZLE}\n").repeat(1000));
    let words = "ulimit -f 16; exec PROGRAM sudoku solve in.txt -o out.txt";
    let (code, _, message) = shell(&folder, words);
    assert!(code == 1 && message.contains("cannot write"), "{message}");
    assert_eq!(folder.files(), 1);
}

/// Exit codes. Those of signals are tested in `signals.rs`.
#[test]
fn exit_codes_tell_how_it_ended() {
    let folder = Folder::new();
    let file = |name: &str, text: &str| folder.write(name, text);
    file("puzzle", &format!("{PUZZLE}\n"));
    file("no_puzzle", "5\n");
    file("wrong", &format!("{PUZZLE}:1:{}\n", "1".repeat(81)));
    file("impossible", &format!("55{}\n", &PUZZLE[2..]));
    file("attacked", "1 2 3 4\n");
    for (words, code) in [
        ("queens count 6 --journal j", 0),
        ("queens count 6 --journal j --resume", 0),
        ("sudoku solve puzzle", 0),
        ("cluster plan queens 6 --shards 2 -o plan", 0),
        ("cluster plan queens 7 --shards 2 -o other", 0),
        ("cluster run plan --shard 0 -o results", 0),
        ("cluster run plan --shard 0 -o results", 0),
        ("cluster merge plan results --missing", 0),
        // Something failed, or differs from what was stated.
        ("queens count 6 --journal j", 1),
        ("queens count 7 --journal j --resume", 1),
        ("queens count 20 --memory 1M --engine halves", 1),
        ("queens one 3", 1),
        ("queens check attacked", 1),
        ("queens check none", 1),
        ("show none", 1),
        ("queens list 6 -o none/f", 1),
        ("sudoku solve none", 1),
        ("sudoku solve no_puzzle", 1),
        ("sudoku solve wrong --check", 1),
        ("sudoku draw impossible", 1),
        ("cluster merge plan results", 1),
        ("cluster run none --shard 0 -o results", 1),
        // The command was wrong.
        ("queens", 2),
        ("queens count", 2),
        ("queens count x", 2),
        ("queens count 6 --subtree 999999", 2),
        ("queens one 9 --method explicit --seed 1", 2),
        ("sudoku solve puzzle -o puzzle", 2),
        ("sudoku generate 1 --minimal --clues 60", 2),
        ("scale run -- true", 2),
        ("scale queens 6 -m 3 -M 2", 2),
        ("cluster run plan --shard 2 -o results", 2),
        // No further attempt will help.
        ("cluster run other --shard 0 -o results", 42),
        ("cluster run puzzle --shard 0 -o results", 42),
    ] {
        let (found, out, err) = folder.told(words);
        assert_eq!(found, code, "{words}: {out} {err}");
        assert!(code == 0 || !(out + &err).is_empty(), "{words} fails without a word");
    }
}

/// Another attempt may help: the shard was interrupted, or another process is counting it.
#[test]
fn a_shard_that_can_be_started_again_ends_with_75() {
    let folder = Folder::new();
    folder.succeed("cluster plan queens 16 --engine textbook --shards 2 -o plan");
    let words = "cluster run plan --shard 0 -o results -j 1";
    let saved = || folder.saved("results/shard-00000.journal");
    for name in ["INT", "TERM"] {
        let before = saved();
        let child = folder.start(words);
        wait_until("a subtree is saved", || saved() > before);
        folder.fail(words, 75);
        signal(&child, name);
        let (code, _, message) = ended(child);
        assert_eq!(code, 75, "{name}: {message}");
    }
}
