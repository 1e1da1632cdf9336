//! Promise: engines that know no variants have the same counts.

use std::collections::BTreeSet;

use tallyboard_base::random::Random;
use tallyboard_cover::Cover;
use tallyboard_sudoku::Grid;
use tallyboard_variants::{Count, Generator, Puzzle, Rule, Rules, line};

/// The puzzle as an exact cover: each cell has one value, each house has each value once, and each pair of cells in `differ` has
/// each value at most once.
fn cover_of(puzzle: &Puzzle, houses: &[Vec<usize>], differ: &[(usize, usize)]) -> Cover {
    let mut cover = Cover::new();
    let size = puzzle.size();
    let values = 1..=size.side();
    cover.primary((0..size.cells()).map(|cell| format!("cell{cell}"))).unwrap();
    for house in 0..houses.len() {
        cover.primary(values.clone().map(|value| format!("house{house}={value}"))).unwrap();
    }
    for pair in 0..differ.len() {
        cover.secondary(values.clone().map(|value| format!("pair{pair}={value}"))).unwrap();
    }
    for cell in 0..size.cells() {
        for value in puzzle.candidates().of(size.cell(cell)) {
            let mut items = vec![format!("cell{cell}")];
            let in_houses = (0..houses.len()).filter(|&house| houses[house].contains(&cell));
            items.extend(in_houses.map(|house| format!("house{house}={value}")));
            let in_pairs =
                (0..differ.len()).filter(|&pair| differ[pair].0 == cell || differ[pair].1 == cell);
            items.extend(in_pairs.map(|pair| format!("pair{pair}={value}")));
            cover.option(items).unwrap();
        }
    }
    cover
}

/// Rows and columns, and a house for each letter of a picture.
fn houses(side: usize, picture: &str) -> Vec<Vec<usize>> {
    let cells = 0..side * side;
    let mut houses: Vec<Vec<usize>> = (0..side)
        .flat_map(|number| {
            let row = cells.clone().filter(move |cell| cell / side == number).collect();
            let column = cells.clone().filter(move |cell| cell % side == number).collect();
            [row, column]
        })
        .collect();
    let letters: Vec<char> = picture.chars().filter(|letter| letter.is_alphabetic()).collect();
    for letter in letters.iter().copied().collect::<BTreeSet<char>>() {
        houses.push(cells.clone().filter(|&cell| letters[cell] == letter).collect());
    }
    houses
}

fn regions(picture: &str) -> Rule {
    let letters = picture.bytes().filter(u8::is_ascii_uppercase);
    Rule::Regions(letters.map(|letter| usize::from(letter - b'A')).collect())
}

fn check(puzzle: &Puzzle, cover: &Cover) {
    let by_cover = tallyboard_cover::Count::new(cover).unwrap().total().unwrap();
    let count = Count::new(puzzle);
    assert_eq!(tallyboard_search::count(&count).unwrap(), by_cover, "{}", puzzle.line());
    assert_eq!(puzzle.solutions().count() as u128, by_cover, "{}", puzzle.line());
    assert!(by_cover > 0);
}

/// `puzzle` with some of its givens, `left` in number.
fn with_fewer_givens(puzzle: &Puzzle, left: usize, random: &mut Random) -> Puzzle {
    let size = puzzle.size();
    let mut given: Vec<usize> =
        (0..size.cells()).filter(|&cell| puzzle.givens()[cell] > 0).collect();
    random.shuffle(&mut given);
    let mut fewer = Puzzle::new(puzzle.rules().clone());
    for cell in given.into_iter().take(left) {
        fewer.give(size.cell(cell), puzzle.givens()[cell]).unwrap();
    }
    fewer
}

/// Checks puzzles by these rules with `left` givens, which are too few for a single solution.
fn check_some(
    side: usize,
    rules: impl IntoIterator<Item = Rule>,
    houses: &[Vec<usize>],
    differ: &[(usize, usize)],
    left: usize,
) {
    let mut random = Random::from_seed(3);
    let mut of_side = Rules::new(side).unwrap();
    rules.into_iter().for_each(|rule| of_side.add(rule).unwrap());
    let mut generator = Generator::new(of_side, 5).unwrap().givens(left + 3);
    for number in 0..6 {
        let puzzle = with_fewer_givens(&generator.puzzle(number), left, &mut random);
        check(&puzzle, &cover_of(&puzzle, houses, differ));
    }
}

const JIGSAW_6: &str = "AAABBB ACCBBB ACCDDD AECCDD EEEFFD EEFFFF";
const BOXES_6: &str = "AAABBB AAABBB CCCDDD CCCDDD EEEFFF EEEFFF";
const JIGSAW_9: &str = "AAABBBBCC AABBBCCCC AAABBCCCD AEEEEFDDD EEEEFFFDD EGGFFFDDD GGGHHFFII GGGHHHIII \
                        GHHHHIIII";
const BOXES_9: &str =
    "AAABBBCCC AAABBBCCC AAABBBCCC DDDEEEFFF DDDEEEFFF DDDEEEFFF GGGHHHIII GGGHHHIII GGGHHHIII";
