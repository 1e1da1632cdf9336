//! Promise: boards of regions are read, solved, counted, listed, drawn, made, explained and told apart from the command line, and counts
//! are those that covers of the same boards have.

use std::collections::BTreeSet;

use tallyboard_cover::Cover;
use tallyboard_regions::format::Records;
use tallyboard_regions::{Board, Count, Generator, Rule, Verdict, Wishes, explain};
use tallyboard_search::count;

use crate::common::runs::Folder;

/// Five rows, typed as they are seen: the letters are the colours.
const BOARD: &str = "p p g g b\np r r r b\np r r r b\np r r r y\nr r r y y\n";

/// The board as a cover: rows, columns and regions are covered once; a square of four cells holds at most one star.
fn cover(board: &Board) -> Cover {
    let size = board.size();
    let mut cover = Cover::new();
    let lines = |kind: char| (0..size).map(move |line| format!("{kind}{line}"));
    cover.primary(lines('r').chain(lines('c')).chain(lines('g'))).unwrap();
    let squares = |row: usize, column: usize| {
        let at = move |row, column| format!("s{row}.{column}");
        [at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1)]
    };
    let corners =
        (0..=size).flat_map(|row| (0..=size).map(move |column| format!("s{row}.{column}")));
    cover.secondary(corners).unwrap();
    for cell in 0..size * size {
        let (row, column) = (cell / size, cell % size);
        if board.rows()[row].possible >> column & 1 == 1 {
            let region = board.regions()[cell];
            let lines = [format!("r{row}"), format!("c{column}"), format!("g{region}")];
            cover.option(lines.into_iter().chain(squares(row, column))).unwrap();
        }
    }
    cover
}

#[test]
fn boards_have_as_many_solutions_as_their_covers() {
    let kept = include_str!("../data/regions_counts.txt");
    let mut boards = 0;
    for line in kept.lines().filter(|line| !line.starts_with('#')) {
        let (cells, expected) = line.split_once(' ').unwrap();
        let expected: u128 = expected.parse().unwrap();
        let board = Records::new(cells.as_bytes(), None).next().unwrap().unwrap().board;
        let found = count(&Count::new(&board)).unwrap();
        assert_eq!(found, expected, "{line}");
        let covers = count(&tallyboard_cover::Count::new(&cover(&board)).unwrap()).unwrap();
        assert_eq!(covers, expected, "{line}");
        boards += 1;
    }
    assert_eq!(boards, 20);
}

#[test]
fn a_board_typed_from_a_picture_is_solved_counted_listed_and_drawn() {
    let folder = Folder::new();
    folder.write("board.txt", BOARD);
    let line = "AABBCADDDCADDDCADDDEDDDEE";
    let solved = folder.succeed("-q regions solve board.txt");
    let [cells, count, columns] = solved.trim_end().split('\t').collect::<Vec<_>>()[..] else {
        panic!("{solved}")
    };
    assert_eq!(cells, line);
    assert_eq!(
        folder.succeed("-q regions count board.txt").trim(),
        folder.succeed("regions list board.txt").lines().count().to_string()
    );
    assert_eq!(folder.succeed("regions list board.txt --limit 1").trim(), columns);
    assert_eq!(count, "1");
    let drawn = folder.succeed("regions draw board.txt --solution");
    assert_eq!(drawn.matches('*').count(), 5, "{drawn}");
    // What is drawn can be read: its stars are given then.
    folder.write("drawn.txt", &drawn);
    assert_eq!(folder.succeed("-q regions count drawn.txt").trim(), "1");
    folder.succeed("regions draw board.txt --svg board.svg");
    assert!(folder.read("board.svg").starts_with("<svg"));
    let explained = folder.succeed("regions explain board.txt");
    assert!(explained.contains("solved, level"), "{explained}");
    let csv = folder.succeed("-q regions solve board.txt --to csv");
    assert!(csv.starts_with("board,stars,solutions,guesses,region_sizes,solution\n"), "{csv}");
    assert!(folder.succeed("regions verify board.txt").contains("portable"));
}

