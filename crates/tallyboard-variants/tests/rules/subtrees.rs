//! Promise: subtrees add up, they depend on the puzzle alone, and they end when they are asked to.

use std::collections::BTreeSet;

use tallyboard_search::{Options, Problem, Silent, Stop, Stopped};
use tallyboard_variants::{Count, Puzzle, read};

const FREE_JIGSAW: &str =
    "size 6\nregions\nAAABBB\nACCBBB\nACCDDD\nAECCDD\nEEEFFD\nEEFFFF\ndiagonal falling\n";
const SUMS: &str = "size 6\ncage 9 r1c1 r1c2\nthermometer r6c1 r5c1 r4c2\narrow r3c6 = r2c6 r1c6\n";

fn problems() -> Vec<Puzzle> {
    [FREE_JIGSAW, SUMS].map(|text| read(text.as_bytes(), "puzzle").unwrap()).into()
}

#[test]
fn subtrees_add_up_on_any_number_of_threads() {
    let puzzle = &problems()[0];
    let expected = puzzle.solutions().count() as u128;
    let count = Count::new(puzzle);
    assert_eq!(count.split().len(), count.subtrees());
    for threads in [1, 3] {
        let outcome =
            tallyboard_search::run(&count, &Options::new().threads(threads), &mut Silent).unwrap();
        assert_eq!(outcome.whole(), Some(expected));
    }
    assert_eq!(expected, 2_880);
}

/// `identity | subtrees and a checksum of their costs | some subtotals`
fn line(count: &Count) -> String {
    let costs = count.split();
    let mut line = format!("{} | {} {} |", count.identity(), costs.len(), costs.fingerprint());
    let apart = costs.len().div_ceil(5);
    for subtree in (apart / 2..costs.len()).step_by(apart) {
        let tally = count.count(subtree, &Stop::new()).unwrap();
        line += &format!(" {subtree}:{}", tally.solutions());
    }
    line
}

/// Journals outlive versions of the program: `subtotals.txt` has a line for every puzzle, algorithm and layout that ever
/// was. A new line is added below the old ones, which stay.
#[test]
fn subtrees_and_subtotals_change_only_with_their_numbers() {
    let golden = include_str!("subtotals.txt");
    let mut lines: Vec<String> =
        problems().iter().map(|puzzle| line(&Count::new(puzzle))).collect();
    lines.retain(|line| !golden.lines().any(|known| known == line));
    assert!(lines.is_empty(), "raise a number of REVISION, and add\n{}", lines.join("\n"));
}

#[test]
fn identities_tell_puzzles_apart() {
    let texts = [
        FREE_JIGSAW.to_owned(),
        FREE_JIGSAW.replace("diagonal falling\n", ""),
        FREE_JIGSAW.replace("falling", "rising"),
        SUMS.to_owned(),
        SUMS.replace("cage 9", "cage 8"),
        format!("{SUMS}candidates r5c5 1\n"),
        format!("{SUMS}candidates r5c5 1 2\n"),
        "size 6".to_owned(),
        "size 4".to_owned(),
    ];
    let identity = |text: &String| Count::new(&read(text.as_bytes(), "p").unwrap()).identity();
    let identities: BTreeSet<String> = texts.iter().map(identity).collect();
    assert_eq!(identities.len(), texts.len());
}

#[test]
fn a_count_that_is_asked_to_stop_does() {
    let stop = Stop::new();
    stop.request();
    let count = Count::new(&problems()[1]);
    assert!(count.subtrees() > 5, "{}", count.subtrees());
    assert_eq!(count.count(count.subtrees() - 1, &stop), Err(Stopped));
    let mut solver = tallyboard_variants::Solver::new(problems()[1].rules());
    assert_eq!(solver.solve_or_stop(&problems()[1], 2, &stop), Err(Stopped));
    assert_eq!(solver.true_candidates(&problems()[1], &stop), Err(Stopped));
}
