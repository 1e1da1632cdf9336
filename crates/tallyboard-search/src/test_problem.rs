//! A problem for tests.

use crate::{Costs, Problem, Stop, Stopped, Tally};

/// Six subtrees, each with as many solutions as its number says.
pub struct Six;

impl Problem for Six {
    fn identity(&self) -> String {
        "six algorithm=1 layout=1".to_owned()
    }

    fn subtrees(&self) -> usize {
        6
    }

    fn split(&self) -> Costs {
        Costs::new(vec![6, 5, 4, 3, 2, 1])
    }

    fn count(&self, subtree: usize, _: &Stop) -> Result<Tally, Stopped> {
        Ok(Tally::new(subtree as u64))
    }
}
