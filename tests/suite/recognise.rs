//! `tallyboard solve FILE` and `count FILE` say which game they take a file for, and do what that game's command does.

use std::io::Write;
use std::process::Stdio;

use tallyboard::variants::WholeGrid;

use crate::common::PUZZLE;
use crate::common::runs::{Folder, PROGRAM, ended, run_with_input, shell};

/// The first two options, items and options of a cover in Knuth's format.
const COVER: &str = "a b c d\na b\nc d\na c\nb d\na\nb c d\n";
const RULES: &str = "size 4\ndiagonal falling\ngivens\n12..\n34..\n..2.\n....\n";

/// A board of four tiles, and a domino that turns, as polysolve has them.
const POLYSOLVE: &str = r#"{"grid": "square", "board": {"tiles": [[1, 1], [1, 1]]},
    "shapes": [{"mobility": "rotate", "morphs": [{"tiles": [[1, 1]]}]}]}"#;

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
    // A word of the text form above a sudoku is no rule.
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
    here.write("named", format!("size 9\ngivens\n{}\n", rows.join("\n")));
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
    let six = "123456\n456123\n231564\n564231\n312645\n645312\n";
    here.write("two-six", format!("{six}\n{six}"));
    here.write("sized", "4\n12..\n34..\n..2.\n....\n");
    here.write("stars", "4\n1\nAABB\nAABB\nCCDD\nCCDD\n");
    here.write(
        "python",
        "board = [\n  [0, 0, 1, 1],\n  [0, 0, 1, 1],\n  [2, 2, 3, 3],\n  [2, 2, 3, 3],\n]\n",
    );
    for (file, verb, same) in [
        ("signs", "count", "variant count signs"),
        ("two-six", "count", "variant count two-six"),
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
        ("named", "solve", "sudoku solve named"),
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
    // Two bits beside each digit, as the judges of a contest print walls.
    let walls = "144 18 112 208 80 25 54 144 48\n".repeat(9);
    for (text, looks) in [
        ("p cnf 3 2\n1 -3 0\n2 3 -1 0\n", "it looks like a SAT problem in DIMACS"),
        ("(0,0) (0,1) (1,0) (1,1)\n(0,0) (0,1)\n(0,0)\n", "it looks like the cells of shapes"),
        (
            "https://puzz.link/p?slither/4/4/dg2dgdd\n",
            "a puzzle of puzz.link of the genre slither, whose",
        ),
        ("pzprv3\nnurikabe\n1\n4\n. 1 . .\n", "a puzzle of puzz.link of the genre nurikabe, whose"),
        (
            "https://puzz.link/p?starbattle/5/5/1/\n",
            "of the genre starbattle with a mistake in it, which --as regions names",
        ),
        ("problem(1, [[_,_,3],\n[_,1,_]]).\n", "it looks like facts of Prolog"),
        (&walls, "it looks like cells and their walls"),
        ("3 2 2 2 1 1 2 1 2\n5 2 2 2 1 1 4 1 2\n", "it looks like a rectangle and its tiles"),
        (POLYSOLVE, "it looks like a puzzle of polysolve: draw the board below a line `board:`"),
        ("\u{3}\u{3}\u{5}\u{1}\u{4}\n", "it looks like data that are no text"),
        ("a28,b28,ab27\n", "it looks like squares of a chessboard"),
        ("<!DOCTYPE html>\n<html></html>\n", "it looks like a web page"),
        (
            "import sys\n\ndef solve(board):\n    return 0\n",
            "it looks like the source of a program",
        ),
    ] {
        here.write("other", text);
        here.says("count other", looks);
    }
    // Four of the rows of a matrix below its dimension are no sudoku.
    here.write("matrix", "4\n1 0 0 0\n0 1 1 0\n1 0 0 1\n0 0 1 1\n0 1 0 0\n0 0 1 0\n");
    here.prints("count matrix -q", "3");
    // A matrix of 81 columns may be meant as sudokus.
    here.write("wide", format!("1{0}\n{0}1\n", "0".repeat(80)));
    assert!(here.said("count wide").contains("it reads as exact covers, too: --as cover"));
}

