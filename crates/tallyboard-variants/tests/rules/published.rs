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

/// A sum that no cage states is told with the houses and cages that it follows from.
#[test]
fn the_rule_of_45_is_named() {
    let column = "cage 20 r7c1 r6c1 r5c1\ncage 15 r2c1 r3c1 r4c1\ncage 5 r8c1 r9c1\n";
    let four = "size 4\ncage 4 r1c1 r1c2\ncage 3 r3c1 r4c1\n";
    let outie = "size 4\ncage 6 r1c1 r1c2 r2c1\ncage 7 r1c3 r1c4\n";
    let impossible = "size 4\ncage 7 r1c1 r1c2\ncage 3 r1c3\n";
    let three = "size 5\nregions none\ncage 9 r1c1 r1c2\n";
    for (text, expected) in [
        (
            column,
            "r1c1 is 5: column 1 has the sum 45, and the cages of r7c1, r2c1 and r8c1 in it have 40",
        ),
        (
            four,
            "r2c1 is not 1 or 2: r1c1 is 1, 2, 3 or 4, and they have the sum 7, as column 1 has the sum 10, and the cage of r3c1 in \
             it has 3",
        ),
        (
            outie,
            "r2c1 is 3: the cages of r1c3 and r1c1 have the sum 13, and row 1, which they cover, has 10",
        ),
        (
            impossible,
            "r1c4 has no value left: row 1 has the sum 10, and the cages of r1c1 and r1c3 in it have 10",
        ),
        (
            three,
            "the sum 6 left by houses and cages for r1c3, r1c4, r1c5 leaves nothing else, as row 1 has the sum 15, and the cage of \
             r1c1 in it has 9",
        ),
    ] {
        let steps = read(text.as_bytes(), "p").unwrap().explain().steps;
        let texts: Vec<&str> = steps.iter().map(|step| &*step.text).collect();
        assert!(texts.iter().any(|text| text.ends_with(expected)), "{expected}: {texts:#?}");
    }
}

/// Where simple steps end, a supposition is refuted by steps one deeper; what is filled for good is right.
#[test]
fn trials_lead_on_where_simple_steps_end() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published/");
    for name in ["thermometers.txt", "anti-knight.txt", "classic-6x6.txt"] {
        let text = fs::read_to_string(format!("{folder}{name}")).unwrap();
        let puzzle = read(text.as_bytes(), name).unwrap();
        let size = puzzle.size();
        let solution = puzzle.solve().first.unwrap();
        let explanation = puzzle.explain();
        assert_eq!(explanation.end, End::Solved, "{name}");
        let steps = &explanation.steps;
        let supposed = steps.iter().filter(|step| step.text.starts_with("suppose that")).count();
        let refuted = steps.iter().filter(|step| step.text.contains(" cannot be ")).count();
        assert!(supposed > 0 && supposed <= refuted, "{name}: {supposed} of {refuted}");
        for pair in steps.windows(2) {
            let is_supposition = pair[0].text.starts_with("suppose that");
            assert_eq!(
                is_supposition,
                (pair[0].depth, pair[1].depth) == (0, 1),
                "{name}: {pair:?}"
            );
        }
        for (cell, value) in
            steps.iter().filter(|step| step.depth == 0).filter_map(|step| step.filled)
        {
            assert_eq!(solution[size.index(cell).unwrap()], value, "{name}: {cell}");
        }
    }
}

/// The steps to one cell end with it, are right, and are no more than those of the whole grid; most cells need few of them.
#[test]
fn one_cell_follows_from_fewer_steps() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published/killer.txt");
    let puzzle = read(&fs::read(path).unwrap(), "killer").unwrap();
    let solution = puzzle.solve().first.unwrap();
    let all = puzzle.explain().steps;
    for index in [0, 40, 44] {
        let cell = puzzle.size().cell(index);
        let steps = puzzle.explain_cell(cell).steps;
        assert_eq!(steps.last().unwrap().filled, Some((cell, solution[index])), "{cell}");
        let before =
            all.iter().position(|step| step.filled.is_some_and(|(filled, _)| filled == cell));
        assert!(steps.len() < before.unwrap(), "{cell}: {} of {before:?}", steps.len());
    }
    // A cell with several values follows from nothing.
    let loose = read(b"size 4\ngivens\n12..\n....\n....\n....\n", "p").unwrap();
    let last = loose.size().cell(15);
    assert!(
        loose
            .explain_cell(last)
            .steps
            .iter()
            .all(|step| step.filled.is_none_or(|(cell, _)| cell != last))
    );
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
