//! Files of sudokus when something happens to them: full disks, files that grow, signals in the middle.

use crate::common::PUZZLE;
use crate::common::runs::{
    Folder, LONGEST, command, exit_code_soon, is_listening, signal, wait_until, watched,
};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::process::Stdio;

const ROW: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:1:\
     534678912672195348198342567859761423426853791713924856961537284287419635345286179\n";

#[test]
fn a_full_disk_ends_a_run_on_any_number_of_threads_and_by_its_name() {
    let folder = Folder::new();
    folder.write("puzzles", format!("{PUZZLE}\n").repeat(20_000));
    for name in ["rows", "rows.gz"] {
        symlink("/dev/full", folder.at(name)).unwrap();
        for threads in [1, 3] {
            let words = format!("-q -j {threads} sudoku solve puzzles -o {name}");
            folder.fails(&words, 1, &format!("{name}: No space left on device"));
        }
    }
}

#[test]
fn lines_that_come_to_a_file_while_it_is_read_are_solved() {
    let folder = Folder::new();
    let path = folder.at("puzzles");
    fs::write(&path, format!("{PUZZLE}\n").repeat(60_000)).unwrap();
    for threads in [1, 2] {
        let before = fs::read_to_string(&path).unwrap().lines().count();
        let words = format!("-q -j {threads} sudoku solve {}", path.display());
        let mut child = command(&words).stdout(Stdio::piped()).spawn().unwrap();
        let mut rows = child.stdout.take().unwrap();
        // The program waits for somebody to read on, long before the end of the file.
        let mut text = vec![0; ROW.len()];
        rows.read_exact(&mut text).unwrap();
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(format!("{PUZZLE}\n").repeat(1000).as_bytes()).unwrap();
        let status = watched(child.id(), LONGEST, || {
            rows.read_to_end(&mut text).unwrap();
            child.wait().unwrap()
        });
        assert_eq!(status.code(), Some(0));
        assert!(text == ROW.repeat(before + 1000).as_bytes(), "{}", text.len() / ROW.len());
    }
}

#[test]
fn rows_are_the_same_on_any_number_of_threads_plain_and_compressed() {
    let folder = Folder::new();
    // Those of few clues take longer, so that workers finish out of order.
    let all = "sudoku generate 3000 --clues 30 --seed 5 -o a -q";
    folder.succeed(all);
    folder.succeed("sudoku generate 3000 --minimal --seed 5 -o b -q");
    let [a, b] = ["a", "b"].map(|name| folder.read(name));
    let mixed: String = a.lines().zip(b.lines()).flat_map(|(a, b)| [a, "\n", b, "\n"]).collect();
    folder.write("puzzles", mixed.repeat(3));
    let expected = folder.succeed("-q -j 1 sudoku solve puzzles");
    folder.succeed("-q -j 1 sudoku solve puzzles -o one.gz");
    for threads in [2, 3, 8] {
        let rows = folder.succeed(&format!("-q -j {threads} sudoku solve puzzles"));
        assert!(rows == expected, "{threads}");
        folder.succeed(&format!("-q -j {threads} sudoku solve puzzles -o more.gz"));
        let [one, more] = ["one.gz", "more.gz"].map(|name| folder.bytes(name));
        assert!(one == more, "{threads}");
    }
}

#[test]
fn a_signal_while_rows_are_compressed_leaves_nothing() {
    let folder = Folder::new();
    let mut child = folder.start("-q -j 3 sudoku generate 100000000 -o puzzles.gz");
    wait_until("it compresses", || is_listening(&child) && folder.files() > 0);
    signal(&child, "INT");
    assert_eq!(exit_code_soon(&mut child), Some(130));
    assert_eq!(folder.files(), 0);
    assert!(File::open(folder.at("puzzles.gz")).is_err());
}

/// Before anything is counted: these would take hours.
#[test]
fn a_folder_in_place_of_a_file_is_told_at_the_start() {
    let folder = Folder::new();
    folder.write("empty", format!("{}\n", ".".repeat(81)));
    for words in [
        "queens list 30",
        "queens one 30 --method backtrack-top-down",
        "sudoku count empty --method enumeration",
        "sudoku solve empty --limit 1000000000000000",
        "sudoku generate --clues 17",
        "scale queens 24 --json",
    ] {
        for output in [".", "new"] {
            let _ = fs::create_dir(folder.at("new"));
            let message = folder.fail(&format!("{words} -o {output}"), 1);
            let expected = format!("cannot write {output}: found a folder, expected a file");
            assert!(message.contains(&expected), "{words}: {message}");
        }
    }
}

#[test]
fn a_folder_in_which_nothing_can_be_made_is_named() {
    let folder = Folder::new();
    folder.write("puzzles", PUZZLE);
    // Nobody can make a file there, not even root.
    folder.fails("sudoku solve puzzles -o /proc/rows.gz", 1, "cannot write /proc/rows.gz");
}

/// The samples are of pyarrow 26.0.1: text in groups of two rows with snappy, and lists of lists with zstd.
#[cfg(feature = "parquet")]
#[test]
fn parquet_is_read_as_csv() {
    let folder = Folder::new();
    let sample = |name: &str| format!("{}/tests/data/parquet/{name}", env!("CARGO_MANIFEST_DIR"));
    let strings = sample("strings.parquet");
    let rows = folder.succeed(&format!("-q sudoku solve {strings}"));
    assert!(rows.starts_with("id,puzzle,level,count,found\n0,53..7....6"), "{rows}");
    assert!(rows.contains(",\"easy, \"\"mine\"\"\",1,") && rows.lines().count() == 6, "{rows}");
    let rows = folder.succeed(&format!("-q sudoku solve {strings} --to jsonl"));
    assert!(rows.starts_with("{\"id\":\"0\",\"puzzle\":\"53..7....6"), "{rows}");
    let lists = sample("lists.parquet");
    let rows = folder.succeed(&format!("-q sudoku solve {lists} --column grid --to lines"));
    assert_eq!(rows.lines().filter(|row| row.contains(":1:")).count(), 2, "{rows}");
    assert!(folder.said(&format!("count {strings}")).contains("taken for sudokus"));
    // A file that was cut, and one whose pages were damaged.
    let whole = fs::read(&strings).unwrap();
    folder.write("cut.parquet", &whole[..whole.len() - 9]);
    folder.fails("sudoku solve cut.parquet", 1, "cut.parquet: found Parquet that cannot be read");
    let mut damaged = whole.clone();
    damaged[100..200].fill(0xff);
    folder.write("damaged.parquet", &damaged[..]);
    folder.fails("sudoku solve damaged.parquet", 1, "found Parquet that cannot be read");
}
