//! The commands that place queens and draw, as people type them.

use crate::common::PUZZLE;
use crate::common::runs::{Folder, run_with_input};

/// The standard output of a run, which has to succeed.
fn stdout(words: &str) -> String {
    Folder::new().succeed(words)
}

/// Says what is wrong with boards, and which are right.
fn check(boards: &str) -> (i32, String, String) {
    run_with_input("queens check", boards)
}

const FOUR: &str = "4 .Q..\n3 ...Q\n2 Q...\n1 ..Q.\n  abcd\n";

#[test]
fn a_board_has_a_square() {
    for line in ["queens list 0", "queens one 0", "queens methods --sizes 8,0", "queens trace 0"] {
        let (code, out, err) = run_with_input(line, "");
        assert_eq!((code, out.as_str()), (2, ""), "{line}");
        assert!(err.contains("0 is not in 1..="), "{line}: {err}");
    }
}

/// The last columns once went through eight bits.
#[test]
fn solutions_a_little_longer_than_a_piece_of_text_are_written_right() {
    for n in [65, 1000, 65_535, 65_536, 65_537, 65_540, 65_600, 65_601, 131_080] {
        for format in ["vector", "csv", "json"] {
            let line = format!("queens one {n} --method explicit --format {format} -q");
            let (code, out, err) = run_with_input("queens check - -q", stdout(&line));
            assert_eq!((code, err.as_str()), (0, ""), "{line}: {out}");
        }
    }
}

#[test]
fn numbers_that_no_memory_or_clock_holds_are_refused() {
    for line in [
        "queens list 8 --sample 100000000000",
        "queens estimate 20 --probes 4294967295",
        "queens methods --sizes 2000000000",
        "queens estimate 10 --draws --seconds 10000000000000000000s",
    ] {
        let (code, out, err) = run_with_input(line, "");
        assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
    }
}

#[test]
fn lists_in_every_format() {
    assert_eq!(
        stdout("queens list 4"),
        format!("{FOUR}\n4 ..Q.\n3 Q...\n2 ...Q\n1 .Q..\n  abcd\n")
    );
    assert_eq!(stdout("queens list 1"), "1 Q\n  a\n");
    assert_eq!(stdout("queens list 3"), "");
    assert_eq!(stdout("queens list 4 --format vector"), "2 4 1 3\n3 1 4 2\n");
    assert_eq!(stdout("queens list 4 --format csv"), "rank4,rank3,rank2,rank1\n2,4,1,3\n3,1,4,2\n");
    assert_eq!(stdout("queens list 4 --format fen-like"), "1Q2/3Q/Q3/2Q1\n2Q1/Q3/3Q/1Q2\n");
    let json = Folder::new().json("queens list 4 --format json");
    assert_eq!(json[0], serde_json::json!([".Q..", "...Q", "Q...", "..Q."]));
    assert_eq!(json.as_array().unwrap().len(), 2);
    assert_eq!(stdout("queens list 2 --format json"), "[\n]\n");
    assert_eq!(
        stdout("queens list 8 --fundamental --format svg").matches("data-queens").count(),
        12
    );
}

#[test]
fn the_list_does_not_depend_on_threads() {
    let one = stdout("queens list 9 --format vector -j 1");
    assert_eq!(one.lines().count(), 352);
    assert_eq!(stdout("queens list 9 --format vector -j 3"), one);
    let part: Vec<&str> = one.lines().skip(100).take(7).collect();
    let listed = stdout("queens list 9 --format vector --skip 100 --limit 7");
    assert_eq!(listed.lines().collect::<Vec<_>>(), part);
}

#[test]
fn check_reads_what_list_and_one_write() {
    for format in ["board", "vector", "json", "csv", "fen-like", "svg"] {
        let list = stdout(&format!("queens list 8 --format {format}"));
        let (code, out, _) = check(&list);
        assert_eq!((code, out.as_str()), (0, "92 valid, 0 wrong of n = 8\n"), "{format}");
    }
    for format in ["board", "vector", "json", "csv", "fen-like"] {
        let one = stdout(&format!("queens one 30 --format {format}"));
        let (code, out, _) = check(&one);
        assert_eq!((code, out.as_str()), (0, "1 valid, 0 wrong of n = 30\n"), "{format}");
    }
}

#[test]
fn check_names_the_attacking_queens() {
    let (code, out, _) = check("2 4 1 3\n1 3 2 4\n");
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "<stdin>:2: the queens on c3 and b2 share a rising diagonal\n\
         1 valid, 1 wrong of n = 4\n"
    );
    let (code, _, err) = check("2 x 1 3\n");
    assert_eq!(code, 1);
    assert!(err.contains("<stdin>:1: found 'x', expected a column number"), "{err}");
}

