//! Promise: every rule means what its line says. The solutions of thousands of random puzzles are counted a second time, by
//! trying all Latin squares.

use tallyboard_base::random::Random;
use tallyboard_variants::internals::few_solutions;
use tallyboard_variants::{Count, Puzzle, read, write};

use crate::definitions::{defined_rule, region_sums};
use crate::global::WholeGrid;
use crate::rule::{Calculation, Line, Marked, Outside};
use crate::support::{
    Grid, MarkKind, StatedRule, all_given, all_marks, boxes, cages_everywhere, global_rule,
    latin_squares, local_rule, regions,
};

/// A random puzzle: its text, its lines, and the givens.
struct RandomPuzzle {
    text: String,
    first: u8,
    rules: Vec<StatedRule>,
    givens: Vec<u8>,
}

/// A random Latin square.
fn square(side: usize, first: u8, random: &mut Random) -> Grid {
    let order = |random: &mut Random| {
        let mut order: Vec<usize> = (0..side).collect();
        random.shuffle(&mut order);
        order
    };
    let [rows, columns, values] = [order(random), order(random), order(random)];
    let mut grid = Grid { side, first, values: Vec::new() };
    for row in rows {
        for &column in &columns {
            grid.values.push(values[(row + column) % side] as u8 + 1);
        }
    }
    grid
}

/// The grid around which a puzzle is made. A random Latin square rarely obeys rules of the whole grid, so the crate under test
/// solves a puzzle with these rules.
fn model(side: usize, first: u8, kinds: &[u32], random: &mut Random) -> Grid {
    let global: Vec<String> = kinds
        .iter()
        .filter(|&&kind| kind < ALL_DOTS_GIVEN)
        .map(|&kind| global_rule(kind).line)
        .collect();
    let text = format!("{}regions none\n{}\n", head(side, first), global.join("\n"));
    if !global.is_empty() {
        let number = random.below(40) as usize;
        let mut solutions = read(text.as_bytes(), "model").unwrap().solutions();
        if let Some(values) = solutions.nth(number) {
            return Grid { side, first, values };
        }
    }
    square(side, first, random)
}

/// The lines of the text that state the size and the values.
fn head(side: usize, first: u8) -> String {
    let last = usize::from(first) + side - 1;
    match first {
        1 => format!("size {side}\n"),
        _ => format!("size {side}\nvalues {first}-{last}\n"),
    }
}

/// A puzzle of this side with values from `first` on, with a rule of each of these kinds, if one was found. In its givens, `blanks` cells are empty.
fn puzzle(
    side: usize,
    first: u8,
    kinds: &[u32],
    blanks: usize,
    random: &mut Random,
) -> RandomPuzzle {
    let model = model(side, first, kinds, random);
    let mut rules = Vec::new();
    match random.below(4) {
        0 => rules.push(regions(side, random)),
        1 => rules.push(boxes(side)),
        _ => rules.push(StatedRule { line: "regions none".to_owned(), holds: Box::new(|_| true) }),
    }
    let mut caged = Vec::new();
    for &kind in kinds {
        match kind {
            0..ALL_DOTS_GIVEN => rules.push(global_rule(kind)),
            ALL_DOTS_GIVEN..FIRST_LOCAL => {
                let marks = MARK_KINDS[(kind - ALL_DOTS_GIVEN) as usize];
                rules.extend(all_marks(&model, marks, random));
                rules.push(all_given(&rules, marks));
            }
            CAGES => rules.extend(cages_everywhere(&model, random)),
            FIRST_DEFINED.. => {
                let mut defined = || defined_rule(kind - FIRST_DEFINED, &model, random);
                rules.extend((0..60).find_map(|_| defined()));
            }
            _ => {
                let mut local = || local_rule(kind - FIRST_LOCAL, &model, &mut caged, random);
                rules.extend((0..20).find_map(|_| local()));
            }
        }
    }
    let mut givens = model.values.clone();
    let mut order: Vec<usize> = (0..givens.len()).collect();
    random.shuffle(&mut order);
    order.iter().take(blanks).for_each(|&cell| givens[cell] = 0);
    let mut text = head(side, first);
    for rule in &rules {
        text += &rule.line;
        text.push('\n');
    }
    text += "givens\n";
    for row in givens.chunks(side) {
        for &given in row {
            match given {
                0 => text.push('.'),
                _ => text += &(given - 1 + first).to_string(),
            }
        }
        text.push('\n');
    }
    RandomPuzzle { text, first, rules, givens }
}

