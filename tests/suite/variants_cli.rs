//! Promise: a file of rules is solved, counted, listed, explained and made into puzzles from the command line, as
//! `docs/variants.md` shows it, and mistakes in it are named.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::runs::{
    Folder, ended, exit_code_soon, run_with_input, signal, status_of, wait_until,
};

/// What the page shows from the indented line `first` to the end of its block or the next command, without its indentation.
fn block(first: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/variants.md");
    let page = fs::read_to_string(page).unwrap();
    let lines = page.lines().skip_while(|line| *line != format!("    {first}"));
    let lines = lines.map_while(|line| line.strip_prefix("    "));
    lines.take_while(|line| !line.starts_with('$')).map(|line| format!("{line}\n")).collect()
}

/// A folder with the puzzle of the page, without givens.
fn folder() -> Folder {
    let folder = Folder::new();
    let rules = block("# A jigsaw with a diagonal, a killer cage and a thermometer.");
    folder.write("puzzle.txt", rules);
    folder
}

/// The same with the givens of the page.
fn folder_with_givens() -> Folder {
    let folder = folder();
    folder.write("puzzle.txt", folder.read("puzzle.txt") + &block("givens"));
    folder
}

/// The candidates of all listed solutions are those that `candidates` prints.
#[test]
fn candidates_are_those_of_the_listed_solutions() {
    let folder = folder();
    let listed = folder.succeed("variant list puzzle.txt");
    let found = folder.succeed("variant candidates puzzle.txt");
    let found: Vec<&str> = found.split_whitespace().collect();
    for (cell, found) in found.iter().enumerate() {
        let mut values: Vec<u8> = listed.lines().map(|line| line.as_bytes()[cell]).collect();
        values.sort_unstable();
        values.dedup();
        assert_eq!(found.as_bytes(), values, "cell {cell}");
    }
    let rows = folder.json("variant candidates puzzle.txt --json");
    let rows: Vec<Vec<Vec<u8>>> = serde_json::from_value(rows).unwrap();
    let texts: Vec<String> =
        rows.concat().iter().map(|values| values.iter().map(u8::to_string).collect()).collect();
    assert_eq!(texts, found);
}

#[test]
fn limits_end_counts_and_solving() {
    let folder = folder();
    assert_eq!(folder.succeed("-q variant count puzzle.txt --limit 7"), "7\n");
    assert_eq!(folder.succeed("variant count puzzle.txt --limit 7"), "at least 7 solutions\n");
    assert_eq!(folder.succeed("variant count puzzle.txt --limit 105"), "104 solutions\n");
    for (limit, solutions, is_all) in [(104, 104, false), (105, 104, true)] {
        let words = format!("variant count puzzle.txt --limit {limit} --json");
        let limited = folder.json(&words);
        assert!(limited["solutions"] == solutions && limited["is_all"] == is_all, "{limited}");
        let whole = folder.json("variant count puzzle.txt --json");
        for (key, value) in whole.as_object().unwrap() {
            let may_differ = ["solutions", "seconds", "threads"].contains(&key.as_str());
            assert!(limited[key] == *value || (may_differ && limited[key].is_number()), "{key}");
        }
        assert_eq!(limited.as_object().unwrap().len(), whole.as_object().unwrap().len() + 1);
    }
    for (options, expected) in [
        ("", "at least 2 solutions; this is the first"),
        (" --limit 1", "at least 1 solution; this is the first"),
        (" --limit 200", "104 solutions; this is the first"),
    ] {
        assert_eq!(folder.said(&format!("variant solve puzzle.txt{options}")).trim(), expected);
    }
    // With a limit of 1 no second solution is looked for, so nothing is called unique.
    folder.write("lines.txt", ".".repeat(36) + "\n");
    for (limit, expected) in [
        (1, "1 puzzle: 1 with a solution, 0 without one, 0 bad lines"),
        (2, "1 puzzle: 0 unique, 0 without a solution, 1 with more than one, 0 bad lines"),
    ] {
        let words = format!("variant solve puzzle.txt lines.txt --limit {limit}");
        let said = folder.said(&words);
        assert_eq!(said.lines().next(), Some(expected));
    }
}

