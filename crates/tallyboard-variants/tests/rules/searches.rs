//! What searches take, and when they end.

use std::collections::BTreeSet;

use tallyboard_base::random::Random;
use tallyboard_search::{Options, Problem, Silent, Stop, Stopped};
use tallyboard_variants::internals::{few_solutions, most_subtrees};
use tallyboard_variants::{Count, Error, Generator, Puzzle, Rule, Rules, Size, Solver, read};

/// The diagonals of these sums leave most cells open for long. By the number of candidates alone the search takes more than ten
/// times the nodes.
#[test]
fn wide_sums_are_searched_where_they_fail() {
    const DIAGONALS: [&str; 12] = [
        "r1c3..r7c9",
        "r1c3..r3c1",
        "r1c5..r5c9",
        "r1c5..r5c1",
        "r1c7..r3c9",
        "r1c7..r7c1",
        "r9c3..r3c9",
        "r9c3..r7c1",
        "r9c5..r5c9",
        "r9c5..r5c1",
        "r9c7..r7c9",
        "r9c7..r3c1",
    ];
    for (sums, most_nodes) in [
        ([33, 18, 36, 11, 20, 36, 37, 17, 23, 15, 13, 35], 10_000),
        ([37, 11, 33, 24, 11, 39, 34, 18, 31, 36, 14, 27], 1_000),
    ] {
        let mut text = "size 9\n".to_owned();
        for (diagonal, sum) in DIAGONALS.iter().zip(sums) {
            text += &format!("little-killer {sum} {diagonal}\n");
        }
        let puzzle = read(text.as_bytes(), "sums").unwrap();
        let mut solver = Solver::new(puzzle.rules());
        let answer = solver.solve(&puzzle, 2);
        assert_eq!(answer.count, 2);
        assert!(puzzle.is_solved_by(&answer.first.unwrap()));
        assert!(solver.nodes() <= most_nodes, "{}", solver.nodes());
    }
}

#[test]
fn large_grids_have_fewer_subtrees() {
    let most = [16, 81, 144, 256].map(most_subtrees);
    assert_eq!(most, [1_000, 1_000, 316, 100]);
}

#[test]
fn a_search_tells_whether_there_is_no_grid_or_it_reached_its_limit() {
    let cage = |columns: [usize; 2]| {
        let cells = columns.map(|column| Size::new(4).unwrap().cell(column)).to_vec();
        Rule::Cage { cells, sum: Some(3) }
    };
    let possible = Rules::new(4).unwrap().with(cage([0, 1])).unwrap();
    let impossible = possible.clone().with(cage([2, 3])).unwrap();
    let found = |rules: &Rules, limit| {
        Generator::within(rules.clone(), 1, limit, &Stop::new()).map(|_| ()).unwrap_err()
    };
    assert_eq!(found(&impossible, u64::MAX), Error::NoGrid);
    assert_eq!(found(&possible, 1), Error::GridNotFound { steps: 1 });
    assert_eq!(Generator::new(impossible, 1).unwrap_err(), Error::NoGrid);
}

#[test]
fn a_raised_flag_ends_every_search() {
    let rules = Rules::new(6).unwrap();
    let stop = Stop::new();
    let mut generator = Generator::new_or_stop(rules.clone(), 1, &stop).unwrap();
    let puzzle = generator.puzzle_or_stop(3, &stop).unwrap();
    assert_eq!(puzzle, Generator::new(rules.clone(), 1).unwrap().puzzle(3));
    assert!(generator.killer_or_stop(3, 4, &stop).is_ok());
    stop.request();
    assert_eq!(generator.puzzle_or_stop(3, &stop), Err(Stopped));
    assert_eq!(generator.killer_or_stop(3, 4, &stop), Err(Stopped));
    let ended = Generator::new_or_stop(rules, 1, &stop).unwrap_err();
    assert_eq!(ended, Error::Stopped(Stopped));
}

