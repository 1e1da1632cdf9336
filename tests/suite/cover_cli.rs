//! Promise: any puzzle in a file is counted, listed and planned from the command line, and mistakes in it are named.

use crate::common::runs::{Folder, confined, status_of};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A folder with the puzzle `name` of the gallery as `puzzle.txt`.
fn folder_with(name: &str) -> Folder {
    let folder = Folder::new();
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    fs::copy(gallery.join(name), folder.at("puzzle.txt")).unwrap();
    folder
}

#[test]
fn a_drawn_puzzle_is_counted_and_checked_against_its_head() {
    let folder = folder_with("L-and-P-5x8.txt");
    assert_eq!(folder.succeed("cover count puzzle.txt -q"), "1012\n");
    folder.prints(
        "cover count puzzle.txt",
        ["1,012 covers", "agrees with the known count (the file's head)"],
    );
    folder.replace("puzzle.txt", "count: 1012", "count: 1013");
    folder.fails("cover count puzzle.txt", 1, "WRONG COUNT");
}

#[test]
fn engines_formats_and_threads_count_alike() {
    let folder = folder_with("langford-8.txt");
    let counted = "150\n";
    for options in ["--engine masks", "--engine frontier", "--engine sets", "-j 1", "-j 3"] {
        assert_eq!(folder.succeed(&format!("cover count puzzle.txt -q {options}")), counted);
    }
    folder.succeed("cover convert puzzle.txt --to dlx -o options.txt");
    assert_eq!(folder.succeed("cover count options.txt -q"), counted);
}

#[test]
fn shards_add_up_to_the_count() {
    let folder = folder_with("langford-12.txt");
    folder.succeed("-q cluster plan cover puzzle.txt --shards 3 -o plan");
    folder.run_shards("plan", 0..3, "results");
    assert_eq!(folder.succeed("-q cluster merge plan results"), "108144\n");
    fs::remove_file(folder.at("puzzle.txt")).unwrap();
    folder.fails(
        "-q cluster run plan --shard 0 -o other",
        1,
        "puzzle.txt: No such file or directory",
    );
}

/// The file of the plan may be away, or another one, with a known count of its own.
#[test]
fn a_bundle_is_checked_without_its_puzzle_file() {
    let here = folder_with("langford-12.txt");
    let text = here.read("puzzle.txt");
    here.succeed("-q cluster plan cover puzzle.txt --shards 1 -o plan");
    here.succeed("-q cluster run plan --shard 0 -o results");
    here.succeed("-q cluster bundle plan results -o bundle");
    let check = || {
        let (code, report, said) = here.told("cluster check bundle");
        assert_eq!(code, 0, "{said}");
        (report, said)
    };
    let (report, said) = check();
    assert!(report.contains("agrees with the known count (the file's head)"), "{report}");
    assert_eq!(said, "");
    let other = text.replacen("n1 s1 s3\n", "", 1).replacen("count: 108144", "count: 5", 1);
    here.write("puzzle.txt", other);
    let (report, said) = check();
    assert!(report.contains(": 108,144 covers\n"), "{report}");
    assert!(report.contains("no known count to compare with"), "{report}");
    assert!(said.contains("puzzle.txt: found another problem than that of the plan; "), "{said}");
    fs::remove_file(here.at("puzzle.txt")).unwrap();
    let (report, said) = check();
    assert!(report.contains(": 108,144 covers\n"), "{report}");
    assert!(report.contains("no known count to compare with"), "{report}");
    assert!(said.contains("puzzle.txt: No such file") && said.lines().count() == 1, "{said}");
    here.fails("cluster check bundle --share 1", 2, "engine halves");
}

#[test]
fn a_count_that_is_killed_goes_on_from_its_journal() {
    let folder = folder_with("langford-12.txt");
    let words = "cover count puzzle.txt -q --engine sets --journal j --resume";
    let mut child = folder.start(words);
    std::thread::sleep(std::time::Duration::from_millis(150));
    child.kill().unwrap();
    status_of(&mut child);
    assert_eq!(folder.succeed(words), "108144\n");
}

