//! Columns hold what a plain computation finds, in every format, and depend on nothing but the puzzle.

use std::collections::HashSet;

use tallyboard_search::Stop;
use tallyboard_sudoku::batch::Rating;
use tallyboard_sudoku::format::{Column, Form, RecordPart, Row, RowUnit, Value};
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::stream::Settings;
use tallyboard_sudoku::{CELLS, Grid, canonical, solve_up_to};

use crate::common::runs::{Folder, sudoku};
use crate::common::{PUZZLE, SOLUTION};
use crate::sudoku_formats::solve_form;

fn all_columns() -> String {
    Value::ALL.map(Value::name).join(",")
}

/// Puzzles with one solution, easy and hard, minimal and not, with several and with none.
fn puzzles() -> Vec<Grid> {
    let minimal = Requirements { clues: None, minimal: true, symmetric: false };
    let easy = Requirements { clues: Some(32), minimal: false, symmetric: false };
    let of = |wish, number| *Generator::new(wish, 11).unwrap().puzzle(number).cells();
    (0..60)
        .map(|number| {
            let mut cells = of(if number % 2 == 0 { minimal } else { easy }, number);
            match number % 10 {
                4 | 7 => cells.iter_mut().step_by(10).for_each(|cell| *cell = 0),
                5 | 8 => cells[number as usize] = 1 + (number % 9) as u8,
                _ => {}
            }
            Grid::new(cells).unwrap()
        })
        .collect()
}

fn superfluous(puzzle: &Grid) -> String {
    let all = solve_up_to(puzzle, u64::MAX).count;
    let can_go = |cell: &usize| {
        let mut cells = *puzzle.cells();
        std::mem::take(&mut cells[*cell]) != 0
            && solve_up_to(&Grid::new(cells).unwrap(), all + 1).count == all
    };
    let names = (0..CELLS).filter(can_go).map(|cell| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1));
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_column_is_what_a_plain_computation_finds() {
    let puzzles = puzzles();
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let words = format!("solve --limit 3 --columns {}", all_columns());
    let (code, rows, err) = sudoku(&words, text);
    assert_eq!(code, 0, "{err}");
    let (mut minimal, mut methods, mut ratings) = ([0; 2], HashSet::new(), HashSet::new());
    let mut depths = HashSet::new();
    // Puzzles with superfluous clues that have no solution, one, and more.
    let mut with_superfluous = [0; 3];
    for (puzzle, row) in puzzles.iter().zip(rows.lines()) {
        let found: Vec<&str> = row.split(':').collect();
        let &[
            shown,
            clues,
            count,
            solution,
            method,
            guesses,
            rating,
            canon,
            is_minimal,
            spare,
            te,
            removed,
            backdoor,
            expanded,
        ] = &found[..]
        else {
            panic!("{row}");
        };
        let answer = solve_up_to(puzzle, 3);
        let expected = Rating::of(puzzle, 3, &Stop::new()).unwrap();
        assert_eq!(shown, puzzle.to_string());
        assert_eq!(clues, puzzle.clues().to_string());
        assert_eq!(count, answer.count.to_string());
        if answer.count == 1 {
            assert_eq!(solution, answer.first.unwrap().to_string());
        }
        assert_eq!(solution.is_empty(), answer.count == 0);
        assert_eq!((method, guesses), (expected.technique.name(), &*expected.guesses.to_string()));
        let mean: f64 = rating.parse().unwrap();
        assert_eq!(mean > 0.0, expected.guesses > 0, "{row}");
        assert_eq!(canon, canonical(puzzle).to_string());
        assert_eq!(spare, superfluous(puzzle), "{puzzle}");
        assert_eq!(is_minimal, spare.is_empty().to_string());
        // What singles give stands in the solution, and is all of it if no trial is needed.
        let is_unique = answer.count == 1;
        assert_eq!([te, removed, backdoor].map(str::is_empty), [!is_unique; 3], "{row}");
        assert_eq!(te == "0", removed == "0", "{row}");
        let by_singles = (method == "singles" && is_unique).to_string();
        assert_eq!(
            [(te == "0"), (backdoor == "0"), (expanded == solution && is_unique)]
                .map(|it| it.to_string()),
            [&*by_singles; 3],
            "{row}"
        );
        let fits = |(one, other): (char, char)| one == '.' || one == other;
        assert!(!is_unique || expanded.chars().zip(solution.chars()).all(fits), "{row}");
        assert!(expanded.is_empty() || shown.chars().zip(expanded.chars()).all(fits), "{row}");
        depths.insert(te.to_owned());
        minimal[usize::from(spare.is_empty())] += 1;
        with_superfluous[answer.count.min(2) as usize] += usize::from(!spare.is_empty());
        methods.insert(method.to_owned());
        ratings.insert(rating.to_owned());
    }
    assert!(minimal[0] > 10 && minimal[1] > 10 && methods.len() == 3 && ratings.len() > 5);
    assert_eq!(depths.len(), 3, "none, 0 and 1");
    assert!(with_superfluous.iter().all(|&puzzles| puzzles > 2), "{with_superfluous:?}");
}