/// Cages of killers cover the grid, are in one piece, and have no more cells than asked for.
#[test]
fn cages_are_connected_and_cover_the_grid() {
    for (side, most, killers) in [(9, 5, 12), (9, 9, 4), (6, 4, 30), (4, 3, 30)] {
        let size = Size::new(side).unwrap();
        let mut generator = Generator::new(Rules::new(side).unwrap(), 7).unwrap();
        for number in 0..killers {
            let killer = generator.killer(number, most);
            let mut covered = vec![0; size.cells()];
            for rule in killer.rules().rules() {
                let Rule::Cage { cells, .. } = rule else { panic!("{rule:?}") };
                assert!(cells.len() <= most);
                cells.iter().for_each(|&cell| covered[size.index(cell).unwrap()] += 1);
                let mut piece = vec![cells[0]];
                let mut grown = 0;
                while let Some(&cell) = piece.get(grown) {
                    let is_beside = |other: &&tallyboard_variants::Cell| {
                        cell.row().abs_diff(other.row()) + cell.column().abs_diff(other.column())
                            == 1
                    };
                    let beside: Vec<_> = cells.iter().filter(is_beside).copied().collect();
                    for other in beside {
                        if !piece.contains(&other) {
                            piece.push(other);
                        }
                    }
                    grown += 1;
                }
                assert_eq!(piece.len(), cells.len(), "{cells:?} of killer {number}");
            }
            assert!(covered.iter().all(|&cages| cages == 1));
        }
    }
}

/// A square of tiles, each of zeros or of ones, with the sums of all rows and columns, and the solution that these were taken of.
fn tiles(side: usize, seed: u64) -> (Puzzle, Vec<u8>) {
    let mut random = Random::from_seed(seed);
    let mut tiles: Vec<usize> = Vec::new();
    for cell in 0..side * side {
        tiles.push(match random.below(3) {
            0 if cell % side > 0 => tiles[cell - 1],
            1 if cell >= side => tiles[cell - side],
            _ => cell,
        });
    }
    let of_tiles: Vec<u8> = tiles.iter().map(|_| random.below(2) as u8).collect();
    let values: Vec<u8> = tiles.iter().map(|&tile| of_tiles[tile]).collect();
    let name = |cell: usize| format!(" r{}c{}", cell / side + 1, cell % side + 1);
    let mut text =
        format!("size {side}\nvalues 0-{}\nregions none\nrows-and-columns none\n", side - 1);
    for (cell, &tile) in tiles.iter().enumerate().filter(|&(cell, &tile)| cell != tile) {
        text += &format!("same{}{}\n", name(tile), name(cell));
    }
    let mut add = |cells: Vec<usize>| {
        let sum: u32 = cells.iter().map(|&cell| u32::from(values[cell])).sum();
        let names: String = cells.into_iter().map(name).collect();
        text += &format!("sum {sum}{names}\n");
    };
    for line in 0..side {
        add((0..side).map(|place| line * side + place).collect());
        add((0..side).map(|place| place * side + line).collect());
    }
    text += &format!("candidates\n{}", format!("{}\n", "01 ".repeat(side)).repeat(side));
    // In solutions 1 stands for the first value, 0.
    let solution = values.into_iter().map(|value| value + 1).collect();
    (read(text.as_bytes(), "tiles").unwrap(), solution)
}

/// By themselves clauses are compared with all Latin squares in `oracle.rs`; here searches ask them, after some of the solutions.
#[test]
fn searches_that_ask_clauses_find_the_same_solutions() {
    let mut of_count = BTreeSet::new();
    for seed in [6, 8] {
        let (puzzle, solution) = tiles(16, seed);
        let expected = few_solutions(&puzzle).unwrap();
        assert!(
            expected.contains(&solution) && expected.iter().all(|found| puzzle.is_solved_by(found))
        );
        let mut solver = Solver::new(puzzle.rules());
        assert_eq!(solver.solve(&puzzle, u64::MAX).count, expected.len() as u64);
        // The clauses are asked after 64 failures, and each time that these have doubled; then nothing is left to search for.
        assert!((129..4_500).contains(&solver.nodes()), "{}", solver.nodes());
        let mut found: Vec<Vec<u8>> = puzzle.solutions().collect();
        found.sort_unstable();
        assert_eq!(found, expected);
        let count = Count::new(&puzzle);
        for threads in [1, 3] {
            let options = Options::new().threads(threads);
            let outcome = tallyboard_search::run(&count, &options, &mut Silent).unwrap();
            assert_eq!(outcome.whole(), Some(expected.len() as u128));
        }
        let table = puzzle.tally().run().unwrap();
        assert_eq!(table.solutions(), expected.len() as u128);
        let set = |cell: usize| expected.iter().fold(0, |set, found| set | 1 << (found[cell] - 1));
        let sets: Vec<u16> = (0..256).map(set).collect();
        assert_eq!(puzzle.true_candidates().sets(), sets);
        of_count.insert(expected.len());
    }
    assert_eq!(of_count.len(), 2);
}

