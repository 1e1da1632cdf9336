//! No record is lost or taken for something else, whatever stands around it, and what records state is
//! compared with what is found.

use tallyboard_search::Stop;
use tallyboard_sudoku::format::{Form, FormOptions, Format, Row};
use tallyboard_sudoku::sized::Size;
use tallyboard_sudoku::stream::Settings;

use crate::common::runs::{Folder, sudoku};
use crate::common::{PUZZLE, SOLUTION};
use crate::sudoku_formats::{Found, check, solve, solve_as_found, solve_every_way, solve_form, to};

/// A puzzle and its only solution; grids of other numbers have other values in each place.
fn puzzle(size: Size, number: usize, spelling: &str) -> [String; 2] {
    let side = size.side();
    let of_box = side.isqrt();
    let value = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        (of_box * (row % of_box) + row / of_box + column + number) % side
    };
    // One blank in each row and in each column.
    let is_blank = |cell: usize| (cell / side + number) % side == cell % side;
    let numbers = spelling == "numbers";
    let spell = |cell| match value(cell) {
        value if numbers => (value + 1).to_string(),
        value => char::from(spelling.as_bytes()[value]).to_string(),
    };
    let cells = |shown: &dyn Fn(usize) -> bool| {
        let blank = || if numbers { "0" } else { "." }.to_owned();
        let cells = (0..side * side).map(|cell| if shown(cell) { spell(cell) } else { blank() });
        cells.collect::<Vec<_>>().join(if numbers { " " } else { "" })
    };
    [cells(&|cell| !is_blank(cell)), cells(&|_| true)]
}

const DIGITS: &str = "123456789ABCDEFGHIJKLMNOP";
const FROM_ZERO: &str = "0123456789ABCDEF";

/// The text of a table of puzzles and solutions with ids, in one of many styles, a bad record among them.
fn text_of(rows: &[[String; 3]], style: &Style) -> String {
    let Style { kind, blanks, quotes, line_break, mark } = *style;
    let quote = |text: &str| match quotes {
        true => format!("\"{text}\""),
        false => text.to_owned(),
    };
    let row = |columns: [&str; 3]| match kind {
        "lines" => [columns[1], columns[2]].join(":"),
        "jsonl" => {
            let [id, puzzle, solution] = columns;
            format!("{{\"id\":\"{id}\",\"sudoku\":\"{puzzle}\",\"answer\":\"{solution}\"}}")
        }
        delimiter => columns.map(quote).join(&format!("{delimiter}{}", " ".repeat(blanks))),
    };
    let mut lines = match kind {
        "lines" | "jsonl" => Vec::new(),
        _ => vec![row(["#", "sudoku", "answer"])],
    };
    lines.extend(rows.iter().map(|[id, puzzle, solution]| row([id, puzzle, solution])));
    format!("{}{}{line_break}", if mark { "\u{feff}" } else { "" }, lines.join(line_break))
}

#[derive(Clone, Copy, Debug)]
struct Style {
    /// The format, or the delimiter of a CSV file.
    kind: &'static str,
    blanks: usize,
    quotes: bool,
    line_break: &'static str,
    mark: bool,
}

fn styles() -> impl Iterator<Item = Style> {
    let kinds = ["lines", "jsonl", ",", ";", "\t", "|"];
    kinds.into_iter().flat_map(|kind| {
        (0..16).filter_map(move |bits| {
            let is = |bit: usize| bits >> bit & 1 == 1;
            let (line_break, blanks) = (if is(0) { "\r\n" } else { "\n" }, usize::from(is(1)));
            let style = Style { kind, blanks, quotes: is(2), line_break, mark: is(3) };
            let is_csv = !["lines", "jsonl"].contains(&kind);
            (is_csv || !(is(1) || is(2))).then_some(style)
        })
    })
}

fn sum_of(found: &Found) -> [u64; 5] {
    let sum = found.1;
    [sum.puzzles(), sum.bad, sum.compared, sum.disagreements, sum.unstated]
}

