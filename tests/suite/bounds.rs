//! Promise: no reader takes all memory of an input that does not end, such as a device or a line without a line break; it is refused in words.

use crate::common::runs::{Folder, shell};

/// The commands that read `-`, at least one for each reader, and the address space in KiB that must do for it.
const READERS: [(&str, u32); 13] = [
    ("queens check -", 600_000),
    ("sudoku solve -", 300_000),
    ("sudoku count -", 300_000),
    ("sudoku draw -", 900_000),
    ("variant solve rules -", 300_000),
    ("variant count -", 900_000),
    ("cover count -", 900_000),
    ("regions solve -", 300_000),
    // A count keeps its stream, to read it again.
    ("regions count -", 1_600_000),
    ("regions list -", 300_000),
    ("regions explain -", 300_000),
    ("regions canon -", 300_000),
    ("scale fit -", 900_000),
];

#[test]
#[cfg(target_os = "linux")]
fn a_line_that_does_not_end_takes_little_memory() {
    let folder = Folder::new();
    folder.write("rules", "size 9\n");
    for (words, kib) in READERS {
        // Letters and digits are cells of every game; a bracket begins a value.
        for sign in ["1", "["] {
            let made = format!("head -c 300000000 /dev/zero | tr '\\0' '{sign}'");
            let script = format!("{made} | (ulimit -v {kib}; exec PROGRAM -j 1 {words})");
            let (code, rows, said) = shell(&folder, &script);
            assert!([1, 2].contains(&code), "{words}: {code}, {said}");
            assert!(said.contains("found ") && said.contains("expected "), "{words}: {said}");
            assert!(rows.len() < 3 << 20 && said.len() < 1000, "{words}: {}", said.len());
        }
    }
}