/// Penpa does not say what a board is, but a number of stars stands beside one.
#[test]
fn star_battles_of_penpa_are_boards() {
    const LINK: &str = "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7ZRLb9pAEMfvfIpoz3PYh429vtEUeqHpA6oKWShyiFtQQU4NVNUif/fOjCfYUiNF4VDlUK129PM8dv/e1/7nsahLSLG5FDQYbJGPuLsk5q6lzTeHbZldweh4WFc1AsCHyQS+Fdt9OcgN15rl4BR8FkYQ3mW5sgq4G7WE8Ck7hfdZGEOYYUhhLoQpklFgEccdfuU40XXrNBr5Rhhxgbja1KtteTttPR+zPMxB0TxvuJpQ7apfpWrL+HtV7e425LgrDvgz+/XmQSL7433146gep2ggjFq5iyfkuk6uO8t1T8u1Ind/KOqLpLaFf4v0y6bBxf6MMm+znBR/6TDtcJadGlJzUs48/h/vCHoNxxYUsxizILNZCk44aNnOcSwIju1btpptzHbKOWMcxqQOTBqpDIcyCXHcchr1eIicCCfIqTDme8nxMfJQGPN90tV6yfdJj1Nkf661us23etjjBLmrtdqL34M1WvzERvwpWNv6rfEdW40sOYbYit90bIhdV+sk36HfSY6zyJLjHHIk4xDH4o96jLUR5Td05mjJr9lGbIe8FQlt+ouORf8YXLbrz8rJnQdzbsnlvBzkanz/vby6qepdscVrMVsXD6XCV6cZqN+Ke+7oEfv/EP3Th4gWXr+2c/fa5OBN4FVsNx1P7R8=";
    const WITHOUT_NUMBER: &str = "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7ZRNj9owEIbv/IqVz3PwR0Ji3+gWeqHbD6gqFKFVlk0LKijbAFVllP/emcmUIHWlShyqPVSWR0/G7zhvbMf778eyqSDH5nLQYLAlPuHuspS7ljbfHLZVuIHR8bCuGwSAd5MJfCm3+2pQGK41y8Ep+hBHEN+EQlkF3I1aQvwQTvFtiGOIMxxSqIU4RTIKLOK4x888TnTbJY1GvhNGXCCuNs1qW91Pu8z7UMQ5KHrPK64mVLv6R6W6Mn5e1buHDSUeygN+zH69eZKR/fGx/nZUv1/RQhx1dhfP2HW9XXe26563a8Xu/lA2V1ntCv806Zdti4v9EW3eh4Icf+ox73EWTi25oWg4LsJJJRqnsSCzWxJOeNBynGMtRMfxNUfNMeU4Zc0YpzG5A5MnKuBUJiNOO86TCx4iZ8IZci6Mei8anyIPhVHvs77Wi95nF5wj+3Ot1Z3e6uEFZ8h9rdVe8h6s0ZInNpLPwdoub43v2Wpk0RhiK3nTsyF2fa0TvcO8E42zyKJxDjmReYhTyScXjLUJ6Vs6Y7TktxwTjkPeiow2+epjcN2u/9VO4TyYc8uu5+WgUOPHr9XNXd3syi3+BrN1+VQpvGXagfqpuBeOLq3/F88/vXho4fVLO3cvzQ7+CbyK3abjqf0F";
    const MORE_DRAWN: &str = "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7ZRLa9tAEMfv/hRhz3PYh2Rp9+amdi9u+rBLMUIExVFrUxulkl3KGn33zo4mliCBJjmUHMqyw0/zWP21O9rm57GoS0hxmBQkKByRjWiaJKYpeSy3h13pLmByPGyqGgHgw2wG34pdU44yRbUqH528dX4C/p3LhBZAU4kc/Cd38u+dn4JfYEhgLvg5khKgEac9fqV4oMvOqSTyFTPiCnG9rde78nreeT66zC9BhPe8oeqAYl/9KkVXRs/ran+zDY6b4oAf02y2dxxpjrfVj6O4f0ULftLJXT0i1/RyzVmueVyuZrnNoahfJLUrfCjS5m2Lm/0ZZV67LCj+0mPa48Kd2qDmJIy6/z46EfQqiq1CTGNMA79Nh+CMgprs0mWZsRDJHFUbXBj8W7KSbEx2TqlTXE2lBlQaCYcrqiRw3HEaDXiMnDAnyCkz5lvOsTHymBnzbdLXWs63yYBTZHuu1bLL13I84AS5r9XSst+CVpL9gRX7U9C682tle9YSmXNUYM1+1bMKbPpaw/kG/YZzjEbmHGOQI14ncMz+aMBYG4X8NrRe2PJLshHZMR1FEs7+Wd0x7IaHh/+UU/+rnNBB6jySl3M+ysT09nt5cVXV+2KHf8diU9yVAi+fdiR+C5qZCXfZ//von95HYePla+u71yYH/wTaxe7QsWv/AA==";
    let here = Folder::new();
    here.write("link", LINK);
    here.write("two", format!("# of a magazine\n{LINK}\n\n{LINK}\n"));
    here.write("given", WITHOUT_NUMBER);
    here.write("more", MORE_DRAWN);
    let row = "AAABBBABBBCCADDEECFFDDECFEEEECFCCCCC\t1\t2 4 6 3 5 1";
    here.prints("-q solve link", row);
    here.prints("-q regions solve two", &*format!("{row}\n{row}"));
    // More than the bytes that tell what a file is, with a comment and a link that is none behind them.
    here.write(
        "many",
        format!("{}# the last\n{LINK}\nhttp://none\n", format!("{LINK}\n").repeat(150)),
    );
    for command in ["-q regions solve many", "-q solve many"] {
        let (code, rows, errors) = here.told(command);
        assert_eq!(
            (code, rows.matches(row).count(), rows.lines().count()),
            (1, 151, 152),
            "{errors}"
        );
        assert!(errors.contains("many:153: found"), "{errors}");
    }
    here.prints("-q count given", "1");
    let said = here.said("count link");
    assert!(
        said.contains("taken for boards of coloured regions, as by `tallyboard regions count`"),
        "{said}"
    );
    here.says("regions count more", "found what is only drawn (1 thermo)");
    here.fails(
        "variant count link",
        2,
        "found a star battle of Penpa, expected a sudoku; `tallyboard regions`",
    );
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
    // Behind an option of the game's command, too; and there -q leaves out the remark.
    for words in
        ["count options --engine sets --as cover -q", "count options --engine=sets -q --as=cover"]
    {
        let (code, out, err) = here.told(words);
        assert_eq!((code, &*out, &*err), (0, "3\n", ""), "{words}");
    }
    here.fails("count options --engine sets --as chess", 2, "chess");
    here.fails("count options --engine sets --as", 2, "expected the name of a game");
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

/// Boards of queens are of no game with verbs, and some verbs are commands of queens.
#[test]
fn a_board_of_queens_is_refused_with_the_command_that_takes_it() {
    let here = Folder::new();
    here.write("board.txt", "..*.\n....\nQ...\n....\n");
    for verb in ["list", "tally", "verify"] {
        let command = format!("queens {verb} board.txt");
        here.fails(&format!("{verb} board.txt"), 2, &format!("`tallyboard {command}` takes it\n"));
        here.succeed(&command);
    }
    for verb in ["draw", "explain", "estimate", "convert", "describe"] {
        here.fails(&format!("{verb} board.txt"), 2, &format!("nothing to {verb}\n"));
    }
}

#[test]
fn what_is_no_file_of_a_game_is_refused_with_what_to_do() {
    let here = Folder::new();
    here.write("noise", b"\x00\xff\xfe".as_slice());
    // The two nearest formats are named, of a game each.
    here.write("near", "a b c d e\na b\nc d\na f\n");
    for file in ["noise", "near"] {
        let said = here.fails(&format!("solve {file}"), 2, "found none of the formats");
        assert_eq!(said.matches("\n  --as ").count(), 2, "{said}");
    }
    here.fails("solve near", 2, "\n  --as cover (dlx): line 4: found 'f' in an option");
    here.write("placements", "[5, 2, 4, 7, 3, 8, 6, 1]\n----------\n");
    for verb in ["solve", "count"] {
        here.says(&format!("{verb} placements"), "as by `tallyboard queens check`");
    }
    assert_eq!(here.succeed("count placements"), here.succeed("queens check placements"));
    here.write("maker", "A puzzle: https://sudokumaker.app/?puzzle=N4IgZg9gTg\n");
    here.fails("count maker", 2, "cannot be decompressed");
    here.write("json", "{\"Blocks\": [{\"Type\": 1, \"Cells\": 3}]}");
    here.fails("count json", 2, "docs/formats.md");
    here.write("squares", "8 8\na1\nb3\n");
    here.fails("count squares", 2, "queens count 8 --place a1,b3");
    here.write("givens", "start\n0 0 4\n4 0 3\n3 1 6\n6 1 8\n8 2 1\n4 3 5\n7 3 9\n1 4 8\nend\n");
    here.fails("count givens", 2, "givens by row, column and value");
    for pieces in [
        "3 2\n101\n111\n111\n\n1\n111\n\n2\n101\n111\n",
        "Cube_3\n2\n\n**\n\n3\n\n** / *.\n\n4\n\n** / **\n\n-\n",
    ] {
        here.write("pieces", pieces);
        here.fails("count pieces", 2, "a line `board:`");
    }
    here.write("numbers", "9\n9 9 1\n");
    assert!(!here.said("solve numbers").contains("queens check"));
    here.fails("count 8", 2, "`tallyboard queens count 8`");
    here.fail("count none", 1);
}

/// The grid of a jigsaw whose regions are elsewhere, and what is a sudoku without a solution for another reason.
#[test]
fn a_value_twice_in_a_box_alone_may_be_of_a_jigsaw() {
    let here = Folder::new();
    let mut cells = [b'.'; 81];
    (cells[0], cells[10]) = (b'7', b'7');
    let with = |name: &str, more: Option<usize>| {
        let mut cells = cells;
        more.into_iter().for_each(|cell| cells[cell] = b'7');
        let rows: Vec<&str> = cells.chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        here.write(name, rows.join("\n"));
    };
    with("jigsaw", None);
    with("row", Some(8));
    with("column", Some(72));
    here.write("line", String::from_utf8(cells.to_vec()).unwrap());
    here.write("small", "1...\n.1..\n....\n....\n");
    here.write("two", format!("{0}\n{0}\n", str::from_utf8(&cells).unwrap()));
    here.write("right", PUZZLE);
    let note = "a value stands twice in a box, but in no row or column";
    for (file, is_noted) in [
        ("jigsaw", true),
        ("line", true),
        ("small", true),
        ("row", false),
        ("column", false),
        ("right", false),
        ("two", false),
    ] {
        let said = here.said(&format!("solve {file}"));
        assert_eq!(said.contains(note), is_noted, "{file}: {said}");
    }
    here.prints("count line -q", "0");
}

#[test]
fn a_board_with_one_solution_for_two_stars_alone_is_noted() {
    let here = Folder::new();
    here.succeed("regions generate 1 --size 9 --seed 1 -o one");
    here.succeed("regions generate 1 --size 9 --stars 2 --seed 1 -o two");
    here.prints("-q regions count two --stars 2", "1");
    let rows = here.read("two").lines().next().unwrap()[..81].to_owned();
    let rows: Vec<&str> = (0..9).map(|row| &rows[9 * row..][..9]).collect();
    here.write("stated", format!("9\n2\n{}\n", rows.join("\n")));
    let note = "with --stars 2 it has";
    for (command, is_noted) in [
        ("one", false),
        ("two", true),
        ("two --stars 1", false),
        ("two --stars=2", false),
        ("stated", false),
    ] {
        let said = here.said(&format!("count {command}"));
        assert_eq!(said.contains(note), is_noted, "{command}: {said}");
    }
}

#[test]
fn a_link_among_other_words_is_the_puzzle() {
    let here = Folder::new();
    here.write("notes", format!("My puzzle.\n\nOpen it: {LINK}\nand play.\n"));
    here.says("solve notes", "notes: line 3: the puzzle is this link; other words are left out");
    assert_eq!(here.succeed("-q solve notes"), here.succeed(&format!("-q solve {LINK}")));
    // A table of sudokus with links stays one.
    here.write("table.csv", format!("puzzle,link\n{PUZZLE},{LINK}\n"));
    here.says("solve table.csv", "as by `tallyboard sudoku solve`");
    here.write("game", "see https://example.org/js/solo.html#2x2:a1b2_3c4d1a\n");
    here.says("count game", "as by `tallyboard variant count`");
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
    // Longer than the 64 KiB that are looked at.
    let long = format!("{}{}", COVER, "a b\n".repeat(17_000));
    for (text, count) in [(COVER, "3\n"), (&long, "17003\n")] {
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

/// Options of one item are a problem, and lines of any other word are not.
#[test]
fn a_cover_of_one_item_is_recognised() {
    let here = Folder::new();
    for (text, covers) in
        [("a\na\na\n", "2"), ("item_1\nitem_1\n", "1"), ("[[\"a\"], [\"a\"], [\"a\"]]", "3")]
    {
        here.write("one", text);
        let (code, found, said) = here.told("-q count one");
        assert_eq!((code, found.trim()), (0, covers), "{text}: {said}");
    }
    for text in ["1\n1\n", "a,b\na,b\n", "AAABBBBBCCCCCDDDDD\nAAABBBBBCCCCCDDDDD\n"] {
        here.write("other", text);
        let said = here.said("count other");
        assert!(!said.contains("taken for exact covers"), "{text}: {said}");
    }
}

/// The program may be called by any name: what it is called is no word of its command line.
#[test]
#[cfg(unix)]
fn a_link_named_as_a_verb_is_the_same_program() {
    let here = Folder::new();
    here.write("puzzle", PUZZLE);
    for name in ["solve", "count"] {
        std::os::unix::fs::symlink(PROGRAM, here.at(name)).unwrap();
        for verb in ["solve", "count"] {
            let (code, found, said) = shell(&here, &format!("PATH=. exec {name} -q {verb} puzzle"));
            assert_eq!((code, found), (0, here.succeed(&format!("-q {verb} puzzle"))), "{said}");
        }
    }
}

/// A puzzle may stand on the command line in place of its file, whatever is done with it.
#[test]
fn a_puzzle_in_place_of_a_file_is_taken_by_every_verb() {
    let id = "2x2:a1b2_3c4d1a";
    let verbs = "solve count list draw explain tally verify convert describe";
    let doubled = PUZZLE.repeat(2);
    for puzzle in [
        PUZZLE,
        "1020043130400003",
        "AABBAABBCCDBCDDD",
        id,
        "661W9Agum9_Rym",
        "[[\"A\",\"A\",\"B\",\"B\"],[\"A\",\"A\",\"B\",\"B\"],[\"C\",\"C\",\"D\",\"D\"],[\"C\",\"C\",\"D\",\"D\"]]",
        "[[\"a\",\"b\"],[\"c\"],[\"b\",\"c\"],[\"a\"]]",
        // A mistake is told as one of the puzzle.
        &doubled,
        "size 4\ngivens\n12..\n34..\n..2.\n....\n",
    ] {
        for verb in verbs.split(' ') {
            let folder = Folder::new();
            let run = |argument: &str, input: &str| {
                let mut command = folder.command(verb);
                let command = command.arg(argument).args(["-q", "-j", "1"]);
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                let mut child = command.spawn().unwrap();
                let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
                let (code, answer, said) = ended(child);
                // Times differ, and so does the name of the input.
                let answer = answer.lines().filter(|line| !line.contains(" s"));
                let answer: Vec<String> =
                    answer.map(|line| line.replace("<argument>", "<stdin>")).collect();
                (code, answer, said.replace("<argument>", "<stdin>"))
            };
            let (typed, piped) = (run(puzzle, ""), run("-", puzzle));
            assert_eq!(typed, piped, "{verb} {puzzle}");
            assert!(!typed.2.contains("No such file"), "{typed:?}");
        }
    }
    for words in ["sudoku solve", "sudoku count", "sudoku canon", "sudoku draw", "sudoku explain"] {
        let (code, _, said) = run_with_input(&format!("{words} {id}"), "");
        assert_eq!(code, 2, "{words}: {said}");
        assert!(
            said.contains("found a link or a game id") && said.contains("`tallyboard solve '2x2:"),
            "{said}"
        );
    }
    let (code, _, said) = run_with_input("sudoku solve no-such-file.txt", "");
    assert!(code == 1 && said.contains("No such file"), "{said}");
}

/// A rule is no title: what is counted without it is another puzzle.
#[test]
fn a_rule_above_or_below_a_picture_is_never_left_out() {
    let side_4 = "1...\n....\n....\n....\n";
    let side_9 = "53..7....\n".to_owned() + &".........\n".repeat(8);
    let global = WholeGrid::ALL.map(|rule| rule.name().to_owned());
    let others = [
        "diagonals",
        "Diagonals",
        "Anti-Knight",
        "antiking",
        "non_consecutive",
        "regions none",
        "values 0-3",
        "stars 1",
        "odd r1c1",
        "r1c1+r1c2=3",
        "r1c1<r1c2",
    ];
    for rule in global.into_iter().chain(others.map(str::to_owned)) {
        for picture in [side_4, &*side_9] {
            let folder = Folder::new();
            folder.write("below", format!("{picture}{rule}\n"));
            folder.write("above", format!("{rule}\n{picture}"));
            for file in ["below", "above"] {
                for verb in ["solve", "count"] {
                    let (code, answer, said) = folder.told(&format!("sudoku {verb} {file}"));
                    assert!(code != 0 && answer.is_empty(), "{rule}, {file}: {answer}{said}");
                    assert!(said.contains(&format!("found the rule \"{rule}\"")), "{rule}: {said}");
                }
                let (code, answer, said) = folder.told(&format!("list {file} --limit 1"));
                let is_variant = said.contains("taken for a sudoku with rules of its own");
                assert!(is_variant || code != 0 && answer.is_empty(), "{rule}, {file}: {said}");
            }
        }
    }
    // Words of a title may begin like a rule.
    let folder = Folder::new();
    folder.write("titled", format!("Diagonal thinking, number 3\n{side_9}"));
    let (code, _, said) = folder.told("sudoku count titled");
    assert_eq!(code, 0, "{said}");
}
