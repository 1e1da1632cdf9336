//! A file that is away, is no file, cannot be read or breaks off: every command that takes files says so, and exits with 1. What a
//! scheduler starts never says then that it can never succeed.

use crate::common::PUZZLE;
use crate::common::runs::{Folder, ended, signal, wait_until};
use crate::help;
use std::fs;

/// A name of no file, a folder, a file whose reads fail with EIO, and compressed data that break off.
const STATES: [&str; 4] = ["nowhere", "folder", "/proc/self/mem", "cut.gz"];

/// Arguments of commands, as their usage has them, that name something to read.
const FILES: [&str; 8] =
    ["<FILE>", "[FILE]", "<N|FILE>", "<PUZZLE>", "<JOURNAL>", "<PLAN>", "<REPORT>", "<BUNDLE>"];

/// What commands need besides their file.
const BESIDES: [(&str, &str); 7] = [
    ("cluster run", " --shard 0 --output results"),
    ("cluster merge", " results"),
    ("cluster status", " results"),
    ("cluster bundle", " results --output bundle"),
    ("cluster script", " --for hq"),
    ("cluster plan", " --shards 2 --output plan"),
    ("cover convert", " --to dlx"),
];

/// Whether a command takes a file, by the usage on its page.
fn takes_a_file(page: &str) -> bool {
    let usage = page.lines().find(|line| line.starts_with("Usage: ")).unwrap();
    let mut words = usage.split(' ').map(|word| word.trim_end_matches("..."));
    words.any(|word| FILES.contains(&word))
}

/// Writes what the [`STATES`] name.
fn lay_out(folder: &Folder) {
    fs::create_dir(folder.at("folder")).unwrap();
    folder.write("sudoku", PUZZLE);
    folder.succeed("sudoku canon sudoku -o cut.gz");
    folder.write("cut.gz", &folder.bytes("cut.gz")[..40]);
}

#[test]
#[cfg(target_os = "linux")]
fn every_command_tells_of_a_file_that_is_away_and_exits_with_1() {
    let folder = Folder::new();
    lay_out(&folder);
    let mut commands = 0;
    for (command, _) in help::commands().iter().filter(|(_, page)| takes_a_file(page)) {
        commands += 1;
        let rest = BESIDES.iter().find(|(of, _)| command.starts_with(of));
        let rest = rest.map_or("", |(_, rest)| rest);
        for state in STATES {
            let (code, _, said) = folder.told(&format!("{command} {state}{rest}"));
            let context = format!("{command} {state}: {code} {said}");
            // A word may be a puzzle or a number with a mistake in it. Damage of a plan does not pass.
            let is_mistake = state == "nowhere" && said.contains("found neither a");
            let is_damage = state == "cut.gz" && command == "cluster run";
            let expected = if is_mistake {
                2
            } else if is_damage {
                42
            } else {
                1
            };
            assert_eq!(code, expected, "{context}");
            let name = state.rsplit('/').next().unwrap();
            assert!(said.contains(name), "{context}");
        }
    }
    assert!(commands > 60, "{commands}");
}

const COVER: &str = "a b c d\na b\nc d\na c\nb d\na\nb c d\n";
const RUN: &str = "cluster run plan --shard 0 -o results";

/// Every state of a file that a plan names, told as one that may pass, and then the file back.
#[test]
#[cfg(target_os = "linux")]
fn a_shard_whose_puzzle_is_away_may_succeed_later() {
    let folder = Folder::new();
    let path = folder.at("puzzle");
    folder.write("puzzle", COVER);
    folder.succeed("cluster plan cover puzzle --shards 1 -o plan");
    fs::remove_file(&path).unwrap();
    folder.fails(RUN, 1, "puzzle: No such file");
    fs::create_dir(&path).unwrap();
    folder.fails(RUN, 1, "puzzle: found a folder");
    fs::remove_dir(&path).unwrap();
    std::os::unix::fs::symlink("/proc/self/mem", &path).unwrap();
    folder.fails(RUN, 1, "Input/output error");
    fs::remove_file(&path).unwrap();
    // Another problem than that of the plan comes again.
    folder.write("puzzle", COVER.replace("\na\n", "\n"));
    folder.fails(RUN, 42, "fingerprint");
    folder.write("puzzle", COVER);
    folder.succeed(RUN);
}

/// What becomes of a journal while its shard is counted.
#[test]
#[cfg(target_os = "linux")]
fn a_shard_whose_journal_is_taken_away_may_succeed_later() {
    for change in ["removed", "replaced", "cut"] {
        let folder = Folder::new();
        folder.succeed("cluster plan queens 16 --engine textbook --shards 1 -o plan");
        let path = folder.at("results/shard-00000.journal");
        let child = folder.start(&format!("-j 1 {RUN}"));
        wait_until("a subtree is saved", || folder.saved("results/shard-00000.journal") > 0);
        if change == "cut" {
            fs::File::options().write(true).open(&path).unwrap().set_len(200).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        if change == "replaced" {
            fs::write(&path, "another file").unwrap();
        }
        signal(&child, "INT");
        let (code, _, said) = ended(child);
        assert!(code == 1 && said.contains("while the count ran"), "{change}: {code} {said}");
    }
}