/// A journal of another problem is told as one, whatever engine counted that.
#[test]
fn a_journal_of_another_problem_is_told_by_its_problem() {
    let folder = Folder::new();
    // One for each engine: equal states are merged, or an item is covered twice.
    folder.write("plain", "a b c d\na b\nc d\na c\nb d\na d\nb c\n");
    folder.write("twice", "2:3|a b\na\na b\na\nb\na b\n");
    for engine in ["masks", "frontier", "sets"] {
        folder.succeed(&format!("-q cover count plain --engine {engine} --journal {engine}"));
        let words = format!("cover count twice --journal {engine} --resume");
        let said = folder.fails(&words, 1, "fingerprint");
        assert!(!said.contains("cannot count"), "{engine}: {said}");
    }
}

#[test]
fn lists_are_as_long_as_counts_say() {
    let folder = folder_with("queens-8.txt");
    let all = folder.succeed("cover list puzzle.txt --json");
    assert_eq!(all.lines().count(), 92);
    let some = folder.succeed("cover list puzzle.txt --json --limit 5");
    assert_eq!(some.lines().collect::<Vec<_>>(), all.lines().take(5).collect::<Vec<_>>());
}

/// Three pieces on 3 x 4, each used once, as `docs/cover.md` draws them.
const THREE_PIECES: &str = "\
board:
....
....
....
pieces: flip
P:
xx
xx
x
L:
xxx
x
V:
xx
x
";

/// The drawing of a board turned by `turn`, which says where the cell at a row and column comes from.
fn image(board: &str, turn: impl Fn(usize, usize) -> (usize, usize)) -> String {
    let rows: Vec<&[u8]> = board.lines().map(str::as_bytes).collect();
    let mut image = String::new();
    for row in 0..rows.len() {
        for column in 0..rows[0].len() {
            let (from_row, from_column) = turn(row, column);
            image.push(rows[from_row][from_column].into());
        }
        image.push('\n');
    }
    image
}

/// The number of classes is that of the listed boards' smallest images, under the four symmetries of a rectangle.
#[test]
fn classes_are_those_of_the_listed_boards() {
    let folder = folder_with("pentominoes-3x20.txt");
    for (name, text) in [("puzzle.txt", None), ("three.txt", Some(THREE_PIECES))] {
        if let Some(text) = text {
            folder.write(name, text);
        }
        let listed = folder.succeed(&format!("cover list {name}"));
        let boards: Vec<&str> = listed.split("\n\n").map(str::trim).collect();
        assert_eq!(
            folder.succeed(&format!("cover count {name} -q")),
            format!("{}\n", boards.len())
        );
        let mut classes = BTreeSet::new();
        for board in &boards {
            let last_row = board.lines().count() - 1;
            let last_column = board.lines().next().unwrap().len() - 1;
            let images = [
                image(board, |row, column| (row, column)),
                image(board, |row, column| (last_row - row, column)),
                image(board, |row, column| (row, last_column - column)),
                image(board, |row, column| (last_row - row, last_column - column)),
            ];
            classes.insert(images.into_iter().min());
        }
        let found = folder.succeed(&format!("cover count {name} -q --fundamental"));
        assert_eq!(found, format!("{}\n", classes.len()), "{name}");
        assert!(classes.len() < boards.len());
    }
    let message = folder.fail("cover convert three.txt --to dlx -o options.txt", 0);
    assert_eq!(message, "lost in the dlx format: the drawing\n");
    let words = "cover count options.txt -q --fundamental";
    let drawn = folder.succeed(&words.replace("options", "three"));
    assert_eq!(folder.succeed(words), drawn);
    // What has symmetries as options keeps them, too.
    let again = folder.succeed("cover convert options.txt --to dlx");
    assert_eq!(again, folder.read("options.txt"));
    let message = folder.fail("cover convert three.txt --to ec -o options.txt", 0);
    let lost = "the drawing, the symmetries, the names of the items";
    assert_eq!(message, format!("lost in the ec format: {lost}\n"));
    assert_eq!(folder.fail("cover convert options.txt --to matrix -o rows.txt", 0), "");
    folder.fails("cover count options.txt --fundamental", 2, "--fundamental needs symmetries");
}