#[test]
fn made_puzzles_have_one_solution_on_any_number_of_threads() {
    let folder = folder();
    folder.succeed("-q variant generate puzzle.txt 200 --minimal -o lines.txt");
    let lines = folder.read("lines.txt");
    assert_eq!(lines.lines().count(), 200);
    let one = folder.succeed("-q variant solve puzzle.txt lines.txt -j 1");
    let three = folder.succeed("-q variant solve puzzle.txt lines.txt -j 3");
    assert_eq!(one, three);
    for (row, line) in one.lines().zip(lines.lines()) {
        assert!(row.starts_with(&format!("{line}:1:")), "{row}");
    }
    let givens = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    folder.succeed("-q variant generate puzzle.txt 200 -o more.txt");
    let usual = folder.read("more.txt");
    let many = folder.succeed("-q variant generate puzzle.txt 200 --clues 20");
    assert!(givens(&lines) < givens(&usual) && givens(&usual) < givens(&many));
    assert_eq!(givens(&many), 200 * 20);
    let other = folder.succeed("-q variant generate puzzle.txt 200 --minimal --seed 2");
    assert_ne!(other, lines);
}

#[test]
fn a_killer_has_one_solution_and_no_large_cage() {
    let folder = Folder::new();
    folder.write("plain.txt", "size 6\nanti-king\n");
    folder.succeed("-q variant generate plain.txt --cages 3 -o killer.txt");
    let killer = folder.read("killer.txt");
    let cages = killer.lines().filter(|line| line.starts_with("cage "));
    assert!(cages.clone().count() > 12 && cages.clone().all(|cage| cage.split(' ').count() <= 5));
    assert!(killer.contains("anti-king\n"));
    assert_eq!(folder.succeed("-q variant count killer.txt"), "1\n");
    folder.fails("variant generate killer.txt --cages 3", 2, "found cages in the rules");
    folder.fails(
        "variant generate plain.txt 0 --cages 3",
        2,
        "--cages: found 0 puzzles to make, expected 1",
    );
    folder.fails("variant generate plain.txt 2 --cages 3", 2, "expected 1");
}

#[test]
fn a_count_that_is_killed_goes_on_from_its_journal() {
    let folder = Folder::new();
    folder.write("p", "size 6\nanti-king\n");
    let expected = folder.succeed("-q variant count p -j 1");
    let words = "-q variant count p --journal j --resume";
    let mut child = folder.start(words);
    std::thread::sleep(std::time::Duration::from_millis(100));
    child.kill().unwrap();
    status_of(&mut child);
    assert_eq!(folder.succeed(words), expected);
    folder.prints("show j", "done 100.00 %");
    folder.write("p", "size 6\nanti-king\ndiagonals\n");
    folder.fails(words, 1, "fingerprint");
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    let rules = folder.read("puzzle.txt");
    folder.write("puzzle.txt", rules.clone() + "cage 2 r6c6 r1c2\n");
    let expected =
        "puzzle.txt: line 13: cage: found the sum 2 at r6c6, expected 3 to 11 for its cells";
    folder.fails("variant count puzzle.txt", 2, expected);
    folder.fails("variant convert puzzle.txt -o no/dir/x", 2, "line 13");
    folder.write("puzzle.txt", rules);
    folder.write("lines.txt", "# a comment\n1..\n");
    let (code, rows, message) = folder.told("variant solve puzzle.txt lines.txt");
    assert_eq!((code, rows.as_str()), (1, "# a comment\n!1..\n"));
    assert!(message.contains("lines.txt:2: found 3 characters, expected 36 cells"), "{message}");
    for command in ["convert puzzle.txt", "generate puzzle.txt 1", "solve puzzle.txt"] {
        folder.fails(&format!("variant {command} -o puzzle.txt"), 2, "puzzle.txt is read here");
    }
    folder.fails("variant count missing.txt", 1, "missing.txt");
    folder.write("puzzle.txt", "size 4\ncage 3 r1c1 r1c2\ncage 3 r1c3 r1c4\n");
    folder.fails("variant generate puzzle.txt", 2, "found rules that no grid satisfies");
}

