//! Promise: what `generate` of any game makes depends on its options and the seed alone, comes from every core as soon as it is made, and
//! is what was found so far if a signal ends the run.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};

use crate::common::runs::{
    Folder, ended, exit_code_soon, ignores_hangups, is_listening, signal, wait_until,
};
use crate::help;
use tallyboard_base::figures::counted;

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

/// Each command that makes puzzles, with words for runs that a signal has to end: much is made, or nothing is found for long.
const ENDLESS: [(&str, &str, bool); 8] = [
    ("sudoku generate", "1000000000 --clues 24", true),
    ("sudoku generate", "--clues 17", false),
    ("regions generate", "1000000000 --size 8", true),
    ("regions generate", "1000000000 --size 16", false),
    ("regions generate", "1000000000 --size 9 --stars 2 --level 1", false),
    ("variant generate", "rules 1000000000", true),
    ("variant generate", "large 1000000000", false),
    ("variant generate", "large --cages 16", false),
];

#[test]
fn every_command_that_makes_puzzles_is_in_the_table() {
    let commands = help::commands().into_iter().map(|(command, _)| command);
    let found = commands.filter(|command| command.ends_with(" generate"));
    let known = ENDLESS.iter().map(|(command, ..)| (*command).to_owned());
    assert_eq!(BTreeSet::from_iter(found), BTreeSet::from_iter(known));
}

#[test]
#[cfg(target_os = "linux")]
fn every_signal_ends_it_with_what_was_made() {
    let folder = Folder::new();
    folder.write("rules", "size 9\n");
    folder.write("large", "size 16\nanti-knight\nanti-king\ndiagonals\n");
    for (command, rest, has_rows) in ENDLESS {
        for (name, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
            if name == "HUP" && ignores_hangups() {
                continue;
            }
            let words = format!("{command} {rest}");
            let mut child = folder.start(&words);
            let mut rows = BufReader::new(child.stdout.take().unwrap());
            wait_until("it listens", || is_listening(&child));
            let mut first = String::new();
            if has_rows {
                rows.read_line(&mut first).unwrap();
                assert!(first.ends_with('\n'), "{words}: {first}");
            } else {
                // Until it has begun to search.
                std::thread::sleep(std::time::Duration::from_millis(200));
            }
            signal(&child, name);
            let rest = std::thread::spawn(move || std::io::read_to_string(rows).unwrap());
            assert_eq!(exit_code_soon(&mut child), Some(code), "{words}, {name}");
            let rest = rest.join().unwrap();
            assert!(rest.is_empty() || rest.ends_with('\n'), "{words}: a row is not whole");
            let made = rest.lines().count() + first.lines().count();
            let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
            let name = if command.starts_with("regions") { "board" } else { "puzzle" };
            // A killer has many lines.
            let told = format!("interrupted; {} written", counted(made as u64, name));
            assert!(said.contains(&told) || words.contains("--cages"), "{words}: {said}, {told}");
        }
        // A file that is not whole is none.
        let child = folder.start(&format!("{command} {rest} -o made"));
        wait_until("it listens", || is_listening(&child));
        std::thread::sleep(std::time::Duration::from_millis(200));
        signal(&child, "TERM");
        let (code, _, said) = ended(child);
        assert!(code == 143 && said.contains("made is not written"), "{command} {rest}: {said}");
        assert!(!folder.at("made").exists());
    }
}