/// Options whose symmetries a comment names: four rooks, turned and turned over.
#[test]
fn classes_are_those_of_named_symmetries() {
    let folder = Folder::new();
    let mut text =
        "| symmetry: (r0 c0 r3 c3)(r1 c1 r2 c2)\n| symmetry: (r0 r3)(r1 r2)\n".to_owned();
    text += "r0 r1 r2 r3 c0 c1 c2 c3\n";
    for row in 0..4 {
        text.extend((0..4).map(|column| format!("r{row} c{column}\n")));
    }
    folder.write("rooks.txt", &text);
    assert_eq!(folder.succeed("cover count rooks.txt -q"), "24\n");
    assert_eq!(folder.succeed("cover count rooks.txt -q --fundamental"), "7\n");
    folder.prints("cover explain rooks.txt", " 8 symmetries made by those that the file names");
    folder.write("wrong.txt", text.replacen("r0 c0", "r0 c1", 1));
    folder.fails(
        "cover count wrong.txt --fundamental",
        2,
        "wrong.txt, line 1: found the item 'c1' twice",
    );
}

/// What `cover explain` says of the items and options is what the same problem has in Knuth's format.
#[test]
fn explain_counts_items_and_options() {
    let folder = folder_with("queens-8.txt");
    let text = folder.succeed("cover convert puzzle.txt --to dlx");
    let mut lines = text.lines().filter(|line| !line.starts_with('|'));
    let (primary, secondary) = lines.next().unwrap().split_once('|').unwrap();
    let found = folder.succeed("cover explain puzzle.txt");
    for (number, what) in [
        (primary.split_whitespace().count(), "items have to be covered"),
        (secondary.split_whitespace().count(), "items may be covered"),
        (lines.count(), "options"),
    ] {
        assert!(found.contains(&format!(" {number} {what}\n")), "{number} {what}: {found}");
    }
}

#[test]
fn mistakes_are_named_with_their_line() {
    let folder = Folder::new();
    for (text, expected) in [
        ("a b c\na d\n", "line 2"),
        ("a b c\na a\n", "line 2"),
        ("board:\n..\n..\nL:\nxxxx\n", "L"),
        ("", "found"),
    ] {
        folder.write("p", text);
        folder.fails("cover count p", 2, expected);
    }
    folder.fails("cover count missing.txt", 1, "missing.txt");
}

/// A remainder is checked against the file's head, and its journal is not that of the count.
#[test]
fn remainders_are_counted() {
    let folder = folder_with("langford-12.txt");
    let words = "cover count puzzle.txt -q --modulo 1009 --journal j";
    assert_eq!(folder.succeed(words), format!("{}\n", 108_144 % 1_009));
    folder.prints(
        "cover count puzzle.txt --modulo 1009 --journal j --resume",
        ["covers of puzzle.txt modulo 1009: 181 covers", "agrees with the known count"],
    );
    folder.fail("cover count puzzle.txt --modulo 1010 --journal j --resume", 1);
    folder.fail("cover count puzzle.txt --journal j --resume", 1);
    folder.fail("cover count puzzle.txt --modulo 1", 2);
    folder.fail("cover count puzzle.txt --modulo 7 --fundamental", 2);
    folder.succeed("-q cluster plan cover puzzle.txt --modulo 1009 --shards 2 -o plan");
    folder.run_shards("plan", 0..2, "results");
    assert_eq!(folder.succeed("-q cluster merge plan results"), "181\n");
    folder.succeed("-q cluster bundle plan results -o bundle");
    folder.prints("cluster check bundle", ["modulo=1009"]);
}

