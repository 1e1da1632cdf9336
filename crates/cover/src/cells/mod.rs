//! The engine for every cover: colours, multiplicities and any number of items.
//!
//! Each item has the set of the options that cover it and can still be chosen. A set is an array whose first
//! `size` places count; an option leaves it by changing places with the last one. So going back is nothing but
//! making the sets as large as they were, in any order: what left a set still stands right behind it.
//!
//! ```text
//! count:
//!     item = the open primary item with the fewest branches; if there is none, 1
//!     for option in the item's set, in the order of their numbers:
//!         choose option: cover its items, drop the options that clash with it
//!         count
//!         go back
//!         if the item may be covered again: drop option, so that no set of options is chosen in two orders
//!     if the item is covered often enough: drop its other options, count, go back
//! ```

mod scout;
mod solutions;
mod split;
mod state;

pub use solutions::Solutions;
pub(crate) use split::{CellTree, Path};
pub(crate) use state::Cells;

use scout::Scout;
use state::Branch;

use search::{Halt, Pace};

/// A node whose branches are being taken.
#[derive(Debug)]
struct Open {
    branch: Branch,
    /// The next branch.
    next: usize,
    /// The length of the trail before the branches were taken.
    trail: usize,
    /// The length of the trail before the first one that holds for all later branches, too, was dropped.
    begin: usize,
}

/// A depth-first walk over the solutions below the current state of the cells.
#[derive(Debug)]
struct Walk {
    stack: Vec<Open>,
    started: bool,
}

impl Walk {
    pub fn new() -> Self {
        Self { stack: Vec::new(), started: false }
    }

    /// Goes on to the next solution; `None` after the last one. The chosen options are [`Cells::chosen`]. Nodes that
    /// the `scout` rules out are not entered.
    ///
    /// # Errors
    /// [`Halt`] if the walk was stopped or took more nodes than it may. It can only be dropped then.
    pub fn next(
        &mut self,
        cells: &mut Cells,
        pace: &mut Pace,
        mut scout: Option<&mut Scout>,
    ) -> Result<Option<()>, Halt> {
        if let Some(scout) = &mut scout {
            scout.resume();
        }
        if !self.started {
            self.started = true;
            pace.node()?;
            if self.enter(cells) {
                return Ok(Some(()));
            }
        }
        while let Some(open) = self.stack.last_mut() {
            cells.undo_to(open.trail);
            if open.next == open.branch.len() {
                let begin = open.begin;
                cells.undo_to(begin);
                let left = self.stack.pop();
                cells.recycle(left.map(|open| open.branch));
                continue;
            }
            let number = open.next;
            open.next += 1;
            if number > 0 && cells.drop_earlier(&open.branch, number - 1).is_err() {
                // Too few options are left for the item, and no later branch has more.
                open.next = open.branch.len();
                open.trail = cells.trail();
                continue;
            }
            open.trail = cells.trail();
            pace.node()?;
            let is_choice = open.branch.len() > 1;
            let is_dead = cells.take(&open.branch, number).is_err()
                || is_choice && scout.as_mut().is_some_and(|it| it.rules_out(cells.chosen()));
            if !is_dead && self.enter(cells) {
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    /// Opens the node that the cells are at. Returns whether it is a solution, which has no branches.
    fn enter(&mut self, cells: &mut Cells) -> bool {
        if !cells.is_possible() {
            return false;
        }
        let trail = cells.trail();
        match cells.branch() {
            None => true,
            Some(branch) => {
                self.stack.push(Open { branch, next: 0, trail, begin: trail });
                false
            }
        }
    }
}

/// The number of solutions below the current state.
///
/// # Errors
/// [`Halt`] if the count was stopped or took more nodes than it may.
pub(crate) fn count(cells: &mut Cells, pace: &mut Pace) -> Result<u128, Halt> {
    let mut walk = Walk::new();
    let mut found = 0_u128;
    while walk.next(cells, pace, None)?.is_some() {
        // Each solution takes a node, and nobody waits for 2^128 of them.
        found += 1;
    }
    Ok(found)
}
