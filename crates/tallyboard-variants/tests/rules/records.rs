//! Promise: a file of many puzzles gives those that it gives when it is read whole, a bad one at a time.

use std::io::BufReader;

use tallyboard_search::records::Record;
use tallyboard_variants::{KINDS, Records, read_all};

/// The lines of the puzzles of a text and of its bad records, which are negative, and the texts of these.
fn records(text: &[u8]) -> (Vec<i64>, Vec<String>) {
    let (mut lines, mut bad) = (Vec::new(), Vec::new());
    // A small buffer, so that lines are read in pieces.
    for record in Records::new(BufReader::with_capacity(7, text)) {
        match record.unwrap() {
            Record::Puzzle(line, located) => {
                assert_eq!(located.line as u64, line);
                lines.push(line as i64);
            }
            Record::Bad(record) => {
                lines.push(-(record.line as i64));
                bad.push(format!("{}: {}", String::from_utf8_lossy(&record.text), record.mistake));
            }
            Record::Kept(_) => panic!("{lines:?}"),
        }
    }
    (lines, bad)
}

#[test]
fn each_kind_of_file_gives_the_puzzles_of_the_whole_file() {
    for kind in KINDS {
        for text in [kind.example.to_owned(), format!("\u{feff}# note\n\n{}\n", kind.example)] {
            let Ok(expected) = read_all(text.as_bytes(), "p") else { continue };
            let lines: Vec<i64> = expected.iter().map(|located| located.line as i64).collect();
            // Read whole, a puzzle with nothing beside it begins in line 1.
            let shift = text.trim_start_matches('\u{feff}').starts_with('#');
            let (found, bad) = records(text.as_bytes());
            assert_eq!(bad, [""; 0], "{}", kind.name);
            assert_eq!(found.len(), lines.len(), "{}", kind.name);
            assert!(shift || found == lines, "{}: {found:?}", kind.name);
        }
    }
}

#[test]
fn what_is_no_puzzle_stands_between_puzzles() {
    let size = "size 4\ngivens\n1...\n....\n....\n....\n";
    let text = format!("# note\n{size}\nsize 5\nwhat\n\n{size}# note\nsize 99\n{size}");
    let (lines, bad) = records(text.as_bytes());
    assert_eq!(lines, [2, -10, 12, -19, 20]);
    assert!(bad[0].starts_with("size 5\nwhat: "), "{bad:?}");
    let no_text = [size.as_bytes(), b"size 4\n\xff\n", size.as_bytes()].concat();
    assert_eq!(records(&no_text).0, [1, -7, 9]);
    assert_eq!(records(b"").0, [0; 0]);
    assert_eq!(records(b"what\n").0, [-1]);
    assert_eq!(records(b"\xff\n").0, [-1]);
}

#[test]
fn records_that_are_too_long_are_bad_and_the_next_ones_are_read() {
    let size = "size 4\ngivens\n1...\n....\n....\n....\n";
    let long = "# x\ncage 5 r1c1 r1c2\n".repeat(60_000);
    let line = "x".repeat(2 << 20);
    for long in [long, line.clone() + "\n", format!("#{line}\n{line}\n")] {
        let (lines, bad) = records(format!("{size}size 4\n{long}{size}").as_bytes());
        let third = 8 + long.matches('\n').count() as i64;
        assert_eq!(lines, [1, -7, third]);
        assert!(bad[0].ends_with("found more than 1 MiB, expected one puzzle"), "{}", bad[0].len());
        assert!(bad[0].len() < 5000);
    }
}