#[test]
fn a_count_of_more_than_128_bits_says_what_to_do() {
    let folder = Folder::new();
    let items: Vec<String> = (0..128).map(|item| format!("i{item}")).collect();
    let options: String = items.iter().map(|item| format!("{item}\n{item}\n")).collect();
    let text = format!(
        "| count: {}\n{}\n{options}",
        "340282366920938463463374607431768211456",
        items.join(" ")
    );
    folder.write("p", text);
    for engine in ["auto", "frontier"] {
        folder.fails(
            &format!("cover count p --engine {engine}"),
            2,
            "more than 2^128 - 1 covers: --modulo M counts",
        );
    }
    // 2^128 modulo 1000.
    assert_eq!(folder.succeed("cover count p -q --modulo 1000"), "456\n");
}

/// A page has as many boards as the list has covers, up to its limit, and says so if there are more.
#[test]
fn covers_are_drawn() {
    let folder = folder_with("soma.txt");
    let boards = |path: &str| {
        let svg = folder.read(path);
        svg.matches("class=\"p0\"").count()
    };
    let printed = folder.succeed("cover list puzzle.txt --limit 7 --svg seven.svg");
    assert_eq!((printed.as_str(), boards("seven.svg")), ("", 7));
    folder.says("cover list puzzle.txt --svg many.svg", "it has the first 200");
    assert_eq!(boards("many.svg"), 200);
    assert_eq!(folder.fail("cover list puzzle.txt --limit 200 --svg all.svg", 0), "");
    // Text is written beside the picture if it is asked for.
    let words = "cover list puzzle.txt --limit 3 --svg three.svg --json -o three.json";
    folder.succeed(words);
    assert_eq!(folder.read("three.json").lines().count(), 3);
    assert_eq!(boards("three.svg"), 3);
    // Options with items that are cells are drawn, others are not.
    folder.succeed("cover convert puzzle.txt --to dlx -o options.txt");
    folder.succeed("cover list options.txt --limit 3 --svg options.svg");
    let [drawn, listed] = ["three.svg", "options.svg"].map(|name| folder.read(name));
    assert_eq!(drawn, listed);
    folder.write("letters.txt", "a b\na\nb\n");
    folder.fails("cover list letters.txt --svg letters.svg", 2, "puzzles with cells");
    folder.fails("cover list puzzle.txt --svg puzzle.txt", 2, "is read here");
}

/// The covers that a symmetry leaves as they are can be those of several problems, whose counts are added.
#[test]
fn pieces_that_are_used_several_times_are_counted_up_to_symmetry() {
    let folder = Folder::new();
    let board = "board:\n....\n....\npieces:\nD x 4:\nxx\n";
    folder.write("puzzle.txt", board);
    let words = "cover count puzzle.txt --fundamental";
    for threads in [1, 2] {
        let printed = folder.succeed(&format!("{words} -j {threads}"));
        // Of the five, two are mirror images of each other.
        assert!(
            printed.starts_with("covers of puzzle.txt: 5 covers\n4 up to the board"),
            "{printed}"
        );
    }
}

/// Pieces with and without an item of their own: bounded, once, and any number of times.
#[test]
fn options_of_a_drawn_puzzle_name_their_pieces() {
    let folder = Folder::new();
    let drawn = "board:\n....\n....\npieces:\nM x any:\n#\nD x 0..2:\n##\nL:\n#.\n##\n";
    folder.write("p", drawn);
    let listed = folder.succeed("cover list p --json");
    let mut names_seen = BTreeSet::new();
    for line in listed.lines() {
        let options: Vec<String> = serde_json::from_str(line).unwrap();
        let mut cells = Vec::new();
        for option in &options {
            let (name, covered) = option.split_once(' ').unwrap();
            let size = covered.split(' ').count();
            assert_eq!(name, ["", "M", "D", "L"][size], "{option}");
            names_seen.insert(name.to_owned());
            cells.extend(covered.split(' ').map(str::to_owned));
        }
        cells.sort();
        let board = [1, 2, 3, 4].map(|column| [1, 2].map(|row| format!("{column},{row},1")));
        assert_eq!(cells, board.concat(), "{line}");
    }
    assert_eq!(names_seen.len(), 3, "{listed}");
    assert_eq!(listed.lines().count().to_string() + "\n", folder.succeed("cover count p -q"));
}

