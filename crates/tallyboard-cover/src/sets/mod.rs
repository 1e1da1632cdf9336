//! The engine for every cover: colours, multiplicities and any number of items.
//!
//! Each item has the set of the options that cover it and can still be chosen (a sparse set). A set is an array whose first
//! `size` entries are its members. To remove an option, it is swapped with the last member, and `size` is decreased. To
//! backtrack, `size` is increased again: the options that were removed last are right behind the members.
//!
//! ```text
//! count:
//!     item = the open primary item with the fewest branches; if there is none, return 1
//!     for option in the item's set, in the order of their numbers:
//!         choose option: cover its items, drop the options that clash with it
//!         count
//!         backtrack
//!         if the item may be covered again: drop option, so that no set of options is chosen in two orders
//!     if the item is covered often enough: drop its other options, count, backtrack
//! ```

mod components;
mod few;
mod scout;
mod split;
mod state;
mod tally;

use crate::cover::Cover;
pub(crate) use components::count;
use few::Few;
use scout::Scout;
pub(crate) use split::{Path, SetTree};
use state::Branches;
pub(crate) use state::OptionSets;
pub(crate) use tally::tally_sets;
use tallyboard_search::{Halt, NodeBudget, Stop};

/// A node of the path from the root to the current node.
#[derive(Debug)]
struct OpenNode {
    branches: Branches,
    /// The number of the next branch.
    next: usize,
    /// The length of the trail at the node itself.
    trail_of_node: usize,
    /// The length of the trail before the current branch: the options of earlier branches may have been dropped.
    trail_of_branch: usize,
}

/// A depth-first walk over the solutions below a state of the sets.
#[derive(Debug, Default)]
struct Walk {
    stack: Vec<OpenNode>,
    started: bool,
}

impl Walk {
    /// Goes on to the next solution, whose options are [`OptionSets::chosen`]. Returns whether there is one. Nodes that the
    /// `scout` or `few` rule out are not entered.
    ///
    /// # Errors
    /// [`Halt`] if the walk was stopped or took more nodes than it may. It cannot go on after that.
    pub fn next(
        &mut self,
        sets: &mut OptionSets,
        budget: &mut NodeBudget,
        mut scout: Option<&mut Scout>,
        mut few: Option<&mut Few>,
    ) -> Result<bool, Halt> {
        if let Some(scout) = &mut scout {
            scout.resume();
        }
        if !self.started {
            self.started = true;
            budget.count_node()?;
            if self.enter(sets) {
                return Ok(true);
            }
        }
        while let Some(node) = self.stack.last_mut() {
            sets.undo_to(node.trail_of_branch);
            if node.next == node.branches.len() {
                sets.undo_to(node.trail_of_node);
                let node = self.stack.pop();
                sets.recycle(node.map(|node| node.branches));
                continue;
            }
            let number = node.next;
            node.next += 1;
            if number > 0 && sets.drop_taken(&node.branches, number - 1).is_err() {
                // Too few options are left for the item, and no later branch has more.
                node.next = node.branches.len();
                node.trail_of_branch = sets.trail();
                continue;
            }
            node.trail_of_branch = sets.trail();
            budget.count_node()?;
            // The only child of a node has a cover if the node has one, so looking ahead tells nothing new.
            let is_choice = node.branches.len() > 1;
            if sets.take(&node.branches, number).is_err() {
                continue;
            }
            if is_choice {
                if scout.as_mut().is_some_and(|scout| scout.rules_out(sets.chosen())) {
                    continue;
                }
                if let Some(few) = &mut few
                    && few.rules_out(sets, budget.stop())?
                {
                    continue;
                }
            }
            if self.enter(sets) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Enters the current node of the sets. Returns whether it is a solution, which has no branches.
    fn enter(&mut self, sets: &mut OptionSets) -> bool {
        if !sets.is_possible() {
            return false;
        }
        let trail = sets.trail();
        let Some(branches) = sets.branches() else { return true };
        self.stack.push(OpenNode {
            branches,
            next: 0,
            trail_of_node: trail,
            trail_of_branch: trail,
        });
        false
    }
}

// All covers, one after the other.

/// The covers of a problem, in an order that depends on the problem alone. Each is the ascending list of the
/// numbers of its options.
///
/// The iterator takes about ten times the memory of the cover, and up to 64 MiB for counts that it remembers to rule out
/// nodes without covers.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_cover as cover; }
/// use tallyboard::cover::{Cover, Solutions};
///
/// let mut cover = Cover::new();
/// cover.primary(["a", "b"])?;
/// cover.option(["a"])?.option(["b"])?.option(["a", "b"])?;
/// let found: Vec<Vec<u32>> = Solutions::new(&cover).collect();
/// assert_eq!(found, [vec![0, 1], vec![2]]);
/// # Ok::<(), tallyboard::cover::CoverError>(())
/// ```
#[derive(Debug)]
pub struct Solutions {
    /// `None` if the cover has too many entries.
    sets: Option<OptionSets>,
    /// The way from the root to the cover found last.
    walk: Walk,
    /// Find nodes without covers, which the walk skips.
    scout: Option<Scout>,
    few: Option<Few>,
    /// Never raised: the walk needs one.
    stop: Stop,
}

impl Solutions {
    /// The covers of `cover`. A cover with 2^32 entries or more is too large: the iterator is then empty, whether the problem
    /// has covers or not. [`Cover::entry_count`] tells.
    pub fn new(cover: &Cover) -> Self {
        Self {
            sets: OptionSets::new(cover),
            walk: Walk::default(),
            scout: Scout::new(cover),
            few: Few::new(cover),
            stop: Stop::new(),
        }
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let sets = self.sets.as_mut()?;
        let mut budget = NodeBudget::unlimited(&self.stop);
        let found = self.walk.next(sets, &mut budget, self.scout.as_mut(), self.few.as_mut());
        if !found.expect("nobody raises this flag, and there is no limit") {
            return None;
        }
        let mut chosen = sets.chosen().to_vec();
        chosen.sort_unstable();
        Some(chosen)
    }
}
