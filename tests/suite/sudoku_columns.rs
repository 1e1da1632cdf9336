//! Columns hold what a plain computation finds, in every format, and depend on nothing but the puzzle.

use std::collections::HashSet;

use tallyboard::search::Stop;
use tallyboard::sudoku::batch::Rating;
use tallyboard::sudoku::format::Value;
use tallyboard::sudoku::generate::{Generator, Wish};
use tallyboard::sudoku::{CELLS, Grid, canonical, solve};

use crate::common::runs::fed;
use crate::sudoku_formats::{PUZZLE, SOLUTION};

fn sudoku(args: &[&str], input: impl AsRef<[u8]>) -> (i32, String, String) {
    fed(&[&["sudoku"], args].concat(), input)
}

fn all_columns() -> String {
    Value::ALL.map(Value::name).join(",")
}

/// Puzzles with one solution, easy and hard, minimal and not, with several and with none.
fn puzzles() -> Vec<Grid> {
    let minimal = Wish { clues: None, minimal: true, symmetric: false };
    let easy = Wish { clues: Some(32), minimal: false, symmetric: false };
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
    let all = solve(puzzle, u64::MAX).count;
    let can_go = |cell: &usize| {
        let mut cells = *puzzle.cells();
        std::mem::take(&mut cells[*cell]) != 0
            && solve(&Grid::new(cells).unwrap(), all + 1).count == all
    };
    let names = (0..CELLS).filter(can_go).map(|cell| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1));
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn each_column_is_what_a_plain_computation_finds() {
    let puzzles = puzzles();
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let (code, rows, err) = sudoku(&["solve", "--limit", "3", "--columns", &all_columns()], text);
    assert_eq!(code, 0, "{err}");
    let (mut minimal, mut methods, mut ratings) = ([0; 2], HashSet::new(), HashSet::new());
    for (puzzle, row) in puzzles.iter().zip(rows.lines()) {
        let found: Vec<&str> = row.split(':').collect();
        let &[shown, clues, count, solution, method, guesses, rating, canon, is_minimal, spare] =
            &found[..]
        else {
            panic!("{row}");
        };
        let answer = solve(puzzle, 3);
        let expected = Rating::of(puzzle, 3, &Stop::new()).unwrap();
        assert_eq!(shown, puzzle.to_string());
        assert_eq!(clues, puzzle.clues().to_string());
        assert_eq!(count, answer.count.to_string());
        if answer.count == 1 {
            assert_eq!(solution, answer.first.unwrap().to_string());
        }
        assert_eq!(solution.is_empty(), answer.count == 0);
        assert_eq!((method, guesses), (expected.means.name(), &*expected.guesses.to_string()));
        let mean: f64 = rating.parse().unwrap();
        assert_eq!(mean > 0.0, expected.guesses > 0, "{row}");
        assert_eq!(canon, canonical(puzzle).to_string());
        assert_eq!(spare, superfluous(puzzle), "{puzzle}");
        assert_eq!(is_minimal, spare.is_empty().to_string());
        minimal[usize::from(spare.is_empty())] += 1;
        methods.insert(method.to_owned());
        ratings.insert(rating.to_owned());
    }
    assert!(minimal[0] > 10 && minimal[1] > 10 && methods.len() == 3 && ratings.len() > 5);
}

#[test]
fn columns_depend_on_neither_threads_nor_kernels_nor_neighbours() {
    let lines: Vec<String> = puzzles().iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let columns = all_columns();
    let rows = |lines: &[String], others: &[&str]| -> Vec<String> {
        let args = [&["solve", "--columns", &columns], others].concat();
        sudoku(&args, lines.concat()).1.lines().map(str::to_owned).collect()
    };
    let expected = rows(&lines, &["-j1"]);
    for others in [["-j", "3"], ["--kernel", "portable"], ["--engine", "batch"]] {
        assert_eq!(rows(&lines, &others), expected, "{others:?}");
    }
    let backwards: Vec<String> = lines.iter().rev().cloned().collect();
    let mut again = rows(&backwards, &["-j2"]);
    again.reverse();
    assert_eq!(again, expected);
    for number in [0, 7, 25] {
        assert_eq!(rows(&lines[number..=number], &[])[0], expected[number]);
    }
}

#[test]
fn columns_stand_in_every_format_in_the_order_asked_for() {
    let spare = format!("4{}", &SOLUTION[1..]).replacen('4', ".", 1);
    let args = |to| ["solve", "--columns", "minimal,clues,superfluous,solution", "--to", to];
    let of = |to, puzzle: &str| sudoku(&args(to), puzzle).1;
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
    let (_, rows, err) = sudoku(&["solve", "--columns", "rating"], &csv);
    assert_eq!(rows, format!("puzzle,solution,id,rating\n{PUZZLE},mine,7,0\n"));
    assert!(err.contains("<stdin>: the column rating is replaced by the one"), "{err}");
    assert!(!err.contains("column solution"), "{err}");
    // Nobody asked whether it has a solution.
    assert!(err.contains("1 puzzle, 0 bad lines\n") && !err.contains("unique"), "{err}");
    let (_, rows, err) = sudoku(&["solve", "--columns", "count,solution"], &csv);
    assert_eq!(rows, format!("rating,puzzle,id,count,solution\n5,{PUZZLE},7,1,{SOLUTION}\n"));
    assert!(err.contains("column solution is replaced") && err.contains("1 unique"), "{err}");
}

#[test]
fn columns_that_make_no_sense_are_refused() {
    let (code, _, err) = sudoku(&["solve", "--columns", "count,clues,count"], PUZZLE);
    assert!(code == 2 && err.contains("--columns names count twice"), "{err}");
    let (code, _, err) = sudoku(&["solve", "--columns", "hardness"], PUZZLE);
    assert!(code == 2 && err.contains("superfluous"), "{err}");
    for other in ["--stats", "--solutions-only"] {
        assert_eq!(sudoku(&["solve", "--columns", "count", other], PUZZLE).0, 2);
    }
    let (code, _, err) = sudoku(&["solve", "--columns", "count,minimal"], ".".repeat(16));
    assert!(code == 1 && err.contains("the column minimal is one of 9 × 9 grids"), "{err}");
    let (code, rows, _) = sudoku(&["solve", "--columns", "count"], ".".repeat(16));
    assert_eq!((code, rows), (0, format!("{}:2\n", ".".repeat(16))));
    // Solutions are found where they are compared, whatever the columns.
    let wrong = format!("{PUZZLE},{}\n", SOLUTION.replacen("534", "543", 1));
    let args = ["solve", "--check", "--columns", "clues", "--to", "lines"];
    let (code, rows, err) = sudoku(&args, wrong);
    assert!(code == 1 && rows == format!("{PUZZLE}:30\n") && err.contains("1 wrong"), "{err}");
}
