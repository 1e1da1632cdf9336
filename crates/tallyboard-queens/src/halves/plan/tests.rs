//! Counts by halves compared with known and naive counts, whole and in parts.

use super::*;
use crate::halves::case::Keep;
use crate::halves::kernel::{Portable, for_every_kernel};
use crate::halves::layout::{Positions, SlicePath};
use crate::halves::{RowSet, quarter};
use crate::solutions::all;
use crate::{golden, known};

fn plan(n: u32, memory: Option<u64>) -> Halves {
    Halves::new(n, &Settings::new().memory(memory).threads(1)).unwrap()
}

fn count_all(plan: &Halves) -> u128 {
    let stop = Stop::new();
    plan.subtrees
        .iter()
        .map(|subtree| u128::from(plan.count_subtree(subtree, &stop).unwrap()))
        .sum()
}

/// The sets T, B, C and D of a solution of an even board, as `case` defines them. `rows` has the row of each column.
fn sets(n: u32, rows: &[u32]) -> [u32; 4] {
    let h = n / 2;
    let from_border = |line: u32| line.min(n - 1 - line);
    let mut sets = [0; 4];
    for (column, &row) in (0..).zip(rows) {
        match (row < h, column < h) {
            (true, true) => {
                sets[0] |= 1 << row;
                sets[2] |= 1 << column;
            }
            (false, true) => sets[1] |= 1 << from_border(row),
            (true, false) => sets[3] |= 1 << from_border(column),
            (false, false) => {}
        }
    }
    sets
}

/// The weight of the filling of a quarter, given by the row of each column: 8 if it comes before its mirror image in
/// the main diagonal, 0 if it comes after it, 4 if it is equal to it.
fn mirror_weight(rows: &[Option<u32>]) -> u64 {
    let columns: Vec<Option<u32>> = (0..rows.len() as u32)
        .map(|row| rows.iter().position(|&r| r == Some(row)).map(|column| column as u32))
        .collect();
    match columns.as_slice().cmp(rows) {
        std::cmp::Ordering::Greater => 8,
        std::cmp::Ordering::Equal => 4,
        std::cmp::Ordering::Less => 0,
    }
}

/// The number of solutions that a solution with these sets stands for. T is the greatest of them.
fn weight(n: u32, rows: &[u32], [t, b, c, d]: [u32; 4]) -> u64 {
    let h = n / 2;
    let full = (1 << h) - 1;
    let tied = |set: u32| set == t || set == full & !t;
    let quarter = |column: &dyn Fn(u32) -> u32| {
        let rows = (0..h).map(|i| rows[column(i) as usize]);
        rows.map(|row| (row < h).then_some(row)).collect::<Vec<_>>()
    };
    match (tied(b), tied(c), tied(d)) {
        (false, false, false) | (false, true, true) => 8,
        (false, true, false) if c == t => mirror_weight(&quarter(&|i| i)),
        (false, true, false) => 8,
        (false, false, true) if d == full & !t => mirror_weight(&quarter(&|i| n - 1 - i)),
        (false, false, true) => 0,
        (true, false, false) => 4,
        (true, true, false) | (true, false, true) => 0,
        (true, true, true) => 2,
    }
}

#[test]
fn every_kernel_counts_boards_whose_lists_are_split_to_the_end() {
    for_every_kernel(|kernel| {
        for n in 6..=12 {
            let join = join::Settings { keys_per_table: 5, cost_of_table: 0, cost_of_split: 0 };
            let plan = Halves { kernel, join, ..plan(n, None) };
            assert_eq!(Some(count_all(&plan)), known::solutions(n), "n = {n}, {kernel:?}");
        }
    });
}

/// The subtree of a single row set.
fn subtree_of(plan: &Halves, case: u8, top: u32, position: u16) -> Subtree {
    let size = top.count_ones();
    let mut tops = plan.cases[usize::from(case)].tops(size);
    let first = tops.position(|other| other == top).expect("a top that is counted") as u16;
    let tops = Positions { first, last: first + 1 };
    let bottoms = Positions { first: position, last: position + 1 };
    Subtree { case, slice: SlicePath::default(), size: size as u8, tops, bottoms, share: 1.0 }
}

/// Each row set of a subtree, as a subtree.
fn single_row_sets<'a>(
    plan: &'a Halves,
    subtree: &'a Subtree,
) -> impl Iterator<Item = Subtree> + 'a {
    subtree.tops(&plan.cases[usize::from(subtree.case)]).flat_map(move |top| {
        let positions = subtree.bottoms.first..subtree.bottoms.last;
        positions.map(move |position| subtree_of(plan, subtree.case, top, position))
    })
}