const BOXES_12: &str = "AAAABBBBCCCC AAAABBBBCCCC AAAABBBBCCCC DDDDEEEEFFFF DDDDEEEEFFFF DDDDEEEEFFFF \
                        GGGGHHHHIIII GGGGHHHHIIII GGGGHHHHIIII JJJJKKKKLLLL JJJJKKKKLLLL JJJJKKKKLLLL";

#[test]
fn jigsaws_have_as_many_solutions_as_their_covers() {
    let empty = Puzzle::new(Rules::new(6).unwrap().with(regions(JIGSAW_6)).unwrap());
    check(&empty, &cover_of(&empty, &houses(6, JIGSAW_6), &[]));
    check_some(6, [regions(JIGSAW_6)], &houses(6, JIGSAW_6), &[], 3);
    check_some(9, [regions(JIGSAW_9)], &houses(9, JIGSAW_9), &[], 20);
}

#[test]
fn diagonals_have_as_many_solutions_as_their_covers() {
    for (side, picture, left) in [(6, BOXES_6, 4), (9, BOXES_9, 20), (12, BOXES_12, 60)] {
        let mut houses = houses(side, picture);
        houses.push((0..side).map(|row| row * side + row).collect());
        houses.push((0..side).map(|row| row * side + side - 1 - row).collect());
        check_some(side, [Rule::FallingDiagonal, Rule::RisingDiagonal], &houses, &[], left);
    }
}

#[test]
fn windokus_have_as_many_solutions_as_their_covers() {
    let mut houses = houses(9, BOXES_9);
    for (top, left) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
        let cells = (0..9).map(|cell| (top + cell / 3) * 9 + left + cell % 3);
        houses.push(cells.collect());
    }
    check_some(9, [Rule::Windoku], &houses, &[], 19);
}

#[test]
fn anti_knight_puzzles_have_as_many_solutions_as_their_covers() {
    let is_move = |&(one, other): &(usize, usize)| {
        let rows = (one / 9).abs_diff(other / 9);
        let columns = (one % 9).abs_diff(other % 9);
        rows * columns == 2
    };
    let pairs = (0..81).flat_map(|one| (one + 1..81).map(move |other| (one, other)));
    let pairs: Vec<(usize, usize)> = pairs.filter(is_move).collect();
    check_some(9, [Rule::AntiKnight], &houses(9, BOXES_9), &pairs, 17);
}

#[test]
fn classic_puzzles_have_the_answers_of_the_classic_engines() {
    let mut random = Random::from_seed(6);
    let mut generator = Generator::new(Rules::new(9).unwrap(), 8).unwrap();
    for number in 0..60 {
        let puzzle = generator.puzzle(number);
        let given = puzzle.givens().iter().filter(|&&given| given > 0).count();
        for left in [given, given - 1, given - 3] {
            let fewer = with_fewer_givens(&puzzle, left, &mut random);
            let grid = Grid::new(fewer.givens().try_into().unwrap()).unwrap();
            let expected = tallyboard_sudoku::solve_up_to(&grid, 10_000).count;
            assert_eq!(fewer.solutions().take(10_000).count() as u64, expected, "{}", fewer.line());
            let answer = fewer.solve();
            assert_eq!(answer.count, expected.min(2));
            if answer.count == 1 {
                let solution = tallyboard_sudoku::solve(&grid).first.unwrap();
                assert_eq!(answer.first.unwrap(), solution.cells());
            }
        }
    }
}

/// Grids of 16 × 16 need the widest sets of cells.
#[test]
fn large_classic_puzzles_have_the_answers_of_the_classic_engine() {
    let mut generator = Generator::new(Rules::new(16).unwrap(), 9).unwrap().givens(130);
    for number in 0..3 {
        let puzzle = generator.puzzle(number);
        let grid = tallyboard_sudoku::sized::Size::Sixteen.parse(puzzle.line().as_bytes(), None);
        let (count, solution) = grid.unwrap().solve(2, &tallyboard_search::Stop::new()).unwrap();
        assert_eq!(count, 1);
        let solution = solution.unwrap();
        assert_eq!(
            puzzle.solve().first.unwrap(),
            solution.cells(),
            "{}",
            line(puzzle.size(), puzzle.givens())
        );
    }
}

/// From cages of one cell, which are the grid, to those of a side; more than a side is as many as that.
#[test]
fn cages_have_the_cells_asked_for_at_most() {
    let mut generator = Generator::new(Rules::new(4).unwrap(), 1).unwrap();
    for most in 0..6 {
        let mut largest = 0;
        for number in 0..8 {
            let puzzle = generator.killer(number, most);
            for rule in puzzle.rules().rules() {
                let Rule::Cage { cells, .. } = rule else { panic!("{rule:?}") };
                largest = largest.max(cells.len());
            }
            assert_eq!(puzzle.solve().count, 1, "{most}");
        }
        assert!(largest <= most.clamp(1, 4), "{most}: {largest}");
        assert!(largest > 1 || most < 2, "{most}: {largest}");
    }
}
