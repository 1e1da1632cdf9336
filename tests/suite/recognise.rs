//! `tallyboard solve FILE` and `count FILE` say which game they take a file for, and do what that game's command does.

use crate::common::PUZZLE;
use crate::common::runs::{Folder, run_with_input};

/// The first two options, items and options of a cover in Knuth's format.
const COVER: &str = "a b c d\na b\nc d\na c\nb d\na\nb c d\n";
const RULES: &str = "size 4\ndiagonal falling\ngivens\n12..\n34..\n..2.\n....\n";

#[test]
fn files_of_each_game_are_recognised() {
    let here = Folder::new();
    here.write("puzzle", PUZZLE);
    here.write("many", format!("{PUZZLE}\n{PUZZLE}\n"));
    here.write("table.csv", format!("puzzle\n{PUZZLE}\n"));
    here.write("rules", RULES);
    here.write("options", COVER);
    here.write("http", "http b\nhttp\nb\nhttp b\n");
    // Puzzles of other programs are theirs whether they have rules or not, and so is what is wrong with them.
    here.write("six", "12....\n......\n..3...\n......\n....4.\n......\n");
    let cells = vec![["{}"; 4].join(","); 4].join("],[");
    here.write("plain", format!("{{\"size\": 4, \"grid\": [[{cells}]]}}"));
    here.write("id", "2x2:a1b2_3c4d1a\n");
    here.write("short", "https://sudokupad.app/abcdefghij\n");
    here.write("penpa", "https://example.org/penpa-edit/#m=edit&p=7VVNb9s4\n");
    here.write(
        "burr",
        "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"2\"/>\n</puzzle>\n",
    );
    let cage = "<sudokugroups at=\"0\"/><cage operator=\"4\" value=\"3\" size=\"2\">0 1</cage>";
    let graph = "type=\"custom\" order=\"4\" sizeX=\"4\" sizeY=\"4\" sizeZ=\"1\"";
    let blank = "_".repeat(16);
    here.write(
        "killer",
        format!("<ksudoku><graph {graph}>{cage}</graph><values>{blank}</values></ksudoku>"),
    );
    // Two records whose second has no line break, and one of another size among three.
    here.write("two", format!("{PUZZLE}\n{PUZZLE}"));
    here.write("mixed", format!("{PUZZLE}\n1020043130400003\n{PUZZLE}\n"));
    // Nine signs, of which 0 is the blank: no board of nine regions.
    here.write("zeros", PUZZLE.replace(['.', '1'], "0"));
    here.write("cages", "|A|B|B|\n|A|C|D|\n|E|C|D|\nA=2/,B=6x,C=3x,D=1-,E=3\n");
    here.write("signs", "0<0 0<0\n\n3 0 0 0\n  v\n0 0 0>0\n\n0 0 0 0\n");
    here.write("list", "3\n+ 3 0,0 0,1\n+ 6 0,2 1,2 2,2\n* 12 1,0 1,1 2,0 2,1\n");
    here.write(
        "heights",
        "  3 . . .\n4 . . . . .\n. . . . . 2\n. . . . . .\n. . . . . .\n  . . 2 3\n",
    );
    here.write("sized", "4\n12..\n34..\n..2.\n....\n");
    here.write("stars", "4\n1\nAABB\nAABB\nCCDD\nCCDD\n");
    here.write(
        "python",
        "board = [\n  [0, 0, 1, 1],\n  [0, 0, 1, 1],\n  [2, 2, 3, 3],\n  [2, 2, 3, 3],\n]\n",
    );
    for (file, verb, same) in [
        ("signs", "count", "variant count signs"),
        ("list", "solve", "variant solve list"),
        ("heights", "count", "variant count heights"),
        ("sized", "count", "sudoku count sized"),
        ("stars", "count", "regions count stars"),
        ("python", "count", "regions count python"),
        ("puzzle", "solve", "sudoku solve puzzle"),
        ("zeros", "solve", "sudoku solve zeros"),
        ("cages", "count", "variant count cages"),
        ("many", "solve", "sudoku solve many"),
        ("many", "count", "sudoku count many"),
        ("table.csv", "count", "sudoku count table.csv"),
        ("rules", "solve", "variant solve rules"),
        ("rules", "count", "variant count rules"),
        ("options", "solve", "cover list options --limit=1"),
        ("options", "count", "cover count options"),
        ("http", "count", "cover count http"),
        ("six", "count", "variant count six"),
        ("plain", "count", "variant count plain"),
        ("id", "count", "variant count id"),
        ("two", "count", "sudoku count two"),
        ("mixed", "count", "sudoku count mixed"),
        ("short", "count", "variant count short"),
        ("penpa", "count", "variant count penpa"),
        ("burr", "count", "cover count burr"),
        ("killer", "count", "variant count killer"),
    ] {
        let (code, answer, said) = here.told(&format!("{verb} {file}"));
        let words: Vec<&str> = same.split(' ').filter(|word| *word != file).collect();
        let taken = format!("as by `tallyboard {}`", words.join(" "));
        assert!(said.contains(&taken), "{verb} {file}: {said}");
        let first = |text: &str| text.lines().next().map(str::to_owned);
        let (expected_code, expected, _) = here.told(same);
        assert_eq!((code, first(&answer)), (expected_code, first(&expected)), "{verb} {file}");
    }
    assert_eq!(here.said("-q count rules"), "");
    // Lines of one word each are no problem of one item.
    here.write("words", "\"1!,2;2,1!\"\n\"1!,2;2,1!\"\n");
    assert!(here.said("count words").contains("found none of the formats"));
    for (text, looks) in [
        ("p cnf 3 2\n1 -3 0\n2 3 -1 0\n", "it looks like a SAT problem in DIMACS"),
        ("<!DOCTYPE html>\n<html></html>\n", "it looks like a web page"),
        (
            "import sys\n\ndef solve(board):\n    return 0\n",
            "it looks like the source of a program",
        ),
    ] {
        here.write("other", text);
        here.says("count other", looks);
    }
    // A matrix of 81 columns may be meant as sudokus.
    here.write("wide", format!("1{0}\n{0}1\n", "0".repeat(80)));
    assert!(here.said("count wide").contains("it reads as exact covers, too: --as cover"));
}

