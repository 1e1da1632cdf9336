//! The search over sets as a tree that can be split.

use super::{Cells, count};
use crate::splitting::Tree;
use search::{Halt, Pace, Stop};

/// A node: the number of the branch taken at each node above it.
pub(crate) type Path = Vec<u32>;

/// The tree of a problem.
pub(crate) struct CellTree {
    pub cells: Cells,
}

impl CellTree {
    /// The covers below a node.
    ///
    /// # Errors
    /// [`Halt`] as of [`count`].
    pub fn count_within(&mut self, path: &Path, pace: &mut Pace<'_>) -> Result<u128, Halt> {
        let found = if self.cells.follow(path) { count(&mut self.cells, pace) } else { Ok(0) };
        self.cells.undo_to(0);
        found
    }
}

impl Tree for CellTree {
    type Node = Path;

    fn children(&mut self, path: &Path) -> (Vec<Path>, u128) {
        let is_possible = self.cells.follow(path);
        let branch = if is_possible { self.cells.branch() } else { None };
        self.cells.undo_to(0);
        let Some(branch) = branch else { return (Vec::new(), u128::from(is_possible)) };
        let child = |number| {
            let mut child = path.clone();
            child.push(number);
            child
        };
        let children = (0..branch.len() as u32).map(child).collect();
        self.cells.recycle(Some(branch));
        (children, 0)
    }

    fn descend(&mut self, path: &Path, seed: u64) -> u128 {
        let mut pick =
            path.iter().fold(seed, |pick, &number| crate::hash::mix(pick ^ u64::from(number)));
        let mut width = 1_u128;
        let mut nodes = 1_u128;
        let mut is_possible = self.cells.follow(path);
        while is_possible {
            let Some(branch) = self.cells.branch() else { break };
            pick = crate::hash::mix(pick);
            let number = ((u128::from(pick) * branch.len() as u128) >> 64) as usize;
            width = width.saturating_mul(branch.len() as u128);
            nodes = nodes.saturating_add(width);
            is_possible = self.cells.go_to(&branch, number);
            self.cells.recycle(Some(branch));
        }
        self.cells.undo_to(0);
        nodes
    }

    fn count(&mut self, path: &Path, limit: u64) -> Result<(u128, u64), Halt> {
        let stop = Stop::new();
        let mut pace = Pace::limited(&stop, limit);
        let found = self.count_within(path, &mut pace)?;
        Ok((found, pace.nodes()))
    }
}
