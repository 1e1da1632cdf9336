//! Promise: in a file of many puzzles of any game, a record that is none is told with its line and comes back marked in its place, the others
//! are solved, and the exit code is 1; with --strict the run ends there. Rows are the same on any number of threads.

use crate::common::PUZZLE;
use crate::common::runs::Folder;

const BOARD: &str = "AABBCADDDCADDDCADDDEDDDEE";

/// The same promises of each game: the command, its puzzles a line each, and what is a bad line.
fn games() -> [(&'static str, String, &'static str); 3] {
    [
        ("sudoku solve", format!("{PUZZLE}\n"), "12x"),
        ("variant solve rules", "1234341221434321\n".to_owned(), "12x"),
        ("regions solve", format!("{BOARD}\n"), "ABCD"),
    ]
}

#[test]
fn a_bad_record_is_told_and_marked_and_the_others_are_solved() {
    let folder = Folder::new();
    folder.write("rules", "size 4\n");
    for (command, line, bad) in games() {
        let many = line.repeat(150);
        folder.write("one", &line);
        folder.write("good", &many);
        folder.write("mixed", format!("{many}{bad}\n{many}{bad}\n"));
        let good = folder.succeed(&format!("-q {command} good"));
        for threads in [1, 2, 3] {
            let words = format!("{command} -j {threads}");
            let (code, rows, said) = folder.told(&format!("{words} mixed"));
            assert_eq!((code, &rows), (1, &format!("{good}!{bad}\n{good}!{bad}\n")), "{words}");
            for line in [151, 302] {
                assert!(said.contains(&format!("mixed:{line}: ")), "{words}: {said}");
            }
            let summary =
                ["300 ", ": 300 unique, 0 without a solution, 0 with more than one, 2 bad lines"];
            assert!(summary.iter().all(|part| said.contains(part)), "{words}: {said}");
            let (code, rows, said) = folder.told(&format!("{words} mixed --strict"));
            assert_eq!((code, &rows), (1, &good), "{words}");
            assert!(said.contains("mixed:151: ") && !said.contains("302"), "{words}: {said}");
            // Several files give one output.
            let (code, rows, _) = folder.told(&format!("-q {words} good one mixed"));
            let one = good.lines().next().unwrap();
            assert_eq!((code, rows), (1, format!("{good}{one}\n{good}!{bad}\n{good}!{bad}\n")));
        }
        folder.write("bad", line + &format!("{bad}\n").repeat(130));
        let said = folder.fail(&format!("{command} bad"), 1);
        assert!(said.contains("bad:101: ") && !said.contains("bad:102: "), "{said}");
        assert!(said.contains("bad: 30 more lines like these"), "{said}");
    }
}

#[test]
fn boards_that_are_none_are_marked_in_every_format() {
    let folder = Folder::new();
    folder.write(
        "boards",
        format!("A B\nA \"\n\n{}\n", "p p g g b\np r r r b\np r r r b\np r r r y\nr r r y y"),
    );
    let rows = |to: &str| folder.told(&format!("-q regions solve boards --to {to}")).1;
    assert!(rows("lines").starts_with(&format!("!A B\n!A \"\n{BOARD}\t1\t")));
    let csv = rows("csv");
    let expected = format!(
        "board,stars,solutions,guesses,region_sizes,solution\n\"A B\nA \"\"\",!,!,!,!,!\n{BOARD},1,1,"
    );
    assert!(csv.starts_with(&expected), "{csv}");
    let jsonl = rows("jsonl");
    let bad: serde_json::Value = serde_json::from_str(jsonl.lines().next().unwrap()).unwrap();
    assert_eq!(bad["bad"], "A B\nA \"");
    assert!(bad["error"].as_str().unwrap().contains("row 2, column 2"), "{jsonl}");
    assert_eq!(jsonl.lines().count(), 2);
}

/// Several puzzles with rules of their own in one file are solved on every core, in their order.
#[test]
fn puzzles_with_rules_of_their_own_come_in_order() {
    let folder = Folder::new();
    let one = |number: usize| {
        let first = ["1...", "12..", "2...", "11.."][number % 4];
        format!("size 4\ndiagonal falling\ngivens\n{first}\n....\n....\n....\n\n")
    };
    folder.write("many", (0..90).map(one).collect::<String>());
    let alone: Vec<String> = (1..=4)
        .map(|number| folder.succeed(&format!("-q variant solve many --puzzle {number}")))
        .collect();
    for threads in [1, 2, 3] {
        let rows = folder.succeed(&format!("-q variant solve many -j {threads}"));
        let mut records = rows.split("# line ").skip(1);
        for number in 0..90 {
            let (head, solution) = records.next().unwrap().split_once('\n').unwrap();
            assert!(head.starts_with(&format!("{}: ", 8 * number + 1)), "{head}");
            assert_eq!(solution, alone[number % 4]);
        }
        assert_eq!(records.next(), None);
    }
}
