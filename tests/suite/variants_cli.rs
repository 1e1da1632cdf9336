//! Promise: a file of rules is solved, counted, listed, explained and made into puzzles from the command line, as
//! `docs/variants.md` shows it, and mistakes in it are named.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::runs::{fail, run, run_with_input, start, succeed};

/// The indented block of the page that begins with `first`, without its indentation.
fn block(first: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/variants.md");
    let page = fs::read_to_string(page).unwrap();
    let lines = page.lines().skip_while(|line| *line != format!("    {first}"));
    let lines = lines.map_while(|line| line.strip_prefix("    "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// What a block of commands shows behind the command `words`.
fn shown(words: &str) -> String {
    let shown = block(&format!("$ tallyboard {words}"));
    let lines = shown.lines().skip(1).take_while(|line| !line.starts_with('$'));
    lines.map(|line| format!("{line}\n")).collect()
}

/// A folder with the puzzle of the page, without givens.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rules = block("# A jigsaw with a diagonal, a killer cage and a thermometer.");
    fs::write(folder.path().join("puzzle.txt"), rules).unwrap();
    folder
}

/// The same with the givens of the page.
fn folder_with_givens() -> tempfile::TempDir {
    let folder = folder();
    let path = folder.path().join("puzzle.txt");
    let rules = fs::read_to_string(&path).unwrap();
    fs::write(path, rules + &block("givens")).unwrap();
    folder
}

#[test]
fn the_page_shows_what_the_commands_print() {
    let folder = folder();
    let count = "-q variant count puzzle.txt";
    assert_eq!(succeed(folder.path(), count), shown(count));
    let all = succeed(folder.path(), "variant list puzzle.txt");
    assert_eq!(all.lines().count().to_string(), shown(count).trim());
    let list = "variant list puzzle.txt --limit 1";
    assert_eq!(
        succeed(folder.path(), list).lines().next(),
        block(&format!("$ tallyboard {count}")).lines().last()
    );
    let folder = folder_with_givens();
    let solve = "-q variant solve puzzle.txt";
    assert_eq!(succeed(folder.path(), solve), shown(solve));
    let explained = succeed(folder.path(), "variant explain puzzle.txt");
    let steps = shown("variant explain puzzle.txt").replace("  …\n", "");
    assert!(explained.starts_with(steps.trim_end()), "{explained}\n{steps}");
}

/// The candidates of all listed solutions are those that `candidates` prints.
#[test]
fn candidates_are_those_of_the_listed_solutions() {
    let folder = folder();
    let listed = succeed(folder.path(), "variant list puzzle.txt");
    let found = succeed(folder.path(), "variant candidates puzzle.txt");
    let found: Vec<&str> = found.split_whitespace().collect();
    for (cell, found) in found.iter().enumerate() {
        let mut values: Vec<u8> = listed.lines().map(|line| line.as_bytes()[cell]).collect();
        values.sort_unstable();
        values.dedup();
        assert_eq!(found.as_bytes(), values, "cell {cell}");
    }
    let json = succeed(folder.path(), "variant candidates puzzle.txt --json");
    let rows: Vec<Vec<Vec<u8>>> = serde_json::from_str(&json).unwrap();
    let texts: Vec<String> =
        rows.concat().iter().map(|values| values.iter().map(u8::to_string).collect()).collect();
    assert_eq!(texts, found);
}

#[test]
fn limits_end_counts_and_solving() {
    let folder = folder();
    assert_eq!(succeed(folder.path(), "-q variant count puzzle.txt --limit 7"), "7\n");
    assert_eq!(
        succeed(folder.path(), "variant count puzzle.txt --limit 7"),
        "at least 7 solutions\n"
    );
    assert_eq!(succeed(folder.path(), "variant count puzzle.txt --limit 105"), "104 solutions\n");
    for (limit, solutions, is_all) in [(104, 104, false), (105, 104, true)] {
        let words = format!("variant count puzzle.txt --limit {limit} --json");
        let limited: Value = serde_json::from_str(&succeed(folder.path(), &words)).unwrap();
        assert_eq!(
            (&limited["solutions"], &limited["is_all"]),
            (&solutions.into(), &is_all.into())
        );
        let whole = succeed(folder.path(), "variant count puzzle.txt --json");
        let whole: Value = serde_json::from_str(&whole).unwrap();
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
        let output = run(folder.path(), &format!("variant solve puzzle.txt{options}"));
        assert_eq!(String::from_utf8(output.stderr).unwrap().trim(), expected);
    }
    // With a limit of 1 no second solution is looked for, so nothing is called unique.
    fs::write(folder.path().join("lines.txt"), ".".repeat(36) + "\n").unwrap();
    for (limit, expected) in [
        (1, "1 puzzle: 1 with a solution, 0 without one, 0 bad lines"),
        (2, "1 puzzle: 0 unique, 0 without a solution, 1 with more than one, 0 bad lines"),
    ] {
        let words = format!("variant solve puzzle.txt lines.txt --limit {limit}");
        let said = String::from_utf8(run(folder.path(), &words).stderr).unwrap();
        assert_eq!(said.lines().next(), Some(expected));
    }
}

#[test]
fn made_puzzles_have_one_solution_on_any_number_of_threads() {
    let folder = folder();
    succeed(folder.path(), "-q variant generate puzzle.txt 200 --minimal -o lines.txt");
    let lines = fs::read_to_string(folder.path().join("lines.txt")).unwrap();
    assert_eq!(lines.lines().count(), 200);
    let one = succeed(folder.path(), "-q variant solve puzzle.txt lines.txt -j 1");
    let three = succeed(folder.path(), "-q variant solve puzzle.txt lines.txt -j 3");
    assert_eq!(one, three);
    for (row, line) in one.lines().zip(lines.lines()) {
        assert!(row.starts_with(&format!("{line}:1:")), "{row}");
    }
    let givens = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    succeed(folder.path(), "-q variant generate puzzle.txt 200 -o more.txt");
    let usual = fs::read_to_string(folder.path().join("more.txt")).unwrap();
    let many = succeed(folder.path(), "-q variant generate puzzle.txt 200 --clues 20");
    assert!(givens(&lines) < givens(&usual) && givens(&usual) < givens(&many));
    assert_eq!(givens(&many), 200 * 20);
    let other = succeed(folder.path(), "-q variant generate puzzle.txt 200 --minimal --seed 2");
    assert_ne!(other, lines);
}

#[test]
fn a_killer_has_one_solution_and_no_large_cage() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain.txt"), "size 6\nanti-king\n").unwrap();
    succeed(folder.path(), "-q variant generate plain.txt --cages 3 -o killer.txt");
    let killer = fs::read_to_string(folder.path().join("killer.txt")).unwrap();
    let cages = killer.lines().filter(|line| line.starts_with("cage "));
    assert!(cages.clone().count() > 12 && cages.clone().all(|cage| cage.split(' ').count() <= 5));
    assert!(killer.contains("anti-king\n"));
    assert_eq!(succeed(folder.path(), "-q variant count killer.txt"), "1\n");
    let message = fail(folder.path(), "variant generate killer.txt --cages 3", 2);
    assert!(message.contains("found cages in the rules"), "{message}");
    let message = fail(folder.path(), "variant generate plain.txt 0 --cages 3", 2);
    assert!(message.contains("--cages: found 0 puzzles to make, expected 1"), "{message}");
    let message = fail(folder.path(), "variant generate plain.txt 2 --cages 3", 2);
    assert!(message.contains("expected 1"), "{message}");
}

#[test]
fn a_count_that_is_killed_goes_on_from_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p"), "size 6\nanti-king\n").unwrap();
    let expected = succeed(folder.path(), "-q variant count p -j 1");
    let words = "-q variant count p --journal j --resume";
    let mut child = start(folder.path(), words);
    std::thread::sleep(std::time::Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(succeed(folder.path(), words), expected);
    let shown = succeed(folder.path(), "variant show j");
    assert!(shown.contains("done 100.00 %"), "{shown}");
    fs::write(folder.path().join("p"), "size 6\nanti-king\ndiagonals\n").unwrap();
    let message = fail(folder.path(), words, 1);
    assert!(message.contains("fingerprint"), "{message}");
}

#[test]
fn mistakes_are_named() {
    let folder = folder();
    let path = folder.path().join("puzzle.txt");
    let rules = fs::read_to_string(&path).unwrap();
    fs::write(&path, rules.clone() + "cage 3 r6c6 r1c2\n").unwrap();
    let message = fail(folder.path(), "variant count puzzle.txt", 2);
    let expected = "puzzle.txt: line 13: cage: found r1c2, which is in the cage of r1c1 too, expected it in one cage";
    assert!(message.contains(expected), "{message}");
    fs::write(&path, rules).unwrap();
    fs::write(folder.path().join("lines.txt"), "# a comment\n1..\n").unwrap();
    let output = run(folder.path(), "variant solve puzzle.txt lines.txt");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "!1..\n");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("lines.txt: line 2: found 3 characters, expected 36 cells"),
        "{message}"
    );
    for command in ["convert puzzle.txt", "generate puzzle.txt 1", "solve puzzle.txt"] {
        let message = fail(folder.path(), &format!("variant {command} -o puzzle.txt"), 2);
        assert!(message.contains("puzzle.txt is read here"), "{message}");
    }
    let message = fail(folder.path(), "variant count missing.txt", 1);
    assert!(message.contains("missing.txt"), "{message}");
    fs::write(&path, "size 4\ncage 3 r1c1 r1c2\ncage 3 r1c3 r1c4\n").unwrap();
    let message = fail(folder.path(), "variant generate puzzle.txt", 2);
    assert!(message.contains("found rules that no grid satisfies"), "{message}");
}

