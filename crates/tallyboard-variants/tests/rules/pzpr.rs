//! Puzzles of pzpr, the editor of puzz.link, from its own tests.

use tallyboard_variants::{line, read};

fn solution(text: &str) -> String {
    let puzzle = read(text.as_bytes(), "p").unwrap_or_else(|error| panic!("{error}: {text}"));
    let answer = puzzle.solve();
    assert_eq!(answer.count, 1, "{text}");
    line(puzzle.size(), &answer.first.unwrap())
}

/// The tests of pzpr have the solved boards.
#[test]
fn sudokus_and_skyscrapers_of_links_and_saved_texts_have_their_solution() {
    let rows = ". 1 . . \n. . . 2 \n3 . . . \n. . 3 . \n";
    let begun = "2 . 4 3 \n4 3 1 . \n. 4 2 1 \n1 2 . 4 \n";
    for text in [
        "https://puzz.link/p?sudoku/4/4/g1k23k3g",
        "http://pzv.jp/p.html?sudoku/4/4/g1k23k3g",
        "puzz.link/p?sudoku/4/4/g1k23k3g",
        "https://puzz.link/p?pzprv3/sudoku/4/.%201%20.%20.%20/.%20.%20.%202%20/3%20.%20.%20.%20/.%20.%203%20.%20/",
        &format!("pzprv3\nsudoku\n4\n{rows}"),
        &format!("pzprv3\r\nsudoku\r\n4\r\n{rows}{begun}info:{{\n \"metadata\": {{}}\n}}\n"),
        &format!("pzprv3/sudoku/4/{}", rows.replace('\n', "/")),
    ] {
        assert_eq!(solution(text), "2143431234211234", "{text}");
    }
    let border = |row: &str, other: &str| {
        format!(
            "pzprv3\nskyscrapers\n4\n4\n. . . . . . \n. . . . . . \n{row} \n{other} \n. . . . . . \n. . 1 3 . . \n"
        )
    };
    for text in [
        "https://puzz.link/p?skyscrapers/4/4/k13h4j3g",
        "https://puzz.link/p?building/4/4/k13h4j3gv",
        "https://puzz.link/p?skyscrapers/4/4/k13h4j3gp1k",
        &border("4 . . . . .", ". . . . . 3"),
        // Numbers without q are those of whoever solves it.
        &border("4 3 2 3 3 .", ". 4 q3 1 . 3"),
    ] {
        assert_eq!(solution(text), "2143123443123421", "{text}");
    }
}

/// Boxes of a sudoku of 6 have two rows of three; a sixteenth is a digit of base 16, and more has two.
#[test]
fn sizes_and_numbers_are_those_of_the_editor() {
    let six = read(b"https://puzz.link/p?sudoku/6/6/123456zp", "p").unwrap();
    assert_eq!(six.size().box_shape(), (2, 3));
    assert!(six.rules().rules().is_empty());
    let sixteen = read(b"https://puzz.link/p?sudoku/16/16/fg-10zzzzzzzzzzzzs", "p").unwrap();
    let text = line(sixteen.size(), sixteen.givens());
    assert!(text.starts_with("F.G."), "{text}");
}

#[test]
fn what_is_wrong_in_a_puzzle_of_pzpr_is_told() {
    for (text, said) in [
        ("https://puzz.link/p?sudoku/8/8/g1", "found a sudoku with 8 rows, expected 4, 6, 9 or 16"),
        ("https://puzz.link/p?sudoku/9/4/g1", "found 4 rows of 9 cells, expected a square"),
        ("https://puzz.link/p?sudoku/4/4/g1k23k3g5", "found '5' behind the last cell"),
        ("https://puzz.link/p?sudoku/4/4/g1k23k3", "found the end behind 15 cells of 16"),
        ("https://puzz.link/p?sudoku/9/9/", "found the end behind 0 cells of 81"),
        ("https://puzz.link/p?skyscrapers/4/4/k13h4j3", "found the end behind 15 cells of 16"),
        ("https://puzz.link/p?skyscrapers/4/4/k13h4j3gp1", "found the end behind 11 cells of 16"),
        ("https://puzz.link/p?sudoku/4/4/g.k23k3g", "found '.k23k3g' in the codes of numbers"),
        ("https://puzz.link/p?sudoku/4/4/g9k23k3g", "r1c2"),
        ("https://puzz.link/p?v:anti/sudoku/4/4/g1k23k3g", "the variant 'anti' of sudoku"),
        (
            "pzv.jp/p.html?slither/4/4/dg2",
            "found a puzzle of puzz.link of the genre slither, expected sudoku",
        ),
        ("pzprv3\nsudoku\n4\n. 1 . .\n", "found 1 rows"),
        ("pzprv3\nsudoku\n4\n. 1 . .\n. 2 .\n. . . .\n. . . .\n", "found a row with 3 cells"),
        ("pzprv3\nsudoku\n4\n. - . .\n. . . .\n. . . .\n. . . .\n", "found '-' in a cell"),
    ] {
        let error = read(text.as_bytes(), "p").expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
}