/// Rules of lines that together leave few cells to a value, or none. Without clauses the search sees each line by itself.
#[test]
fn clauses_of_lines_over_the_same_cells_are_those_lines() {
    let mut random = Random::from_seed(84);
    let rules = [
        "quadruple 123 CELLS",
        "quadruple 122 CELLS",
        "matches [^0]*0[^0]*0[^0]* CELLS",
        "matches [^1]*(1[^1]*)?(1[^1]*)? CELLS",
        "matches 0*2.* CELLS",
        "matches [^4]* CELLS",
        "skyscraper 2 CELLS",
        "sum 7 CELLS",
    ];
    let (mut counts, mut contradictions) = (BTreeSet::new(), 0);
    for _ in 0..100 {
        let mut text = "size 5\nvalues 0-4\nregions none\nrows-and-columns none\n".to_owned();
        for line in 0..10 {
            let mut cells: Vec<String> = (1..=5)
                .map(|place| match line {
                    0..5 => format!("r{}c{place}", line + 1),
                    _ => format!("r{place}c{}", line - 4),
                })
                .collect();
            for _ in 0..1 + random.below(3) {
                if random.below(2) == 0 {
                    cells.reverse();
                }
                let rule = rules[random.below(rules.len() as u32) as usize];
                text += &format!("{}\n", rule.replace("CELLS", &cells.join(" ")));
            }
        }
        // Most cells are known, so that the search fails too seldom to ask the clauses itself.
        text += "candidates\n";
        for _ in 0..5 {
            let row: Vec<&str> = (0..5)
                .map(|_| ["01234", "012", "13", "04", "2"][random.below(5) as usize])
                .collect();
            text += &format!("{}\n", row.join(" "));
        }
        let puzzle = read(text.as_bytes(), "lines").unwrap();
        let mut found: Vec<Vec<u8>> = puzzle.solutions().collect();
        found.sort_unstable();
        assert!(found.iter().all(|values| puzzle.is_solved_by(values)), "{text}");
        match few_solutions(&puzzle) {
            Some(few) => assert_eq!(few, found, "{text}"),
            None => assert!(found.len() > 64, "{text}"),
        }
        contradictions += usize::from(found.is_empty());
        counts.insert(found.len());
    }
    assert!(counts.len() > 5 && contradictions < 95, "{counts:?} {contradictions}");
}

/// Each row and column has the values 1 to 5 and four zeros, and groups of cells have the sums of one solution: many of two cells make a
/// short search, before which nobody asks the clauses, and fewer of three cells a long one.
#[test]
fn a_count_of_few_solutions_is_not_split() {
    let mut text = "size 9\nvalues 0-8\nregions none\nrows-and-columns none\n".to_owned();
    for line in 1..=9 {
        let row: String = (1..=9).map(|place| format!(" r{line}c{place}")).collect();
        let column: String = (1..=9).map(|place| format!(" r{place}c{line}")).collect();
        for cells in [row, column] {
            text += &format!("quadruple 12345{cells}\n");
            text += &format!("matches [^0]*0[^0]*0[^0]*0[^0]*0[^0]*{cells}\n");
        }
    }
    let mut order: Vec<usize> = (0..81).collect();
    Random::from_seed(2).shuffle(&mut order);
    // The value of a row moves by two places from one row to the next, so that no column has it twice.
    let value = |&cell: &usize| match (cell % 9 + 2 * (cell / 9)) % 9 {
        value if value > 5 => 0,
        value => value,
    };
    for (groups, of, revision) in [
        (40, 2, "algorithm=1 layout=3"),
        (27, 3, "algorithm=2 layout=1"),
        (24, 3, "algorithm=2 layout=1"),
    ] {
        let mut text = text.clone();
        for group in order.chunks(of).take(groups) {
            let sum: usize = group.iter().map(value).sum();
            let names = group.iter().map(|cell| format!(" r{}c{}", cell / 9 + 1, cell % 9 + 1));
            text += &format!("sum {sum}{}\n", names.collect::<String>());
        }
        let puzzle = read(text.as_bytes(), "lines").unwrap();
        let few = few_solutions(&puzzle).unwrap();
        let count = Count::new(&puzzle);
        assert_eq!(tallyboard_search::count(&count).unwrap(), few.len() as u128);
        let identity = count.identity();
        assert!(identity.ends_with(revision), "{groups} of {of}: {identity}");
        assert_eq!(count.subtrees(), 1, "{groups} of {of}");
    }
}

#[test]
fn a_solver_that_is_asked_to_stop_does() {
    let stop = Stop::new();
    stop.request();
    let puzzle = read(b"size 6\ncage 9 r1c1 r1c2\n", "puzzle").unwrap();
    let mut solver = Solver::new(puzzle.rules());
    assert_eq!(solver.solve_or_stop(&puzzle, 2, &stop), Err(Stopped));
    assert_eq!(solver.true_candidates(&puzzle, &stop), Err(Stopped));
}