/// Sentences and pictures in the terminal call regions as the file does, and what is drawn is read again.
#[test]
fn regions_are_called_as_in_the_file() {
    let folder = Folder::new();
    folder.write("board.txt", "p p g g b\np r r r b\np r r r b\np r r r y\nr r r y y\n");
    let explained = folder.succeed("regions explain board.txt");
    assert!(
        explained.contains("region g lies within row 1: cross out r1c1 r1c2 r1c5"),
        "{explained}"
    );
    assert!(!explained.contains("region A"), "{explained}");
    assert!(folder.succeed("regions draw board.txt").starts_with("p  p  g  g  b"));
    let words = "pink pink sky sky\npink pink sky sky\nlime lime red red\nlime lime red red\n";
    folder.write("words.txt", words);
    let drawn = folder.succeed("regions draw words.txt --solution");
    assert!(drawn.starts_with("pink  pink* sky   sky"), "{drawn}");
    folder.write("drawn.txt", &drawn);
    assert_eq!(folder.succeed("-q regions count drawn.txt").trim(), "1");
    // The cell that was mistyped is named.
    folder.write("cut.txt", "x x y y\nx z z y\nw w z y\nw w w x\n");
    let said = folder.said("regions explain cut.txt");
    assert!(said.contains("region x is in several parts: r4c4 is apart from the rest"), "{said}");
    let said = folder.said("regions solve cut.txt");
    assert!(said.contains("the first in line 1 of cut.txt: r4c4 is apart"), "{said}");
}

/// A person at a terminal sees one board as a picture; many boards, and what goes into a file, are rows.
#[test]
#[cfg(target_os = "linux")]
fn one_board_is_drawn_on_a_terminal() {
    use std::io::Read;

    let folder = Folder::new();
    folder.write("one.txt", BOARD);
    folder.write("two.txt", format!("{BOARD}\n{BOARD}"));
    let shown = |words: &str| {
        let ends = nix::pty::openpty(None, None).unwrap();
        let mut command = folder.command(words);
        command.env("TERM", "xterm").stdout(ends.slave).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(command);
        let mut shown = Vec::new();
        // The terminal reports an error once nobody has it open.
        let _ = std::fs::File::from(ends.master).read_to_end(&mut shown);
        assert!(child.wait().unwrap().success());
        String::from_utf8_lossy(&shown).into_owned()
    };
    let one = shown("solve one.txt");
    assert_eq!((one.lines().count(), one.matches('*').count()), (5, 5), "{one:?}");
    assert_eq!(shown("solve -q one.txt"), one);
    for words in ["solve two.txt", "solve one.txt --to csv", "regions solve one.txt"] {
        let rows = shown(words);
        assert!(rows.contains("AABBCADDDCADDDCADDDEDDDEE"), "{words}: {rows:?}");
    }
    assert!(folder.succeed("-q solve one.txt").starts_with("AABBCADDDC"));
}

#[test]
fn new_boards_have_one_solution_and_their_images_are_one_board() {
    let folder = Folder::new();
    folder.succeed(
        "-q regions generate 70 --size 7 --smallest 2 --largest 12 --seed 3 -o boards.txt",
    );
    let boards: Vec<Board> = Records::new(folder.read("boards.txt").as_bytes(), None)
        .map(|record| record.unwrap().board)
        .collect();
    assert_eq!(boards.len(), 70);
    assert!(
        boards.iter().all(|board| board.region_sizes().iter().all(|size| (2..=12).contains(size)))
    );
    let solved = folder.succeed("-q regions solve boards.txt");
    assert!(solved.lines().all(|row| row.split('\t').nth(1) == Some("1")));
    // Each board and its image by the swap of rows and columns.
    let mut text = folder.read("boards.txt");
    for board in &boards {
        let swapped = (0..49).map(|cell| u32::from(board.regions()[cell % 7 * 7 + cell / 7]));
        let image = Board::new(&swapped.collect::<Vec<_>>(), 1).unwrap();
        text += &(tallyboard_regions::format::line(&image) + "\n");
    }
    folder.write("all.txt", text);
    assert_eq!(folder.succeed("regions canon all.txt --unique").lines().count(), 70);
    assert_eq!(folder.succeed("regions canon all.txt").lines().count(), 140);
    let easy = folder.succeed("-q regions generate 3 --size 6 --level 3");
    assert_eq!(easy.lines().count(), 3);
}