#[test]
fn every_style_and_size_gives_a_row_for_each_record_and_finds_what_is_wrong() {
    for (size, spelling) in [
        (Size::Four, DIGITS),
        (Size::Nine, DIGITS),
        (Size::Sixteen, DIGITS),
        (Size::Sixteen, FROM_ZERO),
        (Size::Sixteen, "numbers"),
        (Size::TwentyFive, DIGITS),
    ] {
        let grids: Vec<_> = (0..4).map(|number| puzzle(size, number, spelling)).collect();
        let [good, other] = [&grids[0], &grids[1]];
        let side = size.side();
        let (first, second) = match spelling {
            "numbers" => good[1].split_at(good[1].match_indices(' ').nth(side - 1).unwrap().0),
            _ => good[1].split_at(side),
        };
        // The first two rows exchanged, so that it is no solution any more.
        let cells: Vec<&str> = second.trim().split(' ').collect();
        let swapped = match spelling {
            "numbers" => [&cells[..side], &[first], &cells[side..]].concat().join(" "),
            _ => [&second[..side], first, &second[side..]].concat(),
        };
        let stray = good[0].replacen('1', "&", 1);
        let record =
            |id: &str, puzzle: &str, solution: &str| [id, puzzle, solution].map(str::to_owned);
        let rows = [
            record("#1", &good[0], &good[1]),
            record("#2", &stray, &good[1]),
            record("3", &grids[2][0], &grids[2][1]),
            record("4", &grids[3][0], &grids[3][1]),
        ];
        for style in styles() {
            let mut planted = rows.clone();
            (planted[2][2], planted[3][2]) = (swapped.clone(), other[1].clone());
            for (rows, disagreements) in [(&rows, 0), (&planted, 2)] {
                let text = text_of(rows, &style);
                let form = Form::find(text.as_bytes(), &check()).unwrap();
                assert_eq!(form.size(), size, "{style:?} {text}");
                let found = solve(&text, &check(), 1);
                let about = || format!("{style:?} {size} {spelling}\n{text}\n{found:?}");
                assert_eq!(sum_of(&found), [3, 1, 3, disagreements, 0], "{}", about());
                // Each record has its row, in its place, with all that it came with.
                let header = usize::from(!["lines", "jsonl"].contains(&style.kind));
                let lines: Vec<&str> = found.0.lines().collect();
                assert_eq!(lines.len(), rows.len() + header, "{}", about());
                for (line, [id, puzzle, _]) in lines[header..].iter().zip(rows) {
                    assert!(style.kind == "lines" || line.contains(id), "{}", about());
                    // Bad JSON is kept as a string.
                    assert!(line.contains(puzzle), "{}", about());
                }
                let at = 1 + rows.iter().position(|row| row[0] == "#2").unwrap() + header;
                assert!(found.2[0].starts_with(&format!("line {at}: ")), "{}", about());
                // What the program writes passes its own check, except for what is stated wrongly.
                let again = solve(&found.0, &check(), 1);
                let wrong = if style.kind == "lines" { 0 } else { disagreements };
                assert_eq!(sum_of(&again), [3, 1, 3, wrong, 0], "{}\n{}", about(), again.0);
                // And in other formats: what was bad stays bad.
                for format in [Format::Lines, Format::Csv, Format::Jsonl] {
                    let (written, ..) = solve(&text, &to(format), 1);
                    let again = solve(&written, &check(), 1);
                    let [puzzles, bad, compared, ..] = sum_of(&again);
                    assert_eq!([puzzles, bad, compared], [3, 1, 3], "{}\n{written}", about());
                }
            }
        }
    }
}

#[test]
fn an_array_in_json_lines_is_no_object_and_no_panic() {
    let good = format!("{{\"puzzle\":\"{PUZZLE}\"}}\n");
    let text = format!("{good}[\"{PUZZLE}\",null]\n[\"{PUZZLE}\",null,null]\n7\nnull\n{good}");
    let (rows, summary, bad) = solve_as_found(&text);
    assert_eq!((summary.unique, summary.bad, rows.lines().count()), (2, 4, 6), "{bad:?}");
    assert!(bad[0].starts_with("line 2: expected a JSON object that holds a puzzle"), "{bad:?}");
}

#[test]
fn json_out_is_json_whatever_came_in() {
    let [sixteen, solved] = puzzle(Size::Sixteen, 0, "numbers");
    let text = format!("{}\n{}\n", sixteen.replace(' ', "\t"), sixteen.replace(' ', ","));
    let (rows, ..) = solve_every_way(&text, &to(Format::Jsonl));
    for (row, separator) in rows.lines().zip(["\t", ","]) {
        let value: serde_json::Value = serde_json::from_str(row).unwrap();
        assert_eq!(value["puzzle"], sixteen.replace(' ', separator));
        assert_eq!(value["found"], solved);
    }
    let csv = format!("a \"b\",quiz,\"c\\,\"\n\"x\ty\",{PUZZLE},\"\"\"\"\n");
    let (rows, summary, bad) = solve_every_way(&csv, &to(Format::Jsonl));
    assert_eq!((summary.unique, bad), (1, Vec::new()));
    let value: serde_json::Value = serde_json::from_str(rows.trim_end()).unwrap();
    assert_eq!((&value["a \"b\""], &value["c\\,"]), (&"x\ty".into(), &"\"".into()));
    assert_eq!((&value["quiz"], &value["count"]), (&PUZZLE.into(), &1.into()));
}