#[test]
fn one_solution_by_every_method() {
    for method in [
        "auto",
        "explicit",
        "backtrack",
        "backtrack-top-down",
        "repair",
        "greedy-repair",
        "greedy-repair-random",
        "las-vegas",
    ] {
        let seed = match method {
            "explicit" | "backtrack" | "backtrack-top-down" => "",
            _ => " --seed 7",
        };
        let line = format!("queens one 20 --method {method}{seed} --format vector");
        let one = stdout(&line);
        assert_eq!(run_with_input("queens check -q", &one).0, 0, "{method}: {one}");
        assert_eq!(stdout(&line), one, "{method}");
    }
    let first = stdout("queens one 8 --method backtrack-top-down --format vector");
    assert_eq!(first, "1 5 8 6 3 7 2 4\n");
}

#[test]
fn no_solution_and_no_luck_exit_with_1() {
    for n in ["2", "3"] {
        let (code, out, err) = run_with_input(&format!("queens one {n}"), "");
        assert_eq!((code, out.as_str()), (1, ""));
        assert_eq!(err, format!("tallyboard: no solution exists for n = {n}\n"));
    }
    let line = "queens one 60 --method backtrack-top-down --max-steps 1000";
    let (code, _, err) = run_with_input(line, "");
    assert_eq!(code, 1);
    assert!(err.contains("gave up at the limit of 1,000 steps"), "{err}");
}

#[test]
fn a_large_explicit_solution_is_streamed_and_right() {
    let (_, one, how) = run_with_input("queens one 10000003", "");
    assert!(how.contains("right by construction"), "{how}");
    let (code, out, _) = check(&one);
    assert_eq!((code, out.as_str()), (0, "1 valid, 0 wrong of n = 10,000,003\n"));
}

#[test]
fn samples_are_drawn_by_seed() {
    let drawn = stdout("queens list 10 --sample 5 --seed 3 --format vector");
    assert_eq!(drawn.lines().count(), 5);
    assert_eq!(check(&drawn).0, 0);
    assert_eq!(stdout("queens list 10 --sample 5 --seed 3 --format vector"), drawn);
    assert_ne!(stdout("queens list 10 --sample 5 --seed 4 --format vector"), drawn);
    let (_, _, said) = run_with_input("queens list 20 --sample 1", "");
    assert!(said.contains("not all equally likely"), "{said}");
}

#[test]
fn the_search_explains_itself() {
    let pruned = stdout("queens count 8 -v");
    assert!(pruned.contains("92") && pruned.contains("12"), "{pruned}");
    assert!(pruned.contains("2,056 nodes"), "{pruned}");
    let tree = stdout("queens tree 4");
    assert_eq!(tree.matches(" x\n").count(), 4);
    assert_eq!(tree.matches(" *\n").count(), 2);
    let cut = stdout("queens tree 8");
    assert!(cut.starts_with("8 x 8: 2,056 nodes, 92 solutions; the first 190 nodes\n"), "{cut}");
    assert!(cut.contains("├ a8\n│ ├ c7\n│ │ ├ e6 … 13 nodes, 0 solutions\n"), "{cut}");
    assert_eq!(cut.lines().count(), 1 + 190 + 1);
    let first = stdout("queens tree 8 --depth 1 -q");
    assert_eq!(first.lines().last(), Some("└ h8 … 226 nodes, 4 solutions"));
    let trace = stdout("queens trace 4");
    assert!(trace.ends_with(&format!("a solution\n{FOUR}")), "{trace}");
    assert!(trace.contains("b3 is attacked from a4 along a falling diagonal"), "{trace}");
    assert_eq!(stdout("queens trace 4 --all").matches("a solution").count(), 2);
}

