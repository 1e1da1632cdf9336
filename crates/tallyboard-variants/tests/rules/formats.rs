//! Promise: what setters write is read, and a mistake is named with its line, what was found and what was expected.

use tallyboard_variants::{Puzzle, Rule, Rules, read, write};

fn error(text: &str) -> String {
    read(text.as_bytes(), "p.txt").expect_err(text).to_string()
}

fn puzzle(text: &str) -> Puzzle {
    read(text.as_bytes(), "p.txt").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const EVERY_RULE: &str = "\
size 9 # the usual one
regions
AAABBBBCC
AABBBCCCC
AAABBCCCD
AEEEEFDDD
EEEEFFFDD
EGGFFFDDD
GGGHHFFII
GGGHHHIII
GHHHHIIII
diagonals
windoku
disjoint-groups
house r1c1 r2c2 r3c4 r4c6 r5c8 r6c1 r7c3 r8c5 r9c7
different r1c1 r9c9
anti-knight
anti-king
non-consecutive
cage 10 r1c1 r1c2
cage r9c8 r9c9
thermometer r2c2 r3c3 r4c3
arrow r5c5 = r5c6 r5c7
arrow r6c1 r6c2 = r7c3 r8c3
kropki white r7c7 r7c8
kropki black r8c7 r8c8
x r2c7 r2c8
v r3c7 r3c8
all-dots-given
all-xv-given
givens
+---+---+---+
|1..|...|...|
|...|...|...|
|...|...|...|
+---+---+---+
|...|...|...|
|...|...|...|
|...|...|...|
+---+---+---+
. . . . . . . . .
. . . . . . . . 7
. . . . . . . . .
candidates r2c1 35 7
";

#[test]
fn every_rule_is_read_and_written() {
    let read_once = puzzle(EVERY_RULE);
    assert_eq!(read_once.rules().rules().len(), 21);
    assert_eq!(read_once.line().matches(|c: char| c != '.').count(), 2);
    assert_eq!(read_once.candidates().of("r2c1".parse().unwrap()), [3, 5, 7]);
    assert_eq!(puzzle(&write(&read_once)), read_once);
    assert!(puzzle("size 9").rules().is_classic());
    assert!(error("").contains("line 1: found an empty file"));
    assert_eq!(puzzle("size 16x16").size().side(), 16);
    let marks = "size 4\ncandidates\n12 34 1234 .\n. . . .\n. . . 4\n. . . .\n";
    assert_eq!(puzzle(marks).candidates().of("r1c2".parse().unwrap()), [3, 4]);
    assert_eq!(puzzle("\u{feff}size 4\nanti-king"), puzzle("size 4\nanti-king"));
    assert!(puzzle("regions none").rules().regions().is_none());
    let large = "size 12\ngivens\n12 . . . . . . . . . . A\n".to_owned()
        + &". . . . . . . . . . . .\n".repeat(11);
    assert_eq!(puzzle(&large).givens()[0], 12);
    assert_eq!(puzzle(&large).givens()[11], 10);
}

#[test]
fn lines_of_givens_and_of_pencil_marks_are_read() {
    let rules = puzzle("size 4");
    assert_eq!(rules.with_line("1..2............").unwrap().givens()[3], 2);
    let marks = rules.with_line(&("12..".to_owned() + &"1234".repeat(15))).unwrap();
    assert_eq!(marks.candidates().sets()[..2], [0b11, 0b1111]);
    for (line, expected) in [
        ("1..", "found 3 characters, expected 16 cells, or 64 pencil marks"),
        ("5...............", "found '5' at r1c1, expected 1-4 or a blank"),
        (&"0".repeat(64), "found no value left for r1c1"),
    ] {
        let error = rules.with_line(line).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn mistakes_in_the_text_are_named() {
    for (text, expected) in [
        ("size 9x4", "line 1: size: found '9x4', expected a side from 3 to 16"),
        ("size 4x9 cells", "line 1: size: found '4x9 cells', expected a side"),
        ("size 17", "line 1: found the size 17, expected 3 to 16"),
        ("size 2", "line 1: found the size 2, expected 3 to 16"),
        ("size nine", "line 1: size: found 'nine', expected a side from 3 to 16"),
        ("diagonals\nsize 9", "line 2: found 'size' or 'values' below other lines, expected"),
        (
            "termometer r1c1 r1c2",
            "line 1: found 'termometer', expected a rule: did you mean thermometer?",
        ),
        ("\n\nkiller 3", "line 3: found 'killer', expected a rule: little-killer, "),
        (
            "therm r1c1 r1c2",
            "line 1: found 'therm', expected a rule: thermometer, slow-thermometer or ",
        ),
        (
            "4 1 2 2",
            "line 1: found '4', expected a rule: cage, givens or thermometer; docs/variant_rules.md",
        ),
        ("regions\nAA", "line 2: regions: found 2 cells in this row, expected 9"),
        ("size 4\nregions\nAABB\nAABB", "line 2: regions: found 2 rows in its picture, expected 4"),
        (
            "size 4\nregions\nAABB\nAABB\nCCDD\nCCDC",
            "line 2: regions: found 5 cells in region C, that of r3c1, expected 4",
        ),
        (
            "size 4\nregions\n10 10 11 11\n10 10 11 11\n12 12 13 13\n12 12 13 12",
            "line 2: regions: found 5 cells in region 12, that of r3c1, expected 4",
        ),
        (
            "size 4\nregions\n10 10 11 11\n10 10 11",
            "line 4: regions: found 3 words and 6 characters in this row, expected 4",
        ),
        ("givens\n10 . 3 . . . . . . .", "line 2: givens: found 10 words and 11 characters in"),
        (
            "size 4\ngivens\n01 .. . .\n....\n....\n....",
            "line 3: found \"..\" at r1c2, expected 1-4 or",
        ),
        (
            "size 4\ngivens\n. . 1 +2\n....\n....\n....",
            "line 3: found \"+2\" at r1c4, expected 1-4 or",
        ),
        ("candidates r1c1", "line 1: candidates: found 'r1c1', expected a cell and its values"),
        ("regions any", "line 1: regions: found 'any', expected nothing, and a picture below, or"),
        ("regions none\nregions none", "line 2: regions: found this rule twice, expected it once"),
        ("anti-knight r1c1", "line 1: anti-knight: found 'r1c1', expected nothing in this line"),
        ("anti-king\nanti-king", "line 2: anti-king: found this rule twice"),
        ("diagonal left", "line 1: diagonal: found 'left', expected falling or rising"),
        ("size 6\nwindoku", "line 2: windoku: found the size 6, expected 4, 9 or 16"),
        ("cage 3 r1c1 a2", "line 1: cage: found 'a2', expected a cell such as r3c5"),
        ("cage 3 r1c1 r1c10", "line 1: cage: found r1c10, expected a cell from r1c1 to r9c9"),
        ("cage 3 r1c0 r1c1", "line 1: cage: found r1c0, expected a cell from r1c1 to r9c9"),
        (
            "values 0-9",
            "line 1: values: found '0-9', expected the first and the last value, such as",
        ),
        (
            "values 0",
            "line 1: values: found '0', expected the first and the last value, such as 0-8",
        ),
        ("values 9-17", "line 1: values: found the first value 9, expected at most 8 in this size"),
        ("anti-king\nvalues 0-8", "line 2: found 'size' or 'values' below other lines, expected"),
        ("values 0-8\nx-sum 5 r1c1..r1c9", "line 2: x-sum: found values that do not begin with 1,"),
        ("values 0-8\ncage 0 r1c1 r1c2", "line 2: cage: found the sum 0 at r1c1, expected 1 to 15"),
        (
            "size 4\nvalues 0-3\ngivens\n0.4.\n....\n....\n....",
            "line 4: found '4' at r1c3, expected 0-3",
        ),
        ("size 4\nvalues 0-3\nquadruple 4 r1c1", "line 3: found '4' at r1c1, expected 0-3"),
        ("renban r1c1 r1c2 r1c1", "line 1: renban: found r1c1 twice, expected each cell once"),
        (
            "matches 1( r1c1",
            "line 1: matches: found '1(', expected an expression of values, such as",
        ),
        ("matches 1", "line 1: matches: found 0 cells, expected 1 to 64"),
        (
            "automaton a:1 r1c1",
            "line 1: automaton: found 'a:1', expected steps and ends between commas, such as",
        ),
        ("cage 3 r1c1 r1c1", "line 1: cage: found r1c1 twice, expected each cell once"),
        ("cage 2 r1c1 r1c2", "line 1: cage: found the sum 2 at r1c1, expected 3 to 17 for its"),
        ("cage 18 r1c1 r1c2", "line 1: cage: found the sum 18 at r1c1, expected 3 to 17 for its"),
        ("cage 0 r1c1", "line 1: cage: found the sum 0 at r1c1, expected 1 to 9"),
        ("cage <x r1c1", "line 1: cage: found '<x', expected a sum from 1 on, a range as 9-12"),
        ("cage <0 r1c1", "line 1: cage: found '<0', expected a sum from 1 on, a range as 9-12"),
        ("sum r1c1 r1c2", "line 1: sum: found 'r1c1 r1c2', expected a number, and cells"),
        ("sum-line r1c1 r1c2", "line 1: sum-line: found 'r1c1 r1c2', expected a number, and cells"),
        ("sum-line 0 r1c1 r1c2", "line 1: sum-line: found the number 0, expected 1 at least"),
        ("modular 1 r1c1 r1c2", "line 1: modular: found the number 1, expected 2 at least"),
        ("double-arrow r1c1 r1c2", "line 1: double-arrow: found 2 cells, expected 3 to 64"),
        ("zipper r1c1 r1c3", "line 1: zipper: found r1c1 and r1c3 one after the other"),
        ("sandwich 5 r1c1..r1c8", "line 1: sandwich: found 8 cells, expected 9"),
        ("little-killer 5 r1c1..r2c3", "line 1: little-killer: found 'r1c1..r2c3', expected two"),
        ("quadruple 0 r1c1", "line 1: quadruple: found '0 r1c1', expected values such as 137"),
        ("size 4\nquadruple 5 r1c1", "line 2: found '5' at r1c1, expected 1-4"),
        ("quadruple 123 r1c1 r1c2", "line 1: quadruple: found 2 cells, expected 3 to 9"),
        ("rows-and-columns", "line 1: rows-and-columns: found '', expected none"),
        ("whisper r1c1 r1c2", "line 1: found 'whisper', expected a rule: did you mean whispers?"),
        ("house r1c1 r2c2", "line 1: house: found 2 cells, expected 9"),
        ("different r1c1", "line 1: different: found 1 cell, expected 2 to 9"),
        ("thermometer r1c1", "line 1: thermometer: found 1 cell, expected 2 to 9"),
        (
            "thermometer r1c1 r1c3 r1c4",
            "line 1: thermometer: found r1c1 and r1c3 one after the other, expected cells that touch",
        ),
        ("arrow r1c1 r1c2", "line 1: arrow: found 'r1c1 r1c2', expected the circle, '=', and the"),
        ("arrow = r1c1", "line 1: arrow: found 0 cells, expected 1 to 4"),
        ("arrow r1c1 = ", "line 1: arrow: found 0 cells, expected 1 to 256"),
        ("arrow r1c1..r1c5 = r2c2", "line 1: arrow: found 5 cells, expected 1 to 4"),
        ("arrow r1c1 = r3c3", "line 1: arrow: found r1c1 and r3c3 one after the other"),
        ("arrow r1c1 = r1c2 r1c1", "line 1: arrow: found r1c1 twice"),
        ("kropki grey r1c1 r1c2", "line 1: kropki: found 'grey r1c1 r1c2', expected white or"),
        (
            "kropki white r1c1 r2c2",
            "line 1: white: found r1c1 and r2c2 one after the other, expected cells that share a side",
        ),
        ("x r1c1", "line 1: x: found 'r1c1', expected two cells"),
        ("kropki white r1c1", "line 1: kropki: found 'r1c1', expected two cells"),
        ("kropki black r1c1 here", "line 1: kropki: found 'here', expected a cell such as r3c5"),
        ("size 4\ngivens\n1...\n..5.\n....\n....", "line 4: found '5' at r2c3, expected 1-4"),
        ("size 4\ngivens\n1...\n....\n....", "line 2: givens: found 3 rows in its picture"),
        ("size 4\ngivens 1", "line 2: givens: found '1', expected nothing in this line"),
        ("size 12\ngivens\n13 . . . . . . . . . . .\n", "line 2: givens: found 1 rows"),
        (
            "size 4\ngivens\n1...\n....\n....\n....\ngivens\n",
            "line 7: found a second picture of givens, expected one",
        ),
        ("candidates r1c1 a", "line 1: found 'a' at r1c1, expected 1-9 or a blank"),
        (
            "size 12\ncandidates r1c1 10",
            "line 2: found \"10\" at r1c1, expected 1-9 and A-C, where A is 10, or",
        ),
        ("candidates r1c1 12\ncandidates r1c1 34", "line 2: found no value left for r1c1"),
        ("candidates c1 12", "line 1: candidates: found 'c1', expected a cell such as r3c5"),
    ] {
        let found = error(text);
        assert!(found.starts_with(&format!("p.txt: {expected}")), "{text:?}\n{found}\n{expected}");
    }
    let found = read(b"size \xff", "p.txt").unwrap_err().to_string();
    assert_eq!(found, "p.txt: line 1: found bytes that are no UTF-8, expected text in UTF-8");
    let found = error(
        &("size 12\ngivens\n13".to_owned()
            + &" .".repeat(11)
            + "\n"
            + &(". ".repeat(12) + "\n").repeat(11)),
    );
    assert_eq!(found, "p.txt: line 3: found the value 13 at r1c1, expected 1 to 12");
}

#[test]
fn regions_with_any_numbers_are_checked() {
    for number in [4, usize::MAX] {
        let rules = Rules::new(4).unwrap().with(Rule::Regions(vec![number; 16]));
        let expected = "regions: found 0 cells in region A, that of r1c1, expected 4";
        assert_eq!(rules.unwrap_err().to_string(), expected);
    }
}

/// What lies at the limits is read.
#[test]
fn both_sides_of_each_limit() {
    for text in [
        "cage 3 r1c1 r1c2",
        "cage 17 r1c1 r1c2",
        "cage 1 r1c1",
        "cage 9 r1c1",
        "cage 45 r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9",
        "different r1c1 r1c2",
        "thermometer r1c1 r1c2",
        "thermometer r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9",
        "arrow r1c1 r1c2 = r2c3",
        "cage r1c1 r1c2",
    ] {
        assert_eq!(puzzle(text).rules().rules().len(), 1);
    }
    // A bound lies outside of its range.
    for (bound, range) in [("<11", "0-10"), (">20", "21-1000"), (">0", "1-1000"), ("<1", "0-0")] {
        let with = |words: &str| puzzle(&format!("cage {words} r1c1 r1c2 r1c3"));
        assert_eq!(with(bound), with(range), "{bound}");
    }
    let ten = "r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9 r2c9";
    for (text, most) in [("thermometer", 9), ("cage 45", 9), ("different", 9)] {
        let rule = text.split(' ').next().unwrap();
        let expected = format!("p.txt: line 1: {rule}: found 10 cells, expected ");
        let found = error(&format!("{text} {ten}"));
        assert!(found.starts_with(&expected) && found.ends_with(&most.to_string()), "{found}");
    }
}

fn grid_json(side: usize, cell: impl Fn(usize, usize) -> &'static str) -> String {
    let rows: Vec<String> = (0..side)
        .map(|row| {
            let cells: Vec<&str> = (0..side).map(|column| cell(row, column)).collect();
            format!("[{}]", cells.join(","))
        })
        .collect();
    format!("[{}]", rows.join(","))
}

fn empty_grid() -> String {
    grid_json(6, |_, _| "{}")
}

fn f_puzzle(fields: &str) -> String {
    format!("{{\"size\":6,\"grid\":{}{fields}}}", empty_grid())
}

#[test]
fn puzzles_of_f_puzzles_are_those_of_the_text_form() {
    let fields = r#","title":"t","diagonal+":true,"diagonal-":false,"antiknight":true,
        "killercage":[{"cells":["R1C1","R1C2"],"value":"7"},{"cells":["R2C1","R2C2"],"value":""}],
        "thermometer":[{"lines":[["R3C1","R3C2"],["R3C1","R4C1"]]}],
        "arrow":[{"lines":[["R5C1","R5C2","R5C3"]],"cells":["R5C1"]}],
        "difference":[{"cells":["R1C5","R1C6"],"value":""}],"ratio":[{"cells":["R2C5","R2C6"]}],
        "xv":[{"cells":["R6C5","R6C6"],"value":"V"}],"negative":["xv"],
        "extraregion":[{"cells":["R1C1","R2C2","R3C3","R4C4","R5C5","R6C6"]}],
        "even":[{"cell":"R6C1"}],"odd":[],"line":[]"#;
    let text = "size 6\nanti-knight\narrow r5c1 = r5c2 r5c3\ndiagonal rising\nkropki white r1c5 r1c6\n\
        house r1c1 r2c2 r3c3 r4c4 r5c5 r6c6\ncage 7 r1c1 r1c2\ncage r2c1 r2c2\nall-xv-given\n\
        kropki black r2c5 r2c6\nthermometer r3c1 r3c2\nthermometer r3c1 r4c1\nv r6c5 r6c6\n\
        even r6c1\n";
    let imported = puzzle(&f_puzzle(fields));
    let written = puzzle(text);
    let sorted = |puzzle: &Puzzle| {
        let mut rules: Vec<String> = puzzle.rules().rules().iter().map(Rule::to_string).collect();
        rules.sort();
        rules
    };
    assert_eq!(sorted(&imported), sorted(&written));
    assert_eq!(imported.candidates(), written.candidates());
    let given = grid_json(4, |row, column| match (row, column) {
        (0, 0) => r#"{"value":3,"given":true,"region":0}"#,
        (1, 1) => r#"{"value":2,"region":0}"#,
        (0, 2) => r#"{"region":1,"givenPencilMarks":[1,2]}"#,
        (row, column) => {
            [r#"{"region":0}"#, r#"{"region":1}"#, r#"{"region":2}"#, r#"{"region":3}"#]
                [row / 2 * 2 + column / 2]
        }
    });
    let puzzle = puzzle(&format!("{{\"size\":4,\"grid\":{given}}}"));
    assert!(puzzle.rules().is_classic(), "regions that are boxes");
    assert_eq!(puzzle.line(), "3...............");
    assert_eq!(puzzle.candidates().sets()[2], 0b11);
}

#[test]
fn switches_and_repeated_marks_of_f_puzzles_mean_what_they_say() {
    let is_on = |value: &str| {
        let read = puzzle(&f_puzzle(&format!(",\"antiknight\":{value}")));
        read.rules().rules() == [Rule::AntiKnight]
    };
    assert!(is_on("true") && is_on("1"));
    assert!(!is_on("false") && !is_on("0") && !is_on("null"));
    for value in ["\"no\"", "2", "0.5", "[1]"] {
        let expected = format!("p.txt: 'antiknight': found {value}, expected true or false");
        assert_eq!(error(&f_puzzle(&format!(",\"antiknight\":{value}"))), expected);
    }
    let marks = |marks: &'static str| {
        let given = grid_json(4, |row, column| if row + column > 0 { "{}" } else { marks });
        puzzle(&format!("{{\"size\":4,\"grid\":{given}}}")).candidates().sets()[0]
    };
    assert_eq!(marks(r#"{"givenPencilMarks":[1,1,2,2]}"#), 0b11);
    assert_eq!(marks(r#"{"givenPencilMarks":[4,3,1,2]}"#), 0b1111);
}

#[test]
fn puzzles_of_sudokupad_are_those_of_the_text_form() {
    let cells =
        grid_json(4, |row, column| if row + column == 0 { r#"{"value":"2"}"# } else { "{}" });
    let boxes = "[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],[[2,0],[2,1],[3,0],[3,1]],\
        [[2,2],[2,3],[3,2],[3,3]]";
    let whole =
        |regions: &str, rest: &str| format!("{{\"cells\":{cells},\"regions\":[{regions}]{rest}}}");
    let cages = r#","cages":[{"value":"title: t"},{"cells":[[0,0],[0,1]],"value":"5","unique":true}],
        "global":["antiking"],"lines":[]"#;
    let imported = puzzle(&whole(boxes, cages));
    let text = "size 4\ncage 5 r1c1 r1c2\nanti-king\ngivens\n2...\n....\n....\n....\n";
    assert_eq!(imported, puzzle(text));
    // The sum stands in one of two fields, and the other may be empty.
    for sum in [r#""sum":null,"value":"5""#, r#""sum":"","value":5"#, r#""sum":5,"value":"""#] {
        let cages = format!(r#","cages":[{{"cells":[[0,0],[0,1]],{sum}}}],"global":["antiking"]"#);
        assert_eq!(puzzle(&whole(boxes, &cages)), puzzle(text), "{sum}");
    }
    assert_eq!(puzzle(&whole("", "")).rules().rules(), [Rule::NoRegions]);
    for (regions, rest, expected) in [
        (boxes, r#","lines":[{"wayPoints":[]}]"#, "found what is only drawn (1 line)"),
        (boxes, r#","global":["entropy"]"#, "found the rule 'entropy', which this program"),
        (
            boxes,
            r#","cages":[{"cells":[[0,4]],"value":3}]"#,
            "'cages': cage: found r1c5, expected a",
        ),
        (boxes, r#","cages":[{"cells":[0]}]"#, "'cages': found 0, expected a row and a column"),
        ("[[0,0]]", "", "'regions': regions: found 1 cell in region A, that of r1c1, expected 4"),
        ("[[0,0],[0,0]]", "", "'regions': regions: found r1c1 twice, expected each cell once"),
    ] {
        let found = error(&whole(regions, rest));
        assert!(found.starts_with(&format!("p.txt: {expected}")), "{found}");
    }
}

#[test]
fn imported_grids_are_square() {
    for (text, expected) in [
        (r#"{"size":4,"grid":[]}"#, "'grid': grid: found 0 rows in its picture, expected 4"),
        (r#"{"size":4,"grid":[[{}],[{}],[{}],[{}]]}"#, "'grid': grid: found 1 cell in this row"),
        (r#"{"cells":[[],[],[],[]]}"#, "'cells': cells: found 0 cells in this row, expected 4"),
        (r#"{"cells":[1,2,3,4]}"#, "'cells': found 1, expected a list of cells"),
    ] {
        let found = error(text);
        assert!(found.starts_with(&format!("p.txt: {expected}")), "{found}");
    }
}

#[test]
fn mistakes_in_imports_are_named() {
    for (fields, expected) in [
        (r#","mystery":[{"lines":[["R1C1"]]}]"#, "found the rule 'mystery', which this program do"),
        (r#","line":[{"lines":[]}]"#, "found what is only drawn (1 line), which may stand for"),
        (
            r#","difference":[{"cells":["R1C1","R1C2"],"value":"much"}]"#,
            "found the rule 'difference much'",
        ),
        (r#","renban":[{"lines":[["R1C1","R1C2"]],"value":3}]"#, "'renban': found 3, expected no"),
        (
            r#","sandwichsum":[{"cell":"R9C9","value":3}]"#,
            "'sandwichsum': found \"R9C9\", expected",
        ),
        (r#","negative":["difference"]"#, "found the rule 'negative difference'"),
        (r#","negative":["quad"]"#, "found the rule 'negative quad'"),
        (
            r#","killercage":[{"cells":["R1C1","R1C9"],"value":"3"}]"#,
            "'killercage': cage: found r1c9",
        ),
        (
            r#","killercage":[{"cells":["R1C1"],"value":"much"}]"#,
            "'killercage': found \"much\", expected a number",
        ),
        (r#","killercage":[{"cells":"R1C1"}]"#, "'killercage': found \"R1C1\", expected a list of"),
        (r#","killercage":3"#, "'killercage': found 3, expected a list"),
        (r#","thermometer":[{}]"#, "'thermometer': found {}, expected lines of cells"),
        (r#","xv":[{"cells":["R1C1"],"value":"X"}]"#, "'xv': found "),
        (
            r#","even":[{"cell":"R7C1"}]"#,
            "'even': even: found r7c1, expected a cell from r1c1 to r6c6",
        ),
    ] {
        let found = error(&f_puzzle(fields));
        assert!(found.starts_with(&format!("p.txt: {expected}")), "{found}\n{expected}");
    }
    assert!(error("{\n\"size\":\n]").starts_with("p.txt: line 3: found no JSON ("));
    assert!(error("{}").starts_with("p.txt: 'grid': found null, expected a list"));
}

/// A link of f-puzzles as it is copied from its address bar, and the same inside of SudokuPad's.
#[test]
fn links_hold_the_puzzle_of_their_json() {
    let json =
        f_puzzle(r#","antiknight":true,"killercage":[{"cells":["R1C1","R1C2"],"value":"7"}]"#);
    let packed = lz_str::compress_to_base64(json.encode_utf16().collect::<Vec<u16>>());
    let escaped = packed.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D");
    for link in [
        format!("https://www.f-puzzles.com/?load={packed}\n"),
        format!("https://f-puzzles.com/?load={escaped}&more=1"),
        format!("https://sudokupad.app/fpuzzles{escaped}"),
        format!("https://sudokupad.app/scf?puzzleid=fpuz{escaped}"),
    ] {
        assert_eq!(puzzle(&link), puzzle(&json), "{link}");
    }
    let half = &packed[..packed.len() / 2];
    let found = error(&format!("https://f-puzzles.com/?load={half}"));
    assert!(found.starts_with("p.txt: found ") && found.contains("expected "), "{found}");
    let other = error("https://example.org/puzzle");
    assert!(other.contains("expected a rule"), "{other}");
}

/// The characters of this sudoku were written by SudokuPad's own encoder, which its tools have in public.
#[test]
fn links_of_scf_hold_the_cells_of_a_sudoku() {
    const CELLS: &str = "5NlQ19j9mGca3OIN1bWGk2m41TjS79";
    let link = |behind: &str| format!("https://sudokupad.app/scf{CELLS}{behind}\n");
    let plain = puzzle(&link(""));
    assert_eq!(
        plain.line(),
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    );
    let rules = |text: &str| puzzle(text).rules().rules().to_vec();
    let both = [Rule::Windoku, Rule::FallingDiagonal, Rule::RisingDiagonal];
    for letters in ["wx", "*wx", "*wxtA w**x title*aan author", "*tx*wx"] {
        let text = link(&letters.replace(' ', "%20"));
        assert_eq!(rules(&text), both, "{text}");
        assert_eq!(puzzle(&text).line(), plain.line());
    }
    for (text, told) in [
        (link("q"), "found the rule 'q of scf'"),
        (link("0*w"), "'scf': found"),
        ("https://sudokupad.app/scf53070\n".to_owned(), "which has 81 cells"),
    ] {
        let found = error(&text);
        assert!(found.contains(told), "{found}");
    }
}

#[test]
fn values_may_begin_with_zero() {
    let text = "size 4\nvalues 0-3\nquadruple 03 r1c1 r1c2\ncandidates r4c4 01\ngivens\n0...\n.2..\n....\n....\n";
    let puzzle = puzzle(text);
    let first = puzzle.solve().first.unwrap();
    assert_eq!(tallyboard_variants::line(puzzle.size(), &first)[..4], *"0321");
    assert_eq!(first[..4], [1, 4, 3, 2]);
    assert_eq!(puzzle.line(), "0....2..........");
    assert_eq!(read(write(&puzzle).as_bytes(), "written").unwrap(), puzzle);
    let more = puzzle.with_line("0....2.........3").unwrap_err();
    assert_eq!(
        more.to_string(),
        "found no value left for r4c4, expected at least one among its givens and candidates"
    );
}

/// Of all grids of 4 x 4, those that the definition allows, and one grid of nine windows.
#[test]
fn windokus_have_all_sizes_with_square_boxes() {
    let windoku = puzzle("size 4\nwindoku");
    let allowed =
        puzzle("size 4").solutions().filter(|values| windoku.is_solved_by(values)).count();
    assert_eq!(windoku.solutions().count(), allowed);
    assert!(allowed > 0 && allowed < 288, "{allowed}");
    let large = puzzle("size 16\nwindoku");
    assert!(large.is_solved_by(&large.solutions().next().unwrap()));
    assert!(!large.is_solved_by(&puzzle("size 16").solutions().next().unwrap()));
}

#[test]
fn a_grid_above_rules_needs_no_word() {
    let rules = "cage 5 r1c1 r1c2\ndiagonals\n";
    for grid in
        ["1...\n....\n..2.\n....\n", "1 . . .\n. . . .\n. . 2 .\n. . . .\n", "1.........2.....\n"]
    {
        let rows = "1...\n....\n..2.\n....\n";
        let stated = puzzle(&format!("size 4\ngivens\n{rows}{rules}"));
        assert_eq!(puzzle(&format!("{grid}{rules}")), stated, "{grid}");
    }
    let told = error("1...\n....\n..2.\n....\ncage 5 r1c1 r1c9\n");
    assert!(told.starts_with("p.txt: line 5: cage"), "{told}");
}

/// A renban has no order, and one value may be less than another one anywhere.
#[test]
fn cells_of_rules_without_an_order_need_not_touch() {
    let count = |rule: &str| puzzle(&format!("size 4\nregions none\n{rule}\n")).solutions().count();
    let path = count("renban r1c1 r1c2 r1c3 r2c2");
    assert!(path > 0 && path < count("different r1c1 r1c2"));
    assert_eq!(count("renban r1c1 r1c3 r2c2 r1c2"), path);
    assert_eq!(count("nabner r1c3 r1c1"), count("nabner r1c1 r1c3"));
    let [less, more] = ["greater r1c1 r4c4", "greater r4c4 r1c1"].map(count);
    assert_eq!(less, more);
    assert_eq!(count("thermometer r4c4 r1c1"), less);
    assert_eq!(2 * less, count("different r1c1 r4c4"));
    for rule in ["greater r1c1 r1c2 r1c4", "thermometer r1c1 r1c2 r4c4", "whispers 2 r1c1 r4c4"] {
        assert!(error(&format!("size 4\n{rule}")).contains("expected cells that touch"), "{rule}");
    }
}

/// Cells and sums are typed with commas and colons, too.
#[test]
fn commas_between_cells_are_gaps() {
    let expected = puzzle("cage 15 r1c1 r1c2\nthermometer r2c1 r2c2 r2c3");
    let typed = puzzle("cage 15: r1c1, r1c2\nthermometer r2c1,r2c2;r2c3");
    assert_eq!(typed, expected);
    assert_eq!(puzzle("cage 15, r1c1,r1c2\nthermometer r2c1 r2c2 r2c3"), expected);
}

/// A frame of clues has any number of cells given, and a full grid on one line is none.
#[test]
fn frames_of_skyscrapers_are_told_from_grids() {
    let skyscrapers = |text: &str| write(&puzzle(text)).matches("skyscraper").count();
    for given in ["1 2 3 4", "1 2 3 0", "1 2 0 0", "0 0 0 0"] {
        let rows = format!("3 {given} 1\n2 0 1 4 3 2\n2 3 4 1 2 2\n1 4 3 2 1 4\n");
        assert_eq!(skyscrapers(&format!("4 1 2 2\n{rows}1 3 2 2\n")), 16, "{given}");
        assert_eq!(skyscrapers(&format!("0 4 1 2 2 0\n{rows}0 1 3 2 2 0\n")), 16, "{given}");
    }
    // A mistake is in its own line, whatever stands above.
    let clues = "4 1 2 2 1 2 3 4 1 2 3 4 4 3 2 1";
    for above in 0..3 {
        let found = error(&format!("{}{clues}\n", "# a remark\n".repeat(above)));
        assert!(found.starts_with(&format!("p.txt: line {}: skyscrapers", above + 1)), "{found}");
    }
    // Grids of 4, 8 and 16 rows have four times as many cells as a square has rows.
    for box_side in [2, 4] {
        let side = box_side * box_side;
        let value = |row: usize, column: usize| {
            1 + (box_side * (row % box_side) + row / box_side + column) % side
        };
        let cells = (0..side * side).map(|cell| value(cell / side, cell % side).to_string());
        let line = cells.collect::<Vec<_>>().join(" ");
        let taken = read(line.as_bytes(), "p.txt");
        assert!(!taken.is_err_and(|error| error.to_string().contains("skyscrapers")), "{line}");
    }
}

#[test]
fn candidates_may_be_those_of_several_cells() {
    let several = puzzle("size 4\ncandidates r1c1..r1c4 1 2 3\ncandidates r2c2 4\n");
    let single = (1..5).map(|column| format!("candidates r1c{column} 1 2 3\n")).collect::<String>();
    assert_eq!(several, puzzle(&format!("size 4\n{single}candidates r2c2 4\n")));
}
