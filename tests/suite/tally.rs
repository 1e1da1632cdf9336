//! Promise: the table of a tally says of each candidate how many solutions a count finds with it given.

use std::fs;
use std::io::{BufRead, BufReader};

use serde_json::Value;

use crate::common::cases::{between, each_case, shuffled};
use crate::common::runs::{Folder, exit_code_soon, signal};
use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::figures::grouped;
use tallyboard_base::random::Random;
use tallyboard_cover::{self as cover, Cover, Engine};
use tallyboard_queens::{Board, Square};
use tallyboard_regions as regions;
use tallyboard_search::journal::TableFile;
use tallyboard_search::{self as search, PartialTable, Stop, Table};
use tallyboard_sudoku::generate::{Generator, Requirements};
use tallyboard_sudoku::{self as sudoku, Grid};
use tallyboard_variants::{self as variants, Puzzle, Rule, Rules};

/// The cells of the table of a board with `n` × `n` squares, counted one by one.
fn squares_one_by_one(board: &Board) -> Vec<u128> {
    let n = board.n();
    let squares = (0..n * n).map(|cell| Square::from_top(cell / n, cell % n, n));
    let count = |square| {
        if board.placed().contains(&square) {
            return board.count().threads(1).run().unwrap();
        }
        board.clone().place(square).unwrap().count().threads(1).run().unwrap()
    };
    squares.map(count).collect()
}

fn queens_are_tallied_as_they_are_counted(board: &Board) {
    let solutions = board.count().threads(1).run().unwrap();
    let expected = squares_one_by_one(board);
    for kernel in Kernel::available() {
        let table = board.tally_by(kernel).unwrap().threads(2).run().unwrap();
        assert_eq!(table.solutions(), solutions, "{kernel:?}: {board:?}");
        assert_eq!(table.cells(), expected, "{kernel:?}: {board:?}");
    }
}

