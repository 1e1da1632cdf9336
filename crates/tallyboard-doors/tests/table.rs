//! Promise: each format's examples are recognised as that format, by no other as sure, and are read by its reader.

use std::collections::HashSet;

use tallyboard_doors::{
    Document, FORMATS, Format, Found, Game, Options, Probe, is_typed_puzzle, recognise,
};

fn formats() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().copied().flatten()
}

fn document(text: &str) -> Document {
    Document::new("file", std::io::Cursor::new(text.to_owned())).unwrap()
}

/// Reads a document in its format, and counts its puzzles, each of which has to be right.
fn puzzles(document: Document, game: Option<Game>) -> usize {
    let recognised = recognise(&document, game).unwrap_or_else(|error| panic!("{error}"));
    match recognised.read(document, &Options::default()).unwrap_or_else(|error| panic!("{error}")) {
        Found::Sudokus(form, document) => {
            let (_, bytes) = document.into_bytes(1 << 20).unwrap();
            let (good, bad) = tallyboard_sudoku::format::OnePuzzle::counts(&form, &bytes);
            assert_eq!(bad, 0);
            good as usize
        }
        Found::Variants(found) => found.len(),
        Found::Regions(boards) => boards.collect::<Result<Vec<_>, _>>().unwrap().len(),
        Found::Cover(input) => usize::from(!input.cover().is_empty()),
        Found::QueensBoards(found) => found.boards.len(),
        Found::Placements(input) => {
            let mut reader = tallyboard_queens::text::Reader::new(input);
            let mut count = 0;
            while reader.next_placement().unwrap().is_some() {
                count += 1;
            }
            count
        }
    }
}

#[test]
fn every_example_is_recognised_as_its_format_and_read_by_it() {
    let mut examples = 0;
    for format in formats().filter(|format| format.read.is_some()) {
        let all = (format.examples)();
        assert!(!all.is_empty(), "{} {}", format.game, format.name);
        for example in all {
            for text in
                [example.text.to_owned(), format!("{}\r\n", example.text.replace('\n', "\r\n"))]
            {
                let document = document(&text);
                let found =
                    recognise(&document, None).unwrap_or_else(|error| panic!("{error}: {text}"));
                let name = |format: &Format| (format.game, format.name);
                assert_eq!(name(found.format()), name(format), "{text}");
                let is_sure =
                    |other: &&Format| (other.probe)(&document.head()).probe == Probe::Sure;
                let sure: Vec<_> = formats().filter(is_sure).map(name).collect();
                assert!(sure.iter().all(|other| *other == name(format)), "{sure:?}: {text}");
                assert_eq!(found.other().map(name), None, "{text}");
                assert_eq!(puzzles(document, None), 1, "{text}");
                examples += 1;
            }
        }
    }
    assert!(examples > 150, "{examples}");
}

#[test]
fn names_are_of_one_format_of_a_game() {
    let mut names = HashSet::new();
    for format in formats() {
        assert!(names.insert((format.game, format.name)), "{} {}", format.game, format.name);
        assert!(format.read.is_some() || format.write.is_some(), "{}", format.name);
    }
    for game in Game::ALL {
        assert!(formats().any(|format| format.game == game), "{game}");
    }
}

/// Of a longer document only the head is looked at, which may end anywhere.
#[test]
fn the_head_of_a_longer_document_says_the_same() {
    // These have comments. The others are values, or are known by the whole of their text.
    let has_comments = |format: &&Format| match format.game {
        Game::Variant => format.name == "rules",
        Game::Sudoku => ["lines", "grid"].contains(&format.name),
        Game::Regions => ["rows", "lines"].contains(&format.name),
        Game::Cover => ["ec", "matrix", "dlx"].contains(&format.name),
        Game::Queens => format.name == "vector",
    };
    for format in formats().filter(has_comments) {
        for example in (format.examples)() {
            // What is one puzzle is longer by its comments alone, where it has such.
            let comment = match format.game {
                Game::Cover => "| a remark of some length about nothing at all\n",
                _ => "# a remark of some length about nothing at all\n",
            };
            let text = format!("{}\n{}", example.text, comment.repeat(1_500));
            let found = recognise(&document(&text), None).unwrap();
            assert_eq!(found.format().game, format.game, "{} {}", format.name, example.text);
        }
    }
    let line = "AABBAABBCCDDCCDD\n";
    for more in 0..20 {
        let text = line.repeat((64 << 10) / line.len()) + &line[..more % line.len()] + "\n";
        let found = recognise(&document(&text), None).unwrap();
        assert_eq!((found.format().game, found.format().name), (Game::Regions, "lines"));
    }
}

/// Each byte of a document is read once, and all of them are there.
#[test]
fn a_document_loses_nothing() {
    for length in [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 200_000] {
        let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        let open = || Document::new("file", std::io::Cursor::new(bytes.clone())).unwrap();
        assert_eq!(open().head().is_whole(), length <= 64 << 10);
        assert!(open().head().bytes().len() <= 64 << 10);
        assert_eq!(open().into_bytes(length as u64).unwrap().1, bytes);
        let mut read = Vec::new();
        open().into_reader().read_to_end(&mut read).unwrap();
        assert_eq!(read, bytes);
        if length > 0 {
            let error = open().into_bytes(length as u64 - 1).unwrap_err().to_string();
            assert!(error.contains("file: found more than"), "{error}");
        }
    }
}

#[test]
fn what_is_in_no_format_is_told_with_the_two_nearest() {
    let broken = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2..!6\n.6....28.\n...419..5\n..b..c..79\n";
    let error = recognise(&document(broken), None).map(|found| found.format().name).unwrap_err();
    assert_eq!(error.nearest.len(), 2, "{error}");
    let games: HashSet<Game> = error.nearest.iter().map(|(format, _)| format.game).collect();
    assert_eq!(games.len(), 2, "{error}");
    assert_eq!(error.to_string().matches("\n  --as ").count(), 2, "{error}");
}

#[test]
fn a_game_that_is_asked_for_reads_what_others_would_take() {
    let text = "1234\n3412\n2143\n4321\n";
    for game in [Game::Sudoku, Game::Variant, Game::Regions] {
        let document = document(text);
        let found = recognise(&document, Some(game)).unwrap();
        assert_eq!(found.format().game, game);
        assert_eq!(puzzles(document, Some(game)), 1, "{game}");
    }
}

#[test]
fn puzzles_are_told_from_names_of_files() {
    for puzzle in [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1020043130400003",
        "12....\n......\n",
        "AABBAABBCCDBCDDD",
        "2x2:a1b2_3c4d1a",
        "https://f-puzzles.com/?load=N4Ig",
        "https://puzz.link/p?sudoku/4/4/1i2p3i",
    ] {
        assert!(is_typed_puzzle(puzzle), "{puzzle}");
    }
    for name in [
        "puzzles.txt",
        "2024-11-28-00001",
        "5",
        "-",
        "",
        "a",
        "abcd",
        "C:\\puzzles.txt",
        "data/aaaabbbb.txt",
        "abcdefghijklmnop",
        "killer-sudoku-of-the-day.json",
        "12:30 game.txt",
    ] {
        assert!(!is_typed_puzzle(name), "{name}");
    }
}