#[test]
fn queens_that_stand_and_closed_squares_are_taken_everywhere() {
    for (line, expected) in [
        ("queens count 6 --place b6", "1"),
        ("queens list 6 --place b6 --format vector", "2 4 6 1 3 5"),
        ("queens one 6 --place b6 --format vector", "2 4 6 1 3 5"),
        ("queens one 6 --block b6,c6,d6 --format vector", "5 3 1 6 4 2"),
        ("queens list 6 --place b6 --sample 1 --format vector", "2 4 6 1 3 5"),
    ] {
        let (code, out, err) = run_with_input(&format!("{line} -q"), "");
        assert_eq!((code, out.trim_end()), (0, expected), "{line}: {err}");
    }
    let estimate = stdout("queens estimate 6 --place b6");
    assert!(estimate.starts_with("6 queens: 1 solution, counted\n"), "{estimate}");
    let tree = stdout("queens tree 6 --place b6 -q");
    assert!(tree.contains("└ b6") && tree.matches(" *\n").count() == 1, "{tree}");
    let trace = stdout("queens trace 6 --place b6");
    assert!(trace.contains("a6 is closed\n"), "{trace}");
    let (code, out, err) = run_with_input("queens count 8 --place a1,a2", "");
    assert_eq!((code, out.contains("0 solutions")), (0, true), "{out}");
    assert_eq!(err, "tallyboard: the queens on a1 and a2 attack each other\n");
    let (code, _, err) = run_with_input("queens one 8 --place a1,a2", "");
    assert_eq!(code, 1);
    assert!(err.contains("no solution exists with these placed queens"), "{err}");
}

#[test]
fn options_that_mean_nothing_together_are_refused_by_name() {
    for (line, named) in [
        ("queens count 10 --place a1 -v", "--verbose"),
        ("queens count 10 --subtree 0 -v", "--verbose"),
        ("queens count 10 --place a1 --fundamental", "--fundamental"),
        ("queens list 10 --place a1 --fundamental", "--fundamental"),
        ("queens one 10 --method explicit --k 3", "--method explicit does not take --k"),
        ("queens one 10 --method backtrack --seed 3", "--seed"),
        (
            "queens one 10 --time-limit 3s",
            "the method explicit, which auto takes here, does not take",
        ),
        ("queens one 10 --time-limit 3s", "--method backtrack does"),
        (
            "queens one 10 --place a1 --seed 3",
            "the method backtrack, the one for --place and --block, does not",
        ),
        ("queens count 8 --subtree 9999999", "found subtree 9,999,999, expected 0 to "),
        ("queens one 10 --method repair --place a1", "--place"),
        ("queens estimate 100 --place a1", "--place"),
        ("scale queens 8 -m 5 -M 2", "found -M 2, expected at least the 5 rounds of -m"),
        ("scale sudoku puzzles.txt --engine single --kernel portable", "--kernel"),
    ] {
        let (code, out, err) = run_with_input(line, "");
        assert_eq!((code, out.as_str()), (2, ""), "{line}: {err}");
        assert!(err.contains(named), "{line}: {err}");
    }
}

#[test]
fn the_comparison_has_a_row_for_each_method_and_size() {
    let csv = stdout("queens methods --sizes 8,12 --seeds 2 --csv");
    assert_eq!(csv.lines().count(), 1 + 6 * 2);
    let json = Folder::new().json("queens methods --sizes 8 --seeds 2 --json");
    assert_eq!(json["rows"].as_array().unwrap().len(), 6);
}

#[test]
fn sizes_that_a_method_is_not_tried_on_are_named() {
    let table = stdout("queens methods --sizes 8,80,90,100,110 --seeds 1 --time-limit 10ms");
    let left_out = "left out: backtrack-top-down from n = 100 on; it has solved nothing";
    assert!(table.contains(left_out), "{table}");
    let table = stdout("queens methods --sizes 8,100001 --seeds 1 --time-limit 10ms");
    assert!(
        table.contains("left out: las-vegas from n = 100,001 on; boards of this size"),
        "{table}"
    );
    // It was given up before, so it does not matter that the board is too large for it, too.
    let table = stdout("queens methods --sizes 8,80,90,100001 --seeds 1 --time-limit 10ms");
    let left_out = "left out: backtrack-top-down from n = 100,001 on; it has solved nothing";
    assert!(table.contains(left_out), "{table}");
}

#[test]
fn a_list_is_written_beside_its_pictures() {
    let folder = Folder::new();
    let csv = folder.succeed("queens list 6 --format csv");
    assert_eq!(folder.succeed("queens list 6 --svg page.svg"), "");
    assert_eq!(folder.succeed("queens list 6 --svg page.svg --format csv"), csv);
    assert_eq!(folder.succeed("queens list 6 --svg page.svg --format csv -o list.csv"), "");
    assert_eq!(folder.read("list.csv"), csv);
    folder.succeed("queens list 6 --svg page.svg -o boards.txt");
    assert_eq!(folder.read("boards.txt"), folder.succeed("queens list 6"));
}