#[test]
fn columns_depend_on_neither_threads_nor_kernels_nor_neighbours() {
    let lines: Vec<String> = puzzles().iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let columns = all_columns();
    let rows = |lines: &[String], others: &str| -> Vec<String> {
        let words = format!("solve --columns {columns} {others}");
        sudoku(&words, lines.concat()).1.lines().map(str::to_owned).collect()
    };
    let expected = rows(&lines, "-j1");
    for others in ["-j 3", "--kernel portable", "--engine batch"] {
        assert_eq!(rows(&lines, others), expected, "{others}");
    }
    let backwards: Vec<String> = lines.iter().rev().cloned().collect();
    let mut again = rows(&backwards, "-j2");
    again.reverse();
    assert_eq!(again, expected);
    for number in [0, 7, 25] {
        assert_eq!(rows(&lines[number..=number], "")[0], expected[number]);
    }
}

#[test]
fn columns_do_not_depend_on_where_chunks_are_cut() {
    let text: String = puzzles().iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let columns = Value::ALL.map(Column::of);
    let row = Row { kept: RecordPart::Puzzle, columns: &columns, unit: RowUnit::Puzzle };
    let stop = Stop::new();
    let rows = |threads, chunk_bytes| {
        let settings = Settings { row, threads, chunk_bytes, ..Settings::new(&stop) };
        solve_form(text.as_bytes(), &Form::lines(), settings).0
    };
    let expected = rows(1, Some(1 << 20));
    assert_eq!(expected.lines().count(), 60);
    for (threads, chunk_bytes) in [(1, 1), (1, 83), (2, 500), (3, 1312)] {
        assert_eq!(rows(threads, Some(chunk_bytes)), expected, "{chunk_bytes} bytes");
    }
}

#[test]
fn columns_stand_in_every_format_in_the_order_asked_for() {
    let spare = format!("4{}", &SOLUTION[1..]).replacen('4', ".", 1);
    let words = "solve --columns minimal,clues,superfluous,solution";
    let of = |to, puzzle: &str| sudoku(&format!("{words} --to {to}"), puzzle).1;
    let rest = SOLUTION[1..].char_indices();
    let names: Vec<String> =
        rest.map(|(at, _)| format!("r{}c{}", (at + 1) / 9 + 1, (at + 1) % 9 + 1)).collect();
    let names = names.join(" ");
    assert_eq!(of("lines", &spare), format!("{spare}:false:80:{names}:{SOLUTION}\n"));
    let csv =
        format!("puzzle,minimal,clues,superfluous,solution\n{spare},false,80,{names},{SOLUTION}\n");
    assert_eq!(of("csv", &spare), csv);
    let json = format!(
        "{{\"puzzle\":\"{spare}\",\"minimal\":false,\"clues\":80,\"superfluous\":\"{names}\",\
         \"solution\":\"{SOLUTION}\"}}\n"
    );
    assert_eq!(of("jsonl", &spare), json);
    let picture = of("sdk", &spare);
    let head = format!("#C minimal: false, clues: 80, superfluous: {names}\n534678912\n");
    assert!(picture.starts_with(&head), "{picture}");
    // Nothing where there is no solution.
    let none = format!("11{}", ".".repeat(79));
    assert_eq!(of("lines", &none), format!("{none}:true:2::\n"));
    assert!(of("jsonl", &none).ends_with("\"superfluous\":\"\",\"solution\":null}\n"));
}