/// The number of solutions, and the values that each cell has in them, as bits.
fn oracle(side: usize, puzzle: &RandomPuzzle, read: &Puzzle) -> (u64, Vec<u16>) {
    /// Of each puzzle, so many squares are also judged by the definitions of the crate.
    const JUDGED: usize = 40;
    let mut count = 0;
    let mut judged = 0;
    let mut values = vec![0_u16; side * side];
    latin_squares(side, puzzle.first, &puzzle.givens, &mut |grid| {
        let is_solution = puzzle.rules.iter().all(|rule| (rule.holds)(grid));
        if is_solution || judged < JUDGED {
            judged += 1;
            assert_eq!(read.is_solved_by(&grid.values), is_solution, "{}", puzzle.text);
        }
        if is_solution {
            count += 1;
            for (set, value) in values.iter_mut().zip(&grid.values) {
                *set |= 1 << (value - 1);
            }
        }
    });
    (count, values)
}

/// Counts the solutions of a puzzle with each function of the crate that can, and returns the count.
fn check(side: usize, random: &RandomPuzzle) -> u64 {
    let puzzle = read(random.text.as_bytes(), "random").unwrap_or_else(|error| {
        panic!("{error}\n{}", random.text);
    });
    let (expected, values) = oracle(side, random, &puzzle);
    let text = &random.text;
    assert_eq!(puzzle.solutions().count() as u64, expected, "{text}");
    assert_eq!(puzzle.solve().count, expected.min(2), "{text}");
    assert_eq!(
        tallyboard_search::count(&Count::new(&puzzle)).unwrap(),
        u128::from(expected),
        "{text}"
    );
    assert_eq!(puzzle.true_candidates().sets(), values, "{text}");
    let has_no_clauses = ["circles", "full-rank"].iter().any(|rule| text.contains(rule));
    match few_solutions(&puzzle) {
        Some(few) => {
            let mut all: Vec<Vec<u8>> = puzzle.solutions().collect();
            all.sort_unstable();
            assert_eq!(few, all, "{text}");
        }
        None => assert!(expected > 64 || has_no_clauses, "{text}"),
    }
    let again = read(write(&puzzle).as_bytes(), "written").unwrap();
    assert_eq!(again, puzzle, "{text}");
    expected
}

/// The kinds of rules, by number. Those below are rules of the whole grid, as [`global_rule`] numbers them.
const ALL_DOTS_GIVEN: u32 = 10;
const MARK_KINDS: [MarkKind; 4] =
    [MarkKind::Dots, MarkKind::Xv, MarkKind::Differences, MarkKind::Ratios];
/// From here on, rules of some cells, as [`local_rule`] numbers them from 0.
const FIRST_LOCAL: u32 = ALL_DOTS_GIVEN + MARK_KINDS.len() as u32;
/// Cages over the whole grid, which leave no place for other cages.
const CAGES: u32 = FIRST_LOCAL + 12;
/// From here on, rules as [`defined_rule`] numbers them from 0.
const FIRST_DEFINED: u32 = CAGES + 1;
/// The number of all kinds.
const KINDS: u32 = FIRST_DEFINED + crate::definitions::KINDS;

/// A kind that is new in the crate and has no definition here would be tried by nothing.
#[test]
fn every_kind_in_the_tables_of_the_crate_has_a_definition_here() {
    let mut random = Random::from_seed(5);
    let mut tried = std::collections::BTreeSet::new();
    for kind in (0..KINDS).flat_map(|kind| [kind; 20]) {
        for rule in puzzle(6, 1, &[kind], 18, &mut random).rules {
            tried.extend(
                rule.line.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned),
            );
        }
    }
    let lines = Line::all(6).into_iter().map(Line::name);
    let others = Outside::ALL.map(Outside::name).into_iter().chain(Marked::ALL.map(Marked::name));
    let global =
        WholeGrid::ALL.into_iter().filter(|rule| rule.is_of_one_word()).map(WholeGrid::name);
    let names = lines.chain(others).chain(Calculation::ALL.map(Calculation::name)).chain(global);
    // Sums of regions need a line through several regions, and a windoku square boxes: they have tests of their own.
    let apart = ["region-sums", "windoku"];
    let missing = names.filter(|name| !tried.contains(*name) && !apart.contains(name));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn each_kind_of_rule_means_what_its_line_says() {
    each_kind(1, 20);
}

#[test]
#[ignore = "needs an optimised build"]
fn each_kind_of_rule_means_what_its_line_says_in_many_puzzles() {
    each_kind(3, 20);
}

/// Checks `puzzles` puzzles of 4 x 4 and as many of 6 x 6 for each kind of rule.
fn each_kind(seed: u64, puzzles: usize) {
    let mut random = Random::from_seed(seed);
    for kind in 0..KINDS {
        let mut counts = std::collections::BTreeSet::new();
        for _ in 0..puzzles {
            counts.insert(check(4, &puzzle(4, 1, &[kind], 16, &mut random)));
            counts.insert(check(6, &puzzle(6, 1, &[kind], 18, &mut random)));
        }
        assert!(counts.len() > 1, "kind {kind}: {counts:?}");
    }
}

