//! No output overwrites an input or another output.

use crate::common::runs::Folder;

/// The puzzles that inputs hold here.
fn puzzles(folder: &Folder) {
    folder.succeed("sudoku generate 3 --seed 1 -o p.txt");
}

#[test]
fn an_input_is_not_written_over() {
    let here = Folder::new();
    puzzles(&here);
    here.succeed("cluster plan queens 9 --shards 2 -o plan");
    std::fs::hard_link(here.at("p.txt"), here.at("twin")).unwrap();
    here.write("puzzle", "a b\na\nb\n");
    let read = |name: &str| here.bytes(name);
    here.write("queens", "....\n.*..\n....\n....\n");
    let files = ["p.txt", "plan", "puzzle", "queens"];
    let before = files.map(read);
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
        "queens list queens -o queens",
        "queens one queens -o queens",
        "queens tally queens -o queens",
        "queens tally queens --svg queens",
        "sudoku tally p.txt --svg p.txt",
    ] {
        here.fails(words, 2, "is read here: expected another name");
    }
    assert_eq!(files.map(read), before);
}

/// Before a run, whose work would be lost.
#[test]
fn a_folder_is_no_picture() {
    let folder = Folder::new();
    for words in [
        "queens list 6 --svg .",
        "queens trace 5 --html .",
        "sudoku trace missing --html .",
        "scale queens 6 --svg .",
        "cluster plan queens 30 --shards 2 -o .",
    ] {
        folder.fails(words, 2, "found a folder, expected a file");
    }
}

#[test]
fn every_output_has_a_file_of_its_own() {
    let here = Folder::new();
    puzzles(&here);
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
        here.fails(words, 2, "named for two outputs");
        assert!(!here.at("a").exists(), "{words}");
    }
    // A device may be named twice.
    here.succeed("queens list 6 --svg /dev/null -o /dev/null");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    let here = Folder::new();
    puzzles(&here);
    for words in [
        "queens list 6 --svg /dev/full",
        "sudoku solve p.txt -o /dev/full",
        "queens one 8 -o /dev/full",
    ] {
        here.fails(words, 1, "/dev/full: No space left");
    }
}
