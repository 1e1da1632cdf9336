//! Promise: what `generate` of any game makes depends on its options and the seed alone, comes from every core as soon as it is made, and
//! is what was found so far if a signal ends the run.

use std::io::{BufRead, BufReader};

use crate::common::runs::{Folder, exit_code_soon, is_listening, signal, wait_until};

#[test]
fn the_same_is_made_on_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("rules", "size 6\nanti-king\n");
    for words in [
        "sudoku generate 12 --clues 26 --seed 3",
        "regions generate 24 --size 6 --seed 3",
        "regions generate 3 --size 6 --level 3 --rows",
        "variant generate rules 6 --minimal",
        "variant generate rules --cages 4",
    ] {
        let [one, two, three] =
            [1, 2, 3].map(|threads| folder.succeed(&format!("-q {words} -j {threads}")));
        assert!(one == two && one == three && !one.is_empty(), "{words}");
        // A file and its beginning.
        folder.succeed(&format!("-q {words} -j 2 -o made"));
        assert_eq!(folder.read("made"), one);
    }
    let more = folder.succeed("-q regions generate 24 --size 6 --seed 3");
    assert!(more.starts_with(&folder.succeed("-q regions generate 7 --size 6 --seed 3")));
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_it_with_what_was_made() {
    let folder = Folder::new();
    folder.write("rules", "size 9\n");
    for (number, words) in [
        "sudoku generate 1000000000 --clues 24",
        "regions generate 1000000000 --size 8",
        "regions generate 1000000000 --size 16",
        "variant generate rules 1000000000",
    ]
    .into_iter()
    .enumerate()
    {
        let name = ["INT", "TERM", "HUP"][number % 3];
        let mut child = folder.start(words);
        let mut rows = BufReader::new(child.stdout.take().unwrap());
        wait_until("it listens", || is_listening(&child));
        let mut first = String::new();
        // Boards of this size take long, or none is found.
        if !words.contains("--size 16") {
            rows.read_line(&mut first).unwrap();
            assert!(first.ends_with('\n'), "{words}: {first}");
        }
        signal(&child, name);
        let rest = std::thread::spawn(move || std::io::read_to_string(rows).unwrap());
        let expected = [130, 143, 129][number % 3];
        assert_eq!(exit_code_soon(&mut child), Some(expected), "{words}");
        let rest = rest.join().unwrap();
        assert!(rest.is_empty() || rest.ends_with('\n'), "{words}: a row is not whole");
        let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        assert!(said.contains("interrupted"), "{words}: {said}");
        assert!(said.contains("written") || first.is_empty(), "{words}: {said}");
    }
}