#[test]
fn plain_boards_of_queens_are_tallied_square_by_square() {
    (1..=9).for_each(|n| queens_are_tallied_as_they_are_counted(&Board::new(n).unwrap()));
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn larger_plain_boards_of_queens_are_tallied_square_by_square() {
    (10..=12).for_each(|n| queens_are_tallied_as_they_are_counted(&Board::new(n).unwrap()));
}

/// A board with few queens and some closed squares.
fn board_of_queens(random: &mut Random) -> Board {
    let n = between(random, 4, 10) as u32;
    let mut squares: Vec<u32> = (0..n * n).collect();
    (1..squares.len()).for_each(|at| squares.swap(at, random.below(at as u32 + 1) as usize));
    let placed = between(random, 0, 1) as usize;
    let blocked = between(random, 0, 9) as usize;
    let square = |&number: &u32| Square::new(number % n, number / n);
    let squares: Vec<Square> = squares.iter().map(square).take(placed + blocked).collect();
    Board::with(n, &squares[..placed], &squares[placed..]).unwrap()
}

#[test]
fn boards_with_queens_and_closed_squares_are_tallied_square_by_square() {
    each_case(12, |random| queens_are_tallied_as_they_are_counted(&board_of_queens(random)));
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn many_boards_with_queens_and_closed_squares_are_tallied_square_by_square() {
    each_case(200, |random| queens_are_tallied_as_they_are_counted(&board_of_queens(random)));
}

/// Fails unless cell `cell` of the table is what `count` gives with the candidate of that cell given.
fn each_number_is_a_count(table: &Table, cells: &[usize], mut count: impl FnMut(usize) -> u128) {
    for &cell in cells {
        assert_eq!(table.cells()[cell], count(cell), "cell {cell}");
    }
}

/// `most` of `count` numbers, in random order.
fn some(random: &mut Random, count: usize, most: usize) -> Vec<usize> {
    let mut numbers = shuffled(random, count);
    numbers.truncate(most);
    numbers
}

/// A minimal puzzle without some of its clues, and as many of its 729 candidates as are wanted.
fn sudoku_is_tallied_as_it_is_counted(random: &mut Random, candidates: usize) {
    let seed = between(random, 0, 1 << 40);
    let mut cells = *Generator::new(Requirements::default(), seed).unwrap().puzzle(0).cells();
    let mut clues: Vec<usize> = (0..81).filter(|&cell| cells[cell] > 0).collect();
    random.shuffle(&mut clues);
    let blanks = between(random, 0, 6) as usize;
    clues[..blanks].iter().for_each(|&cell| cells[cell] = 0);
    let grid = Grid::new(cells).unwrap();
    let table = sudoku::tally(&grid).threads(2).run().unwrap();
    assert_eq!(table.solutions(), grid.count_solutions().unwrap(), "{grid}");
    each_number_is_a_count(&table, &some(random, 729, candidates), |candidate| {
        let (cell, digit) = (candidate / 9, (candidate % 9) as u8 + 1);
        let mut cells = cells;
        if cells[cell] != 0 && cells[cell] != digit {
            return 0;
        }
        cells[cell] = digit;
        Grid::new(cells).unwrap().count_solutions().unwrap()
    });
}

#[test]
fn sudokus_are_tallied_candidate_by_candidate() {
    each_case(3, |random| sudoku_is_tallied_as_it_is_counted(random, 40));
}

#[test]
#[ignore = "takes a minute with optimisation"]
fn many_sudokus_are_tallied_candidate_by_candidate() {
    each_case(60, |random| sudoku_is_tallied_as_it_is_counted(random, 20));
}

/// A cover of few items, some of them optional, secondary, with colours or covered twice.
fn random_cover(random: &mut Random) -> Cover {
    let mut cover = Cover::new();
    let mut are_coloured = Vec::new();
    let names: Vec<String> = (0..between(random, 3, 8)).map(|item| format!("i{item}")).collect();
    for (number, name) in names.iter().enumerate() {
        let kind = if number == 0 { 0 } else { between(random, 0, 6) };
        let added = match kind {
            0..=2 => cover.primary([name]),
            3 => cover.between(name, 0, 1),
            4 => cover.between(name, 1, 2),
            _ => cover.secondary([name]),
        };
        added.unwrap();
        are_coloured.push(kind == 6);
    }
    for _ in 0..between(random, 4, 24) {
        let size = between(random, 1, 3) as usize;
        let items = some(random, names.len(), size);
        let named = items.into_iter().map(|item| match are_coloured[item] {
            true => format!("{}:{}", names[item], between(random, 0, 2)),
            false => names[item].clone(),
        });
        cover.option(named.collect::<Vec<_>>()).unwrap();
    }
    cover
}

/// By every engine, against the list of all covers.
fn cover_is_tallied_as_it_is_listed(random: &mut Random) {
    let cover = random_cover(random);
    let mut solutions = 0;
    let mut uses = vec![0_u128; cover.len()];
    for chosen in tallyboard_cover::Solutions::new(&cover) {
        solutions += 1;
        chosen.iter().for_each(|&option| uses[option as usize] += 1);
    }
    let best = cover::tally(&cover).unwrap();
    let named = [Engine::Frontier, Engine::Masks, Engine::Sets]
        .map(|engine| cover::tally_by(&cover, engine));
    for run in named.into_iter().filter_map(Result::ok).chain([best]) {
        let table = run.threads(2).run().unwrap();
        assert_eq!((table.solutions(), table.cells()), (solutions, &uses[..]));
    }
}

#[test]
fn covers_are_tallied_option_by_option() {
    each_case(100, cover_is_tallied_as_it_is_listed);
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn many_covers_are_tallied_option_by_option() {
    each_case(2000, cover_is_tallied_as_it_is_listed);
}

/// A board whose regions are bands of rows and columns, with closed cells.
fn board_of_regions(random: &mut Random) -> regions::Board {
    let size = between(random, 4, 7) as u32;
    let rows = between(random, 1, u64::from(size) - 1) as u32;
    // The first rows are regions; below them columns are, the last of which takes what is left.
    let region = |cell: u32| match cell / size {
        row if row < rows => row,
        _ => rows + (cell % size).min(size - rows - 1),
    };
    let labels: Vec<u32> = (0..size * size).map(region).collect();
    let mut board = regions::Board::new(&labels, 1).unwrap();
    for cell in some(random, (size * size) as usize, 3) {
        board = board.block(cell / size as usize, cell % size as usize).unwrap();
    }
    board
}

fn regions_are_tallied_as_they_are_counted(random: &mut Random) {
    let board = board_of_regions(random);
    let size = board.size();
    let count = |board: &regions::Board| search::count(&regions::Count::new(board)).unwrap();
    let all: Vec<usize> = (0..size * size).collect();
    for instructions in Instructions::all() {
        let table = regions::tally_by(&board, instructions).threads(2).run().unwrap();
        assert_eq!(table.solutions(), count(&board), "{board:?}");
        each_number_is_a_count(&table, &all, |cell| {
            let given = board.clone().give(cell / size, cell % size);
            given.map_or(0, |board| count(&board))
        });
    }
}

#[test]
fn regions_are_tallied_cell_by_cell() {
    each_case(10, regions_are_tallied_as_they_are_counted);
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn many_boards_of_regions_are_tallied_cell_by_cell() {
    each_case(60, regions_are_tallied_as_they_are_counted);
}

/// A grid of 6 × 6 cells with diagonals and some givens.
fn variant_is_tallied_as_it_is_counted(random: &mut Random) {
    let mut rules = Rules::new(6).unwrap();
    for rule in [Rule::FallingDiagonal, Rule::RisingDiagonal] {
        if between(random, 0, 1) == 1 {
            rules = rules.with(rule).unwrap();
        }
    }
    let mut puzzle = Puzzle::new(rules);
    let solution = puzzle.solutions().nth(between(random, 0, 200) as usize).unwrap();
    for cell in some(random, 36, 12) {
        puzzle.give(puzzle.size().cell(cell), solution[cell]).unwrap();
    }
    let count = |puzzle: &Puzzle| search::count(&variants::Count::new(puzzle)).unwrap();
    let table = puzzle.tally().threads(2).run().unwrap();
    assert_eq!(table.solutions(), count(&puzzle), "{}", puzzle.line());
    each_number_is_a_count(&table, &some(random, 216, 20), |candidate| {
        let (cell, value) = (candidate / 6, (candidate % 6) as u8 + 1);
        let mut given = puzzle.clone();
        if puzzle.givens()[cell] != 0 && puzzle.givens()[cell] != value {
            return 0;
        }
        given.give(puzzle.size().cell(cell), value).map_or(0, |()| count(&given))
    });
}

#[test]
fn variants_are_tallied_candidate_by_candidate() {
    each_case(5, variant_is_tallied_as_it_is_counted);
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn many_variants_are_tallied_candidate_by_candidate() {
    each_case(200, variant_is_tallied_as_it_is_counted);
}

/// A puzzle of f-puzzles without rules: a value for each cell of a grid of 4 × 4, 0 for none.
fn f_puzzle(values: [u8; 16]) -> String {
    let cell = |value: u8| if value == 0 { "{}".into() } else { format!("{{\"value\":{value}}}") };
    let row =
        |row: &[u8]| format!("[{}]", row.iter().copied().map(cell).collect::<Vec<_>>().join(","));
    let rows: Vec<String> = values.chunks(4).map(row).collect();
    format!("{{\"size\":4,\"grid\":[{}]}}", rows.join(","))
}

/// Files of many, for each game: what stands before the first puzzle, and the puzzles, of which an empty text is a bad record.
fn files_of_many() -> Vec<(&'static str, String, Vec<String>)> {
    let sudoku =
        "53..7....6..1......98......8...6...34....3..17...2...6.6....28....419..5....8..79\n";
    let unique = sudoku.replace("6..1......98......8", "6..195....98....6.8");
    let sudokus = vec![sudoku.to_owned(), String::new(), unique, sudoku.replacen('5', "3", 1)];
    let variants = vec![
        "size 4\ncage 5 r1c1 r1c2\ngivens\n1...\n....\n\n# note\n....\n....\n".to_owned(),
        "size 4\nwhat r1c1\n".to_owned(),
        "size 3\nregions\n123\n123\n123\n".to_owned(),
    ];
    let mut values = [0; 16];
    let one = f_puzzle(values) + "\n";
    values[5] = 3;
    let imported = vec![one, String::new(), f_puzzle(values) + "\n"];
    let boards = vec!["AAAABBBBCCCCDDDD\n".to_owned(), String::new(), "ABCDABCDABCDABCD\n".into()];
    let cover = "a b c\na\nb c\nb\nc\n".to_owned();
    vec![
        ("sudoku", "# note\n".to_owned(), sudokus),
        ("variant", "# note\n\n".to_owned(), variants),
        ("variant", "# note\n".to_owned(), imported),
        ("regions", String::new(), boards),
        ("cover", String::new(), vec![cover]),
    ]
}

#[test]
fn files_of_many_puzzles_give_the_table_of_each_in_order() {
    for (game, head, puzzles) in files_of_many() {
        let here = Folder::new();
        let bad = |puzzle: &String| puzzle.is_empty() || puzzle.contains("what");
        let text =
            |puzzle: &String| if puzzle.is_empty() { "what\n".into() } else { puzzle.clone() };
        let texts: Vec<String> = puzzles.iter().map(text).collect();
        here.write("many", head.clone() + &texts.concat());
        let code = i32::from(puzzles.iter().any(bad));
        let words = format!("{game} tally many --to jsonl");
        let (ending, rows, errors) = here.told(&words);
        assert_eq!(ending, code, "{game}: {errors}");
        for words in [format!("-j1 {words}"), format!("tally many --to jsonl --as {game}")] {
            assert_eq!(here.told(&words).1, rows, "{words}");
        }
        let mut line = 1 + head.matches('\n').count();
        let documents = rows.lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        let documents: Vec<Value> = documents.collect();
        assert_eq!(documents.len(), puzzles.len(), "{game}: {rows}");
        for ((puzzle, text), row) in puzzles.iter().zip(&texts).zip(documents) {
            if bad(puzzle) {
                assert!(row["bad"].as_str().unwrap().contains("what"), "{game}: {row}");
                let place = line + text.lines().position(|line| line.contains("what")).unwrap();
                assert!(errors.contains(&format!("many:{place}: ")), "{game}: {errors}");
            } else {
                here.write("one", text);
                let one = here.json(&format!("-q {game} tally one --json"));
                for member in ["solutions", "table", "columns", "at_least", "names"] {
                    assert_eq!(row[member], one[member], "{game}: {row}");
                }
                assert_eq!(row["line"], line, "{game}: {row}");
            }
            line += text.matches('\n').count();
        }
    }
}

#[test]
fn tables_of_many_puzzles_are_cut_by_a_limit() {
    let here = Folder::new();
    let boards = "AAAABBBBCCCCDDDD\nABCDABCDABCDABCD\n".repeat(70);
    let (code, _, errors) =
        here.feed("tally --as regions --to jsonl --limit 1 -o rows.jsonl", &boards);
    let summary =
        "140 puzzles: 0 unique, 0 without a solution, 140 with more than one, 0 bad lines";
    assert_eq!(code, 0);
    assert!(errors.contains(summary), "{errors}");
    for (row, board) in here.read("rows.jsonl").lines().zip(boards.lines()) {
        let row: Value = serde_json::from_str(row).unwrap();
        assert_eq!((&row["solutions"], &row["at_least"]), (&1.into(), &true.into()));
        assert_eq!(row["regions"], board);
    }
}

/// A puzzle of which there is no table is marked as what is no puzzle, and the next one is read.
#[test]
fn puzzles_without_a_table_are_marked_in_their_places() {
    let here = Folder::new();
    here.write("p", format!("{}\n", ".".repeat(16)).repeat(2));
    let (code, rows, errors) = here.told("sudoku tally p --to jsonl");
    assert_eq!((code, rows.lines().count()), (1, 2), "{errors}");
    assert!(rows.starts_with("{\"bad\":\"................\",\"error\":\"found another size"));
    assert!(errors.contains("p:2: found another size, 4 × 4, expected one 9 × 9 puzzle"));
}

/// A count that does not fit into 128 bits has no table: its row says so, and the run fails.
#[test]
fn a_count_beyond_128_bits_has_no_table() {
    let here = Folder::new();
    let items: Vec<String> = (0..130).map(|item| format!("i{item}")).collect();
    let options: String = items.iter().map(|item| format!("{item}\n{item}\n")).collect();
    here.write("large", format!("{}\n{options}", items.join(" ")));
    let (code, rows, errors) = here.told("cover tally large --to jsonl");
    assert_eq!(code, 1, "{errors}");
    let row: Value = serde_json::from_str(&rows).unwrap();
    assert!(row["error"].as_str().unwrap().contains("more than 2^128"), "{rows}");
    assert!(errors.contains("more than 2^128") && errors.contains("0 unique"), "{errors}");
}

/// The boards of a newspaper's day may all begin in one line: their numbers and names tell them apart.
#[test]
fn puzzles_of_one_line_are_told_apart() {
    let here = Folder::new();
    let board = "{\"dominoes\":[[0,1]],\"regions\":[{\"indices\":[[0,0],[0,1]],\"type\":\"sum\",\"target\":1}]}";
    let bad = board.replace("sum", "what");
    here.write("day", format!("{{\"easy\":{board},\"medium\":{bad},\"hard\":{board}}}\n"));
    let (code, rows, errors) = here.told("tally day --to jsonl");
    assert_eq!(code, 1, "{errors}");
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    for (row, (number, name, solutions)) in [(&rows[0], (1, "easy", 2)), (&rows[2], (3, "hard", 2))]
    {
        let found = (&row["number"], &row["name"], &row["solutions"]);
        assert_eq!(found, (&number.into(), &name.into(), &solutions.into()), "{row}");
    }
    assert!(
        rows[1]["error"].as_str().unwrap().starts_with("problem 2 (medium): found"),
        "{}",
        rows[1]
    );
    assert!(errors.contains("day:1: problem 2 (medium): found a region of type"), "{errors}");
}

/// A limit that leaves no solution out cuts nothing; one less does, and everything that is written says so.
#[test]
fn a_limit_is_told_where_it_cuts() {
    for (words, input) in [
        ("queens tally 5", ""),
        ("sudoku tally f", THOUSANDS),
        ("cover tally f", "a b c d e\na b\nc d\na c\nb d\na d\nb c\ne\n"),
        ("regions tally f", "AABB\nAABB\nCCDD\nCCDD\n"),
        ("variant tally f", "size 4\n"),
    ] {
        let here = Folder::new();
        here.write("f", input);
        let all = here.json(&format!("-q {words} --json"))["solutions"].as_u64().unwrap();
        for limit in [all - 1, all, all + 1] {
            let is_cut = limit < all;
            let words = format!("{words} --limit {limit} --json");
            let (code, text, said) = here.told(&words);
            let document: Value = serde_json::from_str(&text).unwrap();
            let expected = (0, &Value::from(limit.min(all)), &Value::from(is_cut));
            assert_eq!((code, &document["solutions"], &document["at_least"]), expected, "{words}");
            let number = grouped(u128::from(limit.min(all)));
            assert!(said.contains(&format!("{number} solution")), "{words}: {said}");
            assert_eq!(said.contains("at least"), is_cut, "{words}: {said}");
        }
    }
}

/// Names of covers are any text: a row has as many cells as the head.
#[test]
fn names_with_commas_and_quotes_are_cells_of_their_own() {
    let here = Folder::new();
    here.write("f", "a,b c\"q | d,e\na,b\nc\"q\nc\"q d,e\na,b c\"q\n");
    let rows = here.succeed("-q cover tally f --csv");
    assert_eq!(
        rows,
        "option,solutions\n\"a,b\",2\n\"c\"\"q\",1\n\"c\"\"q d,e\",1\n\"a,b c\"\"q\",1\n"
    );
    assert_eq!(
        here.succeed("-q cover tally f --csv --uncovered"),
        "uncovered,solutions\n,1\n\"d,e\",2\n"
    );
}

/// What an interrupted run says of its file holds for what earlier runs saved, too.
#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_run_counts_what_was_saved_before() {
    let here = Folder::new();
    here.write("f", "size 9\n");
    let run = Puzzle::new(Rules::new(9).unwrap()).tally();
    let (problem, path) = (run.problem(), here.at("j"));
    // Nobody waits for a subtree of the empty grid: these three have no solution as far as the file says.
    let made = PartialTable { finished: vec![0, 1, 2], table: Table::new(problem.cells()) };
    TableFile::new(&path, problem).unwrap().write(&made).unwrap();
    let mut child = here.start("variant tally f --journal j --resume");
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("going on from 3 finished subtrees"), "{line}");
    signal(&child, "INT");
    let rest = std::io::read_to_string(said).unwrap();
    assert_eq!(exit_code_soon(&mut child), Some(130), "{rest}");
    let expected = format!("interrupted; 3 of {} subtrees saved in j", problem.subtrees());
    assert!(rest.contains(&expected), "{rest}");
}

#[test]
fn the_picture_of_a_tally_shows_values_of_all_solutions_and_shades_of_others() {
    let here = Folder::new();
    let puzzle =
        ".3.......6..195.....8....6.....6...34..8.3..17...2...6.6....28.....19..5....8..79";
    here.write("puzzle.txt", format!("{puzzle}\n"));
    let rows = here.succeed("-q sudoku tally puzzle.txt --csv --svg tally.svg -o rows.csv");
    assert_eq!(rows, "");
    let picture = here.read("tally.svg");
    let numbers: Vec<String> = here
        .read("rows.csv")
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next().unwrap().into())
        .collect();
    let of_all = numbers.iter().filter(|number| **number == "7").count();
    let of_some = numbers.iter().filter(|number| !["0", "7"].contains(&&***number)).count();
    assert_eq!(picture.matches("font-weight=\"bold\"").count(), of_all);
    assert_eq!(picture.matches("fill-opacity").count(), of_some);
}

/// A sudoku with 12,462 solutions.
const THOUSANDS: &str =
    ".7...1....5.8.2.......3.....6..9.4.........8.......3...465....3..7.4.2.1...9.....";

/// A table that was saved when some subtrees were finished is gone on with to the table of a run of its own.
#[test]
fn a_saved_table_is_gone_on_with() {
    let board = Board::new(9).unwrap().place("c4").unwrap();
    let grid: Grid = THOUSANDS.parse().unwrap();
    let (text, rows) = ("a b c d e\na b\nc d\na c\nb d\na d\nb c\ne\n", "AABB\nAABB\nCCDD\nCCDD\n");
    let cover = cover::format::read(text.as_bytes(), "f").unwrap().cover().clone();
    let regions =
        regions::Board::new(&[0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3], 1).unwrap();
    let runs = [
        ("queens tally 9 --place c4", "", board.tally()),
        ("sudoku tally f", THOUSANDS, sudoku::tally(&grid)),
        ("cover tally f", text, cover::tally(&cover).unwrap()),
        ("regions tally f", rows, regions::tally(&regions)),
        ("variant tally f", "size 4\n", Puzzle::new(Rules::new(4).unwrap()).tally()),
    ];
    for (words, input, run) in runs {
        let folder = Folder::new();
        fs::write(folder.at("f"), input).unwrap();
        let (_, expected, _) = folder.told(words);
        assert!(!expected.is_empty(), "{words}");
        let saved = format!("{words} --journal j");
        // One subtree, then all of them.
        let (problem, path) = (run.problem(), folder.at("j"));
        let table = problem.tabulate(0, &Stop::new()).unwrap();
        let solutions = table.solutions();
        let save = |table: Table| {
            let mut file = TableFile::new(&path, problem).unwrap();
            file.write(&PartialTable { finished: vec![0], table }).unwrap();
        };
        save(table);
        let (code, shown, _) = folder.told("show j");
        assert!(code == 0 && shown.contains("\n1 of "), "{words}: {shown}");
        assert!(shown.contains(&format!("\n{} ", grouped(solutions))), "{words}: {shown}");
        let (code, found, errors) = folder.told(&saved);
        assert!(code == 1 && found.is_empty() && errors.contains("--resume"), "{words}: {errors}");
        for _ in 0..2 {
            let (code, found, errors) = folder.told(&format!("{saved} --resume"));
            assert_eq!((code, &found), (0, &expected), "{words}: {errors}");
        }
        let file = TableFile::new(&path, problem).unwrap();
        assert_eq!(file.read().unwrap().unwrap().finished.len(), problem.subtrees(), "{words}");
        drop(file);
        // What was saved is of use: a wrong number that is sealed comes out.
        let table = Table::of_numbers(
            solutions + 1,
            problem.tabulate(0, &Stop::new()).unwrap().cells().to_vec(),
        );
        save(table);
        let (code, _, errors) = folder.told(&format!("{saved} --resume"));
        assert!(code != 0 && errors.contains("add up"), "{words}: {errors}");
    }
    let folder = Folder::new();
    folder.told("queens tally 6 --journal j");
    let (code, _, errors) = folder.told("queens tally 7 --journal j --resume");
    assert!(code == 1 && errors.contains("n is 6 there and 7 here"), "{errors}");
}

/// Hours of work would be lost at their first saving.
#[test]
fn a_table_that_cannot_be_saved_is_told_before_the_work() {
    let folder = Folder::new();
    let (code, _, errors) = folder.told("queens tally 32 --journal no-folder/j");
    assert!(code == 1 && errors.contains("no-folder/j"), "{errors}");
    let (code, _, errors) = folder.told("show j --csv");
    assert!(code == 1 && errors.contains("No such file"), "{errors}");
    folder.told("queens tally 6 --journal j");
    let (code, _, errors) = folder.told("show j --csv");
    assert!(code == 1 && errors.contains("a table has no subtotals"), "{errors}");
    let (code, _, errors) = folder.told("queens count 6 --journal j --resume");
    assert!(code == 1 && errors.contains("found the table of a tally"), "{errors}");
}

/// Each would put its own table in place of the other's.
#[test]
fn two_tallies_do_not_save_in_one_file() {
    let folder = Folder::new();
    let mut first = folder.start("queens tally 32 -j 1 --journal j");
    let is_begun = || fs::read(folder.at("j")).is_ok_and(|saved| !saved.is_empty());
    while !is_begun() && first.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    for words in ["", " --resume"] {
        let (code, _, errors) = folder.told(&format!("queens tally 6 --journal j{words}"));
        assert!(code == 1 && errors.contains("another process is writing it"), "{errors}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let (code, shown, _) = folder.told("show j");
    assert!(code == 0 && shown.contains("\n0 of "), "{shown}");
}