#[test]
fn columns_go_to_json_and_back() {
    let csv = format!(
        "id,quiz,note,solution\n007,{PUZZLE},\"a, \"\"b\"\"\",{SOLUTION}\n,{PUZZLE},,\n1.50,{SOLUTION},é,x\n"
    );
    let (expected, ..) = solve(&csv, &FormOptions::default(), 1);
    let (json, ..) = solve_every_way(&csv, &to(Format::Jsonl));
    let first = format!(
        "{{\"id\":\"007\",\"quiz\":\"{PUZZLE}\",\"note\":\"a, \\\"b\\\"\",\"solution\":\"{SOLUTION}\",\
         \"count\":1,\"found\":\"{SOLUTION}\"}}"
    );
    assert_eq!(json.lines().next(), Some(&*first));
    let (back, ..) = solve_every_way(&json, &to(Format::Csv));
    assert_eq!(back, expected);
    // Values that are no strings, in another order, and members that are not there.
    let text = format!(
        "{{\"id\":1.50,\"more\":[1,2],\"puzzle\":\"{PUZZLE}\",\"none\":null}}\n\
         {{\"puzzle\":\"{PUZZLE}\",\"more\":{{\"a\":1}},\"id\":\"x,y\"}}\n\
         {{\"puzzle\":\"{PUZZLE}\",\"new\":1}}\n"
    );
    let (rows, summary, bad) = solve_every_way(&text, &to(Format::Csv));
    let expected = format!(
        "id,more,puzzle,none,count,found\n1.50,\"[1,2]\",{PUZZLE},,1,{SOLUTION}\n\
         \"x,y\",\"{{\"\"a\"\":1}}\",{PUZZLE},,1,{SOLUTION}\n\
         \"{{\"\"puzzle\"\":\"\"{PUZZLE}\"\",\"\"new\"\":1}}\",,,,!,!\n"
    );
    assert_eq!(rows, expected);
    assert_eq!((summary.unique, summary.bad), (2, 1));
    assert!(bad[0].contains("a member \"new\" that the first record has not"), "{bad:?}");
}

#[test]
fn a_users_own_columns_stay_unless_this_run_writes_them() {
    let text =
        format!("Count,puzzle,method,guesses,found,solution\n12,{PUZZLE},mine,7,kept,{SOLUTION}\n");
    let json = format!(
        "{{\"count\":12,\"puzzle\":\"{PUZZLE}\",\"method\":\"mine\",\"guesses\":7,\"found\":\"kept\"}}\n"
    );
    let of = |text: &str, row: Row, stats| {
        let form = Form::find(text.as_bytes(), &FormOptions::default()).unwrap();
        let columns = row.columns_with(stats);
        let row = Row { columns: &columns, ..row };
        let stop = Stop::new();
        let (rows, ..) = solve_form(
            text.as_bytes(),
            &form,
            Settings { row, threads: 1, ..Settings::new(&stop) },
        );
        (rows, form.replaced(row))
    };
    let s = SOLUTION;
    for (row, stats, header, line, object, replaced) in [
        (
            Row::COUNT,
            false,
            "puzzle,method,guesses,found,solution,count",
            format!("{PUZZLE},mine,7,kept,{s},1"),
            format!(
                "{{\"puzzle\":\"{PUZZLE}\",\"method\":\"mine\",\"guesses\":7,\"found\":\"kept\",\"count\":1}}"
            ),
            vec!["count"],
        ),
        (
            Row::SOLUTION_ONLY,
            false,
            "Count,puzzle,method,guesses,solution,found",
            format!("12,{PUZZLE},mine,7,{s},{s}"),
            format!(
                "{{\"count\":12,\"puzzle\":\"{PUZZLE}\",\"method\":\"mine\",\"guesses\":7,\"found\":\"{s}\"}}"
            ),
            vec!["found"],
        ),
        (
            Row::SOLUTION,
            true,
            "puzzle,solution,count,found,method,guesses",
            format!("{PUZZLE},{s},1,{s},singles,0"),
            format!(
                "{{\"puzzle\":\"{PUZZLE}\",\"count\":1,\"found\":\"{s}\",\"method\":\"singles\",\"guesses\":0}}"
            ),
            vec!["count", "found", "method", "guesses"],
        ),
    ] {
        assert_eq!(of(&text, row, stats), (format!("{header}\n{line}\n"), replaced.clone()));
        assert_eq!(of(&json, row, stats), (format!("{object}\n"), replaced));
    }
    // It is said, once.
    let (code, _, err) = sudoku("count --limit 9", &text);
    let said = "<stdin>: the column count is replaced by the one that this run writes\n";
    assert!(code == 0 && err.matches("is replaced").count() == 1 && err.contains(said), "{err}");
    let (_, _, err) = sudoku("count --limit 9", "id,puzzle\n");
    assert!(!err.contains("is replaced"), "{err}");
}