/// `convert` writes what it reads, and `explain --json` a step a line.
#[test]
fn what_is_converted_counts_alike() {
    let folder = folder_with_givens();
    succeed(folder.path(), "variant convert puzzle.txt -o again.txt");
    let twice = succeed(folder.path(), "variant convert again.txt");
    assert_eq!(twice, fs::read_to_string(folder.path().join("again.txt")).unwrap());
    assert_eq!(succeed(folder.path(), "-q variant count again.txt"), "1\n");
    let steps = succeed(folder.path(), "variant explain puzzle.txt --json");
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
        fs::write(folder.path().join("p"), rules).unwrap();
        let steps = succeed(folder.path(), "variant explain p --json");
        assert_eq!(steps.lines().last(), Some(&*format!("{{\"end\":\"{expected}\"}}")));
    }
}

#[test]
fn a_bad_line_is_no_end_and_a_mark_no_cell() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p"), "\u{feff}size 4\n").unwrap();
    let solved = "1234341221434321";
    let lines = [b"\xef\xbb\xbf", solved.as_bytes(), b"\r\n1\xff2\n", solved.as_bytes()].concat();
    fs::write(folder.path().join("lines"), lines).unwrap();
    let output = run(folder.path(), "-q variant solve p lines");
    assert_eq!(output.status.code(), Some(1));
    let row = format!("{solved}:1:{solved}\n");
    assert_eq!(output.stdout, [row.as_bytes(), b"!1\xff2\n", row.as_bytes()].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "lines: line 2: found bytes that are no UTF-8, expected text in UTF-8\n");
    let message = fail(folder.path(), "-q variant solve p lines --strict -o out", 1);
    assert!(message.contains("lines: line 2: found bytes"), "{message}");
    assert!(!folder.path().join("out").exists());
}

