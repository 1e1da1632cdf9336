//! The walk over all covers that adds up, for each option, the number of covers below the branches that choose it.

use super::{Branches, OptionSets};
use tallyboard_search::{Halt, NodeBudget};

/// A node of the path from the root to the current node.
struct OpenNode {
    branches: Branches,
    /// The number of the next branch.
    next: usize,
    trail_of_node: usize,
    trail_of_branch: usize,
    /// The covers below the branches before the current one, and below the current one.
    found: u128,
    below: u128,
}

impl OpenNode {
    /// Adds the covers below the current branch to those of its option.
    fn end_branch(&mut self, uses: &mut [u128]) {
        if let Some(option) = self.next.checked_sub(1).and_then(|at| self.branches.option(at)) {
            uses[option as usize] += self.below;
        }
        self.found += self.below;
        self.below = 0;
    }
}

/// Visits all covers below the current node of `sets`, adds for each option the number of those that choose it below this node,
/// and returns their number. Calls `visit` with the options of each. Every number counts covers that were visited, so it fits.
///
/// # Errors
/// [`Halt`] if the walk was stopped. The sets are not back in their state then.
pub(crate) fn tally_sets(
    sets: &mut OptionSets,
    budget: &mut NodeBudget,
    uses: &mut [u128],
    visit: &mut dyn FnMut(&[u32]),
) -> Result<u128, Halt> {
    let mut path: Vec<OpenNode> = Vec::new();
    budget.count_node()?;
    if !enter(sets, &mut path) {
        visit(sets.chosen());
        return Ok(1);
    }
    loop {
        let Some(node) = path.last_mut() else { return Ok(0) };
        sets.undo_to(node.trail_of_branch);
        node.end_branch(uses);
        if node.next == node.branches.len() {
            sets.undo_to(node.trail_of_node);
            let Some(OpenNode { found, branches, .. }) = path.pop() else { return Ok(0) };
            sets.recycle(Some(branches));
            match path.last_mut() {
                Some(above) => above.below += found,
                None => return Ok(found),
            }
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
        if sets.take(&node.branches, number).is_ok() && !enter(sets, &mut path) {
            visit(sets.chosen());
            if let Some(node) = path.last_mut() {
                node.below += 1;
            }
        }
    }
}

/// Enters the current node of the sets. Returns whether it has branches: if not, it is a cover.
fn enter(sets: &mut OptionSets, path: &mut Vec<OpenNode>) -> bool {
    let trail = sets.trail();
    let Some(branches) = sets.branches() else { return false };
    let (trail_of_node, trail_of_branch) = (trail, trail);
    path.push(OpenNode { branches, next: 0, trail_of_node, trail_of_branch, found: 0, below: 0 });
    true
}