#[test]
fn a_column_of_the_users_is_replaced_by_one_of_its_name_and_by_no_other() {
    let csv = format!("rating,puzzle,solution,id\n5,{PUZZLE},mine,7\n");
    let (_, rows, err) = sudoku("solve --columns rating", &csv);
    assert_eq!(rows, format!("puzzle,solution,id,rating\n{PUZZLE},mine,7,0\n"));
    assert!(err.contains("<stdin>: the column rating is replaced by the one"), "{err}");
    assert!(!err.contains("column solution"), "{err}");
    // Nobody asked whether it has a solution.
    assert!(err.contains("1 puzzle, 0 bad lines\n") && !err.contains("unique"), "{err}");
    let (_, rows, err) = sudoku("solve --columns count,solution", &csv);
    assert_eq!(rows, format!("rating,puzzle,id,count,solution\n5,{PUZZLE},7,1,{SOLUTION}\n"));
    assert!(err.contains("column solution is replaced") && err.contains("1 unique"), "{err}");
}

/// Rows that lose columns say so, and only they.
#[test]
fn columns_without_a_header_are_told_where_they_are_left_out() {
    let left_out = |words: &str, text: &str| sudoku(words, text).2.contains("are left out");
    for line in ["1,PUZZLE,hard", "PUZZLE;12", "12\tPUZZLE", "PUZZLE,SOLUTION,hard"] {
        let text = line.replace("PUZZLE", PUZZLE).replace("SOLUTION", SOLUTION) + "\n";
        assert!(left_out("solve", &text), "{text}");
        assert!(!left_out("canon --unique", &text), "{text}");
    }
    for text in [PUZZLE, &format!("{PUZZLE},{SOLUTION}"), &format!("id,puzzle\n1,{PUZZLE}\n")] {
        assert!(!left_out("solve", text), "{text}");
    }
}

/// A picture names no column that has nothing to say of its puzzle.
#[test]
fn pictures_leave_out_what_is_missing() {
    let several = format!("{}\n", ".".repeat(81));
    let (_, shown, _) = sudoku("solve --columns te,clues,backdoor --to sdk", &several);
    assert!(shown.contains("#C clues: 0\n"), "{shown}");
    assert!(!shown.contains("te:") && !shown.contains("backdoor"), "{shown}");
    let (_, shown, _) = sudoku("solve --columns te,backdoor --to sdk", PUZZLE);
    assert!(shown.contains("#C te: 0, backdoor: 0\n"), "{shown}");
    let (_, shown, _) = sudoku("solve --columns te,backdoor --to sdk", &several);
    assert!(!shown.contains("#C"), "{shown}");
}

#[test]
fn columns_that_make_no_sense_are_refused() {
    let (code, _, err) = sudoku("solve --columns count,clues,count", PUZZLE);
    assert!(code == 2 && err.contains("--columns names count twice"), "{err}");
    let (code, _, err) = sudoku("solve --columns hardness", PUZZLE);
    assert!(code == 2 && err.contains("superfluous"), "{err}");
    for other in ["--stats", "--solutions-only"] {
        assert_eq!(sudoku(&format!("solve --columns count {other}"), PUZZLE).0, 2);
    }
    let (code, _, err) = sudoku("solve --columns count,minimal", ".".repeat(16));
    assert!(code == 1 && err.contains("the column minimal is one of 9 × 9 grids"), "{err}");
    let (code, rows, _) = sudoku("solve --columns count", ".".repeat(16));
    assert_eq!((code, rows), (0, format!("{}:2\n", ".".repeat(16))));
    // Solutions are found where they are compared, whatever the columns.
    let wrong = format!("{PUZZLE},{}\n", SOLUTION.replacen("534", "543", 1));
    let (code, rows, err) = sudoku("solve --check --columns clues --to lines", wrong);
    assert!(code == 1 && rows == format!("{PUZZLE}:30\n") && err.contains("1 wrong"), "{err}");
}