/// At sizes beyond 9 a candidate is a character and a given may be a number: each message says what its own place takes.
#[test]
fn values_of_large_grids_are_expected_as_their_place_takes_them() {
    let folder = tempfile::tempdir().unwrap();
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
        fs::write(folder.path().join("p"), format!("size {side}\n{text}")).unwrap();
        if expected.is_empty() {
            succeed(folder.path(), "variant convert p");
        } else {
            let message = fail(folder.path(), "variant convert p", 2);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}

#[test]
fn numbers_of_cells_have_limits() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p"), "size 6\n").unwrap();
    for (options, least, most) in [("--cages", 1, 6), ("--clues", 0, 36)] {
        let words = |number: i32| format!("-q variant generate p {options} {number}");
        succeed(folder.path(), &words(least));
        succeed(folder.path(), &words(most));
        let message = fail(folder.path(), &words(most + 1), 2);
        let expected = format!("{options}: found {}, expected ", most + 1);
        assert!(message.contains(&expected), "{message}");
    }
    let message = fail(folder.path(), "variant generate p --cages 0", 2);
    assert!(message.contains("--cages: found 0, expected 1 to 6"), "{message}");
}

#[test]
fn standard_input_is_read_once() {
    for words in [
        &["variant", "solve", "-", "-"][..],
        &["sudoku", "solve", "-", "-"],
        &["scale", "compare", "-", "-"],
    ] {
        let (code, _, message) = run_with_input(words, "size 4\n");
        assert_eq!(code, 2, "{words:?}: {message}");
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

/// Rules by which a search finds no grid for hours.
#[cfg(target_os = "linux")]
fn rules_without_end() -> String {
    let cages: String = (1..=16).map(|row| format!("cage 17 r{row}c1 r{row}c2\n")).collect();
    format!("size 16\nanti-knight\nnon-consecutive\n{cages}")
}

/// The rules allow no grid, which a search of a million steps does not find out.
#[cfg(target_os = "linux")]
#[test]
fn a_search_for_a_first_grid_hears_a_signal() {
    use crate::common::runs::{exit_code_soon, signal, start, wait_until};

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p"), rules_without_end()).unwrap();
    let mut child = start(folder.path(), "variant generate p 5 -o out");
    wait_until("it searches", || cpu_ticks(&child) > 30);
    signal(&child, "INT");
    assert_eq!(exit_code_soon(&mut child), Some(130));
    let said = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(said, "tallyboard: interrupted; 0 puzzles made, out is not written\n");
}

/// The picture of the puzzle with this text.
fn drawn(text: &str, flags: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rules.txt"), text).unwrap();
    succeed(folder.path(), &format!("variant draw rules.txt --svg picture.svg {flags}"));
    fs::read_to_string(folder.path().join("picture.svg")).unwrap()
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
    let text = fs::read_to_string(folder.path().join("puzzle.txt")).unwrap();
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
    let solution = succeed(folder.path(), "variant list puzzle.txt");
    let blanks = block("givens").lines().skip(1).collect::<String>();
    let found = solution.trim().chars().zip(blanks.chars()).filter(|(_, given)| *given == '.');
    assert_eq!(values(&solved, "blue"), found.map(|(value, _)| value).collect::<String>());
    assert_eq!(values(&solved, "ink"), givens);
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/variant.svg");
    if std::env::var_os("TALLYBOARD_RENEW").is_some() {
        fs::write(&kept, &blank).unwrap();
    }
    assert_eq!(
        fs::read_to_string(kept).unwrap(),
        blank,
        "docs/pictures/variant.svg is out of date"
    );
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let folder = folder();
    let unsaid = fail(folder.path(), "variant draw puzzle.txt", 2);
    assert!(unsaid.contains("expected --svg FILE or --png FILE"), "{unsaid}");
    let same = fail(folder.path(), "variant draw puzzle.txt --svg puzzle.txt", 2);
    assert!(same.contains("puzzle.txt"), "{same}");
    fs::write(folder.path().join("none.txt"), "size 4\ngivens\n1...\n..1.\n....\n11..\n").unwrap();
    let none = run(folder.path(), "variant draw none.txt --solution --svg none.svg");
    assert_eq!(none.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&none.stderr).contains("no solution"), "{none:?}");
    let many = run(folder.path(), "variant draw puzzle.txt --solution --svg many.svg");
    assert!(many.status.success());
    assert!(String::from_utf8_lossy(&many.stderr).contains("more than one solution"), "{many:?}");
}

/// Searches that take for ever are stopped: each says that nothing came of it, and a file that was to be written is not.
#[test]
#[cfg(target_os = "linux")]
fn what_became_of_one_puzzle_is_said_when_a_signal_ends_its_search() {
    use crate::common::runs::{signal, wait_until};

    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("r"), rules_without_end()).unwrap();
    for (words, said) in [
        ("variant solve r -o f --limit 9000000000", "; 0 rows made, f is not written"),
        ("variant solve r --limit 9000000000", "; 0 rows written"),
        ("variant count r --limit 9000000000", "; nothing is saved"),
        ("variant candidates r", "; nothing is saved"),
        ("variant draw r --solution --svg f", "; no picture is written"),
    ] {
        let child = start(folder.path(), words);
        wait_until("it searches", || cpu_ticks(&child) > 30);
        signal(&child, "TERM");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143), "{words}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message, format!("tallyboard: interrupted{said}\n"), "{words}");
        assert!(!folder.path().join("f").exists(), "{words}");
    }
}