#[test]
fn a_row_that_begins_with_a_number_sign_is_a_row() {
    let wrong = SOLUTION.replacen("534", "543", 1);
    let text = format!(
        "id,puzzle,solution\n#1,{PUZZLE},{wrong}\n# a comment\n# a, comment\n\"#2\",{PUZZLE},{SOLUTION}\n\
         #3,\"{PUZZLE}\",\"{SOLUTION}\"\n#4,what,\"a\nb\"\n"
    );
    let (rows, summary, bad) = solve_every_way(&text, &check());
    let sums =
        (summary.unique, summary.bad, summary.compared, summary.disagreements, summary.lines);
    assert_eq!(sums, (3, 1, 3, 1, 8), "{rows}");
    assert!(rows.contains("\n# a comment\n# a, comment\n\"#2\","), "{rows}");
    assert!(
        bad[0].starts_with("line 2: the solution stated") && bad[1].starts_with("line 7: "),
        "{bad:?}"
    );
    // Where there is one column, it cannot begin so.
    let (_, summary, _) = solve_as_found(format!("puzzle\n# so\n{PUZZLE}\n"));
    assert_eq!((summary.unique, summary.bad), (1, 0));
    // A column may be called so.
    let (rows, summary, _) = solve_as_found(format!("#,puzzle\n1,{PUZZLE}\n"));
    assert_eq!((summary.unique, rows.lines().next()), (1, Some("#,puzzle,count,found")));
}

#[test]
fn rows_of_dashes_are_no_frames_where_dashes_are_blanks() {
    // Blank rows where frames may be.
    let mut rows: Vec<String> =
        (0..9).map(|row| PUZZLE[row * 9..row * 9 + 9].replace('.', "-")).collect();
    let expected = |rows: &[String]| rows.concat().replace('-', ".");
    let draw = |rows: &[String], framed: bool| -> String {
        let frame = |row: usize| {
            if framed && row > 0 && row.is_multiple_of(3) { "---------\n" } else { "" }
        };
        rows.iter().enumerate().map(|(row, line)| format!("{}{line}\n", frame(row))).collect()
    };
    let plain = rows.clone();
    for row in [0, 3, 6, 8] {
        rows[row] = "-".repeat(9);
        let lines = to(Format::Lines);
        for text in [
            draw(&rows, false) + &draw(&plain, false) + &draw(&rows, false),
            format!(
                "{}\n{}\n# one\n{}",
                draw(&rows, false),
                draw(&plain, false),
                draw(&rows, false)
            ),
        ] {
            let (out, summary, bad) = solve_every_way(&text, &lines);
            assert_eq!((summary.puzzles(), bad), (3, Vec::new()), "{text}");
            let found: Vec<String> = out
                .lines()
                .filter(|line| line.len() > 81)
                .map(|line| line[..81].replace('-', "."))
                .collect();
            assert_eq!(found, [expected(&rows), expected(&plain), expected(&rows)], "{text}");
        }
    }
    // Frames of dashes, nine rows without them.
    let text = format!("{0}\n{0}", draw(&plain, true));
    let (_, summary, bad) = solve_every_way(&text, &to(Format::Lines));
    assert_eq!((summary.unique, bad), (2, Vec::new()));
    // Eight rows and a frame are no nine rows, where blanks are dots.
    let dots: Vec<String> = (0..8).map(|row| PUZZLE[row * 9..row * 9 + 9].to_owned()).collect();
    let text = format!("{}---------\n{}", draw(&dots[..3], false), draw(&dots[3..], false));
    let (_, summary, bad) = solve_as_found(&text);
    assert_eq!((summary.puzzles(), summary.bad), (0, 1), "{bad:?}");
}