/// Another spelling of the same class of puzzles: the digits renamed, the rows turned round.
fn image(puzzle: &str) -> String {
    puzzle
        .chars()
        .rev()
        .map(|cell| cell.to_digit(10).map_or(cell, |d| char::from(b'0' + (d % 9) as u8 + 1)))
        .collect()
}

#[test]
fn of_images_the_first_record_stays_as_it_came() {
    let [one, other] = [0, 2].map(|number| puzzles()[number].to_string());
    let again = image(&one);
    let csv = format!(
        "id,puzzle,note\n1, {one} ,\"a, b\"\nx,what,\n2,{other},\n3,{again},\n# kept\n4,{one},\n5,{},\n",
        image(&other)
    );
    let kept = format!("id,puzzle,note\n1, {one} ,\"a, b\"\nx,what,\n2,{other},\n# kept\n");
    for threads in ["-j1", "-j3"] {
        let (code, rows, err) = sudoku(&format!("canon --unique {threads}"), &csv);
        assert_eq!((code, rows), (1, kept.clone()), "{err}");
        assert!(
            err.contains("5 puzzles, 3 dropped as images of earlier ones, 1 bad line"),
            "{err}"
        );
    }
    // Strict: what stands before the bad line.
    let (code, rows, _) = sudoku("canon --unique --strict", &csv);
    assert_eq!((code, rows), (1, kept.split_at(kept.find("x,").unwrap()).0.to_owned()));
    // Rows that are dropped move the bad lines behind them up, those behind the last of them too.
    for dropped in 1..4 {
        let images = format!("3,{again}\n").repeat(dropped);
        for (text, kept) in [
            (format!("1,{one}\n{images}x,what\n2,{other}\n"), format!("1,{one}\n")),
            (format!("1,{one}\n{images}x,what\n{images}"), format!("1,{one}\n")),
            (
                format!("{images}1,{one}\n2,{other}\nx,what\n{images}"),
                format!("3,{again}\n2,{other}\n"),
            ),
        ] {
            let (_, rows, _) = sudoku("canon --unique --strict", format!("id,puzzle\n{text}"));
            assert_eq!(rows, format!("id,puzzle\n{kept}"), "{dropped}");
        }
    }
    let json = format!("{{\"quiz\" : \"{one}\" }}\n{{\"quiz\":\"{again}\"}}\n");
    let (_, rows, _) = sudoku("canon --unique", &json);
    assert_eq!(rows, json.lines().next().unwrap().to_owned() + "\n");
    // Over several files.
    let folder = Folder::new();
    folder.write("one", format!("{one}\n"));
    folder.write("again", format!("{again}\n"));
    assert_eq!(folder.succeed("sudoku canon --unique one again"), format!("{one}\n"));
}

#[test]
fn images_carry_their_solutions_along_in_every_format() {
    let zeros = PUZZLE.replace('.', "0");
    let shuffle = "shuffle --times 3 --seed";
    for text in [
        format!("{zeros},{SOLUTION} a note\n"),
        format!("{zeros}:1:{SOLUTION}\n"),
        format!("id,solution,n,quiz\n1,{SOLUTION},\"x,\",{zeros}\n"),
        format!("{{\"quiz\": \"{zeros}\", \"id\": 7,\"solution\":\"{SOLUTION}\"}}\n"),
        format!("{zeros} a note\n"),
    ] {
        let (code, rows, err) = sudoku(&format!("{shuffle} 5"), &text);
        let header = text.lines().count() - 1;
        let record = text.lines().last().unwrap();
        let (puzzle_at, solution_at) = (record.find(&zeros).unwrap(), record.find(SOLUTION));
        assert_eq!((code, rows.lines().count()), (0, header + 3), "{err}");
        assert_eq!(sudoku(&format!("{shuffle} 5 -j3"), &text).1, rows);
        assert_ne!(sudoku(&format!("{shuffle} 6"), &text).1, rows);
        let mut seen = HashSet::new();
        for row in rows.lines().skip(header) {
            let image = &row[puzzle_at..][..CELLS];
            let [grid, original] = [image, PUZZLE].map(|text| text.parse::<Grid>().unwrap());
            assert_eq!(canonical(&grid), canonical(&original), "{row}");
            assert!(image.contains('0') && !image.contains('.') && seen.insert(image.to_owned()));
            // Everything else stays.
            let mut before = row.replacen(image, &zeros, 1);
            if let Some(at) = solution_at {
                assert_eq!(
                    row[at..][..CELLS],
                    solve_up_to(&grid, 2).first.unwrap().to_string(),
                    "{row}"
                );
                before.replace_range(at..at + CELLS, SOLUTION);
            }
            assert_eq!(before, record);
        }
    }
    // An image follows from the puzzle alone, not from what stands before it.
    let (_, rows, _) = sudoku(&format!("{shuffle} 5"), format!("{SOLUTION}\n{zeros} a note\n"));
    let (_, alone, _) = sudoku(&format!("{shuffle} 5"), format!("{zeros} a note\n"));
    assert!(rows.ends_with(&alone));
    let (_, drawn, _) = sudoku("shuffle --to sdk", PUZZLE);
    assert_eq!(drawn.lines().count(), 10, "{drawn}");
    let (code, _, err) = sudoku("shuffle --times 0", PUZZLE);
    assert!(code == 2 && err.contains("--times <K>"), "{err}");
    let (code, _, err) = sudoku("shuffle", ".".repeat(16));
    assert!(code == 1 && err.contains("expected 9 × 9 grids, found 4 × 4"), "{err}");
}