/// `convert` writes what it reads, and `explain --json` a step a line.
#[test]
fn what_is_converted_counts_alike() {
    let folder = folder_with_givens();
    folder.succeed("variant convert puzzle.txt -o again.txt");
    let twice = folder.succeed("variant convert again.txt");
    assert_eq!(twice, folder.read("again.txt"));
    assert_eq!(folder.succeed("-q variant count again.txt"), "1\n");
    let steps = folder.succeed("variant explain puzzle.txt --json");
    let values = steps.lines().filter(|line| line.contains("\"value\":"));
    let filled = values.filter(|line| !line.contains("\"value\":null")).count();
    assert_eq!(filled, 36 - 4, "each cell but the givens is filled once\n{steps}");
}

#[test]
fn explanations_in_json_tell_how_they_end() {
    let folder = folder_with_givens();
    for (rules, expected) in [
        ("size 4\ngivens\n1234\n3412\n2143\n432.\n", "solved"),
        ("size 4\n", "stuck"),
        ("size 4\ngivens\n11..\n....\n....\n....\n", "contradiction"),
    ] {
        folder.write("p", rules);
        let steps = folder.succeed("variant explain p --json");
        assert_eq!(steps.lines().last(), Some(&*format!("{{\"end\":\"{expected}\"}}")));
    }
}

/// `--cell` explains one cell, and says why another cannot be explained.
#[test]
fn one_cell_of_a_variant_is_explained() {
    let folder = Folder::new();
    folder
        .write("p", "size 4\ncage 4 r1c1 r1c2\ncage 3 r3c1 r4c1\ngivens\n....\n..1.\n....\n.4..\n");
    let told = folder.succeed("variant explain p --cell R2C1");
    assert!(told.trim_end().lines().last().unwrap().contains("r2c1 is 4"), "{told}");
    folder.fails("variant explain p --cell r2c3", 2, "r2c3 is given, it is 1");
    folder.fails("variant explain p --cell r5c1", 2, "expected a cell such as r3c5, up to r4c4");
    folder.write("several", "size 4\n");
    folder.fails("variant explain several --cell r1c1", 1, "several solutions");
    // Steps fill r1c1 before they come to the contradiction.
    folder.write("none", "size 4\ngivens\n.234\n....\n....\n11..\n");
    folder.fails("variant explain none --cell r1c1", 1, "the puzzle has no solution");
}

/// Rows of JSON have the steps of the explanation; what is filled under a supposition fills no cell.
#[test]
fn steps_in_json_are_those_of_the_explanation() {
    let text = include_str!("../../crates/tallyboard-variants/tests/published/classic-6x6.txt");
    let folder = Folder::new();
    folder.write("p", text);
    let puzzle = tallyboard_variants::read(text.as_bytes(), "p").unwrap();
    let open = (0..36).filter(|&cell| puzzle.givens()[cell] == 0);
    let cells = open.map(|cell| puzzle.size().cell(cell)).step_by(5).map(Some).chain([None]);
    let mut supposed = 0;
    for cell in cells {
        let (words, explanation) = match cell {
            Some(cell) => (format!("--cell {cell}"), puzzle.explain_cell(cell)),
            None => (String::new(), puzzle.explain()),
        };
        let rows = folder.succeed(&format!("variant explain p --json {words}"));
        let mut rows = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        for (number, step) in explanation.steps.iter().enumerate() {
            let (name, value) = step.filled.filter(|_| step.depth == 0).unzip();
            let expected = json!({
                "step": number + 1, "depth": step.depth, "rule": step.rule, "text": step.text,
                "cell": name.map(|name| name.to_string()), "value": value,
            });
            assert_eq!(rows.next(), Some(expected), "{words}");
            supposed += usize::from(step.depth > 0 && step.filled.is_some());
        }
        let end = if cell.is_some() { "stuck" } else { "solved" };
        assert_eq!(rows.next(), Some(json!({ "end": end })), "{words}");
        assert_eq!(rows.next(), None);
        // The first step alone.
        let hint = folder.succeed(&format!("variant explain p --hint {words}"));
        assert_eq!(hint.trim_end(), explanation.steps[0].text);
    }
    assert!(supposed > 0);
}

