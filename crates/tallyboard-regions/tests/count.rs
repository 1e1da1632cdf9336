//! Subtrees that lanes and clauses count, and positions that lanes leave.

use tallyboard_base::cpu::Instructions;
use tallyboard_regions::batch::{self, Limits, Start, Tasks};
use tallyboard_regions::{Board, Count, Row, Solutions};
use tallyboard_search::{Problem, Stop};

fn rows_as_regions(size: u32, stars: usize) -> Board {
    let labels: Vec<u32> = (0..size * size).map(|cell| cell / size).collect();
    Board::new(&labels, stars).unwrap()
}

/// A board that is taken to be hard from the start has the subtotals of the lanes. It has more solutions than are looked for at
/// first, and one with a star given has fewer.
#[test]
fn clauses_and_lanes_find_equal_subtotals() {
    let mut few = rows_as_regions(8, 1);
    let first = Solutions::new(&few).next().unwrap();
    for (row, stars) in first.iter().enumerate().take(3) {
        few = few.give(row, stars.trailing_zeros() as usize).unwrap();
    }
    for board in [rows_as_regions(7, 1), rows_as_regions(9, 2), few] {
        let (lanes, hard) = (Count::new(&board), Count::new(&board).by_clauses());
        for subtree in 0..lanes.subtrees() {
            let [lanes, hard] =
                [&lanes, &hard].map(|count| count.count(subtree, &Stop::new()).unwrap());
            assert_eq!(hard, lanes, "subtree {subtree} of {board:?}");
        }
    }
}

/// Lanes that end early, and leave positions to whoever goes on.
struct Hasty {
    start: Option<Vec<Row>>,
    regions: Vec<u8>,
    count: u64,
    left: Vec<Vec<Row>>,
    is_hasty: bool,
}

impl Tasks for Hasty {
    fn next(&mut self) -> Option<Start<'_>> {
        let rows = self.start.take()?;
        self.left.push(rows);
        Some(Start { regions: &self.regions, rows: self.left.last()? })
    }

    fn found(&mut self, _: usize, _: &[u32]) {
        self.count += 1;
    }

    fn finished(&mut self, _: usize, _: u64, _: u64, _: bool) {}

    fn shared(&self) -> bool {
        true
    }

    fn goes_on(&mut self, _: u64) -> bool {
        if self.is_hasty {
            self.left.clear();
        }
        !self.is_hasty
    }

    fn left(&mut self, rows: &[Row]) {
        self.left.push(rows.to_vec());
    }
}

#[test]
fn what_the_lanes_leave_and_what_they_found_is_the_whole() {
    let board = rows_as_regions(10, 1);
    let run = |tasks: &mut Hasty| {
        let best = Instructions::best();
        batch::run(best, 10, 1, Limits::NONE, tasks, &Stop::new()).unwrap();
    };
    let tasks = |rows: &[Row], is_hasty| {
        let regions = board.regions().to_vec();
        Hasty { start: Some(rows.to_vec()), regions, count: 0, left: Vec::new(), is_hasty }
    };
    let mut hasty = tasks(board.rows(), true);
    run(&mut hasty);
    assert!(hasty.count > 0 && hasty.left.len() > 1, "{} {}", hasty.count, hasty.left.len());
    let mut whole = hasty.count;
    for rows in &hasty.left {
        let mut rest = tasks(rows, false);
        run(&mut rest);
        whole += rest.count;
    }
    assert_eq!(whole, 479_306, "OEIS A002464");
}
