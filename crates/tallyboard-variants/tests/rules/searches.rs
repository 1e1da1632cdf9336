//! What searches take, and when they end.

use tallyboard_search::{Stop, Stopped};
use tallyboard_variants::internals::most_subtrees;
use tallyboard_variants::{Error, Generator, Rule, Rules, Size, Solver, read};

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
