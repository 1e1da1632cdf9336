//! Commands and all that they print, word for word: a change of what people read or act on is seen.
//!
//! A file of `tests/data/sessions` has commands, each behind `$`, and below each its standard output, its
//! standard error behind `!`, and its exit code, unless that is 0. Times and rates, which no two runs share,
//! stand there as `#`.
//! `TALLYBOARD_RENEW=1 cargo test sessions` writes the outputs anew.

use std::fmt::Write;
use std::path::PathBuf;

use crate::common::runs::Folder;
use crate::common::{PUZZLE, golden};

/// Replaces what depends on the machine's speed: each number with a fraction in a line that has a time.
fn without_times(line: &str) -> String {
    let timed = [" s", "second", "time"].iter().any(|word| line.contains(word));
    if !timed {
        return line.to_owned();
    }
    let is_number = |part: &str| part.contains('.') && part.chars().any(|c| c.is_ascii_digit());
    let pieces = line.split_inclusive(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
    let mut masked = String::new();
    for piece in pieces {
        let end =
            piece.trim_end_matches(|c: char| !(c.is_ascii_alphanumeric() || "._-".contains(c)));
        let rest = &piece[end.len()..];
        let number = is_number(end) && end.parse::<f64>().is_ok();
        masked += if number { "#" } else { end };
        masked += rest;
    }
    // Rates have a prefix that depends on the speed, too.
    for prefix in ["k", "M", "G"] {
        masked = masked.replace(&format!("# {prefix} "), "# ");
    }
    masked
}

/// A command's answer, as the files have it.
fn answer(folder: &Folder, words: &str) -> String {
    let (code, out, err) = folder.told(words);
    let mut text = String::new();
    for line in out.lines() {
        writeln!(text, "{}", without_times(line)).unwrap();
    }
    for line in err.lines() {
        writeln!(text, "! {}", without_times(line)).unwrap();
    }
    if code != 0 {
        writeln!(text, "exit code {code}").unwrap();
    }
    text
}

fn check(name: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/sessions").join(name);
    let session = std::fs::read_to_string(&file).unwrap();
    let folder = Folder::new();
    // A session may use these files.
    folder.write("puzzle.txt", format!("{PUZZLE}\n"));
    folder.write("boards.txt", "2 4 1 3\n1 3 2 4\n3 1 4 2\n");
    let mut found = String::new();
    for line in session.lines().filter(|line| line.starts_with(['$', '#'])) {
        writeln!(found, "{line}").unwrap();
        if let Some(words) = line.strip_prefix("$ tallyboard ") {
            found += &answer(&folder, words);
        }
    }
    golden::check(&format!("sessions/{name}"), &found);
}

#[test]
fn queens_answers_are_as_they_were() {
    check("queens.txt");
}

#[test]
fn placements_are_as_they_were() {
    check("placements.txt");
}