#[test]
fn titles_spoil_no_record() {
    let picture: String =
        (0..9).map(|row| format!("{}\n", &PUZZLE[row * 9..row * 9 + 9])).collect();
    let bodies = [
        (format!("{PUZZLE}\n{PUZZLE}\n"), "lines"),
        (format!("id,quiz\n1,{PUZZLE}\n2,{PUZZLE}\n"), "csv"),
        (format!("{{\"quiz\":\"{PUZZLE}\"}}\n{{\"quiz\":\"{PUZZLE}\"}}\n"), "jsonl"),
        (format!("{picture}\n{picture}"), "grid"),
    ];
    for title in
        ["Top 1465", "top95", "5 hard ones", "Grid 01", "The hardest, by R. R.\n\n# so\nPart two"]
    {
        for (body, format) in &bodies {
            let text = format!("{title}\n{body}");
            let (rows, summary, bad) = solve_as_found(&text);
            assert_eq!((summary.unique, summary.bad), (2, 0), "{text} {bad:?}");
            assert_eq!(summary.lines, text.lines().count() as u64);
            assert!(rows.contains(title.lines().last().unwrap()), "{format} {rows}");
            let again = solve(&rows, &FormOptions::default(), 1).1;
            assert_eq!((again.unique, again.bad), (2, 0), "{rows}");
            let form = Form::find(text.as_bytes(), &FormOptions::default()).unwrap();
            let titles: Vec<_> = form.titles().collect();
            assert_eq!(titles[0], (1, title.lines().next().unwrap().to_owned()));
            assert!(
                titles.len() == 1 || titles[1] == (4, "Part two".to_owned()) && titles.len() == 2
            );
            assert!(!form.is_plain());
        }
    }
    let (code, out, err) = sudoku("solve", format!("top95\n{PUZZLE}\n"));
    assert_eq!((code, out), (0, format!("# top95\n{PUZZLE}:1:{SOLUTION}\n")));
    assert!(err.starts_with("<stdin>:1: kept as a comment: top95\n"), "{err}");
    // A picture whose first row is no row is one, too.
    let text = format!("{}\n{picture}", picture.replacen('7', "a", 1));
    let (_, summary, bad) = solve_as_found(&text);
    assert_eq!((summary.unique, summary.bad), (1, 1), "{bad:?}");
    // What is not a title is a bad record.
    for first in ["53..7...", &PUZZLE[1..], &format!("{}&", &PUZZLE[1..])] {
        let (_, summary, _) = solve(format!("{first}\n{PUZZLE}\n"), &FormOptions::default(), 1);
        assert_eq!((summary.unique, summary.bad), (1, 1), "{first}");
    }
}

#[test]
fn lines_that_hold_no_puzzle_at_all_fail() {
    let lines: String = (0..1000).map(|line| format!("line {line}\n")).collect();
    for words in ["solve", "count", "solve --to csv"] {
        let (code, out, err) = sudoku(words, &lines);
        assert!(code == 1 && err.contains(", 1,000 bad lines\n"), "{words} {err}");
        assert_eq!(out.lines().filter(|row| row.contains("line ")).count(), 1000);
    }
    let (code, _, err) = sudoku("solve --format grid", &lines);
    assert!(code == 1 && err.contains("<stdin>: found no puzzle in 1,000 lines\n"), "{err}");
    // An empty input is no failure.
    assert_eq!(sudoku("solve", "").0, 0);
    assert_eq!(sudoku("solve", "# none today\n").0, 0);
}

#[test]
fn a_record_of_more_than_a_mebibyte_keeps_its_place() {
    let long = "x".repeat(3 << 20);
    let object = |note: &str| format!("{{\"puzzle\":\"{PUZZLE}\",\"note\":\"{note}\"}}\n");
    for (text, row) in [
        (format!("{PUZZLE}\n{PUZZLE} {long}\n{PUZZLE}\n"), format!("!{PUZZLE} xx")),
        (format!("puzzle,note\n{PUZZLE},\n{PUZZLE},{long}\n{PUZZLE},\n"), format!("\"{PUZZLE},xx")),
        (object("") + &object(&long) + &object(""), "{\"bad\":\"".to_owned()),
    ] {
        for chunk_bytes in [None, Some(100), Some(1 << 22)] {
            let form = Form::find(&text.as_bytes()[..200], &FormOptions::default()).unwrap();
            let stop = Stop::new();
            let settings = Settings { threads: 2, chunk_bytes, ..Settings::new(&stop) };
            let (rows, summary, bad) = solve_form(text.as_bytes(), &form, settings);
            assert_eq!((summary.unique, summary.bad), (2, 1), "{bad:?}");
            let rows: Vec<&str> = rows.lines().collect();
            let header = usize::from(rows.len() == 4);
            assert!(rows[1 + header].starts_with(&row) && rows.len() == 3 + header);
            assert!(rows[1 + header].len() < 2 << 20);
            let at = format!("line {}: found a record of more than 1 MiB", 2 + header);
            assert!(bad[0].starts_with(&at), "{bad:?}");
        }
    }
}