/// Checks counts of row sets, given by n, case, rows above the middle, position of the rows below it.
fn check_row_sets(row_sets: &[(u32, u8, u32, u16, u64)]) {
    for &(n, case, top, position, solutions) in row_sets {
        let mut plan = plan(n, Some(1 << 34));
        for_every_kernel(|kernel| {
            plan.kernel = kernel;
            let subtree = subtree_of(&plan, case, top, position);
            let found = plan.count_subtree(&subtree, &Stop::new());
            assert_eq!(found, Ok(solutions), "{kernel:?}, n = {n}, {subtree:?}");
        });
    }
}

#[test]
fn every_kernel_finds_as_many_solutions_for_row_sets_of_large_boards() {
    // Drawn at random from those that take milliseconds.
    check_row_sets(&[
        (20, 0, 0b11011110, 19, 18800),
        (20, 0, 0b10111011, 204, 240776),
        (20, 0, 0b1011010011, 83, 2453720),
        (21, 2, 0b101100110, 123, 37152),
        (21, 8, 0b1010011001, 99, 1316872),
        (21, 7, 0b111110000, 98, 140104),
        (22, 0, 0b11111010, 4, 159792),
        (22, 0, 0b10111111, 316, 396592),
        (23, 1, 0b111, 310, 48536),
        (23, 2, 0b1000100110, 279, 2321352),
    ]);
}

#[test]
#[ignore = "takes seconds with optimisation"]
fn every_kernel_finds_as_many_solutions_for_row_sets_of_24() {
    check_row_sets(&[
        (24, 0, 0b111111, 300, 99232744),
        (24, 0, 0b11111000111, 3, 60572856),
        (24, 0, 0b111111111, 100, 21240),
    ]);
}

#[test]
fn every_row_set_of_an_even_board_has_the_solutions_found_naively() {
    for n in [2, 4, 6, 8, 10, 12] {
        let plan = plan(n, None);
        let subsets = &plan.cases[0].subsets;
        let mut expected = vec![0; 1 << n];
        // `all` gives the column of each row. Taken as the row of each column, these are the mirror images: all
        // solutions, too.
        for rows in all(n) {
            let rows: Vec<u32> = rows.into_iter().map(u32::from).collect();
            let [t, b, c, d] = sets(n, &rows);
            let rank = |set| subsets.rank(set);
            if subsets.exceeds_complement(t) && [b, c, d].iter().all(|&s| rank(s) <= rank(t)) {
                expected[(t << (n / 2) | b) as usize] += weight(n, &rows, [t, b, c, d]);
            }
        }
        for subtree in &plan.subtrees {
            for single in single_row_sets(&plan, subtree) {
                let RowSet { top, bottom, .. } = plan.whole_row_sets(&single).next().unwrap();
                let row_set = top << (n / 2) | bottom;
                let found = plan.count_subtree(&single, &Stop::new()).unwrap();
                assert_eq!(found, expected[row_set as usize], "n = {n}, rows {row_set:b}");
            }
        }
        let all: u64 = expected.iter().sum();
        assert_eq!(Some(u128::from(all)), known::solutions(n), "n = {n}");
    }
}

#[test]
fn counts_the_same_whatever_quarters_are_kept() {
    for n in [11, 12] {
        for keep in [Keep::All, Keep::Bottoms(0), Keep::Bottoms(20_000), Keep::Bottoms(1 << 20)] {
            let plan = Halves {
                cases: cases(&Arc::new(Subsets::new(Sizes::new(n))), keep),
                ..plan(n, None)
            };
            assert_eq!(Some(count_all(&plan)), known::solutions(n), "n = {n}, {keep:?}");
        }
    }
}

#[test]
fn counts_the_same_with_few_quarters_in_a_group() {
    for n in [13, 14] {
        let mut plan = plan(n, None);
        assert!(
            plan.subtrees.iter().any(|subtree| subtree.tops.last > subtree.tops.first + 2),
            "n = {n}"
        );
        for group_bytes in [0, 1, 5_000] {
            plan.memory.group_bytes = group_bytes;
            assert_eq!(Some(count_all(&plan)), known::solutions(n), "n = {n}, {group_bytes} bytes");
        }
    }
}