#[test]
fn text_after_the_cells_of_a_line_is_left_out() {
    let folder = Folder::new();
    folder.write("rules", "size 4\n");
    let puzzle = "1234341221434321";
    for separator in [' ', '\t', ',', ':', ';'] {
        let (code, rows, message) =
            folder.feed("-q variant solve rules -", format!("{puzzle}{separator}text\n"));
        assert_eq!((code, rows), (0, format!("{puzzle}:1:{puzzle}\n")), "{separator:?}: {message}");
    }
}

#[test]
fn a_bad_line_is_no_end_and_a_mark_no_cell() {
    let folder = Folder::new();
    folder.write("p", "\u{feff}size 4\n");
    let solved = "1234341221434321";
    let lines = [b"\xef\xbb\xbf", solved.as_bytes(), b"\r\n1\xff2\n", solved.as_bytes()].concat();
    folder.write("lines", lines);
    let output = folder.run("-q variant solve p lines");
    assert_eq!(output.status.code(), Some(1));
    let row = format!("{solved}:1:{solved}\n");
    assert_eq!(output.stdout, [row.as_bytes(), b"!1\xff2\n", row.as_bytes()].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "lines:2: found bytes that are no UTF-8, expected text in UTF-8\n");
    folder.fails("-q variant solve p lines --strict -o out", 1, "lines:2: found bytes");
    assert!(!folder.at("out").exists());
}

/// Lines of the input keep their places: comments and empty lines are written as they are.
#[test]
fn lines_without_a_puzzle_are_kept() {
    let folder = Folder::new();
    folder.write("p", "size 4\n");
    let solved = "1234341221434321";
    let lines = format!("# a title\n\n{solved}\r\n  \n{solved}\n#");
    let (code, rows, message) = folder.feed("-q variant solve p -", lines);
    let row = format!("{solved}:1:{solved}\n");
    assert_eq!((code, rows), (0, format!("# a title\n\n{row}\n{row}#\n")), "{message}");
}

/// At sizes beyond 9 a candidate is a character and a given may be a number: each message says what its own place takes.
#[test]
fn values_of_large_grids_are_expected_as_their_place_takes_them() {
    let folder = Folder::new();
    let row = |first: &str| format!("givens\n{first}{}\n", " .".repeat(11));
    let givens = |first: &str| row(first) + &"............\n".repeat(11);
    for (side, text, expected) in [
        (12, "candidates r1c1 10\n".into(), "1-9 and A-C, where A is 10, or a blank"),
        (12, givens("1Z"), "1-9 and A-C, a number from 1 to 12 or a blank"),
        (12, givens("13"), "the value 13 at r1c1, expected 1 to 12"),
        (12, givens("0"), ""),
        (12, givens("12"), ""),
        (12, "candidates r1c1 AC\n".into(), ""),
        (9, "candidates r1c1 10\n".into(), "expected 1-9 or a blank"),
        (4, "candidates r1c1 5\n".into(), "found '5' at r1c1, expected 1-4 or a blank"),
        (4, "candidates r1c1 14\n".into(), ""),
        (9, "cage 99999999999 r1c1\n".into(), "cage: found '99999999999', expected a sum"),
        (9, "cage -5 r1c1 r1c2\n".into(), "cage: found '-5', expected a sum"),
        (9, "cage 2 r1c1 r1c2\n".into(), "the sum 2 at r1c1, expected 3 to 17"),
        (9, "cage 3 r1c1 r1c2\n".into(), ""),
        (9, "cage 17 r1c1 r1c2\n".into(), ""),
        (9, "cage 18 r1c1 r1c2\n".into(), "the sum 18 at r1c1, expected 3 to 17"),
    ] {
        folder.write("p", format!("size {side}\n{text}"));
        if expected.is_empty() {
            folder.succeed("variant convert p");
        } else {
            folder.fails("variant convert p", 2, expected);
        }
    }
}

#[test]
fn numbers_of_cells_have_limits() {
    let folder = Folder::new();
    folder.write("p", "size 6\n");
    for (options, least, most) in [("--cages", 1, 6), ("--clues", 0, 36)] {
        let words = |number: i32| format!("-q variant generate p {options} {number}");
        folder.succeed(&words(least));
        folder.succeed(&words(most));
        let expected = format!("{options}: found {}, expected ", most + 1);
        folder.fails(&words(most + 1), 2, &expected);
    }
    folder.fails("variant generate p --cages 0", 2, "--cages: found 0, expected 1 to 6");
}