#[test]
fn zero_is_a_value_or_a_blank_by_the_first_grid() {
    let [hex, solved] = puzzle(Size::Sixteen, 0, FROM_ZERO);
    let [digits, of_digits] = puzzle(Size::Sixteen, 0, DIGITS);
    let of = |text: &str| solve_every_way(text, &check());
    let (rows, summary, bad) = of(&format!("{hex},{solved}\n{solved}:1:{solved}\n"));
    assert_eq!((summary.unique, summary.compared, bad), (2, 2, Vec::new()), "{rows}");
    assert!(rows.starts_with(&format!("{hex}:1:{solved}\n{solved}:1:{solved}\n")), "{rows}");
    // A whole grid first, in small letters.
    let (_, summary, _) = of(&format!("{0}:1:{0}\n{hex}:1:{solved}\n", solved.to_lowercase()));
    assert_eq!((summary.unique, summary.disagreements, summary.bad), (2, 0, 0));
    // Blanks that are zeros.
    let zeros = digits.replace('.', "0");
    let (rows, summary, _) = of(&format!("{zeros}:1:{of_digits}\n{digits}:1:{of_digits}\n"));
    assert_eq!((summary.unique, summary.disagreements), (2, 0), "{rows}");
    // A grid that may be either where the first one decided nothing; one with a value that is not there.
    let (_, summary, bad) = of(&format!("{digits}:1:{of_digits}\n{hex}\n"));
    assert_eq!((summary.unique, summary.bad), (1, 1));
    assert!(
        bad[0].starts_with("line 2: found 0 and '.' in one grid, and 0 may be a value (0 to F)"),
        "{bad:?}"
    );
    let (_, _, bad) = of(&format!("{hex},{solved}\n{digits}\n"));
    assert!(bad[0].contains("found \"G\"") && bad[0].contains("a value from 0 to F"), "{bad:?}");
    let numbers =
        puzzle(Size::Sixteen, 0, "numbers")[0].replace("16", "0").replacen(" 2 ", " . ", 1);
    let (_, _, bad) = solve_every_way(
        format!("{numbers}\n"),
        &FormOptions { size: Some(Size::Sixteen), ..FormOptions::default() },
    );
    assert!(bad[0].contains("0 may be a value (0 to 15)"), "{bad:?}");
}

#[test]
fn checks_pass_over_rows_without_solutions_and_compare_by_cells() {
    let clash = format!("11{}", ".".repeat(79));
    let rows = solve(format!("{clash}\n{PUZZLE}\n"), &FormOptions::default(), 1).0;
    assert!(rows.starts_with(&format!("{clash}:0:\n")));
    let (_, summary, bad) = solve_every_way(&rows, &check());
    assert_eq!((summary.compared, summary.none, bad), (1, 1, Vec::new()));
    // Blanks of every kind, a stated solution that is not the one found first.
    let [open, _, second] = with_two_solutions();
    for blank in [".", "0", "x", "X", "-", "_", "*"] {
        let open = open.replace('.', blank);
        let text = format!("puzzle,answer\n{open},{SOLUTION}\n{open},{second}\n");
        let (_, summary, bad) = solve_every_way(&text, &check());
        assert_eq!((summary.many, summary.compared, bad), (2, 2, Vec::new()), "{blank}");
        // Another puzzle's grid solves itself, but not this one.
        let other = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
        let text = format!("puzzle,answer\n{open},{other}\n{PUZZLE},{other}\n");
        assert_eq!(solve_every_way(&text, &check()).1.disagreements, 2, "{blank}");
    }
    let (code, _, err) = sudoku("solve --check", "quiz,solution\n# so\n");
    assert!(code == 1 && err.contains("no stated solution to compare\n"), "{err}");
    let one_of_two = format!("quiz,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n");
    let (code, _, err) = sudoku("solve --check", &one_of_two);
    assert!(code == 1 && err.contains("without a stated solution: 1\n"), "{err}");
}