#[test]
fn what_follows_a_board_and_what_comes_first_in_a_file() {
    let (code, out, err) = check("\u{feff}2 4 1 3\n");
    assert_eq!((code, out.as_str()), (0, "1 valid, 0 wrong of n = 4\n"), "{err}");
    let (code, _, err) = check("2 4 1 3\nabc\n3 1 4 2\n");
    assert!(code == 1 && err.contains("<stdin>:2: found 'abc'"), "{err}");
    let boards = stdout("queens list 4");
    assert_eq!(check(&boards).1, "2 valid, 0 wrong of n = 4\n");
}

#[test]
fn a_puzzle_that_is_none_is_named_by_its_line() {
    let folder = Folder::new();
    folder.write("bad", format!("# one\n{}\n", ".".repeat(80)));
    folder.write("two", format!("{PUZZLE}\n{PUZZLE}\n"));
    for words in ["sudoku draw", "sudoku tree", "sudoku estimate"] {
        folder.fails(&format!("{words} bad"), 1, "bad:2: found 80 cells, expected 81");
        folder.fails(
            &format!("{words} two"),
            1,
            ["two: found no puzzle or several", "write one to a separate file"],
        );
    }
}

#[test]
fn the_given_digits_of_a_sudoku_are_bold_where_there_is_colour() {
    let text = stdout(&format!("sudoku draw {PUZZLE} --color always"));
    let givens = PUZZLE.bytes().filter(u8::is_ascii_digit).filter(|&cell| cell != b'0').count();
    assert_eq!(text.matches("\x1b[1m").count(), givens, "{text:?}");
}

#[test]
fn an_estimate_says_once_that_no_solution_can_come_of_a_board() {
    let folder = Folder::new();
    let told = folder.said("queens estimate 6 --place a1,b2");
    assert_eq!(told.matches("the queens on a1 and b2 attack each other").count(), 1, "{told}");
}

#[test]
fn an_estimate_is_told_before_the_time_of_a_count() {
    let text = stdout("queens estimate 22 --engine blocks -j1 --probes 100 --seconds 0s");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("22 queens: about "), "{text}");
    assert!(text.contains("within 0 s; --seconds gives them more"), "{text}");
    assert_eq!(stdout("queens estimate 8 -q"), "92\n");
    assert_eq!(stdout("queens estimate 8 --draws -q"), "92\n");
    let known = stdout("queens estimate 27 --engine blocks --probes 100 --seconds 0s --json");
    let field = r#""known":234907967154122528,"known_text":"234907967154122528""#;
    assert!(known.contains(field), "{known}");
    let classes = stdout("queens count 8 --symmetry-classes -q");
    assert!(classes.contains("11 classes of 8") && classes.lines().count() == 3, "{classes}");
}

#[test]
fn pictures_are_written() {
    let folder = Folder::new();
    for command in [
        "queens one 8",
        "queens list 6",
        "queens tree 3",
        "queens methods --sizes 8 --seeds 1",
        &format!("sudoku draw {PUZZLE}"),
        &format!("sudoku tree {PUZZLE} --cells 2"),
    ] {
        let png = if cfg!(feature = "png") { "--png p.png" } else { "" };
        folder.succeed(&format!("{command} --svg p.svg {png}"));
        let text = folder.read("p.svg");
        assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"), "{command}");
        if cfg!(feature = "png") {
            assert!(folder.bytes("p.png").starts_with(b"\x89PNG"), "{command}");
        }
    }
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_that_draws_no_png_says_so_before_it_begins() {
    for command in ["queens list 30 --png p.png", "scale queens 30 --png p.png"] {
        let (code, _, err) = run_with_input(command, "");
        assert_eq!(code, 2, "{command}");
        assert!(err.contains("build it with `--features png`"), "{command}: {err}");
    }
}

#[test]
fn a_sudoku_is_drawn_as_text() {
    let text = stdout(&format!("sudoku draw {PUZZLE}"));
    let first = "5 3 .  . 7 .  . . .      5 3 4  6 7 8  9 1 2\n";
    assert!(text.starts_with(first), "{text}");
    assert_eq!(text.lines().count(), 11);
    let folder = Folder::new();
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..9 * row + 9]).collect();
    folder.write("puzzle.sdk", rows.join("\n") + "\n");
    assert_eq!(folder.succeed("sudoku draw puzzle.sdk"), text);
    let (code, _, err) = run_with_input("sudoku draw no.txt", "");
    assert_eq!(code, 2);
    assert!(err.contains("nor a file in 'no.txt'"), "{err}");
    let tree = stdout(&format!("sudoku tree {PUZZLE} --cells 1"));
    assert!(tree.starts_with("r1c3 = 1\nr1c3 = 2\nr1c3 = 4\n"), "{tree}");
    folder.fail(&format!("sudoku draw 55{}", ".".repeat(79)), 1);
}