/// A canonical board is a line of letters, which loses nothing that it is made of.
#[test]
fn canonical_boards_keep_what_they_are_made_of() {
    let folder = Folder::new();
    let plain = "AABB\nACCB\nDDCB\nDDDD\n\n";
    folder.write("plain", plain);
    folder.succeed("regions canon plain -o canonical");
    assert_eq!(folder.succeed("regions canon canonical"), folder.read("canonical"));
    for marked in ["A A* B B\nA C C B\nD D C B\nD D D D\n", "A A B B\nA C C- B\nD D C B\nD D D D\n"]
    {
        folder.write("marked", plain.to_owned() + marked);
        for words in ["regions canon marked", "regions canon marked --unique"] {
            let expected = "marked: line 6: found stars that are given or cells that are crossed out, expected regions";
            folder.fails(words, 2, expected);
        }
    }
}

#[test]
fn mistakes_name_the_file_the_line_the_row_and_the_column() {
    let folder = Folder::new();
    folder.write("ragged.txt", "\nA A B\nA B\nC C C\n");
    let (code, rows, said) = folder.told("regions solve ragged.txt");
    assert_eq!((code, &*rows), (1, "!A A B\n!A B\n!C C C\n"));
    assert!(said.contains("ragged.txt:2: row 2 has 2 cells, expected 3"), "{said}");
    let said = folder.fail("regions count ragged.txt", 2);
    assert!(said.contains("ragged.txt: line 2: row 2 has 2 cells, expected 3"), "{said}");
    let said = folder.fail("regions generate --size 3", 2);
    assert!(said.contains("expected 4 to 20 rows"), "{said}");
    folder.write("one.txt", BOARD);
    let said = folder.fail("regions count one.txt --board 2", 2);
    assert!(said.contains("found 1 board, expected at least 2"), "{said}");
    folder.fails("regions count one.txt --board 0", 2, "0 is not in 1..");
}

/// What is taken for granted is said where it may be wrong.
#[test]
fn the_board_and_the_stars_that_nobody_named_are_told() {
    let folder = Folder::new();
    folder.write("one.txt", BOARD);
    folder.write("two.txt", format!("{BOARD}\n{BOARD}"));
    let first = "the first of several boards: `--number N`";
    for command in ["count", "list", "draw", "explain", "estimate", "verify"] {
        folder.says(&format!("regions {command} two.txt"), first);
        for chosen in ["one.txt", "two.txt --board 1", "two.txt --board 2", "two.txt -q"] {
            let said = folder.said(&format!("regions {command} {chosen}"));
            assert!(!said.contains(first), "{command} {chosen}: {said}");
        }
    }
    // Rows of one colour have a queen each in as many ways as there are placements.
    folder.write("rows.txt", "AAAAA\nBBBBB\nCCCCC\nDDDDD\nEEEEE\n");
    let stars = "one star in each row, column and region: `--stars 2`";
    folder.says("regions solve rows.txt", stars);
    for chosen in ["one.txt", "rows.txt --stars 1", "rows.txt -q"] {
        let said = folder.said(&format!("regions solve {chosen}"));
        assert!(!said.contains(stars), "{chosen}: {said}");
    }
}

/// The grade of a board is the level of its hardest step; a board that is not solved has none.
#[test]
fn the_grade_is_the_level_of_the_hardest_step() {
    let level = |rule: &Rule| match rule {
        Rule::Stars | Rule::Forced(_) => 1,
        Rule::Within(..) => 2,
        Rule::Empties(_) => 3,
        Rule::Group { inner, .. } => {
            if inner.len() > 2 {
                5
            } else {
                4
            }
        }
        Rule::Trial => 6,
    };
    let generator = Generator::new(Wishes::new(8, 1), 5).unwrap();
    let mut grades = BTreeSet::new();
    for number in 0..60 {
        let solved = explain(&generator.board(number).unwrap());
        let hardest = solved.steps.iter().map(|step| level(&step.rule)).max();
        let expected = hardest.filter(|_| solved.verdict == Verdict::Solved);
        assert_eq!(solved.grade(), expected, "{number}");
        grades.extend(expected);
    }
    assert!(grades.len() > 2, "{grades:?}");
    // One cell needs a step; rows as regions leave several solutions; two given stars that touch have none.
    assert_eq!(explain(&Board::new(&[0], 1).unwrap()).grade(), Some(1));
    let rows = Board::new(&(0..36).map(|cell| cell / 6).collect::<Vec<u32>>(), 1).unwrap();
    assert_eq!(explain(&rows).grade(), None);
    let dead = explain(&rows.give(0, 0).unwrap().give(1, 1).unwrap());
    assert_eq!((dead.verdict, dead.grade()), (Verdict::Dead, None));
}