/// Places in `SOLUTION` of a rectangle in two boxes, in which two values may change places.
const RECTANGLE: [usize; 4] = [3, 4, 30, 31];

/// A puzzle with two solutions, and both of them.
fn with_two_solutions() -> [String; 3] {
    let (mut open, mut other) = (SOLUTION.as_bytes().to_vec(), SOLUTION.as_bytes().to_vec());
    RECTANGLE.into_iter().for_each(|at| open[at] = b'.');
    other.swap(RECTANGLE[0], RECTANGLE[1]);
    other.swap(RECTANGLE[2], RECTANGLE[3]);
    [open, SOLUTION.into(), other].map(|cells| String::from_utf8(cells).unwrap())
}

#[test]
fn a_check_alone_writes_no_rows() {
    let wrong = SOLUTION.replacen("534", "543", 1);
    let text = format!("quiz,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n");
    let (code, out, err) = sudoku("solve --check", &text);
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.starts_with("<stdin>:3: the solution stated here is "), "{err}");
    for words in ["solve --check -o -", "solve --check --to csv"] {
        let (code, out, _) = sudoku(words, &text);
        assert_eq!((code, out.lines().count()), (1, 3), "{words}");
    }
    let (code, out, _) = sudoku("solve --check --json", &text);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &document["disagreements"]), (1, &1.into()));
    assert_eq!(sudoku("solve --check --json -o -", &text).0, 2);
}

#[test]
fn numbers_in_a_column_of_puzzles_are_explained() {
    let zeros = PUZZLE.replace('.', "0");
    let (short, long) = (&"0".repeat(3), &zeros[2..]);
    let csv =
        format!("sudoku,answer\n{zeros},{SOLUTION}\n{long},\n{short},\n5.3e+80,\n{PUZZLE},\n");
    let (_, summary, bad) = solve_as_found(&csv);
    assert_eq!((summary.unique, summary.bad), (2, 3), "{bad:?}");
    assert!(
        bad[0].starts_with(&format!("line 3: found the number {long} with 79 characters")),
        "{bad:?}"
    );
    assert!(bad.iter().all(|line| line.contains("(pandas: dtype=str)")), "{bad:?}");
    let json = format!("{{\"puzzle\":{zeros}}}\n{{\"puzzle\":{long}}}\n{{\"puzzle\":7.5}}\n");
    let json = json.replacen("\"puzzle\":0", "\"puzzle\":5", 1);
    let (_, summary, bad) = solve_as_found(&json);
    assert_eq!((summary.unique, summary.bad), (1, 2), "{bad:?}");
}

#[test]
fn puzzles_are_found_by_the_names_that_people_use_and_by_any_that_is_given() {
    for name in ["Puzzle", "puzzles", "quiz", "quizzes", "sudoku", "question", " sudokus "] {
        let csv = format!("a,{name},b\n1,{PUZZLE},\n");
        let json = format!("{{\"a\":1,\"{}\":\"{PUZZLE}\"}}\n", name.trim());
        for text in [csv, json] {
            assert_eq!(solve_as_found(&text).1.unique, 1, "{text}");
        }
    }
    // Of several the better known one, unless the caller wants another.
    let text = format!("question,puzzle,b\nwhat,{PUZZLE},\n");
    assert_eq!(solve_as_found(&text).1.unique, 1);
    let column =
        |name: &str| FormOptions { column: Some(name.to_owned()), ..FormOptions::default() };
    assert_eq!(solve_every_way(&text, &column("question")).1.bad, 1);
    let csv = format!("id,board,puzzle\n1,{PUZZLE},none\n");
    let json = format!("{{\"board\":\"{PUZZLE}\",\"puzzle\":\"none\"}}\n");
    for text in [&csv, &json] {
        let (_, summary, _) = solve_every_way(text, &column("Board"));
        assert_eq!((summary.unique, summary.bad), (1, 0), "{text}");
    }
    let error = |text: &str, wanted: &FormOptions| {
        Form::find(text.as_bytes(), wanted).unwrap_err().to_string()
    };
    assert!(
        error(&csv, &column("grid")).starts_with("found no column \"grid\" in \"id,board,puzzle\"")
    );
    let text = format!("id,board\n1,{PUZZLE}\n");
    assert!(
        error(&text, &FormOptions::default())
            .starts_with("the header \"id,board\" names no puzzle column")
    );
    let (code, out, _) = sudoku("solve --column board -q", &text);
    assert_eq!((code, out), (0, format!("id,board,count,found\n1,{PUZZLE},1,{SOLUTION}\n")));
    let (_, _, bad) =
        solve(&json, &FormOptions { format: Some(Format::Jsonl), ..column("grid") }, 1);
    assert!(bad[0].ends_with("found no member grid"), "{bad:?}");
}

