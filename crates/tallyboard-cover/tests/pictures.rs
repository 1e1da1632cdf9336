//! Promise: drawn puzzles are read, and counted up to symmetry; every file of the gallery has the count that it states.

use std::collections::HashMap;
use std::fs;

use crate::support::classes;
use crate::support::instances::{GALLERY, gallery, gallery_text};
use tallyboard_cover::format::{self, Input, known_count, known_remainder};
use tallyboard_cover::picture::Puzzle;
use tallyboard_cover::{Count, Engine, Group, Settings, Solutions, tally_uncovered};
use tallyboard_search::{Options, Silent};

fn read(text: &str) -> Puzzle {
    match format::read(text.as_bytes(), "puzzle").unwrap() {
        Input::Puzzle(puzzle) => *puzzle,
        Input::Cover(_) => panic!("read as a list of options"),
    }
}

/// The number of covers, and the number up to symmetry.
fn counts(text: &str) -> (u128, u128) {
    let puzzle = read(text);
    let total = Count::new(puzzle.cover()).unwrap().total().unwrap();
    let symmetries = puzzle.symmetries();
    let group = Group::new(puzzle.cover(), &symmetries).unwrap();
    assert_eq!(group.order(), symmetries.len() as u64, "they are a group");
    (total, classes(puzzle.cover(), &group))
}

fn rectangle(width: usize, height: usize) -> String {
    let row = ".".repeat(width) + "\n";
    format!("; A rectangle.\nboard:\n{}", row.repeat(height))
}

#[test]
fn pentominoes_and_soma_have_their_known_counts() {
    assert_eq!(counts(&gallery_text("pentominoes-3x20")), (8, 2));
    // Each of the 240 has 48 images, half of them by a reflection, which takes two pieces to each other.
    assert_eq!(counts(&gallery_text("soma")), (11_520, 480));
}

#[test]
#[ignore = "a second in a release build"]
fn larger_pentomino_boards_have_their_known_counts() {
    for (board, covers, classes) in
        [("6x10", 9_356, 2_339), ("5x12", 4_040, 1_010), ("4x15", 1_472, 368), ("8x8", 520, 65)]
    {
        assert_eq!(counts(&gallery_text(&format!("pentominoes-{board}"))), (covers, classes));
    }
}

/// Each of 366 dates, all in one pass, against a board of its own on which month and day are no cells. Published are 24,405 for
/// all, 64 for 1 January, 7 for 6 October as the fewest and 216 for 25 January as the most.
#[test]
#[ignore = "visits 59,787 covers"]
fn each_date_of_a_calendar_has_the_covers_of_its_own_board() {
    let text = gallery_text("calendar");
    let cover = gallery("calendar");
    let sets = tally_uncovered(&cover, 1000, &Options::new(), &mut Silent).unwrap();
    let numbers: HashMap<_, _> = sets.into_iter().collect();
    let days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut found = Vec::new();
    for (month, days) in days.into_iter().enumerate() {
        for day in 0..days {
            let cells = [(month % 6, month / 6), (day % 7, day / 7 + 2)];
            let mut items =
                cells.map(|(x, y)| cover.item(&format!("{},{},1", x + 1, y + 1)).unwrap());
            items.sort_unstable();
            let in_one_pass = numbers.get(&items[..]).copied().unwrap_or(0);
            let own: Vec<String> = text
                .lines()
                .enumerate()
                .map(|(line, row)| {
                    let cell = |(x, sign)| match sign {
                        '?' if cells.contains(&(x, line.wrapping_sub(3))) => '#',
                        '?' => '.',
                        other => other,
                    };
                    row.chars().enumerate().map(cell).collect()
                })
                .collect();
            let own = read(&own[1..].join("\n"));
            assert_eq!(Count::new(own.cover()).unwrap().total().unwrap(), in_one_pass, "{cells:?}");
            found.push((in_one_pass, month + 1, day + 1));
        }
    }
    assert_eq!((found.len(), found.iter().map(|(covers, ..)| covers).sum()), (366, 24_405));
    assert_eq!(found[0], (64, 1, 1));
    assert_eq!(found.iter().min(), Some(&(7, 10, 6)));
    assert_eq!(found.iter().max(), Some(&(216, 1, 25)));
}

