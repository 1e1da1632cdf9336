//! Puzzles of SudokuMaker: links of setters with their solutions, and each type of rule beside the text form.

use serde_json::Value;
use tallyboard_variants::{Puzzle, Rule, read, read_all, write};

const LINKS: &str = include_str!("../../../../tests/data/sudokumaker/links.txt");

/// The JSON of a link.
fn unpacked(link: &str) -> Value {
    let payload = link.split_once("?puzzle=").unwrap().1.replace("%2B", "+");
    let text = lz_str::decompress_from_encoded_uri_component(&payload).unwrap();
    serde_json::from_str(&String::from_utf16(&text).unwrap()).unwrap()
}

#[test]
fn links_of_sudokumaker_have_the_solutions_of_their_setters() {
    let found = read_all(LINKS.as_bytes(), "links.txt").unwrap();
    let links: Vec<&str> = LINKS.lines().filter(|line| line.starts_with("http")).collect();
    assert_eq!(found.len(), links.len());
    for (located, link) in found.iter().zip(links) {
        let document = unpacked(link);
        assert_eq!(
            read_all(document.to_string().as_bytes(), "json").unwrap()[0].puzzle,
            located.puzzle
        );
        let value = |cell: &Value| cell["value"].as_u64().unwrap() as u8;
        let solution: Vec<u8> =
            document["puzzle"]["cells"].as_array().unwrap().iter().map(value).collect();
        let rules = located.puzzle.rules().rules();
        let first = located.puzzle.size().first_value() as u8;
        let from_one: Vec<u8> = solution.iter().map(|value| value + 1 - first).collect();
        assert!(located.puzzle.is_solved_by(&from_one), "{link}");
        // Two values that change places break some rule beside rows and columns.
        let mut other = from_one;
        let [one, two] = [1, 2];
        for value in &mut other {
            *value = if *value == one {
                two
            } else if *value == two {
                one
            } else {
                *value
            };
        }
        assert!(!located.puzzle.is_solved_by(&other), "{rules:?}");
    }
}

/// A puzzle of 9 × 9 with boxes and these rules.
fn with_rules(rules: &str) -> String {
    let boxes: Vec<usize> = (0..81).map(|cell| cell / 27 * 3 + cell % 9 / 3).collect();
    let cells = vec!["{}"; 80].join(",");
    format!(
        r#"{{"formatVersion":"1.5.0","puzzle":{{"name":"","author":"","cells":[{{"given":true,"value":5}},{cells}],
        "constraints":[{{"type":0}},{{"type":1,"regions":{boxes:?}}},{rules}]}}}}"#
    )
}

fn puzzle(rules: &str) -> Puzzle {
    read(with_rules(rules).as_bytes(), "p.json").unwrap_or_else(|error| panic!("{rules}: {error}"))
}