/// Sudokus and variants have these sizes, too, and digits.
#[test]
fn boards_are_regions_where_rows_repeat_a_sign() {
    let here = Folder::new();
    here.write("four", "AABB\nAABB\nCCDD\nCCDD\n");
    here.write("line", "AABBAABBCCDDCCDD\n");
    here.succeed("regions generate 1 --size 16 --seed 1 -o sixteen");
    here.succeed("regions generate 1 --size 9 --seed 1 -o nine");
    here.write("digits", "1122\n1122\n3344\n3344\n");
    here.write("six", "112233\n112233\n112233\n445566\n445566\n445566\n");
    let letters = "ABCDEFGHI";
    let digit = |sign| letters.find(sign).map_or(sign, |at| char::from(b'1' + at as u8));
    here.write("nine-digits", here.read("nine").chars().map(digit).collect::<String>());
    for file in ["four", "line", "sixteen", "nine", "digits", "six", "nine-digits"] {
        here.says(&format!("solve {file}"), "as by `tallyboard regions solve`");
    }
    // A full sudoku stays one, also with one mistake, and a full grid of six rows a variant.
    here.write("full", "1234\n3412\n2143\n4321\n");
    here.write("wrong", "1234\n3412\n2143\n4322\n");
    for file in ["full", "wrong"] {
        here.says(&format!("solve {file}"), "as by `tallyboard sudoku solve`");
    }
    here.write("full-six", "123456\n456123\n231564\n564231\n312645\n645313\n");
    here.says("solve full-six", "as by `tallyboard variant solve`");
}

/// Of a large file only the head is read to know sudokus, and the whole where that says nothing: it ends within a word.
#[test]
fn files_about_as_long_as_what_is_looked_at_are_recognised() {
    const HEAD_BYTES: usize = 1 << 20;
    let here = Folder::new();
    let first = "alpha beta\n";
    for (game, head, piece) in [
        ("cover list --limit=1", first, "alpha beta\n"),
        ("variant solve", RULES, "# a remark of some length\n"),
        ("sudoku solve", "", "1234341221434321\n"),
        ("regions solve", "", "AABBAABBCCDDCCDD\n"),
    ] {
        for more in -1..=2_isize {
            // As many pieces as fill the head but for one, itself, or with one or two more.
            let pieces = ((HEAD_BYTES - head.len()) / piece.len()).strict_add_signed(more);
            let text = head.to_owned() + &piece.repeat(pieces);
            let bytes = text.len();
            here.write("file", text);
            let taken = format!("as by `tallyboard {game}`");
            here.says("solve file --limit 1", taken.as_str());
            assert_eq!(bytes > HEAD_BYTES, more > 0, "{game}: {bytes}");
        }
    }
}