#[test]
fn tilings_are_counted_up_to_symmetry() {
    // Domino tilings of the square of side 4, and of side 2.
    assert_eq!(counts(&(rectangle(4, 4) + "pieces:\nD x any:\nxx\n")), (36, 9));
    assert_eq!(counts(&(rectangle(2, 2) + "pieces:\nD x any:\nxx\n")), (2, 1));
    // Dominoes with a number of uses.
    assert_eq!(counts(&(rectangle(4, 4) + "pieces:\nD x 8:\nxx\n")), (36, 9));
    // Lozenge tilings of the hexagon of side 1 and 2: 2 and 20.
    let one = "grid: triangle\nboard:\n...\n...\npieces:\nL x any:\nxx\n";
    assert_eq!(counts(one).0, 2);
    let two =
        "grid: triangle\nboard:\n##.....\n#.......\n#.......\n##.....\npieces:\nL x any:\nxx\n";
    assert_eq!(counts(two).0, 20);
    // Three hexagons around a point, and a piece of two or one.
    let hex = "grid: hex\nboard:\n..\n.\npieces:\nD x any:\nxx\nM x any:\nx\n";
    assert_eq!(counts(hex), (4, 2));
}

#[test]
fn cells_that_may_be_covered_and_bounded_pieces_are_read() {
    let five = rectangle(5, 5) + "pieces:\nD x 3..9:\nxx\nM x any:\nx\n";
    let puzzle = read(&five);
    assert_eq!(Count::new(puzzle.cover()).unwrap().total(), Ok(2_580_011));
    // A domino on three cells in a row, of which only the middle one has to be covered.
    assert_eq!(counts("board:\n?.?\npieces:\nD x any:\nxx\n"), (2, 1));
    // A cell that may be covered does not lie where one lies that has to be.
    // What lies on it alone is there or not.
    assert_eq!(counts("board:\n..?\npieces:\nD x any:\nxx\nM x any:\nx\n"), (5, 5));
    let alone = |number: &str| format!("board:\n.?.\n...\npieces:\nA x {number}:\nx\n");
    assert_eq!(counts(&alone("any")), counts(&alone("0..6")));
    assert_eq!(counts(&alone("any")).0, 2);
    // A triangle that points up and may not be turned covers none that points down.
    let fixed = "grid: triangle\nboard:\n..\npieces: fixed\nU x any:\nx\nD x any:\n.x\n";
    assert_eq!(counts(fixed).0, 1);
    // Blank lines are skipped, and rows of different lengths are read.
    assert_eq!(counts("board:\n..\n\n.\npieces:\n\nL:\nxx\n\nx\n"), (1, 1));
    // A letter belongs to the pieces that name it.
    let letters = "board:\nA.\n..\npieces:\nD x any:\nxx\nE x any on A:\nxx\n";
    assert_eq!(counts(letters).0, 4);
}

#[test]
fn keys_may_have_capitals() {
    assert_eq!(counts("Grid: square\nBoard:\n..\nPIECES: fixed\nD:\nxx\n"), (1, 1));
}

#[test]
fn a_solution_is_drawn() {
    let puzzle = read("board:\n...\n.#.\n...\npieces: fixed\nL:\nxxx\nx\nx\nJ:\n.x\nxx\n");
    let solutions: Vec<_> = Solutions::new(puzzle.cover()).collect();
    assert_eq!(solutions.len(), 1);
    assert_eq!(puzzle.draw(&solutions[0]), "LLL\nL J\nLJJ\n");
    // Odd rows of hexagons are shifted by half a cell, unless they have no cell.
    for (board, pieces, expected) in [
        ("..\n..", "A:\nxx\nB:\nxx", "A A\n B B\n"),
        ("..\n##\n..", "A:\nxx\nB:\nxx", "A A\n\nB B\n"),
    ] {
        let puzzle = read(&format!("grid: hex\nboard:\n{board}\npieces: fixed\n{pieces}\n"));
        let solution = Solutions::new(puzzle.cover()).next().unwrap();
        assert_eq!(puzzle.draw(&solution), expected, "{board}");
    }
}

#[test]
fn mistakes_in_drawings_are_reported_with_their_line() {
    let error = |text: &str| format::read(text.as_bytes(), "p.txt").unwrap_err().to_string();
    let wrong = [
        ("board:\npieces:\nD:\nxx\n", "4: found no cell of a board"),
        ("grid: round\n", "1: found the grid 'round'"),
        ("board:\n..\npieces: roll\n", "3: found 'roll', expected turn, flip or fixed"),
        ("board:\n..\npieces:\nxx\n", "4: found 'xx', expected 'grid:'"),
        ("board:\n..\npieces:\nD:\nxx\nD:\nx\n", "6: found two pieces with the name 'D'"),
        ("board:\n..\npieces:\nD x 3..2:\nxx\n", "4: found 'x 3..2'"),
        ("board:\n..\npieces:\nD:\nxxx\n", "4: found no place on the board for the piece 'D'"),
        ("board:\n..\npieces:\nD:\n", "4: found no cell of the piece 'D'"),
        ("board:\n.!\n", "2: found '!' in the board"),
        ("board:\n..\n-\n..\n", "3: found a line with '-' alone in a square grid"),
        ("board:\n..\nboard:\n", "3: found a second board"),
        ("board:\n..\n", "2: found no piece"),
        ("board:\n..\npieces:\nD:\n\txx\n", "5: found '\\t' in a piece, expected '.'"),
        ("Board:\n..\nGrid: cube\n", "3: found 'grid:' below a drawing"),
        ("board:\n..\npieces:\nD y:\nxx\n", "4: found 'y' in the name of a piece"),
    ];
    for (text, expected) in wrong {
        let found = error(text);
        assert!(found.starts_with(&format!("p.txt, line {expected}")), "{found}");
        // Lines below a mistake do not move it. A missing board or piece is reported at the end of the file.
        if !found.contains("found no cell of a board") && !found.contains("found no piece") {
            assert_eq!(error(&format!("{text}Z:\nx\n")), found);
        }
    }
}