#[test]
fn each_type_of_sudokumaker_is_a_rule_of_the_text_form() {
    for (rule, lines) in [
        (
            r#"{"type":12},{"type":13},{"type":14},{"type":15}"#,
            "anti-king\nanti-knight\ndisjoint-groups\nnon-consecutive",
        ),
        (r#"{"type":10,"style":{}},{"type":11,"disabled":true}"#, "diagonal falling"),
        (
            r#"{"type":16,"groups":[14,112,896]},{"type":16,"groups":[146,292,584]}"#,
            "global-entropy\nglobal-modular",
        ),
        (r#"{"type":100,"cells":[0,80]},{"type":101,"cells":[9]}"#, "even r1c1 r9c9\nodd r2c1"),
        (
            r#"{"type":102,"cells":[0]},{"type":103,"cells":[40,42]}"#,
            "maximum r1c1\nminimum r5c5 r5c7",
        ),
        (
            r#"{"type":200,"clues":[{"value":1,"edge":1},{"value":3,"edge":9}],"negative":[]}"#,
            "kropki white r1c1 r1c2\ndifference 3 r1c1 r2c1",
        ),
        (
            r#"{"type":201,"clues":[{"value":2,"edge":152},{"value":3,"edge":143}],"negative":[]}"#,
            "kropki black r9c8 r9c9\nquotient 3 r8c9 r9c9",
        ),
        (
            r#"{"type":202,"clues":[{"value":10,"edge":70},{"value":5,"edge":103}],"negative":[5,10]}"#,
            "x r4c8 r5c8\nv r6c5 r7c5\nall-xv-given",
        ),
        (
            r#"{"type":201,"clues":[],"negative":[2],"overrideNegativeDifferences":true},{"type":200,"clues":[],"negative":[1]}"#,
            "all-differences-given\nall-ratios-given",
        ),
        (
            r#"{"type":300,"slow":false,"thermometers":[[0,1,11]]},{"type":300,"slow":true,"thermometers":[[80,79]]}"#,
            "thermometer r1c1 r1c2 r2c3\nslow-thermometer r9c9 r9c8",
        ),
        (
            r#"{"type":301,"cages":[{"cells":[1,2,11],"value":9},{"cells":[3,4],"value":0},{"cells":[7],"value":0}]}"#,
            "cage 9 r1c2 r1c3 r2c3\ncage r1c4 r1c5",
        ),
        (r#"{"type":302,"groups":[[63,62],[72,71]]}"#, "same r8c1 r7c9\nsame r9c1 r8c9"),
        (
            r#"{"type":303,"clues":[{"corner":45,"digits":[1,2,3,4]}]}"#,
            "quadruple 1234 r4c5 r4c6 r5c5 r5c6",
        ),
        (
            r#"{"type":305,"cells":[0,10,20]},{"type":306,"cells":[0,1,2]}"#,
            "different r1c1 r2c2 r3c3\ncircles r1c1 r1c2 r1c3",
        ),
        (
            r#"{"type":400,"lines":[[51,60,59]]},{"type":401,"lines":[[8,17,16]],"minDifference":4}"#,
            "renban r6c7 r7c7 r7c6\nwhispers 4 r1c9 r2c9 r2c8",
        ),
        (
            r#"{"type":402,"lines":[[34,43,52]]},{"type":403,"lines":[[78,69,68,67]]}"#,
            "palindrome r4c8 r5c8 r6c8\nbetween r9c7 r8c7 r8c6 r8c5",
        ),
        (
            r#"{"type":404,"lines":[[19,28,29]],"singleRegionTotals":false},{"type":407,"lines":[[40,39,48]]}"#,
            "region-sums r3c2 r4c2 r4c3\nlockout 4 r5c5 r5c4 r6c4",
        ),
        (
            r#"{"type":406,"lines":[[0,9]],"groups":[14,112,896]},{"type":406,"lines":[[45,54]],"groups":[584,146,292]}"#,
            "entropic r1c1 r2c1\nmodular 3 r6c1 r7c1",
        ),
        (
            r#"{"type":406,"lines":[[15,24]],"groups":[340,682]},{"type":406,"lines":[[0,1]],"groups":[32,66,132,264,528]}"#,
            "modular 2 r2c7 r3c7\nmodular 5 r1c1 r1c2",
        ),
        (
            r#"{"type":408,"bulbsWithArrows":[{"bulbCells":[20,19],"arrows":[[19,27,36],[20,30]]}]}"#,
            "arrow r3c2 r3c3 = r4c1 r5c1\narrow r3c2 r3c3 = r4c4",
        ),
        (r#"{"type":409,"lines":[[7,16,25,26]]}"#, "double-arrow r1c8 r2c8 r3c8 r3c9"),
        (
            r#"{"type":500,"clues":[{"value":12,"outerCell":4,"diagonal":1},{"value":13,"outerCell":7,"diagonal":-1}]}"#,
            "little-killer 12 r1c3 r2c2 r3c1\nlittle-killer 13 r1c8 r2c9",
        ),
        (
            r#"{"type":501,"clues":[{"value":12,"outerCell":65}]}"#,
            "sandwich 12 r5c9 r5c8 r5c7 r5c6 r5c5 r5c4 r5c3 r5c2 r5c1",
        ),
        (
            r#"{"type":502,"clues":[{"value":12,"outerCell":66}]}"#,
            "x-sum 12 r6c1 r6c2 r6c3 r6c4 r6c5 r6c6 r6c7 r6c8 r6c9",
        ),
        (
            r#"{"type":504,"clues":[{"value":2,"outerCell":9}]}"#,
            "numbered-room 2 r1c9 r2c9 r3c9 r4c9 r5c9 r6c9 r7c9 r8c9 r9c9",
        ),
        (
            r#"{"type":503,"clues":[{"value":2,"outerCell":111}]}"#,
            "skyscraper 2 r9c1 r8c1 r7c1 r6c1 r5c1 r4c1 r3c1 r2c1 r1c1",
        ),
        (
            r#"{"type":600,"cells":[36]},{"type":601,"cells":[33]},{"type":2003},{"type":4000}"#,
            "row-indexer r5c1\ncolumn-indexer r4c7",
        ),
    ] {
        let text = format!("size 9\n{lines}\ngivens\n5........\n{}", ".........\n".repeat(8));
        let stated =
            read(text.as_bytes(), "p.txt").unwrap_or_else(|error| panic!("{lines}: {error}"));
        assert_eq!(write(&puzzle(rule)), write(&stated), "{rule}");
    }
}

#[test]
fn what_sudokumaker_has_more_is_refused_by_name() {
    for (rule, told) in [
        (
            r#"{"type":1000,"definition":{"name":"no roping"},"input":{}}"#,
            "the rule 'script no roping'",
        ),
        (r#"{"type":304,"cages":[]}"#, "the rule 'look-and-say cage'"),
        (r#"{"type":405,"lines":[[13,22,31]]}"#, "the rule 'sequence line'"),
        (
            r#"{"type":404,"lines":[[0,1]],"singleRegionTotals":true}"#,
            "the rule 'region-sums with one total",
        ),
        (
            r#"{"type":406,"lines":[[0,1]],"groups":[70,392,560]}"#,
            "the rule 'line of groups of values'",
        ),
        (r#"{"type":16,"groups":[340,682]}"#, "the rule 'global groups of values'"),
        (r#"{"type":103,"cells":[0,1]}"#, "the rule 'minimum of cells side by side'"),
        (r#"{"type":17}"#, "the rule 'of type 17'"),
        (r#"{"type":202,"clues":[],"negative":[5]}"#, "the rule 'negative sum [5]'"),
        (
            r#"{"type":200,"clues":[],"negative":[1]},{"type":201,"clues":[{"value":2,"edge":1}],"negative":[]}"#,
            "the rule 'negative difference [1]'",
        ),
        (
            r#"{"type":15},{"type":200,"clues":[{"value":1,"edge":1}],"negative":[]}"#,
            "the rule 'non-consecutive beside dots'",
        ),
        (r#"{"type":100,"cells":[0],"weight":3}"#, "the rule 'weight of even'"),
        (r#"{"type":200,"clues":[{"value":1,"edge":0}]}"#, "'difference': found"),
        (r#"{"type":100,"cells":[81]}"#, "'even': found 81"),
        (
            r#"{"type":2001,"name":"Foggy","cages":[{"value":"7","cells":[0,1]}]}"#,
            "only drawn (1 cosmetic cage)",
        ),
    ] {
        let error = read(with_rules(rule).as_bytes(), "p.json").unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    let plain = with_rules(r#"{"type":12}"#);
    for (from, to, told) in [
        ("1.5.0", "2.0", "'formatVersion': found"),
        (r#""name""#, r#""type":"custom","minDigit":0,"name""#, "values from 0 to 9"),
        (r#""name""#, r#""type":"custom","width":9,"height":8,"name""#, "'height': found 8"),
        (r#""name""#, r#""size":6,"name""#, "'cells': found"),
        (r#"{"type":0},"#, "", "the rule 'givens without their rule'"),
    ] {
        let error = read(plain.replace(from, to).as_bytes(), "p.json").unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// Custom grids have only the rules that they state.
#[test]
fn custom_grids_of_sudokumaker_have_the_rules_that_they_state() {
    let cells = vec!["{}"; 16].join(",");
    let read = |rules: &str| {
        let text = format!(
            r#"{{"formatVersion":"1.3.0","puzzle":{{"type":"custom","width":4,"height":4,"minDigit":0,"maxDigit":3,
            "cells":[{cells}],"constraints":[{rules}]}}}}"#
        );
        read(text.as_bytes(), "p.json").unwrap()
    };
    let [bare, latin] = ["", r#"{"type":2003}"#].map(read);
    assert_eq!(bare.rules().rules(), [Rule::NoLines, Rule::NoRegions]);
    assert_eq!(latin.rules().rules(), [Rule::NoRegions]);
    assert_eq!((latin.size().first_value(), latin.size().last_value()), (0, 3));
    // A cell with a negative number is in no region.
    let regions =
        r#"{"type":2003},{"type":1,"regions":[0,0,0,0,1,1,1,-1,-1,-1,-1,-1,-1,-1,-1,-1]}"#;
    let parted = read(regions);
    let [_, row, three] = parted.rules().rules() else { panic!("two regions") };
    assert!(matches!(row, Rule::House(cells) if cells.len() == 4));
    assert!(matches!(three, Rule::Different(cells) if cells.len() == 3));
    // Two cells of a region differ, and one alone obeys any rule.
    let pair_and_one =
        r#"{"type":2003},{"type":1,"regions":[0,0,1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1,-1]}"#;
    let parted = read(pair_and_one);
    let [_, Rule::Different(pair)] = parted.rules().rules() else { panic!("a pair") };
    assert_eq!(pair.len(), 2);
}