/// Values from 0 or from 4 on mean what is written, in each kind of rule that allows them.
#[test]
fn each_kind_of_rule_means_what_its_line_says_of_other_values() {
    let mut random = Random::from_seed(7);
    for kind in (0..KINDS).filter(|&kind| is_of_any_values(kind)) {
        let mut counts = std::collections::BTreeSet::new();
        for _ in 0..12 {
            counts.insert(check(4, &puzzle(4, 0, &[kind], 16, &mut random)));
            counts.insert(check(6, &puzzle(6, 0, &[kind], 18, &mut random)));
            counts.insert(check(4, &puzzle(4, 4, &[kind], 16, &mut random)));
        }
        assert!(counts.len() > 1, "kind {kind}: {counts:?}");
    }
}

/// Whether the rules of this kind, and their definitions in these tests, do not expect values from 1.
fn is_of_any_values(kind: u32) -> bool {
    /// Global entropy, and pencil marks.
    const FROM_ONE: [u32; 2] = [7, FIRST_LOCAL + 11];
    match kind.checked_sub(FIRST_DEFINED) {
        None => !FROM_ONE.contains(&kind),
        Some(number) => crate::definitions::is_of_any_values(number),
    }
}

#[test]
fn rules_together_mean_what_their_lines_say() {
    rules_together(2, 500);
}

#[test]
#[ignore = "needs an optimised build"]
fn rules_together_mean_what_their_lines_say_in_many_puzzles() {
    rules_together(4, 500);
}

/// Checks `puzzles` puzzles of 4 x 4 and as many of 6 x 6 with several rules each.
fn rules_together(seed: u64, puzzles: usize) {
    let mut random = Random::from_seed(seed);
    let mut solvable = 0;
    for _ in 0..puzzles {
        let number = 2 + random.below(4);
        let mut kinds: Vec<u32> = (0..number).map(|_| random.below(KINDS)).collect();
        // Rules of some cells come first: whether all marks are given is checked against the marks before.
        kinds.sort_unstable_by_key(|&kind| (kind < FIRST_LOCAL, kind));
        kinds.dedup();
        // Whether all dots are given is stated once: each statement is checked against the dots before it.
        let is_about_dots = |kind: &u32| {
            (ALL_DOTS_GIVEN..FIRST_LOCAL).contains(kind) && *kind != ALL_DOTS_GIVEN + 1
        };
        let about_dots: Vec<u32> = kinds.iter().copied().filter(is_about_dots).collect();
        kinds.retain(|kind| !about_dots[1.min(about_dots.len())..].contains(kind));
        // These leave no place for other cages, and so many rules are seldom obeyed together.
        kinds.retain(|&kind| kind != CAGES);
        // Kind 2 is both diagonals, which the kinds 0 and 1 would state a second time.
        if kinds.contains(&2) {
            kinds.retain(|&kind| kind > 1);
        }
        solvable += usize::from(check(4, &puzzle(4, 1, &kinds, 16, &mut random)) > 0);
        solvable += usize::from(check(6, &puzzle(6, 1, &kinds, 16, &mut random)) > 0);
    }
    assert!(solvable > puzzles / 5, "{solvable} of {puzzles}");
}

#[test]
fn lines_whose_parts_in_each_box_have_equal_sums_are_those_lines() {
    let mut random = Random::from_seed(6);
    let mut checked = 0;
    for _ in 0..60 {
        for side in [4, 6] {
            let mut random_puzzle =
                puzzle(side, 1, &[], if side == 4 { 16 } else { 18 }, &mut random);
            let grid = read(format!("size {side}").as_bytes(), "boxes").unwrap();
            let nth = random.below(200) as usize;
            let model = Grid { side, first: 1, values: grid.solutions().nth(nth).unwrap() };
            let Some(line) = (0..60).find_map(|_| region_sums(&model, &mut random)) else {
                continue;
            };
            random_puzzle.givens = model.values.clone();
            random_puzzle.givens.iter_mut().step_by(2).for_each(|given| *given = 0);
            let rows = random_puzzle.givens.chunks(side);
            let rows: Vec<String> =
                rows.map(|row| row.iter().map(u8::to_string).collect()).collect();
            random_puzzle.text =
                format!("size {side}\n{}\ngivens\n{}\n", line.line, rows.join("\n"));
            random_puzzle.rules = vec![boxes(side), line];
            assert!(check(side, &random_puzzle) > 0);
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
}