/// Cells with different letters are not symmetric, whether or not a piece names the letters.
#[test]
fn symmetries_keep_letters_and_optional_cells_in_their_places() {
    for (board, order) in [
        ("..\n..", 8),
        ("A.\n..", 2),
        ("AA\n..", 2),
        ("AB\n..", 1),
        ("A.\n.A", 4),
        ("A.\n.B", 2),
        ("?.\n.?", 4),
        ("?A\nA?", 4),
    ] {
        let puzzle = read(&format!("board:\n{board}\npieces:\nD x any:\nx\n"));
        assert_eq!(puzzle.symmetries().len(), order, "{board}");
    }
}

// Promise: every file of the gallery has the count that its comment states, by two engines where two can count it.

/// A prime, the modulus of counts that do not fit in 128 bits.
const P: u64 = 1_000_000_007;

/// The names of all puzzles of the gallery.
fn names() -> Vec<String> {
    let files = fs::read_dir(GALLERY).unwrap().map(|file| file.unwrap().file_name());
    let names = files.map(|name| name.into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".txt")?.to_owned())).collect();
    names.sort();
    names
}

/// Counts a puzzle by the engine that is chosen for it, and by another one that is not too slow.
fn check(name: &str) {
    let cover = gallery(name);
    let text = gallery_text(name);
    let (expected, modulus) = match known_count(text.as_bytes()) {
        Some(count) => (count, None),
        None => (known_remainder(text.as_bytes(), P).expect("a count").into(), Some(P)),
    };
    let settings = Settings::new().modulo(modulus);
    let count = Count::with(&cover, settings).unwrap();
    assert_eq!(count.total(), Ok(expected), "{name} by {}", count.engine());
    let other = match count.engine() {
        // Its frontier has more states than fit in memory.
        Engine::Masks
            if ["macmahon", "conway", "calendar"].iter().any(|it| name.starts_with(it)) =>
        {
            return;
        }
        // The frontier takes no multiplicities.
        Engine::Masks if cover.has_multiplicities() => Engine::Sets,
        Engine::Masks => Engine::Frontier,
        // A search would take hours for more.
        Engine::Frontier if expected < 20_000_000 && modulus.is_none() => Engine::Masks,
        Engine::Frontier | Engine::Sets => return,
    };
    let count = Count::with(&cover, settings.engine(other)).unwrap();
    assert_eq!(count.total(), Ok(expected), "{name} by {other}");
}

#[test]
fn small_puzzles_of_the_gallery_have_their_counts() {
    let names = names();
    assert!(names.len() >= 43);
    let is_small = |name: &&String| !LARGE.split(' ').any(|large| name.contains(large));
    let small: Vec<&String> = names.iter().filter(is_small).collect();
    assert!(small.len() >= 20);
    small.into_iter().for_each(|name| check(name));
}

/// Names of puzzles that take more than a moment in a debug build.
const LARGE: &str = "pentominoes- queens-1 langford-12 skolem-12 L-and-P hexiamonds macmahon conway dominoes-20x20 \
                     dominoes-and-cells calendar";

#[test]
#[ignore = "a minute in a release build"]
fn all_puzzles_of_the_gallery_have_their_counts() {
    names().iter().for_each(|name| check(name));
}

/// The letters in place of names are those of no piece, also of none that a cover leaves out.
#[test]
fn a_substitute_letter_is_that_of_no_piece() {
    let puzzle = read("board:\n....\npieces:\nD x 1..2:\nxx\na x 0..2:\nx\n");
    for solution in Solutions::new(puzzle.cover()) {
        let drawn = puzzle.draw(&solution);
        let uses = |name: &str| {
            solution.iter().filter(|&&option| puzzle.piece(option as usize) == name).count()
        };
        let has = |letter: char| drawn.contains(letter);
        assert_eq!((has('D'), has('a')), (uses("D") == 1, uses("a") == 1), "{drawn}");
    }
}
