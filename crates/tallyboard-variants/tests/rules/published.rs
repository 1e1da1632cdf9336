//! Promise: puzzles that people published have one solution, the published one. Each file says where it is from.

use std::fs;
use std::path::Path;

use tallyboard_variants::{Count, End, line, read};

#[test]
fn published_puzzles_have_the_published_solution_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published");
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display();
        let text = fs::read_to_string(&path).unwrap();
        let comment = |head: &str| text.lines().find_map(|line| line.strip_prefix(head));
        assert!(comment("# Published at http").is_some(), "{name}");
        let published_solution = comment("# solution ").unwrap();
        let puzzle =
            read(text.as_bytes(), "published").unwrap_or_else(|error| panic!("{name}: {error}"));
        let answer = puzzle.solve();
        assert_eq!(answer.count, 1, "{name}");
        let solution = answer.first.unwrap();
        assert_eq!(line(puzzle.size(), &solution), published_solution, "{name}");
        assert_eq!(tallyboard_search::count(&Count::new(&puzzle)).unwrap(), 1, "{name}");
        let explanation = puzzle.explain();
        assert_ne!(explanation.end, End::Contradiction, "{name}");
        for (cell, &value) in solution.iter().enumerate() {
            let candidates = explanation.candidates.of(puzzle.size().cell(cell));
            assert!(candidates.contains(&value), "{name}: cell {cell}");
            assert!(explanation.end != End::Solved || candidates.len() == 1, "{name}");
        }
        checked += 1;
    }
    assert_eq!(checked, 20);
}

/// A sentence names what it takes away, not what is left.
#[test]
fn a_dot_takes_away_what_its_sentence_says() {
    let text = "size 4\nkropki black r1c1 r1c2\ngivens\n4...\n....\n....\n....\n";
    let steps = read(text.as_bytes(), "p").unwrap().explain().steps;
    let texts: Vec<&str> = steps.iter().map(|step| &*step.text).collect();
    let expected = "r1c2 is not 1 or 3: r1c1 is 4, and they have ";
    assert!(texts.iter().any(|text| text.starts_with(expected)), "{texts:?}");
}

/// A single is told by the rules that it takes: one that excludes only what another excludes already is left out.
#[test]
fn a_single_names_no_rule_in_vain() {
    for (first_row, expected) in
        [("12...", "column 5, row 1"), (".2...", "column 5, different, row 1")]
    {
        let rest = "....3\n..1.4\n.....\n.....\n";
        let text =
            format!("size 5\nregions none\ndifferent r1c5 r3c3\ngivens\n{first_row}\n{rest}");
        let steps = read(text.as_bytes(), "p").unwrap().explain().steps;
        let told = format!("r1c5 is 5: no other value is left, by {expected}");
        assert_eq!((&*steps[0].text, &*steps[0].rule), (&*told, expected));
    }
}

/// A mark between two cells is one, whichever of them its line names first: where all are given, no other pair may have one.
#[test]
fn marks_have_no_direction() {
    let rows = ["1234", "3412", "2143", "4321"];
    let value = |row: usize, column: usize| u32::from(rows[row].as_bytes()[column] - b'0');
    let name = |row: usize, column: usize| format!("r{}c{}", row + 1, column + 1);
    let mut pairs = Vec::new();
    for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
        for (below, right) in [(row, column + 1), (row + 1, column)] {
            if below < 4 && right < 4 && value(row, column) + value(below, right) == 5 {
                pairs.push([name(row, column), name(below, right)]);
            }
        }
    }
    assert!(pairs.len() > 3, "{pairs:?}");
    let end = |marks: &[String]| {
        let text = format!("size 4\nall-xv-given\n{}givens\n{}\n", marks.concat(), rows.join("\n"));
        read(text.as_bytes(), "p").unwrap().explain().end
    };
    for [first, second] in [[0, 1], [1, 0]] {
        let line = |pair: &[String; 2]| format!("v {} {}\n", pair[first], pair[second]);
        let marks: Vec<String> = pairs.iter().map(line).collect();
        assert_eq!(end(&marks), End::Solved, "{marks:?}");
        assert_eq!(end(&marks[1..]), End::Contradiction, "{marks:?}");
    }
}

/// Filling a grid tells only that peers differ: the other rules are checked at the end.
#[test]
fn explanations_do_not_end_with_a_grid_that_breaks_a_rule() {
    let filled = "givens\n1234\n3412\n2143\n4321\n";
    for (rule, end) in [
        ("thermometer r1c1..r1c3", End::Solved),
        ("thermometer r1c3..r1c1", End::Contradiction),
        ("kropki white r1c1 r1c2", End::Solved),
        ("kropki black r1c2 r1c3", End::Contradiction),
        ("cage 6 r1c1..r1c3", End::Solved),
        ("cage 7 r1c1..r1c3", End::Contradiction),
        ("sandwich 5 r1c1..r1c4", End::Solved),
        ("sandwich 4 r1c1..r1c4", End::Contradiction),
        ("circles r1c1 r1c2", End::Contradiction),
    ] {
        let text = format!("size 4\n{rule}\n{filled}");
        assert_eq!(read(text.as_bytes(), "p").unwrap().explain().end, end, "{rule}");
    }
}
