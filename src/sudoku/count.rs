//! Counting every solution of one grid as a [`Problem`]: the branches of its first empty cells are
//! the subtrees.

use super::Grid;
use super::kernel::single::{Sink, State, Step, search};
use crate::search::{Problem, Stop, Stopped, Tally};

/// Branches are split further until there are this many, or none can be split.
const ENOUGH_SUBTREES: usize = 1000;

/// The exact count of all solutions of one grid.
#[derive(Debug, Clone)]
pub struct CountOne {
    grid: Grid,
}

/// The solutions that begin with given digits in the first branching cells.
pub struct Subtree(State);

impl CountOne {
    /// Counts every solution of `grid`.
    pub fn new(grid: Grid) -> Self {
        Self { grid }
    }
}

impl Problem for CountOne {
    type Subtree = Subtree;

    fn identity(&self) -> String {
        format!("sudoku grid={} layout=1", self.grid)
    }

    fn split(&self) -> Vec<Subtree> {
        let mut level: Vec<State> = State::new(&self.grid).into_iter().collect();
        // Breadth first, so that the subtrees end at about the same depth.
        while (1..ENOUGH_SUBTREES).contains(&level.len()) {
            let mut next = Vec::new();
            let mut grew = false;
            for mut state in level {
                match state.propagate() {
                    Step::Dead => {}
                    Step::Solved => next.push(state),
                    Step::Branch(choice) => {
                        grew = true;
                        next.extend(state.children(choice));
                    }
                }
            }
            level = next;
            if !grew {
                break;
            }
        }
        level.into_iter().map(Subtree).collect()
    }

    fn cost(&self, _: &Subtree) -> u64 {
        1
    }

    fn count(&self, subtree: &Subtree, stop: &Stop) -> Result<Tally, Stopped> {
        let mut sink = CountAll(0);
        search(subtree.0.clone(), &mut sink, stop)?;
        Ok(Tally::new(sink.0))
    }
}

struct CountAll(u128);

impl Sink for CountAll {
    fn found(&mut self, _: &Grid) -> bool {
        // One solution a nanosecond for the age of the universe stays far below 2^128.
        self.0 += 1;
        true
    }
}
