//! The forms that solvers have for Latin squares, cages and jigsaws.

use tallyboard_variants::internals::{KINDS, Kind};

/// The Latin squares of side 4 that a condition allows.
fn squares(allows: impl Fn(&[[u32; 4]]) -> bool) -> Vec<String> {
    let is_row = |row: &[u32; 4]| (1..=4).all(|value| row.contains(&value));
    let rows = (0..256_u32).map(|n| [n / 64 + 1, n / 16 % 4 + 1, n / 4 % 4 + 1, n % 4 + 1]);
    let rows: Vec<[u32; 4]> = rows.filter(is_row).collect();
    let mut found = vec![Vec::new()];
    for _ in 0..4 {
        let fits = |above: &Vec<[u32; 4]>, row: &[u32; 4]| {
            above.iter().all(|other| (0..4).all(|column| other[column] != row[column]))
        };
        let with = |above: &Vec<[u32; 4]>| {
            let rows: Vec<_> = rows.iter().filter(|row| fits(above, row)).collect();
            rows.into_iter().map(|row| [&above[..], &[*row]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(with).collect();
    }
    assert_eq!(found.len(), 576);
    let mut texts: Vec<String> = found
        .into_iter()
        .filter(|square| allows(square))
        .map(|square| square.concat().iter().map(u32::to_string).collect())
        .collect();
    texts.sort();
    texts
}

/// The solutions of a text, in order.
fn solutions(text: &str) -> Vec<String> {
    let puzzle = tallyboard_variants::read(text.as_bytes(), "file")
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut texts: Vec<String> = puzzle
        .solutions()
        .map(|values| tallyboard_variants::line(puzzle.size(), &values))
        .collect();
    texts.sort();
    texts
}

fn of_game(game: &str) -> impl Iterator<Item = &'static Kind> {
    let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| kind.name.starts_with(game)).collect();
    assert!(!kinds.is_empty());
    kinds.into_iter()
}

fn seen(values: [u32; 4]) -> usize {
    (0..4).filter(|&at| values[..at].iter().all(|before| *before < values[at])).count()
}

#[test]
fn all_examples_of_a_game_have_the_solutions_that_its_rules_allow() {
    let futoshiki = squares(|s| {
        s[0][0] < s[0][1]
            && s[0][2] < s[0][3]
            && s[1][1] > s[2][1]
            && s[2][2] > s[2][3]
            && s[1][0] == 3
    });
    let kenken = squares(|s| {
        let quotient = |a: u32, b: u32, value| a == value * b || b == value * a;
        s[0][0] * s[0][1] * s[1][0] == 6
            && s[0][2].abs_diff(s[0][3]) == 1
            && quotient(s[1][1], s[2][1], 4)
            && s[1][2] + s[1][3] + s[2][3] == 6
            && quotient(s[2][0], s[3][0], 2)
            && s[2][2] == 4
            && s[3][1] + s[3][2] + s[3][3] == 6
    });
    let skyscrapers = squares(|s| {
        let column = |column: usize| [0, 1, 2, 3].map(|row| s[row][column]);
        let back = |mut values: [u32; 4]| {
            values.reverse();
            seen(values)
        };
        seen(column(0)) == 3
            && seen(s[0]) == 4
            && back(s[1]) == 2
            && back(column(2)) == 2
            && back(column(3)) == 3
    });
    let regions = [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];
    let jigsaw = squares(|s| {
        let cells = s.concat();
        let of =
            |region| (0..16).filter(move |&cell| regions[cell] == region).map(|cell| cells[cell]);
        s[0][0] == 1
            && s[2][3] == 3
            && s[3][0] == 3
            && (0..4).all(|region| (1..=4).all(|value| of(region).any(|found| found == value)))
    });
    let latin = squares(|s| s[0][0] == 1 && s[1][2] == 1 && s[2][3] == 3);
    for (game, expected) in [
        ("futoshiki", futoshiki),
        ("KenKen", kenken),
        ("skyscrapers", skyscrapers),
        ("jigsaw", jigsaw),
        ("Latin square", latin),
    ] {
        assert!(!expected.is_empty(), "{game}");
        for Kind { name, example, .. } in of_game(game) {
            assert_eq!(solutions(example), expected, "{name}");
            assert!(tallyboard_variants::is_of_another_program(example.as_bytes()), "{name}");
            let windows = format!("\u{feff}{}\n", example).replace('\n', "\r\n");
            assert_eq!(solutions(&windows), expected, "{name}");
        }
    }
}

#[test]
fn other_spellings_of_the_same_puzzles_are_read() {
    let first = |game: &str| of_game(game).next().unwrap().example;
    let grids = first("futoshiki");
    let below = grids.split_once('\n').unwrap().1.replace(',', " ");
    let (rows, signs) = below.split_at(4 * 8);
    let across = signs.lines().take(4).map(|line| line.replace("-1", ">").replace('1', "<"));
    let down = signs.lines().skip(4).map(|line| line.replace("-1", "v").replace('1', "^"));
    let with_signs = format!(
        "{rows}\n{}\n\n{}\n",
        across.collect::<Vec<_>>().join("\n"),
        down.collect::<Vec<_>>().join("\n")
    );
    let picture = "4\n0<0 0<0\n....\n3 0 0 0\n.v..\n0 0 0>0\n....\n0 0 0 0\n";
    let wide = "_ < _   _ < _\n\n3   _   _   _\n    v\n_   _   _ > _\n\n_   _   _   _\n";
    let commas = ",<,,,,<,\n,,,,,,\n3,,,,,,\n,,>,,,,\n,,,,,>,\n,,,,,,\n,,,,,,\n";
    let pairs = of_game("futoshiki").nth(2).unwrap().example;
    let lines: Vec<&str> = pairs.lines().collect();
    let above = format!("1\n{}\n{}\n{}\n", lines[0], lines[5..].join("\n"), lines[1..5].join("\n"));
    for text in [&with_signs, picture, wide, commas, &above] {
        assert_eq!(solutions(text), solutions(grids), "{text}");
    }
    let kenken = first("KenKen");
    let (picture, clues) = kenken.split_once("\n\n").unwrap();
    let above = format!(
        "{}\n{}\n",
        clues.replace(": ", "="),
        picture.replace("", " ").replace('F', "4").replace("\n ", "\n")
    );
    let above = above.replace("F=4 ", "");
    let swapped = of_game("KenKen").nth(6).unwrap().example;
    // The cages in reading order show that the first number is the column.
    let swap = |text: &str| {
        let mut text = text.to_owned();
        for (row, column) in (0..4).flat_map(|row| (0..4).map(move |column| (row, column))) {
            text = text.replace(&format!("[{row}, {column}]"), &format!("<{column}, {row}>"));
        }
        text.replace('<', "[").replace('>', "]")
    };
    let list = of_game("KenKen").nth(3).unwrap().example;
    let bars = list.replace("[(", "").replace(")]", " ").replace("),(", "|");
    let blocks = list.lines().skip(1).map(|line| {
        let (cells, clue) = line.split_once(' ').unwrap();
        format!("{clue}\n{}\n", cells.trim_matches(['[', ']']).replace("),(", ")\n("))
    });
    let blocks = blocks.collect::<Vec<_>>().join("\n");
    for text in [&above, &swap(swapped), &bars, &blocks] {
        assert_eq!(solutions(text), solutions(kenken), "{text}");
    }
}

#[test]
fn the_data_of_a_minizinc_model_with_boxes_are_a_sudoku() {
    let rows = "0, 2, 0, 0 |\n0, 0, 0, 1 |\n0, 0, 4, 0 |\n3, 0, 0, 0 |";
    let sudoku =
        tallyboard_variants::read(b"size 4\ngivens\n.2..\n...1\n..4.\n3...\n", "").unwrap();
    for text in
        [format!("S = 2;\nstart = [|\n{rows}];"), format!("% a remark\nn=2;\npuzzle=[|{rows}];\n")]
    {
        assert_eq!(tallyboard_variants::read(text.as_bytes(), "").unwrap(), sudoku, "{text}");
    }
    // The order of the items means nothing, and two of one name are no data.
    let of =
        |sizes: &str| tallyboard_variants::read(format!("{sizes}start=[|{rows}];").as_bytes(), "");
    assert_eq!([of("N=4;n=2;").unwrap(), of("n=2;N=4;").unwrap()], [sudoku.clone(), sudoku]);
    let latin =
        tallyboard_variants::read(b"size 4\nregions none\ngivens\n.2..\n...1\n..4.\n3...\n", "");
    assert_eq!(
        [of("N=4;").unwrap(), of("n=4;").unwrap()],
        [latin.clone().unwrap(), latin.unwrap()]
    );
    for sizes in ["N=4;N=4;", "S=2;s=2;", "N=4;n=3;", ""] {
        assert!(of(sizes).is_err(), "{sizes}");
    }
}

/// Cages by columns, whose cells say what is the row or are numbers in reading order.
#[test]
fn cages_by_columns_stay_where_their_cells_say_that_they_are() {
    let text = "size 3\nregions none\nsum 4 r1c1 r2c1\nsum 2 r3c1\nsum 6 r1c2 r2c2 r3c2\nsum 6 r1c3 r2c3 r3c3\n";
    let expected = solutions(text);
    assert_eq!(expected.len(), 4);
    let cell = |row: usize, column: usize| format!("{{\"row\":{row},\"col\":{column}}}");
    let column = |column| [0, 1, 2].map(|row| cell(row, column)).join(",");
    let json = format!(
        "{{\"size\":3,\"title\":\"by columns\",\"solved\":false,\"cages\":[\
         {{\"op\":\"+\",\"value\":4,\"cells\":[{},{}]}},{{\"op\":\"+\",\"value\":2,\"cells\":[{}]}},\
         {{\"op\":\"+\",\"value\":6,\"cells\":[{}]}},{{\"op\":\"+\",\"value\":6,\"cells\":[{}]}}]}}",
        cell(0, 0),
        cell(1, 0),
        cell(2, 0),
        column(1),
        column(2)
    );
    let names = "+4 r1c1 r2c1\n+2 r3c1\n+6 r1c2 r2c2 r3c2\n+6 r1c3 r2c3 r3c3\n";
    let numbers = "+ 4 1 4\n+ 2 7\n+ 6 2 5 8\n+ 6 3 6 9\n";
    for text in [&json, names, numbers] {
        assert_eq!(solutions(text), expected, "{text}");
    }
    // Of two numbers in brackets the first may be either: beside givens that is no puzzle yet.
    let pairs = "[[4, \"+\", [[0,0],[1,0]]], [2, \"+\", [[2,0]]], [6, \"+\", [[0,1],[1,1],[2,1]]], [6, \"+\", [[0,2],[1,2],[2,2]]]]";
    assert_eq!(solutions(pairs).len(), 4);
    let beside = |givens: &str| {
        tallyboard_variants::read(
            format!("{{\"size\":3,\"grid\":{givens},\"cages\":{pairs}}}").as_bytes(),
            "",
        )
    };
    assert!(beside("[[0,0,0],[0,0,0],[0,0,0]]").is_ok());
    let error = beside("[[0,1,0],[0,0,0],[0,0,0]]").unwrap_err().to_string();
    assert!(error.contains("cells such as r1c2"), "{error}");
}

#[test]
fn what_may_be_a_rule_beside_cages_is_named() {
    let cage = |row: usize| {
        let cells = [0, 1, 2].map(|column| format!("[{row},{column}]")).join(",");
        format!("{{\"op\":\"+\",\"value\":6,\"cells\":[{cells}]}}")
    };
    let cages = [0, 1, 2].map(cage).join(",");
    let read = |more: &str| {
        tallyboard_variants::read(
            format!("{{\"size\":3,{more}\"cages\":[{cages}]}}").as_bytes(),
            "f",
        )
    };
    for more in ["", "\"puzzle_id\":7,\"type\":\"KenKen\",", "\"diagonal\":false,\"rows\":3,"] {
        assert!(read(more).is_ok(), "{more}");
    }
    for more in ["\"antiknight\":true,", "\"type\":\"anti-king\",", "\"minimum_value\":0,"] {
        let error = read(more).unwrap_err().to_string();
        let name = more.split(':').next().unwrap();
        assert!(error.contains(name), "{error}");
    }
    let both = format!("[{}]", cages.replace("\"op\"", "\"target\":5,\"op\""));
    assert!(tallyboard_variants::read(both.as_bytes(), "f").is_err());
}

/// Lists and signs of futoshiki, which begin as cages may.
#[test]
fn futoshiki_are_no_cages_and_their_givens_are_cells_with_one_value() {
    let list = |givens: &str| format!("3\n{givens}1\n1 1 1 2\n");
    let read = |text: &str| tallyboard_variants::read(text.as_bytes(), "f");
    let more = "size 3\nregions none\ngivens\n..3\n...\n...\nthermometer r1c2 r1c1\n";
    assert_eq!(solutions(&list("1\n1 3 3\n")), solutions(more));
    for givens in ["1\n1 4 2\n", "1\n4 1 2\n", "1\n1 1 4\n", "1\n0 1 1\n", "2\n1 1 2\n1 1 3\n"] {
        assert!(read(&list(givens)).is_err(), "{givens}");
    }
    let long = "4\n2\n3 1 3\n4 1 4\n5\n3 1 2 1\n4 1 3 1\n3 2 3 3\n3 2 4 2\n2 3 2 2\n";
    assert!(read(long).is_ok());
    let rows = |row: &str, count: usize| format!("{row}\n").repeat(count);
    let grids = rows("0 0 0 0", 4) + &rows("0 0 0", 4) + "0 0 0 0\n0 1 0 -1\n1 0 0 1\n";
    let signs = "size 4\nregions none\nthermometer r2c2 r3c2\nthermometer r3c4 r2c4\nthermometer r3c1 r4c1\nthermometer r3c4 r4c4\n";
    assert_eq!(solutions(&grids), solutions(signs));
}

#[test]
fn a_product_may_have_more_cells_than_a_row() {
    let text =
        "[(0,0),(0,1),(1,0),(2,0)] mult 12\n[(1,1),(1,2),(0,2)] add 7\n[(2,1),(2,2)] sub 1\n";
    let all = "size 3\nregions none\n";
    let of = |line: &str| line.chars().map(|c| c.to_digit(10).unwrap()).collect::<Vec<_>>();
    let holds = |line: &String| {
        let v = of(line);
        v[0] * v[1] * v[3] * v[6] == 12 && v[4] + v[5] + v[2] == 7 && v[7].abs_diff(v[8]) == 1
    };
    let expected: Vec<String> = solutions(all).into_iter().filter(holds).collect();
    assert!(!expected.is_empty());
    assert_eq!(solutions(text), expected);
}

/// A full sudoku.
const SOLVED: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

#[test]
fn sums_alone_are_a_killer_in_every_form() {
    let value = |row: usize, column: usize| u32::from(SOLVED.as_bytes()[9 * row + column] - b'0');
    let cages: Vec<(usize, usize)> =
        (0..9).flat_map(|row| [0, 3, 6].map(|column| (row, column))).collect();
    let list = |line: &dyn Fn(u32, [(usize, usize); 3]) -> String| -> String {
        let cage = |&(row, column): &(usize, usize)| {
            let cells = [0, 1, 2].map(|more| (row, column + more));
            line(cells.iter().map(|cell| value(cell.0, cell.1)).sum(), cells)
        };
        cages.iter().map(cage).collect::<Vec<_>>().join("\n")
    };
    let written = list(&|sum, [a, b, c]| {
        let name = |(row, column): (usize, usize)| format!("r{}c{}", row + 1, column + 1);
        format!("cage {sum} {} {} {}", name(a), name(b), name(c))
    });
    let last = list(&|sum, [a, b, c]| {
        format!("{},{},{},{},{},{},{sum}", a.0 + 1, a.1 + 1, b.0 + 1, b.1 + 1, c.0 + 1, c.1 + 1)
    });
    let prolog = list(&|sum, [a, b, c]| {
        let name = |(row, column): (usize, usize)| format!("({},{})", row + 1, column + 1);
        format!("cage({sum}, [{},{},{}]).", name(a), name(b), name(c))
    });
    let prolog = format!("% a remark\n{}\n{prolog}\n", ["000000000"; 9].join("\n"));
    let json =
        list(&|sum, [a, b, c]| format!("{{\"first\":{sum},\"second\":[{a:?},{b:?},{c:?}]}},"));
    let json = json.replace('(', "{\"first\":").replace(", ", ",\"second\":").replace(')', "}");
    let grid = format!("[{}]", ["[0,0,0,0,0,0,0,0,0]"; 9].join(","));
    let json = format!("{{\"cages\":[{}],\"grid\":{grid}}}", json.trim_end_matches(','));
    let numbers = list(&|sum, cells| {
        format!("{sum} 3 {}", cells.map(|(row, column)| (9 * row + column).to_string()).join(" "))
    });
    let numbers = format!("27\n{numbers}\n");
    let bracketed = list(&|sum, cells| {
        format!(
            "{sum}:{}",
            cells.map(|(row, column)| format!("[{}]", 9 * row + column + 1)).concat()
        )
    });
    let signs = list(&|sum, [a, ..]| format!("{sum} < <{}", if a.1 == 6 { "" } else { " |" }));
    let signs = signs.replace("|\n", "");
    let expected = tallyboard_variants::read(written.as_bytes(), "").unwrap();
    let example = of_game("killer").next().unwrap().example.to_owned();
    for text in [&last, &prolog, &json, &numbers, &bracketed, &signs, &example] {
        assert_eq!(tallyboard_variants::read(text.as_bytes(), "").unwrap(), expected, "{text}");
    }
    // With givens beside the cages, the only solution is that grid.
    let row: Vec<String> =
        SOLVED.as_bytes()[..9].iter().map(|&c| (c as char).to_string()).collect();
    let given = json.replacen("[0,0,0,0,0,0,0,0,0]", &format!("[{}]", row.join(",")), 1);
    let found = tallyboard_variants::read(given.as_bytes(), "").unwrap();
    assert_eq!(found.givens()[..9].to_vec(), vec![5, 3, 4, 6, 7, 8, 9, 1, 2]);
    let marked = of_values(&cages, &value);
    assert_eq!(tallyboard_variants::read(marked.as_bytes(), "").unwrap().givens()[0], 5);
}

/// Cages named in each cell behind its value, `.` but for the first cell, with their sums below.
fn of_values(cages: &[(usize, usize)], value: &dyn Fn(usize, usize) -> u32) -> String {
    let mut text = String::new();
    for row in 0..9 {
        for column in 0..9 {
            let given = if (row, column) == (0, 0) { "5" } else { "." };
            text += &format!("{given}C{} ", 3 * row + column / 3 + 1);
        }
        text += "\n";
    }
    for (number, &(row, column)) in cages.iter().enumerate() {
        let sum: u32 = (column..column + 3).map(|column| value(row, column)).sum();
        text += &format!("C{}:{sum}\n", number + 1);
    }
    text
}

#[test]
fn what_is_wrong_is_told_in_words() {
    let error =
        |text: &str| tallyboard_variants::read(text.as_bytes(), "f").unwrap_err().to_string();
    let example = |game: &str, number: usize| of_game(game).nth(number).unwrap().example;
    let list = example("KenKen", 3);
    let missing = error(&list.replace(",(3,3)", ""));
    assert!(missing.contains("no cage for row 4, column 4"), "{missing}");
    let twice = error(&list.replace("(3,3)", "(3,2)"));
    assert!(twice.contains("row 4, column 3 twice"), "{twice}");
    let none = error(&list.replace("mult ", ""));
    assert!(none.contains("line 2: cage: found '6'"), "{none}");
    let two = error(&format!("{list}\n{list}\n"));
    assert!(two.contains("line 9: found a second puzzle, of 2, expected one"), "{two}");
    let pairs = example("futoshiki", 2);
    let two = error(&format!("2\n{pairs}\n{pairs}\n"));
    assert!(two.contains("line 11: found a second puzzle, of 2, expected one"), "{two}");
    let clues = "\"2 1 4 3 2 2 1 2 2 1 4 3 2 2 1 2\"\n\"1 3 2 3 2 2 3 1 1 3 2 2 3 2 2 1\"\n";
    assert!(error(clues).contains("for clues of skyscrapers"), "{}", error(clues));
    let killer = error("AABB\nAABB\nCCDD\nCCDD\nA=10 B=10 C=10 D=10\n");
    assert!(killer.contains("a grid of 4 × 4 whose cages have no operation"), "{killer}");
}

#[test]
fn other_texts_are_in_none_of_the_forms() {
    let grids = ["1234\n3412\n2143\n4321\n", "1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 1\n"];
    let matrix = "3 4\n1 0 0 1\n0 1 1 0\n1 0 0 0\n";
    let options = "a b c d\na b\nc d\na c\nb d\n";
    let ec = "4 3\n2 1 2\n2 3 4\n1 1\n";
    let board = "AABB\nAABB\nCCDD\nCCDD\n";
    let sudoku = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
    let two = format!("{sudoku}{sudoku}");
    let list = "[[1,0,0],[0,1,1]]";
    let square = "0 1 1 0\n1 0 0 1\n1 0 0 1\n0 1 1 0\n";
    let square = format!("0 1 1 0 0\n{}0 1 1 0 0\n", "1 0 0 1 1\n".repeat(3)) + square;
    // A board of coloured regions with a cell crossed out.
    let crossed = "1,1,2,2\n1,3,3,2\n4,4,3,2\n4-,4,4,2\n";
    for text in [
        grids[0], grids[1], matrix, options, ec, board, sudoku, &two, list, &square, crossed, "",
        "8\n",
    ] {
        assert!(!tallyboard_variants::is_of_another_program(text.as_bytes()), "{text}");
    }
}

/// The only solution that the collection states of each of its examples.
#[test]
fn puzzles_of_puzzlekit_have_the_solutions_that_it_states() {
    let stated = [
        ("killer", "2341413232141423"),
        ("KenKen", "3124243112434312"),
        ("renban", "514362436251362145125634651423243516"),
        ("consecutive", "512346354621165234631452423165246513"),
        (
            "even and odd",
            "726938145491275638385164279519643782264817953837529461943781526658492317172356894",
        ),
        (
            "sums",
            "261749358879523146435618792692157834154382679783496521546231987318974265927865413",
        ),
        ("skyscrapers", "5314212354345214521321435"),
    ];
    for (game, solution) in stated {
        let game = format!("of puzzlekit: {game}");
        let Kind { name, example, .. } = of_game(&game).next().unwrap();
        assert_eq!(solutions(example), [solution], "{name}");
        let problem = example.replace('\n', "\\n");
        let json = format!(
            "{{\"name\": \"x\",\n\"data\": {{\n\"1\": {{\"problem\": \"{problem}\"}},\n\"2\": {{\"problem\": \"{problem}\"}}}}}}"
        );
        let found = tallyboard_variants::read_all(json.as_bytes(), "x").unwrap();
        let lines: Vec<usize> = found.iter().map(|found| found.line).collect();
        assert_eq!(lines, [3, 4], "{name}");
        assert!(found.iter().all(|found| found.puzzle == found_alone(example)), "{name}");
    }
}

/// Puzzles of the collection with the solutions that it states, of kinds that no example shows.
#[test]
fn heads_of_puzzlekit_tell_latin_squares_and_diagonals() {
    let diagonals =
        "4 4 4 D\n- - - -\n- - - -\n1 2 3 -\n- - - -\n- - - -\n- - - -\n- - - -\n1 - - -\n";
    assert_eq!(solutions(diagonals), ["4132324123141423"]);
    assert!(solutions(&diagonals.replace(" D", "")).len() > 1);
    // Six rows have boxes, unless the greatest value stands in the head.
    let six = "6 6 6\n3 - - 2 2 -\n- - 2 2 - 4\n3 2 - - - -\n4 5 1 - - 5\n- - - - - -\n- - - - - -\n- 5 - - - -\n- - - - 6 -\n- - - - - -\n- - - - - -\n";
    assert_eq!(solutions(six), ["126543564321453216342165231654615432"]);
    assert_eq!(solutions(&six.replace("6 6 6", "6 6")), [""; 0]);
    // Any operation makes the value of a cage that states none.
    let cage =
        "4 4\n24* 2/ . 3\n. . 7+ .\n3- 5+ . 3\n. . 2/ .\n1 2 2 3\n1 1 4 3\n5 6 4 7\n5 6 8 8\n";
    let refused = tallyboard_variants::read(cage.as_bytes(), "x").unwrap_err().to_string();
    assert!(refused.contains("found 3 without an operation in a cage of r1c4"), "{refused}");
}

fn found_alone(text: &str) -> tallyboard_variants::Puzzle {
    tallyboard_variants::read(text.as_bytes(), "x").unwrap()
}

/// The clues and the grid are those of the task at Codewars.
#[test]
fn a_list_of_all_clues_goes_around_the_grid() {
    const SOLVED: &str = "561432413265236154654321125643342516";
    let clues = "0,0,0,2,2,0,0,0,0,6,3,0,0,4,0,0,0,0,4,4,0,3,0,0";
    for text in
        [clues.to_owned(), format!("[{}]\n", clues.replace(',', ", ")), format!("({clues})")]
    {
        assert_eq!(solutions(&text), [SOLVED], "{text}");
    }
    // Sixteen numbers may be a grid of four rows, and 7 is no clue in six rows.
    for text in ["0,0,1,2,0,2,0,0,0,3,0,0,0,1,0,0", &clues.replace('6', "7")] {
        assert!(tallyboard_variants::read(text.as_bytes(), "").is_err(), "{text}");
    }
}

/// The pairs of each futoshiki of a file may stand below its grid or above it.
#[test]
fn several_futoshikis_have_their_pairs_above_or_below() {
    let grid = "0 0 0 0\n3 0 0 0\n0 0 0 0\n0 0 0 0\n";
    let pairs = "1 1 1 2\n1 3 1 4\n3 2 2 2\n3 4 3 3\n1 4 2 4\n";
    for one in [format!("4 5\n{grid}{pairs}"), format!("4 5\r\n{pairs}{grid}")] {
        let read = |text: String| {
            let found = tallyboard_variants::read_all(text.as_bytes(), "file").expect(&text);
            found.iter().map(|found| found.puzzle.solutions().count()).collect::<Vec<_>>()
        };
        let count = read(one.clone());
        assert_eq!(read(format!("2\n{one}\n{one}")), [count[0], count[0]], "{one}");
    }
}

/// A cage of a course may have an operation that is not known, and a cell a value.
#[test]
fn cages_as_codes_have_givens_and_known_operations() {
    let with = |first: &str| {
        let text = format!("3 3\n{first}\n3 6 2 1 2 1 3\n1 6 3 3 1 3 2 3 3\n");
        tallyboard_variants::read(text.as_bytes(), "file")
    };
    let count = |first| with(first).unwrap().solutions().count();
    assert!(count("1 7 4 1 1 2 1 2 2 2 3") > count("1 7 4 1 1 [1] 2 1 [3] 2 2 2 3"));
    let error = with("5 1 4 1 1 2 1 2 2 2 3").unwrap_err().to_string();
    assert!(error.contains("the operation modulo"), "{error}");
}