#[test]
fn a_game_that_is_named_is_taken() {
    let here = Folder::new();
    here.write("options", COVER);
    here.prints("count options --as cover -q", "3");
    here.fail("count options --as sudoku", 1);
    here.fails("count options --as chess", 2, "variant, sudoku, regions, cover");
}

/// A 4 x 4 with a diagonal, as f-puzzles links to it.
const LINK: &str = "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZY8qhACZ6jFu04wewKVwC6yQiFKVqAZhFNW8Dt15L+1FOlFadk3jPmEZe5QPjDjm8bulXpFz2/khsEEmgA9szkALQukkA===";

#[test]
fn a_link_is_a_file_that_holds_it() {
    let here = Folder::new();
    here.write("link", LINK);
    let answer = here.succeed(&format!("-q solve {LINK}"));
    assert_eq!(answer, here.succeed("-q variant solve link"));
    assert!(answer.starts_with("1234\n3412\n"), "{answer}");
    // A name without the puzzle is told as such, by the reader of links.
    here.fails("solve https://www.f-puzzles.com/?id=abc", 2, "<link>");
    here.fails("variant solve https://www.f-puzzles.com/?id=abc", 2, "export");
}

#[test]
fn what_is_no_file_of_a_game_is_refused_with_what_to_do() {
    let here = Folder::new();
    here.write("noise", b"\x00\xff\xfe".as_slice());
    for game in ["variant", "sudoku", "regions", "cover"] {
        here.fails("solve noise", 2, &format!("\n  --as {game}: "));
    }
    here.write("placements", "[5, 2, 4, 7, 3, 8, 6, 1]\n----------\n");
    here.fails("solve placements", 2, "`tallyboard queens check placements`");
    here.write("numbers", "9\n9 9 1\n");
    assert!(!here.said("solve numbers").contains("queens check"));
    here.fails("count 8", 2, "`tallyboard queens count 8`");
    here.fail("count none", 1);
}

/// What was read of a stream to know its game is there for the game's command.
#[test]
fn streams_are_recognised_and_lose_nothing() {
    const HEAD_BYTES: usize = 1 << 20;
    // Shorter than what is looked at, as long, and longer; each of these numbers ends within a line but the first.
    let line = format!("{PUZZLE}\n");
    for bytes in [10 * line.len(), HEAD_BYTES - 1, HEAD_BYTES, HEAD_BYTES + 1, 2 * HEAD_BYTES] {
        let mut text = line.repeat(bytes / line.len() + 1);
        text.truncate(bytes);
        for name in ["-", "/dev/stdin"] {
            let (code, rows, said) = run_with_input(&format!("solve {name}"), &text);
            let (alone, expected, _) = run_with_input("sudoku solve", &text);
            assert_eq!((code, &rows), (alone, &expected), "{bytes} from {name}: {said}");
            assert!(said.contains("as by `tallyboard sudoku solve`"), "{said}");
        }
    }
}

/// A count reads its file several times, which a stream allows that was read to its end.
#[test]
fn a_stream_that_was_read_whole_is_counted() {
    let long = format!("{}{}", COVER, "a b\n".repeat(300_000));
    for (text, count) in [(COVER, "3\n"), (&long, "300003\n")] {
        for name in ["-", "/dev/stdin"] {
            let (code, count_found, said) = run_with_input(&format!("-q count {name}"), text);
            assert_eq!((code, count_found.as_str()), (0, count), "{name}: {said}");
        }
    }
    let board = "AABBC\nADDDC\nADDDC\nADDDE\nDDDEE\n";
    let verified = "all agree; 2 subtotals compared\n";
    for (command, printed) in [
        ("count -", "1\n"),
        ("regions count -", "1\n"),
        ("regions count /dev/stdin", "1\n"),
        ("regions verify -", verified),
    ] {
        let (code, found, said) = run_with_input(&format!("-q {command}"), board);
        assert_eq!((code, found.as_str()), (0, printed), "{command}: {said}");
    }
    let drawn = "board:\n....\n....\npieces: flip\nD x any:\nxx\n";
    let (code, found, said) = run_with_input("-q cover count - --fundamental", drawn);
    assert_eq!((code, found.as_str()), (0, "4\n"), "{said}");
}