#[test]
fn journals_are_shown_in_the_words_of_their_games() {
    let folder = folder_with("dominoes-8x8.txt");
    folder.write("rules", "size 4\n");
    for (words, journal, subtotal) in [
        ("queens count 8", "q", "subtotal 92 solutions"),
        ("cover count puzzle.txt", "c", "subtotal 12,988,816 covers"),
        ("variant count rules", "v", "subtotal 288 solutions"),
    ] {
        folder.succeed(&format!("-q {words} --journal {journal}"));
        let shown = folder.succeed(&format!("show {journal}"));
        assert!(shown.lines().any(|line| line == subtotal), "{words}: {shown}");
    }
}

#[test]
fn remainders_are_by_numbers_from_2_to_the_last_of_64_bits() {
    let folder = folder_with("dominoes-8x8.txt");
    let most = u64::MAX.to_string();
    for (modulus, remainder) in [("2", "0"), ("7", "1"), (&*most, "12988816")] {
        let words = format!("cover count puzzle.txt -q --modulo {modulus}");
        assert_eq!(folder.succeed(&words), format!("{remainder}\n"));
    }
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cover.md"));
    assert!(page.unwrap().contains("the remainder by a number from 2 to 2^64 - 1"));
    for beyond in ["0", "1", "18446744073709551616"] {
        let words = format!("cover count puzzle.txt -q --modulo {beyond}");
        folder.fails(&words, 2, beyond);
    }
    folder.fails("cover count puzzle.txt --modulo 1", 2, &format!("2..={most}"));
}

/// Threads reserve address space: what is left was once named after that, "0 bytes". Of the 292 MiB the program
/// and its libraries have some 20, and the allocator's heaps for the threads that run already 64 each.
#[test]
#[cfg(target_os = "linux")]
fn the_limit_that_refuses_a_count_is_told_as_it_is() {
    let folder = folder_with("langford-12.txt");
    let (code, _, message) = confined(&folder, 300_000, "cover count puzzle.txt -j 4");
    assert_eq!(code, 1, "{message}");
    let figure = |before: &str| -> u64 {
        let rest = message.split(before).nth(1).unwrap();
        rest.split(" MiB").next().unwrap().parse().unwrap()
    };
    let needed = figure("the count needs ");
    let left = figure("threads, ");
    assert!((40..293).contains(&left) && needed > left, "{message}");
    assert!(message.contains("264 MiB for its threads"), "{message}");
}

/// Dominoes on a board of 8 x 8 whose opposite corners are missing: no cover, as colours of chess show.
const MUTILATED: &str = "\
board:
#.......
........
........
........
........
........
........
.......#
pieces:
D x any:
xx
";

#[test]
fn a_sample_without_any_cover_has_no_estimate() {
    // Langford's pairs of 13 numbers: there is none unless the number or the one after it is a multiple of 4. Nothing falls apart and
    // little comes again, so the search is long enough to be split.
    let names = |letter: char, number: usize| -> String {
        (1..=number).map(|item| format!("{letter}{item} ")).collect()
    };
    let mut text = names('n', 13) + &names('s', 26) + "\n";
    for number in 1..=13 {
        for place in 1..=26 - number - 1 {
            text += &format!("n{number} s{place} s{}\n", place + number + 1);
        }
    }
    let folder = Folder::new();
    folder.write("p", text);
    let words = "cover estimate p --engine masks --subtrees 10";
    let text =
        folder.prints(words, ["none of 10 draws of ", " had a cover, so there is no estimate"]);
    // Its time has an interval, as it is estimated from the draws.
    let of_covers = text.lines().next().unwrap();
    assert!(!of_covers.contains("interval") && !text.contains("NaN"), "{text}");
    let report = folder.json(&format!("{words} --json"));
    assert_eq!((&report["solutions"], &report["draws"]), (&serde_json::Value::Null, &10.into()));
}

