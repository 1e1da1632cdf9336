//! No output overwrites an input or another output.

use std::path::Path;

use crate::common::runs::{fail, succeed};

/// The puzzles that inputs hold here.
fn puzzles(folder: &Path) {
    succeed(folder, "sudoku generate 3 --seed 1 -o p.txt");
}

#[test]
fn an_input_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    puzzles(here);
    succeed(here, "cluster plan queens 9 --shards 2 -o plan");
    std::fs::hard_link(here.join("p.txt"), here.join("twin")).unwrap();
    std::fs::write(here.join("puzzle"), "a b\na\nb\n").unwrap();
    let read = |name: &str| std::fs::read(here.join(name)).unwrap();
    let before = ["p.txt", "plan", "puzzle"].map(read);
    for words in [
        "sudoku solve p.txt -o p.txt",
        "sudoku solve p.txt -o ./p.txt",
        "sudoku solve p.txt -o twin",
        "sudoku count p.txt -o p.txt",
        "sudoku canon twin -o p.txt",
        "scale sudoku p.txt -r 1 --html p.txt",
        "cover convert puzzle -o puzzle --to dlx",
        "cluster slurm plan -o plan",
        "cluster hq plan -o ./plan",
        "cluster k8s plan --image x -o plan",
    ] {
        let err = fail(here, words, 2);
        assert!(err.contains("is read here: expected another name"), "{words}: {err}");
    }
    assert_eq!(["p.txt", "plan", "puzzle"].map(read), before);
}

/// Before a run, whose work would be lost.
#[test]
fn a_folder_is_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    for words in [
        "queens list 6 --svg .",
        "queens trace 5 --html .",
        "sudoku trace missing --html .",
        "scale queens 6 --svg .",
        "cluster plan queens 30 --shards 2 -o .",
    ] {
        let err = fail(folder.path(), words, 2);
        assert!(err.contains("found a folder, expected a file"), "{words}: {err}");
    }
}

#[test]
fn every_output_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    puzzles(here);
    for words in [
        "queens list 6 --svg a -o ./a",
        "queens one 8 -o a --svg a",
        #[cfg(feature = "png")]
        "queens tree 4 --svg a --png a",
        #[cfg(feature = "png")]
        "queens methods --sizes 8 --svg a --png a",
        "scale queens 8 -r 1 -o a --html a",
        "sudoku count p.txt -o a --journal a",
    ] {
        let err = fail(here, words, 2);
        assert!(err.contains("named for two outputs"), "{words}: {err}");
        assert!(!here.join("a").exists(), "{words}");
    }
    // A device may be named twice.
    succeed(here, "queens list 6 --svg /dev/null -o /dev/null");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    puzzles(here);
    for words in [
        "queens list 6 --svg /dev/full",
        "sudoku solve p.txt -o /dev/full",
        "queens one 8 -o /dev/full",
    ] {
        let err = fail(here, words, 1);
        assert!(err.contains("/dev/full: No space left"), "{words}: {err}");
    }
}
