//! Promise: no reader takes all memory of an input that does not end, such as a device or a line without a line break; it is refused in words.

use crate::common::runs::{Folder, shell};

/// The commands that read `-` by lines. With those of `WHOLE` there is at least one for each reader.
const BY_LINES: [&str; 7] = [
    "sudoku solve -",
    "sudoku count -",
    "variant solve rules -",
    "regions solve -",
    "regions list -",
    "regions explain -",
    "regions canon -",
];

/// Those that read up to 256 MiB first, and the address space in KiB that must do for each.
const WHOLE: [(&str, u32); 6] = [
    ("queens check -", 600_000),
    ("sudoku draw -", 900_000),
    ("variant count -", 900_000),
    ("cover count -", 900_000),
    // A count keeps its stream, to read it again.
    ("regions count -", 1_600_000),
    ("scale fit -", 900_000),
];

#[test]
#[cfg(target_os = "linux")]
fn a_line_that_does_not_end_takes_little_memory() {
    for words in BY_LINES {
        a_line_is_given_up(words, 300_000_000, 300_000);
    }
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "ten seconds: gigabytes of text"]
fn a_line_that_does_not_end_takes_little_memory_where_files_are_read_whole() {
    for (words, kib) in WHOLE {
        a_line_is_given_up(words, 300_000_000, kib);
    }
}

/// A command reads a line of so many bytes, in `kib` KiB of address space.
#[cfg(target_os = "linux")]
fn a_line_is_given_up(words: &str, bytes: u32, kib: u32) {
    let folder = Folder::new();
    folder.write("rules", "size 9\n");
    // Letters and digits are cells of every game; a bracket begins a value.
    for sign in ["1", "["] {
        let made = format!("head -c {bytes} /dev/zero | tr '\\0' '{sign}'");
        let script = format!("{made} | (ulimit -v {kib}; exec PROGRAM -j 1 {words})");
        let (code, rows, said) = shell(&folder, &script);
        assert!([1, 2].contains(&code), "{words}: {code}, {said}");
        assert!(said.contains("found ") && said.contains("expected "), "{words}: {said}");
        assert!(rows.len() < 3 << 20 && said.len() < 1000, "{words}: {}", said.len());
    }
}