#[test]
fn a_file_that_was_edited_is_named_as_such() {
    let folder = folder_with("langford-12.txt");
    folder.succeed("-q cluster plan cover puzzle.txt --shards 2 -o plan");
    folder.succeed("-q cover count puzzle.txt --journal j");
    folder.write("puzzle.txt", MUTILATED);
    let differs = "the puzzle file differs from the one that was read there: its fingerprint is ";
    folder.fails(
        "-q cluster run plan --shard 0 -o results",
        42,
        [differs, "; use the file that was planned"],
    );
    let journal = folder.fail("-q cover count puzzle.txt --journal j --resume", 1);
    assert!(journal.contains(differs) && !journal.contains("engine"), "{journal}");
    let other = "-q cover count puzzle.txt --journal j --resume --engine sets --modulo 7";
    let journal = folder.fail(other, 1);
    let beside = "; modulo is nothing there and 7 here";
    assert!(journal.contains(differs) && journal.contains(beside), "{journal}");
    assert!(journal.contains("; engine is masks there and sets here"), "{journal}");
}

/// They would be commands to the terminal that a cover is printed on.
#[test]
fn names_with_control_characters_are_refused() {
    let folder = Folder::new();
    for (text, found) in [
        ("a \u{1b}[31m\na \u{1b}[31m\n", "line 1: found the name \"\\u{1b}[31m\", expected"),
        ("a | b\na b:x\u{7}\n", "line 2: found the name \"x\\u{7}\", expected"),
        (
            "board:\n..\npieces:\nD\u{9b}2J x any:\nxx\n",
            "line 4: found the piece name \"D\\u{9b}2J\"",
        ),
    ] {
        folder.write("p", text);
        folder.fails("cover list p", 2, found);
    }
}

#[test]
fn a_count_of_none_says_why() {
    let folder = Folder::new();
    for (text, why) in [
        ("board:\n....\n....\npieces:\nL:\nxx\nx\n", "the pieces have 3 cells, the board 8\n"),
        ("board:\n..A\npieces:\nD x any:\nx\n", "line 2: no piece may cover the A in column 3: "),
        ("a b c d\na b\nc\n", "no option has item d\n"),
    ] {
        folder.write("p", text);
        folder.fails("cover count p", 0, why);
        folder.prints("cover explain p", why);
        assert_eq!(folder.told("cover count p -q"), (0, "0\n".to_owned(), String::new()));
    }
    // A cover is no reason to look for faults.
    folder.write("p", "a\na\n");
    assert_eq!(folder.said("cover count p"), "");
    folder.prints("cover explain p", " 1 option\n");
}

/// It has covers, but of another puzzle than the one that was meant.
#[test]
fn a_letter_that_the_board_lacks_is_told_though_there_are_covers() {
    let folder = Folder::new();
    folder.write("p", "board:\n..\npieces:\nD x any on Q:\nxx\n");
    let why = "line 4: the piece D is on Q, the board has no Q\n";
    for words in ["cover count p", "cover list p", "cover estimate p"] {
        assert!(folder.said(words).contains(why), "{words}");
    }
    folder.prints("cover explain p", why);
    assert_eq!(folder.told("cover count p -q"), (0, "1\n".to_owned(), String::new()));
    folder.write("p", "board:\n.Q\npieces:\nD x any on Q:\nxx\n");
    assert_eq!(folder.said("cover list p"), "");
}

#[test]
fn a_page_that_ends_at_its_limit_says_so() {
    let folder = Folder::new();
    folder.write("p", "board:\n..\n..\npieces:\nD x any:\nxx\n");
    for (limit, title) in
        [("--limit 1", "the first cover"), ("--limit 9", "2 covers"), ("", "2 covers")]
    {
        folder.succeed(&format!("cover list p --svg page.svg {limit}"));
        let page = folder.read("page.svg");
        assert!(page.contains(&format!(">{title}<")), "{limit}: {page}");
    }
}