#[test]
fn cells_may_be_set_apart() {
    let apart = |separator: &str| -> String {
        let cells: Vec<String> = PUZZLE.chars().map(String::from).collect();
        cells.join(separator)
    };
    let short = apart(" ").split_off(2);
    let text = [apart(" "), apart(","), apart(", ").replace('.', "0"), short].join("\n") + "\n";
    let (rows, summary, bad) = solve_as_found(&text);
    assert_eq!((summary.unique, summary.bad), (3, 1));
    assert_eq!(bad, ["line 4: found 80 cells, expected 81"]);
    assert!(rows.starts_with(&format!("{PUZZLE}:1:{SOLUTION}\n").repeat(3)), "{rows}");
    let csv = format!("puzzle,n\n\"{}\",1\n", apart(","));
    let (rows, ..) = solve_every_way(&csv, &to(Format::Jsonl));
    assert!(rows.contains(&format!("\"found\":\"{SOLUTION}\"")), "{rows}");
}

#[test]
fn several_files_are_solved_to_one_output() {
    let folder = Folder::new();
    folder.write("one.csv", format!("id,puzzle\n1,{PUZZLE}\n2,what\n"));
    folder.write("two.csv", format!("id,puzzle\n3,{PUZZLE}\n"));
    folder.write("other.csv", format!("puzzle\n{PUZZLE}\n"));
    folder.write("lines.txt", format!("{PUZZLE}\n"));
    let (code, out, err) = folder.told("sudoku solve one.csv two.csv");
    let row = |id| format!("{id},{PUZZLE},1,{SOLUTION}\n");
    let expected = format!("id,puzzle,count,found\n{}2,what,!,!\n{}", row(1), row(3));
    assert_eq!((code, out), (1, expected));
    assert!(err.contains("2 puzzles: 2 unique") && err.contains("1 bad line\n"), "{err}");
    assert!(err.contains("one.csv:3: found 'w'"), "{err}");
    folder.fails("sudoku solve one.csv other.csv", 1, "expected those of the first file");
    let words = "sudoku count lines.txt - lines.txt";
    let (code, out, _) = folder.feed(words, format!("{PUZZLE}\n"));
    assert_eq!((code, out), (0, format!("{PUZZLE}:1\n").repeat(3)));
    assert_eq!(folder.succeed("sudoku canon lines.txt two.csv --to lines").lines().count(), 2);
    folder.fails("sudoku solve lines.txt one.csv -o one.csv", 2, "is read here");
}

#[test]
fn every_size_is_drawn_with_its_solution_beside_it() {
    let four = "1...............";
    let (code, out, err) = sudoku(&format!("draw {four}"), "");
    assert!(code == 0 && err.contains("more than one solution"), "{err}");
    assert!(out.starts_with("1 .  . .      1 "), "{out}");
    assert_eq!(out.lines().count(), 5);
    let [sixteen, solved] = puzzle(Size::Sixteen, 0, DIGITS);
    let (_, out, err) = sudoku("draw -", &sixteen);
    let shown: String = out.lines().map(|line| &line[line.len().min(40)..]).collect();
    assert_eq!(shown.replace(' ', ""), solved, "{out}");
    assert_eq!(err, "");
    // Too wide for a terminal: one below the other.
    let [wide, solved] = puzzle(Size::TwentyFive, 0, DIGITS);
    let (_, out, _) = sudoku("draw -", &wide);
    let (above, below) = out.split_at(out.len() / 2);
    let cells = |text: &str| text.replace([' ', '\n'], "");
    assert_eq!((cells(above), cells(below)), (wide, solved));
    let (_, out, _) = sudoku(&format!("draw {SOLUTION}"), "");
    assert_eq!(out.lines().next(), Some("5 3 4  6 7 8  9 1 2"));
    let (code, _, err) = sudoku(&format!("tree {four}"), "");
    assert!(code == 1 && err.contains("found another size, expected one 9 × 9 puzzle"), "{err}");
}