#[test]
fn counts_the_same_slice_by_slice() {
    for_every_kernel(|kernel| {
        // Bytes for quarters and half boards, down to one column set and one diagonal at a time.
        for (n, list_bytes) in [(6, 0.0), (7, 0.0), (8, 150.0), (9, 300.0), (10, 2e3), (11, 4e3)] {
            let mut plan = Halves { kernel, ..plan(n, None) };
            let subtrees = plan.subtrees.iter();
            let subtotals = |plan: &Halves| -> Vec<_> {
                subtrees.clone().map(|subtree| plan.count_subtree(subtree, &Stop::new())).collect()
            };
            let whole = subtotals(&plan);
            plan.memory.list_bytes = list_bytes;
            plan.memory.quarter_bytes = list_bytes / 2.0;
            assert_eq!(subtotals(&plan), whole, "n = {n}, {list_bytes} bytes, {kernel:?}");
        }
    });
}

fn quarter_bytes(worker: &Worker) -> usize {
    worker.builders.iter().map(Builder::quarter_bytes).sum()
}

#[test]
fn lists_stay_within_their_memory() {
    for (n, case, top, position) in [(22, 0, 0b10111111, 316), (21, 8, 0b1010011001, 99)] {
        let mut plan = plan(n, Some(1 << 34));
        let subtree = subtree_of(&plan, case, top, position);
        let mut count_within = |list_bytes: f64| {
            plan.memory.list_bytes = list_bytes;
            plan.memory.quarter_bytes = list_bytes / 2.0;
            let mut worker = Worker::new(plan.join);
            let found = plan.count_with(Portable, &subtree, &mut worker, &Stop::new()).unwrap();
            let fillings: usize = worker.builders.iter().map(Builder::filling_bytes).sum();
            assert!(fillings as f64 <= 4.0 * quarter::bytes(f64::INFINITY));
            let quarters = quarter_bytes(&worker);
            (found, quarters, quarters + worker.join_bytes())
        };
        let (solutions, quarters, whole) = count_within(1e9);
        for part in [4, 16] {
            let limit = whole / part;
            let (found, quarters_now, all) = count_within(limit as f64);
            assert_eq!(found, solutions);
            let max_quarters = quarters.min(limit / 2 + 20_000);
            assert!(quarters_now <= max_quarters, "n = {n}: {quarters_now} of {limit}");
            assert!(all <= limit, "n = {n}: {all} of {limit}");
        }
    }
}

#[test]
fn lists_of_the_row_set_before_leave_room_for_the_next_quarters() {
    let mut plan = plan(20, None);
    let firsts = plan.subtrees.iter().step_by(plan.subtrees.len() / 12);
    let sets: Vec<Subtree> =
        firsts.filter_map(|subtree| single_row_sets(&plan, subtree).next()).collect();
    let count = |plan: &Halves, subtree: &Subtree, worker: &mut Worker| {
        plan.count_with(Portable, subtree, worker, &Stop::new()).unwrap();
        (quarter_bytes(worker), worker.join_bytes())
    };
    let alone = |subtree| count(&plan, subtree, &mut Worker::new(plan.join));
    let used: Vec<(usize, usize)> = sets.iter().map(alone).collect();
    let most_quarters = used.iter().map(|used| used.0).max().unwrap();
    let most_join = used.iter().map(|used| used.1).max().unwrap();
    let most = used.iter().map(|used| used.0 + used.1).max().unwrap();
    assert!(most < most_quarters + most_join, "a worker that frees nothing takes more");
    (plan.memory.list_bytes, plan.memory.quarter_bytes) = (most as f64, most_quarters as f64);
    plan.memory.group_bytes = 0;
    let mut worker = Worker::new(plan.join);
    for subtree in &sets {
        let (quarters, join) = count(&plan, subtree, &mut worker);
        assert!(quarters + join <= most, "{quarters} and {join} of {most} bytes");
    }
    assert!(worker.join_bytes() > 0);
    plan.memory.quarter_bytes = plan.memory.list_bytes;
    worker.make_room_for_quarters(&plan.memory);
    assert_eq!(worker.join_bytes(), 0);
}