#[test]
fn standard_input_is_read_once() {
    for words in ["variant solve - -", "sudoku solve - -", "scale compare - -"] {
        let (code, _, message) = run_with_input(words, "size 4\n");
        assert_eq!(code, 2, "{words}: {message}");
        assert!(message.contains("found - for two inputs, expected it once"), "{message}");
    }
}

/// The hundredths of a second for which `child` has had a processor.
#[cfg(target_os = "linux")]
fn cpu_ticks(child: &std::process::Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Rules by which a search finds no grid for minutes.
#[cfg(target_os = "linux")]
fn rules_without_end() -> String {
    let cage = |at: u32| format!("cage 17 r{at}c{at} r{at}c{}\n", at + 1);
    let cages: String = (1..=15).map(cage).collect();
    format!("size 16\nanti-knight\nnon-consecutive\n{cages}")
}

/// A search of a million steps finds no grid.
#[cfg(target_os = "linux")]
#[test]
fn a_search_for_a_first_grid_hears_a_signal() {
    let folder = Folder::new();
    folder.write("p", rules_without_end());
    let mut child = folder.start("variant generate p 5 -o out");
    wait_until("it searches", || cpu_ticks(&child) > 30);
    signal(&child, "INT");
    assert_eq!(exit_code_soon(&mut child), Some(130));
    let said = ended(child).2;
    assert_eq!(said, "tallyboard: interrupted; 0 puzzles made, out is not written\n");
}

/// The picture of the puzzle with this text.
fn drawn(text: &str, flags: &str) -> String {
    let folder = Folder::new();
    folder.write("rules.txt", text);
    folder.succeed(&format!("variant draw rules.txt --svg picture.svg {flags}"));
    folder.read("picture.svg")
}

#[test]
fn every_rule_is_drawn_or_named_below_the_grid() {
    let plain = drawn("size 9\n", "");
    for (rule, shape, number) in [
        ("diagonal falling", r#"<path class="blue""#, 1),
        ("diagonal rising", r#"<path class="blue""#, 1),
        ("windoku", r#"<rect class="found""#, 4),
        ("house r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r4c4", r#"<path class="violet""#, 1),
        ("different r1c1 r9c9", r#"<path class="violet""#, 1),
        ("cage r1c1 r1c2", r#"stroke-dasharray="4 3""#, 1),
        ("cage 17 r1c1 r1c2", ">17</text>", 1),
        ("thermometer r1c1 r1c2 r2c2", r#"<circle class="idle""#, 1),
        ("arrow r1c1 = r1c2 r2c2", "A17 17", 2),
        ("arrow r1c1 r1c2 = r2c2", "A17 17", 2),
        ("kropki white r1c1 r1c2", r#"<circle class="card""#, 1),
        ("kropki black r1c1 r1c2", r#"<circle class="piece""#, 1),
        ("x r1c1 r1c2", ">X</text>", 1),
        ("v r1c1 r1c2", ">V</text>", 1),
        ("candidates r1c1 2 7", ">7</text>", 1),
        ("regions none", ">no regions</text>", 1),
        ("anti-knight", ">anti-knight</text>", 1),
        (
            "anti-king\nnon-consecutive\ndisjoint-groups",
            ">anti-king, non-consecutive, disjoint-groups</text>",
            1,
        ),
        ("all-dots-given\nall-xv-given", ">all-dots-given, all-xv-given</text>", 1),
    ] {
        let picture = drawn(&format!("size 9\n{rule}\n"), "");
        let found = picture.matches(shape).count() - plain.matches(shape).count();
        assert_eq!(found, number, "{rule}: {picture}");
    }
    // Sides of cells between regions are thick: 9 for each side of the grid, and for each of four lines inside.
    let thick = |picture: &str| picture.matches(r#"stroke-width="2.2""#).count();
    assert_eq!([thick(&plain), thick(&drawn("size 9\nregions none\n", ""))], [72, 36]);
}

/// Cells are 48 pixels wide, from 20 pixels on.
#[test]
fn what_is_drawn_of_a_rule_lies_in_its_cells() {
    let picture = drawn("size 9\nwindoku\n", "");
    for (x, y) in [(68, 68), (260, 68), (68, 260), (260, 260)] {
        let area = format!(r#"<rect class="found" x="{x}" y="{y}" width="144" height="144"/>"#);
        assert!(picture.contains(&area), "{area}: {picture}");
    }
    // The line leaves the nearer cell of the circle, at its radius of 17 pixels from (92, 44).
    let picture = drawn("size 9\narrow r1c1 r1c2 = r2c3 r3c3\n", "");
    assert!(picture.contains("M104.02 56.02L140.00 92.00L140.00 140.00"), "{picture}");
    // The 2 is in the middle of the first row of marks, the 7 at the left of the last.
    let picture = drawn("size 9\ncandidates r1c1 2 7\n", "");
    for (place, value) in [(r#"x="44" y="34.83""#, 2), (r#"x="31.33" y="60.17""#, 7)] {
        let mark = picture.lines().find(|line| line.contains(place));
        assert!(
            mark.is_some_and(|mark| mark.contains(&format!(">{value}<"))),
            "{value}: {picture}"
        );
    }
}

#[test]
fn a_drawn_solution_is_the_solution_and_leaves_the_givens_bold() {
    let folder = folder_with_givens();
    let text = folder.read("puzzle.txt");
    let values = |picture: &str, class: &str| -> String {
        let is_value = |line: &&str| {
            line.starts_with(&format!(r#"<text class="{class}""#)) && line.contains("middle")
        };
        let lines = picture.lines().filter(is_value);
        lines.filter_map(|line| line.strip_suffix("</text>")?.chars().last()).collect()
    };
    let blank = drawn(&text, "");
    let solved = drawn(&text, "--solution");
    let givens = block("givens").replace(['.', '\n'], "").replace("givens", "");
    assert_eq!([values(&blank, "ink"), values(&blank, "blue")], [givens.clone(), String::new()]);
    let solution = folder.succeed("variant list puzzle.txt");
    let blanks = block("givens").lines().skip(1).collect::<String>();
    let found = solution.trim().chars().zip(blanks.chars()).filter(|(_, given)| *given == '.');
    assert_eq!(values(&solved, "blue"), found.map(|(value, _)| value).collect::<String>());
    assert_eq!(values(&solved, "ink"), givens);
}

/// Lines run around regions of any shape, and the rules that are no regions stand below.
#[test]
fn a_puzzle_is_drawn_as_text_with_its_rules() {
    let folder = Folder::new();
    let rules = "regions\nAABB\nACCB\nADCB\nDDDC\ncage 3 r1c1 r1c2\nkropki white r4c3 r4c4\n";
    // The last cell touches no other of its region, so lines alone would not tell the regions.
    folder.write("p", format!("size 4\n{rules}givens\n1...\n....\n....\n..3.\n"));
    let drawn = "\
┌───────┬───────┐
│ 1   . │ .   . │
│   ┌───┴───┐   │
│ . │ .   . │ . │
│   ├───┐   │   │
│ . │ . │ . │ . │
├───┘   └───┼───┤
│ .   .   3 │ . │
└───────────┴───┘
regions
AABB
ACCB
ADCB
DDDC
cage 3 r1c1 r1c2
kropki white r4c3 r4c4
";
    assert_eq!(folder.succeed("variant draw p"), drawn);
    // The first solution is drawn with the same lines, its givens in bold.
    let solved = folder.succeed("variant draw p --solution --color always");
    let row = folder.succeed("variant list p --limit 1");
    let plain = solved.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    let digits: String =
        plain.lines().take(9).flat_map(str::chars).filter(char::is_ascii_digit).collect();
    assert_eq!(Some(&*digits), row.lines().next());
    assert_eq!(solved.matches("\u{1b}[1m").count(), 2, "{solved}");
    assert!(plain.ends_with("cage 3 r1c1 r1c2\nkropki white r4c3 r4c4\n"), "{plain}");
    folder.write("q", "size 4\nregions\nAABB\nAABB\nCCDD\nCCDD\nodd r1c1\n");
    assert!(folder.succeed("variant draw q").ends_with("┘\nodd r1c1\n"));
    // Where there are no regions, what is drawn is the frame; values from another one than 1 and candidates are told.
    folder.write("p", "size 4\nvalues 0-3\nregions none\ncandidates r1c1 02\n");
    let text = folder.succeed("draw p --as variant");
    let beginning = "┌───────────────┐\n│ .   .   .   . │\n│ .   .   .   . │\n";
    assert!(
        text.starts_with(beginning) && text.contains("└───────────────┘\nvalues 0-3\n"),
        "{text}"
    );
    assert!(text.contains("\ncandidates\n02 "), "{text}");
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = folder();
    assert!(folder.succeed("variant draw puzzle.txt").contains("cage 9 r1c1 r1c2 r2c1"));
    folder.fails("variant draw puzzle.txt --svg puzzle.txt", 2, "puzzle.txt");
    folder.write("none.txt", "size 4\ngivens\n1...\n..1.\n....\n11..\n");
    folder.fails("variant draw none.txt --solution --svg none.svg", 1, "no solution");
    let many = "variant draw puzzle.txt --solution --svg many.svg";
    folder.fails(many, 0, "more than one solution");
}

/// Searches that take for ever are stopped: each says that nothing came of it, and a file that was to be written is not.
#[test]
#[cfg(target_os = "linux")]
fn what_became_of_one_puzzle_is_said_when_a_signal_ends_its_search() {
    let folder = Folder::new();
    folder.write("r", rules_without_end());
    for (words, said) in [
        ("variant solve r -o f --limit 9000000000", "; 0 rows made, f is not written"),
        ("variant solve r --limit 9000000000", "; 0 rows written"),
        ("variant count r --limit 9000000000", "; nothing is saved"),
        ("variant candidates r", "; nothing is saved"),
        ("variant draw r --solution --svg f", "; no picture is written"),
    ] {
        let child = folder.start(words);
        wait_until("it searches", || cpu_ticks(&child) > 30);
        signal(&child, "TERM");
        let (code, _, message) = ended(child);
        assert_eq!(code, 143, "{words}: {message}");
        assert_eq!(message, format!("tallyboard: interrupted{said}\n"), "{words}");
        assert!(!folder.at("f").exists(), "{words}");
    }
}

#[test]
fn puzzles_are_made_by_rules_alone() {
    let here = Folder::new();
    for (line, found) in
        [("givens\n1...\n.2..\n....\n....", "2 givens"), ("candidates r1c1 12", "candidates")]
    {
        here.write("rules", format!("size 4\n{line}\n"));
        here.fails(
            "variant generate rules",
            2,
            &format!("rules: found {found}, expected rules alone"),
        );
    }
}

/// A terminal would obey them.
#[test]
fn control_characters_of_a_file_are_told_and_not_sent() {
    let here = Folder::new();
    here.write("rules", "size 4\nca\u{1b}[31mge r1c1\n");
    here.write("cover", "a b\n\u{1b}[2J\n");
    here.write("queens", "1 2 \u{9b}3\n");
    for (words, told) in [
        ("variant solve rules", r"'ca\u{1b}[31mge'"),
        ("cover count cover", r"'\u{1b}[2J'"),
        ("queens check queens", r"\u{9b}3"),
    ] {
        for color in ["always", "never"] {
            let message = here.says(&format!("{words} --color {color}"), told);
            let left = message.replace("\u{1b}[1m\u{1b}[31mtallyboard:\u{1b}[0m", "");
            let is_sent = |c: char| c.is_control() && c != '\n';
            assert!(!left.contains(is_sent), "{words}: {message:?}");
        }
    }
}

#[test]
fn what_is_only_drawn_is_refused_or_left_out_with_a_list() {
    let folder = Folder::new();
    let row = "[{},{},{},{}]";
    let grid = format!("[{row},{row},{row},{row}]");
    folder
        .write("p.json", format!(r#"{{"size":4,"grid":{grid},"circle":[{{"cells":["R1C1"]}}]}}"#));
    folder.fails("variant count p.json", 2, "p.json: found what is only drawn (1 circle)");
    assert_eq!(folder.succeed("-q variant count p.json --ignore-drawings"), "288\n");
    folder.says("variant count p.json --ignore-drawings", "p.json: left out: 1 circle");
}

#[test]
fn every_rule_of_some_cells_is_drawn() {
    let folder = Folder::new();
    let rules = "whispers r1c1..r1c3\npalindrome r2c1..r2c3\nrenban r3c1..r3c3\nbetween r4c1..r4c3\n\
        lockout r5c1..r5c3\nregion-sums r6c1..r6c5\nsum-line 10 r7c1..r7c3\nzipper r8c1..r8c3\n\
        modular 3 r9c1..r9c3\nentropic r1c4..r1c6\nparity r2c4..r2c6\nnabner r3c4..r3c6\n\
        slow-thermometer r4c4..r4c6\ngreater r5c4 r5c5\ndouble-arrow r6c6..r6c9\n\
        arrow r9c4 r9c5 r9c6 = r8c4\nlittle-killer 20 r1c2..r8c9\nsandwich 13 r3c9..r3c1\nskyscraper 4 r1c3..r9c3\n\
        odd r9c9\neven r9c8\nminimum r8c8\nmaximum r7c8\nquadruple 137 r7c5 r7c6 r8c5 r8c6\ncircles r1c9 r2c9\n\
        row-indexer r4c9\ncage 9-12 r4c7 r4c8\nproduct 24 r5c7 r5c8\nsame r1c7 r2c8\n\
        matches 1.[23] r7c1 r8c1 r9c1\nautomaton a:.:b,b:1:a,a! r1c1 r2c2\nlunchbox 5 r6c1..r6c4\nglobal-entropy\n";
    folder.write("rules", rules);
    folder.succeed("variant draw rules --svg out.svg");
    let picture = folder.read("out.svg");
    for part in [
        "green: whispers 5",
        "blue: region-sums",
        "sandwich",
        ">20<",
        ">13<",
        ">9-12<",
        ">24×<",
        ">137<",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    assert!(!picture.contains("NaN"), "{picture}");
}

#[test]
fn the_puzzles_of_a_file_are_taken_one_after_the_other_or_one_of_them() {
    let here = Folder::new();
    let rules = "size 4\ndiagonal falling\ngivens\n12..\n34..\n..2.\n....\n";
    // The second has no solution, the third many.
    let none = rules.replace("34..", "31..");
    here.write("three", format!("{rules}{none}# empty\nsize 4\ndiagonal rising\n"));
    here.write("third", "size 4\ndiagonal rising\n");
    let third = here.succeed("-q variant count third");
    for command in ["count three -q", "variant count three -q"] {
        here.prints(command, &format!("1\n0\n{}", third.trim()));
    }
    here.prints(
        "variant count three --limit 1",
        "line 1: at least 1 solution\nline 8: 0 solutions\nline 16: at least 1 solution",
    );
    let counted = here.succeed("count three");
    assert!(counted.contains("solutions of three, line 8: 0 solutions"), "{counted}");
    let json = here.succeed("variant count three --json");
    let lines: Vec<Option<u64>> = serde_json::Deserializer::from_str(&json)
        .into_iter::<serde_json::Value>()
        .map(|report| report.unwrap()["line"].as_u64())
        .collect();
    assert_eq!(lines, [Some(1), Some(8), Some(16)], "{json}");
    let solved = here.succeed("variant solve three");
    let alone = here.succeed("variant solve three --puzzle 1");
    let expected = format!(
        "# line 1: the only solution\n{alone}# line 8: no solution\n# line 16: at least 2 solutions; this is the first\n"
    );
    assert!(solved.starts_with(&expected), "{solved}");
    here.says(
        "solve three",
        "3 puzzles: 1 unique, 1 without a solution, 1 with more than one, 0 bad lines",
    );
    here.prints("variant count three --puzzle 3 -q", third.trim());
    here.fails("variant count three --puzzle 4", 2, "three: found puzzle 4, expected 1 to 3");
    here.fails("variant count three --puzzle 0", 2, "0 is not in 1..");
    for command in [
        "explain three",
        "list three",
        "convert three",
        "count three --journal j",
        "solve three third",
    ] {
        let said =
            "three: line 8: found a second puzzle, of 3, expected one: --number takes one of them";
        here.fails(&format!("variant {command}"), 2, said);
    }
    here.succeed("variant list three --puzzle 1");
}