#[test]
fn puzzles_are_made_by_rules_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (line, found) in
        [("givens\n1...\n.2..\n....\n....", "2 givens"), ("candidates r1c1 12", "candidates")]
    {
        std::fs::write(here.join("rules"), format!("size 4\n{line}\n")).unwrap();
        let message = fail(here, "variant generate rules", 2);
        assert!(
            message.contains(&format!("rules: found {found}, expected rules alone")),
            "{message}"
        );
    }
}

/// A terminal would obey them.
#[test]
fn control_characters_of_a_file_are_told_and_not_sent() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("rules"), "size 4\nca\u{1b}[31mge r1c1\n").unwrap();
    std::fs::write(here.join("cover"), "a b\n\u{1b}[2J\n").unwrap();
    std::fs::write(here.join("queens"), "1 2 \u{9b}3\n").unwrap();
    for (words, told) in [
        ("variant solve rules", r"'ca\u{1b}[31mge'"),
        ("cover count cover", r"'\u{1b}[2J'"),
        ("queens check queens", r"\u{9b}3"),
    ] {
        for color in ["always", "never"] {
            let output = run(here, &format!("{words} --color {color}"));
            let message = String::from_utf8(output.stderr).unwrap();
            assert!(message.contains(told), "{words}: {message:?}");
            let left = message.replace("\u{1b}[1m\u{1b}[31mtallyboard:\u{1b}[0m", "");
            let is_sent = |c: char| c.is_control() && c != '\n';
            assert!(!left.contains(is_sent), "{words}: {message:?}");
        }
    }
}