/// Between numbers are spaces; the puzzle ends at another separator, and what is behind it stays.
#[test]
fn images_of_spaced_lines_keep_what_follows_the_puzzle() {
    let spaced = |cells: &str| cells.split("").collect::<Vec<_>>().join(" ").trim().to_owned();
    let (zeros, solution) = (spaced(&PUZZLE.replace('.', "0")), spaced(SOLUTION));
    for (behind, is_solved) in [(format!(":1:{solution}"), true), (" # a note".to_owned(), false)] {
        let (code, rows, err) = sudoku("shuffle", format!("{zeros}{behind}\n"));
        assert_eq!(code, 0, "{err}");
        let (image, rest) = rows.split_at(CELLS);
        let image: Grid = image.parse().unwrap();
        assert_eq!(canonical(&image), canonical(&PUZZLE.parse().unwrap()));
        let solution = solve_up_to(&image, 2).first.unwrap();
        let expected = if is_solved { format!(":1:{solution}\n") } else { format!("{behind}\n") };
        assert_eq!(rest, expected);
    }
}

#[test]
fn images_from_other_formats_are_lines_of_puzzle_and_stated_solution() {
    for (text, is_solved) in [
        (format!("id,solution,quiz\n1,{SOLUTION},{PUZZLE}\n"), true),
        (format!("id,solution,quiz\n1,,{PUZZLE}\n"), false),
        (format!("{{\"id\":7,\"puzzle\":\"{PUZZLE}\",\"solution\":\"{SOLUTION}\"}}\n"), true),
        (format!("id,quiz\n1,{PUZZLE}\n"), false),
    ] {
        let (code, rows, err) = sudoku("shuffle --to lines", &text);
        let image: Grid = rows[..CELLS].parse().unwrap();
        let solution = solve_up_to(&image, 2).first.unwrap();
        let expected = if is_solved { format!(":{solution}\n") } else { "\n".to_owned() };
        assert_eq!((code, &rows[CELLS..]), (0, &*expected), "{err}");
        let unique = sudoku("canon --unique --to lines", &text).1;
        let kept = if is_solved { format!("{PUZZLE}:{SOLUTION}\n") } else { format!("{PUZZLE}\n") };
        assert_eq!(unique, kept);
    }
}