#[test]
fn memory_of_upper_quarters_that_are_not_in_use_is_freed() {
    let mut plan = plan(16, None);
    plan.cases = cases(&plan.cases[0].subsets, Keep::Bottoms(0));
    let used = |plan: &Halves, subtree: &Subtree, worker: &mut Worker| -> usize {
        plan.count_with(Portable, subtree, worker, &Stop::new()).unwrap();
        quarter_bytes(worker)
    };
    let mut worker = Worker::new(plan.join);
    plan.memory.group_bytes = 1 << 30;
    let single = subtree_of(&plan, 0, 0b1101_1010, 0);
    let bottoms = Positions { first: 0, last: 56 };
    let single = Subtree { bottoms, ..single };
    let tops = Positions { first: 0, last: single.tops.last };
    let all = used(&plan, &Subtree { tops, ..single.clone() }, &mut worker);
    let one = used(&plan, &single, &mut Worker::new(plan.join));
    assert!(all > 4 * one, "{all} bytes for all quarters, {one} for one");
    let kept = used(&plan, &single, &mut worker);
    assert!(kept <= 2 * one, "{kept} bytes of {all} are kept where {one} are needed");
}

#[test]
fn slices_by_more_diagonals_than_there_are_make_up_the_row_set() {
    const DEPTH: u8 = 7;
    let stop = Stop::new();
    for n in [4, 5, 6, 7] {
        let plan = plan(n, None);
        for subtree in &plan.subtrees {
            let path =
                |path| Subtree { slice: SlicePath { depth: DEPTH, path }, ..subtree.clone() };
            let found = (0..1 << DEPTH).map(|p| plan.count_subtree(&path(p), &stop).unwrap());
            assert_eq!(Ok(found.sum()), plan.count_subtree(subtree, &stop), "n = {n}, {subtree:?}");
        }
    }
}

#[test]
fn a_limit_that_is_too_low_is_an_error() {
    let settings = Settings::new().memory(1 << 20).threads(4);
    let error = Halves::new(20, &settings).unwrap_err();
    assert!(matches!(error, HalvesError::Memory { limit, threads: 4, .. } if limit == 1 << 20));
    let text = error.to_string();
    assert!(text.contains(" MiB of memory for 4 threads, the limit is 1 MiB"), "{text}");
    let needed = |shards| match Halves::new(20, &settings.shards(shards)) {
        Err(HalvesError::Memory { needed, .. }) => needed,
        other => panic!("{other:?}"),
    };
    // The other nine shards' subtrees take 64 bytes less each.
    let others = layout::max_subtrees(20) * 9 / 10;
    assert_eq!(needed(1) - needed(10), 64 * others);
    let nearly = HalvesError::Memory { needed: (1 << 20) + 1, limit: (1 << 20) - 1, threads: 1 };
    let text = nearly.to_string();
    assert!(text.contains("2 MiB of memory for 1 thread, the limit is 1,048,575 bytes"), "{text}");
}

#[test]
fn a_raised_flag_stops_every_subtree() {
    let plan = plan(12, None);
    let stop = Stop::new();
    stop.request();
    assert!(plan.subtrees.iter().all(|subtree| plan.count_subtree(subtree, &stop) == Err(Stopped)));
}

#[test]
fn subtrees_are_no_more_than_estimated_and_none_of_a_large_board_takes_a_large_share() {
    for n in 2..=23 {
        let subtrees = plan(n, None).subtrees;
        assert!(subtrees.len() as u64 <= layout::max_subtrees(n), "n = {n}: {}", subtrees.len());
        let sum: u64 = subtrees.iter().map(Subtree::cost).sum();
        let most = subtrees.iter().map(Subtree::cost).max().unwrap();
        assert!(n < 20 || most < sum / 2000, "n = {n}: {most} of {sum}");
    }
}

/// Above n = 26 the layout decides which solutions a slice has. Its path splits by the busiest diagonals in order,
/// the left list and the right list in turns, the left one first.
#[test]
fn slices_have_the_solutions_that_results_know() {
    let mut found = String::new();
    for n in [14, 15, 16] {
        let plan = plan(n, None);
        let subtree = plan.subtrees.iter().max_by_key(|subtree| subtree.cost()).unwrap();
        let slices = (0..16).map(|path| {
            let slice = SlicePath { depth: 4, path };
            let counts = single_row_sets(&plan, subtree).map(|whole| {
                plan.count_subtree(&Subtree { slice, ..whole }, &Stop::new()).unwrap()
            });
            counts.sum()
        });
        let slices: Vec<u64> = slices.collect();
        assert_eq!(slices.iter().sum::<u64>(), plan.count_subtree(subtree, &Stop::new()).unwrap());
        assert!(slices.iter().filter(|&&solutions| solutions > 0).count() > 5, "{slices:?}");
        found += &format!("n = {n}: {slices:?}\n");
    }
    golden::check("halves/slices.txt", &found);
}