#[test]
fn all_solutions_come_in_order_a_row_each() {
    let many = PUZZLE.replacen('7', ".", 1).replacen('6', ".", 1).replacen("98", "..", 1);
    let count = solve_up_to(&many.parse().unwrap(), u64::MAX).count;
    let none = format!("11{}", ".".repeat(79));
    let text = format!("# note\n{many}\n{PUZZLE}\nwhat\n{none}\n");
    let (code, rows, err) = sudoku("solve --all", &text);
    assert!(
        code == 1 && err.contains("3 puzzles: 1 unique, 1 without a solution, 1 with more"),
        "{err}"
    );
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len() as u64, 1 + count + 3);
    let solutions: Vec<&str> = rows[1..][..count as usize]
        .iter()
        .enumerate()
        .map(|(at, row)| row.strip_prefix(&format!("{many}:{}:", at + 1)).unwrap())
        .collect();
    assert!(count > 3 && solutions.is_sorted_by(|one, other| one < other));
    assert!(solutions.contains(&SOLUTION));
    assert!(err.contains(&format!("\n{} solutions written\n", count + 1)), "{err}");
    let last = [&format!("{PUZZLE}:1:{SOLUTION}"), "!what", &format!("{none}:0:")];
    assert_eq!(rows[1 + count as usize..], last);
    let (_, few, err) = sudoku("solve --all --limit 2 --to csv", &many);
    let told = "\n2 solutions written; 1 puzzle has more than --limit lets through\n";
    assert!(err.contains(told), "{err}");
    let (_, exact, err) = sudoku(&format!("solve --all --limit {count}"), &many);
    assert!(exact.lines().count() as u64 == count && err.contains(" written\n"), "{err}");
    assert!(!sudoku("solve", &many).2.contains("written"));
    let expected: Vec<String> =
        solutions[..2].iter().zip(1..).map(|(it, n)| format!("{many},{n},{it}")).collect();
    assert_eq!(
        few.lines().collect::<Vec<_>>(),
        [&["puzzle,number,found".to_owned()], &expected[..]].concat()
    );
    let (_, bare, _) = sudoku("solve --all --solutions-only --limit 1", &many);
    assert_eq!(bare.trim_end(), solutions[0]);
}

#[test]
fn parts_of_long_answers_are_handed_on_in_order() {
    // 30,000 solutions have more than five megabytes of rows, between other puzzles.
    let text = format!("{PUZZLE}\nwhat\n{}\nwhy\n{PUZZLE}\n", ".".repeat(81));
    let words = "solve --all --limit 30000";
    let (code, rows, err) = sudoku(&format!("{words} -j1"), &text);
    assert_eq!((code, rows.lines().count()), (1, 30_004));
    assert!(err.contains("\n30,002 solutions written; 1 puzzle has more"), "{err}");
    assert!(err.contains("<stdin>:2: ") && err.contains("<stdin>:4: "), "{err}");
    assert_eq!(sudoku(&format!("{words} -j3"), &text).1, rows);
    let [first, .., last] = &rows.lines().collect::<Vec<_>>()[..] else { panic!("{rows}") };
    assert_eq!(first, last);
    let (_, images, _) = sudoku("shuffle --times 30000", PUZZLE);
    assert_eq!(images.lines().collect::<HashSet<_>>().len(), 30_000);
}

/// The number of fields of a CSV row.
fn fields(row: &str) -> usize {
    let mut is_quoted = false;
    let is_between = |c: char| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    };
    1 + row.matches(is_between).count()
}

/// Readers of tables take no other rows. Columns that a run writes itself are left out of those that it read.
#[test]
fn bad_rows_have_the_fields_of_their_header_whatever_is_wrong() {
    let csv = format!(
        "count,puzzle,found,id\n1,{PUZZLE},x,7\n1,what,x,7\n1,{PUZZLE},x\n1,{PUZZLE},x,7,8\n1,\"{PUZZLE},x,7\n"
    );
    let jsonl = format!(
        "{{\"count\":1,\"puzzle\":\"{PUZZLE}\",\"found\":\"x\"}}\n{{\"puzzle\":\"what\"}}\n{{\n"
    );
    let lines = format!("{PUZZLE}\nwhat\n1,2,3\n");
    for (text, bad) in [(csv, 4), (jsonl, 2), (lines, 2)] {
        for words in ["solve", "count", "solve --columns clues,solution", "solve --stats", "canon"]
        {
            let (code, rows, err) = sudoku(&format!("{words} --to csv"), &text);
            let numbers: Vec<usize> = rows.lines().map(fields).collect();
            assert_eq!((code, numbers.len()), (1, 2 + bad), "{words}: {rows}{err}");
            assert!(numbers.iter().all(|&number| number == numbers[0]), "{words}: {rows}");
        }
    }
}
